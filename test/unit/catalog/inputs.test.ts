/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { isIP } from 'node:net';

import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import {
	getCountries,
	getCountryCallingCode,
	parsePhoneNumberFromString,
	type CountryCode,
	type PhoneNumber,
} from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json';
import type { GenericValue } from 'n8n-workflow';
import {
	isLocalAnswer,
	LOCAL_OUTCOME,
	type LocalAnswer,
	type Params,
} from '../../../nodes/LookupMessaging/engine/operation';
import { lookUpCallerId } from '../../../nodes/LookupMessaging/operations/callerId/lookUp';
import { verifyEmail } from '../../../nodes/LookupMessaging/operations/email/verify';
import { locateIp } from '../../../nodes/LookupMessaging/operations/geoIp/locate';
import { validatePhone } from '../../../nodes/LookupMessaging/operations/phone/validate';
import { checkWhatsAppNumber } from '../../../nodes/LookupMessaging/operations/whatsApp/checkNumber';

type Prepared = LocalAnswer | { sent: unknown };

/** What an operation makes of an item's parameters: the local answer, or the one value it sends. */
function prepared(operation: typeof validatePhone, given: Params): Prepared {
	const question = operation.prepare(given);
	if (isLocalAnswer(question)) return question;
	const { body, query } = operation.request(question);
	return { sent: Object.values(body ?? query ?? {})[0] };
}

const detailed = (phoneNumber: GenericValue) => prepared(validatePhone, { phoneNumber });
const basic = (phoneNumber: GenericValue, defaultCallingCode?: GenericValue) =>
	prepared(validatePhone, { phoneNumber, responseDetail: 'basic', defaultCallingCode });
const email = (value: GenericValue) => prepared(verifyEmail, { email: value });
const ip = (value: GenericValue) => prepared(locateIp, { ipAddress: value });

const said = (answer: Prepared) => ('local' in answer ? answer.local : 'sent');

/** What holds nothing that a lookup could be about. */
const NOTHING: Array<[title: string, value: GenericValue]> = [
	['null', null],
	['undefined', undefined],
	['an empty text', ''],
	['spaces', ' \t\r\n '],
	['no-break spaces', '\u00a0\u3000'],
	['invisible marks', '\u200b\ufeff\u202a\u202c\u061c\u2060\u00ad'],
	['joiners, variation selectors and control characters', '\u200c\u200d\ufe0f\u0000\u0007'],
	['an empty list', []],
];

/** What no field of any lookup can make sense of. */
const NO_TEXT: Array<[title: string, value: GenericValue, reason: RegExp]> = [
	['a list', ['+442079460123'], /^is a list; .*Split Out/],
	['a list of nothing', [''], /^is a list/],
	['an object', { number: '+442079460123' }, /^is an object/],
	['true', true, /^is true or false/],
	['false', false, /^is true or false/],
	['half a character', '+4420794\ud83d60123', /^holds half a character/],
	['the other half', 'n\ude00@example.com', /^holds half a character/],
];

describe.each([
	['Phone Number', detailed],
	['Phone Number', (value: GenericValue) => basic(value, '+44')],
	['Phone Number', (value: GenericValue) => prepared(lookUpCallerId, { phoneNumber: value })],
	['Phone Number', (value: GenericValue) => prepared(checkWhatsAppNumber, { phoneNumber: value })],
	['Email', email],
	['IP Address', ip],
])('%s, as field %#', (field, read) => {
	test.each(NOTHING)('calls %s empty, which is unknown and not a no', (_, value) => {
		expect(read(value)).toEqual({ local: 'empty', field, reason: 'is empty' });
		expect(LOCAL_OUTCOME.empty).toBe('unknown');
	});

	test.each(NO_TEXT)('answers %s locally, and says so', (_, value, reason) => {
		const matching: unknown = expect.stringMatching(reason);
		expect(read(value)).toEqual({ local: 'malformed', field, reason: matching });
	});
});

