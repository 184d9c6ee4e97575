/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../../../nodes/LookupMessaging/engine/failure';
import {
	defineOperation,
	isLocalAnswer,
	negative,
	positive,
	unknown,
	type AnyOperation,
	type Given,
} from '../../../nodes/LookupMessaging/engine/operation';
import { settle, type Settlement } from '../../../nodes/LookupMessaging/engine/perform';
import type { PlannedCall } from '../../../nodes/LookupMessaging/engine/plan';
import { runBounded } from '../../../nodes/LookupMessaging/engine/pool';
import { describeReceipt, type Receipt } from '../../../nodes/LookupMessaging/engine/receipt';
import { redactor } from '../../../nodes/LookupMessaging/engine/redact';
import type { Reply } from '../../../nodes/LookupMessaging/engine/transport';
import { getBalance } from '../../../nodes/LookupMessaging/operations/account/getBalance';
import { lookUpCallerId } from '../../../nodes/LookupMessaging/operations/callerId/lookUp';
import { verifyEmail } from '../../../nodes/LookupMessaging/operations/email/verify';
import { locateIp } from '../../../nodes/LookupMessaging/operations/geoIp/locate';
import { validatePhone } from '../../../nodes/LookupMessaging/operations/phone/validate';
import { checkWhatsAppNumber } from '../../../nodes/LookupMessaging/operations/whatsApp/checkNumber';

describe('the redactor', () => {
	const KEY = 'live-k3y/+=?&';
	const ENCODED = encodeURIComponent(KEY);

	test.each<[title: string, body: IDataObject, cleaned: IDataObject]>([
		['a value', { error: KEY }, { error: '[API key]' }],
		[
			'a sentence, as often as it is said',
			{ error: `Bad key ${KEY} (${KEY}${KEY})` },
			{ error: 'Bad key [API key] ([API key][API key])' },
		],
		['a name', { [KEY]: 1, [`x-${KEY}`]: 2 }, { '[API key]': 1, 'x-[API key]': 2 }],
		[
			'an object within',
			{ a: { b: { c: KEY, n: 1, t: true, z: null } } },
			{ a: { b: { c: '[API key]', n: 1, t: true, z: null } } },
		],
		[
			'lists within lists',
			{ a: [KEY, [`${KEY}!`, { b: [KEY] }], 7, null] },
			{ a: ['[API key]', ['[API key]!', { b: ['[API key]'] }], 7, null] },
		],
		[
			'an address, URL-encoded',
			{ url: `https://api.example.com/check?api_key=${ENCODED}&number=%2B1` },
			{ url: 'https://api.example.com/check?api_key=[API key]&number=%2B1' },
		],
	])('takes the key out of %s', (_, body, cleaned) => {
		const before = structuredClone(body);
		expect(redactor(KEY)(body)).toEqual(cleaned);
		expect(body).toEqual(before);
	});

	const HARMLESS: IDataObject = {
		status: true,
		name: 'live-k3y',
		range: [1.5, -2, 0],
		empty: '',
		nothing: null,
		more: { list: [], object: {} },
		constructor: 'x',
		['__proto__']: { polluted: true },
	};

	test.each([KEY, '', 'a key that is not there', '$&', '.*'])(
		'leaves a body without the key %j as it is',
		(key) => {
			expect(JSON.stringify(redactor(key)(HARMLESS))).toBe(JSON.stringify(HARMLESS));
			expect(({} as IDataObject).polluted).toBeUndefined();
		},
	);

	test('takes the key for text, not for a pattern', () => {
		expect(redactor('k.y$')({ a: 'k.y$ and kay$' })).toEqual({ a: '[API key] and kay$' });
	});
});

/** A call of the operation for one item, as the plan makes it. */
function callOf(operation: AnyOperation, given: Given): PlannedCall {
	const question = operation.prepare(given);
	if (isLocalAnswer(question)) throw new Error(question.reason);
	return { request: operation.request(question), question, firstItem: 0 };
}

