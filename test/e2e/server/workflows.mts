import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
	IBinaryKeyData,
	IConnections,
	IDataObject,
	INode,
	IRunData,
	IRunExecutionData,
	ITaskData,
} from 'n8n-workflow';
import { recipesIn } from '../../harness/recipesPage.ts';
import { ROOT } from '../machine/cache.mts';
import { until } from '../machine/wait.mts';
import type { N8n } from './n8n.mts';
import { CREDENTIAL_TYPE, PACKAGE } from './package.mts';

/** A workflow as n8n exports and imports it. */
export interface WorkflowJson {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IDataObject;
	pinData?: IDataObject;
}

export interface StoredWorkflow extends WorkflowJson {
	id: string;
	versionId?: string;
}

export interface CredentialLink {
	id: string;
	name: string;
}

type ExecutionStatus =
	| 'success'
	| 'error'
	| 'crashed'
	| 'canceled'
	| 'running'
	| 'new'
	| 'waiting'
	| 'unknown';

/** An execution as it is stored. */
export interface Execution {
	id: string;
	status: ExecutionStatus;
	/** All that n8n has stored of it, as text. */
	text: string;
	error?: string;
	runData: IRunData;
	/** The items of one output, over all runs of the node. */
	items(node: string, output?: number): IDataObject[];
	/** The files of each item of its first output. */
	files(node: string): IBinaryKeyData[];
	hints(node: string): string[];
}

const ENDED: ExecutionStatus[] = ['success', 'error', 'crashed', 'canceled'];
const EXAMPLES = join(ROOT, 'examples/workflows');

/** File names of the workflows that are shipped for import. */
export const exampleFiles = () => readdirSync(EXAMPLES).filter((name) => name.endsWith('.json'));

export const exampleText = (file: string) => readFileSync(join(EXAMPLES, file), 'utf8');

const recipes = () => recipesIn(readFileSync(join(ROOT, 'docs/RECIPES.md'), 'utf8'));

/** File names of the examples that docs/RECIPES.md shows. */
export const recipeFiles = () => recipes().flatMap(({ workflows }) => workflows);

/** What docs/RECIPES.md says that a run of an example costs, by balance. @throws where it does not say */
export function costsSaid(file: string): Record<string, number> {
	const recipe = recipes().find(({ workflows }) => workflows[0] === file);
	if (!recipe) throw new Error(`docs/RECIPES.md does not say what ${file} costs`);
	return recipe.costs;
}

/** Connects nodes in a row, each to the next by its first output. */
export function chain(name: string, nodes: INode[]): WorkflowJson {
	const connections: IConnections = {};
	for (const [index, { name: from }] of nodes.slice(0, -1).entries())
		connections[from] = { main: [[{ node: nodes[index + 1].name, type: 'main', index: 0 }]] };
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}

/** The workflows and executions of one n8n, by way of its REST API. */
export class Workflows {
	constructor(private readonly n8n: N8n) {}

	/** Imports a workflow as the editor does, with our credential chosen in every node of ours. */
	async add(workflow: WorkflowJson, credential?: CredentialLink): Promise<StoredWorkflow> {
		const { id, name } = credential ?? {};
		const nodes = workflow.nodes.map((node) =>
			credential && node.type.startsWith(`${PACKAGE}.`)
				? { ...node, credentials: { [CREDENTIAL_TYPE]: { id: id!, name: name! } } }
				: node,
		);
		return await this.n8n.rest.post('/workflows', { ...workflow, nodes, active: false });
	}

	/** Publishes it. n8n answers before its triggers are set up. */
	async activate({ id, versionId }: StoredWorkflow): Promise<void> {
		if (this.n8n.installation.release === '1.x')
			await this.n8n.rest.patch(`/workflows/${id}`, { active: true });
		else await this.n8n.rest.post(`/workflows/${id}/activate`, { versionId });
	}

