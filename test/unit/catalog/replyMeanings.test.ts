import type { IDataObject } from 'n8n-workflow';
import { isRefusal, type Operation, type Reading } from '../../engine';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { readRow } from '../../../nodes/LookupMessaging/operations/batch/row';
import { FOR_NOW, NOT_NAMES, OTHER_FLAGS, UNKNOWN_ABROAD } from '../../models/lookupReplies';
import { headOf } from '../fakes/replies';

/** Replies as services write them, and what a person who reads one would say that it means. */

const NUMBER = '+442079460123';
const EMAIL = 'ada@shop.example';
const IP = '8.8.8.8';
type Meaning = 'negative' | 'positive' | 'refused' | 'unknown';
type Case = [body: IDataObject, meaning: Meaning, status?: number];

/** Trouble beside a no, wherever a service writes it. */
const TROUBLES: IDataObject[] = [
	{ status_message: 'Upstream timeout' },
	{ status_message: 'Could not check the number right now' },
	{ failure_reason: 'provider unavailable' },
	{ failure_reason: 'could_not_verify' },
	{ reason: 'Rate limit reached' },
	{ note: 'The lookup was not completed' },
	{ note: 'temporarily unavailable' },
	...['WhatsApp session logged out', 'QR code scan required', 'Instance expired'].map((hint) => ({
		hint,
	})),
	{ remark: 'Request timed out' },
	{ detail: 'Upstream error' },
	{ details: { message: 'gateway timeout' } },
	{ data: { error: 'E_42' } },
	{ data: { error: true } },
	{ data: { retry_after: 30 } },
	{ meta: { timed_out: true } },
	{ notes: ['ok', 'the provider did not respond'] },
	{ checks: [{ error: 'connection reset' }] },
	{ source_status: 'degraded' },
	...[{ state: 'UNPAIRED' }, { connection: 'close' }, { session: 'closed' }],
	{ provider_status: 'down' },
	...[{ is_unknown: true }, { determined: false }, { is_checked: 0 }, { skipped: 1 }],
	...[{ trace: ['connect ECONNREFUSED'] }, { response: '<html>502</html>' }],
	{ description: 'Unable to reach the registry' },
	...[{ checked: false }, { wa_status: 'UNKNOWN' }, { check_result: 'unknown' }],
	...[{ blocked: true }, { upstream_status: 429 }, { note: 'WhatsApp session disconnected' }],
	{ comment: 'please retry' },
	...[{ refunded: true }, { stale: true }, { dry_run: 1 }, { a: { b: [{ c: { error: 'E1' } }] } }],
	// Flags of the call and of its connection
	...[{ ok: false }, { connected: false }, { isConnected: 'false' }, { completed: false }],
	...[{ session_status: 'UNPAIRED' }, { session: { state: 'qr' } }, { result: { success: false } }],
	...[{ data: { connected: 0 } }, { a: [{ ok: 'no' }] }, { upstream: { status: 503 } }],
	...[{ err: 'ECONNRESET' }, { limit_reached: true }, { info: 'Daily limit was exceeded' }],
	...[{ notice: 'Not enough balance, default result returned' }, { out_of_credits: true }],
	...[{ hint: 'result not yet available' }, { note: 'socket hang up' }, { info: 'Unauthorized' }],
	...[{ whatsapp_checked: false }, { supported: false }, { fallback: true }],
];
const TROUBLES_OF_YES = [
	...TROUBLES,
	...[{ errors: ['x'] }, { status_code: 503 }, { http_status: 502 }],
	{ message: 'Upstream timeout, default result' },
	...[{ message: 'Not found' }, { reason: 'Invalid number' }, { note: 'not valid' }],
];
/** What a plain no may have beside it. */
const PLAIN: IDataObject[] = [
	{ message: 'OK' },
	{ note: 'Lookup completed without errors' },
	{ status_message: 'success' },
	{ carrier: 'Unavailable', location: 'Unavailable', about: 'Busy' },
	{ data: { error: null, errors: [] } },
	{ meta: { code: 200, request_id: 'r-1', cached: false } },
	{ credits_left: 12, time_ms: 4 },
	{ checked: true, blocked: false, upstream_status: 200 },
	{ ok: true, connected: 1, session_status: 'CONNECTED', instance: { state: 'open' } },
	{ result: { success: true }, upstream: { status: 200 }, limit_reached: false, err: null },
	...[{ docs: 'https://docs.example/errors/timeout' }, { presence: 'offline' }],
	...[{ pushname: 'Processing Ltd' }, { message: 'Data retrieved successfully' }],
	...[{ message: '1 credit deducted' }, { note: 'Credits remaining: 10' }, { response_code: '00' }],
	...[{ instance: 'inst-1' }, { session: 'abc', client: 'Closed Ltd', state: 'Ohio' }],
	...[{ message: 'Request completed in 120 ms' }, { message: 'Query executed successfully' }],
	...[{ message: 'WhatsApp check successful' }, { note: 'Request processed successfully' }],
];
const all = (bodies: IDataObject[], no: IDataObject, meaning: Meaning): Case[] =>
	bodies.map((beside) => [{ ...no, ...beside }, meaning]);

