import type { IDataObject } from 'n8n-workflow';
import { inShort, numberIn, textOf } from '../../engine/plan/values';
import { isNothing, plainName } from '../shared/replyWords';
import { announces, entriesOf, LEVELS, MAX_FIELDS } from './underWay';

/**
 * What an audit has found, by the names of its fields. SPEC §4.1 shows none, and a service repeats what it was asked for, under
 * any name: a name, a list of names, a setting. So only what was measured, listed or written counts.
 */

/** What tells nothing of the audit: what it was asked for, who asked, and what it has been. */
export const NOT_OF_AUDIT =
	/^(?:competitors?|request|params|input|options|config|settings|user|account|plan|subscription|credits?|quota|usage|limits?|ratelimits?|billing|next(?!check|poll)\w{0,20}|(?:last|previous)\w{0,20}|pagination|schedules?|timings?|timestamps?|links?|history|logs?|events|timeline|errors?|warnings?)$/;

/** Fields of the work, settings, and values of another time. */
const NO_FINDING =
	/^(?:baseline|benchmark|competitor|config|estimated|example|expected|filters?|industry|inputs|jobs$|last|max|meta|min|previous|prior|queue|sample|stages|steps|target|tasks)|(?:at|ids?|limit|progress|threshold|uri|url|version|weight)$/;
const MEASURE =
	/(?:scores?|mentions?|mentioned|visibility|citations?|cited|rank(?:ing|s)?|shareofvoice|sov|sentiment|(?:average|avg|mean)position)(?:average|count|overall|pct|percent(?:age)?|rate|share|total|value)?$/;
const LIST =
	/(?:results|findings?|mentions|citations|recommendations|insights|answers|responses|rankings?|scores)$/;
const TEXT = /(?:summary|overview|conclusion|report|analysis|insights?|html|markdown)$/;
/** Words of a text that has more to tell than a name. */
const SENTENCE = /\S\s+\S+\s+\S+\s+\S/;
const SHARE = /^(-?[\d.]{1,30})\s?(?:%|\/\s?\d{1,9})?$/;

/** As the page prints the rule. */
export const FINDINGS =
	'there is a measure that is not 0, or one of a platform (a score, a rank, mentions, also true or a word such as "high"), a list of results, or a summary, not only what was asked for';

/**
 * Whether an audit has findings near the top.
 * @param asked values of the request, in small letters
 */
export function hasFindings(fields: IDataObject, asked: Set<string>): boolean {
	let left = MAX_FIELDS;
	const isFoundIn = (object: object, holder: string, depth: number): boolean =>
		entriesOf(object).some(([key, value]) => {
			const name = Array.isArray(object) ? holder : plainName(key);
			if ((left -= 1) < 0 || isNothing(value)) return false;
			if (NO_FINDING.test(name) || NOT_OF_AUDIT.test(name)) return false;
			if (typeof value === 'object' && value !== null) {
				const isEntry =
					(LIST.test(holder) && isWhole(value)) || (BY_PLATFORM.test(holder) && hasMeasure(value));
				return isEntry || (depth < LEVELS && isFoundIn(value, name, depth + 1));
			}
			const share = numberIn(value) ?? numberIn(SHARE.exec(inShort(textOf(value)).trim())?.[1]);
			if (share !== undefined) return (MEASURE.test(name) || MEASURE.test(holder)) && share !== 0;
			const isMeasured = MEASURE.test(name) || (MEASURE.test(holder) && Array.isArray(object));
			if (isMeasured && (value === true || isGrade(value))) return true;
			const isText = typeof value === 'string' && (TEXT.test(name) || LIST.test(holder));
			return isText && !asked.has(plainText(value)) && isTold(value);
		});
	return isFoundIn(fields, '', 0);
}

/** Where each platform has its measures. A brand that none mentions has only those of 0. */
const BY_PLATFORM = /(?:results|(?:engine|model|platform|provider)s)$/;

function hasMeasure(part: object): boolean {
	return entriesOf(part).some(
		([name, value]) => MEASURE.test(plainName(name)) && typeof value === 'number',
	);
}

const OF_NAME = /^(?:engine|id|model|name|platform|provider)$/i;

/** Whether an entry of a list of results is more than the place for one. */
function isWhole(entry: object): boolean {
	const values = Object.entries(entry);
	return (
		values.some(([name]) => !OF_NAME.test(name)) && !values.some(([, value]) => isNothing(value))
	);
}

/** A measure in words, such as the sentiment. */
function isGrade(value: unknown): boolean {
	return typeof value === 'string' && GRADE.test(value.slice(0, LONGEST_GRADE + 1));
}
const LONGEST_GRADE = 30;
const GRADE =
	/^\s*(?:(?:mostly|quite|slightly|very) )?(?:bad|excellent|fair|good|high|low|medium|mixed|moderate|negative|neutral|poor|positive|strong|weak)\s*$/i;

/** Whether a text says something about what is there. */
function isTold(text: string): boolean {
	const words = inShort(text);
	return SENTENCE.test(words) && !announces(words);
}

export function plainText(text: string): string {
	return inShort(text).trim().toLowerCase();
}
