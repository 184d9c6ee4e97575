import type { Ledger } from './ledger';
import type { SettledSlot } from './settle';

/** What a run did and what it cost. Counts, not items' contents. */
export interface Receipt {
	items: number;
	/** Items that shared the answer of an equal item; where items ask other operations, shared answers of those. */
	duplicates: number;
	/** Items whose answer was paid for earlier in this execution; or, as above, answers. */
	remembered: number;
	/** Items answered without asking the service. */
	local: number;
	/** Items without an answer. */
	failed: number;
	ledger: Ledger;
	/** What the execution spent before this run. */
	earlier: Ledger;
}

/**
 * Draws up the receipt of a run.
 * @param asksOthers whether the answers of its items come from other operations, and are counted each
 */
export function drawReceipt(
	slots: SettledSlot[],
	ledger: Ledger,
	earlier: Ledger,
	asksOthers = false,
): Receipt {
	return {
		items: slots.length,
		duplicates: asksOthers ? ledger.shared : countSource(slots, 'duplicate'),
		remembered: asksOthers ? ledger.recalled : countSource(slots, 'memory'),
		local: slots.filter(({ kind }) => kind === 'local').length,
		failed: slots.filter(({ kind }) => kind === 'failure').length,
		ledger,
		earlier,
	};
}

function countSource(slots: SettledSlot[], source: 'duplicate' | 'memory'): number {
	return slots.filter((slot) => slot.kind === 'answer' && slot.source === source).length;
}

/** The receipt as one line, for the execution hint. */
export function describeReceipt(receipt: Receipt): string {
	const { items, duplicates, remembered, local, failed, ledger } = receipt;
	const { paidCalls, freeCalls, retries, unanswered } = ledger;
	const parts = [
		count(items, 'item'),
		(paidCalls > 0 || freeCalls === 0) && count(paidCalls, 'paid call'),
		freeCalls > 0 && count(freeCalls, 'free call'),
		duplicates > 0 && `${count(duplicates, 'duplicate')} saved`,
		remembered > 0 && `${remembered} from memory`,
		local > 0 && `${local} answered locally`,
		retries > 0 && count(retries, 'retry', 'retries'),
		failed > 0 && `${failed} failed`,
		unanswered > 0 && `${count(unanswered, 'lookup')} failed`,
		...spending(ledger),
	];
	return parts.filter((part) => part !== false).join(' · ');
}

/** What the execution spent before this run, as a sentence; nothing where it spent nothing. */
export function describeEarlier(earlier: Ledger): string {
	if (earlier.paidCalls + earlier.refused === 0) return '';
	const parts = [count(earlier.paidCalls, 'paid call'), ...spending(earlier)];
	return `Earlier in this execution: ${parts.filter((part) => part !== false).join(', ')}`;
}

function spending(ledger: Ledger): Array<string | false> {
	const { refused, refusedCredits, lost, lostCredits, credits } = ledger;
	return [
		refused > 0 && mayBeCharged(count(refused, 'refused call'), refused, refusedCredits),
		lost > 0 && mayBeCharged(count(lost, 'lost reply', 'lost replies'), lost, lostCredits),
		credits.size > 0 && `credits spent: ${byBalance(credits)}`,
		credits.size === 0 && refused === 0 && 'no credits spent',
	];
}

function byBalance(credits: Ledger['credits']): string {
	return [...credits].map(([balance, spent]) => `${balance} ${spent ?? 'not stated'}`).join(', ');
}

/** How much they can have cost, where that is more than one credit each. */
function mayBeCharged(what: string, calls: number, atMost: number): string {
	return `${what} that may have been charged${atMost > calls ? ` (up to ${atMost} credits)` : ''}`;
}

function count(number: number, one: string, many = `${one}s`): string {
	return `${number} ${number === 1 ? one : many}`;
}
