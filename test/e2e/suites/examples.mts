import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { magic } from '../../sandbox/index.ts';
import { ROOT } from '../machine/cache.mts';
import type { Fixture } from '../testEnvironment.mts';
import { LEDGER_EXAMPLE, WEEKLY_EXAMPLE } from '../server/answerTables.mts';
import {
	costsSaid,
	exampleFiles,
	exampleText,
	type Execution,
	type WorkflowJson,
} from '../server/workflows.mts';
import { serveFile } from './fileServer.mts';
import { AGENT_EXAMPLE } from './agent.mts';
import { fillIn, type FormValue } from './fillInForm.mts';
import { KEPT_ANSWERS } from './keptAnswers.mts';
import { SERVED_EXAMPLE } from './tool.mts';
import { TRIGGER_EXAMPLES } from './trigger.mts';
import { firstAnswer, lastExecution } from './webhook.mts';

/** What an example is to deliver: for some of its nodes, these fields of these items. */
interface Expected {
	/** What a user would change in it, such as where a file is. */
	adapt?(text: string, inputs: ExampleInputs): string;
	/** What is typed into its form, where it begins with one. */
	form?(): FormValue[];
	/** What its webhook is sent, where it begins with one. */
	request?: Request;
	rows: Record<string, [fields: string[], ...rows: unknown[][]]>;
	/** Credits by balance, where docs/RECIPES.md does not say them. */
	spent?: Record<string, number>;
}

interface Request {
	body: object;
	headers: Record<string, string>;
	answer: object;
}

interface ExampleInputs {
	filesUrl: string;
}

const LEADS = join(ROOT, 'examples/leads.csv');
const REASON = /./;

/** Durable Wait looks every 2 minutes; n8n stores whatever waits longer than 65 seconds. */
const storedWait = (text: string) =>
	text.replace(/"amount": 2,\s*"unit": "minutes"/, '"amount": 66, "unit": "seconds"');

