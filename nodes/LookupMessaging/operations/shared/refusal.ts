import type { IDataObject } from 'n8n-workflow';
import { ACCOUNT_STATUSES } from '../../engine/failure';
import type { Refusal } from '../../engine/operation';
import { inShort } from '../../engine/text';

/**
 * SPEC §7: bodies of a refusal carry their text in `error` (or `message`), under any HTTP status, 200 included.
 */

/** Words of a refusal that would meet every further call of the account too: a wrong key, or no credits. */
const ACCOUNT_WORDS =
	/api[\s_-]?key|unauthori[sz]ed|not authenticated|authentication|insufficient (?:.*credits?|balance|funds)|credits? exhausted|no credits|recharge|account (?:is )?(?:suspended|disabled|blocked)/i;

/** The service's own words in a reply body, cut where they go on for pages; or undefined. */
export function errorText(body: IDataObject): string | undefined {
	const words = [body.error, body.message].find(
		(text): text is string => typeof text === 'string' && text.trim() !== '',
	);
	return words === undefined ? undefined : inShort(words);
}

/** Whether a reply body names an error. Some services answer `error: null` when there is none. */
export function hasError(body: IDataObject): boolean {
	return Boolean(body.error);
}

/** A refusal with its scope told from the text and the HTTP status. */
export function refused(body: IDataObject, status: number): Refusal {
	const reason = errorText(body) ?? 'the service refused the request and gave no reason';
	return { refused: isAboutAccount(reason, status) ? 'account' : 'question', reason };
}

/** Whether the reply is about the key or the credits rather than about the question. */
export function isAccountRefusal(body: IDataObject, status: number): boolean {
	return isAboutAccount(errorText(body) ?? '', status);
}

function isAboutAccount(text: string, status: number): boolean {
	return ACCOUNT_STATUSES.has(status) || ACCOUNT_WORDS.test(text);
}
