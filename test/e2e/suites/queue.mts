import assert from 'node:assert/strict';
import type { INode } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox/index.ts';
import { until } from '../machine/wait.mts';
import {
	startedBy,
	startWebhookCluster,
	WORKER_CONCURRENCY,
	type WebhookCluster,
} from '../server/cluster.mts';
import type { N8n } from '../server/n8n.mts';
import { NODE_TYPE } from '../server/package.mts';
import {
	chain,
	Workflows,
	type CredentialLink,
	type StoredWorkflow,
} from '../server/workflows.mts';
import { addCredential, setUpOwner, type TestEnvironment } from '../testEnvironment.mts';
import { checkKeptInQueue } from './keptAnswers.mts';
import { post, webhookNodes } from './webhook.mts';

const FORMS = 500;
/** Form submissions that are under way at a time. */
const SENDERS = 50;
const MANY = 5_000;
/** Lists that are under way when a worker is killed, and the numbers in each. */
const LISTS = 6;
const LIST_LENGTH = 30;
/** Slow enough that every list is in the middle then. */
const LATENCY_MS = 400;
const ON_REQUEST = 'only on 2.x, unless asked for: --release 1.x --only queue';

/** German mobile numbers, all different for different positions and blocks (of two digits). */
const numbers = (block: number, count: number) =>
	Array.from({ length: count }, (_, at) => `+49151${block}${String(1_000_000 + at).slice(1)}`);

/** n8n as those run it who have outgrown one process: Redis, Postgres, a webhook process and two workers. */
export async function queueSuite(environment: TestEnvironment): Promise<void> {
	const section = environment.report.section(environment.release, 'queue');
	if (environment.isBrief) return await section.skip('all of it', ON_REQUEST);
	const sandbox = await startSandbox();
	let cluster: WebhookCluster | undefined;
	try {
		const isUp = await section.check(
			'one main, one webhook process and two workers start',
			async () => {
				cluster = await startWebhookCluster(environment);
				await setUpOwner(cluster.main);
				return `memory ${memoryOf(cluster)}`;
			},
		);
		if (!isUp || !cluster) return;
		const checks = await QueueChecks.open(cluster, sandbox);
		await section.check(
			'answers in a table: what the main process paid for, no worker pays for',
			() => checks.keptAnswers(),
		);
		await section.check(`${FORMS} forms and ${MANY} numbers at once`, () => checks.load());
		await section.check('both workers did their part', () => checks.bothWorked());
		await section.check('a killed worker: what becomes of its work, and what it had paid for', () =>
			checks.workerKilled(),
		);
		await section.check('the other worker goes on', () => checks.goesOn());
	} finally {
		await cluster?.stop();
		await sandbox.close();
	}
}

/** In queue mode n8n may lose the answer to a form whose execution has ended. */
const NO_ANSWER = 'none';

class QueueChecks {
	private constructor(
		private readonly cluster: WebhookCluster,
		private readonly sandbox: Sandbox,
		private readonly workflows: Workflows,
		private readonly form: StoredWorkflow,
		private readonly many: StoredWorkflow,
		private readonly list: StoredWorkflow,
	) {}

	/** Activates the workflows; executions read from here on are all of this suite's making. */
	static async open(cluster: WebhookCluster, sandbox: Sandbox): Promise<QueueChecks> {
		const { main, webhook } = cluster;
		const workflows = new Workflows(main);
		const credential = await addCredential(main, sandbox);
		const add = async (name: string, nodes: INode[]) =>
			await activated(workflows, chain(name, nodes), credential);
		const form = await add('Form', webhookNodes('form'));
		const many = await add('Many', manyNodes());
		const list = await add('List', listNodes());
		for (const path of ['form', 'many', 'list'])
			await until(`the webhook ${path}`, async () => await isRegistered(webhook, path));
		return new QueueChecks(cluster, sandbox, workflows, form, many, list);
	}

	/** Workers are processes of their own: only the table can answer. */
	async keptAnswers(): Promise<string> {
		const { main, webhook, workers, postgres } = this.cluster;
		const ranOnWorker = (id: string) => workers.some((worker) => startedBy(worker).includes(id));
		const detail = await checkKeptInQueue(main, webhook, this.sandbox, postgres, ranOnWorker);
		// What comes next counts from nothing
		this.sandbox.reset();
		return detail;
	}