const EXPECTED: Record<string, Expected> = {
	'answer-a-website-form-at-once.json': {
		request: {
			body: { name: 'Ada', phone: '020 7946 0121', country: 'GB', email: 'ada@example.com' },
			headers: { 'x-forwarded-for': '8.8.8.8, 10.0.0.1' },
			answer: { accepted: true },
		},
		rows: {
			Lead: [
				['name', 'phone', 'email', 'outcome', 'channels', 'lookTwice'],
				[
					...['Ada', '+442079460121', 'ada@example.com', 'positive', /^phone, .*email$/],
					'number and IP address are of different countries',
				],
			],
			'Turn Away': [['name']],
		},
	},
	'audit-a-brand.json': {
		adapt: (text) => text.replace('Example Tea', magic.AUDIT.failingBrand),
		rows: {
			'Flat Row': [
				['brand', 'platform'],
				...['one', 'two', 'three', 'four'].map((name) => ['Example Coffee', `assistant-${name}`]),
			],
			'No Result': [
				['brand', 'reason'],
				[magic.AUDIT.failingBrand, 'The brand website could not be read.'],
			],
		},
	},
	'clean-an-email-list.json': {
		rows: {
			Keep: [
				['name', 'email'],
				['Ada', 'ada@example.com'],
				['Ada again', 'ada@example.com'],
				['Fay', 'fay@example.net'],
			],
			Remove: [
				['name', 'reason'],
				['Ben', "the mailbox doesn't exist"],
				['Eve', REASON],
			],
			'Look Again': [
				['name', 'reason'],
				[
					'Cleo',
					"the mail server accepts every address (catch-all), so it isn't known whether this mailbox exists",
				],
				['Dan', /refunded/],
			],
		},
	},
	'wait-while-n8n-sleeps.json': {
		adapt: storedWait,
		rows: {
			Look: [['status'], ['completed']],
			Result: [
				['name', 'phone', 'onWhatsApp', 'business', 'outcome'],
				['Ada', '+12025550102', true, false, 'positive'],
				['Ada again', '+12025550102', true, false, 'positive'],
				['Ben', '+12025550103', false, false, 'negative'],
				['Cleo', '+12025550104', true, true, 'positive'],
			],
		},
	},
	'enrich-a-contact-from-a-form.json': {
		form: () => ['Ada', '020 7946 0121', 'GB', 'ada@example.com'],
		rows: {
			Contactable: [
				['name', 'phone', 'email', 'country', 'channels'],
				['Ada', '+442079460121', 'ada@example.com', 'GB', /^phone, .*email$/],
			],
			'Not Contactable': [['name']],
			Unknown: [['name']],
		},
	},
	'enrich-leads-from-a-csv-file.json': {
		form: () => [new File([readFileSync(LEADS)], 'leads.csv', { type: 'text/csv' }), 'Comma'],
		rows: {
			'Enriched Leads': [
				['name'],
				...Array.from({ length: 30 }, (_, row) => [`Lead ${String(row + 1).padStart(2, '0')}`]),
			],
		},
	},
	'send-a-file-on-whatsapp.json': {
		adapt: (text, { filesUrl }) => text.replace('https://www.example.com', filesUrl),
		rows: {
			Result: [
				['name', 'sent', 'file', 'messageId', 'reason'],
				['Ada', true, 'price-list.pdf', REASON, null],
				['Ben', false, null, null, /nothing was sent/],
				['Cleo', true, 'price-list.pdf', REASON, null],
			],
		},
	},
	'tool-server-call.json': {
		rows: {
			Result: [
				['asked', 'status'],
				['8.8.8.8', true],
				['1.1.1.1', true],
				['8.8.4.4', true],
			],
		},
		spent: { geoip: 3 },
	},
	'warn-before-credits-run-out.json': {
		adapt: (text) => text.replaceAll(/(?<="value": )500\b/g, '100000000'),
		rows: {
			Message: [
				['subject', 'text'],
				['Lookup credits are running out', /^email: \d+ credits left, threshold 100000000\n/],
			],
		},
	},
	'check-a-list-on-whatsapp.json': {
		rows: {
			'On WhatsApp': [
				['name', 'phone', 'business'],
				['Ada', '+12025550102', false],
				['Cleo', '+12025550104', true],
				['Ada again', '+12025550102', false],
			],
			'Not on WhatsApp': [['name'], ['Ben'], ['Dan']],
			Unknown: [
				['name', 'reason'],
				['Eve', /didn't say/],
			],
		},
	},
};

/** The examples, started one after the other and then running side by side: one of them waits for more than a minute. */
export async function startExamples(fixture: Fixture) {
	const { workflows, section, sandbox } = fixture;
	const files = await serveFile();
	const inputs: ExampleInputs = { filesUrl: files.url };
	// Run by the suites trigger and tool, and below
	const elsewhere = [
		...Object.values(TRIGGER_EXAMPLES),
		...[AGENT_EXAMPLE, SERVED_EXAMPLE, LEDGER_EXAMPLE, WEEKLY_EXAMPLE, ...KEPT_ANSWERS],
	];
	const started: Array<{ file: string; id: Promise<string> }> = [];
	for (const file of exampleFiles().filter((name) => !elsewhere.includes(name))) {
		const id = startExample(fixture, file, inputs);
		started.push({ file, id });
		await id.catch(() => undefined); // its own check tells
	}

	/** Waits for each to end, and compares what it delivered. */
	const expectItems = async () => {
		for (const { file, id } of started)
			await section.check(`example ${file} delivers the expected items`, async () => {
				const expected = EXPECTED[file];
				assert.ok(expected, 'say in test/e2e/suites/examples.mts what it is to deliver');
				const execution = await workflows.ended(await id, 240_000);
				assert.equal(execution.status, 'success', execution.error);
				expectRows(execution, expected.rows);
			});
		await section.check('the examples spend what docs/RECIPES.md says', async () => {
			const said = started.map(({ file }) => EXPECTED[file]?.spent ?? costsSaid(file));
			assert.deepEqual(spentBy(sandbox), total(said));
			return JSON.stringify(spentBy(sandbox));
		});
		await files.close();
	};
	return { expectItems };
}

/** Imports an example and starts it, as the editor's button does, by its form or by its webhook. @returns the execution's ID */
async function startExample(
	fixture: Fixture,
	file: string,
	inputs: ExampleInputs,
): Promise<string> {
	const { n8n, workflows, credential } = fixture;
	const { adapt, form, request } = EXPECTED[file] ?? {};
	const text = adapt?.(exampleText(file), inputs) ?? exampleText(file);
	const workflow = await workflows.add(JSON.parse(text) as WorkflowJson, credential);
	if (!form && !request) return await workflows.run(workflow);
	await workflows.activate(workflow);
	if (form) await fillIn(n8n, workflow, form());
	if (request) {
		const webhook = workflow.nodes.find(({ type }) => type.endsWith('.webhook'));
		const { body, headers, answer } = request;
		const url = `${n8n.url}/webhook/${webhook?.parameters.path}`;
		const { text: answered } = await firstAnswer(url, body, headers);
		assert.deepEqual(JSON.parse(answered), answer);
	}
	return (await lastExecution(fixture, workflow)).id;
}

function expectRows(execution: Execution, expected: Expected['rows']): void {
	for (const [node, [fields, ...rows]] of Object.entries(expected)) {
		const found = execution.items(node).map((json) => fields.map((field) => json[field]));
		// A pattern stands for any text that it fits
		const likened = found.map((row, at) =>
			row.map((value, field) => {
				const wanted = rows[at]?.[field];
				return wanted instanceof RegExp && wanted.test(String(value)) ? wanted : value;
			}),
		);
		assert.deepEqual(likened, rows, `items of "${node}"`);
	}
}

/** Credits spent by the main account, without the balances that were not touched. */
export function spentBy({ spent, keys }: Fixture['sandbox']): Record<string, number> {
	return Object.fromEntries(Object.entries(spent(keys.main)).filter(([, credits]) => credits > 0));
}

function total(many: Array<Record<string, number>>): Record<string, number> {
	const sum: Record<string, number> = {};
	for (const [product, credits] of many.flatMap((one) => Object.entries(one)))
		sum[product] = (sum[product] ?? 0) + credits;
	return sum;
}
