/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IDataObject, INodeType } from 'n8n-workflow';
import { magic, startSandbox, type Sandbox } from '../sandbox';
import {
	AT_ONCE,
	release,
	runNode,
	runWorkflow,
	type NodeOptions,
	type NodeRun,
	type RunOptions,
} from '../harness/n8n';
import { inCollections, withResultAlone } from '../harness/collections';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';
import { parseReceipt, receiptOf } from '../harness/parseReceipt';
import { pass, resetTime } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const TYPE = 'n8n-nodes-lookup-messaging.lookupMessaging';
const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
const sendMessage = {
	...{ resource: 'whatsApp', operation: 'sendMessage', message: 'Hello' },
	phoneNumber: '={{ $json.number }}',
};
const submitBatch = { resource: 'batch', operation: 'submit', phoneNumber: '={{ $json.number }}' };
const validatePhone = {
	...{ resource: 'phone', operation: 'validate' },
	phoneNumber: '={{ $json.number }}',
};
const inTurn = { [AT_ONCE]: 1, ifSomeItemsFail: 'stopNode' };

const leads = (...names: string[]) => names.map((name) => ({ email: `${name}@mail.example` }));
const numbers = (count: number) =>
	Array.from({ length: count }, (_, n) => ({
		number: `+44207946${String(100 + n).padStart(4, '0')}`,
	}));
const column = (run: Pick<NodeRun, 'items'>, name: string) =>
	run.items().map(({ json }) => json[name]);
const descriptionOf = ({ error }: NodeRun) => (error as { description?: string }).description ?? '';
const retrying = { retryOnFail: true, maxTries: 2 };

/** Waits as n8n's Wait node does where it has the execution stored. */
const WAIT_TYPE = 'test.wait';
const waitNode: INodeType = {
	description: {
		...{ displayName: 'Wait', name: WAIT_TYPE, group: ['organization'], version: 1 },
		...{ description: 'Waits', defaults: { name: 'Wait' }, properties: [] },
		...{ inputs: ['main'], outputs: ['main'] },
	},
	async execute() {
		await this.putExecutionToWait(new Date(Date.now() + 66_000));
		return [this.getInputData()];
	},
};

/** One refusal that costs nothing and stops the node. */
const ONCE_WRONG_KEY = {
	kind: 'status',
	status: 401,
	body: { status: false, error: 'Invalid API key.' },
	times: 1,
} as const;

