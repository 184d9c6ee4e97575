import { readPhoneMetadata } from '../../../scripts/generate/phoneMetadata';

const plans = readPhoneMetadata();
const planOf = (region: string) => {
	const plan = plans.find((each) => each.region === region);
	if (!plan) throw new Error(`There is no plan of ${region}`);
	return plan;
};

describe("libphonenumber's metadata, with names for its places", () => {
	test('has the plans of all regions, and of calling codes without one', () => {
		const regions = plans.map(({ region }) => region);
		const ofNone = plans.filter(({ region }) => region === '001');
		expect(new Set(regions).size).toBeGreaterThan(240);
		expect(regions.filter((region) => !/^(?:[A-Z]{2}|001)$/.test(region))).toEqual([]);
		expect(ofNone.map(({ callingCode }) => callingCode)).toEqual(
			expect.arrayContaining(['800', '808', '870', '883']),
		);
	});

	test.each([
		['1', 'US'],
		['7', 'RU'],
		['39', 'IT'],
		['44', 'GB'],
		['47', 'NO'],
		['61', 'AU'],
		['212', 'MA'],
		['262', 'RE'],
		['590', 'GP'],
		['599', 'CW'],
	])('begins with the main plan of the calling code %s, which is %s', (callingCode, region) => {
		const [main] = plans.filter((each) => each.callingCode === callingCode);
		expect(main.region).toBe(region);
	});

	test.each<[region: string, facts: object]>([
		['US', { callingCode: '1', internationalPrefix: '011', trunkPrefixPattern: '1' }],
		['RU', { callingCode: '7', internationalPrefix: '810', trunkPrefixPattern: '8' }],
		['HU', { callingCode: '36', internationalPrefix: '00', trunkPrefixPattern: '06' }],
		['TO', { callingCode: '676', internationalPrefix: '00', trunkPrefixPattern: '' }],
		['AS', { trunkPrefixPattern: '([267]\\d{6})$|1', transformRule: '684$1' }],
	])('has the dialled prefixes of %s', (region, facts) => {
		expect(planOf(region)).toMatchObject(facts);
	});

	test.each<[region: string, lengths: number[], localLengths: number[]]>([
		['US', [10], [7]],
		['TO', [5, 7], []],
		['FR', [9], []],
	])('has the lengths of numbers of %s, and those inside an area', (region, ...of) => {
		const { lengths, localLengths } = planOf(region).general;
		expect([lengths, localLengths]).toEqual(of);
	});

	test('has an example of each kind that its pattern matches, of a length that it names', () => {
		const kinds = plans.flatMap(({ region, general, types }) =>
			types.map((kind) => ({ region, general, kind })),
		);
		const wrong = kinds.filter(({ general, kind: { pattern, lengths, example } }) => {
			const known = lengths.length > 0 ? lengths : general.lengths;
			return !new RegExp(`^(?:${pattern})$`).test(example) || !known.includes(example.length);
		});
		expect(kinds.length).toBeGreaterThan(480);
		expect(wrong).toEqual([]);
	});

	test.each<[region: string, number: string, prefix: string, isOptional: boolean]>([
		['GB', '7400123456', '0', false],
		['RU', '9123456789', '8', true],
		['HU', '201234567', '06', false],
		['FR', '612345678', '0', false],
		['ES', '612345678', '', false],
		['CN', '13123456789', '', false],
		['CN', '1012345678', '0', true],
		['BR', '11961234567', '', false],
	])('knows how people in %s write %s: with %j', (region, number, ...of) => {
		const rule = planOf(region).writingRules.find(
			({ pattern, leadingDigits }) =>
				new RegExp(`^(?:${pattern})$`).test(number) &&
				new RegExp(`^(?:${leadingDigits})`).test(number),
		);
		expect([rule?.prefix, rule?.isPrefixOptional]).toEqual(of);
	});
});
