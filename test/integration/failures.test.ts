/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { inspect } from 'node:util';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { captureLogs } from '../harness/capturedLogs';
import type { FaultEffect, Sandbox } from '../sandbox';
import { magic, startSandbox } from '../sandbox';
import type { NodeRun } from '../harness/n8n';
import { AT_ONCE, release } from '../harness/n8n';
import { expectOnlyE164, runnerOn } from '../harness/onSandbox';
import { parseReceipt, receiptOf } from '../harness/parseReceipt';
import { resetTime } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
const toItems = (names: string[]) =>
	names.map((name, n) => ({ n, email: name.includes('@') ? name : `${name}@mail.example` }));

const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);
const linksOf = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
const links = (...items: number[]) => items.map((item) => ({ item }));
const columnOf = (run: NodeRun, field: string) => jsonOf(run.items()).map((json) => json[field]);

type RunError = Error & {
	description?: string | null;
	context?: IDataObject;
	httpCode?: string | null;
};
const errorOf = (run: NodeRun) => run.error as RunError;

interface Trouble {
	name: string;
	effect: FaultEffect;
	/** What the failed item's message says happened. */
	words: RegExp;
	/** Whether the service took a credit for the call that failed. */
	charged?: true;
	/** `account`: no further call is started. */
	scope?: 'account';
	/** What the item's message says of the money. */
	cost: "You weren't charged" | 'You may have been charged';
}

const OPEN = 'You may have been charged';
const FREE = "You weren't charged";

const TROUBLES: Trouble[] = [
	{
		name: 'a refusal of the question',
		effect: { kind: 'status', status: 422 },
		words: /Injected status 422/,
		cost: OPEN,
	},
	{
		name: 'a refusal with status 200',
		effect: { kind: 'status', status: 200 },
		words: /Injected status 200/,
		cost: OPEN,
	},
	{
		name: 'a refusal of the question under HTTP 404',
		effect: {
			kind: 'status',
			status: 404,
			body: { status: false, error: 'No such person is known' },
		},
		words: /No such person is known/,
		cost: OPEN,
	},
	{
		name: 'a refusal without words',
		effect: { kind: 'status', status: 400, body: 'not now' },
		words: /HTTP 400/,
		cost: OPEN,
	},
	{
		name: 'HTTP 404 without words at a path that has answered',
		effect: { kind: 'status', status: 404, body: 'not here' },
		words: /refused the request: HTTP 404\. Check the value/,
		cost: OPEN,
	},
	{
		name: 'HTTP 404 with words of a missing path at one that has answered',
		effect: { kind: 'status', status: 404, body: { status: false, error: 'Not Found' } },
		words: /refused the request: Not Found\. Check the value/,
		cost: OPEN,
	},
	{
		name: 'HTTP 405 at a path that has answered',
		effect: { kind: 'status', status: 405, body: { message: 'Method Not Allowed' } },
		words: /refused the request: Method Not Allowed\. Check the value/,
		cost: OPEN,
	},
	{
		name: 'a server error',
		effect: { kind: 'status', status: 500 },
		words: /HTTP 500/,
		cost: OPEN,
	},
	{
		name: 'a gateway error',
		effect: { kind: 'status', status: 503 },
		words: /HTTP 503/,
		cost: OPEN,
	},
	{
		name: 'a connection that breaks before the work is done',
		effect: { kind: 'resetBeforeCharge' },
		words: /connection broke/,
		cost: OPEN,
	},
	{
		name: 'a connection that breaks after the work is done',
		effect: { kind: 'resetAfterCharge' },
		words: /connection broke/,
		charged: true,
		cost: OPEN,
	},
	{
		name: 'silence before the work is done',
		effect: { kind: 'hangBeforeCharge' },
		words: /no answer arrived in time/i,
		cost: OPEN,
	},
	{
		name: 'silence after the work is done',
		effect: { kind: 'hangAfterCharge' },
		words: /no answer arrived in time/i,
		charged: true,
		cost: OPEN,
	},
	{
		name: 'a page instead of JSON',
		effect: { kind: 'html' },
		words: /isn't a JSON object/,
		charged: true,
		cost: OPEN,
	},
	{
		name: 'half an answer',
		effect: { kind: 'truncatedJson' },
		words: /isn't a JSON object/,
		charged: true,
		cost: OPEN,
	},
	{
		name: 'an empty answer',
		effect: { kind: 'emptyBody' },
		words: /isn't a JSON object/,
		charged: true,
		cost: OPEN,
	},
	{
		name: 'an empty JSON list',
		effect: { kind: 'body', body: [] },
		words: /isn't a JSON object/,
		charged: true,
		cost: OPEN,
	},
	{
		name: 'a wrong key',
		effect: { kind: 'status', status: 401, body: { status: false, error: 'Invalid API key.' } },
		words: /Invalid API key\..*API key in the credential/,
		scope: 'account',
		cost: FREE,
	},
	{
		name: 'no credits',
		effect: { kind: 'status', status: 402, body: { status: false, error: 'Please recharge' } },
		words: /Not enough email credits\. Add credits, then run the item again/,
		scope: 'account',
		cost: FREE,
	},
	{
		name: 'a redirect',
		effect: { kind: 'redirect', to: 'http://127.0.0.1:1/' },
		words: /redirects to another address \(HTTP 302\).*final address/,
		scope: 'account',
		cost: FREE,
	},
	{
		name: 'a refusal that repeats the key',
		effect: { kind: 'echoKey' },
		words: /Bad request for api_key \[API key\]/,
		cost: OPEN,
	},
];
/** Calls that certainly were not charged may be made again, so these are not counted. */
const PACE: Trouble[] = [
	{
		name: 'too many requests',
		effect: { kind: 'status', status: 429 },
		words: /limiting the request rate \(HTTP 429\).*Max Requests per Minute/,
		cost: FREE,
	},
	{
		name: 'a busy service',
		effect: { kind: 'status', status: 503, headers: { 'retry-after': '0' } },
		words: /limiting the request rate \(HTTP 503\).*Max Requests per Minute/,
		cost: FREE,
	},
];

