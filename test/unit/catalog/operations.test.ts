/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import {
	type AnyOperation,
	type BaseUrlsSet,
	type DecisionRow,
	hasDeeds,
	isLocalAnswer,
	isRefusal,
	type Operation,
	type OutputField,
	type Params,
	type ReplyHead,
} from '../../engine';
import { operations, resources } from '../../../nodes/LookupMessaging/operations';
import { answersByLookups } from '../../../scripts/generate/operationCosts';
import type { ErrorStatus, Product, Sandbox } from '../../sandbox';
import { ask } from './requestToSandbox';
import { perform, sandboxClient, type SandboxClientOptions } from '../fakes/fakeClient';
import { rowFor } from '../../../nodes/LookupMessaging/operations/shared/decisions';
import { rows, type Row } from './rows';
import { headOf } from '../fakes/replies';
import { sandboxOfTests } from '../fakes/sandboxOfTests';

const nameOf = ({ resource, value }: AnyOperation) => `${resource}.${value}`;

function operationOf({ of }: Row): Operation<unknown> {
	const operation = operations.find((each) => nameOf(each) === of);
	if (!operation || 'run' in operation)
		throw new Error(`The catalog has no one-call operation ${of}`);
	return operation;
}

/** Net debits of all accounts, by the products that have any. */
function spentOn(sandbox: Sandbox): Partial<Record<Product, number>> {
	const spent: Partial<Record<Product, number>> = {};
	for (const key of Object.values(sandbox.keys)) {
		for (const { product, amount } of sandbox.debits(key)) {
			spent[product] = (spent[product] ?? 0) + amount;
		}
	}
	return Object.fromEntries(Object.entries(spent).filter(([, credits]) => credits !== 0));
}

/** The same value, throwing when it is written to. */
function frozen<Value>(value: Value): Value {
	if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
	return Object.freeze(value);
}

const known = (record: object) =>
	Object.fromEntries(
		Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
	);

const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

const fits = (value: unknown, { type }: OutputField) =>
	value === null || value === undefined || typeOf(value) === type;

/** The lines of decision tables that have decided a row. */
const decided = new Set<DecisionRow | undefined>();

interface Question {
	detailed?: boolean;
	number?: string;
	email?: string;
	ip?: string;
	isPart?: boolean;
}

/** The line that decides about a reply: Detailed replies are read by the first table, Basic ones by the last. */
function deciding(
	{ decide = [] }: AnyOperation,
	question: Question,
	body: object,
	head: ReplyHead,
) {
	const table = question.detailed === false ? decide[decide.length - 1] : decide[0];
	const asked = question.number ?? question.email ?? question.ip;
	return rowFor(table, { body: body as IDataObject, head, asked, isPart: question.isPart });
}

describe.each<ErrorStatus>(['http', 'ok'])('with errors as %s', (errorStatus) => {
	const sandbox = sandboxOfTests({ errorStatus });

	test.each(rows)('$of reads $title as $says', async (row) => {
		const operation = operationOf(row);
		const question = frozen(operation.prepare(frozen({ ...row.given })));
		expect(isLocalAnswer(question)).toBe(false);
		const request = operation.request(question);
		expect(request).toEqual(row.sends);

		if (row.answered) sandbox.fault({ kind: 'body', body: row.answered, status: row.under });
		const key = row.key === 'wrong' ? 'wrong' : sandbox.keys[row.key ?? 'main'];
		const { status, body } = await ask(sandbox, frozen(request), key);
		const read = operation.read(frozen(body), headOf(request, status), question);
		decided.add(deciding(operation, question as Question, body, headOf(request, status)));
		const reading = isRefusal(read) ? read : (operation.present?.(frozen(read), question) ?? read);

		expect(sandbox.log).toHaveLength(1);
		expect(isRefusal(reading) ? reading.scope : reading.outcome).toBe(row.says);
		if (typeof row.reason === 'string') expect(reading.reason).toBe(row.reason);
		else if (row.reason) expect(reading.reason).toMatch(row.reason);

		if (!row.answered) expect(spentOn(sandbox)).toEqual(row.debits ?? {});
		if (isRefusal(reading)) return;

		if (row.says === 'positive') expect(known(reading.record)).toEqual(row.record);
		else expect(reading.record).toMatchObject(row.record ?? {});
		const declared = new Map(operation.output.map((field) => [field.name, field]));
		for (const [name, value] of Object.entries(reading.record)) {
			expect([name, declared.has(name)]).toEqual([name, true]);
			expect([name, value, fits(value, declared.get(name)!)]).toEqual([name, value, true]);
		}
		const credits = operation.credits?.(question);
		if (credits && 'charged' in credits) {
			const charged = credits.charged(body);
			// Where SPEC does not say it, the most may have been charged
			if (charged === undefined) expect(row.says).toBe('unknown');
			expect(charged ?? credits.atMost).toBe(row.debits?.[credits.balance] ?? 0);
			expect(charged ?? 0).toBeLessThanOrEqual(credits.atMost);
		}
	});
});

