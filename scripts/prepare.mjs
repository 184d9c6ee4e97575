/**
 * Makes a fresh clone ready to run: `npm start` and `npm test` begin here.
 *
 *     node scripts/prepare.mjs [--no-build]
 *
 * Checks the Node version, installs the development packages when they are missing or differ from
 * package-lock.json, and builds `dist` when it is missing or older than a source. Says nothing when there is
 * nothing to do. It is called by name because `.npmrc` turns npm's own pre- and post-scripts off, and it
 * imports nothing but Node because nothing else is there yet.
 */
import { spawn, spawnSync } from 'node:child_process';
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
import { constants, tmpdir, userInfo } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(fileURLToPath(import.meta.url), '../..');

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
/** What npm writes down as its last step: every package that it installed. */
const INSTALLATION_RECORD = 'node_modules/.package-lock.json';
const LOCK_POLL_MS = 250;
const UNSIGNED_LOCK_MS = 5_000;
const STARTER_POLL_MS = 500;
const SIGN_OF_LIFE_MS = 30_000;
/** How long npm may take to end after SIGTERM, before SIGKILL. */
const GRACE_MS = 3_000;
const ON_WINDOWS = process.platform === 'win32';

async function prepare({ build }) {
	refuseOldNode();
	// Looked at first without the lock, so that a ready tree costs milliseconds, and again inside it, because
	// another command may have done the work meanwhile.
	const needsWork = () => !isInstalled() || (build && !isBuilt());
	if (!needsWork()) return;
	await withLock(async () => {
		if (!isInstalled()) await install();
		if (build && !isBuilt()) await buildNodes();
	});
}

