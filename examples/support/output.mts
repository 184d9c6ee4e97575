import { access, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import type { IDataObject } from 'n8n-workflow';
import { Complaint, wordsOf } from './complaint.mts';

/** Makes sure, before anything is paid for, that the answers can be written to `file`. */
export async function assertWritable(file: string, input: string): Promise<void> {
	if (!['.csv', '.json'].includes(extname(file).toLowerCase()))
		throw new Complaint(`--output has to end in .csv or .json, and ${basename(file)} does not.`);
	if (resolve(file) === resolve(input))
		throw new Complaint('--output would overwrite the input file; give it another name.');
	const isNew = await access(file).then(
		() => false,
		() => true,
	);
	try {
		await (await open(file, 'a')).close();
	} catch (error) {
		throw new Complaint(
			`${file} cannot be written (${wordsOf(error)}). Nothing was sent and nothing paid.`,
		);
	}
	if (isNew) await rm(file, { force: true });
}

/** Writes the answers; when that fails after all, they go to the temporary folder. Returns what to tell the user. */
export async function writeAnswers(file: string, items: IDataObject[]): Promise<string> {
	const text = extname(file).toLowerCase() === '.json' ? asJson(items) : asCsv(items);
	try {
		await writeFile(file, text);
		return `Answers written to ${file}`;
	} catch (error) {
		const refuge = join(tmpdir(), `${Date.now()}-${basename(file)}`);
		await writeFile(refuge, text);
		return `${file} could not be written (${wordsOf(error)}); the answers are in ${refuge}`;
	}
}

function asJson(items: IDataObject[]): string {
	return `${JSON.stringify(items, null, '\t')}\n`;
}

function asCsv(items: IDataObject[]): string {
	const rows = items.map((item) => flat(item));
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	return stringify(rows, { header: true, columns });
}

/** `phoneCheck: { outcome }` becomes the column `phoneCheck.outcome`. */
function flat(item: IDataObject, prefix = ''): Record<string, string> {
	const cells: Record<string, string> = {};
	for (const [name, value] of Object.entries(item)) {
		const column = `${prefix}${name}`;
		if (value !== null && typeof value === 'object' && !Array.isArray(value))
			Object.assign(cells, flat(value as IDataObject, `${column}.`));
		else cells[column] = asCell(Array.isArray(value) ? JSON.stringify(value) : String(value ?? ''));
	}
	return cells;
}

/** Spreadsheets run some cells as formulas, and anyone can fill in a form. A phone number may begin with +, though. */
function asCell(text: string): string {
	const isFormula = /^[=@\t\r]/.test(text) || /^[+-](?![\d\s().\-/]*$)/.test(text);
	return isFormula ? `'${text}` : text;
}
