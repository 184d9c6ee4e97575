import { readFileSync } from 'node:fs';
import type { Sandbox } from '../../sandbox/index.ts';
import { until } from '../machine/wait.mts';
import { connectedTo } from '../server/answerTables.mts';
import type { Cluster } from '../server/cluster.mts';
import type { N8n } from '../server/n8n.mts';
import { everySeconds, type ScaleTable } from '../server/scaleTable.mts';
import { Workflows, type StoredWorkflow } from '../server/workflows.mts';
import { addCredential } from '../testEnvironment.mts';
import type { Section } from '../report.mts';
import { leadsOf } from './scaleClaims.mts';

/** The figures of examples/scale/README.md. */

const LEADS = 3_000;
const CHUNK = 250;
const MAX_OPEN = 6;
/** How long the service takes to answer. */
const LATENCY_MS = 50;
/** What it allows. */
const PACES = [undefined, 50];
const BURST = 10;
/** Only ends what hangs. */
const PATIENCE_MS = 600_000;
/** Of /proc. */
const TICKS_PER_SECOND = 100;

/** Leads per hour, with all workers, then with one fewer each time. What the checks have left is removed. */
export async function takeFigures(
	section: Section,
	cluster: Cluster,
	sandbox: Sandbox,
	table: ScaleTable,
): Promise<void> {
	const { workers } = cluster;
	await section.check('all workers run', async () => {
		await Promise.all(workers.filter(({ pid }) => pid === 0).map((killed) => killed.start()));
	});
	await table.set(`chunk = ${CHUNK}, max_open_claims = ${MAX_OPEN}`);
	const paces = await Promise.all(PACES.map((pace) => Pace.open(cluster, sandbox, table, pace)));
	sandbox.fault({ kind: 'latency', ms: LATENCY_MS, host: 'lookup' });
	await section.check('all have run it once', () => paces[0].enrich(CHUNK * MAX_OPEN));
	for (let count = workers.length; count > 0; count--) {
		const running = workers.slice(0, count);
		for (const pace of paces)
			await section.check(`${count} workers, ${pace.name} calls/s`, async () => {
				const before = cpuOf(running);
				await pace.enrich(LEADS);
				return await figures(table, cpuOf(running) - before);
			});
		await workers[count - 1].stop();
	}
}

/** The workflow with an account of its own: what workers learn of one pace says nothing about another. */
class Pace {
	private static leads = 0;

	private constructor(
		private readonly workflows: Workflows,
		private readonly workflow: StoredWorkflow,
		private readonly sandbox: Sandbox,
		private readonly table: ScaleTable,
		private readonly callsPerSecond: number | undefined,
	) {}

	static async open(
		{ main, postgres }: Cluster,
		sandbox: Sandbox,
		table: ScaleTable,
		callsPerSecond?: number,
	): Promise<Pace> {
		const key = `account-of-${callsPerSecond ?? 'any'}`;
		sandbox.openAccount(key);
		const workflows = new Workflows(main);
		const example = everySeconds(1, await connectedTo(main, postgres));
		const workflow = await workflows.add(example, await addCredential(main, sandbox, key));
		return new Pace(workflows, workflow, sandbox, table, callsPerSecond);
	}

	get name(): string {
		return String(this.callsPerSecond ?? 'any number of');
	}

	/** Runs until so many new leads are done. */
	async enrich(count: number): Promise<void> {
		const { callsPerSecond, sandbox, table, workflows, workflow } = this;
		sandbox.setPace(callsPerSecond ? { callsPerSecond, burst: BURST } : undefined);
		await table.empty();
		await table.load(leadsOf(Pace.leads++ % 10, count));
		await workflows.activate(workflow);
		const isDone = async () => (await table.states()).done === count;
		await until(`${count} leads to be done`, isDone, { timeoutMs: PATIENCE_MS });
		await workflows.deactivate(workflow);
	}
}

async function figures(table: ScaleTable, cpuSeconds: number): Promise<string> {
	const { seconds } = await table.row<{ seconds: number }>(
		'select extract(epoch from max(ended_at) - min(taken_at)) as seconds from lookup.claims',
	);
	const perHour = (LEADS / seconds) * 3_600;
	return [
		`${LEADS} leads in ${seconds.toFixed(1)} s: ${Math.round(perHour / 1_000)},000 an hour`,
		`a million in ${(1e6 / perHour).toFixed(1)} h`,
		`CPU of the workers per 1,000 leads ${((cpuSeconds / LEADS) * 1_000).toFixed(1)} s`,
	].join('; ');
}

/** CPU time of processes so far, in seconds. */
function cpuOf(processes: N8n[]): number {
	const ticks = processes.map(({ pid }) => {
		const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
		const [user, system] = fields.split(' ').slice(11, 13);
		return Number(user) + Number(system);
	});
	return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND;
}
