/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { inspect } from 'node:util';
import type { CapturedLogs } from './capturedLogs';
import type { NodeRun } from './n8nRun';

/** Searches everything that an execution leaves behind for the API key, in any spelling. It shares no code with the redaction in the nodes. */

/** The values to search, by the name under which a leak is reported. */
type SearchedValues = Record<string, unknown>;

export interface KeyLeakSearch {
	/** Returns one text for each leak: `name: spelling, in context`. */
	search(values: SearchedValues): string[];
}

/** @param key the API key, as the credential has it */
export function keyLeakSearch(key: string): KeyLeakSearch {
	/** Texts without the key. An execution has most of its texts in several places, and many of them are in the next one, too. */
	const clean = new Set<string>();
	const spellings = spellingsOf(key);
	return {
		search: (values) => {
			if (clean.size > MAX_KEPT) clean.clear();
			return Object.entries(values).flatMap(([name, value]) =>
				findIn(textsIn(value), spellings, clean).map((found) => `${name}: ${found}`),
			);
		},
	};
}

const MAX_KEPT = 50_000;
const LONGEST_KEPT = 20_000;

/** All that an execution leaves behind, by name. */
export function leftBehindBy(
	{ raw, staticData }: Pick<NodeRun, 'raw' | 'staticData'>,
	logs: CapturedLogs,
	strays: unknown[] = [],
): SearchedValues {
	const { resultData, ...rest } = raw.data;
	const tasks = Object.values(resultData.runData).flat();
	const items = tasks.flatMap(({ data }) => Object.values(data ?? {}).flat(2));
	return {
		items: items.map((item) => item?.json),
		'binary data': items.map((item) => item?.binary),
		errors: [resultData.error, tasks.map(({ error }) => error), items.map((item) => item?.error)],
		hints: tasks.map(({ hints }) => hints),
		'run data': resultData,
		'execution data': rest,
		'stored execution': asStored(raw),
		'static data': staticData,
		console: logs.console,
		"n8n's log": logs.log,
		'other origins': strays,
	};
}

/** The names and values of its JSON, each once: some nodes leave circular values behind, and n8n stores those too. */
function asStored(value: unknown): unknown[] {
	const seen = new Set<unknown>();
	JSON.stringify(value, (name, part: unknown) => {
		if (seen.has(part)) return undefined;
		seen.add(name).add(part);
		return part;
	});
	return [...seen].filter((part) => !isComposite(part));
}

function findIn(texts: Set<string>, spellings: Spellings, clean: Set<string>): string[] {
	for (const text of texts) {
		if (clean.has(text)) continue;
		const found = spellingIn(text, spellings);
		if (found) return [`${found}, in ${inspect(text.slice(0, 300))}`];
		if (text.length <= LONGEST_KEPT) clean.add(text);
	}
	return [];
}

/** What is looked for, made once for a search. */
const spellingsOf = (key: string) => ({
	key,
	small: key.toLowerCase(),
	hex: Buffer.from(key).toString('hex'),
	base64: base64Of(key).map((digits) => digits.toLowerCase()),
});
type Spellings = ReturnType<typeof spellingsOf>;

/** The spelling in which a text contains the key, if it does. */
function spellingIn(text: string, { key, small, hex, base64 }: Spellings): string | undefined {
	for (const [spelling, plain] of decodings(text)) {
		const joined = plain.replace(/[\r\n]\s*|\\+[rn](?:\s|\\+[rnt])*/g, '').toLowerCase();
		if (joined.includes(small)) return spelling || 'plain';
		if (plain.length >= hex.length && plain.toLowerCase().includes(hex)) return 'hexadecimal';
		const inOneLine = plain.replace(/\s|\\[rn]/g, '');
		const inSmall = inOneLine.toLowerCase();
		if (base64.some((digits) => inSmall.includes(digits))) return 'base64';
		// A longer run would exhaust the stack of the pattern
		const files = inOneLine.match(/[\w+/-]{16,65536}/g) ?? [];
		const isInFile = (file: string) =>
			Buffer.from(file, 'base64').toString('latin1').replaceAll('\0', '').includes(key);
		if (files.some(isInFile)) return 'within base64';
	}
	return undefined;
}

