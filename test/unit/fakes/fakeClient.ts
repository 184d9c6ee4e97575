import type { Sandbox } from '../../sandbox';
import {
	type Answer,
	type AnyOperation,
	type Caller,
	callerOn,
	catchFailed,
	type Client,
	compose,
	Connections,
	describeFailure,
	type Endpoint,
	type Failed,
	type Failure,
	interpret,
	isFailed,
	type Job,
	type LogFault,
	type Lookup,
	type LookupCall,
	type LookupResult,
	type Reading,
	type Reply,
	type Result,
	type Send,
	type ServiceRequest,
	type Transport,
} from '../../engine';
import { fetchTransport } from './fetchTransport';

/** A call that the operation made itself, and its result. */
interface RecordedCall {
	endpoint: Endpoint<unknown>;
	step?: string;
	result: Result;
}

/** What a fake client was asked for. */
type ClientEvent =
	| 'call'
	| { jobId: string }
	| { lookUp: string }
	| { sleepMs: number; note?: string };

export interface FakeClientOptions {
	/** Answers the lookups; unless set, each is one call of the client. */
	lookUp?(call: LookupCall): LookupResult | Promise<LookupResult>;
	/** Whether a lookup costs nothing; none does unless set. */
	isStored?(call: LookupCall): boolean;
	/** Called instead of waiting; `count` begins with 1. It may throw, as a real sleep does at Stop and after Max Wait. */
	onSleep?(ms: number, count: number): void;
}

/** Sends the request of an endpoint, and has it read the reply. */
type SendTo = (endpoint: Endpoint<unknown>) => Promise<Result>;

/** A client without engine and clock, which records what an operation asks of it. */
export class FakeClient implements Client {
	readonly call: Caller['call'];
	readonly attempt: Caller['attempt'];
	/** Everything in order. */
	readonly events: ClientEvent[] = [];
	readonly calls: RecordedCall[] = [];
	readonly lookups: LookupCall[] = [];
	/** Lookups that were not needed. */
	readonly skipped: LookupCall[] = [];
	readonly jobs: Job[] = [];
	readonly warnings: string[] = [];
	/** All requests in order, those of lookups included. */
	readonly requests: ServiceRequest[] = [];

	constructor(
		private readonly sendTo: SendTo,
		private readonly options: FakeClientOptions = {},
	) {
		const make = async (endpoint: Endpoint<unknown>, _isAttempt: boolean, step?: string) => {
			this.events.push('call');
			const result = await this.send(endpoint);
			this.calls.push({ endpoint, step, result });
			return result;
		};
		({ call: this.call, attempt: this.attempt } = callerOn(make));
	}

	get sleeps(): Array<{ sleepMs: number; note?: string }> {
		return this.events.filter((event) => typeof event === 'object' && 'sleepMs' in event);
	}

	async lookUp<Question>(lookup: Lookup<Question>, question: Question): Promise<LookupResult> {
		const call: LookupCall = { lookup: lookup as Lookup<unknown>, question };
		this.events.push({ lookUp: `${lookup.resource}.${lookup.value}` });
		this.lookups.push(call);
		if (this.options.lookUp) return await this.options.lookUp(call);
		const result = await this.send(endpointOf(call));
		if (isFailed(result)) return { ...result, explanation: describeFailure(result.failure) };
		const answer = result.value as Answer;
		return {
			answer: lookup.present?.(answer, question) ?? answer,
			response: answer.response ?? result.body,
			source: 'service',
		};
	}

	async willMake(): Promise<boolean> {
		return true;
	}

	isStored(call: LookupCall): boolean {
		return this.options.isStored?.(call) ?? false;
	}

	skip(calls: LookupCall[]) {
		this.skipped.push(...calls);
	}

	async sleep(sleepMs: number, note?: string): Promise<void> {
		this.events.push({ sleepMs, note });
		this.options.onSleep?.(sleepMs, this.sleeps.length);
	}

	async map<Value, Made>(list: Value[], make: (value: Value) => Made): Promise<Made[]> {
		return list.map((value) => make(value));
	}

	reportJob(job: Job) {
		this.events.push({ jobId: job.id });
		this.jobs.push(job);
	}

