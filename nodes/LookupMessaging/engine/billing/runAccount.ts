import type { Balances } from './balanceCheck';
import { weighsOn, type CallEnd, type ReadBalances, type SharedAccount } from './sharedAccount';
import { findTaken, newTally, type Findings, type Tally } from './taken';
import type { Account, Credits } from '../client';
import type { Failed } from '../results';
import { isFailed } from '../operation';
import { SHOWN, type Floors } from '../plan/spendingSettings';

/** What a call came to, as far as its cost goes. */
export interface CallCost {
	end: 'answered' | 'notCharged' | 'open';
	/** Credits that it cost, where SPEC states the price. */
	charged?: number;
	/** Whether the service may still be at work on it. */
	goesOn?: boolean;
}

/** A paid call that may start. */
export interface AdmittedCall {
	/** Every call that was admitted has to end. */
	end(cost: CallCost): void;
}

/** The account as one run sees it: its own calls, and the balances before and after them. */
export class RunAccount {
	private readonly tallies = new Map<Account, Tally>();
	private before?: { balances: Balances; paidOn: Map<Account, number> };

	constructor(
		private readonly shared: SharedAccount,
		private readonly floors: Floors,
		private readonly read: ReadBalances,
	) {
		if (floors.size > 0) shared.open(this);
	}

	close() {
		this.shared.close(this);
	}

	/**
	 * Admits a paid call as soon as there is room for it above the floors.
	 * @param kind the same for calls of one price
	 */
	async admit(credits: Credits, kind: string): Promise<AdmittedCall | Failed> {
		// A price that SPEC does not state counts as one credit
		const most = 'atMost' in credits ? credits.atMost : 1;
		const call = { account: credits.balance, credits: most };
		const admission = await this.shared.admit(call, this, this.floors, this.read);
		if (isFailed(admission)) return admission;
		return {
			end: (cost) => {
				this.count(credits, kind, cost);
				admission.end(endOf(cost, most));
			},
		};
	}

	/** Reads the balances before the first paid call. */
	async look(): Promise<Balances | Failed> {
		const { shared } = this;
		const paidOn = new Map(SHOWN.map((balance) => [balance, shared.paidOn(balance)]));
		const balances = await shared.look(this.read);
		if (!isFailed(balances)) this.before = { balances, paidOn };
		return balances;
	}

	/** Reads the balances after the last paid call, and says what the two readings prove; undefined where nothing was paid for. */
	async lookBack(): Promise<Findings | undefined> {
		const { before, shared, tallies } = this;
		if (!before || tallies.size === 0) return undefined;
		const after = await shared.look(this.read);
		if (isFailed(after)) return { taken: [], tellsAll: false, unread: after.failure.reason };
		return findTaken(before.balances, after, tallies, (balance) => {
			const paid = shared.paidOn(balance) - (before.paidOn.get(balance) ?? 0);
			return paid > this.callsOn(balance) || shared.isUsedBeside(this, balance);
		});
	}

	private callsOn(balance: Account): number {
		const own = [...this.tallies].filter(([account]) => weighsOn(account, balance));
		return own.reduce((sum, [, { answered, open }]) => sum + answered + open, 0);
	}

	private count(credits: Credits, kind: string, { end, charged = 0, goesOn }: CallCost) {
		if (end === 'notCharged') return;
		const tally = this.tallies.get(credits.balance) ?? newTally();
		this.tallies.set(credits.balance, tally);
		tally[end] += 1;
		tally.charged += charged;
		tally.kinds.add(kind);
		if (!('atMost' in credits)) tally.unpriced += 1;
		else if (end === 'open') tally.openMost += credits.atMost;
		if (goesOn) tally.goingOn += 1;
	}
}

function endOf({ end, charged }: CallCost, most: number): CallEnd {
	return end === 'answered' ? { credits: charged ?? most } : end;
}
