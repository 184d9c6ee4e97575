import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres, type Postgres } from '../machine/postgres.mts';
import { startRedis } from '../machine/redis.mts';
import type { TestEnvironment } from '../testEnvironment.mts';
import { N8n, type N8nOptions } from './n8n.mts';
import { installPackage } from './package.mts';

/** n8n in queue mode: one main, one webhook process, two workers, each with a user folder of its own. */
export interface Cluster {
	main: N8n;
	webhook: N8n;
	workers: N8n[];
	/** The database of all of them. */
	postgres: Postgres;
	stop(): Promise<void>;
}

export const WORKER_CONCURRENCY = 10;

/**
 * The only settings that are not n8n's defaults: what a killed worker was doing is found after 15 seconds here
 * instead of after one and a half minutes, and the log says which worker ran what.
 */
const FASTER = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	N8N_LOG_LEVEL: 'info',
};

/** @throws Skipped where Redis or Postgres are missing */
export async function startCluster(environment: TestEnvironment): Promise<Cluster> {
	const folder = join(environment.folder, 'queue');
	mkdirSync(folder, { recursive: true });
	const redis = await startRedis(join(folder, 'redis.log'));
	const postgres = await startPostgres(join(folder, 'postgres.log'));
	const env = queueModeSettings(redis.port, postgres);
	const started: N8n[] = [];
	const process = async (name: string, command: N8nOptions['command'], args: string[] = []) => {
		const own = join(folder, name);
		await installPackage(environment.tarball, own);
		const n8n = await N8n.prepare(environment.installation, { folder: own, command, args, env });
		started.push(n8n);
		await n8n.start();
		return n8n;
	};
	const stop = async () => {
		await Promise.all(started.map((n8n) => n8n.stop()));
		await Promise.all([redis.stop(), postgres.stop()]);
	};
	try {
		// The main process sets the database up
		const main = await process('main', 'start');
		const worker = ['--concurrency', String(WORKER_CONCURRENCY)];
		const [webhook, ...workers] = await Promise.all([
			process('webhook', 'webhook'),
			process('worker-1', 'worker', worker),
			process('worker-2', 'worker', worker),
		]);
		return { main, webhook, workers, postgres, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

function queueModeSettings(redisPort: number, postgres: Postgres): NodeJS.ProcessEnv {
	return {
		EXECUTIONS_MODE: 'queue',
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		N8N_ENCRYPTION_KEY: 'the-same-in-all-processes',
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_DATABASE: postgres.database,
		...FASTER,
	};
}
