import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { resultsOf } from '../LookupMessaging/engine/link';
import type { SettledSlot } from '../LookupMessaging/engine/settle';
import type { Fate } from './looks';
import type { TriggerSettings } from './settings';

/** What a job comes out as: exactly what the action node's Get gives, so that what follows need not tell them apart. */

export type Emission = INodeExecutionData[];

/** The items of a job; undefined for one that is not to be emitted (yet). */
export function emission(
	{ kind, output, firesOnFailure }: TriggerSettings,
	id: string,
	fate: Fate,
): Emission | undefined {
	if (fate.kind === 'problem') return undefined;
	const { operation, idField } = kind;
	if (fate.kind === 'unknown') {
		if (!firesOnFailure) return undefined;
		const slot: SettledSlot = { item: 0, input: id, kind: 'failure', failure: fate.failure };
		return resultsOf(operation, slot, output).map((json) => ({
			json: identified(json, idField, id),
		}));
	}
	const { state, answer } = fate.look;
	if (state === 'running' || (state === 'failed' && !firesOnFailure)) return undefined;
	const response = answer.response ?? {};
	const slot: SettledSlot = {
		item: 0,
		input: id,
		kind: 'answer',
		answer,
		response,
		source: 'service',
	};
	return resultsOf(operation, slot, output).map((json) => ({ json }));
}

/** The result with its ID, which an answer that never came does not have. */
function identified(json: IDataObject, idField: string, id: string): IDataObject {
	return idField in json ? { ...json, [idField]: id } : json;
}
