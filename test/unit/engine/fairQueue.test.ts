import { AdaptiveLimiter, fairQueueFor, type Flow, type Permit } from '../../engine';
import { flush, HandClock, openQueue, T0 } from '../fakes/handClock';

/**
 * Plays a script on a fair queue. Its log has the calls in the order in which they start (`a2`, the second of flow a) or are
 * rejected (`a2>9`, since a pause ends 9 ms after the start; `a2x`, since the flow was closed). The words of a script:
 * - `a=9` opens flow a with a cap of 9, `x:a` closes it. `a`, `a*3`, `a.b<9` are calls: one, three, one to family b that waits
 *   9 ms at most.
 * - The oldest call in flight ends: `.` answered (`.3` three of them), `w1:9` answered with a window (1 left, for 9 ms), `!9`
 *   throttled with a pause of 9 ms (`!9*3` three of them), `i` failed. `A` answers all at once.
 * - `+9`, `-9` let 9 ms pass, or set the clock back. `t` begins a tick; a script with one has no other ticks.
 * - `|` is written into the log, `p` as the number of calls in flight.
 */
async function trace(script: string) {
	const { queue, clock, permits, wait, end } = openQueue();
	const log: string[] = [];
	const flows = new Map<string, Flow>();
	const calls = new Map<string, number>();
	let begin = () => {};
	const words = script.split(' ');
	if (words.includes('t'))
		clock.nextTick = async () => await new Promise<void>((go) => (begin = go));
	const callOf = (name: string, family: string | undefined, maxWaitMs?: string) => {
		const nth = (calls.get(name) ?? 0) + 1;
		calls.set(name, nth);
		wait(flows.get(name) ?? queue.open(1), `${name}${nth}`, {
			...{ family, maxWaitMs: maxWaitMs ? Number(maxWaitMs) : undefined },
			onEnd: ({ admission }) => {
				const late = admission !== 'closed' && admission && 'notBefore' in admission;
				const how = late ? `>${admission.notBefore - T0}` : '';
				log.push(`${name}${nth}${admission === 'closed' ? 'x' : how}`);
			},
		});
	};
	const play = async (word: string) => {
		const [, name, cap] = /^([a-z])=(\d+)$/.exec(word) ?? [];
		const call = /^([a-z])(?:\.(\w+))?(?:<(\d+))?$/.exec(word);
		const [number, more] = word.slice(1).split(':').map(Number);
		if (name) flows.set(name, queue.open(Number(cap)));
		else if (word.startsWith('x:')) flows.get(word[2])?.close();
		else if (word === 't') begin();
		else if (word === 'i') await end((permit) => permit.ignored());
		else if (word === 'p') log.push(String(permits.length));
		else if (call) return callOf(call[1], call[2], call[3]);
		else if (word.startsWith('.')) for (let n = 0; n < (number || 1); n += 1) await end();
		else if (word.startsWith('w'))
			await end((permit) => permit.accepted({ left: number, resetMs: more }));
		else if (word.startsWith('!')) await end((permit) => permit.throttled(number));
		else if (word === 'A') for (const permit of permits.splice(0)) permit.accepted();
		else if (word.startsWith('+')) await clock.pass(number);
		else if (word.startsWith('-')) clock.setBack(number);
		if (!name) await flush();
		if (word === '|') log.push('|');
	};
	for (const word of words) {
		const [once, times = '1'] = word.split('*');
		for (let n = 0; n < Number(times); n += 1) await play(once);
	}
	await flush();
	return { log: log.join(' '), clock };
}

const traced = (rows: Array<[title: string, script: string, log: string]>) => {
	test.each(rows)('%s', async (_, script, expected) => {
		const { log } = await trace(script);
		expect(expected.endsWith(' …') ? `${log.slice(0, expected.length - 2)} …` : log).toBe(expected);
	});
};
const names = (prefix: string, count: number, from = 1) =>
	Array.from({ length: count }, (_, n) => `${prefix}${n + from}`);
const many = (...of: Parameters<typeof names>) => names(...of).join(' ');

