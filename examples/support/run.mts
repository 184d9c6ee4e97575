import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'csv-stringify/sync';
import type { IDataObject } from 'n8n-workflow';
import type { WorkflowJson, WorkflowRun } from '../../test/support/n8n.ts';
import { runWorkflow } from '../../test/support/n8n.ts';
import type { Lead } from './leads.mts';
import { COLUMNS } from './leads.mts';
import { LOOKUPS } from './lookups.mts';
import { Progress } from './progress.mts';
import type { Service } from './service.mts';

const WORKFLOW = fileURLToPath(new URL('../workflows/enrich-leads.json', import.meta.url));
const READING_NODE = 'Read Leads';

/** Runs the example workflow over the leads. The workflow is the one to import into n8n; only its file path is changed. */
export async function runOver(leads: Lead[], service: Service, signal: AbortSignal) {
	const folder = await mkdtemp(join(tmpdir(), 'leads-'));
	const progress = new Progress(service, leads.length);
	try {
		return await runWorkflow({
			workflow: await workflowReading(await writeLeads(leads, folder)),
			credentials: service.credentials as never,
			onNodeStart: (node) => progress.started(node),
			onNodeFinish: (_node, { executionStatus }) => progress.finished(executionStatus),
			signal,
		});
	} finally {
		progress.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

/** The node reads a pattern, not a path: a copy under a plain name works whatever the user's file is called. */
async function writeLeads(leads: Lead[], folder: string): Promise<string> {
	const others = Object.keys(leads[0]).filter((column) => !COLUMNS.includes(column as never));
	const file = join(folder, 'leads.csv');
	await writeFile(file, stringify(leads, { header: true, columns: [...COLUMNS, ...others] }));
	return file;
}

async function workflowReading(file: string): Promise<WorkflowJson> {
	const workflow = JSON.parse(await readFile(WORKFLOW, 'utf8')) as WorkflowJson;
	const reading = workflow.nodes.find(({ name }) => name === READING_NODE);
	if (!reading) throw new Error(`The workflow has no node "${READING_NODE}"`);
	reading.parameters = { ...reading.parameters, fileSelector: file };
	return workflow;
}

/** The leads with every answer that there is: what the last lookup that finished handed on. */
export function answersOf(run: WorkflowRun): IDataObject[] {
	for (const { node } of [...LOOKUPS].reverse()) {
		const items = run.items(node);
		if (items.length > 0) return items.map(({ json }) => json);
	}
	return [];
}
