import { BALANCE_NAMES, nameOfCalls, type AccountTotals, type Ledger } from '../billing/ledger';
import type { Account } from '../client';
import type { Proof } from '../feature';
import type { History } from '../memory/answerStore';
import { isPricedByLookups, type AnyOperation } from '../operation';
import type { SlotResult } from '../plan/plan';
import { inShort } from '../plan/values';
import type { Failure } from '../results';

/** What a run did and what it cost, as sentences without their full stop: first the cost, then the work, then what is unknown. */

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
	const { steps, notNeeded } = ledger;
	const lookups = operation &&
		isPricedByLookups(operation) && { ...steps, notNeeded: notNeeded.count, local: 0 };
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
export function describeMoney({ ledger }: Receipt): string[] {
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
export function describeWork(receipt: Receipt): string[] {
	const { items, slots, lookups, noun } = receipt;
	const counts = lookups ?? slots;
	const total = totalOf(counts);
	const skipped = lookups && slots.local > 0 ? [`${count(slots.local, noun)} skipped`] : [];
	if (total === 0 || (items === 1 && counts.done === total)) return skipped;
	const values = items === total ? '' : `${count(total, lookups ? 'lookup' : 'value')} for `;
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
export function describeRest({ ledger, proof, ...others }: Receipt): string[] {
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
export function describeEarlier(earlier: Ledger): string[] {
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

export function count(number: number, one: string, many = `${one}s`): string {
	return `${number} ${number === 1 ? one : many}`;
}
