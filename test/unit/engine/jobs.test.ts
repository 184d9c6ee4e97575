import type { Failure } from '../../../nodes/LookupMessaging/engine/failure';
import {
	AUDIT_PACE_MS,
	batchPaceMs,
	pollUntilFinished,
} from '../../../nodes/LookupMessaging/engine/jobs';
import type { Exchange, Failed } from '../../../nodes/LookupMessaging/engine/talk';

/** SPEC §4.2: never faster than every 2 s. */
const FLOOR_MS = 2_000;

describe('the pace of a batch', () => {
	/** How a batch of so many numbers goes on that takes the service so long: the waits, the last of which finds it finished. */
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
		'of %d numbers is one poll every %d to %d ms, however fast it goes',
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

	test('lets the last poll find the batch just finished: no later than by a tenth, of all that take two waits or longer', () => {
		for (const numbers of [50, 300, 1_000]) {
			const shortest = batchPaceMs(numbers);
			for (let takesMs = 2 * shortest; takesMs < 30 * shortest; takesMs += shortest / 7) {
				for (const before of [0, 10]) {
					expect(sum(follow(numbers, takesMs, before))).toBeLessThan(1.1 * takesMs);
				}
			}
		}
	});

	test('makes as few polls as that allows: 1,000 numbers in 200 seconds take four', () => {
		expect(follow(1_000, 200_000)).toHaveLength(4);
	});

	test('is in the middle where the service does not tell how far it is', () => {
		for (const progress of [
			{ done: 0, left: 1_000, afterMs: 30_000 },
			{ done: NaN, left: NaN, afterMs: 30_000 },
			{ done: -5, left: 1_000, afterMs: 30_000 },
			{ done: 1_200, left: -200, afterMs: 30_000 },
		]) {
			expect(batchPaceMs(1_000, progress)).toBe(45_000);
		}
	});

	test('of an audit is not faster than that of any poll', () => {
		expect(AUDIT_PACE_MS).toBeGreaterThanOrEqual(FLOOR_MS);
	});
});

interface State {
	done: boolean;
	left: number;
}

const POLL: Exchange<State> = {
	request: { service: 'lookup', method: 'GET', path: '/wavalidation/batch/b-1' },
	read: (body) => ({ done: body.status === 'done', left: Number(body.left) }),
};
const PACE = 7_000;

const pending: State = { done: false, left: 3 };
const done: State = { done: true, left: 0 };
const failed = (cause: Failure['cause'], more: Partial<Failure> = {}): Failed => ({
	failure: { cause, reason: 'of a test', scope: 'question', ...more },
});

/** Leads the other side of the talk: every poll brings the next of `replies`, until they are used up. */
function lead(
	replies: Array<Failed | State>,
	{
		pace = PACE,
		startWithWait = true,
		patience = Infinity,
	}: {
		pace?: Parameters<typeof pollUntilFinished<State>>[2];
		startWithWait?: boolean;
		patience?: number;
	} = {},
) {
	const talk = pollUntilFinished(
		POLL,
		(state) => state.done,
		pace,
		startWithWait,
		patience,
		({ left }) => (left > 0 ? `${left} are left` : undefined),
	);
	const coming = [...replies];
	const steps: Array<number | 'poll'> = [];
	const notes: Array<string | undefined> = [];
	let step = talk.next();
	while (!step.done) {
		if ('waitMs' in step.value) {
			steps.push(step.value.waitMs);
			notes.push(step.value.note);
			step = talk.next(undefined);
			continue;
		}
		if (!('exchange' in step.value)) throw new Error('Polling starts no job');
		expect(step.value.exchange).toEqual({ ...POLL, isSentOnce: true, isTolerant: true });
		const reply = coming.shift();
		if (!reply) return { steps, notes, result: 'goes on' };
		steps.push('poll');
		step = talk.next(reply);
	}
	return { steps, notes, result: step.value, unread: coming.length };
}

