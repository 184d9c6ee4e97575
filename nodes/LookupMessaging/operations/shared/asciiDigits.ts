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
	return String((codePoint - first) % 10);
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
