import type { IDataObject } from 'n8n-workflow';
import {
	type Call,
	CircuitBreakers,
	compose,
	concurrency,
	type Endpoint,
	type Failure,
	isFailed,
	journaled,
	type JournalKey,
	type Reply,
	type Result,
	STOPPED,
	storageFailure,
	parameterFailure,
	asItCame,
	unclear,
	unknown,
} from '../../engine';
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
	yes,
	type FakeNetworkOptions,
	type Script,
} from '../fakes/fakeSend';
import { by, DEAD, httpError, LOST, NO_URL, ok, SLOWER, WRONG_KEY, YES } from '../fakes/replies';

const pauseOf = (retryAfterMs: number): Reply => ({ ...SLOWER, retryAfterMs });
const PAID = paid('/a');
const FREE = endpoint('/a');
const VALUE: Result = { value: 1, body: {} };

/** What a call came to, as a letter: that of by(), where it has one. */
const LETTERS: { [cause in Failure['cause']]?: string } = {
	...{ refused: 'r', lost: 'l', unreachable: 'd', throttled: 't', fault: 'f', notSent: '-' },
	...{ misconfigured: 'm', storage: 's', parameter: 'p' },
};
const letterOf = (result: Result) =>
	isFailed(result) ? (LETTERS[result.failure.cause] ?? '?') : 'a';
const failureOf = (result: Result): Failure => {
	if (!isFailed(result)) throw new Error('The call was answered');
	return result.failure;
};

/** A run's network; `deliver` makes a call of the run's operation and says what came of how many tries. */
function open(service: Script | string, options: FakeNetworkOptions = {}) {
	const network = fakeNetwork(typeof service === 'string' ? by(service) : service, options);
	const { send, ledger, operation } = network;
	const deliver = async (of: Endpoint<unknown> = PAID, more: Partial<Call> = {}) => {
		const before = ledger.retries;
		const result = await send({ endpoint: of, request: of.request, breaker: operation, ...more });
		const retries = ledger.retries - before;
		return { result, came: `${letterOf(result)}${retries + 1}` };
	};
	return { ...network, deliver, sent: network.transport.sent };
}

const broken = () => {
	throw new TypeError('x is undefined');
};
const callOf = (of: Endpoint<unknown> = PAID, more: Partial<Call> = {}): Call => ({
	...{ endpoint: of, request: of.request },
	...more,
});

