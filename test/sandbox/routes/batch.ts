import { countersOf, type Batch } from '../jobs/batches';
import { rowsOf } from '../jobs/batchRows';
import { answered, refused, type Call, type Endpoint, type ServiceState } from '../http/endpoint';
import { LOOKUP, lookupError, lookupRefusals } from '../http/lookupHost';

/** SPEC §8. Counted as submitted: SPEC takes duplicates away before counting for credits and totals, and says no more. */
const MAX_NUMBERS = 1000;

const BATCH = `${LOOKUP}/wavalidation/batch`;

const { badKey } = lookupRefusals('WA');

/**
 * POST /wavalidation/batch (SPEC §2.4, §4.2, §7): 1 WhatsApp credit per unique number, deducted at submission, or
 * none at all when there are too few. Numbers are the same when their texts are.
 */
export const submitBatch: Endpoint = {
	host: 'lookup',
	methods: ['POST'],
	path: BATCH,
	keyInBody: true,
	answer: ({ state, key, json, charge }) => {
		const account = state.accounts.find(key);
		if (!account) return badKey();
		const submitted = json?.phone_numbers;
		if (!Array.isArray(submitted) || submitted.length === 0) {
			return lookupError(400, 'phone_numbers array is required and must not be empty.');
		}
		if (!submitted.every((number) => typeof number === 'string')) {
			return lookupError(400, 'phone_numbers must contain strings only.');
		}
		if (submitted.length > MAX_NUMBERS) return tooMany(submitted.length);
		const numbers = [...new Set(submitted)];
		const available = account.balances.whatsapp;
		if (available < numbers.length) return tooFewCredits(numbers.length, available);
		const batch = state.batches.submit(account.key, numbers);
		charge('whatsapp', numbers.length, batch.id);
		return answered({ batch_id: batch.id, total_numbers: numbers.length, status: 'processing' });
	},
};

/** GET /wavalidation/batch/{batch_id} (SPEC §2.4, §4.2). Free, and only for the key that submitted the batch (§5.3). */
export const pollBatch: Endpoint = {
	host: 'lookup',
	methods: ['GET'],
	path: `${BATCH}/:batch_id`,
	answer: ({ state, key, params }: Call) => {
		const account = state.accounts.find(key);
		if (!account) return badKey();
		const batch = state.batches.find(account.key, params.batch_id);
		if (!batch) return lookupError(404, 'Batch not found or access denied.');
		return answered(pollBody(batch, state));
	},
};

function pollBody(batch: Batch, { batches, batchRowNames }: ServiceState) {
	const processed = batches.processed(batch);
	return {
		batch_id: batch.id,
		...countersOf(batch, processed),
		results: batch.numbers.flatMap((number, index) =>
			rowsOf(number, processed[index], batchRowNames),
		),
	};
}

const tooMany = (submitted: number) =>
	refused(400, {
		error: `Batch size exceeds the maximum allowed limit of ${MAX_NUMBERS} numbers.`,
		submitted,
		max_allowed: MAX_NUMBERS,
	});

const tooFewCredits = (required: number, available: number) =>
	refused(402, { error: 'Insufficient WA API credits.', required, available });
