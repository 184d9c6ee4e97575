import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/index.ts';
import { startPostgres, type Postgres } from '../machine/postgres.mts';
import {
	answersInDataTable,
	answersInPostgres,
	DATA_TABLE_EXAMPLE,
	POSTGRES_EXAMPLE,
	type AnswerTable,
} from '../server/answerTables.mts';
import type { N8n } from '../server/n8n.mts';
import {
	costsSaid,
	Workflows,
	type CredentialLink,
	type Execution,
	type StoredWorkflow,
} from '../server/workflows.mts';
import { addCredential, type Fixture } from '../testEnvironment.mts';
import { firstAnswer, lastExecution } from './webhook.mts';

/** The examples that keep their answers in a table. */
export const KEPT_ANSWERS = [DATA_TABLE_EXAMPLE, POSTGRES_EXAMPLE];

const LAST_NODE = 'Keep Answers';
type Rows = Array<Record<string, string>>;
type Credits = Record<string, number>;

/** The values of the examples' list, as people write them elsewhere. */
const RESPELT: Rows = [
	...['ada@EXAMPLE.com', ' ada@example.com ', 'missing.ben@Example.Org'],
	...['cleo@EXAMPLE.org', 'fay@example.NET'],
].map((email) => ({ email }));
const OUTCOMES = ['positive', 'positive', 'negative', 'positive', 'positive'];
/** What the list costs while nothing is known. */
const COSTS: Credits = costsSaid(DATA_TABLE_EXAMPLE);
/** The node that looks up. */
const LOOKUP = 'Verify Email';

/** The list with its answers in one table: three executions and more, with the credits that each takes. */
class KeptList {
	private first?: Execution;

	private byHand!: StoredWorkflow;

	constructor(
		private readonly table: AnswerTable,
		private readonly workflows: Workflows,
		private readonly account: { sandbox: Sandbox; key: string; credential: CredentialLink },
	) {}

	get title(): string {
		return this.table.file;
	}

	/** Execute Step of the last node, before there are any answers. */
	async paysOnce(): Promise<void> {
		this.byHand = await this.add();
		const run = async () => await this.workflows.executeStep(this.byHand, LAST_NODE);
		this.first = await this.expectSpent(COSTS, run);
		const { length } = await this.table.rows();
		assert.ok(length > 0, 'no answers were stored');
	}

	/** Execute Step of the lookup, with what the editor has of the first execution: its table was empty. */
	async staleStep(): Promise<void> {
		const run = async () =>
			await this.workflows.executeStep(this.byHand, LOOKUP, this.first!.runData);
		await this.expectSpent({}, run);
	}

	/** The whole workflow, or a step, by hand, with other spellings. */
	async byHandAgain(step?: string): Promise<void> {
		const workflow = await this.add(RESPELT);
		const { workflows } = this;
		await this.expectKnown(async () =>
			step ? await workflows.executeStep(workflow, step) : await workflows.run(workflow),
		);
	}

	/** The workflow, started by its webhook, with other spellings. @returns the execution's ID */
	async inProduction(webhooks: N8n): Promise<string> {
		const path = `known-${this.table.file}-${Date.now()}`.replace(/\W/g, '-');
		const workflow = await this.add(RESPELT, path);
		const { id } = await this.expectKnown(async () => {
			await this.workflows.activate(workflow);
			await firstAnswer(`${webhooks.url}/webhook/${path}`, {});
			return (await lastExecution({ workflows: this.workflows }, workflow)).id;
		});
		await this.workflows.deactivate(workflow);
		return id;
	}

	/** How many credits it takes when the answers about a value are so old. */
	async ageing(value: string, days: number, costs: Credits): Promise<void> {
		await this.table.age(value, days);
		await this.expectSpent(costs, async () => await this.workflows.run(this.byHand));
	}

	private async expectKnown(run: () => Promise<string>): Promise<Execution> {
		const execution = await this.expectSpent({}, run);
		const sources = this.resultsOf(execution).map(({ source }) => source);
		assert.deepEqual(new Set(sources), new Set(['stored']));
		return execution;
	}

	/** The results, each in its field beside the input. */
	private resultsOf(execution: Execution) {
		return execution.items(LOOKUP).map(({ emailResult }) => Object(emailResult));
	}

