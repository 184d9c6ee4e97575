import Ajv, { type ValidateFunction } from 'ajv';

import type { Call, Reply } from '../http/endpoint';
import { tools } from './index';
import {
	ErrorCode,
	McpError,
	type CallToolRequest,
	type CallToolResult,
	type ListedTool,
} from './sdk';
import { isError, type Tool } from './tool';

const HOW_TO_AUTHENTICATE =
	'Authentication required: this tool needs an API key. Send it as the header "Authorization: Bearer <API_KEY>" ' +
	'(preferred), as the header "X-API-KEY: <API_KEY>", or as the query parameter api_key=<API_KEY>. ' +
	'Keys come from the account dashboard.';

const schemaOf = ({ properties, required }: Tool): ListedTool['inputSchema'] => ({
	type: 'object',
	properties,
	required,
	additionalProperties: false,
});

/** What tools/list says; it needs no key (SPEC §4.3). */
export const listedTools: ListedTool[] = tools.map((tool) => ({
	name: tool.name,
	description: tool.description,
	inputSchema: schemaOf(tool),
}));

// `format` is left to the endpoints, which judge addresses in their own way.
const ajv = new Ajv({ allErrors: true, validateFormats: false });

const known = new Map<string, { tool: Tool; validate: ValidateFunction }>(
	tools.map((tool) => [tool.name, { tool, validate: ajv.compile(schemaOf(tool)) }]),
);

/**
 * Runs a tool (SPEC §4.3). Whatever the caller can put right is a result with `isError`, which AI clients show to
 * their model: no key, wrong arguments, and every error of the endpoint behind the tool. Only an unknown tool is a
 * JSON-RPC error.
 */
export async function callTool(
	{ name, arguments: args = {} }: CallToolRequest['params'],
	call: Call,
): Promise<CallToolResult> {
	const found = known.get(name);
	if (!found) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`);
	if (call.key === undefined) return failure(HOW_TO_AUTHENTICATE);
	const { tool, validate } = found;
	if (!validate(args)) {
		return failure(`Invalid arguments for tool ${name}: ${ajv.errorsText(validate.errors)}`);
	}
	const isKeyRight = call.state.accounts.find(call.key) !== undefined;
	return (isKeyRight && tool.instead?.(args)) || resultOf(await tool.answer(args, call));
}

const failure = (text: string): CallToolResult => ({
	content: [{ type: 'text', text }],
	isError: true,
});

/** The body of the reply twice: as JSON text and as structured content. */
function resultOf(reply: Reply): CallToolResult {
	const text = JSON.stringify(reply.body);
	return {
		content: [{ type: 'text', text }],
		structuredContent: JSON.parse(text) as Record<string, unknown>,
		...(isError(reply) ? { isError: true } : {}),
	};
}
