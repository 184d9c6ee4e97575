import { hash } from './hash';
import { MANY, SCRAPER } from './magicInputs';

/**
 * What the two platforms hold: invented from the hash of a query or an address, so that the same question always has
 * the same answer. SPEC §2.1 mentions the contents and shows no field names.
 */

const WORDS =
	'quiet harbour lantern orchard signal copper meadow window garden letter river winter market bridge paper stone'.split(
		' ',
	);

const COMMUNITIES = ['askanything', 'smallbusiness', 'gardening', 'selfhosted', 'marketing'];

/** 2025-01-01T00:00:00Z in seconds. */
const EPOCH = 1_735_689_600;

const pick = <Item>(items: Item[], seed: string) => items[hash(seed) % items.length];

/** A whole number from 0 to `limit`, by seed. */
const upTo = (limit: number, seed: string) => hash(seed) % (limit + 1);

const sentence = (length: number, seed: string) =>
	Array.from({ length }, (_, index) => pick(WORDS, `${seed} word ${index}`)).join(' ');

const madeAt = (seed: string) =>
	new Date((EPOCH + upTo(31_536_000, `${seed} time`)) * 1000).toISOString();

const userName = (seed: string) =>
	`${pick(WORDS, `${seed} user`)}_${upTo(999, `${seed} user number`)}`;

/** Whether the question has one of the magic words in it. */
export const asksFor = (word: string, question: string) => question.toLowerCase().includes(word);

/** How many things a question finds: 3 to 12, unless it asks for none or many. */
function countOf(question: string): number {
	if (asksFor(SCRAPER.nothing, question)) return 0;
	return asksFor(SCRAPER.many, question) ? MANY : 3 + upTo(9, `${question} count`);
}

const times = <Item>(count: number, make: (index: number) => Item) =>
	Array.from({ length: count }, (_, index) => make(index));

function communityOf(seed: string) {
	const name = pick(COMMUNITIES, `${seed} community`);
	return { name, title: `r/${name}`, subscribers: 1000 + upTo(900_000, name) };
}

/** A forum post: title, content, upvotes, number of comments, and its subreddit. */
export function forumPost(seed: string) {
	const subreddit = communityOf(seed);
	const id = hash(seed).toString(36);
	return {
		id,
		title: sentence(6, `${seed} title`),
		content: sentence(24, `${seed} content`),
		author: userName(seed),
		subreddit,
		upvotes: upTo(5000, `${seed} upvotes`),
		comment_count: countOf(seed),
		url: `https://forum.example/r/${subreddit.name}/comments/${id}`,
		created_at: madeAt(seed),
	};
}

export const forumSearch = (query: string) =>
	times(countOf(query), (index) => forumPost(`result ${index} of ${hash(query)}`));

const forumComment = (seed: string) => ({
	id: hash(seed).toString(36),
	author: userName(seed),
	content: sentence(12, seed),
	upvotes: upTo(800, `${seed} upvotes`),
	created_at: madeAt(seed),
});

/** The comments of a forum post, each with up to two replies below it. */
export const forumComments = (postUrl: string) =>
	times(countOf(postUrl), (index) => {
		const seed = `comment ${index} of ${postUrl}`;
		const replies = times(upTo(2, `${seed} replies`), (reply) => forumComment(`${reply} ${seed}`));
		return { ...forumComment(seed), replies };
	});

/** A post of the microblog: text, engagement metrics, and its user. */
export function microblogPost(seed: string) {
	const username = userName(seed);
	const id = String(hash(seed));
	return {
		id,
		text: sentence(16, seed),
		user: {
			username,
			display_name: username.replace(/_\d+$/, ''),
			followers: upTo(100_000, `${seed} followers`),
			verified: upTo(3, `${seed} verified`) === 0,
		},
		metrics: {
			likes: upTo(9000, `${seed} likes`),
			reposts: upTo(2000, `${seed} reposts`),
			replies: countOf(seed),
			views: upTo(500_000, `${seed} views`),
		},
		url: `https://microblog.example/${username}/status/${id}`,
		created_at: madeAt(seed),
	};
}

export const microblogSearch = (query: string) =>
	times(countOf(query), (index) => microblogPost(`result ${index} of ${hash(query)}`));

export const microblogComments = (postUrl: string) =>
	times(countOf(postUrl), (index) => microblogPost(`reply ${index} of ${hash(postUrl)}`));