/** A yes and a no beside what takes them back, and beside what does not. */
const beside = (yes: IDataObject, no: IDataObject): Case[] => [
	...all(TROUBLES, no, 'unknown'),
	...all(TROUBLES_OF_YES, yes, 'unknown'),
	...all(PLAIN, no, 'negative'),
	...all(PLAIN, yes, 'positive'),
];

/** An answer beside other flags for the same question, in any form. */
const opposed = (of: string, yes: IDataObject, no?: IDataObject): Case[] =>
	Object.entries(OTHER_FLAGS[of]).flatMap(([name, affirms]) =>
		[true, 1, 'yes', false, 0, 'No'].flatMap((value, nth): Case[] => {
			const saysYes = nth < 3 === affirms;
			return [
				[{ ...yes, [name]: value }, saysYes ? 'positive' : 'unknown'],
				...(no ? all([{ [name]: value }], no, saysYes ? 'unknown' : 'negative') : []),
			];
		}),
	);

const NOT_ON = { status: true, number: NUMBER, whatsapp: false };
const INVALID = { status: true, number: NUMBER, valid: false };
const NO_BOX = { balance: 9, status: true, email: EMAIL, emailexist: false };
const UNDELIVERABLE = { ...NO_BOX, verdict: 'undeliverable' };
const DELIVERABLE = { ...NO_BOX, emailexist: true, verdict: 'deliverable' };
const CALLER = { success: true, number: NUMBER, valid: 'VALID_CONFIRMED' };
const ROW = {
	...{ phone_number: NUMBER, status: 'completed', wa_status: 'INVALID', numberstatus: false },
	formatted_number: NUMBER,
};

/** An answer whose flags are of another type, or say neither yes nor no. */
const inOtherTypes = (yes: IDataObject, no: IDataObject, ...flags: string[]): Case[] =>
	flags.flatMap((flag) => [
		...all(
			[true, 'true', 'TRUE', 1, '1', 'yes', ' Yes '].map((value) => ({ [flag]: value })),
			yes,
			'positive',
		),
		...all(
			[false, 'false', 'False', 0, '0', 'no', ' NO '].map((value) => ({ [flag]: value })),
			no,
			'negative',
		),
		...all(
			[2, -1, 'maybe', 'y', 'truely', [], ['true'], {}].map((value) => ({ [flag]: value })),
			{ ...yes, ...no },
			'unknown',
		),
	]);

