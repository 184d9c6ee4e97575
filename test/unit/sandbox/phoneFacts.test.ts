import { factsOf, parseE164OrLocal, parseWithCountryCode } from '../../sandbox/answers/phoneFacts';

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

it('knows carrier, place and time zones', () => {
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

it('keeps the country empty for numbers of no country', () => {
	const facts = factsOf(parseE164OrLocal('+80012345678')!);
	expect(facts).toMatchObject({ country: '', countryName: 'International', callingCode: 800 });
});

it.each([
	['020 7946 0123', 'GB', true],
	['020 7946 0123', 'gb', true],
	['020 7946 0123', 'none', false],
	['020 7946 0123', 'XX', false],
	['020 7946 0123', undefined, false],
	['442079460123', undefined, false],
	['00442079460123', undefined, false],
	['+44 (20) 7946-0123', undefined, true],
	[' 442079460123', 'GB', false],
	['+442079460123 ext. 4', undefined, false],
	['call +442079460123', undefined, false],
])('in detail, %j with the hint %s: %s', (text, hint, isValid) => {
	expect(parseE164OrLocal(text, hint) !== undefined).toBe(isValid);
});

it.each([
	['+442079460123', true],
	['442079460123', true],
	['0044 20 7946 0123', true],
	['44 (20) 7946.0123', true],
	['+00442079460123', false],
	['02079460123', false],
	[' 442079460123', false],
	['+ 442079460123', false],
])('in Family A, %j: %s', (text, isValid) => {
	expect(parseWithCountryCode(text) !== undefined).toBe(isValid);
});
