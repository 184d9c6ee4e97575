import type { IDataObject } from 'n8n-workflow';
import type { ReplyHead, ServiceRequest } from '../client';
import { inShort, isEmpty, isObject, normalized, textOf } from '../plan/values';
import type { Failure, Refusal } from '../results';

/** Marks the place of a removed value. */
export const GAP = '\ufffc';

/**
 * The one place that decides what the words of a refusal are about: the account, which would refuse every further call too, or
 * the question. For a redirect and a missing path the HTTP status decides (failureOfStatus in network/reply.ts). SPEC §7 leaves
 * most HTTP statuses open: a body of a refusal has its text in `error` or `message`, under any status, 200 included.
 */

/** What the decision needs besides the words. */
type RefusedCall = Pick<ReplyHead, 'isPathKnown' | 'request' | 'status'>;

/** HTTP statuses that concern the account, whatever the body says (SPEC §7, email). */
export const ACCOUNT_STATUSES = new Set([401, 402]);
/** The request was too large to be read: body, URL or headers (RFC 9110 §15.5, RFC 6585 §5). */
export const UNREAD_STATUSES = new Set([413, 414, 431]);
export const PROXY_STATUS = 407;
const FORBIDDEN = 403;
/** Words that say no more than HTTP 403 itself. */
const SAYS_FORBIDDEN = new Set([
	...['403', 'access', 'denied', 'error', 'forbidden', 'http', 'is', 'not', 'allowed'],
	...['permission', 'request', 'status', 'the', 'this', 'to', 'you', 'are', 'resource'],
]);

/** Whether the service refuses the account or the question. */
export function scopeOf(words: string | undefined, call: RefusedCall): Refusal['scope'] {
	const { status, request, isPathKnown } = call;
	if (ACCOUNT_STATUSES.has(status)) return 'account';
	const said = words ?? '';
	// Where the path has answered, a firewall may have stopped this value alone
	if (status === FORBIDDEN && !isPathKnown && saysForbidden(withoutAsked(said, request)))
		return 'account';
	return isAboutAccount(said, request) ? 'account' : 'question';
}

export function saysForbidden(text: string): boolean {
	return wordsIn(text.toLowerCase()).every((word) => SAYS_FORBIDDEN.has(word));
}

/** The service's own words in a reply body, shortened; undefined if there are none. */
export function errorText({ error, message }: IDataObject): string | undefined {
	const words = wordsOf(error) ?? textIn(message);
	return words === undefined ? undefined : inShort(words);
}

/** Other fields in which services say why they refuse, and those of the objects in them. */
const REASON_FIELDS = [
	'error_message',
	'detail',
	'details',
	'description',
	'reason',
	'errors',
	'message',
];
const INNER_FIELDS = ['message', 'detail', 'description', 'reason', 'text'];

/** Like errorText, or the words of another field if there are none or they say no more than HTTP 403. */
export function refusalText(body: IDataObject): string | undefined {
	const words = errorText(body);
	if (words !== undefined && !saysForbidden(plain(words))) return words;
	const more = REASON_FIELDS.flatMap((name) => reasonsIn(body[name]));
	const telling = more.find((text) => !saysForbidden(plain(text)));
	return telling === undefined ? (words ?? more[0]) : inShort(telling);
}

function reasonsIn(value: unknown): string[] {
	const all: unknown[] = Array.isArray(value) ? value.slice(0, MAX_ENTRIES) : [value];
	return all
		.flatMap((each) => (isObject(each) ? INNER_FIELDS.map((name) => each[name]) : [each]))
		.flatMap((each) => textIn(each) ?? []);
}

/** Whether a reply body has an error that says something: `error: []`, `"none"` or `0` is none. */
export function hasError({ error }: IDataObject): boolean {
	return saysError(error, MAX_LEVELS);
}

/** A status word of a call that failed, and the fields that may be beside it without an answer (JSend). */
const FAILED_CALL = /^\s{0,99}(?:error|fail|failed|failure)\s{0,99}$/i;
export const OF_CALL =
	/^(?:(?:error|status)?_?code|details?|description|errors?|(?:error_?)?(?:description|message)|reason|(?:request|trace)_?id|status|success|timestamp)$/i;

