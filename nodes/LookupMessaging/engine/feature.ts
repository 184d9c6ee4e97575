import type {
	GenericValue,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';
import type { Estimate } from './billing/estimate';
import type { Account, Lookup, LookupCall } from './client';
import type { NetworkFeature, OpenNetwork } from './network/networks';
import type { AnswerSource } from './memory/answerStore';
import type { CredentialData } from './network/credential';
import type { AnyOperation } from './operation';
import type { Budget, Ledger } from './billing/ledger';
import type { Plan } from './plan/plan';
import type { Settings, TagField } from './plan/settings';
import type { Answered, Failure, LookupResult } from './results';
import type { TimeSlices } from './clock';

/**
 * A capability beside the main way, such as a limit or an output of its own. It is a folder of features/, with its options, its
 * layer, its words and its rows. A run opens the features that its user has switched on; the others are on no path. The engine
 * imports none of them: the node hands it the list.
 */
export interface Feature extends NetworkFeature {
	/** Why the run must not start. */
	problem?: Failure;
	/** The parameter whose text each item has its paid calls booked under. */
	tag?: TagField;
	/** Takes what it keeps over the runs of the execution, and over the tries of this run. Called before the plan. */
	remember?(memory: FeatureMemory): void;
	/** Answers from outside of the execution. Results then say how old they are. */
	source?: AnswerSource;
	/** Called before the plan. */
	beforePlan?(): Promise<void>;
	/** Around the asking of questions: those of a task, or one that a task looks up. */
	aroundQuestion?(run: QuestionRun): QuestionLayer;
	/** Most times that one question is asked, for Dry Run. @param maxWaitMs the setting Max Wait */
	mostTries?(maxWaitMs: number): number;
	/** Takes paid lookups from a limit of the feature before they are made: all of the run, later one to ask again. Else it says why not. */
	reserve?(lookups: number): Failure | undefined;
	/** Whether the run may begin, by what it may cost at most; and what its user should know, as a sentence. */
	beforeRun?(estimate: Estimate): Promise<{ failure?: Failure; note?: string }>;
	/** After the last call: what is known of the calls that may have been charged. */
	afterRun?(): Promise<Proof | undefined>;
	/** Takes what another feature has found out. */
	proved?(proof: Proof): void;
	/** What else the user of a run that did not fail should know. */
	hints?(): NodeExecutionHint[];
	/** A sentence for its receipt. */
	note?(run: { plan: Plan; ledger: Ledger }): Promise<string | undefined>;
	/** An output of its own, behind the results. */
	output?(plan: Plan, slices: TimeSlices): Promise<INodeExecutionData[]>;
	/** Once the items of the run have come out for good. */
	delivered?(): void;
}

/** Opens a feature for a run; undefined where the run does not use it. */
export type FeatureOpener = (settings: FeatureSettings) => Feature | undefined;

/** What a feature reads of the node. */
export interface FeatureSettings {
	context: IExecuteFunctions;
	operation: AnyOperation;
	/** Whether a model calls the node. */
	isForModel: boolean;
	/** What is set in the collections, read as it is declared. */
	options: IDataObject;
	/** A parameter beside the collections; the fallback where it is hidden or empty. */
	parameter(name: string, fallback: GenericValue): GenericValue;
	/** A switch on which the inputs and outputs depend that the editor draws. */
	drawn(name: string): boolean;
}

/** What outlives one try of a run. */
export interface FeatureMemory {
	/** The same for all tries of the run. */
	run: string;
	/** Undefined where it cannot be used. */
	credential?: CredentialData;
	/** What the runs of this execution share under a name, made by the first that asks. */
	shared<Value>(name: string, make: () => Value): Value;
}

/** What is known after a run of its calls that may have been charged. */
export interface Proof {
	/** For the receipt, without their full stops. */
	sentences: string[];
	/** The accounts of whose open calls the sentences tell. */
	judged: ReadonlySet<Account>;
	/** Whether all open calls on an account were charged, or none was; undefined if nobody can tell. */
	wereCharged(account: Account): 'no' | 'yes' | undefined;
}

/** What a layer around questions may use of a run. */
export interface QuestionRun
	extends Pick<OpenNetwork, 'breakers' | 'clock' | 'pause' | 'unlessStopped'> {
	settings: Pick<Settings, 'maxPaidLookups' | 'maxQueueWaitMs'>;
	budget: Pick<Budget, 'reserve'>;
	ledger: Pick<Ledger, 'retries'>;
}

/** Questions that are asked together, and who waits for them. */
export interface AskedQuestions {
	operation: AnyOperation | Lookup<unknown>;
	questions: unknown[];
	/** Waits for what others are asking; resolves with a failure at Stop. */
	waitFor(reply: Promise<void>): Promise<Failure | undefined>;
	/** Lets others have the permit for good, and tells those who wait for the answers that these take minutes. */
	giveWay(): void;
	/** Whether their answer is known by now, without asking. */
	isKnown?(): boolean;
	/** Told of each result, also of one after which they are asked again. */
	heard?(results: LookupResult[]): void;
}

export type Ask = (asked: AskedQuestions) => Promise<LookupResult[]>;

/** Acts before, after or instead of asking. */
export interface QuestionLayer {
	ask(asked: AskedQuestions, next: Ask): Promise<LookupResult[]>;
	/** What is known of a lookup without asking. */
	find?(call: LookupCall): Answered | undefined;
}
