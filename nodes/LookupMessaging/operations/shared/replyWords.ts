import type { IDataObject } from 'n8n-workflow';
import { errorText, hasError } from '../../engine/refusals/refusal';

/** The words of a reply besides its known fields. */

/** Fields in which services have words, codes and warnings. SPEC's own `reason_code` has rows in the table of its operation. */
const WORD_FIELD =
	/error|warning|exception|^(?:message|msg|details?|reason|(?:http_?|status_?|response_?|result_?)?code|http_?status)$/i;

/** Whole sentences that only repeat a no, or say that the call succeeded. */
const PLAIN_NO = [
	/^(?:(?:the )?(?:request|call|lookup|check|validation|verification|query|search)(?: was| is)? )?(?:success\w*|completed?|done|checked|finished)(?: successfully)?$/,
	/^(?:(?:the|this|your) )?(?:e ?mail |phone |mobile |ip )?(?:number|e ?mail|address|mailbox|user|recipient|account)(?: is| was)? (?:not |in|un|is not |isn't |does not |doesn't )?(?:be )?(?:valid|found|known|exist|exists|registered|deliverable|(?:registered )?(?:on|in|with) whatsapp|have (?:a )?whatsapp(?: account)?)$/,
	/^(?:not|isn't|no) (?:(?:registered )?(?:on|in|with) whatsapp|whatsapp account(?: found)?|found|valid|registered)$/,
	/^(?:invalid|unknown|no such|undeliverable) (?:e ?mail |phone |mobile |ip )?(?:number|e ?mail|address|mailbox|user|recipient|syntax|format|domain)$/,
	/^(?:no|0|zero|no more|no matching) (?:results?|posts?|comments?|products?|items?|users?|members?|entries|reviews?|data|matches)(?: (?:was |were )?(?:found|available|returned))?$|^nothing (?:was )?found$/,
];

function isPlainNo(text: string): boolean {
	const words = text.toLowerCase().replace(/[_-]+/g, ' ');
	const sentence = words.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').replace(/\s+/g, ' ');
	return PLAIN_NO.some((plain) => plain.test(sentence));
}

/** The words of the fields of a body. Empty errors and words of success are left out; a number is listed with its field. */
export function wordsOfAll(body: IDataObject): string[] {
	const names = Object.keys(body).filter((name) => WORD_FIELD.test(name));
	return names
		.filter((name) => hasError({ error: body[name] }))
		.map((name) => {
			const words = errorText({ error: body[name] }) ?? '';
			return /\p{L}/u.test(words) ? words : `${name} ${words}`.trim();
		});
}

/** Whether a body has words, and all of them match. Codes are read without their underscores. */
export function saysOnly(body: IDataObject, isSuch: (words: string) => boolean): boolean {
	const all = wordsOfAll(body);
	return all.length > 0 && all.every((words) => isSuch(words.replace(/_+/g, ' ')));
}

/** The first words of a body, in any of the fields, that say more than a no. */
export function wordsBeside(body: IDataObject): string | undefined {
	return wordsOfAll(body).find((words) => !isPlainNo(words));
}
