import type { IDataObject } from 'n8n-workflow';
import type {
	Answer,
	Client,
	Credits,
	Endpoint,
	Failed,
	Reading,
	Refusal,
} from '../../engine/client';
import { isRefusal, negative, positive, unknown } from '../../engine/operation';
import { batchPaceMs, pollUntilFinished } from '../shared/polling';
import type { AskedNumber } from '../shared/phone/phoneNumber';
import { e164In } from '../shared/phone/phoneRecord';
import { orNull } from '../../engine/plan/values';
import { hasError, refused } from '../shared/refusal';

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
		read: (body, { status }) => readSubmitted(body, status),
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
		read: (body, { status }) => readBatch(body, status),
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
	return await pollUntilFinished(client, pollOf(id), { isFinished, paceMs, startsWithSleep: true });
}

/** SPEC §2.4: those that failed are among them. */
function doneOf({ body }: Batch): number {
	return Number(body.completed ?? 0);
}

export function isFinished({ status }: Batch): boolean {
	return status === 'completed';
}

/** The reading of one row, per DESIGN: a failed row is a refusal, everything else without an answer is unknown. */
export function readRow(row: IDataObject | undefined): Reading {
	if (!row) return unknown({}, 'the service returned no row for this number');
	const record = recordOf(row);
	if (row.status === 'failed') {
		return {
			scope: 'question',
			reason: `the service could not check this number${rowError(row)}; to submit it again costs another credit`,
		};
	}
	if (row.status !== 'completed')
		return unknown(record, 'the service has not checked this number yet');
	const isConfirmed = row.wa_status === 'VALID_CONFIRMED';
	const isTold = typeof row.wa_status === 'string' && row.wa_status !== '';
	if (!isTold || (isConfirmed && typeof row.numberstatus !== 'boolean')) {
		return unknown(record, 'the service did not say whether the number is on WhatsApp');
	}
	return isConfirmed && row.numberstatus ? positive(record) : negative(record);
}

/** As readRow, for an output of rows: a failed one is an unknown with its reason. */
export function rowAnswer(row: IDataObject, batchId: string): Answer {
	const reading = readRow(row);
	const answer = isRefusal(reading) ? unknown(recordOf(row), reading.reason) : reading;
	return { ...answer, record: { ...answer.record, batchId }, response: row, shape: 'number' };
}

/** SPEC §2.4: a UUID. Other text is fine too, unless it cannot be a step of a path. */
const ID = /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]{1,200}$/u;

function readSubmitted(body: IDataObject, status: number): Batch | Refusal {
	const refusal = readRefusal(body, status);
	if (refusal) return refusal;
	if (typeof body.batch_id === 'string' && ID.test(body.batch_id)) return readBatch(body, status);
	// An HTTP error without words: 402 says that nothing was charged
	if (status >= 400) return refused(body, status);
	return {
		scope: 'question',
		reason:
			'the answer holds no batch ID, so the numbers may have been charged and cannot be fetched',
	};
}

function readBatch(body: IDataObject, status: number): Batch | Refusal {
	const refusal = readRefusal(body, status);
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
function readRefusal(body: IDataObject, status: number): Refusal | undefined {
	if (!hasError(body) && body.status !== false) return undefined;
	const refusal = refused(body, status);
	if (typeof body.required !== 'number') return refusal;
	return {
		scope: 'question',
		mayHaveCost: false,
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
	};
}

function isRow(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
