/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { subscribe } from 'node:diagnostics_channel';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { Product, RequestRecord, Sandbox } from '../../sandbox';
import { PRODUCTS } from '../../sandbox/types';
import {
	NODE_UNDER_TEST,
	runNode,
	runWorkflow,
	sourceOf,
	type WorkflowRun,
} from '../../harness/n8n';
import { BUILT } from '../../builtEngine';
import { inCollections } from '../../harness/collections';
import { packageRoot } from '../../harness/n8nNodeTypes';
import { runStored } from '../../harness/storedResults';
import { resetTime, slept } from '../../harness/time';
import { endpoint } from './endpoints';
import { earlierAnswersOf, handOver, type EarlierAnswer, type StoredRow } from './storedRows';
import { ruleOf } from './randomFaults';
import { operationOf } from './operations';
import type { ExecutionPlan, ItemPlan, Schedule } from './schedule';
import type { Subject } from './lookupSubjects';
import { pendingTimers } from './pendingTimers';

/** An input item of a random schedule. */
export interface ChaosItem {
	/** Its index among the items of the execution. */
	n: number;
	/** The value to look up, as written. */
	value: string;
	/** The other values of a contact. */
	email?: string;
	ip?: string;
	/** Text of a message. */
	text: string;
	tag: string;
}

/** What one execution did and returned. */
export interface ObservedExecution {
	plan: ExecutionPlan;
	/** Index of the execution in the schedule. */
	index: number;
	items: ChaosItem[];
	/** The subject of each item; undefined for an item without a call. */
	subjects: Array<Subject | undefined>;
	/** Undefined when it did not end. */
	run?: Pick<WorkflowRun, 'error' | 'raw' | 'runData' | 'status'>;
	node: string;
	apiKey: string;
	/** What an earlier execution would have been answered, by the key of its row. */
	earlier: Map<string, EarlierAnswer>;
	/** In milliseconds since the epoch. */
	startedAt: number;
	/** The rows of the second input. */
	storedRows: StoredRow[];
	/** The plan that a Dry Run returned before it. */
	dryRunPlan?: IDataObject;
	/** The log of the same execution, run once more a day later, without faults and limits, before any row was stored. */
	logOfNext?: RequestRecord[];
}

/** Everything that was observed while a schedule ran. */
export interface ObservedRun {
	schedule: Schedule;
	executions: ObservedExecution[];
	log: RequestRecord[];
	/** Requests that had arrived when the first execution was stopped; undefined when it was not. */
	atStop?: number;
	/** Requests still open after the end. */
	stillOpen: number;
	/** Requests and sleeps that began after the end. */
	late: number;
	/** Requests that this process began after Stop. */
	startedAfterStop: number;
	/** Sockets still open at the sandbox, and timers of this process that were not there before. */
	sockets: number;
	timers: number;
	/** Fair queues of the engine still in use after the end. */
	busy: number;
	/** Most requests in flight at once. */
	peak: number;
	unhandled: unknown[];
	/** Net credits debited, by API key. */
	spent: Record<string, Record<Product, number>>;
}

/** How long a run may take, in real milliseconds. Its pauses take no real time. */
const LONGEST_RUN_MS = 60_000;
const LOOPED_NODE = 'Ask';
const NODE_TYPE = 'n8n-nodes-lookup-messaging.lookupMessaging';

/** The real process. The `process` of a Jest test file is a copy that receives no events. */
const realProcess = (EventEmitter.constructor as FunctionConstructor)(
	'return process',
)() as NodeJS.Process;

/** Requests that this process has begun. */
let begun = 0;
subscribe('http.client.request.start', () => (begun += 1));

