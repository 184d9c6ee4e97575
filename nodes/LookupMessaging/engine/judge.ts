import type { IDataObject } from 'n8n-workflow';
import { ACCOUNT_STATUSES, parameterFailure, STOPPED, type Failure } from './failure';
import { isRefusal, type Refusal } from './operation';
import type { Exchange, Failed } from './talk';
import type { Reply } from './transport';

/** What a reply means to the exchange that it answers. Pure. */

/** What a step came to: the result that the talk is handed, and the body it was read from. */
export interface Heard {
	result: unknown;
	body?: IDataObject;
	/** Length of the body as it came. */
	size?: number;
}

/** Judges a reply, and has an answer booked. What cannot be made sense of is as good as lost. */
export function read(
	exchange: Exchange<unknown>,
	reply: Reply,
	book?: (body: IDataObject) => void,
): Failed | Heard {
	try {
		const heard = judge(exchange, reply);
		if (!('failure' in heard)) book?.(heard.body ?? {});
		return heard;
	} catch {
		const reason = 'the answer is not of a kind that can be read';
		return { failure: { cause: 'lost', reason, scope: 'question' } };
	}
}

/** Turns a reply into what the exchange reads in it, or into a failure. */
export function judge(exchange: Exchange<unknown>, reply: Reply): Failed | Heard {
	switch (reply.kind) {
		case 'ok':
		case 'refused':
			return judgeAnswered(exchange, reply);
		case 'cancelled':
			return { failure: STOPPED };
		case 'misconfigured':
			return { failure: { cause: 'misconfigured', reason: reply.reason, scope: 'account' } };
		case 'unreadable':
		case 'unsendable':
			return { failure: parameterFailure(reply.reason) };
		case 'unreachable':
			return { failure: { cause: 'unreachable', scope: 'question', reason: reply.reason } };
		case 'lost':
		case 'throttled': {
			const { kind, ...facts } = reply;
			return { failure: { cause: kind, scope: 'question', ...facts } };
		}
	}
}

/**
 * Lets the exchange read the body. Under an HTTP error a body can still be a no ("invalid number") or a don't-know
 * ("lookup failed"), but never a yes, nor anything that the operation does not recognise.
 */
function judgeAnswered(
	exchange: Exchange<unknown>,
	reply: Extract<Reply, { kind: 'ok' | 'refused' }>,
): Failed | Heard {
	const { status, body, headers } = reply;
	if (body && !isRedirect(status)) {
		const result = exchange.read(body, { status, headers });
		if (isRefusal(result) && !saysNoSuchPath(result, exchange, status)) {
			const reason = `the service refused the request: ${result.reason}`;
			return { failure: { ...refusalFailure(reason, result.refused), status, refusal: result } };
		}
		if (reply.kind === 'ok' && !isRefusal(result)) return { result, body, size: reply.size };
		if (isPlainAnswer(result) && !ACCOUNT_STATUSES.has(status)) return { result, body };
	}
	return { failure: bareRefusal(exchange, status) };
}

/** The failure under an HTTP status alone. Of a path that is not there every paid call of the run would be told so. */
function bareRefusal({ credits }: Exchange<unknown>, status: number): Failure {
	if (isRedirect(status)) {
		const reason = `the service redirects elsewhere (HTTP ${status})`;
		return { ...refusalFailure(reason, 'account'), status };
	}
	const isEverywhere =
		ACCOUNT_STATUSES.has(status) || (credits !== undefined && NO_PATH.has(status));
	const reason = `the service refused the request (HTTP ${status})`;
	return { ...refusalFailure(reason, isEverywhere ? 'account' : 'question'), status };
}

/** HTTP statuses of a path or method that the host does not know. */
const NO_PATH = new Set([404, 405]);
/** Words of a server that speaks of the path, and not of what was asked about. */
const NO_PATH_WORDS =
	/^(?:404|error|the|requested|route|path|page|endpoint|resource|url|was|\W)*not found\W*$|^cannot (?:get|post)\b|no such (?:route|path|endpoint)|method not allowed/i;

function saysNoSuchPath({ reason }: Refusal, { credits }: Exchange<unknown>, status: number) {
	return credits !== undefined && NO_PATH.has(status) && speaksOfPath(reason);
}

/** Whether words of a refusal are about a path that is not there, and not about what was asked for. */
export function speaksOfPath(reason: string): boolean {
	return NO_PATH_WORDS.test(reason);
}

function isRedirect(status: number): boolean {
	return status >= 300 && status < 400;
}

function isPlainAnswer(result: unknown): boolean {
	if (typeof result !== 'object' || result === null || !('outcome' in result)) return false;
	return result.outcome !== 'positive' && !('isUnclear' in result);
}

export function refusalFailure(reason: string, scope: Failure['scope']): Failure {
	return { cause: 'refused', reason, scope };
}
