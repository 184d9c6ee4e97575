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
	/** Items answered without asking the service. */
	local: number;
	failed: number;
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
		ledger,
		earlier,
		history,
		findings,
	};
}

function countSource(slots: SlotResult[], source: 'duplicate' | 'known' | 'memory'): number {
	return slots.filter((slot) => slot.kind === 'answer' && slot.source === source).length;
}

/** The receipt as one line, for the execution hint. */
export function describeReceipt(receipt: Receipt): string {
	const { items, duplicates, remembered, known, local, failed, ledger, findings } = receipt;
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
		...spending(ledger, findings?.tellsAll),
		...(findings ? describeFindings(findings) : []),
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

/** @param isOpenKnown whether it is known what the calls were charged that may have been charged */
function spending(ledger: Ledger, isOpenKnown = false): Array<string | false> {
	const { refused, refusedCredits, lost, lostCredits, faults, faultCredits, credits } = ledger;
	const spent = [...credits].map(([balance, sum]) => `${balance} ${sum ?? 'not stated'}`);
	const may = isOpenKnown ? '' : ' that may have been charged';
	/** With the credits that the calls can have cost, where that is more than one each. */
	const open = (calls: number, most: number, one: string, many?: string) =>
		calls > 0 &&
		`${count(calls, one, many)}${may}${most > calls ? ` (up to ${most} credits)` : ''}`;
	return [
		open(refused, refusedCredits, 'refused call'),
		open(lost, lostCredits, 'lost reply', 'lost replies'),
		open(faults, faultCredits, 'fault of this node', 'faults of this node'),
		credits.size > 0 && `credits spent: ${spent.join(', ')}`,
		credits.size === 0 && refused === 0 && 'no credits spent',
	];
}

/** What the balances before and after the run prove. */
function describeFindings({ taken, unread }: Findings): string[] {
	if (unread !== undefined) return ['balances not read after the run'];
	const sums =
		taken.length === 0 ? 'nothing that the balances show' : taken.map(describeTaken).join(', ');
	return [`taken: ${sums}`, ...taken.flatMap(describeOpen)];
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
			? `of up to ${count(most, `${balance} credit`)} that may have been charged`
			: `of ${count(calls, `${balance} call`)} that may have been charged`;
	const were = charged === 0 ? 'none was' : charged === 1 ? '1 was' : `${charged} were`;
	return [`${what}, ${were}${isFinal ? '' : ' so far'}`];
}

export function count(number: number, one: string, many = `${one}s`): string {
	return `${number} ${number === 1 ? one : many}`;
}
