import type { IDataObject, INodeExecutionData, ITaskData } from 'n8n-workflow';
import { spendingOf, type Spending } from '../../harness/parseReceipt';
import type { ChaosItem, ExecutionSeen, Seen } from './runSchedule';
import type { ExecutionPlan } from './schedule';

/** How the checks look at what was seen. */

/** Whether the execution was stopped on its way. */
export const wasStopped = ({ atStop }: Seen, { index }: ExecutionSeen) =>
	atStop !== undefined && index === 0;

/** How often the node runs. */
export function roundsOf({ items, loopOf = items.length }: ExecutionPlan): number {
	return Math.ceil(items.length / loopOf);
}

/** A run of the node within the execution, with what went in. */
export interface NodeTask {
	task: ITaskData;
	items: ChaosItem[];
}

/** The runs of the node: one, or one for each round of a loop. */
export function tasksOf({ run, node, items, plan }: ExecutionSeen): NodeTask[] {
	const tasks = run?.runData[node] ?? [];
	return tasks.map((task, round) => ({
		task,
		items: plan.loopOf === undefined ? items : handedIn(run?.runData.Loop[round]),
	}));
}

/** What the Loop Over Items handed in, in one of its rounds. */
function handedIn(task: ITaskData | undefined): ChaosItem[] {
	const items = task?.data?.main[1] ?? [];
	return items.map(({ json }) => json as unknown as ChaosItem);
}

/** The result that an output item carries; undefined for an item of another kind. */
export function resultOf(
	{ json }: INodeExecutionData,
	{ options }: ExecutionPlan,
): IDataObject | undefined {
	return (options.includeInputFields ? json.result : json) as IDataObject | undefined;
}

/** What the last receipt says that the execution has spent. */
export function lastSpending(execution: ExecutionSeen): Spending | undefined {
	const texts = tasksOf(execution).flatMap(({ task }) => [
		...(task.hints ?? []).map(({ message }) => message),
		(task.error as { description?: string } | undefined)?.description ?? '',
	]);
	return texts.flatMap((text) => spendingOf(text) ?? []).at(-1);
}