const WHATSAPP: Case[] = [
	...inOtherTypes({ status: true }, { status: true }, 'whatsapp'),
	...opposed('numberstatus', { ...NOT_ON, whatsapp: true }, NOT_ON),
	[{ status: true, whatsapp: true, message: 'Number is on WhatsApp' }, 'positive'],
	[{ status: true, whatsapp: true, success: false }, 'unknown'],
	...beside({ ...NOT_ON, whatsapp: true }, NOT_ON),
	...all(
		[
			...[{ numberstatus: true }, { isRegistered: true }, { wa_status: 'VALID_CONFIRMED' }],
			...[{ data: { whatsapp: true } }, { result: { exists: true } }, { is_whatsapp: 'true' }],
			...[{ businessnumber: true }, { is_business: true }, { on_whatsapp: true }],
			...[{ isOnWhatsApp: true }, { hasWhatsApp: 1 }, { account_exists: true }],
		],
		NOT_ON,
		'unknown',
	),
	...all([{ valid: true }, { cached: true }], NOT_ON, 'negative'),
	[{ ...NOT_ON, whatsapp: true, is_business: false }, 'positive'],
	...[
		`${NUMBER} is not on WhatsApp`,
		'Number 44 2079460123 is not registered on WhatsApp',
		'Phone number "+44 20 7946 0123" does not have WhatsApp',
		`Not registered: ${NUMBER}`,
		'not_registered',
		'No WhatsApp account found for this number',
		...['Not a WhatsApp user', 'Number valid but not on WhatsApp'],
	].map((message): Case => [{ ...NOT_ON, message }, 'negative']),
	[{ ...NOT_ON, message: '+12025550199 is not on WhatsApp' }, 'unknown'],
	...['Number is on WhatsApp', 'The number exists', 'Number is valid', 'User found'].map(
		(message): Case => [{ ...NOT_ON, message }, 'unknown'],
	),
	[{ ...NOT_ON, message: `${NUMBER} could not be checked` }, 'unknown'],
	[{ status: true, message: 'pending' }, 'unknown'],
	[{ status: false, error: 'Service temporarily unavailable', whatsapp: false }, 'unknown'],
];

const PHONE_BASIC: Case[] = [
	...inOtherTypes({ status: true }, { status: true }, 'valid'),
	...opposed('is_valid', { ...INVALID, valid: true }, INVALID),
	[{ ...INVALID, country: '', carrier: '', line_type: 'unknown' }, 'negative'],
	...['Number too short', `The phone number ${NUMBER} is not valid`].map(
		(message): Case => [{ ...INVALID, message }, 'negative'],
	),
	[{ ...INVALID, message: 'The phone number is too long' }, 'negative'],
	...beside({ ...INVALID, valid: true }, INVALID),
	...all([{ is_valid: true }, { data: { valid: true } }], INVALID, 'unknown'),
	[{ status: false, error: 'Invalid API key.' }, 'refused'],
];
const PHONE_DETAILED: Case[] = [
	[{ status: 'VALID_CONFIRMED', valid: 'true' }, 'positive'],
	[{ status: ' Valid_Confirmed ' }, 'positive'],
	[{ status: 'INVALID', valid: 0 }, 'negative'],
	[{ status: 'INVALID', valid: 'true' }, 'unknown'],
	...opposed('is_valid', { status: 'VALID_CONFIRMED' }, { status: 'INVALID' }),
	...beside({ status: 'VALID_CONFIRMED' }, { status: 'INVALID' }),
	...all(
		[{ is_valid: true }, { validNumber: true }, { data: { status: 'VALID_CONFIRMED' } }],
		{ status: 'INVALID' },
		'unknown',
	),
];

