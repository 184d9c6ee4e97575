import type { INodeExecutionData } from 'n8n-workflow';
import type { Spending } from './parseReceipt';

/** A row of the Ledger output, as the guide describes it. */
export interface LedgerRow {
	id: string;
	time: string;
	execution: string | null;
	operation: string;
	item: number;
	balance: string;
	credits: number | null;
	charged: 'no' | 'perhaps' | 'yes';
	tag: string;
}

const COLUMNS = [
	...['balance', 'charged', 'credits', 'execution', 'id', 'item'],
	...['operation', 'tag', 'time'],
];

export function ledgerOf(items: INodeExecutionData[]): LedgerRow[] {
	return items.map(({ json }) => json as unknown as LedgerRow);
}

/** The items that a row is linked to. */
export function linksOf({ pairedItem }: INodeExecutionData): number[] {
	return [pairedItem ?? []].flat().map((link) => (typeof link === 'number' ? link : link.item));
}

/** Credits of rows: spent for certain, and what may have been spent beside. */
export function sumOf(rows: LedgerRow[]): { least: number; most: number } {
	const sum = (...of: Array<LedgerRow['charged']>) =>
		rows.reduce(
			(all, { charged, credits }) => all + (of.includes(charged) ? (credits ?? 0) : 0),
			0,
		);
	return { least: sum('yes', 'no'), most: sum('yes', 'no', 'perhaps') };
}

/** What is wrong with the form of rows. @param most items of the run */
export function formViolations(items: INodeExecutionData[], most: number): string[] {
	return items.flatMap((item) => {
		const [row] = ledgerOf([item]);
		const { id, time, credits, charged, balance, operation } = row;
		const links = linksOf(item);
		const isRight =
			Object.keys(row).sort().join() === COLUMNS.join() &&
			/^(\d+-)?\w{8}-\d+$/.test(id) &&
			/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time) &&
			(charged === 'no' ? credits === 0 : credits === null || credits > 0) &&
			/^[a-z ]+$/.test(balance) &&
			/^\w+\.\w+$/.test(operation) &&
			links[0] === row.item &&
			links.every((link, n) => link >= 0 && link < most && (n === 0 || link > links[n - 1]));
		return isRight ? [] : [`a row of the ledger: ${JSON.stringify({ ...row, links })}`];
	});
}

/**
 * Where the rows of an execution say something else than its receipt.
 * @param looksBack with Check Balance before and after, by which calls that may have been charged turn out to be or not
 */
export function receiptMismatches(rows: LedgerRow[], said: Spending, looksBack = false): string[] {
	const found: string[] = [];
	const compare = (what: string, inRows: unknown, least: unknown, most = least) => {
		const isWithin = Number(inRows) >= Number(least) && Number(inRows) <= Number(most);
		if (inRows !== least && !isWithin)
			found.push(`${what}: ledger ${String(inRows)}, receipt ${String(least)} to ${String(most)}`);
	};
	const open = rows.filter(({ charged }) => charged === 'perhaps');
	const openSaid = said.lost + said.refused;
	const { most } = sumOf(open);
	const mostSaid = said.mostLostCredits + said.mostRefusedCredits;
	// What earlier tries and rounds told is not in the last receipt
	const isUntold = looksBack && said.hasEarlier;
	const hasTold = isUntold || Object.keys(said.told).length > 0;
	compare('paid calls', rows.length, said.paidCalls + said.refused);
	compare('calls that may have been charged', open.length, hasTold ? 0 : openSaid, openSaid);
	if (most > mostSaid) found.push(`open credits: ledger ${most}, receipt ${mostSaid}`);
	for (const balance of new Set([
		...Object.keys(said.credits),
		...rows.map((row) => row.balance),
	])) {
		const own = rows.filter((row) => row.balance === balance);
		const closed = own.filter(({ charged }) => charged !== 'perhaps');
		const stated = said.credits[balance] ?? 0;
		const told = said.told[balance];
		const isTold = told !== undefined;
		if (isTold && !isUntold) compare(`closed calls of ${balance}`, closed.length, own.length);
		const isUnpriced = closed.some(({ credits }) => credits === null);
		// Only lost replies: the receipt says 0 where there is a price, and 'not stated' where there is none
		const inRows = isUnpriced ? 'not stated' : sumOf(closed).least;
		if (stated !== 'not stated') {
			const least = stated + (told ?? 0);
			compare(balance, inRows, least, isUntold ? stated + mostSaid : least);
		} else if (closed.length > 0 && !isTold && !isUntold) compare(balance, inRows, stated);
	}
	return found;
}
