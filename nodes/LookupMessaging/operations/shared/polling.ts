import type { Client, Endpoint } from '../../engine/client';
import { CallFailed, type Failed, type Failure, type Refusal } from '../../engine/results';
import { isFailed } from '../../engine/operation';
import { isAboutPace, speaksOfTrouble } from '../../engine/refusals/refusal';

/** Jobs of the service: when to poll again, and until when. Shared by every operation that waits. */

/**
 * How long to wait between two polls (SPEC §4.2): 5–10 s for batches under 100 numbers, 30–60 s near 1000, in between from one
 * to the other. The client never waits less than 2 s.
 */
const SMALL_BATCH = { numbers: 100, leastMs: 5_000, mostMs: 10_000 };
const LARGE_BATCH = { numbers: 900, leastMs: 30_000, mostMs: 60_000 };
const MEDIUM_BATCH = { leastMs: 10_000, mostMs: 20_000 };
/** Factor for the estimated remaining time, since a poll that comes too early costs a whole wait. */
const MARGIN = 1.05;

/** Progress of a job since its first poll. */
export interface Progress {
	/** Numbers finished since then, and numbers left. */
	done: number;
	left: number;
	afterMs: number;
}

/**
 * How long to wait before the next poll of a batch, in milliseconds. The first wait is the shortest that SPEC allows, to learn
 * the speed. After that, the waits aim at the end of the batch with as few polls as SPEC allows.
 * @param progress undefined before the first poll
 */
export function batchPaceMs(numbers: number, progress?: Progress): number {
	const { leastMs, mostMs } = rangeOf(numbers);
	if (!progress) return leastMs;
	const { done, left, afterMs } = progress;
	if (!(done > 0 && left >= 0)) return (leastMs + mostMs) / 2;
	const leftMs = (MARGIN * left * afterMs) / done;
	return Math.max(leastMs, leftMs / Math.max(1, Math.ceil(leftMs / mostMs)) || 0);
}

function rangeOf(numbers: number): { leastMs: number; mostMs: number } {
	if (numbers < SMALL_BATCH.numbers) return SMALL_BATCH;
	if (!(numbers < LARGE_BATCH.numbers)) return LARGE_BATCH;
	const share = (numbers - SMALL_BATCH.numbers) / (LARGE_BATCH.numbers - SMALL_BATCH.numbers);
	const between = (from: number, to: number) => from + (to - from) * share;
	return {
		leastMs: between(MEDIUM_BATCH.leastMs, LARGE_BATCH.leastMs),
		mostMs: between(MEDIUM_BATCH.mostMs, LARGE_BATCH.mostMs),
	};
}

/** How long to wait between two polls of an audit, in milliseconds, since the service names no rate for it. */
export const AUDIT_PACE_MS = 15_000;

interface Polling<Value> {
	isFinished: (value: Value) => boolean;
	/**
	 * Wait between two polls, in milliseconds; or a function of the last result and the total wait so far. A longer Retry-After
	 * wins.
	 */
	paceMs: number | ((last: Value | undefined, waitedMs: number) => number);
	startsWithSleep?: boolean;
	/** How many polls in a row may fail before the failure is returned. */
	maxMisses?: number;
	/** Whether the job may just have been submitted, so that some machines of the service may not know it. */
	isNew?: boolean;
	/** What to write to n8n's log about an unfinished job, each text once in a row. */
	warningOf?: (value: Value) => string | undefined;
	/** The status of an unfinished job, for the failure when Max Wait is over. */
	noteOf?: (value: Value) => string | undefined;
}

/**
 * Polls until the job is finished. An unanswered poll is free and is repeated; a refusal is returned.
 * @throws CallFailed at Stop, and when Max Wait is over
 */
