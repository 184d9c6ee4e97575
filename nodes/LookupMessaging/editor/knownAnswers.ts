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
				'Whether a second input takes rows of earlier answers, from any table, so that nothing is paid for twice. The output New Answers gives the rows to store.',
			displayOptions: { hide: TOOL },
		},
	];
}

const ENDING = 'Decimals are fine; 0 means that none is used.';
const DESCRIPTIONS = {
	positive: `How old a positive answer among Known Answers may be. ${ENDING}`,
	negative: `How old a negative answer among Known Answers may be. ${ENDING}`,
	unknown: `How old an unknown answer among Known Answers may be. ${ENDING}`,
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