const outcomeOf = (settlement: Settlement): string =>
	settlement.kind === 'answer' ? settlement.answer.outcome : failureOf(settlement).cause;

function failureOf(settlement: Settlement): Failure {
	if (settlement.kind === 'answer') throw new Error('The call was answered');
	return settlement.failure;
}

const CALLS = {
	phone: [validatePhone, { phoneNumber: '+442079460123' }],
	caller: [lookUpCallerId, { phoneNumber: '+442079460123' }],
	email: [verifyEmail, { email: 'name@example.com' }],
	place: [locateIp, { ipAddress: '8.8.8.8' }],
	whatsApp: [checkWhatsAppNumber, { phoneNumber: '+442079460123' }],
	balance: [getBalance, {}],
} satisfies Record<string, [AnyOperation, Given]>;

const settled = (name: keyof typeof CALLS, reply: Reply) => {
	const [operation, given] = CALLS[name];
	return settle(operation, callOf(operation, given), reply);
};
const every = Object.keys(CALLS) as Array<keyof typeof CALLS>;

describe('settling a call', () => {
	test.each<[name: keyof typeof CALLS, outcome: string, body: IDataObject]>([
		['phone', 'positive', { status: 'VALID_CONFIRMED', carrier: 'Example' }],
		['phone', 'negative', { status: 'INVALID' }],
		['phone', 'unknown', { status: 'LATER' }],
		['email', 'positive', { status: true, verdict: 'deliverable' }],
		['email', 'negative', { status: true, verdict: 'undeliverable' }],
		['email', 'unknown', { status: false, reason_code: 'network_timeout', error: 'Later' }],
		['whatsApp', 'negative', { status: true, whatsapp: false }],
		['place', 'positive', { status: true, country: 'GB' }],
		['balance', 'positive', { status: true, wa_balance: 0 }],
	])('of %s gives the answer %s with the body as it came', (name, outcome, body) => {
		const settlement = settled(name, { kind: 'ok', status: 200, body });
		expect(settlement).toMatchObject({ kind: 'answer', answer: { outcome } });
		expect('body' in settlement && settlement.body).toBe(body);
	});

	test.each<[name: keyof typeof CALLS, status: number, body: IDataObject]>([
		['phone', 400, { status: 'INVALID' }],
		['caller', 404, { success: false, message: 'Invalid phone number' }],
		['email', 422, { status: true, verdict: 'invalid_format', reason_code: 'invalid_syntax' }],
		['place', 404, { status: false, error: 'IP address could not be resolved.' }],
		['whatsApp', 404, { status: true, whatsapp: false }],
	])('of %s takes a no under HTTP %d for a no', (name, status, body) => {
		expect(outcomeOf(settled(name, { kind: 'refused', status, body }))).toBe('negative');
	});

	test.each<[name: keyof typeof CALLS, status: number, body: IDataObject]>([
		['phone', 400, { status: 'VALID_CONFIRMED' }],
		['phone', 404, {}],
		['email', 404, { status: true, verdict: 'deliverable' }],
		['place', 403, { status: true, country: 'GB' }],
		['whatsApp', 404, { message: 'Not Found' }],
		['balance', 404, { hello: 'world' }],
	])('of %s never takes HTTP %d for a yes or a do-not-know: %j', (name, status, body) => {
		expect(failureOf(settled(name, { kind: 'refused', status, body }))).toEqual({
			cause: 'refused',
			reason: expect.stringContaining(`HTTP ${status}`),
			scope: 'question',
			status,
		});
	});

	test.each([
		[401, { error: 'Invalid API key.' }, 'account'],
		[402, { status: false, error: 'Please recharge' }, 'account'],
		[200, { status: false, error: 'Invalid API key.' }, 'account'],
		[200, { status: false, error: 'Insufficient WA API credits.' }, 'account'],
		[403, { status: false, error: 'Your account is suspended' }, 'account'],
		[401, { status: false, error: 'Who are you?' }, 'account'],
		[400, { error: 'The question is required.' }, 'question'],
		[422, { status: false, error: 'Lookup failed' }, 'question'],
	] as const)(
		'under HTTP %d keeps the words of the refusal %j, of the %3$s',
		(status, body, scope) => {
			for (const name of every.filter((call) => call !== 'place')) {
				const reply: Reply =
					status < 300 ? { kind: 'ok', status, body } : { kind: 'refused', status, body };
				expect([name, failureOf(settled(name, reply))]).toEqual([
					name,
					{
						cause: 'refused',
						reason: `the service refused the request: ${body.error}`,
						scope,
						status,
					},
				]);
			}
		},
	);

	test.each([
		[401, 'account'],
		[402, 'account'],
		[400, 'question'],
		[403, 'question'],
		[404, 'question'],
	])('under HTTP %d without a body is a refusal of the %s', (status, scope) => {
		for (const name of every) {
			expect(failureOf(settled(name, { kind: 'refused', status }))).toEqual({
				cause: 'refused',
				reason: `the service refused the request (HTTP ${status})`,
				scope,
				status,
			});
		}
	});

	test.each([301, 302, 303, 307, 308])('takes the redirect %d for no answer', (status) => {
		for (const body of [undefined, { status: 'INVALID' }, { status: false }]) {
			for (const name of every) {
				expect(failureOf(settled(name, { kind: 'refused', status, body }))).toEqual({
					cause: 'refused',
					reason: `the service redirects elsewhere (HTTP ${status})`,
					scope: 'account',
					status,
				});
			}
		}
	});

	test.each<[reply: Reply, failure: Failure]>([
		[
			{ kind: 'throttled', status: 429, reason: 'too fast' },
			{ cause: 'throttled', status: 429, reason: 'too fast', scope: 'question' },
		],
		[
			{ kind: 'unreachable', reason: 'refused' },
			{ cause: 'unreachable', reason: 'refused', scope: 'question' },
		],
		[
			{ kind: 'lost', reason: 'broken off' },
			{ cause: 'lost', reason: 'broken off', scope: 'question' },
		],
		[
			{ kind: 'lost', reason: 'failed', status: 502 },
			{ cause: 'lost', reason: 'failed', scope: 'question', status: 502 },
		],
		[
			{ kind: 'misconfigured', reason: 'no Lookup URL' },
			{ cause: 'misconfigured', reason: 'no Lookup URL', scope: 'account' },
		],
		[
			{ kind: 'cancelled' },
			{
				cause: 'notSent',
				reason: 'it was not sent, because the execution was stopped',
				scope: 'account',
			},
		],
	])('passes on what became of it without a reading: %j', (reply, failure) => {
		for (const name of every) expect(failureOf(settled(name, reply))).toEqual(failure);
	});

	test('hands the reading the status and the question that was asked', () => {
		const read = jest.fn((_body: IDataObject, _status: number, question: { n: number }) =>
			question.n === 1 ? positive({}) : question.n === 2 ? negative({}) : unknown({}),
		);
		const operation = defineOperation<{ n: number }>({
			resource: 'test',
			value: 'ask',
			name: 'Ask',
			action: 'Ask question',
			description: 'Asks',
			fields: [],
			prepare: ({ n }) => ({ n: Number(n) }),
			request: () => ({ service: 'main', method: 'GET', path: '/', query: {} }),
			read,
			output: [],
		});
		const body = { status: true };
		const outcomes = [1, 2, 3].map((n) =>
			outcomeOf(settle(operation, callOf(operation, { n }), { kind: 'ok', status: 203, body })),
		);
		expect(outcomes).toEqual(['positive', 'negative', 'unknown']);
		expect(read.mock.calls).toEqual([1, 2, 3].map((n) => [body, 203, { n }]));
	});
});

