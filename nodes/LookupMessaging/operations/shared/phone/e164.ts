import {
	afterAnyInternationalPrefix,
	isNationalSomewhere,
	planByLeadingCallingCode,
	planOfCallingCode,
	type NumberingPlan,
} from './numberingPlans';

/**
 * Reads the digits of a number as libphonenumber's `parse` does (ITU-T E.164 §6, SPEC §4.2), except for the decisions in
 * docs/ASSUMPTIONS.md: digits that may be two numbers are not read.
 */

/** A number read with its country. */
export interface Reading {
	/** "+" and digits. */
	e164: string;
	/** Whether the plan has numbers of this length that can be called from anywhere. Without its calling code, it must fit, too. */
	isPossible: boolean;
	/** Whether it fits the pattern of the plan, too. */
	fitsPlan: boolean;
	/** Whether it lacks an area code. */
	isLocalOnly: boolean;
	/** Whether it is shorter than usual fixed lines and mobiles, and fits no pattern of the plan or lacks its trunk prefix. */
	isShort: boolean;
}

const MAX_DIGITS = 15;
/** Digits of an E.164 number, country code included. No number has fewer than six. */
const E164 = /^\+\d{6,15}$/;

/** The number after a + or an international prefix; undefined if it begins with no calling code. */
export function readInternational(digits: string): Reading | undefined {
	const plan = planByLeadingCallingCode(digits);
	if (!plan) return undefined;
	const national = digits.slice(plan.callingCode.length);
	if (national.length < 2) return undefined;
	const stripped = plan.withoutTrunkPrefix(national);
	// Nobody dials a carrier after a calling code
	const hasCarrier = national.length - stripped.length > LONGEST_TRUNK_PREFIX;
	return readingOf(plan, hasCarrier ? national : stripped);
}

const LONGEST_TRUNK_PREFIX = 3;

const LONGEST_CODE = 3;

/** Whether a whole number with its calling code follows 00 after another calling code, as behind the code that a form sets. */
export function isAbroadAfterCode(digits: string): boolean {
	const [, abroad] = /^00(.*)$/.exec(afterCallingCode(digits)) ?? [];
	const plan = planByLeadingCallingCode(digits);
	return (
		abroad !== undefined && !plan?.hasNumber(`00${abroad}`) && isWhole(readInternational(abroad))
	);
}

/** The digits after the calling code at the beginning. */
export function afterCallingCode(digits: string): string {
	return digits.slice(codeOf(digits).length);
}

function codeOf(digits: string): string {
	return planByLeadingCallingCode(digits)?.callingCode ?? '';
}

/** The number after a calling code that is written twice, also after 00; undefined if it is not. */
export function readWithCodeTwice(digits: string): Reading | undefined {
	const rest = afterCallingCode(digits).replace(/^00/, '');
	const isTwice = planByLeadingCallingCode(digits) === planByLeadingCallingCode(rest);
	const reading = isTwice ? readInternational(rest) : undefined;
	return isWhole(reading) ? reading : undefined;
}

/** Numbers that only the user can decide between. */
export interface Ambiguity {
	/** In E.164. */
	either: string[];
}

/**
 * The number as it is written in a country: after its prefix for calls abroad, national, or after its own calling code. `00`
 * leads abroad from everywhere, unless the plan has such a number (Japan's 0037…, Qatar's 0080…).
 * @param isGrouped whether a person has written it with spaces or the like, not a spreadsheet that drops the +
 * @param firstGroup how many digits are together at the start then
 */
export function readNational(
	digits: string,
	plan: NumberingPlan,
	isGrouped: boolean,
	firstGroup?: number,
): Ambiguity | Reading | undefined {
	const reading = readDigits(digits, plan, isGrouped, firstGroup);
	if (reading === undefined || 'either' in reading) return reading;
	const national = plan.withoutTrunkPrefix(digits);
	const isNational = reading.e164 === `+${plan.callingCode}${national}`;
	const neighbor = isNational ? plan.neighborWith(national) : undefined;
	const meant = reading.isPossible ? neighbor : without0(digits, plan);
	return meant === undefined ? reading : { either: [meant] };
}

function readDigits(
	digits: string,
	plan: NumberingPlan,
	isGrouped: boolean,
	firstGroup?: number,
): Ambiguity | Reading | undefined {
	const after00 = digits.startsWith('00') ? readInternational(digits.slice(2)) : undefined;
	const abroad = plan.afterInternationalPrefix(digits);
	const carried = abroad === undefined ? undefined : readInternational(abroad);
	if (carried && isWhole(carried)) {
		const isRival = after00 && isWhole(after00) && hasAllDigits(after00, digits.slice(2));
		const isOther = isRival && after00.e164 !== carried.e164;
		return isOther ? { either: [after00.e164, carried.e164] } : carried;
	}
	if (isWhole(after00) && after00?.e164.startsWith(`+${plan.callingCode}`)) return after00;
	const inside = readInside(digits, plan);
	const after0 = abroad === undefined ? readAfter0(digits, inside, plan) : undefined;
	if (after0) return after0;
	if (plan.hasNumber(digits) && digits.startsWith('0')) {
		if (after00 && isWhole(after00)) return { either: [after00.e164, inside.e164] };
		return carried?.isPossible ? carried : inside;
	}
	const own = abroad === undefined ? inside : carried;
	if (after00 === undefined) return readBareInside(digits, own, plan, isGrouped, firstGroup);
	if (isWhole(after00)) return after00;
	return own?.isPossible || !after00?.isPossible ? own : after00;
}

