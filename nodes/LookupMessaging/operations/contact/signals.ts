import type { GenericValue } from 'n8n-workflow';
import type { AnswerRecord, Outcome } from '../../engine/results';
import { planOfCountry } from '../shared/phone/numberingPlans';
import { isSameName, namesThing } from './names';
import type { Sections } from './sections';

/**
 * What the sections of a contact mean together: one function per rule. Pure; no calls are made for them. Each signal is true,
 * false, or null if it is unknown or was not looked up.
 */

/** Sections that are ways to reach the contact. */
export const CHANNELS = ['phone', 'whatsApp', 'email'] as const;
export type Channel = (typeof CHANNELS)[number];

export interface Signals {
	countryMismatch: boolean | null;
	nameMismatch: boolean | null;
	voip: boolean | null;
	tollFree: boolean | null;
	catchAll: boolean | null;
	disposable: boolean | null;
	incomplete: boolean;
}

/**
 * The output of a contact: the working channels, the known signals, the sections.
 * @param name the name in the item
 * @param location that of Caller ID, which its section does not show
 */
export function recordOf(sections: Sections, name?: string, location?: GenericValue): AnswerRecord {
	const all = Object.entries(signalsOf(sections, name, location));
	const signals = all.filter(([, says]) => says !== null);
	return {
		channels: openChannels(sections),
		signals: Object.fromEntries(signals),
		...sections,
	};
}

/** All signals of a contact. True ones are worth a second look. Parameters as in recordOf. */
export function signalsOf(sections: Sections, name?: string, location?: GenericValue): Signals {
	return {
		countryMismatch: countryMismatch(sections),
		nameMismatch: nameMismatch(sections, name, location),
		voip: isLineType(sections, 'voip'),
		tollFree: isLineType(sections, 'toll_free'),
		catchAll: toldOr(sections.email?.catchAll),
		disposable: toldOr(sections.email?.disposable),
		incomplete: incomplete(sections),
	};
}

/** Whether the phone number (by Phone Validation, else Caller ID) and the IP address are of different countries. */
export function countryMismatch({ phone, callerId, geoIp }: Sections): boolean | null {
	const ofNumber = countryOf(phone?.countryCode) ?? countryOf(callerId?.countryCode);
	const ofAddress = countryOf(geoIp?.countryCode);
	if (ofNumber === undefined || ofAddress === undefined) return null;
	return ofNumber !== ofAddress;
}

/** A longer text names no country. */
const LONGEST_COUNTRY = 100;

/** The code of a country, from any code or name of the service; undefined for texts such as XX or EU. */
function countryOf(value: GenericValue): string | undefined {
	const text = textOr(value);
	return text === null || text.length > LONGEST_COUNTRY ? undefined : planOfCountry(text)?.region;
}

/** Whether the number (by Phone Validation, else Caller ID) has that line type; null if its type is unknown. */
export function isLineType({ phone, callerId }: Sections, type: string): boolean | null {
	const lineType = [phone?.lineType, callerId?.lineType].find(
		(lineType) => textOr(lineType) !== null && lineType !== 'unknown',
	);
	return lineType === undefined ? null : lineType === type;
}

/** Whether the name that Caller ID found cannot be the name in the item (see isSameName). */
export function nameMismatch(
	{ callerId, phone }: Sections,
	name?: string,
	location?: GenericValue,
): boolean | null {
	const isSame = isSameName(callerId?.name, name);
	const things = [callerId?.carrier, phone?.carrier, phone?.location, location];
	if (isSame === null || (!isSame && namesThing(callerId?.name, things))) return null;
	return !isSame;
}

/** The ways to reach the contact that are known to work: a valid number, a number on WhatsApp, a deliverable mailbox. */
export function openChannels(sections: Sections): Channel[] {
	return CHANNELS.filter((channel) => sections[channel]?.outcome === 'positive');
}

/** Whether any lookup failed or has an unknown result. */
export function incomplete(sections: Sections): boolean {
	return Object.values(sections).some((section) => section?.outcome === 'unknown');
}

/** Whether the contact can be reached: on at least one channel, on none that was looked up, or unknown. */
export function contactability(sections: Sections): Outcome {
	if (openChannels(sections).length > 0) return 'positive';
	const asked = CHANNELS.flatMap((channel) => sections[channel]?.outcome ?? []);
	return asked.length > 0 && asked.every((outcome) => outcome === 'negative')
		? 'negative'
		: 'unknown';
}

function toldOr(value: GenericValue): boolean | null {
	return typeof value === 'boolean' ? value : null;
}

function textOr(value: GenericValue): string | null {
	return typeof value === 'string' && value !== '' ? value : null;
}
