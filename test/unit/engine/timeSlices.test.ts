/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IExecuteFunctions } from 'n8n-workflow';
import {
	type Answer,
	type AnyOperation,
	CLOCK,
	defineOperation,
	estimateRun,
	type LocalAnswer,
	newResults,
	outputItems,
	type Plan,
	planRun,
	positive,
	resultsOfSlots,
	type Settings,
	SLICE_MS,
	SLICES,
	StoredResults,
	StoredRows,
} from '../../engine';
import {
	FakeClock,
	FakeExecution,
	tasksOf,
	FakeTransport,
	flush,
	perform,
	PRICE,
	replyOf,
	yes,
} from '../fakes/fakeSend';
import { NO_URL } from '../fakes/replies';

/** So many items are a long list here; the time that they take is set by the clock. */
const ITEMS = 1_000;
/** What the work on one item takes, in milliseconds. */
const WORK_MS = 0.125;

/** A clock on which only work takes time. It knows the longest stretch of work without a pause. */
class WorkClock extends FakeClock {
	pauses = 0;
	longest = 0;
	private resumed = this.at;

	work() {
		this.at += WORK_MS;
		this.longest = Math.max(this.longest, this.at - this.resumed);
	}

	override nextTick = async () => {
		this.pauses += 1;
		this.onPause();
		await flush();
		this.resumed = this.at;
		return undefined;
	};

	onPause = () => undefined as void;
}

const REAL = { ...CLOCK };
let clock: WorkClock;
const work = () => clock.work();

/** Begins a time in which all work is counted. */
function time() {
	clock = new WorkClock();
	Object.assign(CLOCK, { now: clock.now, nextTick: clock.nextTick });
}
beforeEach(async () => {
	await SLICES.pause();
	clock = new WorkClock();
});
afterEach(() => void Object.assign(CLOCK, REAL));

/** Work on a long list that gives way to others as it should, and what came of it. */
async function sliced<Value>(step: () => Promise<Value> | Value): Promise<Value> {
	time();
	const value = await step();
	expect(clock.longest).toBeLessThanOrEqual(SLICE_MS + 2 * WORK_MS);
	const least = Math.floor((ITEMS * WORK_MS) / (SLICE_MS + 2 * WORK_MS));
	expect(clock.pauses).toBeGreaterThanOrEqual(least);
	return value;
}

/** An operation whose questions are texts. Whatever is done with one of them takes time. */
const LOOKUP = defineOperation<string>({
	...{ resource: 'test', value: 'check', name: 'Check', action: 'Check', description: 'Checks' },
	fields: [{ displayName: 'Text', name: 'text', type: 'string', default: '' }],
	...{ subject: 'text', rules: {}, output: [], repeatable: true },
	outcomes: { positive: 'Yes', negative: 'No', unknown: 'Unknown' },
	prepare: ({ text }) => {
		work();
		return String(text);
	},
	credits: () => {
		work();
		return PRICE;
	},
	present: (answer) => {
		work();
		return answer;
	},
	request: (text) => ({ service: 'main', method: 'GET', path: '/check', query: { text } }),
	read: () => positive({}),
});

const settings = {
	...{ alsoFailItemsIf: [] as string[], output: 'simplified', selectedFields: [] },
	...{ onFailure: 'unknown', timeoutMs: 60_000 },
} as unknown as Settings;

const TEXTS = Array.from({ length: ITEMS }, (_, item) => `text ${item}`);
const ANSWER = { answer: yes(), response: {}, source: 'service' as const };
const fault = () => undefined;

/** The input items, which n8n passes one at a time. Its storage of files takes time, too. */
function contextOf(texts: string[], signal?: AbortSignal) {
	const items = texts.map((text) => ({
		get json() {
			work();
			return { text };
		},
	}));
	const getNodeParameter = (name: string, item: number, _: unknown, options?: object) => {
		if (name !== 'text') return {};
		return options ? '={{ $json.text + "" }}' : texts[item];
	};
	return {
		getNodeParameter,
		getInputData: () => items,
		getNode: () => ({ type: 'x' }),
		getExecutionCancelSignal: () => signal,
		helpers: { prepareBinaryData: async () => work() },
	} as unknown as IExecuteFunctions;
}

async function planned(texts = TEXTS, operation: AnyOperation = LOOKUP, stop?: AbortSignal) {
	const answers = { find: () => undefined, positionOf: () => undefined };
	return await planRun(contextOf(texts, stop), operation, texts.length, settings, answers);
}

/** Makes output items of the slots of a plan. */
async function present(plan: Plan, slots: unknown, operation: AnyOperation = LOOKUP) {
	const context = contextOf(TEXTS);
	const run = { context, operation, plan, settings, log: { fault }, ledger: {} } as never;
	return await outputItems(run, slots as never, () => new Error('no item fails'));
}

