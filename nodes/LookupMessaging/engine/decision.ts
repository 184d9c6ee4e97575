import type { IDataObject } from 'n8n-workflow';
import type { ReplyHead } from './client';
import type { Outcome } from './results';

/**
 * The meaning of a reply, as data. A table is read from the top, and the first row whose conditions all apply decides. A reply
 * without a row is unknown, so an unexpected word, type or mix of fields never counts as a yes or a no. The operation's `read`,
 * operations/README.md and the tests of all replies use the same rows.
 */

/** A reply as a table looks at it. */
export interface Told {
	body: IDataObject;
	head: ReplyHead;
	/** The subject of the question as it was sent, if a reply may name another one. */
	asked?: string;
	/** A part of the question that the subject in a reply has to agree with: the country of a national number. */
	hint?: string;
	/** Values that the operation has derived from the body, by name. They take precedence over the fields of the body. */
	found?: Record<string, unknown>;
}

/** One condition on a reply. */
export interface Condition {
	/** As the page shows it: "`valid` is true". */
	words: string;
	/** The fields that it looks at. */
	fields: string[];
	holds: (told: Told) => boolean;
}

/** `unclear` is unknown too, and the reply may not be an answer at all; `running` is unknown for now. */
export type Says = Outcome | 'refused' | 'running' | 'unclear';

/** One line of a table. */
export interface DecisionRow {
	when: Condition[];
	says: Says;
	/** The reason that the item shows. A refusal has the reason of the service. */
	why?: Why;
	/** The reply is about another subject, so none of its fields is shown. */
	isOfOther?: true;
	/** The service has refunded the credit. */
	isRefunded?: true;
}

/** A reason, or how it comes from the reply. */
export type Why = string | ((told: Told) => string | undefined);

export interface DecisionTable {
	/** Which replies the table is for, if an operation has several tables. */
	of?: string;
	/** The page's names of its outcomes, if they are those of a job and not of an item. */
	names?: Partial<Record<Says, string>>;
	rows: DecisionRow[];
	/** The output fields with the answer. Those of an unknown are not shown. */
	answers?: string[];
	/** The reason for a reply without a row. */
	otherwise: Why;
}
