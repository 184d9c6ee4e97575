import { BALANCE_NAMES, nameOfCalls } from '../../engine/billing/ledger';
import type { Proof } from '../../engine/feature';
import { count } from '../../engine/output/receipt';
import { wereCharged, type Findings, type Taken } from './taken';

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
