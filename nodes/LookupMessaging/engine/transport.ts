import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { openFile } from './files';
import { crossingFor, type Crossing } from './lanes';
import type { ServiceRequest, ServiceRoot } from './operation';
import { parseAnyReply, parseReply } from './parse';
import { redactor } from './redact';
import {
	apiKeyOf,
	isOpenToAll,
	keyProblem,
	parseUrl,
	ROOT_FIELDS,
	usableRoot,
	type CredentialData,
	type Root,
} from './roots';
import { requestProblem } from './sendable';

/**
 * The one door: no other file calls n8n's HTTP helper. Whatever happens on the network comes back as a value.
 */

/** The credential type that every call is authenticated with. */
export const CREDENTIAL_TYPE = 'lookupMessagingApi';

/** What became of one call. */
export type Reply =
	/** An answer to be read: HTTP below 300 with a JSON object; `size` is the length of its text. */
	| { kind: 'ok'; status: number; headers: Headers; body: IDataObject; size?: number }
	/** HTTP 3xx or 4xx; `body` when it was a JSON object. */
	| { kind: 'refused'; status: number; headers: Headers; body?: IDataObject }
	/** HTTP 429, or 503 with Retry-After: asked too fast; without a status it was not even sent. Nothing was charged. */
	| { kind: 'throttled'; status?: number; reason: string; retryAfterMs?: number }
	/** The request certainly never reached the service. Nothing was charged. `isPassing`: another try may get through. */
	| { kind: 'unreachable'; reason: string; isPassing?: boolean }
	/** The request went out and no readable answer came back. It may have been charged. */
	| { kind: 'lost'; reason: string; status?: number }
	/** The execution was stopped before the request went out. Nothing was sent. */
	| { kind: 'cancelled' }
	/** The credential cannot be used for this request. Nothing was sent. */
	| { kind: 'misconfigured'; reason: string }
	/** The file to send is gone from n8n's storage, or was replaced since its size was checked. Nothing was sent. */
	| { kind: 'unreadable'; reason: string }
	/** What is asked cannot be put into a request without becoming another one. Nothing was sent. */
	| { kind: 'unsendable'; reason: string };

type Headers = Record<string, string>;

/** Sends requests of one execution. */
export interface Transport {
	/**
	 * Sends one request, once. Never throws for the network or the service.
	 * @param timeoutMs longest wait for the whole reply, in milliseconds
	 */
	send(request: ServiceRequest, timeoutMs: number): Promise<Reply>;
	/** The crossing that all calls of this process to the root pass which are made with the same API key. */
	crossingTo(service: ServiceRoot): Crossing;
}

/** The transport of one execution, which knows what of it went over the network for everybody to read. */
export interface OpenTransport extends Transport {
	/** Names of the credential's fields whose hosts were sent something without encryption; loopback addresses aside. */
	openToAll(): string[];
}

/** Failures to connect: the request was not sent (DNS, refused, no route). */
const NOT_SENT: Record<string, string> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'the host name is unknown',
	EAI_AGAIN: 'the host name could not be looked up',
	EHOSTUNREACH: 'there is no route to the host',
	ENETUNREACH: 'there is no route to the network',
};
/** Failures of these codes come when connecting, but also when the request is out already. */
const AT_ANY_TIME = new Set(['EHOSTUNREACH', 'ENETUNREACH']);
/** Certificates that no further try would better. */
const NOT_TRUSTED = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN']);
/**
 * Codes of a TLS handshake that came to nothing: a wrong certificate, or a port that speaks plain HTTP. Any other error of TLS may
 * come once the service has done its work, such as a record of the answer that was damaged on the way.
 */
const NO_TLS =
	/^(?:EPROTO$|CERT_|UNABLE_TO_|ERR_TLS_(?:CERT|HANDSHAKE)|ERR_SSL_\w*(?:WRONG_VERSION|UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|HANDSHAKE|CERTIFICATE|UNKNOWN_CA|NO_PROTOCOLS|NO_SHARED_CIPHER))/;
