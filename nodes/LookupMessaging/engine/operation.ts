import type { GenericValue, IDataObject, INodeProperties } from 'n8n-workflow';

/**
 * The words the catalog and the engine share. An operation is one typed object of facts and pure functions;
 * everything the user sees and everything the engine does comes from it.
 */

/** The credit balances that the service debits (SPEC §1, §4.2). */
export type Balance = 'callerinfo' | 'email' | 'geoip' | 'phone' | 'whatsapp';

/** The four roots of the service, each a field of the credential (SPEC, placeholders). */
export type ServiceRoot = 'geoip' | 'lookup' | 'main' | 'mcp';

/** One call as the service sees it, without the API key: the credential adds that. */
export interface ServiceRequest {
	service: ServiceRoot;
	method: 'GET' | 'POST';
	/** Path below the root, with its leading slash. */
	path: string;
	query?: Record<string, string>;
	/** JSON body. */
	body?: IDataObject;
}

/** Parameter values of one item by field name, expressions resolved, types as the user left them. */
export type Given = Record<string, GenericValue>;

/** Whether the asked-about thing is so, is not so, or could not be told. An unknown is never folded into a negative. */
export type Outcome = 'negative' | 'positive' | 'unknown';

/**
 * What the node can say about an item without asking the service; nothing is sent and nothing is spent.
 * - `malformed`: certainly not a phone number, email address or IP address
 * - `incomplete`: could be one, but lacks what the endpoint needs, such as the country code
 * - `reserved`: well-formed, but the service cannot know it (a private IP address)
 * - `parameter`: another parameter of the item is wrong, so the question cannot be asked
 */
export interface LocalAnswer {
	local: 'incomplete' | 'malformed' | 'parameter' | 'reserved';
	/** Display name of the field at fault. */
	field: string;
	/** What is wrong and what to do, as a predicate of the field: "is empty". */
	reason: string;
}

/** What a call costs. `'not stated'` where SPEC §8 names no price; then calls are counted, credits are not. */
export type Credits =
	| { balance: Balance; cost: 'not stated' }
	| {
			balance: Balance;
			/** Most credits one call can cost: what a plan has to reckon with. */
			atMost: number;
			/** Credits that this reply body says were debited. */
			charged: (body: IDataObject) => number;
	  };

/** Values of the declared output fields; what the reply does not hold is left out or undefined. */
export type AnswerRecord = Record<string, GenericValue>;

/** An answer of the service: the record, and why, where the service says why. */
export interface Answer {
	outcome: Outcome;
	record: AnswerRecord;
	reason?: string;
}

/** The service answered, but not the question. `account` says that every further paid call would be refused too. */
export interface Refusal {
	refused: 'account' | 'question';
	/** The service's own words. */
	reason: string;
}

/** What `read` makes of a reply body. */
export type Reading = Answer | Refusal;

/** One field of an operation's record; the source of output schemas, documentation and the 'Fields' list. */
export interface OutputField {
	name: string;
	type: 'array' | 'boolean' | 'number' | 'string';
	description: string;
	example: GenericValue;
	/** Whether the field is part of the Simplified output. */
	simplified?: boolean;
}

/** What the three outcomes of a lookup mean to its user. */
export type OutcomeNames = Record<Outcome, string>;

/**
 * One operation, declared. `Question` is what `prepare` makes of an item's parameters: the values that will be sent.
 * All functions are pure: no `this`, no clock, no network.
 */
export interface Operation<Question> {
	resource: string;
	/** Stored in workflows: frozen once released. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** Parameters beside the ones that every operation has. */
	fields: INodeProperties[];
	/** Parameters of this operation that belong into the Options collection. */
	options?: INodeProperties[];
	/** Name of the field that is asked about; its value, untouched, is the `input` of the output. */
	subject?: string;
	/** Present on lookups: operations whose answer is one of three outcomes, and which answer malformed input themselves. */
	outcomes?: OutcomeNames;
	/** Costs nothing. */
	free?: true;
	/** The same question has the same answer for the length of an execution, so equal items share one call. */
	repeatable?: true;
	/** Turns one item's parameters into the question to send, or answers it without sending. */
	prepare: (given: Given) => LocalAnswer | Question;
	/** The question in the one spelling that all equal questions share. It is compared, never sent. */
	canonical?: (question: Question) => Question;
	request: (question: Question) => ServiceRequest;
	/** Left out by free operations only. */
	credits?: (question: Question) => Credits;
	/** `status` is the HTTP status; SPEC §7 leaves most of them open, so the body decides first. */
	read: (body: IDataObject, status: number, question: Question) => Reading;
	output: OutputField[];
}

/** An operation whose question type is known to itself alone; questions stay opaque values to everybody else. */
export type AnyOperation = Operation<unknown>;

/**
 * Declares an operation. The cast is sound because the engine hands a question only to the operation that prepared it.
 */
export function defineOperation<Question>(operation: Operation<Question>): AnyOperation {
	return operation as AnyOperation;
}

/** Whether `prepare` answered without a call. */
export function isLocalAnswer(prepared: unknown): prepared is LocalAnswer {
	return typeof prepared === 'object' && prepared !== null && 'local' in prepared;
}

/** Whether the service refused instead of answering. */
export function isRefusal(reading: Reading): reading is Refusal {
	return 'refused' in reading;
}

/** An answer that says yes. */
export function positive(record: AnswerRecord, reason?: string): Answer {
	return { outcome: 'positive', record, reason };
}

/** An answer that says no. */
export function negative(record: AnswerRecord, reason?: string): Answer {
	return { outcome: 'negative', record, reason };
}

/** An answer that does not tell. */
export function unknown(record: AnswerRecord, reason?: string): Answer {
	return { outcome: 'unknown', record, reason };
}
