import {
	CircuitBreakers,
	circuitBreaker,
} from '../../../nodes/LookupMessaging/engine/network/circuitBreakers';
import { Ledger, type AccountTotals } from '../../../nodes/LookupMessaging/engine/billing/ledger';
import type { Endpoint } from '../../../nodes/LookupMessaging/engine/client';
import type {
	Failure,
	Reply,
	Result,
	Success,
} from '../../../nodes/LookupMessaging/engine/results';
import type { JournalKey } from '../../../nodes/LookupMessaging/engine/memory/journal';
import {
	compose,
	isNotRetried,
	journaled,
	rateLimit,
	retry,
	type Call,
	type Layer,
	type Send,
} from '../../../nodes/LookupMessaging/engine/network/layers';
import { isFailed } from '../../../nodes/LookupMessaging/engine/operation';
import type { Flow } from '../../../nodes/LookupMessaging/engine/pacing/fairQueue';
import {
	endpoint,
	FakeExecution,
	fakeNetwork,
	fakeSend,
	flush,
	held,
	inTurn,
	paid,
	PRICE,
	T0,
	type FakeNetworkOptions,
	type Script,
} from '../fakes/fakeSend';
import { httpError, ok } from '../fakes/replies';

const YES = ok({ status: true });
const LOST: Reply = { kind: 'lost', reason: 'the connection broke' };
const DEAD: Reply = {
	kind: 'unreachable',
	reason: 'the connection was refused',
	isTransient: true,
};
const UNTRUSTED: Reply = { kind: 'unreachable', reason: 'its certificate is self-signed' };
const SLOWER: Reply = { kind: 'throttled', status: 429, reason: 'too fast', retryAfterMs: 1_000 };
const pauseOf = (ms: number): Reply => ({ ...SLOWER, kind: 'throttled', retryAfterMs: ms });

const PAID = paid('/a');
const FREE = endpoint('/a');

/** What a call came to: `answer`, or the cause of its failure. */
const kindOf = (result: Result) => (isFailed(result) ? result.failure.cause : 'answer');
const failureOf = (result: Result): Failure => {
	if (!isFailed(result)) throw new Error('The call was answered');
	return result.failure;
};

/** A run's network; `deliver` makes a call of the run's operation and says how often it was sent again. */
function open(script: Script, options: FakeNetworkOptions = {}) {
	const network = fakeNetwork(script, options);
	const { send, ledger, operation } = network;
	const deliver = async (of: Endpoint<unknown> = PAID, more: Partial<Call> = {}) => {
		const before = ledger.retries;
		const result = await send({ endpoint: of, request: of.request, breaker: operation, ...more });
		return { result, kind: kindOf(result), retries: ledger.retries - before };
	};
	return { ...network, deliver, sent: network.transport.sent };
}

const broken = () => {
	throw new TypeError('x is undefined');
};

test('layers are called from the first to the last, and return their results in reverse', async () => {
	const passed: string[] = [];
	const named =
		(name: string): Layer =>
		(next) =>
		async (call) => {
			passed.push(`to ${name}`);
			const result = await next(call);
			passed.push(`from ${name}`);
			return result;
		};
	const answer: Success = { value: 1, body: {} };
	const { send, calls } = fakeSend(answer);
	const call: Call = { endpoint: FREE, request: FREE.request };
	expect(await compose([named('a'), named('b')], send)(call)).toBe(answer);
	expect(passed).toEqual(['to a', 'to b', 'from b', 'from a']);
	expect(calls).toEqual([call]);
});

