/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type {
	IConnections,
	ICredentialType,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { UPLOAD, withUpload } from '../../scripts/demo/upload';
import { startSandbox, type Sandbox } from '../sandbox';
import type { CredentialsByType, WorkflowJson } from '../harness/n8n';
import { credentialTest, release, loadPackage, runNode, runWorkflow } from '../harness/n8n';
import { credentialsOf } from '../harness/onSandbox';
import { parseReceipt, receiptOf } from '../harness/parseReceipt';

type Execute = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

function nodeThat(
	execute: Execute,
	description: Partial<INodeType['description']> = {},
	properties: INodeProperties[] = [],
): INodeType {
	return {
		description: {
			displayName: 'Test node',
			name: 'test.node',
			group: ['transform'],
			version: 1,
			description: 'A node of the test',
			defaults: { name: 'Test node' },
			inputs: ['main'],
			outputs: ['main'],
			properties,
			...description,
		},
		execute,
	};
}

const oneNode = (node: INodeType, credentials?: ICredentialType[]) => ({
	type: 'test.node',
	types: { nodes: { 'test.node': node }, credentials },
	parameters: {},
});

const inARow = (...names: string[]): IConnections =>
	Object.fromEntries(
		names
			.slice(1)
			.map((node, index) => [names[index], { main: [[{ node, type: 'main', index: 0 }]] }]),
	);

describe(`the harness on n8n ${release}`, () => {
	describe('base nodes', () => {
		const set = (value: string) => ({
			assignments: { assignments: [{ id: '1', name: 'value', value, type: 'string' }] },
			includeOtherFields: true,
		});

		const csv = 'name,country\nLead 01,DE\nLead 02,FR\n';

		it('extracts a CSV file, evaluates expressions and links items', async () => {
			const data = Buffer.from(csv).toString('base64');
			const file = { data: { data, mimeType: 'text/csv', fileExtension: 'csv' } };
			const run = await runWorkflow({
				workflow: {
					nodes: [
						{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
						{ name: 'File', type: 'test.node' },
						{
							name: 'Extract',
							type: 'n8n-nodes-base.extractFromFile',
							parameters: { operation: 'csv' },
						},
						{
							name: 'Set',
							type: 'n8n-nodes-base.set',
							typeVersion: 3.4,
							parameters: set('={{ $json.name }} / {{ $("Extract").item.json.country }}'),
						},
					],
					connections: inARow('Start', 'File', 'Extract', 'Set'),
				},
				types: { nodes: { 'test.node': nodeThat(async () => [[{ json: {}, binary: file }]]) } },
			});

			expect([run.status, run.error?.message]).toEqual(['success', undefined]);
			expect(run.items('Extract').map(({ json }) => json)).toEqual([
				{ name: 'Lead 01', country: 'DE' },
				{ name: 'Lead 02', country: 'FR' },
			]);
			expect(run.items('Set').map(({ json }) => json.value)).toEqual([
				'Lead 01 / DE',
				'Lead 02 / FR',
			]);
		});

		it('reads files into memory on 2.x; this node of n8n 2.x does not load on 1.x', async () => {
			const reading = runNode({
				type: 'n8n-nodes-base.readWriteFile',
				parameters: { fileSelector: join(__dirname, '../../package.json') },
			});
			if (release === '1.x') return await expect(reading).rejects.toThrow(/parameter dependencies/);
			const [{ binary }] = (await reading).items();
			expect(binary?.data).toMatchObject({
				fileName: 'package.json',
				mimeType: 'application/json',
			});
			expect(Buffer.from(binary!.data.data, 'base64').toString()).toContain('"name"');
		});

		it('loops, with the items of every round in order', async () => {
			const run = await runWorkflow({
				workflow: {
					nodes: [
						{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
						{ name: 'Many', type: 'test.node' },
						{
							name: 'Loop',
							type: 'n8n-nodes-base.splitInBatches',
							typeVersion: 3,
							parameters: { batchSize: 2 },
						},
						{
							name: 'Body',
							type: 'n8n-nodes-base.set',
							typeVersion: 3.4,
							parameters: set('={{ $json.n }}'),
						},
					],
					connections: {
						...inARow('Start', 'Many', 'Loop'),
						Loop: { main: [[], [{ node: 'Body', type: 'main', index: 0 }]] },
						Body: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
					},
				},
				types: {
					nodes: {
						'test.node': nodeThat(async () => [[1, 2, 3, 4, 5].map((n) => ({ json: { n } }))]),
					},
				},
			});

			expect(run.runData.Body).toHaveLength(3);
			expect(run.items('Body').map(({ json }) => json.n)).toEqual([1, 2, 3, 4, 5]);
			expect(run.items('Loop', 0)).toHaveLength(5);
		});

		const condition = {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			conditions: [
				{
					id: '1',
					leftValue: '={{ $json.n }}',
					rightValue: 1,
					operator: { type: 'number', operation: 'gt' },
				},
			],
			combinator: 'and',
		};
		const baseNodes: Array<[type: string, version: number, parameters: object, counts: number[]]> =
			[
				['noOp', 1, {}, [2]],
				['if', 2.2, { conditions: condition }, [1, 1]],
				['filter', 2.2, { conditions: condition }, [1, 1]],
				['switch', 3.2, { rules: { values: [{ conditions: condition }] } }, [1]],
				['splitOut', 1, { fieldToSplitOut: 'list' }, [4]],
				[
					'aggregate',
					1,
					{ aggregate: 'aggregateAllItemData', destinationFieldName: 'all', options: {} },
					[1],
				],
				['limit', 1, { maxItems: 1 }, [1]],
				['sort', 1, { sortFieldsUi: { sortField: [{ fieldName: 'n' }] } }, [2]],
				['removeDuplicates', 2, {}, [2]],
				['merge', 3.2, {}, [2]],
				['convertToFile', 1.1, { operation: 'csv' }, [1]],
				['stopAndError', 1, { errorMessage: 'stop' }, []],
			];

		it.each(baseNodes)('runs %s', async (name, typeVersion, parameters, counts) => {
			const run = await runNode({
				type: `n8n-nodes-base.${name}`,
				typeVersion,
				parameters,
				items: [
					{ n: 1, list: [1, 2] },
					{ n: 2, list: [3, 4] },
				],
			});

			expect(run.outputs().map((items) => items.length)).toEqual(counts);
			expect(run.error?.message).toBe(counts.length > 0 ? undefined : 'stop');
		});

		it('says which node type it cannot find', async () => {
			const unknown = runNode({ type: 'n8n-nodes-base.noSuchNode', parameters: {} });
			await expect(unknown).rejects.toThrow(/noSuchNode/);
		});
	});

	describe('one node', () => {
		const word: INodeProperties = {
			displayName: 'Word',
			name: 'word',
			type: 'string',
			default: 'default',
		};
		const echo = nodeThat(
			async function (this: IExecuteFunctions) {
				return [
					this.getInputData().map((item, i) => ({
						json: { ...item.json, word: this.getNodeParameter('word', i) },
						binary: item.binary,
						pairedItem: i,
					})),
				];
			},
			{},
			[word],
		);

		it('resolves defaults and expressions, and takes items whole or as JSON', async () => {
			const byDefault = await runNode({ ...oneNode(echo), items: [{ n: 1 }, { n: 2 }] });
			expect(byDefault.items().map(({ json }) => json)).toEqual([
				{ n: 1, word: 'default' },
				{ n: 2, word: 'default' },
			]);

			const binary = { file: { data: 'AA==', mimeType: 'text/plain' } };
			const whole = await runNode({
				...oneNode(echo),
				parameters: { word: '={{ $json.n + $itemIndex }}' },
				items: [{ json: { n: 1 }, binary }, { json: { n: 2 } }],
			});
			expect(whole.items().map(({ json }) => json.word)).toEqual([1, 3]);
			expect(whole.items()[0].binary).toEqual(binary);
		});

		it('refuses to start while a required parameter is empty, as n8n does', async () => {
			const node = nodeThat(async () => [[]], {}, [{ ...word, required: true, default: '' }]);
			const run = await runNode(oneNode(node));
			expect(run.status).toBe('error');
			expect(run.error?.message).toMatch(/issues/);
			expect(run.runData).toEqual({});
		});

		const failing = nodeThat(async function (this: IExecuteFunctions) {
			if (!this.continueOnFail())
				throw new NodeOperationError(this.getNode(), 'no luck', { itemIndex: 1 });
			return [
				this.getInputData().map(({ json }, item) => ({
					json: json.n === 2 ? { error: 'no luck' } : json,
					pairedItem: { item },
				})),
			];
		});

		it('stops, continues, or uses the error output', async () => {
			const items = [{ n: 1 }, { n: 2 }, { n: 3 }];
			const stop = await runNode({ ...oneNode(failing), items });
			expect(stop.status).toBe('error');
			expect(stop.error?.message).toBe('no luck');
			expect(stop.lastTask().error?.message).toBe('no luck');

			const go = await runNode({ ...oneNode(failing), items, onError: 'continueRegularOutput' });
			expect(go.status).toBe('success');
			expect(go.items().map(({ json }) => json)).toEqual([
				{ n: 1 },
				{ error: 'no luck' },
				{ n: 3 },
			]);

			const fork = await runNode({ ...oneNode(failing), items, onError: 'continueErrorOutput' });
			expect(fork.items(0).map(({ json }) => json)).toEqual([{ n: 1 }, { n: 3 }]);
			expect(fork.items(1).map(({ json }) => json)).toEqual([{ n: 2, error: 'no luck' }]);
		});

		it('retries a failed node as often as it is set to, and keeps the last result', async () => {
			let tries = 0;
			const flaky = nodeThat(async function (this: IExecuteFunctions) {
				if (++tries < 3) throw new NodeOperationError(this.getNode(), `try ${tries}`);
				return [this.getInputData()];
			});
			const enough = await runNode({ ...oneNode(flaky), retryOnFail: true, maxTries: 3 });
			expect([enough.status, tries, enough.items().length]).toEqual(['success', 3, 1]);

			tries = 0;
			const tooFew = await runNode({ ...oneNode(flaky), retryOnFail: true, maxTries: 2 });
			expect([tooFew.status, tries, tooFew.error?.message]).toEqual(['error', 2, 'try 2']);
		});

		it('always outputs data when it is set to', async () => {
			const empty = nodeThat(async () => [[]]);
			expect((await runNode(oneNode(empty))).items()).toHaveLength(0);
			expect((await runNode({ ...oneNode(empty), alwaysOutputData: true })).items()).toHaveLength(
				1,
			);
		});

		it('reports execution hints', async () => {
			const hinting = nodeThat(async function (this: IExecuteFunctions) {
				this.addExecutionHints({ message: 'first' }, { message: 'second', type: 'warning' });
				return [this.getInputData()];
			});
			expect((await runNode(oneNode(hinting))).hints()).toEqual(['first', 'second']);
		});

		it('is canceled through the signal that nodes receive', async () => {
			const controller = new AbortController();
			let sawCancel = false;
			const waiting = nodeThat(async function (this: IExecuteFunctions) {
				const signal = this.getExecutionCancelSignal();
				await new Promise<void>((done) => signal?.addEventListener('abort', () => done()));
				sawCancel = true;
				return [this.getInputData()];
			});
			const run = await runNode({
				...oneNode(waiting),
				signal: controller.signal,
				onNodeStart: (name) => name === 'Node' && setTimeout(() => controller.abort(), 10),
			});
			expect(sawCancel).toBe(true);
			expect(run.status).toBe('canceled');
		});

		it('reports when nodes start and finish', async () => {
			const events: string[] = [];
			await runNode({
				...oneNode(echo),
				onNodeStart: (name) => events.push(`+${name}`),
				onNodeFinish: (name, task) => events.push(`-${name} ${task.executionStatus}`),
			});
			expect(events).toEqual(['+Source', '-Source success', '+Node', '-Node success']);
		});

		it('keeps the context of a node for one execution only', async () => {
			const contexts = new Set<object>();
			const looking = nodeThat(async function (this: IExecuteFunctions) {
				contexts.add(this.getContext('node'));
				if (contexts.size % 2 === 1 && !this.getContext('node').again) {
					this.getContext('node').again = true;
					throw new NodeOperationError(this.getNode(), 'again');
				}
				return [this.getInputData()];
			});
			await runNode({ ...oneNode(looking), retryOnFail: true });
			expect(contexts.size).toBe(1);
			await runNode({ ...oneNode(looking), retryOnFail: true });
			expect(contexts.size).toBe(2);
		});
	});

	describe('credentials', () => {
		let server: Server;
		let url: string;
		const seen: Array<{ url?: string; key?: string }> = [];

		beforeAll(async () => {
			server = createServer((request, response) => {
				seen.push({ url: request.url, key: request.headers['x-key'] as string | undefined });
				const wrongKey = request.url?.includes('wrong') || request.headers['x-key'] === 'wrong';
				const status = request.url?.startsWith('/broken') ? 503 : wrongKey ? 401 : 200;
				response.writeHead(status, { 'content-type': 'application/json' });
				response.end(JSON.stringify({ status: !request.url?.startsWith('/refused') }));
			});
			await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
			url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		});
		afterAll(async () => await new Promise((done) => server.close(done)));
		beforeEach(() => seen.splice(0));

		const field = (name: string, value = ''): INodeProperties => ({
			displayName: name,
			name,
			type: 'string',
			default: value,
		});
		const asObject: ICredentialType = {
			name: 'testObjectApi',
			displayName: 'Test object API',
			properties: [field('key'), field('root'), field('path', '/default')],
			authenticate: {
				type: 'generic',
				properties: { headers: { 'x-key': '={{ $credentials.key }}' } },
			},
			test: {
				request: { baseURL: '={{ $credentials.root }}', url: '={{ $credentials.path }}' },
				rules: [
					{ type: 'responseCode', properties: { value: 401, message: 'The key is wrong' } },
					{
						type: 'responseSuccessBody',
						properties: { key: 'status', value: false, message: 'The service refused' },
					} as never,
				],
			},
		};
		const asFunction: ICredentialType = {
			name: 'testFunctionApi',
			displayName: 'Test function API',
			properties: [field('key'), field('path', '/default')],
			authenticate: async ({ key }, options) => ({ ...options, qs: { ...options.qs, key } }),
		};
		const asking = (credential: string) =>
			nodeThat(
				async function (this: IExecuteFunctions) {
					const { path } = await this.getCredentials(credential);
					await this.helpers.httpRequestWithAuthentication.call(this, credential, {
						url: `${url}${path}`,
					});
					return [this.getInputData()];
				},
				{ credentials: [{ name: credential, required: true }] },
			);

		it('authenticates by object and by function, with defaults and expressions', async () => {
			const byObject = await runNode({
				...oneNode(asking('testObjectApi'), [asObject]),
				credentials: { testObjectApi: { key: 'secret', path: '=/{{ $json.n }}' } },
				items: [{ n: 7 }],
			});
			expect([byObject.status, byObject.error?.message]).toEqual(['success', undefined]);
			const byFunction = await runNode({
				...oneNode(asking('testFunctionApi'), [asFunction]),
				credentials: { testFunctionApi: { key: 'secret' } },
			});
			expect([byFunction.status, byFunction.error?.message]).toEqual(['success', undefined]);
			expect(seen).toEqual([
				{ url: '/7', key: 'secret' },
				{ url: '/default?key=secret', key: undefined },
			]);
		});

		it('fails in n8n’s words without the credential', async () => {
			const run = await runNode(oneNode(asking('testObjectApi'), [asObject]));
			expect(run.error?.message).toMatch(/does not have any credentials set/);
		});

		it('works with the HTTP Request node too', async () => {
			const run = await runNode({
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					url: `${url}/http-request`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'testObjectApi',
				},
				types: { credentials: [asObject] },
				credentials: { testObjectApi: { key: 'secret' } },
			});
			expect([run.status, run.error?.message]).toEqual(['success', undefined]);
			expect(seen).toEqual([{ url: '/http-request', key: 'secret' }]);
		});

		// On 1.x a NodeApiError loses its cause, so rules about HTTP statuses never apply there: not the harness's doing.
		const on2x = (message: RegExp, on1x: RegExp) => (release === '2.x' ? message : on1x);
		const verdicts: Array<[string, object, 'OK' | 'Error', RegExp]> = [
			['a good key', { key: 'good' }, 'OK', /successful/],
			[
				'a wrong key',
				{ key: 'wrong' },
				'Error',
				on2x(/^The key is wrong$/, /^Authorization failed/),
			],
			['a refusal with status 200', { path: '/refused' }, 'Error', /^The service refused$/],
			['another HTTP status', { path: '/broken' }, 'Error', /Service Unavailable/i],
			[
				'a closed port',
				{ root: 'http://127.0.0.1:1' },
				'Error',
				on2x(/^ECONNREFUSED$/, /refused the conn/),
			],
		];
		it.each(verdicts)('is tested as n8n tests it: %s', async (_, data, status, message) => {
			const credentials = { testObjectApi: { key: 'good', root: url, ...data } };
			const result = await credentialTest({ credentials, types: { credentials: [asObject] } });
			expect(result.status).toBe(status);
			expect(result.message).toMatch(message);
		});
	});

	describe('this package', () => {
		let sandbox: Sandbox;
		let credentials: CredentialsByType;
		beforeAll(async () => {
			sandbox = await startSandbox();
			credentials = credentialsOf(sandbox);
		});
		afterAll(async () => await sandbox.close());
		beforeEach(() => sandbox.reset());

		it('loads as n8n loads it', async () => {
			const { nodeTypes, credentialTypes } = await loadPackage();
			expect(Object.keys(nodeTypes)).toContain('lookupMessaging');
			expect(Object.keys(credentialTypes)).toEqual(['lookupMessagingApi']);
		});

		it('runs the node, whose receipt is read from its hint', async () => {
			const emails = [
				'a@example.com',
				'missing@example.com',
				'A@example.com',
				'a@EXAMPLE.com',
				'no',
			];
			const run = await runNode({
				credentials,
				parameters: { resource: 'email', operation: 'verify', email: '={{ $json.email }}' },
				items: emails.map((email) => ({ email })),
			});
			expect([run.status, run.error?.message]).toEqual(['success', undefined]);
			expect(run.items().map(({ json }) => json.input)).toEqual(emails);
			const receipt = receiptOf(run.hints());
			expect(receipt?.items).toBe(emails.length);
			expect(receipt!.calls).toBe(sandbox.log.length);
			expect(receipt?.credits.email).toBe(sandbox.spent(sandbox.keys.main).email);
			expect(receipt?.other).toEqual([]);
		});

		it('tests the credential', async () => {
			const good = await credentialTest({ credentials });
			expect(good).toEqual({ status: 'OK', message: 'Connection successful!' });
			const wrong = { ...credentials.lookupMessagingApi, apiKey: 'wrong' };
			const bad = await credentialTest({ credentials: { lookupMessagingApi: wrong } });
			expect(bad.status).toBe('Error');
		});

		it('runs the example workflow, with its receipt', async () => {
			const examples = join(__dirname, '../../examples');
			const text = readFileSync(
				join(examples, 'workflows/enrich-leads-from-a-csv-file.json'),
				'utf8',
			);
			const csv = readFileSync(join(examples, 'leads.csv'), 'utf8');
			const workflow = withUpload(JSON.parse(text) as WorkflowJson, csv);
			const run = await runWorkflow({ workflow, startNode: UPLOAD, credentials });
			expect([run.status, run.error?.message]).toEqual(['success', undefined]);
			const leads = run.items('Rows');
			expect(run.items('Enrich Lead')).toHaveLength(leads.length);
			expect(run.items('Enrich Lead').map(({ json }) => json.name)).toEqual(
				leads.map(({ json }) => json.name),
			);
			const spent = sandbox.spent(sandbox.keys.main);
			const receipt = receiptOf(run.hints('Enrich Lead'));
			const calls = sandbox.log;
			expect(receipt!.calls).toBe(calls.length);
			expect(receipt?.credits).toEqual({
				...{ phone: spent.phone, email: spent.email },
			});
			expect(Object.keys(receipt?.unpriced ?? {})).toEqual(['whatsapp', 'geoip']);
		});
	});

	describe('the receipt reader', () => {
		it('reads every part, and keeps unknown parts word for word', () => {
			const text =
				'Charged: 19 phone credits. No price given: 5 email, 1 WhatsApp call. Free: 2 phone validation calls.<br>' +
				'33 items: 19 done, 5 duplicates, 4 skipped, 3 sheep, 2 failed (such as item 3: no luck. 7 calls were repeated at no cost.).<br>' +
				'May have been charged: 2 email calls (up to 24 credits).';
			expect(parseReceipt(text)).toEqual({
				...{ items: 33, done: 19, duplicates: 5, remembered: 0, stored: 0, notNeeded: 0 },
				...{ local: 4, retries: 0, failed: 2, notReached: 0, judged: {}, judgements: [] },
				...{ credits: { phone: 19 }, unpriced: { email: 5, whatsapp: 1 }, free: { phone: 2 } },
				...{ open: 2, openOn: { email: 2 }, mostOpen: 24, calls: 29 },
				firstFailure: 'such as item 3: no luck. 7 calls were repeated at no cost.',
				other: ['3 sheep'],
			});
		});

		it('reads how much was taken from the balances', () => {
			const text =
				'Charged: 3 email credits. 5 items: all done. Taken from the balances: 4 email credits, 6 GeoIP credits (2 per call), ' +
				'phone unclear (others used the account too). Of 2 email calls that may have been charged, 1 was charged too.';
			expect(parseReceipt(text)).toMatchObject({
				...{ open: 0, credits: { email: 3 }, taken: { email: 4, geoip: 6, phone: 'unclear' } },
				...{ each: { geoip: 2 }, other: [] },
				judged: { email: { most: 2, charged: 1, isFinal: true } },
			});
		});

		it('reads no other hint as a receipt', () => {
			expect(parseReceipt('Nothing charged.')).toMatchObject({ items: 1, calls: 0 });
			expect(parseReceipt('30 items were looked up')).toBeUndefined();
			expect(receiptOf(['a warning', '2 items: all done.'])?.items).toBe(2);
			expect(receiptOf([])).toBeUndefined();
		});
	});
});
