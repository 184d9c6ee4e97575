import type { IDataObject } from 'n8n-workflow';
import type { Balance } from '../../engine/client';
import type { Failure } from '../../engine/results';
import { parameterFailure } from '../../engine/operation';
import { inShort, isObject, textOf } from '../../engine/plan/values';

/** Check Balance and Minimum Balance. */
interface SpendingSettings {
	/** An option that cannot be read. */
	problem?: Failure;
	/** When the balances are read. */
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