const NO_NAMES = [
	...['not_found', 'N/A', 'No name', 'null', 'Private', 'timeout', 'NaN', ...NOT_NAMES, NUMBER],
	...['V1234567', 'Verified Business', 'Loading...', 'true', 'WIRELESS CALLER', 'Error 500'],
	...[
		'OUT OF AREA',
		'OOA',
		'No ID',
		'NAME UNAVAILABL',
		'NUMBER NOT IN S',
		'Potential Spam',
		'k.A.',
		'S/N',
	],
	...['Connection refused', 'Error fetching name', '<html>', 'false', 'Servicio no disponible'],
	...['Erreur interne', '错误'],
	...['null null', 'undefined undefined', 'N/A N/A', '(null)', '[object Object]', '非通知'],
	...NOT_NAMES.flatMap((name) => [name.toUpperCase(), `${name.replaceAll(' ', '_')}.`]),
];
const WITH_SERVICE_WORDS = [
	...['Ada Lovelace', 'Not Found Bakery', 'The Gateway', 'Will Error', 'Nan', 'V40 Garage'],
	...[
		'Carrier',
		'Fehler',
		'CARRIER WIRELESS',
		'JOHN FREE',
		'To An',
		'J. R. Tolkien',
		'Object Design',
		'Anna Unknown',
		'李明',
	],
	...NOT_NAMES.map((name) => `${name} Bakery`),
];
const CALLER_ID: Case[] = [
	...WITH_SERVICE_WORDS.map((name): Case => [{ ...CALLER, name }, 'positive']),
	...opposed('found', { ...CALLER, name: 'Ada' }, { ...CALLER, name: null, valid: 'INVALID' }),
	...beside({ ...CALLER, name: 'Ada' }, { ...CALLER, name: null, valid: 'INVALID' }),
	...NO_NAMES.map((name): Case => [{ ...CALLER, name }, 'unknown']),
	[{ ...CALLER, name: 'not_found', valid: 'INVALID' }, 'negative'],
	[{ success: false, message: `Invalid phone number: ${NUMBER}` }, 'negative'],
	[{ success: false, message: 'Invalid phone number', note: 'upstream timeout' }, 'unknown'],
	[{ success: false, message: 'Lookup timed out' }, 'unknown'],
	[{ success: false, message: 'Not found' }, 'unknown', 404],
	[{ success: false, message: 'Cannot GET /calleridvalidation' }, 'refused', 404],
];

const GREY = '451 4.7.1 Greylisting in action, please come back later';
/** Words of a mail server that repeat a no, and those that say nothing about the mailbox. */
const NO_USER = [
	...['550 5.1.1 user unknown', '550 No such user here', '550 Unknown user', '550', '5.1.1'],
	...['550-5.1.1 The email account that you tried to reach does not exist.', 'SMTP 550'],
	...[`550 5.1.1 <${EMAIL}>: Recipient address rejected: User unknown in virtual mailbox table`],
	...['Recipient address rejected: User unknown', '550 5.1.10 RecipientNotFound'],
];
const OF_ASKER = [
	...['relay_denied', '550 5.7.1 Relaying denied', 'blocked', 'blacklisted', 'connection_refused'],
	...['tls_error', 'access_denied', 'too_many_connections', '554', 'starttls_required', '5.7.1'],
	...['554 5.7.1 Client host blocked using a spam list', 'connection reset', '552 5.2.2', 'dnsbl'],
	...['timeout', 'greylisted', 'deferred', 'mailbox_full', 'sender_rejected', 'policy_rejection'],
	...['550 5.1.1 user unknown; timeout', '450 4.1.1 user unknown', 'authentication required'],
];
/** Codes of a mailbox or a domain, by which a no holds, and of anything else, by which none does. */
const OF_MAILBOX = [
	...['mailbox_not_found', 'user_unknown', 'unknown_user', 'no_mx', '550', '5.1.1', 551, '', null],
	...['recipient_rejected', 'invalid_mailbox', 'does_not_exist', 'account-disabled', 'NXDOMAIN'],
	...['no_mx_or_a_record', 'no mail server found', 'hard_bounce', '550 5.1.1 user unknown'],
	// RFC 7504
	...[521, '521', 'smtp_521', 556, '521 Host does not accept mail', '521 5.3.2 No mail'],
];
const OF_CHECK = [
	...[421, 450, 452, 554, 500, 535, '5.3.2', '521 5.7.1 Client blocked', 'soft_bounce', 'quota'],
	...['try_later', 'host_down', 'mx_refused', 'ip_rejected', 'invalid_smtp', 'no_a_record'],
	...['unsupported_provider', 'mailbox_not_tested', 'not_found_cache', 'unknown_provider'],
	...['something_new', 'E42', 'mailbox_busy', 'greylisted', 'smtp_451', 'mailbox_full', '4.2.2'],
	...['over_quota', 'insufficient_storage'],
];
const SERVER_FIELDS = ['message', 'reason', 'details', 'smtp_response', 'sub_status', 'smtp_code'];
const fromServer = (texts: string[], meaning: Meaning) =>
	SERVER_FIELDS.flatMap((field) =>
		all(
			texts.map((text) => ({ [field]: text, reason_code: 'mailbox_not_found' })),
			UNDELIVERABLE,
			meaning,
		),
	);
