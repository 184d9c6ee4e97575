import type { IDataObject } from 'n8n-workflow';
import type {
	Caller,
	Endpoint,
	Failed,
	Failure,
	Refusal,
	ServiceRequest,
} from '../../engine/client';
import { isFailed } from '../../engine/operation';
import { isObject } from '../../engine/plan/values';
import {
	endpointOf,
	requestIn,
	wantsOtherPath,
	wantsSession,
	type RemoteCall,
	type Session,
} from './jsonRpc';

/**
 * The client of the remote tool server (SPEC §4.3): JSON-RPC over Streamable HTTP, as the Model Context Protocol defines it. The
 * server is stateless, so a request goes out without a handshake; a server that wants a session gets one. Nothing is sent a
 * second time unless the first request was refused before any tool can have run.
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
const AT_ENDPOINT: Session = {
	path: '/mcp',
	headers: { ...ACCEPT, [VERSION_HEADER]: PROTOCOL_VERSION },
};
const AT_ROOT: Session = { ...AT_ENDPOINT, path: '' };

/** The step of a tool call in the journal: a call is made once, whichever path or session it takes. */
const CALL_STEP = 'call';
const END_SESSION_TIMEOUT_MS = 10_000;
/** More pages than a list of tools has: the limit for a server that always names another one. */
const MAX_PAGES = 100;

/** Calls a tool. Its result is read by `call.read`; what the server itself refuses is a failure. */
export async function callTool<Result>(
	client: Caller,
	name: string,
	args: IDataObject,
	call: Pick<RemoteCall<Result>, 'credits' | 'read'>,
): Promise<Exclude<Result, Refusal> | Failed> {
	const params = { name, arguments: args };
	const answered = await ask(client, { ...call, method: 'tools/call', params });
	if (isFailed(answered)) return answered;
	await endSession(client, answered.session);
	return answered.result;
}

/** All tools of the server, page by page. Free, and works without a key. */
export async function listTools(client: Caller): Promise<Failed | ListedTool[]> {
	const answered = await ask(client, listPage(undefined));
	if (isFailed(answered)) return answered;
	const { session } = answered;
	const tools = [...answered.result.tools];
	let { nextCursor } = answered.result;
	const seen = new Set<string>();
	while (nextCursor !== undefined && !seen.has(nextCursor) && seen.size < MAX_PAGES) {
		seen.add(nextCursor);
		const page = await client.attempt(endpointOf(session, listPage(nextCursor), seen.size + 1));
		if (isFailed(page)) {
			await endSession(client, session);
			return page;
		}
		tools.push(...page.tools);
		({ nextCursor } = page);
	}
	await endSession(client, session);
	return tools;
}

/** Whether the server is up. No key is sent. */
export async function checkHealth(client: Caller): Promise<Failed | { health: IDataObject }> {
	const request: ServiceRequest = {
		service: 'mcp',
		method: 'GET',
		path: '/healthz',
		query: {},
		takesAnyBody: true,
	};
	return await client.attempt<{ health: IDataObject }>({
		request,
		read: (body) => ({ health: body }),
		tolerates: ({ status = 0 }) => status >= 400,
	});
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

/** Asks at the endpoint, or at the root where the server is there, and in a session where the server wants one. */
async function ask<Result>(
	client: Caller,
	call: RemoteCall<Result>,
): Promise<Failed | { result: Exclude<Result, Refusal>; session: Session }> {
	const step = call.credits && CALL_STEP;
	const attempt = async (at: Session, tolerates: Endpoint<Result>['tolerates']) =>
		await client.attempt<Result>({ ...endpointOf(at, call), tolerates }, step);

	let session = AT_ENDPOINT;
	let result = await attempt(session, wantsAnotherWay);
	if (isFailed(result) && wantsOtherPath(result.failure)) {
		session = AT_ROOT;
		result = await attempt(session, wantsAnotherWay);
		if (isFailed(result) && wantsOtherPath(result.failure)) return noServer(result.failure);
	}
	if (!isFailed(result)) return { result, session };

	session = await openSession(client, session.path);
	// After a lost reply the tool may still be running, so its session is left alone
	result = await attempt(session, isRefused);
	if (!isFailed(result)) return { result, session };
	await endSession(client, session);
	return result;
}

/** The handshake: initialize, then the notification that it is done, which is answered without content. */
async function openSession(client: Caller, path: string): Promise<Session> {
	const initialize: RemoteCall<Session> = {
		method: 'initialize',
		params: {
			protocolVersion: PROTOCOL_VERSION,
			capabilities: {},
			clientInfo: { name: 'n8n-nodes-lookup-messaging', version: '1' },
		},
		read: (result, { headers }) => sessionOf(path, result, headers),
	};
	const session = await client.call(endpointOf({ path, headers: ACCEPT }, initialize));
	await client.attempt({
		request: {
			...requestIn(session),
			body: { jsonrpc: '2.0', method: 'notifications/initialized' },
			takesAnyBody: true,
		},
		read: () => true,
	});
	return session;
}

function sessionOf(path: string, opened: IDataObject, headers: Record<string, string>): Session {
	const { protocolVersion = PROTOCOL_VERSION } = opened;
	const sessionId = headers[SESSION_HEADER.toLowerCase()];
	const agreed = { ...ACCEPT, [VERSION_HEADER]: String(protocolVersion) };
	return sessionId === undefined
		? { path, headers: agreed }
		: { path, headers: { ...agreed, [SESSION_HEADER]: sessionId }, hasId: true };
}

/** Ends the session, if there is one. A server need not allow that. */
async function endSession(client: Caller, session: Session): Promise<void> {
	if (!session.hasId) return;
	await client.attempt({
		request: { ...requestIn(session), method: 'DELETE', takesAnyBody: true },
		read: () => true,
		timeoutMs: END_SESSION_TIMEOUT_MS,
		noRetry: true,
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
