import type { GenericValue, IDataObject } from 'n8n-workflow';
import { FAULT, type LogFault } from '../network/reply';
import type { AnyOperation } from '../operation';
import type { SlotResult } from '../plan/plan';
import type { Settings } from '../plan/settings';
import { copyOf, isObject, type Sliced, textOf, UNREADABLE } from '../plan/values';
import type { Answer, AnswerRecord, OutputField } from '../results';

/** What the result of an item shows: which fields, and in which order. */

export type ChosenOutput = Partial<
	Pick<Settings, 'isForModel' | 'layout' | 'resultField' | 'showsAge'>
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
		const isBeside = chosen.resultField !== undefined;
		if (chosen.layout)
			return chosen.layout.inColumns({ operation, head, fields, record }, isBeside);
		return inSections(head, fields, record, chosen);
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
	head: IDataObject,
	fields: OutputField[],
	record: AnswerRecord,
	{ output, selectedFields }: ChosenOutput,
): IDataObject {
	const { outcome, reason, input, ...origin } = head;
	const isSelected = output === 'selectedFields';
	const own: IDataObject = {};
	for (const field of fields) {
		own[field.name] = record[field.name] ?? null;
		if (!isSelected) continue;
		for (const column of columnsOf([field])) own[column.name] = columnValue(column, record);
	}
	const values = { outcome, ...own, reason, ...origin };
	if (isSelected) return only((name) => selectedFields.includes(name), { ...values, input });
	const sections = fields.map(({ name }) => record[name]);
	const isSaid = sections.some((section) => isObject(section) && section.reason);
	const shown = withoutRepeats(values, fields);
	return withoutNulls({ ...shown, reason: isSaid ? null : reason, input });
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
export function columnValue({ section, field }: Column, record: AnswerRecord): GenericValue {
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

export function columnName(section: string, field: string): string {
	return `${section}_${field}`;
}
