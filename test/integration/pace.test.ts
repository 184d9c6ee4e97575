import { concurrencyOf } from '../engine';
import type { CallPace, RateLimit, RequestRecord, Sandbox } from '../sandbox';
import { startSandbox } from '../sandbox';
import type { NodeRun } from '../harness/n8n';
import { AT_ONCE, release, NODE_UNDER_TEST } from '../harness/n8n';
import { expectOnlyE164, runnerOn } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';
import { slept, steps, stopTime } from '../harness/quietTime';
import { isFullRun } from '../hostile/fullRun';

jest.mock('n8n-workflow', () =>
	jest
		.requireActual<typeof import('../harness/quietTime')>('../harness/quietTime')
		.sleepingQuietly(),
);

const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
const validatePhone = {
	...{ resource: 'phone', operation: 'validate' },
	phoneNumber: '={{ $json.number }}',
};
const lookUpCaller = {
	...{ resource: 'callerId', operation: 'lookUp' },
	phoneNumber: '={{ $json.number }}',
};
const checkNumber = {
	...{ resource: 'whatsApp', operation: 'checkNumber' },
	phoneNumber: '={{ $json.number }}',
};
/** Items of the long lists. In full they run on n8n 1.x (`npm run test:hostile`). */
const [EACH, MANY, VERY_MANY] = isFullRun ? [300, 1_000, 5_000] : [120, 300, 500];
/** The first calls teach the pace: under 5 % of a long list are refused, and no more of a shorter one. */
const few = (calls: number) => 0.05 * Math.max(calls, 800);
/** Calls that may be under way at once. */
const CAP = concurrencyOf();

const emails = (name: string, count: number) =>
	Array.from({ length: count }, (_, n) => ({ email: `${name}${n}@mail.example` }));
const numbers = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ number: `+1202555${2_000 + n}` }));
const columnOf = (run: NodeRun, field: string) => run.items().map(({ json }) => json[field]);
const count = <Value>(values: Value[], wanted: Value) =>
	values.filter((value) => value === wanted).length;
const isRefused = ({ status }: RequestRecord) => status === 429;
const receiptFor = ({ hints, error }: NodeRun) => {
	const description = error && 'description' in error ? String(error.description) : '';
	return receiptOf([...hints(), description]);
};

