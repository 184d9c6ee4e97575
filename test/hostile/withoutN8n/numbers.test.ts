import { Comparison, FLAWS } from '../../models/numbers/comparison';
import { DECISIONS } from '../../models/numbers/decisions';
import { EXAMPLES } from '../../models/numbers/knownNumbers';
import {
	isLine,
	isOfLargest,
	isValid,
	lacksAreaCode,
	matchesPlan,
	NETWORK_CODES,
	REGIONS,
} from '../../models/numbers/oracle';
import { PHONE_READERS, type Asked, type PhoneReader } from '../../models/numbers/phoneReaders';
import {
	after0,
	beside,
	exampleWritings,
	inPlaceOfNumbers,
	nationalWith00,
	randomDigitWritings,
	randomWritings,
	validNumbers,
	with0AfterCode,
	withHalfTrunkPrefix,
	withStrange0,
	withStrangePlus,
	without0OfLine,
	withoutAreaCode,
	withRest,
	withoutPlusAbroad,
	writtenNationally,
	type NationalDigits,
} from '../../models/numbers/writings';
import { isFullRun } from '../fullRun';

/** Of libphonenumber's examples, one in so many. */
const ONE_IN = isFullRun ? 1 : 3;
/** Of the countries beside a number of another one. */
const COUNTRIES_ONE_IN = isFullRun ? 7 : 41;
const RANDOM_DIGITS = isFullRun ? 1_500 : 300;
const LEAST_PERCENT_SHARED = 99;
const MAX_MS = 600_000;

const [takesNational, ...others] = PHONE_READERS;
const inTurn = (index: number): PhoneReader => others[index % others.length];
const sent = (asked: Asked) => ('local' in asked ? 'nothing' : asked.number);

const numbers = validNumbers(1);
const known = [...EXAMPLES, ...numbers];
const abroad = [...withoutPlusAbroad(COUNTRIES_ONE_IN)];
const neighbors = [...beside(known)];
/** A number that a neighbor has is never read as a line of Country. */
const isOfNeighbor = (number: string, region = '') =>
	isValid(number) && !(isLine(number) && isOfLargest(region));
const hasAreaCode = (number: string) => !lacksAreaCode(number);

describe('phone numbers, compared with google-libphonenumber', () => {
	const comparison = new Comparison();

	beforeAll(() => {
		for (const [writings, isRight] of [
			[nationalWith00()],
			[exampleWritings(ONE_IN)],
			[randomWritings(numbers)],
			[randomDigitWritings(RANDOM_DIGITS)],
			[after0(known)],
			[with0AfterCode(known)],
			[withHalfTrunkPrefix(known)],
			[withStrange0(known), matchesPlan],
			[withStrangePlus(known)],
			[without0OfLine(known)],
			[neighbors, isOfNeighbor],
			[inPlaceOfNumbers()],
			[abroad, matchesPlan],
			[withoutAreaCode(known), hasAreaCode],
		] as const) {
			for (const writing of writings) {
				comparison.compare(writing, [takesNational, inTurn(comparison.writings)], isRight);
			}
		}
	}, MAX_MS);

	test('cover every region, network and type', () => {
		expect(REGIONS.length).toBeGreaterThanOrEqual(245);
		expect(NETWORK_CODES.length).toBeGreaterThanOrEqual(9);
		expect(new Set(EXAMPLES.map(({ region }) => region)).size).toBe(REGIONS.length + 1);
		expect(EXAMPLES.length).toBeGreaterThan(1_100);
		expect(new Set(EXAMPLES.map(({ type }) => type)).size).toBeGreaterThanOrEqual(10);
		expect(comparison.writings).toBeGreaterThan(isFullRun ? 100_000 : 5_000);
		expect(comparison.ruled).toBeGreaterThan(abroad.length / 100);
		expect(neighbors.length).toBeGreaterThan(100);
	});

	test.each(FLAWS)('have no %s', (flaw) => {
		expect(comparison.findings.filter((finding) => finding.flaw === flaw)).toEqual([]);
	});

	test('use one call for all spellings', () => {
		expect(comparison.equal).toBeGreaterThan(comparison.writings);
		expect(comparison.percentShared).toBeGreaterThanOrEqual(LEAST_PERCENT_SHARED);
	});

	test('need each of the decisions', () => {
		const names = DECISIONS.map(({ name }) => name);
		expect(names.filter((name) => !comparison.decided.has(name))).toEqual([]);
	});
});

describe('digits without + and Country', () => {
	/** Those that are looked up as somebody else's number. */
	const astray = (written: NationalDigits[]) =>
		written.flatMap(({ digits, e164 }, index) => {
			const reader = PHONE_READERS[index % PHONE_READERS.length];
			const number = sent(reader.read(digits));
			return number === 'nothing' || number === e164
				? []
				: [{ reader: reader.name, digits, e164, number }];
		});

	test('that a country writes for its own number are never read as a number of another country', () => {
		const written = writtenNationally(numbers);
		expect(written.length).toBeGreaterThan(numbers.length / 5);
		expect(astray(written)).toEqual([]);
	});

	test('that are a number in E.164 are read as that, or not at all', () => {
		const asked = numbers.map(({ e164 }, index) => ({
			e164,
			number: sent(inTurn(index).read(e164.slice(1))),
		}));
		expect(asked.filter(({ e164, number }) => number !== 'nothing' && number !== e164)).toEqual([]);
		const read = asked.filter(({ number }) => number !== 'nothing').length;
		expect(read).toBeGreaterThan(0);
	});

	test.each(['447911123456', '12025550102', '491713920012'])(
		'are read if they have no other meaning: %s',
		(digits) => {
			for (const { read } of PHONE_READERS) expect(sent(read(digits))).toBe(`+${digits}`);
		},
	);

	test.each([
		['Chinese mobile or New Jersey', '13123456789'],
		['Moscow or Vietnam', '84951234567'],
		['ten digits of North America', '2025550102'],
		['national', '020 7946 0018'],
	])('cost nothing and name the field to fill in: %s', (_, digits) => {
		for (const { read } of PHONE_READERS) {
			expect(read(digits)).toEqual({
				local: expect.objectContaining({
					reason: expect.stringContaining('Country') as string,
				}) as object,
			});
		}
	});
});

