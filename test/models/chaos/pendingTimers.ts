/* eslint-disable @n8n/community-nodes/no-restricted-globals */

/** Timers set in this test file by n8n, by libraries or by the node that have neither fired nor been cleared. */
const pending = new Set<unknown>();

const { setTimeout: set, clearTimeout: clear } = globalThis;

globalThis.setTimeout = Object.assign(
	(act: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
		const fire = () => {
			pending.delete(timer);
			act(...args);
		};
		const timer = set(fire, ms);
		pending.add(timer);
		return timer;
	},
	set,
);
globalThis.clearTimeout = (timer) => {
	pending.delete(timer);
	clear(timer);
};

/** The number of pending timers. */
export function pendingTimers(): number {
	return pending.size;
}
