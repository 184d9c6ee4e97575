import type { IDataObject, INode } from 'n8n-workflow';
import {
	type Answer,
	classify,
	defineOperation,
	describeFailure,
	describePollFailure,
	type Endpoint,
	type Failure,
	interpret,
	isFailed,
	isLocalAnswer,
	negative,
	type Operation,
	type Params,
	positive,
	type Reading,
	readRetryAfter,
	redactor,
	type ReplyHead,
	type Result,
	toEditorError,
	unclear,
	unknown,
	lostFailure,
	parameterFailure,
	STOPPED,
	storageFailure,
} from '../../engine';
import { getBalance } from '../../../nodes/LookupMessaging/operations/account/getBalance';
import { getStatus } from '../../../nodes/LookupMessaging/operations/account/getStatus';
import { lookUpCallerId } from '../../../nodes/LookupMessaging/operations/callerId/lookUp';
import { verifyEmail } from '../../../nodes/LookupMessaging/operations/email/verify';
import { locateIp } from '../../../nodes/LookupMessaging/operations/geoIp/locate';
import { validatePhone } from '../../../nodes/LookupMessaging/operations/phone/validate';
import { checkWhatsAppNumber } from '../../../nodes/LookupMessaging/operations/whatsApp/checkNumber';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { RIGHT } from '../../models/inputFields';
import { PRICE } from '../fakes/fakeSend';
import { inOneGo } from '../fakes/inOneGo';
import { httpError, ok } from '../fakes/replies';

const logFault = jest.fn();
afterEach(() => {
	expect(logFault).not.toHaveBeenCalled();
});

/** The call that an operation makes about one item. */
function endpointOf(operation: Operation<unknown>, params: Params): Endpoint<Reading> {
	const question = operation.prepare(params);
	if (isLocalAnswer(question)) throw new Error(question.reason);
	return {
		request: operation.request(question),
		credits: operation.credits?.(question),
		read: (body, head) => operation.read(body, head, question),
	};
}

const PAID = {
	phone: endpointOf(validatePhone, { phoneNumber: '+442079460123' }),
	caller: endpointOf(lookUpCallerId, { phoneNumber: '+442079460123' }),
	email: endpointOf(verifyEmail, { email: 'name@example.com' }),
	whatsApp: endpointOf(checkWhatsAppNumber, { phoneNumber: '+442079460123' }),
	place: endpointOf(locateIp, { ipAddress: '8.8.8.8' }),
};
/** The calls that cost nothing: of these one that fails says nothing of the others. */
const FREE = { balance: endpointOf(getBalance, {}), status: endpointOf(getStatus, {}) };
const CALLS = { ...PAID, ...FREE };
const isFree = (name: string) => name in FREE;

type Body = IDataObject | string;
/** A reply of HTTP, as it is read for a call. */
function replyTo(
	{ request }: Endpoint<unknown>,
	status: number,
	body: Body,
	headers: Record<string, string> = {},
) {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return inOneGo(classify({ statusCode: status, headers, body: text }, redactor('key-1'), request));
}
const resultOf = (endpoint: Endpoint<unknown>, ...reply: [number, Body, Record<string, string>?]) =>
	interpret(endpoint, replyTo(endpoint, ...reply), logFault);
function failureOf(result: Result): Failure {
	if (!isFailed(result)) throw new Error('The call was answered');
	return result.failure;
}

/** The outcome, or whom a refusal is about, or the cause of the failure; with a question mark if it may have been charged. */
function comesTo(result: Result): string {
	if (!isFailed(result)) return (result.value as Answer).outcome;
	const { cause, scope, mayHaveCost } = result.failure;
	expect(result.charge?.charged).toBe(mayHaveCost ? 'perhaps' : undefined);
	return `${cause === 'refused' ? scope : cause}${mayHaveCost ? '?' : ''}`;
}

