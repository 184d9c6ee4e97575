import { comparableName, spellingsOfName } from './countryName';
import {
	ISO_NUMBERS,
	LINES_INSIDE_AREA,
	LINES_WITHOUT_TRUNK_0,
	NATIONAL_WRITINGS,
	NEIGHBORS,
	REGIONS,
	SHORT,
	SHORT_MOBILES,
	SHORT_WITHOUT_0,
	WITHOUT_0,
	WITHOUT_TYPE,
	WITH_00,
	WITH_TRUNK_0,
} from './numberingTable';

/** The numbering plans of the world, reduced to what reading a number needs. The terms are libphonenumber's. */

/** The meaning of the length of a national number. Numbers of `localOnly` length lack their area code. */
export type LengthVerdict = 'invalidLength' | 'localOnly' | 'possible' | 'tooLong' | 'tooShort';

/** The numbering plan of a region. Numbers are national ones, in digits, unless said otherwise. */
export class NumberingPlan {
	/** ISO 3166-1 alpha-2, or 001 for a calling code that belongs to no country. */
	readonly region: string;
	/** Country calling code, in digits. */
	readonly callingCode: string;
	readonly names: string[];
	/** The fewest digits of usual fixed lines and mobiles. Shorter numbers are of other kinds, or lack their area code. */
	readonly shortestUsual: number;
	/** The usual maximum length of its numbers; rare ones are longer. */
	readonly longestUsual: number;
	private readonly lengths: number[];
	private readonly localLengths: number[];
	private readonly columns: string[];
	/** Of its numbers that begin with 00, and of those shorter than usual. */
	private readonly patternWith00: string;
	private readonly shortPattern: string;

	constructor(row: string) {
		const [region, callingCode, lengths, localLengths, usual, ...columns] = row.split(' ', 9);
		this.region = region;
		this.callingCode = callingCode;
		this.lengths = numbersIn(lengths);
		this.localLengths = numbersIn(localLengths);
		[this.shortestUsual, this.longestUsual] = usual.split('-').map(Number);
		this.columns = columns.map((column) => (column === '-' ? '' : column));
		this.names = row.split(' ').slice(9).join(' ').split(';');
		this.patternWith00 = WITH_00[region] ?? this.columns[3];
		this.shortPattern = SHORT[region] ?? this.columns[3];
	}

	/**
	 * Whether the plan has numbers like this one. It need not be in use. 00 leads abroad, and a short number may lack its area code, so
	 * of these only those of a known type count.
	 */
	hasNumber(number: string): boolean {
		if (number.startsWith('00')) return fits(this.patternWith00, number);
		if (number.length >= this.shortestUsual) return this.fitsPattern(number);
		return fits(this.shortPattern, number);
	}

	/** Whether a number fits the general pattern of the plan, as libphonenumber has it. */
	private fitsPattern(number: string): boolean {
		return fits(this.columns[3], number);
	}

	lengthVerdict({ length }: string): LengthVerdict {
		if (this.localLengths.includes(length)) return 'localOnly';
		if (this.lengths.includes(length)) return 'possible';
		if (length < this.lengths[0]) return 'tooShort';
		return length > this.lengths[this.lengths.length - 1] ? 'tooLong' : 'invalidLength';
	}

	/** The number after the prefix for calls abroad, with its calling code; undefined if the digits begin with no such prefix. */
	afterInternationalPrefix(digits: string): string | undefined {
		const [prefix] = this.columns;
		const [found] = (prefix && regExp(prefix).exec(digits)) || [];
		if (found === undefined) return undefined;
		const rest = digits.slice(found.length);
		// No calling code begins with 0
		return rest.startsWith('0') ? undefined : rest;
	}

	/** The number without its trunk prefix, and with its replacement, unless only the unchanged number fits the plan. */
	withoutTrunkPrefix(number: string): string {
		const stripped = this.stripTrunkPrefix(number);
		if (this.fitsPattern(number) && !this.fitsPattern(stripped)) return number;
		return ['possible', 'tooLong'].includes(this.lengthVerdict(stripped)) ? stripped : number;
	}

	/**
	 * Whether a number without a trunk 0 may lack its area code, too: it is a line as short as those that people dial inside an area, or
	 * shorter than usual fixed lines and mobiles, and the plan has such short lines in some areas. Where lines have no 0, those are known.
	 */
	mayLackAreaCode(number: string): boolean {
		if (number.startsWith('0')) return false;
		const { longest = 0, others = '' } = LINES_INSIDE_AREA[this.region] ?? {};
		if (number.length <= longest && !fits(others, number)) return true;
		if (number.length >= this.shortestUsual) return false;
		const lines = SHORT_WITHOUT_0[this.region];
		if (lines !== undefined) return !fits(lines, number);
		return SHORT[this.region] === undefined && this.stripTrunkPrefix(`0${number}`) === number;
	}

