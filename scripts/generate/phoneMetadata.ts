/**
 * libphonenumber's metadata, with names for the places of its arrays (phonemetadata.proto: the index of a value is its tag).
 * For newer metadata, install a newer google-libphonenumber and run `npm run generate`.
 */
import { metadata } from 'google-libphonenumber';
import libraryManifest from 'google-libphonenumber/package.json';

/** A group of numbers: all of a region, or those of one type. */
export interface NumberKind {
	/** A regular expression of national numbers. */
	pattern: string;
	/** Lengths of numbers that can be dialled from anywhere; empty where they are those of the region. */
	lengths: number[];
	/** Lengths of what can only be dialled inside an area. */
	localLengths: number[];
	example: string;
}

/** One way to write a national number. */
export interface WritingRule {
	pattern: string;
	/** The first digits that it is for, as a regular expression; empty for all. */
	leadingDigits: string;
	/** The trunk prefix as it is written; empty where none is. */
	prefix: string;
	isPrefixOptional: boolean;
}

/** The numbering plan of a region, or of a calling code that belongs to none (region "001"). */
export interface RegionMetadata {
	region: string;
	callingCode: string;
	general: NumberKind;
	/** Of the types that people give to others: fixed lines, mobiles, toll-free numbers and so on, but no pagers or voicemail. */
	types: NumberKind[];
	/** Of those, and of pagers, voicemail and numbers of companies. */
	allTypes: NumberKind[];
	fixedLine?: NumberKind;
	mobile?: NumberKind;
	/** A regular expression of the prefixes for calls abroad. */
	internationalPrefix: string;
	/** A regular expression of what may come before a national number, with what else it says. */
	trunkPrefixPattern: string;
	/** What the match of that expression becomes. */
	transformRule: string;
	writingRules: WritingRule[];
}

/** Where the values come from, for the head of a generated file. */
export const METADATA_SOURCE = `google-libphonenumber ${libraryManifest.version}`;

const { countryToMetadata, countryCodeToRegionCodeMap } = metadata as {
	countryToMetadata: Record<string, unknown[]>;
	countryCodeToRegionCodeMap: Record<string, string[]>;
};

/** The tags of fixed_line, mobile, toll_free, premium_rate, shared_cost, personal_number and voip. */
const TYPES = [2, 3, 4, 5, 6, 7, 8];
/** The tags of pager, uan and voicemail. */
const OTHER_TYPES = [21, 25, 28];

/** All plans by calling code. The first of a calling code is its main one, which knows all of its numbers. */
export function readPhoneMetadata(): RegionMetadata[] {
	return Object.entries(countryCodeToRegionCodeMap).flatMap(([callingCode, regions]) =>
		regions.map((region) => readRegion(region, callingCode)),
	);
}

function readRegion(region: string, callingCode: string): RegionMetadata {
	const values = countryToMetadata[region === '001' ? callingCode : region];
	const general = readKind(values[1]);
	if (!general) throw new Error(`libphonenumber has no general pattern for ${region}`);
	return {
		region,
		callingCode,
		general,
		fixedLine: readKind(values[2]),
		mobile: readKind(values[3]),
		types: TYPES.flatMap((tag) => readKind(values[tag]) ?? []),
		allTypes: [...TYPES, ...OTHER_TYPES].flatMap((tag) => readKind(values[tag]) ?? []),
		internationalPrefix: text(values[11]),
		trunkPrefixPattern: text(values[15]),
		transformRule: text(values[16]),
		writingRules: list(values[19]).map((rule) => readRule(list(rule))),
	};
}

function readKind(value: unknown): NumberKind | undefined {
	const values = list(value);
	const pattern = text(values[2]);
	if (pattern === '') return undefined;
	const [lengths, localLengths] = [values[9], values[10]].map((found) => list(found) as number[]);
	return { pattern, lengths, localLengths, example: text(values[6]) };
}

function readRule(values: unknown[]): WritingRule {
	return {
		pattern: text(values[1]),
		leadingDigits: text(list(values[3]).at(-1)),
		// What the rule has before the first group: "0$1", "8 ($1)"
		prefix: text(values[4]).replace('$1', '').replace(/\D/g, ''),
		isPrefixOptional: Boolean(values[6]),
	};
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

function list(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}
