import type { IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { describeItemFailure, toNodeError } from './errors';
import type { Failure } from './failure';
import { linkResults } from './link';
import type { AnyOperation } from './operation';
import { performCalls } from './perform';
import { planRun, type PlannedItem } from './plan';
import { describeReceipt, drawReceipt, type Receipt } from './receipt';
import { settleItems, type SettledItem } from './settle';
import { readSettings, type Settings } from './settings';
import { openTransport } from './transport';

/**
 * Runs one operation for all items of the node: plan, perform, link, account.
 * @returns one output item per input item, in input order, linked to it
 * @throws NodeApiError or NodeOperationError when the run as a whole fails: before anything is sent (`refusesToStart`) or
 * after the calls (`failsTheNode`)
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: AnyOperation,
): Promise<INodeExecutionData[]> {
	const inputs = context.getInputData();
	const settings = readSettings(context, operation);
	const plan = planRun(context, operation, inputs.length, settings);

	const obstacle = findFailure(plan.items, (failure) => refusesToStart(failure, settings));
	if (obstacle) throw toNodeError(context.getNode(), ...obstacle, 'nothing was sent');

	const transport = await openTransport(context);
	const settlements = await performCalls(operation, plan.calls, transport, settings);
	const items = settleItems(plan, settlements);
	const receipt = drawReceipt(operation, items, settlements);

	const fatal = failsTheNode(items, settings)
		? findFailure(items, ({ cause }) => cause !== 'notSent')
		: undefined;
	if (fatal) throw toNodeError(context.getNode(), ...fatal, describeReceipt(receipt));

	context.addExecutionHints(
		receiptHint(
			receipt,
			findFailure(items, () => true),
		),
	);
	return linkResults(operation, inputs, items, settings);
}

type FailureOfItem = [failure: Failure, item: number];

function findFailure(
	items: Array<PlannedItem | SettledItem>,
	matches: (failure: Failure) => boolean,
): FailureOfItem | undefined {
	for (const [index, item] of items.entries()) {
		if (item.kind === 'failure' && matches(item.failure)) return [item.failure, index];
	}
	return undefined;
}

/** Whether a failure that is known before anything is sent keeps the whole run from starting. */
function refusesToStart({ cause }: Failure, { onFailure }: Settings): boolean {
	return onFailure === 'stop' || (onFailure === 'unknown' && cause === 'malformed');
}

/** Whether failures fail the node: any, where it is to stop; else only when the service answered nothing at all. */
function failsTheNode(items: SettledItem[], { onFailure }: Settings): boolean {
	if (onFailure === 'unknown') return !items.some(({ kind }) => kind === 'answer');
	return onFailure === 'stop';
}

function receiptHint(receipt: Receipt, failure: FailureOfItem | undefined): NodeExecutionHint {
	const message = describeReceipt(receipt);
	if (!failure) return { message, type: 'info', location: 'outputPane' };
	return {
		message: `${message}. First failure: ${describeItemFailure(...failure)}`,
		type: 'warning',
		location: 'outputPane',
	};
}
