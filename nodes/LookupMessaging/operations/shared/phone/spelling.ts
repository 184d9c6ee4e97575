import { quote } from '../../../engine/plan/values';

/** Takes the text of one phone number apart, in any spelling: RFC 3966, ITU-T E.123, and what people and spreadsheets make of it. */

/** The parts of a number. */
export interface Spelling {
	/** Whether a + is written before the digits. */
	hasPlus: boolean;
	/** All digits, those of vanity letters (ITU-T E.161) included. */
	digits: string;
	/** The digits without those of letters, where there are letters. */
	withoutLetters?: string;
	/** The digits without a "(0)" after the calling code, where there is one. */
	withoutBracketedZero?: string;
	/** Digits of the extension. */
	extension?: string;
}

/** Why a text is not read as one number. Where it is certainly none, `isCertain` is set. */
export interface Unreadable {
	reason: string;
	isCertain?: true;
}

/** 15 digits (E.164), 4 more of an international prefix, and the longest domestic ones of Japan. */
const MOST_DIGITS = 20;

/** What spreadsheets make of long numbers: 4.42E+11, also with a decimal comma, a lost + or spelled out as 4.42 × 10^11. */
const SCIENTIFIC =
	/^\+?(?:\d+(?:[.,]\d+)?\s?e\s?\+?\s?|\d(?:[.,]\d+)?\s?[x×*·]\s?10\s?\^?\s?)\d{1,3}$/i;
