import type { GenericValue, IDataObject } from 'n8n-workflow';
import type { Told } from '../../engine/operation';
import { inShort, isObject, numberIn, quote, textOf } from '../../engine/plan/values';
import {
	type Asked,
	errorText,
	hasError,
	TROUBLE,
	withoutAsked,
} from '../../engine/refusals/refusal';
import { isUnfinishedWord } from './jobState';

/**
 * What a reply says besides its known fields: its fields and words, and the one place that decides which of them take a no back,
 * since the check itself went wrong.
 */

/** Fields of a reply, or of one object in it, that are looked at. */
export const MAX_FIELDS = 1_000;
type Entry = [name: string, value: IDataObject[string]];
const firstEntries = new WeakMap<object, Entry[]>();

/** The first fields of a body, or of an object in it. Those of a large one are kept, since many conditions ask for them. */
export function entriesIn(object: object): Entry[] {
	const known = firstEntries.get(object);
	if (known) return known;
	const all: Entry[] = Object.entries(object);
	if (all.length <= MAX_FIELDS) return all;
	const first = all.slice(0, MAX_FIELDS);
	firstEntries.set(object, first);
	return first;
}

export function objectsAt(holder: IDataObject, names: string[]): IDataObject[] {
	return names.map((name) => holder[name]).filter(isObject);
}

/** Whether a value is empty: absent, empty text, an empty list or object. */
export function isNothing(value: unknown): boolean {
	if (Array.isArray(value)) return value.length === 0;
	return (
		value === undefined ||
		value === null ||
		value === '' ||
		(isObject(value) && entriesIn(value).length === 0)
	);
}

/** What a flag, a count or a text says no by. */
const NO_OR_NONE = /^\s*(?:0|false|n\/?a|no|none|null)\s*$/i;

export function isNo(value: unknown): boolean {
	if (typeof value === 'string') return NO_OR_NONE.test(inShort(value));
	return value === false || value === 0;
}

/** Parts of an object that are looked at. */
const MAX_PARTS = 100;

/** Whether a flag, a count, a list or an object says anything but no and nothing. It looks at the first parts. */
export function says(value: unknown): boolean {
	if (isObject(value))
		return entriesIn(value)
			.slice(0, MAX_PARTS)
			.some(([, each]) => says(each));
	return !isNothing(value) && !isNo(value);
}

/** Longer names of fields say nothing. */
export const LONGEST_NAME = 60;

/** A name in small letters, without what is none; empty for a longer one. */
export function plainName(name: string): string {
	return name.length > LONGEST_NAME ? '' : name.toLowerCase().replace(/[^a-z\d]/g, '');
}

/** Where services have words, codes and warnings. A rate is a measure. */
const WORD_FIELD =
	/(?:error|warning|exception)s?(?!_?(?:count|margin|rate))|^(?:err|message|msg|details?|reason(?:_?code)?|(?:http_?|status_?|response_?|result_?)?code|http_?status)$/i;

/** What is looked at of a name or a text. */
const MAX_CHARACTERS = 1_000;

/** Fields by which an answer holds for this time alone: another try may be answered otherwise. */
const AGAIN =
	/^(?:(?:can|is|may|please|should|will)_?)?(?:re-?triable|retry(?:able)?|try_?again|transient)(?:_?(?:after|at|in|later|ms|s|secs?|seconds?))*$/i;
const REFUNDED = /^(?:is_?|was_?|credits?_?)?refund(?:ed)?(?:_?(?:amount|credits?))?$/i;
const UNFINISHED =
	/^(?:has_?|is_?|was_?)?(?:degraded|incomplete|inconclusive|in_?progress|overloaded|partial|pending|processing|queued|rate_?limited|blocked|skipped|throttled|time_?out|timed_?out|unavailable|unchecked|undetermined|unknown)$/i;
