import { nationalWritings } from '../../../scripts/generate/nationalWritings';
import {
	readPhoneMetadata,
	type NumberKind,
	type RegionMetadata,
	type WritingRule,
} from '../../../scripts/generate/phoneMetadata';

const plans = readPhoneMetadata();

const kind = (pattern: string, example: string): NumberKind => ({
	...{ pattern, example, lengths: [], localLengths: [] },
});
const rule = (of: Partial<WritingRule> = {}): WritingRule => ({
	...{
		pattern: String.raw`(\d{3})(\d{4})`,
		leadingDigits: '',
		prefix: '',
		isPrefixOptional: false,
	},
	...of,
});
const region = (of: Partial<RegionMetadata>): RegionMetadata => ({
	...{ region: 'XX', callingCode: '999', general: kind(String.raw`\d{7}`, '') },
	...{
		types: [],
		internationalPrefix: '',
		trunkPrefixPattern: '',
		transformRule: '',
		writingRules: [],
	},
	...of,
});
/** By length, the first digits of a region's mobile numbers. */
const written = (mobile: NumberKind, ...writingRules: WritingRule[]) =>
	Object.fromEntries(nationalWritings([region({ types: [mobile], writingRules })]));

describe('the national writings', () => {
	const SEVEN = kind(String.raw`5[12]\d{5}`, '5112345');
	const DIGITS = (start: string) => [...'0123456789'].map((digit) => start + digit);
	const PLAIN = { 7: [...DIGITS('51'), ...DIGITS('52')] };

	test('are the numbers themselves, if no rule says how they are written', () => {
		expect(written(SEVEN)).toEqual(PLAIN);
		expect(written(SEVEN, rule())).toEqual(PLAIN);
	});

	test('have the trunk prefix that is written', () => {
		expect(written(SEVEN, rule({ prefix: '8' }))).toEqual({ 8: ['851', '852'] });
	});

	test('are two, if the prefix is optional', () => {
		const rules = rule({ prefix: '8', isPrefixOptional: true });
		expect(written(SEVEN, rules)).toEqual({ ...PLAIN, 8: ['851', '852'] });
	});

	test('are left out with a 0 before them: such digits need no guess', () => {
		expect(written(SEVEN, rule({ prefix: '0' }))).toEqual({});
		const optional = rule({ prefix: '0', isPrefixOptional: true });
		expect(written(SEVEN, optional)).toEqual(PLAIN);
	});

	test('follow the rule of their first digits', () => {
		const rules = [
			rule({ leadingDigits: '51', prefix: '0' }),
			rule({ leadingDigits: '52', prefix: '8' }),
		];
		expect(written(SEVEN, ...rules)).toEqual({ 8: ['852'] });
	});

	test('follow no rule for numbers of another length', () => {
		const rules = rule({ pattern: String.raw`(\d{3})(\d{5})`, prefix: '0' });
		expect(written(SEVEN, rules)).toEqual(PLAIN);
	});

	test('are as long as the example of their kind', () => {
		expect(written(kind(String.raw`5\d{7,8}`, '51234567'))).toEqual({
			8: '0123456789'.split('').flatMap((digit) => DIGITS(`5${digit}`)),
		});
	});

	test('have six digits at least: fewer are no international number', () => {
		expect(written(kind(String.raw`51\d{3}`, '51123'))).toEqual({});
	});

	test('are those of every type, and of no calling code without a country', () => {
		const fixedLine = kind('61[2-4]1234', '6121234');
		expect([...nationalWritings([region({ types: [SEVEN, fixedLine] })])]).toEqual([
			[7, [...PLAIN[7], '612', '613', '614']],
		]);
		expect([...nationalWritings([region({ types: [fixedLine], region: '001' })])]).toEqual([]);
	});
});

describe('the writings of', () => {
	const of = (code: string) => nationalWritings(plans.filter((each) => each.region === code));

	test.each<[title: string, region: string, length: number, prefixes: string[], not: string[]]>([
		['mobiles of China', 'CN', 11, ['131', '138', '199'], ['120', '861']],
		['mobiles of Russia after their 8', 'RU', 11, ['890', '891', '899'], ['791', '812x']],
		['mobiles of Russia without it', 'RU', 10, ['900', '912', '999'], ['801']],
		['ten digits of the USA', 'US', 10, ['202', '312', '989'], ['102', '191']],
		['mobiles of Brazil', 'BR', 11, ['119', '219', '999'], ['111', '551']],
		['fixed lines of Brazil', 'BR', 10, ['112', '213'], ['119']],
		['mobiles of Italy', 'IT', 10, ['333', '347'], ['020', '612']],
		['mobiles of India', 'IN', 10, ['701', '987'], ['012']],
	])('%s are found', (_, region, length, prefixes, not) => {
		const found = of(region).get(length) ?? [];
		expect(prefixes.filter((prefix) => !found.includes(prefix))).toEqual([]);
		expect(not.filter((prefix) => found.includes(prefix))).toEqual([]);
	});

	test.each(['GB', 'DE', 'FR', 'JP', 'NG'])(
		'%s are not found, as each of them begins with a 0',
		(region) => {
			expect([...of(region)]).toEqual([]);
		},
	);

	test('all countries have three digits each, the first no 0, in order and once', () => {
		for (const [length, prefixes] of nationalWritings(plans)) {
			expect(prefixes.filter((prefix) => !/^[1-9]\d\d$/.test(prefix))).toEqual([]);
			expect([length, prefixes]).toEqual([length, [...new Set(prefixes)].sort()]);
		}
	});
});
