/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/**
 * Some jobs in a process of their own, with the harness on the n8n-core that `engine.cjs` puts under it. Prints what came
 * of them as its last line, in JSON.
 */
import type { IDataObject } from 'n8n-workflow';
import { runStored } from '../../harness/storedResults';
import { credentialTest, loadPackage, type CredentialsByType } from '../../harness/n8n';
import { Poller, type PollerOptions } from '../../harness/n8nPoller';
import { callingTool, type Reply } from '../../harness/toolCalls';

/** What each kind of job needs. */
interface Orders {
	load: object;
	test: { credentials: CredentialsByType };
	run: { parameters: object; options: Parameters<typeof runStored>[1] };
	/** Calls the node once as a tool, as a model does. */
	tool: { credentials: CredentialsByType; parameters: object; args: IDataObject };
	poll: PollerOptions;
}

const work = {
	async load() {
		const { nodeTypes, credentialTypes } = await loadPackage();
		return { nodes: Object.keys(nodeTypes), credentials: Object.keys(credentialTypes) };
	},
	async test({ credentials }: Orders['test']) {
		return await credentialTest({ credentials });
	},
	async run({ parameters, options }: Orders['run']) {
		const run = await runStored(parameters, options);
		return { error: run.error?.message, outputs: run.outputs(), hints: run.hints() };
	},
	async tool({ credentials, parameters, args }: Orders['tool']) {
		const replies: Reply[] = [];
		await callingTool({ credentials, parameters }, async (call) => {
			replies.push(await call(args));
		});
		return replies;
	},
	/** Activates the trigger and polls once more. */
	async poll(options: Orders['poll']) {
		const poller = new Poller(options);
		await poller.activate();
		await poller.poll();
		return { emissions: poller.emissions, errors: poller.errors.map(({ message }) => message) };
	},
};

export type Kind = keyof Orders;
export type Job = { [K in Kind]: { kind: K } & Orders[K] }[Kind];
export type Result<K extends Kind = Kind> = Awaited<ReturnType<(typeof work)[K]>>;
/** What is printed: for each job its result, or the words of the error. */
export type Printed = Array<{ result: Result } | { error: string }>;

async function printedOf(job: Job): Promise<Printed[number]> {
	try {
		const run = work[job.kind] as (order: Job) => Promise<Result>;
		return { result: await run(job) };
	} catch (error) {
		return { error: (error as Error).message };
	}
}

async function doAll(jobs: Job[]): Promise<void> {
	const printed: Printed = [];
	for (const job of jobs) printed.push(await printedOf(job));
	process.stdout.write(`\n${JSON.stringify(printed)}`, () => process.exit());
}

void doAll(JSON.parse(process.argv[2]) as Job[]);
