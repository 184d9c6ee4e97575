import { magic, startSandbox, type Sandbox, type ToolServerOptions } from '../../sandbox';
import { send, urlOf } from './requests';
import { ACCEPT, connect, postRpc, rpc, type Connected } from './mcpClient';

const { PHONE } = magic;

const NAMES = [
	...['check_whatsapp_number', 'submit_whatsapp_batch', 'get_whatsapp_batch'],
	...['list_whatsapp_batches', 'send_whatsapp_message', 'validate_phone', 'lookup_caller_id'],
	...['verify_email', 'locate_ip', 'search_forum', 'get_forum_post', 'search_microblog'],
	...['get_microblog_post', 'get_microblog_comments', 'run_audit', 'get_audit'],
	...['get_audit_summary', 'list_audits', 'get_balance'],
];

const modes: ToolServerOptions[] = [
	{ sessions: false, responses: 'sse' },
	{ sessions: false, responses: 'json' },
	{ sessions: true, responses: 'sse' },
	{ sessions: true, responses: 'json' },
];

const INITIALIZE = rpc('initialize', {
	protocolVersion: '2025-06-18',
	capabilities: {},
	clientInfo: { name: 'bare', version: '1' },
});

describe.each(modes)('a tool server of %j', (toolServer) => {
	let sandbox: Sandbox;
	let connected: Connected;
	beforeAll(async () => {
		sandbox = await startSandbox({ toolServer });
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.reset());
	afterEach(async () => await connected?.close());

	const open = async (headers = {}, path = '/mcp') =>
		await connect(`${sandbox.roots.mcpUrl}${path}`, { headers });

	it('initializes and lists 19 tools without a key, also at its root', async () => {
		for (const path of ['/mcp', '/']) {
			connected = await open({}, path);
			const { tools } = await connected.client.listTools();
			expect(tools.map(({ name }) => name).sort()).toEqual([...NAMES].sort());
			await connected.close();
		}
		expect(sandbox.log.map(({ charged }) => charged)).not.toContain(1);
	});

	it('calls a tool with the key of either header or the query', async () => {
		const key = sandbox.keys.main;
		const ways: Array<[headers: Record<string, string>, path: string]> = [
			[{ authorization: `Bearer ${key}` }, '/mcp'],
			[{ 'x-api-key': key }, '/mcp'],
			[{}, `/mcp?api_key=${key}`],
			[{}, `/?api_key=${key}`],
		];
		for (const [headers, path] of ways) {
			connected = await open(headers, path);
			const result = await connected.call('check_whatsapp_number', { number: PHONE.onWhatsApp });
			const body = { status: true, number: PHONE.onWhatsApp, whatsapp: true };
			expect(result).toEqual({
				content: [{ type: 'text', text: JSON.stringify(body) }],
				structuredContent: body,
			});
			await connected.close();
		}
		expect(sandbox.spent(key).whatsapp).toBe(4);
	});

	it('issues a session only when it keeps them, and then requires it', async () => {
		connected = await open();
		const list = rpc('tools/list');
		const without = await postRpc(sandbox, list);
		if (!toolServer.sessions) {
			expect([connected.sessionId(), without.status]).toEqual([undefined, 200]);
			const ending = await send(urlOf(sandbox, 'mcp'), { method: 'DELETE' });
			return expect(ending.status).toBe(405);
		}
		const session = { ...ACCEPT, 'mcp-session-id': connected.sessionId()! };
		expect([without.status, (await postRpc(sandbox, list, session)).status]).toEqual([400, 200]);
		await connected.endSession();
		expect((await postRpc(sandbox, list, session)).status).toBe(404);
		sandbox.reset();
		const refused = await postRpc(sandbox, INITIALIZE, { accept: 'text/html' });
		expect([refused.status, refused.headers.get('mcp-session-id')]).toEqual([406, null]);
	});
});
