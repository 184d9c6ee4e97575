/** English names of countries and their ISO 3166-1 codes, as people write them in forms and lists. */
import countries from 'i18n-iso-countries';
import english from 'i18n-iso-countries/langs/en.json';
import libraryManifest from 'i18n-iso-countries/package.json';

countries.registerLocale(english);

/** Where the names come from, for the head of a generated file. */
export const NAMES_SOURCE = `i18n-iso-countries ${libraryManifest.version}`;

/** Names and codes in everyday use that the library does not have. Add a missing one here, and run `npm run generate`. */
const MORE_NAMES: Record<string, string[]> = {
	AC: ['Ascension Island', 'Ascension'],
	AE: ['UAE', 'Emirates'],
	AX: ['Aland'],
	BA: ['Bosnia'],
	BN: ['Brunei'],
	BQ: ['Caribbean Netherlands', 'Bonaire'],
	CD: ['DRC', 'DR Congo', 'Congo-Kinshasa'],
	CG: ['Congo-Brazzaville', 'Republic of Congo'],
	CN: ['PRC', 'Mainland China'],
	CV: ['Cabo Verde'],
	CZ: ['Czechia'],
	FK: ['Falkland Islands', 'Falklands'],
	FM: ['Micronesia'],
	GB: [
		'UK',
		'United Kingdom of Great Britain and Northern Ireland',
		'Great Britain',
		'Britain',
		'England',
		'Scotland',
		'Wales',
		'Northern Ireland',
	],
	GR: ['EL', 'Hellas'],
	HK: ['Hong Kong SAR'],
	IE: ['Republic of Ireland', 'Eire'],
	KG: ['Kyrgyz Republic'],
	KP: ['North Korea', 'DPRK'],
	KR: ['South Korea', 'Korea', 'Republic of Korea'],
	LA: ['Laos'],
	LC: ['Saint Lucia'],
	MD: ['Moldova'],
	MF: ['Saint Martin'],
	MK: ['Macedonia', 'North Macedonia'],
	MM: ['Burma'],
	MO: ['Macau', 'Macao SAR'],
	NL: ['Holland', 'The Netherlands'],
	PS: ['Palestine', 'Palestinian Territories', 'State of Palestine'],
	RU: ['Russia'],
	SA: ['KSA'],
	SH: ['Saint Helena'],
	ST: ['Sao Tome', 'Sao Tome & Principe'],
	SX: ['Sint Maarten'],
	SY: ['Syria'],
	SZ: ['Swaziland'],
	TA: ['Tristan da Cunha', 'TAA'],
	TL: ['East Timor'],
	TR: ['Turkey', 'Turkiye'],
	TW: ['Taiwan'],
	TZ: ['Tanzania'],
	US: ['USA', 'America', 'United States of America', 'United States'],
	VA: ['Vatican', 'Vatican City', 'Holy See'],
	VC: ['Saint Vincent'],
	VE: ['Venezuela'],
	VG: ['British Virgin Islands'],
	VI: ['US Virgin Islands'],
	VN: ['Viet Nam', 'Vietnam'],
	XK: ['XKX'],
};

/** The alpha-3 code and all names of a region, without those that could mean another one. */
export function namesOf(region: string): string[] {
	const alpha3 = countries.alpha2ToAlpha3(region);
	return [
		...(alpha3 ? [alpha3] : []),
		...(MORE_NAMES[region] ?? []),
		...libraryNames(region).filter((name) => !isShared(name)),
	];
}

function libraryNames(region: string): string[] {
	return countries.getName(region, 'en', { select: 'all' }) ?? [];
}

/** "Congo" is two countries. */
function isShared(name: string): boolean {
	const regions = Object.keys(countries.getAlpha2Codes());
	return regions.filter((region) => libraryNames(region).includes(name)).length > 1;
}
