import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../sandbox';
import { runKnown } from '../harness/knownAnswers';
import { release } from '../harness/n8n';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';

const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
const emails = (...list: string[]) => list.map((email) => ({ email }));
const LIST = emails(
	...['ada@mail.example', 'missing@mail.example', 'x@catch-all.example', 'no address@'],
	...['ada@mail.example', 'bad@mail.example'],
);

describe(`Known Answers, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 100_000 });
	});
	beforeEach(() => {
		sandbox.reset();
		sandbox.fault({ kind: 'status', status: 422, contains: 'bad@' });
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	/** With another account for each execution, only the rows can answer. */
	const run = async (
		parameters: object,
		items: IDataObject[],
		{
			apiKey = sandbox.keys.main,
			...more
		}: Partial<Parameters<typeof runKnown>[1]> & { apiKey?: string } = {},
	) =>
		await runKnown(parameters, { credentials: credentialsOf(sandbox, { apiKey }), items, ...more });
	const rowsOf = (result: Awaited<ReturnType<typeof run>>, output = 1) =>
		result.items(output).map(({ json }) => json);
	const paid = () => sandbox.log.filter(({ path }) => path.endsWith('/checkemail')).length;

	it('puts out a row for each answer that was paid for, and asks nothing of a list whose rows come back in', async () => {
		const first = await run(verifyEmail, LIST);
		const rows = rowsOf(first);
		expect(rows.map(({ key }) => key)).toEqual([
			'email.verify main/checkemail?email=ada@mail.example',
			'email.verify main/checkemail?email=missing@mail.example',
			'email.verify main/checkemail?email=x@catch-all.example',
		]);
		expect(first.items(1).map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 4 }],
			[{ item: 1 }],
			[{ item: 2 }],
		]);
		expect(first.items().map(({ json }) => json.ageDays)).toEqual([0, 0, 0, null, 0, null]);
		expect(paid()).toBe(4);

		const spelled = [...LIST.slice(0, 5), { email: ' ada@MAIL.example ' }];
		const second = await run(verifyEmail, spelled, { rows, apiKey: sandbox.keys.other });
		expect(paid()).toBe(4);
		expect(second.items().map(({ json }) => json.source)).toEqual([
			'known',
			'known',
			'known',
			'local',
			'known',
			'known',
		]);
		expect(
			second
				.items()
				.slice(0, 3)
				.map(({ json }) => ({ ...json, source: 0, ageDays: 0 })),
		).toEqual(
			first
				.items()
				.slice(0, 3)
				.map(({ json }) => ({ ...json, source: 0, ageDays: 0 })),
		);
		expect(rowsOf(second)).toEqual([]);
		expect(second.hints()).toEqual([
			'6 items · 0 paid calls · 5 known · 1 answered locally · no credits spent',
		]);
		expect(receiptOf(second.hints())).toMatchObject({ paidCalls: 0, known: 5 });
	});

	it.each([[[]], [undefined]])('works without rows as ever: %j', async (rows) => {
		const result = await run(verifyEmail, LIST, { rows });
		expect(result.items().length).toBe(6);
		expect(rowsOf(result).length).toBe(3);
	});

	it('puts out nothing where there are rows and no items', async () => {
		const rows = rowsOf(await run(verifyEmail, LIST));
		const result = await run(verifyEmail, [], { rows });
		expect(result.status).toBe('success');
		expect(result.items()).toEqual([]);
	});
});
