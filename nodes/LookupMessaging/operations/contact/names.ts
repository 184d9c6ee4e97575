import { normalized } from '../../engine/plan/values';
import { nameIn } from '../shared/callerName';

/** Whether two spellings can be the name of one person. Pure; names are never sent. */

/** Letters that Unicode does not split into a letter and its accent. */
const LETTERS: Record<string, string> = {
	...{ æ: 'ae', ð: 'd', đ: 'd', ħ: 'h', ı: 'i', ł: 'l', ø: 'o', œ: 'oe', ß: 'ss', þ: 'th' },
};
/** Titles before or after a name. */
const TITLES = new Set('dr herr frau jr miss mr mrs ms prof sir sr'.split(' '));

/**
 * Compares two names: case, accents, punctuation, titles and the order of the parts do not matter, an initial matches any name
 * that begins with it, and additional parts (a middle name) make no difference. The last part of a cut name matches any that
 * begins with it.
 * @returns null if unknown: one is no name, both are in different scripts, or only initials match
 */
export function isSameName(one: unknown, other: unknown): boolean | null {
	if (isNoName(one) || isNoName(other)) return null;
	// Then the spelling of German and Scandinavian names without these letters
	const spellings = [
		[partsOf(one), partsOf(other)],
		[partsOf(spelledOut(one)), partsOf(spelledOut(other))],
	];
	const results = spellings.map(([few, many]) => isSame(few, many));
	for (const [few, many] of spellings) {
		if (isCut(one)) results.push(isSameAsCut(few, many));
		if (isCut(other)) results.push(isSameAsCut(many, few));
	}
	return results.find((result) => result !== false) ?? results[0];
}

/** A longer text is no name, and comparing megabytes would take minutes. */
const LONGEST_NAME = 1_000;

function isNoName(name: unknown): boolean {
	return typeof name !== 'string' || name.length > LONGEST_NAME || nameIn(name) === undefined;
}

/** The networks of North America carry this many characters of a name (CNAM). */
const CNAM_LENGTH = 15;
/** Fewer letters of a cut part are too few for a match by them alone. */
const FEWEST_LETTERS = 3;

/** Whether the end of a name may be missing. Spaces count, unless the cut left them at its end. */
function isCut(name: unknown): boolean {
	return typeof name === 'string' && name.trim().length === CNAM_LENGTH;
}

/** @param cut the parts of a name whose last part may not be whole */
function isSameAsCut(cut: string[], other: string[]): boolean | null {
	const last = cut.at(-1);
	if (last === undefined || isLatin(cut) !== isLatin(other)) return null;
	if (other.join('').startsWith(cut.join(''))) return true;
	const rest = cut.slice(0, -1);
	const wholes = other.filter((part) => part.startsWith(last));
	if (!wholes.some((whole) => isSame([...rest, whole], other))) return false;
	return last.length >= FEWEST_LETTERS || isSame(rest, other) ? true : null;
}

/** Words of carriers, and of what is named after its place. */
const OF_CARRIER =
	/\b(?:at ?& ?t|cellular|comcast|telecom\w*|telephone|t-?mobile|verizon|vodafone|wireless)\b/i;
const OF_PLACE = /^(?:city|county|state|town|township|village) of\b/i;
/** How the networks of North America write a place: its name, then its state or province. */
const IN_STATE =
	/^[A-Z .'-]{2,} (?:A[BKLRZ]|BC|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ABDEINOST]|N[BCDEHJLMSVY]|O[HKNR]|P[AER]|QC|RI|S[CDK]|T[NX]|UT|V[AT]|W[AIVY])$/;

/**
 * Whether what a network has as a name is that of a carrier or a place.
 * @param things the carrier and the places of the number
 */
export function namesThing(name: unknown, things: unknown[]): boolean {
	if (typeof name !== 'string' || name.length > LONGEST_NAME) return false;
	const text = name.trim().replace(/\s+/g, ' ');
	const patterns = [OF_CARRIER, OF_PLACE, IN_STATE];
	const isThing = (thing: unknown) => !isNoName(thing) && isWithin(partsOf(text), partsOf(thing));
	return patterns.some((pattern) => pattern.test(text)) || things.some(isThing);
}

/** Whether the parts are those of a place or a carrier, except a code such as that of its state. */
function isWithin(parts: string[], thing: string[]): boolean {
	const own = parts.filter((part) => part.length > 2);
	return own.length > 0 && own.every((part) => thing.includes(part));
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
