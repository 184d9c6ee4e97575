import type { Account, Balance } from '../../engine/client';

/** The costs of ended calls, while a balance may not show them yet. */

/** Longest time until a balance shows a charge, in milliseconds. */
export const MAX_LAG_MS = 60_000;
/** Longest time after which a service may still charge for a call without an answer, in milliseconds. */
export const LOST_MS = 300_000;
/** Charges that ended within this time of each other count as one, in milliseconds. */
const TOGETHER_MS = 250;

/**
 * - `counted`: subtracted, at the price that SPEC states
 * - `guessed`: subtracted as one credit, since no price is stated
 * - `doubtful`: a reading may show it already, or it may have been another balance
 * - `open`: it may have been charged, or may still be
 */
export type ChargeKind = 'counted' | 'doubtful' | 'guessed' | 'open';

interface Charge {
	account: Account;
	kind: ChargeKind;
	credits: number;
	/** When the first and the last of its calls ended. */
	from: number;
	at: number;
}

export class Charges {
	private rows: Charge[] = [];
	private readonly lastOf = new Map<string, Charge>();

	add(account: Account, kind: ChargeKind, credits: number, at: number) {
		const name = `${account} ${kind}`;
		const last = this.lastOf.get(name);
		if (last && last.from >= at - TOGETHER_MS) {
			last.credits += credits;
			last.at = at;
			return;
		}
		const row = { account, kind, credits, from: at, at };
		this.lastOf.set(name, row);
		const isRecent = (each: Charge) => each.at >= at - MAX_LAG_MS - openMs(each);
		this.rows = [...this.rows.filter(isRecent), row];
	}

	/** Credits beyond the own count that a reading from `lookedAt` may not show, and until when. */
	unclear(balance: Balance, lookedAt: number, lagMs: number) {
		const sums = { open: 0, doubtful: 0, clearAt: 0 };
		for (const { account, kind, credits, at } of this.rows) {
			if (!debits(account, balance)) continue;
			if (kind === 'open' && at + LOST_MS + lagMs > lookedAt) sums.open += credits;
			if (kind !== 'doubtful' || at + lagMs <= lookedAt) continue;
			sums.doubtful += credits;
			sums.clearAt = Math.max(sums.clearAt, at + lagMs);
		}
		return sums;
	}

	/** Credits that a reading from `lookedAt` may not show, however late it is. */
	recent(balance: Balance, lookedAt: number): number {
		return this.countedOn(balance, lookedAt).reduce((sum, { credits }) => sum + credits, 0);
	}

	/** The delay of a reading that misses this many of the counted credits, in milliseconds; 0 if there can be other causes. */
	lagOf(balance: Balance, missing: number, lookedAt: number): number {
		let rest = missing;
		for (const { kind, credits, at } of this.countedOn(balance, lookedAt).reverse()) {
			if (kind === 'guessed') return 0;
			rest -= credits;
			if (rest <= 0) return Math.min(MAX_LAG_MS, Math.max(0, lookedAt - at));
		}
		return 0;
	}

	/** When the last charge that is not shown yet may happen or be shown. */
	get lastAt(): number {
		return Math.max(0, ...this.rows.map((row) => row.at + MAX_LAG_MS + openMs(row)));
	}

	private countedOn(balance: Balance, lookedAt: number): Charge[] {
		const isCounted = ({ kind }: Charge) => kind === 'counted' || kind === 'guessed';
		const mayBeLate = ({ at }: Charge) => at + MAX_LAG_MS > lookedAt;
		return this.rows.filter((row) => isCounted(row) && row.account === balance && mayBeLate(row));
	}
}

function openMs({ kind }: Charge): number {
	return kind === 'open' ? LOST_MS : 0;
}

/** The name of a tool does not say which balance it debits, so it may debit any of them. */
export function debits(account: Account, other: Account): boolean {
	return account === other || account === 'tool server' || other === 'tool server';
}
