import countries from 'i18n-iso-countries';
import english from 'i18n-iso-countries/langs/en.json';
import type { GenericValue } from 'n8n-workflow';
import { readCountry } from '../../../nodes/LookupMessaging/operations/shared/phone/country';
import {
	NumberingPlan,
	planOfCallingCode,
	planOfCountry,
} from '../../../nodes/LookupMessaging/operations/shared/phone/numberingPlans';
import { REGIONS } from '../../../nodes/LookupMessaging/operations/shared/phone/numberingTable';
import { spelled } from './spelled';

countries.registerLocale(english);

/** The region that the field names, or undefined where it is empty. @throws Error for what cannot be read */
function regionOf(country: unknown): string | undefined {
	const plan = readCountry(country);
	if (typeof plan === 'string') throw new Error(plan);
	return plan?.region;
}

describe('the field Country', () => {
	test.each<[region: string, spellings: GenericValue]>([
		[
			'GB',
			`GB | gb | ＧＢ | GBR | the united kingdom | U.K. | Great Britain | Vereinigtes Königreich`,
		],
		['US', `USA | U.S. | United States of America | America | Estados Unidos | Etats-Unis`],
		['DE', `Germany | DEU | Deutschland`],
		['NL', `Holland | The Netherlands | Paesi Bassi`],
		['TR', `Türkiye | turkiye | Turkey`],
		['CI', `Côte d'Ivoire | Cote d’Ivoire | Ivory Coast`],
		['LC', `St. Lucia | Saint Lucia`],
		['CZ', `Czech Republic | Czechia | Česko`],
		['GR', `el`],
		['JP', `日本`],
		['TW', `台灣 | China (Taiwan)`],
		['KP', `Korea, Dem. People's Rep.`],
		['HK', `China, Hong Kong SAR`],
		['VG', `Virgin Islands (British)`],
		['GB', ' GB \n'],
		[
			'DE',
			`Germany (DE) | Germany (DEU) | Germany (+49) | Germany +49 | Germany [DE] | DE - Germany |
			Germany – DE | DE: Deutschland | +49 - Germany | 🇩🇪 | 🇩🇪 Germany | 🇩🇪 Germany (+49)`,
		],
		['CA', `Canada (+1) | 🇨🇦 Canada (+1)`],
		['JE', `Jersey (+44)`],
	])('reads the names and codes of %s: %s', (region, spellings) => {
		for (const written of spelled(spellings))
			expect([written, regionOf(written)]).toEqual([written, region]);
	});

	test.each<[region: string, spellings: GenericValue]>([
		['GB', `+44 | 44 | 0044 | + 44 | ＋４４ | 44.0 | +44.0`],
		['US', `00 1 | +1 | +1 876`],
		['AS', `1-684`],
		['TT', `+1 868`],
		['001', `+800`],
		['GB', 44],
	])('reads calling codes as the plan of %s: %s', (region, spellings) => {
		for (const written of spelled(spellings))
			expect([written, regionOf(written)]).toEqual([written, region]);
	});

	test.each<GenericValue>([
		...[undefined, null, '', ' ', '\u00a0'],
		...spelled('none | NONE | N/A | #N/A | n.a. | - | unknown | null'),
	])('reads %j as no country', (written) => {
		expect(regionOf(written)).toBeUndefined();
	});

	test.each<GenericValue>([
		...['Atlantis', 'ZZ', 'XYZ', 'Antarctica'],
		// Of two countries, or not the same in all lists
		...['Congo', 'Kongo', 'República Democrática do Congo', 'Congo (CD)'],
		// Russia in Vietnamese, and a code of Nigeria
		'Nga',
		...['France (Reunion)', 'Netherlands (Curacao)', 'Serbia (Kosovo)', 'Serbia (XK)'],
		...['France (RE)', 'Germany (+43)', '🇩🇪 France', '🇫🇷 Reunion', 'Georgia (US)'],
		...['AT - Germany', '🇩', '🇽🇽', '+', '+0', '0', '049', '040', '+999', '+210', '+441'],
		// The world in the numbers of the UN, and no area of North America
		...['001', '1099', 4.9, -49, true],
	])('says of %j that it is no country, and what to write', (written) => {
		expect(readCountry(written)).toBe(
			`("${String(written)}") isn't recognized as a country. Use a code such as GB, the English name, or a calling code such as +44`,
		);
	});

	test.each([[{}], [{ code: 'DE' }], [['DE', 'AT']], [['DE']], [[]]])(
		'takes no list and no object: %j',
		(written) => {
			expect(readCountry(written)).toBe('is a list or an object. Use a code such as GB');
		},
	);
});

