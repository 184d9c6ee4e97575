import type { Product, RequestRecord } from '../../sandbox';

/** The paid endpoints, as chaos sees them in the sandbox's log. */

interface Endpoint {
	/** The fault rules' name for it. */
	path: string;
	/** What the sandbox debits. */
	product: Product;
	/** What the receipt books it under. */
	account: string;
	/** SPEC names the price. */
	isPriced: boolean;
	/** The values of a request to it, as they were sent: several for a batch. */
	asked: (sent: Sent) => unknown[];
	/** What all spellings of a value have in common, worked out here and not by the node. */
	canonical: (text: unknown) => string;
}

/** A request by its query, and by the fields of its body. */
interface Sent {
	query: Record<string, unknown>;
	body: Record<string, unknown>;
}

const plain = (text: unknown) => String(text).trim().toLowerCase();
const digits = (text: unknown) => plain(text).replace(/\D/g, '').replace(/^00/, '');
const mailbox = (text: unknown) => plain(text).replace(/^mailto:/, '');

export function canonicalAddress(text: unknown): string {
	const address = plain(text)
		.replace(/^\[|\]$/g, '')
		.replace(/^::ffff:/, '');
	return address.includes(':') ? address.replace(/(?::0)+:/, '::') : address;
}

const of = (product: Product, isPriced: boolean) => ({ product, account: product, isPriced });

export const ENDPOINTS = {
	checkemail: {
		...{ path: 'checkemail', ...of('email', true), canonical: mailbox },
		asked: ({ query }) => [query.email],
	},
	phonevalidation: {
		...{ path: 'phonevalidation', ...of('phone', true), canonical: digits },
		asked: ({ body }) => [body.phone_number],
	},
	calleridvalidation: {
		...{ path: 'calleridvalidation', ...of('callerinfo', true), canonical: digits },
		asked: ({ query }) => [query.phone_number],
	},
	checkwanumber: {
		...{ path: 'checkwanumber', ...of('whatsapp', false), canonical: digits },
		asked: ({ query }) => [query.number],
	},
	sendwasms: {
		...{ path: 'sendwasms', ...of('whatsapp', false), canonical: digits },
		asked: ({ query, body }) => [query.number ?? body.number],
	},
	batch: {
		...{ path: 'batch', ...of('whatsapp', true), canonical: digits },
		asked: ({ body }) => body.phone_numbers as unknown[],
	},
	geoip: {
		...{ path: '/', ...of('geoip', false), canonical: canonicalAddress },
		asked: ({ query }) => [query.ip],
	},
	audit_run: {
		...{ path: 'audit_run', ...of('audit', false), canonical: plain },
		asked: ({ body }) => [body.brand_name],
	},
	tool: {
		...{ path: 'mcp', product: 'email', account: 'tool server', isPriced: false },
		canonical: mailbox,
		asked: ({ body }) => {
			const { arguments: args } = (body.params ?? {}) as { arguments?: { email?: unknown } };
			return body.method === 'tools/call' && args ? [args.email] : [];
		},
	},
} satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** The endpoint that each operation pays for, by its name in rows. */
export const ENDPOINT_OF: Record<string, EndpointName> = {
	'email.verify': 'checkemail',
	'phone.validate': 'phonevalidation',
	'callerId.lookUp': 'calleridvalidation',
	'whatsApp.checkNumber': 'checkwanumber',
	'batch.checkMany': 'batch',
	'whatsApp.sendMessage': 'sendwasms',
	'geoIp.locate': 'geoip',
	'audit.run': 'audit_run',
	'audit.runAndWait': 'audit_run',
	'toolServer.callTool': 'tool',
};

export function endpoint(name: EndpointName): Endpoint {
	return ENDPOINTS[name];
}

/** Which paid endpoint a request went to, and what it asked there. */
export function askedBy(
	record: RequestRecord,
): { name: EndpointName; texts: unknown[] } | undefined {
	const name = nameOf(record);
	return name && { name, texts: endpoint(name).asked(sentIn(record)) };
}

function nameOf({ host, method, path }: RequestRecord): EndpointName | undefined {
	if (host === 'tools') return method === 'POST' ? 'tool' : undefined;
	if (host === 'geoip') return 'geoip';
	const last = path.split('/').pop() ?? '';
	return last in ENDPOINTS && last !== 'tool' ? (last as EndpointName) : undefined;
}

/** The text of a message; a form's fields count as the body. */
export function textIn(record: RequestRecord): unknown {
	const { query, body } = sentIn(record);
	return query.message ?? body.message;
}

function sentIn({ query, body }: RequestRecord): Sent {
	const sent = typeof body === 'object' && body !== null ? (body as Sent['body']) : {};
	return { query, body: (sent.fields as Sent['body'] | undefined) ?? sent };
}