/** What of a damaged record is left where its code is the general EPROTO. */
const DAMAGED_RECORD = /bad record mac|decryption failed/i;
/** Failures after the request may have been read. */
const LOST: Record<string, string> = {
	ECONNABORTED: 'no answer came in time',
	ETIMEDOUT: 'no answer came in time',
	ECONNRESET: 'the connection broke before the answer came',
	EPIPE: 'the connection broke before the answer came',
	ERR_CANCELED: 'the execution was stopped before the answer came',
};
/** An answer that broke off, is no HTTP, or cannot be unpacked: by code, or by the words of which n8n 1.x leaves no code. */
const UNREADABLE: Array<[sign: RegExp, reason: string]> = [
	[/^(?:stream has been )?aborted$/, LOST.ECONNRESET],
	[/^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/, LOST.ECONNRESET],
	[/^HPE_/, 'the answer is not as HTTP has it'],
	[/^(?:Z_|ERR__ERROR_FORMAT|ERR_BROTLI|ERR_ZSTD)/, 'the answer cannot be unpacked'],
	[/^incorrect (?:data|header) check$|^unexpected end of file$/, 'the answer cannot be unpacked'],
];
/** A call whose deadline has passed, whatever it was at then. */
const TOO_LATE: Reply = { kind: 'lost', reason: LOST.ETIMEDOUT };

/**
 * Opens the door for one execution of the node, one poll of the trigger or one list of the editor: the credential is
 * fetched and decrypted once, not per call.
 * @throws what n8n throws when the node has no usable credential
 */
export async function openTransport(
	context: IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions,
): Promise<OpenTransport> {
	// The editor and a poll have no items, so no files, and no Stop
	const execution = 'getInputData' in context ? context : undefined;
	const credentials = await context.getCredentials(CREDENTIAL_TYPE);
	const redact = redactor(apiKeyOf(credentials));
	const readable = new Set<string>();
	const ways = new Map<ServiceRoot, Way>();
	/** Read once for all calls. */
	const wayTo = (service: ServiceRoot): Way => {
		const way = ways.get(service) ?? findWay(credentials, service);
		ways.set(service, way);
		return way;
	};

	return {
		openToAll: () => [...readable],
		crossingTo: (service) => {
			const way = wayTo(service);
			return crossingFor('root' in way ? way.root.url : '', apiKeyOf(credentials));
		},

		async send(request, timeoutMs) {
			const way = wayTo(request.service);
			if ('reason' in way) return { kind: 'misconfigured', ...way };
			const { root } = way;
			const problem = requestProblem(root, request);
			if (problem !== undefined) return { kind: 'unsendable', reason: problem };
			const form = execution && request.form && (await formData(execution, request.form));
			if (form && !(form instanceof FormData)) return { kind: 'unreadable', ...form };
			// Asked last, since a file takes time to read
			if (execution?.getExecutionCancelSignal()?.aborted) return { kind: 'cancelled' };

			const options: IHttpRequestOptions = {
				method: request.method,
				url: `${root.url}${request.path}`,
				...(request.query && { qs: { ...request.query } }),
				...(request.headers && { headers: { ...request.headers } }),
				...(request.body && { body: { ...request.body }, json: true }),
				...(form && { body: form }),
				// Replies are values: no exception, no second try with the same key after a 401, no redirect, no guessing at the body
				ignoreHttpStatusErrors: true,
				returnFullResponse: true,
				disableFollowRedirect: true,
				encoding: 'text',
				timeout: timeoutMs,
			};
			if (way.isOpenToAll) readable.add(ROOT_FIELDS[request.service].displayName);
			const deadline = setDeadline(options, timeoutMs);
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
				return classify(response, redact, request);
			} catch (error) {
				return deadline.aborted ? TOO_LATE : classifyError(error, root);
			}
		},
	};
}

/**
 * Ends the call when its time is over. The HTTP library's own timeout only ends a silence, so a service that sends a byte
 * now and then would hold a call for ever. n8n puts the execution's cancel signal over any other: the deadline joins it.
 */
function setDeadline(options: IHttpRequestOptions, timeoutMs: number): AbortSignal {
	const deadline = AbortSignal.timeout(timeoutMs);
	let signal = deadline;
	Object.defineProperty(options, 'abortSignal', {
		enumerable: true,
		get: () => signal,
		set: (cancel: AbortSignal | undefined) => {
			signal = cancel ? AbortSignal.any([cancel, deadline]) : deadline;
		},
	});
	return deadline;
}

/** A root as requests go to it, or why none do. */
type Way = { root: Root; isOpenToAll: boolean } | { reason: string };

