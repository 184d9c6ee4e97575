import { defineOperation, positive, type OutputField, unclear } from '../../engine/operation';
import { orNull } from '../../engine/plan/values';
import { hasError, refused } from '../../engine/refusals/refusal';
import { checkBalance, SHOWN_BALANCES } from './balances';

export const getBalance = defineOperation({
	resource: 'account',
	value: 'getBalance',
	name: 'Get Balance',
	action: 'Get account balance',
	description: 'Get the credits left for each product. Costs nothing.',
	fields: [],
	free: true,
	executesOnce: true,
	rules: {
		positive: 'the balances',
		unknown: 'no balance is named',
		refused: '`status` is false or there is an `error`',
	},

	prepare: () => ({}),
	request: () => checkBalance.request,

	read: (body, head) => {
		if (body.status === false || hasError(body)) return refused(body, head);
		const balances = SHOWN_BALANCES.map(({ name, field }) => [name, orNull(body[field])]);
		const record = Object.fromEntries(balances);
		return balances.some(([, balance]) => typeof balance === 'number')
			? positive(record)
			: unclear(record, 'the service returned no balance');
	},
	output: SHOWN_BALANCES.map(
		({ name, product }): OutputField => ({
			name,
			type: 'number',
			description: `Credits left for ${product}`,
			example: 1000,
			simplified: true,
		}),
	),
});
