import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import { ROOT } from '../machine/cache.mts';
import type { Postgres } from '../machine/postgres.mts';
import type { WorkflowJson } from './workflows.mts';

/** The tables of examples/scale in a real PostgreSQL. */

const fileOf = (name: string) => readFileSync(join(ROOT, 'examples/scale', name), 'utf8');

const SCALE_EXAMPLE = 'enrich-table.json';

export const scaleExample = () => JSON.parse(fileOf(SCALE_EXAMPLE)) as WorkflowJson;

/** The example, connected, and with a schedule of another number of seconds. */
export function everySeconds(seconds: number, connected: (node: INode) => INode): WorkflowJson {
	const example = scaleExample();
	const nodes = example.nodes.map((node) =>
		node.type.endsWith('.scheduleTrigger')
			? { ...node, parameters: { rule: { interval: [interval(seconds)] } } }
			: connected(node),
	);
	return { ...example, nodes };
}

const interval = (secondsInterval: number) => ({ field: 'seconds', secondsInterval });

export interface LeadRow {
	phone: string;
	country?: string;
}

export class ScaleTable {
	private constructor(private readonly postgres: Postgres) {}

	static async create(postgres: Postgres): Promise<ScaleTable> {
		await postgres.sql(fileOf('schema.sql'));
		return new ScaleTable(postgres);
	}

	async run(sql: string): Promise<string> {
		return (await this.postgres.sql(sql)).trim();
	}

	async rows<Row = IDataObject>(query: string): Promise<Row[]> {
		const text = await this.run(`select coalesce(json_agg(one), '[]') from (${query}) as one`);
		return JSON.parse(text) as Row[];
	}

	async row<Row = IDataObject>(query: string): Promise<Row> {
		const [row] = await this.rows<Row>(query);
		return row;
	}

	/** Loads leads as examples/scale/README.md says. */
	async load(leads: LeadRow[]): Promise<void> {
		const lines = leads.map(({ phone, country = '' }) => `${csv(phone)},${csv(country)}`);
		const copy = 'copy lookup.leads (phone, country) from stdin with (format csv);';
		await this.run([copy, ...lines, '\\.', ''].join('\n'));
	}

	/** Removes all leads, answers and claims, and what was counted of them. */
	async empty(): Promise<void> {
		await this.run(
			`truncate lookup.leads, lookup.answers, lookup.claims, lookup.open_groups restart identity;
			select lookup.resume_claims();
			update lookup.settings set answered_at = null, counted_at = null`,
		);
	}

	/** As its user does after a pause. */
	async resume(): Promise<void> {
		await this.run('select lookup.resume_claims()');
	}

	async set(settings: string): Promise<void> {
		await this.run(`update lookup.settings set ${settings}`);
	}

	async states(): Promise<Record<string, number>> {
		const rows = await this.rows<{ state: string; count: number }>(
			'select state, count(*) from lookup.leads group by state',
		);
		return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
	}
}

const csv = (text: string) => `"${text.replace(/"/g, '""')}"`;
