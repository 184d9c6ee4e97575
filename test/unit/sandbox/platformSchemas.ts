/** Sending and scraping. SPEC §2.1 shows two fields of the first and one list of the second; the rest is ours. */
import type { SchemaObject } from 'ajv';

import { boolean, credits, exactly, only, text } from './schemaParts';

const list = (items: object) => ({ type: 'array', items });

const forumPost = exactly({
	id: text,
	title: text,
	content: text,
	author: text,
	subreddit: exactly({ name: text, title: text, subscribers: credits }),
	upvotes: credits,
	comment_count: credits,
	url: text,
	created_at: text,
});

const forumComment = { id: text, author: text, content: text, upvotes: credits, created_at: text };

const microblogPost = exactly({
	id: text,
	text,
	user: exactly({ username: text, display_name: text, followers: credits, verified: boolean }),
	metrics: exactly({ likes: credits, reposts: credits, replies: credits, views: credits }),
	url: text,
	created_at: text,
});

export const platformSchemas = {
	sent: exactly({ status: only(true), message: text, message_id: text }),
	forumSearch: exactly({ status: only(true), data: list(forumPost) }),
	forumPost: exactly({
		status: only(true),
		post: forumPost,
		comments: list(exactly({ ...forumComment, replies: list(exactly(forumComment)) })),
	}),
	microblogSearch: exactly({ status: only(true), results: list(microblogPost) }),
	microblogPost: exactly({ status: only(true), data: microblogPost }),
	microblogComments: exactly({
		status: only(true),
		post_url: text,
		total: credits,
		replies: list(microblogPost),
	}),
} satisfies Record<string, SchemaObject>;
