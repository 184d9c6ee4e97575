import type { IDataObject } from 'n8n-workflow';

/** Replies to lookups as they may come: those of SPEC, with fields left out, put in, and of other words and types. */

/** Errors that say nothing. */
export const EMPTY_ERRORS: unknown[] = [
	...[
		...[null, false, 0, 200, '', ' ', [], {}],
		[null],
		[''],
		{ code: 0, message: '' },
		'0',
		'[]',
		'{}',
	],
	...[
		...['none', 'None', 'null', 'N/A', '-', 'OK', 'ok', 'no error', 'No errors', 'success'],
		...['SUCCESS'],
	],
	...['no', '200', 'Success.', [{}], { error: 'none' }, ['OK'], 'No error.', 'undefined'],
];

/** What the words of a failure say. */
export interface Said {
	words: string;
	about?: 'account' | 'noNumber' | 'noPlace';
	isTrouble?: true;
}

export const FAILURES: Said[] = [
	{ words: 'Invalid API key.', about: 'account' },
	{ words: 'Please recharge', about: 'account' },
	{ words: 'Insufficient phone API credits.', about: 'account' },
	{ words: 'Invalid phone number', about: 'noNumber' },
	{ words: 'invalid phone number.', about: 'noNumber' },
	{ words: 'IP address could not be resolved.', about: 'noPlace' },
	{ words: 'No location is known', about: 'noPlace' },
	{ words: 'The address is not found', about: 'noPlace' },
	{ words: 'Upstream timeout', isTrouble: true },
	{ words: 'Database error', isTrouble: true },
	{ words: 'Service temporarily unavailable, please try again.', isTrouble: true },
	{ words: 'Too many requests', isTrouble: true },
	{ words: 'Internal server error while it was resolved', isTrouble: true },
	{ words: 'Lookup failed' },
	{ words: 'Cannot GET /route' },
	{ words: 'Invalid email address' },
	{ words: 'Invalid number of parameters' },
	{ words: 'Port number is invalid' },
	{ words: 'Not an invalid number' },
	{ words: 'Your IP address is not in the whitelist' },
	{ words: 'ip is not listed in your plan' },
	{ words: 'cannot resolve host upstream.example' },
	{ words: 'The number is not checkable now' },
	{ words: 'Numbering plan not found' },
	{ words: 'Key not found' },
	{ words: 'Account not verified' },
	{ words: 'Not like this.' },
	{ words: 'Ошибка' },
];

/** Errors that say something, with what they say. */
export const ERRORS: Array<{ error: unknown; said?: Said }> = [
	...FAILURES.flatMap((said) => [
		{ error: said.words, said },
		{ error: [said.words], said },
		{ error: { message: said.words }, said },
	]),
	{ error: true },
];

/** Words that SPEC gives no meaning to, beside yes and no. */
export const ODD_WORDS = [
	...['UNKNOWN', 'ERROR', 'PENDING', 'RATE_LIMITED', 'VALID', 'VALID_UNCONFIRMED', 'NOT_INVALID'],
	...['processing', 'queued', 'failed', 'risky', 'maybe', 'partial', 'timeout', 'skipped', 'yes'],
	...['INVALID?', 'undeliverable?', 'xINVALIDx', 'in valid', 'nope', '١'],
];

const ODD_VALUES: unknown[] = [
	...[[], {}, [null], { toString: 0 }, { valueOf: null }, ['INVALID'], [false], { value: false }],
	...[2, -1, 0.5, 1e300, 404, 'false', 'FALSE', '0', 'no', null, ''],
];

export const ASKED = { number: '+442079460123', email: 'ada@shop.example', ip: '8.8.8.8' };

/** The value that was looked up in other spellings, and others. */
export const SAME: Record<string, unknown[]> = {
	number: ['+44 20 7946 0123', '442079460123', 442079460123, '020 7946 0123', '0044 2079460123'],
	email: ['ada@shop.example', ' ADA@Shop.Example '],
	ip: [
		...['8.8.8.8', '::ffff:8.8.8.8', '::FFFF:808:808', '8.8.8.8:80', '[::ffff:8.8.8.8]:443'],
		...['8.8.8.8/32'],
	],
	country: ['GB', 'gb', 'IM', 44, '44', '+44'],
};
export const OTHER: Record<string, unknown[]> = {
	number: [
		...['+442079460124', '+1 202 555 0102', 33612345678, '+33 6 12 34 56 78', '79460123'],
		...[60123, '+49 30 79460123', '+447946079460123'],
		['+442079460123'],
	],
	email: ['bob@shop.example', 'ada@other.example'],
	ip: [
		...['8.8.4.4', '2001:4860:4860::8888', ['8.8.4.4'], '8.8.4.4, 8.8.8.8', '8.8.4.4:80'],
		...['[2001:4860:4860::8888]:443', '8.8.4.4/24', '[8.8.4.4]', 'fe80::1%eth0', '８.８.４.４'],
	],
	country: ['DE', 'us', 49, 1, '33'],
};