	/** Form submissions while a long list is worked off. */
	async load(): Promise<string> {
		const memory = watchMemory(this.cluster.workers);
		try {
			const startedMs = Date.now();
			await this.post('many', { numbers: numbers(10, MANY) });
			const { [NO_ANSWER]: unanswered = 0, ...answers } = await this.submitForms();
			assert.deepEqual(answers, { 'status 200, positive': FORMS - unanswered });
			assert.ok(unanswered <= FORMS / 100, `${unanswered} forms without an answer`);
			assert.deepEqual(await this.workflows.executionsOf(this.form, 'running'), []);
			const formsMs = Date.now() - startedMs;
			await this.expectMany();
			const { phone, whatsapp } = this.sandbox.spent(this.sandbox.keys.main);
			assert.deepEqual({ phone, whatsapp }, { phone: FORMS, whatsapp: MANY });
			const times = `forms ${seconds(formsMs)}, all ${seconds(Date.now() - startedMs)}`;
			const lost = unanswered > 0 ? `; ${unanswered} ended without an answer of n8n` : '';
			return `${times}; peak of a worker ${memory.peakMb()} MB${lost}`;
		} finally {
			memory.stop();
		}
	}

	private async expectMany(): Promise<void> {
		const [{ id }] = await until('the long list', async () => {
			const found = await this.workflows.executionsOf(this.many);
			return found.length > 0 && found;
		});
		const execution = await this.workflows.ended(id, 300_000);
		assert.equal(execution.status, 'success', execution.error);
		assert.equal(execution.items('Check Many').length, MANY);
		assert.match(execution.hints('Check Many').join(), /^Charged: \d+ WhatsApp credits\./);
	}

	async bothWorked(): Promise<string> {
		const counts = this.cluster.workers.map((worker) => startedBy(worker).length);
		assert.ok(
			counts.every((count) => count >= FORMS / 10),
			`executions by worker: ${counts.join(', ')}`,
		);
		return `${counts.join(' and ')} executions`;
	}

	/** What n8n makes of the executions of a worker that is gone, and what they had paid for. */
	async workerKilled(): Promise<string> {
		const [doomed] = this.cluster.workers;
		const before = this.cluster.workers.map((worker) => startedBy(worker).length);
		const paidBefore = this.paid().length;
		this.sandbox.fault({ kind: 'latency', ms: LATENCY_MS, host: 'lookup' });
		for (let block = 0; block < LISTS; block++)
			await this.post('list', {
				leads: numbers(50 + block, LIST_LENGTH).map((phone) => ({ phone })),
			});
		await until('all lists to be under way, on both workers', async () => {
			const started = this.cluster.workers.map(
				(worker, index) => startedBy(worker).length - before[index],
			);
			const isUnderWay = this.paid().length - paidBefore >= LISTS * 3;
			return started.every((count) => count > 0) && started[0] + started[1] === LISTS && isUnderWay;
		});
		const lost = startedBy(doomed).slice(before[0]);
		await doomed.kill();
		const ended = await this.allEnded();
		this.sandbox.clearFaults();
		const verdict = this.verdict(lost, ended, paidBefore);
		const { error } = await this.workflows.execution(lost[0]);
		return error ? `${verdict} (${error})` : verdict;
	}

	async goesOn(): Promise<void> {
		const { status, text } = await this.post('form', { phone: '+12025550102' });
		assert.deepEqual([status, JSON.parse(text)[0].outcome], [200, 'positive']);
	}

	/** Waits until n8n has given up, or run again, what the killed worker was doing. */
	private async allEnded(): Promise<Map<string, string>> {
		const stillRuns = ['running', 'new'];
		const all = await until(
			'all lists to end',
			async () => {
				const found = await this.workflows.executionsOf(this.list);
				const isOver = !found.some(({ status }) => stillRuns.includes(status));
				return found.length === LISTS && isOver && found;
			},
			{ timeoutMs: 240_000 },
		);
		return new Map(all.map(({ id, status }) => [id, status]));
	}

