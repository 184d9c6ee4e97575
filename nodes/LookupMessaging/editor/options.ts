import type { INodeProperties } from 'n8n-workflow';
import { TOOL } from '../operations/shared/toolOnly';
import { isPricedByLookups, takesStoredResults, type AnyOperation } from '../engine/operation';
import { columnsOf } from '../engine/output/resultFields';
import {
	DEFAULT_TIMEOUT_SECONDS,
	keepsByDefault,
	maxWaitMinutesOf,
	outputFieldOf,
	timeoutSecondsOf,
} from '../engine/plan/settings';

/** The parameters that every operation has beside its own. settings.ts reads them. */

/** The order of two texts in a list, whatever their case. `localeCompare` would load ICU at the start of n8n: 6 ms. */
function alphabetically(a: string, b: string): number {
	const [first, second] = [a.toLowerCase(), b.toLowerCase()];
	return first < second ? -1 : first > second ? 1 : 0;
}

const OUTPUT_CHOICES = [
	{
		name: 'Simplified',
		value: 'simplified',
		description: 'The fields that most workflows need',
	},
	{
		name: 'Raw',
		value: 'raw',
		description: 'The unchanged reply of the service, in the field response',
	},
	{
		name: 'Selected Fields',
		value: 'selectedFields',
		description: 'Only the fields that you choose',
	},
];

const FLAT_COLUMNS = {
	name: 'Flat Columns',
	value: 'flatColumns',
	description:
		'Each value in a column of its own, such as phone_lineType. All items have the same columns, as in a CSV file.',
};

/** The 'Output' parameter. If a result has sections, they can be columns. Models get no such choice. */
function outputChoice({ sectionsField }: AnyOperation): INodeProperties[] {
	const choice: INodeProperties = {
		displayName: 'Output',
		name: 'output',
		type: 'options',
		noDataExpression: true,
		options: OUTPUT_CHOICES,
		default: 'simplified',
		description: 'Which fields each output item has',
	};
	if (sectionsField === undefined) return [choice];
	return [
		{
			...choice,
			options: [...OUTPUT_CHOICES, FLAT_COLUMNS],
			displayOptions: { hide: TOOL },
		},
		{ ...choice, displayOptions: { show: TOOL } },
	];
}

/** The 'Output' parameters of an operation, which every operation has. */
export function outputProperties(operation: AnyOperation): INodeProperties[] {
	const { output, subject } = operation;
	const age = takesStoredResults(operation) ? ['ageDays'] : [];
	const usual = [...(subject ? ['input'] : []), 'outcome'];
	const jobIds = output.filter(({ isJobId }) => isJobId).map(({ name }) => name);
	return [
		...outputChoice(operation),
		{
			displayName: 'Fields',
			name: 'selectedFields',
			type: 'multiOptions',
			options: [
				...usual,
				...['source', 'reason'],
				...age,
				...output.map(({ name }) => name),
				...columnsOf(output).map(({ name }) => name),
			]
				.sort(alphabetically)
				.map((name) => ({ name, value: name })),
			default: [...usual, ...jobIds],
			description: 'The fields to return',
			displayOptions: { show: { output: ['selectedFields'] } },
		},
	];
}

const additionalParametersOption: INodeProperties = {
	displayName: 'Additional Parameters',
	name: 'additionalParameters',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	placeholder: 'Add Parameter',
	description: 'Parameters to send that this node has no field for',
	displayOptions: { hide: TOOL },
	options: [
		{
			displayName: 'Parameter',
			name: 'parameter',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. ip',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. 203.0.113.7',
				},
			],
		},
	],
};

/** For lookups. A contact can also fail with one of its lookups. */
function alsoFailItemsIfOption(operation: AnyOperation): INodeProperties {
	const choices = [
		{
			name: 'Their Input Is Invalid',
			value: 'inputIsInvalid',
			description:
				'Otherwise invalid input is left out, or its outcome is negative or unknown. Nothing is sent for it.',
		},
	];
	if (isPricedByLookups(operation)) {
		choices.unshift({
			name: 'One of Their Lookups Fails',
			value: 'lookupFails',
			description:
				'Otherwise only its section shows the error. The other lookups are charged anyway. A retry reuses them.',
		});
	}
	return {
		displayName: 'Also Fail Items If',
		name: 'alsoFailItemsIf',
		type: 'multiOptions',
		options: choices,
		default: ['inputIsInvalid'],
		description: 'When to count an item as failed although the node could return a result for it',
		displayOptions: { hide: TOOL },
	};
}

