import type { Failure, Job } from '../results';
import { inShort } from '../plan/values';

/** What a message says about the cost: one sentence for each case, the same in every message. */

export const NOT_CHARGED = "You weren't charged.";
const MAY_BE_CHARGED = 'You may have been charged.';
const CHARGED_BEFORE = 'Earlier calls for this item were charged. See the receipt.';
const NOT_THIS_TIME = "You weren't charged this time, but the earlier call may have been charged.";

/** What a failed call cost, and the jobs that were paid for before it or by other items. */
export function describeCost(failure: Failure, others: Job[] = []): string {
	const own = describeOwnCost(failure);
	if (others.length === 0) return own;
	return `${own === NOT_CHARGED ? "You weren't charged for this call." : own} ${describeJobs(others)}`;
}

function describeOwnCost({ cause, jobs, mayHaveCost, paidBefore }: Failure): string {
	const isLost = cause === 'lost' && mayHaveCost;
	if (jobs?.length) return `${isLost ? MAY_BE_CHARGED : ''} ${describeJobs(jobs)}`.trimStart();
	if (cause === 'repeated') return NOT_THIS_TIME;
	if (mayHaveCost) return MAY_BE_CHARGED;
	return paidBefore ? CHARGED_BEFORE : NOT_CHARGED;
}

/** The jobs that were paid for, or may have been, and how to get their results. */
export function describeJobs(jobs: Job[]): string {
	const [job] = jobs;
	const ids = jobs.map(({ id }) => inShort(id, 200)).join(', ');
	const named = jobs.length === 1 ? `the ${job.noun} ${ids}` : `${jobs.length} jobs (${ids})`;
	const were = jobs.some(({ isRefused }) => isRefused) ? 'may have been' : 'were';
	return `You ${were} charged for ${named}. ${describeResume(job, jobs.length)}.`;
}

/** How to get the results of jobs, as a sentence without its full stop. It says what that costs only where SPEC does. */
export function describeResume({ resume, resumeCost }: Job, jobs = 1): string {
	const ids = jobs === 1 ? 'this ID returns the result' : 'these IDs returns the results';
	return `${resume} with ${ids}${resumeCost ? '' : ' at no cost'}`;
}
