import type { IDataObject } from 'n8n-workflow';
import { entriesIn, LONGEST_NAME, MAX_FIELDS } from './entries';
import { inShort, numberIn, quote, textOf } from '../../engine/plan/values';
import { errorText, hasError } from '../../engine/refusals/refusal';
import { isUnfinishedWord } from './jobState';
import { isNo, says } from './results';

/** The words of a reply besides its known fields. */

/** Where services have words, codes and warnings. A rate is a measure. */
const WORD_FIELD =
	/(?:error|warning|exception)s?(?!_?(?:count|margin|rate))|^(?:err|message|msg|details?|reason(?:_?code)?|(?:http_?|status_?|response_?|result_?)?code|http_?status)$/i;

/** What is looked at of a name. */
const MAX_IN_NAME = 1_000;

/** Fields by which an answer holds for this time alone: another try may be answered otherwise. */
const AGAIN =
	/^(?:(?:can|is|may|please|should|will)_?)?(?:re-?triable|retry(?:able)?|try_?again|transient)(?:_?(?:after|at|in|later|ms|s|secs?|seconds?))*$/i;
const REFUNDED = /^(?:is_?|was_?|credits?_?)?refund(?:ed)?(?:_?(?:amount|credits?))?$/i;
const UNFINISHED =
	/^(?:has_?|is_?|was_?)?(?:degraded|incomplete|inconclusive|in_?progress|overloaded|partial|pending|processing|queued|rate_?limited|blocked|skipped|throttled|time_?out|timed_?out|unavailable|unchecked|undetermined|unknown)$/i;
/** Flags of an answer that was made up or is out of date. */
const PRETENDED =
	/^(?:is_?|was_?)?(?:demo|dry_?run|fake|mock(?:ed)?|outdated|placeholder|sandbox(?:ed)?|simulat(?:ed|ion)|stale|test)(?:_?(?:data|mode|only|run))?$/i;
/** Flags by which nobody looked. */
const CHECKED =
	/^(?:is_?|was_?)?(?:(?:check|lookup)_?)?(?:checked|conclusive|determined|executed|looked_?up|performed)$/i;
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
	/^(?:not|isn't|no) an? whatsapp (?:number|user)$|^(?:number|phone number) (?:is )?valid,? but not (?:registered )?(?:on|in) whatsapp$/,
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

/** What one field says. */
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
export function forNowIn(body: IDataObject): string | undefined {
	const found = entriesIn(body).find(([name, value]) => isForNow(name, value));
	return found && notThisTime(found[0], found[1]);
}

/** Whether a field has words, a code or a warning. */
export function isWordField(name: string): boolean {
	return WORD_FIELD.test(name.slice(0, MAX_IN_NAME));
}

/** Whether a body has words, and all of them match. Codes are read without their underscores. */
export function saysOnly(body: IDataObject, isSuch: (words: string) => boolean): boolean {
	const all = wordsOfAll(body);
	return all.length > 0 && all.every((words) => isSuch(words.replace(/_+/g, ' ')));
}

/** The first words of a body, in any of the fields, that say more than a no. */
export function wordsBeside(body: IDataObject, isNo = isPlainNo): string | undefined {
	return wordsOfAll(body).find((words) => !isNo(words));
}

/** A field of a body or of an object in it. An entry of a list has the name of the list. */
export interface Field {
	name: string;
	value: unknown;
	/** The object that it is in, and its name. */
	part: IDataObject;
	of: string;
}

const known = new WeakMap<IDataObject, Field[]>();

/**
 * The fields of a body and of all objects in it, those near the top first; a few more than the most if it has more. Many conditions
 * ask for the first ones of one body.
 */
export function fieldsOf(body: IDataObject, most = MAX_FIELDS): Field[] {
	const first = most === MAX_FIELDS ? known.get(body) : undefined;
	if (first) return first;
	const fields = entriesOf({ name: '', value: body, part: body, of: '' }, most);
	for (const field of fields) {
		if (fields.length > most) break;
		for (const entry of entriesOf(field, most)) fields.push(entry);
	}
	if (most === MAX_FIELDS) known.set(body, fields);
	return fields;
}

function entriesOf({ name, value, part, of }: Field, most: number): Field[] {
	if (Array.isArray(value)) {
		return value.slice(0, most).map((entry: unknown) => ({ name, value: entry, part, of }));
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
