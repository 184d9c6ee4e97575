import {
	sleep,
	type ICredentialsDecrypted,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
} from 'n8n-workflow';
import type { MessageReader, ServiceName, ServiceRequest } from '../client';
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
import { Conversation, type OpenResponse, type Wire } from './conversation';
import { formData } from './form';
import type { Send } from './layers';
import { LOST_REASONS, NetworkFailure, classifyError } from './networkErrors';
import {
	classify,
	faultOf,
	interpret,
	logFault,
	type LogFault,
	type RawResponse,
	type Reply,
} from './reply';
import { CLOCK } from '../clock';
import { fairQueueFor, type FairQueue } from '../pacing/fairQueue';
import { Deadlines, joined, untilAborted } from './signals';
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
				const reply = await this.send(request, most, endpoint.messages);
				return interpret({ ...endpoint, request }, reply, log);
			} catch (error) {
				return faultOf(endpoint, error, log);
			}
		};
	}

	/**
	 * Sends one request once. Never throws because of the network or the service.
	 * @param reader reads the messages of the reply; without it, the reply is one body
	 */
	async send(request: ServiceRequest, timeoutMs: number, reader?: MessageReader): Promise<Reply> {
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
		const deadline = reader ? AbortSignal.timeout(timeoutMs) : this.deadlines.after(timeoutMs);
		const call: SentCall = { baseUrl, timeoutMs, deadline, form, reader };
		const reply = await this.exchange(request, call);
		if ('status' in reply) return reply;
		if (deadline.aborted) {
			if (reader?.cancel && !this.isStopped()) await this.cancel(reader.cancel, call);
			return { kind: 'lost', reason: LOST_REASONS.ETIMEDOUT };
		}
		const isCutOff = reply.kind === 'lost' && this.isStopped();
		return isCutOff ? { kind: 'lost', reason: LOST_REASONS.ERR_CANCELED } : reply;
	}

	/** Sends a request and reads what comes back. */
	private async exchange(request: ServiceRequest, call: SentCall): Promise<Reply> {
		try {
			if (call.reader) return await this.converse(request, call, call.reader);
			const response = await this.post<RawResponse>(request, call);
			return await inSlices(classify(response, this.redact, request), CLOCK.nextTick);
		} catch (error) {
			if (error instanceof NetworkFailure) return classifyError(error.error, call.baseUrl.host);
			return await Promise.reject(error);
		}
	}

	private async converse(
		request: ServiceRequest,
		call: SentCall,
		reader: MessageReader,
	): Promise<Reply> {
		const { redact } = this;
		const first = await this.open(request, call);
		const over = new AbortController();
		const further = { ...call, deadline: AbortSignal.any([call.deadline, over.signal]) };
		const signal = joined(this.execution?.getExecutionCancelSignal(), call.deadline);
		const wire: Wire = {
			redact,
			signal,
			post: async (next) => await this.open(next, further),
			pause: async (ms) => await untilAborted(signal, sleep(Math.min(ms, call.timeoutMs))),
			nextTick: CLOCK.nextTick,
			now: CLOCK.now,
			log: (progress) => this.context.logger.info(progress),
			classify: (response) => classify(response, redact, request, reader),
		};
		// Ends the answers to the server that are still on their way
		return await new Conversation(reader, wire).read(first).finally(() => over.abort());
	}

	/** Tells the server that nobody waits any more. Nobody waits for its answer either. */
	private async cancel(request: ServiceRequest, call: SentCall): Promise<void> {
		const deadline = AbortSignal.timeout(CANCEL_MS);
		await this.open(request, { ...call, timeoutMs: CANCEL_MS, deadline }).then(
			({ close }) => close(),
			() => undefined,
		);
	}

	/**
	 * Sends a request whose reply is read as it arrives. On n8n 2.x the body is a generator around the connection: only a signal ends
	 * the connection before its next byte.
	 */
	private async open(request: ServiceRequest, call: SentCall): Promise<OpenResponse> {
		const end = new AbortController();
		const deadline = AbortSignal.any([call.deadline, end.signal]);
		const response = await this.post<StreamedResponse>(request, { ...call, deadline });
		const { body } = response;
		// What comes after the end is of no interest
		body.on('error', () => undefined);
		const close = () => {
			body.destroy();
			end.abort();
		};
		return { ...response, close };
	}

	private async post<Response>(request: ServiceRequest, call: SentCall): Promise<Response> {
		const { context, credentials } = this;
		const options = optionsFor(request, call);
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

/** How a call is sent: where to, for how long, and how its reply is read. */
interface SentCall {
	baseUrl: BaseUrl;
	timeoutMs: number;
	deadline: AbortSignal;
	form?: FormData;
	reader?: MessageReader;
}

/** Longest wait for a server to take note that a call is over, in milliseconds. */
const CANCEL_MS = 2_000;

/** With these options n8n returns every reply as it is: no exception, no retry after a 401, no redirect, no parsed body. */
function optionsFor(request: ServiceRequest, call: SentCall): IHttpRequestOptions {
	const { method, query, headers, body } = request;
	const { baseUrl, timeoutMs, form, reader } = call;
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
		encoding: reader ? 'stream' : 'text',
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
