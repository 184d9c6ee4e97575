import Table from 'cli-table3';
import type { IDataObject } from 'n8n-workflow';
import type { Lookup } from './lookups.mts';
import { LOOKUPS } from './lookups.mts';

const HEAD = [
	...['Lead', 'Phone', 'Line type', 'Carrier', 'Country'],
	...['WhatsApp', 'Email', 'IP', 'Reason'],
];
const WIDTHS = [11, 17, 10, 9, 11, 17, 18];
const BORDERS = HEAD.length + 1;
const PADDING = 2;
const NAME_MOST = 20;
const REASON_LEAST = 26;
const REASON_MOST = 42;
const WIDTH_WITHOUT_TERMINAL = 138;
/** Longer reasons are cut in the table; the output file has them whole. */
const REASON_TEXT_MOST = 60;

const LEGEND = '  =  shared with an equal lead, not paid again      °  answered here, nothing sent';

/** The answers, one row per lead. */
export function answersTable(items: IDataObject[], terminalWidth = WIDTH_WITHOUT_TERMINAL): string {
	const longest = Math.max(...items.map(({ name }) => printable(name).length));
	const lead = Math.min(Math.max(longest, HEAD[0].length), NAME_MOST) + PADDING;
	const fixed = WIDTHS.reduce((sum, width) => sum + width, lead + BORDERS);
	const reason = Math.max(REASON_LEAST, Math.min(REASON_MOST, terminalWidth - fixed));
	const table = new Table({
		head: HEAD,
		colWidths: [lead, ...WIDTHS, reason],
		wordWrap: true,
		style: { head: [], border: [], compact: true },
	});
	for (const item of items) table.push(rowOf(item));
	return `${table.toString()}\n${LEGEND}`;
}

function rowOf(item: IDataObject): string[] {
	const [phone, whatsApp, email, location] = LOOKUPS;
	const phoneAnswer = answerOf(item, phone);
	return [
		item.name,
		outcome(item, phone),
		String(phoneAnswer.lineType ?? '')
			.replace('_or_', '/')
			.replaceAll('_', ' '),
		phoneAnswer.carrier,
		phoneAnswer.countryCode,
		outcome(item, whatsApp),
		outcome(item, email),
		placeOf(item, location),
		reasons(item),
	].map(printable);
}

function answerOf(item: IDataObject, { field }: Lookup): IDataObject {
	return (item[field] as IDataObject | undefined) ?? {};
}

function outcome(item: IDataObject, lookup: Lookup): string {
	const { outcome: given, source } = answerOf(item, lookup);
	if (given === undefined) return '–';
	return `${lookup.words[String(given)] ?? String(given)}${markOf(source)}`;
}

function markOf(source: unknown): string {
	if (source === 'local') return ' °';
	return source === 'duplicate' || source === 'memory' ? ' =' : '';
}

function placeOf(item: IDataObject, lookup: Lookup): string {
	const answer = answerOf(item, lookup);
	if (answer.outcome !== 'positive') return outcome(item, lookup);
	const place = [answer.countryCode ?? answer.countryName, answer.city].filter(Boolean).join(' ');
	return `${place}${markOf(answer.source)}`;
}

/** Why answers are not the ones hoped for; lookups that say the same share a line. */
function reasons(item: IDataObject): string {
	const titles = new Map<string, string[]>();
	for (const lookup of LOOKUPS) {
		const { outcome: given, reason } = answerOf(item, lookup);
		if (given === 'positive' || !reason) continue;
		const text = shortened(withoutInput(String(reason)));
		titles.set(text, [...(titles.get(text) ?? []), lookup.title]);
	}
	return [...titles].map(([text, names]) => `${names.join(', ')}: ${text}`).join('\n');
}

/** `Phone Number ("n/a") has no digits` begins with what the row shows anyway. */
function withoutInput(reason: string): string {
	return reason.replace(/^(?:Phone Number|Email|IP Address) (?:\(".*?"\) )?(?=\w)/, '');
}

function shortened(text: string): string {
	if (text.length <= REASON_TEXT_MOST) return text;
	return `${text.slice(0, REASON_TEXT_MOST).replace(/[\s,;]+\S*$/, '')} …`;
}

/** Cells come from a file and a service: no control characters on the terminal. */
function printable(value: unknown): string {
	return String(value ?? '').replace(/[^\P{C}\n]/gu, '');
}
