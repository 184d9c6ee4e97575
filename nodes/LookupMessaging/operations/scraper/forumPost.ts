import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { type Answer, type Reading, Rows } from '../../engine/results';
import { isRefusal, negative, type OutputField, unknown } from '../../engine/operation';
import { objectsAt } from '../shared/replyWords';
import { findList, HOLDERS } from '../shared/results';
import { ONE_RESULT, recordsOf, type Shown, shownFields, withMost } from '../shared/resultsShown';
import { entriesOfList } from './listing';
import { commentRecord } from './post';
import { FORUM_FIELDS, POST_FIELDS } from './postFields';
import { rowWith } from './scraping';
import { findOnlyList, withoutFailures } from './shortfall';

/** A forum post with its comments: one item for both, or one for each comment. */

export const NOT_GIVEN = 'the post has comments, but the service gives none';
const NOT_COUNTED = 'the service says nothing of comments';

/** The shape of an item that holds the post (OutputField.shape). */
const POST = 'post';

/** 'Split Into Items', 'Return All' and 'Limit'. */
export const commentsShownFields: INodeProperties[] = shownFields.map((field) =>
	field.name === 'splitIntoItems'
		? {
				...field,
				default: false,
				description:
					'Whether to return one item per comment instead of one item with the post and its comments',
			}
		: field,
);

const NAMES = ['comments', 'replies'];

/** The comments in a body: a list, or an object around one; undefined if it has neither. */
function commentsIn(body: IDataObject): unknown[] | undefined {
	const list = findList(body, NAMES);
	if (list?.length) return list;
	const holders = [body, ...objectsAt(body, HOLDERS)];
	const around = holders.flatMap((each) => objectsAt(each, NAMES));
	return around.map((each) => entriesOfList(each) ?? findOnlyList(each)).find(Boolean) ?? list;
}

/** Adds the comments, which may be beside the post, inside it, or missing. */
export function withComments(reading: Reading, body: IDataObject): Reading {
	if (isRefusal(reading)) return reading;
	const comments = commentsIn(withoutFailures(body));
	const rows = Rows.of(comments ?? [], rowWith(commentRecord));
	const { outcome, record } = reading;
	const { commentCount: count } = record;
	const isNone = count === 0 || (comments !== undefined && count === null);
	if (outcome !== 'positive' || rows.length > 0 || isNone) return { ...reading, rows };
	return { ...reading, rows, reason: count === null ? NOT_COUNTED : NOT_GIVEN };
}

/** The post with the first comments, or the comments alone, if there are any. */
export function showPost(answer: Answer, { splits, most }: Shown): Answer {
	const shown = withMost(answer, most);
	if (shown.isAsItCame) return shown;
	if (!splits) {
		const record = { ...answer.record, comments: recordsOf(shown) };
		return { ...shown, shape: POST, rows: undefined, record };
	}
	if (shown.rows?.length || answer.outcome !== 'positive') return { ...shown, shape: ONE_RESULT };
	const { reason } = answer;
	const none = reason === undefined ? negative({}, 'no comments') : unknown({}, reason);
	return { ...none, shape: ONE_RESULT };
}

const { title, community, score, commentCount } = FORUM_FIELDS;
const { text, author, createdAt, url, id } = POST_FIELDS;

export const POST_AND_COMMENT_FIELDS: OutputField[] = [
	...[title, community].map((field) => ({ ...field, simplified: true, shape: POST })),
	...[text, author, score].map((field) => ({ ...field, simplified: true })),
	{
		name: 'comments',
		type: 'array',
		description: 'The comments, up to Limit, each with text, author, score and replies',
		example: [{ text: 'Example comment', author: 'example_user', score: 3, replies: [] }],
		simplified: true,
		shape: POST,
	},
	{
		name: 'replies',
		type: 'array',
		description: 'The replies to the comment',
		example: [{ text: 'Example reply', author: 'example_user', score: 1 }],
		simplified: true,
		shape: ONE_RESULT,
	},
	{ ...commentCount, shape: POST },
	createdAt,
	url,
	id,
];