/** Whether a reading has all of the digits, except for a trunk 0 that people keep after the calling code. */
function hasAllDigits(reading: Reading, digits: string): boolean {
	if (reading.e164 === `+${digits}`) return true;
	const code = codeOf(digits);
	return digits === `${code}0${nationalOf(reading, code)}`;
}

/** Whether digits begin with a calling code such as 800, which are free numbers inside many countries. */
function isOfNoCountry(digits: string): boolean {
	return planByLeadingCallingCode(digits)?.region === '001';
}

function nationalOf({ e164 }: Reading, callingCode: string): string {
	return e164.slice(1 + callingCode.length);
}

/**
 * The number after a 0 and the country's own calling code, as in 0971 50 123 4567, which people write for 00 or +.
 * @param inside the digits as a national number
 * @returns undefined if they can only be national
 */
function readAfter0(
	digits: string,
	inside: Reading,
	{ callingCode, longestUsual }: NumberingPlan,
): Ambiguity | Reading | undefined {
	if (!digits.startsWith(`0${callingCode}`)) return undefined;
	const reading = readInternational(digits.slice(1));
	if (!reading || !isWhole(reading)) return undefined;
	if (!isWhole(inside)) return reading;
	if (nationalOf(inside, callingCode).length <= longestUsual) return undefined;
	return { either: [reading.e164, inside.e164] };
}

/**
 * Digits that may be a number as the country dials it, or one with its calling code whose + was lost.
 * @param inside the number as the country dials it
 */
function readBareInside(
	digits: string,
	inside: Reading | undefined,
	plan: NumberingPlan,
	isGrouped: boolean,
	firstGroup?: number,
): Ambiguity | Reading | undefined {
	const main = planOfCallingCode(plan.callingCode) ?? plan;
	if (inside && !isGrouped && main.mayLackZero(digits)) {
		return { either: [inside.e164, `+${plan.callingCode}0${digits}`] };
	}
	const isAsWritten = inside?.e164 === `+${plan.callingCode}${digits}`;
	if (inside?.isPossible && isAsWritten && main.lacksZero(digits)) {
		return { either: [`+${plan.callingCode}0${digits}`] };
	}
	const half = afterHalfTrunkPrefix(digits, inside, plan);
	if (half) return half;
	const { callingCode, longestUsual } = plan;
	const international = readInternational(digits);
	if (!international || !isWhole(international) || !hasAllDigits(international, digits))
		return inside;
	const isHome = international.e164.startsWith(`+${callingCode}`);
	// If the digits are a whole number of another country, a length that fits this one is not enough
	if (!isHome && !isWhole(inside)) return { either: [international.e164] };
	const isCode = isGrouped && firstGroup === codeOf(digits).length && !isOfNoCountry(digits);
	if (!isAsWritten) {
		const cut = inside && !isHome ? digits.length - nationalOf(inside, callingCode).length : 0;
		// Brazil's 90 of collect calls is Turkey's calling code, Russia's 8 begins other ones
		const isOther = cut > 1 || (cut === 1 && isCode);
		return inside && isOther ? { either: [international.e164, inside.e164] } : inside;
	}
	// The general pattern of a plan has more than its numbers
	if (!isHome && main.lacksType(digits)) return { either: [international.e164] };
	const isUsual = inside.isPossible && digits.length <= longestUsual;
	if (isHome && !(isUsual && isWhole(inside))) return international;
	const has0 = international.e164 !== `+${digits}`;
	// Without the 0 that people write, or in a longer number than they do, the first group is the calling code
	const showsCode = isCode && (plan.writesTrunk0(digits) || !isUsual);
	if (!isHome && showsCode && !has0) return { either: [international.e164, inside.e164] };
	if (!isHome && (isUsual || isGrouped || has0)) return inside;
	return { either: inside.isPossible ? [international.e164, inside.e164] : [international.e164] };
}

/** The number after a trunk prefix such as 06 whose 0 a spreadsheet has dropped; undefined if the digits can't have one. */
function afterHalfTrunkPrefix(digits: string, inside: Reading | undefined, plan: NumberingPlan) {
	const rest = plan.afterHalfTrunkPrefix(digits);
	const reading = rest === undefined ? undefined : readingOf(plan, rest);
	if (!reading || !isWhole(reading)) return undefined;
	const international = readInternational(digits);
	const foreign = international?.e164 === `+${digits}` ? international : undefined;
	const either = [reading, inside, foreign].flatMap((each) =>
		each && isWhole(each) ? [each.e164] : [],
	);
	return either.length === 1 ? reading : { either };
}

