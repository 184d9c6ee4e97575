import type { Sandbox } from '../../test/sandbox/index.ts';

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
		words: { positive: 'valid', negative: 'invalid', unknown: 'unknown' },
		isCall: ({ path }) => path.endsWith('/phonevalidation'),
	},
	{
		title: 'WhatsApp',
		node: 'Check WhatsApp',
		field: 'whatsAppCheck',
		balance: 'whatsapp',
		words: { positive: 'yes', negative: 'no', unknown: 'unknown' },
		isCall: ({ path }) => path.endsWith('/checkwanumber'),
	},
	{
		title: 'Email',
		node: 'Verify Email',
		field: 'emailCheck',
		balance: 'email',
		words: { positive: 'deliverable', negative: 'undeliverable', unknown: 'unknown' },
		isCall: ({ path }) => path.endsWith('/checkemail'),
	},
	{
		title: 'GeoIP',
		node: 'Locate IP',
		field: 'locationCheck',
		balance: 'geoip',
		words: { positive: 'located', negative: 'not located', unknown: 'unknown' },
		isCall: ({ host }) => host === 'geoip',
	},
];
