import type { INodeProperties } from 'n8n-workflow';
import type { LocalAnswer } from '../../../engine/operation';
import { quote } from '../../../engine/plan/values';
import { readLookedUp } from '../readText';
import {
	areOf,
	endsInSign,
	inPlace,
	mayHaveHours,
	mayHaveMark,
	mayHaveWords,
	maySpell,
	several,
	severalBySlash,
} from './besideNumber';
import { countryField, readCountry } from './country';
import {
	afterCallingCode,
	isAbroadAfterCode,
	isE164,
	isInside,
	isUsual,
	isWhole,
	readAfter00,
	readBare,
	readInternational,
	readNational,
	readWithCodeTwice,
	type Ambiguity,
	type Reading,
} from './e164';
import { planByLeadingCallingCode, planOfCallingCode, type NumberingPlan } from './numberingPlans';
import { asWritten, readSpelling, type Spelling } from './spelling';

/**
 * The sent form of a phone number: E.164, if the number can be completed without a guess (SPEC §4.1, §4.2). Duplicate numbers are
 * equal in E.164.
 */

/** A number as it is sent. */
export interface AskedNumber {
	/** E.164; with a country, the digits of a national number. */
	number: string;
	/** ISO 3166-1 alpha-2 hint for a national number that the numbering plan does not know. */
	country?: string;
	/** An extension that was left out. */
	extension?: string;
	/** What is doubtful about a national number, as a predicate of the field. */
	doubt?: string;
	/** Whether a national number may lack its area code. */
	isPart?: boolean;
}

/** Enough for every spelling of a number, with words beside it. */
const MAX_CHARACTERS = 500;
const FEWEST_DIGITS = 3;

export const phoneNumberField: INodeProperties = {
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +44 20 7946 0018',
	description: 'The phone number to look up, in any format. Set Country if it has no country code.',
};

/** Reads a phone number, for an endpoint that takes only E.164. @param country the value of the field Country */
export function readPhoneNumber(value: unknown, country: unknown): AskedNumber | LocalAnswer {
	const read = readNumber(value, country);
	return 'local' in read || read.doubt === undefined ? read : incomplete(read.doubt);
}

/**
 * Reads a phone number. If its country is known but has no such number, it remains national, for the service to decide.
 */
export function readPhoneNumberOrNational(
	value: unknown,
	country: unknown,
): AskedNumber | LocalAnswer {
	const read = readNumber(value, country);
	if ('local' in read || read.doubt === undefined) return read;
	return read.country === undefined ? incomplete(read.doubt) : read;
}

function readNumber(value: unknown, country: unknown): AskedNumber | LocalAnswer {
	const text = readLookedUp(value, phoneNumberField.displayName, 'a phone number', MAX_CHARACTERS);
	if (typeof text !== 'string') return text;
	const written = asWritten(text);
	const spelling = readSpelling(written);
	if ('reason' in spelling) {
		return spelling.isCertain ? malformed(spelling.reason) : incomplete(spelling.reason);
	}
	if (spelling.digits.length < FEWEST_DIGITS) {
		return malformed(`(${quote(written)}) is too short for a phone number`);
	}
	const shown = `(${quote(written)})`;
	if (!spelling.hasPlus && REPEATED.test(spelling.digits)) return incomplete(inPlace(shown));
	const { withoutHours } = spelling;
	if (withoutHours !== undefined && isWholeNumber(withoutHours, spelling.hasPlus, country, true))
		return incomplete(mayHaveHours(shown));
	if (isMarked(spelling, country)) return incomplete(mayHaveMark(shown));
	if (isRange(spelling, country)) return incomplete(severalBySlash(shown));
	const doubt = extensionProblem(spelling, country, shown);
	if (doubt !== undefined) return incomplete(doubt);
	const number = withoutWords(spelling, country);
	if (!number) return incomplete(mayHaveWords(shown));
	const read = complete(number, country, shown);
	// What may be a foreign number must not be cut, and told to be another one
	const before = 'local' in read && !number.hasPlus ? undefined : numberBefore(spelling, country);
	if (before !== undefined) {
		return incomplete(
			`${shown} may end before its last digits, which may be an extension, a range, another number or other text. Write ${before} if that is the number`,
		);
	}
	if ('local' in read) return read;
	const { extension, slashes, beginnings = [] } = spelling;
	if (read.doubt !== undefined && slashes.length > 0) return incomplete(severalBySlash(shown));
	if (beginnings.length > 0 && isPair(number, read.doubt === undefined))
		return incomplete(several(shown));
	return extension === undefined ? read : { ...read, extension };
}

const REPEATED = /^(\d)\1+$/;
const REPEATED_AS_NUMBER = /^(\d)\1{6,}$/;

const MEXICAN_ID = /^521\d{10}$/;

