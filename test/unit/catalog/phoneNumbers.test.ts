import type { GenericValue } from 'n8n-workflow';
import { type Answer, LOCAL_OUTCOME } from '../../engine';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { countryField } from '../../../nodes/LookupMessaging/operations/shared/phone/country';
import {
	type AskedNumber,
	readPhoneNumber,
} from '../../../nodes/LookupMessaging/operations/shared/phone/phoneNumber';
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

test('an operation about a phone number takes its country in one field, and is among the readers', () => {
	const fieldNames = ({ fields, options = [] }: (typeof operations)[number]) =>
		[...fields, ...options].map(({ name }) => name);
	const asking = operations.filter((each) => fieldNames(each).includes('phoneNumber'));
	for (const { fields } of asking) expect(fields).toContain(countryField);
	expect(operations.filter((each) => fieldNames(each).includes('country'))).toEqual(asking);
	const named = operations.flatMap(fieldNames);
	expect(named.filter((name) => /countryHint|callingCode/i.test(name))).toEqual([]);
	const tested = new Set<unknown>(PHONE_READERS.map(({ operation }) => operation));
	expect(asking.filter((each) => !tested.has(each))).toEqual([]);
});

/** What is looked up, with the country in the field and spellings of it: what no model of test/models/numbers writes. */
const READ: Record<
	string,
	Array<[e164: string, country: GenericValue, spellings: GenericValue]>
