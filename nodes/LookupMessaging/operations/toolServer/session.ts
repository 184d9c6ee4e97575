import type { Caller, Connection, Endpoint, Exchange, ServiceRequest } from '../../engine/client';
import {
	CallFailed,
	catchFailed,
	type Failed,
	type Failure,
	type Result,
} from '../../engine/results';
import { isFailed } from '../../engine/operation';
import { inShort, isObject, quote, textOf } from '../../engine/plan/values';
import { exchangeOf } from './conversation';
import { isSessionGone, meaningOf, messageOf, METHOD_NOT_FOUND, readerOf } from './jsonRpc';

/**
 * The session with the remote tool server (SPEC §4.3), as the Model Context Protocol defines it over Streamable HTTP:
 * `initialize`, `notifications/initialized`, the calls, and DELETE if the server has given the session an ID. The handshake runs
 * no tool, so the address of the endpoint is found before anything can cost.
 */
export const overSession = () => new SharedSession();

/** The session of a network: opened at the first call, opened again after it expired, and closed with the network. */
class SharedSession implements Connection {
	private opening?: Promise<Failed | Opened>;

	/** Makes a call over the session. An expired session is opened again, once for each call. */
	async carry(
		endpoint: Endpoint<unknown>,
		send: (carried: Endpoint<unknown>) => Promise<Result>,
		client: Caller,
	): Promise<Result> {
		for (let isNew = false; ; isNew = true) {
			const opening = (this.opening ??= open(client));
			const opened = await opening;
			if (isFailed(opened)) {
				// The next call tries again
				this.forget(opening);
				return { failure: opened.failure };
			}
			const result = await send(callOver(opened, endpoint));
			const failure = isFailed(result) ? result.failure : undefined;
			opened.isAtWork ||= failure?.cause === 'lost' && failure.status === undefined;
			// A server that read the call may have run it
			const isOver = failure && !failure.mayHaveCost && isExpired(failure, opened.session);
			if (!isOver || isNew) return result;
			this.forget(opening);
		}
	}

	/** Closes the session, unless its server may still be working on a call. */
	async close(client: Caller): Promise<void> {
		const { opening } = this;
		this.opening = undefined;
		const opened = await opening;
		if (!opened || isFailed(opened) || opened.isAtWork) return;
		await end(opened.session, client);
	}

	/** Makes the next call open the session again, unless another call has done so. */
	private forget(old: Promise<Failed | Opened>) {
		if (this.opening === old) this.opening = undefined;
	}
}

/** `isAtWork`: a call got no reply, so the server may still be working on it. */
type Opened = { session: Session; lastId: number; isAtWork?: boolean };

async function open(client: Caller): Promise<Failed | Opened> {
	const session = await catchFailed(async () => {
		const opened = await initialize(client);
		if (opened.version !== undefined && !VERSIONS.includes(opened.version)) {
			await end(opened, client);
			throw new CallFailed(otherVersion(opened.version));
		}
		const body = messageOf({ method: 'notifications/initialized' });
		await client.attempt({
			request: { ...postIn(opened, body), takesAnyBody: true },
			read: () => true,
			timeoutMs: NOTICE_MS,
			noRetry: true,
		});
		return opened;
	});
	return isFailed(session)
		? { failure: notOpened(session.failure) }
		: { session, lastId: FIRST_ID };
}

/** The call over the session. An expired session is no failure of the call, so no breaker counts it. */
function callOver(opened: Opened, endpoint: Endpoint<unknown>): Endpoint<unknown> {
	const { session } = opened;
	const tolerates = (failure: Failure) =>
		isExpired(failure, session) || endpoint.tolerates?.(failure) !== false;
	opened.lastId += 1;
	return { ...endpoint, ...carryIn(session, endpoint.request, opened.lastId), tolerates };
}

/**
 * The failure of a call whose session cannot be opened. The call was not sent, and every other one would fail alike. The possible
 * remedies were tried.
 */
function notOpened(failure: Failure): Failure {
	const { cause, scope, status } = failure;
	if (cause === 'unreachable') return { ...failure, isTransient: false };
	if (cause !== 'lost' && cause !== 'refused' && cause !== 'throttled') return failure;
	const reason = `the session with the tool server couldn't be opened: ${failure.reason}`;
	if (cause === 'refused' && scope === 'account') return { ...failure, reason };
	return { cause: 'unreachable', scope: 'account', reason, status };
}

/** The protocol's versions that this client speaks, the newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** The version of a server that names none (MCP 2025-11-25, Transports, Protocol Version Header). */
const UNNAMED_VERSION = '2025-03-26';
const CLIENT_INFO = { name: 'n8n-nodes-lookup-messaging', version: '1' };

/** Servers refuse a client that does not accept both. */
const ACCEPT = 'application/json, text/event-stream';
const SESSION_HEADER = 'Mcp-Session-Id';

/** Longest waits, in milliseconds. */
const OPEN_MS = 30_000;
const NOTICE_MS = 5_000;
const CLOSE_MS = 2_000;

/** How the server is reached: at which of its addresses, and with which headers. */
interface Session {
	address: number;
	headers: Record<string, string>;
	/** The server has given it an ID, so it can expire and has to be ended. */
	hasId?: true;
	version?: string;
}

