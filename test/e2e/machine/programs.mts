import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Skipped } from '../report.mts';
import { run } from './processes.mts';

/** A program that some suite needs, and the Debian package that has it. */
interface Program {
	names: string[];
	debianPackage: string;
	/** Where it is when it is not on the path. */
	folders?: () => string[];
}

const POSTGRES_FOLDER = '/usr/lib/postgresql';

const PROGRAMS = {
	chromium: {
		names: ['chromium', 'chromium-browser', 'google-chrome'],
		debianPackage: 'chromium',
	},
	redis: { names: ['redis-server', 'valkey-server'], debianPackage: 'redis-server' },
	postgres: {
		names: ['postgres'],
		debianPackage: 'postgresql',
		folders: () =>
			existsSync(POSTGRES_FOLDER)
				? readdirSync(POSTGRES_FOLDER).map((version) => join(POSTGRES_FOLDER, version, 'bin'))
				: [],
	},
} satisfies Record<string, Program>;

/**
 * Finds a program, or installs its Debian package where it may: as root, or in CI by sudo.
 *
 * @returns its path
 * @throws Skipped where it is missing and cannot be installed
 */
export async function programOf(name: keyof typeof PROGRAMS): Promise<string> {
	// One search after the other: two lines may want the same, and apt works for one at a time
	const search = lastSearch.then(() => findOrInstall(PROGRAMS[name]));
	lastSearch = search.catch(() => undefined);
	return await search;
}

let lastSearch: Promise<unknown> = Promise.resolve();

async function findOrInstall(program: Program): Promise<string> {
	const found = find(program);
	if (found) return found;
	const { debianPackage } = program;
	try {
		console.log(`Installing ${debianPackage} …`);
		await installFromDebian(debianPackage);
	} catch (error) {
		const [why] = String(error instanceof Error ? error.message : error).split('\n');
		throw new Skipped(`${debianPackage} is missing and could not be installed: ${why}`);
	}
	const installed = find(program);
	if (!installed) throw new Skipped(`${debianPackage} has no ${program.names.join(' or ')}`);
	return installed;
}

function find({ names, folders }: Program): string | undefined {
	const places = [...(process.env.PATH ?? '').split(delimiter), ...(folders?.() ?? [])];
	return places.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

async function installFromDebian(name: string): Promise<void> {
	const isRoot = process.getuid?.() === 0;
	// Nobody's own machine is changed unasked, even where sudo would let us
	if (!isRoot && !process.env.CI) throw new Error(`sudo apt-get install ${name}`);
	const [command, ...before] = isRoot ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const install = [...before, 'install', '-y', '--no-install-recommends', name];
	try {
		await run(command, install, { env });
	} catch {
		// The lists may be missing or old
		await run(command, [...before, 'update'], { env });
		await run(command, install, { env });
	}
}
