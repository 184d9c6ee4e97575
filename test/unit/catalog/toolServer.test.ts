import type { IDataObject } from 'n8n-workflow';
import { type Answer, type AnyOperation, isFailed, isLocalAnswer, type Params } from '../../engine';
import { callTool } from '../../../nodes/LookupMessaging/operations/toolServer/callTool';
import { checkHealth } from '../../../nodes/LookupMessaging/operations/toolServer/checkHealth';
import { listTools } from '../../../nodes/LookupMessaging/operations/toolServer/listTools';
import { readToolResult } from '../../../nodes/LookupMessaging/operations/toolServer/toolResult';
import {
	argumentFields,
	describeArguments,
} from '../../../nodes/LookupMessaging/operations/toolServer/toolSchema';
import { magic, startSandbox, type FaultEffect, type Sandbox } from '../../sandbox';
import { PIXEL, SOUND, startToolServer, type ToolServer } from '../../harness/toolServers';
import { performInSandbox, type SandboxClientOptions } from '../fakes/fakeClient';

const json = (tool: string, args: unknown = {}): Params => ({
	tool: { mode: 'list', value: tool },
	argumentsMode: 'json',
	argumentsJson: typeof args === 'string' ? args : JSON.stringify(args),
});

async function performed(
	sandbox: Sandbox,
	operation: AnyOperation,
	given: Params,
	options?: SandboxClientOptions,
) {
	const question = operation.prepare(given);
	if (isLocalAnswer(question)) throw new Error(`refused: ${question.reason}`);
	const { readings, failure } = await performInSandbox(sandbox, operation, [question], options);
	const [reading] = readings ?? [];
	return {
		answer: reading && !isFailed(reading) && 'outcome' in reading ? reading : undefined,
		failure: isFailed(reading) ? reading.failure : failure,
	};
}

const declared = (operation: AnyOperation) => operation.output.map(({ name }) => name);
const recordsOf = ({ rows, record }: Answer) =>
	rows ? Array.from(rows, (row) => row.record) : [record];

const MODES = (['json', 'sse'] as const).flatMap((responses) =>
	[false, true].map((sessions) => ({ responses, sessions })),
);

