import type { Balance } from '../../engine/client';
import { BALANCE_NAMES } from '../../engine/billing/ledger';
import type { Failure, Remedy } from '../../engine/results';

/** Why Minimum Balance keeps a call from being sent. */

export const FLOOR: Remedy = {
	forUser: 'Add credits, lower Minimum Balance, or run fewer items',
	forModel: 'Look up fewer values, or ask the user to add credits',
	more: 'Minimum Balance keeps these credits in the account, both before the first paid call and after it.',
};

/** The failure of a call for which a floor leaves too little. */
export function noRoom(of: {
	balance: Balance;
	floor: number;
	left: number;
	pending: number;
	credits: number;
	/** The balance that the service shows. */
	shown?: number;
}): Failure {
	const { balance, floor, left, pending, credits, shown = left } = of;
	const most =
		credits > 1 ? `the call may cost up to ${credits} ${BALANCE_NAMES[balance]} credits, but ` : '';
	const late = shown > left ? ` (the service shows ${shown}, without the latest calls)` : '';
	const reason = `${most}${describeFloor(balance, left, floor, pending)}${late}`;
	// Fewer credits may be enough for another call
	const scope = left - floor - pending > 0 ? 'question' : 'account';
	return { cause: 'budget', reason, scope, remedy: FLOOR };
}

/** The remaining part of a balance after a floor and the calls that may still be charged, as a clause. */
export function describeFloor(
	balance: Balance,
	left: number,
	floor: number,
	pending: number,
): string {
	const credits = `${BALANCE_NAMES[balance]} ${left === 1 ? 'credit' : 'credits'}`;
	const open = pending > 0 ? `, and earlier calls may still cost ${pending}` : '';
	return `the account has ${left} ${credits}, and Minimum Balance keeps ${floor}${open}`;
}

/** The failure of a call with a floor under a balance that cannot be seen. */
export function notShown(balance: Balance): Failure {
	const reason = `Minimum Balance can't keep ${BALANCE_NAMES[balance]} credits, because the service doesn't show that balance`;
	return { cause: 'budget', reason, scope: 'account', remedy: HIDDEN };
}

const HIDDEN: Remedy = {
	forUser: 'Take that balance out of Minimum Balance',
	forModel: 'Ask the user to take that balance out of Minimum Balance',
	more: FLOOR.more,
};

/** The failure of a call that was not sent since the balances could not be read. */
export function balanceUnread(failure: Failure): Failure {
	if (failure.cause === 'notSent') return failure;
	const reason = `skipped because Minimum Balance is set and the balance couldn't be read: ${failure.reason}`;
	return { cause: 'notSent', reason, scope: failure.scope };
}
