import { Audits } from '../jobs/audits';
import { Batches } from '../jobs/batches';
import {
	injectAfterEndpoint,
	injectBeforeEndpoint,
	withoutFault,
	type Delivery,
} from '../faults/faultInjection';
import { refusedAlways, type Call, type Endpoint, type Reply, type ServiceState } from './endpoint';
import { FaultRules } from '../faults/faultRules';
import { anyKeyOf, isObject, keyOf } from '../accounts/apiKeys';
import { Accounts } from '../accounts/accounts';
import { keysOf } from '../answers/magicInputs';
import { SentMessages } from '../accounts/sentMessages';
import { RateWindows } from './rateWindow';
import { TokenBuckets } from './tokenBuckets';
import { tooManyRequests } from './tooManyRequests';
import type {
	BatchRowNames,
	CallPace,
	FormBody,
	RateLimit,
	RequestRecord,
	SandboxOptions,
} from '../types';
import { Delays } from './delays';

/** SPEC §8 leaves the size of the rate-limit window open; this is the sandbox's. */
const DEFAULT_RATE_LIMIT: RateLimit = { calls: 5000, windowSeconds: 60 };

/** SPEC §2.4 leaves both names open. */
const DEFAULT_ROW_NAMES: BatchRowNames = { validation: 'validation_data', error: 'error' };

const DEFAULT_NUMBERS_PER_SECOND = 500;

const DEFAULT_AUDIT_SECONDS = 2;

/** The service behind the four hosts: it turns a logged request into what the client receives. */
export class Service {
	readonly faults = new FaultRules();

	readonly delays = new Delays();

	readonly state: ServiceState;

	private readonly latencyMs: number;

	private readonly errorStatus: 'http' | 'ok';

	private buckets: TokenBuckets | undefined;

	constructor(private readonly options: SandboxOptions) {
		this.setPace(options.pace);
		this.latencyMs = options.latencyMs ?? 0;
		this.errorStatus = options.errorStatus ?? 'http';
		this.state = {
			accounts: new Accounts(keysOf(options)),
			phoneWindows: new RateWindows(options.rateLimit ?? DEFAULT_RATE_LIMIT),
			inconclusiveOnce: new Set(),
			batches: new Batches(options.batchNumbersPerSecond ?? DEFAULT_NUMBERS_PER_SECOND),
			batchRowNames: options.batchRowNames ?? DEFAULT_ROW_NAMES,
			audits: new Audits(options.auditSeconds ?? DEFAULT_AUDIT_SECONDS),
			sentMessages: new SentMessages(),
			toolServer: {
				responses: options.toolServer?.responses ?? 'sse',
				sessions: options.toolServer?.sessions ? new Set() : undefined,
			},
		};
	}

	/** Answers one request; `endpoint` is undefined where SPEC has none, `params` stand for the parameters of its path. */
	async serve(
		endpoint: Endpoint | undefined,
		record: RequestRecord,
		params: Record<string, string>,
	): Promise<Delivery> {
		const { delayMs, effect } = this.faults.match(record, endpoint?.path);
		if (effect) record.fault = effect;
		const tooMany = endpoint && this.refusalByPace(endpoint, record);
		const lapsed = await this.delays.wait((endpoint ? this.latencyMs : 0) + delayMs);
		if (!lapsed) return 'reset';
		const instead = injectBeforeEndpoint(effect, anyKeyOf(record), record.url);
		if (instead) return instead;
		const reply =
			tooMany ?? (await endpoint?.answer(this.callOf(endpoint, record, params))) ?? noSuchEndpoint;
		if (isObject(reply.body) && typeof reply.body.error === 'string') {
			record.error = reply.body.error;
		}
		return injectAfterEndpoint(effect, withoutFault(reply, this.errorStatus), {
			key: anyKeyOf(record) ?? '',
			wait: async (ms) => await this.delays.wait(ms),
		});
	}

	/** Throws when it is no pace. */
	setPace(pace: CallPace | undefined) {
		this.buckets = pace && new TokenBuckets(pace);
	}

	reset() {
		this.setPace(this.options.pace);
		this.delays.cancelAll();
		this.faults.clear();
		const { state } = this;
		for (const part of [
			state.accounts,
			state.phoneWindows,
			state.batches,
			state.audits,
			state.sentMessages,
		]) {
			part.reset();
		}
		state.inconclusiveOnce.clear();
		state.toolServer.sessions?.clear();
	}

	/** Counts the request as it arrives. */
	private refusalByPace(endpoint: Endpoint, record: RequestRecord): Reply | undefined {
		if (!this.buckets || endpoint.unpaced) return undefined;
		const waitMs = this.buckets.take(keyOf(endpoint, record) ?? '');
		return waitMs > 0 ? tooManyRequests(endpoint.host, this.buckets.retryAfter(waitMs)) : undefined;
	}

	private callOf(endpoint: Endpoint, record: RequestRecord, params: Record<string, string>): Call {
		const { method, path, query, headers, body } = record;
		const key = keyOf(endpoint, record);
		const isForm = /^multipart\//i.test(headers['content-type']?.toString() ?? '');
		const parsed = isObject(body) ? body : undefined;
		return {
			state: this.state,
			method,
			path,
			query,
			params,
			headers,
			body,
			json: isForm ? undefined : parsed,
			form: isForm ? (parsed as FormBody | undefined) : undefined,
			key,
			charge: (product, amount, question) => {
				const entry = { product, amount, endpoint: path, question, at: Date.now() };
				this.state.accounts.find(key)?.move(entry);
				record.charged += amount;
			},
		};
	}
}

const noSuchEndpoint = refusedAlways(404, { status: false, error: 'Not found' });
