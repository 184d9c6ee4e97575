import type { GenericValue, IDataObject, INodeProperties } from 'n8n-workflow';
import type { Client, Lookup, LookupCall, QuestionFacts, ReplyHead, ServiceName } from './client';
import type {
	Answer,
	AnswerRecord,
	Failed,
	Failure,
	FailureOf,
	LookupResult,
	Outcome,
	Reading,
	Refusal,
} from './results';

export type { OutputField } from './results';

/** Parameter values of one item by field name. Expressions are resolved; types are as entered. */
export type Params = Record<string, GenericValue>;

export type BaseUrlsSet = ReadonlySet<ServiceName>;

/**
 * The answer of the node about an item without a call, free of charge.
 * - `empty`: there is no value
 * - `malformed`: certainly not a phone number, email address or IP address
 * - `incomplete`: lacks what the endpoint needs, such as the country code
 * - `reserved`: well-formed, but the service cannot know it (a private IP address)
 * - `parameter`: another parameter of the item is wrong
 */
export interface LocalAnswer {
	local: 'empty' | 'incomplete' | 'malformed' | 'parameter' | 'reserved';
	/** Display name of the wrong field. */
	field: string;
	/** What is wrong and what to do, as a predicate of the field: "is empty". */
	reason: string;
	/** Output fields that are known without a call. */
	record?: AnswerRecord;
	/** What such values need and which field of the form sets it: "phone numbers need a country. Set Country". */
	needs?: string;
}

/** Only invalid input is certainly a no. A missing value says nothing about a number or a mailbox. */
export const LOCAL_OUTCOME: Record<LocalAnswer['local'], Outcome> = {
	malformed: 'negative',
	empty: 'unknown',
	incomplete: 'unknown',
	reserved: 'unknown',
	parameter: 'unknown',
};

/** What the three outcomes of a lookup mean to its user. */
export type OutcomeNames = Record<Outcome, string>;

/** One of several questions of an item, such as a number of a list. */
export interface Part<Question> {
	input: GenericValue;
	question: LocalAnswer | Question;
	/** What is wrong with a value that is not part of the question. An error with Also Fail Items If, Their Input Is Invalid. */
	flaw?: LocalAnswer;
}

/** The counts that an operation may base its advice on. */
export interface RunCounts {
	/** Different questions, including those that were answered earlier in this execution. */
	questions: number;
	/** Rows that items do not show (Answer.leftOut). */
	leftOut: number;
}

/**
 * What every operation declares: facts and pure functions, from which the engine and the editor take everything. `Question` is
 * what `prepare` makes of an item's parameters: the values that will be sent.
 */
export interface OperationFacts<Question> extends QuestionFacts<Question> {
	name: string;
	description: string;
	/** Parameters beside the ones that every operation has. */
	fields: INodeProperties[];
	/** Other defaults of fields, by name, for calls of a model. */
	toolDefaults?: Record<string, boolean | number | string>;
	/** Parameters in the Options collection. */
	options?: INodeProperties[];
	/** Name of the subject field. Its unchanged value is the `input` of the output. */
	subject?: string;
	/** Names of the values in the `input` of the output, if it has several. Each has a column in Flat Columns. */
	inputNames?: string[];
	/** Set on lookups: their answer is one of three outcomes, and invalid input has an answer too. */
	outcomes?: OutcomeNames;
	free?: true;
	/** The output is one item per task, linked to its input items. `submitted` lists them, `leftOut` the invalid ones. */
	oneItemPerTask?: true;
	/** The answers that an answer is split into, if the input item lists the items that it is about. */
	besideInput?: (input: IDataObject) => (answer: Answer) => Answer[];
	/** Takes no value of an item: one call and one result for a whole run, linked to all of its items. */
	executesOnce?: true;
	/** Equal questions have the same answer throughout an execution (or since `isFinal`), so duplicates share one call. */
	repeatable?: true;
	/** Name of the boolean option that applies one answer to the others of its group (Group). */
	groupOption?: string;
	/** Name of the field with the list of chosen sections. Adds the output 'Flat Columns', in which every item has their columns. */
	sectionsField?: string;
	/** Field with the name of a binary property. `prepare` receives the file, or why there is none, as `params.file`. */
	fileField?: string;
	/** May wait for a job of the service. Adds the option 'Max Wait'. */
	waits?: true;
	/** Default of the option 'Timeout'; the engine's unless set. */
	timeoutSeconds?: number;
	/** Removes the option 'Additional Parameters'. */
	noAdditionalParameters?: true;
	/** The meaning of replies. The page shows the tables, and `read` decides by them. */
	decide?: DecisionTable[];
	/** The same in words, if no table decides. */
	rules?: Partial<Record<Outcome | 'refused', string>>;
	/**
	 * Turns one item's parameters, with `alsoFailItemsIf`, into the question to send, or answers without sending; `parts` for
	 * several questions. Many parts are created one by one, so that the run can pause in between. Another endpoint may replace
	 * one without a base URL; without a credential `urls` is undefined, and all count as set.
	 */
	prepare: (
		params: Params,
		urls?: BaseUrlsSet,
	) => LocalAnswer | Question | { parts: Iterable<Part<Question>> };
	/** The value of a question that may lack something (LocalAnswer.needs) and is asked without it. */
	valueIn?: (question: Question) => unknown;
	/** A hint on how to use the operation better, based on the counts of a run. */
	advise?: (run: RunCounts) => string | undefined;
}

