import type { INodeProperties } from 'n8n-workflow';
import type { Answer, AnswerRecord } from '../../engine/results';
import {
	withinMostRows,
	type LocalAnswer,
	type OutputField,
	type Params,
	type RunCounts,
} from '../../engine/operation';
import { quote, textOf } from '../../engine/plan/values';

/** How many results are returned, and in which form. Applied here, since the service has no such parameters (SPEC §4.1). */

/** The part of a question that is never sent. */
export interface Shown {
	splits: boolean;
	/** Maximum number of results; Infinity for all. */
	most: number;
}

/** Shapes of an answer with results (OutputField.shape). */
export const ONE_RESULT = 'result';
const ALL_RESULTS = 'results';

const limitField: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
};

/** 'Split Into Items', 'Return All' and 'Limit'. */
export const shownFields: INodeProperties[] = [
	{
		displayName: 'Split Into Items',
		name: 'splitIntoItems',
		type: 'boolean',
		default: true,
		description: 'Whether to return one item per result instead of one item with a list',
	},
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	limitField,
];

/** Fewer for a model, which pays for every word. */
export const SHOWN_TO_MODELS = { splitIntoItems: false, limit: 10 };

export const ALL_RESULTS_FIELDS: OutputField[] = [
	{
		name: 'count',
		type: 'number',
		description: 'How many results the service found, whatever the Limit',
		example: 2,
		simplified: true,
		shape: ALL_RESULTS,
	},
	{
		name: 'results',
		type: 'array',
		description: 'The results, each with the same fields as with Split Into Items',
		example: [{ text: 'Example' }],
		simplified: true,
		shape: ALL_RESULTS,
	},
];

export function readShown({ splitIntoItems, returnAll, limit }: Params): LocalAnswer | Shown {
	const splits = splitIntoItems !== false;
	if (returnAll === true) return { splits, most: Infinity };
	const most = Number(textOf(limit ?? limitField.default));
	if (Number.isInteger(most) && most >= 1) return { splits, most };
	return {
		local: 'parameter',
		field: limitField.displayName,
		reason: `(${quote(textOf(limit))}) isn't a whole number of 1 or more`,
	};
}

/** The first results, split or listed. */
export function showResults(answer: Answer, { splits, most }: Shown): Answer {
	const shown = withMost(answer, most);
	if (splits || shown.isAsItCame) return { ...shown, shape: ONE_RESULT };
	const results = recordsOf(shown);
	return {
		...shown,
		shape: ALL_RESULTS,
		rows: undefined,
		record: { ...answer.record, results },
	};
}

/** The answer with the first rows, and the number that Limit hides; unchanged if there are still too many. */
export function withMost(answer: Answer, most: number): Answer {
	const found = answer.rows?.length ?? 0;
	const leftOut = Math.max(0, found - most);
	return withinMostRows({ ...answer, leftOut, rows: answer.rows?.first(most) });
}

export function recordsOf({ rows }: Answer): AnswerRecord[] {
	return Array.from(rows ?? [], ({ record }) => record);
}

/** A reply costs the same, however much of it is shown. */
export function adviseOnLimit({ leftOut }: RunCounts): string | undefined {
	if (leftOut === 0) return undefined;
	const more = leftOut === 1 ? '1 more result is' : `${leftOut} more results are`;
	return `${more} hidden by Limit. To get them, raise Limit and pay once more.`;
}
