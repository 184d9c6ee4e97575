import type { IDataObject } from 'n8n-workflow';
import type { Called, Ledger, Payer } from '../billing/ledger';
import type {
	Caller,
	Connection,
	Endpoint,
	RateLimitWindow,
	ServiceName,
	ServiceRequest,
} from '../client';
import { CallFailed, type Failed, type Failure, type Refusal, type Result } from '../results';
import type { Journal, JournalKey } from '../memory/journal';
import { STOPPED } from '../operation';
import { faultFailure } from './reply';
import { CLOCK, type Clock } from '../clock';
import { Semaphore } from '../gate';
import type { Flow, Permit } from '../pacing/fairQueue';
import { inMinutes } from '../plan/values';

/** The layers around a call to the service. Each layer is one rule; networks.ts puts them in order. Those that end a run are in circuitBreakers.ts. */

/** One call on its way through the layers. */
export interface Call {
	endpoint: Endpoint<unknown>;
	/** The request of the endpoint, with the user's additional parameters. */
	request: ServiceRequest;
	/** The operation whose circuit breaker can stop the call; undefined outside of runs. */
	breaker?: object;
	/** Whether the operation handles the failure itself. */
	isAttempt?: boolean;
	/** Whether it is a next step of a task that has paid already. */
	isNextStep?: boolean;
	/** Whether it is a lookup for the operation of the breaker. */
	isLookup?: boolean;
	/** Set on paid calls of a task. */
	payer?: Payer;
	/** Set if it was admitted before. */
	place?: Place;
	/** Undefined if the call isn't journaled. */
	journalKey?: JournalKey;
	/** Latest time to start, on the clock of its flow (Flow.timeAt). The rate limit sets it once for all tries. */
	startBy?: number;
}

/** The place of a call among the first ones to an endpoint. */
export interface Place {
	/** Ends the call. See FirstCalls. */
	end(keyOf: () => string | undefined): boolean;
	/** Gives back the place of a call that was not made. */
	giveBack(): void;
}

/** Makes a call. Never throws because of the network or the service. */
export type Send = (call: Call) => Promise<Result>;

/** Acts before, after or instead of what it is put around. */
export type Layer = (next: Send) => Send;

/** Puts layers around a network; the first layer is outermost. */
export function compose(layers: Layer[], network: Send): Send {
	return layers.reduceRight((next, layer) => layer(next), network);
}

type MakeCall = (endpoint: Endpoint<unknown>, isAttempt: boolean, step?: string) => Promise<Result>;

/** Turns the results of calls into values and exceptions. */
export function callerOn(make: MakeCall): Caller {
	return {
		async call<Value>(endpoint: Endpoint<Value>, step?: string) {
			const result = await make(endpoint, false, step);
			if ('failure' in result) throw new CallFailed(result.failure);
			// The endpoint's own `read` made the value
			return result.value as Exclude<Value, Refusal>;
		},
		async attempt<Value>(endpoint: Endpoint<Value>, step?: string) {
			const result = await make(endpoint, true, step);
			if (!('failure' in result)) return result.value as Exclude<Value, Refusal>;
			const { failure } = result;
			if (endpoint.tolerates && !endpoint.tolerates(failure)) throw new CallFailed(failure);
			return { failure };
		},
	};
}

/** A caller without a task and without a journal, as for a poll of the trigger or a list of the editor. */
export function plainCaller(send: Send): Caller {
	return callerOn(
		async (endpoint, isAttempt) => await send({ endpoint, request: endpoint.request, isAttempt }),
	);
}

export function isExpected({ endpoint, isAttempt }: Call, failure: Failure): boolean {
	return isAttempt === true && (endpoint.tolerates?.(failure) ?? true);
}

/** The part of the circuit breakers that the journal needs. */
type Breakers = { record(call: Call, failure: Failure): void };

/**
 * Takes the result from the journal if an earlier try of the run has paid for the call, or if the same side effect may have
 * happened. Calls with the same side effect are made one after the other.
 */
export function journaled(journal: Journal | undefined, breakers?: Breakers): Layer {
	return (next) => async (call) => {
		const { journalKey, endpoint, request } = call;
		if (!journal || !journalKey || !endpoint.credits) return await next(call);
		const noteFault = async (error: Error) => {
			// It may have been made
			journal.keep(journalKey, request, { failure: faultFailure(true) });
			return await Promise.reject<Result>(error);
		};
		const make = async () => await next(call).catch(noteFault);
		const result = await journal.once(journalKey, request, make);
		if (result.isJournaled && 'failure' in result) breakers?.record(call, result.failure);
		return result;
	};
}

