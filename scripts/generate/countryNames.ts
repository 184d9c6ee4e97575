/** Names of countries and their ISO 3166-1 codes, as people write them in forms and lists. */
import countries from 'i18n-iso-countries';
import libraryManifest from 'i18n-iso-countries/package.json';
import { comparableName } from '../../nodes/LookupMessaging/operations/shared/phone/countryName';

/** Where the names come from, for the head of a generated file. */
export const NAMES_SOURCE = `i18n-iso-countries ${libraryManifest.version}`;

/**
 * Names and codes in everyday use that the library does not have: those of the UN, the World Bank, CLDR, and the lists of CRMs. A
 * name is known whole or not at all, so each way to write it is here, except "A, B" and "A (B)", which stand for "B A".
 * Add a missing one here, and run `npm run generate`.
 */
const MORE_NAMES: Record<string, string[]> = {
	AC: ['Ascension Island', 'Ascension'],
	AE: ['UAE', 'Emirates'],
	AX: ['Aland'],
	BA: ['Bosnia'],
	BL: ['Saint Barth', 'Saint Barts'],
	BN: ['Brunei'],
	BO: ['Plurinational State of Bolivia'],
	BQ: ['Caribbean Netherlands', 'Bonaire', 'Bonaire, Saint Eustatius and Saba'],
	CC: ['Cocos Islands', 'Keeling Islands'],
	CD: [
		...['DRC', 'DR Congo', 'D.R. Congo', 'Congo DR', 'Congo, DRC', 'Congo-Kinshasa', 'Zaire'],
		...['Congo, Dem. Rep.', 'Dem. Rep. of the Congo', 'Congo, Dem. Rep. of', 'Dem. Rep. Congo'],
		'Democratic Republic of Congo',
	],
	CG: [
		'Congo-Brazzaville',
		'Republic of Congo',
		'Congo, Rep.',
		'Congo, Republic',
		'Rep. of the Congo',
	],
	CI: ["Republic of Côte d'Ivoire", "Côte d'Ivoire (Ivory Coast)"],
	CN: [
		'PRC',
		'P.R. China',
		'PR China',
		'Mainland China',
		'China (Mainland)',
		'China, PRC',
		'China mainland',
	],
	CV: ['Cabo Verde'],
	CZ: ['Czechia', 'Czechia (Czech Republic)'],
	EG: ['Arab Republic of Egypt', 'Egypt, Arab Rep.'],
	FK: ['Falkland Islands', 'Falklands', 'Malvinas', 'Falkland Islands (Islas Malvinas)'],
	FM: ['Micronesia', 'Micronesia, Fed. Sts.', 'Micronesia (Fed. States of)'],
	FO: ['Faeroe Islands', 'Faroes'],
	FR: ['French Republic', 'Metropolitan France'],
	GB: [
		...['UK', 'United Kingdom of Great Britain and Northern Ireland', 'Great Britain', 'Britain'],
		...['England', 'Scotland', 'Wales', 'Northern Ireland', 'United Kingdom (UK)'],
		...['United Kingdom (Great Britain)', 'Great Britain (United Kingdom)', 'UK (United Kingdom)'],
	],
	GM: ['The Gambia'],
	GR: ['EL', 'Hellas', 'Hellenic Republic'],
	HK: [
		...['Hong Kong SAR', 'Hong Kong SAR China', 'Hong Kong, China', 'Hong Kong S.A.R.'],
		...['Hong Kong Special Administrative Region', 'Hong Kong Special Administrative Region China'],
		...['Hong Kong (Special Administrative Region of China)', 'Hong Kong (China)', 'Hongkong'],
		...['China, Hong Kong', 'Hong Kong SAR, PRC', 'Hong Kong S.A.R., China'],
	],
	IE: ['Republic of Ireland', 'Eire'],
	IR: ['Iran, Islamic Rep.'],
	KG: ['Kyrgyz Republic'],
	KN: ['Saint Christopher and Nevis'],
	KP: [
		...['North Korea', 'DPRK', 'D.P.R. Korea', 'DPR Korea', 'Korea (DPRK)', 'Korea DPR'],
		...["Democratic People's Republic of Korea", "Dem. People's Republic of Korea"],
		...["Korea, Dem. People's Rep.", "Korea, Dem. People's Rep. of", 'Korea, Dem. Rep.'],
		...['North Korea (DPRK)', "Korea Democratic People's Republic"],
	],
	KR: [
		...['South Korea', 'Korea', 'Republic of Korea', 'ROK', 'R.O.K.', 'Korea, Rep.', 'Korea (ROK)'],
		...['Korea, Rep. of', 'Rep. of Korea', 'Korea, Republic', 'South Korea (ROK)'],
		'South Korea (Republic of Korea)',
	],
	LA: ['Laos', 'Lao PDR', 'Lao P.D.R.', "Laos People's Democratic Republic"],
	LC: ['Saint Lucia'],
	LY: ['Libyan Arab Jamahiriya', 'State of Libya'],
	MD: ['Moldova', 'Republic of Moldova', 'Moldova, Rep. of', 'Moldova, Republic'],
	MF: [
		'Saint Martin',
		'Saint Martin (France)',
		'Saint-Martin (French part)',
		'French Saint Martin',
	],
	MK: [
		...['Macedonia', 'North Macedonia', 'Republic of Macedonia', 'FYR Macedonia', 'FYROM'],
		...['Macedonia, FYR', 'Macedonia (FYROM)', 'F.Y.R.O.M. (Macedonia)', 'Macedonia (FYR)'],
		...['The former Yugoslav Republic of Macedonia', 'Former Yugoslav Republic of Macedonia'],
		...['North Macedonia (Macedonia)', 'North Macedonia, Republic of', 'Rep. of North Macedonia'],
	],
	MM: ['Burma', 'Myanmar (Burma)', 'Burma (Myanmar)', 'Union of Myanmar'],
	MO: [
		...['Macau', 'Macao SAR', 'Macau SAR', 'Macao SAR China', 'Macau SAR China', 'Macao, China'],
		...['Macao Special Administrative Region', 'Macao Special Administrative Region China'],
		...['Macau, China', 'China, Macao', 'China, Macau', 'Macau S.A.R.', 'Macao S.A.R.'],
		...['Macau Special Administrative Region', 'Macao (Special Administrative Region of China)'],
		'Macau S.A.R., China',
	],
	MP: ['Commonwealth of the Northern Mariana Islands', 'Northern Marianas'],
	NL: ['Holland', 'The Netherlands', 'Kingdom of the Netherlands', 'Netherlands (Holland)'],
	PS: [
		...['Palestine', 'Palestinian Territories', 'State of Palestine', 'West Bank and Gaza'],
		...['Palestinian Territory', 'Occupied Palestinian Territory', 'Palestinian Authority'],
		...['Palestinian Territory, Occupied', 'Palestinian Territories, Occupied', 'Gaza Strip'],
		...['West Bank', 'West Bank and Gaza Strip', 'Palestine (State of)'],
	],
	RE: ['Reunion Island', 'La Reunion'],
	RU: ['Russia'],
	SA: ['KSA', 'Kingdom of Saudi Arabia'],
	SH: ['Saint Helena', 'Saint Helena, Ascension and Tristan da Cunha'],
	SJ: ['Svalbard', 'Svalbard and Jan Mayen Islands'],
	SK: ['Slovak Republic'],
	ST: ['Sao Tome', 'Sao Tome & Principe', 'Democratic Republic of Sao Tome and Principe'],
	SX: [
		'Sint Maarten',
		'Dutch Sint Maarten',
		'St. Maarten',
		'Saint Martin (Dutch part)',
		'St. Maarten (Dutch part)',
	],
	SY: ['Syria'],
	SZ: ['Swaziland', 'Eswatini (Swaziland)', 'Kingdom of Eswatini', 'eSwatini'],
	TA: ['Tristan da Cunha', 'TAA'],
	TL: ['East Timor', 'Timor-Leste (East Timor)', 'East Timor (Timor-Leste)'],
	TR: [
		'Turkey',
		'Turkiye',
		'Republic of Turkey',
		'Republic of Türkiye',
		'Turkey (Turkiye)',
		'Türkiye (Turkey)',
	],
	TW: [
		...[
			'Taiwan',
			'Taiwan, China',
			'Taiwan ROC',
			'Taiwan, R.O.C.',
			'Chinese Taipei',
			'China (Taiwan)',
		],
		...['Republic of China', 'Republic of China (Taiwan)', 'Taiwan (Republic of China)'],
		...['China, Taiwan Province of China', 'Taiwan Province of China', 'China, Taiwan Province'],
		...['Taiwan (Province of China)', 'Taiwan, Republic of China', 'Taiwan Region'],
	],
	TZ: ['Tanzania', 'Tanzania, United Rep. of', 'United Rep. of Tanzania'],
	UA: ['The Ukraine'],
	US: [
		...['USA', 'America', 'United States of America', 'United States', 'The States'],
		...['United States (USA)', 'United States (US)', 'United States of America (USA)'],
		...['United States of America (the)', 'USA (United States of America)', 'US of America'],
	],
	VA: [
		...['Vatican', 'Vatican City', 'Holy See', 'Vatican City State', 'State of the Vatican City'],
		...['Vatican City State (Holy See)', 'Holy See (Vatican City)', 'Vatican City (Holy See)'],
		'Vatican City State, Holy See',
	],
	VC: ['Saint Vincent', 'Saint Vincent and Grenadines'],
	VE: [
		'Venezuela',
		'Bolivarian Republic of Venezuela',
		'Venezuela, RB',
		'Venezuela (Bolivarian Rep. of)',
	],
	VG: [
		'British Virgin Islands',
		'BVI',
		'Virgin Islands (UK)',
		'Virgin Islands (GB)',
		'UK Virgin Islands',
	],
	VI: [
		...['US Virgin Islands', 'United States Virgin Islands', 'Virgin Islands of the United States'],
		...['USVI', 'American Virgin Islands', 'Virgin Islands (USA)', 'Virgin Islands, United States'],
	],
	VN: ['Viet Nam', 'Vietnam', 'Socialist Republic of Vietnam', 'Socialist Republic of Viet Nam'],
	WF: ['Wallis and Futuna Islands'],
	WS: ['Western Samoa', 'Independent State of Samoa'],
	XK: ['XKX', 'Republic of Kosovo'],
	YE: ['Yemen, Rep.', 'Republic of Yemen'],
	ZA: ['Republic of South Africa', 'RSA'],
};

