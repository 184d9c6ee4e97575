import type { Failed, Failure } from '../results';
import type { LostInARow } from '../billing/ledger';
import { Flights, Gate } from '../gate';
import { isLost } from '../operation';
import { ACCOUNT_STATUSES, GAP, isAboutPath, isGone, withoutAsked } from '../refusals/refusal';
import { isExpected, type Call, type Layer, type Send } from './layers';
import { notSent } from './reply';

/** The layers that end a run whose further calls would fail like the earlier ones. */

/**
 * The circuit breakers of a run, one per operation: without credits for one kind of lookup, the others still work. The breaker of
 * the run's main operation stops all calls. An open breaker stays open, since a run cannot fix its account.
 */
export class CircuitBreakers {
	private readonly open = new Map<object | undefined, Failure>();

	/** @param stopsAtAnyFailure whether any failure of the main operation opens its breaker (Stop at the First Failure) */
	constructor(
		private readonly main: object,
		private readonly stopsAtAnyFailure: boolean,
	) {}

	/** The failure that stops calls of the operation; undefined if they may start. */
	openedBy(operation: object | undefined): Failure | undefined {
		return this.open.get(this.main) ?? this.open.get(operation);
	}

	/** Records a failed call, unless its operation handles the failure. */
	record(call: Call, failure: Failure) {
		const { breaker, endpoint } = call;
		const { refusal, status = 0 } = failure;
		const isOfAccount = refusal?.scope === 'account' || ACCOUNT_STATUSES.has(status);
		// An expected failure counts only if it is about the account, and if the HTTP status is not the answer itself
		if (isExpected(call, failure) && (endpoint.request.takesAnyBody || !isOfAccount)) return;
		this.recordFailure(breaker, failure);
	}

	/**
	 * Records the failure of a question.
	 * @param mayBeOfLookup whether it may belong to another operation, which has its own breaker
	 */
	recordFailure(operation: object | undefined, failure: Failure, mayBeOfLookup = false) {
		const stops = operation === this.main && this.stopsAtAnyFailure;
		if (!stops && (failure.scope !== 'account' || mayBeOfLookup)) return;
		if (!this.open.has(operation)) this.open.set(operation, failure);
	}
}

/**
 * Stops calls that would fail like an earlier one. The next steps of a task that has paid for something still go through.
 * @param counts which failures to record; all by default
 */
export function circuitBreaker(
	breakers: CircuitBreakers,
	counts: (failed: Failed, call: Call) => boolean = () => true,
): Layer {
	return (next) => async (call) => {
		const reason = call.isNextStep ? undefined : breakers.openedBy(call.breaker);
		if (reason) return { failure: notSent(reason) };
		const result = await next(call);
		if ('failure' in result && counts(result, call)) breakers.record(call, result.failure);
		return result;
	};
}

/** After this many calls without an answer in a row, the paid calls of an operation stop. */
const MAX_LOST = 10;

/**
 * Stops the paid calls of an operation after too many calls in a row without an answer, in the order in which they end: a failing
 * service may charge for each of them. A reply that this package could not process counts too, since its paid result is lost, and
 * so does HTTP 404 without more words, since the path may be gone. Any other reply shows that the service works.
 * @param inARow unanswered calls by operation. It outlives the run: after too many, a later run first makes one call alone
 */
export function lostReplies(breakers: CircuitBreakers, inARow: LostInARow): Layer {
	const alone = new Flights<object | undefined>();
	const lostBy = ({ breaker }: Call) => inARow.get(breaker) ?? 0;
	const send = async (call: Call, next: Send) => {
		const result = await next(call);
		const failure = 'failure' in result ? result.failure : undefined;
		// Pages may be gone one after the other
		const isWithoutPath = failure && !call.endpoint.quotesOthers && isAboutPath(failure);
		if (failure && (isWithoutPath || isLost(failure))) {
			inARow.set(call.breaker, lostBy(call) + 1);
			if (lostBy(call) >= MAX_LOST) {
				const reason = `the last ${MAX_LOST} calls got no answer and may have been charged`;
				breakers.recordFailure(call.breaker, { ...failure, reason, scope: 'account' });
			}
		} else if (!failure || failure.cause === 'refused') inARow.delete(call.breaker);
		return result;
	};
	return (next) => async (call) => {
		const { breaker, endpoint } = call;
		if (!endpoint.credits) return await next(call);
		while (lostBy(call) >= MAX_LOST && alone.of(breaker)) await alone.of(breaker)?.isOver;
		if (lostBy(call) < MAX_LOST) return await send(call, next);
		return await alone.under([breaker], async () => await send(call, next));
	};
}

