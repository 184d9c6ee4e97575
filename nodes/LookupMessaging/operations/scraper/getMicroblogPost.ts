import { defineOperation, isLocalAnswer } from '../../engine/operation';
import { microblogRecord } from './post';
import { MICROBLOG_FIELDS } from './postFields';
import { microblogPostUrlField, OF_POST, POST, readPost, readPostUrl } from './scraping';

export const getMicroblogPost = defineOperation({
	...OF_POST,
	value: 'getMicroblogPost',
	name: 'Get Microblog Post',
	action: 'Get microblog post',
	description:
		'Get a post from the microblogging platform (X-style), with its likes, reposts and views',
	fields: [microblogPostUrlField],
	decide: [POST],

	prepare: ({ postUrl }) => {
		const url = readPostUrl(postUrl);
		return isLocalAnswer(url) ? url : { url };
	},

	request: ({ url }) => ({
		service: 'main',
		method: 'GET',
		path: '/scraperxpost',
		query: { post_url: url },
	}),

	read: (body, head, { url }) => readPost(body, head, microblogRecord, url),
	output: MICROBLOG_FIELDS,
});
