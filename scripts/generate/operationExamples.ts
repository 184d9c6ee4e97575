import type { AnyOperation } from '../../nodes/LookupMessaging/engine/operation';
import { keepsByDefault, outputFieldOf } from '../../nodes/LookupMessaging/engine/plan/settings';
import { code } from './markdown';

/** An example of each operation: expressions for its fields, and one that reads its output. */

export interface Example {
	/** Expressions by field name. The placeholder of the field shows a value. */
	in: Record<string, string>;
	/** A field of the output, or a path inside one. */
	out: string;
}

const PHONE = { phoneNumber: '{{ $json.phone }}' };
const BRAND = { brandName: '{{ $json.brand }}', brandUrl: '{{ $json.website }}' };
const QUERY = { query: '{{ $json.topic }}' };
const POST = { postUrl: '{{ $json.url }}' };

const EXAMPLES: Record<string, Example> = {
	'account.getBalance': { in: {}, out: 'email' },
	'account.getStatus': { in: {}, out: 'available' },
	'audit.get': { in: { auditId: '{{ $json.auditId }}' }, out: 'score' },
	'audit.getSummary': { in: { auditId: '{{ $json.auditId }}' }, out: 'score' },
	'audit.run': { in: BRAND, out: 'auditId' },
	'audit.runAndWait': { in: BRAND, out: 'score' },
	'batch.checkMany': { in: PHONE, out: 'onWhatsApp' },
	'batch.get': { in: { batchId: '{{ $json.batchId }}' }, out: 'onWhatsApp' },
	'batch.submit': { in: PHONE, out: 'batchId' },
	'callerId.lookUp': { in: PHONE, out: 'name' },
	'contact.enrich': {
		in: { ...PHONE, email: '{{ $json.email }}', ipAddress: '{{ $json.ip }}' },
		out: 'phone.lineType',
	},
	'email.verify': { in: { email: '{{ $json.email }}' }, out: 'verdict' },
	'geoIp.locate': { in: { ipAddress: '{{ $json.ip }}' }, out: 'countryCode' },
	'phone.validate': { in: PHONE, out: 'lineType' },
	'scraper.getForumPost': { in: POST, out: 'title' },
	'scraper.getMicroblogComments': { in: POST, out: 'text' },
	'scraper.getMicroblogPost': { in: POST, out: 'likes' },
	'scraper.searchForum': { in: QUERY, out: 'title' },
	'scraper.searchMicroblog': { in: QUERY, out: 'text' },
	'toolServer.callTool': { in: { argumentsJson: '{{ { ip: $json.ip } }}' }, out: 'text' },
	'toolServer.checkHealth': { in: {}, out: 'healthy' },
	'toolServer.listTools': { in: {}, out: 'name' },
	'whatsApp.checkNumber': { in: PHONE, out: 'onWhatsApp' },
	'whatsApp.sendMessage': {
		in: { ...PHONE, message: 'Hi {{ $json.firstName }}, your order is on its way' },
		out: 'sent',
	},
};

/** The field that has the result unless the user wants it otherwise; undefined where the result is returned alone. */
export function defaultFieldOf(operation: AnyOperation): string | undefined {
	const isBesideInput = operation.subject !== undefined && keepsByDefault(operation);
	return isBesideInput ? outputFieldOf(operation.resource) : undefined;
}

/** An example in one line: what goes into the fields, and what the next node reads. */
export function exampleLine(operation: AnyOperation): string {
	const { resource, value, fields, output } = operation;
	const example = EXAMPLES[`${resource}.${value}`];
	if (!example) throw new Error(`${resource}.${value} has no example`);
	const filledIn = Object.entries(example.in).map(([name, expression]) => {
		const field = fields.find((each) => each.name === name);
		if (!field) throw new Error(`${resource}.${value} has no field ${name}`);
		const isWhole = /^\{\{.*\}\}$/.test(expression);
		const shown = isWhole && field.placeholder?.replace(/^e\.g\. /, '');
		return `**${field.displayName}** is ${code(expression)}${shown ? ` (${code(shown)})` : ''}.`;
	});
	const [name, ...path] = example.out.split('.');
	const found: unknown = output.find((each) => each.name === name)?.example;
	const shown = path.reduce<unknown>((held, key) => (Object(held) as never)[key], found);
	if (shown === undefined) throw new Error(`${resource}.${value} returns no ${example.out}`);
	const place = [defaultFieldOf(operation), example.out].filter((part) => part !== undefined);
	const read = `{{ $json.${place.join('.')} }}`;
	const result = code(typeof shown === 'string' ? shown : JSON.stringify(shown));
	return [...filledIn, `The next node reads ${code(read)} (${result}).`].join(' ');
}