/** An operation of one call per question. Other operations can look it up. */
export interface Operation<Question> extends OperationFacts<Question>, Lookup<Question> {}

/** An operation that makes several calls per question, or asks several questions in one call. */
export interface WorkflowOperation<Question> extends OperationFacts<Question> {
	/** The calls that `run` may make: method, base URL and path, in order. */
	endpoints: string[];
	/** Parameters that its paid calls set themselves. Additional Parameters cannot set them. */
	parameterNames?: string[];
	/** Most questions of one task; 1 unless set. */
	questionsPerTask?: number;
	/** Equal questions of a run are asked once, although the operation is not repeatable. */
	asksOnce?: true;
	/** All lookups that a question may take, for the price of a run. Those in `cached` cost nothing. */
	lookups?: (question: Question, cached: Cached) => LookupCall[];
	/** Answers the questions of one task: one reading per question, in their order. */
	run: (questions: Question[], client: Client) => Promise<Array<Failed | Reading>>;
}

/** The stored result of a question from earlier in this execution, if it has one. */
export type Cached = (call: LookupCall) => LookupResult | undefined;

/** An operation as the engine sees it: only the operation itself knows the type of its questions. */
export type AnyOperation = Operation<unknown> | WorkflowOperation<unknown>;

/** Declares an operation of one call. The cast is sound: a question only goes to the operation that prepared it. */
export function defineOperation<Question>(operation: Operation<Question>): Operation<unknown> {
	return operation as Operation<unknown>;
}

/** Declares an operation of several calls, with the same cast. */
export function defineWorkflow<Question>(
	operation: WorkflowOperation<Question>,
): WorkflowOperation<unknown> {
	return operation as WorkflowOperation<unknown>;
}

export function isLocalAnswer(prepared: unknown): prepared is LocalAnswer {
	return typeof prepared === 'object' && prepared !== null && 'local' in prepared;
}

export function positive(record: AnswerRecord, reason?: string): Answer {
	return { outcome: 'positive', record, reason };
}

export function negative(record: AnswerRecord, reason?: string): Answer {
	return { outcome: 'negative', record, reason };
}

export function unknown(record: AnswerRecord, reason?: string): Answer {
	return { outcome: 'unknown', record, reason };
}

/** An unknown, because the body lacks the fields of an answer. It may not be an answer at all. */
export function unclear(record: AnswerRecord, reason: string): Answer {
	return { ...unknown(record, reason), isUnclear: true };
}

export function asItCame(reason: string): Answer {
	return { ...unclear({}, reason), isAsItCame: true };
}

/** Maximum number of rows of an answer: each takes many times the memory that it takes in the reply. */
export const MAX_ROWS = 10_000;

/** The answer; returned unchanged if it has too many rows. */
export function withinMostRows(answer: Answer): Answer {
	if (!answer.rows || answer.rows.length <= MAX_ROWS) return answer;
	const reason = `the answer has more than ${MAX_ROWS} results, so it is returned unchanged, in one item`;
	return { ...answer, record: {}, reason, rows: undefined, leftOut: undefined, isAsItCame: true };
}

