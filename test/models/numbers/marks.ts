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
const ASCII_DIGIT = new Map(DIGITS.map((digit, index) => [digit, String(index % 10)]));

export const SPACES = [...matching(/^\p{Zs}$/u), '\t'];
/** All dashes but the minus sign, which Unicode counts among the symbols. */
export const DASHES = [...matching(/^\p{Pd}$/u), '\u2212'];
/** Marks that nobody sees: zero width, direction, byte order mark, soft hyphen. */
export const INVISIBLE_MARKS = [
	...['\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u202a', '\u202c', '\u202d', '\u202e'],
	...['\u2060', '\u2066', '\u2069', '\u061c', '\u00ad', '\ufeff'],
];
const ANY_INVISIBLE_MARK = new RegExp(INVISIBLE_MARKS.join('|'), 'g');
export const BRACKETS = ['()', '[]', '\uff08\uff09', '\uff3b\uff3d'];

export function inDigits(text: string, set: string[]): string {
	return text.replace(/\d/g, (digit) => set[Number(digit)]);
}

export function withAsciiDigits(text: string): string {
	return text.replace(/\p{Nd}/gu, (digit) => ASCII_DIGIT.get(digit) ?? digit);
}

export function withoutInvisibleMarks(text: string): string {
	return text.replace(ANY_INVISIBLE_MARK, '');
}

export function withPlainMarks(text: string): string {
	return text.replace(/\p{Zs}/gu, ' ').replace(/[\p{Pd}\u2212]/gu, '-');
}
