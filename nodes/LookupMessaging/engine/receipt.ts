import type { AnyOperation, Balance } from './operation';
import type { Settlement } from './perform';
import type { PlannedCall } from './plan';
import type { SettledItem } from './settle';

/** What a run did and what it cost. Counts, not items' contents. */
export interface Receipt {
	items: number;
	/** Calls to a paid endpoint that were answered, or whose reply was lost. */
	paidCalls: number;
	freeCalls: number;
	/** Items that shared the answer of an equal item. */
	duplicates: number;
	/** Items answered without asking the service. */
	local: number;
	/** Items without an answer. */
	failed: number;
	/** Paid calls whose reply was lost: they may have been charged. */
	lost: number;
	/** Credits debited by balance, where SPEC states the cost; calls made, where it does not. */
	credits: Map<Balance, { calls: number; spent?: number }>;
}

/** Draws up the receipt of a run. */
export function drawReceipt(
	operation: AnyOperation,
	items: SettledItem[],
	settlements: Map<PlannedCall, Settlement>,
): Receipt {
	const receipt: Receipt = {
		items: items.length,
		paidCalls: 0,
		freeCalls: 0,
		duplicates: items.filter((item) => item.kind === 'answer' && item.source === 'duplicate')
			.length,
		local: items.filter(({ kind }) => kind === 'local').length,
		failed: items.filter(({ kind }) => kind === 'failure').length,
		lost: 0,
		credits: new Map(),
	};
	for (const [call, settlement] of settlements) addCall(receipt, operation, call, settlement);
	return receipt;
}

function addCall(
	receipt: Receipt,
	operation: AnyOperation,
	call: PlannedCall,
	settlement: Settlement,
) {
	const isLost = settlement.kind === 'failure' && settlement.failure.cause === 'lost';
	if (settlement.kind === 'failure' && !isLost) return;
	if (!operation.credits) {
		receipt.freeCalls += 1;
		return;
	}
	receipt.paidCalls += 1;
	if (isLost) receipt.lost += 1;

	const credits = operation.credits(call.question);
	const line = receipt.credits.get(credits.balance) ?? { calls: 0 };
	line.calls += 1;
	if ('charged' in credits) {
		const charged = settlement.kind === 'answer' ? credits.charged(settlement.body) : 0;
		line.spent = (line.spent ?? 0) + charged;
	}
	receipt.credits.set(credits.balance, line);
}

/** The receipt as one line, for the execution hint. */
export function describeReceipt(receipt: Receipt): string {
	const { items, paidCalls, freeCalls, duplicates, local, failed, lost, credits } = receipt;
	const parts = [
		count(items, 'item'),
		freeCalls > 0 ? count(freeCalls, 'free call') : count(paidCalls, 'paid call'),
		duplicates > 0 && `${count(duplicates, 'duplicate')} saved`,
		local > 0 && `${local} answered locally`,
		failed > 0 && `${failed} failed`,
		lost > 0 && `${count(lost, 'lost reply', 'lost replies')} that may have been charged`,
		...[...credits].map(
			([balance, { spent }]) => `credits spent: ${balance} ${spent ?? 'not stated'}`,
		),
		credits.size === 0 && 'no credits spent',
	];
	return parts.filter((part) => part !== false).join(' · ');
}

function count(number: number, one: string, many = `${one}s`): string {
	return `${number} ${number === 1 ? one : many}`;
}