describe('retry', () => {
	test.each<[after: string, replies: Reply | string, ofPaid: string, ofFree: string]>([
		['an answer', 'a', 'a1', 'a1'],
		['a refusal', 'r', 'r1', 'r1'],
		['a refusal of the account', 'k', 'r1', 'r1'],
		['a redirect', httpError(302), 'r1', 'r1'],
		['a lost reply', 'l', 'l1', 'l3'],
		['a server error', 's', 'l1', 'l3'],
		['a throttled call', 't', 't8', 't8'],
		['a throttled call without Retry-After', 'o', 't8', 't8'],
		['a refused connection', 'd', 'd4', 'd4'],
		['an untrusted certificate', 'u', 'd1', 'd1'],
		['Stop', STOPPED, '-1', '-1'],
		['an unusable credential', NO_URL, 'm1', 'm1'],
		['a missing file', storageFailure('gone'), 's1', 's1'],
		['an unsendable value', parameterFailure('half'), 'p1', 'p1'],
		['several failures, until it is answered', 'tdta', 'a4', 'a4'],
		['four refused connections, whatever else failed before', 'tdtda', 'd4', 'd4'],
		['a lost reply, though a throttled one was before it', 'tdla', 'l3', 'l3'],
	])(
		'repeats a call after %s only if that may help and it certainly was not charged',
		async (_, replies, ofPaid, ofFree) => {
			for (const stops of [false, true]) {
				for (const [target, came] of [
					[PAID, ofPaid],
					[FREE, ofFree],
					[{ ...PAID, noRetry: true }, undefined],
					[{ ...FREE, noRetry: true }, undefined],
				] as const) {
					const service = typeof replies === 'string' ? replies : inTurn(replies);
					const { deliver, sent } = open(service, { stops });
					const tries = Number(came?.slice(1) ?? 1);
					// What was not tried is not counted as a repetition either
					expect((await deliver(target)).came).toMatch(came ?? /^.1$/);
					expect(sent).toEqual(Array(tries).fill(target.request));
				}
			}
		},
	);

	test('never repeats a call whose read throws, which is logged with its stack', async () => {
		for (const target of [FREE, PAID]) {
			const { deliver, sent, faults } = open('a');
			expect((await deliver({ ...target, read: broken })).came).toBe('f1');
			expect([sent.length, faults.length]).toEqual([1, 1]);
			expect(faults[0][1].stack).toContain('layers.test.ts');
		}
	});

	test.each([0, 0.25, 1 - 1e-9])(
		'pauses before another try for a random part (%d) of half a second, doubled each time',
		async (random) => {
			const connecting = open('d', { random });
			await connecting.deliver(PAID);
			expect(connecting.pauses).toEqual([500, 1_000, 2_000].map((most) => random * most));
			const lost = open('l', { random });
			await lost.deliver(FREE);
			expect(lost.pauses).toEqual([500, 1_000].map((most) => random * most));
		},
	);

	test('leaves the pause after a throttling to the fair queue, where it applies to all calls', async () => {
		const { deliver, pauses, clock } = open('ta');
		await deliver(PAID);
		expect(pauses).toEqual([]);
		expect(clock.now() - T0).toBe(1_000);
	});

	test('keeps no permit of the service during its pause', async () => {
		const pause = held();
		const { deliver } = open('da', { cap: 1, onPause: async () => await pause.released });
		const first = deliver(PAID);
		await flush(5);
		expect((await deliver(PAID)).came).toBe('a1');
		pause.release();
		expect((await first).came).toBe('a2');
	});

	test.each(['a', 'r', 'l'])(
		'tries a service without any connection once, and as before after any reply (%s), or another service',
		async (alive) => {
			const { deliver } = open(`ddddd${alive}d`);
			const lookup = { ...PAID, request: { ...PAID.request, service: 'lookup' as const } };
			const came: string[] = [];
			for (const target of [PAID, PAID, PAID, PAID, PAID, lookup])
				came.push((await deliver(target)).came);
			expect(came).toEqual(['d4', 'd1', `${alive}1`, 'd4', 'd1', 'd4']);
		},
	);
});

describe('a pause that the service asks for', () => {
	/** One call with a Max Wait, while the service names a pause each time, or once. */
	const waiting = (maxWait: number, pause: number, times = Infinity) =>
		open((_, nth) => (nth < times ? pauseOf(pause * 60_000) : YES), {
			settings: { maxQueueWaitMs: maxWait * 60_000 },
		});

	test.each([
		['12:10:00', '5 minutes', 5, 10, 1],
		['12:10:00', '1 minute', 1, 10, 1],
		['12:10:00', '0.1 minutes', 0.1, 10, 1],
		// Counted over all tries
		['12:06:00', '5 minutes', 5, 2, 3],
	])('until %s is not waited for with a Max Wait of %s', async (time, words, max, pause, tries) => {
		const { deliver, sent } = waiting(max, pause);
		const { result, came } = await deliver(PAID);
		expect(failureOf(result)).toEqual({
			cause: 'throttled',
			reason: `the rate limit resets at 2030-01-01T${time}Z, after Max Wait (${words})`,
			scope: 'question',
		});
		expect([sent.length, came]).toEqual([tries, `t${tries}`]);
		// A call that comes during the pause is not sent either, unless it can wait
		expect((await deliver(PAID)).came).toMatch(/^t/);
		expect(sent).toHaveLength(pause > max ? tries : tries + 2);
	});

	test('is waited for if it ends at the deadline', async () => {
		expect((await waiting(5, 5, 1).deliver(PAID)).came).toBe('a2');
	});
});