describe('a phone number', () => {
	test.each<[title: string, given: GenericValue, sent: string]>([
		['as it is', '+442079460123', '+442079460123'],
		['with brackets and dashes', '+1 (555) 010-0100', '+1 (555) 010-0100'],
		['as a JSON number', 442079460123, '442079460123'],
		['with space around it', ' \t+44 20 7946 0123\r\n', '+44 20 7946 0123'],
		['after 00', '00442079460123', '+442079460123'],
		['after 00 and a space', '00 44 20 7946 0123', '+44 20 7946 0123'],
		['after 00 and a dash', '00-44-20-7946-0123', '+44-20-7946-0123'],
		['after 00 in brackets', '(00) 44 20 7946 0123', '+44 20 7946 0123'],
		['after 0011', '0011442079460123', '+442079460123'],
		['after 0011 and a space', '0011 44 20 7946 0123', '+44 20 7946 0123'],
		['after 0011 in brackets', '(0011) 44-20-7946-0123', '+44-20-7946-0123'],
		['with a trunk zero in brackets', '+44 (0)20 7946 0123', '+44 (0)20 7946 0123'],
		['in full-width digits', '＋４４２０７９４６０１２３', '+442079460123'],
		['in Arabic-Indic digits', '+٤٤٢٠٧٩٤٦٠١٢٣', '+442079460123'],
		['in Persian digits', '۰۰۴۴۲۰۷۹۴۶۰۱۲۳', '+442079460123'],
		['in Devanagari digits', '+४४ २० ७९४६ ०१२३', '+44 20 7946 0123'],
		['with no-break spaces', '+44\u00a020\u20077946\u202f0123', '+44 20 7946 0123'],
		['between direction marks', '\u202a+442079460123\u202c', '+442079460123'],
		['after an Arabic letter mark', '\u061c+442079460123', '+442079460123'],
		['with zero-width spaces inside', '+44\u200b20\u200b79460123', '+442079460123'],
		['as a spreadsheet writes it', '442079460123.0', '442079460123'],
		['as a spreadsheet writes it, in cents', '+442079460123.00', '+442079460123'],
		['as a link', 'tel:+44-20-7946-0123', '+44-20-7946-0123'],
		['as a link in capitals', 'TEL: 442079460123', '442079460123'],
		['with an extension', '+44 20 7946 0123 ext. 45', '+44 20 7946 0123 ext. 45'],
		['with an extension by x', '+1 202 555 0102x105', '+1 202 555 0102x105'],
		['as a link with an extension', 'tel:+12025550102;ext=1234567', '+12025550102;ext=1234567'],
		['with a pause', '+12025550102,,1234567', '+12025550102,,1234567'],
		['with dots', '020.7946.0123', '020.7946.0123'],
		['with one dot before zeros', '555.0000', '555.0000'],
		['with a slash', '030/1234567', '030/1234567'],
		['in letters', '+1 800 FLOWERS', '+1 800 FLOWERS'],
		['as a short code', '911', '911'],
		['of the longest kind, written out', '00 49 1512345678901234', '+49 1512345678901234'],
	])('goes through %s', (_, given, sent) => {
		expect(detailed(given)).toEqual({ sent });
	});

	test.each<[title: string, given: GenericValue, reason: RegExp]>([
		['in scientific notation', '4.42E+11', /scientific notation.*format the column as text/],
		['in scientific notation, in full', '4.42079460123e+11', /scientific notation/],
		['in scientific notation after a plus', '+4.42E+11', /scientific notation/],
		['in scientific notation with a decimal comma', '4,42E+11', /scientific notation/],
		['in scientific notation without a sign', '4.42e11', /scientific notation/],
		['in scientific notation without a fraction', '4E+11', /scientific notation/],
		['in scientific notation with a three-digit exponent', '4.42E+011', /scientific notation/],
		['in scientific notation with spaces', '4.42 E +11', /scientific notation/],
		['in scientific notation whose plus became a space', '4.42E 11', /scientific notation/],
		['in scientific notation in full-width letters', '４.４２Ｅ＋１１', /scientific notation/],
		['as a power of ten', '4.42 × 10^11', /scientific notation/],
		['as a power of ten in superscript', '4,42·10¹¹', /scientific notation/],
		['as a JSON number too large to be one', 4.42e21, /scientific notation/],
		['as no number', Number.NaN, /has no digits/],
		['in words', 'not a number', /has no digits/],
		['as a lone plus', '+', /has no digits/],
		['as an empty link', 'tel:', /has no digits/],
		['that is an email address', 'name1234@example.com', /email address/],
		['twice, each with a plus', '+442079460123 / +442079460124', /more than one \+/],
		['twice, with a semicolon', '2025550102;2025550103', /more than one number/],
		['twice, with a comma', '5550102, 5550103', /more than one number/],
		['twice, with a slash', '020 7946 0123 / 020 7946 0124', /more than one number/],
		['twice, with a word', '5550102 or 5550103', /more than one number/],
		['twice, on two lines', '5550102\n5550103', /more than one number/],
		['with too many digits', '+44207946012312345678901', /has 23 digits/],
		['too short for a country code', '+12345', /too short/],
		['too short for a country code after 00', '004420', /too short/],
		['too short for anything', '12', /too short/],
	])('is refused %s', (_, given, reason) => {
		for (const answer of [detailed(given), basic(given, '44')]) {
			const matching: unknown = expect.stringMatching(reason);
			expect(answer).toEqual({ local: 'malformed', field: 'Phone Number', reason: matching });
		}
	});

	test('is read in the digits of every numbering system of Unicode', () => {
		const zeros = Array.from({ length: 0x20000 }, (_, code) => code)
			.filter((code) => code < 0xd800 || code > 0xdfff)
			.map((code) => String.fromCodePoint(code))
			.filter((text) => /^\p{Nd}$/u.test(text))
			.filter((_, index) => index % 10 === 0);
		const systems = Intl.supportedValuesOf('numberingSystem')
			.map((system) => [...new Intl.NumberFormat(`en-u-nu-${system}`).format(0)])
			.filter(([zero, more]) => more === undefined && /\p{Nd}/u.test(zero))
			.map(([zero]) => zero);
		expect(zeros).toEqual(expect.arrayContaining(systems));
		for (const zero of zeros) {
			const digit = (value: string) => String.fromCodePoint(zero.codePointAt(0)! + Number(value));
			expect(detailed('+442079460183'.replace(/\d/g, digit))).toEqual({ sent: '+442079460183' });
		}
	});
});

