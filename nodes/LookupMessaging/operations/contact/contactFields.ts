import type { INodeProperties } from 'n8n-workflow';
import { emailField } from '../shared/email/emailAddress';
import { ipAddressField } from '../shared/ip/ipAddress';
import { countryField } from '../shared/phone/country';
import { phoneNumberField } from '../shared/phone/phoneNumber';

/** The fields of a contact. All values are optional; what is empty is not asked about. */

/** In the editor's order. The values are the sections of the output. */
export const lookupsField: INodeProperties = {
	displayName: 'Lookups',
	name: 'lookups',
	type: 'multiOptions',
	options: [
		{
			name: 'Caller ID',
			value: 'callerId',
			description: 'The name that the phone number is registered to',
		},
		{
			name: 'Email Verification',
			value: 'email',
			description: 'Whether the mailbox exists',
		},
		{
			name: 'IP Location',
			value: 'geoIp',
			description: 'Where the IP address is',
		},
		{
			name: 'Phone Validation',
			value: 'phone',
			description: 'Whether the number is real. Of one that is not, nothing more is asked.',
		},
		{
			name: 'WhatsApp',
			value: 'whatsApp',
			description: 'Whether the phone number is on WhatsApp',
		},
	],
	default: ['email', 'geoIp', 'phone', 'whatsApp'],
	description: 'What to ask, where there is a value for it. Each is a paid call of its own.',
};

const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'contactName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Ada Lovelace',
	description:
		'The name of the contact, to compare with the one that Caller ID finds. It is not sent, and does nothing without that lookup.',
};

export const contactFields: INodeProperties[] = [
	{
		...phoneNumberField,
		required: false,
		description: 'The phone number of the contact',
	},
	countryField,
	{
		...emailField,
		required: false,
		description: 'The email address of the contact. It is sent no email.',
	},
	{
		...ipAddressField,
		required: false,
		description: 'The IPv4 or IPv6 address that the contact came from',
	},
	lookupsField,
	nameField,
];

export const stopWhenOption: INodeProperties = {
	displayName: 'Stop When',
	name: 'stopWhen',
	type: 'options',
	options: [
		{
			name: 'Ask Everything',
			value: 'all',
			description: 'Makes all lookups that there is a value for',
		},
		{
			name: 'First Working Channel',
			value: 'firstWorkingChannel',
			description:
				'Asks about phone, email and WhatsApp one after the other, what costs least first, until one works. The other lookups are made as always.',
		},
	],
	default: 'all',
	description: 'When enough is known of a contact',
};

export const failItemOption: INodeProperties = {
	displayName: 'Fail Item If a Lookup Fails',
	name: 'failItemIfALookupFails',
	type: 'boolean',
	default: false,
	description:
		'Whether one failed lookup fails the whole contact. Without it, only its own section says so. What was answered is paid for either way, and kept for a retry.',
};
