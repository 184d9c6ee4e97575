import type { INodeProperties } from 'n8n-workflow';
import type { AnyOperation } from './operation';

/**
 * What is different where a model calls: n8n makes a second node type of this one, for AI agents and MCP servers, whose
 * parameters can be told apart from the others by `@tool`.
 */

/** Most paid lookups where a model decides what to ask: five contacts with all their lookups. */
export const DEFAULT_TOOL_LOOKUPS = 25;

/** The `displayOptions` key of n8n that tells a tool; for `show` and `hide`. */
export const TOOL = { '@tool': [true] };

/** The fields of an operation; twice those that have another default where a model calls. */
export function fieldsOf({ fields, toolDefaults = {} }: AnyOperation): INodeProperties[] {
	return fields.flatMap((field) => {
		if (!(field.name in toolDefaults)) return [field];
		const { show, hide } = field.displayOptions ?? {};
		return [
			{ ...field, displayOptions: { ...(show && { show }), hide: { ...hide, ...TOOL } } },
			{
				...field,
				default: toolDefaults[field.name],
				displayOptions: { show: { ...show, ...TOOL }, ...(hide && { hide }) },
			},
		];
	});
}

/** What the model is told. n8n itself would tell it the `action` of the operation and nothing else. */
export function toolDescriptionProperty(operation: AnyOperation): INodeProperties {
	return {
		displayName: 'Description',
		// The name by which n8n looks for it
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 5 },
		default: describeTool(operation),
		description: 'What the model is told of this tool, to choose it and to fill it in',
		displayOptions: { show: TOOL },
	};
}

/** The limit of spending, in plain sight and not for the model to fill in. */
export function toolLimitProperties({ free }: AnyOperation): INodeProperties[] {
	if (free) return [];
	return [
		{
			displayName: 'Max Paid Lookups',
			name: 'maxPaidLookups',
			type: 'number',
			noDataExpression: true,
			typeOptions: { minValue: 0 },
			default: DEFAULT_TOOL_LOOKUPS,
			description:
				'How many paid lookups this tool may make in one execution; a batch counts its numbers, a contact each of its lookups. A call that would need more is refused, and the model is told so. 0 means no limit.',
			displayOptions: { show: TOOL },
		},
	];
}

/** What the operation does, what it is given and answers, and what calling it means to the account. */
function describeTool(operation: AnyOperation): string {
	const { description, outcomes } = operation;
	return [
		description,
		examplesOf(operation),
		outcomes &&
			`The outcome is positive (${outcomes.positive}), negative (${outcomes.negative}) or unknown, with a reason`,
		costOf(operation),
	]
		.filter((text) => text)
		.map((text) => `${text}`.replace(/\.?$/, '.'))
		.join(' ');
}

/** How its arguments are written. A model sees the names of the fields it fills in, and none of their descriptions. */
function examplesOf({ fields, toolDefaults = {} }: AnyOperation): string | undefined {
	const presets = fields.map(({ name, default: value }) => [name, toolDefaults[name] ?? value]);
	const preset = Object.fromEntries(presets) as Record<string, unknown>;
	const isShown = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
		Object.entries(show).every(([name, values]) =>
			values?.some((value) => [preset[name]].flat().includes(value)),
		);
	const examples = fields
		.filter(isShown)
		.flatMap(({ displayName, placeholder = '' }) =>
			placeholder.startsWith('e.g. ') ? [`${displayName} "${placeholder.slice(5)}"`] : [],
		);
	return examples.length > 0 ? `Values are written like: ${examples.join(', ')}` : undefined;
}

function costOf({ free, outcomes, repeatable, isFleeting }: AnyOperation): string {
	if (free) return 'It may be called as often as needed';
	if (isFleeting) return 'Each call may cost credits: call it no more often than needed';
	return outcomes || repeatable
		? 'Costs credits: ask about each value once'
		: 'Each call does it anew and may cost credits: call it once, and after an error only if that says that nothing was spent';
}
