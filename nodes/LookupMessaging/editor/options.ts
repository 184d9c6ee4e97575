import type { INodeProperties } from 'n8n-workflow';
import { lifetimeOptions } from './knownAnswers';
import { spendingOptions } from './spendingOptions';
import { TOOL } from './toolVariant';
import { takesKnownAnswers, type AnyOperation } from '../engine/operation';
import {
	DEFAULT_CONCURRENCY,
	DEFAULT_TIMEOUT_SECONDS,
	keepsByDefault,
	maxWaitMinutesOf,
	timeoutSecondsOf,
} from '../engine/plan/settings';

/** The parameters that every operation has beside its own. settings.ts reads them. */

/** The order of two texts in a list, whatever their case. `localeCompare` would load ICU at the start of n8n: 6 ms. */
export function alphabetically(a: string, b: string): number {
	const [first, second] = [a.toLowerCase(), b.toLowerCase()];
	return first < second ? -1 : Number(first > second);
}

const OUTPUT_CHOICES = [
	{
		name: 'Simplified',
		value: 'simplified',
		description: 'The fields that most workflows need, with the same names for every endpoint',
	},
	{
		name: 'Raw',
		value: 'raw',
		description: "The service's answer as it came, under response",
	},
	{
		name: 'Selected Fields',
		value: 'selectedFields',
		description: 'Only the fields that you choose',
	},
];

/** The 'Output' parameters of an operation, which every operation has. */
export function outputProperties(operation: AnyOperation): INodeProperties[] {
	const { output, subject } = operation;
	const age = takesKnownAnswers(operation) ? ['ageDays'] : [];
	const names = [...(subject ? ['input'] : []), 'outcome', 'source', 'reason', ...age];
	return [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			noDataExpression: true,
			options: OUTPUT_CHOICES,
			default: 'simplified',
			description: 'What each item holds',
		},
		{
			displayName: 'Fields',
			name: 'selectedFields',
			type: 'multiOptions',
			options: [...names, ...output.map(({ name }) => name)]
				.sort(alphabetically)
				.map((name) => ({ name, value: name })),
			default: [...(subject ? ['input'] : []), 'outcome'],
			description: 'The fields to keep',
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
	description:
		'Parameters that the service knows and this node has no field for; sent with the others',
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
const failOnMalformedInputOption: INodeProperties = {
	displayName: 'Fail on Malformed Input',
	name: 'failOnMalformedInput',
	type: 'boolean',
	default: false,
	description:
		'Whether an input that is empty or cannot be right is an error, before anything is sent, instead of a negative or unknown outcome',
};
const ifSomeItemsFailOption: INodeProperties = {
	displayName: 'If Some Items Fail',
	name: 'ifSomeItemsFail',
	type: 'options',
	options: [
		{
			name: 'Keep Paid Answers',
			value: 'keepPaidAnswers',
			description:
				'Failed items come out as unknown with a reason; fails only if no item was answered',
		},
		{
			name: 'Stop the Node',
			value: 'stopNode',
			description: 'The first failure ends the run; no further call is started',
		},
	],
	default: 'keepPaidAnswers',
	description: 'What to do when some calls fail. The On Error setting of the node goes first.',
};
/** For operations other than lookups: the first failure stops the run, as users of n8n expect. */
const stopIfSomeItemsFailOption: INodeProperties = {
	...ifSomeItemsFailOption,
	default: 'stopNode',
};
const includeInputFieldsOption: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: false,
	description: 'Whether to keep the fields of the input item, with the result beside them',
	displayOptions: { hide: TOOL },
};
const maxConcurrentRequestsOption: INodeProperties = {
	displayName: 'Max Concurrent Requests',
	name: 'maxConcurrentRequests',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 500 },
	default: DEFAULT_CONCURRENCY,
	description: 'How many requests may be under way at once',
};
const timeoutOption: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_TIMEOUT_SECONDS,
	description:
		'How long to wait for an answer. A call that is given up may still be charged, so leave it generous.',
};

function maxWaitOption(operation: AnyOperation): INodeProperties {
	return {
		displayName: 'Max Wait (Minutes)',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: maxWaitMinutesOf(operation),
		description: operation.waits
			? 'How long to wait for the jobs of this run. A job that takes longer goes on, and its ID is in the error.'
			: 'How long an item waits when the service asks for a pause. One that would have to wait longer fails, with the time from which it could work.',
	};
}

const retryInconclusiveOption: INodeProperties = {
	displayName: 'Retry Inconclusive',
	name: 'retryInconclusive',
	type: 'boolean',
	default: false,
	description:
		'Whether to ask up to twice more where the service could not tell and gave the credit back: after a minute, and four minutes later, within Max Wait. The other items go on meanwhile.',
};

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
			description: `Whether each result has an output of its own: ${names.join(', ')}`,
			displayOptions: { hide: TOOL },
		},
	];
}

/** The 'Options' collection of an operation: its own options and those of the engine, alphabetically. */
export function optionProperties(operation: AnyOperation): INodeProperties {
	const options = [
		...(operation.options ?? []),
		...(operation.noAdditionalParameters ? [] : [additionalParametersOption]),
		maxConcurrentRequestsOption,
		{ ...timeoutOption, default: timeoutSecondsOf(operation) },
		maxWaitOption(operation),
		...(operation.free ? [] : spendingOptions),
		...(operation.refunds ? [retryInconclusiveOption] : []),
		...(operation.outcomes ? [failOnMalformedInputOption] : []),
		...lifetimeOptions(operation),
		...(operation.free
			? []
			: [keepsByDefault(operation) ? ifSomeItemsFailOption : stopIfSomeItemsFailOption]),
		...(operation.subject
			? [includeInputFieldsOption, resultFieldOption(`${operation.resource}Result`)]
			: []),
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

function resultFieldOption(defaultName: string): INodeProperties {
	return {
		displayName: 'Put Result in Field',
		name: 'putResultInField',
		type: 'string',
		default: defaultName,
		description: 'Name of the output field that takes the result when Include Input Fields is on',
		displayOptions: { hide: TOOL },
	};
}