/** Runs a schedule against the sandbox and waits until nothing is in flight. Mock n8n-workflow by `withoutWaiting` first. */
export async function runSchedule(schedule: Schedule, sandbox: Sandbox): Promise<ObservedRun> {
	const executions: ObservedExecution[] = [];
	for (const [index, plan] of schedule.executions.entries()) {
		executions.push(setUp(plan, index, await earlierAnswersOf(plan, index, sandbox)));
	}
	sandbox.reset();
	resetTime();
	openAccounts(executions, sandbox);
	for (const execution of executions) {
		execution.startedAt = Date.now();
		execution.storedRows.push(...handOver(execution));
	}
	for (const execution of executions) await runDryRunFirst(execution, sandbox);
	prepareService(schedule, executions, sandbox);
	const timersBefore = pendingTimers();
	const unhandled: unknown[] = [];
	const note = (reason: unknown) => void unhandled.push(reason);
	realProcess.on('unhandledRejection', note);
	try {
		const stop = new AbortController();
		const credentials = executions.map(({ apiKey }) => ({
			lookupMessagingApi: { apiKey, ...sandbox.roots } as never,
		}));
		const work = Promise.all(
			executions.map(async (execution, index) => {
				const signal = index === 0 ? stop.signal : undefined;
				execution.run = await execute(execution, credentials[index], signal);
			}),
		);
		const { stopAfter, credentialGoneAfter } = schedule;
		const removeCredential = () => Reflect.deleteProperty(credentials[0], 'lookupMessagingApi');
		const [stopped] = await Promise.all([
			afterRequests(stopAfter, sandbox, work, () => stop.abort()),
			afterRequests(credentialGoneAfter, sandbox, work, removeCredential),
			untilTimeout(work),
		]);
		const stillOpen = await waitUntilIdle(sandbox, stopped !== undefined);
		const before = sandbox.log.length + slept.length;
		for (let round = 0; round < 5; round += 1) await nextTurn();
		const keys = executions.map(({ apiKey }) => apiKey);
		const observed: ObservedRun = {
			...{ schedule, executions, stillOpen, unhandled, atStop: stopped?.arrived },
			log: [...sandbox.log],
			late: sandbox.log.length + slept.length - before,
			startedAfterStop: stopped ? begun - stopped.begun : 0,
			sockets: sandbox.connections().open,
			timers: pendingTimers() - timersBefore,
			peak: sandbox.inFlight().peak,
			busy: busyQueues(keys, sandbox),
			spent: Object.fromEntries(keys.map((key) => [key, sandbox.spent(key)])),
		};
		for (const execution of executions) await runNext(execution, sandbox);
		return observed;
	} finally {
		realProcess.off('unhandledRejection', note);
	}
}

/** How many fair queues still have an open flow or a call in flight, a day later. */
function busyQueues(keys: string[], { roots }: Sandbox): number {
	const { fairQueueFor } = jest.requireActual<typeof import('../../engine')>(
		join(packageRoot, BUILT.fairQueue),
	);
	const queues = Object.values(roots).flatMap((root) => keys.map((key) => fairQueueFor(root, key)));
	resetTime();
	return queues.filter((queue) => !queue.isStale()).length;
}

/** Runs the execution as a Dry Run first, when the schedule says so. */
async function runDryRunFirst(execution: ObservedExecution, sandbox: Sandbox) {
	const { plan, apiKey } = execution;
	if (!plan.isDryRunFirst || plan.options.dryRun || plan.loopOf !== undefined) return;
	const options = { ...plan.options, dryRun: true };
	const credentials = { lookupMessagingApi: { apiKey, ...sandbox.roots } };
	const planned = { ...plan, options, routeByResult: false };
	const run = await execute({ ...execution, plan: planned }, credentials);
	const [item] = run.runData[NODE_UNDER_TEST]?.[0]?.data?.main[0] ?? [];
	if (item?.json.dryRun === true) execution.dryRunPlan = item.json;
}

let schedulesWithRows = 0;

/**
 * Sets the API keys. The process keeps paid answers by account until their rows come back, so that a schedule with Stored Results
 * has accounts of its own.
 */
