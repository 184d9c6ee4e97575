import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { magic } from '../../sandbox/index.ts';
import type { Scene } from '../stage.mts';
import {
	exampleFiles,
	exampleText,
	type Execution,
	type WorkflowJson,
} from '../server/workflows.mts';
import { serveFile } from './files.mts';
import { AGENT_EXAMPLE } from './agent.mts';
import { SERVED_EXAMPLE } from './tool.mts';
import { TRIGGER_EXAMPLES } from './trigger.mts';
import { firstAnswer, lastExecution } from './webhook.mts';

/** What an example is to deliver: for some of its nodes, these fields of these items. */
interface Expected {
	/** What a user would change in it, such as where a file is. */
	adapt?(text: string, places: Places): string;
	/** Absent where the editor's button starts it. */
	request?: Request;
	rows: Record<string, [fields: string[], ...rows: unknown[][]]>;
	/** Credits by balance. */
	spent: Record<string, number>;
}

/** What a workflow that begins with a webhook is sent. */
interface Request {
	body: object;
	headers: Record<string, string>;
}

interface Places {
	leads: string;
	filesUrl: string;
}

const LEADS = [
	'name,phone,email,ip,country',
	'Ada,020 7946 0121,ada@example.com,8.8.8.8,GB',
	'Ada again,+44 20 7946 0121,ada@EXAMPLE.com,8.8.8.8,GB',
	'Ben,+12025550103,missing.ben@example.com,192.168.0.1,US',
	'',
];
const REASON = /./;

/** Durable Wait looks every 2 minutes; n8n stores whatever waits longer than 65 seconds. */
const storedWait = (text: string) =>
	text.replace(/"amount": 2,\s*"unit": "minutes"/, '"amount": 66, "unit": "seconds"');

const EXPECTED: Record<string, Expected> = {
	'brand-audit.json': {
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
		spent: { audit: 2 },
	},
	'clean-email-list.json': {
		rows: {
			Keep: [
				['name', 'email'],
				['Ada', 'ada@example.com'],
				['Ada again', 'ada@example.com'],
				['Fay', 'fay@example.net'],
			],
			Remove: [
				['name', 'reason'],
				['Ben', 'mailbox_not_found'],
				['Eve', REASON],
			],
			'Look Again': [
				['name', 'reason'],
				['Cleo', 'catch_all'],
				['Dan', /refunded/],
			],
		},
		spent: { email: 4 },
	},
	'durable-batch-wait.json': {
		adapt: storedWait,
		rows: {
			Look: [['status'], ['completed']],
			Result: [
				['phone', 'onWhatsApp', 'business', 'outcome'],
				['+12025550102', true, false, 'positive'],
				['+12025550103', false, false, 'negative'],
				['+12025550104', true, true, 'positive'],
			],
		},
		spent: { whatsapp: 3 },
	},
	'enrich-contact.json': {
		request: {
			body: { name: 'Ada', phone: '020 7946 0121', country: 'GB', email: 'ada@example.com' },
			headers: { 'x-forwarded-for': '8.8.8.8, 10.0.0.1' },
		},
		rows: {
			Contactable: [
				['name', 'phone', 'email', 'country', 'channels'],
				['Ada', '+442079460121', 'ada@example.com', 'GB', /^phone, .*email$/],
			],
			'Not Contactable': [['name']],
			Unknown: [['name']],
		},
		spent: { phone: 1, whatsapp: 1, email: 1, geoip: 1 },
	},
	'enrich-leads.json': {
		adapt: (text, { leads }) => text.replace('/home/node/.n8n-files/leads.csv', leads),
		rows: {
			'Enriched Leads': [
				['name', 'phone', 'phoneOutcome', 'emailOutcome', 'locationOutcome'],
				['Ada', '+442079460121', 'positive', 'positive', 'positive'],
				['Ada again', '+442079460121', 'positive', 'positive', 'positive'],
				['Ben', '+12025550103', 'positive', 'negative', 'unknown'],
			],
		},
		spent: { phone: 3, whatsapp: 2, email: 2, geoip: 1 },
	},
	'send-media-message.json': {
		adapt: (text, { filesUrl }) => text.replace('https://www.example.com', filesUrl),
		rows: {
			Result: [
				['name', 'sent', 'file', 'messageId', 'reason'],
				['Ada', true, 'price-list.pdf', REASON, null],
				['Ben', false, null, null, /nothing was sent/],
				['Cleo', true, 'price-list.pdf', REASON, null],
			],
		},
		spent: { whatsapp: 5 },
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
	'whatsapp-batch-branches.json': {
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
				['Eve', /did not say/],
			],
		},
		spent: { whatsapp: 4 },
	},
};

/** The examples, started one after the other and then running side by side: one of them waits for more than a minute. */
export async function startExamples(scene: Scene) {
	const { n8n, workflows, section, sandbox } = scene;
	const leads = join(n8n.folder, 'leads.csv');
	writeFileSync(leads, LEADS.join('\n'));
	const files = await serveFile();
	const places: Places = { leads, filesUrl: files.url };
	// Run by the parts trigger and tool
	const elsewhere = [...Object.values(TRIGGER_EXAMPLES), AGENT_EXAMPLE, SERVED_EXAMPLE];
	const started: Array<{ file: string; id: Promise<string> }> = [];
	for (const file of exampleFiles().filter((name) => !elsewhere.includes(name))) {
		const id = startExample(scene, file, places);
		started.push({ file, id });
		await id.catch(() => undefined); // its own check tells
	}

	/** Waits for each to end, and compares what it delivered. */
	const expectItems = async () => {
		for (const { file, id } of started)
			await section.check(`example ${file} delivers the expected items`, async () => {
				const expected = EXPECTED[file];
				assert.ok(expected, 'say in test/e2e/parts/examples.mts what it is to deliver');
				const execution = await workflows.ended(await id, 240_000);
				assert.equal(execution.status, 'success', execution.error);
				expectRows(execution, expected.rows);
			});
		await section.check('the examples spend what they say', async () => {
			assert.deepEqual(spentBy(sandbox), total(Object.values(EXPECTED).map(({ spent }) => spent)));
		});
		await files.close();
	};
	return { expectItems };
}

/** Imports an example and starts it, as the editor's button does or by its webhook. @returns the execution's ID */
async function startExample(scene: Scene, file: string, places: Places): Promise<string> {
	const { n8n, workflows, credential } = scene;
	const { adapt, request } = EXPECTED[file] ?? {};
	const text = adapt?.(exampleText(file), places) ?? exampleText(file);
	const workflow = await workflows.add(JSON.parse(text) as WorkflowJson, credential);
	if (!request) return await workflows.run(workflow);
	await workflows.activate(workflow);
	const webhook = workflow.nodes.find(({ type }) => type.endsWith('.webhook'));
	const { body, headers } = request;
	await firstAnswer(`${n8n.url}/webhook/${webhook?.parameters.path}`, body, headers);
	return (await lastExecution(scene, workflow)).id;
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
export function spentBy({ spent, keys }: Scene['sandbox']): Record<string, number> {
	return Object.fromEntries(Object.entries(spent(keys.main)).filter(([, credits]) => credits > 0));
}

function total(many: Array<Record<string, number>>): Record<string, number> {
	const sum: Record<string, number> = {};
	for (const [product, credits] of many.flatMap((one) => Object.entries(one)))
		sum[product] = (sum[product] ?? 0) + credits;
	return sum;
}
