import type { IDataObject } from 'n8n-workflow';
import {
	defineOperation,
	isLocalAnswer,
	negative,
	positive,
	unclear,
} from '../../engine/operation';
import { orNull, quote, textOf } from '../../engine/plan/values';
import { countryField } from '../shared/phone/country';
import {
	phoneNumberField,
	readPhoneNumber,
	readPhoneNumberOrNational,
	withNumberAsked,
} from '../shared/phone/phoneNumber';
import { basicPhoneRecord, detailedPhoneRecord, PHONE_FIELDS } from '../shared/phone/phoneRecord';
import { refused } from '../../engine/refusals/refusal';
import { BASIC, responseDetailField } from '../shared/responseDetail';

/** The status of a successful, and so charged, validation (SPEC §2.2, §4.2). */
const VALID = 'VALID_CONFIRMED';

export const validatePhone = defineOperation({
	resource: 'phone',
	value: 'validate',
	name: 'Validate',
	action: 'Validate phone number',
	description: 'Check whether a phone number is valid, and get its carrier, line type and country',
	fields: [phoneNumberField, countryField, responseDetailField],
	subject: 'phoneNumber',
	outcomes: { positive: 'Valid', negative: 'Invalid', unknown: 'Unknown' },
	repeatable: true,
	rules: {
		positive: '`status` is VALID_CONFIRMED (Basic: `valid` is true)',
		negative: '`status` is INVALID (Basic: `valid` is false)',
		unknown: 'anything else',
		refused: '`error`: wrong key or no credits end the run',
	},

	prepare: ({ phoneNumber, country, responseDetail }) => {
		const detailed = responseDetail !== BASIC;
		const read = detailed ? readPhoneNumberOrNational : readPhoneNumber;
		const asked = read(phoneNumber, country);
		return isLocalAnswer(asked) ? asked : { ...asked, detailed };
	},
	present: withNumberAsked,

	request: ({ number, country, detailed }) =>
		detailed
			? {
					service: 'lookup',
					method: 'POST',
					path: '/phonevalidation',
					body: { phone_number: number, ...(country && { country_code: country }) },
				}
			: { service: 'main', method: 'GET', path: '/checkapi', query: { number } },

	credits: ({ detailed }) =>
		detailed
			? { balance: 'phone', atMost: 1, charged: (body) => (body.status === 'INVALID' ? 0 : 1) }
			: { balance: 'phone', cost: 'not stated' },

	window: ({ ratelimit_remain: left, ratelimit_seconds: seconds }) =>
		typeof left === 'number' && typeof seconds === 'number'
			? { left, resetMs: 1_000 * seconds }
			: undefined,

	read: (body, head, { detailed }) => {
		if (body.error || body.status === false) return refused(body, head);
		return detailed ? readDetailed(body) : readBasic(body);
	},
	output: [
		...Object.values(PHONE_FIELDS),
		{
			name: 'rateLimitRemaining',
			type: 'number',
			description: 'Calls left before the rate limit',
			example: 4999,
			ofCall: true,
		},
		{
			name: 'rateLimitResetSeconds',
			type: 'number',
			description: 'Seconds until the rate limit resets',
			example: 60,
			ofCall: true,
		},
	],
});

function readDetailed(body: IDataObject) {
	if (body.status === 'INVALID') return negative({});
	const record = {
		...detailedPhoneRecord(body),
		rateLimitRemaining: orNull(body.ratelimit_remain),
		rateLimitResetSeconds: orNull(body.ratelimit_seconds),
	};
	if (body.status === VALID) return positive(record);
	const said = body.status === undefined ? 'no status' : `the status ${quote(textOf(body.status))}`;
	return unclear(record, `the service answered with ${said}`);
}

function readBasic(body: IDataObject) {
	const record = basicPhoneRecord(body);
	if (typeof body.valid !== 'boolean')
		return unclear(record, "the service didn't say whether the number is valid");
	return body.valid ? positive(record) : negative(record);
}
