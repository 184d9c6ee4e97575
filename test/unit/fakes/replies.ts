import type { IDataObject } from 'n8n-workflow';
import type { Reply, ReplyHead, ServiceRequest } from '../../engine';

/** An answer under HTTP 2xx. */
export function ok(body: IDataObject, status = 200): Reply {
	return { kind: 'ok', status, headers: {}, body };
}

/** An answer under HTTP 3xx or 4xx; without a body, one that was no JSON object. */
export function httpError(status: number, body?: IDataObject): Reply {
	return { kind: 'httpError', status, headers: {}, ...(body && { body }) };
}

/** What a read function receives of the reply beside its body. */
export function headOf(request: ServiceRequest, status = 200): ReplyHead {
	return { status, headers: {}, request };
}

/** An answer under any HTTP status that is read. */
export function answered(status: number, body: IDataObject): Reply {
	return status < 300 ? ok(body, status) : httpError(status, body);
}

/** Replies by a letter each. */
const REPLIES = {
	/** An answer. */
	a: ok({ status: true, a: 1 }),
	/** A refusal of the question, and of the account. */
	r: httpError(422, { error: 'no such mailbox' }),
	k: httpError(401),
	/** A lost reply, and a failure of the server. */
	l: { kind: 'lost', reason: 'the connection broke' },
	s: { kind: 'lost', status: 500, reason: 'the service failed' },
	/** No connection: for a while, and for good. */
	d: { kind: 'unreachable', reason: 'the connection was refused', isTransient: true },
	u: { kind: 'unreachable', reason: 'its certificate is self-signed' },
	/** A throttled call, with a pause of a second and without one. */
	t: { kind: 'throttled', status: 429, reason: 'too fast', retryAfterMs: 1_000 },
	o: { kind: 'throttled', status: 429, reason: 'too fast' },
} as const satisfies Record<string, Reply>;

export const { a: YES, l: LOST, d: DEAD, t: SLOWER, k: WRONG_KEY } = REPLIES;

/** A service that replies by letters, the last one again and again: `dda` connects at the third try. */
export const by = (letters: string) => (_: ServiceRequest, nth: number) =>
	REPLIES[letters[Math.min(nth, letters.length - 1)] as keyof typeof REPLIES];
