import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../sandbox';
import { PRODUCTS, type FaultEffect, type FaultRule } from '../sandbox/types';
import { inCollections } from '../harness/collections';
import { release, type NodeOptions, type NodeRun } from '../harness/n8n';
import { formViolations, ledgerOf, linksOf, receiptMismatches, sumOf } from '../harness/ledger';
import { expectOnlyE164, runnerOn } from '../harness/onSandbox';
import { spendingOf } from '../harness/parseReceipt';
import { resetTime } from '../harness/time';
import { TOOL_TYPE, toolVariant } from '../harness/toolVariant';

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
const checkMany = {
	...{ resource: 'batch', operation: 'checkMany', phoneNumber: '={{ $json.number }}' },
};
const enrich = {
	...{ resource: 'contact', operation: 'enrich', phoneNumber: '={{ $json.number }}' },
	...{ country: '', email: '={{ $json.email }}', ipAddress: '', contactName: '' },
	lookups: ['phone', 'whatsApp', 'email'],
};
const CUSTOMERS = ['Acme', 'Byte', 'Cora'];
const customerOf = (n: number) => CUSTOMERS[n % CUSTOMERS.length];
/** Three customers in turn; the last two items ask what others have asked. */
const EMAILS = ['ada', 'eve', 'ida', 'timeout', 'bad', 'una', ' eve', 'ada'].map((name, n) => ({
	...{ email: `${name}@mail.example`, customer: customerOf(n) },
}));

/** What comes of two calls with an unknown result. */
const PERHAPS: Array<[charged: string, credits: number]> = Array(2).fill(['perhaps', 1]);
/** A refusal of the question, which may have been charged as far as its words go. */
const REFUSAL = { status: 422, body: { status: false, message: 'This address is not taken' } };

/** The text of the receipt, from the hints or from the error. */
const receiptIn = (run: NodeRun) =>
	[...run.hints(), (run.error as { description?: string } | undefined)?.description ?? ''].find(
		(text) => spendingOf(text),
	) ?? '';

