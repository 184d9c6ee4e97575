import type { NodeExecutionHint } from 'n8n-workflow';
import { BALANCE_NAMES, nameOfCalls, type AccountTotals, type Ledger } from '../billing/ledger';
import type { Account } from '../client';
import type { Proof } from '../feature';
import { type History, isAwaited } from '../memory/answerStore';
import { MAX_REMEMBERED } from '../memory/boundedCache';
import { type AnyOperation, hasDeeds, isKnown, isPricedByLookups } from '../operation';
import type { Plan, SlotResult } from '../plan/plan';
import { count, ended, escapeHtml, inShort } from '../plan/values';
import type { Failure, Job } from '../results';
import { describeJobs } from './errors';

/**
 * The report of a run: what it did and what it cost, as sentences without their full stop. First comes the cost, then the work, then
 * what is unknown. It goes into the hints of the run, the error that ends it, or the log.
 */

/** Counts of a run, not the contents of its items. */
export interface Receipt {
	items: number;
	slots: Counts;
	/** The number of lookups, by result, if an item has several; and the word for such an item. */
	lookups?: Counts;
	noun: string;
	/** How many of the failed ones may have been charged. */
	open: number;
	first?: FirstFailure;
	ledger: Ledger;
	/** What the execution spent before this run. */
	earlier: Ledger;
	/** What all tries of this run have done. */
	history: History;
	/** What is known about the calls that may have been charged. */
	proof?: Proof;
}

/** The first failure and its place: an item, or a lookup that is paid from an account. */
interface FirstFailure {
	failure: Failure;
	item?: number;
	account?: Account;
}

/** The words for the result of a value or lookup, in the order of the sentence. */
const WORDS = {
	done: 'done',
	duplicate: 'duplicate',
	memory: 'reused from this execution',
	stored: 'from Stored Results',
	notNeeded: 'not needed',
	local: 'skipped',
	notReached: 'not reached',
	failed: 'failed',
};

export type Counts = Record<keyof typeof WORDS, number>;

const NONE: Counts = {
	...{ done: 0, duplicate: 0, memory: 0, stored: 0 },
	...{ notNeeded: 0, local: 0, notReached: 0, failed: 0 },
};

/** @param operation whose lookups are counted, if an item has several */
export function drawReceipt(
	results: SlotResult[],
	ledger: Ledger,
	tries: Pick<Receipt, 'earlier' | 'history' | 'proof'>,
	operation?: AnyOperation,
): Receipt {
	const slots = { ...NONE };
	for (const slot of results) slots[workOn(slot)] += 1;
	const items = new Set(results.map(({ item }) => item)).size;
	const all = { items, slots, noun: operation?.resource ?? 'item', ledger, ...tries };
	const failures = results.filter((slot) => slot.kind === 'failure');
	const [own = failures[0]] = failures.filter((slot) => workOn(slot) === 'failed');
	const first = own && { failure: own.failure, item: own.item };
	const lookups = operation &&
		isPricedByLookups(operation) && { ...ledger.steps, notNeeded: ledger.notNeeded, local: 0 };
	if (lookups && totalOf(lookups) > 0) {
		const { openLookups, firstFailedLookup } = ledger;
		return { ...all, lookups, open: openLookups, first: firstFailedLookup ?? first };
	}
	return { ...all, open: failures.filter(({ failure }) => failure.mayHaveCost).length, first };
}

function workOn(slot: SlotResult): keyof Counts {
	if (slot.kind === 'local') return 'local';
	if (slot.kind === 'answer') return slot.source === 'service' ? 'done' : slot.source;
	// The job of a call that was not sent has been paid for
	const { cause, jobs } = slot.failure;
	return cause === 'notSent' && !jobs?.length ? 'notReached' : 'failed';
}

/** The receipt for errors and logs. The message of an error has the failure itself. */
export function describeReceipt(receipt: Receipt): string {
	const work = describeWork({ ...receipt, first: undefined });
	return [...describeMoney(receipt), ...work, ...describeRest(receipt)].join('. ');
}

/** What was charged: credits where the service states a price, otherwise calls. */
function describeMoney({ ledger }: Receipt): string[] {
	const charges = chargesOf(ledger);
	return charges.length > 0 || ledger.sum('open') > 0 ? charges : ['Nothing charged'];
}

function chargesOf(ledger: Ledger): string[] {
	const list = (label: string, kind: keyof AccountTotals, one: string, nameOf = nameOfCalls) => {
		const totals = totalsIn(ledger, kind);
		const parts = totals.map(([account, { [kind]: sum }]) => `${sum} ${nameOf(account)}`);
		// The noun belongs to the number that is nearest
		const plural = totals.at(-1)?.[1][kind] === 1 ? '' : 's';
		return parts.length === 0 ? [] : [`${label}: ${parts.join(', ')} ${one}${plural}`];
	};
	return [
		...list('Charged', 'credits', 'credit', (account) => BALANCE_NAMES[account]),
		...list('No price given', 'unpriced', 'call'),
		...list('Free', 'free', 'call'),
	];
}

function totalsIn({ accounts }: Ledger, kind: keyof AccountTotals) {
	const ordered = Object.keys(BALANCE_NAMES) as Account[];
	return ordered.flatMap((account): Array<[Account, AccountTotals]> => {
		const totals = accounts.get(account);
		return totals && totals[kind] > 0 ? [[account, totals]] : [];
	});
}

