import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import { canBeExpression, isObject } from '../../engine/plan/values';
import { targetOf } from './jsonPointer';
import type { ListedTool } from './mcpClient';
import { without } from './without';

/** The arguments of a tool, from its JSON Schema (SPEC §4.3 does not show the tools). */

/** One argument of a tool. */
interface Argument {
	name: string;
	isRequired: boolean;
	schema: IDataObject;
}

type FieldType = NonNullable<ResourceMapperField['type']>;

const FIELD_TYPES = new Map<string, FieldType>([
	['array', 'array'],
	['boolean', 'boolean'],
	['integer', 'number'],
	['number', 'number'],
	['object', 'object'],
	['string', 'string'],
]);
/** Schemas can refer to themselves. */
const DEEPEST = 8;
const LONGEST_LABEL = 120;
const LEFT_OUT = ' (without values that n8n would run as expressions; JSON takes them)';

/**
 * The arguments as the fields of a form. Optional ones are added by the user, so that nothing is sent unasked. Choices and
 * presets that n8n would run as expressions are left out.
 */
export function argumentFields({ inputSchema }: ListedTool): ResourceMapperField[] {
	return argumentsOf(inputSchema).map(({ name, isRequired, schema }) => {
		const { default: preset } = schema;
		const all = choicesOf(schema) ?? [];
		const choices = all.filter((choice) => !canBeExpression(choice));
		const isWhole = choices.length === all.length && !canBeExpression(preset);
		return {
			id: name,
			displayName: `${labelOf(name, schema)}${isWhole ? '' : LEFT_OUT}`,
			required: isRequired,
			display: true,
			defaultMatch: false,
			canBeUsedToMatch: false,
			removed: !isRequired,
			type: choices.length > 0 ? 'options' : (FIELD_TYPES.get(typeOf(schema)) ?? 'string'),
			...(choices.length > 0 && {
				options: choices.map((value) => ({ name: String(value), value })),
			}),
			...(isScalar(preset) && !canBeExpression(preset) && { defaultValue: preset }),
		};
	});
}

/** The arguments as one line: "number (string, required), limit (integer)". */
export function describeArguments({ inputSchema }: ListedTool): string {
	return argumentsOf(inputSchema)
		.map(({ name, isRequired, schema }) => {
			const kind = choicesOf(schema)?.join(' | ') ?? (typeOf(schema) || 'any');
			return `${name} (${kind}${isRequired ? ', required' : ''})`;
		})
		.join(', ');
}

function argumentsOf(inputSchema: IDataObject): Argument[] {
	const root = resolve(inputSchema, inputSchema);
	const required = Array.isArray(root.required) ? root.required : [];
	return Object.entries(isObject(root.properties) ? root.properties : {}).map(([name, schema]) => ({
		name,
		isRequired: required.some((entry) => entry === name),
		schema: isObject(schema) ? resolve(schema, inputSchema) : {},
	}));
}

/** Replaces a local `$ref`, and alternatives of which only one is not null, by the schema that they mean. */
function resolve(schema: IDataObject, root: IDataObject, depth = 0): IDataObject {
	if (depth > DEEPEST) return schema;
	const { $ref, ...rest } = schema;
	if (typeof $ref === 'string') {
		const target = targetOf($ref, root);
		return isObject(target) ? resolve({ ...target, ...rest }, root, depth + 1) : rest;
	}
	for (const list of [schema.anyOf, schema.oneOf, schema.allOf]) {
		if (!Array.isArray(list)) continue;
		const real = list.filter(isObject).filter(({ type }) => type !== 'null');
		if (real.length !== 1) continue;
		const own = without(schema, ['allOf', 'anyOf', 'oneOf']);
		return resolve({ ...real[0], ...own }, root, depth + 1);
	}
	return schema;
}

/** The allowed values, where the schema lists them. */
function choicesOf(schema: IDataObject): Array<boolean | number | string> | undefined {
	const alternatives = [schema.oneOf, schema.anyOf].find(Array.isArray);
	const constants = alternatives?.map((entry) => (isObject(entry) ? entry.const : undefined));
	const values: unknown[] | undefined = Array.isArray(schema.enum) ? schema.enum : constants;
	const choices = values?.filter((value) => value !== null) ?? [];
	return choices.length > 0 && choices.every(isScalar) ? choices : undefined;
}

/** The JSON type; empty where the schema allows several or does not say. */
function typeOf(schema: IDataObject): string {
	const types = [schema.type].flat().filter((type) => type !== 'null');
	if (types.length === 1 && typeof types[0] === 'string') return types[0];
	if (schema.type !== undefined) return '';
	if (schema.properties !== undefined) return 'object';
	return schema.items === undefined ? '' : 'array';
}

/** n8n's forms show no description, so it goes into the label. */
function labelOf(name: string, { title, description }: IDataObject): string {
	const words = [description, title].find((text) => typeof text === 'string' && text !== '');
	const start = String(words ?? '').slice(0, 10 * LONGEST_LABEL);
	const label = words === undefined ? name : `${name} – ${start.replace(/\s+/g, ' ')}`;
	return label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label;
}

function isScalar(value: unknown): value is boolean | number | string {
	return ['boolean', 'number', 'string'].includes(typeof value);
}
