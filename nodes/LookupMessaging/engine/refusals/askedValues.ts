import type { ServiceRequest } from '../client';
import { normalized, textOf } from '../plan/values';

/**
 * The values that a request asks about. A service repeats them in its words, so they are taken out before the words are judged:
 * the address recharge@example.com says nothing about credits.
 */

/** The parts of a request that hold values of the user. */
export type Asked = Pick<ServiceRequest, 'body' | 'form' | 'path' | 'query'>;

/** Stands for a value that was taken out. */
export const GAP = '\ufffc';
/** Most values that are looked for: those of a full batch, and then some. */
const MOST_VALUES = 2_000;
/** What is judged of a text. A service says what it refuses at its beginning. */
const MOST_CHARACTERS = 5_000;
/** Values of more words are repeated as a whole, not word by word. */
const MOST_WORDS_APART = 10;
/** Shorter words are too common to be taken out, unless they have a digit. */
const SHORTEST_WORD = 4;
const WORD = /[\p{L}\p{N}]+/gu;
const IN_WORD = /[\p{L}\p{N}]/u;

/** The beginning of a text, for comparison: lower case, percent-encoding undone, one space where spaces, plus signs or underscores were. */
export function plain(text: string): string {
	return normalized(undoPercents(undoPercents(text.slice(0, MOST_CHARACTERS))), 'NFKC')
		.toLowerCase()
		.replace(/[\s+_]+/g, ' ')
		.trim();
}

/** The words of a plain text. */
export function wordsIn(text: string): string[] {
	return text.match(WORD) ?? [];
}

/** A plain text with a gap for each value that the request asks about, and for the words of short values. */
export function withoutAsked(words: string, asked: Asked): string {
	const text = plain(words);
	const values = valuesOf(asked);
	const wholes = values.filter((value) => value.length <= text.length && isTelling(value));
	const parts = values.map(wordsIn).filter((all) => all.length <= MOST_WORDS_APART);
	const apart = new Set(parts.flat().filter(isTelling));
	return [...new Set(wholes)]
		.sort((one, other) => other.length - one.length)
		.reduce(withoutWhole, text)
		.replace(WORD, (word) => (apart.has(word) ? GAP : word));
}

/** All words of the values that the request asks about. */
export function askedWords(asked: Asked): Set<string> {
	return new Set(valuesOf(asked).flatMap(wordsIn));
}

function valuesOf({ query, form, body, path }: Asked): string[] {
	const open: unknown[] = [query, form?.fields, body, path.split('/')];
	const values: string[] = [];
	// The body may be nested deeply, so nothing here calls itself
	while (open.length > 0 && values.length < MOST_VALUES) {
		const value = open.pop();
		if (typeof value !== 'object' || value === null) values.push(plain(textOf(value)));
		else for (const inner of Object.values(value).slice(0, MOST_VALUES)) open.push(inner);
	}
	return values;
}

function isTelling(value: string): boolean {
	return value.length >= SHORTEST_WORD || /\p{N}/u.test(value);
}

/** Puts a gap where the value stands as a whole, not as a part of a word. */
function withoutWhole(text: string, value: string): string {
	const pieces = text.split(value);
	return pieces.reduce((before, after) => {
		const isPart = isOneWord(before.at(-1), value[0]) || isOneWord(value.at(-1), after[0]);
		return `${before}${isPart ? value : GAP}${after}`;
	});
}

function isOneWord(one = '', next = ''): boolean {
	return IN_WORD.test(one) && IN_WORD.test(next);
}

function undoPercents(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
		try {
			return decodeURIComponent(encoded);
		} catch {
			return encoded;
		}
	});
}
