import fc from 'fast-check';
import names from 'i18n-iso-countries';
import { PhoneNumberUtil } from 'google-libphonenumber';
import { EXAMPLES, type KnownNumber } from './knownNumbers';
import { DASHES, DIGIT_SETS, INVISIBLE_MARKS, LINE_BREAKS, SPACES } from './marks';
import {
	callingCodeOf,
	internationalFormat,
	nationalFormat,
	readByLibphonenumber,
	REGIONS,
	telFormat,
	trunkPrefixOf,
} from './oracle';

/** How people, address books and spreadsheets write a number that is known, and what may be looked up for it. */

/** What an item holds. */
export interface Writing {
	phoneNumber: number | string;
	country?: string;
}

/** The writings of a number. Its index turns what one number need not have in all variants. */
type Write = (number: KnownNumber, index: number) => Writing[];

const library = PhoneNumberUtil.getInstance();
const only = (phoneNumber: number | string, country?: string): Writing[] => [
	{ phoneNumber, country },
];
const digitsOf = (text: string) => text.replace(/\D/g, '');
const inTurn = <Value>(all: Value[], index: number, oneIn: number) =>
	all.filter((_, nth) => nth % oneIn === index % oneIn);
const oneOf = <Value>(all: Value[], index: number) => all[index % all.length];

/** A number with its calling code. */
interface Whole {
	e164: string;
	callingCode: string;
	international: string;
	afterCode: string;
}

/** Writings of a number with its calling code, in no country. */
const whole =
	(write: (whole: Whole, index: number) => string[]): Write =>
	({ e164, callingCode }, index) => {
		const international = internationalFormat(e164);
		const afterCode = international.slice(callingCode.length + 2);
		return write({ e164, callingCode, international, afterCode }, index).flatMap((text) =>
			only(text),
		);
	};

/** A number as its own country writes it. */
interface National {
	region: string;
	e164: string;
	national: string;
	/** The digits after the calling code. */
	rest: string;
	callingCode: string;
	trunkPrefix: string;
	isLine: boolean;
}

/** Numbers that people have at home or with them. */
const LINES = new Set(['FIXED_LINE', 'FIXED_LINE_OR_MOBILE', 'MOBILE']);

/** Writings of a number in its own country. */
const inside =
	(write: (number: National, index: number) => Array<number | string>): Write =>
	({ e164, region, callingCode, type }, index) => {
		if (region === undefined) return [];
		const national = nationalFormat(e164);
		const rest = e164.slice(1 + callingCode.length);
		const own = { trunkPrefix: trunkPrefixOf(region), isLine: LINES.has(type) };
		return write({ region, e164, national, rest, callingCode, ...own }, index).flatMap((text) =>
			only(text, region),
		);
	};

/** Writings of a number with its calling code, and as its own country writes it. */
const both =
	(write: (text: string, index: number) => string[]): Write =>
	(number, index) => [
		...whole(({ international }) => write(international, index))(number, index),
		...inside(({ national }) => write(national, index))(number, index),
	];

/** Writings of a fixed line or mobile in its own country. */
const ofLine = (write: (number: National, index: number) => string[]): Write =>
	inside((number, index) => (number.isLine ? write(number, index) : []));

/** With the extension 5, as libphonenumber's patterns have it. */
const EXTENSIONS = [
	...';ext=5| ext. 5| ext 5| Ext: 5| extn 5| extension 5| extensión 5| x5| X 5|x5| #5|#5'.split(
		'|',
	),
	...' int. 5| доб. 5| anexo 5| ｅｘｔ 5| ～5|,,5|;5|,5| - 5#'.split('|'),
];
const SLASHES = ['/', '\\', ' / '];
const SEPARATORS = [...SPACES, ...DASHES, ...SLASHES, '.', ' - '];
const BRACKETS = ['()', '[]', '\uff08\uff09', '\uff3b\uff3d'];

/** All ways to write a country: its codes, its English name and its calling code. */
function writingsOf(region: string): string[] {
	const others = [names.alpha2ToAlpha3(region), names.getName(region, 'en')];
	return [region, ...others.flatMap((text) => text ?? []), `+${callingCodeOf(region)}`];
}

/** The prefixes that a region dials for calls abroad: the preferred one, and some of those that its pattern has. */
const prefixesOf = (region: string) => {
	const metadata = library.getMetadataForRegion(region);
	const pattern = new RegExp(`^(?:${metadata.getInternationalPrefixOrDefault()})$`);
	const some = fc.sample(fc.stringMatching(pattern), { seed: 1, numRuns: 10 });
	const preferred = metadata.getPreferredInternationalPrefixOrDefault();
	return [...new Set([preferred, ...some])].filter((prefix) => prefix !== '');
};
const PREFIXES = new Map(REGIONS.map((region) => [region, prefixesOf(region)]));
export const ALL_PREFIXES = [...new Set([...PREFIXES.values()].flat())];

