import type { GenericValue, IDataObject } from 'n8n-workflow';
import type { Failure } from './failure';
import type { Answer, LocalAnswer } from './operation';
import type { Settlement } from './perform';
import type { Plan, PlannedCall } from './plan';

/** What every item of the run comes to, once the calls are made. */
export type SettledItem = {
	/** See PlannedItem. */
	input: GenericValue;
} & (
	| { kind: 'answer'; answer: Answer; body: IDataObject; source: 'duplicate' | 'service' }
	| { kind: 'failure'; failure: Failure }
	| { kind: 'local'; local: LocalAnswer }
);

/** Hands the settlement of each call to the items that asked for it; the first of them is the one that paid. */
export function settleItems(
	{ items }: Plan,
	settlements: Map<PlannedCall, Settlement>,
): SettledItem[] {
	return items.map((planned, item) => {
		if (planned.kind !== 'call') return planned;
		const { input, call } = planned;
		const settlement = settlements.get(call);
		if (!settlement) throw new Error(`item ${item} was planned but not performed`);
		return settlement.kind === 'failure'
			? { input, ...settlement }
			: { input, ...settlement, source: call.firstItem === item ? 'service' : 'duplicate' };
	});
}