/** Regions by their ISO 3166-1 number, which is without leading zeros here. */
export function isoNumbers(): Map<string, string> {
	const numbers = Object.entries(countries.getNumericCodes());
	return new Map(numbers.map(([number, region]) => [String(Number(number)), region]));
}

/** Where the languages of the library are official: people write the name of their country in them. */
const LANGUAGES: Record<string, string> = {
	ar: 'AE BH DJ DZ EG IQ JO KM KW LB LY MA MR OM PS QA SA SD SO SY TD TN YE',
	az: 'AZ',
	be: 'BY',
	bg: 'BG',
	bn: 'BD',
	bs: 'BA',
	ca: 'AD',
	cs: 'CZ',
	da: 'DK FO GL',
	de: 'AT BE CH DE LI LU',
	el: 'CY GR',
	es: 'AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PR PY SV UY VE',
	et: 'EE',
	fa: 'AF IR',
	fi: 'FI',
	fr: 'BE BF BI BJ BL CA CF CH CI CM DJ FR GA GF GN GP HT KM LU MC MF MG ML MQ NC NE PF PM RE RW SC SN TD TG VU WF YT',
	ga: 'IE',
	he: 'IL',
	hi: 'IN',
	hr: 'BA HR',
	hu: 'HU',
	hy: 'AM',
	id: 'ID',
	is: 'IS',
	it: 'CH IT SM VA',
	ja: 'JP',
	ka: 'GE',
	kk: 'KZ',
	km: 'KH',
	ko: 'KR',
	ky: 'KG',
	lt: 'LT',
	lv: 'LV',
	mk: 'MK',
	mn: 'MN',
	ms: 'BN MY SG',
	mt: 'MT',
	nb: 'NO SJ',
	nl: 'AW BE CW NL SR SX',
	nn: 'NO',
	pl: 'PL',
	pt: 'AO BR CV GW MO MZ PT ST TL',
	ro: 'MD RO',
	ru: 'BY KG KZ RU',
	sk: 'SK',
	sl: 'SI',
	sq: 'AL XK',
	sr: 'BA ME RS XK',
	sv: 'AX FI SE',
	sw: 'KE TZ UG',
	th: 'TH',
	tr: 'CY TR',
	uk: 'UA',
	ur: 'PK',
	uz: 'UZ',
	vi: 'VN',
	zh: 'CN HK MO SG TW',
};

