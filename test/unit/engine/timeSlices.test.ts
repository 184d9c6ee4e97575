/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IExecuteFunctions } from 'n8n-workflow';
import {
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
	startRun,
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
beforeEach(async () => await SLICES.pause());
afterEach(() => void Object.assign(CLOCK, REAL));

/** Has the clock time all work that follows. */
function time({ now, nextTick }: WorkClock) {
	Object.assign(CLOCK, { now, nextTick });
}

/** Work on a list of that length that gives way to others as it should. */
function expectSlices({ pauses, longest }: WorkClock, items = ITEMS) {
	expect(longest).toBeLessThanOrEqual(SLICE_MS + 2 * WORK_MS);
	expect(pauses).toBeGreaterThanOrEqual(Math.floor((items * WORK_MS) / (SLICE_MS + 2 * WORK_MS)));
}

/** An operation whose questions are texts. Whatever is done with one of them takes time. */
const lookupOn = (clock: WorkClock) =>
	defineOperation<string>({
		...{ resource: 'test', value: 'check', name: 'Check', action: 'Check', description: 'Checks' },
		fields: [{ displayName: 'Text', name: 'text', type: 'string', default: '' }],
		...{ subject: 'text', rules: {}, output: [], repeatable: true },
		outcomes: { positive: 'Yes', negative: 'No', unknown: 'Unknown' },
		prepare: ({ text }) => {
			clock.work();
			return String(text);
		},
		credits: () => {
			clock.work();
			return PRICE;
		},
		present: (answer) => {
			clock.work();
			return answer;
		},
		request: (text) => ({ service: 'main', method: 'GET', path: '/check', query: { text } }),
		read: () => positive({}),
	});

const SETTINGS = { alsoFailItemsIf: [] as string[], output: 'simplified', selectedFields: [] };
const settings = { ...SETTINGS, onFailure: 'unknown' } as unknown as Settings;

/** The input items, which n8n passes one at a time. */
function contextOf(texts: string[], signal?: AbortSignal, onItem = () => undefined as void) {
	const items = texts.map((text) => ({
		get json() {
			onItem();
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
	} as unknown as IExecuteFunctions;
}

const textsOf = (items: number) => Array.from({ length: items }, (_, item) => `text ${item}`);
const NOTHING_KNOWN = { find: () => undefined, positionOf: () => undefined };

async function planned(clock: WorkClock, items = ITEMS, stop?: AbortSignal) {
	const context = contextOf(textsOf(items), stop);
	time(clock);
	return await planRun(context, lookupOn(clock), items, settings, NOTHING_KNOWN);
}

describe('a long list lets n8n run other work every few milliseconds', () => {
	let clock: WorkClock;
	beforeEach(() => (clock = new WorkClock()));

	test('while it is planned', async () => {
		const plan = await planned(clock);
		expect(plan.tasks).toHaveLength(ITEMS);
		expectSlices(clock);
	});

	test('while its price is computed', async () => {
		const { tasks } = await planned(new WorkClock());
		const [nothing, never] = [() => undefined, () => false];
		time(clock);
		expect((await estimateRun(lookupOn(clock), tasks, nothing, never)).calls).toBe(ITEMS);
		expectSlices(clock);
	});

	const ANSWER = { answer: yes(), response: {}, source: 'service' as const };
	const log = { fault: () => undefined };
	/** Presents the slots of a plan in so many slices of a clock. */
	const present = async (
		{ context, ...of }: { context: unknown; operation: AnyOperation; plan: Plan; more?: object },
		slots: unknown,
		own: WorkClock,
	) => {
		const { operation, plan, more } = of;
		const timed = { ...settings, ...more };
		const run = { context, operation, plan, settings: timed, log, ledger: {} } as never;
		const fail = () => new Error('no item fails');
		time(own);
		return await outputItems(run, slots as never, fail);
	};

	test('while it is linked and presented', async () => {
		const plan = await planned(new WorkClock());
		const results = new Map(plan.tasks.map(({ questions: [asked] }) => [asked, ANSWER]));
		const operation = lookupOn(clock);
		time(clock);
		const slots = await resultsOfSlots(plan, results, operation, log.fault);
		expectSlices(clock);

		const presenting = new WorkClock();
		const context = contextOf(textsOf(ITEMS), undefined, () => presenting.work());
		const [items] = await present({ context, operation, plan }, slots, presenting);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(slots.map(({ item }) => ({ item })));
		expectSlices(presenting);
	});

	test('while the files of an answer are stored', async () => {
		const plan = await planned(new WorkClock(), 1);
		const file = { base64: 'AAAA', mimeType: 'image/png', fileName: 'a.png' };
		const files = Object.fromEntries(Array.from({ length: ITEMS }, (_, n) => [`data_${n}`, file]));
		const results = new Map([
			[plan.tasks[0].questions[0], { ...ANSWER, answer: { ...yes(), files } }],
		]);
		const operation = lookupOn(new WorkClock());
		const slots = await resultsOfSlots(plan, results, operation, log.fault);
		const prepareBinaryData = async () => clock.work();
		const context = { ...contextOf(textsOf(1)), helpers: { prepareBinaryData } };
		const more = { timeoutMs: 60_000 };
		const [[item]] = await present({ context, operation, plan, more }, slots, clock);
		expect(Object.keys(item.binary ?? {})).toHaveLength(ITEMS);
		expectSlices(clock);
	});

	test('while values that are not sent become failures, or are listed', async () => {
		const malformed = (of: WorkClock): LocalAnswer => ({
			...{ local: 'malformed', reason: 'is odd' },
			get field() {
				of.work();
				return 'Text';
			},
		});
		const facts = { ...lookupOn(new WorkClock()), outcomes: undefined };
		const operation: AnyOperation = {
			...facts,
			oneItemPerTask: true,
			prepare: () => malformed(clock),
		};
		const context = contextOf(textsOf(ITEMS));
		time(clock);
		const plan = await planRun(context, operation, ITEMS, settings, NOTHING_KNOWN);
		expect(plan.slots.map(({ kind }) => kind)).toEqual(Array(ITEMS).fill('failure'));
		expectSlices(clock);

		const listing = new WorkClock();
		const local = malformed(listing);
		const asked = { question: 'a', firstSlot: 0, items: [0], position: '0.0' };
		const question = { item: 0, input: null, question: 'a' };
		const left = Array(ITEMS).fill({ item: 0, input: null, kind: 'local', local });
		const slots = [{ ...question, ...ANSWER, kind: 'answer' }, ...left];
		const asking = [{ ...question, kind: 'asked', asked }, ...left] as never;
		const ofTask = { ...plan, slots: asking, tasks: [{ questions: [asked], additional: [] }] };
		await present({ context, operation, plan: ofTask }, slots, listing);
		expectSlices(listing);
	});

	test('while stored results come in and new ones go out', async () => {
		const rows = Array.from({ length: ITEMS }, (_, nth) => ({
			get key() {
				clock.work();
				return `test.check api.example/check?text=${nth}`;
			},
			...{ operation: 'test.check', outcome: 'positive', answeredAt: Date.now(), answer: '{}' },
		}));
		const operation = lookupOn(new WorkClock());
		const outbox = { find: () => undefined, keep: () => undefined, forget: () => undefined };
		const origin = { baseUrls: { main: 'api.example' }, outbox: outbox as never };
		const known = new StoredResults({ maxAgeDays: 30 }).open(new StoredRows(), origin);
		time(clock);
		await known.read(rows);
		// A row is looked at several times
		expectSlices(clock, ITEMS);

		const plan = await planned(new WorkClock());
		for (const { questions } of plan.tasks) {
			for (const { key = '' } of questions)
				known.keep(operation, key, { answer: yes({}), response: {}, source: 'service' });
		}
		const leaving = new WorkClock();
		const rowKeyOf = known.rowKeyOf.bind(known);
		known.rowKeyOf = (...asked) => {
			leaving.work();
			return rowKeyOf(...asked);
		};
		time(leaving);
		const rowsOut = await newResults(operation, plan, known);
		expect(rowsOut.map(({ pairedItem }) => pairedItem)).toEqual(
			plan.slots.map(({ item }) => [{ item }]),
		);
		expectSlices(leaving);
	});

	test('while its tasks start, although no call takes long', async () => {
		const service = new FakeTransport(() => {
			clock.work();
			return replyOf(yes());
		});
		const { resultCount } = await perform(
			lookupOn(clock),
			textsOf(ITEMS),
			service,
			{ concurrency: 50 },
			{ clock },
		);
		expect(resultCount).toBe(ITEMS);
		expect(clock.pauses).toBeGreaterThanOrEqual((ITEMS * WORK_MS) / (2 * SLICE_MS));
	});

	test('while all of its tasks end at once, since the first failure ends the run', async () => {
		const service = new FakeTransport(() => NO_URL);
		const { failures } = await perform(lookupOn(clock), textsOf(ITEMS), service, {}, { clock });
		expect(service.sent).toHaveLength(1);
		expect(failures).toHaveLength(ITEMS);
		expectSlices(clock);
	});

	test('while a retry looks for what was paid for', async () => {
		const canonical = (text: unknown) => {
			clock.work();
			return text;
		};
		const work = { ...lookupOn(clock), canonical, repeatable: undefined } as AnyOperation;
		const execution = new FakeExecution();
		const tasks = tasksOf(work, textsOf(ITEMS));
		// Where any job is awaited, all tasks are held against its content
		execution.open('0').journal.end(work, tasks[0], { isPaid: true, awaits: 'the job goes on' });
		time(clock);
		const ends = await execution.open('1').journal.takeUp(work, tasks);
		expect(ends.size).toBe(1);
		expectSlices(clock);
	});
});

test('a list that takes less than a slice waits for nothing', async () => {
	const clock = new WorkClock();
	await planned(clock, SLICE_MS / WORK_MS - 2);
	expect(clock.pauses).toBe(0);
});

test('a clock that is set back ends the slice', async () => {
	const clock = new WorkClock();
	time(clock);
	expect(SLICES.isOver).toBe(false);
	clock.at -= 3_600_000;
	expect(SLICES.isOver).toBe(true);
	await SLICES.pause();
	expect(SLICES.isOver).toBe(false);
});

test('a slice ends with its round of the event loop, and all work of a round shares it', async () => {
	const clock = new WorkClock();
	time(clock);
	const work = (ms: number) => {
		const before = SLICES.isOver;
		clock.at += ms;
		return [before, SLICES.isOver];
	};
	expect([work(SLICE_MS - 1), work(1)]).toEqual([
		[false, false],
		[false, true],
	]);
	await REAL.sleep(2);
	expect(work(SLICE_MS - 1)).toEqual([false, false]);
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

describe('Stop while a list is planned', () => {
	test('ends the reading of items at the next pause, and leaves them unasked', async () => {
		const clock = new WorkClock();
		const stop = new AbortController();
		clock.onPause = () => stop.abort();
		const { slots, tasks } = await planned(clock, ITEMS, stop.signal);
		const read = slots.filter(({ kind }) => kind === 'asked').length;
		expect(read).toBeLessThanOrEqual(SLICE_MS / WORK_MS + 1);
		expect(tasks).toHaveLength(read);
		expect(slots).toHaveLength(ITEMS);
		expect(slots.at(-1)).toMatchObject({ kind: 'failure', failure: { cause: 'notSent' } });
	});
});

describe('two runs that take turns after each step', () => {
	/** A clock that has every slice over at once. */
	class RestlessClock extends FakeClock {
		override now = () => (this.at += SLICE_MS);
	}

	test('make no lookup twice', async () => {
		const operation = lookupOn(new WorkClock());
		const execution = new FakeExecution();
		const service = new FakeTransport(() => replyOf(yes()));
		const begin = (run: string, texts: string[]) =>
			startRun(
				operation,
				texts,
				service,
				{ concurrency: 3 },
				{ execution, run, clock: new RestlessClock() },
			).performed;
		const texts = textsOf(60);
		const runs = await Promise.all([begin('0', texts), begin('1', texts.toReversed())]);
		expect(service.sent).toHaveLength(60);
		const asked = service.sent.map(({ query }) => query?.text).sort();
		expect(asked).toEqual([...texts].sort());
		for (const { outcomes } of runs) expect(outcomes).toEqual(texts.map(() => 'positive'));
		expect(runs.reduce((sum, { ledger }) => sum + ledger.paidCalls, 0)).toBe(60);
	});
});
