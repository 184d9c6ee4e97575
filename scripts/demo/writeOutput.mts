import { access, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { UserError, messageOf } from './userError.ts';
import type { LeadFile } from './csv.ts';
import type { EnrichedLead } from './lookups.ts';
import { csvRows, jsonRows } from './outputRows.ts';

/** Makes sure, before anything is paid for, that the answers can be written to `file`. */
export async function assertWritable(file: string, input: string): Promise<void> {
	if (!['.csv', '.json'].includes(extname(file).toLowerCase()))
		throw new UserError(`--output has to end in .csv or .json, and ${basename(file)} doesn't.`);
	if (resolve(file) === resolve(input))
		throw new UserError('--output would overwrite your file of leads. Give it another name.');
	const isNew = await access(file).then(
		() => false,
		() => true,
	);
	try {
		await (await open(file, 'a')).close();
	} catch (error) {
		throw new UserError(`${file} can't be written (${messageOf(error)}). You weren't charged.`);
	}
	if (isNew) await rm(file, { force: true });
}

/** Writes the answers; when that fails after all, they go to the temporary folder. Returns what to tell the user. */
export async function writeAnswers(
	file: string,
	leads: LeadFile,
	enriched: EnrichedLead[],
): Promise<string> {
	const isJson = extname(file).toLowerCase() === '.json';
	const text = isJson
		? `${JSON.stringify(jsonRows(leads, enriched), null, '\t')}\n`
		: stringify(csvRows(leads, enriched), { bom: true, delimiter: leads.separator });
	try {
		await writeFile(file, text);
		return `The answers are in ${file}.`;
	} catch (error) {
		const refuge = join(tmpdir(), `${Date.now()}-${basename(file)}`);
		await writeFile(refuge, text);
		return `${file} couldn't be written (${messageOf(error)}). The answers are in ${refuge}.`;
	}
}
