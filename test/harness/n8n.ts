/**
 * Runs workflows on n8n-core inside this process, with this package loaded as n8n loads an installed one. Works under
 * Jest on n8n 1.x and 2.x and in a plain Node process (tsx). No server, no database; credentials come from the caller.
 * Other node types come from the installed n8n-nodes-base.
 */
import './n8nEnvironment';
import { WorkflowExecute } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IPinData,
	IConnections,
	IRun,
	IRunExecutionData,
	IWorkflowSettings,
	ITaskData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { withAtOnce } from './atOnce';
import { additionalDataFor } from './n8nAdditionalData';
import type { CredentialsByType } from './n8nCredentials';
import { CredentialsInMemory } from './n8nCredentials';
import type { ExtraTypes } from './n8nNodeTypes';
import { withResultAlone } from './collections';
import { OWN_PACKAGE, typesFor } from './n8nNodeTypes';
import type { NodeRun, WorkflowRun } from './n8nRun';
import { failedToStart, nodeRunOf, workflowRunOf } from './n8nRun';

export { AT_ONCE } from './atOnce';
export { credentialTest } from './n8nCredentialTest';
export type { CredentialsByType } from './n8nCredentials';
export type { ExtraTypes, LoadedPackage } from './n8nNodeTypes';
export { loadPackage, OWN_PACKAGE } from './n8nNodeTypes';
export type { NodeRun, WorkflowRun } from './n8nRun';

/** The release of n8n that runs here. Their engines differ in how a run is started, among other things. */
export const release: '1.x' | '2.x' = WorkflowExecute.prototype.run.length === 1 ? '2.x' : '1.x';

/** A workflow as n8n exports it; what a hand-written one leaves out of a node gets n8n's defaults. */
export interface WorkflowJson {
	id?: string;
	name?: string;
	nodes: Array<Partial<INode> & Pick<INode, 'name' | 'type'>>;
	connections: IConnections;
	settings?: IWorkflowSettings;
	staticData?: IDataObject;
	pinData?: IPinData;
}

export interface RunOptions {
	/** By credential type; the id and name that a node gives its credential do not matter. */
	credentials?: CredentialsByType;
	/** Default: `manual`. */
	mode?: WorkflowExecuteMode;
	/** Cancels the execution as n8n's Stop button does. */
	signal?: AbortSignal;
	onNodeStart?(name: string): void;
	onNodeFinish?(name: string, taskData: ITaskData): void;
	/** Node and credential types beyond this package's and n8n-nodes-base's. */
	types?: ExtraTypes;
	/**
	 * Called whenever a node has put the execution to wait, as n8n's Wait node does for 65 seconds and more. The execution
	 * has been stored by then; when this returns it is taken from there and goes on, however long it was to wait.
	 * Unless set, the run ends at the first wait, with the status `waiting`.
	 * @param stored the execution as JSON, which is all that is kept of it
	 */
	whileStored?(waitTill: Date, stored: string): Promise<void> | void;
}

interface WorkflowOptions extends RunOptions {
	workflow: WorkflowJson;
	/** Default: the trigger, or the first node without input, as n8n chooses. */
	startNode?: string;
}

/** `retryOnFail` waits 1 ms between tries unless told otherwise (n8n's own default is a second). */
export interface NodeOptions
	extends RunOptions,
		Partial<
			Pick<
				INode,
				| 'onError'
				| 'retryOnFail'
				| 'maxTries'
				| 'waitBetweenTries'
				| 'alwaysOutputData'
				| 'executeOnce'
				| 'typeVersion'
			>
		> {
	parameters: object;
	/** Whole items, or just their JSON. Default: one empty item. */
	items?: INodeExecutionData[] | IDataObject[];
	/** Default: this package's action node. */
	type?: string;
}

const SOURCE = 'Source';
const SOURCE_TYPE = 'harness.source';
/** The name of the node under test in `runNode`, for expressions and error messages. */
export const NODE_UNDER_TEST = 'Node';

let executions = 0;

/**
 * Runs a workflow to its end. Failures of nodes, and of the workflow before its first node, are in the returned run
 * (`status`, `error`); it throws only when the harness itself is misused (unknown node type, package not built).
 */
export async function runWorkflow(options: WorkflowOptions): Promise<WorkflowRun> {
	const json = structuredClone(options.workflow);
	return await withAtOnce(json.nodes, async () => await execute(json, options));
}

