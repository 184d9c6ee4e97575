import { asAlpha2 } from './countries';
import { EXAMPLES, randomDigits, randomNumbers, type KnownNumber } from './knownNumbers';
import { callingCodeOf, isUsual, nationalDigits } from './oracle';
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

/** As a spreadsheet leaves them that has dropped the trunk prefix 0. */
export function withoutTrunkZero(numbers: KnownNumber[]): NationalDigits[] {
	return numbers.flatMap(({ e164, region }) =>
		region === undefined
			? []
			: nationalDigits(e164, region)
					.filter((digits) => /^0[1-9]/.test(digits))
					.map((digits) => ({ digits: digits.slice(1), e164 })),
	);
}
