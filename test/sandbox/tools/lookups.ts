import { checkBalance } from '../routes/balance';
import { callerIdValidation } from '../routes/callerId';
import { checkEmail } from '../routes/email';
import { geoIp } from '../routes/geoIp';
import { checkApi, phoneValidation } from '../routes/phone';
import { checkWhatsApp } from '../routes/whatsApp';
import { askEndpoint, backedBy, PHONE_NUMBER, text, type Tool } from './tool';

/** The lookups of one thing each, and the balance. */
export const lookupTools: Tool[] = [
	{
		name: 'check_whatsapp_number',
		description: 'Check whether a phone number is registered on WhatsApp. Costs 1 WhatsApp credit.',
		properties: { number: PHONE_NUMBER },
		required: ['number'],
		answer: backedBy(checkWhatsApp),
	},
	{
		name: 'validate_phone',
		description:
			'Validate a phone number: carrier, line type, location. Costs 1 phone credit when it is valid.',
		properties: {
			phone_number: text(
				'Phone number in E.164, or the digits of a local number with country_code',
			),
			country_code: text('ISO 3166-1 alpha-2 country to read a local number in'),
			detail: {
				type: 'string',
				description: 'How much to say about the number',
				enum: ['detailed', 'basic'],
				default: 'detailed',
			},
		},
		required: ['phone_number'],
		answer: ({ phone_number, country_code, detail }, call) => {
			const number = phone_number as string;
			if (detail === 'basic') return askEndpoint(checkApi, call, { query: { number } });
			const query: Record<string, string> = { phone_number: number };
			if (typeof country_code === 'string') query.country_code = country_code;
			return askEndpoint(phoneValidation, call, { query });
		},
	},
	{
		name: 'lookup_caller_id',
		description: 'Look up the registered name of a phone number. Costs 1 caller ID credit.',
		properties: { phone_number: PHONE_NUMBER },
		required: ['phone_number'],
		answer: backedBy(callerIdValidation),
	},
	{
		name: 'verify_email',
		description: 'Verify that a mailbox exists, without writing to it. Costs 1 email credit.',
		properties: { email: { ...text('Email address'), format: 'email' } },
		required: ['email'],
		answer: backedBy(checkEmail),
	},
	{
		name: 'locate_ip',
		description: 'Locate an IPv4 or IPv6 address. Costs 1 geolocation credit when it is resolved.',
		properties: { ip: text('IPv4 or IPv6 address') },
		required: ['ip'],
		answer: backedBy(geoIp),
	},
	{
		name: 'get_balance',
		description: 'Credits left by product. Free.',
		properties: {},
		required: [],
		answer: backedBy(checkBalance),
	},
];
