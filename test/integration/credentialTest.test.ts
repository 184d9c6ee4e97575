import type { Sandbox } from '../sandbox';
import { startSandbox } from '../sandbox';
import { credentialTest, release } from '../harness/n8n';

const WRONG_KEY = /answered, but it refused the API key/;
const WRONG_URL = /answers at this address, but it isn't the service.*Base URL.*\/api\/v1/;
const NO_URL = /isn't a complete URL.*https:\/\//;
const REDIRECTS = /redirects to another address.*final address/;
/** n8n 1.x keeps no HTTP status for the rules of a credential test: it shows its own words for one. */
const on2x = (here: RegExp, on1x: RegExp) => (release === '2.x' ? here : on1x);

describe(`the credential's test, n8n ${release}`, () => {
	let sandbox: Sandbox;
	let quiet: Sandbox;
	let elsewhere: Sandbox;

	beforeAll(async () => {
		[sandbox, quiet, elsewhere] = await Promise.all([
			startSandbox(),
			startSandbox({ errorStatus: 'ok' }),
			startSandbox(),
		]);
	});
	beforeEach(() => [sandbox, quiet, elsewhere].forEach((each) => each.reset()));
	afterAll(async () => {
		await Promise.all([sandbox, quiet, elsewhere].map(async (each) => await each.close()));
	});

	const test = async (change: object = {}, of: Sandbox = sandbox) => {
		const data = { apiKey: of.keys.main, ...of.roots, ...change };
		return await credentialTest({ credentials: { lookupMessagingApi: data } });
	};
	const verdictOn = async (...given: Parameters<typeof test>) => {
		const { status, message } = await test(...given);
		expect(message).not.toContain('sandbox-key');
		return [status, message];
	};
	const error = (message: RegExp) => ['Error', expect.stringMatching(message)];

	it('accepts a right key with one free call, which is all it sends', async () => {
		expect(await verdictOn()).toEqual(['OK', 'Connection successful!']);

		const seen = sandbox.log.map(({ method, path, query }) => ({ method, path, query }));
		expect(seen).toEqual([
			{ method: 'GET', path: '/api/v1/checkbalance', query: { api_key: sandbox.keys.main } },
		]);
		expect(sandbox.debits(sandbox.keys.main)).toEqual([]);
	});

	it('reports a wrong key, whatever HTTP status the refusal has', async () => {
		expect(await verdictOn({ apiKey: 'wrong-key' })).toEqual(
			error(on2x(WRONG_KEY, /^Authorization failed/)),
		);
		expect(await verdictOn({ apiKey: 'wrong-key' }, quiet)).toEqual(error(WRONG_KEY));

		sandbox.fault({ kind: 'status', status: 403 });
		expect(await verdictOn()).toEqual(error(on2x(WRONG_KEY, /^Forbidden/)));
	});

	it('reports a wrong key from the words of the service alone, in the spellings of SPEC', async () => {
		const bodies = [
			{ error: 'Invalid API key.' },
			{ error: 'Invalid Api Key' },
			{ message: 'Invalid API key.' },
			{ success: false, message: 'No.' },
		];
		for (const body of bodies) {
			sandbox.clearFaults();
			sandbox.fault({ kind: 'body', body });
			expect(await verdictOn()).toEqual(error(WRONG_KEY));
		}
	});

	it('reports a wrong path on the right host', async () => {
		const baseUrl = sandbox.roots.baseUrl.replace('/api/v1', '/v2');
		expect(await verdictOn({ baseUrl })).toEqual(
			error(on2x(WRONG_URL, /resource.*could not be found/)),
		);
	});

	it('reports another host that answers with a page, other JSON or nothing', async () => {
		const answers = [
			{ kind: 'html' },
			{ kind: 'body', body: { status: true, message: 'Hello' } },
			{ kind: 'body', body: [] },
			{ kind: 'emptyBody' },
		] as const;
		for (const answer of answers) {
			sandbox.clearFaults();
			sandbox.fault(answer);
			expect(await verdictOn()).toEqual(error(WRONG_URL));
		}
	});

	it.each([301, 302, 303, 307, 308])('follows no redirect (%i) with the key', async (status) => {
		sandbox.fault({ kind: 'redirect', status, to: `${elsewhere.roots.baseUrl}/checkbalance` });

		expect(await verdictOn()).toEqual(error(on2x(REDIRECTS, new RegExp(`${status}`))));
		expect(elsewhere.connections().total).toBe(0);
	});

	it('reports a host that cannot be reached', async () => {
		expect(await verdictOn({ baseUrl: 'http://127.0.0.1:1/api/v1' })).toEqual(
			error(on2x(/^ECONNREFUSED$/, /refused the connection/)),
		);
		expect(await verdictOn({ baseUrl: 'http://no-such-host.invalid/api/v1' })).toEqual(
			error(on2x(/^(ENOTFOUND|EAI_AGAIN)$/, /incorrect host|EAI_AGAIN/)),
		);
	});

	it.each(['', 'api.example.com/api/v1', 'nonsense', 'ftp://files.example', '/api/v1'])(
		'reports that "%s" is no URL, and sends nothing',
		async (baseUrl) => {
			expect(await verdictOn({ baseUrl })).toEqual(error(NO_URL));
			expect(sandbox.log).toEqual([]);
		},
	);

	it('keeps the key out of a message that repeats it', async () => {
		sandbox.fault({ kind: 'echoKey' });
		await verdictOn();
	});
});
