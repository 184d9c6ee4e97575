import { defineOperation, isRefusal, unclear } from '../../engine/operation';
import { COMMENT_LISTS, findObject, RESULT_LISTS } from '../shared/results';
import { adviseOnLimit, SHOWN_TO_MODELS, shownFields, showResults } from '../shared/resultsShown';
import { NOT_GIVEN } from './forumPost';
import { microblogRecord } from './post';
import { MICROBLOG_RESULT_FIELDS } from './postFields';
import {
	microblogPostUrlField,
	OF_POST,
	readPostResults,
	readResults,
	RESULTS,
	type PostResults,
} from './scraping';

/** A body may contain the post too, so the names of comments are first. */
const LISTS = [...COMMENT_LISTS, ...RESULT_LISTS];

export const getMicroblogComments = defineOperation<PostResults>({
	...OF_POST,
	value: 'getMicroblogComments',
	name: 'Get Microblog Comments',
	action: 'Get microblog comments',
	description: 'Get the replies to a post on the microblogging platform (X-style)',
	fields: [microblogPostUrlField, ...shownFields],
	toolDefaults: SHOWN_TO_MODELS,
	decide: [RESULTS],

	prepare: readPostResults,
	present: showResults,
	advise: adviseOnLimit,

	request: ({ url }) => ({
		service: 'main',
		method: 'GET',
		path: '/scraperxcomment',
		query: { post_url: url },
	}),

	read: (body, head) => {
		const reading = readResults(body, head, microblogRecord, LISTS);
		const isNone = !isRefusal(reading) && reading.record.count === 0;
		const count = isNone ? microblogRecord(findObject(body) ?? {}).replyCount : 0;
		return typeof count === 'number' && count > 0 ? unclear({ count: 0 }, NOT_GIVEN) : reading;
	},
	output: MICROBLOG_RESULT_FIELDS,
});
