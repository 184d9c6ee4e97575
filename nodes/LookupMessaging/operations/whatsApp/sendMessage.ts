import type { GenericValue, IDataObject } from 'n8n-workflow';
import type {
	BinaryFile,
	Credits,
	Endpoint,
	LookupCall,
	ReplyHead,
	ServiceRequest,
} from '../../engine/client';
import type { Answer, Reading } from '../../engine/results';
import { defineWorkflow, isFailed, isLocalAnswer, positive, unclear } from '../../engine/operation';
import { orNull, textOf } from '../../engine/plan/values';
import { countryField } from '../shared/phone/country';
import { readPhoneNumber, withNumberAsked, type AskedNumber } from '../shared/phone/phoneNumber';
import { hasError, refused } from '../../engine/refusals/refusal';
import { checkWhatsAppNumber } from './checkNumber';
import {
	binaryPropertyField,
	checkNumberFirstOption,
	mediaField,
	mediaFieldNameOption,
	MESSAGE_FIELDS,
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

/** SPEC §8 names no price, neither of the message nor of the check. */
const CREDITS: Credits = { balance: 'whatsapp', cost: 'not stated' };

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
	rules: {
		positive: '`status` is true',
		negative: 'Check Number First: `whatsapp` is false; nothing is sent',
		unknown: 'no `status`; Check Number First: no `whatsapp`, and nothing is sent',
		refused: '`status` is false',
	},
	endpoints: ['GET main /checkwanumber', 'GET main /sendwasms', 'POST main /sendwasms'],

	parameterNames: ['number', 'message'],
	lookups: (message) => (message.isCheckedFirst ? [checkOf(message)] : []),

	prepare: ({ phoneNumber, country, message, media, file, ...options }) => {
		const recipient = readPhoneNumber(phoneNumber, country);
		if (isLocalAnswer(recipient)) return recipient;
		const text = readMessage(message);
		if (isLocalAnswer(text)) return text;
		const isCheckedFirst = options.checkNumberFirst === true;
		if (media !== 'binaryField') return { ...recipient, text, isCheckedFirst };
		const source = readMedia(file);
		if (isLocalAnswer(source)) return source;
		const field = textOf(options.mediaFieldName).trim() || 'media';
		return { ...recipient, text, isCheckedFirst, media: { field, source } };
	},
	present: withNumberAsked,
	credits: () => CREDITS,

	run: async ([message], client) => {
		if (message.isCheckedFirst) {
			const { lookup, question } = checkOf(message);
			const check = await client.lookUp(lookup, question);
			if (isFailed(check)) return [{ failure: { ...check.failure, isPreliminary: true } }];
			if (check.answer.outcome !== 'positive') return [withheld(check.answer)];
		}
		const endpoint: Endpoint<Reading> = {
			request: requestOf(message),
			credits: CREDITS,
			read: (body, head) => readSent(body, head, message.media),
		};
		return [await client.call(endpoint, 'send')];
	},
	output: MESSAGE_FIELDS,
});

/** The check before the message: all messages to the number share it. */
function checkOf({ number }: Message): LookupCall {
	return { lookup: checkWhatsAppNumber, question: { number } };
}

/** SPEC §4.1 shows the text by GET. What carries media is not shown: a form to the same path, the file in a field of it. */
function requestOf({ number, text: message, media: file }: Message): ServiceRequest {
	const fields = { number, message };
	const to = { service: 'main', path: '/sendwasms' } as const;
	return file
		? { ...to, method: 'POST', form: { fields, file } }
		: { ...to, method: 'GET', query: fields };
}

/** SPEC §2.1: `status` and `message`; further fields are not shown. */
function readSent(body: IDataObject, head: ReplyHead, media: Message['media']): Reading {
	if (body.status === false || hasError(body)) return refused(body, head);
	const record = {
		sent: body.status === true || null,
		message: orNull(body.message),
		messageId: idOf(body),
		fileName: media?.source.fileName,
	};
	return record.sent
		? positive(record)
		: unclear(record, "the service didn't say whether it accepted the message");
}

function idOf({ message_id, messageId, id }: IDataObject): GenericValue {
	const found = message_id ?? messageId ?? id;
	return typeof found === 'number' ? String(found) : orNull(found);
}

/** The answer for a message that was not sent, because the number is not known to be on WhatsApp. */
function withheld({ outcome, reason = "the number isn't on WhatsApp" }: Answer): Answer {
	return { outcome, record: { sent: false }, reason: `${reason}, so nothing was sent` };
}
