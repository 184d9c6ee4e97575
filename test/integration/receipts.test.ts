import type { IDataObject } from 'n8n-workflow';
import { magic, startSandbox, type Sandbox } from '../sandbox';
import { PRODUCTS, type FaultEffect, type FaultRule } from '../sandbox/types';
import { runStored } from '../harness/storedResults';
import { ledgerOf, receiptMismatches } from '../harness/ledger';
import { inCollections } from '../harness/collections';
import { AT_ONCE, release, type NodeOptions, type NodeRun } from '../harness/n8n';
import { credentialsOf, expectOnlyE164, runnerOn } from '../harness/onSandbox';
import { spendingOf } from '../harness/parseReceipt';
import { resetTime } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

/** Receipts word for word, and beside each what the sandbox's own books say. */

const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
const number = { phoneNumber: '={{ $json.number }}', country: '' };
const validatePhone = { resource: 'phone', operation: 'validate', ...number };
const checkNumber = { resource: 'whatsApp', operation: 'checkNumber', ...number };
const sendMessage = { resource: 'whatsApp', operation: 'sendMessage', message: 'Hi', ...number };
const checkMany = { resource: 'batch', operation: 'checkMany', ...number };
const getBalance = { resource: 'account', operation: 'getBalance' };
const verifyTool = {
	...{ resource: 'toolServer', operation: 'callTool', argumentsMode: 'json' },
	tool: { __rl: true, mode: 'name', value: 'verify_email' },
	argumentsJson: '={{ JSON.stringify({ email: $json.email }) }}',
};
const enrich = {
	...{ resource: 'contact', operation: 'enrich', ...number, email: '={{ $json.email }}' },
	...{ ipAddress: '={{ $json.ip }}', contactName: '' },
	lookups: ['phone', 'whatsApp', 'email', 'geoIp'],
};

const emails = (...names: string[]) => names.map((name) => ({ email: `${name}@mail.example` }));
const numbers = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ number: `+44794600${1000 + n}` }));
const contacts = (count: number) =>
	Array.from({ length: count }, (_, n) => ({
		...{ number: `+44794600${1000 + n}`, email: `c${n}@mail.example`, ip: `8.8.${n}.8` },
	}));

const LOST: FaultEffect = { kind: 'resetAfterCharge' };
const says = (status: number, error: string): FaultEffect => ({
	...{ kind: 'status', status, body: { status: false, error } },
});
const STOPS = { ifSomeItemsFail: 'stopNode', [AT_ONCE]: 1 };

interface Case {
	what: string;
	/** `n8n` has what n8n is told beside the parameters. */
	run: [parameters: object, items: IDataObject[], n8n?: Partial<NodeOptions>];
	options?: IDataObject;
	faults?: FaultRule[];
	/** What the run before it answers. */
	before?: IDataObject[];
	/** The hint, or of a node that failed, the last part of its error's description. */
	receipt: string;
}

/** Runs that need nothing beside their items. */
const PLAIN: Array<[what: string, parameters: object, items: IDataObject[], receipt: string]> = [
	['a free call for many items', getBalance, [{}, {}, {}], 'Nothing charged.'],
	['one phone number', validatePhone, numbers(1), 'Charged: 1 phone credit.'],
	[
		'one invalid number',
		validatePhone,
		[{ number: '+1 555 010 0100' }],
		'Free: 1 phone validation call.',
	],
	['one empty value', verifyEmail, [{ email: '' }], 'Nothing charged. 1 item: skipped.'],
	[
		'one contact',
		enrich,
		contacts(1),
		'Charged: 1 phone, 1 email credit. No price given: 1 WhatsApp, 1 GeoIP call.',
	],
	[
		'a list with duplicates, refunds and empty values',
		verifyEmail,
		[...emails('a', 'b', 'c', 'a', magic.EMAIL.timeout), { email: '' }, { email: ' ' }],
		'Charged: 3 email credits. Free: 1 email call.<br>7 items: 4 done, 1 duplicate, 2 skipped.',
	],
	[
		'a batch',
		checkMany,
		[...numbers(6), ...numbers(1)],
		'Charged: 6 WhatsApp credits.<br>7 items: 6 done, 1 duplicate.',
	],
	[
		'a batch of one item',
		{
			...checkMany,
			numbersFrom: 'list',
			phoneNumbers: numbers(5)
				.map((n) => n.number)
				.join(),
		},
		[{}],
		'Charged: 5 WhatsApp credits.',
	],
	[
		'a paid tool',
		verifyTool,
		emails('a', 'b'),
		'No price given: 2 tool calls.<br>2 items: all done.',
	],
];