/** Flags of an answer that was made up or is out of date. */
const PRETENDED =
	/^(?:is_?|was_?)?(?:demo|dry_?run|estimated|fake|fallback|mock(?:ed)?|outdated|placeholder|sandbox(?:ed)?|simulat(?:ed|ion)|stale|test)(?:_?(?:data|mode|only|run))?$/i;
/** Flags by which nobody looked. */
const CHECKED =
	/^(?:is_?|was_?)?(?:(?:check|lookup|wa|whatsapp)_?)?(?:checked|conclusive|determined|executed|final|looked_?up|performed|reliable|supported)$/i;
/** The result of a check in one word, and the word for none. */
const RESULT =
	/^(?:(?:check|lookup|wa|whatsapp)_?)?(?:outcome|result|verdict)$|^(?:check|lookup|wa|whatsapp)_?stat(?:e|us)$/i;
const NO_RESULT =
	/^\s{0,9}(?:inconclusive|not[ _-]checked|unchecked|undetermined|unknown)\s{0,9}$/i;
/** HTTP statuses of the source of an answer. */
const OF_SOURCE =
	/^(?:origin|provider|source|target|upstream)_?(?:http_?)?(?:code|status(?:_?code)?)$/i;
const JOB_STATE =
	/^(?:(?:check|job|lookup|task)_?)?(?:phase|stage|state)$|^(?:check|job|lookup|task)_?status$/i;

/** Flags of a call, or of the connection that it needs, and states of that connection in which it works. */
const SUCCEEDED =
	/^(?:(?:has|is|was)_?)?(?:(?:api|call|check|client|connection|device|instance|lookup|query|request|search|session|upstream|wa|whatsapp)_?)?(?:authenticated|authori[sz]ed|complete[ds]?|connected|done|finished|logged_?in|ok|paired|ready|succe(?:ss(?:ful(?:ly)?)?|eded))$/i;
const CONNECTION =
	/^(?:(?:client|device|instance|wa|whatsapp)_?)?(?:client|connection|instance|session)_?(?:state|status)$/i;
const WORKS =
	/^\s{0,9}(?:true|yes|1|200|ok|active|alive|authenticated|closed normally|connected|established|in_?chat|logged[ _-]?in|main|normal|online|open(?:ed)?|paired|ready|running|success(?:ful)?|up|valid|working)\s{0,9}$/i;

/** Fields that may have the name of a connection or a place, and states of one that does not work. */
const MAY_BE_STATE =
	/^(?:client|connection|instance|session|state)$|^(?:wa|whatsapp)_?(?:state|status)$/i;
const IS_BROKEN =
	/^\s{0,9}(?:closed?|conflict|disconnected|down|expired|logged[ _-]?out|lost|not[ _-]?connected|offline|pairing|proxyblock|qr|tos_block|unlaunched|unpaired(?:_idle)?)\s{0,9}$/i;

/**
 * Whether a field says that the call, or the connection that it needs, failed.
 * @param of the name of the object that it is in; empty at the top, where the flag of the call has rows of its own
 */
function saysFailed(name: string, value: unknown, of = ''): boolean {
	if (name.length > LONGEST_NAME || of.length > LONGEST_NAME) return false;
	if (SUCCEEDED.test(name)) return (of !== '' || !/^success$/i.test(name)) && isNo(value);
	const whole = [name, ...(of === '' ? [] : [`${of}_${name}`])];
	const isAny = (names: RegExp) => whole.some((each) => names.test(each));
	if (isAny(OF_SOURCE)) return (numberIn(value) ?? 0) >= 400 || isBroken(value);
	if (isAny(MAY_BE_STATE)) return isBroken(value);
	const isState = typeof value === 'string' && value.trim() !== '';
	return isState && isAny(CONNECTION) && !WORKS.test(inShort(value));
}

function isBroken(value: unknown): boolean {
	return typeof value === 'string' && IS_BROKEN.test(value.slice(0, LONGEST_NAME));
}