describe('the rate limit', () => {
	/** How many calls start at once after ten that end in the reply: more after answers, fewer after throttled ones. */
	const limitAfter = async (reply: Reply, of: Endpoint<unknown> = PAID) => {
		let isHolding = false;
		const never = held<Reply>();
		const { deliver, sent } = open(async () => (isHolding ? await never.released : reply), {
			...{ cap: 500, random: 0 },
		});
		const once = { ...of, noRetry: true } as const;
		await Promise.all(Array.from({ length: 10 }, async () => await deliver(once, { breaker: {} })));
		isHolding = true;
		const before = sent.length;
		for (let n = 0; n < 100; n += 1) void deliver(once, { breaker: {} });
		await flush(20);
		return sent.length - before;
	};

	test.each<[string, Reply, number, Endpoint<unknown>?]>([
		['an answer', YES, 11],
		['an answer whose read throws', YES, 11, { ...PAID, read: broken }],
		['a refusal of the question', httpError(422), 11],
		['a lost reply', LOST, 10],
		['a refused connection', DEAD, 10],
		['Stop', STOPPED, 10],
		['a throttled call', pauseOf(0), 5],
	])('learns from %s', async (...[, reply, limit, of]) => {
		expect(await limitAfter(reply, of)).toBe(limit);
	});

	test('stops an endpoint whose rate-limit window is used up, and no other', async () => {
		const window = () => ({ left: 0, resetMs: 60_000 });
		const { deliver, clock } = open('a');
		const job = (id: number) => {
			const request = { ...PAID.request, path: `/jobs/${id}`, family: '/jobs/{id}' };
			return { ...PAID, request, window };
		};
		await deliver(job(1));
		await deliver(PAID);
		expect(clock.now()).toBe(T0);
		await deliver(job(2));
		expect(clock.now()).toBe(T0 + 60_000);
	});

	test('ends the permit although the window cannot be read, which keeps the answer, or the network throws', async () => {
		const { deliver, sent } = open(
			(_, nth) => {
				if (nth >= 1 && nth <= 50) throw new Error('broken');
				return YES;
			},
			{ cap: 1 },
		);
		expect((await deliver({ ...PAID, window: broken })).came).toBe('a1');
		for (let n = 0; n < 50; n += 1) await expect(deliver(PAID)).rejects.toThrow('broken');
		expect((await deliver(PAID)).came).toBe('a1');
		expect(sent).toHaveLength(52);
	});
});

test.each([1, 3, 7])(
	'%d calls and four uploads at most are in flight, begun in order of arrival, however they end',
	async (limit) => {
		const source = { item: 0, property: 'd', fileName: 'a', mimeType: 'text/plain', bytes: 1 };
		const upload = { ...FREE.request, form: { fields: {}, file: { field: 'media', source } } };
		const calls = Array.from({ length: 40 }, (_, n) =>
			callOf(FREE, { request: n % 2 ? FREE.request : upload }),
		);
		const most = limit + Math.min(4, limit);
		const started: number[] = [];
		const inFlight: Array<() => void> = [];
		const send = compose([concurrency(limit)], (call) => {
			const nth = calls.indexOf(call);
			started.push(nth);
			if (nth % 3 === 0) throw new Error(`${nth}`);
			return new Promise((resolve, reject) =>
				inFlight.push(() => (nth % 3 === 1 ? resolve(VALUE) : reject(new Error(`${nth}`)))),
			);
		});
		const ended = Promise.allSettled(calls.map(async (call) => await send(call)));
		for (let step = 0; started.length < 40 || inFlight.length > 0; step += 1) {
			await flush();
			const areWaiting = [0, 1].map(
				(kind) => started.filter((nth) => nth % 2 === kind).length < 20,
			);
			expect(inFlight.length).toBeLessThanOrEqual(most);
			if (!areWaiting.includes(false)) expect(inFlight).toHaveLength(most);
			inFlight.splice((7 * step) % inFlight.length, 1)[0]?.();
		}
		for (const kind of [0, 1])
			expect(started.filter((nth) => nth % 2 === kind)).toEqual(
				calls.map((_, nth) => nth).filter((nth) => nth % 2 === kind),
			);
		expect((await ended).map(({ status }) => status === 'fulfilled')).toEqual(
			calls.map((_, nth) => nth % 3 === 1),
		);
	},
);

