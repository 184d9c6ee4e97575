import { normalized, quote } from '../../../engine/plan/values';
import { asciiForms, LINE_BREAKS } from '../readText';
import {
	AROUND_THE_CLOCK,
	DIGITS_OF_WORDS,
	endsInDigits,
	type Extension,
	HOURS_IN_BRACKETS,
	isExtensionAlone,
	LIST_MARK,
	MARK_IN_BRACKETS,
	mayHaveHours,
	mayHaveMark,
	splitExtension,
	withoutHours,
	withoutMarks,
	wordsAfter,
	wordsBefore,
} from './besideNumber';
import { planByLeadingCallingCode } from './numberingPlans';

/** Splits the text of one phone number, in any spelling: RFC 3966, ITU-T E.123, and those of people and spreadsheets. */

/** The parts of a number. */
export interface Spelling extends Partial<Extension> {
	/** Whether a + is written before the digits. */
	hasPlus: boolean;
	/** All digits, those of vanity letters (ITU-T E.161) included. */
	digits: string;
	/** The digits without those of letters, where there are letters. */
	withoutLetters?: string;
	/** Whether the letters are separate words after the digits. */
	endsInWords?: boolean;
	/** Words before the number, unless it has a +, and after it, that are no labels. */
	wordsBefore: string;
	wordsAfter: string;
	/** Whether they look like a vanity number: no letter stands alone, as an O for a 0 does. */
	isVanity?: boolean;
	/** The digits without a "(0)" after the calling code, if there is one. */
	withoutBracketedZero?: string;
	/** Whether spaces or other marks separate the digits. */
	isGrouped?: boolean;
	/** Digits before the first of those marks. */
	firstGroup?: number;
	slashes: Slash[];
	/** The digits without possible hours, as in 030 123456 9-17. */
	withoutHours?: string;
	/** The last group of digits, where it is short. */
	lastGroup?: LastGroup;
	/** All digits before each group but the first, up to a letter. */
	beginnings?: string[];
	/** The digits without each part that may be the number of a line, as in Tel 2 030 123456 or 030 123456 - 2. */
	withoutMarks?: string[];
	/** The digits without a first group of one or two. */
	withoutFirstGroup?: string;
}

/** A group of one to four digits at the end, before words if there are any. */
export interface LastGroup {
	/** All digits before it. */
	before: string;
	size: number;
	/** Digits of the group before it. */
	previousSize: number;
	/** Whether a dash or a bracket separates it, not only a space or the like. */
	isSetOff: boolean;
}

/** A slash between digits. */
interface Slash {
	/** All digits before it. */
	before: string;
	/** Whether it and all slashes after it separate groups of a number. */
	isBetweenGroups: boolean;
}

/** Why a text is not read as one number. `isCertain` is set if it is certainly none. */
export interface Unreadable {
	reason: string;
	isCertain?: boolean;
}

/** 15 digits (E.164) after the longest international prefix, which names a carrier of Australia. */
const MAX_DIGITS = 23;

/** The spelling of spreadsheets for long numbers: 4.42E+11, also with a decimal comma, a lost + or as 4.42 × 10^11. */
const SCIENTIFIC =
	/^\+?(?:\d+(?:[.,]\d+)?\s?e\s?\+?\s?|\d(?:[.,]\d+)?\s?[x×*·]\s?10\s?\^?\s?)\d{1,3}$/i;
