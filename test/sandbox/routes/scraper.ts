import { answered, paidLookup, type Reply } from '../http/endpoint';
import { familyA, familyAError, familyARefusals } from '../http/familyA';
import { SCRAPER } from '../answers/magicInputs';
import {
	asksFor,
	forumComments,
	forumPost,
	forumSearch,
	microblogComments,
	microblogPost,
	microblogSearch,
} from '../answers/scrapedPosts';

/** A full URL of a post: web address, host and a path (SPEC §4.1). */
const POST_URL = /^https?:\/\/[^\s/]+\/[^\s/]/i;

/**
 * A scraper endpoint (SPEC §4.1). Cost not stated; the sandbox takes 1 scraper credit per call that reached the
 * platform, without results too.
 */
const scrape = (
	name: string,
	parameter: 'query' | 'post_url',
	found: (question: string) => Record<string, unknown>,
) =>
	familyA(
		name,
		paidLookup({
			product: 'scraper',
			parameter,
			...familyARefusals('scraper'),
			malformed: (question) => (parameter === 'post_url' ? faultOfUrl(question) : undefined),
			find: (question) => asksFor(SCRAPER.fails, question),
			conclude: (fails, question, call) => {
				if (fails) return familyAError(502, 'The platform could not be reached, please try again.');
				call.charge('scraper', 1, question);
				return answered({ status: true, ...found(question) });
			},
		}),
	);

const faultOfUrl = (url: string): Reply | undefined =>
	POST_URL.test(url) && URL.canParse(url)
		? undefined
		: familyAError(400, 'post_url must be the full URL of a post.');

/** SPEC §2.1: the one result whose shape is shown, an array of objects at `data`. The others differ on purpose. */
export const searchForum = scrape('scrapersearch', 'query', (query) => ({
	data: forumSearch(query),
}));

export const getForumPost = scrape('scraperpost', 'post_url', (url) => ({
	post: { ...forumPost(url), url },
	comments: forumComments(url),
}));

export const searchMicroblog = scrape('scraperxsearch', 'query', (query) => ({
	results: microblogSearch(query),
}));

export const getMicroblogPost = scrape('scraperxpost', 'post_url', (url) => ({
	data: { ...microblogPost(url), url },
}));

export const getMicroblogComments = scrape('scraperxcomment', 'post_url', (url) => ({
	post_url: url,
	total: microblogComments(url).length,
	replies: microblogComments(url),
}));
