import type { IDataObject } from 'n8n-workflow';
import {
	defineOperation,
	describeFailure,
	type Endpoint,
	type Failed,
	type Failure,
	interpret,
	isLocalAnswer,
	negative,
	type Operation,
	type Params,
	positive,
	type Reading,
	type Reply,
	type ReplyHead,
	type ServiceName,
	type Success,
	unclear,
	unknown,
	lostFailure,
	STOPPED,
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
import { answered, httpError, ok } from '../fakes/replies';

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

const logFault = jest.fn();

afterEach(() => {
	expect(logFault).not.toHaveBeenCalled();
});

const CALLS = {
	phone: [validatePhone, { phoneNumber: '+442079460123' }],
	caller: [lookUpCallerId, { phoneNumber: '+442079460123' }],
	email: [verifyEmail, { email: 'name@example.com' }],
	place: [locateIp, { ipAddress: '8.8.8.8' }],
	whatsApp: [checkWhatsAppNumber, { phoneNumber: '+442079460123' }],
	balance: [getBalance, {}],
	status: [getStatus, {}],
} satisfies Record<string, [unknown, Params]>;
type Call = keyof typeof CALLS;

function interpreted(name: Call, reply: Reply) {
	const [operation, params] = CALLS[name];
	return interpret(endpointOf(operation, params), reply, logFault);
}
test('a proxy that asks for a password is free and ends the run, and no answer of the service counts as one', () => {
	const headers = { 'proxy-authenticate': 'Basic' };
	const refusal = { kind: 'httpError', status: 407, headers } as const;
	const free = interpreted('email', refusal);
	expect(free).toMatchObject({ failure: { cause: 'refused', scope: 'account' } });
	expect(free.charge).toBeUndefined();
	expect(describeFailure((free as Failed).failure)).toBe(
		"The proxy of n8n wants a user name and password (HTTP 407). Put them into the proxy's URL in n8n's environment. You weren't charged.",
	);
	for (const reply of [
		{ ...refusal, body: { job: 1 } },
		{ ...refusal, headers: {} },
	])
		expect(interpreted('email', reply)).toMatchObject({ charge: { charged: 'perhaps' } });
});

/** The calls that cost nothing: of these one that fails says nothing of the others. */
const FREE: Call[] = ['balance', 'status'];
/** Statuses of a path that the host does not know, as every further paid call of the run would find. */
const NO_PATH = [404, 405];

/** The failure of a call: a paid one that was lost, or whose question was refused, may have been charged. */
const failed = (name: Call, failure: Failure): Failure => {
	const { cause, scope } = failure;
	const isOpen = cause === 'lost' || (cause === 'refused' && scope === 'question');
	return isOpen && !FREE.includes(name) ? { ...failure, mayHaveCost: true } : failure;
};

/** The failure under an HTTP status whose body is no answer. */
const bare = (name: Call, status: number): Failure =>
	failed(name, {
		cause: 'refused',
		reason: `the service refused the request (HTTP ${status})`,
		scope:
			[401, 402, 403].includes(status) || (NO_PATH.includes(status) && !FREE.includes(name))
				? 'account'
				: 'question',
		status,
		...ofPath(name, status),
	});
/** The failure of a paid call whose path exists under a status of one that does not. */
const notFound = (name: Call, status: number, words = `HTTP ${status}`): Failure =>
	failed(name, {
		...{ cause: 'refused', reason: `the service refused the request: ${words}` },
		...{ scope: 'question', status, refusal: { scope: 'question', reason: words } },
		...ofPath(name, status),
	});
/** Whose URL may be wrong. */
const ofPath = (name: Call, status: number) =>
	NO_PATH.includes(status) && { service: SERVICES[name] ?? 'main' };
/** What each says to check. SPEC §9: the path of the geolocation host has no version prefix. */
const URL_HELP: { [name in ServiceName]?: string } = {
	main: 'Check the Base URL in the credential, including its version prefix such as /api/v1.',
	lookup: 'Check the Lookup URL in the credential, including its version prefix such as /api/v1.',
	geoip: 'Check the GeoIP URL in the credential. It has no version prefix.',
};
/** The service of each call, where it is not the main one. */
const SERVICES: { [name in Call]?: ServiceName } = {
	phone: 'lookup',
	caller: 'lookup',
	place: 'geoip',
};
/** The calls whose service tells a refusal from an answer by the body alone. */
const refusing: Call[] = ['phone', 'caller', 'email', 'whatsApp', 'balance'];
const every = Object.keys(CALLS) as Call[];

function failureOf(result: Failed | Success): Failure {
	if (!('failure' in result)) throw new Error('The call was answered');
	return result.failure;
}

const outcomeOf = (result: Failed | Success): string =>
	'failure' in result ? result.failure.cause : (result.value as { outcome: string }).outcome;

describe('the reply to a call', () => {
	test.each<Call>(['phone', 'balance'])(
		'of %s keeps a text, and says what it may have cost',
		(name) => {
			const body = { text: '{"a":[{},{}]}' };
			const reason = 'the answer has more parts than this node takes apart';
			const reply: Reply = { kind: 'asText', status: 200, reason, body, size: 13 };
			const about = { cause: 'refused', scope: 'question', reason, status: 200 } as const;
			const refusal = { scope: 'question', reason, isOwn: true, mayHaveCost: true } as const;
			const failure = { ...about, refusal, reply: body, size: 13 };
			expect(interpreted(name, reply)).toMatchObject({ failure: failed(name, failure) });
		},
	);

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
	])('of %s is never a yes under HTTP %d: %j', (name, status, body) => {
		expect(outcomeOf(interpreted(name, ok(body)))).toBe('positive');
		const isPaidAnswer = NO_PATH.includes(status) && !FREE.includes(name);
		// Unlike a bare 403, it says how this call went
		const ofValue = failed(name, { ...bare(name, status), scope: 'question' } as Failure);
		const expected = status === 403 ? ofValue : bare(name, status);
		expect(failureOf(interpreted(name, httpError(status, body)))).toEqual(
			isPaidAnswer ? notFound(name, status) : expected,
		);
	});

	test.each(NO_PATH)('under HTTP %d at a path that has answered is about the value', (status) => {
		for (const name of every.filter((one) => !FREE.includes(one))) {
			const [operation, params] = CALLS[name];
			const endpoint = { ...endpointOf(operation, params), isPathKnown: true };
			const failureWith = (body?: IDataObject) =>
				failureOf(interpret(endpoint, httpError(status, body), logFault));
			expect(failureWith()).toEqual(notFound(name, status));
			const words = failureWith({ error: 'Not found' });
			expect(words).toEqual(notFound(name, status, 'Not found'));
			expect(describeFailure(words)).toMatch(/Check the value\..*may have been charged/);
			const ofKey = failureWith({ error: 'Invalid API key.' });
			expect([ofKey.scope, ofKey.mayHaveCost]).toEqual(['account', undefined]);
		}
	});

	test('under HTTP 404 takes the page of a framework for no answer, so the URL may be wrong', () => {
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
			const isOwn = operation.resource === 'audit';
			if (!('request' in operation) || isLocalAnswer(prepared) || isOwn) continue;
			const endpoint = {
				request: operation.request(prepared),
				credits: operation.credits?.(prepared),
				read: (body: IDataObject, head: ReplyHead) => operation.read(body, head, prepared),
			};
			for (const page of endpoint.credits ? pages : []) {
				const failure = failureOf(interpret(endpoint, httpError(404, page), logFault));
				expect([operation.value, page, failure.scope]).toEqual([operation.value, page, 'account']);
				expect(failure.mayHaveCost).toBeUndefined();
			}
		}
	});

	test.each([404, 405])('under HTTP %d with words about the path is a wrong URL', (status) => {
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
				const failure = failureOf(interpreted(name, httpError(status, { status: false, error })));
				if (!FREE.includes(name)) expect([name, failure]).toEqual([name, bare(name, status)]);
				else expect(failure).toMatchObject({ scope: 'question', refusal: { reason: error } });
			}
		}
	});

	test.each<[status: number, body: IDataObject, scope: string]>([
		[403, { detail: 'This community is private' }, 'question'],
		[403, { reason: 'private', message: 'Forbidden', error: 403 }, 'question'],
		[403, { status: false, description: 'Number is on our do-not-lookup list' }, 'question'],
		[403, { status: false, message: { text: 'Number blocked for privacy' } }, 'question'],
		[403, { errors: [{ code: 179, message: 'You may not see this status.' }] }, 'question'],
		[403, { title: 'Forbidden', status: 403, detail: 'You may not view this' }, 'question'],
		[404, { detail: 'Post not found' }, 'question'],
		[404, { errors: [{ code: 144, message: 'No status found with that ID.' }] }, 'question'],
		[400, { message: 'Numbering plan not found' }, 'question'],
		[403, { detail: 'Forbidden' }, 'account'],
		[403, { errors: [{ message: 'Access denied' }], reason: '' }, 'account'],
		[403, { detail: 'The API key you provided is invalid' }, 'account'],
		[404, { detail: 'Not Found' }, 'account'],
		[404, { message: 'no Route matched with those values' }, 'account'],
	])('under HTTP %d is about the value only if a field says so: %j', (status, body, scope) => {
		for (const name of ['phone', 'whatsApp', 'place'] as const) {
			const failure = failureOf(interpreted(name, httpError(status, body)));
			expect(failure).toMatchObject({ cause: 'refused', scope });
		}
	});

	test.each([
		[401, { error: 'Invalid API key.' }, 'account'],
		[402, { status: false, error: 'Please recharge' }, 'account'],
		[200, { status: false, error: 'Invalid API key.' }, 'account'],
		[403, { status: false, error: 'Your account is suspended' }, 'account'],
		[403, { status: false, error: 'Account suspended' }, 'question'],
		[403, { status: false, error: 'Access denied' }, 'account'],
		[401, { status: false, error: 'Who are you?' }, 'account'],
		[400, { error: 'The question is required.' }, 'question'],
		[400, { status: false, error: 'Not Found' }, 'question'],
		[200, { status: false, error: 'Not Found' }, 'question'],
		[422, { status: false, error: 'Lookup failed' }, 'question'],
		[404, { status: false, error: 'Number not found' }, 'question'],
		[405, { status: false, error: 'Lookup failed' }, 'question'],
		[404, { status: false, error: 'Invalid API key.' }, 'account'],
		[200, { status: false, error: 'Insufficient balance' }, 'account'],
	] as const)(
		'under HTTP %d keeps the words of the refusal %j, with the scope %s',
		(status, body, scope) => {
			for (const name of refusing) {
				const failure = failureOf(interpreted(name, answered(status, body)));
				expect([name, failure]).toMatchObject([
					name,
					failed(name, {
						...{ cause: 'refused', scope, status, ...ofPath(name, status) },
						reason: expect.any(String) as string,
						refusal: { scope, reason: body.error },
					}),
				]);
			}
		},
	);

	test.each([400, 401, 402, 403, 409, 422, ...NO_PATH])(
		'under HTTP %d without a body is a refusal, of the URL only if there is no such path',
		(status) => {
			for (const name of every) {
				const failure = failureOf(interpreted(name, httpError(status)));
				expect(failure).toEqual(bare(name, status));
				const help = URL_HELP[SERVICES[name] ?? 'main'];
				expect(describeFailure(failure).includes(help!)).toBe(NO_PATH.includes(status));
			}
		},
	);

	test('under HTTP 403 without more words may have come after what a call does was done', () => {
		const [operation, params] = CALLS.phone;
		const endpoint = endpointOf(operation, params);
		const costs = (effect: 'acts' | undefined, body?: IDataObject) =>
			failureOf(interpret({ ...endpoint, effect }, httpError(403, body), logFault)).mayHaveCost;
		expect([costs('acts'), costs('acts', { message: 'Forbidden' })]).toEqual([true, true]);
		expect(costs('acts', { error: 'Invalid API key.' })).toBeUndefined();
		expect(costs(undefined)).toBeUndefined();
	});

	test.each([301, 302, 303, 307, 308])('is no answer in the redirect %d', (status) => {
		for (const body of [undefined, { status: 'INVALID' }, { status: false }]) {
			for (const name of every) {
				const isDone = !FREE.includes(name) && (status === 303 || name === 'phone');
				expect(failureOf(interpreted(name, httpError(status, body)))).toEqual({
					cause: 'refused',
					reason: `the service redirects to another address (HTTP ${status})`,
					scope: 'account',
					status,
					// Phone validation is a POST, and 303 says where the answer to a call is
					...(isDone && { mayHaveCost: true }),
				});
			}
		}
	});

	test.each<Failure & Reply>([
		{ cause: 'throttled', status: 429, reason: 'too fast', scope: 'question' },
		{
			...{ cause: 'throttled', status: 503, retryAfterMs: 7000 },
			...{ reason: 'too fast', scope: 'question' },
		},
		{ cause: 'unreachable', reason: 'refused', scope: 'question' },
		lostFailure('broken off'),
		lostFailure('failed', 502),
		{ cause: 'misconfigured', reason: 'no Lookup URL', scope: 'account' },
		{ cause: 'storage', reason: 'the file is gone', scope: 'question' },
		STOPPED,
	])('without an answer is the failure, which may have cost if it was lost: %j', (reply) => {
		for (const name of every) {
			expect(failureOf(interpreted(name, reply))).toEqual(failed(name, reply));
		}
	});

	describe('with its own read function', () => {
		const READINGS: Reading[] = [positive({}), negative({}), unknown({}), unclear({}, 'odd')];
		const read = jest.fn(
			(_body: IDataObject, _head: ReplyHead, { n }: { n: number }) => READINGS[n],
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
		const credits = { balance: 'phone', cost: 'not stated' } as const;
		const outcomes = (reply: Reply, more: Partial<Endpoint<Reading>> = {}) =>
			[0, 1, 2, 3].map((n) =>
				outcomeOf(interpret({ ...endpointOf(operation, { n }), ...more }, reply, logFault)),
			);

		beforeEach(() => read.mockClear());

		test('receives the body, the status, the headers, the request and the lookup', () => {
			const headers = { location: '/jobs/1' };
			outcomes({ kind: 'ok', status: 203, headers, body });
			const head = { status: 203, headers, request: operation.request({}) };
			expect(read.mock.calls).toEqual([0, 1, 2, 3].map((n) => [body, head, { n }]));
		});

		test('is an answer under HTTP success, with the unchanged body', () => {
			expect(outcomes(ok(body))).toEqual(['positive', 'negative', 'unknown', 'unknown']);
			const result = interpret(endpointOf(operation, { n: 0 }), ok(body), logFault);
			expect('body' in result && result.body).toBe(body);
		});

		test('is only a recognized no or unknown under an HTTP error, free or paid', () => {
			const expected = ['refused', 'negative', 'unknown', 'refused'];
			for (const status of [400, 404, 410, 422]) {
				expect(outcomes(httpError(status, body))).toEqual(expected);
				expect(outcomes(httpError(status, body), { credits })).toEqual(expected);
			}
		});

		test.each([401, 402])('is no answer under HTTP %d, which is about the account', (status) => {
			for (const n of [0, 1, 2, 3]) {
				const result = interpret(endpointOf(operation, { n }), httpError(status, body), logFault);
				expect(failureOf(result)).toMatchObject({ cause: 'refused', scope: 'account', status });
			}
		});

		test('is no no under an HTTP status by which the service has not looked', () => {
			for (const status of [403, 406, 409, 412, 413, 425, 428, 431, 451, 499]) {
				const [, no] = outcomes(httpError(status, body), { credits });
				expect([status, no]).toEqual([status, 'refused']);
			}
			expect(outcomes(ok(body, 202), { credits })[1]).toBe('unknown');
		});

		test('is not read in a redirect or without a body', () => {
			outcomes(httpError(302, body));
			outcomes(httpError(404));
			expect(read).not.toHaveBeenCalled();
		});

		test('keeps all that it read in a refusal', () => {
			const refusal: Reading = {
				scope: 'question',
				reason: 'no such tool',
				code: -32601,
				mayHaveCost: true,
			};
			const call: Endpoint<Reading> = {
				request: { service: 'mcp', method: 'POST', path: '' },
				read: () => refusal,
			};
			for (const reply of [ok(body), httpError(422, body)]) {
				expect(failureOf(interpret(call, reply, logFault)).refusal).toBe(refusal);
			}
		});

		describe('that throws', () => {
			const broken = new TypeError('x is undefined');
			const throwing = (more: Partial<Endpoint<Reading>> = {}): Endpoint<Reading> => ({
				request: { service: 'main', method: 'GET', path: '/broken' },
				read: () => {
					throw broken;
				},
				...more,
			});
			test.each([
				['free', {}, false],
				['paid', { credits }, true],
			])('fails a %s call with a fault, and logs the exception', (_, more, mayHaveCost) => {
				for (const reply of [ok(body), httpError(422, body)]) {
					const log = jest.fn();
					expect(interpret(throwing(more), reply, log)).toMatchObject({
						failure: {
							cause: 'fault',
							reason: "this node couldn't process the service's answer",
							scope: 'question',
							mayHaveCost,
							// Paid answers are returned unchanged
							...(mayHaveCost && 'kind' in reply && reply.kind === 'ok' && { reply: body }),
						},
					});
					expect(log.mock.calls).toEqual([['reading the answer of /broken', broken]]);
				}
			});
		});
	});
});