function openAccounts(executions: ObservedExecution[], sandbox: Sandbox) {
	const isOwn = executions.some(({ plan }) => plan.storedRows);
	if (isOwn) schedulesWithRows += 1;
	for (const execution of executions) {
		const key = sandbox.keys[execution.plan.key];
		execution.apiKey = isOwn ? `${key}-${schedulesWithRows}` : key;
		if (isOwn) sandbox.openAccount(execution.apiKey);
	}
}

/** Runs an execution with Stored Results once more a day later, as n8n's Retry button does. */
async function runNext(execution: ObservedExecution, sandbox: Sandbox) {
	const { plan, apiKey } = execution;
	if (!plan.storedRows || plan.options.dryRun) return;
	for (const product of PRODUCTS) sandbox.setBalance(apiKey, product, 1_000);
	sandbox.clearFaults();
	sandbox.setPace(undefined);
	sandbox.clearLog();
	const { stopAtFirstWorkingChannel } = plan.options;
	const options = { stopAtFirstWorkingChannel };
	const credentials = { lookupMessagingApi: { apiKey, ...sandbox.roots } };
	const onError = 'continueRegularOutput' as const;
	await execute({ ...execution, plan: { ...plan, options, onError, tries: 1 } }, credentials);
	execution.logOfNext = [...sandbox.log];
}

function prepareService(schedule: Schedule, executions: ObservedExecution[], sandbox: Sandbox) {
	const { pace, credits, latencyMs, faults } = schedule;
	if (pace) sandbox.setPace(pace);
	if (latencyMs) sandbox.fault({ kind: 'latency', ms: latencyMs });
	const [{ plan, apiKey }] = executions;
	const { operation } = plan;
	for (const fault of faults) sandbox.fault(ruleOf(fault, operation));
	if (credits === undefined) return;
	for (const name of operationOf(operation).endpoints) {
		sandbox.setBalance(apiKey, endpoint(name).product, credits);
	}
}

function setUp(
	plan: ExecutionPlan,
	index: number,
	earlier: ObservedExecution['earlier'],
): ObservedExecution {
	const operation = operationOf(plan.operation);
	const all = operation.subjects(index);
	const subjects = plan.items.map(({ about }) =>
		about === 'malformed' ? undefined : all[about % all.length],
	);
	const items = plan.items.map((item, n) => ({
		n,
		...valuesOf(item, subjects[n], operation.malformed),
		text: item.isUnique ? `Your place in line is ${n}` : 'Welcome',
		tag: item.tag,
	}));
	const isAlone = plan.loopOf === undefined || plan.storedRows !== undefined;
	const node = isAlone ? NODE_UNDER_TEST : LOOPED_NODE;
	return {
		plan,
		index,
		items,
		subjects,
		node,
		apiKey: '',
		earlier,
		startedAt: NaN,
		storedRows: [],
	};
}

function valuesOf(item: ItemPlan, subject: Subject | undefined, malformed: string[]) {
	const { parts } = subject ?? {};
	return {
		value: written(item, subject, malformed),
		...(parts && {
			email: written(item, parts.email, malformed),
			ip: written(item, parts.geoIp, malformed),
		}),
	};
}

function written({ spelling }: ItemPlan, subject: Subject | undefined, malformed: string[]) {
	const spellings = subject?.spellings ?? malformed;
	return spellings[spelling % spellings.length];
}

