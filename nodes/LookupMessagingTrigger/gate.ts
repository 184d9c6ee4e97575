import type { IPollFunctions } from 'n8n-workflow';

/**
 * n8n starts a poll although the one before it is still under way, and both would find the same jobs. Within a process,
 * polls of one node go one after the other.
 */

interface Turn {
	end: Promise<unknown>;
	/** When it began to wait or to poll, in milliseconds. */
	since: number;
}

/** By workflow and node: the last poll in line. */
const lastInLine = new Map<string, Turn>();
/** n8n keeps one context for all polls of an activation. */
const activated = new WeakSet<object>();

/** Far more than any poll takes. One that hangs for longer must not keep all others from polling. */
export const STUCK_MS = 30 * 60_000;

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
	const key = placeOf(context);
	const since = Date.now();
	const last = lastInLine.get(key);
	const before = last && since - last.since < STUCK_MS ? last.end : undefined;
	if (before && !isFirst) return undefined;

	const turn = (before ?? Promise.resolve()).then(async () => await poll(isFirst));
	const mine = { end: turn.catch(() => undefined), since };
	lastInLine.set(key, mine);
	try {
		return await turn;
	} finally {
		if (lastInLine.get(key) === mine) lastInLine.delete(key);
	}
}

/** The node among all of this n8n. */
export function placeOf(context: IPollFunctions): string {
	return `${context.getWorkflow().id}:${context.getNode().id}`;
}