describe('digits beside a Country that has no such number', () => {
	test.each([
		['4915112345678', 'NL'],
		['49 151 12345678', 'NL'],
		['97 150 1234567', 'ID'],
		['35522345678', 'NL'],
		['85291234567', 'RU'],
		['994401234567', 'KP'],
		['447911123456', 'AT'],
		['4915112345678', 'AT'],
		['41791234567', 'AT'],
		['12025550143', 'BR'],
		['12025550143', 'CN'],
		['12025550143', 'ID'],
		['12025550143', 'DE'],
		['33612345678', 'BR'],
	])('cost nothing and name the number that they may be: %s in %s', (digits, country) => {
		const number = `+${digits.replaceAll(' ', '')}`;
		for (const { read } of PHONE_READERS) {
			expect(read(digits, country)).toEqual({
				local: expect.objectContaining({
					reason: expect.stringContaining(
						`may be ${number} or a wrong number in ${country}`,
					) as string,
				}) as object,
			});
		}
	});
});

describe('a number with other digits after it', () => {
	test('is never looked up with them, unless they are a number of the plan together', () => {
		const written = [...withRest(known)];
		const asked = written.flatMap(({ phoneNumber, e164 }, index) => {
			const number = sent(inTurn(index).read(phoneNumber));
			return number === 'nothing' ? [] : [{ phoneNumber, e164, number }];
		});
		const isOfNone = (number: string) => !matchesPlan(number);
		expect(asked.filter(({ number }) => isOfNone(number))).toEqual([]);
		// In Germany and Austria they may be dialled
		const isLonger = asked.filter(({ number }) => !/^\+4[39]/.test(number) && !isValid(number));
		expect(isLonger.length).toBeLessThan(written.length / 50);
	});
});

describe('what users have reported', () => {
	test.each<[phoneNumber: string, country: string, number: string]>([
		['01234567\u00b2', 'DE', '+491234567'],
		['0037 12345678', 'JPN', '+81003712345678'],
		['0004 123 4567', 'UY', '+59800041234567'],
		['0080 0123456', 'QA', '+97400800123456'],
		['+0 20 7946 0018', 'GB', '+442079460018'],
		['1-800-FLOWERS', 'US', '+18003569377'],
		['+44 20 7946 0018 office', '', '+442079460018'],
		['030 123456 (9-17)', 'DE', 'nothing'],
		['0664 123456 9-5', 'AT', 'nothing'],
		['8 912 345 12-17', 'RU', '+79123451217'],
		['1) 800 123 4567', 'CN', 'nothing'],
		['1. 0171 1234567', 'DE', 'nothing'],
		['(01) 5880123', 'AT', '+4315880123'],
		['0664 1234567', 'de-AT', 'nothing'],
		['1300 975 707', 'AU', '+611300975707'],
		['13 12 34', 'AU', '+61131234'],
		['4004-1234', 'BR', '+5540041234'],
		['4.42079E+11', 'GB', 'nothing'],
		['11 5551234', 'IT', 'nothing'],
		['10 1234567', 'IT', 'nothing'],
		['80 5212345', 'IT', 'nothing'],
		['89 123456', 'IT', 'nothing'],
		['873407301', 'IT', 'nothing'],
		['800 123456', 'IT', '+39800123456'],
		['+8 (495) 123-45-67', 'RU', 'nothing'],
		['+8 701 123 45 67', 'KZ', 'nothing'],
		['+8 612 34567', 'LT', 'nothing'],
		['+84 951234567', 'RU', '+84951234567'],
		['+44 7911123456.0', '', '+447911123456'],
		['+1 2025550143.0', '', '+12025550143'],
		['tel:+447911123456.0', '', '+447911123456'],
		['+1 000 000 0000', '', 'nothing'],
		['+33 0000000000', '', 'nothing'],
		['+966 966501234567', 'SA', 'nothing'],
		['+999 123 4567', 'GB', 'nothing'],
		['(020) 7946 0018 123', 'United Kingdom', 'nothing'],
		['+44 20 7946 0121 55', '', 'nothing'],
		['+44 20 7946 0121 5 5', 'GB', 'nothing'],
		['555-0142 555-0143', 'US', 'nothing'],
	])('%s with the country %j: %s', (phoneNumber, country, number) => {
		for (const { read } of PHONE_READERS) expect(sent(read(phoneNumber, country))).toBe(number);
	});

	test.each<[phoneNumber: string, country: string, sent: string]>([
		['7946 0018', 'GB', '79460018'],
		['9374 4000', 'AU', '93744000'],
		['3222-1234', 'BR', '32221234'],
		['3234 5678', 'PH', '32345678'],
		['123 4567', 'ZA', '1234567'],
	])('%s with the country %j is not completed', (phoneNumber, country, digits) => {
		for (const { read, takesNational } of PHONE_READERS) {
			expect(sent(read(phoneNumber, country))).toBe(takesNational ? digits : 'nothing');
		}
	});
});