async function execute(
	{ plan, items, storedRows }: Pick<ObservedExecution, 'items' | 'storedRows' | 'plan'>,
	credentials: NonNullable<Parameters<typeof runNode>[0]['credentials']>,
	signal?: AbortSignal,
) {
	const { operation, output, routeByResult, onError, tries, alwaysOutputData } = plan;
	const { includeOtherInputFields = false, ...options } = plan.options;
	const parameters = {
		...{ ...operationOf(operation).parameters, output, routeByResult, includeOtherInputFields },
		...inCollections({
			...(options as IDataObject),
			...(includeOtherInputFields && { putOutputInField: 'result' }),
		}),
	};
	const settings = {
		...{ onError, alwaysOutputData, waitBetweenTries: 1 },
		...(tries > 1 && { retryOnFail: true, maxTries: tries }),
	};
	if (plan.storedRows) {
		const { maxAgeDays } = plan;
		return await runStored(
			{ ...parameters, ...(maxAgeDays !== undefined && { maxAgeDays }) },
			{
				...{ credentials, signal, ...settings, loopOf: plan.loopOf },
				items: items.map((item) => ({ ...item })),
				rows: storedRows.length === 0 ? undefined : storedRows.map(({ row }) => row),
			},
		);
	}
	const { hasFiles } = operationOf(operation);
	const given = items.map(
		(json): INodeExecutionData => ({
			json: json as unknown as IDataObject,
			...(hasFiles && { binary: { data: PICTURE } }),
		}),
	);
	if (plan.loopOf === undefined) {
		return await runNode({ credentials, parameters, items: given, signal, ...settings });
	}
	const workflow = loopWorkflow(plan.loopOf, { parameters: parameters as never, ...settings });
	const types = { nodes: { [SOURCE_TYPE]: sourceOf(given) } };
	return await runWorkflow({ credentials, workflow, types, signal, startNode: 'Start' });
}

const PICTURE = {
	...{ data: Buffer.from('a picture').toString('base64'), mimeType: 'image/png' },
	...{ fileName: 'picture.png', fileSize: '9 B' },
};
const SOURCE_TYPE = 'harness.source';

/** A workflow with the node in a Loop Over Items. */
function loopWorkflow(batchSize: number, node: Partial<INode>) {
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	const credentials = { lookupMessagingApi: { id: '1', name: 'Sandbox' } };
	return {
		nodes: [
			{ name: 'Start', type: SOURCE_TYPE },
			{
				...{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
				parameters: { batchSize, options: {} },
			},
			{ name: LOOPED_NODE, type: NODE_TYPE, credentials, ...node },
		],
		connections: {
			Start: { main: [to('Loop')] },
			Loop: { main: [[], to(LOOPED_NODE)] },
			[LOOPED_NODE]: { main: [to('Loop')] },
		},
	};
}

/** Calls `act` when that many requests have arrived. Returns how many had arrived and begun then. */
async function afterRequests(
	after: number | undefined,
	{ log }: Sandbox,
	work: Promise<unknown>,
	act: () => void,
): Promise<{ arrived: number; begun: number } | undefined> {
	if (after === undefined) return undefined;
	let isOver = false;
	const over = () => (isOver = true);
	work.then(over, over);
	while (!isOver && log.length < after) await nextTurn();
	if (isOver) return undefined;
	const then = { arrived: log.length, begun };
	act();
	return then;
}

async function untilTimeout(work: Promise<unknown>) {
	let timer: NodeJS.Timeout | undefined;
	const tooLong = new Promise((resolve) => (timer = setTimeout(resolve, LONGEST_RUN_MS)));
	await Promise.race([work, tooLong]);
	clearTimeout(timer);
}

/**
 * Waits until nothing is in flight, for a limited time. Returns how many requests still are. Requests that were cut off
 * at Stop may arrive late, so several idle rounds in a row are needed.
 */
async function waitUntilIdle(sandbox: Sandbox, isLong: boolean): Promise<number> {
	const rounds = isLong ? 5 : 1;
	const isBusy = () => sandbox.inFlight().now + sandbox.connections().open > 0;
	for (let round = 0, calm = 0; round < 200 && calm < rounds; round += 1) {
		const before = sandbox.log.length;
		if (isLong || isBusy()) await new Promise((resolve) => setTimeout(resolve, 2));
		await nextTurn();
		calm = !isBusy() && sandbox.log.length === before ? calm + 1 : 0;
	}
	return sandbox.inFlight().now;
}

async function nextTurn() {
	await new Promise((resolve) => setImmediate(resolve));
}
