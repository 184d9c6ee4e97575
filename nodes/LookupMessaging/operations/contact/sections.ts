import type { AnswerRecord, LookupResult, Outcome } from '../../engine/results';
import { LOCAL_OUTCOME, isFailed, isLocalAnswer, type LocalAnswer } from '../../engine/operation';
import { LOOKUPS, SECTIONS, type Section } from './lookups';

/** The result of the lookup of a section. */
export type SectionResult = LocalAnswer | LookupResult;

/** A section of the output: the Simplified output of its operation. */
export type SectionRecord = AnswerRecord & {
	outcome: Outcome;
	source: 'duplicate' | 'failed' | 'known' | 'local' | 'memory' | 'service';
	/** With Known Answers only. */
	ageDays?: number;
	reason: string | null;
};

/** All sections; null without a lookup. */
export type Sections = Record<Section, SectionRecord | null>;

/** Turns the results of the lookups into the sections of the output. */
export function sectionsOf(results: Partial<Record<Section, SectionResult>>): Sections {
	const entries = SECTIONS.map((section) => {
		const result = results[section];
		return [section, result ? { ...headOf(result), ...fieldsOf(section, result) } : null];
	});
	return Object.fromEntries(entries) as Sections;
}

function headOf(
	result: SectionResult,
): Pick<SectionRecord, 'ageDays' | 'outcome' | 'reason' | 'source'> {
	if (isLocalAnswer(result)) {
		const { local, field, reason } = result;
		return { outcome: LOCAL_OUTCOME[local], source: 'local', reason: `${field} ${reason}` };
	}
	if (isFailed(result)) {
		const { explanation, failure } = result;
		return { outcome: 'unknown', source: 'failed', reason: explanation ?? failure.reason };
	}
	const { outcome, reason = null } = result.answer;
	const { source, ageDays } = result;
	return { outcome, source, ...(ageDays !== undefined && { ageDays }), reason };
}

function fieldsOf(section: Section, result: SectionResult): AnswerRecord {
	const record = isLocalAnswer(result) || isFailed(result) ? {} : result.answer.record;
	const { output } = LOOKUPS[section].operation;
	const shown = output.filter(({ simplified }) => simplified);
	return Object.fromEntries(shown.map(({ name }) => [name, record[name] ?? null]));
}