/** The first field of a body, at any depth, by which the call or its connection failed. */
export function failedIn(body: IDataObject): string | undefined {
	const found = fieldsOf(body).find(({ name, value, part, of }) =>
		saysFailed(name, value, part === body ? '' : of || name),
	);
	return found && notThisTime(found.name, found.value);
}

/** Counts of what is left to the account. */
const LEFT = /balance|credits?(?!.*(?:charged|used))|remain|quota/i;

/** How many credits or calls are left by a field; undefined for another one. At 0 the service may not have looked. */
export function countLeft(name: string, value: unknown): number | undefined {
	return LEFT.test(name.slice(0, LONGEST_NAME)) ? numberIn(value) : undefined;
}

/** Whether a field says "not this time". */
export function isForNow(name: string, value: unknown): boolean {
	if (name.length > LONGEST_NAME) return false;
	if (AGAIN.test(name) || REFUNDED.test(name) || PRETENDED.test(name)) return says(value);
	if (CHECKED.test(name)) return isNo(value);
	if (RESULT.test(name))
		return typeof value === 'string' && NO_RESULT.test(value.slice(0, LONGEST_NAME));
	if (OF_SOURCE.test(name)) return (numberIn(value) ?? 0) >= 400;
	// Another value may be a setting, such as the time-out of the call
	if (UNFINISHED.test(name)) return value === 1 || value === true || value === 'true';
	return JOB_STATE.test(name) && typeof value === 'string' && isUnfinishedWord(value);
}

