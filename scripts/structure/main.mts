/**
 * `npm run structure`: figures about the engine's structure, and the path of one paid lookup through it.
 *
 *     --no-trace   without the path, which takes a few seconds
 *     --verbose    also lists the files of the path, in the order in which they are entered
 *     --picture    writes docs/images/rooms.svg instead
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { circleRows, pathRows, roomRows, sizeRows, table } from './figures.mts';
import { readImports } from './imports.mts';
import { PICTURE, writePicture } from './picture.mts';
import { ENGINE } from './rules.mts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
	options: {
		'no-trace': { type: 'boolean' },
		verbose: { type: 'boolean' },
		picture: { type: 'boolean' },
	},
});

if (values.picture) {
	await writePicture(root);
	console.log(`${PICTURE} written`);
} else {
	const { imports } = await readImports(root);
	console.log(table(`Engine (${ENGINE})`, [...sizeRows(root), ...circleRows(imports)]));
	console.log(table('Rooms, lines', roomRows(root)));
	if (!values['no-trace']) await showPath();
}

async function showPath(): Promise<void> {
	// Imported here because it loads n8n's engine
	const { named, pathFigures, tracePaidLookup } = await import('./trace.mts');
	const entries = await tracePaidLookup(root);
	const path = pathFigures(named(entries));
	const title = 'Path of one paid lookup, from execute() to HTTP and back';
	console.log(table(title, pathRows(path, pathFigures(entries), root)));
	if (values.verbose) console.log(path.files.map((file) => `  ${file}`).join('\n'));
}
