import { type DecisionTable, defineOperation } from '../../engine/operation';
import { errorText } from '../../engine/refusals/refusal';
import { FAILS, HAS_NO_TROUBLE, is, readBy, STATUS_IS_FALSE, SUCCEEDS } from '../shared/decisions';
import { flagIn } from '../shared/replyWords';

/** SPEC §2.1, StatusResponse. */
const REPLIES: DecisionTable = {
	rows: [
		{ when: [STATUS_IS_FALSE], says: 'negative', why: ({ body }) => errorText(body) },
		{ ...FAILS, says: 'unclear' },
		{ when: [is('status', true), SUCCEEDS, HAS_NO_TROUBLE], says: 'positive' },
		{ when: [is('status', true)], says: 'unclear', why: ({ body }) => errorText(body) },
	],
	answers: ['available'],
	otherwise: "the service didn't say whether it is up",
};

export const getStatus = defineOperation({
	resource: 'account',
	value: 'getStatus',
	name: 'Get Status',
	action: 'Get service status',
	description: 'Check whether the service is up. Costs nothing and needs no API key.',
	fields: [],
	free: true,
	executesOnce: true,
	decide: [REPLIES],

	prepare: () => ({}),
	request: () => ({ service: 'main', method: 'GET', path: '/status', query: {} }),

	read: (body, head) =>
		readBy(
			REPLIES,
			{ body, head },
			{ available: flagIn(body.status), message: errorText(body) ?? null },
		),
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
