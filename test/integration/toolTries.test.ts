import { magic, startSandbox, type Sandbox } from '../sandbox';
import { inCollections } from '../harness/collections';
import { release } from '../harness/n8n';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';
import { resetTime, slept } from '../harness/time';
import { isHandshake } from '../sandbox/faults/faultRules';
import { callingTool, type CallTool, type Reply } from '../harness/toolCalls';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const NUMBER = magic.PHONE.onWhatsApp;
const send = {
	...{ resource: 'whatsApp', operation: 'sendMessage', message: 'Hello' },
	phoneNumber: NUMBER,
};
const submit = { resource: 'batch', operation: 'submit', phoneNumbers: NUMBER };
const checkMany = { ...submit, operation: 'checkMany' };
const runAudit = {
	...{ resource: 'audit', operation: 'run', brandName: 'Tea' },
	brandUrl: 'https://tea.example',
};
const runAndWait = { ...runAudit, operation: 'runAndWait' };
const BY_MODEL = "={{ $fromAI('number', '', 'string') }}";
const REFUSED = { kind: 'status', times: 1 } as const;
const WRONG_KEY = { ...REFUSED, status: 401, body: { status: false, error: 'Invalid API key.' } };
/** The message says what is known, and that nothing was sent. */
const ANSWERED_FROM_JOURNAL =
	/^An equal call in this execution may have been done already, so it wasn't sent again: the connection broke.* Don't repeat this call.*You weren't charged this time/;

