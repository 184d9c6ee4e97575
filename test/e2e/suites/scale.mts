import assert from 'node:assert/strict';
import { startSandbox, type Sandbox } from '../../sandbox/index.ts';
import type { Section } from '../report.mts';
import { until } from '../machine/wait.mts';
import { connectedTo } from '../server/answerTables.mts';
import { startCluster, startedBy, type Cluster } from '../server/cluster.mts';
import type { N8n } from '../server/n8n.mts';
import { everySeconds, ScaleTable } from '../server/scaleTable.mts';
import { Workflows, type StoredWorkflow } from '../server/workflows.mts';
import { addCredential, setUpOwner, type TestEnvironment } from '../testEnvironment.mts';
import { checkBroken } from './scaleBroken.mts';
import {
	checkEmailGroups,
	checkGroups,
	checkLateFinish,
	checkParallelClaims,
	leadsOf,
	stale,
	type KnownLead,
} from './scaleClaims.mts';

const LEADS = 1_500;
const WORKERS = 3;
/** No multiple of ten: leads of a group come in tens, so that claims find answers of earlier ones. */
const CHUNK = 149;
const MAX_OPEN = 4;
/** Slow enough that a worker is killed in the middle of a claim. */
const SLOW_MS = 3_000;
const ON_REQUEST = 'only on 2.x, unless asked for: --release 1.x --only scale';

/** The recipe in examples/scale with real Redis and Postgres, and three workers. */
export async function scaleSuite(environment: TestEnvironment): Promise<void> {
	const section = environment.report.section(environment.release, 'scale');
	if (environment.isBrief) return section.skip('all of it', ON_REQUEST);
	const sandbox = await startSandbox();
	let cluster: Cluster | undefined;
	try {
		const isUp = await section.check('one main process and three workers start', async () => {
			cluster = await startCluster(environment, { name: 'scale', workers: WORKERS });
			await setUpOwner(cluster.main);
		});
		if (!isUp || !cluster) return;
		await checkScale(section, cluster, sandbox);
	} finally {
		await cluster?.stop();
		await sandbox.close();
	}
}

async function checkScale(section: Section, cluster: Cluster, sandbox: Sandbox): Promise<void> {
	let table!: ScaleTable;
	const isMade = await section.check('schema.sql makes its tables', async () => {
		table = await ScaleTable.create(cluster.postgres);
	});
	if (!isMade) return;
	const leads = leadsOf(1, LEADS);
	await section.check('equal numbers share a group', () => checkGroups(table));
	await section.check('equal email addresses share a group', () => checkEmailGroups(table));
	await section.check('many claim at once: no number is in two claims', () =>
		checkParallelClaims(table, leads),
	);
	await section.check('a late finish overwrites nothing, and its answers are kept', () =>
		checkLateFinish(table),
	);
	await checkBroken(section, table);
	const checks = await ScaleChecks.open(cluster, sandbox, table);
	await section.check(`${LEADS} leads, and a worker that is killed`, () => checks.all(leads));
	await section.check('without credits the claims pause, and no lead is lost', () =>
		checks.withoutCredits(),
	);
	await section.check('lost replies are not asked again', () => checks.lostReplies());
}

class ScaleChecks {
	private constructor(
		private readonly cluster: Cluster,
		private readonly sandbox: Sandbox,
		private readonly table: ScaleTable,
		private readonly workflows: Workflows,
		private readonly workflow: StoredWorkflow,
	) {}

	/** Imports the workflow; it is not active yet. */
	static async open(cluster: Cluster, sandbox: Sandbox, table: ScaleTable) {
		const { main, postgres } = cluster;
		const workflows = new Workflows(main);
		const example = everySeconds(1, await connectedTo(main, postgres));
		const workflow = await workflows.add(example, await addCredential(main, sandbox));
		await table.set(`chunk = ${CHUNK}, max_open_claims = ${MAX_OPEN}`);
		await table.run(WATCH);
		return new ScaleChecks(cluster, sandbox, table, workflows, workflow);
	}

