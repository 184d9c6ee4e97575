import assert from 'node:assert/strict';
import { weeklyInDataTable, WEEKLY_EXAMPLE } from '../server/answerTables.mts';
import { costsSaid, type WorkflowJson } from '../server/workflows.mts';
import type { Fixture } from '../testEnvironment.mts';

type Credits = Record<string, number>;

/** The example that cleans a list every week: three weeks, and each pays for what has changed. */
export async function checkWeekly({ n8n, sandbox, workflows, credential, section }: Fixture) {
	let example: WorkflowJson | undefined;
	const week = async (workflow: WorkflowJson, costs: Credits, ids: string[]) => {
		const before: Credits = { ...sandbox.spent(sandbox.keys.main) };
		const stored = await workflows.add(workflow, credential);
		const execution = await workflows.ended(await workflows.run(stored));
		assert.equal(execution.status, 'success', execution.error);
		const after = Object.entries(sandbox.spent(sandbox.keys.main));
		const more = after.map(([product, credits]) => [product, credits - (before[product] ?? 0)]);
		assert.deepEqual(Object.fromEntries(more.filter(([, credits]) => credits !== 0)), costs);
		assert.deepEqual(
			execution.items('For Your CRM').map(({ id }) => id),
			ids,
		);
	};

	await section.check(`${WEEKLY_EXAMPLE}: the first week costs what RECIPES says`, async () => {
		example = await weeklyInDataTable(n8n);
		await week(example, costsSaid(WEEKLY_EXAMPLE), ['1', '2', '3', '4', '5']);
	});
	if (!example) return;
	const changed = JSON.parse(
		JSON.stringify(example).replace('missing.hugo', 'hugo'),
	) as WorkflowJson;
	await section.check(`${WEEKLY_EXAMPLE}: an unchanged week costs nothing`, async () =>
		week(example!, {}, ['5']),
	);
	await section.check(`${WEEKLY_EXAMPLE}: a changed lead costs its change`, async () =>
		week(changed, { email: 1 }, ['3', '5']),
	);
}
