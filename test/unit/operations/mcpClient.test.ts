/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import type { ServerResponse } from 'node:http';

import type { IDataObject } from 'n8n-workflow';
import { catchFailed, type Credits, isFailed, type Refusal } from '../../engine';
import { exchangeOf } from '../../../nodes/LookupMessaging/operations/toolServer/conversation';
import {
	callTool,
	checkHealth,
	listTools,
} from '../../../nodes/LookupMessaging/operations/toolServer/mcpClient';
import {
	startToolServer,
	type InsteadReply,
	type SeenRequest,
	type ToolServer,
	type ToolServerOptions,
} from '../../harness/toolServers';
import { clientOver } from '../fakes/fakeClient';
import { fetchTransport } from '../fakes/fetchTransport';

let server: ToolServer;
afterEach(async () => await server?.close());
const start = async (options?: ToolServerOptions) => (server = await startToolServer(options));

/** The transport to the server, which is at no other base URL. */
const transport = (path = '') => {
	const roots = { baseUrl: '', lookupUrl: '', geoipUrl: '', mcpUrl: `${server.url}${path}` };
	return fetchTransport({ roots }, 'a-key', {}, logged);
};
const CREDITS: Credits = { balance: 'tool server', cost: 'not stated' };
const read = (result: IDataObject): IDataObject | Refusal =>
	result.isError ? { scope: 'question', reason: 'it failed' } : result;

const logged: string[] = [];
beforeEach(() => void logged.splice(0));

/** Works with a client, and closes it as a run closes its network. */
const inRun = async <Value>(work: (client: ReturnType<typeof clientOver>) => Promise<Value>) => {
	const client = clientOver(transport());
	const value = await catchFailed(async () => await work(client));
	await client.close();
	return value;
};
const callWith = async (client: ReturnType<typeof clientOver>, name: string, args = {}) =>
	await catchFailed(async () => await callTool(client, name, args, { credits: CREDITS, read }));
const call = async (name: string, args = {}) =>
	await inRun(async (client) => await callWith(client, name, args));

const MODES = (['json', 'sse'] as const).flatMap((responses) =>
	[false, true].map((sessions) => ({ responses, sessions })),
);
const HANDSHAKE = ['POST /mcp initialize', 'POST /mcp notifications/initialized'];
const CALL = 'POST /mcp tools/call';
const END = 'DELETE /mcp';