describe('a national number', () => {
	test.each<[given: GenericValue, callingCode: GenericValue, sent: string]>([
		['020 7946 0123', '+44', '+442079460123'],
		['(020) 7946-0123', '44', '+442079460123'],
		['020/7946 0123', 44, '+442079460123'],
		["'02079460123", ' 0044 ', '+442079460123'],
		['０２０７９４６０１２３', '+ 44', '+442079460123'],
		['06 1234 5678', '+39', '+390612345678'],
		['0549 886377', '378', '+3780549886377'],
		['07 12 34 56 78', '225', '+2250712345678'],
		['06 03 12 34', '241', '+24106031234'],
		['06 1 234 5678', '36', '+3612345678'],
		['06 20 123 4567', '+36', '+36201234567'],
		['(202) 555-0102', '+1', '+12025550102'],
		['202.555.0102', '1', '+12025550102'],
		['020 7946 0123 ext. 45', '44', '+442079460123ext45'],
		['020 7946 0123,,45', '44', '+442079460123,,45'],
		['011 44 20 7946 0123', '+1', '+442079460123'],
		['011-49-30-123456', 1, '+4930123456'],
		['020•7946•0123', '44', '+442079460123'],
	])('%p with the calling code %p is sent as %s', (given, callingCode, sent) => {
		expect(basic(given, callingCode)).toEqual({ sent });
		expect(
			prepared(checkWhatsAppNumber, { phoneNumber: given, defaultCallingCode: callingCode }),
		).toEqual({ sent });
		const detail = { phoneNumber: given, defaultCallingCode: callingCode };
		expect(prepared(validatePhone, detail)).toEqual({ sent });
		expect(prepared(lookUpCallerId, detail)).toEqual({ sent });
	});

	test('is left to the Country Hint where there is one', () => {
		const given = { phoneNumber: '020 7946 0123', defaultCallingCode: '49' };
		expect(prepared(validatePhone, { ...given, countryHint: 'GB' })).toEqual({
			sent: '020 7946 0123',
		});
		for (const countryHint of ['', 'none', null]) {
			expect(prepared(validatePhone, { ...given, countryHint })).toEqual({
				sent: '+492079460123',
			});
		}
	});

	test('is no foreign one after 011 where the calling code is another', () => {
		expect(basic('011 44 20 7946', '39')).toEqual({ sent: '+3901144207946' });
		expect(basic('011 44 20 7946', '49')).toEqual({ sent: '+491144207946' });
	});

	test.each(['911', '12345', '1-23-45', '(123) 45', 12345])(
		'is malformed with fewer than six digits where the country code is needed: %p',
		(given) => {
			const malformed = {
				local: 'malformed',
				field: 'Phone Number',
				reason: expect.stringMatching(/too short for a phone number with its country code/),
			};
			expect(basic(given)).toEqual(malformed);
			expect(prepared(checkWhatsAppNumber, { phoneNumber: given })).toEqual(malformed);
			const caller = { phoneNumber: given, responseDetail: 'basic' };
			expect(prepared(lookUpCallerId, caller)).toEqual(malformed);
			expect(detailed(given)).toEqual({ sent: String(given) });
		},
	);

	test.each(['123456', '123 456', 123456])('goes through with six digits: %p', (given) => {
		expect(basic(given)).toEqual({ sent: String(given) });
	});

	test.each<[given: GenericValue, callingCode: GenericValue]>([
		['+442079460123', '+49'],
		['442079460123', '+49'],
		['1-202-555-0102', '+1'],
		['(202) 555-0102', ''],
		['102 555 0102', '+1'],
	])('%p is not taken for national, with the calling code %p', (given, callingCode) => {
		expect(basic(given, callingCode)).toEqual({ sent: given });
	});

	test.each([undefined, null, '', ' ', '+'])(
		'is incomplete, not malformed, with the calling code %p where the endpoint needs one',
		(callingCode) => {
			for (const operation of [validatePhone, lookUpCallerId, checkWhatsAppNumber]) {
				const given = {
					phoneNumber: '020 7946 0123',
					responseDetail: 'basic',
					defaultCallingCode: callingCode,
				};
				expect(operation.prepare(given)).toEqual({
					local: 'incomplete',
					field: 'Phone Number',
					reason: expect.stringMatching(/has no country code; .*Default Calling Code/),
				});
			}
		},
	);

	test.each(['DE', '+1684', '0', '+0', '049', 'x', '4 9', {}, [49, 1], true, 4.9, -49])(
		'is not asked with the calling code %p, and no other number either',
		(callingCode) => {
			for (const number of ['020 7946 0123', '+442079460123']) {
				expect(basic(number, callingCode)).toEqual({
					local: 'parameter',
					field: 'Default Calling Code',
					reason: expect.stringMatching(/is no country calling code/),
				});
			}
		},
	);

	test('goes through without a calling code where the service can read it', () => {
		expect(detailed('020 7946 0123')).toEqual({ sent: '020 7946 0123' });
		expect(prepared(lookUpCallerId, { phoneNumber: '020 7946 0123' })).toEqual({
			sent: '020 7946 0123',
		});
	});
});

