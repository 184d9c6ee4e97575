import type { INodeProperties } from 'n8n-workflow';
import { emailField } from '../shared/email/emailAddress';
import { ipAddressField } from '../shared/ip/ipAddress';
import { countryField } from '../shared/phone/country';
import { phoneNumberField } from '../shared/phone/phoneNumber';

/** The fields of a contact. All values are optional; an empty one is not looked up. */

/** In the editor's order. The values are the sections of the output. */
export const lookupsField: INodeProperties = {
	displayName: 'Lookups',
	name: 'lookups',
	type: 'multiOptions',
	options: [
		{
			name: 'Caller ID',
			value: 'callerId',
			description:
				'Finds the name that the number is registered to. The Lookup URL adds whether the number is valid.',
		},
		{
			name: 'Email Verification',
			value: 'email',
			description: 'Checks whether the mailbox exists',
		},
		{
			name: 'GeoIP',
			value: 'geoIp',
			description: 'Finds the place of the IP address. The GeoIP URL adds the country code.',
		},
		{
			name: 'Phone Validation',
			value: 'phone',
			description:
				'Checks whether the number is real. If not, WhatsApp and Caller ID are skipped. The Lookup URL adds the place.',
		},
		{
			name: 'WhatsApp',
			value: 'whatsApp',
			description: 'Checks whether the phone number is on WhatsApp',
		},
	],
	default: ['email', 'geoIp', 'phone', 'whatsApp'],
	description:
		'The lookups to make when there is a value for them. Each one is a paid call. The other URLs of the credential add more fields.',
};

const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'contactName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Ada Lovelace',
	description:
		'Name of the contact, to compare with the name that Caller ID finds. The node never sends it.',
	displayOptions: { show: { lookups: ['callerId'] } },
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
		description: 'The email address of the contact. The check sends no email to it.',
	},
	{
		...ipAddressField,
		required: false,
		description: 'The IPv4 or IPv6 address that the contact came from',
	},
	lookupsField,
	nameField,
];

export const stopAtFirstOption: INodeProperties = {
	displayName: 'Stop at First Working Channel',
	name: 'stopAtFirstWorkingChannel',
	type: 'boolean',
	default: true,
	description:
		'Whether to look up phone, email and WhatsApp one after the other, the cheapest first, and to stop when one works. Caller ID and GeoIP are looked up as usual.',
};
