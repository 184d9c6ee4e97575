import type { LocalAnswer } from '../../engine/operation';
import { isWhole, textOf } from '../../engine/text';

/** Marks that people paste without seeing them: zero-width characters, direction marks, byte order marks. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Reads a value that should be one piece of text, as it comes from forms and spreadsheets.
 * Returns the trimmed text without invisible marks, or the local answer that says what is there instead.
 * @param noun what the field should hold, with its article: "a phone number"
 * @param most how many characters that can have; what is longer is not looked into any further
 */
export function readText(
	value: unknown,
	field: string,
	noun: string,
	most = Infinity,
): LocalAnswer | string {
	const malformed = (reason: string): LocalAnswer => ({ local: 'malformed', field, reason });

	if (value === null || value === undefined) return malformed(`is missing, ${noun} was expected`);
	if (Array.isArray(value)) {
		return malformed('is a list; put a Split Out node before this one to get one item per value');
	}
	if (typeof value === 'object') return malformed(`is an object, ${noun} was expected`);
	if (typeof value === 'boolean') return malformed(`is true or false, ${noun} was expected`);

	const text = textOf(value).replace(INVISIBLE, '').trim();
	if (!isWhole(text)) return malformed('holds half a character; copy it again from its source');
	if (text.length > most) {
		return malformed(`(${quote(text)}) is longer than ${noun}; give one per item`);
	}
	return text === '' ? malformed(`is empty, ${noun} was expected`) : text;
}

/** A short, quoted form of what the user gave, for a sentence; in it, what cannot be shown is made visible. */
export function quote(text: string): string {
	const short = text.length > 60 ? `${text.slice(0, 57)}…` : text;
	return `"${short.replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd')}"`;
}
