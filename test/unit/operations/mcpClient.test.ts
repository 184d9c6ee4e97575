import type { IDataObject } from 'n8n-workflow';
import type { Credits, Refusal } from '../../../nodes/LookupMessaging/engine/client';
import { isFailed } from '../../../nodes/LookupMessaging/engine/operation';
import { catchFailed } from '../../../nodes/LookupMessaging/engine/perform/taskClient';
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
const transport = () => {
	const roots = { baseUrl: '', lookupUrl: '', geoipUrl: '', mcpUrl: server.url };
	return fetchTransport({ roots }, 'a-key');
};
const CREDITS: Credits = { balance: 'tool server', cost: 'not stated' };
const read = (result: IDataObject): IDataObject | Refusal =>
	result.isError ? { scope: 'question', reason: 'it failed' } : result;

const call = async (name: string, args = {}, client = clientOver(transport())) =>
	await catchFailed(async () => await callTool(client, name, args, { credits: CREDITS, read }));

const MODES = (['json', 'sse'] as const).flatMap((responses) =>
	[false, true].map((sessions) => ({ responses, sessions })),
);
const SESSION = [
	'POST /mcp initialize',
	'POST /mcp notifications/initialized',
	'POST /mcp tools/call',
	'DELETE /mcp',
];

describe.each(MODES)('a server of the official SDK, $responses, sessions $sessions', (mode) => {
	test('is called without a handshake unless it wants one, and the tool runs once', async () => {
		await start(mode);
		for (const text of ['one', 'two', 'three']) {
			expect(await call('echo', { text })).toMatchObject({
				structuredContent: { said: { text, loud: false } },
			});
		}
		const each = mode.sessions ? ['POST /mcp tools/call', ...SESSION] : ['POST /mcp tools/call'];
		expect(server.lines()).toEqual([...each, ...each, ...each]);
		expect(server.ran).toEqual(['echo', 'echo', 'echo']);
		expect(server.openSessions()).toBe(0);
	});

	test('names the protocol version and the session in every request', async () => {
		await start(mode);
		await call('words');
		const sessions = new Set<unknown>();
		for (const { headers, rpc } of server.log) {
			expect(headers.accept).toBe('application/json, text/event-stream');
			expect(headers['mcp-protocol-version']).toBe(rpc === 'initialize' ? undefined : '2025-06-18');
			sessions.add(headers['mcp-session-id']);
		}
		expect(sessions.size).toBe(mode.sessions ? 2 : 1);
	});

	test('lists its tools', async () => {
		await start(mode);
		const tools = await catchFailed(async () => await listTools(clientOver(transport())));
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
	])('%s is asked once, and the session is ended', async (_, name, runs) => {
		await start(mode);
		expect(await call(name)).toMatchObject({ failure: { cause: 'refused', scope: 'question' } });
		expect(server.ran).toHaveLength(runs);
		const calls = server.lines().filter((line) => line.endsWith('tools/call'));
		expect(calls).toHaveLength(mode.sessions ? 2 : 1);
		expect(server.openSessions()).toBe(0);
	});

	test('is found at the root where /mcp is not found', async () => {
		await start({ ...mode, path: '/' });
		for (const text of ['one', 'two', 'three']) {
			expect(await call('echo', { text })).toMatchObject({ structuredContent: { said: { text } } });
		}
		expect(server.ran).toHaveLength(3);
		expect(server.lines().slice(0, 2)).toEqual(['POST /mcp tools/call', 'POST / tools/call']);
	});
});

test('all attempts at a tool call have one step, whichever path or session they take', async () => {
	await start({ path: '/', sessions: true });
	const client = clientOver(transport());
	expect(await call('words', {}, client)).toHaveProperty('content');
	expect(server.lines()).toEqual([
		...['POST /mcp tools/call', 'POST / tools/call', 'POST / initialize'],
		...['POST / notifications/initialized', 'POST / tools/call', 'DELETE /'],
	]);
	expect(client.calls.map(({ step }) => step)).toEqual([
		...['call', 'call', undefined, undefined, 'call', undefined],
	]);
	expect(client.calls.map(({ endpoint }) => endpoint.credits)).toEqual([
		...[CREDITS, CREDITS, undefined, undefined, CREDITS, undefined],
	]);
});

