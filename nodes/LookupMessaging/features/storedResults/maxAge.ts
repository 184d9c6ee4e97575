import type { GenericValue } from 'n8n-workflow';
import { parameterFailure } from '../../engine/operation';
import type { Failure } from '../../engine/results';
import { textOf } from '../../engine/plan/values';

/** How old a stored result may be, in days. An expression that gives nothing does not mean the default. */
export const MAX_AGE = { name: 'maxAgeDays', displayName: 'Max Age (Days)' };
export const DEFAULT_MAX_AGE_DAYS = 30;

/** Reads how old an answer may be, in days. A problem fails every item before anything is sent. */
export function readMaxAge(maxAge: GenericValue): { maxAgeDays: number; problem?: Failure } {
	const text = textOf(maxAge).trim();
	const maxAgeDays = Number(text);
	if (/^\d+(?:\.\d+)?$/.test(text)) return { maxAgeDays };
	const reason = `${MAX_AGE.displayName} isn't a number of days. Enter 0 to use no stored results`;
	return { maxAgeDays, problem: parameterFailure(reason) };
}
