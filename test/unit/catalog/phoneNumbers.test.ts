import type { GenericValue } from 'n8n-workflow';
import { type Answer, LOCAL_OUTCOME } from '../../engine';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { countryField } from '../../../nodes/LookupMessaging/operations/shared/phone/country';
import { readPhoneNumber } from '../../../nodes/LookupMessaging/operations/shared/phone/phoneNumber';
import { withNumberAsked } from '../../../nodes/LookupMessaging/operations/shared/phone/phoneRecord';
import { type Asked, PHONE_READERS } from '../../models/numbers/phoneReaders';
import { spelled } from './spelled';

type Written = [number: GenericValue, country?: GenericValue];

/** The same value for each reader. */
const inEach = <Value>(value: Value) =>
	Object.fromEntries(PHONE_READERS.map(({ name }) => [name, value]));

/** What each reader sends of a number, or the outcome and the reason of its local answer. */
const askEach = (...written: Written) =>
	Object.fromEntries(PHONE_READERS.map(({ name, read }) => [name, inWords(read(...written))]));

/** "+442079460018", or "79460018 (GB)" with a hint. */
function inWords(asked: Asked): string {
	if (!('local' in asked)) return asked.number + (asked.hint ? ` (${asked.hint})` : '');
	const { local, field, reason, record } = asked.local;
	// A contact has its local answers in its sections, where a reason of several sentences ends with a full stop
	const sections = Object.values(record ?? {}) as Array<{ outcome?: string; reason?: string }>;
	const section = sections.find((each) => each?.reason !== undefined);
	return section
		? `${section.outcome}: ${section.reason?.replace(/\.$/, '')}`
		: `${LOCAL_OUTCOME[local]}: ${field} ${reason}`;
}

/** A message is no lookup: it never shares an answer. */
const LOOKUPS = PHONE_READERS.filter(({ operation }) => operation.value !== 'sendMessage');

/** The keys by which the readers know equal questions. */
const keysOf = (written: Written, readers = LOOKUPS) =>
	readers.map(({ name, read }) => {
		const asked = read(...written);
		if ('local' in asked) throw new Error(`${name}: ${asked.local.reason}`);
		return asked.key;
	});

describe('an operation about a phone number', () => {
	const fieldNames = ({ fields, options = [] }: (typeof operations)[number]) =>
		[...fields, ...options].map(({ name }) => name);
	const nameOf = ({ resource, value }: (typeof operations)[number]) => `${resource}.${value}`;

	test('takes its country in the field Country, and in no other', () => {
		const asking = operations.filter((each) => fieldNames(each).includes('phoneNumber'));
		for (const { fields } of asking) expect(fields).toContain(countryField);
		expect(operations.filter((each) => fieldNames(each).includes('country'))).toEqual(asking);
		const named = operations.flatMap(fieldNames);
		expect(named.filter((name) => /countryHint|callingCode/i.test(name))).toEqual([]);
	});

	test('is in the tables below', () => {
		const asking = operations.filter((each) => fieldNames(each).includes('phoneNumber'));
		const tested = new Set(PHONE_READERS.map(({ operation }) => nameOf(operation)));
		expect([...tested].sort()).toEqual(asking.map(nameOf).sort());
	});
});

