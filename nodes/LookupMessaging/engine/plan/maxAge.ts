import type { GenericValue } from 'n8n-workflow';
import { parameterFailure, takesKnownAnswers, type AnyOperation } from '../operation';
import type { Failure } from '../results';
import { textOf } from './values';

/** How old a known answer may be, in days. */
export const MAX_AGE = { name: 'maxAgeDays', displayName: 'Max Age (Days)', days: 30 };

/** With Known Answers on. */
export interface KnownAnswersSettings {
	/** In days. With 0, no answer is used. */
	maxAgeDays: number;
}

/** Reads the settings of Known Answers, which is on. A problem fails every item before anything is sent. */
export function readKnownAnswers(
	operation: AnyOperation,
	maxAge: GenericValue,
): { knownAnswers?: KnownAnswersSettings; problem?: Failure } {
	if (!takesKnownAnswers(operation)) return {};
	const text = textOf(maxAge).trim();
	const knownAnswers = { maxAgeDays: Number(text) };
	if (/^\d+(?:\.\d+)?$/.test(text)) return { knownAnswers };
	const reason = `${MAX_AGE.displayName} isn't a number of days. Enter 0 to use no known answers`;
	return { knownAnswers, problem: parameterFailure(reason) };
}
