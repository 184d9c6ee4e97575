import type { INodeProperties } from 'n8n-workflow';
import type { LocalAnswer } from '../../engine/operation';
import { quote, readText, textOf } from '../../engine/plan/values';

/**
 * Fewest digits of any number with its country code, and most with an international prefix written out (E.164 has 15, but
 * Japan has toll-free numbers of 17 after its country code).
 */
const FEWEST_INTERNATIONAL_DIGITS = 6;
const FEWEST_DIGITS = 3;
const MOST_DIGITS = 22;
/** Enough for every way to write a number, with words beside it. */
const MOST_CHARACTERS = 500;

/** Calling codes of plans without a trunk prefix, where a leading 0 is part of the number: Italy, Ivory Coast, Gabon, … */
const ZERO_BELONGS_TO_NUMBER = new Set(
	'39 47 225 226 227 229 241 242 247 267 268 378 379 501 676 679 687 853 992'.split(' '),
);
/** The only trunk prefix of more than one digit that starts with 0: Hungary. */
const LONGER_TRUNK_PREFIX: Record<string, string> = { '36': '06' };

/** What spreadsheets make of long numbers: 4.42E+11, also with a decimal comma, a lost + or spelled out as 4.42 × 10^11. */
const SCIENTIFIC =
	/^\+?(?:\d+(?:[.,]\d+)?\s?e\s?\+?\s?|\d(?:[.,]\d+)?\s?[x×*·]\s?10\s?\^?\s?)\d{1,3}$/i;
