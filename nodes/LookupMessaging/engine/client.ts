import type { IDataObject } from 'n8n-workflow';
import type { ServiceRequest } from './request';
import type {
	Answer,
	Failed,
	Failure,
	Job,
	LookupResult,
	OutputField,
	Reading,
	Refusal,
} from './results';

export type { BinaryFile, ServiceName, ServiceRequest } from './request';

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
	 * Waits while another task uses the permit.
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
	/** What the call is made over. The engine opens it before the first such call, and closes it after the last one. */
	over?: Connection;
	/** How the messages of the reply are read, where a reply may have several. A connection sets it. */
	messages?: MessageReader;
}

/** Something that has to be opened before calls can be made, such as a session. A network opens it once, and again when it is over. */
export interface Connection {
	/** What it is, in the message that it cannot be opened. */
	noun: string;
	/** @throws CallFailed when it cannot be opened */
	open(client: Caller): Promise<OpenConnection>;
}

/** A connection on which calls can be made. */
export interface OpenConnection {
	/** A request as it goes over the connection; each time a new one. */
	carry(request: ServiceRequest): { request: ServiceRequest; messages?: MessageReader };
	/** Whether a failure says that the connection is over, and that the call was not looked at. */
	isOver(failure: Failure): boolean;
	close?(client: Caller): Promise<unknown>;
}

/**
 * Reads the messages of a reply: the one JSON body, or server-sent events of which each is one (WHATWG HTML §9.2). All functions
 * are pure.
 */
export interface MessageReader {
	/** What a message is; undefined for one that is of no interest. */
	read(message: IDataObject): MessageMeaning | undefined;
	/** What a refusal says that is no JSON; undefined where its HTTP status says as much. */
	readText?(text: string): IDataObject | undefined;
	/**
	 * Asks for what follows the event with this ID, after the stream has broken off.
	 * @param headers of the stream
	 */
	resume(lastEventId: string, headers: Record<string, string>): ServiceRequest;
	/** Tells the server that nobody waits for the reply any more. */
	cancel?: ServiceRequest;
}

/** The reply to the call, a question that takes an answer, or how far the work has come, for n8n's log. */
export type MessageMeaning = 'reply' | { answer: ServiceRequest } | { progress: string };

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
