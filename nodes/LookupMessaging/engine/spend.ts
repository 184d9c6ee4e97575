import type { IExecuteFunctions } from 'n8n-workflow';
import { checkBalance, estimateRun, overBudget, type Balances, type Estimate } from './afford';
import { keepsReplies, recallFrom } from './consultations';
import { notSent, type Failure } from './failure';
import { Ledger } from './ledger';
import type { RunMemory } from './memory';
import type { AnyOperation, Refusal } from './operation';
import { INCONCLUSIVE_TRIES, performTalks, type Settlement } from './perform';
import type { Ask, Plan, PlannedTalk } from './plan';
import { replay } from './replay';
import type { Settings } from './settings';
import { deadStage, openStage } from './stage';
import type { Exchange } from './talk';

/** Makes the calls of a run that its user allows and the account can pay for. */

/** A run that is ready to be made. */
export interface PreparedRun {
	context: IExecuteFunctions;
	operation: AnyOperation;
	settings: Settings;
	memory: RunMemory;
	plan: Plan;
	estimate: Estimate;
	/** Talks whose paid calls an earlier try has made. */
	paid: Set<PlannedTalk>;
	/** What such a talk is known to have failed of, by the first of them. */
	known?: { talk: PlannedTalk; failure: Failure };
}

/** What became of the questions, and what it cost. */
export interface Spending {
	settlements: Map<Ask, Settlement>;
	ledger: Ledger;
	/** Why nothing was spent, where the run is more than may be spent. */
	refusal?: Failure;
	/** What else the user should know, as a sentence. */
	note?: string;
	/** See OpenTransport. */
	openToAll?: string[];
}

/** Finds out what an earlier try has paid for, and what the rest takes at most. */
export function prepareRun(
	context: IExecuteFunctions,
	operation: AnyOperation,
	settings: Settings,
	memory: RunMemory,
	plan: Plan,
): PreparedRun {
	const paid = new Set<PlannedTalk>();
	let known: PreparedRun['known'];
	if (!operation.free && keepsReplies(operation)) {
		for (const talk of plan.talks) {
			const { isPaid, failure } = replay(operation, talk, memory);
			if (isPaid) paid.add(talk);
			if (failure) known ??= { talk, failure };
		}
	}
	const estimate = estimateRun(operation, plan, recallFrom(memory), (talk) => paid.has(talk));
	return { context, operation, settings, memory, plan, estimate, paid, known };
}

/** How often a question may be asked. */
export function triesOf({ retriesInconclusive }: Settings): number {
	return retriesInconclusive ? INCONCLUSIVE_TRIES : 1;
}

/** Spends what the run takes. */
export async function spend(
	run: PreparedRun,
	balances: Exchange<Balances | Refusal>,
): Promise<Spending> {
	const { settings, memory, plan, estimate, known } = run;
	const { remembered, talks } = plan;
	const ledger = new Ledger();
	if (talks.length === 0) return { settlements: remembered, ledger };
	if (known && settings.onFailure === 'stop') return { ...stoppedBy(plan, known), ledger };

	const { stage, obstacle } = await stageFor(run);
	try {
		const checked = settings.checksBalanceFirst && estimate.lookups > 0 && !obstacle;
		const { failure, note } = checked
			? await checkBalance(stage, balances, estimate, settings, ledger)
			: {};
		const refusal = obstacle ?? failure ?? overBudget(estimate, memory, settings);
		// What is paid for comes out all the same, where each item stands alone
		const isPaid = (talk: PlannedTalk) => run.paid.has(talk);
		const keeps = settings.onFailure === 'errorItem';
		const wanted = refusal ? talks.filter((talk) => keeps && isPaid(talk)) : talks;
		const { operation } = run;
		const performed = await performTalks(operation, wanted, stage, settings, memory, ledger);
		const settled = refusal ? withheld(plan, refusal) : { settlements: remembered };
		const settlements = new Map([...settled.settlements, ...performed]);
		return { ...settled, settlements, ledger, note, openToAll: stage.openToAll() };
	} finally {
		stage.close();
		memory.book(ledger);
	}
}

/**
 * The stage, or one where nothing can be sent: a throw would not tell what the execution has spent, and with Continue On Fail
 * n8n would pass the input on as if it were good.
 */
async function stageFor({ context, settings }: PreparedRun) {
	try {
		return { stage: await openStage(context, settings) };
	} catch (error) {
		const obstacle: Failure = {
			cause: 'noCredential',
			reason: `the credential cannot be used: ${(error as Error).message}`,
			scope: 'account',
		};
		return { stage: deadStage(obstacle), obstacle };
	}
}

/** A run that is not made: all that it would have asked fails alike. */
function withheld({ talks, remembered }: Plan, refusal: Failure): Omit<Spending, 'ledger'> {
	const settlements = new Map(remembered);
	for (const { asks } of talks) {
		for (const ask of asks) settlements.set(ask, { kind: 'failure', failure: refusal });
	}
	return { settlements, refusal };
}

/** A run that is to stop at any failure, one of which is known already: nothing more is paid for. */
function stoppedBy(
	{ talks, remembered }: Plan,
	{ talk: failed, failure }: NonNullable<PreparedRun['known']>,
): Omit<Spending, 'ledger'> {
	const settlements = new Map(remembered);
	for (const talk of talks) {
		const fate = talk === failed ? failure : notSent(failure);
		for (const ask of talk.asks) settlements.set(ask, { kind: 'failure', failure: fate });
	}
	return { settlements };
}
