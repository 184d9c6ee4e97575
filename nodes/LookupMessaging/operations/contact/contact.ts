import type { GenericValue } from 'n8n-workflow';
import {
	type BaseUrlsSet,
	isLocalAnswer,
	type LocalAnswer,
	type Params,
	type Part,
} from '../../engine/operation';
import { isEmpty, textOf } from '../../engine/plan/values';
import { type AskedNumber, readPhoneNumber } from '../shared/phone/phoneNumber';
import { isPlaceholder } from '../shared/readText';
import { isDetailed } from '../shared/responseDetail';
import { lookupsField } from './contactFields';
import {
	inquire,
	type Inquiry,
	isAsked,
	LOOKUPS,
	type Section,
	SECTIONS,
	sectionsOf,
} from './sections';
import { recordOf } from './signals';

/** Lookups of the number, which wait for its validation. */
type NumberSection = 'callerId' | 'whatsApp';
const NUMBER_SECTIONS: NumberSection[] = ['callerId', 'whatsApp'];

export interface Contact {
	/** The name to compare with that of the caller ID. */
	name?: string;
	/** Whether a failed lookup fails the item. */
	isStrict: boolean;
	/** Whether channels are looked up one by one, until one works. */
	stopsAtFirst: boolean;
	/** The chosen lookups, in the order of the output. */
	chosen: Section[];
	/** The lookups that wait for no other. */
	first: Partial<Record<Exclude<Section, NumberSection>, Inquiry>>;
	/** The lookups that use the number of the validation. */
	second: NumberSection[];
	/** Whether the caller ID lookup returns all fields. */
	detailed: boolean;
	/** The number of the item in E.164, used if there is no validated one. */
	number: AskedNumber | LocalAnswer;
}

/** The values that each lookup is about, by section. */
const VALUE: Record<Section, string> = {
	phone: 'phoneNumber',
	callerId: 'phoneNumber',
	whatsApp: 'phoneNumber',
	email: 'email',
	geoIp: 'ipAddress',
};

export const VALUE_NAMES = [...new Set(Object.values(VALUE))];

/** Reads the fields of an item: the contact, or why nothing can be looked up. */
export function readContact(given: Params, urls?: BaseUrlsSet): Contact | LocalAnswer {
	// Each lookup of the number reads its country
	const params: Params = { ...given, country: textOf(given.country) };
	const { lookups, contactName, alsoFailItemsIf, stopAtFirstWorkingChannel } = params;
	if (!isSectionList(lookups)) return wrongLookups(lookups);
	const chosen = SECTIONS.filter((section) => lookups.includes(section));
	const asked = chosen.filter((section) => !isEmpty(params[VALUE[section]]));
	if (asked.length === 0) return noValue(chosen);
	const first: Contact['first'] = {};
	for (const section of ['phone', 'email', 'geoIp'] as const) {
		if (asked.includes(section)) first[section] = inquire(section, params, urls);
	}
	return {
		name:
			isEmpty(contactName) || isPlaceholder(textOf(contactName).trim())
				? undefined
				: textOf(contactName),
		stopsAtFirst: stopAtFirstWorkingChannel === true,
		isStrict: [alsoFailItemsIf].flat().includes('lookupFails'),
		chosen,
		first,
		second: NUMBER_SECTIONS.filter((section) => asked.includes(section)),
		detailed: isDetailed(params, 'lookup', urls),
		number: readPhoneNumber(params.phoneNumber, params.country),
	};
}

function noValue(chosen: Section[]): LocalAnswer {
	const names = chosen.map((section) => LOOKUPS[section].name).join(', ');
	const reason = `has no value for the chosen lookups (${names}). Enter a phone number, an email address or an IP address`;
	return { local: 'empty', field: 'Contact', reason, record: recordOf(sectionsOf({}, chosen)) };
}

/** Whether a chosen lookup is about the phone number. */
export function isAboutNumber({ first, second }: Contact): boolean {
	return first.phone !== undefined || second.length > 0;
}

/** Whether anything of the contact is sent to the service. */
export function asksService({ first, second, number }: Contact): boolean {
	return Object.values(first).some(isAsked) || (second.length > 0 && !isLocalAnswer(number));
}

/** Why values cannot be looked up. The number is wrong only if no validation completes it. */
export function wrongValues({ first, second, number }: Contact): LocalAnswer[] {
	const numbers = second.length > 0 && !first.phone ? [number] : [];
	return [...Object.values(first), ...numbers].filter(isLocalAnswer);
}

/** The first problem of a contact's values, except private IP addresses. */
export function flawOf(contact: Contact): LocalAnswer | undefined {
	return wrongValues(contact).find(({ local }) => local !== 'reserved');
}

/** The one item of a contact. Its `input` holds all values. */
export function asPart<Question>(
	params: Params,
	question: Part<Question>['question'],
	flaw?: LocalAnswer,
) {
	const given = VALUE_NAMES.filter((name) => !isEmpty(params[name]));
	const input = Object.fromEntries(given.map((name) => [name, params[name]]));
	return { parts: [{ input, question, flaw }] };
}

function wrongLookups(value: GenericValue): LocalAnswer {
	const choices = SECTIONS.map((section) => `"${section}"`).join(', ');
	const reason = isEmpty(value)
		? 'is empty. Choose at least one lookup'
		: `is no list of ${choices}. Choose from the list`;
	return { local: 'parameter', field: lookupsField.displayName, reason };
}

function isSectionList(value: unknown): value is Section[] {
	return (
		Array.isArray(value) &&
		value.length > 0 &&
		value.every((entry) => (SECTIONS as unknown[]).includes(entry))
	);
}
