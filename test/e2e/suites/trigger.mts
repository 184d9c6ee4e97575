import assert from 'node:assert/strict';
import type { INode } from 'n8n-workflow';
import { until } from '../machine/wait.mts';
import { TRIGGER_TYPE } from '../server/package.mts';
import {
	chain,
	costsSaid,
	exampleText,
	type Execution,
	type StoredWorkflow,
	type WorkflowJson,
} from '../server/workflows.mts';
import { withFixture, type Fixture, type TestEnvironment } from '../testEnvironment.mts';
import { fillIn } from './fillInForm.mts';
import { checkKeyIsNowhere } from './keyLeak.mts';

/** The examples that this suite runs: one submits a batch, the other starts when it is finished. */
export const TRIGGER_EXAMPLES = {
	form: 'submit-a-batch-and-be-called-back-form.json',
	finished: 'submit-a-batch-and-be-called-back-trigger.json',
};

const NUMBERS = ['+12025550102', '+12025550103', '+12025550108'];
const LISTING = 'list_whatsapp_batches';
/** n8n's cron polls each minute; two, for a busy machine. */
const TICK_MS = 150_000;

/** The polling trigger, activated for real: it fires once, also over a restart of the server. */
export async function triggerSuite(environment: TestEnvironment): Promise<void> {
	const check = async (fixture: Fixture) => {
		await new TriggerChecks(fixture).all();
		await checkKeyIsNowhere(fixture, NUMBERS[0]);
	};
	// A batch stands still until it is told to finish
	await withFixture(environment, 'trigger', check, { sandbox: { batchNumbersPerSecond: 0 } });
}

class TriggerChecks {
	private listed!: StoredWorkflow;

	private byId!: StoredWorkflow;

	private batchId = '';

	constructor(private readonly fixture: Fixture) {}

	async all(): Promise<void> {
		const { section } = this.fixture;
		const steps: Array<[title: string, run: () => Promise<string | void>]> = [
			['the trigger is activated', () => this.activate()],
			['a form submits a batch', () => this.submit()],
			['n8n polls by its own cron; an unfinished batch fires nothing', () => this.staysQuiet()],
			['a finished batch fires once', () => this.firesOnce()],
			['after a restart of the server it does not fire again', () => this.survivesRestart()],
		];
		for (const [title, run] of steps) {
			// Each needs the one before it
			if (!(await section.check(title, run))) return;
		}
	}

	private async activate(): Promise<void> {
		const { workflows, credential } = this.fixture;
		const example = JSON.parse(exampleText(TRIGGER_EXAMPLES.finished)) as WorkflowJson;
		this.listed = await workflows.add(example, credential);
		await workflows.activate(this.listed);
		await until('the first look', async () => this.looks() > 0);
	}

	private async submit(): Promise<void> {
		const { n8n, workflows, credential } = this.fixture;
		const example = JSON.parse(exampleText(TRIGGER_EXAMPLES.form)) as WorkflowJson;
		const form = await workflows.add(example, credential);
		await workflows.activate(form);
		await fillIn(n8n, form, [NUMBERS.join('\n')]);
		const [{ id }] = await until('the form to run', async () => await this.executionsOf(form, 1));
		const execution = await workflows.ended(id);
		assert.equal(execution.status, 'success', execution.error);
		const [{ batchId, numbers }] = execution.items('Submitted');
		assert.equal(numbers, NUMBERS.length);
		const { spent, keys } = this.fixture.sandbox;
		assert.equal(spent(keys.main).whatsapp, costsSaid(TRIGGER_EXAMPLES.form).whatsapp);
		this.batchId = String(batchId);
		this.byId = await workflows.add(waitingFor(this.batchId), credential);
		await workflows.activate(this.byId);
	}

	private async staysQuiet(): Promise<string> {
		await this.nextTick();
		await this.expectFirings(0);
		return `${this.looks()} looks at the listing`;
	}

	private async firesOnce(): Promise<void> {
		this.fixture.sandbox.finishBatches();
		const { workflows } = this.fixture;
		for (const workflow of [this.listed, this.byId]) {
			const found = async () => await this.executionsOf(workflow, 1);
			const [{ id }] = await until('the trigger to fire', found, { timeoutMs: TICK_MS });
			expectRows(await workflows.ended(id), workflow);
		}
		await this.nextTick();
		await this.expectFirings(1);
	}

	private async survivesRestart(): Promise<string> {
		const { n8n } = this.fixture;
		const before = this.looks();
		await n8n.restart();
		await n8n.login();
		await until('the look at start', async () => this.looks() > before);
		await this.nextTick();
		await this.expectFirings(1);
		return `${this.looks() - before} looks since`;
	}

	/** How often n8n has looked at the listing. */
	private looks(): number {
		const { log } = this.fixture.sandbox;
		return log.filter(({ body }) => JSON.stringify(body ?? '').includes(LISTING)).length;
	}

	/** Until n8n's cron has polled again, of its own accord; it polls both workflows in the same second. */
	private async nextTick(): Promise<void> {
		const before = this.looks();
		await until('the next poll', async () => this.looks() > before, { timeoutMs: TICK_MS });
	}

	private async expectFirings(count: number): Promise<void> {
		for (const workflow of [this.listed, this.byId]) {
			const executions = await this.fixture.workflows.executionsOf(workflow);
			assert.equal(executions.length, count, `executions of "${workflow.name}"`);
		}
	}

	private async executionsOf(workflow: StoredWorkflow, count: number) {
		const executions = await this.fixture.workflows.executionsOf(workflow);
		return executions.length >= count && executions;
	}
}

function expectRows(execution: Execution, { nodes }: StoredWorkflow): void {
	assert.equal(execution.status, 'success', execution.error);
	const { name } = nodes.find(({ type }) => type === TRIGGER_TYPE)!;
	const rows = execution.items(name).map((row) => [row.submittedNumber, row.outcome]);
	const outcomes = ['positive', 'negative', 'unknown'];
	assert.deepEqual(
		rows,
		NUMBERS.map((number, index) => [number, outcomes[index]]),
	);
}

/** A workflow that knows its batch, and needs no tool server. */
function waitingFor(batchId: string): WorkflowJson {
	const trigger: INode = {
		...{ id: 'trigger', name: 'Batch Finished', type: TRIGGER_TYPE, typeVersion: 1 },
		position: [0, 0],
		parameters: {
			pollTimes: { item: [{ mode: 'everyMinute' }] },
			...{ resource: 'batch', jobsToWatch: 'byId', jobIds: batchId, splitIntoItems: true },
		},
	};
	const then: INode = {
		...{ id: 'then', name: 'Then', type: 'n8n-nodes-base.noOp', typeVersion: 1 },
		...{ position: [220, 0], parameters: {} },
	};
	return chain('Waits for one batch', [trigger, then]);
}
