import type { LocalAnswer } from '../../engine/operation';
import { isEmpty, isWhole, quote, textOf } from '../../engine/plan/values';

/** Maximum number of characters around a value: marks, and the spaces of columns of fixed width. */
const MAX_AROUND = 10_000;

/** Marks that people paste without seeing them: zero-width characters, direction marks, byte order marks. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** What people, spreadsheets, databases and programs write in place of a missing value. `NA` is what R and pandas write. */
const PLACEHOLDERS = [
	'[-–—_?.]{1,3}',
	'n\\/?a|n\\.\\s?a\\.?|nan|nil|none|not (?:applicable|available)|null|undefined|unknown',
	'#(?:div\\/0!|error!|n\\/a|name\\?|null!|num!|ref!|value!)',
	'\\[object \\w+\\]|\\\\n',
];
const PLACEHOLDER = new RegExp(`^(?:${PLACEHOLDERS.join('|')})$`, 'i');

/** Whether a text stands for a missing value. Nothing is paid for it. */
export function isPlaceholder(text: string): boolean {
	return PLACEHOLDER.test(text);
}

/** All line breaks of Unicode (UAX #14), for a class of a regular expression. Between two values, they make a list. */
export const LINE_BREAKS = '\\n\\v\\f\\r\\u0085\\u2028\\u2029';

/**
 * Reads a value from a form or a spreadsheet that should be one piece of text. A text that is too long, even with marks around
 * it, is not read.
 * @param noun what the field should contain, with its article: "a phone number"
 * @param most longest text, in characters
 * @param marks what to remove before the text is read
 * @returns the trimmed text without invisible marks, or the local answer that says what it contains instead
 */
export function readAnyText(
	value: unknown,
	field: string,
	noun: string,
	most: number,
	marks = INVISIBLE,
): LocalAnswer | string {
	const malformed = (reason: string): LocalAnswer => ({ local: 'malformed', field, reason });
	const empty: LocalAnswer = { local: 'empty', field, reason: 'is empty' };

	if (isEmpty(value)) return empty;
	if (Array.isArray(value)) {
		return malformed('is a list. Put a Split Out node before this one to get one item per value');
	}
	if (typeof value === 'object') return malformed(`is an object, but should be ${noun}`);
	if (typeof value === 'boolean') return malformed(`is true or false, but should be ${noun}`);

	const tooLong = (text: string) =>
		malformed(`(${quote(text)}) is longer than ${noun}. Enter one per item`);
	const given = textOf(value);
	if (given.length > most + MAX_AROUND) return tooLong(given);
	const text = given.replace(marks, '').trim();
	if (!isWhole(text)) return malformed('contains an unreadable character. Copy it again');
	if (text.length > most) return tooLong(text);
	return text === '' ? empty : text;
}

/** As readAnyText. A text that stands for a missing value is empty. */
export function readText(
	value: unknown,
	field: string,
	noun: string,
	most: number,
	marks?: RegExp,
): LocalAnswer | string {
	const text = readAnyText(value, field, noun, most, marks);
	if (typeof text !== 'string' || !PLACEHOLDER.test(text)) return text;
	return missingValue(text, field);
}

/** The answer about a text that stands for a missing value. */
export function missingValue(text: string, field: string): LocalAnswer {
	return { local: 'empty', field, reason: `(${quote(text)}) stands for a missing value` };
}

/** Reads the value of a lookup. A list or an object may hold it, so these are no certain no. */
export function readLookedUp(
	value: unknown,
	field: string,
	noun: string,
	most: number,
	marks = INVISIBLE,
): LocalAnswer | string {
	const read = readText(value, field, noun, most, marks);
	const mayHoldOne = typeof value === 'object' && typeof read !== 'string';
	if (!mayHoldOne || read.local !== 'malformed') return read;
	return { ...read, local: 'incomplete', reason: `${read.reason}. Enter one value` };
}

/**
 * The marks that are pasted by accident everywhere. The zero-width non-joiner (U+200C) and joiner (U+200D) are not: Persian, Sinhala
 * and other scripts need them.
 */
const OTHER_MARKS =
	'\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff';
const AT_ENDS = `[\\s${OTHER_MARKS}\\u200c\\u200d]`;

/** All invisible marks except joiners inside the text. It is for `readText`, as `marks`. */
export const MARKS_BUT_JOINERS = new RegExp(
	`^${AT_ENDS}+|(?<!${AT_ENDS})${AT_ENDS}+$|[${OTHER_MARKS}]`,
	'g',
);

/** The text without its joiners if everything else is ASCII, since no such word has one. Any other text unchanged. */
export function withoutPastedJoiners(text: string): string {
	const isAscii = !/(?![\u200c\u200d])\P{ASCII}/u.test(text);
	return isAscii ? text.replace(/[\u200c\u200d]/g, '') : text;
}

/** As readText, for words of any script. */
export function readPhrase(...[value, field, noun, most]: Parameters<typeof readText>) {
	const text = readText(value, field, noun, most, MARKS_BUT_JOINERS);
	return typeof text === 'string' ? withoutPastedJoiners(text) : text;
}

/**
 * The text with every decimal digit of Unicode (category Nd: ٣, ३, ３) as its ASCII digit. Other numerals are unchanged:
 * superscripts are footnotes, and circled digits are numbers of a list.
 */
export function asciiDigits(text: string): string {
	return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
		const known = KNOWN.get(digit) ?? asciiDigit(digit.codePointAt(0) ?? 0);
		KNOWN.set(digit, known);
		return known;
	});
}

/** The digits so far. Unicode has a few hundred. */
const KNOWN = new Map<string, string>();

/** The ten digits of a script are in a row, 0 first. Some rows follow each other without a gap. */
function asciiDigit(codePoint: number): string {
	let first = codePoint;
	while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
	return `${(codePoint - first) % 10}`;
}

/** Like asciiDigits, with full-width forms as well. */
export function asciiForms(text: string): string {
	return withoutWidth(asciiDigits(text));
}

/** The text with full-width forms (U+FF01 to U+FF5E) as their ASCII characters. */
export function withoutWidth(text: string): string {
	return text.replace(/[\uff01-\uff5e]/g, (wide) =>
		String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
	);
}
