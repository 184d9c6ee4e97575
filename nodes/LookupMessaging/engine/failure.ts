import type { LocalAnswer } from './operation';

/** Why an item has no answer. Failures are plain values; errors.ts alone turns them into n8n errors. */
export interface Failure {
	cause:
		| 'lost'
		| 'malformed'
		| 'misconfigured'
		| 'notSent'
		| 'parameter'
		| 'refused'
		| 'throttled'
		| 'unreachable';
	/** What happened, as a sentence without its full stop. */
	reason: string;
	/** `account`: every further paid call of this run would fail alike, so none is made. */
	scope: 'account' | 'question';
	/** HTTP status, where there was one. */
	status?: number;
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

/** The failure of an item that was not asked, because of another item's failure or because the run was stopped. */
export function notSent(because: Pick<Failure, 'reason' | 'scope'>): Failure {
	return {
		cause: 'notSent',
		reason: `it was not sent, because ${because.reason}`,
		scope: because.scope,
	};
}
