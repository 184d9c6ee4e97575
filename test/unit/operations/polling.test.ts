import { CallFailed, type Endpoint, type Failed, type Failure, isFailed } from '../../engine';
import {
	AUDIT_PACE_MS,
	batchPaceMs,
	pollUntilFinished,
} from '../../../nodes/LookupMessaging/operations/shared/polling';
import { scriptedClient, ScriptEnded, type FakeClientOptions } from '../fakes/fakeClient';

/** SPEC §4.2: never faster than every 2 s. */
const FLOOR_MS = 2_000;

describe('the poll rate of a batch', () => {
	/** How a batch of so many numbers goes on that takes the service so long: the waits; the last one finds it finished. */
	const follow = (numbers: number, takesMs: number, before = 0) => {
		const doneAt = (ms: number) => before + Math.floor(((numbers - before) * ms) / takesMs);
		const waits = [batchPaceMs(numbers)];
		for (let afterMs = waits[0]; afterMs < takesMs; afterMs += waits[waits.length - 1]) {
			const done = doneAt(afterMs) - before;
			waits.push(batchPaceMs(numbers, { done, left: numbers - before - done, afterMs }));
		}
		return waits;
	};
	const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

	test.each([
		[1, 5_000, 10_000],
		[50, 5_000, 10_000],
		[99, 5_000, 10_000],
		[100, 10_000, 30_000],
		[500, 10_000, 60_000],
		[900, 30_000, 60_000],
		[990, 30_000, 60_000],
		[1000, 30_000, 60_000],
		[5000, 30_000, 60_000],
	])(
		'of %d numbers is one poll every %d to %d ms, however fast it works',
		(numbers, least, most) => {
			const waits = [1, 20_000, 61_000, 200_000, 1e6, 1e7].flatMap((takesMs) => {
				const all = follow(numbers, takesMs);
				return [Math.min(...all), Math.max(...all)];
			});
			expect(Math.min(...waits)).toBeGreaterThanOrEqual(least);
			expect(Math.max(...waits)).toBeLessThanOrEqual(most);
		},
	);

	test('is never faster than the service allows, and never faster for more numbers', () => {
		const paces = Array.from({ length: 1001 }, (_, numbers) => batchPaceMs(numbers));
		expect(Math.min(...paces)).toBeGreaterThanOrEqual(FLOOR_MS);
		expect(paces).toEqual([...paces].sort((a, b) => a - b));
	});

	test('lets the last poll find a batch at most a tenth late, if it takes two sleeps or longer', () => {
		for (const numbers of [50, 300, 1_000]) {
			const shortest = batchPaceMs(numbers);
			for (let takesMs = 2 * shortest; takesMs < 30 * shortest; takesMs += shortest / 7) {
				for (const before of [0, 10]) {
					expect(sum(follow(numbers, takesMs, before))).toBeLessThan(1.1 * takesMs);
				}
			}
		}
	});

	test('makes as few polls as possible: four for 1,000 numbers in 200 seconds', () => {
		expect(follow(1_000, 200_000)).toHaveLength(4);
	});

	test('is the middle of its range if the service does not report progress', () => {
		for (const progress of [
			{ done: 0, left: 1_000, afterMs: 30_000 },
			{ done: NaN, left: NaN, afterMs: 30_000 },
			{ done: -5, left: 1_000, afterMs: 30_000 },
			{ done: 1_200, left: -200, afterMs: 30_000 },
		]) {
			expect(batchPaceMs(1_000, progress)).toBe(45_000);
		}
	});

	test('is a number for any numbers of the service', () => {
		expect(batchPaceMs(1_000, { done: 1, left: Infinity, afterMs: 30_000 })).toBe(30_000);
	});

	test('of an audit is not faster than that of any poll', () => {
		expect(AUDIT_PACE_MS).toBeGreaterThanOrEqual(FLOOR_MS);
	});
});

interface State {
	done: boolean;
	left: number;
}

const POLL: Endpoint<State> = {
	request: { service: 'lookup', method: 'GET', path: '/wavalidation/batch/b-1' },
	read: (body) => ({ done: body.status === 'done', left: Number(body.left) }),
};
const PACE = 7_000;

const pending: State = { done: false, left: 3 };
const done: State = { done: true, left: 0 };
const failed = (cause: Failure['cause'], more: Partial<Failure> = {}): Failed => ({
	failure: { cause, reason: 'of a test', scope: 'question', ...more } as Failure,
});

type Polling = Parameters<typeof pollUntilFinished<State>>[2];

/** Polls a job: every poll brings the next of `replies`, until they are used up. */
async function poll(
	replies: Array<Failed | State>,
	polling: Partial<Polling> = {},
	options?: FakeClientOptions,
) {
	const script = replies.map((reply) => (isFailed(reply) ? reply : { value: reply }));
	const client = scriptedClient(script, options);
	const result = await pollUntilFinished(client, POLL, {
		isFinished: (state) => state.done,
		paceMs: PACE,
		startsWithSleep: true,
		noteOf: ({ left }) => (left > 0 ? `${left} are left` : undefined),
		...polling,
	}).catch((error: Error) => {
		if (error instanceof ScriptEnded) return 'goes on';
		throw error;
	});
	for (const { endpoint, step } of client.calls) {
		expect([endpoint, step]).toEqual([{ ...POLL, noRetry: true }, undefined]);
	}
	return {
		steps: client.events.map((event) =>
			typeof event === 'object' && 'sleepMs' in event ? event.sleepMs : event,
		),
		notes: client.sleeps.map(({ note }) => note),
		result,
		unread: client.unread.length,
	};
}

