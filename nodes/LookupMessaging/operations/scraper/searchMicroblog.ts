import { defineOperation } from '../../engine/operation';
import { microblogRecord } from './post';
import { MICROBLOG_RESULT_FIELDS } from './postFields';
import { readResults, type Search } from './scraping';
import { SEARCH } from './search';

export const searchMicroblog = defineOperation<Search>({
	...SEARCH,
	value: 'searchMicroblog',
	name: 'Search Microblog',
	action: 'Search microblog posts',
	description: 'Search posts on the microblogging platform (X-style), with their likes and authors',

	request: ({ query }) => ({
		service: 'main',
		method: 'GET',
		path: '/scraperxsearch',
		query: { query },
	}),

	read: (body, head) => readResults(body, head, microblogRecord),
	output: MICROBLOG_RESULT_FIELDS,
});