describe(`Cost Log, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 100_000, auditSeconds: 1 });
	});
	beforeEach(() => {
		sandbox.reset();
		resetTime();
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);
	const run = runnerOn(() => sandbox);

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
		const spent = sandbox.spent(sandbox.keys.main);
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
			sandbox.fault({ kind: 'resetAfterCharge', contains: 'bad' });
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

	it('cuts a batch by customer, so that each pays for its own numbers', async () => {
		const numbers = Array.from({ length: 10 }, (_, n) => ({
			...{ number: `+4915110000${n % 8}00`, customer: customerOf(n) },
		}));
		const { rows, items, links } = await runWithLedger(checkMany, { items: numbers });
		expect(inShort(rows)).toEqual([
			[0, 'Acme', 'yes', 3],
			[1, 'Byte', 'yes', 3],
			[2, 'Cora', 'yes', 2],
		]);
		expect(links).toEqual([
			[0, 3, 6, 8],
			[1, 4, 7, 9],
			[2, 5],
		]);
		expect(items()).toHaveLength(10);
		expect(sandbox.spent(sandbox.keys.main).whatsapp).toBe(8);
	});

	it('has the lookups of a contact under their own names, with its tag', async () => {
		const contacts = CUSTOMERS.map((customer, n) => ({
			...{ customer, email: `c${n}@mail.example`, number: `+49151100001${n}0` },
		}));
		sandbox.fault({ kind: 'resetAfterCharge', contains: 'c1@' });
		const { rows } = await runWithLedger(enrich, { items: contacts });
		expect(rows).toHaveLength(9);
		for (const [n, tag] of CUSTOMERS.entries()) {
			const own = rows.filter((row) => row.tag === tag);
			expect(own.map(({ item }) => item)).toEqual([n, n, n]);
			expect(own.map(({ operation }) => operation).sort()).toEqual([
				...['email.verify', 'phone.validate', 'whatsApp.checkNumber'],
			]);
		}
		const open = rows.filter(({ charged }) => charged === 'perhaps');
		expect(open).toMatchObject([{ operation: 'email.verify', tag: 'Byte', credits: 1 }]);
		const unpriced = rows.filter(({ credits }) => credits === null);
		expect(unpriced.map(({ charged, balance }) => `${charged} ${balance}`)).toEqual(
			Array(3).fill('yes whatsapp'),
		);
	});

	it('keeps the rows of tries whose outputs n8n discards, and returns them once', async () => {
		const items = [{ email: 'bad@mail.example', customer: 'Acme' }, ...EMAILS.slice(0, 4)];
		sandbox.fault({ kind: 'resetAfterCharge', contains: 'bad' });
		const { rows } = await runWithLedger(verifyEmail, {
			items,
			onError: 'continueRegularOutput',
			retryOnFail: true,
			maxTries: 3,
		});
		const log = sandbox.log.filter(({ path }) => path.endsWith('/checkemail'));
		// The refunded address is asked again
		expect(log).toHaveLength(7);
		expect(rows).toHaveLength(7);
		expect(rows.filter(({ charged }) => charged === 'perhaps')).toHaveLength(1);
	});

	it.each<[what: string, Array<FaultEffect['kind']>, Array<[charged: string, credits: number]>]>([
		['all, which may come back', ['resetAfterCharge', 'resetAfterCharge'], PERHAPS],
		['none, as far as can be told', ['resetBeforeCharge', 'resetBeforeCharge'], PERHAPS],
		['one of two', ['resetAfterCharge', 'resetBeforeCharge'], PERHAPS],
		['none of two refusals', ['status', 'status'], Array(2).fill(['no', 0])],
	])(
		'says of possibly charged calls whether the balances prove that %s',
		async (_, kinds, charges) => {
			for (const [n, kind] of kinds.entries()) {
				const effect = kind === 'status' ? { kind, ...REFUSAL } : { kind };
				sandbox.fault({ ...effect, contains: `${EMAILS[n].email}` } as FaultRule);
			}
			const { rows } = await runWithLedger(
				{ ...verifyEmail, spendingLimits: { checkBalance: 'beforeAndAfter' } },
				{ items: EMAILS, onError: 'continueRegularOutput' },
			);
			expect(inShort(rows).map(([item, , charged, credits]) => [item, charged, credits])).toEqual([
				...charges.map(([charged, credits], n) => [n, charged, credits]),
				[2, 'yes', 1],
				[3, 'no', 0],
				[4, 'yes', 1],
				[5, 'yes', 1],
			]);
		},
	);

	it('keeps the rows of tries that failed completely', async () => {
		sandbox.fault({ kind: 'resetAfterCharge', contains: 'bad', times: 1 });
		const options = { ifSomeItemsFail: 'stopNode' };
		const { rows, status } = await runWithLedger(
			{ ...verifyEmail, options },
			{ items: EMAILS, retryOnFail: true, maxTries: 3 },
		);
		expect(status).toBe('success');
		// The refunded address is asked again
		expect(rows.map(({ item }) => item).sort()).toEqual([0, 1, 2, 3, 3, 4, 5]);
	});

	it('has no outputs when the node fails, and its error has the receipt', async () => {
		sandbox.fault({ kind: 'resetAfterCharge', contains: 'bad' });
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

	it.each<[string, IDataObject, number, object]>([
		[
			'a message',
			{
				resource: 'whatsApp',
				operation: 'sendMessage',
				message: 'Hello',
				phoneNumber: '={{ $json.number }}',
			},
			...([2, { operation: 'whatsApp.sendMessage', balance: 'whatsapp', credits: null }] as const),
		],
		[
			'an audit',
			{
				resource: 'audit',
				operation: 'run',
				brandName: 'Example',
				brandUrl: 'https://brand.example',
				competitors: '',
			},
			...([3, { operation: 'audit.run', balance: 'audit', credits: null }] as const),
		],
		[
			'a tool',
			{
				...{ resource: 'toolServer', operation: 'callTool', argumentsMode: 'json' },
				tool: { __rl: true, mode: 'name', value: 'verify_email' },
				argumentsJson: '={{ JSON.stringify({ email: $json.email }) }}',
			},
			...([
				3,
				{ operation: 'toolServer.callTool', balance: 'tool server', credits: null },
			] as const),
		],
	])('has the calls of %s', async (_, parameters, count, row) => {
		const items = CUSTOMERS.map((customer, n) => ({
			...{ customer, email: `t${n}@mail.example` },
			number: n === 2 ? 'no number' : `+49151100002${n}0`,
		}));
		const { rows } = await runWithLedger(parameters, { items, onError: 'continueRegularOutput' });
		expect(rows.map(({ tag }) => tag)).toEqual(CUSTOMERS.slice(0, count));
		for (const each of rows) expect(each).toMatchObject({ ...row, charged: 'yes' });
	});

	it('says that a number that does not exist was not charged', async () => {
		const validate = {
			resource: 'phone',
			operation: 'validate',
			phoneNumber: '={{ $json.number }}',
		};
		const items = ['+4915110000300', '+1 555 010 0100', '+4915110000400'];
		const { rows } = await runWithLedger(
			{ ...validate, country: '' },
			{ items: items.map((number) => ({ number, customer: 'Acme' })) },
		);
		expect(inShort(rows).map(([, , charged, credits]) => [charged, credits])).toEqual([
			['yes', 1],
			['no', 0],
			['yes', 1],
		]);
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
		expect(sandbox.spent(sandbox.keys.main).email).toBe(1);
	});

	it('has no row for answers from memory, and none for a free operation', async () => {
		const known = await runWithLedger(verifyEmail, { items: EMAILS.slice(0, 3) });
		expect(known.rows).toHaveLength(3);
		const free = await run(
			{ resource: 'account', operation: 'getBalance', spendingLimits: BY_CUSTOMER },
			{ items: [{}, {}] },
		);
		expect(free.outputs()).toHaveLength(1);
	});
});
