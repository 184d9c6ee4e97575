import { BinaryDataService } from 'n8n-core';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { magic, startSandbox, type Sandbox } from '../sandbox';
import { AT_ONCE, release, type NodeRun } from '../harness/n8n';
import { openEditor } from '../harness/n8nLoadOptions';
import { isHandshake } from '../sandbox/faults/faultRules';
import { credentialsOf, expectOnlyE164, runnerOn } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';
import { startToolServer, type ToolServer } from '../harness/toolServers';

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
const withForm = (tool: string, value: object, schema: Array<[id: string, type: string]>) => ({
	...{ resource, operation: 'callTool', tool: byName(tool), argumentsMode: 'fields' },
	toolArguments: {
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [],
		attemptToConvertTypes: false,
		convertFieldsToString: false,
		schema: schema.map(([id, type]) => ({
			...{ id, displayName: id, type, required: false, removed: false },
			...{ display: true, defaultMatch: false, canBeUsedToMatch: false },
		})),
	},
});

const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);
const linksOf = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
const links = (...items: number[]) => items.map((item) => ({ item }));
const messageOf = (run: NodeRun) => (run.error as Error | undefined)?.message;
const EMAILS = ['ada', 'eve', 'ida'].map((name) => ({ email: `${name}@mail.example` }));

