/** Samples on a real server: a webhook starts the workflow, its answer says how many answers came out. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch, type Response } from 'undici';
import type { Contestant, Load } from '../loads.mts';
import { MAIN_KEY, nodeOf, PEERS_PACKAGE, type NodeContestant } from '../nodes.mts';
import { profileFlags } from '../options.mts';
import type { Sampler } from '../runLoad.mts';
import type { Measured } from '../results.mts';
import type { Service } from '../service/startService.mts';
import { cpuMs, memory, resetPeak } from '../usage.mts';
import type { Installation } from '../../e2e/server/install.mts';
import { OWNER } from '../../e2e/server/n8n.mts';
import type { Rest } from '../../e2e/server/rest.mts';
import { askHealth, HealthPolls } from './healthPolls.mts';
import { atRest, stretchesOf, untilIdle } from './idleness.mts';
import { startServer, type Server } from './server.mts';

interface ServerSetup {
	installation: Installation;
	/** This package's tarball, unpacked. */
	tarball: string;
	/** Profiles of the servers go there. */
	profile?: string;
	/** File of a certificate that the servers are to trust. */
	caFile?: string;
}

const WARM_UP = { items: 50, distinct: 50 };
/** A long list takes as long as it takes. */
const PATIENT = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/** A server of one contestant for one load, warmed up unless the load is to be its first. */
export async function openServer(
	{ installation, tarball, profile, caFile }: ServerSetup,
	load: Load,
	contestant: Contestant,
	service: Service,
): Promise<Sampler> {
	const server = await startServer(installation, tarball, {
		nodeFlags: profile ? profileFlags(profile) : [],
		env: caFile ? { NODE_EXTRA_CA_CERTS: caFile } : {},
	});
	try {
		const { rest } = server;
		await rest.post('/owner/setup', OWNER);
		let workflows = 0;
		const prepare = async () =>
			await prepareWorkflow(rest, installation, contestant, load, service, (workflows += 1));
		if (!load.isCold) await (await prepare())(WARM_UP);
		const takeStretch = stretchesOf(server.pid);
		const restMs = profile ? await atRest(takeStretch) : 0;
		return {
			async sample(begin) {
				const run = await prepare();
				await untilIdle(takeStretch, restMs);
				await begin();
				return await measure(run, load, server, async () => await untilIdle(takeStretch, restMs));
			},
			close: server.stop,
		};
	} catch (error) {
		await server.stop();
		throw error;
	}
}

type Run = (size: { items: number; distinct: number }) => Promise<number>;

/** @param idle waits until n8n has stored the execution, which it does after it has answered; says since when it is idle */
async function measure(
	run: Run,
	load: Load,
	{ pid, url }: Server,
	idle: () => Promise<number>,
): Promise<Measured> {
	resetPeak(pid);
	const before = { ...memory(pid), cpuMs: cpuMs(pid) };
	const polls = load.isWatched ? new HealthPolls(askHealth(url)) : undefined;
	const startedMs = performance.now();
	const delivered = await runAll(run, load);
	const wallMs = performance.now() - startedMs;
	const idleSinceMs = await idle();
	return {
		wallMs,
		cpuMs: cpuMs(pid) - before.cpuMs,
		rssMb: memory(pid).peakMb - before.rssMb,
		delivered,
		...(await polls?.end(idleSinceMs)),
	};
}

/** @returns how many items were answered */
async function runAll(run: Run, load: Load): Promise<number> {
	const { items, distinct = items, executions = 1, atOnce = false } = load;
	let delivered = 0;
	if (atOnce) {
		const runs = Array.from({ length: executions }, async () => await run({ items, distinct }));
		delivered = (await Promise.all(runs)).reduce((sum, answered) => sum + answered, 0);
	} else {
		for (let left = executions; left > 0; left -= 1) delivered += await run({ items, distinct });
	}
	return delivered;
}

/** A workflow of its own for each sample; nothing that was learnt of the service with another key is of use to it. */
async function prepareWorkflow(
	rest: Rest,
	{ release }: Installation,
	contestant: Contestant,
	load: Load,
	{ roots }: Service,
	nth: number,
): Promise<Run> {
	const { url } = rest;
	const path = `bench-${nth}`;
	const key = load.service.kind === 'fast' ? `${MAIN_KEY}-${nth}` : MAIN_KEY;
	const { credentials, ...node } = nodeOf(contestant as NodeContestant, load, roots, key);
	const links: Record<string, { id: string; name: string }> = {};
	for (const [type, data] of Object.entries(credentials)) {
		links[type] = await rest.post('/credentials', { name: type, type, data });
	}
	const workflow = workflowOf(path, { ...node, credentials: links });
	const { id, versionId } = await rest.post<{ id: string; versionId: string }>(
		'/workflows',
		workflow,
	);
	if (release === '1.x') await rest.patch(`/workflows/${id}`, { active: true });
	else await rest.post(`/workflows/${id}/activate`, { versionId });
	const call = async (size: object) => await callWebhook(`${url}/webhook/${path}`, size);
	await untilListening(call);
	return async (size) => await answersOf(await call(size));
}

const callWebhook = async (url: string, body: object) =>
	await fetch(url, {
		dispatcher: PATIENT,
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});

/** Nothing is delivered by a workflow that failed; why it failed is printed. */
async function answersOf(response: Response): Promise<number> {
	const text = await response.text();
	if (response.ok) return (JSON.parse(text) as { delivered: number }).delivered;
	console.log(`n8n answered ${response.status}: ${text.slice(0, 500)}`);
	return 0;
}

/** n8n answers an activation before the webhook is there. */
async function untilListening(call: (size: object) => Promise<Response>) {
	while ((await call({ items: 0, distinct: 1 })).status === 404) await sleep(200);
}

function workflowOf(path: string, measured: object) {
	const nodes = [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: path,
			parameters: {
				httpMethod: 'POST',
				path,
				responseMode: 'lastNode',
				responseData: 'firstEntryJson',
			},
		},
		{ name: 'Source', type: `${PEERS_PACKAGE}.benchSource`, typeVersion: 1, parameters: {} },
		{ name: 'Measured', ...measured },
		{ name: 'Count', type: `${PEERS_PACKAGE}.benchCount`, typeVersion: 1, parameters: {} },
	].map((node, index) => ({ ...node, id: `node-${index}`, position: [index * 200, 0] }));
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index].name,
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
	);
	return { name: 'Bench', nodes, connections, active: false, settings: { executionOrder: 'v1' } };
}
