import { compareBalances } from '../../../nodes/LookupMessaging/features/accountBalance/balanceCheck';
import { Ledger } from '../../../nodes/LookupMessaging/engine/billing/ledger';
import { type Endpoint } from '../../../nodes/LookupMessaging/engine/client';
import {
	CallFailed,
	catchFailed,
	type Failure,
	type Reply,
} from '../../../nodes/LookupMessaging/engine/results';
import {
	callerOn,
	plainCaller,
	type Call,
} from '../../../nodes/LookupMessaging/engine/network/layers';
import {
	offlineNetwork,
	openEditorNetwork,
	openRunNetwork,
} from '../../../nodes/LookupMessaging/engine/network/networks';
import { openTransport } from '../../../nodes/LookupMessaging/engine/network/transport';
import { requestRateOf } from '../../../nodes/LookupMessaging/engine/pacing/requestRate';
import { STOPPED } from '../../../nodes/LookupMessaging/engine/operation';
import type { Settings } from '../../../nodes/LookupMessaging/engine/plan/settings';
import { openPollNetwork } from '../../../nodes/LookupMessagingTrigger/pollNetwork';
import { fakeN8n, type FakeN8nOptions, type RawReply } from '../fakes/fakeN8n';
import {
	endpoint,
	FakeExecution,
	fakeNetwork,
	fakeSend,
	flush,
	held,
	inTurn,
	paid,
} from '../fakes/fakeSend';
import { httpError, ok } from '../fakes/replies';

const YES = ok({ a: 1 });
const LOST: Reply = { kind: 'lost', reason: 'the connection broke' };
const DEAD: Reply = {
	kind: 'unreachable',
	reason: 'the connection was refused',
	isTransient: true,
};
const SLOWER: Reply = { kind: 'throttled', status: 429, reason: 'too fast', retryAfterMs: 1_000 };
const FREE = endpoint('/a');
const broken = () => {
	throw new TypeError('x is undefined');
};
const KEY = { resource: 'test', value: 'work', position: '0.0', step: 'call' };
const callOf = (target = FREE, more: Partial<Call> = {}): Call => ({
	...{ endpoint: target, request: target.request },
	...more,
});

describe('the network of a run', () => {
	test('does not take a permit for a journaled call', async () => {
		const { journal } = new FakeExecution().open();
		const reply = held<Reply>();
		const { send, transport } = fakeNetwork(
			async ({ path }) => (path === '/slow' ? await reply.released : YES),
			{ journal, settings: { concurrency: 1 } },
		);
		const call = callOf(paid('/a'), { journalKey: KEY });
		await send(call);
		const slow = send(callOf(paid('/slow')));
		expect(await send(call)).toMatchObject({ value: { a: 1 }, isJournaled: true });
		reply.release(YES);
		await slow;
		expect(transport.paths).toEqual(['/a', '/slow']);
	});

	test('keeps the permit of a call until its last try', async () => {
		const pause = held();
		const { send, transport } = fakeNetwork(inTurn(DEAD, YES), {
			settings: { concurrency: 1 },
			onPause: async () => await pause.released,
		});
		const calls = ['/a', '/b'].map(async (path) => await send(callOf(paid(path))));
		await flush(10);
		expect(transport.paths).toEqual(['/a']);
		pause.release();
		await Promise.all(calls);
		expect(transport.paths).toEqual(['/a', '/a', '/b']);
	});

	test('stops a call that waited for a permit when the account is refused meanwhile', async () => {
		const { send, transport } = fakeNetwork(inTurn(httpError(401)), {
			settings: { concurrency: 1 },
		});
		await Promise.all(['/a', '/b', '/c'].map(async (path) => await send(callOf(paid(path)))));
		expect(transport.paths).toEqual(['/a']);
	});

	test('journals a call once, with the result of its last try', async () => {
		const { journal } = new FakeExecution().open();
		const { send, transport } = fakeNetwork(inTurn(SLOWER, DEAD, YES), { journal });
		const call = callOf(paid('/a'), { journalKey: KEY });
		await send(call);
		expect(await send(call)).toMatchObject({ value: { a: 1 }, isJournaled: true });
		expect(transport.sent).toHaveLength(3);
	});

	test('repeats a throttled call if the node is to stop, and stops nothing', async () => {
		const operation = {};
		const { send, transport, breakers, ledger } = fakeNetwork(inTurn(SLOWER, YES), {
			...{ operation, stops: true },
		});
		expect(await send(callOf(paid('/a'), { breaker: operation }))).toMatchObject({
			value: { a: 1 },
		});
		expect(await send(callOf(paid('/b'), { breaker: operation }))).toMatchObject({
			value: { a: 1 },
		});
		expect(transport.paths).toEqual(['/a', '/a', '/b']);
		expect(breakers.openedBy(operation)).toBeUndefined();
		expect(ledger).toMatchObject({ paidCalls: 2, retries: 1 });
	});
});

