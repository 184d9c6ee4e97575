import type { GenericValue, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { type AnyOperation, parameterFailure } from '../operation';
import type { Failure } from '../results';
import { TimeSlices } from '../clock';
import { isOfItem, Misread, readDeclared, type TagField } from './settings';
import { hasExpression, openParameter, rawOf } from './parameters';
import { isObject, textOf } from './values';

/**
 * Settings of the whole run are read once (settings.ts). An expression may give each item its own value, which would be ignored:
 * a Dry Run of the second item would be paid. Such a run is refused before its calls.
 */

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

/** Why the options of a run can't apply to all of its items; undefined if they can. */
export async function differingOption(
	context: IExecuteFunctions,
	operation: AnyOperation,
	declared: INodeProperties[],
	itemCount: number,
	tagField?: TagField,
	slices = new TimeSlices(),
): Promise<Failure | undefined> {
	for (const { property, read, isShared } of expressionsIn(
		context,
		operation,
		declared,
		tagField,
	)) {
		const isGuard = GUARDS.has(property.name);
		const step = isGuard ? 1 : Math.max(1, Math.floor(itemCount / MAX_SAMPLES));
		const end = isShared ? Math.min(1, itemCount) : itemCount;
		let first: { item: number; value: string } | undefined;
		for (let item = 0; item < end; item += step) {
			if (slices.isOver) await slices.pause();
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
			const read = given(openParameter(context, property.name));
			if (varies(raw)) yield { property, read, isShared: false };
			continue;
		}
		const all = openParameter(context, property.name);
		for (const option of (property.options ?? []) as INodeProperties[]) {
			const { name } = option;
			// Options with a value for each item (parameters.ts)
			const isOwn = name === 'additionalParameters' || name === tagField?.property.name;
			if (isOwn || isOfItem(operation, name)) continue;
			const own = isObject(raw) ? raw[name] : raw;
			// A guard may not be empty, although its expression is the same for all items
			if (!(varies(own) || (GUARDS.has(name) && hasExpression(own)))) continue;
			const read: Reader = isObject(raw)
				? given(openParameter(context, `${property.name}.${name}`))
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
