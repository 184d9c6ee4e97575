import type { FaultEffect } from '../../sandbox';
import type { ClassName } from './faultClasses';

/** A port without the service behind it, and how it is broken. */
export type Port =
	| 'refused'
	| 'noHost'
	| 'noTls'
	| 'selfSigned'
	| 'resets'
	| 'silent'
	| 'plainInTls';

/** One way for a call to go wrong. */
export interface Fault {
	name: string;
	class: ClassName;
	/** What happened, according to the message; `{host}` stands for host and port. */
	what?: string;
	/** The effect on the wire. `redirect` leads to an address of the test. */
	effect?: FaultEffect;
	/** Instead of an effect: the root of the call leads to this port. */
	port?: Port;
	/** The service did its work, and charged for it unless it is free. */
	charged?: true;
	/** The fault happens once, not at each try. */
	isOnce?: true;
	/** Takes real time, because a time-out is part of it. */
	isSlow?: true;
	/** Takes much memory or time for its benefit: tried in the full matrix only. */
	isHeavy?: true;
}

const FAR = 'http://elsewhere.invalid/';
export const BROKE = 'the connection broke before the answer arrived';
export const NO_TIME = 'no answer arrived in time';
/** `{credits}` is the name of the balance, where the call has one. */
const NOT_ENOUGH = 'not enough {credits}credits';
const NO_OBJECT = "the answer isn't a JSON object (HTTP 200)";
const refusal = (reason: string) => `the service refused the request: ${reason}`;
const says = (body: object): FaultEffect => ({ kind: 'status', status: 200, body });
const bare = (status: number): FaultEffect => ({ kind: 'status', status, body: 'no' });

const NO_CONNECTION: Fault[] = [
	{
		name: 'Connection refused',
		class: 'unreachable',
		port: 'refused',
		what: "can't connect to {host}: the connection was refused",
	},
	{
		name: 'Host name unknown (DNS)',
		class: 'unreachable',
		port: 'noHost',
		what: "can't connect to {host}: the host name is unknown",
	},
	{
		name: 'https to a port that speaks http',
		class: 'unreachable',
		port: 'noTls',
		what: "can't connect to {host}: the TLS connection failed (EPROTO)",
	},
	{
		name: 'Self-signed certificate',
		class: 'unreachable',
		port: 'selfSigned',
		what: "can't connect to {host}: its TLS certificate is self-signed",
	},
];

const NO_ANSWER: Fault[] = [
	{ name: 'Reset before the request was read', class: 'lost', port: 'resets', what: BROKE },
	{
		name: 'Plain text within a TLS connection, after the request',
		class: 'lost',
		port: 'plainInTls',
		what: BROKE,
	},
	{ name: 'Silence from the start', class: 'lost', port: 'silent', what: NO_TIME, isSlow: true },
	{
		name: 'Reset before the work was done',
		class: 'lost',
		effect: { kind: 'resetBeforeCharge' },
		what: BROKE,
	},
	{
		name: 'Reset after the work was done',
		class: 'lost',
		effect: { kind: 'resetAfterCharge' },
		what: BROKE,
		charged: true,
	},
	{
		name: 'Time-out before the work was done',
		class: 'lost',
		effect: { kind: 'hangBeforeCharge' },
		what: NO_TIME,
		isSlow: true,
	},
	{
		name: 'Time-out after the work was done',
		class: 'lost',
		effect: { kind: 'hangAfterCharge' },
		what: NO_TIME,
		charged: true,
		isSlow: true,
	},
	{
		name: 'Slow drip: a byte now and then, past the time-out',
		class: 'lost',
		effect: { kind: 'drip', everyMs: 400 },
		what: NO_TIME,
		charged: true,
		isSlow: true,
	},
	{
		name: 'Broken off in the middle of the body',
		class: 'lost',
		effect: { kind: 'cutShort' },
		what: BROKE,
		charged: true,
	},
];

const NO_JSON: Fault[] = [
	{ name: 'HTML with 200', effect: { kind: 'html' } as const },
	{ name: 'Empty body', effect: { kind: 'emptyBody' } as const },
	{ name: 'Truncated JSON', effect: { kind: 'truncatedJson' } as const },
	{ name: 'A JSON array', effect: { kind: 'body', body: [] } as const },
	{ name: 'A JSON number', effect: { kind: 'body', body: 7 } as const },
	{ name: 'A JSON string', effect: { kind: 'body', body: '"yes"' } as const },
	{ name: 'JSON null', effect: { kind: 'body', body: null } as const },
	{ name: 'UTF-16', effect: { kind: 'charset', charset: 'utf-16' } as const },
].map((fault) => ({ ...fault, class: 'lost', what: NO_OBJECT, charged: true }));