/** What each piece of advice says, and no other does. */
const ADVICE = {
	url: /Check the (?:Base|Lookup) URL in the credential, including its version prefix such as \/api\/v1\.|Check the GeoIP URL in the credential\. It has no version prefix\./,
	key: /Check the API key in the credential, then run the item again\./,
	credits: /Add credits, then run the item again\./,
	account: /Check the API key in the credential and the credits in your account\./,
	value: /Check the value\./,
	balance: /Check your balance before you run the item again\./,
	later: /(?:Run the item again|Try again) later\./,
	address: /nter the final address in the credential\./,
	shorter: /Send a shorter text or a smaller file\./,
	proxy: /Put them into the proxy's URL in n8n's environment\./,
	pace: /Set Max Requests per Minute, or run the item again later\./,
};
type Advice = keyof typeof ADVICE;
const adviceIn = (text: string) =>
	Object.entries(ADVICE).flatMap(([name, words]) => (words.test(text) ? [name] : []));

/** Words that a service may add, as its `error`. */
const says = (error: string): IDataObject => ({ status: false, error });
const PAUSE = { 'retry-after': '7' };

test.each<
	[
		statuses: number[],
		body: Body,
		comesTo: string,
		advice: Advice,
		headers?: Record<string, string>,
	]
>([
	// The HTTP status alone
	[[400, 409, 422], '', 'question?', 'value'],
	[[401], '', 'account', 'key'],
	[[402], '', 'account', 'credits'],
	[[403], '', 'account', 'account'],
	[[404, 405], '', 'account', 'url'],
	[[407], '', 'account', 'proxy', { 'proxy-authenticate': 'Basic' }],
	[[407], '', 'question?', 'value'],
	[[407], { job: 1 }, 'question?', 'value', { 'proxy-authenticate': 'Basic' }],
	[[413, 414, 431], '', 'question', 'shorter'],
	[[408, 500, 502, 503], '', 'lost?', 'balance'],
	[[429], '', 'throttled', 'pace'],
	[[429, 503], '', 'throttled', 'pace', PAUSE],
	[[301, 302, 307, 308], '', 'account', 'address'],
	[[302], { status: 'INVALID' }, 'account', 'address'],
	[[302], { status: false }, 'account', 'address'],
	[[303], '', 'account?', 'address'],
	// The words, under any status
	[[200], { status: false }, 'question?', 'value'],
	[[200, 422], says('No such number'), 'question?', 'value'],
	[[400], { error: 'The question is required.' }, 'question?', 'value'],
	[[200, 422], says('Lookup failed, please try again.'), 'question?', 'balance'],
	[[200, 400, 403], says('Service temporarily unavailable'), 'question?', 'balance'],
	[[200, 403, 404], says('Invalid API key.'), 'account', 'key'],
	[[401], says('Who are you?'), 'account', 'key'],
	[[200, 400, 403, 422], says('API key expired'), 'account', 'key'],
	[[200, 402], says('Please recharge'), 'account', 'credits'],
	[[402], says('No.'), 'account', 'credits'],
	[[200, 400, 403, 422], says('Your balance is used up'), 'account', 'credits'],
	[[429], says('Out of credits'), 'account', 'credits'],
	[[429], says('Too many requests'), 'throttled', 'pace'],
	[[431], says('No.'), 'question', 'shorter'],
	// Forbidden: the value only if a field says so
	[[403], says('Access denied'), 'account', 'account'],
	[[403], { detail: 'Forbidden' }, 'account', 'account'],
	[[403], { errors: [{ message: 'Access denied' }], reason: '' }, 'account', 'account'],
	[[403], { detail: 'The API key you provided is invalid' }, 'account', 'key'],
	[[403], says('Your account is suspended'), 'account', 'account'],
	[[403], says('Account suspended'), 'question?', 'value'],
	[[403], { detail: 'This community is private' }, 'question?', 'value'],
	[[403], { reason: 'private', message: 'Forbidden', error: 403 }, 'question?', 'value'],
	[[403], { status: false, description: 'Number on our list' }, 'question?', 'value'],
	[[403], { status: false, message: { text: 'Number blocked' } }, 'question?', 'value'],
	[[403], { errors: [{ code: 179, message: 'You may not see it.' }] }, 'question?', 'value'],
	[[403], { title: 'Forbidden', status: 403, detail: 'Not for you' }, 'question?', 'value'],
	// Not found: the URL unless a field names the value
	[[404], { detail: 'Not Found' }, 'account', 'url'],
	[[404], { message: 'no Route matched with those values' }, 'account', 'url'],
	...[
		...['Not Found', 'not found.', '404 Not Found', 'Error: not found', 'No such route'],
		...['The requested URL was not found', 'Endpoint not found', 'Method Not Allowed'],
		'Cannot GET /api/v1/checkemail',
	].map((words): [number[], Body, string, Advice] => [[404, 405], says(words), 'account', 'url']),
	[[200, 400], says('Not Found'), 'question?', 'value'],
	[[404], { detail: 'Post not found' }, 'question?', 'value'],
	[[404], { errors: [{ code: 144, message: 'No status found with it.' }] }, 'question?', 'value'],
	[[404], says('Number not found'), 'question?', 'value'],
	[[405], says('Lookup failed'), 'question?', 'value'],
	[[400], { message: 'Numbering plan not found' }, 'question?', 'value'],
])(
	'HTTP %j with %j comes to %s, and the message advises about the %s alone',
	(...[statuses, body, expected, advice, headers]) => {
		for (const status of statuses) {
			for (const [name, endpoint] of Object.entries(PAID)) {
				// The GeoIP host has no words for a refusal
				if (name === 'place' && body !== '') continue;
				const result = resultOf(endpoint, status, body, headers);
				// Phone validation is a POST
				const came = name === 'phone' && advice === 'address' ? 'account?' : expected;
				expect([name, status, comesTo(result)]).toEqual([name, status, came]);
				const message = describeFailure(failureOf(result));
				expect([message, adviceIn(message)]).toEqual([message, [advice]]);
				const cost = came.endsWith('?') ? 'You may have been charged.' : "You weren't charged.";
				expect(message.endsWith(cost)).toBe(true);
				// Neither the editor nor a poll has items
				const node = { name: 'Node' } as INode;
				const others = [true, false].map((goesOn) =>
					describePollFailure(failureOf(result), goesOn),
				);
				const texts = [toEditorError(node, failureOf(result)).message, ...others];
				expect(texts.join('\n')).not.toMatch(/\bitems?\b/);
			}
		}
	},
);