/** Lets `ms` milliseconds pass, and all that happens in them. */
const wait = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);
const useFakeTime = () => {
	beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
	afterEach(async () => {
		// A call that waits for a turn would wait for ever
		await wait(100);
		jest.useRealTimers();
	});
};

/** The work's result, and whether it is over. */
function watch<Value>(work: Promise<Value>) {
	const watched: { work: Promise<Value>; isOver: boolean } = { work, isOver: false };
	void work.then(() => (watched.isOver = true));
	return watched;
}

describe('the open network of a run', () => {
	useFakeTime();

	const open = async (
		reply: (path: string, nth: number) => Promise<RawReply> | RawReply = () => ({}),
		given: Partial<Settings> = {},
		options: FakeN8nOptions = {},
	) => {
		const n8n = fakeN8n(reply, options);
		const settings = {
			...{ timeoutMs: 60_000, concurrency: 20, maxQueueWaitMs: 300_000 },
			...given,
		} as Settings;
		const operation = {};
		const ledger = new Ledger();
		const network = openRunNetwork(n8n.run, operation, await n8n.run.getCredentials(''), {
			settings,
			ledger,
			lostInARow: new Map(),
			features: [],
		});
		const deliver = async (of: Endpoint<unknown> = FREE) =>
			await network.send({ endpoint: of, request: of.request, breaker: operation });
		return { n8n, ledger, operation, ...network, deliver };
	};

	test("waits for a reply as long as the user's Timeout, or less where the endpoint says so", async () => {
		const { deliver, n8n } = await open(undefined, { timeoutMs: 7_000 });
		const waits = [undefined, 5_000, 300_000];
		const calls = waits.map(async (timeoutMs) => await deliver(endpoint('/b', { timeoutMs })));
		await wait(100);
		await Promise.all(calls);
		expect(n8n.timeouts).toEqual([7_000, 5_000, 7_000]);
	});

	test('stops at any failure if the node is to stop, and else only at one of the account', async () => {
		for (const onFailure of ['stop', 'unknown'] as const) {
			const { deliver, breakers, operation, n8n } = await open(() => ({ status: 422 }), {
				onFailure,
			});
			const calls = [deliver()];
			await wait(100);
			await Promise.all(calls);
			expect(breakers.openedBy(operation) !== undefined).toBe(onFailure === 'stop');
			expect(n8n.sent).toHaveLength(1);
		}
	});

	test('repeats a throttled call if the node is to stop, when its pause is over', async () => {
		const { deliver, n8n, breakers, operation, ledger } = await open(
			(_, nth) => (nth === 0 ? { status: 429, headers: { 'retry-after': '3' } } : {}),
			{ onFailure: 'stop' },
		);
		const { work } = watch(deliver());
		await wait(2_900);
		expect(n8n.sent).toHaveLength(1);
		await wait(1_000);
		expect(await work).toMatchObject({ value: {} });
		expect(n8n.sent).toHaveLength(2);
		expect(breakers.openedBy(operation)).toBeUndefined();
		expect(ledger.retries).toBe(1);
	});

	test.each(['0', '0.5', '+2', '2, 2', '-1', 'Sun, 22 Nov 2020 16:00:00 GMT'])(
		'waits before it repeats a throttled call, with Retry-After: %s',
		async (retryAfter) => {
			const random = jest.spyOn(Math, 'random').mockReturnValue(0.5);
			const headers = { 'retry-after': retryAfter };
			const { deliver, n8n } = await open(() => ({ status: 429, headers }));
			const { work } = watch(deliver());
			await wait(499);
			expect(n8n.sent).toHaveLength(1);
			await wait(2);
			expect(n8n.sent).toHaveLength(2);
			await wait(600_000);
			expect(await work).toMatchObject({ failure: { cause: 'throttled' } });
			random.mockRestore();
		},
	);

	test('logs an exception of a read', async () => {
		const { deliver, n8n } = await open();
		const { work } = watch(deliver({ ...FREE, read: broken }));
		await wait(100);
		expect(await work).toMatchObject({ failure: { cause: 'fault' } });
		expect(n8n.errors).toEqual([expect.stringContaining('/a: x is undefined')]);
	});

	test('names the addresses of requests without encryption', async () => {
		for (const [baseUrl, names] of [
			['http://api.example/v1', ['Base URL']],
			['https://api.example/v1', []],
			['http://localhost/v1', []],
		] as const) {
			const { deliver, insecure } = await open(undefined, {}, { baseUrl });
			expect([...insecure]).toEqual([]);
			const { work } = watch(deliver());
			await wait(100);
			await work;
			expect([...insecure]).toEqual(names);
		}
	});

	test('pauses until the time is over', async () => {
		const { pause } = await open();
		const paused = watch(pause(5_000));
		await wait(4_999);
		expect(paused.isOver).toBe(false);
		await wait(1);
		expect(await paused.work).toBeUndefined();
	});

	describe('at Stop', () => {
		test('ends a pause at once', async () => {
			const execution = new AbortController();
			const { pause } = await open(undefined, {}, { signal: execution.signal });
			const pauses = [watch(pause(5_000)), watch(pause(600_000))];
			await wait(1_000);
			execution.abort();
			expect(await Promise.all(pauses.map(async ({ work }) => await work))).toEqual([
				STOPPED,
				STOPPED,
			]);
		});

		test('does not begin a pause after it', async () => {
			const { pause } = await open(undefined, {}, { signal: AbortSignal.abort() });
			expect(await pause(600_000)).toBe(STOPPED);
		});

		test('sends no call that waits for the rate, and none after it', async () => {
			const execution = new AbortController();
			const { deliver, n8n } = await open(
				() => ({ status: 429, headers: { 'retry-after': '60' } }),
				{},
				{ signal: execution.signal },
			);
			const { work } = watch(deliver());
			await wait(10_000);
			execution.abort();
			expect(await work).toEqual({ failure: STOPPED });
			expect(await deliver()).toEqual({ failure: STOPPED });
			expect(n8n.sent).toHaveLength(1);
		});

		test('sends nothing if it came before the run', async () => {
			const { deliver, n8n } = await open(undefined, {}, { signal: AbortSignal.abort() });
			expect(await deliver()).toEqual({ failure: STOPPED });
			expect(n8n.sent).toEqual([]);
		});
	});

	test('leaves no listener at the signal, which outlives the node', async () => {
		const { signal } = new AbortController();
		const listeners = new Set<unknown>();
		const [add, remove] = [signal.addEventListener, signal.removeEventListener];
		signal.addEventListener = (type: string, listener: () => void) => {
			listeners.add(listener);
			add.call(signal, type, listener);
		};
		signal.removeEventListener = (type: string, listener: () => void) => {
			listeners.delete(listener);
			remove.call(signal, type, listener);
		};
		const { pause, close } = await open(undefined, {}, { signal });
		const { work } = watch(pause(1_000));
		expect(listeners.size).toBeGreaterThan(0);
		await wait(1_000);
		await work;
		await close();
		expect(listeners.size).toBe(0);
	});

	test('sends nothing once it is closed', async () => {
		const { deliver, n8n, close } = await open();
		await close();
		expect(await deliver()).toEqual({ failure: STOPPED });
		expect(n8n.sent).toEqual([]);
	});
});

