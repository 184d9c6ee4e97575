import {
	PhoneNumberFormat,
	PhoneNumberType,
	PhoneNumberUtil,
	type PhoneMetadata,
	type PhoneNumber,
	type PhoneNumberDesc,
} from 'google-libphonenumber';

/** What libphonenumber says of a number: the oracle that the package's own reading is compared with. */

const library = PhoneNumberUtil.getInstance();
const wholePatterns = new Map<string, RegExp>();
// The library makes each pattern again for each number
PhoneNumberUtil.matchesEntirely = (pattern, text) => {
	const source = typeof pattern === 'string' ? pattern : pattern.source;
	const known = wholePatterns.get(source) ?? new RegExp(whole(source), 'i');
	wholePatterns.set(source, known);
	return known.test(text);
};

/** A function of a number in E.164 that works each one out once, for its many spellings. */
function remembered<Value>(work: (e164: string) => Value): (e164: string) => Value {
	const known = new Map<string, Value>();
	return (e164) => {
		if (!known.has(e164)) known.set(e164, work(e164));
		return known.get(e164) as Value;
	};
}

const MAX_REMEMBERED = 20_000;

/** A function of a text and a region that remembers what it worked out last: the writings of a number come one after another. */
export function rememberedFor<Value>(work: (text: string, region?: string) => Value): typeof work {
	const known = new Map<string, Value>();
	return (text, region) => {
		const name = `${region} ${text}`;
		if (known.size >= MAX_REMEMBERED) known.clear();
		if (!known.has(name)) known.set(name, work(text, region));
		return known.get(name) as Value;
	};
}

const parse = remembered((e164) => library.parse(e164));
const typeOf = remembered((e164) => library.getNumberType(parse(e164)));
const { IS_POSSIBLE } = PhoneNumberUtil.ValidationResult;
/** CountryCodeSource.FROM_DEFAULT_COUNTRY: the text has no calling code. */
const FROM_DEFAULT_COUNTRY = 20;
/** libphonenumber's region for "no region": a number must then have its + and calling code. */
const NO_REGION = 'ZZ';

/** How libphonenumber reads a text. */
export interface Reading {
	e164: string;
	/** Whether the length is one that the numbering plan has (IS_POSSIBLE). A number without its area code is not possible. */
	isPossible: boolean;
	/** Whether the text has the calling code: after + or an international prefix, or in front of a number too long without it. */
	hasCallingCode: boolean;
	/** The extension, which is no part of E.164; empty where there is none. */
	extension: string;
}

/** All regions of the library, ISO 3166-1 alpha-2 with AC, TA and XK, in alphabetical order. */
export const REGIONS = library.getSupportedRegions().sort();
/** Calling codes of no country, such as 800. */
export const NETWORK_CODES = library.getSupportedGlobalNetworkCallingCodes();

/** @returns undefined where libphonenumber throws: the text is no number, or lacks a country */
export const readByLibphonenumber = rememberedFor((text, region): Reading | undefined => {
	try {
		// The port throws where it should keep a text without + and region
		const number = region
			? library.parseAndKeepRawInput(text, region)
			: library.parse(text, NO_REGION);
		return {
			e164: e164Of(number),
			hasCallingCode: !region || number.getCountryCodeSource() !== FROM_DEFAULT_COUNTRY,
			isPossible: library.isPossibleNumberWithReason(number) === IS_POSSIBLE,
			extension: number.getExtensionOrDefault(),
		};
	} catch {
		return undefined;
	}
});

/** Whether a service that takes E.164 alone takes the number. E.164 has at most 15 digits. */
export function isE164(number: string): boolean {
	return /^\+\d{6,15}$/.test(number);
}

export function callingCodeOf(region: string): string {
	return String(library.getMetadataForRegion(region).getCountryCodeOrDefault());
}

/** The region whose plan a calling code stands for: of +1, US. */
export function mainRegionOf(callingCode: string): string {
	return library.getRegionCodeForCountryCode(Number(callingCode));
}

export const internationalFormat = formatter(PhoneNumberFormat.INTERNATIONAL);
export const nationalFormat = formatter(PhoneNumberFormat.NATIONAL);
/** As RFC 3966 writes a global number: `tel:+44-20-7946-0018`. */
export const telFormat = formatter(PhoneNumberFormat.RFC3966);

