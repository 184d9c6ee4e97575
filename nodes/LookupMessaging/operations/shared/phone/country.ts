import type { INodeProperties } from 'n8n-workflow';
import { normalized, quote, textOf } from '../../../engine/plan/values';
import { isPlaceholder } from '../readText';
import {
	isNumberOfOtherCountry,
	planOfCallingCode,
	planOfCountry,
	type NumberingPlan,
} from './numberingPlans';

export const countryField: INodeProperties = {
	displayName: 'Country',
	name: 'country',
	type: 'string',
	default: '',
	placeholder: 'e.g. GB',
	description:
		"Country of numbers without a country code: a code (GB, GBR), a name (United Kingdom, Deutschland) or a calling code (+44). Numbers with + don't need it.",
};

const NO_TEXT = 'is a list or an object. Use a code such as GB';
const NAMIBIA_OR_NONE = '("NA") may be Namibia or a missing value. Write NAM, or leave it empty';
/** A longer text is no country, even with all the spaces of a column of fixed width. */
const MAX_CHARACTERS = 1_000;
/** A language tag (de-AT), a part of a country (AR-M, which is not ARM), or a territory with a plan of its own (FR-RE). */
const CODE_OF_TWO_PARTS = /^[a-z]{2}[^\p{L}\d]+[a-z\d]{1,3}$/iu;
/** A calling code, also as a spreadsheet writes it. 001 is the UN's number of the world. */
const CALLING_CODE = /^(\+|00(?!\d(?:\.0+)?$))?\s*([1-9][\d\s-]*)(?:\.0+)?$/;

/**
 * Reads the field Country.
 * @returns the plan; undefined if it is empty; for anything else the problem, as a predicate of the field
 */
export function readCountry(value: unknown): NumberingPlan | string | undefined {
	if (typeof value === 'object' && value !== null) return NO_TEXT;
	const given = textOf(value);
	if (given.length > MAX_CHARACTERS) return notRecognized(given);
	const text = normalized(given, 'NFKC').trim();
	if (/^na$/i.test(text)) return NAMIBIA_OR_NONE;
	if (text === '' || isPlaceholder(text)) return undefined;
	if (CODE_OF_TWO_PARTS.test(text)) return twoParts(text);
	const [, prefix, code] = CALLING_CODE.exec(text) ?? [];
	if (code === undefined) return planOfCountry(text) ?? planOfEntry(text) ?? notRecognized(text);
	const digits = code.replace(/\D/g, '');
	const plan = planOfCallingCode(digits);
	const isBare = prefix === undefined;
	if (plan && isBare && isNumberOfOtherCountry(digits)) return twoCountries(text, digits);
	return plan ?? notRecognized(text);
}

/** An entry of a list of countries: "Germany (DE)", "Germany (+49)", "DE - Germany", "🇩🇪 Germany (+49)", or a flag alone. */
const ENTRIES = [
	/^(?<name>.+?),?\s*[([](?<code>[a-z]{2,3}|\+\s?\d{1,4})[)\]]$/i,
	/^(?<code>[A-Z]{2,3}|\+\d{1,4})\s*[-–—:|]\s*(?<name>.+)$/,
	/^(?<name>.+?)\s*[-–—:|]\s*(?<code>[A-Z]{2,3}|\+\d{1,4})$/,
	/^(?<name>.+?)\s+(?<code>\+\d{1,4})$/,
];
const FLAG = /^([\u{1f1e6}-\u{1f1ff}])([\u{1f1e6}-\u{1f1ff}])\s*/u;
const FIRST_LETTER = 0x1f1e6;
const LONGEST_ENTRY = 100;

/** The country of such an entry, if all of its parts agree. */
function planOfEntry(text: string): NumberingPlan | undefined {
	if (text.length > LONGEST_ENTRY) return undefined;
	const [flag = '', ...letters] = FLAG.exec(text) ?? [];
	const region = letters
		.map((each) => String.fromCharCode(65 + (each.codePointAt(0) ?? 0) - FIRST_LETTER))
		.join('');
	const rest = text.slice(flag.length);
	const entry = ENTRIES.map((each) => each.exec(rest)?.groups).find(Boolean);
	const { name = rest, code = '' } = entry ?? {};
	const plan = planOfCountry(name === '' ? region : name);
	const isSame = (part: string) =>
		part === '' ||
		(part.startsWith('+')
			? plan?.callingCode === part.slice(1).trim()
			: planOfCountry(part) === plan);
	return plan && isSame(region) && isSame(code) && (entry || flag) ? plan : undefined;
}

function twoParts(text: string): string {
	return `(${quote(text)}) may be a language or a part of a country. Use the code of the country alone, such as DE`;
}

function twoCountries(text: string, digits: string): string {
	return `(${quote(text)}) may be the calling code +${digits} or the ISO number of another country. Write +${digits} or a code such as GB`;
}

function notRecognized(text: string): string {
	return `(${quote(text)}) isn't recognized as a country. Use a code such as GB, the English name, or a calling code such as +44`;
}
