/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/**
 * The process settings that n8n-core reads while it loads. Import this before anything that imports n8n-core.
 * Jest sets some of them in `setup.js`; what is already set is kept.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

if (process.env.N8N_USER_FOLDER === undefined) {
	// n8n-core writes a key file there on first use: keep it out of the home folder, and leave nothing behind.
	const folder = mkdtempSync(join(tmpdir(), 'n8n-harness-'));
	process.env.N8N_USER_FOLDER = folder;
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
process.env.N8N_ENCRYPTION_KEY ??= 'test-key';
process.env.N8N_LOG_LEVEL ??= 'silent';
// Binary data stays inside the items, as with N8N_DEFAULT_BINARY_DATA_MODE=default in a real n8n.
process.env.N8N_DEFAULT_BINARY_DATA_MODE ??= 'default';
// n8n 2.x lets its file nodes read ~/.n8n-files only; the harness reads the repository's own examples.
process.env.N8N_RESTRICT_FILE_ACCESS_TO ??= '';
