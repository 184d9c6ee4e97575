import type { IDataObject } from 'n8n-workflow';
import type { Client, Credits, Endpoint, ReplyHead } from '../../engine/client';
import type { Answer, Failed, Reading, Refusal } from '../../engine/results';
import { isRefusal, negative, positive, unknown } from '../../engine/operation';
import { batchPaceMs, pollUntilFinished } from '../shared/polling';
import type { AskedNumber } from '../shared/phone/phoneNumber';
import { e164In } from '../shared/phone/phoneRecord';
import { asReason, orNull, quote } from '../../engine/plan/values';
import { jobIdAmong } from '../shared/jobId';
import { isUnknown, stateOfWord, type JobState } from '../shared/jobState';
import { hasError, refused } from '../../engine/refusals/refusal';

/** The batch job of the service: submit, poll, rows (SPEC §2.4, §3.1, §3.2, §4.2). */

/** A batch as its submission or a poll reports it. */
export interface Batch {
	id: string;
	/** SPEC §3.1. Only this decides whether the batch is finished, since the counters contradict each other. */
	status: string;
	total: number;
	rows: IDataObject[];
	body: IDataObject;
}

/** SPEC §8: one WhatsApp credit per unique number, deducted at submission. */
export function batchCredits(numbers: number): Credits {
	return {
		balance: 'whatsapp',
		atMost: numbers,
		charged: (body) => (typeof body.total_numbers === 'number' ? body.total_numbers : numbers),
	};
}

/** Submits a batch and reports it as a job. */
export async function submitBatch(client: Client, numbers: AskedNumber[]): Promise<Batch> {
	const endpoint: Endpoint<Batch | Refusal> = {
		request: {
			service: 'lookup',
			method: 'POST',
			path: '/wavalidation/batch',
			body: { phone_numbers: numbers.map(({ number }) => number) },
		},
		credits: batchCredits(numbers.length),
		read: (body, head) => readSubmitted(body, head),
	};
	const batch = await client.call(endpoint, 'submit');
	client.reportJob({ noun: 'batch', id: batch.id, resume: 'Batch, Get' });
	return batch.total > 0 ? batch : { ...batch, total: numbers.length };
}

/** The poll of a batch: free (SPEC §4.3), so it carries no credits. */
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
		read: (body, head) => readBatch(body, head),
	};
}

/** Polls a batch until it is finished, at SPEC's pace for its size. The counters only place the polls. */
export async function awaitBatch(client: Client, batch: Batch): Promise<Batch | Failed> {
	const { id, total } = batch;
	const paceMs = (last: Batch | undefined, afterMs: number) => {
		if (!last) return batchPaceMs(total);
		const done = doneOf(last) - doneOf(batch);
		return batchPaceMs(total, { done, left: total - doneOf(last), afterMs });
	};
	return await pollUntilFinished(client, pollOf(id), {
		isFinished: isOver,
		paceMs,
		startsWithSleep: true,
		isNew: true,
		noteOf: oddStatus,
		warningOf: (polled) => warning(id, oddStatus(polled)),
	});
}

function warning(id: string, odd: string | undefined): string | undefined {
	return odd && `Batch ${id}: ${odd}. The node polls it until Max Wait is over`;
}

/** SPEC §2.4: those that failed are among them. */
function doneOf({ body }: Batch): number {
	return Number(body.completed ?? 0);
}

/** SPEC §3.1: processing and completed. A batch that failed is over too. */
export function stateOf({ status }: Batch): JobState {
	return stateOfWord(status, COMPLETED);
}

const COMPLETED = ['completed'];

export function isOver(batch: Batch): boolean {
	return stateOf(batch) !== 'running';
}

/** What a user should know of a status that is none of SPEC's, as a clause. */
export function oddStatus(batch: Batch): string | undefined {
	const { status } = batch;
	if (status === '') return "the service didn't say how far the batch is";
	if (stateOf(batch) === 'failed') return `the batch ended with the status ${quote(status)}`;
	if (!isUnknown(status, COMPLETED)) return undefined;
	return `the status of the batch is ${quote(status)}, which this node doesn't know`;
}

const NOT_CHECKED = "the service hasn't checked this number yet";