const NO_HTTP: Fault[] = [
	{
		name: 'gzip that is none',
		class: 'lost',
		effect: { kind: 'gzip', broken: true },
		what: "the answer can't be decompressed",
		charged: true,
	},
	{
		name: 'Header flood (64 kB)',
		class: 'lost',
		effect: { kind: 'headerFlood', bytes: 65_536 },
		what: "the answer isn't valid HTTP",
		charged: true,
	},
];

const FAILED: Fault[] = [408, 500, 502, 503, 504].map((status) => ({
	name: `HTTP ${status}`,
	class: 'lost',
	effect: { kind: 'status', status },
	what:
		status === 408
			? 'the service gave up waiting (HTTP 408)'
			: `the service failed (HTTP ${status})`,
}));

const PACE: Fault[] = [
	...Object.entries({
		'no Retry-After': undefined,
		'Retry-After in seconds': '1',
		'Retry-After in half seconds': '1.5',
		'a date': 'date',
		'a date in the past': 'Sun, 06 Nov 1994 08:49:37 GMT',
		'Retry-After "2, 2"': '2, 2',
	}).map(
		([said, after]): Fault => ({
			name: `HTTP 429, ${said}`,
			class: 'throttled',
			effect: { kind: 'status', status: 429, ...(after && { headers: { 'retry-after': after } }) },
			what: 'the service is limiting the request rate (HTTP 429)',
		}),
	),
	...[429, 503].map(
		(status): Fault => ({
			name: `Words about the pace under HTTP ${status}`,
			class: 'throttled',
			effect: {
				...{ kind: 'status', status, headers: { 'retry-after': '1' } },
				body: { status: false, error: 'Too many requests' },
			},
			what: `the service is limiting the request rate (HTTP ${status})`,
		}),
	),
	...['+2', 'Sun, 06 Nov 1994 08:49:37 GMT'].map(
		(after): Fault => ({
			name: `HTTP 503, Retry-After "${after}"`,
			class: 'lost',
			effect: { kind: 'status', status: 503, headers: { 'retry-after': after } },
			what: 'the service failed (HTTP 503)',
		}),
	),
	{
		name: 'HTTP 503 with Retry-After',
		class: 'throttled',
		effect: { kind: 'status', status: 503, headers: { 'retry-after': '1' } },
		what: 'the service is limiting the request rate (HTTP 503)',
	},
	{
		name: 'HTTP 429 once',
		class: 'transient',
		effect: { kind: 'status', status: 429 },
		isOnce: true,
	},
	{
		name: 'HTTP 503 with Retry-After once',
		class: 'transient',
		effect: { kind: 'status', status: 503, headers: { 'retry-after': '2' } },
		isOnce: true,
	},
];

const REDIRECTS: Fault[] = [
	...[301, 302, 307, 308, 303].map(
		(status): Fault => ({
			name: `HTTP ${status} to another origin`,
			class: status === 303 ? 'seeOther' : 'redirected',
			effect: { kind: 'redirect', to: FAR, status },
			what: `the service redirects to another address (HTTP ${status})`,
		}),
	),
	{
		name: 'HTTP 303 to another origin, after the work was done',
		class: 'seeOther',
		effect: { kind: 'redirect', to: FAR, status: 303, isDone: true },
		what: 'the service redirects to another address (HTTP 303)',
		charged: true,
	},
];

const STATUSES: Fault[] = [
	...([401, 402, 403] as const).map(
		(status): Fault => ({
			name: `HTTP ${status} without words`,
			class: ({ 401: 'key', 402: 'credits', 403: 'account' } as const)[status],
			effect: bare(status),
			what: `the service refused the request (HTTP ${status})`,
		}),
	),
	...[404, 405].map(
		(status): Fault => ({
			name: `HTTP ${status} without words`,
			class: 'noPath',
			effect: bare(status),
			what: `the service refused the request (HTTP ${status})`,
		}),
	),
	{
		name: 'HTTP 403, message: Forbidden',
		class: 'account',
		effect: { kind: 'status', status: 403, body: { message: 'Forbidden' } },
		what: refusal('Forbidden'),
	},
	...[400, 410].map(
		(status): Fault => ({
			name: `HTTP ${status} without words`,
			class: 'refused',
			effect: bare(status),
			what: `the service refused the request (HTTP ${status})`,
		}),
	),
	...[400, 403].map(
		(status): Fault => ({
			name: `HTTP ${status} with words`,
			class: 'refused',
			effect: { kind: 'status', status, body: { status: false, error: 'Not like this.' } },
			what: refusal('Not like this.'),
		}),
	),
	{
		name: 'HTTP 404 with words about the key',
		class: 'key',
		effect: { kind: 'status', status: 404, body: { error: 'Invalid API key' } },
		what: refusal('Invalid API key'),
	},
	{
		name: 'HTTP 429 with words about the credits',
		class: 'credits',
		effect: { kind: 'status', status: 429, body: { error: 'Insufficient WA API credits.' } },
		what: NOT_ENOUGH,
	},
	...['without', 'with'].map(
		(words): Fault => ({
			name: `HTTP 413 ${words} words`,
			class: 'tooLarge',
			effect:
				words === 'without'
					? bare(413)
					: { kind: 'status', status: 413, body: { status: false, error: 'Not like this.' } },
			what:
				words === 'without'
					? 'the service refused the request (HTTP 413)'
					: refusal('Not like this.'),
		}),
	),
	{
		name: 'HTTP 404 with words about the question',
		class: 'refused',
		effect: { kind: 'status', status: 404, body: { error: 'No such person is known.' } },
		what: refusal('No such person is known.'),
	},
];

