import type { IDataObject } from 'n8n-workflow';
import type { Client, Credits, Endpoint, ReplyHead } from '../../engine/client';
import type { DecisionTable } from '../../engine/operation';
import type { Failed, Refusal } from '../../engine/results';
import {
	batchPaceMs,
	pollUntilFinished,
	saysLater,
	startJob,
	UNKNOWN_WORDS,
} from '../shared/polling';
import type { AskedNumber } from '../shared/phone/phoneNumber';
import { inShort, isEmpty, isObject, numberIn, quote, textOf } from '../../engine/plan/values';
import {
	IS_ABOUT_ACCOUNT,
	IS_HTTP_ERROR,
	isSame,
	REFUSES,
	rowFor,
	that,
} from '../shared/decisions';
import { failedIn, objectsAt } from '../shared/replyWords';
import { jobIdAmong } from '../shared/jobId';
import { isUnknown, type JobState, stateOfWord } from '../shared/jobState';
import {
	errorText,
	hasError,
	isFalse,
	refused,
	speaksOfTrouble,
} from '../../engine/refusals/refusal';

/** The batch job of the service: submit, poll, rows (SPEC §2.4, §3.1, §3.2, §4.2). */

/** A batch as its submission or a poll reports it. */
export interface Batch {
	id: string;
	/** SPEC §3.1. Only this decides whether the batch is finished, since the counters contradict each other. */
	status: string;
	total: number;
	rows: IDataObject[];
	body: IDataObject;
	/** SPEC §2.4: the completed numbers include those that failed. */
	counts: Record<'completed' | 'failed' | 'pending', number>;
	/** What the reply says beside its rows by which a no among them may be none. */
	trouble?: string;
	/** The service gives it an ID, and reports a problem with it. */
	isUnclear?: true;
	reason?: string;
}

/** SPEC §8: one WhatsApp credit per unique number, deducted at submission. */
export function batchCredits(numbers: number): Credits {
	return {
		balance: 'whatsapp',
		atMost: numbers,
		charged: (body) => {
			const total = totalIn(batchIn(body));
			return total !== undefined && total > 0 && total <= numbers ? total : numbers;
		},
	};
}

/** Submits a batch and reports it as a job, even if the service refuses it and returns an ID. */
export async function submitBatch(client: Client, numbers: AskedNumber[]): Promise<Batch> {
	const endpoint: Endpoint<Batch | Refusal> = {
		request: {
			service: 'lookup',
			method: 'POST',
			path: '/wavalidation/batch',
			body: { phone_numbers: numbers.map(({ number }) => number) },
		},
		credits: batchCredits(numbers.length),
		effect: 'acts',
		read: (body, head) => readSubmitted(body, head),
	};
	const report = (id: string, isRefused?: true) =>
		client.reportJob({ noun: 'batch', id, resume: 'Batch → Get', isRefused });
	const batch = await startJob(client, endpoint, 'submit', report);
	report(batch.id);
	const isTotal = batch.total > 0 && batch.total <= numbers.length;
	return isTotal ? batch : { ...batch, total: numbers.length };
}

/** The poll of a batch: free (SPEC §4.3), so it has no credits. */
export function pollOf(batchId: string): Endpoint<Batch | Refusal> {
	return {
		request: {
			service: 'lookup',
			method: 'GET',
			path: `/wavalidation/batch/${encodeURIComponent(batchId)}`,
			family: '/wavalidation/batch/{batch_id}',
			query: {},
		},
		quotesOthers: true,
		read: (body, head) => readBatch(body, head, batchId),
	};
}

/** Polls a batch until it is finished, at SPEC's rate for its size. The counters only set the times of the polls. */
export async function awaitBatch(client: Client, batch: Batch): Promise<Batch | Failed> {
	const { id, total } = batch;
	const paceMs = (last: Batch | undefined, afterMs: number) => {
		if (!last) return batchPaceMs(total);
		const done = last.counts.completed - batch.counts.completed;
		return batchPaceMs(total, { done, left: total - last.counts.completed, afterMs });
	};
	return await pollUntilFinished(client, pollOf(id), {
		isFinished: isOver,
		paceMs,
		startsWithSleep: true,
		isNew: true,
		noteOf: oddStatus,
		warningOf: (polled) => {
			const odd = oddStatus(polled);
			return odd && `Batch ${id}: ${odd}. The node polls it until Max Wait is over`;
		},
	});
}

