/**
 * `npm start`: runs the example workflow on n8n's own engine in this process, against a sandbox of the service or the
 * user's own, and compares the receipt that the nodes leave with the service's ledger. `--help` explains the options.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkflowRun } from '../../test/harness/n8n.ts';
import { parseReceipt } from '../../test/harness/parseReceipt.ts';
import {
	reconcile,
	reconciliationTable,
	hasFigures,
	hasLedger,
	verdictOn,
} from './reconciliation.ts';
import { UserError, messageOf } from './userError.ts';
import type { LeadFile } from './csv.ts';
import { Interrupt } from './interrupt.mts';
import { readLeads } from './readLeads.mts';
import type { EnrichedLead } from './lookups.ts';
import { answerOf, LOOKUPS, NODE } from './lookups.ts';
import type { Options } from './options.mts';
import { HELP, nameOf, readOptions } from './options.mts';
import { assertWritable, writeAnswers } from './writeOutput.mts';
import { answersOf, runOver } from './runEnrichment.mts';
import type { Service } from './service.mts';
import { openService } from './service.mts';
import { complain, hide, say, screenWidth } from './screen.mts';
import { summaryOf } from './summary.ts';
import { answersTable } from './answersTable.ts';
import { wrap } from './textWidth.ts';
import { counted, listed, quoted } from './wording.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/leads.csv', import.meta.url));
const EXIT_DISAGREE = 1;
const EXIT_WRONG_VALUES = 3;
/** What the node says of a number whose country is none. */
const WRONG_COUNTRY = /^Country \(/;

const interrupt = new Interrupt();

/** Returns the exit code. */
async function main(options: Options): Promise<number> {
	const input = options.input ?? relative(process.cwd(), EXAMPLE);
	const file = await readLeads(input, options.columns);
	if (options.output) await assertWritable(options.output, input);

	const service = await openService(options.own);
	try {
		tell(
			`${counted(file.leads.length, 'lead')} from ${input} through "Contact: Enrich". The lookups ask ${service.description}.`,
		);
		tell(...columnsOf(file), '');
		return await enrich(file, service, options);
	} finally {
		await service.close();
	}
}

/** Says which columns are looked up and which aren't, before anything is paid for. */
function columnsOf({ columns, used }: LeadFile): string[] {
	const pairs = Object.entries(used).filter(([, names]) => names.length > 0);
	const told = pairs.map(([column, names]) => {
		const isFirst = names.length > 1 && column !== 'name';
		return `${column} from ${isFirst ? 'the first with a value of ' : ''}${quoted(names)}`;
	});
	const taken = pairs.flatMap(([, names]) => names);
	const unused = columns.filter((name) => name !== '' && !taken.includes(name));
	return [
		`Columns: ${listed(told)}.`,
		...(unused.length > 0 ? [`Not used: ${quoted(unused)}.`] : []),
	];
}

/** Runs the lookups and shows what came of them. */
async function enrich(file: LeadFile, service: Service, options: Options): Promise<number> {
	const run = await runOver(file.leads, service, interrupt.signal);
	const answers = answersOf(run, file.leads);
	// Written first: whatever goes wrong after this, nothing that was paid for is lost.
	const written =
		options.output && answers.length > 0
			? await writeAnswers(options.output, file, answers)
			: undefined;

	if (answers.length > 0) say(`\n${answersTable(answers, screenWidth())}`);
	if (answers.length > 0) tell('', ...summaryOf(answers.map(({ contact }) => contact)));
	if (answers.length > 0 && service.about) tell('', service.about);
	const receipt = receiptText(run);
	const reconciliation = reconcile(service, receipt ? parseReceipt(receipt) : undefined);
	const { agree, sentences } = verdictOn(reconciliation);
	if (receipt) tell('', 'The receipt, as n8n shows it above the result:', '', plainText(receipt));
	if (hasFigures(reconciliation)) {
		if (hasLedger(reconciliation))
			say(`\nThe service's own ledger:\n\n${reconciliationTable(reconciliation)}`);
		tell('', ...sentences);
	}
	if (written) tell('', written);

	if (run.status === 'canceled') throw new UserError('Stopped before all lookups were done.');
	if (run.status !== 'success') throw new UserError(whyStopped(run, options));
	if (!agree) return EXIT_DISAGREE;
	return tellOfWrongValues(answers) ? EXIT_WRONG_VALUES : 0;
}

function tell(...paragraphs: string[]): void {
	for (const paragraph of paragraphs) say(wrap(paragraph, screenWidth()).join('\n'));
}

/** The node leaves its receipt as a hint, and in its error when it fails. */
function receiptText(run: WorkflowRun): string | undefined {
	const errors = (run.runData[NODE] ?? []).map(({ error }) => error?.description ?? '');
	return [...run.hints(NODE), ...errors].find((text) => parseReceipt(text) !== undefined);
}

/** A hint without the HTML that n8n shows it with. */
function plainText(hint: string): string {
	const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
	return hint
		.replace(/<br>/g, '\n')
		.replace(/<[^>]*>/g, '')
		.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]);
}

/** The failed node's own words, and which address it asked. */
function whyStopped(run: WorkflowRun, { own }: Options): string {
	const message = run.error?.message ?? run.status;
	const why = `The workflow stopped: ${message}`;
	const failed = LOOKUPS.find(({ name }) => message.includes(`${name}: `));
	if (!failed || !own) return why;
	// Without its own root a lookup is a Basic one
	const root = own.roots[failed.root] === '' ? 'base-url' : failed.root;
	const address = own.roots[root];
	const version =
		root === 'geoip-url' || /\/v\d+\/*$/.test(address)
			? ''
			: '. It lacks the version: https://…/api/v1';
	return `${why}\n${failed.name} asks ${nameOf(root)}: ${address}${version}`;
}

/** Whether some leads could not be looked up because of a wrong value; says how many. */
function tellOfWrongValues(answers: EnrichedLead[]): boolean {
	const isWrong = (one: EnrichedLead) =>
		LOOKUPS.some((lookup) => {
			const { source, reason } = answerOf(one, lookup);
			return source === 'local' && WRONG_COUNTRY.test(String(reason));
		});
	const wrong = answers.filter(isWrong).length;
	if (wrong > 0)
		tell(
			'',
			`The phone ${wrong === 1 ? 'number of 1 lead was' : `numbers of ${wrong} leads were`} not looked up, because the country isn't recognized. The reasons are below the table. Correct the file, then run these leads again.`,
		);
	return wrong > 0;
}

let debug = process.argv.includes('--debug');
try {
	const options = readOptions(process.argv.slice(2), process.env);
	debug = options.debug;
	if (options.own) hide(options.own.apiKey);
	if (options.help) say(HELP);
	else process.exitCode = await main(options);
} catch (error) {
	complain(
		debug && error instanceof Error
			? `${error.stack}`
			: `\n${wrap(messageOf(error), screenWidth()).join('\n')}`,
	);
	process.exitCode = 1;
}
if (interrupt.exitCode !== undefined) process.exitCode = interrupt.exitCode;
