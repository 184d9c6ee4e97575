import { BALANCE_NAMES } from '../../engine/billing/ledger';
import type { Estimate } from '../../engine/billing/estimate';
import type { Account, Balance } from '../../engine/client';
import { isFailed } from '../../engine/operation';
import { FEW_CREDITS } from '../../engine/output/remedies';
import { count } from '../../engine/plan/values';
import type { Failed, Failure } from '../../engine/results';
import type { Balances } from '../../operations/account/balances';
import { describeFloor, FLOOR, type Floors, notShown } from './floors';

/** The account as a run sees it before its calls. */
interface CheckedAccount {
	look(): Promise<Balances | Failed>;
	/** Credits that earlier calls may still cost, since it is unknown whether they were charged. */
	openOn(balance: Balance): number;
}

/**
 * Compares the possible cost of the run with the account's balance above its floors (Check Balance, Minimum Balance).
 * @param account reads the balances, and knows the possible cost of earlier calls
 * @param tells whether to report missing balances
 * @returns why the account cannot pay for the run, if it cannot; otherwise a sentence about missing balances
 */
export async function compareBalances(
	estimate: Estimate,
	account: CheckedAccount,
	floors: Floors,
	tells: boolean,
): Promise<{ failure?: Failure; note?: string }> {
	const balances = await account.look();
	if (isFailed(balances)) {
		const reason = `the balance couldn't be read: ${balances.failure.reason}`;
		return { failure: { ...balances.failure, reason } };
	}
	const unclear: string[] = [];
	for (const [name, most] of estimate.credits) {
		const unpriced = estimate.unpriced.get(name) ?? 0;
		const failure = underFloor({ name, most, unpriced }, balances, floors, account);
		if (failure) return { failure };
		const left = (balances as Partial<Record<Account, number>>)[name];
		if (left === undefined)
			unclear.push(`The service doesn't show the ${BALANCE_NAMES[name]} balance.`);
		else if (most === undefined)
			unclear.push(`Before the run, the account had ${left} ${BALANCE_NAMES[name]} credits.`);
	}
	return unclear.length === 0 || !tells ? {} : { note: unclear.join(' ') };
}

/** Why a balance cannot pay its share; undefined if it can, or if the balance is not shown. */
function underFloor(
	{ name, most, unpriced }: { name: Account; most?: number; unpriced: number },
	balances: Balances,
	floors: Floors,
	account: Pick<CheckedAccount, 'openOn'>,
): Failure | undefined {
	const shown = new Map(Object.entries(balances) as Array<[Balance, number]>);
	// The name of a tool does not tell which balance it debits
	const held = name === 'tool server' ? [...floors.keys()] : [name as Balance];
	for (const balance of held) {
		const floor = floors.get(balance);
		const left = shown.get(balance);
		if (left === undefined) {
			if (floor !== undefined) return { ...notShown(balance), scope: 'question' };
			continue;
		}
		// Without a floor, the service itself refuses calls that the balance can't pay
		const open = floor === undefined ? 0 : account.openOn(balance);
		const room = left - (floor ?? 0) - open;
		// A call without a stated price costs one credit at least
		if (room > 0 && (most ?? 0) + unpriced <= room) continue;
		const of = BALANCE_NAMES[balance];
		const has = describeFloor(balance, left, floor, open);
		const failed = (reason: string): Failure => ({
			...{ cause: 'budget', reason, scope: 'question' },
			remedy: floor === undefined ? FEW_CREDITS : FLOOR,
		});
		if (left <= 0 || (most === undefined && room <= 0)) return failed(has);
		if (unpriced === 0) {
			return failed(`the run may cost up to ${count(most ?? 0, `${of} credit`)}, but ${has}`);
		}
		const what = name === 'tool server' ? 'tool lookup' : 'call';
		const calls = `${count(unpriced, what)} without a stated price`;
		const beside = most ? `, and up to ${most} ${of} credits beside` : '';
		return failed(
			`the run makes up to ${calls}, each counted as 1 ${of} credit${beside}, but ${has}`,
		);
	}
	return undefined;
}
