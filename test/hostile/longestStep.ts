/* eslint-disable @n8n/community-nodes/no-restricted-globals */

/** Processor time of this process, in milliseconds. */
export function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

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
