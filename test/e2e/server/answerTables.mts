import assert from 'node:assert/strict';
import type { IDataObject, INode } from 'n8n-workflow';
import type { Postgres } from '../machine/postgres.mts';
import type { N8n } from './n8n.mts';
import {
	chain,
	exampleText,
	type CredentialLink,
	type WorkflowJson,
	type Workflows,
} from './workflows.mts';

/** Where an example keeps the answers of its lookups. */
export interface AnswerTable {
	/** File name of the example. */
	readonly file: string;
	/** The example, changed as its note tells users of this n8n. */
	example(): WorkflowJson;
	/** Makes the answers about a value as old as if it had been looked up so many days ago. */
	age(value: string, days: number): Promise<void>;
	rows(): Promise<IDataObject[]>;
}

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const readExample = (file: string) => JSON.parse(exampleText(file)) as WorkflowJson;

export const DATA_TABLE_EXAMPLE = 'keep-answers-for-30-days-data-table.json';
export const POSTGRES_EXAMPLE = 'keep-answers-for-30-days-postgresql.json';
export const WEEKLY_EXAMPLE = 'clean-a-crm-list-weekly.json';
export const LEDGER_EXAMPLE = 'bill-calls-by-customer.json';

type Columns = Record<string, 'string' | 'date' | 'number'>;

const ANSWERS = 'Lookup Answers';
const ANSWER_COLUMNS: Columns = {
	...{ key: 'string', operation: 'string', outcome: 'string' },
	...{ answer: 'string', answeredAt: 'date' },
};
const WEEKLY_ANSWERS = 'Weekly Answers';
const CALLS = 'Lookup Calls';
const CALL_COLUMNS: Columns = {
	...{ callId: 'string', month: 'string', execution: 'string', operation: 'string' },
	...{ balance: 'string', charged: 'string', tag: 'string', time: 'date', credits: 'number' },
};

/** A data table of n8n, by its REST API. */
class DataTable {
	private constructor(
		private readonly n8n: N8n,
		readonly id: string,
		private readonly name: string,
		/** Path of the project's tables. */
		private readonly path: string,
	) {}

	static async create(
		n8n: N8n,
		name: string,
		columns: Record<string, 'string' | 'date' | 'number'>,
	) {
		const project = await n8n.rest.get<{ id: string }>('/projects/personal');
		const path = `/projects/${project.id}/data-tables`;
		const typed = Object.entries(columns).map(([column, type]) => ({ name: column, type }));
		const { id } = await n8n.rest.post<{ id: string }>(path, { name, columns: typed });
		return new DataTable(n8n, id, name, path);
	}

	/** The workflow with this table chosen: 2.x finds it by the name that is in it, 1.x needs it chosen from the list. */
	chosenIn(workflow: WorkflowJson): WorkflowJson {
		if (this.n8n.installation.release === '2.x') return workflow;
		const dataTableId = { __rl: true, mode: 'list', value: this.id, cachedResultName: this.name };
		const nodes = workflow.nodes.map((node) =>
			node.type === 'n8n-nodes-base.dataTable'
				? { ...node, parameters: { ...node.parameters, dataTableId } }
				: node,
		);
		return { ...workflow, nodes };
	}

	async rows(): Promise<IDataObject[]> {
		const { data } = await this.n8n.rest.get<{ data: IDataObject[] }>(
			`${this.path}/${this.id}/rows?take=100`,
		);
		return data;
	}

	/** @param filters `like` takes % for any text */
	async change(column: string, condition: 'eq' | 'like', value: string, data: IDataObject) {
		await this.n8n.rest.patch(`${this.path}/${this.id}/rows`, {
			filter: { type: 'and', filters: [{ columnName: column, condition, value }] },
			data,
		});
	}
}

/** Makes the tables that the notes of the examples tell users to make. */
export async function makeDataTables(n8n: N8n): Promise<void> {
	await DataTable.create(n8n, ANSWERS, ANSWER_COLUMNS);
	await DataTable.create(n8n, CALLS, CALL_COLUMNS);
}