/** Separators of two numbers, never part of one. */
const BETWEEN_NUMBERS = new RegExp(`[;|,،؛、\\t${LINE_BREAKS}]|\\s(?:or|and)\\s`, 'i');
/** Signs between the digits of a number: spaces, dashes, brackets, dots, quotes, bullets, tildes, a slash. */
const PUNCTUATION =
	/[\s\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\u2212\u2022\u00b7\u2027./\\_'"`\u00b4\u2032~\u2053\u223c\u301c]/gu;

/**
 * Reads a text with digits in ASCII.
 * @returns the parts of the number, or why it is not one
 */
export function readSpelling(given: string): Spelling | Unreadable {
	const linked = numberInLink(given) ?? given.replace(WHATSAPP_ID, '+$1');
	const [, last = ''] = CODE_AT_END.exec(linked) ?? [];
	if (last !== '' && planByLeadingCallingCode(last)?.callingCode === last) {
		const where = `has its + at the end, so ${last} may be its country code`;
		return { reason: `(${quote(given)}) ${where}. Write the country code first` };
	}
	const text = withPlusInFront(linked.replace(LONG_VOWEL, '-'));
	const wrong = whyUnreadable(text);
	if (wrong) return wrong;
	const uri = withoutUri(text)
		.replace(/^(?:\+|00)\s*\++/, '+')
		.replace(/0xx(?=[\d(])/i, '0');
	const [before = ''] = /^[^+\d]*/.exec(uri) ?? [];
	const {
		number: written,
		extension,
		isListed,
		...ofExtension
	} = splitExtension(uri.slice(before.length).replace(SIGNS_AT_END, ''));
	const alone = extension === undefined ? uri : uri.slice(0, before.length + written.length);
	const { number, words } = splitWords(written);
	if (words === '' && DIGITS_OF_WORDS.test(alone))
		return { reason: endsInDigits(`(${quote(text)})`) };
	const several = holdsSeveral(number);
	if (several) return several;
	const bare = number.replace(PUNCTUATION, '');
	const [, plus, rest] = /^(\+?)([A-Za-z\d]*)$/.exec(bare) ?? [];
	if (rest === undefined)
		return { reason: `(${quote(text)}) has characters that phone numbers don't have` };
	const digits = rest.replace(/[A-Za-z]/g, digitOf);
	// Words do not make a number too long: they are refused as words
	const count = rest.replace(/\D/g, '').length;
	if (count > MAX_DIGITS) return tooLong(text, count);
	return {
		hasPlus: plus === '+' || CODE_BEFORE_ZERO.test(number),
		digits,
		...(digits !== rest && {
			withoutLetters: rest.replace(/\D/g, ''),
			isVanity:
				/[A-Za-z]{3}/.test(rest) &&
				!/^\d*(.)\1*\d*$/i.test(rest) &&
				!ZEROS_AS_LETTERS.test(number) &&
				!/(?<![A-Za-z])[A-Za-z](?![A-Za-z])/.test(rest),
			endsInWords: /^[^A-Za-z]*\d[^A-Za-z\d]+[A-Za-z][^\d]*$/.test(number),
		}),
		wordsBefore: plus === '+' ? '' : wordsBefore(before),
		wordsAfter: words,
		isGrouped: /\d\D+\d/.test(number) && !THOUSANDS.test(number),
		firstGroup: /\d+/.exec(number)?.[0].length,
		slashes: slashesIn(number),
		lastGroup: lastGroupOf(number),
		beginnings: beginningsOf(number),
		withoutHours: withoutHours(alone, number),
		...withoutMarks(alone),
		...(BRACKETED_ZERO.test(number) && { withoutBracketedZero: withoutZero(number) }),
		...(extension !== undefined && { extension, isListed, ...ofExtension }),
	};
}

/** What is no word, digit or sign of an extension. */
const SIGNS_AT_END = /[^\p{L}\p{M}\d#\u{1f1e6}-\u{1f1ff}]+$/u;
const HAS_WORD = /\p{L}|[\u{1f1e6}-\u{1f1ff}]/u;
/** Latin letters alone may be digits. */
const MAY_DIAL = /^(?:[A-Za-z]|[^\p{L}\u{1f1e6}-\u{1f1ff}])*$/u;

/** A text without the words at its end, unless they may be digits of its number, and those of the words that are no labels. */
function splitWords(text: string): { number: string; words: string } {
	const [after = ''] = /\D*$/.exec(text) ?? [];
	const words = wordsAfter(after);
	const isPart = words === '' ? !HAS_WORD.test(after) : MAY_DIAL.test(after);
	return { number: isPart ? text : text.slice(0, -after.length), words };
}

/** Without letters between the digits. */
const LAST_GROUP = /^([^A-Za-z]*?(\d+))([^A-Za-z\d]+)(\d{1,4})\D*$/;

function lastGroupOf(number: string): LastGroup | undefined {
	const [, before, previous, separator, last] = LAST_GROUP.exec(number) ?? [];
	if (last === undefined) return undefined;
	return {
		before: before.replace(/\D/g, ''),
		size: last.length,
		previousSize: previous.length,
		isSetOff: /[\p{Pd}\p{Ps}\u2212]/u.test(separator),
	};
}

function beginningsOf(number: string): string[] {
	const [groups] = number.split(/[A-Za-z]/);
	return [...groups.matchAll(/\d\D+(?=\d)/g)].map(({ index }) =>
		groups.slice(0, index + 1).replace(/\D/g, ''),
	);
}

const DATE =
	/^(?:(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])\.(?:19|20)\d\d)$/;
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const MONTH = '(?:0?[1-9]|1[0-2])';
const YEAR = '(?:19|20)\\d\\d';
const BYTE = '(?:\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])';
/** Dates in other orders, and addresses of IPv4 that are not written in pairs, as a phone number may be. */
const LOOKALIKE = new RegExp(
	`^(?:${YEAR}[-./]${MONTH}[-./]${DAY}|(?:${DAY}[-./]${MONTH}|${MONTH}[-./]${DAY})[-./]${YEAR}` +
		`|(?!\\d\\d\\.\\d{2,3}\\.\\d\\d\\.\\d\\d$)${BYTE}(?:\\.${BYTE}){3})$`,
);
/** Digits of an amount, with its cents, that are too few for a phone number. */
const MAX_IN_AMOUNT = 9;
/** 1.234.567,89 or 1,234,567.00, and anything with the sign of a currency before it. */
const AMOUNT = /^(?:\d{1,3}(?:\.\d{3})+,\d\d|\d{1,3}(?:,\d{3})+\.\d\d|\p{Sc}\s?\d[\d.,]*)$/u;

/** 44 (0)20 7946 0018: a zero in brackets follows a calling code, with or without its +. */
const CODE_BEFORE_ZERO = /^[1-9]\d{0,2}\)?[\s.-]*\(0\)/;
const BRACKETED_ZERO = /^((?:\+|00)?[\s(]*\d[\d\s.-]*\)?[\s.-]*)\(0\)/;

function withoutZero(number: string): string {
	return number.replace(BRACKETED_ZERO, '$1').replace(/\D/g, '');
}

/** 447.911.123.456: what a spreadsheet makes of bare digits. */
const THOUSANDS = /^\d{1,3}(?:(?:\.\d{3}){2,}|(?:'\d{3}){2,})$/;
/** 1-8OO-FLOWERS: an O for a 0. */
const ZEROS_AS_LETTERS = /(?<![a-z])o+(?![a-z])/i;

/** Maximum number of digits of a group. A longer one may be a number without its area code. */
const MAX_IN_GROUP = 3;

function slashesIn(number: string): Slash[] {
	const parts = number.split(/[/\\]/).map((part) => part.replace(/\D/g, ''));
	const slashes: Slash[] = [];
	let areGroups = true;
	for (let index = parts.length - 1; index > 0; index -= 1) {
		const group = parts[index - 1].length;
		// The digits after a slash are fewer than those that they replace
		areGroups &&= index > 1 && group <= MAX_IN_GROUP && parts[index].length >= group;
		slashes.unshift({ before: parts.slice(0, index).join(''), isBetweenGroups: areGroups });
	}
	return slashes;
}

/** Signs that stand for digits that are left out. */
const MASK = '[*#?_\u2022\u00b7\u00d7\u2580-\u25ff]\\s?';
/** Two of them, also x in place of digits, or an ellipsis beside digits. */
const MASKED = new RegExp(
	`(?:${MASK}){2}|\\d[^\\p{L}\\d]*x{2,}(?!\\p{L})|(?<!\\p{L})x{2,}[^\\p{L}\\d]*\\d|` +
		'\\d[\\s\\p{Pe}\\p{Pd}]*(?:\u2026|\\.{3}|\\.\\.$)|(?:\u2026|\\.{3})\\d',
	'iu',
);
/** Codes such as **21*, *#06# and **62** before a number or alone. */
const SERVICE_CODE = /^(?:\*\*?#?\d{2,3}(?:\*{1,2}(?!\*)|#)[^*]*(?:\*{1,2}\d+)?#?$)/;
/** The text that a link brings into a message. */
const MESSAGE = /[?&](?:body|text)=.*$/is;

function isCutOff(text: string): boolean {
	const number = text.replace(MESSAGE, '').replace(/0xx(?=[\d(])/i, '0');
	return MASKED.test(number) && !SERVICE_CODE.test(number);
}

/** The sign for a long vowel in Japanese, which looks like a dash. */
const LONG_VOWEL = /(?<=[\d)]\s?)[\u30fc\uff70](?=\s?[\d(])/g;
/** The text without marks that only change its look: other digits, full-width forms, a spreadsheet's quotes and decimals. */
export function asWritten(text: string): string {
	return asciiForms(text)
		.replace(/^["'`\u2018\u2019\u201c\u201d]+|["'`\u2018\u2019\u201c\u201d]+$/g, '')
		.trim()
		.replace(/[.,](?<=^(?:[^.,]*\d{5}|\d{4})[.,])0{1,2}$/, '');
}

/** Why a text is certainly no number, or may be more than one. */
function whyUnreadable(text: string): Unreadable | undefined {
	const shown = `(${quote(text)})`;
	// NFKC makes digits of a superscript exponent
	if (SCIENTIFIC.test(normalized(text, 'NFKC'))) {
		return {
			reason: `${shown} is in scientific notation, so a spreadsheet has dropped its last digits. Format the column as text and enter the number again`,
		};
	}
	if (text.includes('@')) {
		const mayHoldOne = text.replace(/\D/g, '').length >= MIN_DIGITS;
		return {
			reason: `${shown} looks like an email address`,
			...(!mayHoldOne && { isCertain: true }),
		};
	}
	if (isCutOff(text)) {
		return { reason: `${shown} is cut off or masked. Enter all digits` };
	}
	if (LINK.test(text) && !SCHEME.test(text)) {
		return { reason: `${shown} is a link. Enter the phone number alone` };
	}
	if (!/\d/.test(text))
		return { reason: `${shown} has no digits`, isCertain: !NUMERALS.test(text) };
	if (/^(?:\*(?!\s*\+|\s+[\d(])|#\d+#)/.test(text)) {
		const mayHoldOne = text.replace(/\D/g, '').length >= FEWEST_IN_CODE;
		if (mayHoldOne)
			return { reason: `${shown} has a sign of a service code. Enter the phone number alone` };
		return { reason: `${shown} is a network service code, not a phone number`, isCertain: true };
	}
	if (/^[^?]*%[\da-f]{2}/i.test(text))
		return { reason: `${shown} is encoded for a URL. Decode it` };
	if (DATE.test(text)) return { reason: `${shown} is a date`, isCertain: true };
	if (LOOKALIKE.test(text)) {
		return {
			reason: `${shown} looks like a date or an IP address. Write a phone number with +`,
		};
	}
	if (AMOUNT.test(text)) {
		const reason = `${shown} is an amount`;
		// A spreadsheet may show a column of phone numbers so
		const isCertain = text.replace(/\D/g, '').length <= MAX_IN_AMOUNT;
		return isCertain ? { reason, isCertain } : { reason: `${reason}. Write a phone number with +` };
	}
	if (LIST_MARK.test(text) || MARK_IN_BRACKETS.test(text)) return { reason: mayHaveMark(shown) };
	if (HOURS_IN_BRACKETS.test(text) || AROUND_THE_CLOCK.test(text))
		return { reason: mayHaveHours(shown) };
	if (isExtensionAlone(text)) {
		return { reason: `${shown} is an extension without its number. Enter the number, too` };
	}
	if (/^-\d+$/.test(text)) {
		return {
			reason: `${shown} looks like the result of a calculation, which is what spreadsheets make of 1-202-555. Format the column as text and enter the number again`,
		};
	}
	if (/\+.*\d.*\+/s.test(text) && !text.includes('phone-context=')) {
		return { reason: `${shown} has more than one +. Enter one number per item` };
	}
	return undefined;
}

/** Links that open a chat, up to the number with its calling code. */
const CHAT_LINK =
	/^(?:(?:https?:\/\/)?(?:www\.)?(?:wa\.me\/+|(?:(?:api|web)\.)?whatsapp\.com\/+(?:send\/?\?(?:.*&)?phone=)?)|whatsapp:\/\/send\/?\?(?:.*&)?phone=)([^?&#]*)/i;
/** A number in a link: its digits, with signs that people type between them, and those signs for a URL. */
const IN_LINK = /^(?:\+|%2b|%20|\s)*\d(?:\+|%20|%28|%29|[\s\p{Pd}.()]|\d)*\/?$/iu;

/** The number in a link to a chat, after a +; undefined if the text is no such link, or has anything else in it. */
function numberInLink(text: string): string | undefined {
	const [, number] = CHAT_LINK.exec(text) ?? [];
	if (number === undefined || !IN_LINK.test(number)) return undefined;
	return `+${number.replace(/%2[089b]|[^\d]/gi, ' ').trim()}`;
}

/** Any other link may have digits of something else. */
const LINK = /:\/\/|^www\.|^[\w.-]{1,60}\.(?:app|co|com|io|link|ly|me|net|org)\//i;
/** A chat of WhatsApp by the number with its calling code, as its other nodes name it. */
const WHATSAPP_ID = /^\+?(\d{7,15})(?::\d{1,3})?@(?:c\.us|s\.whatsapp\.net)$/i;
/** Fewer digits are no number. */
const MIN_DIGITS = 7;
/** *67 and *#06# have fewer; *2345 is a number in some countries. */
const FEWEST_IN_CODE = 4;

/** Numerals that are no digits: in circles, of Rome and of China. */
const NUMERALS =
	/[\p{No}\p{Nl}\u3007\u96f6\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u58f9\u8d30\u53c1\u8086\u4f0d\u9646\u67d2\u634c\u7396]/u;

/** A short last group with the + behind it. From right to left, a number ends in its calling code. */
const CODE_AT_END = /[\s().-](\d{1,3})\+$/;

/** The text with its + in front and in ASCII: exports from right to left have it at the end, and people write it in words. */
function withPlusInFront(text: string): string {
	return text
		.replace(/^(?:[\ufe62\uff0b\u207a]|plus(?=[\s\d]))\s*/i, '+')
		.replace(/^([\d\s().-]{7,40})\+$/, '+$1');
}

const SCHEME = /^(?:tel|callto|sms|whatsapp):(?:\/\/)?/i;

/**
 * The text without the signs of RFC 3966 around a number, and without the schemes and queries of other links to one (RFC 5724).
 */
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

function holdsSeveral(number: string): Unreadable | undefined {
	const shown = `(${quote(number)})`;
	if (number.includes('+', 1)) {
		return { reason: `${shown} has digits before its +. Enter one number per item` };
	}
	return BETWEEN_NUMBERS.test(number)
		? { reason: `${shown} contains more than one number. Enter one number per item` }
		: undefined;
}

function tooLong(text: string, digits: number): Unreadable {
	const reason = `(${quote(text)}) has ${digits} digits, more than any phone number. Enter one number per item`;
	return { reason };
}

/** The keys of a telephone (ITU-T E.161). */
const KEYS = ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqrs', 'tuv', 'wxyz'];

function digitOf(letter: string): string {
	return String(KEYS.findIndex((letters) => letters.includes(letter.toLowerCase())) + 2);
}
