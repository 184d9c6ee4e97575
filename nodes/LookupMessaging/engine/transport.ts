import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import type { ServiceRequest } from './operation';
import { redactor } from './redact';
import { apiKeyOf, parseUrl, ROOT_FIELDS, rootOf } from './roots';

/**
 * The one door: no other file calls n8n's HTTP helper. Whatever happens on the network comes back as a value.
 */

/** The credential type that every call is authenticated with. */
export const CREDENTIAL_TYPE = 'lookupMessagingApi';

/** What became of one call. */
export type Reply =
	/** An answer to be read: HTTP below 400 with a JSON object. */
	| { kind: 'ok'; status: number; body: IDataObject }
	/** HTTP 3xx or 4xx; `body` when it was a JSON object. Nothing was charged. */
	| { kind: 'refused'; status: number; body?: IDataObject }
	/** HTTP 429, or 503 with Retry-After: asked too fast. Nothing was charged. */
	| { kind: 'throttled'; status: number; reason: string }
	/** The request certainly never reached the service. Nothing was charged. */
	| { kind: 'unreachable'; reason: string }
	/** The request went out and no readable answer came back. It may have been charged. */
	| { kind: 'lost'; reason: string; status?: number }
	/** The execution was stopped before the request went out. Nothing was sent. */
	| { kind: 'cancelled' }
	/** The credential cannot be used for this request. Nothing was sent. */
	| { kind: 'misconfigured'; reason: string };

/** Sends requests of one execution. */
export interface Transport {
	/**
	 * Sends one request, once. Never throws for the network or the service.
	 * @param timeoutMs longest wait for the whole reply, in milliseconds
	 */
	send(request: ServiceRequest, timeoutMs: number): Promise<Reply>;
}

/** Failures to connect: the request was not sent (DNS, refused, no route, TLS). */
const NOT_SENT: Record<string, string> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'the host name is unknown',
	EAI_AGAIN: 'the host name could not be looked up',
	EHOSTUNREACH: 'there is no route to the host',
	ENETUNREACH: 'there is no route to the network',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host',
	CERT_HAS_EXPIRED: 'its TLS certificate has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate is self-signed',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate cannot be verified',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its TLS certificate cannot be verified',
};
/** Failures after the request may have been read. */
const LOST: Record<string, string> = {
	ECONNABORTED: 'no answer came in time',
	ETIMEDOUT: 'no answer came in time',
	ECONNRESET: 'the connection broke before the answer came',
	EPIPE: 'the connection broke before the answer came',
	ERR_CANCELED: 'the execution was stopped before the answer came',
};

/**
 * Opens the door for one execution of the node: the credential is fetched and decrypted once, not per call.
 * @throws what n8n throws when the node has no usable credential
 */
export async function openTransport(context: IExecuteFunctions): Promise<Transport> {
	const credentials = await context.getCredentials(CREDENTIAL_TYPE);
	const redact = redactor(apiKeyOf(credentials));

	return {
		async send(request, timeoutMs) {
			if (context.getExecutionCancelSignal()?.aborted) return { kind: 'cancelled' };
			const root = rootOf(credentials, request.service);
			if (!parseUrl(root)) return { kind: 'misconfigured', reason: rootProblem(root, request) };

			const options: IHttpRequestOptions = {
				method: request.method,
				url: `${root}${request.path}`,
				...(request.query && { qs: { ...request.query } }),
				...(request.body && { body: { ...request.body }, json: true }),
				// Replies are values: no exception, no second try with the same key after a 401, no redirect, no guessing at the body
				ignoreHttpStatusErrors: true,
				returnFullResponse: true,
				disableFollowRedirect: true,
				encoding: 'text',
				timeout: timeoutMs,
			};
			try {
				const response: RawResponse = await context.helpers.httpRequestWithAuthentication.call(
					context,
					CREDENTIAL_TYPE,
					options,
					// n8n writes into the data it is given, so every call gets its own copy
					{
						credentialsDecrypted: {
							id: '',
							name: '',
							type: CREDENTIAL_TYPE,
							data: { ...credentials },
						},
					},
				);
				return classify(response, redact);
			} catch (error) {
				return classifyError(error, root);
			}
		},
	};
}

interface RawResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

type Redact = ReturnType<typeof redactor>;

function classify({ statusCode: status, headers, body }: RawResponse, redact: Redact): Reply {
	const json = parseObject(body);
	if (status === 429 || (status === 503 && headers['retry-after'] !== undefined)) {
		return {
			kind: 'throttled',
			status,
			reason: `the service asks for a slower pace (HTTP ${status})`,
		};
	}
	if (status >= 500) {
		return { kind: 'lost', status, reason: `the service failed (HTTP ${status})` };
	}
	if (status >= 300) return { kind: 'refused', status, ...(json && { body: redact(json) }) };
	if (json) return { kind: 'ok', status, body: redact(json) };
	return { kind: 'lost', status, reason: `the answer is not a JSON object (HTTP ${status})` };
}

function parseObject(body: unknown): IDataObject | undefined {
	if (typeof body !== 'string') return isObject(body) ? body : undefined;
	try {
		const value: unknown = JSON.parse(body.replace(/^\ufeff/, ''));
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** n8n wraps the failure of the HTTP library; its code sits at one of these places, on either line. */
interface NetworkError {
	code?: unknown;
	httpCode?: unknown;
	cause?: NetworkError;
	message?: unknown;
}

function classifyError(error: NetworkError, root: string): Reply {
	const codes = [error, error.cause, error.cause?.cause].flatMap((layer) => [
		layer?.code,
		layer?.httpCode,
	]);
	const host = parseUrl(root)?.host ?? root;
	for (const code of codes) {
		if (typeof code !== 'string') continue;
		if (code in NOT_SENT) return { kind: 'unreachable', reason: `${host}: ${NOT_SENT[code]}` };
		if (code in LOST) return { kind: 'lost', reason: LOST[code] };
	}
	return { kind: 'lost', reason: 'the call broke off for an unknown reason' };
}

function rootProblem(root: string, { service }: ServiceRequest): string {
	const { displayName } = ROOT_FIELDS[service];
	return root === ''
		? `the credential has no ${displayName}, which this operation needs`
		: `the ${displayName} of the credential is not a complete http or https address`;
}