	/** Whether a number is a short mobile, or the rest of a fixed line whose first 0 was lost. */
	mayLackZero(number: string): boolean {
		const mobiles = SHORT_MOBILES[this.region];
		if (mobiles === undefined || number.length >= this.longestUsual) return false;
		return fits(mobiles, number) && this.hasNumber(`0${number}`);
	}

	/** Whether a national number is as long as the usual fixed lines and mobiles. */
	isUsualLength({ length }: string): boolean {
		return length >= this.shortestUsual && length <= this.longestUsual;
	}

	/** Whether a number is of no type, and may be a line whose first 0 was lost. */
	lacksZero(number: string): boolean {
		const others = WITHOUT_0[this.region];
		const isOther = number.startsWith('0') || number.length > this.longestUsual;
		if (others === undefined || isOther) return false;
		const isOfType = [others, SHORT_MOBILES[this.region]].some((each) => fits(each, number));
		return !isOfType && this.hasNumber(`0${number}`);
	}

	/** Whether the plan has no type of number that begins as this one does, and another country has one, with its calling code. */
	lacksType(number: string): boolean {
		const starts = WITHOUT_TYPE[this.region]?.[number.length];
		return starts !== undefined && regExp(starts).test(number);
	}

	/** The number after a trunk prefix of two digits, such as 06, whose 0 was lost; undefined if it has no such start. */
	afterHalfTrunkPrefix(number: string): string | undefined {
		const [, half] = /^0(\d)$/.exec(this.columns[1]) ?? [];
		return half !== undefined && number.startsWith(half) ? number.slice(1) : undefined;
	}

	/** The number in E.164 after a trunk prefix of one digit; undefined if it has none, or the plan has no such number. */
	afterTrunkPrefix(number: string): string | undefined {
		const national = number.slice(1);
		const isAfterPrefix = this.stripTrunkPrefix(number) === national;
		return isAfterPrefix && this.hasNumber(national)
			? `+${this.callingCode}${national}`
			: undefined;
	}

	/**
	 * The number without the calling code of its own country, if it begins with that without a +; undefined if it does not. A
	 * number that may also be national is returned unchanged.
	 */
	withoutOwnCallingCode(number: string): string | undefined {
		if (!number.startsWith(this.callingCode)) return undefined;
		const rest = number.slice(this.callingCode.length);
		const stripped = this.stripTrunkPrefix(rest);
		const national = this.hasNumber(rest) && !this.hasNumber(stripped) ? rest : stripped;
		const onlyFitsWithout = !this.hasNumber(number) && this.hasNumber(national);
		return onlyFitsWithout || this.lengthVerdict(number) === 'tooLong' ? national : undefined;
	}

	/**
	 * The number in E.164 if it belongs to another calling code, though the plan has it too: people in France write 0692 for a number
	 * in Réunion.
	 */
	neighborWith(number: string): string | undefined {
		const family = NEIGHBORS.find((codes) => this.callingCode in codes) ?? {};
		const code = Object.keys(family).find((each) => regExp(family[each]).test(number));
		if (code === undefined || code === this.callingCode) return undefined;
		return planOfCallingCode(code)?.hasNumber(number) ? `+${code}${number}` : undefined;
	}

	/** Whether people write such a line with a 0 that is no digit of it in E.164. */
	writesTrunk0(number: string): boolean {
		const without0 = LINES_WITHOUT_TRUNK_0[this.region] ?? '(?!)';
		return WITH_TRUNK_0.has(this.region) && !fits(without0, number);
	}

	/** A pattern of its prefixes for calls abroad. */
	get internationalPrefix(): string {
		return this.columns[0];
	}

	/** The area code that belongs to its calling code in North America; empty elsewhere. */
	get areaCode(): string {
		const [, , transformRule] = this.columns;
		return /^(\d{3})\$1$/.exec(transformRule)?.[1] ?? '';
	}

	private stripTrunkPrefix(number: string): string {
		const [, prefix, transformRule] = this.columns;
		const found = prefix && regExp(prefix).exec(number);
		if (!found) return number;
		const isTransformed = transformRule !== '' && Boolean(found[found.length - 1]);
		return isTransformed
			? number.replace(regExp(prefix), transformRule)
			: number.slice(found[0].length);
	}
}

