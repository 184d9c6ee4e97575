/**
 * Which bare digits are a national number in some country, as people there write it: the usual length of each type of
 * number, with the trunk prefix unless it is left out or optional there (libphonenumber's rules for national writing).
 */
import { beginningWith, expand, setOf, type DigitSets } from './digitPatterns';
import type { NumberKind, RegionMetadata, WritingRule } from './phoneMetadata';

/** First digits that tell the writings apart: an area code, or the beginning of a mobile network's numbers. */
const PREFIX_DIGITS = 3;
/** E.164 numbers with their calling code are at least so long. */
const FEWEST_DIGITS = 6;

/** By length, the first digits of all national writings that do not begin with 0, in order. */
export function nationalWritings(plans: RegionMetadata[]): Map<number, string[]> {
	const found = new Map<number, Set<string>>();
	for (const sets of plans.filter(({ region }) => region !== '001').flatMap(writingsOf)) {
		if (sets.length < FEWEST_DIGITS) continue;
		const prefixes = found.get(sets.length) ?? new Set();
		for (const prefix of prefixesOf(sets)) if (!prefix.startsWith('0')) prefixes.add(prefix);
		found.set(sets.length, prefixes);
	}
	return new Map(
		[...found]
			.filter(([, prefixes]) => prefixes.size > 0)
			.sort(([one], [other]) => one - other)
			.map(([length, prefixes]) => [length, [...prefixes].sort()]),
	);
}

function writingsOf({ types, writingRules, transformRule }: RegionMetadata): DigitSets[] {
	// Digits that the national writing has elsewhere, such as the 9 of Argentina's mobiles, are often written as after a calling code
	const [added = ''] = /^\d+(?=\$)/.exec(transformRule) ?? [];
	return types.flatMap((kind) =>
		usualNumbers(kind).flatMap((sets) => {
			const written = writingRules.flatMap((rule) => writingsBy(rule, sets));
			const withAdded = added === '' ? undefined : beginningWith(sets, [...added].map(setOf));
			return [...(written.length > 0 ? written : [sets]), ...(withAdded ? [withAdded] : [])];
		}),
	);
}

/** The numbers of a kind that are as long as its example. */
function usualNumbers(kind: NumberKind): DigitSets[] {
	return expand(kind.pattern).filter(({ length }) => length === kind.example.length);
}

/** How a rule writes those of the numbers that it is for. */
function writingsBy(rule: WritingRule, sets: DigitSets): DigitSets[] {
	const takes = expand(groupsOnly(rule.pattern)).some(({ length }) => length === sets.length);
	if (!takes) return [];
	const prefix = [...rule.prefix].map(setOf);
	const beginnings = rule.leadingDigits === '' ? [[]] : expand(rule.leadingDigits);
	return beginnings.flatMap((beginning) => {
		const numbers = beginningWith(sets, beginning);
		if (!numbers) return [];
		const full = [...prefix, ...numbers];
		return rule.isPrefixOptional ? [full, numbers] : [full];
	});
}

/** Only the lengths of a writing's groups count here. */
function groupsOnly(pattern: string): string {
	return pattern.replace(/\(\?!.*?\)/g, '');
}

function prefixesOf(sets: DigitSets): string[] {
	let prefixes = [''];
	for (const set of sets.slice(0, PREFIX_DIGITS)) {
		const digits = [...'0123456789'].filter((digit) => set & setOf(digit));
		prefixes = prefixes.flatMap((prefix) => digits.map((digit) => prefix + digit));
	}
	return prefixes;
}