const CASES: Case[] = [
	...PLAIN.map(
		([what, parameters, items, receipt]): Case => ({
			...{ what, run: [parameters, items], receipt },
		}),
	),
	{
		what: 'contacts, with a lookup that fails',
		run: [enrich, [...contacts(6), ...contacts(2)]],
		faults: [{ ...says(422, 'please try again'), path: 'checkwanumber', times: 1 }],
		receipt:
			'Charged: 6 phone, 6 email credits. No price given: 5 WhatsApp, 6 GeoIP calls.<br>32 lookups for 8 contacts: 23 made, 8 duplicates, 1 failed and may have been charged (WhatsApp: please try again).',
	},
	{
		what: 'all failed at a host that is not there',
		run: [verifyEmail, emails('a', 'b'), { onError: 'continueRegularOutput' }],
		receipt:
			"Nothing charged.<br>2 items: all failed (such as item 0: can't connect to 127.0.0.1:1: the connection was refused).<br>6 calls were repeated at no cost.",
	},
	{
		what: 'a wrong key',
		run: [verifyEmail, emails('a', 'b', 'c'), { onError: 'continueRegularOutput' }],
		options: { [AT_ONCE]: 1 },
		faults: [says(401, 'Invalid API key.')],
		receipt: 'Nothing charged.<br>3 items: 2 not reached, 1 failed (item 0: Invalid API key).',
	},
	{
		what: 'the first ten alike',
		run: [verifyEmail, emails(...'abcdefghijklmnop'), { onError: 'continueRegularOutput' }],
		faults: [says(200, 'Not on sale')],
		receipt:
			'16 items: 6 not reached, 10 failed and may have been charged (such as item 0: Not on sale).<br>The node stopped before item 10, because the first calls all failed alike. If only these values are wrong, move other items to the front.',
	},
	{
		what: 'balances before and after',
		run: [checkNumber, numbers(4)],
		options: { checkBalance: 'beforeAndAfter' },
		faults: [],
		receipt:
			'No price given: 4 WhatsApp calls.<br>4 items: all done.<br>Taken from the balances: 4 WhatsApp credits (1 per call). Before the run, the account had 1000000 WhatsApp credits.',
	},
	{
		what: 'balances that say what a lost call cost',
		run: [verifyEmail, emails('a', 'b', 'lost')],
		options: { checkBalance: 'beforeAndAfter' },
		faults: [{ ...LOST, contains: 'lost@' }],
		receipt:
			'Charged: 2 email credits.<br>3 items: 2 done, 1 failed (item 2: the connection broke before the answer arrived).<br>Taken from the balances: 3 email credits. Of 1 email call that may have been charged, so far 1 was charged too.',
	},
	{
		what: 'a retry',
		run: [verifyEmail, emails('a', 'b', 'c'), { retryOnFail: true, maxTries: 2 }],
		options: STOPS,
		faults: [{ kind: 'status', status: 429, skip: 2, times: 8 }],
		receipt:
			'Charged: 1 email credit.<br>3 items: 1 done, 2 reused from this execution.<br>Earlier in this execution: charged: 2 email credits.',
	},
	{
		what: 'a node that stops',
		run: [verifyEmail, emails('a', 'b', 'c', 'd')],
		options: STOPS,
		faults: [{ ...LOST, skip: 2 }],
		receipt:
			"Charged: 2 email credits. 4 items: 2 done, 1 not reached, 1 failed and may have been charged. Retry On Fail reuses what was paid for, a new execution doesn't.",
	},
	{
		what: 'a dry run',
		run: [verifyEmail, emails('a', 'b')],
		options: { dryRun: true },
		receipt: '',
	},
	{
		what: 'stored results',
		run: [verifyEmail, emails('a', 'b', 'c')],
		before: emails('a', 'b'),
		receipt: 'Charged: 1 email credit.<br>3 items: 1 done, 2 from Stored Results.',
	},
];

