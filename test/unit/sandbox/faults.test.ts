import type { FaultRule } from '../../sandbox';
import { ask, post, send, until, urlOf } from './requests';
import { sandboxOfTests } from '../fakes/sandboxOfTests';

/** Faults whose absence no other test would see: a key that is not repeated cannot leak, and an answered call needs no time limit. */

const QUESTION = { email: 'someone@shop.example' };

const sandbox = sandboxOfTests();

const askEmail = async () => await ask(sandbox, 'email', QUESTION);
const charged = () => sandbox.spent(sandbox.keys.main).email;

it.each([
	['hangBeforeCharge', 0],
	['hangAfterCharge', 1],
] as const)(
	'%s says nothing until the client stops waiting, and charges %d',
	async (kind, credits) => {
		sandbox.fault({ kind });
		const leave = new AbortController();
		const url = urlOf(sandbox, 'email', { ...QUESTION, api_key: sandbox.keys.main });
		const reply = send(url, { signal: leave.signal }).catch(({ name }: Error) => name);
		await until(() => sandbox.inFlight().now === 1);
		let turns = 0;
		await until(() => ++turns > 50);
		expect(sandbox.inFlight().now).toBe(1);
		leave.abort();
		expect(await reply).toBe('AbortError');
		expect([charged(), sandbox.log[0].status]).toEqual([credits, undefined]);
	},
);

it('echoKey repeats the key from the query, the body and either header', async () => {
	sandbox.fault({ kind: 'echoKey' });
	const echoes = [
		await send(urlOf(sandbox, 'email', { api_key: 'secret-1' })),
		await post(urlOf(sandbox, 'phone'), { api_key: 'secret-2' }),
		await send(urlOf(sandbox, 'health'), { headers: { authorization: 'Bearer secret-3' } }),
		await send(urlOf(sandbox, 'health'), { headers: { 'x-api-key': 'secret-4' } }),
	];
	const keys = echoes.map(({ text }) => /secret-\d/.exec(text)?.[0]);
	expect(keys).toEqual(['secret-1', 'secret-2', 'secret-3', 'secret-4']);
});

it('echo repeats the key in the body and in headers, also as JSON escapes it', async () => {
	sandbox.fault({ kind: 'echo' });
	const { text, body, headers } = await askEmail();
	const key = sandbox.keys.main;
	const { echo } = body as { echo: Record<string, string> };
	expect(echo).toMatchObject({ [key]: key, escaped: key });
	expect(text).toContain('"escaped":"\\u0073\\u0061');
	expect(headers.get('x-api-key')).toBe(key);
});

it.each<[FaultRule, string | RegExp]>([
	[{ kind: 'gzip' }, /"verdict":"deliverable"/],
	[{ kind: 'charset', charset: 'bom' }, /"verdict":"deliverable"/],
	[{ kind: 'padding', bytes: 100_000 }, /^[^]{100000}/],
])('%j charges the call, changes the body and keeps the status', async (rule, text) => {
	sandbox.fault(rule);
	const seen = await askEmail();
	expect([seen.status, charged()]).toEqual([200, 1]);
	expect(seen.text).toMatch(text);
});
