/**
 * `npm start`: runs the example workflow on n8n's own engine in this process, against a sandbox of the service or the
 * user's own, and compares the receipt that the nodes leave with the service's ledger. `--help` explains the options.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkflowRun } from '../test/support/n8n.ts';
import { receiptOf } from '../test/support/receipt.ts';
import { accountFor, accountTable, verdictOn } from './support/account.mts';
import { Complaint, wordsOf } from './support/complaint.mts';
import { readLeads } from './support/leads.mts';
import type { Options } from './support/options.mts';
import { HELP, readOptions } from './support/options.mts';
import { assertWritable, writeAnswers } from './support/output.mts';
import { answersOf, runOver } from './support/run.mts';
import type { Service } from './support/service.mts';
import { openService } from './support/service.mts';
import { complain, hide, say } from './support/screen.mts';
import { answersTable } from './support/table.mts';

const EXAMPLE = fileURLToPath(new URL('leads.csv', import.meta.url));

async function main(options: Options): Promise<boolean> {
	const input = options.input ?? relative(process.cwd(), EXAMPLE);
	const leads = await readLeads(input);
	if (options.output) await assertWritable(options.output, input);

	const service = await openService(options.own);
	try {
		say(`${leads.length} leads from ${input}, asking ${service.description}.\n`);
		return await enrich(leads, service, options);
	} finally {
		await service.close();
	}
}

/** Runs the lookups and shows what came of them. Returns whether all is well. */
async function enrich(
	leads: Awaited<ReturnType<typeof readLeads>>,
	service: Service,
	{ output }: Options,
): Promise<boolean> {
	const run = await runOver(leads, service, stopOnInterrupt());
	const answers = answersOf(run);
	// Written first: whatever goes wrong after this, nothing that was paid for is lost.
	const written = output && answers.length > 0 ? await writeAnswers(output, answers) : undefined;

	if (answers.length > 0) say(`\n${answersTable(answers, process.stdout.columns)}`);
	const lines = accountFor(service, ({ node }) => receiptOf(receiptTexts(run, node)));
	const { agree, text } = verdictOn(lines);
	const hasAccount = lines.some(({ receipt, ledger }) => receipt || ledger?.requests);
	if (hasAccount) say(`\n${accountTable(lines)}\n\n${text}`);
	if (written) say(written);

	if (run.status === 'success') return agree;
	throw new Complaint(
		run.status === 'canceled'
			? 'Stopped before all lookups were done.'
			: `The workflow stopped: ${run.error?.message ?? run.status}`,
	);
}

/** A node leaves its receipt as a hint, and in its error when it fails. */
function receiptTexts(run: WorkflowRun, node: string): string[] {
	const errors = (run.runData[node] ?? []).map(({ error }) => error?.description ?? '');
	return [...run.hints(node), ...errors];
}

/** The first Ctrl+C stops the workflow as n8n's Stop button does, the second the program. */
function stopOnInterrupt(): AbortSignal {
	const controller = new AbortController();
	process.once('SIGINT', () => {
		controller.abort();
		process.once('SIGINT', () => process.exit(130));
	});
	return controller.signal;
}

let debug = process.argv.includes('--debug');
try {
	const options = readOptions(process.argv.slice(2), process.env);
	debug = options.debug;
	if (options.own) hide(options.own.apiKey);
	if (options.help) say(HELP);
	else if (!(await main(options))) process.exitCode = 1;
} catch (error) {
	complain(debug && error instanceof Error ? `${error.stack}` : `\n${wordsOf(error)}`);
	process.exitCode = 1;
}
