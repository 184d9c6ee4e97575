import type { GenericValue, IDataObject } from 'n8n-workflow';
import type { Failure } from './failure';
import type { Answer, AnyOperation, LocalAnswer } from './operation';
import type { Settlement } from './perform';
import type { Ask, Plan, Slot } from './plan';
import type { Failed } from './talk';

/** The first failure of the slots that matches, and its item. */
export function findFailure(
	slots: Array<SettledSlot | Slot>,
	matches: (failure: Failure) => boolean,
): [failure: Failure, item: number] | undefined {
	for (const slot of slots) {
		if (slot.kind === 'failure' && matches(slot.failure)) return [slot.failure, slot.item];
	}
	return undefined;
}

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
			source: 'duplicate' | 'memory' | 'service';
	  }
	| ({ kind: 'failure' } & Failed)
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
		const { isRemembered, isShared, ...rest } = settlement;
		const paid = ask.firstSlot === index && !isShared ? 'service' : 'duplicate';
		const source = isRemembered ? 'memory' : paid;
		return { item, input, ...rest, answer: present(settlement.answer, question), source };
	});
}

/** The slots of a plan as far as their failures are known before anything is sent. */
export function foreseen({ slots, remembered }: Plan): Array<SettledSlot | Slot> {
	return slots.map((slot) => {
		const known = slot.kind === 'ask' ? remembered.get(slot.ask) : undefined;
		if (known?.kind !== 'failure') return slot;
		const { item, input } = slot;
		return { item, input, kind: 'failure', failure: known.failure };
	});
}
