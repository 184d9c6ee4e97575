import fc from 'fast-check';
import { AdaptiveLimiter, fairQueueFor, FamilyLimiters, type Permit } from '../../engine';
import { flush, HandClock, openQueue, type QueuedCall, T0 } from '../fakes/handClock';

const names = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`);

interface PlainCall {
	name: string;
	family: string;
	deadline: number;
}

/** A fair queue that saves no work: in each moment it looks at every call. */
class PlainQueue {
	/** The calls as they start (`a1 9`: after 9 ms), or are rejected (`a1>9`: a pause ends then; `a1x`: the flow was closed). */
	readonly log: string[] = [];
	readonly permits: Permit[] = [];
	private readonly limiters = new FamilyLimiters(() => 0.5);
	private readonly flows;
	/** How many calls may still start in this tick of the event loop. */
	private left = 5;
	/** The flows with a queued call, the next one first. */
	private turns: typeof this.flows = [];

	constructor(
		private readonly clock: HandClock,
		caps: number[],
	) {
		this.flows = caps.map((cap) => ({ cap, inFlight: 0, queued: [] as PlainCall[] }));
	}

	acquire(flow: number, call: PlainCall) {
		const { cap, queued } = this.flows[flow];
		if (cap === 0) this.log.push(`${call.name}x`);
		else if (queued.push(call) === 1) this.turns.push(this.flows[flow]);
		this.look();
	}

	close(flow: number) {
		for (const { name } of this.flows[flow].queued.splice(0)) this.log.push(`${name}x`);
		this.flows[flow].cap = 0;
	}

	/** Rejects and starts what it can. */
	look() {
		const { limiters, clock, log } = this;
		for (const flow of this.turns) {
			flow.queued = flow.queued.filter(({ name, family, deadline }) => {
				const endsAt = limiters.pauseEndsAt(family, clock.at) ?? 0;
				if (endsAt > deadline) log.push(`${name}>${endsAt - T0}`);
				return endsAt <= deadline;
			});
		}
		this.turns = this.turns.filter(({ queued }) => queued.length > 0);
		const most = Math.max(...this.flows.map(({ cap }) => cap));
		const mayStart = ({ family }: PlainCall) =>
			limiters.startsAt(family, clock.at) <= clock.at &&
			limiters.hasRoom(most) &&
			limiters.hasRoom(most, family);
		const flow = this.turns.find(
			({ cap, inFlight, queued }) => inFlight < cap && queued.some(mayStart),
		);
		if (!flow || this.left === 0) return;
		this.left -= 1;
		const [{ name, family }] = flow.queued.splice(flow.queued.findIndex(mayStart), 1);
		const call = limiters.start(family, clock.at);
		const ending = (how: () => void) => {
			flow.inFlight -= 1;
			how();
			this.look();
		};
		this.permits.push({
			accepted: (window) =>
				ending(() => {
					const areHeld = this.turns.length > 0 && this.left === 0;
					limiters.accepted(call, clock.at, window, areHeld);
				}),
			throttled: (ms) => ending(() => limiters.throttled(call, clock.at, ms)),
			ignored: () => ending(() => limiters.ignored(call)),
		});
		flow.inFlight += 1;
		this.turns = [...this.turns.filter((other) => other !== flow), flow];
		log.push(`${name} ${clock.at - T0}`);
		this.look();
	}

	tick() {
		this.left = 5;
		this.look();
	}

	get isBusy() {
		return this.permits.length + this.turns.length > 0;
	}

	/** When it has to look again, if nothing else happens. */
	nextAt(): number {
		const { limiters, clock } = this;
		const times = this.flows
			.flatMap(({ queued }) => queued)
			.map(({ family }) => Math.ceil(limiters.startsAtLatest(family, clock.at)));
		return Math.min(Infinity, ...times.filter((at) => at > clock.at));
	}
}

const ACCEPT = (permit: Permit) => permit.accepted();
/** How a call ends, with a time and a count. */
const ENDS: Array<(permit: Permit, ms: number, left: number) => void> = [
	...[ACCEPT, ACCEPT, ACCEPT, ACCEPT, ACCEPT],
	(permit, resetMs, left) => permit.accepted({ left, resetMs }),
	(permit, ms) => permit.throttled(ms),
	(permit) => permit.throttled(),
	(permit) => permit.ignored(),
];
const FLOWS = 4;
const random = fc.record({
	caps: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: FLOWS, maxLength: FLOWS }),
	events: fc.array(
		fc.record({
			/** A call, its end, time, a tick, or the end of a flow. */
			what: fc.constantFrom(...'ccccceeeeeeeemmmmttttx'),
			...{ flow: fc.nat({ max: FLOWS - 1 }), nth: fc.nat({ max: 3 }) },
			...{ family: fc.constantFrom(...'aabc'), maxWaitMs: fc.constantFrom(Infinity, 500, 2_000) },
			...{ end: fc.constantFrom(...ENDS), ms: fc.constantFrom(0, 1, 40, 300, 1_000, 2_500) },
		}),
		{ maxLength: 80, size: 'max' },
	),
});

describe('the flows of a fair queue', () => {
	test('take turns: the same calls start and are rejected as where each is looked at in each moment', async () => {
		const isAlike = async ({
			caps,
			events,
		}: typeof random extends fc.Arbitrary<infer Value> ? Value : never) => {
			const { queue, clock, permits, wait, end } = openQueue();
			let begin = () => {};
			clock.nextTick = async () => await new Promise<void>((go) => (begin = go));
			const plain = new PlainQueue(clock, caps);
			const flows = caps.map((cap) => queue.open(cap));
			const log: string[] = [];
			const onEnd = ({ name, admission }: QueuedCall) => {
				if (admission === 'closed') log.push(`${name}x`);
				else if (admission && 'notBefore' in admission)
					log.push(`${name}>${admission.notBefore - T0}`);
				else log.push(`${name} ${clock.at - T0}`);
			};
			const endOne = async (nth: number, how: (permit: Permit) => void) => {
				if (permits.length === 0) return;
				how(plain.permits.splice(nth % permits.length, 1)[0]);
				await end(how, nth % permits.length);
			};
			const pass = async (ms: number) => {
				const until = clock.at + ms;
				while (clock.at < until) {
					const next = Math.min(until, plain.nextAt(), clock.at + clock.nextIn());
					await clock.pass(next - clock.at);
					plain.look();
				}
			};
			for (const [n, event] of events.entries()) {
				const { what, flow, family, maxWaitMs, nth, ms } = event;
				if (what === 'c') {
					for (const name of names(`${n}.`, nth + 1)) {
						plain.acquire(flow, { name, family, deadline: clock.at + maxWaitMs });
						wait(flows[flow], name, { family, maxWaitMs, onEnd });
					}
				} else if (what === 'e') await endOne(nth, (permit) => event.end(permit, ms, flow));
				else if (what === 'm') await pass(ms);
				else if (what === 'x') {
					plain.close(flow);
					flows[flow].close();
				} else {
					plain.tick();
					begin();
				}
				await flush();
				expect(log).toEqual(plain.log);
			}
			for (let left = 900; left > 0 && plain.isBusy; left -= 1) {
				plain.tick();
				begin();
				await flush();
				await endOne(0, ACCEPT);
				await pass(100);
			}
			await pass(1_000);
			expect([log, plain.isBusy, clock.sleeping]).toEqual([plain.log, false, 0]);
			// It wakes once a second, or when a call may start
			expect(Math.max(0, ...clock.slept)).toBeLessThanOrEqual(1_000);
			const most = events.length + log.length + (clock.at - T0) / 1_000;
			expect(clock.slept.length).toBeLessThanOrEqual(most);
		};
		await fc.assert(fc.asyncProperty(random, isAlike), { numRuns: 300, seed: 7 });
	});

	test('wait as long as a pause lasts although the clock is set back by an hour', async () => {
		const { queue, clock, started, waitAll, end } = openQueue();
		waitAll(queue.open(1), ['first', 'second']);
		await flush();
		await end((permit) => permit.throttled(5_000));
		await clock.pass(2_500);
		clock.setBack(3_600_000);
		await clock.pass(5_000);
		expect(started).toEqual(['first', 'second']);
	});
});

describe('a refusal of one family of endpoints', () => {
	const refusing = (...refused: Array<[family: string, pauseMs: number]>) => {
		const limiters = new FamilyLimiters(() => 0.5);
		limiters.accepted(limiters.start('slow', T0), T0);
		for (const [family, pauseMs] of refused)
			limiters.throttled(limiters.start(family, T0), T0, pauseMs);
		const families = ['slow', 'fast', 'new'];
		return { limiters, waits: families.map((family) => limiters.startsAt(family, T0) - T0) };
	};

	test('pauses no other family, and passes its rate to no other', () => {
		const { limiters, waits } = refusing(['slow', 1_000]);
		expect(waits).toEqual([1_000, 0, 0]);
		const at = T0 + 1_000;
		for (const family of ['slow', 'fast']) limiters.start(family, at);
		expect(limiters.startsAt('slow', at)).toBeGreaterThan(at);
		expect(limiters.startsAt('fast', at)).toBe(at);
	});

	test('applies to the whole service when a second family is refused meanwhile, and then a third', () => {
		expect(refusing(['slow', 5_000], ['fast', 1_000]).waits).toEqual([5_000, 1_000, 1_000]);
		const { limiters, waits } = refusing(['slow', 5_000], ['fast', 1_000], ['new', 2_000]);
		expect(waits).toEqual([5_000, 2_000, 2_000]);
		expect(limiters.pauseEndsAt('new', T0)).toBe(T0 + 2_000);
	});

	test('halves the limit of its family alone, and a window is of one family too', () => {
		const { limiters } = refusing(['slow', 0]);
		const calls = Array.from({ length: 5 }, () => limiters.start('slow', T0));
		const rooms = () => [
			...['slow', 'fast', undefined].map((family) => limiters.hasRoom(99, family)),
			limiters.hasRoom(5),
		];
		expect(rooms()).toEqual([false, true, true, false]);
		limiters.ignored(calls[0]);
		expect(rooms()).toEqual([true, true, true, true]);
		limiters.accepted(calls[1], T0, { left: 0, resetMs: 60_000 });
		const times = ['slow', 'fast'].map((family) => limiters.startsAtLatest(family, T0) - T0);
		expect(times).toEqual([60_000, 0]);
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