/** Maximum number of uploads in flight: if n8n keeps binary data in memory, a file is in memory twice while it is sent. */
const MAX_UPLOADS = 4;

/** Limits the number of calls in flight, and the number of uploads. */
export function concurrency(most: number): Layer {
	const calls = new Semaphore(most);
	const uploads = new Semaphore(Math.min(MAX_UPLOADS, most));
	return (next) => async (call) => {
		const permits = call.request.form ? uploads : calls;
		await permits.acquire();
		try {
			return await next(call);
		} finally {
			permits.release();
		}
	};
}

/** Whether the retry layer won't send the call again, because it must not or because that would not help. */
export function isNotRetried(
	{ failure: { cause, isTransient } }: Failed,
	{ endpoint }: Call,
): boolean {
	if (endpoint.noRetry) return true;
	if (cause === 'unreachable') return !isTransient;
	return cause !== 'throttled' && (cause !== 'lost' || endpoint.credits !== undefined);
}

const MAX_TRIES: { [cause in Failure['cause']]?: number } = {
	throttled: 8,
	unreachable: 4,
	lost: 3,
};
/** Longest pause before the second try; it doubles with each try (full jitter). */
const BACKOFF_MS = 500;

interface RetryOptions {
	clock: Pick<Clock, 'random'>;
	ledger: Pick<Ledger, 'retries'>;
	/** Ends early at Stop. */
	pause(ms: number): Promise<unknown>;
}

/** Sends a call again if it is free or certainly was not charged (DESIGN §4.4). */
export function retry({ clock, ledger, pause }: RetryOptions): Layer {
	/** Services that no try of a call has reached. Other calls to them are not retried until one gets through. */
	const down = new Set<ServiceName>();
	return (next) => async (call) => {
		const { service } = call.request;
		for (let tries = 1; ; tries += 1) {
			const result = await next(call);
			const failure = 'failure' in result ? result.failure : undefined;
			if (failure && !wasTried(failure)) return result;
			if (tries > 1) ledger.retries += 1;
			if (failure?.cause !== 'unreachable') down.delete(service);
			if (!failure || isNotRetried({ failure }, call)) return result;
			const isLast = tries >= (MAX_TRIES[failure.cause] ?? 1);
			if (failure.cause === 'unreachable' && isLast) down.add(service);
			if (isLast || down.has(service)) return result;
			// After a throttled call the rate limiter decides when the next one starts
			if (failure.cause !== 'throttled')
				await pause(clock.random() * BACKOFF_MS * 2 ** (tries - 1));
		}
	};
}

/** Whether a request was made or a connection tried. */
function wasTried({ cause, status }: Failure): boolean {
	if (cause === 'throttled') return status !== undefined;
	return !['misconfigured', 'notSent', 'parameter', 'storage'].includes(cause);
}

/** Latest start of a closing call, in milliseconds from the end of the network. */
const CLOSE_BY_MS = 1_000;

/** The connections of a network (Endpoint.over): each is created for the first call that needs it. */
export class Connections {
	private readonly made = new Map<Endpoint<unknown>['over'], Connection>();
	private send?: Send;

	/** @param around wraps the calls that a connection makes itself, while the network is open */
	constructor(private readonly around: Layer[] = []) {}

	readonly layer: Layer = (next) => async (call) => {
		const { endpoint, request, breaker, isNextStep } = call;
		const { over } = endpoint;
		if (!over) return await next(call);
		this.send = next;
		const connection = this.made.get(over) ?? over();
		this.made.set(over, connection);
		const send = compose(this.around, next);
		const client = plainCaller(
			async (own) => await send({ ...own, breaker, isNextStep, startBy: call.startBy }),
		);
		const tolerates = (failure: Failure) => isExpected(call, failure);
		const sendOn = async (carried: Endpoint<unknown>) => {
			const sent = { ...call, endpoint: carried, request: carried.request, isAttempt: true };
			const result = await next(sent);
			// Set once for all tries of the call
			call.startBy = sent.startBy;
			return result;
		};
		return await connection.carry({ ...endpoint, request, tolerates }, sendOn, client);
	};

