import Table from 'cli-table3';
import type { Receipt } from '../../test/harness/parseReceipt';
import type { LookupUsage } from './usage';
import type { Lookup } from './lookups';
import { LOOKUPS } from './lookups';
import { counted } from './wording';

/** What the service recorded about one lookup. */
interface Line {
	lookup: Lookup;
	/** Absent for the user's own service. */
	usage?: LookupUsage;
}

/** The receipt of the node beside what the service recorded. */
interface Reconciliation {
	/** Absent when the node did not run, or was stopped before it could leave one. */
	receipt?: Receipt;
	lines: Line[];
}

type Figure = number | string | undefined;

interface Row {
	title: string;
	/** The cell under each lookup; undefined when there is a figure for all lookups together only. */
	figure?(line: Line): Figure;
	/** The cell under Total; by default the sum of the figures. */
	total?(): Figure;
}

export function reconcile(
	service: { usage?(lookup: Lookup): LookupUsage },
	receipt: Receipt | undefined,
): Reconciliation {
	const lines = LOOKUPS.map((lookup) => ({ lookup, usage: service.usage?.(lookup) }));
	return { receipt, lines };
}

/** Whether there is anything to account for. */
export function hasFigures({ receipt, lines }: Reconciliation): boolean {
	return receipt !== undefined || lines.some(({ usage }) => usage?.requests);
}

/** Whether the service's ledger can be read. */
export function hasLedger({ lines }: Reconciliation): boolean {
	return lines.some(({ usage }) => usage);
}

/** The service's own figures, and the credits that the receipt states. Fits 80 columns. */
export function reconciliationTable(reconciliation: Reconciliation): string {
	const { lines } = reconciliation;
	const table = new Table({
		head: ['', ...lines.map(({ lookup }) => lookup.title), 'Total'],
		colAligns: ['left', ...new Array<'right'>(lines.length + 1).fill('right')],
		style: { head: [], border: [], compact: true },
	});
	for (const row of ledgerRows(reconciliation)) table.push(cellsOf(row, lines));
	return table.toString();
}

function ledgerRows(reconciliation: Reconciliation): Row[] {
	const { receipt, lines } = reconciliation;
	const says = (complaint: string | undefined) => (complaint === undefined ? 'yes' : 'NO');
	return [
		{ title: 'calls answered', figure: ({ usage }) => usage?.answered },
		{ title: 'calls refused', figure: ({ usage }) => usage?.refused },
		{ title: 'calls charged', figure: ({ usage }) => usage?.charged },
		{ title: 'credits charged', figure: ({ usage }) => usage?.credits },
		{
			title: 'on the receipt',
			figure: ({ lookup }) => receipt && onReceipt(receipt, lookup),
			total: () => `${statedCredits(lines, receipt)} credits`,
		},
		{
			title: 'agrees',
			figure: (line) => says(complaintAboutCredits(line, reconciliation.receipt)),
			total: () => says(complaintAboutCalls(reconciliation)),
		},
	];
}

function cellsOf({ title, figure, total }: Row, lines: Line[]) {
	const figures = lines.map((line) => (figure ? (figure(line) ?? 'none') : ''));
	const sum = () => lines.reduce((all, line) => all + Number(figure?.(line) ?? 0), 0);
	return [title, ...figures.map(String), String((total ?? sum)() ?? 'none')];
}

function statedCredits(lines: Line[], receipt: Receipt | undefined): number {
	return lines.reduce((sum, { lookup }) => sum + (receipt?.credits[lookup.balance] ?? 0), 0);
}

function onReceipt({ credits, unpriced }: Receipt, { balance }: Lookup): string {
	const calls = unpriced[balance];
	return calls ? counted(calls, 'call') : String(credits[balance] ?? 0);
}

/**
 * Why the calls of receipt and ledger do not agree, or undefined when they do. Every answer that the service gave has to
 * be one call of the receipt. A call that may have been charged is on it whether the service answered or not.
 */
