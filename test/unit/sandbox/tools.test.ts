import { magic, startSandbox, type Sandbox } from '../../sandbox';
import { ask } from './requests';
import { connect, type Connected } from './mcpClient';

const { PHONE, SCRAPER } = magic;

describe('the tools', () => {
	let sandbox: Sandbox;
	let main: Connected;
	const open = async (headers: Record<string, string>, query = '') =>
		await connect(`${sandbox.roots.mcpUrl}/mcp${query}`, { headers });

	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 0, auditSeconds: 3600 });
		main = await open({ authorization: `Bearer ${sandbox.keys.main}` });
	});
	afterAll(async () => {
		await main.close();
		await sandbox.close();
	});
	beforeEach(() => sandbox.reset());

	const resultOf = async (name: string, args: Record<string, unknown> = {}) => {
		const { structuredContent, content } = await main.call(name, args);
		expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
		return structuredContent;
	};

	it('of lookups answer and charge as their endpoints do', async () => {
		const post_url = 'https://forum.example/r/gardening/comments/1abc/lanterns';
		const message = { number: PHONE.onWhatsApp, message: 'hello' };
		const number = { phone_number: '+442079460123' };
		const pairs = [
			['validate_phone', number, 'phone', number],
			['lookup_caller_id', number, 'caller', number],
			['verify_email', { email: 'a@shop.example' }, 'email', { email: 'a@shop.example' }],
			['locate_ip', { ip: '8.8.8.8' }, 'geo', { ip: '8.8.8.8' }],
			['send_whatsapp_message', message, 'send', message],
			['search_forum', { query: 'x' }, 'forumSearch', { query: 'x' }],
			['get_forum_post', { post_url }, 'forumPost', { post_url }],
			['search_microblog', { query: 'x' }, 'microblogSearch', { query: 'x' }],
			['get_microblog_post', { post_url }, 'microblogPost', { post_url }],
			['get_microblog_comments', { post_url }, 'microblogComments', { post_url }],
			['get_balance', {}, 'balance', {}],
		] as const;
		// The standing, the balances and the IDs of messages differ from call to call.
		const still = (body: unknown) =>
			JSON.stringify(body).replace(/"(balance|ratelimit_\w+|message_id|\w+_balance)":[^,}]+/g, '');
		for (const [tool, args, place, query] of pairs) {
			sandbox.clearLog();
			expect(still(await resultOf(tool, args))).toBe(
				still((await ask(sandbox, place, query)).body),
			);
			// The client asks for a stream of its own, which the server does not have
			const made = sandbox.log.filter(({ status }) => status !== 405);
			const charges = made.map(({ charged }) => charged);
			expect([tool, ...charges]).toEqual([tool, charges[0], charges[0]]);
			expect(charges[0]).toBe(tool === 'get_balance' ? 0 : 1);
		}
		expect(sandbox.messages(sandbox.keys.main)).toHaveLength(2);
	});

	it('submit, poll and list batches, and only the first costs', async () => {
		const key = sandbox.keys.main;
		const first = await resultOf('submit_whatsapp_batch', { phone_numbers: [PHONE.onWhatsApp] });
		sandbox.finishBatches();
		const phone_numbers = [PHONE.onWhatsApp, PHONE.onWhatsApp, PHONE.notOnWhatsApp];
		const second = await resultOf('submit_whatsapp_batch', { phone_numbers });
		expect(second).toMatchObject({ total_numbers: 2, status: 'processing' });
		const { batch_id } = first as { batch_id: string };
		const whole = await resultOf('get_whatsapp_batch', { batch_id });
		expect(whole).toMatchObject({ status: 'completed', results: [{ numberstatus: true }] });
		const short = await resultOf('get_whatsapp_batch', { batch_id, include_results: false });
		expect(short).toMatchObject({ status: 'completed', completed: 1 });
		expect(short).not.toHaveProperty('results');
		const listed = async (args: object) =>
			((await resultOf('list_whatsapp_batches', { ...args }))?.batches as object[]) ?? [];
		expect(await listed({})).toMatchObject([{ batch_id: second?.batch_id }, { batch_id }]);
		expect(await listed({ limit: 1 })).toHaveLength(1);
		expect(await listed({ status: 'completed' })).toMatchObject([{ batch_id, completed: 1 }]);
		expect(sandbox.spent(key).whatsapp).toBe(3);
	});

	it('run, poll and list audits, and only the first costs', async () => {
		const brand = { brand_url: 'https://lantern.example' };
		const first = await resultOf('run_audit', { ...brand, brand_name: magic.AUDIT.failingBrand });
		sandbox.finishAudits();
		const competitors = ['Harbour'];
		const second = await resultOf('run_audit', { ...brand, brand_name: 'Lantern', competitors });
		const { audit_id } = second as { audit_id: string };
		expect(await resultOf('get_audit', { audit_id })).toMatchObject({ status: 'pending' });
		expect(await resultOf('get_audit_summary', { audit_id })).toMatchObject({ progress: 0 });
		const listed = async (args: object) => (await resultOf('list_audits', { ...args }))?.audits;
		expect(await listed({})).toMatchObject([{ audit_id }, { audit_id: first?.audit_id }]);
		expect(await listed({ status: 'failed' })).toMatchObject([{ status: 'failed' }]);
		expect(sandbox.spent(sandbox.keys.main).audit).toBe(2);
	});

	it('fail with isError where their endpoints answer an error, in content and structure', async () => {
		const result = await main.call('search_forum', { query: SCRAPER.fails });
		const body = { status: false, error: expect.any(String) };
		expect(result).toMatchObject({ isError: true, structuredContent: body });
		const batch = await main.call('get_whatsapp_batch', { batch_id: 'x', include_results: false });
		expect(batch).toMatchObject({
			isError: true,
			structuredContent: { error: 'Batch not found or access denied.' },
		});
	});

	it('refuse invalid arguments, and unknown tools', async () => {
		const wrong: Array<[string, Record<string, unknown>]> = [
			['validate_phone', {}],
			['validate_phone', { phone_number: 12025550102 }],
			['validate_phone', { phone_number: '+442079460123', detail: 'all' }],
			['list_audits', { limit: 0 }],
			['get_balance', { anything: true }],
		];
		for (const [name, args] of wrong) {
			const { isError, content } = await main.call(name, args);
			expect([name, isError, JSON.stringify(content)]).toEqual([
				name,
				true,
				expect.stringContaining('Invalid arguments'),
			]);
		}
		await expect(main.call('make_coffee')).rejects.toThrow('Unknown tool');
		expect(sandbox.log.every(({ charged }) => charged === 0)).toBe(true);
	});

	it('use the first key in the order of SPEC, right or wrong', async () => {
		const { main: right, other } = sandbox.keys;
		const orders: Array<[Record<string, string>, string, string | undefined]> = [
			[{ authorization: `Bearer ${right}`, 'x-api-key': 'wrong' }, '?api_key=wrong', right],
			[{ 'x-api-key': other }, `?api_key=${right}`, other],
			[{ authorization: 'Bearer wrong', 'x-api-key': right }, `?api_key=${right}`, undefined],
			[{ 'x-api-key': 'wrong' }, `?api_key=${right}`, undefined],
			[{ authorization: 'Basic wrong' }, `?api_key=${right}`, right],
		];
		for (const [headers, query, payer] of orders) {
			sandbox.reset();
			const connected = await open(headers, query);
			const { isError } = await connected.call('locate_ip', { ip: '8.8.8.8' });
			expect(isError === true).toBe(payer === undefined);
			const spent = [right, other].map((key) => sandbox.spent(key).geoip);
			expect(spent).toEqual([right, other].map((key) => (key === payer ? 1 : 0)));
			await connected.close();
		}
	});
});
