import type { RequestRecord, Sandbox } from '../sandbox';
import { startSandbox } from '../sandbox';
import { release } from '../harness/n8n';
import { expectOnlyE164, runnerOn } from '../harness/onSandbox';

const NUMBER = '+442079460123';
const PLUS_ADDRESS = 'ada+news@mail.example';

/** What the service should see of one call; `key` tells where the API key travels. */
interface Wire {
	name: string;
	parameters: object;
	sent: Pick<RequestRecord, 'host' | 'method' | 'path' | 'query' | 'body'>;
	key: 'body' | 'nowhere' | 'query';
}

const get = (host: RequestRecord['host'], path: string, query: Record<string, string> = {}) => ({
	host,
	method: 'GET',
	path,
	query,
	body: undefined,
});

const WIRES: Wire[] = [
	{
		name: 'Phone Validate, Detailed',
		parameters: { resource: 'phone', operation: 'validate', phoneNumber: NUMBER },
		sent: {
			host: 'lookup',
			method: 'POST',
			path: '/api/v1/phonevalidation',
			query: {},
			body: { phone_number: NUMBER },
		},
		key: 'body',
	},
	{
		name: 'Phone Validate, Detailed of a national number',
		parameters: {
			resource: 'phone',
			operation: 'validate',
			phoneNumber: '020 7946 0123',
			country: ' gb ',
		},
		sent: {
			host: 'lookup',
			method: 'POST',
			path: '/api/v1/phonevalidation',
			query: {},
			body: { phone_number: NUMBER },
		},
		key: 'body',
	},
	{
		name: 'Phone Validate, Detailed of a number that its country does not have',
		parameters: {
			resource: 'phone',
			operation: 'validate',
			phoneNumber: '555-0142',
			country: 'United States',
		},
		sent: {
			host: 'lookup',
			method: 'POST',
			path: '/api/v1/phonevalidation',
			query: {},
			body: { phone_number: '5550142', country_code: 'US' },
		},
		key: 'body',
	},
	{
		name: 'Phone Validate, Basic',
		parameters: {
			resource: 'phone',
			operation: 'validate',
			phoneNumber: NUMBER,
			responseDetail: 'basic',
		},
		sent: get('main', '/api/v1/checkapi', { number: NUMBER }),
		key: 'query',
	},
	{
		name: 'Caller ID Look Up, Detailed',
		parameters: { resource: 'callerId', operation: 'lookUp', phoneNumber: NUMBER },
		sent: get('lookup', '/api/v1/calleridvalidation', { phone_number: NUMBER }),
		key: 'query',
	},
	{
		name: 'Caller ID Look Up, Basic',
		parameters: {
			resource: 'callerId',
			operation: 'lookUp',
			phoneNumber: NUMBER,
			responseDetail: 'basic',
		},
		sent: get('main', '/api/v1/check', { number: NUMBER }),
		key: 'query',
	},
	{
		name: 'WhatsApp Check Number',
		parameters: { resource: 'whatsApp', operation: 'checkNumber', phoneNumber: NUMBER },
		sent: get('main', '/api/v1/checkwanumber', { number: NUMBER }),
		key: 'query',
	},
	{
		name: 'Email Verify',
		parameters: { resource: 'email', operation: 'verify', email: PLUS_ADDRESS },
		sent: get('main', '/api/v1/checkemail', { email: PLUS_ADDRESS }),
		key: 'query',
	},
	{
		name: 'GeoIP Locate, Detailed',
		parameters: { resource: 'geoIp', operation: 'locate', ipAddress: '2001:4860:4860::8888' },
		sent: get('geoip', '/', { ip: '2001:4860:4860::8888' }),
		key: 'query',
	},
	{
		name: 'GeoIP Locate, Basic',
		parameters: {
			resource: 'geoIp',
			operation: 'locate',
			ipAddress: '8.8.8.8',
			responseDetail: 'basic',
		},
		sent: get('main', '/api/v1/checkgeoip', { ip: '8.8.8.8' }),
		key: 'query',
	},
	{
		name: 'Account Get Balance',
		parameters: { resource: 'account', operation: 'getBalance' },
		sent: get('main', '/api/v1/checkbalance'),
		key: 'query',
	},
	{
		name: 'Account Get Status',
		parameters: { resource: 'account', operation: 'getStatus' },
		sent: get('main', '/api/v1/status'),
		key: 'nowhere',
	},
];
const CALLS = WIRES.map((wire) => [wire.name, wire] as const);