	private async expectSpent(costs: Credits, run: () => Promise<string>): Promise<Execution> {
		const before = this.spent();
		const execution = await this.workflows.ended(await run());
		assert.equal(execution.status, 'success', execution.error);
		const outcomes = this.resultsOf(execution).map(({ outcome }) => outcome);
		assert.deepEqual(outcomes, OUTCOMES);
		const more = Object.entries(this.spent()).map(([product, credits]) => [
			product,
			credits - (before[product] ?? 0),
		]);
		assert.deepEqual(Object.fromEntries(more.filter(([, credits]) => credits !== 0)), costs);
		return execution;
	}

	private spent(): Credits {
		const { sandbox, key } = this.account;
		return { ...sandbox.spent(key) };
	}

	/** @param path of a webhook that is to start it */
	private async add(rows?: Rows, path?: string): Promise<StoredWorkflow> {
		const example = this.table.example();
		const nodes = example.nodes.map((node) => {
			if (rows && node.name === 'List') return { ...node, parameters: { jsCode: listed(rows) } };
			return path && node.name === 'Start' ? webhookNamed(node, path) : node;
		});
		return await this.workflows.add({ ...example, nodes }, this.account.credential);
	}
}

const listed = (rows: Rows) => `return ${JSON.stringify(rows)};`;

/** A webhook that answers at once, in the place of another trigger. */
function webhookNamed(node: INode, path: string): INode {
	return {
		...{ ...node, type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: path },
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived' },
	};
}

/** The list with its answers in both tables. Each table has an account of its own, since the process keeps answers, too. */
async function keptLists(n8n: N8n, sandbox: Sandbox, postgres: Postgres) {
	const workflows = new Workflows(n8n);
	const tables: Array<[AnswerTable, key: string]> = [
		[await answersInDataTable(n8n), sandbox.keys.main],
		[await answersInPostgres(n8n, workflows, postgres), sandbox.keys.other],
	];
	const lists: KeptList[] = [];
	for (const [table, key] of tables) {
		const credential = await addCredential(n8n, sandbox, key);
		lists.push(new KeptList(table, workflows, { sandbox, key, credential }));
	}
	return lists;
}

/** Three executions and more with a table between. n8n is restarted after the first, so that only the table can answer. */
export async function checkKeptAnswers({ n8n, sandbox, section }: Fixture): Promise<void> {
	let postgres: Postgres | undefined;
	let lists: KeptList[] = [];
	const each = async (title: string, run: (list: KeptList) => Promise<unknown>) => {
		const going: KeptList[] = [];
		// Each check needs the one before it
		for (const list of lists)
			if (await section.check(`${list.title}: ${title}`, async () => void (await run(list))))
				going.push(list);
		lists = going;
	};
	try {
		await section.check('tables for answers, as the examples say', async () => {
			postgres = await startPostgres(join(n8n.folder, 'postgres.log'));
			lists = await keptLists(n8n, sandbox, postgres);
		});
		await each('the first execution pays for each value', (list) => list.paysOnce());
		await each('Execute Step with the rows of before pays nothing', (list) => list.staleStep());
		await section.check('n8n restarts', () => n8n.restart());
		await each('in production, spelt otherwise: 0 paid calls', (list) => list.inProduction(n8n));
		await each('by hand, spelt otherwise: 0 paid calls', (list) => list.byHandAgain());
		await each('Execute Step, spelt otherwise: 0 paid calls', (list) =>
			list.byHandAgain(LAST_NODE),
		);
		await each('an answer of 29 days is not asked again', (list) =>
			list.ageing('ada@example.com', 29, {}),
		);
		await each('an answer of 31 days is asked again', (list) =>
			list.ageing('ada@example.com', 31, { email: 1 }),
		);
	} finally {
		await postgres?.stop();
	}
}

/** In queue mode: what the main process has paid for, no worker pays for. */
export async function checkKeptInQueue(
	main: N8n,
	webhook: N8n,
	sandbox: Sandbox,
	postgres: Postgres,
	ranOnWorker: (execution: string) => boolean,
): Promise<string> {
	const lists = await keptLists(main, sandbox, postgres);
	for (const list of lists) {
		await list.paysOnce();
		for (let round = 0; round < 2; round++) {
			const execution = await list.inProduction(webhook);
			assert.ok(ranOnWorker(execution), `execution ${execution} did not run on a worker`);
		}
	}
	return `${lists.length} lists`;
}
