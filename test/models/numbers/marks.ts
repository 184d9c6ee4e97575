/** Characters that numbers are written with, from Unicode itself. */

const CODE_POINTS = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint);
const matching = (pattern: RegExp) =>
	CODE_POINTS.map((codePoint) => String.fromCodePoint(codePoint)).filter((text) =>
		pattern.test(text),
	);

const DIGITS = matching(/^\p{Nd}$/u);

/** The digits 0 to 9 of each script. Unicode holds them side by side. */
export const DIGIT_SETS: string[][] = Array.from({ length: DIGITS.length / 10 }, (_, set) =>
	DIGITS.slice(10 * set, 10 * set + 10),
);
export const SPACES = matching(/^\p{Zs}$/u);
/** All dashes, with the minus sign, which Unicode counts among the symbols. */
export const DASHES = [...matching(/^\p{Pd}$/u), '\u2212'];
/** Marks that nobody sees: zero width, direction, byte order mark, soft hyphen. */
export const INVISIBLE_MARKS = [
	...['\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u202a', '\u202c', '\u202d', '\u202e'],
	...['\u2060', '\u2066', '\u2069', '\u061c', '\u00ad', '\ufeff'],
];
export const LINE_BREAKS = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];
