import { defineOperation, negative, positive, unclear } from '../../engine/operation';
import { countryField } from '../shared/phone/country';
import { phoneNumberField, readPhoneNumber, withNumberAsked } from '../shared/phone/phoneNumber';
import { PHONE_FIELDS } from '../shared/phone/phoneRecord';
import { orNull } from '../../engine/plan/values';
import { hasError, refused } from '../../engine/refusals/refusal';

/** With more numbers than this, one batch is better. */
const MANY_NUMBERS = 50;

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
	rules: {
		positive: '`whatsapp` is true',
		negative: '`whatsapp` is false',
		unknown: '`whatsapp` is neither',
		refused: '`status` is false',
	},

	prepare: ({ phoneNumber, country }) => readPhoneNumber(phoneNumber, country),
	present: withNumberAsked,
	advise: ({ questions }) =>
		questions > MANY_NUMBERS
			? `Each of these ${questions} numbers takes a call of its own. Batch, Check Many Numbers takes up to 1,000 in one call, at 1 credit each.`
			: undefined,

	request: ({ number }) => ({
		service: 'main',
		method: 'GET',
		path: '/checkwanumber',
		query: { number },
	}),
	credits: () => ({ balance: 'whatsapp', cost: 'not stated' }),

	read: (body, head) => {
		if (body.status === false || hasError(body)) return refused(body, head);
		const record = { onWhatsApp: orNull(body.whatsapp) };
		if (typeof body.whatsapp !== 'boolean') {
			return unclear(record, "the service didn't say whether the number is on WhatsApp");
		}
		return body.whatsapp ? positive(record) : negative(record);
	},
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