const ifSomeItemsFailOption: INodeProperties = {
	displayName: 'If Some Items Fail',
	name: 'ifSomeItemsFail',
	type: 'options',
	options: [
		{
			name: 'Return the Paid Results, Mark the Others Unknown',
			value: 'keepPaidResults',
			description:
				'Failed items are returned as unknown, with a reason. The node fails only if no item was answered.',
		},
		{
			name: 'Stop at the First Failure',
			value: 'stopNode',
			description: 'The first failure ends the run. No further call starts.',
		},
	],
	default: 'keepPaidResults',
	description:
		'What to do when some calls fail. The On Error setting of the node takes precedence.',
	displayOptions: { hide: TOOL },
};
/** For operations other than lookups: the first failure stops the run, as users of n8n expect. */
const stopIfSomeItemsFailOption: INodeProperties = {
	...ifSomeItemsFailOption,
	default: 'stopNode',
};
const maxRequestsPerMinuteOption: INodeProperties = {
	displayName: 'Max Requests per Minute',
	name: 'maxRequestsPerMinute',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 60,
	description:
		'How many requests n8n may send in any minute. All running executions with the same account share the limit. If they set different limits, the smallest one applies. 0 means no limit.',
	displayOptions: { hide: TOOL },
};
const timeoutOption: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_TIMEOUT_SECONDS,
	description:
		'How long to wait for a reply. A call that times out may have been charged, so allow plenty of time.',
};

function maxWaitOption(operation: AnyOperation): INodeProperties {
	return {
		displayName: 'Max Wait (Minutes)',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: maxWaitMinutesOf(operation),
		description: operation.waits
			? 'How long to wait for the jobs of this run. A job that takes longer keeps running, and the error gives its ID.'
			: 'How long an item waits when the service asks for a pause. If the pause is longer, the item fails and says when to try again.',
	};
}

const recheckInconclusiveEmailsOption: INodeProperties = {
	displayName: 'Recheck Inconclusive Emails',
	name: 'recheckInconclusiveEmails',
	type: 'boolean',
	default: true,
	description:
		"Whether to repeat inconclusive email checks, whose credit the service refunds. Repeats after one minute and after four more, within Max Wait. The other items don't wait for it.",
	displayOptions: { hide: TOOL },
};

/** A lookup can return its result beside the fields of the item. */
export function inputFieldsProperties(operation: AnyOperation): INodeProperties[] {
	const { resource, subject } = operation;
	if (!subject) return [];
	const included: INodeProperties = {
		displayName: 'Include Other Input Fields',
		name: 'includeOtherInputFields',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: `Whether to keep the fields of the input item. The result is then in one field beside them, ${outputFieldOf(resource)}.`,
		displayOptions: { hide: TOOL },
	};
	return [{ ...included, default: keepsByDefault(operation) }];
}

/** A lookup may have an output for each outcome; a tool has one output only. */
export function routingProperties({ outcomes }: AnyOperation): INodeProperties[] {
	if (!outcomes) return [];
	const names = [outcomes.positive, outcomes.negative, outcomes.unknown];
	return [
		{
			displayName: 'Route by Result',
			name: 'routeByResult',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description: `Whether to give each outcome its own output: ${names.join(', ')}`,
			displayOptions: { hide: TOOL },
		},
	];
}

/** The 'Options' collection of an operation: its own options and those of the engine, alphabetically. */
export function optionProperties(operation: AnyOperation): INodeProperties {
	const options = [
		...(operation.options ?? []),
		...(operation.noAdditionalParameters ? [] : [additionalParametersOption]),
		...(operation.executesOnce ? [] : [maxRequestsPerMinuteOption]),
		{ ...timeoutOption, default: timeoutSecondsOf(operation) },
		maxWaitOption(operation),
		...(operation.refunds ? [recheckInconclusiveEmailsOption] : []),
		...(operation.outcomes || operation.oneItemPerTask ? [alsoFailItemsIfOption(operation)] : []),
		...(operation.free
			? []
			: [keepsByDefault(operation) ? ifSomeItemsFailOption : stopIfSomeItemsFailOption]),
		...(operation.subject ? [putOutputInFieldOption(operation)] : []),
	];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: options.sort((a, b) => alphabetically(a.displayName, b.displayName)),
	};
}

function putOutputInFieldOption({ resource }: AnyOperation): INodeProperties {
	return {
		displayName: 'Put Output in Field',
		name: 'putOutputInField',
		type: 'string',
		default: outputFieldOf(resource),
		description: 'Name of the field that holds the result beside the input fields',
		displayOptions: { show: { '/includeOtherInputFields': [true] }, hide: TOOL },
	};
}