const FLAGS = [true, false, true, 'true', 'ok', 'SUCCESS', 1, 200, 0];
const BOOLEANS = [true, false, true, false, 1, 'false', 'Yes', '0'];
const WORDS = (...words: string[]) =>
	words.flatMap((word) => [word, word.toLowerCase(), ` ${word} `]);
const VALIDITIES = [...BOOLEANS, ...WORDS('VALID_CONFIRMED', 'INVALID')];
/** Texts of services in the place of names. */
export const NOT_NAMES = [
	...['Access denied', 'ACCESS_DENIED', 'Please try again later', 'Limit reached', 'sin nombre'],
	...['Nicht verfügbar', 'Upgrade your plan', 'Privacy protected', 'Rufnummer unterdrückt'],
	...['Número desconocido', 'Non disponible', 'Brak nazwy', 'מספר חסוי', 'अज्ञात'],
	...['שם לא נמצא', 'नाम नहीं मिला', 'имя не найдено', '未找到', 'Voicemail'],
	...['לא נמצא', 'नहीं मिला', 'Not verified', 'Request failed with status code 429'],
];
const MASKED_NAMES = ['J*** D**'];
/** "Unknown" in other languages. */
export const UNKNOWN_ABROAD = [
	...['Unbekannt', 'desconocido', 'N/D', 'inconnu', '不明', 'Non disponible', 'अज्ञात'],
	...['Nicht verfügbar', 'k.A.', 'Sconosciuto', 'неизвестно', '(unknown)'],
];
const PLACES = [
	...UNKNOWN_ABROAD,
	...['GB', 'ZZ', 'xx', 'London', 'Unknown', '-', 'n/a', 'Tōkyō', 'ירושלים'],
	...NOT_NAMES,
];
const TROUBLE_CODES = [
	'network_timeout',
	'NETWORK_TIMEOUT',
	'provider_error',
	'greylist_temporary',
	...['greylisted', 'inconclusive', 'no_response', 'dns_failure', 'smtp_unreachable', 'spam_block'],
	...['relay_denied', 'tls_error', 'connection_refused', 'blacklisted', 'mailbox_full', '5.7.1'],
];
const CODES = [
	...['mailbox_accepted', 'mailbox_not_found', 'catch_all', 'Catch_All', 'invalid_syntax'],
	...['accept_all', 'catch-all', 'CATCHALL', 'user_unknown', 'no_mx'],
];

/** Fields of words beside `error` and `message`. */
export const BESIDE = [
	...['detail', 'details', 'reason', 'msg', 'errors', 'error_message', 'errorMessage'],
];
/** Fields of codes and warnings, which SPEC does not have either. */
export const CODES_BESIDE = [
	...['error_code', 'errorCode', 'code', 'status_code', 'warning', 'warnings'],
];

/** Fields by which an answer holds for this time alone, and values by which it does. */
export const FOR_NOW: Record<string, unknown[]> = {
	...{ retry_after: [30, '30', '2 minutes'], retry: [true, 'true'], retryable: [true] },
	...{ refunded: [true, 1], credit_refunded: ['true'] },
	...{ rate_limited: [true], timed_out: [true], partial: ['true'], pending: [true] },
	...{ stale: [true, 1, 'yes'], dry_run: [true, 'true'], test_mode: [1] },
	...{ job_status: ['queued', 'In progress', 'failed'], state: ['pending', 'timeout'] },
	...{ ok: [false, 'false', 0], connected: [false, 'no'], completed: [false] },
	...{ fallback: [true], supported: [false], is_final: [false, 'no'] },
	...{ session_status: ['UNPAIRED', 'qr', 'logged out'] },
};
/** Other values of such fields. */
export const FOR_GOOD: Record<string, unknown[]> = {
	...{ retry_after: [0, null, ''], retry: [false, 0, 'no'], retryable: ['false'] },
	...{ refunded: [false, 0], credit_refunded: [null], ratelimit_remain: [0, '0', 5, null] },
	...{ rate_limited: [false], timed_out: [0, null], partial: [false], pending: [null] },
	...{ stale: [false, 'no', null], dry_run: [0, 'false'], test_mode: [null] },
	...{ job_status: ['completed', 'done'], state: ['California', 'success'] },
	...{ ok: [true, 1, null], connected: [true, 'yes'], completed: ['true', null] },
	...{ fallback: [false, null], supported: [true, null], is_final: [true] },
	...{ session_status: ['CONNECTED', 'open', null] },
};

