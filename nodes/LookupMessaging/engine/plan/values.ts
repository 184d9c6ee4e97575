import type { GenericValue, IDataObject } from 'n8n-workflow';

/** Reading and showing values of any kind: those of users, of n8n and of the service. */

/** Any value as text: lists and objects as JSON, dates in ISO form, null and undefined as ''. Never throws. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	if (value === null || value === undefined) return '';
	if (typeof value !== 'object' && typeof value !== 'function') return String(value);
	try {
		const json = JSON.stringify(value) ?? '';
		return json.startsWith('"') ? String(JSON.parse(json)) : json;
	} catch {
		return UNREADABLE;
	}
}

/** Values as JSON, the same whatever the order of fields. Values that have no text aren't compared. */
export function textInOrder(values: unknown[]): string {
	return JSON.stringify(values, (_, value: unknown) => {
		if (!isObject(value)) return value;
		const names = Object.keys(value).sort();
		return Object.fromEntries(names.map((name) => [name, value[name]]));
	});
}

/** A number, or the number that a text writes in digits; undefined for anything else. Never throws. */
export function numberIn(value: unknown): number | undefined {
	if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
	return typeof value === 'string' && DIGITS.test(value) ? Number(value) : undefined;
}

const DIGITS = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** The text for a value that has none, such as an object that contains itself. */
export const UNREADABLE = "(a value that can't be shown)";

/** Whether the text has no half surrogate pair, which cannot be sent or stored by every database. */
export function isWhole(text: string): boolean {
	return !/\p{Cs}/u.test(text);
}

export function asSentence(clause: string): string {
	return clause.charAt(0).toUpperCase() + clause.slice(1);
}

