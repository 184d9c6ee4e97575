import { normalized } from '../../engine/plan/values';

/** Whether two spellings can be the name of one person. Pure; names are never sent. */

/** Letters that Unicode does not split into a letter and its accent. */
const LETTERS: Record<string, string> = {
	...{ æ: 'ae', ð: 'd', đ: 'd', ħ: 'h', ı: 'i', ł: 'l', ø: 'o', œ: 'oe', ß: 'ss', þ: 'th' },
};
/** Titles before or after a name. */
const TITLES = new Set('dr herr frau jr miss mr mrs ms prof sir sr'.split(' '));

/**
 * Compares two names: case, accents, punctuation, titles and the order of the parts do not matter, an initial matches any name
 * that begins with it, and additional parts (a middle name) make no difference.
 * @returns null if unknown: one is no name, both are in different scripts, or only initials match
 */
export function isSameName(one: unknown, other: unknown): boolean | null {
	if (isNoName(one) || isNoName(other)) return null;
	const plain = isSame(partsOf(one), partsOf(other));
	if (plain !== false) return plain;
	// The spelling of German and Scandinavian names without these letters
	return isSame(partsOf(spelledOut(one)), partsOf(spelledOut(other)));
}

/** Texts of caller ID without a name. */
const PLACEHOLDER =
	/^(?:unknown(?: (?:caller|name|number))?|wireless caller|private(?: (?:caller|number))?|anonymous|unavailable|not available|n\/a|spam(?: likely)?|scam likely|toll[- ]free(?: call)?|cell phone(?: [a-z]{2})?)$/i;

/** A longer text is no name, and comparing megabytes would take minutes. */
const LONGEST_NAME = 1_000;

function isNoName(name: unknown): boolean {
	return typeof name !== 'string' || name.length > LONGEST_NAME || PLACEHOLDER.test(name.trim());
}

function spelledOut(name: unknown): unknown {
	if (typeof name !== 'string') return name;
	const spelled: Record<string, string> = { ä: 'ae', ö: 'oe', ø: 'oe', ü: 'ue', å: 'aa' };
	return normalized(name, 'NFC')
		.toLowerCase()
		.replace(/[äöøüå]/g, (letter) => spelled[letter]);
}

function isSame(one: string[], other: string[]): boolean | null {
	const [few, many] = [one, other].sort((a, b) => a.length - b.length);
	if (few.length === 0 || isLatin(few) !== isLatin(many)) return null;
	if (few.join('') === many.join('')) return true;
	const left = [...many];
	const take = (matches: (part: string) => boolean) => {
		const at = left.findIndex(matches);
		if (at >= 0) left.splice(at, 1);
		return at >= 0;
	};
	// Whole parts first, so that no initial matches a part that belongs to another
	const open = few.filter((part) => !take((candidate) => candidate === part));
	const meet = open.every((part) => take((candidate) => isInitialOf(part, candidate)));
	if (!meet) return false;
	return few.some((part) => part.length > 1 && many.includes(part)) ? true : null;
}

/** The parts of a name in the spelling for the comparison. */
function partsOf(name: unknown): string[] {
	if (typeof name !== 'string') return [];
	return normalized(name, 'NFKD')
		.toLowerCase()
		.replace(/[\p{M}'’ʼ]/gu, '')
		.replace(/[æðđħıłøœßþ]/g, (letter) => LETTERS[letter])
		.split(/[^\p{L}]+/u)
		.filter((part) => part !== '' && !TITLES.has(part));
}

function isInitialOf(one: string, other: string): boolean {
	const [short, long] = one.length < other.length ? [one, other] : [other, one];
	return short.length === 1 && long.startsWith(short);
}

function isLatin(parts: string[]): boolean {
	return /\p{Script=Latin}/u.test(parts.join(''));
}
