/**
 * `npm run structure`: figures about the engine's structure, and the paths of three calls through it.
 *
 *     --check      compares the figures with their limits (limits.json); ends with an error where one has risen
 *     --record     writes today's figures as the limits
 *     --no-trace   without the paths, which take a few seconds
 *     --verbose    also lists the files of each path, in the order in which they are entered
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
		check: { type: 'boolean' },
		record: { type: 'boolean' },
		'no-trace': { type: 'boolean' },
		verbose: { type: 'boolean' },
		picture: { type: 'boolean' },
	},
});

if (values.picture) {
	await writePicture(root);
	console.log(`${PICTURE} written`);
} else if (values.check || values.record) {
	await holdLimits();
} else {
	const { imports } = await readImports(root);
	console.log(table(`Engine (${ENGINE})`, [...sizeRows(root), ...circleRows(imports)]));
	console.log(table('Rooms, lines', roomRows(root)));
	if (!values['no-trace']) await showPaths();
}

async function holdLimits(): Promise<void> {
	// Imported here because it loads n8n's engine
	const { compare, figuresOf, writeLimits } = await import('./ratchet.mts');
	const figures = await figuresOf(root);
	if (values.record) writeLimits(root, figures);
	const { risen, fallen } = compare(root, figures);
	if (fallen.length > 0) {
		console.log(['Fallen; `npm run structure -- --record` keeps it so:', ...fallen].join('\n  '));
	}
	console.log(
		risen.length > 0
			? ['Risen above scripts/structure/limits.json:', ...risen].join('\n  ')
			: `${Object.keys(figures).length} figures, none above its limit`,
	);
	if (risen.length > 0) process.exitCode = 1;
}

async function showPaths(): Promise<void> {
	const { named, pathFigures, tracePaths } = await import('./trace.mts');
	for (const [operation, entries] of Object.entries(await tracePaths(root))) {
		const path = pathFigures(named(entries));
		const title = `Path of one call of ${operation}, from execute() to HTTP and back`;
		console.log(table(title, pathRows(path, pathFigures(entries), root)));
		if (values.verbose) console.log(path.files.map((file) => `  ${file}`).join('\n'));
	}
}
