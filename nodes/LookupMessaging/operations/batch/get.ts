import type { GenericValue, IDataObject, INodeProperties } from 'n8n-workflow';
import type { Client } from '../../engine/client';
import { Rows, type Answer, type Failed } from '../../engine/results';
import {
	defineWorkflow,
	isFailed,
	isLocalAnswer,
	negative,
	positive,
	type LocalAnswer,
	unknown,
} from '../../engine/operation';
import { textOf } from '../../engine/plan/values';
import { readJobId } from '../shared/jobId';
import { pollUntilFinished } from '../shared/polling';
import type { JobState } from '../shared/jobState';
import { awaitBatch, BATCHES, isOver, oddStatus, pollOf, saidOf, stateOf, type Batch } from './job';
import { awaitRows } from './lateRows';
import { partsOf } from './numbers';
import { rowAnswer, ROWS, rowsOfNumbers } from './row';
import { BATCH_FIELDS, ROW_FIELDS } from './rowFields';
import { besideSubmitted, INPUT_FIELDS, MISSING, SUBMITTED } from './submitted';

/** Maximum number of unanswered polls in a row without Wait Until Finished. */
const MAX_MISSES = 3;
const RETRY_MS = 2_000;

const batchIdField: INodeProperties = {
	displayName: 'Batch ID',
	name: 'batchId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 8c5f1c1e-0000-4000-8000-000000000000',
	description:
		'The batchId that Submit returns. Separate several IDs with commas or line breaks, or use an expression that returns an array.',
};

interface GetBatch {
	batchId: string;
	asRows: boolean;
	waits: boolean;
}

export const getBatch = defineWorkflow<GetBatch>({
	resource: 'batch',
	value: 'get',
	name: 'Get',
	action: 'Get WhatsApp batch results',
	description: 'Get the results of a batch, or its progress while it runs. Costs nothing.',
	fields: [
		batchIdField,
		{
			displayName: 'Split Into Items',
			name: 'splitIntoItems',
			type: 'boolean',
			noDataExpression: true,
			default: true,
			description:
				'Whether to return one item per number, instead of one item with the status and the counts of the batch',
		},
		{
			displayName: 'Wait Until Finished',
			name: 'waitUntilFinished',
			type: 'boolean',
			default: false,
			description:
				'Whether to wait until the batch is finished instead of returning the results so far',
		},
	],
	free: true,
	waits: true,
	noAdditionalParameters: true,
	decide: [BATCHES, ROWS],
	endpoints: ['GET lookup /wavalidation/batch/{batch_id}'],

	prepare: (params) => {
		const read = (entry: GenericValue) => {
			const batchId = readBatchId(entry);
			if (isLocalAnswer(batchId)) return batchId;
			const asRows = params.splitIntoItems !== false;
			return { batchId, asRows, waits: params.waitUntilFinished === true };
		};
		const { batchId: input } = params;
		const named = new Set<string>();
		const isNew = (entry: GenericValue) => {
			const { size } = named;
			return named.add(textOf(entry).trim()).size > size;
		};
		return (
			partsOf<GetBatch>(input, batchIdField.displayName, read, isNew) ?? {
				parts: [{ input, question: read(input) }],
			}
		);
	},

	besideInput: besideSubmitted,
	run: async ([question], client) => [await getOne(question, client)],
	output: [
		...BATCH_FIELDS.filter(({ name }) => name === 'batchId'),
		...ROW_FIELDS.filter(({ name }) => name !== 'batchId').map((field) => ({
			...field,
			// Ten fields with the input's, so there is no room for the carrier
			simplified:
				field.name === 'submittedNumber' || (field.simplified && field.name !== 'carrier'),
			shape: 'number',
		})),
		...BATCH_FIELDS.filter(({ name }) => name !== 'batchId').map((field) => ({
			...field,
			shape: 'batch',
		})),
		...['completed', 'failed', 'pending'].map((name) => ({
			name,
			type: 'number' as const,
			description: `Numbers ${name}, as the service counts them`,
			example: 0,
			simplified: true,
			shape: 'batch',
		})),
		{ ...INPUT_FIELDS, shape: 'number' },
		{ ...SUBMITTED, shape: 'batch' },
	],
});

async function getOne(
	{ batchId, asRows, waits }: GetBatch,
	client: Client,
): Promise<Answer | Failed> {
	const first = await pollUntilFinished(client, pollOf(batchId), {
		isFinished: () => true,
		paceMs: RETRY_MS,
		maxMisses: MAX_MISSES,
		isNew: waits,
	});
	const ended =
		waits && !isFailed(first) && !isOver(first)
			? await awaitBatch(client, { ...first, id: batchId })
			: first;
	const batch =
		waits && !isFailed(ended) ? await awaitRows(client, { ...ended, id: batchId }) : ended;
	if (isFailed(batch)) {
		const { failure } = batch;
		return { failure: { ...failure, reason: `${failure.reason} (batch ${batchId})` } };
	}
	const named = { ...batch, id: batchId };
	return withMissing(batchAnswer(named, asRows), named, asRows);
}

/** The answer for a batch. A batch without rows is returned itself, so that no item vanishes. */
export function batchAnswer(batch: Batch, asRows: boolean): Answer {
	const { id, status, rows, body } = batch;
	const record = { batchId: id, status, ...saidOf(batch) };
	const odd = oddStatus(batch);
	const facts = { shape: 'batch', response: body };
	// The batch stands for its missing rows, so that no job returns nothing. A no is that of a number
	if (asRows && rows.length === 0) return { ...unknown(record, odd ?? whyNoRows(batch)), ...facts };
	const summaries: Record<JobState, Answer> = {
		finished: positive(record),
		failed: negative(record, odd),
		running: unknown(record, odd ?? `the batch is ${status}`),
	};
	const answer = { ...summaries[stateOf(batch)], ...facts };
	return asRows
		? { ...answer, rows: Rows.of(rowsOfNumbers(rows), (row) => rowAnswer(row, batch)) }
		: answer;
}

/** The answer with the batch itself as one more item where it has more numbers than rows. */
function withMissing(answer: Answer, batch: Batch, asRows: boolean): Answer {
	const { status, total, rows, body } = batch;
	const { rows: shown, record } = answer;
	const shape = asRows && isOver(batch) ? MISSING : answer.shape;
	if (!shown) return { ...answer, shape };
	if (total <= rows.length) return answer;
	const reason = `the batch is ${status}, and the service returned ${rows.length} of its ${total} rows`;
	const missing = { ...unknown(record, reason), shape, response: body };
	const rowOf = (row?: IDataObject) => (row ? rowAnswer(row, batch) : missing);
	return { ...answer, rows: Rows.of([...rowsOfNumbers(rows), undefined], rowOf) };
}

function whyNoRows(batch: Batch): string {
	const { status, total } = batch;
	return isOver(batch)
		? `the batch is ${status}, but the service returned none of its ${total} rows`
		: `the batch is ${status}, and has no rows yet`;
}

export function readBatchId(value: unknown): LocalAnswer | string {
	return readJobId(value, batchIdField.displayName, 'the ID from Submit');
}
