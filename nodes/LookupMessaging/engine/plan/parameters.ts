import type { GenericValue, IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { ServiceRequest } from '../client';
import { CallFailed, type Failure } from '../results';
import { type AnyOperation, parameterFailure, type Params } from '../operation';
import {
	isOfItem,
	isToolRun,
	Misread,
	readAll,
	readDeclared,
	type Settings,
	type TagField,
} from './settings';
import { fileOf, inTime } from './inputFiles';
import { isObject, textOf } from './values';
import { SLICES } from '../clock';

/**
 * Reads the parameters of all items at little cost. In n8n 2.x an expression is evaluated in an isolate, which takes 0.4 ms or
 * more. A parameter without an expression is evaluated once for all items. A plain reference to a field is read from the item.
 */

/** Names and values that the user adds to a request. */
export type AdditionalParameters = Array<[name: string, value: string]>;

/** Most characters of a parameter, of a list with all its entries. How many entries a list may have, its operation knows. */
const MAX_CHARACTERS = 2_000_000;
/** Most characters of the text that paid calls are booked under. */
const MAX_IN_TAG = 1_000;
/** Most Additional Parameters, and their characters. Each question holds them. */
const MAX_ADDITIONAL = { rows: 100, characters: 20_000 };

/** The settings that the parameters of items are read by. */
type SettingsOfItems = Pick<Settings, 'alsoFailItemsIf' | 'tagField' | 'timeoutMs'>;

interface ReadItem {
	params: Params;
	additional: AdditionalParameters;
	tag?: string;
}

/**
 * Opens the parameters of a run.
 * @returns `read` reads those of one item; a value that cannot be read (a failing expression) fails that item alone. `opened` are
 * all fields, `values` what was read of them for each item
 */
export function openParameters(
	context: IExecuteFunctions,
	operation: AnyOperation,
	{ timeoutMs, tagField, alsoFailItemsIf }: SettingsOfItems,
) {
	const values: Params[] = [];
	const open = (property: INodeProperties, path: string) => {
		const written = rawOf(context, path);
		return { property, written, readField: fieldReader(context, path, undefined, written) };
	};
	const ofFields = operation.fields.map((property) => open(property, property.name));
	const tag = tagField?.property;
	// Read separately, or its expression would cause its whole collection to be evaluated for each item
	const ofTag = tag ? [open(tag, `${tagField.collection}.${tag.name}`)] : [];
	const fields = [...ofFields, ...ofTag];
	const declared = [...fields.map(({ property }) => property), ...(operation.options ?? [])];
	const written = rawOf(context, 'options');
	const readOptions = fieldReader(context, 'options', undefined, written);
	const readLimits = fieldReader(context, 'spendingLimits', tag?.name);

	const read = async (item: number): Promise<ReadItem | { failure: Failure }> => {
		const params: Params = { alsoFailItemsIf };
		values.push(params);
		let reading = 'its parameters';
		try {
			for (const { property, readField } of fields) {
				reading = property.displayName;
				params[property.name] = limited(readField(item), property.displayName);
			}
			reading = 'its options';
			limited(readLimits(item), 'Spending Limits');
			const options: IDataObject = Object(limited(readOptions(item), 'Options'));
			for (const { name } of operation.options ?? []) {
				params[name] = name in options ? ((options[name] ?? '') as GenericValue) : undefined;
			}
			const misread = readAll(declared, params as IDataObject);
			if (misread) return misread;
			if (operation.fileField) {
				const file = fileOf(context, item, textOf(params[operation.fileField]));
				params.file = await inTime(context, timeoutMs, file);
			}
			const added = operation.noAdditionalParameters ? undefined : options.additionalParameters;
			const additional = readAdditional(added);
			if ('failure' in additional) return additional;
			if (!tag) return { params, additional };
			const given = limited(params[tag.name], tag.displayName, MAX_IN_TAG);
			return { params, additional, tag: textOf(given).trim() };
		} catch (error) {
			if (error instanceof CallFailed) return { failure: error.failure };
			return { failure: parameterFailure(`${reading} can't be read: ${whyUnreadable(error)}`) };
		}
	};
	const ofOptions = (operation.options ?? []).map((property) => {
		return { property, written: isObject(written) ? written[property.name] : null };
	});
	return { read, values, opened: [...ofFields, ...ofOptions, ...ofTag] };
}

/** The size of each value and each name in addition to its characters. */
const OF_VALUE = 8;

/** Whether a value has more characters than that, in all of its texts. It reads no text, and stops at the maximum. */
export function isLongerThan(most: number, value: unknown): boolean {
	const open = [value];
	let left = most;
	while (open.length > 0 && left >= 0) {
		const next = open.pop();
		left -= OF_VALUE;
		if (typeof next === 'string') left -= next.length;
		if (typeof next !== 'object' || next === null) continue;
		for (const name of Array.isArray(next) ? [] : Object.keys(next)) left -= OF_VALUE + name.length;
		// Before the values are copied
		if (left < 0 || (Array.isArray(next) && next.length * OF_VALUE > left)) return true;
		for (const inner of Object.values(next)) open.push(inner);
	}
	return left < 0;
}

/** The value; throws if it has too much text. */
function limited(value: GenericValue, displayName: string, most = MAX_CHARACTERS): GenericValue {
	if (!isLongerThan(most, value)) return value;
	const limit = most.toLocaleString('en-US');
	const reason = `${displayName} has more than the ${limit} characters that this node takes. Shorten it, or split it into several items`;
	throw new CallFailed(parameterFailure(reason));
}

/** Adds the additional parameters to the form, the JSON body or the query. The request's own parameters win. */
export function withAdditional(
	request: ServiceRequest,
	additional: AdditionalParameters,
): ServiceRequest {
	const added = Object.fromEntries(additional);
	const { body, form, query } = request;
	if (form) return { ...request, form: { ...form, fields: { ...added, ...form.fields } } };
	return body
		? { ...request, body: { ...added, ...body } }
		: { ...request, query: { ...added, ...query } };
}

/** n8n's message for a failing expression; a message of this package if JavaScript throws over an unusual value. */
function whyUnreadable(error: Error): string {
	return ['RangeError', 'TypeError'].includes(error.name)
		? "it isn't text, a number, a list or plain data"
		: error.message;
}

function readAdditional(collection: unknown): AdditionalParameters | { failure: Failure } {
	if (collection === undefined || collection === null || collection === '') return [];
	const { parameter: rows = [] }: { parameter?: unknown } = Object(collection);
	if (!Array.isArray(rows) || typeof collection !== 'object') {
		return { failure: parameterFailure("Additional Parameters isn't a list of names and values") };
	}
	const { rows: most, characters } = MAX_ADDITIONAL;
	if (rows.length > most || isLongerThan(characters, rows)) {
		const reason = `Additional Parameters has more than ${most} parameters, or more than ${characters.toLocaleString('en-US')} characters. Remove some`;
		return { failure: parameterFailure(reason) };
	}
	return rows
		.map((row): IDataObject => Object(row))
		.map(({ name, value }): [string, string] => [textOf(name).trim(), textOf(value)])
		.filter(([name]) => name !== '');
}

/**
 * Opens a parameter for reading.
 * @param apart a value in the parameter, if it is a collection, that is read separately
 * @param raw the parameter as the user wrote it
 * @returns a function that reads its value for an item, `null` if hidden or empty; throws n8n's error if its expression fails
 */
export function fieldReader(
	context: IExecuteFunctions,
	name: string,
	apart?: string,
	raw = rawOf(context, name),
): (item: number) => GenericValue {
	const evaluate = (item: number) => context.getNodeParameter(name, item, null) as GenericValue;
	if (!hasExpression(raw, apart)) {
		let first: { value: GenericValue } | undefined;
		return (item) => (first ??= { value: evaluate(apart ? item : 0) }).value;
	}
	const path = typeof raw === 'string' ? pathOf(raw) : undefined;
	// For a tool, $json is the input of its caller
	if (!path || isToolRun(context)) return evaluate;
	const inputs = context.getInputData();
	return (item) => {
		const value = fieldAt(inputs[item].json, path);
		return value === undefined ? evaluate(item) : value;
	};
}

export const STEPS = String.raw`((?:\.[A-Za-z_]\w*|\[(?:"[^"\\]*"|'[^'\\]*'|\d+)\])+)`;
const STEP = /\.([A-Za-z_]\w*)|\["([^"\\]*)"\]|\['([^'\\]*)'\]|\[(\d+)\]/g;
/** Nothing but a field of the item's JSON: `={{ $json.a }}`, `={{ $json["a b"].c[0] }}`. */
const FIELD_REFERENCE = new RegExp(String.raw`^=\{\{\s*\$json${STEPS}\s*\}\}$`);
/** Longer code is left to n8n. */
export const MAX_IN_EXPRESSION = 5_000;

