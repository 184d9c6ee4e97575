import {
	type ICredentialsDecrypted,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	sleep,
} from 'n8n-workflow';
import type { Exchange, OpenResponse, ServiceName, ServiceRequest, Wire } from '../client';
import { CLOCK, SLICES } from '../clock';
import { type FairQueue, fairQueueFor } from '../pacing/fairQueue';
import { requestRateOf } from '../pacing/requestRate';
import { lostFailure, parameterFailure, STOPPED, storageFailure } from '../operation';
import { inTime, openFile } from '../plan/inputFiles';
import { CREDENTIAL_TYPE } from '../plan/settings';
import { type Redact, redactor } from '../redaction/redactor';
import type { RawResponse, Reply } from '../results';
import {
	addressOf,
	apiKeyOf,
	BASE_URL_FIELDS,
	type BaseUrl,
	type CredentialData,
	requestProblem,
	usableBaseUrl,
} from './credential';
import type { Send } from './layers';
import { classifyError, LOST_REASONS, NetworkFailure } from './networkErrors';
import { classify, faultOf, interpret, logFault, type LogFault } from './reply';

/** The one file that calls n8n's HTTP helper. Every result of the network is returned as a value. */

type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * Fetches and decrypts the credential once per execution, poll or list, not per call.
 * @throws the exception of n8n if the node has no usable credential
 */
export async function openTransport(context: Context): Promise<Transport> {
	return new Transport(context, await context.getCredentials(CREDENTIAL_TYPE));
}

/** Sends the requests of one execution, poll or list. */
export class Transport {
	/** Undefined in the editor and in a poll, which have no items, no files and no Stop. */
	private readonly execution?: IExecuteFunctions;
	private readonly apiKey: string;
	private readonly redact: Redact;
	private readonly baseUrls = new Map<ServiceName, BaseUrl | { problem: string }>();
	private readonly deadlines = new Deadlines(CLOCK.now);
	/** Display names of the base URLs that received requests without encryption, except loopback addresses. */
	readonly insecure = new Set<string>();

	constructor(
		private readonly context: Context,
		private readonly credentials: CredentialData,
	) {
		this.execution = 'getInputData' in context ? context : undefined;
		this.apiKey = apiKeyOf(credentials);
		this.redact = redactor(this.apiKey);
	}

	queueFor(service: ServiceName): FairQueue {
		return fairQueueFor(this.urlOf(service), this.apiKey);
	}

	/** The account with the service: the main base URL, which has the balances, and the API key. */
	accountName(): string {
		return JSON.stringify([this.urlOf('main'), this.apiKey]);
	}

	private urlOf(service: ServiceName): string {
		const baseUrl = this.baseUrlOf(service);
		return 'problem' in baseUrl ? '' : baseUrl.url;
	}

	/**
	 * The innermost layer: makes a call once and interprets the reply.
	 * @param timeoutMs longest wait for the whole reply, in milliseconds, unless the endpoint has a shorter one
	 */
	over(timeoutMs: () => number): Send {
		const known = new Set<string>();
		return async ({ endpoint, request }) => {
			const path = `${request.method} ${request.service} ${request.path}`;
			const log: LogFault = (where, error) => logFault(this.context.logger, where, error);
			try {
				const most = Math.min(endpoint.timeoutMs ?? Infinity, timeoutMs());
				const reply = await this.send(request, most, endpoint.exchange);
				const isPathKnown = known.has(path);
				const result = interpret({ ...endpoint, request, isPathKnown }, reply, log);
				// A refusal in words comes from the service too
				const isOfService = !('failure' in result) || result.failure.refusal;
				// The tool server has one path, and what isn't found there is a session
				if (endpoint.credits && !endpoint.exchange && isOfService) known.add(path);
				return result;
			} catch (error) {
				return faultOf(endpoint, error, log);
			}
		};
	}

