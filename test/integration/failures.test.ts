/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { inspect } from 'node:util';
import { captureLogs } from '../harness/capturedLogs';
import { type FaultEffect, magic } from '../sandbox';
import { AT_ONCE, release } from '../harness/n8n';
import {
	checkWhatsApp,
	leads,
	locateIp,
	numbers,
	sendMessage,
	validatePhone,
	verifyEmail,
} from '../harness/parameters';
import { receiptOf } from '../harness/parseReceipt';
import { storiesOn, type Story } from '../harness/stories';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const BY_ONE = { [AT_ONCE]: 1 };
const STOPS = { ifSomeItemsFail: 'stopNode' };
const CONTINUES = 'continueRegularOutput';
const FORKS = 'continueErrorOutput';
const OPEN = /You may have been charged/;
const FREE = /You weren't charged/;
const refusal = (error: string) => ({ status: false, error });

interface Trouble {
	effect: FaultEffect;
	/** What the failed item's message says happened, and what it says of the money. */
	words: RegExp;
	cost: RegExp;
	/** Whether no further call is started. */
	stopsAll?: true;
	/** Whether the call is sent again, since it certainly was not charged. */
	isRepeated?: true;
}

/** One trouble of each kind; the fault matrix has every trouble of each. */
const TROUBLES: Record<string, Trouble> = {
	'a refusal of the question': {
		effect: { kind: 'status', status: 422 },
		...{ words: /Injected status 422/, cost: OPEN },
	},
	'no credits': {
		effect: { kind: 'status', status: 402, body: refusal('Please recharge') },
		words: /Not enough email credits\. Add credits, then run the item again/,
		...{ stopsAll: true, cost: FREE },
	},
	'too many requests': {
		effect: { kind: 'status', status: 429 },
		words: /limiting the request rate \(HTTP 429\).*Max Requests per Minute/,
		...{ isRepeated: true, cost: FREE },
	},
};