	warn(words: string) {
		this.warnings.push(words);
	}

	private async send(endpoint: Endpoint<unknown>): Promise<Result> {
		this.requests.push(endpoint.request);
		return await this.sendTo(endpoint);
	}
}

/** A reply of a script: what an endpoint reads, a failure, or a reply of the service that the endpoint is to read. */
export type ScriptedReply = Failed | Reply | { value: unknown };

/** What a call throws when its script has no further reply. */
export class ScriptEnded extends Error {}

/** A client whose calls get the replies of a script, one after the other. */
export function scriptedClient(script: ScriptedReply[], options?: FakeClientOptions) {
	const replies = [...script];
	const client = new FakeClient(async (endpoint) => {
		const reply = replies.shift();
		if (!reply) throw new ScriptEnded('The script has no further reply');
		if ('kind' in reply || 'cause' in reply) return interpret(endpoint, reply, throwFault);
		return 'failure' in reply ? reply : { value: reply.value, body: {} };
	}, options);
	return Object.assign(client, { unread: replies });
}

export interface SandboxClientOptions extends FakeClientOptions {
	key?: string;
	/** Bytes of the input item's files, by binary property. */
	files?: Record<string, Uint8Array>;
}

/** A client whose calls go to the sandbox, through the transport and the interpretation of production. */
export function sandboxClient(
	sandbox: Pick<Sandbox, 'keys' | 'roots'>,
	{ key = sandbox.keys.main, files, ...options }: SandboxClientOptions = {},
): FakeClient {
	return clientOver(fetchTransport(sandbox, key, files), options);
}

/**
 * A client whose calls are sent once each, over connections as in production, and whose replies are interpreted as in production.
 * Close it as a run closes its network.
 */
export function clientOver(
	transport: Pick<Transport, 'send'>,
	options?: FakeClientOptions,
): FakeClient & { close(): Promise<void> } {
	const connections = new Connections();
	const http: Send = async ({ endpoint, request }) => {
		const timeoutMs = endpoint.timeoutMs ?? TIMEOUT_MS;
		const reply = await transport.send(request, timeoutMs, endpoint.exchange);
		return interpret({ ...endpoint, request }, reply, throwFault);
	};
	const send = compose([connections.layer], http);
	const client = new FakeClient(
		async (endpoint) => await send({ endpoint, request: endpoint.request }),
		options,
	);
	return Object.assign(client, { close: async () => await connections.close() });
}

const TIMEOUT_MS = 30_000;

/** No test expects an exception in a `read`. */
const throwFault: LogFault = (where, error) => {
	throw new Error(`Fault in ${where}`, { cause: error });
};

/** What an operation came to, and what it asked of its client. */
interface Performed {
	/** One per question; undefined where a failed call ended it. */
	readings?: Array<Failed | Reading>;
	failure?: Failure;
	requests: ServiceRequest[];
	sleepsMs: number[];
	jobs: Job[];
}

/** Has an operation answer questions with a client. */
export async function perform(
	operation: AnyOperation,
	questions: unknown[],
	client: FakeClient,
): Promise<Performed> {
	const readings = await catchFailed(async () =>
		'run' in operation
			? await operation.run(questions, client)
			: [await client.call(endpointOf({ lookup: operation, question: questions[0] }))],
	);
	const { requests, jobs, sleeps } = client;
	return {
		...(isFailed(readings) ? readings : { readings }),
		requests,
		sleepsMs: sleeps.map(({ sleepMs }) => sleepMs),
		jobs,
	};
}

/** Has an operation answer questions with the sandbox as its service. */
export async function performInSandbox(
	sandbox: Sandbox,
	operation: AnyOperation,
	questions: unknown[],
	options?: SandboxClientOptions,
): Promise<Performed> {
	return await perform(operation, questions, sandboxClient(sandbox, options));
}

/** The one call of an operation. */
function endpointOf({ lookup, question }: LookupCall): Endpoint<Reading> {
	return {
		request: lookup.request(question),
		credits: lookup.credits?.(question),
		quotesOthers: lookup.quotesOthers,
		read: (body, head) => lookup.read(body, head, question),
	};
}
