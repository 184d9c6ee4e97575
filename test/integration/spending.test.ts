import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../sandbox';
import type { Product } from '../sandbox/types';
import { inCollections } from '../harness/collections';
import { AT_ONCE, release, runNode, type NodeOptions, type NodeRun } from '../harness/n8n';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';
import { parseReceipt, receiptOf } from '../harness/parseReceipt';
import { resetTime } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
const checkNumber = {
	...{ resource: 'whatsApp', operation: 'checkNumber', phoneNumber: '={{ $json.number }}' },
};
const enrich = {
	...{ resource: 'contact', operation: 'enrich', lookups: ['email', 'phone'] },
	...{ email: '={{ $json.email }}', phoneNumber: '={{ $json.number }}' },
};
/** Different addresses and numbers; each name has its own. */
const leads = (count: number, name = 'a') =>
	Array.from({ length: count }, (_, n) => ({
		email: `${name}${n}@mail.example`,
		number: `+49151${String(10_000_000 + 1_000 * name.charCodeAt(0) + n)}`,
	}));
const keep = (balance: string, credits: number | string) => ({
	minimumBalance: { balances: [{ balance, credits }] },
});

const messageOf = ({ error }: NodeRun) => error?.message ?? '';
const reasons = (run: NodeRun) => run.items().map(({ json }) => String(json.reason));
const receipt = (run: NodeRun) => receiptOf(run.hints());

