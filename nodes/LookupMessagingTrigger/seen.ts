import type { IDataObject } from 'n8n-workflow';

/**
 * What the trigger remembers of jobs, as it lies in n8n's static data. Pure: a poll reads it, takes a look, and stores what
 * comes of it, all at once and together with what it emits.
 *
 * Jobs are kept as fingerprints, so that 5,000 of them take 60 kB of the workflow's row and not 200, and nothing but
 * fingerprints is kept. Everything is text: n8n watches the fields of static data, not what is in them.
 */

/**
 * Why a job is not emitted any more: it was, or it was over already when the trigger first looked at a listing. An open one
 * was there then, but nothing has told yet whether it was over: the first look at it decides.
 */
export type Mark = 'emitted' | 'open' | 'passed';

/** The jobs that are not to be emitted (again), and where the next poll begins. */
export interface Seen {
	/** Fingerprint of what is watched; empty before the first look. Another one makes a new first look. */
	scope: string;
	/**
	 * Marked fingerprints by how many looks in a row their job was absent from: none, one, and so on. The last generation
	 * holds all those that were absent for longer, the longest first.
	 */
	generations: string[][];
	/** Fingerprint of the job that the next poll begins with; empty for the first one. */
	next: string;
}

/** What one look showed and what came of it. */
export interface Look {
	/** All jobs that it showed, in any state. */
	present: string[];
	emitted: string[];
	passed: string[];
	/** Those that stay open, or become so; what is present and not among them is open no more. */
	open?: string[];
}

/** Looks in a row that a job has to be absent from before it may be forgotten: one empty or partial listing says nothing. */
export const LOOKS_ABSENT = 10;
/** Jobs that are kept for sure. Beyond that, those go that were absent for the longest time. */
export const MOST_KEPT = 5_000;

const FINGERPRINT_LENGTH = 11;
const MARKS: Record<Mark, string> = { emitted: 'e', open: 'o', passed: 'p' };

/** Reads what an earlier poll stored; anything else counts as nothing. */
export function readSeen({ scope, seen, next }: IDataObject): Seen {
	return {
		scope: typeof scope === 'string' ? scope : '',
		generations: (typeof seen === 'string' ? seen : '')
			.split(' ')
			.map((generation) => generation.match(ENTRY) ?? []),
		next: typeof next === 'string' ? next : '',
	};
}

const ENTRY = new RegExp(`[a-z][0-9a-z]{${FINGERPRINT_LENGTH}}`, 'g');

/** What is stored. */
export function storedForm({ scope, generations, next }: Seen): Record<string, string> {
	const seen = generations.map((generation) => generation.join('')).join(' ');
	return { scope, seen: seen.trimEnd(), next };
}

/** Whether a job was emitted or passed over before. Made for many questions. */
export function recallerOf({ generations }: Seen): (job: string) => boolean {
	return among(generations.flat().filter((entry) => !isOpen(entry)));
}

/** Whether a job is open since the first look. Made for many questions. */
export function openRecallerOf({ generations }: Seen): (job: string) => boolean {
	return among(generations.flat().filter(isOpen));
}

/** Takes in a whole look. A listing that could not be read, or a list that was not, is no look. */
export function afterLook(seen: Seen, { present, emitted, passed, open = [] }: Look): Seen {
	const there = new Set([...present, ...emitted, ...passed].map(fingerprint));
	const isThere = (entry: string) => there.has(fingerprintIn(entry));
	const entries = seen.generations.flat().filter((entry) => !isOpen(entry) || !isThere(entry));
	const known = new Set(entries.map(fingerprintIn));
	const fresh = [
		...marked(emitted, 'emitted'),
		...marked(passed, 'passed'),
		...marked(open, 'open'),
	].filter((entry) => !known.has(fingerprintIn(entry)));

	const absent = seen.generations.map((generation) => generation.filter((one) => !isThere(one)));
	const generations = [
		[...entries.filter(isThere), ...new Set(fresh)],
		...Array.from({ length: LOOKS_ABSENT - 1 }, (_, looks) => absent[looks] ?? []),
		[...absent.slice(LOOKS_ABSENT - 1)].reverse().flat(),
	];
	return { ...seen, generations: withinBounds(generations) };
}

/** Forgets the jobs that were passed over or are open, so that they are emitted after all. */
export function withoutPassed(seen: Seen): Seen {
	const wasEmitted = (entry: string) => entry.startsWith(MARKS.emitted);
	return { ...seen, generations: seen.generations.map((one) => one.filter(wasEmitted)) };
}

/** The jobs in the order of looking: from the one that is next, round to the one before it. */
export function fromNext<Job>(jobs: Job[], nameOf: (job: Job) => string, { next }: Seen): Job[] {
	const start = next === '' ? 0 : jobs.findIndex((job) => fingerprint(nameOf(job)) === next);
	return start <= 0 ? jobs : [...jobs.slice(start), ...jobs.slice(0, start)];
}

/** 53 bits of a text in base 36, always of the same length (cyrb53: public domain, no cryptography). */
export function fingerprint(text: string): string {
	let high = 0xdeadbeef;
	let low = 0x41c6ce57;
	for (let index = 0; index < text.length; index += 1) {
		const code = text.charCodeAt(index);
		high = Math.imul(high ^ code, 2654435761);
		low = Math.imul(low ^ code, 1597334677);
	}
	high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
	const bits = 4294967296 * (2097151 & low) + (high >>> 0);
	return bits.toString(36).padStart(FINGERPRINT_LENGTH, '0');
}

function marked(jobs: string[], mark: Mark): string[] {
	return jobs.map((job) => `${MARKS[mark]}${fingerprint(job)}`);
}

function isOpen(entry: string): boolean {
	return entry.startsWith(MARKS.open);
}

function among(entries: string[]): (job: string) => boolean {
	const known = new Set(entries.map(fingerprintIn));
	return (job) => known.has(fingerprint(job));
}

function fingerprintIn(entry: string): string {
	return entry.slice(1);
}

/** Without the longest absent, where there are too many. Jobs that were there a few looks ago are never forgotten. */
function withinBounds(generations: string[][]): string[][] {
	const total = generations.reduce((sum, { length }) => sum + length, 0);
	const tooMany = Math.max(0, total - MOST_KEPT);
	return generations.map((one, looks) => (looks === LOOKS_ABSENT ? one.slice(tooMany) : one));
}
