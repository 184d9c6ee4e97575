import { defineOperation } from '../../engine/operation';
import { ALL_RESULTS_FIELDS, ONE_RESULT } from '../shared/resultsShown';
import { forumRecord } from './post';
import { FORUM_FIELDS, POST_FIELDS } from './postFields';
import { readResults, type Search } from './scraping';
import { SEARCH } from './search';

const { title, community, score, commentCount } = FORUM_FIELDS;
const { text, url, author, createdAt, id } = POST_FIELDS;

export const searchForum = defineOperation<Search>({
	...SEARCH,
	value: 'searchForum',
	name: 'Search Forum',
	action: 'Search forum posts',
	description:
		'Search posts on the forum platform (Reddit-style), with their scores and comment counts',

	request: ({ query }) => ({
		service: 'main',
		method: 'GET',
		path: '/scrapersearch',
		query: { query },
	}),

	read: (body, head) => readResults(body, head, forumRecord),
	output: [
		...[title, text, community, score, commentCount, url].map((field) => ({
			...field,
			simplified: true,
			shape: ONE_RESULT,
		})),
		...[author, createdAt, id].map((field) => ({ ...field, shape: ONE_RESULT })),
		...ALL_RESULTS_FIELDS,
	],
});
