/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	isNationalSomewhere,
	NumberingPlan,
	planOfCallingCode,
} from '../../../nodes/LookupMessaging/operations/shared/phone/numberingPlans';
import {
	NATIONAL_WRITINGS,
	REGIONS,
	SHORT,
} from '../../../nodes/LookupMessaging/operations/shared/phone/numberingTable';
import { nationalWritings } from '../../../scripts/generate/nationalWritings';
import { NUMBERING_TABLE_FILE } from '../../../scripts/generate/numberingTable';
import {
	METADATA_SOURCE,
	readPhoneMetadata,
	type RegionMetadata,
} from '../../../scripts/generate/phoneMetadata';

const FILE = join(__dirname, '../../..', NUMBERING_TABLE_FILE);
const MAX_BYTES = 50_000;
const LONGEST = 20;
const FIRST_DIGITS = Array.from({ length: 900 }, (_, index) => String(index + 100));

const metadata = readPhoneMetadata();
const rows = REGIONS.trim().split('\n');
const plans = rows.map((row) => new NumberingPlan(row));

describe('the numbering table', () => {
	test('has at most 50,000 bytes, with the names of countries in their own languages and five more', () => {
		expect(readFileSync(FILE).length).toBeLessThanOrEqual(MAX_BYTES);
	});

	test('names the version of the metadata in its first lines', () => {
		expect(METADATA_SOURCE).toMatch(/^google-libphonenumber \d+\.\d+\.\d+$/);
		expect(readFileSync(FILE, 'utf8').slice(0, 300)).toContain(METADATA_SOURCE);
	});

	test('has a row for each plan, in the order of the metadata', () => {
		const inOrder = (each: { region: string; callingCode: string }) =>
			`${each.region} ${each.callingCode}`;
		expect(plans.map(inOrder)).toEqual(metadata.map(inOrder));
	});

	test('returns every region as it was read', () => {
		expect(plans.map(factsFromTable)).toEqual(metadata.map(factsFromMetadata));
	});

	test('has the area codes of North America that are in use, and no others', () => {
		const [main] = plans;
		const regions = metadata.filter(({ callingCode }) => callingCode === '1');
		const used = regions.flatMap(({ allTypes }) =>
			allTypes.flatMap(({ example }) => (example.length === 10 ? example : [])),
		);
		expect(used.filter((example) => !main.hasNumber(example))).toEqual([]);
		// Of Norway, Singapore and New Zealand without their +; and exchange codes that begin with 0 or 1
		const others = ['4740612345', '4791234567', '6581234567', '6432123456', '2021550123'];
		expect(others.filter((digits) => main.hasNumber(digits))).toEqual([]);
		expect(main.hasNumber('2025550102')).toBe(true);
	});

	test('has the writings of the generator, and no others', () => {
		const found = nationalWritings(metadata);
		expect(Object.keys(NATIONAL_WRITINGS)).toEqual([...found.keys()].map(String));
		const lengths = Array.from({ length: LONGEST - 2 }, (_, index) => index + 3);
		const known = lengths.map((length) => [
			length,
			FIRST_DIGITS.filter((first) => isNationalSomewhere(first.padEnd(length, '0'))),
		]);
		expect(known).toEqual(lengths.map((length) => [length, found.get(length) ?? []]));
	});

	test('has as the first plan of a calling code the one that reads all its numbers', () => {
		for (const { callingCode } of plans) {
			const main = metadata.find((each) => each.callingCode === callingCode);
			expect(planOfCallingCode(callingCode)?.region).toBe(main?.region);
		}
	});
});

/** The number +44 20 7946 0018 after all prefixes for calls abroad that are in use. */
const ABROAD = ['00', '011', '0011', '810', '001', '119', '000', '99', '009', '0', '1', ''].map(
	(prefix) => `${prefix}442079460018`,
);

const examplesOf = ({ general, types }: RegionMetadata) =>
	[general, ...types].flatMap(({ example }) => example || []);
const LENGTHS = Array.from({ length: LONGEST }, (_, index) => index + 1);

function factsFromTable(plan: NumberingPlan, index: number) {
	const { region, callingCode, shortestUsual, longestUsual } = plan;
	const verdictOf = (length: number) => plan.lengthVerdict('9'.repeat(length));
	return {
		...{ region, callingCode, shortestUsual },
		hasUsualLengths: shortestUsual <= longestUsual,
		lengths: LENGTHS.filter((length) => verdictOf(length) === 'possible'),
		localLengths: LENGTHS.filter((length) => verdictOf(length) === 'localOnly'),
		known: probesOf(metadata[index]).filter((number) => plan.hasNumber(number)),
		abroad: ABROAD.map((digits) => plan.afterInternationalPrefix(digits)),
	};
}

function factsFromMetadata(source: RegionMetadata) {
	const { region, callingCode, general, internationalPrefix } = source;
	const prefix = new RegExp(`^(?:${internationalPrefix})`);
	return {
		...{ region, callingCode, shortestUsual: shortestLine(source) },
		hasUsualLengths: true,
		lengths: general.lengths,
		localLengths: general.localLengths.filter((length) => !general.lengths.includes(length)),
		known: probesOf(source).filter((number) => isKnown(source, number)),
		abroad: ABROAD.map((digits) => {
			const rest = internationalPrefix === '' ? digits : digits.replace(prefix, '');
			// No calling code begins with 0
			return rest === digits || rest.startsWith('0') ? undefined : rest;
		}),
	};
}

/** The fewest digits of the examples of fixed lines and mobiles. */
function shortestLine({ region, general, fixedLine, mobile }: RegionMetadata): number {
	const examples = [fixedLine, mobile].map((kind) => kind?.example.length ?? LONGEST);
	return region === '001' ? general.lengths[0] : Math.min(...examples);
}

const WITH_TYPES_AFTER_00 = ['ID', 'JP', 'KR', 'QA'];
/** Plans of calling codes that have no fixed line or mobile shorter than the examples, but other numbers. */
const WITH_SHORT_TYPES = new Set(Object.keys(SHORT));

/** The types are stricter than the general pattern, after 00 and for numbers too short for a fixed line or mobile. */
function isKnown(source: RegionMetadata, number: string): boolean {
	const { general, types, allTypes, region } = source;
	// Its main plan is tested above
	if (region === 'US') return plans[0].hasNumber(number);
	const after00 = WITH_TYPES_AFTER_00.includes(region) ? types : [general];
	const isShort = WITH_SHORT_TYPES.has(region) && number.length < shortestLine(source);
	const kinds = number.startsWith('00') ? after00 : isShort ? allTypes : [general];
	return kinds.some(({ pattern }) => new RegExp(`^(?:${pattern})$`).test(number));
}

/** Numbers of the plan, and others that differ from them in one digit. */
function probesOf(source: RegionMetadata): string[] {
	return examplesOf(source).flatMap((example) => [
		example,
		...[...example].flatMap((_, place) =>
			['0', '9'].map((digit) => example.slice(0, place) + digit + example.slice(place + 1)),
		),
	]);
}
