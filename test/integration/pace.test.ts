import type { RateLimit, RequestRecord, Sandbox } from '../sandbox';
import { startSandbox } from '../sandbox';
import type { NodeRun } from '../harness/n8n';
import { AT_ONCE, release } from '../harness/n8n';
import { expectOnlyE164, runnerOn } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';
import { resetTime } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
const enrich = {
	...{ resource: 'contact', operation: 'enrich', phoneNumber: '={{ $json.number }}' },
	...{ email: '={{ $json.email }}', ipAddress: '8.8.8.8', country: '' },
	lookups: ['callerId', 'email', 'geoIp', 'phone', 'whatsApp'],
};
const leads = (name: string, count: number) =>
	Array.from({ length: count }, (_, n) => ({
		email: `${name}${n}@mail.example`,
		number: `+1202555${2_000 + n}`,
	}));
const outcomesOf = (run: NodeRun) => run.items().map(({ json }) => json.outcome);

describe(`the pace of calls, n8n ${release}`, () => {
	let sandbox: Sandbox;
	const start = async (rateLimit?: RateLimit) => {
		sandbox = await startSandbox({ rateLimit });
	};
	beforeEach(() => resetTime());
	afterEach(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);
	const run = runnerOn(() => sandbox);

	it.each([
		['share one limit in turn', 'main', 5],
		['of two API keys have a limit each', 'other', 10],
	] as const)('two executions at once %s, and both finish', async (_, key, peak) => {
		await start();
		sandbox.fault({ kind: 'latency', ms: 5 });
		const parameters = { ...verifyEmail, options: { [AT_ONCE]: 5 } };
		const credential = { apiKey: sandbox.keys[key] };
		const runs = await Promise.all([
			run(parameters, { items: leads('one', 60) }),
			run(parameters, { items: leads('two', 60), credential }),
		]);
		for (const { hints } of runs)
			expect(receiptOf(hints())).toMatchObject({ calls: 60, failed: 0 });
		expect(sandbox.inFlight().peak).toBe(peak);
		// Neither waits for the list of the other
		const first = sandbox.log.slice(0, 60).map(({ query }) => query.email?.slice(0, 3));
		for (const name of ['one', 'two'])
			expect(first.filter((each) => each === name).length).toBeGreaterThan(20);
	});

	it('a limit that the service states is kept: nothing is refused', async () => {
		await start({ calls: 50, windowSeconds: 60 });
		const validatePhone = { resource: 'phone', operation: 'validate', country: '' };
		const items = leads('item', 120);
		const parameters = { ...validatePhone, phoneNumber: '={{ $json.number }}' };
		expect(outcomesOf(await run(parameters, { items }))).toEqual(items.map(() => 'positive'));
		expect(sandbox.log.map(({ status }) => status)).toEqual(items.map(() => 200));
	});

	it('Max Requests per Minute is kept by all hosts and the free calls of a run, and fails no call', async () => {
		await start();
		const options = { maxRequestsPerMinute: 60, checkBalance: 'before', maxWait: 1 };
		const result = await run({ ...enrich, options }, { items: leads('item', 40) });
		expect(outcomesOf(result)).toEqual(new Array(40).fill('positive'));
		expect(new Set(sandbox.log.map(({ host }) => host)).size).toBe(3);
		expect(sandbox.log.length).toBeGreaterThan(40 * 4);
		// Some calls arrive late, since the clock jumps
		const isNear = (from: number, { at }: RequestRecord) => at >= from && at < from + 57_000;
		for (const { at } of sandbox.log)
			expect(sandbox.log.filter((one) => isNear(at, one)).length).toBeLessThanOrEqual(60);
		expect(receiptOf(result.hints())).toMatchObject({ failed: 0, retries: 0 });
	});

	it('Stop in the middle of a pause ends it at once, and nothing more is sent', async () => {
		await start();
		const stop = new AbortController();
		resetTime((_, count) => count === 3 && stop.abort());
		const headers = { 'retry-after': '86400' };
		sandbox.fault({ kind: 'status', status: 429, headers, skip: 10 });
		const parameters = { ...verifyEmail, options: { maxWait: 10_000, [AT_ONCE]: 20 } };
		const items = leads('item', 500);
		expect((await run(parameters, { items, signal: stop.signal })).status).toBe('canceled');
		expect(sandbox.log.length).toBeLessThanOrEqual(10 + 20);
		expect(sandbox.debits(sandbox.keys.main)).toHaveLength(10);
	});
});
