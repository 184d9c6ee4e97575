import {
	type AnswerStore,
	BoundedCache,
	type Failure,
	type Flight,
	type LookupResult,
	type NewResult,
	type Reply,
} from '../../engine';
import { ok } from '../fakes/replies';
import {
	ask,
	call,
	FakeExecution,
	FakeTransport,
	flush,
	jobOf,
	perform,
	replyOf,
	workflow,
	yes,
} from '../fakes/fakeSend';

const OPERATION = { resource: 'test', value: 'work' };
const ANSWER: LookupResult = { answer: yes(), response: {}, source: 'service' };
const THROTTLED: Failure = { cause: 'throttled', reason: 'too fast', scope: 'question' };

/** Asks the one question of these tests, as a run does that may wait for others. */
const once = async (answers: AnswerStore, ask: () => Promise<NewResult>): Promise<LookupResult> => {
	const wait = async (others: Flight[]) =>
		void (await Promise.all(others.map(async ({ isOver }) => await isOver)));
	const [result] = await answers.askOnce(
		OPERATION,
		[{ key: 'q' }],
		async () => [await ask()],
		wait,
	);
	return result;
};

/** Asks for the result, and says how often that happened. */
function asking(result: LookupResult = ANSWER) {
	const ask = jest.fn(async (): Promise<NewResult> => {
		await flush();
		return { result, characters: 0 };
	});
	return { ask, asked: () => ask.mock.calls.length };
}

describe('a lookup in the store', () => {
	test('that several runs make at the same time is made once', async () => {
		const execution = new FakeExecution();
		const { ask, asked } = asking();
		const stores = ['0', '1', '2'].map((run) => execution.open(run).answers);
		const results = await Promise.all(stores.map(async (store) => await once(store, ask)));
		expect(asked()).toBe(1);
		expect(results).toEqual([
			ANSWER,
			{ ...ANSWER, source: 'memory' },
			{ ...ANSWER, source: 'memory' },
		]);
	});

	test('that one run makes several times at once is made once', async () => {
		const { answers } = new FakeExecution().open();
		const { ask, asked } = asking({ failure: THROTTLED });
		const all = [1, 2, 3].map(async () => await once(answers, ask));
		expect(await Promise.all(all)).toEqual(new Array(3).fill({ failure: THROTTLED }));
		expect(asked()).toBe(1);
	});

	test('is made by one run after the other while none gets an answer', async () => {
		const execution = new FakeExecution();
		let [inFlight, peak, asked] = [0, 0, 0];
		const ask = async () => {
			asked += 1;
			peak = Math.max(peak, (inFlight += 1));
			await flush();
			inFlight -= 1;
			return { result: { failure: THROTTLED }, characters: 0 };
		};
		const stores = ['0', '1', '2'].map((run) => execution.open(run).answers);
		await Promise.all(stores.map(async (store) => await once(store, ask)));
		expect([peak, asked]).toEqual([1, 3]);
	});

	test('is made by the next run after an exception', async () => {
		const execution = new FakeExecution();
		const broken = once(
			execution.open('0').answers,
			async () => await Promise.reject(new Error('broken')),
		);
		const next = once(execution.open('1').answers, asking().ask);
		await expect(broken).rejects.toThrow('broken');
		expect(await next).toEqual(ANSWER);
	});

	test('of another operation is another lookup', async () => {
		const { answers } = new FakeExecution().open();
		answers.keep(OPERATION, 'q', { result: ANSWER, characters: 0 });
		expect(answers.find({ ...OPERATION, value: 'other' }, 'q')).toBeUndefined();
		expect(answers.find({ ...OPERATION, resource: 'other' }, 'q')).toBeUndefined();
		expect(answers.find(OPERATION, 'other')).toBeUndefined();
		expect(answers.find(OPERATION, 'q')).toBeDefined();
	});
});

