/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles, SCHEMA_FOLDERS } from '../../scripts/generate/generatedFiles';

const root = join(__dirname, '../..');
const FILES = generatedFiles();

test.each([...FILES])(
	'%s equals what the catalog generates (npm run generate)',
	(path, content) => {
		const file = join(root, path);
		expect(existsSync(file) ? readFileSync(file, 'utf8') : 'missing').toBe(content);
	},
);

test.each(SCHEMA_FOLDERS)('%s has no output preview of an unknown operation', (folder) => {
	const present = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.json'))
		.map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
	const generated = [...FILES.keys()].filter((path) => path.startsWith(`${folder}/`));
	expect(present.sort()).toEqual(generated.sort());
});