describe.each(MODES)('a server of the official SDK, $responses, sessions $sessions', (mode) => {
	const ending = mode.sessions ? [END] : [];

	test('gets one handshake for all calls of a run, and each tool runs once', async () => {
		await start(mode);
		await inRun(async (client) => {
			const texts = ['one', 'two', 'three'];
			const answers = texts.map(async (text) => await callWith(client, 'echo', { text }));
			expect(await Promise.all(answers)).toMatchObject(
				texts.map((text) => ({ structuredContent: { said: { text, loud: false } } })),
			);
		});
		expect(server.lines()).toEqual([...HANDSHAKE, CALL, CALL, CALL, ...ending]);
		expect(server.ran).toEqual(['echo', 'echo', 'echo']);
		expect(server.openSessions()).toBe(0);
	});

	test('receives the protocol version and the session in every request', async () => {
		await start(mode);
		await call('words');
		const sessions = new Set<unknown>();
		for (const { method, headers, rpc } of server.log) {
			const isFirst = rpc === 'initialize';
			expect(headers.accept).toBe('application/json, text/event-stream');
			expect(headers['mcp-protocol-version']).toBe(isFirst ? undefined : '2025-11-25');
			if (!isFirst || method !== 'POST') sessions.add(headers['mcp-session-id']);
		}
		expect([...sessions]).toEqual([mode.sessions ? expect.any(String) : undefined]);
	});

	test('sees no request ID twice in a session', async () => {
		await start(mode);
		await inRun(async (client) => [
			await callWith(client, 'words'),
			await listTools(client),
			await callWith(client, 'words'),
		]);
		const ids = server.log.flatMap(({ message }) =>
			message?.id === undefined ? [] : [message.id],
		);
		expect(ids).toEqual([1, 2, 3, 4]);
	});

	test('lists its tools', async () => {
		await start(mode);
		const tools = await inRun(listTools);
		if (isFailed(tools)) throw new Error(tools.failure.reason);
		expect(tools.length).toBeGreaterThan(10);
		expect(tools[0]).toMatchObject({
			name: 'echo',
			title: 'Echo',
			inputSchema: { type: 'object', required: ['text'] },
			outputSchema: { type: 'object' },
			listed: { name: 'echo' },
		});
		expect(server.openSessions()).toBe(0);
	});

	test.each([
		['a tool that fails', 'fails', 1],
		['a tool whose error names sessions', 'talksOfSessions', 1],
		['a tool that it does not have', 'nope', 0],
		['arguments that the tool does not take', 'echo', 0],
	])('is asked for %s once, and the session is ended', async (_, name, runs) => {
		await start(mode);
		expect(await call(name)).toMatchObject({ failure: { cause: 'refused', scope: 'question' } });
		expect(server.ran).toHaveLength(runs);
		expect(server.lines().filter((line) => line === CALL)).toHaveLength(1);
		expect(server.openSessions()).toBe(0);
	});

	test('is found at the root if /mcp is not found, before any tool is called', async () => {
		await start({ ...mode, path: '/' });
		await inRun(async (client) => [
			await callWith(client, 'words'),
			await callWith(client, 'words'),
		]);
		expect(server.ran).toHaveLength(2);
		expect(server.lines()).toEqual([
			...['POST /mcp initialize', 'POST / initialize', 'POST / notifications/initialized'],
			...['POST / tools/call', 'POST / tools/call', ...(mode.sessions ? ['DELETE /'] : [])],
		]);
	});
});

describe('the address of the server', () => {
	test.each<[entered: string, path: string]>([
		['/mcp', '/mcp'],
		['/mcp/', '/mcp/'],
		['/tools/v2', '/tools/v2'],
		['/tools/v2/', '/tools/v2/'],
		['/tools', '/tools/mcp'],
		['', '/mcp'],
		['/', '/mcp'],
		['', '/'],
	])('that is entered as "%s" finds the one at %s', async (entered, path) => {
		await start({ path });
		const client = clientOver(transport(entered));
		expect(await callWith(client, 'words')).toHaveProperty('content');
		expect(server.ran).toEqual(['words']);
		expect(server.lines().filter((line) => line.endsWith('tools/call'))).toEqual([
			`POST ${path} tools/call`,
		]);
	});
});

test('a tool call has a step of the journal, and the handshake costs nothing', async () => {
	await start({ sessions: true });
	const client = clientOver(transport());
	await callWith(client, 'words');
	await client.close();
	expect(client.calls.map(({ step, endpoint }) => [step, endpoint.credits])).toEqual([
		['call', CREDITS],
	]);
});

const error = (code: number, message: string) => ({
	jsonrpc: '2.0',
	id: null,
	error: { code, message },
});
const result = (id: unknown, content: object = { content: [] }) => ({
	jsonrpc: '2.0',
	id,
	result: content,
});
const isCall = ({ rpc }: SeenRequest) => rpc === 'tools/call';
const onCall =
	(reply: InsteadReply, nth = 1) =>
	(seen: SeenRequest) =>
		isCall(seen) && (nth -= 1) === 0 ? reply : undefined;