describe(`the receipt, compared with the sandbox's ledger, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeEach(async () => {
		resetTime();
		sandbox = await startSandbox({ batchNumbersPerSecond: 100_000, auditSeconds: 1 });
	});
	afterEach(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);
	const runOn = runnerOn(() => sandbox);
	const NOTHING_SPENT = Object.fromEntries(PRODUCTS.map((product) => [product, 0]));
	let spentByFirst: Record<string, number> = NOTHING_SPENT;

	async function runOf({ what, run, options, before }: Case): Promise<NodeRun> {
		const [parameters, items, n8n] = run;
		const credential = what.includes('not there') ? { baseUrl: 'http://127.0.0.1:1/api/v1' } : {};
		const credentials = credentialsOf(sandbox, credential);
		if (before) {
			await runStored(parameters, { credentials, items: before });
			spentByFirst = sandbox.spent(sandbox.keys.main);
			return await runStored(parameters, { credentials, items });
		}
		return await runOn(
			{ ...parameters, ...inCollections({ costLog: '', ...options }) },
			{ credential, items, ...n8n },
		);
	}

	it.each(CASES.map((each) => [each.what, each] as const))('is right for %s', async (_, each) => {
		for (const fault of each.faults ?? []) sandbox.fault(fault);
		const result = await runOf(each);
		const spentBefore = each.before ? spentByFirst : NOTHING_SPENT;
		const texts = [
			...result.hints(),
			(result.error as { description?: string })?.description ?? '',
		];
		const text = texts.find((one) => spendingOf(one)) ?? '';
		// The error's description begins with help
		const [receipt = ''] = STARTS.exec(text) ?? [];
		expect(receipt).toBe(each.receipt);
		const said = spendingOf(text);
		if (!said) return expect(sandbox.log.filter(({ charged }) => charged > 0)).toEqual([]);
		const looksBack = each.options?.checkBalance === 'beforeAndAfter';
		const rows = ledgerOf(result.outputs().at(-1) ?? []);
		if (!each.before && !result.error && rows.some(({ balance }) => balance))
			expect(receiptMismatches(rows, said, looksBack)).toEqual([]);
		const books = sandbox.spent(sandbox.keys.main);
		for (const product of PRODUCTS) {
			const { credits, unpriced, mostOpen } = said;
			const least = credits[product] ?? 0;
			const most = least + mostOpen + (unpriced[product] ?? 0) + (unpriced['tool server'] ?? 0);
			const [spent, before] = [books[product], spentBefore[product]];
			expect([product, spent - before >= least, spent - before <= most]).toEqual([
				product,
				true,
				true,
			]);
		}
	});

	const noteOn = (result: NodeRun) =>
		result.hints()[0].includes('The same run of this node was paid');

	it('says that an identical run was paid within the hour, if Stored Results is off', async () => {
		const press = async (items = numbers(3)) => await runOn(validatePhone, { items });
		expect([noteOn(await press()), noteOn(await press()), noteOn(await press(numbers(2)))]).toEqual(
			[...[false, true, false]],
		);
		expect((await press()).hints()[0]).toBe(
			'Charged: 3 phone credits.<br>3 items: all done.<br>The same run of this node was paid for within the last hour. With Stored Results on, a repeated run pays only for results that are still unknown.',
		);
		expect(sandbox.spent(sandbox.keys.main).phone).toBe(11);
	});

	it('does not mention an identical run that was free, that acts, or that another account paid for', async () => {
		const other = credentialsOf(sandbox, { apiKey: sandbox.keys.other });
		const press = async (credentials = other) =>
			noteOn(await runOn(validatePhone, { items: numbers(7), credentials }));
		expect([await press(credentialsOf(sandbox)), await press(), await press()]).toEqual([
			...[false, false, true],
		]);
		for (const parameters of [sendMessage, getBalance])
			for (const time of [1, 2])
				expect([time, noteOn(await runOn(parameters, { items: numbers(2) }))]).toEqual([
					time,
					false,
				]);
		expect(noteOn(await runOn(verifyEmail, { items: [{ email: 'x@' }] }))).toBe(false);
	});

	it.each([
		['numbers', validatePhone, {}],
		['contacts', enrich, { email: 'a@mail.example' }],
		['contacts of numbers alone', enrich, {}],
		['batches', checkMany, {}],
	])('suggests a country if many %s lack one', async (_, parameters, more) => {
		const local = Array.from({ length: 12 }, (__, n) => ({
			number: `030 90180${100 + n}`,
			...more,
		}));
		const hintsOf = async (items: IDataObject[]) => (await runOn(parameters, { items })).hints();
		expect(await hintsOf(local)).toContain('12 of 12 phone numbers need a country. Set Country.');
		const some = [...local.slice(0, 2), ...numbers(4)];
		expect((await hintsOf(some)).join()).not.toContain('need a country');
		const half = [...local.slice(0, 2), ...numbers(2)];
		expect(await hintsOf(half)).toContain('2 of 4 phone numbers need a country. Set Country.');
	});
});

const STARTS =
	/(?:Charged|No price given|Free|Nothing charged|\d+ (?:item|lookup|value)s?(?: for)?\b).*$/s;
