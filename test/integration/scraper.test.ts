import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { magic, startSandbox, type Sandbox } from '../sandbox';
import { release } from '../harness/n8n';
import { runnerOn } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';

const { SCRAPER, MANY } = magic;

const query = '={{ $json.query }}';
const postUrl = '={{ $json.url }}';
const searchForum = { resource: 'scraper', operation: 'searchForum', query };
const searchMicroblog = { resource: 'scraper', operation: 'searchMicroblog', query };
const getForumPost = { resource: 'scraper', operation: 'getForumPost', postUrl };
const getMicroblogPost = { resource: 'scraper', operation: 'getMicroblogPost', postUrl };
const getComments = { resource: 'scraper', operation: 'getMicroblogComments', postUrl };

const HEAD = ['input', 'outcome', 'source', 'reason'];
const FORUM = ['title', 'text', 'community', 'score', 'commentCount', 'url'];
const MICROBLOG = ['text', 'author', 'url', 'createdAt', 'likes', 'reposts'];

const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);
const linksOf = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
const column = (items: INodeExecutionData[], name: string) =>
	jsonOf(items).map((json) => json[name]);
/** The items that belong to an input. */
const of = (items: INodeExecutionData[], item: number) =>
	items.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item);
const countsOf = (items: INodeExecutionData[], inputs: number) =>
	Array.from({ length: inputs }, (_, item) => of(items, item).length);
const queries = (...texts: string[]) => texts.map((text) => ({ query: text }));
const urls = (...paths: string[]) =>
	paths.map((path) => ({ url: path.includes(':') ? path : `https://social.example/${path}` }));

