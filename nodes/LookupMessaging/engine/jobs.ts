import { isFailed, tryExchange, wait, type Exchange, type Failed, type Talk } from './talk';
import type { Refusal } from './operation';

/** Jobs of the service: when to look again, and until when. Pure; shared by every operation that waits. */

/**
 * How long to wait between two polls (SPEC §4.2): 5–10 s for batches under 100 numbers, 30–60 s near 1000, in between from one
 * to the other; never faster than every 2 s.
 */
const SMALL_BATCH = { numbers: 100, leastMs: 5_000, mostMs: 10_000 };
const LARGE_BATCH = { numbers: 900, leastMs: 30_000, mostMs: 60_000 };
const MEDIUM_BATCH = { leastMs: 10_000, mostMs: 20_000 };
const FASTEST_MS = 2_000;
/** Added to the time that is left as far as is known, since a poll that comes too early costs a whole wait. */
const MARGIN = 1.05;

/** How far a job has come since it was first looked at, and in what time. */
export interface Progress {
	/** Numbers finished since then, and still to do. */
	done: number;
	left: number;
	afterMs: number;
}

/**
 * How long to wait before the next poll of a batch, in milliseconds: so that one of the polls to come, as few as there may be,
 * finds it just finished; the shortest wait there may be before the first, which tells how fast it goes.
 * @param progress undefined before the first poll
 */
export function batchPaceMs(numbers: number, progress?: Progress): number {
	const { leastMs, mostMs } = rangeOf(numbers);
	if (!progress) return leastMs;
	const { done, left, afterMs } = progress;
	if (!(done > 0 && left >= 0)) return (leastMs + mostMs) / 2;
	const leftMs = (MARGIN * left * afterMs) / done;
	return Math.max(leastMs, leftMs / Math.max(1, Math.ceil(leftMs / mostMs)));
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

/** How long to wait between two polls of an audit, in milliseconds: the service names no pace for it. */
export const AUDIT_PACE_MS = 15_000;

/**
 * Polls until the job is finished. A lost poll is free and is repeated; a refusal is handed back.
 * @param paceMs what to wait before each poll, or before the next by what the last one found and how long was waited in all;
 * a Retry-After of the service wins, and SPEC's floor of 2 s holds
 * @param patience how many polls in a row may be lost before the failure is handed back
 * @param noteOf what an unfinished result says of itself, for the failure of a wait that runs out
 */
export function* pollUntilFinished<Result>(
	poll: Exchange<Result>,
	isFinished: (result: Exclude<Result, Refusal>) => boolean,
	paceMs: number | ((last: Exclude<Result, Refusal> | undefined, waitedMs: number) => number),
	startWithWait: boolean,
	patience = Infinity,
	noteOf?: (result: Exclude<Result, Refusal>) => string | undefined,
): Talk<Exclude<Result, Refusal> | Failed> {
	let last: Exclude<Result, Refusal> | undefined;
	let waitedMs = 0;
	const nextMs = () => (typeof paceMs === 'number' ? paceMs : paceMs(last, waitedMs));
	let waitMs = startWithWait ? nextMs() : 0;
	let misses = 0;
	let note: string | undefined;
	for (;;) {
		if (waitMs !== 0) {
			waitMs = Math.max(waitMs || 0, FASTEST_MS);
			yield* wait(waitMs, note);
			waitedMs += waitMs;
		}
		const result = yield* tryExchange<Result>({ ...poll, isSentOnce: true });
		if (!isFailed(result)) {
			if (isFinished(result)) return result;
			note = noteOf?.(result);
			last = result;
			waitMs = nextMs();
			misses = 0;
			continue;
		}
		misses += 1;
		if (misses > patience || !PASSING.has(result.failure.cause)) return result;
		waitMs = Math.max(nextMs(), result.failure.retryAfterMs ?? 0);
	}
}

/** Failures after which the same poll may well succeed. */
const PASSING = new Set(['lost', 'throttled', 'unreachable']);
