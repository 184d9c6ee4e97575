import type { IDataObject } from 'n8n-workflow';
import type { Failure } from './failure';
import {
	request,
	requestTo,
	wantsOtherPath,
	wantsSession,
	type JudgeWords,
	type Line,
	type RemoteCall,
} from './jsonRpc';
import type { Refusal, ServiceRequest } from './operation';
import { isObject } from './parse';
import { exchange, isFailed, tryExchange, type Failed, type Talk } from './talk';

/**
 * The client of the remote tool server (SPEC §4.3): JSON-RPC over Streamable HTTP, as the Model Context Protocol has it. The
 * server is stateless, so a request goes out without a handshake; one that wants a session after all gets it. Nothing is
 * sent a second time unless the first was refused before any tool can have run.
 */

/** A tool as the server lists it. */
export interface ListedTool {
	name: string;
	title?: string;
	description?: string;
	/** JSON Schemas of the arguments and of the structured answer. */
	inputSchema: IDataObject;
	outputSchema?: IDataObject;
	/** The tool as it came. */
	listed: IDataObject;
}

const PROTOCOL_VERSION = '2025-06-18';
/** Servers refuse a client that does not take both. */
const ACCEPT = { Accept: 'application/json, text/event-stream' };
const VERSION_HEADER = 'MCP-Protocol-Version';
const SESSION_HEADER = 'Mcp-Session-Id';
/** SPEC §4.3: the endpoint; the root path works too. */
const ENDPOINT: Line = {
	path: '/mcp',
	headers: { ...ACCEPT, [VERSION_HEADER]: PROTOCOL_VERSION },
};
const ROOT: Line = { ...ENDPOINT, path: '' };

const HANG_UP_TIMEOUT_MS = 10_000;
/** More pages than a list of tools has; a server that always names another one is not followed for ever. */
const MOST_PAGES = 100;

/** Calls a tool. Its reply is read by `call.read`; what the server itself refuses is a failure. */
export function* callTool<Result>(
	name: string,
	args: IDataObject,
	call: Pick<RemoteCall<Result>, 'credits' | 'read'>,
	judgeWords: JudgeWords,
): Talk<Exclude<Result, Refusal> | Failed> {
	const params = { name, arguments: args };
	const answered = yield* ask({ ...call, method: 'tools/call', params }, judgeWords);
	if (isFailed(answered)) return answered;
	yield* hangUp(answered.line);
	return answered.result;
}

/** All tools of the server, page by page. Free, and works without a key. */
export function* listTools(judgeWords: JudgeWords): Talk<Failed | ListedTool[]> {
	const answered = yield* ask(listPage(undefined), judgeWords);
	if (isFailed(answered)) return answered;
	const { line } = answered;
	const tools = [...answered.result.tools];
	let { nextCursor } = answered.result;
	const seen = new Set<string>();
	while (nextCursor !== undefined && !seen.has(nextCursor) && seen.size < MOST_PAGES) {
		seen.add(nextCursor);
		const page = yield* tryExchange(request(line, listPage(nextCursor), judgeWords, seen.size + 1));
		if (isFailed(page)) {
			yield* hangUp(line);
			return page;
		}
		tools.push(...page.tools);
		({ nextCursor } = page);
	}
	yield* hangUp(line);
	return tools;
}

/** Whether the server is up. No key is sent. */
export function* checkHealth(): Talk<Failed | IDataObject> {
	const health: ServiceRequest = {
		service: 'mcp',
		method: 'GET',
		path: '/healthz',
		query: {},
		takesAnyBody: true,
	};
	return yield* tryExchange(
		{ request: health, read: (body) => body },
		({ status = 0 }) => status >= 400,
	);
}

interface Page {
	tools: ListedTool[];
	nextCursor?: string;
}

function listPage(cursor: string | undefined): RemoteCall<Page> {
	return {
		method: 'tools/list',
		params: cursor === undefined ? {} : { cursor },
		read: ({ tools, nextCursor }) => ({
			tools: Array.isArray(tools) ? tools.flatMap(listedTool) : [],
			...(typeof nextCursor === 'string' && nextCursor !== '' && { nextCursor }),
		}),
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

/** Asks at the endpoint, or at the root where that is the endpoint, and in a session where the server wants one. */
function* ask<Result>(
	call: RemoteCall<Result>,
	judgeWords: JudgeWords,
): Talk<Failed | { result: Exclude<Result, Refusal>; line: Line }> {
	let line = ENDPOINT;
	let result = yield* tryExchange(request(line, call, judgeWords), wantsAnotherWay);
	if (isFailed(result) && wantsOtherPath(result.failure)) {
		line = ROOT;
		result = yield* tryExchange(request(line, call, judgeWords), wantsAnotherWay);
		if (isFailed(result) && wantsOtherPath(result.failure)) return noServer(result.failure);
	}
	if (!isFailed(result)) return { result, line };

	line = yield* openSession(line.path, judgeWords);
	// After a lost reply the tool may still be running, so its session is left alone
	result = yield* tryExchange(request(line, call, judgeWords), isRefused);
	if (!isFailed(result)) return { result, line };
	yield* hangUp(line);
	return result;
}

/** The handshake: initialize, then the notification that it is done, which is answered without content. */
function* openSession(path: string, judgeWords: JudgeWords): Talk<Line> {
	const initialize: RemoteCall<Line> = {
		method: 'initialize',
		params: {
			protocolVersion: PROTOCOL_VERSION,
			capabilities: {},
			clientInfo: { name: 'n8n-nodes-lookup-messaging', version: '1' },
		},
		read: (result, { headers }) => lineOf(path, result, headers),
	};
	const line = yield* exchange(request({ path, headers: ACCEPT }, initialize, judgeWords));
	yield* tryExchange({
		request: {
			...requestTo(line),
			body: { jsonrpc: '2.0', method: 'notifications/initialized' },
			takesAnyBody: true,
		},
		read: () => true,
	});
	return line;
}

function lineOf(path: string, opened: IDataObject, headers: Record<string, string>): Line {
	const { protocolVersion = PROTOCOL_VERSION } = opened;
	const session = headers[SESSION_HEADER.toLowerCase()];
	const spoken = { ...ACCEPT, [VERSION_HEADER]: String(protocolVersion) };
	return session === undefined
		? { path, headers: spoken }
		: { path, headers: { ...spoken, [SESSION_HEADER]: session }, inSession: true };
}

/** Ends the session, if there is one. A server need not allow that. */
function* hangUp(line: Line): Talk<void> {
	if (!line.inSession) return;
	yield* tryExchange({
		request: { ...requestTo(line), method: 'DELETE', takesAnyBody: true },
		read: () => true,
		timeoutMs: HANG_UP_TIMEOUT_MS,
		isSentOnce: true,
	});
}

function wantsAnotherWay(failure: Failure): boolean {
	return wantsOtherPath(failure) || wantsSession(failure);
}

function isRefused({ cause }: Failure): boolean {
	return cause === 'refused';
}

function noServer({ status }: Failure): Failed {
	return {
		failure: {
			cause: 'unreachable',
			scope: 'account',
			reason: `no tool server answers at the Tool Server URL of the credential, neither at /mcp nor at the root (HTTP ${status})`,
		},
	};
}
