import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { stringify } from 'csv-stringify/sync';
import type { IDataObject } from 'n8n-workflow';
import type { WorkflowJson, WorkflowRun } from '../../test/harness/n8n.ts';
import { runWorkflow } from '../../test/harness/n8n.ts';
import { COLUMNS } from './columnNames.ts';
import type { Lead } from './csv.ts';
import type { EnrichedLead } from './lookups.ts';
import { NODE, RESULT } from './lookups.ts';
import { Progress } from './progress.mts';
import type { Service } from './service.mts';
import { UPLOAD, withUpload } from './upload.ts';

const WORKFLOW = fileURLToPath(
	new URL('../../examples/workflows/enrich-leads-from-a-csv-file.json', import.meta.url),
);
/** Names a lead while it goes through the workflow, and keeps one without any value from being an empty row. */
const ROW = 'row';

/** Runs the example workflow over the leads. The workflow is the one to import into n8n, as if they had been uploaded. */
export async function runOver(leads: Lead[], service: Service, signal: AbortSignal) {
	const progress = new Progress(service, leads.length);
	const workflow = JSON.parse(await readFile(WORKFLOW, 'utf8')) as WorkflowJson;
	try {
		return await runWorkflow({
			workflow: withUpload(withoutLimits(workflow), fileOf(leads)),
			startNode: UPLOAD,
			credentials: service.credentials as never,
			onNodeStart: (node) => progress.started(node),
			onNodeFinish: (_node, { executionStatus }) => progress.finished(executionStatus),
			signal,
		});
	} finally {
		progress.stop();
	}
}

/** The workflow without its limits, which are for a form that anyone can send. */
function withoutLimits(workflow: WorkflowJson): WorkflowJson {
	const nodes = workflow.nodes.map((node) =>
		node.name === NODE ? { ...node, parameters: { ...node.parameters, spendingLimits: {} } } : node,
	);
	return { ...workflow, nodes };
}

/** The columns that the workflow reads, under its own names. */
function fileOf(leads: Lead[]): string {
	const rows = leads.map(({ row, values }) => ({ ...values, [ROW]: row }));
	return stringify(rows, { header: true, columns: [...COLUMNS, ROW] });
}

/** The leads with every answer that there is. */
export function answersOf(run: WorkflowRun, leads: Lead[]): EnrichedLead[] {
	const byRow = new Map(leads.map((lead) => [String(lead.row), lead]));
	return run.items(NODE).flatMap(({ json }) => {
		const lead = byRow.get(String(json[ROW]));
		return lead ? [{ lead, contact: (json[RESULT] ?? {}) as IDataObject }] : [];
	});
}
