import type { IDataObject } from 'n8n-workflow';
import type { Failure } from './failure';
import { read } from './judge';
import type { Ledger } from './ledger';
import type { RunMemory } from './memory';
import type { Account, AnyOperation, Balance, Recall, Refusal } from './operation';
import type { Stage } from './perform';
import { equalityKey, type Plan, type PlannedTalk } from './plan';
import type { Settings } from './settings';
import type { Consultation, Exchange } from './talk';

/** What a run may cost, and whether that is within what its user allows and the account holds. */

/** Credits left, by balance, as far as the service shows them (SPEC §2.1). */
export type Balances = Partial<Record<Balance, number>>;

/** What a planned run takes at most. */
export interface Estimate {
	/** Questions that are looked up; a batch counts its numbers. */
	lookups: number;
	/** Paid calls. */
	calls: number;
	/** By balance, most credits; `undefined` where SPEC states no price. */
	credits: Map<Account, number | undefined>;
	/** Questions to other operations that several talks share, or that were answered earlier in this execution. */
	shared: number;
	recalled: number;
}

/**
 * Adds up what the planned talks take at most.
 * @param recall what other operations have answered earlier in this execution
 * @param isPaid whether an earlier try has paid for all of a talk
 */
export function estimateRun(
	operation: AnyOperation,
	{ talks }: Pick<Plan, 'talks'>,
	recall: Recall,
	isPaid: (talk: PlannedTalk) => boolean,
): Estimate {
	const estimate: Estimate = {
		lookups: 0,
		calls: 0,
		credits: new Map(),
		shared: 0,
		recalled: 0,
	};
	const isNew = noveltyTest();
	for (const talk of talks) {
		const { asks } = talk;
		if (isPaid(talk)) {
			estimate.recalled += asks.length;
			continue;
		}
		let callsOfTalk = 0;
		for (const { question } of asks) {
			callsOfTalk = Math.max(callsOfTalk, addQuestion(estimate, operation, question));
			if (!('talk' in operation)) continue;
			for (const consultation of operation.consults?.(question, recall) ?? []) {
				if (!isNew(consultation)) estimate.shared += 1;
				else if (recall(consultation)) estimate.recalled += 1;
				else estimate.calls += addQuestion(estimate, consultation.operation, consultation.question);
			}
		}
		estimate.calls += callsOfTalk;
	}
	return estimate;
}

/** @returns how many paid calls the question takes at most */
function addQuestion(estimate: Estimate, operation: AnyOperation, question: unknown): number {
	const price = operation.credits?.(question);
	if (!price) return 0;
	const calls = operation.paidCallsAtMost?.(question) ?? 1;
	estimate.lookups += calls;
	const before = estimate.credits.get(price.balance);
	const most = 'atMost' in price ? (before ?? 0) + price.atMost : before;
	estimate.credits.set(price.balance, most);
	return calls;
}

/** Tells whether a question to another operation comes up for the first time. */
function noveltyTest() {
	const seen = new Map<AnyOperation, Set<string>>();
	return ({ operation, question }: Consultation): boolean => {
		const keys = seen.get(operation) ?? new Set();
		seen.set(operation, keys);
		return keys.size < keys.add(equalityKey(operation, question)).size;
	};
}

/** Sets aside what the run may look up; or says why that is more than its user allows. */
export function overBudget(
	{ lookups }: Estimate,
	memory: RunMemory,
	{ maxPaidLookups = Infinity }: Settings,
): Failure | undefined {
	if (lookups === 0 || memory.setAside(lookups, maxPaidLookups)) return undefined;
	const taken = memory.taken();
	const before = taken > 0 ? `, after ${taken} earlier in this execution` : '';
	return budgetFailure(
		`the run would make ${lookups} paid ${lookups === 1 ? 'lookup' : 'lookups'}${before}, which is more than Max Paid Lookups (${maxPaidLookups})`,
	);
}

/**
 * Compares what the run may cost with what the account holds. Costs nothing.
 * @returns why the run is not affordable, if it is not; and what the balances could not tell, as a sentence
 */
export async function checkBalance(
	stage: Stage,
	exchange: Exchange<Balances | Refusal>,
	{ credits }: Estimate,
	{ timeoutMs, patienceMs }: Settings,
	ledger: Ledger,
): Promise<{ failure?: Failure; note?: string }> {
	const { reply, retries } = await stage.deliver(exchange.request, {
		timeoutMs,
		patienceMs,
		isFree: true,
	});
	ledger.freeCalls += 1;
	ledger.retries += retries;
	const heard = read(exchange, reply ?? { kind: 'cancelled' });
	if ('failure' in heard) {
		const reason = `the balance could not be read: ${heard.failure.reason}`;
		return { failure: { ...heard.failure, reason } };
	}
	const balances = heard.result as Balances;
	const untold: string[] = [];
	for (const [account, most] of credits) {
		const left = (balances as Partial<Record<Account, number>>)[account];
		if (left !== undefined && left <= 0) return { failure: noneLeft(account, left) };
		if (left === undefined) untold.push(`it does not show the ${account} balance`);
		else if (most === undefined) untold.push(`${account} has ${left} credits, price not stated`);
		else if (most > left) return { failure: tooFew(account, left, most) };
	}
	return untold.length === 0 ? {} : { note: `Balance check: ${untold.join('; ')}.` };
}

function tooFew(account: Account, left: number, most: number): Failure {
	return creditsFailure(
		`the run may cost up to ${most} ${account} ${most === 1 ? 'credit' : 'credits'}, and the account has ${left}`,
	);
}

/** Every call would be refused, whatever it costs. */
function noneLeft(account: Account, left: number): Failure {
	return creditsFailure(`the account has ${left} ${account} credits`);
}

function creditsFailure(reason: string): Failure {
	return { cause: 'credits', reason, scope: 'question' };
}

function budgetFailure(reason: string): Failure {
	return { cause: 'budget', reason, scope: 'question' };
}

/**
 * The plan of a run that is not made.
 * @param tries how often a question may be asked; only the last time is paid for
 */
export function describePlan(
	{ slots, talks, remembered }: Plan,
	{ lookups, calls, credits, shared, recalled }: Estimate,
	tries: number,
): IDataObject {
	const count = (kind: string) => slots.filter((slot) => slot.kind === kind).length;
	const asks = talks.reduce((sum, talk) => sum + talk.asks.length, 0);
	const answered = slots.filter((slot) => slot.kind === 'ask' && remembered.has(slot.ask)).length;
	const stated = [...credits].filter(([, most]) => most !== undefined);
	const unstated = [...credits].filter(([, most]) => most === undefined);
	return {
		dryRun: true,
		items: slots.length,
		toAsk: asks,
		duplicates: count('ask') - answered - asks + shared,
		fromMemory: answered + recalled,
		answeredLocally: count('local'),
		failing: count('failure'),
		batches: talks.some((talk) => talk.asks.length > 1) ? talks.length : 0,
		paidCallsAtMost: calls * tries,
		paidLookupsAtMost: lookups * tries,
		creditsAtMost: Object.fromEntries(stated),
		priceNotStated: unstated.map(([account]) => account),
	};
}
