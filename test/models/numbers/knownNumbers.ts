import fc from 'fast-check';
import { PhoneNumberType, PhoneNumberUtil, type PhoneMetadata } from 'google-libphonenumber';
import {
	callingCodeOf,
	isValid,
	NETWORK_CODES,
	readByLibphonenumber,
	REGIONS,
	whole,
} from './oracle';

/** Numbers to try: libphonenumber's example of each type in each region, and random ones that match the same patterns. */

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

/** libphonenumber's example of each type in each region and network. */
export const EXAMPLES: KnownNumber[] = TYPES.filter(({ example }) => example !== '').map(
	({ plan, example }) => ({ ...plan, e164: `+${plan.callingCode}${example}` }),
);

/** Valid numbers at random, the same for the same seed: at most so many of each type in each region. */
export function randomNumbers(perType: number, seed: number): KnownNumber[] {
	return TYPES.flatMap(({ plan, pattern }, index) =>
		fc
			.sample(fc.stringMatching(whole(pattern)), { seed: seed + index, numRuns: perType })
			.map((digits) => ({ ...plan, e164: `+${plan.callingCode}${digits}` }))
			.filter(({ e164 }) => isValid(e164) && readByLibphonenumber(e164)?.e164 === e164),
	);
}

/** Digits at random, of 4 to 17, with the region in which they are typed. */
export function randomDigits(
	count: number,
	seed: number,
): Array<{ region: string; digits: string }> {
	const digit = fc.constantFrom(...'0123456789');
	return fc.sample(
		fc.record({
			region: fc.constantFrom(...REGIONS),
			digits: fc.string({ unit: digit, minLength: 4, maxLength: 17 }),
		}),
		{ seed, numRuns: count },
	);
}
