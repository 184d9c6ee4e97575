import type { IDataObject } from 'n8n-workflow';
import { describeFailure } from '../../../nodes/LookupMessaging/engine/errors';
import type { Failure } from '../../../nodes/LookupMessaging/engine/failure';
import {
	defineOperation,
	isLocalAnswer,
	negative,
	positive,
	talkAbout,
	unclear,
	unknown,
	type AnyOperation,
	type Given,
	type Reading,
} from '../../../nodes/LookupMessaging/engine/operation';
import { judge } from '../../../nodes/LookupMessaging/engine/judge';
import type { Exchange } from '../../../nodes/LookupMessaging/engine/talk';
import type { Reply } from '../../../nodes/LookupMessaging/engine/transport';
import { getBalance } from '../../../nodes/LookupMessaging/operations/account/getBalance';
import { getStatus } from '../../../nodes/LookupMessaging/operations/account/getStatus';
import { lookUpCallerId } from '../../../nodes/LookupMessaging/operations/callerId/lookUp';
import { verifyEmail } from '../../../nodes/LookupMessaging/operations/email/verify';
import { locateIp } from '../../../nodes/LookupMessaging/operations/geoIp/locate';
import { validatePhone } from '../../../nodes/LookupMessaging/operations/phone/validate';
import { checkWhatsAppNumber } from '../../../nodes/LookupMessaging/operations/whatsApp/checkNumber';
import { answered, ok, refused } from './replies';

/** The first call of the talk that an operation leads about one item. */
function exchangeOf(operation: AnyOperation, given: Given): Exchange<unknown> {
	const question = operation.prepare(given);
	if (isLocalAnswer(question)) throw new Error(question.reason);
	const { value: step } = talkAbout(operation, [question]).next();
	if (!('exchange' in step)) throw new Error(`${operation.value} does not begin with a call`);
	return step.exchange;
}

const CALLS = {
	phone: [validatePhone, { phoneNumber: '+442079460123' }],
	caller: [lookUpCallerId, { phoneNumber: '+442079460123' }],
	email: [verifyEmail, { email: 'name@example.com' }],
	place: [locateIp, { ipAddress: '8.8.8.8' }],
	whatsApp: [checkWhatsAppNumber, { phoneNumber: '+442079460123' }],
	balance: [getBalance, {}],
	status: [getStatus, {}],
} satisfies Record<string, [AnyOperation, Given]>;
type Call = keyof typeof CALLS;

function judged(name: Call, reply: Reply) {
	const [operation, given] = CALLS[name];
	return judge(exchangeOf(operation, given), reply);
}
/** The calls that cost nothing: of these one that fails says nothing of the others. */
const FREE: Call[] = ['balance', 'status'];
/** Statuses of a path that the host does not know, as every further paid call of the run would be told. */
const NO_PATH = [404, 405];

/** The failure under an HTTP status whose body is no answer. */
const bare = (name: Call, status: number): Failure => ({
	cause: 'refused',
	reason: `the service refused the request (HTTP ${status})`,
	scope: NO_PATH.includes(status) && !FREE.includes(name) ? 'account' : 'question',
	status,
});
/** The calls whose service tells a refusal from an answer by the body alone. */
const refusing: Call[] = ['phone', 'caller', 'email', 'whatsApp', 'balance'];
const every = Object.keys(CALLS) as Call[];

type Judgement = ReturnType<typeof judge>;

function failureOf(judgement: Judgement): Failure {
	if (!('failure' in judgement)) throw new Error('The call was answered');
	return judgement.failure;
}

const outcomeOf = (judgement: Judgement): string =>
	'failure' in judgement
		? judgement.failure.cause
		: (judgement.result as { outcome: string }).outcome;