/** A server that accepts all, told in any field; and none. */
const CATCH_ALLS: IDataObject[] = [
	...['accept_all', 'catch_all', 'catchall', 'Catch-all server', 'Domain accepts all'].map(
		(reason) => ({ reason }),
	),
	...[{ sub_status: 'catch_all' }, { type: 'accept_all' }, { message: 'catchall' }],
	...[{ flags: ['free', 'accepts_all'] }, { data: { type: 'Accept All' } }],
];
const NO_CATCH_ALLS: IDataObject[] = [
	...['not catch-all', 'non_catch_all', 'not_accept_all'].map((type) => ({ type })),
	...[{ flags: ['free'] }, { not_catch_all: true }, { catch_all: 'no' }],
];
/** Other words of a verifier by which its verdict does not hold. */
const UNSURE: IDataObject[] = [
	...['result', 'state', 'deliverability', 'sub_status'].flatMap((name) =>
		['unknown', 'RISKY', 'catch_all', 'no_connect', 'forcible_disconnect', 'timeout'].map(
			(word) => ({ [name]: word }),
		),
	),
	...[{ status: 'unknown' }, { data: { status: 'risky' } }],
];
const ACCEPTED: IDataObject[] = [
	...[{ state: 'deliverable' }, { result: 'Deliverable' }, { deliverability: 'DELIVERABLE' }],
	...[{ smtp_code: 250 }, { smtp_response: '250 OK' }, { smtp: { code: '250' } }],
];
const EMAILS: Case[] = [
	[{ status: false, reason_code: 'greylisted' }, 'unknown'],
	...inOtherTypes(DELIVERABLE, UNDELIVERABLE, 'emailexist'),
	...inOtherTypes({ status: true }, { status: true }, 'valid'),
	...['044', '045', '01', 44, 0, 211, 252, '252'].flatMap((reason_code): Case[] => [
		[{ ...UNDELIVERABLE, reason_code }, 'unknown'],
		[{ ...DELIVERABLE, reason_code }, 'unknown'],
	]),
	...opposed('is_deliverable', DELIVERABLE, UNDELIVERABLE),
	...all([...TROUBLES_OF_YES, { smtp_code: 550 }, { message: NO_USER[0] }], DELIVERABLE, 'unknown'),
	...all([...PLAIN, { smtp_code: 250, smtp_ms: 450 }], DELIVERABLE, 'positive'),
	...fromServer(NO_USER, 'negative'),
	...fromServer(OF_ASKER, 'unknown'),
	...all(
		OF_ASKER.map((reason_code) => ({ reason_code })),
		UNDELIVERABLE,
		'unknown',
	),
	[{ ...UNDELIVERABLE, mx: ['mx.spam-filter.example'], note: 'not blacklisted' }, 'negative'],
	...OF_MAILBOX.map((reason_code): Case => [{ ...UNDELIVERABLE, reason_code }, 'negative']),
	...OF_CHECK.map((reason_code): Case => [{ ...UNDELIVERABLE, reason_code }, 'unknown']),
	...OF_CHECK.map((reason_code): Case => [{ ...DELIVERABLE, reason_code }, 'unknown']),
	...['mailbox_exists', 'email_valid', 'mailbox_accepted', 250].map(
		(reason_code): Case => [{ ...UNDELIVERABLE, reason_code }, 'unknown'],
	),
	...all(
		[{ smtp_response: GREY }, { smtp: { code: '450', reply: '450 4.2.1 mailbox busy' } }],
		UNDELIVERABLE,
		'unknown',
	),
	...all(
		[{ message: `${EMAIL} does not exist` }, { message: `The mailbox ${EMAIL} was not found` }],
		UNDELIVERABLE,
		'negative',
	),
	...all(TROUBLES, UNDELIVERABLE, 'unknown'),
	...[
		...[{ mailbox_full: true }, { greylisted: true }, { isGreylisted: 'true' }],
		...[{ smtp_timeout: true }, { ip_blocked: true }, { checks: { blacklisted: true } }],
	].map((flag): Case => [{ ...UNDELIVERABLE, ...flag }, 'unknown']),
	...[{ mailbox_full: false }, { disposable: true, role: true }, { greylisted: null }].map(
		(flag): Case => [{ ...UNDELIVERABLE, ...flag }, 'negative'],
	),
	...['no_mx', 'user_unknown', 'not_accepted'].map(
		(reason_code): Case => [{ ...DELIVERABLE, reason_code }, 'unknown'],
	),
	...['mailbox_accepted', 'accepted_email', 'SMTP_OK', 'valid', 'role_account', '', null]
		.concat('smtp_250', 'webmail', 'mailbox_exists', '250')
		.map((reason_code): Case => [{ ...DELIVERABLE, reason_code }, 'positive']),
	...all(CATCH_ALLS, DELIVERABLE, 'unknown'),
	...all(NO_CATCH_ALLS, DELIVERABLE, 'positive'),
	...all(UNSURE, DELIVERABLE, 'unknown'),
	...all([...UNSURE, ...ACCEPTED], UNDELIVERABLE, 'unknown'),
	...all([...UNSURE, ...ACCEPTED], { status: true, valid: false }, 'unknown'),
	...all([{ state: 'deliverable' }, { smtp_code: 250 }], DELIVERABLE, 'positive'),
	...all([{ state: 'undeliverable' }, { deliverability: 'UNDELIVERABLE' }], DELIVERABLE, 'unknown'),
	...all([{ state: 'undeliverable' }, { smtp_ms: 250 }], UNDELIVERABLE, 'negative'),
	...['catch_all', 'acceptAll', 'accepts_all', 'is_catchall_email', 'domain_catch_all'].flatMap(
		(name): Case[] => [
			[{ ...DELIVERABLE, [name]: { value: true, text: 'TRUE' } }, 'unknown'],
			[{ ...DELIVERABLE, [name]: { value: false, text: 'FALSE' } }, 'positive'],
			[{ ...DELIVERABLE, [name]: 'yes' }, 'unknown'],
			[{ ...DELIVERABLE, [name]: 0 }, 'positive'],
		],
	),
];