describe('retry', () => {
	const KINDS: Array<[name: string, reply: Reply, kind: string, paid: number, free: number]> = [
		['an answer', YES, 'answer', 1, 1],
		['a refusal', httpError(422, { error: 'no' }), 'refused', 1, 1],
		['a refusal of the account', httpError(401), 'refused', 1, 1],
		['a redirect', httpError(302), 'refused', 1, 1],
		['a lost reply', LOST, 'lost', 1, 3],
		['a server error', { kind: 'lost', status: 500, reason: 'the service failed' }, 'lost', 1, 3],
		['a throttled call', SLOWER, 'throttled', 8, 8],
		[
			'a throttled call without Retry-After',
			{ kind: 'throttled', status: 429, reason: 'too fast' },
			'throttled',
			8,
			8,
		],
		['a refused connection', DEAD, 'unreachable', 4, 4],
		['an untrusted certificate', UNTRUSTED, 'unreachable', 1, 1],
		['Stop', { kind: 'cancelled' }, 'notSent', 1, 1],
		['an unusable credential', { kind: 'misconfigured', reason: 'no URL' }, 'misconfigured', 1, 1],
		['a missing file', { kind: 'unreadable', reason: 'gone' }, 'storage', 1, 1],
		['an unsendable value', { kind: 'unsendable', reason: 'half' }, 'parameter', 1, 1],
	];

	describe.each([
		['goes on', false],
		['stops at any failure', true],
	])('in a run that %s', (_, stops) => {
		test.each(KINDS)(
			'repeats a paid call after %s only if it certainly was not charged',
			async (...[, reply, kind, tries]) => {
				const { deliver, sent } = open(inTurn(reply), { stops });
				expect(await deliver(PAID)).toMatchObject({ kind, retries: tries - 1 });
				expect(sent).toHaveLength(tries);
			},
		);

		test.each(KINDS)(
			'repeats a free call after %s only if that may help',
			async (...[, reply, kind, , tries]) => {
				const { deliver, sent } = open(inTurn(reply), { stops });
				expect(await deliver(FREE)).toMatchObject({ kind, retries: tries - 1 });
				expect(sent).toHaveLength(tries);
			},
		);

		test('repeats what failed until it is answered, and counts how often', async () => {
			const { deliver, sent } = open(inTurn(SLOWER, DEAD, SLOWER, YES), { stops });
			expect(await deliver(PAID)).toMatchObject({ kind: 'answer', retries: 3 });
			for (const request of sent) expect(request).toBe(PAID.request);
		});
	});

	test.each(KINDS)('does not repeat a call with noRetry after %s', async (_, reply) => {
		for (const target of [PAID, FREE]) {
			const { deliver, sent } = open(inTurn(reply));
			expect(await deliver({ ...target, noRetry: true })).toMatchObject({ retries: 0 });
			expect(sent).toHaveLength(1);
		}
	});

	test('tries a connection four times, whatever else failed before', async () => {
		const { deliver, sent } = open(inTurn(SLOWER, DEAD, SLOWER, DEAD, YES));
		expect(await deliver(PAID)).toMatchObject({ kind: 'unreachable', retries: 3 });
		expect(sent).toHaveLength(4);
	});

	test('never repeats a paid call without an answer, not even after a throttling', async () => {
		const { deliver, sent } = open(inTurn(SLOWER, DEAD, LOST, YES));
		expect(await deliver(PAID)).toMatchObject({ kind: 'lost', retries: 2 });
		expect(sent).toHaveLength(3);
	});

	test.each([
		['free', FREE],
		['paid', PAID],
	])(
		'never repeats a %s call whose read throws, which is logged with its stack',
		async (...row) => {
			const { deliver, sent, faults } = open(inTurn(YES));
			expect(await deliver({ ...row[1], read: broken })).toMatchObject({
				kind: 'fault',
				retries: 0,
			});
			expect(sent).toHaveLength(1);
			expect(faults).toHaveLength(1);
			expect(faults[0][1].stack).toContain('layers.test.ts');
		},
	);

	test.each([0, 0.25, 1 - 1e-9])(
		'pauses before another connection for a random part (%d) of half a second, doubled each time',
		async (random) => {
			const { deliver, pauses } = open(inTurn(DEAD), { random });
			await deliver(PAID);
			expect(pauses).toEqual([500, 1_000, 2_000].map((most) => random * most));
		},
	);

	test('pauses before it repeats a free call without an answer', async () => {
		const { deliver, pauses } = open(inTurn(LOST), { random: 0.5 });
		await deliver(FREE);
		expect(pauses).toEqual([250, 500]);
	});

	test('leaves the pause after a throttling to the fair queue, where it applies to all calls', async () => {
		const { deliver, pauses, clock } = open(inTurn(SLOWER, YES));
		await deliver(PAID);
		expect(pauses).toEqual([]);
		expect(clock.now() - T0).toBe(1_000);
	});

	test('keeps no permit during its pause', async () => {
		const pause = held();
		const { deliver } = open(inTurn(DEAD, YES), {
			cap: 1,
			onPause: async () => await pause.released,
		});
		const first = deliver(PAID);
		for (let n = 0; n < 5; n += 1) await flush();
		expect(await deliver(PAID)).toMatchObject({ kind: 'answer' });
		pause.release();
		expect(await first).toMatchObject({ kind: 'answer', retries: 1 });
	});

	describe('of a service without any connection', () => {
		const requests = (count: number) =>
			Array.from({ length: count }, (_, n) => ({
				...PAID,
				request: { ...PAID.request, query: { n: String(n) } },
			}));

		test('tries the first of 1,000 calls four times, and each of the others once', async () => {
			const { deliver, sent, pauses } = open(inTurn(DEAD), { cap: 1 });
			const retries: number[] = [];
			for (const each of requests(1_000)) retries.push((await deliver(each)).retries);
			expect(sent).toHaveLength(1_003);
			expect(pauses).toHaveLength(3);
			expect(retries).toEqual([3, ...new Array<number>(999).fill(0)]);
		});

		test('ends all of 1,000 parallel calls when it ends one', async () => {
			const { deliver, sent, ledger } = open(inTurn(DEAD), { cap: 20 });
			const all = requests(1_000).map(async (each) => await deliver(each));
			const kinds = (await Promise.all(all)).map(({ kind }) => kind);
			expect(kinds).toEqual(new Array(1_000).fill('unreachable'));
			expect(sent).toHaveLength(1_000 + ledger.retries);
			const names = sent.map(({ query }) => query?.n);
			const tries = new Map<string | undefined, number>();
			for (const name of names) tries.set(name, (tries.get(name) ?? 0) + 1);
			expect(Math.max(...tries.values())).toBe(4);
			const afterwards = names.slice(names.lastIndexOf('0') + 20);
			expect(new Set(afterwards).size).toBe(afterwards.length);
		});

		test('tries as often as before once a connection was made, with any reply', async () => {
			for (const alive of [YES, httpError(422), LOST]) {
				const { deliver } = open(inTurn(...new Array<Reply>(5).fill(DEAD), alive, DEAD));
				expect(await deliver(PAID)).toMatchObject({ retries: 3 });
				expect(await deliver(PAID)).toMatchObject({ kind: 'unreachable', retries: 0 });
				await deliver(PAID);
				expect(await deliver(PAID)).toMatchObject({ kind: 'unreachable', retries: 3 });
			}
		});

		test('tries another service as often as before', async () => {
			const lookup = { ...PAID, request: { ...PAID.request, service: 'lookup' as const } };
			const { deliver } = open(inTurn(DEAD));
			await deliver(PAID);
			expect(await deliver(lookup)).toMatchObject({ retries: 3 });
		});
	});

	test('counts only calls that were tried', async () => {
		const { deliver, sent, flows } = open((_, nth) => {
			if (nth === 1) flows.close();
			return SLOWER;
		});
		expect(await deliver(PAID)).toMatchObject({ kind: 'notSent', retries: 1 });
		expect(await deliver(PAID)).toMatchObject({ kind: 'notSent', retries: 0 });
		expect(sent).toHaveLength(2);
	});
});

