import Table from 'cli-table3';
import type { Receipt } from '../../test/support/receipt.ts';
import type { Lookup } from './lookups.mts';
import { LOOKUPS } from './lookups.mts';
import type { LedgerLine, Service } from './service.mts';

/** One lookup's receipt beside what the service recorded about it. */
export interface Line {
	lookup: Lookup;
	/** Absent when the node did not run, or was stopped before it could leave one. */
	receipt?: Receipt;
	/** Absent for the user's own service. */
	ledger?: LedgerLine;
}

export function accountFor(service: Service, receiptOf: (lookup: Lookup) => Receipt | undefined) {
	return LOOKUPS.map(
		(lookup): Line => ({
			lookup,
			receipt: receiptOf(lookup),
			ledger: service.ledger?.(lookup),
		}),
	);
}

/** The receipt of each lookup and in total, with the ledger's own figures where there is a ledger. */
export function accountTable(lines: Line[]): string {
	const withLedger = lines.some(({ ledger }) => ledger);
	const table = new Table({
		colAligns: ['left', ...new Array<'right'>(withLedger ? 10 : 6).fill('right')],
		style: { head: [], border: [], compact: true },
	});
	if (withLedger) {
		const titles: Table.Cell[] = [
			'',
			{ content: 'The receipts of the nodes', colSpan: 6, hAlign: 'left' },
			{ content: 'The ledger of the service', colSpan: 3, hAlign: 'left' },
			'',
		];
		table.push(titles);
	}
	table.push([
		...['Lookup', 'Items', 'Paid calls', 'Duplicates saved', 'Answered here', 'Failed', 'Credits'],
		...(withLedger ? ['Answered', 'Charged', 'Credits', 'Agree'] : []),
	]);
	for (const line of lines) table.push(rowOf(line, withLedger));
	table.push(totalRow(lines, withLedger));
	return table.toString();
}

function rowOf({ lookup, receipt, ledger }: Line, withLedger: boolean): Array<string | number> {
	const ours = receipt
		? [
				receipt.items,
				receipt.paidCalls,
				receipt.duplicates + receipt.remembered,
				receipt.local,
				receipt.failed,
				creditsOf(receipt, lookup) ?? 0,
			]
		: ['no receipt', '', '', '', '', ''];
	const theirs = ledger ? [ledger.answered, ledger.charged, ledger.credits] : ['', '', ''];
	const verdict = complaintAbout({ lookup, receipt, ledger }) === undefined ? 'yes' : 'NO';
	return [lookup.title, ...ours, ...(withLedger ? [...theirs, verdict] : [])];
}

function totalRow(lines: Line[], withLedger: boolean): Array<string | number> {
	const sum = (figure: (line: Line) => number | undefined) =>
		lines.reduce((total, line) => total + (figure(line) ?? 0), 0);
	const stated = sum(({ receipt, lookup }) => {
		const credits = receipt && creditsOf(receipt, lookup);
		return credits === 'not stated' ? 0 : credits;
	});
	return [
		'Total',
		// The leads are the same in all four lookups.
		Math.max(...lines.map(({ receipt }) => receipt?.items ?? 0)),
		sum(({ receipt }) => receipt?.paidCalls),
		sum(({ receipt }) => receipt && receipt.duplicates + receipt.remembered),
		sum(({ receipt }) => receipt?.local),
		sum(({ receipt }) => receipt?.failed),
		`${stated} stated`,
		...(withLedger
			? [
					sum(({ ledger }) => ledger?.answered),
					sum(({ ledger }) => ledger?.charged),
					sum(({ ledger }) => ledger?.credits),
					'',
				]
			: []),
	];
}

function creditsOf({ credits }: Receipt, { balance }: Lookup): number | 'not stated' | undefined {
	return credits[balance];
}

/**
 * Why receipt and ledger do not agree, or undefined when they do. Every answer that the service gave has to be one paid
 * call of the receipt. Where the service states the price, the credits have to be the same too; where it does not, no
 * more than the receipt's paid calls may have been charged.
 */
export function complaintAbout({ lookup, receipt, ledger }: Line): string | undefined {
	if (!ledger) return undefined;
	if (!receipt) return ledger.requests === 0 ? undefined : `${lookup.title} left no receipt`;
	const { paidCalls, lost } = receipt;
	const credits = creditsOf(receipt, lookup) ?? 0;
	const differ = (ours: number, theirs: number, what: string, verb: string) =>
		`${lookup.title}: ${ours} ${what} on the receipt${lost > 0 ? ` (${lost} of them lost)` : ''}, ${theirs} ${verb} by the service`;
	// A reply that was lost on the way is on the receipt, whether the service answered and charged it or not.
	if (!isBetween(paidCalls - lost, ledger.answered, paidCalls))
		return differ(paidCalls, ledger.answered, 'paid calls', 'answered');
	if (paidCalls > ledger.requests)
		return differ(paidCalls, ledger.requests, 'paid calls', 'received');
	if (credits === 'not stated')
		return ledger.charged > paidCalls
			? differ(paidCalls, ledger.charged, 'paid calls', 'charged')
			: undefined;
	return isBetween(credits, ledger.credits, credits + lost)
		? undefined
		: differ(credits, ledger.credits, 'credits', 'taken');
}

function isBetween(least: number, value: number, most: number): boolean {
	return least <= value && value <= most;
}

/** The conclusion, in words. */
export function verdictOn(lines: Line[]): { agree: boolean; text: string } {
	const complaints = lines.map(complaintAbout).filter((complaint) => complaint !== undefined);
	if (complaints.length > 0)
		return { agree: false, text: `Receipt and ledger DISAGREE. ${complaints.join('; ')}.` };
	if (!lines.some(({ ledger }) => ledger))
		return {
			agree: true,
			text: 'This is what the receipt says; only your service knows its own ledger (compare with its balance).',
		};
	const unstated = lines.filter(
		({ receipt, lookup }) => receipt && creditsOf(receipt, lookup) === 'not stated',
	);
	const named = (some: Line[]) => some.map(({ lookup }) => lookup.title).join(', ');
	const stated = lines.filter((line) => line.receipt && !unstated.includes(line));
	const parts = ['Receipt and ledger agree.'];
	if (stated.length > 0) parts.push(`Same credits: ${named(stated)}.`);
	if (unstated.length > 0) parts.push(`Same calls: ${named(unstated)} ${freeAnswers(unstated)}`);
	return { agree: true, text: parts.join(' ') };
}

function freeAnswers(unstated: Line[]): string {
	const free = unstated.reduce(
		(sum, { ledger }) => sum + (ledger ? ledger.answered - ledger.charged : 0),
		0,
	);
	const because = 'the service does not state what these cost';
	if (free === 0) return `(${because}; all of them were charged).`;
	return `(${because}; ${free} of them turned out to be free).`;
}