describe('the network of a balance check', () => {
	const estimate = {
		...{ lookups: 1, calls: 1, credits: new Map(), unpriced: new Map() },
		...{ shared: 0, cached: 0, known: 0, asked: new Set<string>() },
	};

	test('counts no read of the balances, since it is free', async () => {
		for (const reply of [YES, DEAD, LOST, httpError(401)]) {
			const { send, ledger } = fakeNetwork(inTurn(reply));
			const look = async () => await plainCaller(send).attempt({ ...FREE, read: () => ({}) });
			const { failure } = await compareBalances(
				estimate,
				{ look, openOn: () => 0 },
				new Map(),
				true,
			);
			expect(failure === undefined).toBe(reply === YES);
			expect(ledger.paidCalls).toBe(0);
		}
	});

	test('sends no read of the balances after Stop', async () => {
		const { send, ledger, flows, transport } = fakeNetwork(inTurn(YES));
		flows.close();
		const look = async () => await plainCaller(send).attempt({ ...FREE, read: () => ({}) });
		const { failure } = await compareBalances(estimate, { look, openOn: () => 0 }, new Map(), true);
		expect(failure?.cause).toBe('notSent');
		expect(transport.sent).toEqual([]);
		expect(ledger.paidCalls).toBe(0);
	});
});