describe('a pause that the service asks for', () => {
	const MINUTE = 60_000;
	const waitingFor = (maxQueueWaitMs: number) => ({ settings: { maxQueueWaitMs } });

	test('that outlasts the deadline is not waited for: nothing more is sent, and no retry is counted', async () => {
		const { deliver, sent } = open(inTurn(pauseOf(10 * MINUTE), YES), waitingFor(5 * MINUTE));
		const { result, retries } = await deliver(PAID);
		expect(failureOf(result)).toEqual({
			cause: 'throttled',
			reason: 'the rate limit resets at 2030-01-01T12:10:00Z, after Max Wait (5 minutes)',
			scope: 'question',
		});
		expect([retries, sent.length]).toEqual([0, 1]);
	});

	test('stops a call that comes during it, if that cannot wait so long', async () => {
		const { deliver, sent } = open(inTurn(pauseOf(10 * MINUTE), YES), waitingFor(1.5 * MINUTE));
		await deliver(PAID);
		const { result } = await deliver(PAID);
		expect(failureOf(result).reason).toMatch(/12:10:00Z.*\(1\.5 minutes\)/);
		expect(sent).toHaveLength(1);
	});

	test.each([
		[60_000, '(1 minute)'],
		[6_000, '(0.1 minutes)'],
	])('is compared with a Max Wait of %i ms, written as %s', async (maxQueueWaitMs, words) => {
		const { deliver } = open(inTurn(pauseOf(10 * MINUTE)), waitingFor(maxQueueWaitMs));
		expect(failureOf((await deliver(PAID)).result).reason).toContain(words);
	});

	test('counts over all tries of a call', async () => {
		const { deliver, sent } = open(inTurn(pauseOf(2 * MINUTE)), waitingFor(5 * MINUTE));
		const { result, retries } = await deliver(PAID);
		expect(failureOf(result).reason).toContain('12:06:00Z');
		expect([sent.length, retries]).toEqual([3, 2]);
	});

	test('is waited for if it ends at the deadline', async () => {
		const { deliver } = open(inTurn(pauseOf(5 * MINUTE), YES), waitingFor(5 * MINUTE));
		expect(await deliver(PAID)).toMatchObject({ kind: 'answer', retries: 1 });
	});
});

