import type { IDataObject } from 'n8n-workflow';
import type { Failure, Outcome } from '../results';
import { parameterFailure, takesKnownAnswers, type AnyOperation } from '../operation';
import { textOf } from './values';

/** How long known answers are used, by outcome: an option each, in days. */
export const LIFETIMES = {
	positive: {
		name: 'positiveLifetime',
		displayName: 'Lifetime of Positive Answers (Days)',
		days: 30,
	},
	negative: {
		name: 'negativeLifetime',
		displayName: 'Lifetime of Negative Answers (Days)',
		days: 30,
	},
	unknown: {
		name: 'unknownLifetime',
		displayName: 'Lifetime of Unknown Answers (Days)',
		days: 1,
	},
} satisfies Record<Outcome, object>;

/** In days. 0 means that no answer is used. */
export interface KnownAnswersSettings {
	lifetimes: Record<Outcome, number>;
}

/** Reads the settings of Known Answers, which is on. A problem fails every item before anything is sent. */
export function readKnownAnswers(
	operation: AnyOperation,
	options: IDataObject,
): { knownAnswers?: KnownAnswersSettings; problem?: Failure } {
	if (!takesKnownAnswers(operation)) return {};
	const lifetimes = { positive: NaN, negative: NaN, unknown: NaN };
	for (const outcome of ['positive', 'negative', 'unknown'] as const) {
		const { name, displayName, days } = LIFETIMES[outcome];
		const text = textOf(name in options ? options[name] : days).trim();
		lifetimes[outcome] = Number(text);
		if (/^\d+(?:\.\d+)?$/.test(text)) continue;
		const reason = `${displayName} isn't a number of days. Enter 0 to use no such answers`;
		return { knownAnswers: { lifetimes }, problem: parameterFailure(reason) };
	}
	return { knownAnswers: { lifetimes } };
}