describe('polling a job', () => {
	test('waits before the first poll of a job that has just been started', () => {
		expect(lead([done])).toMatchObject({ steps: [PACE, 'poll'], result: done, unread: 0 });
	});

	test('asks at once about a job that may be finished already', () => {
		expect(lead([done], { startWithWait: false })).toMatchObject({
			steps: ['poll'],
			result: done,
			unread: 0,
		});
	});

	test('may go by what the job last said of itself, and how long was waited for it in all', () => {
		const told: Array<[State | undefined, number]> = [];
		const pace = (last: State | undefined, waitedMs: number) => {
			told.push([last, waitedMs]);
			return 3_000 + 1_000 * told.length;
		};
		const { steps } = lead([pending, failed('lost'), done], { pace });
		expect(steps).toEqual([4_000, 'poll', 5_000, 'poll', 6_000, 'poll']);
		expect(told).toEqual([
			[undefined, 0],
			[pending, 4_000],
			[pending, 9_000],
		]);
	});

	test('goes on at its pace until the job is finished, and hands back the last state alone', () => {
		const { steps, result, unread } = lead([pending, { done: false, left: 1 }, done, pending]);
		expect(steps).toEqual([PACE, 'poll', PACE, 'poll', PACE, 'poll']);
		expect(result).toBe(done);
		expect(unread).toBe(1);
	});

	test('never gives up by itself', () => {
		const { steps, result } = lead(new Array<State>(500).fill(pending));
		expect(result).toBe('goes on');
		expect(steps.filter((step) => step === 'poll')).toHaveLength(500);
		// The wait for the poll that finds no reply any more
		expect(steps.filter((step) => step === PACE)).toHaveLength(501);
	});

	test.each([1, 500, 1_999])('waits no less than the floor at a pace of %d ms', (pace) => {
		const { steps } = lead([pending, failed('lost'), done], { pace });
		expect(steps).toEqual([FLOOR_MS, 'poll', FLOOR_MS, 'poll', FLOOR_MS, 'poll']);
	});

	test.each(['lost', 'throttled', 'unreachable'] as const)(
		'repeats a poll that was %s, at its pace',
		(cause) => {
			for (const startWithWait of [true, false]) {
				const { steps, result } = lead([failed(cause), failed(cause), pending, done], {
					startWithWait,
				});
				const repeated = ['poll', PACE, 'poll', PACE, 'poll', PACE, 'poll'];
				expect(steps).toEqual(startWithWait ? [PACE, ...repeated] : repeated);
				expect(result).toBe(done);
			}
		},
	);

	test('stays away as long as the service asks, once, and then goes on at its pace', () => {
		const { steps } = lead([failed('throttled', { retryAfterMs: 90_000 }), pending, done]);
		expect(steps).toEqual([PACE, 'poll', 90_000, 'poll', PACE, 'poll']);
	});

	test.each([0, 1_000, PACE])(
		'does not hurry when the service would allow it after %d ms',
		(retryAfterMs) => {
			const { steps } = lead([failed('throttled', { retryAfterMs }), done]);
			expect(steps).toEqual([PACE, 'poll', PACE, 'poll']);
		},
	);

	test('follows each new wish of the service', () => {
		const { steps } = lead([
			failed('throttled', { retryAfterMs: 60_000 }),
			failed('throttled', { retryAfterMs: 120_000 }),
			failed('throttled'),
			done,
		]);
		expect(steps).toEqual([PACE, 'poll', 60_000, 'poll', 120_000, 'poll', PACE, 'poll']);
	});

	test.each([
		'refused',
		'misconfigured',
		'notSent',
		'unfinished',
		'parameter',
		'malformed',
	] as const)('ends when the poll is %s, and hands that back', (cause) => {
		const failure = failed(cause, { scope: 'account', status: 404 });
		const { steps, result, unread } = lead([pending, failure, done]);
		expect(steps).toEqual([PACE, 'poll', PACE, 'poll']);
		expect(result).toBe(failure);
		expect(unread).toBe(1);
	});

	test('gives up when more polls in a row failed than it has patience for', () => {
		const last = failed('throttled', { status: 429 });
		const replies = [failed('lost'), failed('unreachable'), last, done];
		expect(lead(replies, { patience: 2 })).toMatchObject({ result: last, unread: 1 });
		expect(lead(replies, { patience: 3 })).toMatchObject({ result: done, unread: 0 });
		expect(lead([last, done], { patience: 0 })).toMatchObject({ result: last, unread: 1 });
	});

	test('has its whole patience again after a poll that was answered', () => {
		const lost = failed('lost');
		const { result } = lead([lost, lost, pending, lost, lost, done], { patience: 2 });
		expect(result).toBe(done);
	});

	test('says at each wait what the job last said of itself', () => {
		const one: State = { done: false, left: 1 };
		const none: State = { done: false, left: 0 };
		const { notes } = lead([pending, failed('lost'), one, none, done]);
		expect(notes).toEqual([undefined, '3 are left', '3 are left', '1 are left', undefined]);
	});
});
