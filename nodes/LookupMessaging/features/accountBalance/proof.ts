import type { Balances } from '../../operations/account/balances';
import { BALANCE_NAMES, nameOfCalls } from '../../engine/billing/ledger';
import type { Account, Balance } from '../../engine/client';
import type { Proof } from '../../engine/feature';
import { count } from '../../engine/plan/values';

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

/** The proof, for the receipt and for Cost Log. */
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