test('a message has the words of the service once, and names the balance that is too small', () => {
	const SAYS = 'The service refused the request';
	const first = (body: Body, { status = 200, name = 'whatsApp' as keyof typeof PAID } = {}) =>
		describeFailure(failureOf(resultOf(PAID[name], status, body))).split(/(?<=\.) (?=[A-Z])/)[0];
	const isShort = says('Please recharge');
	expect([
		first({ status: false }),
		first(says('No such number')),
		first(says('Lookup failed, please try again.')),
		first('', { status: 400 }),
		first('', { status: 302 }),
		first(says('Number not found'), { status: 404 }),
		first(says('Your balance is used up')),
		...(['whatsApp', 'caller', 'email', 'phone'] as const).map((name) => first(isShort, { name })),
	]).toEqual([
		`${SAYS} and gave no reason.`,
		`${SAYS}: No such number.`,
		'Lookup failed, please try again.',
		`${SAYS} (HTTP 400).`,
		'The service redirects to another address (HTTP 302).',
		`${SAYS}: Number not found.`,
		`${SAYS}: Your balance is used up.`,
		...['WhatsApp', 'Caller ID', 'email', 'phone'].map((name) => `Not enough ${name} credits.`),
	]);
	const remedy = { forUser: 'Wait', forModel: 'Tell the user', more: 'More' };
	const own = { cause: 'budget', reason: 'too many', scope: 'question', remedy } as const;
	expect([false, true].map((isForModel) => describeFailure(own, isForModel))).toEqual([
		"Too many. Wait. You weren't charged.",
		"Too many. Tell the user. You weren't charged.",
	]);
});

test('a free call is never charged, and one without its path says nothing of the others', () => {
	for (const endpoint of Object.values(FREE)) {
		for (const status of [302, 303, 400, 401, 403, 404, 405, 500]) {
			const result = resultOf(endpoint, status, '');
			const isOfAll = [302, 303, 401, 403].includes(status);
			const cause = status === 500 ? 'lost' : isOfAll ? 'account' : 'question';
			expect([status, comesTo(result)]).toEqual([status, cause]);
		}
		expect(adviceIn(describeFailure(failureOf(resultOf(endpoint, 404, ''))))).toEqual(['url']);
		expect(adviceIn(describeFailure(failureOf(resultOf(endpoint, 500, ''))))).toEqual(['later']);
	}
});

