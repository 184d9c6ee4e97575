import type { INodeProperties } from 'n8n-workflow';
import { takesKnownAnswers, type AnyOperation } from '../engine/operation';
import { LIFETIMES } from '../engine/plan/lifetimes';
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
	];
}

const ENDING = 'Decimals are fine. 0 means that none is used.';
const DESCRIPTIONS = {
	positive: `How old a known answer may be when it is positive. ${ENDING}`,
	negative: `How old a known answer may be when it is negative. ${ENDING}`,
	unknown: `How old a known answer may be when it is unknown. ${ENDING}`,
};

/** In the Options collection. */
export function lifetimeOptions(operation: AnyOperation): INodeProperties[] {
	if (!takesKnownAnswers(operation)) return [];
	return (['negative', 'positive', 'unknown'] as const).map((outcome) => {
		const { name, displayName, days } = LIFETIMES[outcome];
		return {
			displayName,
			name,
			type: 'number',
			typeOptions: { minValue: 0 },
			default: days,
			description: DESCRIPTIONS[outcome],
			displayOptions: { show: { '/knownAnswers': [true] }, hide: TOOL },
		};
	});
}
