import type { IDataObject } from 'n8n-workflow';
import type { Credits, Endpoint, ReplyHead, ServiceRequest } from '../../engine/client';
import type { Refusal } from '../../engine/results';
import { inShort, isObject, textOf } from '../../engine/plan/values';
import { errorText, scopeOf } from '../../engine/refusals/refusal';

/** JSON-RPC 2.0 over HTTP, as the tool server speaks it (SPEC §4.3): a call, its reply, and what a refusal means. */

/** A method of the server, and how its result is read. */
export interface RemoteCall<Result> {
	method: string;
	params: IDataObject;
	/** Missing if the method is free. */
	credits?: Credits;
	read: (result: IDataObject, head: ReplyHead) => Refusal | Result;
}

export function messageOf(body: IDataObject): IDataObject {
	return { jsonrpc: '2.0', ...body };
}

/** Reads the reply to a call, whatever its ID. */
export function readerOf<Result>({
	params,
	read,
}: Pick<RemoteCall<Result>, 'params' | 'read'>): Endpoint<Result>['read'] {
	return ({ result, ...body }, head) =>
		isObject(result) && head.status < 300 ? read(result, head) : refusalOf(body, head, params);
}

/** JSON-RPC 2.0 §5.1: the receiver has no such method. */
export const METHOD_NOT_FOUND = -32601;

/** The reply to the call, a request that needs an answer, or the progress of the work, for n8n's log. */
export type MessageMeaning = 'reply' | { answer: ServiceRequest } | { progress: string };

/** The meaning of a message for a call with this ID. */
export function meaningOf(
	message: IDataObject,
	id: number,
	toServer: (body: IDataObject) => ServiceRequest,
): MessageMeaning | undefined {
	const { method, id: theirs } = message;
	if (typeof method !== 'string') {
		const isResponse = 'result' in message || 'error' in message;
		// Some servers leave the ID out of an error. A result without it is nobody's
		const named = 'error' in message ? (theirs ?? id) : theirs;
		return isResponse && textOf(named) === textOf(id) ? 'reply' : undefined;
	}
	if (typeof theirs === 'number' || typeof theirs === 'string') {
		const error = { code: METHOD_NOT_FOUND, message: 'Method not found' };
		const said = method === 'ping' ? { result: {} } : { error };
		return { answer: toServer(messageOf({ id: theirs, ...said })) };
	}
	return method === 'notifications/progress' ? progressOf(message.params, id) : undefined;
}

/** Maximum number of characters of a server's words about its progress. */
const LONGEST_WORDS = 200;

function progressOf(params: unknown, id: number): MessageMeaning | undefined {
	if (!isObject(params) || params.progressToken !== id) return undefined;
	const { progress, total, message } = params;
	if (typeof progress !== 'number') return undefined;
	const share = typeof total === 'number' ? `${progress} of ${total}` : textOf(progress);
	const words = inShort(textOf(message), LONGEST_WORDS).replace(/[\s\p{Cc}]+/gu, ' ');
	return { progress: `${share}${words && ` (${words})`}` };
}

/** The refusal in a body without a result: a JSON-RPC error, or anything else. */
function refusalOf(body: IDataObject, { status }: ReplyHead, params: IDataObject): Refusal {
	const error = isObject(body.error) ? body.error : {};
	const words = errorText(body) ?? errorText({ message: body.detail });
	const code = typeof error.code === 'number' ? error.code : undefined;
	const reason = inShort(words ?? 'the tool server returned neither a result nor a reason');
	const scope = scopeOf(words, { status, ...askedOf(params.arguments) });
	const isOfResult = code === INVALID_PARAMS && OF_RESULT.test(reason);
	const mayHaveRun = isOfResult || !(NOT_RUN.has(code) || isAtTheDoor(status, code, reason));
	return {
		scope,
		...(words === undefined && { isOwn: true }),
		reason: code === undefined || reason.includes(textOf(code)) ? reason : `${reason} (${code})`,
		code,
		mayHaveCost: scope === 'question' && mayHaveRun,
	};
}

/** The values of a tool call, to judge the words of a refusal by. */
export function askedOf(args: unknown): Pick<ReplyHead, 'request'> {
	const body = isObject(args) ? args : {};
	return { request: { service: 'mcp', method: 'POST', path: '', body } };
}

const INVALID_PARAMS = -32602;
/** JSON-RPC 2.0 §5.1: parse error, invalid request, method not found, invalid params. The method was not run. */
const NOT_RUN = new Set<number | undefined>([-32700, -32600, METHOD_NOT_FOUND, INVALID_PARAMS]);
/**
 * Words of servers about the result of a tool that ran: the official SDK refuses a result that doesn't fit its schema as invalid
 * params.
 */
const OF_RESULT =
	/output|structured ?content|\b(?:results?|returned|returns?|responses?|executed|execution|ran)\b/i;
/** JSON-RPC 2.0 §5.1: an error while the method ran. */
const INTERNAL_ERROR = -32603;

/** Words of servers about an unknown session. They have to be the whole text: a tool may mention its own sessions. */
const SESSION_GONE =
	/^(?:(?:bad request|error|not found|unauthorized)\W+)?(?:(?:invalid|invalid or missing|missing|no|no valid|unknown) (?:mcp[- ])?session(?:[- ]id)?(?: provided)?|(?:mcp[- ])?session(?:[- ]id)? (?:(?:is |was )?not found|(?:has |is |was |has been )?(?:closed|expired|invalid|terminated|unknown)|does not exist)|server (?:is )?not initialized)\W*$/i;
/** Words of servers about a request that they do not pass on. */
const AT_THE_DOOR =
	/^(?:(?:bad request\W+)?(?:unsupported protocol version|mcp-session-id header|server already initialized)|not acceptable|unsupported media type|received request before initialization)/i;

/** Whether a server says that it does not know the session. */
export function isSessionGone(words: string): boolean {
	return SESSION_GONE.test(words);
}

/** Whether the server refused a request before it read the call. Under HTTP 200 the words may be those of a tool that ran. */
function isAtTheDoor(status: number, code: number | undefined, words: string): boolean {
	if (code === INTERNAL_ERROR || status < 300) return false;
	return isSessionGone(words) || AT_THE_DOOR.test(words);
}
