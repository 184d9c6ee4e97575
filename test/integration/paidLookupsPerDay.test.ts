import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../sandbox';
import { release, runWorkflow, sourceOf, type NodeRun, type WorkflowRun } from '../harness/n8n';
import { inCollections } from '../harness/collections';
import { credentialsOf, expectOnlyE164, runnerOn } from '../harness/onSandbox';
import { callingTool } from '../harness/toolCalls';
import { pass, resetTime } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const DAY_MS = 86_400_000;
const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
const checkMany = {
	...{ resource: 'batch', operation: 'checkMany', phoneNumber: '={{ $json.number }}' },
};
/** Each is looked up once in a test. */
const emails = (from: number, count: number) =>
	Array.from({ length: count }, (_, n) => ({ email: `n${from + n}@mail.example` }));
const numbers = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ number: `+49151${String(10_000_000 + n)}` }));

const untilMidnight = () => DAY_MS - (Date.now() % DAY_MS);
const messageOf = ({ error }: Pick<WorkflowRun, 'error'>) => error?.message ?? '';

describe(`Max Paid Lookups per Day, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 100_000 });
	});
	beforeEach(() => {
		sandbox.reset();
		resetTime();
		// No test meets the midnight of the machine
		pass(untilMidnight() + DAY_MS / 2);
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const run = runnerOn(() => sandbox);
	const verify = async (maxPaidLookupsPerDay: unknown, items: IDataObject[], more = {}) =>
		await run(
			{ ...verifyEmail, ...inCollections({ maxPaidLookupsPerDay, ...more } as IDataObject) },
			{ items },
		);
	const spent = () => sandbox.spent(sandbox.keys.main).email;

	it('counts over executions, refuses one that would exceed it, and starts again at midnight', async () => {
		expect(await verify(5, emails(0, 3))).toMatchObject({ status: 'success' });

		const refused = await verify(5, emails(3, 3));
		expect(messageOf(refused)).toMatch(
			/^The run would make 3 paid lookups, after 3 today, which is more than Max Paid Lookups per Day \(5\)\. The count resets at 00:00 UTC\. Run it again after that, or raise Max Paid Lookups per Day under Spending Limits\. .*You weren't charged/,
		);
		expect(refused.error?.name).toBe('NodeOperationError');
		expect(await verify(5, emails(6, 2))).toMatchObject({ status: 'success' });
		expect(await verify(5, emails(8, 1))).toMatchObject({ status: 'error' });
		expect(spent()).toBe(5);

		pass(untilMidnight());
		expect(await verify(5, emails(9, 5))).toMatchObject({ status: 'success' });
		expect(spent()).toBe(10);
	});

	it('admits one of two parallel runs that together exceed it', async () => {
		const runs = await Promise.all([verify(5, emails(0, 3)), verify(5, emails(3, 3))]);

		expect(runs.map(({ status }) => status).sort()).toEqual(['error', 'success']);
		expect(messageOf(runs.find(({ error }) => error) as NodeRun)).toMatch(
			/would make 3 paid lookups, after .*under way/,
		);
		expect(spent()).toBe(3);
		expect(await verify(5, emails(6, 2))).toMatchObject({ status: 'success' });
	});

	it('counts the lookups of nodes without it, and the numbers of a batch', async () => {
		const limit = inCollections({ maxPaidLookupsPerDay: 10 });
		await run(checkMany, { items: numbers(8) });
		const refused = await run({ ...checkMany, ...limit }, { items: numbers(3) });

		expect(messageOf(refused)).toMatch(/after 8 today/);
		expect(await verify(10, emails(0, 2))).toMatchObject({ status: 'success' });
	});

	it('releases what a run did not need', async () => {
		sandbox.fault({
			kind: 'status',
			status: 401,
			body: { status: false, error: 'Invalid API key.' },
		});
		expect(await verify(3, emails(0, 3), { ifSomeItemsFail: 'stopNode' })).toMatchObject({
			status: 'error',
		});
		sandbox.reset();
		expect(await verify(3, emails(3, 3))).toMatchObject({ status: 'success' });
	});

	it('counts each account separately', async () => {
		const parameters = { ...verifyEmail, ...inCollections({ maxPaidLookupsPerDay: 2 }) };
		const items = emails(0, 2);
		const { main, other } = sandbox.keys;
		for (const apiKey of [main, other]) {
			expect(await run(parameters, { items, credential: { apiKey } })).toMatchObject({
				status: 'success',
			});
		}
	});

	it('repeats inconclusive checks only within its limit', async () => {
		const inconclusive = [{ email: 'timeout@mail.example' }];
		const result = await verify(2, inconclusive, { recheckInconclusiveEmails: true });

		expect(result.items()[0].json).toMatchObject({ outcome: 'unknown' });
		expect(sandbox.log).toHaveLength(2);
	});

	it('counts the lookups of a tool of the workflow', async () => {
		const parameters = { ...verifyEmail, email: "={{ $fromAI('email', '', 'string') }}" };
		await callingTool({ credentials: credentialsOf(sandbox), parameters }, async (call) => {
			await call({ email: 'a@mail.example' });
		});
		expect(messageOf(await verify(1, emails(0, 1)))).toMatch(/after 1 today/);
	});

	it('is refused if it cannot be read, is empty or differs between items', async () => {
		for (const [limit, words] of [
			[-1, /Max Paid Lookups per Day \(-1\) isn't a whole number/],
			[1.5, /Max Paid Lookups per Day \(1\.5\) isn't a whole number/],
			['', /Max Paid Lookups per Day is empty/],
			['many', /Max Paid Lookups per Day/],
			['={{ $json.none }}', /Max Paid Lookups per Day is empty/],
			['={{ $json.email.length }}', /Max Paid Lookups per Day differs between items/],
		] as const) {
			expect(messageOf(await verify(limit, emails(9, 2)))).toMatch(words);
		}
		// Compared in all items, not in some
		const once = '={{ $itemIndex === 1 ? 9 : 99 }}';
		expect(messageOf(await verify(once, emails(9, 30)))).toMatch(/differs between items 0 and 1/);
		expect(sandbox.log).toEqual([]);
	});

	describe('with the data that n8n keeps with the workflow', () => {
		const NODE = 'Node';
		const limit = { maxPaidLookupsPerDay: 5 };
		const verifyWith = async (
			staticData: unknown,
			items: IDataObject[],
			options: IDataObject = limit,
		) =>
			await runWorkflow({
				mode: 'trigger',
				credentials: credentialsOf(sandbox),
				types: { nodes: { source: sourceOf(items.map((json) => ({ json }))) } },
				startNode: 'Source',
				workflow: {
					staticData: staticData as IDataObject,
					nodes: [
						{ name: 'Source', type: 'source' },
						{
							name: NODE,
							type: 'n8n-nodes-lookup-messaging.lookupMessaging',
							parameters: {
								...verifyEmail,
								...inCollections(options),
							} as never,
							credentials: { lookupMessagingApi: { id: 'id', name: 'name' } },
						},
					],
					connections: { Source: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
				},
			});
		type Stored = { [node: string]: { paidLookupsPerDay: { day: string; counts: object } } };
		const storedIn = ({ staticData }: WorkflowRun) =>
			(JSON.parse(JSON.stringify(staticData)) as Stored)[`node:${NODE}`].paidLookupsPerDay;
		const storedWith = (kept: unknown) => ({ [`node:${NODE}`]: { paidLookupsPerDay: kept } });

		it('continues the count of another process, until midnight', async () => {
			const kept = storedIn(await verifyWith({}, emails(0, 2)));
			const day = new Date(Date.now()).toISOString().slice(0, 10);
			const [account] = Object.keys(kept.counts);
			expect(kept).toEqual({ day, counts: { [account]: 2 } });
			// By another worker
			const later = storedWith({ day, counts: { [account]: 4 } });

			expect(messageOf(await verifyWith(later, emails(2, 2)))).toMatch(/after 4 today/);
			pass(untilMidnight());
			expect(storedIn(await verifyWith(later, emails(2, 2))).counts).toEqual({ [account]: 2 });
		});

		it('lets n8n store it, and stores nothing without the limit', async () => {
			const limited = await verifyWith({}, emails(0, 1));
			const other = await verifyWith({}, emails(1, 1), {});
			const isChanged = [limited, other].map(({ staticData }) => staticData.__dataChanged);
			expect(isChanged).toEqual([true, false]);
		});

		it('has neither key nor address', async () => {
			const { staticData } = await verifyWith({}, emails(0, 1));
			const text = JSON.stringify(staticData);
			expect(text).not.toContain(sandbox.keys.main);
			expect(text).not.toMatch(/http|localhost|127/);
		});

		it.each<[string, unknown]>([
			['nothing', storedWith(undefined)],
			['a text', storedWith('many')],
			['a list', storedWith([1])],
			['counts that are a text', storedWith({ day: '2026-01-01', counts: 'x' })],
			['a text in place of the data of the node', { [`node:${NODE}`]: 'text' }],
		])('ignores %s', async (_, staticData) => {
			expect(await verifyWith(staticData, emails(0, 5))).toMatchObject({ status: 'success' });
			expect(await verifyWith(staticData, emails(5, 1))).toMatchObject({ status: 'error' });
			expect(spent()).toBe(5);
		});
	});
});
