import { type DecisionTable, defineOperation } from '../../engine/operation';
import { countryField } from '../shared/phone/country';
import { phoneNumberField, readPhoneNumber } from '../shared/phone/phoneNumber';
import { PHONE_FIELDS, withNumberAsked } from '../shared/phone/phoneRecord';
import {
	FAILS,
	HAS_NO_TROUBLE,
	is,
	IS_ABOUT_ACCOUNT,
	isNot,
	noneSaysNo,
	noneSaysYes,
	readBy,
	REFUSES,
	SAYS_NO_MORE,
	SUCCEEDS,
	wordsOr,
} from '../shared/decisions';
import { flagIn } from '../shared/replyWords';
import { anotherNumber } from '../shared/phone/sameNumber';

/** With more numbers than this, one batch is better. */
const MANY_NUMBERS = 50;

/** The fields of a row of a batch (SPEC §2.4), and other names of them. */
const OTHER_FIELDS = ['numberstatus', 'wa_status'];
export const WHATSAPP_FLAGS =
	/^(?:(?:has|in|is|on) ){0,2}(?:(?:wa|whatsapp) ?)?(?:(?:account )?exists?|account|number ?status|registered|whatsapp)$/i;
/** Only a number on WhatsApp has a business account, but not each of them. */
export const YES_FLAGS = new RegExp(
	`${WHATSAPP_FLAGS.source}|^(?:(?:has|is) )?(?:(?:wa|whatsapp) ?)?business ?(?:account|number)?$`,
	'i',
);

/** SPEC §2.1, WhatsAppCheckResponse. */
const REPLIES: DecisionTable = {
	answers: ['onWhatsApp'],
	rows: [
		{ when: [REFUSES, IS_ABOUT_ACCOUNT, isNot('whatsapp', true)], says: 'refused' },
		{ when: [REFUSES, isNot('whatsapp', true, false)], says: 'refused' },
		anotherNumber('number'),
		FAILS,
		{
			when: [
				...[is('whatsapp', true), SUCCEEDS, HAS_NO_TROUBLE],
				noneSaysNo(OTHER_FIELDS, WHATSAPP_FLAGS),
			],
			says: 'positive',
		},
		{
			when: [
				...[is('whatsapp', false), SUCCEEDS, SAYS_NO_MORE],
				noneSaysYes(OTHER_FIELDS, YES_FLAGS),
			],
			says: 'negative',
		},
	],
	otherwise: wordsOr("the service didn't say whether the number is on WhatsApp", 'whatsapp'),
};

export const checkWhatsAppNumber = defineOperation({
	resource: 'whatsApp',
	value: 'checkNumber',
	name: 'Check Number',
	action: 'Check WhatsApp number',
	description: 'Check whether a phone number is on WhatsApp. No message is sent.',
	fields: [phoneNumberField, countryField],
	subject: 'phoneNumber',
	outcomes: { positive: 'On WhatsApp', negative: 'Not on WhatsApp', unknown: 'Unknown' },
	repeatable: true,
	decide: [REPLIES],

	prepare: ({ phoneNumber, country }) => readPhoneNumber(phoneNumber, country),
	present: withNumberAsked,
	advise: ({ questions }) =>
		questions > MANY_NUMBERS
			? `${questions} separate calls. Check Many Numbers takes up to 1,000 per call, at 1 credit each.`
			: undefined,

	request: ({ number }) => ({
		service: 'main',
		method: 'GET',
		path: '/checkwanumber',
		query: { number },
	}),
	credits: () => ({ balance: 'whatsapp', cost: 'not stated' }),

	read: (body, head, { number }) =>
		readBy(REPLIES, { body, head, asked: number }, { onWhatsApp: flagIn(body.whatsapp) }),
	output: [
		PHONE_FIELDS.phoneNumber,
		{ ...PHONE_FIELDS.extension, simplified: true },
		{
			name: 'onWhatsApp',
			type: 'boolean',
			description: 'Whether the number has a WhatsApp account',
			example: true,
			simplified: true,
		},
	],
});
