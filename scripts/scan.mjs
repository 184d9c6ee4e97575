/**
 * Runs the check that n8n runs on submitted packages: `npm run scan`.
 *
 * These are the rules of the installed `@n8n/scan-community-package`, applied as its command applies them: to the
 * sources, and to the code and package.json of the tarball. Only what needs a published version, its download
 * and its provenance, is left out.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pack } from './check-pack.mjs';
import { ROOT } from './prepare.mjs';

const SCANNER = 'node_modules/@n8n/scan-community-package/scanner/scanner.mjs';

const temporary = mkdtempSync(join(tmpdir(), 'scan-'));
// The scanner makes a temporary folder as soon as it is imported and leaves it behind; here it goes with ours.
for (const variable of ['TMPDIR', 'TEMP', 'TMP']) process.env[variable] = temporary;

try {
	const scanner = await import(pathToFileURL(join(ROOT, SCANNER)).href);
	const targets = [
		{
			name: 'sources',
			directory: ROOT,
			patterns: scanner.SOURCE_FILE_PATTERNS,
			mustHold: ['nodes', 'credentials'],
		},
		{
			name: 'tarball',
			directory: unpackTarball(),
			patterns: ['**/*.js', 'package.json'],
			mustHold: ['dist/nodes', 'dist/credentials'],
		},
	];
	for (const target of targets) await scan(scanner, target);
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
} finally {
	rmSync(temporary, { recursive: true, force: true });
}

/** Prints one line, or everything that the scanner found. */
async function scan({ analyzePackage }, { name, directory, patterns, mustHold }) {
	// The scanner is content when it finds no files at all.
	const missing = mustHold.filter((folder) => !existsSync(join(directory, folder)));
	if (missing.length > 0) throw new Error(`scan of the ${name}: no ${missing.join(', no ')}`);

	const { passed, message, details = '' } = await analyzePackage(directory, patterns);
	console.log(`scan of the ${name}: ${passed ? 'passed' : `${message}\n${details}`}`);
	if (!passed) process.exitCode = 1;
}

function unpackTarball() {
	const { filename } = pack('--pack-destination', temporary);
	const directory = join(temporary, 'unpacked');
	mkdirSync(directory);
	const { status, error, stderr } = spawnSync(
		'tar',
		['-xzf', filename, '-C', 'unpacked', '--strip-components=1'],
		{ cwd: temporary, encoding: 'utf8' },
	);
	if (status !== 0) throw error ?? new Error(`The tarball could not be unpacked.\n${stderr}`);
	return directory;
}
