import type { IDataObject } from 'n8n-workflow';
import { entriesIn, LONGEST_NAME } from './entries';
import type { Told } from '../../engine/decision';
import { inShort, textOf } from '../../engine/plan/values';
import { hasError, speaksOfTrouble, withoutAsked, type Asked } from '../../engine/refusals/refusal';
import {
	failedIn,
	fieldsOf,
	forNowIn,
	isPlainNo,
	saysOnly,
	wordsBeside,
	wordsOf,
	wordsOfAll,
	type Field,
} from './replyWords';

/** The one place that says which texts of a reply take a no back, since the check itself went wrong. */

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

function errorIn(body: IDataObject): string | undefined {
	return entriesIn(body).flatMap(([name, value]) => errorOf({ name, value }))[0];
}

/** Like troubleBesideYes, for replies about a mailbox. */
export function mailTroubleBesideYes(told: Told): string | undefined {
	const isNo = (text: string) => isMailNo(text) && !isPlainNo(text);
	return troubleBesideYes(told, (text) => saysMailWentWrong(text) || isNo(text));
}

/** Whether a whole text says no. */
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

/** What is looked at of a text. */
const MAX_CHARACTERS = 1_000;
/** Fields of SPEC whose texts name things: a carrier "Unavailable" says nothing about the check. */
const NAMES_THINGS =
	/^(?:about|avatar|bio|city|docs|isp|last_?seen|line_?type|location|photo|picture|presence|push_?name|region|time_?zone)$|carrier|country|organi[sz]ation|(?:^|_)name$/i;
const DENIES_TROUBLE =
	/\b(?:0|no|without(?: any)?|zero) (?:errors?|exceptions?|fail(?:ed|ures?)|problems?|retries|time ?outs?)\b/g;
const CHECKED =
	'(?:answer|check|complet|confirm|connect|contact|determin|establish|finish|load|look|process|quer|reach|repl|respond|retriev|test|tried|verif)';
/** A web page, which gateways and servers send in the place of an answer. */
export const WEB_PAGE = /^\s*<(?:!doctype|html)\b/i;
const WENT_WRONG = [
	WEB_PAGE,
	/\b(?:errors?|exception|fail(?:ed|s|ures?)?|inconclusive|incomplete|interrupted|aborted|cancell?ed|skipped)\b/,
	/\bun(?:able to|answered|checked|confirmed|determined|finished|reachable|responsive|verifi(?:able|ed))\b/,
	new RegExp(`(?:\\bnot|n['’]t|\\bcannot) (?:(?:yet|been|be|fully|able to) ){0,3}${CHECKED}`),
	/\b(?:busy|degraded|outage|pending|processing|queued|retry|retries|retrying|in progress|downtime|disconnected|offline)\b|\b(?:are|is|was|went) down\b|\b(?:logged out|scan(?:ning)? (?:is )?(?:needed|required))\b|\b(?:instance|session|subscription|token) (?:has |is |was )?expired\b/,
	/\beconn\w{3,9}\b|\bnot ready\b|\bno (?:active )?session\b|\baccount connected\b|\b(?:banned|overlimit)\b|\bno (?:answer|reply|response)\b|\b(?:limit|quota) (?:.{0,20} )?(?:exceeded|reached)\b|\bpartial (?:data|reply|response|results?)\b|\brefund/,
];

/** Whether a text says that a check went wrong. A code is read without its underscores. */
export function saysWentWrong(text: string): boolean {
	const start = text.slice(0, MAX_CHARACTERS);
	const words = start.replace(/[_-]+/g, ' ').toLowerCase().replace(DENIES_TROUBLE, '');
	return speaksOfTrouble(words) || WENT_WRONG.some((each) => each.test(words));
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
