import fc from 'fast-check';
import { PhoneNumberUtil } from 'google-libphonenumber';
import { asAlpha2, UNREADABLE, writingsOf, type Country } from './countries';
import type { KnownNumber } from './knownNumbers';
import { BRACKETS, DASHES, DIGIT_SETS, inDigits, INVISIBLE_MARKS, SPACES } from './marks';
import { internationalFormat, nationalFormat, REGIONS, telFormat } from './oracle';

/** How people, address books and spreadsheets write one number. */

/** What an item holds. */
export interface Writing {
	/** How it is written, such as `extension, x5`. */
	spelling: string;
	phoneNumber: number | string;
	country?: Country;
}

const as = (spelling: string, phoneNumber: number | string, country?: Country): Writing => ({
	spelling,
	phoneNumber,
	...(country !== undefined && { country }),
});

const LINE_BREAKS = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];

const library = PhoneNumberUtil.getInstance();

/** Where a number is dialled from, beside its own country: prefixes of several kinds, with and without a choice of carrier. */
const ABROAD = ['AU', 'BR', 'CL', 'CU', 'FI', 'HK', 'IL', 'JP', 'KE', 'KR', 'RU', 'SG', 'TH', 'US'];
/** With the extension 5, as libphonenumber's patterns have it. */
const EXTENSIONS = [
	...';ext=5| ext. 5| ext 5| Ext: 5| extn 5| extension 5| extensión 5| x5| X 5|x5| #5|#5'.split(
		'|',
	),
	...' int. 5| доб. 5| anexo 5| ｅｘｔ 5| ～5|,,5|;5|,5| - 5#'.split('|'),
];

/**
 * All ways to write a number.
 * @param index of the number, which rotates what one number need not have in all variants
 */
export function spellingsOf(number: KnownNumber, index: number): Writing[] {
	const { e164, region } = number;
	const international = internationalFormat(e164);
	return [
		...plainSpellings(number, index),
		...(region === undefined ? [] : nationalSpellings(e164, region)),
		...dialledFromAbroad(e164, region, index),
		...extensions(international, number, index),
		...scripts(international, number, index),
		...marks(international, number, index),
		...fromSpreadsheets(e164, region),
	];
}

/** With the calling code, and nothing unusual. */
export function plainSpellings({ e164, callingCode }: KnownNumber, index: number): Writing[] {
	const international = internationalFormat(e164);
	const afterCode = international.slice(callingCode.length + 2);
	const tel = telFormat(e164);
	const other = asAlpha2(REGIONS[(7 * index) % REGIONS.length]);
	return [
		as('E.164', e164),
		as('international', international),
		as('E.164 beside the country of others', e164, other),
		as('E.164 beside an unreadable country', e164, UNREADABLE),
		as('00', e164.replace('+', '00')),
		as('00, formatted', international.replace('+', '00 ')),
		as('00 beside the country of others', e164.replace('+', '00'), other),
		as('calling code in brackets', `(+${callingCode}) ${afterCode}`),
		as('plus apart', `+ ${e164.slice(1)}`),
		as('full-width plus', international.replace('+', '\uff0b')),
		as('in quotes', `"${e164}"`),
		as('after a label', `Tel: ${international}`),
		as('RFC 3966', tel),
		as('RFC 3966 with extension', `${tel};ext=5`),
		as(
			'RFC 3966 with context',
			`tel:${afterCode.replace(/[^\d]/g, '-')};phone-context=+${callingCode}`,
		),
		as('followed by a footnote mark', `${e164}\u00b2`),
		as('followed by a word', `${international} office`),
	];
}

/** As the country itself writes it, in all ways to name the country. */
export function nationalSpellings(e164: string, region: string): Writing[] {
	const national = nationalFormat(e164);
	const digits = national.replace(/\D/g, '');
	const lineBreak = LINE_BREAKS[Number(digits) % LINE_BREAKS.length];
	const own = asAlpha2(region);
	const inBrackets = withTrunkInBrackets(e164, region) ?? national;
	const next = (Number(digits.slice(-1)) + 1) % 10;
	return [
		...writingsOf(region).map((country, index) =>
			as(`national, way ${index} to write Country`, national, country),
		),
		as('national, digits', digits, own),
		as('national, slash', national.replace(' ', '/'), own),
		as('national beside an unreadable country', national, UNREADABLE),
		as('national without Country', national),
		as('plus before a national number', `+${national}`, own),
		as('calling code before a national number', internationalFormat(e164).slice(1), own),
		as('trunk prefix in brackets', inBrackets, own),
		as('range with a slash', `${national}/${next}`, own),
		...[' / ', ', ', '; ', ' or ', lineBreak].map((between) =>
			as(`two numbers, ${JSON.stringify(between)} between`, national + between + national, own),
		),
	];
}

/** `+44 (0)20 7946 0018`, which is wrong and common where the trunk prefix is 0. */
function withTrunkInBrackets(e164: string, region: string): string | undefined {
	const metadata = library.getMetadataForRegion(region);
	if (metadata.getNationalPrefixOrDefault() !== '0') return undefined;
	const [code, ...rest] = internationalFormat(e164).split(/[ -]/);
	return `${code} (0)${rest.join(' ')}`;
}