/** Formats a number in E.164. */
function formatter(format: number): (e164: string) => string {
	return remembered((e164) => library.format(parse(e164), format));
}

/** Whether a number of the type patterns: the library's strictest test. */
export const isValid = remembered((e164) => library.isValidNumber(parse(e164)));

/** Whether the digits after the calling code match the pattern that all numbers of a region with that code share. */
export const matchesPlan = remembered((e164) => {
	if (e164.startsWith('+1')) return isOfNorthAmerica(e164.slice(2));
	return plansOf(e164).some(({ general, nationalNumber }) => general.test(nationalNumber));
});

/** Whether the digits, with any zeros in front, match that pattern of a region. */
export function matchesPlanOf(region: string, digits: string): boolean {
	if (region === mainRegionOf('1')) return isOfNorthAmerica(digits);
	return PLANS.get(region)?.general.test(digits) ?? false;
}

/** What people dial before a national number; empty where they dial nothing. */
export function trunkPrefixOf(region: string): string {
	return PLANS.get(region)?.trunkPrefix ?? '';
}

const LATER_DIGITS = [...'0123456789'].flatMap((two) => [...'258'].map((three) => two + three));
const exchangesOf = new Map<string, string>();

/** Whether digits have an area code that is in use. The pattern that the numbers of North America share has any. */
function isOfNorthAmerica(digits: string): boolean {
	if (!/^\d{10}$/.test(digits)) return false;
	const area = digits.slice(0, 3);
	const isUsed = (one: string) =>
		LATER_DIGITS.some((rest) => isValid(`+1${area}${one}${rest}2345`));
	const known = exchangesOf.get(area) ?? [...'0123456789'].filter(isUsed).join('');
	exchangesOf.set(area, known);
	// An area code that has some exchange codes may be given more
	return known !== '' && (digits[3] >= '2' || /[01]/.test(known));
}

/**
 * Whether a number is shorter than the example of every fixed line and mobile of its plan, and is of no type. Where fixed lines or
 * mobiles differ so much in length that some are shorter than their examples, no pattern of the plan may match it either.
 */
export function lacksAreaCode(e164: string): boolean {
	const code = leadingCallingCode(e164.slice(1));
	const usual = code === undefined ? undefined : usualLines(code);
	if (code === undefined || !usual || e164.length - 1 - code.length >= usual.shortest) return false;
	return usual.hasShorter ? !matchesPlan(e164) : !isValid(e164);
}

/** Whether a number is shorter than the example of every fixed line and mobile of a plan that has even shorter ones. */
export function isShorterThanUsual(e164: string): boolean {
	const code = leadingCallingCode(e164.slice(1));
	const usual = code === undefined ? undefined : usualLines(code);
	if (code === undefined || !usual?.hasShorter) return false;
	return e164.length - 1 - code.length < usual.shortest;
}

/** The most digits that people dial inside an area, where some whole lines have as few (ITU-T E.129). */
const DIALLED_IN_AREA: Record<string, number> = {
	...{ BD: 8, BG: 7, CD: 7, DE: 8, IE: 7, KR: 8, MM: 7, SE: 8, YE: 7, ZW: 7 },
};

/** Whether a number is a line, or of no type, with as few digits as people dial inside an area of its country. */
export function isDialledInArea(e164: string, region: string): boolean {
	const digits = e164.length - 1 - callingCodeOf(region).length;
	if (digits > (DIALLED_IN_AREA[region] ?? 0)) return false;
	const type = typeOf(e164);
	return [FIXED_LINE, FIXED_LINE_OR_MOBILE, PhoneNumberType.UNKNOWN].includes(type);
}

/** The calling code of a country at the start of digits. */
export function leadingCallingCode(digits: string): string | undefined {
	return [1, 2, 3].map((end) => digits.slice(0, end)).find((code) => CALLING_CODES.has(code));
}

/** Whether a national number has fewer digits than the examples of fixed lines and mobiles of its region. */
export function isShorterThanExamples(digits: string, region: string): boolean {
	const metadata = library.getMetadataForRegion(region);
	const examples = [FIXED_LINE, MOBILE].flatMap(
		(type) =>
			PhoneNumberUtil.getNumberDescByType_(metadata, type).getExampleNumberOrDefault().length || [],
	);
	return digits.length < Math.min(...examples);
}

