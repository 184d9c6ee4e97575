import type {
	ICredentialsDecrypted,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import type { ServiceName, ServiceRequest } from '../client';
import { answersLately, noteAnswer } from './answeringUrls';
import {
	BASE_URL_FIELDS,
	apiKeyOf,
	isInsecure,
	keyProblem,
	requestProblem,
	type BaseUrl,
	type CredentialData,
	usableBaseUrl,
} from './credential';
import type { Send } from './layers';
import { LOST_REASONS, classifyError } from './networkErrors';
import {
	classify,
	faultFailure,
	interpret,
	logFault,
	type LogFault,
	type RawResponse,
	type Reply,
} from './reply';
import { CLOCK, fairQueueFor, type FairQueue } from '../pacing/fairQueue';
import { inTime, openFile } from '../plan/inputFiles';
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
		const target = this.targetOf(service);
		const url = 'baseUrl' in target ? target.baseUrl.url : '';
		return fairQueueFor(url, apiKeyOf(this.credentials));
	}

	/** Whether the base URL has answered this process lately. */
	answersLately(service: ServiceName): boolean {
		const target = this.targetOf(service);
		return 'baseUrl' in target && answersLately(target.baseUrl.url);
	}

	/**
	 * The end of a network: makes a call once and interprets the reply.
	 * @param timeoutMs longest wait for the whole reply, in milliseconds, unless the endpoint has its own
	 */
	over(timeoutMs: () => number): Send {
		return async ({ endpoint, request }) => {
			const log: LogFault = (where, error) => logFault(this.context.logger, where, error);
			try {
				const reply = await this.send(request, endpoint.timeoutMs ?? timeoutMs());
				return interpret({ ...endpoint, request }, reply, log);
			} catch (error) {
				log('reading a reply', error);
				return { failure: faultFailure(endpoint.credits !== undefined) };
			}
		};
	}

	/** Sends one request once. Never throws because of the network or the service. */
	async send(request: ServiceRequest, timeoutMs: number): Promise<Reply> {
		const { execution } = this;
		const target = this.targetOf(request.service);
		if ('reason' in target) return { kind: 'misconfigured', ...target };
		const { baseUrl } = target;
		const problem = requestProblem(baseUrl, request);
		if (problem !== undefined) return { kind: 'unsendable', reason: problem };
		const form = execution && request.form && (await formData(execution, request.form, timeoutMs));
		// Checked after the file is opened, since that takes time
		if (execution?.getExecutionCancelSignal()?.aborted) return { kind: 'cancelled' };
		if (form && !(form instanceof FormData)) return { kind: 'unreadable', ...form };

		if (target.isInsecure) this.insecure.add(BASE_URL_FIELDS[request.service].displayName);
		const options = optionsFor(baseUrl, request, timeoutMs, form);
		const deadline = setDeadline(options, timeoutMs);
		let response: RawResponse;
		try {
			response = await this.post(options, request.withoutKey);
		} catch (error) {
			noteAnswer(baseUrl.url, false);
			if (deadline.aborted) return { kind: 'lost', reason: LOST_REASONS.ETIMEDOUT };
			return classifyError(error, baseUrl.host);
		}
		noteAnswer(baseUrl.url, true);
		return await inSlices(classify(response, this.redact, request), CLOCK.nextTick);
	}

	private async post(options: IHttpRequestOptions, withoutKey?: true): Promise<RawResponse> {
		const { context, credentials } = this;
		// n8n changes the data, so every call gets a copy
		const data = { ...credentials, ...(withoutKey && { apiKey: '' }) };
		const decrypted = { id: '', name: '', type: CREDENTIAL_TYPE, data };
		return await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_TYPE,
			options,
			{ credentialsDecrypted: decrypted as ICredentialsDecrypted },
		);
	}

	private targetOf(service: ServiceName): Target {
		const target = this.targets.get(service) ?? findTarget(this.credentials, service);
		this.targets.set(service, target);
		return target;
	}
}

/** Names and values to send. Of plain objects, at any depth, the HTTP library leaves out `constructor` and `prototype`. */
class AsNamed {}

/** With these options n8n returns every reply as it is: no exception, no retry after a 401, no redirect, no parsed body. */
function optionsFor(
	baseUrl: BaseUrl,
	{ method, path, query, headers, body }: ServiceRequest,
	timeoutMs: number,
	form: FormData | undefined,
): IHttpRequestOptions {
	return {
		method,
		url: `${baseUrl.url}${path}`,
		...(query && { qs: Object.assign(new AsNamed(), query) }),
		...(headers && { headers: { ...headers } }),
		...(body && { body: Object.assign(new AsNamed(), body), json: true }),
		...(form && { body: form }),
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
		disableFollowRedirect: true,
		encoding: 'text',
		timeout: timeoutMs,
	};
}

/**
 * Aborts the call after its timeout. The HTTP library's own timeout only limits silence: a service that sends a byte now and then
 * would keep a call open forever. n8n overwrites `abortSignal` with the execution's cancel signal, so the setter joins the two.
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

/** Where the requests to a service go, or why none do. */
type Target = { baseUrl: BaseUrl; isInsecure: boolean } | { reason: string };

function findTarget(credentials: CredentialData, service: ServiceName): Target {
	const baseUrl = usableBaseUrl(credentials, service);
	if ('problem' in baseUrl) return { reason: baseUrl.problem };
	const reason = keyProblem(credentials, service);
	return reason === undefined ? { baseUrl, isInsecure: isInsecure(baseUrl) } : { reason };
}

/** The multipart body, or why its file cannot be sent. */
async function formData(
	context: IExecuteFunctions,
	{ fields, file }: NonNullable<ServiceRequest['form']>,
	timeoutMs: number,
): Promise<FormData | { reason: string }> {
	const reading = inTime(context, timeoutMs, openFile(context, file.source));
	const opened = await reading.catch(({ message }: Error) => message);
	const cannotRead = `the file "${file.source.fileName}" cannot be read`;
	if (!opened) return { reason: `${cannotRead} from n8n's storage as it was before` };
	if (typeof opened === 'string') return { reason: `${cannotRead}: ${opened}` };
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	form.append(file.field, opened);
	return form;
}
