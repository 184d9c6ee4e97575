import type { Account, Credits } from '../client';
import { count } from '../plan/values';
import type { Charge, Failure, Job } from '../results';

/** The display names of the balances, in the order of a receipt. */
export const BALANCE_NAMES: Record<Account, string> = {
	...{ phone: 'phone', email: 'email', whatsapp: 'WhatsApp', geoip: 'GeoIP' },
	...{ callerinfo: 'Caller ID', scraper: 'scraper', audit: 'audit', 'tool server': 'tool' },
};

/** The word before "calls". Three "phone calls" would mean something else. */
export function nameOfCalls(account: Account): string {
	return account === 'phone' ? 'phone validation' : BALANCE_NAMES[account];
}

/** "Not enough email credits". The name of a tool does not say which credits it needs. */
export function notEnough(account?: Account): string {
	const name = account && account !== 'tool server' ? `${BALANCE_NAMES[account]} ` : '';
	return `not enough ${name}credits`;
}

export interface Payer {
	operation: string;
	/** The items that asked, in order. */
	items: number[];
	tag: string;
}

export interface Called {
	price: Credits;
	charge: Charge;
	/** When it was sent, in milliseconds since the epoch. */
	sentAt: number;
	/** Undefined for a call that no task has made. */
	payer?: Payer;
}

export interface AccountTotals {
	/** Calls that were charged at a stated price, and their credits. */
	priced: number;
	credits: number;
	/** Calls that were charged, without a stated price. */
	unpriced: number;
	free: number;
	/** Calls that may have been charged, and their maximum credits if SPEC states the price. */
	open: number;
	openCredits: number;
}

const NOTHING: AccountTotals = {
	...{ priced: 0, credits: 0, unpriced: 0, free: 0, open: 0, openCredits: 0 },
};

/** What calls cost, recorded as they are made. */
export class Ledger {
	readonly accounts = new Map<Account, AccountTotals>();
	/** Lookups that were charged or may have been: a batch counts its numbers. */
	lookups = 0;
	/** Paid lookups before n8n stored the execution. Their costs and results are unknown. */
	lookupsBeforeWait = 0;
	/** Calls that were sent again. */
	retries = 0;
	/**
	 * Lookups of other operations by result: answered by the service, by a duplicate of this run, earlier in the execution or by
	 * an earlier execution; failed; or not sent because of an earlier failure or Stop.
	 */
	readonly steps = { done: 0, duplicate: 0, memory: 0, stored: 0, failed: 0, notReached: 0 };
	/** Failed ones that may have been charged. */
	openLookups = 0;
	/** Lookups of other operations by name, and whether an item needs them. One that is needed later was needed. */
	private readonly isNeeded = new Map<string, boolean>();
	firstFailedLookup?: { account?: Account; failure: Failure };
	readonly jobs: Job[] = [];
	private readonly failures = new WeakSet<Failure>();

	/** Paid calls that were charged, were free in the end or may have been charged. */
	get paidCalls(): number {
		return this.sum('priced') + this.sum('unpriced') + this.sum('free') + this.sum('open');
	}

	sum(kind: keyof AccountTotals): number {
		return [...this.accounts.values()].reduce((sum, totals) => sum + totals[kind], 0);
	}

	/** Adds a paid call. */
	book(credits: Credits, { charged, credits: cost }: Charge) {
		const kind = charged === 'no' ? 'free' : cost === null ? 'unpriced' : 'priced';
		const own =
			charged === 'perhaps'
				? { open: 1, openCredits: cost ?? 0 }
				: { [kind]: 1, credits: cost ?? 0 };
		this.add(credits.balance, own);
		if (charged !== 'no') this.lookups += lookupsOf(credits);
	}

	/** Notes a lookup that an item makes, or that an earlier result of it made unnecessary. */
	need({ resource, value }: { resource: string; value: string }, key: string, isNeeded: boolean) {
		const name = JSON.stringify([resource, value, key]);
		if (isNeeded || !this.isNeeded.has(name)) this.isNeeded.set(name, isNeeded);
	}

	/** How many lookups no item needed. */
	get notNeeded(): number {
		return [...this.isNeeded.values()].filter((isNeeded) => !isNeeded).length;
	}