/** Calling codes whose lines people write as if they had one plan, the largest first: France and its overseas, Italy and San Marino. */
export const FAMILIES = [
	['33', '262', '590', '594', '596'],
	['39', '378'],
];

/** The other calling codes of a region's family. */
export function neighborsOf(region: string): string[] {
	const own = callingCodeOf(region);
	return FAMILIES.flatMap((codes) => (codes.includes(own) ? codes : [])).filter(
		(code) => code !== own,
	);
}

export function isOfLargest(region: string): boolean {
	return FAMILIES.some(([largest]) => largest === callingCodeOf(region));
}

/** Whether a number is a fixed line or mobile. */
export const isLine = remembered((e164) => {
	const number = parsed(e164);
	return number !== undefined && e164Of(number) === e164 && LINES.has(typeOf(e164));
});

const CALLING_CODES = new Set(REGIONS.map(callingCodeOf));
const knownLines = new Map<string, { shortest: number; hasShorter: boolean }>();

/** The shortest example of a fixed line or mobile of a plan, and whether it has shorter ones. */
function usualLines(code: string) {
	const known = knownLines.get(code);
	if (known) return known;
	const metadata = library.getMetadataForRegion(mainRegionOf(code));
	const lines = [FIXED_LINE, MOBILE].map((type) =>
		PhoneNumberUtil.getNumberDescByType_(metadata, type),
	);
	const shortest = Math.min(
		...lines.flatMap((line) => line.getExampleNumberOrDefault().length || []),
	);
	const lengths = lines.flatMap((line) => lengthsOf(line, metadata));
	const found = { shortest, hasShorter: lengths.some((length) => length < shortest) };
	knownLines.set(code, found);
	return found;
}

/** A pattern that matches a whole text. */
export function whole(pattern: string): RegExp {
	return new RegExp(`^(?:${pattern})$`);
}

interface Plan {
	region: string;
	general: RegExp;
	trunkPrefix: string;
}

const PLANS = new Map(
	REGIONS.map((region) => [region, planOf(region, library.getMetadataForRegion(region))]),
);
const NETWORK_PLANS = new Map(
	NETWORK_CODES.map((code) => [
		String(code),
		planOf('001', library.getMetadataForNonGeographicalRegion(code)),
	]),
);

function planOf(region: string, metadata: PhoneMetadata): Plan {
	return {
		region,
		general: whole(metadata.getGeneralDescOrDefault().getNationalNumberPatternOrDefault()),
		trunkPrefix: metadata.getNationalPrefixOrDefault(),
	};
}

function plansOf(e164: string) {
	const number = parse(e164);
	const code = number.getCountryCodeOrDefault();
	const nationalNumber = e164.slice(1 + String(code).length);
	const network = NETWORK_PLANS.get(String(code));
	const plans = network
		? [network]
		: library.getRegionCodesForCountryCode(code).map((region) => PLANS.get(region)!);
	return plans.map((plan) => ({ ...plan, nationalNumber }));
}

const { FIXED_LINE, MOBILE, FIXED_LINE_OR_MOBILE, PAGER, UAN, VOICEMAIL } = PhoneNumberType;
const LINES = new Set<number>([FIXED_LINE, MOBILE, FIXED_LINE_OR_MOBILE]);
/** Types that nobody writes down to be called. */
const RARE_TYPES = new Set([PAGER, UAN, VOICEMAIL]);

/** Whether a number is of a type that people give to others, and as long as libphonenumber's example of it. */
export function isUsual(e164: string, region: string): boolean {
	const type = typeOf(e164);
	if (RARE_TYPES.has(type)) return false;
	const types = type === FIXED_LINE_OR_MOBILE ? [FIXED_LINE, MOBILE] : [type];
	const metadata = library.getMetadataForRegion(region);
	const { length } = e164.slice(1 + callingCodeOf(region).length);
	return types.some(
		(each) =>
			PhoneNumberUtil.getNumberDescByType_(metadata, each).getExampleNumberOrDefault().length ===
			length,
	);
}

