import names from 'i18n-iso-countries';
import { callingCodeOf, mainRegionOf } from './oracle';

/** How a user writes the field Country. */

export interface Country {
	/** What is in the field. */
	written: string;
	/** The region of libphonenumber that it means; undefined where it means none. */
	region?: string;
}

/** In Namibia by its alpha-3 code: NA also stands for a missing value. */
export function asAlpha2(region: string): Country {
	return { written: region === 'NA' ? 'NAM' : region, region };
}

/** Of a region that shares its calling code, the calling code means the main one: +1 is read as US. */
function asCallingCode(region: string): Country {
	const callingCode = callingCodeOf(region);
	return { written: `+${callingCode}`, region: mainRegionOf(callingCode) };
}

/** All ways to write it. Regions that are no country of ISO 3166-1, such as Ascension, have no alpha-3 code and no name. */
export function writingsOf(region: string): Country[] {
	const written = [names.alpha2ToAlpha3(region), names.getName(region, 'en')];
	return [
		asAlpha2(region),
		...written.flatMap((text) => (text ? [{ written: text, region }] : [])),
		asCallingCode(region),
	];
}

/** A country that nobody can read. */
export const UNREADABLE: Country = { written: 'Atlantis' };
