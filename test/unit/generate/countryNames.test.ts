import countries from 'i18n-iso-countries';
import { namesOf } from '../../../scripts/generate/countryNames';

describe('the names of a region', () => {
	test.each<[region: string, names: string[]]>([
		['GB', ['GBR', 'UK', 'United Kingdom', 'Great Britain', 'Scotland']],
		['US', ['USA', 'America', 'United States of America']],
		['DE', ['DEU', 'Germany', 'Deutschland', 'Alemania', 'Allemagne', 'Germania', 'Alemanha']],
		['CZ', ['CZE', 'Czechia', 'Česko', 'Tschechien']],
		['TR', ['TUR', 'Turkey', 'Turkiye']],
		['CD', ['COD', 'DR Congo']],
		['CG', ['COG', 'Republic of Congo']],
		['XK', ['XKX', 'Kosovo']],
		['AC', ['Ascension Island']],
	])('of %s are its alpha-3 code, and what people write', (region, names) => {
		expect(namesOf(region)).toEqual(expect.arrayContaining(names));
	});

	test('leave out those of two countries', () => {
		const named = ['CD', 'CG', 'MF', 'SX'].flatMap(namesOf);
		expect(named).toContain('République du Congo');
		for (const name of ['Congo', 'Kongo', 'República Democrática do Congo', 'São Martinho']) {
			expect(named).not.toContain(name);
		}
	});

	test('exist for every country of ISO 3166-1, and for no other region', () => {
		const iso = Object.keys(countries.getAlpha2Codes());
		const unnamed = iso.filter((region) => {
			const [alpha3, name] = namesOf(region);
			return !/^[A-Z]{3}$/.test(alpha3) || name === undefined;
		});
		expect(unnamed).toEqual([]);
		expect(namesOf('ZZ')).toEqual([]);
	});
});