/** The request with the API key where SPEC puts it. */
function withKey({ sent, key }: Wire, apiKey: string): Wire['sent'] {
	if (key === 'body') return { ...sent, body: { ...(sent.body as object), api_key: apiKey } };
	return key === 'query' ? { ...sent, query: { ...sent.query, api_key: apiKey } } : sent;
}

function essence({ host, method, path, query, body }: RequestRecord): Wire['sent'] {
	return { host, method, path, query, body };
}

describe(`requests, n8n ${release}`, () => {
	let sandbox: Sandbox;
	let elsewhere: Sandbox;

	beforeAll(async () => {
		[sandbox, elsewhere] = await Promise.all([startSandbox(), startSandbox()]);
	});
	beforeEach(() => {
		sandbox.reset();
		elsewhere.reset();
	});
	afterAll(async () => {
		await Promise.all([sandbox.close(), elsewhere.close()]);
	});
	expectOnlyE164(() => sandbox);

	const run = runnerOn(() => sandbox);

	describe('every call is made as the interface says', () => {
		it.each(CALLS)('%s: host, method, path, query, body and key', async (_, wire) => {
			const { status, error } = await run(wire.parameters);

			expect([status, error?.message]).toEqual(['success', undefined]);
			expect(sandbox.log.map(essence)).toEqual([withKey(wire, sandbox.keys.main)]);
			const [{ status: answer, headers, method }] = sandbox.log;
			expect(answer).toBe(200);
			expect(headers['content-type']).toEqual(
				method === 'POST' ? expect.stringContaining('application/json') : undefined,
			);
			expect(JSON.stringify(headers)).not.toContain(sandbox.keys.main);
		});

		it('sends no key where none is needed, even a wrong one', async () => {
			const { status } = await run(
				{ resource: 'account', operation: 'getStatus' },
				{ credential: { apiKey: 'unused-key' }, items: [{ n: 1 }, { n: 2 }] },
			);

			expect(status).toBe('success');
			expect(sandbox.log).toHaveLength(1);
			expect(JSON.stringify(sandbox.log)).not.toContain('unused-key');
		});

		it('trims a pasted key, and base URLs with spaces and slashes at the end', async () => {
			const { baseUrl, lookupUrl, geoipUrl } = sandbox.roots;
			const credential = {
				apiKey: ` ${sandbox.keys.main}\n`,
				baseUrl: ` ${baseUrl}// `,
				lookupUrl: `${lookupUrl}/`,
				geoipUrl: `${geoipUrl}/\n`,
			};
			for (const [, wire] of CALLS) await run(wire.parameters, { credential });

			expect(sandbox.log.map(essence)).toEqual(
				WIRES.map((wire) => withKey(wire, sandbox.keys.main)),
			);
		});

		it('uses only the base URL that the operation needs', async () => {
			const credential = { lookupUrl: '', geoipUrl: '', mcpUrl: '' };
			const items = [{ email: 'a@mail.example' }, { email: 'b@mail.example' }];
			const parameters = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
			const { status } = await run(parameters, { credential, items });

			expect(status).toBe('success');
			expect(sandbox.log.map(({ host }) => host)).toEqual(['main', 'main']);
		});
	});

	describe('a plus sign arrives as a plus sign', () => {
		const inQuery = CALLS.filter(([, { sent }]) => JSON.stringify(sent.query).includes('+'));

		it.each(inQuery)('%s sends it as %%2B', async (_, { parameters, sent }) => {
			await run(parameters);

			const [{ url }] = sandbox.log;
			expect(url).toContain('%2B');
			expect(url).not.toContain('+');
			expect(new URL(url, 'http://host').searchParams.get(Object.keys(sent.query)[0])).toMatch(
				/\+/,
			);
		});

		it('in every spelling that people use, with one call for all of them', async () => {
			const numbers = [
				...['+44 20 7946-0123', '00442079460123', '+44 (20) 7946 0123', NUMBER, '442079460123'],
				...['+44 (0)20 7946 0123', 'tel:+44-20-7946-0123;ext=5', '+44 20 7946 0123 x 5'],
			];
			const { status, items } = await run(
				{ resource: 'whatsApp', operation: 'checkNumber', phoneNumber: '={{ $json.number }}' },
				{ items: numbers.map((number) => ({ number })) },
			);

			expect(status).toBe('success');
			const records = items().map(({ json }) => json);
			expect(records.map(({ input }) => input)).toEqual(numbers);
			expect(records.map(({ phoneNumber }) => phoneNumber)).toEqual(numbers.map(() => NUMBER));
			const extensions = [...Array.from({ length: 6 }, () => null), '5', '5'];
			expect(records.map(({ extension }) => extension)).toEqual(extensions);
			expect(records.map(({ reason }) => reason)).toEqual(
				extensions.map((extension) => extension && 'extension 5 was left out'),
			);
			expect(sandbox.log.map(({ query }) => query.number)).toEqual([NUMBER]);
			expect(sandbox.log[0].url).toMatch(/number=%2B44/);
		});
	});

	describe('Additional Parameters', () => {
		const additional = (...parameter: Array<{ name: string; value: string }>) => ({
			options: { additionalParameters: { parameter } },
		});

		it.each(CALLS)('%s sends them beside its own', async (_, wire) => {
			const { status } = await run({
				...wire.parameters,
				...additional({ name: 'client_ip', value: '8.8.4.4' }, { name: ' tag ', value: 'a+b' }),
			});

			const more = { client_ip: '8.8.4.4', tag: 'a+b' };
			const own = withKey(wire, sandbox.keys.main);
			expect(status).toBe('success');
			expect(sandbox.log.map(essence)).toEqual([
				own.body
					? { ...own, body: { ...(own.body as object), ...more } }
					: { ...own, query: { ...own.query, ...more } },
			]);
			if (!own.body) expect(sandbox.log[0].url).toContain('tag=a%2Bb');
		});

		const INHERITED = ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
		it.each(CALLS)('%s sends parameters with the names of inherited members', async (_, wire) => {
			const parameter = INHERITED.map((name) => ({ name, value: 'x' }));
			const { status } = await run({ ...wire.parameters, ...additional(...parameter) });

			const [{ url, body }] = sandbox.log;
			const inUrl = [...new URL(url, 'http://host').searchParams.keys()];
			expect(status).toBe('success');
			expect([...inUrl, ...Object.keys(Object(body) as object)]).toEqual(
				expect.arrayContaining(INHERITED),
			);
		});

		it.each(CALLS)(
			'%s refuses "__proto__" with a message, and nothing is sent',
			async (_, wire) => {
				const { status, error } = await run({
					...wire.parameters,
					...additional({ name: '__proto__', value: 'x' }),
				});

				expect(status).toBe('error');
				expect(error?.message).toMatch(
					/^Additional Parameters has "__proto__".*Remove it.*You weren't charged/,
				);
				expect(sandbox.log).toEqual([]);
			},
		);

		const taken: Array<[name: string, parameters: object]> = [
			['api_key', { resource: 'email', operation: 'verify' }],
			['email', { resource: 'email', operation: 'verify' }],
			['api_key', { resource: 'phone', operation: 'validate' }],
			['phone_number', { resource: 'phone', operation: 'validate' }],
			[
				'country_code',
				{ resource: 'phone', operation: 'validate', phoneNumber: '555-0142', country: 'US' },
			],
			['number', { resource: 'whatsApp', operation: 'checkNumber' }],
			['ip', { resource: 'geoIp', operation: 'locate' }],
			['api_key', { resource: 'account', operation: 'getBalance' }],
			['api_key', { resource: 'account', operation: 'getStatus' }],
		];
		it.each(taken)('refuse "%s" in %j, and nothing is sent', async (name, parameters) => {
			const subjects = { email: PLUS_ADDRESS, phoneNumber: NUMBER, ipAddress: '8.8.8.8' };
			const { status, error } = await run(
				{ ...subjects, ...parameters, ...additional({ name, value: 'other' }) },
				{ items: [{ n: 1 }, { n: 2 }] },
			);

			expect(status).toBe('error');
			expect(error?.message).toContain(`Additional Parameters has "${name}"`);
			expect(error?.message).toMatch(/You weren't charged/);
			expect(sandbox.log).toEqual([]);
		});

		it.each(CALLS)('%s refuses a name that occurs twice, and nothing is sent', async (...of) => {
			const [, wire] = of;
			const { status, error } = await run(
				{
					...wire.parameters,
					...additional(
						{ name: 'tag', value: 'a' },
						{ name: 'list', value: 'b' },
						{ name: ' tag ', value: 'a' },
					),
				},
				{ items: [{ n: 1 }, { n: 2 }] },
			);

			expect(status).toBe('error');
			expect(error?.message).toMatch(
				/^Additional Parameters has "tag" twice\. Remove one of them.*You weren't charged/,
			);
			expect(sandbox.log).toEqual([]);
		});

		it('fail an item alone if it has a name twice', async () => {
			const { items } = await run(
				{
					...{ resource: 'email', operation: 'verify', email: '={{ $json.email }}' },
					...additional({ name: 'tag', value: 'a' }, { name: '={{ $json.name }}', value: 'b' }),
				},
				{
					items: [
						{ email: 'ada@mail.example', name: 'list' },
						{ email: 'eve@mail.example', name: 'tag' },
					],
				},
			);

			expect(items().map(({ json }) => json.source)).toEqual(['service', 'failed']);
			expect(items()[1].json.reason).toMatch(/"tag" twice.*You weren't charged/);
			expect(sandbox.log).toHaveLength(1);
		});

		it('are part of the value: duplicates with other parameters are looked up separately', async () => {
			const { items } = await run(
				{
					resource: 'email',
					operation: 'verify',
					email: 'ada@mail.example',
					...additional({ name: 'list', value: '={{ $json.list }}' }),
				},
				{ items: ['a', 'b', 'a', 'api_key'].map((list) => ({ list })) },
			);

			expect(sandbox.log.map(({ query }) => query.list)).toEqual(['a', 'b', 'api_key']);
			expect(items().map(({ json }) => json.source)).toEqual([
				'service',
				'service',
				'duplicate',
				'service',
			]);
		});
	});

	describe('Timeout', () => {
		const emails = ['slow@mail.example', 'ada@mail.example', 'slow@mail.example'];
		const verify = {
			parameters: { resource: 'email', operation: 'verify', email: '={{ $json.email }}' },
			items: emails.map((email) => ({ email })),
		};
		const inSeconds = (timeout: number) => ({ ...verify.parameters, options: { timeout } });

		beforeEach(() => sandbox.fault({ kind: 'latency', ms: 1500, contains: 'slow' }));

		it('ends a call whose answer comes later, once, and keeps the others', async () => {
			const { items, status } = await run(inSeconds(1), { items: verify.items });

			expect(status).toBe('success');
			expect(sandbox.log.map(({ query }) => query.email)).toEqual(emails.slice(0, 2));
			expect(items().map(({ json }) => json.source)).toEqual(['failed', 'service', 'failed']);
			expect(items()[0].json.reason).toMatch(/no answer arrived in time.*may have been charged/i);
		});

		it('waits for an answer that comes before', async () => {
			const { items } = await run(inSeconds(4), { items: verify.items });

			expect(sandbox.log).toHaveLength(2);
			expect(items().map(({ json }) => json.outcome)).toEqual(new Array(3).fill('positive'));
		});
	});

	describe('a redirect is not followed with the key', () => {
		const targets = [301, 302, 303, 307, 308].flatMap((status) =>
			[WIRES[0], WIRES[4], WIRES[7], WIRES[8], WIRES[10]].map(
				(wire) => [status, wire.name, wire] as const,
			),
		);

		it.each(targets)('%i after %s: the other origin sees nothing', async (status, _, wire) => {
			const { path } = wire.sent;
			const other = new URL(elsewhere.roots.baseUrl).origin;
			sandbox.fault({ kind: 'redirect', status, to: `${other}${path}` });
			const { error, hints } = await run(wire.parameters, { items: [{ n: 1 }, { n: 2 }] });

			expect(elsewhere.connections().total).toBe(0);
			expect(elsewhere.log).toEqual([]);
			expect(sandbox.log.map((record) => record.path)).toEqual(
				new Array(sandbox.log.length).fill(path),
			);
			const isFree = wire.name.startsWith('Account');
			const mayBeDone = !isFree && (status === 303 || wire.sent.method === 'POST');
			const cost = mayBeDone ? 'You may have been charged.' : "You weren't charged";
			expect(error?.message).toMatch(/redirects to another address.*final address/);
			expect(error?.message).toContain(cost);
			expect(hints()).toEqual([]);
		});

		it('not to another path of the same host either', async () => {
			sandbox.fault({ kind: 'redirect', to: '/api/v1/status', path: 'checkwanumber' });
			const { status } = await run({
				resource: 'whatsApp',
				operation: 'checkNumber',
				phoneNumber: NUMBER,
			});

			expect(status).toBe('error');
			expect(sandbox.log.map(({ path }) => path)).toEqual(['/api/v1/checkwanumber']);
		});
	});
});
