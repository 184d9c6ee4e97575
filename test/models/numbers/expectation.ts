import { DECISIONS, isAskable, type Decision, type Text } from './decisions';
import { readByLibphonenumber, rememberedFor, type Reading } from './oracle';
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
	/** The decision without which something else would be permitted, if there is one. */
	decision?: Decision;
	/** What was done to the text before. */
	rewrites: Rewrite[];
}

interface Rewrite {
	decision: Decision;
	from: Text;
	to: Text;
}

/** Whether the text would be read otherwise without a rewrite. */
export function isNeeded({ from, to }: Rewrite): boolean {
	const [before, after] = [from, to].map(({ text, region }) => readByLibphonenumber(text, region));
	return before?.e164 !== after?.e164 || isAskable(before) !== isAskable(after);
}

/** Digits of a national number that is worth asking about, however impossible its length. */
const NATIONAL = /^(?!00)\d{5,15}$/;

export function expectationOf({ phoneNumber, country }: Writing): Expectation {
	const region = country?.region;
	let given: Text = { text: String(phoneNumber), region };
	const rewrites: Rewrite[] = [];
	for (const decision of DECISIONS) {
		const text = decision.rewrite?.(given);
		if (text === undefined) continue;
		rewrites.push({ decision, from: given, to: { text, region } });
		given = { text, region };
	}
	return { ...permittedFor(given.text, region), rewrites };
}

/** What is permitted for a text that no decision rewrites. Many writings of a number become the same one. */
const permittedFor = rememberedFor((text, region): Omit<Expectation, 'rewrites'> => {
	const reading = readByLibphonenumber(text, region);
	const digits = digitsOf(text, reading);
	const usual = permittedByLibphonenumber({ text, region }, reading, digits);
	for (const decision of DECISIONS) {
		const permitted = decision.permit?.({ text, region }, reading);
		if (!permitted) continue;
		return { ...permitted, digits, region, ...(!isSame(permitted, usual) && { decision }) };
	}
	return { ...usual, digits, region };
});

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
