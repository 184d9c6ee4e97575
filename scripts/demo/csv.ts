import { parse } from 'csv-parse/sync';
import { COLUMNS, PLACEHOLDER, type Column } from './columnNames';
import type { ColumnIndexes, Mapping } from './columns';
import { columnOf, columnIndexes, isSameHeader } from './columns';
import { UserError, messageOf } from './userError';
import { counted } from './wording';

export interface Lead {
	/** The row's number as a spreadsheet shows it; the header is row 1. */
	row: number;
	/** All cells as they stand in the file, in the order of the file's columns. */
	cells: string[];
	/** What the workflow reads; empty where the file has no such column. */
	values: Record<Column, string>;
}

export interface LeadFile {
	/** The header as it stands in the file. */
	columns: string[];
	/** The header cells that the lookups use, by the workflow's columns. */
	used: Record<Column, string[]>;
	separator: string;
	leads: Lead[];
}

const SEPARATORS = [',', ';', '\t', '|'];
/** What Excel writes, and hides, to name the separator. */
const SEPARATOR_LINE = /^"?sep=(.)"?[ ]*(?:\r\n|\n|\r)/i;

/** Reads the text of a CSV file. Throws a UserError that says what is wrong with it. */
export function parseLeads(text: string, file: string, mapping: Mapping = {}): LeadFile {
	if (text.trim() === '') throw new UserError(`${file} is empty.`);
	const [line, named] = SEPARATOR_LINE.exec(text) ?? [''];
	const table = text.slice(line.length);
	const separator = named ?? separatorOf(table, mapping);
	const rows = cellsOf(table, separator, file);
	const first = rows.findIndex((cells) => !isBlank(cells));
	if (first < 0) throw new UserError(`${file} has nothing but empty rows.`);

	const header = withoutBlankEnd(rows[first]).map((cell) => cell.trim());
	const indexes = columnIndexes(header, file, mapping);
	const leads: Lead[] = [];
	rows.forEach((cells, index) => {
		if (index <= first || isBlank(cells)) return;
		leads.push(leadOf(cells, index + 1, header, indexes, file));
	});
	if (leads.length === 0)
		throw new UserError(
			`${file} has no rows below its header, so there is nothing to look up. You weren't charged.`,
		);
	const used = Object.entries(indexes).map(([column, at]) => [
		column,
		at.map((index) => header[index]),
	]);
	return {
		columns: header,
		used: Object.fromEntries(used) as LeadFile['used'],
		...{ separator, leads },
	};
}

function leadOf(
	given: string[],
	row: number,
	header: string[],
	indexes: ColumnIndexes,
	file: string,
): Lead {
	const cells = withoutBlankEnd(given);
	if (cells.length > header.length)
		throw new UserError(
			`Row ${row} of ${file} has ${counted(cells.length, 'cell')}, and the header has ${header.length}. Put a cell that contains the separator in double quotes.`,
		);
	const valueOf = (column: Column) => {
		const values = indexes[column].map((index) => cells[index] ?? '');
		// A first and a last name are one name; of several numbers or addresses one is looked up
		if (column === 'name' && values.length > 1) return values.join(' ').trim();
		return values.find((value) => !PLACEHOLDER.test(value.trim())) ?? values.at(-1) ?? '';
	};
	return {
		row,
		cells: header.map((_, index) => cells[index] ?? ''),
		values: Object.fromEntries(
			COLUMNS.map((column) => [column, valueOf(column)]),
		) as Lead['values'],
	};
}

/** The separator under which the header names most of the workflow's columns; else the one that makes most columns. */
function separatorOf(text: string, mapping: Mapping): string {
	const named = Object.values(mapping);
	const scored = SEPARATORS.map((separator) => {
		const header = headerUnder(separator, text);
		const isKnown = (cell: string) =>
			columnOf(cell) !== undefined || named.some((name) => name !== '' && isSameHeader(cell, name));
		const known = header.filter(isKnown).length;
		return { separator, known, all: header.length };
	});
	scored.sort((a, b) => b.known - a.known || b.all - a.all);
	return scored[0].separator;
}

function headerUnder(separator: string, text: string): string[] {
	try {
		const [header = []] = parse(text, { ...OPTIONS, delimiter: separator, to: 1 }) as string[][];
		return header;
	} catch {
		return [];
	}
}

const OPTIONS = { relax_column_count: true, skip_empty_lines: false } as const;

function cellsOf(text: string, separator: string, file: string): string[][] {
	try {
		return parse(text, { ...OPTIONS, delimiter: separator }) as string[][];
	} catch (error) {
		throw unreadable(file, error);
	}
}

const unreadable = (file: string, error: unknown) =>
	new UserError(`${file} is not a readable CSV file: ${messageOf(error)}`);

function isBlank(cells: string[]): boolean {
	return cells.every((cell) => cell.trim() === '');
}

/** Spreadsheets end rows with separators up to the widest row that there ever was. */
function withoutBlankEnd(cells: string[]): string[] {
	const end = cells.findLastIndex((cell) => cell.trim() !== '');
	return cells.slice(0, end + 1);
}
