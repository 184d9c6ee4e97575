import type { NodeExecutionHint } from 'n8n-workflow';
import type { Failure, Job } from '../results';
import { type History, isAwaited } from '../memory/answerStore';
import { MAX_REMEMBERED } from '../memory/boundedCache';
import { type AnyOperation, hasDeeds, isKnown } from '../operation';
import { ended, escapeHtml } from '../plan/values';
import type { Plan, SlotResult } from '../plan/plan';
import type { Settings } from '../plan/settings';
import { describeJobs } from './errors';
import {
	count,
	describeEarlier,
	describeMoney,
	describeReceipt,
	describeRest,
	describeWork,
	type Receipt,
} from './receipt';

/** The report of a finished run: in its hints, or in the error that ends it. */

/**
 * What the run and its earlier tries did until it failed, for the error. Side effects are listed by item.
 * @param isKept whether the process keeps paid results, by Stored Results
 */
export function soFar(receipt: Receipt, isKept = false): string {
	const { earlier, history, ledger } = receipt;
	const reuse = isKept
		? 'Retry On Fail and new executions in this process reuse what was paid for'
		: "Retry On Fail reuses what was paid for, a new execution doesn't";
	const hasPaid = ledger.paidCalls > ledger.sum('open');
	const parts = [describeReceipt(receipt), hasPaid && reuse];
	return sentences([...parts, ...describeEarlier(earlier), ...deedsOf(history)]);
}

/**
 * The log entry of a stopped run: n8n stores no output of the node that was running.
 * @param where the node and the execution
 * @param isKept whether the process keeps paid results, by Stored Results; undefined if it can't
 */
export function stopLog(where: string, receipt: Receipt, isKept?: boolean): string {
	const { earlier, history } = receipt;
	const jobs = history.jobs.length > 0 && describeJobs(history.jobs);
	const reuse = isKept
		? 'This process keeps the paid results. Run the node again with Stored Results on to reuse them'
		: "The paid results aren't kept, because Stored Results is off";
	const isKnown = isKept !== undefined && !jobs && receipt.ledger.paidCalls + earlier.paidCalls > 0;
	const spent = [describeReceipt(receipt), ...describeEarlier(earlier), isKnown && reuse];
	return `Stop ended ${where}. ${sentences([...spent, ...deedsOf(history), jobs])}`;
}

/** Adds what this try did to the history of its run: the items with a side effect, and the jobs. */
export function addTo(
	history: History,
	operation: AnyOperation,
	plan: Plan,
	slots: SlotResult[],
	jobs: Job[],
) {
	const acts = hasDeeds(operation);
	// A free call, such as a poll by a tool, only reads
	const isDeed = (index: number) => {
		const slot = plan.slots[index];
		return slot.kind === 'asked' && operation.credits?.(slot.question) !== undefined;
	};
	const itemsOf = (isOf: (slot: SlotResult) => boolean) =>
		acts ? slots.filter((slot, index) => isOf(slot) && isDeed(index)).map(({ item }) => item) : [];
	const done = itemsOf((slot) => slot.kind === 'answer' && slot.answer.outcome === 'positive');
	history.add(done, itemsOf(mayHaveHappened), jobs);
}

function deedsOf({ done, open }: History): Array<string | undefined> {
	const perhaps = [...open].filter((item) => !done.has(item));
	return [listItems('Done already', [...done]), listItems('Possibly done', perhaps)];
}

/** Sentences as n8n shows them: as HTML. */
function lineOf(parts: Array<string | false | undefined>): string {
	const line = sentences(parts);
	return line === '' ? '' : escapeHtml(ended(line));
}

/** Sentences without the last full stop. */
function sentences(parts: Array<string | false | undefined>): string {
	return parts.flatMap((part) => (part ? [part.replace(/\.$/, '')] : [])).join('. ');
}

/** Whether the side effect may have happened although the service did not say so. */
function mayHaveHappened(slot: SlotResult): boolean {
	if (slot.kind === 'local') return false;
	if (slot.kind === 'answer')
		return slot.answer.outcome === 'unknown' && !slot.answer.isPreliminary;
	return slot.failure.mayHaveCost === true && !slot.failure.isPreliminary;
}

function listItems(what: string, items: number[]): string | undefined {
	if (items.length === 0) return undefined;
	return `${what}: ${items.length === 1 ? 'item' : 'items'} ${ranges(items)}`;
}

/** "0–4, 7" for the indexes of items. */
function ranges(items: number[]): string {
	const runs: Array<[from: number, to: number]> = [];
	for (const item of items.sort((a, b) => a - b)) {
		const last = runs[runs.length - 1];
		if (last?.[1] === item - 1) last[1] = item;
		else runs.push([item, item]);
	}
	return runs
		.map(([from, to]) => (from === to ? `${from}` : `${from}${to - from < 2 ? ', ' : '–'}${to}`))
		.join(', ');
}

/**
 * The receipt of a run: lines about the cost, the work, and other notes. With one item, cost and work share a line.
 * @param notes further notes, as sentences
 */