describe('a number with its country code is looked up in E.164, in every operation:', () => {
	test.each<[e164: string, spellings: GenericValue]>([
		[
			'+442079460018',
			`+442079460018 | +44 (20) 7946-0018 | (+44) 20 7946 0018 | +44.20.7946.0018 |
			+44–20–7946–0018 | +44\u221220\u22127946\u22120018 | +44•20•7946•0018 |
			+44·20·7946·0018 | +44_20_7946_0018 | +44 [20] {7946} 0018 | + 44 20 7946 0018 |
			+44\u00a020\u20077946\u202f0018 | +44\u200b20\u200b79460018 | "+442079460018" |
			'+442079460018 | +442079460018.00 | ＋４４ ２０ ７９４６ ００１８ | +٤٤ ٢٠ ٧٩٤٦ ٠٠١٨ |
			+४४ २० ७९४६ ००१८ | Phone: +44 20 7946 0018 | home +44 20 7946 0018`,
		],
		['+12025550143', `+1 (202) 555-0143`],
		['+49301234567', `+49 30/1234567 | +49 30\\1234567`],
		['+4620123723', `+46 20/12/37/23`],
		['+442079460018', '\u202a+44 20 7946 0018\u202c'],
	])('%s in every spelling', (e164, spellings) => {
		for (const written of spelled(spellings)) {
			expect([written, askEach(written)]).toEqual([written, inEach(e164)]);
			// It does not need the field, so what is wrong there does no harm
			expect([written, askEach(written, 'DE')]).toEqual([written, inEach(e164)]);
			expect([written, askEach(written, 'Atlantis')]).toEqual([written, inEach(e164)]);
		}
	});

	test.each<[written: string, e164: string]>([
		['0044 20 7946 0018', '+442079460018'],
		['00 1 202 555 0143', '+12025550143'],
		['۰۰۴۴۲۰۷۹۴۶۰۰۱۸', '+442079460018'],
		['00800 12345678', '+80012345678'],
	])('after 00: %j', (written, e164) => {
		for (const country of ['', 'GB', 'US', 'Atlantis']) {
			expect(askEach(written, country)).toEqual(inEach(e164));
		}
	});

	test.each<[written: string, country: string, problem: string]>([
		[
			'+8 (495) 123-45-67',
			'RU',
			'may be +74951234567 or +84951234567. Write its country code after',
		],
		['+8 (495) 123-45-67', '', 'may be +74951234567 or +84951234567.'],
		['+98765 43210', 'IN', 'may be +919876543210 or +9876543210. Write its country code after'],
		['+8 701 123 45 67', 'KZ', 'may be +77011234567 or +87011234567. Write its country code after'],
		['+966 966501234567', '', 'has its country code twice. Write +966501234567 if that is'],
		['+49 0049 171 1234567', '', 'has its country code twice. Write +491711234567 if that is'],
		['+47 0047 412 34 567', '', 'has its country code twice. Write +4741234567 if that is'],
		['+1 000 000 0000', '', 'repeats one digit, as texts in place of a missing number do. Write'],
	])(
		'is refused if the digits after the + are those of another: %s',
		(written, country, problem) => {
			const [refused] = Object.values(askEach(written, country));
			expect(refused).toContain(problem);
			expect(askEach(written, country)).toEqual(inEach(refused));
		},
	);

	test.each<[e164: string, spellings: string]>([
		[
			'+442079460018',
			`tel:+44-20-7946-0018 | TEL: +44 20 7946 0018 | tel://+442079460018 |
			tel:+44-20-7946-0018;isub=12345 | tel:020-7946-0018;phone-context=+44 |
			tel:2079460018;phone-context=+44;ext=5 | whatsapp:+442079460018 | sms:+442079460018 |
			sms:+442079460018?body=Call%201%20back | callto:+442079460018`,
		],
		['+19145558631234', `tel:863-1234;phone-context=+1-914-555`],
	])('%s in a link', (e164, spellings) => {
		for (const written of spelled(spellings))
			expect([written, askEach(written)]).toEqual([written, inEach(e164)]);
	});

	test.each(['+86113812345678', '+1234567', '+155501001', '+44123456789012', '+123456'])(
		'also of an unusual length, for the service to decide: %s',
		(written) => {
			expect(askEach(written)).toEqual(inEach(written));
		},
	);
});

describe('a national number', () => {
	test.each<[written: string, country: string, either: string]>([
		// After 00, or after a prefix that names a carrier
		['00912025550102', 'CO', '+912025550102 or +12025550102'],
		['00376312345', 'JP', '+376312345 or +8100376312345'],
		['0016562234567', 'HK', '+16562234567 or +6562234567'],
		// With the 0 that people keep after the calling code
		['43 0664 1234567', 'AT', '+436641234567 or +434306641234567'],
		// A short mobile, or a fixed line without the 0 that belongs to it
		['331123456', 'IT', '+39331123456 or +390331123456'],
		['6031234', 'GA', '+2416031234 or +24106031234'],
		['49030123456', 'DE', '+4930123456 or +4949030123456'],
		['0491713920012', 'DE', '+491713920012 or +49491713920012'],
		['0082 010 2345 6789', 'KR', '+821023456789 or +201023456789'],
		// With its calling code, or without
		['447911123456', 'DE', '+447911123456 or +49447911123456'],
		['4918012345', 'DE', '+4918012345 or +494918012345'],
		['447911123456', 'US', '+447911123456 or a wrong number in US'],
		// Of a length that the country has, but no number of its plan
		['35522345678', 'NL', '+35522345678 or a wrong number in NL'],
		// Of the general pattern of the plan, but of no type
		['447911123456', 'AT', '+447911123456 or a wrong number in AT'],
		['12025550143', 'BR', '+12025550143 or a wrong number in BR'],
		['971 50 123 4567', 'PK', '+971501234567 or a wrong number in PK'],
		['6591234567', 'KR', '+6591234567 or a wrong number in KR'],
		// A calling code in the first group, without the 0 that people write
		['33 1 42 68 53 00', 'DE', '+33142685300 or +4933142685300'],
		['44 20 7946 0018', 'DE', '+442079460018 or +49442079460018'],
		['65 9123 4567', 'IN', '+6591234567 or +916591234567'],
		['372 325 9425', 'TR', '+3723259425 or +903723259425'],
		// Longer than what people write in Italy
		['351 912 345 678', 'IT', '+351912345678 or +39351912345678'],
		// Brazil's prefix for collect calls, and Russia's for long distances
		['90 532 123 45 67', 'BR', '+905321234567 or +555321234567'],
		['880 2 7111234', 'RU', '+88027111234 or +78027111234'],
		['11 5551234', 'IT', '+390115551234 or a wrong number in IT'],
		['873407301', 'IT', '+390873407301 or a wrong number in IT'],
		// Of another plan
		['022 123 45 67', 'PL', '+48221234567 or a wrong number in PL'],
		['0692 12 34 56', 'FR', '+262692123456 or a wrong number in FR'],
		['0612 34 56 78', 'RE', '+33612345678 or a wrong number in RE'],
		['0549 882345', 'IT', '+3780549882345 or a wrong number in IT'],
	])('is not guessed if it may be another: %s in %s', (written, country, either) => {
		const reason = `unknown: Phone Number ("${written}") may be ${either}. Write it with + and its country code`;
		expect(askEach(written, country)).toEqual(inEach(reason));
	});

	test.each([
		['(202) 555-0143 (202) 555-0144', 'US', /may end before .* another number/],
		['555-0142 555-0143', 'US', /contains more than one number/],
		['555 0142 555 0143', '+1', /contains more than one number/],
		['5550142 5550143', 'DE', /contains more than one number/],
		['443945 443946', 'DE', /contains more than one number/],
	])('is not looked up if it is two numbers: %s in %s', (written, country, { source }) => {
		const unknown = expect.stringMatching(new RegExp(`^unknown: .*${source}`)) as unknown;
		expect(askEach(written, country)).toEqual(inEach(unknown));
	});

	test.each([undefined, null, '', ' ', 'none', 'None'])(
		'is unknown, and nothing is paid, with the country %j',
		(country) => {
			for (const written of ['020 7946 0018', '+020 7946 0018', '030/1234567', '(0) 7911 123456']) {
				const reason = `unknown: Phone Number ("${written}") can't be read without its country. Set Country, or write it with + and its country code`;
				expect(askEach(written, country)).toEqual(inEach(reason));
			}
		},
	);

	test('is unknown with an unreadable country, which is named as the error', () => {
		const reason = /^unknown: Country \("Atlantis"\) isn't recognized as a country\. Use .*GB/;
		const each = askEach('020 7946 0018', 'Atlantis');
		expect(each).toEqual(inEach(expect.stringMatching(reason)));
	});
});

