import type { Ledger } from '../billing/ledger';
import type { Findings, Taken } from '../billing/taken';
import type { History } from '../memory/history';
import type { SlotResult } from '../plan/plan';

/** What a run did and what it cost. Counts, not items' contents. */
export interface Receipt {
	items: number;
	/** Items that shared the answer of an equal item, or shared lookups where items ask other operations. */
	duplicates: number;
	/** Items whose answer was paid for earlier in this execution, or such lookups. */
	remembered: number;
	/** Items whose answer is of an earlier execution, or such lookups. */
	known: number;
	/** Items that there was nothing to ask about. */
	local: number;
	failed: number;
	/** Whether its counts of answers are those of lookups, of which an item may have several. */
	byLookups: boolean;
	ledger: Ledger;
	/** What the execution spent before this run. */
	earlier: Ledger;
	/** What all tries of this run have done. */
	history: History;
	/** What the balances say, with Check Balance before and after the run. */
	findings?: Findings;
}

/** @param byLookups whether the answers of its items come from lookups, which are counted then */
export function drawReceipt(
	slots: SlotResult[],
	ledger: Ledger,
	{ earlier, history, findings }: Pick<Receipt, 'earlier' | 'findings' | 'history'>,
	byLookups: boolean,
): Receipt {
	return {
		items: slots.length,
		duplicates: byLookups ? ledger.sharedLookups : countSource(slots, 'duplicate'),
		remembered: byLookups ? ledger.cachedLookups : countSource(slots, 'memory'),
		known: byLookups ? ledger.knownLookups : countSource(slots, 'known'),
		local: slots.filter(({ kind }) => kind === 'local').length,
		failed: slots.filter(({ kind }) => kind === 'failure').length,
		byLookups,
		ledger,
		earlier,
		history,
		findings,
	};
}

function countSource(slots: SlotResult[], source: 'duplicate' | 'known' | 'memory'): number {
	return slots.filter((slot) => slot.kind === 'answer' && slot.source === source).length;
}

/** The receipt as sentences without the last full stop, for errors and logs. */
export function describeReceipt(receipt: Receipt): string {
	return [describeCounts(receipt), ...describeDetails(receipt)].join('. ');
}

/** The receipt as one line: what became of the items, the calls, and what they were charged. */
export function describeCounts(receipt: Receipt): string {
	const { ledger, findings } = receipt;
	const { paidCalls, freeCalls } = ledger;
	const parts = [
		describeItems(receipt),
		(paidCalls > 0 || freeCalls === 0) && count(paidCalls, 'paid call'),
		freeCalls > 0 && count(freeCalls, 'free call'),
		...charges(ledger, findings?.tellsAll),
	];
	return parts.filter((part) => part !== false).join(' · ');
}

/** Items or lookups, as a sum: answered, saved, skipped, failed. A sum of one kind says nothing. */
function describeItems(receipt: Receipt): string {
	const { items, local, failed, ledger } = receipt;
	const lookups = lookupsOf(receipt);
	const saved = savedBy(receipt);
	const some = (number: number, what: string) => number > 0 && `${number} ${what}`;
	const others = lookups
		? [some(saved, 'saved'), some(ledger.failedLookups, 'failed')]
		: [some(saved, 'saved'), some(local, 'skipped'), some(failed, 'failed')];
	const answered = lookups ? ledger.answeredLookups : items - saved - local - failed;
	const sum = [some(answered, 'answered'), ...others].filter((part) => part !== false);
	const whole = `${count(items, 'item')}${lookups ? `, ${count(lookups, 'lookup')}` : ''}`;
	return others.some((part) => part !== false) ? `${whole}: ${sum.join(', ')}` : whole;
}

/** How many lookups the items took, where its counts are those of lookups. */
function lookupsOf(receipt: Receipt): number {
	const { answeredLookups, failedLookups } = receipt.ledger;
	return receipt.byLookups ? answeredLookups + savedBy(receipt) + failedLookups : 0;
}

/** Answers that took no call, because they were there already or nobody needed them. */
function savedBy({ duplicates, remembered, known, ledger }: Receipt): number {
	return duplicates + remembered + known + ledger.notNeeded.count;
}

/** What the counts come from, as sentences without their full stop. */
export function describeDetails(receipt: Receipt): string[] {
	const { ledger, findings } = receipt;
	const { retries } = ledger;
	const details = [
		describeSaved(receipt),
		describeOthers(receipt),
		retries > 0 && count(retries, 'retry', 'retries'),
		describeOpenCalls(ledger, findings?.tellsAll),
		...(findings ? describeFindings(findings) : []),
	];
	return details.filter((sentence) => sentence !== false && sentence !== '') as string[];
}

