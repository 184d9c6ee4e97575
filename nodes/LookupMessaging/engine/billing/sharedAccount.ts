import type { Balances } from './balanceCheck';
import { noRoom, notLooked, notShown } from './floorFailures';
import type { Account, Balance } from '../client';
import type { Failed, Failure } from '../results';
import { isFailed } from '../operation';
import type { Clock } from '../clock';
import type { FairQueue } from '../pacing/fairQueue';
import type { Floors } from '../plan/spendingSettings';

/**
 * What the runs of this process do to one account: which paid calls are under way, and what was left at the last look at the
 * balances. By it, all runs with a floor (Leave at Least) together stay above it.
 */

/**
 * Most credits, by balance, that held calls may cost between two looks. Only so much can another process overlook. A call that
 * costs more goes alone.
 */
export const MOST_BETWEEN_LOOKS = 10;
/** So many credits of ended calls are worth a look while others are still in flight. */
const WORTH_A_LOOK = 5;
/** A look that is older says too little of what others spend, in milliseconds. */
const LOOK_AGE_MS = 5_000;
/** A service may go on with a call whose reply was lost, and charge it so much later, in milliseconds. */
export const LOST_MS = 300_000;

const NO_BALANCES = "the balances couldn't be read";

/** Reads the balances, which costs nothing. */
export type ReadBalances = () => Promise<Balances | Failed>;

/** A paid call, and what it costs at most. */
export interface PaidCall {
	account: Account;
	credits: number;
}

/** A call on its way, or one that the last look may have missed. Moments are numbered, since many share a millisecond. */
interface CountedCall extends PaidCall {
	run: object;
	/** Whether it waited for room above a floor. */
	isHeld: boolean;
	endedAt?: number;
	/** Until when a lost call may still be charged, in milliseconds since the epoch. */
	openUntil?: number;
}

/** A call that waits for room above its floors. */
interface WaitingCall extends PaidCall {
	run: object;
	floors: Array<[Balance, number]>;
	arrivedAt: number;
	read: ReadBalances;
	resolve(admission: Admission): void;
}

/** What has come of a call: it was not charged, it cost so many credits at most, or nobody knows whether it was charged. */
export type CallEnd = 'notCharged' | 'open' | { credits: number };

/** A call that may start, or why it may not. */
export type Admission = Failed | { end(how: CallEnd): void };

type Verdict = Failure | 'look' | 'start' | 'wait';

interface Look {
	left: Balances;
	began: number;
	/** When it was over, in milliseconds since the epoch. */
	at: number;
}

export class SharedAccount {
	private moment = 0;
	private readonly calls = new Set<CountedCall>();
	private waiting: WaitingCall[] = [];
	private last?: Look;
	private isLooking = false;
	/** Open runs with a floor. Without one, ended calls are of no interest. */
	private readonly watchers = new Set<object>();
	/** Calls that were paid for or may have been, by account. */
	private readonly paid = new Map<Account, number>();

	constructor(private readonly clock: Pick<Clock, 'now'>) {}

	/** Takes note of a run with a floor until it is closed. */
	open(run: object) {
		this.watchers.add(run);
	}

	close(run: object) {
		this.watchers.delete(run);
		if (this.watchers.size > 0) return;
		for (const call of this.calls) if (call.endedAt !== undefined) this.calls.delete(call);
	}

	/** Admits a call as soon as there is room for it above its floors, and at once where it has none. */
	async admit(call: PaidCall, run: object, floors: Floors, read: ReadBalances): Promise<Admission> {
		const own = [...floors].filter(([balance]) => weighsOn(call.account, balance));
		if (own.length === 0) return this.start({ ...call, run, isHeld: false });
		return await new Promise<Admission>((resolve) => {
			this.moment += 1;
			this.waiting.push({ ...call, run, floors: own, read, resolve, arrivedAt: this.moment });
			this.advance();
		});
	}

	/** Looks at the balances. What had ended by then is in what it says. */
	async look(read: ReadBalances): Promise<Balances | Failed> {
		this.moment += 1;
		const began = this.moment;
		const left = await read();
		if (isFailed(left) || began < (this.last?.began ?? 0)) return left;
		const now = this.clock.now();
		this.last = { left, began, at: now };
		for (const call of this.calls) {
			const { endedAt = Infinity, openUntil = 0 } = call;
			if (endedAt < began && openUntil <= now) this.calls.delete(call);
		}
		return left;
	}

	/** How many calls that weigh on a balance were or may have been paid for, by whichever run. */
	paidOn(account: Account): number {
		const all = [...this.paid].filter(([other]) => weighsOn(other, account));
		return all.reduce((sum, [, calls]) => sum + calls, 0);
	}

	/** Whether another run has a call in flight that weighs on a balance. */
	isUsedBeside(run: object, account: Account): boolean {
		const isOther = (call: CountedCall) => call.run !== run && call.endedAt === undefined;
		return [...this.calls].some((call) => isOther(call) && weighsOn(call.account, account));
	}

	private start(call: CountedCall): Admission {
		this.calls.add(call);
		return { end: (how) => this.end(call, how) };
	}

