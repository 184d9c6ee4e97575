import { isFailed, tryExchange, wait, type Exchange, type Failed, type Talk } from './talk';
import type { Refusal } from './operation';

/** Jobs of the service: when to look again, and until when. Pure; shared by every operation that waits. */

/** SPEC §4.2: 5–10 s for batches under 100 numbers, 30–60 s near 1000, never faster than every 2 s. */
const SMALL_BATCH = { numbers: 100, fromMs: 5_000, toMs: 10_000 };
const LARGE_BATCH = { numbers: 1_000, toMs: 45_000 };
const FASTEST_MS = 2_000;

/** How long to wait between two polls of a batch, in milliseconds. */
export function batchPaceMs(numbers: number): number {
	const { fromMs, toMs } = SMALL_BATCH;
	if (!(numbers >= 0)) return toMs;
	if (numbers < SMALL_BATCH.numbers)
		return fromMs + (toMs - fromMs) * (numbers / SMALL_BATCH.numbers);
	const share =
		(Math.min(numbers, LARGE_BATCH.numbers) - SMALL_BATCH.numbers) /
		(LARGE_BATCH.numbers - SMALL_BATCH.numbers);
	return toMs + (LARGE_BATCH.toMs - toMs) * share;
}

/** How long to wait between two polls of an audit, in milliseconds: the service names no pace for it. */
export const AUDIT_PACE_MS = 15_000;

/**
 * Polls until the job is finished. A lost poll is free and is repeated; a refusal is handed back.
 * @param paceMs what to wait before each poll; a Retry-After of the service wins, and SPEC's floor of 2 s holds
 * @param patience how many polls in a row may be lost before the failure is handed back
 * @param noteOf what an unfinished result says of itself, for the failure of a wait that runs out
 */
export function* pollUntilFinished<Result>(
	poll: Exchange<Result>,
	isFinished: (result: Exclude<Result, Refusal>) => boolean,
	paceMs: number,
	startWithWait: boolean,
	patience = Infinity,
	noteOf?: (result: Exclude<Result, Refusal>) => string | undefined,
): Talk<Exclude<Result, Refusal> | Failed> {
	let waitMs = startWithWait ? paceMs : 0;
	let misses = 0;
	let note: string | undefined;
	for (;;) {
		if (waitMs !== 0) yield* wait(Math.max(waitMs || 0, FASTEST_MS), note);
		const result = yield* tryExchange<Result>({ ...poll, isSentOnce: true });
		if (!isFailed(result)) {
			if (isFinished(result)) return result;
			note = noteOf?.(result);
			waitMs = paceMs;
			misses = 0;
			continue;
		}
		misses += 1;
		if (misses > patience || !PASSING.has(result.failure.cause)) return result;
		waitMs = Math.max(paceMs, result.failure.retryAfterMs ?? 0);
	}
}

/** Failures after which the same poll may well succeed. */
const PASSING = new Set(['lost', 'throttled', 'unreachable']);
