/** The part of google-libphonenumber 3.2.47 that the generator and the tests use. The package has no types of its own. */
declare module 'google-libphonenumber' {
	/** Plans by region or calling code, as arrays; and the regions of each calling code, the main one first. */
	export const metadata: unknown;

	export interface PhoneNumber {
		getCountryCodeOrDefault(): number;
	}

	/** What the metadata say of one type of number, or of all numbers of a plan. */
	export interface PhoneNumberDesc {
		getExampleNumberOrDefault(): string;
		getNationalNumberPatternOrDefault(): string;
	}

	export interface PhoneMetadata {
		getCountryCodeOrDefault(): number;
		getGeneralDescOrDefault(): PhoneNumberDesc;
		/** A pattern, such as `00[89]`. */
		getInternationalPrefixOrDefault(): string;
		getNationalPrefixOrDefault(): string;
		getPreferredInternationalPrefixOrDefault(): string;
	}

	export const PhoneNumberFormat: Record<'E164' | 'INTERNATIONAL' | 'NATIONAL' | 'RFC3966', number>;
	export const PhoneNumberType: Record<string, number>;

	export class PhoneNumberUtil {
		static getInstance(): PhoneNumberUtil;
		static getNumberDescByType_(metadata: PhoneMetadata, type: number): PhoneNumberDesc;

		getSupportedRegions(): string[];
		getSupportedGlobalNetworkCallingCodes(): number[];
		getSupportedTypesForRegion(region: string): number[];
		getSupportedTypesForNonGeoEntity(callingCode: number): number[];
		getMetadataForRegion(region: string): PhoneMetadata;
		getMetadataForNonGeographicalRegion(callingCode: number): PhoneMetadata;
		getRegionCodesForCountryCode(callingCode: number): string[];

		/** @throws Error where the text is no number, or lacks a country */
		parse(text: string, region?: string): PhoneNumber;
		format(number: PhoneNumber, format: number): string;
		isValidNumber(number: PhoneNumber): boolean;
	}
}
