/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folders with pages, and whether those below them have any. */
const FOLDERS = { '.': false, docs: true, examples: true, nodes: true, test: true };

/** Every page of the project, by its path from the root. */
export function pagesIn(root: string): string[] {
	return Object.entries(FOLDERS).flatMap(([folder, recursive]) =>
		readdirSync(join(root, folder), { recursive, encoding: 'utf8' })
			.filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
			.map((name) => join(folder, name)),
	);
}
