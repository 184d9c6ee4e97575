import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../test/sandbox';
import type { Column } from './columnNames';
import type { Lead } from './csv';
import type { Root } from './options.mts';

type RequestRecord = Sandbox['log'][number];
type Balance = keyof ReturnType<Sandbox['spent']>;

/** The node of the example workflow that makes all lookups, and the field that it puts its result in. */
export const NODE = 'Enrich Lead';
export const RESULT = 'contactResult';

/** A lead and what the node made of it. */
export interface EnrichedLead {
	lead: Lead;
	/** Empty where it did not come to that. */
	contact: IDataObject;
}

/** One of the four lookups of a lead. */
export interface Lookup {
	title: string;
	/** Its section of the result, as the node's reasons name it, and the column that it is about. */
	section: string;
	name: string;
	column: Column;
	/** The balance that it debits, as the receipt and the sandbox's ledger call it. */
	balance: Balance;
	/** Which of the service's addresses it asks. */
	root: Root;
	/** What its three outcomes are called in the table. */
	words: Record<string, string>;
	isCall(request: RequestRecord): boolean;
}

export const LOOKUPS: Lookup[] = [
	{
		title: 'Phone',
		section: 'phone',
		name: 'Phone Validation',
		column: 'phone',
		balance: 'phone',
		root: 'lookup-url',
		words: { positive: 'valid', negative: 'invalid', unknown: 'unknown' },
		isCall: ({ path }) => path.endsWith('/phonevalidation'),
	},
	{
		title: 'WhatsApp',
		section: 'whatsApp',
		name: 'WhatsApp',
		column: 'phone',
		balance: 'whatsapp',
		root: 'base-url',
		words: { positive: 'yes', negative: 'no', unknown: 'unknown' },
		isCall: ({ path }) => path.endsWith('/checkwanumber'),
	},
	{
		title: 'Email',
		section: 'email',
		name: 'Email Verification',
		column: 'email',
		balance: 'email',
		root: 'base-url',
		words: { positive: 'deliverable', negative: 'undeliverable', unknown: 'unknown' },
		isCall: ({ path }) => path.endsWith('/checkemail'),
	},
	{
		title: 'GeoIP',
		section: 'geoIp',
		name: 'GeoIP',
		column: 'ip',
		balance: 'geoip',
		root: 'geoip-url',
		words: { positive: 'located', negative: 'not located', unknown: 'unknown' },
		isCall: ({ host }) => host === 'geoip',
	},
];

/** What a lookup said about a lead; empty where there was nothing to ask or it did not come to that. */
export function answerOf({ lead, contact }: EnrichedLead, lookup: Lookup): IDataObject {
	const section = contact[lookup.section] as IDataObject | undefined;
	if (section) return section;
	const { outcome, source, reason } = contact;
	return hadInput(lead, lookup) ? { outcome, source, reason } : {};
}

/** Whether a lead has a value for a lookup. */
export function hadInput({ values }: Lead, { column }: Lookup): boolean {
	return values[column].trim() !== '';
}

/** A number that validation has called invalid is not looked up on WhatsApp. */
export function wasSpared(one: EnrichedLead, lookup: Lookup): boolean {
	const [phone, whatsApp] = LOOKUPS;
	const isInvalid = hadInput(one.lead, phone) && answerOf(one, phone).outcome === 'negative';
	return lookup === whatsApp && isInvalid && answerOf(one, lookup).source === 'local';
}
