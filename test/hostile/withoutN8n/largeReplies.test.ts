/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IDataObject } from 'n8n-workflow';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { ChangedReplies, type Shown } from '../../models/replies/changedReplies';
import { isFullRun } from '../fullRun';
import { collectGarbage, cpuMs, leastOf, longestStepMs } from '../longestStep';

/**
 * Replies of many tiny values, in every place of a reply that may hold many, from the text of the reply to the items. The sample
 * measures memory alone: time depends on what else the machine does.
 */

const MEGABYTE = 1_000_000;
/** A list in the nth place has each of these sizes once, in MB, each time with other entries. */
const sizesIn = (nth: number) => (isFullRun ? [0.1, [0.3, 1][nth % 2]] : [0.3]);

/**
 * A MB of a reply holds n8n up for so long at most, in milliseconds of processor time, and a short one no longer than this part of a
 * MB. It is twice the 50 that hold in n8n, since a look at a global name such as `String` takes many times as long under Jest.
 */
const MS_PER_MB = 100;
const LEAST_SHARE = 0.2;
/**
 * `JSON.parse` cannot be cut. For what is slow to parse, a step takes so many times what it takes; on a slow or busy machine, what it
 * takes there for as many characters of small objects.
 */
const TIMES_PARSE = 3;
const SMALL_OBJECTS = `[${'{"a":[1,"b"]},'.repeat(MEGABYTE / 14)}1]`;

/** How much memory a reply takes at most, as a multiple of its length; and its call, with a connection and what the sandbox notes. */
const TIMES_LENGTH = 8;
const CALL_BYTES = 600_000;
/** Where each entry of a list becomes an item, n8n's form of an item takes so much beside the entry: three objects, a few fields each. */
const ITEM_BYTES = 150;
/**
 * What `JSON.parse` makes of numbers and names alone takes up to so many times their text. There are three of it at most: the answer
 * that is kept for duplicates, the returned copy, and the lists in between.
 */
const TIMES_PARSED = 3;
/** So many looks at the memory in the time that the work takes without them, since a look takes a collection of all garbage. */
const LOOKS = 8;
const LOOK_EVERY_MS = 20;
/** Of so many operations one is tried. */
const OPERATIONS = isFullRun ? 5 : 100;

/** What a list is made of, beside more of its own entries. */
const ENTRIES: Array<(index: number) => string> = [
	...['{}', '[]', '1', '"a"', 'null', '[[]]', '[1,2]', '{"a":{}}', '{"a":"b","c":"d"}'],
	'{"title":"a","text":"bcd"}',
].map((text) => () => text);
ENTRIES.push(
	(index) => `"${index.toString(36)}"`,
	(index) => `{"${index.toString(36)}":1}`,
	(index) => JSON.stringify({ [`a name of its own ${index}`]: `a text of its own ${index}` }),
);
/** JSON in the texts of a tool's result is taken apart too. */
const BLOCKS = ['x', '[', '{"a":1}', '[{"a":1}]', `[${'{},'.repeat(9_000)}{}]`].map((text) => {
	const json = JSON.stringify({ type: 'text', text });
	return () => json;
});
const SHOWN: Shown[] = [{}, { output: 'raw' }];

function listOf(entry: (index: number) => string, size: number): string {
	const entries: string[] = [];
	for (let left = size; left > 0; left -= (entries.at(-1)?.length ?? 0) + 1) {
		entries.push(entry(entries.length));
	}
	return `[${entries.join(',')}]`;
}

/** The paths to all lists and objects of a body, and to one that it lacks. What the first entry of a list holds, others hold too. */
function holdersIn(value: unknown, path: string[] = []): string[][] {
	if (typeof value !== 'object' || value === null) return [];
	const held = Object.entries(value).slice(0, Array.isArray(value) ? 1 : Infinity);
	const inner = held.flatMap(([name, each]) => holdersIn(each, [...path, name]));
	return path.length > 0 ? [path, ...inner] : [...inner, ['more']];
}

function valueAt(body: unknown, path: string[]): unknown {
	return path.reduce<unknown>((value, name) => Object(value)[name], body);
}

/** The text of a body with the JSON of another value at a path. */
function replaced(body: IDataObject, path: string[], json: string): string {
	const copy = structuredClone(body);
	Reflect.set(Object(valueAt(copy, path.slice(0, -1))), path.at(-1) ?? '', 'a-large-list');
	// Of one piece, as the text of a reply is
	return Buffer.from(JSON.stringify(copy).replace('"a-large-list"', () => json)).toString();
}

function usedBytes(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed;
}

/**
 * The most memory that is in use between two steps of the work, in bytes.
 * @param room what may be in use: garbage is collected only where that is more with it, since a collection takes longer than the work
 * @param everyMs time between two looks
 */