describe('a code that may mean several countries', () => {
	test.each(['de-AT', 'pt_BR', 'US-CA', 'DE-BY', 'GB-ENG', 'FR-RE', 'FR-974', 'AR-M', 'DE, AT'])(
		'is refused if it has two parts: %s',
		(written) => {
			expect(readCountry(written)).toBe(
				`("${written}") may be a language or a part of a country. Use the code of the country alone, such as DE`,
			);
		},
	);

	test.each(['250', '250.0', 372, '2 50'])(
		'is refused if it is a calling code and the ISO number of another: %j',
		(written) => {
			const digits = String(written).replace('.0', '').replace(' ', '');
			expect(readCountry(written)).toBe(
				`("${written}") may be the calling code +${digits} or the ISO number of another country. Write +${digits} or a code such as GB`,
			);
			expect(regionOf(`+${written}`)).toBeDefined();
		},
	);
});

describe('the countries of the table', () => {
	const plans = REGIONS.trim()
		.split('\n')
		.map((row) => new NumberingPlan(row))
		.filter(({ region }) => region !== '001');
	const namesOf = (region: string) => countries.getName(region, 'en', { select: 'all' }) ?? [];
	const allNames = Object.keys(countries.getAlpha2Codes()).flatMap(namesOf);

	test('are those of ISO 3166-1 with their own numbers, and four parts of them', () => {
		const known = new Set(plans.map(({ region }) => region));
		const iso = Object.keys(countries.getAlpha2Codes());
		// Antarctica, Bouvet Island, … have the numbers of other countries, or nobody who phones
		const without = ['AQ', 'BV', 'GS', 'HM', 'PN', 'TF', 'UM'];
		expect(iso.filter((region) => !known.has(region)).sort()).toEqual(without);
		expect([...known].filter((region) => !iso.includes(region)).sort()).toEqual(['AC', 'TA']);
	});

	test('are each found by alpha-2, by alpha-3, and by every unique English name', () => {
		const lost = plans.flatMap(({ region }) => {
			const alpha3 = countries.alpha2ToAlpha3(region);
			const own = namesOf(region).filter(
				(name) => allNames.filter((each) => each === name).length === 1,
			);
			return (
				[region, ...(alpha3 ? [alpha3] : []), ...own]
					.flatMap((name) => [name, name.toUpperCase(), name.toLowerCase(), ` ${name} `])
					// It also stands for a missing value
					.filter((name) => name.trim().toUpperCase() !== 'NA')
					.filter((name) => regionOf(name) !== region)
					.map((name) => ({ region, name }))
			);
		});
		expect(lost).toEqual([]);
	});

	test('share no code and no name', () => {
		const lost = plans.flatMap(({ region, names }) =>
			[region, ...names]
				.filter((name) => planOfCountry(name)?.region !== region)
				.map((name) => ({ region, name })),
		);
		expect(lost).toEqual([]);
	});

	test('have calling codes that are no prefix of each other', () => {
		const codes = [...new Set(plans.map(({ callingCode }) => callingCode))];
		const begun = codes.filter((code) =>
			[1, 2].some((length) => length < code.length && planOfCallingCode(code.slice(0, length))),
		);
		expect(begun).toEqual([]);
	});
});
