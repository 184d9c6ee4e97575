import type { IDataObject } from 'n8n-workflow';
import { magic, type Sandbox } from '../../sandbox';
import { OWN_PACKAGE, runNode } from '../../harness/n8n';
import { Poller } from '../../harness/n8nPoller';
import { pass, resetTime } from '../../harness/time';
import { effectOf } from './randomFaults';
import type { JobPlan, TriggerSchedule, TriggerStep } from './triggerSchedule';

/** A job of the service, and whether the trigger has to emit it. */
export interface ObservedJob extends JobPlan {
	id: string;
	isFinished: boolean;
	/** It finished before the trigger first read the listing, so it must not be emitted. */
	isOutdated: boolean;
	/** n8n stopped after the emission and before it saved the state, so the job may be emitted again. */
	mayRepeat: boolean;
}

/** Everything that was observed while a trigger schedule ran. */
export interface TriggerRun {
	schedule: TriggerSchedule;
	jobs: ObservedJob[];
	/** For each emission, the IDs of its jobs with the number of their items, in order. */
	emissions: Array<Array<[id: string, items: number]>>;
	/** Credits charged for the trigger's own calls, and for the action node's lookups with the receipts of these. */
	charged: number;
	lookups: { spent: number; receipts: string[]; count: number };
	/** How often an audit was returned as finished, by ID. */
	looks: Map<string, number>;
	texts: string;
	apiKey: string;
}

/** An ID that no job has. */
export const UNKNOWN_JOB_ID = '00000000-0000-4000-8000-000000000000';
const LISTING = { batch: 'list_whatsapp_batches', audit: 'list_audits' };
const LIST = { batch: 'batches', audit: 'audits' };
/** More polls than all jobs together need, and how many of them bring nothing once all have come. */
const LAST_POLLS = 24;
const QUIET_POLLS = 4;

/** n8n's shortest interval between polls. */
const POLLS_EVERY_MS = 60_000;
/** Longer than any pause that a fault asks for. */
const LONGEST_PAUSE_MS = 3_600_000;

let runs = 0;

/** Runs a trigger schedule against the sandbox, in which jobs finish only when told to, and then some polls without faults. */
export async function runTriggerSchedule(
	schedule: TriggerSchedule,
	sandbox: Sandbox,
): Promise<TriggerRun> {
	sandbox.reset();
	sandbox.setBatchSpeed(0);
	resetTime();
	const one = new TriggerRunner(schedule, sandbox);
	await one.submit(schedule.before.jobs);
	if (schedule.before.isFinished) one.finish();
	await one.activate();
	for (const step of schedule.steps) await one.take(step);
	await one.end();
	return one.observed();
}

class TriggerRunner {
	private readonly jobs: ObservedJob[] = [];
	private readonly variables: IDataObject = {};
	private readonly poller: Poller;
	private isActive = false;
	private hasLooked = false;
	private readonly errors: unknown[] = [];
	private readonly lookups = { spent: 0, receipts: [] as string[], count: 0 };

	constructor(
		private readonly schedule: TriggerSchedule,
		private readonly sandbox: Sandbox,
	) {
		const { resource, jobsToWatch, splitIntoItems, includeAlreadyFinished, includeFailedJobs } =
			schedule;
		const parameters = {
			...{ resource, jobsToWatch, splitIntoItems, includeAlreadyFinished, includeFailedJobs },
			...(jobsToWatch === 'byId'
				? { jobIds: '={{ $vars.ids }}' }
				: { listingTool: { __rl: true, mode: 'name', value: LISTING[resource] } }),
		};
		this.poller = new Poller({
			credentials: { lookupMessagingApi: { apiKey: sandbox.keys.main, ...sandbox.roots } },
			variables: this.variables,
			workflow: {
				id: `run-${(runs += 1)}`,
				nodes: [
					{
						...{ name: 'Trigger', type: `${OWN_PACKAGE}.lookupMessagingTrigger`, parameters },
						credentials: { lookupMessagingApi: { id: 'account-1', name: 'Account' } },
					},
				],
				connections: {},
			},
		});
	}

	async take(step: TriggerStep) {
		pass(POLLS_EVERY_MS);
		switch (step.do) {
			case 'finish':
				return this.finish();
			case 'submit':
				return await this.submit(step.jobs);
			case 'poll':
				return await this.poll(step.at, step.hasParallelLookup);
			case 'restart':
				return await this.restart(step.crashes);
			case 'spoil':
				return this.spoil(step);
			case 'hide':
				return this.hide(step);
		}
	}

	async submit(plans: JobPlan[]) {
		for (const plan of plans) {
			const id = await this.start(plan);
			this.jobs.push({ ...plan, id, isFinished: false, isOutdated: false, mayRepeat: false });
		}
		const ids = this.jobs.map(({ id }) => id);
		this.variables.ids = (this.schedule.hasUnknownJob ? [UNKNOWN_JOB_ID, ...ids] : ids).join();
	}

	/** Starts a job directly, without the node. */
	private async start({ numbers, isFailing }: JobPlan): Promise<string> {
		const { roots, keys } = this.sandbox;
		const count = this.jobs.length;
		const list = Array.from({ length: numbers }, (_, n) => `+4420794601${count % 10}${n}`);
		const brand = isFailing ? magic.AUDIT.failingBrand : `Brand ${count}`;
		const [url, body] =
			this.schedule.resource === 'batch'
				? [`${roots.lookupUrl}/wavalidation/batch`, { api_key: keys.main, phone_numbers: list }]
				: [
						`${roots.baseUrl}/audit_run?api_key=${keys.main}`,
						{ brand_name: brand, brand_url: 'https://brand.example' },
					];
		const headers = { 'content-type': 'application/json', connection: 'close' };
		const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
		const { batch_id, audit_id } = (await reply.json()) as Record<string, string | undefined>;
		return String(batch_id ?? audit_id);
	}

