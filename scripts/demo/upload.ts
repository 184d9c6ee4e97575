import type { WorkflowJson } from '../../test/harness/n8n';

/** The form of the example workflow, by which a file comes in. */
export const UPLOAD = 'Upload';

/** The workflow as if its form had been sent with a file of this text. */
export function withUpload(workflow: WorkflowJson, csv: string): WorkflowJson {
	const nodes = workflow.nodes.map((node) =>
		node.name === UPLOAD
			? { ...node, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} }
			: node,
	);
	const data = Buffer.from(csv).toString('base64');
	const file = { data, mimeType: 'text/csv', fileExtension: 'csv', fileName: 'leads.csv' };
	const sent = { json: {}, binary: { File: file } };
	return { ...workflow, nodes, pinData: { [UPLOAD]: [sent] } };
}