	/** All leads, with a worker that is killed in the middle of a claim. */
	async all(leads: KnownLead[]): Promise<string> {
		const { table, sandbox } = this;
		await table.load(leads);
		await this.workflows.activate(this.workflow);
		await this.done(LEADS / 4);
		sandbox.fault({ kind: 'latency', ms: SLOW_MS, host: 'lookup' });
		const doomed = await until('a worker in the middle of one claim', () => this.inTheMiddle());
		await doomed.kill();
		sandbox.clearFaults();
		const lost = await this.openClaimsOf(doomed);
		assert.ok(lost.length > 0, 'the killed worker had finished');
		const held = lost.reduce((sum, { leads }) => sum + leads, 0);
		await until('the others to finish all that the lost claims do not hold', async () => {
			const { claimed } = await table.states();
			const [free] = await table.rows(FREE);
			return claimed === held && !free;
		});
		const ids = lost.map(({ id }) => `'${id}'`).join(', ');
		await table.set("longest_pause = '1 second'");
		await stale(table, `id in (${ids})`);
		await this.done(LEADS);
		await table.set("longest_pause = '30 minutes'");
		const twice = await this.paidTwice(leads, ids);
		await this.expectTidy();
		const parts = this.cluster.workers.map((worker) => startedBy(worker).length);
		return `executions by worker ${parts.join(', ')}; ${twice} of the ${held} leads in the lost claims paid twice`;
	}

	/** A worker with one open claim that is partly paid for. It may take another before it is killed. */
	private async inTheMiddle(): Promise<N8n | false> {
		for (const worker of this.cluster.workers) {
			const [claim, ...others] = await this.openClaimsOf(worker);
			if (!claim || others.length > 0) continue;
			const numbers = await this.table.rows<{ phone: string }>(
				`select phone from lookup.leads where claim = '${claim.id}'`,
			);
			const endings = new Set(numbers.map(({ phone }) => phone.slice(-8)));
			if (this.paid().some((number) => endings.has(number.slice(-8)))) return worker;
		}
		return false;
	}

	private async openClaimsOf(worker: N8n) {
		const open = await this.table.rows<{ id: string; execution: string; leads: number }>(
			'select id, execution, leads from lookup.claims where ended_at is null',
		);
		const started = startedBy(worker);
		return open.filter(({ execution }) => started.includes(execution));
	}

	private async done(count: number): Promise<void> {
		const looks = { timeoutMs: 240_000 };
		await until(
			`${count} leads to be done`,
			async () => ((await this.table.states()).done ?? 0) >= count,
			looks,
		);
	}

	/** The numbers that were paid for, in order, each time. */
	private paid(): string[] {
		const { sandbox } = this;
		return sandbox.debits(sandbox.keys.main).map(({ question }) => question);
	}

	/** @returns how many numbers were paid for twice, all of them of the lost claims */
	private async paidTwice(leads: KnownLead[], lost: string): Promise<number> {
		const paid = this.paid();
		assert.deepEqual([...new Set(paid)].sort(), [...new Set(leads.map(({ e164 }) => e164))].sort());
		const times = new Map<string, number>();
		for (const number of paid) times.set(number, (times.get(number) ?? 0) + 1);
		const twice = [...times].filter(([, count]) => count > 1);
		const held = await this.table.rows<{ id: number }>(
			`select lead as id from lookup_test.claimed where claim in (${lost})`,
		);
		const ofLost = new Set(held.map(({ id }) => leads[id - 1].e164));
		assert.deepEqual(
			twice.filter(([number, count]) => count > 2 || !ofLost.has(number)),
			[],
		);
		const calls = this.sandbox.log.filter(({ path }) => path.endsWith('/phonevalidation'));
		assert.ok(calls.length <= paid.length + ofLost.size, `${calls.length} calls`);
		return twice.length;
	}