/** Makes the table as the example's note says. */
export async function answersInDataTable(n8n: N8n): Promise<AnswerTable> {
	const table = await DataTable.create(n8n, ANSWERS, ANSWER_COLUMNS);
	return {
		file: DATA_TABLE_EXAMPLE,
		example: () => table.chosenIn(readExample(DATA_TABLE_EXAMPLE)),
		age: async (value, days) =>
			await table.change('key', 'like', `%${value}%`, { answeredAt: daysAgo(days) }),
		rows: async () => await table.rows(),
	};
}

/** Makes the table as the example's note says. @returns the example, changed for this n8n */
export async function ledgerInDataTable(n8n: N8n): Promise<WorkflowJson> {
	const table = await DataTable.create(n8n, CALLS, CALL_COLUMNS);
	return table.chosenIn(readExample(LEDGER_EXAMPLE));
}

/** Makes a table as the example's note says, under a name of its own. @returns the example, changed for this n8n */
export async function weeklyInDataTable(n8n: N8n): Promise<WorkflowJson> {
	const table = await DataTable.create(n8n, WEEKLY_ANSWERS, ANSWER_COLUMNS);
	const text = exampleText(WEEKLY_EXAMPLE).replaceAll(`"${ANSWERS}"`, `"${WEEKLY_ANSWERS}"`);
	return table.chosenIn(JSON.parse(text) as WorkflowJson);
}

/** Adds a credential for the database. @returns what chooses it in a node of PostgreSQL */
export async function connectedTo(n8n: N8n, { port, user, database }: Postgres) {
	const data = { host: '127.0.0.1', port, database, user, password: 'any', ssl: 'disable' };
	const { id, name } = await n8n.rest.post<CredentialLink>('/credentials', {
		...{ name: 'Postgres', type: 'postgres' },
		data: { ...data, allowUnauthorizedCerts: false, sshTunnel: false },
	});
	return (node: INode): INode =>
		node.type === 'n8n-nodes-base.postgres'
			? { ...node, credentials: { postgres: { id, name } } }
			: node;
}

/** Makes the table by the SQL in the example's note. Whatever else is done with it goes through n8n's node, too. */
export async function answersInPostgres(
	n8n: N8n,
	workflows: Workflows,
	postgres: Postgres,
): Promise<AnswerTable> {
	const connected = await connectedTo(n8n, postgres);
	const query = async (sql: string): Promise<IDataObject[]> => {
		const nodes = [start, sqlNode(sql)].map(connected);
		const execution = await workflows.ended(
			await workflows.run(await workflows.add(chain('SQL', nodes))),
		);
		assert.equal(execution.status, 'success', execution.error);
		return execution.items('SQL');
	};
	const example = readExample(POSTGRES_EXAMPLE);
	await query(sqlOfNote(example));
	return {
		file: POSTGRES_EXAMPLE,
		example: () => ({ ...example, nodes: example.nodes.map(connected) }),
		async age(value, days) {
			const where = `where key like '%${value}%'`;
			await query(`update lookup_answers set "answeredAt" = '${daysAgo(days)}' ${where}`);
		},
		rows: async () => await query('select * from lookup_answers'),
	};
}

const start: INode = {
	...{ id: 'start', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
	...{ position: [0, 0], parameters: {} },
};

function sqlNode(query: string): INode {
	return {
		...{ id: 'sql', name: 'SQL', type: 'n8n-nodes-base.postgres', typeVersion: 2.6 },
		...{ position: [220, 0], parameters: { operation: 'executeQuery', query, options: {} } },
	};
}

function sqlOfNote({ nodes }: WorkflowJson): string {
	const note = nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote');
	const [, sql = ''] = /```sql\n([^]*?)```/.exec(String(note?.parameters.content)) ?? [];
	return sql;
}
