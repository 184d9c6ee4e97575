import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of this repository. */
export const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..');

/**
 * Where the n8n servers are installed, once for all clones: outside the repository, whose tools would otherwise read
 * through gigabytes. E2E_CACHE chooses another folder.
 */
export const CACHE =
	process.env.E2E_CACHE ??
	join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'n8n-nodes-lookup-messaging-e2e');