/** The results of a plan whose questions were all answered alike. */
async function answered(plan: Plan, answer: Answer = ANSWER.answer) {
	const results = plan.tasks.map(
		({ questions: [asked] }) => [asked, { ...ANSWER, answer }] as const,
	);
	return await resultsOfSlots(plan, new Map(results), LOOKUP, fault);
}

describe('a long list lets n8n run other work every few milliseconds', () => {
	test('while it is planned, priced, linked and presented', async () => {
		const plan = await sliced(planned);
		expect(plan.tasks).toHaveLength(ITEMS);
		const [nothing, never] = [() => undefined, () => false];
		const price = await sliced(() => estimateRun(LOOKUP, plan.tasks, nothing, never));
		expect(price.calls).toBe(ITEMS);
		const slots = await sliced(() => answered(plan));
		const [items] = await sliced(() => present(plan, slots));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(slots.map(({ item }) => ({ item })));
	});

	test('while the files of an answer are stored', async () => {
		const file = { base64: 'AAAA', mimeType: 'image/png', fileName: 'a.png' };
		const files = Object.fromEntries(TEXTS.map((_, n) => [`data_${n}`, file]));
		const plan = await planned(['a']);
		const slots = await answered(plan, { ...yes(), files });
		const [[item]] = await sliced(() => present(plan, slots));
		expect(Object.keys(item.binary ?? {})).toHaveLength(ITEMS);
	});

	test('while values that are not sent become failures, or are listed', async () => {
		const local: LocalAnswer = {
			...{ local: 'malformed', reason: 'is odd' },
			get field() {
				work();
				return 'Text';
			},
		};
		const facts = { ...LOOKUP, outcomes: undefined };
		const operation: AnyOperation = { ...facts, oneItemPerTask: true, prepare: () => local };
		const plan = await sliced(() => planned(TEXTS, operation));
		expect(plan.slots.map(({ kind }) => kind)).toEqual(Array(ITEMS).fill('failure'));

		const asked = { question: 'a', firstSlot: 0, items: [0], position: '0.0' };
		const question = { item: 0, input: null, question: 'a' };
		const left = Array(ITEMS).fill({ item: 0, input: null, kind: 'local', local });
		const slots = [{ ...question, ...ANSWER, kind: 'answer' }, ...left];
		const asking = [{ ...question, kind: 'asked', asked }, ...left] as never;
		const ofTask = { ...plan, slots: asking, tasks: [{ questions: [asked], additional: [] }] };
		await sliced(() => present(ofTask, slots, operation));
	});

	test('while stored results come in and new ones go out', async () => {
		const rows = TEXTS.map((text) => ({
			get key() {
				work();
				return `test.check api.example/check?text=${text}`;
			},
			...{ operation: 'test.check', outcome: 'positive', answeredAt: Date.now(), answer: '{}' },
		}));
		const origin = { baseUrls: { main: 'api.example' }, account: 'account' };
		const known = new StoredResults({ maxAgeDays: 30, showsResponse: false }).open(
			new StoredRows(),
			origin,
		);
		await sliced(async () => await known.read(rows));

		const plan = await planned();
		for (const { questions } of plan.tasks) {
			for (const { key = '' } of questions) known.keep(LOOKUP, key, ANSWER);
		}
		const rowKeyOf = known.rowKeyOf.bind(known);
		known.rowKeyOf = (...asked) => {
			work();
			return rowKeyOf(...asked);
		};
		const rowsOut = await sliced(() => newResults(LOOKUP, plan, known));
		expect(rowsOut.map(({ pairedItem }) => pairedItem)).toEqual(
			plan.slots.map(({ item }) => [{ item }]),
		);
	});

	test('while its tasks start, although no call takes long', async () => {
		const service = new FakeTransport(() => {
			work();
			return replyOf(yes());
		});
		const { resultCount } = await perform(LOOKUP, TEXTS, service, { concurrency: 50 }, { clock });
		expect(resultCount).toBe(ITEMS);
		expect(clock.pauses).toBeGreaterThanOrEqual((ITEMS * WORK_MS) / (2 * SLICE_MS));
	});

	test('while all of its tasks end at once, since the first failure ends the run', async () => {
		const service = new FakeTransport(() => NO_URL);
		const { failures } = await sliced(() => perform(LOOKUP, TEXTS, service, {}, { clock }));
		expect(service.sent).toHaveLength(1);
		expect(failures).toHaveLength(ITEMS);
	});

	test('while a retry looks for what was paid for', async () => {
		const canonical = (text: unknown) => {
			work();
			return text;
		};
		const once = { ...LOOKUP, canonical, repeatable: undefined } as AnyOperation;
		const execution = new FakeExecution();
		const tasks = tasksOf(once, TEXTS);
		// Where any job is awaited, all tasks are held against its content
		execution.open('0').journal.end(once, tasks[0], { isPaid: true, awaits: 'the job goes on' });
		const ends = await sliced(() => execution.open('1').journal.takeUp(once, tasks));
		expect(ends.size).toBe(1);
	});
});

