import { defineOperation } from '../../engine/operation';
import { adviseOnLimit, SHOWN_TO_MODELS } from '../shared/resultsShown';
import { commentsShownFields, POST_AND_COMMENT_FIELDS, showPost, withComments } from './forumPost';
import { withoutListings } from './listing';
import { forumRecord } from './post';
import {
	forumPostUrlField,
	OF_POST,
	POST,
	readPost,
	readPostResults,
	type PostResults,
} from './scraping';

export const getForumPost = defineOperation<PostResults>({
	...OF_POST,
	value: 'getForumPost',
	name: 'Get Forum Post',
	action: 'Get forum post',
	description: 'Get a post from the forum platform (Reddit-style), with its comments',
	fields: [forumPostUrlField, ...commentsShownFields],
	toolDefaults: SHOWN_TO_MODELS,
	decide: [POST],

	prepare: (params) =>
		readPostResults({ ...params, splitIntoItems: params.splitIntoItems === true }),
	present: showPost,
	advise: adviseOnLimit,

	request: ({ url }) => ({
		service: 'main',
		method: 'GET',
		path: '/scraperpost',
		query: { post_url: url },
	}),

	read: (reply, head, { url }) => {
		const body = withoutListings(reply);
		return withComments(readPost(body, head, forumRecord, url), body);
	},
	output: POST_AND_COMMENT_FIELDS,
});