test.each<[name: keyof typeof CALLS, body: IDataObject]>([
	['phone', { status: 'VALID_CONFIRMED' }],
	['caller', { success: true, name: 'Example Name' }],
	['email', { status: true, verdict: 'deliverable' }],
	['place', { status: true, country: 'GB' }],
	['whatsApp', { status: true, whatsapp: true }],
	['balance', { wa_balance: 0 }],
	['status', { status: true }],
])('the answer to %s is never a yes under an HTTP error: %j', (name, body) => {
	expect(comesTo(resultOf(CALLS[name], 200, body))).toBe('positive');
	// It shows that the path is there, and says how this call went
	for (const status of [400, 404, 405, ...(isFree(name) ? [] : [403])])
		expect([status, comesTo(resultOf(CALLS[name], status, body))]).toEqual([
			...[status, isFree(name) ? 'question' : 'question?'],
		]);
});

test.each([404, 405])('HTTP %d at a path that has answered is about the value', (status) => {
	for (const paid of Object.values(PAID)) {
		const endpoint = { ...paid, isPathKnown: true };
		for (const [body, words] of [
			['', `HTTP ${status}`],
			[{ error: 'Not found' }, 'Not found'],
		] as const) {
			const result = resultOf(endpoint, status, body);
			expect([comesTo(result), failureOf(result).refusal?.reason]).toEqual(['question?', words]);
			expect(adviceIn(describeFailure(failureOf(result)))).toEqual(['value']);
		}
		expect(comesTo(resultOf(endpoint, status, { error: 'Invalid API key.' }))).toBe('account');
	}
});

test('the page of a framework with HTTP 404 is no answer to any operation, so the URL may be wrong', () => {
	const pages = [
		{ detail: 'Not Found' },
		{ statusCode: 404, message: 'Cannot GET /api/v1/check', error: 'Not Found' },
		{ timestamp: 1, status: 404, error: 'Not Found', path: '/api/v1/check' },
		{ code: 404, path: '/api/v1/check' },
		{ type: 'about:blank', title: 'Not Found', status: 404, detail: 'No such resource' },
	];
	for (const operation of operations) {
		const prepared: unknown = operation.prepare({ ...RIGHT });
		// What an audit doesn't know it refuses under any HTTP error
		if (!('request' in operation) || isLocalAnswer(prepared) || operation.resource === 'audit')
			continue;
		const endpoint = endpointOf(operation as Operation<unknown>, { ...RIGHT });
		for (const page of endpoint.credits ? pages : [])
			expect([operation.value, page, comesTo(resultOf(endpoint, 404, page))]).toEqual([
				...[operation.value, page, 'account'],
			]);
	}
});

test.each<[status: number, body: Body, comesTo: string]>([
	[403, '', 'account?'],
	[403, { message: 'Forbidden' }, 'account?'],
	[403, { error: 'Invalid API key.' }, 'account'],
	[302, '', 'account?'],
	[429, '', 'lost?'],
	[429, says('Too many requests'), 'throttled'],
	[429, { ...says('Too many requests'), job: 'abc-def' }, 'lost?'],
	[401, { error: 'Invalid API key', sent: true }, 'account?'],
])('HTTP %d with %j after a call that acts comes to %s', (status, body, expected) => {
	expect(comesTo(resultOf({ ...PAID.email, effect: 'acts' }, status, body))).toBe(expected);
});

test('what Stop ends is to be run again, but not if its job goes on', () => {
	const jobs = [{ noun: 'batch', id: 'b-1', resume: 'Get' }];
	expect(describeFailure(STOPPED)).toMatch(/Run the item again\./);
	expect(describeFailure({ ...STOPPED, jobs })).toMatch(
		/Get the results later, because a new run would pay again\./,
	);
});

test('a reply that is a failure stays it, and a lost one of a paid call may have been charged', () => {
	for (const failure of [
		...[lostFailure('broken off'), parameterFailure('half'), storageFailure('gone'), STOPPED],
		{ cause: 'unreachable', reason: 'refused', scope: 'question' } as const,
		{ cause: 'misconfigured', reason: 'no Lookup URL', scope: 'account' } as const,
	]) {
		for (const [name, endpoint] of Object.entries(CALLS)) {
			const isOpen = failure.cause === 'lost' && !isFree(name);
			const result = interpret(endpoint, failure, logFault);
			expect(failureOf(result)).toEqual(isOpen ? { ...failure, mayHaveCost: true } : failure);
		}
	}
});

