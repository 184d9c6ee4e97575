import {
	sleep,
	type ICredentialsDecrypted,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
} from 'n8n-workflow';
import type { Exchange, OpenResponse, ServiceName, ServiceRequest, Wire } from '../client';
import {
	BASE_URL_FIELDS,
	addressOf,
	apiKeyOf,
	isInsecure,
	keyProblem,
	requestProblem,
	type BaseUrl,
	type CredentialData,
	usableBaseUrl,
} from './credential';
import { formData } from './form';
import type { Send } from './layers';
import { LOST_REASONS, NetworkFailure, classifyError } from './networkErrors';
import { classify, faultOf, interpret, logFault, type LogFault } from './reply';
import type { RawResponse, Reply } from '../results';
import { CLOCK } from '../clock';
import { fairQueueFor, type FairQueue } from '../pacing/fairQueue';
import { Deadlines, joined } from './signals';
import { CREDENTIAL_TYPE } from '../plan/settings';
import { redactor, type Redact } from '../redaction/redactor';
import { inSlices } from '../redaction/slices';

/** The one file that calls n8n's HTTP helper. Whatever happens on the network comes back as a value. */

type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * Fetches and decrypts the credential once per execution, poll or list, not per call.
 * @throws what n8n throws when the node has no usable credential
 */
export async function openTransport(context: Context): Promise<Transport> {
	return new Transport(context, await context.getCredentials(CREDENTIAL_TYPE));
}

/** Sends the requests of one execution, poll or list. */
export class Transport {
	/** Undefined in the editor and in a poll, which have no items, hence no files, and no Stop. */
	private readonly execution?: IExecuteFunctions;
	private readonly redact: Redact;
	private readonly targets = new Map<ServiceName, Target>();
	private readonly deadlines = new Deadlines(CLOCK.now);
	/** Display names of the base URLs to which requests went without encryption, except loopback addresses. */
	readonly insecure = new Set<string>();

	constructor(
		private readonly context: Context,
		private readonly credentials: CredentialData,
	) {
		this.execution = 'getInputData' in context ? context : undefined;
		this.redact = redactor(apiKeyOf(credentials));
	}

	queueFor(service: ServiceName): FairQueue {
		return fairQueueFor(this.urlOf(service), apiKeyOf(this.credentials));
	}

	/** The account with the service: the main base URL, where the balances are, and the API key. */
	accountName(): string {
		return JSON.stringify([this.urlOf('main'), apiKeyOf(this.credentials)]);
	}

	private urlOf(service: ServiceName): string {
		const target = this.targetOf(service);
		return 'baseUrl' in target ? target.baseUrl.url : '';
	}

	/**
	 * The end of a network: makes a call once and interprets the reply.
	 * @param timeoutMs longest wait for the whole reply, in milliseconds, unless the endpoint has a shorter one
	 */
	over(timeoutMs: () => number): Send {
		return async ({ endpoint, request }) => {
			const log: LogFault = (where, error) => logFault(this.context.logger, where, error);
			try {
				const most = Math.min(endpoint.timeoutMs ?? Infinity, timeoutMs());
				const reply = await this.send(request, most, endpoint.exchange);
				return interpret({ ...endpoint, request }, reply, log);
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
		const target = this.targetOf(request.service);
		if ('reason' in target) return { kind: 'misconfigured', ...target };
		const { baseUrl } = target;
		const problem = requestProblem(baseUrl, request);
		if (problem !== undefined) return { kind: 'unsendable', reason: problem };
		const form = execution && request.form && (await formData(execution, request.form, timeoutMs));
		// Checked after the file is opened, since that takes time
		if (this.isStopped()) return { kind: 'cancelled' };
		if (form && !(form instanceof FormData)) return { kind: 'unreadable', ...form };
		if (target.isInsecure) this.insecure.add(BASE_URL_FIELDS[request.service].displayName);
		// Who reads a reply as it arrives listens more than once
		const deadline = exchange ? AbortSignal.timeout(timeoutMs) : this.deadlines.after(timeoutMs);
		const call: SentCall = { baseUrl, timeoutMs, deadline, form };
		const reply = await this.exchange(request, call, exchange);
		if ('status' in reply) return reply;
		if (deadline.aborted) return { kind: 'lost', reason: LOST_REASONS.ETIMEDOUT };
		const isCutOff = reply.kind === 'lost' && this.isStopped();
		return isCutOff ? { kind: 'lost', reason: LOST_REASONS.ERR_CANCELED } : reply;
	}

	/** Sends a request and reads what comes back. */
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
			return await inSlices(classify(response, this.redact, request), CLOCK.nextTick);
		} catch (error) {
			if (error instanceof NetworkFailure) return classifyError(error.error, call.baseUrl.host);
			return await Promise.reject(error);
		}
	}

	/** @param end ends what is under way when the exchange is over */
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
			redact: async (body) => await inSlices(this.redact(body), CLOCK.nextTick),
			classify: async (response, json) =>
				await inSlices(classify(response, this.redact, request, json), CLOCK.nextTick),
			pause: async (ms) => await sleep(Math.min(ms, call.timeoutMs)),
			nextTick: CLOCK.nextTick,
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
		// What comes after the end is of no interest
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

	private targetOf(service: ServiceName): Target {
		const target = this.targets.get(service) ?? findTarget(this.credentials, service);
		this.targets.set(service, target);
		return target;
	}
}

/** Names and values to send. Of plain objects, at any depth, the HTTP library leaves out `constructor` and `prototype`. */
class AsNamed {}

/** A reply of n8n's HTTP helper with a stream as its body. */
type StreamedResponse = Omit<OpenResponse, 'close'> & {
	body: { destroy(): unknown; on(event: 'error', listener: () => void): unknown };
};

/** How a call is sent: where to, and for how long. */
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

/** Where the requests to a service go, or why none do. */
type Target = { baseUrl: BaseUrl; isInsecure: boolean } | { reason: string };

function findTarget(credentials: CredentialData, service: ServiceName): Target {
	const baseUrl = usableBaseUrl(credentials, service);
	if ('problem' in baseUrl) return { reason: baseUrl.problem };
	const reason = keyProblem(credentials, service);
	return reason === undefined ? { baseUrl, isInsecure: isInsecure(baseUrl) } : { reason };
}
