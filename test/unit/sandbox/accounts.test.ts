import { magic, startSandbox, type Sandbox } from '../../sandbox';
import { RateWindows } from '../../sandbox/http/rateWindow';
import { ask, post, send } from './requests';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: { calls: 3, windowSeconds: 3600 } });
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.reset());

describe('ledgers', () => {
	it('have every debit in order, with its endpoint and value', async () => {
		await ask(sandbox, 'phone', { phone_number: '+442079460123' });
		await ask(sandbox, 'phone', { phone_number: '+1202' });
		await ask(sandbox, 'geo', { ip: '8.8.8.8' });
		const { main, other } = sandbox.keys;
		expect(sandbox.debits(main)).toEqual([
			{
				product: 'phone',
				amount: 1,
				endpoint: '/api/v1/phonevalidation',
				question: '+442079460123',
				at: expect.any(Number),
			},
			{ product: 'geoip', amount: 1, endpoint: '/', question: '8.8.8.8', at: expect.any(Number) },
		]);
		expect(sandbox.balances(main)).toMatchObject({
			phone: magic.RICH_BALANCE - 1,
			geoip: magic.RICH_BALANCE - 1,
		});
		expect(sandbox.debits(other)).toEqual([]);
		expect(sandbox.log.map((record) => record.charged)).toEqual([1, 0, 1]);
	});

	it('show a refund as a debit and its return, and the balance after it', async () => {
		sandbox.setBalance(sandbox.keys.main, 'email', 5);
		const email = `${magic.EMAIL.timeout}@shop.example`;
		const { body } = await ask(sandbox, 'email', { email });
		expect(body).toMatchObject({ balance: 5, status: false });
		expect(sandbox.debits(sandbox.keys.main).map(({ amount }) => amount)).toEqual([1, -1]);
		expect(sandbox.log[0].charged).toBe(0);
	});

	it('refund an address of the once kind a single time for each account', async () => {
		const email = `${magic.EMAIL.timeoutOnce}@shop.example`;
		const verdict = async (api_key: string) =>
			((await ask(sandbox, 'email', { email, api_key })).body as { verdict?: string }).verdict;
		const { main, other } = sandbox.keys;
		expect([await verdict(main), await verdict(main)]).toEqual([undefined, 'deliverable']);
		expect([await verdict(other), await verdict(other)]).toEqual([undefined, 'deliverable']);
		expect(sandbox.spent(main).email).toBe(1);
	});

	it('show the email balance after the check', async () => {
		sandbox.setBalance(sandbox.keys.main, 'email', 2);
		const email = 'someone@shop.example';
		const bodies = [];
		for (let call = 0; call < 3; call++) bodies.push((await ask(sandbox, 'email', { email })).body);
		expect(bodies).toMatchObject([{ balance: 1 }, { balance: 0 }, { error: 'Please recharge' }]);
	});

	it('never fall below zero with any number of parallel calls', async () => {
		sandbox.setBalance(sandbox.keys.main, 'callerinfo', 2);
		const phone_number = '+442079460123';
		const seen = await Promise.all(
			Array.from({ length: 6 }, async () => await ask(sandbox, 'caller', { phone_number })),
		);
		expect(seen.filter(({ status }) => status === 402)).toHaveLength(4);
		expect(sandbox.balances(sandbox.keys.main).callerinfo).toBe(0);
	});
});

describe('the rate window of phonevalidation', () => {
	const validate = async (api_key: string, phone_number = '+442079460123') =>
		await ask(sandbox, 'phone', { phone_number, api_key });

	it('counts every call of a key and then answers 429 with Retry-After, free of charge', async () => {
		const { main, other } = sandbox.keys;
		const remains = [
			(await validate(main)).body,
			(await validate(main, '+1202')).body,
			(await validate(main)).body,
		];
		expect(remains).toMatchObject([
			{ ratelimit_remain: 2 },
			{ status: 'INVALID' },
			{ ratelimit_remain: 0 },
		]);
		const beyond = await validate(main);
		expect(beyond.status).toBe(429);
		expect(beyond.body).toEqual({ error: expect.any(String) });
		expect(Number(beyond.headers.get('retry-after'))).toBeGreaterThan(0);
		expect(sandbox.spent(main).phone).toBe(2);
		expect((await validate(other)).body).toMatchObject({ ratelimit_remain: 2 });
		sandbox.reset();
		expect((await validate(main)).body).toMatchObject({ ratelimit_remain: 2 });
	});

	it('opens with the first call and resets when its seconds are over', () => {
		let now = 0;
		const windows = new RateWindows({ calls: 2, windowSeconds: 10 }, () => now);
		expect(windows.take('a')).toEqual({ exceeded: false, remain: 1, seconds: 10 });
		now = 9_500;
		expect(windows.take('a')).toEqual({ exceeded: false, remain: 0, seconds: 1 });
		expect(windows.take('a')).toEqual({ exceeded: true, remain: 0, seconds: 1 });
		expect(windows.take('b')).toEqual({ exceeded: false, remain: 1, seconds: 10 });
		now = 10_000;
		expect(windows.take('a')).toEqual({ exceeded: false, remain: 1, seconds: 10 });
	});
});

describe('the admin routes', () => {
	const admin = (name: string) => new URL(`/_sandbox/${name}`, sandbox.roots.baseUrl).href;

	it('control a sandbox from outside and never appear in its log', async () => {
		const { roots, keys } = sandbox;
		expect((await send(admin('info'))).body).toEqual({ roots, keys });
		await post(admin('balance'), { key: keys.empty, product: 'geoip', credits: 1 });
		await post(admin('faults'), { kind: 'status', status: 500, path: 'status', times: 1 });
		expect((await ask(sandbox, 'status')).status).toBe(500);
		await ask(sandbox, 'geo', { ip: '8.8.8.8', api_key: keys.empty });
		expect((await send(admin('ledger'))).body).toMatchObject({
			[keys.empty]: {
				balances: { geoip: 0 },
				spent: { geoip: 1 },
				debits: [{ question: '8.8.8.8' }],
			},
		});
		expect((await send(admin('log'))).body).toMatchObject([{ host: 'main' }, { host: 'geoip' }]);
		await post(admin('faults'), { kind: 'status', status: 500 });
		await send(admin('faults'), { method: 'DELETE' });
		expect((await ask(sandbox, 'status')).status).toBe(200);
		expect((await send(admin('reset'), { method: 'POST' })).body).toEqual({ ok: true });
		expect((await send(admin('log'))).body).toEqual([]);
		expect(sandbox.balances(keys.empty).geoip).toBe(0);
		expect(sandbox.debits(keys.empty)).toEqual([]);
	});
});
