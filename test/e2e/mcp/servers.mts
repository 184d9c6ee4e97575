import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../machine/cache.mts';
import { freePorts } from '../machine/ports.mts';
import { start, type Running } from '../machine/processes.mts';
import { until } from '../machine/wait.mts';
import type { Programs } from '../server/install.mts';

/** Servers that none of us wrote; all but the first with the tools of `tool-servers/tools.mjs`. */
export const SERVERS = {
	everything: "the protocol's own everything-server",
	stateful: 'the official SDK 1.x with sessions and event streams',
	stateless: 'the official SDK 1.x without sessions, in JSON',
	sdk2: 'the official SDK 2.x',
	hono: 'Hono',
	fastmcp: 'fastmcp',
} as const;

export type ServerName = keyof typeof SERVERS;

export const SERVER_NAMES = Object.keys(SERVERS) as ServerName[];

const EVERYTHING = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';

export interface ToolServers {
	/** Where each one takes requests. */
	urls: Record<ServerName, string>;
	/** Has the scripts of `tool-servers`, beside what they import. */
	scripts: string;
	stop(): Promise<void>;
}

/** Starts them all on free ports of 127.0.0.1. */
export async function startToolServers(
	{ node, folder }: Programs,
	ownFolder: string,
): Promise<ToolServers> {
	const scripts = join(ownFolder, 'scripts');
	mkdirSync(scripts, { recursive: true });
	cpSync(join(ROOT, 'test/e2e/tool-servers'), scripts, { recursive: true });
	symlinkSync(join(folder, 'node_modules'), join(scripts, 'node_modules'));
	const found = await freePorts(SERVER_NAMES.length);
	const ports = Object.fromEntries(SERVER_NAMES.map((name, index) => [name, found[index]]));
	const { everything, ...ours } = ports as Record<ServerName, number>;
	const urls = Object.fromEntries(
		SERVER_NAMES.map((name) => [name, `http://127.0.0.1:${ports[name]}/mcp`]),
	) as ToolServers['urls'];
	const wanted = Object.entries(ours).map(([name, port]) => `${name}=${port}`);
	const running = [
		start(node, [join(folder, EVERYTHING), 'streamableHttp'], {
			...{ name: 'everything-server', log: join(ownFolder, 'everything.log') },
			env: { ...process.env, PORT: String(everything) },
		}),
		start(node, [join(scripts, 'main.mjs'), ...wanted], {
			...{ name: 'tool servers', log: join(ownFolder, 'tool-servers.log') },
		}),
	];
	const stop = async () => void (await Promise.all(running.map((one) => one.stop())));
	try {
		await Promise.all(SERVER_NAMES.map((name) => untilItAnswers(name, urls[name], running)));
	} catch (error) {
		await stop();
		throw error;
	}
	return { urls, scripts, stop };
}

async function untilItAnswers(name: ServerName, url: string, running: Running[]): Promise<void> {
	let hasEnded = false;
	for (const { ended } of running) void ended.then(() => (hasEnded = true));
	await until(`${name} to answer`, async () => {
		if (hasEnded) return true;
		await (await fetch(url, { method: 'POST', body: '{}' })).text();
		return true;
	});
	if (hasEnded) throw new Error(`a tool server ended: see everything.log and tool-servers.log`);
}
