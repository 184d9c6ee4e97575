import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	checkBalance,
	describePlan,
	estimateRun,
	overBudget,
	type Balances,
	type Estimate,
} from './afford';
import { toNodeError } from './errors';
import { recallFrom } from './consultations';
import type { Failure } from './failure';
import { attachFiles } from './files';
import { Ledger } from './ledger';
import { linkResults, type LinkedItem } from './link';
import { openMemory, type RunMemory } from './memory';
import type { AnyOperation, Outcome, Refusal } from './operation';
import { ROUTES } from './outputs';
import { performTalks, type Settlement } from './perform';
import { planRun, type Ask, type Plan } from './plan';
import { drawReceipt } from './receipt';
import { readSettings, type Settings } from './settings';
import { findFailure, settleSlots, type SettledSlot } from './settle';
import { openStage } from './stage';
import { receiptHint, soFar } from './summary';
import type { Exchange } from './talk';

/**
 * Runs one operation for all items of the node: plan, afford, perform, settle, link, account.
 * @param balances the free call that tells what the account holds, for Check Balance First
 * @returns the output items, in input order, each linked to its input: on one output, or routed by outcome
 * @throws NodeApiError or NodeOperationError when the run as a whole fails: before anything is sent (`refusesToStart`) or
 * after the calls (`failsTheNode`)
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: AnyOperation,
	balances: Exchange<Balances | Refusal>,
): Promise<INodeExecutionData[][]> {
	const inputs = context.getInputData();
	const settings = readSettings(context, operation);
	const memory = openMemory(context, operation, settings);
	const plan = await planRun(context, operation, inputs.length, settings, memory.settlementOf);

	const obstacle = findFailure(plan.slots, (failure) => refusesToStart(failure, settings));
	if (obstacle) throw toNodeError(context.getNode(), ...obstacle, 'nothing was sent');
	const estimate = estimateRun(operation, plan, recallFrom(memory));
	if (settings.isDryRun) {
		const pairedItem = inputs.map((_, item) => ({ item }));
		const json = describePlan(plan, estimate);
		return onOutputs([{ json, pairedItem }], () => 'positive', settings);
	}

	const run = { context, operation, settings, memory, plan, estimate, balances };
	const { settlements, ledger, refusal, note } = await spend(run);
	const slots = settleSlots(plan, settlements, operation);
	const receipt = drawReceipt(slots, ledger, memory.earlier, asksOthers(operation));

	if (refusal ? settings.onFailure !== 'errorItem' : failsTheNode(slots, settings)) {
		const fatal =
			findFailure(slots, (failure) => failure === refusal) ??
			findFailure(slots, ({ cause }) => cause !== 'notSent') ??
			findFailure(slots, () => true);
		if (fatal) {
			const known = { ...fatal[0], jobs: ledger.jobs };
			throw toNodeError(context.getNode(), known, fatal[1], soFar(operation, receipt, slots));
		}
	}

	context.addExecutionHints(receiptHint(receipt, slots, note));
	const linked = linkResults(operation, inputs, plan, slots, settings);
	const items = await Promise.all(linked.map(async (item) => await withFiles(context, item)));
	return onOutputs(items, (index) => linked[index].outcome, settings);
}

interface PlannedRun {
	context: IExecuteFunctions;
	operation: AnyOperation;
	settings: Settings;
	memory: RunMemory;
	plan: Plan;
	estimate: Estimate;
	balances: Exchange<Balances | Refusal>;
}

interface Spending {
	settlements: Map<Ask, Settlement>;
	ledger: Ledger;
	/** Why nothing was spent, where the run is more than may be spent. */
	refusal?: Failure;
	note?: string;
}

/** Makes the calls of a run that its user allows and the account can pay for, and books them. */
async function spend(run: PlannedRun): Promise<Spending> {
	const { context, operation, settings, memory, plan, estimate, balances } = run;
	const { remembered, talks } = plan;
	if (talks.length === 0) return { settlements: remembered, ledger: new Ledger() };
	const tooMuch = overBudget(estimate, memory.earlier, settings);
	if (tooMuch) return { ...withheld(plan, tooMuch), ledger: new Ledger() };

	const stage = await openStage(context, settings);
	const ledger = new Ledger();
	try {
		const { failure, note } = settings.checksBalanceFirst
			? await checkBalance(stage, balances, estimate, settings, ledger)
			: {};
		if (failure) return { ...withheld(plan, failure), ledger };
		const performed = await performTalks(operation, talks, stage, settings, memory, ledger);
		return { settlements: new Map([...remembered, ...performed]), ledger, note };
	} finally {
		stage.close();
		memory.book(ledger);
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

/** Whether what its items show comes from other operations. */
function asksOthers(operation: AnyOperation): boolean {
	return 'talk' in operation && operation.consults !== undefined;
}

/** Whether a failure that is known before anything is sent keeps the whole run from starting. */
function refusesToStart({ cause }: Failure, { onFailure }: Settings): boolean {
	return onFailure === 'stop' || (onFailure === 'unknown' && cause === 'malformed');
}

/**
 * Whether failures fail the node: any, where it is to stop; else only when no item was answered. Local answers count where
 * the service was there and refused single questions; a wrong key or a dead service must not pass for a list of malformed
 * numbers.
 */
function failsTheNode(slots: SettledSlot[], { onFailure }: Settings): boolean {
	if (!findFailure(slots, () => true)) return false;
	if (onFailure !== 'unknown') return onFailure === 'stop';
	if (slots.some(({ kind }) => kind === 'answer')) return false;
	const isLoud = ({ cause, scope }: Failure) => cause !== 'refused' || scope === 'account';
	return findFailure(slots, isLoud) !== undefined || !slots.some(({ kind }) => kind === 'local');
}

async function withFiles(
	context: IExecuteFunctions,
	{ json, binary, pairedItem, files }: LinkedItem,
): Promise<INodeExecutionData> {
	const item = { json, ...(binary && { binary }), pairedItem };
	return files ? await attachFiles(context, json, files, item) : item;
}

/** All items on the one output, or each on that of its outcome. */
function onOutputs(
	items: INodeExecutionData[],
	outcomeOf: (index: number) => Outcome,
	{ routesByResult }: Settings,
): INodeExecutionData[][] {
	if (!routesByResult) return [items];
	return ROUTES.map((route) => items.filter((_, index) => outcomeOf(index) === route));
}
