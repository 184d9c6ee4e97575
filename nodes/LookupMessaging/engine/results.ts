import type { GenericValue, IDataObject } from 'n8n-workflow';

/** The results of a call and of a question. */

/** Yes, no, or could not be determined. An unknown never counts as a no. */
export type Outcome = 'negative' | 'positive' | 'unknown';

/** Values of the declared output fields. A field that the reply lacks is left out or undefined. */
export type AnswerRecord = Record<string, GenericValue>;

/** One field of an operation's record. Output schemas, documentation and the 'Fields' list come from it. */
export interface OutputField {
	name: string;
	type: 'array' | 'boolean' | 'number' | 'object' | 'string';
	description: string;
	example: GenericValue;
	simplified?: boolean;
	/** Only answers of this shape have the field; all unless set. */
	shape?: string;
	/** Describes the call, not the subject, so it is no part of a stored result. */
	ofCall?: true;
	/** The ID by which a job that was paid for can be fetched. */
	isJobId?: true;
	/** It is the answer of a lookup: an object with its own outcome and source, or null. */
	isLookup?: true;
	/** The fields of such an object. Flat Columns has those that are `simplified`, Selected Fields has all. */
	fields?: OutputField[];
}

/** An answer of the service, with its reason if there is one. */
export interface Answer {
	outcome: Outcome;
	record: AnswerRecord;
	reason?: string;
	/** The service could not tell and refunded the credit. The question may be asked again; the answer is never stored. */
	isRefunded?: true;
	/** The body has an unknown shape. Under an HTTP error it counts as a refusal. */
	isUnclear?: true;
	/** The answer of a lookup before the side effect, which was not tried. */
	isPreliminary?: true;
	/** It could not be put into fields, so it is returned unchanged: a paid result is never withheld. */
	isAsItCame?: true;
	/** Which output fields the answer has, if there are several shapes (OutputField.shape). */
	shape?: string;
	/** What Raw shows; the whole reply body unless set. */
	response?: IDataObject;
	/** Number of rows that the item hides because of Limit. */
	leftOut?: number;
	/** One answer per output item; left out or empty for one item. */
	rows?: Rows;
	/** Files by binary property name. */
	files?: Record<string, AnswerFile>;
}

/**
 * The rows of an answer, created from the entries of a list. Each is created when it is shown, so hidden rows cost only their
 * place in the list.
 */
export class Rows implements Iterable<Answer> {
	private constructor(
		private readonly entries: readonly unknown[],
		private readonly rowAt: (index: number) => Answer,
		readonly length = entries.length,
	) {}

	static of<Entry>(entries: Entry[], rowOf: (entry: Entry, index: number) => Answer): Rows {
		return new Rows(entries, (index) => rowOf(entries[index], index));
	}

	/** The first rows, or all if there are fewer. */
	first(most: number): Rows {
		return new Rows(this.entries, this.rowAt, Math.min(this.length, most));
	}

	/** Replaces a row that cannot be created. */
	orElse(instead: (entry: unknown, error: Error) => Answer): Rows {
		const rowAt = (index: number) => {
			try {
				return this.rowAt(index);
			} catch (error) {
				return instead(this.entries[index], error as Error);
			}
		};
		return new Rows(this.entries, rowAt, this.length);
	}

	*[Symbol.iterator](): Generator<Answer, undefined> {
		for (let index = 0; index < this.length; index += 1) yield this.rowAt(index);
	}
}

export type AnswerFile = { base64: string; mimeType: string; fileName: string };

/** The service said no. Scope `account`: it would refuse every further paid call too. */
export interface Refusal {
	scope: 'account' | 'question';
	reason: string;
	/** The reason is in words of this package and says what to do. Unless set, it is in the words of the service. */
	isOwn?: true;
	/** The part of the account that it is about. With scope `question`, there are too few credits for this question alone. */
	about?: 'credits' | 'key';
	/** Error code (JSON-RPC 2.0 §5.1). */
	code?: number;
	/** ID of a job that the service names although it refuses. */
	jobId?: string;
	/** Whether it may have been charged; unless set, only a refusal of the question may. */
	mayHaveCost?: boolean;
}

