import type { IDataObject } from 'n8n-workflow';
import { entriesIn, MAX_FIELDS, objectsAt } from '../shared/entries';
import type { AnswerRecord } from '../../engine/results';
import { inShort, isObject, numberIn, quote, textOf } from '../../engine/plan/values';
import { errorText, refuses, speaksOfTrouble } from '../../engine/refusals/refusal';
import { isRunningWord, isUnfinishedWord } from '../shared/jobState';
import {
	countLeft,
	failedIn,
	fieldsOf,
	isWordField,
	wordsBeside,
	type Field,
} from '../shared/replyWords';
import { flagInWords, saysWentWrong } from '../shared/wordsAgainst';
import { ENVELOPE, HOLDERS, isNothing, RESULT_LISTS, says, textInPlace } from '../shared/results';

/** What a body says in place of results, and beside a list that is empty (SPEC §4.1 shows no fields). */

/** Where a list may be counted, and its next page named. */
const OF_PAGE = [
	'cursor',
	'hits',
	'meta',
	'metadata',
	'page_info',
	'pageInfo',
	'paging',
	'pagination',
	'search_metadata',
];
/** Fields by which there are results that the list does not have, or will be. */
const COUNT =
	/^(?:count|found|(?:num|total)(?:_?(?:comments|count|hits|items|posts|results))?|(?:hits?|items?|results?)_?count|estimated_?total|hits|nb_?hits|num_?found|total_?pages)$/i;
const NEXT =
	/^(?:after|continuation(?:_?token)?|cursor|has_?(?:more|next)(?:_?page)?|more|next(?:_?(?:cursor|page|page_?token|token|url))?)$/i;
const JOB_ID = /^(?:job|run|snapshot|task)_?id$/i;
/** Where a service explains an empty list, and how. */
const NOTE = /^(?:description|failure_?reason|hint|info|notes?|remark|status_?(?:message|text))$/i;
const KEPT_OUT =
	/\b(?:access denied|auth required|banned|blocked|captcha|challenge|disabled|forbidden|log ?in|private|protected|quarantined|restricted|sign in|suspended|unauthori[sz]ed)\b/i;
const PAGE_TITLE = /^(?:page_?)?title$/i;
/** Longer names are none of them. */
const LONGEST_NAME = 60;

/**
 * The body with what its results say went wrong. A result whose fields are all about a failure is none: it says what the body
 * would say.
 */
export function withoutFailures(body: IDataObject, lists = RESULT_LISTS): IDataObject {
	for (const name of HOLDERS) {
		const holder = body[name];
		if (isFailure(holder)) return { ...body, [name]: null, ...holder };
	}
	for (const holder of [body, ...objectsAt(body, HOLDERS)]) {
		for (const name of lists) {
			const list = holder[name];
			if (!Array.isArray(list)) continue;
			const failed = failureIn(list);
			const others = failed && list.filter((entry) => !isFailure(entry) && list.length > 1);
			if (failed) return { ...body, ...holder, ...failed, [name]: others } as IDataObject;
		}
	}
	return body;
}

function failureIn(list: unknown[]): IDataObject | undefined {
	const [only] = list;
	if (list.length === 1 && typeof only === 'string' && speaksOfTrouble(only))
		return { error: only };
	return list.find(isFailure);
}

function isFailure(entry: unknown): entry is IDataObject {
	return (
		isObject(entry) &&
		refuses(entry) &&
		entriesIn(entry).every(
			([name, value]) => ENVELOPE.has(name) || isWordField(name) || isNothing(value),
		)
	);
}

/** What a body says by which there may be results, or will be, beside a list that is empty; undefined where there is nothing. */
export function whyShort(body: IDataObject): string | undefined {
	const holders = objectsAt(body, HOLDERS);
	const parts = [body, ...holders, ...holders.flatMap((each) => objectsAt(each, HOLDERS))];
	for (const part of [...parts, ...parts.flatMap((each) => objectsAt(each, OF_PAGE))]) {
		const words = wordsBeside(part);
		if (words !== undefined) return words;
		const found = entriesIn(part).find(
			([name, value]) => isMore(name, value) || isList(name, part) || isNote(name, value),
		);
		if (found) return beside(`${found[0]}: ${textOf(found[1])}`);
	}
	const fields = fieldsOf(body, MAX_FIELDS);
	const other = fields.find(isOtherList) ?? fields.find(isOfWork);
	return other ? beside(`${other.name}: ${textOf(other.value)}`) : failedIn(body);
}

/** The state of the work on a search, by the name of a field and of the object that it is in. */
const STATE_OF_WORK =
	/^(?:crawl(?:er)?|debug|http|job|meta|request|response|(?:actor_?)?run|scrap(?:e|er|ing)|search|task)_?(?:metadata_?)?(?:http_?)?(?:code|stage|state|status(?:_?code)?)$/i;

function isOfWork({ name, value, of }: Field): boolean {
	if (name.length > LONGEST_NAME || of.length > LONGEST_NAME) return false;
	if (![name, `${of}_${name}`].some((each) => STATE_OF_WORK.test(each))) return false;
	if (typeof value === 'string') return isUnfinishedWord(value);
	return (numberIn(value) ?? 0) >= 400;
}

