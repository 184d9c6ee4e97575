import type { IExecuteFunctions } from 'n8n-workflow';
import { openTransport, refused, type ServiceRequest, STOPPED, lostFailure } from '../../engine';
import { paid } from '../fakes/fakeSend';

const REQUEST: ServiceRequest = { service: 'main', method: 'GET', path: '/checkemail', query: {} };

type Network = (type: unknown, options: { abortSignal?: AbortSignal }) => Promise<unknown>;

/** Sends one request whose network does what the test says; n8n itself is tested elsewhere. */
async function sendOver(
	network: Network,
	timeoutMs = 1000,
	cancel?: AbortSignal,
	{ request = REQUEST, helpers = {} } = {},
) {
	return await (await transportOver(network, cancel, helpers)).send(request, timeoutMs);
}

async function transportOver(network: Network, cancel?: AbortSignal, helpers = {}) {
	const context = {
		getInputData: () => [],
		getCredentials: async () =>
			await Promise.resolve({ apiKey: 'key-1', baseUrl: 'https://api.example:8443/api/v1' }),
		getExecutionCancelSignal: () => cancel,
		helpers: { httpRequestWithAuthentication: network, ...helpers },
	};
	return await openTransport(context as unknown as IExecuteFunctions);
}

test('no request is sent after Stop', async () => {
	const network = jest.fn();
	expect(await sendOver(network, 1000, AbortSignal.abort())).toEqual(STOPPED);
	expect(network).not.toHaveBeenCalled();
});

describe('a file that the storage of n8n does not return', () => {
	/** Sends a file that is never read, on a network that must not be used. */
	const sendFile = async (timeoutMs: number, cancel?: AbortSignal) => {
		const network = jest.fn();
		const source = { item: 0, property: 'data', fileName: 'a.pdf', mimeType: 'x/y', bytes: 3 };
		const form = { fields: {}, file: { field: 'media', source } };
		const request: ServiceRequest = { ...REQUEST, method: 'POST', form };
		const never = async () => await new Promise<never>(() => undefined);
		const helpers = { assertBinaryData: () => ({ mimeType: 'x/y' }), getBinaryDataBuffer: never };
		const reply = await sendOver(network, timeoutMs, cancel, { request, helpers });
		expect(network).not.toHaveBeenCalled();
		return reply;
	};

	test('in time is unreadable, and nothing is sent', async () => {
		expect(await sendFile(10)).toEqual({
			...{ cause: 'storage', scope: 'question' },
			reason: `the file "a.pdf" can't be read: the file storage of n8n didn't answer within 0.01 seconds`,
		});
	});

	test('before Stop is no longer waited for', async () => {
		const stop = new AbortController();
		const reply = sendFile(1_000_000, stop.signal);
		stop.abort();
		expect(await reply).toEqual(STOPPED);
		expect(await sendFile(1_000_000, AbortSignal.abort())).toEqual(STOPPED);
	});
});

const failing = (error: object) => async () =>
	await Promise.reject(Object.assign(new Error('failed'), error));

/** Where n8n leaves the code of the HTTP library, on either line. */
const PLACES: Array<(code: string) => object> = [
	(code) => ({ code }),
	(code) => ({ httpCode: code }),
	(code) => ({ code: 400, cause: { code } }),
	(code) => ({ cause: { cause: { code } } }),
];
const NOT_REACHED = "can't connect to api.example:8443: ";
const NO_TLS = `${NOT_REACHED}the TLS connection failed (CODE)`;
const BROKEN = 'the connection broke before the answer arrived';
const NOT_UNPACKED = "the answer can't be decompressed";
const TEMPORARY = { isTransient: true };
const BOTH_ADDRESSES = ['connect ETIMEDOUT 192.0.2.1:443', 'connect ECONNREFUSED ::1:443'].map(
	(message) => new Error(message),
);
const TLS_ENDED = 'Client network socket disconnected before secure TLS connection was established';
const NOT_READY = `${NOT_REACHED}the connection broke before the request was sent`;