describe(`the scraper, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.close());

	const run = runnerOn(() => sandbox);
	const scraped = () => sandbox.spent(sandbox.keys.main).scraper ?? 0;

	it.each([
		['Search Forum', searchForum, 'scrapersearch', { query: 'a&b=c +d' }],
		['Search Microblog', searchMicroblog, 'scraperxsearch', { query: 'from:ada #ü?' }],
		[
			'Get Forum Post',
			getForumPost,
			'scraperpost',
			{ post_url: 'https://f.example/a?b=c&d=%2B#e' },
		],
		['Get Microblog Post', getMicroblogPost, 'scraperxpost', { post_url: 'http://m.example/1' }],
		['Get Microblog Comments', getComments, 'scraperxcomment', { post_url: 'http://m.example/1' }],
	])('%s sends one GET with the key in the query', async (_, parameters, name, sent) => {
		const [text] = Object.values(sent);
		const result = await run(parameters, { items: [{ query: ` ${text} `, url: ` ${text} ` }] });

		expect(result.error).toBeUndefined();
		expect(sandbox.log).toEqual([
			expect.objectContaining({
				...{ host: 'main', method: 'GET', path: `/api/v1/${name}`, body: undefined },
				query: { ...sent, api_key: sandbox.keys.main },
			}),
		]);
		expect(JSON.stringify(result.items())).not.toContain(sandbox.keys.main);
		expect(receiptOf(result.hints())).toMatchObject({
			...{ unpriced: { scraper: 1 } },
		});
	});

	it('splits: one item per result, in order, each linked to its input item', async () => {
		const items = queries('coffee', SCRAPER.nothing, 'tea', 'coffee', SCRAPER.many);
		const result = await run(searchForum, { items });

		const output = result.items();
		const [coffee, none, tea, again, many] = countsOf(output, items.length);
		expect([none, again, many]).toEqual([1, coffee, 50]);
		expect(Math.min(coffee, tea)).toBeGreaterThanOrEqual(3);
		const order = linksOf(output).map((link) => (link as { item: number }).item);
		expect(order).toEqual([...order].sort((a, b) => a - b));
		for (const json of jsonOf(output)) expect(Object.keys(json)).toEqual([...HEAD, ...FORUM]);

		const withoutSource = (item: number) =>
			jsonOf(of(output, item)).map(({ source, ...json }) => ({ ...json, isOne: Boolean(source) }));
		expect(withoutSource(3)).toEqual(withoutSource(0));
		expect(new Set(column(of(output, 3), 'source'))).toEqual(new Set(['duplicate']));
		expect(jsonOf(of(output, 1))).toEqual([
			expect.objectContaining({
				...{ input: SCRAPER.nothing, outcome: 'negative', source: 'service' },
				...{ reason: 'no results', title: null },
			}),
		]);
		expect(scraped()).toBe(4);
		expect(receiptOf(result.hints())).toMatchObject({
			...{ items: 5, duplicates: 1, failed: 0, unpriced: { scraper: 4 } },
		});
	});

	it('limits each item separately, although duplicates share one call', async () => {
		const items = [
			{ query: SCRAPER.many, limit: 2 },
			{ query: SCRAPER.many, limit: 7 },
			{ query: ` ${SCRAPER.many} `, all: true },
			{ query: SCRAPER.many, limit: 3, split: false },
		];
		const parameters = {
			...searchMicroblog,
			splitIntoItems: '={{ $json.split ?? true }}',
			returnAll: '={{ $json.all ?? false }}',
			limit: '={{ $json.limit ?? 50 }}',
		};
		const { items: output } = await run(parameters, { items });

		expect(countsOf(output(), items.length)).toEqual([2, 7, MANY, 1]);
		expect(jsonOf(of(output(), 3))).toEqual([
			expect.objectContaining({ count: MANY, results: expect.any(Array), source: 'duplicate' }),
		]);
		expect(of(output(), 3)[0].json.results).toHaveLength(3);
		expect(scraped()).toBe(1);
	});

	it('Raw returns each unchanged result, or the whole answer when not split', async () => {
		const items = queries('coffee', SCRAPER.nothing);
		const split = await run({ ...searchForum, output: 'raw' }, { items });
		const whole = await run({ ...searchForum, output: 'raw', splitIntoItems: false }, { items });

		const [first] = jsonOf(whole.items());
		expect(whole.items()).toHaveLength(2);
		expect(first.response).toEqual({ status: true, data: expect.any(Array) });
		const { data } = first.response as { data: IDataObject[] };
		expect(column(of(split.items(), 0), 'response')).toEqual(data);
		expect(column(of(split.items(), 1), 'response')).toEqual([{ status: true, data: [] }]);
		expect(column(whole.items(), 'outcome')).toEqual(['positive', 'negative']);
	});

	it('Get Forum Post returns the post with its comments, or one item per comment', async () => {
		const items = urls('posts/coffee', SCRAPER.nothing, SCRAPER.many);
		const posts = await run({ ...getForumPost, limit: 20 }, { items });
		const comments = await run({ ...getForumPost, splitIntoItems: true, limit: 20 }, { items });

		expect(linksOf(posts.items())).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(column(posts.items(), 'outcome')).toEqual(['positive', 'positive', 'positive']);
		const shown = column(posts.items(), 'comments') as IDataObject[][];
		expect(shown.map(({ length }) => length)).toEqual([expect.any(Number), 0, 20]);
		expect(Object.keys(posts.items()[0].json).sort()).toEqual(
			[...HEAD, 'title', 'text', 'community', 'author', 'score', 'comments'].sort(),
		);
		expect(countsOf(comments.items(), 3)).toEqual([shown[0].length, 1, 20]);
		expect(jsonOf(of(comments.items(), 1))).toEqual([
			expect.objectContaining({ outcome: 'negative', reason: 'no comments', text: null }),
		]);
		expect(Object.keys(comments.items()[0].json).sort()).toEqual(
			[...HEAD, 'text', 'author', 'score', 'replies'].sort(),
		);
	});

	it('Get Microblog Post and its comments have the same fields', async () => {
		const items = urls('posts/coffee', 'HTTPS://SOCIAL.example/posts/coffee', 'posts/tea');
		const posts = await run(getMicroblogPost, { items });
		const comments = await run(getComments, { items });

		expect(linksOf(posts.items())).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(column(posts.items(), 'source')).toEqual(['service', 'duplicate', 'service']);
		expect(column(posts.items(), 'input')).toEqual(items.map(({ url }) => url));
		for (const json of jsonOf([...posts.items(), ...comments.items()])) {
			expect(Object.keys(json)).toEqual([...HEAD, ...MICROBLOG]);
			for (const name of MICROBLOG) expect(json[name]).not.toBeNull();
		}
		expect(scraped()).toBe(4);
	});
});
