import { asAlpha2 } from './countries';
import { EXAMPLES, randomDigits, randomNumbers, type KnownNumber } from './knownNumbers';
import {
	callingCodeOf,
	internationalFormat,
	isUsual,
	nationalDigits,
	neighborsOf,
	REGIONS,
	trunkPrefixOf,
} from './oracle';
import {
	fromSpreadsheets,
	nationalSpellings,
	plainSpellings,
	spellingsOf,
	type Writing,
} from './spellings';

/** The writings that are tried. The same every time. */

const SEED = 16;

/** Examples of libphonenumber in every spelling: all of them, or one number in `oneIn` and of it one spelling in eleven. */
export function* exampleWritings(oneIn: number): Generator<Writing> {
	const isAll = oneIn === 1;
	for (const [index, number] of EXAMPLES.entries()) {
		if (index % oneIn !== 0) continue;
		for (const [spelling, writing] of spellingsOf(number, index).entries()) {
			if (isAll || spelling % 11 === (index / oneIn) % 11) yield writing;
		}
	}
}

/** Random valid numbers, each in one usual spelling of eight. */
export function* randomWritings(numbers: KnownNumber[]): Generator<Writing> {
	for (const [index, number] of numbers.entries()) {
		const { e164, region } = number;
		const writings = [
			...plainSpellings(number, index),
			...(region === undefined ? [] : nationalSpellings(e164, region)),
			...fromSpreadsheets(e164, region),
		];
		yield* writings.filter((_, spelling) => spelling % 8 === index % 8);
	}
}

/** National numbers that start with 00. */
export function* nationalWith00(): Generator<Writing> {
	for (const [region, phoneNumber] of [
		['JP', '0037 12345678'],
		['QA', '0080 0123456'],
		['TJ', '00 123 4567'],
		['UY', '0004 123 4567'],
	]) {
		yield { spelling: 'national with 00', phoneNumber, country: asAlpha2(region) };
	}
}

/** Random digits; few of them are a number: after + and 00, with Country and alone. */
export function* randomDigitWritings(count: number): Generator<Writing> {
	for (const { region, digits } of randomDigits(count, SEED)) {
		const country = asAlpha2(region);
		const code = callingCodeOf(region);
		yield { spelling: 'random digits after +', phoneNumber: `+${digits}` };
		yield { spelling: 'random digits after a calling code', phoneNumber: `+${code} ${digits}` };
		yield { spelling: 'random digits after 00', phoneNumber: `00${digits}`, country };
		yield {
			spelling: 'random digits after 00 and a calling code',
			phoneNumber: `00${code} ${digits}`,
			country,
		};
		yield { spelling: 'random digits', phoneNumber: digits, country };
		yield { spelling: 'random digits without Country', phoneNumber: digits };
	}
}

/** Random valid numbers of every type in every region. */
export function validNumbers(perType: number): KnownNumber[] {
	return randomNumbers(perType, SEED);
}

/** Numbers of a type that people have at home or with them. */
const LINES = new Set(['FIXED_LINE', 'FIXED_LINE_OR_MOBILE', 'MOBILE']);

/** Examples of fixed lines and mobiles as a spreadsheet leaves them that has dropped the +, beside one in `oneIn` other countries. */
export function* withoutPlusAbroad(oneIn: number): Generator<Writing> {
	const numbers = EXAMPLES.filter(({ region, type }) => region !== undefined && LINES.has(type));
	for (const [index, { e164, callingCode }] of numbers.entries()) {
		for (const [nth, other] of REGIONS.entries()) {
			if (callingCodeOf(other) === callingCode || (index + nth) % oneIn !== 0) continue;
			const digits = e164.slice(1);
			const phoneNumber = nth % 2 === 0 ? digits : digits.replace(/^(..)(...)/, '$1 $2 ');
			yield { spelling: 'without + beside another country', phoneNumber, country: asAlpha2(other) };
		}
	}
}

/** A shorter number may be of a kind that others begin with. */
const MIN_BEFORE_REST = '+12345678'.length;
const RESTS = [' 5', ' 55', ' 555', ' 12345', ' 5 5', ' 7 8 9', '-55', ' 1234567'];

/** Fixed lines and mobiles with their calling code, and one more group or two. */
export function* withRest(numbers: KnownNumber[]): Generator<Writing & { e164: string }> {
	for (const [index, { e164, region, type }] of numbers.entries()) {
		if (region === undefined || !LINES.has(type) || e164.length < MIN_BEFORE_REST) continue;
		const rest = RESTS[index % RESTS.length];
		for (const written of [internationalFormat(e164), e164])
			yield { spelling: 'with a rest', phoneNumber: `${written}${rest}`, e164 };
	}
}

/** Fixed lines and mobiles with a + before a trunk prefix that is no 0, and with their calling code twice or after another one, in their own country. */
export function* withStrangePlus(numbers: KnownNumber[]): Generator<Writing> {
	for (const { e164, callingCode, region, type } of numbers) {
		if (region === undefined || !LINES.has(type)) continue;
		const country = asAlpha2(region);
		const national = e164.slice(1 + callingCode.length);
		const prefix = trunkPrefixOf(region);
		if (prefix !== '' && !prefix.startsWith('0')) {
			const phoneNumber = `+${prefix} (${national.slice(0, 3)}) ${national.slice(3)}`;
			yield { spelling: 'a + before the trunk prefix', phoneNumber, country };
		}
		const phoneNumber = `+${callingCode} ${callingCode}${national}`;
		yield { spelling: 'the calling code twice', phoneNumber, country };
		const afterOther = `+${callingCode === '49' ? 43 : 49} 00${callingCode} ${national}`;
		yield { spelling: 'after another calling code and 00', phoneNumber: afterOther, country };
	}
}

