import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import { runWorkflow, type RunOptions, type WorkflowJson, type WorkflowRun } from './n8n';
import { TOOL_TYPE, toolVariant } from './toolVariant';

const MODEL = 'Model';
const MODEL_TYPE = 'harness.model';
export const TOOL = 'Tool';

interface ToolOptions extends RunOptions {
	/** Of the tool; what the model fills in is in `$fromAI`. */
	parameters: object;
	/** What the model fills in, by call. All calls are made at once, without a call ID, as older agents do. */
	calls: IDataObject[];
	/** Other settings of the tool, such as Retry On Fail. */
	settings?: Partial<WorkflowJson['nodes'][number]>;
}

/** What a model is told by a call: the items as JSON, or the message of the error. */
type ToolReply = { items: IDataObject[] } | { error: string };

/** A model calls the action node as a tool. */
export async function callTool({
	parameters,
	calls,
	settings,
	...options
}: ToolOptions): Promise<{ run: WorkflowRun; replies: ToolReply[] }> {
	const replies: ToolReply[] = [];
	const names = Object.keys(options.credentials ?? {});
	const run = await runWorkflow({
		...options,
		types: { nodes: { [TOOL_TYPE]: await asTool(), [MODEL_TYPE]: modelOf(calls, replies) } },
		startNode: MODEL,
		workflow: {
			nodes: [
				{ name: MODEL, type: MODEL_TYPE },
				{
					...{ name: TOOL, type: TOOL_TYPE, waitBetweenTries: 1, ...settings },
					parameters: parameters as never,
					credentials: Object.fromEntries(names.map((name) => [name, { id: name, name }])),
				},
			],
			connections: {
				[TOOL]: { ai_tool: [[{ node: MODEL, type: 'ai_tool', index: 0 }]] },
			},
		},
	});
	return { run, replies };
}

/** The tool as n8n's type list has it, with an output for models. */
async function asTool(): Promise<INodeType> {
	const tool = await toolVariant();
	const description = { ...tool.description, inputs: [], outputs: ['ai_tool' as const] };
	return Object.assign(Object.create(tool) as INodeType, { description });
}

interface Tool {
	invoke(args: IDataObject): Promise<string>;
}

function modelOf(calls: IDataObject[], replies: ToolReply[]): INodeType {
	return {
		description: {
			...{ displayName: MODEL, name: MODEL_TYPE, group: ['input'], version: 1, properties: [] },
			...{ description: 'Calls its tool', defaults: { name: MODEL }, outputs: ['main'] },
			inputs: ['main', 'ai_tool'],
		},
		async execute(this: IExecuteFunctions) {
			const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as Tool[];
			const answers = calls.map(
				async (args) =>
					await tool.invoke(args).then(
						(text): ToolReply => ({ items: JSON.parse(text) as IDataObject[] }),
						({ message }: Error): ToolReply => ({ error: message }),
					),
			);
			replies.push(...(await Promise.all(answers)));
			return [[{ json: {} }]];
		},
	};
}
