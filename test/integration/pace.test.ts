import { concurrencyOf } from '../engine';
import type { CallPace, RateLimit, RequestRecord, Sandbox } from '../sandbox';
import { startSandbox } from '../sandbox';
import type { NodeRun } from '../harness/n8n';
import { AT_ONCE, release } from '../harness/n8n';
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
const OF_NUMBER = { phoneNumber: '={{ $json.number }}' };
const validatePhone = { resource: 'phone', operation: 'validate', ...OF_NUMBER };
const MANY = 300;
/** Calls that may be under way at once. */
const CAP = concurrencyOf();

const emails = (name: string, count: number) =>
	Array.from({ length: count }, (_, n) => ({ email: `${name}${n}@mail.example` }));
const numbers = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ number: `+1202555${2_000 + n}` }));
const columnOf = (run: NodeRun, field: string) => run.items().map(({ json }) => json[field]);
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
	const callsTo = (path: string) =>
		sandbox.log.filter((record) => record.path.endsWith(path)).length;
	/** Resolves as soon as it is so. */
	const until = async (isSo: () => boolean) => {
		while (!isSo()) await steps(1);
	};

	it.each<[CallPace['retryAfter'], number]>([
		['date', CAP],
		...(isFullRun
			? (['seconds', 'none'] as const).map((how): [typeof how, number] => [how, 20])
			: []),
	])(
		'a service of 100 calls a second, 50 at once, Retry-After: %s: all of a long list, each charged once, few refused',
		async (retryAfter, atOnce) => {
			sandbox.setPace({ callsPerSecond: 100, burst: 50, retryAfter });
			const items = emails('item', MANY);
			const result = await run({ ...verifyEmail, options: { [AT_ONCE]: atOnce } }, { items });

			expect(columnOf(result, 'outcome')).toEqual(items.map(() => 'positive'));
			expect(questions().sort()).toEqual(items.map(({ email }) => email).sort());
			const refusals = sandbox.log.filter(isRefused).length;
			expect(refusals).toBeGreaterThan(0);
			// The first calls teach the pace: under 5 % of a long list, and no more of a shorter one
			expect(refusals).toBeLessThan(0.05 * Math.max(sandbox.log.length, 800));
			expect(sandbox.log).toHaveLength(MANY + refusals);
			expect(receiptFor(result)).toMatchObject({
				...{ items: MANY, calls: MANY, retries: refusals, failed: 0, open: 0 },
				credits: { email: MANY },
			});
		},
	);

	it.each([
		['share one limit in turn', 'main', 5],
		['of two API keys have a limit each', 'other', 10],
	] as const)('two executions at once %s, and both finish', async (_, key, peak) => {
		sandbox.fault({ kind: 'latency', ms: 5 });
		const parameters = { ...verifyEmail, options: { [AT_ONCE]: 5 } };
		const credential = { apiKey: sandbox.keys[key] };
		const runs = await Promise.all([
			run(parameters, { items: emails('one', 60) }),
			run(parameters, { items: emails('two', 60), credential }),
		]);
		for (const one of runs) expect(receiptFor(one)).toMatchObject({ calls: 60, failed: 0 });
		expect(sandbox.inFlight().peak).toBe(peak);
		expect(sandbox.log).toHaveLength(120);
		// Neither waits for the list of the other
		const first = sandbox.log.slice(0, 60).map(({ query }) => query.email?.slice(0, 3));
		expect(first.filter((name) => name === 'two').length).toBeGreaterThan(20);
		expect(first.filter((name) => name === 'one').length).toBeGreaterThan(20);
	});

	it('the rate-limit window that phone validation reports is respected exactly: nothing is refused', async () => {
		await restart({ calls: 50, windowSeconds: 60 });
		const items = numbers(120);
		const result = await run(validatePhone, { items });

		expect(columnOf(result, 'outcome')).toEqual(items.map(() => 'positive'));
		expect(sandbox.log.map(({ status }) => status)).toEqual(items.map(() => 200));
		expect(receiptFor(result)).toMatchObject({ calls: 120, retries: 0 });
		const minuteOf = ({ at }: RequestRecord) => Math.floor((at - sandbox.log[0].at) / 60_000);
		expect(new Set(sandbox.log.map(minuteOf)).size).toBe(3);
		await restart();
	});

	it('a refusal of one endpoint pauses no other: emails are verified while the forum search waits half an hour', async () => {
		const headers = { 'retry-after': '1800' };
		sandbox.fault({ kind: 'status', status: 429, headers, path: 'scrapersearch' });
		const options = { maxWait: 5 };
		const search = async () =>
			await run(
				{ resource: 'scraper', operation: 'searchForum', query: '={{ $json.query }}', options },
				{ items: [{ query: 'tea' }] },
			);
		const refused = /rate limit resets at .* You weren't charged/;
		expect((await search()).error?.message).toMatch(refused);

		const verified = await run({ ...verifyEmail, options }, { items: emails('item', 60) });
		expect(columnOf(verified, 'outcome')).toEqual(new Array(60).fill('positive'));
		expect((await search()).error?.message).toMatch(refused);
		expect(callsTo('scrapersearch')).toBe(1);
	});

	it('Max Wait fails an item that would have to wait longer, with the time to try again, unsent', async () => {
		await restart({ calls: 10, windowSeconds: 600 });
		const items = numbers(30);
		const resetsAt = new Date(Date.now() + 600_000).toISOString().replace(/\.\d+Z$/, 'Z');
		const result = await run({ ...validatePhone, options: { maxWait: 5 } }, { items });

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
		await restart();
	});

	describe('Max Requests per Minute', () => {
		const MINUTE = 60_000;
		/** Most requests of any minute, wherever it begins: paid, free and refused ones, at any host. */
		const mostInAMinute = (log = sandbox.log) => {
			const times = log.map(({ at }) => at);
			return Math.max(
				...times.map((from) => times.filter((at) => at >= from && at < from + MINUTE).length),
			);
		};
		const contacts = (count: number) =>
			emails('item', count).map((item, n) => ({ ...item, ...numbers(count)[n] }));
		const enrich = { resource: 'contact', operation: 'enrich', ...OF_NUMBER, country: '' };

		it('is kept in every minute by all hosts and the free calls of a run, and no call fails because of it', async () => {
			const options = { maxRequestsPerMinute: 60, checkBalance: 'before', maxWait: 1 };
			const lookups = ['callerId', 'email', 'geoIp', 'phone', 'whatsApp'];
			const more = { email: '={{ $json.email }}', ipAddress: '8.8.8.8', lookups, options };
			const result = await run({ ...enrich, ...more }, { items: contacts(40) });

			expect(columnOf(result, 'outcome')).toEqual(new Array(40).fill('positive'));
			expect(new Set(sandbox.log.map(({ host }) => host)).size).toBe(3);
			expect(sandbox.log.length).toBeGreaterThan(40 * 4);
			expect(mostInAMinute()).toBeLessThanOrEqual(60);
			expect(receiptFor(result)).toMatchObject({ failed: 0, retries: 0 });
		});

		it('ends at once with Stop, with few contacts half looked up', async () => {
			const stop = new AbortController();
			const lookups = ['callerId', 'phone', 'whatsApp'];
			const running = run(
				{ ...enrich, lookups, options: { maxRequestsPerMinute: 12 } },
				{ items: numbers(200), signal: stop.signal },
			);
			await until(() => sandbox.log.length >= 40);
			stop.abort();
			const { status } = await running;
			const sent = sandbox.log.length;
			// What was on its way may still arrive
			await steps(200);
			expect(status).toBe('canceled');
			expect(sent).toBeLessThanOrEqual(45);
			expect(sandbox.log).toHaveLength(sent);
			const whole = callsTo('calleridvalidation');
			expect(callsTo('phonevalidation') - whole).toBeLessThanOrEqual(7);
			expect(whole).toBeGreaterThan(5);
		});
	});

	it('Stop in the middle of 500 starts no more calls: only those under way were made', async () => {
		sandbox.fault({ kind: 'latency', ms: 20 });
		const stop = new AbortController();
		const running = run(verifyEmail, { items: emails('item', 500), signal: stop.signal });
		await until(() => sandbox.log.length >= 150);
		const answered = sandbox.log.filter(({ status }) => status !== undefined).length;
		stop.abort();
		const { status } = await running;
		await steps(100);
		expect(status).toBe('canceled');
		expect(sandbox.log.length - answered).toBeLessThanOrEqual(CAP);
	});

	it('Stop in the middle of a pause ends it at once, and nothing more is sent', async () => {
		const stop = new AbortController();
		stopTime((nth) => {
			if (nth === 3) stop.abort();
		});
		const headers = { 'retry-after': '86400' };
		sandbox.fault({ kind: 'status', status: 429, headers, skip: 10 });
		const parameters = { ...verifyEmail, options: { maxWait: 10_000 } };
		const { status } = await run(parameters, { items: emails('item', 500), signal: stop.signal });

		expect(status).toBe('canceled');
		expect(slept.length).toBeLessThanOrEqual(4);
		expect(sandbox.log.length).toBeLessThanOrEqual(10 + CAP);
		expect(questions()).toHaveLength(10);
	});
});
