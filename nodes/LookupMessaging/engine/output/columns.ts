import type { GenericValue, IDataObject } from 'n8n-workflow';
import type { AnswerRecord, OutputField } from '../results';
import { isObject, textOf } from '../plan/values';

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

/** The value of a column; null where nothing is known. */
export function columnValue({ section, field }: Column, record: AnswerRecord): GenericValue {
	const held = record[section];
	return isObject(held) ? asCell(held[field]) : null;
}

/** A value as one cell: a list by its values, an object of claims by the names of those that are true. */
export function asCell(value: GenericValue): GenericValue {
	if (Array.isArray(value)) return withoutFormula(value.map(textOf).join(', '));
	if (typeof value === 'string') return withoutFormula(value);
	if (!isObject(value)) return value ?? null;
	const names = Object.keys(value).filter((name) => value[name] === true);
	return withoutFormula(names.join(', '));
}

/** How a text begins that a spreadsheet would run, and the numbers that it may begin like: of a phone, and with a minus. */
const FORMULA = /^[=+@＝＋＠－\t\r\n-]/;
const NUMBER = /^(?:\+[\d ().]{1,40}|-?\d{1,15}(?:\.\d{1,15})?)$/;

/** Text of a stranger for a table: an apostrophe keeps a spreadsheet from running it. */
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
