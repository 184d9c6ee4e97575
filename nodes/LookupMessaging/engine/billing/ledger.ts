import type { Account, Credits } from '../client';
import type { Failure, Job } from '../results';

const COUNTS = [
	...(['storedLookups', 'faults', 'faultCredits'] as const),
	...(['paidCalls', 'freeCalls', 'lookups', 'retries', 'lost', 'lostCredits', 'refused'] as const),
	...(['refusedCredits', 'answeredLookups', 'sharedLookups'] as const),
	...(['cachedLookups', 'knownLookups', 'failedLookups'] as const),
];

/** What calls cost, booked as they are made. */
export class Ledger {
	/** Calls to a paid endpoint that were answered, or whose reply was lost. */
	paidCalls = 0;
	freeCalls = 0;
	/** Paid lookups, refused ones included: a batch counts its numbers. */
	lookups = 0;
	/** Paid lookups before n8n stored the execution. Of what they cost and said, nothing is known. */
	storedLookups = 0;
	/** Calls that were sent again. */
	retries = 0;
	/** Paid calls whose reply was lost, and the most credits that they can have cost, where SPEC states the cost. */
	lost = 0;
	lostCredits = 0;
	/** The same for paid calls whose reply this package could not process. */
	faults = 0;
	faultCredits = 0;
	/** The same for paid calls that the service refused, perhaps with a charge. */
	refused = 0;
	refusedCredits = 0;
	/** Lookups of other operations: answered by the service, by an equal one of this run, earlier in the execution, by an earlier execution, or not at all. */
	answeredLookups = 0;
	sharedLookups = 0;
	cachedLookups = 0;
	knownLookups = 0;
	failedLookups = 0;
	/** Lookups that no item needed, since one before them said enough. */
	readonly notNeeded = new NotNeeded();
	/** What the first failed lookup was to do, and why it failed. */
	firstFailedLookup?: { action: string; failure: Failure };
	/** Credits debited, by balance; `undefined` where SPEC does not state the cost. */
	readonly credits = new Map<Account, number | undefined>();
	readonly jobs: Job[] = [];

	/** Books an answered call. */
	book(credits: Credits | undefined, charged: number | undefined) {
		if (!credits) this.freeCalls += 1;
		else this.add(credits, charged);
	}

	bookLost(credits: Credits, isFault: boolean) {
		const [calls, most] = isFault
			? (['faults', 'faultCredits'] as const)
			: (['lost', 'lostCredits'] as const);
		this[calls] += 1;
		if ('atMost' in credits) this[most] += credits.atMost;
		this.add(credits, 'charged' in credits ? 0 : undefined);
	}

	/** Books a paid call that was refused and may have been charged. */
	bookRefused(credits: Credits) {
		this.refused += 1;
		if ('atMost' in credits) this.refusedCredits += credits.atMost;
		this.lookups += lookupsOf(credits);
	}

	include(other: Ledger) {
		for (const name of COUNTS) this[name] += other[name];
		for (const [balance, charged] of other.credits) this.addCredits(balance, charged);
		this.jobs.push(...other.jobs);
	}

	private add(credits: Credits, charged: number | undefined) {
		this.paidCalls += 1;
		this.lookups += lookupsOf(credits);
		this.addCredits(credits.balance, charged);
	}

	private addCredits(balance: Account, charged: number | undefined) {
		const before = this.credits.get(balance);
		this.credits.set(balance, charged === undefined ? before : (before ?? 0) + charged);
	}
}

/** Lookups of other operations that were not made. One that another item makes after all was needed. */
class NotNeeded {
	private readonly isNeeded = new Map<string, boolean>();

	book({ resource, value }: { resource: string; value: string }, key: string, isNeeded: boolean) {
		const name = JSON.stringify([resource, value, key]);
		if (isNeeded || !this.isNeeded.has(name)) this.isNeeded.set(name, isNeeded);
	}

	get count(): number {
		return [...this.isNeeded.values()].filter((isNeeded) => !isNeeded).length;
	}
}

/** How many lookups a call counts as: the credits that it may cost, or one where SPEC states no price. */
function lookupsOf(credits: Credits): number {
	return 'atMost' in credits ? credits.atMost : 1;
}

/** How many replies to paid calls of an execution were lost one after the other, by operation. */
export type LostInARow = Map<object | undefined, number>;

/** What an execution has spent, and the paid lookups that its runs in progress have reserved. */
export class Spending {
	readonly spent = new Ledger();
	reserved = 0;
	readonly lostInARow: LostInARow = new Map();
	/** Whether the log has what was spent until Stop. */
	isStopTold = false;

	/** @param stored n8n stores this object with an execution that waits. It takes the count of paid lookups, and nothing else */
	constructor(private readonly stored: { paidLookups?: unknown }) {
		const { paidLookups } = stored;
		if (typeof paidLookups === 'number') this.spent.storedLookups = paidLookups;
	}

	/** Paid lookups that were made. */
	made(): number {
		return this.spent.lookups + this.spent.storedLookups;
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
	private reserved = 0;

	constructor(private readonly spending: Spending) {
		this.earlier.include(spending.spent);
	}

	/** Reserves paid lookups for this try, unless that is more than the execution may make. */
	reserve(lookups: number, maxPaidLookups = Infinity): boolean {
		if (this.taken() + lookups > maxPaidLookups) return false;
		this.reserved += lookups;
		this.spending.reserved += lookups;
		return true;
	}

	/** Reserves all lookups of a run, or returns the failure of a run that would exceed Max Paid Lookups. */
	reserveRun(lookups: number, maxPaidLookups = Infinity): Failure | undefined {
		if (lookups === 0 || this.reserve(lookups, maxPaidLookups)) return undefined;
		const taken = this.taken();
		const before = taken > 0 ? `, after ${taken} earlier in this execution` : '';
		const reason = `the run would make ${lookups} paid ${lookups === 1 ? 'lookup' : 'lookups'}${before}, which is more than Max Paid Lookups (${maxPaidLookups})`;
		return { cause: 'budget', reason, scope: 'question' };
	}

	/** Adds what this try spent to the spending of the execution, and releases what it reserved. */
	close(ledger: Ledger) {
		this.spending.add(ledger);
		this.spending.reserved -= this.reserved;
		this.reserved = 0;
	}

	get lostInARow(): LostInARow {
		return this.spending.lostInARow;
	}

	/** Whether the log still lacks what was spent until Stop, by this try or an earlier one. Says so once. */
	isStopUntold(ledger: Ledger): boolean {
		const hasSpent = ({ paidCalls, refused }: Ledger) => paidCalls + refused > 0;
		const { spending, earlier } = this;
		if (!hasSpent(ledger) && (spending.isStopTold || !hasSpent(earlier))) return false;
		spending.isStopTold = true;
		return true;
	}

	/** Paid lookups of the execution, made or reserved. */
	private taken(): number {
		return this.spending.made() + this.spending.reserved;
	}
}