	/** Counts a failed lookup; one that failed for several items is a duplicate for all but the first. */
	bookFailedLookup(failure: Failure, account?: Account) {
		const first = this.firstFailedLookup?.failure;
		if (!first || (first.cause === 'notSent' && failure.cause !== 'notSent'))
			this.firstFailedLookup = { account, failure };
		if (failure.cause === 'notSent') this.steps.notReached += 1;
		else if (this.failures.has(failure)) this.steps.duplicate += 1;
		else {
			this.failures.add(failure);
			this.steps.failed += 1;
			if (failure.mayHaveCost) this.openLookups += 1;
		}
	}

	/** Adds the paid calls of another ledger. */
	include(other: Ledger) {
		this.lookups += other.lookups;
		this.lookupsBeforeWait += other.lookupsBeforeWait;
		for (const [account, totals] of other.accounts) this.add(account, totals);
	}

	private add(account: Account, more: Partial<AccountTotals>) {
		const totals = this.accounts.get(account) ?? { ...NOTHING };
		this.accounts.set(account, totals);
		for (const name of Object.keys(NOTHING) as Array<keyof AccountTotals>) {
			totals[name] += more[name] ?? 0;
		}
	}
}

/** How many lookups a call counts as: the credits that it may cost, or one where SPEC states no price. */
export function lookupsOf(credits: Credits): number {
	return 'atMost' in credits ? credits.atMost : (credits.lookups ?? 1);
}

/** How many paid calls of an execution got no answer in a row, by operation. */
export type LostInARow = Map<object | undefined, number>;

/** What an execution has spent, and the paid lookups that its runs in progress have reserved. */
export class Spending {
	readonly spent = new Ledger();
	reserved = 0;
	readonly lostInARow: LostInARow = new Map();
	/** Whether the log says what was spent until Stop. */
	isStopTold = false;

	/** @param stored n8n stores this object with a waiting execution. It has the count of paid lookups, beside what may have been done */
	constructor(private readonly stored: { paidLookups?: unknown }) {
		const { paidLookups } = stored;
		if (typeof paidLookups === 'number') this.spent.lookupsBeforeWait = paidLookups;
	}

	made(): number {
		return this.spent.lookups + this.spent.lookupsBeforeWait;
	}

	add(ledger: Ledger) {
		this.spent.include(ledger);
		if (this.made() > 0) this.stored.paidLookups = this.made();
	}
}

/** The spending of an execution as one try of a run sees it. */
export class Budget {
	/** What the execution spent before this try. */
	readonly earlier = new Ledger();
	/** Limits of features (`reserve`). */
	limits: Array<(lookups: number) => Failure | undefined> = [];
	readonly lostInARow: LostInARow;
	private reserved = 0;

	constructor(private readonly spending: Spending) {
		this.earlier.include(spending.spent);
		this.lostInARow = spending.lostInARow;
	}

	/** Reserves paid lookups for this try, or returns the failure of a run that would exceed a limit. */
	reserve(lookups: number, maxPaidLookups = Infinity): Failure | undefined {
		if (lookups === 0) return undefined;
		let failure = this.exceeded(lookups, maxPaidLookups);
		for (const limit of this.limits) failure ??= limit(lookups);
		if (failure) return failure;
		this.reserved += lookups;
		this.spending.reserved += lookups;
		return undefined;
	}

	private exceeded(lookups: number, maxPaidLookups: number): Failure | undefined {
		const taken = this.spending.made() + this.spending.reserved;
		if (taken + lookups <= maxPaidLookups) return undefined;
		const before = taken > 0 ? `, after ${taken} earlier in this execution` : '';
		const reason = `the run would make ${count(lookups, 'paid lookup')}${before}, which is more than Max Paid Lookups (${maxPaidLookups})`;
		return { cause: 'budget', reason, scope: 'question' };
	}

	/** Adds what this try spent to the spending of the execution, and releases what it reserved. */
	close(ledger: Ledger) {
		this.spending.add(ledger);
		this.spending.reserved -= this.reserved;
		this.reserved = 0;
	}

	/** Whether the log lacks what was spent until Stop, by this try or an earlier one. Returns true only once. */
	isStopUntold(ledger: Ledger): boolean {
		const { spending, earlier } = this;
		const isTold = spending.isStopTold || earlier.paidCalls === 0;
		if (ledger.paidCalls === 0 && isTold) return false;
		spending.isStopTold = true;
		return true;
	}
}
