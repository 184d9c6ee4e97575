import * as n8nWorkflow from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import { usableBaseUrl } from '../../engine';
import { magic, startSandbox, type Sandbox } from '../../sandbox';
import { release, runNode, type NodeRun } from '../../harness/n8n';
import { resetTime } from '../../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../harness/time')>('../../harness/time').withoutWaiting(),
);

/** Roots as users type and paste them, with only one possible meaning. HOST is the sandbox's. */
const RIGHT_ROOTS = [
	...[' http://HOST/api/v1 / ', '\ufeffhttp://HOST/api/v1///\r\n', 'HTTP://HOST/api\\v1'],
	...['http://HOST/%61pi/../api/./v1/.', 'http://2130706433:PORT/api/v1'],
	...['http://１２７.０.０.１:PORT/api/v1', 'http://[::FFFF:7F00:1]:0PORT/api/v1'],
];

/** Roots without a meaning, or with more than a root should have, and the message about each. */
const WRONG_ROOTS: Array<[root: string, words: RegExp]> = [
	['  /  ', /has no Base URL/],
	['HOST/api/v1', /doesn't start with https:\/\//],
	['http:\\\\HOST\\api\\v1', /doesn't start with https:\/\//],
	['file:///etc/passwd', /doesn't start with https:\/\//],
	['http://:PORT/', /isn't a complete/],
	['http://HOST:99999/', /isn't a complete/],
	['http://user:secret@HOST/api/v1', /contains a user name or password/],
	['https://evil.example@HOST/api/v1', /contains a user name or password/],
	['http://HOST/api/v1?', /contains a \? or #/],
	['http://HOST/api/v1/#', /contains a \? or #/],
	['http://HO\nST/api/v1', /contains a space or line break/],
	['http://HOST\u0000/api/v1', /contains a space or line break/],
];

/** Keys that can be sent, and what arrives. */
const RIGHT_KEYS: Array<[entered: string, sent: string]> = [
	['k3y/with+odd&chars=1 %20%2B%', 'k3y/with+odd&chars=1 %20%2B%'],
	[`#1?x;y"quoted"'s\\<{e}|^\`~$&$1`, `#1?x;y"quoted"'s\\<{e}|^\`~$&$1`],
	['\r\n\u200b  k e y\u2060 \ufeff', 'k e y'],
];
/** A query can carry any text, a header only ASCII. */
const BEYOND_ASCII = ['clé', '🔑', 'k\u00a0y'];
const BROKEN_KEYS = ['k\r\nX-Injected: 1', 'k\u0000y', 'k\u0085y', 'k\ud800y'];

describe(`a run with the credential, n8n ${release}`, () => {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox();
		resetTime();
	});
	beforeEach(() => sandbox.clearLog());
	afterAll(async () => await sandbox.close());

	const CHECK = { resource: 'email', operation: 'verify', email: 'ada@example.com' };
	const TOOLS = { resource: 'toolServer', operation: 'listTools' };

	async function run(parameters: IDataObject, credential: IDataObject): Promise<NodeRun> {
		const lookupMessagingApi = { apiKey: sandbox.keys.main, ...sandbox.roots, ...credential };
		return await runNode({
			credentials: { lookupMessagingApi: lookupMessagingApi as never },
			parameters,
		});
	}

	/** A root with the sandbox's own host. */
	function here(root: string): string {
		const { host, port } = new URL(sandbox.roots.baseUrl);
		return root.replaceAll('HOST', host).replaceAll('PORT', port);
	}

	test.each(RIGHT_ROOTS)('calls its own path when the base URL is written %j', async (root) => {
		const node = await run(CHECK, { baseUrl: here(root) });
		expect(node.error?.message).toBeUndefined();
		expect(node.items()[0].json).toMatchObject({ source: 'service' });
		expect(sandbox.log.map(({ path }) => path)).toEqual(['/api/v1/checkemail']);
	});

	test.each(WRONG_ROOTS)(
		'sends nothing and says why when the base URL is %j',
		async (root, words) => {
			const node = await run(CHECK, { baseUrl: here(root) });
			expect(node.error?.message).toMatch(words);
			expect(node.error?.message).toMatch(
				/Fix the credential, then run the item again\. You weren't charged\.$/,
			);
			expect(JSON.stringify(node.raw.data)).not.toMatch(/secret|sandbox-key/);
			expect(sandbox.log).toEqual([]);
		},
	);

	test.each(RIGHT_KEYS)(
		'sends the key %j as %j, in a query and in a header',
		async (entered, sent) => {
			await run(CHECK, { apiKey: entered });
			await run(TOOLS, { apiKey: entered });
			const [{ query }, { headers }] = sandbox.log;
			expect(query).toEqual({ email: 'ada@example.com', api_key: sent });
			expect(headers.authorization).toBe(`Bearer ${sent}`);
		},
	);

	test('ignores a proxy that an HTTP Request node names, and the node says why', async () => {
		const lookupMessagingApi = { apiKey: sandbox.keys.main, ...sandbox.roots };
		const ask = async (options: IDataObject) =>
			await runNode({
				...{ type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
				credentials: { lookupMessagingApi: lookupMessagingApi as never },
				parameters: {
					...{ url: `${sandbox.roots.baseUrl}/checkbalance`, options },
					...{ authentication: 'predefinedCredentialType' },
					nodeCredentialType: 'lookupMessagingApi',
				},
			});
		// The sandbox in the part of the proxy: it would log the whole URL
		const { origin } = new URL(sandbox.roots.geoipUrl);
		const refused = await ask({ proxy: origin });
		expect(sandbox.log).toEqual([]);
		const error = refused.error as (Error & { description?: string }) | undefined;
		expect(`${error?.message} ${error?.description}`).toMatch(/isn't sent through the Proxy/);
		expect((await ask({})).error?.message).toBeUndefined();
		expect(sandbox.log).toHaveLength(1);
	});

	test.each(BEYOND_ASCII)('sends the key %j in a query, and says why in no header', async (key) => {
		await run(CHECK, { apiKey: key });
		expect(sandbox.log.map(({ query }) => query.api_key)).toEqual([key]);
		const node = await run(TOOLS, { apiKey: key });
		expect(sandbox.log).toHaveLength(1);
		expect(node.error?.message).toMatch(
			/API Key in the credential contains a character that a header/,
		);
		expect(node.error?.message).not.toContain(key);
	});

	test.each(BROKEN_KEYS)('sends nothing and says why when the key is %j', async (key) => {
		for (const parameters of [CHECK, TOOLS]) {
			const node = await run(parameters, { apiKey: key });
			expect(node.error?.message).toMatch(
				/API Key in the credential contains a line break or a broken/,
			);
			expect(JSON.stringify(node.raw.data)).not.toContain(JSON.stringify(key).slice(1, -1));
		}
		expect(sandbox.log).toEqual([]);
	});

	describe('a base URL without https', () => {
		const anywhere = () =>
			Object.fromEntries(
				Object.entries(sandbox.roots).map(([name, root]) => [
					name,
					root.replace('127.0.0.1', '0.0.0.0'),
				]),
			);
		const CONTACT = {
			...{ resource: 'contact', operation: 'enrich', lookups: ['email', 'geoIp', 'phone'] },
			...{ phoneNumber: magic.PHONE.onWhatsApp, email: 'ada@example.com', ipAddress: '8.8.8.8' },
		};
		const warnings = (node: NodeRun) => node.hints().filter((hint) => hint.includes('http://'));

		test('causes one warning per run, which names its fields alone', async () => {
			const node = await run(CONTACT, anywhere());
			expect(warnings(node)).toEqual([
				expect.stringMatching(
					/^The (?=.*Base URL)(?=.*Lookup URL)(?=.*GeoIP URL).* in the credential start with http:\/\/.*https:\/\/ instead\.$/,
				),
			]);
			expect(warnings(node)[0]).not.toMatch(/0\.0\.0\.0|sandbox-key|Tool Server/);
		});

		test('causes no warning on this machine, or when nothing was sent', async () => {
			expect(warnings(await run(CONTACT, {}))).toEqual([]);
			expect(warnings(await run({ ...CHECK, email: 'none' }, anywhere()))).toEqual([]);
			expect(
				warnings(await run({ ...CHECK, spendingLimits: { dryRun: true } }, anywhere())),
			).toEqual([]);
		});
	});

	describe("with n8n's Allowed HTTP Request Domains", () => {
		const only = (allowedDomains: string, mode = 'domains') => ({
			allowedHttpRequestDomains: mode,
			allowedDomains,
		});

		test.each([
			[only('example.com, 127.0.0.1')],
			[only(' 127.0.0.1. ,')],
			[only('', 'all')],
			[only('', 'none')],
		])('calls a host that the credential allows: %j', async (allowed) => {
			const node = await run(CHECK, allowed);
			expect(node.items()[0].json).toMatchObject({ source: 'service' });
		});

		test.each(['example.com', '', ' , '])(
			'sends nothing to a host that is not on the list: %j',
			async (list) => {
				const node = await run(CHECK, only(list));
				expect(node.error?.message).toMatch(
					/Allowed Domains in the credential don't include 127\.0\.0\.1, the host of the Base URL\. Add it/,
				);
				expect(sandbox.log).toEqual([]);
			},
		);

		test('reads a list exactly as n8n does', () => {
			const isAllowed = n8nWorkflow.isDomainAllowed as unknown as (...args: unknown[]) => boolean;
			const lists = [
				...['example.com', '*.example.com', 'EXAMPLE.com', 'example.com.', '*.', '*', '[::1]'],
				...[' *.Example.Com , x.y', 'ample.com', '.example.com', 'example.com:8443', '*.com'],
			];
			const urls = [
				...['https://example.com/api', 'https://a.example.com', 'https://a.b.example.com:8443'],
				...['https://EXAMPLE.com.', 'https://badexample.com', 'http://[::1]:1/x', 'https://com'],
			];
			for (const allowedDomains of lists) {
				for (const url of urls) {
					const theirs =
						release === '2.x'
							? isAllowed({ url, allowedDomains })
							: isAllowed(url, { allowedDomains });
					const root = usableBaseUrl({ baseUrl: url, ...only(allowedDomains) }, 'main');
					const ours = !('problem' in root);
					expect([url, allowedDomains, ours]).toEqual([url, allowedDomains, theirs]);
				}
			}
		});
	});
});
