import type { Account, Balance, Credits } from '../../engine/client';
import type { Clock } from '../../engine/clock';
import { Moment } from '../../engine/gate';
import { isFailed, STOPPED } from '../../engine/operation';
import type { Failed, Failure } from '../../engine/results';
import type { Balances } from '../../operations/account/balances';
import { balanceUnread, type Floors, noRoom, notShown, SHOWN } from './floors';

/**
 * The use of one account by the runs of this process: paid calls in flight, and remaining credits. With it, all runs with a floor
 * (Minimum Balance) together stay above the floor. A balance may be late, so spending is also subtracted here. The remaining
 * credits are the least of the reading, the own count and the balances in replies.
 */

/**
 * Maximum number of credits, by balance, that delayed calls may cost between two readings. Another process can overlook only this
 * many. A call that costs more is sent alone.
 */
export const MAX_BETWEEN_LOOKS = 10;
/** This many credits of ended calls are worth a reading while others are still in flight. */
const WORTH_A_LOOK = 5;
/** An older reading says too little about the spending of others, in milliseconds. */
const LOOK_AGE_MS = 5_000;
/** The assumed delay of a balance until a longer one was seen, in milliseconds. */
const LEAST_LAG_MS = 5_000;
/** Shortest time between the two readings that prove what was charged, in milliseconds. */
const PROOF_MS = 10_000;
/** How long a call waits before it checks again whether the balance shows the calls before it, in milliseconds. */
const PAUSE_MS = 1_000;
const NO_BALANCES = "the balances couldn't be read";

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
type ChargeKind = 'counted' | 'doubtful' | 'guessed' | 'open';

interface OpenCharge {
	account: Account;
	kind: ChargeKind;
	credits: number;
	/** When the first and the last of its calls ended. */
	from: number;
	at: number;
}

/** Reads the balances, which costs nothing. */
export type ReadBalances = () => Promise<Balances | Failed>;

export interface Spender {
	read: ReadBalances;
	/** Ends early at Stop. */
	pause(ms: number): Promise<unknown>;
	isStopped?: boolean;
}

interface PaidCall {
	account: Account;
	credits: number;
	/** Whether SPEC states no price, so that `credits` is the minimum. */
	isGuess?: boolean;
}

/** A call in flight, or one that the last reading may have missed. Moments are numbered, since many share a millisecond. */
interface CountedCall extends PaidCall {
	run: object;
	/** Whether it waited for room above a floor. */
	isHeld: boolean;
	beganAt: number;
	endedAt?: number;
}

/** A call that waits for room above its floors. */
interface WaitingCall extends PaidCall {
	run: Spender;
	floors: Array<[Balance, number]>;
	arrivedAt: number;
	admission: Moment<Admission>;
}

/** The cost of a call that has ended. One that is `open` may have been charged. */
export interface CallCost {
	how: 'answered' | 'notCharged' | 'open';
	/** Credits that it cost, where SPEC states the price. */
	charged?: number;
	/** The balance that its reply reports. */
	left?: number;
	/** Whether the service may still be working on it. */
	goesOn?: boolean;
}

export interface Admitted {
	end(cost: CallCost): void;
}

/** A call that may start, or why it may not. */
export type Admission = Admitted | Failed;

type Verdict = Failure | 'later' | 'look' | 'start' | 'wait';

interface Look {
	/** The balances that the service reported. */
	shown: Balances;
	began: number;
	/** When it began and when it was over, in milliseconds since the epoch. */
	from: number;
	at: number;
}

/** The remaining credits of a balance by own count. They may include calls that began before the reading was over. */
interface Left {
	credits: number;
	readAt: number;
}

export class SharedAccount {
	private moment = 0;
	private readonly calls = new Set<CountedCall>();
	private waiting: WaitingCall[] = [];
	private last?: Look;
	private isLooking = false;
	private isPausing = false;
	private readonly left = new Map<Balance, Left>();
	private readonly charges = new Charges();
	/** The longest known delay of a balance, in milliseconds. */
	private shownLagMs = 0;
	/** Open runs with a floor. Without one, no reading delays the calls. */
	private readonly watchers = new Set<Spender>();
	/** Calls that were paid for or may have been, by account. */
	private readonly paid = new Map<Account, number>();

	constructor(private readonly clock: Pick<Clock, 'now'>) {}