describe(`the memory of an execution, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 0, auditSeconds: 0 });
	});
	beforeEach(() => {
		sandbox.reset();
		resetTime();
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const credentials = () => credentialsOf(sandbox);
	const run = async (parameters: object, options: Partial<NodeOptions>) =>
		await runNode({ credentials: credentials(), parameters, ...options });
	const spent = () => sandbox.spent(sandbox.keys.main);
	const messages = () => sandbox.messages(sandbox.keys.main).map(({ number }) => number);
	const calls = (path: string) => sandbox.log.filter((record) => record.path.endsWith(path));

	/** The node in a Loop Over Items that hands it `size` items at a time. */
	const loop = async (
		parameters: object,
		items: IDataObject[],
		size = 1,
		{
			onAnswer,
			whileStored,
			credential,
			...node
		}: {
			/** Fields of the credential that are others. */
			credential?: IDataObject;
			onAnswer?: (json: IDataObject) => void;
			/** Has the loop wait for so long after each round that n8n stores the execution. */
			whileStored?: NonNullable<RunOptions['whileStored']>;
			onError?: 'continueRegularOutput';
		} = {},
	) => {
		const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
		const result = await runWorkflow({
			credentials: credentialsOf(sandbox, credential),
			startNode: 'Start',
			...{ whileStored, types: { nodes: { [WAIT_TYPE]: waitNode } } },
			onNodeFinish(name, { data }) {
				if (name !== 'Ask') return;
				for (const { json } of data?.main[0] ?? []) onAnswer?.(json);
			},
			workflow: {
				nodes: [
					{
						...{ name: 'Start', type: 'n8n-nodes-base.set', typeVersion: 3.4 },
						parameters: { mode: 'raw', jsonOutput: JSON.stringify({ items }), options: {} },
					},
					{
						...{ name: 'Many', type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
						parameters: { fieldToSplitOut: 'items', options: {} },
					},
					{
						...{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
						parameters: { batchSize: size, options: {} },
					},
					{
						...{ name: 'Ask', type: TYPE, waitBetweenTries: 1 },
						parameters: withResultAlone(parameters) as never,
						credentials: { lookupMessagingApi: { id: '1', name: 'Sandbox' } },
						...node,
					},
					{ name: 'Wait', type: WAIT_TYPE, disabled: !whileStored },
				],
				connections: {
					Start: { main: [to('Many')] },
					Many: { main: [to('Loop')] },
					Loop: { main: [[], to('Ask')] },
					Ask: { main: [to('Wait')] },
					Wait: { main: [to('Loop')] },
				},
			},
		});
		return { ...result, asked: () => result.items('Ask'), receipts: () => result.hints('Ask') };
	};

	describe('of a credential with expressions', () => {
		let other: Sandbox;
		beforeAll(async () => {
			other = await startSandbox({});
		});
		beforeEach(() => other.reset());
		afterAll(async () => await other.close());
		const rows = (...from: Sandbox[]) =>
			from.map(({ roots, keys }) => ({
				...{ email: 'a@mail.example', base: roots.baseUrl, key: keys.main },
			}));

		it('a loop never uses an answer of one server for another, and pays each server once', async () => {
			const credential = { baseUrl: '={{ $json.base }}' };
			const items = rows(sandbox, other, sandbox, other);
			const result = await loop(verifyEmail, items, 1, { credential });

			expect(column({ items: result.asked }, 'source')).toEqual([
				...['service', 'service', 'memory', 'memory'],
			]);
			expect([sandbox, other].map(({ log }) => log.length)).toEqual([1, 1]);
		});

		it.each([
			['another API key', { apiKey: '={{ $json.key }}' }, { key: 'sandbox-key-empty' }],
			['another URL', { baseUrl: '={{ $json.base }}' }, { base: 'https://other.example/api/v1' }],
			['another URL', { mcpUrl: '={{ $json.mcp ?? "" }}' }, { mcp: 'https://mcp.example' }],
		])('a run whose items have %s is refused before any call', async (_, credential, differing) => {
			const [row] = rows(sandbox);
			for (const items of [
				[row, { ...row, ...differing }],
				[row, { ...row, ...differing }, row],
			]) {
				const result = await runNode({
					credentials: credentialsOf(sandbox, credential),
					...{ parameters: { ...verifyEmail, options: inTurn }, items },
				});
				expect(result.error?.message).toMatch(
					/expressions in the credential give item 1 another API Key or URL than item 0/,
				);
				expect(sandbox.log).toEqual([]);
			}
		});

		it.each([
			['falls back behind the last item', '$input.item?.json?.key || ', 3],
			['is about the place of the item', '$itemIndex === 1 ? "sandbox-key-empty" : ', 3],
			['is about every second item', '$itemIndex % 2 ? "sandbox-key-empty" : ', 1_001],
			['is about some of many items', '$itemIndex % 7 === 3 ? "sandbox-key-empty" : ', 1_001],
		])(
			'a run is refused if the expression %s and the last item has the first key',
			async (...of) => {
				const [, expression, count] = of;
				const { main } = sandbox.keys;
				const items = Array.from({ length: count }, (_, n) => ({
					email: 'a@mail.example',
					...(n === 1 && { key: 'sandbox-key-empty' }),
				}));
				const result = await runNode({
					credentials: credentialsOf(sandbox, { apiKey: `={{ ${expression}"${main}" }}` }),
					...{ parameters: verifyEmail, items },
				});
				expect(result.error?.message).toMatch(/give item \d+ another API Key or URL than item 0/);
				expect(sandbox.log).toEqual([]);
			},
		);

		it('a run whose items all have the same credential works as usual', async () => {
			const result = await runNode({
				credentials: credentialsOf(sandbox, {
					...{ apiKey: '={{ $json.key }}', baseUrl: '={{ $json.base }}' },
				}),
				...{ parameters: verifyEmail, items: rows(sandbox, sandbox, sandbox) },
			});
			expect(column(result, 'outcome')).toEqual(['positive', 'positive', 'positive']);
			expect(spent().email).toBe(1);
		});
	});

	describe('of lookups', () => {
		it('Retry On Fail after a failure at item 5 of 10 makes 10 paid calls in all', async () => {
			const items = leads(...'abcdefghij');
			sandbox.fault({ ...ONCE_WRONG_KEY, contains: 'f@' });
			const result = await run({ ...verifyEmail, options: inTurn }, { items, ...retrying });

			expect(result.status).toBe('success');
			expect(spent().email).toBe(10);
			expect(calls('checkemail')).toHaveLength(11);
			expect(column(result, 'source')).toEqual([
				...Array.from({ length: 5 }, () => 'memory'),
				...Array.from({ length: 5 }, () => 'service'),
			]);
			expect(receiptOf(result.hints())).toMatchObject({
				...{ items: 10, calls: 5, remembered: 5, credits: { email: 5 } },
			});
			expect(result.hints()[0]).toMatch(
				/<br>Earlier in this execution: charged: 5 email credits\.$/,
			);
		});

		it('the error of a stopped run says which results a retry gets free of charge', async () => {
			sandbox.fault({ ...ONCE_WRONG_KEY, contains: 'c@' });
			const result = await run({ ...verifyEmail, options: inTurn }, { items: leads(...'abcd') });

			expect(parseReceipt(descriptionOf(result))).toMatchObject({
				...{ calls: 2, credits: { email: 2 } },
			});
			expect(descriptionOf(result)).toMatch(
				/Retry On Fail reuses what was paid for, a new execution doesn't/,
			);
		});

		it('Max Paid Lookups applies in a loop whose rounds n8n stores, and n8n stores only the count', async () => {
			const stored: string[] = [];
			const options = { maxPaidLookups: 3 };
			const result = await loop(
				{ ...verifyEmail, ...inCollections(options) },
				leads(...'abcdef'),
				2,
				{
					whileStored: (_, text) => void stored.push(text),
				},
			);

			expect(stored).toHaveLength(1);
			expect(JSON.parse(stored[0])).toMatchObject({
				executionData: { contextData: { 'node:Ask': { paidLookups: 2 } } },
			});
			expect(stored[0]).not.toContain(sandbox.keys.main);
			expect(spent().email).toBe(2);
			expect(result.error?.message).toMatch(
				/2 paid lookups, after 2 earlier in this execution, which is more than Max Paid Lookups \(3\)/,
			);
			expect(descriptionOf(result as never)).toMatch(
				/Earlier in this execution: 2 paid lookups before the Wait \(results no longer available\)/,
			);
		});

		it('the receipt after a Wait counts what was paid before', async () => {
			const result = await loop(verifyEmail, leads(...'abc'), 1, {
				whileStored: () => undefined,
			});
			expect(spent().email).toBe(3);
			expect(result.receipts()[2]).toMatch(
				/^Charged: 1 email credit\.<br>Earlier in this execution: 2 paid lookups before the Wait/,
			);
		});

		it('a run with answers that are too large to remember says so', async () => {
			sandbox.fault({ kind: 'padding', bytes: 9_000_000 });
			const result = await run(verifyEmail, { items: leads(...'abcdefg') });
			expect(result.status).toBe('success');
			expect(result.hints()).toContainEqual(
				expect.stringMatching(/dropped 2 results that may have been paid for\. Duplicates/),
			);
			expect(receiptOf(result.hints())).toMatchObject({ calls: 7, credits: { email: 7 } });
		});

		it('a loop of 12 items with 5 distinct values makes 5 paid calls', async () => {
			const items = leads(...'abcdeabcdeab').map(({ email }, n) => ({
				email: n % 2 ? email : email.toUpperCase().replace('MAIL.EXAMPLE', 'mail.EXAMPLE'),
			}));
			const result = await loop(
				verifyEmail,
				items.map(({ email }) => ({ email: email.toLowerCase() })),
			);

			expect(result.asked()).toHaveLength(12);
			expect(spent().email).toBe(5);
			expect(calls('checkemail')).toHaveLength(5);
			expect(
				result.receipts().filter((text) => text.includes('1 item: reused from this execution')),
			).toHaveLength(7);
		});

		it('is valid for this execution, node and question alone', async () => {
			const items = leads('ada');
			await run(verifyEmail, { items });
			await run(verifyEmail, { items });
			expect(spent().email).toBe(2);

			const validate = {
				...{ resource: 'phone', operation: 'validate', responseDetail: 'detailed' },
				...{ phoneNumber: '={{ $json.number }}', country: '={{ $json.country }}' },
			};
			const number = '020 7946 0123';
			await loop(validate, [
				{ number, country: 'GB' },
				{ number, country: 'US' },
				{ number: '020-7946-0123', country: 'United Kingdom' },
			]);
			expect(calls('phonevalidation').map(({ body }) => body)).toMatchObject([
				{ phone_number: '+442079460123' },
				{ phone_number: '02079460123', country_code: 'US' },
			]);
		});

		it('an unanswered call is not repeated', async () => {
			const items = leads('ada', 'lost');
			const options = { ifSomeItemsFail: 'stopNode' };
			sandbox.fault({ kind: 'resetAfterCharge', contains: 'lost@', times: 1 });
			const kept = await run({ ...verifyEmail, options }, { items, ...retrying });

			expect(kept.status).toBe('success');
			expect(column(kept, 'source')).toEqual(['memory', 'failed']);
			expect(kept.items()[1].json.reason).toMatch(/may have been charged/);
			expect(calls('checkemail')).toHaveLength(2);
		});

		it('no number of an unanswered batch is submitted again, in another order or with others', async () => {
			const [ada, bob, eve] = ['+442079460121', '+442079460122', '+442079460123'];
			const items = [ada, bob, bob, eve, eve, ada].map((number) => ({ number }));
			sandbox.fault({ kind: 'resetAfterCharge', path: 'batch', contains: ada, times: 1 });
			await loop(submitBatch, items, 2, { onError: 'continueRegularOutput' });

			const submitted = calls('batch').map(({ body }) => body);
			expect(submitted).toMatchObject([
				{ phone_numbers: [ada, bob] },
				{ phone_numbers: [eve] },
				{ phone_numbers: [eve] },
			]);
		});

		it('a refused lookup is not repeated', async () => {
			const items = leads('ada', 'bad');
			sandbox.fault({ kind: 'status', status: 422, contains: 'bad@' });
			const options = { ifSomeItemsFail: 'stopNode' };
			const result = await run({ ...verifyEmail, options }, { items, ...retrying });

			expect(column(result, 'source')).toEqual(['memory', 'failed']);
			expect(calls('checkemail')).toHaveLength(2);
		});

		it('a lookup with a refunded credit is repeated', async () => {
			const email = `${magic.EMAIL.timeout}@mail.example`;
			const result = await loop(verifyEmail, [{ email }, { email }]);

			expect(result.asked().map(({ json }) => json.source)).toEqual(['service', 'service']);
			expect(calls('checkemail')).toHaveLength(2);
			expect(spent().email).toBe(0);
		});

		it('a run that is set to stop makes all missing calls in its retry, and returns its results', async () => {
			const items = leads(...'abcdefghij');
			sandbox.fault({ kind: 'resetAfterCharge', contains: 'c@' });
			const result = await run({ ...verifyEmail, options: inTurn }, { items, ...retrying });

			expect(calls('checkemail')).toHaveLength(10);
			expect(column(result, 'source')).toEqual([
				...['memory', 'memory', 'failed'],
				...Array.from({ length: 7 }, () => 'service'),
			]);
			expect(result.hints().at(-1)).toMatch(
				/ failed \(item 2: .*Earlier in this execution: charged: .*may have been charged.*This call can't be repeated\. The node returned what you already paid for/,
			);
		});

		it('a run that is set to stop fails if no answer was paid for', async () => {
			sandbox.fault({ kind: 'resetAfterCharge' });
			const options = { ifSomeItemsFail: 'stopNode' };
			const result = await run({ ...verifyEmail, options }, { items: leads('a'), ...retrying });

			expect(result.error?.message).toMatch(/may have been charged/);
			expect(calls('checkemail')).toHaveLength(1);
		});

		it('a run that is set to stop returns the batches that were answered', async () => {
			const checkMany = {
				...{ resource: 'batch', operation: 'checkMany', phoneNumber: '={{ $json.number }}' },
				options: { ...inTurn, maxWait: 1 },
			};
			sandbox.fault({ kind: 'resetAfterCharge', path: 'batch', skip: 1, times: 1 });
			resetTime((_, count) => {
				if (count === 1) sandbox.finishBatches();
			});
			const result = await run(checkMany, { items: numbers(1500), ...retrying });

			expect(spent().whatsapp).toBe(1500);
			expect(calls('batch')).toHaveLength(2);
			const sources = column(result, 'source');
			expect(sources.filter((source) => source === 'memory')).toHaveLength(1000);
			expect(sources.filter((source) => source === 'failed')).toHaveLength(500);
		});

		it('nothing but the count of paid lookups is stored with the execution', async () => {
			const { raw } = await loop(verifyEmail, leads('ada', 'ada'));

			const { contextData } = raw.data.executionData ?? {};
			expect(JSON.stringify(contextData?.['node:Ask'])).toBe('{"paidLookups":1}');
		});

		it('a change that a later node makes to an answer does not change it', async () => {
			const parameters = { ...verifyEmail, output: 'raw' };
			const seen: unknown[] = [];
			const result = await loop(parameters, leads('ada', 'ada', 'bob', 'ada'), 2, {
				onAnswer(json: IDataObject) {
					const response = json.response as IDataObject;
					seen.push(response.verdict);
					response.verdict = 'spoiled';
				},
			});
			expect(result.asked()).toHaveLength(4);
			expect(seen).toEqual(new Array(4).fill('deliverable'));
		});
	});

	describe('of side effects', () => {
		it('Retry On Fail sends nobody a second message', async () => {
			const items = numbers(6);
			sandbox.fault({ ...ONCE_WRONG_KEY, contains: items[3].number.slice(1) });
			const options = { [AT_ONCE]: 1 };
			const result = await run({ ...sendMessage, options }, { items, ...retrying });

			expect(result.status).toBe('success');
			expect(messages()).toEqual(items.map(({ number }) => number));
			expect(column(result, 'source')).toEqual([
				...['memory', 'memory', 'memory', 'service', 'service', 'service'],
			]);
		});

		it('a text that differs at each try is the same message', async () => {
			const items = numbers(4);
			sandbox.fault({ ...ONCE_WRONG_KEY, contains: items[2].number.slice(1) });
			const message = '=Hello {{ Math.random() }}';
			const options = { [AT_ONCE]: 1 };
			const result = await run({ ...sendMessage, message, options }, { items, ...retrying });

			expect(result.status).toBe('success');
			expect(messages()).toEqual(items.map(({ number }) => number));
		});

		it('an invalid first item, for which n8n tries again, sends no second message', async () => {
			const items = [{ number: 'none' }, ...numbers(2)];
			const result = await run(sendMessage, {
				...{ items, onError: 'continueRegularOutput', retryOnFail: true, maxTries: 3 },
			});

			expect(messages()).toHaveLength(2);
			expect(column(result, 'sent')).toEqual([undefined, true, true]);
		});

		it('paid calls do not count against the budget or the balance of the next try', async () => {
			const items = numbers(6);
			sandbox.fault({ ...ONCE_WRONG_KEY, contains: items[3].number.slice(1) });
			const options = { [AT_ONCE]: 1, maxPaidLookups: 6 };
			const sent = await run({ ...sendMessage, ...inCollections(options) }, { items, ...retrying });
			expect(sent.status).toBe('success');
			expect(messages()).toHaveLength(6);

			const onError = 'continueRegularOutput' as const;
			const first = { number: 'none' };
			const tight = { ...sendMessage, spendingLimits: { maxPaidLookups: 2 } };
			const list = [first, ...numbers(2)];
			const tried = await run(tight, { items: list, ...retrying, onError });
			expect(column(tried, 'sent')).toEqual([undefined, true, true]);
			expect(messages()).toHaveLength(8);
		});

		it('a paid batch is fetched by the next try, whatever is left', async () => {
			sandbox.setBalance(sandbox.keys.main, 'whatsapp', 3);
			const submit = {
				...{ resource: 'batch', operation: 'submit', phoneNumber: '={{ $json.number }}' },
				spendingLimits: { checkBalance: 'before', maxPaidLookups: 3 },
			};
			const items = [{ number: 'none' }, ...numbers(3)];
			const onError = 'continueRegularOutput' as const;
			const result = await run(submit, { items, ...retrying, onError });

			expect(spent().whatsapp).toBe(3);
			expect(result.items().some(({ json }) => typeof json.batchId === 'string')).toBe(true);
		});

		it('Retry On Fail does not repeat what may have been sent', async () => {
			const items = numbers(2);
			sandbox.fault({ kind: 'resetAfterCharge', contains: items[1].number.slice(1) });
			const result = await run(sendMessage, { items, ...retrying });

			expect(result.error?.message).toMatch(/may have been charged.*\[item 1\]$/);
			expect(messages()).toHaveLength(2);
			expect(calls('sendwasms')).toHaveLength(2);
		});

		it.each([
			['a lost reply', { kind: 'resetAfterCharge' }],
			['a redirect', { kind: 'redirect', to: 'http://127.0.0.1:1/', status: 302, isDone: true }],
			['a page of a gateway', { kind: 'status', status: 429, body: '<h1>Slow down</h1>' }],
			['an answer that does not say', { kind: 'body', body: {} }],
		] as const)('a loop does not repeat what may have been sent: %s', async (_, effect) => {
			const [item, other] = numbers(2);
			sandbox.fault({ ...effect, contains: item.number.slice(1), times: 1 });
			const onError = 'continueRegularOutput' as const;
			const result = await loop(sendMessage, [item, other, item, other], 1, { onError });

			const asked = result.asked().map(({ json }) => json);
			expect(asked[2].error).toMatch(
				/^An equal call in this execution \(item 0 of run 1\) may have been done already.*start a new execution\. You weren't charged this time/,
			);
			expect([asked[1].sent, asked[3].sent]).toEqual([true, true]);
			expect(calls('sendwasms')).toHaveLength(3);
		});

		it('Retry On Fail does not repeat a refused call that may have been charged', async () => {
			const items = numbers(3);
			const body = { status: false, error: 'Message not accepted' };
			const contains = items[1].number.slice(1);
			sandbox.fault({ kind: 'status', status: 422, body, contains });
			const options = { [AT_ONCE]: 1 };
			const result = await run({ ...sendMessage, options }, { items, ...retrying });

			expect(result.error?.message).toMatch(/Message not accepted.*\[item 1\]$/);
			expect(calls('sendwasms')).toHaveLength(3);
			expect(messages()).toEqual([items[0].number, items[2].number]);
		});

		it.each([
			[303, sendMessage, 'sendwasms', 1, { whatsapp: 1 }],
			[302, submitBatch, 'batch', 1, { whatsapp: 3 }],
			[307, validatePhone, 'phonevalidation', 2, { phone: 2 }],
		] as const)(
			'Retry On Fail does not repeat a redirected call (%d) that may have been charged',
			async (status, parameters, path, most, spentMost) => {
				sandbox.fault({ kind: 'redirect', to: 'http://127.0.0.1:1/', status, isDone: true, path });
				const options = { [AT_ONCE]: 1 };
				const result = await run({ ...parameters, options }, { items: numbers(3), ...retrying });

				expect(result.error?.message).toMatch(
					/redirects to another address.*balance.*You may have been charged/,
				);
				const sent = calls(path).map(({ query, body }) => JSON.stringify([query, body]));
				expect(new Set(sent).size).toBe(sent.length);
				expect(sent.length).toBeLessThanOrEqual(most);
				expect(spent()).toMatchObject(spentMost);
			},
		);

		it('are returned by a retry for which n8n has no credential any more', async () => {
			const given: NodeOptions['credentials'] = credentials();
			const running = runNode({
				...{ credentials: given, items: [{ number: 'abc' }, ...numbers(3)] },
				parameters: { ...sendMessage, options: { [AT_ONCE]: 1 } },
				// n8n tries again for the first item's sake
				...{ ...retrying, onError: 'continueRegularOutput' },
			});
			while (messages().length === 0) await new Promise((resolve) => setImmediate(resolve));
			delete given.lookupMessagingApi;
			const result = await running;

			expect(result.status).toBe('success');
			expect(messages()).toHaveLength(3);
			expect(column(result, 'sent')).toEqual([undefined, true, true, true]);
			expect(column(result, 'source').slice(1)).toEqual(['memory', 'memory', 'memory']);
		});

		it('are named by the error of a retry for which n8n has no credential any more', async () => {
			const given: NodeOptions['credentials'] = credentials();
			sandbox.fault({ kind: 'status', status: 422, contains: 'bad', times: 1 });
			const running = runNode({
				...{ credentials: given, items: leads('ada', 'eve', 'bad', 'ida') },
				...{
					parameters: { ...verifyEmail, options: inTurn },
					...retrying,
					onError: 'stopWorkflow',
				},
			});
			while (sandbox.log.length === 0) await new Promise((resolve) => setImmediate(resolve));
			delete given.lookupMessagingApi;
			const result = await running;

			expect(spent().email).toBe(2);
			expect(result.hints().at(-1)).toMatch(/Earlier in this execution: charged: 2 email credits/);
		});

		describe('are named by the last error, whichever try made them:', () => {
			it('messages, after no answer', async () => {
				const items = numbers(10);
				sandbox.fault({ kind: 'resetAfterCharge', contains: items[4].number.slice(1) });
				const options = { [AT_ONCE]: 1 };
				const tries = { retryOnFail: true, maxTries: 3 };
				const result = await run({ ...sendMessage, options }, { items, ...tries });

				expect(messages()).toEqual(items.map(({ number }) => number));
				expect(result.error?.message).toMatch(/may have been charged.*\[item 4\]$/);
				expect(descriptionOf(result)).toMatch(
					/Done already: items 0–3, 5–9\. Possibly done: item 4/,
				);
			});

			it('batches, each with its ID', async () => {
				sandbox.fault({ kind: 'resetAfterCharge', path: 'batch', skip: 1, times: 1 });
				const submit = {
					...{ resource: 'batch', operation: 'submit', phoneNumber: '={{ $json.number }}' },
				};
				const result = await run(submit, { items: numbers(2500), ...retrying });

				expect(calls('batch')).toHaveLength(3);
				expect(spent().whatsapp).toBe(2500);
				expect(result.error?.message).toMatch(/charged for 2 jobs \(\S+, \S+\)\./);
			});

			it('when a parameter of the next try is empty', async () => {
				const items = numbers(4);
				sandbox.fault({ ...ONCE_WRONG_KEY, contains: items[2].number.slice(1) });
				const message = `={{ Date.now() < ${Date.now() + 1_000_000} ? 'Hello' : '' }}`;
				const options = { [AT_ONCE]: 1 };
				const running = run({ ...sendMessage, message, options }, { items, ...retrying });
				while (sandbox.log.length < 3) await new Promise((resolve) => setImmediate(resolve));
				pass(2_000_000);
				const result = await running;

				expect(result.error?.message).toMatch(/^Message is empty/);
				expect(descriptionOf(result)).toMatch(
					/Nothing charged\. Earlier in this execution: .*2 WhatsApp calls.*Done already: items 0, 1/,
				);
			});

			it('when the next try has no credential', async () => {
				const given: NodeOptions['credentials'] = credentials();
				const items = numbers(3);
				sandbox.fault({ ...ONCE_WRONG_KEY, contains: items[2].number.slice(1) });
				const options = { [AT_ONCE]: 1 };
				const running = runNode({
					...{ credentials: given, items, ...retrying },
					parameters: { ...sendMessage, options },
				});
				while (calls('sendwasms').length < 3) await new Promise((resolve) => setImmediate(resolve));
				delete given.lookupMessagingApi;
				const result = await running;

				expect(result.error?.message).toMatch(/credential can't be used/);
				expect(descriptionOf(result)).toMatch(/Done already: items 0, 1/);
			});

			it('batches, when the next try has no credential', async () => {
				const given: NodeOptions['credentials'] = credentials();
				sandbox.fault({ ...ONCE_WRONG_KEY, path: 'batch', skip: 1 });
				const options = { [AT_ONCE]: 1 };
				const running = runNode({
					...{ credentials: given, items: numbers(1500), ...retrying },
					parameters: { ...submitBatch, options },
				});
				while (calls('batch').length < 2) await new Promise((resolve) => setImmediate(resolve));
				delete given.lookupMessagingApi;
				const result = await running;

				expect(result.error?.message).toMatch(/credential can't be used/);
				expect(result.error?.message).toMatch(/You were charged for the batch \S{36}\./);
			});

			it('batches, when a parameter of the next try cannot be read', async () => {
				sandbox.fault({ kind: 'resetAfterCharge', path: 'batch', skip: 1 });
				const isTimely = `Date.now() < ${Date.now() + 1_000_000}`;
				const phoneNumber = `={{ ${isTimely} ? $json.number : nobody.knows }}`;
				const options = { [AT_ONCE]: 1 };
				const parameters = { ...submitBatch, phoneNumber, options };
				const running = run(parameters, { items: numbers(1500), ...retrying });
				while (spent().whatsapp !== 1500) await new Promise((resolve) => setImmediate(resolve));
				pass(2_000_000);
				const result = await running;

				expect(descriptionOf(result)).toMatch(/Nothing charged\. Earlier in this execution: /);
				expect(result.error?.message).toMatch(/You were charged for the batch \S{36}\./);
			});

			it('in the hint, when failed items are returned', async () => {
				sandbox.fault({ kind: 'resetAfterCharge', path: 'batch', times: 1 });
				const submit = {
					...{ resource: 'batch', operation: 'submit', phoneNumber: '={{ $json.number }}' },
				};
				const onError = 'continueRegularOutput' as const;
				const result = await run(submit, { items: numbers(1500), ...retrying, onError });

				expect(calls('batch')).toHaveLength(2);
				expect(result.hints().at(-1)).toMatch(
					/ failed .*item 0: .*Done already: items 1000–1499\. Possibly done: items 0–999/,
				);
			});
		});

		it('a message that is in the list twice is sent twice, in one run and in a loop', async () => {
			const [item] = numbers(1);
			await run(sendMessage, { items: [item, item] });
			expect(messages()).toHaveLength(2);

			await loop(sendMessage, [item, item]);
			expect(messages()).toHaveLength(4);
		});

		it('a check before a message is not paid for again', async () => {
			const items = [magic.PHONE.onWhatsApp, magic.PHONE.whatsAppBusiness].map((number) => ({
				number,
			}));
			sandbox.fault({ ...ONCE_WRONG_KEY, path: 'sendwasms', contains: items[1].number.slice(1) });
			const options = { [AT_ONCE]: 1, checkNumberFirst: true };
			const result = await run({ ...sendMessage, options }, { items, ...retrying });

			expect(result.status).toBe('success');
			expect(calls('checkwanumber')).toHaveLength(2);
			expect(messages()).toHaveLength(2);
		});

		it('a check that two messages share is not a new call for the next try', async () => {
			const number = magic.PHONE.onWhatsApp;
			const items = [{ number }, { number }, ...numbers(1)];
			sandbox.fault({ ...ONCE_WRONG_KEY, path: 'checkwanumber', skip: 1 });
			const options = { [AT_ONCE]: 1, checkNumberFirst: true, maxPaidLookups: 6 };
			const result = await run(
				{ ...sendMessage, ...inCollections(options) },
				{ items, ...retrying },
			);

			expect(result.status).toBe('success');
			expect(messages().slice(0, 2)).toEqual([number, number]);
			expect(calls('checkwanumber')).toHaveLength(3);
		});

		it('Retry On Fail submits no batch twice', async () => {
			const submit = {
				...{ resource: 'batch', operation: 'submit', phoneNumber: '={{ $json.number }}' },
				options: { [AT_ONCE]: 1 },
			};
			sandbox.fault({ ...ONCE_WRONG_KEY, path: 'batch', skip: 1 });
			const result = await run(submit, { items: numbers(1500), ...retrying });

			expect(result.status).toBe('success');
			expect(spent().whatsapp).toBe(1500);
			expect(calls('batch')).toHaveLength(3);
			expect(column(result, 'source')).toEqual(['memory', 'service']);
		});

		it('a batch whose wait was too short is continued by the next try', async () => {
			const checkMany = {
				...{ resource: 'batch', operation: 'checkMany', phoneNumber: '={{ $json.number }}' },
				options: { maxWait: 1, ifSomeItemsFail: 'stopNode' },
			};
			const finish = () => sandbox.finishBatches();
			let starts = 0;
			const onNodeStart = (name: string) => {
				starts += name === 'Node' ? 1 : 0;
			};
			resetTime((_, count) => {
				if (count === 20) finish();
			});
			const result = await run(checkMany, {
				items: numbers(3),
				...retrying,
				maxTries: 3,
				onNodeStart,
			});

			expect(starts).toBe(1);
			expect(result.status).toBe('success');
			expect(spent().whatsapp).toBe(3);
			expect(calls('batch')).toHaveLength(1);
			expect(column(result, 'source')).toEqual(['memory', 'memory', 'memory']);
		});

		it('a loop does not submit again the numbers of a batch that returned no answer', async () => {
			const checkMany = {
				...{ resource: 'batch', operation: 'checkMany', phoneNumber: '={{ $json.number }}' },
			};
			const [first, second, third] = numbers(3);
			sandbox.fault({ kind: 'status', status: 422, method: 'GET', times: 1 });
			sandbox.setBatchSpeed(10);
			const node = { onError: 'continueRegularOutput' as const };
			const items = [first, second, second, third];
			const result = await loop(checkMany, items, 2, node);

			expect(spent().whatsapp).toBe(3);
			expect(calls('batch')).toHaveLength(2);
			const errors = result.asked().map(({ json }) => json.error);
			expect(errors).toEqual([
				...Array.from({ length: 3 }, () => expect.stringMatching(/charged for .*Batch → Get with/)),
				undefined,
			]);
			expect(result.receipts()[1]).toMatch(
				/^Charged: 1 WhatsApp credit\.<br>2 items: 1 done, 1 failed/,
			);
		});

		it('a loop does not submit again the numbers of a batch that is not finished', async () => {
			const checkMany = {
				...{ resource: 'batch', operation: 'checkMany', phoneNumber: '={{ $json.number }}' },
				options: { maxWait: 1 },
			};
			const [number] = numbers(1);
			const node = { onError: 'continueRegularOutput' as const };
			const result = await loop(checkMany, [number, number, number], 1, node);

			expect([spent().whatsapp, calls('batch').length]).toEqual([1, 1]);
			expect(result.asked().map(({ json }) => json.error)).toEqual(
				[0, 1, 2].map(() =>
					expect.stringMatching(/finished after.*charged for the batch .*Batch → Get/),
				),
			);
		});

		it('a loop continues to wait for an audit after Max Wait, and starts no second one', async () => {
			const audit = {
				...{ resource: 'audit', operation: 'runAndWait', brandName: '={{ $json.brand }}' },
				...{
					brandUrl: 'https://brand.example',
					options: { maxWait: 1 },
					spendingLimits: { maxPaidLookups: 3 },
				},
			};
			sandbox.fault({ kind: 'body', path: 'audit', body: { status: 'running' } });
			resetTime((_, count) => {
				if (count === 6) sandbox.clearFaults();
			});
			const [tea, coffee] = [{ brand: 'Tea' }, { brand: 'Coffee' }];
			const node = { onError: 'continueRegularOutput' as const };
			const result = await loop(audit, [tea, tea, coffee, tea], 1, node);

			const outcomes = result.asked().map(({ json }) => json.outcome ?? 'failed');
			expect(outcomes).toEqual(['failed', 'positive', 'positive', 'positive']);
			expect(result.asked()[1].json.source).toBe('memory');
			// Of one that is over, the next equal item has its own
			expect(calls('audit_run')).toHaveLength(3);
		});

		it('an audit is started once, and the poll that finds it finished is paid for once', async () => {
			const items = ['Tea', 'Coffee'].map((brand) => ({ brand }));
			const audit = {
				...{ resource: 'audit', operation: 'run', brandName: '={{ $json.brand }}' },
				...{ brandUrl: 'https://brand.example', options: { [AT_ONCE]: 1 } },
			};
			sandbox.fault({ ...ONCE_WRONG_KEY, path: 'audit_run', contains: 'Coffee' });
			const started = await run(audit, { items, ...retrying });
			expect(spent().audit).toBe(2);
			expect(column(started, 'source')).toEqual(['memory', 'service']);

			const look = {
				...{ resource: 'audit', operation: 'get', auditId: '={{ $json.auditId }}' },
				options: { [AT_ONCE]: 1 },
			};
			sandbox.clearLog();
			sandbox.fault({ ...ONCE_WRONG_KEY, path: 'audit', skip: 1 });
			const looked = await run(look, { items: started.items(), ...retrying });
			expect(looked.status).toBe('success');
			expect(calls('audit')).toHaveLength(3);
		});
	});
});
