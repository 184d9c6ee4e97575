import type { GenericValue, IDataObject } from 'n8n-workflow';
import { FORBIDDEN_NAME, MAX_LEVELS, SLICE, type Sliced } from '../plan/values';

export const PLACEHOLDER = '[API key]';
/** A text may contain the hexadecimal or base64 form of a shorter key by chance. */
const MIN_ENCODED_LENGTH = 8;
/** The longest spelling of a key that is found across the end of a slice: per character, and in total. */
const REACH = { perCharacter: 16, least: 16_384 };
/** A piece of a text that began before the end of a slice ends within this many characters after it. */
const BEFORE = 64;

/** Makes a function that removes the key from a text, in slices. */
export function keyRemover(apiKey: string): (text: string) => Sliced<string> {
	const ways: Array<[Way, string[]]> = [
		[AS_IT_IS, [AS_IT_IS.read(apiKey)]],
		[FOLDED, spellingsOf(apiKey)],
	];
	const reach = Math.max(REACH.least, REACH.perCharacter * apiKey.length);

	function* remove(text: string): Sliced<string> {
		let cleaned = text;
		for (const [way, wanted] of ways) cleaned = yield* replace(cleaned, way, wanted, reach);
		return cleaned;
	}

	return function* (text) {
		if (apiKey === '' || text.length < apiKey.length) return text;
		const bytes = isBase64(text) ? yield* bytesOf(text) : '';
		const cleaned = yield* remove(bytes);
		return cleaned === bytes
			? yield* remove(text)
			: Buffer.from(cleaned, 'latin1').toString('base64');
	};
}

/** The spellings of the key in a folded text, the longest first: as text, as bytes, in hexadecimal and in base64. */
function spellingsOf(apiKey: string): string[] {
	const bytes = Buffer.from(apiKey, 'utf8');
	const plain = [apiKey, bytes.toString('latin1')];
	const texts = [...plain, ...plain.map((text) => text.replaceAll(' ', '+'))];
	const spellings = texts.flatMap((text) => [folded(text), plainlyFolded(text)]);
	if (apiKey.length >= MIN_ENCODED_LENGTH) {
		const encoded = [...base64Of(bytes), ...base64Of(Buffer.from(apiKey, 'utf16le'))];
		spellings.push(bytes.toString('hex'), ...encoded.map(plainlyFolded));
	}
	const different = [...new Set(spellings)].filter((spelling) => spelling !== '');
	return different.sort((one, other) => other.length - one.length);
}

/**
 * The bytes in base64 in both alphabets (RFC 4648 §5), at each offset in its groups of three, without the digits that depend on
 * the neighbours.
 */
function base64Of(bytes: Buffer): string[] {
	return [0, 1, 2].flatMap((offset) => {
		const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
		const end = Math.floor(((offset + bytes.length) * 4) / 3);
		const whole = text.slice(Math.ceil((offset * 4) / 3), end);
		return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
	});
}

/** The places of the wanted texts, without overlaps. If two begin at one place, the first wanted one counts. */
function* placesOf(wanted: string[], text: string): Generator<[begin: number, end: number]> {
	const next = wanted.map((each) => text.indexOf(each));
	for (let end = 0; ; ) {
		let first = -1;
		for (const [index, each] of wanted.entries()) {
			if (next[index] >= 0 && next[index] < end) next[index] = text.indexOf(each, end);
			if (next[index] >= 0 && (first < 0 || next[index] < next[first])) first = index;
		}
		if (first < 0) return;
		end = next[first] + wanted[first].length;
		yield [next[first], end];
	}
}

/** Replaces the wanted texts, in one way to read a text of any length. */
function* replace(
	text: string,
	{ read, placesIn }: Way,
	wanted: string[],
	reach: number,
): Sliced<string> {
	const parts: string[] = [];
	let done = 0;
	for (let start = 0; start < text.length; start += SLICE) {
		if (start > 0) yield;
		const before = Math.max(start - BEFORE, 0);
		const window = text.slice(before, start + SLICE + reach);
		let places: Places | undefined;
		for (const [first, last] of placesOf(wanted, read(window))) {
			places ??= placesIn(window);
			const begin = before + places.beginOf(first);
			if (begin >= start + SLICE) break;
			if (begin < Math.max(done, start)) continue;
			parts.push(text.slice(done, begin), PLACEHOLDER);
			done = before + places.endOf(last - 1);
		}
	}
	return parts.length === 0 ? text : parts.join('') + text.slice(done);
}

/** Whether a text is base64 in either alphabet, with or without line breaks and padding. */
export function isBase64(text: string): boolean {
	const end = text.indexOf('=');
	if (end < 0) return !/[^\w+/\s-]/.test(text);
	return /^={0,2}\s*$/.test(text.slice(end)) && isBase64(text.slice(0, end));
}

/** The bytes of base64, as characters up to U+00FF. */
function* bytesOf(base64: string): Sliced<string> {
	const parts: string[] = [];
	let rest = '';
	for (let start = 0; start < base64.length; start += SLICE) {
		if (start > 0) yield;
		const digits = rest + base64.slice(start, start + SLICE).replace(/\s+/g, '');
		const whole = digits.length - (digits.length % 4);
		parts.push(Buffer.from(digits.slice(0, whole), 'base64').toString('latin1'));
		rest = digits.slice(whole);
	}
	return parts.join('') + Buffer.from(rest, 'base64').toString('latin1');
}

/**
 * Undoes the changes that a service, a framework or a mail program makes to a text, so that all spellings of a key become one.
 * The spellings are listed in test/models/keySpellings.ts.
 */

