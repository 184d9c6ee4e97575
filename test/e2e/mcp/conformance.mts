import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { run } from '../machine/processes.mts';
import type { Programs } from '../server/install.mts';

/** A check of the protocol's conformance suite. */
export interface ConformanceCheck {
	id: string;
	status: 'FAILURE' | 'INFO' | 'SKIPPED' | 'SUCCESS' | 'WARNING';
	description: string;
	errorMessage?: string;
}

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

/** Names of all scenarios for clients. */
export async function clientScenarios({ node, folder }: Programs): Promise<string[]> {
	const listed = await run(node, [join(folder, SUITE), 'list', '--client']);
	return [...listed.matchAll(/^ *- (\S+)/gm)].map(([, name]) => name);
}

/**
 * Runs one client scenario of the suite, which starts a server of its own.
 *
 * @param client does what the scenario asks of a client at this URL
 * @returns its checks; throws what the client throws
 */
export async function conformanceOf(
	scenario: string,
	client: (url: string) => Promise<void>,
	{ node, folder, scripts, results }: Programs & { scripts: string; results: string },
): Promise<ConformanceCheck[]> {
	const host = await serveClient(client);
	mkdirSync(results, { recursive: true });
	const command = `${node} ${join(scripts, 'askTheNode.mjs')} ${host.url}`;
	const args = ['client', '--command', command, '--scenario', scenario, '--output-dir', results];
	let output = '';
	try {
		output = await run(node, [join(folder, SUITE), ...args]);
	} catch (error) {
		// Its checks say more
		output = String(error);
	} finally {
		await host.close();
	}
	if (host.error) throw host.error;
	const found = readdirSync(results)
		.filter((name) => name.startsWith(`${scenario}-`))
		.sort()
		.at(-1);
	if (!found) throw new Error(`the conformance suite left no results of ${scenario}:\n${output}`);
	return JSON.parse(
		readFileSync(join(results, found, 'checks.json'), 'utf8'),
	) as ConformanceCheck[];
}

/** Lets the suite's command, a process of its own, have the client run in this one. */
async function serveClient(client: (url: string) => Promise<void>) {
	const host = { url: '', error: undefined as unknown, close: async () => {} };
	const server = createServer((request, response) => {
		void (async () => {
			try {
				const chunks: Buffer[] = [];
				for await (const chunk of request) chunks.push(chunk as Buffer);
				await client(Buffer.concat(chunks).toString());
				response.end('done');
			} catch (error) {
				host.error = error;
				response.writeHead(500).end(String(error));
			}
		})();
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	host.close = async () => {
		server.closeAllConnections();
		await new Promise<void>((done) => server.close(() => done()));
	};
	return host;
}