/** Separators of two numbers, never part of one. */
const BETWEEN_NUMBERS = /[;|,\n]|\s\/\s|\s(?:or|and)\s/i;
/** What stands between the digits of a number: spaces, dashes, brackets, dots, quotes, bullets, tildes, a slash. */
const PUNCTUATION =
	/[\s\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\u2212\u30fc\u2022\u00b7\u2027./\\_'"`\u00b4\u2032~\u2053\u223c\u301c]/gu;

/** libphonenumber's ways to write an extension, in its order; each ends the text. */
const BEFORE_EXTENSION = '[:.]?[ \\u00a0\\t,-]*';
const EXTENSION = '(?:e?xt(?:ensi(?:o\\u0301?|\\u00f3))?n?|доб|anexo)';
const EXTENSIONS = [
	';ext=(\\d{1,20})',
	`[ \\u00a0\\t,]*${EXTENSION}${BEFORE_EXTENSION}(\\d{1,20})#?`,
	`[ \\u00a0\\t,]*(?:[x#~]|int)${BEFORE_EXTENSION}(\\d{1,9})#?`,
	'[- ]+(\\d{1,6})#',
	`[ \\u00a0\\t]*(?:,{2}|;)${BEFORE_EXTENSION}(\\d{1,15})#?`,
	`[ \\u00a0\\t]*,+${BEFORE_EXTENSION}(\\d{1,9})#?`,
].map((source) => new RegExp(`${source}$`, 'iu'));
const EXTENSION_ALONE = new RegExp(`^(?:${EXTENSION}|x|int)${BEFORE_EXTENSION}\\d{1,9}#?$`, 'iu');
/** From so many digits on, what follows a comma or semicolon is another number. */
const DIGITS_OF_NUMBER = 7;

/**
 * Reads a text with digits in ASCII.
 * @returns the parts of the number, or why it is not one
 */
export function readSpelling(text: string): Spelling | Unreadable {
	const wrong = whyUnreadable(text);
	if (wrong) return wrong;
	const uri = withoutUri(text);
	const [number, extension] = splitExtension(
		uri.replace(/^[^+\d]*/, '').replace(/[^A-Za-z\d#]+$/, ''),
	);
	const several = holdsSeveral(number);
	if (several) return several;
	const bare = number.replace(PUNCTUATION, '');
	const [, plus, rest] = /^(\+?)([A-Za-z\d]*)$/.exec(bare) ?? [];
	if (rest === undefined) return { reason: `(${quote(text)}) has characters that no number has` };
	const digits = rest.replace(/[A-Za-z]/g, digitOf);
	if (digits.length > MOST_DIGITS) return tooLong(text, digits.length);
	return {
		hasPlus: plus === '+',
		digits,
		...(digits !== rest && { withoutLetters: rest.replace(/\D/g, '') }),
		...(BRACKETED_ZERO.test(number) && { withoutBracketedZero: withoutZero(number) }),
		...(extension !== undefined && { extension }),
	};
}

const BRACKETED_ZERO = /^((?:\+|00)[\s(]*\d[\d\s.-]*\)?[\s.-]*)\(0\)/;

function withoutZero(number: string): string {
	return number.replace(BRACKETED_ZERO, '$1').replace(/\D/g, '');
}

/** What certainly is no number, and what may be more than one. */
function whyUnreadable(text: string): Unreadable | undefined {
	const shown = `(${quote(text)})`;
	// NFKC makes digits of a superscript exponent
	if (SCIENTIFIC.test(text.normalize('NFKC'))) {
		return {
			reason: `${shown} is in scientific notation, so a spreadsheet has dropped its last digits; format the column as text and enter the number again`,
		};
	}
	if (text.includes('@'))
		return { reason: `${shown} looks like an email address`, isCertain: true };
	if (!/\d/.test(text)) return { reason: `${shown} has no digits`, isCertain: true };
	if (/^[*#]/.test(text))
		return { reason: `${shown} is a dialling code of a network`, isCertain: true };
	if (EXTENSION_ALONE.test(text)) {
		return { reason: `${shown} is an extension without its number; give the number, too` };
	}
	if (/^-\d+$/.test(text)) {
		return {
			reason: `${shown} is a negative number, which spreadsheets make of +1-202-555-0143; format the column as text and enter the number again`,
		};
	}
	if ((text.match(/\+/g) ?? []).length > 1 && !text.includes('phone-context=')) {
		return { reason: `${shown} has more than one +; give one number per item` };
	}
	return undefined;
}

const SCHEME = /^(?:tel|callto|sms|whatsapp):(?:\/\/)?/i;

/** What RFC 3966 has around a number, and the schemes and queries of other links to one (RFC 5724). */
function withoutUri(text: string): string {
	const afterScheme = SCHEME.test(text) ? text.replace(SCHEME, '').replace(/\?.*$/s, '') : text;
	const [number, ...parameters] = afterScheme.split(/;(?=isub=|phone-context=|ext=)/i);
	const valueOf = (name: string) =>
		parameters.find((parameter) => parameter.toLowerCase().startsWith(name))?.slice(name.length);
	const context = valueOf('phone-context=') ?? '';
	const extension = valueOf('ext=');
	const prefix = context.startsWith('+') ? context : '';
	return `${prefix}${number}${extension === undefined ? '' : `;ext=${extension}`}`;
}

function splitExtension(text: string): [number: string, extension?: string] {
	for (const pattern of EXTENSIONS) {
		const found = pattern.exec(text);
		if (!found) continue;
		const number = text.slice(0, found.index);
		if (!isLongEnough(number)) continue;
		const isOtherNumber =
			/^[\s,;]/.test(found[0].trimStart()) && found[1].length >= DIGITS_OF_NUMBER;
		return isOtherNumber && !found[0].startsWith(';ext') ? [text] : [number, found[1]];
	}
	return [text];
}

/** An extension belongs to a number, which has three digits at least. */
function isLongEnough(number: string): boolean {
	return number.replace(/\D/g, '').length >= 3;
}

function holdsSeveral(number: string): Unreadable | undefined {
	const shown = `(${quote(number)})`;
	if (number.includes('+', 1)) {
		return { reason: `${shown} has digits before its +; give one number per item` };
	}
	if (BETWEEN_NUMBERS.test(number)) {
		return { reason: `${shown} holds more than one number; give one number per item` };
	}
	return isRange(number)
		? {
				reason: `${shown} has a slash, so it may be several numbers; give one number per item, without it`,
			}
		: undefined;
}

/** A slash may follow an area code (030/1234567). After that many digits it begins another number, or another last digit. */
const MOST_DIGITS_OF_AREA = 6;
const FEWEST_DIGITS_OF_LINE = 4;

function isRange(number: string): boolean {
	const [area, line, ...more] = number.split(/[/\\]/).map((part) => part.replace(/\D/g, ''));
	if (line === undefined) return false;
	const most = MOST_DIGITS_OF_AREA + (number.startsWith('+') ? 3 : 0);
	return more.length > 0 || area.length > most || line.length < FEWEST_DIGITS_OF_LINE;
}

function tooLong(text: string, digits: number): Unreadable {
	const reason = `(${quote(text)}) has ${digits} digits, more than any phone number; give one number per item`;
	return { reason, isCertain: true };
}

/** The keys of a telephone (ITU-T E.161). */
const KEYS = ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqrs', 'tuv', 'wxyz'];

function digitOf(letter: string): string {
	return String(KEYS.findIndex((letters) => letters.includes(letter.toLowerCase())) + 2);
}
