/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

/** Processor time of this process, in milliseconds. */
export function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/**
 * Tries a work until it takes no more than it may, up to 20 times, and returns the least that it took. In the others another process
 * may have been charged to this one, code was compiled, or garbage of earlier work was collected: before each next try none is left.
 * @param limit what it may take, by the least so far: read again after each try, since a machine may have become slower
 */
export async function leastOf(
	work: () => number | Promise<number>,
	limit: (least: number) => number,
) {
	let least = await work();
	for (let left = MAX_TRIES - 1; left > 0 && least > limit(least); left -= 1) {
		collectGarbage();
		least = Math.min(least, await work());
	}
	return least;
}
const MAX_TRIES = 20;

/** The longest time that the event loop was held up while the work went on, in milliseconds of processor time. */
export async function longestStepMs(work: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let last = cpuMs();
	let isOver = false;
	const tick = () => {
		const now = cpuMs();
		longest = Math.max(longest, now - last);
		last = now;
		if (!isOver) setImmediate(tick);
	};
	setImmediate(tick);
	await work();
	isOver = true;
	tick();
	return longest;
}