	/** Each lead was written once with the answer of its number, and nothing is left. */
	private async expectTidy(): Promise<void> {
		const { table, workflows } = this;
		assert.deepEqual(await table.states(), { done: LEADS });
		assert.deepEqual(await table.row(LEFT), { written: LEADS, leads: LEADS, groups: 0, claims: 0 });
		const { most } = await table.row('select max(open) as most from lookup_test.open_claims');
		assert.ok(Number(most) > 1 && Number(most) <= MAX_OPEN, `${most} claims were open`);
		const { known } = await table.row(
			`select count(*) as known from lookup.leads where result ->> 'source' = 'stored'`,
		);
		assert.ok(Number(known) > 0, 'no claim has used the answers of another');
		const wrong = await table.rows(
			`select id, phone, result from lookup.leads where outcome <> 'positive' or
			right(result ->> 'phoneNumber', 4) <> all (groups)`,
		);
		assert.deepEqual(wrong, []);
		// n8n stores that an execution has ended before it removes it, and the schedule goes on
		await until('n8n to keep no successful execution', async () => {
			const executions = await workflows.executionsOf(this.workflow);
			return executions.every(({ status }) => status !== 'success');
		});
	}

	async withoutCredits(): Promise<void> {
		const { table, sandbox } = this;
		sandbox.setBalance(sandbox.keys.main, 'phone', 0);
		await table.load(leadsOf(2, 100));
		await this.paused();
		const calls = sandbox.log.length;
		await this.moreExecutions();
		assert.equal(sandbox.log.length, calls, 'asked while claims are paused');
		assert.deepEqual(await table.row(OPEN), { open: 100, tries: 0, charged: 0 });
		sandbox.setBalance(sandbox.keys.main, 'phone', 1_000);
		await table.resume();
		await this.done(LEADS + 100);
	}

	async lostReplies(): Promise<void> {
		const { table, sandbox } = this;
		const paidBefore = this.paid().length;
		sandbox.fault({ kind: 'resetAfterCharge', path: 'phonevalidation' });
		const leads = leadsOf(3, 100);
		await table.load(leads);
		await this.paused();
		sandbox.clearFaults();
		const { failed = 0 } = await table.states();
		const lost = this.paid().slice(paidBefore);
		assert.ok(lost.length > 0 && failed >= lost.length);
		await table.resume();
		await this.done(LEADS + 200 - failed);
		const paid = this.paid().slice(paidBefore);
		assert.equal(new Set(paid).size, paid.length, 'paid twice');
		assert.deepEqual((await table.states()).failed, failed);
	}

	private async paused(): Promise<void> {
		await until('claims to be paused', async () => {
			const { failed_claims: count } = await this.table.row('select * from lookup.settings');
			const { claims } = await this.table.row(LEFT);
			return count === 1 && claims === 0;
		});
	}

	/** Waits until the schedule has started three more. */
	private async moreExecutions(): Promise<void> {
		const count = () => this.cluster.workers.flatMap(startedBy).length;
		const before = count();
		await until('three more executions', async () => count() >= before + 3);
	}
}

/** A lead that could be claimed now. */
const FREE = `select id from lookup.leads where state = 'open'
	and not exists (select from lookup.open_groups where name = any(groups)) limit 1`;
const OPEN = `select count(*) filter (where state = 'open') as open, sum(tries - excused) filter (where state = 'open') as tries,
	(select sum(may_have_been_charged) from lookup.claims where ended = 'finished') as charged from lookup.leads`;
const LEFT = `select (select count(*) from lookup_test.written) as written,
	(select count(distinct lead) from lookup_test.written) as leads,
	(select count(*) from lookup.open_groups) as groups,
	(select count(*) from lookup.claims where ended_at is null) as claims`;

/** Notes each write of a result, each claim of a lead, and how many claims are open at a time. */
const WATCH = `
create schema lookup_test;
create table lookup_test.written (lead bigint);
create table lookup_test.claimed (lead bigint, claim uuid);
create table lookup_test.open_claims (open int);
create function lookup_test.note_lead() returns trigger language plpgsql as $$ begin
	if new.result is not null then insert into lookup_test.written values (new.id); end if;
	if new.claim is not null then insert into lookup_test.claimed values (new.id, new.claim); end if;
	return null;
end $$;
create function lookup_test.note_claim() returns trigger language plpgsql as $$ begin
	insert into lookup_test.open_claims select count(*) from lookup.claims where ended_at is null;
	return null;
end $$;
create trigger note_lead after update on lookup.leads for each row execute function lookup_test.note_lead();
create trigger note_claim after insert on lookup.claims for each row execute function lookup_test.note_claim();
`;
