import { until } from '../machine/wait.mts';
import type { N8n } from '../server/n8n.mts';
import type { StoredWorkflow } from '../server/workflows.mts';

/** What is typed into a field, or the file that is chosen in it. */
export type FormValue = string | File;

/** Fills in the form of an activated workflow and sends it. @param values in the order of the form's fields */
export async function fillIn({ url }: N8n, { nodes }: StoredWorkflow, values: FormValue[]) {
	const { webhookId } = nodes.find(({ type }) => type.endsWith('.formTrigger'))!;
	const form = `${url}/form/${webhookId}`;
	// n8n answers before the form is there
	await until('the form to be there', async () => (await fetch(form)).ok);
	const body = new FormData();
	for (const [index, value] of values.entries()) body.set(`field-${index}`, value);
	await fetch(form, { method: 'POST', body });
}
