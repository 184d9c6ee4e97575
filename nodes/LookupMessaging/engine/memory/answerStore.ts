import type { IExecuteFunctions } from 'n8n-workflow';
import { Budget, Spending } from '../billing/ledger';
import type { QuestionFacts } from '../client';
import type { Flight } from '../gate';
import { type AnyOperation, isLost } from '../operation';
import { CREDENTIAL_TYPE, type Settings } from '../plan/settings';
import { inShort, quote, shortened, textOf } from '../plan/values';
import type { Answered, Failed, Failure, Job, LookupResult } from '../results';
import { BoundedCache } from './boundedCache';
import { Journal, ofEqualCall, OpenDeeds, SharedJournal } from './journal';

/**
 * The paid results of this node in this execution, so that loops and Retry On Fail do not pay again. It is tied to the context
 * object of n8n for a node in an execution. A Wait that ends in the database loses it, except for the count of paid lookups and what
 * may have been done without an answer.
 */
class ExecutionMemory {
	readonly answers = new BoundedCache<StoredAnswer>();
	readonly reserved: Reserved = new Map();
	readonly positions = new Map<string, string>();
	readonly journal: SharedJournal;
	readonly histories = new Map<string, History>();
	readonly spending: Spending;
	/** The last account of each credential: one that has become unusable keeps it, so that paid results are returned. */
	readonly accounts = new Map<string, string>();
	/** The data of features, by name. */
	readonly ofFeatures = new Map<string, unknown>();

	constructor(owner: object, execution?: string) {
		this.spending = new Spending(owner);
		this.journal = new SharedJournal(new OpenDeeds(owner, execution));
	}

	dropped(): number {
		return this.answers.dropped + this.journal.results.dropped;
	}
}

/** A result, and the run whose retries do not use it, since they may get a better one. */
type StoredAnswer = { result: LookupResult; exceptRun?: string };

/** Lookups that tries have reserved, until the tries are over. */
type Reserved = Map<Budget, { asked: Set<string>; flight: Flight }>;

/**
 * Opens the memory of the execution for one try of a run.
 * @param account distinguishes the keys and addresses that the credential may have in turn; undefined if it cannot be used
 */
export function openMemory(
	context: IExecuteFunctions,
	operation: AnyOperation,
	{ isForModel, source }: Pick<Settings, 'isForModel'> & { source?: AnswerSource },
	{ account }: { account?: string } = {},
) {
	const owner = context.getContext('node');
	const memory = memories.get(owner) ?? new ExecutionMemory(owner, context.getExecutionId());
	memories.set(owner, memory);
	const droppedBefore = memory.dropped();
	const callId = isForModel ? toolCallOf(context) : undefined;
	const isByContent = isForModel && callId === undefined;
	const run = isForModel
		? (callId ?? `a call with ${textOf(context.getInputData()[0]?.json)}`)
		: String(context.getWorkflowDataProxy(0).$runIndex);
	const credentialId = context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '';
	const known = account ?? memory.accounts.get(credentialId);
	if (known !== undefined) memory.accounts.set(credentialId, known);
	// After a Wait it has the same name
	const credential = shortened(JSON.stringify([credentialId, known]));
	const scope = { run, credential, source };
	// Other operations have the answer store, so a retry does not repeat their calls
	const isJournaled = 'run' in operation || !operation.repeatable;
	const journalScope = { ...scope, isTool: isForModel, isByContent };
	const history = memory.histories.get(run) ?? new History();
	memory.histories.set(run, history);
	return {
		answers: new AnswerStore(memory, scope),
		journal: isJournaled ? new Journal(memory.journal, journalScope) : undefined,
		history,
		/** Forgets what a run has done after its results were returned: the next call of a model is a new one. */
		forgetHistory: () => void memory.histories.delete(run),
		budget: new Budget(memory.spending),
		/** The tries in progress that may make paid lookups. */
		reserved: memory.reserved,
		/** The same for all tries of the run. */
		run,
		/** Distinguishes the accounts that the credential may select in turn. */
		account: credential,
		/** The value that the runs of the execution share under a name, created by the first that requests it. */
		shared: <Value>(name: string, make: () => Value) => {
			if (!memory.ofFeatures.has(name)) memory.ofFeatures.set(name, make());
			return memory.ofFeatures.get(name) as Value;
		},
		source,
		/** How many paid results were dropped since this try began. */
		dropped: () => memory.dropped() - droppedBefore,
	};
}