/** What reading the digits needs. */
type Written = Pick<
	Spelling,
	'hasPlus' | 'digits' | 'isGrouped' | 'firstGroup' | 'withoutBracketedZero'
>;

function complete(spelling: Written, country: unknown, shown: string): AskedNumber | LocalAnswer {
	const { withoutBracketedZero, ...written } = spelling;
	if (withoutBracketedZero === undefined) return completePlain(written, country, shown);
	const whole = completePlain(written, country, shown);
	const without = completePlain({ ...written, digits: withoutBracketedZero }, country, shown);
	if (!isWholeAsked(without)) return whole;
	if (!isWholeAsked(whole) || whole.number === without.number) return without;
	return incomplete(
		`${shown} may be ${without.number} or ${whole.number}. Write it without brackets`,
	);
}

/** Whether a number is read without doubt, and is a whole one. */
function isWholeAsked(read: AskedNumber | LocalAnswer): read is AskedNumber {
	return (
		!('local' in read) &&
		read.doubt === undefined &&
		isWhole(readInternational(read.number.slice(1)))
	);
}

function completePlain(
	spelling: Omit<Written, 'withoutBracketedZero'>,
	country: unknown,
	shown: string,
): AskedNumber | LocalAnswer {
	const { hasPlus, digits, isGrouped, firstGroup } = spelling;
	// The ID of a mobile in WhatsApp, which no other country writes so
	if (!hasPlus && MEXICAN_ID.test(digits)) return readWithPlus(spelling, undefined, shown);
	if (hasPlus && !digits.startsWith('0')) {
		return readWithPlus(spelling, country, shown);
	}
	const plan = readCountry(country);
	if (digits.startsWith('00') && (plan === undefined || typeof plan === 'string')) {
		const reading = readAfter00(digits, isGrouped ? firstGroup : undefined);
		if (reading && 'e164' in reading) return { number: reading.e164 };
		if (reading && !plan) return readAnywhere(reading, shown);
	}
	if (typeof plan === 'string') {
		return { local: 'incomplete', field: countryField.displayName, reason: plan };
	}
	return plan
		? readInCountry(spelling, plan, shown)
		: readAnywhere(digits.startsWith('0') ? undefined : readBare(digits, firstGroup), shown);
}

/** The number that a + may stand before by mistake, in E.164: one with a trunk prefix, or one of Country that is none behind the +. */
function behindStrayPlus(
	{ digits, isGrouped = false, firstGroup }: Written,
	country: unknown,
	isNumber: boolean,
) {
	const plan = readCountry(country);
	const home = typeof plan === 'object' ? plan : undefined;
	// A trunk prefix of one digit alone. No calling code is 8, and people write it in Russia and around it
	const russian = digits.startsWith('8') ? planOfCallingCode('7') : undefined;
	const prefixed =
		firstGroup === 1
			? (home?.afterTrunkPrefix(digits) ?? russian?.afterTrunkPrefix(digits))
			: undefined;
	if (prefixed !== undefined || isNumber) return prefixed;
	const inside = home && readNational(digits, home, isGrouped, firstGroup);
	return inside && 'e164' in inside && inside.isPossible && isUsual(inside.e164)
		? inside.e164
		: undefined;
}

/** A number with its calling code is looked up unchanged, even if the plan has no number of its length. */
function readWithPlus(spelling: Written, country: unknown, shown: string) {
	const { digits } = spelling;
	const reading = readInternational(digits);
	if (!reading) {
		return incomplete(
			`${shown} doesn't start with a country calling code. Check what follows the +`,
		);
	}
	const { e164 } = reading;
	const isNumber = isWhole(reading);
	if (!isNumber) {
		if (REPEATED_AS_NUMBER.test(afterCallingCode(digits))) return incomplete(inPlace(shown));
		const once = readWithCodeTwice(digits);
		if (once) {
			return incomplete(
				`${shown} has its country code twice. Write ${once.e164} if that is the number`,
			);
		}
	}
	if (/^\d{1,3}00/.test(digits) && isAbroadAfterCode(digits)) {
		return incomplete(
			`${shown} has 00 after its country code. Write the number with one country code`,
		);
	}
	const mayBeStray = !isNumber || spelling.firstGroup === 1;
	const national = mayBeStray ? behindStrayPlus(spelling, country, isNumber) : undefined;
	if (national !== undefined && national !== e164) {
		return incomplete(`${shown} may be ${national} or ${e164}. Write its country code after the +`);
	}
	if (isE164(e164)) return { number: e164 };
	return e164.length < 10
		? malformed(`${shown} has too few digits for a phone number`)
		: incomplete(`${shown} has too many digits for a phone number. Enter one number per item`);
}

