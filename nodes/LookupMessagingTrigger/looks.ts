import type { Failure } from '../LookupMessaging/engine/failure';
import { exchange, isFailed, type Failed } from '../LookupMessaging/engine/talk';
import { leadAlone } from '../LookupMessaging/engine/leadAlone';
import type { GovernedNetwork } from '../LookupMessaging/engine/governed';
import {
	isAboutPath,
	isUnknownJob,
	type JobKind,
	type JobLook,
	type LookOptions,
} from './jobKinds';

/** Looking at jobs, some at a time, for as long as a poll may take. */

/** What a look at a job came to. */
export type Fate =
	| { kind: 'problem'; failure: Failure }
	| { kind: 'seen'; look: JobLook }
	| { kind: 'unknown'; failure: Failure };

/** When a poll ends. */
export interface Budget {
	/** Whether no further look should begin. */
	isSpent: () => boolean;
	/** Longest wait for the turn of a call, in milliseconds. */
	patienceMs: () => number;
	/** Longest wait for its reply, in milliseconds. */
	timeoutMs: () => number;
}

/** Looks that are under way at once. */
export const MOST_AT_ONCE = 4;
const TIMEOUT_MS = 60_000;
/** Less than this is no time for a turn or a reply. */
const SHORTEST_MS = 1_000;
/** What n8n 2.x gives a poll; 1.x sets no limit. */
const USUAL_BUDGET_MS = 5 * 60_000;

/**
 * The budget of a poll: looks begin in its first half, so that the last of them has the other half to end. Of what is left a
 * call takes at most half for its turn and half for its reply.
 * @param budgetMs what n8n gives the poll, from its start; undefined where it does not say
 */
export function openBudget(budgetMs = USUAL_BUDGET_MS, now: () => number = Date.now): Budget {
	const start = now();
	const halfOfRest = () => Math.max(SHORTEST_MS, Math.floor((start + budgetMs - now()) / 2));
	return {
		isSpent: () => now() - start >= budgetMs / 2,
		patienceMs: halfOfRest,
		timeoutMs: () => Math.min(TIMEOUT_MS, halfOfRest()),
	};
}

/** Looks at one job, once. What goes wrong is left to the next poll. */
export async function lookAtJob(
	kind: JobKind,
	id: string,
	options: LookOptions,
	network: GovernedNetwork,
	timeoutMs: number,
): Promise<Fate> {
	const look = await leadAlone(exchange(kind.lookAt(id, options)), network, timeoutMs);
	if (!isFailed(look)) return { kind: 'seen', look };
	const { failure } = naming(kind.noun, id, look);
	if (isUnknownJob(failure)) return { kind: 'unknown', failure };
	return {
		kind: 'problem',
		failure: isAboutPath(failure) ? ofAll(failure) : unpriced(kind, failure),
	};
}

/**
 * Looks at jobs in their order, some at a time. The first look is always made. No further one begins when the budget is
 * spent, when there is enough, or after a failure that every other would meet too.
 * @param tellOf looks at one job
 * @returns what was told of the jobs that were looked at, in order: always the first ones
 */
export async function lookAtAll<Job, Told extends { fate: Fate }>(
	jobs: Job[],
	tellOf: (job: Job) => Promise<Told>,
	{ isSpent, isEnough }: Pick<Budget, 'isSpent'> & { isEnough: (told: Told) => boolean },
): Promise<Told[]> {
	const all: Told[] = [];
	let next = 0;
	let isOver = false;
	const lane = async () => {
		while (next < jobs.length && !isOver && (next === 0 || !isSpent())) {
			const index = next;
			next += 1;
			const told = await tellOf(jobs[index]);
			all[index] = told;
			const { fate } = told;
			isOver = isEnough(told) || isOver || (fate.kind === 'problem' && endsIt(fate.failure));
		}
	};
	await Promise.all(Array.from({ length: MOST_AT_ONCE }, lane));
	return all;
}

/** Whether the other jobs would meet the same failure. */
function endsIt({ cause, scope }: Failure): boolean {
	return scope === 'account' || cause === 'throttled' || cause === 'unreachable';
}

/** The failure with its job named. */
function naming(noun: string, id: string, { failure }: Failed): Failed {
	return { failure: { ...failure, reason: `${failure.reason} (${noun} ${id})` } };
}

function ofAll(failure: Failure): Failure {
	return { ...failure, scope: 'account' };
}

function unpriced({ isFree }: JobKind, failure: Failure): Failure {
	return !isFree && failure.cause === 'lost' ? { ...failure, mayHaveCost: true } : failure;
}
