import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { ledgerOf, receiptMismatches, sumOf } from '../../harness/ledger.ts';
import { receiptOf, spendingOf } from '../../harness/parseReceipt.ts';
import { startSandbox, type RequestRecord, type Sandbox } from '../../sandbox/index.ts';
import { ROOT } from '../machine/cache.mts';
import { run } from '../machine/processes.mts';
import type { Job, Kind, Printed, Result } from '../oldest/job.ts';
import type { Section } from '../report.mts';
import { installOldestCores, type OldestCores } from '../server/install.mts';
import { CREDENTIAL_TYPE, installPackage, PACKAGE, TRIGGER_TYPE } from '../server/package.mts';
import type { TestEnvironment } from '../testEnvironment.mts';

/** The engine of the oldest n8n that the package runs on, in processes of its own and without n8n's server. */
export async function oldestSuite(environment: TestEnvironment): Promise<void> {
	const { release, report, tarball } = environment;
	// It is of that line
	if (release !== '1.x') return;
	const section = report.section(release, 'oldest');
	const folder = join(environment.folder, 'oldest');
	let cores: OldestCores | undefined;
	await section.check('the engine of n8n 1.85 is installed from its lockfile', async () => {
		cores = await installOldestCores();
		mkdirSync(folder, { recursive: true });
		await installPackage(tarball, folder);
	});
	if (!cores) return;
	const sandbox = await startSandbox({ batchNumbersPerSecond: 100_000 });
	try {
		await new OldestChecks(section, sandbox, cores, folder).all();
	} finally {
		await sandbox.close();
	}
}

const byName = (value: string) => ({ __rl: true, mode: 'name', value });

const VERIFY = {
	...{ resource: 'email', operation: 'verify', email: '={{ $json.email }}' },
	includeOtherInputFields: false,
	spendingLimits: { costLog: '' },
};
const REFUSED = 'bad@mail.example';
/** Duplicates, one that is answered locally, and one that fails. */
const EMAILS = [
	...['ada@mail.example', 'missing@mail.example', 'x@catch-all.example', 'no address@'],
	...['ada@MAIL.example', REFUSED, 'missing@mail.example'],
];
/** By item, without the one that fails. */
const OUTCOMES: Array<[outcome: string, item: number]> = [
	['positive', 0],
	['negative', 1],
	['unknown', 2],
	['negative', 3],
	['positive', 4],
	['negative', 6],
];
/** Outputs of the node with what is set above. */
const [RESULTS, NEW_RESULTS, LEDGER, ERRORS] = [0, 1, 2, 3];

const CALL_TOOL = {
	...{ resource: 'toolServer', operation: 'callTool', tool: byName('get_balance') },
	...{ argumentsMode: 'json', argumentsJson: '{}', storedResults: false },
};
const SUBMIT = {
	...{ resource: 'batch', operation: 'submit', numbersFrom: 'list' },
	...{ phoneNumbers: '+12025550102, +12025550103', storedResults: false },
};
/** A model calls the node with it. */
const TOOL = {
	parameters: {
		...{ resource: 'phone', operation: 'validate' },
		phoneNumber: "={{ $fromAI('phone', 'Phone number', 'string') }}",
	},
	args: { phone: '+12025550102' },
};
const TRIGGER = {
	...{ name: 'Trigger', type: TRIGGER_TYPE },
	parameters: {
		...{
			resource: 'batch',
			jobsToWatch: 'fromTool',
			includeAlreadyFinished: true,
			splitIntoItems: false,
		},
		listingTool: byName('list_whatsapp_batches'),
	},
	credentials: { [CREDENTIAL_TYPE]: { id: 'sandbox', name: 'Sandbox' } },
};

const MODULES = join('.n8n/nodes/node_modules', PACKAGE);
const [ENGINE, JOB] = ['engine.cjs', 'job.ts'].map((file) =>
	fileURLToPath(new URL(`../oldest/${file}`, import.meta.url)),
);

class OldestChecks {
	/** Of the jobs of the first process. */
	private printed: Record<string, Printed[number]> = {};

	private rows: IDataObject[] = [];

	constructor(
		private readonly section: Section,
		private readonly sandbox: Sandbox,
		private readonly cores: OldestCores,
		private readonly folder: string,
	) {}

	async all(): Promise<void> {
		const steps: Array<[title: string, run: () => Promise<string | void>]> = [
			['its loader takes both nodes and the credential', () => this.loads()],
			['the credential is tested', () => this.testsCredential()],
			['a list: equal items share a call, one fails, receipt and ledger agree', () => this.pays()],
			['Stored Results: the next process asks again only what failed', () => this.knows()],
			['a tool of the tool server answers by event stream', () => this.callsTool()],
			['as a tool of a model it answers what was paid for', () => this.answersModel()],
			['the trigger starts once for a finished batch', () => this.polls()],
			['phone numbers went out in E.164', () => this.sendsE164()],
			['an n8n that is too old is told which one is needed', () => this.refusesOlder()],
		];
		for (const [title, step] of steps) await this.section.check(title, step);
	}

	/** All that one process can do is done here. The other checks look at it. */
	private async loads(): Promise<string> {
		this.sandbox.fault({ kind: 'status', status: 422, contains: REFUSED });
		const credentials = this.credentials();
		const options = { credentials, items: [{}] };
		const jobs: Record<string, Job> = {
			load: { kind: 'load' },
			rightKey: { kind: 'test', credentials },
			wrongKey: { kind: 'test', credentials: this.credentials('wrong') },
			verify: this.verify(),
			callTool: { kind: 'run', parameters: CALL_TOOL, options },
			tool: { kind: 'tool', credentials, ...TOOL },
			submit: { kind: 'run', parameters: SUBMIT, options },
			poll: { kind: 'poll', credentials, workflow: { nodes: [TRIGGER], connections: {} } },
		};
		const printed = await this.doIn(this.cores.oldest, Object.values(jobs));
		this.printed = Object.fromEntries(Object.keys(jobs).map((name, at) => [name, printed[at]]));
		assert.deepEqual(resultOf<'load'>(this.printed.load), {
			nodes: ['lookupMessaging', 'lookupMessagingTrigger'],
			credentials: [CREDENTIAL_TYPE],
		});
		return 'n8n-core 1.84.0';
	}

