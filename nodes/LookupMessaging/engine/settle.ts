import type { GenericValue, IDataObject } from 'n8n-workflow';
import type { Failure } from './failure';
import type { Answer, AnyOperation, LocalAnswer } from './operation';
import type { Settlement } from './perform';
import type { Ask, Plan } from './plan';

/** What every slot of the run comes to, once the talks are over. */
export type SettledSlot = {
	/** See Slot. */
	item: number;
	input: GenericValue;
} & (
	| {
			kind: 'answer';
			answer: Answer;
			/** The reply body, or what the answer shows of it. */
			response: IDataObject;
			source: 'duplicate' | 'service';
	  }
	| { kind: 'failure'; failure: Failure }
	| { kind: 'local'; local: LocalAnswer }
);

/** Hands the settlement of each question to the slots that asked it; the first of them is the one that paid. */
export function settleSlots(
	{ slots }: Plan,
	settlements: Map<Ask, Settlement>,
	{ present = (answer) => answer }: AnyOperation,
): SettledSlot[] {
	return slots.map((slot, index) => {
		if (slot.kind !== 'ask') return slot;
		const { item, input, ask, question } = slot;
		const settlement = settlements.get(ask);
		if (!settlement) throw new Error(`item ${item} was planned but not performed`);
		if (settlement.kind === 'failure') return { item, input, ...settlement };
		const source = ask.firstSlot === index ? 'service' : 'duplicate';
		return { item, input, ...settlement, answer: present(settlement.answer, question), source };
	});
}