	finish() {
		if (this.schedule.resource === 'batch') this.sandbox.finishBatches();
		else this.sandbox.finishAudits();
		for (const job of this.jobs) job.isFinished = true;
	}

	async activate(mode: 'activate' | 'init' = 'activate') {
		const { schedule, poller, jobs } = this;
		const over = jobs.filter(({ isFinished }) => isFinished);
		this.isActive = await poller.activate(mode).then(
			() => true,
			(error) => {
				this.errors.push(error);
				return false;
			},
		);
		if (!this.isActive || this.hasLooked || schedule.jobsToWatch === 'byId') return;
		this.hasLooked = true;
		if (schedule.includeAlreadyFinished) return;
		for (const job of over) job.isOutdated = true;
	}

	private async poll(at: number, hasParallelLookup: boolean) {
		if (!this.isActive) return await this.activate();
		const polls = Array.from({ length: at }, async () => await this.poller.poll());
		await Promise.all([...polls, ...(hasParallelLookup ? [this.lookUp()] : [])]);
	}

	/** Runs the action node with the same key. */
	private async lookUp() {
		const { sandbox, lookups } = this;
		lookups.count += 1;
		const items = [0, 1, 2].map((n) => ({ email: `ada.${lookups.count}.${n}@mail.example` }));
		const run = await runNode({
			credentials: { lookupMessagingApi: { apiKey: sandbox.keys.main, ...sandbox.roots } },
			parameters: { resource: 'email', operation: 'verify', email: '={{ $json.email }}' },
			items,
		});
		const { description = '' } = (run.error ?? {}) as { description?: string };
		lookups.receipts.push(run.hints()[0] ?? description);
	}

	private async restart(crashes: boolean) {
		if (crashes && this.isActive) {
			const before = this.poller.emissions.length;
			this.poller.diesBeforeSaving = true;
			await this.poller.poll();
			this.poller.diesBeforeSaving = false;
			const came = this.poller.emissions.slice(before).flat();
			const ids = new Set(came.map(({ json }) => idOf(json)));
			for (const job of this.jobs) job.mayRepeat ||= ids.has(job.id);
			this.unknownJobMayRepeat ||= ids.has(UNKNOWN_JOB_ID);
		}
		await this.activate('init');
	}
	unknownJobMayRepeat = false;

	/** Faults never affect the start of a job, which is a POST to another host. */
	private spoil({ kind, of, times, seconds }: Extract<TriggerStep, { do: 'spoil' }>) {
		const effect = effectOf(kind, seconds);
		if (of !== 'look') this.sandbox.fault({ ...effect, host: 'tools', times });
		if (of !== 'listing') this.sandbox.fault({ ...effect, method: 'GET', times });
	}

	/** Replaces the listing by its first running jobs. */
	private hide({ shown, times }: Extract<TriggerStep, { do: 'hide' }>) {
		const { resource } = this.schedule;
		const status = resource === 'batch' ? 'processing' : 'running';
		const entries = this.jobs
			.filter(({ isFinished }) => !isFinished)
			.slice(0, shown)
			.map(({ id }) => ({ [`${resource}_id`]: id, status }));
		const result = { content: [], structuredContent: { [LIST[resource]]: entries } };
		const body = { jsonrpc: '2.0', id: 1, result };
		this.isHidden = true;
		this.sandbox.fault({ kind: 'body', body, host: 'tools', status: 200, times });
	}
	/** Whether the listing was ever replaced: a job that was hidden at first counts as a new one. */
	private isHidden = false;

	/** Removes all faults and finishes all jobs: every job that is due has to be emitted now, and no other. */
	async end() {
		this.sandbox.clearFaults();
		pass(LONGEST_PAUSE_MS);
		this.finish();
		for (let poll = 0, quiet = 0; poll < LAST_POLLS && quiet < QUIET_POLLS; poll += 1) {
			const { length } = this.poller.emissions;
			await this.poll(1, false);
			quiet = this.poller.emissions.length > length ? 0 : quiet + 1;
		}
		await this.restart(false);
		await this.poll(2, true);
	}

	observed(): TriggerRun {
		const { schedule, jobs, poller, sandbox, lookups } = this;
		const { main } = sandbox.keys;
		if (this.isHidden) for (const job of jobs) job.mayRepeat ||= job.isOutdated;
		const looks = new Map<string, number>();
		for (const { method, path, query, fault, status } of sandbox.log) {
			if (method !== 'GET' || !path.endsWith('/audit') || fault || status !== 200) continue;
			looks.set(query.audit_id, (looks.get(query.audit_id) ?? 0) + 1);
		}
		const emissions = poller.emissions.map((items) => {
			const counts: Array<[string, number]> = [];
			for (const { json } of items) {
				const id = idOf(json);
				const last = counts.at(-1);
				if (last?.[0] === id) last[1] += 1;
				else counts.push([id, 1]);
			}
			return counts;
		});
		const spent = sandbox.spent(main);
		return {
			...{ schedule, jobs, emissions, looks },
			charged: spent.whatsapp + spent.audit,
			lookups: { ...lookups, spent: spent.email },
			texts: JSON.stringify([
				...[...this.errors, ...poller.errors].map((error) => [
					String(error),
					(error as { description?: string }).description,
				]),
				...[poller.warnings, poller.emissions, poller.saved],
			]),
			apiKey: main,
		};
	}
}

const idOf = ({ batchId, auditId }: IDataObject) => String(batchId ?? auditId);
