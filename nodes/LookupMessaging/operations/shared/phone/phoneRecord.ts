import type { IDataObject } from 'n8n-workflow';
import type { Answer, AnswerRecord } from '../../../engine/results';
import type { OutputField } from '../../../engine/operation';
import { asReason, orNull, textOf } from '../../../engine/plan/values';
import { isE164 } from './e164';
import { phoneNumberField, type AskedNumber } from './phoneNumber';

/** Line types of both families (SPEC §2.1, §2.2) in one vocabulary. */
const LINE_TYPES: Record<string, string> = {
	mobile: 'mobile',
	landline: 'landline',
	voip: 'voip',
	unknown: 'unknown',
	'fixed line': 'landline',
	'fixed line or mobile': 'landline_or_mobile',
	'toll free': 'toll_free',
	tollfree: 'toll_free',
	'premium rate': 'premium_rate',
	'shared cost': 'shared_cost',
	'personal number': 'personal_number',
	pager: 'pager',
	'universal access number': 'universal_access_number',
	voicemail: 'voicemail',
};

/** Fields that phone validation and caller ID share. */
export const PHONE_FIELDS = {
	phoneNumber: {
		name: 'phoneNumber',
		type: 'string',
		description: 'The number that was looked up, in E.164 format',
		example: '+442079460018',
		simplified: true,
	},
	extension: {
		name: 'extension',
		type: 'string',
		description: 'Extension that was left out of the lookup',
		example: null,
	},
	lineType: {
		name: 'lineType',
		type: 'string',
		description: `One of ${[...new Set(Object.values(LINE_TYPES))].sort().join(', ')}`,
		example: 'landline',
		simplified: true,
	},
	carrier: {
		name: 'carrier',
		type: 'string',
		description: 'Network operator; null if unknown',
		example: 'Example Telecom',
		simplified: true,
	},
	countryCode: {
		name: 'countryCode',
		type: 'string',
		description: 'Country as a two-letter code (ISO 3166-1)',
		example: 'GB',
		simplified: true,
	},
	location: {
		name: 'location',
		type: 'string',
		description: 'City, region or country, in words',
		example: 'London',
		simplified: true,
	},
	timezone: {
		name: 'timezone',
		type: 'string',
		description: 'First time zone of the number (IANA name)',
		example: 'Europe/London',
		simplified: true,
	},
	timezones: {
		name: 'timezones',
		type: 'array',
		description: 'All time zones of the number (IANA names)',
		example: ['Europe/London'],
	},
	countryName: {
		name: 'countryName',
		type: 'string',
		description: 'Country name',
		example: 'United Kingdom',
	},
	callingCode: {
		name: 'callingCode',
		type: 'number',
		description: 'Country calling code',
		example: 44,
	},
	nationalFormat: {
		name: 'nationalFormat',
		type: 'string',
		description: 'The number as it is dialed inside its country',
		example: '020 7946 0018',
	},
	internationalFormat: {
		name: 'internationalFormat',
		type: 'string',
		description: 'The number as it is dialed from abroad',
		example: '+44 20 7946 0018',
	},
} satisfies Record<string, OutputField>;

/** The shared fields of a Detailed body (SPEC §2.2, §2.3). */
export function detailedPhoneRecord(body: IDataObject): AnswerRecord {
	const { timezone } = body;
	const zones = typeof timezone === 'string' && timezone !== '' ? [timezone] : timezone;
	const timezones = Array.isArray(zones) ? zones.map(textOf) : undefined;
	return {
		phoneNumber:
			e164In(body.formatted_number) ?? e164In(body.formatinternational) ?? e164In(body.number),
		lineType: lineType(body.linetype ?? body.line_type),
		carrier: orNull(body.carrier),
		countryCode: orNull(body.countrycode),
		location: orNull(body.location),
		timezone: timezones?.[0],
		timezones,
		countryName: orNull(body.countryname),
		callingCode: orNull(body.countrycodenum),
		nationalFormat: orNull(body.formatnational),
		internationalFormat: orNull(body.formatinternational),
	};
}

/** The shared fields of a Basic body (SPEC §2.1), which is about a number in E.164. */
export function basicPhoneRecord(body: IDataObject): AnswerRecord {
	return {
		lineType: lineType(body.line_type),
		carrier: orNull(body.carrier),
		countryCode: orNull(body.country),
		location: orNull(body.location),
	};
}

/** A longer text is no number. */
const LONGEST = 1_000;

/** The number in E.164 where the service names one with its +, in any format; else undefined. */
export function e164In(text: unknown): string | undefined {
	if (typeof text !== 'string' || text.length > LONGEST || !/^\s*\+/.test(text)) return undefined;
	return `+${text.replace(/\D/g, '')}`;
}

function lineType(value: unknown): string | null {
	if (typeof value !== 'string' || value === '') return null;
	const known = value.slice(0, LONGEST).replace(/[_-]+/g, ' ').trim().toLowerCase();
	if (/voip$/.test(known)) return LINE_TYPES.voip;
	return Object.hasOwn(LINE_TYPES, known) ? LINE_TYPES[known] : value;
}

/** Adds to the answer which number was looked up, what was left out and what is doubtful. */
export function withNumberAsked(answer: Answer, asked: AskedNumber): Answer {
	const { number, extension, doubt } = asked;
	const notes = [
		doubt !== undefined && `${phoneNumberField.displayName} ${doubt}`,
		extension !== undefined && `extension ${extension} was left out`,
	].filter((note) => note !== false);
	const reasons = [...(answer.reason === undefined ? [] : [answer.reason]), ...notes];
	return {
		...answer,
		record: {
			...answer.record,
			...(isE164(number) && { phoneNumber: number }),
			...(extension !== undefined && { extension }),
		},
		...(notes.length > 0 && { reason: asReason(reasons) }),
	};
}
