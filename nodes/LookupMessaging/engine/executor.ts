import type { IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { describeItemFailure, describeJobs, toNodeError } from './errors';
import type { Failure } from './failure';
import { attachFiles } from './files';
import { linkResults } from './link';
import type { AnyOperation } from './operation';
import { performTalks } from './perform';
import { planRun, type Slot } from './plan';
import { describeReceipt, drawReceipt, type Receipt } from './receipt';
import { settleSlots, type SettledSlot } from './settle';
import { readSettings, type Settings } from './settings';
import { openStage } from './stage';
import type { Job } from './talk';

/**
 * Runs one operation for all items of the node: plan, perform, settle, link, account.
 * @returns the output items, in input order, each linked to its input
 * @throws NodeApiError or NodeOperationError when the run as a whole fails: before anything is sent (`refusesToStart`) or
 * after the calls (`failsTheNode`)
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: AnyOperation,
): Promise<INodeExecutionData[]> {
	const inputs = context.getInputData();
	const settings = readSettings(context, operation);
	const plan = await planRun(context, operation, inputs.length, settings);

	const obstacle = findFailure(plan.slots, (failure) => refusesToStart(failure, settings));
	if (obstacle) throw toNodeError(context.getNode(), ...obstacle, 'nothing was sent');

	const stage = await openStage(context, settings);
	const { settlements, ledger } = await performTalks(operation, plan.talks, stage, settings);
	const slots = settleSlots(plan, settlements, operation);
	const receipt = drawReceipt(slots, ledger);

	const fatal = failsTheNode(slots, settings)
		? (findFailure(slots, ({ cause }) => cause !== 'notSent') ?? findFailure(slots, () => true))
		: undefined;
	if (fatal) {
		const [failure, item] = fatal;
		const known = { ...failure, jobs: ledger.jobs };
		throw toNodeError(context.getNode(), known, item, soFar(operation, receipt, slots));
	}

	context.addExecutionHints(receiptHint(receipt, slots));
	return await Promise.all(
		linkResults(operation, inputs, plan, slots, settings).map(async ({ files, ...item }) =>
			files ? await attachFiles(context, item.json, files, item) : item,
		),
	);
}

type FailureOfItem = [failure: Failure, item: number];

function findFailure(
	slots: Array<SettledSlot | Slot>,
	matches: (failure: Failure) => boolean,
): FailureOfItem | undefined {
	for (const slot of slots) {
		if (slot.kind === 'failure' && matches(slot.failure)) return [slot.failure, slot.item];
	}
	return undefined;
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
	if (onFailure !== 'unknown') return onFailure === 'stop';
	if (slots.some(({ kind }) => kind === 'answer')) return false;
	const isLoud = ({ cause, scope }: Failure) => cause !== 'refused' || scope === 'account';
	return findFailure(slots, isLoud) !== undefined || !slots.some(({ kind }) => kind === 'local');
}

/** What the run did until it failed, for the error; what cannot be done twice without harm is listed by item. */
function soFar(operation: AnyOperation, receipt: Receipt, slots: SettledSlot[]): string {
	const text = describeReceipt(receipt);
	if (operation.repeatable || operation.free) return text;
	const done = slots.filter((slot) => slot.kind === 'answer' && slot.answer.outcome === 'positive');
	const open = slots.filter(mayBeDone);
	return [text, listItems('Done already', done), listItems('Perhaps done', open)]
		.filter((part) => part !== undefined)
		.join('. ');
}

/** Whether the deed may have been done although nobody says so. */
function mayBeDone(slot: SettledSlot): boolean {
	if (slot.kind === 'answer') return slot.answer.isUnclear === true;
	return (
		slot.kind === 'failure' && slot.failure.mayHaveCost === true && !slot.failure.isPreliminary
	);
}

function listItems(what: string, slots: SettledSlot[]): string | undefined {
	if (slots.length === 0) return undefined;
	const items = [...new Set(slots.map(({ item }) => item))];
	return `${what}: ${items.length === 1 ? 'item' : 'items'} ${ranges(items)}`;
}

/** "0–4, 7" for the indexes of items, which come in order. */
function ranges(items: number[]): string {
	const runs: Array<[from: number, to: number]> = [];
	for (const item of items) {
		const last = runs[runs.length - 1];
		if (last?.[1] === item - 1) last[1] = item;
		else runs.push([item, item]);
	}
	return runs
		.flatMap(([from, to]) => (to - from < 2 ? range(from, to) : [`${from}–${to}`]))
		.join(', ');
}

function range(from: number, to: number): string[] {
	return from === to ? [String(from)] : [String(from), String(to)];
}

function receiptHint(receipt: Receipt, slots: SettledSlot[]): NodeExecutionHint {
	const message = describeReceipt(receipt);
	const failure = findFailure(slots, () => true);
	if (!failure) return { message, type: 'info', location: 'outputPane' };
	const shown = failure[0].jobs ?? [];
	const others = openJobs(slots).filter((job) => !shown.includes(job));
	return {
		message: [
			`${message}. First failure: ${describeItemFailure(...failure)}`,
			...(others.length > 0 ? [`Also: ${describeJobs(others)}`] : []),
		].join(' '),
		type: 'warning',
		location: 'outputPane',
	};
}

/** The jobs whose results did not come out whole. */
function openJobs(slots: SettledSlot[]): Job[] {
	return [
		...new Set(slots.flatMap((slot) => (slot.kind === 'failure' ? (slot.failure.jobs ?? []) : []))),
	];
}
