import type { INodeProperties } from 'n8n-workflow';
import { takesKnownAnswers, type AnyOperation } from '../engine/operation';
import { MAX_AGE } from '../engine/plan/maxAge';
import { TOOL } from './toolVariant';

/** The parameters of Known Answers. A tool has neither a second input nor a second output. */

export function knownAnswersProperties(operation: AnyOperation): INodeProperties[] {
	if (!takesKnownAnswers(operation)) return [];
	return [
		{
			displayName: 'Known Answers',
			name: 'knownAnswers',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description:
				"Whether to add an input for answers that you stored earlier, so that you don't pay for them again. The output New Answers returns the rows to store.",
			displayOptions: { hide: TOOL },
		},
		{
			displayName: MAX_AGE.displayName,
			name: MAX_AGE.name,
			type: 'number',
			typeOptions: { minValue: 0 },
			default: MAX_AGE.days,
			description:
				'How old a known answer may be. Decimals are fine. 0 means that none is used. Unknown answers are never used.',
			displayOptions: { show: { knownAnswers: [true] }, hide: TOOL },
		},
	];
}
