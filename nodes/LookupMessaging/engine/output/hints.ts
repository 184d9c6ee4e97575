import type { NodeExecutionHint } from 'n8n-workflow';
import type { Failure, Job } from '../results';
import { MAX_CHARACTERS } from '../memory/boundedCache';
import type { History } from '../memory/history';
import { hasDeeds, isKnown, type AnyOperation } from '../operation';
import { escapeHtml, inShort } from '../plan/values';
import type { Plan, SlotResult } from '../plan/plan';
import type { Settings } from '../plan/settings';
import { describeJobs } from './costSentences';
import { describeUnasked } from './items';
import {
	count,
	describeCounts,
	describeDetails,
	describeEarlier,
	describeReceipt,
	type Receipt,
} from './receipt';

/** What a run reports when it is over: in its hints, or in the error that ends it. */

/**
 * What the run and its earlier tries did until it failed, for the error. Side effects are listed by item.
 * @param text what this try did
 * @param isKept whether the process keeps what was paid for, by Known Answers
 */
export function soFar({ earlier, history, ledger }: Receipt, text: string, isKept = false) {
	const reuse = isKept
		? 'Retry On Fail and a new execution in this process reuse what was paid for'
		: "Retry On Fail reuses what was paid for, but a new execution doesn't";
	const parts = [text, ledger.paidCalls > 0 && reuse, describeEarlier(earlier)];
	return sentences([...parts, ...deedsOf(history)]);
}

/**
 * What the log of n8n says of a run that was stopped: n8n stores no output of the node that was running.
 * @param where the node and the execution
 */
export function stopLog(where: string, receipt: Receipt): string {
	const { earlier, history } = receipt;
	const jobs = history.jobs.length > 0 && describeJobs(history.jobs);
	const spent = [describeReceipt(receipt), describeEarlier(earlier), ...deedsOf(history), jobs];
	return `Stop ended ${where}. n8n may not store what it did: ${sentences(spent)}`;
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

function sentences(parts: Array<string | false | undefined>): string {
	return parts.filter((part) => part).join('. ');
}

/** Whether the side effect may have happened although the service did not say so. */
function mayHaveHappened(slot: SlotResult): boolean {
	if (slot.kind === 'local') return false;
	if (slot.kind === 'answer') return slot.answer.isUnclear === true;
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
 * The receipt of a run: a line of counts, a line about the first failure if there is one, and below them, in small print, what
 * else the user should know.
 * @param note what else the user should know, as a sentence
 */
export function receiptHint(
	receipt: Receipt,
	slots: SlotResult[],
	note: string | undefined,
): NodeExecutionHint {
	const failure = findFailure(slots);
	const lookup = failure ? undefined : receipt.ledger.firstFailedLookup;
	const jobs = openJobs(slots);
	const small = sentences([
		...describeDetails(receipt),
		describeUnasked(slots),
		jobs.length > 0 && withoutStop(describeJobs(jobs)),
		describeEarlier(receipt.earlier),
		...(failure ? deedsOf(receipt.history) : []),
		note && withoutStop(note),
	]);
	const lines = [
		describeCounts(receipt),
		failure && describeFirst(`failure (item ${failure[1]})`, failure[0]),
		lookup && describeFirst(`failed lookup (${lookup.action})`, lookup.failure),
	];
	const shown = lines.filter((line) => line !== undefined).map(escapeHtml);
	if (small !== '') shown.push(`<small>${escapeHtml(small)}.</small>`);
	const type = failure || lookup ? 'warning' : 'info';
	return { message: shown.join('<br>'), type, location: 'outputPane' };
}

/** Longest words of a failure on the receipt, in characters. The item has all of them, with what to do and what it cost. */
const MOST_WORDS = 200;

function describeFirst(what: string, { reason }: Failure): string {
	return `First ${what}: ${withoutStop(inShort(reason, MOST_WORDS))}.`;
}

function withoutStop(sentence: string): string {
	return sentence.replace(/\.$/, '');
}

/** n8n shows hints as HTML. */
export function hint(message: string, type: 'info' | 'warning'): NodeExecutionHint {
	return { message: escapeHtml(message), type, location: 'outputPane' };
}

/**
 * What the user should fix, as sentences without their full stop: empty fields, requests that were not encrypted, and results that
 * the memory of the execution has no room for.
 * @param insecure names of the credential's fields with the addresses, which themselves are not shown
 * @param dropped how many results that were paid for were dropped
 */
export function warningsOf({ warnings }: Plan, insecure: string[] = [], dropped = 0): string[] {
	const more: string[] = [];
	if (insecure.length > 0) more.push(describeInsecure(insecure));
	if (dropped > 0) {
		const results = count(dropped, 'result');
		more.push(
			`The memory of this execution is full (${MAX_CHARACTERS / 1e6} million characters), so it dropped ${results} that may have been paid for. Equal items and a retry pay again. Run fewer items in one execution`,
		);
	}
	return [...warnings, ...more];
}

/** Why base URLs without encryption are a risk, as a sentence without its full stop. */
export function describeInsecure(fields: string[]): string {
	const start = fields.length === 1 ? 'starts' : 'start';
	return `The ${fields.join(', ')} in the credential ${start} with http://, so anyone between n8n and the service can read the API key and your data. Use https:// instead`;
}

/** The warnings of a run as separate hints, since they hold for every run until the user fixes them. */
export function warningHints(warnings: string[]): NodeExecutionHint[] {
	return warnings.map((sentence) => hint(`${sentence}.`, 'warning'));
}

/** The jobs whose results did not come out whole. */
function openJobs(slots: SlotResult[]): Job[] {
	const jobs = slots.flatMap((slot) => (slot.kind === 'failure' ? (slot.failure.jobs ?? []) : []));
	return [...new Set(jobs)];
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
	// Questions of an earlier try count too, so a retry gives the same advice; known answers take no call
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
 * The failure that fails the node, if one does, and its item.
 * @param refusal why the run was not made, if it was not
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

/** Whether a failed item has answers beside a failure that is its own. */
function hasPart(slot: SlotResult): boolean {
	const isFailed = slot.kind === 'failure' && slot.isPartlyAnswered === true;
	return isFailed && slot.failure.scope === 'question';
}

/**
 * Whether failures fail the node: with 'Stop the Node' any failure does, otherwise only when no item was answered. A local
 * answer counts only if the service works: a wrong key or a dead service must not pass for a list of malformed numbers.
 */
function failsTheNode(slots: SlotResult[], { onFailure }: Settings): boolean {
	if (!findFailure(slots)) return false;
	if (onFailure !== 'unknown') return onFailure === 'stop';
	if (slots.some((slot) => slot.kind === 'answer' || hasPart(slot))) return false;
	const isLoud = ({ cause, scope }: Failure) => cause !== 'refused' || scope === 'account';
	return findFailure(slots, isLoud) !== undefined || !slots.some(({ kind }) => kind === 'local');
}
