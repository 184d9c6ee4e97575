import type { IDataObject } from 'n8n-workflow';
import type { ReplyHead } from '../client';
import type { Refusal } from '../results';
import { inShort, textOf } from '../plan/values';
import { isAboutAccount } from './accountWords';
import { wordsIn, withoutAsked } from './askedValues';

/**
 * The one place that decides what the words of a refusal are about: the account, which would refuse every further call too, or
 * the question. Of a redirect and a missing path the HTTP status decides (failureOfStatus in network/reply.ts).
 * SPEC §7 leaves most HTTP statuses open: a body of a refusal has its text in `error` or `message`, under any status, 200
 * included.
 */

/** What the decision takes beside the words. */
type RefusedCall = Pick<ReplyHead, 'request' | 'status'>;

/** HTTP statuses that concern the account, whatever the body says (SPEC §7, email). */
export const ACCOUNT_STATUSES = new Set([401, 402]);
const FORBIDDEN = 403;
/** Words that say no more than HTTP 403 itself. */
const SAYS_FORBIDDEN = new Set([
	...['403', 'access', 'denied', 'error', 'forbidden', 'http', 'is', 'not', 'allowed'],
	...['permission', 'request', 'status', 'the', 'this', 'to', 'you', 'are', 'resource'],
]);

/** Whether the service refuses the account or the question. */
export function scopeOf(words: string | undefined, call: RefusedCall): Refusal['scope'] {
	const { status, request } = call;
	if (ACCOUNT_STATUSES.has(status)) return 'account';
	const said = words ?? '';
	if (status === FORBIDDEN && saysForbidden(withoutAsked(said, request))) return 'account';
	return isAboutAccount(said, request) ? 'account' : 'question';
}

function saysForbidden(text: string): boolean {
	return wordsIn(text).every((word) => SAYS_FORBIDDEN.has(word));
}

/** The service's own words in a reply body, shortened; undefined if there are none. */
export function errorText({ error, message }: IDataObject): string | undefined {
	const words = wordsOf(error) ?? textIn(message);
	return words === undefined ? undefined : inShort(words);
}

/** Whether a reply body has an error that says something: `error: []`, `"none"` or `0` is none. */
export function hasError({ error }: IDataObject): boolean {
	return saysError(error, MOST_LEVELS);
}

/** Whether a reply body says no in so many words (SPEC §2.1, §2.3, §7). */
export function refuses(body: IDataObject): boolean {
	return isFalse(body.status) || isFalse(body.success) || hasError(body);
}

/** Of a flag of success, the text false is false. */
export function isFalse(value: unknown): boolean {
	return value === false || (typeof value === 'string' && value.trim().toLowerCase() === 'false');
}

/** What services write where there is no error. */
const NO_ERROR =
	/^(?:no|(?:0|200|false|n\/?a|nil|no errors?|none|nothing|null|ok|okay|success|successful|undefined|without errors?)[\s.!]*|[^\p{L}\p{N}]*)$/iu;
/** How deep an error is looked into, and how many entries of one. What lies deeper or behind them says something. */
const MOST_LEVELS = 5;
const MOST_ENTRIES = 100;

function saysError(error: unknown, levels: number): boolean {
	if (typeof error === 'string' || typeof error === 'number') {
		return !NO_ERROR.test(inShort(textOf(error)).trim());
	}
	if (typeof error !== 'object' || error === null) return error === true;
	const entries = Object.values(error);
	if (levels === 0 || entries.length > MOST_ENTRIES) return entries.length > 0;
	return entries.some((entry) => saysError(entry, levels - 1));
}

/** The text of an error, or of the first part of it that says something; as JSON where it is no text. */
function wordsOf(error: unknown): string | undefined {
	if (!saysError(error, MOST_LEVELS) || typeof error === 'boolean') return undefined;
	if (typeof error !== 'object' || error === null) return textIn(textOf(error));
	const { message } = error as IDataObject;
	const text = Array.isArray(error)
		? error.slice(0, MOST_ENTRIES).find((part) => typeof part === 'string' && saysError(part, 0))
		: message;
	return textIn(text) ?? textIn(textOf(error));
}

function textIn(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Words of a service in trouble: what it says beside them is no answer to the question. */
const TROUBLE =
	/temporar|unavailable|try again|time[d -]?\s?out|too many requests|rate.?limit|slow down|throttl|overload|maintenance|(?:internal|upstream|provider|server|database|network|connection) .{0,40}(?:error|fail)|(?:error|fail).{0,40} (?:upstream|provider|server|database|network|connection)\b/i;

/** Whether words of the service say that it was in trouble. */
export function speaksOfTrouble(words = ''): boolean {
	return TROUBLE.test(inShort(words));
}

const NO_REASON = 'the service refused the request and gave no reason';

/** What happened, by a refusal of the service: that it refused is said once, and trouble is in its own words. */
export function describeRefusal({ reason, isOwn }: Refusal): string {
	const isWhole = isOwn || reason === NO_REASON || speaksOfTrouble(reason);
	return isWhole ? reason : `the service refused the request: ${reason}`;
}

/** A refusal in the words of the body. */
export function refused(body: IDataObject, call: RefusedCall): Refusal {
	const words = errorText(body);
	const reason = words ?? NO_REASON;
	return { scope: scopeOf(words, call), reason };
}

/** The words of `message`, without those that were asked: a service may quote what it was sent. */
export function ownWords({ message }: IDataObject, { request }: RefusedCall): string {
	return withoutAsked(inShort(textOf(message)), request);
}

/** Whether the reply is about the key or the credits rather than about the question. */
export function isAccountRefusal(body: IDataObject, call: RefusedCall): boolean {
	return scopeOf(errorText(body), call) === 'account';
}

/** The host does not know the path or method. */
export const NO_PATH = new Set([404, 405]);
/** Messages about the path, not about the question. */
const NO_PATH_WORDS =
	/^(?:404|error|the|requested|route|path|page|endpoint|resource|url|was|\W)*not found\W*$|^cannot (?:get|post)\b|no such (?:route|path|endpoint)|method not allowed/i;

/** Whether the reason of a refusal is a missing path, not the question. */
export function isAboutMissingPath(reason: string): boolean {
	return NO_PATH_WORDS.test(inShort(reason));
}
