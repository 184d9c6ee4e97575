/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import {
	type DecisionTable,
	isRefusal,
	type Operation,
	type Reading,
	type Told,
} from '../../engine';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { rowFor } from '../../../nodes/LookupMessaging/operations/shared/decisions';
import {
	ASKED,
	BESIDE,
	CODES_BESIDE,
	EMPTY_ERRORS,
	ERRORS,
	FAILURES,
	MASKED_NAMES,
	NOT_NAMES,
	OTHER_FLAGS,
	FOR_NOW,
	ODD_WORDS,
	OTHER,
	SAME,
	replyFrom,
	TROUBLE_CODES,
	UNKNOWN_ABROAD,
	type Pick,
	type Said,
} from '../../models/lookupReplies';
import { expectEqual } from '../../harness/expectEqual';
import { headOf } from '../../unit/fakes/replies';
import { isFullRun } from '../fullRun';

/**
 * Random replies, over words, types and presence of fields. The reading of an operation is held against a reading of its table's
 * printed words that shares no code with it, and against rules that do not come from the table.
 */

interface Subject {
	of: string;
	table: number;
	question: object;
	asked?: string;
	/** Whether the number may be sent without its area code. */
	mayBePart?: boolean;
	good: IDataObject[];
	/** Fields beside status, success, error and message. */
	fields: string[];
}

const flagsOf = (name: string) => Object.keys(OTHER_FLAGS[name]);
const COUNTRY = ['countrycode', 'countrycodenum'];
const PHONE = { number: ASKED.number };
const SUBJECTS: Subject[] = [
	{
		of: 'phone.validate',
		table: 0,
		question: { ...PHONE, detailed: true },
		asked: ASKED.number,
		mayBePart: true,
		good: [{ status: 'VALID_CONFIRMED' }, { status: 'INVALID' }, { error: 'Lookup failed' }],
		fields: [
			'valid',
			'number',
			'formatted_number',
			'formatinternational',
			...COUNTRY,
			...flagsOf('is_valid'),
		],
	},
	{
		of: 'phone.validate',
		table: 1,
		question: { ...PHONE, detailed: false },
		asked: ASKED.number,
		good: [{ status: true, valid: true }, { status: true, valid: false }, { status: false }],
		fields: ['valid', 'number', 'country', ...flagsOf('is_valid')],
	},
	...[true, false].map((detailed) => ({
		of: 'callerId.lookUp',
		table: 0,
		question: { ...PHONE, detailed },
		asked: ASKED.number,
		good: [
			{ success: true, name: 'Ada', valid: 'VALID_CONFIRMED' },
			{ success: true, name: null, valid: 'INVALID' },
			{ status: true, name: null },
			{ success: false, message: 'Invalid phone number' },
			{ error: 'Lookup failed' },
		],
		fields: ['name', 'valid', 'number', 'formatinternational', ...COUNTRY, ...flagsOf('found')],
	})),
	{
		of: 'whatsApp.checkNumber',
		table: 0,
		question: PHONE,
		asked: ASKED.number,
		good: [{ status: true, whatsapp: true }, { status: true, whatsapp: false }, { status: false }],
		fields: ['whatsapp', 'number', ...flagsOf('numberstatus')],
	},
	{
		of: 'email.verify',
		table: 0,
		question: { email: ASKED.email },
		asked: ASKED.email,
		good: [
			{ balance: 7, status: true, emailexist: true, verdict: 'deliverable' },
			{ balance: 7, status: true, emailexist: false, verdict: 'undeliverable' },
			{ balance: 7, status: true, emailformat: false, verdict: 'invalid_format' },
			{ balance: 7, status: false, reason_code: 'network_timeout' },
			{ status: true, valid: true, smtp_check: true },
			{ status: true, valid: false, smtp_check: false },
			{ status: false, error: 'Invalid API key.' },
			{ status: true },
		],
		fields: [
			...['verdict', 'reason_code', 'balance', 'valid', 'email'],
			...['emailexist', 'emailformat', 'mx_found', 'smtp_check', 'catch_all'],
			...['deliverability', 'sub_status', 'smtp_code'],
			...flagsOf('is_deliverable'),
		],
	},
	...[0, 1].map((table) => ({
		of: 'geoIp.locate',
		table,
		question: { ip: ASKED.ip, detailed: table === 0 },
		asked: ASKED.ip,
		good: [
			{ status: true, country: 'GB', city: 'London' },
			{ status: false },
			{ status: false, error: 'IP address could not be resolved.' },
			{ error: 'Lookup failed' },
		],
		fields: [
			...['ip', 'country', 'country_name', 'region', 'city', 'latitude', 'longitude'],
			...['isp', 'timezone'],
			...flagsOf('located'),
		],
	})),
	{
		of: 'account.getBalance',
		table: 0,
		question: {},
		good: [{ status: true, wa_balance: 5, phone_balance: 0 }, { status: false }],
		fields: ['wa_balance', 'email_balance', 'geoip_balance', 'phone_balance'],
	},
	{
		of: 'account.getStatus',
		table: 0,
		question: {},
		good: [{ status: true }, { status: false }],
		fields: [],
	},
];
/** Operations whose tables this test can't read, with the file in `test/` that does. */
const TABLES_ELSEWHERE: Record<string, { in: string; why: string }> = {
	...Object.fromEntries(
		['batch.checkMany', 'batch.submit', 'batch.get', 'audit.run', 'audit.runAndWait']
			.concat('audit.get', 'audit.getSummary')
			.map((name) => [
				name,
				{ in: 'hostile/withoutN8n/jobReplies', why: 'several calls and rows make one result' },
			]),
	),
	...Object.fromEntries(
		['searchForum', 'searchMicroblog', 'getMicroblogComments', 'getForumPost', 'getMicroblogPost']
			.map((value) => `scraper.${value}`)
			.map((name) => [
				name,
				{
					in: 'unit/catalog/scraper',
					why: 'SPEC shows no fields, so the results are searched for',
				},
			]),
	),
	'whatsApp.sendMessage': { in: 'unit/catalog/sendMessage', why: 'it makes several calls' },
};
/** Operations that need no table, and why. */
const WITHOUT_TABLES: Record<string, string> = {
	'contact.enrich': 'it asks other operations, each with tables of its own',
	'toolServer.callTool':
		'the protocol or the fields of SPEC mark an error; any other result is the answer',
	'toolServer.listTools': 'the protocol marks an error; what comes else is the list',
	'toolServer.checkHealth': 'SPEC shows no body, so the HTTP status decides',
};

