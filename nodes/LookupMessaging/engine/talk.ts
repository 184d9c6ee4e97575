import type { IDataObject } from 'n8n-workflow';
import type { Failure } from './failure';
import type { WindowReport } from './governor';
import type {
	Answer,
	AnswerRecord,
	Credits,
	Operation,
	Refusal,
	ServiceRequest,
} from './operation';

/**
 * How an operation of several calls is written: as a generator that yields what it wants done and is handed what came of
 * it. It sees no network and no clock, so a test can lead the other side of the talk.
 */

/** What a reply says beside its body. */
export interface ReplyHead {
	status: number;
	headers: Record<string, string>;
}

/** One call, and how to read its answer. A refusal that `read` finds ends the talk, unless the exchange is tolerant. */
export interface Exchange<Result> {
	request: ServiceRequest;
	/** Left out by free calls only. */
	credits?: Credits;
	read: (body: IDataObject, head: ReplyHead) => Refusal | Result;
	/** Longest wait for the reply, where it is not the user's Timeout. */
	timeoutMs?: number;
	/** What an answer tells of the rate-limit window of its endpoint (SPEC §8). */
	window?: (body: IDataObject) => WindowReport | undefined;
	/** It is not sent again, whatever happens: the talk itself does that, or nobody needs to. */
	isSentOnce?: true;
	/** What it asks about changes with time, so its answer is never remembered. */
	isFleeting?: true;
	/** The same request has the same answer for the length of a run, so it is made once, whichever talk wants it. */
	isRepeatable?: true;
	/** The call only prepares what the operation does, such as a check before a message. */
	isPreliminary?: true;
	/** Hands a failure to the talk instead of ending it: any, or those that it says. */
	isTolerant?: boolean | ((failure: Failure) => boolean);
}

/** A job that the service has started and charged for, and how its user can come back to it. */
export interface Job {
	/** What it is: "batch". */
	noun: string;
	id: string;
	/** The operation that gets it again, as the editor names it. */
	resume: string;
	/** Present where SPEC does not say that getting it again is free. */
	resumeCost?: 'not stated';
}

/** A question that a talk has another operation answer, one that is repeatable: whoever asks the same shares its answer. */
export interface Consultation {
	operation: Operation<unknown>;
	/** As the operation's own `prepare` makes it. */
	question: unknown;
}

/** What the other operation answered. */
export interface Consulted {
	answer: Answer;
	/** The reply body, or what the answer shows of it. */
	response: IDataObject;
	source: 'duplicate' | 'memory' | 'service';
}

/** What a talk wants done next. */
export type Step =
	| { consult: Consultation[] }
	| { exchange: Exchange<unknown> }
	| { job: Job }
	| { waitMs: number; note?: string };

export type Talk<Result> = Generator<Step, Result, unknown>;

/** What a tolerant exchange may bring instead of its result. */
export interface Failed {
	failure: Failure;
	/** The failure of a consultation in sentences, for whoever reads the result. */
	words?: string;
	/** What an unknown item shows of it beside the reason, such as the parts that were answered. */
	record?: AnswerRecord;
}

/** Makes a call. The talk ends here if the call fails or is refused. */
export function* exchange<Result>(call: Exchange<Result>): Talk<Exclude<Result, Refusal>> {
	// The engine hands back what this call's own `read` made of the reply
	return (yield { exchange: call }) as Exclude<Result, Refusal>;
}

/**
 * Makes a call whose failure the talk goes on with.
 * @param isTolerant which failures that is true of; all unless given
 */
export function* tryExchange<Result>(
	call: Exchange<Result>,
	isTolerant: Exchange<Result>['isTolerant'] = true,
): Talk<Exclude<Result, Refusal> | Failed> {
	return (yield { exchange: { ...call, isTolerant } }) as Exclude<Result, Refusal> | Failed;
}

/**
 * Has other operations answer, all at the same time. What fails is the talk's to deal with.
 * @returns what came of each, in their order
 */
export function* consult(consultations: Consultation[]): Talk<Array<Consulted | Failed>> {
	return (yield { consult: consultations }) as Array<Consulted | Failed>;
}

/**
 * Waits. The talk ends here when the user's Max Wait is over or the execution is stopped.
 * @param note what to say of the job if it ends here, as a clause: "its status is …"
 */
export function* wait(waitMs: number, note?: string): Talk<void> {
	yield { waitMs, note };
}

/** Reports a job that was paid for: it is logged, and named by whatever may fail later on. */
export function* report(job: Job): Talk<void> {
	yield { job };
}

/** Whether a tolerant exchange failed. */
export function isFailed(result: unknown): result is Failed {
	return typeof result === 'object' && result !== null && 'failure' in result;
}

/** Whether a failure of the exchange is the talk's to deal with. */
export function tolerates({ isTolerant }: Exchange<unknown>, failure: Failure): boolean {
	return typeof isTolerant === 'function' ? isTolerant(failure) : isTolerant === true;
}
