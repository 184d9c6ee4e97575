import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { Complaint, wordsOf } from './complaint.mts';

export const COLUMNS = ['name', 'phone', 'email', 'ip', 'country'] as const;

export type Lead = Record<string, string>;

/** Reads a file of leads. Throws a Complaint when there is no such file, or nothing usable in it. */
export async function readLeads(file: string): Promise<Lead[]> {
	const leads = parseLeads(file, await readText(file));
	if (leads.length === 0) throw new Complaint(`${file} has no rows below its header.`);
	const present = Object.keys(leads[0]);
	const missing = COLUMNS.filter((column) => !present.includes(column));
	if (missing.length > 0) {
		const has = present.map((column) => `"${column}"`).join(', ');
		throw new Complaint(
			`${file} lacks the column${missing.length === 1 ? '' : 's'} ${missing.join(', ')}: its header has ${has}. Needed: ${COLUMNS.join(', ')}.`,
		);
	}
	return leads;
}

async function readText(file: string): Promise<string> {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'ENOENT') throw new Complaint(`There is no file ${file}.`);
		if (code === 'EISDIR') throw new Complaint(`${file} is a folder, not a CSV file.`);
		if (code === 'EACCES') throw new Complaint(`${file} may not be read by this user.`);
		throw new Complaint(`${file} could not be read: ${wordsOf(error)}`);
	}
}

function parseLeads(file: string, text: string): Lead[] {
	try {
		return parse(text, {
			bom: true,
			columns: (header: string[]) => header.map((column) => column.trim().toLowerCase()),
			delimiter: [',', ';', '\t'],
			skip_empty_lines: true,
			relax_column_count_less: true,
		}) as Lead[];
	} catch (error) {
		throw new Complaint(`${file} is not a readable CSV file: ${wordsOf(error)}`);
	}
}