/** So many first calls of a run to one endpoint that all fail alike end the run, whatever the words of the service. */
export const FAILURES_ALIKE = 10;

/**
 * Ends a run whose first paid calls to an endpoint all fail alike. Until one of them is answered or fails in another way, only
 * these calls are made.
 */
export function firstCalls(breakers: CircuitBreakers): Layer {
	const endpoints = new Map<string, FirstCalls>();
	return (next) => async (call) => {
		const { service, method, path } = call.request;
		if (!call.endpoint.credits || call.isNextStep) return await next(call);
		const name = `${method} ${service} ${path}`;
		const first = endpoints.get(name) ?? new FirstCalls();
		endpoints.set(name, first);
		await first.admit();
		let failure: Failure | undefined;
		let failureKey: string | undefined;
		try {
			const result = await next(call);
			if ('failure' in result) failure = result.failure;
			failureKey = failureKeyOf(call, failure);
			return result;
		} finally {
			if (first.end(failureKey) && failure) {
				const reason = `the first ${FAILURES_ALIKE} calls all failed in the same way: ${failure.reason}`;
				const ofAll = { ...failure, reason, scope: 'account', isOfFirstCalls: true } as const;
				breakers.recordFailure(call.breaker, ofAll);
			}
		}
	};
}

/** The first calls of a run to one endpoint. */
class FirstCalls {
	private readonly gate = new Gate();
	private admitted = 0;
	private alike = 0;
	private failureKey?: string;
	private isOpen = false;

	/** Resolves when the call may start. Each admitted call must call `end`. */
	async admit(): Promise<void> {
		await this.gate.pass(() => {
			if (!this.isOpen && this.admitted >= FAILURES_ALIKE) return false;
			this.admitted += 1;
			return true;
		});
	}

	/**
	 * Ends a call. After the last of the first calls, or the first that differs, waiting calls may start.
	 * @param failureKey the same text for failures that are alike; undefined for all other results
	 * @returns whether the run ends, since this was the last of the first calls and all failed alike
	 */
	end(failureKey: string | undefined): boolean {
		if (this.isOpen) return false;
		const isAlike = failureKey !== undefined && failureKey === (this.failureKey ?? failureKey);
		this.failureKey = failureKey;
		this.alike += 1;
		const endsRun = isAlike && this.alike === FAILURES_ALIKE;
		this.isOpen = !isAlike || endsRun;
		if (this.isOpen) this.gate.changed();
		return endsRun;
	}
}

/** A word with its hyphens. If it has a digit, it may be the ID of a request or a time, which differ from call to call. */
const HYPHENATED = /[\p{L}\p{N}-]+/gu;
const HAS_DIGIT = /\p{N}/u;

/**
 * A text that is the same for failures of one kind: the HTTP status, and the words without digits and without the values of the
 * question. Undefined for answers, for calls that were not sent, and for a missing page or job.
 */
function failureKeyOf(call: Call, failure: Failure | undefined): string | undefined {
	if (!failure || isExpected(call, failure)) return undefined;
	const { endpoint, request } = call;
	const { cause, status, reason, refusal } = failure;
	if (cause !== 'refused' && !isLost(failure)) return undefined;
	if (endpoint.quotesOthers && refusal && isGone(withoutAsked(refusal.reason, request)))
		return undefined;
	const words = withoutAsked(refusal?.reason ?? reason, request);
	const common = words.replace(HYPHENATED, (word) => (HAS_DIGIT.test(word) ? GAP : word));
	return JSON.stringify([cause, status, common]);
}
