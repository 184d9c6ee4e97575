import type { IDataObject } from 'n8n-workflow';
import { type AnyOperation, isFailed, isLocalAnswer, type Params } from '../../engine';
import { callTool } from '../../../nodes/LookupMessaging/operations/toolServer/callTool';
import { checkHealth } from '../../../nodes/LookupMessaging/operations/toolServer/checkHealth';
import { listTools } from '../../../nodes/LookupMessaging/operations/toolServer/listTools';
import { readToolResult } from '../../../nodes/LookupMessaging/operations/toolServer/toolResult';
import {
	argumentFields,
	describeArguments,
} from '../../../nodes/LookupMessaging/operations/toolServer/toolSchema';
import type { FaultEffect } from '../../sandbox';
import { performInSandbox, type SandboxClientOptions } from '../fakes/fakeClient';
import { sandboxOfTests } from '../fakes/sandboxOfTests';

const json = (tool: string, args: unknown = {}): Params => ({
	tool: { mode: 'list', value: tool },
	argumentsMode: 'json',
	argumentsJson: typeof args === 'string' ? args : JSON.stringify(args),
});

const read = (result: object, splits = false) =>
	readToolResult(result as IDataObject, { tool: 't', args: { q: 1 }, splits });
const said = (...texts: string[]) => ({ content: texts.map((text) => ({ type: 'text', text })) });

