import type { IDataObject } from 'n8n-workflow';
import { magic, startSandbox, type Sandbox } from '../sandbox';
import { inCollections } from '../harness/collections';
import { runStored } from '../harness/storedResults';
import { AT_ONCE, release, runNode, type NodeOptions, type NodeRun } from '../harness/n8n';
import { credentialsOf } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';
import { resetTime } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const enrich = {
	...{ resource: 'contact', operation: 'enrich', lookups: ['email', 'phone', 'whatsApp'] },
	...{ phoneNumber: '={{ $json.phone }}', email: '={{ $json.email }}' },
};
const stopAtFirstWorkingChannel = true;
const INVALID = '+1 555 010 0100';
const ADA = { phone: '+44 20 7946 0123', email: 'ada@mail.example' };
const CONTACTS = [
	ADA,
	{ ...ADA, phone: '+44 (0)20 7946-0123' },
	{ phone: INVALID, email: 'ben@mail.example' },
	{ phone: INVALID, email: `${magic.EMAIL.missing}.eve@mail.example` },
	{ email: 'ada@mail.example' },
];

describe(`Stop at First Working Channel, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(() => {
		sandbox.reset();
		resetTime();
	});
	afterAll(async () => await sandbox.close());

	const run = async (options: IDataObject, more: Partial<NodeOptions> = {}) =>
		await runNode({
			...{ credentials: credentialsOf(sandbox), items: CONTACTS },
			...{ parameters: { ...enrich, ...inCollections(options) }, ...more },
		});
	const calls = () => {
		const counts: Record<string, number> = {};
		for (const record of sandbox.log) {
			const name = record.path.split('/').pop()!;
			counts[name] = (counts[name] ?? 0) + 1;
		}
		return counts;
	};
	const sourcesOf = (result: NodeRun) =>
		result.items().map(({ json }) =>
			['phone', 'email', 'whatsApp'].map((section) => {
				const held = json[section] as IDataObject | null;
				return held?.source ?? null;
			}),
		);
	const paid = (result: NodeRun) => receiptOf(result.hints())!.calls;

	it('makes no lookup after the first channel that works, and says what was saved', async () => {
		const everything = paid(await run({}));
		expect(calls()).toEqual({ phonevalidation: 2, checkemail: 3, checkwanumber: 1 });
		sandbox.clearLog();
		const result = await run({ stopAtFirstWorkingChannel, [AT_ONCE]: 1 });

		expect(calls()).toEqual({ phonevalidation: 2, checkemail: 3 });
		expect(sourcesOf(result)).toEqual([
			['service', null, null],
			['duplicate', null, null],
			['service', 'service', 'local'],
			['duplicate', 'service', 'local'],
			[null, 'service', null],
		]);
		expect(result.items().map(({ json }) => json.outcome)).toEqual([
			...['positive', 'positive', 'positive', 'negative', 'positive'],
		]);
		// The mailbox that the first contact did not need, another one did
		const { notNeeded } = receiptOf(result.hints())!;
		expect([notNeeded, paid(result) + notNeeded]).toEqual([1, everything]);
	});

	it('is planned as if no channel worked', async () => {
		const [planned] = (await run({ stopAtFirstWorkingChannel, dryRun: true })).items();
		expect(planned.json).toMatchObject({
			paidCallsAtMost: 7,
			creditsAtMost: { phone: 2, email: 3 },
		});
		expect((await run({ stopAtFirstWorkingChannel, maxPaidLookups: 6 })).error?.message).toMatch(
			/7 paid lookups/,
		);
		expect(sandbox.log).toEqual([]);
	});

	it('begins with results of an earlier execution', async () => {
		const verify = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
		const first = await runStored(verify, { credentials: credentialsOf(sandbox), items: [ADA] });
		const rows = first.items(1).map(({ json }) => json);
		sandbox.clearLog();
		const credentials = credentialsOf(sandbox, { apiKey: sandbox.keys.other });
		const items = [ADA, { ...ADA, email: 'other@mail.example' }, ADA];
		const parameters = { ...enrich, options: { stopAtFirstWorkingChannel } };
		const result = await runStored(parameters, { credentials, items, rows });

		expect(sourcesOf(result)).toEqual([
			[null, 'stored', null],
			['service', null, null],
			[null, 'stored', null],
		]);
		expect(calls()).toEqual({ phonevalidation: 1 });
	});

	it('continues with the next channel after a failed lookup, and a retry repeats nothing', async () => {
		sandbox.fault({ kind: 'resetAfterCharge', path: 'phonevalidation', contains: '7946' });
		const items = CONTACTS.slice(0, 3);
		const result = await run({ stopAtFirstWorkingChannel }, { items });
		expect(sourcesOf(result)).toEqual([
			['failed', 'service', null],
			['failed', 'duplicate', null],
			['service', 'service', 'local'],
		]);
		expect(receiptOf(result.hints())).toMatchObject({ failed: 1, open: 1, notNeeded: 1 });

		sandbox.reset();
		sandbox.fault({ kind: 'status', status: 422, path: 'phonevalidation', contains: '7946' });
		const options = {
			stopAtFirstWorkingChannel,
			alsoFailItemsIf: ['lookupFails'],
			ifSomeItemsFail: 'stopNode',
		};
		const stops = { ...options, [AT_ONCE]: 1 };
		const retried = await run(stops, { items, retryOnFail: true, maxTries: 2 });
		// The second try looks up what was not sent, and returns what was paid for
		expect([retried.error, sourcesOf(retried)]).toEqual([
			undefined,
			[
				['failed', null, null],
				['failed', null, null],
				['service', 'service', 'local'],
			],
		]);
		expect(calls().phonevalidation).toBe(2);
	});
});
