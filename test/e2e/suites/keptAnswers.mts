import assert from 'node:assert/strict';
import type { INode } from 'n8n-workflow';
import {
	costsSaid,
	exampleText,
	type StoredWorkflow,
	type WorkflowJson,
} from '../server/workflows.mts';
import type { Fixture } from '../testEnvironment.mts';

/** The example that keeps its answers in a data table of n8n. */
export const KEPT_ANSWERS = 'ask-again-after-days.json';

const TABLE = 'Lookup Answers';
const TABLE_NODE = 'n8n-nodes-base.dataTable';
const COLUMNS = [
	...['email', 'outcome', 'reason'].map((name) => ({ name, type: 'string' })),
	{ name: 'askedAt', type: 'date' },
];
const DAY_MS = 86_400_000;

/** Runs it four times: the first asks, and later ones ask only what is not known or has become old. */
export async function checkKeptAnswers(fixture: Fixture): Promise<void> {
	const { section } = fixture;
	let kept: KeptAnswers | undefined;
	const steps: Array<[title: string, run: (kept: KeptAnswers) => Promise<void>]> = [
		[
			'a first run asks for what docs/RECIPES.md says',
			async (answers) => await answers.expectSpent(costsSaid(KEPT_ANSWERS).email),
		],
		['a second run asks only what nobody knew', async (answers) => await answers.expectSpent(1)],
		[
			'an answer of 29 days is not asked again',
			async (answers) => {
				await answers.age('ada@example.com', 29);
				await answers.expectSpent(1);
			},
		],
		[
			'an answer of 31 days is asked again',
			async (answers) => {
				await answers.age('ada@example.com', 31);
				await answers.expectSpent(2);
			},
		],
	];
	for (const [title, run] of steps) {
		// Each needs the one before it
		const isDone = await section.check(`${KEPT_ANSWERS}: ${title}`, async () => {
			kept ??= await KeptAnswers.add(fixture);
			await run(kept);
		});
		if (!isDone) return;
	}
}

/** The workflow and its table, by n8n's REST API. */
class KeptAnswers {
	private constructor(
		private readonly fixture: Fixture,
		private readonly workflow: StoredWorkflow,
		/** Path of the project's tables. */
		private readonly tables: string,
	) {}

	static async add(fixture: Fixture): Promise<KeptAnswers> {
		const { n8n, workflows, credential } = fixture;
		const { id } = await n8n.rest.get<{ id: string }>('/projects/personal');
		const tables = `/projects/${id}/data-tables`;
		const example = JSON.parse(exampleText(KEPT_ANSWERS)) as WorkflowJson;
		if (n8n.installation.release === '1.x') {
			// As its note tells users of 1.x
			const table = { name: TABLE, columns: COLUMNS };
			const made = await n8n.rest.post<{ id: string }>(tables, table);
			example.nodes = example.nodes.map((node) => withTable(node, made.id));
		}
		return new KeptAnswers(fixture, await workflows.add(example, credential), tables);
	}

	async expectSpent(credits: number): Promise<void> {
		const { workflows, sandbox } = this.fixture;
		const before = sandbox.spent(sandbox.keys.main).email;
		const execution = await workflows.ended(await workflows.run(this.workflow));
		assert.equal(execution.status, 'success', execution.error);
		assert.equal(sandbox.spent(sandbox.keys.main).email - before, credits);
		const answers = execution.items('Answers').map(({ name, outcome }) => [name, outcome]);
		assert.equal(answers.length, 5);
		assert.deepEqual(Object.fromEntries(answers), {
			...{ Ada: 'positive', 'Ada again': 'positive', Fay: 'positive' },
			...{ Ben: 'negative', Cleo: 'unknown' },
		});
	}

	/** Makes the answer about an address as old as if it had been asked so many days ago. */
	async age(email: string, days: number): Promise<void> {
		const { rest } = this.fixture.n8n;
		const { data } = await rest.get<{ data: Array<{ id: string; name: string }> }>(this.tables);
		const { id } = data.find(({ name }) => name === TABLE)!;
		await rest.patch(`${this.tables}/${id}/rows`, {
			filter: { type: 'and', filters: [{ columnName: 'email', condition: 'eq', value: email }] },
			data: { askedAt: new Date(Date.now() - days * DAY_MS).toISOString() },
		});
	}
}

/** The node with this table chosen from the list, or deactivated where it would make the table. */
function withTable(node: INode, id: string): INode {
	if (node.type !== TABLE_NODE) return node;
	if (node.parameters.resource === 'table') return { ...node, disabled: true };
	const dataTableId = { __rl: true, mode: 'list', value: id, cachedResultName: TABLE };
	return { ...node, parameters: { ...node.parameters, dataTableId } };
}
