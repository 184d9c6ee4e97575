import type {
	IDataObject,
	INodeExecutionData,
	IRun,
	IRunData,
	ITaskData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createEmptyRunExecutionData } from 'n8n-workflow';

/** What happened in one execution. A node that ran several times (a loop) shows the items of all its runs in order. */
export interface WorkflowRun {
	status: IRun['status'];
	error?: IRun['data']['resultData']['error'];
	runData: IRunData;
	/** Items of one output; 0 by default. Empty for a node that did not run. */
	items(node: string, output?: number): INodeExecutionData[];
	outputs(node: string): INodeExecutionData[][];
	/** Texts of the node's execution hints. */
	hints(node: string): string[];
	/** The node's last run. Throws when it did not run. */
	lastTask(node: string): ITaskData;
	raw: IRun;
	/** Of the workflow and its nodes, as it is at the end. */
	staticData: IDataObject;
}

/** A WorkflowRun seen from one node. */
export interface NodeRun
	extends Pick<WorkflowRun, 'status' | 'error' | 'runData' | 'raw' | 'staticData'> {
	items(output?: number): INodeExecutionData[];
	outputs(): INodeExecutionData[][];
	hints(): string[];
	lastTask(): ITaskData;
}

export function workflowRunOf(raw: IRun, staticData: IDataObject = {}): WorkflowRun {
	const { runData, error } = raw.data.resultData;
	const tasks = (node: string) => runData[node] ?? [];
	const outputs = (node: string) => {
		const all: INodeExecutionData[][] = [];
		for (const task of tasks(node))
			(task.data?.main ?? []).forEach((items, output) => {
				all[output] = [...(all[output] ?? []), ...(items ?? [])];
			});
		return all;
	};
	return {
		status: raw.status,
		error,
		runData,
		raw,
		staticData,
		outputs,
		items: (node, output = 0) => outputs(node)[output] ?? [],
		hints: (node) =>
			tasks(node).flatMap((task) => (task.hints ?? []).map(({ message }) => message)),
		lastTask: (node) => {
			const task = tasks(node).at(-1);
			if (!task) throw new Error(`"${node}" did not run`);
			return task;
		},
	};
}

export function nodeRunOf(run: WorkflowRun, node: string): NodeRun {
	const { status, error, runData, raw, staticData } = run;
	return {
		...{ status, error, runData, raw, staticData },
		items: (output) => run.items(node, output),
		outputs: () => run.outputs(node),
		hints: () => run.hints(node),
		lastTask: () => run.lastTask(node),
	};
}

/** The run of an execution that was refused before its first node (a required parameter is empty, say). */
export function failedToStart(error: Error, mode: WorkflowExecuteMode): IRun {
	const data = createEmptyRunExecutionData();
	data.resultData.error = error as never;
	const now = new Date();
	return { data, mode, startedAt: now, stoppedAt: now, status: 'error', storedAt: 'db' };
}
