import {
	factsOf,
	isE164OrLocal,
	parseE164OrLocal,
	parseWithCountryCode,
} from '../../sandbox/answers/phoneFacts';

/** One number of each kind, and the words of SPEC §2.2 and §2.1 for it. */
it.each([
	['+61491570006', 'Mobile', 'mobile'],
	['+442079460123', 'Fixed Line', 'landline'],
	['+12025550102', 'Fixed Line or Mobile', 'unknown'],
	['+448081570123', 'Toll-Free', 'unknown'],
	['+449098790123', 'Premium Rate', 'unknown'],
	['+491801234567', 'Shared Cost', 'unknown'],
	['+445612345678', 'VoIP', 'voip'],
	['+447012345678', 'Personal Number', 'unknown'],
	['+447640123456', 'Pager', 'unknown'],
	['+41860123456789', 'Voicemail', 'unknown'],
	['+443069990123', 'Universal Access Number', 'unknown'],
])('%s is a %s, in short %s', (e164, lineType, basicLineType) => {
	const facts = factsOf(parseE164OrLocal(e164)!);
	expect(facts).toMatchObject({ e164, lineType, basicLineType });
});

it('a number has its carrier, place and time zones', () => {
	expect(factsOf(parseE164OrLocal('+61491570006')!)).toMatchObject({
		carrier: 'Telstra',
		location: 'Australia',
		timezones: ['Australia/Sydney'],
	});
	expect(factsOf(parseE164OrLocal('+442079460123')!)).toMatchObject({
		carrier: '',
		location: 'London',
		country: 'GB',
		callingCode: 44,
		national: '020 7946 0123',
		timezones: ['Europe/London'],
	});
});

it('a number of no country has an empty country', () => {
	const facts = factsOf(parseE164OrLocal('+80012345678')!);
	expect(facts).toMatchObject({ country: '', countryName: 'International', callingCode: 800 });
});

/** Spellings that no mode takes: SPEC promises E.164 and a local format, and no formatting of either. */
const LOOSE = [
	...['+44 20 7946 0123', '+44-20-7946-0123', '+44.20.7946.0123', '+44(20)79460123'],
	...['+44/2079460123', '+442079460123 ext. 4', '+442079460123x4', '+442079460123,4'],
	...['tel:+442079460123', 'call +442079460123', '+1800FLOWERS', '00442079460123'],
	...['+00442079460123', '0044 20 7946 0123', ' 442079460123', ' +442079460123', '+442079460123 '],
	...['+442079460123\n', '+ 442079460123', '++442079460123', '+٤٤٢٠٧٩٤٦٠١٢٣'],
	...['\u200e+442079460123', '02079460123', '+44207', '+4420794601234567', '+', ''],
];

describe.each<[string, (text: string, hint?: string) => unknown]>([
	['in detail', parseE164OrLocal],
	['in Family A, strict', (text) => parseWithCountryCode(text, true)],
	['in Family A, not strict', (text) => parseWithCountryCode(text, false)],
])('%s', (_, parse) => {
	it('takes E.164', () => expect(parse('+442079460123')).toMatchObject({ country: 'GB' }));

	it.each(LOOSE)('refuses %j', (text) => expect(parse(text)).toBeUndefined());
});

it.each([
	['02079460123', 'GB', true],
	['02079460123', 'gb', true],
	['2079460123', 'GB', true],
	['0037123456', 'JP', true],
	['+442079460123', 'US', true],
	['+442079460123', 'none', true],
	['02079460123', 'none', false],
	['02079460123', 'XX', false],
	['02079460123', 'GBR', false],
	['02079460123', undefined, false],
	['442079460123', undefined, false],
	['442079460123', 'none', false],
	['020 7946 0123', 'GB', false],
	['020-7946-0123', 'GB', false],
	[' 442079460123', 'GB', false],
	['00442079460123', 'GB', false],
	['011442079460123', 'US', false],
])('a detailed lookup of %j with the country %s: %s', (text, hint, isValid) => {
	expect(parseE164OrLocal(text, hint) !== undefined).toBe(isValid);
});

it('the spellings of strict mode do not depend on whether the number is valid', () => {
	expect(isE164OrLocal('+999999999')).toBe(true);
	expect(isE164OrLocal('123', 'GB')).toBe(true);
	expect(isE164OrLocal('12', 'GB')).toBe(false);
	expect(isE164OrLocal('123')).toBe(false);
});
