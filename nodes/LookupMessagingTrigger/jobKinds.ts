import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../LookupMessaging/engine/failure';
import { localFailure } from '../LookupMessaging/engine/failure';
import { speaksOfPath } from '../LookupMessaging/engine/judge';
import {
	isRefusal,
	type Answer,
	type AnyOperation,
	type LocalAnswer,
	type Outcome,
	type Refusal,
} from '../LookupMessaging/engine/operation';
import type { Exchange } from '../LookupMessaging/engine/talk';
import { readAuditId } from '../LookupMessaging/operations/audit/auditFields';
import { getAudit } from '../LookupMessaging/operations/audit/get';
import { pollOf as pollOfAudit } from '../LookupMessaging/operations/audit/job';
import { stateOfWord, type AuditState } from '../LookupMessaging/operations/audit/state';
import { batchAnswer, getBatch, readBatchId } from '../LookupMessaging/operations/batch/get';
import {
	isFinished,
	pollOf as pollOfBatch,
	type Batch,
} from '../LookupMessaging/operations/batch/job';
import { quote } from '../LookupMessaging/operations/shared/text';

/** The jobs that the trigger can wait for. A look at one is what the action node's Get sends and reads. */

/** How far a job is; `failed` is over too, without results. */
export type JobState = AuditState;

/** What a look at a job shows. */
export interface JobLook {
	state: JobState;
	/** What Get answers. */
	answer: Answer;
	/** How far it is, as a clause: "its status is …". */
	progress: string;
}

export interface LookOptions {
	/** Whether the answer has a row for each result. */
	asRows: boolean;
	finishedWords: string[];
}

/** A kind of job. */
export interface JobKind {
	noun: 'audit' | 'batch';
	/** The operation of the action node whose output a job comes out as. */
	operation: AnyOperation;
	/** Its field that holds the ID. */
	idField: string;
	readId: (value: unknown) => LocalAnswer | string;
	lookAt: (id: string, options: LookOptions) => Exchange<JobLook | Refusal>;
	/** Whether SPEC says that a look is free. */
	isFree: boolean;
}

export const JOB_KINDS: Record<string, JobKind> = {
	batch: {
		noun: 'batch',
		operation: getBatch,
		idField: 'batchId',
		readId: readBatchId,
		isFree: true,
		lookAt: (id, { asRows }) =>
			reading(pollOfBatch(id), (batch) => ({
				state: isFinished(batch) ? 'finished' : stateOfWord(batch.status, []),
				answer: batchAnswer({ ...batch, id }, asRows),
				progress: progressOf(batch),
			})),
	},
	audit: {
		noun: 'audit',
		operation: getAudit,
		idField: 'auditId',
		readId: readAuditId,
		isFree: false,
		lookAt: (id, { finishedWords }) =>
			reading(pollOfAudit(id, finishedWords), (answer, body) => ({
				state: STATES[answer.outcome],
				answer: { ...answer, response: body },
				progress: [answer.reason, percent(answer)].filter((part) => part).join(', '),
			})),
	},
};

const STATES: Record<Outcome, JobState> = {
	positive: 'finished',
	negative: 'failed',
	unknown: 'running',
};

/** What identifies a job among all that the trigger remembers. */
export function nameOf({ noun }: JobKind, id: string): string {
	return `${noun}:${id}`;
}

/** The failure of an ID that cannot be one. */
export function badIdFailure(local: LocalAnswer): Failure {
	return localFailure({ ...local, local: 'parameter' });
}

/** Words of a service that has no such job, or not for this key (SPEC §7), and what they have to be about. */
const UNKNOWN_WORDS =
	/not found|no such|unknown|not (?:exist|known)|n[o']t exist|no longer exists|access denied|invalid (?:batch|audit|job)/i;
const JOB_WORDS = /batch|audit|job|task|report/i;

/**
 * Whether a refusal says that there is no such job. Anything less certain is no reason to give a job up: it may be emitted
 * later.
 */
export function isUnknownJob({ cause, refusal }: Failure): boolean {
	if (cause !== 'refused' || refusal?.refused !== 'question') return false;
	const { reason } = refusal;
	return UNKNOWN_WORDS.test(reason) && JOB_WORDS.test(reason) && !speaksOfPath(reason);
}

/** A look that goes wrong for what is wrong with the URL, and so would every other. */
export function isAboutPath({ status, refusal }: Failure): boolean {
	const isNoPath = status === 404 || status === 405;
	return isNoPath && (refusal === undefined || speaksOfPath(refusal.reason));
}

/** The same exchange, with more made of what it reads. */
function reading<Result>(
	exchange: Exchange<Result>,
	look: (result: Exclude<Result, Refusal>, body: IDataObject) => JobLook,
): Exchange<JobLook | Refusal> {
	return {
		...exchange,
		read: (body, head) => {
			const result = exchange.read(body, head);
			return isRefusal(result) ? result : look(result as Exclude<Result, Refusal>, body);
		},
	};
}

function progressOf({ status, total, body }: Batch): string {
	const done = typeof body.completed === 'number' ? body.completed : undefined;
	const counts =
		done === undefined || !(total > 0) ? '' : `, with ${done} of ${total} numbers done`;
	return `its status is ${quote(status)}${counts}`;
}

function percent({ record }: Answer): string {
	return typeof record.progress === 'number' ? `${record.progress} % done` : '';
}
