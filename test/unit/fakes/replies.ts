import type { IDataObject } from 'n8n-workflow';
import {
	type FailureOf,
	type Reply,
	type ReplyHead,
	type ServiceRequest,
	lostFailure,
} from '../../engine';

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

const SELF_SIGNED: FailureOf<'unreachable'> = {
	...{ cause: 'unreachable', scope: 'question', reason: 'its certificate is self-signed' },
};
export const TOO_FAST: FailureOf<'throttled'> = {
	...{ cause: 'throttled', scope: 'question', status: 429, reason: 'too fast' },
};

/** Replies by a letter each. */
const REPLIES = {
	/** An answer. */
	a: ok({ status: true, a: 1 }),
	/** A refusal of the question, and of the account. */
	r: httpError(422, { error: 'no such mailbox' }),
	k: httpError(401),
	/** A lost reply, and a failure of the server. */
	l: lostFailure('the connection broke'),
	s: lostFailure('the service failed', 500),
	/** No connection: for a while, and for good. */
	d: { ...SELF_SIGNED, reason: 'the connection was refused', isTransient: true },
	u: SELF_SIGNED,
	/** A throttled call, with a pause of a second and without one. */
	t: { ...TOO_FAST, retryAfterMs: 1_000 },
	o: TOO_FAST,
} as const satisfies Record<string, Reply>;

/** The credential has no usable URL. */
export const NO_URL: Reply = { cause: 'misconfigured', scope: 'account', reason: 'no URL' };
export const { a: YES, l: LOST, d: DEAD, t: SLOWER, k: WRONG_KEY } = REPLIES;

/** A service that replies by letters, the last one again and again: `dda` connects at the third try. */
export const by = (letters: string) => (_: ServiceRequest, nth: number) =>
	REPLIES[letters[Math.min(nth, letters.length - 1)] as keyof typeof REPLIES];
