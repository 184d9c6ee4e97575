import type { IDataObject } from 'n8n-workflow';
import type { Caller, Endpoint } from '../../engine/client';
import type { Failed, Failure, Refusal } from '../../engine/results';
import { isFailed } from '../../engine/operation';
import { isObject } from '../../engine/plan/values';
import { errorText, refuses } from '../../engine/refusals/refusal';
import { messageOf, readerOf, type RemoteCall } from './jsonRpc';
import { overSession } from './session';

/** The calls to the remote tool server (SPEC §4.3), in one session for each run. */

export interface ListedTool {
	name: string;
	title?: string;
	description?: string;
	/** JSON Schemas of the arguments and of the structured answer. */
	inputSchema: IDataObject;
	outputSchema?: IDataObject;
	/** The tool as received. */
	listed: IDataObject;
}

/** Maximum number of pages of a list of tools, for a server that always names another one. */
const MAX_PAGES = 1_000;

/**
 * Calls a tool, once. Its result is read by `call.read`.
 * @throws CallFailed when the server refuses the call or no reply comes
 */
export async function callTool<Result>(
	client: Caller,
	name: string,
	args: IDataObject,
	call: Pick<RemoteCall<Result>, 'credits' | 'read'>,
): Promise<Exclude<Result, Refusal>> {
	const params = { name, arguments: args };
	const endpoint = endpointOf({ ...call, method: 'tools/call', params });
	return await client.call(endpoint, call.credits && 'call');
}

/** Maximum number of tools of a server; further ones are left out. */
const MAX_TOOLS = 10_000;

/** All tools of the server, page by page. Free, and works without a key. */
export async function listTools(client: Caller): Promise<Failed | ListedTool[]> {
	const tools: ListedTool[] = [];
	const seen = new Set<string | undefined>();
	let cursor: string | undefined;
	do {
		seen.add(cursor);
		const page: Failed | Page = await client.attempt(endpointOf(listPage(cursor)));
		if (isFailed(page)) return page;
		for (const tool of page.tools.slice(0, MAX_TOOLS - tools.length)) tools.push(tool);
		cursor = page.nextCursor;
	} while (
		cursor !== undefined &&
		!seen.has(cursor) &&
		seen.size < MAX_PAGES &&
		tools.length < MAX_TOOLS
	);
	return tools;
}

/** The endpoint of a call over the session. */
function endpointOf<Result>(call: RemoteCall<Result>): Endpoint<Result> {
	const { method, params, credits } = call;
	const body = messageOf({ method, params });
	return {
		request: { service: 'mcp', method: 'POST', path: '/mcp', body },
		credits,
		...(credits && { effect: 'acts' }),
		read: readerOf(call),
		over: overSession,
	};
}

/** Whether the server is up. No key is sent. */
export async function checkHealth(client: Caller): Promise<Failed | { health: IDataObject }> {
	const healthAt = (address: number): Endpoint<{ health: IDataObject }> => ({
		request: { service: 'mcp', method: 'GET', path: '/healthz', address, takesAnyBody: true },
		read: (body) => ({ health: body }),
	});
	const tolerates = ({ status = 0 }: Failure) => status >= 400;
	const answered = await client.attempt({ ...healthAt(0), tolerates });
	if (!isFailed(answered) || answered.failure.status !== 404) return answered;
	const beside = await client.attempt(healthAt(1));
	return isFailed(beside) ? answered : beside;
}

export const NO_LIST = 'the tool server returned no list of tools';

interface Page {
	tools: ListedTool[];
	nextCursor?: string;
}

function listPage(cursor: string | undefined): RemoteCall<Page> {
	return {
		method: 'tools/list',
		params: cursor === undefined ? {} : { cursor },
		read: (result) => {
			const { tools, nextCursor } = result;
			const reason = errorText(result) ?? NO_LIST;
			if (!Array.isArray(tools) || refuses(result)) return { scope: 'question', reason };
			return {
				tools: tools.slice(0, MAX_TOOLS).flatMap(listedTool),
				...(typeof nextCursor === 'string' && nextCursor !== '' && { nextCursor }),
			};
		},
	};
}

function listedTool(tool: unknown): ListedTool[] {
	if (!isObject(tool) || typeof tool.name !== 'string') return [];
	const { name, title, description, inputSchema, outputSchema, annotations } = tool;
	const titles = [title, isObject(annotations) ? annotations.title : undefined];
	return [
		{
			name,
			title: titles.find((text) => typeof text === 'string'),
			...(typeof description === 'string' && { description }),
			inputSchema: isObject(inputSchema) ? inputSchema : {},
			...(isObject(outputSchema) && { outputSchema }),
			listed: tool,
		},
	];
}