function complaintAboutCalls({ receipt, lines }: Reconciliation): string | undefined {
	const usages = lines.flatMap(({ usage }) => usage ?? []);
	const sum = (figure: keyof LookupUsage) => usages.reduce((all, line) => all + line[figure], 0);
	if (usages.length === 0) return undefined;
	if (!receipt) return sum('requests') === 0 ? undefined : 'The node left no receipt';
	const { calls, open } = receipt;
	if (isBetween(calls - open, sum('answered'), calls) && calls <= sum('requests')) {
		return undefined;
	}
	const ofThese = open > 0 ? ` (${open} of them may have been charged)` : '';
	return `${calls} paid calls on the receipt${ofThese}, ${sum('answered')} answered and ${sum('requests')} received by the service`;
}

/** Why the credits of a lookup do not agree, or undefined when they do; without a price, why the calls do not. */
function complaintAboutCredits({ lookup, usage }: Line, receipt?: Receipt): string | undefined {
	if (!usage || !receipt) return undefined;
	const { title, balance } = lookup;
	const { open, unpriced, free } = receipt;
	const credits = receipt.credits[balance] ?? 0;
	const calls = unpriced[balance] ?? 0;
	if (calls > 0) {
		const isEqual =
			usage.charged <= calls + open && usage.answered <= calls + (free[balance] ?? 0) + open;
		return isEqual
			? undefined
			: `${title}: ${usage.charged} of ${usage.answered} calls charged by the service, ${calls} calls on the receipt`;
	}
	return isBetween(credits, usage.credits, credits + open)
		? undefined
		: `${title}: ${credits} credits on the receipt, ${usage.credits} charged by the service`;
}

function isBetween(least: number, value: number, most: number): boolean {
	return least <= value && value <= most;
}

/** The conclusion, in sentences. */
export function verdictOn(reconciliation: Reconciliation): { agree: boolean; sentences: string[] } {
	const { receipt, lines } = reconciliation;
	const complaints = [
		complaintAboutCalls(reconciliation),
		...lines.map((line) => complaintAboutCredits(line, receipt)),
	].filter((complaint) => complaint !== undefined);
	if (complaints.length > 0)
		return { agree: false, sentences: [`Receipt and ledger DISAGREE. ${complaints.join('; ')}.`] };
	if (!hasLedger(reconciliation)) return { agree: true, sentences: [WITHOUT_LEDGER] };

	const named = (isStated: boolean) =>
		lines
			.filter(
				({ lookup }) => receipt && (receipt.unpriced[lookup.balance] === undefined) === isStated,
			)
			.map(({ lookup }) => lookup.title)
			.join(', ');
	const parts = ['Receipt and ledger agree: the same calls.'];
	if (named(true)) parts.push(`The same credits: ${named(true)}.`);
	if (named(false)) parts.push(`The service doesn't state the price of these: ${named(false)}.`);
	return { agree: true, sentences: [parts.join(' '), ...differences(lines)] };
}

const WITHOUT_LEDGER =
	'Only your service knows its own ledger. To check the receipt, compare your balance before and after.';

/** Why not every call counts, where that shows. */
function differences(lines: Line[]): string[] {
	const sum = (figure: (usage: LookupUsage) => number) =>
		lines.reduce((total, { usage }) => total + (usage ? figure(usage) : 0), 0);
	const free = sum(({ answered, charged }) => answered - charged);
	const refused = sum((usage) => usage.refused);
	const sentences: string[] = [];
	if (free > 0)
		sentences.push(
			`${counted(free, 'answered call')} ${free === 1 ? 'was' : 'were'} free: an invalid phone number costs nothing, an inconclusive email check gives its credit back, and the sandbox doesn't charge for an IP address that it can't locate.`,
		);
	if (refused > 0)
		sentences.push(
			`The service refused ${counted(refused, 'call')} with an error, and didn't charge for ${refused === 1 ? 'it' : 'them'}. The node can't see that, so its receipt says that ${refused === 1 ? 'it' : 'they'} may have been charged.`,
		);
	return sentences;
}