test('every line of a decision table decides a row of the catalog', () => {
	const read = operations.filter((each) => rows.some(({ of }) => of === nameOf(each)));
	const missing = read.flatMap((operation) =>
		(operation.decide ?? []).flatMap(({ of, rows: lines }) =>
			lines
				.filter((line) => !decided.has(line))
				.map(({ when }) => [nameOf(operation), of, when.map(({ words }) => words).join('; ')]),
		),
	);
	expect(missing).toEqual([]);
});

const ALWAYS_THERE = ['input', 'outcome', 'source', 'reason'];
const MAX_SIMPLIFIED_FIELDS = 10;
/** Words of an action that are not in lower case. */
const PROPER_NOUNS = /^(?:AI|ID|IP|GeoIP|WhatsApp)$/;

/** Stored in workflows. A released value stays: this list only ever grows. */
const FROZEN_VALUES = [
	...['account.getBalance', 'account.getStatus', 'audit.get', 'audit.getSummary'],
	...['audit.run', 'audit.runAndWait', 'batch.checkMany', 'batch.get', 'batch.submit'],
	...['callerId.lookUp', 'contact.enrich', 'email.verify', 'geoIp.locate', 'phone.validate'],
	...['scraper.getForumPost', 'scraper.getMicroblogComments', 'scraper.getMicroblogPost'],
	...['scraper.searchForum', 'scraper.searchMicroblog', 'toolServer.callTool'],
	...['toolServer.checkHealth', 'toolServer.listTools', 'whatsApp.checkNumber'],
	...['whatsApp.sendMessage'],
];

/** Test files of the operations that have no rows here, by resource or by operation; all others must have rows. */
const FAMILIES: Record<string, string> = {
	audit: 'audit.test.ts',
	batch: 'batch.test.ts',
	contact: 'contact.test.ts',
	scraper: 'scraper.test.ts',
	toolServer: 'toolServer.test.ts',
	'whatsApp.sendMessage': 'sendMessage.test.ts',
};
const familyOf = (operation: AnyOperation) =>
	FAMILIES[operation.resource] ?? FAMILIES[nameOf(operation)];

describe('the catalog', () => {
	test('keeps every released resource and operation value, and no pair twice', () => {
		const values = operations.map(nameOf);
		expect(values).toEqual(expect.arrayContaining(FROZEN_VALUES));
		expect(values.filter((value) => !FROZEN_VALUES.includes(value))).toEqual([]);
		expect(new Set(values).size).toBe(values.length);
	});

	test('lists every resource once, the main one first, with at least one operation each', () => {
		expect(resources[0].value).toBe('contact');
		expect(resources.map(({ value }) => value).sort()).toEqual(
			[...new Set(operations.map(({ resource }) => resource))].sort(),
		);
	});

	test('passes n8n the actions of each resource together, in the order of the resources', () => {
		const order = resources.map(({ value }) => value);
		const places = operations.map(({ resource }) => order.indexOf(resource));
		expect(places).toEqual([...places].sort((a, b) => a - b));
	});

	test('has no row for an unknown operation', () => {
		expect(operations.map(nameOf)).toEqual(expect.arrayContaining(rows.map(({ of }) => of)));
	});
});