describe.each(MODES)('the sandbox, $responses, sessions $sessions', (toolServer) => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ toolServer, auditSeconds: 0 });
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.reset());

	const number = '+12025550102';
	test.each<[tool: string, args: object, debits: object, result: object]>([
		['check_whatsapp_number', { number }, { whatsapp: 1 }, { whatsapp: true }],
		['validate_phone', { phone_number: number }, { phone: 1 }, { status: 'VALID_CONFIRMED' }],
		['validate_phone', { phone_number: '+1' }, {}, { status: 'INVALID' }],
		['lookup_caller_id', { phone_number: number }, { callerinfo: 1 }, { success: true }],
		['verify_email', { email: 'a@mail.example' }, { email: 1 }, { verdict: 'deliverable' }],
		['locate_ip', { ip: '8.8.8.8' }, { geoip: 1 }, { status: true }],
		['get_balance', {}, {}, { status: true }],
		['send_whatsapp_message', { number, message: 'Hi' }, { whatsapp: 1 }, { status: true }],
		['submit_whatsapp_batch', { phone_numbers: [number] }, { whatsapp: 1 }, { total_numbers: 1 }],
		['list_whatsapp_batches', {}, {}, { batches: [] }],
		['get_microblog_post', { post_url: 'https://x.example/1' }, { scraper: 1 }, {}],
		[
			'run_audit',
			{ brand_name: 'A', brand_url: 'https://a.example' },
			{ audit: 1 },
			{ status: true },
		],
	])('%s %j is called once and has its price', async (tool, args, debits, result) => {
		const { answer } = await performed(sandbox, callTool, json(tool, args));
		expect(answer).toMatchObject({
			outcome: 'positive',
			record: { tool, text: null, links: null, result },
		});
		expect(Object.keys(answer!.record).sort()).toEqual(declared(callTool).sort());
		expect(answer?.response).toMatchObject({ structuredContent: result });
		const spent = Object.entries(sandbox.spent(sandbox.keys.main)).filter(([, n]) => n !== 0);
		expect(Object.fromEntries(spent)).toEqual(debits);
		expect(sandbox.log.filter(({ charged }) => charged > 0)).toHaveLength(
			Object.keys(debits).length,
		);
	});

	test('a list alone, or beside flags, is one item per entry', async () => {
		const { answer } = await performed(
			sandbox,
			callTool,
			json('search_forum', { query: 'a', limit: 3 }),
		);
		expect(answer?.rows).toHaveLength(3);
		const [, second] = answer?.rows ?? [];
		expect(second.response).toEqual(second.record.result);
		const whole = { ...json('search_forum', { query: 'a', limit: 3 }), splitIntoItems: false };
		const { answer: one } = await performed(sandbox, callTool, whole);
		expect(one?.rows).toBeUndefined();
		expect(one?.record.result).toMatchObject({ data: [{}, {}, {}] });
	});

	test('an image is a file', async () => {
		const args = { audit_id: magic.TOOL.imageAudit };
		const { answer } = await performed(sandbox, callTool, json('get_audit_summary', args));
		expect(answer?.files).toEqual({
			data: { base64: expect.any(String), mimeType: 'image/png', fileName: 'image.png' },
		});
		expect(answer?.record).toMatchObject({ result: null, text: null });
	});

	test.each<[title: string, given: Params, key: string | undefined, failure: object]>([
		['a wrong key', json('verify_email', { email: 'a@b.example' }), 'wrong', { scope: 'account' }],
		['no credits', json('verify_email', { email: 'a@b.example' }), 'empty', { scope: 'account' }],
		[
			'an error of the API',
			json('search_forum', { query: 'upstream-failure' }),
			undefined,
			{ scope: 'question', refusal: { mayHaveCost: true } },
		],
		[
			'wrong arguments',
			json('verify_email', { mail: 1 }),
			undefined,
			{ scope: 'question', reason: expect.stringMatching(/Invalid arguments/) },
		],
		[
			'a wrong tool',
			json('nope'),
			undefined,
			{ scope: 'question', reason: expect.stringMatching(/-32602: Unknown tool: nope$/) },
		],
	])(
		'%s is a refusal, in the words of the server, and costs nothing',
		async (_, given, key, failure) => {
			const keys: Record<string, string> = { wrong: 'wrong', empty: sandbox.keys.empty };
			const options = key ? { key: keys[key] } : {};
			expect((await performed(sandbox, callTool, given, options)).failure).toMatchObject({
				cause: 'refused',
				...failure,
			});
			expect(sandbox.log.filter(({ charged }) => charged > 0)).toEqual([]);
		},
	);

	test('the tools are listed, each with its arguments', async () => {
		const { answer } = await performed(sandbox, listTools, {});
		expect(answer?.rows).toHaveLength(19);
		for (const record of recordsOf(answer!)) {
			expect(Object.keys(record).sort()).toEqual(declared(listTools).sort());
		}
		expect(recordsOf(answer!)).toContainEqual({
			name: 'list_whatsapp_batches',
			title: null,
			description: expect.any(String),
			argumentList: 'status (processing | completed), limit (integer)',
			inputSchema: expect.objectContaining({ type: 'object' }),
			outputSchema: null,
		});
		const [row] = answer?.rows ?? [];
		expect(row.response).toMatchObject({
			name: 'check_whatsapp_number',
			inputSchema: {},
		});
	});
});

describe('a server that is not the sandbox', () => {
	let sandbox: Sandbox;
	let other: ToolServer;
	beforeAll(async () => {
		other = await startToolServer();
		const own = await startSandbox();
		sandbox = { ...own, roots: { ...own.roots, mcpUrl: other.url } };
	});
	afterAll(async () => {
		await other.close();
		await sandbox.close();
	});
	const ask = async (tool: string, args = {}, more = {}) =>
		await performed(sandbox, callTool, { ...json(tool, args), ...more });

	test.each<[tool: string, record: object]>([
		['words', { result: null, text: 'Hello\nworld' }],
		['number', { result: null, text: '42' }],
		['json', { result: { a: 1, error: 'none' }, text: null }],
		['emptyList', { result: [], text: null }],
		['nothing', { result: null, text: null }],
		['counted', { result: { total: 2, result: [{ n: 1 }] }, text: 'two' }],
	])('%s is one item', async (tool, record) => {
		const { answer } = await ask(tool);
		expect(answer).toMatchObject({ outcome: 'positive', record: { tool, links: null, ...record } });
		expect(answer?.rows).toBeUndefined();
		expect(answer?.files).toBeUndefined();
	});

	test.each<[tool: string, results: number[], text: string | null | undefined]>([
		['jsonList', [1, 2, 3], null],
		['blocks', [1, 2], 'and that was it'],
		['wrapped', [1, 2], 'two'],
	])('%s is one item per entry, with the text at the first', async (tool, results, text) => {
		const { answer } = await ask(tool);
		const records = Array.from(answer?.rows ?? [], ({ record }) => record);
		expect(records.map(({ result }) => result)).toEqual(results.map((n) => ({ n })));
		expect(records.map((record) => record.text)).toEqual(
			results.map((_, index) => (index === 0 ? text : undefined)),
		);
		expect((await ask(tool, {}, { splitIntoItems: false })).answer?.rows).toBeUndefined();
	});

	test('prefers structured content to text', async () => {
		const { answer } = await ask('echo', { text: 'Hi' });
		expect(answer?.record).toMatchObject({
			result: { said: { text: 'Hi', loud: false } },
			text: 'Here you are',
		});
	});

	test('files are files, text files are text, and links are fields', async () => {
		const { answer } = await ask('files');
		expect(answer?.files).toEqual({
			data: { base64: PIXEL, mimeType: 'image/png', fileName: 'image.png' },
			data_1: { base64: SOUND, mimeType: 'audio/x-wav', fileName: 'audio.wav' },
			data_2: { base64: PIXEL, mimeType: 'application/pdf', fileName: 'report.pdf' },
		});
		expect(answer?.record).toMatchObject({
			text: 'A picture and more\nSome notes',
			links: [
				{ uri: 'https://files.example/a/report.pdf?x=1', mimeType: 'application/pdf' },
				{ uri: 'file:///notes.txt', mimeType: 'text/plain' },
				{ uri: 'https://files.example/b.csv', name: 'b', mimeType: 'text/csv' },
			],
		});
	});

	test.each([
		['fails', 'question', /The pump is broken/],
		['lacksCredits', 'account', /^not enough credits$/],
		['speechless', 'question', /gave no reason/],
	])('%s is the error of the tool', async (tool, scope, reason) => {
		const { failure } = await ask(tool);
		expect(failure).toMatchObject({
			cause: 'refused',
			scope,
			reason: expect.stringMatching(reason),
		});
		expect(failure?.refusal?.mayHaveCost).toBe(scope === 'question');
	});
});