describe('a session that has expired is opened again, once for each call', () => {
	test.each<[title: string, reply: InsteadReply]>([
		['404, as the protocol says', { status: 404 }],
		['404 with a text', { status: 404, body: 'Not Found: Session not found' }],
		['404 with a JSON-RPC error', { status: 404, body: error(-32001, 'Session not found') }],
		['404 with other JSON', { status: 404, body: { error: 'Session not found' } }],
		['404 with the words of a framework', { status: 404, body: { detail: 'Not Found' } }],
		['400 with a text', { status: 400, body: 'Invalid session ID\n' }],
		[
			'400, as many examples say',
			{ status: 400, body: error(-32000, 'Bad Request: No valid session ID provided') },
		],
	])('%s', async (_, reply) => {
		await start({ sessions: true, instead: onCall(reply, 2) });
		await inRun(async (client) => {
			for (let n = 0; n < 3; n += 1)
				expect(await callWith(client, 'words')).toHaveProperty('content');
		});
		expect(server.lines()).toEqual([...HANDSHAKE, CALL, CALL, ...HANDSHAKE, CALL, CALL, END]);
		expect(server.ran).toEqual(['words', 'words', 'words']);
	});

	test('by all calls that notice it together', async () => {
		let first: unknown;
		const isOfFirst = ({ headers }: SeenRequest) =>
			(first ??= headers['mcp-session-id']) === headers['mcp-session-id'];
		await start({
			sessions: true,
			instead: (seen) => (isCall(seen) && isOfFirst(seen) ? { status: 404 } : undefined),
		});
		await inRun(async (client) => {
			const all = Array.from({ length: 20 }, async () => await callWith(client, 'words'));
			for (const answer of await Promise.all(all)) expect(answer).toHaveProperty('content');
		});
		expect(server.lines().filter((line) => line.endsWith('initialize'))).toHaveLength(2);
		expect(server.ran).toHaveLength(20);
	});

	test('and a call that notices it twice fails, free of charge', async () => {
		await start({
			sessions: true,
			instead: (seen) => (isCall(seen) ? { status: 404 } : undefined),
		});
		const answer = await call('words');
		expect(answer).toMatchObject({ failure: { cause: 'refused', status: 404 } });
		expect(answer).not.toMatchObject({ failure: { mayHaveCost: true } });
		expect(server.lines()).toEqual([...HANDSHAKE, CALL, ...HANDSHAKE, CALL, END]);
	});
});

