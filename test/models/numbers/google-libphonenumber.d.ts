/** The part of google-libphonenumber 3.2.47 that the generator and the tests use. The package has no types of its own. */
declare module 'google-libphonenumber' {
	/** Plans by region or calling code, as arrays; and the regions of each calling code, the main one first. */
	export const metadata: unknown;

	export interface PhoneNumber {
		getCountryCodeOrDefault(): number;
		getCountryCodeSource(): number;
		getExtensionOrDefault(): string;
	}

	/** What the metadata say of one type of number, or of all numbers of a plan. */
	export interface PhoneNumberDesc {
		getExampleNumberOrDefault(): string;
		getNationalNumberPatternOrDefault(): string;
		possibleLengthArray(): number[];
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
		static readonly ValidationResult: Record<'IS_POSSIBLE', number>;
		static getInstance(): PhoneNumberUtil;
		static getNumberDescByType_(metadata: PhoneMetadata, type: number): PhoneNumberDesc;
		static matchesEntirely: (pattern: string | RegExp, text: string) => boolean;

		getSupportedRegions(): string[];
		getSupportedGlobalNetworkCallingCodes(): number[];
		getSupportedTypesForRegion(region: string): number[];
		getSupportedTypesForNonGeoEntity(callingCode: number): number[];
		getMetadataForRegion(region: string): PhoneMetadata;
		getMetadataForNonGeographicalRegion(callingCode: number): PhoneMetadata;
		getRegionCodeForCountryCode(callingCode: number): string;
		getRegionCodesForCountryCode(callingCode: number): string[];

		/** @throws Error where the text is no number, or lacks a country */
		parse(text: string, region?: string): PhoneNumber;
		parseAndKeepRawInput(text: string, region?: string): PhoneNumber;
		format(number: PhoneNumber, format: number): string;
		formatInOriginalFormat(number: PhoneNumber, region: string): string;
		isPossibleNumberWithReason(number: PhoneNumber): number;
		getNumberType(number: PhoneNumber): number;
		isValidNumber(number: PhoneNumber): boolean;
		isValidNumberForRegion(number: PhoneNumber, region: string): boolean;
	}
}
