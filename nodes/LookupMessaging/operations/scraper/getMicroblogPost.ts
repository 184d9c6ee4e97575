import { defineOperation, isLocalAnswer } from '../../engine/operation';
import { microblogRecord } from './post';
import { MICROBLOG_FIELDS } from './postFields';
import {
	canonicalPost,
	microblogPostUrlField,
	POST,
	readPost,
	readPostUrl,
	SCRAPER_CREDITS,
} from './scraping';

export const getMicroblogPost = defineOperation({
	resource: 'scraper',
	value: 'getMicroblogPost',
	name: 'Get Microblog Post',
	action: 'Get microblog post',
	description:
		'Get a post from the microblogging platform (X-style), with its likes, reposts and views',
	fields: [microblogPostUrlField],
	subject: 'postUrl',
	repeatable: true,
	decide: [POST],

	prepare: ({ postUrl }) => {
		const url = readPostUrl(postUrl);
		return isLocalAnswer(url) ? url : { url };
	},
	canonical: canonicalPost,

	request: ({ url }) => ({
		service: 'main',
		method: 'GET',
		path: '/scraperxpost',
		query: { post_url: url },
	}),
	credits: () => SCRAPER_CREDITS,
	quotesOthers: true,

	read: (body, head, { url }) => readPost(body, head, microblogRecord, url),
	output: MICROBLOG_FIELDS,
});
