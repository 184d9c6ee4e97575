/** `npm run generate`: writes the files that are made from the catalog, and the picture of the rooms from the imports. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePicture } from '../structure/picture.mts';
import { generatedFiles, SCHEMA_FOLDERS } from './generatedFiles.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = generatedFiles();

for (const folder of SCHEMA_FOLDERS) {
	await rm(join(root, folder), { recursive: true, force: true });
}
for (const [path, content] of files) {
	const file = join(root, path);
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, content);
}
await writePicture(root);
console.log(`${files.size} files written from the catalog, and the picture of the rooms`);