function describeSaved({ duplicates, remembered, known, ledger }: Receipt): string | false {
	const { count: notNeeded } = ledger.notNeeded;
	const kinds = [
		duplicates > 0 && count(duplicates, 'duplicate'),
		remembered > 0 && count(remembered, 'remembered answer'),
		known > 0 && count(known, 'known answer'),
		notNeeded > 0 && `${count(notNeeded, 'lookup')} not needed`,
	].filter((kind) => kind !== false);
	return kinds.length > 0 && `Saved: ${kinds.join(', ')}`;
}

/** What the sum leaves out: items where it is of lookups, and lookups where it is of items. */
function describeOthers(receipt: Receipt): string {
	const { byLookups, local, failed, ledger } = receipt;
	const isOfLookups = lookupsOf(receipt) > 0;
	const others = [
		isOfLookups && local > 0 && `${count(local, 'item')} skipped`,
		isOfLookups && failed > 0 && `${count(failed, 'item')} failed`,
		!byLookups && ledger.failedLookups > 0 && `${count(ledger.failedLookups, 'lookup')} failed`,
	];
	return others.filter((part) => part !== false).join(', ');
}

/** What the execution spent before this run, as a sentence without its full stop; empty where it spent nothing. */
export function describeEarlier(earlier: Ledger): string {
	const { storedLookups, paidCalls, refused } = earlier;
	const before = `${count(storedLookups, 'paid lookup')} before n8n stored the execution (nothing else is known about them)`;
	const isOpen = describeOpenCalls(earlier);
	const parts = [
		storedLookups > 0 && before,
		...(paidCalls + refused > 0
			? [count(paidCalls, 'paid call'), ...pricesOf(earlier), isOpen]
			: []),
	].filter((part) => part !== false);
	return parts.length === 0 ? '' : `Earlier in this execution: ${parts.join(' · ')}`;
}

/** @param isOpenKnown whether it is known what the calls were charged that may have been charged */
function charges(ledger: Ledger, isOpenKnown = false): Array<string | false> {
	const { refused, lost, faults, credits } = ledger;
	const open = isOpenKnown ? 0 : refused + lost + faults;
	return [
		...pricesOf(ledger),
		open > 0 && `${count(open, 'call')} may have been charged`,
		credits.size === 0 && refused === 0 && 'nothing charged',
	];
}

function pricesOf({ credits }: Ledger): Array<string | false> {
	const stated = [...credits].filter(([, sum]) => sum !== undefined);
	const unstated = [...credits.keys()].filter((balance) => credits.get(balance) === undefined);
	return [
		stated.length > 0 && `charged: ${stated.map((pair) => pair.join(' ')).join(', ')}`,
		unstated.length > 0 && `price not stated: ${unstated.join(', ')}`,
	];
}

/** The calls that may have been charged, by what happened to them, with the credits that they can have cost. */
function describeOpenCalls(ledger: Ledger, isKnown = false): string | false {
	const { refused, refusedCredits, lost, lostCredits, faults, faultCredits } = ledger;
	/** Says the credits where they can be more than one each. */
	const open = (calls: number, most: number, one: string, many?: string) =>
		calls > 0 && `${count(calls, one, many)}${most > calls ? ` (up to ${most} credits)` : ''}`;
	const kinds = [
		open(refused, refusedCredits, 'refused call'),
		open(lost, lostCredits, 'lost reply', 'lost replies'),
		open(faults, faultCredits, 'fault of this node', 'faults of this node'),
	].filter((kind) => kind !== false);
	return kinds.length > 0 && `${kinds.join(', ')}${isKnown ? '' : ' may have been charged'}`;
}

/** What the balances before and after the run prove. */
function describeFindings({ taken, unread }: Findings): string[] {
	if (unread !== undefined) return ["The balances weren't read after the run"];
	const sums = taken.length === 0 ? 'nothing' : taken.map(describeTaken).join(', ');
	return [`Taken from the balances: ${sums}`, ...taken.flatMap(describeOpen)];
}

function describeTaken({ balance, credits, calls, each }: Taken): string {
	if (credits === undefined) return `${balance} unclear (others used the account meanwhile)`;
	if (calls === undefined) return `${balance} ${credits}`;
	const price = each === undefined ? '' : ` (${each} each)`;
	return `${balance} ${credits} for ${count(calls, 'call')}${price}`;
}

function describeOpen({ balance, open }: Taken): string[] {
	if (!open) return [];
	const { calls, most, charged, isFinal } = open;
	const what =
		most > calls
			? `Of up to ${count(most, `${balance} credit`)} that may have been charged`
			: `Of ${count(calls, `${balance} call`)} that may have been charged`;
	const were = charged === 0 ? 'none was' : charged === 1 ? '1 was' : `${charged} were`;
	return [`${what}, ${were}${isFinal ? '' : ' so far'}`];
}

export function count(number: number, one: string, many = `${one}s`): string {
	return `${number} ${number === 1 ? one : many}`;
}
