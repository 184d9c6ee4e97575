import {
	type Call,
	type Failure,
	Ledger,
	offlineNetwork,
	openEditorNetwork,
	openRunNetwork,
	openTransport,
	requestRateOf,
	type Settings,
	STOPPED,
} from '../../engine';
import { openPollNetwork } from '../../../nodes/LookupMessagingTrigger/pollNetwork';
import { fakeN8n, type FakeN8nOptions, type RawReply } from '../fakes/fakeN8n';
import {
	endpoint,
	FakeExecution,
	fakeNetwork,
	flush,
	held,
	paid,
	type FakeNetworkOptions,
	type Script,
} from '../fakes/fakeSend';
import { by } from '../fakes/replies';

const FREE = endpoint('/a');
const KEY = { resource: 'test', value: 'work', position: '0.0', step: 'call' };
const callOf = (target = FREE, more: Partial<Call> = {}): Call => ({
	...{ endpoint: target, request: target.request },
	...more,
});
const journaledCall = () => callOf(paid('/a'), { journalKey: KEY });

describe('the network of a run', () => {
	const open = (service: Script | string, options: FakeNetworkOptions = {}) => {
		const { journal } = new FakeExecution().open();
		const script = typeof service === 'string' ? by(service) : service;
		return fakeNetwork(script, { journal, settings: { concurrency: 1 }, ...options });
	};

	test('journals a call once, with the result of its last try, and takes no permit for it again', async () => {
		const reply = held();
		const { send, transport } = open(async ({ path }, nth) => {
			if (path === '/slow') await reply.released;
			return by('tda')({} as never, nth);
		});
		await send(journaledCall());
		const slow = send(callOf(paid('/slow')));
		expect(await send(journaledCall())).toMatchObject({ value: { a: 1 }, isJournaled: true });
		reply.release();
		await slow;
		expect(transport.paths).toEqual(['/a', '/a', '/a', '/slow']);
	});

	test('keeps the permit of a call until its last try', async () => {
		const pause = held();
		const { send, transport } = open('da', { onPause: async () => await pause.released });
		const calls = ['/a', '/b'].map(async (path) => await send(callOf(paid(path))));
		await flush(10);
		expect(transport.paths).toEqual(['/a']);
		pause.release();
		await Promise.all(calls);
		expect(transport.paths).toEqual(['/a', '/a', '/b']);
	});
});

type Reply = (path: string, nth: number) => Promise<RawReply> | RawReply;

/** Lets `ms` milliseconds pass, and all that happens in them. */
const wait = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);
/** The work's result after so many milliseconds. */
const after = async <Value>(ms: number, work: Promise<Value>) => {
	await wait(ms);
	return await work;
};
const useFakeTime = () => {
	beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
	afterEach(async () => {
		// A call that waits for a turn would wait for ever
		await wait(100);
		jest.useRealTimers();
	});
};
/** A 429 with a pause, then answers. */
const throttledFirst =
	(retryAfter: string): Reply =>
	(_, nth) =>
		nth === 0 ? { status: 429, headers: { 'retry-after': retryAfter } } : {};

describe('the open network of a run', () => {
	useFakeTime();

	const open = async (
		reply: Reply = () => ({}),
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
			...{ settings, ledger, lostInARow: new Map(), features: [] },
		});
		const deliver = async (of = FREE) =>
			await network.send({ endpoint: of, request: of.request, breaker: operation });
		return { n8n, ledger, operation, ...network, deliver };
	};

	test("waits for a reply as long as the user's Timeout, or less where the endpoint says so", async () => {
		const { deliver, n8n } = await open(undefined, { timeoutMs: 7_000 });
		const waits = [undefined, 5_000, 300_000];
		const calls = waits.map(async (timeoutMs) => await deliver(endpoint('/b', { timeoutMs })));
		await after(100, Promise.all(calls));
		expect(n8n.timeouts).toEqual([7_000, 5_000, 7_000]);
	});

	test('names the addresses of requests without encryption', async () => {
		for (const [baseUrl, names] of [
			['http://api.example/v1', ['Base URL']],
			['https://api.example/v1', []],
			['http://localhost/v1', []],
		] as const) {
			const { deliver, insecure } = await open(undefined, {}, { baseUrl });
			expect([...insecure]).toEqual([]);
			await after(100, deliver());
			expect([...insecure]).toEqual(names);
		}
	});

	test('pauses until the time is over, and leaves no listener at the signal, which outlives the node', async () => {
		const { signal } = new AbortController();
		const add = jest.spyOn(signal, 'addEventListener');
		const remove = jest.spyOn(signal, 'removeEventListener');
		const { pause, close } = await open(undefined, {}, { signal });
		const isOver = jest.fn();
		const paused = pause(5_000).then(isOver);
		await wait(4_999);
		expect(isOver).not.toHaveBeenCalled();
		await after(1, paused);
		expect(isOver).toHaveBeenCalledWith(undefined);
		await close();
		const listeners = (spy: jest.SpyInstance) => spy.mock.calls.map(([, each]) => each as unknown);
		expect(add).toHaveBeenCalled();
		expect(new Set(listeners(remove))).toEqual(new Set(listeners(add)));
	});

	test('ends its pauses and its calls that wait for the rate at Stop, and begins none after it', async () => {
		const execution = new AbortController();
		const { deliver, pause, n8n } = await open(throttledFirst('60'), {}, execution);
		const work = [deliver().then((result) => 'failure' in result && result.failure)];
		const pauses = [pause(50_000), pause(600_000)];
		await wait(10_000);
		execution.abort();
		expect(await Promise.all([...work, ...pauses])).toEqual([STOPPED, STOPPED, STOPPED]);
		expect(await pause(600_000)).toBe(STOPPED);
		expect(await deliver()).toEqual({ failure: STOPPED });
		expect(n8n.sent).toHaveLength(1);
	});

	test('sends nothing if Stop came before the run, or once it is closed', async () => {
		const stopped = await open(undefined, {}, { signal: AbortSignal.abort() });
		const closed = await open();
		await closed.close();
		for (const { deliver, n8n } of [stopped, closed]) {
			expect(await deliver()).toEqual({ failure: STOPPED });
			expect(n8n.sent).toEqual([]);
		}
	});
});

