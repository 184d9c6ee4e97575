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

const BODY = { body: { question: '?', api_key: KEY } };
const HEADER = { headers: { Authorization: `Bearer ${KEY}` } };

/** Every path of SPEC §4, and where its key belongs by §5. */
const PLACEMENTS: Array<[method: IHttpRequestMethods, url: string, placed: object]> = [
	...[
		...['checkwanumber', 'checkapi', 'check', 'checkemail', 'checkgeoip', 'checkbalance'],
		...['sendwasms', 'scrapersearch', 'scraperpost', 'scraperxsearch', 'scraperxpost'],
		...['scraperxcomment', 'audit', 'audit_summary'],
	].map((path): [IHttpRequestMethods, string, object] => ['GET', `${baseUrl}/${path}`, IN_QUERY]),
	['POST', `${baseUrl}/audit_run`, IN_QUERY],
	['POST', `${baseUrl}/sendwasms`, IN_QUERY],
	['GET', `${baseUrl}/status`, {}],
	['GET', `${lookupUrl}/phonevalidation`, IN_QUERY],
	['POST', `${lookupUrl}/phonevalidation`, BODY],
	['GET', `${lookupUrl}/calleridvalidation`, IN_QUERY],
	['POST', `${lookupUrl}/wavalidation/batch`, BODY],
	['GET', `${lookupUrl}/wavalidation/batch/0b5c-1`, IN_QUERY],
	['GET', `${geoipUrl}/`, IN_QUERY],
	['GET', `${mcpUrl}/healthz`, {}],
	['POST', `${mcpUrl}/mcp`, HEADER],
	['POST', `${mcpUrl}/`, HEADER],
	['POST', mcpUrl, HEADER],
	// Addresses in other words
	['GET', `${baseUrl}/status?verbose=1`, {}],
	['GET', `${mcpUrl}/healthz?x=1`, {}],
	['GET', `${baseUrl}/status/full`, IN_QUERY],
	['GET', `${baseUrl}/checkbalance/status`, IN_QUERY],
	['GET', 'HTTPS://API.EXAMPLE.COM/api/v1/checkbalance', IN_QUERY],
	['GET', 'https://api.example.com:443/api/v1/checkbalance', IN_QUERY],
	['GET', 'https://api.example.com/other/checkbalance', IN_QUERY],
];

describe('the key', () => {
	test.each(PLACEMENTS)(
		'of %s %s is in the place of SPEC, and nowhere else, also when n8n signs twice',
		async (method, url, placed) => {
			const sent = { method, url, ...(method === 'POST' && { body: { question: '?' } }) };
			const options = structuredClone(sent);
			for (let times = 0; times < 2; times += 1) {
				// It is written into the object that n8n sends
				expect(await authenticated(options)).toBe(options);
				const { disableFollowRedirect, ...rest } = options as Options;
				expect(disableFollowRedirect).toBe(true);
				expect(JSON.parse(JSON.stringify(rest))).toEqual({ ...sent, ...placed });
			}
		},
	);

	test('replaces one that the caller put there, and leaves what is beside it', async () => {
		const query = { url: `${baseUrl}/check`, qs: { api_key: 'mine', a: '1' } };
		expect((await authenticated(query)).qs).toEqual({ api_key: KEY, a: '1' });
		const header = { url: `${mcpUrl}/mcp`, headers: { Authorization: 'Bearer mine', a: '1' } };
		expect((await authenticated(header)).headers).toEqual({ ...HEADER.headers, a: '1' });
	});

	test.each([`  ${KEY}\n`, `${KEY}\r\n`, `\t${KEY}`])('is trimmed: %j', async (apiKey) => {
		const options = { url: `${baseUrl}/checkbalance` };
		expect(await authenticated(options, { ...CREDENTIALS, apiKey })).toMatchObject(IN_QUERY);
	});
});