/** The result of `read` for a reply body. */
export type Reading = Answer | Refusal;

/** What to do about a failure. */
export interface Remedy {
	/** What to do, as one or two short sentences without the last full stop. */
	forUser: string;
	/** The same for a model, which can call again or tell its user, and cannot change a setting. */
	forModel: string;
	/** The same without an item to run again: in the editor and in a poll. */
	withoutItem?: string;
	/** Further explanation of the failure. */
	more: string;
}

interface FailureFacts {
	/** What happened, as a sentence without its full stop. */
	reason: string;
	/** `account`: every further paid call of this run would fail alike, so none is made. */
	scope: 'account' | 'question';
	/** Whether earlier calls for the same question were answered, and so paid for. */
	paidBefore?: boolean;
	/** A lookup before the side effect failed, so the side effect was not tried. */
	isPreliminary?: true;
	/** Jobs that were paid for before the failure. */
	jobs?: Job[];
}

/** What failures of some causes may have. */
interface FailureFields {
	/** Why a call was not sent, if not because of the failure of another one. */
	after: 'firstCalls' | 'stop';
	/** The service's final reply to the question; a paid job will not change it. */
	isFinal: true;
	/** A JSON body says so in words and nothing else, where a gateway may have sent a page of its own. */
	isInWords: true;
	/** The connection was not made; another try may succeed. */
	isTransient: boolean;
	/** Whether a call may have been charged although it returned no answer. */
	mayHaveCost: boolean;
	/** What the operation read in the reply, if the service refused. */
	refusal: Refusal;
	/** What to do about a limit. Unless set, it is Max Paid Lookups. */
	remedy: Remedy;
	/** The answer that this package's own code could not process, and the length of its text. */
	reply: IDataObject;
	size: number;
	/** The pause that the service asked for, in milliseconds. */
	retryAfterMs: number;
	/** The service whose URL is wrong, if one is. */
	service: ServiceName;
	status: number;
}

/** The causes of failures, and which fields each may have. */
interface Causes {
	/** It would cost more than a limit allows. */
	budget: 'remedy';
	fault: 'mayHaveCost' | 'reply';
	/** The request went out and no readable reply came back. It may have been charged. */
	lost: 'mayHaveCost' | 'status';
	/** An invalid value, where the user wants such items to fail. */
	malformed: never;
	/** The credential cannot be used for this request. Nothing was sent. */
	misconfigured: never;
	noCredential: never;
	notSent: 'after';
	/** A value is wrong, or a request cannot carry it unchanged. Nothing was sent. */
	parameter: never;
	refused: 'isFinal' | 'mayHaveCost' | 'refusal' | 'reply' | 'service' | 'size' | 'status';
	repeated: never;
	/** n8n's storage does not give or take the file, or it was replaced since its size was checked. */
	storage: never;
	/** HTTP 429 or 503 with a pause, and nothing was charged. Without a status, nothing was sent: the pause is too long. */
	throttled: 'isInWords' | 'retryAfterMs' | 'status';
	unfinished: never;
	/** The request certainly never reached the service. */
	unreachable: 'isTransient' | 'status';
}

/** A failure of one of these causes. The fields of other causes can be read, and are never set. */
export type FailureOf<Some extends keyof Causes> = {
	[Cause in Some]: FailureFacts & { cause: Cause } & {
		[Field in keyof FailureFields]?: Field extends Causes[Cause] ? FailureFields[Field] : undefined;
	};
}[Some];

/** Why an item has no answer. Only output/errors.ts turns failures into n8n errors. */
export type Failure = FailureOf<keyof Causes>;

/** A call or a question that has no answer. */
export interface Failed {
	failure: Failure;
	/** The failure in sentences for the reader of the output; set by `lookUp`. */
	explanation?: string;
	/** What an unknown item shows beside the reason, such as the parts that were answered. */
	record?: AnswerRecord;
	/** Some of its parts were answered, so the item is worth returning. */
	isPartlyAnswered?: true;
}

/** An answered call: the value that its endpoint read, the body, and the length of the original body. */
export interface Success {
	value: unknown;
	body: IDataObject;
	size?: number;
	/** Remaining credits of its balance, if the reply reports them. */
	left?: number;
}

