import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs } from '../usage.mts';

/** A process is idle when it took so much less CPU in so long a time than it takes at rest. */
const IDLE = { cpuMs: 20, duringMs: 500 };

/** CPU time that a process takes in one stretch. */
type TakeStretch = () => Promise<number>;

export const stretchesOf =
	(pid: number): TakeStretch =>
	async () => {
		const before = cpuMs(pid);
		await sleep(IDLE.duringMs);
		return cpuMs(pid) - before;
	};

/** Long enough for a server that has just started to come to rest in between. */
const STRETCHES = 10;

/** What a process takes in a stretch when it has nothing to do. That is nothing, unless a profiler keeps it busy. */
export async function atRest(takeStretch: TakeStretch): Promise<number> {
	let least = Infinity;
	for (let nth = 0; nth < STRETCHES; nth += 1) least = Math.min(least, await takeStretch());
	return least;
}

/**
 * @param restMs what it takes in a stretch with nothing to do
 * @returns when it began to be idle
 */
export async function untilIdle(takeStretch: TakeStretch, restMs: number): Promise<number> {
	for (;;) {
		const sinceMs = performance.now();
		if ((await takeStretch()) < restMs + IDLE.cpuMs) return sinceMs;
	}
}
