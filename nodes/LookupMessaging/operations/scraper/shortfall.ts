import type { IDataObject } from 'n8n-workflow';
import {
	entriesIn,
	isNo,
	isNothing,
	isPlainNo,
	isWordField,
	MAX_FIELDS,
	objectsAt,
	plainName,
	says,
	saysWentWrong,
	wordsBeside,
	yesOrNo,
} from '../shared/replyWords';
import type { Told } from '../../engine/operation';
import type { AnswerRecord } from '../../engine/results';
import { inShort, isObject, numberIn, quote, textOf } from '../../engine/plan/values';
import {
	type Asked,
	errorText,
	GAP,
	isFalse,
	refuses,
	withoutAsked,
} from '../../engine/refusals/refusal';
import { isRunningWord } from '../shared/jobState';
import { ENVELOPE, findNestedList, HOLDERS, RESULT_LISTS, textInPlace } from '../shared/results';

/** What a body says in place of results, and beside a list that is empty (SPEC §4.1 shows no fields). */

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
	if (list.length === 1 && typeof only === 'string' && saysWentWrong(only)) return { error: only };
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

/**
 * What a body has beside a list that is empty, unless all of it is known as the frame of an answer without results. SPEC shows no
 * fields, so any other field may mean that work is going on, that there is a next page, or that the platform blocked the service.
 * @param post the post whose comments were asked for, if the body has it and counts no comments
 */
export function whyShort(body: IDataObject, request: Asked, post?: unknown): string | undefined {
	let left = MAX_FIELDS;
	const otherIn = (object: IDataObject, levels: number): string | undefined => {
		for (const [name, value] of entriesIn(object)) {
			const plain = plainName(name);
			if ((left -= 1) < 0 || plain === '') return inShort(name);
			// Frameworks have a list of links to pages beside any list
			const areLinks = plain === 'links' && Array.isArray(value);
			if (areLinks || OF_REQUEST.test(plain) || value === post) continue;
			if (object === body && OF_CALL.test(plain) && isFalse(value)) continue;
			const isObjectAround = isObject(value) && levels > 0;
			const other = isObjectAround ? otherIn(value, levels - 1) : undefined;
			if (other !== undefined) return other;
			if (!isObjectAround && !isOfFrame(plain, value, request)) return `${name}: ${textOf(value)}`;
		}
		return undefined;
	};
	const other = otherIn(body, MAX_LEVELS);
	return other === undefined ? undefined : beside(other);
}

/** What a search has besides its results, and what it repeats of the request. */
const OF_REQUEST =
	/^(?:ads?|communities|facets|filters?|param(?:eter)?s|promoted|quer(?:y|ies)|related\w*|search(?:params|parameters|query|term)|sorts?|subreddits?|suggestions?|topics|trends|users?)$/;
/** What the rows of the table read. */
const OF_CALL = /^(?:status|success)$/;
/** What may be 0: a count, a place, a cost. */
const COUNT =
	/(?:charged|code|comments?|cost|counts?|dist|errors?|found|from|hits?|index|items?|length|matches|number|offset|pages?|posts?|replies|results?|score|size|skip|start|to|total|tweets?|used|warnings?)$/;
const PAGES = /pages$/;
const CODE = /^(?:http|response)?(?:status)?code$|^status$/;
/** What says nothing about results: the page that was asked for, a cost, a time, a name, an address of the page itself. */
const PLACE =
	/^(?:api|current|items|last|max|per|this)*(?:charged|cost|limit|page(?:index|number|size)?|used|version)$|credits(?:charged|cost|used)$|^(?:account|user)id$/;
const TIME =
	/^(?!.*(?:estimat|eta|expected|left|next|queue|retry|schedul|start|until|wait))(?:.*(?:at|date|duration|elapsed|latency|ms|seconds?|time|timestamp|took)$|(?:created|served|updated))/;
const NAME =
	/^(?:api)?(?:engine|lang(?:uage)?|locale|modhash|plan|platform|region|sort(?:by)?|source|tier|timefilter|version)$|^(?:account|correlation|request|session|trace|user)id$|^(?:(?:first|last|this)page)?(?:href|path|self|url)$|^(?:first|last)$/;
/** What is left to the account: at 0 the service may not have looked. */
const LEFT = /(?:balance|credits?|quota|ratelimit\w*|remain(?:ing)?)$/;
/** Flags by which nothing more is to come, as true and as false. */
const OVER =
	/^(?:cache(?:d|hit)|complete[ds]?|done|end(?:ofresults)?|exhausted|finished|fromcache|(?:is)?last(?:page)?|nsfw|ok|over18|status|success(?:ful)?)$/;
const OPEN =
	/^(?:has|is|was)*(?:blocked|cache(?:d|hit)|errors?|failed|fromcache|incomplete|more(?:results)?|next(?:page)?|nsfw|over18|partial|pending|prev(?:ious)?(?:page)?|private|processing|ratelimited|retry|stale|timedout|timeout|truncated|\w*required)$/;
const DONE =
	/^\s{0,9}(?:collection|complete[ds]?|done|finished|list(?:ing)?|ok(?:ay)?|results?|search|success(?:ful(?:ly)?)?|succeeded)[\s.!]{0,9}$/i;

/**
 * Whether a field is known to be one that an answer without results has.
 * @param name in small letters, without what is none
 */
function isOfFrame(name: string, value: unknown, request: Asked): boolean {
	if (isNothing(value)) return true;
	if (typeof value === 'object') return false;
	const count = numberIn(value);
	if (count !== undefined) {
		if (LEFT.test(name)) return count > 0;
		if (PLACE.test(name) || TIME.test(name)) return true;
		if (CODE.test(name)) return count === 0 || count === 1 || count === 200;
		if (count === 1) return OVER.test(name) || PAGES.test(name);
		return count === 0 && (COUNT.test(name) || OPEN.test(name));
	}
	const flag = yesOrNo(value);
	if (flag !== undefined) return (flag ? OVER : OPEN).test(name);
	const text = inShort(textOf(value));
	const isName = NAME.test(name) && !saysWentWrong(text);
	const isKnown = isPlainNo(text) || isNo(text) || DONE.test(text) || isName;
	return isKnown || (TIME.test(name) && /\d/.test(text)) || withoutAsked(text, request) === GAP;
}

/** Lists that a search has besides its results. */
const NO_RESULTS =
	/(?:^|_)ads?$|communit|facet|filter|param|plan|platform|promot|quer|quota|related|request|sort|source|subreddit|suggest|topic|trend|user/i;

/** Where no result is: words, and the work of a job. */
const OF_OTHERS = /error|event|link|log|media|message|stage|step|task|warning/i;
const MAX_LEVELS = 4;

/** The one list of objects in a body of other names than the usual ones; undefined if there are several. */
export function findOnlyList(body: IDataObject): unknown[] | undefined {
	return findNestedList(
		body,
		(list) => list.some((each) => isObject(each)),
		(name) => !NO_RESULTS.test(inShort(name)) && !OF_OTHERS.test(inShort(name)),
	);
}

/** A job has such an ID, and no post. */
const JOB_ID = /^(?:job|run|snapshot|task)_?id$/i;
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
export function whyNone({ body, head, found }: Told, otherwise: string): string {
	const inPlace = textInPlace(body);
	return (
		errorText(body) ??
		(found?.results === undefined ? wordsBeside(body) : whyShort(body, head.request)) ??
		(inPlace === undefined ? otherwise : beside(inPlace))
	);
}
