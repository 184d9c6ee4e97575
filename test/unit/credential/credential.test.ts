import fc from 'fast-check';
import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { LookupMessagingApi } from '../../../credentials/LookupMessagingApi.credentials';

const KEY = 'k3y/with+odd&chars';

const CREDENTIALS = {
	apiKey: KEY,
	baseUrl: 'https://api.example.com/api/v1',
	lookupUrl: 'https://lookup.example.com:8443/api/v1',
	geoipUrl: 'http://geoip.example.com',
	mcpUrl: 'https://mcp.example.com',
};

/** Options as any caller of n8n's HTTP helpers words them. */
interface Options extends Partial<IHttpRequestOptions> {
	uri?: string;
	form?: unknown;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
}

const { authenticate } = new LookupMessagingApi();

const authenticated = async (options: Options, credentials: IDataObject = CREDENTIALS) =>
	(await authenticate(
		credentials as Parameters<typeof authenticate>[0],
		options as IHttpRequestOptions,
	)) as Options;

/** The error that keeps a request from being sent. */
async function refusal(options: Options, credentials?: IDataObject): Promise<Error> {
	try {
		await authenticated(options, credentials);
	} catch (error) {
		return error as Error;
	}
	throw new Error(`${options.url ?? options.uri} was not refused`);
}

const { baseUrl, lookupUrl, geoipUrl, mcpUrl } = CREDENTIALS;
const IN_QUERY = { qs: { api_key: KEY } };

/** Every path of SPEC §4, and where its key belongs by §5. */
const PLACEMENTS: Array<[method: IHttpRequestMethods, url: string, placed: object]> = [
	...['checkwanumber', 'checkapi', 'check', 'checkemail', 'checkgeoip', 'checkbalance'].map(
		(path): [IHttpRequestMethods, string, object] => ['GET', `${baseUrl}/${path}`, IN_QUERY],
	),
	...['sendwasms', 'scrapersearch', 'scraperpost', 'scraperxsearch', 'scraperxpost'].map(
		(path): [IHttpRequestMethods, string, object] => ['GET', `${baseUrl}/${path}`, IN_QUERY],
	),
	...['scraperxcomment', 'audit', 'audit_summary'].map(
		(path): [IHttpRequestMethods, string, object] => ['GET', `${baseUrl}/${path}`, IN_QUERY],
	),
	['POST', `${baseUrl}/audit_run`, IN_QUERY],
	['POST', `${baseUrl}/sendwasms`, IN_QUERY],
	['GET', `${baseUrl}/status`, {}],
	['GET', `${lookupUrl}/phonevalidation`, IN_QUERY],
	['POST', `${lookupUrl}/phonevalidation`, { body: { question: '?', api_key: KEY } }],
	['GET', `${lookupUrl}/calleridvalidation`, IN_QUERY],
	['POST', `${lookupUrl}/wavalidation/batch`, { body: { question: '?', api_key: KEY } }],
	['GET', `${lookupUrl}/wavalidation/batch/0b5c-1`, IN_QUERY],
	['GET', `${geoipUrl}/`, IN_QUERY],
	['GET', `${mcpUrl}/healthz`, {}],
	['POST', `${mcpUrl}/mcp`, { headers: { Authorization: `Bearer ${KEY}` } }],
	['POST', `${mcpUrl}/`, { headers: { Authorization: `Bearer ${KEY}` } }],
	['POST', mcpUrl, { headers: { Authorization: `Bearer ${KEY}` } }],
];