	/** Records a run with a floor until it is closed. */
	open(run: Spender) {
		this.watchers.add(run);
	}

	close(run: Spender) {
		this.watchers.delete(run);
		if (this.watchers.size > 0) return;
		for (const call of this.calls) if (call.endedAt !== undefined) this.calls.delete(call);
	}

	/** Whether nothing is in flight, and every charge is shown by the balances. */
	isIdle(): boolean {
		const { calls, waiting, watchers } = this;
		const isQuiet = calls.size + waiting.length + watchers.size === 0;
		return isQuiet && this.charges.lastAt < this.clock.now();
	}

	/** The possible delay of a balance, in milliseconds: twice the longest one seen. */
	get lagMs(): number {
		return Math.min(MAX_LAG_MS, Math.max(LEAST_LAG_MS, 2 * this.shownLagMs));
	}

	/** How long after a reading a second one proves it, in milliseconds. */
	get proofMs(): number {
		return Math.max(PROOF_MS, this.lagMs);
	}

	/** Whether a balance has ever been late. */
	get hasLagged(): boolean {
		return this.shownLagMs > 0;
	}

	/** Counts a call of a run without a floor. */
	begin(price: Credits, run: object): Admitted {
		return this.start({ ...callAt(price), run, isHeld: false });
	}

	/** Admits a call as soon as there is room for it above its floors, and at once if it has none. */
	async admit(price: Credits, run: Spender, floors: Floors): Promise<Admission> {
		const call = callAt(price);
		const own = [...floors].filter(([balance]) => debits(call.account, balance));
		if (own.length === 0) return this.start({ ...call, run, isHeld: false });
		if (run.isStopped) return { failure: STOPPED };
		const admission = new Moment<Admission>();
		this.moment += 1;
		this.waiting.push({ ...call, run, floors: own, admission, arrivedAt: this.moment });
		this.advance();
		return await admission.reached;
	}

	stop(run: Spender) {
		run.isStopped = true;
		this.fail(run, STOPPED);
		this.advance();
	}

	private fail(run: Spender, failure: Failure) {
		const own = this.waiting.filter((call) => call.run === run);
		this.waiting = this.waiting.filter((call) => call.run !== run);
		for (const { admission } of own) admission.come({ failure });
	}

	async look(read: ReadBalances): Promise<Balances | Failed> {
		this.moment += 1;
		const began = this.moment;
		const from = this.clock.now();
		const shown = await read();
		if (isFailed(shown) || began < (this.last?.began ?? 0)) return shown;
		this.moment += 1;
		this.last = { shown, began, from, at: this.clock.now() };
		for (const balance of SHOWN) this.takeIn(balance, shown[balance], from);
		for (const call of this.calls) {
			if ((call.endedAt ?? Infinity) < began) this.calls.delete(call);
		}
		return shown;
	}

	/** The remaining credits: those of the last reading, minus charges that it does not show yet. */
	leftOf(shown: Balances): Balances {
		const entries = SHOWN.flatMap((balance) => {
			const credits = this.left.get(balance)?.credits;
			return credits === undefined ? [] : [[balance, credits] as const];
		});
		return { ...shown, ...Object.fromEntries(entries) };
	}

	/** Whether the remaining credits include all charges before the last reading. */
	isClear(balance: Balance): boolean {
		const { open, doubtful } = this.unclear(balance);
		return open + doubtful === 0;
	}

	/** Credits that earlier calls without an answer may still cost. */
	openOn(balance: Balance): number {
		return this.unclear(balance).open;
	}

	private unclear(balance: Balance) {
		return this.charges.unclear(balance, this.last?.from ?? 0, this.lagMs);
	}

	/** Combines a reading and the own count. */
	private takeIn(balance: Balance, shown: number | undefined, from: number) {
		const own = this.left.get(balance);
		if (shown === undefined) this.left.delete(balance);
		// Somebody else spent, too, or a lost call was charged
		else if (!own || shown < own.credits)
			this.left.set(balance, { credits: shown, readAt: this.moment });
		else {
			const missing = shown - own.credits;
			const lag = this.charges.lagOf(balance, missing, from);
			this.shownLagMs = Math.max(this.shownLagMs, missing > 0 ? lag : 0);
			// It is late, or credits were added
			own.credits = Math.max(own.credits, shown - this.charges.recent(balance, from));
		}
	}

