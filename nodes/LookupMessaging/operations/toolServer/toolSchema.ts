import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import { canBeExpression, inShort, isObject, textOf } from '../../engine/plan/values';
import type { ListedTool } from './mcpClient';

/** The arguments of a tool, from its JSON Schema (SPEC §4.3 does not show the tools). */

export interface Argument {
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
/** Maximum size of the arguments of a tool, in characters, since all of them can refer to one large schema. */
const BUDGET = 100_000;
/** The size of copying a member. */
const MEMBER = 10;
const LEFT_OUT = ' (without values that n8n would run as expressions; JSON takes them)';

/**
 * The arguments as the fields of a form. The user adds optional ones, so that nothing is sent by default. Choices and presets
 * that n8n would run as expressions are left out.
 */
export function argumentFields({ inputSchema }: ListedTool): ResourceMapperField[] {
	const budget = new Budget();
	return argumentsOf(inputSchema, budget).map(({ name, isRequired, schema }) => {
		const { default: preset } = schema;
		const all = choicesOf(schema, budget) ?? [];
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
				options: choices.map((value) => ({ name: textOf(value), value })),
			}),
			...(isScalar(preset) &&
				!canBeExpression(preset) &&
				budget.takes(textOf(preset).length) && { defaultValue: preset }),
		};
	});
}

/** The arguments as one line: "number (string, required), limit (integer)". */
export function describeArguments({ inputSchema }: ListedTool): string {
	const budget = new Budget();
	return argumentsOf(inputSchema, budget)
		.map(({ name, isRequired, schema }) => {
			const kind = choicesOf(schema, budget)?.join(' | ') ?? (typeOf(schema) || 'any');
			return `${name} (${inShort(kind, LONGEST_LABEL)}${isRequired ? ', required' : ''})`;
		})
		.join(', ');
}

/** The rest of BUDGET. Once it is used up, arguments become plain fields. */
class Budget {
	private left = BUDGET;

	get isSpent(): boolean {
		return this.left < 0;
	}

	takes(amount: number): boolean {
		this.left -= this.isSpent ? 0 : amount;
		return !this.isSpent;
	}
}

/** The arguments that a schema has, each with its own schema resolved. */
export function argumentsOf(inputSchema: IDataObject, budget = new Budget()): Argument[] {
	const root = resolve(inputSchema, inputSchema, budget);
	const required = new Set<unknown>(Array.isArray(root.required) ? root.required : []);
	return Object.entries(isObject(root.properties) ? root.properties : {}).map(([name, schema]) => ({
		name,
		isRequired: required.has(name),
		schema: isObject(schema) ? resolve(schema, inputSchema, budget) : {},
	}));
}

/** Replaces a local `$ref`, and alternatives with a single non-null one, by the schema that they mean. */
function resolve(schema: IDataObject, root: IDataObject, budget: Budget, depth = 0): IDataObject {
	if (depth > DEEPEST || budget.isSpent) return schema;
	const { $ref, ...rest } = schema;
	if (typeof $ref === 'string') {
		const target = targetOf($ref, root);
		if (!isObject(target) || !budget.takes(sizeOf(target))) return rest;
		return resolve({ ...target, ...rest }, root, budget, depth + 1);
	}
	for (const list of [schema.anyOf, schema.oneOf, schema.allOf]) {
		if (!Array.isArray(list) || !budget.takes(list.length)) continue;
		const real = list.filter(isObject).filter(({ type }) => type !== 'null');
		if (real.length !== 1 || !budget.takes(sizeOf(real[0]))) continue;
		const own = without(schema, ['allOf', 'anyOf', 'oneOf']);
		return resolve({ ...real[0], ...own }, root, budget, depth + 1);
	}
	return schema;
}

function sizeOf(schema: IDataObject): number {
	return MEMBER * (1 + Object.keys(schema).length);
}

/** The allowed values, if the schema lists them and they fit. */
function choicesOf(
	schema: IDataObject,
	budget: Budget,
): Array<boolean | number | string> | undefined {
	const alternatives = [schema.oneOf, schema.anyOf].find(Array.isArray);
	if (budget.isSpent) return undefined;
	const constants = alternatives?.map((entry) => (isObject(entry) ? entry.const : undefined));
	const values: unknown[] | undefined = Array.isArray(schema.enum) ? schema.enum : constants;
	if (!budget.takes(values?.length ?? 0)) return undefined;
	const choices = values?.filter((value) => value !== null) ?? [];
	if (choices.length === 0 || !choices.every(isScalar)) return undefined;
	const size = choices.reduce((sum: number, choice) => sum + 1 + textOf(choice).length, 0);
	return budget.takes(size) ? choices : undefined;
}

/** The JSON type; empty if the schema allows several or does not say. */
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
	const start = textOf(words).slice(0, 10 * LONGEST_LABEL);
	const label = words === undefined ? name : `${name} – ${start.replace(/\s+/g, ' ')}`;
	return label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label;
}

function isScalar(value: unknown): value is boolean | number | string {
	return ['boolean', 'number', 'string'].includes(typeof value);
}

/** Longer references are not followed: the time to read one grows with its length. */
const LONGEST = 1_000;

/**
 * The target of a reference of a JSON Schema within its own document, such as "#/$defs/Country" or "#".
 * @returns undefined for other references, and for a missing target
 */
export function targetOf(ref: string, root: unknown): unknown {
	if (!/^#(\/|$)/.test(ref) || ref.length > LONGEST) return undefined;
	let target = root;
	for (const step of stepsOf(ref.slice(1)) ?? [undefined]) {
		if (step === undefined || typeof target !== 'object' || target === null) return undefined;
		if (!Object.hasOwn(target, step)) return undefined;
		target = Reflect.get(target, step);
	}
	return target;
}

/** The names in a JSON pointer (RFC 6901) that is the fragment of a URL; undefined if it cannot be decoded. */
function stepsOf(fragment: string): string[] | undefined {
	try {
		const [, ...steps] = decodeURIComponent(fragment).split('/');
		return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
	} catch {
		return undefined;
	}
}

/** A copy of an object without some of its members. */
export function without(object: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
