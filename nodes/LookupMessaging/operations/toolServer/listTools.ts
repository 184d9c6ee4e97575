import { Rows, type Answer } from '../../engine/results';
import { defineWorkflow, isFailed, negative, positive, unclear } from '../../engine/operation';
import { listTools as fetchTools, NO_LIST, type ListedTool } from './mcpClient';
import { orNull } from '../../engine/plan/values';
import { describeArguments } from './toolSchema';

export const listTools = defineWorkflow({
	resource: 'toolServer',
	value: 'listTools',
	name: 'List Tools',
	action: 'List tools of tool server',
	description:
		'List the tools of the remote tool server (MCP) with their arguments. Costs nothing and needs no API key.',
	fields: [],
	free: true,
	executesOnce: true,
	noAdditionalParameters: true,
	rules: {
		positive: 'a tool',
		negative: 'the server lists none',
		unknown: 'there is no list',
		refused: 'a JSON-RPC error',
	},
	endpoints: ['POST mcp /mcp (tools/list, page by page)'],

	prepare: () => ({}),

	run: async (_questions, client) => {
		const tools = await fetchTools(client);
		if (isFailed(tools))
			return [tools.failure.refusal?.reason === NO_LIST ? unclear({}, NO_LIST) : tools];
		if (tools.length === 0) return [negative({}, 'the tool server lists no tools')];
		return [{ ...positive({}), rows: Rows.of(tools, rowOf) }];
	},
	output: [
		{
			name: 'name',
			type: 'string',
			description: 'Name of the tool',
			example: 'get_balance',
			simplified: true,
		},
		{
			name: 'title',
			type: 'string',
			description: 'Display name, if the tool has one',
			example: 'Get Balance',
			simplified: true,
		},
		{
			name: 'description',
			type: 'string',
			description: 'What the tool does',
			example: 'Credits left by product',
			simplified: true,
		},
		{
			// Expressions of n8n refuse the name "arguments"
			name: 'argumentList',
			type: 'string',
			description: 'Short list of the arguments with their types',
			example: 'number (string, required), limit (integer)',
			simplified: true,
		},
		{
			name: 'inputSchema',
			type: 'object',
			description: 'JSON Schema of the arguments',
			example: { type: 'object', properties: { number: { type: 'string' } } },
		},
		{
			name: 'outputSchema',
			type: 'object',
			description: 'JSON Schema of the result, if the tool has one',
			example: { type: 'object' },
		},
	],
});

function rowOf(tool: ListedTool): Answer {
	const { name, title, description, inputSchema, outputSchema, listed } = tool;
	const record = {
		name,
		title: orNull(title),
		description: orNull(description),
		argumentList: describeArguments(tool),
		inputSchema,
		outputSchema: outputSchema ?? null,
	};
	return { ...positive(record), response: listed };
}
