import type { Account, Balance, Credits } from '../../engine/client';
import { isFailed } from '../../engine/operation';
import type { Failed, Failure } from '../../engine/results';
import type { Balances } from '../../operations/account/balances';
import { type Floors, SHOWN } from './floors';
import { type Findings, findTaken, type Tally } from './proof';
import {
	type Admission,
	type CallCost,
	debits,
	type ReadBalances,
	type SharedAccount,
	type Spender,
} from './sharedAccount';

/** The account as one run sees it: its own calls, and the balances before and after them. */
export class RunAccount implements Spender {
	private readonly tallies = new Map<Account, Tally>();
	private before?: { balances: Balances; paidOn: Map<Account, number>; unclear: Balance[] };

	/** @param pause ends early at Stop, and then resolves with a failure */
	constructor(
		private readonly shared: SharedAccount,
		private readonly floors: Floors,
		readonly read: ReadBalances,
		readonly pause: (ms: number) => Promise<Failure | undefined>,
	) {
		if (floors.size > 0) shared.open(this);
	}

	/**
	 * Admits a paid call as soon as there is room for it above the floors.
	 * @param kind the same for calls of one price
	 */
	async admit(credits: Credits, kind: string): Promise<Admission> {
		const admission = await this.shared.admit(credits, this, this.floors);
		if (isFailed(admission)) return admission;
		return {
			end: (cost) => {
				this.count(credits, kind, cost);
				admission.end(cost);
			},
		};
	}

	/** Reads the balances before the first paid call. Costs of earlier calls that they do not show yet are subtracted. */
	async look(): Promise<Balances | Failed> {
		const { shared } = this;
		const paidOn = new Map(SHOWN.map((balance) => [balance, shared.paidOn(balance)]));
		const shown = await shared.look(this.read);
		if (isFailed(shown)) return shown;
		const balances = shared.leftOf(shown);
		const unclear = SHOWN.filter((balance) => !shared.isClear(balance));
		this.before = { balances, paidOn, unclear };
		return balances;
	}

	openOn(balance: Balance): number {
		return this.shared.openOn(balance);
	}

	/** Reads the balances after the last paid call, and returns what the readings prove; undefined if nothing was paid for. */
	async lookBack(): Promise<Findings | undefined> {
		const { before, shared, tallies } = this;
		if (!before || tallies.size === 0) return undefined;
		const first = await shared.look(this.read);
		if (isFailed(first)) return { taken: [], unread: first.failure.reason };
		const isUsedByOthers = (balance: Balance) => {
			const paid = shared.paidOn(balance) - (before.paidOn.get(balance) ?? 0);
			return paid > this.callsOn(balance) || shared.isUsedByOthers(this, balance);
		};
		const find = (after: Balances, isSure: (balance: Balance) => boolean) =>
			findTaken(before.balances, after, tallies, { isUsedByOthers, isSure });
		const found = find(first, (balance) => !before.unclear.includes(balance));
		const proves = found.taken.some(({ open }) => open?.isFinal);
		if (!proves && !shared.hasLagged && !this.isLate(first)) return found;
		// One reading may be late. It proves nothing until a second one agrees, after the known delay of the account
		const second = (await this.pause(shared.proofMs)) ? undefined : await shared.look(this.read);
		if (!second || isFailed(second)) return find(first, () => false);
		return find(
			second,
			(balance) => second[balance] === first[balance] && !before.unclear.includes(balance),
		);
	}

	/** Whether a reading after the calls certainly lacks their cost. */
	private isLate(after: Balances): boolean {
		return SHOWN.some((balance) => {
			const taken = (this.before?.balances[balance] ?? NaN) - (after[balance] ?? NaN);
			return taken < (this.tallies.get(balance)?.charged ?? -Infinity);
		});
	}

	private callsOn(balance: Account): number {
		const own = [...this.tallies].filter(([account]) => debits(account, balance));
		return own.reduce((sum, [, { answered, open }]) => sum + answered + open, 0);
	}

	private count(credits: Credits, kind: string, { how, charged = 0, goesOn }: CallCost) {
		if (how === 'notCharged') return;
		const tally = this.tallies.get(credits.balance) ?? newTally();
		this.tallies.set(credits.balance, tally);
		tally[how] += 1;
		tally.charged += charged;
		tally.kinds.add(kind);
		if (!('atMost' in credits)) tally.unpriced += 1;
		else if (how === 'open') tally.openMost += credits.atMost;
		if (goesOn) tally.goingOn += 1;
	}
}

export function newTally(): Tally {
	const counts = { answered: 0, charged: 0, open: 0, openMost: 0, goingOn: 0, unpriced: 0 };
	return { ...counts, kinds: new Set() };
}