> = {
	'with stray signs and words': [
		[
			'+442079460018',
			'',
			`+44•20•7946•0018 | +44·20·7946·0018 | +44_20_7946_0018 | +44 [20] {7946} 0018 |
			+442079460018.00 | home +44 20 7946 0018 | +44 20 7946 0018 (mobile) | +44 20 7946 0018 #5 |
			+44 (0)20 7946 0018 | +44 (020) 7946 0018 | +44 020 7946 0018 | 0044 (0)20 7946 0018`,
		],
		[
			'+447911123456',
			'',
			`John Smith: +44 7911 123456 (m) | plus 44 7911 123456 | * +44 7911 123456`,
		],
		['+447911123456', '', `447911123456+ | \ufe6244 7911 123456 | 44 07911 123456 | 447911 123456`],
		['+12025550143', '', `++12025550143 | + +1 202 555 0143 | # +1 202-555-0143 | *+12025550143*`],
		['+79123456789', '', '+7 (0) 912 345-67-89'],
		['+302101234567', '', '0030 (0)210 1234567'],
		['+49151186697671', 'DE', '0151 18 6697 671'],
		['+302101234567', 'US', '011 30 (0)210 1234567'],
		['+821023456789', 'KR', '0082 (0)10 2345 6789'],
		['+33612345678', 'NL', '\u207a33612345678'],
		// These 0s belong to the number
		['+390612345678', '', '+39 (0)6 1234 5678'],
		['+2250712345678', '', '+225 (0)7 12 34 56 78'],
	],
	'in a link': [
		[
			'+442079460018',
			'',
			`TEL: +44 20 7946 0018 | tel://+442079460018 | tel:+44-20-7946-0018;isub=12345 |
			tel:020-7946-0018;phone-context=+44 | tel:2079460018;phone-context=+44;ext=5 |
			sms:+442079460018?body=Call%201%20back | callto:+442079460018 | tel:+442079460018.0`,
		],
		['+19145558631234', '', 'tel:863-1234;phone-context=+1-914-555'],
		[
			'+12025550143',
			'NL',
			`whatsapp://send?phone=12025550143 | https://wa.me/12025550143?text=Hi | www.wa.me/12025550143 |
			https://web.whatsapp.com/send?phone=12025550143 | api.whatsapp.com/send?phone=12025550143 |
			https://whatsapp.com/12025550143 | https://api.whatsapp.com/send?phone=+1 (202) 555-0143 |
			https://api.whatsapp.com/send?phone=%2B1%20202%20555%200143&text=Hi | 12025550143@c.us |
			https://wa.me/1202-5550143/?text=Hi | 12025550143@s.whatsapp.net`,
		],
	],
	'of an unusual length, for the service to decide': [
		...['+86113812345678', '+1234567', '+155501001', '+44123456789012', '+123456'],
		...['+444420794600', '+44207946012155', '+4930123456755'],
	].map((e164): [string, string, string] => [e164, '', e164]),
	'by its country': [
		[
			'+442079460018',
			'GB',
			`44 20 7946 0018 | +020 7946 0018 | '02079460018 | UK 020 7946 0018 | 44 (20) 7946 0018 |
			020 7946 0018 (United Kingdom)`,
		],
		['+819012345678', 'JP', '090ー1234ー5678'],
		['+81312345678', 'JP', '03-1234-5678 内線 12'],
		['+442079460018', 'GB', 2079460018],
		// Read with the wrong country, it is a number of Illinois
		['+8613123456789', 'CN', '13123456789'],
		['+13123456789', 'US', '13123456789'],
		// Trunk prefixes other than 0
		[
			'+79123456789',
			'RU',
			`8 (912) 345-67-89 | тел. 8 (912) 345-67-89 | 8 (912) 345-67-89 доб. 12`,
		],
		['+77012345678', 'KZ', '8 (701) 234-56-78'],
		['+36201234567', 'HU', `06 20 123 4567 | 6201234567`],
		// No trunk prefix, though it begins with 0
		['+390612345678', 'IT', '06 1234 5678'],
		// Other digits go with the trunk prefix
		['+5491123456789', 'AR', `011 15-2345-6789 | 9 11 2345 6789`],
		['+5511912345678', 'BR', `0 15 11 91234-5678 | (0xx11) 91234-5678`],
		['+16846331234', 'AS', '633 1234'],
		['+16045550143', 'US', 'Canada 604 555 0143'],
		['+12127960890', 'US', 'CELL 212-796-0890'],
		['+12025550143', 'US', `202.555.0143x5 | (202) 555-0143 ~ 12 | Tel 1 202 555 0143`],
		['+33612345678', 'FR', `Tel 6 12 34 56 78 | 06 12 34 56 78. | 06.12.34.56.78`],
		['+492079460018', '49', '020 7946 0018'],
	],
	'that begins with 00 at home, or after 00': [
		['+33612345678', 'JP', '0033 6 12 34 56 78'],
		['+6591234567', 'ID', '0065 9123 4567'],
		['+992001234567', 'TJ', '00 123 4567'],
		['+81003712345678', 'JPN', '0037 12345678'],
		['+59800041234567', 'UY', '0004 123 4567'],
		['+97400800123456', 'QA', '0080 0123456'],
		['+781080888010379', 'KZ', '8 (8108) 0888 010 379'],
		['+442079460018', 1, '011-44-20-7946-0018'],
		['+261202234567', '', '00 261 20 22 345 67'],
		['+212553360918', '', '00212 5533 60918'],
	],
	'with its own calling code or what looks like one': [
		['+491713920012', 'DE', '49 (0) 171 3920012'],
		['+6281234567890', 'ID', '81234567890'],
		['+59318001234567', 'EC', '1800 123 4567'],
		['+912223456789', 'IN', '22 2345 6789'],
		// Mobiles without a 0, in a country that writes one before fixed lines
		['+9779754558277', 'NP', '975-4558277'],
		['+39331123456', 'IT', '331 123 456'],
		['+491711234567', 'DE', `49 0171 1234567 | 4901711234567`],
		['+971501234567', 'AE', '0971 50 123 4567'],
		['+5534987654321', 'BR', '34 98765 4321'],
		['+49491713920', 'DE', '0491 713920'],
		['+390391234567', 'IT', '039 1234567'],
		['+23788012345', 'CM', '237 88 01 23 45'],
		// A + is that of a country code, if nothing else can be meant
		['+84951234567', 'RU', '+84 951 234 567'],
	],
	'that is whole in its plan, however short': [
		['+611300975707', 'AU', '1300 975 707'],
		['+61131234', 'AU', '13 12 34'],
		['+5540041234', 'BR', '4004-1234'],
		['+49443945', 'DE', '0443945'],
		['+491234567', 'DE', '01234567²'],
		['+4315880123', 'AT', '(01) 5880123'],
	],
	'in bare digits that can only be international': [
		...['447911123456', '12025550102', '491713920012'],
	].map((digits): [string, string, string] => [`+${digits}`, '', digits]),
	'in letters that stand for the digits of their keys': [
		['+18003569377', '', '+1-800-flowers'],
		['+18004685865', 'US', '1-800-GOT-JUNK'],
		['+18004356937', 'US', '1 800 4 FLOWER'],
		['+611300356937', 'AU', '1300 FLOWER'],
	],
	'with groups that look like hours, a date or several': [
		['+31612345678', 'NL', 'Tel. 06-12 34 56 78'],
		['+4520122470', 'DK', 'Tel. 20/12/24/70'],
		['+4520304050', 'DK', '20.30.40.50'],
		['+79123451217', 'RU', '8 912 345 12-17'],
		['+49301234567', 'DE', `030 12345-67 | 030 1234567² | +49 30 1234567*`],
		['+4311234567', 'AT', '01 12345-67'],
		['+62812345678', 'ID', '0812-345-678'],
		['+375294911911', 'BY', '8 029 491-19-11'],
		['+4620123723', '', '+46 20/12/37/23'],
	],
};

