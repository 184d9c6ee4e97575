import type { GenericValue, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isToolRun } from './settings';

/**
 * Reading a parameter for many items at little cost. In n8n 2.x every evaluation of an expression goes through an isolate: 0.4 ms
 * and more for each item. A parameter without an expression has one value for all items, and a plain reference to a field
 * of the item can be looked up; only what is left is evaluated, item by item.
 */

/** Gives a parameter's value for an item; throws what n8n throws where its expression fails. */
export type Reader = (item: number) => GenericValue;

/** Nothing but a field of the item's JSON: `={{ $json.a }}`, `={{ $json["a b"].c[0] }}`. */
const FIELD_REFERENCE =
	/^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\[(?:"[^"\\]*"|'[^'\\]*'|\d+)\])+)\s*\}\}$/;
const FIELD_STEP = /\.([A-Za-z_]\w*)|\["([^"\\]*)"\]|\['([^'\\]*)'\]|\[(\d+)\]/g;

/**
 * Opens a parameter for reading.
 * @returns the value, with `null` where the parameter is hidden or has none
 */
export function openParameter(context: IExecuteFunctions, name: string): Reader {
	const evaluate: Reader = (item) => context.getNodeParameter(name, item, null) as GenericValue;
	const raw = context.getNodeParameter(name, 0, null, { rawExpressions: true });
	if (!hasExpression(raw)) return once(evaluate);
	const path = typeof raw === 'string' ? pathOf(raw) : undefined;
	// For a tool, $json is what its caller was given
	if (!path || isToolRun(context)) return evaluate;
	const inputs = context.getInputData();
	return (item) => {
		const found = lookUp(inputs[item].json, path);
		return found ? found.value : evaluate(item);
	};
}

/** Reads the first time only, and for the first item: without an expression all have the same. */
function once(evaluate: Reader): Reader {
	let known: { value: GenericValue } | undefined;
	return () => (known ??= { value: evaluate(0) }).value;
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(hasExpression);
}

/** The steps of a plain reference to a field, or undefined for any other expression. */
function pathOf(expression: string): string[] | undefined {
	const [, path] = FIELD_REFERENCE.exec(expression) ?? [];
	if (path === undefined) return undefined;
	return [...path.matchAll(FIELD_STEP)].map(
		([, name, double, single, index]) => name ?? double ?? single ?? index,
	);
}

/** The value at the end of the path, where all of it is plain data; anything else is for n8n to evaluate. */
function lookUp(json: IDataObject, path: string[]): { value: GenericValue } | undefined {
	let value: unknown = json;
	for (const step of path) {
		if (typeof value !== 'object' || value === null || !hasOwn(value, step)) return undefined;
		value = (value as IDataObject)[step];
	}
	return isPlain(value) ? { value } : undefined;
}

function hasOwn(value: object, name: string): boolean {
	return Object.prototype.hasOwnProperty.call(value, name);
}

/** Objects such as dates do not come out of n8n as they went in. */
function isPlain(value: unknown): value is boolean | number | string | null {
	return value === null || ['boolean', 'number', 'string'].includes(typeof value);
}
