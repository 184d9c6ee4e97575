/** The numbering table of the nodes: the plans of all regions, and what bare digits may be, from libphonenumber's metadata. */
import {
	comparableName,
	spellingsOfName,
} from '../../nodes/LookupMessaging/operations/shared/phone/countryName';
import { isoNumbers, namesOf, NAMES_SOURCE } from './countryNames';
import { beginningWith, expand, setOf, type DigitSets } from './digitPatterns';
import { nationalWritings } from './nationalWritings';
import { neighbors } from './neighbors';
import {
	METADATA_SOURCE,
	readPhoneMetadata,
	type NumberKind,
	type RegionMetadata,
	type WritingRule,
} from './phoneMetadata';

export const NUMBERING_TABLE_FILE =
	'nodes/LookupMessaging/operations/shared/phone/numberingTable.ts';

/** The whole file. Its reader is numberingPlans.ts, beside it. */
export function numberingTable(): string {
	const plans = readPhoneMetadata();
	return `/**
 * Numbering plans, made by \`npm run generate\` from libphonenumber's metadata (${METADATA_SOURCE}) and
 * names (${NAMES_SOURCE}). Do not edit.
 */

const raw = String.raw;

/**
 * A region in each line, the main one of its calling code first: alpha-2 code (001 for none), calling code, lengths of national
 * numbers, lengths inside an area, usual lengths, prefix for calls abroad, trunk prefix, what that becomes, pattern of
 * numbers; then alpha-3 code and names. "-" is nothing.
 */
export const REGIONS = raw\`
${plans.map((plan) => rowOf(plan, plans)).join('\n')}
\`;

/** Calling codes that are ISO 3166-1 numbers of other countries. */
export const ISO_NUMBERS = '${ranges(numbersOfOthers(plans))}';

/** Calling codes written as one plan, with the first digits of their lines. */
export const NEIGHBORS: Array<Record<string, string>> = [
${neighbors(plans)
	.map((family) =>
		family.map(([code, starts]) => `${code}: '${patternOfStarts(starts)}'`).join(', '),
	)
	.map((codes) => `	{ ${codes} },`)
	.join('\n')}
];

/** Numbers that begin with 00, where the general pattern has more. */
export const WITH_00: Record<string, string> = {
${plans.flatMap(rowWith00).join('\n')}
};

/** Numbers shorter than usual lines, where the general pattern has more. */
export const SHORT: Record<string, string> = {
${inFewLines(plans.flatMap((plan) => rowOfShort(plan, plans)))}
};

/** Numbers shorter than usual, where some lines are, and no trunk 0 shows that the area code is there. */
export const SHORT_WITHOUT_0: Record<string, string> = {
${inFewLines(plans.flatMap((plan) => rowOfShortWithout0(plan, plans)))}
};

/** Where whole lines are as short as others without their area code: the most digits of these, and what else is so short. */
export const LINES_INSIDE_AREA: Record<string, { longest: number; others: string }> = {
${inFewLines(plans.flatMap(rowOfLinesInsideArea))}
};

/** Mobiles shorter than usual, or fixed lines without their 0. */
export const SHORT_MOBILES: Record<string, string> = {
${plans.flatMap((plan) => rowOfShortMobiles(plan, plans)).join('\n')}
};

/** Other numbers without a 0. Any more have lost it. */
export const WITHOUT_0: Record<string, string> = {
${plans.flatMap((plan) => rowWithout0(plan, plans)).join('\n')}
};

/** Where lines are written with a 0 that is no digit of their number in E.164, and those of them that are not. */
export const WITH_TRUNK_0 = new Set(
	'${plans
		.filter((plan) => linesByTrunk0(plan, plans).with0.length > 0)
		.map(({ region }) => region)
		.join(' ')}'.split(' '),
);

export const LINES_WITHOUT_TRUNK_0: Record<string, string> = {
${inFewLines(plans.flatMap((plan) => rowOfLinesWithout0(plan, plans)))}
};

/** How numbers of a length begin that are of no type, but of the general pattern and of another country with its calling code. */
export const WITHOUT_TYPE: Record<string, Record<number, string>> = {
${inFewLines(rowsWithoutType(plans))}
};

/** The first three digits of numbers that a country writes without + and a leading 0, by length. */
export const NATIONAL_WRITINGS: Record<number, string> = {
${[...nationalWritings(plans)].map(([length, prefixes]) => `	${length}: '${ranges(prefixes)}',`).join('\n')}
};
`;
}