/** SPEC §3.1: processing and completed. A failed batch is over too. */
export function stateOf({ status }: Batch): JobState {
	return stateOfWord(status, COMPLETED);
}

const COMPLETED = ['completed'];

export function isOver(batch: Batch): boolean {
	return stateOf(batch) !== 'running';
}

/** A clause about a status that SPEC does not name. */
export function oddStatus(batch: Batch): string | undefined {
	const { status, body } = batch;
	if (status === '') return "the service didn't say how far the batch is";
	if (stateOf(batch) === 'failed') {
		const { error: why } = body;
		const words = typeof why === 'string' && why !== '' ? ` (${inShort(why)})` : '';
		return `the batch ended with the status ${quote(status)}${words}`;
	}
	if (!isUnknown(status, COMPLETED)) return undefined;
	return `the status of the batch is ${quote(status)}, which this node doesn't know`;
}

/** What the service says of a batch; null where it says nothing. */
export function saidOf({ body, total }: Batch): IDataObject {
	const { completed, failed, pending } = batchIn(body);
	const counts = { completed, failed, pending };
	const said = Object.entries(counts).map(([name, count]) => [name, numberIn(count) ?? null]);
	return {
		totalNumbers: total > 0 ? total : (totalIn(batchIn(body)) ?? null),
		...Object.fromEntries(said),
	};
}

/** Fields that may contain the batch if the body is an envelope. */
const HOLDERS = ['data', 'batch', 'result'];

function batchIn(body: IDataObject): IDataObject {
	const isBatch = (object: IDataObject) => object.batch_id !== undefined;
	const inside = objectsAt(body, HOLDERS);
	return isBatch(body) ? body : (inside.find(isBatch) ?? body);
}