describe.each(operations.map((operation) => ({ name: nameOf(operation), operation })))(
	'$name',
	({ name, operation }) => {
		const own = rows.filter(({ of }) => of === name);
		const endpoints = [...new Set(own.map(({ sends }) => `${sends.service} ${sends.path}`))];

		const family = familyOf(operation);
		if (family) {
			test(`is named by the tests of its family, ${family}`, () => {
				expect(own).toEqual([]);
				// A lookup of one call has rows, whatever its family
				expect('run' in operation || operation.outcomes === undefined).toBe(true);
				const file = join(__dirname, family);
				expect([family, existsSync(file)]).toEqual([family, true]);
				const [, ...mentions] = readFileSync(file, 'utf8').split(
					`/operations/${operation.resource}/${operation.value}'`,
				);
				expect([name, mentions.length]).toEqual([name, 1]);
			});
		} else {
			test('has a row for each outcome and refusal of each of its endpoints', () => {
				expect(endpoints).not.toEqual([]);
				for (const endpoint of endpoints) {
					const there = own.filter(({ sends }) => `${sends.service} ${sends.path}` === endpoint);
					const isKeyless = there.every(({ sends }) =>
						['/status', '/healthz'].includes(sends.path),
					);
					const needed = [
						...(operation.outcomes ? ['positive', 'negative', 'unknown'] : ['positive']),
						...(isKeyless ? [] : ['account']),
					];
					const said: string[] = there.map(({ says }) => says);
					expect([endpoint, needed.filter((word) => !said.includes(word))]).toEqual([endpoint, []]);
					if (!operation.free) expect(there.map(({ key }) => key)).toContain('empty');
				}
			});
		}

		test('names its output in unique camelCase fields with an example of their type', () => {
			const names = operation.output.map((field) => field.name);
			expect(new Set([...names, ...ALWAYS_THERE]).size).toBe(names.length + ALWAYS_THERE.length);
			for (const field of operation.output) {
				expect(field.name).toMatch(/^[a-z][a-zA-Z0-9]*$/);
				expect(field.name).not.toBe('error');
				expect(field.description).toMatch(/\S/);
				expect([field.name, fits(field.example, field)]).toEqual([field.name, true]);
			}
		});

		test('keeps the Simplified output at ten fields', () => {
			const head = ALWAYS_THERE.filter((field) => field !== 'input' || operation.subject);
			const named = operation.output.flatMap(({ shape }) => (shape === undefined ? [] : [shape]));
			const shapes = named.length > 0 ? [...new Set(named)] : [undefined];
			for (const form of shapes) {
				const fields = operation.output.filter(({ shape }) => (shape ?? form) === form);
				const simplified = fields.filter((field) => field.simplified).map((field) => field.name);
				expect([form, simplified.length > 0]).toEqual([form, true]);
				// A section is shown where it was asked for
				const count = head.length + fields.filter((f) => f.simplified && !f.isLookup).length;
				expect(count).toBeLessThanOrEqual(MAX_SIMPLIFIED_FIELDS);
			}
		});

		test('says which reply has which meaning', () => {
			expect(operation.decide ?? Object.entries(operation.rules ?? {})).not.toEqual([]);
		});

		test('says what it costs, or that it is free', () => {
			expect(Boolean(operation.free)).toBe(
				operation.credits === undefined && !answersByLookups(operation),
			);
			if (operation.free) expect(operation.repeatable).toBeUndefined();
			for (const row of own) {
				const question = operation.prepare({ ...row.given });
				const credits = operation.credits?.(question);
				if (credits && 'charged' in credits) expect(credits.atMost).toBeGreaterThan(0);
				const balances = Object.keys(row.debits ?? {});
				if (credits && balances.length > 0) expect(balances).toEqual([credits.balance]);
			}
		});

		test('has one of its own fields as its subject, and one spelling for duplicates', () => {
			const fields = [...operation.fields, ...(operation.options ?? [])];
			const names = fields.map((field) => field.name);
			expect(new Set(names).size).toBe(names.length);
			for (const field of fields) expect(field.description).toMatch(/\S/);
			if (operation.subject) {
				expect(operation.fields.map((field) => field.name)).toContain(operation.subject);
			}
			if (operation.outcomes) {
				expect(operation.subject).toBeDefined();
				expect(operation.repeatable ?? answersByLookups(operation)).toBe(true);
				expect(Object.values(operation.outcomes).every((word) => /^[A-Z]/.test(word))).toBe(true);
				expect(new Set(Object.values(operation.outcomes)).size).toBe(3);
			}
			if (operation.repeatable) {
				for (const { given } of own) {
					const question = operation.prepare({ ...given });
					const canonical = operation.canonical?.(question) ?? question;
					expect(operation.canonical?.(canonical) ?? canonical).toEqual(canonical);
				}
			}
		});

		test('is named as n8n names things', () => {
			const [first, ...others] = operation.action.split(' ');
			expect(first).toMatch(/^[A-Z][a-z]+$/);
			expect(others.length).toBeGreaterThan(0);
			for (const word of others) {
				expect(word).not.toMatch(/^(?:a|an|the)$/i);
				if (!PROPER_NOUNS.test(word)) expect(word).toBe(word.toLowerCase());
			}
			expect(operation.action).not.toMatch(/\.$/);
			expect(operation.value).toMatch(/^[a-z][a-zA-Z]*$/);
			for (const word of operation.name.split(' ')) expect(word).toMatch(/^(?:[A-Z]|and$)/);
			expect(operation.description).toMatch(/^[A-Z]/);
		});
	},
);

