import type { IDataObject } from 'n8n-workflow';
import type {
	Answer,
	Failed,
	Failure,
	Job,
	LookupResult,
	OutputField,
	RawResponse,
	Reading,
	Refusal,
	Reply,
	Result,
	ServiceRequest,
} from './results';

export type { BinaryFile, ServiceName, ServiceRequest } from './results';

/**
 * The argument of an operation's `run`. The client knows the network, the clock, the ledger and the Stop button. The operation
 * sees none of them, so a test passes a fake client.
 */
export interface Client extends Caller {
	/** Lets another operation answer a question. Equal questions share one answer. A failure is returned, not thrown. */
	lookUp<Question>(lookup: Lookup<Question>, question: Question): Promise<LookupResult>;
	/**
	 * Asks before a lookup that only serves a later call. Waits until it is known whether such calls work, or this is one of those
	 * that show it.
	 * @returns whether the call will be made. It is not if an earlier try made it, or an equal one may have been done
	 */
	willMake(endpoint: Endpoint<unknown>, step: string): Promise<boolean>;
	/** Whether a lookup is answered without a call, so that it costs nothing. */
	isStored(call: LookupCall): boolean;
	/** Records lookups that could have been made but were not needed. */
	skip(calls: LookupCall[]): void;
	/**
	 * Waits until Max Wait is over at the latest, and at least 2 s. Another task uses the permit meanwhile.
	 * @param note what is known of the job, as a clause ("its status is …"), for the failure when Max Wait is over
	 * @throws CallFailed at Stop, and when Max Wait is over
	 */
	sleep(ms: number, note?: string): Promise<void>;
	/** Makes something of each entry of a long list, and lets n8n do other work meanwhile. */
	map<Value, Made>(list: Value[], make: (value: Value) => Made): Promise<Made[]>;
	/** Records a job that was paid for: it is logged, and every later failure of the task names it. */
	reportJob(job: Job): void;
	/** Writes a sentence to n8n's log, without its full stop. */
	warn(words: string): void;
}

/** The part of a client that makes calls. Polls of the trigger and lists of the editor need no more. */
export interface Caller {
	/**
	 * @param step names a paid call within its task, so that Retry On Fail finds its reply in the journal
	 * @throws CallFailed when there is no answer; the engine turns it into the failure of the item
	 */
	call<Result>(endpoint: Endpoint<Result>, step?: string): Promise<Exclude<Result, Refusal>>;
	/** Like `call`, but returns the failure. Throws a failure that `endpoint.tolerates` rejects. */
	attempt<Result>(
		endpoint: Endpoint<Result>,
		step?: string,
	): Promise<Exclude<Result, Refusal> | Failed>;
}

/** One call to the service: what to send, what it costs and how to read the answer. */
export interface Endpoint<Result> {
	request: ServiceRequest;
	/** Unset for free calls. */
	credits?: Credits;
	/** Has a side effect that must not happen twice, such as sending a message. It isn't repeated if it may have happened. */
	effect?: 'acts';
	/** Reads a JSON body. Pure. SPEC §7 leaves most HTTP statuses open, so the body decides first. */
	read: (body: IDataObject, head: ReplyHead) => Refusal | Result;
	/** Longest wait for the reply, in milliseconds, if it is shorter than the user's Timeout. */
	timeoutMs?: number;
	/** Reads the rate-limit window that an answer reports (SPEC §8). */
	window?: (body: IDataObject) => RateLimitWindow | undefined;
	/** The engine does not repeat the call, because the operation repeats it or a repetition is not needed. */
	noRetry?: true;
	/** Its subject is a page or a job, and a refusal may say that it is gone, private or suspended. */
	quotesOthers?: true;
	/** Which failures an attempt returns; all unless set. */
	tolerates?: (failure: Failure) => boolean;
	/** Creates the connection for the call. A network creates it for the first such call and closes it at its own end. */
	over?: () => Connection;
	/** Replaces the exchange, for calls that need more than one request or text. */
	exchange?: Exchange;
	/** Whether a call of the run to its path was answered. The transport sets it. */
	isPathKnown?: boolean;
}

/** A connection for several calls. */
export interface Connection {
	/**
	 * Makes a call.
	 * @param send sends the call as changed by the connection; a failure that the connection tolerates opens no circuit breaker
	 * @param client makes further calls of the connection
	 */
	carry(
		endpoint: Endpoint<unknown>,
		send: (carried: Endpoint<unknown>) => Promise<Result>,
		client: Caller,
	): Promise<Result>;
	close(client: Caller): Promise<void>;
}

