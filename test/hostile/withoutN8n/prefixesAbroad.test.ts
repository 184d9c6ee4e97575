import { isFullRun } from '../fullRun';
import { expand, setOf, type DigitSets } from '../../../scripts/generate/digitPatterns';
import { readPhoneMetadata } from '../../../scripts/generate/phoneMetadata';
import { EXAMPLES } from '../../models/numbers/knownNumbers';
import { internationalFormat, readByLibphonenumber, REGIONS } from '../../models/numbers/oracle';
import { PHONE_READERS } from '../../models/numbers/phoneReaders';
import { validNumbers } from '../../models/numbers/writings';

/** Numbers with the prefix that a country dials for calls abroad, read without Country, and with 00 in every country. */

const ONE_IN = isFullRun ? 13 : 23;
const MAX_MS = 600_000;

/** All texts of a sequence of digit sets. */
const textsOf = (sets: DigitSets): string[] =>
	sets.reduce(
		(texts, set) => {
			const digits = [...'0123456789'].filter((digit) => set & setOf(digit));
			return texts.flatMap((text) => digits.map((digit) => text + digit));
		},
		[''],
	);

/** The prefixes of all countries, with their carriers. */
const PREFIXES = [
	...new Set(
		readPhoneMetadata().flatMap(({ internationalPrefix }) =>
			expand(internationalPrefix).flatMap(textsOf),
		),
	),
].filter((prefix) => prefix !== '');
/** Canada's of seven digits cannot be dialled from abroad. */
const isCallable = ({ e164 }: { e164: string }) => !/^\+1\d{7}$/.test(e164);
const NUMBERS = validNumbers(1).filter(isCallable);

/** Countries with numbers of their own that begin with 00. */
const WITH_00 = new Set(['ID', 'JP', 'KR', 'QA', 'TH', 'TJ', 'UY']);

const readingOf = (text: string, index: number, country?: string) => {
	const asked = PHONE_READERS[index % PHONE_READERS.length].read(text, country);
	return 'local' in asked ? undefined : asked.number;
};

test('the prefixes are those of Australia, of carriers, and of all other countries', () => {
	expect(PREFIXES).toEqual(
		expect.arrayContaining(['00', '0011', '001', '002', '011', '010', '810']),
	);
	expect(PREFIXES.length).toBeGreaterThan(120);
	expect(PREFIXES.filter((prefix) => !/^\d+$/.test(prefix))).toEqual([]);
});

test(
	'a number after any prefix is read as that number, or not at all',
	() => {
		const astray: unknown[] = [];
		for (const [index, prefix] of PREFIXES.entries()) {
			for (const [nth, { e164 }] of NUMBERS.entries()) {
				if ((index + nth) % ONE_IN !== 0) continue;
				const digits = e164.slice(1);
				for (const text of [`${prefix}${digits}`, `${prefix} ${digits}`, `${prefix}-${digits}`]) {
					const read = readingOf(text, nth);
					if (read !== undefined && read !== e164) astray.push({ text, e164, read });
				}
			}
		}
		expect(astray).toEqual([]);
	},
	MAX_MS,
);

test('a number in groups after 00 is read, also where people dial other prefixes', () => {
	const unread = NUMBERS.filter(
		({ e164 }, index) => readingOf(`00 ${e164.slice(1)}`, index) !== e164,
	);
	expect(unread).toEqual([]);
	expect(readingOf('0044 20 7946 0018', 0)).toBe('+442079460018');
	expect(readingOf('00212 5533 60918', 0)).toBe('+212553360918');
	expect(readingOf('0011 65 6123 4567', 0)).toBeUndefined();
	expect(readingOf('001165 6123 4567', 0)).toBeUndefined();
	expect(readingOf('00116561234567', 0)).toBeUndefined();
	expect(readingOf('001 65 6123 4567', 0)).toBeUndefined();
});

/** With the 0 that people keep after the calling code, where it's no digit of the number. */
function withTrunkZero(e164: string, callingCode: string): string[] {
	const kept = `${callingCode}0${e164.slice(1 + callingCode.length)}`;
	return readByLibphonenumber(`+${kept}`)?.e164 === e164 ? [`00${kept}`] : [];
}

test(
	'a number after 00 is read as that number in every country, or not at all',
	() => {
		const astray: unknown[] = [];
		const read = new Set<string>();
		for (const [index, country] of REGIONS.entries()) {
			for (const [nth, { e164, callingCode }] of EXAMPLES.filter(isCallable).entries()) {
				if ((index + nth) % ONE_IN !== 0 && !WITH_00.has(country)) continue;
				const grouped = internationalFormat(e164).replace('+', '00');
				for (const text of [`00${e164.slice(1)}`, grouped, ...withTrunkZero(e164, callingCode)]) {
					const number = readingOf(text, nth, country);
					if (number === e164) read.add(country);
					else if (number !== undefined) astray.push({ text, country, e164, number });
				}
			}
		}
		expect(astray).toEqual([]);
		expect(read.size).toBe(REGIONS.length);
	},
	MAX_MS,
);
