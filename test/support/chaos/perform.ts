/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { EventEmitter } from 'node:events';
import type { IDataObject, INode } from 'n8n-workflow';
import type { RequestRecord, Sandbox } from '../../sandbox';
import { NODE_UNDER_TEST, runNode, runWorkflow, type WorkflowRun } from '../n8n';
import { resetTime, slept } from '../time';
import { ruleOf, type ExecutionPlan, type ItemPlan, type Schedule } from './schedule';
import { operationOf, type Subject } from './subjects';

/** An item that goes into a chaotic run. */
export interface ChaosItem {
	/** Its index among the items of the execution. */
	n: number;
	/** What is asked about, as written. */
	value: string;
	/** Text of a message. */
	text: string;
}

/** What one execution came to. */
export interface ExecutionSeen {
	plan: ExecutionPlan;
	/** Which of the executions it is. */
	index: number;
	items: ChaosItem[];
	/** What each item asks about; undefined for what no call is made for. */
	subjects: Array<Subject | undefined>;
	/** Undefined when it never came to an end. */
	run?: Pick<WorkflowRun, 'error' | 'raw' | 'runData' | 'status'>;
	node: string;
}

/** All that was seen of a chaotic run. */
export interface Seen {
	schedule: Schedule;
	executions: ExecutionSeen[];
	log: RequestRecord[];
	/** Requests that had arrived when the first execution was stopped; undefined when it was not. */
	atStop?: number;
	/** Requests that were still open when all should have been over. */
	stillOpen: number;
	/** Requests and sleeps that began after all should have been over. */
	late: number;
	unhandled: unknown[];
	apiKey: string;
}

/** How long a run may take, in real milliseconds: its pauses take none. */
const LONGEST_RUN_MS = 60_000;
const LOOPED_NODE = 'Ask';
const NODE_TYPE = 'n8n-nodes-lookup-messaging.lookupMessaging';

/** The process itself: that of a Jest test file is a copy, which hears of nothing. */
const realProcess = (EventEmitter.constructor as FunctionConstructor)(
	'return process',
)() as NodeJS.Process;

/** Runs a schedule against the sandbox, and waits until all is quiet. n8n-workflow has to be mocked by `withoutWaiting`. */
export async function perform(schedule: Schedule, sandbox: Sandbox): Promise<Seen> {
	sandbox.reset();
	resetTime();
	prepareService(schedule, sandbox);
	const unhandled: unknown[] = [];
	const note = (reason: unknown) => void unhandled.push(reason);
	realProcess.on('unhandledRejection', note);
	try {
		const stop = new AbortController();
		const executions = schedule.executions.map(setUp);
		const work = Promise.all(
			executions.map(async (execution) => {
				const signal = execution.index === 0 ? stop.signal : undefined;
				execution.run = await execute(execution, sandbox, signal);
			}),
		);
		const [atStop] = await Promise.all([
			stopInTime(schedule.stopAfter, sandbox, stop, work),
			withinReason(work),
		]);
		const stillOpen = await quiet(sandbox, atStop !== undefined);
		const before = sandbox.log.length + slept.length;
		for (let round = 0; round < 5; round += 1) await nextRound();
		const late = sandbox.log.length + slept.length - before;
		const log = [...sandbox.log];
		const apiKey = sandbox.keys.main;
		return { schedule, executions, log, atStop, stillOpen, late, unhandled, apiKey };
	} finally {
		realProcess.off('unhandledRejection', note);
	}
}

function prepareService(schedule: Schedule, sandbox: Sandbox) {
	const { pace, credits, latencyMs, faults, executions } = schedule;
	if (pace) sandbox.setPace(pace);
	if (latencyMs) sandbox.fault({ kind: 'latency', ms: latencyMs });
	for (const fault of faults) sandbox.fault(ruleOf(fault, schedule));
	if (credits !== undefined) {
		const { product } = operationOf(executions[0].operation);
		sandbox.setBalance(sandbox.keys.main, product, credits);
	}
}

function setUp(plan: ExecutionPlan, index: number): ExecutionSeen {
	const operation = operationOf(plan.operation);
	const all = operation.subjects(index);
	const subjects = plan.items.map(({ about }) =>
		about === 'nonsense' ? undefined : all[about % all.length],
	);
	const items = plan.items.map((item, n) => ({
		n,
		value: written(item, subjects[n], operation.nonsense),
		text: item.isUnique ? `Your place in line is ${n}` : 'Welcome',
	}));
	const node = plan.loopOf === undefined ? NODE_UNDER_TEST : LOOPED_NODE;
	return { plan, index, items, subjects, node };
}

