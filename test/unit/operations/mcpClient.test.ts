/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import type { ServerResponse } from 'node:http';

import type { IDataObject } from 'n8n-workflow';
import {
	catchFailed,
	type Credits,
	isFailed,
	lostFailure,
	type Refusal,
	type Reply,
	type ServiceRequest,
} from '../../engine';
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

const HANDSHAKE = ['POST /mcp initialize', 'POST /mcp notifications/initialized'];
const CALL = 'POST /mcp tools/call';
const LIST = 'POST /mcp tools/list';
const END = 'DELETE /mcp';

describe.each([
	['json', false],
	['json', true],
	['sse', false],
	['sse', true],
] as const)('a server of the official SDK, %s, sessions %p', (responses, sessions) => {
	const ending = sessions ? [END] : [];

	test('gets one handshake for all calls of a run, and lists its tools', async () => {
		await start({ responses, sessions });
		const client = clientOver(transport());
		const texts = ['one', 'two', 'three'];
		const answers = texts.map(async (text) => await callWith(client, 'echo', { text }));
		expect(await Promise.all(answers)).toMatchObject(
			texts.map((text) => ({ structuredContent: { said: { text, loud: false } } })),
		);
		const tools = await listTools(client);
		await client.close();

		if (isFailed(tools)) throw new Error(tools.failure.reason);
		expect(tools.length).toBeGreaterThan(2);
		expect(tools[0]).toMatchObject({
			...{ name: 'echo', title: 'Echo', outputSchema: { type: 'object' } },
			...{ inputSchema: { type: 'object', required: ['text'] }, listed: { name: 'echo' } },
		});
		expect(server.lines()).toEqual([...HANDSHAKE, CALL, CALL, CALL, LIST, ...ending]);
		expect(server.ran).toEqual(['echo', 'echo', 'echo']);
		expect(server.openSessions()).toBe(0);
		const ids = server.log.map(({ message }) => message?.id).filter((id) => id !== undefined);
		expect(ids).toEqual([1, 2, 3, 4, 5]);
		const version = 'mcp-protocol-version';
		const headers = server.log.map((seen) => seen.headers);
		expect(new Set(headers.map(({ accept }) => accept))).toEqual(
			new Set(['application/json, text/event-stream']),
		);
		expect(headers.map((each) => each[version])).toEqual(
			headers.map((_, index) => (index === 0 ? undefined : '2025-11-25')),
		);
		expect(new Set(headers.slice(1).map((each) => each['mcp-session-id']))).toEqual(
			new Set([sessions ? expect.any(String) : undefined]),
		);
		// The handshake and the list cost nothing
		const steps = client.calls.map(({ step, endpoint }) => [step, endpoint.credits]);
		expect(steps.filter(([step]) => step)).toEqual(texts.map(() => ['call', CREDITS]));
		expect(steps.filter(([, credits]) => credits)).toHaveLength(3);
	});

	test.each([
		['a tool that fails', 'fails', 1],
		['a tool whose error names sessions', 'talksOfSessions', 1],
		['a tool that it does not have', 'nope', 0],
		['arguments that the tool does not take', 'echo', 0],
	])('gets one call for %s, and its session is ended', async (_, name, runs) => {
		await start({ responses, sessions });
		expect(await call(name)).toMatchObject({ failure: { cause: 'refused', scope: 'question' } });
		expect(server.ran).toHaveLength(runs);
		expect(server.lines()).toEqual([...HANDSHAKE, CALL, ...ending]);
	});
});

test.each<[entered: string, path: string, firstTried?: string]>([
	['/mcp/', '/mcp/'],
	['/mcp/', '/mcp', '/mcp/'],
	['/tools/', '/tools/mcp', '/tools/'],
	['/tools', '/tools/mcp', '/tools'],
	['', '/mcp'],
	['', '/', '/mcp'],
])(
	'the URL "%s" finds the server at %s before a tool is called',
	async (...[entered, path, first]) => {
		await start({ path, sessions: true });
		const client = clientOver(transport(entered));
		for (let n = 0; n < 2; n += 1)
			expect(await callWith(client, 'words')).toHaveProperty('content');
		await client.close();
		expect(server.lines()).toEqual([
			...(first === undefined ? [] : [`POST ${first} initialize`]),
			...[...HANDSHAKE, CALL, CALL, END].map((line) => line.replace('/mcp', path)),
		]);
		expect(server.ran).toHaveLength(2);
	},
);