type Headers = Record<string, string>;

/** The result of one HTTP request. */
export type Reply =
	/** HTTP below 300 with a JSON object; `size` is the length of its text. */
	| { kind: 'ok'; status: number; headers: Headers; body: IDataObject; size?: number }
	/** HTTP below 300 with JSON that is not taken apart. `body` has it as text. */
	| { kind: 'asText'; status: number; reason: string; body: IDataObject; size: number }
	/** HTTP 3xx or 4xx; `body` if it was a JSON object. */
	| { kind: 'httpError'; status: number; headers: Headers; body?: IDataObject }
	/** No reply that can be read. */
	| FailureOf<'lost' | 'misconfigured' | 'notSent' | 'parameter' | 'storage'>
	| FailureOf<'throttled' | 'unreachable'>;

/** A reply of n8n's HTTP helper. */
export interface RawResponse {
	statusCode: number;
	headers: Headers;
	body: unknown;
}

/** The charge of a call to a paid endpoint; `credits` is null if SPEC states no price, and the maximum if it may have been charged. */
export interface Charge {
	charged: 'no' | 'perhaps' | 'yes';
	credits: number | null;
}

/**
 * The result of a call. `charge` is unset for a free call, and for one that certainly was not charged. `isJournaled`: it comes
 * from the journal.
 */
export type Result = (Failed | Success) & { charge?: Charge; isJournaled?: true };

export class CallFailed extends Error implements Failed {
	constructor(readonly failure: Failure) {
		super(failure.reason);
	}
}

/** Returns the result of the work, or the failure of a call that ended it. */
export async function catchFailed<Value>(work: () => Promise<Value>): Promise<Failed | Value> {
	return await work().catch(async (error: Error) =>
		error instanceof CallFailed ? { failure: error.failure } : await Promise.reject(error),
	);
}

/** A job that the service has started and charged for, such as a batch. */
export interface Job {
	noun: string;
	id: string;
	/** The operation that fetches it later, as the editor names it. */
	resume: string;
	/** Set if SPEC does not say that this is free. */
	resumeCost?: 'not stated';
	/** The service named its ID in a refusal. */
	isRefused?: true;
}

export interface Answered {
	answer: Answer;
	/** What Raw shows. */
	response: IDataObject;
	/**
	 * Who paid: this question (`service`), a duplicate in this run (`duplicate`), one earlier in this execution (`memory`), or an
	 * earlier execution (`stored`).
	 */
	source: 'duplicate' | 'stored' | 'memory' | 'service';
	/** It follows from the answer to another question of its group, and is not stored. */
	isInferred?: true;
	/** Age of the answer in days; of several, that of the oldest. Unset for answers of this execution. */
	ageDays?: number;
}

/** The result of a question. `size`: roughly how many characters it takes in memory. */
export type LookupResult = (Answered | Failed) & { size?: number };

/** What is sent to the service. */

/** The base URLs of the service, each a field of the credential (SPEC, placeholders). */
export type ServiceName = 'geoip' | 'lookup' | 'main' | 'mcp';

/** A request without the API key, which the credential adds. */
export interface ServiceRequest {
	service: ServiceName;
	method: 'DELETE' | 'GET' | 'POST';
	/** Path below the base URL, with a leading slash; empty for the base URL itself. */
	path: string;
	/** Index among the addresses of the path (`addresses` of BaseUrl, network/credential.ts); below the base URL unless set. */
	address?: number;
	/** The common name of all paths like it, if the path contains an ID. Rate limits are kept by it. */
	family?: string;
	query?: Record<string, string>;
	headers?: Record<string, string>;
	/** JSON body; `form` is a multipart body in its place. */
	body?: IDataObject;
	form?: { fields: Record<string, string>; file: { field: string; source: BinaryFile } };
	/** The request carries no API key. */
	withoutKey?: true;
	/** Any body is fine: one that is not a JSON object is read as `{ text }`, an empty one as `{}`. */
	takesAnyBody?: true;
}

/** A file in a binary property of an input item, known by its index. The bytes are read while they are sent. */
export interface BinaryFile {
	item: number;
	property: string;
	fileName: string;
	mimeType: string;
	bytes: number;
}
