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
/** The requests of a run, by a letter each. */
const REQUESTS: Record<string, (seen: SeenRequest) => boolean> = {
	i: ({ rpc }) => rpc === 'initialize',
	n: ({ rpc }) => rpc === 'notifications/initialized',
	c: ({ rpc }) => rpc === 'tools/call',
	d: ({ method }) => method === 'DELETE',
};
const came = () =>
	server.log.map((seen) => Object.keys(REQUESTS).find((letter) => REQUESTS[letter](seen))).join('');
/** Answers so many requests of the letter in place of the server. */
const instead =
	(letter: string, reply: InsteadReply, times = Infinity) =>
	(seen: SeenRequest) =>
		REQUESTS[letter](seen) && (times -= 1) >= 0 ? reply : undefined;

describe('a run of one call', () => {
	// What its failure is; nothing if the tool runs
	const FREE = { mayHaveCost: false };
	const REFUSED = { ...FREE, cause: 'refused', scope: 'question' };
	const PAID = { cause: 'refused', mayHaveCost: true, refusal: { mayHaveCost: true } };
	const LOST = { cause: 'lost', mayHaveCost: true };
	const OF_ACCOUNT = { ...FREE, cause: 'refused', scope: 'account' };
	const NOT_OPENED = { ...FREE, cause: 'unreachable', scope: 'account' };
	const OF_ANOTHER = { ...LOST, reason: 'the answer belongs to another request' };
	const REFUSES = 'the service refused the request: ';
	const OF_SESSION = `the session with the tool server couldn't be opened: ${REFUSES}`;
	const version = (protocolVersion?: string) =>
		result(1, { protocolVersion, capabilities: {}, serverInfo: { name: 'x' } });

	test.each<[of: string, requests: string, status: number, body?: object | string, due?: object]>([
		// The session has expired
		['c', 'incincd', 404],
		['c', 'incincd', 404, error(-32001, 'Session not found')],
		['c', 'incincd', 400, 'Invalid session ID\n'],
		['c', 'incincd', 400, error(-32000, 'Bad Request: No valid session ID provided')],
		// What a tool that ran may have said
		['c', 'incd', 200, error(-32603, 'Session not initialized'), PAID],
		['c', 'incd', 200, error(-32001, 'Session expired'), PAID],
		['c', 'incd', 422, error(-32000, 'The session argument is missing'), PAID],
		['c', 'incd', 404, { error: 'The number does not exist' }, PAID],
		['c', 'incd', 404, { ...error(-32000, 'Not found: number 123'), id: 2 }, PAID],
		['c', 'incd', 400, error(-32000, 'The session_id argument is unknown'), PAID],
		['c', 'incd', 200, error(-32602, 'MCP error -32602: Output validation error: x'), PAID],
		['c', 'incd', 400, error(-32602, 'Invalid session ID'), REFUSED],
		['c', 'incd', 200, error(-32602, 'No x'), { ...REFUSED, reason: `${REFUSES}No x (-32602)` }],
		['c', 'incd', 200, error(-32602, '-32602: x'), { ...REFUSED, reason: `${REFUSES}-32602: x` }],
		['c', 'incd', 401, error(-32001, 'Unauthorized session'), { ...OF_ACCOUNT, status: 401 }],
		['c', 'incd', 307, undefined, { cause: 'refused', scope: 'account' }],
		['c', 'incd', 500, 'no', LOST],
		['c', 'incd', 200, '<html>', LOST],
		['c', 'incd', 200, result(777), OF_ANOTHER],
		['n', 'incd', 500],
		['d', 'incd', 405, error(-32000, 'Method not allowed.')],
		['i', 'i', 200, error(-32602, 'no'), { ...NOT_OPENED, reason: `${OF_SESSION}no (-32602)` }],
		['i', 'i', 401, undefined, OF_ACCOUNT],
		['i', 'i', 502, undefined, NOT_OPENED],
		['i', 'i', 200, '<html>', NOT_OPENED],
		['i', 'i', 429, undefined, NOT_OPENED],
		['i', 'id', 200, version('2031-01-01'), { reason: expect.stringContaining('"2031-01-01"') }],
	])(
		'whose %s is answered as follows sends %s, and comes to this: HTTP %d %j, %j',
		async (...row) => {
			const [of, requests, status, body, due] = row;
			const headers = { location: '/other', ...(of === 'i' && { 'mcp-session-id': 'a' }) };
			await start({ sessions: true, instead: instead(of, { status, body, headers }, 1) });
			const answer = await call('words');
			expect([came(), server.ran]).toEqual([requests, due ? [] : ['words']]);
			const failure = isFailed(answer) ? { mayHaveCost: false, ...answer.failure } : undefined;
			if (due) expect(failure).toMatchObject(due);
			else expect(answer).toHaveProperty('content');
		},
	);

	test.each([
		['2025-06-18', '2025-06-18'],
		['2024-11-05', '2024-11-05'],
		[undefined, '2025-03-26'],
	])('takes the protocol version %s of the server', async (named, sent) => {
		await start({ instead: instead('i', { status: 200, body: version(named) }) });
		expect(await call('words')).toHaveProperty('content');
		expect(server.log.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
			...[undefined, sent, sent],
		]);
	});

	test('needs no handshake if the server has no such method', async () => {
		const body = { ...error(-32601, 'Method not found'), id: 1 };
		await start({ instead: instead('i', { status: 200, body }) });
		expect(await call('words')).toHaveProperty('content');
		expect(server.ran).toEqual(['words']);
	});

	test('fails, free of charge, if its session expires twice', async () => {
		await start({ sessions: true, instead: instead('c', { status: 404 }) });
		const answer = await call('words');
		expect(answer).toMatchObject({ failure: { cause: 'refused', status: 404 } });
		expect(answer).not.toMatchObject({ failure: { mayHaveCost: true } });
		expect(came()).toBe('incincd');
	});

	test('leaves its session to the tool that may still run if the answer gets lost', async () => {
		const takesOver = (seen: SeenRequest, response: ServerResponse) =>
			REQUESTS.c(seen) && Boolean(response.destroy());
		await start({ sessions: true, takesOver });
		expect(await call('words')).toMatchObject({ failure: LOST });
		expect(came()).toBe('inc');
	});

	test.each([404, 405])('fails if no address answers except with HTTP %i', async (status) => {
		await start({ path: '/', instead: () => ({ status, body: 'no' }) });
		const words = new RegExp(`^no tool server answers at the Tool Server URL .*HTTP ${status}`);
		const reason = expect.stringMatching(words) as string;
		expect(await call('words')).toMatchObject({
			failure: { cause: 'unreachable', scope: 'account', reason },
		});
		expect(server.lines()).toEqual(['POST /mcp initialize', 'POST / initialize']);
	});
});

test('a session that has expired is opened again once by all calls that notice it together', async () => {
	let first: unknown;
	const isOfFirst = ({ headers }: SeenRequest) =>
		(first ??= headers['mcp-session-id']) === headers['mcp-session-id'];
	await start({
		sessions: true,
		instead: (seen) => (REQUESTS.c(seen) && isOfFirst(seen) ? { status: 404 } : undefined),
	});
	await inRun(async (client) => {
		const all = Array.from({ length: 20 }, async () => await callWith(client, 'words'));
		for (const answer of await Promise.all(all)) expect(answer).toHaveProperty('content');
	});
	expect(came().replaceAll('c', '')).toBe('inind');
	expect(server.ran).toHaveLength(20);
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