const error = (code: number, message: string) => ({
	...{ jsonrpc: '2.0', id: null, error: { code, message } },
});
const result = (id: unknown, content: object = { content: [] }) => ({
	...{ jsonrpc: '2.0', id, result: content },
});
const isCall = ({ rpc }: SeenRequest) => rpc === 'tools/call';
const onCall =
	(reply: InsteadReply, nth = 1) =>
	(seen: SeenRequest) =>
		isCall(seen) && (nth -= 1) === 0 ? reply : undefined;

describe('a session that has expired is opened again, once for each call', () => {
	test.each<[status: number, body?: object | string]>([
		[404, undefined],
		[404, error(-32001, 'Session not found')],
		[400, 'Invalid session ID\n'],
		[400, error(-32000, 'Bad Request: No valid session ID provided')],
	])('after HTTP %d %j', async (...[status, body]) => {
		await start({ sessions: true, instead: onCall({ status, body }, 2) });
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
		const instead = (seen: SeenRequest) => (isCall(seen) ? { status: 404 } : undefined);
		await start({ sessions: true, instead });
		const answer = await call('words');
		expect(answer).toMatchObject({ failure: { cause: 'refused', status: 404 } });
		expect(answer).not.toMatchObject({ failure: { mayHaveCost: true } });
		expect(server.lines()).toEqual([...HANDSHAKE, CALL, ...HANDSHAKE, CALL, END]);
	});
});