describe(`when something fails, n8n ${release}`, () => {
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

	const run = runnerOn(() => sandbox);
	const spent = () => sandbox.spent(sandbox.keys.main).email;
	const callsFor = (text: string) =>
		sandbox.log.filter(({ query }) => query.email?.includes(text)).length;

	describe.each([...TROUBLES, ...PACE])('$name', (trouble) => {
		const { effect, words, charged, scope, cost } = trouble;
		/** Two good questions around a bad one, duplicates of two of them, and one that needs no call. */
		const items = toItems([
			...['ada', 'bad', 'ada@MAIL.example', 'bad@MAIL.example', 'missing', 'no address@'],
		]);
		const one = { [AT_ONCE]: 1, timeout: 1 };
		const stopsAll = scope === 'account';
		const failed = stopsAll ? [1, 3, 4] : [1, 3];
		const answered = stopsAll ? [0, 2, 5] : [0, 2, 4, 5];
		const ofItem = (item: number, text: unknown) => {
			if (item === 4) {
				expect(text).toMatch(/skipped after an earlier failure.*You weren't charged/i);
				return;
			}
			expect(text).toMatch(words);
			expect(text).toMatch(cost);
		};
		const expectCalls = () => {
			expect(callsFor('ada')).toBe(1);
			expect(callsFor('missing')).toBe(stopsAll ? 0 : 1);
			if (!PACE.includes(trouble)) expect(callsFor('bad')).toBe(1);
			expect(spent()).toBe((stopsAll ? 1 : 2) + (charged ? 1 : 0));
		};

		beforeEach(() => sandbox.fault({ ...effect, contains: 'bad@' }));

		it('Return the Paid Results: returns unknown with the reason, beside all results', async () => {
			const result = await run({ ...verifyEmail, options: one }, { items });

			expect([result.status, result.outputs().length]).toEqual(['success', 1]);
			expect(columnOf(result, 'outcome')).toEqual([
				...['positive', 'unknown', 'positive', 'unknown'],
				...[stopsAll ? 'unknown' : 'negative', 'negative'],
			]);
			expect(columnOf(result, 'source')).toEqual([
				...['service', 'failed', 'duplicate', 'failed'],
				...[stopsAll ? 'failed' : 'service', 'local'],
			]);
			expect(linksOf(result.items())).toEqual(links(0, 1, 2, 3, 4, 5));
			for (const item of failed) {
				const json = result.items()[item].json;
				ofItem(item, json.reason);
				expect(json).toMatchObject({ input: items[item].email, verdict: null });
				expect(json).not.toHaveProperty('error');
			}
			expectCalls();

			const [hint] = result.lastTask().hints ?? [];
			expect(result.hints()).toHaveLength(1);
			expect(hint).toMatchObject({ type: 'warning', location: 'outputPane' });
			expect(hint.message).toMatch(/ failed( and may have been charged)? \((such as )?item 1: /);
			const open = cost === OPEN ? 1 : 0;
			const { failed: failures = 0, notReached = 0, ...receipt } = receiptOf(result.hints()) ?? {};
			expect(failures + notReached).toBe(failed.length);
			expect(receipt).toMatchObject({
				...{ items: 6, duplicates: 1, local: 1, calls: (stopsAll ? 1 : 2) + open, open },
				...{ credits: { email: spent() - (charged ? 1 : 0) }, other: [] },
			});
		});

		it('Stop at the First Failure: one error names item, remedy and cost; no further call', async () => {
			const options = { ...one, ifSomeItemsFail: 'stopNode' };
			const result = await run({ ...verifyEmail, options }, { items });

			expect([result.status, result.items()]).toEqual(['error', []]);
			const error = errorOf(result);
			expect(error.name).toBe('NodeApiError');
			expect(error.message).toMatch(/\[item 1\]$/);
			ofItem(1, error.message);
			expect(error.context?.itemIndex).toBe(1);
			expect(callsFor('missing')).toBe(0);
			expect(parseReceipt(error.description ?? '')).toMatchObject({
				...{ items: 6, credits: { email: 1 }, open: cost === OPEN ? 1 : 0 },
			});
			// An answer can be requested again, so the message does not say what was done
			expect(error.description).not.toMatch(/Done already|Possibly done/);
		});

		it('Continue: the failed item has its error, all others have their results', async () => {
			const onError = 'continueRegularOutput';
			const result = await run({ ...verifyEmail, options: one }, { items, onError });

			expect([result.status, result.outputs().length]).toEqual(['success', 1]);
			expect(linksOf(result.items())).toEqual(links(0, 1, 2, 3, 4, 5));
			for (const item of failed) {
				const { json } = result.items()[item];
				expect(Object.keys(json)).toEqual(['error']);
				expect(json.error).toMatch(new RegExp(`\\[item ${item}\\]$`));
				ofItem(item, json.error);
			}
			for (const item of answered) {
				expect(result.items()[item].json).toMatchObject({ input: items[item].email });
				expect(result.items()[item].json).not.toHaveProperty('error');
			}
			expectCalls();
			const receipt = receiptOf(result.hints())!;
			expect([receipt.items, receipt.failed + receipt.notReached]).toEqual([6, failed.length]);
		});

		it('Continue (using error output): failed items are there, with their fields', async () => {
			const onError = 'continueErrorOutput';
			const result = await run({ ...verifyEmail, options: one }, { items, onError });

			expect([result.status, result.outputs().length]).toEqual(['success', 2]);
			expect(linksOf(result.items(0))).toEqual(links(...answered));
			expect(jsonOf(result.items(0)).map(({ input }) => input)).toEqual(
				answered.map((item) => items[item].email),
			);
			expect(linksOf(result.items(1))).toEqual(links(...failed));
			for (const [index, item] of failed.entries()) {
				const { json } = result.items(1)[index];
				expect(json).toEqual({ ...items[item], error: expect.any(String) });
				ofItem(item, json.error);
			}
			expectCalls();
			expect(result.lastTask().hints).toEqual([expect.objectContaining({ type: 'warning' })]);
		});
	});

	describe('the node as a whole', () => {
		const items = toItems(['no address@', 'bad', 'ada', 'bad', 'worse']);

		it('fails when the service answered nothing, and names the first failure', async () => {
			sandbox.fault({ kind: 'status', status: 500 });
			const result = await run(verifyEmail, { items });

			expect([result.status, result.items(), result.hints()]).toEqual(['error', [], []]);
			expect(errorOf(result).message).toMatch(/HTTP 500.*may have been charged.*\[item 1\]$/);
			expect(errorOf(result).context?.itemIndex).toBe(1);
			expect(errorOf(result).httpCode).toBe('500');
			expect(parseReceipt(errorOf(result).description ?? '')).toMatchObject({
				...{ items: 5, calls: 3, failed: 4, local: 1, open: 3 },
			});
		});

		it('fails when every lookup was refused, but not when others were answered locally', async () => {
			sandbox.fault({ kind: 'status', status: 422 });
			const asked = await run(verifyEmail, { items: items.slice(1) });
			const mixed = await run(verifyEmail, { items });

			expect(errorOf(asked).message).toMatch(/Injected status 422.*You may have been charged/);
			expect(mixed.status).toBe('success');
			expect(columnOf(mixed, 'source').filter((source) => source === 'failed')).toHaveLength(4);
		});

		it('does not fail as long as one item was answered', async () => {
			sandbox.fault({ kind: 'status', status: 422, contains: 'bad' });
			sandbox.fault({ kind: 'status', status: 500, contains: 'worse' });
			const result = await run(verifyEmail, { items });

			expect(result.status).toBe('success');
			expect(columnOf(result, 'source')).toEqual([
				...['local', 'failed', 'service', 'failed', 'failed'],
			]);
			expect(receiptOf(result.hints())).toMatchObject({
				...{ failed: 3, calls: 3, open: 2 },
			});
		});

		it('does not fail when all answers are unknown, since those were paid for', async () => {
			sandbox.fault({ kind: 'status', status: 422, contains: 'bad' });
			const unknown = toItems(['bad', 'grace@catch-all.example', 'greylisted']);
			const result = await run(verifyEmail, { items: unknown });

			expect(result.status).toBe('success');
			expect(columnOf(result, 'source')).toEqual(['failed', 'service', 'service']);
		});

		it('says how many results were paid for when it stops in the middle of many calls', async () => {
			sandbox.fault({ kind: 'latency', ms: 20 });
			sandbox.fault({ kind: 'status', status: 422, contains: 'lead10@' });
			const many = toItems(Array.from({ length: 40 }, (_, n) => `lead${n}`));
			const options = { [AT_ONCE]: 4, ifSomeItemsFail: 'stopNode' };
			const result = await run({ ...verifyEmail, options }, { items: many });

			expect(errorOf(result).context?.itemIndex).toBe(10);
			expect(sandbox.log.length).toBeLessThanOrEqual(14);
			const receipt = parseReceipt(errorOf(result).description ?? '');
			expect(receipt).toMatchObject({ credits: { email: spent() }, calls: spent() + 1, open: 1 });
			expect(spent()).toBe(sandbox.log.length - 1);
		});

		it('reports an exception while reading an answer as a fault of the node, and logs its stack', async () => {
			const { log } = captureLogs();
			const { verifyEmail } = jest.requireActual<
				typeof import('../../nodes/LookupMessaging/operations/email/verify')
			>('../../dist/nodes/LookupMessaging/operations/email/verify');
			jest.spyOn(verifyEmail, 'read').mockImplementationOnce(() => {
				throw new TypeError('x is undefined');
			});
			const parameters = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
			const options = { [AT_ONCE]: 1 };
			const result = await run({ ...parameters, options }, { items: toItems(['a', 'b']) });
			jest.restoreAllMocks();

			expect(result.items().map(({ json }) => [json.outcome, json.reason])).toEqual([
				[
					'unknown',
					expect.stringMatching(/^This node couldn't process the service's answer\. Report this/),
				],
				['positive', expect.anything()],
			]);
			expect(result.hints()[0]).toMatch(/May have been charged: 1 email call/);
			expect(result.hints()[0]).not.toMatch(/lost/);
			expect(JSON.stringify(log)).toMatch(
				/Bug in the Lookup & Messaging package while reading the answer of \/checkemail: x is undefined.*"stack":"TypeError: x is undefined\\n +at/,
			);
		});

		/** A free operation that looks up each item. */
		async function getBatch() {
			const phoneNumber = magic.PHONE.onWhatsApp;
			const submitted = await run({ resource: 'batch', operation: 'submit', phoneNumber });
			const [{ batchId }] = jsonOf(submitted.items());
			sandbox.clearLog();
			return { resource: 'batch', operation: 'get', batchId, splitIntoItems: false };
		}

		it('fails at the first failure when an operation is no lookup', async () => {
			const parameters = await getBatch();
			sandbox.fault({ kind: 'status', status: 422, skip: 1 });
			const options = { [AT_ONCE]: 1 };
			const result = await run({ ...parameters, options }, { items: toItems(['a', 'b', 'c']) });

			expect(result.status).toBe('error');
			expect(errorOf(result).context?.itemIndex).toBe(1);
			expect(errorOf(result).message).toMatch(/Injected status 422.*You weren't charged/);
			expect(errorOf(result).message).not.toMatch(/may have|known whether/);
			expect(parseReceipt(errorOf(result).description ?? '')).toMatchObject({
				...{ calls: 0, open: 0, credits: {} },
			});
		});

		it('reads a missing path as one failure of a free call among others', async () => {
			for (const body of ['not here', { status: false, error: 'Not Found' }]) {
				sandbox.reset();
				const parameters = await getBatch();
				sandbox.fault({ kind: 'status', status: 404, body, skip: 1, times: 1 });
				const result = await run(
					{ ...parameters, options: { [AT_ONCE]: 1 } },
					{ items: toItems(['a', 'b', 'c']), onError: 'continueErrorOutput' },
				);

				expect(sandbox.log).toHaveLength(3);
				expect(linksOf(result.items(0))).toEqual(links(0, 2));
				expect(result.items(1)[0].json.error).toMatch(/You weren't charged.*\[item 1\]$/);
			}
		});

		it('keeps each answer when an operation is no lookup and the node continues', async () => {
			const parameters = await getBatch();
			sandbox.fault({ kind: 'status', status: 422, skip: 1, times: 1 });
			const result = await run(
				{ ...parameters, options: { [AT_ONCE]: 1 } },
				{ items: toItems(['a', 'b', 'c']), onError: 'continueErrorOutput' },
			);

			expect(linksOf(result.items(0))).toEqual(links(0, 2));
			expect(linksOf(result.items(1))).toEqual(links(1));
			expect(result.items(1)[0].json).toMatchObject({ n: 1, email: 'b@mail.example' });
		});
	});

	describe('after a refusal of the account no further call starts', () => {
		const DISTINCT = 50;
		const many = Array.from({ length: 60 }, (_, n) => n % DISTINCT);
		const lookups: Array<[string, object, (n: number) => IDataObject]> = [
			['Email Verify', verifyEmail, (n) => ({ email: `lead${n}@mail.example` })],
			...[{}, { responseDetail: 'basic' }].flatMap((detail): typeof lookups => [
				[
					`Phone Validate ${JSON.stringify(detail)}`,
					{ resource: 'phone', operation: 'validate', phoneNumber: '={{ $json.it }}', ...detail },
					(n) => ({ it: `+4420794601${10 + n}` }),
				],
				[
					`Caller ID Look Up ${JSON.stringify(detail)}`,
					{ resource: 'callerId', operation: 'lookUp', phoneNumber: '={{ $json.it }}', ...detail },
					(n) => ({ it: `+4420794601${10 + n}` }),
				],
				[
					`GeoIP Locate ${JSON.stringify(detail)}`,
					{ resource: 'geoIp', operation: 'locate', ipAddress: '={{ $json.it }}', ...detail },
					(n) => ({ it: `8.8.8.${n}` }),
				],
			]),
			[
				'WhatsApp Check Number',
				{ resource: 'whatsApp', operation: 'checkNumber', phoneNumber: '={{ $json.it }}' },
				(n) => ({ it: `+4420794601${10 + n}` }),
			],
		];
		const options = { [AT_ONCE]: 3 };
		let quiet: Sandbox;

		beforeAll(async () => {
			quiet = await startSandbox({ errorStatus: 'ok' });
		});
		beforeEach(() => quiet.reset());
		afterAll(async () => await quiet.close());
		expectOnlyE164(() => quiet);

		it.each(lookups)('%s with a wrong key', async (_, parameters, itemOf) => {
			for (const service of [sandbox, quiet]) {
				const result = await run(
					{ ...parameters, options },
					{ credential: { ...service.roots, apiKey: 'wrong-key' }, items: many.map(itemOf) },
				);

				expect(result.status).toBe('error');
				expect(errorOf(result).message).toMatch(/Invalid Api Key.*Check the API key/i);
				expect(service.log.length).toBeLessThanOrEqual(3);
			}
		});

		it.each(lookups)('%s without credits', async (_, parameters, itemOf) => {
			for (const service of [sandbox, quiet]) {
				const result = await run(
					{ ...parameters, options },
					{
						credential: { ...service.roots, apiKey: service.keys.empty },
						items: many.map(itemOf),
					},
				);

				expect(result.status).toBe('error');
				expect(errorOf(result).message).toMatch(/not enough [\w ]+ credits/i);
				expect(errorOf(result).message).toMatch(
					/Add credits, then run the item again\. You weren't charged/,
				);
				expect(service.log.length).toBeLessThanOrEqual(3);
			}
		});

		it.each([1, 5])('with credits that run out, %i calls at a time', async (atOnce) => {
			sandbox.setBalance(sandbox.keys.main, 'email', 7);
			const items = many.map((n) => ({ email: `lead${n}@mail.example` }));
			const parameters = { ...verifyEmail, options: { [AT_ONCE]: atOnce } };
			const result = await run(parameters, { items });

			expect(sandbox.log.length).toBeLessThanOrEqual(7 + atOnce);
			expect(spent()).toBe(7);
			const sources = columnOf(result, 'source');
			expect(sources.filter((source) => source === 'service')).toHaveLength(7);
			expect(sources.filter((source) => source === 'duplicate')).toHaveLength(7);
			const reasons = jsonOf(result.items()).flatMap(({ source, reason }) =>
				source === 'failed' ? [String(reason)] : [],
			);
			expect(reasons).toHaveLength(60 - 14);
			for (const reason of reasons)
				expect(reason).toMatch(/not enough email credits.*You weren't charged/i);
			expect(
				reasons.filter((reason) => /^Skipped after an earlier failure/.test(reason)).length,
			).toBeGreaterThan(30);
			const { failed, notReached, credits } = receiptOf(result.hints())!;
			expect([failed + notReached, credits]).toEqual([46, { email: 7 }]);
		});

		it('and each item that was not looked up has its own error when the node continues', async () => {
			sandbox.setBalance(sandbox.keys.main, 'email', 2);
			const items = toItems(['ada', 'eve', 'ada', 'ida', 'una', 'ida']);
			const result = await run(
				{ ...verifyEmail, options: { [AT_ONCE]: 1 } },
				{ items, onError: 'continueErrorOutput' },
			);

			expect(linksOf(result.items(0))).toEqual(links(0, 1, 2));
			expect(linksOf(result.items(1))).toEqual(links(3, 4, 5));
			for (const [index, json] of jsonOf(result.items(1)).entries()) {
				expect(json).toMatchObject(items[index + 3]);
				expect(json.error).toMatch(new RegExp(`ot enough email credits.*\\[item ${index + 3}\\]$`));
			}
			expect(sandbox.log).toHaveLength(3);
		});

		it('but a refusal of one value stops nothing', async () => {
			const items = ['ada', 'bad', 'eve', 'bad', 'ida'].map((name) => ({
				email: `${name}@mail.example`,
			}));
			sandbox.fault({
				kind: 'status',
				status: 400,
				body: { status: false, error: 'Domain not supported' },
				contains: 'bad',
			});
			const result = await run({ ...verifyEmail, options: { [AT_ONCE]: 1 } }, { items });

			expect(sandbox.log).toHaveLength(4);
			expect(columnOf(result, 'source')).toEqual([
				...['service', 'failed', 'service', 'failed', 'service'],
			]);
		});
	});

	describe('a service that cannot be reached', () => {
		const items = toItems(['ada', 'bad', 'ada', 'x@']);

		it.each([
			['http://127.0.0.1:1/api/v1', /127\.0\.0\.1:1.*refused/],
			['http://no-such-host.invalid/api/v1', /no-such-host\.invalid.*host name/i],
			['https on a port of plain http', /127\.0\.0\.1:\d+: the TLS connection failed/],
		])('%s: costs nothing, and the message names the credential', async (address, words) => {
			const plain = sandbox.roots.baseUrl.replace('http:', 'https:');
			const credential = { baseUrl: address.startsWith('https on') ? plain : address };
			const result = await run(verifyEmail, { credential, items });
			expect(errorOf(result).message).toMatch(words);
			expect(errorOf(result).message).toMatch(/URL in the credential.*You weren't charged/);
			expect(errorOf(result).context?.itemIndex).toBe(0);

			const onError = 'continueErrorOutput';
			const forked = await run(verifyEmail, { credential, items, onError });
			expect(linksOf(forked.items(0))).toEqual(links(3));
			expect(linksOf(forked.items(1))).toEqual(links(0, 1, 2));
			expect(receiptOf(forked.hints())).toMatchObject({ calls: 0, failed: 3, open: 0 });
		});
	});

	describe('a credential without what the operation needs', () => {
		const number = '+442079460123';
		const DETAILED = { responseDetail: 'detailed' };
		const roots: Array<[root: string, field: string, parameters: object]> = [
			['baseUrl', 'Base URL', { ...verifyEmail, email: '=a{{ $json.n }}@mail.example' }],
			[
				'lookupUrl',
				'Lookup URL',
				{ resource: 'phone', operation: 'validate', phoneNumber: number, ...DETAILED },
			],
			[
				'lookupUrl',
				'Lookup URL',
				{ resource: 'callerId', operation: 'lookUp', phoneNumber: number, ...DETAILED },
			],
			[
				'geoipUrl',
				'GeoIP URL',
				{ resource: 'geoIp', operation: 'locate', ipAddress: '8.8.8.8', ...DETAILED },
			],
			['baseUrl', 'Base URL', { resource: 'account', operation: 'getStatus' }],
		];
		const items = toItems(['a', 'b', 'c']);

		it.each(roots)('no %s: the error names the field "%s"', async (root, field, parameters) => {
			for (const value of ['', '  ', 'host without scheme/api/v1']) {
				const credential = { [root]: value };
				const result = await run(parameters, { credential, items });
				expect(errorOf(result).message).toMatch(new RegExp(`${field}.*credential`));
				expect(errorOf(result).message).toMatch(/You weren't charged/);

				const onError = 'continueErrorOutput';
				const forked = await run(parameters, { credential, items, onError });
				expect(linksOf(forked.items(0))).toEqual([]);
				expect(linksOf(forked.items(1)).flat()).toEqual(links(0, 1, 2));
				for (const json of jsonOf(forked.items(1))) expect(json.error).toContain(field);
			}
			expect(sandbox.log).toEqual([]);
		});
	});

	describe('Also Fail Items If, Their Input Is Invalid', () => {
		const items = toItems(['ada', 'eve', 'no address@', 'ada', '@nobody']);
		const strict = (more: object = {}) => ({
			...verifyEmail,
			options: { alsoFailItemsIf: ['inputIsInvalid'], ...more },
		});

		it.each(['keepPaidResults', 'stopNode'])(
			'fails the node before anything is sent (%s)',
			async (ifSomeItemsFail) => {
				const result = await run(strict({ ifSomeItemsFail }), { items });

				expect(sandbox.log).toEqual([]);
				expect(result.status).toBe('error');
				expect(errorOf(result).name).toBe('NodeOperationError');
				expect(errorOf(result).message).toMatch(
					/^Email \("no address@"\).*remove Their Input Is Invalid.*You weren't charged.*\[item 2\]$/,
				);
				expect(errorOf(result).context?.itemIndex).toBe(2);
			},
		);

		it.each([
			['continueRegularOutput', links(0, 1, 2, 3, 4), []],
			['continueErrorOutput', links(0, 1, 3), links(2, 4)],
		] as const)('fails these items only under %s', async (onError, regular, errors) => {
			const result = await run(strict(), { items, onError });

			expect(sandbox.log).toHaveLength(2);
			expect(linksOf(result.items(0))).toEqual(regular);
			expect(linksOf(result.items(1))).toEqual(errors);
			const failed = jsonOf([...result.items(0), ...result.items(1)]).filter(({ error }) => error);
			expect(failed.map(({ error }) => error)).toEqual([
				expect.stringMatching(/\[item 2\]$/),
				expect.stringMatching(/\[item 4\]$/),
			]);
		});

		it('ignores valid input that cannot be looked up: a private IP address', async () => {
			const result = await run(
				{
					...{ resource: 'geoIp', operation: 'locate', ipAddress: '={{ $json.ip }}' },
					options: { alsoFailItemsIf: ['inputIsInvalid'] },
				},
				{ items: [{ ip: '10.0.0.1' }, { ip: '8.8.8.8' }, { ip: '8.8.8.8' }] },
			);

			expect(columnOf(result, 'source')).toEqual(['local', 'service', 'duplicate']);
		});

		it('also covers a number without the country code that the endpoint needs', async () => {
			const result = await run(
				{
					...{ resource: 'whatsApp', operation: 'checkNumber', phoneNumber: '={{ $json.it }}' },
					options: { alsoFailItemsIf: ['inputIsInvalid'] },
				},
				{ items: [{ it: '+12025550102' }, { it: '020 7946 0123' }, { it: '+12025550102' }] },
			);

			expect(errorOf(result).message).toMatch(/country code.*\[item 1\]$/);
			expect(sandbox.log).toEqual([]);
		});
	});

	describe('a wrong parameter', () => {
		it('for an unknown operation: the error names it, and nothing is sent', async () => {
			for (const change of [{ operation: 'verifyTwice' }, { resource: 'fax' }]) {
				const result = await run({ ...verifyEmail, ...change }, { items: toItems(['a', 'b']) });

				expect(result.status).toBe('error');
				expect(errorOf(result).name).toBe('NodeOperationError');
				expect(errorOf(result).message).toMatch(
					/no operation ".*" for the resource ".*"\. Choose an operation.*You weren't charged/,
				);
				expect(errorOf(result).message).toContain(Object.values(change)[0]);
			}
			expect(sandbox.log).toEqual([]);
		});

		it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
			'an unknown operation lets no item pass as a result (%s)',
			async (onError) => {
				const items = toItems(['a', 'b', 'a']);
				const parameters = { ...verifyEmail, operation: 'verifyTwice' };
				const result = await run(parameters, { items, onError });

				const errors = result.items(onError === 'continueErrorOutput' ? 1 : 0);
				expect(jsonOf(errors).map(({ error }) => error)).toEqual([
					...items.map(() => expect.stringContaining('verifyTwice')),
				]);
				expect(linksOf(errors)).toEqual(links(0, 1, 2));
				expect(sandbox.log).toEqual([]);
			},
		);

		it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
			'an unknown resource lets no item pass as a result (%s)',
			async (onError) => {
				const items = toItems(['a', 'b', 'a']);
				const result = await run({ ...verifyEmail, resource: 'fax' }, { items, onError });

				const isForked = onError === 'continueErrorOutput';
				const errors = result.items(isForked ? 1 : 0);
				expect(jsonOf(errors).map(({ error }) => error)).toEqual([
					...items.map(() => expect.stringMatching(/"fax".*You weren't charged/)),
				]);
				expect(linksOf(errors)).toEqual(links(0, 1, 2));
				if (isForked) expect(result.items(0)).toEqual([]);
				expect(sandbox.log).toEqual([]);
			},
		);

		const selecting = (selectedFields: unknown) => ({
			...verifyEmail,
			...{ output: 'selectedFields', selectedFields },
		});
		const including = (putOutputInField: string) => ({
			...verifyEmail,
			includeOtherInputFields: true,
			options: { putOutputInField },
		});
		const spoiling: Array<[title: string, parameters: object, words: RegExp]> = [
			['Fields that is a text', selecting('outcome'), /Fields isn't a list of field names/],
			['Fields that is a number', selecting('={{ 7 }}'), /Fields isn't a list of field names/],
			[
				'Fields that is a list of numbers',
				selecting('={{ [1, "outcome"] }}'),
				/Fields isn't a list of field names/,
			],
			[
				'Fields that is an object',
				selecting('={{ ({ outcome: true }) }}'),
				/Fields isn't a list of field names/,
			],
			['a result field "error"', including('error'), /Put Output in Field can't be "error"/],
			['a result field " error "', including(' error '), /Put Output in Field can't be "error"/],
			['a result field "__proto__"', including('__proto__'), /can't be "__proto__"/],
			[
				'a result field "error" by expression',
				including('={{ "err" + "or" }}'),
				/Put Output in Field can't be "error"/,
			],
		];

		it.each(spoiling)('%s fails every item before anything is sent', async (...of) => {
			const [, parameters, words] = of;
			const items = toItems(['a', 'b', 'a', 'no address@']);
			const failed = await run(parameters, { items });

			expect([failed.status, failed.items()]).toEqual(['error', []]);
			expect(errorOf(failed).message).toMatch(words);
			expect(errorOf(failed).message).toMatch(/You weren't charged/);

			const kept = await run(parameters, { items, onError: 'continueRegularOutput' });
			expect(jsonOf(kept.items()).map(({ error }) => error)).toEqual(
				items.map(() => expect.stringMatching(words)),
			);
			expect(linksOf(kept.items())).toEqual(links(0, 1, 2, 3));

			const forked = await run(parameters, { items, onError: 'continueErrorOutput' });
			expect(linksOf(forked.items(0))).toEqual([]);
			expect(linksOf(forked.items(1))).toEqual(links(0, 1, 2, 3));
			expect(sandbox.log).toEqual([]);
		});

		it('a result field "error" is harmless when the input fields are not included', async () => {
			const result = await run(
				{ ...verifyEmail, options: { putOutputInField: 'error' } },
				{ items: toItems(['a', 'b']) },
			);

			expect(columnOf(result, 'outcome')).toEqual(['positive', 'positive']);
		});

		const validate = {
			resource: 'phone',
			operation: 'validate',
			phoneNumber: '={{ $json.number }}',
			country: '={{ $json.country }}',
		};
		const national = ['GB', 'Neverland', 'United Kingdom', 'G', 'none'].map((country) => ({
			...{ country, number: '020 7946 0123' },
		}));

		it('an unknown country leaves the values that need it unknown, free of charge, and nothing else', async () => {
			const withPlus = { country: 'Neverland', number: '+44 20 7946 0123' };
			const result = await run(validate, { items: [...national, withPlus] });

			expect(columnOf(result, 'source')).toEqual([
				...['service', 'local', 'duplicate', 'local', 'local', 'duplicate'],
			]);
			expect(columnOf(result, 'outcome')).toEqual([
				...['positive', 'unknown', 'positive', 'unknown', 'unknown', 'positive'],
			]);
			const wrong = /^Country \("(Neverland|G)"\) isn't recognized as a country\. Use a code/;
			for (const item of [1, 3]) expect(result.items()[item].json.reason).toMatch(wrong);
			expect(result.items()[4].json.reason).toMatch(
				/^Phone Number .* can't be read without its country\. Set Country/,
			);
			expect(sandbox.log.map(({ body }) => body)).toMatchObject([
				{ phone_number: '+442079460123' },
			]);
		});

		it('an unknown country stops the node if invalid input is set to', async () => {
			const options = { alsoFailItemsIf: ['inputIsInvalid'], ifSomeItemsFail: 'stopNode' };
			const result = await run({ ...validate, options }, { items: national });

			expect(errorOf(result).message).toMatch(/^Country \("Neverland"\).*\[item 1\]$/);
			expect(errorOf(result).context?.itemIndex).toBe(1);
			expect(sandbox.log).toEqual([]);
		});

		it('an unknown country in every item leaves all of them unknown, and nothing is sent', async () => {
			const result = await run({ ...validate, country: 'Neverland' }, { items: national });

			expect(columnOf(result, 'outcome')).toEqual(national.map(() => 'unknown'));
			for (const reason of columnOf(result, 'reason')) expect(reason).toMatch(/^Country /);
			expect(sandbox.log).toEqual([]);
		});
	});

	describe('an operation that must not run twice', () => {
		const numbers = ['121', '122', '123', '124', '125', '126'].map((end) => ({
			number: `+442079460${end}`,
		}));
		const send = {
			...{ resource: 'whatsApp', operation: 'sendMessage', message: 'Hello' },
			phoneNumber: '={{ $json.number }}',
		};
		const inTurn = { [AT_ONCE]: 1, timeout: 1 };
		const refusal = { status: false, error: 'Message not accepted' };

		it.each<[title: string, effect: FaultEffect, listed: RegExp]>([
			[
				'a lost reply',
				{ kind: 'resetAfterCharge' },
				/\. Done already: items 0, 1\. Possibly done: item 2\.$/,
			],
			[
				'a refusal in words',
				{ kind: 'status', status: 422, body: refusal },
				/\. Done already: items 0, 1\. Possibly done: item 2\.$/,
			],
			[
				'a refusal without words',
				{ kind: 'status', status: 400, body: 'no' },
				/\. Done already: items 0, 1\. Possibly done: item 2\.$/,
			],
			[
				'a wrong key',
				{ kind: 'status', status: 401, body: { status: false, error: 'Invalid API key.' } },
				/\. Done already: items 0, 1\.$/,
			],
		])('says after %s which items are done, and which may be done', async (_, effect, listed) => {
			sandbox.fault({ ...effect, skip: 2, times: 1 });
			const result = await run({ ...send, options: inTurn }, { items: numbers });

			expect(errorOf(result).message).toMatch(/\[item 2\]$/);
			expect(errorOf(result).description).toMatch(listed);
			expect(sandbox.log).toHaveLength(3);
		});

		it('says after "too fast" which items are done, however often it was tried', async () => {
			const body = { status: false, error: 'Too many requests' };
			sandbox.fault({ kind: 'status', status: 429, body, skip: 2 });
			const result = await run({ ...send, options: inTurn }, { items: numbers });

			expect(errorOf(result).message).toMatch(/limiting the request rate.*\[item 2\]$/);
			expect(errorOf(result).description).toMatch(/\. Done already: items 0, 1\.$/);
			expect(sandbox.log).toHaveLength(2 + 8);
		});

		it('does not mention items when nothing was done', async () => {
			sandbox.fault({ kind: 'status', status: 404, body: 'no' });
			const result = await run({ ...send, options: inTurn }, { items: numbers });

			expect(errorOf(result).message).toMatch(/You weren't charged/);
			expect(errorOf(result).description).not.toMatch(/Done already|Possibly done/);
		});

		it('names one item in the singular, and every item that may be done', async () => {
			sandbox.fault({ kind: 'latency', ms: 50 });
			sandbox.fault({ kind: 'resetAfterCharge', contains: '0122' });
			sandbox.fault({ kind: 'resetBeforeCharge', contains: '0123' });
			const options = { [AT_ONCE]: 3, timeout: 5 };
			const result = await run({ ...send, options }, { items: numbers.slice(0, 3) });

			expect(errorOf(result).message).toMatch(/may have been charged.*\[item 1\]$/);
			expect(errorOf(result).description).toMatch(
				/\. Done already: item 0\. Possibly done: items 1, 2\.$/,
			);
		});

		it('does not count a number as done when nothing was sent to it', async () => {
			const items = [
				{ number: magic.PHONE.onWhatsApp },
				{ number: magic.PHONE.notOnWhatsApp },
				...numbers.slice(0, 1),
			];
			sandbox.fault({ kind: 'resetAfterCharge', path: 'sendwasms', contains: '0121' });
			const options = { ...inTurn, checkNumberFirst: true };
			const result = await run({ ...send, options }, { items });

			expect(errorOf(result).description).toMatch(
				/\. Done already: item 0\. Possibly done: item 2\.$/,
			);
		});
	});

	describe('an expression that fails for one item only', () => {
		/** Resolves for every item but those that ask for another node, which does not exist. */
		const fragile = (good: string) =>
			`={{ $json.broken ? $('No such node').item.json.x : ${good} }}`;
		const itemsWith = (broken: number) =>
			[2, 7, 2].map((digit, n) => ({
				...{ n, broken: n === broken, email: `a${digit}@mail.example` },
				number: `+1202555010${digit}`,
			}));
		const inField = { ...verifyEmail, email: fragile('$json.email') };
		const cases: Array<[string, object]> = [
			['of the subject', inField],
			[
				'of another field',
				{
					...{ resource: 'whatsApp', operation: 'checkNumber' },
					...{ phoneNumber: '={{ $json.number }}', country: fragile('"+49"') },
				},
			],
			[
				'of an option',
				{
					...{ resource: 'contact', operation: 'enrich', email: '={{ $json.email }}' },
					...{ phoneNumber: '', lookups: ['email'] },
					options: { stopAtFirstWorkingChannel: fragile('false') },
				},
			],
			['of a limit', { ...verifyEmail, spendingLimits: { maxPaidLookups: fragile('10') } }],
			[
				'of an additional parameter',
				{
					...verifyEmail,
					options: {
						additionalParameters: { parameter: [{ name: 'list', value: fragile('1') }] },
					},
				},
			],
		];
		const where = cases.flatMap(([name, parameters]) =>
			[0, 1, 2].map((broken) => [name, broken, parameters] as const),
		);

		it.each(where)('%s, item %i: all other items are answered', async (_, broken, parameters) => {
			const items = itemsWith(broken);
			const others = [0, 1, 2].filter((item) => item !== broken);
			const kept = await run(parameters, { items });

			expect([kept.status, kept.error?.message]).toEqual(['success', undefined]);
			expect(kept.items()[broken]?.json).toMatchObject({ outcome: 'unknown', source: 'failed' });
			expect(kept.items()[broken]?.json.reason).toMatch(/can't be read: .*You weren't charged/);
			for (const item of others) expect(kept.items()[item].json.outcome).toBe('positive');

			const forked = await run(parameters, { items, onError: 'continueErrorOutput' });
			expect(linksOf(forked.items(0))).toEqual(links(...others));
			expect(linksOf(forked.items(1))).toEqual(links(broken));
			expect(forked.items(1)[0].json).toMatchObject({ n: broken, error: expect.any(String) });
			expect(sandbox.log).toHaveLength(2 * (broken === 1 ? 1 : 2));
		});

		it('in a setting of the run, read from the first item: no item passes as a result without a lookup', async () => {
			const parameters = { ...verifyEmail, options: { timeout: fragile('30') } };
			const result = await run(parameters, { items: itemsWith(0), onError: 'continueErrorOutput' });

			for (const json of jsonOf(result.items(0))) expect(json).toHaveProperty('outcome');
			expect(linksOf(result.items(1))).toContainEqual({ item: 0 });
			expect([...result.items(0), ...result.items(1)]).toHaveLength(3);
		});

		it('stops the node before anything is sent if it is set to stop', async () => {
			const options = { ifSomeItemsFail: 'stopNode' };
			const result = await run({ ...inField, options }, { items: itemsWith(1) });

			expect(errorOf(result).message).toMatch(/^Email can't be read.*\[item 1\]$/);
			expect(errorOf(result).context?.itemIndex).toBe(1);
			expect(sandbox.log).toEqual([]);
		});
	});

	describe('the API key is in no item, error or hint', () => {
		/** A key that is spelled otherwise in a URL, and another way by every encoder. */
		const ODD_KEY = "k:e y/+=$,(x)'~*!%41&@";
		const spellings = [
			...[ODD_KEY, encodeURIComponent(ODD_KEY), new URLSearchParams({ k: ODD_KEY }).toString()],
			...[magic.KEYS.main],
		].map((spelling) => spelling.replace(/^k=/, ''));
		const leaks: Array<[string, FaultEffect]> = [
			['a refusal that repeats it', { kind: 'echoKey' }],
			['a redirect', { kind: 'redirect', to: 'http://127.0.0.1:1/?api_key=0' }],
			['a wrong key', { kind: 'latency', ms: 0 }],
			['a connection that breaks', { kind: 'resetBeforeCharge' }],
			['a server error', { kind: 'status', status: 500 }],
			['a page', { kind: 'html' }],
			['half an answer', { kind: 'truncatedJson' }],
		];
		const parameters: Array<[string, object]> = [
			['in the query', verifyEmail],
			[
				'in the body',
				{ resource: 'phone', operation: 'validate', phoneNumber: '=+44207946012{{ $json.n }}' },
			],
		];
		const modes = [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const;
		const all = leaks.flatMap(([fault, effect]) =>
			parameters.map(([place, given]) => [fault, place, effect, given] as const),
		);

		const expectNoKey = (result: NodeRun, text = '') => {
			const seen = [
				JSON.stringify(result.raw),
				inspect(result.raw, { depth: Infinity, showHidden: true, maxStringLength: Infinity }),
				inspect(result.error, { depth: Infinity, showHidden: true }),
				result.error?.stack ?? '',
				result.hints().join(),
				text,
			].join('\n');
			for (const spelling of spellings) expect(seen).not.toContain(spelling);
		};

		it.each(all)('%s, key %s', async (_, __, effect, given) => {
			sandbox.fault(effect);
			for (const apiKey of [sandbox.keys.main, ODD_KEY]) {
				for (const onError of modes) {
					const items = toItems(['ada', 'eve', 'ada']);
					const credential = { apiKey };
					const raw = { ...given, output: 'raw' };
					expectNoKey(await run(raw, { credential, items, onError }));
				}
			}
			expect(sandbox.log.length).toBeGreaterThan(0);
		});

		it('when an answer repeats it anywhere, in texts and in names', async () => {
			const { main } = sandbox.keys;
			const body = {
				...{ status: true, verdict: 'deliverable', reason_code: `ok ${main}` },
				...{ request: { [`key ${main}`]: [`a ${main} b ${main}`, { deep: main }] } },
			};
			sandbox.fault({ kind: 'body', body });
			for (const output of ['raw', 'simplified']) {
				const result = await run({ ...verifyEmail, output }, { items: toItems(['a', 'b', 'a']) });

				expect(columnOf(result, 'outcome')).toEqual(['positive', 'positive', 'positive']);
				expectNoKey(result);
			}
		});

		it('with addresses that cannot be reached or read', async () => {
			const items = toItems(['ada', 'eve', 'ada']);
			for (const baseUrl of ['http://127.0.0.1:1', 'http://no-such-host.invalid', 'nonsense', '']) {
				for (const onError of modes) {
					expectNoKey(await run(verifyEmail, { credential: { baseUrl }, items, onError }));
				}
			}
		});
	});
});
