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

/**
 * Digits and the characters that people set numbers with. Nothing is trimmed: a space at the start is a `+` that was
 * sent unencoded, and a client that forgets the encoding has to be caught.
 */
const WRITTEN_NUMBER = /^\+?\(?\d([\d ().\-/]*\d)?$/;

/**
 * Reads a number as the detailed endpoints do (SPEC §4.2): E.164, or local with a country to read it in.
 * Bare digits without a country are local, and so unreadable.
 */
export function parseE164OrLocal(text: string, hint?: string): PhoneNumber | undefined {
	const country = hint?.toUpperCase() ?? 'NONE';
	return parse(text, isSupportedCountry(country) ? country : undefined);
}

/** Reads a number as Family A does (SPEC §4.1): with its country code, after `+`, after `00`, or bare. */
export function parseWithCountryCode(text: string): PhoneNumber | undefined {
	return parse(text.startsWith('+') ? text : `+${text.replace(/^00/, '')}`);
}

function parse(text: string, country?: CountryCode): PhoneNumber | undefined {
	if (!WRITTEN_NUMBER.test(text)) return undefined;
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
