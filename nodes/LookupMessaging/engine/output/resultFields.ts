import type { GenericValue, IDataObject } from 'n8n-workflow';
import { FAULT, type LogFault } from '../network/reply';
import type { AnyOperation } from '../operation';
import type { SlotResult } from '../plan/plan';
import type { Settings } from '../plan/settings';
import { isObject, textOf, UNREADABLE } from '../plan/values';
import { copyOf, type Sliced } from '../redaction/slices';
import type { Answer, AnswerRecord, OutputField } from '../results';

/** What the result of an item shows: which fields, and in which order. */

/** What each item holds. */
export type ChosenOutput = Partial<
	Pick<Settings, 'flatSections' | 'isForModel' | 'resultField' | 'showsAge'>
> &
	Pick<Settings, 'output' | 'selectedFields'>;

/**
 * The result as the chosen output. Without sections, every declared field is present, and null if unknown. Items may share an
 * object, and a later node may change it, so each gets its own copies. A result that cannot be put into fields is returned
 * unchanged, since it was paid for.
 */
export function* resultFields(
	operation: AnyOperation,
	slot: SlotResult,
	answer: Answer,
	chosen: ChosenOutput,
	log: LogFault,
): Sliced<IDataObject> {
	const head = headOf(operation, slot, answer, chosen);
	const response = answer.response ?? (slot.kind === 'answer' ? slot.response : null);
	if (chosen.output === 'raw' || answer.isAsItCame) {
		return { ...head, response: yield* copyOf(response) };
	}
	try {
		return yield* fieldsOf(operation, head, answer, chosen);
	} catch (error) {
		log(`presenting an answer of ${operation.resource}.${operation.value}`, error);
		return { ...head, outcome: 'unknown', reason: FAULT, response: yield* copyOf(response) };
	}
}

function* fieldsOf(
	operation: AnyOperation,
	head: IDataObject,
	answer: Answer,
	chosen: ChosenOutput,
): Sliced<IDataObject> {
	const { output, selectedFields, isForModel } = chosen;
	const fields = operation.output.filter(({ shape }) => (shape ?? answer.shape) === answer.shape);
	if (fields.some(({ isLookup }) => isLookup)) {
		const record = yield* copyOf(answer.record);
		return inSections(operation, head, fields, { ...answer, record }, chosen);
	}
	const isChosen = ({ name, simplified }: OutputField) =>
		output === 'selectedFields' ? selectedFields.includes(name) : simplified === true;
	const shown: IDataObject =
		output === 'selectedFields' ? only((name) => selectedFields.includes(name), head) : { ...head };
	for (const field of fields) {
		if (isChosen(field)) shown[field.name] = answer.record[field.name] ?? null;
	}
	const own = yield* copyOf(shown);
	return isForModel && output === 'simplified' ? withoutNulls(own) : own;
}

function headOf(
	operation: AnyOperation,
	slot: SlotResult,
	{ outcome, reason }: Answer,
	{ showsAge }: ChosenOutput,
): IDataObject {
	const withoutService = slot.kind === 'local' ? 'local' : 'failed';
	return {
		...(operation.subject && { input: asData(slot.input) }),
		outcome,
		source: slot.kind === 'answer' ? slot.source : withoutService,
		...(showsAge && { ageDays: slot.kind === 'answer' ? (slot.ageDays ?? 0) : null }),
		reason: reason ?? null,
	};
}

/**
 * A result with sections: the summary first, then a section for each lookup, and the source last. Repeated and unknown values are
 * left out.
 */
function inSections(
	{ inputNames = [] }: AnyOperation,
	head: IDataObject,
	fields: OutputField[],
	{ record }: Answer,
	{ output, selectedFields, flatSections = [], resultField }: ChosenOutput,
): IDataObject {
	const { outcome, reason, input, ...origin } = head;
	const isSelected = output === 'selectedFields';
	const isFlat = output === 'flatColumns';
	const own: IDataObject = {};
	for (const field of fields) {
		if (!isFlat || !field.isLookup) own[field.name] = shownAs(isFlat, record[field.name]);
		const columns = isFlat || isSelected ? columnsOf([field]) : [];
		const isAsked = flatSections.includes(field.name) || record[field.name] !== undefined;
		for (const column of columns) {
			if (isSelected || (column.simplified && isAsked)) {
				own[column.name] = columnValue(column, record);
			}
		}
	}
	const values = { outcome, ...own, reason: isFlat ? asCell(reason) : reason, ...origin };
	const given = isFlat ? withPrefix(cellsOf(input, inputNames), 'input') : { input };
	if (isSelected) {
		return only((name) => selectedFields.includes(name), { ...values, ...given });
	}
	// The input's own fields are beside the columns
	if (isFlat) return { ...values, ...(resultField === undefined && given) };
	const sections = fields.map(({ name }) => record[name]);
	const isSaid = sections.some((section) => isObject(section) && section.reason);
	const shown = withoutRepeats(values, fields);
	return withoutNulls({ ...shown, reason: isSaid ? null : reason, ...given });
}