async function mostBytes(
	work: () => Promise<unknown>,
	room: number,
	everyMs: number,
): Promise<number> {
	const before = usedBytes();
	let most = 0;
	const look = () => {
		const withGarbage = process.memoryUsage().heapUsed - before;
		most = Math.max(most, withGarbage > room ? usedBytes() - before : withGarbage);
	};
	const looks = setInterval(look, everyMs);
	// The output is still there at the last look
	const kept = await work();
	look();
	clearInterval(looks);
	return kept === undefined ? NaN : most;
}

function parseMs(text: string): number {
	const from = cpuMs();
	JSON.parse(text);
	return cpuMs() - from;
}

function parsedBytes(text: string): number {
	const before = usedBytes();
	const parsed: unknown = JSON.parse(text);
	const bytes = usedBytes() - before;
	return parsed === undefined ? 0 : bytes;
}

/** For how long the work holds n8n up, if that is too long however often it is tried, in milliseconds. */
async function tooSlow(text: string, work: () => Promise<unknown>): Promise<number | false> {
	const share = Math.max(LEAST_SHARE, text.length / MEGABYTE);
	let most = MS_PER_MB * share;
	const least = await leastOf(
		async () => await longestStepMs(work),
		(ms) => {
			if (ms > most)
				most = Math.max(
					most,
					TIMES_PARSE * parseMs(text),
					TIMES_PARSE * share * parseMs(SMALL_OBJECTS),
				);
			return most;
		},
	);
	return least > most && Math.round(least);
}

/**
 * How many times the length of a text the work takes in memory, where that is too much.
 * @param replies how many the work takes, all with this text, how many of them it keeps, how many items come of
 * them, and for how long it goes on
 */
async function tooLarge(
	text: string,
	replies: { taken: number; kept: number; items: number; ms: number },
	work: () => Promise<unknown>,
): Promise<number | false> {
	const everyMs = Math.max(LOOK_EVERY_MS, replies.ms / LOOKS);
	const length = replies.kept * text.length;
	const least = replies.taken * CALL_BYTES + replies.items * ITEM_BYTES;
	let room = least + TIMES_LENGTH * length;
	const limit = (most: number) => {
		// Only for what takes more: this takes two collections of all garbage
		const parsed = () => Math.min(replies.kept * parsedBytes(text), TIMES_LENGTH * length);
		return most > room ? (room = Math.max(room, least + TIMES_PARSED * parsed())) : room;
	};
	const bytes = await leastOf(async () => await mostBytes(work, room, everyMs), limit);
	return bytes > room && Math.round((10 * bytes) / length) / 10;
}

describe('a reply with a large list', () => {
	let replies: ChangedReplies;
	beforeAll(async () => (replies = await ChangedReplies.start()));
	afterAll(async () => await replies.close());

	let nth = 0;
	const tried = operations.filter((_, index) => index % OPERATIONS === 1);
	test.each(tried.map((operation) => [`${operation.resource}.${operation.value}`, operation]))(
		'is returned, blocks n8n only briefly, and takes little memory: %s',
		async (_, operation) => {
			let body: IDataObject = {};
			await replies.comeOut(operation, (last) => JSON.stringify((body = last)));
			// Of the polls of a job only one is kept
			const keepsAll = 'lookups' in operation;
			const places = holdersIn(body);
			for (const [place, path] of (isFullRun ? places : [places[nth % places.length]]).entries()) {
				const own = [valueAt(body, path)].flat()[0];
				const entries = [...ENTRIES, ...(path.at(-1) === 'content' ? BLOCKS : [])];
				if (own !== undefined) entries.push(() => JSON.stringify(own));
				for (const share of sizesIn(place)) {
					const entry = entries[nth % entries.length];
					const text = replaced(body, path, listOf(entry, share * MEGABYTE));
					const shown = SHOWN[nth % SHOWN.length];
					nth += 1;
					let taken = 0;
					const change = (_body: IDataObject, before: number) => {
						taken = before + 1;
						return text;
					};
					const work = async () => await replies.comeOut(operation, change, shown);
					const from = performance.now();
					const { items, faults } = await work();
					const ms = performance.now() - from;
					const found = {
						...{ path, entry: entry(0).slice(0, 100), share, faults: [] },
						isOut: items.length > 0,
						tooSlow: isFullRun && (await tooSlow(text, work)),
						tooLarge: await tooLarge(
							text,
							{ taken, kept: keepsAll ? taken : 1, items: items.length, ms },
							work,
						),
					};
					expect({ ...found, faults }).toEqual({
						...{ ...found, isOut: true, tooSlow: false, tooLarge: false },
					});
				}
			}
		},
		isFullRun ? 1_200_000 : 120_000,
	);
});
