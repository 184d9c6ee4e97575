import { BinaryDataService } from 'n8n-core';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { magic, startSandbox, type Sandbox } from '../sandbox';
import { AT_ONCE, release, type NodeRun } from '../harness/n8n';
import { openEditor } from '../harness/n8nLoadOptions';
import { isHandshake } from '../sandbox/faults/faultRules';
import { credentialsOf, expectOnlyE164, runnerOn } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';
import { startToolServer } from '../harness/toolServers';

const resource = 'toolServer';
const checkHealth = { resource, operation: 'checkHealth' };
const listTools = { resource, operation: 'listTools' };

const byName = (value: string) => ({ __rl: true, mode: 'name', value });
const callTool = (tool: string, args: unknown = {}, more: object = {}) => ({
	...{ resource, operation: 'callTool', tool: byName(tool), argumentsMode: 'json' },
	argumentsJson: typeof args === 'string' ? args : JSON.stringify(args),
	...more,
});
/** As the editor saves a form: the values, and the fields that the tool had. */
const withForm = (tool: string, value: object, types: Record<string, string>) => ({
	...{ resource, operation: 'callTool', tool: byName(tool), argumentsMode: 'fields' },
	toolArguments: {
		...{ mappingMode: 'defineBelow', value, matchingColumns: [] },
		...{ attemptToConvertTypes: false, convertFieldsToString: false },
		schema: Object.entries(types).map(([id, type]) => ({
			...{ id, displayName: id, type, required: false, removed: false },
			...{ display: true, defaultMatch: false, canBeUsedToMatch: false },
		})),
	},
});

const linksOf = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
const links = (...items: number[]) => items.map((item) => ({ item }));
const messageOf = (run: NodeRun) => (run.error as Error | undefined)?.message;
const EMAILS = ['ada', 'eve', 'ida'].map((name) => ({ email: `${name}@mail.example` }));