/** Separators of two numbers, never part of one. */
const BETWEEN_NUMBERS = /[;|\n]|,\s|\s\/\s|\s(?:or|and)\s/i;
/** What equal numbers may differ in: spaces, dashes, brackets, dots. What follows a slash may be an extension. */
const FORMATTING = /[\s\p{Pd}\p{Ps}\p{Pe}\u2212.]/gu;
/** Other marks in a number: slashes, quotes (a spreadsheet's mark for text), bullets. */
const LOOSE_FORMATTING = /[\s\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\u2212\u2022\u00b7./\\_'"]/gu;

export const phoneNumberField: INodeProperties = {
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +44 20 7946 0018',
	description: 'The phone number to look up. Spaces, dashes and brackets do no harm.',
};

export const defaultCallingCodeOption: INodeProperties = {
	displayName: 'Default Calling Code',
	name: 'defaultCallingCode',
	type: 'string',
	default: '',
	placeholder: 'e.g. +49',
	description:
		'Country calling code for numbers that start with a single 0 (and, with +1, for bare ten-digit numbers). The leading 0 is replaced, except where it belongs to the number, as in Italy.',
};

/**
 * Reads a phone number as people write it. Returns the number to send (trimmed, digits in ASCII, an international prefix
 * of 00 written as +) or the local answer for what certainly is no phone number. SPEC §4.1, §4.2.
 */
function readPhoneNumber(value: unknown): LocalAnswer | string {
	const field = phoneNumberField.displayName;
	const malformed = (reason: string): LocalAnswer => ({ local: 'malformed', field, reason });

	const raw = readText(value, field, 'a phone number', MOST_CHARACTERS);
	if (typeof raw !== 'string') return raw;

	const text = asciiDigits(raw.normalize('NFKC').replace(/^["'`]+|["'`]+$/g, ''))
		.replace(/^tel:\s*/i, '')
		.replace(/^(\+?\d{7,})\.0{1,2}$/, '$1');
	if (SCIENTIFIC.test(text)) {
		return malformed(
			`(${quote(text)}) is in scientific notation, so a spreadsheet has dropped its last digits; format the column as text and enter the number again`,
		);
	}
	if (text.includes('@')) return malformed(`(${quote(text)}) looks like an email address`);
	if ((text.match(/\+/g) ?? []).length > 1) {
		return malformed(`(${quote(text)}) has more than one +; give one number per item`);
	}
	if (text.split(BETWEEN_NUMBERS).filter(isWholeNumber).length > 1) {
		return malformed(`(${quote(text)}) holds more than one number; give one number per item`);
	}

	const digits = text.replace(/\D/g, '');
	if (digits.length === 0) return malformed(`(${quote(text)}) has no digits`);
	if (digits.length > MOST_DIGITS) {
		return malformed(
			`(${quote(text)}) has ${digits.length} digits, more than any phone number; give one number per item`,
		);
	}

	const international = withPlus(text);
	const fewest = international.includes('+') ? FEWEST_INTERNATIONAL_DIGITS : FEWEST_DIGITS;
	// Letters count: +1 800 FLOWERS
	const length = withoutFormatting(international).replace('+', '').length;
	if (digits.length < FEWEST_DIGITS || length < fewest) {
		return malformed(`(${quote(text)}) is too short for a phone number`);
	}
	return international;
}

/**
 * As readPhoneNumber, with national numbers (a single leading 0) completed by the default calling code. Without one they
 * are incomplete where the endpoint needs the country code, and go as they are where it does not.
 */
export function readNumber(
	value: unknown,
	defaultCallingCode: unknown,
	needsCountryCode: boolean,
): LocalAnswer | string {
	const number = readPhoneNumber(value);
	if (typeof number !== 'string') return number;
	const callingCode = readCallingCode(defaultCallingCode);
	if (typeof callingCode !== 'string') return callingCode;

	const bare = number.replace(LOOSE_FORMATTING, '');
	if (needsCountryCode && /^[1-9]/.test(bare) && bare.length < FEWEST_INTERNATIONAL_DIGITS) {
		const reason = `(${quote(number)}) is too short for a phone number with its country code`;
		return { local: 'malformed', field: phoneNumberField.displayName, reason };
	}
	if (callingCode === '1' && /^011[1-9]/.test(bare)) return `+${bare.slice(3)}`;
	if (callingCode === '1' && /^[2-9]\d{9}$/.test(bare)) return `+1${bare}`;
	if (!/^0(?!0)/.test(bare)) return number;
	if (callingCode === '') {
		if (!needsCountryCode) return number;
		return {
			local: 'incomplete',
			field: phoneNumberField.displayName,
			reason: `(${quote(number)}) has no country code; write it with + and the country code, or set the option Default Calling Code`,
		};
	}
	return `+${callingCode}${withoutTrunkPrefix(bare, callingCode)}`;
}

/** The spelling that all equal numbers share: no formatting, a leading + kept, so `+49…` and `49…` stay apart. */
export function withoutFormatting(number: string): string {
	return number.replace(FORMATTING, '').toLowerCase();
}

/** The number in E.164 where the text holds an international number (with its +), else undefined. */
export function toE164(number: unknown): string | undefined {
	if (typeof number !== 'string' || !/^\s*\+/.test(number)) return undefined;
	return `+${number.replace(/\D/g, '')}`;
}

/** As toE164, of a number that has its country code by rule (SPEC §4.1, Family A), whether with + or as bare digits. */
export function toE164WithCountryCode(number: unknown): string | undefined {
	if (typeof number !== 'string') return undefined;
	return toE164(/^\s*[1-9]/.test(number) ? `+${number}` : number);
}

function readCallingCode(value: unknown): LocalAnswer | string {
	if (value === undefined || value === '') return '';
	const digits = textOf(value)
		.replace(/^\s*(?:\+|00)?\s*/, '')
		.trim();
	if (digits === '' || /^[1-9]\d{0,2}$/.test(digits)) return digits;
	return {
		local: 'parameter',
		field: defaultCallingCodeOption.displayName,
		reason: `(${quote(textOf(value))}) is no country calling code; use one to three digits such as +49`,
	};
}

/** Seven digits and nothing but formatting. An extension after its ; is shorter, or carries its name. */
function isWholeNumber(text: string): boolean {
	return /^\+?\d{7,}$/.test(withoutFormatting(text));
}

function withPlus(number: string): string {
	// Australia dials 0011 abroad, and no country code starts with 11
	return number
		.replace(/^[\s(]*0011[\s)./-]*(?=[\d(])/, '+')
		.replace(/^[\s(]*00[\s)./-]*(?=[\d(])/, '+');
}

function withoutTrunkPrefix(number: string, callingCode: string): string {
	if (ZERO_BELONGS_TO_NUMBER.has(callingCode)) return number;
	const longer = LONGER_TRUNK_PREFIX[callingCode];
	return number.slice(longer && number.startsWith(longer) ? longer.length : 1);
}

/** Every decimal digit of Unicode as its ASCII digit. Scripts hold their ten digits side by side, 0 first. */
function asciiDigits(text: string): string {
	return text.replace(/\p{Nd}/gu, (digit) => {
		const codePoint = digit.codePointAt(0) ?? 0;
		let zero = codePoint;
		while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
		return String((codePoint - zero) % 10);
	});
}