/** The reason about a value is shown in the first section that is about it. */
function withoutRepeats(values: IDataObject, fields: OutputField[]): IDataObject {
	const said = new Set<GenericValue>();
	const shown = { ...values };
	for (const { name, isLookup } of fields) {
		const section = values[name];
		if (!isLookup || !isObject(section) || section.source !== 'local') continue;
		if (said.has(section.reason)) shown[name] = { ...section, reason: null };
		said.add(section.reason);
	}
	return shown;
}

/** The input of an item with all of its values as cells, null if one is empty or could not be read. */
function cellsOf(input: GenericValue, names: string[]): IDataObject {
	const given = isObject(input) ? input : {};
	return Object.fromEntries(names.map((name) => [name, asCell(given[name] as GenericValue)]));
}

function shownAs(isFlat: boolean, value: GenericValue): GenericValue {
	return isFlat ? asCell(value) : (value ?? null);
}

function only(isKept: (name: string) => boolean, values: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)));
}

/** Workflows rely on every declared field; a model would pay for each null. */
function withoutNulls(value: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(value)
			.filter(([, held]) => held !== null)
			.map(([name, held]) => [name, withoutInnerNulls(held)]),
	);
}

function withoutInnerNulls(value: GenericValue): GenericValue {
	if (Array.isArray(value)) return value.map(withoutInnerNulls);
	return isObject(value) ? withoutNulls(value) : value;
}

/** The subject in a form that n8n can store, since an expression may return anything. */
function asData(value: GenericValue): GenericValue {
	if (['bigint', 'function', 'symbol'].includes(typeof value)) return textOf(value);
	if (typeof value !== 'object' || value === null) return value;
	const text = textOf(value);
	return text === UNREADABLE ? text : value;
}

/** Sections as columns of one level, for tables: `phone_lineType`. */

/** A field of a section, by the name of its column. */
export interface Column extends OutputField {
	section: string;
	field: string;
}

/** All columns of the sections of an operation, in the order of its output. */
export function columnsOf(output: OutputField[]): Column[] {
	return output.flatMap(({ name: section, fields = [] }) =>
		fields.map((field) => ({
			...field,
			name: columnName(section, field.name),
			section,
			field: field.name,
		})),
	);
}

/** The value of a column; null if unknown. */
function columnValue({ section, field }: Column, record: AnswerRecord): GenericValue {
	const held = record[section];
	return isObject(held) ? asCell(held[field]) : null;
}

/** A value as one cell: a list as its values, an object of booleans as the names of the true ones. */
export function asCell(value: GenericValue): GenericValue {
	if (Array.isArray(value)) return withoutFormula(value.map(textOf).join(', '));
	if (typeof value === 'string') return withoutFormula(value);
	if (!isObject(value)) return value ?? null;
	const names = Object.keys(value).filter((name) => value[name] === true);
	return withoutFormula(names.join(', '));
}

/** The beginning of a formula for a spreadsheet; and numbers that look similar: of phones, and negative ones. */
const FORMULA = /^[=+@＝＋＠－\t\r\n-]/;
const NUMBER = /^(?:\+[\d ().]{1,40}|-?\d{1,15}(?:\.\d{1,15})?)$/;

/** Text of unknown origin for a table: an apostrophe prevents a spreadsheet from running it. */
function withoutFormula(text: string): string {
	return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Each value of an object in a column of its own, which begins with the name of the object. */
export function withPrefix(values: IDataObject, name: string): IDataObject {
	return Object.fromEntries(
		Object.entries(values).map(([field, value]) => [columnName(name, field), value]),
	);
}

function columnName(section: string, field: string): string {
	return `${section}_${field}`;
}