test('a list that takes less than a slice waits for nothing', async () => {
	time();
	// The work on each item is to read it and to prepare its question
	await planned(TEXTS.slice(0, SLICE_MS / WORK_MS / 2 - 2));
	expect(clock.pauses).toBe(0);
});

test('a clock that is set back ends the slice', async () => {
	time();
	expect(SLICES.isOver).toBe(false);
	clock.at -= 3_600_000;
	expect(SLICES.isOver).toBe(true);
	await SLICES.pause();
	expect(SLICES.isOver).toBe(false);
});

test('a slice ends with its round of the event loop, and all work of a round shares it', async () => {
	time();
	const pass = (ms: number) => {
		const before = SLICES.isOver;
		clock.at += ms;
		return [before, SLICES.isOver];
	};
	expect([pass(SLICE_MS - 1), pass(1)]).toEqual([
		[false, false],
		[false, true],
	]);
	await REAL.sleep(2);
	expect(pass(SLICE_MS - 1)).toEqual([false, false]);
});

describe('tasks that wait for a turn at the same time', () => {
	/** Does work in turns of n8n's own clock, on which only work takes time. Returns who worked in each round of the event loop. */
	async function work(workers: number, turns: number, ms: number) {
		let now = CLOCK.now();
		const time = jest.spyOn(Date, 'now').mockImplementation(() => now);
		const rounds = new Map<number, number[]>();
		let round = 0;
		let isOver = false;
		const count = () => {
			round += 1;
			if (!isOver) setImmediate(count);
		};
		setImmediate(count);
		const working = Array.from({ length: workers }, async (_, worker) => {
			for (let turn = 0; turn < turns; turn += 1) {
				await CLOCK.nextTick();
				now += ms;
				rounds.set(round, [...(rounds.get(round) ?? []), worker]);
			}
		});
		await Promise.all(working);
		isOver = true;
		time.mockRestore();
		return [...rounds.values()];
	}

	test('block n8n for one slice together, and have their turns one after the other', async () => {
		const rounds = await work(4, 3, SLICE_MS);
		expect(rounds.flat()).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
		// On a busy machine, the next timer may be due before the round is over
		expect(rounds.length).toBeGreaterThan(9);
	});

	test('share a slice if each has little to do', async () => {
		const rounds = await work(100, 1, SLICE_MS / 5);
		expect(rounds.length).toBeGreaterThan(15);
		expect(rounds.length).toBeLessThan(50);
		expect(rounds.flat()).toEqual(Array.from({ length: 100 }, (_, worker) => worker));
		expect((await work(100, 1, 0)).length).toBeLessThan(50);
	});
});

test('Stop while a list is planned ends the reading of items at the next pause, and leaves them unasked', async () => {
	time();
	const stop = new AbortController();
	clock.onPause = () => stop.abort();
	const { slots, tasks } = await planned(TEXTS, LOOKUP, stop.signal);
	const read = slots.filter(({ kind }) => kind === 'asked').length;
	expect(read).toBeLessThanOrEqual(SLICE_MS / WORK_MS + 1);
	expect(tasks).toHaveLength(read);
	expect(slots).toHaveLength(ITEMS);
	expect(slots.at(-1)).toMatchObject({ kind: 'failure', failure: { cause: 'notSent' } });
});

test('two runs that take turns after each step make no lookup twice', async () => {
	/** A clock that has every slice over at once. */
	class RestlessClock extends FakeClock {
		override now = () => (this.at += SLICE_MS);
	}
	const execution = new FakeExecution();
	const service = new FakeTransport(() => replyOf(yes()));
	const texts = TEXTS.slice(0, 60);
	const runs = await Promise.all(
		[texts, texts.toReversed()].map(async (asked, index) => {
			const options = { execution, run: `${index}`, clock: new RestlessClock() };
			return await perform(LOOKUP, asked, service, { concurrency: 3 }, options);
		}),
	);
	expect(service.sent.map(({ query }) => query?.text).sort()).toEqual(texts.toSorted());
	for (const { outcomes } of runs) expect(outcomes).toEqual(texts.map(() => 'positive'));
	expect(runs.reduce((sum, { ledger }) => sum + ledger.paidCalls, 0)).toBe(60);
});
