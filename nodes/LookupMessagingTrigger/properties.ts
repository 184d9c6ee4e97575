import type { INodeProperties } from 'n8n-workflow';
import { outputProperties } from '../LookupMessaging/editor/options';
import { finishedWhenOption } from '../LookupMessaging/operations/audit/runAndWait';
import { JOB_KINDS } from './jobKinds';

/** The parameters of the trigger; n8n itself adds when to poll. settings.ts reads them. */

const FROM_LISTING = { jobsToWatch: ['fromTool'] };
/** With these the trigger itself finds the jobs. */
const FOUND = { jobsToWatch: ['all', 'fromTool'] };

/** A field of the entries of a listing: chosen from the present ones, or typed. */
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

function notice(name: string, noun: string, starts: string): INodeProperties {
	return {
		displayName: `Starts once for every ${noun} of the account that the tool server lists, when it finishes, whichever workflow ${starts} it. You don't need its ID. The list comes from the tool server and is free. The credential needs the <b>Tool Server URL</b>.`,
		name,
		type: 'notice',
		default: '',
		displayOptions: { show: { jobsToWatch: ['all'], resource: [noun] } },
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
				name: 'Batch Finished',
				value: 'batch',
				description: 'Starts when all numbers of a batch of WhatsApp checks are checked',
			},
			{
				name: 'Audit Finished',
				value: 'audit',
				description: 'Starts when the results of a brand audit are ready',
			},
		],
		default: 'batch',
		description: 'What starts the workflow',
	},
	{
		displayName: 'Jobs to Watch',
		name: 'jobsToWatch',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'All',
				value: 'all',
				description:
					'Every batch or audit of the account that the tool server lists, whichever workflow starts it',
			},
			{
				name: 'By ID',
				value: 'byId',
				description: 'Only the batches or audits whose IDs you enter',
			},
			{
				name: 'From a Tool',
				value: 'fromTool',
				description: 'The batches or audits that a tool of your tool server lists',
			},
		],
		default: 'all',
		description: 'Which batches or audits to watch',
	},
	notice('allBatches', 'batch', 'submits'),
	notice('allAudits', 'audit', 'starts'),
	{
		displayName: 'Job IDs',
		name: 'jobIds',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		required: true,
		placeholder: 'e.g. 8c5f1c1e-0000-4000-8000-000000000000',
		description:
			'The IDs of the jobs to watch, separated by commas or line breaks. An expression can return an array, and is evaluated at each poll. Each poll fetches a running audit, which may cost.',
		hint: 'Batch → Submit returns batchId, and Audit → Run returns auditId',
		displayOptions: { show: { jobsToWatch: ['byId'] } },
	},
	{
		displayName: 'Listing Tool',
		name: 'listingTool',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description:
			'The tool that lists the jobs. It is called at each poll, so choose one that costs nothing.',
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
	entryField('ID Field', 'batchIdField', 'batch_id', 'The listed field that holds the batch ID', [
		'batch',
	]),
	entryField('ID Field', 'auditIdField', 'audit_id', 'The listed field that holds the audit ID', [
		'audit',
	]),
	entryField(
		'Status Field',
		'statusField',
		'status',
		'The listed field that holds the status of the job',
		['audit', 'batch'],
	),
	{
		displayName: 'Split Into Items',
		name: 'splitIntoItems',
		type: 'boolean',
		default: true,
		description:
			'Whether to return one item per number, instead of one item with the status and the counts of the batch',
		displayOptions: { show: { resource: ['batch'] } },
	},
	{
		displayName: 'Include Failed Jobs',
		name: 'includeFailedJobs',
		type: 'boolean',
		default: false,
		description:
			'Whether to start the workflow for failed jobs and unknown IDs, too. Each is one item with a reason.',
	},
	{
		displayName: 'Include Already Finished',
		name: 'includeAlreadyFinished',
		type: 'boolean',
		default: false,
		description:
			'Whether to start for jobs that had already finished when the workflow was activated, too',
		displayOptions: { show: FOUND },
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
					'Status words that mean an audit or a listed job is finished, separated by commas',
			},
			{
				displayName: 'Tool Arguments',
				name: 'toolArguments',
				type: 'json',
				default: '{}',
				description: 'Arguments of the listing tool as a JSON object, such as {"limit": 100}',
				displayOptions: { show: { '/jobsToWatch': ['fromTool'] } },
			},
		],
	},
];
