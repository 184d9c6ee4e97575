import type { IDataObject } from 'n8n-workflow';
import {
	type DecisionTable,
	defineOperation,
	isLocalAnswer,
	isRefusal,
} from '../../engine/operation';
import { errorText } from '../../engine/refusals/refusal';
import {
	FAILS,
	HAS_NO_TROUBLE,
	is,
	IS_ABOUT_ACCOUNT,
	IS_NO_LOOKUP,
	IS_NOT_ABOUT_PATH,
	isNot,
	isOrMissing,
	isSame,
	noneSaysNo,
	noneSaysYes,
	readBy,
	REFUSES,
	SAYS_NO_MORE,
	SUCCEEDS,
	tellsNot,
	that,
	wordsOr,
} from '../shared/decisions';
import { nameIn } from '../shared/callerName';
import { saysOnlyThat, troubleBesideYes, yesOrNo } from '../shared/replyWords';
import { countryField } from '../shared/phone/country';
import { type AskedNumber, phoneNumberField, readPhoneNumber } from '../shared/phone/phoneNumber';
import {
	basicPhoneRecord,
	detailedPhoneRecord,
	PHONE_FIELDS,
	withNumberAsked,
} from '../shared/phone/phoneRecord';
import { anotherNumberOrCountry } from '../shared/phone/sameNumber';
import { isDetailed, responseDetailField } from '../shared/responseDetail';

const { phoneNumber, lineType, carrier, countryCode, location, ...moreFields } = PHONE_FIELDS;

/** The sentence of SPEC §7. Any other may be about something other than this number. */
const INVALID_NUMBER = /^\W*invalid (?:phone )?number\W*$/i;

/** Like `tells` and `tellsNot`, without such words. */
const HAS_NAME = that('`name` names somebody', ['name'], ({ body }) => nameOf(body) !== undefined);
const HAS_NO_NAME = that('`name` names nobody', ['name'], ({ body }) => nameOf(body) === undefined);

/** Flags of other services for the question. */
const OTHER_FIELDS = ['found', 'is_valid'];
const FLAGS =
	/^(?:is |has |was )?(?:(?:caller |phone )?(?:name |number )?)(?:found|identified|valid)$/i;
const NOT_VALID = "the service names somebody, but doesn't say that the number is valid";

/** SPEC §2.1, §2.3, §7: an invalid number and a failed lookup both are a failure with a message. */
const REPLIES: DecisionTable = {
	answers: ['valid'],
	rows: [
		{ when: [REFUSES, IS_ABOUT_ACCOUNT, HAS_NO_NAME], says: 'refused' },
		...anotherNumberOrCountry('number', 'formatinternational'),
		{
			when: [
				REFUSES,
				that(
					'its words say that the number is invalid, and no field speaks of trouble',
					['error', 'message'],
					(told) => saysOnlyThat(told, (words) => INVALID_NUMBER.test(words)),
				),
				HAS_NO_NAME,
				isNot('valid', 'VALID_CONFIRMED', true),
			],
			says: 'negative',
			why: ({ body }) => errorText(body),
		},
		{
			when: [is('success', false), IS_NO_LOOKUP, HAS_NO_NAME],
			says: 'unclear',
			why: wordsOr('the lookup failed'),
		},
		// SPEC §2.3 shows no HTTP status for it
		{
			when: [is('success', false), IS_NOT_ABOUT_PATH],
			says: 'unknown',
			why: wordsOr('the lookup failed'),
		},
		{ when: [REFUSES, HAS_NO_NAME, tellsNot('valid')], says: 'refused' },
		FAILS,
		{
			when: [
				...[HAS_NAME, isOrMissing('valid', 'VALID_CONFIRMED', true), SUCCEEDS],
				...[HAS_NO_TROUBLE, noneSaysNo(OTHER_FIELDS, FLAGS)],
			],
			says: 'positive',
		},
		{
			when: [HAS_NAME],
			says: 'unknown',
			why: (told) =>
				troubleBesideYes({ ...told, body: { ...told.body, valid: null } }) ?? NOT_VALID,
		},
		{
			when: [
				...[HAS_NO_NAME, is('valid', 'INVALID'), SUCCEEDS, SAYS_NO_MORE],
				noneSaysYes(OTHER_FIELDS, FLAGS),
			],
			says: 'negative',
		},
		{
			when: [
				that(
					'`name` is there, and empty',
					['name'],
					({ body }) =>
						body.name === null || (typeof body.name === 'string' && nameOf(body) === undefined),
				),
				isNot('valid', 'INVALID', false),
				SUCCEEDS,
			],
			says: 'unknown',
			why: 'the service has no name for this number',
		},
	],
	otherwise: wordsOr("the service didn't say whether it knows a name"),
};

/** Fields of a reply that networks show in place of a name (SPEC §2.3). */
const IN_PLACE = ['carrier', 'countryname', 'linetype', 'location'];

/** The name in a reply; undefined if it names nobody. */
function nameOf(body: IDataObject): string | undefined {
	const name = nameIn(body.name);
	const isSame = (value: unknown) =>
		typeof value === 'string' && value.trim().toLowerCase() === name?.trim().toLowerCase();
	return IN_PLACE.some((field) => isSame(body[field])) ? undefined : name;
}

interface CallerQuestion extends AskedNumber {
	detailed: boolean;
}

export const lookUpCallerId = defineOperation<CallerQuestion>({
	resource: 'callerId',
	value: 'lookUp',
	name: 'Look Up',
	action: 'Look up caller ID',
	description: 'Find the name registered to a phone number',
	fields: [
		phoneNumberField,
		countryField,
		responseDetailField(
			'Lookup URL',
			'whether the number is valid, country, time zones and formats',
		),
	],
	subject: 'phoneNumber',
	outcomes: { positive: 'Name Found', negative: 'Invalid Number', unknown: 'Unknown' },
	repeatable: true,
	decide: [REPLIES],

	prepare: (params, urls) => {
		const asked = readPhoneNumber(params.phoneNumber, params.country);
		const detailed = isDetailed(params, 'lookup', urls);
		return isLocalAnswer(asked) ? asked : { ...asked, detailed };
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

	read: (body, head, { number, country, detailed }) => {
		const record = {
			...(detailed ? detailedPhoneRecord(body) : basicPhoneRecord(body)),
			name: nameOf(body) ?? null,
			valid: validity(body),
		};
		const reading = readBy(REPLIES, { body, head, asked: number, hint: country }, record);
		if (isRefusal(reading) || reading.outcome !== 'negative') return reading;
		return { ...reading, record: { ...record, valid: false } };
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

/** SPEC §2.3; null if the service does not say. */
function validity({ valid }: IDataObject): boolean | null {
	if (isSame(valid, 'INVALID')) return false;
	return isSame(valid, 'VALID_CONFIRMED') ? true : (yesOrNo(valid) ?? null);
}