/** How a text can be read: as it is, or with some encodings undone, up to four of them one after the other. */
function decodings(text: string): Map<string, string> {
	const read = new Map([['', text]]);
	const seen = new Set([text]);
	let last = /[\0\\&%+]/.test(text) ? [...read] : [];
	for (let depth = 0; depth < 4 && last.length > 0; depth++) {
		last = last.flatMap(([before, from]) =>
			Object.entries(DECODERS).flatMap(([name, decode]): Array<[string, string]> => {
				const to = decode(from);
				if (seen.has(to)) return [];
				seen.add(to);
				return [[before ? `${before}, then ${name}` : name, to]];
			}),
		);
		for (const [name, each] of last) read.set(name, each);
	}
	return read;
}

const fromHex = (_: string, code: string) => String.fromCharCode(parseInt(code, 16));
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Each undoes one encoding; a text without it comes back as it is. */
const DECODERS: Record<string, (text: string) => string> = {
	'UTF-16': (text) => text.replaceAll('\0', ''),
	escaped: (text) =>
		text.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(["'\\/]))/gi, (_, unit, byte, plain) =>
			plain ? String(plain) : fromHex('', String(unit ?? byte)),
		),
	'in HTML': (text) =>
		text
			.replace(/&#x([0-9a-f]{1,8});?/gi, fromHex)
			.replace(/&#(\d{1,8});?/g, (_, code: string) => String.fromCharCode(Number(code)))
			.replace(/&(amp|lt|gt|quot|apos);?/g, (_, name: string) => ENTITIES[name]),
	'percent-encoded': (text) =>
		text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
			Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
		),
	'with + for spaces': (text) => text.replaceAll('+', ' '),
};

/** The base64 digits of the key at each of the three offsets in a longer text, in both alphabets. */
function base64Of(key: string): string[] {
	return ['', 'x', 'xx'].flatMap((before) => {
		const digits = Buffer.from(before + key).toString('base64');
		const from = [0, 2, 3][before.length];
		const whole = digits.slice(from, Math.floor((Buffer.byteLength(before + key) * 8) / 6));
		return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
	});
}

/** Every text in a value: names, values, hidden properties, symbols, causes, buffers, maps, and the results of getters. */
function textsIn(value: unknown): Set<string> {
	const texts = new Set<string>();
	const seen = new Set<unknown>();
	const open = [value];
	while (open.length > 0) {
		const next = open.pop();
		if (typeof next === 'string') texts.add(next);
		else if (['bigint', 'number', 'symbol'].includes(typeof next)) texts.add(String(next));
		else if (isComposite(next) && !seen.has(next)) {
			seen.add(next);
			open.push(...partsOf(next, texts));
		}
	}
	return texts;
}

const isComposite = (value: unknown): value is object =>
	(typeof value === 'object' && value !== null) || typeof value === 'function';

function partsOf(value: object, texts: Set<string>): unknown[] {
	if (ArrayBuffer.isView(value)) {
		texts.add(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8'));
		return [];
	}
	const parts: unknown[] = [];
	if (value instanceof Map || value instanceof Set) parts.push(...value.entries());
	if (value instanceof URL || value instanceof URLSearchParams) parts.push(value.toString());
	for (const name of Reflect.ownKeys(value)) parts.push(name, read(value, name));
	for (const name of INHERITED) if (name in value) parts.push(read(value, name));
	return parts;
}

/** Properties that errors and items may inherit from their class. */
const INHERITED = ['message', 'description', 'cause', 'context', 'messages', 'stack', 'name'];

function read(value: object, name: PropertyKey): unknown {
	try {
		return Reflect.get(value, name) as unknown;
	} catch {
		return undefined;
	}
}
