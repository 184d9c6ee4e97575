/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { inspect } from 'node:util';
import type { Heard } from './capturedLogs';
import type { NodeRun } from './n8nRun';

/** Finds an API key wherever it hides, in whatever spelling. It shares no code with what keeps the key out. */

/** A place that was searched, and what to search there. */
export type Places = Record<string, unknown>;

export interface Canary {
	/** How many places have been searched. */
	searched: number;
	/** Says where the key is, as `place: spelling … context`. */
	search(places: Places): string[];
}

/** @param key the key, as the credential has it */
export function canaryFor(key: string): Canary {
	const canary: Canary = {
		searched: 0,
		search: (places) =>
			Object.entries(places).flatMap(([place, value]) => {
				canary.searched += 1;
				return findIn(textsIn(value), key).map((found) => `${place}: ${found}`);
			}),
	};
	return canary;
}

/** All that an execution leaves behind, by where it is. */
export function placesOf(
	{ raw, staticData }: Pick<NodeRun, 'raw' | 'staticData'>,
	heard: Heard,
	strays: unknown[] = [],
): Places {
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
		console: heard.console,
		"n8n's log": heard.log,
		'other origins': strays,
	};
}

/** As JSON, each object once: what some nodes leave behind goes in circles, and n8n stores that too. */
function asStored(value: unknown): string {
	const seen = new Set<unknown>();
	return JSON.stringify(value, (_, part: unknown) => {
		if (!isComposite(part)) return part;
		if (seen.has(part)) return undefined;
		seen.add(part);
		return part;
	});
}

function findIn(texts: Set<string>, key: string): string[] {
	for (const text of texts) {
		const found = spellingIn(text, key);
		if (found) return [`${found}, in ${inspect(text.slice(0, 300))}`];
	}
	return [];
}

/** How a text spells the key, if it does. */
function spellingIn(text: string, key: string): string | undefined {
	if (text.includes(key)) return 'plain';
	const plain = unescaped(text);
	if (plain !== text && plain.includes(key)) return 'escaped';
	const decoded = percentDecoded(plain);
	if (decoded.some((each) => each.includes(key))) return 'percent-encoded';
	const hex = Buffer.from(key).toString('hex');
	if (text.length >= hex.length && new RegExp(hex, 'i').test(text)) return 'hexadecimal';
	return base64Of(key).some((digits) => text.includes(digits)) ? 'base64' : undefined;
}

/** JSON and HTML escapes, however often they were escaped again. */
function unescaped(text: string): string {
	if (!/[\\&]/.test(text)) return text;
	return text
		.replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
		.replace(/\\+(["'\\/])/g, '$1')
		.replace(/&#x([0-9a-f]{1,4});/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
		.replace(/&#(\d{1,5});/g, (_, code: string) => String.fromCharCode(Number(code)))
		.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name]);
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function percentDecoded(text: string): string[] {
	if (!/[%+]/.test(text)) return [];
	const decode = (from: string) =>
		from.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
			Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
		);
	return [decode(text), decode(text.replaceAll('+', ' '))];
}

/** The digits that base64 has for the key wherever it begins in a longer text, in both alphabets. */
function base64Of(key: string): string[] {
	return ['', 'x', 'xx'].flatMap((before) => {
		const digits = Buffer.from(before + key).toString('base64');
		const from = [0, 2, 3][before.length];
		const whole = digits.slice(from, Math.floor((Buffer.byteLength(before + key) * 8) / 6));
		return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
	});
}

/** Every text in a value: names and values, hidden ones, symbols, causes, buffers, maps, and what getters give. */
export function textsIn(value: unknown): Set<string> {
	const texts = new Set<string>();
	const seen = new Set<unknown>();
	const open = [value];
	while (open.length > 0) {
		const next = open.pop();
		if (typeof next === 'string') texts.add(next);
		else if (typeof next === 'symbol') texts.add(String(next));
		else if (typeof next === 'number' || typeof next === 'bigint') texts.add(String(next));
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

/** What errors and items may have by their class. */
const INHERITED = ['message', 'description', 'cause', 'context', 'messages', 'stack', 'name'];

function read(value: object, name: PropertyKey): unknown {
	try {
		return Reflect.get(value, name) as unknown;
	} catch {
		return undefined;
	}
}
