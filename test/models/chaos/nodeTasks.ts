import type { IDataObject, INodeExecutionData, ITaskData } from 'n8n-workflow';
import { spendingOf, type Spending } from '../../harness/parseReceipt';
import type { ChaosItem, ObservedExecution, ObservedRun } from './runSchedule';
import { operationOf } from './operations';
import type { ExecutionPlan } from './schedule';

/** Functions by which the checks read an observed execution. */

/** Whether the execution was stopped. */
export const wasStopped = ({ atStop }: ObservedRun, { index }: ObservedExecution) =>
	atStop !== undefined && index === 0;

/** How often the node runs. */
export function roundsOf({ items, loopOf = items.length }: ExecutionPlan): number {
	return Math.ceil(items.length / loopOf);
}

/** One run of the node within the execution, with its input items. */
export interface NodeTask {
	/** With the outputs for results and for errors only. */
	task: ITaskData;
	items: ChaosItem[];
	/** What is on the outputs New Results and Ledger. */
	newResults: INodeExecutionData[];
	ledger: INodeExecutionData[];
}

/** The runs of the node: one, or one for each round of a loop. */
export function tasksOf({ run, node, items, plan }: ObservedExecution): NodeTask[] {
	const tasks = run?.runData[node] ?? [];
	return tasks.map((task, round) => ({
		...withoutSideOutputs(task, plan),
		items: plan.loopOf === undefined ? items : loopBatch(run?.runData.Loop[round]),
	}));
}

/** Takes the side outputs away: they come after those for results, and before that for errors. */
function withoutSideOutputs(task: ITaskData, plan: ExecutionPlan) {
	const main = [...(task.data?.main ?? [])];
	const results = plan.routeByResult && operationOf(plan.operation).isLookup ? 3 : 1;
	const take = (isThere: boolean) => (isThere ? main.splice(results, 1)[0] : undefined) ?? [];
	const newResults = take(plan.storedRows !== undefined);
	const ledger = take(plan.options.costLog !== undefined);
	return { task: task.data ? { ...task, data: { ...task.data, main } } : task, newResults, ledger };
}

/** The items that Loop Over Items passed on in one of its rounds. */
function loopBatch(task: ITaskData | undefined): ChaosItem[] {
	const items = task?.data?.main[1] ?? [];
	return items.map(({ json }) => json as unknown as ChaosItem);
}

/** The result in an output item; undefined for an item of another kind. */
export function resultOf(
	{ json }: INodeExecutionData,
	{ options }: ExecutionPlan,
): IDataObject | undefined {
	return (options.includeOtherInputFields ? json.result : json) as IDataObject | undefined;
}

/** The items on all outputs of a run. */
export const itemsOf = ({ data }: ITaskData): INodeExecutionData[] =>
	(data?.main ?? []).flatMap((list) => list ?? []);

/** The texts in which the runs of an execution may have a receipt. */
export const textsOf = (execution: ObservedExecution): string[] =>
	tasksOf(execution).flatMap(({ task }) => [
		...(task.hints ?? []).map(({ message }) => message),
		(task.error as { description?: string } | undefined)?.description ?? '',
	]);

/** The spending that the last receipt of the execution states. */
export const lastSpending = (execution: ObservedExecution): Spending | undefined =>
	textsOf(execution)
		.flatMap((text) => spendingOf(text) ?? [])
		.at(-1);
