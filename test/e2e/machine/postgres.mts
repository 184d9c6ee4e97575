import { chownSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePorts } from './ports.mts';
import { atEnd, run, start, type Running } from './processes.mts';
import { programOf } from './programs.mts';
import { until } from './wait.mts';

export interface Postgres {
	port: number;
	user: string;
	database: string;
	/** Runs SQL by psql, on a connection of its own. @returns what it printed: values alone, a row per line */
	sql(text: string): Promise<string>;
	stop(): Promise<void>;
}

const USER = 'n8n';
const DATABASE = 'postgres';

/** A Postgres of our own on a free port, in a folder that is gone afterwards. @throws Skipped where there is none */
export async function startPostgres(log: string): Promise<Postgres> {
	const postgres = await programOf('postgres');
	const programs = dirname(realpathSync(postgres));
	const folder = mkdtempSync(join(tmpdir(), 'e2e-postgres-'));
	const remove = () => rmSync(folder, { recursive: true, force: true });
	atEnd(remove);
	const as = await ordinaryUser(folder);
	const data = join(folder, 'data');
	const init = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
	await run(...as(join(programs, 'initdb'), init));
	const [port] = await freePorts(1);
	const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder];
	const [command, args] = as(postgres, [...options, '-c', 'max_connections=200']);
	const server: Running = start(command, args, { name: 'postgres', log, stopSignal: 'SIGINT' });
	const ready = ['-h', '127.0.0.1', '-p', String(port), '-U', USER];
	await until('Postgres', async () => {
		await run(join(programs, 'pg_isready'), ready);
		return true;
	});
	const client = [...ready, '-d', DATABASE, '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1'];
	let scripts = 0;
	const sql = async (text: string) => {
		const script = join(folder, `script-${++scripts}.sql`);
		writeFileSync(script, text);
		return await run(join(programs, 'psql'), [...client, '-f', script]);
	};
	const stop = async () => {
		await server.stop();
		remove();
	};
	return { port, user: USER, database: DATABASE, sql, stop };
}

/** Postgres refuses to run as root: then it is the user of Debian's package that runs it, and owns the folder. */
async function ordinaryUser(folder: string) {
	if (process.getuid?.() !== 0)
		return (command: string, args: string[]): [string, string[]] => [command, args];
	const id = async (flag: string) => Number(await run('id', [flag, 'postgres']));
	chownSync(folder, await id('-u'), await id('-g'));
	return (command: string, args: string[]): [string, string[]] => [
		'runuser',
		['-u', 'postgres', '--', command, ...args],
	];
}