describe('the read function of an operation', () => {
	const READINGS: Reading[] = [positive({}), negative({}), unknown({}), unclear({}, 'odd')];
	const read = jest.fn((_body: IDataObject, _head: ReplyHead, { n }: { n: number }) => READINGS[n]);
	const operation = defineOperation<{ n: number }>({
		...{ resource: 'test', value: 'ask', name: 'Ask', action: 'Ask question' },
		...{ description: 'Asks', fields: [], rules: {}, output: [], read },
		prepare: ({ n }) => ({ n: Number(n) }),
		request: () => ({ service: 'main', method: 'GET', path: '/', query: {} }),
	});
	const body = { status: true };
	const credits = { balance: 'phone', cost: 'not stated' } as const;
	const each = (status: number, more: Partial<Endpoint<Reading>> = {}, sent: Body = body) =>
		[0, 1, 2, 3]
			.map((n) => comesTo(resultOf({ ...endpointOf(operation, { n }), ...more }, status, sent)))
			.join(' ');
	beforeEach(() => read.mockClear());

	test('receives the body, the status, the headers, the request and the lookup', () => {
		const endpoint = endpointOf(operation, { n: 0 });
		const headers = { location: '/jobs/1' };
		expect(resultOf(endpoint, 203, body, headers)).toMatchObject({ body });
		const head = { status: 203, headers, request: operation.request({}) };
		expect(read.mock.calls).toEqual([[body, head, { n: 0 }]]);
	});

	test.each<[statuses: number[], ofPaid: string, ofFree: string]>([
		[[200], 'positive negative unknown unknown', 'positive negative unknown unknown'],
		[[202], 'positive unknown unknown unknown', 'positive negative unknown unknown'],
		[[400, 410, 422], 'question? negative unknown question?', 'question negative unknown question'],
		[[404], 'question? negative unknown account', 'question negative unknown question'],
		[[401, 402], 'account account account account', 'account account account account'],
		[
			[406, 409, 412, 413, 425, 428, 431, 451, 499],
			'question? question? unknown question?',
			'question negative unknown question',
		],
		[[403], 'question? question? unknown account', 'question negative unknown account'],
	])('is heard under HTTP %j where its paid answers mean %s', (statuses, ofPaid, ofFree) => {
		for (const status of statuses) {
			const isUnread = [413, 431].includes(status);
			const paid = isUnread ? ofPaid.replaceAll('?', '') : ofPaid;
			expect([status, each(status, { credits }), each(status)]).toEqual([status, paid, ofFree]);
		}
	});

	test('is not called for a redirect or without a body', () => {
		each(302);
		each(404, {}, '');
		expect(read).not.toHaveBeenCalled();
	});

	test('keeps all that it read in a refusal', () => {
		const refusal = { scope: 'question', reason: 'no such tool', code: -32601 } as const;
		for (const reply of [ok(body), httpError(422, body)]) {
			const result = interpret({ ...PAID.email, read: () => refusal }, reply, logFault);
			expect(failureOf(result).refusal).toBe(refusal);
		}
	});

	test('that throws is a fault, logged with its exception, whose paid answer is returned unchanged', () => {
		const broken = new TypeError('x is undefined');
		const read = () => {
			throw broken;
		};
		for (const [paid, reply] of [
			...([{}, { credits }] as const).flatMap((paid) =>
				[ok(body), httpError(422, body)].map((reply) => [paid, reply] as const),
			),
		]) {
			const log = jest.fn();
			const mayHaveCost = 'credits' in paid;
			const reason = "this node couldn't process the service's answer";
			const request = { service: 'main', method: 'GET', path: '/broken' } as const;
			const result = interpret({ request, read, ...paid }, reply, log);
			expect(failureOf(result)).toEqual({
				...{ cause: 'fault', reason, scope: 'question', mayHaveCost },
				...(mayHaveCost && 'kind' in reply && reply.kind === 'ok' && { reply: body }),
			});
			expect(log.mock.calls).toEqual([['reading the answer of /broken', broken]]);
		}
	});
});

