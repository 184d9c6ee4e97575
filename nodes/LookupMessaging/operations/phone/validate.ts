import type { IDataObject } from 'n8n-workflow';
import { type DecisionTable, defineOperation, isLocalAnswer } from '../../engine/operation';
import type { AnswerRecord } from '../../engine/results';
import { orNull, quote, textOf } from '../../engine/plan/values';
import { countryField } from '../shared/phone/country';
import {
	phoneNumberField,
	readPhoneNumber,
	readPhoneNumberOrNational,
} from '../shared/phone/phoneNumber';
import {
	basicPhoneRecord,
	detailedPhoneRecord,
	PHONE_FIELDS,
	withNumberAsked,
} from '../shared/phone/phoneRecord';
import {
	FAILS,
	HAS_NO_TROUBLE,
	is,
	IS_ABOUT_ACCOUNT,
	isNot,
	isOrMissing,
	isSame,
	noneSaysNo,
	noneSaysYes,
	readBy,
	REFUSES,
	SAYS_NO_MORE,
	SUCCEEDS,
	SUCCEEDS_BESIDE_STATUS,
	that,
	wordsOr,
} from '../shared/decisions';
import { wordsAgainst } from '../shared/replyWords';
import { anotherCountry, anotherNumber, anotherNumberOrCountry } from '../shared/phone/sameNumber';
import { isDetailed, responseDetailField } from '../shared/responseDetail';

const FLAGS = /^(?:is )?(?:(?:phone )?number )?valid(?: (?:phone )?number)?$/i;
const NONE_SAYS_YES = noneSaysYes(['is_valid'], FLAGS);
const NONE_SAYS_NO = noneSaysNo(['is_valid'], FLAGS);
const LACKS_AREA_CODE = that(
	'the number may lack its area code',
	[],
	({ isPart = false }) => isPart,
);

/** SPEC §2.2, §7. */
const DETAILED: DecisionTable = {
	of: 'Detailed',
	rows: [
		{ when: [REFUSES, IS_ABOUT_ACCOUNT, isNot('status', 'VALID_CONFIRMED')], says: 'refused' },
		{ when: [REFUSES, isNot('status', 'VALID_CONFIRMED', 'INVALID')], says: 'refused' },
		...anotherNumberOrCountry('number', 'formatted_number', 'formatinternational'),
		FAILS,
		{
			when: [
				is('status', 'VALID_CONFIRMED'),
				isOrMissing('valid', true, 'VALID_CONFIRMED'),
				SUCCEEDS_BESIDE_STATUS,
				HAS_NO_TROUBLE,
				NONE_SAYS_NO,
			],
			says: 'positive',
		},
		{
			when: [is('status', 'INVALID'), LACKS_AREA_CODE],
			says: 'unknown',
			why: 'it may lack its area code. Write it with + and its country code',
		},
		{
			when: [
				is('status', 'INVALID'),
				isOrMissing('valid', false, 'INVALID'),
				SUCCEEDS_BESIDE_STATUS,
				SAYS_NO_MORE,
				NONE_SAYS_YES,
			],
			says: 'negative',
		},
	],
	otherwise: (told) =>
		wordsAgainst({ ...told, body: { ...told.body, status: null } }) ?? statusOf(told.body),
};

function statusOf({ status }: IDataObject): string {
	return `the service answered with ${status === undefined ? 'no status' : `the status ${quote(textOf(status))}`}`;
}

/** A successful validation costs a credit (SPEC §8), and that of an invalid number none. Of any other status it says nothing. */
function costOf({ status }: IDataObject): number | undefined {
	if (isSame(status, 'INVALID')) return 0;
	return isSame(status, 'VALID_CONFIRMED') ? 1 : undefined;
}

/** SPEC §2.1, PhoneValidationResponse. */
const BASIC_RECORD: DecisionTable = {
	of: 'Basic',
	rows: [
		{ when: [REFUSES, IS_ABOUT_ACCOUNT, isNot('valid', true)], says: 'refused' },
		{ when: [REFUSES, isNot('valid', true, false)], says: 'refused' },
		anotherNumber('number'),
		anotherCountry('country'),
		FAILS,
		{ when: [is('valid', true), SUCCEEDS, HAS_NO_TROUBLE, NONE_SAYS_NO], says: 'positive' },
		{ when: [is('valid', false), SUCCEEDS, SAYS_NO_MORE, NONE_SAYS_YES], says: 'negative' },
	],
	otherwise: wordsOr("the service didn't say whether the number is valid", 'valid'),
};

export const validatePhone = defineOperation({
	resource: 'phone',
	value: 'validate',
	name: 'Validate',
	action: 'Validate phone number',
	description: 'Check whether a phone number is valid, and get its carrier, line type and country',
	fields: [
		phoneNumberField,
		countryField,
		responseDetailField('Lookup URL', 'location, time zones, country name and formats'),
	],
	subject: 'phoneNumber',
	outcomes: { positive: 'Valid', negative: 'Invalid', unknown: 'Unknown' },
	repeatable: true,
	decide: [DETAILED, BASIC_RECORD],

	prepare: (params, urls) => {
		const detailed = isDetailed(params, 'lookup', urls);
		const read = detailed ? readPhoneNumberOrNational : readPhoneNumber;
		const asked = read(params.phoneNumber, params.country);
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
			? { balance: 'phone', atMost: 1, charged: costOf }
			: { balance: 'phone', cost: 'not stated' },

	window: ({ ratelimit_remain: left, ratelimit_seconds: seconds }) =>
		typeof left === 'number' && typeof seconds === 'number'
			? { left, resetMs: 1_000 * seconds }
			: undefined,

	read: (body, head, { number, country, isPart, detailed }) =>
		detailed
			? readBy(DETAILED, { body, head, asked: number, hint: country, isPart }, recordOf(body))
			: readBy(BASIC_RECORD, { body, head, asked: number, hint: country }, basicPhoneRecord(body)),
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

function recordOf(body: IDataObject): AnswerRecord {
	// SPEC §2.2: an invalid number comes alone
	if (isSame(body.status, 'INVALID')) return {};
	return {
		...detailedPhoneRecord(body),
		rateLimitRemaining: orNull(body.ratelimit_remain),
		rateLimitResetSeconds: orNull(body.ratelimit_seconds),
	};
}