describe('the rate limit', () => {
	const tooLate = (): Failure => ({ cause: 'throttled', reason: 'late', scope: 'question' });

	/** How many calls start at once after ten that end in the reply: more after answers, fewer after throttled ones. */
	const limitAfter = async (reply: Reply, of: Endpoint<unknown> = PAID) => {
		let isHolding = false;
		const never = held<Reply>();
		const { deliver, sent } = open(async () => (isHolding ? await never.released : reply), {
			cap: 500,
			random: 0,
		});
		const once = { ...of, noRetry: true } as const;
		await Promise.all(Array.from({ length: 10 }, async () => await deliver(once, { breaker: {} })));
		isHolding = true;
		const before = sent.length;
		for (let n = 0; n < 100; n += 1) void deliver(once, { breaker: {} });
		for (let n = 0; n < 20; n += 1) await flush();
		return sent.length - before;
	};

	test.each<[string, Reply, number]>([
		['an answer', YES, 11],
		['a refusal of the question', httpError(422), 11],
		['a lost reply', LOST, 10],
		['a refused connection', DEAD, 10],
		['Stop', { kind: 'cancelled' }, 10],
		['a throttled call', pauseOf(0), 5],
	])('learns from %s', async (_, reply, limit) => {
		expect(await limitAfter(reply)).toBe(limit);
	});

	test('counts a reply whose read throws as an answer', async () => {
		expect(await limitAfter(YES, { ...PAID, read: broken })).toBe(11);
	});

	test('stops an endpoint whose rate-limit window is used up, and no other', async () => {
		const window = () => ({ left: 0, resetMs: 60_000 });
		const { deliver, clock } = open(inTurn(YES));
		await deliver({ ...PAID, window });
		await deliver(paid('/other'));
		expect(clock.now()).toBe(T0);
		await deliver(PAID);
		expect(clock.now()).toBe(T0 + 60_000);
	});

	test('ends the permit although the window cannot be read, and keeps the answer', async () => {
		const { deliver } = open(inTurn(YES), { cap: 1 });
		expect(await deliver({ ...PAID, window: broken })).toMatchObject({ kind: 'answer' });
		expect(await deliver(PAID)).toMatchObject({ kind: 'answer' });
	});

	test('ends the permit although the network throws, however often', async () => {
		const { deliver, sent } = open((_, nth) => {
			if (nth < 50) throw new Error('broken');
			return YES;
		});
		for (let n = 0; n < 50; n += 1) await expect(deliver(PAID)).rejects.toThrow('broken');
		expect(await deliver(PAID)).toMatchObject({ kind: 'answer', retries: 0 });
		expect(sent).toHaveLength(51);
	});

	test('sends no more calls than the cap, whatever fails', async () => {
		const replies = [YES, LOST, DEAD, httpError(422), YES, YES];
		const { deliver, transport, ledger, sent } = open((_, nth) => replies[nth % replies.length], {
			cap: 7,
		});
		await Promise.all(Array.from({ length: 200 }, async () => await deliver(PAID)));
		expect(transport.peak).toBe(7);
		expect(sent).toHaveLength(200 + ledger.retries);
	});

	test('fails a call of a closed flow without sending it', async () => {
		const { send, calls } = fakeSend({ value: 1, body: {} });
		const { flows, clock } = open(inTurn(YES));
		flows.close();
		const layer = rateLimit({ flows, clock, maxQueueWaitMs: 60_000, tooLate });
		const result = await compose([layer], send)({ endpoint: PAID, request: PAID.request });
		expect(failureOf(result)).toMatchObject({ cause: 'notSent', scope: 'account' });
		expect(calls).toEqual([]);
	});

	test('sets for a call the time until which it may start once, counted from its first try', async () => {
		const throttled: Result = {
			failure: { cause: 'throttled', status: 429, reason: '', scope: 'question' },
		};
		const { send, calls } = fakeSend(throttled, throttled, { value: 1, body: {} });
		const deadlines: number[] = [];
		const permit = {
			accepted: () => undefined,
			throttled: () => undefined,
			ignored: () => undefined,
		};
		const acquire = async (_: string, deadline: number) => {
			deadlines.push(deadline);
			return await Promise.resolve({ permit });
		};
		const timeAt = (now: number) => now;
		const flows = { to: () => ({ acquire, timeAt }) as unknown as Flow };
		let now = T0;
		const clock = { now: () => (now += 1_000), random: () => 0 };
		const layers = [
			retry({ clock, ledger: new Ledger(), pause: async () => undefined }),
			rateLimit({ flows, clock, maxQueueWaitMs: 60_000, tooLate }),
		];
		await compose(layers, send)({ endpoint: PAID, request: PAID.request });
		expect(deadlines).toEqual(new Array(3).fill(T0 + 61_000));
		expect(calls.map(({ startBy }) => startBy)).toEqual(deadlines);
	});

	test('uses the permit of the family if the path has an ID', async () => {
		const acquire = jest.fn(async () => await Promise.resolve('closed'));
		const timeAt = (now: number) => now;
		const flows = { to: () => ({ acquire, timeAt }) as unknown as Flow };
		const layer = rateLimit({ flows, clock: open(inTurn(YES)).clock, maxQueueWaitMs: 1, tooLate });
		for (const path of ['/jobs/1', '/jobs/2']) {
			const request = { ...FREE.request, path, family: '/jobs/{id}' };
			await compose([layer], fakeSend().send)({ endpoint: FREE, request });
		}
		await compose([layer], fakeSend().send)({ endpoint: FREE, request: FREE.request });
		const asked = acquire.mock.calls.map(([family]: unknown[]) => family);
		expect(asked).toEqual(['main /jobs/{id}', 'main /jobs/{id}', 'main /a']);
	});

	test('respects the time that a call already has', async () => {
		const { send, calls } = fakeSend({ value: 1, body: {} });
		const { flows, clock } = open(inTurn(YES));
		const layer = rateLimit({ flows, clock, maxQueueWaitMs: Infinity, tooLate });
		await compose([layer], send)({ endpoint: PAID, request: PAID.request, startBy: T0 + 5 });
		expect(calls.map(({ startBy }) => startBy)).toEqual([T0 + 5]);
	});
});

