import type { IDataObject } from 'n8n-workflow';
import { defineWorkflow, isFailed, MAX_ROWS } from '../../engine/operation';
import type { AskedNumber } from '../shared/phone/phoneNumber';
import { withNumberAsked } from '../shared/phone/phoneRecord';
import { awaitBatch, BATCHES, batchCredits, isOver, SUBMISSIONS, submitBatch } from './job';
import { awaitRows } from './lateRows';
import {
	canonicalNumber,
	digitsOf,
	MAX_NUMBERS,
	NUMBERS_OF_TOOL,
	numbersFields,
	readNumbers,
} from './numbers';
import { textOf } from '../../engine/plan/values';
import { ofBoth, readNumber, ROWS, SEVERAL } from './row';
import { ROW_FIELDS } from './rowFields';

export const checkManyNumbers = defineWorkflow<AskedNumber>({
	resource: 'batch',
	value: 'checkMany',
	name: 'Check Many Numbers',
	action: 'Check many WhatsApp numbers',
	description:
		'Check which of many numbers are on WhatsApp, wait, and return one result per number. 1 credit per number.',
	fields: numbersFields,
	toolDefaults: NUMBERS_OF_TOOL,
	subject: 'phoneNumber',
	outcomes: { positive: 'On WhatsApp', negative: 'Not on WhatsApp', unknown: 'Unknown' },
	repeatable: true,
	waits: true,
	questionsPerTask: MAX_NUMBERS,
	decide: [SUBMISSIONS, BATCHES, ROWS],
	parameterNames: ['phone_numbers'],
	endpoints: ['POST lookup /wavalidation/batch', 'GET lookup /wavalidation/batch/{batch_id}'],

	prepare: readNumbers,
	canonical: canonicalNumber,
	present: withNumberAsked,
	credits: () => batchCredits(1),

	run: async (numbers, client) => {
		const batch = await submitBatch(client, numbers);
		// A service that finishes at once would return its rows with the submission
		const isDone = isOver(batch) && batch.rows.length > 0;
		const ended = isDone ? batch : await awaitBatch(client, batch);
		if (isFailed(ended)) return numbers.map(() => ended);
		const finished = await awaitRows(client, { ...ended, id: batch.id }, batch.total);
		const rowOf = rowFinder(finished.rows, numbers);
		return await client.map(numbers, ({ number }) => {
			const { row, whyNone } = rowOf(number);
			return readNumber(row, finished, whyNone, number);
		});
	},
	output: ROW_FIELDS,
});

/**
 * Finds the row of a number: by the submitted text; else by the digits of the row's own number, and only then by those of its
 * formatted one. A row belongs to one number; a row that matches two numbers belongs to neither. A service may drop the + of a
 * submitted number, or name it in E.164 only.
 */
function rowFinder(
	rows: IDataObject[],
	numbers: AskedNumber[],
): (number: string) => { row?: IDataObject; whyNone?: string } {
	const found = new Map<string, IDataObject>();
	const doubled = new Set<string>();
	const claimed = new Set<IDataObject>();
	const claim = (
		keyOf: (row: IDataObject) => string,
		keyOfNumber: (number: string) => string,
		most = MAX_ROWS,
	) => {
		const open = numbers.filter(({ number }) => !found.has(number));
		const wanted = new Set(open.map(({ number }) => keyOfNumber(number)));
		const byKey = new Map<string, IDataObject | undefined>();
		for (const row of wanted.size === 0 ? [] : rows.slice(0, most)) {
			const key = keyOf(row);
			if (wanted.has(key) && !claimed.has(row))
				byKey.set(key, byKey.has(key) ? ofBoth(byKey.get(key), row) : row);
		}
		for (const { number } of numbers) {
			if (found.has(number)) continue;
			const key = keyOfNumber(number);
			const row = byKey.get(key);
			if (!row && byKey.has(key)) doubled.add(number);
			if (!row) continue;
			found.set(number, row);
			claimed.add(row);
		}
	};
	claim(
		(row) => textOf(row.phone_number),
		(number) => number,
		Infinity,
	);
	claim((row) => digitsOf(row.phone_number), digitsOf);
	claim((row) => digitsOf(row.formatted_number), digitsOf);
	return (number) => ({
		row: found.get(number),
		whyNone: doubled.has(number) ? SEVERAL : undefined,
	});
}
