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
		[[1, 50, 99], 5_000, 10_000],
		[[100], 10_000, 20_000],
		[[500], 20_000, 40_000],
		[[900, 990, 1_000, 5_000], 30_000, 60_000],
	])('of %j numbers is one poll every %d to %d ms, however fast it works', (all, least, most) => {
		const waits = [1, 20_000, 61_000, 200_000, 1e6, 1e7].flatMap((takesMs) =>
			all.flatMap((numbers) => follow(numbers, takesMs)),
		);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(least);
		expect(Math.max(...waits)).toBeLessThanOrEqual(most);
	});

	test('is never faster than the service allows, and never faster for more numbers', () => {
		const paces = Array.from({ length: 1001 }, (_, numbers) => batchPaceMs(numbers));
		expect(Math.min(...paces, AUDIT_PACE_MS)).toBeGreaterThanOrEqual(FLOOR_MS);
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

	test.each([
		[0, 1_000, 45_000],
		[NaN, NaN, 45_000],
		[1_200, -200, 45_000],
		[1, Infinity, 30_000],
	])('is within its range if the service reports %p done and %p left', (done, left, paceMs) => {
		expect(batchPaceMs(1_000, { done, left, afterMs: 30_000 })).toBe(paceMs);
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
	const one: State = { done: false, left: 1 };
	const lost = failed('lost');
	const throttled = (retryAfterMs?: number) => failed('throttled', { status: 429, retryAfterMs });

	test.each<Failed>([
		...[lost, throttled(), failed('unreachable')],
		...[
			...[{ status: 409 }, { status: 425 }, { reason: 'Batch is still processing' }],
			...[{ reason: 'Batch in progress' }, { reason: "It isn't there. Results are not ready" }],
		].map((more) => failed('refused', more)),
	])('goes on at its rate after a poll that fails for now: %j', async (failure) => {
		for (const startsWithSleep of [true, false]) {
			const { steps, result } = await poll([failure, failure, pending, done], { startsWithSleep });
			const repeated = ['call', PACE, 'call', PACE, 'call', PACE, 'call'];
			expect(steps).toEqual(startsWithSleep ? [PACE, ...repeated] : repeated);
			expect(result).toBe(done);
		}
	});

	test.each<[what: string, replies: Array<Failed | State>, sleeps: number[]]>([
		['sleeps before the first poll', [done, pending], [PACE]],
		['returns the last state alone', [pending, one, done, pending], [PACE, PACE, PACE]],
		...(
			['refused', 'misconfigured', 'notSent', 'unfinished', 'parameter', 'malformed'] as const
		).map((cause): [string, Array<Failed | State>, number[]] => [
			`ends when the poll is ${cause}, and returns that failure`,
			[pending, failed(cause, { scope: 'account', status: 404 }), done],
			[PACE, PACE],
		]),
		...[0, 1_000, PACE].map((ms): [string, Array<Failed | State>, number[]] => [
			`does not poll earlier if the service would allow it after ${ms} ms`,
			[throttled(ms), done],
			[PACE, PACE],
		]),
		[
			'sleeps once for as long as the service asks each time, and then at its rate',
			[throttled(60_000), throttled(120_000), throttled(), pending, done],
			[PACE, 60_000, 120_000, PACE, PACE],
		],
	])('%s', async (_, replies, sleeps) => {
		const { steps, result, unread } = await poll(replies);
		expect(steps).toEqual(sleeps.flatMap((ms) => [ms, 'call']));
		expect(result).toEqual(replies[sleeps.length - 1]);
		expect(unread).toBe(replies.length - sleeps.length);
	});

	test('may take its rate from the last state and the time that it has slept in all', async () => {
		const seen: Array<[State | undefined, number]> = [];
		const paceMs = (last: State | undefined, waitedMs: number) => {
			seen.push([last, waitedMs]);
			return 3_000 + 1_000 * seen.length;
		};
		const { steps } = await poll([pending, lost, done], { paceMs });
		expect(steps).toEqual([4_000, 'call', 5_000, 'call', 6_000, 'call']);
		expect(seen).toEqual([
			[undefined, 0],
			[pending, 4_000],
			[pending, 9_000],
		]);
	});

	test('never stops by itself', async () => {
		const { steps, result } = await poll(new Array<State>(500).fill(pending));
		expect(result).toBe('goes on');
		// The last sleep and the last call are those that find no reply any more
		expect(steps).toEqual(Array(501).fill([PACE, 'call']).flat());
	});

	test('ends with the failure of a sleep, at Stop or after Max Wait', async () => {
		const { failure } = failed('unfinished');
		const onSleep = (_ms: number, count: number) => {
			if (count === 2) throw new CallFailed(failure);
		};
		const polled = poll([pending, done], {}, { onSleep });
		await expect(polled).rejects.toMatchObject({ failure });
	});

	test('returns the failure when more than maxMisses polls in a row fail', async () => {
		const last = throttled();
		const replies = [lost, failed('unreachable'), last, done];
		expect(await poll(replies, { maxMisses: 2 })).toMatchObject({ result: last, unread: 1 });
		expect(await poll(replies, { maxMisses: 3 })).toMatchObject({ result: done, unread: 0 });
		expect(await poll([last, done], { maxMisses: 0 })).toMatchObject({ result: last, unread: 1 });
		const answered = [lost, lost, pending, lost, lost, done];
		expect(await poll(answered, { maxMisses: 2 })).toMatchObject({ result: done });
	});

	test('passes the note of the last state to each sleep', async () => {
		const none: State = { done: false, left: 0 };
		const { notes } = await poll([pending, lost, one, none, done]);
		expect(notes).toEqual([undefined, '3 are left', '3 are left', '1 are left', undefined]);
	});
});
