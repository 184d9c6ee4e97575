import type { Failure } from './failure';
import type { Account, Credits } from './operation';
import type { Job } from './talk';

/** What calls cost, kept as they are made. */
export class Ledger {
	/** Calls to a paid endpoint that were answered, or whose reply was lost. */
	paidCalls = 0;
	freeCalls = 0;
	/** What was looked up by paid calls, refused ones included: a batch counts its numbers. */
	lookups = 0;
	/** Calls that were sent again. */
	retries = 0;
	/** Paid calls whose reply was lost: they may have been charged. */
	lost = 0;
	/** Most credits that those can have cost, where SPEC states the cost. */
	lostCredits = 0;
	/** Paid calls that the service refused, without saying whether it charged for them. */
	refused = 0;
	/** Most credits that those can have cost, where SPEC states the cost. */
	refusedCredits = 0;
	/** Answers of other operations that talks shared, had from memory, or did not get. */
	shared = 0;
	recalled = 0;
	unanswered = 0;
	/** The first of those that they did not get: what was to be done, and why it was not. */
	firstUnanswered?: { action: string; failure: Failure };
	/** By balance: credits debited where SPEC states the cost, `undefined` where it does not. */
	readonly credits = new Map<Account, number | undefined>();
	/** Jobs that the service has started and charged for. */
	readonly jobs: Job[] = [];

	/** Books an answered call. */
	book(credits: Credits | undefined, body: object) {
		if (!credits) this.freeCalls += 1;
		else this.add(credits, 'charged' in credits ? credits.charged({ ...body }) : undefined);
	}

	/** Books a paid call whose reply was lost. */
	bookLost(credits: Credits) {
		this.lost += 1;
		if ('atMost' in credits) this.lostCredits += credits.atMost;
		this.add(credits, 'charged' in credits ? 0 : undefined);
	}

	/** Books a paid call that was refused for what it asked. */
	bookRefused(credits: Credits) {
		this.refused += 1;
		if ('atMost' in credits) this.refusedCredits += credits.atMost;
		this.lookups += lookupsOf(credits);
	}

	/** Takes over what another ledger has booked. */
	include(other: Ledger) {
		this.paidCalls += other.paidCalls;
		this.freeCalls += other.freeCalls;
		this.lookups += other.lookups;
		this.retries += other.retries;
		this.lost += other.lost;
		this.lostCredits += other.lostCredits;
		this.refused += other.refused;
		this.refusedCredits += other.refusedCredits;
		this.shared += other.shared;
		this.recalled += other.recalled;
		this.unanswered += other.unanswered;
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

/** How much a call looks up at most: as much as it may cost, or one thing where SPEC states no price. */
function lookupsOf(credits: Credits): number {
	return 'atMost' in credits ? credits.atMost : 1;
}
