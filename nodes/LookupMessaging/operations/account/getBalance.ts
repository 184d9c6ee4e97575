import { defineOperation, type OutputField } from '../../engine/operation';
import { readBy } from '../shared/decisions';
import { BALANCES, checkBalance, balanceIn, SHOWN_BALANCES } from './balances';

export const getBalance = defineOperation({
	resource: 'account',
	value: 'getBalance',
	name: 'Get Balance',
	action: 'Get account balance',
	description: 'Get the credits left for each product. Costs nothing.',
	fields: [],
	free: true,
	executesOnce: true,
	decide: [BALANCES],

	prepare: () => ({}),
	request: () => checkBalance.request,

	read: (body, head) => {
		const balances = SHOWN_BALANCES.map(({ name, field }) => [
			name,
			balanceIn(body[field]) ?? null,
		]);
		return readBy(BALANCES, { body, head }, Object.fromEntries(balances));
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