/** Tries the likeliest address, and then the other one if the first has no server. */
async function initialize(client: Caller): Promise<Session> {
	const answered = await client.attempt(initializeAt(0));
	if (!isFailed(answered)) return answered;
	if (!wantsOtherAddress(answered.failure)) return withoutSession(0);
	const second = await client.attempt(initializeAt(1));
	if (!isFailed(second)) return second;
	if (!wantsOtherAddress(second.failure)) return withoutSession(1);
	const reason = `no tool server answers at the Tool Server URL in the credential or at /mcp below it (HTTP ${second.failure.status}). Enter the full address of its endpoint`;
	throw new CallFailed({ cause: 'unreachable', scope: 'account', reason });
}

/** IDs are unique within a session; the first is that of the handshake. */
const FIRST_ID = 1;

function initializeAt(address: number): Endpoint<Session> {
	const params = { protocolVersion: VERSIONS[0], capabilities: {}, clientInfo: CLIENT_INFO };
	const at: Session = { address, headers: { Accept: ACCEPT } };
	const request = postIn(at, messageOf({ id: FIRST_ID, method: 'initialize', params }));
	return {
		request,
		exchange: exchangeIn(at, FIRST_ID),
		read: readerOf({
			params,
			read: ({ protocolVersion }, { headers }): Session => {
				const version = textOf(protocolVersion ?? UNNAMED_VERSION);
				const agreed = { ...at.headers, 'MCP-Protocol-Version': version };
				const id = headers[SESSION_HEADER.toLowerCase()];
				return id === undefined || id === ''
					? { address, headers: agreed, version }
					: { address, headers: { ...agreed, [SESSION_HEADER]: id }, version, hasId: true };
			},
		}),
		timeoutMs: OPEN_MS,
		tolerates: (failure) =>
			wantsOtherAddress(failure) || failure.refusal?.code === METHOD_NOT_FOUND,
	};
}

/** A server without a handshake is called without one. */
function withoutSession(address: number): Session {
	return { address, headers: { Accept: ACCEPT } };
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

/** The request with its ID, and with a token for reports of progress. */
function carryIn(at: Session, { body = {} }: ServiceRequest, id: number) {
	const { params } = body;
	if (body.method !== 'tools/call' || !isObject(params)) {
		return { request: postIn(at, { ...body, id }), exchange: exchangeIn(at, id) };
	}
	const reporting = { ...params, _meta: { progressToken: id } };
	return {
		request: postIn(at, { ...body, id, params: reporting }),
		exchange: exchangeIn(at, id, `The tool ${quote(textOf(params.name))}`),
	};
}

/** @param who the name for reports of progress in n8n's log */
function exchangeIn(at: Session, id: number, who = 'The tool server'): Exchange {
	const { address, headers } = at;
	const params = { requestId: id, reason: 'The client has waited as long as its user wants' };
	return exchangeOf({
		read: (message) => {
			const meaning = meaningOf(message, id, (body) => ({
				...postIn(at, body),
				takesAnyBody: true,
			}));
			const isProgress = typeof meaning === 'object' && 'progress' in meaning;
			return isProgress ? { progress: `${who} reports progress: ${meaning.progress}` } : meaning;
		},
		readText: (text) =>
			isSessionGone(text.trim()) ? { error: { message: text.trim() } } : undefined,
		resume: (lastEventId, { [SESSION_HEADER.toLowerCase()]: given }) => ({
			service: 'mcp',
			method: 'GET',
			path: '/mcp',
			address,
			headers: {
				...headers,
				...(given && { [SESSION_HEADER]: given }),
				'Last-Event-ID': lastEventId,
			},
		}),
		// The protocol does not let a client cancel its handshake
		...(id !== FIRST_ID && {
			cancel: postIn(at, messageOf({ method: 'notifications/cancelled', params })),
		}),
	});
}

/** HTTP statuses of a server that has nothing at this address. */
const NOT_HERE = new Set([404, 405]);

/** Whether no server speaks JSON-RPC at this address. */
function wantsOtherAddress({ status = 0, refusal }: Failure): boolean {
	return NOT_HERE.has(status) && refusal?.code === undefined && refusal?.scope !== 'account';
}

/** JSON-RPC code of the official SDK for a session that it does not know. */
const UNKNOWN_SESSION = -32001;
/** Codes of servers that refuse a request without reading its parameters. */
const REFUSED_UNSEEN = new Set([UNKNOWN_SESSION, -32000, -32600]);
/** Words of frameworks about a missing path, or about a session that is a path to them. */
const NOTHING_HERE = /^not found\W*$/i;

/**
 * Whether the server does not know the session any more, and has not read the call. A tool that ran may be reported with an HTTP
 * error too, in its own words: it must not be called again.
 */
function isExpired({ cause, status = 0, refusal }: Failure, { hasId }: Session): boolean {
	if (!hasId || cause !== 'refused') return false;
	if (!refusal) return status === 404;
	const { code, reason } = refusal;
	const words = reason.replace(` (${code})`, '');
	if (status === 404 && code === undefined && NOTHING_HERE.test(words)) return true;
	const isRefused = code === undefined || REFUSED_UNSEEN.has(code);
	const isError = status === 404 || status === 400 || code === UNKNOWN_SESSION;
	return isError && isRefused && isSessionGone(words);
}

function otherVersion(version: string): Failure {
	const reason = `the tool server uses version ${quote(inShort(version, 40))} of the Model Context Protocol, and this node supports ${VERSIONS.join(', ')}`;
	return { cause: 'unreachable', scope: 'account', reason };
}
