import assert from 'node:assert/strict';
import { weeklyInDataTable, WEEKLY_EXAMPLE } from '../server/answerTables.mts';
import { costsSaid, type WorkflowJson } from '../server/workflows.mts';
import type { Fixture } from '../testEnvironment.mts';

type Credits = Record<string, number>;
type Row = Record<string, unknown>;

/** The example that cleans a list every week: each week pays for changes, and returns what the CRM hasn't stored. */
export async function checkWeekly({ n8n, sandbox, workflows, credential, section }: Fixture) {
	let example: WorkflowJson | undefined;
	let returned: Row[] = [];
	const week = async (workflow: WorkflowJson, costs: Credits, ids: string[]) => {
		const before: Credits = { ...sandbox.spent(sandbox.keys.main) };
		const stored = await workflows.add(workflow, credential);
		const execution = await workflows.ended(await workflows.run(stored));
		assert.equal(execution.status, 'success', execution.error);
		const after = Object.entries(sandbox.spent(sandbox.keys.main));
		const more = after.map(([product, credits]) => [product, credits - (before[product] ?? 0)]);
		assert.deepEqual(Object.fromEntries(more.filter(([, credits]) => credits !== 0)), costs);
		returned = execution.items('For Your CRM');
		assert.deepEqual(
			returned.map(({ id }) => id),
			ids,
		);
	};
	const all = ['1', '2', '3', '4', '5'];

	await section.check(`${WEEKLY_EXAMPLE}: the first week costs what RECIPES says`, async () => {
		example = await weeklyInDataTable(n8n);
		await week(example, costsSaid(WEEKLY_EXAMPLE), all);
	});
	if (!example) return;
	await section.check(`${WEEKLY_EXAMPLE}: what the CRM hasn't stored is returned again`, async () =>
		week(example!, {}, all),
	);
	const stored = writtenBack(example, returned);
	await section.check(`${WEEKLY_EXAMPLE}: an unchanged week costs nothing`, async () =>
		week(stored, {}, []),
	);
	const changed = JSON.parse(
		JSON.stringify(stored).replace('missing.hugo', 'hugo'),
	) as WorkflowJson;
	await section.check(`${WEEKLY_EXAMPLE}: a changed lead costs its change`, async () =>
		week(changed, { email: 1 }, ['3']),
	);
}

/** The example after the CRM has stored what was returned. */
function writtenBack(workflow: WorkflowJson, rows: Row[]): WorkflowJson {
	const nodes = workflow.nodes.map((node) =>
		node.name === 'List'
			? { ...node, parameters: { jsCode: `return ${JSON.stringify(rows)};` } }
			: node,
	);
	return { ...workflow, nodes };
}