describe("a body that isn't a JSON object", () => {
	const form = new FormData();
	form.append('media', new Blob(['x']), 'x.txt');

	test.each<[title: string, path: string, body: unknown]>([
		['FormData', `${baseUrl}/sendwasms`, form],
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
	test('works with the property uri, and has the key beside its form fields', async () => {
		const get: Options = { method: 'GET', uri: `${baseUrl}/checkbalance` };
		expect((await authenticated(get)).qs).toEqual({ api_key: KEY });
		const form = { phone_number: '+442079460123' };
		const post: Options = { method: 'POST', uri: `${lookupUrl}/phonevalidation`, form };
		const options = await authenticated(post);
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
			fc
				.constantFrom('x@%', '%.', '%/x', '%:1')
				.map((host) => host.replace('%', 'api.example.com')),
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
	])('follows no redirect with or without the key, %s', async (_, wanted) => {
		for (const url of [`${baseUrl}/check`, `${baseUrl}/status`, `${mcpUrl}/healthz`]) {
			for (const address of ['url', 'uri']) {
				const options = await authenticated({ [address]: url, ...wanted });
				expect(options.disableFollowRedirect).toBe(true);
				expect(options.followRedirect ?? false).toBe(false);
				expect(options.followAllRedirects ?? false).toBe(false);
				if (address === 'uri') expect(options).toMatchObject({ followRedirect: false });
			}
		}
	});
});

describe('the address', () => {
	test.each([
		{ baseURL: baseUrl, url: '/checkbalance' },
		{ baseURL: baseUrl, url: 'checkbalance' },
		{ baseURL: 'https://evil.example', url: `${baseUrl}/checkbalance` },
	])('%j belongs to one of the base URLs', async (options) => {
		expect((await authenticated(options)).qs).toEqual({ api_key: KEY });
	});

	test.each([
		...['https://evil.example/api/v1/check', 'http://api.example.com/api/v1/check'],
		...['https://api.example.com:8443/api/v1/check'],
		...['https://lookup.example.com/api/v1/phonevalidation', 'https://geoip.example.com/'],
		...['https://sub.api.example.com/api/v1/check', 'https://example.com/api/v1/check'],
		...['https://api.example.com.evil.example/api/v1/check'],
		...['https://api.example.comevil/api/v1/check'],
		...['https://api.example.com@evil.example/api/v1/check'],
		...['https://api.example.com:443@evil.example/api/v1/check'],
		...['https://api.example.com%2f@evil.example/api/v1/check'],
		...['https://evil.example/?https://api.example.com/api/v1/check'],
		...['https://evil.example#@api.example.com/api/v1/check'],
		...['https://evil.example\\@api.example.com/api/v1/check'],
		...['https:evil.example/api/v1/check', 'https:/evil.example/api/v1/check'],
		...['https:\\\\evil.example/api/v1/check', 'https://аpi.example.com/api/v1/check'],
		...['https://api.example.com./api/v1/check'],
	])('%s belongs to none of the base URLs, and is refused with the reason', async (url) => {
		for (const options of [{ url }, { uri: url }, { url, baseURL: baseUrl }]) {
			// n8n joins what is no absolute address to the base URL
			if ('baseURL' in options && !/^\w+:\/\//.test(url)) continue;
			const { message } = await refusal(options);
			expect(message).toMatch(/^The API key is only sent to the URLs in the credential, and http/);
			expect(`${message} ${JSON.stringify(options)}`).not.toContain('k3y');
		}
	});

	test.each<Options>([
		{ baseURL: 'https://evil.example', url: '@api.example.com/api/v1/check' },
		{ baseURL: 'https://evil.example/', url: '/check' },
		{ baseURL: 'https://api.example.com.evil.example', url: '/check' },
		{ baseURL: 'https://evil.example\\', url: '@api.example.com/check' },
	])('%j is joined as n8n joins it, and refused', async (options) => {
		expect((await refusal(options)).message).toMatch(/evil\.example isn't one of them/);
	});

	test.each<Options>([
		{},
		...[
			...['', '/checkbalance', 'checkbalance', '//api.example.com/check', 'not a url'],
			...['ftp://api.example.com/check', 'file:///etc/passwd', 'javascript:alert(1)'],
			...['https://', 'https://:443/'],
		].map((url) => ({ url })),
		{ baseURL: baseUrl, url: '//evil.example/check' },
		{ baseURL: 'api.example.com', url: '/check' },
	])('%j is not complete, and is refused with the reason', async (options) => {
		expect((await refusal(options)).message).toMatch(/^The address isn't a complete URL/);
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
	const host = 'https://one.example.com';
	/** Where the key is in a POST to an address; the URLs of a credential are all `root` unless given. */
	const placeOf = async (url: string, credentials: IDataObject, headers?: IDataObject) => {
		const body = { question: '?' };
		const sent = { method: 'POST', url, body, headers } as const;
		const options = await authenticated(sent, { apiKey: KEY, ...credentials });
		const places = {
			header: options.headers?.Authorization === `Bearer ${KEY}`,
			query: options.qs?.api_key === KEY,
			body: (options.body as IDataObject).api_key === KEY,
		};
		return Object.entries(places).flatMap(([place, isThere]) => (isThere ? place : []));
	};
	const all = (url?: string | null): IDataObject => ({
		baseUrl: url,
		lookupUrl: url,
		geoipUrl: url,
		mcpUrl: url,
	});

	test.each(['', '/', '//', ' ', ' / '])('may end in %j', async (ending) => {
		const credentials = Object.fromEntries(
			Object.entries(CREDENTIALS).map(([name, value]) => [name, `${value}${ending}`]),
		);
		const urls = { ...credentials, apiKey: KEY };
		expect(await placeOf(`${baseUrl}/status`, urls)).toEqual([]);
		expect(await placeOf(`${geoipUrl}/`, urls)).toEqual(['query']);
		expect(await placeOf(`${mcpUrl}/healthz`, urls)).toEqual([]);
		expect(await placeOf(`${lookupUrl}/phonevalidation`, urls)).toEqual(['body']);
	});

	const PREFIXES = {
		...{ baseUrl: `${host}/api/v1`, lookupUrl: `${host}/api/v1/lookup` },
		...{ geoipUrl: `${host}/geo`, mcpUrl: `${host}/mcp` },
	};
	const EQUAL = { ...all(`${host}/api/v1`), geoipUrl: '', mcpUrl: '' };

	test.each([
		['the longest prefix', `${host}/mcp/mcp`, PREFIXES, ['header']],
		['the longest prefix', `${host}/mcp/healthz`, PREFIXES, []],
		['the longest prefix', `${host}/api/v1/status`, PREFIXES, []],
		['the longest prefix', `${host}/api/v1/lookup/phonevalidation`, PREFIXES, ['body']],
		['the path, where all are equal', `${host}/api/v1/wavalidation/batch`, EQUAL, ['body']],
		['the others, where all are equal', `${host}/api/checkemail`, all(`${host}/api/`), ['query']],
	])('that share a host are distinguished by %s: %s', async (_, url, credentials, places) => {
		expect(await placeOf(url, credentials)).toEqual(places);
	});

	test.each([
		[host, all(host)],
		[`${host}/api/mcp`, all(`${host}/api`)],
		[`${host}/api/`, all(`${host}/api/`)],
	])(
		'that are all equal send the key to the tool server in its header alone: %s',
		async (...of) => {
			const headers = { Accept: 'application/json, text/event-stream' };
			expect(await placeOf(...of, headers)).toEqual(['header']);
		},
	);

	test.each(['', '  ', null, undefined, '/', 'https://', 'api.example.com', 'http'])(
		'that are %j match no address',
		async (root) => {
			for (const url of [
				'https://evil.example/',
				'https://api.example.com/check',
				'http://http/',
			]) {
				const error = await refusal({ url }, { apiKey: KEY, ...all(root) });
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