/** Items of a workflow, each for a task of its own, which together make all calls that it can make. */
interface Sample {
	of: string;
	given: Params[];
	/** The base URLs of the credential, for each item; all unless set. */
	urls?: Array<BaseUrlsSet | undefined>;
	options?: (sandbox: Sandbox) => SandboxClientOptions;
}

const NUMBER = '+442079460123';
const BRAND: Params = { brandName: 'Example Coffee', brandUrl: 'https://coffee.example' };
const CONTACT: Params = {
	...{ phoneNumber: NUMBER, email: 'ada@example.com', ipAddress: '8.8.8.8' },
	lookups: ['callerId', 'email', 'geoIp', 'phone', 'whatsApp'],
};
const MESSAGE: Params = { phoneNumber: NUMBER, message: 'Hello', media: 'none' };
const LOCATE_IP: Params = { tool: { mode: 'list', value: 'locate_ip' } };
const PICTURE = {
	...{ item: 0, property: 'data', fileName: 'a.gif', mimeType: 'image/gif', bytes: 3 },
};
const SAMPLES: Sample[] = [
	{ of: 'audit.run', given: [BRAND] },
	{ of: 'audit.runAndWait', given: [BRAND] },
	{
		of: 'batch.checkMany',
		given: [{ phoneNumber: NUMBER, numbersFrom: 'items' }],
		options: (sandbox) => ({ onSleep: () => sandbox.finishBatches() }),
	},
	{ of: 'batch.submit', given: [{ phoneNumber: NUMBER, numbersFrom: 'items' }] },
	{ of: 'batch.get', given: [{ batchId: 'b-1' }] },
	{ of: 'contact.enrich', given: [CONTACT, CONTACT], urls: [undefined, new Set(['main'])] },
	{
		of: 'toolServer.callTool',
		given: [{ ...LOCATE_IP, argumentsMode: 'json', argumentsJson: '{"ip":"8.8.8.8"}' }],
	},
	{ of: 'toolServer.checkHealth', given: [{}] },
	{ of: 'toolServer.listTools', given: [{}] },
	{
		of: 'whatsApp.sendMessage',
		given: [
			{ ...MESSAGE, checkNumberFirst: true },
			{ ...MESSAGE, media: 'binaryField', binaryPropertyName: 'data', file: PICTURE },
		],
		options: () => ({ files: { data: Buffer.from('GIF') } }),
	},
];

