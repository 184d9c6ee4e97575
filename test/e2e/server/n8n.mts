import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../machine/cache.mts';
import { freePorts } from '../machine/ports.mts';
import { start, type Running } from '../machine/processes.mts';
import { until } from '../machine/wait.mts';
import type { Installation } from './install.mts';
import { Rest } from './rest.mts';

export interface N8nOptions {
	/** Its user folder, log and whatever else it writes. */
	folder: string;
	/** `start`, or another kind of process of the same n8n. */
	command?: 'start' | 'worker' | 'webhook';
	/** For the command. */
	args?: string[];
	/** For Node. */
	nodeFlags?: string[];
	env?: NodeJS.ProcessEnv;
	/** Any free one when it is left out. */
	port?: number;
}

export const OWNER = {
	email: 'owner@example.com',
	firstName: 'Olive',
	lastName: 'Owner',
	password: 'Sandbox-2026',
};

const READY_WITHIN_MS = 180_000;

/** Nothing of it leaves the machine. */
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
};

/** As 2.x has it: without the pool, transactions of requests that come together get into one another. */
const ONLY_1X = { N8N_EXPRESSION_ENGINE: 'legacy', DB_SQLITE_POOL_SIZE: '3' };

/** One n8n process on a port of its own. */
export class N8n {
	readonly rest: Rest;

	private process?: Running;

	private constructor(
		readonly installation: Installation,
		readonly url: string,
		readonly folder: string,
		readonly logFile: string,
		private readonly command: readonly string[],
		private readonly nodeFlags: readonly string[],
		private readonly env: NodeJS.ProcessEnv,
	) {
		this.rest = new Rest(url);
	}

	static async prepare(installation: Installation, options: N8nOptions): Promise<N8n> {
		const { folder, command = 'start', args = [], nodeFlags = [], env = {} } = options;
		mkdirSync(folder, { recursive: true });
		const [free, broker] = await freePorts(2);
		const port = String(options.port ?? free);
		return new N8n(
			...([installation, `http://127.0.0.1:${port}`, folder] as const),
			...([join(folder, `${command}.log`), [command, ...args], nodeFlags] as const),
			{
				...withoutN8nSettings(process.env),
				...QUIET,
				...(installation.release === '1.x' ? ONLY_1X : {}),
				...{ N8N_PORT: port, N8N_RUNNERS_BROKER_PORT: String(broker), N8N_USER_FOLDER: folder },
				...{ QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: port },
				N8N_RESTRICT_FILE_ACCESS_TO: folder,
				// Keeps what Node has compiled, for the next start
				NODE_COMPILE_CACHE: join(CACHE, 'compiled'),
				...env,
			},
		);
	}

	/** @returns when it answers that it is ready; throws with the end of its log when it ends before that */
	async start(): Promise<void> {
		const { node, n8n } = this.installation;
		const { env, logFile: log } = this;
		const name = `n8n ${this.command[0]}`;
		const args = [...this.nodeFlags, n8n, ...this.command];
		const server = start(node, args, { name, env, log });
		this.process = server;
		let hasEnded = false;
		void server.ended.then(() => (hasEnded = true));
		await until(
			`${name} to be ready`,
			async () => {
				if (hasEnded) return 'ended';
				return await this.isReady();
			},
			{ timeoutMs: READY_WITHIN_MS },
		);
		if (hasEnded) throw new Error(`${name} ended:\n${this.log().slice(-3000)}`);
	}

	private async isReady(): Promise<boolean> {
		if (!(await fetch(`${this.url}/healthz/readiness`)).ok) return false;
		// 1.x says that it is ready before it has its REST API
		return this.command[0] !== 'start' || (await fetch(`${this.url}/rest/settings`)).ok;
	}

	async stop(signal?: NodeJS.Signals): Promise<void> {
		await this.process?.stop(signal);
		this.process = undefined;
	}

	/** Resolves when the process has ended, for whatever reason. */
	async ended(): Promise<void> {
		await this.process?.ended;
	}

	/** A session of the owner, whose account is there already. */
	async login(): Promise<void> {
		const { email: emailOrLdapLoginId, password } = OWNER;
		await this.rest.post('/login', { emailOrLdapLoginId, password });
	}

	async restart(): Promise<void> {
		await this.stop();
		await this.start();
	}

	/** Ends it at once, as a machine that fails does. */
	async kill(): Promise<void> {
		await this.stop('SIGKILL');
	}

	/** ID of the process; 0 while there is none. */
	get pid(): number {
		return this.process?.pid ?? 0;
	}

	/** Resident memory of the process, in MB. */
	memoryMb(): number {
		const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
		return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024);
	}

	log(): string {
		return readFileSync(this.logFile, 'utf8');
	}
}

/** What the machine's own n8n is told does not concern ours. */
function withoutN8nSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(env).filter(([name]) => !/^(N8N|DB|QUEUE|EXECUTIONS|WEBHOOK)_/.test(name)),
	);
}
