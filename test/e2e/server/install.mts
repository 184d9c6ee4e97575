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

/** A full n8n, ready to be started. */
export interface Installation {
	release: Release;
	/** The Node that runs it. */
	node: string;
	n8n: string;
	version: string;
	/** n8n's own reader of stored executions. */
	parseStored(text: string): unknown;
}

const FILES = ['package.json', 'package-lock.json', '.npmrc'];
/** Written last, so that an installation that was cut short does not count. */
const DONE = 'installed';

/**
 * Installs n8n from the lockfile of its release, unless the cache has it: one to three minutes and up to 2.4 GB.
 * The folder is named after the lockfile and the Node that built its one native module.
 */
export async function installN8n(release: Release): Promise<Installation> {
	const recipe = join(ROOT, 'test/e2e', `n8n-${release}`);
	const lock = createHash('sha256').update(readFileSync(join(recipe, 'package-lock.json')));
	const name = `n8n-${release}-${process.platform}-${process.arch}-${lock.digest('hex').slice(0, 12)}`;
	const folder = join(CACHE, name);
	if (!existsSync(join(folder, DONE))) {
		console.log(`Installing n8n ${release} into ${folder} (once; a few minutes) …`);
		rmSync(folder, { recursive: true, force: true });
		mkdirSync(folder, { recursive: true });
		for (const file of FILES) copyFileSync(join(recipe, file), join(folder, file));
		await orSkip(
			run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder }),
		);
		await orSkip(buildSqlite(folder));
		writeFileSync(join(folder, DONE), '');
		removeOlder(release, name);
	}
	return installationIn(folder, release);
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

/** @throws Skipped where the machine keeps n8n from being installed; what is wrong with the recipe stays an error */
async function orSkip(work: Promise<unknown>): Promise<void> {
	try {
		await work;
	} catch (error) {
		const text = error instanceof Error ? error.message : String(error);
		const [cause] = OF_THE_MACHINE.exec(text) ?? [];
		if (!cause) throw error;
		const line = text.split('\n').find((one) => one.includes(cause)) ?? cause;
		throw new Skipped(`n8n cannot be installed on this machine: ${line.trim()}`);
	}
}

/** What an earlier lockfile installed is of no use any more. */
function removeOlder(release: Release, current: string): void {
	for (const name of readdirSync(CACHE))
		if (name.startsWith(`n8n-${release}-`) && name !== current)
			rmSync(join(CACHE, name), { recursive: true, force: true });
}

function installationIn(folder: string, release: Release): Installation {
	const require = createRequire(join(folder, 'package.json'));
	const { version } = require('n8n/package.json') as { version: string };
	const { parse } = createRequire(require.resolve('n8n/package.json'))('flatted') as {
		parse(text: string): unknown;
	};
	return {
		...{ release, version, node: nodeFor(release, folder), parseStored: parse },
		n8n: join(folder, 'node_modules/n8n/bin/n8n'),
	};
}

const OLDEST_NODE = { '2.x': 24, '1.x': 20 };

/** The Node that runs this script where it is new enough, else the one that the lockfile brings. */
function nodeFor(release: Release, folder: string): string {
	const [major] = process.versions.node.split('.').map(Number);
	if (major >= OLDEST_NODE[release]) return process.execPath;
	const own = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
	if (existsSync(own)) return own;
	throw new Error(`n8n ${release} needs Node ${OLDEST_NODE[release]}; this is ${process.version}`);
}