/** People write the names of all countries in these: lists of customers are often kept in them. */
const WORLD_LANGUAGES = ['de', 'es', 'fr', 'it', 'pt'];

/**
 * Names in everyday use that the library has in none of these languages, most of them from CLDR. A name that stands here for one region
 * and in the library for another is known for neither.
 */
const MORE_LOCAL_NAMES: Record<string, string> = {
	BA: 'Bosna i Hercegovina;Bosnie;Bosnia;Bosnien;Bósnia e Herzegovina',
	BD: 'Bangladés;Bangladeche',
	BF: 'Burquina Faso',
	BH: 'Baréin;Barém',
	BS: 'Baamas',
	BY: 'Bielorrusia;Weißrussland',
	CD: 'República Democrática do Congo;Kongo-Kinshasa',
	CG: 'República Popular do Congo;Kongo;Kongo-Brazzaville',
	CH: 'Svizra',
	CN: '中国大陆',
	CW: 'Curazao;Curaçau',
	CY: 'Kıbrıs',
	CZ: 'Česko;Tschechien;Tchéquie;Chequia;Cechia;Tchéquia',
	DJ: 'Djibuti;Jibuti',
	ES: 'Espanya;Espainia',
	ET: 'ኢትዮጵያ',
	FJ: 'Fiyi',
	FO: 'Føroyar',
	GB: 'Großbritannien;Grande-Bretagne;Gran Bretaña;Gran Bretagna;Grã-Bretanha;Schottland;Écosse;Escocia;Scozia;Angleterre;Inglaterra;Inghilterra;Cymru',
	GL: 'Kalaallit Nunaat',
	GW: 'Guinea-Bisáu',
	IR: 'Irã',
	KG: 'Kirghizstan',
	KN: 'San Cristóbal y Nieves;São Cristóvão e Névis',
	KP: 'Corea del Norte',
	KR: '한국;Corée;Corea;Corea del Sur',
	KY: 'Ilhas Cayman',
	LA: 'ລາວ',
	LI: 'Listenstaine',
	LK: 'இலங்கை;Sri Lanca',
	LU: 'Lëtzebuerg',
	MD: 'Republik Moldau',
	ME: 'Crna Gora',
	MF: 'São Martinho',
	MG: 'Madagasikara',
	MM: 'မြန်မာ;Birmanie;Birmania',
	NL: 'Holanda;Hollande;Olanda',
	NP: 'नेपाल',
	NZ: 'Aotearoa',
	PH: 'Pilipinas',
	PS: 'Palästina;Territoires palestiniens;Territori Palestinesi;Territórios palestinianos',
	RE: 'Riunione',
	RS: 'Srbija',
	SA: 'المملكة العربية السعودية;Arabia Saudí',
	SC: 'Seicheles',
	SM: 'São Marinho',
	SO: 'Soomaaliya',
	SR: 'Surinam',
	SY: 'Syrien',
	TH: 'ประเทศไทย',
	TJ: 'Тоҷикистон;Tadjiquistão',
	TL: 'Timor oriental',
	TM: 'Turcomenistão',
	TW: '台湾;台灣;臺灣',
	TZ: 'Tanzanie',
	US: 'EE.UU.;EEUU;EUA;Amerika;Amérique;États-Unis;Stati Uniti',
	UZ: 'Usbequistão',
	VA: 'Ciudad del Vaticano;État de la Cité du Vatican;Cidade do Vaticano',
	VN: 'Vietnã',
	ZA: 'Suid-Afrika',
};