/** What was done. Empty for one item that was done, since the cost says it. */
function describeWork(receipt: Receipt): string[] {
	const { items, slots, lookups, noun } = receipt;
	const counts = lookups ?? slots;
	const total = totalOf(counts);
	const skipped = lookups && slots.local > 0 ? [`${count(slots.local, noun)} skipped`] : [];
	if (total === 0 || (items === 1 && counts.done === total)) return skipped;
	const values =
		items === total && !lookups ? '' : `${count(total, lookups ? 'lookup' : 'value')} for `;
	const kinds = (Object.keys(WORDS) as Array<keyof Counts>).filter((kind) => counts[kind] > 0);
	const parts = kinds.map((kind) => {
		const number = kinds.length > 1 ? `${counts[kind]} ` : total > 1 ? 'all ' : '';
		return `${number}${wordsFor(kind, counts[kind], receipt)}`;
	});
	return [`${values}${count(items, lookups ? noun : 'item')}: ${parts.join(', ')}`, ...skipped];
}

function wordsFor(kind: keyof Counts, number: number, receipt: Receipt): string {
	const { lookups, slots, first, items } = receipt;
	const words = kind === 'done' && lookups ? 'made' : WORDS[kind];
	if (kind === 'duplicate') return number === 1 ? words : `${words}s`;
	const isLast = kind === 'failed' || (kind === 'notReached' && (lookups ?? slots).failed === 0);
	const open = kind === 'failed' && areOpen(receipt) ? ' and may have been charged' : '';
	return `${words}${open}${isLast && first ? describeFirst(first, items, number) : ''}`;
}

/** Whether the failed ones are the calls that may have been charged, so that one sentence covers both. */
function areOpen({ open, slots, lookups, ledger, proof }: Receipt): boolean {
	const { failed } = lookups ?? slots;
	const isOneEach = open === failed && open === ledger.sum('open');
	return isOneEach && ledger.sum('openCredits') <= open && !proof;
}

const REFUSED = /^the service refused the request: /;
/** Maximum number of characters of a failure on the receipt. The item has the whole text, with the remedy and the cost. */
const MAX_CHARACTERS = 200;

function describeFirst({ failure, item, account }: FirstFailure, items: number, number: number) {
	const place = account ? BALANCE_NAMES[account] : items > 1 ? `item ${item}` : '';
	const words = inShort(failure.reason.replace(REFUSED, ''), MAX_CHARACTERS).replace(/[.\s]+$/, '');
	// Words such as "WhatsApp lookup failed" name the lookup themselves
	const where = place === '' || words.startsWith(place) ? '' : `${place}: `;
	return ` (${number > 1 ? 'such as ' : ''}${where}${words})`;
}

/** What may have been charged, what is known about it, and what was sent again. */
function describeRest({ ledger, proof, ...others }: Receipt): string[] {
	const { retries } = ledger;
	const isSaid = areOpen({ ...others, ledger, proof });
	return [
		...(isSaid ? [] : openCalls(ledger, proof?.judged)),
		...(proof?.sentences ?? []),
		...(retries > 0 ? [`${count(retries, 'call was', 'calls were')} repeated at no cost`] : []),
	];
}

/** @param except accounts whose balances say what was charged */
function openCalls(ledger: Ledger, except: ReadonlySet<Account> = new Set()): string[] {
	const parts = totalsIn(ledger, 'open').flatMap(([account, { open, openCredits }]) => {
		const most = openCredits > open ? ` (up to ${openCredits} credits)` : '';
		return except.has(account) ? [] : [`${count(open, `${nameOfCalls(account)} call`)}${most}`];
	});
	return parts.length > 0 ? [`May have been charged: ${parts.join(', ')}`] : [];
}

/** What the execution spent before this run; empty if it spent nothing. */
function describeEarlier(earlier: Ledger): string[] {
	const { lookupsBeforeWait } = earlier;
	const before = `${count(lookupsBeforeWait, 'paid lookup')} before the Wait (results no longer available)`;
	const parts = [
		...(lookupsBeforeWait > 0 ? [before] : []),
		...[...chargesOf(earlier), ...openCalls(earlier)].map(
			(part) => part[0].toLowerCase() + part.slice(1),
		),
	];
	return parts.length === 0 ? [] : [`Earlier in this execution: ${parts.join('; ')}`];
}

function totalOf(counts: Counts): number {
	return Object.values(counts).reduce((sum, number) => sum + number, 0);
}

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
	const jobs = history.jobs.size > 0 && describeJobs([...history.jobs.values()]);
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
	for (const job of jobs) history.jobs.set(job.id, job);
	for (const [index, slot] of hasDeeds(operation) ? slots.entries() : []) {
		const planned = plan.slots[index];
		// A free call, such as a poll by a tool, only reads
		if (planned.kind !== 'asked' || !operation.credits?.(planned.question)) continue;
		const isDone = slot.kind === 'answer' && slot.answer.outcome === 'positive';
		if (isDone) history.done.add(slot.item);
		if (mayHaveHappened(slot)) history.open.add(slot.item);
	}
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