test('a result keeps the digits of integers that would be rounded', () => {
	const result = { content: [{ type: 'text', text: '{"id":12345678901234567890}' }] };
	expect(readToolResult(result, { tool: 't', args: {}, splits: false })).toMatchObject({
		record: { result: { id: '12345678901234567890' } },
	});
});

describe('a result of a tool that has the failure of its call', () => {
	/** As servers pass on a reply: as text, as structured content, and as text or an object in a field of it. */
	const formsOf = (body: IDataObject): IDataObject[] => {
		const text = JSON.stringify(body);
		const content = [{ type: 'text', text }];
		return [
			{ content },
			{ content, structuredContent: {} },
			...[body, { result: text }, { result: body }].map((structuredContent) => ({
				...{ content: [], structuredContent },
			})),
		];
	};
	const read = (result: IDataObject) =>
		readToolResult(result, { tool: 't', args: { q: 1 }, splits: true });

	test.each<[body: IDataObject, expected: object]>([
		[
			{ status: false, error: 'No such post' },
			{ outcome: 'unknown', reason: /No such post/ },
		],
		[
			{ success: false, data: [{ a: 1 }] },
			{ outcome: 'unknown', reason: /gave no reason/ },
		],
		[
			{ error: { message: 'Half done' }, id: 4 },
			{ outcome: 'unknown', reason: /Half done/ },
		],
		[
			{ status: false, error: 'Invalid API key.' },
			{ scope: 'account', reason: /key/ },
		],
		...[
			{ data: { status: false, error: 'Invalid API key.' } },
			{ status: 200, data: { status: false, error: 'Please recharge' } },
			{ status_code: 401, body: { detail: 'No.' } },
			{ statusCode: 402, message: 'Sorry' },
			{ code: 401, message: 'Unauthorized' },
			...[{ message: 'Invalid API key.' }, { detail: 'Insufficient credits' }],
			...[{ detail: 'Invalid token.' }, { message: 'Unauthenticated.' }],
			{ response: { status: 402, body: { error: 'Please recharge' } } },
		].map((body): [IDataObject, object] => [body, { scope: 'account', reason: /./ }]),
		...[
			{ status: 404, body: { message: 'No such post' } },
			{ response: { success: false, message: 'No such post' } },
			{ errors: [{ message: 'No such post' }] },
			...[
				{ status: 'failed', error_message: 'No such post' },
				{ ok: false, detail: 'No such post' },
			],
			...[{ detail: 'Error 404: No such post' }, { isError: true, message: 'No such post' }],
			...[
				[{ status: false, error: 'No such post' }] as never,
				{ data: null, errors: ['No such post'] },
			],
			...[{ tool: 't', output: { status: false, error: 'No such post' } }],
			...[{ status: 200, data: '{"status":false,"error":"No such post"}' }],
			...[{ status: true, error: 'No such post. Please recharge' }],
			...[{ error_message: 'No such post' }, { failed: true, reason: 'No such post' }],
		].map((body): [IDataObject, object] => [body, { outcome: 'unknown', reason: /No such post/ }]),
		...[
			...[{ code: 404, city: 'Rome' }, { data: { status: false, ip: '8.8.8.8' } }],
			...[
				{ status: 200, data: { a: 1 } },
				{ status: 650, message: 'ok' },
				...[{ status: true, message: 'Request accepted, 0 credits remaining' }],
				...[{ status: true, message: 'Request processed. Credits exhausted.' }],
				...[{ status: true, message: 'Message queued for delivery' }],
				...[{ message: 'Sent' }, { title: 'Invalid API key', score: 3 }, { errors: [], data: 1 }],
			],
		].map((body): [IDataObject, object] => [body, { outcome: 'positive' }]),
		...[{ status: 'INVALID' }, { status: true, error: null }, { valid: false }, { data: [] }].map(
			(body): [IDataObject, object] => [body, { outcome: 'positive' }],
		),
	])(
		'is no yes, in any form: %j',
		(
			body,
			{
				reason,
				...expected
			}: {
				reason?: RegExp;
			},
		) => {
			for (const form of formsOf(body)) {
				const answer = read(form);
				expect(answer).toMatchObject(expected);
				if (reason) expect(answer.reason).toMatch(reason);
				if ('record' in answer) expect(answer.record.result).toEqual(body);
			}
		},
	);
});

