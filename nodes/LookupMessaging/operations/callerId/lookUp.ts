import type { IDataObject } from 'n8n-workflow';
import type { ReplyHead } from '../../engine/client';
import type { AnswerRecord } from '../../engine/results';
import {
	defineOperation,
	isLocalAnswer,
	negative,
	positive,
	unclear,
	unknown,
} from '../../engine/operation';
import { countryField } from '../shared/phone/country';
import { phoneNumberField, readPhoneNumber, withNumberAsked } from '../shared/phone/phoneNumber';
import { basicPhoneRecord, detailedPhoneRecord, PHONE_FIELDS } from '../shared/phone/phoneRecord';
import { orNull } from '../../engine/plan/values';
import { errorText, hasError, isAccountRefusal, refused } from '../../engine/refusals/refusal';
import { BASIC, responseDetailField } from '../shared/responseDetail';

const { phoneNumber, lineType, carrier, countryCode, location, ...moreFields } = PHONE_FIELDS;

export const lookUpCallerId = defineOperation({
	resource: 'callerId',
	value: 'lookUp',
	name: 'Look Up',
	action: 'Look up caller ID',
	description: 'Find the name registered to a phone number',
	fields: [phoneNumberField, countryField, responseDetailField],
	subject: 'phoneNumber',
	outcomes: { positive: 'Name Found', negative: 'Invalid Number', unknown: 'Unknown' },
	repeatable: true,
	rules: {
		positive: 'a `name`',
		negative: '"Invalid phone number", or `valid` is INVALID',
		unknown: '`name` is null, or another failed lookup',
		refused: '`error`: wrong key or no credits end the run',
	},

	prepare: ({ phoneNumber, country, responseDetail }) => {
		const asked = readPhoneNumber(phoneNumber, country);
		return isLocalAnswer(asked) ? asked : { ...asked, detailed: responseDetail !== BASIC };
	},
	present: withNumberAsked,

	request: ({ number, detailed }) => {
		if (!detailed) return { service: 'main', method: 'GET', path: '/check', query: { number } };
		const query = { phone_number: number };
		return { service: 'lookup', method: 'GET', path: '/calleridvalidation', query };
	},

	credits: ({ detailed }) =>
		detailed
			? { balance: 'callerinfo', atMost: 1, charged: () => 1 }
			: { balance: 'callerinfo', cost: 'not stated' },

	read: (body, head, { detailed }) => {
		const record = {
			...(detailed ? detailedPhoneRecord(body) : basicPhoneRecord(body)),
			name: orNull(body.name),
		};
		if (isFailure(body)) return readFailure(body, head, record);
		if (typeof record.name === 'string') return positive(record);
		return body.valid === 'INVALID'
			? negative(record)
			: 'name' in body && record.name === null
				? unknown(record, 'the service has no name for this number')
				: unclear(record, "the service didn't say whether it knows a name");
	},
	output: [
		{
			name: 'name',
			type: 'string',
			description: 'Registered name; null if not found',
			example: 'Example Name',
			simplified: true,
		},
		phoneNumber,
		lineType,
		carrier,
		countryCode,
		location,
		...Object.values(moreFields).map((field) => ({ ...field, simplified: false })),
	],
});

function isFailure(body: IDataObject): boolean {
	return body.success === false || body.status === false || hasError(body);
}

/** SPEC §2.3, §7: an invalid number and a failed lookup both come as a failure with a message. */
function readFailure(body: IDataObject, head: ReplyHead, record: AnswerRecord) {
	const reason = errorText(body);
	if (isAccountRefusal(body, head)) return refused(body, head);
	if (/invalid phone number/i.test(reason ?? '')) return negative(record, reason);
	return body.success === false
		? unknown(record, reason ?? 'the lookup failed')
		: refused(body, head);
}