const PLACE = { status: true, ip: IP, country: 'US', city: 'Mountain View' };
const UNLOCATED = { status: false, ip: IP };
const GEO: Case[] = [
	...UNKNOWN_ABROAD.concat('-', 'Unknown city', 'Error', 'Bogon').flatMap((text): Case[] => [
		[{ status: true, ip: IP, city: text }, 'unknown'],
		[{ status: true, ip: IP, country: text, region: `[${text}]`, city: text }, 'unknown'],
	]),
	[{ ...UNLOCATED, country: 'Unbekannt', city: 'inconnu' }, 'negative'],
	...[400, 404].map((status): Case => [UNLOCATED, 'refused', status]),
	...opposed('located', PLACE),
	...all(TROUBLES_OF_YES, PLACE, 'unknown'),
	...all(PLAIN, PLACE, 'positive'),
	...NOT_NAMES.map((country, nth): Case => {
		const city = NOT_NAMES[(nth + 1) % NOT_NAMES.length];
		return [{ status: true, ip: IP, country, city }, 'unknown'];
	}),
	// Codes and names of what is no country
	...[
		...[{ country: 'A1', country_name: 'Anonymous Proxy' }, { country: 'o1' }],
		...[{ country_name: 'Localhost' }, { country: 'LOCAL', country_name: 'Localhost' }],
	].flatMap((names): Case[] => [
		[{ status: true, ip: IP, ...names }, 'unknown'],
		[{ status: true, ip: IP, ...names, latitude: 51.5, longitude: -0.1 }, 'positive'],
	]),
	...['Invalid IP address.', 'IPV6 ADDRESS MISSING IN IPV4 BIN', 'Quota exceeded'].flatMap(
		(text): Case[] => {
			const names = { country: text, country_name: text, region: text, city: text };
			return [
				[{ status: true, ip: IP, ...names, region: 'Invalid address', isp: text }, 'unknown'],
				[{ status: false, ip: IP, ...names }, 'unknown'],
			];
		},
	),
	...all(
		[
			...[{ country: 'NO' }, { country: 'Germany' }, { country_name: 'Brazil' }, { city: 'Unna' }],
			...[
				{ latitude: 1, longitude: 2 },
				{ region: 'Bavaria', city: 'Munich' },
			],
			...[
				{ country: 'TV', city: 'Error' },
				{ country: 'Singapore', city: 'Singapore' },
			],
		],
		{ status: true, ip: IP },
		'positive',
	),
	...all(
		[
			...[{ isp: 'Example Net' }, { timezone: 'UTC' }, { asn: 64497, organization: 'Example' }],
			...[
				{ country: null, city: 'not_found', isp: '' },
				{ latitude: 0, longitude: 0, asn: 0 },
			],
			...[{ geoip_balance: 5 }, { ratelimit_remain: '9' }, { success: false }, { range: [0, 0] }],
			...[{ error: `IP address ${IP} could not be resolved.` }],
			...[{ error: `Could not locate the address ${IP}` }, { status: 'False' }],
		],
		UNLOCATED,
		'negative',
	),
	...all(
		[
			...[{ isp: 'Access denied' }, { country: 'GB' }, { city: 'London' }, { status: 'no' }],
			...[{ error: 'Upstream timeout' }, { balance: '0' }, { remaining: '0 credits' }],
			...[{ note: 'No credits' }, { hint: 'add credits' }, { plan: 'free' }, { status: 0 }],
			...[{ limit_exceeded: true }, { rate: { remaining: 0 } }, { upstream: 'down' }, ...TROUBLES],
		],
		UNLOCATED,
		'unknown',
	),
	...all(TROUBLES, { status: false, error: 'IP address could not be resolved.' }, 'unknown'),
];

