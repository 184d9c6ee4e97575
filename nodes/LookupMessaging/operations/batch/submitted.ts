import type { IDataObject } from 'n8n-workflow';
import type { Answer, OutputField } from '../../engine/results';
import { isObject } from '../../engine/plan/values';
import { digitsOf } from './numbers';

/** The items of a batch, which Submit lists, so that Get can return their fields beside the rows of their numbers. */

export const SUBMITTED: OutputField = {
	name: 'submitted',
	type: 'array',
	description:
		'The numbers of the batch, each with the fields of its input item. From them, Get puts the fields beside the results. Empty for numbers from a list, and null where Get has none.',
	example: [{ number: '+442079460018', fields: { id: 17 } }],
	simplified: true,
};

export const INPUT_FIELDS: OutputField = {
	name: 'inputFields',
	type: 'object',
	description:
		'The fields of the item that Submit got the number from, where the item of the batch has submitted. Null otherwise. A number of several items has one row for each.',
	example: { id: 17 },
	simplified: true,
};

/** The shape of what stands for the numbers without a row. */
export const MISSING = 'missing';

/**
 * A row beside the fields of each item with that number, and one for each number that the service returned no row for. A batch that
 * is not split passes the list on.
 */
export function besideSubmitted({ submitted }: IDataObject): (answer: Answer) => Answer[] {
	const list = Array.isArray(submitted) ? submitted : null;
	const fieldsOf = new Map<string, IDataObject[]>();
	for (const entry of list ?? []) {
		if (!isObject(entry) || !isObject(entry.fields)) continue;
		const digits = digitsOf(entry.number);
		const fields = fieldsOf.get(digits);
		if (fields) fields.push(entry.fields);
		else fieldsOf.set(digits, [entry.fields]);
	}
	const open = new Map(fieldsOf);
	return (answer) => {
		const { record, shape } = answer;
		const { batchId, totalNumbers } = record;
		if (shape === MISSING && totalNumbers === fieldsOf.size) {
			const rows = [...open].flatMap(([digits, items]) =>
				items.map((inputFields) => ({ batchId, submittedNumber: `+${digits}`, inputFields })),
			);
			return rows.map((row) => ({ ...answer, shape: 'number', record: row }));
		}
		if (shape === 'batch' || shape === MISSING)
			return [{ ...answer, shape: 'batch', record: { ...record, submitted: list } }];
		const digits = [record.submittedNumber, record.phoneNumber].map(digitsOf);
		for (const one of digits) open.delete(one);
		const found = digits.map((one) => fieldsOf.get(one)).find((fields) => fields !== undefined);
		const ofItems = found ?? [null];
		return ofItems.map((inputFields) => ({ ...answer, record: { ...record, inputFields } }));
	};
}
