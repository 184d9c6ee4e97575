import type { Ledger } from './ledger';
import type { SettledSlot } from './settle';

/** What a run did and what it cost. Counts, not items' contents. */
export interface Receipt {
	items: number;
	/** Items that shared the answer of an equal item. */
	duplicates: number;
	/** Items answered without asking the service. */
	local: number;
	/** Items without an answer. */
	failed: number;
	ledger: Ledger;
}

/** Draws up the receipt of a run. */
export function drawReceipt(slots: SettledSlot[], ledger: Ledger): Receipt {
	return {
		items: slots.length,
		duplicates: slots.filter((slot) => slot.kind === 'answer' && slot.source === 'duplicate')
			.length,
		local: slots.filter(({ kind }) => kind === 'local').length,
		failed: slots.filter(({ kind }) => kind === 'failure').length,
		ledger,
	};
}

/** The receipt as one line, for the execution hint. */
export function describeReceipt({ items, duplicates, local, failed, ledger }: Receipt): string {
	const { paidCalls, freeCalls, refused, lost, credits } = ledger;
	const parts = [
		count(items, 'item'),
		(paidCalls > 0 || freeCalls === 0) && count(paidCalls, 'paid call'),
		freeCalls > 0 && count(freeCalls, 'free call'),
		duplicates > 0 && `${count(duplicates, 'duplicate')} saved`,
		local > 0 && `${local} answered locally`,
		failed > 0 && `${failed} failed`,
		refused > 0 && `${count(refused, 'refused call')} that may have been charged`,
		lost > 0 &&
			`${count(lost, 'lost reply', 'lost replies')} that may have been charged${upTo(ledger)}`,
		...[...credits].map(([balance, spent]) => `credits spent: ${balance} ${spent ?? 'not stated'}`),
		credits.size === 0 && refused === 0 && 'no credits spent',
	];
	return parts.filter((part) => part !== false).join(' · ');
}

/** How much lost replies can have cost, where that is more than one credit each. */
function upTo({ lost, lostCredits }: Ledger): string {
	return lostCredits > lost ? ` (up to ${lostCredits} credits)` : '';
}

function count(number: number, one: string, many = `${one}s`): string {
	return `${number} ${number === 1 ? one : many}`;
}
