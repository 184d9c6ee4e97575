import type { IDataObject } from 'n8n-workflow';
import { magic, type Sandbox } from '../../sandbox';
import { OWN_PACKAGE, runNode } from '../../harness/n8n';
import { Poller } from '../../harness/n8nPoller';
import { pass, resetTime } from '../../harness/time';
import { effectOf } from './randomFaults';
import type { JobPlan, Watch, WatchStep } from './triggerSchedule';

/** A job of the service, and what the trigger owes for it. */
export interface JobSeen extends JobPlan {
	id: string;
	isFinished: boolean;
	/** It was over before the first look at a listing began; it is not to be emitted. */
	isPassed: boolean;
	/** It was emitted when n8n died before it had saved that: it may come again. */
	mayComeAgain: boolean;
}

/** All that was seen of a life of the trigger. */
export interface Life {
	watch: Watch;
	jobs: JobSeen[];
	/** For each emission, the IDs of its jobs with how many items each has, in order. */
	emissions: Array<Array<[id: string, items: number]>>;
	/** Polls and activations, and calls of them. */
	polls: number;
	calls: number;
	/** What the trigger's own calls and those of the action node were charged, and what the receipts of the latter say. */
	charged: number;
	lookups: { spent: number; receipts: string[]; count: number };
	/** Looks at audits that were answered as finished, by ID. */
	looks: Map<string, number>;
	texts: string;
	apiKey: string;
}

/** Nobody has it. */
export const STRANGER = '00000000-0000-4000-8000-000000000000';
const LISTING = { batch: 'list_whatsapp_batches', audit: 'list_audits' };
const LIST = { batch: 'batches', audit: 'audits' };
/** More polls than it takes to look at all jobs. */
const LAST_POLLS = 6;

/** As often as n8n polls at most. */
const POLLS_EVERY_MS = 60_000;
/** Longer than any fault asks for. */
const LONGEST_PAUSE_MS = 3_600_000;

let lives = 0;

/** Leads a life of the trigger against the sandbox, in which no job goes on by itself, and then lets all be well. */
export async function live(watch: Watch, sandbox: Sandbox): Promise<Life> {
	sandbox.reset();
	sandbox.setBatchSpeed(0);
	resetTime();
	const one = new OneLife(watch, sandbox);
	await one.submit(watch.before.jobs);
	if (watch.before.isFinished) one.finish();
	await one.activate();
	for (const step of watch.steps) await one.take(step);
	await one.end();
	return one.seen();
}

class OneLife {
	private readonly jobs: JobSeen[] = [];
	private readonly variables: IDataObject = {};
	private readonly poller: Poller;
	private isActive = false;
	private hasLooked = false;
	private polls = 0;
	private readonly errors: unknown[] = [];
	private readonly lookups = { spent: 0, receipts: [] as string[], count: 0 };

