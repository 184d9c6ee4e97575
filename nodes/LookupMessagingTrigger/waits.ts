import type { EmittedItems } from './emittedItems';
import { meetsAll, type CheckResult } from './jobChecks';
import type { ListedJob } from './listing';
import type { TriggerSettings } from './settings';

/**
 * How long a job waits for what it lacks: its results, its end if the listing calls it finished, or a check that succeeds. A check
 * of an audit may cost something, so it is not made at each poll for ever.
 */

/** A new job and the result of its check. */
export interface CheckedJob {
	id: string;
	result: CheckResult;
	items?: EmittedItems;
	/** For how many polls it has waited before this one, and for how many it may. */
	waited: number;
	mayWait: number;
}

/** Maximum number of polls for which a finished job waits. Then it is emitted as it is. */
const MAX_WAIT = 5;

/** For how many polls a job may wait after a check. A failed check of an audit never ends it: no job is missed. */
export function waitAllowed(
	{ state, hasLeft = false }: ListedJob,
	result: CheckResult,
	{ kind, listing, includesFailed }: TriggerSettings,
): number {
	const toItsEnd = state === 'finished' || hasLeft ? MAX_WAIT : 0;
	if (result.kind === 'known') {
		const { state: found, missing = 0, isBare } = result.status;
		// A listing that doesn't say how far it is
		const toEndOfRun = hasLeft || (listing && state === undefined) ? Infinity : toItsEnd;
		if (found === 'running') return kind.isFree ? 0 : toEndOfRun;
		if (missing > 0) return MAX_WAIT;
		return isBare ? 1 : 0;
	}
	if (result.kind === 'unknown' && (includesFailed || hasLeft)) return toItsEnd;
	return kind.isFree || !listing ? 0 : Infinity;
}

/** Whether a job is checked after so many polls. A check that fails again and again is made less and less often. */
export function isDue(waited: number): boolean {
	return waited <= MAX_WAIT || Number.isInteger(Math.log2(waited));
}

/** For how many polls a job has waited after this one; 0 if it does not wait. */
export function waitAfter(waited: number, reached?: CheckedJob): number {
	if (!isDue(waited)) return waited + 1;
	if (!reached) return waited;
	return goesOnWaiting(reached) ? waited + 1 : 0;
}

export function goesOnWaiting({ waited, mayWait }: CheckedJob): boolean {
	return waited < mayWait;
}

/** Whether a job has waited for as long as it may. */
export function hasWaited({ waited, mayWait }: CheckedJob): boolean {
	return mayWait > 0 && waited >= mayWait;
}

/** Whether the check met the job itself, and not what all checks would meet. */
export function wasReached({ result }: CheckedJob): boolean {
	return result.kind !== 'problem' || !meetsAll(result.failure);
}

/** Whether the check has failed so often that the next poll does not repeat it. */
export function isRare(job: CheckedJob): boolean {
	return wasReached(job) && job.mayWait === Infinity && !isDue(job.waited + 1);
}