	private async testsCredential(): Promise<void> {
		const { rightKey, wrongKey } = this.printed;
		assert.equal(resultOf<'test'>(rightKey).status, 'OK');
		assert.match(resultOf<'test'>(wrongKey).message, /refused the API key/);
	}

	private async pays(): Promise<string> {
		const { outputs, hints } = resultOf<'run'>(this.printed.verify);
		assertAnswers(outputs);
		assert.deepEqual(column(outputs[ERRORS], 'email'), [REFUSED]);
		assert.equal(this.paidCalls().length, 4, 'paid calls that reached the service');

		const { items, duplicates, local, failed, credits } = receiptOf(hints)!;
		assert.deepEqual([items, duplicates, local, failed], [EMAILS.length, 2, 1, 1]);
		const { email } = this.sandbox.spent(this.sandbox.keys.main);
		assert.deepEqual(credits, { email }, 'credits of the receipt');
		const rows = ledgerOf(outputs[LEDGER]);
		assert.equal(sumOf(rows).least, email, 'credits of Cost Log');
		assert.deepEqual(receiptMismatches(rows, spendingOf(hints.join(' '))!), []);
		this.rows = outputs[NEW_RESULTS].map(({ json }) => json);
		return hints[0];
	}

	private async knows(): Promise<string> {
		this.sandbox.clearLog();
		const [printed] = await this.doIn(this.cores.oldest, [this.verify(this.rows)]);
		const { outputs, hints } = resultOf<'run'>(printed);
		assertAnswers(outputs);
		const asked = this.paidCalls().map(({ query }) => query.email);
		assert.deepEqual(
			asked,
			['x@catch-all.example', REFUSED],
			'paid calls that reached the service',
		);
		return hints[0];
	}

	private async callsTool(): Promise<void> {
		const { outputs, error } = resultOf<'run'>(this.printed.callTool);
		assert.equal(error, undefined);
		assert.deepEqual(column(outputs[RESULTS], 'source'), ['service']);
	}

	private async answersModel(): Promise<void> {
		const [{ items, error }] = resultOf<'tool'>(this.printed.tool);
		assert.equal(error, undefined);
		assert.deepEqual(
			items?.map(({ outcome }) => outcome),
			['positive'],
		);
		assert.equal(this.sandbox.spent(this.sandbox.keys.main).phone, 1);
	}

	private async polls(): Promise<void> {
		const { submit, poll } = this.printed;
		const { emissions, errors } = resultOf<'poll'>(poll);
		assert.deepEqual(errors, []);
		const handedIn = column(resultOf<'run'>(submit).outputs[RESULTS], 'batchId');
		assert.equal(handedIn.length, 1);
		assert.deepEqual(
			emissions.map((items) => column(items, 'batchId')),
			[handedIn],
		);
	}

	private async sendsE164(): Promise<void> {
		assert.deepEqual(this.sandbox.looseNumbers(), []);
	}

	private async refusesOlder(): Promise<string> {
		const [printed] = await this.doIn(this.cores.tooOld, [{ kind: 'load' }]);
		assert.ok('error' in printed, 'it was loaded');
		assert.match(printed.error, /needs n8n 1\.85 or newer/);
		return printed.error;
	}

	/** The list, with the rows of earlier answers if there are any. */
	private verify(rows?: IDataObject[]): Job {
		const items = EMAILS.map((email) => ({ email }));
		const options = { credentials: this.credentials(), items, rows };
		return {
			...{ kind: 'run', parameters: VERIFY },
			options: { ...options, onError: 'continueErrorOutput' },
		};
	}

	private paidCalls(): RequestRecord[] {
		return this.sandbox.log.filter(({ path }) => path.endsWith('/checkemail'));
	}

	private credentials(apiKey = this.sandbox.keys.main) {
		return { [CREDENTIAL_TYPE]: { apiKey, ...this.sandbox.roots } };
	}

	/** Does jobs one after the other, in a process of their own. */
	private async doIn(core: string, jobs: Job[]): Promise<Printed> {
		const args = ['--require', ENGINE, '--require', 'tsx/cjs', JOB, JSON.stringify(jobs)];
		const own = { E2E_CORE: core, E2E_PACKAGE: join(this.folder, MODULES) };
		const env = { ...process.env, ...own, N8N_USER_FOLDER: this.folder };
		const printed = await run(this.cores.node, args, { cwd: ROOT, env });
		// n8n prints some of its own first
		return JSON.parse(printed.split('\n').at(-1)!) as Printed;
	}
}

/** @throws with the words of the error where the job has failed */
function resultOf<K extends Kind>(printed?: Printed[number]): Result<K> {
	assert.ok(printed, 'it was not done');
	assert.ok('result' in printed, 'error' in printed ? printed.error : '');
	return printed.result as Result<K>;
}

function assertAnswers(outputs: INodeExecutionData[][]): void {
	const items = outputs[RESULTS].map(({ json, pairedItem }) => [json.outcome, pairedItem]);
	assert.deepEqual(
		items,
		OUTCOMES.map(([outcome, item]) => [outcome, { item }]),
	);
}

function column(items: INodeExecutionData[] | undefined, name: string): unknown[] {
	return (items ?? []).map(({ json }) => json[name]);
}