/** The reading of one row, per DESIGN: a failed row is a refusal, everything else without an answer is unknown. */
export function readRow(row: IDataObject | undefined): Reading {
	if (!row) return unknown({}, 'the service returned no row for this number');
	const record = recordOf(row);
	if (row.status === 'failed') {
		return {
			scope: 'question',
			reason: `the service couldn't check this number${rowError(row)}. Submitting it again costs another credit`,
		};
	}
	if (row.status !== 'completed') return unknown(record, NOT_CHECKED);
	const isConfirmed = row.wa_status === 'VALID_CONFIRMED';
	const isTold = typeof row.wa_status === 'string' && row.wa_status !== '';
	if (!isTold || (isConfirmed && typeof row.numberstatus !== 'boolean')) {
		return unknown(record, "the service didn't say whether the number is on WhatsApp");
	}
	return isConfirmed && row.numberstatus ? positive(record) : negative(record);
}

/** As readRow, for an output of rows: a failed one is an unknown with its reason. */
export function rowAnswer(row: IDataObject, batch: Batch): Answer {
	const reading = readRow(row);
	const answer = isRefusal(reading) ? unknown(recordOf(row), asReason([reading.reason])) : reading;
	const odd = answer.reason === NOT_CHECKED && oddStatus(batch);
	const reason = odd ? `${NOT_CHECKED}: ${odd}` : answer.reason;
	const record = { ...answer.record, batchId: batch.id };
	return { ...answer, reason, record, response: row, shape: 'number' };
}

/** The reading of a number of a batch that is over. If the batch failed, nobody will check the numbers that are left. */
export function readNumber(row: IDataObject | undefined, batch: Batch): Reading {
	const reading = readRow(row);
	const isLeft = !row || row.status === 'pending';
	if (stateOf(batch) === 'failed' && isLeft) {
		const reason = `${oddStatus(batch)} before this number was checked. Submitting it again costs another credit`;
		return { scope: 'question', reason };
	}
	if (isRefusal(reading)) return reading;
	return { ...reading, record: { ...reading.record, batchId: batch.id }, response: row ?? {} };
}

function readSubmitted(body: IDataObject, head: ReplyHead): Batch | Refusal {
	const refusal = readRefusal(body, head);
	if (refusal) return refusal;
	const named = jobIdAmong([body.batch_id]);
	if (named && 'id' in named) return readBatch(body, head);
	// An HTTP error without words: 402 says that nothing was charged
	if (head.status >= 400) return refused(body, head);
	const why = named
		? `the service calls the batch ${named.unusable}, which can't be sent back`
		: 'the answer has no batch ID';
	const reason = `${why}, so the numbers may have been charged, and you can't get their results`;
	return { scope: 'question', reason };
}

function readBatch(body: IDataObject, head: ReplyHead): Batch | Refusal {
	const refusal = readRefusal(body, head);
	if (refusal) return refusal;
	return {
		id: String(body.batch_id ?? ''),
		status: String(body.status ?? ''),
		total: Number(body.total_numbers ?? 0),
		rows: Array.isArray(body.results) ? body.results.filter(isRow) : [],
		body,
	};
}

/** SPEC §7. Too few credits for this batch say nothing of a smaller one, so they concern the question alone. */
function readRefusal(body: IDataObject, head: ReplyHead): Refusal | undefined {
	if (!hasError(body) && body.status !== false) return undefined;
	const refusal = refused(body, head);
	if (typeof body.required !== 'number') return refusal;
	return {
		scope: 'question',
		mayHaveCost: false,
		lacksCredits: true,
		reason: `${refusal.reason} Required: ${body.required}, available: ${String(body.available)}`,
	};
}

/** SPEC §2.4 does not name the field of a row's failure message: any text that says error, message or reason. */
function rowError(row: IDataObject): string {
	const name = Object.keys(row).find((key) => /error|message|reason|failure/i.test(key));
	const text = name === undefined ? undefined : row[name];
	return typeof text === 'string' && text !== '' ? ` (${text})` : '';
}

function recordOf(row: IDataObject) {
	return {
		submittedNumber: orNull(row.phone_number),
		phoneNumber: e164In(row.formatted_number) ?? null,
		onWhatsApp: orNull(row.numberstatus),
		businessAccount: orNull(row.businessnumber),
		carrier: orNull(row.carrier),
		countryCode: orNull(row.country),
		rowStatus: orNull(row.status),
		validation: validationIn(row),
	};
}

/** SPEC §2.4 does not name the field of the full validation data. It is the one that holds an object. */
function validationIn(row: IDataObject): IDataObject | null {
	return row.status === 'completed' ? (Object.values(row).find(isRow) ?? null) : null;
}

function isRow(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
