import type { RequestRecord } from '../sandbox';
import { release } from '../harness/n8n';
import { storiesOn } from '../harness/stories';

const NUMBER = '+442079460123';
const PLUS_ADDRESS = 'ada+news@mail.example';
const IPV6 = '2001:4860:4860::8888';

const BY_NUMBER = { phoneNumber: NUMBER };
const AS_NUMBER = { number: NUMBER };
const NOT_OF_COUNTRY = { phoneNumber: '555-0142', country: 'United States' };
const BASIC = { responseDetail: 'basic' };

/** An operation with its parameters, and what the service should see of its call, beside the key. */
const ROWS: Array<[operation: string, parameters: object, to: string, sent: object]> = [
	['phone validate', BY_NUMBER, 'lookup phonevalidation', { phone_number: NUMBER }],
	[
		...(['phone validate', { phoneNumber: '020 7946 0123', country: ' gb ' }] as const),
		...(['lookup phonevalidation', { phone_number: NUMBER }] as const),
	],
	[
		...(['phone validate', NOT_OF_COUNTRY, 'lookup phonevalidation'] as const),
		{ phone_number: '5550142', country_code: 'US' },
	],
	['phone validate', { ...BY_NUMBER, ...BASIC }, 'main checkapi', AS_NUMBER],
	['callerId lookUp', BY_NUMBER, 'lookup calleridvalidation', { phone_number: NUMBER }],
	['callerId lookUp', { ...BY_NUMBER, ...BASIC }, 'main check', AS_NUMBER],
	['whatsApp checkNumber', BY_NUMBER, 'main checkwanumber', AS_NUMBER],
	['email verify', { email: PLUS_ADDRESS }, 'main checkemail', { email: PLUS_ADDRESS }],
	['geoIp locate', { ipAddress: IPV6 }, 'geoip', { ip: IPV6 }],
	['geoIp locate', { ipAddress: '8.8.8.8', ...BASIC }, 'main checkgeoip', { ip: '8.8.8.8' }],
	['account getBalance', {}, 'main checkbalance', {}],
	['account getStatus', {}, 'main status', {}],
];
const nodeOf = (name: string, parameters: object) => {
	const [resource, operation] = name.split(' ');
	return { resource, operation, ...parameters };
};
const WIRES = ROWS.map(([name, parameters, to, sent]) => {
	const [host, endpoint] = to.split(' ');
	return {
		...{ host, sent, isPost: endpoint === 'phonevalidation', hasKey: endpoint !== 'status' },
		path: endpoint ? `/api/v1/${endpoint}` : '/',
		parameters: nodeOf(name, parameters),
	};
});
type Wire = (typeof WIRES)[number];
const CALLS = WIRES.map((wire, n) => [`${ROWS[n][0]} (${wire.host}${wire.path})`, wire] as const);

/** The request with the API key and more parameters where SPEC puts them. */
function withKey({ host, path, sent, isPost, hasKey }: Wire, apiKey: string, more: object = {}) {
	const all = { ...sent, ...(hasKey && { api_key: apiKey }), ...more };
	const method = isPost ? 'POST' : 'GET';
	return { host, method, path, query: isPost ? {} : all, body: isPost ? all : undefined };
}

const essence = ({ host, method, path, query, body }: RequestRecord) => ({
	...{ host, method, path, query, body },
});

describe(`requests, n8n ${release}`, () => {
	const on = storiesOn();
	const run = on.act;
	const additional = (...pairs: Array<[name: string, value: string]>) => ({
		options: {
			additionalParameters: { parameter: pairs.map(([name, value]) => ({ name, value })) },
		},
	});

	it.each(CALLS)('%s is called as SPEC says, with the URL of its host alone', async (_, wire) => {
		const none = { baseUrl: '', lookupUrl: '', geoipUrl: '', mcpUrl: '' };
		const field = wire.host === 'main' ? 'baseUrl' : (`${wire.host}Url` as 'lookupUrl');
		const credential = { ...none, [field]: on.service().roots[field] };
		const { status, error } = await run(wire.parameters, { credential });

		expect([status, error?.message]).toEqual(['success', undefined]);
		expect(on.service().log.map(essence)).toEqual([withKey(wire, on.service().keys.main)]);
		const [{ status: answer, headers }] = on.service().log;
		expect(answer).toBe(200);
		expect(headers['content-type']).toEqual(
			wire.isPost ? expect.stringContaining('application/json') : undefined,
		);
		expect(JSON.stringify(headers)).not.toContain(on.service().keys.main);
	});

	describe('Additional Parameters', () => {
		it.each(CALLS)('%s sends them beside its own, whatever their names', async (_, wire) => {
			const inherited = ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
			const pairs = inherited.map((name): [string, string] => [name, 'x']);
			const { status } = await run({
				...wire.parameters,
				...additional(['client_ip', '8.8.4.4'], [' tag ', 'a+b'], ...pairs),
			});
			const more = { client_ip: '8.8.4.4', tag: 'a+b', ...Object.fromEntries(pairs) };
			expect(status).toBe('success');
			expect(on.service().log.map(essence)).toEqual([withKey(wire, on.service().keys.main, more)]);
			if (!wire.isPost) expect(on.service().log[0].url).toContain('tag=a%2Bb');
		});

		const TWICE = '"tag" twice. Remove one of them';
		it.each<[operation: string, parameters: object, name: string, says?: string]>([
			['email verify', {}, 'api_key'],
			['email verify', {}, 'email'],
			['email verify', {}, '__proto__', '"__proto__".*Remove it'],
			['email verify', {}, 'tag', TWICE],
			['phone validate', {}, 'phone_number'],
			['phone validate', {}, 'half \ud83d', 'an unreadable character.*Copy it again'],
			['phone validate', NOT_OF_COUNTRY, 'country_code'],
			['whatsApp checkNumber', {}, 'number'],
			['geoIp locate', {}, 'ip'],
			['account getStatus', {}, 'api_key'],
		])('%s %j refuses "%s", and nothing is sent', async (...of) => {
			const [operation, parameters, name, says = `"${name}"`] = of;
			const subjects = { email: PLUS_ADDRESS, ...BY_NUMBER, ipAddress: '8.8.8.8', ...parameters };
			const { status, error } = await run(
				{
					...nodeOf(operation, subjects),
					...additional(['tag', 'a'], ['b', 'b'], [` ${name} `, 'c']),
				},
				{ items: [{ n: 1 }, { n: 2 }] },
			);
			expect([status, on.service().log]).toEqual(['error', []]);
			expect(error?.message).toMatch(
				new RegExp(`^Additional Parameters has ${says}.*You weren't charged`),
			);
		});

		it('are part of the value: duplicates with others are looked up separately, and an item fails alone', async () => {
			const list = additional(['tag', 'x'], ['={{ $json.name ?? "list" }}', '={{ $json.list }}']);
			const { items } = await run(
				{ resource: 'email', operation: 'verify', email: PLUS_ADDRESS, ...list },
				{ items: [...['a', 'b', 'a', 'api_key'].map((list) => ({ list })), { name: 'tag' }] },
			);
			expect(on.service().log.map(({ query }) => query.list)).toEqual(['a', 'b', 'api_key']);
			expect(items().map(({ json }) => json.source)).toEqual([
				...['service', 'service', 'duplicate', 'service', 'failed'],
			]);
			expect(items()[4].json.reason).toMatch(/"tag" twice.*You weren't charged/);
		});
	});
});
