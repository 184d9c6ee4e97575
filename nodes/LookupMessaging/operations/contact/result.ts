import type { AnswerRecord, Answered, Failed, Reading } from '../../engine/results';
import { isFailed, type LocalAnswer } from '../../engine/operation';
import { wrongValues, type Contact } from './contact';
import { LOOKUPS, SECTIONS, type Section } from './lookups';
import { sectionsOf, type SectionResult, type Sections } from './sections';
import { contactability, signalsOf } from './signals';
import { numberLookups, type SectionResults } from './stages';

/** What the lookups of a contact come to. */

/** The result of a contact: its answer, or the failure that is the whole item's. */
export function readingOf(contact: Contact, results: SectionResults): Failed | Reading {
	const failed = SECTIONS.filter((section) => isFailed(results[section]));
	const isAnswered = SECTIONS.some((section) => isAnswer(results[section]));
	const sections = sectionsOf(results);
	const record = recordOf(contact, sections);
	if (failed.length > 0 && (contact.isStrict || !isAnswered)) {
		return { ...worstOf(failed, results), record };
	}
	return {
		outcome: contactability(sections),
		record,
		reason: whatIsMissing(sections),
		response: Object.fromEntries(
			SECTIONS.map((section) => [
				section,
				isAnswer(results[section]) ? results[section].response : null,
			]),
		),
	};
}

/** Which of several failures to report: one that may have cost something, else one that was tried. */
function worstOf(failed: Section[], results: SectionResults): Failed {
	const all = failed.map((section) => ({ section, ...(results[section] as Failed) }));
	const { section, failure } =
		all.find((each) => each.failure.mayHaveCost) ??
		all.find((each) => each.failure.cause !== 'notSent') ??
		all[0];
	return { failure: { ...failure, reason: `${LOOKUPS[section].name}: ${failure.reason}` } };
}

/** The answer about a contact of whose values none can be asked about. */
export function answerLocally(contact: Contact): LocalAnswer {
	const { first } = contact;
	const sections = sectionsOf({ ...first, ...numberLookups(contact, undefined) } as SectionResults);
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

/** What is unknown, and why. */
function whatIsMissing(sections: Sections): string | undefined {
	const missing = SECTIONS.flatMap((section) => {
		const { outcome, reason } = sections[section] ?? {};
		return outcome === 'unknown' ? [`${LOOKUPS[section].name}: ${reason ?? 'unknown'}`] : [];
	});
	return missing.length > 0 ? missing.join(' · ') : undefined;
}

function isAnswer(result: SectionResult | undefined): result is Answered {
	return result !== undefined && 'answer' in result;
}
