import type {
	GenericValue,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';
import type { Estimate } from './billing/estimate';
import type { Account } from './client';
import type { NetworkFeature } from './network/networks';
import type { AnswerSource } from './memory/answerStore';
import type { CredentialData } from './network/credential';
import type { AnyOperation } from './operation';
import type { Ledger } from './billing/ledger';
import type { Plan } from './plan/plan';
import type { TagField } from './plan/settings';
import type { Failure } from './results';
import type { TimeSlices } from './timeSlices';

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
	/** Whether all open calls on an account were charged, or none was; undefined where that is not known. */
	wereCharged(account: Account): 'no' | 'yes' | undefined;
}
