import type { LocalAnswer, Refusal } from './operation';
import type { Job } from './talk';

/** Why an item has no answer. Failures are plain values; errors.ts alone turns them into n8n errors. */
export interface Failure {
	cause:
		| 'budget'
		| 'credits'
		| 'lost'
		| 'malformed'
		| 'misconfigured'
		| 'noCredential'
		| 'notSent'
		| 'parameter'
		| 'refused'
		| 'throttled'
		| 'unfinished'
		| 'unreachable';
	/** What happened, as a sentence without its full stop. */
	reason: string;
	/** `account`: every further paid call of this run would fail alike, so none is made. */
	scope: 'account' | 'question';
	/** HTTP status, where there was one. */
	status?: number;
	/** Whether a call of it may have been charged, although it brought no answer. */
	mayHaveCost?: boolean;
	/** Whether earlier calls for the same question were answered, and so paid for. */
	paidBefore?: boolean;
	/** Whether only a call that prepares the deed was made: nothing was done yet. */
	isPreliminary?: true;
	/** The service's last word on the question, also where it came out of a job. */
	isFinal?: true;
	/** What the operation read in the reply, where it refused. */
	refusal?: Refusal;
	/** How long the service wants to be left alone, in milliseconds. */
	retryAfterMs?: number;
	/** Jobs that were paid for before this went wrong. */
	jobs?: Job[];
}

/** The failure of an item whose parameters cannot be asked. */
export function parameterFailure(reason: string): Failure {
	return { cause: 'parameter', reason, scope: 'question' };
}

/** The failure of an item that its own local answer condemns. */
export function localFailure({ local, field, reason }: LocalAnswer): Failure {
	return {
		cause: local === 'parameter' ? 'parameter' : 'malformed',
		reason: `${field} ${reason}`,
		scope: 'question',
	};
}

/** The failure of an item that was not asked, because of the failure of another. */
export function notSent(because: Failure): Failure {
	if (because.cause === 'notSent') return because;
	const { reason, scope } = because;
	return { cause: 'notSent', reason: `it was not sent, because ${reason}`, scope };
}

/** The failure of whatever the stopped execution would have done next. */
export const STOPPED: Failure = {
	cause: 'notSent',
	reason: 'it was not sent, because the execution was stopped',
	scope: 'account',
};

/** HTTP statuses that speak of the account whatever the body: 401 and 402 (SPEC §7, email). */
export const ACCOUNT_STATUSES = new Set([401, 402]);

/** HTTP statuses of a request that was too large to be read: body, URL or headers (RFC 9110 §15.5, RFC 6585 §5). */
export const UNREAD_STATUSES = new Set([413, 414, 431]);

/** "1.5 minutes", for the reason of a failure. */
export function inMinutes(ms: number): string {
	const minutes = Math.round(ms / 6_000) / 10;
	return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}
