import type { INodeProperties } from 'n8n-workflow';
import { type AnyOperation, takesStoredResults } from '../engine/operation';
import { DEFAULT_MAX_AGE_DAYS, MAX_AGE } from '../features/storedResults/index';
import { TOOL } from '../operations/shared/toolOnly';

/** The parameters of Stored Results. A tool has neither a second input nor a second output. */

export function storedResultsProperties(operation: AnyOperation): INodeProperties[] {
	if (!takesStoredResults(operation)) return [];
	return [
		{
			displayName: 'Stored Results',
			name: 'storedResults',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description:
				"Whether to take results from a table of yours, at a second input, so that you don't pay for them again. The output New Results returns the new rows to store.",
			displayOptions: { hide: TOOL },
		},
		{
			displayName: MAX_AGE.displayName,
			name: MAX_AGE.name,
			type: 'number',
			typeOptions: { minValue: 0 },
			default: DEFAULT_MAX_AGE_DAYS,
			description:
				'How old a stored result may be. Decimals are fine. 0 means that none is used. Unknown results are never used.',
			displayOptions: { show: { storedResults: [true] }, hide: TOOL },
		},
	];
}