	/**
	 * Sends one request once. Never throws because of the network or the service.
	 * @param exchange sends it and reads the reply; without it, the reply is one text
	 */
	async send(request: ServiceRequest, timeoutMs: number, exchange?: Exchange): Promise<Reply> {
		const { execution } = this;
		const baseUrl = this.baseUrlOf(request.service);
		if ('problem' in baseUrl)
			return { cause: 'misconfigured', scope: 'account', reason: baseUrl.problem };
		const problem = requestProblem(baseUrl, request);
		if (problem !== undefined) return parameterFailure(problem);
		const form = execution && request.form && (await formData(execution, request.form, timeoutMs));
		// Checked after the file is opened, since that takes time
		if (this.isStopped()) return STOPPED;
		if (form && !(form instanceof FormData)) return storageFailure(form.reason);
		if (baseUrl.isInsecure) this.insecure.add(BASE_URL_FIELDS[request.service].displayName);
		// A reader that reads a reply as it arrives adds several listeners
		const deadline = exchange ? AbortSignal.timeout(timeoutMs) : this.deadlines.after(timeoutMs);
		const call: SentCall = { baseUrl, timeoutMs, deadline, form };
		const reply = await this.exchange(request, call, exchange);
		if (reply.status !== undefined) return reply;
		if (deadline.aborted) return lostFailure(LOST_REASONS.ETIMEDOUT);
		const isCutOff = reply.cause === 'lost' && this.isStopped();
		return isCutOff ? lostFailure(LOST_REASONS.ERR_CANCELED) : reply;
	}

	private async exchange(
		request: ServiceRequest,
		call: SentCall,
		exchange?: Exchange,
	): Promise<Reply> {
		try {
			if (exchange) {
				const end = new AbortController();
				const made = exchange(request, this.wire(request, call, end.signal));
				return await made.finally(() => end.abort());
			}
			const response = await this.post<RawResponse>(request, call);
			return await SLICES.finish(classify(response, this.redact, request));
		} catch (error) {
			if (error instanceof NetworkFailure) return classifyError(error.error, call.baseUrl.host);
			return await Promise.reject(error);
		}
	}

	/** @param end ends all work in progress when the exchange is over */
	private wire(request: ServiceRequest, call: SentCall, end: AbortSignal): Wire {
		const signal = joined(this.execution?.getExecutionCancelSignal(), call.deadline);
		const until = AbortSignal.any([call.deadline, end]);
		return {
			signal,
			post: async (next, timeoutMs) => {
				const own = timeoutMs !== undefined && {
					timeoutMs,
					deadline: AbortSignal.timeout(timeoutMs),
				};
				return await this.open(next, { ...call, deadline: until, ...own });
			},
			redact: async (body) => await SLICES.finish(this.redact(body)),
			classify: async (response, json) =>
				await SLICES.finish(classify(response, this.redact, request, json)),
			pause: async (ms) => {
				await sleep(Math.min(ms, call.timeoutMs));
				await requestRateOf(this.accountName()).turn();
			},
			finish: async (work) => await SLICES.finish(work),
			giveWay: async () => await SLICES.pauseIfOver(),
			now: CLOCK.now,
			log: (line) => this.context.logger.info(line),
		};
	}

	/**
	 * Sends a request whose reply is read as it arrives. On n8n 2.x the body is a generator around the connection: only a signal ends
	 * the connection before its next byte.
	 */
	private async open(request: ServiceRequest, call: SentCall): Promise<OpenResponse> {
		const end = new AbortController();
		const deadline = AbortSignal.any([call.deadline, end.signal]);
		const response = await this.post<StreamedResponse>(request, { ...call, deadline }, 'stream');
		const { body } = response;
		// Errors after the end are ignored
		body.on('error', () => undefined);
		const close = () => {
			body.destroy();
			end.abort();
		};
		return { ...response, close };
	}

	private async post<Response>(
		request: ServiceRequest,
		call: SentCall,
		encoding: 'stream' | 'text' = 'text',
	): Promise<Response> {
		const { context, credentials } = this;
		const options = { ...optionsFor(request, call), encoding };
		joinDeadline(options, call.deadline);
		// n8n changes the data, so every call gets a copy
		const data = { ...credentials, ...(request.withoutKey && { apiKey: '' }) };
		const decrypted = { id: '', name: '', type: CREDENTIAL_TYPE, data };
		const sent = context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_TYPE,
			options,
			{ credentialsDecrypted: decrypted as ICredentialsDecrypted },
		);
		return await sent.catch(async (error) => await Promise.reject(new NetworkFailure(error)));
	}

	private isStopped(): boolean {
		return this.execution?.getExecutionCancelSignal()?.aborted === true;
	}

	/** The base URL of a service, or why nothing can be sent to it. */
	private baseUrlOf(service: ServiceName) {
		const baseUrl = this.baseUrls.get(service) ?? usableBaseUrl(this.credentials, service);
		this.baseUrls.set(service, baseUrl);
		return baseUrl;
	}
}

/** Names and values to send. From plain objects the HTTP library drops `constructor` and `prototype`. */
class AsNamed {}

/** A reply of n8n's HTTP helper with a stream as its body. */
type StreamedResponse = Omit<OpenResponse, 'close'> & {
	body: { destroy(): unknown; on(event: 'error', listener: () => void): unknown };
};