/** Lists that a search has besides its results. */
const NO_RESULTS =
	/(?:^|_)ads?$|communit|facet|filter|param|plan|platform|promot|quer|quota|related|request|sort|source|subreddit|suggest|topic|trend|user/i;

/** Whether a list under a name that is none of the usual ones may have the results. */
function isOtherList({ name, value, of }: Field): boolean {
	return (
		Array.isArray(value) &&
		value.some((each) => isObject(each) && says(each)) &&
		!NO_RESULTS.test(inShort(name)) &&
		!NO_RESULTS.test(inShort(of))
	);
}

/** Where no result is: words, and the work of a job. */
const OF_OTHERS = /error|event|link|log|media|message|stage|step|task|warning/i;
const MAX_LEVELS = 4;

/** The one list of objects in a body of other names than the usual ones; undefined if there are several. */
export function findOnlyList(body: IDataObject): unknown[] | undefined {
	const [list, ...others] = listsIn(body, MAX_LEVELS);
	return others.length > 0 ? undefined : list;
}

function listsIn(object: IDataObject, levels: number): unknown[][] {
	return entriesIn(object)
		.filter(([name]) => !NO_RESULTS.test(inShort(name)) && !OF_OTHERS.test(inShort(name)))
		.flatMap(([, value]) => {
			if (Array.isArray(value)) return value.some((each) => isObject(each)) ? [value] : [];
			return isObject(value) && levels > 0 ? listsIn(value, levels - 1) : [];
		});
}

function isMore(name: string, value: unknown): boolean {
	if (name.length > LONGEST_NAME || typeof value === 'object') return false;
	return [COUNT, NEXT, JOB_ID].some((names) => names.test(name)) && says(value);
}

/** Whether a field says that the list is not all: the work goes on, or the service was kept out. */
function isNote(name: string, value: unknown): boolean {
	if (name.length > LONGEST_NAME) return false;
	const left = countLeft(name, value);
	if (left !== undefined) return left <= 0;
	if (PAGE_TITLE.test(name)) return typeof value === 'string' && WALL.test(inShort(value));
	const flag = flagInWords(name, value);
	if (flag === undefined && typeof value !== 'string') return false;
	if (name === 'status' && typeof value === 'string') return isRunningWord(value);
	const words = flag ?? (NOTE.test(name) ? inShort(textOf(value)) : '');
	return saysWentWrong(words) || KEPT_OUT.test(words);
}

function isList(name: string, part: IDataObject): boolean {
	const value = part[name];
	return RESULT_LISTS.includes(name) && Array.isArray(value) && value.some((each) => says(each));
}

/** What a job has as well as a post. */
const OF_ENTRY = ['id', 'url', 'createdAt'];

/** Pages that platforms show to a scraper in the place of a post. A post that begins so has an author. */
const WALL = new RegExp(
	`^\\W*(?:${[
		'(?:error )?(?:4(?:01|03|29)|50[0234])\\b|bad gateway|gateway time|service unavailable|internal server error|rate limit exceeded|access (?:to this (?:page|resource) (?:has been|is) )?denied|attention required|just a moment\\b',
		'(?:are you|confirm (?:that )?you(?: are|.re)(?: not)?|i.m not) (?:a )?(?:human|robot)|(?:please )?(?:complete|solve) the captcha|(?:re)?captcha\\b',
		'checking (?:if the site|your browser)|ddos protection|enable javascript|javascript is (?:disabled|not available|required)|forbidden\\b',
		'our systems have detected|unusual (?:activity|traffic)|please (?:enable|log ?in|sign in|verify|wait while)|(?:to continue,? )?(?:log|sign) ?in (?:to|or)\\b|login required',
		'page not found|security (?:check|verification)|this page is (?:private|protected)|(?:reddit \\W )?prove your humanity|something went wrong|too many requests|verify(?:ing)? (?:that )?you(?: are|.re)? (?:a )?human|whoa there',
		'you(?: have|.ve) been blocked|your (?:ip|request|access) (?:address )?(?:has been|is|was) (?:blocked|denied|restricted)',
	].join('|')})`,
	'i',
);

/**
 * Whether an object has the content of a post or a comment: a text; or an author or a number, unless it is about a job.
 * @param record what was read of it
 */
export function hasContent(found: IDataObject, record: AnswerRecord): boolean {
	const texts = [record.title, record.text].filter((text) => !isNothing(text));
	if (texts.some((text) => !WALL.test(inShort(textOf(text))))) return true;
	if (texts.length > 0) return !isNothing(record.author);
	const isOfJob = Object.entries(found).some(
		([name, value]) => JOB_ID.test(name) || (typeof value === 'string' && isRunningWord(value)),
	);
	const isRead = Object.keys(record).some((name) => !OF_ENTRY.includes(name) && says(record[name]));
	return !isOfJob && isRead;
}

function beside(words: string): string {
	return `the service gives no results, but says ${quote(words)}`;
}

/** Why there are no results, in the words of the service where it has any. */
export function whyNone(body: IDataObject, otherwise: string): string {
	const inPlace = textInPlace(body);
	return errorText(body) ?? whyShort(body) ?? (inPlace === undefined ? otherwise : beside(inPlace));
}
