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

/** @param by what the service does, or the port that is called in its place */
const fault = (
	of: ClassName,
	name: string,
	what: string,
	by: FaultEffect | Port,
	more: Partial<Fault> = {},
): Fault => ({
	...{ name, class: of, what, ...more },
	...(typeof by === 'string' ? { port: by } : { effect: by }),
});
const unreachable = (name: string, port: Port, why: string) =>
	fault('unreachable', name, `can't connect to {host}: ${why}`, port);
const lost = (...of: [name: string, what: string, by: FaultEffect | Port, more?: Partial<Fault>]) =>
	fault('lost', ...of);

const NO_CONNECTION: Fault[] = [
	unreachable('Connection refused', 'refused', 'the connection was refused'),
	unreachable('Host name unknown (DNS)', 'noHost', 'the host name is unknown'),
	unreachable('https to a port that speaks http', 'noTls', 'the TLS connection failed (EPROTO)'),
	unreachable('Self-signed certificate', 'selfSigned', 'its TLS certificate is self-signed'),
];

const SLOW = { isSlow: true } as const;
const CHARGED = { charged: true } as const;
const SLOW_CHARGED = { ...SLOW, ...CHARGED };
const IN_TLS = 'Plain text within a TLS connection, after the request';
const DRIP = 'Slow drip: a byte now and then, past the time-out';

const NO_ANSWER: Fault[] = [
	lost('Reset before the request was read', BROKE, 'resets'),
	lost(IN_TLS, BROKE, 'plainInTls'),
	lost('Silence from the start', NO_TIME, 'silent', SLOW),
	lost('Reset before the work was done', BROKE, { kind: 'resetBeforeCharge' }),
	lost('Reset after the work was done', BROKE, { kind: 'resetAfterCharge' }, CHARGED),
	lost('Time-out before the work was done', NO_TIME, { kind: 'hangBeforeCharge' }, SLOW),
	lost('Time-out after the work was done', NO_TIME, { kind: 'hangAfterCharge' }, SLOW_CHARGED),
	lost(DRIP, NO_TIME, { kind: 'drip', everyMs: 400 }, SLOW_CHARGED),
	lost('Broken off in the middle of the body', BROKE, { kind: 'cutShort' }, CHARGED),
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

const GZIP: FaultEffect = { kind: 'gzip', broken: true };
const FLOOD: FaultEffect = { kind: 'headerFlood', bytes: 65_536 };

const NO_HTTP: Fault[] = [
	lost('gzip that is none', "the answer can't be decompressed", GZIP, CHARGED),
	lost('Header flood (64 kB)', "the answer isn't valid HTTP", FLOOD, CHARGED),
];

const FAILED: Fault[] = [
	lost('HTTP 408', 'the service gave up waiting (HTTP 408)', { kind: 'status', status: 408 }),
	...[500, 502, 503, 504].map((status) =>
		lost(`HTTP ${status}`, `the service failed (HTTP ${status})`, { kind: 'status', status }),
	),
];

const limiting = (status: number) => `the service is limiting the request rate (HTTP ${status})`;
const after = (status: number, retryAfter?: string, body?: object): FaultEffect => ({
	...{ kind: 'status', status, ...(body && { body }) },
	...(retryAfter && { headers: { 'retry-after': retryAfter } }),
});
const PAST = 'Sun, 06 Nov 1994 08:49:37 GMT';
const TOO_MANY = { status: false, error: 'Too many requests' };

const PACE: Fault[] = [
	...Object.entries({
		'no Retry-After': undefined,
		'Retry-After in seconds': '1',
		'Retry-After in half seconds': '1.5',
		'a date': 'date',
		'a date in the past': PAST,
		'Retry-After "2, 2"': '2, 2',
	}).map(([said, value]) =>
		fault('throttled', `HTTP 429, ${said}`, limiting(429), after(429, value)),
	),
	...[429, 503].map((status) => {
		const name = `Words about the pace under HTTP ${status}`;
		return fault('throttled', name, limiting(status), after(status, '1', TOO_MANY));
	}),
	...['+2', PAST].map((value) =>
		lost(`HTTP 503, Retry-After "${value}"`, 'the service failed (HTTP 503)', after(503, value)),
	),
	fault('throttled', 'HTTP 503 with Retry-After', limiting(503), after(503, '1')),
	{ name: 'HTTP 429 once', class: 'transient', effect: after(429), isOnce: true },
	{
		name: 'HTTP 503 with Retry-After once',
		class: 'transient',
		effect: after(503, '2'),
		isOnce: true,
	},
];

const redirects = (status: number) => `the service redirects to another address (HTTP ${status})`;
const redirect = (status: number): FaultEffect => ({ kind: 'redirect', to: FAR, status });

const REDIRECTS: Fault[] = [
	...[301, 302, 307, 308, 303].map((status) => {
		const name = `HTTP ${status} to another origin`;
		const of = status === 303 ? 'seeOther' : 'redirected';
		return fault(of, name, redirects(status), redirect(status));
	}),
	fault(
		'seeOther',
		'HTTP 303 to another origin, after the work was done',
		redirects(303),
		{ kind: 'redirect', to: FAR, status: 303, isDone: true },
		CHARGED,
	),
];

const wordless = (of: ClassName, status: number) =>
	fault(of, `HTTP ${status} without words`, `the service refused the request (HTTP ${status})`, {
		kind: 'status',
		status,
		body: 'no',
	});
const saying = (status: number, body: object): FaultEffect => ({ kind: 'status', status, body });
const inWords = (of: ClassName, status: number) => {
	const body = { status: false, error: 'Not like this.' };
	return fault(of, `HTTP ${status} with words`, refusal(body.error), saying(status, body));
};
/** Words that count more than the status that they come with. */
const about = (of: ClassName, what: string, status: number, error: string, as = refusal(error)) =>
	fault(of, `HTTP ${status} with words about the ${what}`, as, saying(status, { error }));

const FORBIDDEN = saying(403, { message: 'Forbidden' });

const STATUSES: Fault[] = [
	wordless('key', 401),
	wordless('credits', 402),
	wordless('account', 403),
	wordless('noPath', 404),
	wordless('noPath', 405),
	fault('account', 'HTTP 403, message: Forbidden', refusal('Forbidden'), FORBIDDEN),
	wordless('refused', 400),
	wordless('refused', 410),
	inWords('refused', 400),
	inWords('refused', 403),
	about('key', 'key', 404, 'Invalid API key'),
	about('credits', 'credits', 429, 'Insufficient WA API credits.', NOT_ENOUGH),
	wordless('tooLarge', 413),
	inWords('tooLarge', 413),
	about('refused', 'question', 404, 'No such person is known.'),
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

const UNSURE = {
	balance: 9,
	status: false,
	error: 'No server answered.',
	reason_code: 'greylisted',
};

const WORDS: Fault[] = [
	...ACCOUNT_WORDS.map(([name, body]) => {
		const what = /recharge|Insufficient/.test(body.error) ? NOT_ENOUGH : refusal(body.error);
		const of = /key/i.test(body.error) ? 'key' : 'credits';
		return fault(of, `200, ${name}`, what, saying(200, body));
	}),
	...QUESTION_WORDS.map(([name, body]) =>
		fault('refused', `200, ${name}`, refusal(body.error), saying(200, body)),
	),
	fault('refused', '200, inconclusive, with a balance', refusal(UNSURE.error), saying(200, UNSURE)),
	fault(
		'refused',
		'200, status false without words',
		'the service refused the request and gave no reason',
		saying(200, { status: false }),
	),
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
