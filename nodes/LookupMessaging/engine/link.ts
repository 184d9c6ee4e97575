import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { describeFailure, describeItemFailure } from './errors';
import type { AnswerRecord, AnyOperation, LocalAnswer, Outcome } from './operation';
import type { Settings } from './settings';
import type { SettledItem } from './settle';

/** Where an item's answer came from. `failed`: there is none. */
type Source = 'duplicate' | 'failed' | 'local' | 'service';

/** The result of one item before it is shaped for output. */
interface Result {
	outcome: Outcome;
	source: Source;
	reason: string | null;
	record: AnswerRecord;
	/** The service's body, null where the service was not asked. */
	response: IDataObject | null;
}

/** What a local answer says of the thing asked about: only what is malformed is certainly not so. */
const LOCAL_OUTCOME: Record<LocalAnswer['local'], Outcome> = {
	malformed: 'negative',
	incomplete: 'unknown',
	reserved: 'unknown',
	parameter: 'unknown',
};

/**
 * One output item per input, in input order, linked to it.
 * Failed items become an unknown result, or an item with an `error`, as the settings say.
 */
export function linkResults(
	operation: AnyOperation,
	inputs: INodeExecutionData[],
	items: SettledItem[],
	settings: Settings,
): INodeExecutionData[] {
	return items.map((settled, item) => {
		const json =
			settled.kind === 'failure' && settings.onFailure === 'errorItem'
				? { error: describeItemFailure(settled.failure, item) }
				: place(shape(operation, settled, settings), inputs[item].json, settings);
		return { json, pairedItem: { item } };
	});
}

function resultOf(item: SettledItem): Result {
	switch (item.kind) {
		case 'answer': {
			const { outcome, record, reason = null } = item.answer;
			return { outcome, source: item.source, reason, record, response: item.body };
		}
		case 'local': {
			const { local, field, reason } = item.local;
			const outcome = LOCAL_OUTCOME[local];
			return { ...NO_RESPONSE, outcome, source: 'local', reason: `${field} ${reason}` };
		}
		case 'failure': {
			const reason = describeFailure(item.failure);
			return { ...NO_RESPONSE, outcome: 'unknown', source: 'failed', reason };
		}
	}
}

const NO_RESPONSE = { record: {}, response: null };

/** The result as the chosen output; every declared field is there, null where nothing is known. */
function shape(
	operation: AnyOperation,
	item: SettledItem,
	{ output, selectedFields }: Settings,
): IDataObject {
	const { record, response, ...verdict } = resultOf(item);
	const head: IDataObject = { ...(operation.subject && { input: item.input }), ...verdict };
	if (output === 'raw') return { ...head, response };

	const all: IDataObject = { ...head };
	for (const { name } of operation.output) all[name] = record[name] ?? null;
	const simplified = operation.output.filter((field) => field.simplified);
	const kept =
		output === 'selectedFields'
			? selectedFields
			: [...Object.keys(head), ...simplified.map(({ name }) => name)];
	return Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name)));
}

/** The result alone, or beside the input's fields. An input field `error` is renamed: n8n would take the item for failed. */
function place(result: IDataObject, input: IDataObject, { resultField }: Settings): IDataObject {
	if (resultField === undefined) return result;
	const { error, ...fields } = input;
	return { ...fields, ...(error !== undefined && { inputError: error }), [resultField]: result };
}