test('every operation of the catalog has tests of its tables, or a reason why not', () => {
	for (const { resource, value, decide = [] } of operations) {
		const name = `${resource}.${value}`;
		const tested = decide.filter((_, table) =>
			SUBJECTS.some((each) => each.of === name && each.table === table),
		);
		const expected =
			decide.length === 0 ? WITHOUT_TABLES : tested.length === 0 ? TABLES_ELSEWHERE : {};
		const isTested = decide.length > 0 && tested.length === decide.length;
		expect({ name, isKnown: isTested || name in expected }).toEqual({ name, isKnown: true });
		const isExcused = name in WITHOUT_TABLES || name in TABLES_ELSEWHERE;
		expect({ name, isBoth: isTested && isExcused }).toEqual({ name, isBoth: false });
	}
	const names = operations.map(({ resource, value }) => `${resource}.${value}`);
	const excused = Object.keys({ ...WITHOUT_TABLES, ...TABLES_ELSEWHERE });
	expect(excused.filter((name) => !names.includes(name))).toEqual([]);
	for (const { in: file } of Object.values(TABLES_ELSEWHERE)) {
		expect([file, existsSync(join(__dirname, '../..', `${file}.test.ts`))]).toEqual([file, true]);
	}
});

const COMMON = [
	...['status', 'success', 'error', 'message', ...BESIDE, ...CODES_BESIDE, 'reason_code'],
	...Object.keys(FOR_NOW),
];
const STATUSES = [200, 200, 200, 200, 400, 401, 402, 404, 422];

function operationOf({ of }: Subject): Operation<unknown> {
	const found = operations.find(({ resource, value }) => `${resource}.${value}` === of);
	if (!found || 'run' in found) throw new Error(`${of} is no operation of one call`);
	return found;
}

/** A generator of whole numbers that gives the same ones for the same seed (Park and Miller). */
function picker(seed: number): Pick {
	let state = (seed * 48_271 + 11) % 2_147_483_647 || 1;
	return (below) => {
		state = (state * 48_271) % 2_147_483_647;
		return state % below;
	};
}

// The reading of the printed words. It shares no code with the conditions.

