import { describeFailure } from '../../engine/errors';
import {
	isLocalAnswer,
	LOCAL_OUTCOME,
	type AnswerRecord,
	type LocalAnswer,
	type Outcome,
} from '../../engine/operation';
import { isFailed, type Consulted, type Failed } from '../../engine/talk';
import { LOOKUPS, SECTIONS, type Section } from './lookups';

/** What became of a lookup. */
export type Told = Consulted | Failed | LocalAnswer;

/** A section of the output: the Simplified output of its operation. */
export type SectionRecord = AnswerRecord & {
	outcome: Outcome;
	source: 'duplicate' | 'failed' | 'local' | 'memory' | 'service';
	reason: string | null;
};

/** All sections; null where nothing was asked. */
export type Sections = Record<Section, SectionRecord | null>;

/** Turns what became of the lookups into the sections of the output. */
export function sectionsOf(told: Partial<Record<Section, Told>>): Sections {
	const entries = SECTIONS.map((section) => {
		const what = told[section];
		return [section, what ? { ...headOf(what), ...fieldsOf(section, what) } : null];
	});
	return Object.fromEntries(entries) as Sections;
}

function headOf(told: Told): Pick<SectionRecord, 'outcome' | 'reason' | 'source'> {
	if (isLocalAnswer(told)) {
		const { local, field, reason } = told;
		return { outcome: LOCAL_OUTCOME[local], source: 'local', reason: `${field} ${reason}` };
	}
	if (isFailed(told)) {
		return {
			outcome: 'unknown',
			source: 'failed',
			reason: told.words ?? describeFailure(told.failure),
		};
	}
	const { outcome, reason = null } = told.answer;
	return { outcome, source: told.source, reason };
}

function fieldsOf(section: Section, told: Told): AnswerRecord {
	const record = isLocalAnswer(told) || isFailed(told) ? {} : told.answer.record;
	const { output } = LOOKUPS[section].operation;
	const shown = output.filter(({ simplified }) => simplified);
	return Object.fromEntries(shown.map(({ name }) => [name, record[name] ?? null]));
}
