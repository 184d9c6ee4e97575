import type { IDataObject, INodeProperties } from 'n8n-workflow';
import {
	defineOperation,
	negative,
	positive,
	type LocalAnswer,
	unclear,
} from '../../engine/operation';
import { orNull, quote, textOf } from '../../engine/plan/values';
import {
	defaultCallingCodeOption,
	phoneNumberField,
	readNumber,
	withoutFormatting,
} from '../shared/phoneNumber';
import { basicPhoneRecord, detailedPhoneRecord, PHONE_FIELDS } from '../shared/phoneRecord';
import { refused } from '../shared/refusal';
import { BASIC, responseDetailField } from '../shared/responseDetail';

/** The status of a successful, and so charged, validation (SPEC §2.2, §4.2). */
const VALID = 'VALID_CONFIRMED';

export const countryHintField: INodeProperties = {
	displayName: 'Country Hint',
	name: 'countryHint',
	type: 'string',
	default: '',
	placeholder: 'e.g. GB',
	description:
		'Country of numbers written without + and country code, ISO 3166-1 alpha-2. Without it, such numbers may come out as invalid.',
};

export const validatePhone = defineOperation({
	resource: 'phone',
	value: 'validate',
	name: 'Validate',
	action: 'Validate phone number',
	description: 'Check whether a phone number is real, and get its carrier, line type and country',
	fields: [
		phoneNumberField,
		responseDetailField,
		{ ...countryHintField, displayOptions: { show: { responseDetail: ['detailed'] } } },
	],
	options: [defaultCallingCodeOption],
	subject: 'phoneNumber',
	outcomes: { positive: 'Valid', negative: 'Invalid', unknown: 'Unknown' },
	repeatable: true,
	rules: {
		positive: '`status` is VALID_CONFIRMED (Basic: `valid` is true)',
		negative: '`status` is INVALID (Basic: `valid` is false)',
		unknown: 'anything else',
		refused: '`error`: wrong key or no credits end the run',
	},

	prepare: ({ phoneNumber, responseDetail, countryHint, defaultCallingCode }) => {
		const detailed = responseDetail !== BASIC;
		const hint = detailed ? readCountryHint(countryHint) : undefined;
		if (typeof hint === 'object') return hint;
		const number = readNumber(phoneNumber, hint ? '' : defaultCallingCode, !detailed);
		if (typeof number !== 'string') return number;
		return { number, hint, detailed };
	},
	canonical: (question) => ({ ...question, number: withoutFormatting(question.number) }),

	request: ({ number, hint, detailed }) =>
		detailed
			? {
					service: 'lookup',
					method: 'POST',
					path: '/phonevalidation',
					body: { phone_number: number, ...(hint && { country_code: hint }) },
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

	read: (body, status, question) => {
		if (body.error || body.status === false) return refused(body, status);
		return question.detailed ? readDetailed(body, whyInvalid(question)) : readBasic(body);
	},
	output: [
		...Object.values(PHONE_FIELDS),
		{
			name: 'rateLimitRemaining',
			type: 'number',
			description: 'Calls left in the current rate-limit window',
			example: 4999,
		},
		{
			name: 'rateLimitResetSeconds',
			type: 'number',
			description: 'Seconds until the rate-limit window resets',
			example: 60,
		},
	],
});

/** What the service may have lacked, where it calls a number invalid. */
function whyInvalid({ number, hint }: { number: string; hint?: string }): string | undefined {
	return number.startsWith('+') || hint
		? undefined
		: 'the number has no + and country code, and there is no Country Hint';
}

function readDetailed(body: IDataObject, whyInvalid: string | undefined) {
	if (body.status === 'INVALID') return negative({}, whyInvalid);
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
		return unclear(record, 'the service did not say whether the number is valid');
	return body.valid ? positive(record) : negative(record);
}

/** Codes that people use for countries whose ISO 3166-1 alpha-2 code is another one. */
const COMMON_HINTS: Record<string, string> = { UK: 'GB', EL: 'GR' };

function readCountryHint(value: unknown): LocalAnswer | string | undefined {
	if (value === undefined || value === '') return undefined;
	const hint = textOf(value).trim().toUpperCase();
	if (hint === '' || hint === 'NONE') return undefined;
	if (/^[A-Z]{2}$/.test(hint)) return COMMON_HINTS[hint] ?? hint;
	return {
		local: 'parameter',
		field: countryHintField.displayName,
		reason: `(${quote(textOf(value))}) is no ISO 3166-1 alpha-2 code; use two letters such as GB, or leave it empty`,
	};
}