const like = (value: unknown, text: string) => {
	if (text === 'true' || text === 'false') return (text === 'true' ? saysYes : saysNo)(value);
	const isText = typeof value === 'string';
	return (
		(isText
			? value.trim()
			: String(typeof value === 'number' ? value : undefined)
		).toUpperCase() === text.toUpperCase()
	);
};
const missing = (value: unknown) => value === undefined || value === null || value === '';
const NO_NAMES = ['UNKNOWN CALLER', 'NO NAME FOUND', 'NOT IN DATABASE'];
const NOTHING_TOLD = [
	...[...NO_NAMES, ...UNKNOWN_ABROAD.map((text) => text.toUpperCase())],
	...['N/A', 'UNKNOWN', 'NOT FOUND', '--', '-', ''],
];
const toldIn = (value: unknown) =>
	typeof value === 'string' && !NOTHING_TOLD.includes(value.trim().toUpperCase());
/** A code may be a number. */
const toldCode = (value: unknown) => typeof value === 'number' || toldIn(value);
const NO_WORDS: unknown[] = [[false], { toString: 0 }, { valueOf: null }, { value: false }];
const NO_WORDS_TEXT: unknown[] = ['false', 'FALSE', 'Success'];
const EMPTY = new Set(
	[...EMPTY_ERRORS, ...NO_WORDS, ...NO_WORDS_TEXT].map((each) => JSON.stringify(each)),
);
const isEmptyError = (error: unknown) => error === undefined || EMPTY.has(JSON.stringify(error));
/** By the JSON of the error. */
const KNOWN_ERRORS = new Map(ERRORS.map((each) => [JSON.stringify(each.error), each]));
const ODD_TROUBLE: unknown[] = ['timeout', 'RATE_LIMITED'];
const saidBy = ({ body }: Told) => {
	const known = KNOWN_ERRORS.get(JSON.stringify(body.error));
	if (known?.said) return known.said;
	if (ODD_TROUBLE.includes(body.message)) return { words: '', isTrouble: true } as Said;
	return FAILURES.find(({ words }) => words === body.message);
};
/** Of emails, SPEC has reason codes, with rows of their own. */
const codesOf = ({ head }: Told) => (head.request.path.includes('email') ? [] : ['reason_code']);
const forNow = ({ body }: Told) =>
	Object.keys(FOR_NOW).filter((name) => FOR_NOW[name].includes(body[name]));
/** Texts and other values, in any field of words, that say something. */
const allSaid = (told: Told) =>
	['error', 'message', ...BESIDE, ...CODES_BESIDE, ...codesOf(told)]
		.map((name): unknown => told.body[name])
		.filter((value) => !isEmptyError(value))
		.concat(forNow(told));
const hasWords = (told: Told) =>
	allSaid(told).length > 0 ||
	(typeof told.body.message === 'string' && told.body.message.trim() !== '');
const textIn = (value: unknown): unknown => {
	const part = Array.isArray(value)
		? (value as unknown[])[0]
		: ((value as IDataObject).message ?? value);
	return part;
};
/** Without an error and a message, the first text of these fields says why. */
const isAboutAccount = (told: Told) => {
	const { error, message } = told.body;
	const said = saidBy(told);
	if (said || !isEmptyError(error) || (typeof message === 'string' && message !== ''))
		return said?.about === 'account';
	const reasons = ['error_message', 'detail', 'details', 'description', 'reason', 'errors'].map(
		(name) => (missing(told.body[name]) ? undefined : textIn(told.body[name])),
	);
	const first = reasons.find((text) => typeof text === 'string');
	return FAILURES.some(({ words, about }) => about === 'account' && words === first);
};
const aboutAll = (told: Told, about: Said['about']) =>
	allSaid(told).every((value) =>
		FAILURES.some((each) => each.about === about && each.words === textIn(value)),
	);