describe('the Country Hint', () => {
	const hinted = (countryHint: GenericValue, responseDetail = 'detailed') => {
		const question = validatePhone.prepare({
			phoneNumber: '020 7946 0123',
			countryHint,
			responseDetail,
			defaultCallingCode: '44',
		});
		return isLocalAnswer(question) ? question : validatePhone.request(question).body?.country_code;
	};

	test.each([
		['GB', 'GB'],
		[' gb ', 'GB'],
		['uk', 'GB'],
		['el', 'GR'],
		['none', undefined],
		['', undefined],
		[null, undefined],
		[undefined, undefined],
	])('%p is sent as %p', (hint, sent) => {
		expect(hinted(hint)).toBe(sent);
	});

	test.each(['GBR', '44', 44, 'Great Britain', 'G', 'G1', {}, true])('%p is refused', (hint) => {
		expect(hinted(hint)).toMatchObject({ local: 'parameter', field: 'Country Hint' });
	});

	test('does not matter to Basic, which has none', () => {
		expect(hinted('Great Britain', 'basic')).toBeUndefined();
	});
});

/** Column of a country in the numbering metadata that holds its kinds of numbers, each a pattern first. */
const KINDS = 11;
const NUMBERS_PER_KIND = 3;
const SEED = 20;

/** Valid numbers of a country: its example, and some of every kind that its plan knows. */
function numbersOf(country: CountryCode): PhoneNumber[] {
	const plan = metadata.countries[country] as unknown[];
	const kinds = ((plan[KINDS] ?? []) as Array<[pattern: string] | 0>)
		.flatMap((kind) => (kind === 0 ? [] : [kind[0]]))
		.filter((pattern) => pattern);
	const random = kinds.flatMap((pattern) =>
		fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), {
			numRuns: NUMBERS_PER_KIND,
			seed: SEED,
		}),
	);
	const example = (examples as Record<string, string>)[country];
	return [example, ...random]
		.map((national) => parsePhoneNumberFromString(national, country))
		.filter((number) => number !== undefined)
		.filter((number) => number.isValid());
}

/**
 * National numbers that the default calling code cannot complete: Argentina's mobiles move a 15 behind the area code to a
 * 9 before it; Rwanda's satellite numbers keep their 0 while all its others drop it; Gabon's numbers of the plan before 2019
 * drop theirs while today's keep it.
 */
const isException = ({ country, nationalNumber }: PhoneNumber, national: string) =>
	(country === 'AR' && /\b15\b/.test(national)) ||
	(country === 'RW' && national.startsWith('06')) ||
	(country === 'GA' && !nationalNumber.startsWith('0')) ||
	// Read as an international prefix: toll-free numbers of nine countries
	/^\D*0\D*0/.test(national);

const countries = getCountries().map((country) => ({ country, numbers: numbersOf(country) }));

