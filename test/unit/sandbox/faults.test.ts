import { startSandbox, type FaultRule, type Sandbox } from '../../sandbox';
import { ask, at, post, send, until, urlOf } from './requests';

const QUESTION = { email: 'someone@shop.example' };

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.reset());

const askEmail = async () => await ask(sandbox, 'email', QUESTION);
const charged = () => sandbox.spent(sandbox.keys.main).email;

describe('faults before the endpoint is reached charge nothing', () => {
	it('status: sends status, headers and body', async () => {
		const body = { error: 'slow down' };
		sandbox.fault({ kind: 'status', status: 503, headers: { 'retry-after': '2' }, body });
		const seen = await askEmail();
		expect([seen.status, seen.headers.get('retry-after'), seen.body]).toEqual([503, '2', body]);
		expect(sandbox.log[0]).toMatchObject({ status: 503, charged: 0 });
		expect(charged()).toBe(0);
	});

	it('resetBeforeCharge: breaks the connection', async () => {
		sandbox.fault({ kind: 'resetBeforeCharge' });
		await expect(askEmail()).rejects.toThrow('fetch failed');
		expect(sandbox.log[0].status).toBeUndefined();
		expect(charged()).toBe(0);
	});

	it('hangBeforeCharge: says nothing until the client stops waiting', async () => {
		sandbox.fault({ kind: 'hangBeforeCharge' });
		await expectSilence();
		expect(charged()).toBe(0);
	});

	it('redirect: points elsewhere, with 302 by default', async () => {
		const to = 'http://127.0.0.1:9/';
		sandbox.fault({ kind: 'redirect', to, times: 1 });
		sandbox.fault({ kind: 'redirect', to, status: 307 });
		const [found, temporary] = [await askEmail(), await askEmail()];
		expect([found.status, found.headers.get('location')]).toEqual([302, to]);
		expect([temporary.status, temporary.headers.get('location')]).toEqual([307, to]);
		expect(charged()).toBe(0);
	});

	it('echoKey: repeats the key from the query, the body and either header', async () => {
		sandbox.fault({ kind: 'echoKey' });
		const echoes = [
			await send(urlOf(sandbox, 'email', { api_key: 'secret-1' })),
			await post(urlOf(sandbox, 'phone'), { api_key: 'secret-2' }),
			await send(urlOf(sandbox, 'health'), { headers: { authorization: 'Bearer secret-3' } }),
			await send(urlOf(sandbox, 'health'), { headers: { 'x-api-key': 'secret-4' } }),
		];
		expect(echoes.map(({ text }) => /secret-\d/.exec(text)?.[0])).toEqual([
			'secret-1',
			'secret-2',
			'secret-3',
			'secret-4',
		]);
		expect(echoes[0].body).toMatchObject({ status: false });
	});
});

describe('faults after the endpoint has answered keep the charge', () => {
	it('resetAfterCharge: breaks the connection', async () => {
		sandbox.fault({ kind: 'resetAfterCharge' });
		await expect(askEmail()).rejects.toThrow('fetch failed');
		expect(sandbox.log[0]).toMatchObject({ charged: 1 });
		expect(sandbox.log[0].status).toBeUndefined();
		expect(charged()).toBe(1);
	});

	it('hangAfterCharge: says nothing until the client stops waiting', async () => {
		sandbox.fault({ kind: 'hangAfterCharge' });
		await expectSilence();
		expect(charged()).toBe(1);
	});

	it.each<[FaultRule, string | RegExp]>([
		[{ kind: 'html' }, /^<!doctype html>/],
		[{ kind: 'truncatedJson' }, /^\{"balance".*[^}]$/],
		[{ kind: 'emptyBody' }, /^$/],
		[{ kind: 'body', body: 'not JSON' }, /^not JSON$/],
		[{ kind: 'body', body: [1, null] }, /^\[1,null\]$/],
		[{ kind: 'body', body: null }, /^null$/],
	])('%j: damages the body and keeps the status', async (rule, text) => {
		sandbox.fault(rule);
		const seen = await askEmail();
		expect(seen.status).toBe(200);
		expect(seen.text).toMatch(text);
		expect(charged()).toBe(1);
	});
});

