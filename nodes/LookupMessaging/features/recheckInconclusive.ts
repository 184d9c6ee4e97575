import type { Answered, LookupResult } from '../engine/results';
import { inMinutes } from '../engine/plan/values';
import type { AskedQuestions, FeatureOpener, QuestionRun } from '../engine/feature';

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
	aroundQuestion: (run) => ({
		async ask(asked, next) {
			const checks = new Rechecks(run, asked);
			for (;;) {
				const results = await next(asked);
				if (!(await checks.areWanted(results))) return results.map((one) => checks.lastOf(one));
			}
		},
	}),
});

class Rechecks {
	private checks = 0;
	private firstAnswerAt?: number;
	private isLimited = false;

	constructor(
		private readonly run: QuestionRun,
		private readonly asked: AskedQuestions,
	) {}

	/** Whether to ask again. Pauses before it returns true. */
	async areWanted([result, ...others]: LookupResult[]): Promise<boolean> {
		const { run, asked } = this;
		const { maxPaidLookups } = run.settings;
		this.checks += 1;
		this.firstAnswerAt ??= run.clock.now();
		if (others.length > 0 || !isInconclusive(result)) return false;
		const left = this.firstAnswerAt + run.settings.maxQueueWaitMs - run.clock.now();
		const pauseMs = pauseAfter(this.checks, left, run.clock.random());
		if (pauseMs === undefined || this.isOver()) return false;
		// Reserved before the pause, so that no two questions take the same lookup
		this.isLimited = run.budget.reserve(1, maxPaidLookups) !== undefined;
		if (this.isLimited) return false;
		asked.giveWay();
		const stopped = await run.pause(pauseMs);
		if (stopped || this.isOver()) return false;
		run.ledger.retries += 1;
		return true;
	}

	/** Whether its calls would not be made any more, or the answer has arrived in another way. */
	private isOver(): boolean {
		const { operation, isKnown } = this.asked;
		return this.run.breakers.openedBy(operation) !== undefined || isKnown?.() === true;
	}

	/** The last result; its reason says how often and how long it was tried, and which limit ended that. */
	lastOf(result: LookupResult): LookupResult {
		if (!isInconclusive(result)) return result;
		const { answer } = result;
		const time = inMinutes(this.run.clock.now() - (this.firstAnswerAt ?? 0));
		const reason = [
			answer.reason,
			this.checks > 1 && `still inconclusive after ${this.checks} checks in ${time}`,
			this.isLimited && 'not rechecked because of Spending Limits',
		];
		return { ...result, answer: { ...answer, reason: reason.filter(Boolean).join(', ') } };
	}
}

function isInconclusive(result: LookupResult): result is Answered {
	return !('failure' in result) && result.answer.isRefunded === true;
}
