import {
	concurrencyOf,
	RequestRate,
} from '../../../nodes/LookupMessaging/engine/pacing/requestRate';
import { flush, HandClock, openQueue } from '../fakes/handClock';

const MINUTE = 60_000;
const names = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`);

/** Queues of one account, whose calls are answered at once. */
function openAccount(queueCount = 1) {
	const clock = new HandClock();
	const rate = new RequestRate(clock);
	const calls: Array<{ name: string; at: number }> = [];
	const queues = Array.from({ length: queueCount }, () => openQueue(clock));
	/** Ends all calls that have started, until no more start. */
	const settle = async () => {
		await flush();
		for (const each of queues) {
			while (each.permits.length > 0) {
				await each.end();
				await flush();
			}
			for (const name of each.started.splice(0)) calls.push({ name, at: clock.at });
		}
	};
	const pass = async (ms: number) => {
		const end = clock.at + ms;
		await settle();
		while (clock.at < end) {
			await clock.pass(Math.min(clock.nextIn(), end - clock.at));
			await settle();
		}
	};
	const inLast = (ms: number) => calls.filter(({ at }) => at > clock.at - ms).length;
	const flowOf = (queue = queues[0], isHurried = false) => queue.queue.open(100, rate, isHurried);
	return { clock, rate, calls, queues, pass, inLast, flowOf };
}

/** Most calls of any minute, wherever it begins. */
function mostInAMinute(calls: Array<{ at: number }>): number {
	const within = calls.map(
		({ at: from }) => calls.filter(({ at }) => at >= from && at < from + MINUTE).length,
	);
	return Math.max(...within);
}

const byName = (calls: Array<{ name: string }>, prefix: string) =>
	calls.filter(({ name }) => name.startsWith(prefix)).length;

describe('Max Requests per Minute', () => {
	test.each([1, 2, 3, 7, 12, 30, 60, 100, 600])(
		'of %i applies in any minute, wherever it begins, and is nearly used',
		async (perMinute) => {
			const { rate, calls, queues, pass, flowOf } = openAccount();
			rate.open(perMinute);
			queues[0].waitAll(flowOf(), names('call', 5 * perMinute));
			await pass(4 * MINUTE);

			expect(mostInAMinute(calls)).toBeLessThanOrEqual(perMinute);
			expect(calls.length).toBeGreaterThanOrEqual(Math.floor(0.93 * 4 * perMinute));
		},
	);

	test.each([
		[1, 1],
		[12, 1],
		[24, 2],
		[60, 5],
		[6_000, 5],
	])('of %i starts %i calls at once, and no more', async (perMinute, burst) => {
		const { rate, calls, queues, pass, flowOf } = openAccount();
		rate.open(perMinute);
		queues[0].waitAll(flowOf(), names('call', 50));
		await pass(0);
		expect(calls).toHaveLength(burst);
	});

	test('that is not set, or set by a run that is over, limits nothing', async () => {
		const { rate, calls, queues, pass, flowOf } = openAccount();
		rate.open(undefined);
		rate.open(1)();
		queues[0].waitAll(flowOf(), names('call', 200));
		await pass(1_000);
		expect(calls).toHaveLength(200);
	});

	test('is the smallest one of all open runs, also for those that have set none', async () => {
		const { rate, queues, pass, inLast, flowOf } = openAccount();
		rate.open(600);
		const closeSmallest = rate.open(6);
		queues[0].waitAll(flowOf(), names('call', 5_000));
		await pass(3 * MINUTE);
		expect(inLast(3 * MINUTE)).toBeLessThanOrEqual(3 * 6);
		closeSmallest();
		await pass(MINUTE);
		expect(inLast(MINUTE)).toBeGreaterThan(500);
		expect(inLast(MINUTE)).toBeLessThanOrEqual(600);
	});

	test('applies to runs that come one after the other, each of one call', async () => {
		const { rate, calls, queues, pass, flowOf } = openAccount();
		for (let n = 0; n < 60; n += 1) {
			const close = rate.open(12);
			const flow = flowOf();
			const call = queues[0].wait(flow, 'call');
			while (!call.admission) await pass(100);
			flow.close();
			close();
		}
		expect(calls).toHaveLength(60);
		expect(mostInAMinute(calls)).toBeLessThanOrEqual(12);
	});

	test('applies to all base URLs of the account, which take turns', async () => {
		const { rate, calls, queues, pass, flowOf } = openAccount(3);
		rate.open(60);
		queues.forEach((queue, n) => queue.waitAll(flowOf(queue), names(`url ${n} `, 500)));
		await pass(5 * MINUTE);

		expect(mostInAMinute(calls)).toBeLessThanOrEqual(60);
		const shares = [0, 1, 2].map((n) => byName(calls, `url ${n} `));
		// The first one has the burst
		expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(6);
	});

	test('keeps the order of executions: a single call waits for one of each list', async () => {
		const { rate, calls, queues, pass, flowOf } = openAccount();
		rate.open(60);
		for (const list of ['a', 'b', 'c']) queues[0].waitAll(flowOf(), names(list, 500));
		await pass(MINUTE);
		const before = calls.length;
		queues[0].wait(flowOf(), 'single');
		await pass(MINUTE);
		const waited = calls.slice(before).findIndex(({ name }) => name === 'single');
		expect(waited).toBeGreaterThanOrEqual(0);
		expect(waited).toBeLessThanOrEqual(3);
	});

	test('stays as slow after a pause of the service, and catches up on nothing', async () => {
		const { rate, calls, queues, pass, flowOf, clock } = openAccount();
		rate.open(60);
		const flow = flowOf();
		const [first] = [queues[0].wait(flow, 'call')];
		await flush();
		expect(first.admission).toBeDefined();
		await queues[0].end((permit) => permit.throttled(10 * MINUTE));
		queues[0].waitAll(flow, names('call', 500));
		await pass(10 * MINUTE - 1);
		const before = calls.length;
		await pass(1);
		expect(calls.length - before).toBeLessThanOrEqual(5);
		await pass(3 * MINUTE);
		expect(mostInAMinute(calls)).toBeLessThanOrEqual(60);
		expect(clock.at).toBeGreaterThan(0);
	});

	describe('and Max Wait are independent:', () => {
		const MAX_WAIT = 30_000;

		/** Calls that wait for many minutes, and a pause of the service when most of them still do. */
		async function pauseAfterLongWait(pauseMs: number) {
			const { rate, calls, queues, pass, flowOf } = openAccount();
			rate.open(6);
			const flow = flowOf();
			const started = flow.timeAt(queues[0].clock.at);
			const all = names('call', 40).map((name) => {
				const call = queues[0].wait(flow, name, { maxWaitMs: MAX_WAIT });
				return call;
			});
			expect(started).toBe(queues[0].clock.at);
			await pass(3 * MINUTE);
			// Others are told to pause
			const other = queues[0].wait(queues[0].queue.open(1), 'other', { maxWaitMs: Infinity });
			await flush();
			expect(other.admission).toBeDefined();
			await queues[0].end((permit) => permit.throttled(pauseMs));
			await pass(10 * MINUTE);
			const late = all.filter(
				({ admission }) => typeof admission === 'object' && 'notBefore' in admission,
			);
			return { late: late.length, started: byName(calls, 'call') };
		}

		test('waiting for the own limit uses up no Max Wait', async () => {
			expect(await pauseAfterLongWait(MAX_WAIT / 2)).toEqual({ late: 0, started: 40 });
		});

		test('a longer pause of the service still ends the wait', async () => {
			const { late, started } = await pauseAfterLongWait(20 * MINUTE);
			expect(late).toBeGreaterThan(0);
			expect(late + started).toBe(40);
		});
	});

	test('a call with a deadline waits no longer than that, and takes nothing from the others', async () => {
		const { rate, calls, queues, pass, flowOf } = openAccount();
		rate.open(6);
		queues[0].waitAll(flowOf(), names('list', 100));
		await pass(MINUTE);
		const poll = flowOf(queues[0], true);
		const [soon, patient] = [5_000, 45_000].map((maxWaitMs) =>
			queues[0].wait(poll, `poll ${maxWaitMs}`, { maxWaitMs }),
		);
		await pass(2 * MINUTE);
		expect(soon.admission).toEqual({ notBefore: expect.any(Number) });
		expect(patient.admission).toHaveProperty('permit');
		expect(mostInAMinute(calls)).toBeLessThanOrEqual(6);
	});

	test('Stop ends the wait at once, and the others continue', async () => {
		const { rate, calls, queues, pass, flowOf } = openAccount();
		rate.open(6);
		const stopped = flowOf();
		const held = queues[0].waitAll(stopped, names('stopped', 20));
		queues[0].waitAll(flowOf(), names('other', 20));
		await pass(1_000);
		const before = byName(calls, 'stopped');
		stopped.close();
		await pass(MINUTE);
		expect(held.filter(({ admission }) => admission === 'closed')).toHaveLength(20 - before);
		expect(byName(calls, 'stopped')).toBe(before);
		expect(byName(calls, 'other')).toBeGreaterThan(4);
	});

	test('a clock that is set back makes no call wait longer', async () => {
		const { rate, clock, calls, queues, pass, flowOf } = openAccount();
		rate.open(60);
		queues[0].waitAll(flowOf(), names('call', 200));
		await pass(MINUTE);
		const before = calls.length;
		clock.setBack(10 * MINUTE);
		await pass(MINUTE);
		expect(calls.length - before).toBeGreaterThan(50);
	});

	test('it sleeps only while a call waits', async () => {
		const { rate, clock, queues, pass, flowOf } = openAccount();
		rate.open(60);
		queues[0].waitAll(flowOf(), names('call', 10));
		await pass(MINUTE);
		expect(clock.sleeping).toBe(0);
	});
});

test.each([
	[undefined, 100],
	[6_000, 100],
	[60, 30],
	[3, 2],
	[1, 1],
])('a run of %p requests per minute has %i calls under way at most', (perMinute, most) => {
	expect(concurrencyOf(perMinute)).toBe(most);
});
