import type { Client, LookupCall } from '../../engine/client';
import { type Cached, isLocalAnswer, type LocalAnswer } from '../../engine/operation';
import { type AskedNumber, phoneNumberField } from '../shared/phone/phoneNumber';
import type { Contact } from './contact';
import { type Inquiry, isAsked, LOOKUPS, type Section, type SectionResult } from './sections';

/** The two stages of a contact: lookups that wait for nothing, then those of the validated number. */

export type Inquiries = Partial<Record<Section, Inquiry>>;
export type SectionResults = Partial<Record<Section, SectionResult>>;

export async function lookUpEverything(client: Client, contact: Contact): Promise<SectionResults> {
	const first = await lookUpAll(client, contact.first);
	return { ...first, ...(await lookUpAll(client, numberLookups(contact, first.phone))) };
}

/** Makes all lookups that need a call at once. */
export async function lookUpAll(client: Client, inquiries: Inquiries): Promise<SectionResults> {
	const entries = Object.entries(inquiries) as Array<[Section, Inquiry]>;
	const results = await Promise.all(
		entries.map(async ([section, inquiry]): Promise<[Section, SectionResult]> => {
			if (!isAsked(inquiry)) return [section, inquiry];
			return [section, await client.lookUp(inquiry.lookup, inquiry.question)];
		}),
	);
	return Object.fromEntries(results);
}

/** The lookups with the validated number; for a number that does not exist they are answered already. */
export function numberLookups(contact: Contact, validation: SectionResult | undefined): Inquiries {
	const { number } = contact;
	const answer = validation && 'answer' in validation ? validation.answer : undefined;
	const inquiryOf = (section: Section): Inquiry => {
		if (answer?.outcome === 'negative') return NO_SUCH_NUMBER;
		const validated = answer?.record.phoneNumber;
		const own = isLocalAnswer(number) ? {} : number;
		const asked = typeof validated === 'string' ? { ...own, number: validated } : number;
		return isLocalAnswer(asked) ? asked : inquiryOfNumber(section, asked, contact);
	};
	return Object.fromEntries(contact.second.map((section) => [section, inquiryOf(section)]));
}

const NO_SUCH_NUMBER: LocalAnswer = {
	local: 'malformed',
	field: phoneNumberField.displayName,
	reason: `is invalid, so ${[LOOKUPS.whatsApp, LOOKUPS.callerId].map(({ name }) => name).join(' and ')} were skipped`,
};

/** Like numberLookups, before the validation: as long as it is missing, each lookup counts as one about a different number. */
export function numberLookupsAtMost(contact: Contact, cached: Cached): LookupCall[] {
	const { phone } = contact.first;
	const validation = isAsked(phone) ? cached(phone) : undefined;
	if (!isAsked(phone) || validation) {
		return Object.values(numberLookups(contact, validation)).filter(isAsked);
	}
	// Validation completes a national number, so its lookups count as those of a different number
	const { number } = contact;
	const asked = isLocalAnswer(number)
		? { number: JSON.stringify(phone.lookup.request(phone.question)) }
		: number;
	return contact.second.map((section) => inquiryOfNumber(section, asked, contact));
}

/** The lookup of a number that was read already. */
function inquiryOfNumber(section: Section, asked: AskedNumber, { detailed }: Contact): LookupCall {
	const lookup = LOOKUPS[section].operation;
	return { lookup, question: section === 'callerId' ? { ...asked, detailed } : asked };
}