/** Fixed lines whose 0 belongs to the number, without it, with a space after the second digit or not. */
export function* without0OfLine(numbers: KnownNumber[]): Generator<Writing> {
	for (const { e164, callingCode, region, type } of numbers) {
		const national = e164.slice(1 + callingCode.length);
		if (region === undefined || !LINES.has(type) || !national.startsWith('0')) continue;
		const digits = national.slice(1);
		for (const phoneNumber of [digits, digits.replace(/^../, '$& ')]) {
			yield { spelling: 'without the 0 of a line', phoneNumber, country: asAlpha2(region) };
		}
	}
}

/** Fixed lines and mobiles with a 0 before their calling code, in place of 00, in their own country. */
export function* after0(numbers: KnownNumber[]): Generator<Writing> {
	for (const { e164, region, type } of numbers) {
		if (region === undefined || !LINES.has(type)) continue;
		const phoneNumber = `0${e164.slice(1)}`;
		yield { spelling: '0 before the calling code', phoneNumber, country: asAlpha2(region) };
	}
}

/** Fixed lines and mobiles after their calling code and the 0 before national numbers. */
export function* with0AfterCode(numbers: KnownNumber[]): Generator<Writing> {
	for (const { e164, callingCode, region, type } of numbers) {
		if (region === undefined || !LINES.has(type)) continue;
		const [national] = nationalDigits(e164, region);
		const phoneNumber = `${callingCode} ${national}`;
		if (!national.startsWith('0') || e164 === `+${callingCode}${national}`) continue;
		yield { spelling: '0 after the calling code', phoneNumber, country: asAlpha2(region) };
	}
}

/** National numbers without the 0 of a longer trunk prefix. */
export function* withHalfTrunkPrefix(numbers: KnownNumber[]): Generator<Writing> {
	for (const { e164, region } of numbers) {
		if (region === undefined || !/^0\d/.test(trunkPrefixOf(region))) continue;
		const [national] = nationalDigits(e164, region);
		if (!national.startsWith('0')) continue;
		yield {
			spelling: 'without the 0 of a trunk prefix',
			phoneNumber: national.slice(1),
			country: asAlpha2(region),
		};
	}
}

/** Fixed lines and mobiles after a 0 that their country does not have. */
export function* withStrange0(numbers: KnownNumber[]): Generator<Writing> {
	for (const { e164, callingCode, region, type } of numbers) {
		if (region === undefined || !LINES.has(type) || trunkPrefixOf(region) === '0') continue;
		const phoneNumber = `0${e164.slice(1 + callingCode.length)}`;
		yield { spelling: 'a 0 of no plan', phoneNumber, country: asAlpha2(region) };
	}
}

/** Fixed lines and mobiles as their country writes them, beside one that writes them like its own. */
export function* beside(numbers: KnownNumber[]): Generator<Writing> {
	for (const { e164, region, type } of numbers) {
		if (region === undefined || !LINES.has(type)) continue;
		const own = neighborsOf(region);
		for (const other of REGIONS.filter((each) => own.includes(callingCodeOf(each)))) {
			for (const phoneNumber of nationalDigits(e164, region)) {
				yield { spelling: 'of a neighbor', phoneNumber, country: asAlpha2(other) };
			}
		}
	}
}

const IN_PLACE = [
	'12/31/2024',
	'31-12-2024',
	'1.12.2024',
	'2024/12/31',
	'192.168.1.1',
	'172.217.16.142',
];

/** What stands in a field for a number: one digit again and again, dates, addresses. */
export function* inPlaceOfNumbers(): Generator<Writing> {
	for (const [index, { e164, callingCode, region, type }] of EXAMPLES.entries()) {
		if (region === undefined || !LINES.has(type)) continue;
		const { length } = e164.slice(1 + callingCode.length);
		for (const phoneNumber of [String(index % 10).repeat(length), ...IN_PLACE]) {
			yield { spelling: 'in place of a number', phoneNumber, country: asAlpha2(region) };
		}
	}
}

/** Fixed lines without their first digits, down to five. */
export function* withoutAreaCode(numbers: KnownNumber[]): Generator<Writing> {
	for (const { e164, callingCode, region, type } of numbers) {
		if (region === undefined || !type.startsWith('FIXED_LINE')) continue;
		const national = e164.slice(1 + callingCode.length);
		for (const length of [1, 2, 3, 4]) {
			const phoneNumber = national.slice(length);
			// With a 0 in front it may be another area's whole number
			if (phoneNumber.length < FEWEST_DIGITS || phoneNumber.startsWith('0')) continue;
			yield { spelling: 'without area code', phoneNumber, country: asAlpha2(region) };
		}
	}
}

const FEWEST_DIGITS = 5;

/** Digits without + that a country writes for one of its numbers, and that start like a calling code. */
export interface NationalDigits {
	digits: string;
	e164: string;
}

/** Usual numbers, as the national format has them. What starts with 0 cannot be taken for an international number. */
export function writtenNationally(numbers: KnownNumber[]): NationalDigits[] {
	return numbers.flatMap(({ e164, region }) =>
		region === undefined || !isUsual(e164, region)
			? []
			: nationalDigits(e164, region)
					.filter((digits) => !digits.startsWith('0'))
					.map((digits) => ({ digits, e164 })),
	);
}
