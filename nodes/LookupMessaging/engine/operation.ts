import type { GenericValue, IDataObject, INodeProperties } from 'n8n-workflow';
import type { WindowReport } from './governor';
import { exchange, type Consultation, type Failed, type Talk } from './talk';

/**
 * The words the catalog and the engine share. An operation is one typed object of facts and pure functions;
 * everything the user sees and everything the engine does comes from it.
 */

/** The credit balances that the service debits (SPEC §1, §4.2). */
export type Balance = 'audit' | 'callerinfo' | 'email' | 'geoip' | 'phone' | 'scraper' | 'whatsapp';

/** What a call is booked under. A tool debits the balance of the API behind it, and its name does not tell which (SPEC §4.3). */
export type Account = Balance | 'tool server';

/** The four roots of the service, each a field of the credential (SPEC, placeholders). */
export type ServiceRoot = 'geoip' | 'lookup' | 'main' | 'mcp';

/** One call as the service sees it, without the API key: the credential adds that. */
export interface ServiceRequest {
	service: ServiceRoot;
	method: 'DELETE' | 'GET' | 'POST';
	/** Path below the root, with its leading slash; empty for the root as the user entered it. */
	path: string;
	query?: Record<string, string>;
	headers?: Record<string, string>;
	/** JSON body. */
	body?: IDataObject;
	/** Multipart body, instead of a JSON one. */
	form?: { fields: Record<string, string>; file: { field: string; source: BinaryFile } };
	/** The HTTP status alone answers: a body that is no JSON object comes as `{ text }`, an empty one as `{}`. */
	takesAnyBody?: true;
}

/** A file of an input item, known by its metadata; its bytes are read when it is sent. */
export interface BinaryFile {
	/** Index of the input item, and the name of its binary property. */
	item: number;
	property: string;
	fileName: string;
	mimeType: string;
	bytes: number;
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
	/** What can be said all the same. */
	record?: AnswerRecord;
}

/** What a local answer says of the thing asked about: only what is malformed is certainly not so. */
export const LOCAL_OUTCOME: Record<LocalAnswer['local'], Outcome> = {
	malformed: 'negative',
	incomplete: 'unknown',
	reserved: 'unknown',
	parameter: 'unknown',
};

/** What a call costs. `'not stated'` where SPEC §8 names no price; then calls are counted, credits are not. */
export type Credits =
	| { balance: Account; cost: 'not stated' }
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
	/** Its credit was given back, since it settles nothing: it may be asked for again, and is never remembered. */
	isRefunded?: true;
	/** The body is not of a shape that the operation knows; under an HTTP error it is then taken for a refusal. */
	isUnclear?: true;
	/** Which of the operation's output fields it has, where they come in several shapes (OutputField.shape). */
	shape?: string;
	/** What Raw shows; the whole reply body unless set. */
	response?: IDataObject;
	/** Rows of the reply that the item does not show, because it wants no more. */
	leftOut?: number;
	/** Output items that this answer comes out as, each an answer of its own; left out or empty for one item. */
	rows?: Answer[];
	/** Files that come with the answer, by binary property name. */
	files?: Record<string, AnswerFile>;
}

/** A file in a reply, base64-encoded as it came. */
export interface AnswerFile {
	base64: string;
	mimeType: string;
	fileName: string;
}

/** The service answered, but not the question. `account` says that every further paid call would be refused too. */
export interface Refusal {
	refused: 'account' | 'question';
	/** The service's own words. */
	reason: string;
	/** The service's own number for it (JSON-RPC 2.0 §5.1). */
	code?: number;
	/** Whether it may have been charged all the same; unless set, a refusal of the question may, and one of the account not. */
	mayHaveCost?: boolean;
}

/** What `read` makes of a reply body. */
export type Reading = Answer | Refusal;

/** One field of an operation's record; the source of output schemas, documentation and the 'Fields' list. */
export interface OutputField {
	name: string;
	type: 'array' | 'boolean' | 'number' | 'object' | 'string';
	description: string;
	example: GenericValue;
	/** Whether the field is part of the Simplified output. */
	simplified?: boolean;
	/** Only answers of this shape have the field; all have it unless set. */
	shape?: string;
}

/** What the three outcomes of a lookup mean to its user. */
export type OutcomeNames = Record<Outcome, string>;

/** One of several things that an item asks about, such as a number of a list. */
export interface Part<Question> {
	input: GenericValue;
	ask: LocalAnswer | Question;
	/** What is wrong with a part of the question, which can be asked without: with Fail on Malformed Input it is not. */
	flaw?: LocalAnswer;
}

/** What an operation gives advice by. */
export interface RunCounts {
	/** Different questions, also those that were answered earlier in this execution. */
	questions: number;
	/** Rows that items do not show (Answer.leftOut). */
	leftOut: number;
}

/**
 * What every operation declares. `Question` is what `prepare` makes of an item's parameters: the values that will be sent.
 * All functions are pure: no `this`, no clock, no network.
 */
