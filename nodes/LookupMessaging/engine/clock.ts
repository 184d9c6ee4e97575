import { sleep } from 'n8n-workflow';

/** The time, and ways to let it pass. Tests have clocks of their own. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	sleep(ms: number): Promise<void>;
	/** Resolves after the shortest timer. By then, Node has written started requests and read the replies that arrived. */
	nextTick(): Promise<void>;
	/** A number from 0 up to 1. */
	random(): number;
}

export const CLOCK: Clock = {
	now: () => Date.now(),
	sleep: async (ms) => await sleep(ms),
	nextTick: async () => await sleep(0),
	random: () => Math.random(),
};
