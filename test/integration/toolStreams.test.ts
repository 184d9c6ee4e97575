/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { release, runNode, type NodeOptions, type NodeRun } from '../harness/n8n';
import { receiptOf } from '../harness/parseReceipt';
import {
	startToolServer,
	type InsteadReply,
	type SeenRequest,
	type ToolServer,
	type ToolServerOptions,
} from '../harness/toolServers';

const KEY = 'sandbox-key-main';

describe(`a tool server with streams, n8n ${release}`, () => {
	let server: ToolServer;
	afterEach(async () => await server.close());

	const call = async (
		options: ToolServerOptions,
		{ parameters = {}, ...more }: Partial<NodeOptions> & { parameters?: object } = {},
	): Promise<NodeRun> => {
		server = await startToolServer(options);
		return await runNode({
			credentials: { lookupMessagingApi: { apiKey: KEY, mcpUrl: server.url } },
			parameters: {
				...{ resource: 'toolServer', operation: 'callTool' },
				...{ tool: { __rl: true, mode: 'name', value: 'words' }, argumentsMode: 'json' },
				...{ argumentsJson: '{}', ...parameters },
			},
			...more,
		});
	};
	const errorOf = (run: NodeRun) => (run.error as Error | undefined)?.message;
	const textsOf = (run: NodeRun) => run.items().map(({ json }) => json.text);
	const rpcs = () => server.log.map(({ method, rpc }) => rpc ?? method);
	const messages = () => server.log.map(({ message }) => message);

	const isCall = ({ rpc }: SeenRequest) => rpc === 'tools/call';
	const open = (response: ServerResponse) =>
		response.writeHead(200, { 'content-type': 'text/event-stream' });
	const event = (message: object, id?: string) =>
		`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
	const replyTo = ({ message }: SeenRequest) => ({
		...{ jsonrpc: '2.0', id: message?.id, result: { content: [{ type: 'text', text: 'Hello' }] } },
	});
	/** Answers tool calls with a stream. */
	const streaming = (write: (response: ServerResponse, seen: SeenRequest) => void) => ({
		takesOver: (seen: SeenRequest, response: ServerResponse) => {
			if (!isCall(seen)) return false;
			write(open(response), seen);
			return true;
		},
	});

	it('is read although the server leaves the stream open, and the connection is closed', async () => {
		let closed: Promise<unknown> | undefined;
		const run = await call(
			streaming((stream, seen) => {
				closed = once(stream, 'close');
				stream.write(event(replyTo(seen)));
			}),
		);
		expect([errorOf(run), textsOf(run)]).toEqual([undefined, ['Hello']]);
		await closed;
		expect(receiptOf(run.hints())).toMatchObject({ calls: 1, open: 0 });
	});

	it('is continued after a stream that breaks off, and the tool runs once', async () => {
		let asked: SeenRequest | undefined;
		const run = await call({
			takesOver: (seen, response) => {
				if (isCall(seen)) {
					asked = seen;
					open(response).write('id: e1\nretry: 100\ndata:\n\n');
					setTimeout(() => response.destroy(), 50);
				}
				if (seen.method === 'GET') open(response).write(event(replyTo(asked!), 'e2'));
				return isCall(seen) || seen.method === 'GET';
			},
		});
		expect([errorOf(run), textsOf(run)]).toEqual([undefined, ['Hello']]);
		expect(rpcs()).toEqual(['initialize', 'notifications/initialized', 'tools/call', 'GET']);
		expect(server.log[3].headers['last-event-id']).toBe('e1');
		expect(receiptOf(run.hints())).toMatchObject({ calls: 1, open: 0 });
	});

	it('ends with a cancel notice when its time is up, and may have been charged', async () => {
		const stays = streaming((stream) => stream.write('id: e1\nretry: 999999999\ndata:\n\n'));
		const run = await call(
			{ sessions: true, ...stays },
			{ parameters: { options: { timeout: 1 } }, onError: 'continueRegularOutput' },
		);
		expect(run.items()[0].json.error).toMatch(/No answer arrived in time.*may have been charged/);
		const { id } = server.log.find(isCall)!.message!;
		const notice = { method: 'notifications/cancelled', params: { requestId: id } };
		expect(messages()[3]).toMatchObject(notice);
		expect(rpcs()).toHaveLength(4);
		expect(receiptOf(run.hints())).toMatchObject({ calls: 1, open: 1 });
	});

	it('that asks for a long pause does not delay the end of the run', async () => {
		// Without a server's own words, a reply may be a gateway's
		const body = { error: 'Too many requests' };
		const reply: InsteadReply = { status: 429, headers: { 'retry-after': '3600' }, body };
		const run = await call(
			{ sessions: true, instead: (seen) => (isCall(seen) ? reply : undefined) },
			{ parameters: { options: { maxWait: 1 } }, onError: 'continueRegularOutput' },
		);
		expect(run.items()[0].json.error).toMatch(/You weren't charged/);
		expect(rpcs()).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
	});
});