describe.each(Object.entries(READ))('A number %s', (_, rows) => {
	test.each(rows)('is looked up as %s with the country %j: %s', (e164, country, spellings) => {
		for (const written of spelled(spellings))
			expect([written, askEach(written, country)]).toEqual([written, inEach(e164)]);
	});
});

/** What is unknown and costs nothing, by the reason, a regular expression: with the country in the field and the texts. */
const UNKNOWN: Record<string, Array<[country: GenericValue, texts: GenericValue]>> = {
	'may be \\+74951234567 or \\+84951234567\\. Write its country code after': [
		['RU', '+8 (495) 123-45-67'],
	],
	'may be \\+74951234567 or \\+84951234567\\.': [['', '+8 (495) 123-45-67']],
	'may be \\+919876543210 or \\+9876543210\\.': [['IN', '+98765 43210']],
	'has its country code twice\\. Write \\+\\d+ if that is': [
		['', `+966 966501234567 | +49 0049 171 1234567 | +47 0047 412 34 567`],
	],
	'repeats one digit, as texts in place of a missing number do\\. Write': [
		['', `+1 000 000 0000 | 000-000-0000`],
	],
	'may end before .* another number': [['US', '(202) 555-0143 (202) 555-0144']],
	'contains more than one number': [
		['US', '555-0142 555-0143'],
		['+1', '555 0142 555 0143'],
		['DE', `5550142 5550143 | 443945 443946`],
		['', `+12025550143,,2025550144 | 020 7946 0018|020 7946 0019 | 2025550143 or 2025550144`],
		['GB', '020 7946 0018, 0019'],
		['', '+49 30 1234567; 68'],
	],
	"can't be read without its country\\. Set Country, or write it with \\+ and its country code": [
		...[undefined, null, '', ' ', 'none', 'None'].map((country): [GenericValue, string] => [
			country,
			`020 7946 0018 | +020 7946 0018 | 030/1234567 | (0) 7911 123456`,
		]),
		// No number of Egypt, none of North America, and no calling code
		['', `2025550102 | 11912345678 | 5550102 | 999123456789`],
	],
	// 00 or Australia's 0011
	'may be \\+16561234567, or \\+6561234567\\. Set Country': [
		['', `0011 65 6123 4567 | 001165 6123 4567 | 00116561234567 | 001 65 6123 4567`],
	],
	'may be \\+\\d+, or a national number of another country\\. Set Country, or': [
		// A mobile of China, one of India, a line of Moscow
		['', `13123456789 | 6591234567 | 84951234567 | 510-8271-4496 | (731) 6529 9659 | 202 24916259`],
	],
	"isn't recognized as a country\\. Use .*GB": [['Atlantis', '020 7946 0018']],
	'is cut off or masked\\. Enter all digits': [
		[
			'DE',
			`0812-3456-78** | 030 12345*** | 030 12345… | 030 12345... | 030 12345.. | 030 12345?? |
			030 12345 ** ** | 030 12345xx | 030 12345 XX | 030 12345-__ | (030) ••• 1234567 |
			+44 7911 12**** | +44 7911 12345__ | +44 7911 12345•• | +44 7911 12345■■ | ******3210 |
			***-***-0143 | **** 1234567 | …1234567 | ...1234567 | XXX-XXX-0143 | *67 202 555 01** |
			**12345678 | https://wa.me/4930123456** | ########`,
		],
	],
	'may end before its last digits, which may be an extension, a range, another number or other text\\. Write \\+\\d+ if':
		[
			['PK', '042-35761234-5'],
			['ID', '021-5551234-5'],
			['IT', '06-12345678-9'],
			// Their 8 would be a digit of the number
			['RU', '8 (495) 123-45-67 (751)'],
			// A rest that makes it longer than any number of the plan, than usual ones, or than its kind
			[
				'GB',
				`+44 20 7946 0121 55 | +442079460121 555 | 44 20 7946 0121 55 | +1 202 555 0143 55 |
				+45 32 12 34 56 12345 | +39 06 1234 5678 55 | +86 10 1234 5678 2 | +7 (495) 123-45-67 (751)`,
			],
		],
	'which may be an extension or not': [
		['', `+1 202 555 0143# | +44 7911,123456 | +81-3-1234～5678 | +49-30-123456#`],
	],
	'may be \\+393471234567 or \\+3903471234567\\. Write it without brackets': [
		['', `+39 (0)347 1234567 | 0039 (0)347 1234567`],
	],
	'scientific notation.*Format the column as text': [
		['', `4.42E+11 | 4.42e11 | 4E+11 | 4.42E 11 | 4.42 × 10^11`],
		['', 4.42e21],
	],
	'looks like the result of a calculation': [
		['', '-12025550143'],
		['', -12025550143],
	],
	'more than one \\+': [['', `+442079460018 / +442079460019`]],
	'digits before its \\+': [['', '020 7946 +44 20 7946 0018']],
	'is an extension without its number': [['', 'ext. 12345']],
	'has too many digits': [['', '+1234567890123456']],
	'has 24 digits': [['', '442079460123123456789012']],
	"doesn't start with a country calling code": [['', `+999 12345678`]],
	'sign of a service code\\. Enter the phone number alone': [
		[
			'DE',
			`*67 202 555 0143 | *(202) 555-0143 | **21*0301234567# | **61*0171123456**20# |
			#31#030123456`,
		],
	],
	'encoded for a URL': [['', '%200171 1234567']],
	'has 00 after its country code': [['', '+49 0043 664 1234567']],
	"has characters that phone numbers don't have": [['', '+44 20 7946 = 0018']],
	'looks like a date': [['', `12/31/2024 | 31-12-2024 | 192.168.1.1`]],
	'\\+ at the end, so 98 may be its country code': [['', '912 345 6789 98+']],
	'has no digits': [['', '①③⑧⓪⓪①③⑧⓪⓪⓪']],
	'looks like an email address': [
		['', `+44 7911 123456 ada@example.com | sip:+447911123456@example.com`],
	],
	'is a link': [['US', `https://x.com/ada/status/2025550123 | https://wa.link/7911123456`]],
	'has words or letters that may change which number is meant\\. Enter the phone number alone, in digits':
		[
			['GB', `2O7 946 OO18 | 020 7946 0018 call after five`],
			['US', `1-800-GOT-JUNK2 | (212) unknown`],
			['IT', '06 1234567 (2 linee)'],
			[
				'DE',
				`0800 123 KONTAKT | +49 unbekannt | 0171 folgt | 030 1234567 18 Uhr | UK: 020 7946 0018 |
				CH 079 123 45 67 | 079 123 45 67 🇨🇭 | 044 668 18 00 (Schweiz)`,
			],
			// A letter of another script in place of a digit
			['', `+44undefined | +44 20 7946 0018 (John) | +44 20 7946 0018a | +44 7911 12345б`],
		],
	'ends in digits that may belong to the words after them\\. Enter the phone number alone': [
		['IT', '06 1234567 2 tel'],
		['DE', '030 1234567 (2 Mobil)'],
	],
	'has what may be the number of a line\\. Enter the phone number alone': [
		[
			'DE',
			`Tel2 0171 1234567 | 2 - 030 123456 | 1 0171 1234567 | 43 0664 1234567 | 1. 0171 1234567`,
		],
		['AT', `0664 123456 (2) | +43 664 123456 (2)`],
		['BR', `Tel. 2 (11) 2345-6789 | 2 - (11) 2345-6789`],
		['IN', '10 9876543210'],
		['IT', '№1 347 1234567'],
	],
	'has what may be hours\\. Enter the phone number alone': [
		['RU', `8 (912) 345-67-89 24/7 | +7 (495) 123-45-67 24/7`],
		['NP', '01-4567890 24/7'],
		['CZ', 'Po-Pá 9-17 601 123 456'],
		['DE', 'Mo-Fr 9-17 030 1234567'],
	],
	'has a slash, so it may be several numbers\\. Enter one number per item': [
		['GB', '020 7946 0018 / 020 7946 0019'],
		['+49', '030/123/45/67/8'],
		['US', '555-0123/4'],
		['DE', '040/5420/6465'],
		['', '+49 30 1234567/68'],
	],
	'is an amount\\. Write a phone number with \\+': [
		['US', `2,025,550,143.00 | 447,911,123,456.00 | 2.025.550.143,00`],
	],
	'Country \\("NA"\\) may be Namibia or a missing value\\. Write NAM, or leave it empty': [
		['NA', `061 234 567 | 447911123456 | 264811234567`],
		[' na ', '061 234 567'],
	],
};

