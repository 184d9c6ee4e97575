import type { IPollFunctions } from 'n8n-workflow';

/**
 * n8n may start a poll while the previous one still runs, and both would find the same jobs. This mutex makes the polls of one
 * node exclusive within the process.
 */

interface PendingPoll {
	end: Promise<unknown>;
	/** When it began to wait or to run, in milliseconds. */
	since: number;
}

/** The latest poll that waits or runs, by workflow and node. */
const lastPoll = new Map<string, PendingPoll>();
/** n8n uses one context for all polls of an activation. */
const activated = new WeakSet<object>();

/** Far more than any poll takes. A poll that hangs for longer no longer blocks the others. */
export const STUCK_MS = 30 * 60_000;

/**
 * Runs a poll, unless another poll of the node runs: then this one is skipped. Only the first poll of an activation waits for the
 * other to end, since it may have to record which jobs are finished already.
 * @param poll receives whether it is the first of its activation
 * @returns undefined for a skipped poll
 */
export async function exclusively<Result>(
	context: IPollFunctions,
	poll: (isFirst: boolean) => Promise<Result>,
): Promise<Result | undefined> {
	const isFirst = !activated.has(context);
	activated.add(context);
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const since = Date.now();
	const last = lastPoll.get(key);
	const before = last && since - last.since < STUCK_MS ? last.end : undefined;
	if (before && !isFirst) return undefined;

	const result = (before ?? Promise.resolve()).then(async () => await poll(isFirst));
	const own = { end: result.catch(() => undefined), since };
	lastPoll.set(key, own);
	try {
		return await result;
	} finally {
		if (lastPoll.get(key) === own) lastPoll.delete(key);
	}
}
