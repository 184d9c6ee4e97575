import './n8nEnvironment';
import { PollContext, WorkflowExecute } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IPollFunctions,
	IRunExecutionData,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { createEmptyRunExecutionData, Workflow } from 'n8n-workflow';
import type { WorkflowJson } from './n8n';
import { additionalDataFor } from './n8nAdditionalData';
import { CredentialsInMemory, type CredentialsByType } from './n8nCredentials';
import { typesFor } from './n8nNodeTypes';
import { workflowRunOf, type WorkflowRun } from './n8nRun';

/**
 * Polls a trigger as n8n's server does (its activation lives there, not in n8n-core): a poll at activation and at each start,
 * one context for all polls of an activation, and static data that is saved after the activation and with an emission only.
 */

export interface PollerOptions {
	workflow: WorkflowJson;
	/** Name of the polling node; unless set, the only node. */
	node?: string;
	credentials: CredentialsByType;
	/** What n8n 2.x gives a poll, in milliseconds; read at each poll. */
	budgetMs?: () => number;
	/** n8n's variables, `$vars` in expressions; read at each poll. */
	variables?: IDataObject;
}

export class Poller {
	/** What each emission held, in order; what a poll returned by now is in here. */
	readonly emissions: INodeExecutionData[][] = [];
	/** Errors of polls after the activation: n8n records them and goes on. */
	readonly errors: Error[] = [];
	/** What polls wrote to n8n's log as warnings. */
	readonly warnings: string[] = [];
	/** The static data in n8n's database, as JSON. */
	saved = '{}';
	/** Whether n8n dies after it has started the execution and before it has saved. */
	diesBeforeSaving = false;
	private active: { context: IPollFunctions; workflow: Workflow } | undefined;

	constructor(private readonly options: PollerOptions) {}

	/**
	 * Activates the workflow, as publishing it or a start of n8n (`init`) does; whatever was active before is gone.
	 * @throws what the first poll throws; the workflow is then inactive
	 */
	async activate(mode: WorkflowActivateMode = 'activate') {
		this.active = undefined;
		const active = await this.open('trigger', mode);
		const data = await this.pollWith(active.context);
		if (data) this.emit(data, active.workflow);
		this.save(active.workflow);
		this.active = active;
	}

	/** n8n is stopped and started again: what was not saved is gone. */
	async restart() {
		await this.activate('init');
	}

	/** Another poll, as its schedule has it. Returns the items that it emitted. */
	async poll(): Promise<INodeExecutionData[]> {
		if (!this.active) throw new Error('The workflow is not active');
		const { context, workflow } = this.active;
		try {
			const data = await this.pollWith(context);
			if (data) this.emit(data, workflow);
			return data?.[0] ?? [];
		} catch (error) {
			this.errors.push(error as Error);
			return [];
		}
	}

	/** 'Fetch Test Event' of the editor. */
	async test(): Promise<INodeExecutionData[] | undefined> {
		const { context } = await this.open('manual', 'manual');
		return (await this.pollWith(context))?.[0];
	}

	/** Changes parameters of the node, as saving the workflow does: it takes effect with the next activation. */
	change(parameters: IDataObject) {
		const node = this.options.workflow.nodes.find(({ name }) => name === this.nodeName());
		node!.parameters = { ...node!.parameters, ...(parameters as INode['parameters']) };
	}

	/** The static data of the node as the running workflow has it. */
	inMemory(): IDataObject {
		if (!this.active) throw new Error('The workflow is not active');
		return JSON.parse(
			JSON.stringify(this.active.context.getWorkflowStaticData('node')),
		) as IDataObject;
	}

	/** Runs the workflow with an emission, as n8n does. */
	async execute(items: INodeExecutionData[]): Promise<WorkflowRun> {
		const { workflow, additionalData } = await this.load('trigger');
		const data = createEmptyRunExecutionData() as IRunExecutionData;
		data.executionData = {
			contextData: {},
			nodeExecutionStack: [
				{ node: workflow.getNode(this.nodeName())!, data: { main: [items] }, source: null },
			],
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
		};
		const engine = new WorkflowExecute(additionalData, 'trigger', data);
		return workflowRunOf(await engine.processRunExecutionData(workflow));
	}

	private nodeName(): string {
		return this.options.node ?? this.options.workflow.nodes[0].name;
	}

	private async load(mode: 'manual' | 'trigger') {
		const { workflow: json, credentials } = this.options;
		const types = await typesFor(json.nodes, credentials);
		const nodes = json.nodes.map(
			(node, index): INode => ({
				typeVersion: 1,
				position: [0, 0],
				...structuredClone(node),
				id: node.id ?? `node-${index}`,
				parameters: structuredClone(node.parameters ?? {}),
			}),
		);
		const parts = { id: json.id ?? 'polled', name: json.name ?? 'Polled', nodes };
		const { connections } = json;
		const workflow = new Workflow({
			...{ ...parts, connections, active: true, nodeTypes: types },
			settings: { executionOrder: 'v1', ...json.settings },
			staticData: JSON.parse(this.saved) as IDataObject,
		});
		const additionalData = additionalDataFor({
			...{ executionId: 'poll', mode, workflow: { ...parts, connections } },
			credentialsHelper: new CredentialsInMemory(types, credentials),
		});
		additionalData.variables = this.options.variables ?? {};
		return { workflow, additionalData };
	}

	private async open(mode: 'manual' | 'trigger', activation: WorkflowActivateMode) {
		const { workflow, additionalData } = await this.load(mode);
		const node = workflow.getNode(this.nodeName())!;
		const context: IPollFunctions = new PollContext(
			...([workflow, node, additionalData, mode, activation] as const),
		);
		const warn = (text: string) => void this.warnings.push(text);
		const silent = () => {};
		// Before its first use, since n8n keeps it from then on
		const logger = { debug: silent, error: silent, info: silent, warn };
		Object.defineProperty(context, 'logger', { value: logger });
		const { budgetMs } = this.options;
		if (budgetMs) Object.defineProperty(context, 'getPollBudgetMs', { value: budgetMs });
		return { context, workflow };
	}

	private async pollWith(context: IPollFunctions) {
		const { type } = context.getNode();
		const types = await typesFor([{ type }], this.options.credentials);
		return await types.getByNameAndVersion(type).poll!.call(context);
	}

	private emit(data: INodeExecutionData[][], workflow: Workflow) {
		// As text, since a database keeps nothing else
		this.emissions.push(JSON.parse(JSON.stringify(data[0])) as INodeExecutionData[]);
		if (!this.diesBeforeSaving) this.save(workflow);
	}

	private save({ staticData }: Workflow) {
		if (staticData.__dataChanged !== true) return;
		this.saved = JSON.stringify(staticData);
		staticData.__dataChanged = false;
	}
}