export function receiptHint(
	receipt: Receipt,
	slots: SlotResult[],
	notes: Array<string | undefined>,
): NodeExecutionHint {
	const { slots: counts, lookups, items } = receipt;
	const jobs = openJobs(slots);
	const isFailed = [counts, lookups].some((all) => all && all.failed + all.notReached > 0);
	const more = [
		...describeRest(receipt),
		describeUnasked(slots),
		jobs.length > 0 && describeJobs(jobs),
		...describeEarlier(receipt.earlier),
		...(counts.failed > 0 ? deedsOf(receipt.history) : []),
		...notes,
	];
	const [money, work, rest] = [describeMoney(receipt), describeWork(receipt), more].map(lineOf);
	const lines = items > 1 ? [money, work, rest] : [`${money} ${work}`.trim(), rest];
	const message = lines.filter((line) => line !== '').join('<br>');
	return { message, type: isFailed ? 'warning' : 'info', location: 'outputPane' };
}

/** Why the node stopped early, as sentences without the last full stop, if the first calls all failed alike. */
export function describeUnasked(slots: SlotResult[]): string | undefined {
	const found = slots.find(
		(slot) => slot.kind === 'failure' && slot.failure.after === 'firstCalls',
	);
	if (!found) return undefined;
	return `The node stopped before item ${found.item}, because the first calls all failed alike. If only these values are wrong, move other items to the front`;
}

/** n8n shows hints as HTML. */
export function hint(message: string, type: 'info' | 'warning'): NodeExecutionHint {
	return { message: escapeHtml(message), type, location: 'outputPane' };
}

/**
 * The warnings for the user, as sentences without their full stop: empty fields, requests without encryption, and results that
 * did not fit into the memory of the execution.
 * @param insecure names of the credential's fields with the addresses, which are not shown themselves
 * @param dropped how many paid results were dropped
 */
export function warningsOf({ warnings }: Plan, insecure: string[] = [], dropped = 0): string[] {
	const more: string[] = [];
	if (insecure.length > 0) more.push(describeInsecure(insecure));
	if (dropped > 0) {
		const results = count(dropped, 'result');
		more.push(
			`The memory of this execution is full (${MAX_REMEMBERED / 1e6} million characters), so it dropped ${results} that may have been paid for. Duplicates and a retry pay again. Run fewer items in one execution`,
		);
	}
	return [...warnings, ...more];
}

/** Why base URLs without encryption are a risk, as a sentence without its full stop. */
export function describeInsecure(fields: string[]): string {
	const start = fields.length === 1 ? 'starts' : 'start';
	return `The ${fields.join(', ')} in the credential ${start} with http://, so anyone between n8n and the service can read the API key and your data. Use https:// instead`;
}

/** The warnings of a run as separate hints, since they apply to every run until the user fixes them. */
export function warningHints(warnings: string[]): NodeExecutionHint[] {
	return warnings.map((sentence) => hint(`${sentence}.`, 'warning'));
}

/** The jobs whose results are incomplete. */
function openJobs(slots: SlotResult[]): Job[] {
	const failures = slots.flatMap((slot) => (slot.kind === 'failure' ? slot.failure : []));
	return [...new Set(failures.filter(isAwaited).flatMap(({ jobs = [] }) => jobs))];
}

/**
 * The advice of the operation on the workflow, as a hint beside the receipt.
 * @param slots the results of the run; none for a dry run
 */
export function adviceOn(
	{ advise }: AnyOperation,
	{ tasks, known }: Plan,
	slots: SlotResult[] = [],
): NodeExecutionHint[] {
	// Questions of an earlier try count too, so a retry repeats the advice; stored results need no call
	const earlier = [...known.values()].filter((result) => !isKnown(result)).length;
	const questions = tasks.reduce((sum, { questions: asked }) => sum + asked.length, earlier);
	let leftOut = 0;
	for (const slot of slots) if (slot.kind === 'answer') leftOut += slot.answer.leftOut ?? 0;
	const message = advise?.({ questions, leftOut });
	return message ? [hint(message, 'info')] : [];
}

/** The first failure that matches, and its item. */
function findFailure(
	slots: SlotResult[],
	matches: (failure: Failure) => boolean = () => true,
): [failure: Failure, item: number] | undefined {
	for (const slot of slots) {
		if (slot.kind === 'failure' && matches(slot.failure)) return [slot.failure, slot.item];
	}
	return undefined;
}

/**
 * The failure that fails the node, if there is one, and its item.
 * @param refusal why the run was not made
 */
export function fatalFailure(
	slots: SlotResult[],
	refusal: Failure | undefined,
	settings: Settings,
): [failure: Failure, item: number] | undefined {
	const fails = refusal ? settings.onFailure !== 'errorItem' : failsTheNode(slots, settings);
	if (!fails) return undefined;
	return (
		findFailure(slots, (failure) => failure === refusal) ??
		findFailure(slots, ({ cause }) => cause !== 'notSent') ??
		findFailure(slots)
	);
}

/**
 * Whether failures fail the node: with 'Stop at the First Failure' any failure does, otherwise only if no item was answered.
 * Local answers count only if the service works, so that a wrong key never looks like a list of invalid numbers.
 */
function failsTheNode(slots: SlotResult[], { onFailure }: Settings): boolean {
	if (!findFailure(slots)) return false;
	if (onFailure !== 'unknown') return onFailure === 'stop';
	const hasAnswer = (slot: SlotResult) =>
		slot.kind === 'failure'
			? slot.isPartlyAnswered === true && slot.failure.scope === 'question'
			: slot.kind === 'answer';
	if (slots.some(hasAnswer)) return false;
	const isRunLevel = ({ cause, scope }: Failure) => cause !== 'refused' || scope === 'account';
	return Boolean(findFailure(slots, isRunLevel)) || !slots.some(({ kind }) => kind === 'local');
}
