/** Calling codes that people write as if they had one plan. */
import { beginningWith, expand, setOf, type DigitSets } from './digitPatterns';
import type { RegionMetadata } from './phoneMetadata';

/** Those of France overseas and San Marino in Italy, the largest first. The metadata don't tell this. */
const FAMILIES = [
	['33', '262', '590', '594', '596'],
	['39', '378'],
];
const MIN_DIGITS = 2;
/** How far the others are compared with the largest, whose patterns are wider than its numbers. */
const MAX_DIGITS = 4;

interface Member {
	code: string;
	/** Its fixed lines and mobiles. */
	lines: DigitSets[];
	/** Its numbers of other types, which belong to no place. */
	placeless: DigitSets[];
	general: DigitSets[];
}

/** For each family, the calling codes with the first digits of their fixed lines and mobiles. */
export function neighbors(plans: RegionMetadata[]): Array<Array<[code: string, starts: string[]]>> {
	return FAMILIES.map((codes) => {
		const family = codes.map((code) => memberOf(code, plans));
		return family.map((member) => [member.code, startsOf(member, family)]);
	});
}

function memberOf(code: string, plans: RegionMetadata[]): Member {
	const regions = plans.filter(({ callingCode }) => callingCode === code);
	const lines = regions.flatMap(({ fixedLine, mobile }) => [fixedLine, mobile]);
	const patterns = lines.flatMap((kind) => (kind ? [kind.pattern] : []));
	const types = regions.flatMap((region) => region.types.map(({ pattern }) => pattern));
	return {
		code,
		lines: patterns.flatMap(expand),
		placeless: types.filter((pattern) => !patterns.includes(pattern)).flatMap(expand),
		general: [...expand(regions[0].general.pattern)],
	};
}

/** The first digits of a member's lines, as few as tell them from those of the others. */
function startsOf(member: Member, [main, ...others]: Member[]): string[] {
	const isMain = member === main;
	const rivals = others.filter((other) => other !== member);
	const startsAfter = (digits: string): string[] => {
		const isOwn =
			begins(member.lines, digits) &&
			!(digits.length === MIN_DIGITS && begins(main.placeless, digits));
		// Of the main one, only what the others' general patterns have, too
		const isNeeded = !isMain || rivals.some(({ general }) => begins(general, digits));
		if (!isOwn || !isNeeded) return [];
		const isShallow = digits.length < MAX_DIGITS;
		const isShared =
			rivals.some(({ lines }) => begins(lines, digits)) ||
			(isShallow && begins(main.lines, digits) && !isMain);
		if (digits.length >= MIN_DIGITS && !isShared) return [digits];
		if (isMain && !isShallow) return [];
		const longer = [...'0123456789'].flatMap((digit) => startsAfter(digits + digit));
		const hasAll =
			longer.length === 10 && longer.every(({ length }) => length === digits.length + 1);
		return hasAll ? [digits] : longer;
	};
	return startsAfter('');
}

function begins(lines: DigitSets[], digits: string): boolean {
	const beginning = [...digits].map(setOf);
	return lines.some((sets) => beginningWith(sets, beginning) !== undefined);
}