/** The groups of a number, after what may stand before them. */
interface Groups {
	before: string;
	groups: string[];
	country?: string;
}

function groupsOf({ e164, callingCode, region }: KnownNumber): Groups[] {
	const [code, ...groups] = internationalFormat(e164).split(/[ -]/);
	const whole = [
		{ before: `+${callingCode} `, groups },
		{ before: '', groups: [code, ...groups] },
	];
	if (region === undefined) return whole;
	const national = nationalFormat(e164).split(/[ -]/);
	return [...whole, { before: '', groups: national, country: region }];
}

/** Writings in which a number stands as the groups that its plan has. What is shorter may be an area code. */
const inGroups =
	(write: (text: string, groups: Groups, index: number) => string[]): Write =>
	(number, index) =>
		groupsOf(number).flatMap((each) => {
			const text = each.before + each.groups.join(' ');
			if (digitsOf(text).length < 7) return [];
			return write(text, each, index).flatMap((written) => only(written, each.country));
		});

/** The number of a line, before a number. */
const LIST_MARKS = ['1) ', '1)', '2. ', '12.) ', '#1 ', '#3: ', 'Tel. 4) ', 'No. #5 ', '7] '];
const HOURS = [
	...[' (9-17)', ' (09\u201317)', ' (9 - 17)', ' (9am-5pm)', '(8.30-17.00)', ' (9-17 h)', ' 9-5'],
	...[' 08-16', ' 9 - 17', ' 8\u201318', ' 9-17 Uhr', ' 9am-5pm', ' 9.30-17.00'],
];

/** Writings that are looked up as the number. */
export const READ: Record<string, Write> = {
	'in E.164': whole(({ e164 }) => [e164, `+ ${e164.slice(1)}`, `${e164}.0`]),
	'with a full-width + or 00': whole(({ international }) => [
		international.replace('+', '\uff0b'),
		international.replace('+', '00 '),
	]),
	'with its calling code in brackets': whole(({ callingCode, afterCode }) => [
		`(+${callingCode}) ${afterCode}`,
	]),
	'beside the country of others, or none': ({ e164 }, index) => [
		...only(e164, oneOf(REGIONS, 7 * index)),
		...only(e164, 'Atlantis'),
	],
	'in a link of RFC 3966': whole(({ e164, callingCode, afterCode }) => [
		telFormat(e164),
		`tel:${afterCode.replace(/\D/g, '-')};phone-context=+${callingCode}`,
	]),
	'beside words, quotes and footnotes': both((text) => [
		`Tel: ${text}`,
		`${text} office`,
		`${text}\u00b2`,
		`"${text}"`,
		`'${text}`,
	]),
	'with an extension': both((text, index) =>
		inTurn(EXTENSIONS, index, 3).map((each) => text + each),
	),
	'with other digits': both((text, index) =>
		inTurn(DIGIT_SETS, index, 3).map((set) => text.replace(/\d/g, (digit) => set[Number(digit)])),
	),
	'with other marks between its groups': both((text) =>
		SEPARATORS.map((mark) => text.replace(/[ -]/g, mark)),
	),
	'with brackets': whole(({ callingCode, afterCode }) => {
		const [area, ...rest] = afterCode.split(/[ -]/);
		return BRACKETS.map(([open, close]) =>
			[`+${callingCode}`, open + area + close, ...rest].join(' '),
		);
	}),
	'with invisible marks': both((text) => {
		const middle = Math.floor(text.length / 2);
		return INVISIBLE_MARKS.flatMap((mark) => [
			mark + text + mark,
			text.slice(0, middle) + mark + text.slice(middle),
		]);
	}),
	'as its country writes it': ({ e164, region }) =>
		region === undefined
			? []
			: writingsOf(region).flatMap((country) => only(nationalFormat(e164), country)),
	'in national digits': inside(({ national }) => [
		digitsOf(national),
		`${digitsOf(national)}.0`,
		national.replace(' ', '/'),
	]),
	'with its calling code in its country, without +': inside(({ e164 }) => [
		internationalFormat(e164).slice(1),
		e164.slice(1),
		`${e164.slice(1)}.0`,
		Number(e164.slice(1)),
	]),
	'with a 0 in brackets that is not dialled from abroad': inside(({ e164, trunkPrefix }) =>
		trunkPrefix === '0' ? [internationalFormat(e164).replace(' ', ' (0)')] : [],
	),
	'with 00 in any country': ({ e164, callingCode }, index) => {
		const kept = `${callingCode}0${e164.slice(1 + callingCode.length)}`;
		// The 0 that people keep after the calling code, where it's no digit of the number
		const with0 = readByLibphonenumber(`+${kept}`) === e164 ? [`00${kept}`] : [];
		return inTurn(REGIONS, index, 41).flatMap((region) =>
			[e164.replace('+', '00'), internationalFormat(e164).replace('+', '00'), ...with0].flatMap(
				(text) => only(text, region),
			),
		);
	},
};