describe('a call is made once and fails after', () => {
	test.each<[title: string, reply: InsteadReply, failure: object]>([
		[
			'an internal error',
			{ status: 200, body: error(-32603, 'Session not initialized') },
			{ cause: 'refused', refusal: { mayHaveCost: true, code: -32603 } },
		],
		[
			'words about the session under HTTP 200, which a tool that ran may have said',
			{ status: 200, body: error(-32001, 'Session expired') },
			{ cause: 'refused', refusal: { mayHaveCost: true, code: -32001 } },
		],
		[
			'an error in words of its own',
			{ status: 200, body: error(-32000, 'The session of the platform expired') },
			{ cause: 'refused', refusal: { mayHaveCost: true } },
		],
		[
			"a tool's words about another session",
			{ status: 200, body: error(-32000, 'WhatsApp client not initialized') },
			{ cause: 'refused', refusal: { mayHaveCost: true } },
		],
		[
			"a tool's words about its argument",
			{ status: 422, body: error(-32000, 'The session argument is missing') },
			{ cause: 'refused' },
		],
		[
			"a tool's words under HTTP 404",
			{ status: 404, body: { error: 'The number does not exist' } },
			{ cause: 'refused', refusal: { mayHaveCost: true } },
		],
		...[
			'Not found: number 123',
			'The login session has ended',
			'Session 7 of this visitor was not found',
		].map((words): [string, InsteadReply, object] => [
			`"${words}" under HTTP 404`,
			{ status: 404, body: { ...error(-32000, words), id: 2 } },
			{ cause: 'refused', refusal: { mayHaveCost: true } },
		]),
		[
			"a tool's words about an argument under HTTP 400",
			{ status: 400, body: error(-32000, 'Bad Request: the session_id argument is unknown') },
			{ cause: 'refused', refusal: { mayHaveCost: true } },
		],
		[
			'a code of JSON-RPC for its arguments',
			{ status: 400, body: error(-32602, 'Invalid session ID') },
			{ cause: 'refused', scope: 'question' },
		],
		['HTTP 400 without words', { status: 400, body: 'Invalid' }, { cause: 'refused' }],
		[
			'an unknown tool',
			{ status: 200, body: error(-32602, 'Unknown tool: x') },
			{
				cause: 'refused',
				reason: 'the service refused the request: Unknown tool: x (-32602)',
				refusal: { mayHaveCost: false },
			},
		],
		...['MCP error -32602: Output validation error: no structured content', 'No result'].map(
			(words): [string, InsteadReply, object] => [
				`a result that the server holds back, "${words}"`,
				{ status: 200, body: error(-32602, words) },
				{ cause: 'refused', mayHaveCost: true },
			],
		),
		[
			'a code that its message has already',
			{ status: 200, body: error(-32602, 'MCP error -32602: no') },
			{ reason: 'the service refused the request: MCP error -32602: no' },
		],
		[
			'a wrong key',
			{ status: 401, body: error(-32001, 'Unauthorized session') },
			{ cause: 'refused', scope: 'account', status: 401 },
		],
		['a redirect', { status: 307, headers: { location: '/other' } }, { scope: 'account' }],
		['an error of the server', { status: 500, body: 'no' }, { cause: 'lost', mayHaveCost: true }],
		['a page', { status: 200, body: '<html>' }, { cause: 'lost', mayHaveCost: true }],
		[
			'an answer to another request',
			{ status: 200, body: result(777) },
			{ cause: 'lost', mayHaveCost: true, reason: 'the answer belongs to another request' },
		],
	])('%s', async (_, reply, failure) => {
		await start({ sessions: true, instead: onCall(reply) });
		expect(await call('words')).toMatchObject({ failure });
		expect(server.lines().filter((line) => line === CALL)).toHaveLength(1);
		expect(server.ran).toEqual([]);
	});

	test('a lost answer, and its session is left to the tool that may still run', async () => {
		const takesOver = (seen: SeenRequest, response: ServerResponse) =>
			isCall(seen) && Boolean(response.destroy());
		await start({ sessions: true, takesOver });
		expect(await call('words')).toMatchObject({ failure: { cause: 'lost' } });
		expect(server.lines()).toEqual([...HANDSHAKE, CALL]);
	});
});

test('an answer in a batch is found among the others', async () => {
	const batch = [result(7, { content: [1] }), { jsonrpc: '2.0', method: 'x' }, result(2)];
	await start({ instead: onCall({ status: 200, body: batch }) });
	expect(await call('words')).toEqual({ content: [] });
});

test('an exception in reading a message is a fault of the package, and no lost reply', async () => {
	await start();
	const request = { service: 'mcp', method: 'POST', path: '/mcp', address: 0 } as const;
	const messages = { read: () => JSON.parse('{') as 'reply', resume: () => request };
	const headers = { Accept: 'application/json, text/event-stream' };
	const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
	const exchange = exchangeOf(messages);
	const endpoint = { request: { ...request, headers, body }, credits: CREDITS, exchange, read };
	const send = transport().over(() => 5_000);
	expect(await send({ endpoint, request: endpoint.request })).toMatchObject({
		failure: { cause: 'fault', mayHaveCost: true },
	});
	expect(logged).toEqual([expect.stringContaining('Bug in the Lookup & Messaging package')]);
});