function findWay(credentials: CredentialData, service: ServiceRoot): Way {
	const root = usableRoot(credentials, service);
	if ('problem' in root) return { reason: root.problem };
	const reason = keyProblem(credentials, service);
	return reason === undefined ? { root, isOpenToAll: isOpenToAll(root) } : { reason };
}

interface RawResponse {
	statusCode: number;
	headers: Headers;
	body: unknown;
}

type Redact = ReturnType<typeof redactor>;

function classify(
	{ statusCode: status, headers, body }: RawResponse,
	redact: Redact,
	{ takesAnyBody }: ServiceRequest,
): Reply {
	const parse = takesAnyBody ? parseAnyReply : parseReply;
	const json = parse(body, headers['content-type']);
	if (status === 429 || (status === 503 && headers['retry-after'] !== undefined)) {
		const reason = `the service asks for a slower pace (HTTP ${status})`;
		return {
			kind: 'throttled',
			status,
			reason,
			retryAfterMs: retryAfterMs(headers['retry-after']),
		};
	}
	if (status === 408) {
		return { kind: 'lost', status, reason: 'the service gave up waiting (HTTP 408)' };
	}
	if (status >= 500) {
		return { kind: 'lost', status, reason: `the service failed (HTTP ${status})` };
	}
	const clean = json && redact(json);
	if (status >= 300) return { kind: 'refused', status, headers, ...(clean && { body: clean }) };
	if (clean) {
		const size = typeof body === 'string' ? body.length : undefined;
		return { kind: 'ok', status, headers, body: clean, size };
	}
	const what = json ? 'is nested too deeply to be read' : 'is not a JSON object';
	return { kind: 'lost', status, reason: `the answer ${what} (HTTP ${status})` };
}

/** Retry-After in milliseconds: seconds, or a date (RFC 9110 §10.2.3). */
function retryAfterMs(header: string | undefined): number | undefined {
	if (header === undefined) return undefined;
	const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
	return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** The multipart body; or why its file cannot be sent. */
async function formData(
	context: IExecuteFunctions,
	{ fields, file }: NonNullable<ServiceRequest['form']>,
): Promise<FormData | { reason: string }> {
	const opened = await openFile(context, file.source);
	if (!opened) {
		const { fileName } = file.source;
		return { reason: `the file "${fileName}" cannot be read from n8n's storage as it was before` };
	}
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	form.append(file.field, opened);
	return form;
}

/** n8n wraps the failure of the HTTP library; its code sits at one of these places, on either line. */
interface NetworkError {
	code?: unknown;
	httpCode?: unknown;
	syscall?: unknown;
	cause?: NetworkError;
	message?: unknown;
}

function classifyError(error: NetworkError, { url }: Root): Reply {
	const layers = [error, error.cause, error.cause?.cause];
	const codes = layers.flatMap((layer) => [layer?.code, layer?.httpCode]);
	const words = layers.map((layer) => layer?.message).filter(isText);
	const host = parseUrl(url)?.host ?? url;
	for (const code of codes) {
		if (!isText(code)) continue;
		if (NOT_TRUSTED.has(code)) {
			return {
				kind: 'unreachable',
				reason: `no connection with ${host}: its TLS certificate is self-signed`,
			};
		}
		if (NO_TLS.test(code) && !words.some((text) => DAMAGED_RECORD.test(text))) {
			return {
				kind: 'unreachable',
				reason: `no connection with ${host}: there is no TLS connection with it (${code})`,
			};
		}
		if (AT_ANY_TIME.has(code) && !layers.some(isOfConnecting)) {
			return { kind: 'lost', reason: LOST.ECONNRESET };
		}
		if (code in NOT_SENT) {
			const reason = `no connection with ${host}: ${NOT_SENT[code]}`;
			return { kind: 'unreachable', reason, isPassing: true };
		}
		if (code in LOST) return { kind: 'lost', reason: LOST[code] };
	}
	const signs = [...codes.filter(isText), ...words];
	const unreadable = UNREADABLE.find(([sign]) => signs.some((text) => sign.test(text)));
	return { kind: 'lost', reason: unreadable?.[1] ?? 'the call broke off for an unknown reason' };
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

function isOfConnecting(layer: NetworkError | undefined): boolean {
	return layer?.syscall === 'connect' || /^connect E/.test(String(layer?.message ?? ''));
}
