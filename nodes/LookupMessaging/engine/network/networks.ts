import { sleep, type IExecuteFunctions, type ILoadOptionsFunctions } from 'n8n-workflow';
import type { Called, Ledger, LostInARow } from '../billing/ledger';
import type { Endpoint } from '../client';
import type { Failed, Failure, Refusal } from '../results';
import type { Journal } from '../memory/journal';
import type { CredentialData } from './credential';
import { CircuitBreakers } from './circuitBreakers';
import {
	compose,
	concurrency,
	Connections,
	Flows,
	journaled,
	plainCaller,
	rateLimit,
	recordedIn,
	retry,
	type Layer,
	type Send,
} from './layers';
import { STOPPED } from '../operation';
import { concurrencyOf, requestRateOf } from '../pacing/requestRate';
import { openTransport, Transport } from './transport';
import { CLOCK, type Clock, SLICES, type TimeSlices } from '../clock';
import { whenAborted } from '../gate';
import type { Settings } from '../plan/settings';

/** The networks. Each is a list of layers (layers.ts, circuitBreakers.ts) that a call passes from top to bottom. */

export interface FeatureNetwork {
	/** Distinguishes accounts with the service. */
	account: string;
	clock: Clock;
	/** Makes a free call, without the layers that hold back paid calls. */
	read<Value>(endpoint: Endpoint<Value>): Promise<Exclude<Value, Refusal> | Failed>;
	/** Waits; resolves with a failure if Stop ended the wait. */
	pause(ms: number): Promise<Failure | undefined>;
}

/** The part of a feature (feature.ts) that is about calls. */
export interface NetworkFeature {
	/** Opens the layer that holds back or watches the calls of the run. */
	open?(network: FeatureNetwork): OpenFeature;
	/** Called with each paid call that has ended and was charged, may have been, or was refunded. */
	called?(call: Called): void;
}

/** A feature, open for the calls of a run. */
interface OpenFeature {
	/** Wraps each try of a call, before its turn by the rate limit. */
	layer?: Layer;
	/** Ends its waits: at Stop, and at the end of the run. */
	stop?(): void;
	/** At the end of the run. */
	close?(): void;
}

interface RunNetworkParts {
	settings: Pick<Settings, 'maxQueueWaitMs'>;
	/** Maximum number of calls in flight. */
	concurrency: number;
	/** The layers of features around each try of a call. */
	around: Layer[];
	journal?: Journal;
	breakers: CircuitBreakers;
	ledger: Ledger;
	followers?: Array<(call: Called) => void>;
	clock: Clock;
	http: Send;
	connections: Pick<Connections, 'layer'>;
	flows: Pick<Flows, 'to'>;
	pause(ms: number): Promise<unknown>;
}

export function runNetwork(run: RunNetworkParts): Send {
	const { journal, breakers } = run;
	return compose(
		[
			journaled(journal, breakers), // what an earlier try of this run has paid for
			breakers.aroundCall, // a wrong key, ten lost replies or ten failures alike end the run
			concurrency(run.concurrency), // what was begun is finished first
			retry(run), // only what is free or certainly was not charged
			...run.around, // features, such as Minimum Balance
			run.connections.layer, // what is opened once for all calls that need it
			rateLimit({ ...run, ...run.settings }), // the service's rate, fair over all executions
			breakers.aroundTry, // opened while the call was queued
			recordedIn(run), // every request that is sent
		],
		run.http,
	);
}

/** The network of a run. Close it at the end of the run. */
export interface OpenNetwork {
	send: Send;
	breakers: CircuitBreakers;
	clock: Clock;
	slices: TimeSlices;
	/** Maximum number of tasks, and of calls, in progress. */
	concurrency: number;
	pause(ms: number): Promise<Failure | undefined>;
	/** Waits for work of others; ends at Stop, like `pause`. */
	unlessStopped(work: Promise<unknown>): Promise<Failure | undefined>;
	close(): Promise<void>;
	/** See Transport. */
	insecure: ReadonlySet<string>;
}

