import type { ClassName } from './faultClasses';
import type { ExpectedCall } from './expectedResults';
import { BROKE, NO_TIME, type Fault } from './faultList';
import type { CallUnderTest } from './callsUnderTest';

/** An operation that treats a fault differently from the fault's class, and why. */
export interface Exception extends Partial<ExpectedCall> {
	/** `resource.operation`, with or without its variant. */
	of: string[];
	/** Names of faults, or patterns of names. */
	faults: Array<RegExp | string>;
	class?: ClassName;
	/** It looks the same as another fault, which is tried. */
	isUntried?: true;
	why: string;
}

const RETYPED = 'A value of another type in every field';
const SHAPES = ['An empty object', 'Null in every field', RETYPED];
const TOOLS = ['toolServer.listTools', 'toolServer.callTool'];
const noSession = (faults: Exception['faults'], what: string): Exception => ({
	of: TOOLS,
	faults,
	class: 'unreachable',
	ending: 'stops',
	what: `the session with the tool server couldn't be opened: ${what}`,
	why: 'The handshake comes before all calls and is free.',
});
const HEALTH =
	'SPEC §4.3 shows no body for the health check. The HTTP status decides, unless `status` reports a problem.';

const DEEDS = [
	...['whatsApp.sendMessage', 'batch.submit', 'batch.checkMany (its submission)', 'audit.run'],
	...['audit.runAndWait (its start)', 'toolServer.callTool (of a paid tool)'],
];
/** What a side effect makes of a refusal because of the pace that has no words of the service. */
const maybeDone = (status: number): Exception => ({
	of: DEEDS,
	faults: [
		...(status === 429 ? [/^HTTP 429, /, 'HTTP 429 once'] : []),
		...(status === 503 ? [/^HTTP 503 with Retry-After/] : []),
	],
	class: 'lost',
	what: `the service returned HTTP ${status}, which doesn't say whether it did the work`,
	why: "A gateway may send such a page after the service behind it has acted. Only the service's own words say that the call was turned away.",
});