/** Whether a national number is no longer than the mobiles of its region, or than the example of its fixed lines. */
export function isUsualLength(digits: string, region: string): boolean {
	const metadata = library.getMetadataForRegion(region);
	const of = (type: number) => PhoneNumberUtil.getNumberDescByType_(metadata, type);
	const mobiles = lengthsOf(of(MOBILE), metadata);
	const fixedLine = of(FIXED_LINE).getExampleNumberOrDefault().length;
	return digits.length <= Math.max(fixedLine, ...mobiles);
}

/** Whether a number is a mobile with fewer digits than the example of its region. */
export function isShortMobile(e164: string, region: string): boolean {
	const number = parsed(e164);
	if (!number || typeOf(e164) !== MOBILE) return false;
	const mobile = PhoneNumberUtil.getNumberDescByType_(library.getMetadataForRegion(region), MOBILE);
	const national = e164.slice(1 + callingCodeOf(region).length);
	return national.length < mobile.getExampleNumberOrDefault().length;
}

/** The lengths of a type. Where the metadata name none, they are those of all numbers. */
function lengthsOf(type: PhoneNumberDesc, metadata: PhoneMetadata): number[] {
	const lengths = type.possibleLengthArray();
	return lengths.length > 0 ? lengths : metadata.getGeneralDescOrDefault().possibleLengthArray();
}

/**
 * The valid numbers of a usual kind, in E.164, that people in some country write as these digits, with the trunk prefix that their
 * national format has. `13123456789` is a Chinese mobile, `84951234567` is in Moscow.
 */
export function numbersWrittenNationally(digits: string): string[] {
	const found = new Set<string>();
	for (const { region, general, trunkPrefix } of PLANS.values()) {
		const withoutTrunk =
			trunkPrefix !== '' && digits.startsWith(trunkPrefix) && digits.slice(trunkPrefix.length);
		if (!general.test(digits) && !(withoutTrunk && general.test(withoutTrunk))) continue;
		for (const nationalNumber of [digits, withoutTrunk]) {
			if (!nationalNumber || !general.test(nationalNumber)) continue;
			const number = parsed(`+${callingCodeOf(region)}${nationalNumber}`);
			if (!number || !library.isValidNumberForRegion(number, region)) continue;
			const written = library.format(number, PhoneNumberFormat.NATIONAL).replace(/\D/g, '');
			if (written === digits && isUsual(e164Of(number), region)) found.add(e164Of(number));
		}
	}
	return [...found];
}

/**
 * How a number is written in its own country, digits alone: as the national format has it, and as libphonenumber would write it
 * back to somebody who left the trunk prefix out.
 */
export function nationalDigits(e164: string, region: string): string[] {
	const number = parse(e164);
	const formatted = library.format(number, PhoneNumberFormat.NATIONAL);
	const back = library.formatInOriginalFormat(
		library.parseAndKeepRawInput(formatted, region),
		region,
	);
	return [...new Set([formatted, back].map((text) => text.replace(/\D/g, '')))];
}

const knownZeros = new Map<string, boolean>();

/** Whether lines like this one are written with a 0 that is no digit of theirs; one of no type, as any lines of its region are. */
export function writesZero(region: string, e164: string): boolean {
	const type = typeOf(e164);
	const kinds = [FIXED_LINE, MOBILE].filter(
		(kind) => type === kind || type === FIXED_LINE_OR_MOBILE,
	);
	const isWithZero = (kind: number) => isKindWithZero(region, kind);
	return kinds.length > 0 ? kinds.every(isWithZero) : [FIXED_LINE, MOBILE].some(isWithZero);
}

function isKindWithZero(region: string, kind: number): boolean {
	const name = `${region} ${kind}`;
	const known = knownZeros.get(name);
	if (known !== undefined) return known;
	const metadata = library.getMetadataForRegion(region);
	const national = PhoneNumberUtil.getNumberDescByType_(metadata, kind).getExampleNumberOrDefault();
	const writings =
		national === '' ? [] : nationalDigits(`+${callingCodeOf(region)}${national}`, region);
	const found = !national.startsWith('0') && writings.some((written) => written.startsWith('0'));
	knownZeros.set(name, found);
	return found;
}

function parsed(e164: string): PhoneNumber | undefined {
	try {
		return parse(e164);
	} catch {
		return undefined;
	}
}

function e164Of(number: PhoneNumber): string {
	return library.format(number, PhoneNumberFormat.E164);
}
