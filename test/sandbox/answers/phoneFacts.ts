import {
	isSupportedCountry,
	parsePhoneNumberFromString,
	type CountryCode,
	type NumberType,
	type PhoneNumber,
} from 'libphonenumber-js/max';

import { carrierOf, locationOf, timezonesOf } from './numberingTables';

/** The words of SPEC §2.2 for a line type. */
const LINE_TYPES: Record<NonNullable<NumberType>, string> = {
	MOBILE: 'Mobile',
	FIXED_LINE: 'Fixed Line',
	FIXED_LINE_OR_MOBILE: 'Fixed Line or Mobile',
	TOLL_FREE: 'Toll-Free',
	PREMIUM_RATE: 'Premium Rate',
	SHARED_COST: 'Shared Cost',
	VOIP: 'VoIP',
	PERSONAL_NUMBER: 'Personal Number',
	PAGER: 'Pager',
	UAN: 'Universal Access Number',
	VOICEMAIL: 'Voicemail',
};

/** Family A's four words (SPEC §2.1). A number that may be either kind of line is not known to be one of them. */
const BASIC_LINE_TYPES: Record<string, string> = {
	Mobile: 'mobile',
	'Fixed Line': 'landline',
	VoIP: 'voip',
};

/** What the numbering plans say about one valid number. */
export interface PhoneFacts {
	e164: string;
	lineType: string;
	basicLineType: string;
	carrier: string;
	location: string;
	callingCode: number;
	/** ISO 3166-1 alpha-2; empty for numbers of no country, such as +800. */
	country: string;
	countryName: string;
	national: string;
	international: string;
	timezones: string[];
}

/** E.164: a plus sign and digits. SPEC promises no formatting, so any other character makes a number unreadable. */
const E164 = /^\+\d{6,15}$/;

/** The local format of SPEC §4.2, as digits alone. The longest national numbers are Japan's toll-free ones, of 17 digits. */
const LOCAL = /^\d{3,17}$/;

/**
 * Reads a number as the detailed endpoints do (SPEC §4.2): E.164, or the digits of a local number with a country to
 * read them in. Undefined for every other spelling and for numbers that the numbering plans call invalid.
 * @param hint ISO 3166-1 alpha-2, in either case; an unknown one and `none` count as absent
 */
export function parseE164OrLocal(text: string, hint?: string): PhoneNumber | undefined {
	return isE164OrLocal(text, hint) ? parse(text, countryOf(hint)) : undefined;
}

/** Reads a number as Family A and batches do (SPEC §4.1, "with country code"): in E.164. Undefined as for `parseE164OrLocal`. */
export function parseE164(text: string): PhoneNumber | undefined {
	return E164.test(text) ? parse(text) : undefined;
}

/** Whether the sandbox takes the spelling, be the number valid or not. A hint is for phonevalidation only. */
export function isE164OrLocal(text: string, hint?: string): boolean {
	if (E164.test(text)) return true;
	const country = countryOf(hint);
	return country !== undefined && LOCAL.test(text) && !isDialledAbroad(text, country);
}

/** Whether something stands before the calling code: the international prefix of the country, which is no local format. */
function isDialledAbroad(digits: string, country: CountryCode): boolean {
	const international = parse(digits, country)?.number.slice(1);
	return international !== undefined && digits !== international && digits.endsWith(international);
}

function countryOf(hint = ''): CountryCode | undefined {
	const country = hint.toUpperCase();
	return isSupportedCountry(country) ? country : undefined;
}

function parse(text: string, country?: CountryCode): PhoneNumber | undefined {
	const number = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false });
	return number?.isValid() ? number : undefined;
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** Everything the endpoints say about a number. */
export function factsOf(number: PhoneNumber): PhoneFacts {
	const plan = [number.countryCallingCode, number.nationalNumber] as const;
	const type = number.getType();
	const lineType = type ? LINE_TYPES[type] : 'Unknown';
	const countryName = number.country ? (countryNames.of(number.country) ?? '') : 'International';
	return {
		e164: number.number,
		lineType,
		basicLineType: BASIC_LINE_TYPES[lineType] ?? 'unknown',
		carrier: carrierOf(...plan),
		location: locationOf(...plan) || countryName,
		callingCode: Number(number.countryCallingCode),
		country: number.country ?? '',
		countryName,
		national: number.formatNational(),
		international: number.formatInternational(),
		timezones: timezonesOf(...plan),
	};
}