/** Countries that write their lines as if they had one plan: France and its overseas, Italy and San Marino. */
const NEIGHBORS = [
	['FR', 'GF', 'GP', 'MQ', 'RE'],
	['IT', 'SM'],
];

/** How writings are read that may have another meaning: as the number, or not at all. */
interface Unclear {
	write: Write;
	/** The least percentage of the writings that are looked up as the number. */
	read?: number;
	/** The least percentage of them that are not looked up. */
	refused?: number;
	/** Whether they may be looked up as the number that libphonenumber reads. */
	mayBeOther?: true;
}

export const UNCLEAR: Record<string, Unclear> = {
	'in digits after 00': { write: whole(({ e164 }) => [e164.replace('+', '00')]), read: 75 },
	'in digits without + and Country': {
		write: ({ e164 }) => [...only(e164.slice(1)), ...only(Number(e164.slice(1)))],
		read: 60,
	},
	'in groups without + and Country': {
		write: whole(({ international }) => [international.slice(1)]),
		read: 60,
	},
	'after a prefix for calls abroad, in a country that dials it': {
		write: ({ e164, region }, index) =>
			[region ?? 'AU', oneOf(REGIONS, index), oneOf(['BR', 'HK', 'JP', 'TH'], index)].flatMap(
				(from) =>
					PREFIXES.get(from)!.flatMap((prefix) =>
						only(`${prefix} ${internationalFormat(e164).slice(1)}`, from),
					),
			),
		read: 85,
	},
	'after a prefix for calls abroad, without Country': {
		write: ({ e164 }, index) =>
			inTurn(ALL_PREFIXES, index, 13).flatMap((prefix) =>
				['', ' ', '-'].flatMap((mark) => only(prefix + mark + e164.slice(1))),
			),
	},
	'without the zeros that a spreadsheet drops': {
		write: inside(({ national }) => [Number(digitsOf(national))]),
		read: 90,
		mayBeOther: true,
	},
	'with a 0 in place of 00': {
		write: ofLine(({ e164 }) => [`0${e164.slice(1)}`]),
		read: 95,
		mayBeOther: true,
	},
	'with a + before a national number': {
		write: inside(({ national }) => [`+${national}`]),
		read: 40,
		refused: 40,
		mayBeOther: true,
	},
	'with a + before a trunk prefix that is no 0': {
		write: ofLine(({ trunkPrefix, rest }) =>
			/^[1-9]/.test(trunkPrefix) ? [`+${trunkPrefix} (${rest.slice(0, 3)}) ${rest.slice(3)}`] : [],
		),
		refused: 5,
	},
	'with its calling code twice': {
		write: ofLine(({ callingCode, rest }) => [`+${callingCode} ${callingCode}${rest}`]),
		refused: 80,
		mayBeOther: true,
	},
	'with a 0 after its calling code': {
		write: ofLine(({ callingCode, national }) =>
			/^\D*0/.test(national) ? [`${callingCode} ${digitsOf(national)}`] : [],
		),
		read: 95,
	},
	'with a 0 that its plan does not have': {
		write: ofLine(({ trunkPrefix, rest }) =>
			trunkPrefix === '0' || rest.startsWith('0') ? [] : [`0${rest}`],
		),
		refused: 90,
		mayBeOther: true,
	},
	'without a 0 that belongs to it': {
		write: ofLine(({ rest }) =>
			rest.startsWith('0') ? [rest.slice(1), rest.replace(/^0(..)/, '$1 ')] : [],
		),
		refused: 90,
		mayBeOther: true,
	},
	'without the 0 of a longer trunk prefix': {
		write: ofLine(({ trunkPrefix, national }) =>
			/^0\d/.test(trunkPrefix) && /^\D*0/.test(national) ? [digitsOf(national).slice(1)] : [],
		),
	},
	'without + beside other countries': {
		write: ({ e164, type, callingCode }, index) => {
			const digits = e164.slice(1);
			const text = index % 2 === 0 ? digits : digits.replace(/^(..)(...)/, '$1 $2 ');
			return (LINES.has(type) ? inTurn(REGIONS, index, 41) : [])
				.filter((region) => callingCodeOf(region) !== callingCode)
				.flatMap((region) => only(text, region));
		},
		refused: 90,
		mayBeOther: true,
	},
	'of lines like those of a neighbor, beside that': {
		write: ({ e164, region = '', type }) =>
			NEIGHBORS.filter((all) => LINES.has(type) && all.includes(region))
				.flatMap((all) => all.filter((other) => other !== region))
				.flatMap((other) => only(nationalFormat(e164), other)),
		refused: 90,
		mayBeOther: true,
	},
	'without its area code': {
		write: inside(({ rest, isLine }) =>
			(isLine ? [1, 2, 3, 4] : [])
				.map((length) => rest.slice(length))
				.filter((text) => text.length > 4 && !text.startsWith('0')),
		),
		refused: 90,
		mayBeOther: true,
	},
	'with other digits after it': {
		write: (number, index) =>
			LINES.has(number.type) && number.e164.length > 8
				? [number.e164, internationalFormat(number.e164)].flatMap((text) =>
						only(text + oneOf([' 5', ' 55', ' 555', ' 12345', ' 5 5', ' 7 8 9', '-55'], index)),
					)
				: [],
		refused: 90,
		mayBeOther: true,
	},
	'with a digit that may be the number of a line': {
		write: inGroups((text) => [
			...(text.startsWith('0')
				? ['2 - ', '(1) ', '1 ', '3: ', 'Tel2 ', 'Tel 3 ', 'Phone 2: ']
				: ['(2) ', '[3] ', '№4 ', '2 - ']
			).map((mark) => mark + text),
			...[' (2)', ' (12)', ' - 2', ' 1.'].map((mark) => text + mark),
		]),
	},
};