/** Words of the model that speak of trouble in any field, except in those that name a thing. */
const TROUBLE_ANYWHERE = [
	...['ERROR', 'PENDING', 'RATE_LIMITED', 'processing', 'queued', 'failed', 'timeout', 'skipped'],
	'VALID_UNCONFIRMED',
	...['In progress', 'SMTP_TIMEOUT', 'Lookup failed', 'Database error', 'provider_error'],
	...['Upstream timeout', 'Too many requests', 'network_timeout', 'NETWORK_TIMEOUT'],
	'Internal server error while it was resolved',
	'Service temporarily unavailable, please try again.',
	...['greylist_temporary', 'inconclusive', 'no_response', 'dns_failure', 'smtp_unreachable'],
];
/** Of mailboxes alone. */
const MAIL_TROUBLE = ['greylisted'];
const NAMES_OF_THINGS = [
	...['name', 'city', 'region', 'country', 'country_name', 'countrycode', 'countrycodenum'],
	...['isp', 'timezone'],
];
const hasTrouble = (told: Told) => {
	const isEmail = told.head.request.path.includes('email');
	const words = isEmail ? [...TROUBLE_ANYWHERE, ...MAIL_TROUBLE] : TROUBLE_ANYWHERE;
	return Object.entries(told.body).some(
		([name, value]) =>
			!(NAMES_OF_THINGS.includes(name) || (isEmail && name === 'reason_code')) &&
			[value].flat().some((each) => words.includes(each as string)),
	);
};
/** Words that the model has beside a no, and that say no more. */
const PLAIN = [
	'Done',
	'Not on WhatsApp',
	'Invalid phone number',
	'invalid phone number.',
	...['The address is not found', 'Invalid email address'],
	...['mailbox_not_found', 'invalid_syntax', 'user_unknown'],
];
const agrees = (value: unknown) =>
	missing(value) ||
	saysYes(value) ||
	value === 200 ||
	(typeof value === 'string' && ['OK', 'SUCCESS'].includes(value.trim().toUpperCase()));
const places = ['country', 'country_name', 'region', 'city'];
const isNamed = (value: unknown) =>
	toldIn(value) && !['ZZ', 'XX', 'NÚMERO DESCONOCIDO'].includes(String(value).trim().toUpperCase());
const isPoint = ({ latitude, longitude }: IDataObject) =>
	typeof latitude === 'number' &&
	typeof longitude === 'number' &&
	Math.abs(latitude) <= 90 &&
	Math.abs(longitude) <= 180 &&
	(latitude !== 0 || longitude !== 0);
const namesNothing = ({ body }: Told) =>
	!isPoint(body) && !places.some((name) => isNamed(body[name]));
const NO_PLACES = [
	...TROUBLE_ANYWHERE,
	...NOT_NAMES,
	'VALID',
	'INVALID?',
	'NOT_INVALID',
	'IN VALID',
	'NO',
].map((text) => text.toUpperCase());
const isPlace = ({ body }: Told) => {
	const isCountry = (name: string) =>
		isNamed(body[name]) && /^\s*[a-z]{2}\s*$/i.test(String(body[name]));
	const names = places.map((name) => body[name]).filter(isNamed);
	const own = names.filter((name) => !NO_PLACES.includes(String(name).trim().toUpperCase()));
	const different = new Set(own.map((name) => String(name).trim().toUpperCase()));
	const isTown = different.size > 0 && !isNamed(body.country) && !isNamed(body.country_name);
	return (
		isPoint(body) || ['country', 'country_name'].some(isCountry) || isTown || different.size > 1
	);
};
/** Whether a field beside `status: false` says nothing. */
const isOfNoPlace = (name: string, value: unknown) => {
	if (['status', 'success', 'error', 'ip', 'latitude', 'longitude'].includes(name)) return true;
	if (missing(value) || JSON.stringify(value) === '[]' || JSON.stringify(value) === '{}')
		return true;
	if (['isp', 'timezone'].includes(name) && typeof value === 'string')
		return !toldIn(value) || !NO_PLACES.includes(value.trim().toUpperCase());
	if (name === 'ratelimit_remain' && !Number.isNaN(Number(value))) return Number(value) > 0;
	return typeof value === 'string' && !(places.includes(name) ? isNamed(value) : toldIn(value));
};
const isFalse = (value: unknown) =>
	value === false || (typeof value === 'string' && value.trim().toUpperCase() === 'FALSE');
const isDigits = (value: unknown) => typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim());
const isNumber = (value: unknown) => typeof value === 'number' || isDigits(value);
const hasBalance = ({ body }: Told) =>
	['wa', 'email', 'geoip', 'phone'].some((name) => {
		const value = body[`${name}_balance`];
		return isNumber(value);
	});
const fails = ({ body }: Told) =>
	isFalse(body.status) || isFalse(body.success) || !isEmptyError(body.error) || isFailedCall(body);
/** Names and values that are no answer beside a word of failure. */
const OF_CALL =
	/^(?:status|success|errors?|message|code|error_?code|status_code|reason|details?|description)$/i;