/** Whether a number is possible, and fits its plan. */
export function isWhole(reading?: Reading): boolean {
	return reading?.isPossible === true && reading.fitsPlan;
}

/** Whether the digits can only be a number inside the country, right or wrong. */
export function isInside(digits: string, plan: NumberingPlan): boolean {
	const leadsAbroad =
		digits.startsWith('00') || plan.afterInternationalPrefix(digits) !== undefined;
	// Longer digits are two numbers
	return plan.hasNumber(digits) || (!leadsAbroad && digits.length <= MAX_DIGITS);
}

/**
 * The number after `00`, without a country; undefined if it cannot be one. Australia dials 0011, and other countries other
 * prefixes that begin with 00: if a number follows such a prefix, only the user knows which is meant.
 * @param firstGroup how many digits are together at the start, if the number has groups. If they are 00, or 00 and the calling
 * code, only a prefix that ends there is another one
 */
export function readAfter00(digits: string, firstGroup?: number): Ambiguity | Reading | undefined {
	const reading = readInternational(digits.slice(2));
	if (!reading?.isPossible) return undefined;
	const isSet = firstGroup === 2 || firstGroup === 2 + codeOf(digits.slice(2)).length;
	return unlessDialled(digits, reading, isSet ? firstGroup : undefined);
}

/**
 * Bare digits, without a country: the number with its calling code. `either` also includes a national number elsewhere.
 * @param firstGroup as above. A short one is the calling code, or an area code; a 0 is left out only after the calling code alone
 */
export function readBare(
	digits: string,
	firstGroup = digits.length,
): Ambiguity | Reading | undefined {
	const reading = readInternational(digits);
	if (!reading || !isWhole(reading)) return undefined;
	const isCut = reading.e164 !== `+${digits}`;
	const isOther = firstGroup !== codeOf(digits).length && (isCut || firstGroup <= LONGEST_CODE);
	return isOther || isNationalSomewhere(digits)
		? { either: [reading.e164] }
		: unlessDialled(digits, reading);
}

/** The reading, unless the digits are dialled as another number from some country. */
function unlessDialled(digits: string, reading: Reading, group?: number): Ambiguity | Reading {
	const others = afterAnyInternationalPrefix(digits)
		.filter((rest) => group === undefined || digits.length - rest.length === group)
		.filter((rest) => {
			const other = readInternational(rest);
			return isWhole(other) && other?.e164 === `+${rest}`;
		})
		.map((rest) => `+${rest}`);
	const either = [...new Set([reading.e164, ...others])];
	return either.length === 1 ? reading : { either };
}

/**
 * The number after a 0 that the plan doesn't have, in E.164: an old trunk prefix, the habit of another country, or a number of that
 * country. Undefined if it isn't one.
 */
function without0(digits: string, plan: NumberingPlan): string | undefined {
	const national = digits.slice(1);
	const isNumber = plan.isUsualLength(national) && plan.hasNumber(national);
	if (!/^0[1-9]/.test(digits) || !isNumber) return undefined;
	return `+${plan.callingCode}${national}`;
}

function readInside(digits: string, plan: NumberingPlan): Reading {
	const main = planOfCallingCode(plan.callingCode) ?? plan;
	const own = plan.withoutOwnCallingCode(digits);
	const national =
		own === undefined ? plan.withoutTrunkPrefix(digits) : main.withoutTrunkPrefix(own);
	const reading = readingOf(main, national);
	const isLocal = reading.isPossible && national === digits && main.mayLackAreaCode(digits);
	// What follows a carrier is a usual number
	const hasCarrier = digits.length - national.length > LONGEST_TRUNK_PREFIX;
	const isCut = own === undefined && hasCarrier && !main.isUsualLength(national);
	// A length alone is not enough: the 0 or 15 before a number may be no part of it
	const isPossible = isWhole(reading) && !isLocal && !isCut;
	return { ...reading, isPossible, isShort: reading.isShort || isLocal };
}

function readingOf(plan: NumberingPlan, national: string): Reading {
	const e164 = `+${plan.callingCode}${national}`;
	const fitsPlan = plan.hasNumber(national);
	const verdict = plan.lengthVerdict(national);
	// Other numbers may have this length: Australia has 1300 numbers, and 9374 4000 only inside an area
	const isShort = !fitsPlan && national.length < plan.shortestUsual;
	return {
		e164,
		isPossible: verdict === 'possible' && !isShort && E164.test(e164),
		fitsPlan,
		isLocalOnly: verdict === 'localOnly',
		isShort: verdict === 'possible' && isShort,
	};
}

/** Whether a number in E.164 is as long as usual fixed lines and mobiles of its plan. */
export function isUsual(e164: string): boolean {
	const digits = e164.slice(1);
	return planByLeadingCallingCode(digits)?.isUsualLength(afterCallingCode(digits)) ?? false;
}

/** Whether a number can be looked up unchanged. */
export function isE164(number: string): boolean {
	return E164.test(number);
}