function readInCountry(
	{ digits, isGrouped = false, firstGroup }: Pick<Written, 'digits' | 'firstGroup' | 'isGrouped'>,
	plan: NumberingPlan,
	shown: string,
): AskedNumber | LocalAnswer {
	const reading = readNational(digits, plan, isGrouped, firstGroup);
	const { region } = plan;
	if (reading && 'either' in reading) {
		// The service could only guess, too, and would charge for the number of another subscriber
		const more = reading.either.length === 1 ? [`a wrong number in ${region}`] : [];
		return incomplete(
			`${shown} may be ${[...reading.either, ...more].join(' or ')}. Write it with + and its country code`,
		);
	}
	if (reading?.isPossible) return { number: reading.e164 };
	return {
		number: digits,
		...(region !== '001' && isInside(digits, plan) && { country: region }),
		doubt: `${shown} ${problemOf(reading, region)}. Check the number and ${countryField.displayName}, or write it with + and its country code`,
		isPart: Boolean(reading?.isLocalOnly || reading?.isShort),
	};
}

function problemOf(reading: Reading | undefined, region: string): string {
	if (reading?.isLocalOnly) return 'lacks its area code';
	return reading?.isShort
		? `is too short for a phone number in ${region}, so its area code may be missing`
		: `isn't a phone number in ${region}`;
}

/** Digits without a country. */
function readAnywhere(reading: Ambiguity | Reading | undefined, shown: string) {
	const remedy = `Set ${countryField.displayName}, or write it with + and its country code`;
	const needs = `phone numbers need a country. Set ${countryField.displayName}`;
	if (reading === undefined)
		return { ...incomplete(`${shown} can't be read without its country. ${remedy}`), needs };
	if ('e164' in reading) return { number: reading.e164 };
	const [first, other] = reading.either;
	const rival = other ? `or ${other}` : 'or a national number of another country';
	return { ...incomplete(`${shown} may be ${first}, ${rival}. ${remedy}`), needs };
}

/**
 * What is wrong with an extension that only a sign shows: after a comma it may be another number, and +1 202 555 0143# has none.
 */
function extensionProblem(spelling: Spelling, country: unknown, shown: string): string | undefined {
	const { hasPlus, digits, extension, isListed, isSpaced, isBySign } = spelling;
	if (extension === undefined || !isBySign) return undefined;
	const isNumber = (part: string) => isWholeNumber(part, hasPlus, country, true);
	const mayBeOther = isSpaced || extension.length >= DIGITS_OF_NUMBER || isNumber(extension);
	if (isListed && mayBeOther) return several(shown);
	const isPart = isNumber(`${digits}${extension}`) && !isNumber(digits);
	return isPart ? endsInSign(shown) : undefined;
}

const DIGITS_OF_NUMBER = 7;
const DIGITS_OF_HALF = 6;

/** Whether two halves of a text may be short numbers: 555-0142 555-0143. @param isNumber whether they are one number together */
function isPair({ hasPlus, digits, beginnings = [] }: Spelling, isNumber: boolean): boolean {
	const half = beginnings.find(({ length }) => 2 * length === digits.length) ?? '';
	const isAlike = digits.startsWith(half.slice(0, FEWEST_DIGITS), half.length);
	return !hasPlus && half.length >= DIGITS_OF_HALF && (isAlike || !isNumber);
}

/**
 * Whether the digits without a possible line number are another whole number. 1 and 8 are also trunk prefixes. Any short first group
 * may be one where a number is as long as numbers are without it alone: 10 98765 43210 in India.
 */
function isMarked(spelling: Spelling, country: unknown): boolean {
	const { hasPlus, digits, firstGroup, withoutMarks = [], withoutFirstGroup } = spelling;
	const rests = new Set(withoutMarks);
	if (withoutFirstGroup !== undefined) rests.add(withoutFirstGroup);
	if (rests.size === 0) return false;
	const read = (of: Partial<Spelling>) =>
		complete({ hasPlus, digits, isGrouped: true, ...of }, country, '');
	const marked = read({ firstGroup });
	if ('local' in marked) return false;
	return [...rests].some((rest) => {
		const unmarked = read({ digits: rest });
		if ('local' in unmarked || marked.number === unmarked.number) return false;
		if (!isWholeNumber(rest, hasPlus, country, true)) return false;
		const isLonger = isUsual(unmarked.number) && !isUsual(marked.number);
		if (isLonger && marked.number.endsWith(digits)) return true;
		// Two digits before a 0 that belongs to the number are its first group
		const isGroup = digits.length - rest.length > 1 && unmarked.number.endsWith(rest);
		return withoutMarks.includes(rest) && !isGroup;
	});
}

/**
 * A slash may follow an area code (030/1234567), or separate all groups (20/12/37/23). After any other whole number another one
 * begins, or another last digit (030 1234567/8).
 */