describe('the network of a run whose credential cannot be used', () => {
	const OFFLINE: Failure = { cause: 'noCredential', reason: 'no credential', scope: 'account' };

	test('returns what is in the journal, and fails all other calls', async () => {
		const { journal } = new FakeExecution().open();
		const call = callOf(paid('/a'), { journalKey: KEY });
		const { send } = offlineNetwork({}, OFFLINE, journal);
		expect(await send(call)).toEqual({ failure: OFFLINE });
		journal.keep(KEY, call.request, { value: 1, body: {} });
		expect(await send(call)).toEqual({ value: 1, body: {}, isJournaled: true });
		expect(await send(callOf())).toEqual({ failure: OFFLINE });
	});

	test('leaves nothing of its failures in the journal', async () => {
		const { journal } = new FakeExecution().open();
		const { send } = offlineNetwork({}, { ...OFFLINE, mayHaveCost: false }, journal);
		const call = callOf(paid('/a'), { journalKey: KEY });
		await send(call);
		expect(journal.find(KEY, call.request)).toBeUndefined();
	});

	test('lets no time pass', async () => {
		const { send, pause, insecure } = offlineNetwork({}, OFFLINE, undefined);
		expect(await send(callOf(paid('/a')))).toEqual({ failure: OFFLINE });
		expect(await pause(60_000)).toBe(OFFLINE);
		expect([...insecure]).toEqual([]);
	});
});

