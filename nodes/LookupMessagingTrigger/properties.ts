import type { INodeProperties } from 'n8n-workflow';
import { outputProperties } from '../LookupMessaging/editor/options';
import { finishedWhenOption } from '../LookupMessaging/operations/audit/runAndWait';
import { JOB_KINDS } from './jobKinds';

/** The parameters of the trigger; n8n itself adds when to poll. settings.ts reads them. */

const FROM_LISTING = { jobsFrom: ['listing'] };

/** A field of the entries that a listing has: chosen from those that it has now, or typed. */
function entryField(
	displayName: string,
	name: string,
	preset: string,
	description: string,
	kind: string[],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'name', value: preset },
		required: true,
		description,
		displayOptions: { show: { ...FROM_LISTING, resource: kind } },
		modes: [
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: `e.g. ${preset}`,
			},
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a field…',
				typeOptions: { searchListMethod: 'searchListingFields', searchable: true },
			},
		],
	};
}

export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		// n8n finds the output preview of a node by the value of the parameter of this name
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Audit Finished',
				value: 'audit',
				description: 'When a brand audit has its results',
			},
			{
				name: 'Batch Finished',
				value: 'batch',
				description: 'When all numbers of a batch are checked',
			},
		],
		default: 'batch',
		description: 'What to wait for',
	},
	{
		displayName: 'Jobs From',
		name: 'jobsFrom',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Job IDs',
				value: 'ids',
				description: 'The jobs whose IDs you give',
			},
			{
				name: 'Tool Server Listing',
				value: 'listing',
				description:
					'Every job of the account, those of other workflows too, as a tool of the tool server lists them',
			},
		],
		default: 'ids',
		description: 'Which jobs to watch',
	},
	{
		displayName: 'Job IDs',
		name: 'jobIds',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		required: true,
		placeholder: 'e.g. 8c5f1c1e-0000-4000-8000-000000000000',
		description:
			'IDs from Submit or Run: separated by commas or line breaks, or an expression that gives an array, of IDs or of their items. Expressions are evaluated at each poll.',
		displayOptions: { show: { jobsFrom: ['ids'] } },
	},
	{
		displayName: 'Listing Tool',
		name: 'listingTool',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description:
			'The tool that lists the jobs. It is called at each poll: choose one that lists, which costs nothing.',
		displayOptions: { show: FROM_LISTING },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a tool…',
				typeOptions: { searchListMethod: 'searchListingTools', searchable: true },
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. list_batches',
			},
		],
	},
	entryField('ID Field', 'batchIdField', 'batch_id', 'The field of an entry that holds the ID', [
		'batch',
	]),
	entryField('ID Field', 'auditIdField', 'audit_id', 'The field of an entry that holds the ID', [
		'audit',
	]),
	entryField(
		'Status Field',
		'statusField',
		'status',
		'The field of an entry that says how far the job is',
		['audit', 'batch'],
	),
	{
		displayName: 'Emit',
		name: 'emit',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'One Item per Job',
				value: 'job',
				description: 'Status and counts of each batch',
			},
			{
				name: 'One Item per Result Row',
				value: 'row',
				description: 'The result of each number',
			},
		],
		default: 'row',
		description: 'What each item stands for',
		displayOptions: { show: { resource: ['batch'] } },
	},
	{
		displayName: 'Fire on Failure',
		name: 'fireOnFailure',
		type: 'boolean',
		default: false,
		description:
			'Whether to emit jobs that end badly too, and IDs that the service does not know, each as one item with a reason',
	},
	{
		displayName: 'Include Already Finished',
		name: 'includeAlreadyFinished',
		type: 'boolean',
		default: false,
		description:
			'Whether to emit jobs too that were finished already when the trigger first looks at the listing',
		displayOptions: { show: FROM_LISTING },
	},
	...Object.entries(JOB_KINDS).flatMap(([value, { operation }]) =>
		outputProperties(operation).map(
			(property): INodeProperties => ({
				...property,
				displayOptions: { show: { resource: [value], ...property.displayOptions?.show } },
			}),
		),
	),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				...finishedWhenOption,
				description:
					'Status words that mean that an audit, or a job of a listing, is finished; separated by commas',
			},
			{
				displayName: 'Tool Arguments',
				name: 'toolArguments',
				type: 'json',
				default: '{}',
				description: 'Arguments for the listing tool as a JSON object, such as {"limit": 100}',
				displayOptions: { show: { '/jobsFrom': ['listing'] } },
			},
		],
	},
];
