import type { Answered, LookupResult } from '../engine/results';
import { inMinutes } from '../engine/plan/values';
import type { Ask, AskedQuestions, FeatureOpener, QuestionRun } from '../engine/feature';

/**
 * Recheck Inconclusive Emails. Some mail servers reject a check from an unknown sender at first, and accept it some minutes later
 * (greylisting).
 */
const PAUSES_MS = [60_000, 240_000];
/** Maximum addition to a pause, as a part of it: questions that were asked together are not asked again together. */
const JITTER = 0.1;
/** After a shorter pause, the answer would be the same. */
const SHORTEST_PAUSE_MS = 10_000;

/** Maximum number of checks of one question. @param maxWaitMs longest time from its first answer to its last check */
export function mostChecks(maxWaitMs: number): number {
	let left = maxWaitMs;
	for (let checks = 1; ; checks += 1) {
		const pauseMs = pauseAfter(checks, left, 0);
		if (pauseMs === undefined) return checks;
		left -= pauseMs;
	}
}

/** The pause after that many checks; undefined if there is no further one. @param leftMs what is left of Max Wait */
export function pauseAfter(checks: number, leftMs: number, random: number): number | undefined {
	const pauseMs: number | undefined = PAUSES_MS[checks - 1];
	if (pauseMs === undefined || leftMs < SHORTEST_PAUSE_MS) return undefined;
	return Math.min(pauseMs * (1 + JITTER * random), leftMs);
}

export const recheckInconclusive: FeatureOpener = () => ({
	mostTries: mostChecks,
	aroundQuestion: (run) => ({ ask: async (asked, next) => await askAgain(run, asked, next) }),
});

/** Asks one question until its answer is conclusive, or no further check may be made. */
async function askAgain(run: QuestionRun, asked: AskedQuestions, next: Ask) {
	const { clock, settings } = run;
	let firstAnswerAt: number | undefined;
	for (let checks = 1; ; checks += 1) {
		const results = await next(asked);
		const now = clock.now();
		firstAnswerAt ??= now;
		const [result] = results;
		const isStored = 'source' in result && result.source === 'stored';
		if (checks > 1 && !isStored) run.ledger.retries += 1;
		if (results.length > 1 || !isInconclusive(result)) return results;
		const left = firstAnswerAt + settings.maxQueueWaitMs - now;
		const pauseMs = pauseAfter(checks, left, clock.random());
		const isWanted = pauseMs !== undefined && !isOver(run, asked);
		// Reserved before the pause, so that no two questions take the same lookup
		const isLimited = isWanted && run.budget.reserve(1, settings.maxPaidLookups) !== undefined;
		if (isWanted && !isLimited) {
			asked.giveWay();
			const stopped = await run.pause(pauseMs);
			if (!stopped && !isOver(run, asked)) continue;
		}
		const time = inMinutes(clock.now() - firstAnswerAt);
		const { answer } = result;
		const reason = [
			answer.reason,
			checks > 1 && `still inconclusive after ${checks} checks in ${time}`,
			isLimited && 'not rechecked because of Spending Limits',
		];
		return [{ ...result, answer: { ...answer, reason: reason.filter(Boolean).join(', ') } }];
	}
}

/** Whether its calls would not be made any more, or the answer has arrived in another way. */
function isOver({ breakers }: QuestionRun, { operation, isKnown }: AskedQuestions): boolean {
	return breakers.openedBy(operation) !== undefined || isKnown?.() === true;
}

function isInconclusive(result: LookupResult): result is Answered {
	return !('failure' in result) && result.answer.isRefunded === true;
}
