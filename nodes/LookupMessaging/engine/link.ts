import {
	deepCopy,
	type GenericValue,
	type IDataObject,
	type INodeExecutionData,
} from 'n8n-workflow';
import { describeFailure, describeItemFailure, readerOf } from './errors';
import { isObject } from './parse';
import { LOCAL_OUTCOME, type Answer, type AnyOperation, type Outcome } from './operation';
import type { Plan } from './plan';
import type { Settings } from './settings';
import type { SettledSlot } from './settle';
import { textOf, UNREADABLE } from './text';

/** Where an item's answer came from. `failed`: there is none. */
type Source = 'duplicate' | 'failed' | 'local' | 'memory' | 'service';

/** One output item before n8n's binary data is made of its files. */
export interface LinkedItem extends Pick<INodeExecutionData, 'binary' | 'pairedItem'> {
	json: IDataObject;
	/** Which routed output it belongs to. */
	outcome: Outcome;
	files?: Answer['files'];
}

/** What each item holds. */
export type ChosenOutput = Partial<Pick<Settings, 'isForModel'>> &
	Pick<Settings, 'output' | 'selectedFields'>;

/**
 * The output items of all slots, in input order, each linked to its input: one per slot, or as many as the answer has rows.
 * Failed slots become an unknown result, or an item with an `error`, as the settings say.
 */
export function linkResults(
	operation: AnyOperation,
	inputs: INodeExecutionData[],
	plan: Plan,
	slots: SettledSlot[],
	settings: Settings,
): LinkedItem[] {
	const companions = companionsOf(operation, plan);
	return slots.flatMap((slot, index): LinkedItem[] => {
		const { item } = slot;
		if (slot.kind === 'failure' && settings.onFailure === 'errorItem') {
			const { failure } = slot;
			const error = describeItemFailure(failure, item, readerOf(settings));
			const json = { error };
			return [{ json, outcome: 'unknown', pairedItem: { item } }];
		}
		const items = companions?.get(index);
		if (companions && slot.kind === 'answer' && !items) return [];
		const pairedItem = items ? items.map((companion) => ({ item: companion })) : { item };
		return answersOf(slot, settings).map((answer) => {
			const result = shape(operation, slot, answer, settings);
			const json = place(result, inputs[item].json, settings);
			const binary = settings.resultField === undefined ? undefined : inputs[item].binary;
			const { outcome, files } = answer;
			return { json, ...(binary && { binary }), pairedItem, outcome, files };
		});
	});
}

/**
 * Where one output item stands for a whole talk: by the slot that stands for it, the items it was about. Undefined for
 * operations that answer each slot.
 */
function companionsOf(
	operation: AnyOperation,
	{ slots, talks }: Plan,
): Map<number, number[]> | undefined {
	if (!('talk' in operation) || !operation.oneItemPerTalk) return undefined;
	const itemsOf = new Map(talks.flatMap((talk) => talk.asks.map((ask) => [ask, talk] as const)));
	const companions = new Map(talks.map((talk) => [talk, new Set<number>()]));
	for (const slot of slots) {
		const talk = slot.kind === 'ask' ? itemsOf.get(slot.ask) : undefined;
		if (talk) companions.get(talk)?.add(slot.item);
	}
	return new Map(talks.map((talk) => [talk.asks[0].firstSlot, [...(companions.get(talk) ?? [])]]));
}

/** What one slot comes out as, in the chosen output: for who has no input items. */
export function resultsOf(
	operation: AnyOperation,
	slot: SettledSlot,
	output: ChosenOutput,
): IDataObject[] {
	return answersOf(slot, output).map((answer) => shape(operation, slot, answer, output));
}

/** The answers that a slot comes out as. */
function answersOf(slot: SettledSlot, output: ChosenOutput): Answer[] {
	switch (slot.kind) {
		case 'answer': {
			const { rows, ...answer } = slot.answer;
			return rows?.length ? rows : [answer];
		}
		case 'local': {
			const { local, field, reason, record = {} } = slot.local;
			return [{ outcome: LOCAL_OUTCOME[local], record, reason: `${field} ${reason}` }];
		}
		case 'failure': {
			const reason = describeFailure(slot.failure, readerOf(output));
			return [{ outcome: 'unknown', record: slot.record ?? {}, reason }];
		}
	}
}

function sourceOf(slot: SettledSlot): Source {
	if (slot.kind === 'answer') return slot.source;
	return slot.kind === 'local' ? 'local' : 'failed';
}

/** The result as the chosen output; every declared field is there, null where nothing is known. */
function shape(
	operation: AnyOperation,
	slot: SettledSlot,
	{ outcome, reason, record, response, shape: form }: Answer,
	{ output, selectedFields, isForModel }: ChosenOutput,
): IDataObject {
	const head: IDataObject = {
		...(operation.subject && { input: asData(slot.input) }),
		outcome,
		source: sourceOf(slot),
		reason: reason ?? null,
	};
	if (output === 'raw') {
		const shown = response ?? (slot.kind === 'answer' ? slot.response : null);
		return { ...head, response: ownCopy(shown) };
	}
	const all: IDataObject = { ...head };
	const fields = operation.output.filter(({ shape }) => (shape ?? form) === form);
	for (const { name } of fields) all[name] = ownCopy(record[name] ?? null);
	const simplified = fields.filter((field) => field.simplified);
	const kept =
		output === 'selectedFields'
			? selectedFields
			: [...Object.keys(head), ...simplified.map(({ name }) => name)];
	const shown = Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name)));
	return isForModel && output === 'simplified' ? withoutNulls(shown) : shown;
}

/** The same without what is not known: to a workflow a null is a promise of the field, to a model it is but a word more. */
function withoutNulls(value: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(value)
			.filter(([, held]) => held !== null)
			.map(([name, held]) => [name, withoutNullsWithin(held)]),
	);
}

function withoutNullsWithin(value: GenericValue): GenericValue {
	if (Array.isArray(value)) return value.map(withoutNullsWithin);
	return isObject(value) ? withoutNulls(value) : value;
}

/** What was asked about, as it can be stored with the execution: an expression may give anything. */
function asData(value: GenericValue): GenericValue {
	if (['bigint', 'function', 'symbol'].includes(typeof value)) return textOf(value);
	if (typeof value !== 'object' || value === null) return value;
	const text = textOf(value);
	return text === UNREADABLE ? text : value;
}

/** Others may be given the same object, now or by memory, and a later node may change what it is given. */
function ownCopy<Value>(value: Value): Value {
	return typeof value === 'object' && value !== null ? deepCopy(value) : value;
}

/** The result alone, or beside the input's fields. An input field `error` is renamed: n8n would take the item for failed. */
function place(result: IDataObject, input: IDataObject, { resultField }: Settings): IDataObject {
	if (resultField === undefined) return result;
	const { error, ...fields } = input;
	return { ...fields, ...(error !== undefined && { inputError: error }), [resultField]: result };
}