describe('a number that the plan of its country does not have', () => {
	test.each<[written: string, country: string, digits: string, problem: string]>([
		['5550143', 'US', '5550143 (US)', 'lacks its area code'],
		['9374 4000', 'AU', '93744000 (AU)', 'is too short .* in AU, so its area code may be missing'],
		['3222-1234', 'BR', '32221234 (BR)', 'is too short .* in BR, so its area code may be missing'],
		// Short fixed lines have a 0 before them
		['443945', 'DE', '443945 (DE)', 'is too short .* in DE, so its area code may be missing'],
		// People in Berlin dial so many, which are whole lines elsewhere
		['7654 3210', 'DE', '76543210 (DE)', 'is too short .* in DE, so its area code may be missing'],
		[
			'2 12345678',
			'IT',
			'212345678 (IT)',
			'is too short .* in IT, so its area code may be missing',
		],
		['12345 67890 1234', 'FR', '12345678901234 (FR)', "isn't a phone number in FR"],
		['911', 'US', '911 (US)', "isn't a phone number in US"],
		// The length is right
		['15 5512-3456', 'AR', '1555123456 (AR)', "isn't a phone number in AR"],
		['555-123-4567', 'US', '5551234567 (US)', "isn't a phone number in US"],
	])(
		'%s in %s is sent as its digits with the country to operations that take national numbers: %s',
		(written, country, digits, problem) => {
			const unknown: unknown = expect.stringMatching(
				new RegExp(`^unknown: Phone Number \\("${written}"\\) ${problem}\\. .*Country`),
			);
			const asked = PHONE_READERS.map((each) => [each.name, each.takesNational ? digits : unknown]);
			expect(askEach(written, country)).toEqual(Object.fromEntries(asked));
		},
	);

	test('is not sent if the calling code has no country to name', () => {
		const unknown = expect.stringMatching(/^unknown: .* isn't a phone number in 001/) as unknown;
		expect(askEach('123', '+800')).toEqual(inEach(unknown));
	});

	test('is one lookup in Detailed, in every spelling', () => {
		const readers = PHONE_READERS.filter(({ takesNational }) => takesNational);
		const [first, ...others] = ['7946 0018', '7946-0018', '(7946) 0018'].map((written) =>
			keysOf([written, 'GB'], readers),
		);
		expect(others).toEqual([first, first]);
		for (const key of first) expect(key).toContain('79460018');
	});
});

describe('bare digits without a country', () => {
	test.each<[written: string, e164: string]>([
		['13123456789', '+13123456789'], // a mobile of China
		['6591234567', '+6591234567'], // India
	])('%s may be %s, or national somewhere: unknown', (written, e164) => {
		const reason = `unknown: Phone Number ("${written}") may be ${e164}, or a national number of another country. Set Country, or write it with + and its country code`;
		expect(askEach(written)).toEqual(inEach(reason));
	});

	test.each([
		'2025550102', // no number of Egypt, so national
		'11912345678', // no number of +1 has the area code 191
		'5550102',
		'999123456789', // no calling code
	])('%s are no international number: unknown', (written) => {
		const unknown = expect.stringMatching(
			/^unknown: .* can't be read without its country\. Set Country, or/,
		);
		expect(askEach(written)).toEqual(inEach(unknown as unknown));
	});
});

describe('an extension', () => {
	test.each<[extension: string, spellings: string]>([
		[
			'5',
			`+1 202 555 0143 ext. 5 | +1 202 555 0143 ext 5 | +1 202 555 0143 Extension: 5 |
			+1 202 555 0143 x5 | +1 202 555 0143 #5 | +1 202 555 0143,,5 |
			+1 202 555 0143, ext. 5 | +1 202 555 0143;5 | +1 202 555 0143 доб. 5 |
			+1 202 555 0143 anexo 5 | +1 202 555 0143 extensión 5 | +1 202 555 0143 int. 5 |
			+1 202 555 0143 ｅｘｔ．５ | tel:+1-202-555-0143;ext=5`,
		],
		['105', `+12025550143x105`],
		['12', `+1 202 555 0143 - 12# | +1 202 555 0143~12`],
		['1234567', `+1 202 555 0143 x1234567`],
		['1234567890', `tel:+12025550143;ext=1234567890`],
	])('%s is left out and named in every spelling', (extension, spellings) => {
		for (const written of spelled(spellings)) {
			const number = '+12025550143';
			expect([written, readPhoneNumber(written, '')]).toEqual([written, { number, extension }]);
			expect([written, askEach(written)]).toEqual([written, inEach(number)]);
		}
	});

	test('of a national number is left out, too', () => {
		const asked = { number: '+442079460018', extension: '45' };
		expect(readPhoneNumber('020 7946 0018,,45', 'GB')).toEqual(asked);
	});

	test.each<[answer: Answer, reason: string]>([
		[{ outcome: 'positive', record: {} }, 'extension 5 was left out'],
		[
			{ outcome: 'unknown', record: {}, reason: 'no verdict' },
			'No verdict. Extension 5 was left out.',
		],
	])('is named in the answer: %j', (answer, reason) => {
		const asked = { number: '+12025550143', extension: '5' };
		expect(withNumberAsked(answer, asked)).toEqual({
			...answer,
			reason,
			record: { phoneNumber: '+12025550143', extension: '5' },
		});
	});

	test.each(operations.filter(({ output }) => output.some(({ name }) => name === 'extension')))(
		'has a field in the output of $action',
		({ output }) => {
			expect(output.find(({ name }) => name === 'extension')?.type).toBe('string');
		},
	);
});

describe('the answer', () => {
	test('names the number that was looked up, also when it is negative', () => {
		const answer: Answer = { outcome: 'negative', record: {}, reason: 'no such number' };
		expect(withNumberAsked(answer, { number: '+15550100100' })).toEqual({
			...answer,
			record: { phoneNumber: '+15550100100' },
		});
	});

	test('keeps the number of the service if a national one was sent', () => {
		const answer: Answer = { outcome: 'positive', record: { phoneNumber: '+442079460018' } };
		expect(withNumberAsked(answer, { number: '79460018', country: 'GB' })).toEqual(answer);
	});
});

describe('a number without some of its digits', () => {
	test.each([
		...[
			'0812-3456-78**',
			'030 12345***',
			'030 12345…',
			'030 12345...',
			'030 12345..',
			'030 12345??',
		],
		...['030 12345 ** **', '030 12345xx', '030 12345 XX', '030 12345-__', '(030) ••• 1234567'],
		...['+44 7911 12****', '+44 7911 12345__', '+44 7911 12345••', '+44 7911 12345■■'],
		...['******3210', '***-***-0143', '**** 1234567', '…1234567', '...1234567', 'XXX-XXX-0143'],
		...['*67 202 555 01**', '**12345678', 'https://wa.me/4930123456**'],
	])('is not looked up: %s', (written) => {
		for (const country of ['DE', 'ID', 'US']) {
			const reason = `unknown: Phone Number ("${written}") is cut off or masked. Enter all digits`;
			expect(askEach(written, country)).toEqual(inEach(reason));
		}
	});
});

describe('a short group after a whole number', () => {
	test.each([
		['042-35761234-5', 'PK'],
		['021-5551234-5', 'ID'],
		['06-12345678-9', 'IT'],
		// Their 8 would be a digit of the number
		['8 (495) 123-45-67 (751)', 'RU'],
		['8 (701) 234-56-78 (751)', 'KZ'],
		['+7 (495) 123-45-67 (751)', ''],
		// A rest that makes it longer than any number of the plan, or than usual ones
		['+44 20 7946 0121 55', ''],
		['+442079460121 555', ''],
		['44 20 7946 0121 55', 'GB'],
		['+1 202 555 0143 55', ''],
		['+45 32 12 34 56 12345', ''],
		['+39 06 1234 5678 55', ''],
		// One digit that makes it longer than its kind
		['+86 10 1234 5678 2', ''],
	])('is not read as its digits: %s in %s', (written, country) => {
		const [refused] = Object.values(askEach(written, country));
		expect(refused).toMatch(
			/^unknown: .* may end before its last digits, which may be an extension, a range, another number or other text\. Write \+\d+ if/,
		);
		expect(askEach(written, country)).toEqual(inEach(refused));
	});
});

describe('a sign at the last group of a number', () => {
	test.each([
		['+1 202 555 0143#', ''],
		['+44 7911,123456', ''],
		['+81-3-1234～5678', ''],
		['+49-30-123456#', ''],
	])('makes no extension of it: %s in %s', (written, country) => {
		const [refused] = Object.values(askEach(written, country));
		expect(refused).toMatch(/^unknown: .* which may be an extension or not/);
		expect(askEach(written, country)).toEqual(inEach(refused));
	});
});

describe('links and stray signs', () => {
	test('make a zero in brackets ambiguous that may belong to an Italian number', () => {
		const reason =
			'unknown: Phone Number ("+39 (0)347 1234567") may be +393471234567 or +3903471234567. Write it without brackets';
		expect(askEach('+39 (0)347 1234567', '')).toEqual(inEach(reason));
		expect(askEach('+39 (0)6 698 12345', '')).toEqual(inEach('+390669812345'));
	});
});

describe('a text with several numbers or none', () => {
	test.each<[title: string, written: GenericValue, reason: RegExp]>([
		['a power of ten', '4.42E+11', /scientific notation.*Format the column as text/],
		['a power of ten without a sign', '4.42e11', /scientific notation/],
		['a power of ten without a fraction', '4E+11', /scientific notation/],
		['a power of ten whose plus became a space', '4.42E 11', /scientific notation/],
		['a power of ten as a product', '4.42 × 10^11', /scientific notation/],
		['a JSON number too large to be one', 4.42e21, /scientific notation/],
		['a negative number', '-12025550143', /looks like the result of a calculation/],
		['a negative JSON number', -12025550143, /looks like the result of a calculation/],
		['several, each with a plus', '+442079460018 / +442079460019', /more than one \+/],
		['several, with a semicolon', '2025550143;2025550144', /more than one number/],
		['several, with two commas', '+12025550143,,2025550144', /more than one number/],
		['several, with a bar', '020 7946 0018 | 020 7946 0019', /more than one number/],
		['several, with a word', '2025550143 or 2025550144', /more than one number/],
		...['\n', '\v', '\f', '\r', '\r\n', '\u0085', '\u2028', '\u2029'].map(
			(line): [string, string, RegExp] => [
				`several, on two lines (${JSON.stringify(line)})`,
				`2025550143${line}2025550144`,
				/more than one number/,
			],
		),
		['one within another', '020 7946 +44 20 7946 0018', /digits before its \+/],
		['a range of two with a country code', '+49 30 1234567/68', /has a slash/],
		['an extension alone', 'ext. 12345', /is an extension without its number/],
		['16 digits after a plus', '+1234567890123456', /has too many digits/],
		['more digits than any prefix explains', '442079460123123456789012', /has 24 digits/],
		['no calling code after a plus', '+999 12345678', /doesn't start with a country calling code/],
		['a code before a number', '*67 202 555 0143', /sign of a service code/],
		['a bullet before a number', '*(202) 555-0143', /sign of a service code/],
		['an encoded space', '%200171 1234567', /encoded for a URL/],
		['a narrow column', '########', /cut off or masked/],
		['a calling code before another one', '+49 0043 664 1234567', /has 00 after its country code/],
		['other characters', '+44 20 7946 = 0018', /has characters that phone numbers don't have/],
		['one digit again and again', '000-000-0000', /repeats one digit/],
		['a date of the United States', '12/31/2024', /looks like a date/],
		['a date with dashes', '31-12-2024', /looks like a date/],
		[
			'a calling code at the end',
			'912 345 6789 98+',
			/\+ at the end, so 98 may be its country code/,
		],
		['digits in circles', '①③⑧⓪⓪①③⑧⓪⓪⓪', /has no digits/],
		['an address of IPv4', '192.168.1.1', /looks like a date or an IP address/],
	])('is unknown: %s', (_, written, reason) => {
		for (const country of ['', 'DE']) {
			const unknown = expect.stringMatching(new RegExp(`^unknown: .*(?:${reason.source})`));
			expect(askEach(written, country)).toEqual(inEach(unknown as unknown));
		}
	});

	test.each<[title: string, written: GenericValue, reason: RegExp]>([
		['words', 'not a number', /has no digits/],
		['a lone plus', '+', /has no digits/],
		['an email address', 'name1234@example.com', /looks like an email address/],
		['a code that hides the caller', '*67', /is a network service code/],
		['a date', '26.11.2026', /is a date/],
		['a date in ISO 8601', '2026-11-26', /is a date/],
		['an amount', '1.234.567,89', /is an amount/],
		['an amount with its currency', '$1,234,567.00', /is an amount/],
		['one digit', 7, /is too short for a phone number/],
		['a country code alone', '+44', /is too short for a phone number/],
	])('is certainly no number, so the answer is no: %s', (_, written, reason) => {
		for (const country of ['', 'DE']) {
			const negative = expect.stringMatching(new RegExp(`^negative: .*(?:${reason.source})`));
			expect(askEach(written, country)).toEqual(inEach(negative as unknown));
		}
	});
});

describe('a country that may be Namibia or a missing value', () => {
	test.each(['NA', 'na', ' Na '])('is not guessed: %j', (country) => {
		const reason =
			'unknown: Country ("NA") may be Namibia or a missing value. Write NAM, or leave it empty';
		for (const written of ['061 234 567', '447911123456', '264811234567'])
			expect(askEach(written, country)).toEqual(inEach(reason));
		for (const written of ['+264 81 123 4567', '00264 81 123 4567'])
			expect(askEach(written, country)).toEqual(inEach('+264811234567'));
	});

	test.each(['NAM', 'Namibia', '+264'])('is Namibia as %s', (country) => {
		expect(askEach('081 123 4567', country)).toEqual(inEach('+264811234567'));
	});
});

/** Spellings that are read, with their country and what is looked up. */
const READ: Record<string, Array<[written: GenericValue, country: GenericValue, e164: string]>> = {
	'a trunk 0 after a country code is left out, if it is no digit of the number': [
		['+44 (0)20 7946 0018', '', '+442079460018'],
		['+44(0)2079460018', '', '+442079460018'],
		['+44 (020) 7946 0018', '', '+442079460018'],
		['+44 020 7946 0018', '', '+442079460018'],
		['0044 (0)20 7946 0018', '', '+442079460018'],
		['+7 (0) 912 345-67-89', '', '+79123456789'],
		// These 0s belong to the number
		['+39 (0)6 1234 5678', '', '+390612345678'],
		['+225 (0)7 12 34 56 78', '', '+2250712345678'],
	],
	'a + is read as that of a country code, if nothing else can be meant': [
		['+84 951 234 567', 'RU', '+84951234567'],
		['+45 22222222', 'DK', '+4522222222'],
		['+44 4420794600', '', '+444420794600'],
	],
	'a national number is completed by its country': [
		['44 20 7946 0018', 'GB', '+442079460018'],
		['+020 7946 0018', 'GB', '+442079460018'],
		["'02079460018", 'GB', '+442079460018'],
		['090ー1234ー5678', 'JP', '+819012345678'],
		[2079460018, 'GB', '+442079460018'],
		['(202) 555-0143', 'US', '+12025550143'],
		// Read with the wrong country, it is a number of Illinois
		['13123456789', 'CN', '+8613123456789'],
		['13123456789', 'US', '+13123456789'],
		// Trunk prefixes other than 0
		['8 (912) 345-67-89', 'RU', '+79123456789'],
		['8 (701) 234-56-78', 'KZ', '+77012345678'],
		['06 20 123 4567', 'HU', '+36201234567'],
		// No trunk prefix, though it begins with 0
		['06 1234 5678', 'IT', '+390612345678'],
		['07 12 34 56 78', 'CI', '+2250712345678'],
		// Other digits go with the trunk prefix
		['011 15-2345-6789', 'AR', '+5491123456789'],
		['0 15 11 91234-5678', 'BR', '+5511912345678'],
		['633 1234', 'AS', '+16846331234'],
		// Short plans
		['20-123', 'TO', '+67620123'],
		// 00 leads abroad, although libphonenumber's general pattern of the country has such digits
		['0033 6 12 34 56 78', 'JP', '+33612345678'],
		['0065 9123 4567', 'ID', '+6591234567'],
		['00 123 4567', 'TJ', '+992001234567'],
	],
	'a foreign number may follow the prefix of the country for those': [
		['011-44-20-7946-0018', 1, '+442079460018'],
		['0011 44 20 7946 0018', 'AU', '+442079460018'],
		['810 44 20 7946 0018', 'RU', '+442079460018'],
		['001 44 20 7946 0018', 'HK', '+442079460018'],
	],
	'a national number may have its own calling code': [
		['491713920012', 'DE', '+491713920012'],
		['49 (0) 171 3920012', 'DE', '+491713920012'],
		['393471234567', 'IT', '+393471234567'],
		['81234567890', 'ID', '+6281234567890'],
		['1800 123 4567', 'EC', '+59318001234567'],
		['1800 123 4567', 'IN', '+9118001234567'],
		['22 2345 6789', 'IN', '+912223456789'],
		// Mobiles without a 0, in a country that writes one before fixed lines
		['975-4558277', 'NP', '+9779754558277'],
		['(0xx11) 91234-5678', 'BR', '+5511912345678'],
		['6201234567', 'HU', '+36201234567'],
		['331 123 456', 'IT', '+39331123456'],
		['3311234567', 'IT', '+393311234567'],
		// With the 0 before national numbers, too
		['49 0171 1234567', 'DE', '+491711234567'],
		['4901711234567', 'DE', '+491711234567'],
		// With a 0 in place of 00
		['0971 50 123 4567', 'AE', '+971501234567'],
		// An area code in the first group
		['34 98765 4321', 'BR', '+5534987654321'],
		['0491 713920', 'DE', '+49491713920'],
		['039 1234567', 'IT', '+390391234567'],
	],
	'a number is whole in its plan, however short': [
		['1300 975 707', 'AU', '+611300975707'],
		['4004-1234', 'BR', '+5540041234'],
		['+61 9374 4000', 'AU', '+6193744000'],
		['0443945', 'DE', '+49443945'],
		['23 45 67', 'LU', '+352234567'],
	],
	'bare digits that can only be international are read so': [
		['447911123456', '', '+447911123456'],
		['12025550102', '', '+12025550102'],
		['491713920012', '', '+491713920012'],
	],
	'letters that complete a number are read as the digits of their keys': [
		['+1-800-flowers', '', '+18003569377'],
		['1-800-GOT-JUNK', 'US', '+18004685865'],
		['1 800 4 FLOWER', 'US', '+18004356937'],
		['1300 FLOWER', 'AU', '+611300356937'],
	],
	'a group like the number of a line is read as digits of a number that needs them': [
		['Tel 1 202 555 0143', 'US', '+12025550143'],
		['Tel. 8 912 345-67-89', 'RU', '+79123456789'],
		['Tel 6 12 34 56 78', 'FR', '+33612345678'],
		['06 12 34 56 78.', 'FR', '+33612345678'],
		['44 (20) 7946 0018', 'GB', '+442079460018'],
		['8 (8108) 0888 010 379', 'KZ', '+781080888010379'],
		['9 11 2345 6789', 'AR', '+5491123456789'],
	],
	'a group like hours is read as digits of a number that needs them': [
		['Tel. 06-12 34 56 78', 'NL', '+31612345678'],
		['Tel. 20/12/24/70', 'DK', '+4520122470'],
	],
	'the last group of a number belongs to it': [
		['+49 30 1234567 55', '', '+4930123456755'],
		['+44207946012155', '', '+44207946012155'],
		['030 12345-67', 'DE', '+49301234567'],
		['+49 30 12345-67', '', '+49301234567'],
		['01 12345-67', 'AT', '+4311234567'],
		['0812-345-678', 'ID', '+62812345678'],
		['0812-3456-7890', 'ID', '+6281234567890'],
		['8 029 491-19-11', 'BY', '+375294911911'],
		['06 12 34 56 78 mobile', 'FR', '+33612345678'],
		['00 261 20 22 345 67', '', '+261202234567'],
		['237 88 01 23 45', 'CM', '+23788012345'],
	],
	'an extension after a whole number is left out with its sign': [
		['+44 20 7946 0018 #5', '', '+442079460018'],
		['+44 20 7946 0018,,5', '', '+442079460018'],
		['202.555.0143x5', 'US', '+12025550143'],
		['(202) 555-0143 ~ 12', 'US', '+12025550143'],
	],
	'links and stray signs are left out': [
		['whatsapp://send?phone=12025550143', '', '+12025550143'],
		['https://wa.me/12025550143?text=Hi', '', '+12025550143'],
		['++12025550143', '', '+12025550143'],
		['+ +1 202 555 0143', '', '+12025550143'],
		['# +1 202-555-0143', '', '+12025550143'],
	],
	'labels beside a number are left out': [
		['+44 20 7946 0018 (mobile)', '', '+442079460018'],
		['John Smith: +44 7911 123456 (m)', '', '+447911123456'],
		['CELL 212-796-0890', 'US', '+12127960890'],
		['тел. 8 (912) 345-67-89', 'RU', '+79123456789'],
		// Its own country
		['UK 020 7946 0018', 'GB', '+442079460018'],
		['020 7946 0018 (United Kingdom)', 'GB', '+442079460018'],
		['Canada 604 555 0143', 'US', '+16045550143'],
		// Of an extension
		['8 (912) 345-67-89 доб. 12', 'RU', '+79123456789'],
		['03-1234-5678 内線 12', 'JP', '+81312345678'],
	],
	'groups like those of a date or an IP address are a number, if they are one': [
		['20.30.40.50', 'DK', '+4520304050'],
		['06.12.34.56.78', 'FR', '+33612345678'],
	],
	'footnotes are left out': [
		['030 1234567²', 'DE', '+49301234567'],
		['+49 30 1234567*', '', '+49301234567'],
	],
};

describe.each(Object.entries(READ))('%s', (_, rows) => {
	test.each(rows)('%j in %j is looked up as %s', (written, country, e164) => {
		expect(askEach(written, country)).toEqual(inEach(e164));
	});
});

/** Spellings that cost nothing, by the reason. */
const UNKNOWN: Record<string, Array<[written: string, country: string]>> = {
	'has words or letters that may change which number is meant. Enter the phone number alone, in digits':
		[
			['2O7 946 OO18', 'GB'],
			['0800 123 KONTAKT', 'DE'],
			['1-800-GOT-JUNK2', 'US'],
			// Words in place of digits
			['+44undefined', ''],
			['+49 unbekannt', 'DE'],
			['(212) unknown', 'US'],
			['0171 folgt', 'DE'],
			['020 7946 0018 call after five', 'GB'],
			['+44 20 7946 0018 (John)', ''],
			['+44 20 7946 0018a', ''],
			// With digits
			['06 1234567 (2 linee)', 'IT'],
			['030 1234567 18 Uhr', 'DE'],
			// The name, code or flag of another country
			['UK: 020 7946 0018', 'DE'],
			['CH 079 123 45 67', 'DE'],
			['079 123 45 67 🇨🇭', 'DE'],
			['044 668 18 00 (Schweiz)', 'DE'],
			// A letter of another script in place of a digit
			['+44 7911 12345б', ''],
		],
	'ends in digits that may belong to the words after them. Enter the phone number alone': [
		['06 1234567 2 tel', 'IT'],
		['030 1234567 (2 Mobil)', 'DE'],
	],
	'has what may be the number of a line. Enter the phone number alone': [
		['Tel2 0171 1234567', 'DE'],
		['2 - 030 123456', 'DE'],
		['1 0171 1234567', 'DE'],
		['43 0664 1234567', 'DE'],
		['0664 123456 (2)', 'AT'],
		['+43 664 123456 (2)', ''],
		['1. 0171 1234567', 'DE'],
		['Tel. 2 (11) 2345-6789', 'BR'],
		['2 - (11) 2345-6789', 'BR'],
		['10 9876543210', 'IN'],
		['№1 347 1234567', 'IT'],
	],
	'has what may be hours. Enter the phone number alone': [
		['8 (912) 345-67-89 24/7', 'RU'],
		['01-4567890 24/7', 'NP'],
		['+7 (495) 123-45-67 24/7', ''],
		['Po-Pá 9-17 601 123 456', 'CZ'],
		['Mo-Fr 9-17 030 1234567', 'DE'],
	],
	'has a slash, so it may be several numbers. Enter one number per item': [
		['020 7946 0018 / 020 7946 0019', 'GB'],
		['030/123/45/67/8', '+49'],
		['555-0123/4', 'US'],
	],
	'is an amount. Write a phone number with +': [
		['2,025,550,143.00', 'US'],
		['447,911,123,456.00', 'US'],
		['2.025.550.143,00', 'US'],
	],
	'has a sign of a service code. Enter the phone number alone': [
		['**21*0301234567#', 'DE'],
		['**61*0171123456**20#', 'DE'],
		['*67 202 555 0143', 'DE'],
		['#31#030123456', 'DE'],
	],
};

describe.each(Object.entries(UNKNOWN))('a number is unknown that %s', (reason, rows) => {
	test.each(rows)('%s in %s', (written, country) => {
		const unknown = `unknown: Phone Number ("${written}") ${reason}`;
		expect(askEach(written, country)).toEqual(inEach(unknown));
	});
});

describe('duplicates', () => {
	/** Spellings of one number in each row, and no two rows the same. */
	const NUMBERS: Record<string, Written[]> = {
		'+442079460018': [
			['+442079460018'],
			['+44 20 7946 0018'],
			[442079460018],
			['+44 20 7946 0018 ext. 5'],
			['+44 20 7946 0018²'],
			['020 7946 0018', 'GB'],
			['(020) 7946-0018', 'United Kingdom'],
			['011 44 20 7946 0018', 'US'],
		],
		'+442079460019': [['+442079460019'], ['020 7946 0019', 'GB']],
		'+492079460018': [['020 7946 0018', 'DE'], ['+49 2079 460018']],
		'+8613123456789': [['13123456789', '+86'], ['131 2345 6789', 'China'], ['+86 13123456789']],
		'+13123456789': [['13123456789', '+1'], ['(312) 345-6789', 'USA'], ['+1 312 345 6789']],
		'+79123456789': [['79123456789'], ['+7 912 345-67-89']],
	};

	test.each(Object.entries(NUMBERS))('%s is one lookup in every spelling', (e164, spellings) => {
		const [first] = spellings;
		for (const [number, country] of spellings) {
			expect([number, askEach(number, country)]).toEqual([number, inEach(e164)]);
			expect([number, keysOf([number, country])]).toEqual([number, keysOf(first)]);
		}
	});

	test('are never two different numbers', () => {
		const keys = Object.values(NUMBERS).map(([first]) => keysOf(first));
		for (const [nth, { name }] of LOOKUPS.entries())
			expect([name, new Set(keys.map((each) => each[nth])).size]).toEqual([name, keys.length]);
	});
});
