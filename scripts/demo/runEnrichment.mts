import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'csv-stringify/sync';
import type { IDataObject } from 'n8n-workflow';
import type { WorkflowJson, WorkflowRun } from '../../test/harness/n8n.ts';
import { runWorkflow } from '../../test/harness/n8n.ts';
import { COLUMNS } from './columns.ts';
import type { Lead } from './csv.ts';
import type { EnrichedLead } from './outputRows.ts';
import { answersIn, contactIn, NODE } from './lookups.ts';
import { Progress } from './progress.mts';
import type { Service } from './service.mts';

const WORKFLOW = fileURLToPath(
	new URL('../../examples/workflows/enrich-leads.json', import.meta.url),
);
const READING_NODE = 'Read Leads';
/** Names a lead while it goes through the workflow, and keeps one without any value from being an empty row. */
const ROW = 'row';

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

/**
 * The columns that the workflow reads, under its own names, in a file as its reading node wants it. A copy under a plain
 * name works whatever the user's file is called: the node reads a pattern, not a path.
 */
async function writeLeads(leads: Lead[], folder: string): Promise<string> {
	const file = join(folder, 'leads.csv');
	const rows = leads.map(({ row, values }) => ({ ...values, [ROW]: row }));
	await writeFile(file, stringify(rows, { header: true, columns: [...COLUMNS, ROW] }));
	return file;
}

async function workflowReading(file: string): Promise<WorkflowJson> {
	const workflow = JSON.parse(await readFile(WORKFLOW, 'utf8')) as WorkflowJson;
	const reading = workflow.nodes.find(({ name }) => name === READING_NODE);
	if (!reading) throw new Error(`The workflow has no node "${READING_NODE}"`);
	reading.parameters = { ...reading.parameters, fileSelector: file };
	return workflow;
}

/** The leads with every answer that there is. */
export function answersOf(run: WorkflowRun, leads: Lead[]): EnrichedLead[] {
	const byRow = new Map(leads.map((lead) => [String(lead.row), lead]));
	return run.items(NODE).flatMap(({ json }) => {
		const lead = byRow.get(String(json[ROW]));
		return lead ? [{ lead, item: answersIn(json) }] : [];
	});
}

/** What the node made of each lead, as a whole. */
export function contactsOf(run: WorkflowRun): IDataObject[] {
	return run
		.items(NODE)
		.map(({ json }) => contactIn(json))
		.filter((contact) => contact !== undefined);
}
