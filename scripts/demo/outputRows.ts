import type { IDataObject } from 'n8n-workflow';
import type { LeadFile } from './csv';
import type { EnrichedLead } from './lookups';
import { RESULT } from './lookups';

/** What is added to the user's own columns, in this order: the useful values of a contact. */
const VALUES = [
	...['outcome', 'channels', 'signals'],
	...['phone_outcome', 'phone_phoneNumber', 'phone_lineType', 'phone_carrier', 'phone_countryCode'],
	...['whatsApp_outcome', 'email_outcome', 'geoIp_outcome', 'geoIp_countryCode', 'geoIp_city'],
	'reason',
];
/** Their columns, by the names that the node's Flat Columns have beside the input. */
export const ADDED = VALUES.map((value) => `${RESULT}_${value}`);

/** The sections that give a reason, in the order of the output. */
const SECTIONS = ['phone', 'whatsApp', 'email', 'geoIp'];

/** The user's own columns, first and as they are, then what was found out. */
export function csvRows({ columns }: LeadFile, enriched: EnrichedLead[]): string[][] {
	const rows = enriched.map(({ lead, contact }) => [
		...lead.cells,
		...VALUES.map((value) => cellOf(contact, value)),
	]);
	const header = [...columns, ...ADDED.map((column) => freeName(column, columns))];
	return [header, ...rows].map((cells) => cells.map(asCell));
}

/** The user's own columns as texts, then the whole contact. */
export function jsonRows({ columns }: LeadFile, enriched: EnrichedLead[]): IDataObject[] {
	return enriched.map(({ lead, contact }) => ({
		...Object.fromEntries(columns.map((column, index) => [column, lead.cells[index]])),
		[freeName(RESULT, columns)]: contact,
	}));
}

function cellOf(contact: IDataObject, column: string): string {
	if (column === 'signals') return trueOnes((contact.signals ?? {}) as IDataObject).join(', ');
	if (column === 'reason') return reasonsOf(contact).join('; ');
	const [section, field] = column.split('_');
	const value =
		field === undefined ? contact[section] : (contact[section] as IDataObject | undefined)?.[field];
	return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}

function trueOnes(signals: IDataObject): string[] {
	return Object.keys(signals).filter((name) => signals[name] === true);
}

/** Why answers are not the ones hoped for; each reason once. */
function reasonsOf(contact: IDataObject): string[] {
	const sections = SECTIONS.map((name) => contact[name] as IDataObject | undefined);
	const reasons = sections.flatMap((section) =>
		section && section.outcome !== 'positive' && section.reason ? [String(section.reason)] : [],
	);
	if (reasons.length > 0) return [...new Set(reasons)];
	return contact.reason ? [String(contact.reason)] : [];
}

/** `outcome`, or `outcome2` where the file has such a column of its own: from an earlier run, say. */
function freeName(name: string, columns: string[]): string {
	if (!columns.includes(name)) return name;
	let number = 2;
	while (columns.includes(`${name}${number}`)) number += 1;
	return `${name}${number}`;
}

/**
 * Spreadsheets run cells that begin with = + - @ (or their wide forms), a tab or a line break as formulas, and anyone
 * can fill in a form: an apostrophe before them makes them text. Numbers may begin with a sign, phone numbers too.
 */
export function asCell(text: string): string {
	const isFormula = /^[=＝@＠\t\r\n]/.test(text) || /^[+＋\-－](?![\p{Nd}\s().\-/]*$)/u.test(text);
	return isFormula ? `'${text}` : text;
}
