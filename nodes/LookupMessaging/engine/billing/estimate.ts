import type { IDataObject } from 'n8n-workflow';
import type { Account, Lookup, LookupCall } from '../client';
import { isKnown, type AnyOperation, type Cached } from '../operation';
import { equalityKey, type Plan, type Task } from '../plan/plan';
import { TimeSlices } from '../timeSlices';

/** What a planned run may cost at most. */
export interface Estimate {
	/** Paid lookups; a batch counts its numbers. */
	lookups: number;
	/** Paid calls. */
	calls: number;
	/** Credits by balance; `undefined` where SPEC states no price. */
	credits: Map<Account, number | undefined>;
	/** Paid calls whose price SPEC does not state, by balance. */
	unpriced: Map<Account, number>;
	/** Lookups that an equal one of this run pays for. */
	shared: number;
	/** Lookups and questions that were paid for earlier in this execution. */
	cached: number;
	/** Lookups that an earlier execution has paid for. */
	known: number;
}

/** @param isPaid whether an earlier try has paid for all calls of a task */
export async function estimateRun(
	operation: AnyOperation,
	tasks: Task[],
	cached: Cached,
	isPaid: (task: Task) => boolean,
	slices = new TimeSlices(),
): Promise<Estimate> {
	const estimate: Estimate = {
		lookups: 0,
		calls: 0,
		credits: new Map(),
		unpriced: new Map(),
		shared: 0,
		cached: 0,
		known: 0,
	};
	const seen = new Set<string>();
	await slices.forEach(tasks, (task) => {
		if (isPaid(task)) {
			estimate.cached += task.questions.length;
			return;
		}
		let callsOfTask = 0;
		for (const { question } of task.questions) {
			callsOfTask = Math.max(callsOfTask, addQuestion(estimate, operation, question));
			if (!('run' in operation)) continue;
			for (const call of operation.lookups?.(question, cached) ?? []) {
				const key = keyOf(call);
				const stored = cached(call);
				if (isKnown(stored)) estimate.known += 1;
				else if (seen.has(key)) estimate.shared += 1;
				else if (stored) estimate.cached += 1;
				else estimate.calls += addQuestion(estimate, call.lookup, call.question);
				seen.add(key);
			}
		}
		estimate.calls += callsOfTask;
	});
	return estimate;
}

/** Adds what a question costs. Returns the most paid calls that it takes. */
function addQuestion(
	estimate: Estimate,
	operation: Pick<Lookup<unknown>, 'credits' | 'paidCallsAtMost'>,
	question: unknown,
): number {
	const price = operation.credits?.(question);
	if (!price) return 0;
	const calls = operation.paidCallsAtMost?.(question) ?? 1;
	estimate.lookups += calls;
	const before = estimate.credits.get(price.balance);
	const most = 'atMost' in price ? (before ?? 0) + price.atMost : before;
	estimate.credits.set(price.balance, most);
	if (!('atMost' in price)) {
		const { unpriced } = estimate;
		unpriced.set(price.balance, (unpriced.get(price.balance) ?? 0) + calls);
	}
	return calls;
}

function keyOf({ lookup, question }: LookupCall): string {
	return JSON.stringify([lookup.resource, lookup.value, equalityKey(lookup, question)]);
}

/**
 * What Dry Run shows.
 * @param tries most tries of one question
 * @param showsKnown whether to show what earlier executions have paid for
 */
export function describeDryRun(
	{ slots, tasks, known }: Plan,
	{ lookups, calls, credits, shared, cached, known: knownLookups }: Estimate,
	tries: number,
	showsKnown = false,
): IDataObject {
	const count = (kind: string) => slots.filter((slot) => slot.kind === kind).length;
	const toAsk = tasks.reduce((sum, { questions }) => sum + questions.length, 0);
	const results = slots.flatMap((slot) => (slot.kind === 'asked' && known.get(slot.asked)) || []);
	const fromKnown = results.filter(isKnown).length;
	return {
		dryRun: true,
		items: slots.length,
		toAsk,
		duplicates: count('asked') - results.length - toAsk + shared,
		fromMemory: results.length - fromKnown + cached,
		...(showsKnown && { fromKnown: fromKnown + knownLookups }),
		answeredLocally: count('local'),
		failing: count('failure'),
		batches: tasks.some(({ questions }) => questions.length > 1) ? tasks.length : 0,
		paidCallsAtMost: calls * tries,
		paidLookupsAtMost: lookups * tries,
		creditsAtMost: Object.fromEntries([...credits].filter(([, most]) => most !== undefined)),
		priceNotStated: [...credits.keys()].filter((account) => credits.get(account) === undefined),
	};
}