describe('the flows of a fair queue', () => {
	traced([
		[
			'start one call of each per round, in order of arrival within a flow',
			'a=1 b=1 c=1 a*3 b*3 c*3 | .8',
			'a1 | a2 b1 c1 a3 b2 c2 b3 c3',
		],
		[
			'do not overtake by adding one call after the other',
			`a=1 b=1 a b*3 |${' a .'.repeat(5)}`,
			'a1 | b1 a2 b2 a3 b3',
		],
		[
			'start calls to several endpoints in order of arrival',
			'a=1 a.a a.b a.c a.a a.c a.b a.b a.a | .7',
			`a1 | ${many('a', 7, 2)}`,
		],
	]);

	test.each([1, 4, 20])(
		'let a single call among %i lists wait for at most one call of each',
		async (lists) => {
			const { queue, started, wait, waitAll, end } = openQueue();
			for (let list = 0; list < lists; list += 1) waitAll(queue.open(20), names('list', 200));
			await flush();
			for (let n = 0; n < 137; n += 1) await end();
			const before = started.length;
			wait(queue.open(20), 'single');
			while (!started.includes('single')) await end();
			expect(started.indexOf('single') - before).toBeLessThanOrEqual(lists);
		},
	);
});

describe('a refusal of one family of endpoints', () => {
	traced([
		[
			'pauses no other family, in the same flow or another',
			'a=20 b=20 a.s | !1800000 a.s<600000 a.e b.b | a.s +1799999 | +1',
			'a1 | a2>1800000 a3 b1 | | a4',
		],
		[
			'passes its rate to no other family',
			'a=20 a.slow*2 | . !1000 +1000 a.slow*20 a.fast*20 |',
			`a1 a2 | a3 ${many('a', 9, 23)} |`,
		],
		[
			'applies to the whole service when a second family is refused meanwhile',
			'a=20 a.s | !1800000 a.e | !30000 a.p<29999 a.p +29999 | +1 | !10000 a.b a.e +9999 | +1',
			'a1 | a2 | a3>30000 | a4 | | a5 a6',
		],
		[
			'keeps its turn before the flows behind it',
			'a=20 b=20 a.s | !1800000 a.s b.s*30 b.e +1800000',
			'a1 | b31 a2 b1 …',
		],
	]);
});

describe('the number of calls that start at once', () => {
	traced([
		[
			'excludes a call that waits for the next tick when a throttling arrives before it',
			'a=10 a*9 a<30000 | !60000 t t | +60000',
			`${many('a', 5)} | a10>60000 | a6`,
		],
		[
			'excludes a call that waits for the next tick when its flow is closed before it',
			'a=10 a*8 | x:a t t',
			`${many('a', 5)} | a6x a7x a8x`,
		],
		[
			'is the number of answered ones, also when all answers arrive in one tick',
			'a=100 a*100 | t t | A t*10 p',
			`${many('a', 5)} | ${many('a', 5, 6)} | ${many('a', 20, 11)} 20`,
		],
		['is five in each tick', 'a=8 a*9 | t | t |', `${many('a', 5)} | a6 a7 a8 | |`],
		[
			'is the cap of a flow at most, and the largest cap for all flows',
			'a=2 b=5 a*10 b*10 | . p .6 p',
			'a1 a2 b1 b2 b3 | a3 5 b4 a4 b5 b6 a5 b7 5',
		],
		[
			'falls again after the flow with the largest cap is closed',
			'a=5 b=2 a*5 b*5 | x:a .3 | . | .',
			`${many('a', 5)} | | b1 | b2`,
		],
		['is not limited by a flow at its cap', 'a=1 b=10 a*10 b*10 |', `a1 ${many('b', 9)} |`],
		[
			'is at most what the adaptive limiter allows: ten at first, half after a throttling',
			'a=500 a*100 | !1000*10 | +1000 p',
			`${many('a', 10)} | | ${many('a', 5, 11)} 5`,
		],
	]);
});

describe('waiting for the end of a pause', () => {
	traced([
		[
			'lasts until the pause ends, to the millisecond',
			'a=20 a | !61500 a +61499 | +1',
			'a1 | | a2',
		],
		[
			'ends on time although the clock is set back by an hour',
			'a=20 a | !5000 a +2500 -3600000 +5000',
			'a1 | a2',
		],
		[
			'ends at once for a call whose deadline is before the end of the pause',
			'a=1 b=1 a a<60000 a<59999 | !60000 b<59999 | +60000',
			'a1 | a3>60000 b1>60000 | a2',
		],
		[
			'ends for the impatient calls of each flow, and the other calls keep their order',
			'a=1 b=1 c=1 a a<1000*2 b*2 c<1000 c | !2000 | +2000 .2',
			'a1 | a2>2000 a3>2000 c1>2000 | b1 c2 b2',
		],
		[
			'goes on for a flow behind one whose calls were all rejected',
			'a=1 b=1 a a<1000 b | !2000 a<5000 +2000 | .',
			'a1 | a2>2000 b1 | a3',
		],
		[
			'does not include queueing: a deadline that passes in the queue rejects no call',
			'a=1 a<1000*3 | +10000 w100:60000 .',
			'a1 | a2 a3',
		],
		[
			'does not include the rate limit: a deadline that passes because of it rejects no call',
			`a=1 a<2000*20 | .4 !500${' +600 .'.repeat(14)}`,
			`a1 | ${many('a', 19, 2)}`,
		],
	]);

	test('wakes at most once a second, however many calls wait', async () => {
		const flows = [...'abcdefgh'];
		const opened = flows.map((name) => `${name}=20`).join(' ');
		const { clock } = await trace(
			`${opened} a | !60000 ${flows.map((name) => `${name}*20`).join(' ')} +60000`,
		);
		expect(Math.max(...clock.slept)).toBe(1_000);
		expect(clock.slept.filter((ms) => ms === 1_000)).toHaveLength(60);
		expect(clock.slept.length).toBeLessThanOrEqual(60 + 20);
	});

	test('ends earlier for a call that may start earlier, and leaves no timer behind', async () => {
		const { log, clock } = await trace(
			'a=20 a | w0:5000 a a.o | !300 a.o +300 | +4699 | +1 | +1000',
		);
		expect(log).toBe('a1 | a3 | a4 | | a2 |');
		expect(clock.sleeping).toBe(0);
	});
});

