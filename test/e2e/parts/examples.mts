import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { magic } from '../../sandbox/index.ts';
import { until } from '../machine/wait.mts';
import type { Scene } from '../stage.mts';
import {
	exampleFiles,
	exampleText,
	type Execution,
	type StoredWorkflow,
	type WorkflowJson,
} from '../server/workflows.mts';
import { serveFile } from './files.mts';
import { TRIGGER_EXAMPLES } from './trigger.mts';
import { firstAnswer } from './webhook.mts';

/** What an example is to deliver: for some of its nodes, these fields of these items. */
interface Expected {
	/** What a user would change in it, such as where a file is. */
	adapt?(text: string, places: Places): string;
	rows: Record<string, [fields: string[], ...rows: unknown[][]]>;
	/** Credits by balance. */
	spent: Record<string, number>;
	/** What starts it, where that is a request to its webhook. */
	request?: { path: string; body: object };
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
			path: 'new-lead',
			body: { name: 'Ada', phone: '020 7946 0121', country: 'GB', email: 'ada@example.com' },
		},
		rows: {
			Contactable: [
				['name', 'phone', 'email', 'country', 'lookTwice'],
				['Ada', '+442079460121', 'ada@example.com', 'GB', ''],
			],
		},
		spent: { phone: 1, whatsapp: 1, email: 1 },
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

/** The examples, started all at once, as by the editor's button: one of them waits for more than a minute. */
export async function startExamples({ n8n, workflows, credential, section, sandbox }: Scene) {
	const leads = join(n8n.folder, 'leads.csv');
	writeFileSync(leads, LEADS.join('\n'));
	const files = await serveFile();
	const places: Places = { leads, filesUrl: files.url };
	const started = new Map<string, Promise<string>>();
	const elsewhere = Object.values(TRIGGER_EXAMPLES);
	const here = exampleFiles().filter((file) => !elsewhere.includes(file));
	const waits = (file: string) => EXPECTED[file]?.request !== undefined;
	for (const file of here) if (!waits(file)) started.set(file, startExample(file));
	await Promise.allSettled(started.values());
	// By themselves: n8n 1.x mixes up the transactions of workflows that are stored while one is activated
	for (const file of here.filter(waits)) started.set(file, startExample(file));
	await Promise.allSettled(started.values());

	async function startExample(file: string): Promise<string> {
		const text = EXPECTED[file]?.adapt?.(exampleText(file), places) ?? exampleText(file);
		const workflow = JSON.parse(text) as WorkflowJson;
		const stored = await workflows.add(workflow, credential);
		const { request } = EXPECTED[file] ?? {};
		return request ? await call(stored, request) : await workflows.run(stored);
	}

	/** Sends the request that a workflow waits for. @returns the ID of the execution that it starts */
	async function call(stored: StoredWorkflow, { path, body }: NonNullable<Expected['request']>) {
		await workflows.activate(stored);
		await firstAnswer(`${n8n.url}/webhook/${path}`, body);
		const [{ id }] = await until('the request to run', async () => {
			const executions = await workflows.executionsOf(stored);
			return executions.length > 0 && executions;
		});
		return id;
	}

	/** Waits for each to end, and compares what it delivered. */
	const expectItems = async () => {
		for (const [file, id] of started)
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