describe('the handshake', () => {
	const only = (rpc: string | undefined, reply: InsteadReply) => (seen: SeenRequest) =>
		seen.rpc === rpc && (rpc !== undefined || seen.method === 'DELETE') ? reply : undefined;
	const WHOLE = [...HANDSHAKE, CALL, END];

	test.each<[title: string, rpc: string | undefined, reply: InsteadReply]>([
		['need not be ended', undefined, { status: 405, body: error(-32000, 'Method not allowed.') }],
		['need not be ended, without words', undefined, { status: 404 }],
		['goes on when its notification is refused', 'notifications/initialized', { status: 500 }],
	])('%s', async (_, rpc, reply) => {
		await start({ sessions: true, instead: only(rpc, reply) });
		expect(await call('words')).toHaveProperty('content');
		expect(server.lines()).toEqual(WHOLE);
		expect(server.ran).toEqual(['words']);
	});

	test.each<[title: string, reply: InsteadReply, failure: object]>([
		[
			'refused',
			{ status: 200, body: error(-32602, 'no') },
			{
				cause: 'unreachable',
				scope: 'account',
				reason:
					"the session with the tool server couldn't be opened: the service refused the request: no (-32602)",
			},
		],
		['refused because of the key', { status: 401 }, { cause: 'refused', scope: 'account' }],
		['refused in a text', { status: 400, body: 'No' }, { cause: 'unreachable', scope: 'account' }],
		['lost', { status: 502 }, { cause: 'unreachable', scope: 'account' }],
		['a page', { status: 200, body: '<html>' }, { cause: 'unreachable', scope: 'account' }],
		['held up', { status: 429 }, { cause: 'unreachable', scope: 'account' }],
	])('that is %s is a failure that costs nothing, and no tool runs', async (_, reply, failure) => {
		await start({ sessions: true, instead: only('initialize', reply) });
		const answer = await call('words');
		expect(answer).toMatchObject({ failure });
		expect(answer).not.toMatchObject({ failure: { mayHaveCost: true } });
		expect(server.lines()).toEqual(HANDSHAKE.slice(0, 1));
	});

	test('is left out if the server has no such method', async () => {
		const unknown = { status: 200, body: { ...error(-32601, 'Method not found'), id: 1 } };
		await start({ instead: only('initialize', unknown) });
		expect(await call('words')).toHaveProperty('content');
		expect(server.ran).toEqual(['words']);
	});

	const agreeing = (protocolVersion: string | undefined, headers = {}) =>
		only('initialize', {
			status: 200,
			headers,
			body: result(1, { protocolVersion, capabilities: {}, serverInfo: { name: 'x' } }),
		});

	test.each([
		['2025-06-18', '2025-06-18'],
		['2025-03-26', '2025-03-26'],
		['2024-11-05', '2024-11-05'],
		[undefined, '2025-03-26'],
	])('takes the protocol version %s of the server', async (version, named) => {
		await start({ instead: agreeing(version) });
		expect(await call('words')).toHaveProperty('content');
		expect(server.log.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
			...[undefined, named, named],
		]);
	});

	test('ends where the server speaks another version, and no tool runs', async () => {
		await start({ instead: agreeing('2031-01-01', { 'mcp-session-id': 'a' }) });
		const failure = { scope: 'account', reason: expect.stringContaining('"2031-01-01"') };
		expect(await call('words')).toMatchObject({ failure });
		expect(server.lines()).toEqual(['POST /mcp initialize', END]);
	});

	test.each([404, 405])(
		'fails for the run if no address answers except with HTTP %i',
		async (status) => {
			await start({ path: '/', instead: () => ({ status, body: 'no' }) });
			expect(await call('words')).toMatchObject({
				failure: {
					cause: 'unreachable',
					scope: 'account',
					reason: expect.stringContaining(`HTTP ${status}`),
				},
			});
			expect(server.lines()).toEqual(['POST /mcp initialize', 'POST / initialize']);
		},
	);
});