/** Whether a reply body says no explicitly (SPEC §2.1, §2.3, §7), or has a status word of failure in place of an answer. */
export function refuses(body: IDataObject): boolean {
	if (isFalse(body.status) || isFalse(body.success) || hasError(body)) return true;
	// The data of a failure are its reasons
	const isReason = ([name, value]: [string, unknown]) =>
		typeof value === 'string' && !/id$/i.test(name);
	const isNone = (value: unknown) =>
		isEmpty(value) || (isObject(value) && Object.entries(value).every(isReason));
	const isOfCall = typeof body.status === 'string' && FAILED_CALL.test(body.status);
	return isOfCall && Object.keys(body).every((name) => OF_CALL.test(name) || isNone(body[name]));
}

/** The text "false" counts as false in a flag of success. */
export function isFalse(value: unknown): boolean {
	return value === false || (typeof value === 'string' && /^\s{0,99}false\s{0,99}$/i.test(value));
}

/** Texts of services that mean "no error". */
const NO_ERROR =
	/^(?:no|(?:0{1,4}|200|false|n\/?a|nil|no errors?|none|nothing|null|ok|okay|success|successful|undefined|without errors?)[\s.!]*|[^\p{L}\p{N}]*)$/iu;
/** The depth to which an error is searched, and the number of its entries. Deeper or later ones count as an error. */
const MAX_LEVELS = 5;
const MAX_ENTRIES = 100;

function saysError(error: unknown, levels: number): boolean {
	if (typeof error === 'string' || typeof error === 'number') {
		return !NO_ERROR.test(inShort(textOf(error)).trim());
	}
	if (typeof error !== 'object' || error === null) return error === true;
	const entries = Object.values(error);
	if (levels === 0 || entries.length > MAX_ENTRIES) return entries.length > 0;
	return entries.some((entry) => saysError(entry, levels - 1));
}

/** The text of an error, or of its first part with content; as JSON if it is no text. */
function wordsOf(error: unknown): string | undefined {
	if (!saysError(error, MAX_LEVELS) || typeof error === 'boolean') return undefined;
	if (typeof error !== 'object' || error === null) return textIn(textOf(error));
	const { message } = error as IDataObject;
	const text = Array.isArray(error)
		? error.slice(0, MAX_ENTRIES).find((part) => typeof part === 'string' && saysError(part, 0))
		: message;
	return textIn(text) ?? textIn(textOf(error));
}

