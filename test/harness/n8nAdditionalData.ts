import './n8nEnvironment';
import { ExecutionLifecycleHooks, ExternalSecretsProxy } from 'n8n-core';
import type {
	ICredentialsHelper,
	ITaskData,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

interface ExecutionParts {
	executionId: string;
	mode: WorkflowExecuteMode;
	credentialsHelper: ICredentialsHelper;
	workflow: Pick<IWorkflowBase, 'id' | 'name' | 'nodes' | 'connections' | 'settings'>;
	onNodeStart?(name: string): void;
	onNodeFinish?(name: string, taskData: ITaskData): void;
}

/** Nothing listens there: the harness has no server, but n8n builds these addresses for every execution. */
const NO_SERVER = 'http://localhost:5678';

/** What n8n's server hands to an execution: who it is, where its credentials are, who is told about its nodes. */
export function additionalDataFor(parts: ExecutionParts): IWorkflowExecuteAdditionalData {
	const { executionId, credentialsHelper, workflow } = parts;
	const notAvailable = async (): Promise<never> => {
		throw new Error('Sub-workflows, task runners and agents are not available in the harness');
	};
	return {
		executionId,
		workflowId: workflow.id,
		currentNodeExecutionIndex: 0,
		credentialsHelper,
		variables: {},
		externalSecretsProxy: new ExternalSecretsProxy(),
		hooks: hooksFor(parts),
		executeWorkflow: notAvailable,
		startRunnerTask: notAvailable,
		getRunExecutionData: async () => undefined,
		getRuntimeCredential: async () => undefined,
		logAiEvent: () => {},
		restApiUrl: `${NO_SERVER}/rest`,
		instanceBaseUrl: `${NO_SERVER}/`,
		formBaseUrl: `${NO_SERVER}/form`,
		formWaitingBaseUrl: `${NO_SERVER}/form-waiting`,
		formTestBaseUrl: `${NO_SERVER}/form-test`,
		webhookBaseUrl: `${NO_SERVER}/webhook`,
		webhookWaitingBaseUrl: `${NO_SERVER}/webhook-waiting`,
		webhookTestBaseUrl: `${NO_SERVER}/webhook-test`,
		mcpBaseUrl: `${NO_SERVER}/mcp`,
		mcpTestBaseUrl: `${NO_SERVER}/mcp-test`,
	};
}

function hooksFor({ executionId, mode, workflow, onNodeStart, onNodeFinish }: ExecutionParts) {
	const { id, name, nodes, connections, settings } = workflow;
	const hooks = new ExecutionLifecycleHooks(mode, executionId, {
		...{ id, name, nodes, connections, settings },
		active: false,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		activeVersionId: null,
	});
	hooks.addHandler('nodeExecuteBefore', (node) => onNodeStart?.(node));
	hooks.addHandler('nodeExecuteAfter', (node, taskData) => onNodeFinish?.(node, taskData));
	return hooks;
}