describe.each(Object.entries(UNKNOWN))('A text is not looked up that %s', (reason, rows) => {
	test.each(rows)('with the country %j: %s', (country, texts) => {
		const unknown = expect.stringMatching(new RegExp(`^unknown: .*${reason}`)) as unknown;
		for (const written of spelled(texts))
			expect([written, askEach(written, country)]).toEqual([written, inEach(unknown)]);
	});
});

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
	['525585790444', 'ES', '+525585790444 or a wrong number in ES'],
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
	['97 150 1234567', 'ID', '+971501234567 or a wrong number in ID'],
	['994401234567', 'KP', '+994401234567 or a wrong number in KP'],
	['12025550143', 'CN', '+12025550143 or a wrong number in CN'],
])('%s in %s is not guessed, since it may be %s', (written, country, either) => {
	const reason = `unknown: Phone Number ("${written}") may be ${either}. Write it with + and its country code`;
	expect(askEach(written, country)).toEqual(inEach(reason));
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

test.each<[extension: string, spellings: string]>([
	[
		'5',
		`+1 202 555 0143 ext. 5 | +1 202 555 0143 ext 5 | +1 202 555 0143 Extension: 5 |
		+1 202 555 0143 x5 | +1 202 555 0143 #5 | +1 202 555 0143,,5 | +1 202 555 0143, ext. 5 |
		+1 202 555 0143;5 | +1 202 555 0143 доб. 5 | +1 202 555 0143 anexo 5 | (202) 555-0143,,5 |
		+1 202 555 0143 extensión 5 | +1 202 555 0143 int. 5 | +1 202 555 0143 ｅｘｔ．５ |
		tel:+1-202-555-0143;ext=5`,
	],
	['105', `+12025550143x105`],
	['12', `+1 202 555 0143 - 12# | +1 202 555 0143~12`],
	['1234567', `+1 202 555 0143 x1234567`],
	['1234567890', `tel:+12025550143;ext=1234567890`],
])('The extension %s is left out and named in every spelling.', (extension, spellings) => {
	for (const written of spelled(spellings)) {
		const asked = { number: '+12025550143', extension };
		expect([written, readPhoneNumber(written, 'US')]).toEqual([written, asked]);
	}
});

const NUMBER = { phoneNumber: '+442079460018' };
test.each<[asked: AskedNumber, answer: Answer, named: Partial<Answer>]>([
	[
		{ number: NUMBER.phoneNumber },
		{ outcome: 'negative', record: {}, reason: 'no such number' },
		{ record: NUMBER },
	],
	[
		{ number: NUMBER.phoneNumber, extension: '5' },
		{ outcome: 'positive', record: {} },
		{ record: { ...NUMBER, extension: '5' }, reason: 'extension 5 was left out' },
	],
	[
		{ number: NUMBER.phoneNumber, extension: '5' },
		{ outcome: 'unknown', record: {}, reason: 'no verdict' },
		{ record: { ...NUMBER, extension: '5' }, reason: 'No verdict. Extension 5 was left out.' },
	],
	// The service has completed a national number
	[{ number: '79460018', country: 'GB' }, { outcome: 'positive', record: NUMBER }, {}],
])('The answer about %j names it: %j', (asked, answer, named) => {
	expect(withNumberAsked(answer, asked)).toEqual({ ...answer, ...named });
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
])('%s is certainly no number, so the answer is no', (_, written, reason) => {
	for (const country of ['', 'DE']) {
		const negative = expect.stringMatching(new RegExp(`^negative: .*(?:${reason.source})`));
		expect(askEach(written, country)).toEqual(inEach(negative as unknown));
	}
});

test.each(['NAM', 'Namibia', '+264'])(
	'The country of 081 123 4567 is Namibia as %s.',
	(country) => {
		expect(askEach('081 123 4567', country)).toEqual(inEach('+264811234567'));
	},
);

test('Two numbers never share a key, in any operation.', () => {
	const numbers = ['+442079460018', '+442079460019', '+13123456789', '+8613123456789'];
	const keys = numbers.map((number) => keysOf([number]));
	for (const [nth, { name }] of LOOKUPS.entries())
		expect([name, new Set(keys.map((each) => each[nth])).size]).toEqual([name, numbers.length]);
});
