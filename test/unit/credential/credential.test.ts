import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { LookupMessagingApi } from '../../../credentials/LookupMessagingApi.credentials';

const KEY = 'k3y/with+odd&chars';
const URLS = {
	baseUrl: 'https://api.example.com/api/v1',
	lookupUrl: 'https://lookup.example.com:8443/api/v1',
	geoipUrl: 'http://geoip.example.com',
	mcpUrl: 'https://mcp.example.com',
};
const { baseUrl, lookupUrl, geoipUrl, mcpUrl } = URLS;
const CREDENTIAL: IDataObject = { apiKey: KEY, ...URLS };

/** Options as any caller of n8n's HTTP helpers words them. */
interface Options extends Partial<IHttpRequestOptions> {
	uri?: string;
	form?: unknown;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
}

const { authenticate, test: credentialTest, properties } = new LookupMessagingApi();

/** Signs a request, in the object that n8n sends; n8n may do so twice. It never follows a redirect then. */
async function signed(options: Options, credential = CREDENTIAL): Promise<Options> {
	for (let times = 0; times < 2; times += 1)
		expect(await authenticate(credential as never, options as never)).toBe(options);
	expect(options.disableFollowRedirect).toBe(true);
	expect([options.followRedirect, options.followAllRedirects]).not.toContain(true);
	if (options.uri !== undefined) expect(options).toMatchObject({ followRedirect: false });
	return options;
}

/** Where the key of a signed request is, once and in one place only, or why none is sent. */
async function placeOf(options: Options, credential = CREDENTIAL): Promise<string> {
	const keysIn = () => JSON.stringify(options).split('k3y').length - 1;
	const before = keysIn();
	try {
		await signed(options, credential);
	} catch (error) {
		// Plain and with words alone, which n8n shows unchanged
		const { message, stack } = error as Error;
		expect(Object.getPrototypeOf(error)).toBe(Error.prototype);
		expect(error).not.toHaveProperty('code');
		expect(error).not.toHaveProperty('cause');
		expect(`${message} ${stack}`).not.toContain('k3y');
		expect(keysIn()).toBe(before);
		return message;
	}
	const { qs, headers, body, form } = options as Record<string, IDataObject | undefined>;
	const places = Object.entries({
		query: qs?.api_key === KEY,
		header: headers?.Authorization === `Bearer ${KEY}`,
		body: body?.api_key === KEY,
		form: form?.api_key === KEY,
	}).flatMap(([place, isThere]) => (isThere ? [place] : []));
	expect(keysIn()).toBe(places.length);
	return places.join() || 'nowhere';
}

const NOT_COMPLETE = /^The address isn't a complete URL/;
const NOT_OURS =
	/^The API key is only sent to the URLs in the credential, and http.*isn't one of them/;
const PROXY = /through the Proxy.*Remove the Proxy/;
const HOST = /Host header.*Remove the Host header/;

test.each<[place: string, requests: string]>([
	// Every path of SPEC §4, and where its key belongs by §5
	[
		'query',
		`GET base/checkwanumber | GET base/checkapi | GET base/check | GET base/checkemail | GET base/checkgeoip
		GET base/checkbalance | GET base/sendwasms | GET base/scrapersearch | GET base/scraperpost
		GET base/scraperxsearch | GET base/scraperxpost | GET base/scraperxcomment | GET base/audit
		GET base/audit_summary | POST base/audit_run | POST base/sendwasms | GET lookup/phonevalidation
		GET lookup/calleridvalidation | GET lookup/wavalidation/batch/0b5c-1 | GET geoip/
		GET base/status/full | GET base/checkbalance/status | GET HTTPS://API.EXAMPLE.COM/api/v1/check
		GET https://api.example.com:443/api/v1/check | GET https://api.example.com/other/check`,
	],
	['body', 'POST lookup/phonevalidation | POST lookup/wavalidation/batch'],
	['header', 'POST mcp/mcp | POST mcp/ | POST mcp'],
	[
		'nowhere',
		'GET base/status | GET mcp/healthz | GET base/status?verbose=1 | GET mcp/healthz?x=1',
	],
])('the key is in the place of SPEC and in no other: %s of %s', async (place, requests) => {
	for (const text of requests.split(/\s*[|\n]\s*/)) {
		const [method, address] = text.split(' ') as ['GET' | 'POST', string];
		const url = address.replace(/^(?:base|lookup|geoip|mcp)\b/, (name) =>
			String(CREDENTIAL[`${name}Url`]),
		);
		const sent = { method, url, ...(method === 'POST' && { body: { question: '?' } }) };
		expect([text, await placeOf(structuredClone(sent))]).toEqual([text, place]);
		const uri = { method, uri: url, ...(method === 'POST' && { form: { question: '?' } }) };
		expect(await placeOf(uri)).toBe(place === 'body' ? 'form' : place);
	}
});

