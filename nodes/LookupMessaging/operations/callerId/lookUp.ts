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
	type Params,
} from '../../engine/operation';
import { countryField } from '../shared/phone/country';
import {
	phoneNumberField,
	readPhoneNumber,
	withNumberAsked,
	type AskedNumber,
} from '../shared/phone/phoneNumber';
import { basicPhoneRecord, detailedPhoneRecord, PHONE_FIELDS } from '../shared/phone/phoneRecord';
import { orNull } from '../../engine/plan/values';
import { errorText, hasError, isAccountRefusal, refused } from '../../engine/refusals/refusal';
import { BASIC, responseDetailField } from '../shared/responseDetail';
import { endUserIpOptions, readEndUserIp } from './endUserIp';

const { phoneNumber, lineType, carrier, countryCode, location, ...moreFields } = PHONE_FIELDS;

interface CallerQuestion extends AskedNumber {
	detailed: boolean;
	endUserIp?: Record<string, string>;
}

export const lookUpCallerId = defineOperation<CallerQuestion>({
	resource: 'callerId',
	value: 'lookUp',
	name: 'Look Up',
	action: 'Look up caller ID',
	description: 'Find the name registered to a phone number',
	fields: [phoneNumberField, countryField, responseDetailField],
	options: endUserIpOptions,
	subject: 'phoneNumber',
	outcomes: { positive: 'Name Found', negative: 'Invalid Number', unknown: 'Unknown' },
	repeatable: true,
	rules: {
		positive: 'a `name`',
		negative: '"Invalid phone number", or `valid` is INVALID',
		unknown: '`name` is null, or another failed lookup',
		refused: '`error`: wrong key or no credits end the run',
	},

	prepare: (params) => {
		const asked = readPhoneNumber(params.phoneNumber, params.country);
		const detailed = isDetailed(params);
		// Only the endpoint of Detailed takes the address
		const endUserIp = detailed ? readEndUserIp(params) : undefined;
		if (isLocalAnswer(endUserIp)) return endUserIp;
		return isLocalAnswer(asked) ? asked : { ...asked, detailed, endUserIp };
	},
	// The address is for the log of the service
	canonical: (question) => ({ ...question, endUserIp: undefined }),
	present: withNumberAsked,

	request: ({ number, detailed, endUserIp }) => {
		if (!detailed) return { service: 'main', method: 'GET', path: '/check', query: { number } };
		const query = { ...endUserIp, phone_number: number };
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
			valid: validity(body),
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
		{
			name: 'valid',
			type: 'boolean',
			description: 'Whether the number is valid, with or without a name; null with Basic',
			example: true,
			simplified: true,
		},
		phoneNumber,
		lineType,
		carrier,
		countryCode,
		{ ...location, simplified: false },
		...Object.values(moreFields).map((field) => ({ ...field, simplified: false })),
	],
});

function isDetailed({ responseDetail }: Params): boolean {
	return responseDetail !== BASIC;
}

/** SPEC §2.3; null where the service does not say. */
function validity({ valid }: IDataObject): boolean | null {
	if (valid === 'INVALID') return false;
	return valid === 'VALID_CONFIRMED' ? true : null;
}

function isFailure(body: IDataObject): boolean {
	return body.success === false || body.status === false || hasError(body);
}

/** SPEC §2.3, §7: an invalid number and a failed lookup both come as a failure with a message. */
function readFailure(body: IDataObject, head: ReplyHead, record: AnswerRecord) {
	const reason = errorText(body);
	if (isAccountRefusal(body, head)) return refused(body, head);
	if (/invalid phone number/i.test(reason ?? '')) {
		return negative({ ...record, valid: false }, reason);
	}
	return body.success === false
		? unknown(record, reason ?? 'the lookup failed')
		: refused(body, head);
}
