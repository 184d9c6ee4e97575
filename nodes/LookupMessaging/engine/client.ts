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
 * What an operation's `run` is handed. The client knows the network, the clock, the ledger and the Stop button. The operation
 * sees none of them, so a test hands it a fake client.
 */
export interface Client extends Caller {
	/** Has another operation answer a question. Equal questions share one answer. A failure is returned, not thrown. */
	lookUp<Question>(lookup: Lookup<Question>, question: Question): Promise<LookupResult>;
	/** Whether a lookup is answered without a call, so that it costs nothing. */
	isStored(call: LookupCall): boolean;
	/** Books lookups that could have been made and were not needed. */
	skip(calls: LookupCall[]): void;
	/**
	 * Waits while another task uses the permit, until Max Wait is over at the latest, and never shorter than 2 s.
	 * @param note what is known of the job, as a clause ("its status is …"), for the failure when Max Wait is over
	 * @throws CallFailed at Stop, and when Max Wait is over
	 */
	sleep(ms: number, note?: string): Promise<void>;
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
	/** Only free calls have none. */
	credits?: Credits;
	/** It does something that must not happen twice, such as sending a message, so what may have been done is not done again. */
	effect?: 'acts';
	/** Reads a JSON body. Pure. SPEC §7 leaves most HTTP statuses open, so the body decides first. */
	read: (body: IDataObject, head: ReplyHead) => Refusal | Result;
	/** Longest wait for the reply, in milliseconds, where that is shorter than the user's Timeout. */
	timeoutMs?: number;
	/** Reads the rate-limit window that an answer reports (SPEC §8). */
	window?: (body: IDataObject) => RateLimitWindow | undefined;
	/** The engine does not repeat the call: the operation does that itself, or nobody needs to. */
	noRetry?: true;
	/** It asks about a page or a job, of which a refusal may say that it is gone, private or suspended. */
	quotesOthers?: true;
	/** Which failures an attempt returns; all unless set. */
	tolerates?: (failure: Failure) => boolean;
	/** Makes what the call is made over. A network has one of each, from the first such call to its own end. */
	over?: () => Connection;
	/** Makes the exchange itself, where one request and one text are not all of it. */
	exchange?: Exchange;
	/** Whether a call of the run to its path was answered. The transport sets it. */
	isPathKnown?: boolean;
}

/** Something that calls are made over. */
export interface Connection {
	/**
	 * Makes a call.
	 * @param send sends it on as the connection has changed it; a failure that it then tolerates opens no circuit breaker
	 * @param client makes further calls of the connection
	 */
	carry(
		endpoint: Endpoint<unknown>,
		send: (carried: Endpoint<unknown>) => Promise<Result>,
		client: Caller,
	): Promise<Result>;
	close(client: Caller): Promise<void>;
}

/** Sends a request and reads what comes back. Throws a NetworkFailure where the network fails. */
export type Exchange = (request: ServiceRequest, wire: Wire) => Promise<Reply>;

/** The network, as an exchange sees it. What is under way when the exchange is over ends. */
export interface Wire {
	/** Sends a request within the time of the call, or within a time of its own. Throws a NetworkFailure. */
	post(request: ServiceRequest, timeoutMs?: number): Promise<OpenResponse>;
	/** Ends at the time-out of the call, or at Stop. */
	signal: AbortSignal;
	/** Removes the API key from a body, in place; undefined for a body that is nested too deeply. */
	redact(body: object): Promise<IDataObject | undefined>;
	/** What became of the request, by a whole reply; `json` is the object in its body, where that is not all of it. */
	classify(response: RawResponse, json?: IDataObject): Promise<Reply>;
	/** Waits, but no longer than the call may take. */
	pause(ms: number): Promise<void>;
	nextTick(): Promise<void>;
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

/** HTTP status and headers of a reply, and what it replies to. */
export type ReplyHead = Pick<Endpoint<unknown>, 'request'> & {
	status: number;
	headers: Record<string, string>;
};

/** The credit balances that the service debits (SPEC §1, §4.2). */
export type Balance = 'audit' | 'callerinfo' | 'email' | 'geoip' | 'phone' | 'scraper' | 'whatsapp';

/** What a call is booked under. The name of a tool does not tell which balance it debits (SPEC §4.3). */
export type Account = Balance | 'tool server';

/**
 * What a call costs: at most `atMost` credits; `charged` reads the true number from the reply body. Where SPEC §8 names no
 * price, calls are counted, and credits are not.
 */
export type Credits =
	| { balance: Account; cost: 'not stated' }
	| {
			balance: Balance;
			atMost: number;
			charged: (body: IDataObject) => number;
			/** Reads the credits that are left, where the reply reports them. */
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
	/** The question in the spelling that all equal questions share. It is compared, never sent. */
	canonical?: (question: Question) => Question;
	/** What one question costs, without its lookups. Undefined for a free one; operations that only look up have no `credits`. */
	credits?: (question: Question) => Credits | undefined;
	/** Most paid calls that one question takes; 1 unless set. */
	paidCallsAtMost?: (question: Question) => number;
	/** What an item shows of an answer that it may share with equal questions. */
	present?: (answer: Answer, question: Question) => Answer;
	/**
	 * Its answers change with time, until one is final. Only that one is stored; all else is asked again by the next run of the
	 * execution. Unless set, every answer is final.
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

/** Questions of which one answer may say what all others would be answered, such as the mailboxes of a domain. */
export interface Group<Question> {
	/** The name of the group that a question belongs to. */
	of: (question: Question) => string;
	/** What an answer says about another question of its group; undefined where it says nothing. */
	infer: (answer: Answer, other: Question) => Answer | undefined;
}

/** A question to another operation, as that operation's `prepare` makes it. */
export type LookupCall = { lookup: Lookup<unknown>; question: unknown };
