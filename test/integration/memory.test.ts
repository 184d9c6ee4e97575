import type { IDataObject } from 'n8n-workflow';
import { magic, startSandbox, type Sandbox } from '../sandbox';
import { AT_ONCE, release } from '../harness/n8n';
import { credentialsOf } from '../harness/onSandbox';
import {
	checkMany,
	leads,
	numbers,
	runAudit,
	sendMessage,
	submitBatch,
	validatePhone,
	verifyEmail,
} from '../harness/parameters';
import { isFullRun } from '../hostile/fullRun';
import { storiesOn, until, type Story } from '../harness/stories';
import { pass, resetTime } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const BY_ONE = { [AT_ONCE]: 1 };
const STOPS = { ifSomeItemsFail: 'stopNode' };
const IN_TURN = { ...BY_ONE, ...STOPS };
const onError = 'continueRegularOutput';
const OPEN = /may have been charged/;
/** What fault rules know a number by. */
const digitsOf = ({ number }: { number: string }) => number.slice(1);
const times = <Value>(count: number, value: Value) => new Array<Value>(count).fill(value);

/** One refusal that costs nothing and stops the node. */
const ONCE_WRONG_KEY = {
	...({ kind: 'status', status: 401, times: 1 } as const),
	body: { status: false, error: 'Invalid API key.' },
};
const LOST = { kind: 'resetAfterCharge' } as const;
/** Without the ID of the batch. */
const ACCEPTED = { kind: 'body', body: { status: 'processing', total_numbers: 2 } } as const;

