import type { INodeProperties } from 'n8n-workflow';
import { TOOL } from './toolVariant';
import { LEDGER_TAG } from '../engine/plan/parameters';
import { DEFAULT_LOST_REPLIES } from '../engine/plan/spendingSettings';

/** For lookups. What acts, such as a message, is never repeated. */
export const askAgainOption: INodeProperties = {
	displayName: 'Ask Again After Lost Reply',
	name: 'askAgainAfterLostReply',
	type: 'boolean',
	default: false,
	description:
		'Whether Retry On Fail and loops may repeat a lookup whose reply was lost. The first call may have been charged.',
};

/** The options that limit spending, for paid operations. */
export const spendingOptions: INodeProperties[] = [
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
		default: 'off',
		description: 'When to read how many credits are left, which costs nothing',
	},
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description:
			'Whether to send nothing and return one item that says how many calls the run would make and what it would cost at most',
	},
	{
		displayName: 'Leave at Least',
		name: 'leaveAtLeast',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add Balance',
		description:
			"How many credits to keep in the account, per balance. A run that may need them doesn't start, and a running one stops before them. The balances are read before the run and after every 10 credits, which costs nothing.",
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
	},
	{
		displayName: 'Ledger Output',
		name: 'ledgerOutput',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether to add an output with one row per paid call: its time, item, balance, credits and tag',
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
			"How many paid lookups this node may make in one execution. Each number of a batch and each lookup of a contact counts. A run that would need more doesn't start. A Wait of 65 seconds or more keeps the count, but not the remembered answers. 0 means no limit.",
		displayOptions: { hide: TOOL },
	},
	{
		displayName: 'Stop After Lost Replies',
		name: 'stopAfterLostReplies',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: DEFAULT_LOST_REPLIES,
		description:
			'Stops paid calls of the same kind after this many lost replies in a row, because each of them may have been charged. Calls that are already running may be lost, too. 0 means never.',
	},
];