const NO_VALUES = ['', '[]', '{}', 'null', '""'];
const isFailedCall = (body: IDataObject) =>
	['error', 'fail', 'failed', 'failure'].includes(wordOf(body.status)) &&
	Object.entries(body).every(
		([name, value]) => OF_CALL.test(name) || NO_VALUES.includes(JSON.stringify(value) ?? ''),
	);

/** Words of trouble in sentences that the list for a no need not have. */
const NOT_CHECKED = ['The number is not checkable now', 'Account not verified', 'tls_error'];
const ERROR_FIELDS = ['errors', 'error_message', 'errorMessage', 'error_code', 'errorCode'];
const wordOf = (value: unknown) =>
	typeof value === 'object' ? '' : String(value).trim().toLowerCase();
/** A flag may be in an object, beside its text. */
const flagOf = (value: unknown) =>
	wordOf(typeof value === 'object' ? (value as { value?: unknown } | null)?.value : value);
const saysYes = (value: unknown) => ['1', 'true', 'yes'].includes(flagOf(value));
const saysNo = (value: unknown) => ['0', 'false', 'no'].includes(flagOf(value));
const valuesOf = ({ body }: Told) =>
	Object.entries(body).flatMap(([name, value]) =>
		NAMES_OF_THINGS.includes(name) ? [] : [value].flat(),
	);
const CATCH_ALLS = ['catch_all', 'accept_all', 'catch-all', 'catchall', 'accepts_all'];
const UNSURE = ['unknown', 'risky', 'no_connect', 'timeout'];
const resultsOf = ({ body }: Told) =>
	['result', 'state', 'deliverability', 'sub_status', 'smtp_code'].map((name) =>
		wordOf(body[name]),
	);
/** Sentences of the model that say no, beside a yes. */
const SAYS_NO = [...NOT_CHECKED, ...PLAIN.slice(1), 'invalid', 'undeliverable', '550'].map(wordOf);
/** Whether a flag of the kind of those that are named says that, or the opposite one the opposite. */
const isContradicted = ({ body }: Told, names: string, answer: string) =>
	(answer === 'yes' && Object.values(body).some((value) => like(value, 'VALID_CONFIRMED'))) ||
	[...names.matchAll(/`(\w+)`/g)]
		.flatMap(([, name]) => Object.entries(OTHER_FLAGS[name] ?? {}))
		.some(([name, affirms]) =>
			(answer === 'yes') === affirms ? saysYes(body[name]) : saysNo(body[name]),
		);

const NO_RESULT =
	'no field has the result of a check: a `verdict` of a mailbox, a `reason_code` of one, a false `emailformat`, without a verdict a flag, or beside a `balance` words about the mailbox';
const RESULT_CODES = [
	...['MAILBOX_ACCEPTED', 'VALID', 'MAILBOX_NOT_FOUND', 'INVALID_SYNTAX', 'USER_UNKNOWN', 'NO_MX'],
];
const OF_MAILBOX = ['invalid email address', 'invalid', 'undeliverable'];
/** The words of the error, or else of the message. */
const wordsIn = ({ body: { error, message } }: Told) =>
	isEmptyError(error) || error === true ? message : textIn(error);
function hasResult(told: Told): boolean {
	const { verdict, reason_code: code, emailformat, emailexist, valid } = told.body;
	return (
		['deliverable', 'undeliverable', 'invalid_format'].some((word) => like(verdict, word)) ||
		saysNo(emailformat) ||
		(missing(verdict) &&
			!isTroubleCode(told) &&
			[emailexist, valid].some((flag) => saysYes(flag) || saysNo(flag))) ||
		isOfCatchAll(told) ||
		(typeof code === 'string' && RESULT_CODES.includes(code.trim().toUpperCase())) ||
		(isNumber(told.body.balance) && OF_MAILBOX.includes(wordOf(wordsIn(told))))
	);
}
const BUSY = 'Service temporarily unavailable, please try again.';
function isInconclusive(told: Told): boolean {
	const { balance, verdict, reason_code: code } = told.body;
	const isOfCheck = isNumber(balance) || !missing(verdict) || toldIn(code);
	const isTimeout = like(code, 'network_timeout') || wordsIn(told) === BUSY;
	return isTimeout || (told.head.status < 300 && isOfCheck && !hasResult(told));
}
const isOfCatchAll = (told: Told) =>
	saysYes(told.body.catch_all) ||
	valuesOf(told).some((value) => CATCH_ALLS.includes(wordOf(value)));

