import type { IDataObject } from 'n8n-workflow';
import type { Told } from '../../engine/operation';
import type { ReplyHead } from '../../engine/client';
import { inShort, numberIn, textOf } from '../../engine/plan/values';
import {
	errorText,
	GAP,
	hasError,
	isFalse,
	refuses,
	withoutAsked,
} from '../../engine/refusals/refusal';
import { that } from '../shared/decisions';
import {
	type Field,
	fieldsOf,
	isForNow,
	isNo,
	isNothing,
	LONGEST_NAME,
	MAX_FIELDS,
	nameInWords,
} from '../shared/replyWords';

/** What a reply of success says by which the message may not have been sent. Only known words say that it was. */

const setOf = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')));

/** The words that a message that was sent may have beside it. Any other word may say that it was not. */
const SENT_WORDS = setOf(
	'accepted ack acknowledged active added approved complete completed confirmed connected created delivered dispatched done enqueued',
	'finished forwarded ok okay online open pending placed played processed processing progress queued read ready received',
	'charged deducted scheduled sending sent submitted used succeeded success successful successfully true valid wamid 1 200 201 202',
	'a an and are at be been being by for from has have in into is it of on soon shortly the this to via was were will with you your',
	'api audio batch campaign carrier chat contact credit credits delivery device document file handset id image instance job media',
	'message messages msg network next number operator phone queue recipient recipients request response server sms status template',
	'text thank thanks user video wa whatsapp',
	// Spanish, Portuguese, French, German, Italian, Dutch: none of their words for "not"
	'correctamente con el enviado exitosamente éxito fue ha mensaje sido su bem com enviada foi mensagem sua sucesso avec bien envoyé été le',
	'succès votre die erfolgreich gesendet ihre nachricht versendet verschickt wurde è il inviato messaggio stato successo tuo bericht is',
	'succesvol verzonden',
);
const DENIES_NOTHING = /\b(?:no|without(?: any)?) (?:errors?|failures?|problems?)\b/g;
/** What is left to the account. The last message may have taken all of it. */
const CREDITS_LEFT =
	/\b(?:remaining |available )?(?:balance|credits?)(?: remaining| left)?\W{1,3}\d[\d.,]{0,15}|\b\d[\d.,]{0,15} (?:\w{1,20} )?credits? (?:remaining|left)\b/g;
/** Where a service says it in words, and where by a state or a code. */
const WORDS =
	/^(?:(?:status|response|result|delivery|send)_?)?(?:messages?|msg|details?|description|info|reason|notes?|text)$|^(?:data|response)$/i;
const STATE = /(?:results?|states?|status(?:es)?|outcomes?|delivery)$/i;
const ACK = /^(?:message_?)?ack(?:_?(?:name|status))?$/i;
const CODE = /^(?:(?:http|response|result|status)_?)?code$|^http_?status$/i;
/** The parts of a state that is an object, and the numbers of recipients that have a state each. */
const OF_STATE = /^(?:(?:group_?)?name|title|value|label)$/i;
const RECIPIENT = /^\+?\d+$/;
/** The names of flags and counts of the message and its recipient have these words, and among them one of the first. */
const FLAG_WORDS = setOf(
	'accepted authorised authorized connected delivered exists live livemode ok online receive registered sent submitted success',
	'successful successfully valid whatsapp',
);
const AROUND_FLAG = setOf(
	'can count device devices has in is message messages mode msg msgs number numbers of on recipient recipients session sms',
	'total user users wa was were',
);
/** Flags and counts of what went wrong. */
const DENIAL =
	/^err$|^qr(?:_?code)?$|exception|abort|block|bounce|cancell?ed|denied|disconnect|dropped|errors|error_?(?:code|count|message|reason|text)|exceed|expired|fail|ignored|invalid|limit_?reached|not_?on_?whatsapp|not_?sent|opt(?:ed)?_?out|reject|skipped|suppress|undeliver|unregistered|unsent|unsubscrib|warning/i;
/** Flags, counts and lists of the file that a message was sent with. */
const OF_FILE =
	/^(?:has_?)?(?:attachments?|files?|media)(?:_?(?:count|delivered|sent|uploaded))?$/i;