describe('a call is made once and fails after', () => {
	const PAID = { mayHaveCost: true, refusal: { mayHaveCost: true } };
	const LOST = { cause: 'lost', mayHaveCost: true };
	const refusal = (reason: string) => ({ reason: `the service refused the request: ${reason}` });

	test.each<[status: number, body: object | string | undefined, failure: object]>([
		// What a tool that ran may have said
		[200, error(-32603, 'Session not initialized'), { refusal: { ...PAID.refusal, code: -32603 } }],
		[200, error(-32001, 'Session expired'), { refusal: { ...PAID.refusal, code: -32001 } }],
		[422, error(-32000, 'The session argument is missing'), { cause: 'refused' }],
		[404, { error: 'The number does not exist' }, PAID],
		[404, { ...error(-32000, 'Not found: number 123'), id: 2 }, PAID],
		[400, error(-32000, 'Bad Request: the session_id argument is unknown'), PAID],
		[400, error(-32602, 'Invalid session ID'), { cause: 'refused', scope: 'question' }],
		[200, error(-32602, 'Unknown tool: x'), { refusal: { mayHaveCost: false } }],
		[200, error(-32602, 'Unknown tool: x'), refusal('Unknown tool: x (-32602)')],
		[200, error(-32602, 'MCP error -32602: Output validation error: no structured content'), PAID],
		[200, error(-32602, 'MCP error -32602: no'), refusal('MCP error -32602: no')],
		[401, error(-32001, 'Unauthorized session'), { scope: 'account', status: 401 }],
		[307, undefined, { scope: 'account' }],
		[500, 'no', LOST],
		[200, '<html>', LOST],
		[200, result(777), { ...LOST, reason: 'the answer belongs to another request' }],
	])('HTTP %d %j', async (status, body, failure) => {
		const headers = status === 307 ? { location: '/other' } : undefined;
		await start({ sessions: true, instead: onCall({ status, headers, body }) });
		expect(await call('words')).toMatchObject({ failure: { cause: 'refused', ...failure } });
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

	test.each<[title: string, rpc: string | undefined, reply: InsteadReply]>([
		['need not be ended', undefined, { status: 405, body: error(-32000, 'Method not allowed.') }],
		['goes on when its notification is refused', 'notifications/initialized', { status: 500 }],
	])('%s', async (_, rpc, reply) => {
		await start({ sessions: true, instead: only(rpc, reply) });
		expect(await call('words')).toHaveProperty('content');
		expect(server.lines()).toEqual([...HANDSHAKE, CALL, END]);
		expect(server.ran).toEqual(['words']);
	});

	const NOT_OPENED = { cause: 'unreachable', scope: 'account' };
	const REASON =
		"the session with the tool server couldn't be opened: the service refused the request: no (-32602)";
	test.each<[status: number, body: object | string | undefined, failure: object]>([
		[200, error(-32602, 'no'), { ...NOT_OPENED, reason: REASON }],
		[401, undefined, { cause: 'refused', scope: 'account' }],
		[502, undefined, NOT_OPENED],
		[200, '<html>', NOT_OPENED],
		[429, undefined, NOT_OPENED],
	])('that fails with HTTP %d %j costs nothing, and no tool runs', async (...reply) => {
		const [status, body, failure] = reply;
		await start({ sessions: true, instead: only('initialize', { status, body }) });
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

	const agreeing = (protocolVersion: string | undefined, headers = {}) => {
		const body = result(1, { protocolVersion, capabilities: {}, serverInfo: { name: 'x' } });
		return only('initialize', { status: 200, headers, body });
	};

	test.each([
		['2025-06-18', '2025-06-18'],
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
			const words = new RegExp(`^no tool server answers at the Tool Server URL .*HTTP ${status}`);
			const reason = expect.stringMatching(words) as string;
			expect(await call('words')).toMatchObject({ failure: { ...NOT_OPENED, reason } });
			expect(server.lines()).toEqual(['POST /mcp initialize', 'POST / initialize']);
		},
	);
});

describe('a list in pages', () => {
	const toolsOf = (names: unknown[]) => names.map((name) => ({ name, inputSchema: {} }));
	/** Lists the tools of a server with these pages; one that is missing gets lost. */
	const list = async (pageOf: (cursor: string) => object | undefined) => {
		const send = async ({ body }: ServiceRequest): Promise<Reply> => {
			const { id, method, params } = body as { [name: string]: unknown; params: IDataObject };
			const page = method === 'tools/list' ? pageOf(String(params.cursor ?? 'p1')) : {};
			if (!page) return lostFailure('no answer');
			return { kind: 'ok', status: 200, headers: {}, body: result(id, page) as IDataObject };
		};
		return await catchFailed(async () => await listTools(clientOver({ send })));
	};
	const PAGES: Record<string, object> = {
		p1: { tools: toolsOf(['a', 'b']), nextCursor: 'p2' },
		p2: { tools: toolsOf(['c']), nextCursor: 'p3' },
	};

	test('is read to its end, and fails as a whole when a page fails', async () => {
		const pages: Record<string, object> = { ...PAGES, p3: { tools: toolsOf(['d']) } };
		expect(await list((cursor) => pages[cursor])).toMatchObject(toolsOf(['a', 'b', 'c', 'd']));
		expect(await list((cursor) => PAGES[cursor])).toMatchObject({ failure: { cause: 'lost' } });
	});

	test('ends at a page that names itself as the next one, and after 1,000 pages', async () => {
		const tools = toolsOf(['a']);
		expect(await list(() => ({ tools, nextCursor: 'again' }))).toHaveLength(2);
		let n = 0;
		expect(await list(() => ({ tools, nextCursor: `q${(n += 1)}` }))).toHaveLength(1_000);
	});

	test('skips tools that are none', async () => {
		const tools = [null, 7, 'x', {}, { name: 5 }, { name: 'ok' }];
		expect(await list(() => ({ tools }))).toMatchObject([{ name: 'ok', inputSchema: {} }]);
	});

	test.each([{}, { tools: null }, { error: 'Service unavailable', tools: [] }])(
		'fails where a page is no list: %j',
		async (page) => {
			expect(await list(() => page)).toMatchObject({ failure: { cause: 'refused' } });
		},
	);
});

test.each([
	['', ['/healthz']],
	['/tools', ['/tools/healthz']],
	['/mcp', ['/mcp/healthz']],
	['/mcp/', ['/mcp/healthz', '/healthz']],
])('the health check is below the URL that ends in "%s", or beside it', async (entered, paths) => {
	await start({ path: paths[paths.length - 1], instead: () => ({ status: 200, body: 'OK' }) });
	const client = clientOver(transport(entered));
	expect(await checkHealth(client)).toEqual({ health: { text: 'OK' } });
	expect(server.lines()).toEqual(paths.map((path) => `GET ${path}`));
});