const ON = { ...ROW, wa_status: 'VALID_CONFIRMED', numberstatus: true };
const ROWS: Case[] = [
	...inOtherTypes(ON, ROW, 'numberstatus'),
	...beside(ON, ROW),
	...opposed('exists', ON, ROW),
	...all([{ businessnumber: true }, { is_business: 'yes' }], ROW, 'unknown'),
	...all([{ businessnumber: false }], ON, 'positive'),
	...all(
		[{ formatted_number: '+442079460018' }, { reason_code: 'network_timeout' }],
		ON,
		'unknown',
	),
	...all(
		Object.entries(FOR_NOW).flatMap(([name, values]) =>
			values.map((value) => ({ [name]: value })),
		) as IDataObject[],
		ROW,
		'unknown',
	),
	[{ ...ROW, wa_status: 'VALID_CONFIRMED' }, 'negative'],
	[{ ...ROW, data: { valid: false, carrier: 'Unavailable', reason: 'TOO_SHORT' } }, 'negative'],
	[{ ...ROW, message: `${NUMBER} is not on WhatsApp` }, 'negative'],
	[{ ...ROW, status: 'failed', error: 'upstream lookup error' }, 'refused'],
	[{ phone_number: NUMBER, status: 'pending' }, 'unknown'],
	[{ ...ROW, status: 'pending', businessnumber: false }, 'unknown'],
	...all([{ validation: { number: '+442079460999' } }, { number: '+12025550143' }], ON, 'unknown'),
	[{ ...ROW, validation: { formatinternational: '+1 202 555 0143' } }, 'unknown'],
	[{ ...ROW, validation: { number: null, formatnational: '020 7946 0123' } }, 'negative'],
];

