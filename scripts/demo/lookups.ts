import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../test/sandbox';
import type { Root } from './options.mts';

type RequestRecord = Sandbox['log'][number];
type Balance = keyof ReturnType<Sandbox['spent']>;

/** The node of the example workflow that makes all lookups, and the field that it puts its result in. */
export const NODE = 'Enrich Lead';
const RESULT = 'contact';

/** One of the four lookups of a lead. */
export interface Lookup {
	title: string;
	/** Its section of the result, as the node's reasons name it, and the value that it is about. */
	section: string;
	name: string;
	value: string;
	/** What its answer is called beside the lead's own columns. */
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
		section: 'phone',
		name: 'Phone Validation',
		value: 'phoneNumber',
		field: 'phoneCheck',
		balance: 'phone',
		root: 'lookup-url',
		words: { positive: 'valid', negative: 'invalid', unknown: 'unknown' },
		isCall: ({ path }) => path.endsWith('/phonevalidation'),
	},
	{
		title: 'WhatsApp',
		section: 'whatsApp',
		name: 'WhatsApp',
		value: 'phoneNumber',
		field: 'whatsAppCheck',
		balance: 'whatsapp',
		root: 'base-url',
		words: { positive: 'yes', negative: 'no', unknown: 'unknown' },
		isCall: ({ path }) => path.endsWith('/checkwanumber'),
	},
	{
		title: 'Email',
		section: 'email',
		name: 'Email Verification',
		value: 'email',
		field: 'emailCheck',
		balance: 'email',
		root: 'base-url',
		words: { positive: 'deliverable', negative: 'undeliverable', unknown: 'unknown' },
		isCall: ({ path }) => path.endsWith('/checkemail'),
	},
	{
		title: 'GeoIP',
		section: 'geoIp',
		name: 'IP Location',
		value: 'ipAddress',
		field: 'locationCheck',
		balance: 'geoip',
		root: 'geoip-url',
		words: { positive: 'located', negative: 'not located', unknown: 'unknown' },
		isCall: ({ host }) => host === 'geoip',
	},
];

/** The field beside the answers: what they say together. */
export const SIGNALS = 'signals';

/** What the node made of a lead; absent where it did not come to that. */
export function contactIn(json: IDataObject): IDataObject | undefined {
	return json[RESULT] as IDataObject | undefined;
}

/** The answers of a lead, each under its field, as they are shown and written; none where it did not come to that. */
export function answersIn(json: IDataObject): IDataObject {
	const result = contactIn(json);
	if (!result) return {};
	const answers = LOOKUPS.map((lookup) => [lookup.field, sectionOf(result, lookup)]);
	return { ...Object.fromEntries(answers), [SIGNALS]: result[SIGNALS] };
}

/** A section with the value that it is about. One that was not asked for want of a value is answered here. */
function sectionOf(result: IDataObject, { section, value }: Lookup): IDataObject {
	const input = (result.input as IDataObject)[value] ?? '';
	const { outcome, source, reason } = result;
	const whole =
		input === ''
			? { outcome: 'negative', source: 'local', reason: null }
			: { outcome, source, reason };
	return { input, ...((result[section] as IDataObject | null) ?? whole) };
}

/** What a lookup said about a lead; empty where it did not come to that. */
export function answerOf(item: IDataObject, { field }: Lookup): IDataObject {
	return (item[field] as IDataObject | undefined) ?? {};
}

/** Whether a lookup had a lead's value to look at. */
export function hadInput(item: IDataObject, lookup: Lookup): boolean {
	return String(answerOf(item, lookup).input ?? '').trim() !== '';
}

/** WhatsApp is not asked about a number that validation has called invalid. */
export function wasSpared(item: IDataObject, lookup: Lookup): boolean {
	const [phone, whatsApp] = LOOKUPS;
	const isInvalid = hadInput(item, phone) && answerOf(item, phone).outcome === 'negative';
	return lookup === whatsApp && isInvalid && answerOf(item, lookup).source === 'local';
}