describe('a valid number of any country', () => {
	test('is at hand for every country, of several kinds', () => {
		expect(countries.length).toBeGreaterThan(240);
		expect(countries.filter(({ numbers }) => numbers.length === 0)).toEqual([]);
		const total = countries.reduce((sum, { numbers }) => sum + numbers.length, 0);
		expect(total).toBeGreaterThan(countries.length * 5);
	});

	test('goes through in every international spelling, and stays the same number', () => {
		const astray = countries.flatMap(({ country, numbers }) =>
			numbers.flatMap((number) => {
				const e164 = number.number;
				const spellings = [
					e164,
					number.formatInternational(),
					number.format('RFC3966'),
					e164.replace('+', '00'),
					`(${e164.slice(0, 4)}) ${e164.slice(4)}`,
				];
				return spellings
					.flatMap((spelling) => [detailed(spelling), basic(spelling, '+49')])
					.map((answer) => ('sent' in answer ? String(answer.sent) : answer.reason))
					.filter((sent) => sent.replace(/[^+\d]/g, '') !== e164)
					.map((sent) => ({ country, e164, sent }));
			}),
		);
		expect(astray).toEqual([]);
	});

	test('goes through in bare digits, as text and as a JSON number', () => {
		const astray = countries
			.flatMap(({ numbers }) => numbers.map(({ number }) => number.slice(1)))
			.filter((digits) => Number.isSafeInteger(Number(digits)))
			.flatMap((digits) => [digits, Number(digits)])
			.filter((given) => String((basic(given) as { sent?: unknown }).sent) !== String(given));
		expect(astray).toEqual([]);
	});

	test('goes through in its national spelling where the service can read it', () => {
		const refused = countries.flatMap(({ country, numbers }) =>
			numbers
				.map((number) => number.formatNational())
				.filter((national) => said(detailed(national)) !== 'sent')
				.map((national) => ({ country, national })),
		);
		expect(refused).toEqual([]);
	});

	test('is completed by its calling code when its national spelling starts with 0', () => {
		const national = countries
			.flatMap(({ country, numbers }) => numbers.map((number) => ({ country, number })))
			.map(({ country, number }) => ({ country, number, text: number.formatNational() }))
			.filter(({ number, text }) => /^\D*0/.test(text) && !isException(number, text));
		expect(national.length).toBeGreaterThan(1000);
		const unanswerable = national.filter(({ text }) => said(basic(text, '')) !== 'incomplete');
		expect(unanswerable).toEqual([]);
		const astray = national
			.map((entry) => ({ ...entry, to: basic(entry.text, getCountryCallingCode(entry.country)) }))
			.filter(({ number, to }) => !('sent' in to && to.sent === number.number))
			.map(({ country, number, text, to }) => ({ country, text, to, number: number.number }));
		expect(astray).toEqual([]);
	});
});