/** The memory of the execution as one try of a run sees it. */
export type RunMemory = ReturnType<typeof openMemory>;

/**
 * The ID of a tool call. It identifies the call, as the run index identifies a run of a node. Without an ID, only the values that
 * they look up connect the tries of a call: n8n gives each try its own run index.
 */
function toolCallOf(context: IExecuteFunctions): string | undefined {
	const call = context.getInputData()[0]?.json.toolCallId;
	return typeof call === 'string' && call !== '' ? call : undefined;
}

/** The operation that a question belongs to. */
export type Asked = Pick<QuestionFacts<unknown>, 'isFinal' | 'output' | 'resource' | 'value'> & {
	asksOnce?: true;
	waits?: true;
};

/** Answers from outside of the execution. */
export interface AnswerSource {
	/** Called if the execution has no answer. */
	find(operation: Asked, key: string): Answered | undefined;
	/** Records which slot has asked a question for its lookup. */
	noteAsker(operation: Asked, key: string, slot: number): void;
}

/** A question. Without a key, its answer is not shared. */
type Keyed = { key?: string };

/**
 * The store of answers, as one try of a run sees it. It asks equal questions once, for duplicates, loops, Retry On Fail, parallel
 * tool calls and the lookups of other operations.
 */
export class AnswerStore {
	/** All results of this try. */
	private readonly own = new Map<string, LookupResult>();
	/** In quotes, since a run may have any name. A batch creates thousands of names, so the other parts are not quoted again. */
	private readonly runName: string;

	/** @param scope the run, the same for all its tries; and the credential that paid for the answers */
	constructor(
		private readonly shared: Pick<ExecutionMemory, 'answers' | 'journal' | 'positions'>,
		private readonly scope: {
			run: string;
			credential: string;
			source?: AnswerSource;
		},
	) {
		this.runName = JSON.stringify(scope.run);
	}

	/**
	 * The result of an equal question: from this try (`duplicate`), from earlier in this execution (`memory`), or from an earlier
	 * execution (`stored`).
	 */
	find(operation: Asked, key: string | undefined): LookupResult | undefined {
		if (key === undefined) return undefined;
		const name = this.nameOf(operation, key);
		const own = this.own.get(name);
		if (own) return withSource(own, 'duplicate');
		const stored = this.stored(name) ?? (operation.isFinal && this.stored(this.nameInRun(name)));
		if (stored) return withSource(stored, 'memory');
		const open = isOfJobs(operation) && this.unanswered.get(name);
		if (open) return { failure: ofEqualCall(open) };
		return this.scope.source?.find(operation, key);
	}

	private get unanswered() {
		return this.shared.journal.open;
	}

	/** The result from earlier in this execution, where this try may have it. */
	private stored(name: string): LookupResult | undefined {
		const stored = this.shared.answers.get(name);
		return stored?.exceptRun === this.scope.run ? undefined : stored?.result;
	}

	/**
	 * Asks the questions that have no result, all together. Waits for questions that another run is asking, and asks them only if
	 * that run gets no usable result.
	 * @param ask other callers can wait for its flight
	 * @param wait without a permit that the others may need; returns the failure if Stop ended it
	 * @returns the result of each question, in their order
	 */
	async askOnce<Question extends Keyed>(
		operation: Asked,
		questions: Question[],
		ask: (open: Question[], flight: Flight) => Promise<LookupResult[]>,
		wait: (flights: Flight[]) => Promise<Failed | undefined>,
	): Promise<LookupResult[]> {
		const namesOf = ({ key }: Keyed) => (key ? [this.nameOf(operation, key)] : []);
		const find = ({ key }: Keyed) => this.find(operation, key);
		const keep = ({ key }: Keyed, result: LookupResult) => key && this.keep(operation, key, result);
		return await this.shared.journal.underWay.once(questions, { namesOf, find, keep }, ask, wait);
	}

