import { PhoneNumberFormat, PhoneNumberUtil, type PhoneMetadata } from 'google-libphonenumber';

/** What libphonenumber says of a number: it formats those that the tests write, and reads what nobody has written. */

const library = PhoneNumberUtil.getInstance();
/** libphonenumber's region for "no region": a number must then have its + and calling code. */
const NO_REGION = 'ZZ';

/** A function of a number in E.164 that works each one out once, for its many spellings. */
function remembered<Value>(work: (e164: string) => Value): (e164: string) => Value {
	const known = new Map<string, Value>();
	return (e164) => {
		if (!known.has(e164)) known.set(e164, work(e164));
		return known.get(e164) as Value;
	};
}

const parse = remembered((e164) => library.parse(e164));

/** All regions of the library, ISO 3166-1 alpha-2 with AC, TA and XK, in alphabetical order. */
export const REGIONS = library.getSupportedRegions().sort();
/** Calling codes of no country, such as 800. */
export const NETWORK_CODES = library.getSupportedGlobalNetworkCallingCodes();

/** The number in E.164. @returns undefined where libphonenumber throws: the text is no number, or lacks a country */
export function readByLibphonenumber(text: string, region = NO_REGION): string | undefined {
	try {
		return library.format(library.parse(text, region), PhoneNumberFormat.E164);
	} catch {
		return undefined;
	}
}

export function callingCodeOf(region: string): string {
	return String(library.getMetadataForRegion(region).getCountryCodeOrDefault());
}

/** What people dial before a national number; empty where they dial nothing. */
export function trunkPrefixOf(region: string): string {
	return library.getMetadataForRegion(region).getNationalPrefixOrDefault();
}

export const internationalFormat = formatter(PhoneNumberFormat.INTERNATIONAL);
export const nationalFormat = formatter(PhoneNumberFormat.NATIONAL);
/** As RFC 3966 writes a global number: `tel:+44-20-7946-0018`. */
export const telFormat = formatter(PhoneNumberFormat.RFC3966);

/** Formats a number in E.164. */
function formatter(format: number): (e164: string) => string {
	return remembered((e164) => library.format(parse(e164), format));
}

/** Whether a number is of a type that the plan has: the library's strictest test. */
export const isValid = remembered((e164) => library.isValidNumber(parse(e164)));

/** A pattern that matches a whole text. */
export function whole(pattern: string): RegExp {
	return new RegExp(`^(?:${pattern})$`);
}

/** Whether the digits after the calling code match the pattern that all numbers of a region with that code share. */
export const matchesPlan = remembered((e164) => {
	const code = parse(e164).getCountryCodeOrDefault();
	const national = e164.slice(1 + String(code).length);
	const plans: PhoneMetadata[] = NETWORK_CODES.includes(code)
		? [library.getMetadataForNonGeographicalRegion(code)]
		: library.getRegionCodesForCountryCode(code).map((one) => library.getMetadataForRegion(one));
	return plans.some((plan) =>
		whole(plan.getGeneralDescOrDefault().getNationalNumberPatternOrDefault()).test(national),
	);
});