const SENTENCES: Record<string, (told: Told) => boolean> = {
	'the number may lack its area code': ({ isPart }) => isPart === true,
	'`status` or `success` is false, `error` says something, or `status` is a word such as "error" and no field has an answer':
		fails,
	'`error` says something': ({ body }) => !isEmptyError(body.error),
	'`status` and `success` are true or missing, and `error` says nothing': ({ body }) =>
		agrees(body.status) && agrees(body.success) && isEmptyError(body.error),
	'`success` is true or missing, and `error` says nothing': ({ body }) =>
		agrees(body.success) && isEmptyError(body.error),
	'its words or its HTTP status are about the key or the credits': (told) =>
		[401, 402].includes(told.head.status) || isAboutAccount(told),
	'its words speak of trouble of the service, the pace of calls or access to it': (told) => {
		const { words = '', isTrouble } = saidBy(told) ?? {};
		return isTrouble === true || /api.key|unauthori/i.test(words);
	},
	'its words speak of no trouble of the service': (told) => !saidBy(told)?.isTrouble,
	'its words say that the number is invalid, and no field speaks of trouble': (told) =>
		allSaid(told).length > 0 && aboutAll(told, 'noNumber') && !hasTrouble(told),
	'its words say that the address is unknown or has no place, and no field speaks of trouble': (
		told,
	) => allSaid(told).length > 0 && aboutAll(told, 'noPlace') && !hasTrouble(told),
	'its words, codes and warnings, if any, say no more than that, and no field says "not this time" or speaks of trouble':
		(told) =>
			allSaid(told).every((value) => PLAIN.includes(textIn(value) as string)) && !hasTrouble(told),
	'no field has words, a code or a warning, says "not this time" or speaks of trouble': (told) =>
		!hasWords(told) && !hasTrouble(told),
	'no field has errors, says "not this time", speaks of trouble or has a sentence that says no': (
		told,
	) =>
		[...ERROR_FIELDS, 'error'].every((name) => isEmptyError(told.body[name])) &&
		forNow(told).length === 0 &&
		!/^[45]\d\d$/.test(wordOf(told.body.status_code)) &&
		!valuesOf(told).some((value) => SAYS_NO.includes(wordOf(value))) &&
		!hasTrouble(told),
	'`status` is false, or the word false': ({ body: { status } }) => isFalse(status),
	'`reason_code` says nothing, or names what a mailbox that works may have, such as mailbox_accepted':
		({ body: { reason_code: code } }) =>
			!toldCode(code) || ['MAILBOX_ACCEPTED', 'VALID'].includes(String(code).trim().toUpperCase()),
	'`reason_code` says nothing, or names why a mailbox cannot take email, such as mailbox_not_found':
		({ body: { reason_code: code } }) =>
			!toldCode(code) ||
			['mailbox_not_found', 'invalid_syntax', 'user_unknown', 'no_mx'].includes(
				String(code).trim().toLowerCase(),
			),
	'`catch_all` or `accept_all` is true, `reason_code` names one of them, or another text is no more than one of them, in any spelling':
		isOfCatchAll,
	'no word of the check, such as `state` or `deliverability`, is unknown or risky': (told) =>
		!resultsOf(told).some((word) => UNSURE.includes(word)),
	'no word of the check, such as `state` or `deliverability`, is deliverable, unknown or risky, and `smtp_code` is not 250':
		(told) =>
			!resultsOf(told).some((word) => [...UNSURE, 'deliverable'].includes(word)) &&
			!wordOf(told.body.smtp_code).startsWith('250'),
	'no other field says anything but `ip`, `success`, `asn`, `range`, a network or time zone, and counts above 0 of credits or calls left':
		({ body }) => Object.entries(body).every(([name, value]) => isOfNoPlace(name, value)),
	'the HTTP status is below 400': ({ head }) => head.status < 400,
	'`name` names somebody': ({ body: { name } }) => isName(name),
	'`name` names nobody': ({ body: { name } }) => !isName(name),
	'`name` is there, and empty': ({ body: { name } }) =>
		name === null || (typeof name === 'string' && !toldIn(name)),
	'a balance is a number': (told) => hasBalance(told),
	'no balance is a number': (told) => !hasBalance(told),
	'it has a point, a country, a region or city without one, or two different names of a place, that speak of no trouble':
		isPlace,
	'it names no place': namesNothing,
	'`balance` is missing or 0, or the HTTP status is 300 or more': ({ body: { balance }, head }) =>
		head.status >= 300 || !(isNumber(balance) && Number(balance) > 0),
	[`\`reason_code\` is network_timeout, \`error\` is the service's sentence for it, or HTTP is 2xx, \`balance\` is a number, there is a \`verdict\` or \`reason_code\` says something, and ${NO_RESULT}`]:
		(told) => isInconclusive(told),
	[NO_RESULT]: (told) => !hasResult(told),
	'the HTTP status is not 404 or 405, or the words name no missing path': (told) =>
		told.head.status !== 404 || wordsIn(told) !== 'Cannot GET /route',
	'`reason_code` speaks of trouble, such as network_timeout': isTroubleCode,
};

