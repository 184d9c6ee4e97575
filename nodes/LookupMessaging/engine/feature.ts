import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import type { Estimate } from './billing/estimate';
import type { Account, Lookup, LookupCall } from './client';
import type { NetworkFeature, OpenNetwork } from './network/networks';
import type { AnswerSource, RunMemory } from './memory/answerStore';
import type { CredentialData } from './network/credential';
import type { AnyOperation } from './operation';
import type { Budget, Ledger } from './billing/ledger';
import type { Plan } from './plan/plan';
import type { Layout, Settings, SettingsReader, TagField } from './plan/settings';
import type { Answered, Failure, LookupResult } from './results';

/**
 * An optional capability, such as a limit or an additional output. It is a folder of features/, with its options, layer, texts
 * and rows. A run opens only the features that its user has switched on. The engine imports none of them: the node passes the
 * list.
 */
export interface Feature extends NetworkFeature {
	/** Why the run must not start. */
	problem?: Failure;
	/** The parameter whose text is the tag of each item's paid calls. */
	tag?: TagField;
	/** Receives the data that it keeps over the runs of the execution, and over the tries of this run. Called before the plan. */
	remember?(memory: FeatureMemory): Promise<void> | void;
	/** Answers from outside the execution. Results then say how old they are. */
	source?: AnswerSource;
	/** Another form of the results. */
	layout?: Layout;
	/** What it says about the fields, given what was read of each item: sentences without a full stop. */
	warnings?: Settings['warnings'];
	/** Wraps the asking of questions: those of a task, or one that a task looks up. */
	aroundQuestion?(run: QuestionRun): QuestionLayer;
	/** Largest number of times that one question is asked, for Dry Run. @param maxWaitMs the setting Max Wait */
	mostTries?(maxWaitMs: number): number;
	/** Reserves paid lookups in a limit of the feature: all of the run, later one for each recheck. Else returns why not. */
	reserve?(lookups: number): Failure | undefined;
	/** Whether the run may begin, given its maximum cost. Also returns a sentence for the user. */
	beforeRun?(estimate: Estimate): Promise<{ failure?: Failure; note?: string }>;
	/** Called after the last call. Returns what is known about calls that may have been charged. */
	afterRun?(): Promise<Proof | undefined>;
	/** Receives the proof of another feature. */
	proved?(proof: Proof): void;
	/** Further hints after a run that did not fail. */
	hints?(): NodeExecutionHint[];
	/** A sentence for its receipt. */
	note?(run: { plan: Plan; ledger: Ledger; account: string }): Promise<string | undefined>;
	/** An additional output after the results. */
	output?(plan: Plan): Promise<INodeExecutionData[]>;
	/** Called once the items of the run are returned for good. */
	delivered?(): void;
}

export type FeatureOpener = (settings: FeatureSettings) => Feature;

/** What a feature reads of the node. */
export type FeatureSettings = Pick<
	SettingsReader,
	'context' | 'drawn' | 'isForModel' | 'operation' | 'options' | 'parameter'
>;

/** Data that outlives one try of a run; without the credential if it cannot be used. */
export type FeatureMemory = Pick<RunMemory, 'account' | 'run' | 'shared'> & {
	credential?: CredentialData;
};

/** What is known, after a run, about its calls that may have been charged. */
export interface Proof {
	/** For the receipt, without their full stops. */
	sentences: string[];
	/** The accounts whose possibly charged calls the sentences explain. */
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

/** Questions that are asked together, and the tasks that wait for them. */
export interface AskedQuestions {
	operation: AnyOperation | Lookup<unknown>;
	questions: unknown[];
	/** By which their answers are stored; undefined for one that is not. */
	keys: Array<string | undefined>;
	/** Waits for questions that others are asking; resolves with a failure at Stop. */
	waitFor(reply: Promise<void>): Promise<Failure | undefined>;
	/** Releases the permit for good, and tells waiting tasks that the answers take minutes. */
	giveWay(): void;
	/** Whether their answer is known now, without asking. */
	isKnown?(): boolean;
	/** Called with each result, also with one after which they are asked again. */
	heard?(results: LookupResult[]): void;
}

export type Ask = (asked: AskedQuestions) => Promise<LookupResult[]>;

/** Acts before, after or instead of asking. */
export interface QuestionLayer {
	ask(asked: AskedQuestions, next: Ask): Promise<LookupResult[]>;
	/** What is known of a lookup without asking. */
	find?(call: LookupCall): Answered | undefined;
}