	/** Stores a result for its lifetime. */
	keep(operation: Asked, key: string, result: LookupResult) {
		const name = this.nameOf(operation, key);
		this.own.set(name, result);
		if ('isInferred' in result) return;
		if (isOfJobs(operation)) this.keepOpen(name, result);
		const lifetime = lifetimeOf(operation, result);
		if (lifetime === 'try') return;
		const exceptRun = lifetime === 'otherRuns' ? this.scope.run : undefined;
		const storedAs = lifetime === 'thisRun' ? this.nameInRun(name) : name;
		this.shared.answers.set(storedAs, { result, exceptRun }, result.size ?? 0);
	}

	/** What is paid for and open outlasts a Wait that n8n stores. */
	private keepOpen(name: string, result: LookupResult) {
		const failure = 'failure' in result ? result.failure : undefined;
		const mayBeDone =
			failure && (isLost(failure) || failure.cause === 'refused') && failure.mayHaveCost;
		if (!failure || !(isAwaited(failure) || mayBeDone)) return this.unanswered.forget(name);
		const reason = inShort(whyAwaited(failure));
		this.unanswered.setForLater(name, { reason, run: this.scope.run });
	}

	/** The position of the task in which an earlier try of this run asked a question, to find its calls in the journal. */
	positionOf(operation: Asked, key: string): string | undefined {
		// Only batches have positions
		if (this.shared.positions.size === 0) return undefined;
		return this.shared.positions.get(this.placeOf(operation, key));
	}

	keepPosition(operation: Asked, key: string, position: string) {
		this.shared.positions.set(this.placeOf(operation, key), position);
	}

	private placeOf(operation: Asked, key: string): string {
		return this.nameInRun(this.nameOf(operation, key));
	}

	private nameInRun(name: string): string {
		return `${this.runName} ${name}`;
	}

	private nameOf({ resource, value }: Asked, key: string): string {
		return `${resource}.${value} ${this.scope.credential} ${key}`;
	}
}

function withSource(result: LookupResult, source: 'duplicate' | 'memory'): LookupResult {
	return 'failure' in result ? result : { ...result, source };
}

/** Whether the questions of an operation go to jobs. */
function isOfJobs({ asksOnce, waits }: Asked): boolean {
	return asksOnce === true || waits === true;
}

/** Why a question or a task has no answer, with its job. */
export function whyAwaited({ reason, jobs = [] }: Failure): string {
	const started = jobs.map(({ noun, id, resume }) => `${resume} gets the ${noun} ${quote(id)}`);
	return [reason, ...started].join('. ');
}

/** Whether a question has no answer yet and may still get it, from a job that was paid for. */
export function isAwaited({ jobs = [], isFinal }: Failure): boolean {
	return jobs.length > 0 && !isFinal;
}

/** How long a result is kept: for this try, for all tries of this run alone, for the other runs, or for the whole execution. */
function lifetimeOf(
	{ isFinal, asksOnce }: Asked,
	result: LookupResult,
): 'execution' | 'otherRuns' | 'thisRun' | 'try' {
	if (!('failure' in result)) {
		const { answer } = result;
		// A refunded question may be asked again, and a completed side effect may be intended again
		const isCompleted = asksOnce && answer.outcome !== 'unknown';
		return answer.isRefunded || isCompleted || isFinal?.(answer) === false ? 'try' : 'execution';
	}
	const { cause, scope, mayHaveCost } = result.failure;
	// A retry finds the job in the journal
	if (isAwaited(result.failure)) return 'otherRuns';
	// A question that was refused, or may have been charged, is not asked again
	const isRefused = cause === 'refused' && ((scope === 'question' && !asksOnce) || mayHaveCost);
	if (!isLost(result.failure) && !isRefused) return 'try';
	// A loop that waits for a job would never end
	return isFinal ? 'thisRun' : 'execution';
}

/** Whether a result is not asked for again by the next try. */
export function lastsLonger(operation: Asked, result: LookupResult): boolean {
	return !['otherRuns', 'try'].includes(lifetimeOf(operation, result));
}

const memories = new WeakMap<object, ExecutionMemory>();

/** What all tries of a run have done, for the error of the last one and for the log of one that was stopped. */
export class History {
	/** Items whose side effect has happened, and items whose side effect may have. */
	readonly done = new Set<number>();
	readonly open = new Set<number>();
	/** By ID. */
	readonly jobs = new Map<string, Job>();
}