test.each<[codes: string, reason: string, when?: object, more?: object]>([
	['EPROTO CERT_HAS_EXPIRED CERT_NOT_YET_VALID UNABLE_TO_VERIFY_LEAF_SIGNATURE', NO_TLS],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY ERR_TLS_CERT_ALTNAME_INVALID', NO_TLS],
	['ERR_TLS_HANDSHAKE_TIMEOUT ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', NO_TLS],
	['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', BROKEN],
	['ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_BAD_RECORD_TYPE', BROKEN],
	['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE ECONNRESET EPIPE', BROKEN],
	[
		'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN',
		`${NOT_REACHED}its TLS certificate is self-signed`,
	],
	['ECONNREFUSED', `${NOT_REACHED}the connection was refused`, {}, TEMPORARY],
	['ENOTFOUND', `${NOT_REACHED}the host name is unknown`, {}, TEMPORARY],
	['EAI_AGAIN', `${NOT_REACHED}the host name couldn't be looked up`, {}, TEMPORARY],
	['EHOSTUNREACH ENETUNREACH', BROKEN, { syscall: 'read' }],
	[
		...(['EHOSTUNREACH', `${NOT_REACHED}there is no route to the host`] as const),
		...([{ syscall: 'connect' }, TEMPORARY] as const),
	],
	[
		...(['ENETUNREACH', `${NOT_REACHED}there is no route to the network`] as const),
		...([{ syscall: 'connect' }, TEMPORARY] as const),
	],
	['ECONNABORTED ETIMEDOUT', 'no answer arrived in time'],
	['ETIMEDOUT', `${NOT_REACHED}it took too long`, { errors: BOTH_ADDRESSES }, TEMPORARY],
	['ECONNRESET', NOT_READY, { syscall: 'connect' }, TEMPORARY],
	['ETIMEDOUT', 'no answer arrived in time', { errors: [BOTH_ADDRESSES[0], new Error('x')] }],
	['ECONNRESET', NOT_READY, { message: TLS_ENDED }, TEMPORARY],
	['ECONNRESET', NOT_READY, { messages: ['ECONNRESET', TLS_ENDED] }, TEMPORARY],
	['ERR_CANCELED', 'the execution was stopped before the answer arrived'],
	['SSL XCERT_HAS_EXPIRED ', 'the call ended for an unknown reason'],
	['HPE_INVALID_CONSTANT HPE_HEADER_OVERFLOW', "the answer isn't valid HTTP"],
	['Z_DATA_ERROR', NOT_UNPACKED],
	// n8n 1.x drops the code
	['', NOT_UNPACKED, { message: 'incorrect header check' }],
	['', BROKEN, { message: 'stream has been aborted' }],
])('the code %s, wherever it is, means: %s %j', async (...[codes, reason, when, more]) => {
	const cause = reason.startsWith(NOT_REACHED) ? 'unreachable' : 'lost';
	for (const code of codes.split(' ')) {
		const failure = { cause, scope: 'question', reason: reason.replace('CODE', code), ...more };
		for (const wrap of PLACES)
			expect(await sendOver(failing({ ...wrap(code), ...when }))).toEqual(failure);
	}
});

describe('the deadline of a call', () => {
	/** A network that only obeys its signal, as n8n's does: whatever n8n sets is the signal. */
	const obeying =
		(cancel?: AbortSignal) => async (_: unknown, options: { abortSignal?: AbortSignal }) => {
			options.abortSignal = cancel;
			const signal = options.abortSignal;
			return await new Promise((_resolve, reject) => {
				const end = () => reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
				if (signal?.aborted) end();
				signal?.addEventListener('abort', end);
			});
		};

	test('ends a call although the service goes on sending', async () => {
		expect(await sendOver(obeying(), 20)).toEqual(lostFailure('no answer arrived in time'));
	});

	test('is shared by eight that start together, since each signal lives for the whole time limit', async () => {
		jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
		const { signal } = new AbortController();
		const signals: unknown[] = [];
		const transport = await transportOver(async (_, options) => {
			options.abortSignal = signal;
			signals.push(options.abortSignal);
			return await Promise.resolve({ statusCode: 200, headers: {}, body: '{}' });
		}, signal);
		await Promise.all(Array.from({ length: 50 }, () => transport.send(REQUEST, 60_000)));
		jest.restoreAllMocks();
		expect(signals).toHaveLength(50);
		expect(new Set(signals).size).toBe(7);
	});

	test('does not keep Stop from ending the call before', async () => {
		const stop = new AbortController();
		const reply = sendOver(obeying(stop.signal), 60_000);
		stop.abort();
		expect(await reply).toMatchObject({
			cause: 'lost',
			reason: expect.stringMatching(/stopped/),
		});
	});
});

describe('the path of a paid call', () => {
	test.each([
		[
			'a refusal in the words of the service',
			'{"status":false,"error":"No such person"}',
			'question',
		],
		['no page of a gateway', '<html>Bad Request</html>', 'account'],
	])('is known after %s, so HTTP 404 is about one value or the URL', async (_, first, scope) => {
		const bodies = [first, 'not here'];
		const replies = [400, 404].map((statusCode, n) => ({
			statusCode,
			headers: {},
			body: bodies[n],
		}));
		const transport = await transportOver(async () => await Promise.resolve(replies.shift()));
		const send = transport.over(() => 1000);
		const asked = paid('/checkemail', { read: (body, head) => refused(body, head) as never });
		const call = { endpoint: asked, request: asked.request };
		const results = [await send(call), await send(call)];
		const failure = (scope: string) => ({ failure: { scope } });
		expect(results).toMatchObject([failure('question'), failure(scope)]);
	});
});