function written({ spelling }: ItemPlan, subject: Subject | undefined, nonsense: string[]) {
	const spellings = subject?.spellings ?? nonsense;
	return spellings[spelling % spellings.length];
}

async function execute(seen: ExecutionSeen, sandbox: Sandbox, signal?: AbortSignal) {
	const { plan, items } = seen;
	const { operation, options, output, routeByResult, onError, tries, alwaysOutputData } = plan;
	const parameters = {
		...{ ...operationOf(operation).parameters, output, routeByResult },
		options: { ...options, ...(options.includeInputFields && { putResultInField: 'result' }) },
	};
	const settings = {
		...{ onError, alwaysOutputData, waitBetweenTries: 1 },
		...(tries > 1 && { retryOnFail: true, maxTries: tries }),
	};
	const credentials = { lookupMessagingApi: { apiKey: sandbox.keys.main, ...sandbox.roots } };
	const json = items as unknown as IDataObject[];
	if (plan.loopOf === undefined) {
		return await runNode({ credentials, parameters, items: json, signal, ...settings });
	}
	const workflow = loopWorkflow(json, plan.loopOf, {
		parameters: parameters as never,
		...settings,
	});
	return await runWorkflow({ credentials, workflow, signal, startNode: 'Start' });
}

/** The node in a Loop Over Items. */
function loopWorkflow(items: IDataObject[], batchSize: number, node: Partial<INode>) {
	const base = 'n8n-nodes-base';
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	const credentials = { lookupMessagingApi: { id: '1', name: 'Sandbox' } };
	const list = { mode: 'raw', jsonOutput: JSON.stringify({ items }), options: {} };
	return {
		nodes: [
			{ name: 'Start', type: `${base}.set`, typeVersion: 3.4, parameters: list },
			{
				...{ name: 'Many', type: `${base}.splitOut`, typeVersion: 1 },
				parameters: { fieldToSplitOut: 'items', options: {} },
			},
			{
				...{ name: 'Loop', type: `${base}.splitInBatches`, typeVersion: 3 },
				parameters: { batchSize, options: {} },
			},
			{ name: LOOPED_NODE, type: NODE_TYPE, credentials, ...node },
		],
		connections: {
			Start: { main: [to('Many')] },
			Many: { main: [to('Loop')] },
			Loop: { main: [[], to(LOOPED_NODE)] },
			[LOOPED_NODE]: { main: [to('Loop')] },
		},
	};
}

/** Stops the first execution when so many requests have arrived, and says how many had. */
async function stopInTime(
	stopAfter: number | undefined,
	{ log }: Sandbox,
	stop: AbortController,
	work: Promise<unknown>,
): Promise<number | undefined> {
	if (stopAfter === undefined) return undefined;
	let isOver = false;
	const over = () => (isOver = true);
	work.then(over, over);
	while (!isOver && log.length < stopAfter) await nextRound();
	if (isOver) return undefined;
	const arrived = log.length;
	stop.abort();
	return arrived;
}

async function withinReason(work: Promise<unknown>) {
	let timer: NodeJS.Timeout | undefined;
	const tooLong = new Promise((resolve) => (timer = setTimeout(resolve, LONGEST_RUN_MS)));
	await Promise.race([work, tooLong]);
	clearTimeout(timer);
}

/**
 * Waits until nothing is under way any more, a while at most; returns what still is. What was cut off at Stop may arrive
 * late, so that the quiet has to last.
 */
async function quiet(sandbox: Sandbox, isLong: boolean): Promise<number> {
	const rounds = isLong ? 5 : 1;
	for (let round = 0, calm = 0; round < 200 && calm < rounds; round += 1) {
		const before = sandbox.log.length;
		if (isLong || sandbox.inFlight().now > 0) {
			await new Promise((resolve) => setTimeout(resolve, 2));
		}
		await nextRound();
		calm = sandbox.inFlight().now === 0 && sandbox.log.length === before ? calm + 1 : 0;
	}
	return sandbox.inFlight().now;
}

async function nextRound() {
	await new Promise((resolve) => setImmediate(resolve));
}
