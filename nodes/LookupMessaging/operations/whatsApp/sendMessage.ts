import type { GenericValue, IDataObject } from 'n8n-workflow';
import type {
	BinaryFile,
	Credits,
	Endpoint,
	LookupCall,
	ReplyHead,
	ServiceRequest,
} from '../../engine/client';
import {
	type DecisionTable,
	defineWorkflow,
	isFailed,
	isLocalAnswer,
	isRefusal,
} from '../../engine/operation';
import { tooLongForUrl } from '../../engine/network/credential';
import type { Answer, AnswerRecord, Reading } from '../../engine/results';
import { orNull, quote, textOf } from '../../engine/plan/values';
import { countryField } from '../shared/phone/country';
import { type AskedNumber, readPhoneNumber } from '../shared/phone/phoneNumber';
import { withNumberAsked } from '../shared/phone/phoneRecord';
import {
	is,
	IS_HTTP_ERROR,
	NO_TROUBLE,
	readBy,
	REFUSES,
	SUCCEEDS_BESIDE_STATUS,
	that,
	wordsOr,
} from '../shared/decisions';
import { fieldsOf, objectsAt } from '../shared/replyWords';
import { isOtherNumber } from '../shared/phone/sameNumber';
import { checkWhatsAppNumber } from './checkNumber';
import { isText, SAYS_UNSENT, whyUnsent } from './unsent';
import {
	binaryPropertyField,
	checkNumberFirstOption,
	mediaField,
	mediaFieldNameOption,
	MESSAGE_FIELDS,
	MESSAGE_PARAMETERS,
	readFieldName,
	readMedia,
	readMessage,
	recipientField,
	textField,
} from './messageFields';

interface Message extends AskedNumber {
	text: string;
	isCheckedFirst: boolean;
	media?: { field: string; source: BinaryFile };
}

/** SPEC §8 names no price for the message or the check. */
const CREDITS: Credits = { balance: 'whatsapp', cost: 'not stated' };

const SAYS_SENT = is('status', true, 'ok', 'success', 'sent');
const HAS_ID = that(
	'there is a message ID',
	['message_id'],
	({ found = {} }) => textOf(found.messageId) !== '',
);
const SAYS_NOT = wordsOr('the service reports a failure beside the message');

const RECIPIENT =
	/^(?:(?:recipient|phone)_?)?(?:chat_?id|(?:remote_?)?jid|msisdn|number|phone|receiver|recipient|to|wa_?id)$/i;
/** What is looked at of a sentence about the message, and the recipient in it. */
const LONGEST_SENTENCE = 500;
const SENT_TO = /\bto:? (?!\d{4}-\d\d-)(\+?\d[\d ().-]{6,18}\d)(?!\w)/i;
/** The name of a chat in WhatsApp, with the number of a person. */
const CHAT_ID = /^(\+?\d{6,15})(?::\d{1,3})?@(?:c\.us|s\.whatsapp\.net)$/;

const IS_TO_OTHER = that(
	'`number`, `phone`, `recipient`, `to` or the like, at any depth, or a number after "to" in `message`, is another recipient than in the request',
	['number', 'phone', 'recipient', 'to', 'chat_id', 'message'],
	({ body, head, asked }) =>
		asked !== undefined &&
		fieldsOf(body).some(({ name, value, of }) => {
			if (/^message$/i.test(name) && typeof value === 'string') {
				const [, to] = SENT_TO.exec(value.slice(0, LONGEST_SENTENCE)) ?? [];
				return to !== undefined && !isText(value, head) && isOtherNumber(to, asked);
			}
			return (
				RECIPIENT.test(name) &&
				!/^(?:from|sender|session|device|instance)$/i.test(of) &&
				isOtherNumber(typeof value === 'string' ? value.replace(CHAT_ID, '$1') : value, asked)
			);
		}),
);

/**
 * Below HTTP 400, a message that may have been sent is never called refused. From 400 up, the call is refused, and the engine
 * says that it may have been charged.
 */
const SENDS: DecisionTable = {
	rows: [
		{ when: [IS_HTTP_ERROR], says: 'refused' },
		{
			when: [SAYS_SENT, IS_TO_OTHER],
			says: 'unknown',
			why: 'the service names another recipient. The message may have been sent',
		},
		{
			when: [SAYS_SENT, SAYS_UNSENT],
			says: 'unknown',
			why: whyUnsent,
		},
		{ when: [SAYS_SENT, SUCCEEDS_BESIDE_STATUS, NO_TROUBLE], says: 'positive' },
		{ when: [SAYS_SENT], says: 'unknown', why: SAYS_NOT },
		{ when: [REFUSES, HAS_ID], says: 'unknown', why: SAYS_NOT },
		{ when: [REFUSES], says: 'refused' },
	],
	otherwise: "the service didn't say whether it accepted the message",
};

