import fc from 'fast-check';
import { PhoneNumberType, PhoneNumberUtil, type PhoneMetadata } from 'google-libphonenumber';
import {
	callingCodeOf,
	isValid,
	nationalFormat,
	NETWORK_CODES,
	readByLibphonenumber,
	REGIONS,
	whole,
} from './oracle';

/** Numbers to try: libphonenumber's example of each type in each region, and random ones that match the same patterns. */

const SEED = 16;

export interface KnownNumber {
	e164: string;
	callingCode: string;
	/** undefined for networks of no country, such as +800. */
	region?: string;
	/** Such as `TOLL_FREE`. */
	type: string;
}

interface TypeOfRegion {
	plan: Omit<KnownNumber, 'e164'>;
	pattern: string;
	example: string;
}

const library = PhoneNumberUtil.getInstance();
const TYPE_NAMES = new Map(Object.entries(PhoneNumberType).map(([name, type]) => [type, name]));

/** Every type of number that the metadata know, of every region and network. */
const TYPES: TypeOfRegion[] = [
	...REGIONS.flatMap((region) =>
		typesOf(
			{ callingCode: callingCodeOf(region), region },
			library.getMetadataForRegion(region),
			library.getSupportedTypesForRegion(region),
		),
	),
	...NETWORK_CODES.flatMap((code) =>
		typesOf(
			{ callingCode: String(code) },
			library.getMetadataForNonGeographicalRegion(code),
			library.getSupportedTypesForNonGeoEntity(code),
		),
	),
];

function typesOf(
	plan: Pick<KnownNumber, 'callingCode' | 'region'>,
	metadata: PhoneMetadata,
	types: number[],
): TypeOfRegion[] {
	return types.map((type) => {
		const description = PhoneNumberUtil.getNumberDescByType_(metadata, type);
		return {
			plan: { ...plan, type: TYPE_NAMES.get(type) ?? String(type) },
			pattern: description.getNationalNumberPatternOrDefault(),
			example: description.getExampleNumberOrDefault(),
		};
	});
}

/** A random valid number of each type in each region and network, the same ones every time. */
const RANDOM: KnownNumber[] = TYPES.flatMap(({ plan, pattern }, index) =>
	fc
		.sample(fc.stringMatching(whole(pattern)), { seed: SEED + index, numRuns: 1 })
		.map((digits) => ({ ...plan, e164: `+${plan.callingCode}${digits}` }))
		.filter(({ e164 }) => isValid(e164) && readByLibphonenumber(e164) === e164),
);

/** libphonenumber's examples. */
export const EXAMPLES: KnownNumber[] = TYPES.filter(({ example }) => example !== '').map(
	({ plan, example }) => ({ ...plan, e164: `+${plan.callingCode}${example}` }),
);

/** Of Canada without an area code, and of kinds in China and Pakistan that other numbers begin with. */
const INCOMPLETE = /^\+(?:1\d{7}|86168\d{5}|92122\d{6})$/;

/** Numbers that can be called from abroad, and that libphonenumber knows by what their country writes. Those with 00 at home are not. */
export const KNOWN_NUMBERS = [...EXAMPLES, ...RANDOM].filter(({ e164, region }) => {
	if (region === undefined) return true;
	const national = nationalFormat(e164);
	const isReadBack = readByLibphonenumber(national, region) === e164;
	return isReadBack && !INCOMPLETE.test(e164) && !/^\D*0\D*0/.test(national);
});

/** Digits at random, of 4 to 17, with the region in which they are typed. */
export function randomDigits(count: number): Array<{ region: string; digits: string }> {
	const digit = fc.constantFrom(...'0123456789');
	return fc.sample(
		fc.record({
			region: fc.constantFrom(...REGIONS),
			digits: fc.string({ unit: digit, minLength: 4, maxLength: 17 }),
		}),
		{ seed: SEED, numRuns: count },
	);
}