/** The fixed lines and mobiles of a country, apart by whether libphonenumber writes their examples with a trunk 0. */
function linesByTrunk0(plan: RegionMetadata, plans: RegionMetadata[]) {
	const { fixedLine, mobile, callingCode, region } = plan;
	const main = plans.find((each) => each.callingCode === callingCode) ?? plan;
	const { writingRules } = plan.writingRules.length > 0 ? plan : main;
	const lines = [fixedLine, mobile].flatMap((kind) => (kind && region !== '001' ? [kind] : []));
	const has0 = ({ example }: NumberKind) =>
		writingRules.find((rule) => isFor(rule, example))?.prefix.startsWith('0') === true;
	return { with0: lines.filter(has0), without0: lines.filter((kind) => !has0(kind)) };
}

/** Lines without a trunk 0, in a country that writes others with one. */
function rowOfLinesWithout0(plan: RegionMetadata, plans: RegionMetadata[]): string[] {
	const { with0, without0 } = linesByTrunk0(plan, plans);
	const [line] = without0;
	return with0.length > 0 && line ? [`${plan.region}: raw\`${line.pattern}\`,`] : [];
}

function isFor({ pattern, leadingDigits }: WritingRule, number: string): boolean {
	return new RegExp(`^(?=${leadingDigits || '.'})(?:${pattern})$`).test(number);
}

/** "26[12]|3" for 261, 262 and 3. None of them begins with another one. */
function patternOfStarts(starts: string[]): string {
	// Without a start, a pattern of nothing
	return alternativesAfter(starts).join('|') || '(?!)';
}

function alternativesAfter(starts: string[]): string[] {
	const firsts = new Map<string, string[]>();
	for (const first of '0123456789') {
		const rest = starts.filter((start) => start.startsWith(first)).map((start) => start.slice(1));
		if (rest.length === 0) continue;
		const pattern = inGroup(alternativesAfter(rest));
		firsts.set(pattern, [...(firsts.get(pattern) ?? []), first]);
	}
	return [...firsts].map(([rest, digits]) => {
		const found = ranges(digits)
			.replaceAll(',', '')
			.replaceAll(/(\d)-(\d)/g, classOf);
		return (digits.length === 1 ? found : `[${found}]`.replace('[0-9]', '\\d')) + rest;
	});
}

function inGroup(alternatives: string[]): string {
	return alternatives.length > 1 ? `(?:${alternatives.join('|')})` : alternatives.join('');
}

/** "1-3", but "12" for 1 and 2. */
function classOf(range: string, from: string, to: string): string {
	return Number(from) + 1 === Number(to) ? from + to : range;
}

/** Those of three digits, as ISO has them. Two digits are a calling code whose + a spreadsheet has dropped. */
function numbersOfOthers(plans: RegionMetadata[]): string[] {
	const numbers = isoNumbers();
	const shared = plans.filter(({ callingCode }) => {
		if (callingCode.length !== 3) return false;
		const owner = numbers.get(callingCode);
		return (
			owner !== undefined &&
			!plans.some((plan) => plan.callingCode === callingCode && plan.region === owner)
		);
	});
	return [...new Set(shared.map(({ callingCode }) => callingCode))].sort(
		(a, b) => Number(a) - Number(b),
	);
}

/** The pattern of a country's numbers with 00, if there are fewer of them than its general pattern has. */
function rowWith00({ region, general, types }: RegionMetadata): string[] {
	if (region === '001') return [];
	const patterns = types
		.flatMap(({ pattern }) => alternativesOf(pattern))
		.filter((pattern) => with00(pattern).length > 0);
	const isGeneral = numbersIn(with00(patterns.join('|'))) === numbersIn(with00(general.pattern));
	if (patterns.length === 0 || isGeneral) return [];
	return [`	${region}: raw\`${patterns.join('|')}\`,`];
}

function with00(pattern: string): DigitSets[] {
	const zeros = [setOf('0'), setOf('0')];
	return expand(pattern).flatMap((sets) => {
		const found = beginningWith(sets, zeros);
		return found ? [found] : [];
	});
}

/** How many numbers the sequences have, if none is in two of them. */
function numbersIn(all: DigitSets[]): number {
	const digitsOf = (set: number) => set.toString(2).replaceAll('0', '').length;
	return all.reduce((sum, sets) => sum + sets.reduce((count, set) => count * digitsOf(set), 1), 0);
}

