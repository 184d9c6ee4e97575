import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Credits, ReplyHead } from '../../engine/client';
import { parseUrl } from '../../engine/network/credential';
import {
	type DecisionTable,
	isLocalAnswer,
	isRefusal,
	type LocalAnswer,
	type Params,
	positive,
	unclear,
} from '../../engine/operation';
import { type Answer, type AnswerRecord, type Reading, Rows } from '../../engine/results';
import { textOf } from '../../engine/plan/values';
import { FAILS, isNot, readBy, REFUSES, SUCCEEDS, that } from '../shared/decisions';
import {
	asResult,
	COMMENT_LISTS,
	findList,
	findNestedList,
	findObject,
	RESULT_LISTS,
} from '../shared/results';
import { isAboutNoResults, says, saysOnly } from '../shared/replyWords';
import { ONE_RESULT, readShown, type Shown } from '../shared/resultsShown';
import { readPageUrl } from '../shared/url';
import { readPhrase } from '../shared/readText';
import { findOnlyList, hasContent, whyNone, whyShort, withoutFailures } from './shortfall';

/** What the five endpoints of the scraper share (SPEC §4.1). */

/** SPEC §8 states no cost, and no balance of SPEC §2.1 shows it. */
export const SCRAPER_CREDITS: Credits = { balance: 'scraper', cost: 'not stated' };

export type Search = Shown & { query: string };
export type PostResults = Shown & { url: string };

/** Hardly any search takes more words. */
const MAX_IN_QUERY = 10_000;

export const queryField: INodeProperties = {
	displayName: 'Query',
	name: 'query',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. best coffee grinder',
	description: 'What to search for',
};

const postUrlField: INodeProperties = {
	displayName: 'Post URL',
	name: 'postUrl',
	type: 'string',
	default: '',
	required: true,
};

export const forumPostUrlField: INodeProperties = {
	...postUrlField,
	placeholder: 'e.g. https://www.reddit.com/r/coffee/comments/abc123/example_post/',
	description:
		'Full URL of the post on the forum platform (Reddit-style), not of a community or a search',
};

export const microblogPostUrlField: INodeProperties = {
	...postUrlField,
	placeholder: 'e.g. https://x.com/example/status/123456',
	description: 'Full URL of the post on the microblogging platform (X-style), not of a profile',
};

export function readQuery(value: unknown): LocalAnswer | string {
	return readPhrase(value, queryField.displayName, 'a search query', MAX_IN_QUERY);
}

export function readPostUrl(value: unknown): LocalAnswer | string {
	return readPageUrl(value, postUrlField.displayName, 'the URL of a post');
}

/** The question of an operation that returns several results of a post. */
export function readPostResults(params: Params): LocalAnswer | PostResults {
	const url = readPostUrl(params.postUrl);
	if (isLocalAnswer(url)) return url;
	const shown = readShown(params);
	return isLocalAnswer(shown) ? shown : { url, ...shown };
}

/** What the operations on a post share. Equal URLs are looked up once, in the first of their spellings. */
export const OF_POST = {
	resource: 'scraper',
	subject: postUrlField.name,
	repeatable: true,
	canonical: <Question extends { url: string }>(question: Question): Question => ({
		...question,
		url: parseUrl(question.url)?.href ?? question.url,
	}),
	credits: () => SCRAPER_CREDITS,
	quotesOthers: true,
} as const;

const HAS_RESULTS = that('it has results', [], ({ found }) => countOf(found?.results) > 0);
/** The body itself is a result only if it is no failure. */
const HAS_NO_RESULTS = that(
	'it has no results, or only its own fields',
	[],
	({ found, body }) =>
		countOf(found?.results) === 0 || (Array.isArray(found?.results) && found.results[0] === body),
);
const HAS_EMPTY_LIST = that(
	'it has a list, which is empty',
	[],
	({ found }) => Array.isArray(found?.results) && found.results.length === 0,
);
const HAS_NO_MORE = that(
	'each other field is known to be one of an answer without results: a count of 0, a place, a time, a flag or words that say no more than that',
	['message', 'total', 'has_more', 'next_cursor', 'job_id', 'state', 'partial'],
	({ body, head, found }) => whyShort(body, head.request, found?.post) === undefined,
);
const SAYS_NONE = that(
	'its words are no more than that there are no results, such as "No results found"',
	['error', 'message'],
	({ body }) => saysOnly(body, isAboutNoResults),
);
/** A post may have a status of its own, so only a word of failure counts against it. */
const IS_NO_FAILURE = isNot('status', 'error', 'fail', 'failed', 'failure', 'false');

function countOf(results: unknown): number {
	return Array.isArray(results) ? results.length : 0;
}

const UNREAD = "it's unclear whether what the answer has is a result";

/** A body with several results: a list under one of the usual names, or the one object in it (SPEC §2.1, §4.1). */
export const RESULTS: DecisionTable = {
	rows: [
		{
			when: [REFUSES, SAYS_NONE, HAS_NO_RESULTS, HAS_NO_MORE],
			says: 'negative',
			why: 'no results',
		},
		{ when: [REFUSES, HAS_NO_RESULTS], says: 'refused' },
		FAILS,
		{ when: [HAS_RESULTS, IS_NO_FAILURE], says: 'positive' },
		{ when: [HAS_EMPTY_LIST, SUCCEEDS, HAS_NO_MORE], says: 'negative', why: 'no results' },
	],
	otherwise: (told) => whyNone(told, told.found?.isUnread ? UNREAD : 'the answer has no results'),
};