describe('on the sandbox', () => {
	const sandbox = sandboxOfTests({ auditSeconds: 0 });

	async function performed(
		operation: AnyOperation,
		given: Params = {},
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
	const declared = (operation: AnyOperation) => operation.output.map(({ name }) => name).sort();

	const number = '+12025550102';
	test.each<[tool: string, args: object, debits: object, result: object]>([
		['check_whatsapp_number', { number }, { whatsapp: 1 }, { whatsapp: true }],
		['verify_email', { email: 'a@mail.example' }, { email: 1 }, { verdict: 'deliverable' }],
		['get_balance', {}, {}, { status: true }],
		['get_microblog_post', { post_url: 'https://x.example/1' }, { scraper: 1 }, {}],
	])('%s %j is called once and has its price', async (tool, args, debits, result) => {
		const { answer } = await performed(callTool, json(tool, args));
		const record = { tool, text: null, links: null, result };
		expect(answer).toMatchObject({ outcome: 'positive', record });
		expect(Object.keys(answer!.record).sort()).toEqual(declared(callTool));
		expect(answer?.response).toMatchObject({ structuredContent: result });
		const spent = Object.entries(sandbox.spent(sandbox.keys.main)).filter(([, n]) => n !== 0);
		expect(Object.fromEntries(spent)).toEqual(debits);
		expect(sandbox.log.filter(({ charged }) => charged > 0)).toHaveLength(spent.length);
	});

	test.each<[tool: string, args: object, failure: object, key?: string]>([
		['verify_email', { email: 'a@b.example' }, { scope: 'account' }, 'wrong'],
		['search_forum', { query: 'upstream-failure' }, { refusal: { mayHaveCost: true } }],
		['verify_email', { mail: 1 }, { reason: expect.stringMatching(/Invalid arguments/) }],
		['nope', {}, { reason: expect.stringMatching(/-32602: Unknown tool: nope$/) }],
	])('%s %j is refused in the words of the server, free', async (...[tool, args, failure, key]) => {
		const result = await performed(callTool, json(tool, args), key ? { key } : {});
		expect(result.failure).toMatchObject({ cause: 'refused', scope: 'question', ...failure });
		expect(sandbox.log.filter(({ charged }) => charged > 0)).toEqual([]);
	});

	test('List Tools returns each tool with its arguments', async () => {
		const rows = Array.from((await performed(listTools)).answer?.rows ?? []);
		expect(rows).toHaveLength(19);
		for (const { record } of rows) expect(Object.keys(record).sort()).toEqual(declared(listTools));
		expect(rows.map(({ record }) => record)).toContainEqual({
			...{ name: 'list_whatsapp_batches', title: null, description: expect.any(String) },
			argumentList: 'status (processing | completed), limit (integer)',
			...{ inputSchema: expect.objectContaining({ type: 'object' }), outputSchema: null },
		});
		expect(rows[0].response).toMatchObject({ name: 'check_whatsapp_number', inputSchema: {} });
	});

	const status = (code: number, body?: object | string): FaultEffect => ({
		...{ kind: 'status', status: code },
		...(body !== undefined && { body }),
	});
	const body = (content: object | string): FaultEffect => ({ kind: 'body', body: content });
	test.each<[FaultEffect | undefined, healthy: boolean | null, status?: string | null]>([
		[undefined, true, 'ok'],
		[{ kind: 'html', status: 200 }, null, null],
		[{ kind: 'emptyBody' }, true, null],
		[body({ ok: false }), false, null],
		[body({ status: 'unhealthy' }), false, 'unhealthy'],
		[status(401, { error: 'Authentication required' }), true, 'Authentication required'],
		[body({ state: 'OUT_OF_SERVICE' }), false],
		[body({ scope: 'account', failure: 'none' }), true, null],
		[body({ status: 'UNKNOWN' }), null],
		[body('no healthy upstream'), false],
		...[404, 500].map((code): [FaultEffect, boolean] => [status(code), false]),
	])('the health check reads %j: %p', async (...[fault, healthy, words]) => {
		if (fault) sandbox.fault(fault);
		const { answer } = await performed(checkHealth);
		expect(answer?.record).toMatchObject({
			...{ healthy, ...(words !== undefined && { status: words }) },
		});
		const outcome = healthy === null ? 'unknown' : healthy ? 'positive' : 'negative';
		expect(answer?.outcome).toBe(outcome);
		if (!healthy) expect(answer?.reason).toMatch(/\S/);
		expect(sandbox.log[0]).toMatchObject({ method: 'GET', path: '/healthz' });
	});

	test('the health check fails at a redirect', async () => {
		sandbox.fault({ kind: 'redirect', to: 'http://127.0.0.1:1/' });
		const failure = { cause: 'refused', status: 302 };
		expect(await performed(checkHealth)).toMatchObject({ failure });
	});
});

describe('a result of a tool', () => {
	test.each<[result: object, record: object]>([
		[said('Hello', 'world'), { result: null, text: 'Hello\nworld' }],
		[said('42'), { result: null, text: '42' }],
		[said('{"a":1,"error":"none"}'), { result: { a: 1, error: 'none' }, text: null }],
		[said('[]'), { result: [], text: null }],
		[said(), { result: null, text: null }],
		[
			{ ...said('two'), structuredContent: { total: 2, result: [{ n: 1 }] } },
			{ result: { total: 2, result: [{ n: 1 }] }, text: 'two' },
		],
		[said('{"id":12345678901234567890}'), { result: { id: '12345678901234567890' } }],
	])('%j is one item', (result, record) => {
		const answer = read(result, true);
		expect(answer).toMatchObject({ outcome: 'positive', record: { links: null, ...record } });
		expect([Reflect.get(answer, 'rows'), Reflect.get(answer, 'files')]).toEqual([
			...[undefined, undefined],
		]);
	});

	test.each<[result: object, count: number, text: string | null]>([
		[said('[{"n":1},{"n":2},{"n":3}]'), 3, null],
		[said('{"n":1}', '{"n":2}', 'and that was it'), 2, 'and that was it'],
		[
			{
				...said('two'),
				structuredContent: { ok: true, error: null, result: [{ n: 1 }, { n: 2 }] },
			},
			...([2, 'two'] as const),
		],
	])('%j is one item per entry, with the text in the first', (result, count, text) => {
		const answer = read(result, true);
		const entries = Array.from({ length: count }, (_, index) => ({ n: index + 1 }));
		expect(Array.from(('rows' in answer && answer.rows) || [])).toEqual(
			entries.map((entry, index) => ({
				...{ outcome: 'positive', response: entry },
				record: { tool: 't', result: entry, ...(index === 0 && { text, links: null }) },
			})),
		);
		expect(read(result)).not.toHaveProperty('rows');
	});

	test('may have files, texts and links', () => {
		const url = 'https://files.example';
		const link = { uri: `${url}/b.csv`, name: 'b', mimeType: 'text/csv' };
		const report = { uri: `${url}/a/report.pdf?x=1`, mimeType: 'application/pdf' };
		const notes = { uri: 'file:///notes.txt', mimeType: 'text/plain' };
		const content = [
			{ type: 'text', text: 'A picture and more' },
			{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
			{ type: 'audio', data: 'BBBB', mimeType: 'audio/x-wav' },
			{ type: 'resource', resource: { ...report, blob: 'CCCC' } },
			{ type: 'resource', resource: { ...notes, text: 'Some notes' } },
			{ type: 'resource_link', ...link },
		];
		expect(read({ content })).toMatchObject({
			files: {
				data: { base64: 'AAAA', mimeType: 'image/png', fileName: 'image.png' },
				data_1: { base64: 'BBBB', mimeType: 'audio/x-wav', fileName: 'audio.wav' },
				data_2: { base64: 'CCCC', mimeType: 'application/pdf', fileName: 'report.pdf' },
			},
			record: { text: 'A picture and more\nSome notes', links: [report, notes, link] },
		});
	});

	test.each<[result: object, scope: string, reason: RegExp]>([
		[said('The pump is broken'), 'question', /^The pump is broken$/],
		[said('{"status":false,"error":"Insufficient phone API credits."}'), 'account', /credits/],
		[said(), 'question', /gave no reason/],
		[said('This requires authentication'), 'question', /./],
		[said('Invalid API key.'), 'account', /./],
	])('%j may be marked as an error, about the %s', (result, scope, reason) => {
		for (const isError of [true, 'true', 1, 'yes']) {
			expect(read({ isError, ...result })).toEqual({
				...{ scope, mayHaveCost: scope === 'question' },
				reason: expect.stringMatching(reason),
			});
		}
		for (const isError of [false, 'false', 0, null, ''])
			expect(read({ ...said('No'), isError })).not.toHaveProperty('scope');
	});

	const TASK = /started a background task \("t1"\), which this node doesn't support/;
	test.each([
		[{ resultType: 'input_required', inputRequests: {} }, /asks for more input/],
		[{ task: { taskId: 't1', status: 'working' } }, TASK],
		[{ taskId: 't1', status: 'working' }, TASK],
	])('may be none yet, and the call may have been charged: %j', (result, words) => {
		const reason = expect.stringMatching(words) as string;
		expect(read(result)).toEqual({ scope: 'question', reason, isOwn: true, mayHaveCost: true });
	});
});

describe('a result of a tool that has the failure of its call', () => {
	/** As servers pass on a reply: as text, as structured content, and as text or an object in a field of it. */
	const formsOf = (body: IDataObject): IDataObject[] => {
		const text = JSON.stringify(body);
		return [
			...[said(text), { ...said(text), structuredContent: {} }],
			...[body, { result: text }, { result: body }].map((structuredContent) => ({
				...{ content: [], structuredContent },
			})),
		];
	};
	const NO_POST = 'No such post';
	const failed = { status: false, error: NO_POST };

	test.each<[body: object, expected: object, reason?: RegExp]>([
		...[
			...[failed, [failed], { status: 404, body: { message: NO_POST } }],
			...[
				{ ok: false, detail: NO_POST },
				{ failed: true, reason: NO_POST },
			],
			...[
				{ data: null, errors: [NO_POST] },
				{ tool: 't', output: failed },
			],
			...[{ status: 200, data: JSON.stringify(failed) }, { error_message: NO_POST }],
			{ status: true, error: `${NO_POST}. Please recharge` },
		].map((body): [object, object, RegExp] => [body, { outcome: 'unknown' }, /No such post/]),
		[{ success: false, data: [{ a: 1 }] }, { outcome: 'unknown' }, /gave no reason/],
		[{ status: false, error: 'Invalid API key.' }, { scope: 'account' }, /key/],
		...[
			{ status: 200, data: { status: false, error: 'Please recharge' } },
			...[
				{ status_code: 401, body: { detail: 'No.' } },
				{ statusCode: 402, message: 'Sorry' },
			],
			...[{ code: 401, message: 'Unauthorized' }, { message: 'Invalid API key.' }],
			...[{ detail: 'Insufficient credits' }, { detail: 'Invalid token.' }],
		].map((body): [object, object, RegExp] => [body, { scope: 'account' }, /./]),
		...[
			...[{ code: 404, city: 'Rome' }, { data: { status: false, ip: '8.8.8.8' } }, { data: [] }],
			...[{ status: 650, message: 'ok' }, { message: 'Sent' }, { status: true, error: null }],
			{ status: true, message: 'Request accepted, 0 credits remaining' },
			...[{ title: 'Invalid API key', score: 3 }, { errors: [], data: 1 }, { valid: false }],
		].map((body): [object, object] => [body, { outcome: 'positive' }]),
	])('is read alike in any form: %j', (...[body, expected, reason]) => {
		for (const form of formsOf(body as IDataObject)) {
			const answer = read(form, true);
			expect(answer).toMatchObject(expected);
			if (reason) expect(answer.reason).toMatch(reason);
			if ('record' in answer) expect(answer.record.result).toEqual(body);
		}
	});

	test.each([
		[{ isError: true, ...said(NO_POST) }, { mayHaveCost: true }],
		[said('{"found":true}'), { record: { result: { found: true } } }],
	])('may be within a result: %j', (inner, expected) => {
		expect(read(said(JSON.stringify(inner)), true)).toMatchObject(expected);
	});
});

describe('a text alone', () => {
	const forms = (text: string) => [
		read(said(text), true),
		read({ content: [], structuredContent: { result: text } }, true),
	];

	test.each([
		...['Authentication required. Pass your API key in the header', 'Error: Invalid API key.'],
		...['HTTP 401: {"status":false}', 'Unauthorized', 'API key is required', 'Unauthenticated.'],
		...['Insufficient email API credits.', 'Error calling API: 402 Payment Required'],
		`Client error '401 Unauthorized' for url 'https://a.example/${'x'.repeat(300)}'`,
		...['Please provide your API key via the Authorization header', '**Error:** Invalid API key.'],
	])('of a refused account ends the run: %s', (text) => {
		for (const answer of forms(text)) expect(answer).toMatchObject({ scope: 'account' });
	});

	test.each([
		...['Error: Request failed with status code 500', 'Internal Server Error', 'fetch failed'],
		...["Input validation error: 'number' is a required property", 'Unknown tool: check_whatsapp'],
		...['Error: connect ECONNREFUSED 127.0.0.1:80', '<html><body>502 Bad Gateway</body></html>'],
		`HTTPStatusError: Server error '502 Bad Gateway' for url 'https://a.example/${'x'.repeat(200)}'`,
		...['Error 500: {"data":null}', 'You have no credits left.', 'Credit balance too low.'],
		`Failed to send the message: HTTP 503 after 3 tries. ${'It was not delivered. '.repeat(9)}`,
		// What somebody wrote may look alike
		'Title: "Invalid API key" error when I call the model',
		'This tool requires authentication. Connect with a key',
	])('of a failed call is unknown, and shown: %s', (text) => {
		for (const answer of forms(text)) {
			expect(answer).toMatchObject({ outcome: 'unknown' });
			if ('record' in answer) expect(answer.record.text ?? answer.record.result).not.toBeNull();
		}
	});

	test.each([
		...['WhatsApp credits: 0\nEmail credits: 12', '402 posts found about coffee', 'Message queued'],
		...[
			'Status: INVALID',
			'Valid: No\nError: None',
			'Total: 10, Failed: 0',
			'Errors: 0, total: 10',
		],
		...['500 credits remaining', '+44 7911 123456 is valid. 0 credits left.'],
		`What to do on an error: ${'a long story. '.repeat(20)}`,
	])('of anything else is the result: %s', (text) => {
		for (const answer of forms(text)) expect(answer).toMatchObject({ outcome: 'positive' });
	});

	test.each([
		...['{"a":1}', ' [{"a":1}]', 'Result:\n{"a":1}'],
		...['```json\n{"a":1}\n```', 'It is: ```{"a":1}```'],
	])('may hold JSON: %j', (text) => {
		const answer = read(said(text));
		expect(answer).toMatchObject({ outcome: 'positive', record: { text: null } });
		expect('record' in answer && [answer.record.result].flat()).toEqual([{ a: 1 }]);
	});

	test.each([
		'{"status":false,"message":"Insufficient credits for the next message","message_id":"wamid.12"}',
		'{"batch_id":"3f3c0f4c","status":"processing","error":"Insufficient WA API credits."}',
		'Message sent. Insufficient credits for the next one',
	])('that says that the work was done is no refusal: %s', (text) => {
		expect(read({ ...said(text), isError: true })).toMatchObject({
			...{ scope: 'question', mayHaveCost: true },
		});
		expect(read(said(text))).toHaveProperty('outcome');
	});
});

describe('files of a result', () => {
	const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };

	test('make a text beside them the result, whatever it says', () => {
		const content = [...said('Error: Operation failed').content, image];
		expect(read({ content })).toMatchObject({ outcome: 'positive' });
	});

	test.each([100, 101, 20_000])('are 100 at most, or it is returned unchanged: %d', (count) => {
		const content = Array<IDataObject>(count).fill(image);
		const answer = read({ content }, true);
		const files = Object.keys(('files' in answer && answer.files) || {});
		expect(files).toHaveLength(count > 100 ? 0 : count);
		if (count <= 100) return;
		expect(answer).toEqual({
			...{ outcome: 'positive', record: {}, isAsItCame: true, response: { content } },
			reason: 'the answer has more than 100 files, so it is returned unchanged, in one item',
		});
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
	const prepare = (given: Params) => callTool.prepare(given);
	const argsOf = (given: Params) => (prepare(given) as { args: IDataObject }).args;
	const ofJson = (argumentsJson: unknown) =>
		prepare({ ...json('t'), argumentsJson: argumentsJson as string });

	const LIKE_AN_ANSWER = { local: 'x', field: 'y', reason: 'z' };
	test.each<[given: unknown, args: object]>([
		[' {"a": 1, "b": [null]} ', { a: 1, b: [null] }],
		[LIKE_AN_ANSWER, LIKE_AN_ANSWER],
		['{"id": 12345678901234567890}', { id: '12345678901234567890' }],
		['{"constructor": {"toString": 1}}', { constructor: { toString: 1 } }],
		...['', null, undefined].map((nothing): [unknown, object] => [nothing, {}]),
	])('are read from %j', (argumentsJson, args) => {
		expect(ofJson(argumentsJson)).toEqual({ tool: 't', args, splits: true, isFree: false });
	});

	test.each<[given: unknown, reason: RegExp]>([
		['{"a": 1', /valid JSON/],
		['number=1', /valid JSON/],
		...['[1]', 'null', '"text"', '7', [{ a: 1 }], 7].map((given): [unknown, RegExp] => [
			...([given, /isn't a JSON object/] as const),
		]),
		['{"a": [-1e400]}', /contains a value that JSON can't hold/],
		['{"__proto__": {"polluted": true}}', /"__proto__"/],
		[JSON.parse('{"__proto__": 1}'), /"__proto__"/],
	])('are not read from %j, and nothing is sent', (argumentsJson, reason) => {
		expect(ofJson(argumentsJson)).toEqual({
			...{ local: 'parameter', field: 'Arguments (JSON)' },
			reason: expect.stringMatching(reason),
		});
		expect(({} as IDataObject).polluted).toBeUndefined();
	});

	test.each<[type: string | undefined, values: unknown[], sent: unknown[]]>([
		['string', ['x', ' x ', 7, { a: 1 }], ['x', ' x ', '7', '{"a":1}']],
		['number', [7, ' 7.5 ', '-.5', '1.2E+05'], [7, 7.5, -0.5, 120_000]],
		['boolean', [true, 'False', 0], [true, false, false]],
		['array', [['a'], '["a", 1]'], [['a'], ['a', 1]]],
		['object', [{ a: 1 }, '{"a": 1}'], Array(2).fill({ a: 1 })],
		[undefined, [[1]], [[1]]],
	])('of type %s: %j are sent as %j', (type, values, sent) => {
		const args = values.map((x) => argsOf(form({ x }, [field('x', type)])));
		expect(args).toEqual(sent.map((x) => ({ x })));
	});

	test.each<[type: string, values: unknown[], reason: RegExp]>([
		['number', ['seven', true, 'Infinity', '0x10', '00442079460121'], /isn't a number/],
		['number', ['12345678901234567890'], /more digits than a number can hold\. .* as JSON/],
		['boolean', ['maybe'], /isn't true or false/],
		['array', ['a, b', '{"a": 1}'], /isn't a JSON array/],
		['object', ['[1]', '{'], /isn't a JSON object/],
		['object', ['{"__proto__": 1}'], /__proto__/],
	])('of type %s: %j are refused', (type, values, words) => {
		const reason = expect.stringMatching(words) as string;
		for (const x of values) {
			const problem = { local: 'parameter', field: 'Argument "x"', reason };
			expect(prepare(form({ x }, [field('x', type)]))).toEqual(problem);
		}
	});

	test('that are chosen from a list are sent as the list has them', () => {
		const options = [1, 'two', true].map((value) => ({ name: String(value), value }));
		const schema = [field('x', 'options', { options })];
		const sent = ['1', 1, 'two', 'true'].map((value) => argsOf(form({ x: value }, schema)).x);
		expect(sent).toEqual([1, 1, 'two', true]);
		const reason = "isn't one of 1, two, true";
		expect(prepare(form({ x: 'three' }, schema))).toMatchObject({ reason });
	});

	test('that are empty or removed are left out, unless the tool requires them', () => {
		const removed = field('c', 'string', { removed: true });
		const schema = [field('a', 'string'), field('b', 'number'), removed];
		expect(argsOf(form({ a: '', b: null, c: 'x', d: 'kept' }, schema))).toEqual({ d: 'kept' });
		expect(argsOf(form(null, schema))).toEqual({});
		expect(argsOf({ tool: 't', argumentsMode: 'fields', toolArguments: null })).toEqual({});
		const required = { required: true };
		expect(argsOf(form({}, [field('a', 'boolean', required)]))).toEqual({ a: false });
		for (const value of [{}, { a: '' }, { a: null }, null]) {
			const read = prepare(form(value, [field('a', 'string', required)]));
			const reason = expect.stringMatching(/requires/) as string;
			expect(read).toMatchObject({ field: 'Argument "a"', reason });
		}
	});

	test('never have a name that could change all objects', () => {
		const value: unknown = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}');
		expect(prepare(form(value, [field('a', 'number')]))).toMatchObject({ local: 'parameter' });
		const inherited = { constructor: 'x', toString: 'y' };
		expect(argsOf(form(inherited))).toEqual(inherited);
		expect(({} as IDataObject).polluted).toBeUndefined();
	});

	test('are sent to the tool that is chosen or named, and not without one', () => {
		const toolOf = (tool: unknown) => prepare({ ...json('t'), tool: tool as string });
		for (const tool of [{ mode: 'list', value: ' a ' }, { mode: 'name', value: 'a' }, 'a'])
			expect(toolOf(tool)).toMatchObject({ tool: 'a' });
		for (const none of [{ mode: 'list', value: '' }, '', null, undefined, { value: null }, ['a']])
			expect(toolOf(none)).toMatchObject({ local: 'parameter', field: 'Tool' });
	});
});

describe('the form of a tool', () => {
	const toolWith = (properties: object, required: string[] = [], more = {}) => ({
		name: 't',
		listed: {},
		inputSchema: { type: 'object', properties, required, ...more } as IDataObject,
	});
	const typesOf = (properties: object, more = {}) =>
		argumentFields(toolWith(properties, [], more)).map(({ type }) => type);

	test.each<[type: string, schemas: unknown[]]>([
		['string', [{ type: 'string' }, {}, true, { type: ['string', 'null'] }]],
		['string', [{ type: ['string', 'number'] }, { enum: [null] }, { enum: [{ a: 1 }] }]],
		['number', [{ type: 'integer' }, { type: 'number' }]],
		['number', [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }]],
		['boolean', [{ type: 'boolean' }]],
		['array', [{ type: 'array' }, { items: {} }]],
		['object', [{ type: 'object' }, { properties: {} }]],
		['options', [{ enum: ['x', 'y'] }, { oneOf: [{ const: 'x' }, { const: 'y' }] }]],
	])('has a field of the type %s for %j', (type, schemas) => {
		expect(typesOf({ ...schemas })).toEqual(schemas.map(() => type));
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
		const properties = {
			a: { type: 'string', description: 'First\n  line' },
			b: { type: 'boolean', default: true },
			c: { enum: ['x', 2], title: 'Third' },
			d: { type: 'string', description: 'long '.repeat(50), default: { a: 1 } },
		};
		const fields = argumentFields(toolWith(properties, ['a']));
		const options = ['x', 2].map((value) => ({ name: String(value), value }));
		expect(fields).toMatchObject([
			{ id: 'a', displayName: 'a – First line', required: true, removed: false },
			{ id: 'b', displayName: 'b', required: false, removed: true, defaultValue: true },
			{ displayName: 'c – Third', options },
			{ displayName: expect.stringMatching(/^d – .{100,}…$/) },
		]);
		expect(fields[3]).not.toHaveProperty('defaultValue');
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
		const displayName = expect.stringMatching(/JSON takes them\)$/) as string;
		const fieldsShown = fields.map(({ type, options, defaultValue, ...field }) => ({
			...{ type, options, defaultValue, displayName: field.displayName },
		}));
		expect(fieldsShown).toEqual([
			{ type: 'options', options: [{ name: 'x', value: 'x' }], defaultValue: 'x', displayName },
			{ type: 'string', displayName },
			{ type: 'string', displayName },
			{ type: 'string', displayName: 'd – Plain', defaultValue: 'a = b' },
		]);
	});

	test.each([
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
	const BLOCKS = 12_000;

	test.each<[what: string, text: string, most: number]>([
		['that are plain', 'a', 0],
		['that look like JSON', '[', 10_000],
		['that are JSON', '{"a":1}', 10_000],
	])('%s is parsed a limited number of times, and no text is lost', (_, text, most) => {
		for (const isError of [false, true]) {
			const content = Array.from({ length: BLOCKS }, () => ({ type: 'text', text }));
			parse.mockClear();
			const answer = read({ content, isError });
			expect(parse.mock.calls.length).toBeLessThanOrEqual(most);
			if ('scope' in answer) continue;
			const { result, text: rest } = answer.record as { result: unknown[] | null; text?: string };
			expect((result?.length ?? 0) + (rest?.split('\n').length ?? 0)).toBe(BLOCKS);
		}
	});

	test('that are JSON with very many objects together remains text', () => {
		const text = `[${'{},'.repeat(6_000)}{}]`;
		const of = (count: number) => ({ content: Array(count).fill({ type: 'text', text }) });
		expect(read(of(1))).toMatchObject({ record: { result: { length: 6_001 } } });
		expect(read(of(2))).toMatchObject({ record: { result: null, text: `${text}\n${text}` } });
	});
});