	async deactivate({ id }: StoredWorkflow): Promise<void> {
		if (this.n8n.installation.release === '1.x')
			await this.n8n.rest.patch(`/workflows/${id}`, { active: false });
		else await this.n8n.rest.post(`/workflows/${id}/deactivate`);
	}

	/**
	 * Starts it as the editor's button does, from its first trigger node.
	 * @param json what the trigger is to have given, as the editor's chat has it
	 * @returns the execution's ID
	 */
	async run(workflow: StoredWorkflow, json?: IDataObject): Promise<string> {
		const trigger = workflow.nodes.find(({ type }) => /[tT]rigger$/.test(type));
		if (!trigger) throw new Error(`"${workflow.name}" has no trigger node`);
		const data = json && {
			...{ startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [null] },
			...{ executionStatus: 'success', data: { main: [[{ json }]] } },
		};
		const triggerToStartFrom = { name: trigger.name, ...(data && { data }) };
		const { executionId } = await this.n8n.rest.post<{ executionId: string }>(
			`/workflows/${workflow.id}/run`,
			{ workflowData: workflow, startNodes: [], triggerToStartFrom },
		);
		return executionId;
	}

	/**
	 * Starts a node as the editor's button Execute Step does.
	 * @param runData what the editor still has of an earlier execution
	 * @returns the execution's ID
	 */
	async executeStep(
		workflow: StoredWorkflow,
		nodeName: string,
		runData?: IRunData,
	): Promise<string> {
		const { executionId } = await this.n8n.rest.post<{ executionId: string }>(
			`/workflows/${workflow.id}/run`,
			{
				...{ workflowData: workflow, startNodes: [], dirtyNodeNames: [] },
				...{ destinationNode: { nodeName, mode: 'inclusive' }, ...(runData && { runData }) },
			},
		);
		return executionId;
	}

	/**
	 * Waits until an execution has ended, well or not, and looks once more: n8n stores that it has ended before it stores
	 * what it delivered.
	 */
	async ended(id: string, timeoutMs = 120_000): Promise<Execution> {
		let before = '';
		return await until(
			`execution ${id} to end`,
			async () => {
				const execution = await this.execution(id);
				const isStable = execution.text === before;
				before = ENDED.includes(execution.status) ? execution.text : '';
				return isStable && execution;
			},
			{ timeoutMs },
		);
	}

	async execution(id: string): Promise<Execution> {
		const stored = await this.n8n.rest.get<{ status: ExecutionStatus; data: string }>(
			`/executions/${id}`,
		);
		const data = this.n8n.installation.parseStored(stored.data) as IRunExecutionData;
		return executionOf(id, stored.status, stored.data, data);
	}

	/** IDs and states of a workflow's executions, newest first. */
	/** @param status only those with it */
	async executionsOf(
		{ id }: StoredWorkflow,
		status?: ExecutionStatus,
	): Promise<Array<{ id: string; status: ExecutionStatus }>> {
		const wanted = { workflowId: id, ...(status && { status: [status] }) };
		const filter = encodeURIComponent(JSON.stringify(wanted));
		const { results } = await this.n8n.rest.get<{
			results: Array<{ id: string; status: ExecutionStatus }>;
		}>(`/executions?filter=${filter}&limit=100`);
		return results;
	}
}

function executionOf(
	id: string,
	status: ExecutionStatus,
	text: string,
	{ resultData }: IRunExecutionData,
): Execution {
	const tasks = (node: string): ITaskData[] => resultData.runData[node] ?? [];
	const itemsOf = (node: string, output: number) =>
		tasks(node).flatMap(({ data }) => data?.main?.[output] ?? []);
	return {
		...{ id, status, text, error: resultData.error?.message, runData: resultData.runData },
		items: (node, output = 0) => itemsOf(node, output).map(({ json }) => json),
		files: (node) => itemsOf(node, 0).map(({ binary = {} }) => binary),
		hints: (node) => tasks(node).flatMap(({ hints = [] }) => hints.map(({ message }) => message)),
	};
}
