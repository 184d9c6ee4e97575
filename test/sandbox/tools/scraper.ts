import type { Endpoint } from '../http/endpoint';
import {
	getForumPost,
	getMicroblogComments,
	getMicroblogPost,
	searchForum,
	searchMicroblog,
} from '../routes/scraper';
import { askEndpoint, backedBy, changed, LIMIT, limited, text, type Tool } from './tool';

/** A search whose results, at `listField` of the body, may be cut short. */
const search = (name: string, platform: string, endpoint: Endpoint, listField: string): Tool => ({
	name,
	description: `Search ${platform}. Costs 1 scraper credit.`,
	properties: { query: text('What to search for'), limit: LIMIT },
	required: ['query'],
	answer: async (args, call) => {
		const reply = await askEndpoint(endpoint, call, { query: { query: args.query as string } });
		return changed(reply, (body) => {
			const items = (body as Record<string, object[]>)[listField];
			return { ...body, [listField]: limited(items, args) };
		});
	},
});

const ofPost = (name: string, what: string, endpoint: Endpoint): Tool => ({
	name,
	description: `Get ${what}. Costs 1 scraper credit.`,
	properties: { post_url: { ...text('Full URL of the post'), format: 'uri' } },
	required: ['post_url'],
	answer: backedBy(endpoint),
});

/** The two platforms. */
export const scraperTools: Tool[] = [
	search('search_forum', 'the forum platform', searchForum, 'data'),
	ofPost('get_forum_post', 'a forum post and its comments', getForumPost),
	search('search_microblog', 'the microblogging platform', searchMicroblog, 'results'),
	ofPost('get_microblog_post', 'a microblog post and its metrics', getMicroblogPost),
	ofPost('get_microblog_comments', 'the replies to a microblog post', getMicroblogComments),
];
