/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', 'sandbox');

const sources = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((name) =>
	/\.m?ts$/.test(name),
);

/** A double that shares code with what it doubles cannot disagree with it. */
it.each(sources)('%s imports nothing of the package', (name) => {
	const source = readFileSync(join(ROOT, name), 'utf8');
	const imports = [...source.matchAll(/(?:from|import|require)\s*\(?\s*'([^']+)'/g)].map(
		([, from]) => from,
	);
	expect(imports.filter((from) => /nodes\/|credentials\//.test(from))).toEqual([]);
});