/** The one question about an item, or that about the first part of its list. */
function questionAbout(operation: AnyOperation, given: Params, urls?: BaseUrlsSet): unknown {
	const prepared = operation.prepare(given, urls);
	const hasParts = typeof prepared === 'object' && prepared !== null && 'parts' in prepared;
	const question = hasParts
		? [...(prepared.parts as Iterable<{ question: unknown }>)][0].question
		: prepared;
	if (isLocalAnswer(question)) throw new Error(question.reason);
	return question;
}

describe('the calls of a workflow', () => {
	const sandbox = sandboxOfTests({ auditSeconds: 0, batchNumbersPerSecond: 0 });

	/** The task of each question of a sample, with its client. */
	async function tasksOf({ of, given, urls, options }: Sample) {
		const operation = operations.find((each) => nameOf(each) === of);
		if (!operation || !('run' in operation)) throw new Error(`${of} is no workflow`);
		const tasks = [];
		for (const [index, each] of given.entries()) {
			const question = questionAbout(operation, each, urls?.[index]);
			const client = sandboxClient(sandbox, options?.(sandbox));
			await perform(operation, [question], client);
			tasks.push({ question, client });
		}
		return { operation, tasks };
	}

	test('have a sample for every workflow of the catalog', () => {
		const workflows = operations.filter((operation) => 'run' in operation).map(nameOf);
		expect(SAMPLES.map(({ of }) => of).sort()).toEqual(workflows.sort());
	});

	test.each(SAMPLES)('of $of use all endpoints that it declares, and no others', async (sample) => {
		const { operation, tasks } = await tasksOf(sample);
		const requests = tasks.flatMap(({ client }) => client.requests);
		const seen = new Set(requests.map((each) => `${each.method} ${each.service} ${each.path}`));
		// "POST mcp /mcp (tools/call)" and "GET lookup /batch/{id}" as patterns
		const declared = operation.endpoints.map((endpoint) => ({
			endpoint,
			pattern: new RegExp(
				`^${endpoint
					.replace(/ \(.*\)$/, '')
					.split(/\{\w+\}/)
					.map((text) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
					.join('[^/]+')}$`,
			),
		}));
		const undeclared = [...seen].filter(
			(request) => !declared.some(({ pattern }) => pattern.test(request)),
		);
		const unseen = declared.filter(({ pattern }) => ![...seen].some((call) => pattern.test(call)));
		expect([undeclared, unseen.map(({ endpoint }) => endpoint)]).toEqual([[], []]);
	});

	test.each(SAMPLES)(
		'of $of make declared lookups only, and have, if they are paid, their own step and parameters',
		async (sample) => {
			const { operation, tasks } = await tasksOf(sample);
			for (const { question, client } of tasks) {
				const paid = client.calls.filter(({ endpoint }) => endpoint.credits);
				const steps = paid.map(({ step }) => step);
				expect(steps).toEqual(steps.map(() => expect.stringMatching(/\S/)));
				expect(new Set(steps).size).toBe(steps.length);
				// Without it, a loop would repeat a call that may have been done
				const acts = paid.some(({ endpoint }) => endpoint.effect === 'acts');
				if (hasDeeds(operation) && paid.length > 0) expect(acts).toBe(true);
				expect(paid.length > 0).toBe(operation.credits !== undefined);
				const parameters = paid.flatMap(({ endpoint: { request } }) =>
					Object.keys({ ...request.query, ...request.body, ...request.form?.fields }),
				);
				if (!operation.noAdditionalParameters)
					expect(operation.parameterNames ?? []).toEqual(expect.arrayContaining(parameters));
				const declared = operation.lookups?.(question, () => undefined) ?? [];
				const names = declared.map(({ lookup }) => lookup.action).sort();
				expect(client.lookups.map(({ lookup }) => lookup.action).sort()).toEqual(names);
			}
		},
	);
});
