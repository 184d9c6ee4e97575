import type { IDataObject } from 'n8n-workflow';
import type { FaultEffect, FaultRule, Sandbox } from '../../sandbox';
import { keyLeakSearch, leftBehindBy, type KeyLeakSearch } from '../../harness/keyLeakSearch';
import type { CapturedLogs } from '../../harness/capturedLogs';
import { runNode, type NodeRun } from '../../harness/n8n';
import { callExpected, hitItem, type Mode, type Names } from './expectedResults';
import type { Fault } from './faultList';
import type { HostilePorts } from './brokenPorts';
import type { Subject } from './callsUnderTest';

/** Where cells run: a service of their own, and what is listened to. */
export interface World {
	sandbox: Sandbox;
	ports: HostilePorts;
	logs: CapturedLogs;
	keySearch: KeyLeakSearch;
	/** Has the jobs of the service finished. */
	finishJobs(): void;
}

/** What a cell came to. */
export interface CellSeen {
	run: NodeRun;
	names: Names;
	sent: number;
	charged: number;
	/** Where the key was found, outside the service. */
	leaks: string[];
	/** What reached the address that a redirect leads to. */
	strays: number;
}

export function openWorld(sandbox: Sandbox, ports: HostilePorts, logs: CapturedLogs): World {
	const finishJobs = () => {
		sandbox.finishBatches();
		sandbox.finishAudits();
	};
	return { sandbox, ports, logs, keySearch: keyLeakSearch(sandbox.keys.main), finishJobs };
}

/** Runs an operation once, with a fault in the way of one of its calls. Time is the caller's (test/harness/time.ts). */
export async function performCell(
	world: World,
	subject: Subject,
	fault: Fault,
	mode: Mode,
): Promise<CellSeen> {
	const { sandbox, ports, logs } = world;
	sandbox.reset();
	const values = subject.jobs ? await startJobs(world, subject.jobs) : subject.values;
	sandbox.clearLog();
	ports.strays.length = 0;
	logs.console.length = 0;
	logs.log.length = 0;
	if (fault.effect) sandbox.fault(ruleOf(world, subject, fault, values.length));
	const roots = { ...sandbox.roots, ...(fault.port && { [subject.root]: ports.urls[fault.port] }) };
	const run = await runNode({
		credentials: { lookupMessagingApi: { apiKey: sandbox.keys.main, ...roots } },
		parameters: {
			...subject.parameters,
			output: 'raw',
			options: { maxConcurrentRequests: 1, timeout: fault.isSlow ? 1 : 30 },
		},
		items: values.map((value) => ({ value })),
		...(mode !== 'stopWorkflow' && { onError: mode }),
	});
	const { host, path } = subject;
	const arrived = sandbox.log.filter((record) => record.host === host && isAt(path, record.path));
	const total = (records: Array<{ charged: number }>) =>
		records.reduce((sum, { charged }) => sum + charged, 0);
	return {
		run,
		names: {
			values,
			host: new URL(roots[subject.root]).host,
			job: subject.job && jobIn(sandbox),
		},
		sent: arrived.length,
		charged: total(arrived),
		leaks: world.keySearch.search(leftBehindBy(run, logs, ports.strays)),
		strays: ports.strays.length,
	};
}

function ruleOf({ ports }: World, subject: Subject, fault: Fault, count: number): FaultRule {
	const { host, path } = subject;
	const { spoiled } = callExpected(subject, fault);
	const where = { host, path, skip: hitItem(subject, count), times: spoiled };
	return { ...where, ...(fault.effect && placed(fault.effect, ports)) } as FaultRule;
}

/** An effect with what is known only now: where a redirect leads to, and what time it is. */
function placed(effect: FaultEffect, { elsewhere }: HostilePorts): FaultEffect {
	if (effect.kind === 'redirect') return { ...effect, to: `${elsewhere}/` };
	if (effect.kind !== 'status' || effect.headers?.['retry-after'] !== 'date') return effect;
	return { ...effect, headers: { 'retry-after': new Date(Date.now() + 2_000).toUTCString() } };
}

/** Whether a path is the endpoint's; a parameter stands for one segment. */
function isAt(path: string | undefined, asked: string): boolean {
	if (path === undefined) return true;
	const [parts, given] = [path.split('/'), asked.split('/')];
	return (
		parts.length === given.length &&
		parts.every((part, n) => part.startsWith(':') || part === given[n])
	);
}

/** The job that was started in the run. */
function jobIn({ log }: Sandbox): string | undefined {
	const last = log.findLast(({ path, query }) => /batch\/./.test(path) || query.audit_id);
	return last?.query.audit_id ?? last?.path.split('/').pop();
}

async function startJobs(
	{ sandbox, finishJobs }: World,
	kind: 'audit' | 'batch',
): Promise<string[]> {
	const ids: string[] = [];
	// Looks at several batches at a distance would mingle
	const count = kind === 'batch' ? 1 : 3;
	for (let n = 0; n < count; n += 1) ids.push(await startJob(sandbox, kind));
	finishJobs();
	return ids;
}

async function startJob({ roots, keys }: Sandbox, kind: 'audit' | 'batch'): Promise<string> {
	const key = encodeURIComponent(keys.main);
	const [url, body] =
		kind === 'audit'
			? [
					`${roots.baseUrl}/audit_run?api_key=${key}`,
					{ brand_name: 'Oak', brand_url: 'https://example.com' },
				]
			: [
					`${roots.lookupUrl}/wavalidation/batch?api_key=${key}`,
					{ phone_numbers: ['+442079460121'] },
				];
	const reply = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	const job = (await reply.json()) as IDataObject;
	return String(job.audit_id ?? job.batch_id);
}
