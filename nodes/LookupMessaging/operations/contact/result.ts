import type { AnswerRecord, LocalAnswer, Reading } from '../../engine/operation';
import { isFailed, type Failed } from '../../engine/talk';
import { wrongValues, type Contact } from './contact';
import { LOOKUPS, SECTIONS, type Section } from './lookups';
import { sectionsOf, type Sections, type Told } from './sections';
import { contactability, signalsOf } from './signals';
import { numberLookups, type Answers } from './stages';

/** What the lookups of a contact come to. */

/** The result of a contact: its answer, or the failure that is the whole item's. */
export function readTold(contact: Contact, told: Answers): Failed | Reading {
	const failed = SECTIONS.filter((section) => isFailed(told[section]));
	const isAnswered = SECTIONS.some((section) => isAnswer(told[section]));
	const sections = sectionsOf(told);
	const record = recordOf(contact, sections);
	if (failed.length > 0 && (contact.isStrict || !isAnswered)) {
		return { ...worstOf(failed, told), record };
	}
	return {
		outcome: contactability(sections),
		record,
		reason: whatIsMissing(sections),
		response: Object.fromEntries(
			SECTIONS.map((section) => [section, isAnswer(told[section]) ? told[section].response : null]),
		),
	};
}

/** Of several failures the one to tell of: it may have cost something, or it at least was tried. */
function worstOf(failed: Section[], told: Answers): Failed {
	const all = failed.map((section) => ({ section, ...(told[section] as Failed) }));
	const { section, failure } =
		all.find((each) => each.failure.mayHaveCost) ??
		all.find((each) => each.failure.cause !== 'notSent') ??
		all[0];
	return { failure: { ...failure, reason: `${LOOKUPS[section].name}: ${failure.reason}` } };
}

/** The answer about a contact of whose values none can be asked about. */
export function answerLocally(contact: Contact): LocalAnswer {
	const { first } = contact;
	const sections = sectionsOf({ ...first, ...numberLookups(contact, undefined) } as Answers);
	const isReserved = wrongValues(contact).every(({ local }) => local === 'reserved');
	const isNegative = contactability(sections) === 'negative';
	const reasons = Object.values(sections).flatMap((section) => section?.reason ?? []);
	return {
		local: isReserved ? 'reserved' : isNegative ? 'malformed' : 'incomplete',
		field: 'Contact',
		reason: `has nothing to ask about: ${[...new Set(reasons)].join('; ')}`,
		record: recordOf(contact, sections),
	};
}

function recordOf({ name }: Contact, sections: Sections): AnswerRecord {
	return { ...sections, signals: { ...signalsOf(sections, name) } };
}

/** What could not be told, and why. */
function whatIsMissing(sections: Sections): string | undefined {
	const missing = SECTIONS.flatMap((section) => {
		const { outcome, reason } = sections[section] ?? {};
		return outcome === 'unknown' ? [`${LOOKUPS[section].name}: ${reason ?? 'unknown'}`] : [];
	});
	return missing.length > 0 ? missing.join(' · ') : undefined;
}

function isAnswer(told: Told | undefined): told is Extract<Told, { answer: unknown }> {
	return told !== undefined && 'answer' in told;
}