describe('calls of a run that fail in a row', () => {
	const OPERATION = {};
	/** A run; `ask` makes calls one after the other, to a path each unless given, and counts what came of them: `a1 l10 -19`. */
	const openRun = (service: Script | string, lostInARow = new Map<object, number>()) => {
		const run = open(service, { operation: OPERATION, lostInARow, isUnpaced: true });
		let path = 0;
		const call = async (of = paid(`/${(path += 1)}`), breaker: object = OPERATION) =>
			(await run.deliver(of, { breaker })).result;
		const ask = async (count: number, of?: Endpoint<IDataObject>, breaker?: object) => {
			const results: Result[] = [];
			for (let n = 0; n < count; n += 1) results.push(await call(of, breaker));
			return { came: counted(results), last: results[count - 1] };
		};
		const askAtOnce = async (count: number) =>
			counted(await Promise.all(Array.from({ length: count }, async () => await call())));
		return { ...run, ask, askAtOnce };
	};
	const counted = (results: Result[]) => {
		const alike = /(.)\1*/g;
		const letters = results.map(letterOf).join('');
		return letters.replace(alike, (run, letter) => ` ${letter}${run.length}`).trim();
	};
	const LAST_TEN = 'the last 10 calls got no answer and may have been charged';
	const FIRST_TEN = 'the first 10 calls all failed in the same way';

	test.each([
		['a1 l10 -19', 'al'],
		['a1 l2 a1 l10 -16', 'allal'],
		['a1 l2 r1 l10 -16', 'allrl'],
		['a1 l2 d1 l8 -18', 'allul'],
	])('stop the other ones after ten without an answer: %s', async (came, replies) => {
		const { ask, sent } = openRun(replies);
		const asked = await ask(30);
		expect(asked.came).toBe(came);
		expect(sent).toHaveLength(30 - Number(came.split('-')[1]));
		const reason = `skipped after an earlier failure: ${LAST_TEN}`;
		expect(failureOf(asked.last)).toMatchObject({ scope: 'account', reason });
	});

	test('count with a path that disappears and with replies that this package could not process', async () => {
		const noPath = httpError(404, { status: false, error: 'Not found' });
		const read = ({ status, error }: IDataObject) =>
			(status === false ? { scope: 'question', reason: String(error) } : yes()) as IDataObject;
		const known = { read, isPathKnown: true } as object;
		const ofPages = paid('/a', { ...known, quotesOthers: true });
		expect((await openRun(inTurn(YES, noPath)).ask(30, ofPages)).came).toBe('a1 r29');
		expect((await openRun(inTurn(YES, noPath)).ask(30, paid('/a', known))).came).toBe('a1 r10 -19');
		const faulty = openRun('a');
		await faulty.ask(1);
		const all: string[] = [];
		for (let n = 0; n < 12; n += 1)
			all.push((await faulty.ask(1, paid(`/broken/${n}`, { read: broken }))).came);
		expect(all.join()).toBe([...Array<string>(10).fill('f1'), '-1', '-1'].join());
	});

	/** Stands for what differs from call to call, such as the ID of a request. */
	const OWN = 'its-own';
	const withOwn = <Value>(value: Value, nth: number) => {
		const letter = String.fromCharCode(97 + nth);
		const own = `${letter.repeat(3)}Q${letter}`;
		return JSON.parse(JSON.stringify(value).replace(OWN, own)) as Value;
	};
	const SUCCEEDS = { status: true };
	const FAILS = { success: false };

	test.each<[most: number, what: string, value: object, body: IDataObject, isOfPages?: true]>([
		[10, 'no clear answer', unclear({}, 'no answer'), {}],
		[10, 'IDs in the words', unclear({}, `E, request id req_${OWN}`), {}],
		[10, 'IDs in JSON', unclear({}, `down, {"id":"${OWN}`), {}],
		[10, 'IDs without a name', unclear({}, `Trace x${OWN}`), {}],
		[10, 'an unknown whose call failed', unknown({}, 'no luck'), FAILS],
		[12, 'a missing value', unknown({}, 'Number not found'), FAILS],
		[12, 'a refund', { ...unknown({}, ''), isRefunded: true }, FAILS],
		[12, 'an unknown that the table knows', unknown({}, 'no name'), {}],
		[10, 'the same body, as from a cache', unclear({}, ''), SUCCEEDS],
		[10, 'no field of an answer', asItCame(''), { ...SUCCEEDS, data: OWN }],
		[12, 'no clear answer about each', unclear({}, ''), { ...SUCCEEDS, of: OWN }],
		[12, 'no clear answer about a page', unclear({}, 'gone'), {}, true],
	])('that are the first are %d of 12 where they have %s', async (...row) => {
		const [most, , value, body, quotesOthers] = row;
		let calls = 0;
		const read = () => withOwn(value, (calls += 1)) as IDataObject;
		const { ask } = openRun((_, nth) => ok({ ...withOwn(body, nth), a: 1 }));
		const { came, last } = await ask(12, paid('/same', { read, quotesOthers }));
		expect(came).toBe(most === 12 ? 'a12' : 'a10 -2');
		if (most < 12) expect(failureOf(last).reason).toContain(FIRST_TEN);
	});

	test('that are the first and fail alike end the run, and free ones never do', async () => {
		const { came, last } = await openRun('l').ask(12, paid('/same'));
		expect([came, failureOf(last).reason]).toEqual(['l10 -2', expect.stringContaining(FIRST_TEN)]);
		const free = endpoint('/free', { noRetry: true });
		expect((await openRun('l').ask(12, free)).came).toBe('l12');
	});

	test.each([
		[1, 10],
		[5, 14],
	])('stop all calls but those under way, %d at a time: %d', async (most, lost) => {
		const settings = { concurrency: most };
		const { deliver, sent } = open('al', { settings, isUnpaced: true });
		await deliver(paid('/first'));
		const paths = Array.from({ length: 100 }, (_, n) => `/${n}`);
		await Promise.all(paths.map(async (path) => await deliver(paid(path))));
		expect(sent.length - 1).toBe(lost);
	});

	test('in an earlier run of the execution leave each later one a single call, until one is answered', async () => {
		const lostInARow = new Map<object, number>();
		await openRun('al', lostInARow).ask(15);
		for (let round = 0; round < 2; round += 1)
			expect(await openRun('l', lostInARow).askAtOnce(20)).toBe('l1 -19');
		expect(await openRun('a', lostInARow).askAtOnce(20)).toBe('a20');
	});

	test('stop the calls of their own operation only', async () => {
		const { ask } = openRun('al');
		const [lookup, other] = [{}, {}];
		expect((await ask(13, undefined, lookup)).came).toBe('a1 l10 -2');
		expect((await ask(1, undefined, other)).came).toBe('l1');
	});
});

