import {
	NodeHelpers,
	Workflow,
	type IDataObject,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';
import { takesStoredResults } from '../engine';
import { operations } from '../../nodes/LookupMessaging/operations';
import { startSandbox, type Sandbox } from '../sandbox';
import { runStored } from '../harness/storedResults';
import { AT_ONCE, loadPackage, release } from '../harness/n8n';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';
import { resetTime } from '../harness/time';
import { receiptOf } from '../harness/parseReceipt';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
const emails = (...list: string[]) => list.map((email) => ({ email }));
const LIST = emails(
	...['ada@mail.example', 'missing@mail.example', 'eve@mail.example', 'no address@'],
	...['ada@mail.example', 'bad@mail.example'],
);

describe(`Stored Results, n8n ${release}`, () => {
	let sandbox: Sandbox;
	// The process keeps what it paid for by base URL and key, so each test has a sandbox of its own
	beforeEach(async () => {
		resetTime();
		sandbox = await startSandbox({ batchNumbersPerSecond: 100_000 });
		sandbox.fault({ kind: 'status', status: 422, contains: 'bad@' });
	});
	afterEach(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	/** With another account for each execution, only the rows can answer. */
	const run = async (
		parameters: object,
		items: IDataObject[],
		{
			apiKey = sandbox.keys.main,
			...more
		}: Partial<Parameters<typeof runStored>[1]> & { apiKey?: string } = {},
	) =>
		await runStored(parameters, {
			credentials: credentialsOf(sandbox, { apiKey }),
			items,
			...more,
		});
	const rowsOf = (result: Awaited<ReturnType<typeof run>>, output = 1) =>
		result.items(output).map(({ json }) => json);
	const sourcesOf = (result: Pick<Awaited<ReturnType<typeof run>>, 'items'>) =>
		result.items().map(({ json }) => json.source);
	const host = () => sandbox.roots.baseUrl.replace('http://', '');
	const paid = () => sandbox.log.filter(({ path }) => path.endsWith('/checkemail')).length;

	it('uses no answer of another server of the service', async () => {
		const items = LIST.slice(0, 2);
		const rows = rowsOf(await run(verifyEmail, items));
		const before = paid();
		const baseUrl = sandbox.roots.baseUrl.replace('127.0.0.1', 'localhost');
		const credentials = credentialsOf(sandbox, { baseUrl, apiKey: sandbox.keys.other });
		const result = await runStored(verifyEmail, { credentials, items, rows });
		expect(sourcesOf(result)).toEqual(['service', 'service']);
		expect(paid() - before).toBe(2);
	});

	it('warns that Execute Once passes one row, since the others would be paid again', async () => {
		const rows = rowsOf(await run(verifyEmail, LIST.slice(0, 3)));
		const again = { rows, apiKey: sandbox.keys.other };
		const once = await run(verifyEmail, LIST.slice(1, 3), { ...again, executeOnce: true });
		expect(sourcesOf(once)).toEqual(['service']);
		expect(once.hints().filter((text) => text.includes('Execute Once'))).toEqual([
			expect.stringMatching(
				/^Execute Once passes only one stored row, so you pay for the others again\./,
			),
		]);
		const all = await run(verifyEmail, LIST.slice(1, 3), again);
		expect(all.hints().join()).not.toContain('Execute Once');
	});

	it('has an error that says that a new execution has the paid results, and it has', async () => {
		const stop = {
			...verifyEmail,
			options: { ifSomeItemsFail: 'stopNode', [AT_ONCE]: 1 },
		};
		const items = emails('ada@mail.example', 'bad@mail.example', 'missing@mail.example');
		const failed = await run(stop, items);
		expect((failed.error as { description?: string }).description).toMatch(
			/Retry On Fail and new executions in this process reuse what was paid for/,
		);
		const second = await run(verifyEmail, items);
		expect(sourcesOf(second)[0]).toBe('stored');
	});

	it('returns a row for each paid answer, and looks up nothing if the rows come back', async () => {
		const first = await run(verifyEmail, LIST);
		const rows = rowsOf(first);
		expect(rows.map(({ key }) => key)).toEqual([
			`email.verify ${host()}/checkemail?email=ada@mail.example`,
			`email.verify ${host()}/checkemail?email=missing@mail.example`,
			`email.verify ${host()}/checkemail?email=eve@mail.example`,
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
		expect(sourcesOf(second)).toEqual(['stored', 'stored', 'stored', 'local', 'stored', 'stored']);
		const answersOf = (result: typeof first) =>
			result.items().map(({ json }) => ({ ...json, source: 0, ageDays: 0 }));
		expect(answersOf(second).slice(0, 3)).toEqual(answersOf(first).slice(0, 3));
		expect(rowsOf(second)).toEqual([]);
		expect(second.hints()).toEqual([
			'Nothing charged.<br>6 items: 5 from Stored Results, 1 skipped.',
		]);
		expect(receiptOf(second.hints())).toMatchObject({ calls: 0, stored: 5 });
	});

	it('returns nothing if there are rows and no items', async () => {
		const rows = rowsOf(await run(verifyEmail, LIST));
		const result = await run(verifyEmail, [], { rows });
		expect(result.status).toBe('success');
		expect(result.items()).toEqual([]);
	});

	it('has its input and output for the operations that take stored results, and for no other', async () => {
		const type = (await loadPackage()).nodeTypes.lookupMessaging as INodeType;
		const nodeTypes = { getByName: () => type, getByNameAndVersion: () => type };
		const connectionsFor = (parameters: INodeParameters) => {
			const node = { id: '1', name: 'Node', type: 'x', typeVersion: 1, parameters };
			const all = { active: false, connections: {}, nodeTypes: nodeTypes as never };
			const workflow = new Workflow({ ...all, nodes: [{ ...node, position: [0, 0] }] });
			const [made] = Object.values(workflow.nodes);
			const nameOf = (connection: string | { displayName?: string }) =>
				typeof connection === 'string' ? undefined : connection.displayName;
			return {
				inputs: NodeHelpers.getNodeInputs(workflow, made, type.description).map(nameOf),
				outputs: NodeHelpers.getNodeOutputs(workflow, made, type.description).map(nameOf),
			};
		};
		for (const operation of operations) {
			const { resource, value, outcomes } = operation;
			const chosen = { resource, operation: value };
			const takes = takesStoredResults(operation);
			expect(connectionsFor({ ...chosen, storedResults: true })).toEqual({
				inputs: takes ? [undefined, 'Stored Results'] : [undefined],
				outputs: takes ? ['Results', 'New Results'] : [undefined],
			});
			expect(connectionsFor(chosen)).toEqual({ inputs: [undefined], outputs: [undefined] });
			if (!outcomes) continue;
			const { positive, negative, unknown } = outcomes;
			const routed = connectionsFor({ ...chosen, storedResults: true, routeByResult: true });
			expect(routed.outputs).toEqual([
				...[positive, negative, unknown],
				...(takes ? ['New Results'] : []),
			]);
		}
	});

	it('looks up only what no row answers, and says which rows were not used', async () => {
		const [ada, missing, eve] = rowsOf(await run(verifyEmail, LIST));
		const day = 86_400_000;
		const ago = (days: number) => new Date(Date.now() - days * day).toISOString();
		const rows = [
			{ ...ada, answeredAt: ago(12.5) },
			{ ...missing, answer: 'null' },
			{ ...eve, answeredAt: ago(31) },
			{ ...ada, answeredAt: ago(-1) },
			{ ...ada, answer: String(ada.answer).replace('"version":1', '"version":2') },
			...[{}, { error: 'no such table' }],
		];
		const before = paid();
		const result = await run(verifyEmail, LIST, { rows, apiKey: sandbox.keys.other });
		expect(paid() - before).toBe(3);
		expect(result.items().map(({ json }) => [json.source, json.ageDays])).toEqual([
			['stored', 12.5],
			['service', 0],
			['service', 0],
			['local', null],
			['stored', 12.5],
			['failed', null],
		]);
		expect(rowsOf(result).map(({ key }) => key)).toEqual([missing.key, eve.key]);
		expect(result.hints()[0]).toMatch(
			/^Charged: 2 email credits\.<br>6 items: 2 done, 2 from Stored Results, 1 skipped, 1 failed/,
		);
		expect(result.hints()[1]).toBe(
			"5 rows of Stored Results weren't used: 1 has a future date (times without a zone count as UTC), 1 lacks a column (key, operation, outcome, answeredAt, answer), 1 is from another version, 1 is invalid, 1 is older than Max Age.",
		);
	});

	it('sends nothing if Max Age is no number', async () => {
		for (const wrong of ['a week', -1, '1e3', '={{ null }}', '={{ undefined }}', '={{ "" }}']) {
			const failed = await run({ ...verifyEmail, maxAgeDays: wrong }, LIST, { rows: [] });
			expect(failed.error?.message).toMatch(/Max Age \(Days\) (?:\(".*"\) )?isn't a number/);
		}
		expect(sandbox.log).toEqual([]);
	});

	it('is subtracted by Dry Run and Max Paid Lookups', async () => {
		const rows = rowsOf(await run(verifyEmail, LIST.slice(0, 2)));
		const before = sandbox.log.length;
		const apiKey = sandbox.keys.other;
		const dry = await run({ ...verifyEmail, spendingLimits: { dryRun: true } }, LIST, {
			rows,
			apiKey,
		});
		expect(dry.items()[0].json).toMatchObject({
			...{ items: 6, lookupsNeeded: 2, duplicates: 0, fromMemory: 0, fromStored: 3 },
			...{ answeredLocally: 1, paidCallsAtMost: 2, creditsAtMost: { email: 2 } },
		});
		expect(rowsOf(dry)).toEqual([]);
		expect(sandbox.log.length).toBe(before);

		const limited = { ...verifyEmail, spendingLimits: { maxPaidLookups: 1 } };
		const items = [...LIST.slice(0, 3), ...LIST.slice(0, 3)];
		expect((await run(limited, items, { rows, apiKey })).status).toBe('success');
		expect((await run(limited, items, { apiKey: sandbox.keys.main })).status).toBe('success');
		expect(
			(await run(limited, LIST, { rows: [], apiKey: sandbox.keys.empty })).error?.message,
		).toMatch(/4 paid lookups, which is more than Max Paid Lookups/);
	});

	it('uses the paid answers of this process until the row comes back', async () => {
		const items = LIST.slice(0, 3);
		const first = await run(verifyEmail, items);
		// As Execute Step does, which runs no node after this one
		const again = await run({ ...verifyEmail, output: 'raw' }, items, { rows: [] });
		expect(paid()).toBe(3);
		expect(sourcesOf(again)).toEqual(['stored', 'stored', 'stored']);
		expect(again.items()[0].json.response).toMatchObject({ verdict: 'deliverable' });
		expect(again.items(1).map(({ pairedItem }) => pairedItem)).toEqual([
			...[[{ item: 0 }], [{ item: 1 }], [{ item: 2 }]],
		]);
		expect(rowsOf(again).map(({ key }) => key)).toEqual(rowsOf(first).map(({ key }) => key));

		const stored = await run(verifyEmail, items, { rows: rowsOf(first) });
		expect(rowsOf(stored)).toEqual([]);
		expect(sourcesOf(await run(verifyEmail, items))).toEqual([
			...['service', 'service', 'service'],
		]);
	});

	it('pays once for what two executions ask at the same time', async () => {
		const items = LIST.slice(0, 3);
		const both = await Promise.all([run(verifyEmail, items), run(verifyEmail, items.toReversed())]);
		expect(paid()).toBe(3);
		expect(both.flatMap(sourcesOf).toSorted()).toEqual([
			...['service', 'service', 'service', 'stored', 'stored', 'stored'],
		]);
		expect(both.map((one) => rowsOf(one).length)).toEqual([3, 3]);
		await Promise.all([1, 2].map(async () => await run({ ...verifyEmail, maxAgeDays: 0 }, items)));
		expect(paid()).toBe(9);
	});

	describe('of other operations', () => {
		const ADA = { phone: '+442079460123', email: 'ada@mail.example', ip: '8.8.8.8' };
		const BEN = { phone: '+12025550102', email: 'ben@mail.example' };
		const enrich = {
			...{ resource: 'contact', operation: 'enrich', phoneNumber: '={{ $json.phone }}' },
			...{ email: '={{ $json.email }}', ipAddress: '={{ $json.ip }}' },
		};
		const sections = ({ json }: { json: IDataObject }) =>
			['phone', 'whatsApp', 'email', 'geoIp'].map((name) => {
				const section = json[name] as IDataObject | undefined;
				return section ? [section.source, section.ageDays] : null;
			});

		it('contact.enrich takes and returns rows by lookup, and shares them with Email Verify', async () => {
			const verified = await run(verifyEmail, [{ email: ADA.email }]);
			const old = new Date(Date.now() - 3 * 86_400_000).toISOString();
			const rows = rowsOf(verified).map((row) => ({ ...row, answeredAt: old }));
			const apiKey = sandbox.keys.other;
			const inTurn = { ...enrich, options: { [AT_ONCE]: 1 } };
			const first = await run(inTurn, [ADA, BEN, { ...ADA, ip: '' }], { rows, apiKey });
			expect(first.items().map(sections)).toEqual([
				[
					['service', 0],
					['service', 0],
					['stored', 3],
					['service', 0],
				],
				[['service', 0], ['service', 0], ['service', 0], null],
				[['duplicate', 0], ['duplicate', 0], ['stored', 3], null],
			]);
			expect(first.items().map(({ json }) => json.ageDays)).toEqual([3, 0, 3]);
			expect(first.items(1).map(({ json, pairedItem }) => [json.operation, pairedItem])).toEqual(
				expect.arrayContaining([
					['phone.validate', [{ item: 0 }, { item: 2 }]],
					['whatsApp.checkNumber', [{ item: 0 }, { item: 2 }]],
					['geoIp.locate', [{ item: 0 }]],
					['phone.validate', [{ item: 1 }]],
					['whatsApp.checkNumber', [{ item: 1 }]],
					['email.verify', [{ item: 1 }]],
				]),
			);
			expect(rowsOf(first)).toHaveLength(6);
			expect(receiptOf(first.hints())).toMatchObject({ calls: 6, stored: 2, duplicates: 2 });

			sandbox.reset();
			const all = [...rows, ...rowsOf(first)];
			const dryRun = await run({ ...enrich, spendingLimits: { dryRun: true } }, [ADA, BEN], {
				...{ rows: all, apiKey: 'wrong' },
			});
			expect(dryRun.items()[0].json).toMatchObject({ paidLookupsAtMost: 0, fromStored: 7 });
			const second = await run(enrich, [BEN, ADA], { rows: all, apiKey: 'wrong' });
			expect(second.items().map(({ json }) => [json.source, json.ageDays])).toEqual([
				['stored', 0],
				['stored', 3],
			]);
			expect(receiptOf(second.hints())).toMatchObject({ calls: 0, stored: 7 });
			expect(rowsOf(second)).toEqual([]);
			expect(sandbox.log).toEqual([]);
		});
	});
});
