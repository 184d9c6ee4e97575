import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../LookupMessaging/engine/client';
import type { Answer, Failure, Outcome, Refusal } from '../LookupMessaging/engine/results';
import {
	isRefusal,
	type AnyOperation,
	type LocalAnswer,
} from '../LookupMessaging/engine/operation';
import { isAboutMissingPath } from '../LookupMessaging/engine/refusals/refusal';
import { readAuditId } from '../LookupMessaging/operations/audit/auditFields';
import { getAudit } from '../LookupMessaging/operations/audit/get';
import { pollOf as pollOfAudit } from '../LookupMessaging/operations/audit/job';
import { batchAnswer, getBatch, readBatchId } from '../LookupMessaging/operations/batch/get';
import {
	oddStatus,
	pollOf as pollOfBatch,
	stateOf,
	type Batch,
} from '../LookupMessaging/operations/batch/job';
import { rowsMissing } from '../LookupMessaging/operations/batch/lateRows';
import { isUnknown, type JobState } from '../LookupMessaging/operations/shared/jobState';
import { UNKNOWN_WORDS } from '../LookupMessaging/operations/shared/polling';
import { quote } from '../LookupMessaging/engine/plan/values';

/** The jobs that the trigger can wait for. A job check sends and reads the same as the action node's Get. */

export interface JobStatus {
	state: JobState;
	answer: Answer;
	/** The outcome of the answer, if Get accepts one under an HTTP error too: an audit that is still running. */
	outcome?: Outcome;
	/** The progress of the job, as a clause: "its status is …". */
	progress: string;
	/** Results that were paid for and may still come, although the job is finished. */
	missing?: number;
	/** The job is finished, without results that this node knows as such. They may come later. */
	isBare?: boolean;
	/** A warning as a clause: a batch failed, or a status is unknown. */
	odd?: string;
}

export interface CheckOptions {
	/** Whether the answer has a row for each result. */
	asRows: boolean;
	finishedWords: string[];
}

export interface JobKind {
	noun: 'audit' | 'batch';
	/** The operation of the action node that makes the items of a job. */
	operation: AnyOperation;
	idField: string;
	readId: (value: unknown) => LocalAnswer | string;
	statusEndpoint: (id: string, options: CheckOptions) => Endpoint<JobStatus | Refusal>;
	/** Whether SPEC says that a check is free. */
	isFree: boolean;
}

export const JOB_KINDS: Record<string, JobKind> = {
	batch: {
		noun: 'batch',
		operation: getBatch,
		idField: 'batchId',
		readId: readBatchId,
		isFree: true,
		statusEndpoint: (id, { asRows }) =>
			reading(pollOfBatch(id), (batch) => ({
				state: stateOf(batch),
				answer: batchAnswer({ ...batch, id }, asRows),
				progress: progressOf(batch),
				missing: asRows && stateOf(batch) === 'finished' ? rowsMissing(batch) : 0,
				odd: oddStatus(batch),
			})),
	},
	audit: {
		noun: 'audit',
		operation: getAudit,
		idField: 'auditId',
		readId: readAuditId,
		isFree: false,
		statusEndpoint: (id, { finishedWords }) =>
			reading(pollOfAudit(id, finishedWords), ({ answer, isBare }, body) => ({
				state: STATES[answer.outcome],
				outcome: answer.outcome,
				answer: { ...answer, response: body },
				progress: [answer.reason, percent(answer)].filter((part) => part).join(', '),
				isBare,
				odd: hasUnknownWord(answer, finishedWords) ? answer.reason : undefined,
			})),
	},
};

const STATES: Record<Outcome, JobState> = {
	positive: 'finished',
	negative: 'failed',
	unknown: 'running',
};

function hasUnknownWord({ outcome, record: { status } }: Answer, finishedWords: string[]): boolean {
	return outcome === 'unknown' && typeof status === 'string' && isUnknown(status, finishedWords);
}

/** The name of a job among all that the trigger remembers. */
export function nameOf({ noun }: JobKind, id: string): string {
	return `${noun}:${id}`;
}

/** Words for the job itself. */
const JOB_WORDS = /batch|audit|job|task|report/i;

/** Whether a refusal certainly says that there is no such job. In doubt the job is checked again. */
export function isUnknownJob({ cause, refusal }: Failure): boolean {
	if (cause !== 'refused' || refusal?.scope !== 'question') return false;
	const { reason } = refusal;
	const isNoJob = UNKNOWN_WORDS.test(reason) || /access denied/i.test(reason);
	return isNoJob && JOB_WORDS.test(reason) && !isAboutMissingPath(reason);
}

/** The same endpoint, with the status of the job as its result. */
function reading<Result>(
	endpoint: Endpoint<Result>,
	statusOf: (result: Exclude<Result, Refusal>, body: IDataObject) => JobStatus,
): Endpoint<JobStatus | Refusal> {
	return {
		...endpoint,
		read: (body, head) => {
			const result = endpoint.read(body, head);
			return isRefusal(result) ? result : statusOf(result as Exclude<Result, Refusal>, body);
		},
	};
}

function progressOf({ status, total, body }: Batch): string {
	const done = typeof body.completed === 'number' ? body.completed : undefined;
	const counts =
		done === undefined || !(total > 0) ? '' : `, with ${done} of ${total} numbers done`;
	const odd = isUnknown(status, ['completed']) ? ", which this node doesn't know" : '';
	return `its status is ${quote(status)}${odd}${counts}`;
}

function percent({ record }: Answer): string {
	return typeof record.progress === 'number' ? `${record.progress} % done` : '';
}
