import type { IDataObject } from 'n8n-workflow';
import { defineWorkflow, isFailed } from '../../engine/operation';
import { withNumberAsked, type AskedNumber } from '../shared/phone/phoneNumber';
import { awaitBatch, batchCredits, isOver, readNumber, submitBatch, type Batch } from './job';
import {
	canonicalNumber,
	MOST_NUMBERS,
	NUMBERS_OF_TOOL,
	numbersFields,
	readNumbers,
} from './numbers';
import { ROW_FIELDS } from './rowFields';

export const checkManyNumbers = defineWorkflow<AskedNumber>({
	resource: 'batch',
	value: 'checkMany',
	name: 'Check Many Numbers',
	action: 'Check many WhatsApp numbers',
	description:
		'Check which of many phone numbers are on WhatsApp: submit them, wait, and return one result per number. 1 credit per number.',
	fields: numbersFields,
	toolDefaults: NUMBERS_OF_TOOL,
	subject: 'phoneNumber',
	outcomes: { positive: 'On WhatsApp', negative: 'Not on WhatsApp', unknown: 'Unknown' },
	repeatable: true,
	waits: true,
	questionsPerTask: MOST_NUMBERS,
	rules: {
		positive: '`wa_status` is VALID_CONFIRMED and `numberstatus` is true',
		negative: 'checked, with another result',
		unknown: 'not told, or no row was returned for the number',
		refused:
			'the row or the batch failed (to submit the number again costs another credit), or the batch was rejected',
	},
	parameterNames: ['phone_numbers'],
	endpoints: ['POST lookup /wavalidation/batch', 'GET lookup /wavalidation/batch/{batch_id}'],

	prepare: readNumbers,
	canonical: canonicalNumber,
	present: withNumberAsked,
	credits: () => batchCredits(1),

	run: async (numbers, client) => {
		const batch = await submitBatch(client, numbers);
		const finished = isDone(batch) ? batch : await awaitBatch(client, batch);
		if (isFailed(finished)) return numbers.map(() => finished);
		const rowOf = rowFinder(finished.rows, numbers);
		return numbers.map(({ number }) => readNumber(rowOf(number), { ...finished, id: batch.id }));
	},
	output: ROW_FIELDS,
});

/** A service that finishes at once would send its rows with the submission. */
function isDone(batch: Batch): boolean {
	return isOver(batch) && batch.rows.length > 0;
}

/**
 * Finds the row of a number: by the text that was submitted, or by the digits of the one row that no other number has a claim
 * to. A service may drop the + of what was submitted, or name the number in E.164 only.
 */
function rowFinder(
	rows: IDataObject[],
	numbers: AskedNumber[],
): (number: string) => IDataObject | undefined {
	const exact = new Map(rows.map((row) => [String(row.phone_number ?? ''), row]));
	const claimed = new Set(numbers.map(({ number }) => exact.get(number)));
	const unclaimed = byDigits(rows.filter((row) => !claimed.has(row)));
	return (number) => exact.get(number) ?? unclaimed.get(digitsOf(number));
}

/** Rows by the digits of their number; undefined where several rows have the same. */
function byDigits(rows: IDataObject[]): Map<string, IDataObject | undefined> {
	const found = new Map<string, IDataObject | undefined>();
	for (const row of rows) {
		for (const digits of new Set([digitsOf(row.phone_number), digitsOf(row.formatted_number)])) {
			found.set(digits, found.has(digits) ? undefined : row);
		}
	}
	return found;
}

function digitsOf(text: unknown): string {
	return String(text ?? '').replace(/\D/g, '');
}
