import type { IDataObject } from 'n8n-workflow';
import { BALANCE_NAMES } from '../../engine/billing/ledger';
import type { Balance } from '../../engine/client';
import { parameterFailure } from '../../engine/operation';
import { count, inShort, isObject, textOf } from '../../engine/plan/values';
import type { Failure, Remedy } from '../../engine/results';

/** How Check Balance and Minimum Balance are set, and why Minimum Balance keeps a call from being sent. */

interface SpendingSettings {
	/** An option that cannot be read. */
	problem?: Failure;
	checkBalance: 'before' | 'beforeAndAfter' | 'off';
	floors: Floors;
}

export function readSpending(options: IDataObject): SpendingSettings {
	const floors = readFloors(options.minimumBalance);
	const isProblem = 'reason' in floors;
	return {
		...(isProblem && { problem: floors }),
		checkBalance: (options.checkBalance ?? 'off') as SpendingSettings['checkBalance'],
		floors: isProblem ? new Map() : floors,
	};
}

/** Minimum Balance: how many credits a run leaves in the account, by balance. */
export type Floors = ReadonlyMap<Balance, number>;

/** The balances that the service shows (SPEC §2.1). */
export const SHOWN: readonly Balance[] = ['email', 'geoip', 'phone', 'whatsapp'];

/** The floors in the option, or why they cannot be read: an unreadable floor would have no effect. */
function readFloors(option: unknown): Failure | Floors {
	const floors = new Map<Balance, number>();
	for (const row of rowsOf(option)) {
		const { balance: name, credits } = isObject(row) ? row : ({} as IDataObject);
		const balance = SHOWN.find((shown) => shown === name);
		if (name === undefined) return wrong('names no balance');
		if (!balance) return wrong(`has an unknown balance (${inShort(textOf(name), 60)})`);
		if (floors.has(balance)) return wrong(`has the ${balance} balance twice`);
		const text = textOf(credits).trim();
		if (!/^\d{1,15}$/.test(text)) {
			const given = `has credits for the ${balance} balance that aren't a whole number`;
			return wrong(
				text === ''
					? `has no credits for the ${balance} balance`
					: `${given} (${inShort(text, 60)})`,
			);
		}
		floors.set(balance, Number(text));
	}
	return floors;
}

/** The rows as n8n has them; an expression instead of the option may return anything. */
function rowsOf(option: unknown): unknown[] {
	if (option === undefined || option === '' || option === null) return [];
	if (!isObject(option)) return [option];
	const rows = [option.balances ?? []].flat();
	return rows.length > 0 ? rows : [option];
}

function wrong(words: string): Failure {
	return parameterFailure(
		`Minimum Balance ${words}. Give each of email, geoip, phone and whatsapp at most one whole number of credits`,
	);
}

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
	floor: number | undefined,
	pending: number,
): string {
	const open = pending > 0 ? `, and earlier calls may still cost ${pending}` : '';
	const kept = floor === undefined ? '' : `, and Minimum Balance keeps ${floor}${open}`;
	return `the account has ${count(left, `${BALANCE_NAMES[balance]} credit`)}${kept}`;
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