/** Writings that are not looked up. */
export const REFUSED: Record<string, Write> = {
	'in scientific notation': whole(({ e164 }) => [
		Number(e164.slice(1)).toExponential(5),
		Number(e164.slice(1)).toExponential(3).replace('e+', 'e'),
	]),
	'as its country writes it, without Country': ({ e164, region }) =>
		region === undefined
			? []
			: [...only(nationalFormat(e164)), ...only(nationalFormat(e164), 'Atlantis')],
	'in the digits that its country writes, without Country': (number, index) =>
		ofLine(({ national }) => [digitsOf(national)])(number, index).flatMap(({ phoneNumber }) =>
			only(phoneNumber),
		),
	'beside another one': inside(({ national }, index) =>
		[' / ', ', ', '; ', ' or ', oneOf(LINE_BREAKS, index)].map(
			(mark) => national + mark + national,
		),
	),
	'before a slash and other numbers': inGroups((text, { before, groups }, index) => {
		const slash = oneOf(SLASHES, index);
		const ending = (length: number) =>
			[...digitsOf(groups.join('')).slice(-length)]
				.map((digit) => (Number(digit) + 1) % 10)
				.join('');
		const last = digitsOf(groups[groups.length - 1]).length;
		const shorter = [1, 2, 3].filter((length) => length < last).map(ending);
		return [
			...[text, text.replace(/^\+/, ''), ending(1), ending(2), ending(3)].map(
				(other) => text + slash + other,
			),
			...(groups.length > 2 ? shorter : []).map((other) => before + [...groups, other].join(slash)),
		];
	}),
	'after the number of a line': inGroups((text) => LIST_MARKS.map((mark) => mark + text)),
	'before hours': inGroups((text) => HOURS.map((hours) => text + hours)),
	'after another calling code and 00': ofLine(({ callingCode, rest }) => [
		`+${callingCode === '49' ? 43 : 49} 00${callingCode} ${rest}`,
	]),
	'as one digit again and again': inside(({ rest }, index) => [
		String(index % 10).repeat(rest.length),
	]),
};

/** Writings of libphonenumber's examples without a country: of one number in `oneIn`, one in eleven. */
export function exampleWritings(oneIn: number): Writing[] {
	return EXAMPLES.flatMap((number, index) => {
		if (index % oneIn !== 0) return [];
		const writings = Object.values(READ).flatMap((write) => write(number, index));
		return inTurn(writings, index / oneIn, 11).filter(({ country }) => country === undefined);
	});
}
