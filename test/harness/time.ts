/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { ClientRequest, type IncomingMessage } from 'node:http';

/**
 * Time for tests that wait: n8n-workflow's `sleep` returns at once, and the clock moves on by what was asked for. A test
 * file has to say `jest.mock('n8n-workflow', () => jest.requireActual('./time').withoutWaiting())`.
 */

/** What was slept, in milliseconds, since `resetTime`. */
export const slept: number[] = [];

let ahead = 0;
let onSleep: ((ms: number, count: number) => void) | undefined;
const realNow = Date.now.bind(Date);

/** Longer than anything that is learnt of the pace of a service is kept in mind. */
const ANOTHER_DAY_MS = 86_400_000;

/** Forgets what was slept, lets a day pass, and sets what is to happen at each sleep. */
export function resetTime(atEachSleep?: (ms: number, count: number) => void) {
	slept.length = 0;
	ahead += ANOTHER_DAY_MS;
	onSleep = atEachSleep;
	Date.now = () => realNow() + ahead;
}

/** Lets time pass. */
export function pass(ms: number) {
	ahead += ms;
}

/** n8n-workflow with a `sleep` that takes no time; like n8n 2.x's it rejects when the signal is aborted. */
export function withoutWaiting() {
	const actual = jest.requireActual<Record<string, unknown>>('n8n-workflow');
	return {
		...actual,
		sleep: async (ms: number, signal?: AbortSignal) => {
			// Nothing is slept where others are to have their turn only
			if (ms > 0) {
				slept.push(ms);
				ahead += ms;
				onSleep?.(ms, slept.length);
			}
			await new Promise<void>((resolve) => setImmediate(resolve));
			if (signal?.aborted) throw new Error('aborted');
		},
	};
}

/** HTTP's way to say that an answer takes its time (RFC 2518 §10.1); the sandbox says it of a hang that is announced. */
const PROCESSING = 102;

/** The time-out of a request to which the sandbox announces that it hangs comes at once, and the clock moves on by it. */
export function withoutTimeouts() {
	const { setTimeout: original } = ClientRequest.prototype;
	ClientRequest.prototype.setTimeout = function (this: ClientRequest, ms, onTimeout) {
		this.once('information', ({ statusCode }: IncomingMessage) => {
			if (statusCode !== PROCESSING) return;
			ahead += ms;
			onTimeout?.();
		});
		return original.call(this, ms, onTimeout);
	};
	return () => (ClientRequest.prototype.setTimeout = original);
}