/**
 * Pieces that represent one character or none: line breaks with the indentation after them, zero bytes, backslashes with what
 * they escape (repeated in JSON inside JSON), percent-encoding and HTML entities (which may be encoded themselves). Each piece is
 * matched as a whole, so a text is read once.
 */
const PIECE =
	/[\r\n]\s*|\0|\u0130|\\+(?:u[\da-f]{4}|x[\da-f]{2}|[rn"'/])?|%(?:25)*[\da-f]{2}|&(?:amp;)*(?:#x0*[\da-f]{1,6}|#0*\d{1,7}|amp|apos|gt|lt|quot);?/gi;
/** The end of a piece: a character, its number in hexadecimal or decimal, or its name. */
const OF_PIECE =
	/(?:\\(["'/])|(?:\\u|\\x|%(?:25)*|#x0*)([\da-f]{2,6}|[\da-f])|#0*(\d{1,7})|(amp|apos|gt|lt|quot));?$/i;

const ENTITIES: Record<string, string> = {
	...{ amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' },
};
/** Signs that a wrapped or escaped text has in addition. */
const DROPPED = /[\\\0\r\n]/g;
/** The one letter whose small form is longer. */
const LONG_SMALL = '\u0130';
const LAST_CODE_POINT = 0x10ffff;

function meaning(piece: string): string {
	if (piece === LONG_SMALL) return 'i';
	const [, character, hex, decimal, name = ''] = OF_PIECE.exec(piece) ?? [];
	if (character !== undefined) return character;
	const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
	if (Number.isNaN(code) || code > LAST_CODE_POINT) return ENTITIES[name.toLowerCase()] ?? '';
	return String.fromCodePoint(code).replace(DROPPED, '');
}

/** The beginning and end of each folded character in the original text. */
interface Places {
	beginOf: (index: number) => number;
	endOf: (index: number) => number;
}

interface Way {
	read: (text: string) => string;
	placesIn: (text: string) => Places;
}

function folded(text: string): string {
	return text.replace(PIECE, meaning).toLowerCase();
}

/** The text in small letters, of the same length. */
const inSmall = (text: string) => text.replaceAll(LONG_SMALL, 'i').toLowerCase();

/** The text in small letters, if it has no pieces. */
function plainlyFolded(text: string): string {
	return inSmall(text.replace(DROPPED, ''));
}

/** The places of a folded text, which is never longer than the original. */
function placesOfFolded(text: string): Places {
	const begins = new Uint32Array(text.length);
	const ends = new Uint32Array(text.length);
	let count = 0;
	const add = (begin: number, end: number) => {
		begins[count] = begin;
		ends[count] = end;
		count += 1;
	};
	let at = 0;
	for (const { 0: piece, index } of text.matchAll(PIECE)) {
		for (; at < index; at += 1) add(at, at + 1);
		at = index + piece.length;
		for (let left = meaning(piece).length; left > 0; left -= 1) add(index, at);
	}
	for (; at < text.length; at += 1) add(at, at + 1);
	return { beginOf: (index) => begins[index], endOf: (index) => ends[index] };
}

const FOLDED: Way = { read: folded, placesIn: placesOfFolded };
/** Text before the key may combine with it into a piece, for example a percent sign. */
const AS_IT_IS: Way = {
	read: inSmall,
	placesIn: () => ({ beginOf: (index) => index, endOf: (index) => index + 1 }),
};

/** Removes the API key from a body, in place; undefined for a body that is nested too deeply. */
export type Redact = (body: object) => Sliced<IDataObject | undefined>;

type Container = Record<number | string, GenericValue>;

/** The size of a value in addition to its characters. */
const VALUE = 16;
/** Number of members that are renamed between two pauses. */
const NAMES = 1_000;

/**
 * Makes a function that removes the API key from parsed JSON: from texts, names and numbers, and from files, which are base64
 * (SPEC §4.3). It also removes `__proto__`.
 */
export function redactor(apiKey: string): Redact {
	const removeKey = keyRemover(apiKey);
	let work = 0;
	/** Goes value by value: a list of all open containers would take more memory than a reply of tiny rows. */
	function* isClean(container: Container, level = 1): Sliced<boolean> {
		if (level > MAX_LEVELS) return false;
		const renamed = new Map<string, string>();
		for (const name of namesOf(container)) {
			const value = container[name];
			work += VALUE + (typeof value === 'string' ? value.length : 0);
			if (work > SLICE) {
				work = 0;
				yield;
			}
			if (typeof value === 'string') {
				const text = yield* removeKey(value);
				if (text !== value) container[name] = text;
			} else if (typeof value === 'number') {
				if (String(value) === apiKey) container[name] = PLACEHOLDER;
			} else if (value && typeof value === 'object') {
				if (!(yield* isClean(value as Container, level + 1))) return false;
			}
			if (typeof name === 'number') continue;
			const text = yield* removeKey(name);
			if (text !== name) renamed.set(name, text);
		}
		if (renamed.size > 0) yield* rename(container, renamed);
		return true;
	}
	return function* (body) {
		return (yield* isClean(body as Container)) ? (body as IDataObject) : undefined;
	};
}

function namesOf(container: Container): Iterable<number | string> {
	if (Array.isArray(container)) return container.keys();
	if (Object.hasOwn(container, FORBIDDEN_NAME)) delete container[FORBIDDEN_NAME];
	return Object.keys(container);
}

/** Renames the members of an object and keeps their order. */
function* rename(container: Container, names: Map<string, string>): Sliced<void> {
	let done = 0;
	for (const [name, value] of Object.entries(container)) {
		delete container[name];
		container[names.get(name) ?? name] = value;
		done += 1;
		if (done % NAMES === 0) yield;
	}
}
