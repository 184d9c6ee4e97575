import names from 'i18n-iso-countries';
import { readCountry } from '../../../nodes/LookupMessaging/operations/shared/phone/country';
import { LISTED_NAMES } from '../../models/numbers/countryLists';
import { isFullRun } from '../fullRun';

/** A name of a country is known whole, or it is not known: never another country, never a guess. */

const REGIONS = Object.keys(names.getAlpha2Codes()).sort();
/** All pairs of territories, or one in so many. */
const pairsOf = <First, Second>(firsts: First[], seconds: Second[]) =>
	firsts
		.flatMap((first) => seconds.map((second) => [first, second] as const))
		.filter((_, index) => isFullRun || index % 37 === 0);

/** The region that a name is read as; undefined where it is not known. */
function regionOf(name: string): string | undefined {
	const plan = readCountry(name);
	return typeof plan === 'object' ? plan.region : undefined;
}

/** A region without numbers of its own has those of another country, and is not known. */
const astray = (all: Array<{ name: string; region: string }>) =>
	all.filter(({ name, region }) => ![undefined, region].includes(regionOf(name)));

test('the names in common lists are read as their country', () => {
	expect(astray(LISTED_NAMES)).toEqual([]);
	const unknown = LISTED_NAMES.filter(({ name }) => regionOf(name) === undefined);
	// "Congo" is two countries, and an article in brackets at the end is no part of a name
	expect(unknown.map(({ name }) => name)).toEqual([
		'Cocos (Keeling) Islands (the)',
		'Congo (the)',
		'Falkland Islands (the) [Malvinas]',
	]);
});

test('the names in all languages are read as the territory that they name, or not at all', () => {
	const languages = names.getSupportedLanguages();
	const all = languages.flatMap((language) =>
		REGIONS.flatMap((region) => {
			const own = names.getName(region, language, { select: 'all' }) ?? [];
			const unicode = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
			return [...own, unicode.of(region) ?? ''].map((name) => ({ name, region, language }));
		}),
	);
	expect(all.length).toBeGreaterThan(20_000);
	expect(astray(all.filter(({ name }) => name !== ''))).toEqual([]);
});

test('the names of two territories together are never read as the first one', () => {
	const inEnglish = REGIONS.flatMap((region) =>
		(names.getName(region, 'en', { select: 'all' }) ?? [])
			.filter((name) => regionOf(name) === region)
			.map((name) => ({ name, region })),
	);
	// Lists write Hong Kong, China for Hong Kong
	const mayBeBoth = (owner: string, part: string) =>
		owner === part || (part === 'CN' && ['HK', 'MO', 'TW'].includes(owner));
	const found = pairsOf(inEnglish, inEnglish)
		.filter(([owner, part]) => !mayBeBoth(owner.region, part.region))
		.flatMap(([{ name: one }, { name: two, region }]) =>
			[`${one} (${two})`, `${one}, ${two}`, `${one} - ${two}`, `${one} ${two}`].map((name) => ({
				name,
				region,
			})),
		);
	expect(astray(found)).toEqual([]);
});

test('codes of two parts are not read: language tags, parts of countries, and territories', () => {
	const parts = REGIONS.map((region) => `${region}1`).concat('ENG', 'GUA', '974', '21', 'M');
	const read = pairsOf(REGIONS, [...REGIONS, ...parts]).flatMap(([one, two]) =>
		['-', '_', ' ', '/', '\u2011', ' - '].flatMap((mark) =>
			[one + mark + two, one.toLowerCase() + mark + two, (one + mark + two).toLowerCase()].filter(
				(written) => regionOf(written) !== undefined,
			),
		),
	);
	expect(read).toEqual([]);
});

test('the ISO number of a country is read as that country, or not at all', () => {
	const written = Object.entries(names.getNumericCodes()).flatMap(([number, region]) => {
		const bare = String(Number(number));
		// Two digits are a calling code whose + a spreadsheet has dropped
		if (bare.length < 3) return [{ name: number, region }];
		const texts = [number, bare, ` ${bare} `, `${bare}.0`, `${number}.00`];
		return texts.map((name) => ({ name, region }));
	});
	expect(written.length).toBeGreaterThan(1_000);
	expect(astray(written)).toEqual([]);
});
