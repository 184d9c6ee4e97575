import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Credits, ReplyHead } from '../../engine/client';
import type { Answer, AnswerRecord, Reading, Refusal } from '../../engine/results';
import { negative, positive, type LocalAnswer, unclear } from '../../engine/operation';
import { errorText, hasError, refused } from '../../engine/refusals/refusal';
import { findObject, findResults } from '../shared/results';
import { ONE_RESULT, type Shown } from '../shared/resultsShown';
import { canonicalUrl, readPageUrl } from '../shared/url';
import { readText } from '../../engine/plan/values';

/** What the five endpoints of the scraper share (SPEC §4.1). */

/** SPEC §8 states no cost, and no balance of SPEC §2.1 shows it. */
export const SCRAPER_CREDITS: Credits = { balance: 'scraper', cost: 'not stated' };

/** A search, and the results of a post. */
export type Search = Shown & { query: string };
export type PostResults = Shown & { url: string };

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
	placeholder: 'e.g. https://x.com/example_user/status/1234567890',
	description: 'Full URL of the post on the microblogging platform (X-style), not of a profile',
};

export function readQuery(value: unknown): LocalAnswer | string {
	return readText(value, queryField.displayName, 'a search query');
}

export function readPostUrl(value: unknown): LocalAnswer | string {
	return readPageUrl(value, postUrlField.displayName, 'the URL of a post');
}

/** Equal URLs are asked once, in the first of their spellings. */
export function canonicalPost<Question extends { url: string }>(question: Question): Question {
	return { ...question, url: canonicalUrl(question.url) };
}

/** What a body refuses, if it does (SPEC §2.1, ErrorResponse). */
export function readRefusal(body: IDataObject, head: ReplyHead): Refusal | undefined {
	const refuses = body.status === false || body.success === false || hasError(body);
	return refuses ? refused(body, head) : undefined;
}

/**
 * Reads a body with several results. None is an answer too, and a negative one; a body in which no results can be made out
 * is unknown.
 * @param names where the list may be
 */
export function readResults(
	body: IDataObject,
	head: ReplyHead,
	record: (found: IDataObject) => AnswerRecord,
	names?: string[],
): Reading {
	const refusal = readRefusal(body, head);
	if (refusal) return refusal;
	const results = findResults(body, names);
	if (!results) return unclear({}, errorText(body) ?? 'the answer has no results');
	if (results.length === 0) return negative({ count: 0 }, 'no results');
	return { ...positive({ count: results.length }), rows: asRows(results, record) };
}

/** Reads a body with one post. */
export function readPost(
	body: IDataObject,
	head: ReplyHead,
	record: (found: IDataObject) => AnswerRecord,
): Reading {
	const refusal = readRefusal(body, head);
	if (refusal) return refusal;
	const post = findObject(body);
	if (post) return positive(record(post));
	return unclear({}, errorText(body) ?? 'the answer has no post');
}

/** Each result as an answer of its own. */
export function asRows(
	results: IDataObject[],
	record: (found: IDataObject) => AnswerRecord,
): Answer[] {
	return results.map((response) => ({
		...positive(record(response)),
		response,
		shape: ONE_RESULT,
	}));
}
