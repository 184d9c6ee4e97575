import {
	asItCame,
	type Condition,
	type DecisionRow,
	type DecisionTable,
	negative,
	positive,
	type Told,
	unclear,
	unknown,
	type Why,
} from '../../engine/operation';
import {
	errorText,
	hasError,
	isAboutMissingPath,
	isAccountRefusal,
	isFalse,
	NO_PATH,
	refused,
	refuses,
	speaksOfTrouble,
} from '../../engine/refusals/refusal';
import { normalized, textOf } from '../../engine/plan/values';
import type { AnswerRecord, Reading } from '../../engine/results';
import {
	hasFlag,
	saysConfirmed,
	troubleBesideYes,
	wordsAgainst,
	wordsBeside,
	yesOrNo,
} from './replyWords';

/** The conditions that decision tables are made of, and the reading of a reply by its table. */

/** The row that decides; undefined for a reply without a row. */
export function rowFor({ rows }: DecisionTable, told: Told): DecisionRow | undefined {
	const known = new Map<Condition, boolean>();
	const holds = (one: Condition) => {
		const held = known.get(one) ?? one.holds(told);
		known.set(one, held);
		return held;
	};
	return rows.find(({ when }) => when.every(holds));
}

/**
 * Reads a reply.
 * @param record the fields that the output shows, whatever the reply means
 * @param own the fields that are known without the reply
 */
export function readBy(
	table: DecisionTable,
	told: Told,
	record: AnswerRecord,
	own: AnswerRecord = {},
): Reading {
	const row = rowFor(table, told);
	if (!row) {
		const reason = textFrom(table.otherwise, told) ?? NO_ANSWER;
		const isMore = ([name, value]: [string, unknown]) => !isMissing(value) && !(name in own);
		const isRead = hasFieldOf(table, told) || Object.entries(record).some(isMore);
		return isRead ? unclear(withoutAnswers(record, table), reason) : asItCame(reason);
	}
	const why = textFrom(row.why, told);
	switch (row.says) {
		case 'positive':
			return positive(record, why);
		case 'negative':
			return negative(record, why);
		case 'refused':
			return refused(told.body, told.head);
		case 'unclear':
			return unclear(row.isOfOther ? own : withoutAnswers(record, table), why ?? NO_ANSWER);
		case 'running':
		case 'unknown':
			return {
				...unknown(withoutAnswers(record, table, !refuses(told.body)), why),
				...(row.isRefunded && { isRefunded: true }),
			};
	}
}

/** Fields of a reply about the call. */
const OF_CALL = ['status', 'success', 'error', 'errors', 'message', 'code'];

/** Whether a body has a field of an answer that the table looks at. One without may have its answer elsewhere, such as in `data`. */
function hasFieldOf({ rows }: DecisionTable, { body }: Told): boolean {
	const isInBody = (field: string) => !OF_CALL.includes(field) && Object.hasOwn(body, field);
	return rows.some(({ when }) => when.some(({ fields }) => fields.some(isInBody)));
}

/**
 * The fields of an unknown, without those that say yes or no.
 * @param isKnown whether the table knows the unknown: a yes of a field is then a part of it, as for a catch-all server
 */
export function withoutAnswers(
	record: AnswerRecord,
	{ answers = [] }: DecisionTable,
	isKnown = false,
): AnswerRecord {
	const told = answers.filter(
		(name) => record[name] === false || (record[name] === true && !isKnown),
	);
	return { ...record, ...Object.fromEntries(told.map((name) => [name, null])) };
}

const NO_ANSWER = "the service's answer says neither yes nor no";

function textFrom(why: Why | undefined, told: Told): string | undefined {
	return typeof why === 'function' ? why(told) : why;
}

export const DISAGREE = "the fields of the service's answer contradict each other";

/**
 * The service's own words, or these if it has none.
 * @param answer the field that has the answer; if it says yes or no, another field contradicts it
 */
export function wordsOr(otherwise: string, answer = ''): Why {
	return (told) => {
		const words = errorText(told.body);
		// A sentence that says no doesn't explain an unknown
		const without = yesOrNo(told.body[answer]) === undefined ? otherwise : DISAGREE;
		return wordsBeside({ message: words }) ?? wordsAgainst(told) ?? words ?? without;
	};
}

type Value = boolean | number | string;

function valueOf({ found, body }: Told, field: string): unknown {
	return found && Object.hasOwn(found, field) ? found[field] : body[field];
}

/** How much longer than a value a text may be that is the same, with the spaces around it. */
const MAX_AROUND = 1_000;

/**
 * Whether a value of a reply is that value. Words are the same in any case, with or without spaces around them, and a flag whether
 * it is a boolean, a number or a text.
 */
export function isSame(value: unknown, other: Value): boolean {
	if (value === other) return true;
	if (typeof other === 'boolean') return yesOrNo(value) === other;
	if (typeof value !== 'string' || typeof other !== 'string') return false;
	if (value.length > other.length + MAX_AROUND) return false;
	return value.trim().toLowerCase() === other.toLowerCase();
}