test.each([
	[{ isError: true, content: [{ type: 'text', text: 'No such post' }] }, { mayHaveCost: true }],
	[
		{ content: [{ type: 'text', text: '{"found":true}' }] },
		{ record: { result: { found: true } } },
	],
])('a result within a result is read as one: %j', (inner, expected) => {
	const result = { content: [{ type: 'text', text: JSON.stringify(inner) }] };
	const read = readToolResult(result, { tool: 't', args: {}, splits: true });
	expect(read).toMatchObject(expected);
});

describe('a text alone', () => {
	const read = (text: string) =>
		[
			{ content: [{ type: 'text', text }] },
			{ content: [], structuredContent: { result: text } },
		].map((result) => readToolResult(result, { tool: 't', args: { q: 1 }, splits: true }));

	test.each([
		...['Authentication required. Pass your API key in the header', 'Error: Invalid API key.'],
		...['Error 402: Please recharge', 'HTTP 401: {"status":false}', 'Unauthorized'],
		...['Insufficient email API credits.', 'API key is required', 'Insufficient credits'],
		...['API error: 402 - Please recharge', 'Error calling API: 402 Payment Required'],
		`Client error '401 Unauthorized' for url 'https://a.example/${'x'.repeat(300)}'`,
		...["Client error '401 Unauthorized' for url 'https://a.example/x'", 'Unauthenticated.'],
		...['Please provide your API key via the Authorization header', '**Error:** Invalid API key.'],
	])('of a refused account ends the run: %s', (text) => {
		for (const answer of read(text)) expect(answer).toMatchObject({ scope: 'account' });
	});

	test.each([
		...['Error: Request failed with status code 500', 'Error: timeout', 'Error 404: not found'],
		...['Internal Server Error', 'upstream request timeout', '502 Bad Gateway', 'fetch failed'],
		...['HTTP error: 502', 'Failed to fetch data from API', 'Error: API returned 403', 'Forbidden'],
		...["Input validation error: 'number' is a required property", 'Unknown tool: check_whatsapp'],
		...['Error: connect ECONNREFUSED 127.0.0.1:80', '<html><body>502 Bad Gateway</body></html>'],
		`HTTPStatusError: Server error '502 Bad Gateway' for url 'https://a.example/${'x'.repeat(200)}'`,
		'Error 500: {"data":null}',
		`Failed to send the message: HTTP 503 after 3 tries. ${'It was not delivered. '.repeat(9)}`,
		// What somebody wrote may look alike
		...['Title: "Invalid API key" error when I call the model', '@joe: payment required? wow'],
		...['1. Invalid API key with OpenAI - 12 upvotes', 'Unauthorized biography: a review'],
		...['You have no credits left.', 'Credit balance too low.'],
		...['This tool requires authentication. Connect with a key', 'Your account is out of credits.'],
		...['I ran out of credits again', 'Your balance is 0. Please recharge.', 'Quota exceeded'],
	])('of a failed call is unknown, and shown: %s', (text) => {
		for (const answer of read(text)) {
			const record = { result: expect.anything() as unknown };
			expect(answer).toMatchObject({ outcome: 'unknown' });
			if ('record' in answer && answer.record.text === null)
				expect(answer).toMatchObject({ record });
		}
	});

	test.each([
		...['WhatsApp credits: 0\nEmail credits: 12', '402 posts found about coffee'],
		...['Status: INVALID', 'Number not found', 'Valid: No\nError: None', 'Batch b1 is processing'],
		...[
			'Total: 10, Failed: 0',
			'Errors: 0, total: 10',
			'Message queued',
			'Checked without errors',
			'WhatsApp: No',
		],
		...['500 credits remaining', 'Gateway to India - hotel'],
		...['+44 7911 123456 is valid. 0 credits left.', 'Low balance warning: email has 3 credits'],
		`What to do on an error: ${'a long story. '.repeat(20)}`,
	])('of anything else is the result: %s', (text) => {
		for (const answer of read(text)) expect(answer).toMatchObject({ outcome: 'positive' });
	});
});