/** By the pattern as the table has it: a text that is made for each look takes longer than the match. */
const compiled = { '': new Map<string, RegExp>(), $: new Map<string, RegExp>() };

/** A pattern at the beginning of digits, or of all of them. */
function regExp(pattern: string, end: '' | '$' = ''): RegExp {
	const found = compiled[end].get(pattern) ?? new RegExp(`^(?:${pattern})${end}`);
	compiled[end].set(pattern, found);
	return found;
}

const fits = (pattern: string, number: string) => regExp(pattern, '$').test(number);

/** A part of the table, read when it is first needed, so that loading the package costs nothing. */
function once<Value>(make: () => Value): () => Value {
	let made: { value: Value } | undefined;
	return () => (made ??= { value: make() }).value;
}

const plans = once(() =>
	REGIONS.trim()
		.split('\n')
		.map((row) => new NumberingPlan(row)),
);

/** The first plan of a calling code is the one that covers all of its numbers. */
const byCallingCode = once(
	() => new Map([...plans()].reverse().map((plan) => [plan.callingCode, plan])),
);

const countries = once(() => plans().filter(({ region }) => region !== '001'));

/** Codes of two letters are compared unchanged: "N. A." is not Namibia, and "Saint" is not ST. */
const byRegion = once(() => new Map(countries().map((plan) => [plan.region, plan])));

const byName = once(
	() =>
		new Map(
			countries().flatMap((plan) =>
				plan.names.map((name) => [comparableName(name), plan] as const),
			),
		),
);

/** The plan of the calling code at the beginning of the digits; undefined if there is none. */
export function planByLeadingCallingCode(digits: string): NumberingPlan | undefined {
	for (const length of [1, 2, 3]) {
		const plan = byCallingCode().get(digits.slice(0, length));
		if (plan) return plan;
	}
	return undefined;
}

/** The plan that covers all numbers of a calling code, in digits, or of one with an area code of North America. */
export function planOfCallingCode(digits: string): NumberingPlan | undefined {
	const plan = byCallingCode().get(digits);
	if (plan || !/^1[2-9]\d{2}$/.test(digits)) return plan;
	return (
		countries().find(({ areaCode }) => areaCode === digits.slice(1)) ?? byCallingCode().get('1')
	);
}

const isoNumbers = once(() => new Set(numbersIn(ISO_NUMBERS)));

/** Whether a calling code, in digits, is also the ISO 3166-1 number of a country with another one. */
export function isNumberOfOtherCountry(digits: string): boolean {
	return isoNumbers().has(Number(digits));
}

/** The name of Russia in Vietnamese. NGA is the code of Nigeria. */
const TWO_COUNTRIES = 'Nga';

/**
 * The plan of a country by its ISO 3166-1 code or its name in English, its own languages or those of the world, in any case,
 * accents and punctuation.
 */
export function planOfCountry(text: string): NumberingPlan | undefined {
	if (text.trim() === TWO_COUNTRIES) return undefined;
	const found = byRegion().get(text.trim().toUpperCase());
	if (found) return found;
	const spellings = spellingsOfName(text).map((name) => byName().get(comparableName(name)));
	return spellings.find((plan) => plan !== undefined);
}

/** The plans of all prefixes for calls abroad, one of each. */
const byPrefix = once(() => new Map(plans().map((plan) => [plan.internationalPrefix, plan])));

/** The numbers after the prefixes for calls abroad of all countries. */
export function afterAnyInternationalPrefix(digits: string): string[] {
	const found = [...byPrefix().values()].map((plan) => plan.afterInternationalPrefix(digits));
	return [...new Set(found)].filter((rest) => rest !== undefined);
}

const FIRST_DIGITS = 3;
const writings = once(
	() =>
		new Map(
			Object.entries(NATIONAL_WRITINGS).map(([length, prefixes]) => [
				Number(length),
				new Set(numbersIn(prefixes)),
			]),
		),
);

/** Whether people in some country write a national number like this, without its calling code. The digits do not begin with 0. */
export function isNationalSomewhere(digits: string): boolean {
	return (
		writings()
			.get(digits.length)
			?.has(Number(digits.slice(0, FIRST_DIGITS))) === true
	);
}

/** "7,9-11" as 7, 9, 10, 11; "-" as none. */
function numbersIn(ranges: string): number[] {
	return [...ranges.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, from, to = from]) =>
		Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index),
	);
}
