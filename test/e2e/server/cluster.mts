import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres, type Postgres } from '../machine/postgres.mts';
import { startRedis } from '../machine/redis.mts';
import type { TestEnvironment } from '../testEnvironment.mts';
import { N8n, type N8nOptions } from './n8n.mts';
import { installPackage } from './package.mts';

/** n8n in queue mode: one main and several workers, each with a user folder of its own. */
export interface Cluster {
	main: N8n;
	workers: N8n[];
	/** The database of all of them. */
	postgres: Postgres;
	stop(): Promise<void>;
}

/** With a process that takes webhooks and forms. */
export interface WebhookCluster extends Cluster {
	webhook: N8n;
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
export async function startCluster(
	environment: TestEnvironment,
	{ name, workers }: { name: string; workers: number },
): Promise<Cluster> {
	return await start(environment, name, async (process) => {
		// The main process sets the database up
		const main = await process('main', 'start');
		return { main, workers: await startWorkers(process, workers) };
	});
}

/** With two workers. @throws Skipped where Redis or Postgres are missing */
export async function startWebhookCluster(environment: TestEnvironment): Promise<WebhookCluster> {
	return await start(environment, 'queue', async (process) => {
		const main = await process('main', 'start');
		const [webhook, workers] = await Promise.all([
			process('webhook', 'webhook'),
			startWorkers(process, 2),
		]);
		return { main, webhook, workers };
	});
}

type StartProcess = (name: string, command: N8nOptions['command'], args?: string[]) => Promise<N8n>;

async function startWorkers(process: StartProcess, count: number): Promise<N8n[]> {
	const args = ['--concurrency', String(WORKER_CONCURRENCY)];
	const names = Array.from({ length: count }, (_, index) => `worker-${index + 1}`);
	return await Promise.all(names.map((name) => process(name, 'worker', args)));
}

/** Starts Redis, Postgres and the processes that are wanted; all of them or none. */
async function start<Processes>(
	environment: TestEnvironment,
	name: string,
	startAll: (process: StartProcess) => Promise<Processes>,
): Promise<Processes & Pick<Cluster, 'postgres' | 'stop'>> {
	const folder = join(environment.folder, name);
	mkdirSync(folder, { recursive: true });
	const redis = await startRedis(join(folder, 'redis.log'));
	const postgres = await startPostgres(join(folder, 'postgres.log'));
	const env = queueModeSettings(redis.port, postgres);
	const started: N8n[] = [];
	const stop = async () => {
		await Promise.all(started.map((n8n) => n8n.stop()));
		await Promise.all([redis.stop(), postgres.stop()]);
	};
	try {
		const processes = await startAll(async (own, command, args = []) => {
			const ownFolder = join(folder, own);
			await installPackage(environment.tarball, ownFolder);
			const options = { folder: ownFolder, command, args, env };
			const n8n = await N8n.prepare(environment.installation, options);
			started.push(n8n);
			await n8n.start();
			return n8n;
		});
		return { ...processes, postgres, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** IDs of the executions that a worker has started, by its log. */
export function startedBy(worker: N8n): string[] {
	return [...worker.log().matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id);
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
