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
} from '../../../nodes/LookupMessaging/operations/shared/phone/numberingTable';
import { nationalWritings } from '../../../scripts/generate/nationalWritings';
import { NUMBERING_TABLE_FILE } from '../../../scripts/generate/numberingTable';
import { METADATA_SOURCE, readPhoneMetadata } from '../../../scripts/generate/phoneMetadata';

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
