import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 200;

/**
 * Waits for a condition, never for a time: the limit only ends what hangs.
 *
 * @param what completes "Waited 60 s for …"
 * @param look gives what was waited for, or undefined or false while it is not there; it may throw until it is
 */
export async function until<Found>(
	what: string,
	look: () => Promise<Found | undefined | false>,
	{ timeoutMs = 60_000, everyMs = LOOK_EVERY_MS } = {},
): Promise<Found> {
	const deadline = Date.now() + timeoutMs;
	let last: unknown;
	while (Date.now() < deadline) {
		try {
			const found = await look();
			if (found !== undefined && found !== false) return found;
			last = undefined;
		} catch (error) {
			last = error;
		}
		await sleep(everyMs);
	}
	const why = last instanceof Error ? `: ${last.message}` : '';
	throw new Error(`Waited ${timeoutMs / 1000} s for ${what}${why}`);
}
