import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Credits } from '../../engine/client';
import { defineWorkflow, isLocalAnswer } from '../../engine/operation';
import { callTool as call } from './mcpClient';
import { readText } from '../../engine/plan/values';
import { JSON_FIELD, readFormArguments, readJsonArguments } from './toolArguments';
import { readToolResult } from './toolResult';

const toolField: INodeProperties = {
	displayName: 'Tool',
	name: 'tool',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The tool to call. The list comes from the tool server and costs nothing.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a tool…',
			typeOptions: { searchListMethod: 'searchTools', searchable: true },
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. get_balance',
		},
	],
};
const argumentFieldsField: INodeProperties = {
	displayName: 'Arguments',
	name: 'toolArguments',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	description: 'The arguments that the tool takes. Empty fields are not sent.',
	displayOptions: { show: { argumentsMode: ['fields'] } },
	typeOptions: {
		loadOptionsDependsOn: ['tool.value'],
		resourceMapper: {
			resourceMapperMethod: 'getToolArguments',
			mode: 'add',
			valuesLabel: 'Arguments',
			fieldWords: { singular: 'argument', plural: 'arguments' },
			addAllFields: false,
			supportAutoMap: false,
			noFieldsError: 'This tool takes no arguments',
		},
	},
};

interface ToolCall {
	tool: string;
	args: IDataObject;
	splits: boolean;
}

/** SPEC §4.3: what the REST call would cost; the name of the tool does not say which call that is. */
const COST: Credits = { balance: 'tool server', cost: 'not stated' };
const TIMEOUT_SECONDS = 300;

export const callTool = defineWorkflow<ToolCall>({
	resource: 'toolServer',
	value: 'callTool',
	name: 'Call Tool',
	action: 'Call tool of tool server',
	description:
		'Call a tool of the remote tool server. It costs what the API behind the tool costs; tools that poll or list cost nothing.',
	fields: [
		toolField,
		{
			displayName: 'Arguments As',
			name: 'argumentsMode',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Form Fields', value: 'fields', description: 'A field for each argument' },
				{ name: 'JSON', value: 'json', description: 'All arguments as one JSON object' },
			],
			default: 'fields',
			description: 'How to give the arguments of the tool',
		},
		argumentFieldsField,
		{
			displayName: JSON_FIELD,
			name: 'argumentsJson',
			type: 'json',
			default: '{}',
			description: 'The arguments of the tool, as a JSON object',
			displayOptions: { show: { argumentsMode: ['json'] } },
		},
	],
	options: [
		{
			displayName: 'Split Results',
			name: 'splitResults',
			type: 'boolean',
			default: true,
			description:
				'Whether a result that is a list of objects comes out as one item per entry, instead of one item with all of it',
		},
	],
	noAdditionalParameters: true,
	timeoutSeconds: TIMEOUT_SECONDS,
	rules: {
		positive: 'the result of the tool, whatever it says',
		refused: 'the error of the tool, or a JSON-RPC error; a wrong key or no credits end the run',
	},
	endpoints: ['POST mcp /mcp (tools/call)'],

	prepare: ({ tool, argumentsMode, toolArguments, argumentsJson, splitResults }) => {
		const name = readText(nameOf(tool), toolField.displayName, "a tool's name");
		if (isLocalAnswer(name)) return { ...name, local: 'parameter' };
		const read =
			argumentsMode === 'json'
				? readJsonArguments(argumentsJson)
				: readFormArguments(toolArguments);
		return isLocalAnswer(read)
			? read
			: { tool: name, args: read.args, splits: splitResults !== false };
	},
	credits: () => COST,

	run: async ([question], client) => {
		const { tool, args } = question;
		const read = (result: IDataObject) => readToolResult(result, question);
		return [await call(client, tool, args, { credits: COST, read })];
	},
	output: [
		{
			name: 'tool',
			type: 'string',
			description: 'Name of the tool',
			example: 'get_balance',
			simplified: true,
		},
		{
			name: 'result',
			type: 'object',
			description: 'What the tool answered, where that is more than text',
			example: { status: true },
			simplified: true,
		},
		{
			name: 'text',
			type: 'string',
			description: 'Text of the answer',
			example: 'Done',
			simplified: true,
		},
		{
			name: 'links',
			type: 'array',
			description: 'Resources that the answer names, each with its uri; files come as binary data',
			example: [{ uri: 'https://example.com/report.pdf', name: 'Report' }],
			simplified: true,
		},
	],
});

/** The name in a resource locator, or the text of an expression. */
function nameOf(tool: unknown): unknown {
	return typeof tool === 'object' && tool !== null && 'value' in tool ? tool.value : tool;
}
