import { defineWorkflow, positive } from '../../engine/operation';
import type { AskedNumber } from '../shared/phone/phoneNumber';
import { batchCredits, submitBatch } from './job';
import {
	canonicalNumber,
	MOST_NUMBERS,
	NUMBERS_OF_TOOL,
	numbersFields,
	readNumbers,
} from './numbers';
import { BATCH_FIELDS } from './rowFields';

/** Fields for several IDs take a comma for the end of one. */
const SPLIT =
	'the ID has a comma or a semicolon in it: give it to Get and to the trigger in an array, as in {{ [$json.batchId] }}';

export const submitNumbers = defineWorkflow<AskedNumber>({
	resource: 'batch',
	value: 'submit',
	name: 'Submit',
	action: 'Submit batch of WhatsApp numbers',
	description:
		'Submit phone numbers for a WhatsApp check without waiting. Fetch the results with Get. More than 1,000 numbers become several batches.',
	fields: numbersFields,
	toolDefaults: NUMBERS_OF_TOOL,
	asksOnce: true,
	questionsPerTask: MOST_NUMBERS,
	oneItemPerTask: true,
	rules: {
		positive: 'the batch is accepted',
		refused: '`error`; too few credits fail this batch alone',
	},
	parameterNames: ['phone_numbers'],
	endpoints: ['POST lookup /wavalidation/batch'],

	prepare: readNumbers,
	canonical: canonicalNumber,
	credits: () => batchCredits(1),

	run: async (numbers, client) => {
		const { id, status, total } = await submitBatch(client, numbers);
		const record = { batchId: id, status, totalNumbers: total };
		const answer = positive(record, /[,;]/.test(id) ? SPLIT : undefined);
		return numbers.map(() => answer);
	},
	output: BATCH_FIELDS,
});