function isRange({ hasPlus, digits, slashes }: Spelling, country: unknown): boolean {
	const isNumber = (part: string) => isWholeNumber(part, hasPlus, country, true);
	const whole = slashes.filter(({ before }) => isNumber(before));
	if (whole.length === 0) return false;
	if (!isNumber(digits)) return true;
	// If numbers differ in length, an area code alone may look like a short one
	return whole.some(
		({ before, isBetweenGroups }) => before.length >= DIGITS_OF_NUMBER && !isBetweenGroups,
	);
}

/** Germany and Austria, where what follows a fixed line is an extension that is dialled directly: 030 12345-67. */
const HAS_DIRECT_DIALLING = /^\+4(?:3(?!6[5-9])|9(?!1[5-7]))/;

/**
 * The number that a text may have before its last groups. The rest is an extension, the end of a range (021-5551234-36), another
 * number.
 */
function numberBefore(spelling: Spelling, country: unknown): string | undefined {
	const { hasPlus, digits, withoutLetters, lastGroup, beginnings = [], firstGroup } = spelling;
	if (beginnings.length === 0) return undefined;
	const read = (part: string) => wholeNumber(part, hasPlus, country, true, firstGroup);
	const written = withoutLetters ?? digits;
	const whole = read(written);
	const { size = 0, previousSize = 0, isSetOff = false } = lastGroup ?? {};
	// A number ends in no digit alone, but in Germany and Austria any digits may follow
	const isApart = isSetOff || (size === 1 && !/^\+4[39]/.test(whole ?? ''));
	if (whole !== undefined && isUsual(whole) && !isApart) return undefined;
	// Other digits after a + are looked up unchanged, so an unusual number must not be part of them, either
	const takesAny = hasPlus && whole === undefined;
	const parts = beginnings
		.filter(({ length }) => length > DIGITS_OF_NUMBER)
		.map(read)
		.filter((number) => number !== undefined && (takesAny || isUsual(number)));
	const last = parts.at(-1);
	const shorter = lastGroup && parts.find((number) => number === read(lastGroup.before));
	if (last === undefined || HAS_DIRECT_DIALLING.test(last)) return undefined;
	if (whole === undefined) return last;
	if (shorter === undefined) return undefined;
	// A trunk prefix that would be a digit of a rare number: 8 (495) 123-45-67 751
	if (!isUsual(whole) && afterCallingCode(whole.slice(1)) === written && !whole.startsWith(shorter))
		return shorter;
	// The last group of one number is not much shorter than the one before it
	return (isApart || !isUsual(whole)) && size < previousSize - 1 ? shorter : undefined;
}

/**
 * The number without words beside it: labels, and the name of its country. Letters are digits (ITU-T E.161) if they complete a
 * number.
 * @returns undefined if there are other words, or if letters may be either
 */
function withoutWords(spelling: Spelling, country: unknown): Spelling | undefined {
	const { hasPlus, digits, withoutLetters, wordsBefore, wordsAfter } = spelling;
	const areLeftOut = (words: string) => {
		if (words === '') return true;
		const plan = hasPlus ? planByLeadingCallingCode(digits) : readCountry(country);
		return typeof plan === 'object' && areOf(words, plan);
	};
	if (!areLeftOut(wordsBefore)) return undefined;
	if (withoutLetters === undefined) return areLeftOut(wordsAfter) ? spelling : undefined;
	const isDialled = isWholeNumber(digits, hasPlus, country);
	const isAlone = isWholeNumber(withoutLetters, hasPlus, country);
	if (isDialled === isAlone) return undefined;
	const isVanity =
		spelling.isVanity && maySpell(hasPlus ? afterCallingCode(withoutLetters) : withoutLetters);
	if (isDialled) return isVanity ? spelling : undefined;
	const areWords = spelling.endsInWords === true && areLeftOut(wordsAfter);
	return areWords ? { ...spelling, digits: withoutLetters } : undefined;
}

function isWholeNumber(
	digits: string,
	hasPlus: boolean,
	country: unknown,
	isGrouped = false,
): boolean {
	return wholeNumber(digits, hasPlus, country, isGrouped) !== undefined;
}

/** The digits in E.164, if they are a whole number. */
function wholeNumber(
	digits: string,
	hasPlus: boolean,
	country: unknown,
	isGrouped: boolean,
	firstGroup?: number,
): string | undefined {
	const read = complete({ hasPlus, digits, isGrouped, firstGroup }, country, '');
	return isWholeAsked(read) ? read.number : undefined;
}

function malformed(reason: string): LocalAnswer {
	return { local: 'malformed', field: phoneNumberField.displayName, reason };
}

/** Not certainly a no: the text may hide a number. */
function incomplete(reason: string): LocalAnswer {
	return { local: 'incomplete', field: phoneNumberField.displayName, reason };
}