const nameOf = ({ resource, value }: { resource: string; value: string }) => `${resource}.${value}`;
const SUBJECTS: Array<[title: string, cases: Case[], of: string, question: object]> = [
	['a WhatsApp check', WHATSAPP, 'whatsApp.checkNumber', { number: NUMBER }],
	[
		'a phone validation (basic)',
		PHONE_BASIC,
		'phone.validate',
		{ number: NUMBER, detailed: false },
	],
	['a phone validation', PHONE_DETAILED, 'phone.validate', { number: NUMBER, detailed: true }],
	['a caller ID', CALLER_ID, 'callerId.lookUp', { number: NUMBER, detailed: true }],
	['an email verification', EMAILS, 'email.verify', { email: EMAIL }],
	['a location', GEO, 'geoIp.locate', { ip: IP, detailed: true }],
];

const meaningOf = (reading: Reading) => (isRefusal(reading) ? 'refused' : reading.outcome);

describe.each(SUBJECTS)('a reply to %s', (_title, cases, of, question) => {
	const operation = operations.find((each) => nameOf(each) === of) as Operation<unknown>;
	test.each(cases)('%j means %s', (...[body, meaning, status = 200]: Case) => {
		const head = headOf(operation.request(question), status);
		const reading = operation.read(body, head, question);
		expect(meaningOf(reading)).toBe(meaning);
		if (isRefusal(reading)) return;
		const { name, onWhatsApp = null, mailboxExists, valid } = reading.record;
		if (of === 'callerId.lookUp')
			expect(name ?? null).toBe(NO_NAMES.includes(String(body.name)) ? null : (body.name ?? null));
		if (meaning !== 'unknown') return;
		// A false may be a default of the service
		expect([mailboxExists, valid]).not.toContain(false);
		expect(onWhatsApp).toBeNull();
	});
});

describe('a row of a batch', () => {
	test.each(ROWS)('%j means %s', (body, meaning) => {
		const reading = readRow(body);
		expect(meaningOf(reading)).toBe(meaning);
		if (meaning !== 'unknown' || isRefusal(reading)) return;
		const { onWhatsApp = null, businessAccount = null } = reading.record;
		expect([onWhatsApp, businessAccount].some((each) => typeof each === 'boolean')).toBe(false);
	});
});

test('the reason of an unknown is the trouble, and not the sentence that says no', () => {
	const operation = operations.find((each) => nameOf(each) === 'whatsApp.checkNumber');
	const { read, request } = operation as Operation<unknown>;
	const question = { number: NUMBER };
	const body = { ...NOT_ON, message: 'Not on WhatsApp', status_message: 'Upstream timeout' };
	const reading = read(body, headOf(request(question), 200), question);
	expect(reading).toMatchObject({ outcome: 'unknown', reason: 'Upstream timeout' });
});

test('a value of the request that sounds like trouble takes no no back', () => {
	const operation = operations.find((each) => nameOf(each) === 'email.verify');
	const { read, request } = operation as Operation<unknown>;
	const question = { email: 'error@timeout.example' };
	const body = { ...UNDELIVERABLE, email: question.email, domain: 'timeout.example' };
	expect(meaningOf(read(body, headOf(request(question), 200), question))).toBe('negative');
});