/** How a call is sent: its target and its time limit. */
interface SentCall {
	baseUrl: BaseUrl;
	timeoutMs: number;
	deadline: AbortSignal;
	form?: FormData;
}

/** With these options n8n returns every reply as it is: no exception, no retry after a 401, no redirect, no parsed body. */
function optionsFor(request: ServiceRequest, call: SentCall): IHttpRequestOptions {
	const { method, query, headers, body } = request;
	const { baseUrl, timeoutMs, form } = call;
	return {
		method,
		url: addressOf(baseUrl, request),
		...(query && { qs: Object.assign(new AsNamed(), query) }),
		...(headers && { headers: { ...headers } }),
		...(body && { body: Object.assign(new AsNamed(), body), json: true }),
		...(request.form && form && { body: form }),
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
		disableFollowRedirect: true,
		timeout: timeoutMs,
	};
}

/**
 * Aborts a request at the deadline of its call. The HTTP library's own timeout only limits silence: a service that sends a byte now
 * and then would keep a call open forever. n8n overwrites `abortSignal` with the execution's cancel signal, so the setter joins the
 * two.
 */
function joinDeadline(options: IHttpRequestOptions, deadline: AbortSignal) {
	let signal = deadline;
	Object.defineProperty(options, 'abortSignal', {
		enumerable: true,
		get: () => signal,
		set: (cancel: AbortSignal | undefined) => {
			signal = joined(cancel, deadline);
		},
	});
}

/** What ends a request early. */

/** Calls that start within this part of their time limit share a deadline. */
const SHARED_PART = 1 / 1_000;
/** Node warns of a leak if a signal has more than ten listeners, and each call adds one. */
const MAX_CALLS = 8;

/**
 * The deadlines of calls. A signal and its timer live as long as the time limit, even if the call ends earlier. One for each call
 * of a long list would take more memory than its answer, and slow down the garbage collector.
 */
export class Deadlines {
	/** The latest deadline, by time limit. */
	private readonly latest = new Map<
		number,
		{ signal: AbortSignal; began: number; calls: number }
	>();

	constructor(private readonly now: () => number) {}

	/** A signal that ends a call starting now. */
	after(timeoutMs: number): AbortSignal {
		const now = this.now();
		const latest = this.latest.get(timeoutMs);
		const isNear = latest && Math.abs(now - latest.began) < timeoutMs * SHARED_PART;
		if (isNear && !latest.signal.aborted && latest.calls < MAX_CALLS) {
			latest.calls += 1;
			return latest.signal;
		}
		const signal = AbortSignal.timeout(timeoutMs);
		this.latest.set(timeoutMs, { signal, began: now, calls: 1 });
		return signal;
	}
}

/** The joined signals of calls with one deadline. Both signals live as long as the deadline does. */
const joins = new WeakMap<AbortSignal, { cancel: AbortSignal; signal: AbortSignal }>();

/** A signal that ends at Stop, if there can be one, and at the deadline; the same one for equal signals. */
export function joined(cancel: AbortSignal | undefined, deadline: AbortSignal): AbortSignal {
	if (!cancel) return deadline;
	const known = joins.get(deadline);
	if (known?.cancel === cancel) return known.signal;
	const signal = AbortSignal.any([cancel, deadline]);
	joins.set(deadline, { cancel, signal });
	return signal;
}

/** The multipart body, or the reason why its file cannot be sent. */
export async function formData(
	context: IExecuteFunctions,
	{ fields, file }: NonNullable<ServiceRequest['form']>,
	timeoutMs: number,
): Promise<FormData | { reason: string }> {
	const reading = inTime(context, timeoutMs, openFile(context, file.source));
	const opened = await reading.catch(({ message }: Error) => message);
	const cannotRead = `the file "${file.source.fileName}" can't be read`;
	if (!opened) return { reason: `${cannotRead}: n8n's storage has changed or removed it` };
	if (typeof opened === 'string') return { reason: `${cannotRead}: ${opened}` };
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) addText(form, name, value);
	form.append(file.field, opened);
	return form;
}

/** A line break that a form's text would change: forms write each one as CR LF. */
const OTHER_LINE_BREAK = /\r(?!\n)|(?<!\r)\n/;

/** Adds a text unchanged. As bytes without a file name it keeps its line breaks, and is still a text (RFC 7578, 4.4). */
function addText(form: FormData, name: string, text: string) {
	if (!OTHER_LINE_BREAK.test(text)) form.append(name, text);
	else form.append(name, new Blob([text], { type: 'text/plain;charset=utf-8' }), '');
}