describe(`a tool whose calls have no ID, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 0, auditSeconds: 0 });
	});
	beforeEach(() => {
		resetTime();
		sandbox.reset();
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const calls = (path: string) =>
		sandbox.log.filter((record) => record.path.endsWith(path) && !isHandshake(record));
	const messages = () => sandbox.messages(sandbox.keys.main);
	/** What the model gets for calls that are made together, try by try where the tool fails. */
	const call = async (
		parameters: object,
		{ maxTries = 3, times = 1 }: { maxTries?: number; times?: number } = {},
		model: (call: CallTool) => Promise<Reply[]> = async (callOnce) =>
			await Promise.all(Array.from({ length: times }, async () => await callOnce())),
	) => {
		let replies: Reply[] = [];
		const credentials = credentialsOf(sandbox);
		await callingTool({ credentials, parameters, maxTries }, async (callOnce) => {
			replies = await model(callOnce);
		});
		return replies;
	};
	/** The same call after the one before has ended. */
	const inTurn = (times: number) => async (callOnce: CallTool) => {
		const replies: Reply[] = [];
		for (let n = 0; n < times; n += 1) replies.push(await callOnce());
		return replies;
	};

	it('does not repeat a refused call that may have been charged', async () => {
		const body = { status: false, error: 'Message not accepted' };
		sandbox.fault({ ...REFUSED, status: 422, body });
		const [{ error }] = await call(send);

		expect(calls('sendwasms')).toHaveLength(1);
		expect(error).toMatch(
			/^An equal call .* may have been done already, so it wasn't sent again: .*not accepted/,
		);
	});

	it('repeats a call that certainly cost nothing', async () => {
		sandbox.fault(WRONG_KEY);
		const [{ items }] = await call(send);
		expect([items?.[0].sent, messages().length]).toEqual([true, 1]);
	});

	it.each([
		['a batch', checkMany, 'batch', () => sandbox.finishBatches()],
		['an audit', runAndWait, 'audit_run', () => sandbox.clearFaults()],
	])('continues to poll %s that is paid', async (_, parameters, path, finish) => {
		sandbox.fault({ kind: 'body', path: 'audit', body: { status: 'running' } });
		let waits = 0;
		const patient = { ...parameters, options: { maxWait: 1 } };
		const [{ items }] = await call(patient, { maxTries: 3 }, async (callOnce) => {
			resetTime((_ms, count) => {
				waits = count;
				if (slept.reduce((sum, ms) => sum + ms, 0) > 70_000) finish();
			});
			return [await callOnce()];
		});

		expect(items).toMatchObject([{ outcome: 'positive' }]);
		const posts = sandbox.log.filter((each) => each.method === 'POST');
		expect(posts).toMatchObject([{ path: expect.stringMatching(`${path}$`) }]);
		expect(waits).toBeGreaterThan(4);
	});

	describe('called again with the same values', () => {
		it('repeats what has succeeded', async () => {
			for (const parameters of [send, submit]) {
				const replies = await call(parameters, {}, inTurn(2));
				expect(replies.map(({ items }) => items?.[0].outcome)).toEqual(['positive', 'positive']);
			}
			expect(messages()).toHaveLength(2);
			expect(calls('batch')).toHaveLength(2);
		});

		it('does not repeat a call without a known result, in any spelling of the number', async () => {
			sandbox.fault({ kind: 'resetAfterCharge', times: 1 });
			const replies = await call({ ...send, phoneNumber: BY_MODEL }, {}, async (callOnce) => [
				await callOnce({ number: NUMBER }),
				await callOnce({ number: NUMBER.replace('+1', '+1 ') }),
				await callOnce({ number: magic.PHONE.whatsAppBusiness }),
			]);

			expect(replies[1].error).toMatch(ANSWERED_FROM_JOURNAL);
			expect(replies[2].items).toMatchObject([{ sent: true }]);
			expect(messages()).toHaveLength(2);
		});

		it('continues to poll a running job', async () => {
			sandbox.fault({ kind: 'body', path: 'audit', body: { status: 'running' } });
			const patient = { ...runAndWait, options: { maxWait: 1 } };
			const [first, second] = await call(patient, {}, async (callOnce) => {
				const running = await callOnce();
				sandbox.clearFaults();
				return [running, await callOnce()];
			});

			expect(first.error).toMatch(/isn't finished after 1 minute/);
			expect(second.items).toMatchObject([{ outcome: 'positive' }]);
			expect(calls('audit_run')).toHaveLength(1);
		});
	});

	describe('called twice in parallel with the same values', () => {
		it('runs twice, one after the other, if the first succeeds', async () => {
			const replies = await call(send, { times: 2 });
			expect(replies.map(({ items }) => items?.[0].sent)).toEqual([true, true]);
			expect(messages()).toHaveLength(2);
		});

		it('runs once if the result of the first is unknown', async () => {
			sandbox.fault({ kind: 'resetAfterCharge', times: 1 });
			const replies = await call(send, { times: 3, maxTries: 1 });

			expect(messages()).toHaveLength(1);
			// Which of them is first is up to n8n
			const isFromJournal = replies.map(({ error = '' }) => ANSWERED_FROM_JOURNAL.test(error));
			expect(isFromJournal.sort()).toEqual([false, true, true]);
		});
	});

	describe('called several times in parallel when Max Paid Lookups is reached', () => {
		const ada = 'ada@mail.example';
		const verify = { resource: 'email', operation: 'verify', email: ada, maxPaidLookups: 1 };
		const LIMIT = /more than Max Paid Lookups/;
		const results = (replies: Reply[]) =>
			replies
				.map(({ items, error = '' }) => items?.[0].source ?? (LIMIT.test(error) || error))
				.sort();

		it.each([
			['one address', verify],
			['one number of a batch', { ...checkMany, maxPaidLookups: 1 }],
			['while balances are read', { ...verify, ...inCollections({ checkBalance: 'before' }) }],
		])('answers duplicates: %s', async (_, parameters) => {
			resetTime(() => sandbox.finishBatches());
			const replies = await call(parameters, { times: 3, maxTries: 1 });
			expect(results(replies)).toEqual(['memory', 'memory', 'service']);
			const { email = 0, whatsapp = 0 } = sandbox.spent(sandbox.keys.main);
			expect(email + whatsapp).toBe(1);
		});

		it('answers two contacts that share a lookup', async () => {
			const contact = { resource: 'contact', operation: 'enrich', lookups: ['email', 'phone'] };
			const parameters = { ...contact, email: ada, phoneNumber: BY_MODEL, maxPaidLookups: 2 };
			const replies = await call(parameters, { maxTries: 1 }, async (callOnce) =>
				Promise.all([NUMBER, ''].map((number) => callOnce({ number }))),
			);
			// Which of them is first is up to n8n
			expect(replies.map(({ error }) => error)).toEqual([undefined, undefined]);
			expect(sandbox.spent(sandbox.keys.main)).toMatchObject({ email: 1, phone: 1 });
		});

		it('refuses what no other call pays for', async () => {
			const email = "={{ $fromAI('email', '', 'string') }}";
			const replies = await call({ ...verify, email }, { maxTries: 1 }, async (callOnce) =>
				Promise.all(['a@x.eu', 'a@x.eu', 'b@x.eu', 'b@x.eu'].map((email) => callOnce({ email }))),
			);
			expect(results(replies)).toEqual(['memory', 'service', true, true]);
			expect(sandbox.spent(sandbox.keys.main).email).toBe(1);
		});

		it('makes the call itself if the other call cost nothing', async () => {
			sandbox.fault(WRONG_KEY);
			const replies = await call(verify, { times: 3, maxTries: 1 });
			expect(results(replies).slice(1)).toEqual(['memory', 'service']);
		});
	});
});
