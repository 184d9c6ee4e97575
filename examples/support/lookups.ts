import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../test/sandbox';
import type { Root } from './options';

type RequestRecord = Sandbox['log'][number];
type Balance = keyof ReturnType<Sandbox['spent']>;

/** One of the four lookup nodes of the example workflow. */
export interface Lookup {
	title: string;
	/** The node's name in the workflow. */
	node: string;
	/** Where its answer stands beside the lead's own fields ('Put Result in Field'). */
	field: string;
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
		node: 'Validate Phone',
		field: 'phoneCheck',
		balance: 'phone',
		root: 'lookup-url',
		words: { positive: 'valid', negative: 'invalid', unknown: 'unknown' },
		isCall: ({ path }) => path.endsWith('/phonevalidation'),
	},
	{
		title: 'WhatsApp',
		node: 'Check WhatsApp',
		field: 'whatsAppCheck',
		balance: 'whatsapp',
		root: 'base-url',
		words: { positive: 'yes', negative: 'no', unknown: 'unknown' },
		isCall: ({ path }) => path.endsWith('/checkwanumber'),
	},
	{
		title: 'Email',
		node: 'Verify Email',
		field: 'emailCheck',
		balance: 'email',
		root: 'base-url',
		words: { positive: 'deliverable', negative: 'undeliverable', unknown: 'unknown' },
		isCall: ({ path }) => path.endsWith('/checkemail'),
	},
	{
		title: 'GeoIP',
		node: 'Locate IP',
		field: 'locationCheck',
		balance: 'geoip',
		root: 'geoip-url',
		words: { positive: 'located', negative: 'not located', unknown: 'unknown' },
		isCall: ({ host }) => host === 'geoip',
	},
];

/** What a lookup said about a lead; empty where it did not come to that. */
export function answerOf(item: IDataObject, { field }: Lookup): IDataObject {
	return (item[field] as IDataObject | undefined) ?? {};
}

/** Whether a lookup had a lead's value to look at. */
export function hadInput(item: IDataObject, lookup: Lookup): boolean {
	return String(answerOf(item, lookup).input ?? '').trim() !== '';
}

/** WhatsApp is given no number where validation has called the lead's own invalid. */
export function wasSpared(item: IDataObject, lookup: Lookup): boolean {
	const [phone, whatsApp] = LOOKUPS;
	const wasRun = answerOf(item, lookup).outcome !== undefined;
	return lookup === whatsApp && wasRun && hadInput(item, phone) && !hadInput(item, lookup);
}
