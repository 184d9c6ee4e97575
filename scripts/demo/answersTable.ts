import Table from 'cli-table3';
import type { EnrichedLead, Lookup } from './lookups';
import { answerOf, hadInput, LOOKUPS, wasSpared } from './lookups';
import { reasonsList } from './reasons';
import { hang, widthOf, wrap } from './textWidth';
import { counted } from './wording';

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
	{ title: 'Phone', cell: (one) => outcome(one, PHONE) },
	{ title: 'Line type', cell: lineType, spare: 2 },
	{ title: 'Carrier', cell: (one) => answerOf(one, PHONE).carrier, spare: 3, least: 12 },
	{ title: 'Country', cell: (one) => answerOf(one, PHONE).countryCode, spare: 1 },
	{ title: 'WhatsApp', cell: (one) => outcome(one, WHATSAPP) },
	{ title: 'Email', cell: (one) => outcome(one, EMAIL) },
	{ title: 'IP', cell: location, least: 13 },
];
const SHARED = '=';
const LOCAL = '°';
const NOTHING = '–';
const SPARED = 'not needed';
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
	const parts = [table.toString(), ...legend(enriched, terminal)];
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

function outcome(one: EnrichedLead, lookup: Lookup): string {
	const { outcome: given, source } = answerOf(one, lookup);
	if (!hadInput(one.lead, lookup)) return NOTHING;
	if (given === undefined) return '';
	if (wasSpared(one, lookup)) return SPARED;
	return `${lookup.words[String(given)] ?? String(given)}${markOf(source)}`;
}

function markOf(source: unknown): string {
	if (source === 'local') return ` ${LOCAL}`;
	return source === 'duplicate' ? ` ${SHARED}` : '';
}

function lineType(one: EnrichedLead): string {
	return String(answerOf(one, PHONE).lineType ?? '')
		.replace('_or_', '/')
		.replaceAll('_', ' ');
}

function location(one: EnrichedLead): string {
	const answer = answerOf(one, LOCATION);
	if (answer.outcome !== 'positive') return outcome(one, LOCATION);
	const words = [answer.countryCode ?? answer.countryName, answer.city].filter(Boolean).join(' ');
	return `${words}${markOf(answer.source)}`;
}

/** What the marks mean, and how many cells have each. */
function legend(enriched: EnrichedLead[], terminal: number): string[] {
	const cells = enriched.flatMap((one) => LOOKUPS.map((lookup) => ({ one, lookup })));
	const answered = cells.filter(({ one, lookup }) => hadInput(one.lead, lookup));
	const spared = answered.filter(({ one, lookup }) => wasSpared(one, lookup)).length;
	const from = (source: string) =>
		answered.filter(({ one, lookup }) => answerOf(one, lookup).source === source).length;
	const entries: Array<[mark: string, count: number, text: string]> = [
		[SHARED, from('duplicate'), 'shared with an equal lead, paid once'],
		[LOCAL, from('local') - spared, 'answered without a call'],
		[SPARED, spared, 'the phone number is invalid, so WhatsApp needs no call'],
		[NOTHING, cells.length - answered.length, 'empty in the file'],
	];
	return entries
		.filter(([, count]) => count > 0)
		.map(([mark, count, text]) =>
			hang(`  ${mark.padEnd(SPARED.length)}  `, `${counted(count, 'lookup')}: ${text}`, terminal),
		);
}

/** Cells come from a file and a service: no control characters on the terminal. */
function printable(value: unknown): string {
	return String(value ?? '').replace(/[^\P{C}\n]/gu, '');
}
