import { defineOperation, negative, positive, unclear } from '../../engine/operation';
import { errorText } from '../../engine/refusals/refusal';

export const getStatus = defineOperation({
	resource: 'account',
	value: 'getStatus',
	name: 'Get Status',
	action: 'Get service status',
	description: 'Check whether the service is up. Costs nothing and needs no API key.',
	fields: [],
	free: true,
	executesOnce: true,
	rules: {
		positive: '`status` is true',
		negative: '`status` is false',
		unknown: '`status` is neither',
	},

	prepare: () => ({}),
	request: () => ({ service: 'main', method: 'GET', path: '/status', query: {} }),

	read: (body) => {
		const words = errorText(body);
		const record = { available: body.status ?? null, message: words ?? null };
		if (typeof body.status !== 'boolean') {
			return unclear(record, "the service didn't say whether it is up");
		}
		return body.status ? positive(record) : negative(record, words);
	},
	output: [
		{
			name: 'available',
			type: 'boolean',
			description: 'Whether the service is up',
			example: true,
			simplified: true,
		},
		{
			name: 'message',
			type: 'string',
			description: 'The status message of the service',
			example: 'Service is running',
			simplified: true,
		},
	],
});