describe('the text of a reply', () => {
	const endpoint: Endpoint<unknown> = { ...PAID.email, credits: PRICE };
	const NO_OBJECT = "the answer isn't a JSON object";
	const JOB = '{"batch_id":"key-1/b-77","total_numbers":3,"stat';
	const NAMED = '. It names the batch "[API key]/b-77"';
	const huge = `{"padding":"${'x'.repeat(64 * 2 ** 20)}"}`;
	const manyParts = `{"data":[{"a":"key-1"},${'{},'.repeat(10_000)}1]}`;
	const deep = `{"a":${'['.repeat(600)}"key-1"${']'.repeat(600)}}`;
	const kept = (text: string, reason: string) => {
		const body = { text: text.replace('key-1', '[API key]') };
		return { kind: 'asText', body, reason, size: text.length };
	};

	test('is read, or kept without the key, or lost for a reason', () => {
		for (const [status, body, expected] of [
			[200, '{"a":"key-1"}', { kind: 'ok', body: { a: '[API key]' } }],
			[200, manyParts.replaceAll('{}', '11'), { kind: 'ok' }],
			[404, '{"error":"x"}', { kind: 'httpError', body: { error: 'x' } }],
			[404, 'Not Found', { kind: 'httpError', body: undefined }],
			[400, manyParts, { kind: 'httpError', body: undefined }],
			[400, huge, { kind: 'httpError', body: undefined }],
			[200, '["key-1"]', kept('["key-1"]', NO_OBJECT)],
			[200, ' [1, 2]\n', kept(' [1, 2]\n', NO_OBJECT)],
			[200, manyParts, kept(manyParts, 'the answer has more parts than this node takes apart')],
			[200, deep, kept(deep, 'the answer is nested too deeply to read')],
			[200, `[${JOB}":1}]`, kept(`[${JOB}":1}]`, `${NO_OBJECT}${NAMED}`)],
			...['<html>', '"text"', '[{"a":1}', '[]', '[x] an error [y]', '{"batch_id":"b-7'].map(
				(text) => [200, text, lostFailure(`${NO_OBJECT} (HTTP 200)`, 200)] as const,
			),
			...[200, 400, 500].map(
				(status) =>
					[status, JOB, lostFailure(`${NO_OBJECT} (HTTP ${status})${NAMED}`, status)] as const,
			),
			[200, huge, lostFailure('the answer is larger than 64 MB', 200)],
			[408, '{"error":"x"}', lostFailure('the service gave up waiting (HTTP 408)', 408)],
		] as const)
			expect({ body: undefined, ...replyTo(endpoint, status, body) }).toMatchObject(expected);
	});

	test('that is kept may have been charged, unless a poll can ask again', () => {
		for (const body of [deep, '["key-1"]'])
			expect(resultOf(endpoint, 200, body)).toMatchObject({
				failure: { reply: { text: expect.stringContaining('[API key]') }, mayHaveCost: true },
				charge: { charged: 'perhaps' },
			});
		expect(comesTo(resultOf(FREE.balance, 200, '[1]'))).toBe('lost');
	});

	test.each([408, 429, 500, 503])(
		'of HTTP %d that names a new job or message took it',
		(status) => {
			const request = { ...endpoint.request, query: { batch_id: 'b-of-request' } };
			const isTaken = (body: string) => {
				const reply = replyTo({ ...endpoint, request }, status, body, PAUSE);
				return 'kind' in reply && reply.kind === 'httpError';
			};
			for (const body of [
				'{"error":"Too many requests","batch_id":"b-1"}',
				...['{"status":false,"data":{"message_id": 17}}', '{"auditId":"a-1"}'],
			])
				expect([body, isTaken(body)]).toEqual([body, true]);
			for (const body of [
				...['{"batch_id":null}', '{"batch_id":""}', '{"request_id":"b-1"}', '{}'],
				...['{"error":"batch_id is missing"}', '<p>"batch_id" 5</p>'],
				'{"error":"Slow down","batch_id":"b-of-request"}',
			])
				expect([body, isTaken(body)]).toEqual([body, false]);
		},
	);
});

const NOW = Date.parse('2026-11-22T16:00:00Z');

