import type { IDataObject } from 'n8n-workflow';
import type { Lead, LeadFile } from './csv';
import { LOOKUPS, SIGNALS } from './lookups';

/** A lead and what the workflow returned for it: the answer of every lookup, under the lookup's field. */
export interface EnrichedLead {
	lead: Lead;
	item: IDataObject;
}

/** What is added to the user's own columns, in this order. */
const FIELDS = [...LOOKUPS.map(({ field }) => field), SIGNALS];

type Cells = Array<[column: string, value: string]>;

/** The user's own columns, first and as they are, then every field of every answer. */
export function csvRows({ columns }: LeadFile, enriched: EnrichedLead[]): string[][] {
	const results = enriched.map(({ item }) => new Map(resultCells(item, columns)));
	const added = [...new Set(results.flatMap((cells) => [...cells.keys()]))];
	const rows = enriched.map(({ lead }, index) => [
		...lead.cells,
		...added.map((column) => results[index].get(column) ?? ''),
	]);
	return [[...columns, ...added], ...rows].map((cells) => cells.map(asCell));
}

/** The user's own columns as texts, then the answers as objects. */
export function jsonRows({ columns }: LeadFile, enriched: EnrichedLead[]): IDataObject[] {
	return enriched.map(({ lead, item }) => ({
		...Object.fromEntries(columns.map((column, index) => [column, lead.cells[index]])),
		...Object.fromEntries(
			FIELDS.filter((field) => field in item).map((field) => [
				freeName(field, columns),
				item[field],
			]),
		),
	}));
}

function resultCells(item: IDataObject, columns: string[]): Cells {
	return FIELDS.flatMap((field) =>
		flat((item[field] as IDataObject | undefined) ?? {}, `${freeName(field, columns)}.`),
	);
}

/** `phoneCheck`, or `phoneCheck2` where the file has such columns of its own: from an earlier run, say. */
function freeName(field: string, columns: string[]): string {
	const isTaken = (name: string) =>
		columns.some((column) => column === name || column.startsWith(`${name}.`));
	if (!isTaken(field)) return field;
	let number = 2;
	while (isTaken(`${field}${number}`)) number += 1;
	return `${field}${number}`;
}

/** `phoneCheck: { outcome }` becomes the column `phoneCheck.outcome`. */
function flat(fields: IDataObject, prefix: string): Cells {
	return Object.entries(fields).flatMap(([name, value]): Cells => {
		const column = `${prefix}${name}`;
		if (value !== null && typeof value === 'object' && !Array.isArray(value))
			return flat(value as IDataObject, `${column}.`);
		return [[column, Array.isArray(value) ? JSON.stringify(value) : String(value ?? '')]];
	});
}

/**
 * Spreadsheets run cells that begin with = + - @ (or their wide forms), a tab or a line break as formulas, and anyone
 * can fill in a form: an apostrophe before them makes them text. Numbers may begin with a sign, phone numbers too.
 */
export function asCell(text: string): string {
	const isFormula = /^[=＝@＠\t\r\n]/.test(text) || /^[+＋\-－](?![\p{Nd}\s().\-/]*$)/u.test(text);
	return isFormula ? `'${text}` : text;
}