test.each([
	'{"a":1}',
	' [{"a":1}]',
	'Result:\n{"a":1}',
	'```json\n{"a":1}\n```',
	'It is: ```{"a":1}```',
])('a text may hold JSON: %j', (text) => {
	const result = { content: [{ type: 'text', text }] };
	const answer = readToolResult(result, { tool: 't', args: {}, splits: false });
	expect(answer).toMatchObject({ outcome: 'positive', record: { text: null } });
	expect('record' in answer && [answer.record.result].flat()).toEqual([{ a: 1 }]);
});

test('a text beside a file is the result, whatever it says', () => {
	const content = [
		{ type: 'text', text: 'Error: Operation failed' },
		{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
	];
	const answer = readToolResult({ content }, { tool: 't', args: {}, splits: false });
	expect(answer).toMatchObject({ outcome: 'positive' });
});

test.each([100, 101, 20_000])('returns %d files, or the result unchanged', (count) => {
	const content = Array<IDataObject>(count).fill({
		type: 'image',
		data: 'AAAA',
		mimeType: 'image/png',
	});
	const answer = readToolResult({ content }, { tool: 't', args: {}, splits: true });
	if (count <= 100) {
		expect(Object.keys(('files' in answer && answer.files) || {})).toHaveLength(count);
		return;
	}
	expect(answer).toEqual({
		...{ outcome: 'positive', record: {}, isAsItCame: true, response: { content } },
		reason: 'the answer has more than 100 files, so it is returned unchanged, in one item',
	});
});

test.each([
	['This requires authentication', 'question'],
	['Account suspended', 'question'],
	['Invalid API key.', 'account'],
	['Not enough credits', 'account'],
])('the error of a tool says %j about the %s', (text, scope) => {
	const result = { isError: true, content: [{ type: 'text', text }] };
	expect(readToolResult(result, { tool: 't', args: {}, splits: false })).toMatchObject({ scope });
});

test.each([
	'{"status":false,"message":"Insufficient credits for the next message","message_id":"wamid.12"}',
	'{"status":false,"error":"Message sent, but insufficient WA API credits for more"}',
	'{"batch_id":"3f3c0f4c","status":"processing","error":"Insufficient WA API credits."}',
	'{"status":true,"error":"Please recharge"}',
	'Message sent. Insufficient credits for the next one',
])('a tool that says that the work was done was not refused: %s', (text) => {
	for (const isError of [true, false]) {
		const result = { isError, content: [{ type: 'text', text }] };
		const read = readToolResult(result, { tool: 't', args: {}, splits: false });
		expect(read).not.toMatchObject({ scope: 'account' });
		if ('scope' in read) expect(read).toMatchObject({ mayHaveCost: true });
	}
});

test.each<[isError: unknown, isFailure: boolean]>([
	...([true, 'true', 1, 'yes'].map((flag) => [flag, true]) as Array<[unknown, boolean]>),
	...([false, 'false', 0, null, ''].map((flag) => [flag, false]) as Array<[unknown, boolean]>),
])('the error of a tool may have the flag %j: %p', (isError, isFailure) => {
	const result = { isError, content: [{ type: 'text', text: 'No' }] } as IDataObject;
	const read = readToolResult(result, { tool: 't', args: {}, splits: false });
	expect('scope' in read).toBe(isFailure);
});

describe('the health check', () => {
	let sandbox: Sandbox;
	beforeAll(async () => (sandbox = await startSandbox()));
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.reset());
	const check = async (fault?: FaultEffect) => {
		if (fault) sandbox.fault(fault);
		return await performed(sandbox, checkHealth, {});
	};

	test('says that the server is up', async () => {
		expect((await check()).answer).toMatchObject({
			outcome: 'positive',
			record: { healthy: true, status: 'ok' },
		});
		expect(sandbox.log).toMatchObject([{ method: 'GET', path: '/healthz' }]);
	});

	test.each<[FaultEffect, object]>([
		[
			{ kind: 'html', status: 200 },
			{ healthy: null, status: null },
		],
		[
			{ kind: 'body', body: 'OK' },
			{ healthy: true, status: 'OK' },
		],
		[{ kind: 'emptyBody' }, { healthy: true, status: null }],
		[
			{ kind: 'body', body: { status: true } },
			{ healthy: true, status: 'true' },
		],
		[
			{ kind: 'body', body: { status: 'unhealthy' } },
			{ healthy: false, status: 'unhealthy' },
		],
		[
			{ kind: 'body', body: { status: false } },
			{ healthy: false, status: 'false' },
		],
		[
			{ kind: 'status', status: 401, body: { error: 'Authentication required' } },
			{ healthy: true, status: 'Authentication required' },
		],
		[
			{ kind: 'status', status: 403, body: 'no' },
			{ healthy: true, status: null },
		],
		[
			{ kind: 'body', body: { ok: false } },
			{ healthy: false, status: null },
		],
		[{ kind: 'body', body: { error: 'database unreachable' } }, { healthy: false }],
		[{ kind: 'body', body: { state: 'OUT_OF_SERVICE' } }, { healthy: false }],
		[{ kind: 'body', body: { status: 'ok', message: 'All systems go' } }, { healthy: true }],
		[{ kind: 'body', body: { status: 'UNKNOWN' } }, { healthy: null }],
		[{ kind: 'body', body: 'no healthy upstream' }, { healthy: false }],
		[{ kind: 'status', status: 503 }, { healthy: false }],
		[{ kind: 'status', status: 404 }, { healthy: false }],
	])('reads %j', async (fault, record) => {
		const { answer } = await check(fault);
		expect(answer?.record).toMatchObject(record);
		const outcomes = new Map([
			[true, 'positive'],
			[false, 'negative'],
		]);
		expect(answer?.outcome).toBe(outcomes.get(answer?.record.healthy as boolean) ?? 'unknown');
		if (!answer?.record.healthy) expect(answer?.reason).toMatch(/\S/);
	});

	test('fails at a redirect', async () => {
		const { failure } = await check({ kind: 'redirect', to: 'http://127.0.0.1:1/' });
		expect(failure).toMatchObject({ cause: 'refused', status: 302 });
	});
});