describe('the pool', () => {
	const turn = async () => await new Promise((resolve) => setImmediate(resolve));

	/** Runs entries whose work ends only when the test says so. */
	function start(count: number, limit: number) {
		const started: number[] = [];
		const ended: number[] = [];
		const gates = new Map<number, { open: () => void; fail: (error: Error) => void }>();
		const entries = Array.from({ length: count }, (_, entry) => entry);
		const done = runBounded(entries, limit, async (entry) => {
			started.push(entry);
			await new Promise<void>((open, fail) => gates.set(entry, { open, fail }));
			ended.push(entry);
		});
		const end = async (entry: number) => {
			gates.get(entry)!.open();
			await turn();
		};
		return { started, ended, gates, done, end };
	}

	test('starts as many as the limit allows, the next when one ends, in order of entry', async () => {
		const { started, ended, done, end } = start(6, 3);
		expect(started).toEqual([0, 1, 2]);
		await end(1);
		expect(started).toEqual([0, 1, 2, 3]);
		await end(3);
		await end(0);
		expect(started).toEqual([0, 1, 2, 3, 4, 5]);
		for (const entry of [5, 2, 4]) await end(entry);
		await done;
		expect(ended).toEqual([1, 3, 0, 5, 2, 4]);
	});

	test.each([
		[0, 5],
		[1, 1],
		[7, 1],
		[7, 7],
		[7, 500],
		[1000, 20],
	])('runs each of %d entries once, at most %d at a time', async (count, limit) => {
		const runs: number[] = [];
		let now = 0;
		let peak = 0;
		await runBounded(
			Array.from({ length: count }, (_, entry) => entry),
			limit,
			async (entry) => {
				peak = Math.max(peak, (now += 1));
				runs.push(entry);
				for (let turns = 1 + (entry % 3); turns > 0; turns--) await turn();
				now -= 1;
			},
		);
		expect(runs).toEqual(Array.from({ length: count }, (_, entry) => entry));
		expect(peak).toBe(Math.min(count, limit));
	});

	test('rejects with the first rejection', async () => {
		const { gates, done } = start(3, 2);
		gates.get(1)!.fail(new Error('first'));
		await expect(done).rejects.toThrow('first');
		gates.get(0)!.open();
		await turn();
	});
});