export async function pollUntilFinished<Result>(
	client: Client,
	poll: Endpoint<Result>,
	polling: Polling<Exclude<Result, Refusal>>,
): Promise<Exclude<Result, Refusal> | Failed> {
	const { isFinished, paceMs, maxMisses = Infinity, isNew, noteOf, warningOf } = polling;
	let last: Exclude<Result, Refusal> | undefined;
	let waitedMs = 0;
	const nextMs = () => (typeof paceMs === 'number' ? paceMs : paceMs(last, waitedMs));
	let sleepMs = polling.startsWithSleep ? nextMs() : 0;
	let misses = 0;
	let note: string | undefined;
	let warned: string | undefined;
	for (;;) {
		if (sleepMs !== 0) {
			await client.sleep(sleepMs, note);
			waitedMs += sleepMs;
		}
		const result = await client.attempt<Result>({ ...poll, noRetry: true });
		if (!isFailed(result)) {
			if (isFinished(result)) return result;
			note = noteOf?.(result);
			const warning = warningOf?.(result);
			if (warning !== undefined && warning !== warned) client.warn(warning);
			warned = warning;
			last = result;
			sleepMs = nextMs();
			misses = 0;
			continue;
		}
		const { failure } = result;
		const isLate = isNew && waitedMs < KNOWN_AFTER_MS && mayBeTooNew(failure);
		if (isLate) note = failure.reason;
		else misses += 1;
		if (!isLate && (misses > maxMisses || !isTransient(failure, poll))) return result;
		sleepMs = Math.max(nextMs(), failure.retryAfterMs ?? 0);
	}
}

/**
 * How long a new job may be unknown to the service, in milliseconds of waiting: the machine that answers the poll may receive it
 * later than the one that accepted it.
 */
export const KNOWN_AFTER_MS = 120_000;

/** Words of a service that has no such job (SPEC §7). */
export const UNKNOWN_WORDS =
	/not found|no such|unknown|not (?:exist|known)|n[o']t exist|no longer exists|invalid (?:batch|audit|job)/i;

/** Whether the service says that it has no such job. The trigger, which drops such jobs, is stricter (jobKinds.ts). */
function mayBeTooNew({ cause, status, refusal }: Failure): boolean {
	return cause === 'refused' && (status === 404 || UNKNOWN_WORDS.test(refusal?.reason ?? ''));
}

/** Failures after which the same poll may succeed without a fix. */
export const PASSING: ReadonlySet<Failure['cause']> = new Set(['lost', 'throttled', 'unreachable']);

/** HTTP statuses of what can be asked for later (RFC 9110 §15.5.10, RFC 8470 §5.2). */
const NOT_NOW = new Set([409, 425]);
/** Words of a service whose work goes on. */
const GOES_ON =
	/\b(?:still (?:being )?\w{1,20}ing|in progress|in (?:the )?queue|(?:is|are|being) (?:pending|processed|processing|queued|running)|not (?:yet )?(?:complete|completed|done|finished|ready)|(?:check|come) back)\b/i;

/** Whether a poll failed for now, by its cause or, under any HTTP status, by the words of a service that is busy. */
function isTransient(failure: Failure, { request }: Pick<Endpoint<unknown>, 'request'>): boolean {
	const { cause, scope, status = 0, reason: told, refusal } = failure;
	if (PASSING.has(cause)) return true;
	if (cause !== 'refused' || scope !== 'question' || mayBeTooNew(failure)) return false;
	const words = refusal?.reason ?? told;
	return NOT_NOW.has(status) || saysLater(words) || isAboutPace(words, request);
}

/** Whether a busy service says that its work goes on, or that it has trouble. */
export function saysLater(words: string): boolean {
	return GOES_ON.test(words) || speaksOfTrouble(words) || /\bbusy\b/i.test(words);
}

/** Waits; false when Max Wait is over. */
export async function waitsOn(client: Client, ms: number): Promise<boolean> {
	const wait = client.sleep(ms);
	const isOver = await wait.then(
		() => false,
		(error: unknown) => error instanceof CallFailed && error.failure.cause === 'unfinished',
	);
	if (!isOver) await wait; // The call fails at Stop
	return !isOver;
}

/** Starts a job. An ID in a refusal is reported too, so that a job that may have been paid for can be fetched. */
export async function startJob<Result>(
	client: Client,
	endpoint: Endpoint<Result>,
	step: string,
	report: (id: string, isRefused?: true) => void,
): Promise<Exclude<Result, Refusal>> {
	const start = client.call(endpoint, step);
	// The call fails anyway
	await start.then(undefined, (error: unknown) => {
		const jobId = error instanceof CallFailed ? error.failure.refusal?.jobId : undefined;
		if (jobId !== undefined) report(jobId, true);
	});
	return await start;
}