export function openRunNetwork(
	context: IExecuteFunctions,
	operation: object,
	credential: CredentialData,
	parts: Pick<RunNetworkParts, 'journal' | 'ledger'> & {
		lostInARow: LostInARow;
		settings: Settings;
		features: NetworkFeature[];
	},
): OpenNetwork {
	const { timeoutMs, maxRequestsPerMinute, onFailure } = parts.settings;
	const transport = new Transport(context, credential);
	const http = transport.over(() => timeoutMs);
	const most = concurrencyOf(maxRequestsPerMinute);
	const account = transport.accountName();
	const rate = requestRateOf(account);
	const closeLimit = rate.open(maxRequestsPerMinute);
	const flows = new Flows((service) => transport.queueFor(service).open(most, rate));
	const breakers = new CircuitBreakers(operation, onFailure === 'stop', parts.lostInARow);
	const features: OpenFeature[] = [];
	const stop = () => {
		flows.close();
		for (const feature of features) feature.stop?.();
	};
	const { pause, unlessStopped, close } = watchStop(context, stop);
	const read = readerOf({ ...parts, http, flows, pause });
	const ofFeatures = { account, clock: CLOCK, pause, read };
	for (const feature of parts.features) if (feature.open) features.push(feature.open(ofFeatures));
	const around = features.flatMap(({ layer }) => layer ?? []);
	const followers = parts.features.flatMap(({ called }) => called ?? []);
	const again = retry({ clock: CLOCK, ledger: parts.ledger, pause });
	const connections = new Connections([again]);
	const own = { around, followers, breakers, concurrency: most, connections, flows, pause };
	if (context.getExecutionCancelSignal()?.aborted) stop();
	return {
		send: runNetwork({ ...parts, ...own, http, clock: CLOCK }),
		breakers,
		clock: CLOCK,
		slices: SLICES,
		concurrency: most,
		pause,
		unlessStopped,
		close: async () => {
			try {
				await connections.close();
			} finally {
				for (const feature of features) feature.close?.();
				close();
				closeLimit();
			}
		},
		insecure: transport.insecure,
	};
}

/** Stops the calls at Stop, or when the network is closed, and ends waits at Stop. */
function watchStop(context: IExecuteFunctions, stop: () => void) {
	const signal = context.getExecutionCancelSignal();
	signal?.addEventListener('abort', stop);
	return {
		// At abort, n8n's sleep rejects on 2.x. That of 1.x takes no signal
		pause: async (ms: number) =>
			await untilStop(signal, async (own) => await sleep(ms, own).catch(() => undefined)),
		unlessStopped: async (work: Promise<unknown>) =>
			await untilStop(signal, async () => await work),
		close: () => {
			// The execution and its signal may outlive this node
			signal?.removeEventListener('abort', stop);
			stop();
		},
	};
}

/** Makes the free calls of features, without the layers that hold back paid calls, since those may wait for them. */
function readerOf(
	run: Pick<RunNetworkParts, 'flows' | 'http' | 'ledger' | 'pause' | 'settings'>,
): FeatureNetwork['read'] {
	const timed = { ...run, clock: CLOCK };
	const limited = rateLimit({ ...timed, ...run.settings });
	const layers = [retry(timed), limited, recordedIn({ ledger: run.ledger, clock: CLOCK })];
	const { attempt } = plainCaller(compose(layers, run.http));
	return async (endpoint) => await attempt(endpoint);
}

/** A network that sends nothing and never waits: paid calls of an earlier try come from the journal, all others fail. */
export function offlineNetwork(
	operation: object,
	failure: Failure,
	journal: Journal | undefined,
): OpenNetwork {
	return {
		send: compose([journaled(journal)], async () => ({ failure })),
		breakers: new CircuitBreakers(operation, false),
		clock: CLOCK,
		slices: SLICES,
		concurrency: 1,
		pause: async () => failure,
		unlessStopped: async () => failure,
		close: async () => undefined,
		insecure: new Set(),
	};
}

/** The network of a list in the editor. Its few calls are free, and the user can reload the list, so it has hardly any layer. */
export async function openEditorNetwork(
	context: ILoadOptionsFunctions,
	timeoutMs: number,
): Promise<Pick<OpenNetwork, 'close' | 'send'>> {
	const connections = new Connections();
	const http = (await openTransport(context)).over(() => timeoutMs);
	return {
		send: compose([connections.layer], http),
		close: async () => await connections.close(),
	};
}

/**
 * Waits for work, or returns early at Stop. Stop acts in four places: queued calls leave the fair queue (openRunNetwork), a call
 * that has left it is not sent (transport.ts), waits for n8n's storage end (inputFiles.ts), and so do all others (here). n8n
 * itself aborts calls in flight.
 */
async function untilStop(
	signal: AbortSignal | undefined,
	work: (own: AbortSignal) => Promise<unknown>,
): Promise<Failure | undefined> {
	if (signal?.aborted) return STOPPED;
	// A separate signal: n8n's sleep adds a listener to the signal and never removes it
	const own = new AbortController();
	const stop = () => own.abort();
	signal?.addEventListener('abort', stop);
	await Promise.race([work(own.signal), whenAborted(own.signal)]);
	signal?.removeEventListener('abort', stop);
	return signal?.aborted ? STOPPED : undefined;
}