function isTroubleCode({ body: { reason_code: code } }: Told): boolean {
	if (typeof code === 'object' && code !== null) return true;
	return [...TROUBLE_CODES, ...TROUBLE_ANYWHERE, 'UNKNOWN'].includes(code as string);
}

function isName(name: unknown): boolean {
	const isTrouble =
		typeof name === 'string' &&
		/^(?:error|failed|no|timeout|pending|processing|rate_limited|(?:not_|in )?(?:in)?valid\??)$/i.test(
			name,
		);
	return (
		toldIn(name) &&
		!isTrouble &&
		![...NOT_NAMES, ...MASKED_NAMES].includes(name as string) &&
		(typeof name !== 'string' || /\p{L}/u.test(name))
	);
}

function isOtherValue(noun: string, value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
	if (noun !== 'country') return Object.values(OTHER).flat().includes(value);
	const isCode = /^(?:[1-9]\d{0,3}|no|١)$/.test(String(value));
	return OTHER.country.includes(value) || (isCode && !SAME.country.includes(value));
}

function holds(words: string, told: Told): boolean {
	if (Object.hasOwn(SENTENCES, words)) return SENTENCES[words](told);
	const other = /^(.+) is another (\w+) than in the request$/.exec(words);
	const names = [...words.matchAll(/`(\w+)`/g)].map(([, name]) => name);
	const values = names.map((name) => told.body[name]);
	if (other) return values.some((value) => isOtherValue(other[2], value));
	if (words.endsWith(' is a number')) return values.some((value) => typeof value === 'number');
	if (/ (isn't a number|aren't numbers)$/.test(words)) {
		return values.every((value) => typeof value !== 'number');
	}
	if (words.endsWith(' says something')) return values.some(toldIn);
	if (/ says? nothing$/.test(words)) return !values.some(toldIn);
	const [, flags, answer] = /^no other field, such as (.+), says (yes|no)$/.exec(words) ?? [];
	if (flags) return !isContradicted(told, flags, answer);
	const [, negation, list] = /^`\w+` (is|isn't) (.+)$/.exec(words) ?? [];
	if (list === undefined) throw new Error(`This test can't read the words: ${words}`);
	const isOne = list
		.split(' or ')
		.some((text) => (text === 'missing' ? missing(values[0]) : like(values[0], text)));
	return (negation === 'is') === isOne;
}

const SHOWN: Record<string, string> = { unclear: 'unknown', running: 'unknown' };

function byPrintedWords({ rows }: DecisionTable, told: Told): string {
	const row = rows.find(({ when }) => when.every(({ words }) => holds(words, told)));
	return row === undefined ? 'unknown' : (SHOWN[row.says] ?? row.says);
}

const outcomeOf = (reading: Reading) => (isRefusal(reading) ? 'refused' : reading.outcome);

/** Values that speak against a yes, by field. None of them is beside one. */
const DENIALS: Record<string, string[]> = {
	...{ status: ['false', 'INVALID'], success: ['false'], valid: ['false', 'INVALID'] },
	...{ whatsapp: ['false'], emailexist: ['false'], smtp_check: ['false'], emailformat: ['false'] },
	...{ verdict: ['undeliverable', 'invalid_format', 'unknown'], mx_found: ['false'] },
	...{ reason_code: ['mailbox_not_found', 'invalid_syntax', 'network_timeout', 'catch_all'] },
};
const denials = (body: IDataObject) =>
	Object.entries(DENIALS).filter(([name, values]) => values.some((text) => like(body[name], text)));

/** Random choices, others for each run. */
function* choices(runs: number): Generator<Pick> {
	for (let run = 0; run < runs; run += 1) {
		const pick = picker(run + 1);
		for (let warm = 0; warm < 5; warm += 1) pick(10);
		yield pick;
	}
}

const RUNS = isFullRun ? 3_000 : 150;
/** As many as it takes to reach every row of every table. */
const READ_RUNS = isFullRun ? 12_000 : 3_000;

describe.each(SUBJECTS)('the replies to $of, by table $table', (subject) => {
	const operation = operationOf(subject);
	const table = operation.decide![subject.table];
	const fields = [...subject.fields, ...COMMON];
	const head = (status: number) => headOf(operation.request(subject.question), status);
	const heads = new Map(STATUSES.map((status) => [status, head(status)]));
	const read = (body: IDataObject, status = 200, isPart?: boolean) =>
		operation.read(body, heads.get(status)!, { ...subject.question, isPart });

	/** Drawn and read once for all tests. */
	const draw = (pick: Pick) => {
		const body = replyFrom(subject.good[pick(subject.good.length)], fields, pick);
		const status = STATUSES[pick(STATUSES.length)];
		const isPart = subject.mayBePart && pick(2) === 0;
		const told: Told = { body, head: heads.get(status)!, asked: subject.asked, isPart };
		const reading = read(body, status, isPart);
		return { ...{ body, status, pick, told, reading }, outcome: outcomeOf(reading) };
	};
	let all: Array<ReturnType<typeof draw>> = [];
	beforeAll(() => {
		all = Array.from(choices(READ_RUNS), draw);
	});
	afterAll(() => {
		all = [];
	});
	const some = () => all.slice(0, RUNS);

	test('are read as the printed table says, and every row decides some', () => {
		const decided = new Set<unknown>();
		for (const { body, status, told, outcome } of all) {
			if (decided.size <= table.rows.length) decided.add(rowFor(table, told));
			expectEqual([body, status, outcome], [body, status, byPrintedWords(table, told)]);
		}
		const unreached = table.rows.filter((row) => !decided.has(row));
		expect(unreached.map(({ when }) => when.map(({ words }) => words))).toEqual([]);
		expect(decided.has(undefined)).toBe(true);
	});

	test('are a yes only if no field contradicts it, and a no only if a field says no', () => {
		const names = subject.fields.filter((name) => name in ASKED || name.startsWith('format'));
		for (const { body, told, outcome } of some()) {
			if (outcome !== 'positive' && outcome !== 'negative') continue;
			const against = denials(body).filter(
				([name]) => name !== 'reason_code' || subject.fields.includes(name),
			);
			if (outcome === 'positive') {
				const isOther = names.some((name) => isOtherValue('', body[name]));
				expectEqual([body, against, isEmptyError(body.error)], [body, [], true]);
				expectEqual([body, isOther], [body, false]);
				continue;
			}
			const isNo = allSaid(told).some((value) =>
				FAILURES.some(
					({ about, words }) =>
						(about === 'noNumber' || about === 'noPlace') && words === textIn(value),
				),
			);
			expectEqual([body, against.length > 0 || isNo], [body, true]);
			// Get Status asks for trouble: there it is the answer
			if (subject.asked === undefined) continue;
			expectEqual([body, forNow(told), saidBy(told)?.isTrouble], [body, [], undefined]);
		}
	});

	test('with unknown words are never a no', () => {
		for (const pick of choices(RUNS)) {
			const names = fields.filter(() => pick(2) === 0);
			const body = Object.fromEntries(
				names.map((name) => [name, ODD_WORDS[pick(ODD_WORDS.length)]]),
			);
			expectEqual([body, outcomeOf(read(body)) === 'negative'], [body, false]);
		}
	});

	test('that say no are none beside a field that says "not this time"', () => {
		for (const { body, status, pick, outcome } of subject.asked ? some() : []) {
			if (outcome !== 'negative') continue;
			for (const [name, values] of Object.entries(FOR_NOW)) {
				const again = { ...body, [name]: values[pick(values.length)] } as IDataObject;
				expectEqual([again, outcomeOf(read(again, status)) === 'negative'], [again, false]);
			}
		}
	});

	test('mean the same with an empty error', () => {
		for (const { body, status, pick, told, reading } of some()) {
			const { error: given, ...without } = body;
			const error = EMPTY_ERRORS[pick(EMPTY_ERRORS.length)] as IDataObject[string];
			const expected = given === undefined ? reading : read(without, status, told.isPart);
			expectEqual(read({ ...without, error }, status, told.isPart), expected);
		}
	});
});