describe(`the memory of an execution, n8n ${release}`, () => {
	const on = storiesOn({ batchNumbersPerSecond: 0, auditSeconds: 0 });
	const { act, calls, spent, tell } = on;

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

		tell({
			'never uses an answer of one server for another, and pays each server once': () => ({
				...{ node: verifyEmail, credential: { baseUrl: '={{ $json.base }}' }, loopOf: 1 },
				items: rows(on.service(), other, on.service(), other),
				...{ sources: ['service', 'service', 'memory', 'memory'], calls: 1 },
				also: () => expect(other.log).toHaveLength(1),
			}),
			'knows what may have been sent for each server after a Wait that n8n stores': () => ({
				...{ node: sendMessage, credential: { baseUrl: '={{ $json.base }}' }, loopOf: 1, onError },
				items: rows(other, on.service(), on.service()).map((row) => ({ ...row, ...numbers(1)[0] })),
				faults: [{ ...LOST, path: 'sendwasms', times: 1 }],
				...{ whileStored: () => undefined, calls: 1 },
				fields: { error: [undefined, OPEN, /\(item 0 of run 2\) may have been done already/] },
				also: () => expect(other.log).toHaveLength(1),
			}),
			'works as usual if all items have the same credential': () => ({
				...{ node: verifyEmail, items: rows(on.service(), on.service(), on.service()) },
				credential: { apiKey: '={{ $json.key }}', baseUrl: '={{ $json.base }}' },
				...{ outcomes: times(3, 'positive'), spent: { email: 1 } },
			}),
		});

		const [OTHER, IF_OTHER] = [{ key: 'sandbox-key-empty' }, '"sandbox-key-empty" : '];
		it.each<[string, string, string, object, count: number]>([
			['has another API key', 'apiKey', '$json.key ?? "k"', OTHER, 2],
			['has another URL', 'baseUrl', '$json.base', { base: 'https://other.example/api/v1' }, 3],
			['has another tool server', 'mcpUrl', '$json.mcp ?? ""', { mcp: 'https://mcp.example' }, 3],
			['has the same key behind another item', 'apiKey', '$input.item?.json?.key || "k"', OTHER, 3],
			['has another key by its place', 'apiKey', `$itemIndex === 1 ? ${IF_OTHER}"k"`, {}, 3],
			[
				'has another key in every second place',
				'apiKey',
				`$itemIndex % 2 ? ${IF_OTHER}"k"`,
				{},
				1e3,
			],
		])('refuses a run before any call if an item %s', async (...of) => {
			const [, field, expression, differing, count] = of;
			const [row] = rows(on.service());
			const items = Array.from({ length: count }, (_, n) => ({
				...{ email: row.email, base: row.base, ...(n === 1 && differing) },
			}));
			const credential = { [field]: `={{ ${expression} }}` };
			const { error } = await act(verifyEmail, { credential, items });
			expect(error?.message).toMatch(/give item \d+ another API Key or URL than item 0/);
			expect(on.service().log).toEqual([]);
		});
	});

	describe('of lookups', () => {
		const stored: string[] = [];
		const verdicts: unknown[] = [];
		tell({
			'makes 10 paid calls in all when Retry On Fail goes on at item 5 of 10': {
				...{ node: verifyEmail, options: IN_TURN, items: leads(...'abcdefghij'), tries: 2 },
				faults: [{ ...ONCE_WRONG_KEY, contains: 'f@' }],
				...{ status: 'success', spent: { email: 10 }, calls: 11 },
				sources: [...times(5, 'memory'), ...times(5, 'service')],
				receipt: { items: 10, calls: 5, remembered: 5, credits: { email: 5 } },
				hints: /<br>Earlier in this execution: charged: 5 email credits\.$/,
			},
			'makes the error of a stopped run say which results a retry gets free of charge': {
				...{ node: verifyEmail, options: IN_TURN, items: leads(...'abcd') },
				faults: [{ ...ONCE_WRONG_KEY, contains: 'c@' }],
				receipt: { calls: 2, credits: { email: 2 } },
				describes: /Retry On Fail reuses what was paid for, a new execution doesn't/,
			},
			'holds Max Paid Lookups in a loop whose rounds n8n stores, and n8n stores the count alone': {
				...{ node: verifyEmail, options: { maxPaidLookups: 3 }, items: leads(...'abcdef') },
				...{ loopOf: 2, whileStored: (_, text) => void stored.push(text), spent: { email: 2 } },
				fails:
					/2 paid lookups, after 2 earlier in this execution, which is more than Max Paid Lookups \(3\)/,
				describes:
					/Earlier in this execution: 2 paid lookups before the Wait \(results no longer available\)/,
				also: () => {
					expect(stored).toHaveLength(1);
					expect(JSON.parse(stored[0])).toMatchObject({
						executionData: { contextData: { 'node:Node': { paidLookups: 2 } } },
					});
					expect(stored[0]).not.toContain(on.service().keys.main);
				},
			},
			'counts in the receipt after a Wait what was paid before': {
				...{ node: verifyEmail, items: leads(...'abc'), loopOf: 1, whileStored: () => undefined },
				spent: { email: 3 },
				hints:
					/^Charged: 1 email credit\.<br>Earlier in this execution: 2 paid lookups before the Wait/,
			},
			// 63 MB of answers: on n8n 1.x alone
			...(isFullRun && {
				'says which answers are too large to remember': {
					...{ node: verifyEmail, items: leads(...'abcdefg'), status: 'success' },
					faults: [{ kind: 'padding', bytes: 9_000_000 }],
					hints: /dropped 2 results that may have been paid for\. Duplicates/,
					receipt: { calls: 7, credits: { email: 7 } },
				},
			}),
			'repeats a lookup with a refunded credit': {
				...{ node: verifyEmail, items: leads(...times(2, magic.EMAIL.timeout)), loopOf: 1 },
				...{ sources: ['service', 'service'], calls: 2, spent: { email: 0 } },
			},
			'lets a run that is set to stop make all missing calls in its retry': {
				...{ node: verifyEmail, options: IN_TURN, items: leads(...'abcdefghij'), tries: 2 },
				...{ faults: [{ ...LOST, contains: 'c@' }], calls: 10 },
				sources: ['memory', 'memory', 'failed', ...times(7, 'service')],
				hints:
					/ failed \(item 2: .*Earlier in this execution: charged: .*may have been charged.*This call can't be repeated\. The node returned what you already paid for/,
			},
			'lets a run that is set to stop fail if no answer was paid for': {
				...{ node: verifyEmail, options: STOPS, items: leads('a'), tries: 2, faults: [LOST] },
				...{ fails: OPEN, calls: 1 },
			},
			'keeps an answer as it is, whatever a later node changes in it': {
				...{ node: { ...verifyEmail, output: 'raw' }, loopOf: 2 },
				items: leads('ada', 'ada', 'bob', 'ada'),
				onAnswer({ response }) {
					verdicts.push((response as IDataObject).verdict);
					(response as IDataObject).verdict = 'spoiled';
				},
				also: () => expect(verdicts).toEqual(times(4, 'deliverable')),
			},
		});

		it('is valid for this execution, node and question alone', async () => {
			for (const spentSoFar of [1, 2]) {
				await act(verifyEmail, { items: leads('ada') });
				expect(spent().email).toBe(spentSoFar);
			}
			const number = '020 7946 0123';
			const validate = { ...validatePhone, responseDetail: 'detailed' };
			const items = [
				{ number, country: 'GB' },
				{ number, country: 'FR' },
				{ number: '020-7946-0123', country: 'United Kingdom' },
			];
			await act({ ...validate, country: '={{ $json.country }}' }, { items, loopOf: 1 });
			expect(calls('phonevalidation').map(({ body }) => body)).toMatchObject([
				{ phone_number: '+442079460123' },
				{ phone_number: '02079460123', country_code: 'FR' },
			]);
		});
	});

	describe('of side effects', () => {
		const SIX = numbers(6);
		const all = (items: Array<{ number: string }>) => items.map(({ number }) => number);
		const [ONE, TWO, THREE] = SIX;
		const first = { number: 'none' };
		const send = { node: sendMessage, options: BY_ONE, tries: 2 };
		const submit = { node: submitBatch, options: BY_ONE, tries: 2 };

		tell({
			'keeps Retry On Fail from sending anyone a second message, though the text differs': {
				...{ ...send, node: { ...sendMessage, message: '=Hello {{ Math.random() }}' }, items: SIX },
				faults: [{ ...ONCE_WRONG_KEY, contains: digitsOf(SIX[3]) }],
				...{ status: 'success', messages: all(SIX) },
				sources: [...times(3, 'memory'), ...times(3, 'service')],
			},
			'keeps n8n from sending a second message for an invalid first item': {
				...{ node: sendMessage, items: [first, ONE, TWO], tries: 3, onError },
				...{ messages: all([ONE, TWO]), fields: { sent: [undefined, true, true] } },
			},
			'leaves paid calls out of the budget of the next try': {
				...{ ...send, options: { ...BY_ONE, maxPaidLookups: 6 }, items: SIX },
				faults: [{ ...ONCE_WRONG_KEY, contains: digitsOf(SIX[3]) }],
				...{ status: 'success', messages: all(SIX) },
			},
			'lets the next try fetch a paid batch, whatever is left': {
				...{ node: submitBatch, options: { checkBalance: 'before', maxPaidLookups: 3 } },
				...{ items: [first, ONE, TWO, THREE], tries: 2, onError, balance: { whatsapp: 3 } },
				spent: { whatsapp: 3 },
				also: (run) => expect(run.items().some(({ json }) => json.batchId)).toBe(true),
			},
			'keeps Retry On Fail from repeating a message that may have been sent': {
				...{ node: sendMessage, items: [ONE, TWO], tries: 2, calls: 2 },
				faults: [{ ...LOST, contains: digitsOf(TWO) }],
				...{ fails: /may have been charged.*\[item 1\]$/, messages: all([ONE, TWO]) },
			},
			'sends a message that is in the list of a loop twice twice': {
				...{ node: sendMessage, items: [ONE, ONE], loopOf: 1, messages: all([ONE, ONE]) },
			},
			'pays for a check before a message once': () => {
				const { onWhatsApp, whatsAppBusiness } = magic.PHONE;
				const items = [{ number: onWhatsApp }, { number: whatsAppBusiness }];
				return {
					...{ ...send, options: { ...BY_ONE, checkNumberFirst: true }, items, status: 'success' },
					faults: [{ ...ONCE_WRONG_KEY, path: 'sendwasms', contains: digitsOf(items[1]) }],
					...{ calls: { checkwanumber: 2, sendwasms: 3 }, messages: all(items) },
				};
			},
			'keeps Retry On Fail from submitting a batch twice': {
				...{ ...submit, items: numbers(1500), status: 'success', spent: { whatsapp: 1500 } },
				faults: [{ ...ONCE_WRONG_KEY, path: 'batch', skip: 1 }],
				...{ calls: 3, sources: ['memory', 'service'] },
			},
			'keeps a loop from buying an unfinished batch or audit again after a Wait that n8n stores': [
				{
					...{ node: checkMany, options: { maxWait: 1 }, items: [ONE, TWO, ONE], loopOf: 2 },
					...{ onError, whileStored: () => undefined, spent: { whatsapp: 2 } },
					fields: { error: [...times(2, /isn't finished/), /done already.*Batch → Get gets/] },
				},
				{
					...{ node: { ...runAudit, operation: 'runAndWait' }, options: { maxWait: 1 } },
					items: [{ brand: 'Tea' }, { brand: 'Tea' }],
					faults: [{ kind: 'body', body: { status: 'processing' }, method: 'GET' }],
					...{ loopOf: 1, onError, whileStored: () => undefined, spent: { audit: 1 } },
					fields: { error: [/isn't finished/, /done already.*Audit → Get gets the audit/] },
				},
			],
			'keeps a loop from checking a number for a message that may have been sent before a Wait': {
				...{ node: sendMessage, options: { checkNumberFirst: true }, loopOf: 1, onError },
				...{ items: times(2, { number: '+442079460121' }), whileStored: () => undefined },
				faults: [{ ...LOST, path: 'sendwasms', times: 1 }],
				fields: { error: [OPEN, /may have been done already/] },
				also: () => expect(calls('checkwanumber')).toHaveLength(1),
			},
			'keeps a loop from submitting any number of a lost batch after a Wait that n8n stores': [
				checkMany,
				submitBatch,
			]
				.flatMap((node) => [LOST, ACCEPTED].map((fault) => [node, fault] as const))
				.map(([node, fault]) => ({
					...{ node, items: [ONE, TWO, TWO, ONE], loopOf: 2, onError },
					...{ whileStored: () => undefined, spent: { whatsapp: 2 }, calls: 1 },
					faults: [{ ...fault, path: 'batch', times: 1 }],
					fields: { error: [OPEN, OPEN, ...times(2, /done already/)] },
				})),
		});

		/** Begins a run, and changes something as soon as the service has done so much. */
		const whenDone = async (
			story: Story,
			isDone: () => boolean,
			change: (given: Partial<ReturnType<typeof credentialsOf>>) => void,
		) => {
			const given = on.credentials();
			const running = on.play({ ...story, credentials: given });
			await until(isDone);
			change(given);
			await on.check(await running, story);
		};
		type Change = (given: Partial<ReturnType<typeof credentialsOf>>) => void;
		const withoutCredential: Change = (given) => void delete given.lookupMessagingApi;
		const muchLater: Change = () => pass(2_000_000);
		/** An expression that holds at first alone. */
		const atFirst = (good: string, later: string) =>
			`={{ Date.now() < ${Date.now() + 1_000_000} ? ${good} : ${later} }}`;

		it.each<[string, () => Story, isDone: () => boolean, Change]>([
			[
				'returns what was looked up when the next try has no credential',
				() => ({
					...{ node: verifyEmail, options: IN_TURN, items: leads('ada', 'eve', 'bad', 'ida') },
					faults: [{ kind: 'status', status: 422, contains: 'bad', times: 1 }],
					...{ tries: 2, spent: { email: 2 } },
					hints: /Earlier in this execution: charged: 2 email credits/,
				}),
				() => on.service().log.length > 0,
				withoutCredential,
			],
			[
				'names what was sent when a parameter of the next try is empty',
				() => ({
					...{ ...send, node: { ...sendMessage, message: atFirst("'Hello'", "''") } },
					...{ items: numbers(4), faults: [{ ...ONCE_WRONG_KEY, contains: digitsOf(THREE) }] },
					fails: /^Message is empty/,
					describes:
						/Nothing charged\. Earlier in this execution: .*2 WhatsApp calls.*Done already: items 0, 1/,
				}),
				() => on.service().log.length >= 3,
				muchLater,
			],
			[
				'names the batches when a parameter of the next try cannot be read',
				() => ({
					...{ ...submit, items: numbers(1500), faults: [{ ...LOST, path: 'batch', skip: 1 }] },
					node: { ...submitBatch, phoneNumber: atFirst('$json.number', 'nobody.knows') },
					fails: /You were charged for the batch \S{36}\./,
					describes: /Nothing charged\. Earlier in this execution: /,
				}),
				() => spent().whatsapp === 1500,
				muchLater,
			],
		])('%s', async (_, story, isDone, change) => await whenDone(story(), isDone, change));

		tell({
			'names every message when the last try got no answer': {
				...{ ...send, items: numbers(10), tries: 3, messages: all(numbers(10)) },
				faults: [{ ...LOST, contains: digitsOf(numbers(5)[4]) }],
				fails: /may have been charged.*\[item 4\]$/,
				describes: /Done already: items 0–3, 5–9\. Possibly done: item 4/,
			},
			'names what is done in the hint when failed items are returned': {
				...{ node: submitBatch, items: numbers(1001), tries: 2, onError, calls: 2 },
				faults: [{ ...LOST, path: 'batch', times: 1 }],
				hints: / failed .*item 0: .*Done already: item 1000\. Possibly done: items 0–999/,
			},
		});

		it('lets the next try continue a batch whose wait was too short', async () => {
			let starts = 0;
			resetTime((_, count) => count === 20 && on.service().finishBatches());
			const options = { maxWait: 1, ...STOPS };
			const onNodeStart = (name: string) => void (starts += name === 'Node' ? 1 : 0);
			const story: Story = {
				...{ node: checkMany, options, items: [ONE, TWO, THREE], tries: 3, onNodeStart },
				...{ status: 'success', sources: times(3, 'memory'), spent: { whatsapp: 3 } },
			};
			await on.check(await on.play(story), story);
			expect([starts, calls('batch').length]).toEqual([1, 1]);
		});

		it('lets a loop wait on for an audit after Max Wait, and start no second one', async () => {
			const [tea, coffee] = [{ brand: 'Tea' }, { brand: 'Coffee' }];
			resetTime((_, count) => count === 6 && on.service().clearFaults());
			const story: Story = {
				node: { ...runAudit, operation: 'runAndWait' },
				...{ options: { maxWait: 1, maxPaidLookups: 3 }, loopOf: 1, onError },
				items: [tea, tea, coffee, tea],
				faults: [{ kind: 'body', path: 'audit', body: { status: 'running' } }],
				outcomes: [undefined, 'positive', 'positive', 'positive'],
				item: { 1: { source: 'memory' } },
			};
			await on.check(await on.play(story), story);
			// Of one that is over, the next equal item has its own
			expect(calls('audit_run')).toHaveLength(3);
		});
	});
});