describe('a list in pages', () => {
	const page = (names: string[], nextCursor?: string) => ({
		jsonrpc: '2.0',
		result: { tools: names.map((name) => ({ name, inputSchema: {} })), nextCursor },
	});
	const list = async () => await inRun(listTools);
	const cursorOf = ({ message }: SeenRequest) => (message?.params as { cursor?: string }).cursor;
	/** Answers each list with what a function makes of it. */
	const listing = (reply: (seen: SeenRequest) => InsteadReply) => (seen: SeenRequest) =>
		seen.rpc === 'tools/list' ? reply(seen) : undefined;
	const asked = () => server.log.filter(({ rpc }) => rpc === 'tools/list');

	test('is read to its end', async () => {
		const pages: Record<string, object> = {
			'': page(['a', 'b'], 'p2'),
			p2: page(['c'], 'p3'),
			p3: page(['d']),
		};
		await start({
			instead: listing((seen) => ({ status: 200, body: pages[cursorOf(seen) ?? ''] })),
		});
		expect(await list()).toMatchObject(['a', 'b', 'c', 'd'].map((name) => ({ name })));
		expect(asked().map(({ message }) => message?.id)).toEqual([2, 3, 4]);
	});

	test('ends at a page that names itself as the next one', async () => {
		await start({ instead: listing(() => ({ status: 200, body: page(['a'], 'again') })) });
		expect(await list()).toHaveLength(2);
	});

	test('ends after 1,000 pages', async () => {
		let n = 0;
		await start({ instead: listing(() => ({ status: 200, body: page([`t${n++}`], `p${n}`) })) });
		expect(await list()).toHaveLength(1_000);
	});

	test('fails as a whole when a page fails', async () => {
		await start({
			instead: listing((seen) =>
				cursorOf(seen) ? { status: 500 } : { status: 200, body: page(['a'], 'p2') },
			),
		});
		expect(await list()).toMatchObject({ failure: { cause: 'lost' } });
	});

	test('skips tools that are none', async () => {
		const tools = [null, 7, 'x', {}, { name: 5 }, { name: 'ok' }];
		await start({
			instead: listing(() => ({ status: 200, body: { jsonrpc: '2.0', result: { tools } } })),
		});
		expect(await list()).toHaveLength(1);
	});

	test.each([{}, { tools: null }, { error: 'Service unavailable', tools: [] }])(
		'fails where a page is no list: %j',
		async (result) => {
			await start({
				instead: listing(() => ({ status: 200, body: { jsonrpc: '2.0', result } })),
			});
			expect(await list()).toMatchObject({ failure: { cause: 'refused' } });
		},
	);
});

describe('the health check', () => {
	/** The health check, at the path where the server gives the reply. */
	const health = async (reply: InsteadReply) => {
		await start({ instead: () => reply });
		const http = transport();
		const client = clientOver({
			send: async (request, ms) => await http.send({ ...request, path: '/mcp' }, ms),
		});
		return await catchFailed(async () => await checkHealth(client));
	};

	test.each<[InsteadReply, object]>([
		[{ status: 200, body: { status: 'ok' } }, { status: 'ok' }],
		[{ status: 200, body: 'OK' }, { text: 'OK' }],
		[
			{ status: 200, body: { scope: 'account', failure: 'none' } },
			{ scope: 'account', failure: 'none' },
		],
		[{ status: 200 }, {}],
		[{ status: 204 }, {}],
	])('accepts %j', async (reply, body) => {
		expect(await health(reply)).toEqual({ health: body });
	});

	test.each([404, 500, 503])('fails with HTTP %i', async (status) => {
		expect(await health({ status })).toMatchObject({ failure: { status } });
	});

	test.each([
		['', ['/healthz']],
		['/tools', ['/tools/healthz']],
		['/mcp/', ['/mcp/healthz', '/healthz']],
	])('is below the URL that ends in "%s", or beside the endpoint', async (entered, paths) => {
		await start({ path: paths[paths.length - 1], instead: () => ({ status: 200, body: 'OK' }) });
		const client = clientOver(transport(entered));
		expect(await checkHealth(client)).toEqual({ health: { text: 'OK' } });
		expect(server.lines()).toEqual(paths.map((path) => `GET ${path}`));
	});
});
