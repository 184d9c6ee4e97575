import type { Estimate } from './estimate';
import type { Account, Balance, Endpoint } from '../client';
import type { Failed, Failure, Refusal } from '../results';
import { isFailed } from '../operation';

/** Credits left, by balance, as far as the service shows them (SPEC §2.1). */
export type Balances = Partial<Record<Balance, number>>;

/** The free call that reads the balances. */
export type BalanceEndpoint = Endpoint<Balances | Refusal>;

/**
 * Check Balance First: compares what the run may cost with what the account holds.
 * @param readBalances makes the free call
 * @returns why the account cannot pay for the run, if it cannot; otherwise what the balances do not show, as a sentence
 */
export async function checkBalance(
	estimate: Estimate,
	readBalances: () => Promise<Balances | Failed>,
): Promise<{ failure?: Failure; note?: string }> {
	const balances = await readBalances();
	if (isFailed(balances)) {
		const reason = `the balance could not be read: ${balances.failure.reason}`;
		return { failure: { ...balances.failure, reason } };
	}
	const unclear: string[] = [];
	for (const [account, most] of estimate.credits) {
		const left = (balances as Partial<Record<Account, number>>)[account];
		if (left === undefined) unclear.push(`it does not show the ${account} balance`);
		else if (left <= 0) return noCredits(`the account has ${left} ${account} credits`);
		else if (most === undefined) unclear.push(`${account} has ${left} credits, price not stated`);
		else if (most > left) {
			const credits = `${account} ${most === 1 ? 'credit' : 'credits'}`;
			return noCredits(`the run may cost up to ${most} ${credits}, and the account has ${left}`);
		}
	}
	return unclear.length === 0 ? {} : { note: `Balance check: ${unclear.join('; ')}.` };
}

function noCredits(reason: string): { failure: Failure } {
	return { failure: { cause: 'credits', reason, scope: 'question' } };
}
