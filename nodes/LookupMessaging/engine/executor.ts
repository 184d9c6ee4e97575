import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { adviceOn } from './advice';
import { describePlan, type Balances } from './afford';
import { readerOf, toNodeError } from './errors';
import type { Failure } from './failure';
import { attachFiles } from './files';
import { linkResults, type LinkedItem } from './link';
import { openMemory } from './memory';
import type { AnyOperation, Outcome, Refusal } from './operation';
import { ROUTES } from './outputs';
import { planRun } from './plan';
import { describeEarlier, drawReceipt } from './receipt';
import { readSettings, type Settings } from './settings';
import { findFailure, foreseen, settleSlots, type SettledSlot } from './settle';
import { prepareRun, spend, triesOf } from './spend';
import { receiptHint, soFar, warning, warningHints } from './summary';
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

	const obstacle = findFailure(foreseen(plan), (failure) => refusesToStart(failure, settings));
	if (obstacle) {
		const earlier = describeEarlier(memory.earlier);
		const soFar = ['nothing was sent', earlier].filter((text) => text).join('. ');
		throw toNodeError(context.getNode(), ...obstacle, soFar, { reader: readerOf(settings) });
	}
	const run = prepareRun(context, operation, settings, memory, plan);
	if (settings.isDryRun) {
		context.addExecutionHints(...adviceOn(operation, plan));
		const pairedItem = inputs.map((_, item) => ({ item }));
		const json = describePlan(plan, run.estimate, triesOf(settings));
		return onOutputs([{ json, pairedItem }], () => 'unknown', settings);
	}

	const { settlements, ledger, refusal, note, openToAll = [] } = await spend(run, balances);
	const slots = settleSlots(plan, settlements, operation);
	const receipt = drawReceipt(slots, ledger, memory.earlier, asksOthers(operation));

	if (refusal ? settings.onFailure !== 'errorItem' : failsTheNode(slots, settings)) {
		const fatal =
			findFailure(slots, (failure) => failure === refusal) ??
			findFailure(slots, ({ cause }) => cause !== 'notSent') ??
			findFailure(slots, () => true);
		if (fatal) {
			const parts = [soFar(operation, receipt, slots), warning(openToAll)];
			const told = parts.filter((part) => part).join('. ');
			const { jobs } = ledger;
			throw toNodeError(context.getNode(), ...fatal, told, { reader: readerOf(settings), jobs });
		}
	}

	const advice = [...adviceOn(operation, plan, slots), ...warningHints(openToAll)];
	context.addExecutionHints(receiptHint(receipt, slots, note), ...advice);
	const linked = linkResults(operation, inputs, plan, slots, settings);
	const items = await Promise.all(
		linked.map(async (item) => await withFiles(context, item, settings)),
	);
	return onOutputs(items, (index) => linked[index].outcome, settings);
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
	{ onFailure }: Settings,
): Promise<INodeExecutionData> {
	const item = { json, ...(binary && { binary }), pairedItem };
	if (!files) return item;
	const attached = attachFiles(context, json, files, item);
	if (onFailure !== 'errorItem') return await attached;
	const failed = (error: Error) => ({
		json: { error: `The files of the answer could not be stored: ${error.message}` },
		pairedItem,
	});
	return await attached.catch(failed);
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
