import type { INodeExecutionData } from 'n8n-workflow';
import { resultsOf } from '../LookupMessaging/engine/output/items';
import type { SlotResult } from '../LookupMessaging/engine/plan/plan';
import type { CheckResult } from './jobChecks';
import type { TriggerSettings } from './settings';

/** A job's items are exactly those of the action node's Get, so the same nodes can process both. */

export type EmittedItems = INodeExecutionData[];

/**
 * The items of a job; undefined for one that is not to be emitted (yet).
 * @param asItIs whether a job that isn't finished is emitted too
 */
export function itemsOf(
	{ kind, output, includesFailed }: TriggerSettings,
	id: string,
	result: CheckResult,
	asItIs = false,
): EmittedItems | undefined {
	if (result.kind === 'problem') return undefined;
	const { operation, idField } = kind;
	if (result.kind === 'unknown') {
		if (!includesFailed) return undefined;
		const slot: SlotResult = { item: 0, input: id, kind: 'failure', failure: result.failure };
		return resultsOf(operation, slot, output).map((json) => ({
			// An unanswered check has no ID
			json: idField in json ? { ...json, [idField]: id } : json,
		}));
	}
	const { state, answer } = result.status;
	if (state === 'running' && !asItIs) return undefined;
	if (state === 'failed' && !includesFailed) return undefined;
	const response = answer.response ?? {};
	const slot: SlotResult = {
		item: 0,
		input: id,
		kind: 'answer',
		answer,
		response,
		source: 'service',
	};
	return resultsOf(operation, slot, output).map((json) => ({ json }));
}
