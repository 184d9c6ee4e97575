import type { IDataObject } from 'n8n-workflow';
import { PRODUCTS } from '../sandbox/types';
import { inCollections } from '../harness/collections';
import { release, type NodeOptions, type NodeRun } from '../harness/n8n';
import { formViolations, ledgerOf, linksOf, receiptMismatches, sumOf } from '../harness/ledger';
import { spendingOf } from '../harness/parseReceipt';
import { TOOL_TYPE, toolVariant } from '../harness/toolVariant';
import { storiesOn } from '../harness/stories';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const BY_CUSTOMER = { costLog: '={{ $json.customer }}' };
type Parameters = {
	options?: IDataObject;
	spendingLimits?: IDataObject;
	[name: string]: unknown;
};

const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
const CUSTOMERS = ['Acme', 'Byte', 'Cora'];
const customerOf = (n: number) => CUSTOMERS[n % CUSTOMERS.length];
/** Three customers in turn; the last two items ask what others have asked. */
const EMAILS = ['ada', 'eve', 'ida', 'timeout', 'bad', 'una', ' eve', 'ada'].map((name, n) => ({
	...{ email: `${name}@mail.example`, customer: customerOf(n) },
}));

/** The text of the receipt, from the hints or from the error. */
const receiptIn = (run: NodeRun) =>
	[...run.hints(), (run.error as { description?: string } | undefined)?.description ?? ''].find(
		(text) => spendingOf(text),
	) ?? '';

describe(`Cost Log, n8n ${release}`, () => {
	const on = storiesOn({ batchNumbersPerSecond: 100_000, auditSeconds: 1 });
	const run = on.act;

	/** Runs the node, and holds the rows to the receipt and to the service's own ledger. */
	async function runWithLedger(
		{ options = {}, spendingLimits = {}, ...parameters }: Parameters,
		{ output = 1, ...more }: Partial<NodeOptions> & { output?: number } = {},
	) {
		const all = inCollections({ ...BY_CUSTOMER, ...options, ...spendingLimits });
		const result = await run({ ...parameters, ...all }, more);
		const items = result.items(output);
		const rows = ledgerOf(items);
		expect(formViolations(items, more.items?.length ?? 1)).toEqual([]);
		expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
		const said = spendingOf(receiptIn(result));
		const looksBack = spendingLimits.checkBalance === 'beforeAndAfter';
		expect(said && receiptMismatches(rows, said, looksBack)).toEqual([]);
		const spent = on.service().spent(on.service().keys.main);
		for (const balance of PRODUCTS) {
			const own = rows.filter((row) => row.balance === balance);
			if (own.length === 0 || own.some(({ credits }) => credits === null)) continue;
			const { least, most } = sumOf(own);
			expect({ balance, spent: spent[balance] >= least && spent[balance] <= most }).toEqual({
				balance,
				spent: true,
			});
		}
		return { ...result, rows, links: items.map(linksOf) };
	}
	const inShort = (rows: Awaited<ReturnType<typeof runWithLedger>>['rows']) =>
		rows
			.map(({ item, tag, charged, credits }) => [item, tag, charged, credits])
			.sort(([a], [b]) => Number(a) - Number(b));

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'has a row for each paid call, by customer; On Error is %s',
		async (onError) => {
			on.service().fault({ kind: 'resetAfterCharge', contains: 'bad' });
			const { rows, links, outputs, items } = await runWithLedger(verifyEmail, {
				...{ items: EMAILS, onError },
			});
			expect(inShort(rows)).toEqual([
				[0, 'Acme', 'yes', 1],
				[1, 'Byte', 'yes', 1],
				[2, 'Cora', 'yes', 1],
				[3, 'Acme', 'no', 0],
				[4, 'Byte', 'perhaps', 1],
				[5, 'Cora', 'yes', 1],
			]);
			expect(links).toContainEqual([0, 7]);
			expect(links).toContainEqual([1, 6]);
			expect(outputs()).toHaveLength(onError === 'continueErrorOutput' ? 3 : 2);
			const failed = onError === 'continueErrorOutput' ? 1 : 0;
			expect(items()).toHaveLength(8 - failed);
			expect(items(2)).toHaveLength(failed);
		},
	);

	it('has no outputs when the node fails, and its error has the receipt', async () => {
		on.service().fault({ kind: 'resetAfterCharge', contains: 'bad' });
		const options = { ...BY_CUSTOMER, ifSomeItemsFail: 'stopNode' };
		const result = await run({ ...verifyEmail, ...inCollections(options) }, { items: EMAILS });
		expect(result.status).toBe('error');
		expect(result.items(1)).toEqual([]);
		expect(receiptIn(result)).toContain('1 failed and may have been charged');
	});

	it('is the last output before the error output, and empty in a Dry Run', async () => {
		const routed = { ...verifyEmail, routeByResult: true };
		const { rows, outputs } = await runWithLedger(routed, {
			...{ items: EMAILS, output: 3, onError: 'continueErrorOutput' },
		});
		expect(rows).toHaveLength(6);
		expect(outputs()).toHaveLength(5);
		const dry = await run(
			{ ...routed, spendingLimits: { ...BY_CUSTOMER, dryRun: true } },
			{ items: EMAILS, onError: 'continueErrorOutput' },
		);
		expect(dry.outputs().map((output) => output.length)).toEqual([0, 0, 1, 0, 0]);
	});

	it('does not exist for a tool, whose caller gets the first output only', async () => {
		const result = await run(
			{ ...verifyEmail, email: 'ada@mail.example', spendingLimits: BY_CUSTOMER },
			{
				...{ items: [{ customer: 'Acme' }], type: TOOL_TYPE },
				types: { nodes: { [TOOL_TYPE]: await toolVariant() } },
			},
		);
		expect(result.outputs().map((output) => output.length)).toEqual([1]);
		expect(on.service().spent(on.service().keys.main).email).toBe(1);
	});
});
