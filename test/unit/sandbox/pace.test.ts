import { startSandbox, type Sandbox } from '../../sandbox';
import { TokenBuckets } from '../../sandbox/http/tokenBuckets';
import { ask, post, urlOf } from './requests';

describe('a bucket', () => {
	it('lets a burst through and then as many as it gains, for each key', () => {
		let now = 0;
		const buckets = new TokenBuckets({ callsPerSecond: 10, burst: 3 }, () => now);
		const allowed = (key: string, calls: number) =>
			Array.from({ length: calls }, () => buckets.take(key)).filter((waitMs) => waitMs === 0)
				.length;
		expect([allowed('a', 5), allowed('b', 2)]).toEqual([3, 2]);
		now = 100;
		expect([allowed('a', 5), allowed('b', 5)]).toEqual([1, 2]);
		now = 60_000;
		expect(allowed('a', 5)).toBe(3);
	});

	it('is filled again as each fixed window begins, and gains nothing until then', () => {
		let now = 60_200;
		const pace = { callsPerSecond: 2, burst: 1, windowSeconds: 2 };
		const buckets = new TokenBuckets(pace, () => now);
		const waits = () => Array.from({ length: 6 }, () => buckets.take('a'));
		expect(waits()).toEqual([0, 0, 0, 0, 1_800, 1_800]);
		now = 61_900;
		expect(buckets.take('a')).toBe(100);
		now = 62_000;
		expect(waits()).toEqual([0, 0, 0, 0, 2_000, 2_000]);
	});

	it('says how long to wait, rounded up to whole seconds, as a number, a date or not at all', () => {
		let now = 0;
		const says = (retryAfter?: 'seconds' | 'date' | 'none') => {
			const pace = { callsPerSecond: 0.4, burst: 1, retryAfter };
			const buckets = new TokenBuckets(pace, () => now);
			now = Date.UTC(2030, 0, 1);
			buckets.take('a');
			now += 200;
			const waitMs = buckets.take('a');
			return [Math.round(waitMs), buckets.retryAfter(waitMs)];
		};
		expect(says()).toEqual([2_300, '3']);
		expect(says('seconds')).toEqual([2_300, '3']);
		expect(says('date')).toEqual([2_300, 'Tue, 01 Jan 2030 00:00:03 GMT']);
		expect(says('none')).toEqual([2_300, undefined]);
	});
});

describe('the rate of calls', () => {
	const ONE_AN_HOUR = 1 / 3600;
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ pace: { callsPerSecond: ONE_AN_HOUR, burst: 2 } });
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.reset());

	const spendBurst = async () => [await ask(sandbox, 'balance'), await ask(sandbox, 'balance')];

	it('applies to all hosts, in the style of each, and a refused call is not charged', async () => {
		expect((await spendBurst()).map(({ status }) => status)).toEqual([200, 200]);
		const api_key = sandbox.keys.main;
		const refused = [
			await ask(sandbox, 'email', { email: 'someone@shop.example' }),
			await post(urlOf(sandbox, 'phone'), { api_key, phone_number: '+442079460123' }),
			await ask(sandbox, 'geo', { ip: '8.8.8.8' }),
			await ask(sandbox, 'mcp'),
		];
		expect(refused.map(({ status, body }) => [status, body])).toEqual([
			[429, { status: false, error: 'Too many requests' }],
			[429, { error: 'Too many requests' }],
			[429, { status: false, error: 'Too many requests' }],
			[429, { jsonrpc: '2.0', error: { code: -32000, message: 'Too many requests' }, id: null }],
		]);
		for (const { headers } of refused) {
			expect(headers.get('retry-after')).toMatch(/^3(600|59\d)$/);
		}
		expect(sandbox.log.filter(({ status }) => status === 429)).toHaveLength(4);
		expect(sandbox.debits(api_key)).toEqual([]);
	});

	it('is counted for each key, and leaves out the two health checks', async () => {
		await spendBurst();
		const seen = [
			await ask(sandbox, 'balance', { api_key: sandbox.keys.other }),
			await ask(sandbox, 'status'),
			await ask(sandbox, 'health'),
			await ask(sandbox, 'balance'),
		];
		expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
	});

	it('changes while the sandbox runs, and a reset restores the option', async () => {
		await spendBurst();
		sandbox.setPace(undefined);
		expect((await ask(sandbox, 'balance')).status).toBe(200);
		sandbox.setPace({ callsPerSecond: ONE_AN_HOUR, burst: 1, retryAfter: 'none' });
		const [first, second] = await spendBurst();
		expect([first.status, second.status]).toEqual([200, 429]);
		expect(second.headers.get('retry-after')).toBeNull();
		sandbox.reset();
		expect((await spendBurst()).map(({ status }) => status)).toEqual([200, 200]);
		expect((await ask(sandbox, 'balance')).status).toBe(429);
	});
});
