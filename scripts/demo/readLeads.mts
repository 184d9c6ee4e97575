import { readFile } from 'node:fs/promises';
import { UserError, messageOf } from './userError.ts';
import type { Mapping } from './columns.ts';
import type { LeadFile } from './csv.ts';
import { parseLeads } from './csv.ts';
import { decodeUtf8 } from './decodeUtf8.ts';

/** Reads a file of leads. Throws a UserError when there is no such file, or nothing usable in it. */
export async function readLeads(file: string, mapping: Mapping): Promise<LeadFile> {
	return parseLeads(decodeUtf8(await readBytes(file), file), file, mapping);
}

async function readBytes(file: string): Promise<Uint8Array> {
	try {
		return await readFile(file);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'ENOENT') throw new UserError(`There is no file ${file}.`);
		if (code === 'EISDIR') throw new UserError(`${file} is a folder, not a CSV file.`);
		if (code === 'EACCES') throw new UserError(`${file} can't be read by this user.`);
		throw new UserError(`${file} couldn't be read: ${messageOf(error)}`);
	}
}
