import { nationalWritings } from '../../../scripts/generate/nationalWritings';
import { readPhoneMetadata, type WritingRule } from '../../../scripts/generate/phoneMetadata';

const plans = readPhoneMetadata();
const SEVEN_DIGITS = String.raw`(\d{3})(\d{4})`;

describe('the national writings', () => {
	/** By length, the first digits of a region's mobile numbers, which are those of a calling code without rules of its own. */
	const written = (...rules: Array<Partial<WritingRule>>) => {
		const kind = { pattern: String.raw`5[12]\d{5}`, example: '5112345' };
		const plain = { pattern: SEVEN_DIGITS, leadingDigits: '', prefix: '', isPrefixOptional: false };
		const mobile = { ...kind, lengths: [], localLengths: [] };
		const writingRules = rules.map((rule) => ({ ...plain, ...rule }));
		return Object.fromEntries(
			nationalWritings([{ ...plans[0], region: 'XX', types: [mobile], writingRules }]),
		);
	};
	const PLAIN = { 7: ['51', '52'].flatMap((start) => [...'0123456789'].map((n) => start + n)) };

	test('follow the rules of a region, for its first digits and its lengths', () => {
		expect(written()).toEqual(PLAIN);
		expect(written({ prefix: '8' })).toEqual({ 8: ['851', '852'] });
		expect(written({ prefix: '8', isPrefixOptional: true })).toEqual({
			...{ ...PLAIN, 8: ['851', '852'] },
		});
		expect(written({ prefix: '0' })).toEqual({});
		const [first, second] = ['51', '52'].map((leadingDigits) => ({ leadingDigits }));
		expect(written({ ...first, prefix: '0' }, { ...second, prefix: '8' })).toEqual({ 8: ['852'] });
		expect(written({ pattern: String.raw`(\d{3})(\d{5})`, prefix: '0' })).toEqual(PLAIN);
	});

	test.each<[title: string, region: string, length: number, prefixes: string[], not: string[]]>([
		['mobiles of China', 'CN', 11, ['131', '138', '199'], ['120', '861']],
		['mobiles of Russia after their 8', 'RU', 11, ['890', '891', '899'], ['791', '812x']],
		['ten digits of the USA', 'US', 10, ['202', '312', '989'], ['102', '191']],
		['fixed lines of Brazil', 'BR', 10, ['112', '213'], ['119']],
	])('contain the %s', (_, region, length, prefixes, not) => {
		const found =
			nationalWritings(plans.filter((each) => each.region === region)).get(length) ?? [];
		expect(prefixes.filter((prefix) => !found.includes(prefix))).toEqual([]);
		expect(not.filter((prefix) => found.includes(prefix))).toEqual([]);
	});
});
