import { createHash } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { CACHE, ROOT } from '../machine/cache.mts';
import { run } from '../machine/processes.mts';
import { Skipped, type Release } from '../report.mts';

/** What a lockfile of this folder has installed, ready to be started. */
export interface Programs {
	folder: string;
	/** A Node that is new enough for them. */
	node: string;
}

/** A full n8n, ready to be started. */
export interface Installation extends Programs {
	release: Release;
	n8n: string;
	version: string;
	/** n8n's own reader of stored executions. */
	parseStored(text: string): unknown;
}

const FILES = ['package.json', 'package-lock.json', '.npmrc'];
/** Written last, so that an installation that was cut short does not count. */
const DONE = 'installed';

const OLDEST_NODE = { '2.x': 24, '1.x': 20 };

/** Installs n8n from the lockfile of its release, unless the cache has it: one to three minutes and up to 2.4 GB. */
export async function installN8n(release: Release): Promise<Installation> {
	const programs = await install(`n8n-${release}`, OLDEST_NODE[release], buildSqlite);
	return installationOf(programs, release);
}

/** The suite of the protocol needs it. */
const OLDEST_NODE_OF_TOOL_SERVERS = 22;

/** Installs the tool servers of others and the conformance suite, unless the cache has them: ten seconds and 300 MB. */
export async function installToolServers(): Promise<Programs> {
	// Both lines want them
	toolServers ??= install('tool-servers', OLDEST_NODE_OF_TOOL_SERVERS);
	return await toolServers;
}

let toolServers: Promise<Programs> | undefined;

/** The engine of the oldest n8n that the package runs on, and of one that is too old. */
export interface OldestCores extends Programs {
	/** Folders of their n8n-core. */
	oldest: string;
	tooOld: string;
}

/** Installs the engines, without n8n's server and editor, unless the cache has them: fifteen seconds and 160 MB. */
export async function installOldestCores(): Promise<OldestCores> {
	const programs = await install('n8n-oldest', OLDEST_NODE['1.x']);
	const modules = join(programs.folder, 'node_modules');
	return {
		...programs,
		oldest: join(modules, 'n8n-core'),
		tooOld: join(modules, 'n8n-core-too-old'),
	};
}

/**
 * Installs what a folder beside this one lists, unless the cache has it. The folder in the cache is named after the
 * lockfile and the machine.
 *
 * @param build what is to be done once after npm
 * @throws Skipped where the machine keeps it from being installed
 */
async function install(
	name: string,
	oldestNode: number,
	build?: (folder: string) => Promise<void>,
): Promise<Programs> {
	const recipe = join(ROOT, 'test/e2e', name);
	const lock = createHash('sha256').update(readFileSync(join(recipe, 'package-lock.json')));
	const current = `${name}-${process.platform}-${process.arch}-${lock.digest('hex').slice(0, 12)}`;
	const folder = join(CACHE, current);
	if (!existsSync(join(folder, DONE))) {
		console.log(`Installing ${name} into ${folder} (once) …`);
		rmSync(folder, { recursive: true, force: true });
		mkdirSync(folder, { recursive: true });
		for (const file of FILES) copyFileSync(join(recipe, file), join(folder, file));
		const ci = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
		await orSkip(name, run('npm', ci, { cwd: folder }));
		if (build) await orSkip(name, build(folder));
		writeFileSync(join(folder, DONE), '');
		removeOlder(name, current);
	}
	return { folder, node: nodeFor(name, oldestNode, folder) };
}

/**
 * The only install script that n8n needs. With the system's SQLite it takes seconds instead of a minute, and where this
 * Node has its headers beside it, none are downloaded.
 */
async function buildSqlite(folder: string): Promise<void> {
	const env = { ...process.env };
	if (existsSync('/usr/include/sqlite3.h')) env.npm_config_sqlite = '/usr';
	const prefix = resolve(process.execPath, '../..');
	if (existsSync(join(prefix, 'include/node/node_api.h'))) env.npm_config_nodedir ??= prefix;
	await run('npm', ['run', 'rebuild:sqlite'], { cwd: folder, env });
}

/** What only says something about this machine: no registry in reach, no tools to compile with, a full disk. */
const OF_THE_MACHINE =
	/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOSPC|E40[134]|E5\d\d|ETARGET)\b|find Python|not found: make|(g\+\+|c\+\+|cc): (command )?not found/;

/** @throws Skipped where the machine keeps it from being installed; what is wrong with the recipe stays an error */
async function orSkip(name: string, work: Promise<unknown>): Promise<void> {
	try {
		await work;
	} catch (error) {
		const text = error instanceof Error ? error.message : String(error);
		const [cause] = OF_THE_MACHINE.exec(text) ?? [];
		if (!cause) throw error;
		const line = text.split('\n').find((one) => one.includes(cause)) ?? cause;
		throw new Skipped(`${name} cannot be installed on this machine: ${line.trim()}`);
	}
}

/** What an earlier lockfile installed is of no use any more. */
function removeOlder(name: string, current: string): void {
	for (const one of readdirSync(CACHE))
		if (one.startsWith(`${name}-`) && one !== current)
			rmSync(join(CACHE, one), { recursive: true, force: true });
}

function installationOf(programs: Programs, release: Release): Installation {
	const { folder } = programs;
	const require = createRequire(join(folder, 'package.json'));
	const { version } = require('n8n/package.json') as { version: string };
	const { parse } = createRequire(require.resolve('n8n/package.json'))('flatted') as {
		parse(text: string): unknown;
	};
	return {
		...{ ...programs, release, version, parseStored: parse },
		n8n: join(folder, 'node_modules/n8n/bin/n8n'),
	};
}

/** The Node that runs this script where it is new enough, else the one that the lockfile brings. */
function nodeFor(name: string, oldest: number, folder: string): string {
	const [major] = process.versions.node.split('.').map(Number);
	if (major >= oldest) return process.execPath;
	const own = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
	if (existsSync(own)) return own;
	throw new Error(`${name} needs Node ${oldest}; this is ${process.version}`);
}
