import type { INodeProperties } from 'n8n-workflow';
import type { AnyOperation } from '../engine/operation';
import { DEFAULT_TOOL_LOOKUPS } from '../engine/plan/settings';
import { TOOL } from '../operations/shared/toolOnly';

/**
 * The differences when a model calls the node. n8n derives a second node type from this one, for AI agents and MCP servers. The
 * `displayOptions` key `@tool` selects parameters of one of the two.
 */

/** The fields of an operation. A field with another default for models occurs twice. */
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

/** The tool description for the model. By default n8n would show it the `action` of the operation only. */
export function toolDescriptionProperty(operation: AnyOperation): INodeProperties {
	return {
		displayName: 'Description',
		// The name by which n8n looks for it
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 8 },
		default: describeTool(operation),
		description: 'What the model is told about this tool',
		displayOptions: { show: TOOL },
	};
}

/** The spending limit: a visible parameter, which the model cannot fill in. */
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
				'How many paid lookups this tool may make in one execution. Each number of a batch, each lookup of a contact and each entry of a list in the arguments of Call Tool counts. The tool refuses a call that would need more, and tells the model why. The count goes on after a Wait. 0 takes the limit away: the tool may then make any number.',
			displayOptions: { show: TOOL },
		},
	];
}

/** What the operation does, its arguments, its results and the cost of a call. */
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

/** How its arguments are written. A model sees the names of the fields, but not their descriptions. */
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
	return examples.length > 0 ? `Examples: ${examples.join(', ')}` : undefined;
}

function costOf({ free, outcomes, repeatable, isFinal }: AnyOperation): string {
	if (free) return 'Call it as often as you need';
	if (isFinal) return 'Each call may cost credits: call it only when you need to';
	return outcomes || repeatable
		? 'Costs credits: look up each value only once'
		: "Each call repeats the action and may cost credits: call it once. After an error, call it again only if the error says that you weren't charged";
}
