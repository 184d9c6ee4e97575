import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fixture } from '../testEnvironment.mts';

/**
 * Searches everything that n8n has written (its database with all executions, binary data, logs) for the API key.
 *
 * @param known a text that must be found, so that a search in the wrong place does not pass
 */
export async function checkKeyIsNowhere(
	{ n8n, sandbox, section }: Fixture,
	known: string,
): Promise<void> {
	await section.check('the API key is in nothing that n8n stored or logged', async () => {
		const files = filesBelow(n8n.folder);
		assert.ok(
			files.some((file) => holds(file, known)),
			`the search does not even find "${known}"`,
		);
		assert.deepEqual(
			files.filter((file) => holds(file, sandbox.keys.main)),
			[],
		);
		return `${files.length} files searched`;
	});
}

function filesBelow(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		// Our own package, as unpacked
		if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path);
		return entry.isFile() ? [path] : [];
	});
}

function holds(file: string, text: string): boolean {
	// The database's journal comes and goes
	return existsSync(file) && readFileSync(file).includes(text);
}