/** The parts of a pattern between the bars that are in no group. */
function alternativesOf(pattern: string): string[] {
	let depth = 0;
	const parts = [''];
	for (const sign of pattern) {
		if (sign === '(') depth += 1;
		if (sign === ')') depth -= 1;
		if (sign === '|' && depth === 0) parts.push('');
		else parts[parts.length - 1] += sign;
	}
	return parts;
}

function rowOf(plan: RegionMetadata, plans: RegionMetadata[]): string {
	const { region, callingCode, general } = plan;
	const values = [
		region,
		callingCode,
		ranges(general.lengths.map(String)),
		ranges(general.localLengths.map(String)),
		`${shortestUsual(plan)}-${longestUsual(plan)}`,
		plan.internationalPrefix,
		plan.trunkPrefixPattern,
		plan.transformRule,
		patternOf(plan, plans),
	];
	const names = region === '001' ? [] : distinct(namesOf(region));
	return [...values.map((value) => value || '-'), names.join(';')].join(' ').trimEnd();
}

function patternOf({ region, general }: RegionMetadata, plans: RegionMetadata[]): string {
	return region === 'US' ? patternOfNorthAmerica(plans) : general.pattern;
}

/**
 * The numbers of all regions of North America, by the area codes that are in use: the general pattern has any, so ten digits of
 * another country would be one of its numbers.
 */
function patternOfNorthAmerica(plans: RegionMetadata[]): string {
	const kinds = plans
		.filter(({ callingCode }) => callingCode === '1')
		.flatMap(({ allTypes }) => allTypes)
		.flatMap(({ pattern }) => expand(pattern))
		.filter(({ length }) => length === 10);
	const digitsAt = (sets: DigitSets, place: number) =>
		[...'0123456789'].filter((digit) => (sets[place] & setOf(digit)) !== 0);
	const anyExchange = new Set<string>();
	const all = new Set<string>();
	for (const sets of kinds) {
		for (const one of digitsAt(sets, 0))
			for (const two of digitsAt(sets, 1))
				for (const three of digitsAt(sets, 2)) {
					all.add(one + two + three);
					// Elsewhere an exchange code never begins with 0 or 1
					if (digitsAt(sets, 3).some((digit) => digit < '2')) anyExchange.add(one + two + three);
				}
	}
	const others = [...all].filter((code) => !anyExchange.has(code));
	const [few, any] = [others, [...anyExchange]].map((codes) => inGroup(alternativesAfter(codes)));
	return `${few}[2-9]\\d{6}|${any}\\d{7}`;
}

/** The most digits of a mobile number, and of the first type's example: a fixed line, wherever there are any. */
function longestUsual({ general, types, mobile }: RegionMetadata): number {
	const [first] = types.map(({ example }) => example.length);
	if (!mobile) return first ?? Math.max(...general.lengths);
	const mobiles = mobile.lengths.length > 0 ? mobile.lengths : general.lengths;
	return Math.max(first, ...mobiles);
}

/** The fewest digits of the examples of fixed lines and mobiles. */
function shortestUsual({ general, region, fixedLine, mobile }: RegionMetadata): number {
	const examples = [fixedLine, mobile].flatMap((kind) => (kind ? [kind.example.length] : []));
	return region === '001' ? general.lengths[0] : Math.min(...examples);
}

/**
 * The pattern of the numbers that are too short for the fixed lines and mobiles of a country, if its general pattern has more of
 * them.
 */
function rowOfShort(plan: RegionMetadata, plans: RegionMetadata[]): string[] {
	if (hasShortLines(plan, plans)) return [];
	return rowOfTypes(plan, plans);
}

function rowOfShortWithout0(plan: RegionMetadata, plans: RegionMetadata[]): string[] {
	const { trunkPrefixPattern } = plan;
	const stripsZero =
		trunkPrefixPattern !== '' && new RegExp(`^(?:${trunkPrefixPattern})`).test('01');
	const have0 = stripsZero || rowWithout0(plan, plans).length > 0;
	return have0 || !hasShortLines(plan, plans) ? [] : rowOfTypes(plan, plans);
}

function isShorter(plan: RegionMetadata) {
	const shortest = shortestUsual(plan);
	return (pattern: string) => expand(pattern).some(({ length }) => length < shortest);
}

function hasShortLines(plan: RegionMetadata, plans: RegionMetadata[]): boolean {
	const isShort = isShorter(plan);
	return plans
		.filter(({ callingCode }) => callingCode === plan.callingCode)
		.flatMap(({ fixedLine, mobile }) => [fixedLine, mobile])
		.some((kind) => kind && isShort(kind.pattern));
}