/** Sends a request and reads the reply. Throws a NetworkFailure if the network fails. */
export type Exchange = (request: ServiceRequest, wire: Wire) => Promise<Reply>;

/** The network, as an exchange sees it. Whatever is still in progress ends with the exchange. */
export interface Wire {
	/** Sends a request within the time of the call, or within a time of its own. Throws a NetworkFailure. */
	post(request: ServiceRequest, timeoutMs?: number): Promise<OpenResponse>;
	/** Ends at the time-out of the call, or at Stop. */
	signal: AbortSignal;
	/** Removes the API key from a body, in place; undefined for a body that is nested too deeply. */
	redact(body: object): Promise<IDataObject | undefined>;
	/** The result of a request with a complete reply. `json` is the object in its body, if the body has more than that. */
	classify(response: RawResponse, json?: IDataObject): Promise<Reply>;
	/** Waits before a further request, but no longer than the call may take, and for its turn in Max Requests per Minute. */
	pause(ms: number): Promise<void>;
	/** Does work of any length, and lets n8n do other work meanwhile. */
	finish<Value>(work: Generator<undefined, Value>): Promise<Value>;
	/** Call it between two pieces of such work. */
	giveWay(): Promise<void>;
	now(): number;
	/** Writes to n8n's log. */
	log(line: string): void;
}

/** A reply of n8n's HTTP helper, before its body is read. */
export interface OpenResponse extends Omit<RawResponse, 'body'> {
	/** The bytes as they arrive. */
	body: AsyncIterable<Uint8Array>;
	/** Ends it, whether or not all has been read. */
	close(): void;
}

/** HTTP status and headers of a reply, and the call that it belongs to. */
export type ReplyHead = Pick<Endpoint<unknown>, 'isPathKnown' | 'request'> & {
	status: number;
	headers: Record<string, string>;
};

/** The credit balances that the service debits (SPEC §1, §4.2). */
export type Balance = 'audit' | 'callerinfo' | 'email' | 'geoip' | 'phone' | 'scraper' | 'whatsapp';

/** The account of a call. The name of a tool does not say which balance it debits (SPEC §4.3). */
export type Account = Balance | 'tool server';

/**
 * The cost of a call: at most `atMost` credits; `charged` reads the true number from the reply body, undefined if it is open. If
 * SPEC §8 names no price, calls are counted, and credits are not; a call of several lookups says how many it counts as.
 */
export type Credits =
	| { balance: Account; cost: 'not stated'; lookups?: number }
	| {
			balance: Balance;
			atMost: number;
			charged: (body: IDataObject) => number | undefined;
			/** Reads the remaining credits, if the reply reports them. */
			left?: (body: IDataObject) => number | undefined;
	  };

/** Calls left in the rate-limit window of an endpoint, and the milliseconds until it resets (SPEC §8). */
export type RateLimitWindow = { left: number; resetMs: number };

/** What every operation declares about itself and its questions. All functions are pure. */
export interface QuestionFacts<Question> {
	resource: string;
	/** Name of the operation in stored workflows: frozen once released. */
	value: string;
	action: string;
	/** The question in the spelling that all equal questions share. It is only compared, never sent. */
	canonical?: (question: Question) => Question;
	/** The cost of one question, without its lookups. Undefined if free; operations that only look up have no `credits`. */
	credits?: (question: Question) => Credits | undefined;
	/** Answers may be inconclusive and refunded. Adds the option 'Recheck Inconclusive Emails'. */
	refunds?: true;
	/** What an item shows of an answer that it may share with other items. */
	present?: (answer: Answer, question: Question) => Answer;
	/**
	 * Its answers change until one is final. Only the final one is stored; the next run of the execution asks for the others
	 * again. By default every answer is final.
	 */
	isFinal?: (answer: Answer) => boolean;
	output: OutputField[];
}

/** An operation of one call per question. Other operations can look it up. */
export interface Lookup<Question> extends QuestionFacts<Question> {
	request: (question: Question) => ServiceRequest;
	read: (body: IDataObject, head: ReplyHead, question: Question) => Reading;
	window?: Endpoint<Reading>['window'];
	quotesOthers?: true;
	group?: Group<Question>;
}

/** Questions that one answer may settle together, such as the mailboxes of a domain. */
export interface Group<Question> {
	/** The name of the group that a question belongs to. */
	of: (question: Question) => string;
	/** The answer to another question of its group, derived from this one; undefined if there is none. */
	infer: (answer: Answer, other: Question) => Answer | undefined;
}

/** A question to another operation, as that operation's `prepare` makes it. */
export type LookupCall = { lookup: Lookup<unknown>; question: unknown };
