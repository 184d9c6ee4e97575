import { AdaptiveLimiter } from '../../../nodes/LookupMessaging/engine/pacing/limiter';
import { fairQueueFor, type Permit } from '../../../nodes/LookupMessaging/engine/pacing/fairQueue';
import { flush, HandClock, openQueue, T0, type QueuedCall } from '../fakes/handClock';

const names = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`);
const notBefore = ({ admission }: QueuedCall) =>
	admission !== undefined && admission !== 'closed' && 'notBefore' in admission
		? admission.notBefore
		: undefined;

describe('the flows of a fair queue', () => {
	test('start one call of each per round, in order of arrival within a flow', async () => {
		const { queue, started, waitAll, end } = openQueue();
		for (const name of ['a', 'b', 'c']) waitAll(queue.open(1), names(name, 3));
		await flush();
		for (let n = 0; n < 8; n += 1) await end();
		expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'c2', 'b3', 'c3']);
	});

	test('do not overtake by adding one call after the other', async () => {
		const { queue, started, wait, waitAll, end } = openQueue();
		const [busy, other] = [queue.open(1), queue.open(1)];
		wait(busy, 'busy');
		waitAll(other, names('other', 3));
		await flush();
		for (let n = 0; n < 5; n += 1) {
			wait(busy, 'busy');
			await end();
		}
		expect(started).toEqual(['busy', 'other1', 'busy', 'other2', 'busy', 'other3']);
	});

	test.each([1, 4, 20])(
		'let a single call among %i lists of 5,000 wait for at most one call of each',
		async (lists) => {
			const { queue, started, wait, waitAll, end } = openQueue();
			for (let list = 0; list < lists; list += 1) {
				waitAll(queue.open(20), names('list', 5_000));
			}
			await flush();
			for (let n = 0; n < 137; n += 1) await end();
			const before = started.length;
			wait(queue.open(20), 'single');
			while (!started.includes('single')) await end();
			expect(started.indexOf('single') - before).toBeLessThanOrEqual(lists);
		},
	);

	test('let each of 500 single calls beside a list wait for at most one round, and all start', async () => {
		const { queue, started, wait, waitAll, end } = openQueue();
		waitAll(queue.open(20), names('list', 2_000));
		await flush();
		const before = started.length;
		for (const name of names('single', 500)) wait(queue.open(20), name);
		while (started.length < 2_500) await end();
		const places = names('single', 500).map((name) => started.indexOf(name) - before);
		expect(places).toEqual(places.map((_, n) => n + 1));
	});

	test('put a throttled call at the end of its flow', async () => {
		const { queue, clock, started, wait, waitAll, end } = openQueue();
		const flow = queue.open(1);
		waitAll(flow, names('a', 3));
		await flush();
		await end((permit) => permit.throttled(1_000));
		wait(flow, 'a1 again');
		await clock.pass(1_000);
		while (started.length < 4) await end();
		expect(started).toEqual(['a1', 'a2', 'a3', 'a1 again']);
	});
});

describe('a refusal of one family of endpoints', () => {
	/** Two flows; a search was refused for half an hour. */
	const afterRefusal = async () => {
		const all = openQueue();
		const flow = all.queue.open(20);
		all.wait(flow, 'search', { family: 'search' });
		await flush();
		await all.end((permit) => permit.throttled(1_800_000));
		const call = (family: string, maxWaitMs = Infinity) =>
			all.wait(flow, family, { family, maxWaitMs });
		return { ...all, call };
	};

	test('pauses no other family, in the same flow or another', async () => {
		const { queue, clock, started, call, wait } = await afterRefusal();
		const again = call('search', 600_000);
		call('email');
		wait(queue.open(20), 'balance', { family: 'balance' });
		await flush();
		expect(started).toEqual(['search', 'email', 'balance']);
		expect(notBefore(again)).toBe(T0 + 1_800_000);
		call('search');
		await clock.pass(1_799_999);
		expect(started).toHaveLength(3);
		await clock.pass(1);
		expect(started).toHaveLength(4);
	});

	test('passes its rate to no other family', async () => {
		const { queue, clock, started, wait, end } = openQueue();
		const flow = queue.open(20);
		for (let n = 0; n < 2; n += 1) wait(flow, 'slow', { family: 'slow' });
		await flush();
		await end();
		await end((permit) => permit.throttled(1_000));
		await clock.pass(1_000);
		for (let n = 0; n < 20; n += 1) wait(flow, 'slow', { family: 'slow' });
		for (let n = 0; n < 20; n += 1) wait(flow, 'fast', { family: 'fast' });
		await flush();
		const count = (wanted: string) => started.filter((name) => name === wanted).length;
		expect([count('slow'), count('fast')]).toEqual([3, 9]);
	});

	test('applies to the whole service when a second family is refused meanwhile', async () => {
		const { clock, started, call, end } = await afterRefusal();
		call('email');
		await flush();
		await end((permit) => permit.throttled(30_000));
		const hasty = call('phone', 29_999);
		call('phone');
		await clock.pass(29_999);
		expect(notBefore(hasty)).toBe(T0 + 30_000);
		expect(started).toEqual(['search', 'email']);
		await clock.pass(1);
		expect(started).toEqual(['search', 'email', 'phone']);
		// Each further refusal during the pause of the whole service is one of it, too
		await end((permit) => permit.throttled(10_000));
		call('balance');
		call('email');
		await clock.pass(9_999);
		expect(started).toHaveLength(3);
		await clock.pass(1);
		expect(started).toHaveLength(5);
	});

	test('keeps its turn before the flows behind it', async () => {
		const { queue, clock, started, call, wait } = await afterRefusal();
		call('search');
		const behind = queue.open(20);
		for (let n = 0; n < 30; n += 1) wait(behind, 'other search', { family: 'search' });
		wait(behind, 'email', { family: 'email' });
		await clock.pass(1_800_000);
		expect(started.slice(0, 4)).toEqual(['search', 'email', 'search', 'other search']);
	});
});

describe('the number of calls that start at once', () => {
	/** A queue whose ticks begin when the test says so. */
	const openInTicks = () => {
		let begin = () => {};
		const opened = openQueue();
		opened.clock.nextTick = async () => await new Promise<void>((resolve) => (begin = resolve));
		const nextTick = async () => {
			begin();
			await flush();
		};
		return { ...opened, nextTick };
	};

	test('excludes a call that waits for the next tick when a throttling arrives before it', async () => {
		const { queue, started, wait, waitAll, end, clock, nextTick } = openInTicks();
		const flow = queue.open(10);
		waitAll(flow, names('a', 9));
		const hasty = wait(flow, 'hasty', { maxWaitMs: 30_000 });
		await flush();
		await end((permit) => permit.throttled(60_000));
		await nextTick();
		await nextTick();
		expect(started).toEqual(names('a', 5));
		expect(notBefore(hasty)).toBe(T0 + 60_000);
		await clock.pass(60_000);
		expect(started).toEqual(names('a', 6));
	});

	test('excludes a call that waits for the next tick when its flow is closed before it', async () => {
		const { queue, started, waitAll, nextTick } = openInTicks();
		const flow = queue.open(10);
		const calls = waitAll(flow, names('a', 8));
		await flush();
		flow.close();
		await nextTick();
		expect(started).toEqual(names('a', 5));
		expect(calls.slice(5).map(({ admission }) => admission)).toEqual([
			'closed',
			'closed',
			'closed',
		]);
	});

	test('is the number of answered ones, also when all answers arrive in one tick', async () => {
		const { queue, started, permits, waitAll, nextTick } = openInTicks();
		waitAll(queue.open(100), names('a', 100));
		await flush();
		await nextTick();
		await nextTick();
		expect(started).toHaveLength(10);
		for (const permit of permits.splice(0)) permit.accepted();
		for (let n = 0; n < 10; n += 1) await nextTick();
		expect(permits).toHaveLength(20);
	});

	test('is five in each tick', async () => {
		const { queue, started, waitAll, nextTick } = openInTicks();
		waitAll(queue.open(8), names('a', 9));
		await flush();
		expect(started).toEqual(names('a', 5));
		await nextTick();
		expect(started).toEqual(names('a', 8));
		await nextTick();
		expect(started).toHaveLength(8);
	});

	test('is the cap of a flow at most, and the largest cap for all flows', async () => {
		const { queue, started, permits, waitAll, end } = openQueue();
		waitAll(queue.open(2), names('narrow', 10));
		waitAll(queue.open(5), names('wide', 10));
		await flush();
		expect(started).toEqual(['narrow1', 'narrow2', 'wide1', 'wide2', 'wide3']);
		while (started.length < 20) {
			await end();
			expect(permits.length).toBeLessThanOrEqual(5);
		}
	});

	test('falls again after the flow with the largest cap is closed', async () => {
		const { queue, started, waitAll, end } = openQueue();
		const wide = queue.open(5);
		const narrow = queue.open(2);
		waitAll(wide, names('wide', 5));
		waitAll(narrow, names('narrow', 5));
		await flush();
		wide.close();
		await flush();
		const counts: number[] = [];
		for (let n = 0; n < 5; n += 1) {
			await end();
			counts.push(started.length);
		}
		expect(counts).toEqual([5, 5, 5, 6, 7]);
	});

	test('is not limited by a flow at its cap', async () => {
		const { queue, started, waitAll } = openQueue();
		waitAll(queue.open(1), names('narrow', 10));
		waitAll(queue.open(10), names('wide', 10));
		await flush();
		expect(started).toEqual(['narrow1', ...names('wide', 9)]);
	});

	test('is at most what the adaptive limiter allows: ten at first, half after a throttling', async () => {
		const { queue, clock, started, permits, waitAll, end } = openQueue();
		waitAll(queue.open(500), names('a', 100));
		await flush();
		expect(started).toHaveLength(10);
		for (let n = 0; n < 10; n += 1) await end((permit) => permit.throttled(1_000));
		await clock.pass(1_000);
		expect([started.length, permits.length]).toEqual([15, 5]);
	});
});

describe('waiting for the end of a pause', () => {
	const pausedFor = async (ms: number) => {
		const all = openQueue();
		all.wait(all.queue.open(20), 'first');
		await flush();
		await all.end((permit) => permit.throttled(ms));
		return all;
	};

	test('lasts until the pause ends, to the millisecond', async () => {
		const { queue, clock, started, wait } = await pausedFor(61_500);
		wait(queue.open(20), 'second');
		await clock.pass(61_499);
		expect(started).toEqual(['first']);
		await clock.pass(1);
		expect(started).toEqual(['first', 'second']);
	});

	test('wakes at most once a second, however many calls wait', async () => {
		const { queue, clock, waitAll } = await pausedFor(60_000);
		for (let n = 0; n < 50; n += 1) waitAll(queue.open(20), names('a', 20));
		await clock.pass(60_000);
		expect(Math.max(...clock.slept)).toBe(1_000);
		expect(clock.slept.filter((ms) => ms === 1_000)).toHaveLength(60);
		expect(clock.slept.length).toBeLessThanOrEqual(60 + 20);
	});

	test('sets no timer when no call waits', async () => {
		const { clock } = await pausedFor(3_600_000);
		await clock.pass(3_600_000);
		expect(clock.slept).toEqual([]);
	});

	test('ends earlier for a call that may start earlier, and leaves no timer behind', async () => {
		const { queue, clock, started, wait, end } = openQueue();
		const flow = queue.open(20);
		wait(flow, 'report');
		await flush();
		await end((permit) => permit.accepted({ left: 0, resetMs: 5_000 }));
		wait(flow, 'late');
		wait(flow, 'other', { family: 'other' });
		await flush();
		await end((permit) => permit.throttled(300));
		wait(flow, 'soon', { family: 'other' });
		await clock.pass(300);
		expect(started).toEqual(['report', 'other', 'soon']);
		await clock.pass(4_699);
		expect(started).toHaveLength(3);
		await clock.pass(1);
		expect(started).toEqual(['report', 'other', 'soon', 'late']);
		await clock.pass(1_000);
		expect(clock.sleeping).toBe(0);
	});

	test('ends on time although the clock is set back by an hour', async () => {
		const { queue, clock, started, wait } = await pausedFor(5_000);
		wait(queue.open(20), 'second');
		await clock.pass(2_500);
		clock.setBack(3_600_000);
		await clock.pass(5_000);
		expect(started).toEqual(['first', 'second']);
	});

	test('ends at once for a call whose deadline is before the end of the pause, with the time at which it could start', async () => {
		const { queue, clock, started, wait, end } = openQueue();
		const flow = queue.open(1);
		wait(flow, 'first');
		const patient = wait(flow, 'patient', { maxWaitMs: 60_000 });
		const impatient = wait(flow, 'impatient', { maxWaitMs: 59_999 });
		await flush();
		await end((permit) => permit.throttled(60_000));
		const late = wait(queue.open(1), 'late', { maxWaitMs: 59_999 });
		await flush();
		expect([impatient, late].map(notBefore)).toEqual([T0 + 60_000, T0 + 60_000]);
		expect(patient.admission).toBeUndefined();
		await clock.pass(60_000);
		expect(started).toEqual(['first', 'patient']);
	});

	test('ends for the impatient calls of each flow, and the other calls keep their order', async () => {
		const { queue, clock, started, wait, waitAll, end } = openQueue();
		const flows = ['a', 'b', 'c'].map(() => queue.open(1));
		wait(flows[0], 'first');
		const a = waitAll(flows[0], names('a', 2), { maxWaitMs: 1_000 });
		waitAll(flows[1], names('b', 2));
		const c = [wait(flows[2], 'c1', { maxWaitMs: 1_000 }), wait(flows[2], 'c2')];
		await flush();
		await end((permit) => permit.throttled(2_000));
		expect([...a, ...c].map(notBefore)).toEqual([T0 + 2_000, T0 + 2_000, T0 + 2_000, undefined]);
		await clock.pass(2_000);
		while (started.length < 4) await end();
		expect(started).toEqual(['first', 'b1', 'c2', 'b2']);
	});

	test('ends for one call after the other, as the pauses get longer', async () => {
		const { queue, clock, wait, waitAll, end } = openQueue();
		const flow = queue.open(2);
		waitAll(flow, ['first', 'second']);
		const calls = [1_000, 10_000, 20_000].map((maxWaitMs) => wait(flow, 'a', { maxWaitMs }));
		await flush();
		await end((permit) => permit.throttled(2_000));
		expect(calls.map(notBefore)).toEqual([T0 + 2_000, undefined, undefined]);
		await clock.pass(1_000);
		await end((permit) => permit.throttled(18_000));
		expect(calls.map(notBefore)).toEqual([T0 + 2_000, T0 + 19_000, undefined]);
	});

	test('goes on for a flow behind one whose calls were all rejected', async () => {
		const { queue, clock, started, wait, end } = openQueue();
		const [given, kept] = [queue.open(1), queue.open(1)];
		wait(given, 'first');
		wait(given, 'impatient', { maxWaitMs: 1_000 });
		wait(kept, 'patient');
		await flush();
		await end((permit) => permit.throttled(2_000));
		wait(given, 'again', { maxWaitMs: 5_000 });
		await clock.pass(2_000);
		expect(started).toEqual(['first', 'patient']);
		await end();
		expect(started).toEqual(['first', 'patient', 'again']);
	});

	test('does not include queueing: a deadline that passes in the queue rejects no call', async () => {
		const { queue, clock, started, waitAll, end } = openQueue();
		waitAll(queue.open(1), names('a', 3), { maxWaitMs: 1_000 });
		await flush();
		await clock.pass(10_000);
		await end((permit) => permit.accepted({ left: 100, resetMs: 60_000 }));
		await end();
		expect(started).toEqual(['a1', 'a2', 'a3']);
	});

	test('does not include the rate limit: a deadline that passes because of it rejects no call', async () => {
		const { queue, clock, started, waitAll, end } = openQueue();
		waitAll(queue.open(1), names('a', 40), { maxWaitMs: 2_000 });
		await flush();
		for (let n = 0; n < 4; n += 1) await end();
		await end((permit) => permit.throttled(500));
		for (let n = 0; n < 100; n += 1) {
			await clock.pass(200);
			if (started.length > 5 && n % 2 === 0) await end().catch(() => undefined);
		}
		expect(started).toHaveLength(40);
	});
});

describe('a rate-limit window', () => {
	/** Two calls to an endpoint are in flight, and the first reply says that nothing is left for a minute. */
	const spent = async (more: { maxWaitMs?: number } = {}) => {
		const all = openQueue();
		const flow = all.queue.open(20);
		all.waitAll(flow, ['first', 'second']);
		await flush();
		await all.end((permit) => permit.accepted({ left: 1, resetMs: 60_000 }));
		const calls = all.waitAll(flow, names('held', 2), more);
		await flush();
		return { ...all, flow, calls };
	};

	test('that is used up holds back its endpoint, and no other, not even in the same flow', async () => {
		const { started, flow, queue, wait, end } = await spent();
		wait(flow, 'same flow', { family: 'other' });
		wait(queue.open(20), 'other flow', { family: 'other' });
		wait(queue.open(20), 'held too');
		await flush();
		expect(started).toEqual(['first', 'second', 'same flow', 'other flow']);
		await end();
		expect(started).toHaveLength(4);
	});

	test('lets calls start as soon as a reply reports that more are left', async () => {
		const { started, end } = await spent();
		await end((permit) => permit.accepted({ left: 1, resetMs: 60_000 }));
		expect(started).toEqual(['first', 'second', 'held1']);
	});

	test('lets calls start when it resets, although a reply is still outstanding', async () => {
		const { clock, started } = await spent();
		await clock.pass(59_999);
		expect(started).toEqual(['first', 'second']);
		await clock.pass(1);
		expect(started).toEqual(['first', 'second', 'held1', 'held2']);
	});

	test.each<[string, (permit: Permit) => void]>([
		['says so', (permit) => permit.accepted({ left: 0, resetMs: 60_000 })],
		['says nothing of it', (permit) => permit.accepted()],
		['never comes', (permit) => permit.ignored()],
	])('rejects the calls that cannot wait so long, once the last reply %s', async (_, how) => {
		const { calls, end } = await spent({ maxWaitMs: 30_000 });
		expect(calls.map(notBefore)).toEqual([undefined, undefined]);
		await end(how);
		expect(calls.map(notBefore)).toEqual([T0 + 60_000, T0 + 60_000]);
	});

	test('lets the calls that waited for it start in order of arrival', async () => {
		const { clock, started, flow, wait } = await spent();
		await clock.pass(60_000);
		wait(flow, 'late');
		await flush();
		expect(started).toEqual(['first', 'second', 'held1', 'held2', 'late']);
	});
});

describe('calls to several endpoints in one flow', () => {
	test('start in order of arrival', async () => {
		const { queue, started, wait, end } = openQueue();
		const flow = queue.open(1);
		for (const [n, family] of [...'abcacbba'].entries()) wait(flow, `${family}${n}`, { family });
		await flush();
		while (started.length < 8) await end();
		expect(started).toEqual(['a0', 'b1', 'c2', 'a3', 'c4', 'b5', 'b6', 'a7']);
	});
});

describe('closing a flow', () => {
	test('ends all waiting in it at once, also for later calls', async () => {
		const { queue, clock, waitAll, wait, started } = openQueue();
		const flow = queue.open(2);
		const calls = waitAll(flow, names('a', 5));
		await flush();
		flow.close();
		const late = wait(flow, 'late');
		await flush();
		expect(calls.slice(2).map(({ admission }) => admission)).toEqual(new Array(3).fill('closed'));
		expect(late.admission).toBe('closed');
		expect(started).toEqual(['a1', 'a2']);
		expect(clock.slept).toEqual([]);
	});

	test('in a pause leaves no timer behind except the one that is set', async () => {
		const { queue, clock, wait, end } = openQueue();
		const flow = queue.open(20);
		wait(flow, 'first');
		await flush();
		await end((permit) => permit.throttled(3_600_000));
		wait(flow, 'second');
		await clock.pass(2_500);
		flow.close();
		const naps = clock.slept.length;
		await clock.pass(1_000);
		expect(clock.sleeping).toBe(0);
		await clock.pass(3_600_000);
		expect(clock.slept).toHaveLength(naps);
	});

	test('does not disturb the other flows or the calls in flight', async () => {
		const { queue, started, waitAll, end } = openQueue();
		const [closed, open] = [queue.open(1), queue.open(1)];
		waitAll(closed, names('closed', 3));
		waitAll(open, names('open', 3));
		await flush();
		closed.close();
		for (let n = 0; n < 3; n += 1) await end();
		expect(started).toEqual(['closed1', 'open1', 'open2', 'open3']);
	});
});

describe('the work of the queue', () => {
	/** How often the limiter is asked anything: at least once for each flow that is looked at. */
	const countQuestions = () => {
		const methods = ['roomUnder', 'opensAt', 'startsAt', 'startsAtLatest', 'pauseEndsAt'] as const;
		const spies = methods.map((method) => jest.spyOn(AdaptiveLimiter.prototype, method));
		return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
	};
	afterEach(() => jest.restoreAllMocks());

	const FLOWS = 500;
	const EACH = 20;
	const REPORT = { left: 1e6, resetMs: 60_000 };

	test.each<[string, number, (permit: Permit) => void, (permit: Permit) => void]>([
		[
			'held back by the limit of calls in flight',
			10,
			(permit) => permit.accepted(),
			(permit) => permit.accepted(),
		],
		['held back by the rate', 100, (permit) => permit.throttled(0), (permit) => permit.accepted()],
		[
			'held back by a pause',
			1,
			(permit) => permit.throttled(10_000),
			(permit) => permit.accepted(),
		],
		[
			'each reply reports a window',
			10,
			(permit) => permit.accepted(REPORT),
			(permit) => permit.accepted(REPORT),
		],
	])('grows with the number of calls, not of flows: %s', async (_, calls, last, how) => {
		const { queue, clock, started, permits, waitAll, end } = openQueue();
		const first = queue.open(20);
		waitAll(first, names('first', calls), { maxWaitMs: 600_000 });
		await flush();
		while (started.length < calls) await end();
		await end(last);
		while (permits.length > 0) await end();

		const questions = countQuestions();
		for (let flow = 0; flow < FLOWS; flow += 1) {
			waitAll(queue.open(20), names('a', EACH), { maxWaitMs: 600_000 });
		}
		for (await flush(); permits.length + clock.sleeping > 0; await flush()) {
			for (const permit of permits.splice(0)) how(permit);
			await flush();
			if (permits.length === 0 && clock.sleeping > 0) await clock.passNext();
		}
		expect(started).toHaveLength(calls + FLOWS * EACH);
		// Each call has two limiters
		expect(questions()).toBeLessThan(60 * FLOWS * EACH);
	});

	test('checks a used-up window once, not for each call that waits for it', async () => {
		const { queue, permits, started, wait, waitAll, end } = openQueue();
		wait(queue.open(20), 'report');
		await flush();
		await end((permit) => permit.accepted({ left: 0, resetMs: 60_000 }));
		for (let flow = 0; flow < FLOWS; flow += 1) waitAll(queue.open(20), names('held', EACH));
		const others = queue.open(20);
		const startsAt = jest.spyOn(AdaptiveLimiter.prototype, 'startsAt');
		waitAll(others, names('other', 100), { family: 'other' });
		await flush();
		while (permits.length > 0) await end();
		expect(started).toHaveLength(101);
		expect(startsAt.mock.calls.length).toBeLessThan(10 * 100);
	});
});

describe('the queues of this process', () => {
	test('are shared by all executions, one for each base URL and API key', () => {
		const clock = new HandClock();
		const queue = fairQueueFor('https://a.example', 'sandbox-key-1', clock);
		queue.open(1);
		expect(fairQueueFor('https://a.example', 'sandbox-key-1', clock)).toBe(queue);
		expect(fairQueueFor('https://b.example', 'sandbox-key-1', clock)).not.toBe(queue);
		expect(fairQueueFor('https://a.example', 'sandbox-key-2', clock)).not.toBe(queue);
		expect(fairQueueFor('https://a.examplesandbox-key-1', '', clock)).not.toBe(queue);
	});

	test('are kept between executions with their pause, and forgotten after ten minutes without a call', async () => {
		const clock = new HandClock();
		const ask = async () => {
			const queue = fairQueueFor('https://c.example', 'sandbox-key-1', clock);
			const flow = queue.open(1);
			const admission = await flow.acquire('lookup', clock.at + 1_000);
			if (admission !== 'closed' && 'permit' in admission) admission.permit.throttled(60_000);
			flow.close();
			return { queue, admission };
		};
		const first = await ask();
		clock.at += 10_000;
		const second = await ask();
		expect(second.queue).toBe(first.queue);
		expect(second.admission).toEqual({ notBefore: T0 + 60_000 });
		clock.at = T0 + 600_001;
		expect((await ask()).queue).not.toBe(first.queue);
	});

	test('are never forgotten while a flow is open', () => {
		const clock = new HandClock();
		const queue = fairQueueFor('https://d.example', 'sandbox-key-1', clock);
		const flow = queue.open(1);
		clock.at += 86_400_000;
		expect(fairQueueFor('https://d.example', 'sandbox-key-1', clock)).toBe(queue);
		flow.close();
		expect(fairQueueFor('https://d.example', 'sandbox-key-1', clock)).not.toBe(queue);
	});
});