function rowOfTypes(plan: RegionMetadata, plans: RegionMetadata[]): string[] {
	const { region, callingCode, general } = plan;
	if (!isMain(plan, plans) || general.lengths[0] >= shortestUsual(plan)) return [];
	const patterns = plans
		.filter((each) => each.callingCode === callingCode)
		.flatMap(({ allTypes }) => allTypes)
		.flatMap(({ pattern }) => alternativesOf(pattern))
		.filter(isShorter(plan));
	return [`${region}: raw\`${[...new Set(patterns)].join('|')}\`,`];
}

/**
 * The most digits that people dial inside an area, by the national plans (ITU-T E.129), where some whole lines have as few. Libphonenumber
 * doesn't know them.
 */
const DIGITS_INSIDE_AREA: Record<string, number> = {
	...{ BD: 8, BG: 7, CD: 7, DE: 8, IE: 7, KR: 8, MM: 7, SE: 8, YE: 7, ZW: 7 },
};

function rowOfLinesInsideArea({ region, allTypes, fixedLine }: RegionMetadata): string[] {
	const longest = DIGITS_INSIDE_AREA[region];
	if (longest === undefined) return [];
	const others = allTypes
		.filter(({ pattern }) => pattern !== fixedLine?.pattern)
		.flatMap(({ pattern }) => alternativesOf(pattern))
		.filter((pattern) => expand(pattern).some(({ length }) => length <= longest));
	return [
		`${region}: { longest: ${longest}, others: raw\`${[...new Set(others)].join('|') || '(?!)'}\` },`,
	];
}

/** The pattern of the mobiles of a country that are shorter than usual, and as long as a fixed line without its first 0. */
function rowOfShortMobiles(plan: RegionMetadata, plans: RegionMetadata[]): string[] {
	const short = shortMobiles(plan, plans);
	return short.length === 0 ? [] : [`	${plan.region}: raw\`${short.join('|')}\`,`];
}

function shortMobiles(plan: RegionMetadata, plans: RegionMetadata[]): string[] {
	const { region, general, mobile } = plan;
	if (!mobile || !isMain(plan, plans) || region === '001') return [];
	const with0 = expand(general.pattern).filter((sets) => beginningWith(sets, [setOf('0')]));
	const lengths = new Set(with0.map(({ length }) => length));
	const usual = mobile.example.length;
	return alternativesOf(mobile.pattern).filter((pattern) =>
		expand(pattern).some(({ length }) => length < usual && lengths.has(length + 1)),
	);
}

/**
 * The pattern of the numbers without a 0 in front, of every type, where the general pattern has more of them and takes them with a 0,
 * too: as in Italy, where fixed lines keep their 0.
 */
function rowWithout0(plan: RegionMetadata, plans: RegionMetadata[]): string[] {
	const { region, general, allTypes, fixedLine, trunkPrefixPattern } = plan;
	if (!isMain(plan, plans) || !fixedLine || trunkPrefixPattern !== '') return [];
	const short = shortMobiles(plan, plans);
	const longest = longestUsual(plan);
	const isWithout0 = (sets: DigitSets) => sets[0] !== setOf('0') && sets.length <= longest;
	const lengthsAfter0 = new Set(
		expand(fixedLine.pattern).flatMap((sets) => (sets[0] === setOf('0') ? sets.length - 1 : [])),
	);
	const plain = expand(general.pattern).filter(
		(sets) => isWithout0(sets) && lengthsAfter0.has(sets.length),
	);
	const patterns = allTypes
		.flatMap(({ pattern }) => alternativesOf(pattern))
		.filter((pattern) => expand(pattern).some(isWithout0));
	const isTyped = (sets: DigitSets) =>
		patterns.flatMap(expand).some((typed) => hasAll(typed, sets));
	if (plain.every(isTyped)) return [];
	return [`	${region}: raw\`${patterns.filter((each) => !short.includes(each)).join('|')}\`,`];
}

/** Whether each number of the second sequence is one of the first. */
function hasAll(one: DigitSets, other: DigitSets): boolean {
	return one.length === other.length && other.every((set, place) => (set & ~one[place]) === 0);
}

/** The lengths whose numbers are compared with those of other countries after their calling codes. */
const LENGTHS_WITH_CODE = [10, 11, 12, 13, 14, 15];
const DIGITS_OF_START = 3;