/** Whether answers of earlier executions can be used: for lookups, and for operations that only look up. */
export function takesStoredResults(operation: AnyOperation): boolean {
	const { outcomes, repeatable } = operation;
	return outcomes !== undefined && (repeatable === true || isPricedByLookups(operation));
}

/** Whether a paid operation has no price of its own: it costs the sum of its lookups, and each of them can fail alone. */
export function isPricedByLookups({ credits, free }: AnyOperation): boolean {
	return !credits && !free;
}

/** Whether its tasks have side effects that must not happen twice, such as sending a message. */
export function hasDeeds({ free, outcomes, repeatable }: AnyOperation): boolean {
	return !free && !outcomes && !repeatable;
}

export function isFailed(result: unknown): result is Failed {
	return typeof result === 'object' && result !== null && 'failure' in result;
}

/** Whether an earlier execution has paid for the result. */
export function isKnown(result: LookupResult | undefined): boolean {
	return result !== undefined && 'source' in result && result.source === 'stored';
}

export function isRefusal(read: unknown): read is Refusal {
	return typeof read === 'object' && read !== null && 'scope' in read && !('outcome' in read);
}

/** Whether the service may have done its work although its answer was not read. */
export function isLost(failure: Failure): failure is FailureOf<'fault' | 'lost'> {
	return failure.cause === 'lost' || failure.cause === 'fault';
}

/** The failure of a call without a readable reply. */
export function lostFailure(reason: string, status?: number): FailureOf<'lost'> {
	return { cause: 'lost', reason, scope: 'question', status };
}

/** The failure of all calls that a stopped execution has not sent. */
export const STOPPED: FailureOf<'notSent'> = {
	cause: 'notSent',
	reason: 'skipped because the execution was stopped',
	scope: 'account',
	after: 'stop',
};

export function parameterFailure(reason: string): FailureOf<'parameter'> {
	return { cause: 'parameter', reason, scope: 'question' };
}

/** The failure of an item with a file that n8n's storage does not return or accept. */
export function storageFailure(reason: string): FailureOf<'storage'> {
	return { cause: 'storage', reason, scope: 'question' };
}

/** The failure of an item whose local answer is an error. */
export function localFailure({ local, field, reason }: LocalAnswer): Failure {
	const cause = local === 'parameter' ? local : 'malformed';
	return { cause, reason: `${field} ${reason}`, scope: 'question' };
}

/**
 * The meaning of a reply, as data. A table is read from the top, and the first row whose conditions all apply decides. A reply
 * without a row is unknown, so an unexpected word, type or mix of fields never counts as a yes or a no. The operation's `read`,
 * operations/README.md and the tests of all replies use the same rows.
 */

/** A reply as a table looks at it. */
export interface Told {
	body: IDataObject;
	head: ReplyHead;
	/** The subject of the question as it was sent, if a reply may name another one. */
	asked?: string;
	/** A part of the question that the subject in a reply has to agree with: the country of a national number. */
	hint?: string;
	/** Whether the subject may have been sent without a part, so that a no isn't about all of it. */
	isPart?: boolean;
	/** Values that the operation has derived from the body, by name. They take precedence over the fields of the body. */
	found?: Record<string, unknown>;
}

export interface Condition {
	/** As the page shows it: "`valid` is true". */
	words: string;
	fields: string[];
	holds: (told: Told) => boolean;
}

/** `unclear` is unknown too, and the reply may not be an answer at all; `running` is unknown for now. */
export type Says = Outcome | 'refused' | 'running' | 'unclear';

/** One line of a table. */
export interface DecisionRow {
	when: Condition[];
	says: Says;
	/** The reason that the item shows. A refusal has the reason of the service. */
	why?: Why;
	/** The reply is about another subject, so none of its fields is shown. */
	isOfOther?: true;
	/** The service has refunded the credit. */
	isRefunded?: true;
}

/** A reason, or how it comes from the reply. */
export type Why = string | ((told: Told) => string | undefined);

export interface DecisionTable {
	/** Which replies the table is for, if an operation has several tables. */
	of?: string;
	/** The page's names of its outcomes, if they are those of a job and not of an item. */
	names?: Partial<Record<Says, string>>;
	rows: DecisionRow[];
	/** The output fields with the answer. Those of an unknown are not shown. */
	answers?: string[];
	/** The reason for a reply without a row. */
	otherwise: Why;
}