describe('a result', () => {
	const failing = (more: Partial<Failure>): LookupResult => ({
		failure: { ...THROTTLED, ...more } as Failure,
	});
	const refunded: LookupResult = { ...ANSWER, answer: { ...yes(), isRefunded: true } };
	const jobs = [jobOf('b-1')];

	/** Where a result is found: in its own try, in a retry of its run, and in another run. */
	test.each<[what: string, result: LookupResult, inRetry: boolean, inOthers: boolean]>([
		['an answer', ANSWER, true, true],
		['a refunded answer', refunded, false, false],
		['a lost reply', failing({ cause: 'lost' }), true, true],
		['a fault', failing({ cause: 'fault' }), true, true],
		['a refusal of the question', failing({ cause: 'refused' }), true, true],
		['a refusal of the account', failing({ cause: 'refused', scope: 'account' }), false, false],
		['a throttled call', failing({}), false, false],
		['a call that was not sent', failing({ cause: 'notSent' }), false, false],
		['an unfinished job', failing({ cause: 'unfinished', jobs }), false, true],
		['a lost reply about a job', failing({ cause: 'lost', jobs }), false, true],
		['the last word on a job', failing({ cause: 'refused', jobs, isFinal: true }), true, true],
	])('that is %s is kept as long as it should', (_, result, inRetry, inOthers) => {
		const execution = new FakeExecution();
		const own = execution.open('0').answers;
		own.keep(OPERATION, 'q', { result, characters: 0 });
		const isIn = (run: string) => execution.open(run).answers.find(OPERATION, 'q') !== undefined;
		expect(own.find(OPERATION, 'q')).toBeDefined();
		expect([isIn('0'), isIn('1')]).toEqual([inRetry, inOthers]);
	});

	test('is a duplicate in its own try, and from memory in any other', () => {
		const execution = new FakeExecution();
		const own = execution.open('0').answers;
		own.keep(OPERATION, 'q', { result: ANSWER, characters: 0 });
		expect(own.find(OPERATION, 'q')).toEqual({ ...ANSWER, source: 'duplicate' });
		const other = execution.open('0').answers;
		expect(other.find(OPERATION, 'q')).toEqual({ ...ANSWER, source: 'memory' });
	});
});

describe('a bounded cache', () => {
	test('drops its oldest values when it would grow too large', () => {
		const cache = new BoundedCache<number>();
		cache.set('old', 1, 20_000_000);
		cache.set('middle', 2, 20_000_000);
		cache.set('new', 3, 20_000_000);
		expect(['old', 'middle', 'new'].map((key) => cache.get(key))).toEqual([undefined, 2, 3]);
	});

	test('counts a replaced value once', () => {
		const cache = new BoundedCache<number>();
		cache.set('other', 1, 20_000_000);
		for (let n = 0; n < 5; n += 1) cache.set('same', n, 20_000_000);
		expect(['other', 'same'].map((key) => cache.get(key))).toEqual([1, 4]);
	});

	test('says how many values it has dropped', () => {
		const cache = new BoundedCache<number>();
		for (let n = 0; n < 5; n += 1) cache.set(`${n}`, n, 20_000_000);
		cache.set('4', 5, 1);
		expect(cache.dropped).toBe(3);
	});
});

describe('what is stored', () => {
	const refused = (words: string) => replyOf({ scope: 'question', reason: words });

	test.each<[what: string, reply: (words: string) => Reply]>([
		['an answer', (words) => ({ ...ok({ reading: { ...yes() } }), size: words.length }) as Reply],
		['a refusal', refused],
	])('counts with its size: %s', async (_, reply) => {
		const execution = new FakeExecution();
		const words = 'x'.repeat(15_000_000);
		for (const nature of [{ value: 'check', repeatable: true } as const, { value: 'send' }]) {
			const operation = workflow(async ([path], client) => [await call(client, ask(path))], nature);
			const { dropped } = execution.memoryOf(operation);
			const service = new FakeTransport(() => reply(words));
			await perform(operation, ['/a', '/b', '/c', '/d'], service, {}, { execution });
			// A workflow that may be repeated has a journal, too
			expect(dropped()).toBeGreaterThan(0);
			expect(execution.memoryOf(operation).dropped()).toBe(0);
		}
	});
});