describe('an email address', () => {
	test.each([
		'name@example.com',
		'first.last+tag@example.co.uk',
		"o'brien@example.com",
		'!#$%&*+/=?^_`{|}~-@example.com',
		'"quoted part"@example.com',
		'"with @ and , and <>"@example.com',
		String.raw`"with \" inside"@example.com`,
		'.leading.dot@example.com',
		'trailing.dot.@example.com',
		'two..dots@example.com',
		`${'a'.repeat(65)}@example.com`,
		'name@localhost',
		'name@xn--mller-kva.example',
		'name@müller.example',
		'имя@пример.рф',
		'用户@例子.公司',
		'name@[192.0.2.1]',
		'name@[IPv6:2001:db8::1]',
		'name@192.0.2.1',
		'name@sub_domain.example.com',
		'name@a-b--c.example',
		'1@1.example',
		`name@${'a'.repeat(63)}.example`,
		'NAME@EXAMPLE.COM',
	])('%s goes through as it is', (address) => {
		expect(email(address)).toEqual({ sent: address });
		expect(email(` \u200b${address}\u00a0\n`)).toEqual({ sent: address });
	});

	test.each([
		['mailto:name@example.com', 'name@example.com'],
		['MAILTO:Name@Example.com', 'Name@Example.com'],
		['name＠example.com', 'name@example.com'],
		['mailto:name＠example.com', 'name@example.com'],
	])('%s is taken for %s', (given, sent) => {
		expect(email(given)).toEqual({ sent });
	});

	test('has at most 500 characters', () => {
		const domain = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example`;
		const of = (length: number) => `${'n'.repeat(length - domain.length - 1)}@${domain}`;
		expect(email(of(500))).toEqual({ sent: of(500) });
		expect(email(of(501))).toEqual({
			local: 'malformed',
			field: 'Email',
			reason: expect.stringMatching(/longer than any email address/),
		});
	});

	test.each<[given: GenericValue, reason: RegExp]>([
		['name', /has no @/],
		['mailto:', /has no @/],
		['na\u00a0me@example.com', /before the @/],
		['na\u2003me@example.com', /before the @/],
		['na\u3000me@example.com', /before the @/],
		['na\u2028me@example.com', /before the @/],
		['na\tme@example.com', /before the @/],
		['na\nme@example.com', /before the @/],
		[12345, /has no @/],
		['@example.com', /nothing before the @/],
		['name@', /nothing after the @/],
		['@', /nothing before/],
		['Name <name@example.com>', /name beside the address/],
		['<name@example.com>', /name beside the address/],
		['"Name" <name@example.com>', /before the @/],
		['name@example.com, other@example.com', /more than one address/],
		['name@example.com;other@example.com', /more than one address/],
		['name@example.com other@example.com', /more than one address/],
		['first last@example.com', /only allowed in quotes/],
		['a@b@example.com', /only allowed in quotes/],
		['name(comment)@example.com', /only allowed in quotes/],
		['na,me@example.com', /only allowed in quotes/],
		['na:me@example.com', /only allowed in quotes/],
		['na[me]@example.com', /only allowed in quotes/],
		['"open@example.com', /only allowed in quotes/],
		['name@exam ple.com', /no valid domain/],
		['name@example..com', /no valid domain/],
		['name@.example.com', /no valid domain/],
		['name@example.com.', /no valid domain/],
		['name@-example.com', /no valid domain/],
		['name@example-.com', /no valid domain/],
		['name@example.com,', /no valid domain/],
		['name@example!.com', /no valid domain/],
		['name@[192.0.2.1', /no valid domain/],
		['name@[]', /no valid domain/],
		[`name@${'a'.repeat(64)}.com`, /no valid domain/],
		[`name@${'a.'.repeat(127)}com`, /no valid domain/],
	])('%p is refused', (address, reason) => {
		const matching: unknown = expect.stringMatching(reason);
		expect(email(address)).toEqual({ local: 'malformed', field: 'Email', reason: matching });
	});

	test('of any shape that RFC 5322 allows goes through', () => {
		fc.assert(
			fc.property(fc.emailAddress(), (address) => said(email(address)) === 'sent'),
			{ seed: SEED, numRuns: 500 },
		);
	});

	test('is quoted in short when it is long', () => {
		expect(email('x'.repeat(1000))).toMatchObject({ reason: expect.stringMatching(/^.{50,90}$/) });
	});
});

/** Range, its last address, and the addresses just outside it on both sides ('' where the range is at the edge). */
const RESERVED: Array<[first: string, last: string, before: string, after: string]> = [
	['0.0.0.0', '0.255.255.255', '', '1.0.0.0'],
	['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
	['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
	['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
	['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
	['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
	['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
	['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
	['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
	['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
	['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
	['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
	['224.0.0.0', '239.255.255.255', '223.255.255.255', ''],
	['240.0.0.0', '255.255.255.255', '', ''],
	['::', '::1', '', '::2'],
	['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '64:ff9b::808:808', '64:ff9b:2::'],
	['100::', '100::ffff:ffff:ffff:ffff', 'ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '100:0:0:1::'],
	['2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff', '2001:1:ffff:ffff::', '2001:2:1::'],
	[
		'2001:db8::',
		'2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
		'2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
		'2001:db9::',
	],
	['3fff::', '3fff:fff:ffff:ffff::1', '3ffe:ffff:ffff:ffff::1', '3fff:1000::'],
	['5f00::', '5f00:ffff:ffff::1', '5eff:ffff:ffff::1', '5f01::'],
	['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fbff:ffff::', 'fe00::'],
	['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe7f:ffff::', ''],
	['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', ''],
	['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', ''],
];

describe('an IP address', () => {
	test.each([
		'8.8.8.8',
		'1.0.0.0',
		'223.255.255.255',
		'2001:4860:4860::8888',
		'2001:4860:4860:0:0:0:0:8888',
		'2001:4860:4860:0000:0000:0000:0000:8888',
		'2001:4860:4860:0:0::8888',
		'2606:4700:4700::',
		'2606:4700:4700:1:2:3:4::',
		'2606:4700:4700:1:2:3:4:5',
		'2001:4860:4860::8.8.8.8',
		'64:ff9b::8.8.8.8',
		'::ffff:8.8.8.8',
		'::FFFF:808:808',
		'0:0:0:0:0:ffff:8.8.8.8',
		'2A00:1450:4001:ABCD::200E',
	])('%s goes through, with brackets and space around it too', (address) => {
		expect(isIP(address)).not.toBe(0);
		for (const spelling of [address, ` ${address}\n`, `[${address}]`, `\ufeff${address}`]) {
			expect(ip(spelling)).toEqual({ sent: address });
		}
	});

	test('loses its zone, which says nothing about its place', () => {
		expect(ip('2001:4860:4860::8888%eth0')).toEqual({ sent: '2001:4860:4860::8888' });
		expect(ip('[2001:4860:4860::8888%25en1]')).toEqual({ sent: '2001:4860:4860::8888' });
		expect(said(ip('fe80::1%eth0'))).toBe('reserved');
	});

	test.each<[given: GenericValue, reason: RegExp]>([
		['8.8.8', /is not an IPv4 or IPv6 address/],
		['8.8.8.8.8', /is not/],
		['8.8.8.256', /is not/],
		['8.8.8.08', /is not/],
		['010.8.8.8', /is not/],
		['0x8.8.8.8', /is not/],
		['8.8.8.', /is not/],
		['8.8.8.-8', /is not/],
		['8.8.8.8%eth0', /is not/],
		['8.8.8.8:443', /is not/],
		['8.8.8.0/24', /is not/],
		['8,8,8,8', /more than one/],
		[134744072, /is not/],
		['[2001:4860:4860::8888]:443', /is not/],
		['[8.8.8.8', /is not/],
		['8.8.8.8, 9.9.9.9', /more than one address/],
		['8.8.8.8 9.9.9.9', /more than one address/],
		['8.8.8.8;9.9.9.9', /more than one address/],
		['2001::4860::8888', /is not/],
		['2001:4860:4860:8888', /is not/],
		['1:2:3:4:5:6:7:8:9', /is not/],
		['1:2:3:4:5:6:7:8::', /is not/],
		[':1:2:3:4:5:6:7', /is not/],
		['1:2:3:4:5:6:7:', /is not/],
		[':::', /is not/],
		[':', /is not/],
		['12345::', /is not/],
		['g::', /is not/],
		['::8.8.8', /is not/],
		['8.8.8.8::', /is not/],
		['::8.8.8.8:1', /is not/],
		['2001:4860:4860::8888%', /is not/],
		['localhost', /is not/],
		['example.com', /is not/],
	])('%p is refused', (address, reason) => {
		const matching: unknown = expect.stringMatching(reason);
		expect(ip(address)).toEqual({ local: 'malformed', field: 'IP Address', reason: matching });
	});

	test.each(RESERVED)(
		'from %s to %s is answered as reserved, and its neighbours are asked about',
		(first, last, before, after) => {
			for (const address of [first, last]) {
				expect([address, ip(address)]).toEqual([
					address,
					{ local: 'reserved', field: 'IP Address', reason: expect.stringMatching(/no location$/) },
				]);
				if (!address.includes(':')) expect(said(ip(`::ffff:${address}`))).toBe('reserved');
			}
			for (const address of [before, after].filter((text) => text !== '')) {
				expect([address, said(ip(address))]).toEqual([address, 'sent']);
			}
		},
	);

	const spellings = fc.oneof(
		fc.ipV4(),
		fc.ipV4Extended(),
		fc.ipV6(),
		fc.stringMatching(/^[0-9]{1,3}(\.[0-9]{1,3}){2,4}$/),
		fc.stringMatching(/^[0-9a-f]{0,5}(:[0-9a-f]{0,4}){1,9}$/),
		fc.stringMatching(/^([0-9a-f]{1,4}:){0,7}:[0-9a-f]{0,4}(:[0-9a-f]{1,4}){0,3}$/),
		fc.stringMatching(/^(::|::ffff:|1:2:3:4:5:6:)[0-9]{1,3}(\.[0-9]{1,3}){3}$/),
	);

	test('is one exactly when Node takes it for one', () => {
		fc.assert(
			fc.property(spellings, (text) => {
				expect([text, said(ip(text)) !== 'malformed']).toEqual([text, isIP(text) !== 0]);
			}),
			{ seed: SEED, numRuns: 5000 },
		);
	});
});

describe('equal questions', () => {
	type Case = [title: string, operation: typeof validatePhone, one: Params, other: Params];

	/** What the plan compares: the request for the canonical question. */
	const keyOf = (operation: typeof validatePhone, given: Params) => {
		const question = operation.prepare(given);
		if (isLocalAnswer(question)) throw new Error(question.reason);
		return operation.request(operation.canonical!(question));
	};
	const phone = (phoneNumber: GenericValue, more: Params = {}): Params => ({
		phoneNumber,
		...more,
	});
	const mail = (address: string): Params => ({ email: address });
	const place = (ipAddress: string, responseDetail = 'detailed'): Params => ({
		ipAddress,
		responseDetail,
	});
	const BASIC = { responseDetail: 'basic' };

	test.each<Case>([
		['formatting', validatePhone, phone('+44 20 7946 0123'), phone('+44 (20) 7946-0123')],
		['dashes', validatePhone, phone('+44–20–7946–0123'), phone('+44.20.7946.0123')],
		['00 and +', validatePhone, phone('0044 20 7946 0123'), phone('+442079460123')],
		['0011 and +', validatePhone, phone('0011 44 20 7946 0123'), phone('+442079460123')],
		['minus signs', validatePhone, phone('+44\u221220\u22127946 0123'), phone('+442079460123')],
		['brackets', validatePhone, phone('+44 [20] {7946} 0123'), phone('+442079460123')],
		[
			'011 and +, with +1',
			checkWhatsAppNumber,
			phone('011 44 20 7946 0123', { defaultCallingCode: '1' }),
			phone('+442079460123'),
		],
		[
			'completed and complete numbers of Detailed',
			validatePhone,
			phone('020 7946 0123', { defaultCallingCode: '44' }),
			phone('+442079460123'),
		],
		['mailto:', verifyEmail, mail('mailto:name@example.com'), mail('name@example.com')],
		['a full-width @', verifyEmail, mail('name＠example.com'), mail('name@example.com')],
		['scripts', validatePhone, phone('+٤٤٢٠٧٩٤٦٠١٢٣'), phone('+442079460123')],
		['text and number', validatePhone, phone(442079460123), phone('442079460123')],
		['a link', validatePhone, phone('tel:+44-20-7946-0123'), phone('+442079460123')],
		['letters', validatePhone, phone('+1 800 FLOWERS'), phone('+1-800-flowers')],
		[
			'spellings of a hint',
			validatePhone,
			phone('020 7946 0123', { countryHint: 'uk' }),
			phone('02079460123', { countryHint: 'GB' }),
		],
		[
			'hints to Basic, which are not sent',
			validatePhone,
			phone('+442079460123', { ...BASIC, countryHint: 'GB' }),
			phone('+442079460123', BASIC),
		],
		[
			'completed and complete numbers',
			checkWhatsAppNumber,
			phone('020 7946 0123', { defaultCallingCode: '+44' }),
			phone('+44 20 7946 0123'),
		],
		['caller IDs', lookUpCallerId, phone('+44 20 7946 0123'), phone('+442079460123')],
		['the case of a domain', verifyEmail, mail('Name@EXAMPLE.com'), mail('Name@example.COM')],
		['IPv6 spellings', locateIp, place('2001:4860:4860:0::8888'), place('2001:4860:4860::8888')],
		['the case of IPv6', locateIp, place('2A00:1450::ABCD'), place('[2a00:1450::abcd]')],
		['mapped IPv4', locateIp, place('::ffff:8.8.8.8'), place('8.8.8.8')],
		['mapped IPv4 in hex', locateIp, place('::ffff:808:808'), place('8.8.8.8')],
		['zones', locateIp, place('2001:4860::1%eth0'), place('2001:4860::1')],
	])('are recognized despite their %s', (_, operation, one, other) => {
		expect(keyOf(operation, one)).toEqual(keyOf(operation, other));
	});

	test.each<Case>([
		['+ and bare digits', validatePhone, phone('+4930123456'), phone('4930123456')],
		['national and international', validatePhone, phone('030123456'), phone('+4930123456')],
		['hints', validatePhone, phone('030123456', { countryHint: 'DE' }), phone('030123456')],
		[
			'different hints',
			validatePhone,
			phone('030123456', { countryHint: 'DE' }),
			phone('030123456', { countryHint: 'AT' }),
		],
		['detail', validatePhone, phone('+442079460123'), phone('+442079460123', BASIC)],
		['detail of a caller', lookUpCallerId, phone('+4930123456'), phone('+4930123456', BASIC)],
		['detail of a place', locateIp, place('8.8.8.8'), place('8.8.8.8', 'basic')],
		['extensions', validatePhone, phone('+12025550102 x5'), phone('+12025550102')],
		['extension signs', validatePhone, phone('+1 202 555 010 #2'), phone('+12025550102')],
		['pauses', validatePhone, phone('+1202555010,,2'), phone('+12025550102')],
		['slashes', validatePhone, phone('+4930/123456'), phone('+4930123456')],
		['backslashes', validatePhone, phone('+4930\\123456'), phone('+4930123456')],
		['inner quotes', validatePhone, phone('+4930"123456"'), phone('+4930123456')],
		['bullets', validatePhone, phone('+49•30•123456'), phone('+4930123456')],
		['middle dots', validatePhone, phone('+49·30·123456'), phone('+4930123456')],
		['underscores', validatePhone, phone('+49_30_123456'), phone('+4930123456')],
		['slashes on WhatsApp', checkWhatsAppNumber, phone('+4930/1234'), phone('+49301234')],
		['words in any script', validatePhone, phone('+1202555010 доб. 2'), phone('+12025550102')],
		['the case of a local part', verifyEmail, mail('Name@example.com'), mail('name@example.com')],
		['dots of a local part', verifyEmail, mail('n.ame@example.com'), mail('name@example.com')],
		['tags of a local part', verifyEmail, mail('name+a@example.com'), mail('name@example.com')],
		['an @ in quotes', verifyEmail, mail('"A@B"@example.com'), mail('"A@b"@example.com')],
		['IPv4 and compatible IPv6', locateIp, place('::8.8.8.8'), place('8.8.8.8')],
		['addresses', locateIp, place('2001:4860::1'), place('2001:4860:1::')],
	])('are kept apart by their %s', (_, operation, one, other) => {
		expect(keyOf(operation, one)).not.toEqual(keyOf(operation, other));
	});
});