test('the key is trimmed, replaces one that the caller put there, and leaves what is beside it', async () => {
	const url = `${baseUrl}/check`;
	for (const apiKey of [`  ${KEY}\n`, `${KEY}\r\n`, `\t${KEY}`])
		expect(await placeOf({ url }, { ...CREDENTIAL, apiKey })).toBe('query');
	expect((await signed({ url, qs: { api_key: 'mine', a: '1' } })).qs).toEqual({
		...{ api_key: KEY, a: '1' },
	});
	const headers = { Authorization: 'Bearer mine', a: '1' };
	expect((await signed({ url: `${mcpUrl}/mcp`, headers })).headers).toEqual({
		...{ Authorization: `Bearer ${KEY}`, a: '1' },
	});
});

test("a body that isn't a JSON object is left alone, and the key is in the query", async () => {
	const form = new FormData();
	form.append('media', new Blob(['x']), 'x.txt');
	const url = `${lookupUrl}/phonevalidation`;
	for (const body of [
		...[form, Buffer.from('{}'), '{"phone_numbers":[]}', ['+442079460123']],
		...[new URLSearchParams('a=1'), undefined],
	] as unknown as IDataObject[]) {
		const options = await signed({ method: 'POST', url, body });
		expect([options.body, options.qs]).toEqual([body, { api_key: KEY }]);
		expect(options.body).toBe(body);
	}
	expect([...form.keys()]).toEqual(['media']);
});

test('the key is sent to no proxy of a node, and an address without it may have one', async () => {
	for (const proxy of ['http://proxy.example:8080', { host: 'proxy.example', port: 8080 }])
		for (const kind of ['url', 'uri']) {
			for (const address of [`${geoipUrl}/`, `${baseUrl}/check`, `${mcpUrl}/mcp`])
				expect(await placeOf({ [kind]: address, proxy } as Options)).toMatch(PROXY);
			const free = { [kind]: `${baseUrl}/status`, proxy } as Options;
			expect(await placeOf(free)).toBe('nowhere');
		}
});

test('a header names no other host, in any spelling', async () => {
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
		fc.constantFrom('x@%', '%.', '%/x', '%:1').map((host) => host.replace('%', 'api.example.com')),
	);
	const url = fc.constantFrom(`${baseUrl}/check`, `${geoipUrl}/`, `${mcpUrl}/mcp`);
	const check = async (word: string, host: unknown, address: string, kind: string) => {
		const options = { [kind]: address, headers: { Accept: '*/*', [word]: host } } as Options;
		expect(await placeOf(options)).toMatch(HOST);
	};
	const kind = fc.constantFrom('url', 'uri');
	await fc.assert(fc.asyncProperty(name, value, url, kind, check), { seed: 7, numRuns: 300 });
	for (const [same, host] of [
		[`${baseUrl}/check`, ' API.example.com'],
		[`${baseUrl}/check`, 'api.example.com:443'],
		[`${geoipUrl}/`, 'geoip.example.com:80'],
		[`${lookupUrl}/phonevalidation`, 'lookup.example.com:8443'],
	])
		expect(await placeOf({ url: same, headers: { hOST: host } })).toBe('query');
});

test('no redirect is followed, with or without the key, although the caller wants it', async () => {
	for (const wanted of [
		{ followRedirect: true, followAllRedirects: true },
		{ disableFollowRedirect: false, maxRedirects: 21 },
	])
		for (const url of [`${baseUrl}/check`, `${baseUrl}/status`, `${mcpUrl}/healthz`])
			for (const kind of ['url', 'uri']) await signed({ [kind]: url, ...wanted });
});

test.each<[place: RegExp | string, options: Options[]]>([
	[
		'query',
		[
			{ baseURL: baseUrl, url: '/checkbalance' },
			{ baseURL: baseUrl, url: 'checkbalance' },
			{ baseURL: 'https://evil.example', url: `${baseUrl}/checkbalance` },
		],
	],
	[
		NOT_OURS,
		[
			...[
				...['https://evil.example/api/v1/check', 'http://api.example.com/api/v1/check'],
				...['https://api.example.com:8443/api/v1/check', 'https://geoip.example.com/'],
				...[
					'https://lookup.example.com/api/v1/phonevalidation',
					'https://example.com/api/v1/check',
				],
				...['https://sub.api.example.com/api/v1/check', 'https://api.example.comevil/api/v1/check'],
				...['https://api.example.com.evil.example/api/v1/check'],
				...['https://api.example.com@evil.example/api/v1/check'],
				...['https://api.example.com:443@evil.example/api/v1/check'],
				...['https://api.example.com%2f@evil.example/api/v1/check'],
				...['https://evil.example/?https://api.example.com/api/v1/check'],
				...[
					'https://evil.example#@api.example.com/api/v1/check',
					`https://evil.example/?key=${KEY}`,
				],
				...['https://evil.example\\@api.example.com/api/v1/check'],
				...['https://аpi.example.com/api/v1/check', 'https://api.example.com./api/v1/check'],
			].flatMap((url) => [{ url }, { uri: url }, { url, baseURL: baseUrl }]),
			// n8n joins what is no absolute address to the base URL
			...['https:evil.example/api/v1/check', 'https:/evil.example/api/v1/check'].map((url) => ({
				url,
			})),
			{ uri: 'https:\\\\evil.example/api/v1/check' },
			{ baseURL: 'https://evil.example', url: '@api.example.com/api/v1/check' },
			{ baseURL: 'https://evil.example/', url: '/check' },
			{ baseURL: 'https://api.example.com.evil.example', url: '/check' },
			{ baseURL: 'https://evil.example\\', url: '@api.example.com/check' },
		],
	],
	[
		NOT_COMPLETE,
		[
			...['', '/checkbalance', 'checkbalance', '//api.example.com/check', 'not a url'],
			...['ftp://api.example.com/check', 'file:///etc/passwd', 'javascript:alert(1)'],
			...['https://', 'https://:443/', undefined],
		]
			.map((url): Options => ({ url }))
			.concat({ baseURL: baseUrl, url: '//evil.example/check' })
			.concat({ baseURL: 'api.example.com', url: '/check' }),
	],
])('an address that is joined as n8n joins it comes to %s', async (place, requests) => {
	for (const options of requests) {
		const asked = JSON.stringify(options);
		const came = await placeOf({ ...options });
		expect([asked, came]).toEqual([
			asked,
			typeof place === 'string' ? place : (expect.stringMatching(place) as string),
		]);
	}
});