const ANOTHER_POST = 'the service answered about another post';
/** The ID of a post in its URL, and one as the platforms give it. A service may have IDs of its own. */
const ID_IN_URL = /\/(?:comments|status(?:es)?)\/([a-z\d]{1,30})(?![^/?#])/i;
const PLATFORM_ID = /^(?:\d{15,20}|(?:t3_)?[a-z\d]{6,8})$/i;

/** Of a longer number, JSON may have lost the last digits. */
const EXACT_DIGITS = 15;

function isOtherId(said: unknown, url: string): boolean {
	const [, asked = ''] = ID_IN_URL.exec(url) ?? [];
	const ids = [asked, textOf(said)];
	if (!ids.every((id) => PLATFORM_ID.test(id))) return false;
	const [own, other] = ids.map((id) => id.toLowerCase().replace(/^t3_/, '').slice(0, EXACT_DIGITS));
	const isAlike = (own.length === EXACT_DIGITS) === (other.length === EXACT_DIGITS);
	return isAlike && own !== other;
}

const IS_OTHER_POST = that(
	'the ID of the post, or that in its address, is another one of the platform than that in the URL',
	['id', 'id_str', 'rest_id', 'permalink'],
	({ found, asked = '' }) =>
		[found?.id, ID_IN_URL.exec(textOf(found?.url))?.[1]].some((id) => isOtherId(id, asked)),
);

/** A body with one post: an object under one of the usual names, or the whole answer. */
export const POST: DecisionTable = {
	rows: [
		{ when: [REFUSES, HAS_NO_RESULTS], says: 'refused' },
		{ when: [IS_OTHER_POST], says: 'unclear', why: ANOTHER_POST, isOfOther: true },
		FAILS,
		{ when: [HAS_RESULTS, IS_NO_FAILURE], says: 'positive' },
	],
	otherwise: (told) => whyNone(told, 'the answer has no post'),
};

/**
 * Reads a body with several results. No results are an answer too, and a negative one; a body without recognizable results is
 * unknown.
 * @param names where the list may be
 */
export function readResults(
	reply: IDataObject,
	head: ReplyHead,
	record: (found: IDataObject) => AnswerRecord,
	names = RESULT_LISTS,
): Reading {
	const body = withoutFailures(reply);
	const one = findObject(body) ?? {};
	const read = record(one);
	// One object beside comments is the post that they are of
	const isOne = names === RESULT_LISTS && hasContent(one, read);
	const results =
		findList(body, names) ??
		(isOne ? [one] : findNestedList(body, (_, name) => names.includes(name))) ??
		findOnlyList(body);
	const shown = results ? { count: results.length } : {};
	const isAlone = names === RESULT_LISTS && results?.length === 1;
	const isRead = results?.slice(0, MAX_READ).some((each) => {
		const result = asResult(each);
		const told = record(result);
		return hasContent(result, told) && (!isAlone || isOfPlatform(told));
	});
	const found = {
		results: isRead || results?.length === 0 ? results : undefined,
		isUnread: !isRead && countOf(results) > 0,
		post: read.replyCount === 0 ? one : undefined,
	};
	const reading = readBy(RESULTS, { body, head, found }, shown);
	if (isRefusal(reading) || !results || results.length === 0) return reading;
	const { outcome, reason } = reading;
	const rowOf = rowWith(record);
	const rows = Rows.of(results, (result) => {
		const row = rowOf(result);
		return row.outcome === 'positive' ? { ...row, outcome, reason } : row;
	});
	return { ...reading, rows };
}

/** Results among which one with content is looked for. */
const MAX_READ = 100;

/** Lists that have posts, and not what is said of one. */
const POST_LISTS = RESULT_LISTS.filter((name) => !COMMENT_LISTS.includes(name));

/** What a page in the place of a post has as well. */
const OF_PAGE = ['text', 'title', 'url'];

/** Whether a post has what only the platform gives it: an author, an ID, a time or a count. */
function isOfPlatform(shown: AnswerRecord): boolean {
	return Object.entries(shown).some(([name, value]) => !OF_PAGE.includes(name) && says(value));
}

export function readPost(
	reply: IDataObject,
	head: ReplyHead,
	record: (found: IDataObject) => AnswerRecord,
	url: string,
): Reading {
	// A comment that is gone is no failure of the post
	const body = withoutFailures(reply, POST_LISTS);
	const post = findObject(body);
	const shown = post ? record(post) : {};
	const isPost =
		post &&
		hasContent(post, shown) &&
		(isOfPlatform(shown) || findList(body, COMMENT_LISTS)?.length);
	const found = { results: isPost ? [post] : undefined, id: shown.id, url: shown.url };
	return readBy(POST, { body, head, found, asked: url }, shown);
}

const NO_CONTENT = 'the result has no text, author or number that this node can read';

export function rowWith(record: (found: IDataObject) => AnswerRecord) {
	return (entry: unknown): Answer => {
		const response = asResult(entry);
		const read = record(response);
		const answer = hasContent(response, read) ? positive(read) : unclear(read, NO_CONTENT);
		return { ...answer, response, shape: ONE_RESULT };
	};
}
