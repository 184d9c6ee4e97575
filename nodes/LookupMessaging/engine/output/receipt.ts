import type { Ledger } from '../billing/ledger';
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
	/** Items answered without asking the service. */
	local: number;
	failed: number;
	ledger: Ledger;
	/** What the execution spent before this run. */
	earlier: Ledger;
	/** What all tries of this run have done. */
	history: History;
}

/** @param byLookups whether the answers of its items come from lookups, which are counted then */
export function drawReceipt(
	slots: SlotResult[],
	ledger: Ledger,
	{ earlier, history }: Pick<Receipt, 'earlier' | 'history'>,
	byLookups: boolean,
): Receipt {
	return {
		items: slots.length,
		duplicates: byLookups ? ledger.sharedLookups : countSource(slots, 'duplicate'),
		remembered: byLookups ? ledger.cachedLookups : countSource(slots, 'memory'),
		known: byLookups ? ledger.knownLookups : countSource(slots, 'known'),
		local: slots.filter(({ kind }) => kind === 'local').length,
		failed: slots.filter(({ kind }) => kind === 'failure').length,
		ledger,
		earlier,
		history,
	};
}

function countSource(slots: SlotResult[], source: 'duplicate' | 'known' | 'memory'): number {
	return slots.filter((slot) => slot.kind === 'answer' && slot.source === source).length;
}

/** The receipt as one line, for the execution hint. */
export function describeReceipt(receipt: Receipt): string {
	const { items, duplicates, remembered, known, local, failed, ledger } = receipt;
	const { paidCalls, freeCalls, notNeeded, retries, failedLookups } = ledger;
	const parts = [
		count(items, 'item'),
		(paidCalls > 0 || freeCalls === 0) && count(paidCalls, 'paid call'),
		freeCalls > 0 && count(freeCalls, 'free call'),
		duplicates > 0 && `${count(duplicates, 'duplicate')} saved`,
		remembered > 0 && `${remembered} from memory`,
		known > 0 && `${known} known`,
		notNeeded.count > 0 && `${count(notNeeded.count, 'lookup')} not needed`,
		local > 0 && `${local} answered locally`,
		retries > 0 && count(retries, 'retry', 'retries'),
		failed > 0 && `${failed} failed`,
		failedLookups > 0 && `${count(failedLookups, 'lookup')} failed`,
		...spending(ledger),
	];
	return parts.filter((part) => part !== false).join(' · ');
}

/** What the execution spent before this run, as a sentence; empty where it spent nothing. */
export function describeEarlier(earlier: Ledger): string {
	const { storedLookups, paidCalls, refused } = earlier;
	const before = `${count(storedLookups, 'paid lookup')} before n8n stored it`;
	const parts = [
		storedLookups > 0 && `${before}, of which only the number is kept`,
		...(paidCalls + refused > 0 ? [count(paidCalls, 'paid call'), ...spending(earlier)] : []),
	].filter((part) => part !== false);
	return parts.length === 0 ? '' : `Earlier in this execution: ${parts.join(', ')}`;
}

function spending(ledger: Ledger): Array<string | false> {
	const { refused, refusedCredits, lost, lostCredits, faults, faultCredits, credits } = ledger;
	const spent = [...credits].map(([balance, sum]) => `${balance} ${sum ?? 'not stated'}`);
	return [
		refused > 0 && mayBeCharged(count(refused, 'refused call'), refused, refusedCredits),
		lost > 0 && mayBeCharged(count(lost, 'lost reply', 'lost replies'), lost, lostCredits),
		faults > 0 &&
			mayBeCharged(
				count(faults, 'fault of this node', 'faults of this node'),
				faults,
				faultCredits,
			),
		credits.size > 0 && `credits spent: ${spent.join(', ')}`,
		credits.size === 0 && refused === 0 && 'no credits spent',
	];
}

/** With the credits that the calls can have cost, where that is more than one each. */
function mayBeCharged(what: string, calls: number, atMost: number): string {
	return `${what} that may have been charged${atMost > calls ? ` (up to ${atMost} credits)` : ''}`;
}

export function count(number: number, one: string, many = `${one}s`): string {
	return `${number} ${number === 1 ? one : many}`;
}
