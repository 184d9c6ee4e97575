import type { IDataObject } from 'n8n-workflow';
import type { Told } from '../../engine/decision';
import type { ReplyHead } from '../../engine/client';
import { inShort, isObject, numberIn, textOf } from '../../engine/plan/values';
import {
	errorText,
	GAP,
	hasError,
	isFalse,
	refuses,
	withoutAsked,
} from '../../engine/refusals/refusal';
import { that } from '../shared/decisions';
import { isNo, isNothing } from '../shared/results';

/** What a reply of success says by which the message may not have been sent. Only known words say that it was. */

/** The words that a message that was sent may have beside it. Any other word may say that it was not. */
const SENT_WORDS = new Set(
	[
		'accepted ack acknowledged active added complete completed connected created delivered dispatched done enqueued',
		'finished forwarded ok okay online open pending placed played processed processing queued read ready received',
		'scheduled sending sent submitted succeeded success successful successfully true valid 1 200 201 202',
		'a an and are at be been by for from has have in into is it of on soon shortly the this to via was were will with you your',
		'api audio batch campaign chat contact credit credits delivery device document file id image job media message',
		'messages msg number phone queue recipient recipients request response server sms status template text thank thanks user video',
		'wa whatsapp',
	].flatMap((line) => line.split(' ')),
);
const DENIES_NOTHING = /\b(?:no|without(?: any)?) (?:errors?|failures?|problems?)\b/g;
/** Where a service says it in words, and where by a state or a code. */
const WORDS =
	/^(?:(?:status|response|result|delivery|send)_?)?(?:message|msg|details?|description|reason|notes?|text)$|^(?:data|response)$/i;
const STATE = /(?:result|state|status|outcome|delivery)$/i;
const CODE = /^(?:(?:http|response|result|status)_?)?code$|^http_?status$/i;
/** Flags of the message and its recipient. */
const FLAG =
	/^(?:(?:has|in|is|on|was)_?)?(?:(?:message|number|recipient|user|device|session|wa|whatsapp)_?)?(?:accepted|authori[sz]ed|connected|delivered|exists|ok|online|registered|sent|submitted|success|valid|whatsapp)(?:_?count)?$/i;
/** Flags and counts of what went wrong. */
const DENIAL =
	/block|bounce|denied|disconnect|dropped|errors|error_?(?:code|count|message|reason|text)|exceed|expired|fail|invalid|opt(?:ed)?_?out|reject|skipped|undeliver|unsent|unsubscrib|warning/i;
/** Longer names are none of them. */
const LONGEST_NAME = 60;
const MAX_PARTS = 100;

export const SAYS_UNSENT = that(
	"in the body or an object in it, a flag such as `sent` or `whatsapp` is false, `errors` or `failed` says something, or a state, a code or the words of `message` have anything but the node's words for a message that was sent",
	['sent', 'whatsapp', 'errors', 'failed', 'result', 'message'],
	({ body, head }) => unsentIn(body, head) !== undefined,
);

/** The part of a body by which the message may not have been sent. */
function unsentIn(body: IDataObject, head: ReplyHead): IDataObject | undefined {
	const inner = Object.values(body).slice(0, MAX_PARTS).flat().slice(0, MAX_PARTS).filter(isObject);
	// At the top, the flag of the call and its error have rows of their own
	return [body, ...inner].find(
		(part) =>
			(part !== body && refuses(part)) ||
			Object.entries(part).some(([name, value]) => denies(name, value, head)),
	);
}

function denies(name: string, value: unknown, head: ReplyHead): boolean {
	if (name.length > LONGEST_NAME || isNothing(value)) return false;
	if (DENIAL.test(name)) return hasError({ error: value } as IDataObject);
	if (FLAG.test(name)) return isNo(value);
	const number = numberIn(value);
	if (CODE.test(name) && number !== undefined) return number >= 300;
	if (STATE.test(name) && number !== undefined) return number <= 0 || number >= 300;
	if (!(WORDS.test(name) || STATE.test(name) || CODE.test(name))) return false;
	return isFalse(value) || (typeof value === 'string' && !saysSent(value, head));
}

/** Whether all words are known. A service may repeat the values of the request, and a number or an ID has digits. */
function saysSent(text: string, { request }: ReplyHead): boolean {
	const own = withoutAsked(text, request).replace(DENIES_NOTHING, '');
	const words = own.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
	return words.every(
		(word) =>
			SENT_WORDS.has(word) || word === GAP || /^(?:[1-9]\d+|(?=.*\d)[\da-z]{4,})$/.test(word),
	);
}

/** Why the message may not have been sent, in the words of the service where it has any. */
export function whyUnsent({ body, head }: Told): string {
	const part = unsentIn(body, head) ?? body;
	const says = (name: string) => !isNothing(part[name]) && denies(name, part[name], head);
	const words = says('message') || refuses(part) ? errorText(part) : undefined;
	const name = Object.keys(part).find(says);
	const field = name === undefined ? undefined : inShort(`${name}: ${textOf(part[name])}`);
	const why = words ?? errorText({ error: part.errors }) ?? field ?? NOT_SENT;
	return `${why} (beside a status of success: the message may have been sent)`;
}
const NOT_SENT = 'the service says that it did not send the message';