	private verdict(lost: string[], ended: Map<string, string>, paidBefore: number): string {
		assert.equal(ended.size, LISTS);
		const survivors = [...ended].filter(([id]) => !lost.includes(id));
		assert.deepEqual(
			survivors.map(([, status]) => status),
			survivors.map(() => 'success'),
		);
		const paid = this.paid().slice(paidBefore);
		const twice = paid.length - new Set(paid).size;
		const statuses = lost.map((id) => ended.get(id));
		const rerun = statuses.filter((status) => status === 'success').length;
		// Where n8n runs an execution again, our memory of it is gone with the process
		if (rerun === 0) assert.equal(twice, 0, `${twice} numbers were paid for twice`);
		const unseen = paid.length - twice - (survivors.length + rerun) * LIST_LENGTH;
		return `its ${lost.length} of ${LISTS} lists: ${statuses.join(', ')}; paid ${paid.length}, ${twice} twice, ${unseen} never delivered`;
	}

	/** The numbers that were paid for, in order, each time. */
	private paid(): string[] {
		const { sandbox } = this;
		return sandbox
			.debits(sandbox.keys.main)
			.filter(({ product }) => product === 'phone')
			.map(({ question }) => question);
	}

	private async submitForms(): Promise<Record<string, number>> {
		const answers: Record<string, number> = {};
		const waiting = numbers(20, FORMS);
		const send = async () => {
			for (let phone = waiting.pop(); phone; phone = waiting.pop()) {
				const { status, text } = await this.post('form', { phone }).catch((error: Error) => {
					if (error.name !== 'TimeoutError') throw error;
					return { status: 0, text: '' };
				});
				if (status === 0) {
					answers[NO_ANSWER] = (answers[NO_ANSWER] ?? 0) + 1;
					continue;
				}
				const [item] = (status === 200 ? JSON.parse(text) : [{}]) as Array<{ outcome?: string }>;
				const answer = `status ${status}, ${item.outcome ?? text.slice(0, 100)}`;
				answers[answer] = (answers[answer] ?? 0) + 1;
			}
		};
		await Promise.all(Array.from({ length: SENDERS }, send));
		return answers;
	}

	private async post(path: string, body: object) {
		return await post(`${this.cluster.webhook.url}/webhook/${path}`, body);
	}
}

async function activated(
	workflows: Workflows,
	workflow: Parameters<Workflows['add']>[0],
	credential: CredentialLink,
): Promise<StoredWorkflow> {
	const stored = await workflows.add(workflow, credential);
	await workflows.activate(stored);
	return stored;
}

/** Whether a webhook is there, without running it: for another method n8n names the one that it knows. */
async function isRegistered({ url }: N8n, path: string): Promise<boolean> {
	const text = await (await fetch(`${url}/webhook/${path}`)).text();
	return /not registered for GET requests/.test(text) && /POST/.test(text);
}

/** A webhook that answers at once; the work is done behind it. */
function hook(path: string): INode {
	const [node] = webhookNodes(path);
	return { ...node, parameters: { httpMethod: 'POST', path, responseMode: 'onReceived' } };
}

function manyNodes(): INode[] {
	const parameters = {
		...{ resource: 'batch', operation: 'checkMany', numbersFrom: 'list' },
		...{ phoneNumbers: '={{ $json.body.numbers }}', options: {} },
	};
	const checkMany: INode = {
		...{ id: 'many', name: 'Check Many', type: NODE_TYPE, typeVersion: 1, position: [220, 0] },
		parameters,
	};
	return [hook('many'), checkMany];
}

/** One number after the other, so that a list takes its time. */
function listNodes(): INode[] {
	const split: INode = {
		...{ id: 'split', name: 'Leads', type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
		...{ position: [220, 0], parameters: { fieldToSplitOut: 'body.leads', options: {} } },
	};
	const validate: INode = {
		...{ id: 'validate', name: 'Validate', type: NODE_TYPE, typeVersion: 1, position: [440, 0] },
		parameters: {
			...{ resource: 'phone', operation: 'validate', phoneNumber: '={{ $json.phone }}' },
			options: { maxRequestsPerMinute: 300 },
		},
	};
	return [hook('list'), split, validate];
}

function watchMemory(processes: N8n[]) {
	let peak = 0;
	const look = () => (peak = Math.max(peak, ...processes.map((one) => one.memoryMb())));
	const timer = setInterval(look, 500);
	return { peakMb: () => peak, stop: () => clearInterval(timer) };
}

function memoryOf({ main, webhook, workers }: WebhookCluster): string {
	const [first, second] = workers;
	return `main ${main.memoryMb()}, webhook ${webhook.memoryMb()}, workers ${first.memoryMb()} and ${second.memoryMb()} MB, ${WORKER_CONCURRENCY} executions at a time each`;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(0)} s`;
