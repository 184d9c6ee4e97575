import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Credits } from '../../engine/client';
import { defineWorkflow, isLocalAnswer } from '../../engine/operation';
import { TOOL } from '../shared/toolOnly';
import { isFreeCall } from './freeTools';
import { callTool as call } from './mcpClient';
import { readAnyText } from '../shared/readText';
import { JSON_FIELD, readFormArguments, readJsonArguments } from './toolArguments';
import { readToolResult } from './toolResult';

const toolField: INodeProperties = {
	displayName: 'Tool',
	name: 'tool',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The tool to call. The list comes from the tool server, which costs nothing.',
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
	description: "The arguments of the tool. Empty fields aren't sent.",
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
	isFree: boolean;
}

const TIMEOUT_SECONDS = 300;
const LONGEST_NAME = 1_000;

/** SPEC §4.3: the cost of the REST call. The name of the tool does not say which call that is; a batch costs by its numbers. */
function costOf({ isFree, args }: ToolCall): Credits | undefined {
	if (isFree) return undefined;
	return { balance: 'tool server', cost: 'not stated', lookups: Math.max(1, countListed(args)) };
}

/** How many different entries the lists in a value have. The competitors of an audit cost nothing (SPEC §4.2). */
function countListed(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	if (Array.isArray(value))
		return [...new Set(value)].reduce((sum, each) => sum + Math.max(1, countListed(each)), 0);
	const members = Object.entries(value).filter(([name]) => !/competitor/i.test(name));
	return members.reduce((sum, [, each]) => sum + countListed(each), 0);
}

export const callTool = defineWorkflow<ToolCall>({
	resource: 'toolServer',
	value: 'callTool',
	name: 'Call Tool',
	action: 'Call tool of tool server',
	description:
		'Call a tool of the remote tool server (MCP). It costs what its lookup costs. Polling and listing are free.',
	fields: [
		toolField,
		{
			displayName: 'Arguments As',
			name: 'argumentsMode',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Form Fields', value: 'fields', description: 'One field per argument' },
				{ name: 'JSON', value: 'json', description: 'All arguments as one JSON object' },
			],
			default: 'fields',
			description: 'How to enter the arguments',
		},
		argumentFieldsField,
		{
			displayName: JSON_FIELD,
			name: 'argumentsJson',
			type: 'json',
			default: '{}',
			description: 'The arguments of the tool as a JSON object',
			displayOptions: { show: { argumentsMode: ['json'] } },
		},
		{
			displayName: 'Split Into Items',
			name: 'splitIntoItems',
			type: 'boolean',
			default: true,
			description:
				'Whether to return one item per entry when the result is a list, instead of one item with the list',
			displayOptions: { hide: TOOL },
		},
	],
	options: [
		{
			displayName: 'Tool Is Free',
			name: 'toolIsFree',
			type: 'options',
			options: [
				{
					name: 'Detect Automatically',
					value: 'auto',
					description:
						'Free for get_balance and for tools that poll or list batches and audits. Otherwise paid.',
				},
				{
					name: 'No',
					value: 'no',
					description: "Calls count as paid, and aren't repeated when a reply is lost",
				},
				{
					name: 'Yes',
					value: 'yes',
					description: "Calls are repeated when a reply is lost, and aren't remembered",
				},
			],
			default: 'auto',
			description: 'Whether calls of the tool cost no credits',
		},
	],
	noAdditionalParameters: true,
	timeoutSeconds: TIMEOUT_SECONDS,
	rules: {
		positive: 'the result of the tool',
		unknown: 'a result with `status` or `success` false, or an `error`',
		refused: 'the error of the tool, or a JSON-RPC error; a wrong key or no credits end the run',
	},
	endpoints: ['POST mcp /mcp (tools/call)'],

	prepare: (params) => {
		const { tool, argumentsMode, toolArguments, argumentsJson, toolIsFree } = params;
		const name = readAnyText(nameOf(tool), toolField.displayName, "a tool's name", LONGEST_NAME);
		if (isLocalAnswer(name)) return { ...name, local: 'parameter' };
		const read =
			argumentsMode === 'json'
				? readJsonArguments(argumentsJson)
				: readFormArguments(toolArguments);
		if (isLocalAnswer(read)) return read;
		const { args } = read;
		// The user may know better than the name suggests
		const isFree = toolIsFree === 'yes' || (toolIsFree !== 'no' && isFreeCall(name, args));
		return { tool: name, args, splits: params.splitIntoItems !== false, isFree };
	},
	credits: costOf,

	run: async ([question], client) => {
		const { tool, args } = question;
		const read = (result: IDataObject) => readToolResult(result, question);
		return [await call(client, tool, args, { credits: costOf(question), read })];
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
			description: 'Structured result of the tool',
			example: { status: true },
			simplified: true,
		},
		{
			name: 'text',
			type: 'string',
			description: 'Text of the result',
			example: 'Done',
			simplified: true,
		},
		{
			name: 'links',
			type: 'array',
			description: 'Resources in the result, each with its uri. Files come as binary data.',
			example: [{ uri: 'https://example.com/report.pdf', name: 'Report' }],
			simplified: true,
		},
	],
});

/** The name in a resource locator, or the text of an expression. */
function nameOf(tool: unknown): unknown {
	return typeof tool === 'object' && tool !== null && 'value' in tool ? tool.value : tool;
}