	constructor(
		private readonly watch: Watch,
		private readonly sandbox: Sandbox,
	) {
		const { resource, jobsFrom, emit, includeAlreadyFinished, fireOnFailure } = watch;
		const parameters = {
			...{ resource, jobsFrom, emit, includeAlreadyFinished, fireOnFailure },
			...(jobsFrom === 'ids'
				? { jobIds: '={{ $vars.ids }}' }
				: { listingTool: { __rl: true, mode: 'name', value: LISTING[resource] } }),
		};
		this.poller = new Poller({
			credentials: { lookupMessagingApi: { apiKey: sandbox.keys.main, ...sandbox.roots } },
			variables: this.variables,
			workflow: {
				id: `life-${(lives += 1)}`,
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

	async take(step: WatchStep) {
		pass(POLLS_EVERY_MS);
		switch (step.do) {
			case 'finish':
				return this.finish();
			case 'submit':
				return await this.submit(step.jobs);
			case 'poll':
				return await this.poll(step.at, step.isBeside);
			case 'restart':
				return await this.restart(step.dies);
			case 'spoil':
				return this.spoil(step);
			case 'hide':
				return this.hide(step);
		}
	}

	async submit(plans: JobPlan[]) {
		for (const plan of plans) {
			const id = await this.start(plan);
			this.jobs.push({ ...plan, id, isFinished: false, isPassed: false, mayComeAgain: false });
		}
		const ids = this.jobs.map(({ id }) => id);
		this.variables.ids = (this.watch.hasStranger ? [STRANGER, ...ids] : ids).join();
	}

	/** Without the node. */
	private async start({ numbers, isFailing }: JobPlan): Promise<string> {
		const { roots, keys } = this.sandbox;
		const count = this.jobs.length;
		const list = Array.from({ length: numbers }, (_, n) => `+4420794601${count % 10}${n}`);
		const brand = isFailing ? magic.AUDIT.failingBrand : `Brand ${count}`;
		const [url, body] =
			this.watch.resource === 'batch'
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
		if (this.watch.resource === 'batch') this.sandbox.finishBatches();
		else this.sandbox.finishAudits();
		for (const job of this.jobs) job.isFinished = true;
	}

	async activate(mode: 'activate' | 'init' = 'activate') {
		const { watch, poller, jobs } = this;
		const over = jobs.filter(({ isFinished }) => isFinished);
		this.polls += 1;
		this.isActive = await poller.activate(mode).then(
			() => true,
			(error) => {
				this.errors.push(error);
				return false;
			},
		);
		if (!this.isActive || this.hasLooked || watch.jobsFrom === 'ids') return;
		this.hasLooked = true;
		if (watch.includeAlreadyFinished) return;
		for (const job of over) job.isPassed = true;
	}

	private async poll(at: number, isBeside: boolean) {
		if (!this.isActive) return await this.activate();
		this.polls += at;
		const polls = Array.from({ length: at }, async () => await this.poller.poll());
		await Promise.all([...polls, ...(isBeside ? [this.lookUp()] : [])]);
	}

	/** An execution of the action node with the same key. */
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

	private async restart(dies: boolean) {
		if (dies && this.isActive) {
			const before = this.poller.emissions.length;
			this.poller.diesBeforeSaving = true;
			this.polls += 1;
			await this.poller.poll();
			this.poller.diesBeforeSaving = false;
			const came = this.poller.emissions.slice(before).flat();
			const ids = new Set(came.map(({ json }) => idOf(json)));
			for (const job of this.jobs) job.mayComeAgain ||= ids.has(job.id);
			this.strangerMayComeAgain ||= ids.has(STRANGER);
		}
		await this.activate('init');
	}
	strangerMayComeAgain = false;

	/** Jobs are started by POST to other hosts than the listing's, and that always goes well. */
	private spoil({ kind, of, times, seconds }: Extract<WatchStep, { do: 'spoil' }>) {
		const effect = effectOf(kind, seconds);
		if (of !== 'look') this.sandbox.fault({ ...effect, host: 'tools', times });
		if (of !== 'listing') this.sandbox.fault({ ...effect, method: 'GET', times });
	}

	/** The listing as it was when it is hidden: its first so many jobs, as running ones. */
	private hide({ shown, times }: Extract<WatchStep, { do: 'hide' }>) {
		const { resource } = this.watch;
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
	/** A job that was hidden at the first look is taken for a new one. */
	private isHidden = false;

	/** All goes well from now on: whatever is owed has to come, and nothing more. */
	async end() {
		this.sandbox.clearFaults();
		pass(LONGEST_PAUSE_MS);
		this.finish();
		for (let poll = 0; poll < LAST_POLLS; poll += 1) await this.poll(1, false);
		await this.restart(false);
		await this.poll(2, true);
	}

	seen(): Life {
		const { watch, jobs, poller, sandbox, lookups } = this;
		const { main } = sandbox.keys;
		if (this.isHidden) for (const job of jobs) job.mayComeAgain ||= job.isPassed;
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
			...{ watch, jobs, emissions, polls: this.polls, calls: sandbox.log.length, looks },
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