	/** How many calls that debit a balance were or may have been paid for, by all runs. */
	paidOn(account: Account): number {
		const all = [...this.paid].filter(([other]) => debits(other, account));
		return all.reduce((sum, [, calls]) => sum + calls, 0);
	}

	/** Whether another run has a call in flight that debits a balance. */
	isUsedByOthers(run: object, account: Account): boolean {
		const isOther = (call: CountedCall) => call.run !== run && call.endedAt === undefined;
		return [...this.calls].some((call) => isOther(call) && debits(call.account, account));
	}

	private start(of: Omit<CountedCall, 'beganAt'>): Admitted {
		this.moment += 1;
		const call = { ...of, beganAt: this.moment };
		this.calls.add(call);
		return { end: (cost) => this.end(call, cost) };
	}

	private end(call: CountedCall, { how, charged, left }: CallCost) {
		const { account } = call;
		this.moment += 1;
		call.endedAt = this.moment;
		const isAnswered = how === 'answered';
		if (isAnswered) call.credits = charged ?? call.credits;
		const wasPaid = how !== 'notCharged';
		if (wasPaid) this.paid.set(account, (this.paid.get(account) ?? 0) + 1);
		if (wasPaid && call.credits > 0) this.count(call, isAnswered);
		const isOver = !wasPaid || call.credits === 0 || this.watchers.size === 0;
		if (isOver) this.calls.delete(call);
		if (isAnswered) this.takeReported(call, left);
		this.advance();
	}

	/** Subtracts the cost of a call, or records that it may have to be subtracted. */
	private count({ account, credits, beganAt, isGuess }: CountedCall, isAnswered: boolean) {
		const left = account === 'tool server' ? undefined : this.left.get(account as Balance);
		const isCounted = isAnswered && left !== undefined && beganAt > left.readAt;
		const kindOf = (): ChargeKind => (isCounted ? (isGuess ? 'guessed' : 'counted') : 'doubtful');
		if (isCounted) left.credits -= credits;
		this.charges.add(account, isAnswered ? kindOf() : 'open', credits, this.clock.now());
	}

	/** The balance in a reply may lack calls in flight. Spending of others in it is a charge that a reading may lack. */
	private takeReported({ account }: CountedCall, reported: number | undefined) {
		const [left, { last }] = [this.left.get(account as Balance), this];
		if (!left || !last || reported === undefined) return;
		const others = left.credits - reported - this.debitsOf(account as Balance, last).flying;
		if (others <= 0) return;
		left.credits -= others;
		this.charges.add(account, 'counted', others, this.clock.now());
	}

	/** Starts the calls that may start, in the order in which they came to each balance. */
	private advance() {
		const taken = new Set<Balance>();
		let looker: WaitingCall | undefined;
		let pauser: WaitingCall | undefined;
		const stays = (call: WaitingCall) => {
			const isBehind = call.floors.some(([balance]) => taken.has(balance));
			const verdict = isBehind ? 'wait' : this.judge(call);
			const { account, credits, isGuess, run, admission } = call;
			if (verdict === 'start')
				admission.come(this.start({ account, credits, isGuess, run, isHeld: true }));
			else if (typeof verdict === 'object') admission.come({ failure: verdict });
			else {
				if (verdict === 'look') looker ??= call;
				if (verdict === 'later') pauser ??= call;
				for (const [balance] of call.floors) taken.add(balance);
				return true;
			}
			return false;
		};
		this.waiting = this.waiting.filter(stays);
		if (looker) void this.lookFor(looker);
		else if (pauser) void this.pauseFor(pauser);
	}

	/** Waits until the balances show charges that they may not show yet. */
	private async pauseFor({ run }: WaitingCall): Promise<void> {
		if (this.isPausing) return;
		this.isPausing = true;
		await run.pause(PAUSE_MS);
		this.isPausing = false;
		this.advance();
	}

	private async lookFor({ run }: WaitingCall): Promise<void> {
		if (this.isLooking) return;
		this.isLooking = true;
		let left: Balances | Failed;
		try {
			left = await this.look(run.read);
		} catch {
			// No call could read the balances any more
			left = { failure: { cause: 'fault', reason: NO_BALANCES, scope: 'question' } };
		}
		this.isLooking = false;
		if (isFailed(left)) this.fail(run, balanceUnread(left.failure));
		this.advance();
	}