	private end(call: CountedCall, how: CallEnd) {
		const { account } = call;
		this.moment += 1;
		call.endedAt = this.moment;
		if (typeof how === 'object') call.credits = how.credits;
		else if (how === 'open') call.openUntil = this.clock.now() + LOST_MS;
		const wasPaid = how !== 'notCharged';
		if (wasPaid) this.paid.set(account, (this.paid.get(account) ?? 0) + 1);
		const isOver = !wasPaid || call.credits === 0 || this.watchers.size === 0;
		if (isOver) this.calls.delete(call);
		this.advance();
	}

	/** Lets the calls go that may, in the order in which they came to each balance. */
	private advance() {
		const taken = new Set<Balance>();
		let looker: WaitingCall | undefined;
		const stays = (call: WaitingCall) => {
			const isBehind = call.floors.some(([balance]) => taken.has(balance));
			const verdict = isBehind ? 'wait' : this.judge(call);
			if (verdict === 'start') call.resolve(this.start({ ...factsOf(call), isHeld: true }));
			else if (typeof verdict === 'object') call.resolve({ failure: verdict });
			else {
				if (verdict === 'look') looker ??= call;
				for (const [balance] of call.floors) taken.add(balance);
				return true;
			}
			return false;
		};
		this.waiting = this.waiting.filter(stays);
		if (looker) void this.lookFor(looker);
	}

	private async lookFor({ run, read }: WaitingCall): Promise<void> {
		if (this.isLooking) return;
		this.isLooking = true;
		let left: Balances | Failed;
		try {
			left = await this.look(read);
		} catch {
			// Nobody could look any more
			left = { failure: { cause: 'fault', reason: NO_BALANCES, scope: 'question' } };
		}
		this.isLooking = false;
		if (isFailed(left)) {
			const own = this.waiting.filter((call) => call.run === run);
			this.waiting = this.waiting.filter((call) => call.run !== run);
			for (const { resolve } of own) resolve({ failure: notLooked(left.failure) });
		}
		this.advance();
	}

	private judge(call: WaitingCall): Verdict {
		const verdicts = call.floors.map(([balance, floor]) => this.judgeBy(balance, floor, call));
		const failure = verdicts.find((verdict) => typeof verdict === 'object');
		if (failure) return failure;
		return verdicts.includes('wait') ? 'wait' : verdicts.includes('look') ? 'look' : 'start';
	}

	/** Whether the call may start as far as one balance goes. */
	private judgeBy(balance: Balance, floor: number, { credits, arrivedAt }: WaitingCall): Verdict {
		const { last } = this;
		if (!last) return 'look';
		const left = last.left[balance];
		if (left === undefined) return notShown(balance);
		const { pending, inFlight, isUsedBeside, missed, hasMissed } = this.weighOn(balance, last);
		const room = left - floor - pending;
		const others = inFlight + missed;
		const isAlone = credits > MOST_BETWEEN_LOOKS;
		const isOld = this.clock.now() - last.at > LOOK_AGE_MS || (isAlone && last.began < arrivedAt);
		const mayGo = others === 0 || others + credits <= MOST_BETWEEN_LOOKS;
		if (mayGo && credits <= room) return isOld ? 'look' : 'start';
		if (inFlight > 0) return missed >= WORTH_A_LOOK && !isAlone ? 'look' : 'wait';
		// Calls that wait for no floor may cost nothing in the end
		if (isUsedBeside && credits <= left - floor) return isOld ? 'look' : 'wait';
		return hasMissed || isOld ? 'look' : noRoom({ balance, floor, left, pending, credits });
	}

	/** What calls may still take from a balance beyond what the last look showed. */
	private weighOn(balance: Balance, { began }: Look) {
		const sums = { pending: 0, inFlight: 0, isUsedBeside: false, missed: 0, hasMissed: false };
		for (const { account, credits, endedAt, isHeld } of this.calls) {
			if (!weighsOn(account, balance)) continue;
			sums.pending += credits;
			const isMissed = endedAt !== undefined && endedAt > began;
			sums.hasMissed ||= isMissed;
			if (isHeld && endedAt === undefined) sums.inFlight += credits;
			sums.isUsedBeside ||= !isHeld && endedAt === undefined;
			if (isHeld && isMissed) sums.missed += credits;
		}
		return sums;
	}
}

function factsOf({ account, credits, run }: WaitingCall): Omit<CountedCall, 'isHeld'> {
	return { account, credits, run };
}

/** The name of a tool does not tell which balance it debits, so it weighs on all of them. */
export function weighsOn(account: Account, other: Account): boolean {
	return account === other || account === 'tool server' || other === 'tool server';
}

/** An account lives as long as the queue of its base URL and API key. */
const accounts = new WeakMap<FairQueue, SharedAccount>();

/** The account that all runs of the process share which call one base URL with one API key. */
export function sharedAccountOf(queue: FairQueue, clock: Pick<Clock, 'now'>): SharedAccount {
	const account = accounts.get(queue) ?? new SharedAccount(clock);
	accounts.set(queue, account);
	return account;
}
