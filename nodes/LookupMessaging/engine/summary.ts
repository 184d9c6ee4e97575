import type { NodeExecutionHint } from 'n8n-workflow';
import { describeFailure, describeItemFailure, describeJobs } from './errors';
import type { AnyOperation } from './operation';
import { describeEarlier, describeReceipt, type Receipt } from './receipt';
import { findFailure, type SettledSlot } from './settle';
import type { Job } from './talk';

/** What is told of a run when it is over: in its hint, or in the error that ends it. */

/** What the run did until it failed, for the error; what cannot be done twice without harm is listed by item. */
export function soFar(operation: AnyOperation, receipt: Receipt, slots: SettledSlot[]): string {
	const text = describeReceipt(receipt);
	const reuse = 'Retry On Fail reuses what was paid for, a new execution does not';
	const known = [text, receipt.ledger.paidCalls > 0 && reuse, describeEarlier(receipt.earlier)];
	if (operation.repeatable || operation.free || operation.outcomes) return sentences(known);
	const done = slots.filter((slot) => slot.kind === 'answer' && slot.answer.outcome === 'positive');
	const open = slots.filter(mayBeDone);
	return sentences([...known, listItems('Done already', done), listItems('Perhaps done', open)]);
}

function sentences(parts: Array<string | false | undefined>): string {
	return parts.filter((part) => part).join('. ');
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

/** @param note what else the user should know, as a sentence */
export function receiptHint(
	receipt: Receipt,
	slots: SettledSlot[],
	note: string | undefined,
): NodeExecutionHint {
	const message = describeReceipt(receipt);
	const earlier = describeEarlier(receipt.earlier);
	const failure = findFailure(slots, () => true);
	const { firstUnanswered: lookup } = receipt.ledger;
	const more = [
		!failure &&
			lookup &&
			`First failed lookup (${lookup.action}): ${describeFailure(lookup.failure)}`,
		earlier && `${earlier}.`,
		note,
	].filter((part) => part);
	if (!failure) {
		const text = more.length > 0 ? `${message}. ${more.join(' ')}` : message;
		const type = lookup ? 'warning' : 'info';
		return { message: text, type, location: 'outputPane' };
	}
	const shown = failure[0].jobs ?? [];
	const others = openJobs(slots).filter((job) => !shown.includes(job));
	return {
		message: [
			`${message}. First failure: ${describeItemFailure(...failure)}`,
			...(others.length > 0 ? [`Also: ${describeJobs(others)}`] : []),
			...more,
		].join(' '),
		type: 'warning',
		location: 'outputPane',
	};
}

/**
 * That hosts were sent something without encryption, as a sentence without its full stop; nothing where none was.
 * @param fields names of the credential's fields that hold their addresses; of the addresses nothing is told
 */
export function warning(fields: string[]): string {
	if (fields.length === 0) return '';
	const begin = fields.length === 1 ? 'begins' : 'begin';
	return `The ${fields.join(', ')} of the credential ${begin} with http://, so whoever is in between can read the API key and what is asked. Use https:// instead`;
}

/** The same as a hint of its own: it holds for every run until it is mended. */
export function warningHints(fields: string[]): NodeExecutionHint[] {
	const message = warning(fields);
	return message === ''
		? []
		: [{ message: `${message}.`, type: 'warning', location: 'outputPane' }];
}

/** The jobs whose results did not come out whole. */
function openJobs(slots: SettledSlot[]): Job[] {
	return [
		...new Set(slots.flatMap((slot) => (slot.kind === 'failure' ? (slot.failure.jobs ?? []) : []))),
	];
}