function printed(values: Value[]): string {
	return values.map(textOf).join(' or ');
}

function hasOne(told: Told, field: string, values: Value[]): boolean {
	return values.some((value) => isSame(valueOf(told, field), value));
}

export function is(field: string, ...values: Value[]): Condition {
	const words = `\`${field}\` is ${printed(values)}`;
	return that(words, [field], (told) => hasOne(told, field, values));
}

/** The field has none of the values; it may be missing. */
export function isNot(field: string, ...values: Value[]): Condition {
	const words = `\`${field}\` isn't ${printed(values)}`;
	return that(words, [field], (told) => !hasOne(told, field, values));
}

/** The field has one of the values, or is missing: null and the empty text count as missing. */
export function isOrMissing(field: string, ...values: Value[]): Condition {
	const words = `\`${field}\` is ${printed(values)} or missing`;
	return that(
		words,
		[field],
		(told) => isMissing(valueOf(told, field)) || hasOne(told, field, values),
	);
}

export function isMissing(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** "Unknown" in other languages, in its forms. Case and accents make no difference. */
export const UNKNOWN_ABROAD = withoutAccents(
	[
		'unbekannt|onbekend|ukendt|ukjent|okand|tuntematon|desconocid|desconhecid|desconegut|inconnu|sconosciut|necunoscut|nepoznat',
		'nieznan|neznam|ismeretlen|bilinm|неизвестн|невідом|непознат|αγνωστ|לא ידוע|غير معروف|مجهول|अज्ञात|ไม่ทราบ|khong (?:ro|xac dinh)',
		'tidak diketahui|不明|未知|不详|不詳|미상|알 ?수 ?없',
	].join('|'),
);
/** Texts of services for an unknown value. */
const UNTOLD = new RegExp(
	`^[([<{"']{0,3}(?:${[
		'n[./ ]?a\\.?|nil|none|no (?:data|results?|value)|not (?:applicable|available|found|known|provided|set|specified)|null',
		'undefined|unknown|[^\\p{L}\\p{N}]*',
		`(?:${UNKNOWN_ABROAD})\\p{L}{0,5}`,
		'n[./]d\\.?|s/[di]|k\\. ?a\\.|n\\.v\\.t\\.|н/д|brak(?: danych)?|нет данных|ei tiedossa|keine angaben?|sin (?:datos|informacion)',
		'(?:nicht|niet) (?:verfugbar|beschikbaar)|n[ao]o? disponi(?:ble|vel)|non (?:disponib(?:ile|le)|renseigne|defini)e?|未定义|未定義',
	].join('|')})[)\\]>}"']{0,3}$`,
	'iu',
);

/** A text that tells something at its beginning; undefined for any other value, and for words such as "N/A". */
export function toldText(value: unknown): string | undefined {
	return typeof value === 'string' && !UNTOLD.test(withoutAccents(value)) ? value : undefined;
}

/** The beginning of a text as words without accents. */
export function withoutAccents(text: string): string {
	const words = inWords(text);
	return /\P{ASCII}/u.test(words)
		? normalized(normalized(words, 'NFKD').replace(/\p{M}/gu, ''), 'NFC')
		: words;
}

/** The beginning of a text, for comparison: a code such as "not_found" as words. */
export function inWords(text: string): string {
	return text.slice(0, MAX_AROUND).replace(/[_-]+/g, ' ').trim();
}

/** The field is missing, null or the empty text. */
export function lacks(field: string): Condition {
	return that(`\`${field}\` is missing`, [field], (told) => isMissing(valueOf(told, field)));
}

/** One of the fields has a text with information. */
export function tells(...fields: string[]): Condition {
	return that(`${namesOf(fields)} says something`, fields, (told) => isTold(told, fields));
}

/** The field has no text with information. */
export function tellsNot(field: string): Condition {
	return that(`\`${field}\` says nothing`, [field], (told) => !isTold(told, [field]));
}

function isTold(told: Told, fields: string[]): boolean {
	return fields.some((field) => toldText(valueOf(told, field)) !== undefined);
}

function namesOf(fields: string[]): string {
	return fields.map((field) => `\`${field}\``).join(' or ');
}

/** A condition on the whole reply, with its own words. */
export function that(words: string, fields: string[], holds: (told: Told) => boolean): Condition {
	return { words, fields, holds };
}

/** Values of a flag of success in a successful reply. */
const SUCCESS = [true, 200, 'ok', 'success', 'successful', '200'];

function isAgreeing(value: unknown): boolean {
	return isMissing(value) || SUCCESS.some((success) => isSame(value, success));
}

/** `status` is a flag of success, and says no. */
export const STATUS_IS_FALSE = that(
	'`status` is false, or the word false',
	['status'],
	({ body }) => isFalse(body.status),
);

/** The service reports a failure (SPEC §2.1, ErrorResponse; §2.3). */
export const REFUSES = that(
	'`status` or `success` is false, `error` says something, or `status` is a word such as "error" and no field has an answer',
	['status', 'success', 'error'],
	({ body }) => refuses(body),
);

/** For a reply that reports a failure beside an answer. */
export const FAILS: DecisionRow = {
	when: [REFUSES],
	says: 'unknown',
	why: wordsOr('the service reports a failure'),
};

/** No field says that the call failed. */
export const SUCCEEDS = that(
	'`status` and `success` are true or missing, and `error` says nothing',
	['status', 'success', 'error'],
	({ body }) => isAgreeing(body.status) && isAgreeing(body.success) && !hasError(body),
);

/** Like SUCCEEDS, if `status` has its own words. */
export const SUCCEEDS_BESIDE_STATUS = that(
	'`success` is true or missing, and `error` says nothing',
	['success', 'error'],
	({ body }) => isAgreeing(body.success) && !hasError(body),
);

/** A failure of every further call. */
export const IS_ABOUT_ACCOUNT = that(
	'its words or its HTTP status are about the key or the credits',
	['error', 'message'],
	({ body, head }) => isAccountRefusal(body, head),
);

/** Another call to it would fail too, and none has looked anything up. */
export const IS_NOT_ABOUT_PATH = that(
	'the HTTP status is not 404 or 405, or the words name no missing path',
	['error', 'message'],
	({ body, head }) => {
		const words = errorText(body) ?? '';
		return !NO_PATH.has(head.status) || !isAboutMissingPath(words) || NOT_FOUND.test(words);
	},
);
/** "Not found" alone may be said of what was asked for. */
const NOT_FOUND = /^\W*(?:404\W+)?(?:error\W+)?not found\W*$/i;

/** "Not this time": another try is offered, there was no time, the credit came back, or the work goes on. */
export const OF_WORDS = [
	...['error', 'message', 'code', 'warning', 'reason_code', 'retry_after', 'retry', 'refunded'],
	...['partial', 'state'],
];

/** No word reports a problem of the service: its fields are then no answer. */
export const NO_TROUBLE = that(
	'its words speak of no trouble of the service',
	['error', 'message'],
	({ body }) => !speaksOfTrouble(errorText(body)),
);

/** "Unauthorized", "Missing parameter: api_key": the request was not looked at. */
const OF_ACCESS =
	/\b(?:access denied|api[ _-]?key|auth(?:entication|orization)|forbidden|un(?:authenticated|authori[sz]ed)|(?:invalid|missing|required) (?:argument|field|param(?:eter)?|request|token))\b/i;

/** No lookup was made: the service has trouble of its own, or did not take the request. */
export const IS_NO_LOOKUP = that(
	'its words speak of trouble of the service, the pace of calls or access to it',
	['error', 'message'],
	({ body }) => {
		const words = errorText(body);
		return speaksOfTrouble(words) || (words !== undefined && OF_ACCESS.test(words));
	},
);

/** Unknown words beside a no may be about a failed check. */
export const SAYS_NO_MORE = that(
	'its words, codes and warnings, if any, say no more than that, and no field says "not this time" or speaks of trouble',
	OF_WORDS,
	(told) => wordsAgainst(told) === undefined,
);

/** A yes beside trouble may be a default. */
export const HAS_NO_TROUBLE = that(
	'no field has errors, says "not this time", speaks of trouble or has a sentence that says no',
	['errors', ...OF_WORDS],
	(told) => troubleBesideYes(told) === undefined,
);

/** For a no: no other field contradicts it. */
export function noneSaysYes(fields: string[], flags: RegExp): Condition {
	return that(
		`no other field, such as ${namesOf(fields)}, says yes`,
		fields,
		({ body }) => !hasFlag(body, flags, true) && !saysConfirmed(body),
	);
}

/** For a yes: no other field contradicts it. */
export function noneSaysNo(fields: string[], flags: RegExp): Condition {
	return that(
		`no other field, such as ${namesOf(fields)}, says no`,
		fields,
		({ body }) => !hasFlag(body, flags, false),
	);
}

/** A body alone says nothing under an HTTP error, which may be about the request. */
export const IS_NO_HTTP_ERROR = that(
	'the HTTP status is below 400',
	[],
	({ head }) => head.status < 400,
);

/** For calls with a side effect: the engine decides what an HTTP error means. */
export const IS_HTTP_ERROR = that(
	'the HTTP status is 400 or more',
	[],
	({ head }) => head.status >= 400,
);

/** A list or an object instead of one value may be about several subjects. */
function isList(value: unknown): boolean {
	return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

export function ofOther(
	noun: string,
	fields: string[],
	isOther: (said: unknown, asked: string, hint?: string) => boolean,
): DecisionRow {
	return {
		when: [
			that(
				`${namesOf(fields)} is another ${noun} than in the request`,
				fields,
				({ body, asked, hint }) =>
					asked !== undefined &&
					fields.some((field) => isList(body[field]) || isOther(body[field], asked, hint)),
			),
		],
		says: 'unclear',
		why: `the service answered about another ${noun}`,
		isOfOther: true,
	};
}