describe('judging a call', () => {
	test.each<[name: Call, outcome: string, body: IDataObject]>([
		['phone', 'positive', { status: 'VALID_CONFIRMED', carrier: 'Example' }],
		['phone', 'negative', { status: 'INVALID' }],
		['phone', 'unknown', { status: 'LATER' }],
		['caller', 'unknown', { success: false, message: 'Caller lookup failed' }],
		['email', 'positive', { status: true, verdict: 'deliverable' }],
		['email', 'negative', { status: true, verdict: 'undeliverable' }],
		['email', 'unknown', { status: false, reason_code: 'network_timeout', error: 'Later' }],
		['whatsApp', 'negative', { status: true, whatsapp: false }],
		['whatsApp', 'unknown', { status: true }],
		['place', 'positive', { status: true, country: 'GB' }],
		['balance', 'positive', { status: true, wa_balance: 0 }],
		['status', 'negative', { status: false, message: 'Down for maintenance' }],
	])('of %s gives the answer %s with the body as it came', (name, outcome, body) => {
		const judgement = judged(name, ok(body));
		expect(judgement).toMatchObject({ result: { outcome } });
		expect('body' in judgement && judgement.body).toBe(body);
	});

	test.each<[name: Call, status: number, body: IDataObject]>([
		['phone', 400, { status: 'INVALID' }],
		['caller', 404, { success: false, message: 'Invalid phone number' }],
		['email', 422, { status: true, verdict: 'invalid_format', reason_code: 'invalid_syntax' }],
		['place', 404, { status: false, error: 'IP address could not be resolved.' }],
		['whatsApp', 404, { status: true, whatsapp: false }],
		['status', 400, { status: false }],
	])('of %s takes a no under HTTP %d for a no', (name, status, body) => {
		expect(outcomeOf(judged(name, refused(status, body)))).toBe('negative');
	});

	test.each<[name: Call, status: number, body: IDataObject]>([
		['caller', 422, { success: false, message: 'Caller lookup failed' }],
		['caller', 404, { success: true, name: null, valid: 'VALID_CONFIRMED' }],
		['email', 400, { status: false, reason_code: 'network_timeout', error: 'Later' }],
		['email', 422, { status: true, verdict: 'unknown', reason_code: 'catch_all' }],
		['place', 404, { status: false, error: 'Service temporarily unavailable' }],
	])('of %s takes a do-not-know that it recognises under HTTP %d for one', (name, status, body) => {
		const judgement = judged(name, refused(status, body));
		expect(outcomeOf(judgement)).toBe('unknown');
		expect('body' in judgement && judgement.body).toBe(body);
	});

	test.each<[name: Call, status: number, body: IDataObject]>([
		['phone', 400, { status: 'VALID_CONFIRMED' }],
		['caller', 404, { success: true, name: 'Example Name' }],
		['email', 404, { status: true, verdict: 'deliverable' }],
		['place', 403, { status: true, country: 'GB' }],
		['whatsApp', 404, { status: true, whatsapp: true }],
		['balance', 404, { wa_balance: 0 }],
		['status', 404, { status: true }],
		['phone', 404, { status: 'VALID_CONFIRMED' }],
		['email', 405, { status: true, verdict: 'deliverable' }],
		['status', 405, { status: true }],
	])('of %s never takes HTTP %d for a yes: %j', (name, status, body) => {
		expect(outcomeOf(judged(name, ok(body)))).toBe('positive');
		expect(failureOf(judged(name, refused(status, body)))).toEqual(bare(name, status));
	});

	test.each<[name: Call, body: IDataObject]>([
		['phone', { status: 'INVALID' }],
		['caller', { success: false, message: 'Invalid phone number' }],
		['caller', { success: true, name: null, valid: 'VALID_CONFIRMED' }],
		['email', { status: true, verdict: 'invalid_format' }],
		['email', { status: false, reason_code: 'network_timeout', error: 'Later' }],
		['place', { status: false, error: 'IP address could not be resolved.' }],
		['whatsApp', { status: true, whatsapp: false }],
		['status', { status: false }],
	])('of %s takes no answer under HTTP 401 and 402 for one: %j', (name, body) => {
		expect(['negative', 'unknown']).toContain(outcomeOf(judged(name, refused(400, body))));
		for (const status of [401, 402]) {
			expect(failureOf(judged(name, refused(status, body)))).toMatchObject({
				cause: 'refused',
				scope: 'account',
				status,
			});
		}
	});

	test.each<[name: Call, status: number, body: IDataObject]>([
		['phone', 404, {}],
		['phone', 400, { status: 'LATER' }],
		['caller', 404, { success: true }],
		['email', 422, { status: true }],
		['email', 405, { status: true }],
		['place', 404, { hello: 'world' }],
		['place', 409, { hello: 'world' }],
		['whatsApp', 404, { message: 'Not Found' }],
		['balance', 404, { message: 'Not Found' }],
		['status', 404, { message: 'Not Found' }],
	])('of %s takes what it does not recognise under HTTP %d for a refusal: %j', (...call) => {
		const [name, status, body] = call;
		expect(outcomeOf(judged(name, ok(body)))).toBe('unknown');
		expect(failureOf(judged(name, refused(status, body)))).toEqual(bare(name, status));
	});

	test.each([404, 405])('under HTTP %d takes words of the path for a wrong URL', (status) => {
		for (const error of [
			'Not Found',
			'not found.',
			'404 Not Found',
			'Error: not found',
			'The requested URL was not found',
			'Endpoint not found',
			'Cannot GET /api/v1/checkemail',
			'No such route',
			'Method Not Allowed',
		]) {
			for (const name of [...refusing, 'place'] as Call[]) {
				const failure = failureOf(judged(name, refused(status, { status: false, error })));
				if (!FREE.includes(name)) expect([name, failure]).toEqual([name, bare(name, status)]);
				else expect(failure).toMatchObject({ scope: 'question', refusal: { reason: error } });
			}
		}
	});

	test('takes the same words under any other HTTP status for a refusal of the question', () => {
		for (const status of [200, 400, 403, 422]) {
			for (const name of refusing) {
				const reply = answered(status, { status: false, error: 'Not Found' });
				expect(failureOf(judged(name, reply))).toMatchObject({
					scope: 'question',
					refusal: { refused: 'question', reason: 'Not Found' },
				});
			}
		}
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
		[404, { status: false, error: 'Number not found' }, 'question'],
		[405, { status: false, error: 'Lookup failed' }, 'question'],
		[404, { status: false, error: 'Invalid API key.' }, 'account'],
		[200, { status: false, error: 'Insufficient balance' }, 'account'],
	] as const)(
		'under HTTP %d keeps the words of the refusal %j, of the %s',
		(status, body, scope) => {
			for (const name of refusing) {
				expect([name, failureOf(judged(name, answered(status, body)))]).toEqual([
					name,
					{
						cause: 'refused',
						reason: `the service refused the request: ${body.error}`,
						scope,
						status,
						refusal: { refused: scope, reason: body.error },
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
		[409, 'question'],
		[422, 'question'],
	])('under HTTP %d without a body is a refusal of the %s', (status, scope) => {
		for (const name of every) {
			expect(failureOf(judged(name, refused(status)))).toEqual({
				cause: 'refused',
				reason: `the service refused the request (HTTP ${status})`,
				scope,
				status,
			});
		}
	});

	test.each(NO_PATH)(
		'under HTTP %d without a body speaks of a wrong URL, and a free call keeps nothing from being asked',
		(status) => {
			for (const name of every) {
				const failure = failureOf(judged(name, refused(status)));
				expect(failure).toEqual(bare(name, status));
				expect(failure.scope).toBe(FREE.includes(name) ? 'question' : 'account');
				expect(describeFailure(failure)).toContain('Check the URL in the credential');
				expect(describeFailure(failure)).toContain('Nothing was spent on it.');
			}
		},
	);

	test.each<[status: number, error: string]>([
		[404, 'Lookup failed'],
		[422, 'Lookup failed'],
		[404, 'Too bad'],
		[400, 'Not Found'],
	])('of place takes a failure under HTTP %d with the words %j for a refusal', (status, error) => {
		const body = { status: false, error };
		expect(outcomeOf(judged('place', ok(body)))).toBe('negative');
		expect(failureOf(judged('place', refused(status, body)))).toEqual({
			cause: 'refused',
			reason: `the service refused the request: ${error}`,
			scope: 'question',
			status,
			refusal: { refused: 'question', reason: error },
		});
	});

	test.each([301, 302, 303, 307, 308])('takes the redirect %d for no answer', (status) => {
		for (const body of [undefined, { status: 'INVALID' }, { status: false }]) {
			for (const name of every) {
				expect(failureOf(judged(name, refused(status, body)))).toEqual({
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
			{ kind: 'throttled', status: 503, reason: 'too fast', retryAfterMs: 7000 },
			{
				cause: 'throttled',
				status: 503,
				reason: 'too fast',
				scope: 'question',
				retryAfterMs: 7000,
			},
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
			{ kind: 'unreadable', reason: 'the file is gone' },
			{ cause: 'parameter', reason: 'the file is gone', scope: 'question' },
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
		for (const name of every) expect(failureOf(judged(name, reply))).toEqual(failure);
	});

	describe('with a reading of its own', () => {
		const READINGS: Reading[] = [positive({}), negative({}), unknown({}), unclear({}, 'odd')];
		const read = jest.fn(
			(_body: IDataObject, _status: number, { n }: { n: number }) => READINGS[n],
		);
		const operation = defineOperation<{ n: number }>({
			resource: 'test',
			value: 'ask',
			name: 'Ask',
			action: 'Ask question',
			description: 'Asks',
			fields: [],
			rules: {},
			prepare: ({ n }) => ({ n: Number(n) }),
			request: () => ({ service: 'main', method: 'GET', path: '/', query: {} }),
			read,
			output: [],
		});
		const body = { status: true };
		const outcomes = (reply: Reply) =>
			[0, 1, 2, 3].map((n) => outcomeOf(judge(exchangeOf(operation, { n }), reply)));

		beforeEach(() => read.mockClear());

		test('hands the reading the body, the status and the question that was asked', () => {
			outcomes(ok(body, 203));
			expect(read.mock.calls).toEqual([0, 1, 2, 3].map((n) => [body, 203, { n }]));
		});

		test('takes whatever was read under HTTP success', () => {
			expect(outcomes(ok(body))).toEqual(['positive', 'negative', 'unknown', 'unknown']);
		});

		test('takes the recognised no and do-not-know alone under an HTTP error', () => {
			const expected = ['refused', 'negative', 'unknown', 'refused'];
			for (const status of [400, 403, 404, 409, 422, 451]) {
				expect(outcomes(refused(status, body))).toEqual(expected);
			}
		});

		test('reads neither a redirect nor a reply without a body', () => {
			outcomes(refused(302, body));
			outcomes(refused(404));
			expect(read).not.toHaveBeenCalled();
		});

		test('keeps all that was read in a refusal', () => {
			const refusal: Reading = {
				refused: 'question',
				reason: 'no such tool',
				code: -32601,
				mayHaveCost: true,
			};
			const call: Exchange<Reading> = {
				request: { service: 'mcp', method: 'POST', path: '' },
				read: () => refusal,
			};
			for (const reply of [ok(body), refused(422, body)]) {
				expect(failureOf(judge(call, reply)).refusal).toBe(refusal);
			}
		});

		test('hands the reading of a call the headers of the reply', () => {
			const seen: unknown[] = [];
			judge(
				{
					request: { service: 'mcp', method: 'POST', path: '/' },
					read: (...reply) => seen.push(reply),
				},
				{ kind: 'ok', status: 201, headers: { location: '/jobs/1' }, body },
			);
			expect(seen).toEqual([[body, { status: 201, headers: { location: '/jobs/1' } }]]);
		});
	});
});