/** Replies of the service that each fail a call, and the cause that the failure has. */
const FAILING: Array<[cause: string, reply: RawReply | Error]> = [
	['lost', { status: 500 }],
	['unreachable', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
	['throttled', { status: 429, headers: { 'retry-after': '1' } }],
];
const failWith = (reply: RawReply | Error) => async () =>
	reply instanceof Error ? await Promise.reject(reply) : reply;

describe('the network of a poll', () => {
	useFakeTime();

	const open = async (
		reply: (path: string, nth: number) => Promise<RawReply> | RawReply,
		maxQueueWaitMs: () => number = () => 60_000,
		timeoutMs: () => number = () => 60_000,
	) => {
		const n8n = fakeN8n(reply);
		const limits = { cap: 4, maxQueueWaitMs, timeoutMs };
		return { n8n, ...(await openPollNetwork(n8n.poll, limits)) };
	};

	test.each(FAILING)('sends a call once: the next poll repeats what was %s', async (...row) => {
		const [cause, reply] = row;
		const { send, n8n } = await open(failWith(reply));
		const { work } = watch(send(callOf()));
		await wait(10_000);
		expect(await work).toMatchObject({ failure: { cause } });
		expect(n8n.sent).toHaveLength(1);
	});

	test('uses the timeout of each call', async () => {
		const timeouts = [9_000, 4_000];
		const { send, n8n } = await open(
			() => ({}),
			undefined,
			() => timeouts.shift() ?? 0,
		);
		for (let n = 0; n < 2; n += 1) {
			const { work } = watch(send(callOf()));
			await wait(100);
			await work;
		}
		expect(n8n.timeouts).toEqual([9_000, 4_000]);
	});

	test('does not wait for a pause that ends too late for the call', async () => {
		const waits = [1_000, 4_999, 5_000];
		const { send, n8n } = await open(
			(_, nth) => (nth === 0 ? { status: 429, headers: { 'retry-after': '5' } } : {}),
			() => waits.shift() ?? 0,
		);
		const begun = Date.now();
		// One call object, since each call has its own time
		const call = callOf();
		await send(call);
		expect(await send(call)).toEqual({
			failure: {
				cause: 'throttled',
				reason:
					'a pause of the service, or the wait for Max Requests per Minute, is longer than this poll',
				scope: 'question',
			},
		});
		expect([Date.now() - begun, n8n.sent.length]).toEqual([0, 1]);
		const answered = watch(send(call));
		await wait(4_999);
		expect([answered.isOver, n8n.sent.length]).toEqual([false, 1]);
		await wait(1);
		expect(await answered.work).toMatchObject({ value: {} });
	});

	test('waits for Max Requests per Minute of a run no longer than its time, and counts for it', async () => {
		const { send, n8n } = await open(
			() => ({}),
			() => 5_000,
		);
		const rate = requestRateOf((await openTransport(n8n.poll)).accountName());
		const close = rate.open(6);
		const calls = [watch(send(callOf())), watch(send(callOf()))];
		await wait(100);
		expect(n8n.sent).toHaveLength(1);
		expect(await calls[1].work).toMatchObject({ failure: { cause: 'throttled' } });
		await wait(10_000);
		expect(await send(callOf())).toMatchObject({ value: {} });
		expect(n8n.sent).toHaveLength(2);
		close();
	});

	test('has as many calls in flight as it may', async () => {
		const reply = held<RawReply>();
		const { send, n8n } = await open(async () => await reply.released);
		const calls = Array.from({ length: 9 }, async () => await send(callOf()));
		await wait(1_000);
		expect(n8n.sent).toHaveLength(4);
		reply.release({});
		await wait(1_000);
		await Promise.all(calls);
		expect(n8n.sent).toHaveLength(9);
	});

	test('sends nothing once it is closed', async () => {
		const { send, close, n8n } = await open(() => ({}));
		await close();
		expect(await send(callOf())).toEqual({ failure: STOPPED });
		expect(n8n.sent).toEqual([]);
	});
});

describe('the network of a list for the editor', () => {
	test.each(FAILING)(
		'sends a call once, without waiting, although it was %s',
		async (cause, reply) => {
			const n8n = fakeN8n(failWith(reply));
			const { send } = await openEditorNetwork(n8n.editor, 5_000);
			const results = [await send(callOf()), await send(callOf())];
			expect(results).toMatchObject([{ failure: { cause } }, { failure: { cause } }]);
			expect(n8n.timeouts).toEqual([5_000, 5_000]);
		},
	);

	test('logs an exception of a read', async () => {
		const n8n = fakeN8n(() => ({}));
		const { send } = await openEditorNetwork(n8n.editor, 5_000);
		expect(await send(callOf({ ...FREE, read: broken }))).toMatchObject({
			failure: { cause: 'fault' },
		});
		expect(n8n.errors).toEqual([expect.stringContaining('/a: x is undefined')]);
	});
});

describe('a caller', () => {
	const failure: Failure = { cause: 'lost', reason: 'it broke', scope: 'question' };

	test('returns the value that the endpoint read', async () => {
		const { send } = fakeSend({ value: 7, body: {} });
		const caller = plainCaller(send);
		expect([await caller.call(FREE), await caller.attempt(FREE)]).toEqual([7, 7]);
	});

	test('throws the failure of a call, and returns that of an attempt', async () => {
		const { send } = fakeSend({ failure });
		await expect(plainCaller(send).call(FREE)).rejects.toEqual(new CallFailed(failure));
		expect(await plainCaller(send).attempt(FREE)).toEqual({ failure });
	});

	test('throws the failure of an attempt that the endpoint does not tolerate', async () => {
		const { send } = fakeSend({ failure });
		const attempt = plainCaller(send).attempt({ ...FREE, tolerates: () => false });
		await expect(attempt).rejects.toEqual(new CallFailed(failure));
	});

	test('says which calls are attempts, and what their steps are', async () => {
		const make = jest.fn(async () => await Promise.resolve({ value: 1, body: {} }));
		const caller = callerOn(make);
		await caller.call(FREE, 'send');
		await caller.attempt(FREE, 'check');
		expect(make.mock.calls).toEqual([
			[FREE, false, 'send'],
			[FREE, true, 'check'],
		]);
	});

	test('becomes a value again if its work catches failures, and no other exception does', async () => {
		const { send } = fakeSend({ failure });
		expect(await catchFailed(async () => await plainCaller(send).call(FREE))).toEqual({ failure });
		const broken = new Error('broken');
		await expect(catchFailed(async () => await Promise.reject(broken))).rejects.toBe(broken);
	});
});