/** The steps of a plain reference to a field; undefined for any other expression. */
function pathOf(expression: string): string[] | undefined {
	if (expression.length > MAX_IN_EXPRESSION) return undefined;
	const [, path] = FIELD_REFERENCE.exec(expression) ?? [];
	return path === undefined ? undefined : stepsOf(path);
}

export function stepsOf(path: string): string[] {
	return [...path.matchAll(STEP)].map(
		([, name, double, single, index]) => name ?? double ?? single ?? index,
	);
}

/** A parameter as the user wrote it; `null` if it is hidden or empty. */
export function rawOf(context: IExecuteFunctions, name: string): unknown {
	return context.getNodeParameter(name, 0, null, { rawExpressions: true });
}

export function hasExpression(value: unknown, apart?: string): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value !== 'object' || value === null) return false;
	return Object.entries(value).some(([name, held]) => name !== apart && hasExpression(held));
}

/** The value at the end of the path; undefined if n8n has to evaluate it, because it may change objects such as dates. */
function fieldAt(json: IDataObject, path: string[]): GenericValue | undefined {
	let value: unknown = json;
	for (const step of path) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
			return undefined;
		value = (value as IDataObject)[step];
	}
	const isPlain = value === null || ['boolean', 'number', 'string'].includes(typeof value);
	return isPlain ? (value as GenericValue) : undefined;
}

