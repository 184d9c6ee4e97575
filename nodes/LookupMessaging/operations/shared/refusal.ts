import type { IDataObject } from 'n8n-workflow';
import type { Refusal } from '../../engine/client';
import { ACCOUNT_STATUSES, refusal } from '../../engine/operation';
import { inShort } from '../../engine/plan/values';

/**
 * SPEC §7: bodies of a refusal carry their text in `error` (or `message`), under any HTTP status, 200 included.
 */

/** Words of a refusal of the account, which would refuse every further call too: a wrong key, or no credits. */
const ACCOUNT_WORDS =
	/api[\s_-]?key|unauthori[sz]ed|not authenticated|authentication|insufficient (?:.*credits?|balance|funds)|credits? exhausted|no credits|recharge|account (?:is )?(?:suspended|disabled|blocked)/i;

/** The service's own words in a reply body, shortened; undefined if there are none. */
export function errorText(body: IDataObject): string | undefined {
	const words = [body.error, body.message].find(
		(text): text is string => typeof text === 'string' && text.trim() !== '',
	);
	return words === undefined ? undefined : inShort(words);
}

/** Whether a reply body has an error. `error: null` is none. */
export function hasError(body: IDataObject): boolean {
	return Boolean(body.error);
}

/** A refusal. Its text and the HTTP status decide its scope. */
export function refused(body: IDataObject, status: number): Refusal {
	const reason = errorText(body) ?? 'the service refused the request and gave no reason';
	return refusal(reason, isAboutAccount(reason, status) ? 'account' : 'question');
}

/** Whether the reply is about the key or the credits rather than about the question. */
export function isAccountRefusal(body: IDataObject, status: number): boolean {
	return isAboutAccount(errorText(body) ?? '', status);
}

function isAboutAccount(text: string, status: number): boolean {
	return ACCOUNT_STATUSES.has(status) || ACCOUNT_WORDS.test(text);
}
