import type { OutputField } from '../../engine/operation';

/** The fields of one number of a batch (SPEC §2.4, result row). */
export const ROW_FIELDS: OutputField[] = [
	{
		name: 'batchId',
		type: 'string',
		description: 'ID of the batch',
		example: '8c5f1c1e-0000-4000-8000-000000000000',
		simplified: true,
		ofCall: true,
		isJobId: true,
	},
	{
		name: 'submittedNumber',
		type: 'string',
		description: 'The number as submitted',
		example: '+44 20 7946 0018',
	},
	{
		name: 'phoneNumber',
		type: 'string',
		description: 'The number in E.164 format',
		example: '+442079460018',
		simplified: true,
	},
	{
		name: 'onWhatsApp',
		type: 'boolean',
		description: 'Whether the number has an active WhatsApp account',
		example: true,
		simplified: true,
	},
	{
		name: 'businessAccount',
		type: 'boolean',
		description: 'Whether the account is a WhatsApp Business account',
		example: false,
		simplified: true,
	},
	{
		name: 'carrier',
		type: 'string',
		description: 'Network operator; null if unknown',
		example: 'Example Telecom',
		simplified: true,
	},
	{
		name: 'countryCode',
		type: 'string',
		description: 'Country as a two-letter code (ISO 3166-1)',
		example: 'GB',
		simplified: true,
	},
	{
		name: 'rowStatus',
		type: 'string',
		description: 'pending, completed or failed',
		example: 'completed',
	},
	{
		name: 'validation',
		type: 'object',
		description:
			'All that the service found out about the number, as it came: carrier, location, time zone and more; null where it gives none',
		example: { status: 'VALID_CONFIRMED', linetype: 'Mobile' },
	},
];

export const BATCH_FIELDS: OutputField[] = [
	{
		name: 'batchId',
		type: 'string',
		description: 'ID of the batch. Getting it costs nothing.',
		example: '8c5f1c1e-0000-4000-8000-000000000000',
		simplified: true,
		isJobId: true,
	},
	{
		name: 'status',
		type: 'string',
		description: 'processing or completed',
		example: 'processing',
		simplified: true,
	},
	{
		name: 'totalNumbers',
		type: 'number',
		description: 'How many different numbers the batch has',
		example: 1000,
		simplified: true,
	},
];