describe(`limits of spending, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(() => {
		sandbox.reset();
		resetTime();
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const run = async (parameters: object, options: IDataObject, more: Partial<NodeOptions> = {}) =>
		await runNode({
			credentials: credentialsOf(sandbox),
			parameters: { ...parameters, ...inCollections(options) },
			items: leads(5),
			...more,
		});
	const give = (product: Product, credits: number) =>
		sandbox.setBalance(sandbox.keys.main, product, credits);
	const spent = () => sandbox.spent(sandbox.keys.main);
	const paths = () => new Set(sandbox.log.map(({ path }) => path.split('/').pop()));

	it.each(['checkBalance', 'dryRun', 'maxPaidLookups', 'maxRequestsPerMinute'])(
		'the limit %s is refused if its expression returns nothing, also one for all items',
		async (name) => {
			for (const expression of ['={{ $vars.none }}', '={{ $json.none }}']) {
				const result = await run(verifyEmail, { [name]: expression });
				expect(messageOf(result)).toMatch(/is empty/);
				expect(sandbox.log).toEqual([]);
			}
		},
	);

	it('a rate below 0 is refused, and does not mean no limit', async () => {
		const result = await run(verifyEmail, { maxRequestsPerMinute: -1 });
		expect(messageOf(result)).toMatch(/Max Requests per Minute is below 0.*You weren't charged/);
		expect(sandbox.log).toEqual([]);
	});

	describe('Minimum Balance', () => {
		it.each([
			['all', 105, 'success'],
			['less than all', 104, 'error'],
		])('starts no run if %s that it may cost is above the floor (%d)', async (...row) => {
			const [, credits, status] = row;
			give('email', credits);
			const result = await run(verifyEmail, keep('email', 100));

			expect(result.status).toBe(status);
			expect(spent().email).toBe(status === 'success' ? 5 : 0);
			if (status === 'success') return;
			expect(messageOf(result)).toMatch(
				/^The run may cost up to 5 email credits, but the account has 104 email credits, and Minimum Balance keeps 100\. Add credits, lower Minimum Balance, or run fewer items\..*You weren't charged/,
			);
			expect(paths()).toEqual(new Set(['checkbalance']));
		});

		it('starts no run if nothing is left above the floor, whatever a call may cost', async () => {
			give('whatsapp', 100);
			const result = await run(checkNumber, keep('whatsapp', 100));

			expect(messageOf(result)).toMatch(
				/The account has 100 WhatsApp credits, and Minimum Balance keeps 100\. Add credits, lower Minimum Balance, or run fewer items\..*You weren't charged/,
			);
			expect(paths()).toEqual(new Set(['checkbalance']));
		});

		it('starts no run that it could not finish after unanswered calls of an earlier run', async () => {
			give('email', 108);
			sandbox.fault({ kind: 'resetBeforeCharge', path: 'checkemail', times: 3 });
			await run(verifyEmail, keep('email', 100), { items: leads(3, 'b') });
			const sent = sandbox.log.length;

			const more = await run(verifyEmail, keep('email', 100), { items: leads(6) });
			expect(messageOf(more)).toMatch(
				/may cost up to 6 email credits, but the account has 108 email credits, and Minimum Balance keeps 100, and earlier calls may still cost 3\..*You weren't charged/,
			);
			expect(sandbox.log.slice(sent).map(({ path }) => path)).toEqual(['/api/v1/checkbalance']);
			expect(spent().email).toBe(0);

			const fits = await run(verifyEmail, keep('email', 100), { items: leads(5) });
			expect(fits.items().every(({ json }) => json.source === 'service')).toBe(true);
			expect(spent().email).toBe(5);
		});

		it('ignores a run that pays from another balance', async () => {
			give('email', 0);
			const result = await run(checkNumber, keep('email', 100));
			expect(result.items().every(({ json }) => json.source === 'service')).toBe(true);
		});

		it.each<[string, IDataObject]>([
			['a number that cannot be read', keep('email', 'many')],
			[
				'a balance that is named twice',
				{
					minimumBalance: {
						balances: ['email', 'email'].map((balance) => ({ balance, credits: 1 })),
					},
				},
			],
		])('refuses %s before anything is sent', async (_, options) => {
			const result = await run(verifyEmail, options);
			expect(messageOf(result)).toMatch(/^Minimum Balance .*You weren't charged/);
			expect(sandbox.log).toEqual([]);
		});

		it('keeps its credits exactly while three executions run', async () => {
			give('email', 160);
			sandbox.fault({ kind: 'latency', ms: 3, path: 'checkemail' });
			const runs = await Promise.all(
				['a', 'b', 'c'].map(
					async (name) => await run(verifyEmail, keep('email', 100), { items: leads(40, name) }),
				),
			);

			expect(spent().email).toBe(60);
			const answered = runs
				.flatMap((each) => each.items())
				.filter(({ json }) => json.source === 'service');
			expect(answered).toHaveLength(60);
			for (const each of runs) {
				expect(each.status).toBe('success');
				for (const text of reasons(each).filter((words) => words !== 'null' && /Leave/.test(words)))
					expect(text).toMatch(/Minimum Balance keeps 100.*You weren't charged/);
			}
			const failed = runs.map((each) => receipt(each)?.failed ?? 0);
			expect(failed.reduce((sum, count) => sum + count, 0)).toBe(60);
			// A look after every few credits, not after each
			const looks = sandbox.log.filter(({ path }) => path.endsWith('checkbalance'));
			expect(looks.length).toBeLessThan(40);
		});

		it('stops the lookups that pay from the balance, and not the others', async () => {
			give('email', 115);
			const runs = await Promise.all(
				['a', 'b'].map(
					async (name) => await run(enrich, keep('email', 100), { items: leads(10, name) }),
				),
			);

			expect(spent()).toMatchObject({ email: 15, phone: 20 });
			expect(runs.map((each) => receipt(each)?.failed ?? 0).reduce((a, b) => a + b)).toBe(5);
		});

		it('sends nothing more when the balance can no longer be read', async () => {
			sandbox.fault({ kind: 'status', status: 500, path: 'checkbalance', skip: 1 });
			const result = await run(verifyEmail, keep('email', 100), { items: leads(20) });

			expect(spent().email).toBe(10);
			const failed = reasons(result).filter((words) => /couldn't be read: .*HTTP 500/.test(words));
			expect(failed).toHaveLength(10);
			for (const words of failed) expect(words).toMatch(/You weren't charged/);
		});

		it('sends one batch at a time, and none that exceeds it', async () => {
			give('whatsapp', 1_600);
			const checkMany = {
				resource: 'batch',
				operation: 'checkMany',
				phoneNumber: '={{ $json.number }}',
			};
			const runs = await Promise.all(
				['a', 'b'].map(
					async (name) =>
						await run(
							checkMany,
							{ ...keep('whatsapp', 500), maxWait: 1 },
							{ items: leads(800, name) },
						),
				),
			);

			expect(spent().whatsapp).toBe(800);
			expect(runs.filter(({ status }) => status === 'error')).toHaveLength(1);
			expect(runs.map(messageOf).join('')).toMatch(
				/may cost up to 800 WhatsApp credits, but the account has 800 WhatsApp credits, and Minimum Balance keeps 500/,
			);
		});
	});

	describe('Ten unanswered calls in a row', () => {
		const lostAfter = (skip: number) =>
			sandbox.fault({ kind: 'resetAfterCharge', path: 'checkemail', skip });
		const oneByOne = { [AT_ONCE]: 1 };

		it('end 30 calls after 13 if all but the first three have no answer', async () => {
			lostAfter(3);
			const result = await run(verifyEmail, oneByOne, { items: leads(30) });

			expect(sandbox.log).toHaveLength(13);
			expect(receipt(result)).toMatchObject({ calls: 13, open: 10, failed: 10, notReached: 17 });
			const stopped = reasons(result).filter((words) =>
				/the last 10 calls got no answer/.test(words),
			);
			expect(stopped).toHaveLength(17);
			for (const words of stopped)
				expect(words).toMatch(/may have been charged.*You weren't charged/);
		});

		it('count over the tries of Retry On Fail', async () => {
			lostAfter(3);
			const retried = { retryOnFail: true, maxTries: 3, items: leads(30) };
			await run(verifyEmail, oneByOne, { ...retried, onError: 'continueRegularOutput' });
			expect(sandbox.log.length).toBeLessThanOrEqual(13 + 2);
		});

		it('are reported as ten first calls that all failed alike if they are the first', async () => {
			lostAfter(0);
			const result = await run(verifyEmail, {}, { items: leads(30) });
			expect(sandbox.log).toHaveLength(10);
			expect(messageOf(result)).toMatch(/\[item \d+\]$/);
			expect(JSON.stringify(result.error)).not.toMatch(/the last 10 replies/);
		});

		it('stop the lookups of a contact without an answer, and not the others', async () => {
			lostAfter(3);
			const result = await run(enrich, oneByOne, { items: leads(20) });
			expect(spent()).toMatchObject({ email: 13, phone: 20 });
			expect(receipt(result)).toMatchObject({ open: 10 });
		});
	});

	describe('Check Balance, before and after', () => {
		const checkBalance = 'beforeAndAfter';

		it.each<
			[string, Array<'resetAfterCharge' | 'resetBeforeCharge'>, taken: number, judged: string]
		>([
			[
				'none',
				['resetBeforeCharge', 'resetBeforeCharge'],
				3,
				'Of 2 email calls that may have been charged, so far none was',
			],
			[
				'one',
				['resetBeforeCharge', 'resetAfterCharge'],
				4,
				'Of 2 email calls that may have been charged, so far 1 was charged too',
			],
			[
				'all',
				['resetAfterCharge', 'resetAfterCharge'],
				5,
				'Of 2 email calls that may have been charged, 2 were charged too',
			],
		])('says that %s of the unanswered calls was charged', async (_, kinds, taken, judged) => {
			for (const [n, kind] of kinds.entries()) sandbox.fault({ kind, contains: `a${n}@` });
			const result = await run(verifyEmail, { checkBalance });

			expect(spent().email).toBe(taken);
			expect(receipt(result)).toMatchObject({
				// A third reading only where it may prove something
				...{ failed: 2, open: 0, credits: { email: 3 } },
				...{ taken: { email: taken }, judgements: [judged], other: [] },
			});
		});

		it('says what a call without a stated price cost', async () => {
			const result = await run(checkNumber, { checkBalance });
			expect(receipt(result)).toMatchObject({
				...{ unpriced: { whatsapp: 5 }, taken: { whatsapp: 5 }, each: { whatsapp: 1 } },
			});
			expect(result.hints()[0]).toContain(
				'Taken from the balances: 5 WhatsApp credits (1 per call)',
			);
		});

		it('claims nothing if another run of this process paid meanwhile', async () => {
			sandbox.fault({ kind: 'latency', ms: 5, path: 'checkemail' });
			sandbox.fault({ kind: 'resetAfterCharge', contains: 'a0@' });
			const [first, ...others] = await Promise.all([
				run(verifyEmail, { checkBalance }),
				run(verifyEmail, {}, { items: leads(5, 'b') }),
			]);
			expect(receipt(first)).toMatchObject({ open: 1, taken: { email: 'unclear' } });
			expect(first.hints()[0]).toContain('May have been charged: 1 email call');
			expect(receipt(others[0])?.taken).toBeUndefined();
		});

		it('claims nothing if the sum cannot be its own', async () => {
			sandbox.fault({
				kind: 'body',
				path: 'checkbalance',
				skip: 1,
				body: { status: true, email_balance: 1 },
			});
			const result = await run(verifyEmail, { checkBalance });
			expect(receipt(result)).toMatchObject({ taken: { email: 'unclear' } });
		});

		it('says if the second reading failed', async () => {
			sandbox.fault({ kind: 'status', status: 500, path: 'checkbalance', skip: 1 });
			const result = await run(verifyEmail, { checkBalance });
			expect(result.status).toBe('success');
			expect(result.hints()[0]).toMatch(/The balances couldn't be read after the run: .*HTTP 500/);
		});

		it('reports about a failed run, and about each try separately', async () => {
			sandbox.fault({ kind: 'resetAfterCharge', contains: 'a2@' });
			const options = { checkBalance, ifSomeItemsFail: 'stopNode', [AT_ONCE]: 1 };
			const result = await run(verifyEmail, options);

			expect(result.status).toBe('error');
			const told = parseReceipt(String(result.error?.description));
			expect(told).toMatchObject({ credits: { email: 2 }, open: 0, taken: { email: 3 } });
			expect(told?.judgements).toEqual([
				'Of 1 email call that may have been charged, 1 was charged too',
			]);
		});

		it('reads nothing after a run that paid for nothing', async () => {
			await run(verifyEmail, { checkBalance }, { items: [{ email: 'no address@' }] });
			expect(sandbox.log).toEqual([]);
			give('email', 4);
			await run(verifyEmail, { checkBalance });
			expect(sandbox.log).toHaveLength(1);
		});
	});
});