describe('the circuit breaker', () => {
	const main = {};
	const other = {};
	const WRONG_KEY = httpError(401);

	test('stops a queued call when the account is refused meanwhile', async () => {
		const { deliver, transport } = open(({ path }) => (path === '/bad' ? WRONG_KEY : YES), {
			cap: 1,
		});
		const queued = ['/bad', '/b', '/c', '/d'].map(async (path) => await deliver(paid(path)));
		const kinds = (await Promise.all(queued)).map(({ kind }) => kind);
		expect(transport.paths).toEqual(['/bad']);
		expect(kinds).toEqual(['refused', 'notSent', 'notSent', 'notSent']);
	});

	test('stops a repeated call when the account is refused between its tries', async () => {
		const pause = held();
		const { deliver, transport } = open(({ path }) => (path === '/bad' ? WRONG_KEY : DEAD), {
			onPause: async () => await pause.released,
		});
		const slow = deliver(paid('/slow'));
		for (let n = 0; n < 5; n += 1) await flush();
		await deliver(paid('/bad'));
		pause.release();
		expect(await slow).toMatchObject({ kind: 'notSent', retries: 0 });
		expect(transport.paths).toEqual(['/slow', '/bad']);
	});

	test('ignores calls in flight', async () => {
		const reply = held<Reply>();
		const { deliver } = open(async ({ path }) =>
			path === '/bad' ? WRONG_KEY : await reply.released,
		);
		const slow = deliver(paid('/slow'));
		await deliver(paid('/bad'));
		reply.release(YES);
		expect(await slow).toMatchObject({ kind: 'answer' });
	});

	test('lets the next steps of paid tasks pass', async () => {
		const { deliver } = open(({ path }) => (path === '/bad' ? WRONG_KEY : YES));
		await deliver(paid('/bad'));
		expect(await deliver(PAID, { isNextStep: true })).toMatchObject({ kind: 'answer' });
		expect(await deliver(PAID, { isNextStep: false })).toMatchObject({ kind: 'notSent' });
	});

	const account: Failure = { cause: 'refused', reason: 'no credits', scope: 'account' };
	const question: Failure = { cause: 'refused', reason: 'no', scope: 'question' };
	const callOf = (operation: object | undefined, more: Partial<Call> = {}): Call => ({
		...{ endpoint: PAID, request: PAID.request, breaker: operation },
		...more,
	});

	test('of one operation stops that operation, and that of the run stops all', () => {
		const ofLookup = new CircuitBreakers(main, false);
		ofLookup.record(callOf(other), account);
		expect([ofLookup.openedBy(other), ofLookup.openedBy(main)]).toEqual([account, undefined]);
		const ofRun = new CircuitBreakers(main, false);
		ofRun.record(callOf(main), account);
		expect([ofRun.openedBy(other), ofRun.openedBy(main)]).toEqual([account, account]);
	});

	test("opens at any failure of the run's own operation if the node is to stop, and of no other", () => {
		for (const stops of [true, false]) {
			const breakers = new CircuitBreakers(main, stops);
			breakers.record(callOf(other), question);
			expect(breakers.openedBy(other)).toBeUndefined();
			breakers.record(callOf(main), question);
			expect(breakers.openedBy(main)).toBe(stops ? question : undefined);
		}
	});

	test('names the first failure, although others follow', () => {
		const breakers = new CircuitBreakers(main, false);
		breakers.record(callOf(main), account);
		breakers.record(callOf(main), { ...account, reason: 'wrong key' });
		expect(breakers.openedBy(main)).toBe(account);
	});

	test.each<[what: string, failure: Failure, more: Partial<Endpoint<unknown>>, opens: boolean]>([
		['a failure', question, {}, false],
		['a missing path', { ...account, status: 404 }, {}, false],
		[
			'a refusal of the account',
			{ ...account, refusal: { scope: 'account', reason: '' } },
			{},
			true,
		],
		['HTTP 401', { ...account, status: 401 }, {}, true],
		[
			'HTTP 401 that is the answer',
			{ ...account, status: 401 },
			{ request: { ...PAID.request, takesAnyBody: true } },
			false,
		],
		['a failure that it does not tolerate', account, { tolerates: () => false }, true],
	])('after an attempt that ends in %s', (_, failure, more, opens) => {
		const breakers = new CircuitBreakers(main, false);
		breakers.record(callOf(main, { endpoint: { ...PAID, ...more }, isAttempt: true }), failure);
		expect(breakers.openedBy(main) !== undefined).toBe(opens);
	});

	test.each<[what: string, failure: Failure, more: Partial<Endpoint<unknown>>, final: boolean]>([
		['a refusal', question, {}, true],
		['a throttled call', { ...question, cause: 'throttled' }, {}, false],
		['a lost reply', { ...question, cause: 'lost' }, {}, true],
		['a lost reply of a free call', { ...question, cause: 'lost' }, { credits: undefined }, false],
		['a refused connection', { ...question, cause: 'unreachable', isTransient: true }, {}, false],
		['an untrusted certificate', { ...question, cause: 'unreachable' }, {}, true],
		['a fault', { ...question, cause: 'fault' }, {}, true],
		['Stop', { ...question, cause: 'notSent' }, {}, true],
		['a throttled call with noRetry', { ...question, cause: 'throttled' }, { noRetry: true }, true],
	])('knows whether %s can still be sent again', (_, failure, more, final) => {
		const call = callOf(main, { endpoint: { ...PAID, ...more } });
		expect(isNotRetried({ failure }, call)).toBe(final);
	});

	test('records only failures that count', async () => {
		const breakers = new CircuitBreakers(main, true);
		const throttled: Failure = { ...question, cause: 'throttled' };
		const { send } = fakeSend({ failure: throttled }, { failure: question });
		const guarded = compose([circuitBreaker(breakers, isNotRetried)], send);
		await guarded(callOf(main));
		expect(breakers.openedBy(main)).toBeUndefined();
		await guarded(callOf(main));
		expect(breakers.openedBy(main)).toBe(question);
	});

	test('opens if the node is to stop, once the last try of a call has failed', async () => {
		const { deliver, breakers, operation, sent } = open(inTurn(SLOWER), { stops: true });
		expect(await deliver(PAID)).toMatchObject({ kind: 'throttled', retries: 7 });
		expect(breakers.openedBy(operation)).toMatchObject({ cause: 'throttled' });
		expect(await deliver(PAID)).toMatchObject({ kind: 'notSent' });
		expect(sent).toHaveLength(8);
	});

	test('says why the call was not sent', async () => {
		const breakers = new CircuitBreakers(main, false);
		const { send, calls } = fakeSend({ failure: account }, { value: 1, body: {} });
		const guarded = compose([circuitBreaker(breakers)], send);
		await guarded(callOf(main));
		expect(failureOf(await guarded(callOf(main)))).toEqual({
			cause: 'notSent',
			reason: 'skipped after an earlier failure: no credits',
			scope: 'account',
		});
		expect(calls).toHaveLength(1);
	});
});

