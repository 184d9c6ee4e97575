/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Time for tests of the pace: it stands still, except during n8n-workflow's `sleep`, and goes on to the end of the next one
 * only when no HTTP request of this process is under way. So node and sandbox agree on it, however slow the machine is,
 * and a service without latency answers in no time. A test file has to say
 * `jest.mock('n8n-workflow', () => jest.requireActual('./quietTime').sleepingQuietly())`.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** What was slept, in milliseconds, since `stopTime`. */
export const slept: number[] = [];

let now = Date.now();
let onSleep: ((count: number) => void) | undefined;
let sleepers: Array<{ until: number; wake: () => void }> = [];
let isWatching = false;
let requests = 0;

subscribe('http.client.request.start', (message) => {
	requests += 1;
	(message as { request: ClientRequest }).request.once('close', () => (requests -= 1));
});

const ANOTHER_DAY_MS = 86_400_000;
/** A request is handed on in a few steps, and so is its reply. */
const QUIET_STEPS = 5;

/** Forgets what was slept, lets a day pass, more than anything is kept in mind, and stops the clock. */
export function stopTime(atEachSleep?: (count: number) => void) {
	slept.length = 0;
	onSleep = atEachSleep;
	now += ANOTHER_DAY_MS;
	Date.now = () => now;
}

/** Lets so many steps of this process pass, but no time. */
export async function steps(count: number) {
	for (let n = 0; n < count; n += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** n8n-workflow with a `sleep` by this clock; like n8n 2.x's it rejects when the signal is aborted. */
export function sleepingQuietly() {
	return {
		...jest.requireActual<Record<string, unknown>>('n8n-workflow'),
		sleep: async (ms: number, signal?: AbortSignal) => {
			// Not to wait, but to let others have their turn
			if (ms === 0) return await steps(1);
			slept.push(ms);
			onSleep?.(slept.length);
			// As timers do: whole milliseconds, and one at least
			const until = now + Math.max(1, Math.ceil(ms));
			await new Promise<void>((wake) => {
				sleepers.push({ until, wake });
				void watch();
			});
			if (signal?.aborted) throw new Error('aborted');
		},
	};
}

/** Wakes one sleeper after the other, whenever all is quiet. */
async function watch() {
	if (isWatching) return;
	isWatching = true;
	while (sleepers.length > 0) {
		for (let quiet = 0; quiet < QUIET_STEPS; quiet += 1) {
			await steps(1);
			if (requests > 0) quiet = 0;
		}
		now = Math.max(now, Math.min(...sleepers.map(({ until }) => until)));
		const woken = sleepers.filter(({ until }) => until <= now);
		sleepers = sleepers.filter(({ until }) => until > now);
		for (const { wake } of woken) wake();
	}
	isWatching = false;
}
