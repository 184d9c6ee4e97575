import { NodeConnectionTypes, type IDataObject, type INodeType } from 'n8n-workflow';
import { runWorkflow, type CredentialsByType, type WorkflowRun } from './n8n';
import { TOOL_TYPE, toolVariant } from './toolVariant';

const CALLER_TYPE = 'harness.caller';

/** What a model gets from a tool: its answer, or the words of its error. */
export interface Reply {
	items?: IDataObject[];
	error?: string;
}

/** Calls the tool. No ID comes with the call, and n8n gives each try of it a run index of its own. */
export type CallTool = (args?: IDataObject) => Promise<Reply>;

interface ToolOptions {
	credentials: CredentialsByType;
	parameters: object;
	maxTries?: number;
	signal?: AbortSignal;
	onError?: 'continueRegularOutput';
}

/**
 * Runs a workflow in which a node calls the tool as AI Agent 2.2 and before and the MCP Server Trigger do: on n8n's own
 * `makeHandleToolInvocation`, which tries again if Retry On Fail is on.
 */
export async function callingTool(
	{ credentials, parameters, maxTries = 1, signal, onError }: ToolOptions,
	calls: (call: CallTool) => Promise<unknown>,
): Promise<WorkflowRun> {
	const tool = await toolVariant();
	Object.assign(tool.description, { inputs: [], outputs: [NodeConnectionTypes.AiTool] });
	const retry = maxTries > 1 && { retryOnFail: true, maxTries, waitBetweenTries: 1 };
	return await runWorkflow({
		...{ credentials, signal },
		types: { nodes: { [TOOL_TYPE]: tool, [CALLER_TYPE]: callerOf(calls) } },
		startNode: 'Caller',
		workflow: {
			nodes: [
				{ name: 'Caller', type: CALLER_TYPE },
				{
					...{ name: 'Tool', type: TOOL_TYPE, parameters: parameters as never, onError, ...retry },
					credentials: { lookupMessagingApi: { id: '1', name: 'Sandbox' } },
				},
			],
			connections: { Tool: { ai_tool: [[{ node: 'Caller', type: 'ai_tool', index: 0 }]] } },
		},
	});
}

type Tool = { invoke(args: IDataObject): Promise<string> };

function callerOf(calls: (call: CallTool) => Promise<unknown>): INodeType {
	return {
		description: {
			...{ displayName: 'Caller', name: CALLER_TYPE, group: ['transform'], version: 1 },
			...{ description: 'Calls a tool', defaults: { name: 'Caller' }, properties: [] },
			inputs: ['main', 'ai_tool'],
			outputs: ['main'],
		},
		async execute() {
			const tools = await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
			const [tool] = [tools].flat() as Tool[];
			await calls(async (args = {}) => {
				try {
					return { items: [JSON.parse(await tool.invoke(args)) as IDataObject].flat() };
				} catch (error) {
					return { error: (error as Error).message };
				}
			});
			return [[{ json: {} }]];
		},
	};
}