	private judge(call: WaitingCall): Verdict {
		const verdicts = call.floors.map(([balance, floor]) => this.judgeBy(balance, floor, call));
		const failure = verdicts.find((verdict) => typeof verdict === 'object');
		if (failure) return failure;
		const holds = (['wait', 'look', 'later'] as const).find((each) => verdicts.includes(each));
		return holds ?? 'start';
	}

	/** Whether one balance allows the call to start. */
	private judgeBy(balance: Balance, floor: number, { credits, arrivedAt }: WaitingCall): Verdict {
		const { last } = this;
		if (!last) return 'look';
		const left = this.left.get(balance)?.credits;
		if (left === undefined) return notShown(balance);
		const { flying, inFlight, isUsedUnheld, missed, hasMissed } = this.debitsOf(balance, last);
		const { open, doubtful, clearAt } = this.unclear(balance);
		const pending = flying + open;
		const room = left - floor - pending;
		const others = inFlight + missed;
		const isAlone = credits > MAX_BETWEEN_LOOKS;
		const now = this.clock.now();
		const isOld = now - last.at > LOOK_AGE_MS || (isAlone && last.began < arrivedAt);
		const mayGo = others === 0 || others + credits <= MAX_BETWEEN_LOOKS;
		if (mayGo && credits <= room - doubtful) return isOld ? 'look' : 'start';
		if (inFlight > 0) return missed >= WORTH_A_LOOK && !isAlone ? 'look' : 'wait';
		// Calls without a floor may cost nothing in the end
		if (isUsedUnheld && credits <= left - floor) return isOld ? 'look' : 'wait';
		if (hasMissed || isOld) return 'look';
		if (credits <= room) return now < clearAt ? 'later' : 'look';
		return noRoom({ balance, floor, left, pending, credits, shown: last.shown[balance] });
	}

	/** The debits of a balance that are in flight, or that the last reading may have missed. */
	private debitsOf(balance: Balance, { began }: Look) {
		const sums = { flying: 0, inFlight: 0, isUsedUnheld: false, missed: 0, hasMissed: false };
		for (const { account, credits, endedAt, isHeld } of this.calls) {
			if (!debits(account, balance)) continue;
			if (endedAt === undefined) sums.flying += credits;
			const isMissed = endedAt !== undefined && endedAt > began;
			sums.hasMissed ||= isMissed;
			if (isHeld && endedAt === undefined) sums.inFlight += credits;
			sums.isUsedUnheld ||= !isHeld && endedAt === undefined;
			if (isHeld && isMissed) sums.missed += credits;
		}
		return sums;
	}
}

function callAt({ balance: account, ...price }: Credits): PaidCall {
	if ('atMost' in price) return { account, credits: price.atMost };
	return { account, credits: price.lookups ?? 1, isGuess: true };
}

/** With this many accounts, idle ones are forgotten. */
const MANY_ACCOUNTS = 100;
const accounts = new Map<string, SharedAccount>();

/** The account that all runs of the process share which call one base URL with one API key. */
export function sharedAccountOf(name: string, clock: Pick<Clock, 'now'>): SharedAccount {
	const known = accounts.get(name);
	if (known) return known;
	if (accounts.size >= MANY_ACCOUNTS) {
		for (const [other, account] of accounts) if (account.isIdle()) accounts.delete(other);
	}
	const account = new SharedAccount(clock);
	accounts.set(name, account);
	return account;
}

/** The costs of ended calls, while a balance may not show them yet. */
export class Charges {
	private rows: OpenCharge[] = [];
	private readonly lastOf = new Map<string, OpenCharge>();

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
		const isRecent = (each: OpenCharge) => each.at >= at - MAX_LAG_MS - openMs(each);
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

	private countedOn(balance: Balance, lookedAt: number): OpenCharge[] {
		const isCounted = ({ kind }: OpenCharge) => kind === 'counted' || kind === 'guessed';
		const mayBeLate = ({ at }: OpenCharge) => at + MAX_LAG_MS > lookedAt;
		return this.rows.filter((row) => isCounted(row) && row.account === balance && mayBeLate(row));
	}
}

function openMs({ kind }: OpenCharge): number {
	return kind === 'open' ? LOST_MS : 0;
}

/** The name of a tool does not say which balance it debits, so it may debit any of them. */
export function debits(account: Account, other: Account): boolean {
	return account === other || account === 'tool server' || other === 'tool server';
}
