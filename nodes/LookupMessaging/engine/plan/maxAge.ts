import type { GenericValue } from 'n8n-workflow';
import { parameterFailure, takesStoredResults, type AnyOperation } from '../operation';
import type { Failure } from '../results';
import { textOf } from './values';

/** How old a stored result may be, in days. */
export const MAX_AGE = { name: 'maxAgeDays', displayName: 'Max Age (Days)' };
export const DEFAULT_MAX_AGE_DAYS = 30;

/** With Stored Results on. */
export interface StoredResultsSettings {
	/** In days. With 0, no answer is used. */
	maxAgeDays: number;
}

/** Reads the settings of Stored Results, which is on. A problem fails every item before anything is sent. */
export function readStoredResults(
	operation: AnyOperation,
	maxAge: GenericValue,
): { storedResults?: StoredResultsSettings; problem?: Failure } {
	if (!takesStoredResults(operation)) return {};
	const text = textOf(maxAge).trim();
	const storedResults = { maxAgeDays: Number(text) };
	if (/^\d+(?:\.\d+)?$/.test(text)) return { storedResults };
	const reason = `${MAX_AGE.displayName} isn't a number of days. Enter 0 to use no stored results`;
	return { storedResults, problem: parameterFailure(reason) };
}