describe('rules', () => {
	it('latency lets the endpoint answer, and may be combined with another fault', async () => {
		sandbox.fault({ kind: 'latency', ms: 1 });
		expect((await askEmail()).body).toMatchObject({ verdict: 'deliverable' });
		sandbox.fault({ kind: 'emptyBody' });
		expect((await askEmail()).text).toBe('');
	});

	it('choose requests by host, method, path, last segment and content', async () => {
		const spoilt = async (rule: Omit<FaultRule, 'kind'>) => {
			sandbox.clearFaults();
			sandbox.fault({ ...rule, kind: 'status', status: 599 } as FaultRule);
			const seen = [
				await askEmail(),
				await ask(sandbox, 'phone', { phone_number: '+442079460123' }),
				await post(urlOf(sandbox, 'phone'), { phone_number: '+12025550102' }),
			];
			return seen.map(({ status }) => status === 599);
		};
		expect(await spoilt({})).toEqual([true, true, true]);
		expect(await spoilt({ host: 'lookup' })).toEqual([false, true, true]);
		expect(await spoilt({ method: 'post' })).toEqual([false, false, true]);
		expect(await spoilt({ path: '/api/v1/checkemail' })).toEqual([true, false, false]);
		expect(await spoilt({ path: 'phonevalidation' })).toEqual([false, true, true]);
		expect(await spoilt({ path: 'phone' })).toEqual([false, false, false]);
		expect(await spoilt({ contains: '+44' })).toEqual([false, true, false]);
		expect(await spoilt({ contains: '2025550102' })).toEqual([false, false, true]);
		expect(await spoilt({ host: 'lookup', method: 'GET' })).toEqual([false, true, false]);
	});

	it('let the first few through and end after a number of times', async () => {
		sandbox.fault({ kind: 'status', status: 500, skip: 1, times: 2 });
		const statuses = [];
		for (let call = 0; call < 5; call++) statuses.push((await askEmail()).status);
		expect(statuses).toEqual([200, 500, 500, 200, 200]);
		expect(charged()).toBe(3);
	});
});

it('a reset or a close ends hanging requests', async () => {
	sandbox.fault({ kind: 'hangAfterCharge' });
	const reply = askEmail().catch(() => 'broken');
	await until(() => charged() === 1);
	sandbox.reset();
	expect(await reply).toBe('broken');
	expect([charged(), sandbox.log.length]).toEqual([0, 0]);

	const other = await startSandbox({ latencyMs: 3_600_000 });
	const waiting = ask(other, 'email', QUESTION).catch(() => 'broken');
	await until(() => other.inFlight().now === 1);
	await other.close();
	expect(await waiting).toBe('broken');
	expect(other.connections().open).toBe(0);
});

/** Asks, sees no answer however often the loop turns, and gives up. */
async function expectSilence() {
	const leave = new AbortController();
	const url = urlOf(sandbox, 'email', { ...QUESTION, api_key: sandbox.keys.main });
	const reply = send(url, { signal: leave.signal }).catch(({ name }: Error) => name);
	await until(() => sandbox.inFlight().now === 1);
	let turns = 0;
	await until(() => ++turns > 50);
	expect(sandbox.inFlight().now).toBe(1);
	leave.abort();
	expect(await reply).toBe('AbortError');
	await until(() => sandbox.inFlight().now === 0);
	expect(sandbox.log[0]).toMatchObject({ path: `/api/v1${at.email[1]}` });
	expect(sandbox.log[0].status).toBeUndefined();
}

describe('faults in the transport of a correct answer', () => {
	const KEY = 'sandbox-key-main';
	const answer = async (rule: FaultRule) => {
		sandbox.fault(rule);
		return await askEmail();
	};

	it.each<FaultRule>([
		{ kind: 'gzip' },
		{ kind: 'charset', charset: 'bom' },
		{ kind: 'charset', charset: 'latin1' },
		{ kind: 'padding', bytes: 100_000 },
		{ kind: 'reshaped', as: 'extra' },
	])('%j: is charged, and the answer is complete', async (rule) => {
		expect((await answer(rule)).body).toMatchObject({ status: true, verdict: 'deliverable' });
		expect(charged()).toBe(1);
	});

	it.each<FaultRule>([{ kind: 'gzip', broken: true }, { kind: 'cutShort' }])(
		'%j: is charged, and the answer cannot be read',
		async (rule) => {
			await expect(answer(rule)).rejects.toThrow();
			expect(charged()).toBe(1);
		},
	);

	it('echo: repeats the key in the body and in headers, also as JSON escapes it', async () => {
		const { text, body, headers } = await answer({ kind: 'echo' });
		const { echo } = body as { echo: Record<string, string> };
		expect(echo).toMatchObject({ [KEY]: KEY, escaped: KEY });
		expect(text).toContain('"escaped":"\\u0073\\u0061');
		expect(headers.get('x-api-key')).toBe(KEY);
	});
});