describe('the URLs of a credential', () => {
	const one = 'https://one.example.com';
	const all = (url?: string | null) =>
		Object.fromEntries([['apiKey', KEY], ...Object.keys(URLS).map((name) => [name, url])]);
	const post = async (url: string, credential: IDataObject, headers?: IDataObject) =>
		await placeOf({ method: 'POST', url, body: { question: '?' }, headers }, credential);

	test.each(['', '/', '//', ' ', ' / '])('may end in %j', async (ending) => {
		const entries = Object.entries(URLS).map(([name, url]) => [name, `${url}${ending}`]);
		const urls = { apiKey: KEY, ...Object.fromEntries(entries) };
		for (const [url, place] of [
			[`${baseUrl}/status`, 'nowhere'],
			[`${geoipUrl}/`, 'query'],
			[`${mcpUrl}/healthz`, 'nowhere'],
			[`${lookupUrl}/phonevalidation`, 'body'],
		])
			expect([url, await post(url, urls)]).toEqual([url, place]);
	});

	const PREFIXES = {
		...{ apiKey: KEY, baseUrl: `${one}/api/v1`, lookupUrl: `${one}/api/v1/lookup` },
		...{ geoipUrl: `${one}/geo`, mcpUrl: `${one}/mcp` },
	};
	const EQUAL = { ...all(`${one}/api/v1`), geoipUrl: '', mcpUrl: '' };
	const EVENTS = { Accept: 'application/json, text/event-stream' };

	test.each<[url: string, credential: IDataObject, place: string, headers?: IDataObject]>([
		// The longest prefix
		[`${one}/mcp/mcp`, PREFIXES, 'header'],
		[`${one}/mcp/healthz`, PREFIXES, 'nowhere'],
		[`${one}/api/v1/status`, PREFIXES, 'nowhere'],
		[`${one}/api/v1/lookup/phonevalidation`, PREFIXES, 'body'],
		// All are equal: the path, or what only the tool server accepts
		[`${one}/api/v1/wavalidation/batch`, EQUAL, 'body'],
		[`${one}/api/checkemail`, all(`${one}/api/`), 'query'],
		[one, all(one), 'header', EVENTS],
		[`${one}/api/mcp`, all(`${one}/api`), 'header', EVENTS],
		[`${one}/api/`, all(`${one}/api/`), 'header', EVENTS],
	])('that share a host are distinguished: %s', async (...[url, credential, place, headers]) => {
		expect(await post(url, credential, headers)).toBe(place);
	});

	test('that are empty or no URL match no address', async () => {
		for (const root of [
			'',
			'  ',
			null,
			undefined,
			'/',
			'https://',
			'api.example.com',
			'http',
			`https://${KEY}@[`,
		])
			for (const url of ['https://evil.example/', 'https://api.example.com/x', 'http://http/'])
				expect(await post(url, all(root))).toMatch(NOT_OURS);
	});
});

test('the test of the credential requests the free balance, and tells a wrong key from a wrong address', () => {
	expect(credentialTest.request.url).toBe('/checkbalance');
	const messages = (credentialTest.rules ?? []).map(({ properties: { message } }) => message);
	for (const cause of [/API key/, /Base URL/])
		expect(messages.filter((message) => cause.test(message))).not.toEqual([]);
});

test('the credential hides the key alone', () => {
	const hidden = properties.filter(({ typeOptions }) => typeOptions?.password);
	expect(hidden.map(({ name }) => name)).toEqual(['apiKey']);
	expect(properties.map(({ name }) => name)).toEqual(Object.keys(CREDENTIAL));
});
