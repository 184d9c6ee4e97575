/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
	ICredentialType,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { credentialTest, release, runNode } from '../harness/n8n';
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

describe(`the harness on n8n ${release}`, () => {
	it('says which node type it cannot find', async () => {
		const unknown = runNode({ type: 'n8n-nodes-base.noSuchNode', parameters: {} });
		await expect(unknown).rejects.toThrow(/noSuchNode/);
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
