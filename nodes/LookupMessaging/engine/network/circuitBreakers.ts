import type { ServiceRequest } from '../client';
import type { Answer, Failure, Result } from '../results';
import type { LostInARow } from '../billing/ledger';
import { Flights, Gate } from '../gate';
import { isLost } from '../operation';
import { inShort, textOf } from '../plan/values';
import {
	ACCOUNT_STATUSES,
	GAP,
	isAboutPath,
	isGone,
	plain,
	refuses,
	withoutAsked,
} from '../refusals/refusal';
import { isExpected, isNotRetried, type Call, type Layer, type Place, type Send } from './layers';
import { LOST_REASONS } from './networkErrors';
import { affirms, notSent, refusalFailure } from './reply';

/** After this many calls without an answer in a row, the paid calls of an operation stop. */
const MAX_LOST = 10;
/** So many first calls of a run to one endpoint that all fail alike end the run, whatever the words of the service. */
export const FAILURES_ALIKE = 10;

/**
 * The circuit breakers of a run, one per operation: without credits for one kind of lookup, the others still work. The breaker of
 * the run's main operation stops all calls. An open breaker stays open, since a run cannot fix its account. The next steps of a
 * task that has paid for something still go through.
 *
 * docs/ARCHITECTURE.md has the rules that open one (`aroundCall`). A reply that this package could not process counts as lost, since
 * its paid result is, and so does HTTP 404 without more words, since the path may be gone.
 */
export class CircuitBreakers {
	private readonly open = new Map<object | undefined, Failure>();
	private readonly firstTo = new Map<string, FirstCalls>();
	/** The calls that are made alone. */
	private readonly alone = new Flights<object | undefined>();

	/**
	 * @param stopsAtAnyFailure whether any failure of the main operation opens its breaker (Stop at the First Failure)
	 * @param lostInARow unanswered calls by operation, over all runs of the execution
	 */
	constructor(
		private readonly main: object,
		private readonly stopsAtAnyFailure: boolean,
		private readonly lostInARow: LostInARow = new Map(),
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

	/** Stops and watches calls, each with all its tries. */
	readonly aroundCall: Layer = (next) => async (call) => {
		const send: Send = async (one) => await this.sendUnlessOpen(one, next);
		const { breaker, endpoint } = call;
		if (!endpoint.credits) return await send(call);
		if (!this.mustBeAlone(breaker)) return await this.sendPaid(call, send);
		// What the one before it has shown may let all go
		const namesOf = () => (this.mustBeAlone(breaker) ? [breaker] : []);
		const sendOne = async () => [await this.sendPaid(call, send)];
		return (await this.alone.once([call], { namesOf }, sendOne))[0];
	};

	/** Stops each try, since a breaker may have opened while it was queued, and opens it at once after one that is not repeated. */
	readonly aroundTry: Layer = (next) => async (call) =>
		await this.sendUnlessOpen(call, next, isNotRetried);

	private async sendUnlessOpen(call: Call, next: Send, isCounted?: typeof isNotRetried) {
		const reason = call.isNextStep ? undefined : this.openedBy(call.breaker);
		if (reason) return { failure: notSent(reason) };
		const result = await next(call);
		if ('failure' in result && (isCounted?.(result, call) ?? true))
			this.record(call, result.failure);
		return result;
	}

	private async sendPaid(call: Call, send: Send): Promise<Result> {
		const first = call.isNextStep ? undefined : (call.place ?? (await this.admit(call.request)));
		let result: Result | undefined;
		try {
			result = await send(call);
			return result;
		} finally {
			const failure = result && 'failure' in result ? result.failure : undefined;
			const told = failure ?? (result && unclearIn(call, result));
			const keyOf = () => told && result && failureKeyOf(call, told, bodyAsKey(result));
			if (first?.end(keyOf) && told) {
				const reason = `the first ${FAILURES_ALIKE} calls all failed in the same way: ${told.reason}`;
				const ofAll = notSent({ ...told, reason, scope: 'account' });
				this.recordFailure(call.breaker, { ...ofAll, after: 'firstCalls' });
			}
			if (result) this.countLost(call, failure);
		}
	}

	/** Waits until a call may be one of the first to its endpoint, or those are over. It has to be ended or given back. */
	async admit({ service, method, path }: ServiceRequest): Promise<Place> {
		const name = `${method} ${service} ${path}`;
		const first = this.firstTo.get(name) ?? new FirstCalls();
		this.firstTo.set(name, first);
		return await first.admit();
	}

	private mustBeAlone(operation: object | undefined): boolean {
		return (this.lostInARow.get(operation) ?? 0) >= MAX_LOST;
	}

	private countLost({ breaker, endpoint, isLookup }: Call, failure: Failure | undefined) {
		// Pages may be gone one after the other
		const isWithoutPath = failure && !endpoint.quotesOthers && isAboutPath(failure);
		if (failure && (isWithoutPath || isLost(failure))) {
			this.lostInARow.set(breaker, (this.lostInARow.get(breaker) ?? 0) + 1);
			if (!this.mustBeAlone(breaker)) return;
			const reason = `the last ${MAX_LOST} calls got no answer and may have been charged`;
			this.recordFailure(breaker, { ...failure, reason, scope: 'account' });
		} else if (!isLookup && (!failure || failure.cause === 'refused'))
			this.lostInARow.delete(breaker);
	}
}

class FirstCalls {
	private readonly gate = new Gate();
	private admitted = 0;
	private alike = 0;
	private failureKey?: string;
	private isOpen = false;