describe('the key', () => {
	test.each(PLACEMENTS)(
		'of %s %s is in the place of SPEC, and nowhere else',
		async (method, url, placed) => {
			const sent = { method, url, ...(method === 'POST' && { body: { question: '?' } }) };
			const options = await authenticated({ ...sent, body: sent.body && { ...sent.body } });
			const { disableFollowRedirect, ...rest } = options;
			expect(disableFollowRedirect).toBe(true);
			expect(JSON.parse(JSON.stringify(rest))).toEqual({ ...sent, ...placed });
		},
	);

	test.each(PLACEMENTS)('of %s %s is placed once when n8n signs twice', async (method, url) => {
		const body = method === 'POST' ? { question: '?' } : undefined;
		const options = { method, url, body, qs: { a: '1' }, headers: { accept: '*/*' } };
		const once = structuredClone(await authenticated(options));
		const twice = await authenticated(options);
		expect(twice).toEqual(once);
		expect(twice).toMatchObject({ qs: { a: '1' }, headers: { accept: '*/*' } });
	});

	test('is written into the object that n8n sends', async () => {
		const options: Options = { method: 'GET', url: `${baseUrl}/checkbalance` };
		expect(await authenticated(options)).toBe(options);
	});

	test('replaces one that the caller put there', async () => {
		const query = { method: 'GET' as const, url: `${baseUrl}/check`, qs: { api_key: 'mine' } };
		expect((await authenticated(query)).qs).toEqual({ api_key: KEY });
		const header = { url: `${mcpUrl}/mcp`, headers: { Authorization: 'Bearer mine' } };
		expect((await authenticated(header)).headers).toEqual({ Authorization: `Bearer ${KEY}` });
	});

	test.each([`  ${KEY}\n`, `${KEY}\r\n`, `\t${KEY}`])('is trimmed: %j', async (apiKey) => {
		const options = await authenticated(
			{ url: `${baseUrl}/checkbalance` },
			{ ...CREDENTIALS, apiKey },
		);
		expect(options.qs).toEqual({ api_key: KEY });
	});

	test.each([`${baseUrl}/status?verbose=1`, `${baseUrl}/status#top`, `${mcpUrl}/healthz?x=1`])(
		'is not sent to %s',
		async (url) => {
			expect(JSON.stringify(await authenticated({ method: 'GET', url }))).not.toContain('k3y');
		},
	);

	test.each(['/statuspage', '/status/full', '/checkbalance/status'])(
		'is sent to %s, which only resembles a path without a key',
		async (path) => {
			expect((await authenticated({ url: `${baseUrl}${path}` })).qs).toEqual({ api_key: KEY });
		},
	);
});

describe("a body that isn't a JSON object", () => {
	const form = new FormData();
	form.append('media', new Blob(['x']), 'x.txt');

	test.each<[title: string, path: string, body: unknown]>([
		['FormData', `${baseUrl}/sendwasms`, form],
		['FormData', `${lookupUrl}/phonevalidation`, form],
		['a Buffer', `${lookupUrl}/phonevalidation`, Buffer.from('{}')],
		['text', `${lookupUrl}/wavalidation/batch`, '{"phone_numbers":[]}'],
		['a list', `${lookupUrl}/wavalidation/batch`, ['+442079460123']],
		['URLSearchParams', `${lookupUrl}/phonevalidation`, new URLSearchParams('a=1')],
		['nothing', `${lookupUrl}/phonevalidation`, undefined],
	])('is left alone when it is %s, with the key in the query: %s', async (_, url, body) => {
		const options = await authenticated({ method: 'POST', url, body: body as IDataObject });
		expect(options.body).toBe(body);
		expect(options.qs).toEqual({ api_key: KEY });
		expect([...form.keys()]).toEqual(['media']);
	});
});

