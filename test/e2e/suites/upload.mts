import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { exampleText, type WorkflowJson } from '../server/workflows.mts';
import type { Fixture } from '../testEnvironment.mts';
import { fillIn } from './fillInForm.mts';
import { lastExecution } from './webhook.mts';

const EXAMPLE = 'enrich-leads-from-a-csv-file.json';
const USELESS = 'Tel 1,Post\n1,2\n';

/** The example that takes a file: its own leads to begin with, and a file that has nothing to look up. */
export async function checkUpload(fixture: Fixture) {
	const { n8n, sandbox, workflows, credential, section } = fixture;
	// Its form has an address of its own: that of the example is taken
	const text = exampleText(EXAMPLE).replace(/(?<="webhookId": ")[^"]*/, randomUUID());
	const add = async () => await workflows.add(JSON.parse(text) as WorkflowJson, credential);

	await section.check(`${EXAMPLE}: has leads to begin with`, async () => {
		const execution = await workflows.ended(await workflows.run(await add()));
		assert.equal(execution.status, 'success', execution.error);
		const names = execution.items('Enriched Leads').map(({ Name }) => Name);
		assert.deepEqual(names, ['Ada', 'Ben', 'Cleo']);
	});
	await section.check(`${EXAMPLE}: says when a file has nothing to look up`, async () => {
		const workflow = await add();
		await workflows.activate(workflow);
		const before = sandbox.log.length;
		await fillIn(n8n, workflow, [new File([USELESS], 'leads.csv', { type: 'text/csv' })]);
		const execution = await lastExecution(fixture, workflow);
		assert.equal(execution.status, 'error');
		assert.match(execution.error ?? '', /Its header is "Tel 1", "Post"\..*You weren't charged\.$/);
		assert.equal(sandbox.log.length, before);
		await workflows.deactivate(workflow);
	});
}
