import type { INodeExecutionData } from 'n8n-workflow';
import type { Spending } from './parseReceipt';

/** A row of Cost Log, as the guide describes it. */
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
	// What earlier tries and rounds found out is not in the last receipt
	const isUntold = looksBack && said.hasEarlier;
	const found: string[] = [];
	const compare = (what: string, inRows: number, least: number, most = least) => {
		if (inRows < least || inRows > most)
			found.push(`${what}: ledger ${inRows}, receipt ${least} to ${most}`);
	};
	const judgedCalls = Object.values(said.judged).reduce((sum, { most }) => sum + most, 0);
	const open = rows.filter(({ charged }) => charged === 'perhaps');
	const mayBeClosed = isUntold || judgedCalls > 0;
	compare('open calls', open.length, mayBeClosed ? 0 : said.open, said.open + judgedCalls);
	compare('open credits', sumOf(open).most, 0, said.mostOpen);
	const names = [said.credits, said.unpriced, said.free, said.openOn, said.judged].flatMap((list) =>
		Object.keys(list),
	);
	for (const balance of new Set([...names, ...rows.map((row) => row.balance)])) {
		const own = rows.filter((row) => row.balance === balance);
		const count = (charged: LedgerRow['charged'], isUnpriced = false) =>
			own.filter((row) => row.charged === charged && (row.credits === null) === isUnpriced).length;
		const { most = 0, charged = 0, isFinal = false } = said.judged[balance] ?? {};
		const areAllOrNone = isFinal && (charged === 0 || charged === most);
		const closed = isUntold ? said.mostOpen : 0;
		const spent = (said.credits[balance] ?? 0) + (areAllOrNone ? charged : 0);
		const free = said.free[balance] ?? 0;
		const unpriced = said.unpriced[balance] ?? 0;
		const more = isUntold ? said.open + judgedCalls : 0;
		compare(`credits of ${balance}`, sumOf(own).least, spent, spent + closed);
		compare(`unpriced calls of ${balance}`, count('yes', true), unpriced, unpriced + more);
		const notCharged = areAllOrNone && charged === 0 ? most : 0;
		compare(`free calls of ${balance}`, count('no'), free, free + more + notCharged);
		if (areAllOrNone && !isUntold) compare(`open calls of ${balance}`, count('perhaps'), 0);
		const hasBalances = Object.values(said.openOn).reduce((sum, n) => sum + n, 0) === said.open;
		if (hasBalances && !mayBeClosed) {
			const all = count('perhaps') + count('perhaps', true);
			compare(`open calls of ${balance}`, all, said.openOn[balance] ?? 0);
		}
	}
	return found;
}
