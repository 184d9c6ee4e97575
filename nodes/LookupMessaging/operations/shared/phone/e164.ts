import {
	isNationalSomewhere,
	planAbroad,
	planOfCallingCode,
	type NumberingPlan,
} from './numberingPlans';

/**
 * Reads the digits of a number as libphonenumber's `parse` does, and never guesses more than that: ITU-T E.164 §6,
 * SPEC §4.2 ("E.164 or local format; a local number needs a country hint").
 */

/** A number read with its country. */
export interface Reading {
	/** "+" and digits. */
	e164: string;
	/** Whether the numbering plan has numbers of this length that can be called from anywhere. */
	isPossible: boolean;
	/** Whether it fits the pattern of the plan, too. */
	fitsPlan: boolean;
	/** Whether it lacks an area code. */
	isLocalOnly: boolean;
}

/** Digits of an E.164 number, country code included. No number has fewer than six. */
const E164 = /^\+\d{6,15}$/;

/** The number after a + or an international prefix; undefined where it begins with no calling code. */
export function readInternational(digits: string): Reading | undefined {
	const plan = planAbroad(digits);
	if (!plan) return undefined;
	const national = digits.slice(plan.callingCode.length);
	return national.length < 2 ? undefined : readingOf(plan, plan.withoutTrunkPrefix(national));
}

/**
 * The number as it is written in a country: after its prefix for calls abroad, national, or after its own calling code. `00` leads
 * abroad from everywhere, unless the plan has such a number.
 * @returns `ambiguous` where `00` and the country's own prefix, which may name a carrier, lead to different numbers
 */
export function readNational(
	digits: string,
	plan: NumberingPlan,
): Reading | 'ambiguous' | undefined {
	const after00 = digits.startsWith('00') ? readInternational(digits.slice(2)) : undefined;
	const abroad = plan.afterInternationalPrefix(digits);
	const carried = abroad === undefined ? undefined : readInternational(abroad);
	if (carried?.isPossible && carried.fitsPlan) {
		const isRival =
			after00?.e164 === `+${digits.slice(2)}` && after00.isPossible && after00.fitsPlan;
		return isRival && after00.e164 !== carried.e164 ? 'ambiguous' : carried;
	}
	if (after00?.isPossible && after00.fitsPlan && isOf(after00, plan)) return after00;
	const inside = readInside(digits, plan);
	// Qatar dials 00 abroad, and has numbers of its own that begin so
	if (plan.hasNumber(digits)) return carried?.isPossible ? carried : inside;
	if (abroad === undefined && inside.isPossible && inside.fitsPlan) return inside;
	if (after00?.isPossible && after00.fitsPlan) return after00;
	const own = abroad === undefined ? inside : carried;
	return own?.isPossible || !after00?.isPossible ? own : after00;
}

function isOf({ e164 }: Reading, { callingCode }: NumberingPlan): boolean {
	return e164.startsWith(`+${callingCode}`);
}

/** Whether the digits can only be a number inside the country, right or wrong. */
export function isInside(digits: string, plan: NumberingPlan): boolean {
	const leadsAbroad =
		digits.startsWith('00') || plan.afterInternationalPrefix(digits) !== undefined;
	return !leadsAbroad || plan.hasNumber(digits);
}

/** The number after `00`, in no country; undefined where it cannot be one. */
export function readAfter00(digits: string): Reading | undefined {
	const reading = readInternational(digits);
	return reading?.isPossible ? reading : undefined;
}

/**
 * Bare digits, in no country: the number with its calling code, if it can be nothing else.
 * @returns `ambiguous` where people in another country write a national number so
 */
export function readBare(digits: string): Reading | 'ambiguous' | undefined {
	const reading = readInternational(digits);
	if (!reading?.isPossible || !reading.fitsPlan) return undefined;
	return isNationalSomewhere(digits) ? 'ambiguous' : reading;
}

function readInside(digits: string, plan: NumberingPlan): Reading {
	const main = planOfCallingCode(plan.callingCode) ?? plan;
	const own = plan.withoutOwnCallingCode(digits);
	return readingOf(
		main,
		own === undefined ? plan.withoutTrunkPrefix(digits) : main.withoutTrunkPrefix(own),
	);
}

function readingOf(plan: NumberingPlan, national: string): Reading {
	const e164 = `+${plan.callingCode}${national}`;
	const verdict = plan.lengthVerdict(national);
	return {
		e164,
		isPossible: verdict === 'possible' && E164.test(e164),
		fitsPlan: plan.hasNumber(national),
		isLocalOnly: verdict === 'localOnly',
	};
}

/** Whether a number can be asked about as it is. */
export function isE164(number: string): boolean {
	return E164.test(number);
}
