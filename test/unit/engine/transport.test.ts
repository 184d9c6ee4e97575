import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { judge } from '../../../nodes/LookupMessaging/engine/judge';
import type { ServiceRequest } from '../../../nodes/LookupMessaging/engine/operation';
import { openTransport } from '../../../nodes/LookupMessaging/engine/transport';

const REQUEST: ServiceRequest = { service: 'main', method: 'GET', path: '/checkemail', query: {} };

/** Sends one request whose network does what the test says; n8n itself is tested elsewhere. */
async function sendOver(network: () => Promise<unknown>) {
	const context = {
		getInputData: () => [],
		getCredentials: async () =>
			await Promise.resolve({ apiKey: 'key-1', baseUrl: 'https://api.example:8443/api/v1' }),
		getExecutionCancelSignal: () => undefined,
		helpers: { httpRequestWithAuthentication: network },
	};
	const transport = await openTransport(context as unknown as IExecuteFunctions);
	return await transport.send(REQUEST, 1000);
}

const failing = (error: object) => async () =>
	await Promise.reject(Object.assign(new Error('failed'), error));

/** Where n8n leaves the code of the HTTP library, on either line. */
const PLACES: Array<[place: string, wrap: (code: string) => object]> = [
	['on the error', (code) => ({ code })],
	['as its HTTP code', (code) => ({ httpCode: code })],
	['on its cause', (code) => ({ code: 400, cause: { code } })],
	['on the cause of its cause', (code) => ({ cause: { cause: { code } } })],
];

describe.each(PLACES)('a network failure with its code %s', (_, wrap) => {
	test.each([
		'EPROTO',
		'ERR_SSL_WRONG_VERSION_NUMBER',
		'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'ERR_TLS_HANDSHAKE_TIMEOUT',
		'CERT_HAS_EXPIRED',
		'CERT_NOT_YET_VALID',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	])('of TLS (%s) is a service that cannot be reached', async (code) => {
		const reply = await sendOver(failing(wrap(code)));
		expect(reply).toEqual({
			kind: 'unreachable',
			reason: `api.example:8443: there is no TLS connection with it (${code})`,
		});
		expect(judge({ request: REQUEST, read: (body) => body }, reply)).toMatchObject({
			failure: { cause: 'unreachable', scope: 'question' },
		});
	});

	test.each([
		['DEPTH_ZERO_SELF_SIGNED_CERT', /self-signed/],
		['SELF_SIGNED_CERT_IN_CHAIN', /self-signed/],
	])('of a certificate (%s) is one too', async (code, words) => {
		expect(await sendOver(failing(wrap(code)))).toEqual({
			kind: 'unreachable',
			reason: expect.stringMatching(words),
		});
	});

	test.each([
		['ECONNREFUSED', /refused/],
		['ENOTFOUND', /host name is unknown/],
		['EAI_AGAIN', /looked up/],
	])('before anything was sent (%s) may pass', async (code, words) => {
		expect(await sendOver(failing(wrap(code)))).toEqual({
			kind: 'unreachable',
			reason: expect.stringMatching(words),
			isPassing: true,
		});
	});

	test.each(['EHOSTUNREACH', 'ENETUNREACH'])(
		'that may come at any time (%s) may pass when it came while connecting, and is a lost reply else',
		async (code) => {
			const early = Object.assign(wrap(code), { syscall: 'connect' });
			expect(await sendOver(failing(early))).toMatchObject({
				...{ kind: 'unreachable', isPassing: true },
				reason: expect.stringMatching(/no route/),
			});
			const late = Object.assign(wrap(code), { syscall: 'read' });
			expect(await sendOver(failing(late))).toMatchObject({ kind: 'lost' });
		},
	);

	test.each(['ECONNABORTED', 'ETIMEDOUT', 'ECONNRESET', 'EPIPE', 'ERR_CANCELED'])(
		'after the request went out (%s) is a lost reply',
		async (code) => {
			expect(await sendOver(failing(wrap(code)))).toMatchObject({ kind: 'lost' });
		},
	);

	test.each(['SSL', 'XCERT_HAS_EXPIRED', 'HPE_INVALID_CONSTANT', ''])(
		'that it does not know (%j) is a lost reply',
		async (code) => {
			expect(await sendOver(failing(wrap(code)))).toMatchObject({ kind: 'lost' });
		},
	);
});

describe('a reply', () => {
	const answering = (statusCode: number, body: unknown, headers: IDataObject = {}) =>
		sendOver(async () => await Promise.resolve({ statusCode, headers, body }));

	test('without a code of the network is a lost one', async () => {
		expect(await sendOver(failing({}))).toEqual({
			kind: 'lost',
			reason: 'the call broke off for an unknown reason',
		});
	});

	test.each([
		[200, '{"a":"key-1"}', { kind: 'ok', body: { a: '[API key]' } }],
		[404, '{"error":"Not Found"}', { kind: 'refused', body: { error: 'Not Found' } }],
		[404, 'Not Found', { kind: 'refused' }],
		[302, '', { kind: 'refused' }],
		[429, '{}', { kind: 'throttled' }],
		[503, '{}', { kind: 'lost' }],
		[200, '<html>', { kind: 'lost' }],
	])('of HTTP %d with %j is told by its kind', async (status, body, kind) => {
		expect(await answering(status, body)).toMatchObject({ ...kind, status });
	});

	test('that asks for a slower pace says for how long', async () => {
		expect(await answering(503, '', { 'retry-after': '7' })).toMatchObject({
			kind: 'throttled',
			retryAfterMs: 7000,
		});
	});
});
