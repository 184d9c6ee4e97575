import { concurrencyOf, RequestRate } from '../../engine';
import { flush, HandClock, openQueue } from '../fakes/handClock';

const MINUTE = 60_000;
const names = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`);

/** Queues of one account, which may have a limit, whose calls are answered at once. */
function openAccount(perMinute?: number, queueCount = 1) {
	const clock = new HandClock();
	const rate = new RequestRate(clock);
	rate.open(perMinute);
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
	const list = (name: string, count: number) => queues[0].waitAll(flowOf(), names(name, count));
	const count = (prefix: string) => calls.filter(({ name }) => name.startsWith(prefix)).length;
	/** Most calls of any minute, wherever it begins. */
	const mostInAMinute = () =>
		Math.max(
			...calls.map(
				({ at: from }) => calls.filter(({ at }) => at >= from && at < from + MINUTE).length,
			),
		);
	const [queue] = queues;
	const used = { inLast, count, mostInAMinute };
	return { clock, rate, calls, queue, queues, pass, flowOf, list, ...used };
}

describe('Max Requests per Minute', () => {
	test('holds for requests that no queue holds, such as those for the rest of a stream', async () => {
		const { clock, rate, calls, pass, list, mostInAMinute } = openAccount(12);
		const resume = async () => {
			for (;;) {
				await rate.turn();
				calls.push({ name: 'resume', at: clock.at });
			}
		};
		void resume();
		list('call', 24);
		await pass(3 * MINUTE);
		expect(mostInAMinute()).toBeLessThanOrEqual(12);
		expect(calls.length).toBeGreaterThan(30);
	});

	test.each([
		[1, 1, 1],
		[60, 5, 3],
		[150, 5, 1],
	])(
		'of %i applies in any minute, is nearly used, and starts %i calls at once, of %i base URLs that take turns',
		async (perMinute, burst, urls) => {
			const { calls, queues, pass, flowOf, count, mostInAMinute } = openAccount(perMinute, urls);
			for (const [n, queue] of queues.entries())
				queue.waitAll(flowOf(queue), names(`url ${n} `, 3 * perMinute));
			await pass(0);
			expect(calls).toHaveLength(burst);
			await pass(2 * MINUTE);
			expect(mostInAMinute()).toBeLessThanOrEqual(perMinute);
			expect(calls.length).toBeGreaterThanOrEqual(Math.floor(0.93 * 2 * perMinute));
			const shares = queues.map((_, n) => count(`url ${n} `));
			// The first one has the burst
			expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(6);
		},
	);

	test('that is not set, or set by a run that is over, limits nothing', async () => {
		const clock = new HandClock();
		const rate = new RequestRate(clock);
		const { queue, started, permits, end, waitAll } = openQueue(clock);
		rate.open(undefined);
		rate.open(1)();
		waitAll(queue.open(100, rate), names('call', 50));
		for (await flush(); permits.length > 0; ) await end();
		expect([started.length, clock.slept]).toEqual([50, []]);
	});

	test('is the smallest one of all open runs, also for those that have set none', async () => {
		const { rate, pass, inLast, list } = openAccount(60);
		const closeSmallest = rate.open(6);
		list('call', 500);
		await pass(2 * MINUTE);
		expect(inLast(2 * MINUTE)).toBeLessThanOrEqual(2 * 6);
		closeSmallest();
		await pass(MINUTE);
		expect(inLast(MINUTE)).toBeGreaterThan(50);
		expect(inLast(MINUTE)).toBeLessThanOrEqual(60);
	});

	test('applies to runs that come one after the other, each of one call', async () => {
		const { rate, calls, queue, pass, flowOf, mostInAMinute } = openAccount();
		for (let n = 0; n < 30; n += 1) {
			const close = rate.open(12);
			const flow = flowOf();
			const call = queue.wait(flow, 'call');
			while (!call.admission) await pass(500);
			flow.close();
			close();
		}
		expect(calls).toHaveLength(30);
		expect(mostInAMinute()).toBeLessThanOrEqual(12);
	});

	test('stays as slow after a pause of the service, and catches up on nothing', async () => {
		const { calls, queue, pass, flowOf, mostInAMinute } = openAccount(60);
		const flow = flowOf();
		queue.wait(flow, 'call');
		await flush();
		await queue.end((permit) => permit.throttled(10 * MINUTE));
		queue.waitAll(flow, names('call', 200));
		await pass(10 * MINUTE - 1);
		const before = calls.length;
		await pass(1);
		expect(calls.length - before).toBeLessThanOrEqual(5);
		await pass(2 * MINUTE);
		expect(mostInAMinute()).toBeLessThanOrEqual(60);
	});

	test.each([
		['a pause within Max Wait rejects none', 15_000, false],
		['a longer pause of the service still does', 20 * MINUTE, true],
	])('uses up no Max Wait: %s', async (_, pauseMs, rejects) => {
		const { clock, queue, pass, flowOf, count } = openAccount(6);
		const flow = flowOf();
		expect(flow.timeAt(clock.at)).toBe(clock.at);
		const all = names('call', 40).map((name) => queue.wait(flow, name, { maxWaitMs: 30_000 }));
		await pass(3 * MINUTE);
		// Another run is told to pause, when most calls still wait
		queue.wait(queue.queue.open(1), 'other');
		await flush();
		await queue.end((permit) => permit.throttled(pauseMs));
		await pass(10 * MINUTE);
		const late = all.filter(
			({ admission }) => typeof admission === 'object' && 'notBefore' in admission,
		);
		expect(late.length > 0).toBe(rejects);
		expect(late.length + count('call')).toBe(40);
	});

	test('delays a call with a deadline no longer than that, and takes nothing from the others', async () => {
		const { queue, pass, flowOf, list, mostInAMinute } = openAccount(6);
		list('list', 50);
		await pass(MINUTE);
		const poll = flowOf(queue, true);
		const [soon, patient] = [5_000, 45_000].map((maxWaitMs) =>
			queue.wait(poll, `poll ${maxWaitMs}`, { maxWaitMs }),
		);
		await pass(2 * MINUTE);
		expect(soon.admission).toEqual({ notBefore: expect.any(Number) });
		expect(patient.admission).toHaveProperty('permit');
		expect(mostInAMinute()).toBeLessThanOrEqual(6);
	});

	test('makes no call wait longer because the clock is set back, and sleeps only while one waits', async () => {
		const { clock, calls, pass, list } = openAccount(60);
		list('call', 100);
		await pass(MINUTE / 2);
		const before = calls.length;
		clock.setBack(10 * MINUTE);
		await pass(MINUTE);
		expect(calls.length - before).toBeGreaterThan(50);
		await pass(MINUTE);
		expect([calls.length, clock.sleeping]).toEqual([100, 0]);
		// One watch wakes all calls, so there are few sleeps
		expect(clock.slept.length).toBeLessThan(2 * 100 + 60);
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
