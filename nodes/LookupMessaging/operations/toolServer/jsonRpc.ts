import type { IDataObject } from 'n8n-workflow';
import type {
	Credits,
	Endpoint,
	Failure,
	Refusal,
	ReplyHead,
	ServiceRequest,
} from '../../engine/client';
import { inShort, isObject, textOf } from '../../engine/plan/values';
import { errorText, scopeOf } from '../../engine/refusals/refusal';

/** JSON-RPC 2.0 over HTTP, as the tool server speaks it (SPEC §4.3): a call, its reply, and what a refusal means. */

/** A method of the server, and how its result is read. */
export interface RemoteCall<Result> {
	method: string;
	params: IDataObject;
	/** Left out where the method is free. */
	credits?: Credits;
	read: (result: IDataObject, head: ReplyHead) => Refusal | Result;
}

/** How the server is reached: its path, and the headers of the MCP session. */
export interface Session {
	path: string;
	headers: Record<string, string>;
	/** The server has given it an ID, so it has to be ended. */
	hasId?: true;
}

/** A request of the session, without its body. */
export function requestIn({ path, headers }: Session): ServiceRequest {
	return { service: 'mcp', method: 'POST', path, headers };
}

/** The endpoint of one call. */
export function endpointOf<Result>(
	session: Session,
	{ method, params, credits, read }: RemoteCall<Result>,
	id = 1,
): Endpoint<Result> {
	return {
		request: { ...requestIn(session), body: { jsonrpc: '2.0', id, method, params } },
		credits,
		read: ({ result, ...body }, head) =>
			isObject(result) && head.status < 300 ? read(result, head) : refusalOf(body, head, params),
	};
}

/** What a body without a result says: a JSON-RPC error, or anything else. */
function refusalOf(body: IDataObject, { status }: ReplyHead, params: IDataObject): Refusal {
	const error = isObject(body.error) ? body.error : {};
	const words = errorText(body) ?? errorText({ message: body.detail });
	const code = typeof error.code === 'number' ? error.code : undefined;
	const reason = inShort(words ?? 'the tool server sent neither a result nor a reason');
	const scope = scopeOf(words, { status, ...askedOf(params.name, params.arguments) });
	const mayHaveRun = status < 300 && !NOT_RUN.has(code) && !isBeforeSession(code, reason);
	return {
		scope,
		reason: code === undefined || reason.includes(String(code)) ? reason : `${reason} (${code})`,
		code,
		mayHaveCost: scope === 'question' && mayHaveRun,
	};
}

/** Names of tools and arguments that fetch pages of others. */
const FETCHES = /comment|post(?:s?\b|_)|scrap|search|thread|tweet/i;

/** What a tool is asked about, to judge the words of a refusal by. A tool that fetches a page passes on what that says. */
export function askedOf(tool: unknown, args: unknown): Pick<ReplyHead, 'quotesOthers' | 'request'> {
	const body = isObject(args) ? args : {};
	const names = [textOf(tool), ...Object.keys(body)].join(' ');
	const request: ServiceRequest = { service: 'mcp', method: 'POST', path: '', body };
	return FETCHES.test(names) ? { request, quotesOthers: true } : { request };
}

/** JSON-RPC 2.0 §5.1: parse error, invalid request, method not found, invalid params. The method was not run. */
const NOT_RUN = new Set<number | undefined>([-32700, -32600, -32601, -32602]);
/** JSON-RPC 2.0 §5.1: something broke while the method ran. */
const INTERNAL_ERROR = -32603;

/** HTTP statuses of a server that has nothing at this path. */
const NOT_HERE = new Set([404, 405]);
/** HTTP statuses of a request that is not as the server wants it. */
const WRONG_REQUEST = new Set([400, 404]);
/** Words that may speak of the protocol's session, under an HTTP status of a refused request. */
const ABOUT_SESSION = /session|initiali[sz]|protocol.version/i;
/** What the SDKs say when a request comes before its session. Words of a tool are not to be taken for them. */
const BEFORE_SESSION =
	/^(?:bad request:?\s*)?(?:server (?:is )?not initialized|received request before initialization|(?:no|missing|invalid|no valid) (?:mcp[- ])?session|mcp-session-id header)/i;

/** Whether no server speaks JSON-RPC at this path. */
export function wantsOtherPath({ status = 0, refusal }: Failure): boolean {
	return (
		NOT_HERE.has(status) &&
		refusal?.code === undefined &&
		refusal?.scope !== 'account' &&
		!ABOUT_SESSION.test(refusal?.reason ?? '')
	);
}

/** Whether the server refused because there is no session, before it looked at the call. */
export function wantsSession({ cause, status = 0, refusal }: Failure): boolean {
	if (cause !== 'refused') return false;
	if (!refusal) return false;
	if (status < 300) return isBeforeSession(refusal.code, refusal.reason);
	return WRONG_REQUEST.has(status) && ABOUT_SESSION.test(refusal.reason);
}

function isBeforeSession(code: number | undefined, words: string): boolean {
	return code !== undefined && code !== INTERNAL_ERROR && BEFORE_SESSION.test(words);
}