describe('a rate-limit window', () => {
	/** Two calls to an endpoint are in flight, and the first reply says that nothing is left for a minute. */
	const SPENT = 'a=20 a*2 | w1:60000 a*2 |';

	traced([
		[
			'that is used up holds back its endpoint, and no other, not even in the same flow',
			`${SPENT} a.o b=20 b.o b | .`,
			'a1 a2 | | a5 b1 |',
		],
		[
			'lets calls start as soon as a reply reports that more are left',
			`${SPENT} w1:60000`,
			'a1 a2 | | a3',
		],
		[
			'lets calls start when it resets, in order of arrival, although a reply is still outstanding',
			`${SPENT} +59999 | +1 a`,
			'a1 a2 | | | a3 a4 a5',
		],
		...['w0:60000', '.', 'i'].map((end): [string, string, string] => [
			`rejects the calls that cannot wait so long, once the last reply is in: ${end}`,
			`a=20 a*2 | w1:60000 a<30000*2 | ${end}`,
			'a1 a2 | | a3>60000 a4>60000',
		]),
	]);
});

describe('closing a flow', () => {
	test('ends all waiting in it at once, also for later calls', async () => {
		const { log, clock } = await trace('a=2 a*5 | x:a a |');
		expect(log).toBe('a1 a2 | a3x a4x a5x a6x |');
		expect(clock.slept).toEqual([]);
	});

	test('in a pause leaves no timer behind except the one that is set', async () => {
		const { clock } = await trace('a=20 a | !3600000 a +2500 x:a');
		const naps = clock.slept.length;
		await clock.pass(1_000);
		expect(clock.sleeping).toBe(0);
		await clock.pass(3_600_000);
		expect(clock.slept).toHaveLength(naps);
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

	const FLOWS = 150;
	const EACH = 10;
	const ACCEPT = (permit: Permit) => permit.accepted();
	const REPORT = (permit: Permit) => permit.accepted({ left: 1e6, resetMs: 60_000 });

	test.each<[string, number, (permit: Permit) => void, (permit: Permit) => void]>([
		['held back by the limit of calls in flight', 10, ACCEPT, ACCEPT],
		['held back by the rate', 100, (permit) => permit.throttled(0), ACCEPT],
		['held back by a pause', 1, (permit) => permit.throttled(10_000), ACCEPT],
		['each reply reports a window', 10, REPORT, REPORT],
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
});

describe('the queues of this process', () => {
	test('are shared by all executions while a flow is open, one for each base URL and API key', () => {
		const clock = new HandClock();
		const queue = fairQueueFor('https://a.example', 'sandbox-key-1', clock);
		const flow = queue.open(1);
		expect(fairQueueFor('https://a.example', 'sandbox-key-1', clock)).toBe(queue);
		expect(fairQueueFor('https://b.example', 'sandbox-key-1', clock)).not.toBe(queue);
		expect(fairQueueFor('https://a.example', 'sandbox-key-2', clock)).not.toBe(queue);
		expect(fairQueueFor('https://a.examplesandbox-key-1', '', clock)).not.toBe(queue);
		// An open flow keeps its queue
		clock.at += 86_400_000;
		expect(fairQueueFor('https://a.example', 'sandbox-key-1', clock)).toBe(queue);
		flow.close();
		expect(fairQueueFor('https://a.example', 'sandbox-key-1', clock)).not.toBe(queue);
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
});