	async close(): Promise<void> {
		const { send } = this;
		if (!send) return;
		// Closing calls ignore an open circuit breaker, and do not wait for a pause
		const startBy = CLOCK.now() + CLOSE_BY_MS;
		const client = plainCaller(async (own) => await send({ ...own, isNextStep: true, startBy }));
		await Promise.all([...this.made.values()].map(async (one) => await one.close(client)));
	}
}

/** The flows of one execution or poll, one per service. */
export class Flows {
	private readonly opened = new Map<ServiceName, Flow>();
	private isClosed = false;

	constructor(private readonly open: (service: ServiceName) => Flow) {}

	to(service: ServiceName): Flow {
		const flow = this.opened.get(service) ?? this.open(service);
		this.opened.set(service, flow);
		if (this.isClosed) flow.close();
		return flow;
	}

	readonly close = () => {
		this.isClosed = true;
		for (const flow of this.opened.values()) flow.close();
	};
}

interface RateLimitOptions {
	flows: Pick<Flows, 'to'>;
	clock: Pick<Clock, 'now'>;
	/** Longest wait of one call for its permits, over all tries, in milliseconds; used if the call has no `startBy`. */
	maxQueueWaitMs: number;
	/** The failure of a call whose pause ends after its `startBy`, if it isn't about Max Wait. */
	tooLate?: Failure;
}

/** It has no HTTP status, since nothing was sent. */
function tooLateForRun(notBefore: number, maxWaitMs: number): Failure {
	const time = new Date(notBefore).toISOString().replace(/\.\d+Z$/, 'Z');
	const reason = `the rate limit resets at ${time}, after Max Wait (${inMinutes(maxWaitMs)})`;
	return { cause: 'throttled', reason, scope: 'question' };
}

/** Waits for a permit of the service's fair queue, and reports back what the result says about the rate. */
export function rateLimit({ flows, clock, maxQueueWaitMs, tooLate }: RateLimitOptions): Layer {
	return (next) => async (call) => {
		const { service, path, family = path } = call.request;
		const flow = flows.to(service);
		call.startBy ??= flow.timeAt(clock.now()) + maxQueueWaitMs;
		const admission = await flow.acquire(`${service} ${family}`, call.startBy);
		if (admission === 'closed') return { failure: STOPPED };
		if ('notBefore' in admission)
			return { failure: tooLate ?? tooLateForRun(admission.notBefore, maxQueueWaitMs) };
		let result: Result = { failure: STOPPED };
		try {
			result = await next(call);
			return result;
		} finally {
			report(admission.permit, result, call.endpoint);
		}
	};
}

/** Shorter pauses are ignored, in milliseconds. */
const SHORTEST_PAUSE_MS = 100;

/** Errors of the network or the server say nothing about the rate. */
function report(permit: Permit, result: Result, endpoint: Endpoint<unknown>) {
	if (!('failure' in result)) return permit.accepted(windowIn(result.body, endpoint));
	const { cause, retryAfterMs = 0 } = result.failure;
	// "At once" names no pause: the limiter chooses one, or eight tries would take a few milliseconds
	if (cause === 'throttled')
		permit.throttled(retryAfterMs >= SHORTEST_PAUSE_MS ? retryAfterMs : undefined);
	else if (cause === 'refused' || cause === 'fault') permit.accepted();
	else permit.ignored();
}

function windowIn(body: IDataObject, { window }: Endpoint<unknown>): RateLimitWindow | undefined {
	try {
		return window?.(body);
	} catch {
		return undefined;
	}
}

interface RecordOptions {
	ledger: Ledger;
	followers?: Array<(call: Called) => void>;
	clock: Pick<Clock, 'now'>;
}

/** Records the cost of a call. Every call passes here. Requests that a connection sends in addition are part of the call. */
export function recordedIn({ ledger, followers = [], clock }: RecordOptions): Layer {
	return (next) => async (call) => {
		const sentAt = clock.now();
		const result = await next(call);
		const { credits } = call.endpoint;
		const { charge } = result;
		if (!credits || !charge) return result;
		ledger.book(credits, charge);
		for (const follow of followers) follow({ price: credits, charge, sentAt, payer: call.payer });
		return result;
	};
}