describe(`the pace of calls, n8n ${release}`, () => {
	let sandbox: Sandbox;
	/** Windows are of a whole sandbox, so some tests start one of their own. */
	const restart = async (rateLimit?: RateLimit) => {
		await sandbox?.close();
		sandbox = await startSandbox({ rateLimit });
	};
	beforeAll(async () => {
		stopTime();
		await restart();
	});
	beforeEach(() => {
		stopTime();
		sandbox.reset();
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const run = runnerOn(() => sandbox);
	const questions = () => sandbox.debits(sandbox.keys.main).map(({ question }) => question);
	const callsOf = (name: string) =>
		sandbox.log.filter(({ query }) => query.email?.startsWith(name)).length;
	const callsTo = (path: string) =>
		sandbox.log.filter((record) => record.path.endsWith(path)).length;
	/** Resolves as soon as it is so. */
	const until = async (isSo: () => boolean) => {
		while (!isSo()) await steps(1);
	};

	it.each<[CallPace['retryAfter'], number, number]>([
		['seconds', CAP, MANY],
		['date', 20, MANY],
		...(isFullRun ? [['none', 20, MANY] as ['none', number, number]] : []),
	])(
		'a service of 100 calls a second, 50 at once, Retry-After: %s: all of a long list, each charged once, under 5 % refused',
		async (retryAfter, atOnce, most) => {
			sandbox.setPace({ callsPerSecond: 100, burst: 50, retryAfter });
			const items = emails('item', most);
			const options = { [AT_ONCE]: atOnce };
			const result = await run({ ...verifyEmail, options }, { items });

			expect(columnOf(result, 'outcome')).toEqual(items.map(() => 'positive'));
			expect(questions().sort()).toEqual(items.map(({ email }) => email).sort());
			const refusals = sandbox.log.filter(isRefused).length;
			expect(refusals).toBeGreaterThan(0);
			expect(refusals).toBeLessThan(few(sandbox.log.length));
			expect(sandbox.log).toHaveLength(most + refusals);
			expect(receiptFor(result)).toMatchObject({
				...{ items: most, calls: most, retries: refusals, failed: 0, open: 0 },
				credits: { email: most },
			});
		},
	);

	describe('two executions at once', () => {
		const options = { [AT_ONCE]: 5 };
		const runBoth = async (credential?: object) => {
			sandbox.fault({ kind: 'latency', ms: 5 });
			return await Promise.all([
				run({ ...verifyEmail, options }, { items: emails('one', 60) }),
				run({ ...verifyEmail, options }, { items: emails('two', 60), credential }),
			]);
		};

		it('share one limit, and both finish', async () => {
			for (const { status } of await runBoth()) expect(status).toBe('success');
			expect(sandbox.inFlight().peak).toBe(5);
			expect(questions()).toHaveLength(120);
		});

		it('of two API keys have a limit each', async () => {
			for (const { status } of await runBoth({ apiKey: sandbox.keys.other })) {
				expect(status).toBe('success');
			}
			expect(sandbox.inFlight().peak).toBe(10);
		});

		it('learn the rate together: under 5 % of the calls of both are refused', async () => {
			sandbox.setPace({ callsPerSecond: 100, burst: 50 });
			const twenty = { [AT_ONCE]: 20 };
			const both = await Promise.all([
				run({ ...verifyEmail, options: twenty }, { items: emails('one', EACH) }),
				run({ ...verifyEmail, options: twenty }, { items: emails('two', EACH) }),
			]);

			const refusals = sandbox.log.filter(isRefused).length;
			expect(refusals).toBeLessThan(few(sandbox.log.length));
			expect(sandbox.log).toHaveLength(2 * EACH + refusals);
			const receipts = both.map((result) => receiptFor(result));
			expect(receipts.map((receipt) => receipt?.calls)).toEqual([EACH, EACH]);
			expect(receipts.reduce((sum, receipt) => sum + (receipt?.retries ?? 0), 0)).toBe(refusals);
		});

		it('let a single item wait for one round of a long list at most', async () => {
			sandbox.fault({ kind: 'latency', ms: 300, contains: 'list' });
			const stop = new AbortController();
			const list = run(verifyEmail, { items: emails('list', VERY_MANY), signal: stop.signal });
			// The first ten, and then the first round of as many as there may be
			await until(() => callsOf('list') >= 10 + CAP);
			let before = -1;
			const single = await run(verifyEmail, {
				items: emails('single', 1),
				onNodeStart: (name) => {
					if (name === NODE_UNDER_TEST) before = callsOf('list');
				},
			});
			stop.abort();
			await list;

			expect(columnOf(single, 'outcome')).toEqual(['positive']);
			const earlier = sandbox.log.findIndex(({ query }) => query.email?.startsWith('single'));
			expect(earlier - before).toBeLessThanOrEqual(CAP);
		});
	});

	describe('the rate-limit window that phone validation reports', () => {
		const calls = (path: string) => sandbox.log.filter((record) => record.path.endsWith(path));
		afterAll(async () => await restart());

		it('is respected exactly: 120 numbers, 50 a minute, nothing refused', async () => {
			await restart({ calls: 50, windowSeconds: 60 });
			const items = numbers(120);
			const result = await run(validatePhone, { items });

			expect(columnOf(result, 'outcome')).toEqual(items.map(() => 'positive'));
			expect(sandbox.log.map(({ status }) => status)).toEqual(items.map(() => 200));
			expect(receiptFor(result)).toMatchObject({ calls: 120, retries: 0 });
			const minutes = new Set(
				sandbox.log.map(({ at }) => Math.floor((at - sandbox.log[0].at) / 60_000)),
			);
			expect(minutes.size).toBe(3);
		});

		it('pauses that endpoint alone: caller IDs are looked up on the same host meanwhile', async () => {
			await restart({ calls: 30, windowSeconds: 80_000 });
			const stop = new AbortController();
			const options = { maxWait: 1e9 };
			const paused = run(
				{ ...validatePhone, options },
				{ items: numbers(40), signal: stop.signal },
			);
			await until(() => slept.length > 0);
			const result = await run(lookUpCaller, { items: numbers(60) });
			expect(result.items()).toHaveLength(60);
			expect(calls('calleridvalidation')).toHaveLength(60);
			expect(calls('phonevalidation')).toHaveLength(30);
			stop.abort();
			await paused;
			expect(calls('phonevalidation')).toHaveLength(30);
			expect(sandbox.log.filter(isRefused)).toEqual([]);
		});
	});

	describe('a refusal of one endpoint', () => {
		const searchForum = {
			resource: 'scraper',
			operation: 'searchForum',
			query: '={{ $json.query }}',
		};
		const search = { items: [{ query: 'tea' }] };

		it('pauses no other endpoint: emails are verified while the forum search waits half an hour', async () => {
			const headers = { 'retry-after': '1800' };
			sandbox.fault({ kind: 'status', status: 429, headers, path: 'scrapersearch' });
			const options = { maxWait: 5 };
			const searched = await run({ ...searchForum, options }, search);
			expect(searched.error?.message).toMatch(/rate limit resets at .* You weren't charged/);

			const verified = await run({ ...verifyEmail, options }, { items: emails('item', 60) });
			expect(columnOf(verified, 'outcome')).toEqual(new Array(60).fill('positive'));
			const balance = await run({ resource: 'account', operation: 'getBalance', options });
			expect(balance.status).toBe('success');
			const again = await run({ ...searchForum, options }, search);
			expect(again.error?.message).toMatch(/rate limit resets at/);
			expect(callsTo('scrapersearch')).toBe(1);
		});

		it('a service with one limit over all endpoints is not called too fast by each in turn', async () => {
			sandbox.setPace({ callsPerSecond: 100, burst: 50 });
			const count = EACH;
			const options = { [AT_ONCE]: 20 };
			const runs = await Promise.all([
				run({ ...verifyEmail, options }, { items: emails('item', count) }),
				run({ ...checkNumber, options }, { items: numbers(count) }),
				run({ ...lookUpCaller, responseDetail: 'basic', options }, { items: numbers(count) }),
			]);

			for (const one of runs) expect(receiptFor(one)?.calls).toBe(count);
			const refusals = sandbox.log.filter(isRefused).length;
			expect(refusals).toBeLessThan(few(sandbox.log.length));
		});
	});

	describe('Max Wait', () => {
		const options = { maxWait: 5 };
		afterAll(async () => await restart());

		it('fails an item that would have to wait longer, with the time to try again, unsent', async () => {
			await restart({ calls: 10, windowSeconds: 600 });
			const items = numbers(30);
			const resetsAt = new Date(Date.now() + 600_000).toISOString().replace(/\.\d+Z$/, 'Z');
			const result = await run({ ...validatePhone, options }, { items });

			expect(result.status).toBe('success');
			expect(columnOf(result, 'source')).toEqual([
				...new Array(10).fill('service'),
				...new Array(20).fill('failed'),
			]);
			for (const reason of columnOf(result, 'reason').slice(10)) {
				expect(reason).toContain(resetsAt);
				expect(reason).toMatch(/Max Wait \(5 minutes\).*You weren't charged/);
			}
			expect(sandbox.log).toHaveLength(10);
			expect(receiptFor(result)).toMatchObject({
				...{ calls: 10, retries: 0, failed: 20, credits: { phone: 10 } },
			});
			// For the replies that were on their way
			expect(slept.length).toBeLessThanOrEqual(1);
		});

		it('does not send a refused item again if it would have to wait longer', async () => {
			const headers = { 'retry-after': '3600' };
			sandbox.fault({ kind: 'status', status: 429, headers, skip: 30 });
			const items = emails('item', 200);
			const result = await run({ ...verifyEmail, options }, { items });

			expect(count(columnOf(result, 'outcome'), 'positive')).toBe(30);
			expect(count(columnOf(result, 'source'), 'failed')).toBe(170);
			const refusals = sandbox.log.filter(isRefused).length;
			expect(refusals).toBeLessThanOrEqual(CAP);
			expect(sandbox.log).toHaveLength(30 + refusals);
			expect(receiptFor(result)).toMatchObject({ calls: 30, retries: 0, failed: 170 });
			expect(sandbox.spent(sandbox.keys.main).email).toBe(30);
		});

		it('is long enough for a pause that is not longer', async () => {
			const headers = { 'retry-after': '300' };
			sandbox.fault({ kind: 'status', status: 429, headers, skip: 30, times: 1 });
			const items = emails('item', 60);
			const result = await run({ ...verifyEmail, options }, { items });

			expect(columnOf(result, 'outcome')).toEqual(items.map(() => 'positive'));
			expect(receiptFor(result)).toMatchObject({ calls: 60, retries: 1, failed: 0 });
		});
	});

	describe('Max Requests per Minute', () => {
		const options = { maxRequestsPerMinute: 60 };
		const MINUTE = 60_000;
		/** Most requests of any minute, wherever it begins: paid, free and refused ones, at any host. */
		const mostInAMinute = () => {
			const times = sandbox.log.map(({ at }) => at);
			return Math.max(
				...times.map((from) => times.filter((at) => at >= from && at < from + MINUTE).length),
			);
		};

		it('is kept in every minute, and no call fails because of it', async () => {
			const items = emails('item', 150);
			const once = { ...options, maxWait: 1 };
			const result = await run({ ...verifyEmail, options: once }, { items });

			expect(columnOf(result, 'source')).toEqual(items.map(() => 'service'));
			expect(sandbox.log).toHaveLength(150);
			expect(mostInAMinute()).toBeLessThanOrEqual(60);
			expect(receiptFor(result)).toMatchObject({ calls: 150, failed: 0, retries: 0 });
		});

		it('counts all hosts together, with the free calls of a run', async () => {
			const enrich = {
				...{ resource: 'contact', operation: 'enrich', email: '={{ $json.email }}' },
				...{ phoneNumber: '={{ $json.number }}', ipAddress: '8.8.8.8', country: '' },
				lookups: ['callerId', 'email', 'geoIp', 'phone', 'whatsApp'],
			};
			const items = emails('item', 40).map((item, n) => ({ ...item, ...numbers(40)[n] }));
			const checked = { ...options, checkBalance: 'before' };
			const result = await run({ ...enrich, options: checked }, { items });

			expect(columnOf(result, 'outcome')).toEqual(items.map(() => 'positive'));
			expect(new Set(sandbox.log.map(({ host }) => host)).size).toBe(3);
			expect(sandbox.log.length).toBeGreaterThan(40 * 4);
			expect(mostInAMinute()).toBeLessThanOrEqual(60);
		});

		it('applies to an execution that has set none, while the one that has set it runs', async () => {
			const limited = run(
				{ ...verifyEmail, options: { maxRequestsPerMinute: 12 } },
				{ items: emails('slow', 20) },
			);
			await until(() => callsOf('slow') > 0);
			const free = run(verifyEmail, { items: emails('quick', 150) });
			await limited;
			const until12 = sandbox.log.length;
			expect(mostInAMinute()).toBeLessThanOrEqual(12);
			expect(callsOf('quick')).toBeGreaterThan(10);
			await free;
			expect(callsOf('quick')).toBe(150);
			expect(mostInAMinute()).toBeGreaterThan(until12);
		});

		it('is separate for each account', async () => {
			const credential = { apiKey: sandbox.keys.other };
			await Promise.all([
				run({ ...verifyEmail, options }, { items: emails('one', 60) }),
				run({ ...verifyEmail, options }, { items: emails('two', 60), credential }),
			]);
			expect(mostInAMinute()).toBeGreaterThan(60);
			expect(mostInAMinute()).toBeLessThanOrEqual(120);
		});

		it('stays as slow after a pause that the service asks for', async () => {
			const headers = { 'retry-after': '120' };
			sandbox.fault({ kind: 'status', status: 429, headers, skip: 30, times: 1 });
			const items = emails('item', 100);
			const result = await run({ ...verifyEmail, options }, { items });

			expect(columnOf(result, 'outcome')).toEqual(items.map(() => 'positive'));
			expect(sandbox.log).toHaveLength(101);
			expect(mostInAMinute()).toBeLessThanOrEqual(60);
		});

		it.each([0, undefined])('of %p means no limit', async (maxRequestsPerMinute) => {
			await run(
				{ ...verifyEmail, options: { maxRequestsPerMinute } },
				{ items: emails('item', 100) },
			);
			expect(mostInAMinute()).toBe(100);
		});

		it('ends at once with Stop', async () => {
			const stop = new AbortController();
			const items = emails('item', 500);
			const running = run({ ...verifyEmail, options }, { items, signal: stop.signal });
			await until(() => sandbox.log.length >= 20);
			stop.abort();
			const { status } = await running;
			const sent = sandbox.log.length;
			await steps(200);

			expect(status).toBe('canceled');
			expect(sent).toBeLessThanOrEqual(25);
			expect(sandbox.log).toHaveLength(sent);
		});

		it('finishes what has begun first: few contacts are half looked up at Stop', async () => {
			const enrich = {
				...{ resource: 'contact', operation: 'enrich', country: '' },
				...{ phoneNumber: '={{ $json.number }}', lookups: ['callerId', 'phone', 'whatsApp'] },
			};
			const stop = new AbortController();
			const running = run(
				{ ...enrich, options: { maxRequestsPerMinute: 12 } },
				{ items: numbers(200), signal: stop.signal },
			);
			await until(() => sandbox.log.length >= 40);
			stop.abort();
			await running;
			const whole = callsTo('calleridvalidation');
			expect(callsTo('phonevalidation') - whole).toBeLessThanOrEqual(7);
			expect(whole).toBeGreaterThan(5);
		});
	});

	describe('Stop', () => {
		it('in the middle of 500 starts no more calls: only those under way were made', async () => {
			sandbox.fault({ kind: 'latency', ms: 20 });
			const stop = new AbortController();
			let answered = 0;
			const running = run(verifyEmail, { items: emails('item', 500), signal: stop.signal });
			await until(() => sandbox.log.length >= 150);
			answered = sandbox.log.filter(({ status }) => status !== undefined).length;
			stop.abort();
			const { status } = await running;
			// What was on its way may still arrive
			await steps(100);

			expect(status).toBe('canceled');
			expect(sandbox.log.length - answered).toBeLessThanOrEqual(CAP);
			expect(questions().length).toBeLessThanOrEqual(answered + CAP);
		});

		it('in the middle of a pause ends at once, and nothing more is sent', async () => {
			const stop = new AbortController();
			stopTime((nth) => {
				if (nth === 3) stop.abort();
			});
			const headers = { 'retry-after': '86400' };
			sandbox.fault({ kind: 'status', status: 429, headers, skip: 10 });
			const options = { maxWait: 10_000 };
			const items = emails('item', 500);
			const { status } = await run({ ...verifyEmail, options }, { items, signal: stop.signal });

			expect(status).toBe('canceled');
			expect(slept.length).toBeLessThanOrEqual(4);
			expect(sandbox.log.length).toBeLessThanOrEqual(10 + CAP);
			expect(questions()).toHaveLength(10);
		});
	});

	it('a service that is down ends 200 items after a few tries, not after those of each item', async () => {
		const credential = { baseUrl: 'http://127.0.0.1:1/api/v1' };
		const result = await run(verifyEmail, { items: emails('item', 200), credential });

		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(/127\.0\.0\.1:1.*refused.*You weren't charged/);
		const receipt = receiptFor(result);
		expect(receipt).toMatchObject({ items: 200, calls: 0, failed: 200 });
		expect(receipt?.retries).toBeGreaterThanOrEqual(3);
		expect(receipt?.retries).toBeLessThanOrEqual(3 * CAP);
		expect(slept).toHaveLength(receipt?.retries ?? -1);
		expect(sandbox.log).toEqual([]);
	});
});