describe('the journal layer', () => {
	const KEY: JournalKey = { resource: 'test', value: 'work', position: '0.0', step: 'send' };
	const main = {};
	const callWith = (more: Partial<Call> = {}): Call => ({
		...{ endpoint: PAID, request: PAID.request, breaker: main, journalKey: KEY },
		...more,
	});
	const ANSWER: Result = { value: { a: 1 }, body: { a: 1 } };
	const LOST_RESULT: Result = {
		failure: { cause: 'lost', reason: 'it broke', scope: 'question', mayHaveCost: true },
	};
	const twice = async (call: Call, first: Result, breakers?: CircuitBreakers) => {
		const { journal } = new FakeExecution().open();
		const { send, calls } = fakeSend(first, ANSWER);
		const network = compose([journaled(journal, breakers)], send);
		await network(call);
		return { second: await network(call), sent: calls.length };
	};

	test('does not repeat an answered call', async () => {
		expect(await twice(callWith(), ANSWER)).toEqual({
			second: { ...ANSWER, isJournaled: true },
			sent: 1,
		});
	});

	test('does not repeat a call that may have been charged', async () => {
		expect(await twice(callWith(), LOST_RESULT)).toEqual({
			second: { ...LOST_RESULT, isJournaled: true },
			sent: 1,
		});
	});

	test.each<[what: string, call: Call, first: Result]>([
		['a call that was certainly not charged', callWith(), { failure: { ...account() } }],
		['a free call', callWith({ endpoint: FREE }), ANSWER],
		['a call without a key', callWith({ journalKey: undefined }), ANSWER],
	])('repeats %s', async (_, call, first) => {
		expect(await twice(call, first)).toMatchObject({ second: ANSWER, sent: 2 });
	});

	test('opens the circuit breaker with a journaled failure if the node is to stop', async () => {
		const execution = new FakeExecution();
		const lost = open(inTurn(LOST), { operation: main, journal: execution.open().journal });
		await lost.send(callWith());
		for (const stops of [true, false]) {
			const retried = open(inTurn(YES), {
				...{ operation: main, stops, journal: execution.open().journal },
			});
			const kinds: string[] = [];
			kinds.push(kindOf(await retried.send(callWith())));
			const next = callWith({ journalKey: { ...KEY, position: '1.0' } });
			kinds.push(kindOf(await retried.send(next)));
			expect(kinds).toEqual(['lost', stops ? 'notSent' : 'answer']);
			expect(retried.sent).toHaveLength(stops ? 0 : 1);
		}
	});

	test('keeps that a call may have been made if an exception follows it', async () => {
		const { journal } = new FakeExecution().open();
		const layer = journaled(journal);
		const journalKey = { resource: 'test', value: 'work', position: '0.0', step: 'send' };
		const call = { endpoint: PAID, request: PAID.request, journalKey };
		const sent: unknown[] = [];
		const breaking: Send = async (each) => {
			sent.push(each);
			return await Promise.reject(new Error('x'));
		};
		await expect(layer(breaking)(call)).rejects.toThrow('x');
		expect(await layer(breaking)(call)).toMatchObject({ failure: { cause: 'fault' } });
		expect(sent).toHaveLength(1);
	});

	test('counts nothing for a journaled result', async () => {
		const execution = new FakeExecution();
		for (const paidCalls of [1, 0]) {
			const { send, ledger } = open(inTurn(ok({ cost: 3 })), {
				...{ operation: main, journal: execution.open().journal },
			});
			await send(callWith());
			expect(ledger.paidCalls).toBe(paidCalls);
		}
	});

	function account(): Failure {
		return { cause: 'refused', reason: 'no credits', scope: 'account' };
	}
});

