import type { AnswerRecord, LookupResult, Outcome } from '../../engine/results';
import { LOCAL_OUTCOME, isFailed, isLocalAnswer, type LocalAnswer } from '../../engine/operation';
import { asReason } from '../../engine/plan/values';
import { LOOKUPS, type Section } from './lookups';

/** The result of the lookup of a section. */
export type SectionResult = LocalAnswer | LookupResult;

/** A section of the output: the Simplified output of its operation. The summary is first, the source last. */
type SectionRecord = AnswerRecord & {
	outcome: Outcome;
	reason: string | null;
	source: 'duplicate' | 'failed' | 'stored' | 'local' | 'memory' | 'service';
	/** With Stored Results only. */
	ageDays?: number;
};

/** The chosen sections; null without a lookup. */
export type Sections = Partial<Record<Section, SectionRecord | null>>;

/** Turns the results of the lookups into the sections of the output. */
export function sectionsOf(
	results: Partial<Record<Section, SectionResult>>,
	chosen: Section[],
): Sections {
	const entries = chosen.map((section) => {
		const result = results[section];
		if (!result) return [section, null];
		const { outcome, ...origin } = headOf(result);
		return [section, { outcome, ...fieldsOf(section, result), ...origin }];
	});
	return Object.fromEntries(entries) as Sections;
}

function headOf(
	result: SectionResult,
): Pick<SectionRecord, 'ageDays' | 'outcome' | 'reason' | 'source'> {
	if (isLocalAnswer(result)) {
		const { local, field, reason } = result;
		const why = asReason([`${field} ${reason}`]);
		return { outcome: LOCAL_OUTCOME[local], reason: why, source: 'local' };
	}
	if (isFailed(result)) {
		const { explanation, failure } = result;
		return { outcome: 'unknown', reason: explanation ?? failure.reason, source: 'failed' };
	}
	const { outcome, reason = null } = result.answer;
	const { source, ageDays } = result;
	return { outcome, reason, source, ...(ageDays !== undefined && { ageDays }) };
}

function fieldsOf(section: Section, result: SectionResult): AnswerRecord {
	const record = isLocalAnswer(result) || isFailed(result) ? {} : result.answer.record;
	const { output } = LOOKUPS[section].operation;
	const shown = output.filter(({ simplified }) => simplified);
	return Object.fromEntries(shown.map(({ name }) => [name, record[name] ?? null]));
}
