import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../sandbox';
import {
	AT_ONCE,
	release,
	runNode,
	type CredentialsByType,
	type NodeOptions,
	type NodeRun,
} from '../harness/n8n';
import { inCollections } from '../harness/collections';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';
import { resetTime, slept } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
const validate = {
	...{ resource: 'phone', operation: 'validate', phoneNumber: '={{ $json.number }}' },
	country: '',
};
const checkMany = {
	...{ resource: 'batch', operation: 'checkMany', phoneNumber: '={{ $json.number }}' },
};
const sendMessage = {
	...{ resource: 'whatsApp', operation: 'sendMessage', message: 'Hello' },
	phoneNumber: '={{ $json.number }}',
};
/** 5 distinct addresses, one of them twice, and one that no call is made for. */
const SIX_ANSWERS = ['a', 'b', 'A', 'c', 'd', 'e'].map((name) => ({
	email: `${name.toLowerCase()}@mail.example`,
}));
const items = [...SIX_ANSWERS, { email: 'no address@' }];
const numbers = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ number: `+49151${String(10_000_000 + n)}` }));

const messageOf = ({ error }: NodeRun) => error?.message ?? '';
const column = (run: NodeRun, name: string) => run.items().map(({ json }) => json[name]);

describe(`the budget of an execution, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 100_000 });
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
			items,
			...more,
		});
	const spent = () => sandbox.spent(sandbox.keys.main);

	describe('Max Paid Lookups', () => {
		it.each([
			['as many as it takes', 5, 'success'],
			['one too few', 4, 'error'],
			['no limit', 0, 'success'],
			['more than enough', 1000, 'success'],
		])('of %s (%d) ends in %s', async (_, maxPaidLookups, status) => {
			const result = await run(verifyEmail, { maxPaidLookups });

			expect(result.status).toBe(status);
			expect(sandbox.log).toHaveLength(status === 'success' ? 5 : 0);
			if (status === 'success') return;
			expect(messageOf(result)).toMatch(
				/^The run would make 5 paid lookups, which is more than Max Paid Lookups \(4\)\. .*You weren't charged/,
			);
			expect(result.error?.name).toBe('NodeOperationError');
		});

		it.each([
			[10, 'success'],
			[9, 'error'],
		])('of %d counts the numbers of a batch: %s', async (maxPaidLookups, status) => {
			const result = await run(checkMany, { maxPaidLookups }, { items: numbers(10) });

			expect(result.status).toBe(status);
			expect(spent().whatsapp).toBe(status === 'success' ? 10 : 0);
		});

		it('counts the check before a message as well as the message', async () => {
			const options = { checkNumberFirst: true, maxPaidLookups: 3 };
			const result = await run(sendMessage, options, { items: numbers(2) });

			expect(messageOf(result)).toMatch(/would make 4 paid lookups/);
			expect(sandbox.log).toEqual([]);
		});

		it('counts the lookups of an earlier try of the execution', async () => {
			const wrongKey = { status: false, error: 'Invalid API key.' };
			sandbox.fault({ kind: 'status', status: 401, body: wrongKey, contains: 'd@', times: 1 });
			const options = { [AT_ONCE]: 1, ifSomeItemsFail: 'stopNode' };
			const more = { retryOnFail: true, maxTries: 2 };
			const enough = await run(verifyEmail, { ...options, maxPaidLookups: 5 }, more);
			expect(enough.status).toBe('success');
			expect(spent().email).toBe(5);
		});

		it('with Continue fails the items that it has no lookup for, and answers the others', async () => {
			const result = await run(...([verifyEmail, { maxPaidLookups: 1 }] as const), {
				onError: 'continueRegularOutput',
			});

			expect(sandbox.log).toEqual([]);
			expect(column(result, 'outcome')).toEqual([...new Array<undefined>(6), 'negative']);
			expect(column(result, 'error')[0]).toMatch(/Max Paid Lookups/);
		});
	});

	describe('Check Balance', () => {
		const checkBalance = 'before';

		it.each([
			[5, 'success'],
			[4, 'error'],
		])('with %d credits for 5 lookups ends in %s', async (credits, status) => {
			sandbox.setBalance(sandbox.keys.main, 'email', credits);
			const result = await run(verifyEmail, { checkBalance });

			expect(result.status).toBe(status);
			expect(spent().email).toBe(status === 'success' ? 5 : 0);
			if (status === 'success') {
				expect(receiptOf(result.hints())).toMatchObject({ calls: 5 });
				return;
			}
			expect(messageOf(result)).toMatch(
				/^The run may cost up to 5 email credits, but the account has 4\. .*You weren't charged/,
			);
		});

		it('names the balances that the service does not show', async () => {
			const caller = { resource: 'callerId', operation: 'lookUp', phoneNumber: '+12025550123' };
			const result = await run(caller, { checkBalance }, { items: [{}] });
			expect(result.hints()[0]).toMatch(/The service doesn't show the Caller ID balance\.$/);

			const check = { resource: 'whatsApp', operation: 'checkNumber', phoneNumber: '+12025550123' };
			const priceless = await run(check, { checkBalance }, { items: [{}] });
			expect(priceless.hints()[0]).toMatch(
				/Before the run, the account had \d+ WhatsApp credits\.$/,
			);
		});

		it('ends the run when a balance is empty, whatever a call may cost', async () => {
			sandbox.setBalance(sandbox.keys.main, 'whatsapp', 0);
			const check = { resource: 'whatsApp', operation: 'checkNumber', phoneNumber: '+12025550123' };
			const result = await run(check, { checkBalance }, { items: [{}] });

			expect(messageOf(result)).toMatch(
				/The account has 0 WhatsApp credits\. .*You weren't charged/,
			);
			expect(sandbox.log.map(({ path }) => path)).toEqual(['/api/v1/checkbalance']);
		});

		it('spends nothing when the balance cannot be read', async () => {
			sandbox.fault({ kind: 'status', status: 500, path: 'checkbalance' });
			const result = await run(verifyEmail, { checkBalance });

			expect(messageOf(result)).toMatch(/The balance couldn't be read: .*HTTP 500/);
			expect(messageOf(result)).not.toMatch(/may have been charged/);
			expect(sandbox.log.every(({ path }) => path.endsWith('checkbalance'))).toBe(true);
		});

		it.each<
			[
				why: string,
				options: IDataObject,
				credentials: CredentialsByType | undefined,
				freeCalls: number,
			]
		>([
			['its base URL is missing', {}, { lookupMessagingApi: { apiKey: 'key', baseUrl: '' } }, 0],
			['there is no credential', {}, {}, 0],
			['Max Paid Lookups refuses the run', { maxPaidLookups: 4 }, undefined, 0],
			['the balance is too small', {}, undefined, 1],
		])(
			'does not count a free call that was not made: %s',
			async (_, given, credentials, freeCalls) => {
				sandbox.setBalance(sandbox.keys.main, 'email', 4);
				const options = { checkBalance, ...given };
				const onError = 'continueRegularOutput';
				const result = await run(verifyEmail, options, {
					...(credentials && { credentials }),
					onError,
				});

				expect(receiptOf(result.hints())).toMatchObject({ calls: 0, failed: 6 });
				expect(sandbox.log).toHaveLength(freeCalls);
			},
		);

		it('reads no balance when nothing will be paid', async () => {
			await run(verifyEmail, { checkBalance }, { items: [{ email: 'no address@' }] });
			expect(sandbox.log).toEqual([]);
		});
	});

	describe('Dry Run', () => {
		const dryRun = true;

		it('sends nothing and says how many lookups the run would make, and the maximum cost', async () => {
			const result = await run(verifyEmail, { dryRun });

			expect(sandbox.log).toEqual([]);
			expect(result.items()).toHaveLength(1);
			expect(result.items()[0].json).toEqual({
				...{ dryRun: true, items: 7, lookupsNeeded: 5, duplicates: 1, fromMemory: 0 },
				...{ answeredLocally: 1, failing: 0, batches: 0 },
				...{ paidCallsAtMost: 5, paidLookupsAtMost: 5 },
				...{ creditsAtMost: { email: 5 }, priceNotStated: [] },
			});
			expect(result.items()[0].pairedItem).toHaveLength(7);
		});

		it("is an upper bound of the run's cost", async () => {
			const list = [...numbers(3), { number: '+1 202 555 0103' }, { number: '12' }];
			const planned = (await run(validate, { dryRun }, { items: list })).items()[0].json;
			const made = receiptOf((await run(validate, {}, { items: list })).hints());

			expect(planned.paidCallsAtMost).toBe(made?.calls);
			const { phone } = planned.creditsAtMost as { phone: number };
			expect(phone).toBeGreaterThanOrEqual(spent().phone);
		});

		it('counts batches', async () => {
			const result = await run(checkMany, { dryRun }, { items: numbers(1001) });
			expect(result.items()[0].json).toMatchObject({
				...{ batches: 2, paidCallsAtMost: 2, paidLookupsAtMost: 1001 },
				creditsAtMost: { whatsapp: 1001 },
			});
		});

		it('names the balances whose price is not stated', async () => {
			const result = await run(sendMessage, { dryRun }, { items: numbers(2) });
			expect(result.items()[0].json).toMatchObject({ priceNotStated: ['whatsapp'] });
		});
	});

	describe('Recheck Inconclusive Emails', () => {
		const email = 'timeout-once@mail.example';

		it('checks again when the credit was refunded, and pays for the answer once', async () => {
			const options = { recheckInconclusiveEmails: true };
			const result = await run(verifyEmail, options, { items: [{ email }, { email }] });

			expect(column(result, 'outcome')).toEqual(['positive', 'positive']);
			expect(sandbox.log).toHaveLength(2);
			expect(receiptOf(result.hints())).toMatchObject({
				...{ calls: 2, retries: 1, credits: { email: 1 } },
			});
		});

		it('stops after two more tries; when it is off, the first answer remains', async () => {
			const never = [{ email: 'timeout@mail.example' }];
			const result = await run(verifyEmail, { recheckInconclusiveEmails: true }, { items: never });
			expect(column(result, 'outcome')).toEqual(['unknown']);
			expect(sandbox.log).toHaveLength(3);
			// A minute and four, with up to a tenth more, and all within a Max Wait of five
			expect(slept[0]).toBeGreaterThanOrEqual(60_000);
			expect(slept[0]).toBeLessThanOrEqual(66_000);
			expect(slept[0] + slept[1]).toBeGreaterThan(299_000);
			expect(slept[0] + slept[1]).toBeLessThanOrEqual(300_000);
			expect(column(result, 'reason')).toEqual([
				expect.stringMatching(
					/try again\. \(credit refunded\), still inconclusive after 3 checks in 5 minutes$/,
				),
			]);

			sandbox.clearLog();
			await run(verifyEmail, {}, { items: never });
			expect(sandbox.log).toHaveLength(1);
			expect(spent().email).toBe(0);
		});

		it('is planned with the number of checks that fit into Max Wait', async () => {
			const items = [{ email }, { email: 'ada@mail.example' }];
			for (const [maxWait, most] of [
				[5, 6],
				[1, 4],
			]) {
				const options = { recheckInconclusiveEmails: true, dryRun: true, maxWait };
				const [{ json }] = (await run(verifyEmail, options, { items })).items();
				expect(json).toMatchObject({ paidCallsAtMost: most, paidLookupsAtMost: most });
			}
		});

		it('stays within Max Paid Lookups', async () => {
			const options = { recheckInconclusiveEmails: true, maxPaidLookups: 2 };
			await run(verifyEmail, options, { items: [{ email: 'timeout@mail.example' }] });
			expect(sandbox.log).toHaveLength(2);
		});

		it('leaves the lookups of Max Paid Lookups to values that were not looked up yet', async () => {
			const list = ['timeout', 'ada', 'bob', 'eve'].map((name) => ({
				email: `${name}@mail.example`,
			}));
			const options = { recheckInconclusiveEmails: true, maxPaidLookups: 4, [AT_ONCE]: 1 };
			const result = await run(verifyEmail, options, { items: list });

			expect(sandbox.log).toHaveLength(4);
			expect(column(result, 'outcome')).toEqual(['unknown', 'positive', 'positive', 'positive']);
		});
	});
});
