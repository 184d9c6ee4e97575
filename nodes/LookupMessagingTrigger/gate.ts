import type { IPollFunctions } from 'n8n-workflow';

/**
 * n8n starts a poll although the one before it is still under way, and both would find the same jobs. Within a process,
 * polls of one node go one after the other.
 */

/** By workflow and node: the end of the last poll in line. */
const lastInLine = new Map<string, Promise<unknown>>();
/** n8n keeps one context for all polls of an activation. */
const activated = new WeakSet<object>();

/**
 * Polls, unless a poll of the node is under way: then this one is left out. Only the first poll of an activation waits for
 * its turn, since it may have to take the first look.
 * @param poll is told whether it is the first of its activation
 * @returns undefined for a poll that was left out
 */
export async function oneAtATime<Result>(
	context: IPollFunctions,
	poll: (isFirst: boolean) => Promise<Result>,
): Promise<Result | undefined> {
	const isFirst = !activated.has(context);
	activated.add(context);
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const before = lastInLine.get(key);
	if (before && !isFirst) return undefined;

	const turn = (before ?? Promise.resolve()).then(async () => await poll(isFirst));
	const end = turn.catch(() => undefined);
	lastInLine.set(key, end);
	try {
		return await turn;
	} finally {
		if (lastInLine.get(key) === end) lastInLine.delete(key);
	}
}
