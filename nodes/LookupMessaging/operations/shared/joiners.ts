/**
 * The zero-width non-joiner (U+200C) and joiner (U+200D). Persian, Sinhala and other scripts need them; elsewhere they were
 * pasted by accident, like all other invisible marks.
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