describe(`the tool server, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const run = runnerOn(() => sandbox);
	const calls = () => sandbox.log.filter((record) => !isHandshake(record));

	it('is paid once over all tries, although it answers at another path in the next try', async () => {
		sandbox.fault({ kind: 'status', status: 404, host: 'tools', times: 1, handshake: true });
		const items = [{ args: '[]' }, { args: JSON.stringify(EMAILS[0]) }];
		const result = await run(callTool('verify_email', '={{ $json.args }}'), {
			// n8n tries again for the first item's sake
			...{ items, onError: 'continueRegularOutput', retryOnFail: true, maxTries: 2 },
		});

		expect(calls().map(({ path }) => path)).toEqual(['/']);
		expect(sandbox.spent(sandbox.keys.main).email).toBe(1);
		expect(result.items()[1].json).toMatchObject({ source: 'memory', tool: 'verify_email' });
	});

	describe('the key', () => {
		it('goes as a Bearer header with a call, and Additional Parameters are left out', async () => {
			const options = { additionalParameters: { parameter: [{ name: 'method', value: 'x' }] } };
			const result = await run(callTool('get_balance', {}, { options }), { items: EMAILS });

			expect([result.status, messageOf(result)]).toEqual(['success', undefined]);
			expect(calls()).toHaveLength(3);
			for (const { headers, method, path, query, body, url } of calls()) {
				expect([method, path, query]).toEqual(['POST', '/mcp', {}]);
				expect(headers).toMatchObject({
					authorization: `Bearer ${sandbox.keys.main}`,
					accept: 'application/json, text/event-stream',
					'content-type': expect.stringContaining('application/json'),
					'mcp-protocol-version': expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
				});
				expect(JSON.stringify([body, url, { ...headers, authorization: '' }])).not.toContain(
					sandbox.keys.main,
				);
				expect(body).toEqual({
					...{ jsonrpc: '2.0', id: expect.any(Number), method: 'tools/call' },
					params: {
						...{ name: 'get_balance', arguments: {} },
						_meta: { progressToken: expect.any(Number) },
					},
				});
			}
		});

		it('is not needed to list tools, and no empty one is sent; a call needs it', async () => {
			for (const apiKey of ['', '  '])
				expect((await run(listTools, { credential: { apiKey } })).items()).toHaveLength(19);
			const result = await run(callTool('get_balance'), { credential: { apiKey: '' } });
			expect(messageOf(result)).toMatch(
				/Authentication required.*Check the API key.*You weren't charged/,
			);
			const sent = calls().map(({ headers }) => headers.authorization);
			expect(sent).toEqual([undefined, undefined, undefined]);
		});

		it('is not sent to the health check', async () => {
			const result = await run(checkHealth, { items: EMAILS });

			const json = { healthy: true, status: 'ok', outcome: 'positive' };
			expect(result.items()).toMatchObject([{ json, pairedItem: links(0, 1, 2) }]);
			expect(JSON.stringify(sandbox.log)).not.toContain(sandbox.keys.main);
			expect(receiptOf(result.hints())).toMatchObject({ calls: 0, credits: {} });
		});
	});

	describe('Call Tool', () => {
		it('takes arguments as JSON, item by item', async () => {
			const parameters = callTool('verify_email', '={{ { email: $json.email } }}');
			const result = await run(parameters, { items: EMAILS });

			expect([result.status, messageOf(result)]).toEqual(['success', undefined]);
			expect(result.items().map(({ json }) => json.result)).toMatchObject(EMAILS);
			expect(linksOf(result.items())).toEqual(links(0, 1, 2));
			expect(sandbox.spent(sandbox.keys.main).email).toBe(3);
			expect(receiptOf(result.hints())).toMatchObject({
				...{ items: 3, calls: 3, unpriced: { 'tool server': 3 } },
			});
		});

		it('takes arguments from its form, with the types of the tool', async () => {
			const other = await startToolServer();
			const values = { text: '={{ $json.text }}', loud: true, tags: '["a","b"]' };
			const parameters = withForm(
				'echo',
				{ ...values, more: '={{ { a: 1 } }}', count: '={{ $json.count }}' },
				{ text: 'string', loud: 'boolean', tags: 'array', more: 'object', count: 'number' },
			);
			const items = [
				{ text: 'Hi', count: '2' },
				{ text: 'b', count: 3 },
				{ text: 'Hi', count: '' },
			];
			const result = await run(parameters, { items, credential: { mcpUrl: other.url } });
			await other.close();

			const rest = { loud: true, tags: ['a', 'b'], more: { a: 1 } };
			const said = [{ text: 'Hi', count: 2 }, items[1], { text: 'Hi' }];
			expect(result.items().map(({ json }) => json.result)).toEqual(
				said.map((each) => ({ said: { ...each, ...rest } })),
			);
			expect(linksOf(result.items())).toEqual(links(0, 1, 2));
		});

		describe('returns images as binary data, and if n8n cannot store one', () => {
			const parameters = callTool('get_audit_summary', { audit_id: magic.TOOL.imageAudit });
			const { prototype } = BinaryDataService;
			/** The store has no room for the first file. */
			const withFullStore = () =>
				jest.spyOn(prototype, 'store').mockRejectedValueOnce(new Error('no space left'));
			afterEach(() => jest.restoreAllMocks());
			const keeping = { ifSomeItemsFail: 'keepPaidResults', [AT_ONCE]: 1 };

			it.each([
				['Return the Paid Results', keeping, {}],
				['Continue On Fail', {}, { onError: 'continueRegularOutput' as const }],
			])('keeps its answer, and the other items, with %s', async (_, options, more) => {
				withFullStore();
				const result = await run({ ...parameters, options }, { items: EMAILS, ...more });

				expect([result.status, messageOf(result)]).toEqual(['success', undefined]);
				const items = result.items();
				expect(linksOf(items)).toEqual(links(0, 1, 2));
				expect(items[0].binary).toBeUndefined();
				for (const { binary, json } of items.slice(1)) {
					expect(Object.keys(binary!)).toEqual(['data']);
					expect(binary!.data).toMatchObject({ mimeType: 'image/png', fileName: 'image.png' });
					expect(atob(binary!.data.data).slice(1, 4)).toBe('PNG');
					expect(json).toMatchObject({ tool: 'get_audit_summary', result: null, reason: null });
				}
				expect(items[0].json).toMatchObject({
					...{ tool: 'get_audit_summary', source: 'service' },
					reason: expect.stringMatching(
						/^The files in the answer couldn't be stored: no space left\. Check n8n's binary data storage, .*You weren't charged\.$/,
					),
				});
			});

			it.each([
				['auto', /^The files in the answer .*: no space left\. .*You weren't charged\. \[item 0\]/],
				['no', /^The files in the answer .*: no space left\. (?!.*You weren't charged)/],
			])('a retry stores it, free or paid once (Tool Is Free: %s)', async (toolIsFree, words) => {
				const options = { [AT_ONCE]: 1, toolIsFree };
				withFullStore();
				const failed = await run({ ...parameters, options }, { items: EMAILS });
				expect(messageOf(failed)).toMatch(words);
				sandbox.clearLog();

				withFullStore();
				const retried = { items: EMAILS, retryOnFail: true, maxTries: 2 };
				const result = await run({ ...parameters, options }, retried);
				const stored = result.items().map(({ binary }) => binary !== undefined);
				expect(stored).toEqual(EMAILS.map(() => true));
				if (toolIsFree === 'no') expect(calls()).toHaveLength(3);
			});
		});

		it.each<[tool: string, args: object, toolIsFree: string, isFree: boolean]>([
			['get_balance', {}, 'auto', true],
			['get_audit_summary', { audit_id: magic.TOOL.imageAudit }, 'auto', true],
			['verify_email', EMAILS[0], 'yes', true],
			['verify_email', EMAILS[0], 'auto', false],
			['get_balance', {}, 'no', false],
		])(
			'%s %j with Tool Is Free "%s" is repeated without an answer, within any limit: %p',
			async (tool, args, toolIsFree, isFree) => {
				sandbox.fault({ kind: 'resetAfterCharge', host: 'tools', times: 1 });
				const options = { toolIsFree };
				const more = { options, spendingLimits: { maxPaidLookups: 1 } };
				const items = isFree ? EMAILS : [{}];
				const onError = 'continueRegularOutput';
				const result = await run(callTool(tool, args, more), { items, onError });

				expect(calls()).toHaveLength(isFree ? EMAILS.length + 1 : 1);
				expect(/may have been charged/.test(JSON.stringify(result.items()))).toBe(!isFree);
				expect(receiptOf(result.hints())).toMatchObject(
					isFree ? { calls: 0, open: 0, retries: 1 } : { calls: 1, open: 1 },
				);
			},
		);
	});

	describe('the editor', () => {
		const editor = async (parameters: object, credential: object = {}) =>
			await openEditor(
				{ resource, operation: 'callTool', ...parameters } as INodeParameters,
				credentialsOf(sandbox, credential),
			);
		const search = async (filter?: string, credential?: object) => {
			const { context, methods } = await editor({}, credential);
			return (await methods.listSearch!.searchTools.call(context, filter)).results;
		};
		const form = async (tool: unknown, credential?: object) => {
			const { context, methods } = await editor({ tool }, credential);
			return await methods.resourceMapping!.getToolArguments.call(context);
		};

		it('lists the tools of the server by name, without a key too, and finds them by words', async () => {
			const all = await search();
			expect(all).toHaveLength(19);
			const names = all.map(({ name }) => name);
			expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
			const value = 'get_balance';
			const found = [{ name: value, value, description: expect.any(String) as string }];
			expect(await search('BALANCE')).toEqual(found);
			expect((await search(' microblog ')).length).toBeGreaterThan(2);
			expect(await search('no such tool')).toEqual([]);
			expect(await search('', { apiKey: '' })).toEqual(all);
			expect(sandbox.spent(sandbox.keys.main)).toMatchObject({ whatsapp: 0, scraper: 0 });
		});

		it('shows the title of a tool, and stores its name', async () => {
			const other = await startToolServer({ sessions: true });
			const found = await search('echo', { mcpUrl: other.url });
			expect(found).toMatchObject([{ name: 'Echo', value: 'echo' }]);
			expect(other.openSessions()).toBe(0);
			await other.close();
		});

		it('shows the arguments of a tool from the list, or by its name, as a form', async () => {
			const { fields } = await form(byName('validate_phone'));
			expect(fields.map(({ id, type, required }) => [id, type, required])).toEqual([
				['phone_number', 'string', true],
				['country_code', 'string', false],
				['detail', 'options', false],
			]);
			const options = ['detailed', 'basic'].map((value) => ({ name: value, value }));
			expect(fields[2].options).toEqual(options);
			expect(await form({ ...byName('validate_phone'), mode: 'list' })).toMatchObject({ fields });
		});

		it.each([
			[byName(''), /Choose a tool/],
			[byName('nope'), /no tool "nope"/],
			[byName('get_balance'), /no arguments/],
		])('says why there is no form for %j', async (tool, words) => {
			const emptyFieldsNotice = expect.stringMatching(words) as string;
			expect(await form(tool)).toMatchObject({ fields: [], emptyFieldsNotice });
		});

		it('never puts an expression of the server into the workflow', async () => {
			const planted = '={{ $env.SECRET }}';
			const properties = { a: { enum: ['safe', planted], default: planted, description: planted } };
			const inputSchema = { type: 'object', required: ['a'], properties };
			const tools = [
				{ name: planted, description: planted, inputSchema },
				{ name: 'x {{ $env }}', inputSchema },
				{ name: 'titled', title: planted, description: planted, inputSchema },
				{ name: 'odd', inputSchema: { properties: { [planted]: {} } } },
			];
			const other = await startToolServer({
				instead: ({ rpc, message }) => {
					const body = { jsonrpc: '2.0', id: message?.id, result: { tools } };
					return rpc === 'tools/list' ? { status: 200, body } : undefined;
				},
			});
			const credential = { mcpUrl: other.url };
			const choices = await search('', credential);
			const { fields } = await form(byName('titled'), credential);
			const odd = await form(byName('odd'), credential);
			const gone = await form(byName('<img src=//x>'), credential);
			await other.close();

			expect(choices.map(({ name, value }) => [name, value])).toEqual(
				['odd', 'titled'].map((name) => [name, name]),
			);
			expect(fields).toMatchObject([{ id: 'a', options: [{ name: 'safe', value: 'safe' }] }]);
			// n8n stores the fields with the workflow, and runs each text in them that begins with "="
			expect(JSON.stringify(fields)).not.toContain('"=');
			expect(odd).toEqual({ fields: [], emptyFieldsNotice: expect.stringMatching(/JSON/) });
			expect(gone.emptyFieldsNotice).toContain('&lt;img');
		});

		it.each<[object, RegExp]>([
			[{ mcpUrl: '' }, /no Tool Server URL/],
			[{ mcpUrl: 'http://127.0.0.1:1' }, /refused.*Check the URL/],
		])('says what is wrong with %j', async (credential, words) => {
			await expect(search('', credential)).rejects.toThrow(words);
			await expect(form(byName('get_balance'), credential)).rejects.toThrow(words);
		});
	});
});
