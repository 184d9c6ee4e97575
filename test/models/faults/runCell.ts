import { isHandshake } from '../../sandbox/faults/faultRules';
import type { IDataObject } from 'n8n-workflow';
import { type RequestRecord, FaultEffect, FaultRule, Sandbox } from '../../sandbox';
import { keyLeakSearch, leftBehindBy, type KeyLeakSearch } from '../../harness/keyLeakSearch';
import type { CapturedLogs } from '../../harness/capturedLogs';
import { AT_ONCE, runNode, type NodeRun } from '../../harness/n8n';
import { expectedCall, affectedItem, withValue, type Mode, type Names } from './expectedResults';
import type { Fault } from './faultList';
import type { BrokenPorts } from './brokenPorts';
import type { CallUnderTest } from './callsUnderTest';

/** What the cells need: a sandbox, broken ports, captured logs and the search for leaked keys. */
export interface CellSetup {
	sandbox: Sandbox;
	ports: BrokenPorts;
	logs: CapturedLogs;
	keySearch: KeyLeakSearch;
	/** Finishes all jobs of the sandbox. */
	finishJobs(): void;
}

/** What was observed while a cell ran. */
export interface ObservedCell {
	run: NodeRun;
	names: Names;
	sent: number;
	charged: number;
	/** Where the key was found, outside the service. */
	leaks: string[];
	/** Requests to the address that redirects point to. */
	strays: number;
}

export function prepareCells(sandbox: Sandbox, ports: BrokenPorts, logs: CapturedLogs): CellSetup {
	const finishJobs = () => {
		sandbox.finishBatches();
		sandbox.finishAudits();
	};
	return { sandbox, ports, logs, keySearch: keyLeakSearch(sandbox.keys.main), finishJobs };
}

/**
 * Runs an operation once, with a fault in one of its calls. The caller controls the time (test/harness/time.ts).
 * @param timeout the option Timeout, in seconds
 */
export async function runCell(
	setup: CellSetup,
	target: CallUnderTest,
	fault: Fault,
	mode: Mode,
	timeout: number,
): Promise<ObservedCell> {
	const { sandbox, ports, logs } = setup;
	sandbox.reset();
	const values = target.jobs ? await startJobs(setup, target.jobs) : target.values;
	sandbox.clearLog();
	ports.strays.length = 0;
	logs.console.length = 0;
	logs.log.length = 0;
	if (fault.effect) sandbox.fault(ruleOf(setup, target, fault, values));
	const roots = { ...sandbox.roots, ...(fault.port && { [target.root]: ports.urls[fault.port] }) };
	const run = await runNode({
		credentials: { lookupMessagingApi: { apiKey: sandbox.keys.main, ...roots } },
		parameters: {
			...target.parameters,
			output: 'raw',
			options: { [AT_ONCE]: 1, timeout },
		},
		items: values.map((value) => ({ value })),
		...(mode !== 'stopWorkflow' && { onError: mode }),
	});
	const { host, path } = target;
	const isOfCall = (record: RequestRecord) =>
		record.host === host && isAt(path, record.path) && !isHandshake(record);
	const arrived = sandbox.log.filter(isOfCall);
	const total = (records: Array<{ charged: number }>) =>
		records.reduce((sum, { charged }) => sum + charged, 0);
	return {
		run,
		names: {
			values,
			host: new URL(roots[target.root]).host,
			job: target.job && jobIn(sandbox),
		},
		sent: arrived.length,
		charged: total(arrived),
		leaks: setup.keySearch.search(leftBehindBy(run, logs, ports.strays)),
		strays: ports.strays.length,
	};
}

function ruleOf(
	{ ports }: CellSetup,
	target: CallUnderTest,
	fault: Fault,
	values: string[],
): FaultRule {
	const { host, path } = target;
	const { affectedCalls } = expectedCall(target, fault);
	const affected = affectedItem(target, fault, values.length);
	const where = { host, path, skip: affected, times: affectedCalls };
	return {
		...where,
		...(fault.effect && placed(fault.effect, ports, values[affected])),
	} as FaultRule;
}

/** Fills in what is known only now: the address of a redirect, the current time, and the value that is looked up. */
function placed(effect: FaultEffect, { elsewhere }: BrokenPorts, value: string): FaultEffect {
	if (effect.kind === 'redirect') return { ...effect, to: `${elsewhere}/` };
	if (effect.kind === 'status' && typeof effect.body === 'object') {
		return { ...effect, body: JSON.parse(withValue(JSON.stringify(effect.body), value)) as object };
	}
	if (effect.kind !== 'status' || effect.headers?.['retry-after'] !== 'date') return effect;
	return { ...effect, headers: { 'retry-after': new Date(Date.now() + 2_000).toUTCString() } };
}

/** Whether a path is the endpoint's. A parameter stands for one segment. */
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
	{ sandbox, finishJobs }: CellSetup,
	kind: 'audit' | 'batch',
): Promise<string[]> {
	const ids: string[] = [];
	// The polls of several batches would mix
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