	/** Resolves when the call may start. */
	async admit(): Promise<Place> {
		await this.gate.pass(() => {
			if (!this.isOpen && this.admitted >= FAILURES_ALIKE) return false;
			this.admitted += 1;
			return true;
		});
		let isTaken = true;
		const giveBack = () => {
			if (isTaken) this.admitted -= 1;
			this.gate.changed();
		};
		const end: Place['end'] = (keyOf) => {
			isTaken = false;
			return this.end(keyOf);
		};
		return { end, giveBack };
	}

	/**
	 * Ends a call. After the last of the first calls, or the first that differs, waiting calls may start.
	 * @param keyOf returns the same text for failures that are alike, and undefined for all other results
	 * @returns whether the run ends, since this was the last of the first calls and all failed alike
	 */
	private end(keyOf: () => string | undefined): boolean {
		if (this.isOpen) return false;
		const failureKey = keyOf();
		const isAlike = failureKey !== undefined && failureKey === (this.failureKey ?? failureKey);
		this.failureKey = failureKey;
		this.alike += 1;
		const endsRun = isAlike && this.alike === FAILURES_ALIKE;
		this.isOpen = !isAlike || endsRun;
		if (this.isOpen) this.gate.changed();
		return endsRun;
	}
}

/**
 * An answer that says neither yes nor no, or that the call failed, as a failure. Of pages, and in words for a missing value, it may
 * be right.
 */
function unclearIn({ endpoint, request }: Call, result: Result): Failure | undefined {
	if ('failure' in result || endpoint.quotesOthers) return undefined;
	const answer = (result.value ?? {}) as Partial<Answer>;
	if (answer.outcome !== 'unknown' || answer.isRefunded) return undefined;
	const { isUnclear, reason = '' } = answer;
	const isFailed = () => refuses(result.body) && !isGone(withoutAsked(reason, request));
	return isUnclear || isFailed() ? refusalFailure(reason, 'question') : undefined;
}

/** Longest body that is compared. */
const MAX_CHARACTERS = 10_000;

/**
 * What equal answers have in common beside their words: nothing, or the whole body of one that has fields of an answer and whose call
 * succeeded in the service's words. It names what was asked, so it is the same only where a cache or a stub answers.
 */
function bodyAsKey(result: Result): string | undefined {
	if ('failure' in result || !affirms(result.body)) return '';
	if ((result.value as Partial<Answer> | undefined)?.isAsItCame) return '';
	return (result.size ?? 0) > MAX_CHARACTERS ? undefined : textOf(result.body);
}

/** A word with its hyphens. If it has a digit, it may be the ID of a request or a time, which differ from call to call. */
const HYPHENATED = /[\p{L}\p{N}-]+/gu;
const HAS_DIGIT = /\p{N}/u;
/** What may be such an ID without a digit: a word with a capital inside, and what stands after "id". */
const HAS_CAPITAL = /\p{Ll}\p{Lu}/u;
const AFTER_ID = /(?<=\bid["']?[:=#\s]["'\s]?)[\w-]+/gi;

/**
 * A text that is the same for failures of one kind: the HTTP status, and the words without digits and without the values of the
 * question. Undefined for calls that were not sent, and for a missing page or job.
 */
function failureKeyOf(call: Call, failure: Failure, body: string | undefined): string | undefined {
	if (body === undefined || isExpected(call, failure)) return undefined;
	const { endpoint, request } = call;
	const { cause, status, reason, refusal } = failure;
	if (reason === LOST_REASONS.ERR_CANCELED) return undefined;
	if (cause !== 'refused' && !isLost(failure)) return undefined;
	if (endpoint.quotesOthers && refusal && isGone(withoutAsked(refusal.reason, request)))
		return undefined;
	const said = inShort(refusal?.reason ?? reason);
	const named = said.match(AFTER_ID) ?? [];
	const mixed = (said.match(HYPHENATED) ?? []).filter((word) => HAS_CAPITAL.test(word));
	const ids = new Set([...named, ...mixed].flatMap((id) => plain(id).split(' ')));
	const masked = (word: string) => (HAS_DIGIT.test(word) || ids.has(word) ? GAP : word);
	const common = withoutAsked(said, request).replace(HYPHENATED, masked);
	return JSON.stringify([cause, status, common, body]);
}
