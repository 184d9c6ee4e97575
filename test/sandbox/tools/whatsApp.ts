import { countersOf, type Batch } from '../jobs/batches';
import { answered, type ServiceState } from '../http/endpoint';
import { pollBatch, submitBatch } from '../routes/batch';
import { sendMessage } from '../routes/send';
import {
	askEndpoint,
	backedBy,
	changed,
	LIMIT,
	limited,
	PHONE_NUMBER,
	text,
	withAccount,
	type Tool,
} from './tool';

/** Batches of WhatsApp checks, and sending. */
export const whatsAppTools: Tool[] = [
	{
		name: 'submit_whatsapp_batch',
		description:
			'Check up to 1000 numbers on WhatsApp in the background. Costs 1 WhatsApp credit per unique number.',
		properties: {
			phone_numbers: {
				type: 'array',
				description: 'Phone numbers in E.164',
				items: { type: 'string' },
			},
		},
		required: ['phone_numbers'],
		answer: (args, call) => askEndpoint(submitBatch, call, { json: args }),
	},
	{
		name: 'get_whatsapp_batch',
		description: 'How far a batch is, with its results so far. Free.',
		properties: {
			batch_id: text('ID that submit_whatsapp_batch returned'),
			include_results: {
				type: 'boolean',
				description: 'Whether the result rows are returned too',
				default: true,
			},
		},
		required: ['batch_id'],
		answer: async ({ batch_id, include_results = true }, call) => {
			const params = { batch_id: batch_id as string };
			const reply = await askEndpoint(pollBatch, call, { params });
			return include_results ? reply : changed(reply, (body) => ({ ...body, results: undefined }));
		},
	},
	{
		name: 'list_whatsapp_batches',
		description: 'The batches of the account, newest first. Free.',
		properties: {
			status: {
				type: 'string',
				description: 'Only batches with this status',
				enum: ['processing', 'completed'],
			},
			limit: LIMIT,
		},
		required: [],
		answer: withAccount((args, { account, state }) => {
			const batches = state.batches.of(account.key).map((batch) => entryOf(batch, state));
			const wanted = batches.filter(({ status }) => status === (args.status ?? status));
			return answered({ batches: limited(wanted, args) });
		}),
	},
	{
		name: 'send_whatsapp_message',
		description: 'Send a text message on WhatsApp. Costs 1 WhatsApp credit.',
		properties: { number: PHONE_NUMBER, message: text('Text of the message') },
		required: ['number', 'message'],
		answer: backedBy(sendMessage),
	},
];

const entryOf = (batch: Batch, { batches }: ServiceState) => ({
	batch_id: batch.id,
	...countersOf(batch, batches.processed(batch)),
	created_at: new Date(batch.at).toISOString(),
});
