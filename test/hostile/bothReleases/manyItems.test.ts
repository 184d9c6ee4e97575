/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IDataObject } from 'n8n-workflow';
import type { AnyOperation } from '../../engine';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { startSandbox, type Sandbox } from '../../sandbox';
import { rightParameters } from '../../models/hostile/fields';
import { release, runNode, type NodeRun } from '../../harness/n8n';
import { credentialsOf, expectOnlyE164 } from '../../harness/onSandbox';
import { resetTime } from '../../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../harness/time')>('../../harness/time').withoutWaiting(),
);

/** Linear work takes eight times as long for eight times as many items, quadratic work 64 times. */
const GROWTH = 8;
const MOST = 4_000;
const FEW = MOST / GROWTH;
/** Processor time grows a little more than the items until the code is warm, but this much only for quadratic work. */
const SUSPICIOUS_GROWTH = 3 * GROWTH;
const NEGLIGIBLE_MS = 250;

/** Operations with their names: on n8n 1.x, which differs in what a run is given and returns, one in five. */
const named = (list: AnyOperation[]) =>
	list
		.filter((_, index) => release !== '1.x' || index % 5 === 0)
		.map((operation) => [`${operation.resource}.${operation.value}`, operation] as const);
const numberAt = (index: number) => `+4420${79_000_000 + index}`;

const isSquared = (fewMs: number, manyMs: number) =>
	manyMs > NEGLIGIBLE_MS && manyMs > SUSPICIOUS_GROWTH * Math.max(fewMs, 10);

describe(`a run of many items, n8n ${release}`, () => {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 0, auditSeconds: 0 });
		resetTime(() => sandbox.finishBatches());
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);
	beforeEach(() => {
		sandbox.reset();
		sandbox.setBalance(sandbox.keys.main, 'whatsapp', 1_000_000);
	});

	async function run(parameters: IDataObject, count: number, item: (index: number) => IDataObject) {
		const before = process.cpuUsage();
		const node = await runNode({
			credentials: credentialsOf(sandbox),
			items: Array.from({ length: count }, (_, index) => item(index)),
			onError: 'continueRegularOutput',
			parameters,
		});
		const { user, system } = process.cpuUsage(before);
		expect(node.status).toBe('success');
		return { node, cpuMs: (user + system) / 1000 };
	}

	/** Runs a few items and many, and returns the run of the many. */
	async function grow(
		parameters: IDataObject,
		item: (index: number) => IDataObject,
	): Promise<NodeRun> {
		const few = await run(parameters, FEW, item);
		sandbox.clearLog();
		const many = await run(parameters, MOST, item);
		if (!isSquared(few.cpuMs, many.cpuMs)) return many.node;
		// The garbage collector may have run in one of them only. Quadratic work shows again
		const fewer = await run(parameters, FEW, item);
		sandbox.clearLog();
		const again = await run(parameters, MOST, item);
		const figures = { few: fewer.cpuMs, many: again.cpuMs };
		expect(isSquared(fewer.cpuMs, again.cpuMs) ? figures : {}).toEqual({});
		return again.node;
	}

	const wrong = { value: '={{ $json.v }}' };
	test.each(named(operations.filter(({ fields }) => fields.some(({ required }) => required))))(
		'%s answers each invalid number, and sends nothing',
		async (_, operation) => {
			const fields = operation.fields.filter(
				({ required, type }) => required && type !== 'options',
			);
			const values = Object.fromEntries(fields.map(({ name }) => [name, wrong.value]));
			const parameters = { ...rightParameters(operation), ...values };
			const node = await grow(parameters, () => ({ v: '' }));
			expect(node.items().length).toBe(MOST);
			expect(sandbox.log).toEqual([]);
		},
		300_000,
	);

	test.each(named(operations.filter(({ free }) => !free)))(
		'%s plans all numbers in a Dry Run',
		async (_, operation) => {
			const parameters = { ...rightParameters(operation), spendingLimits: { dryRun: true } };
			const node = await grow(parameters, (index) => ({ auditId: `a${index}`, index }));
			expect(node.items()).toHaveLength(1);
			expect(node.items()[0].json).toMatchObject({ items: MOST });
			expect(sandbox.log).toEqual([]);
		},
		300_000,
	);

	test.each(named(operations.filter(({ repeatable }) => repeatable)))(
		'%s makes one call for all duplicates',
		async (_, operation) => {
			const node = await grow(rightParameters(operation), () => ({}));
			expect(node.items().length).toBeGreaterThanOrEqual(MOST);
			expect(sandbox.log.length).toBeLessThanOrEqual(5);
		},
		300_000,
	);

	test('sends numbers without duplicates in batches of a thousand, and returns them in order', async () => {
		const parameters = { resource: 'batch', operation: 'checkMany', phoneNumber: '={{ $json.n }}' };
		const node = await grow(parameters, (index) => ({ n: numberAt(index) }));
		expect(node.items().map(({ json }) => json.input)).toEqual(
			Array.from({ length: MOST }, (_, index) => numberAt(index)),
		);
		const submitted = sandbox.log.filter(({ method }) => method === 'POST');
		expect(submitted).toHaveLength(MOST / 1000);
	}, 300_000);

	test('makes one call for each number without duplicates', async () => {
		const parameters = { resource: 'geoIp', operation: 'locate', ipAddress: '={{ $json.ip }}' };
		const count = 1_000;
		sandbox.setBalance(sandbox.keys.main, 'geoip', 1_000_000);
		const ipAt = (index: number) => `9.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
		const { node } = await run(parameters, count, (index) => ({ ip: ipAt(index) }));
		expect(node.items()).toHaveLength(count);
		expect(new Set(sandbox.log.map(({ query }) => query.ip)).size).toBe(count);
		expect(sandbox.log).toHaveLength(count);
	}, 300_000);
});