async function execute(json: WorkflowJson, options: WorkflowOptions): Promise<WorkflowRun> {
	const types = await typesFor(json.nodes, options.credentials, options.types);
	const credentialsHelper = new CredentialsInMemory(types, options.credentials ?? {});
	const nodes = json.nodes.map(completeNode);
	const id = json.id ?? 'workflow';
	// The base nodes are those of 2.x. On 1.x they don't know how files are kept unless the workflow says so
	const binaryMode = 'separate';
	const settings = { executionOrder: 'v1', binaryMode, ...json.settings } as IWorkflowSettings;
	const name = json.name ?? 'Workflow';
	const mode = options.mode ?? 'manual';
	const executionId = String(++executions);
	/** As n8n does for each stretch of an execution between two waits: everything is new except the execution's ID. */
	const load = () => ({
		workflow: new Workflow({
			...structuredClone({ ...json, id, name, nodes, settings }),
			active: false,
			nodeTypes: types,
		}),
		additionalData: additionalDataFor({
			executionId,
			mode,
			credentialsHelper,
			workflow: { ...json, id, name, nodes, settings },
			onNodeStart: options.onNodeStart,
			onNodeFinish: options.onNodeFinish,
		}),
	});
	let { workflow, additionalData } = load();
	const startNode = options.startNode ? workflow.getNode(options.startNode) : undefined;
	if (startNode === null) throw new Error(`The workflow has no node "${options.startNode}"`);

	try {
		const execution = start(new WorkflowExecute(additionalData, mode), {
			workflow,
			startNode,
			pinData: json.pinData,
		});
		let run = await untilDone(execution, options.signal);
		while (run.waitTill && options.whileStored) {
			const stored = JSON.stringify(run.data);
			await options.whileStored(run.waitTill, stored);
			({ workflow, additionalData } = load());
			const resumed = new WorkflowExecute(
				additionalData,
				mode,
				JSON.parse(stored) as IRunExecutionData,
			);
			run = await untilDone(resumed.processRunExecutionData(workflow), options.signal);
		}
		return workflowRunOf(run, workflow.staticData);
	} catch (error) {
		return workflowRunOf(failedToStart(error as Error, mode));
	}
}

/** Runs one node behind a node that emits `items`, and looks at that node only. */
export async function runNode(options: NodeOptions): Promise<NodeRun> {
	const { parameters, items, types, type = `${OWN_PACKAGE}.lookupMessaging` } = options;
	const { credentials, mode, signal, onNodeStart, onNodeFinish, ...rest } = options;
	const { onError, retryOnFail, maxTries, waitBetweenTries, alwaysOutputData, executeOnce } = rest;
	const source = sourceOf((items ?? [{ json: {} }]).map(asItem));
	const run = await runWorkflow({
		...{ credentials, mode, signal, onNodeStart, onNodeFinish },
		types: { ...types, nodes: { ...types?.nodes, [SOURCE_TYPE]: source } },
		startNode: SOURCE,
		workflow: {
			nodes: [
				{ name: SOURCE, type: SOURCE_TYPE },
				{
					...{ onError, retryOnFail, maxTries, alwaysOutputData, executeOnce },
					name: NODE_UNDER_TEST,
					type,
					typeVersion: options.typeVersion,
					parameters: withResultAlone(parameters) as INodeParameters,
					waitBetweenTries: waitBetweenTries ?? 1,
					credentials: Object.fromEntries(
						Object.keys(credentials ?? {}).map((name) => [name, { id: name, name }]),
					),
				},
			],
			connections: { [SOURCE]: { main: [[{ node: NODE_UNDER_TEST, type: 'main', index: 0 }]] } },
		},
	});
	return nodeRunOf(run, NODE_UNDER_TEST);
}

function completeNode(node: WorkflowJson['nodes'][number], index: number): INode {
	return {
		...node,
		id: node.id ?? `node-${index}`,
		typeVersion: node.typeVersion ?? 1,
		position: node.position ?? [index * 200, 0],
		parameters: node.parameters ?? {},
	};
}

function asItem(item: INodeExecutionData | IDataObject): INodeExecutionData {
	const isItem = typeof item.json === 'object' && item.json !== null;
	return isItem ? (item as INodeExecutionData) : { json: item as IDataObject };
}

/** A node that emits items, binary data included. */
export function sourceOf(items: INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: 'Source',
			name: SOURCE_TYPE,
			group: ['input'],
			version: 1,
			description: 'Emits the items of a test',
			defaults: { name: SOURCE },
			inputs: [],
			outputs: ['main'],
			properties: [],
		},
		async execute() {
			return [structuredClone(items)];
		},
	};
}

type Execution = ReturnType<WorkflowExecute['run']>;
type StartOptions = Parameters<WorkflowExecute['run']>[0];

function start(engine: WorkflowExecute, options: StartOptions): Execution {
	if (release === '2.x') return engine.run(options);
	const { workflow, startNode, destinationNode, pinData } = options;
	const run = engine.run as unknown as (...args: unknown[]) => Execution;
	return run.call(engine, workflow, startNode, destinationNode, pinData);
}

async function untilDone(execution: Execution, signal?: AbortSignal): Promise<IRun> {
	const cancel = () => execution.cancel();
	if (signal?.aborted) cancel();
	signal?.addEventListener('abort', cancel);
	try {
		return await execution;
	} finally {
		signal?.removeEventListener('abort', cancel);
	}
}
