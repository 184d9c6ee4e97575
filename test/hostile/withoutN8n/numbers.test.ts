import { KNOWN_NUMBERS, randomDigits } from '../../models/numbers/knownNumbers';
import {
	callingCodeOf,
	matchesPlan,
	NETWORK_CODES,
	readByLibphonenumber,
	REGIONS,
} from '../../models/numbers/oracle';
import { PHONE_READERS } from '../../models/numbers/phoneReaders';
import { ALL_PREFIXES, READ, REFUSED, UNCLEAR, type Writing } from '../../models/numbers/writings';
import { isFullRun } from '../fullRun';

/**
 * Numbers of every kind in every country, in all ways that people write them: each is looked up as itself or not at all. The numbers
 * and their formats are those of google-libphonenumber.
 */

/** Of the numbers, one in so many. */
const ONE_IN = isFullRun ? 1 : 11;
const NUMBERS = KNOWN_NUMBERS.filter((_, index) => index % ONE_IN === 0);
/** Of the writings that are read as a rule, the least percentage that is. */
const NEARLY_ALL = isFullRun ? 98.5 : 96;

/** What is sent in E.164 by one of the readers, with the key of the lookup. A national number is as good as none. */
function ask({ phoneNumber, country }: Writing, turn: number) {
	const reader = PHONE_READERS[turn % PHONE_READERS.length];
	// NA also stands for a missing value
	const asked = reader.read(phoneNumber, country === 'NA' ? 'NAM' : country);
	if ('local' in asked) return undefined;
	const { number, hint, key } = asked;
	const isInE164 = hint === undefined && /^\+\d{6,15}$/.test(number);
	const isNational = reader.takesNational && /^\d+$/.test(number) && /^[A-Z]{2}$/.test(hint ?? '');
	if (!isInE164 && !isNational) throw new Error(`${reader.name} sends ${number} ${hint}`);
	if (!isInE164) return undefined;
	const same = reader.read(number);
	// A message is no lookup: it never shares an answer
	const isShared = reader.name.includes('Message') || ('key' in same && same.key === key);
	return { number, isShared };
}

/** How the writings of all numbers are read. */
function tally(write: (typeof READ)[string]) {
	const tally = { all: 0, read: 0, refused: [] as Writing[], apart: [] as Writing[] };
	const others: Array<Writing & { e164: string; number: string }> = [];
	for (const [index, known] of NUMBERS.entries()) {
		for (const writing of write(known, index)) {
			const asked = ask(writing, tally.all);
			tally.all += 1;
			if (asked === undefined) tally.refused.push(writing);
			else if (asked.number !== known.e164) {
				others.push({ ...writing, e164: known.e164, number: asked.number });
			} else {
				tally.read += 1;
				if (!asked.isShared) tally.apart.push(writing);
			}
		}
	}
	return { ...tally, others };
}

const percent = (part: number, all: number) => (all === 0 ? 100 : (100 * part) / all);

test('the numbers are of every region, network and type', () => {
	const distinct = (of: 'region' | 'type') => new Set(KNOWN_NUMBERS.map((number) => number[of]));
	expect(REGIONS.length).toBeGreaterThanOrEqual(245);
	expect(NETWORK_CODES.length).toBeGreaterThanOrEqual(9);
	expect(distinct('region').size).toBe(REGIONS.length + 1);
	expect(distinct('type').size).toBeGreaterThanOrEqual(10);
	expect(KNOWN_NUMBERS.length).toBeGreaterThan(2_000);
	expect(ALL_PREFIXES.length).toBeGreaterThan(100);
});

test.each(Object.entries(READ))('a number %s is looked up, once for all writings', (_, write) => {
	const { all, read, refused, apart, others } = tally(write);
	expect(others).toEqual([]);
	expect(apart).toEqual([]);
	if (percent(read, all) < NEARLY_ALL) expect(refused).toEqual([]);
});

test.each(Object.entries(UNCLEAR))(
	'a number %s is looked up as that or not at all',
	(_, { write, read = 0, refused = 0, mayBeOther = false }) => {
		const found = tally(write);
		const isAsLibrary = ({ phoneNumber, country, number }: (typeof found.others)[number]) =>
			readByLibphonenumber(String(phoneNumber), country) === number;
		expect(found.others.filter((other) => !(mayBeOther && isAsLibrary(other)))).toEqual([]);
		expect(found.apart).toEqual([]);
		expect(percent(found.read, found.all)).toBeGreaterThanOrEqual(read);
		expect(percent(found.refused.length, found.all)).toBeGreaterThanOrEqual(refused);
	},
);

test.each(Object.entries(REFUSED))('a number %s is not looked up', (_, write) => {
	const { all, refused, others } = tally(write);
	expect(others).toEqual([]);
	expect(refused).toHaveLength(all);
});

test('random digits are looked up as libphonenumber reads them, or as a number of their plan', () => {
	const astray: unknown[] = [];
	let afterPlus = 0;
	for (const [index, { region, digits }] of randomDigits(isFullRun ? 1_500 : 300).entries()) {
		const code = callingCodeOf(region);
		for (const writing of [
			{ phoneNumber: `+${digits}` },
			{ phoneNumber: `+${code} ${digits}` },
			{ phoneNumber: `00${digits}`, country: region },
			{ phoneNumber: `00${code} ${digits}`, country: region },
			{ phoneNumber: digits, country: region },
			{ phoneNumber: digits },
		]) {
			const { phoneNumber } = writing;
			const number = ask(writing, index)?.number;
			if (number === undefined) continue;
			if (phoneNumber.startsWith('+')) afterPlus += 1;
			const readings = [phoneNumber, phoneNumber.replace(/^00/, '+')].map((text) =>
				readByLibphonenumber(text, region),
			);
			const mayBe = !phoneNumber.startsWith('+') && matchesPlan(number);
			if (!readings.includes(number) && !mayBe) astray.push({ ...writing, number });
		}
	}
	expect(astray).toEqual([]);
	// After a +, any length is, for the service to decide
	expect(afterPlus).toBeGreaterThan(isFullRun ? 1_000 : 200);
});