/** By the prefix of the country itself and of two others. */
function dialledFromAbroad(e164: string, own: string | undefined, index: number): Writing[] {
	const others = [0, 1].map((step) => ABROAD[(index + step) % ABROAD.length]);
	const anywhere = REGIONS[(11 * index) % REGIONS.length];
	return [...(own ? [own] : []), ...others, anywhere].flatMap((region) =>
		prefixesOf(region).map((prefix) =>
			as(
				`dialled from ${region === own ? 'its own country' : 'abroad'}`,
				`${prefix} ${internationalFormat(e164).slice(1)}`,
				asAlpha2(region),
			),
		),
	);
}

const prefixes = new Map<string, string[]>();

/** The international prefixes of a region: the preferred one, and some of those that its pattern has. */
function prefixesOf(region: string): string[] {
	const known = prefixes.get(region);
	if (known) return known;
	const metadata = library.getMetadataForRegion(region);
	const pattern = metadata.getInternationalPrefixOrDefault();
	const random = fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), {
		seed: 1,
		numRuns: 3,
	});
	const preferred = metadata.getPreferredInternationalPrefixOrDefault();
	const found = [...new Set(preferred ? [preferred, ...random] : random)];
	prefixes.set(region, found);
	return found;
}

/** One in three, in turn over the types of a region: no number needs all variants of a mark. */
const inTurn = (variant: number, index: number) => variant % 3 === index % 3;

function extensions(
	international: string,
	{ e164, region }: KnownNumber,
	index: number,
): Writing[] {
	return EXTENSIONS.flatMap((extension, variant) => [
		as(`extension, ${extension}`, international + extension),
		...(inTurn(variant, index)
			? inCountry(
					`national, extension ${extension}`,
					region,
					() => nationalFormat(e164) + extension,
				)
			: []),
	]);
}

/** In every set of ten digits that Unicode has. */
function scripts(international: string, { e164, region }: KnownNumber, index: number): Writing[] {
	return DIGIT_SETS.flatMap((set, variant) => [
		...(inTurn(variant, index) ? [as(`digits ${variant}`, inDigits(international, set))] : []),
		...(inTurn(variant, index + 1)
			? inCountry(`national, digits ${variant}`, region, () => inDigits(nationalFormat(e164), set))
			: []),
	]);
}

/** With other spaces, dashes, brackets and dots, and with marks that nobody sees. */
function marks(international: string, { e164, region }: KnownNumber, index: number): Writing[] {
	const grouped = international.replace(/-/g, ' ');
	const [code, area, ...rest] = grouped.split(' ');
	const separators = [...SPACES, ...DASHES, '.', ' - ', '/'];
	return [
		...separators.flatMap((mark, variant) => [
			as(`separator ${nameOf(mark)}`, grouped.replaceAll(' ', mark)),
			...(inTurn(variant, index)
				? inCountry(`national, separator ${nameOf(mark)}`, region, () =>
						nationalFormat(e164).replace(/[ -]/g, mark),
					)
				: []),
		]),
		...BRACKETS.map(([open, close]) =>
			as(`brackets ${open}${close}`, [code, `${open}${area}${close}`, ...rest].join(' ')),
		),
		...INVISIBLE_MARKS.flatMap((mark) => [
			as(`${nameOf(mark)} around`, `${mark}${e164}${mark}`),
			as(`${nameOf(mark)} inside`, withInside(mark, international)),
			...inCountry(`national, ${nameOf(mark)} inside`, region, () =>
				withInside(mark, nationalFormat(e164)),
			),
		]),
	];
}

function withInside(mark: string, text: string): string {
	const middle = Math.floor(text.length / 2);
	return text.slice(0, middle) + mark + text.slice(middle);
}

/** Such as `U+2009`. */
function nameOf(mark: string): string {
	return [...mark].map((one) => `U+${one.codePointAt(0)?.toString(16).padStart(4, '0')}`).join(' ');
}

/** As spreadsheets hold it: as text behind an apostrophe, as a number, or damaged. */
export function fromSpreadsheets(e164: string, region: string | undefined): Writing[] {
	const digits = e164.slice(1);
	const asNumber = Number(digits);
	return [
		as('apostrophe', `'${e164}`),
		as('bare digits without Country', digits),
		as('JSON number without Country', asNumber),
		as('plus and decimal', `${e164}.0`),
		as('scientific without Country', asNumber.toExponential(5)),
		...inCountry('bare digits', region, () => digits),
		...inCountry('bare digits, decimal', region, () => `${digits}.0`),
		...inCountry('JSON number', region, () => asNumber),
		...inCountry('apostrophe, national', region, () => `'${nationalFormat(e164)}`),
		...inCountry('JSON number, national', region, () =>
			Number(nationalFormat(e164).replace(/\D/g, '')),
		),
		...inCountry('decimal, national', region, () => `${nationalFormat(e164).replace(/\D/g, '')}.0`),
		...inCountry('scientific', region, () => asNumber.toExponential(5)),
		...inCountry('scientific, short', region, () => asNumber.toExponential(3).replace('e+', 'e')),
	];
}

function inCountry(
	spelling: string,
	region: string | undefined,
	write: () => number | string,
): Writing[] {
	return region === undefined ? [] : [as(spelling, write(), asAlpha2(region))];
}
