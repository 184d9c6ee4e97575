/** Digits beside a phone number: hours, the number of a line, those of words, another number. */

const HOUR = '(?:[01]?\\d|2[0-4])(?:\\.[0-5]\\d)?\\s?[a-z]*\\.?';
/** From one hour to another, after a number. Groups that are all separated by dashes are a number. */
const HOURS = new RegExp(`(?<!\\p{Pd})\\s\\(?${HOUR}\\s?\\p{Pd}\\s?${HOUR}$`, 'iu');
/** The same before a number, after words such as Mo-Fr. */
const HOURS_BEFORE = new RegExp(
	`^[^+\\d]*\\p{L}[^+\\d]*${HOUR}\\s?\\p{Pd}\\s?${HOUR}[\\s:]+(?=[+\\d\\p{Ps}])`,
	'iu',
);
/** 24/7 before a number or after it. */
export const AROUND_THE_CLOCK =
	/(?:^\P{Nd}*|[\s\p{Ps}])(?:24\s?[/x]\s?7|7\s?[/x]\s?24)(?:\P{Nd}*$|[\s:]+\+?\p{Ps}?\d)/iu;
/** In brackets they are no part of any number. */
export const HOURS_IN_BRACKETS = new RegExp(
	`\\(\\s*${HOUR}\\s*\\p{Pd}\\s*${HOUR}\\s*\\)\\s*$`,
	'iu',
);
/** The number of a line in a list: 1) or 1. or #1, also after a label. An area code in brackets has both of them. */
export const LIST_MARK = /^[^+\d\p{Ps}]*(?:#\d{1,2}(?!\d)|[1-9]\d?(?:\.?\p{Pe}|\.\s))/u;

/** The number of a line at the end: (2). In brackets, one or two digits are no part of any number. */
export const MARK_IN_BRACKETS = /\d[^\d\p{Ps}]*\p{Ps}\s*\d{1,2}\s*\p{Pe}[^\p{L}\d]*$/u;
/**
 * Digits before words: one or two in brackets, one after a space, or two after four or more together. No line has the number 0, but
 * a switchboard does: 030 12345 - 0 Zentrale.
 */
export const DIGITS_OF_WORDS =
	/(?:(?<=\d\d[^\p{L}\d]{0,20})(?:\s[1-9]|\p{Ps}\s*[1-9]\d?)|(?<=\d{4}[^\p{L}\d]{0,20})\s[1-9]\d)(?!\d)[^\p{L}\d]{0,3}\p{L}/u;
/** What may be one: the digits of a label (Tel2, Phone 2), those before a 0 or an area code (2 - 030), and one at the end after a dash or before a dot. */
const MARKS = [
	/^[^\d+]*\p{L}\.?\s?[1-9](?=\D*[\s:])[\s:.\p{Pd}]+(?=[\d\p{Ps}])/u,
	/^[^\d+]*\p{Ps}?[1-9]\d?(?:\p{Pe}[\s:.\p{Pd}]*|[\s:./\p{Pd}]+)(?=0|\p{Ps}(?:0\d|\d{1,3}\D))/u,
	/(?<!\s\p{Pd}\s.*)\s\p{Pd}\s?[1-9]$/u,
	/\s\d\.$/,
];

/**
 * The digits of a text without possible hours; undefined if it has none.
 * @param number the text without its label and without other scripts at its end
 */
export function withoutHours(text: string, number: string): string | undefined {
	if (HOURS.test(number)) return number.replace(HOURS, '').replace(/\D/g, '');
	return HOURS_BEFORE.test(text) ? text.replace(HOURS_BEFORE, '').replace(/\D/g, '') : undefined;
}

/** The digits of a text without each part that may be the number of a line. */
export function withoutMarks(text: string): string[] {
	return MARKS.filter((mark) => mark.test(text)).map((mark) =>
		text.replace(mark, '').replace(/\D/g, ''),
	);
}

/** @param shown the text, in brackets */
export function mayHaveMark(shown: string): string {
	return `${shown} has what may be the number of a line. Enter the phone number alone`;
}

/** @param shown the text, in brackets */
export function mayHaveHours(shown: string): string {
	return `${shown} has what may be hours. Enter the phone number alone`;
}

/** @param shown the text, in brackets */
export function endsInDigits(shown: string): string {
	return `${shown} ends in digits that may belong to the words after them. Enter the phone number alone`;
}

/** @param shown the text, in brackets */
export function inPlace(shown: string): string {
	return `${shown} repeats one digit, as texts in place of a missing number do. Write a phone number with + and its country code`;
}

/** @param shown the text, in brackets */
export function several(shown: string): string {
	return `${shown} contains more than one number. Enter one number per item`;
}

/** @param shown the text, in brackets */
export function severalBySlash(shown: string): string {
	return `${shown} has a slash, so it may be several numbers. Enter one number per item`;
}

/** @param shown the text, in brackets */
export function endsInSign(shown: string): string {
	return `${shown} has a sign before or after its last digits, which may be an extension or not. Enter the phone number alone`;
}