describe('the receipt', () => {
	const EMPTY: Receipt = {
		items: 0,
		paidCalls: 0,
		freeCalls: 0,
		duplicates: 0,
		local: 0,
		failed: 0,
		lost: 0,
		credits: new Map(),
	};

	test.each<[text: string, receipt: Partial<Receipt>]>([
		['1 item · 1 free call · no credits spent', { items: 1, freeCalls: 1 }],
		['2 items · 0 paid calls · 2 answered locally · no credits spent', { items: 2, local: 2 }],
		[
			'1 item · 1 paid call · credits spent: phone 1',
			{ items: 1, paidCalls: 1, credits: new Map([['phone', { calls: 1, spent: 1 }]]) },
		],
		[
			'3 items · 3 paid calls · credits spent: phone 0',
			{ items: 3, paidCalls: 3, credits: new Map([['phone', { calls: 3, spent: 0 }]]) },
		],
		[
			'9 items · 4 paid calls · 1 duplicate saved · 2 answered locally · 2 failed · 1 lost reply that may have been charged · credits spent: whatsapp not stated',
			{
				items: 9,
				paidCalls: 4,
				duplicates: 1,
				local: 2,
				failed: 2,
				lost: 1,
				credits: new Map([['whatsapp', { calls: 4 }]]),
			},
		],
		[
			'9 items · 9 paid calls · 3 duplicates saved · 2 failed · 2 lost replies that may have been charged · credits spent: email 7',
			{
				items: 9,
				paidCalls: 9,
				duplicates: 3,
				failed: 2,
				lost: 2,
				credits: new Map([['email', { calls: 9, spent: 7 }]]),
			},
		],
	])('reads: %s', (text, receipt) => {
		expect(describeReceipt({ ...EMPTY, ...receipt })).toBe(text);
	});
});
