import { isAboutPath } from '../LookupMessaging/engine/refusals/refusal';
import type { Caller } from '../LookupMessaging/engine/client';
import type { Failure } from '../LookupMessaging/engine/results';
import { isFailed, isLost } from '../LookupMessaging/engine/operation';
import { isUnknownJob, type JobKind, type JobStatus, type CheckOptions } from './jobKinds';

/** Checking jobs, several at a time, for as long as a poll may take. */

export type CheckResult =
	| { kind: 'known'; status: JobStatus }
	| { kind: 'problem'; failure: Failure }
	| { kind: 'unknown'; failure: Failure };

export interface Budget {
	/** Whether no further check may begin. */
	isSpent: () => boolean;
	/** Whether no further page of a listing may be read. */
	isReadingOver: () => boolean;
	/** Longest wait of a call for its permit, in milliseconds. */
	maxQueueWaitMs: () => number;
	/** Longest wait for its reply, in milliseconds. */
	timeoutMs: () => number;
}

/** Most checks in flight at once. */
export const MAX_CONCURRENT_CHECKS = 4;
const TIMEOUT_MS = 60_000;
/** Shortest wait for a permit or a reply. */
const SHORTEST_MS = 1_000;
/** The time that n8n 2.x allows for a poll; 1.x sets no limit. */
const USUAL_BUDGET_MS = 5 * 60_000;

/**
 * Opens the time budget of a poll. Pages of a listing are read in its first quarter and checks begin in its first half, so the
 * last one has the other half to finish. A call may spend half of the remaining time on its permit and half on its reply.
 * @param budgetMs how long n8n lets the poll run, from its start; undefined if n8n does not say
 */
export function openBudget(budgetMs = USUAL_BUDGET_MS, now: () => number = Date.now): Budget {
	const start = now();
	const halfOfRest = () => Math.max(SHORTEST_MS, Math.floor((start + budgetMs - now()) / 2));
	return {
		isSpent: () => now() - start >= budgetMs / 2,
		isReadingOver: () => now() - start >= budgetMs / 4,
		maxQueueWaitMs: halfOfRest,
		timeoutMs: () => Math.min(TIMEOUT_MS, halfOfRest()),
	};
}

export async function checkJob(
	kind: JobKind,
	id: string,
	options: CheckOptions,
	client: Caller,
): Promise<CheckResult> {
	const status = await client.attempt(kind.statusEndpoint(id, options));
	if (!isFailed(status)) return { kind: 'known', status };
	const failure = { ...status.failure, reason: `${status.failure.reason} (${kind.noun} ${id})` };
	if (isUnknownJob(failure)) return { kind: 'unknown', failure };
	if (isAboutPath(failure)) return { kind: 'problem', failure: { ...failure, scope: 'account' } };
	const mayHaveCost = !kind.isFree && isLost(failure);
	return { kind: 'problem', failure: mayHaveCost ? { ...failure, mayHaveCost } : failure };
}

/**
 * Checks jobs in their order, several at a time. It always makes the first check. It begins no further one if the budget is
 * spent, if there are enough items, or after a failure that every other check would have too.
 * @param checkOne checks one job
 * @returns the checked jobs, in order: always the first ones
 */
export async function checkAll<Job, Checked extends { result: CheckResult }>(
	jobs: Job[],
	checkOne: (job: Job) => Promise<Checked>,
	{ isSpent, isEnough }: Pick<Budget, 'isSpent'> & { isEnough: (checked: Checked) => boolean },
): Promise<Checked[]> {
	const all: Checked[] = [];
	let next = 0;
	let isDone = false;
	const worker = async () => {
		while (next < jobs.length && !isDone && (next === 0 || !isSpent())) {
			const index = next;
			next += 1;
			const checked = await checkOne(jobs[index]);
			all[index] = checked;
			const { result } = checked;
			isDone =
				isEnough(checked) || isDone || (result.kind === 'problem' && meetsAll(result.failure));
		}
	};
	await Promise.all(Array.from({ length: MAX_CONCURRENT_CHECKS }, worker));
	return all;
}

/** Whether the other jobs would meet the same failure. */
export function meetsAll({ cause, scope }: Failure): boolean {
	return scope === 'account' || cause === 'throttled' || cause === 'unreachable';
}