const error = (code: number, message: string) => ({
	jsonrpc: '2.0',
	id: null,
	error: { code, message },
});
const isCall = ({ rpc }: SeenRequest) => rpc === 'tools/call';
const once = (reply: InsteadReply) => {
	let count = 0;
	return (seen: SeenRequest) => (isCall(seen) && count++ === 0 ? reply : undefined);
};

describe('a first call that was refused before anything ran is made again in a session', () => {
	test.each<[title: string, reply: InsteadReply]>([
		[
			'400, -32000, as the SDK says',
			{ status: 400, body: error(-32000, 'Bad Request: Server not initialized') },
		],
		[
			'400 in other words',
			{ status: 400, body: error(-32600, 'Bad Request: No valid session ID provided') },
		],
		['404 with a JSON-RPC error', { status: 404, body: error(-32001, 'Session not found') }],
		['404 with other JSON', { status: 404, body: { error: 'Session not found' } }],
		[
			'another protocol version',
			{ status: 400, body: error(-32000, 'Unsupported protocol version: 2025-06-18') },
		],
		[
			'HTTP 200, with words of the protocol',
			{ status: 200, body: error(-32002, 'Server not initialized') },
		],
	])('%s', async (_, reply) => {
		await start({ sessions: true, instead: once(reply) });
		expect(await call('words')).toMatchObject({ content: [{ text: 'Hello' }, { text: 'world' }] });
		expect(server.lines()).toEqual(['POST /mcp tools/call', ...SESSION]);
		expect(server.ran).toEqual(['words']);
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
		['HTTP 400 without words', { status: 400, body: 'Invalid' }, { cause: 'refused' }],
		[
			'an unknown tool',
			{ status: 200, body: error(-32602, 'Unknown tool: x') },
			{ cause: 'refused', reason: 'the service refused the request: Unknown tool: x (-32602)' },
		],
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
		[
			'a wrong key without words',
			{ status: 401, body: 'no' },
			{ cause: 'refused', scope: 'account' },
		],
		[
			'a key refused in words',
			{ status: 200, body: error(-32000, 'Invalid API key.') },
			{ scope: 'account' },
		],
		[
			'a refusal in plain JSON',
			{ status: 400, body: { error: 'number is required' } },
			{ cause: 'refused', scope: 'question' },
		],
		['a page', { status: 200, body: '<html>' }, { cause: 'lost' }],
		['nothing', { status: 202 }, { cause: 'lost' }],
		[
			'JSON that is no JSON-RPC',
			{ status: 200, body: { ok: true } },
			{ cause: 'refused', refusal: { mayHaveCost: true } },
		],
		[
			'HTTP 503 with Retry-After',
			{ status: 503, headers: { 'retry-after': '7' } },
			{ cause: 'throttled', retryAfterMs: 7_000 },
		],
		['HTTP 503', { status: 503 }, { cause: 'lost' }],
		[
			'a breakdown',
			{ status: 500, body: error(-32603, 'Session not initialized') },
			{ cause: 'lost' },
		],
	])('%s', async (_, reply, failure) => {
		await start({ sessions: true, instead: once(reply) });
		expect(await call('words')).toMatchObject({ failure });
		expect(server.lines()).toEqual(['POST /mcp tools/call']);
	});

	test.each([404, 405])(
		'HTTP 404 and %i at the two paths: no tool server is there',
		async (status) => {
			await start({ path: '/', instead: () => ({ status, body: 'no' }) });
			expect(await call('words')).toMatchObject({
				failure: {
					cause: 'unreachable',
					scope: 'account',
					reason: expect.stringContaining(`HTTP ${status}`),
				},
			});
			expect(server.lines()).toEqual(['POST /mcp tools/call', 'POST / tools/call']);
		},
	);
});