test.each<[pauseMs: number | undefined, headers: string[]]>([
	[0, ['0']],
	[1, ['0.0001']],
	[500, ['0.5']],
	[1_500, ['1.5']],
	[7_000, ['7', ' 7 ']],
	[
		30_000,
		[
			...['Sun, 22 Nov 2026 16:00:30 GMT', 'Sunday, 22-Nov-26 16:00:30 GMT'],
			...['Sun Nov 22 16:00:30 2026', '2026-11-22T16:00:30Z', '2026-11-22T17:00:30+01:00'],
		],
	],
	[
		undefined,
		[
			...['-1', '-0.5', '+2', '2, 2', '1,5', '2s', '2 seconds', '1e3', '0x10', '.5', '5.', ''],
			...[' ', 'soon', 'NaN', 'Infinity', '1'.repeat(400), '11/22/2027', 'Sun, soon', '2027-01'],
			...['Sun, 22 Nov 2026 16:00:00 GMT', 'Sun, 22 Nov 2026 15:59:59 GMT'],
			'2020-01-01T00:00:00Z',
		],
	],
])('a pause of %p ms is asked for by Retry-After %j', (pauseMs, headers) => {
	jest.spyOn(Date, 'now').mockReturnValue(NOW);
	for (const header of headers) {
		expect([header, readRetryAfter(header, NOW)]).toEqual([header, pauseMs]);
		const [failed, throttled] = [503, 429].map((status) =>
			replyTo(PAID.email, status, '', { 'retry-after': header }),
		);
		// Without a pause it may have been charged
		expect(failed).toMatchObject({ cause: pauseMs === undefined ? 'lost' : 'throttled' });
		expect(throttled).toMatchObject({ cause: 'throttled', retryAfterMs: pauseMs });
	}
	jest.restoreAllMocks();
});

describe.each([429, 503])('HTTP %d to a call that acts', (status) => {
	const isUndone = (body: IDataObject) => {
		const reply = replyTo(PAID.email, status, { message: 'Too many requests', ...body }, PAUSE);
		expect(reply).toMatchObject({ cause: 'throttled' });
		return 'isInWords' in reply && reply.isInWords === true;
	};

	test('may have been done if the reply has more than a refusal', () => {
		const replies: IDataObject[] = [
			...['queued', 'sent', 'accepted', 'success', true].map((status) => ({ status })),
			...[{ sent: true }, { success: 'true' }, { charged: true }, { id: '3EB0A1B2' }],
			...[{ msg_id: 'm-17' }, { taskId: 'task-1' }, { data: { id: 'wamid.HBgL' } }],
			...[{ enqueued: true }, { queueId: 'q-12345' }, { sid: 'SM1' }, { uuid: 'u' }, { queued: 1 }],
			...[{ batch: { id: 'abc-def' } }, { job: 'abc-def' }],
			...[
				'Too many requests. Message accepted for later delivery',
				'Rate limit reached, your message is queued and will be sent shortly',
				'Rate limit exceeded: the message was sent but not confirmed',
				'Rate limit reached, message added to queue',
				'Too many requests. Your message has been enqueued',
				'Slow down! We will deliver your message when possible',
				'Requests limit reached. Message processed',
			].map((error) => ({ error })),
			...['status', 'success'].map((flag) => ({ [flag]: true, message: 'Rate limit exceeded' })),
		];
		expect(replies.filter(isUndone)).toEqual([]);
	});

	test('was not done if the reply says no more than that the pace was too fast', () => {
		const replies: IDataObject[] = [
			...[{ jsonrpc: '2.0', id: 2 }, { detail: 'Slow down' }, { retry_after: 3 }, {}],
			...[{ type: 'about:blank', title: 'Slow down' }, { status: 'error' }, { sent: false }],
			...[{ id: '429' }, { status: 429 }, { code: 'slow' }, says('Rate limit exceeded')],
			...[
				'Too many messages sent, slow down',
				"Rate limit exceeded. Your message wasn't sent",
				'Too many requests. The message could not be queued or sent',
				'Rate limit: 20 messages sent per minute',
				'Slow down. No credits were charged',
			].map((error) => ({ error })),
		];
		expect(replies.filter((body) => !isUndone(body))).toEqual([]);
	});
});
