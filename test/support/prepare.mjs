/**
 * Makes a fresh clone ready to run: `npm start` and `npm test` begin here.
 *
 *     node test/support/prepare.mjs [--no-build]
 *
 * Checks the Node version, installs the development packages when they are missing or differ from
 * package-lock.json, and builds `dist` when it is missing or older than a source. Says nothing when there is
 * nothing to do. It is called by name because `.npmrc` turns npm's own pre- and post-scripts off, and it
 * imports nothing but Node because nothing else is there yet.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	existsSync,
	readFileSync,
	readdirSync,
	realpathSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(fileURLToPath(import.meta.url), '../../..');

const SOURCES = [
	'nodes',
	'credentials',
	'icons/source.svg',
	'gulpfile.js',
	'tsconfig.json',
	'package.json',
];
// The build begins by deleting dist and ends by copying the icons, so this folder dates a build that went through.
// The folder and not a file in it: on some systems a copied file keeps the age of its original.
const BUILD_DATE = 'dist/icons';
const LOCK_POLL_MS = 250;
const UNSIGNED_LOCK_MS = 5_000;

async function prepare({ build }) {
	refuseOldNode();
	// Looked at first without the lock, so that a ready tree costs milliseconds, and again inside it, because
	// another command may have done the work meanwhile.
	const needsWork = () => !isInstalled() || (build && !isBuilt());
	if (!needsWork()) return;
	await withLock(() => {
		if (!isInstalled()) install();
		if (build && !isBuilt()) buildNodes();
	});
}

function install() {
	run(
		'Installing about 2,000 development packages (once; a minute or two)',
		// --include=dev: NODE_ENV=production would leave them all out. --loglevel: `npm test --silent` must not hide why.
		['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
	);
}

function buildNodes() {
	const started = new Date();
	run('Building the nodes (a few seconds)', ['run', 'build']);
	utimesSync(join(ROOT, BUILD_DATE), started, started); // a source saved during the build is newer than it
}

function refuseOldNode() {
	const oldest = readJson('package.json').engines.node.match(/\d+/g).map(Number);
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major > oldest[0] || (major === oldest[0] && minor >= (oldest[1] ?? 0))) return;
	fail(
		`This project needs Node ${oldest.join('.')} or newer, and this is ${process.version}. ` +
			'Please install a current Node from https://nodejs.org and try again.',
	);
}

/**
 * Whether node_modules holds what package-lock.json asks for. npm writes down what it installed as its last
 * step, so an interrupted installation has no record; comparing the versions, not the files' ages, also
 * accepts an installation made by hand and survives switching branches.
 */
function isInstalled() {
	const installed = readJson('node_modules/.package-lock.json')?.packages;
	if (!installed) return false;
	const wanted = readJson('package-lock.json').packages;
	return Object.entries(wanted).every(([path, { version, optional, devOptional, peer }]) => {
		if (path === '') return true; // the project itself
		const found = installed[path];
		// What was made for another operating system is rightly absent; peers, where npm is told to leave them out.
		return found ? found.version === version : Boolean(optional || devOptional || peer);
	});
}

/** Whether the last complete build is newer than every source. */
function isBuilt() {
	const builtMs = modifiedMs(BUILD_DATE);
	return builtMs !== undefined && SOURCES.every((source) => newestMs(source) <= builtMs);
}

/** The age of a file, or of the youngest thing in a folder; the folders count, for what was deleted from them. */
function newestMs(path) {
	const ages = [modifiedMs(path) ?? 0];
	if (statSync(join(ROOT, path), { throwIfNoEntry: false })?.isDirectory()) {
		for (const name of readdirSync(join(ROOT, path))) ages.push(newestMs(join(path, name)));
	}
	return Math.max(...ages);
}

function modifiedMs(path) {
	return statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs;
}

function readJson(path) {
	return existsSync(join(ROOT, path))
		? JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
		: undefined;
}

/** Announces an npm command in one line, and shows its own output only when it fails. */
function run(announcement, args) {
	const startedMs = Date.now();
	process.stdout.write(`${announcement} … `);
	const { status, stdout, stderr } = npm(args);
	const seconds = Math.round((Date.now() - startedMs) / 1000);
	if (status === 0) {
		process.stdout.write(`done in ${seconds} s\n`);
		return;
	}
	process.stdout.write(`failed after ${seconds} s\n`);
	throw new Error(`${stdout}${stderr}\nnpm ${args.join(' ')} failed; its output is above.`);
}

/**
 * Runs npm in the project's folder, without a terminal and without printing anything.
 *
 * @returns {{ status: number, stdout: string, stderr: string }}
 */
export function npm(args) {
	const [command, ...before] = npmCommand();
	const { status, error, stdout, stderr } = spawnSync(command, [...before, ...args], {
		cwd: ROOT,
		env: { ...process.env, CI: 'true', NO_COLOR: '1' }, // no spinner frames or colour codes in what is captured
		stdio: ['ignore', 'pipe', 'pipe'],
		encoding: 'utf8',
		maxBuffer: Infinity,
		shell: command === 'npm' && process.platform === 'win32', // npm is a .cmd file there
	});
	if (error) throw error;
	return { status: status ?? 1, stdout, stderr };
}

/** The npm that started this script, if it was npm; else the one on the path. */
function npmCommand() {
	const caller = process.env.npm_execpath;
	return caller && basename(caller) === 'npm-cli.js' ? [process.execPath, caller] : ['npm'];
}

/**
 * Runs `work` while no other process of this user does so for this folder: `npm start` and `npm test` may be
 * started together, and two installations would destroy each other. The lock lies outside the project, names
 * its holder, and counts for nothing once that process has ended.
 */
async function withLock(work) {
	const key = createHash('sha256')
		.update(`${userInfo().username}:${ROOT}`)
		.digest('hex')
		.slice(0, 16);
	const lock = join(tmpdir(), `prepare-${key}.lock`);
	let waiting = false;
	while (!takeLock(lock)) {
		if (!waiting) process.stdout.write('Waiting for another command that prepares this folder …\n');
		waiting = true;
		await sleep(LOCK_POLL_MS);
	}
	try {
		return work();
	} finally {
		rmSync(lock, { force: true });
	}
}

function takeLock(lock) {
	try {
		writeFileSync(lock, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
	}
	if (isHeld(lock)) return false;
	rmSync(lock, { force: true });
	return takeLock(lock);
}

function isHeld(lock) {
	try {
		const holder = Number(readFileSync(lock, 'utf8'));
		if (holder === 0) return Date.now() - statSync(lock).mtimeMs < UNSIGNED_LOCK_MS; // just taken, not yet signed
		process.kill(holder, 0); // signal 0 only asks whether the process exists
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/** Ends with a sentence for the person at the terminal; a stack trace would say nothing more. */
export function fail(message) {
	console.error(message);
	process.exit(1);
}

/** Whether a module was started by itself rather than imported. */
export function isMain(moduleUrl) {
	return Boolean(process.argv[1]) && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl);
}

if (isMain(import.meta.url)) {
	try {
		await prepare({ build: !process.argv.includes('--no-build') });
	} catch (error) {
		fail(error.message);
	}
}
