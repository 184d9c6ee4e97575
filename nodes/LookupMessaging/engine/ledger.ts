import type { Account, Credits } from './operation';
import type { Job } from './talk';

/** What the calls of a run cost, kept as they are made. */
export class Ledger {
	/** Calls to a paid endpoint that were answered, or whose reply was lost. */
	paidCalls = 0;
	freeCalls = 0;
	/** Paid calls whose reply was lost: they may have been charged. */
	lost = 0;
	/** Most credits that those can have cost, where SPEC states the cost. */
	lostCredits = 0;
	/** Paid calls that the service refused, without saying whether it charged for them. */
	refused = 0;
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
	bookRefused() {
		this.refused += 1;
	}

	private add({ balance }: Credits, charged: number | undefined) {
		this.paidCalls += 1;
		const before = this.credits.get(balance);
		this.credits.set(balance, charged === undefined ? before : (before ?? 0) + charged);
	}
}