describe('a session', () => {
	const only = (rpc: string | undefined, reply: InsteadReply) => (seen: SeenRequest) =>
		seen.rpc === rpc && (rpc !== undefined || seen.method === 'DELETE') ? reply : undefined;

	test.each<[title: string, rpc: string | undefined, reply: InsteadReply]>([
		['need not be ended', undefined, { status: 405, body: error(-32000, 'Method not allowed.') }],
		['need not be ended, without words', undefined, { status: 404 }],
		['goes on when its notification is refused', 'notifications/initialized', { status: 500 }],
	])('%s', async (_, rpc, reply) => {
		await start({ sessions: true, instead: only(rpc, reply) });
		expect(await call('words')).toHaveProperty('content');
		expect(server.lines()).toEqual(['POST /mcp tools/call', ...SESSION]);
		expect(server.ran).toEqual(['words']);
	});

	test('that is refused is a failure, and no tool runs', async () => {
		await start({
			sessions: true,
			instead: only('initialize', { status: 200, body: error(-32602, 'no') }),
		});
		expect(await call('words')).toMatchObject({ failure: { cause: 'refused' } });
		expect(server.lines()).toEqual(['POST /mcp tools/call', 'POST /mcp initialize']);
		expect(server.ran).toEqual([]);
	});

	test('stays open after a lost reply, and nothing is sent again', async () => {
		let calls = 0;
		await start({
			sessions: true,
			instead: (seen) =>
				isCall(seen) && calls++ === 1 ? { status: 200, body: '<html>' } : undefined,
		});
		expect(await call('words')).toMatchObject({ failure: { cause: 'lost' } });
		expect(server.lines()).toEqual(['POST /mcp tools/call', ...SESSION.slice(0, 3)]);
	});

	test('uses the protocol version that the server answers', async () => {
		const result = {
			protocolVersion: '2025-03-26',
			capabilities: {},
			serverInfo: { name: 'x', version: '1' },
		};
		let calls = 0;
		await start({
			instead: (seen) => {
				if (seen.rpc === 'initialize')
					return { status: 200, body: { jsonrpc: '2.0', id: 1, result } };
				return isCall(seen) && calls++ === 0
					? { status: 400, body: error(-32000, 'Unsupported protocol version') }
					: undefined;
			},
		});
		expect(await call('words')).toHaveProperty('content');
		expect(server.log.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
			...['2025-06-18', undefined, '2025-03-26', '2025-03-26'],
		]);
	});
});

describe('a list in pages', () => {
	const page = (names: string[], nextCursor?: string) => ({
		jsonrpc: '2.0',
		id: 1,
		result: { tools: names.map((name) => ({ name, inputSchema: {} })), nextCursor },
	});
	const list = async () => await catchFailed(async () => await listTools(clientOver(transport())));
	const cursorOf = ({ message }: SeenRequest) => (message?.params as { cursor?: string }).cursor;

	test('is read to its end', async () => {
		const pages: Record<string, object> = {
			'': page(['a', 'b'], 'p2'),
			p2: page(['c'], 'p3'),
			p3: page(['d']),
		};
		await start({ instead: (seen) => ({ status: 200, body: pages[cursorOf(seen) ?? ''] }) });
		expect(await list()).toMatchObject(['a', 'b', 'c', 'd'].map((name) => ({ name })));
		expect(server.log.map(({ message }) => message?.id)).toEqual([1, 2, 3]);
	});

	test('ends at a page that names itself as the next one', async () => {
		await start({ instead: () => ({ status: 200, body: page(['a'], 'again') }) });
		expect(await list()).toHaveLength(2);
	});

	test('ends after 101 pages', async () => {
		let n = 0;
		await start({ instead: () => ({ status: 200, body: page([`t${n++}`], `p${n}`) }) });
		expect(await list()).toHaveLength(101);
	});

	test('fails as a whole when a page fails', async () => {
		await start({
			instead: (seen) =>
				cursorOf(seen) ? { status: 500 } : { status: 200, body: page(['a'], 'p2') },
		});
		expect(await list()).toMatchObject({ failure: { cause: 'lost' } });
	});

	test.each([
		['tools that are none', [null, 7, 'x', {}, { name: 5 }, { name: 'ok' }], 1],
		['no list at all', undefined, 0],
	])('skips %s', async (_, tools, count) => {
		await start({
			instead: () => ({ status: 200, body: { jsonrpc: '2.0', id: 1, result: { tools } } }),
		});
		expect(await list()).toHaveLength(count);
	});
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
	])('takes %j', async (reply, body) => {
		expect(await health(reply)).toEqual({ health: body });
	});

	test.each([404, 500, 503])('fails with HTTP %i', async (status) => {
		expect(await health({ status })).toMatchObject({ failure: { status } });
	});

	test('is at its own path', async () => {
		await start();
		await catchFailed(async () => await checkHealth(clientOver(transport())));
		expect(server.lines()).toEqual(['GET /healthz']);
	});
});