describe('the circuit breaker', () => {
	const [main, other] = [{}, {}];
	const badKeyAt =
		(path: string, others: Reply = YES): Script =>
		(request) =>
			request.path === path ? WRONG_KEY : others;

	test('stops a queued call when the account is refused meanwhile', async () => {
		const { deliver, transport } = open(badKeyAt('/bad'), { cap: 1 });
		const paths = ['/bad', '/b', '/c', '/d'];
		const results = await Promise.all(paths.map(async (path) => await deliver(paid(path))));
		expect(transport.paths).toEqual(['/bad']);
		const [refusal, ...failures] = results.map(({ result }) => failureOf(result));
		const reason = `skipped after an earlier failure: ${refusal.reason}`;
		expect(failures).toEqual(Array(3).fill({ cause: 'notSent', reason, scope: 'account' }));
	});

	test('stops a repeated call when the account is refused between its tries', async () => {
		const pause = held();
		const { deliver, transport } = open(badKeyAt('/bad', DEAD), {
			onPause: async () => await pause.released,
		});
		const slow = deliver(paid('/slow'));
		await flush(5);
		await deliver(paid('/bad'));
		pause.release();
		expect((await slow).came).toBe('-1');
		expect(transport.paths).toEqual(['/slow', '/bad']);
	});

	const account: Failure = { cause: 'refused', reason: 'no credits', scope: 'account' };
	const question: Failure = { cause: 'refused', reason: 'no', scope: 'question' };

	test.each<[of: object, failure: Failure, stops: boolean, opens: [main: boolean, other: boolean]]>(
		[
			[other, account, false, [false, true]],
			[main, account, false, [true, true]],
			[other, question, false, [false, false]],
			[other, question, true, [false, false]],
			[main, question, false, [false, false]],
			[main, question, true, [true, true]],
		],
	)(
		'of one operation stops that one, that of the run stops all, and any failure of it if the node is to stop (%#)',
		(of, failure, stops, opens) => {
			const breakers = new CircuitBreakers(main, stops);
			breakers.record(callOf(PAID, { breaker: of }), failure);
			breakers.record(callOf(PAID, { breaker: of }), { ...failure, reason: 'a later one' });
			expect([main, other].map((each) => breakers.openedBy(each))).toEqual(
				opens.map((isOpen) => (isOpen ? failure : undefined)),
			);
		},
	);

	const tolerated = { isAttempt: true } as const;
	const anyBody = { request: { ...PAID.request, takesAnyBody: true as const } };
	const ofAccount: Failure = { ...account, refusal: { scope: 'account', reason: '' } };
	type Opened = [
		what: string,
		failure: Partial<Failure>,
		opens: boolean,
		more?: Partial<Endpoint<unknown>>,
		call?: Partial<Call>,
	];
	test.each<Opened>([
		['a refusal', {}, true],
		['a throttled call', { cause: 'throttled' }, false],
		['a lost reply', { cause: 'lost' }, true],
		['a lost reply of a free call', { cause: 'lost' }, false, { credits: undefined }],
		['a refused connection', { cause: 'unreachable', isTransient: true }, false],
		['an untrusted certificate', { cause: 'unreachable' }, true],
		['a fault', { cause: 'fault' }, true],
		['Stop', { cause: 'notSent' }, true],
		['a throttled call with noRetry', { cause: 'throttled' }, true, { noRetry: true }],
		['an attempt that failed', question, false, {}, tolerated],
		['an attempt without a path', { ...account, status: 404 }, false, {}, tolerated],
		['an attempt that was refused', ofAccount, true, {}, tolerated],
		['an attempt with HTTP 401', { ...account, status: 401 }, true, {}, tolerated],
		['an attempt that HTTP 401 answers', { ...account, status: 401 }, false, anyBody, tolerated],
		['an attempt not tolerated', account, true, { tolerates: () => false }, tolerated],
	])('opens or not after %s', async (...[, of, opens, more, call = {}]) => {
		const failure = { ...question, ...of } as Failure;
		const breakers = new CircuitBreakers(main, !call.isAttempt);
		const guarded = compose([breakers.aroundTry], fakeSend({ failure }).send);
		await guarded(callOf({ ...PAID, ...more }, { breaker: main, ...call }));
		expect(breakers.openedBy(main)).toBe(opens ? failure : undefined);
	});
});

