import type { OutputField } from '../../engine/operation';
import { ALL_RESULTS_FIELDS, ONE_RESULT } from '../shared/resultsShown';

/** Fields that posts and comments of both platforms have. */
export const POST_FIELDS = {
	text: {
		name: 'text',
		type: 'string',
		description: 'Text of the post or comment',
		example: 'Example text',
		simplified: true,
	},
	author: {
		name: 'author',
		type: 'string',
		description: 'User name of the author',
		example: 'example_user',
	},
	url: {
		name: 'url',
		type: 'string',
		description: 'URL of the post or comment',
		example: 'https://example.com/1',
	},
	createdAt: {
		name: 'createdAt',
		type: 'string',
		description: 'When it was written (ISO 8601)',
		example: '2025-01-01T00:00:00.000Z',
	},
	id: { name: 'id', type: 'string', description: 'ID on the platform', example: 'abc123' },
} satisfies Record<string, OutputField>;

export const FORUM_FIELDS = {
	title: { name: 'title', type: 'string', description: 'Title', example: 'Example title' },
	community: {
		name: 'community',
		type: 'string',
		description: 'Subreddit or community',
		example: 'smallbusiness',
	},
	score: { name: 'score', type: 'number', description: 'Upvotes', example: 42 },
	commentCount: {
		name: 'commentCount',
		type: 'number',
		description: 'Number of comments on the platform',
		example: 7,
	},
} satisfies Record<string, OutputField>;

const { text: textField, author, url, createdAt, id } = POST_FIELDS;

/** The fields of microblog posts, replies included. */
export const MICROBLOG_FIELDS: OutputField[] = [
	textField,
	...[author, url, createdAt].map((field) => ({ ...field, simplified: true })),
	{ name: 'likes', type: 'number', description: 'Likes', example: 42, simplified: true },
	{ name: 'reposts', type: 'number', description: 'Reposts', example: 7, simplified: true },
	{ name: 'replyCount', type: 'number', description: 'Replies', example: 3 },
	{ name: 'views', type: 'number', description: 'Views', example: 1200 },
	{
		name: 'authorName',
		type: 'string',
		description: 'Display name of the author',
		example: 'Example User',
	},
	{
		name: 'authorFollowers',
		type: 'number',
		description: 'Followers of the author',
		example: 500,
	},
	id,
];

/** The fields of several of them, split or listed. */
export const MICROBLOG_RESULT_FIELDS: OutputField[] = [
	...MICROBLOG_FIELDS.map((field) => ({ ...field, shape: ONE_RESULT })),
	...ALL_RESULTS_FIELDS,
];