function textIn(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Words of a service with a problem of its own: its other fields are then no answer to the question. */
export const TROUBLE =
	/temporar|unavailable|try again|time[d -]?\s?out|too many requests|rate.?limit|slow down|throttl|overload|maintenance|(?:internal|upstream|provider|server|database|network|connection) .{0,40}(?:error|fail)|(?:error|fail).{0,40} (?:upstream|provider|server|database|network|connection)\b/i;

/** Whether words of the service report a problem of its own. */
export function speaksOfTrouble(words = ''): boolean {
	return TROUBLE.test(words.slice(0, MAX_CHARACTERS));
}

const NO_REASON = 'the service refused the request and gave no reason';

/** The sentence for a refusal. It says once that the service refused; a problem of the service is in its own words. */
export function describeRefusal({ reason, isOwn }: Refusal): string {
	const isWhole = isOwn || reason === NO_REASON || speaksOfTrouble(reason);
	return isWhole ? reason : `the service refused the request: ${reason}`;
}

export function refused(body: IDataObject, call: RefusedCall): Refusal {
	const words = refusalText(body);
	const reason = words ?? NO_REASON;
	return { scope: scopeOf(words, call), reason };
}

/** Whether the reply is about the key or the credits rather than about the question. */
export function isAccountRefusal(body: IDataObject, call: RefusedCall): boolean {
	return scopeOf(refusalText(body), call) === 'account';
}

/** The host does not know the path or method. */
export const NO_PATH = new Set([404, 405]);
/** Messages about the path, not about the question. */
const NO_PATH_WORDS =
	/^http 40[45]$|^(?:404|error|the|requested|route|path|page|endpoint|resource|url|was|\W)*not found\W*$|^cannot (?:get|post)\b|no such (?:route|path|endpoint)|method not allowed/i;

/** Whether the reason of a refusal is a missing path, not the question. */
export const isAboutMissingPath = (reason: string) => NO_PATH_WORDS.test(inShort(reason));

/** What a question may be about. No path is called so. */
const SUBJECT =
	/\b(?:comments?|community|e-?mail|mailbox|number|posts?|product|subreddit|thread|tweet)\b|\bno status found\b/i;

/** Whether the words under such an HTTP status say that a post, a number or the like is missing. */
export function isAboutMissingValue(words = ''): boolean {
	return SUBJECT.test(inShort(words)) && isGone(words) && !isAboutMissingPath(words);
}

/** Whether a failure says no more than that the path is missing or forbidden, as it may be for every further call. */
export function isAboutPath({ status = 0, refusal }: Pick<Failure, 'refusal' | 'status'>): boolean {
	if (status === FORBIDDEN) return refusal === undefined || saysForbidden(refusal.reason);
	return NO_PATH.has(status) && (refusal === undefined || isAboutMissingPath(refusal.reason));
}

/**
 * The words that show that a refusal is about the account: its API key or its credits. Words that may also refuse a number, a
 * page or a mailbox ("account not verified", "access denied") are not included: if they are about the account, the first ten
 * calls fail alike, and that ends the run. All patterns are for plain text, and every repetition in them is bounded.
 */

/** Up to four words between two others that belong together, except words that begin another phrase. */
const SOME = `(?:(?!(?:about|for|in|of|on|posts?|results?|that|to|with)\\b)[\\w'${GAP}-]{1,30} ){0,4}`;
const IS = '(?:(?:already|are|been|has|have|is|longer|no|not|now|was|were) ){0,4}';
const BAD =
	'(?:bad|disabled|expired|inactive|incorrect|invalid|missing|no|revoked|unknown|unrecogni[sz]ed|wrong)';
const API_KEY = 'api[ -]?keys?\\b';
const CREDITS =
	'(?:balance(?! (?:data|details|enquiry|info|information|inquiry)\\b)|credits?(?! card)|funds)\\b';
const UNUSABLE =
	"(?:blocked|could not be found|disabled|(?:does not|doesn['’]t) exist|exhausted|expired|inactive|invalid|missing|not (?:active|found|recogni[sz]ed|valid)|required|revoked|suspended|unknown|wrong)\\b";

/** "Not enough", except for a rate limit. */
const INSUFFICIENT = `\\b(?:insufficient|not enough|(?:ran )?out of) ${SOME}${CREDITS}`;
/** "No credits were charged" speaks of the call. */
const NOT_SPENT =
	'(?! (?:(?:are|is|was|were|have been|has been|will be) )?(?:billed|charged|consumed|debited|deducted|lost|needed|spent|taken|used)\\b)';

/** No credits. Under HTTP 429 too, these words are not about the rate. */
const NO_CREDITS = [
	`\\b(?:0|exhausted|insufficient|lack of|low|no|not enough|too few|too little|zero) ${SOME}(?:${CREDITS}|quota\\b)${NOT_SPENT}`,
	`\\b(?:(?:ran )?out of|need more|buy(?: more)?|purchase(?: more)?|add(?: more)?) ${SOME}${CREDITS}`,
	`\\b${CREDITS} ${SOME}(?:0|depleted|empty|exceeded|exhausted|expired|finished|insufficient|not (?:enough|sufficient)|r[au]n out|spent|too low|used up|zero)\\b`,
	`\\b(?:do|does) ?n(?:ot|['’]t) have (?:any|enough|sufficient) ${SOME}${CREDITS}`,
	`\\bused (?:up )?all (?:of )?(?:the|your) ${SOME}${CREDITS}`,
	'\\b(?:please|must|need to) (?:recharge|top[ -]?up)\\b',
	'\\b(?:recharge|top[ -]?up) (?:the|your)\\b',
	'\\bpayment (?:is )?required\\b|\\bwallet (?:is )?empty\\b',
];

/** A wrong key. Services use these words for nothing else. */
const BAD_KEY = [
	`\\b${BAD} ${SOME}${API_KEY}`,
	`\\b${API_KEY} (?:(?:that )?(?:you )?(?:entered|given|provided|sent|supplied|used) )?${IS}${UNUSABLE}`,
	`\\b(?:enter|needs?|pass|provide|requires?|send|supply) ${SOME}${API_KEY}`,
];

/** The account itself. Of a page or a mailbox, services say "the account" or "this account". */
const BAD_ACCOUNT = [
	'\\byour (?:\\w{1,20} )?account (?:has been |is |was )?(?:currently )?(?:blocked|closed|deactivated|disabled|inactive|not active|suspended)\\b',
	'\\b(?:api|monthly|plan|your) (?:\\w{1,20} )?quota (?:has been |is |was )?(?:exceeded|exhausted|reached|used up)\\b',
	'\\bexceeded your (?:\\w{1,20} )?quota\\b',
];

/** What is said of the value: "this number has no credit", "post about low balance not found". */
const OF_VALUE =
	/\b(?:address|e-?mail|mailbox|number|post|recipient|subscriber|user) (?:has|have|had|(?:do|does) ?n(?:ot|['’]t) have) (?:any|enough|insufficient|low|no|not enough|r[au]n out of|sufficient|too little|zero|0)\b|\b(?:posts?|threads?) about (?:[\w'-]{1,30} ?){0,8}/g;

/** SPEC's own sentences (§7). No value of a question contains one of them by chance. */
const SENTENCES = '(?:please recharge|invalid api key|insufficient (?:\\w{1,20} )?api credits)';
const OF_SPEC = new RegExp(`^${SENTENCES}[.!]*$`);
const HAS_SENTENCE = new RegExp(SENTENCES, 'g');

/** Words of services about calls that come too fast. */
const PACE = [
	'\\btoo (?:fast|frequent|frequently|many|quick|quickly)\\b',
	'\\b(?:call|rate|request)s?[ -]?limit|\\blimit(?:ing)? (?:the |your )?(?:call|rate|request)|\\blimit (?:has been |is |was )?(?:exceeded|reached)\\b',
	'\\bthrottl|\\bslow (?:it )?down\\b|\\b(?:calls|requests) per (?:day|hour|minute|second)\\b',
];

/** Words about pages, posts and jobs that are missing although the service works. */
const GONE =
	/\b(?:access denied|archived|authentication|deleted|does not exist|doesn't exist|gone|no (?:caller|cnam) \w+|no (?:entry|match(?:es)?|records?)|no (?:data|information|name|results?|status)\b.{0,20}\b(?:available|found)|no longer|no such|not available|not exist|not found|not in (?:our |the )?database|private|protected|removed|restricted|suspended|unauthori[sz]ed|unavailable|unknown|unlisted)\b/;

const inTable = (patterns: string[]) => patterns.map((pattern) => new RegExp(pattern, 'g'));
const TABLES = {
	insufficient: inTable([INSUFFICIENT]),
	credits: inTable(NO_CREDITS),
	key: inTable(BAD_KEY),
	account: inTable([...NO_CREDITS, ...BAD_KEY, ...BAD_ACCOUNT]),
	pace: inTable(PACE),
};

/**
 * Whether the words are about the credits of the account, which no pause restores.
 * @param namesPause whether the service names a pause, and may only advertise more credits
 */
export function isAboutCredits(words: string, asked: Asked, namesPause: boolean): boolean {
	const table = namesPause ? TABLES.insufficient : TABLES.credits;
	return OF_SPEC.test(plain(words)) || isIn(table, words, asked);
}

/** Whether the words say that calls come too fast, so that this one was not accepted. */
export function isAboutPace(words: string, asked: Asked): boolean {
	return isIn(TABLES.pace, words, asked);
}

/** Whether the words are about the key or the credits rather than about the question. */
function isAboutAccount(words: string, asked: Asked): boolean {
	const text = plain(words);
	if (OF_SPEC.test(text)) return true;
	return hasOther(text.match(HAS_SENTENCE), asked) || isIn(TABLES.account, words, asked);
}

/** The part of the account that an HTTP status is about (SPEC §7, email). */
export const PART_OF_ACCOUNT: Partial<Record<number, 'credits' | 'key'>> = {
	401: 'key',
	402: 'credits',
};

/** The part of the account that a refusal is about; undefined if neither its words nor its HTTP status say it. */
export function accountPartIn(words: string, asked: Asked, status: number) {
	if (OF_SPEC.test(plain(words))) return isSpecOnCredits(words) ? 'credits' : 'key';
	if (isIn(TABLES.credits, words, asked)) return 'credits';
	return isIn(TABLES.key, words, asked) ? 'key' : PART_OF_ACCOUNT[status];
}

/** Whether words are SPEC's sentence about too few credits, which the node replaces with its own. */
export function isSpecOnCredits(words: string): boolean {
	return OF_SPEC.test(plain(words)) && !/^invalid api key/.test(plain(words));
}

/** Whether the words say that a page or a job is missing. */
export const isGone = (words: string) => GONE.test(plain(words));

function isIn(table: RegExp[], words: string, asked: Asked): boolean {
	const text = withoutAsked(words, asked).replace(OF_VALUE, GAP);
	return hasOther(
		table.flatMap((pattern) => text.match(pattern) ?? []),
		asked,
	);
}

/** A phrase counts unless the request contains all of its words. */
function hasOther(phrases: string[] | null, asked: Asked): boolean {
	if (phrases === null || phrases.length === 0) return false;
	const own = new Set(valuesOf(asked).flatMap(wordsIn));
	return phrases.some((phrase) => !wordsIn(phrase).every((word) => own.has(word)));
}

/**
 * The values of a request. A service repeats them in its words, so they are removed before the words are judged: the address
 * recharge@example.com says nothing about credits.
 */

/** The parts of a request that contain values of the user. */
export type Asked = Pick<ServiceRequest, 'body' | 'form' | 'path' | 'query'>;

/** Maximum number of values that are searched for: those of a full batch, and some more. */
const MAX_VALUES = 2_000;
/** Maximum number of characters of a text that are judged. A service names the reason at its beginning. */
const MAX_CHARACTERS = 5_000;
/** Values with more words are repeated as a whole, not word by word. */
const MAX_WORDS_APART = 10;
/** Shorter words are too common to be removed, unless they have a digit. */
const SHORTEST_WORD = 4;
const WORD = /[\p{L}\p{N}]+/gu;
const IN_WORD = /[\p{L}\p{N}]/u;

/** The beginning of a text, for comparison: lower case, percent-encoding undone, one space for separators. */
export function plain(text: string): string {
	return normalized(undoPercents(undoPercents(text.slice(0, MAX_CHARACTERS))), 'NFKC')
		.toLowerCase()
		.replace(/[\s+_]+/g, ' ')
		.trim();
}

const wordsIn = (text: string): string[] => text.match(WORD) ?? [];

/** A plain text with a gap for each value of the request, and for the words of short values. */
export function withoutAsked(words: string, asked: Asked): string {
	const text = plain(words);
	const values = valuesOf(asked);
	const wholes = values.filter((value) => value.length <= text.length && isTelling(value));
	const parts = values.map(wordsIn).filter((all) => all.length <= MAX_WORDS_APART);
	const apart = new Set(parts.flat().filter(isTelling));
	return [...new Set(wholes)]
		.sort((one, other) => other.length - one.length)
		.reduce(withoutWhole, text)
		.replace(WORD, (word) => (apart.has(word) ? GAP : word));
}

function valuesOf({ query, form, body, path }: Asked): string[] {
	const open: unknown[] = [query, form?.fields, body, path.split('/')];
	const values: string[] = [];
	// The body may be nested deeply, so there is no recursion here
	while (open.length > 0 && values.length < MAX_VALUES) {
		const value = open.pop();
		if (typeof value !== 'object' || value === null) values.push(plain(textOf(value)));
		else for (const inner of Object.values(value).slice(0, MAX_VALUES)) open.push(inner);
	}
	return values;
}

const isTelling = (value: string) => value.length >= SHORTEST_WORD || /\p{N}/u.test(value);

/** Replaces the value with a gap if it is a whole word, not a part of one. */
function withoutWhole(text: string, value: string): string {
	const pieces = text.split(value);
	return pieces.reduce((before, after) => {
		const isPart = isOneWord(before.at(-1), value[0]) || isOneWord(value.at(-1), after[0]);
		return `${before}${isPart ? value : GAP}${after}`;
	});
}

const isOneWord = (one = '', next = '') => IN_WORD.test(one) && IN_WORD.test(next);

function undoPercents(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
		try {
			return decodeURIComponent(encoded);
		} catch {
			return encoded;
		}
	});
}