async function install() {
	// An older record would outlive an installation that is cut short while npm still clears the folder.
	rmSync(join(ROOT, INSTALLATION_RECORD), { force: true });
	await run(
		'Installing about 2,000 development packages (once; about 1.9 GB on disk, a minute or two)',
		// --include=dev: NODE_ENV=production would leave them all out. --loglevel: `npm test --silent` must not hide why.
		['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
	);
}

async function buildNodes() {
	const started = new Date();
	await run('Building the nodes (a few seconds)', ['run', 'build']);
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
 * Whether node_modules holds what package-lock.json asks for, all of it and ready to run. npm's record of what it
 * installed is compared with the lock by version, not by age, and then with what is there: that accepts an
 * installation made by hand, survives switching branches, and refuses one that was cut short or partly deleted.
 */
function isInstalled() {
	const installed = readJson(INSTALLATION_RECORD)?.packages;
	if (!installed) return false;
	const wanted = readJson('package-lock.json').packages;
	const isRecorded = Object.entries(wanted).every(
		([path, { version, optional, devOptional, peer }]) => {
			if (path === '') return true; // the project itself
			const found = installed[path];
			// What was made for another operating system is rightly absent; peers, where npm is told to leave them out.
			return found ? found.version === version : Boolean(optional || devOptional || peer);
		},
	);
	return isRecorded && Object.keys(installed).every(isThere) && hasCommands(wanted, installed);
}

function isThere(packageFolder) {
	return existsSync(join(ROOT, packageFolder, 'package.json'));
}

/** Whether the commands of the packages that package.json names can be run: npm links them after unpacking. */
function hasCommands(wanted, installed) {
	return Object.keys(wanted[''].devDependencies)
		.flatMap((name) => Object.keys(installed[`node_modules/${name}`]?.bin ?? {}))
		.every((command) => existsSync(join(ROOT, 'node_modules/.bin', command)));
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

/** The parsed file, or undefined where there is none, or only part of one. */
function readJson(path) {
	try {
		return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
	} catch (error) {
		if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
		throw error;
	}
}

/** Announces an npm command in one line, shows that it is alive, and shows its own output only when it fails. */
async function run(announcement, args) {
	const progress = showProgress(announcement);
	const { status, output } = await npmUntilDone(args, progress.stop).finally(progress.stop);
	if (status === 0) {
		progress.end('done in');
		return;
	}
	progress.end('failed after');
	throw new Error(`${output}\nnpm ${args.join(' ')} failed; its output is above.`);
}

/** On a terminal the seconds count up; elsewhere (a log) there is a line every half minute. */
function showProgress(announcement) {
	const { isTTY } = process.stdout;
	const startedMs = Date.now();
	const elapsed = () => `${Math.round((Date.now() - startedMs) / 1000)} s`;
	const show = (text) => process.stdout.write(isTTY ? `\r\u001B[2K  … ${text}` : `  … ${text}\n`);
	process.stdout.write(`${announcement} …\n`);
	const timer = setInterval(() => show(elapsed()), isTTY ? 1_000 : SIGN_OF_LIFE_MS);
	return {
		stop: () => clearInterval(timer),
		end: (verdict) => show(`${verdict} ${elapsed()}${isTTY ? '\n' : ''}`),
	};
}

/**
 * Runs npm in the project's folder, without a terminal and without printing anything.
 *
 * @returns {{ status: number, stdout: string, stderr: string }}
 */
export function npm(args) {
	const [command, ...before] = npmCommand();
	const { status, error, stdout, stderr } = spawnSync(command, [...before, ...args], {
		...npmOptions(command),
		encoding: 'utf8',
		maxBuffer: Infinity,
	});
	if (error) throw error;
	return { status: status ?? 1, stdout, stderr };
}

/**
 * The same without blocking, so that Ctrl+C is heard: it ends npm and everything that npm started, then this process.
 *
 * @returns {Promise<{ status: number, output: string }>}
 */
function npmUntilDone(args, onInterrupt) {
	const [command, ...before] = npmCommand();
	// A process group of its own can be ended as a whole, whichever process received the signal.
	const child = spawn(command, [...before, ...args], {
		...npmOptions(command),
		detached: !ON_WINDOWS,
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text) => (output += text));
	let isStopped = false;
	const ignoreSignals = onStop((signal) => {
		isStopped = true;
		onInterrupt();
		return endGroup(child, signal);
	});
	return new Promise((done, refuse) => {
		child.once('error', refuse);
		// Once stopped, this process is about to end: npm's own end is no failure to report.
		child.once('close', (status) => isStopped || done({ status: status ?? 1, output }));
	}).finally(ignoreSignals);
}

/** Calls `stop` once when this process is told to end, or when the shell that started it was. */
function onStop(stop) {
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	let stopped = false;
	const once = (signal) => {
		if (!stopped) void stop(signal);
		stopped = true;
	};
	for (const signal of signals) process.on(signal, once);
	// npm passes a signal to its shell only, and the shell passes it to no process.
	const starter = process.ppid;
	const watch = setInterval(() => process.ppid !== starter && once('SIGTERM'), STARTER_POLL_MS);
	return () => {
		clearInterval(watch);
		for (const signal of signals) process.off(signal, once);
	};
}

/** Ends a child with its process group, then this process as the signal would have. */
async function endGroup(child, signal) {
	process.stdout.write(`\nStopping …\n`);
	const kill = (with_) => {
		try {
			if (ON_WINDOWS) spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
			else process.kill(-child.pid, with_);
			return true;
		} catch {
			return false; // no process is left
		}
	};
	const deadline = Date.now() + GRACE_MS;
	kill('SIGTERM');
	while (!ON_WINDOWS && kill(0) && Date.now() < deadline) await sleep(50);
	kill('SIGKILL');
	process.exit(128 + constants.signals[signal]);
}

function npmOptions(command) {
	return {
		cwd: ROOT,
		env: { ...process.env, CI: 'true', NO_COLOR: '1' }, // no spinner frames or colour codes in what is captured
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: command === 'npm' && ON_WINDOWS, // npm is a .cmd file there
	};
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
	const release = () => rmSync(lock, { force: true });
	process.once('exit', release);
	try {
		return await work();
	} finally {
		process.off('exit', release);
		release();
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
