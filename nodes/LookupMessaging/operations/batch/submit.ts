import { defineTalk, positive } from '../../engine/operation';
import { defaultCallingCodeOption } from '../shared/phoneNumber';
import { batchCredits, submitBatch } from './job';
import {
	canonicalNumber,
	MOST_NUMBERS,
	NUMBERS_OF_TOOL,
	numbersFields,
	readNumbers,
	type BatchNumber,
} from './numbers';
import { BATCH_FIELDS } from './rowFields';

export const submitNumbers = defineTalk<BatchNumber>({
	resource: 'batch',
	value: 'submit',
	name: 'Submit',
	action: 'Submit batch of WhatsApp numbers',
	description:
		'Hand in phone numbers for a WhatsApp check and go on; Get fetches the results. Over 1,000 numbers become several batches.',
	fields: numbersFields,
	toolDefaults: NUMBERS_OF_TOOL,
	options: [defaultCallingCodeOption],
	asksEachOnce: true,
	questionsAtOnce: MOST_NUMBERS,
	oneItemPerTalk: true,
	rules: {
		positive: 'the batch is accepted',
		refused: '`error`; too few credits fail this batch alone',
	},
	endpoints: ['POST lookup /wavalidation/batch'],

	prepare: readNumbers,
	canonical: canonicalNumber,
	credits: () => batchCredits(1),

	*talk(numbers) {
		const { id, status, total } = yield* submitBatch(numbers);
		const answer = positive({ batchId: id, status, totalNumbers: total });
		return numbers.map(() => answer);
	},
	output: BATCH_FIELDS,
});