/** SPEC §2.4: the total is a number. */
function totalIn({ total_numbers: total }: IDataObject): number | undefined {
	const count = typeof total === 'number' ? numberIn(total) : undefined;
	return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function readSubmitted(body: IDataObject, head: ReplyHead): Batch | Refusal {
	const named = jobIdAmong([batchIn(body).batch_id]);
	const says = rowFor(SUBMISSIONS, { body, head })?.says;
	const id = named && 'id' in named ? named.id : undefined;
	if (says === 'refused') return { ...readRefusal(body, head), jobId: id };
	if (id === undefined) {
		const what = named && 'unusable' in named ? `an unusable ID (${named.unusable})` : 'no ID';
		const reason = `the service accepted the batch but returned ${what}. Contact your provider`;
		return { scope: 'question', isOwn: true, reason };
	}
	const batch = { ...batchOf(body), id };
	if (says !== 'unknown' && stateOf(batch) !== 'failed') return batch;
	const reason = errorText(body) ?? oddStatus(batch) ?? 'it failed';
	return { ...batch, isUnclear: true, reason };
}

const HAS_ID = that('`batch_id` is an ID', ['batch_id'], ({ body }) => {
	const named = jobIdAmong([batchIn(body).batch_id]);
	return named !== undefined && 'id' in named;
});
const HAS_NO_ROWS = that('`results` has no rows', ['results'], ({ found = {} }) =>
	isEmpty(found.rows),
);
const IS_NO_STATE = that(
	'`status` says neither that the batch is finished nor that it runs, nor, beside its `batch_id`, that it failed for good',
	['status', 'batch_id', 'error'],
	({ body, head, found: { state } = {} }) => {
		const why = errorText(body) ?? '';
		const mayPass = head.status >= 400 || saysLater(why) || UNKNOWN_WORDS.test(why);
		return !state || (state === 'failed' && (mayPass || batchIn(body).batch_id === undefined));
	},
);

function isState(state: JobState) {
	const words = `\`status\` is a word that means ${state}`;
	return that(words, ['status'], ({ found = {} }) => found.state === state);
}

/** The result of a submission (SPEC §7). A batch with an ID is polled, whatever else the reply says. */
export const SUBMISSIONS: DecisionTable = {
	of: 'Submission',
	names: { positive: 'submitted' },
	rows: [
		{ when: [IS_HTTP_ERROR], says: 'refused' },
		{
			when: [that('`required` is a number', ['required'], ({ body }) => isCount(body.required))],
			says: 'refused',
		},
		{ when: [REFUSES, HAS_ID], says: 'unknown', why: ({ body }) => errorText(body) },
		{ when: [HAS_ID], says: 'positive' },
		{ when: [REFUSES], says: 'refused' },
		{ when: [IS_ABOUT_ACCOUNT], says: 'refused' },
	],
	otherwise: 'the answer has no batch ID',
};

const ANOTHER_BATCH = 'the service answered about another batch';
const IS_OTHER_BATCH = that(
	'`batch_id` is another batch than in the request',
	['batch_id'],
	({ body, asked }) => {
		// Another type is a slip of the service, not the ID of a batch
		const named = batchIn(body).batch_id;
		if (asked === undefined || typeof named !== 'string') return false;
		return named.trim() !== '' && !isSame(named, asked.trim());
	},
);

/** The progress of a batch. Only `status` decides, since SPEC's counters contradict each other. */
export const BATCHES: DecisionTable = {
	of: 'Poll',
	names: { positive: 'finished', negative: 'failed', running: 'still running' },
	rows: [
		{ when: [IS_OTHER_BATCH], says: 'refused', why: ANOTHER_BATCH },
		{ when: [REFUSES, HAS_NO_ROWS, IS_ABOUT_ACCOUNT], says: 'refused' },
		{ when: [REFUSES, HAS_NO_ROWS, IS_NO_STATE], says: 'refused' },
		{ when: [isState('finished')], says: 'positive' },
		{ when: [isState('failed')], says: 'negative' },
		{ when: [isState('running')], says: 'running' },
	],
	otherwise: 'the batch is not finished',
};

function readBatch(body: IDataObject, head: ReplyHead, asked: string): Batch | Refusal {
	const batch = batchOf(body);
	const state = stateOf(batch);
	const isNew = isUnknown(batch.status, COMPLETED);
	const found = { state: isNew ? undefined : state, rows: batch.rows };
	const decision = rowFor(BATCHES, { body, head, found, asked });
	if (decision?.why === ANOTHER_BATCH)
		return { scope: 'question', isOwn: true, reason: ANOTHER_BATCH };
	return decision?.says === 'refused' ? readRefusal(body, head) : batch;
}

function batchOf(body: IDataObject): Batch {
	const batch = batchIn(body);
	const [completed, failed, pending] = [batch.completed, batch.failed, batch.pending].map(
		(count) => numberIn(count) ?? 0,
	);
	return {
		id: textOf(batch.batch_id),
		status: textOf(batch.status),
		total: totalIn(batch) ?? 0,
		rows: rowsIn(batch.results),
		body,
		counts: { completed, failed, pending },
		trouble: troubleIn(body),
	};
}

/** Where a batch has words about its check. Names, counts and other jobs of it have words too. */
const WORDS = ['error', 'errors', 'message', 'warning', 'warnings'];
const NOT_CHECKED =
	/\b(?:disconnected|logged out|offline|session)\b|(?:\bnot|n['’]t) (?:be |been |fully ){0,2}(?:checked|processed|verified)\b/i;

/** What a reply says, in the batch or around it, by which a check of its numbers went wrong. */
function troubleIn(body: IDataObject): string | undefined {
	const said: IDataObject = { ...body, ...batchIn(body) };
	const texts = WORDS.flatMap((name) => said[name]).filter((text) => typeof text === 'string');
	const words = texts.find((text) => speaksOfTrouble(text) || NOT_CHECKED.test(inShort(text)));
	const flags = Object.entries(said).filter(([, value]) => typeof value === 'boolean');
	const broken = failedIn(Object.fromEntries(flags));
	const { error, partial, success } = said;
	if (typeof error === 'string' && hasError(said)) return inShort(error);
	if (partial === true || isFalse(success)) return 'the service reports a failure beside the rows';
	return words === undefined ? broken : inShort(words);
}

/** The rows of a list, or of an object that numbers them, as PHP writes a list with gaps. */
function rowsIn(results: unknown): IDataObject[] {
	const isNumbered = isObject(results) && Object.keys(results).every((key) => /^\+?\d+$/.test(key));
	const list = isNumbered ? Object.values(results) : results;
	return Array.isArray(list) ? list.filter(isObject) : [];
}

/** SPEC §7. Too few credits for this batch say nothing about a smaller one, so they concern the question alone. */
function readRefusal(body: IDataObject, head: ReplyHead): Refusal {
	if (!isCount(body.required)) return refused(body, head);
	const credits = `${textOf(body.required)} required, ${textOf(body.available)} available`;
	return {
		...({ scope: 'question', mayHaveCost: false, about: 'credits', isOwn: true } as const),
		reason: `not enough WhatsApp credits (${credits})`,
	};
}

function isCount(value: unknown): boolean {
	return typeof value === 'number';
}