const OF_OTHER = /^(?:context|quoted|repl)/i;
/** Texts under any name by which nothing was sent. */
const UNSENT =
	/(?:\bnot|n['’]t) (?:be |been |yet )?sent\b|\bsession (?:has |is |was )?(?:closed|expired)\b|\b(?:disconnected|logged out|offline)\b|\bnot (?:registered )?on whatsapp\b/;
/** What is looked at of a text. */
const MAX_CHARACTERS = 5_000;
/** Of all texts. */
const MAX_TEXT = 500_000;

export const SAYS_UNSENT = that(
	"in the body or an object in it, at any depth, a flag such as `sent` or `whatsapp` is false, `errors` or `failed` says something, a flag says that nothing is sent for now or in a test, or a state, a code or the words of `message` have anything but the node's words for a message that was sent",
	['sent', 'whatsapp', 'errors', 'failed', 'result', 'message'],
	({ body, head }) => reasonIn(body, head) !== undefined,
);

/** Why the message may not have been sent, in the words of the service where it has any. */
export function whyUnsent({ body, head }: Told): string {
	return `${reasonIn(body, head)} (beside a status of success: the message may have been sent)`;
}

function reasonIn(body: IDataObject, head: ReplyHead): string | undefined {
	const fields = fieldsOf(body);
	const texts = fields.map(({ value }) => value).filter((value) => typeof value === 'string');
	const length = texts.reduce((sum, text) => sum + Math.min(text.length, MAX_CHARACTERS), 0);
	if (length > MAX_TEXT) return 'the reply has too many texts';
	const isDenial = (field: Field) =>
		// At the top, the flag of the call and its error have rows of their own
		(field.part !== body && refuses({ [field.name]: field.value } as IDataObject)) ||
		denies(field, head);
	const found = fields.find(isDenial);
	// Further ones aren't read, so it isn't known what they say
	if (!found) return fields.length > MAX_FIELDS ? 'the reply has too many fields' : undefined;
	const { name, value, part } = found;
	const isInWords = refuses(part) || (name === 'message' && found.part === part);
	const words = isInWords ? errorText(part) : undefined;
	return words ?? errorText({ error: part.errors }) ?? inShort(`${name}: ${textOf(value)}`);
}

function denies({ name, value, of }: Field, head: ReplyHead): boolean {
	if (name.length > LONGEST_NAME) return false;
	const isNone = value === 0 || (Array.isArray(value) && value.length === 0);
	if (isNone && /^(?:messages|recipients)$/i.test(name)) return true;
	const isOfFile = head.request.form && OF_FILE.test(name) && !OF_OTHER.test(of);
	if (isOfFile && (isNone || isNo(value))) return true;
	if (isFlag(name)) return isNo(value) || (Array.isArray(value) && value.length === 0);
	if (isNothing(value) || IS_KIND.test(name) || isText(value, head)) return false;
	if (/^(?:is_?|was_?)?queued$/i.test(name) && isFalse(value)) return true;
	if (typeof value === 'string' && saysUnsent(value, head)) return true;
	if (DENIAL.test(name)) return hasError({ error: value } as IDataObject);
	// A person among the results has a name too
	const isPart = /stat(?:e|us)$/i.test(of) && OF_STATE.test(name);
	const isOfState = isPart || (STATE.test(of) && RECIPIENT.test(name));
	const isState = isOfState || STATE.test(name);
	const number = numberIn(value);
	if (ACK.test(name) && number !== undefined) return number < 0;
	if (CODE.test(name) && number !== undefined) return number >= 300;
	if (isState && number !== undefined) return number <= 0 || number >= 300;
	if (isState || ACK.test(name) || WORDS.test(name) || CODE.test(name)) {
		return isFalse(value) || (typeof value === 'string' && !saysSent(value, head));
	}
	return isForNow(name, value) && !saysSent(wordsOf(name).join(' '), head);
}

/** A kind of message: one of the kind "status" is seen by all. */
const IS_KIND = /^isStatus$/;

/** Whether a value is the text of the message, and no words about it. */
export function isText(value: unknown, { request }: ReplyHead): boolean {
	const asked = request.query?.message ?? request.form?.fields.message;
	return typeof value === 'string' && value === asked;
}

function isFlag(name: string): boolean {
	const words = wordsOf(name);
	return (
		words.some((word) => FLAG_WORDS.has(word)) &&
		words.every((word) => FLAG_WORDS.has(word) || AROUND_FLAG.has(word))
	);
}

function wordsOf(name: string): string[] {
	return nameInWords(name)
		.toLowerCase()
		.split(/[^a-z]+/)
		.filter((word) => word !== '');
}

function saysUnsent(text: string, { request }: ReplyHead): boolean {
	const words = text.slice(0, MAX_CHARACTERS).toLowerCase().replace(/[_-]+/g, ' ');
	return UNSENT.test(words) && UNSENT.test(withoutAsked(words, request));
}

/** Whether all words are known. A service may repeat the values of the request, and a number or an ID has digits. */
function saysSent(text: string, { request }: ReplyHead): boolean {
	const start = text.slice(0, MAX_CHARACTERS).toLowerCase();
	return areKnown(start) || areKnown(withoutAsked(text, request));
}

function areKnown(text: string): boolean {
	const words =
		text
			.replace(DENIES_NOTHING, '')
			.replace(CREDITS_LEFT, '')
			.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
	return words.every(
		(word) =>
			SENT_WORDS.has(word) || word === GAP || /^(?:[1-9]\d+|0\d|(?=.*\d)[\da-z]{4,})$/.test(word),
	);
}
