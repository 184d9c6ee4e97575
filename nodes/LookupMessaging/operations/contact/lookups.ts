import type { LookupCall } from '../../engine/client';
import {
	isLocalAnswer,
	type BaseUrlsSet,
	type LocalAnswer,
	type Operation,
	type Params,
} from '../../engine/operation';
import { lookUpCallerId } from '../callerId/lookUp';
import { verifyEmail } from '../email/verify';
import { locateIp } from '../geoIp/locate';
import { validatePhone } from '../phone/validate';
import { checkWhatsAppNumber } from '../whatsApp/checkNumber';

/** The lookups of a contact, each with the section of the output that it fills. */

interface Lookup {
	/** As the editor and reasons name it. */
	name: string;
	operation: Operation<unknown>;
}

/** By section, in the order of the output. */
export const LOOKUPS = {
	phone: { name: 'Phone Validation', operation: validatePhone },
	callerId: { name: 'Caller ID', operation: lookUpCallerId },
	whatsApp: { name: 'WhatsApp', operation: checkWhatsAppNumber },
	email: { name: 'Email Verification', operation: verifyEmail },
	geoIp: { name: 'GeoIP', operation: locateIp },
} satisfies Record<string, Lookup>;

export type Section = keyof typeof LOOKUPS;

/** The sections, in the order of the output. */
export const SECTIONS = Object.keys(LOOKUPS) as Section[];

/** A lookup of a contact, or the local answer instead. */
export type Inquiry = LookupCall | LocalAnswer;

/** The operation of a section reads the values. @param urls decide how many fields it returns */
export function inquire(section: Section, params: Params, urls?: BaseUrlsSet): Inquiry {
	const { operation }: Lookup = LOOKUPS[section];
	const question = operation.prepare(params, urls);
	return isLocalAnswer(question) ? question : { lookup: operation, question };
}

/** Whether it needs a call. */
export function isAsked(inquiry: Inquiry | undefined): inquiry is LookupCall {
	return inquiry !== undefined && !isLocalAnswer(inquiry);
}