describe('the HTTP Request node', () => {
	test('works with the property uri', async () => {
		const options = await authenticated({ method: 'GET', uri: `${baseUrl}/checkbalance` });
		expect(options.qs).toEqual({ api_key: KEY });
	});

	test('has the key beside its form fields', async () => {
		const form = { phone_number: '+442079460123' };
		const options = await authenticated({
			method: 'POST',
			uri: `${lookupUrl}/phonevalidation`,
			form,
		});
		expect(options.form).toEqual({ phone_number: '+442079460123', api_key: KEY });
		expect(options.qs).toBeUndefined();
	});

	test.each(['url', 'uri'])('sends the key to no proxy of its own (%s)', async (address) => {
		for (const proxy of ['http://proxy.example:8080', { host: 'proxy.example', port: 8080 }]) {
			for (const root of [`${geoipUrl}/`, `${baseUrl}/check`, `${mcpUrl}/mcp`]) {
				const options = { [address]: root, proxy } as Options;
				expect((await refusal(options)).message).toMatch(/through the Proxy.*Remove the Proxy/);
				expect(JSON.stringify(options)).not.toContain('k3y');
			}
			const free = { [address]: `${baseUrl}/status`, proxy } as Options;
			expect((await authenticated(free)).qs).toBeUndefined();
		}
	});

	test('calls no other host by a header, in any spelling', async () => {
		const name = fc
			.constantFrom('host', ':authority', 'authority')
			.chain((word) => fc.tuple(fc.constant(word), fc.array(fc.boolean(), { minLength: 10 })))
			.map(([word, upper]) =>
				[...word].map((each, n) => (upper[n] ? each.toUpperCase() : each)).join(''),
			);
		const value = fc.oneof(
			fc.constantFrom<unknown>('', ' ', null, 7, ['api.example.com', 'evil.example'], {}),
			fc.domain(),
			fc.domain().map((domain) => `${domain}.api.example.com`),
			fc.constantFrom(
				'api.example.com.',
				'api.example.com/x',
				'x@api.example.com',
				'api.example.com:1',
			),
		);
		const url = fc.constantFrom(`${baseUrl}/check`, `${geoipUrl}/`, `${mcpUrl}/mcp`);
		const kind = fc.constantFrom('url', 'uri');
		const check = async (word: string, host: unknown, address: string, key: string) => {
			const options = { [key]: address, headers: { Accept: '*/*', [word]: host } } as Options;
			expect((await refusal(options)).message).toMatch(/Host header.*Remove the Host header/);
			expect(JSON.stringify(options)).not.toContain('k3y');
		};
		await fc.assert(fc.asyncProperty(name, value, url, kind, check), { seed: 7, numRuns: 300 });
	});

	test.each([
		[`${baseUrl}/check`, ' API.example.com'],
		[`${baseUrl}/check`, 'api.example.com:443'],
		[`${geoipUrl}/`, 'geoip.example.com:80'],
		[`${lookupUrl}/phonevalidation`, 'lookup.example.com:8443'],
	])('calls %s with a header that names the same host (%j)', async (url, host) => {
		expect(await authenticated({ url, headers: { hOST: host } })).toMatchObject(IN_QUERY);
	});

	test.each<[title: string, options: Options]>([
		['said by nobody', {}],
		['wanted by the node', { followRedirect: true, followAllRedirects: true }],
		['wanted by the helper', { disableFollowRedirect: false, maxRedirects: 21 }],
	])('follows no redirect with the key, %s', async (_, wanted) => {
		for (const address of ['url', 'uri']) {
			const options = await authenticated({ [address]: `${baseUrl}/check`, ...wanted });
			expect(options.disableFollowRedirect).toBe(true);
			expect(options.followRedirect ?? false).toBe(false);
			expect(options.followAllRedirects ?? false).toBe(false);
			if (address === 'uri') expect(options).toMatchObject({ followRedirect: false });
		}
	});

	test.each([`${baseUrl}/status`, `${mcpUrl}/healthz`])(
		'follows no redirect from %s either',
		async (uri) => {
			expect(await authenticated({ uri, followRedirect: true })).toMatchObject({
				disableFollowRedirect: true,
				followRedirect: false,
				followAllRedirects: false,
			});
		},
	);
});