describe(`when something fails, n8n ${release}`, () => {
	const on = storiesOn();
	const { act, play, see, spent, tell } = on;
	const log = () => on.service().log;

	describe.each(Object.entries(TROUBLES))('%s', (_, trouble) => {
		const { effect, words, stopsAll, isRepeated, cost } = trouble;
		const isOpen = cost === OPEN;
		/** Two good questions around a bad one, duplicates of two of them, and one that needs no call. */
		const items = leads(
			...['ada', 'bad', 'ada@MAIL.example', 'bad@MAIL.example', 'missing', 'no address@'],
		).map((lead, n) => ({ n, ...lead }));
		const failed = stopsAll ? [1, 3, 4] : [1, 3];
		const told = { node: verifyEmail, items, faults: [{ ...effect, contains: 'bad@' }] };
		const options = { ...BY_ONE, timeout: 1 };
		const ofItem = (item: number, text: unknown) => {
			if (item === 4)
				expect(text).toMatch(/skipped after an earlier failure.*You weren't charged/i);
			else for (const each of [words, cost]) expect(text).toMatch(each);
		};
		const expectCalls = () => {
			const callsFor = (text: string) => log().filter(({ url }) => url.includes(text)).length;
			expect([callsFor('ada'), callsFor('missing')]).toEqual([1, stopsAll ? 0 : 1]);
			if (!isRepeated) expect(callsFor('bad')).toBe(1);
			expect(spent().email).toBe(stopsAll ? 1 : 2);
		};

		it('is returned as unknown with the reason beside all results', async () => {
			const run = await see({
				...{ ...told, options, status: 'success', links: [[0, 1, 2, 3, 4, 5]] },
				outcomes: [
					...['positive', 'unknown', 'positive', 'unknown'],
					...[stopsAll ? 'unknown' : 'negative', 'negative'],
				],
				sources: [
					...['service', 'failed', 'duplicate', 'failed'],
					...[stopsAll ? 'failed' : 'service', 'local'],
				],
			});
			for (const item of failed) {
				const { json } = run.items()[item];
				ofItem(item, json.reason);
				expect(json).toMatchObject({ input: items[item].email, verdict: null });
				expect(json).not.toHaveProperty('error');
			}
			expectCalls();

			expect(run.lastTask().hints).toEqual([
				{
					...{ type: 'warning', location: 'outputPane' },
					message: expect.stringMatching(
						/ failed( and may have been charged)? \((such as )?item 1: /,
					),
				},
			]);
			const { failed: failures = 0, notReached = 0, ...receipt } = receiptOf(run.hints()) ?? {};
			expect(failures + notReached).toBe(failed.length);
			const open = isOpen ? 1 : 0;
			expect(receipt).toMatchObject({
				...{ items: 6, duplicates: 1, local: 1, calls: (stopsAll ? 1 : 2) + open, open },
				...{ credits: { email: spent().email }, other: [] },
			});
		});

		it('stops the node if it is set to, with item, remedy and cost, and without a further call', async () => {
			const run = await see({
				...{ ...told, options: { ...options, ...STOPS }, status: 'error', fails: /\[item 1\]$/ },
				receipt: { items: 6, credits: { email: 1 }, open: isOpen ? 1 : 0 },
				// An answer can be requested again, so the message does not say what was done
				isSilentOn: /Done already|Possibly done/,
			});
			expect(run.items()).toEqual([]);
			expect(run.error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 1 } });
			ofItem(1, run.error?.message);
			expect(log().filter(({ url }) => url.includes('missing'))).toEqual([]);
		});
	});

	describe('the node as a whole', () => {
		const items = leads('no address@', 'bad', 'ada', 'bad', 'worse');
		const REFUSED = { kind: 'status', status: 422 } as const;
		tell({
			'fails when the service answered nothing, and names the first failure': {
				...{ node: verifyEmail, items, faults: [{ kind: 'status', status: 500 }] },
				...{ status: 'error', fails: /HTTP 500.*may have been charged.*\[item 1\]$/ },
				receipt: { items: 5, calls: 3, failed: 4, local: 1, open: 3 },
				also(run) {
					expect([run.items(), run.hints()]).toEqual([[], []]);
					expect(run.error).toMatchObject({ context: { itemIndex: 1 }, httpCode: '500' });
				},
			},
			'does not fail when others were answered locally': {
				...{ node: verifyEmail, items, faults: [REFUSED], status: 'success' },
				sources: ['local', 'failed', 'failed', 'failed', 'failed'],
			},
			'does not fail when all answers are unknown, since those were paid for': {
				...{ node: verifyEmail, items: leads('bad', 'grace@catch-all.example', 'greylisted') },
				...{ faults: [{ ...REFUSED, contains: 'bad' }], status: 'success' },
				sources: ['failed', 'service', 'service'],
			},
		});

		it('reports an exception while reading an answer as a fault of the node, and logs its stack', async () => {
			const { log: logged } = captureLogs();
			const actual = jest.requireActual<
				typeof import('../../nodes/LookupMessaging/operations/email/verify')
			>('../../dist/nodes/LookupMessaging/operations/email/verify');
			jest.spyOn(actual.verifyEmail, 'read').mockImplementationOnce(() => {
				throw new TypeError('x is undefined');
			});
			await see({
				...{ node: verifyEmail, options: BY_ONE, items: leads('a', 'b') },
				...{ outcomes: ['unknown', 'positive'], isSilentOn: /lost/ },
				item: {
					0: { reason: /^This node couldn't process the service's answer\. Report this/ },
				},
				hints: /May have been charged: 1 email call/,
			});
			jest.restoreAllMocks();
			expect(JSON.stringify(logged)).toMatch(
				/Bug in the Lookup & Messaging package while reading the answer of \/checkemail: x is undefined.*"stack":"TypeError: x is undefined\\n +at/,
			);
		});
	});

	describe('Also Fail Items If, Their Input Is Invalid', () => {
		const options = { alsoFailItemsIf: ['inputIsInvalid'] };
		const told = {
			...{ node: verifyEmail, options },
			items: leads('ada', 'eve', 'no address@', 'ada', '@nobody'),
		};
		tell({
			'fails the node before anything is sent': ['keepPaidResults', 'stopNode'].map(
				(ifSomeItemsFail) => ({
					...{ ...told, options: { ...options, ifSomeItemsFail }, calls: 0, status: 'error' },
					fails:
						/^Email \("no address@"\).*remove Their Input Is Invalid.*You weren't charged.*\[item 2\]$/,
					also({ error }) {
						expect(error).toMatchObject({
							...{ name: 'NodeOperationError', context: { itemIndex: 2 } },
						});
					},
				}),
			),
			'puts these items alone to the error output': {
				...{
					...told,
					onError: FORKS,
					calls: 2,
					links: [
						[0, 1, 3],
						[2, 4],
					],
				},
			},
			'ignores valid input that cannot be looked up: a private IP address': {
				...{ node: locateIp, options, sources: ['local', 'service', 'duplicate'] },
				items: [{ ip: '10.0.0.1' }, { ip: '8.8.8.8' }, { ip: '8.8.8.8' }],
			},
		});
	});

	describe('a wrong parameter', () => {
		const items = leads('a', 'b', 'a', 'no address@');
		const selecting = (selectedFields: unknown) => ({ output: 'selectedFields', selectedFields });
		const including = (putOutputInField: string) => ({
			...{ includeOtherInputFields: true, options: { putOutputInField } },
		});
		const NO_LIST = /Fields is empty, or isn't a list of field names/;
		const NO_ERROR = /Put Output in Field can't be "error"/;

		it.each<[title: string, parameters: object, words: RegExp]>([
			['an unknown operation', { operation: 'verifyTwice' }, /no operation "verifyTwice" for the/],
			['Fields that is a text', selecting('outcome'), NO_LIST],
			['Fields that is a list of numbers', selecting('={{ [1, "outcome"] }}'), NO_LIST],
			['a result field "__proto__"', including('__proto__'), /can't be "__proto__"/],
			['a result field "error" by expression', including('={{ "err" + "or" }}'), NO_ERROR],
		])('%s fails every item before anything is sent', async (_, parameters, words) => {
			const story = { node: { ...verifyEmail, ...parameters }, items, calls: 0 };
			const failed = await see({ ...story, status: 'error', fails: words });
			expect([failed.items(), failed.error?.name]).toEqual([[], 'NodeOperationError']);
			expect(failed.error?.message).toMatch(FREE);
			await see({
				...{ ...story, onError: CONTINUES, links: [[0, 1, 2, 3]] },
				fields: { error: items.map(() => words) },
			});
			await see({ ...story, onError: FORKS, links: [[], [0, 1, 2, 3]] });
		});

		const node = { ...validatePhone, country: '={{ $json.country }}' };
		const national = ['GB', 'Neverland', 'United Kingdom', 'G', 'none'].map((country) => ({
			...{ country, number: '020 7946 0123' },
		}));
		const wrong = /^Country \("(Neverland|G)"\) isn't recognized as a country\. Use a code/;
		tell({
			'is harmless as the result field "error" when the input fields are not included': {
				...{ node: verifyEmail, options: { putOutputInField: 'error' }, items: leads('a', 'b') },
				outcomes: ['positive', 'positive'],
			},
			'such as an unknown country leaves the values that need it unknown, free of charge': {
				node,
				items: [...national, { country: 'Neverland', number: '+44 20 7946 0123' }],
				sources: ['service', 'local', 'duplicate', 'local', 'local', 'duplicate'],
				outcomes: ['positive', 'unknown', 'positive', 'unknown', 'unknown', 'positive'],
				item: {
					...{ 1: { reason: wrong }, 3: { reason: wrong } },
					4: {
						reason: /^Phone Number .* can't be read without its country\. Set Country/,
					},
				},
				sent: { phone_number: ['+442079460123'] },
			},
		});
	});

	describe('an operation that must not run twice', () => {
		const SIX = numbers(6);
		const send = { node: sendMessage, options: { ...BY_ONE, timeout: 1 }, items: SIX };
		const third = (effect: FaultEffect, describes: RegExp): Story => ({
			...{ ...send, faults: [{ ...effect, skip: 2, times: 1 }], calls: 3 },
			...{ fails: /\[item 2\]$/, describes },
		});
		const MAYBE = /\. Done already: items 0, 1\. Possibly done: item 2\.$/;
		const DONE = /\. Done already: items 0, 1\.$/;
		const status = (code: number, body: object | string): FaultEffect => ({
			...{ kind: 'status', status: code, body },
		});
		tell({
			'says which items are done and which may be done': [
				third({ kind: 'resetAfterCharge' }, MAYBE),
				third(status(422, refusal('Message not accepted')), MAYBE),
				third(status(400, 'no'), MAYBE),
				third(status(401, refusal('Invalid API key.')), DONE),
			],
			'counts one that may have been done although it was answered': {
				...{ ...send, describes: /\. Done already: item 0\. Possibly done: items 1, 2\.$/ },
				faults: [
					{ kind: 'resetAfterCharge', skip: 2 },
					{ kind: 'body', body: { status: true, delivered: false }, skip: 1 },
				],
			},
			'does not count a number as done when nothing was sent to it': {
				...{ ...send, options: { ...send.options, checkNumberFirst: true } },
				items: [{ number: magic.PHONE.onWhatsApp }, ...SIX.slice(1, 3)],
				faults: [
					{ kind: 'resetAfterCharge', path: 'sendwasms', skip: 1 },
					{ kind: 'body', body: { status: true }, path: 'checkwanumber', skip: 1, times: 1 },
				],
				describes: /\. Done already: item 0\. Possibly done: item 2\.$/,
			},
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
		const additional = { parameter: [{ name: 'list', value: fragile('1') }] };
		const contact = { ...verifyEmail, resource: 'contact', operation: 'enrich' };

		it.each<[string, object]>([
			['the subject', inField],
			['another field', { ...checkWhatsApp, country: fragile('"+49"') }],
			[
				'an option',
				{
					...{ ...contact, phoneNumber: '', lookups: ['email'] },
					options: { stopAtFirstWorkingChannel: fragile('false') },
				},
			],
			['a limit', { ...verifyEmail, spendingLimits: { maxPaidLookups: fragile('10') } }],
			[
				'an additional parameter',
				{ ...verifyEmail, options: { additionalParameters: additional } },
			],
		])('of %s fails that item, and all others are answered', async (_, node) => {
			for (const broken of [0, 1, 2]) {
				on.service().clearLog();
				const items = itemsWith(broken);
				const others = [0, 1, 2].filter((item) => item !== broken);
				const reason = /can't be read: .*You weren't charged/;
				const kept = await see({
					...{ node, items, status: 'success' },
					item: { [broken]: { outcome: 'unknown', source: 'failed', reason } },
				});
				for (const item of others) expect(kept.items()[item].json.outcome).toBe('positive');
				const forked = await see({ node, items, onError: FORKS, links: [others, [broken]] });
				expect(forked.items(1)[0].json).toMatchObject({ n: broken, error: expect.any(String) });
				expect(log()).toHaveLength(2 * (broken === 1 ? 1 : 2));
			}
		});

		it('lets no item pass as a result without a lookup if a setting of the run cannot be read', async () => {
			const node = { ...verifyEmail, options: { timeout: fragile('30') } };
			const run = await play({ node, items: itemsWith(0), onError: FORKS });
			for (const { json } of run.items(0)) expect(json).toHaveProperty('outcome');
			expect(run.items(1).map(({ pairedItem }) => pairedItem)).toContainEqual({ item: 0 });
			expect([...run.items(0), ...run.items(1)]).toHaveLength(3);
		});

		tell({
			'stops the node before anything is sent if it is set to stop': {
				...{ node: inField, options: STOPS, items: itemsWith(1), calls: 0 },
				fails: /^Email can't be read.*\[item 1\]$/,
			},
		});
	});

	// The usual key at every fault of every call: hostile/bothReleases/faultMatrix
	it.each<[string, FaultEffect]>([
		['a refusal that repeats it', { kind: 'echoKey' }],
		['a redirect', { kind: 'redirect', to: 'http://127.0.0.1:1/?api_key=0' }],
		['a wrong key', { kind: 'latency', ms: 0 }],
	])('a key that each encoder spells otherwise is in nothing after %s', async (_, effect) => {
		const apiKey = "k:e y/+=$,(x)'~*!%41&@";
		const inForm = new URLSearchParams({ k: apiKey }).toString().replace(/^k=/, '');
		on.service().fault(effect);
		for (const node of [verifyEmail, { ...validatePhone, phoneNumber: '+442079460121' }])
			for (const onError of [undefined, CONTINUES, FORKS] as const) {
				const items = leads('ada', 'eve', 'ada');
				const run = await act(
					{ ...node, output: 'raw' },
					{ credential: { apiKey }, items, onError },
				);
				const everything = { depth: Infinity, showHidden: true, maxStringLength: Infinity };
				const seen = [JSON.stringify(run.raw), inspect([run.raw, run.error], everything)].join();
				for (const spelling of [apiKey, encodeURIComponent(apiKey), inForm])
					expect(seen).not.toContain(spelling);
			}
		expect(log().length).toBeGreaterThan(0);
	});
});
