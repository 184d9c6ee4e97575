import { defineWorkflow, positive, unknown, type OutputField } from '../../engine/operation';
import { asReason } from '../../engine/plan/values';
import type { AskedNumber } from '../shared/phone/phoneNumber';
import { batchCredits, submitBatch, SUBMISSIONS } from './job';
import {
	canonicalNumber,
	MAX_NUMBERS,
	NUMBERS_OF_TOOL,
	numbersFields,
	readNumbers,
} from './numbers';
import { BATCH_FIELDS } from './rowFields';
import { SUBMITTED } from './submitted';

/** Fields for several IDs read a comma as a separator. */
const SPLIT =
	'the ID has a comma or a semicolon in it: give it to Get and to the trigger in an array, as in {{ [$json.batchId] }}';

const LEFT_OUT: OutputField = {
	name: 'leftOut',
	type: 'array',
	description:
		'The numbers that are not submitted, since they are empty, invalid or lack a country: the index of the item and the reason of each. The first batch lists them all.',
	example: [{ item: 2, reason: 'Phone Number is empty' }],
	simplified: true,
};

export const submitNumbers = defineWorkflow<AskedNumber>({
	resource: 'batch',
	value: 'submit',
	name: 'Submit',
	action: 'Submit batch of WhatsApp numbers',
	description:
		'Submit numbers for WhatsApp checks, in batches of up to 1,000, without waiting. Get returns the results.',
	fields: numbersFields,
	toolDefaults: NUMBERS_OF_TOOL,
	asksOnce: true,
	questionsPerTask: MAX_NUMBERS,
	oneItemPerTask: true,
	decide: [SUBMISSIONS],
	parameterNames: ['phone_numbers'],
	endpoints: ['POST lookup /wavalidation/batch'],

	prepare: readNumbers,
	canonical: canonicalNumber,
	credits: () => batchCredits(1),

	run: async (numbers, client) => {
		const { id, status, total, reason } = await submitBatch(client, numbers);
		const record = { batchId: id, status, totalNumbers: total };
		const advice = /[,;]/.test(id) ? SPLIT : undefined;
		const answer =
			reason === undefined
				? positive(record, advice)
				: unknown(record, asReason([`the service gave the batch an ID, and says: ${reason}`]));
		return numbers.map(() => answer);
	},
	output: [...BATCH_FIELDS, SUBMITTED, LEFT_OUT],
});
