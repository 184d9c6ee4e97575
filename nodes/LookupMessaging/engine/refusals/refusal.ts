import type { IDataObject } from 'n8n-workflow';
import type { ReplyHead } from '../client';
import type { Refusal } from '../results';
import { inShort, isObject } from '../plan/values';
import { isAboutAccount } from './accountWords';
import { wordsIn, withoutAsked } from './askedValues';

/**
 * The one place that decides what the words of a refusal are about: the account, which would refuse every further call too, or
 * the question. Of a redirect and a missing path the HTTP status decides (failureOfStatus in network/reply.ts).
 * SPEC §7 leaves most HTTP statuses open: a body of a refusal has its text in `error` or `message`, under any status, 200
 * included.
 */

/** What the decision takes beside the words. */
type RefusedCall = Pick<ReplyHead, 'quotesOthers' | 'request' | 'status'>;

/** HTTP statuses that concern the account, whatever the body says (SPEC §7, email). */
export const ACCOUNT_STATUSES = new Set([401, 402]);
const FORBIDDEN = 403;
/** Words that say no more than HTTP 403 itself. */
const SAYS_FORBIDDEN = new Set([
	...[
		'403',
		'access',
		'denied',
		'error',
		'forbidden',
		'http',
		'is',
		'not',
		'allowed',
		'permission',
	],
	...['request', 'status', 'the', 'this', 'to', 'you', 'are', 'resource'],
]);

/** Whether the service refuses the account or the question. */
export function scopeOf(words: string | undefined, call: RefusedCall): Refusal['scope'] {
	const { status, request, quotesOthers } = call;
	if (ACCOUNT_STATUSES.has(status)) return 'account';
	const said = words ?? '';
	if (status === FORBIDDEN && saysForbidden(withoutAsked(said, request))) return 'account';
	return isAboutAccount(said, request, quotesOthers) ? 'account' : 'question';
}

function saysForbidden(text: string): boolean {
	return wordsIn(text).every((word) => SAYS_FORBIDDEN.has(word));
}

/** The service's own words in a reply body, shortened; undefined if there are none. */
export function errorText({ error, message }: IDataObject): string | undefined {
	const words = [error, isObject(error) ? error.message : undefined, message].find(
		(text): text is string => typeof text === 'string' && text.trim() !== '',
	);
	return words === undefined ? undefined : inShort(words);
}

/** Whether a reply body has an error. `error: null` is none. */
export function hasError(body: IDataObject): boolean {
	return Boolean(body.error);
}

/** A refusal in the words of the body. */
export function refused(body: IDataObject, call: RefusedCall): Refusal {
	const words = errorText(body);
	const reason = words ?? 'the service refused the request and gave no reason';
	return { scope: scopeOf(words, call), reason };
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