/** SPEC §7: the error texts of each row, as they come with 200. */
const ACCOUNT_WORDS: Array<[name: string, body: { error: string; status?: boolean }]> = [
	['error: Invalid API key.', { error: 'Invalid API key.' }],
	['status false, error: Invalid API key.', { status: false, error: 'Invalid API key.' }],
	['status false, error: Invalid Api Key', { status: false, error: 'Invalid Api Key' }],
	['Please recharge', { status: false, error: 'Please recharge' }],
	['Insufficient phone API credits.', { error: 'Insufficient phone API credits.' }],
	['Insufficient callerinfo API credits.', { error: 'Insufficient callerinfo API credits.' }],
	['Not enough credits', { status: false, error: 'Not enough credits' }],
	['Credit balance too low', { error: 'Credit balance too low' }],
	['API key expired', { status: false, error: 'API key expired' }],
];
const QUESTION_WORDS: Array<[name: string, body: { error: string; status?: boolean }]> = [
	['status false, error in words', { status: false, error: 'The lookup was not possible.' }],
	['error in words', { error: 'The lookup was not possible.' }],
	[
		'the value of the request in the error',
		{ error: '{value} was looked for, and {encoded} was turned down.' },
	],
	[
		'error: phone_numbers array is required and must not be empty.',
		{ error: 'phone_numbers array is required and must not be empty.' },
	],
];

const WORDS: Fault[] = [
	...ACCOUNT_WORDS.map(
		([name, body]): Fault => ({
			name: `200, ${name}`,
			class: /key/i.test(body.error) ? 'key' : 'credits',
			effect: says(body),
			what: /recharge|Insufficient/.test(body.error) ? NOT_ENOUGH : refusal(body.error),
		}),
	),
	...QUESTION_WORDS.map(
		([name, body]): Fault => ({
			name: `200, ${name}`,
			class: 'refused',
			effect: says(body),
			what: refusal(body.error),
		}),
	),
	{
		name: '200, inconclusive, with a balance',
		class: 'refused',
		effect: says({
			balance: 9,
			status: false,
			error: 'No server answered.',
			reason_code: 'greylisted',
		}),
		what: refusal('No server answered.'),
	},
	{
		name: '200, status false without words',
		class: 'refused',
		effect: says({ status: false }),
		what: 'the service refused the request and gave no reason',
	},
];

const SHAPES: Fault[] = [
	{ name: 'An empty object', class: 'unclear', effect: { kind: 'body', body: {} } },
	{
		name: 'Null in every field',
		class: 'unclear',
		effect: { kind: 'reshaped', as: 'nulls' },
	},
	{
		name: 'A value of another type in every field',
		class: 'unclear',
		effect: { kind: 'reshaped', as: 'retyped' },
	},
].map((fault) => ({ ...fault, charged: true }) as Fault);

const HARMLESS: Fault[] = [
	{ name: 'gzip', effect: { kind: 'gzip' } as const },
	{ name: 'Byte order mark', effect: { kind: 'charset', charset: 'bom' } as const },
	{
		name: 'Latin-1, said to be UTF-8',
		effect: { kind: 'charset', charset: 'latin1' } as const,
	},
	{
		name: 'More fields, `__proto__` among them',
		effect: { kind: 'reshaped', as: 'extra' } as const,
	},
	{
		name: 'The API key repeated in fields and headers, in many spellings',
		effect: { kind: 'echo' } as const,
	},
	{
		name: 'A body of 10 MB',
		effect: { kind: 'padding', bytes: 10_000_000 } as const,
		isHeavy: true as const,
	},
].map((fault) => ({ ...fault, class: 'answered', charged: true }));

/** Every fault, in the order of the page. */
export const FAULTS: Fault[] = [
	...NO_CONNECTION,
	...NO_ANSWER,
	...NO_JSON,
	...NO_HTTP,
	...FAILED,
	...PACE,
	...REDIRECTS,
	...STATUSES,
	...WORDS,
	...SHAPES,
	...HARMLESS,
];
