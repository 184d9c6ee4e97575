import { isLocalAnswer, type LocalAnswer, type Recall } from '../../engine/operation';
import { consult, isFailed, type Consultation, type Talk } from '../../engine/talk';
import { phoneNumberField } from '../shared/phoneNumber';
import type { Contact } from './contact';
import { inquire, isAsked, LOOKUPS, type Inquiry, type Section } from './lookups';
import type { Told } from './sections';

/** The two stages of a contact: what waits for nothing, then what goes on with the validated number. */

type Inquiries = Partial<Record<Section, Inquiry>>;
export type Answers = Partial<Record<Section, Told>>;

/** Asks all at once what takes a call. */
export function* lookUp(inquiries: Inquiries): Talk<Answers> {
	const entries = Object.entries(inquiries) as Array<[Section, Inquiry]>;
	const asked = entries.map(([, inquiry]) => inquiry).filter(isAsked);
	const told = asked.length > 0 ? yield* consult(asked) : [];
	return Object.fromEntries(
		entries.map(([section, inquiry]): [Section, Told] => [
			section,
			isAsked(inquiry) ? told[asked.indexOf(inquiry)] : inquiry,
		]),
	);
}

/** The lookups that take the validated number; of a number that does not exist they are answered already. */
export function numberLookups(
	{ second, number }: Contact,
	validation: Told | undefined,
): Inquiries {
	const answer = validation && 'answer' in validation ? validation.answer : undefined;
	const inquiryOf = (section: Section): Inquiry => {
		if (answer?.outcome === 'negative') return NO_SUCH_NUMBER;
		const validated = answer?.record.phoneNumber;
		const known = typeof validated === 'string' ? validated : number;
		return isLocalAnswer(known) ? known : inquire(section, { phoneNumber: known });
	};
	return Object.fromEntries(second.map((section) => [section, inquiryOf(section)]));
}

const NO_SUCH_NUMBER: LocalAnswer = {
	local: 'malformed',
	field: phoneNumberField.displayName,
	reason: `is invalid by ${LOOKUPS.phone.name}, so nothing more was asked about it`,
};

/** As numberLookups, before the validation: where it is yet to come, each lookup will be about a number of its own. */
export function numberLookupsAtMost(contact: Contact, recall: Recall): Consultation[] {
	const { phone } = contact.first;
	const validation = isAsked(phone) ? recall(phone) : undefined;
	if (!isAsked(phone) || validation) {
		const told = validation && toldBefore(validation);
		return Object.values(numberLookups(contact, told)).filter(isAsked);
	}
	const canonical = phone.operation.canonical?.(phone.question);
	const question = { number: JSON.stringify(canonical), detailed: true };
	return contact.second.map((section) => ({ operation: LOOKUPS[section].operation, question }));
}

function toldBefore(known: NonNullable<ReturnType<Recall>>): Told {
	return isFailed(known) ? known : { answer: known, response: {}, source: 'memory' };
}
