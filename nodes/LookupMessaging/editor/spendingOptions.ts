import type { INodeProperties } from 'n8n-workflow';
import { TOOL } from './toolVariant';
import { LEDGER_TAG } from '../engine/plan/parameters';
import { DEFAULT_LOST_REPLIES } from '../engine/plan/spendingSettings';

/** The options that limit spending, for paid operations. */
export const spendingOptions: INodeProperties[] = [
	{
		displayName: 'Ask Again After Lost Reply',
		name: 'askAgainAfterLostReply',
		type: 'boolean',
		default: false,
		description:
			'Whether Retry On Fail and loops may ask again where a reply was lost, although the first call may have been charged',
	},
	{
		displayName: 'Check Balance',
		name: 'checkBalance',
		type: 'options',
		options: [
			{
				name: 'Before',
				value: 'before',
				description: 'A run that may cost more than is left does not start',
			},
			{
				name: 'Before and After',
				value: 'beforeAndAfter',
				description: 'The receipt also says what was really taken, as far as the balances show it',
			},
			{
				name: 'Off',
				value: 'off',
				description: 'The balances are not read',
			},
		],
		default: 'off',
		description: 'When to read the credits left. Costs nothing.',
	},
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description:
			'Whether to send nothing and give one item that says what the run would ask and cost at most',
	},
	{
		displayName: 'Leave at Least',
		name: 'leaveAtLeast',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add Balance',
		description:
			'Credits that this node leaves in the account, by balance. A run that may need them does not start, and no further call is made that might. The balances are read before the run and after every 10 credits; that costs nothing.',
		options: [
			{
				displayName: 'Floor',
				name: 'floor',
				values: [
					{
						displayName: 'Balance',
						name: 'balance',
						type: 'options',
						options: [
							{ name: 'Email', value: 'email' },
							{ name: 'IP Geolocation', value: 'geoip' },
							{ name: 'Phone', value: 'phone' },
							{ name: 'WhatsApp', value: 'whatsapp' },
						],
						default: 'email',
						description: 'The balance that keeps the credits',
					},
					{
						displayName: 'Credits',
						name: 'credits',
						type: 'number',
						typeOptions: { minValue: 0 },
						default: 0,
						description: 'How many credits to leave',
					},
				],
			},
		],
	},
	{
		displayName: 'Ledger Output',
		name: 'ledgerOutput',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether to put out one row per paid call on an output of its own: when, for which item, from which balance, how many credits, and under which tag',
		displayOptions: { hide: TOOL },
	},
	{
		...LEDGER_TAG,
		displayOptions: { show: { ledgerOutput: [true] }, hide: TOOL },
	},
	{
		displayName: 'Max Paid Lookups',
		name: 'maxPaidLookups',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'How many paid lookups this node may make in one execution; a batch counts its numbers, a contact each of its lookups. A run that would need more does not start. A Wait of 65 seconds and more keeps the count, but not the answers. 0 means no limit.',
		displayOptions: { hide: TOOL },
	},
	{
		displayName: 'Stop After Lost Replies',
		name: 'stopAfterLostReplies',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: DEFAULT_LOST_REPLIES,
		description:
			'After how many lost replies in a row to make no further paid call of the kind, since each of them may have been charged. Calls that are under way by then (up to Max Concurrent Requests) may be lost as well. 0 means never.',
	},
];
