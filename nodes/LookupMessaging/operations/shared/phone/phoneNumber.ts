import type { INodeProperties } from 'n8n-workflow';
import type { Answer } from '../../../engine/client';
import type { LocalAnswer } from '../../../engine/operation';
import { asciiDigits, quote, readText } from '../../../engine/plan/values';
import { countryField, readCountry } from './country';
import { isE164, readAfter00, readBare, readInternational, readNational } from './e164';
import type { NumberingPlan } from './numberingPlans';
import { readSpelling, type Spelling } from './spelling';

/**
 * What is asked about a phone number: E.164, whenever the number can be completed without a guess (SPEC §4.1, §4.2). Equal
 * numbers are equal in E.164.
 */

/** A number as it is sent. */
export interface AskedNumber {
	/** E.164; beside a country, the digits of a national number. */
	number: string;
	/** ISO 3166-1 alpha-2 hint for a national number that the numbering plan does not know. */
	country?: string;
	/** An extension that was left out. */
	extension?: string;
}

/** Enough for every way to write a number, with words beside it. */
const MOST_CHARACTERS = 500;
const FEWEST_DIGITS = 3;

export const phoneNumberField: INodeProperties = {
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +44 20 7946 0018',
	description: 'The phone number to look up. It is asked about in E.164, however it is written.',
};

/** Reads a phone number, for an endpoint that takes E.164 alone. @param country the value of the field Country */
export function readPhoneNumber(value: unknown, country: unknown): AskedNumber | LocalAnswer {
	const read = readNumber(value, country);
	return 'local' in read || read.doubt === undefined ? read : incomplete(read.doubt);
}

/**
 * Reads a phone number. Where its country is known but has no number of that length, it stays national, for the service to
 * decide.
 */
export function readPhoneNumberOrNational(
	value: unknown,
	country: unknown,
): AskedNumber | LocalAnswer {
	const read = readNumber(value, country);
	if ('local' in read || read.doubt === undefined) return read;
	const { doubt, ...asked } = read;
	return asked.country === undefined ? incomplete(doubt) : asked;
}

/** Says in the answer which number was asked about, and what was left out of it. */
export function withNumberAsked(answer: Answer, { number, extension }: AskedNumber): Answer {
	const record = isE164(number) ? { ...answer.record, phoneNumber: number } : answer.record;
	if (extension === undefined) return { ...answer, record };
	const leftOut = `extension ${extension} was left out`;
	return {
		...answer,
		record: { ...record, extension },
		reason: answer.reason === undefined ? leftOut : `${answer.reason}; ${leftOut}`,
	};
}

/** A number with what speaks against it, as a predicate of the field. */
type ReadNumber = AskedNumber & { doubt?: string };

function readNumber(value: unknown, country: unknown): LocalAnswer | ReadNumber {
	const text = readText(value, phoneNumberField.displayName, 'a phone number', MOST_CHARACTERS);
	if (typeof text !== 'string') return text;
	const written = asWritten(text);
	const spelling = readSpelling(written);
	if ('reason' in spelling) {
		return spelling.isCertain ? malformed(spelling.reason) : incomplete(spelling.reason);
	}
	if (spelling.digits.length < FEWEST_DIGITS) {
		return malformed(`(${quote(written)}) is too short for a phone number`);
	}
	if (hasWords(spelling, country)) {
		return incomplete(`(${quote(written)}) has letters that belong to no number; remove them`);
	}
	const read = complete(spelling, country, `(${quote(written)})`);
	const { extension } = spelling;
	return 'local' in read || extension === undefined ? read : { ...read, extension };
}

/** The text without the marks that only look different: other digits, full-width forms, a spreadsheet's quotes and decimals. */
function asWritten(text: string): string {
	return asciiDigits(text)
		.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
		.replace(/^["'`\u2018\u2019\u201c\u201d]+|["'`\u2018\u2019\u201c\u201d]+$/g, '')
		.trim()
		.replace(/^(\+?\d{7,})[.,]0{1,2}$/, '$1');
}

function complete(spelling: Spelling, country: unknown, shown: string): LocalAnswer | ReadNumber {
	const { hasPlus, digits } = spelling;
	if (hasPlus && !digits.startsWith('0')) return readWithPlus(spelling, shown);
	const plan = readCountry(country);
	if (digits.startsWith('00') && (plan === undefined || typeof plan === 'string')) {
		const reading = readAfter00(digits.slice(2));
		if (reading) return { number: reading.e164 };
	}
	if (typeof plan === 'string') {
		return { local: 'incomplete', field: countryField.displayName, reason: plan };
	}
	return plan ? readInside(digits, plan, shown) : readAnywhere(digits, shown);
}

/** With its calling code a number is asked about as it is written, whatever the plan says of its length. */
function readWithPlus({ digits, withoutBracketedZero }: Spelling, shown: string) {
	const reading = readInternational(digits);
	if (!reading)
		return incomplete(`${shown} begins with no country calling code; check what follows the +`);
	const other = withoutBracketedZero && readInternational(withoutBracketedZero);
	const { e164 } = !reading.fitsPlan && other && other.fitsPlan ? other : reading;
	if (isE164(e164)) return { number: e164 };
	return malformed(
		`${shown} has too ${e164.length < 10 ? 'few' : 'many'} digits for a phone number`,
	);
}

function readInside(digits: string, plan: NumberingPlan, shown: string): LocalAnswer | ReadNumber {
	const reading = readNational(digits, plan);
	const { region } = plan;
	if (reading === 'ambiguous') {
		// The service could only guess, too, and would charge for the number of another subscriber
		return incomplete(
			`${shown} begins with digits that may name a carrier of ${region}; write it with + and its country code`,
		);
	}
	if (reading?.isPossible) return { number: reading.e164 };
	const problem = reading?.isLocalOnly ? 'lacks its area code' : `is no number of ${region}`;
	return {
		number: digits,
		...(region !== '001' && { country: region }),
		doubt: `${shown} ${problem}; check the number and ${countryField.displayName}, or write it with + and its country code`,
	};
}

/** Bare digits with no country to read them in. */
function readAnywhere(digits: string, shown: string): LocalAnswer | ReadNumber {
	const reading = digits.startsWith('0') ? undefined : readBare(digits);
	const remedy = `set ${countryField.displayName}, or write it with + and its country code`;
	if (reading === undefined) return incomplete(`${shown} has no country code; ${remedy}`);
	if (reading !== 'ambiguous') return { number: reading.e164 };
	return incomplete(
		`${shown} may be +${digits}, or a national number of another country; ${remedy}`,
	);
}

/** Letters are digits (ITU-T E.161) where they complete a number. Beside a number that is complete they are words. */
function hasWords(spelling: Spelling, country: unknown): boolean {
	const { hasPlus, withoutLetters } = spelling;
	if (withoutLetters === undefined) return false;
	const alone = complete({ hasPlus, digits: withoutLetters }, country, '');
	return isPossible(alone) || !isPossible(complete(spelling, country, ''));
}

function isPossible(read: LocalAnswer | ReadNumber): boolean {
	if ('local' in read || read.doubt !== undefined) return false;
	return readInternational(read.number.slice(1))?.isPossible === true;
}

function malformed(reason: string): LocalAnswer {
	return { local: 'malformed', field: phoneNumberField.displayName, reason };
}

/** Not certainly a no: the item may have a number that this text does not tell. */
function incomplete(reason: string): LocalAnswer {
	return { local: 'incomplete', field: phoneNumberField.displayName, reason };
}
