import type { IDataObject } from 'n8n-workflow';
import { inShort, textOf } from '../../engine/plan/values';
import { isNothing } from '../shared/results';
import { entriesOf, LEVELS, MAX_FIELDS, plainName, saysUnderWay } from './underWay';

/**
 * What an audit has found, by the names of its fields. SPEC §4.1 shows none, and a service repeats what it was asked for, under
 * any name: a name, a list of names, a setting. So only what was measured, listed or written counts.
 */

/** Fields of the request, of the account and of the work, and values of another time. */
const NO_FINDING =
	/^(?:competitors?|request|params|inputs?|options|config(?:uration)?|settings|filters?|user|account|plan|subscription|credits?|quota|usage|(?:rate)?limits?|billing|queue\w{0,50}|\w{0,50}progress|schedules?|steps|stages|tasks|jobs|timings?|history|logs?|events|timeline|errors?|warnings?|meta(?:data)?|links?|pagination)$|^(?:baseline|benchmark|competitor|industry|estimated|example|expected|last|max|min|next|previous|prior|sample|target)|(?:at|id|ids|limit|threshold|uri|url|version|weight)$/;
const MEASURE =
	/(?:scores?|mentions?|mentioned|visibility|citations?|cited|rank(?:ing|s)?|shareofvoice|sov|sentiment|(?:average|avg|mean)position)(?:average|count|overall|pct|percent(?:age)?|rate|share|total|value)?$/;
const LIST =
	/(?:results|findings?|mentions|citations|recommendations|insights|answers|responses|rankings?|scores)$/;
const TEXT =
	/(?:summary|overview|conclusion|report|analysis|insights?|findings?|recommendations?|answers?|responses?|markdown|results?)$/;
/** Texts about the work or of the request, however long. */
const NO_TEXT =
	/(?:message|msg|notes?|notice|hint|info|details?|description|help|instructions?|text|next|prompts?|quer(?:y|ies)|keywords?|topics?|audience|persona|context)$/;
const LONG_TEXT = 100;
/** Words of a text that has more to tell than a name, and words about what is not there yet. */
const SENTENCE = /\S\s+\S+\s+\S+\s+\S/;
const TO_COME = /\b(?:once|pending|please|shortly|soon|until|wait|when|will|yet)\b/i;
const NUMBER = /^\s{0,9}(-?\d{1,15}(?:\.\d{1,20})?)\s?(?:%|\/\s?\d{1,9})?\s{0,9}$/;

/** As the page prints the rule. */
export const FINDINGS =
	'there are findings: a score, a rank, mentions or another measure that is not 0, a list of results, or a text with a summary; not what was asked for, IDs, settings and counts of the work';

/**
 * Whether an audit has findings near the top.
 * @param asked values of the request, in small letters
 */
export function hasFindings(fields: IDataObject, asked: Set<string>): boolean {
	let left = MAX_FIELDS;
	const isFoundIn = (object: object, holder: string, depth: number): boolean =>
		entriesOf(object).some(([key, value]) => {
			const name = Array.isArray(object) ? holder : plainName(key);
			if ((left -= 1) < 0 || isNothing(value) || NO_FINDING.test(name)) return false;
			if (typeof value === 'object' && value !== null) {
				const isEntry = LIST.test(holder) && isWhole(value);
				return isEntry || (depth < LEVELS && isFoundIn(value, name, depth + 1));
			}
			const isMeasure = MEASURE.test(name) || MEASURE.test(holder);
			const measured = isMeasure ? NUMBER.exec(inShort(textOf(value)))?.[1] : undefined;
			if (measured !== undefined) return Number(measured) !== 0;
			if (typeof value !== 'string' || NO_TEXT.test(name) || asked.has(plainText(value)))
				return false;
			return isTold(value, TEXT.test(name) || LIST.test(holder));
		});
	return isFoundIn(fields, '', 0);
}

/** Whether an entry of a list of results is more than the place for one. */
function isWhole(entry: object): boolean {
	return !isNothing(entry) && !Object.values(entry).some(isNothing);
}

/** Whether a text is written by the audit: a long one, or a sentence in its place about what is there. */
function isTold(text: string, isInPlace: boolean): boolean {
	if (saysUnderWay(text, text.length < LONG_TEXT) || !SENTENCE.test(inShort(text))) return false;
	return text.length >= LONG_TEXT || (isInPlace && !TO_COME.test(text));
}

export function plainText(text: string): string {
	return inShort(text).trim().toLowerCase();
}
