import type { Balances } from '../../operations/account/balances';
import {
	type CallEnd,
	debits,
	type ReadBalances,
	type SharedAccount,
	type Spender,
} from './sharedAccount';
import type { Account, Balance, Credits } from '../../engine/client';
import type { Failed, Failure } from '../../engine/results';
import { isFailed } from '../../engine/operation';
import { type Floors, SHOWN } from './floors';
import { BALANCE_NAMES, nameOfCalls } from '../../engine/billing/ledger';
import type { Proof } from '../../engine/feature';
import { count } from '../../engine/output/receipt';

/** The cost of a call that has ended. */
export interface CallCost {
	end: 'answered' | 'notCharged' | 'open';
	/** Credits that it cost, where SPEC states the price. */
	charged?: number;
	/** The balance that its reply reports. */
	left?: number;
	/** Whether the service may still be working on it. */
	goesOn?: boolean;
}

/** A paid call that may start. */
interface AdmittedCall {
	/** Every admitted call must end. */
	end(cost: CallCost): void;
}

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

	close() {
		this.shared.close(this);
	}

	/** Ends all waits for room at Stop. */
	stop() {
		this.shared.stop(this);
	}

	/**
	 * Admits a paid call as soon as there is room for it above the floors.
	 * @param kind the same for calls of one price
	 */
	async admit(credits: Credits, kind: string): Promise<AdmittedCall | Failed> {
		// A price that SPEC does not state counts as one credit
		const isGuess = !('atMost' in credits);
		const most = isGuess ? 1 : credits.atMost;
		const call = { account: credits.balance, credits: most, isGuess };
		const admission = await this.shared.admit(call, this, this.floors);
		if (isFailed(admission)) return admission;
		return {
			end: (cost) => {
				this.count(credits, kind, cost);
				admission.end(endOf(cost, most));
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

function endOf({ end, charged, left }: CallCost, most: number): CallEnd {
	return end === 'answered' ? { credits: charged ?? most, left } : end;
}

/** What the balances before and after a run prove about its calls. A result is reported only if the numbers leave no doubt. */

/** The calls of a run on one account, with their cost. */
export interface Tally {
	answered: number;
	/** Credits of the answered calls, if SPEC states the price. */
	charged: number;
	/** Calls that may have been charged, and their maximum credits. */
	open: number;
	openMost: number;
	/** Those of them that the service may still be working on, and charge later. */
	goingOn: number;
	/** Calls whose price SPEC does not state. */
	unpriced: number;
	/** Kinds of calls; those of one kind have one price. */
	kinds: Set<string>;
}

export function newTally(): Tally {
	const counts = { answered: 0, charged: 0, open: 0, openMost: 0, goingOn: 0, unpriced: 0 };
	return { ...counts, kinds: new Set() };
}

/** The credits that a run took from a balance. */
export interface Taken {
	balance: Balance;
	/** Undefined if nothing is certain: others used the account meanwhile, or the service doesn't show the balance. */
	credits?: number;
	isHidden?: true;
	/** The cost of each answered call, if SPEC does not state the price. */
	each?: number;
	/** The charge of the calls that may have been charged; undefined if unknown. */
	open?: OpenCalls;
}

interface OpenCalls {
	calls: number;
	/** Maximum credits, and those that were charged. */
	most: number;
	charged: number;
	/** Whether no more can be charged for them. */
	isFinal: boolean;
}

/** What the balances say about a run. */
export interface Findings {
	taken: Taken[];
	/** Why the balances could not be read after the run. */
	unread?: string;
}

/**
 * Compares the balances before and after the calls of a run.
 * @param of whether other runs of this process paid from a balance meanwhile, and whether its readings are not late
 */
export function findTaken(
	before: Balances,
	after: Balances,
	tallies: ReadonlyMap<Account, Tally>,
	of: { isUsedByOthers: (balance: Balance) => boolean; isSure: (balance: Balance) => boolean },
): Findings {
	const tools = tallies.get('tool server');
	const names = new Set<string>([...Object.keys(before), ...tallies.keys()]);
	names.delete('tool server');
	const taken = ([...names] as Balance[]).flatMap((balance): Taken[] => {
		const credits = (before[balance] ?? NaN) - (after[balance] ?? NaN);
		const tally = tallies.get(balance);
		if (!tally && (!tools || credits === 0)) return [];
		if (Number.isNaN(credits)) return [{ balance, isHidden: true }];
		if (of.isUsedByOthers(balance)) return [{ balance }];
		if (tools || !tally) return [credits < 0 ? { balance } : { balance, credits }];
		return [judge(balance, credits, tally, of.isSure(balance))];
	});
	return { taken };
}

/** SPEC §4.2: an email credit is reserved, and refunded where the check has no result. */
const REFUNDED: Balance = 'email';

function judge(balance: Balance, credits: number, tally: Tally, isSure: boolean): Taken {
	const { answered, charged, open, openMost, goingOn, unpriced, kinds } = tally;
	const rest = credits - charged;
	// Less than was certainly charged, or more than can have been: somebody else spent, or added credits
	if (rest < 0 || (unpriced === 0 && rest > openMost)) return { balance };
	if (unpriced > 0) {
		const isEven = open === 0 && kinds.size === 1 && credits > 0 && credits % answered === 0;
		const facts = { balance, credits, ...(isEven && { each: credits / answered }) };
		if (open === 0 || credits > 0) return facts;
		const isFinal = isSure && goingOn === 0;
		return { ...facts, open: { calls: open, most: open, charged: 0, isFinal } };
	}
	if (open === 0) return { balance, credits };
	// All that can be charged is, unless it may come back
	const isMost = rest === openMost && balance !== REFUNDED;
	const isFinal = isSure && (goingOn === 0 || isMost);
	return { balance, credits, open: { calls: open, most: openMost, charged: rest, isFinal } };
}

/** Whether the possibly charged calls on an account were charged; undefined unless this is certain for all of them. */
export function wereCharged(
	findings: Findings | undefined,
	account: Account,
): 'no' | 'yes' | undefined {
	const open = findings?.taken.find(({ balance }) => balance === account)?.open;
	if (!open?.isFinal) return undefined;
	if (open.charged === open.most) return 'yes';
	return open.charged === 0 ? 'no' : undefined;
}

/** What the balances before and after a run prove, for the receipt and for Cost Log. */

export function proofOf(findings: Findings | undefined): Proof | undefined {
	if (!findings) return undefined;
	const judged = findings.taken.flatMap(({ balance, open }) => (open ? balance : []));
	return {
		sentences: [describeFindings(findings), ...findings.taken.flatMap(describeJudged)],
		judged: new Set(judged),
		wereCharged: (account) => wereCharged(findings, account),
	};
}

function describeFindings({ taken, unread }: Findings): string {
	if (unread !== undefined) return `The balances couldn't be read after the run: ${unread}`;
	const sums = taken.length === 0 ? 'nothing' : taken.map(describeTaken).join(', ');
	return `Taken from the balances: ${sums}`;
}

function describeTaken({ balance, credits, each, isHidden }: Taken): string {
	const name = BALANCE_NAMES[balance];
	if (isHidden) return `${name} unclear (the service doesn't show it)`;
	if (credits === undefined) return `${name} unclear (others used the account too)`;
	return `${count(credits, `${name} credit`)}${each === undefined ? '' : ` (${each} per call)`}`;
}

function describeJudged({ balance, open }: Taken): string[] {
	if (!open) return [];
	const { calls, most, charged, isFinal } = open;
	const one = most > calls ? `${BALANCE_NAMES[balance]} credit` : `${nameOfCalls(balance)} call`;
	const all = `${most > calls ? 'up to ' : ''}${count(most, one)}`;
	// The first line of the receipt leaves these calls out
	const were =
		charged === 0 ? 'none was' : `${charged} ${charged === 1 ? 'was' : 'were'} charged too`;
	return [`Of ${all} that may have been charged, ${isFinal ? '' : 'so far '}${were}`];
}