test('the network of a run whose credential cannot be used returns what is in the journal, and fails the rest at once', async () => {
	const OFFLINE: Failure = { cause: 'noCredential', reason: 'no credential', scope: 'account' };
	const { journal } = new FakeExecution().open();
	const { send, pause, insecure } = offlineNetwork({}, OFFLINE, journal);
	expect(await send(journaledCall())).toEqual({ failure: OFFLINE });
	expect(journal.find(KEY, journaledCall().request)).toBeUndefined();
	journal.keep(KEY, journaledCall().request, { value: 1, body: {} });
	expect(await send(journaledCall())).toEqual({ value: 1, body: {}, isJournaled: true });
	expect(await send(callOf())).toEqual({ failure: OFFLINE });
	expect(await pause(60_000)).toBe(OFFLINE);
	expect([...insecure]).toEqual([]);
});

describe('the network of a poll', () => {
	useFakeTime();

	const open = async (
		reply: Reply,
		maxQueueWaitMs: () => number = () => 60_000,
		timeoutMs: () => number = () => 60_000,
	) => {
		const n8n = fakeN8n(reply);
		const limits = { cap: 4, maxQueueWaitMs, timeoutMs };
		return { n8n, ...(await openPollNetwork(n8n.poll, limits)) };
	};

	test('uses the timeout of each call, has as many in flight as it may, and none once it is closed', async () => {
		const reply = held<RawReply>();
		let timeout = 0;
		const { send, n8n, close } = await open(
			async () => await reply.released,
			undefined,
			() => (timeout += 1_000),
		);
		const calls = Array.from({ length: 9 }, async () => await send(callOf()));
		await wait(1_000);
		expect(n8n.sent).toHaveLength(4);
		reply.release({});
		await after(1_000, Promise.all(calls));
		expect(n8n.timeouts).toEqual(Array.from({ length: 9 }, (_, n) => 1_000 * (n + 1)));
		await close();
		expect(await send(callOf())).toEqual({ failure: STOPPED });
		expect(n8n.sent).toHaveLength(9);
	});

	test('does not wait for a pause that ends too late for the call', async () => {
		const waits = [1_000, 4_999, 5_000];
		const { send, n8n } = await open(throttledFirst('5'), () => waits.shift() ?? 0);
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
		const answered = send(call);
		await wait(4_999);
		expect(n8n.sent).toHaveLength(1);
		expect(await after(1, answered)).toMatchObject({ value: {} });
	});

	test('waits for Max Requests per Minute of a run no longer than its time, and counts for it', async () => {
		const { send, n8n } = await open(
			() => ({}),
			() => 5_000,
		);
		const rate = requestRateOf((await openTransport(n8n.poll)).accountName());
		const close = rate.open(6);
		const calls = [send(callOf()), send(callOf())];
		await wait(100);
		expect(n8n.sent).toHaveLength(1);
		expect(await calls[1]).toMatchObject({ failure: { cause: 'throttled' } });
		await wait(10_000);
		expect(await send(callOf())).toMatchObject({ value: {} });
		expect(n8n.sent).toHaveLength(2);
		close();
	});
});

describe('the network of a list for the editor', () => {
	useFakeTime();

	test.each<[cause: string, reply: RawReply | Error]>([
		['lost', { status: 500 }],
		['unreachable', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
		['throttled', { status: 429, headers: { 'retry-after': '1' } }],
	])(
		'sends a call that is %s once, without a pause, and so does that of a poll',
		async (cause, reply) => {
			const n8n = fakeN8n(async () =>
				reply instanceof Error ? await Promise.reject(reply) : reply,
			);
			const limits = { cap: 4, maxQueueWaitMs: () => 60_000, timeoutMs: () => 5_000 };
			const poll = await openPollNetwork(n8n.poll, limits);
			const editor = await openEditorNetwork(n8n.editor, 5_000);
			for (const [{ send }, ms] of [
				...[[editor, 100] as const, [poll, 10_000] as const, [editor, 100] as const],
			])
				expect(await after(ms, send(callOf()))).toMatchObject({ failure: { cause } });
			expect(n8n.timeouts).toEqual([5_000, 5_000, 5_000]);
		},
	);

	test('logs an exception of a read', async () => {
		const n8n = fakeN8n(() => ({}));
		const { send } = await openEditorNetwork(n8n.editor, 5_000);
		const read = () => {
			throw new TypeError('x is undefined');
		};
		expect(await send(callOf(endpoint('/a', { read })))).toMatchObject({
			failure: { cause: 'fault' },
		});
		expect(n8n.errors).toEqual([expect.stringContaining('/a: x is undefined')]);
	});
});