const KEEPS_GOING = { onError: 'continueRegularOutput' as const };

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
	const argumentsSent = () =>
		calls().map(({ body }) => {
			const { params } = body as { params: IDataObject };
			return { name: params.name, arguments: params.arguments };
		});
	const methodsSent = () =>
		calls().map(({ method, body }) => (body as { method?: string })?.method ?? method);

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
		it('goes as a Bearer header with a call, and nowhere else', async () => {
			const result = await run(callTool('get_balance'), { items: EMAILS });

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

		it('is not needed to list tools, and no empty one is sent', async () => {
			for (const apiKey of ['', '  ']) {
				const result = await run(listTools, { credential: { apiKey } });
				expect(result.items()).toHaveLength(19);
			}
			expect(calls().map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
		});

		it('is not sent to the health check', async () => {
			const result = await run(checkHealth, { items: EMAILS });

			expect(jsonOf(result.items())).toEqual([
				expect.objectContaining({ healthy: true, status: 'ok', outcome: 'positive' }),
			]);
			expect(linksOf(result.items())).toEqual([links(0, 1, 2)]);
			expect(JSON.stringify(sandbox.log)).not.toContain(sandbox.keys.main);
			expect(receiptOf(result.hints())).toMatchObject({ calls: 0 });
		});

		it('that is missing is reported in the words of the server', async () => {
			const result = await run(callTool('get_balance'), { credential: { apiKey: '' } });
			expect(messageOf(result)).toMatch(
				/Authentication required.*Check the API key.*You weren't charged/,
			);
			expect(calls()).toHaveLength(1);
		});
	});

	describe('List Tools', () => {
		it('returns one item per tool, in every output', async () => {
			const simple = await run(listTools);
			expect(simple.items()).toHaveLength(19);
			expect(simple.items()[0].json).toEqual({
				...{ outcome: 'positive', source: 'service', reason: null },
				...{ name: 'check_whatsapp_number', title: null, description: expect.any(String) },
				argumentList: 'number (string, required)',
			});
			expect(receiptOf(simple.hints())).toMatchObject({ calls: 0, credits: {} });

			const raw = await run({ ...listTools, output: 'raw' });
			expect(raw.items()[0].json.response).toMatchObject({
				name: 'check_whatsapp_number',
				inputSchema: { type: 'object', required: ['number'] },
			});

			const selected = { output: 'selectedFields', selectedFields: ['name', 'inputSchema'] };
			const chosen = await run({ ...listTools, ...selected });
			expect(chosen.items()[0].json).toEqual({
				name: 'check_whatsapp_number',
				inputSchema: expect.objectContaining({ type: 'object' }),
			});
		});
	});

	describe('Call Tool', () => {
		it('takes arguments as JSON, item by item', async () => {
			const result = await run(callTool('verify_email', '={{ { email: $json.email } }}'), {
				items: EMAILS,
			});

			expect([result.status, messageOf(result)]).toEqual(['success', undefined]);
			expect(result.items().map(({ json }) => (json.result as IDataObject).email)).toEqual(
				EMAILS.map(({ email }) => email),
			);
			expect(linksOf(result.items())).toEqual(links(0, 1, 2));
			expect(sandbox.spent(sandbox.keys.main).email).toBe(3);
			expect(receiptOf(result.hints())).toMatchObject({
				...{ items: 3, calls: 3, unpriced: { 'tool server': 3 } },
			});
		});

		it('takes arguments from its form, with the types of the tool', async () => {
			const parameters = withForm(
				'search_forum',
				{ query: '={{ $json.query }}', limit: '={{ $json.limit }}' },
				[
					['query', 'string'],
					['limit', 'number'],
				],
			);
			const items = [
				{ query: 'a', limit: '2' },
				{ query: 'b', limit: 3 },
				{ query: 'a', limit: '' },
			];
			const result = await run(parameters, { items });

			expect([result.status, messageOf(result)]).toEqual(['success', undefined]);
			expect(argumentsSent()).toEqual([
				{ name: 'search_forum', arguments: { query: 'a', limit: 2 } },
				{ name: 'search_forum', arguments: { query: 'b', limit: 3 } },
				{ name: 'search_forum', arguments: { query: 'a' } },
			]);
			expect(linksOf(result.items()).slice(0, 5)).toEqual(links(0, 0, 1, 1, 1));
		});

		it('takes lists, objects, switches and choices from its form', async () => {
			const other = await startToolServer();
			const parameters = withForm(
				'echo',
				{ text: 'Hi', loud: true, tags: '["a","b"]', more: '={{ { a: 1 } }}', count: 3 },
				[
					...(['text', 'loud', 'tags', 'more', 'count'] as const).map(
						(id, index): [string, string] => [
							id,
							['string', 'boolean', 'array', 'object', 'number'][index],
						],
					),
				],
			);
			const result = await run(parameters, { credential: { mcpUrl: other.url } });
			await other.close();

			expect([result.status, messageOf(result)]).toEqual(['success', undefined]);
			expect(result.items()[0].json.result).toEqual({
				said: { text: 'Hi', loud: true, tags: ['a', 'b'], more: { a: 1 }, count: 3 },
			});
		});

		it('returns images as binary data', async () => {
			const args = { audit_id: magic.TOOL.imageAudit };
			const result = await run(callTool('get_audit_summary', args), { items: EMAILS });

			expect([result.status, messageOf(result)]).toEqual(['success', undefined]);
			expect(linksOf(result.items())).toEqual(links(0, 1, 2));
			for (const { binary, json } of result.items()) {
				expect(binary).toEqual({
					data: expect.objectContaining({ mimeType: 'image/png', fileName: 'image.png' }),
				});
				expect(json).toMatchObject({ tool: 'get_audit_summary', result: null });
				const bytes = Buffer.from(binary!.data.data, 'base64');
				expect(bytes.subarray(1, 4).toString()).toBe('PNG');
			}
		});

		describe('whose image n8n cannot store', () => {
			const parameters = callTool('get_audit_summary', { audit_id: magic.TOOL.imageAudit });
			/** The store has no room for the first file, or not for it alone. */
			const withFullStore = () =>
				jest
					.spyOn(BinaryDataService.prototype, 'store')
					.mockRejectedValueOnce(new Error('no space left'));
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
				expect(items.map(({ binary }) => binary !== undefined)).toEqual([false, true, true]);
				expect(items[0].json).toMatchObject({
					...{ tool: 'get_audit_summary', source: 'service' },
					reason: expect.stringMatching(
						/^The files in the answer couldn't be stored: no space left\. Check n8n's binary data storage, .*You weren't charged\.$/,
					),
				});
				expect(items.slice(1).map(({ json }) => json.reason)).toEqual([null, null]);
			});

			it('is not paid for again by a retry, if its call has a price', async () => {
				const options = { [AT_ONCE]: 1, toolIsFree: 'no' };
				withFullStore();
				const failed = await run({ ...parameters, options }, { items: EMAILS });
				expect(messageOf(failed)).toMatch(/no space left\./);
				expect(messageOf(failed)).not.toMatch(/You weren't charged/);
				sandbox.clearLog();

				withFullStore();
				const retried = { items: EMAILS, retryOnFail: true, maxTries: 2 };
				const result = await run({ ...parameters, options }, retried);
				expect(result.items().map(({ binary }) => binary !== undefined)).toEqual([
					...[true, true, true],
				]);
				expect(calls()).toHaveLength(3);
			});

			it('fails with Stop at the First Failure, and a retry stores it', async () => {
				const options = { [AT_ONCE]: 1 };
				withFullStore();
				const failed = await run({ ...parameters, options }, { items: EMAILS });
				expect(messageOf(failed)).toMatch(
					/^The files in the answer couldn't be stored: no space left\. .*You weren't charged\. \[item 0\]$/,
				);

				withFullStore();
				const retried = { items: EMAILS, retryOnFail: true, maxTries: 2 };
				const result = await run({ ...parameters, options }, retried);
				expect(result.items().map(({ binary }) => binary !== undefined)).toEqual([
					true,
					true,
					true,
				]);
			});
		});

		it('returns the result of the protocol as Raw', async () => {
			const result = await run({ ...callTool('get_balance'), output: 'raw' });
			expect(result.items()[0].json.response).toMatchObject({
				content: [{ type: 'text' }],
				structuredContent: { status: true },
			});
		});

		it.each(['continueRegularOutput', 'continueErrorOutput', 'stopWorkflow'] as const)(
			'returns an error of the tool as the error of its item (%s)',
			async (onError) => {
				const items = ['a', 'upstream-failure', 'b'].map((query) => ({ query }));
				const parameters = callTool('search_forum', '={{ { query: $json.query, limit: 1 } }}', {
					options: { [AT_ONCE]: 1 },
				});
				const result = await run(parameters, { items, onError });
				const words = /The platform could not be reached.*You may have been charged.*\[item 1\]$/;

				if (onError === 'stopWorkflow') {
					expect(messageOf(result)).toMatch(words);
					expect(calls()).toHaveLength(2);
					return;
				}
				expect(calls()).toHaveLength(3);
				const failed = onError === 'continueErrorOutput' ? result.items(1) : [result.items()[1]];
				expect(linksOf(failed)).toEqual(links(1));
				expect(failed[0].json.error).toMatch(words);
				expect(receiptOf(result.hints())).toMatchObject({ items: 3, failed: 1, calls: 3, open: 1 });
				expect(sandbox.spent(sandbox.keys.main).scraper).toBe(2);
			},
		);

		it('sends arguments with the names of inherited members, at any depth', async () => {
			const args = { constructor: 1, prototype: { constructor: { toString: 'a' } } };
			await run(callTool('get_balance', JSON.stringify(args)));
			expect(argumentsSent()).toEqual([{ name: 'get_balance', arguments: args }]);
		});

		it.each<[tool: string, args: object]>([
			['get_balance', {}],
			['list_whatsapp_batches', { limit: 1 }],
			['list_audits', {}],
			['get_whatsapp_batch', { batch_id: 'b' }],
			['get_audit', { audit_id: 'a' }],
			['get_audit_summary', { audit_id: magic.TOOL.imageAudit }],
		])('%s is free: it is repeated without an answer, within any limit', async (tool, args) => {
			sandbox.fault({ kind: 'resetAfterCharge', host: 'tools', times: 1 });
			const more = { spendingLimits: { maxPaidLookups: 1 } };
			const result = await run(callTool(tool, args, more), { items: EMAILS, ...KEEPS_GOING });

			expect(calls()).toHaveLength(EMAILS.length + 1);
			expect(JSON.stringify(jsonOf(result.items()))).not.toMatch(/may have been charged/);
			expect(receiptOf(result.hints())).toMatchObject({ calls: 0, retries: 1 });
		});

		it.each([
			['verify_email', EMAILS[0], 'yes', 2],
			['verify_email', EMAILS[0], 'auto', 1],
			['get_balance', {}, 'no', 1],
		])(
			'%s %j that is free by the user: %j, called %d times',
			async (tool, args, toolIsFree, times) => {
				sandbox.fault({ kind: 'resetAfterCharge', host: 'tools', times: 1 });
				const result = await run(callTool(tool, args, { options: { toolIsFree } }), KEEPS_GOING);

				expect(calls()).toHaveLength(times);
				const { calls: paid, open } = receiptOf(result.hints())!;
				expect([paid, open]).toEqual(times === 1 ? [1, 1] : [0, 0]);
			},
		);

		it('leaves out Additional Parameters, which JSON-RPC has no place for', async () => {
			const options = { additionalParameters: { parameter: [{ name: 'method', value: 'x' }] } };
			const result = await run(callTool('get_balance', {}, { options }));
			expect([result.status, messageOf(result)]).toEqual(['success', undefined]);
			expect(methodsSent()).toEqual(['tools/call']);
		});
	});

	describe('an address', () => {
		let other: ToolServer;
		afterEach(async () => await other.close());

		it('of another service is reported as no tool server', async () => {
			other = await startToolServer({ path: '/mcp' });
			const result = await run(callTool('words'), { credential: { mcpUrl: `${other.url}/api` } });
			expect(messageOf(result)).toMatch(
				/No tool server answers.*Check the URL in the credential.*You weren't charged/,
			);
		});
	});

	describe('the editor', () => {
		const editor = async (parameters: INodeParameters = {}, credential: object = {}) =>
			await openEditor(
				{ resource, operation: 'callTool', ...parameters },
				credentialsOf(sandbox, credential),
			);
		const search = async (filter?: string, credential?: object) => {
			const { context, methods } = await editor({}, credential);
			return (await methods.listSearch!.searchTools.call(context, filter)).results;
		};
		const form = async (tool: unknown, credential?: object) => {
			const { context, methods } = await editor({ tool } as INodeParameters, credential);
			return await methods.resourceMapping!.getToolArguments.call(context);
		};

		it('lists the tools of the server, by name and without a key too', async () => {
			const all = await search();
			expect(all).toHaveLength(19);
			const names = all.map(({ name }) => name);
			expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
			expect(all).toContainEqual({
				...{ name: 'get_balance', value: 'get_balance', description: expect.any(String) },
			});
			expect(await search('', { apiKey: '' })).toHaveLength(19);
			expect(sandbox.spent(sandbox.keys.main)).toMatchObject({ whatsapp: 0, scraper: 0 });
		});

		it('finds tools by their names and descriptions', async () => {
			expect((await search('BALANCE')).map(({ value }) => value)).toEqual(['get_balance']);
			expect((await search(' microblog ')).length).toBeGreaterThan(2);
			expect(await search('no such tool')).toEqual([]);
		});

		it('shows the title of a tool, and stores its name', async () => {
			const other = await startToolServer({ sessions: true, responses: 'json' });
			expect(await search('echo', { mcpUrl: other.url })).toMatchObject([
				{ name: 'Echo', value: 'echo' },
			]);
			expect(other.openSessions()).toBe(0);
			await other.close();
		});

		it.each([[byName('validate_phone')], [{ __rl: true, mode: 'list', value: 'validate_phone' }]])(
			'shows the arguments of %j as a form',
			async (tool) => {
				const { fields } = await form(tool);
				expect(fields.map(({ id, type, required }) => [id, type, required])).toEqual([
					['phone_number', 'string', true],
					['country_code', 'string', false],
					['detail', 'options', false],
				]);
				expect(fields[2].options).toEqual([
					{ name: 'detailed', value: 'detailed' },
					{ name: 'basic', value: 'basic' },
				]);
			},
		);

		it.each([
			[byName(''), /Choose a tool/],
			[byName('nope'), /no tool "nope"/],
			[byName('get_balance'), /no arguments/],
		])('says why there is no form for %j', async (tool, words) => {
			expect(await form(tool)).toMatchObject({
				fields: [],
				emptyFieldsNotice: expect.stringMatching(words),
			});
		});

		it('never puts an expression of the server into the workflow', async () => {
			const planted = '={{ $env.SECRET }}';
			const inputSchema = {
				...{ type: 'object', required: ['a', 'b', 'c'] },
				properties: {
					a: { type: 'string', default: planted, description: planted },
					b: { enum: ['safe', planted, `x {{ $env.SECRET }}`], default: planted },
					c: { type: 'object', default: { x: planted }, title: planted },
				},
			};
			const other = await startToolServer({
				instead: ({ rpc, message }) =>
					rpc === 'tools/list'
						? {
								status: 200,
								body: {
									...{ jsonrpc: '2.0', id: message?.id },
									result: {
										tools: [
											{ name: planted, description: planted, inputSchema },
											{ name: 'x {{ $env }}', inputSchema },
											{ name: 'titled', title: planted, description: planted, inputSchema },
											{ name: 'odd', inputSchema: { properties: { [planted]: {} } } },
										],
									},
								},
							}
						: undefined,
			});
			const credential = { mcpUrl: other.url };
			const choices = await search('', credential);
			const { fields } = await form(byName('titled'), credential);
			const odd = await form(byName('odd'), credential);
			const gone = await form(byName('<img src=//x>'), credential);
			await other.close();

			expect(choices.map(({ name, value }) => [name, value])).toEqual([
				['odd', 'odd'],
				['titled', 'titled'],
			]);
			expect(fields.map(({ id, options }) => [id, options])).toEqual([
				['a', undefined],
				['b', [{ name: 'safe', value: 'safe' }]],
				['c', undefined],
			]);
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
