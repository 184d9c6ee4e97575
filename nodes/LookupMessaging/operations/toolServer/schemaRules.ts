import type { IDataObject } from 'n8n-workflow';
import { isObject, textOf } from '../../engine/plan/values';

/** The keywords of JSON Schema that a tool's answer is held to, each as a rule. */

/** What does not fit. */
export interface Problem {
	words: string;
	/** Where it is, innermost first. */
	steps: Array<number | string>;
}

/** What the rules need of the check that they are part of. */
export interface Check {
	problemWith(value: unknown, schema: unknown): Problem | undefined;
	/** The first problem of a list, as far as the steps reach. Making the list is paid for as well. */
	first<T>(
		list: T[],
		problemOf: (entry: T, index: number) => Problem | undefined,
	): Problem | undefined;
	/** What a `$ref` names. */
	targetOf(ref: string): unknown;
	/** Takes something as fitting that it does not understand. */
	skip(): undefined;
	/** How often something was skipped. */
	readonly skips: number;
	/** Whether there are steps left. Where not, everything else is taken as fitting. */
	spend(steps?: number): boolean;
}

/** What is wrong with a value, by the operand of a keyword and the schema that has the keyword. */
type Rule = (
	value: unknown,
	operand: unknown,
	check: Check,
	schema: IDataObject,
) => Problem | undefined;

/** How deep lists and objects are compared. */
const MOST_LEVELS = 200;
/** Characters that are compared or counted for one step. */
const CHARACTERS_PER_STEP = 1_000;

/** Keywords that say nothing about the value, or that the rule of another one reads. */
export const WITHOUT_RULE = new Set([
	'$anchor',
	'$comment',
	'$defs',
	'$id',
	'$schema',
	'default',
	'definitions',
	'deprecated',
	'description',
	'examples',
	'nullable',
	'readOnly',
	'title',
	'writeOnly',
]);

const TYPES = new Map<unknown, (value: unknown) => boolean>([
	['array', Array.isArray],
	['boolean', (value) => typeof value === 'boolean'],
	['integer', Number.isInteger],
	['null', (value) => value === null],
	['number', (value) => typeof value === 'number'],
	['object', isObject],
	['string', (value) => typeof value === 'string'],
]);
/** Integers that JavaScript would round come as text (`exactIntegers.ts`). */
const LONG_INTEGER = /^-?\d{16,}$/;
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

export const RULES = new Map<string, Rule>([
	['$ref', checkReference],
	['type', checkType],
	['enum', checkEnum],
	['const', checkConst],
	['properties', checkProperties],
	['required', checkRequired],
	['additionalProperties', checkOthers],
	['prefixItems', checkFirstItems],
	['items', checkItems],
	['minItems', limit('has fewer entries than', countOf, (count, least) => count < least)],
	['maxItems', limit('has more entries than', countOf, (count, most) => count > most)],
	['minimum', limit('is less than', numberOf, (number, least) => number < least)],
	['maximum', limit('is more than', numberOf, (number, most) => number > most)],
	['exclusiveMinimum', limit("isn't above", numberOf, (number, bound) => number <= bound)],
	['exclusiveMaximum', limit("isn't below", numberOf, (number, bound) => number >= bound)],
	['minLength', limit('has fewer characters than', lengthOf, (length, least) => length < least)],
	['maxLength', limit('has more characters than', lengthOf, (length, most) => length > most)],
	['allOf', checkAll],
	['anyOf', (value, schemas, check) => checkAlternatives(value, schemas, check, Infinity)],
	['oneOf', (value, schemas, check) => checkAlternatives(value, schemas, check, 1)],
]);

function checkReference(value: unknown, ref: unknown, check: Check): Problem | undefined {
	return typeof ref === 'string' ? check.problemWith(value, check.targetOf(ref)) : check.skip();
}

function checkType(
	value: unknown,
	type: unknown,
	check: Check,
	schema: IDataObject,
): Problem | undefined {
	const names: unknown[] = Array.isArray(type) ? type : [type];
	const isKnown = names.length <= TYPES.size && names.every((name) => TYPES.has(name));
	if (!isKnown || names.length === 0) return check.skip();
	if (names.some((name) => TYPES.get(name)?.(value))) return undefined;
	const isNumeric = names.includes('integer') || names.includes('number');
	if (isNumeric && typeof value === 'string' && LONG_INTEGER.test(value)) return check.skip();
	if (value === null && schema.nullable === true) return check.skip();
	if (names.length > 1) return problem(`isn't one of these: ${names.join(', ')}`);
	const name = textOf(names[0]);
	if (name === 'null') return problem("isn't null");
	return problem(`isn't ${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`);
}

function checkEnum(value: unknown, values: unknown, check: Check): Problem | undefined {
	if (!Array.isArray(values)) return check.skip();
	const isAllowed = values.some((allowed) => isSame(value, allowed, check));
	return isAllowed ? undefined : problem("isn't one of the allowed values");
}

function checkConst(value: unknown, allowed: unknown, check: Check): Problem | undefined {
	return isSame(value, allowed, check) ? undefined : problem("isn't the one allowed value");
}