/** The alpha-3 code and all names of a region, without those that could mean another one. */
export function namesOf(region: string): string[] {
	const alpha3 = countries.alpha2ToAlpha3(region);
	return [
		...(alpha3 ? [alpha3] : []),
		...(MORE_NAMES[region] ?? []),
		...libraryNames(region, 'en').filter((name) => isOnlyOf(region, name, inEnglish())),
		...localNamesOf(region).filter((name) => isOnlyOf(region, name, inAnyLanguage())),
	];
}

/** The names of a region in its own languages and in those of the world. */
function localNamesOf(region: string): string[] {
	const own = Object.keys(LANGUAGES).filter((language) =>
		LANGUAGES[language].split(' ').includes(region),
	);
	const languages = [...new Set([...own, ...WORLD_LANGUAGES])];
	const more = MORE_LOCAL_NAMES[region]?.split(';') ?? [];
	return [...languages.flatMap((language) => libraryNames(region, language)), ...more];
}

function libraryNames(region: string, language: string): string[] {
	return countries.getName(region, language, { select: 'all' }) ?? [];
}

/** "Congo" is two countries, and "Nga" is Russia in one language and a code of Nigeria. */
function isOnlyOf(region: string, name: string, meanings: Meanings): boolean {
	const comparable = comparableName(name);
	return comparable !== '' && [...(meanings.get(comparable) ?? [])].every((one) => one === region);
}

/** The regions that each name means. */
type Meanings = Map<string, Set<string>>;

let english: Meanings | undefined;
let any: Meanings | undefined;
const inEnglish = () => (english ??= meaningsIn(['en']));
const inAnyLanguage = () => (any ??= meaningsIn(countries.getSupportedLanguages()));

function meaningsIn(languages: string[]): Meanings {
	const meanings: Meanings = new Map();
	const ofLanguages = languages.map((language) => countries.getNames(language, { select: 'all' }));
	for (const [region, alpha3] of Object.entries(countries.getAlpha2Codes())) {
		const names = [
			...[alpha3, ...(MORE_NAMES[region] ?? [])],
			...(MORE_LOCAL_NAMES[region]?.split(';') ?? []),
			...ofLanguages.flatMap((names) => names[region] ?? []),
		];
		for (const name of names.map(comparableName)) {
			meanings.set(name, (meanings.get(name) ?? new Set()).add(region));
		}
	}
	return meanings;
}