export function ended(sentence: string): string {
	return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Clauses as the reason of an item: a single clause stays one, several become sentences. */
export function asReason(clauses: string[]): string {
	const [first, ...others] = clauses;
	const isOne = others.length === 0 && !/[.!?] \p{Lu}/u.test(first);
	return isOne ? first : clauses.map((clause) => ended(asSentence(clause))).join(' ');
}

/** Text of the service or the user for a sentence of the node: shortened if it is long, with half characters made visible. */
export function inShort(words: string, most = 1_000): string {
	const shown = words.length > most ? `${words.slice(0, most - 1)}…` : words;
	return shown.replace(/\p{Cs}/gu, '\ufffd');
}

/** Text for a place that n8n shows as HTML. Its sanitizer lets links and remote images through. */
export function escapeHtml(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Text for a place that n8n shows as text here and as HTML there: what would begin a tag is escaped. */
export function withoutTags(text: string): string {
	return text.replace(/<(?=[a-z/!?])/gi, '\u2039');
}

/** Whether n8n would run a value as an expression, now or as soon as a user edits it. */
export function canBeExpression(value: unknown): boolean {
	return typeof value === 'string' && (value.startsWith('=') || value.includes('{{'));
}

/** FNV-1a, continued from an earlier text. */
export function hashOf(text: string, hash: number): number {
	for (let at = 0; at < text.length; at += 1)
		hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	return hash;
}

/** A name of a text that takes little room. Hardly ever have two texts the same one. */
export function shortened(text: string): string {
	return [text.length, hashOf(text, 0), hashOf(text, 1)].join();
}

/** A number with its noun, such as "1 call" or "2 calls". */
export function count(number: number, one: string, many = `${one}s`): string {
	return `${number} ${number === 1 ? one : many}`;
}

/** Minutes as text, such as "1.5 minutes". */
export function inMinutes(ms: number): string {
	return count(Math.round(ms / 6_000) / 10, 'minute');
}

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How deep values from outside may be nested. Copying deeper ones exhausts the stack. */
export const MAX_LEVELS = 500;
/** A careless copy of an object with this name changes all objects. */
export const FORBIDDEN_NAME = '__proto__';
/** Matches a JSON text that may contain it: plain, or with escaped characters. Checking each name takes much longer. */
export const MAY_BE_FORBIDDEN = new RegExp(`${FORBIDDEN_NAME}|\\\\u`);

/** A value of the service for the output: undefined and the empty string become null. */
export function orNull(value: GenericValue): GenericValue {
	return value === '' || value === undefined ? null : value;
}

/** Maximum number of characters before the first visible one. */
const MAX_BLANK = 20_000;

/** Whether a value is empty: missing, an empty list, or text without a visible character at its beginning. */
export function isEmpty(value: unknown): boolean {
	if (Array.isArray(value)) return value.length === 0;
	const text = value ?? '';
	return typeof text === 'string' && !VISIBLE.test(text.slice(0, MAX_BLANK));
}

/** Longest text that is normalized. With more marks in a row than any language has (UAX #15), the work grows with the square of their number. */
const MAX_NORMALIZED = 5_000;

/** The text in a normal form of Unicode; unchanged if it is longer or full of marks, since no value is compared with such a text. */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
	return text.length > MAX_NORMALIZED || /\p{M}{31}/u.test(text) ? text : text.normalize(form);
}

const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** A short, quoted form of the user's text for a sentence; characters that cannot be shown become visible. */
export function quote(text: string): string {
	const short = text.length > 60 ? `${text.slice(0, 57)}…` : text;
	return `"${short.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd')}"`;
}

/** The longest name that file systems and mail programs accept. */
const LONGEST_FILE_NAME = 255;

/** The name of a file at the end of a path; undefined if there is none: dots alone, control characters, or too much text. */
export function fileNameIn(path: string): string | undefined {
	const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
	const isName = name.length <= LONGEST_FILE_NAME && /[^.\s]/.test(name) && !/\p{Cc}/u.test(name);
	return isName ? name : undefined;
}

/** Whether parsed JSON is nested deeper than can be copied, by this package or by n8n. */
export function isTooDeep(json: unknown, levels = MAX_LEVELS): boolean {
	if (typeof json !== 'object' || json === null) return false;
	const inners: unknown[] = Array.isArray(json) ? json : Object.values(json);
	return levels === 0 || inners.some((inner) => isTooDeep(inner, levels - 1));
}

/** Work on texts and values of unknown origin goes in slices, so that no reply blocks the event loop of n8n. */

/** Work that can pause. It yields between two slices and returns its result. */
export type Sliced<Value> = Generator<undefined, Value, undefined>;

/** Number of characters of a slice. A slice takes a few milliseconds at most, for any characters. */
export const SLICE = 65_536;

/** Runs work that can pause, without a pause. */
export function inOneGo<Value>(work: Sliced<Value>): Value {
	let step = work.next();
	while (!step.done) step = work.next();
	return step.value;
}

/** Number of objects and lists of an answer that are always parsed, and the number of characters for each further one. */
const PARTS = { most: 10_000, characters: 16 };
/** Maximum number of names and values of an answer. A name counts more, since each may give its object another shape. */
const VALUES = { most: 1_000_000, ofName: 4 };
const [QUOTE, BACKSLASH, COLON, COMMA, ...OPENING] = Array.from('"\\:,{[', (mark) =>
	mark.charCodeAt(0),
);

/**
 * Whether JSON has more objects, lists, names and values than any useful answer: `{}` takes 20 times the memory of its text, a
 * million names take seconds, and JSON.parse cannot pause. It reads each character at most once, and pauses at each `yield`.
 */
export function* hasTooManyParts(texts: string[]): Sliced<boolean> {
	const length = texts.reduce((sum, text) => sum + text.length, 0);
	const most = Math.max(PARTS.most, length / PARTS.characters);
	let parts = 0;
	let values = 0;
	for (const text of length > most ? texts : []) {
		let isInString = false;
		let paused = 0;
		for (let at = 0; at < text.length; at += 1) {
			const code = text.charCodeAt(at);
			if (code === QUOTE) isInString = !isInString;
			else if (isInString) at += code === BACKSLASH ? 1 : 0;
			else if (code === COMMA) values += 1;
			else if (code === COLON) values += VALUES.ofName;
			else if (OPENING.includes(code)) parts += 1;
			if (parts > most || values > VALUES.most) return true;
			if (at - paused < SLICE) continue;
			paused = at;
			yield;
		}
	}
	return false;
}

/** Number of values that are copied between two pauses. */
const COPIED = 2_000;

/** A copy of JSON, made in slices. No reply is nested deeper than MAX_LEVELS. */
export function* copyOf<Value>(value: Value, work = { done: 0 }): Sliced<Value> {
	if (typeof value !== 'object' || value === null) return value;
	const from = value as Record<number | string, unknown>;
	const copy = (Array.isArray(value) ? [] : {}) as typeof from;
	for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
		if (name === FORBIDDEN_NAME) continue;
		const inner = from[name];
		copy[name] = typeof inner === 'object' ? yield* copyOf(inner, work) : inner;
		work.done += 1;
		if (work.done % COPIED === 0) yield;
	}
	return copy as Value;
}