function checkProperties(value: unknown, schemas: unknown, check: Check) {
	if (!isObject(schemas)) return check.skip();
	if (!isObject(value)) return undefined;
	return check.first(Object.entries(schemas), ([name, schema]) =>
		Object.hasOwn(value, name) ? at(name, check.problemWith(value[name], schema)) : undefined,
	);
}

function checkRequired(value: unknown, names: unknown, check: Check) {
	if (!Array.isArray(names)) return check.skip();
	if (!isObject(value)) return undefined;
	return check.first(names, (name: unknown) => {
		if (typeof name !== 'string') return check.skip();
		return Object.hasOwn(value, name) ? undefined : at(name, problem('is missing'));
	});
}

function checkOthers(value: unknown, schema: unknown, check: Check, all: IDataObject) {
	const { properties = {}, patternProperties } = all;
	if (!isObject(properties) || patternProperties !== undefined) return check.skip();
	if (!isObject(value)) return undefined;
	return check.first(Object.keys(value), (name) =>
		Object.hasOwn(properties, name) ? undefined : at(name, check.problemWith(value[name], schema)),
	);
}

function checkFirstItems(value: unknown, schemas: unknown, check: Check) {
	if (!Array.isArray(schemas)) return check.skip();
	if (!Array.isArray(value)) return undefined;
	return check.first(schemas, (schema: unknown, index) =>
		index < value.length ? at(index, check.problemWith(value[index], schema)) : undefined,
	);
}

function checkItems(value: unknown, schema: unknown, check: Check, all: IDataObject) {
	if (!Array.isArray(value)) return undefined;
	const start = Array.isArray(all.prefixItems) ? all.prefixItems.length : 0;
	return check.first(value, (entry: unknown, index) =>
		index < start ? undefined : at(index, check.problemWith(entry, schema)),
	);
}

/** A rule that holds a measure of the value against a number; values without that measure fit. */
function limit(
	words: string,
	measure: (value: unknown, check: Check) => number | undefined,
	isBeyond: (size: number, bound: number) => boolean,
): Rule {
	return (value, bound, check) => {
		if (typeof bound !== 'number') return check.skip();
		const size = measure(value, check);
		return size !== undefined && isBeyond(size, bound) ? problem(`${words} ${bound}`) : undefined;
	};
}

function countOf(value: unknown): number | undefined {
	return Array.isArray(value) ? value.length : undefined;
}

function numberOf(value: unknown): number | undefined {
	return typeof value === 'number' ? value : undefined;
}

/** In code points. */
function lengthOf(value: unknown, check: Check): number | undefined {
	if (typeof value !== 'string' || !check.spend(costOf(value))) return undefined;
	return value.length - (value.match(SURROGATE_PAIR)?.length ?? 0);
}

function checkAll(value: unknown, schemas: unknown, check: Check) {
	if (!Array.isArray(schemas)) return check.skip();
	return check.first(schemas, (schema: unknown) => check.problemWith(value, schema));
}

/** @param most how many alternatives may fit */
function checkAlternatives(value: unknown, schemas: unknown, check: Check, most: number) {
	if (!Array.isArray(schemas) || schemas.length === 0) return check.skip();
	const problems: Problem[] = [];
	let surelyFitting = 0;
	for (const schema of schemas) {
		const { skips } = check;
		const found = check.problemWith(value, schema);
		if (found) problems.push(found);
		else if (most === Infinity) return undefined;
		else if (check.skips === skips) surelyFitting += 1;
		if (surelyFitting > most) return problem('fits more than one of the alternatives');
	}
	if (problems.length < schemas.length) return undefined;
	const inner = problems.filter(({ steps }) => steps.length > 0);
	return inner.length === 1 ? inner[0] : problem('fits none of the alternatives');
}

/** Whether two JSON values are equal. Where the steps do not reach, they are taken for equal. */
function isSame(one: unknown, other: unknown, check: Check, levels = MOST_LEVELS): boolean {
	if (levels === 0) check.skip();
	if (levels === 0 || !check.spend()) return true;
	if (typeof one === 'string' && typeof other === 'string') {
		return one.length === other.length && (!check.spend(costOf(one)) || one === other);
	}
	if (Array.isArray(one) && Array.isArray(other)) {
		const entries: unknown[] = other;
		return (
			one.length === entries.length &&
			one.every((entry, index) => isSame(entry, entries[index], check, levels - 1))
		);
	}
	if (!isObject(one) || !isObject(other)) return one === other;
	const names = Object.keys(one);
	const others = Object.keys(other);
	if (!check.spend(names.length + others.length)) return true;
	return (
		names.length === others.length &&
		names.every(
			(name) => Object.hasOwn(other, name) && isSame(one[name], other[name], check, levels - 1),
		)
	);
}

function costOf(text: string): number {
	return Math.ceil(text.length / CHARACTERS_PER_STEP);
}

export function problem(words: string): Problem {
	return { words, steps: [] };
}

/** The problem of a member or an entry, as one of what holds it. */
function at(step: number | string, found: Problem | undefined): Problem | undefined {
	found?.steps.push(step);
	return found;
}