describe('the recording layer', () => {
	const record = async (of: Endpoint<unknown>, ...replies: Reply[]) => {
		const { deliver, ledger } = open(inTurn(...replies), { isUnpaced: true });
		for (let n = 0; n < replies.length; n += 1) await deliver({ ...of, noRetry: true });
		return [...ledger.accounts];
	};
	const totals = (of: Partial<AccountTotals>) => [
		['whatsapp', { priced: 0, credits: 0, unpriced: 0, free: 0, open: 0, openCredits: 0, ...of }],
	];

	test('counts paid calls that were answered, at the cost in their replies', async () => {
		expect(await record(PAID, ok({ cost: 1 }), ok({ cost: 10 }), ok({}))).toEqual(
			totals({ priced: 2, credits: 11, free: 1 }),
		);
	});

	test('counts unanswered paid calls, which may have been charged', async () => {
		const replies = [LOST, ok({ cost: 2 }), { ...LOST, status: 502 }];
		expect(await record(PAID, ...replies)).toEqual(
			totals({ priced: 1, credits: 2, open: 2, openCredits: 200 }),
		);
	});

	test('counts a paid call whose read throws as one that may have been charged', async () => {
		expect(await record({ ...PAID, read: broken }, YES)).toEqual(
			totals({ open: 1, openCredits: 100 }),
		);
	});

	test('counts a paid call whose price cannot be read as one that may have been charged', async () => {
		const credits = { ...PRICE, charged: broken };
		const { deliver, ledger, faults } = open(inTurn(YES));
		const { result } = await deliver({ ...PAID, credits });
		expect(failureOf(result)).toMatchObject({ cause: 'fault', mayHaveCost: true });
		expect([ledger.paidCalls, ledger.sum('open')]).toEqual([1, 1]);
		expect(faults).toHaveLength(1);
	});

	test('keeps a paid call whose price cannot be read in the journal', async () => {
		const { journal } = new FakeExecution().open();
		const { deliver, sent, ledger } = open(inTurn(YES), { journal });
		const target = { ...PAID, credits: { ...PRICE, charged: broken } };
		const journalKey = { resource: 'test', value: 'work', position: '0.0', step: 'send' };
		const tries = [await deliver(target, { journalKey }), await deliver(target, { journalKey })];
		expect(tries.map(({ kind }) => kind)).toEqual(['fault', 'fault']);
		expect(sent).toHaveLength(1);
		expect([ledger.paidCalls, ledger.sum('open')]).toEqual([1, 1]);
	});

	test('counts a paid call without a stated price, and no credits for it', async () => {
		const target = paid('/a', { credits: { balance: 'whatsapp', cost: 'not stated' } });
		expect(await record(target, ok({ cost: 7 }))).toEqual(totals({ unpriced: 1 }));
	});

	test('counts no call to a free endpoint', async () => {
		expect(await record(FREE, ok({ cost: 7 }), LOST, DEAD, ok({}))).toEqual([]);
	});

	test.each([
		['paid', PAID],
		['free', FREE],
	])('counts no %s call that was certainly not charged', async (_, of) => {
		for (const reply of [
			SLOWER,
			DEAD,
			httpError(404),
			httpError(401, { error: 'Invalid API key.' }),
			httpError(302),
			{ kind: 'cancelled' } as const,
			{ kind: 'misconfigured', reason: 'no URL' } as const,
		]) {
			if (of === FREE && 'status' in reply && reply.status === 404) continue;
			expect(await record(of, reply)).toEqual([]);
		}
	});

	test('counts a refusal that may have been charged', async () => {
		expect(await record(PAID, httpError(422), httpError(400))).toEqual(
			totals({ open: 2, openCredits: 200 }),
		);
	});
});
