import type { IDataObject } from 'n8n-workflow';
import type { ReplyHead } from './client';
import type { Outcome } from './results';

/**
 * What a reply means, as data. A table is read from the top, and the first row whose conditions all hold decides. A reply that
 * is in no row is unknown: a word, a type or a mix of fields that nobody foresaw is never taken for a yes or a no. The reader of
 * an operation, operations/README.md and the tests of all replies come from the same rows.
 */

/** A reply as a table looks at it. */
export interface Told {
	body: IDataObject;
	head: ReplyHead;
	/** What was asked about, as it was sent, where a reply may name another. */
	asked?: string;
	/** What the operation made out in the body, by name. It goes before the fields of the body. */
	found?: Record<string, unknown>;
}

/** One condition on a reply. */
export interface Condition {
	/** As the page prints it: "`valid` is true". */
	words: string;
	/** The fields that it looks at. */
	fields: string[];
	holds: (told: Told) => boolean;
}

/** `unclear` is unknown too, and the reply may be no answer to the question at all; `running` is unknown as yet. */
export type Says = Outcome | 'refused' | 'running' | 'unclear';

/** One line of a table. */
export interface DecisionRow {
	when: Condition[];
	says: Says;
	/** The reason that the item shows. A refusal has the service's own. */
	why?: Why;
	/** The fields of the reply are about something else than what was asked, so none is shown. */
	isOfOther?: true;
	/** The service has given the credit back. */
	isRefunded?: true;
}

/** A reason, or how it comes from the reply. */
export type Why = string | ((told: Told) => string | undefined);

export interface DecisionTable {
	/** Which replies it reads, where an operation has several tables. */
	of?: string;
	/** What the page calls its outcomes, where they are those of a job and not of an item. */
	names?: Partial<Record<Says, string>>;
	rows: DecisionRow[];
	/** The reason for a reply that is in no row. */
	otherwise: Why;
}

/** The row that decides; undefined for a reply that is in no row. */
export function rowFor({ rows }: DecisionTable, told: Told): DecisionRow | undefined {
	return rows.find(({ when }) => when.every(({ holds }) => holds(told)));
}
