import type { IDataObject } from 'n8n-workflow';
import type { Account, Lookup } from '../client';
import { isKnown, type AnyOperation, type Cached } from '../operation';
import { equalityKey, type Plan, type Task, type UniqueQuestion } from '../plan/plan';
import { SLICES } from '../clock';
import { lookupsOf } from './ledger';

/** What a planned run may cost at most. */
export interface Estimate {
	/** Paid lookups; a batch counts its numbers. */
	lookups: number;
	calls: number;
	/** Those of the calls that the service may refund, so that they are repeated (Recheck Inconclusive Emails). */
	refundable: number;
	/** Credits by balance; `undefined` if SPEC states no price. */
	credits: Map<Account, number | undefined>;
	/** Lookups whose price SPEC does not state, by balance. */
	unpriced: Map<Account, number>;
	/** Lookups that are paid for by a duplicate in this run. */
	shared: number;
	/** Lookups and questions that were paid for earlier in this execution. */
	cached: number;
	/** Lookups that were paid for in an earlier execution. */
	known: number;
	/** The questions and lookups, by operation and key. */
	asked: Set<string>;
}

/** @param isAnswered whether a question of a task is paid for */
export async function estimateRun(
	operation: AnyOperation,
	tasks: Task[],
	cached: Cached,
	isAnswered: (task: Task, question: UniqueQuestion) => boolean,
): Promise<Estimate> {
	const asked = new Set<string>();
	const counts = { lookups: 0, calls: 0, refundable: 0, shared: 0, cached: 0, known: 0 };
	const estimate: Estimate = { ...counts, asked, credits: new Map(), unpriced: new Map() };
	await SLICES.forEach(tasks, (task) => {
		let callsOfTask = 0;
		const unpaid = task.questions.filter((question) => !isAnswered(task, question));
		estimate.cached += task.questions.length - unpaid.length;
		for (const { question, key } of unpaid) {
			if (key) asked.add(nameOf(operation, key));
			callsOfTask = Math.max(callsOfTask, addQuestion(estimate, operation, question));
			if (!('run' in operation)) continue;
			for (const call of operation.lookups?.(question, cached) ?? []) {
				const name = nameOf(call.lookup, equalityKey(call.lookup, call.question));
				const stored = cached(call);
				if (isKnown(stored)) estimate.known += 1;
				else if (asked.has(name)) estimate.shared += 1;
				else if (stored) estimate.cached += 1;
				else estimate.calls += addQuestion(estimate, call.lookup, call.question);
				asked.add(name);
			}
		}
		estimate.calls += callsOfTask;
	});
	return estimate;
}

/** Adds the cost of a question. Returns its number of paid calls. */
function addQuestion(
	estimate: Estimate,
	operation: Pick<Lookup<unknown>, 'credits' | 'refunds'>,
	question: unknown,
): number {
	const price = operation.credits?.(question);
	if (!price) return 0;
	const lookups = lookupsOf(price);
	estimate.lookups += lookups;
	if (operation.refunds) estimate.refundable += 1;
	const { credits, unpriced } = estimate;
	const { balance } = price;
	const before = credits.get(balance);
	credits.set(balance, 'atMost' in price ? (before ?? 0) + price.atMost : before);
	if (!('atMost' in price)) unpriced.set(balance, (unpriced.get(balance) ?? 0) + lookups);
	return 1;
}

function nameOf({ resource, value }: Pick<AnyOperation, 'resource' | 'value'>, key: string) {
	return JSON.stringify([resource, value, key]);
}

/**
 * The result of a Dry Run.
 * @param tries largest number of tries of one question whose credit is refunded
 * @param showsKnown whether to show the results of earlier executions
 */
export function describeDryRun(
	{ slots, tasks, known }: Plan,
	{ lookups, calls, refundable, credits, shared, cached, known: storedLookups }: Estimate,
	tries: number,
	showsKnown = false,
): IDataObject {
	const repeats = refundable * (tries - 1);
	const count = (kind: string) => slots.filter((slot) => slot.kind === kind).length;
	const lookupsNeeded = tasks.reduce((sum, { questions }) => sum + questions.length, 0);
	const results = slots.flatMap((slot) => (slot.kind === 'asked' && known.get(slot.asked)) || []);
	const fromStored = results.filter(isKnown).length;
	return {
		dryRun: true,
		items: slots.length,
		lookupsNeeded,
		duplicates: count('asked') - results.length - lookupsNeeded + shared,
		fromMemory: results.length - fromStored + cached,
		...(showsKnown && { fromStored: fromStored + storedLookups }),
		answeredLocally: count('local'),
		failing: count('failure'),
		batches: tasks.some(({ questions }) => questions.length > 1) ? tasks.length : 0,
		paidCallsAtMost: calls + repeats,
		paidLookupsAtMost: lookups + repeats,
		creditsAtMost: Object.fromEntries([...credits].filter(([, most]) => most !== undefined)),
		priceNotStated: [...credits.keys()].filter((account) => credits.get(account) === undefined),
	};
}
