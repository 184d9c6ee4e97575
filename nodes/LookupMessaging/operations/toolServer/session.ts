import {
	CallFailed,
	type Caller,
	type Connection,
	type Endpoint,
	type Failure,
	type MessageReader,
	type OpenConnection,
	type ServiceRequest,
} from '../../engine/client';
import { isFailed } from '../../engine/operation';
import { inShort, isObject, quote, textOf } from '../../engine/plan/values';
import { isAtTheDoor, meaningOf, messageOf, METHOD_NOT_FOUND, readerOf } from './jsonRpc';

/**
 * The session with the remote tool server (SPEC §4.3), as the Model Context Protocol defines it over Streamable HTTP: `initialize`,
 * `notifications/initialized`, the calls, and DELETE where the server has given the session an ID. Neither runs a tool, so the
 * address of the endpoint is found before anything can cost.
 */
export const session: Connection = { open };

/** The protocol's versions that this client speaks, the newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** The version of a server that names none (MCP 2025-11-25, Transports, Protocol Version Header). */
const UNNAMED_VERSION = '2025-03-26';
const CLIENT_INFO = { name: 'n8n-nodes-lookup-messaging', version: '1' };

/** Servers refuse a client that does not take both. */
const ACCEPT = 'application/json, text/event-stream';
const SESSION_HEADER = 'Mcp-Session-Id';

/** Longest waits, in milliseconds. */
const OPEN_MS = 30_000;
const CLOSE_MS = 5_000;

/** How the server is reached: at which of its addresses, and with which headers. */
interface Session {
	address: number;
	headers: Record<string, string>;
	/** The server has given it an ID, so it can expire and has to be ended. */
	hasId?: true;
	/** Version of the protocol. */
	version?: string;
}

async function open(client: Caller): Promise<OpenConnection> {
	const opened = await initialize(client);
	if (opened.version !== undefined && !VERSIONS.includes(opened.version)) {
		await end(opened, client);
		throw new CallFailed(otherVersion(opened.version));
	}
	await client.attempt(notification(opened, { method: 'notifications/initialized' }));
	let lastId = FIRST_ID;
	return {
		carry: (request) => carryIn(opened, request, (lastId += 1)),
		isOver: (failure) => opened.hasId === true && isExpired(failure),
		...(opened.hasId && { close: async (closing) => await end(opened, closing) }),
	};
}

/** Asks at the likeliest address, and at the other one where nothing is there. */
async function initialize(client: Caller): Promise<Session> {
	const answered = await client.attempt(initializeAt(0));
	if (!isFailed(answered)) return answered;
	if (!wantsOtherAddress(answered.failure)) return withoutSession(0);
	const second = await client.attempt(initializeAt(1));
	if (!isFailed(second)) return second;
	if (wantsOtherAddress(second.failure)) throw new CallFailed(noServer(second.failure));
	return withoutSession(1);
}

/** IDs are unique within a session; the first is that of the handshake. */
const FIRST_ID = 1;

function initializeAt(address: number): Endpoint<Session> {
	const params = { protocolVersion: VERSIONS[0], capabilities: {}, clientInfo: CLIENT_INFO };
	const at: Session = { address, headers: { Accept: ACCEPT } };
	const request = postIn(at, messageOf({ id: FIRST_ID, method: 'initialize', params }));
	return {
		request,
		messages: readerIn(at, FIRST_ID),
		read: readerOf({
			params,
			read: ({ protocolVersion }, { headers }): Session => {
				const version = textOf(protocolVersion ?? UNNAMED_VERSION);
				const agreed = { ...at.headers, 'MCP-Protocol-Version': version };
				const id = headers[SESSION_HEADER.toLowerCase()];
				return id === undefined
					? { address, headers: agreed, version }
					: { address, headers: { ...agreed, [SESSION_HEADER]: id }, version, hasId: true };
			},
		}),
		timeoutMs: OPEN_MS,
		tolerates: (failure) =>
			wantsOtherAddress(failure) || failure.refusal?.code === METHOD_NOT_FOUND,
	};
}

/** A server that knows no handshake is called without one. */
function withoutSession(address: number): Session {
	return { address, headers: { Accept: ACCEPT, 'MCP-Protocol-Version': VERSIONS[0] } };
}

/** Ends the session. A server need not allow that. */
async function end({ address, headers, hasId }: Session, client: Caller): Promise<void> {
	if (!hasId) return;
	await client.attempt({
		request: {
			service: 'mcp',
			method: 'DELETE',
			path: '/mcp',
			address,
			headers,
			takesAnyBody: true,
		},
		read: () => true,
		timeoutMs: CLOSE_MS,
		noRetry: true,
	});
}

function postIn({ address, headers }: Session, body: ServiceRequest['body']): ServiceRequest {
	return { service: 'mcp', method: 'POST', path: '/mcp', address, headers, body };
}

function notification(at: Session, body: { method: string }): Endpoint<true> {
	const request: ServiceRequest = { ...postIn(at, messageOf(body)), takesAnyBody: true };
	return { request, read: () => true, timeoutMs: OPEN_MS };
}

/** The request with its ID, and under it a token by which the server may report progress. */
function carryIn(at: Session, { body = {} }: ServiceRequest, id: number) {
	const { params, ...message } = body;
	const isCall = message.method === 'tools/call' && isObject(params);
	const known = isCall ? { ...params, _meta: { progressToken: id } } : params;
	return {
		request: postIn(at, { ...message, id, params: known }),
		messages: readerIn(at, id),
	};
}

function readerIn(at: Session, id: number): MessageReader {
	const { address, headers } = at;
	const params = { requestId: id, reason: 'The client has waited as long as its user wants' };
	return {
		read: (message) =>
			meaningOf(message, id, (body) => ({ ...postIn(at, body), takesAnyBody: true })),
		resume: (lastEventId) => ({
			service: 'mcp',
			method: 'GET',
			path: '/mcp',
			address,
			headers: { ...headers, 'Last-Event-ID': lastEventId },
		}),
		// The protocol forbids to cancel a handshake
		...(id !== FIRST_ID && {
			cancel: postIn(at, messageOf({ method: 'notifications/cancelled', params })),
		}),
	};
}

/** HTTP statuses of a server that has nothing at this address. */
const NOT_HERE = new Set([404, 405]);

/** Whether no server speaks JSON-RPC at this address. */
function wantsOtherAddress({ status = 0, refusal }: Failure): boolean {
	return NOT_HERE.has(status) && refusal?.code === undefined && refusal?.scope !== 'account';
}

const ABOUT_SESSION = /session|^not found\b/i;

/** Whether the server does not know the session any more. A tool that ran may be reported with 404 too, in words of its own. */
function isExpired({ cause, status = 0, refusal }: Failure): boolean {
	if (cause !== 'refused') return false;
	if (status === 404) return !refusal || ABOUT_SESSION.test(refusal.reason);
	const isRefused = status === 400 && refusal !== undefined;
	return (
		isRefused &&
		/session/i.test(refusal.reason) &&
		isAtTheDoor(status, refusal.code, refusal.reason)
	);
}

function noServer({ status }: Failure): Failure {
	const reason = `no tool server answers at the Tool Server URL of the credential, neither at the URL nor at /mcp below it (HTTP ${status}); enter the whole address of its endpoint`;
	return { cause: 'unreachable', scope: 'account', reason };
}

function otherVersion(version: string): Failure {
	const reason = `the tool server speaks version ${quote(inShort(version, 40))} of the Model Context Protocol, and this node speaks ${VERSIONS.join(', ')}`;
	return { cause: 'unreachable', scope: 'account', reason };
}
