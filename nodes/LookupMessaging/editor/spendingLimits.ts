import type { INodeProperties } from 'n8n-workflow';
import { TOOL } from '../operations/shared/toolOnly';
import { COST_LOG } from '../features/costLog';
import { MAX_PAID_LOOKUPS_PER_DAY } from '../features/paidLookupsPerDay';

/** Alphabetically. A tool has its limit on the form, and can have a minimum balance. */
const limits: INodeProperties[] = [
	{
		displayName: 'Check Balance',
		name: 'checkBalance',
		type: 'options',
		options: [
			{
				name: 'Before',
				value: 'before',
				description: "The run doesn't start if it may cost more than you have left",
			},
			{
				name: 'Before and After',
				value: 'beforeAndAfter',
				description: 'The receipt also says how many credits were taken from each balance',
			},
			{
				name: 'Off',
				value: 'off',
				description: "The balances aren't read",
			},
		],
		default: 'before',
		description: 'When to read how many credits are left, which costs nothing',
		displayOptions: { hide: TOOL },
	},
	{ ...COST_LOG, displayOptions: { hide: TOOL } },
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: true,
		description:
			'Whether to send nothing and return one item that says how many calls the run would make and what it would cost at most',
		displayOptions: { hide: TOOL },
	},
	{
		displayName: 'Max Paid Lookups',
		name: 'maxPaidLookups',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 100,
		description:
			"How many paid lookups this node may make in one execution. Each number of a batch, each lookup of a contact and each entry of a list in the arguments of Call Tool counts. A run that would need more doesn't start. The count goes on after a Wait. After a Wait of 65 seconds or more, the node no longer remembers its answers. 0 takes the limit away: the node may then make any number. An expression that comes to 0 allows none.",
		displayOptions: { hide: TOOL },
	},
	{ ...MAX_PAID_LOOKUPS_PER_DAY, displayOptions: { hide: TOOL } },
];

const BALANCES = [
	{ name: 'Email', value: 'email' },
	{ name: 'GeoIP', value: 'geoip' },
	{ name: 'Phone', value: 'phone' },
	{ name: 'WhatsApp', value: 'whatsapp' },
];

const minimumBalance = (balance: string): INodeProperties => ({
	displayName: 'Minimum Balance',
	name: 'minimumBalance',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	placeholder: 'Add Balance',
	description:
		"How many credits to keep in the account, per balance. A run that may need them doesn't start, and a running one stops before them. The balances are read before the run and after every 10 credits, which costs nothing.",
	options: [
		{
			displayName: 'Balance',
			name: 'balances',
			values: [
				{
					displayName: 'Balance',
					name: 'balance',
					type: 'options',
					options: BALANCES,
					default: balance,
					description: 'The balance to protect',
				},
				{
					displayName: 'Credits',
					name: 'credits',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 0,
					description: 'How many credits to keep',
				},
			],
		},
	],
});

/** The 'Spending Limits' collection, by the balance that a new row of Minimum Balance protects. */
export const SPENDING_LIMITS: Partial<Record<string, INodeProperties>> = Object.fromEntries(
	BALANCES.map(({ value }) => [
		value,
		{
			displayName: 'Spending Limits',
			name: 'spendingLimits',
			type: 'collection',
			placeholder: 'Add Limit',
			default: {},
			options: [...limits, minimumBalance(value)],
		},
	]),
);
