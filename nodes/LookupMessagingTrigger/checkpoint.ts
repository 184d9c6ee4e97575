import type { IDataObject } from 'n8n-workflow';

/**
 * What the trigger remembers about jobs in n8n's static data. All functions are pure. A poll cycle reads the checkpoint and
 * stores the next one at once, together with the items that it emits. Jobs that are over are stored as fingerprints: 5,000 of
 * them take 60 kB of the workflow's row instead of 200 kB. All fields are text, because n8n notices a change of a field, but not
 * one inside its value.
 */

/**
 * Why a job is not emitted: it was `emitted` before, or it was `passed` over because it was finished at the first poll of the
 * listing. An `open` job was listed then, but its state is unknown until its first check.
 */
type Mark = 'emitted' | 'open' | 'passed';

/** The jobs that are not emitted (again), and where the next poll cycle begins. */
export interface Checkpoint {
	/** Fingerprint of what is watched; empty before the first poll. After a change the next poll counts as a first one. */
	scope: string;
	/**
	 * Marked fingerprints, by the number of polls in a row in which their job was absent: none, one, and so on. The last
	 * generation has all jobs that were absent for longer, the longest first.
	 */
	generations: string[][];
	/** Fingerprint of the job that the next poll begins with; empty to begin with the first job. */
	next: string;
	/** For how many polls a job has waited for what it lacks, by its fingerprint. */
	waits: Map<string, number>;
	/** The IDs of listed jobs that are not over. If one leaves the listing, it is checked by its ID. */
	running: string[];
}

/** The jobs of one poll, and what it did with them. */
export interface Observation {
	/** All jobs, in any state. */
	present: string[];
	emitted: string[];
	passed: string[];
	/** Jobs that stay or become open. All other present jobs stop being open. */
	open?: string[];
}

/** Polls in a row that a job must be absent from before it may be forgotten: a single listing may be empty or partial. */
export const MIN_ABSENCES = 10;
/** Beyond this number of jobs, each new one replaces one of those that were absent for the longest time. */
export const MAX_KEPT = 5_000;
/** Maximum number of running jobs that are remembered by ID. */
const MAX_RUNNING = 1_000;

const FINGERPRINT_LENGTH = 11;
const MARKS: Record<Mark, string> = { emitted: 'e', open: 'o', passed: 'p' };

/** Reads what an earlier poll stored. Anything unreadable counts as empty. */
export function readCheckpoint({ scope, seen, next, waits, running }: IDataObject): Checkpoint {
	return {
		scope: typeof scope === 'string' ? scope : '',
		generations: (typeof seen === 'string' ? seen : '')
			.split(' ')
			.map((generation) => generation.match(ENTRY) ?? []),
		next: typeof next === 'string' ? next : '',
		waits: new Map(
			[...(typeof waits === 'string' ? waits : '').matchAll(WAIT)].map(([, job, polls]) => [
				job,
				parseInt(polls, 10),
			]),
		),
		running: (typeof running === 'string' ? running : '').split('\n').filter((id) => id !== ''),
	};
}

const ENTRY = new RegExp(`[a-z][0-9a-z]{${FINGERPRINT_LENGTH}}`, 'g');
const WAIT = /(\w+):(\d+)/g;

export function storedForm({
	scope,
	generations,
	next,
	waits,
	running,
}: Checkpoint): Record<string, string> {
	const seen = generations.map((generation) => generation.join('')).join(' ');
	const waiting = [...waits].map(([job, polls]) => `${job}:${polls}`).join(' ');
	const ids = running.slice(0, MAX_RUNNING).join('\n');
	return { scope, seen: seen.trimEnd(), next, waits: waiting, running: ids };
}

/** A test whether a job was emitted or passed over before. */
export function knownTest({ generations }: Checkpoint): (job: string) => boolean {
	return among(generations.flat().filter((entry) => !isOpen(entry)));
}

/** A test whether a job is open since the first poll. */
export function openTest({ generations }: Checkpoint): (job: string) => boolean {
	return among(generations.flat().filter(isOpen));
}

/** For how many polls a job has waited for what it lacks. */
export function waitedPolls({ waits }: Checkpoint): (job: string) => number {
	return (job) => waits.get(fingerprint(job)) ?? 0;
}

export function withWaits(
	checkpoint: Checkpoint,
	waits: Array<[job: string, polls: number]>,
): Checkpoint {
	const waiting = waits.filter(([, polls]) => polls > 0);
	return {
		...checkpoint,
		waits: new Map(waiting.map(([job, polls]) => [fingerprint(job), polls])),
	};
}

/** The checkpoint after a poll that read the jobs. Don't use it after a listing that failed. */
export function afterObservation(
	checkpoint: Checkpoint,
	{ present, emitted, passed, open = [] }: Observation,
): Checkpoint {
	const found = new Set([...present, ...emitted, ...passed].map(fingerprint));
	const isPresent = (entry: string) => found.has(fingerprintIn(entry));
	const before = checkpoint.generations;
	const entries = before.flat().filter((entry) => !isOpen(entry) || !isPresent(entry));
	const known = new Set(entries.map(fingerprintIn));
	const fresh = [
		...marked(emitted, 'emitted'),
		...marked(passed, 'passed'),
		...marked(open, 'open'),
	].filter((entry) => !known.has(fingerprintIn(entry)));

	const came = new Set(fresh);
	const absent = before.map((generation) => generation.filter((entry) => !isPresent(entry)));
	const generations = [
		[...entries.filter(isPresent), ...came],
		...Array.from({ length: MIN_ABSENCES - 1 }, (_, absences) => absent[absences] ?? []),
		absent
			.slice(MIN_ABSENCES - 1)
			.reverse()
			.flat(),
	];
	const total = generations.reduce((sum, { length }) => sum + length, 0);
	// An empty or short listing may soon show all again, so only the longest absent go, and no more than came
	const tooMany = Math.min(came.size, Math.max(0, total - MAX_KEPT));
	generations.push((generations.pop() ?? []).slice(tooMany));
	return { ...checkpoint, generations };
}

/** Forgets the jobs that were passed over or are open, so that they are emitted after all. */
export function withoutPassed(checkpoint: Checkpoint): Checkpoint {
	const wasEmitted = (entry: string) => entry.startsWith(MARKS.emitted);
	const generations = checkpoint.generations.map((one) => one.filter(wasEmitted));
	return { ...checkpoint, generations };
}

/** The jobs in the order of their checks: they start at the next job and wrap around. */
export function startingAtNext<Job>(
	jobs: Job[],
	nameOf: (job: Job) => string,
	{ next }: Checkpoint,
): Job[] {
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