export const sendWhatsAppMessage = defineWorkflow<Message>({
	resource: 'whatsApp',
	value: 'sendMessage',
	name: 'Send Message',
	action: 'Send WhatsApp message',
	description: 'Send a WhatsApp message to a phone number, with or without a file',
	fields: [recipientField, countryField, textField, mediaField, binaryPropertyField],
	options: [checkNumberFirstOption, mediaFieldNameOption],
	subject: recipientField.name,
	fileField: binaryPropertyField.name,
	decide: [SENDS],
	endpoints: ['GET main /checkwanumber', 'GET main /sendwasms', 'POST main /sendwasms'],

	parameterNames: MESSAGE_PARAMETERS,
	lookups: (message) => (message.isCheckedFirst ? [checkOf(message)] : []),

	prepare: ({ phoneNumber, country, message, media, file, ...options }) => {
		const recipient = readPhoneNumber(phoneNumber, country);
		if (isLocalAnswer(recipient)) return recipient;
		const text = readMessage(message);
		if (isLocalAnswer(text)) return text;
		const isCheckedFirst = options.checkNumberFirst === true;
		if (media !== 'binaryField') {
			const problem = tooLongForUrl({ number: recipient.number, message: text });
			if (problem) return { local: 'malformed', field: textField.displayName, reason: problem };
			return { ...recipient, text, isCheckedFirst };
		}
		const source = readMedia(file);
		if (isLocalAnswer(source)) return source;
		const field = readFieldName(options.mediaFieldName);
		if (isLocalAnswer(field)) return field;
		return { ...recipient, text, isCheckedFirst, media: { field, source } };
	},
	present: withNumberAsked,
	credits: () => CREDITS,

	run: async ([message], client) => {
		const endpoint: Endpoint<Reading> = {
			request: requestOf(message),
			credits: CREDITS,
			effect: 'acts',
			read: (body, head) => readSent(body, head, message),
		};
		if (message.isCheckedFirst && (await client.willMake(endpoint, 'send'))) {
			const { lookup, question } = checkOf(message);
			const check = await client.lookUp(lookup, question);
			if (isFailed(check)) return [{ failure: { ...check.failure, isPreliminary: true } }];
			if (check.answer.outcome !== 'positive') return [withheld(check.answer)];
		}
		return [await client.call(endpoint, 'send')];
	},
	output: MESSAGE_FIELDS,
});

/** The check before the message: all messages to the number share it. */
function checkOf({ number }: Message): LookupCall {
	return { lookup: checkWhatsAppNumber, question: { number } };
}

/** SPEC §4.1 shows the text by GET. It does not show media: a form to the same path, with the file in a field. */
function requestOf({ number, text: message, media: file }: Message): ServiceRequest {
	const fields = { number, message };
	const to = { service: 'main', path: '/sendwasms' } as const;
	return file
		? { ...to, method: 'POST', form: { fields, file } }
		: { ...to, method: 'GET', query: fields };
}

/** SPEC §2.1: `status` and `message`; further fields are not shown. */
function readSent(body: IDataObject, head: ReplyHead, { media, number }: Message): Reading {
	const messageId = idOf(body);
	const told = { body, head, found: { messageId }, asked: number };
	const record: AnswerRecord = {
		sent: null,
		message: orNull(body.message),
		messageId,
		fileName: media?.source.fileName,
	};
	const reading = readBy(SENDS, told, record);
	if (!isRefusal(reading) && reading.outcome === 'positive') reading.record.sent = true;
	if (!isRefusal(reading) || messageId === null) return reading;
	const jobId = textOf(messageId);
	return { ...reading, reason: `${reading.reason} (message ID ${quote(jobId)})`, jobId };
}

function idOf(body: IDataObject): GenericValue {
	const idIn = ({ message_id, messageId, id }: IDataObject) => message_id ?? messageId ?? id;
	const found = idIn(body) ?? objectsAt(body, ['data']).map(idIn)[0];
	return typeof found === 'number' ? textOf(found) : orNull(found);
}

/** The answer for a message that was not sent, because the number is not known to be on WhatsApp. */
function withheld({ outcome, reason = "the number isn't on WhatsApp" }: Answer): Answer {
	const record = { sent: false };
	return { outcome, record, reason: `${reason}, so nothing was sent`, isPreliminary: true };
}
