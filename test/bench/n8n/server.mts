/** A real n8n with this package and the peers in it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { OWN_PACKAGE, PEERS_PACKAGE } from '../nodes.mts';
import type { Line } from '../options.mts';

/** A folder in which n8n is installed. */
export interface Installation {
	line: Line;
	node: string;
	n8n: string;
	version: string;
}

export interface Server {
	url: string;
	pid: number;
	stop(): Promise<void>;
}

const READY_WITHIN_MS = 120_000;
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
};

/** Starts n8n on a database of its own; resolves when it is ready. */
export async function startServer(
	{ line, node, n8n }: Installation,
	tarball: string,
	flags: string[],
): Promise<Server> {
	const folder = mkdtempSync(join(tmpdir(), 'bench-n8n-'));
	installPackages(folder, tarball);
	const [port, broker] = [await freePort(), await freePort()];
	const log = join(folder, 'n8n.log');
	const child = spawn(node, [...flags, n8n, 'start'], {
		env: {
			...withoutN8nSettings(process.env),
			...QUIET,
			...(line === '1.x' && { N8N_EXPRESSION_ENGINE: 'legacy' }),
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(broker),
			N8N_USER_FOLDER: folder,
		},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const output = createWriteStream(log);
	child.stdout.pipe(output, { end: false });
	child.stderr.pipe(output, { end: false });
	const kill = () => void child.kill('SIGKILL');
	process.once('exit', kill);
	const stop = async () => {
		await end(child);
		process.off('exit', kill);
		rmSync(folder, { recursive: true, force: true });
	};
	const url = `http://127.0.0.1:${port}`;
	await untilReady(url, child, log);

	return { url, pid: child.pid!, stop };
}

/** As users have them, except that npm is not asked: neither package depends on another. */
function installPackages(folder: string, tarball: string) {
	const modules = join(folder, '.n8n/nodes/node_modules');
	mkdirSync(modules, { recursive: true });
	cpSync(tarball, join(modules, OWN_PACKAGE), { recursive: true });
	const peers = fileURLToPath(new URL('../peers', import.meta.url));
	cpSync(peers, join(modules, PEERS_PACKAGE), { recursive: true });
}

async function untilReady(url: string, child: ChildProcess, log: string) {
	const deadline = Date.now() + READY_WITHIN_MS;
	for (;;) {
		if (child.exitCode !== null || Date.now() > deadline) {
			throw new Error(`n8n did not start; its log is ${log}`);
		}
		const isReady = await fetch(`${url}/healthz/readiness`).then(
			({ ok }) => ok,
			() => false,
		);
		if (isReady) return;
		await sleep(200);
	}
}

async function end(child: ChildProcess) {
	if (child.exitCode !== null) return;
	const exited = once(child, 'exit');
	child.kill('SIGTERM');
	await Promise.race([exited, sleep(20_000).then(() => child.kill('SIGKILL'))]);
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

const withoutN8nSettings = (env: NodeJS.ProcessEnv) =>
	Object.fromEntries(Object.entries(env).filter(([name]) => !/^(N8N|DB|EXECUTIONS)_/.test(name)));

/** The installation in a folder, with the Node that it brings along where it does. */
export function installationIn(folder: string, line: Line, version: string): Installation {
	const own = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
	return {
		...{ line, version },
		node: existsSync(own) ? own : process.execPath,
		n8n: join(folder, 'node_modules/n8n/bin/n8n'),
	};
}
