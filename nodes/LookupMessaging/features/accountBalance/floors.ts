import type { IDataObject } from 'n8n-workflow';
import type { Estimate } from '../../engine/billing/estimate';
import { BALANCE_NAMES } from '../../engine/billing/ledger';
import type { Account, Balance } from '../../engine/client';
import { isFailed, parameterFailure } from '../../engine/operation';
import { FEW_CREDITS } from '../../engine/output/errors';
import { count, inShort, isObject, textOf } from '../../engine/plan/values';
import type { Failed, Failure, Remedy } from '../../engine/results';
import type { Balances } from '../../operations/account/balances';

/** How Minimum Balance is set, and why a balance keeps a run or a call from being sent. */

/** @returns no floors, and a problem, where the option cannot be read */
export function readSpending({ minimumBalance }: IDataObject) {
	const floors = readFloors(minimumBalance);
	const nothing: Floors = new Map();
	return 'reason' in floors ? { problem: floors, floors: nothing } : { floors };
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

/** The account as a run sees it before its calls. */
interface AccountBefore {
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
	account: AccountBefore,
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
	account: Pick<AccountBefore, 'openOn'>,
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