describe('polling a job', () => {
	test('sleeps before the first poll of a job that has just started', async () => {
		expect(await poll([done])).toMatchObject({ steps: [PACE, 'call'], result: done, unread: 0 });
	});

	test('polls at once if the job may be finished already', async () => {
		expect(await poll([done], { startsWithSleep: false })).toMatchObject({
			steps: ['call'],
			result: done,
			unread: 0,
		});
	});

	test('may take its rate from the last state and the time that it has slept in all', async () => {
		const seen: Array<[State | undefined, number]> = [];
		const paceMs = (last: State | undefined, waitedMs: number) => {
			seen.push([last, waitedMs]);
			return 3_000 + 1_000 * seen.length;
		};
		const { steps } = await poll([pending, failed('lost'), done], { paceMs });
		expect(steps).toEqual([4_000, 'call', 5_000, 'call', 6_000, 'call']);
		expect(seen).toEqual([
			[undefined, 0],
			[pending, 4_000],
			[pending, 9_000],
		]);
	});

	test('keeps its rate until the job is finished, and returns the last state alone', async () => {
		const one = { done: false, left: 1 };
		const { steps, result, unread } = await poll([pending, one, done, pending]);
		expect(steps).toEqual([PACE, 'call', PACE, 'call', PACE, 'call']);
		expect(result).toBe(done);
		expect(unread).toBe(1);
	});

	test('never stops by itself', async () => {
		const { steps, result } = await poll(new Array<State>(500).fill(pending));
		expect(result).toBe('goes on');
		// The last sleep and the last call are those that find no reply any more
		expect(steps.filter((step) => step === 'call')).toHaveLength(501);
		expect(steps.filter((step) => step === PACE)).toHaveLength(501);
	});

	test('ends with the failure of a sleep, at Stop or after Max Wait', async () => {
		const { failure } = failed('unfinished');
		const onSleep = (_ms: number, count: number) => {
			if (count === 2) throw new CallFailed(failure);
		};
		const polled = poll([pending, done], {}, { onSleep });
		await expect(polled).rejects.toMatchObject({ failure });
	});

	test.each(['lost', 'throttled', 'unreachable'] as const)(
		'repeats a poll that was %s, at its rate',
		async (cause) => {
			for (const startsWithSleep of [true, false]) {
				const { steps, result } = await poll([failed(cause), failed(cause), pending, done], {
					startsWithSleep,
				});
				const repeated = ['call', PACE, 'call', PACE, 'call', PACE, 'call'];
				expect(steps).toEqual(startsWithSleep ? [PACE, ...repeated] : repeated);
				expect(result).toBe(done);
			}
		},
	);

	test('sleeps once for as long as the service asks, and then at its rate', async () => {
		const { steps } = await poll([failed('throttled', { retryAfterMs: 90_000 }), pending, done]);
		expect(steps).toEqual([PACE, 'call', 90_000, 'call', PACE, 'call']);
	});

	test.each([0, 1_000, PACE])(
		'does not poll earlier if the service would allow it after %d ms',
		async (retryAfterMs) => {
			const { steps } = await poll([failed('throttled', { retryAfterMs }), done]);
			expect(steps).toEqual([PACE, 'call', PACE, 'call']);
		},
	);

	test('follows each new Retry-After of the service', async () => {
		const { steps } = await poll([
			failed('throttled', { retryAfterMs: 60_000 }),
			failed('throttled', { retryAfterMs: 120_000 }),
			failed('throttled'),
			done,
		]);
		expect(steps).toEqual([PACE, 'call', 60_000, 'call', 120_000, 'call', PACE, 'call']);
	});

	test.each([
		'refused',
		'misconfigured',
		'notSent',
		'unfinished',
		'parameter',
		'malformed',
	] as const)('ends when the poll is %s, and returns that failure', async (cause) => {
		const failure = failed(cause, { scope: 'account', status: 404 });
		const { steps, result, unread } = await poll([pending, failure, done]);
		expect(steps).toEqual([PACE, 'call', PACE, 'call']);
		expect(result).toEqual(failure);
		expect(unread).toBe(1);
	});

	test.each([
		{ status: 409 },
		{ status: 425 },
		{ reason: 'Batch is still processing' },
		{ reason: 'Batch in progress' },
		{ reason: "The audit isn't there. Results are not ready" },
	])('goes on where the service refuses it for now: %j', async (more) => {
		const { result } = await poll([failed('refused', more), done]);
		expect(result).toBe(done);
	});

	test('returns the failure when more than maxMisses polls in a row fail', async () => {
		const last = failed('throttled', { status: 429 });
		const replies = [failed('lost'), failed('unreachable'), last, done];
		expect(await poll(replies, { maxMisses: 2 })).toMatchObject({ result: last, unread: 1 });
		expect(await poll(replies, { maxMisses: 3 })).toMatchObject({ result: done, unread: 0 });
		expect(await poll([last, done], { maxMisses: 0 })).toMatchObject({ result: last, unread: 1 });
	});

	test('counts its misses again after a poll that was answered', async () => {
		const lost = failed('lost');
		const { result } = await poll([lost, lost, pending, lost, lost, done], { maxMisses: 2 });
		expect(result).toBe(done);
	});

	test('passes the note of the last state to each sleep', async () => {
		const one: State = { done: false, left: 1 };
		const none: State = { done: false, left: 0 };
		const { notes } = await poll([pending, failed('lost'), one, none, done]);
		expect(notes).toEqual([undefined, '3 are left', '3 are left', '1 are left', undefined]);
	});
});
