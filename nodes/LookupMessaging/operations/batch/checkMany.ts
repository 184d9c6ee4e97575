import type { IDataObject } from 'n8n-workflow';
import { defineTalk, isRefusal, type Reading } from '../../engine/operation';
import { isFailed } from '../../engine/talk';
import { defaultCallingCodeOption, withoutFormatting } from '../shared/phoneNumber';
import { awaitBatch, batchCredits, readRow, submitBatch, type Batch } from './job';
import {
	canonicalNumber,
	MOST_NUMBERS,
	numbersFields,
	readNumbers,
	type BatchNumber,
} from './numbers';
import { ROW_FIELDS } from './rowFields';

export const checkManyNumbers = defineTalk<BatchNumber>({
	resource: 'batch',
	value: 'checkMany',
	name: 'Check Many Numbers',
	action: 'Check many WhatsApp numbers',
	description:
		'Check which of many phone numbers are on WhatsApp: hand them in, wait, and give one result per number. 1 credit each.',
	fields: numbersFields,
	options: [defaultCallingCodeOption],
	subject: 'phoneNumber',
	outcomes: { positive: 'On WhatsApp', negative: 'Not on WhatsApp', unknown: 'Unknown' },
	repeatable: true,
	waits: true,
	questionsAtOnce: MOST_NUMBERS,
	rules: {
		positive: '`wa_status` is VALID_CONFIRMED and `numberstatus` is true',
		negative: 'checked, with another result',
		unknown: 'not told, or no row was returned for the number',
		refused: 'the row failed (to submit it again costs another credit), or the batch was rejected',
	},
	endpoints: ['POST lookup /wavalidation/batch', 'GET lookup /wavalidation/batch/{batch_id}'],

	prepare: readNumbers,
	canonical: canonicalNumber,
	credits: () => batchCredits(1),

	*talk(numbers) {
		const batch = yield* submitBatch(numbers);
		const finished = isDone(batch) ? batch : yield* awaitBatch(batch);
		if (isFailed(finished)) return numbers.map(() => finished);
		const rowOf = rowFinder(finished.rows);
		return numbers.map(({ number }) => withBatchId(rowOf(number), batch.id));
	},
	output: ROW_FIELDS,
});

/** A service that finishes at once would send its rows with the submission. */
function isDone({ status, rows }: Batch): boolean {
	return status === 'completed' && rows.length > 0;
}

/** Finds the row of a number: by the exact text that was submitted, by its canonical spelling, or by its digits alone. */
function rowFinder(rows: IDataObject[]): (number: string) => IDataObject | undefined {
	const exact = new Map<string, IDataObject>();
	const alike = new Map<string, IDataObject>();
	for (const row of rows) {
		const submitted = String(row.phone_number ?? '');
		exact.set(submitted, row);
		alike.set(withoutFormatting(submitted), row);
	}
	return (number) =>
		exact.get(number) ??
		alike.get(withoutFormatting(number)) ??
		onlyOne(rows.filter((row) => namesDigits(row, number.replace(/\D/g, ''))));
}

/** A service may drop the + of what was submitted, or name the number in E.164 only. */
function namesDigits(
	{ phone_number: submitted, formatted_number: formatted }: IDataObject,
	digits: string,
) {
	return [submitted, formatted].some((text) => String(text ?? '').replace(/\D/g, '') === digits);
}

function onlyOne(rows: IDataObject[]): IDataObject | undefined {
	return rows.length === 1 ? rows[0] : undefined;
}

function withBatchId(row: IDataObject | undefined, batchId: string): Reading {
	const reading = readRow(row);
	if (isRefusal(reading)) return reading;
	return { ...reading, record: { ...reading.record, batchId }, response: row ?? {} };
}