/** How numbers of a length begin that are of no type, though the general pattern has them and so have other countries, by length. */
function rowsWithoutType(plans: RegionMetadata[]): string[] {
	const mains = plans.filter((plan) => isMain(plan, plans) && plan.region !== '001');
	const startsOfKinds = (kindsOf: (plan: RegionMetadata) => Array<NumberKind | undefined>) =>
		new Map(
			mains.map(({ callingCode }) => {
				const kinds = plans.filter((plan) => plan.callingCode === callingCode).flatMap(kindsOf);
				return [callingCode, startsByLength(kinds.flatMap((kind) => kind?.pattern ?? []))];
			}),
		);
	const typedOf = startsOfKinds(({ allTypes }) => allTypes);
	const linesOf = startsOfKinds(({ fixedLine, mobile }) => [fixedLine, mobile]);
	const withCode = new Map(
		LENGTHS_WITH_CODE.map((length) => {
			const codesOf = new Map<string, Set<string>>();
			for (const [code, byLength] of linesOf) {
				for (const rest of byLength.get(length - code.length) ?? []) {
					const start = (code + rest).slice(0, DIGITS_OF_START);
					codesOf.set(start, (codesOf.get(start) ?? new Set<string>()).add(code));
				}
			}
			return [length, codesOf];
		}),
	);
	return mains.flatMap((plan) => {
		const { region, callingCode } = plan;
		const own = startsByLength([patternOf(plan, plans)]);
		const rows = LENGTHS_WITH_CODE.flatMap((length) => {
			const typed = typedOf.get(callingCode)?.get(length) ?? new Set();
			const strange = [...(withCode.get(length) ?? [])].flatMap(([start, codes]) => {
				const isForeign = codes.size > 1 || !codes.has(callingCode);
				return isForeign && own.get(length)?.has(start) && !typed.has(start) ? [start] : [];
			});
			const starts = shortened(strange, [...typed]);
			return starts.length === 0 ? [] : [`${length}: '${patternOfStarts(starts)}'`];
		});
		return rows.length === 0 ? [] : [`${region}: { ${rows.join(', ')} },`];
	});
}

/** Rows, the short ones together in a line. */
function inFewLines(rows: string[]): string {
	const [short, long] = [true, false].map((is) => rows.filter(({ length }) => length <= 40 === is));
	return [...long, short.join(' ')].map((line) => `	${line}`).join('\n');
}

function startsByLength(patterns: string[]): Map<number, Set<string>> {
	const found = new Map<number, Set<string>>();
	for (const sets of patterns.flatMap(expand)) {
		const starts = found.get(sets.length) ?? new Set();
		found.set(sets.length, starts);
		for (const start of startsOf(sets)) starts.add(start);
	}
	return found;
}

/** The starts without the last digits that tell them from none of the others. */
function shortened(starts: string[], others: string[]): string[] {
	const short = starts.map((start) => {
		const lengths = Array.from(start, (_, index) => index + 1);
		const least = lengths.find((length) =>
			others.every((other) => !other.startsWith(start.slice(0, length))),
		);
		return start.slice(0, least);
	});
	return [...new Set(short)];
}

function startsOf(sets: DigitSets): string[] {
	return sets.slice(0, DIGITS_OF_START).reduce(
		(starts, set) => {
			const digits = [...'0123456789'].filter((digit) => (set & setOf(digit)) !== 0);
			return starts.flatMap((start) => digits.map((digit) => start + digit));
		},
		[''],
	);
}

/** Whether it is the plan that reads the numbers of all regions of its calling code: the first. */
function isMain(plan: RegionMetadata, plans: RegionMetadata[]): boolean {
	return plan === plans.find(({ callingCode }) => callingCode === plan.callingCode);
}

/** Names that differ in case, accents and the like are read as one, and so is what is only turned round. */
function distinct(names: string[]): string[] {
	const known = new Map(names.map((name) => [comparableName(name), name]));
	for (const [comparable, name] of known) {
		const [, ...turned] = spellingsOfName(name).map(comparableName);
		if (turned.some((other) => other !== comparable && known.has(other))) known.delete(comparable);
	}
	return [...known.values()];
}

/** "7,9-10" for 7, 9, 10. */
function ranges(numbers: string[]): string {
	const found: string[][] = [];
	for (const number of numbers) {
		const last = found.at(-1);
		if (last && Number(last.at(-1)) + 1 === Number(number)) last.push(number);
		else found.push([number]);
	}
	return found
		.map((run) => (run.length === 1 ? run[0] : `${run[0]}-${String(run.at(-1))}`))
		.join(',');
}
