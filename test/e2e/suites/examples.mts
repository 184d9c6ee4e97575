import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { magic } from '../../sandbox/index.ts';
import { ROOT } from '../machine/cache.mts';
import type { Fixture } from '../testEnvironment.mts';
import { LEDGER_EXAMPLE, WEEKLY_EXAMPLE } from '../server/answerTables.mts';
import { costsSaid, exampleFiles, exampleText, type WorkflowJson } from '../server/workflows.mts';
import { serveFile } from './fileServer.mts';
import { AGENT_EXAMPLE } from './agent.mts';
import { fillIn, type FormValue } from './fillInForm.mts';
import { KEPT_ANSWERS } from './keptAnswers.mts';
import { SERVED_EXAMPLE } from './tool.mts';
import { TRIGGER_EXAMPLES } from './trigger.mts';
import { firstAnswer, lastExecution } from './webhook.mts';

/** What an example is to deliver. */
interface Expected {
	/** What a user would change in it, such as where a file is. */
	adapt?(text: string, inputs: ExampleInputs): string;
	/** What is typed into its form, where it begins with one. */
	form?(): FormValue[];
	/** What its webhook is sent, where it begins with one. */
	request?: Request;
	/** How many items some of its nodes return. */
	items: Record<string, number>;
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

/** Durable Wait looks every 2 minutes; n8n stores whatever waits longer than 65 seconds. */
const storedWait = (text: string) =>
	text.replace(/"amount": 2,\s*"unit": "minutes"/, '"amount": 66, "unit": "seconds"');

/** What the items hold, integration/examples tells on the same engines. */
const EXPECTED: Record<string, Expected> = {
	'answer-a-website-form-at-once.json': {
		request: {
			body: { name: 'Ada', phone: '020 7946 0121', country: 'GB', email: 'ada@example.com' },
			headers: { 'x-forwarded-for': '10.0.0.1, 8.8.8.8' },
			answer: { accepted: true },
		},
		items: { Lead: 1, 'Turn Away': 0 },
	},
	'audit-a-brand.json': {
		adapt: (text) => text.replace('Example Tea', magic.AUDIT.failingBrand),
		items: { 'Flat Row': 4, 'No Result': 1 },
	},
	'clean-an-email-list.json': { items: { Keep: 3, Remove: 2, 'Look Again': 2 } },
	'wait-while-n8n-sleeps.json': { adapt: storedWait, items: { Look: 1, Result: 4 } },
	'enrich-a-contact-from-a-form.json': {
		form: () => ['Ada', '020 7946 0121', 'GB', 'ada@example.com'],
		items: { Contactable: 1, 'Not Contactable': 0, Unknown: 0 },
	},
	'enrich-leads-from-a-csv-file.json': {
		form: () => [new File([readFileSync(LEADS)], 'leads.csv', { type: 'text/csv' }), 'Comma'],
		items: { 'Enriched Leads': 30 },
	},
	'send-a-file-on-whatsapp.json': {
		adapt: (text, { filesUrl }) => text.replace('https://www.example.com', filesUrl),
		items: { Result: 3 },
	},
	'tool-server-call.json': { items: { Result: 3 }, spent: { geoip: 3 } },
	'warn-before-credits-run-out.json': {
		adapt: (text) => text.replaceAll(/(?<="value": )500\b/g, '100000000'),
		items: { Message: 1 },
	},
	'check-a-list-on-whatsapp.json': {
		items: { 'On WhatsApp': 3, 'Not on WhatsApp': 2, Unknown: 1 },
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

	/** Waits for each to end, and compares how much it delivered. */
	const expectItems = async () => {
		for (const { file, id } of started)
			await section.check(`example ${file} delivers the expected items`, async () => {
				const expected = EXPECTED[file];
				assert.ok(expected, 'say in test/e2e/suites/examples.mts what it is to deliver');
				const execution = await workflows.ended(await id, 240_000);
				assert.equal(execution.status, 'success', execution.error);
				const counts = Object.keys(expected.items).map((node) => [
					node,
					execution.items(node).length,
				]);
				assert.deepEqual(Object.fromEntries(counts), expected.items);
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