export interface OperationFacts<Question> {
	resource: string;
	/** Stored in workflows: frozen once released. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** Parameters beside the ones that every operation has. */
	fields: INodeProperties[];
	/** Defaults of fields, by name, where a model calls and they are others. */
	toolDefaults?: Record<string, boolean | number | string>;
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
	/** What it asks about changes with time: its answers are never remembered, not even for a retry. */
	isFleeting?: true;
	/** Answers may be inconclusive and given back; gets the option 'Retry Inconclusive'. */
	refunds?: true;
	/** Name of the field that names a binary property; `prepare` finds its file, or why there is none, as `given.file` (files.ts). */
	fileField?: string;
	/** May wait for a job of the service; gets the option 'Max Wait'. */
	waits?: true;
	/** Default of the option 'Timeout', where the engine's is too short. */
	timeoutSeconds?: number;
	/** Its requests have no room for Additional Parameters, so it has no such option. */
	isClosed?: true;
	/** How replies are told apart, in words, for the documentation. */
	rules: Partial<Record<Outcome | 'refused', string>>;
	/** Turns one item's parameters into the question to send, or answers it without sending; `parts` for several. */
	prepare: (given: Given) => LocalAnswer | Question | { parts: Array<Part<Question>> };
	/** The question in the one spelling that all equal questions share. It is compared, never sent. */
	canonical?: (question: Question) => Question;
	/** What an item shows of an answer that it may share with others that asked the same: its own question decides. */
	present?: (answer: Answer, question: Question) => Answer;
	/** What its user would do better another time, judging by the counts of a run; undefined for most runs. */
	advise?: (run: RunCounts) => string | undefined;
	/** What one question costs. Left out by free operations only. */
	credits?: (question: Question) => Credits;
	/** Most paid calls that one question takes, where that is more than one. */
	paidCallsAtMost?: (question: Question) => number;
	output: OutputField[];
}

/** An operation of one call per question. */
export interface Operation<Question> extends OperationFacts<Question> {
	request: (question: Question) => ServiceRequest;
	/** `status` is the HTTP status; SPEC §7 leaves most of them open, so the body decides first. */
	read: (body: IDataObject, status: number, question: Question) => Reading;
	/** What an answer tells of the rate-limit window of its endpoint (SPEC §8). */
	window?: (body: IDataObject) => WindowReport | undefined;
}

/** An operation that exchanges more than one call per question, or asks several questions in one. */
export interface TalkOperation<Question> extends OperationFacts<Question> {
	/** The calls that a talk may make, for the documentation: method, root and path, in order. */
	endpoints: string[];
	/** Most questions that one talk takes; 1 unless set. */
	questionsAtOnce?: number;
	/** Whether the output is one item per talk, linked to all the items that it was about, instead of one per question. */
	oneItemPerTalk?: true;
	/** Equal questions of a run are asked once, although the operation is not repeatable. */
	asksEachOnce?: true;
	/**
	 * What other operations are asked about a question at most, where the talk asks any: those price the run.
	 * @param recall what has been answered earlier in this execution, and so costs nothing
	 */
	consults?: (question: Question, recall: Recall) => Consultation[];
	/** Leads the talk to one reading per question, in their order. */
	talk: (questions: Question[]) => Talk<Array<Failed | Reading>>;
}

/** What came of a question earlier in this execution, where it will not be asked again. */
export type Recall = (consultation: Consultation) => Answer | Failed | undefined;

/** An operation whose question type is known to itself alone; questions stay opaque values to everybody else. */
export type AnyOperation = Operation<unknown> | TalkOperation<unknown>;

/**
 * Declares an operation of one call. The cast is sound because the engine hands a question only to the operation that
 * prepared it.
 */
export function defineOperation<Question>(operation: Operation<Question>): Operation<unknown> {
	return operation as Operation<unknown>;
}

/** Declares an operation that talks; the cast as in defineOperation. */
export function defineTalk<Question>(operation: TalkOperation<Question>): TalkOperation<unknown> {
	return operation as TalkOperation<unknown>;
}

/** The talk of any operation: its own, or its one call. */
export function* talkAbout(
	operation: AnyOperation,
	questions: unknown[],
): Talk<Array<Failed | Reading>> {
	if ('talk' in operation) return yield* operation.talk(questions);
	const readings: Reading[] = [];
	for (const question of questions) {
		const answer = yield* exchange({
			request: operation.request(question),
			credits: operation.credits?.(question),
			window: operation.window,
			isFleeting: operation.isFleeting,
			read: (body, { status }) => operation.read(body, status, question),
		});
		readings.push(answer);
	}
	return readings;
}

/** Whether `prepare` answered without a call. */
export function isLocalAnswer(prepared: unknown): prepared is LocalAnswer {
	return typeof prepared === 'object' && prepared !== null && 'local' in prepared;
}

/** Whether the service refused instead of answering. */
export function isRefusal(read: unknown): read is Refusal {
	return typeof read === 'object' && read !== null && 'refused' in read;
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

/** An unknown for want of what the answer should hold: the service may not have meant it as an answer at all. */
export function unclear(record: AnswerRecord, reason: string): Answer {
	return { outcome: 'unknown', record, reason, isUnclear: true };
}