describe('the journal layer', () => {
	const journalKey: JournalKey = { resource: 'test', value: 'work', position: '0.0', step: 'send' };
	const { journal } = new FakeExecution().open();
	const layer = journaled(journal);

	test('repeats a free call', async () => {
		const { send, calls } = fakeSend(VALUE);
		for (let n = 0; n < 2; n += 1) await layer(send)(callOf(FREE, { journalKey }));
		expect(calls).toHaveLength(2);
	});

	test('keeps that a call may have been made if an exception follows it', async () => {
		const next = jest.fn(async () => await Promise.reject(new Error('x')));
		const call = callOf(PAID, { journalKey });
		await expect(layer(next)(call)).rejects.toThrow('x');
		expect(await layer(next)(call)).toMatchObject({ failure: { cause: 'fault' } });
		expect(next).toHaveBeenCalledTimes(1);
	});
});

test('a paid call whose price cannot be read is booked and journaled as one that may have been charged', async () => {
	const { journal } = new FakeExecution().open();
	const { deliver, sent, ledger, faults } = open('a', { journal });
	const target = { ...PAID, credits: { ...PRICE, charged: broken } };
	const journalKey = { resource: 'test', value: 'work', position: '0.0', step: 'send' };
	for (let n = 0; n < 2; n += 1) {
		const { result } = await deliver(target, { journalKey });
		expect(failureOf(result)).toMatchObject({ cause: 'fault', mayHaveCost: true });
	}
	expect([sent.length, ledger.paidCalls, ledger.sum('open'), faults.length]).toEqual([1, 1, 1, 1]);
});
