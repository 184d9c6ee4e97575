/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles, SCHEMA_FOLDER } from '../support/generated';

const root = join(__dirname, '../..');

test.each([...generatedFiles()])(
	'%s is what the catalog says (npm run generate)',
	(path, content) => {
		const file = join(root, path);
		expect(existsSync(file) ? readFileSync(file, 'utf8') : 'missing').toBe(content);
	},
);

test('no output preview is left of an operation that the catalog does not hold', () => {
	const present = readdirSync(join(root, SCHEMA_FOLDER), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.json'))
		.map((name) => `${SCHEMA_FOLDER}/${name.replaceAll('\\', '/')}`);
	const generated = [...generatedFiles().keys()].filter((path) => path.startsWith(SCHEMA_FOLDER));
	expect(present.sort()).toEqual(generated.sort());
});
