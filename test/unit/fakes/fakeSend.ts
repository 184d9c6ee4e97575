/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	aboveFloors,
	type Answer,
	type AnyOperation,
	type Call,
	type Caller,
	CircuitBreakers,
	type Client,
	type Clock,
	Connections,
	type Credits,
	defineWorkflow,
	type Endpoint,
	equalityKey,
	type Failure,
	FairQueue,
	type Feature,
	type Flow,
	Flows,
	interpret,
	isFailed,
	type Job,
	type Journal,
	Ledger,
	type LostInARow,
	openMemory,
	performTasks,
	TimeSlices,
	type Reading,
	recheckInconclusive,
	type Reply,
	type Result,
	type RunAccount,
	type RunMemory,
	runNetwork,
	type Send,
	type ServiceRequest,
	type Settings,
	skipCatchAll,
	STOPPED,
	type Task,
	type WorkflowOperation,
} from '../../engine';

/**
 * The edge of the network, scripted: a Send for tests of single layers, a Transport and a clock for tests of the rest. All that
 * lies between is the engine's own.
 */

/** Lets all work happen that waits for no timer. */
export async function flush(rounds = 1) {
	for (let n = 0; n < rounds; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A promise that the test resolves. */
export function held<Value = void>() {
	let release: (value: Value) => void = () => undefined;
	const released = new Promise<Value>((resolve) => (release = resolve));
	return { released, release };
}

/** A Send that gives the scripted results, the last one again and again. */
export function fakeSend(...results: Array<Promise<Result> | Result>) {
	const calls: Call[] = [];
	const send: Send = async (call) => {
		calls.push(call);
		return await results[Math.min(calls.length, results.length) - 1];
	};
	return { send, calls };
}

/** What the service does with a request: it replies, at once or when the test lets it. */
export type Script = (request: ServiceRequest, nth: number) => Promise<Reply> | Reply;

/** The replies one after the other, the last one again and again. */
export const inTurn =
	(...replies: Reply[]): Script =>
	(_, nth) =>
		replies[Math.min(nth, replies.length - 1)];

/** What a sleep of an operation comes to, where it is not over at once. */
type OnSleep = (ms: number) => Failure | Promise<Failure | undefined> | undefined;

/** A transport that replies as the script says, after a moment, and records what was sent. */
export class FakeTransport {
	readonly sent: ServiceRequest[] = [];
	/** What operations slept, in milliseconds. */
	readonly sleeps: number[] = [];
	/** Most requests that were in flight at once. */
	peak = 0;
	private inFlight = 0;

	constructor(
		private readonly script: Script,
		readonly onSleep: OnSleep = () => undefined,
	) {}

	get paths() {
		return this.sent.map(({ path }) => path);
	}

	async send(request: ServiceRequest): Promise<Reply> {
		this.sent.push(request);
		this.inFlight += 1;
		this.peak = Math.max(this.peak, this.inFlight);
		const nth = this.sent.length - 1;
		try {
			await flush();
			return await this.script(request, nth);
		} finally {
			this.inFlight -= 1;
		}
	}
}

export const T0 = Date.UTC(2030, 0, 1, 12);

/** A clock that moves on by what is waited for, at once. */
export class FakeClock implements Clock {
	at = T0;

	constructor(private readonly part = 0.5) {}

	now = () => this.at;
	random = () => this.part;
	nextTick = async () => void (await flush());
	sleep = async (ms: number) => {
		this.at += ms;
		await flush();
	};
}

export interface FakeNetworkOptions {
	/** The operation of the run. */
	operation?: object;
	/** Stop at the First Failure: any failure of the run's own operation stops all calls. */
	stops?: boolean;
	/** Lost replies of earlier runs. */
	lostInARow?: LostInARow;
	settings?: Partial<Pick<Settings, 'maxQueueWaitMs'>> & { concurrency?: number };
	/** Floors, and what reads the balances. */
	account?: Pick<RunAccount, 'admit'>;
	/** Most calls in flight at once, by the flow. */
	cap?: number;
	/** Every call starts at once. */
	isUnpaced?: true;
	/** What the clock's random numbers are. */
	random?: number;
	clock?: FakeClock;
	journal?: Journal;
	/** Pauses between two tries; they take no time unless the test holds them. */
	onPause?(ms: number): Promise<void>;
}

/** Flows in which every call starts at once, for tests that are not about the rate. */
const UNPACED = {
	to: () => {
		const permit = {
			accepted: () => undefined,
			throttled: () => undefined,
			ignored: () => undefined,
		};
		const acquire = async () => await Promise.resolve({ permit });
		return { acquire, timeAt: (now: number) => now } as unknown as Flow;
	},
};

/** The network of a run, on a scripted transport. */
export function fakeNetwork(service: FakeTransport | Script, options: FakeNetworkOptions = {}) {
	const { lostInARow = new Map<object, number>() } = options;
	const { operation = {}, stops = false, cap = 20, random, journal, onPause } = options;
	const settings = {
		...{ concurrency: 500, maxQueueWaitMs: 300_000 },
		...options.settings,
	};
	const { clock = new FakeClock(random) } = options;
	const transport = service instanceof FakeTransport ? service : new FakeTransport(service);
	const queues = new Map<string, FairQueue>();
	const flows = new Flows((service) => {
		const queue = queues.get(service) ?? new FairQueue(clock);
		queues.set(service, queue);
		return queue.open(cap);
	});
	const pauses: number[] = [];
	const faults: Array<[where: string, error: Error]> = [];
	const breakers = new CircuitBreakers(operation, stops, lostInARow);
	const ledger = new Ledger();
	const http: Send = async ({ endpoint: of, request }) =>
		interpret(of, await transport.send(request), (where, error) => faults.push([where, error]));
	const connections = new Connections();
	const send = runNetwork({
		...{ settings, concurrency: settings.concurrency },
		...{ journal, breakers, ledger, clock, http, connections },
		around: options.account ? [aboveFloors(options.account)] : [],
		flows: options.isUnpaced ? UNPACED : flows,
		pause: async (ms) => {
			pauses.push(ms);
			await (onPause ?? clock.sleep)(ms);
		},
	});
	return { send, transport, clock, flows, pauses, faults, breakers, ledger, operation };
}

/** A price that the reply body states as `cost`. */
export const PRICE: Credits = {
	balance: 'whatsapp',
	atMost: 100,
	charged: (body) => Number(body.cost ?? 0),
};

/** A free call to a path whose value is the reply body. */
export function endpoint(
	path: string,
	more: Partial<Endpoint<IDataObject>> = {},
): Endpoint<IDataObject> {
	return { request: { service: 'main', method: 'GET', path }, read: (body) => body, ...more };
}

/** A paid call to a path. */
export const paid = (path: string, more: Partial<Endpoint<IDataObject>> = {}) =>
	endpoint(path, { credits: PRICE, ...more });

/** A paid call whose reading is in the reply body. */
export function ask(path: string): Endpoint<Reading> {
	const { request } = endpoint(path);
	return { request, credits: PRICE, read: (body) => (body as { reading: Reading }).reading };
}

/** A reply whose body holds a reading. */
export const replyOf = (reading: Reading, more: IDataObject = {}): Reply => ({
	...{ kind: 'ok', status: 200, headers: {} },
	body: { reading: { ...reading }, ...more },
});

/** The answer yes, with the given record. */
export const yes = (record: Answer['record'] = {}): Answer => ({ outcome: 'positive', record });

/** A job with the ID that its replies have. */
export const jobOf = (id: string): Job => ({ noun: 'batch', id, resume: 'Get Batch' });

/** Calls whose steps are named after their paths. */
export const call = async <Value>(client: Caller, each: Endpoint<Value>) =>
	await client.call(each, each.request.path);
export const attempt = async <Value>(client: Caller, each: Endpoint<Value>) =>
	await client.attempt(each, each.request.path);

/** A workflow operation whose questions are paths. */
export function workflow(
	run: (questions: string[], client: Client) => ReturnType<WorkflowOperation<string>['run']>,
	more: Partial<WorkflowOperation<string>> = {},
) {
	return defineWorkflow<string>({
		...{ resource: 'test', value: 'work', name: 'Work', action: 'Work', description: 'Works' },
		...{ fields: [], rules: {}, endpoints: [], output: [] },
		prepare: ({ path }) => String(path),
		run,
		...more,
	});
}

/** An execution: what its runs share. */
export class FakeExecution {
	private readonly owner = {};

	/** The memory as one try of a run of the operation sees it. */
	memoryOf(operation: AnyOperation, run = '0'): RunMemory {
		const context = {
			getContext: () => this.owner,
			getNode: () => ({}),
			getExecutionId: () => '7',
			getWorkflowDataProxy: () => ({ $runIndex: run }),
		};
		const settings = { isForModel: false };
		return openMemory(context as unknown as IExecuteFunctions, operation, settings);
	}

	/** The memory of an operation that keeps a journal. */
	open(run?: string) {
		const { journal, ...memory } = this.memoryOf(JOURNALED, run);
		if (!journal) throw new Error('The run has no journal');
		return { ...memory, journal };
	}
}

const JOURNALED = workflow(async () => await Promise.resolve([]));

const SETTINGS = {
	onFailure: 'unknown',
	concurrency: 1,
	maxQueueWaitMs: 300_000,
	maxWaitMs: 1_800_000,
} as const;

/** The features that a run may have switched on. */
interface FakeFeatures {
	infersInGroups?: boolean;
	rechecksInconclusive?: boolean;
}

/** The features of a run. */
function featuresOf(memory: RunMemory, on: FakeFeatures): Feature[] {
	const openers = [
		on.infersInGroups && skipCatchAll,
		on.rechecksInconclusive && recheckInconclusive,
	];
	const features = openers.flatMap((open) => (open ? open({} as never) : []));
	for (const { remember } of features) remember?.(memory);
	return features;
}

export interface FakeRunOptions {
	additional?: Task['additional'];
	execution?: FakeExecution;
	/** The same for all tries of a run. */
	run?: string;
	random?: number;
	clock?: FakeClock;
	/** Resolves at Stop, for waits for other runs. */
	stopped?: Promise<unknown>;
}

/** The tasks of questions; a list is one task of several. */
export function tasksOf(
	operation: AnyOperation,
	questions: Array<string[] | string>,
	additional: Task['additional'] = [],
): Task[] {
	return questions.map((asked, item) => ({
		questions: [asked].flat().map((question, part) => ({
			...{ question, firstSlot: item, items: [item], position: `${item}.${part}` },
			...(operation.repeatable && { key: equalityKey(operation, question, additional) }),
		})),
		additional,
	}));
}

/** Performs tasks on a scripted transport; all between is the engine's own. A list of questions is one task. */
export function startRun(
	operation: AnyOperation,
	questions: Array<string[] | string>,
	service: FakeTransport,
	given: Partial<Settings> & { concurrency?: number } & FakeFeatures = {},
	options: FakeRunOptions = {},
) {
	const { execution = new FakeExecution(), run, random } = options;
	const settings = { ...SETTINGS, ...given };
	const memory = execution.memoryOf(operation, run);
	const features = featuresOf(memory, given);
	const network = fakeNetwork(service, {
		...{ operation, settings, random, clock: options.clock, isUnpaced: true },
		stops: settings.onFailure === 'stop',
		journal: memory.journal,
	});
	const { ledger, clock } = network;
	const logged: Job[] = [];
	const tasks = tasksOf(operation, questions, options.additional);
	const performed = performTasks(
		{
			...{ ...network, ...memory, settings, operation, concurrency: settings.concurrency },
			...{ features, slices: new TimeSlices(clock) },
			pause: async (ms) => {
				service.sleeps.push(ms);
				clock.at += ms;
				return await service.onSleep(ms);
			},
			unlessStopped: async (others) => {
				const stopped = options.stopped?.then(() => STOPPED);
				return await Promise.race([others.then(() => undefined), ...(stopped ? [stopped] : [])]);
			},
			log: {
				job: (job) => logged.push(job),
				warn: () => undefined,
				fault: (where, error) => network.faults.push([where, error]),
				explain: ({ reason }) => `explained: ${reason}`,
			},
		},
		tasks,
	).then((results) => {
		memory.budget.close(ledger);
		const inOrder = tasks.flatMap((task) => task.questions.map((each) => results.get(each)));
		return {
			...network,
			results: inOrder,
			resultCount: results.size,
			/** The outcome of each answer, or the cause of its failure. */
			outcomes: inOrder.map((result) =>
				!result ? undefined : isFailed(result) ? result.failure.cause : result.answer.outcome,
			),
			answers: inOrder.map((result) => (!result || isFailed(result) ? undefined : result)),
			failures: inOrder.map((result) => (result && isFailed(result) ? result.failure : undefined)),
			logged,
		};
	});
	return { ...network, performed, logged };
}

/** As startRun, to its end. */
export async function perform(...run: Parameters<typeof startRun>) {
	return await startRun(...run).performed;
}