/** Whole sentences that say that a search found nothing. */
const NO_RESULTS =
	/^(?:no|0|zero|no more|no matching) (?:results?|tweets?|posts?|comments?|replies|products?|items?|users?|members?|entries|reviews?|data|matches)(?: (?:was |were )?(?:found|available|returned))?(?: for (?:(?:given|search|that|the|this|your) ){0,2}(?:keywords?|posts?|query|search|term|["“'].{1,200}))?$|^nothing (?:was )?found$/;

/** Whole sentences that only repeat a no, or say that the call succeeded and what it cost. */
const PLAIN_NO = [
	/^\d{1,9} credits? (?:(?:has|have|was|were)(?: been)? )?(?:charged|deducted|left|remaining|used)$|^credits? (?:left|remaining|used)\W{1,3}\d{1,9}$/,
	/^(?:(?:(?:the|your) )?(?:(?:address|call|check|data|ip|lookup|number|phone|query|request|response|search|validation|verification|whatsapp) ){1,3}(?:(?:has been|is|was) )?)?(?:success\w*|completed?|done|checked|finished|executed|processed|retrieved)(?: successfully)?(?: in \d{1,9}(?:\.\d{1,9})? ?(?:ms|s|seconds))?$/,
	/^(?:(?:the|this|your) )?(?:e ?mail |phone |mobile |ip )?(?:number|e ?mail|address|mailbox|user|recipient|account)(?: is| was)? (?:too (?:long|short)|(?:not |in|un|is not |isn't |does not |doesn't )(?:be )?(?:valid|found|known|exists?(?: (?:on|in|with) whatsapp)?|registered|deliverable|(?:registered )?(?:on|in|with) whatsapp|have (?:a )?whatsapp(?: account)?))$/,
	/^(?:not|isn't|no) (?:(?:registered )?(?:on|in|with) whatsapp|whatsapp account(?: found)?(?: for (?:that|the|this) number)?|found|valid|registered)$/,
	/^(?:not|isn't|no) an? whatsapp (?:account|number|user)$|^whatsapp (?:account )?not found$|^(?:number|phone number) (?:is )?valid,? but not (?:registered )?(?:on|in) whatsapp$/,
	/^(?:invalid|unknown|no such|undeliverable) (?:e ?mail |phone |mobile |ip )?(?:number|e ?mail|address|mailbox|user|recipient|syntax|format|domain)(?: here)?$/,
	NO_RESULTS,
];

/** What is no letter and no digit at the ends of a sentence. Within a long run of marks it looks no second time. */
const AROUND = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;

export function isPlainNo(text: string): boolean {
	const sentence = sentenceOf(text);
	return PLAIN_NO.some((plain) => plain.test(sentence));
}

/** "No data" and "nothing" may be said of other things as well. */
export function isAboutNoResults(text: string): boolean {
	return NO_RESULTS.test(sentenceOf(text));
}

function sentenceOf(text: string): string {
	const words = text.toLowerCase().replace(/[_-]+/g, ' ');
	return words.replace(AROUND, '').replace(/\s+/g, ' ');
}

/**
 * What the fields of a body say in words, and by "not this time". Empty errors and words of success say nothing; a number and a flag
 * are told with their field.
 */
export function wordsOfAll(body: IDataObject): string[] {
	return entriesIn(body).flatMap(([name, value]) => wordsOf({ name, value }));
}

export function wordsOf({ name, value }: Pick<Field, 'name' | 'value'>): string[] {
	if (isForNow(name, value)) return [notThisTime(name, value)];
	const error = value as IDataObject[string];
	if (!isWordField(name) || !hasError({ error })) return [];
	const words = errorText({ error }) ?? '';
	return [/\p{L}/u.test(words) ? words : `${inShort(name)} ${words}`.trim()];
}

function notThisTime(name: string, value: unknown): string {
	return `the service says ${quote(`${name}: ${textOf(value)}`)}`;
}

/** What the first field says that says "not this time". */
function forNowIn(body: IDataObject): string | undefined {
	const found = entriesIn(body).find(([name, value]) => isForNow(name, value));
	return found && notThisTime(found[0], found[1]);
}

/** Whether a field has words, a code or a warning. */
export function isWordField(name: string): boolean {
	return WORD_FIELD.test(name.slice(0, MAX_CHARACTERS));
}

/** Whether a body has words, and all of them match. Codes are read without their underscores. */
export function saysOnly(body: IDataObject, isSuch: (words: string) => boolean): boolean {
	const all = wordsOfAll(body);
	return all.length > 0 && all.every((words) => isSuch(words.replace(/_+/g, ' ')));
}

/** The first words of a body, in any of the fields, that say more than a no. */
export function wordsBeside(body: IDataObject, isSuchNo = isPlainNo): string | undefined {
	return wordsOfAll(body).find((words) => !isSuchNo(words));
}

/** A field of a body or of an object in it. An entry of a list has the name of the list. */
export interface Field {
	name: string;
	value: unknown;
	/** The object that it is in, and its name. */
	part: IDataObject;
	of: string;
}

const firstFields = new WeakMap<IDataObject, Field[]>();

/**
 * The fields of a body and of all objects in it, those near the top first; a few more than MAX_FIELDS if it has more. Many
 * conditions ask for them.
 */
export function fieldsOf(body: IDataObject): Field[] {
	const known = firstFields.get(body);
	if (known) return known;
	const fields = entriesOf({ name: '', value: body, part: body, of: '' });
	for (const field of fields) {
		if (fields.length > MAX_FIELDS) break;
		for (const entry of entriesOf(field)) fields.push(entry);
	}
	firstFields.set(body, fields);
	return fields;
}

function entriesOf({ name, value, part, of }: Field): Field[] {
	if (Array.isArray(value)) {
		return value.slice(0, MAX_FIELDS).map((entry: unknown) => ({ name, value: entry, part, of }));
	}
	if (typeof value !== 'object' || value === null) return [];
	const inside = value as IDataObject;
	return entriesIn(value).map(([inner, each]) => ({
		name: inner,
		value: each,
		part: inside,
		of: name,
	}));
}

/** The first words of a reply that say more than a no, or that the check went wrong. */
export function wordsAgainst({ body, head, asked }: Told): string | undefined {
	return wordsBeside(withSubject(body, asked)) ?? troubleIn(body, head.request);
}

/** What a reply says by which a yes is none: an error, "not this time", that the check went wrong, or a sentence that says no. */
export function troubleBesideYes(
	{ body, head, asked }: Told,
	isSuch = saysWentWrong,
): string | undefined {
	const own = entriesIn(body).some(([, value]) => mayDeny(value)) ? withSubject(body, asked) : body;
	const isAgainst = (text: string) => isSuch(text) || (saysNo(text) && !IS_NOT_FOUND.test(text));
	const found = errorIn(own) ?? forNowIn(own) ?? troubleIn(own, head.request, isAgainst);
	return found ?? wordsOfAll(own).find(saysNo);
}

/** The first error in a body: a field of an error, or an HTTP status that is one. */
function errorIn(body: IDataObject): string | undefined {
	return entriesIn(body).flatMap(([name, value]) => {
		const isStatus = OF_HTTP.test(name.slice(0, LONGEST_NAME)) && /^[45]\d\d$/.test(textOf(value));
		return isStatus ? notThisTime(name, value) : errorOf({ name, value });
	})[0];
}
const OF_HTTP = /^(?:http|response|status)_?(?:code|status)$/i;

/** Like troubleBesideYes, for replies about a mailbox. */
export function mailTroubleBesideYes(told: Told): string | undefined {
	const isOfServer = (text: string) => isMailNo(text) && !isPlainNo(text);
	return troubleBesideYes(told, (text) => saysMailWentWrong(text) || isOfServer(text));
}

function saysNo(text: string): boolean {
	const words = text.slice(0, LONGEST_SENTENCE).trim().toLowerCase().replace(/[_-]+/g, ' ');
	return NO_WORDS.test(words) || (DENIES.test(words) && isPlainNo(words));
}
function mayDeny(text: unknown): boolean {
	return typeof text === 'string' && DENIES.test(text.slice(0, LONGEST_SENTENCE));
}
const NO_WORDS = /^(?:invalid(?: confirmed)?|un(?:deliverable|registered))$/;
const DENIES = /\b(?:invalid|no such|no whatsapp|not|undeliverable|unknown|unregistered)\b|n't\b/i;
/** Outside of a message, these words may be about a detail. */
const IS_NOT_FOUND = /^\W*not[ _-]found\W*$/i;

/**
 * Whether a flag with such a name has that answer, in a body or in an object in it. Flags with the opposite name, such as
 * not_registered or isInvalid, have the opposite answer.
 */
export function hasFlag(body: IDataObject, flags: RegExp, answer: boolean): boolean {
	return fieldsOf(body).some(({ name, value, part }) => {
		const said = yesOrNo(value);
		// An entry of a list is no flag
		const isFlag = part[name] === value && name.length <= LONGEST_NAME;
		if (said === undefined || !isFlag) return false;
		const words = nameInWords(name);
		if (flags.test(words)) return said === answer;
		return said !== answer && flags.test(words.replace(NOT, ''));
	});
}
const NOT = /\b(?:(?:not?|non) |un|in)(?=[a-z])/i;

/** What a flag says, whatever its type; undefined if it is neither a clear yes nor a clear no. */
export function yesOrNo(value: unknown): boolean | undefined {
	if (value === 0 || value === 1) return value === 1;
	if (typeof value === 'boolean') return value;
	if (typeof value === 'object' && value !== null && 'value' in value) {
		return typeof value.value === 'object' ? undefined : yesOrNo(value.value);
	}
	if (typeof value !== 'string' || value.length > LONGEST_NAME) return undefined;
	return YES.test(value) || (NO.test(value) ? false : undefined);
}
const YES = /^\s*(?:1|true|yes)\s*$/i;
const NO = /^\s*(?:0|false|no)\s*$/i;

/** A flag of a reply for the output; null if it is no clear yes or no. */
export function flagIn(value: GenericValue): boolean | null {
	return yesOrNo(value) ?? null;
}

/** Whether a text in a body, or in an object in it, is SPEC's word for a valid number. */
export function saysConfirmed(body: IDataObject): boolean {
	return fieldsOf(body).some(({ value }) => typeof value === 'string' && CONFIRMED.test(value));
}
const CONFIRMED = /^\s{0,9}VALID_CONFIRMED\s{0,9}$/i;

/** Like wordsAgainst, for replies about a mailbox, in which the words of a mail server may be the no. */
export function mailWordsAgainst({ body, head, asked }: Told): string | undefined {
	const own = withSubject(body, asked);
	return wordsBeside(own, isMailNo) ?? troubleIn(body, head.request, saysMailWentWrong);
}

/** Whether a reply has words, all of them match, and none says that the check went wrong. */
export function saysOnlyThat(
	{ body, head, asked }: Told,
	isSuch: (words: string) => boolean,
): boolean {
	return saysOnly(withSubject(body, asked), isSuch) && troubleIn(body, head.request) === undefined;
}

/** Fields of SPEC whose texts name things: a carrier "Unavailable" says nothing about the check. */
const NAMES_THINGS =
	/^(?:about|avatar|bio|city|docs|isp|last_?seen|line_?type|location|photo|picture|presence|push_?name|region|time_?zone)$|carrier|country|organi[sz]ation|(?:^|_)name$/i;
const DENIES_TROUBLE =
	/\b(?:0|no|without(?: any)?|zero) (?:errors?|exceptions?|fail(?:ed|ures?)|problems?|retries|time ?outs?)\b/g;
const OF_CHECK =
	'(?:answer|check|complet|confirm|connect|contact|determin|establish|finish|load|look|process|quer|reach|repl|respond|retriev|test|tried|verif)';
/** A web page, which gateways and servers send in the place of an answer. */
export const WEB_PAGE = /^\s*<(?:!doctype|html)\b/i;
const WENT_WRONG = [
	TROUBLE,
	WEB_PAGE,
	/\b(?:errors?|exception|fail(?:ed|s|ures?)?|inconclusive|incomplete|interrupted|aborted|cancell?ed|skipped)\b/,
	/\bun(?:able to|answered|checked|confirmed|determined|finished|reachable|responsive|verifi(?:able|ed))\b/,
	new RegExp(`(?:\\bnot|n['’]t|\\bcannot) (?:(?:yet|been|be|fully|able to) ){0,3}${OF_CHECK}`),
	/\b(?:busy|degraded|outage|pending|processing|queued|retry|retries|retrying|in progress|downtime|disconnected|offline)\b|\b(?:api|are|backend|database|is|provider|server|service|upstream|was|went) down\b|\b(?:not |un)supported\b|\btraceback\b|\b(?:logged out|scan(?:ning)? (?:is )?(?:needed|required))\b|\b(?:instance|session|subscription|token) (?:has |is |was )?expired\b/,
	/\beconn\w{3,9}\b|\bnot ready\b|\bno (?:active )?session\b|\baccount connected\b|\b(?:banned|overlimit)\b|\bno (?:answer|reply|response|results? yet)\b|\b(?:not enough|insufficient|out of) (?:balance|credits?|funds)\b|\b(?:unauthori[sz]ed|hang up|connection lost|bad gateway|deadline exceeded|awaiting|captcha)\b|\bhttp [45]\d\d\b|\bnot (?:yet )?available\b|\bsession not found\b|\bin (?:the )?queue\b|\b(?:limit|quota) (?:.{0,20} )?(?:exceeded|reached)\b|\bpartial (?:data|reply|response|results?)\b|\brefund/,
];

/** Whether a text says that a check went wrong. A code is read without its underscores. */
export function saysWentWrong(text: string): boolean {
	const start = text.slice(0, MAX_CHARACTERS);
	const words = start.replace(/[_-]+/g, ' ').toLowerCase().replace(DENIES_TROUBLE, '');
	return WENT_WRONG.some((each) => each.test(words));
}

/**
 * Whether a text is about a mail server that refuses for now: each reply from 400 to 499 (RFC 5321 §4.2.1), and a full mailbox
 * (RFC 3463 §3.3: "a persistent transient failure").
 */
const MAIL_REFUSED_FOR_NOW =
	/\bgr[ae]y ?list|\b(?:in|mail)box (?:is )?full\b|\bover ?quota\b|\bquota exceeded\b|\binsufficient (?:system )?storage\b|(?:^|\bsmtp:? (?:code )?)(?:4[25]\d|552)\b|(?:^|\b4\d\d[ -])4\.\d{1,3}\.\d{1,3}\b/;
/** What a mail server says of the one who asks, or of itself: nothing of the mailbox (RFC 5321 §4.2.2, RFC 3463 §3.4 to §3.8). */
const MAIL_REFUSED_TO_ALL = [
	/(?<!\b(?:not|non|no) )\b(?:relay(?:ing)?|denied|forbidden|black ?list\w*|block ?list\w*|blocked|blocking|(?:anti ?)?spam\w*|rbl|dns ?bl|too many|defer(?:red|ral)?|temp ?fail\w*)\b/,
	/\b(?:sender|helo|ehlo|client)\b.{0,20}\breject|\bpolicy\b.{0,20}\b(?:reason|reject|restrict|violat)|\bconnect(?:ion)? (?:was )?(?:aborted|closed|dropped|lost|refused|reset)\b/,
	/\b(?:auth(?:entication)?|captcha|certificate|ssl|(?:start)?tls)\b.{0,20}\b(?:expired|handshake|invalid|refused|required)\b/,
	/(?:^|\bsmtp:? (?:code )?)5(?:0\d|3[0458]|54)\b|\b5\.(?:2\.[2-4]|[3-7]\.\d{1,3})\b(?!\.\d)(?<!^(?:smtp:? )?521[ -]5\.3\.2)/,
];
/** Names of hosts, which say nothing. */
const HOSTS = /\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,9}\.[a-z]{2,}\b/g;

/** Like saysWentWrong, for texts about a mailbox. */
export function saysMailWentWrong(text: string): boolean {
	const words = text.slice(0, MAX_CHARACTERS).replace(/_+/g, ' ').trim().toLowerCase();
	const own = words.replace(HOSTS, '');
	return (
		saysWentWrong(words) ||
		MAIL_REFUSED_FOR_NOW.test(words) ||
		MAIL_REFUSED_TO_ALL.some((each) => each.test(own))
	);
}

/**
 * A mailbox that does not exist: by the codes of RFC 3463 §3.2 and RFC 7505 §4, by a reply that is no more than a code, or by one of
 * a host that accepts no mail (RFC 7504).
 */
const NO_MAILBOX =
	/\b5\.1\.(?:[1236]|10)\b(?!\.\d)|^(?:[a-z ]{1,20} )?(?:55[013]|521|556)$|^(?:smtp:? )?(?:521|556)[ -]/;
/** What stands before the words of a mail server. */
const OF_SERVER = /^(?:(?:smtp:? ?)?55[013][ -]+)?(?:recipient(?: address)? rejected: )?/;

/** Whether words only repeat that a mailbox does not exist. */
export function isMailNo(text: string): boolean {
	const words = text.slice(0, MAX_CHARACTERS).replace(/_+/g, ' ').trim().toLowerCase();
	if (saysMailWentWrong(words)) return false;
	return NO_MAILBOX.test(words) || isPlainNo(words.replace(OF_SERVER, ''));
}

/** The first text near the top of a body that says that the check went wrong. The values of the request say nothing. */
export function troubleIn(
	body: IDataObject,
	request: Asked,
	isSuch = saysWentWrong,
): string | undefined {
	const inner = fieldsOf(body).filter(({ part }) => part !== body);
	const texts = textsNear(body).concat(inner.flatMap(wordsOf));
	const found = texts.find((text) => isSuch(text) && isSuch(withoutAsked(text, request)));
	return found === undefined ? (inner.flatMap(errorOf)[0] ?? failedIn(body)) : inShort(found);
}

/** Fields of a reply of a mail server; one of them may also have its time. */
const OF_SMTP = /smtp(?:_?(?:code|reply|response|result|server|status))*$/i;

/** An address says nothing by its words. */
const IS_URL = /^https?:\/\/\S{1,2000}$/i;

/** The texts of a body and of the objects in it, the names of flags that are true, and the numbers that mail servers reply with. */
export function textsNear(body: IDataObject): string[] {
	return fieldsOf(body).flatMap(({ name, value }) => {
		if (NAMES_THINGS.test(name.slice(0, MAX_CHARACTERS))) return [];
		if (typeof value === 'number')
			return OF_SMTP.test(name.slice(0, LONGEST_NAME)) ? textOf(value) : [];
		if (typeof value === 'string' && !IS_URL.test(value))
			return [value, ...flagInWords(name, value)];
		return flagInWords(name, value);
	});
}

/** What a flag that is true says by its name, as words. */
function flagInWords(name: string, value: unknown): string[] {
	const isTrue = value === true || value === 'true';
	return isTrue && name.length <= LONGEST_NAME ? [nameInWords(name)] : [];
}

/** The words of a name: "messagesSent" and "messages_sent" are the same. */
export function nameInWords(name: string): string {
	const apart = name.replace(/whats_?app/i, 'Whatsapp').replace(/([a-z])([A-Z])/g, '$1 $2');
	return apart.replace(/[_-]+/g, ' ');
}

/** Fields of an error; an error rate is a measure. */
const OF_ERROR =
	/(?:errors?|exceptions?|^err)(?:_?(?:code|details?|id|message|msg|reason|text|type))?$/i;

/** Below the top, an error takes a no back whatever it says. */
function errorOf({ name, value }: Pick<Field, 'name' | 'value'>): string[] {
	const isError =
		OF_ERROR.test(name.slice(0, MAX_CHARACTERS)) && hasError({ error: value } as IDataObject);
	return isError ? [inShort(textOf(value))] : [];
}

/** Longer texts are no sentence that says no. */
const LONGEST_SENTENCE = 500;

/** A body whose sentences name the subject of the question by a noun, and not by its value. */
function withSubject(body: IDataObject, asked: string | undefined): IDataObject {
	if (asked === undefined) return body;
	const noun = /^\+?\d+$/.test(asked) ? 'the number' : 'the address';
	const value = valueIn(asked);
	const entries = entriesIn(body).map(([name, text]) => {
		const isSentence = typeof text === 'string' && text.length <= LONGEST_SENTENCE;
		return [name, isSentence ? text.replace(value, noun).replace(AT_END, '') : text];
	});
	return Object.fromEntries(entries) as IDataObject;
}

/** "… found for the number": the noun adds nothing. */
const AT_END = /(?: (?:for|of|with)|\s?[:(–-]) ?the (?:number|address)\)?(?=\W*$)/;

/** A value in a sentence, with the noun before it and the quotes around it. A number may have separators. */
function valueIn(asked: string): RegExp {
	const value = /^\+?\d+$/.test(asked)
		? `\\+?${[...asked.replace('+', '')].join('[ ().-]{0,2}')}`
		: asked.replace(/[^\w\s]/g, '\\$&');
	const noun =
		'(?:\\b(?:the|this) )?(?:\\b(?:(?:phone|mobile|e-?mail|ip) )?(?:number|address|user|mailbox|recipient|account) )?';
	return new RegExp(`${noun}["'‘“(<]?(?<![\\w.@])${value}(?![\\w@]|\\.\\w)["'’”)>]?`, 'i');
}
