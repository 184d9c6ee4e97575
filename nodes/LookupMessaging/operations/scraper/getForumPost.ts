import { defineOperation, isLocalAnswer } from '../../engine/operation';
import { adviseOnLimit, readShown, SHOWN_TO_MODELS } from '../shared/resultsShown';
import { commentsShownFields, POST_AND_COMMENT_FIELDS, showPost, withComments } from './forumPost';
import { withoutListings } from './listing';
import { forumRecord } from './post';
import {
	canonicalPost,
	forumPostUrlField,
	POST,
	readPost,
	readPostUrl,
	SCRAPER_CREDITS,
	type PostResults,
} from './scraping';

export const getForumPost = defineOperation<PostResults>({
	resource: 'scraper',
	value: 'getForumPost',
	name: 'Get Forum Post',
	action: 'Get forum post',
	description: 'Get a post from the forum platform (Reddit-style), with its comments',
	fields: [forumPostUrlField, ...commentsShownFields],
	toolDefaults: SHOWN_TO_MODELS,
	subject: 'postUrl',
	repeatable: true,
	decide: [POST],

	prepare: (params) => {
		const url = readPostUrl(params.postUrl);
		if (isLocalAnswer(url)) return url;
		const shown = readShown({ ...params, splitIntoItems: params.splitIntoItems === true });
		return isLocalAnswer(shown) ? shown : { url, ...shown };
	},
	canonical: canonicalPost,
	present: showPost,
	advise: adviseOnLimit,

	request: ({ url }) => ({
		service: 'main',
		method: 'GET',
		path: '/scraperpost',
		query: { post_url: url },
	}),
	credits: () => SCRAPER_CREDITS,
	quotesOthers: true,

	read: (reply, head, { url }) => {
		const body = withoutListings(reply);
		return withComments(readPost(body, head, forumRecord, url), body);
	},
	output: POST_AND_COMMENT_FIELDS,
});
