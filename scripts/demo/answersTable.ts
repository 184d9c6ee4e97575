import Table from 'cli-table3';
import type { EnrichedLead } from './outputRows';
import type { Lookup } from './lookups';
import { answerOf, hadInput, LOOKUPS, wasSpared } from './lookups';
import { reasonsList } from './reasons';
import { hang, widthOf, wrap } from './textWidth';

interface ColumnOfTable {
	title: string;
	cell(one: EnrichedLead): unknown;
	/** Columns that may be left out on a narrow terminal, the highest first. */
	spare?: number;
	/** The width down to which its texts may be wrapped. */
	least?: number;
}

const [PHONE, WHATSAPP, EMAIL, LOCATION] = LOOKUPS;
const LONGEST_NAME = 20;
const SHORTEST_NAME = 10;

const COLUMNS: ColumnOfTable[] = [
	{ title: 'Lead', cell: labelOf, least: SHORTEST_NAME },
	{ title: 'Phone', cell: ({ item }) => outcome(item, PHONE) },
	{ title: 'Line type', cell: ({ item }) => lineType(item), spare: 2 },
	{ title: 'Carrier', cell: ({ item }) => answerOf(item, PHONE).carrier, spare: 3, least: 12 },
	{ title: 'Country', cell: ({ item }) => answerOf(item, PHONE).countryCode, spare: 1 },
	{ title: 'WhatsApp', cell: ({ item }) => outcome(item, WHATSAPP) },
	{ title: 'Email', cell: ({ item }) => outcome(item, EMAIL) },
	{ title: 'IP', cell: ({ item }) => location(item), least: 13 },
];
const LEGEND = [
	['  =  ', 'shared with an equal lead, not paid again'],
	['  °  ', 'answered here, nothing sent'],
];
const NOT_ASKED =
	'not asked: an invalid phone number is on no WhatsApp, so no check is paid for it';
const BORDER = 1;
const PADDING = 2;

/** The answers, one row per lead, then why they are not better; nothing is wider than `terminal`. */
export function answersTable(enriched: EnrichedLead[], terminal: number): string {
	const { columns, widths, dropped } = fit(enriched, terminal);
	const table = new Table({
		head: columns.map(({ title }) => title),
		colWidths: widths.map((width) => width + PADDING),
		style: { head: [], border: [], compact: true },
	});
	for (const one of enriched)
		table.push(
			columns.map((column, index) => wrap(printable(column.cell(one)), widths[index]).join('\n')),
		);
	const parts = [table.toString(), ...LEGEND.map(([mark, text]) => hang(mark, text, terminal))];
	if (enriched.some(({ item }) => wasSpared(item, WHATSAPP)))
		parts.push(hang('     ', NOT_ASKED, terminal));
	if (dropped.length > 0)
		parts.push(`  Left out at this width: ${dropped.map(({ title }) => title).join(', ')}`);
	const reasons = reasonsList(enriched, (one) => printable(labelOf(one)), terminal);
	return [parts.join('\n'), printable(reasons)].filter((part) => part !== '').join('\n\n');
}

/** Leaves columns out, and then narrows some, until the table fits. */
function fit(enriched: EnrichedLead[], terminal: number) {
	const dropped: ColumnOfTable[] = [];
	let columns = COLUMNS;
	let widths = columns.map((column) => naturalWidth(column, enriched));
	const excess = () =>
		widths.reduce((sum, width) => sum + width + PADDING + BORDER, BORDER) - terminal;
	const narrowed = () =>
		columns.reduce(
			(sum, { least }, index) => sum + (least ? Math.max(0, widths[index] - least) : 0),
			0,
		);
	while (excess() > narrowed() && columns.some(({ spare }) => spare)) {
		const goes = Math.max(...columns.map(({ spare = 0 }) => spare));
		dropped.unshift(...columns.filter(({ spare }) => spare === goes));
		columns = columns.filter(({ spare }) => spare !== goes);
		widths = columns.map((column) => naturalWidth(column, enriched));
	}
	while (excess() > 0) {
		const slack = columns.map(({ least }, index) => (least ? widths[index] - least : 0));
		const widest = slack.indexOf(Math.max(...slack));
		if (slack[widest] <= 0) break;
		widths[widest] -= 1;
	}
	return { columns, widths, dropped };
}

function naturalWidth({ title, cell }: ColumnOfTable, enriched: EnrichedLead[]): number {
	const widest = enriched.reduce(
		(most, one) => Math.max(most, widthOf(printable(cell(one)))),
		widthOf(title),
	);
	return title === 'Lead' ? Math.min(widest, LONGEST_NAME) : widest;
}

/** A lead without a name is called by its row. */
function labelOf({ lead }: EnrichedLead): string {
	return lead.values.name.trim() || `row ${lead.row}`;
}

function outcome(item: EnrichedLead['item'], lookup: Lookup): string {
	const { outcome: given, source } = answerOf(item, lookup);
	if (given === undefined) return '–';
	if (wasSpared(item, lookup)) return 'not asked °';
	if (!hadInput(item, lookup)) return 'no input °';
	return `${lookup.words[String(given)] ?? String(given)}${markOf(source)}`;
}

function markOf(source: unknown): string {
	if (source === 'local') return ' °';
	return source === 'duplicate' ? ' =' : '';
}

function lineType(item: EnrichedLead['item']): string {
	return String(answerOf(item, PHONE).lineType ?? '')
		.replace('_or_', '/')
		.replaceAll('_', ' ');
}

function location(item: EnrichedLead['item']): string {
	const answer = answerOf(item, LOCATION);
	if (answer.outcome !== 'positive') return outcome(item, LOCATION);
	const words = [answer.countryCode ?? answer.countryName, answer.city].filter(Boolean).join(' ');
	return `${words}${markOf(answer.source)}`;
}

/** Cells come from a file and a service: no control characters on the terminal. */
function printable(value: unknown): string {
	return String(value ?? '').replace(/[^\P{C}\n]/gu, '');
}
