import { DECISIONS, isAskable, type Decision, type Text } from './decisions';
import { readByLibphonenumber, type Reading } from './oracle';
import type { Writing } from './spellings';

/** What the node may look up for a writing: libphonenumber's reading, except for the decisions. */

export interface Permitted {
	/** E.164 numbers that may be asked. None, where the number must not be completed. */
	readings: string[];
	/** Whether it may be answered locally. */
	mayBeLocal: boolean;
	/** Whether an endpoint that takes national numbers may be asked, with the digits and the country. */
	mayBeNational?: boolean;
	/** Whether such an endpoint must be asked. */
	mustBeNational?: boolean;
}

export interface Expectation extends Permitted {
	/** The digits as they are written, without an extension. */
	digits: string;
	/** The country of a national number, ISO 3166-1 alpha-2. */
	region?: string;
	/** Decisions without which something else would be permitted. */
	decisions: Decision[];
}

/** Digits of a national number that is worth asking about, however impossible its length. */
const NATIONAL = /^(?!00)\d{5,15}$/;

export function expectationOf({ phoneNumber, country }: Writing): Expectation {
	const given: Text = { text: String(phoneNumber), region: country?.region };
	const plain = readByLibphonenumber(given.text, given.region);
	const decisions: Decision[] = [];
	let reading = plain;
	for (const decision of DECISIONS) {
		const text = decision.rewrite?.(given);
		if (text === undefined) continue;
		given.text = text;
		const rewritten = readByLibphonenumber(text, given.region);
		if (rewritten?.e164 !== reading?.e164 || isAskable(rewritten) !== isAskable(reading)) {
			decisions.push(decision);
		}
		reading = rewritten;
	}
	const digits = digitsOf(given.text, reading);
	const usual = permittedByLibphonenumber(given, reading, digits);
	for (const decision of DECISIONS) {
		const permitted = decision.permit?.(given, reading);
		if (!permitted) continue;
		if (!isSame(permitted, usual)) decisions.push(decision);
		return { ...permitted, digits, region: given.region, decisions };
	}
	return { ...usual, digits, region: given.region, decisions };
}

function permittedByLibphonenumber(
	{ text, region }: Text,
	reading: Reading | undefined,
	digits: string,
): Permitted {
	const isNational = reading !== undefined && region !== undefined && !/[+\uff0b]/.test(text);
	const lacksCallingCode = reading?.hasCallingCode === false;
	if (isAskable(reading)) return { readings: [reading.e164], mayBeLocal: false };
	return {
		readings: [],
		mayBeLocal: true,
		mayBeNational: isNational,
		mustBeNational: isNational && lacksCallingCode && NATIONAL.test(digits),
	};
}

function isSame(one: Permitted, other: Permitted): boolean {
	return (
		one.readings.join() === other.readings.join() &&
		one.mayBeLocal === other.mayBeLocal &&
		Boolean(one.mayBeNational) === Boolean(other.mayBeNational)
	);
}

function digitsOf(text: string, reading: Reading | undefined): string {
	const digits = text.replace(/\D/g, '');
	return digits.slice(0, digits.length - (reading?.extension.length ?? 0));
}