/** Flags of other services by the one that the page names, and whether a yes is what they are true for. */
export const OTHER_FLAGS: Record<string, Record<string, boolean>> = {
	numberstatus: {
		numberstatus: true,
		exists: true,
		isRegistered: true,
		hasWhatsApp: true,
		not_on_whatsapp: false,
	},
	exists: {
		exists: true,
		on_whatsapp: true,
		isOnWhatsApp: true,
		hasAccount: true,
		unregistered: false,
	},
	is_valid: { is_valid: true, validNumber: true, is_invalid: false },
	found: { found: true, caller_found: true, is_valid: true, not_found: false },
	is_deliverable: { is_deliverable: true, mailboxExists: true, undeliverable: false },
	located: { located: true, ip_found: true, is_resolved: true, notFound: false },
};
const YES_OR_NO = [true, false, 1, 0, 'yes', 'no', 'TRUE', 'false', null];

/** What a field may hold; of any other a field of the list. */
const VALUES: Record<string, unknown[]> = {
	status: [...FLAGS, ...WORDS('VALID_CONFIRMED', 'INVALID')],
	success: FLAGS,
	valid: VALIDITIES,
	whatsapp: YES_OR_NO,
	name: [
		'Unknown caller',
		'No name found',
		'Not in database',
		...NOT_NAMES,
		...MASKED_NAMES,
		'Free Mobile',
		'Ada Lovelace',
		'שרה',
		'N/A',
		'unknown',
		'Not found',
		'--',
		null,
		'',
	],
	verdict: [...WORDS('deliverable', 'undeliverable', 'invalid_format', 'unknown'), 'n/a'],
	reason_code: [...CODES, ...TROUBLE_CODES, 'something_new'],
	...Object.fromEntries(
		['emailexist', 'emailformat', 'mx_found', 'smtp_check', 'disposable'].map((name) => [
			name,
			BOOLEANS,
		]),
	),
	balance: [0, 7, -1, '7'],
	...Object.fromEntries(
		['country', 'country_name', 'region', 'city'].map((name) => [name, PLACES]),
	),
	isp: ['Example ISP', 'Access denied', '', null],
	timezone: ['UTC', 'Europe/London', null],
	latitude: [0, 51.5, 999],
	longitude: [0, -0.1, 181],
	...Object.fromEntries(
		['wa_balance', 'email_balance', 'geoip_balance', 'phone_balance'].map((name) => [
			name,
			[0, 5, -1],
		]),
	),
	message: FAILURES.map(({ words }) => words).concat('', 'Success', 'Done'),
	...Object.fromEntries(
		BESIDE.map((name) => [
			name,
			FAILURES.map(({ words }) => words).concat('', 'Success', 'Not on WhatsApp'),
		]),
	),
	...Object.fromEntries(
		CODES_BESIDE.map((name) => [
			name,
			[0, 200, 500, 503, '0', '200', 'OK', 'SMTP_TIMEOUT', 'E42', true, false, null, [], ['late']],
		]),
	),
	...Object.fromEntries(
		Object.keys(FOR_NOW).map((name) => [name, [...FOR_NOW[name], ...FOR_GOOD[name]]]),
	),
	catch_all: YES_OR_NO,
	deliverability: [
		...WORDS('deliverable', 'undeliverable', 'unknown', 'risky'),
		'accept_all',
		null,
	],
	sub_status: ['catch_all', 'accepts_all', 'no_connect', 'risky', 'mailbox_not_found', '', null],
	smtp_code: [250, '250', '250 OK', 550, '550', null],
	...Object.fromEntries(
		Object.values(OTHER_FLAGS).flatMap((names) =>
			Object.keys(names).map((name) => [name, YES_OR_NO]),
		),
	),
	countrycode: [...SAME.country, ...OTHER.country],
	countrycodenum: [...SAME.country, ...OTHER.country],
	number: [...SAME.number, ...OTHER.number],
	formatinternational: [...SAME.number, ...OTHER.number],
	formatted_number: [...SAME.number, ...OTHER.number],
	email: [...SAME.email, ...OTHER.email],
	ip: [...SAME.ip, ...OTHER.ip],
};
export const FIELDS = Object.keys(VALUES);

/** How a random choice is made: a whole number from 0, below the limit. */
export type Pick = (below: number) => number;

/** A value for a field: mostly one that services give, sometimes an odd one. */
function valueFor(field: string, pick: Pick): unknown {
	const of = <Value>(list: Value[]) => list[pick(list.length)];
	if (field === 'error') return pick(2) === 0 ? of(EMPTY_ERRORS) : of(ERRORS).error;
	const kind = field in FOR_NOW ? 9 : pick(10);
	if (kind === 0) return of(ODD_WORDS);
	if (kind === 1) return of(ODD_VALUES);
	return of(VALUES[field] ?? ODD_VALUES);
}

/** A reply made from a good one: some fields left out, some put in or changed. */
export function replyFrom(good: IDataObject, fields: string[], pick: Pick): IDataObject {
	const reply: IDataObject = { ...good };
	for (let change = pick(5); change > 0; change -= 1) {
		const field = fields[pick(fields.length)];
		if (pick(4) === 0) delete reply[field];
		else reply[field] = valueFor(field, pick) as IDataObject[string];
	}
	return reply;
}