/** Options that prevent a run from spending. They are compared in all items, and may not be empty. */
const GUARDS = new Set([
	...['checkBalance', 'dryRun', 'maxPaidLookups', 'maxPaidLookupsPerDay'],
	...['maxRequestsPerMinute', 'minimumBalance'],
]);
/** The number of items in which any other option is compared, since an expression takes time. */
const MAX_SAMPLES = 100;
/** Names in expressions whose value is the same for all items. */
const SHARED =
	/\$\(\s*(['"`])[^'"`]*\1\s*\)\.(?:all|first|last)\(|\$(?:env|execution|now|runIndex|secrets|today|vars|workflow)\b/g;

/**
 * Why the options of a run can't apply to all of its items; undefined if they can. They are read once (settings.ts). An expression
 * may give each item its own value, which would be ignored: a Dry Run of the second item would be paid.
 */
export async function differingOption(
	context: IExecuteFunctions,
	operation: AnyOperation,
	declared: INodeProperties[],
	itemCount: number,
	tagField?: TagField,
): Promise<Failure | undefined> {
	const written = expressionsIn(context, operation, declared, tagField);
	for (const { property, read, isShared } of written) {
		const isGuard = GUARDS.has(property.name);
		const step = isGuard ? 1 : Math.max(1, Math.floor(itemCount / MAX_SAMPLES));
		const end = isShared ? Math.min(1, itemCount) : itemCount;
		let first: { item: number; value: string } | undefined;
		for (let item = 0; item < end; item += step) {
			if (SLICES.isOver) await SLICES.pause();
			if (context.getExecutionCancelSignal()?.aborted) return undefined;
			const found = valueOf(property, read, item);
			if (found === undefined) continue;
			if (found.misread) return found.misread.failure;
			const { displayName } = property;
			if (isGuard && found.isEmpty) {
				const what = `${displayName} is empty in item ${item}. Have its expression give a value`;
				return parameterFailure(`${what}, or remove the option`);
			}
			first ??= { item, value: found.text };
			if (first.value !== found.text) {
				const what = `${displayName} differs between items ${first.item} and ${item}`;
				return parameterFailure(
					`${what}. It holds for the whole run: give all items the same value, or run them apart`,
				);
			}
		}
	}
	return undefined;
}

type Reader = (item: number) => GenericValue;

/** The parameters of the whole run whose expressions may give each item another value, and all expressions of guards. */
function* expressionsIn(
	context: IExecuteFunctions,
	operation: AnyOperation,
	declared: INodeProperties[],
	tagField: TagField | undefined,
): Generator<{ property: INodeProperties; read: Reader; isShared: boolean }> {
	for (const property of declared) {
		const raw = rawOf(context, property.name);
		if (!hasExpression(raw)) continue;
		if (property.type !== 'collection') {
			const read = given(fieldReader(context, property.name, undefined, raw));
			if (varies(raw)) yield { property, read, isShared: false };
			continue;
		}
		const all = fieldReader(context, property.name, undefined, raw);
		for (const option of (property.options ?? []) as INodeProperties[]) {
			const { name } = option;
			// Options with a value for each item
			const isOwn = name === 'additionalParameters' || name === tagField?.property.name;
			if (isOwn || isOfItem(operation, name)) continue;
			const own = isObject(raw) ? raw[name] : raw;
			// A guard may not be empty, although its expression is the same for all items
			if (!(varies(own) || (GUARDS.has(name) && hasExpression(own)))) continue;
			const read: Reader = isObject(raw)
				? given(fieldReader(context, `${property.name}.${name}`))
				: (item) => inCollection(all(item), name);
			yield { property: option, read, isShared: !varies(own) };
		}
	}
}

/** A reader of a parameter that exists: an expression without a result returns null. */
function given(read: Reader): Reader {
	return (item) => read(item) ?? null;
}

/** The value of one option in an expression that replaces all options; nothing for a missing option. */
function inCollection(options: GenericValue, name: string): GenericValue {
	return isObject(options) && Object.hasOwn(options, name) ? (options[name] ?? null) : undefined;
}

/** Whether an expression may have another value for another item. */
function varies(raw: unknown): boolean {
	if (!hasExpression(raw)) return false;
	const rest = textOf(raw).replace(SHARED, '');
	return rest.includes('$') || /random/i.test(rest);
}

/** The value of an option for an item; undefined if its expression fails, since that item then fails alone. */
function valueOf(property: INodeProperties, read: Reader, item: number) {
	let held: GenericValue;
	try {
		held = read(item);
	} catch {
		return undefined;
	}
	const value = readDeclared(property, held);
	if (value instanceof Misread) return { misread: value, text: '', isEmpty: false };
	const isOn = property.type === 'boolean' ? value === true : (value ?? '');
	const isEmpty = held !== undefined && (held === null || textOf(held).trim() === '');
	return { misread: undefined, text: textOf(isOn), isEmpty };
}
