import type { Answered, Failed, Reading } from '../../engine/results';
import { isFailed, isLocalAnswer, type LocalAnswer } from '../../engine/operation';
import { ended } from '../../engine/plan/values';
import { type Contact, isAboutNumber, wrongValues } from './contact';
import {
	LOOKUPS,
	type Section,
	type SectionResult,
	SECTIONS,
	type Sections,
	sectionsOf,
} from './sections';
import { contactability, recordOf } from './signals';
import { numberLookups, type SectionResults } from './stages';

/** The result of a contact: its answer, or the failure of the whole item. */
export function readingOf(contact: Contact, results: SectionResults): Failed | Reading {
	const failed = SECTIONS.filter((section) => isFailed(results[section]));
	const isAnswered = SECTIONS.some((section) => isAnswer(results[section]));
	const sections = sectionsOf(results, contact.chosen);
	const { callerId } = results;
	const location = isAnswer(callerId) ? callerId.answer.record.location : undefined;
	const record = recordOf(sections, contact.name, location);
	if (failed.length > 0 && (contact.isStrict || !isAnswered)) {
		return { ...worstOf(failed, results), record, ...(isAnswered && { isPartlyAnswered: true }) };
	}
	return {
		outcome: contactability(sections),
		record,
		reason: whyNotPositive(sections),
		response: Object.fromEntries(
			SECTIONS.map((section) => [
				section,
				isAnswer(results[section]) ? results[section].response : null,
			]),
		),
	};
}

/** The failure to report: one that may have been charged, else one of a lookup that was tried. */
function worstOf(failed: Section[], results: SectionResults): Failed {
	const all = failed.map((section) => ({ section, ...(results[section] as Failed) }));
	const { section, failure } =
		all.find((each) => each.failure.mayHaveCost) ??
		all.find((each) => each.failure.cause !== 'notSent') ??
		all[0];
	return { failure: { ...failure, reason: `${LOOKUPS[section].name}: ${failure.reason}` } };
}

/** The answer about a contact without any value that can be looked up. */
export function answerLocally(contact: Contact): LocalAnswer {
	const { first, chosen } = contact;
	const results = { ...first, ...numberLookups(contact, undefined) } as SectionResults;
	const sections = sectionsOf(results, chosen);
	const isReserved = wrongValues(contact).every(({ local }) => local === 'reserved');
	const isNegative = contactability(sections) === 'negative';
	const reasons = Object.values(sections).flatMap((section) => section?.reason ?? []);
	return {
		local: isReserved ? 'reserved' : isNegative ? 'malformed' : 'incomplete',
		field: 'Contact',
		reason: `has nothing to look up. ${[...new Set(reasons)].map(ended).join(' ')}`,
		record: recordOf(sections, contact.name),
		...(isAboutNumber(contact) && isLocalAnswer(contact.number) && { needs: contact.number.needs }),
	};
}

/** Why sections are not positive, each reason once, with the names of its lookups. */
function whyNotPositive(sections: Sections): string | undefined {
	const names = new Map<string, string[]>();
	for (const section of SECTIONS) {
		const { outcome, reason } = sections[section] ?? { outcome: 'positive' };
		const why = outcome === 'unknown' ? (reason ?? 'unknown') : reason;
		if (outcome === 'positive' || !why) continue;
		names.set(why, [...(names.get(why) ?? []), LOOKUPS[section].name]);
	}
	const reasons = [...names].map(([why, lookups]) => `${lookups.join(', ')}: ${why}`);
	return reasons.length > 0 ? reasons.join(' · ') : undefined;
}

function isAnswer(result: SectionResult | undefined): result is Answered {
	return result !== undefined && 'answer' in result;
}
