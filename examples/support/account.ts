import Table from 'cli-table3';
import type { Receipt } from '../../test/support/receipt';
import type { LedgerLine } from './ledger';
import type { Lookup } from './lookups';
import { LOOKUPS } from './lookups';

/** One lookup's receipt beside what the service recorded about it. */
export interface Line {
	lookup: Lookup;
	/** Absent when the node did not run, or was stopped before it could leave one. */
	receipt?: Receipt;
	/** Absent for the user's own service. */
	ledger?: LedgerLine;
}

type Figure = number | string | undefined;

interface Row {
	title: string;
	figure(line: Line): Figure;
	/** What stands under Total; the sum of the figures unless told otherwise. */
	total?(lines: Line[]): Figure;
}

/** Paid calls without a reply; the row is shown where there are any. */
const LOST = 'lost replies';

const RECEIPT: Row[] = [
	{
		title: 'items',
		figure: ({ receipt }) => receipt?.items,
		// The leads are the same in all four lookups.
		total: (lines) => Math.max(...lines.map(({ receipt }) => receipt?.items ?? 0)),
	},
	{ title: 'paid calls', figure: ({ receipt }) => receipt?.paidCalls },
	{
		title: 'duplicates saved',
		figure: ({ receipt }) => receipt && receipt.duplicates + receipt.remembered,
	},
	{ title: 'answered here', figure: ({ receipt }) => receipt?.local },
	{ title: 'failed', figure: ({ receipt }) => receipt?.failed },
	{ title: LOST, figure: ({ receipt }) => receipt?.lost },
	{
		title: 'credits',
		figure: ({ receipt, lookup }) => receipt && (creditsOf(receipt, lookup) ?? 0),
		total: (lines) => `${statedCredits(lines)} stated`,
	},
];
const LEDGER: Row[] = [
	{ title: 'calls answered', figure: ({ ledger }) => ledger?.answered },
	{ title: 'calls refused', figure: ({ ledger }) => ledger?.refused },
	{ title: 'calls charged', figure: ({ ledger }) => ledger?.charged },
	{ title: 'credits taken', figure: ({ ledger }) => ledger?.credits },
	{
		title: 'agrees',
		figure: (line) => (complaintAbout(line) === undefined ? 'yes' : 'NO'),
		total: () => '',
	},
];

export function accountFor(
	service: { ledger?(lookup: Lookup): LedgerLine },
	receiptOf: (lookup: Lookup) => Receipt | undefined,
): Line[] {
	return LOOKUPS.map((lookup) => ({
		lookup,
		receipt: receiptOf(lookup),
		ledger: service.ledger?.(lookup),
	}));
}

/** The receipt of each lookup and in total, with the ledger's own figures where there is a ledger. Fits 80 columns. */
export function accountTable(lines: Line[]): string {
	const table = new Table({
		head: ['', ...lines.map(({ lookup }) => lookup.title), 'Total'],
		colAligns: ['left', ...new Array<'right'>(lines.length + 1).fill('right')],
		style: { head: [], border: [], compact: true },
	});
	const add = (title: string, rows: Row[]) => {
		table.push([title, ...lines.map(() => ''), '']);
		for (const row of rows) table.push(cellsOf(row, lines));
	};
	const hasLost = lines.some(({ receipt }) => receipt && receipt.lost > 0);
	add(
		'Receipts of the nodes',
		RECEIPT.filter(({ title }) => title !== LOST || hasLost),
	);
	if (lines.some(({ ledger }) => ledger)) add('Ledger of the service', LEDGER);
	return table.toString();
}

function cellsOf({ title, figure, total = sumOf(figure) }: Row, lines: Line[]) {
	const figures = [...lines.map(figure), total(lines)];
	return [`  ${title}`, ...figures.map((value) => String(value ?? 'none'))];
}

function sumOf(figure: (line: Line) => Figure) {
	return (lines: Line[]) => lines.reduce((sum, line) => sum + Number(figure(line) ?? 0), 0);
}

function statedCredits(lines: Line[]): number {
	return lines.reduce((sum, { receipt, lookup }) => {
		const credits = receipt && creditsOf(receipt, lookup);
		return typeof credits === 'number' ? sum + credits : sum;
	}, 0);
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

/** The conclusion, in sentences. */
export function verdictOn(lines: Line[]): { agree: boolean; sentences: string[] } {
	const complaints = lines.map(complaintAbout).filter((complaint) => complaint !== undefined);
	if (complaints.length > 0)
		return { agree: false, sentences: [`Receipt and ledger DISAGREE. ${complaints.join('; ')}.`] };
	if (!lines.some(({ ledger }) => ledger)) return { agree: true, sentences: [WITHOUT_LEDGER] };

	const isStated = ({ receipt, lookup }: Line) =>
		receipt && creditsOf(receipt, lookup) !== 'not stated';
	const named = (some: Line[]) => some.map(({ lookup }) => lookup.title).join(', ');
	const stated = lines.filter(isStated);
	const unstated = lines.filter((line) => line.receipt && !isStated(line));
	const parts = ['Receipt and ledger agree.'];
	if (stated.length > 0) parts.push(`Same credits: ${named(stated)}.`);
	if (unstated.length > 0)
		parts.push(`Same calls: ${named(unstated)} (the service does not state what these cost).`);
	return { agree: true, sentences: [parts.join(' '), ...differences(lines)] };
}

const WITHOUT_LEDGER =
	'This is what the receipt says; only your service knows its own ledger (compare with its balance).';

/** Why not every call counts, where that shows. */
function differences(lines: Line[]): string[] {
	const sum = (figure: (ledger: LedgerLine) => number) =>
		lines.reduce((total, { ledger }) => total + (ledger ? figure(ledger) : 0), 0);
	const free = sum(({ answered, charged }) => answered - charged);
	const refused = sum((ledger) => ledger.refused);
	const sentences: string[] = [];
	if (free > 0)
		sentences.push(
			`${free} of the calls answered ${free === 1 ? 'was' : 'were'} free in the end: an INVALID phone number costs nothing, an inconclusive email check is refunded, and the sandbox does not charge for an address that it cannot locate.`,
		);
	if (refused > 0)
		sentences.push(
			`${refused} ${refused === 1 ? 'call was' : 'calls were'} refused with an error: not charged, and so no paid ${refused === 1 ? 'call' : 'calls'} on the receipt.`,
		);
	return sentences;
}