describe('the arguments of a tool', () => {
	const form = (value: unknown, schema: unknown = []): Params => ({
		tool: 'a_tool',
		argumentsMode: 'fields',
		toolArguments: { mappingMode: 'defineBelow', value, schema },
	});
	const field = (id: string, type: string | undefined, more = {}) => ({
		...{ id, displayName: id, type, required: false, removed: false, display: true },
		...{ defaultMatch: false, ...more },
	});
	const read = (given: Params) => callTool.prepare(given);
	const argsOf = (given: Params) => (read(given) as { args: IDataObject }).args;

	test.each<[title: string, given: unknown, args: object]>([
		['text', ' {"a": 1, "b": [null]} ', { a: 1, b: [null] }],
		['an object', { a: { b: true } }, { a: { b: true } }],
		[
			'an object that looks like an answer',
			{ local: 'x', field: 'y', reason: 'z' },
			{ local: 'x', field: 'y', reason: 'z' },
		],
		[
			'integers that would be rounded',
			'{"id": 12345678901234567890}',
			{ id: '12345678901234567890' },
		],
		['empty text', '', {}],
		['nothing', null, {}],
		['undefined', undefined, {}],
	])('are read from %s', (_, argumentsJson, args) => {
		expect(read({ ...json('t'), argumentsJson: argumentsJson as string })).toEqual({
			tool: 't',
			args,
			splits: true,
		});
	});

	test.each<[given: unknown, reason: RegExp]>([
		['{"a": 1', /valid JSON/],
		['number=1', /valid JSON/],
		['[1]', /isn't a JSON object/],
		['null', /isn't a JSON object/],
		['"text"', /isn't a JSON object/],
		['7', /isn't a JSON object/],
		[[{ a: 1 }], /isn't a JSON object/],
		[7, /isn't a JSON object/],
		['{"a": [-1e400]}', /contains a value that JSON can't hold/],
		['{"__proto__": {"polluted": true}}', /"__proto__"/],
		['{"a": [{"b": {"__proto__": 1}}]}', /"__proto__"/],
		[JSON.parse('{"__proto__": 1}'), /"__proto__"/],
	])('are not read from %j, and nothing is sent', (argumentsJson, reason) => {
		expect(read({ ...json('t'), argumentsJson: argumentsJson as string })).toEqual({
			local: 'parameter',
			field: 'Arguments (JSON)',
			reason: expect.stringMatching(reason),
		});
		expect(({} as IDataObject).polluted).toBeUndefined();
	});

	test.each<[type: string | undefined, value: unknown, sent: unknown]>([
		['string', 'x', 'x'],
		['string', ' x ', ' x '],
		['string', 7, '7'],
		['string', { a: 1 }, '{"a":1}'],
		['number', 7, 7],
		['number', ' 7.5 ', 7.5],
		['number', '-.5', -0.5],
		['number', '1.2E+05', 120_000],
		['boolean', true, true],
		['boolean', 'False', false],
		['boolean', 0, false],
		['array', ['a'], ['a']],
		['array', '["a", 1]', ['a', 1]],
		['object', { a: 1 }, { a: 1 }],
		['object', '{"a": 1}', { a: 1 }],
		[undefined, [1], [1]],
	])('of type %s: %j is sent as %j', (type, value, sent) => {
		expect(argsOf(form({ x: value }, [field('x', type)]))).toEqual({ x: sent });
	});

	test.each<[type: string, value: unknown, reason: RegExp]>([
		['number', 'seven', /isn't a number/],
		['number', true, /isn't a number/],
		['number', 'Infinity', /isn't a number/],
		['number', '0x10', /isn't a number/],
		['number', '00442079460121', /isn't a number/],
		['number', '12345678901234567890', /more digits than a number can hold\. .* as JSON/],
		['boolean', 'maybe', /isn't true or false/],
		['array', 'a, b', /isn't a JSON array/],
		['array', '{"a": 1}', /isn't a JSON array/],
		['object', '[1]', /isn't a JSON object/],
		['object', '{', /isn't a JSON object/],
		['object', '{"__proto__": 1}', /__proto__/],
	])('of type %s: %j is refused', (type, value, reason) => {
		expect(read(form({ x: value }, [field('x', type)]))).toEqual({
			local: 'parameter',
			field: 'Argument "x"',
			reason: expect.stringMatching(reason),
		});
	});

	test('that are chosen from a list are sent as the list has them', () => {
		const options = [1, 'two', true].map((value) => ({ name: String(value), value }));
		const schema = [field('x', 'options', { options })];
		for (const [value, sent] of [
			['1', 1],
			[1, 1],
			['two', 'two'],
			['true', true],
		]) {
			expect(argsOf(form({ x: value }, schema))).toEqual({ x: sent });
		}
		expect(read(form({ x: 'three' }, schema))).toMatchObject({
			reason: "isn't one of 1, two, true",
		});
	});

	test('that are empty or removed are left out, unless the tool requires them', () => {
		const schema = [
			field('a', 'string'),
			field('b', 'number'),
			field('c', 'string', { removed: true }),
		];
		expect(argsOf(form({ a: '', b: null, c: 'x', d: 'kept' }, schema))).toEqual({ d: 'kept' });
		expect(argsOf(form(null, schema))).toEqual({});
		expect(argsOf({ tool: 't', argumentsMode: 'fields', toolArguments: null })).toEqual({});
		const required = { required: true };
		expect(argsOf(form({}, [field('a', 'boolean', required)]))).toEqual({ a: false });
		for (const value of [{}, { a: '' }, { a: null }, null]) {
			expect(read(form(value, [field('a', 'string', required)]))).toMatchObject({
				field: 'Argument "a"',
				reason: expect.stringMatching(/requires/),
			});
		}
	});

	test('never have a name that could change all objects', () => {
		const value: unknown = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}');
		expect(read(form(value, [field('a', 'number')]))).toMatchObject({ local: 'parameter' });
		expect(argsOf(form({ constructor: 'x', toString: 'y' }))).toEqual({
			constructor: 'x',
			toString: 'y',
		});
		expect(({} as IDataObject).polluted).toBeUndefined();
	});

	test.each([
		[{ mode: 'list', value: ' get_balance ' }, 'get_balance'],
		[{ mode: 'name', value: 'get_balance' }, 'get_balance'],
		['get_balance', 'get_balance'],
	])('are sent to the tool of %j', (tool, name) => {
		expect(read({ ...json('t'), tool })).toMatchObject({ tool: name });
	});

	test.each([{ mode: 'list', value: '' }, '', null, undefined, { value: null }, ['a']])(
		'are not sent for %j',
		(tool) => {
			expect(read({ ...json('t'), tool: tool as string })).toMatchObject({
				local: 'parameter',
				field: 'Tool',
			});
		},
	);
});

describe('the form of a tool', () => {
	const toolWith = (properties: object, required: string[] = [], more = {}) => ({
		name: 't',
		listed: {},
		inputSchema: { type: 'object', properties, required, ...more } as IDataObject,
	});
	const typesOf = (properties: object, more = {}) =>
		argumentFields(toolWith(properties, [], more)).map(({ type }) => type);

	test('has a field of the right kind for every argument', () => {
		expect(
			typesOf({
				a: { type: 'string' },
				b: { type: 'integer' },
				c: { type: 'number' },
				d: { type: 'boolean' },
				e: { type: 'array' },
				f: { type: 'object' },
				g: { enum: ['x', 'y'] },
				h: {},
				i: true,
				j: { type: ['string', 'null'] },
				k: { type: ['string', 'number'] },
				l: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
				m: { oneOf: [{ const: 'x' }, { const: 'y' }] },
				n: { properties: {} },
				o: { items: {} },
				p: { enum: [null] },
				q: { enum: [{ a: 1 }] },
			}),
		).toEqual([
			...[
				...['string', 'number', 'number', 'boolean', 'array', 'object', 'options', 'string'],
				...['string'],
			],
			...['string', 'string', 'number', 'options', 'object', 'array', 'string', 'string'],
		]);
	});

	test('follows references, but not without end', () => {
		const $defs = {
			Size: { type: 'integer', description: 'How big' },
			Loop: { $ref: '#/$defs/Loop' },
			Next: { allOf: [{ $ref: '#/$defs/Size' }] },
		};
		const properties = {
			a: { $ref: '#/$defs/Size' },
			b: { $ref: '#/$defs/Next' },
			c: { $ref: '#/$defs/Loop' },
			d: { $ref: '#/$defs/None' },
			e: { $ref: 'https://schemas.example/size' },
			f: { $ref: '#/__proto__/x' },
			constructor: { type: 'constructor' },
		};
		expect(typesOf(properties, { $defs })).toEqual([
			...['number', 'number', 'string', 'string', 'string', 'string', 'string'],
		]);
	});

	test('says what each argument is, which are required, and which defaults they have', () => {
		const fields = argumentFields(
			toolWith(
				{
					a: { type: 'string', description: 'First\n  line' },
					b: { type: 'boolean', default: true },
					c: { enum: ['x', 2], title: 'Third' },
					d: { type: 'string', description: 'long '.repeat(50), default: { a: 1 } },
				},
				['a'],
			),
		);
		expect(fields).toEqual([
			expect.objectContaining({
				id: 'a',
				displayName: 'a – First line',
				required: true,
				removed: false,
			}),
			expect.objectContaining({
				id: 'b',
				displayName: 'b',
				required: false,
				removed: true,
				defaultValue: true,
			}),
			expect.objectContaining({
				displayName: 'c – Third',
				options: [
					{ name: 'x', value: 'x' },
					{ name: '2', value: 2 },
				],
			}),
			expect.not.objectContaining({ defaultValue: expect.anything() }),
		]);
		expect(fields[3].displayName).toMatch(/^d – .{100,}…$/);
	});

	test('leaves out names that n8n would run as an expression, and says so', () => {
		const fields = argumentFields(
			toolWith({
				a: { enum: ['x', '={{ $env }}', 'y {{ $env }}'], default: 'x' },
				b: { enum: ['={{ $env }}'], description: '={{ $env }}' },
				c: { type: 'string', default: '=1' },
				d: { type: 'string', default: 'a = b', description: 'Plain' },
			}),
		);
		const told = /JSON takes them\)$/;
		expect(fields).toMatchObject([
			{ type: 'options', options: [{ value: 'x' }], defaultValue: 'x' },
			{ type: 'string' },
			{ type: 'string' },
			{ displayName: 'd – Plain', defaultValue: 'a = b' },
		]);
		expect(fields.slice(0, 3).map(({ displayName }) => told.test(displayName))).toEqual(
			Array(3).fill(true),
		);
		expect(fields.flatMap(({ options, defaultValue }) => [options, defaultValue])).toEqual([
			...[[{ name: 'x', value: 'x' }], 'x', undefined, undefined, undefined, undefined],
			...[undefined, 'a = b'],
		]);
	});

	test.each([
		[{}, ''],
		[{ type: 'object' }, ''],
		[{ properties: [] }, ''],
		[{ properties: { a: {} }, required: 'a' }, 'a (any)'],
		[{ properties: { a: { type: 'string' } }, required: ['a'] }, 'a (string, required)'],
	])('of %j reads "%s"', (inputSchema, line) => {
		const tool = { name: 't', listed: {}, inputSchema };
		expect(describeArguments(tool)).toBe(line);
		expect(argumentFields(tool)).toHaveLength(line === '' ? 0 : 1);
	});
});

describe('a result of very many texts', () => {
	const parse = jest.spyOn(JSON, 'parse');
	afterAll(() => parse.mockRestore());
	const BLOCKS = 30_000;

	test.each<[what: string, text: string, most: number]>([
		['that are plain', 'a', 0],
		['that look like JSON', '[', 10_000],
		['that are JSON', '{"a":1}', 10_000],
	])('%s is parsed a limited number of times, and no text is lost', (_, text, most) => {
		for (const isError of [false, true]) {
			const content = Array.from({ length: BLOCKS }, () => ({ type: 'text', text }));
			parse.mockClear();
			const read = readToolResult({ content, isError }, { tool: 't', args: {}, splits: false });
			expect(parse.mock.calls.length).toBeLessThanOrEqual(most);
			if ('scope' in read) continue;
			const { result, text: rest } = read.record;
			const lines = typeof rest === 'string' ? rest.split('\n').length : 0;
			expect((Array.isArray(result) ? result.length : 0) + lines).toBe(BLOCKS);
		}
	});

	test('that are JSON with very many objects together remains text', () => {
		const text = `[${'{},'.repeat(6_000)}{}]`;
		const of = (count: number) => ({ content: Array(count).fill({ type: 'text', text }) });
		const call = { tool: 't', args: {}, splits: false };
		expect(readToolResult(of(1), call)).toMatchObject({ record: { result: { length: 6_001 } } });
		expect(readToolResult(of(2), call)).toMatchObject({
			record: { result: null, text: `${text}\n${text}` },
		});
	});
});