export const EXCEPTIONS: Exception[] = [
	{
		of: ['phone.validate (Detailed)', 'toolServer.callTool (of a free tool)', ...DEEDS],
		faults: [/^HTTP 30[1278] to another origin$/],
		class: 'seeOther',
		why: 'The call is a POST or sends a message. A service may redirect after it has done the work (RFC 9110 §15.4).',
	},
	maybeDone(429),
	maybeDone(503),
	{
		of: DEEDS,
		faults: ['HTTP 403 without words', 'HTTP 403, message: Forbidden'],
		cost: 'perhaps',
		why: 'A firewall that looks at replies blocks them after the service has acted.',
	},
	{
		of: ['account.getStatus'],
		faults: [/^200, (error|Insufficient|Credit|the value)/],
		class: 'unclear',
		why: 'SPEC §4.1: the status needs no key. One field decides, and the node reads no other.',
	},
	{
		of: ['account.getStatus'],
		faults: [/^200, (status|Please|Not|API key|inconclusive)/, /^HTTP 4.. with words$/],
		class: 'negative',
		why: 'SPEC §2.1: `status` false means that the service is down.',
	},
	{
		of: ['account.getStatus'],
		faults: ['HTTP 404 with words about the question'],
		what: 'the service refused the request (HTTP 404)',
		class: 'noPath',
		why: 'The status call has no value that could be unknown.',
	},
	{
		of: ['toolServer.checkHealth'],
		faults: [/^HTTP (408|500|502|503|504)$/, /^HTTP 503, /],
		class: 'negative',
		sent: 3,
		why: HEALTH,
	},
	{
		of: ['toolServer.checkHealth'],
		faults: [/^HTTP 429, /, 'HTTP 503 with Retry-After', /^Words about the pace/],
		class: 'negative',
		sent: 8,
		why: HEALTH,
	},
	{
		of: ['toolServer.checkHealth'],
		faults: [/^HTTP 40[13](,| with)/],
		class: 'answered',
		why: "SPEC §4.3 doesn't say that the health check takes a key. A server that asks for one is up.",
	},
	{
		of: ['toolServer.checkHealth'],
		faults: [/^HTTP 4.. with/, /^200, (status|Please|Not|API key|inconclusive)/],
		class: 'negative',
		why: HEALTH,
	},
	{
		of: ['toolServer.checkHealth'],
		faults: [
			/^(HTML|Empty body|Truncated|A JSON|JSON null|UTF-16)/,
			/^200, (error|Insufficient|Credit|the value)/,
			...SHAPES,
		],
		class: 'answered',
		why: HEALTH,
	},
	noSession(['Reset before the request was read', /^Plain text within/], BROKE),
	noSession(['Silence from the start'], NO_TIME),
	{
		of: TOOLS,
		faults: ['200, status false without words', 'An empty object'],
		class: 'refused',
		what: 'the tool server returned neither a result nor a reason',
		remedy: '',
		why: 'JSON-RPC 2.0 §5: a response has a result or an error.',
	},
	{
		of: ['toolServer.callTool'],
		faults: SHAPES.slice(1),
		class: 'answered',
		why: 'SPEC §4.3 shows no tool results. Any answer is the result.',
	},
	{
		of: ['email.verify', 'contact.enrich'],
		faults: [/^200, inconclusive/],
		class: 'unclear',
		why: 'SPEC §4.2, §7: an inconclusive check is unknown, and its credit is refunded. The list of reason codes is open.',
	},
	{
		of: ['account.getBalance'],
		faults: [RETYPED],
		class: 'answered',
		why: 'Digits in a text are a balance, too.',
	},
	{
		of: ['geoIp.locate (Basic)'],
		faults: ['200, status false without words'],
		class: 'unclear',
		why: 'SPEC §2.1 says of Basic only that `status` is false on error.',
	},
	{
		of: ['geoIp.locate (Detailed)'],
		faults: ['200, status false without words'],
		class: 'negative',
		why: "SPEC §2.5: `status` is true when the address was resolved, so false means that it wasn't.",
	},
	{
		of: ['geoIp.locate'],
		faults: [/^200, (status false, error in words|inconclusive)/],
		class: 'unclear',
		why: "The lookup failed. Only words that say that the address is unknown or has no place mean that it wasn't located.",
	},
	{
		of: ['batch.submit', 'batch.checkMany (its submission)'],
		faults: SHAPES.slice(0, 2),
		class: 'refused',
		what: 'the service accepted the batch but returned no ID. Contact your provider',
		remedy: '',
		why: 'Without its ID, nobody can get the batch.',
	},
	{
		of: ['batch.checkMany (its looks)', 'audit.runAndWait (its looks)'],
		faults: [/^HTTP 404 with/],
		class: 'lost',
		why: 'A service of several machines may not know a new job everywhere yet. The node asks again for two minutes.',
	},
	{
		of: ['batch.submit', 'batch.get', 'audit.run', 'audit.get', 'audit.getSummary'],
		faults: [RETYPED],
		class: 'answered',
		why: "An ID and a status can be numbers. SPEC §2.1 doesn't show what else an audit has.",
	},
	{
		of: ['account.getStatus', 'whatsApp.checkNumber', 'whatsApp.sendMessage'],
		faults: [RETYPED],
		class: 'answered',
		why: 'A flag of "true" in words is a yes, too.',
	},
	{
		of: ['audit.runAndWait (its start)', 'batch.checkMany (its submission)'],
		faults: [RETYPED],
		isUntried: true,
		why: 'An ID that is a number is still an ID. The polls then find no such job.',
	},
	{
		of: ['audit.runAndWait (its looks)'],
		faults: [RETYPED],
		class: 'lost',
		why: "A status that isn't a word says nothing, so the audit counts as running. The node asks again.",
	},
	{
		of: [
			...['scraper.searchForum', 'scraper.searchMicroblog', 'scraper.getForumPost'],
			...['scraper.getMicroblogPost', 'scraper.getMicroblogComments'],
		],
		faults: [RETYPED],
		class: 'answered',
		why: "SPEC §2.1 doesn't show what a result is. Any answer is one.",
	},
];

/** Whether an exception applies to a fault. */
export function matches({ faults }: Exception, { name }: Fault): boolean {
	return faults.some((known) => (known instanceof RegExp ? known.test(name) : known === name));
}

export function exceptionFor(target: CallUnderTest, fault: Fault): Exception | undefined {
	const names = [target.of, `${target.of} (${target.variant ?? ''})`];
	return EXCEPTIONS.find(
		(exception) => exception.of.some((name) => names.includes(name)) && matches(exception, fault),
	);
}
