import type { IDataObject } from 'n8n-workflow';
import type { AnswerRecord } from '../../engine/results';
import { MAX_ROWS } from '../../engine/operation';
import { isObject } from '../../engine/plan/values';
import { objectsAt } from '../shared/replyWords';
import { entriesOfList } from './listing';
import { nameOf, number, text, time } from './values';

/**
 * Posts and comments of both platforms as records. SPEC §2.1 mentions their content and shows no field names, so each field is
 * searched under the usual names of such services; null if none is found. Raw has everything.
 */

/** Objects inside a post whose fields count as its own. */
const PARTS = [
	'data',
	'post',
	'tweet',
	'comment',
	'metrics',
	'public_metrics',
	'engagement',
	'stats',
];
const AUTHOR = ['author', 'user', 'username', 'user_name', 'screen_name', 'author_name'];
const COMMUNITY = ['subreddit', 'community', 'subreddit_name', 'forum', 'group'];
const URLS = ['url', 'post_url', 'tweet_url', 'permalink', 'link'];
const SCORE = ['upvotes', 'score', 'ups', 'points', 'likes'];
const REPLY_COUNT = [
	'replies',
	'reply_count',
	'replies_count',
	'comments',
	'comment_count',
	'comments_count',
	'num_comments',
];

/** A post of the forum: titles, content, upvotes, comment counts and subreddit information (SPEC §2.1). */
export function forumRecord(found: IDataObject): AnswerRecord {
	const post = flat(found);
	return {
		...commonRecord(post),
		url: pageOf(post),
		title: text(post, ['title', 'headline']),
		community: nameOf(post, COMMUNITY),
		score: number(post, SCORE),
		commentCount: number(post, REPLY_COUNT),
	};
}

/** Where the relative addresses of the forum platform are. */
const FORUM = 'https://www.reddit.com';

/** The page of a post. The URL of one that is a link may be that of a picture or an article. */
function pageOf(post: IDataObject): string | null {
	const page = text(post, ['permalink']);
	if (page === null) return text(post, URLS);
	return page.startsWith('/') ? `${FORUM}${page}` : page;
}

/**
 * A comment of the forum, with the replies below it.
 * @param budget how many replies it may still have, at all levels together
 */
export function commentRecord(found: IDataObject, budget = { left: MAX_ROWS }): AnswerRecord {
	const comment = flat(found);
	const replies = entriesOfList(comment.replies);
	const record = { ...commonRecord(comment), url: pageOf(comment), score: number(comment, SCORE) };
	if (!replies) return { ...record, replies: null };
	const kept = replies.filter(isObject).slice(0, budget.left);
	budget.left -= kept.length;
	return { ...record, replies: kept.map((reply) => commentRecord(reply, budget)) };
}

/** A post of the microblog: text, engagement metrics and user information (SPEC §2.1). */
export function microblogRecord(found: IDataObject): AnswerRecord {
	const post = flat(found);
	const user = AUTHOR.map((name) => post[name]).find(isObject) ?? post;
	return {
		...commonRecord(post),
		likes: number(post, ['likes', 'like_count', 'favorite_count', 'favorites', 'favourites']),
		reposts: number(post, ['reposts', 'retweets', 'retweet_count', 'repost_count', 'shares']),
		replyCount: number(post, REPLY_COUNT),
		views: number(post, ['views', 'view_count', 'impressions', 'impression_count']),
		authorName: text(user, ['display_name', 'displayname', 'full_name', 'name']),
		authorFollowers: number(user, ['followers', 'followers_count', 'follower_count']),
	};
}

function commonRecord(post: IDataObject): AnswerRecord {
	return {
		// The number may have lost its last digits
		id: text(post, ['id_str', 'id', 'rest_id', 'post_id', 'tweet_id', 'comment_id']),
		text: text(post, ['text', 'content', 'full_text', 'body', 'selftext', 'description', 'value']),
		author: nameOf(post, AUTHOR),
		url: text(post, URLS),
		createdAt: time(post, [
			'created_at',
			'createdAt',
			'created_utc',
			'created',
			'timestamp',
			'date',
		]),
	};
}

/** A post with the fields of its parts; its own fields take precedence. */
function flat(post: IDataObject): IDataObject {
	const parts = objectsAt(post, PARTS);
	return parts.length === 0
		? post
		: [...parts, post].reduce((all, part) => ({ ...all, ...part }), {});
}