describe('the address', () => {
	test.each([
		[{ baseURL: baseUrl, url: '/checkbalance' }],
		[{ baseURL: `${baseUrl}/`, url: '/checkbalance' }],
		[{ baseURL: baseUrl, url: 'checkbalance' }],
		[{ baseURL: 'https://evil.example', url: `${baseUrl}/checkbalance` }],
		[{ url: 'HTTPS://API.EXAMPLE.COM/api/v1/checkbalance' }],
		[{ url: 'https://api.example.com:443/api/v1/checkbalance' }],
		[{ url: 'https://api.example.com/other/checkbalance' }],
	])('%j belongs to one of the base URLs', async (options) => {
		expect((await authenticated(options)).qs).toEqual({ api_key: KEY });
	});

	test.each([
		'https://evil.example/api/v1/check',
		'http://api.example.com/api/v1/check',
		'https://api.example.com:8443/api/v1/check',
		'https://lookup.example.com/api/v1/phonevalidation',
		'https://geoip.example.com/',
		'https://sub.api.example.com/api/v1/check',
		'https://example.com/api/v1/check',
		'https://api.example.com.evil.example/api/v1/check',
		'https://api.example.comevil/api/v1/check',
		'https://api.example.com@evil.example/api/v1/check',
		'https://api.example.com:443@evil.example/api/v1/check',
		'https://api.example.com%2f@evil.example/api/v1/check',
		'https://evil.example/?https://api.example.com/api/v1/check',
		'https://evil.example#@api.example.com/api/v1/check',
		'https://evil.example\\@api.example.com/api/v1/check',
		'https:evil.example/api/v1/check',
		'https:/evil.example/api/v1/check',
		'https:\\\\evil.example/api/v1/check',
		'https://аpi.example.com/api/v1/check',
		'https://api.example.com./api/v1/check',
	])('%s belongs to none of the base URLs, and is refused with the reason', async (url) => {
		for (const options of [{ url }, { uri: url }, { url, baseURL: baseUrl }]) {
			// n8n joins what is no absolute address to the base URL
			if ('baseURL' in options && !/^\w+:\/\//.test(url)) continue;
			const error = await refusal(options);
			expect(error.message).toMatch(
				/^The API key is only sent to the URLs in the credential, and http/,
			);
			expect(error.message).not.toContain('k3y');
			expect(JSON.stringify(options)).not.toContain('k3y');
		}
	});

	test.each<Options>([
		{ baseURL: 'https://evil.example', url: '@api.example.com/api/v1/check' },
		{ baseURL: 'https://evil.example/', url: '/check' },
		{ baseURL: 'https://api.example.com.evil.example', url: '/check' },
		{ baseURL: 'https://evil.example', url: ':443@api.example.com/check' },
		{ baseURL: 'https://evil.example\\', url: '@api.example.com/check' },
	])('%j is joined as n8n joins it, and refused', async (options) => {
		const error = await refusal(options);
		expect(error.message).toMatch(/evil\.example isn't one of them/);
	});

	test.each<Options>([
		{},
		{ url: '' },
		{ url: '/checkbalance' },
		{ url: 'checkbalance' },
		{ url: '//api.example.com/check' },
		{ baseURL: baseUrl, url: '//evil.example/check' },
		{ url: 'ftp://api.example.com/check' },
		{ url: 'file:///etc/passwd' },
		{ url: 'javascript:alert(1)' },
		{ url: 'https://' },
		{ url: 'https://:443/' },
		{ url: 'not a url' },
		{ baseURL: 'api.example.com', url: '/check' },
	])('%j is not complete, and is refused with the reason', async (options) => {
		const error = await refusal(options);
		expect(error.message).toMatch(/^The address isn't a complete URL/);
	});

	test('that is refused causes a plain error with words alone, which n8n shows unchanged', async () => {
		const credentials = { ...CREDENTIALS, apiKey: KEY, baseUrl: `https://${KEY}@[` };
		for (const url of [
			'https://evil.example/check',
			'nowhere',
			`https://evil.example/?key=${KEY}`,
		]) {
			const error = await refusal({ url }, credentials);
			expect(Object.getPrototypeOf(error)).toBe(Error.prototype);
			expect(error).not.toHaveProperty('code');
			expect(error).not.toHaveProperty('cause');
			expect(error.message.split(' ').length).toBeGreaterThan(10);
			expect(`${error.message} ${error.stack}`).not.toContain(KEY);
		}
	});
});

describe('the base URLs', () => {
	test.each(['', '/', '//', ' ', ' / '])('may end in %j', async (ending) => {
		const credentials = Object.fromEntries(
			Object.entries(CREDENTIALS).map(([name, value]) => [name, `${value}${ending}`]),
		);
		const body = () => ({ phone_number: '1' });
		const asked = async (options: Options) =>
			await authenticated(options, { ...credentials, apiKey: KEY });
		expect((await asked({ url: `${baseUrl}/status` })).qs).toBeUndefined();
		expect((await asked({ url: `${geoipUrl}/` })).qs).toEqual({ api_key: KEY });
		expect((await asked({ url: `${mcpUrl}/healthz` })).headers).toBeUndefined();
		expect(
			(await asked({ method: 'POST', url: `${lookupUrl}/phonevalidation`, body: body() })).body,
		).toEqual({ ...body(), api_key: KEY });
	});

	test('that share a host are distinguished by their prefixes, the longest first', async () => {
		const host = 'https://one.example.com';
		const credentials = {
			apiKey: KEY,
			baseUrl: `${host}/api/v1`,
			lookupUrl: `${host}/api/v1/lookup`,
			geoipUrl: `${host}/geo`,
			mcpUrl: `${host}/mcp`,
		};
		const asked = async (options: Options) => await authenticated(options, credentials);
		expect((await asked({ url: `${host}/mcp/mcp` })).headers).toEqual({
			Authorization: `Bearer ${KEY}`,
		});
		expect((await asked({ url: `${host}/mcp/healthz` })).headers).toBeUndefined();
		expect((await asked({ url: `${host}/mcpother` })).qs).toEqual({ api_key: KEY });
		expect((await asked({ url: `${host}/geo/` })).qs).toEqual({ api_key: KEY });
		expect((await asked({ url: `${host}/api/v1/status` })).qs).toBeUndefined();
		const body = { phone_number: '1' };
		const url = `${host}/api/v1/lookup/phonevalidation`;
		expect((await asked({ method: 'POST', url, body })).body).toEqual({
			phone_number: '1',
			api_key: KEY,
		});
	});

	test.each([
		['https://one.example.com', '', ['/mcp', '']],
		['https://one.example.com', '/api', ['/api', '/api/mcp']],
		['https://one.example.com', '/api/', ['/api/', '/api/mcp']],
	])(
		'that are all %s%s still send the key to the tool server in its header alone',
		async (host, path, paths) => {
			const root = `${host}${path}`;
			const credentials = {
				apiKey: KEY,
				baseUrl: root,
				lookupUrl: root,
				geoipUrl: root,
				mcpUrl: root,
			};
			const headers = { Accept: 'application/json, text/event-stream' };
			for (const at of paths) {
				const asked = await authenticated({ url: `${host}${at}`, headers }, credentials);
				expect(asked.headers).toMatchObject({ Authorization: `Bearer ${KEY}` });
				expect(asked.qs).toBeUndefined();
			}
			const other = await authenticated(
				{ url: `${root.replace(/\/$/, '')}/checkemail` },
				credentials,
			);
			expect(other.qs).toEqual({ api_key: KEY });
		},
	);

	test('that are equal still place the key by path', async () => {
		const root = 'https://one.example.com/api/v1';
		const credentials = { apiKey: KEY, baseUrl: root, lookupUrl: root, geoipUrl: '', mcpUrl: '' };
		const body = { phone_numbers: ['1'] };
		const url = `${root}/wavalidation/batch`;
		const options = await authenticated({ method: 'POST', url, body }, credentials);
		expect(options).toMatchObject({ body: { api_key: KEY } });
		expect(options.qs).toBeUndefined();
	});

	test.each(['', '  ', null, undefined, '/', 'https://', 'api.example.com', 'http'])(
		'that are %j match no address',
		async (root) => {
			const roots = { baseUrl: root, lookupUrl: root, geoipUrl: root, mcpUrl: root };
			for (const url of [
				'https://evil.example/',
				'https://api.example.com/check',
				'http://http/',
			]) {
				const error = await refusal({ url }, { apiKey: KEY, ...roots });
				expect(error.message).toMatch(/isn't one of them/);
			}
		},
	);
});

describe('the test of the credential', () => {
	const { test: credentialTest, properties } = new LookupMessagingApi();

	test('requests the free balance, and distinguishes a wrong key from a wrong address', () => {
		expect(credentialTest.request.url).toBe('/checkbalance');
		const messages = (credentialTest.rules ?? []).map(({ properties: { message } }) => message);
		expect(messages.filter((message) => /API key/.test(message))).not.toEqual([]);
		expect(messages.filter((message) => /Base URL/.test(message))).not.toEqual([]);
	});

	test('hides the key alone', () => {
		const hidden = properties.filter(({ typeOptions }) => typeOptions?.password);
		expect(hidden.map(({ name }) => name)).toEqual(['apiKey']);
		expect(properties.map(({ name }) => name)).toEqual(Object.keys(CREDENTIALS));
	});
});
