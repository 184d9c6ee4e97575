import type { IDataObject } from 'n8n-workflow';
import {
	type Answer,
	isLocalAnswer,
	isRefusal,
	type Operation,
	type Params,
	type Refusal,
} from '../../engine';
import { getForumPost } from '../../../nodes/LookupMessaging/operations/scraper/getForumPost';
import { getMicroblogComments } from '../../../nodes/LookupMessaging/operations/scraper/getMicroblogComments';
import { getMicroblogPost } from '../../../nodes/LookupMessaging/operations/scraper/getMicroblogPost';
import { searchForum } from '../../../nodes/LookupMessaging/operations/scraper/searchForum';
import { searchMicroblog } from '../../../nodes/LookupMessaging/operations/scraper/searchMicroblog';
import type { ErrorStatus } from '../../sandbox';
import { performInSandbox } from '../fakes/fakeClient';
import { headOf } from '../fakes/replies';
import { sandboxOfTests } from '../fakes/sandboxOfTests';

/** Each operation, and what it sends. */
const OPERATIONS = [
	{ operation: searchForum, field: 'query', sends: 'query' },
	{ operation: getForumPost, field: 'postUrl', sends: 'post_url' },
	{ operation: searchMicroblog, field: 'query', sends: 'query' },
	{ operation: getMicroblogPost, field: 'postUrl', sends: 'post_url' },
	{ operation: getMicroblogComments, field: 'postUrl', sends: 'post_url' },
].map((row) => ({ name: row.operation.value, ...row }));
type Row = (typeof OPERATIONS)[number];

const LISTS = OPERATIONS.filter(({ name }) => name !== 'getMicroblogPost');
const QUERIES = OPERATIONS.filter(({ field }) => field === 'query');
const POSTS = OPERATIONS.filter(({ field }) => field === 'postUrl');
const ONE_POST = [getForumPost, getMicroblogPost];

/** What an item asks that has the words somewhere in its query or URL. */
const asking = ({ field }: Row, words = 'coffee', given: Params = {}): Params => ({
	splitIntoItems: true,
	...given,
	[field]: field === 'query' ? words : `https://social.example/posts/${words}`,
});

/** What the item shows of a body. */
function shown(operation: Operation<unknown>, given: Params, body: IDataObject, status = 200) {
	const question = operation.prepare(given);
	const reading = operation.read(body, headOf(operation.request(question), status), question);
	return isRefusal(reading) ? reading : presented(operation, reading, question);
}

const presented = ({ present }: Operation<unknown>, answer: Answer, question: unknown) =>
	present ? present(answer, question) : answer;

/** What each operation shows of a body. */
const answersTo = (body: IDataObject, of = OPERATIONS) =>
	of.map((row) => shown(row.operation, asking(row, 'x', { splitIntoItems: undefined }), body));

/** The outcome of an answer, or the scope of a refusal. */
const wordOf = (answer: Answer | Refusal) => (isRefusal(answer) ? answer.scope : answer.outcome);

/** The texts of the results, or else the outcome or the scope of the refusal. */
const textsOf = (answer: Answer | Refusal) =>
	isRefusal(answer) || !answer.rows
		? wordOf(answer)
		: Array.from(answer.rows, ({ record }) => record.text).join(', ');

describe.each<ErrorStatus>(['http', 'ok'])('with errors as %s', (errorStatus) => {
	const sandbox = sandboxOfTests({ errorStatus });

	/** Asks the sandbox, and gives what the item shows. */
	const ask = async ({ operation }: Row, given: Params) => {
		const question = operation.prepare(given);
		const { readings } = await performInSandbox(sandbox, operation, [question]);
		return presented(operation, readings?.[0] as Answer, question);
	};

	describe.each(OPERATIONS)('$name', (row) => {
		const { operation } = row;
		const failureOf = async (words?: string, key?: string) => {
			const question = operation.prepare(asking(row, words));
			return (await performInSandbox(sandbox, operation, [question], { key })).failure;
		};

		test('returns every declared field that the platform has, of its type', async () => {
			const answer = await ask(row, asking(row));
			const [first] = answer.rows ?? [answer];
			const names = operation.output
				.filter(({ shape }) => (shape ?? first.shape) === first.shape)
				.map(({ name }) => name);

			expect(first.outcome).toBe('positive');
			expect(Object.keys(first.record)).toEqual(expect.arrayContaining(names));
			for (const { name, type } of operation.output) {
				const value = first.record[name];
				if (value === null || value === undefined) continue;
				expect([name, Array.isArray(value) ? 'array' : typeof value]).toEqual([name, type]);
			}
			const missing = names.filter((name) => (first.record[name] ?? null) === null);
			expect(missing).toEqual(operation === getForumPost ? ['url'] : []);
		});

		test('is refused for the account by the service, and not in the words of a page', async () => {
			for (const key of ['wrong', sandbox.keys.empty])
				expect(await failureOf('tea', key)).toMatchObject({ cause: 'refused', scope: 'account' });
			const words = ['This post requires authentication', 'Account suspended', 'Access denied'];
			for (const error of words) {
				sandbox.fault({ kind: 'body', body: { status: false, error }, times: 1 });
				expect(await failureOf()).toMatchObject({ scope: 'question', refusal: { reason: error } });
			}
		});
	});
});

/** What is sent for a value, or why nothing is. */
function sentFor({ operation, field, sends }: Row, value: Params[string]) {
	const prepared = operation.prepare({ [field]: value });
	return isLocalAnswer(prepared) ? prepared : operation.request(prepared).query?.[sends];
}

test.each<[query: Params['query'], sent: string]>([
	[' best coffee ', 'best coffee'],
	[2025, '2025'],
	['\u200bدیجی\u200cکالا\u200e', 'دیجی\u200cکالا'],
	...['', ' ', null, undefined].map((query): [typeof query, string] => [query, 'empty']),
	...[['coffee'], { q: 1 }, true].map((query): [typeof query, string] => [query, 'malformed']),
])('the query %j is sent as %s, or refused for that reason', (query, sent) => {
	const refused = { local: sent, field: 'Query', reason: expect.any(String) };
	for (const row of QUERIES) expect([sent, refused]).toContainEqual(sentFor(row, query));
});

describe('a post URL', () => {
	test.each([
		...['https://forum.example/r/coffee/comments/1', 'http://forum.example/?id=1'],
		...['HTTPS://Forum.Example:8443/a%20b?c=d&e=%2B#comment-7', ' https://forum.example/ü '],
		...['forum.example/r/1', '//Forum.example/r/1?a=b', 'пример.example:8443/1'],
	])('%j is sent trimmed and with its protocol, and otherwise unchanged', (postUrl) => {
		const hasProtocol = /^\s*https?:/i.test(postUrl);
		const sent = hasProtocol ? postUrl.trim() : `https://${postUrl.replace('//', '')}`;
		for (const row of POSTS) expect(sentFor(row, postUrl)).toBe(sent);
	});

	test.each<[reason: RegExp, urls: Array<Params['postUrl']>]>([
		[/^is empty$/, ['', ' ', null]],
		[/is a list/, [['https://forum.example/1']]],
		[/names a site, not the URL of a post/, ['forum.example', 'https://forum.example']],
		[/names a site, not the URL of a post/, ['https://forum.example/#top']],
		[/name of a site/, ['forum/r/1', '/r/coffee/1', '@coffee.example/1', '192.0.2.1/r/1']],
		[/name of a site/, ['coffee,tea.example/1']],
		[/doesn't start with https/, ['https:/forum.example/1', 'ftp://forum.example/1']],
		[/doesn't start with https/, ['javascript:alert(1)']],
		[/isn't a complete URL/, ['https://', 'https://[::1/1']],
		[/has a user name or password/, ['https://me:secret@forum.example/1']],
		[/is at a private (address|\(unique local\))/, ['http://10.0.0.1/1', 'http://[fd00::1]/1']],
		[/is at a link-local address, which/, ['http://169.254.169.254/latest']],
		[/contains a space/, ['https://forum example/1', 'https://a.example/1 https://a.example/2']],
	])('is refused locally, %s: %j', (reason, urls) => {
		const local = reason.test('is empty') ? 'empty' : 'malformed';
		const refused = { local, field: 'Post URL', reason: expect.stringMatching(reason) };
		for (const row of POSTS)
			expect(urls.map((url) => sentFor(row, url))).toEqual(urls.map(() => refused));
	});

	test('has the same key as its other spellings, but not as another URL', () => {
		for (const { operation } of POSTS) {
			const key = (postUrl: string) =>
				JSON.stringify(operation.request(operation.canonical!(operation.prepare({ postUrl }))));
			const one = key('https://forum.example/r/1');
			const same = [' HTTPS://FORUM.example:443/r/1', 'forum.example/r/1', '//FORUM.example/r/1'];
			expect(same.map(key)).toEqual([one, one, one]);
			for (const other of ['https://forum.example/R/1', 'http://forum.example/r/1'])
				expect(key(other)).not.toBe(one);
		}
	});
});

test.each([0, -1, 1.5, 'many', Number.NaN, {}])('a limit of %p is refused', (limit) => {
	for (const row of LISTS) {
		const given = asking(row, 'coffee', { limit });
		expect(row.operation.prepare(given)).toMatchObject({ local: 'parameter', field: 'Limit' });
		expect(isLocalAnswer(row.operation.prepare({ ...given, returnAll: true }))).toBe(false);
	}
});

describe('results are found', () => {
	const post = { id: 1, text: 'Hello' };
	const texts = (body: IDataObject, status?: number) =>
		textsOf(shown(searchMicroblog, { query: 'x' }, body, status));

	const NONE_FOUND = ['No posts found for this query', 'No results found for "coffee"'];
	/** Bodies by the texts that are found in them, or by the outcome or scope without any. */
	const READ: Record<string, IDataObject[]> = {
		'Hello, You': [
			...['data', 'results', 'posts', 'tweets', 'comments', 'replies', 'items', 'statuses'].map(
				(name) => ({ status: true, [name]: [post, { text: 'You' }] }),
			),
			{ data: ['Hello', 'You'] },
		],
		Hello: [
			...[{ data: { items: [post] } }, { status: true, ...post }, { status: true, data: post }],
			...[{ data: [null, post, ''] }, { data: [], posts: [post] }, { posts: [], results: [post] }],
			...[{ toots: [post], search_metadata: { count: 1 } }, { a: { b: { statuses: [post] } } }],
			{ status: 'ok', toots: [post], next_cursor: 'x', meta: { users: [post] } },
			...[{ error: 'No.', data: [post] }, { data: [{ error: 'Blocked' }, post] }],
			{ data: [{ ...post, error: 'No image' }] },
			// The only list below objects
			{ data: { kind: 'Listing', data: { after: null, children: [{ kind: 't3', data: post }] } } },
		],
		unknown: [
			...[
				{ data: [], entries: [post] },
				{ data: [], a: { search_results: [post] } },
			],
			...[
				{ hits: [post], toots: [post] },
				{ status: true, warnings: [{ text: 'Slow' }] },
			],
			...[
				{ data: [], ok: false },
				{ status: true, data: [], upstream: { status: 429 } },
			],
			...[{ data: [], info: 'Search is currently disabled' }, { data: [null, null] }],
			...[{ status: true, data: null }, {}, { status: true, message: 'Nothing found' }],
			{ status: true, data: { data: { after: 't3_x', children: [] } } },
		],
		negative: [
			...[{ data: [], facets: [post], a: { ads: [post] } }, { data: [] }],
			...[...NONE_FOUND, 'No results found'].map((error) => ({ status: false, error })),
			{ status: true, data: { kind: 'Listing', data: { after: null, dist: 0, children: [] } } },
		],
		question: [
			...[
				{ status: false, error: 'No.' },
				{ success: false, message: 'No.' },
			],
			...[
				{ status: false, error: 'No results found', total: 3 },
				{ error: 'No.', data: [] },
			],
			...[{ data: ['Error: blocked by platform'] }, { status: true, data: { error: 'Blocked' } }],
			{ data: { posts: [{ error: 'Blocked', code: 403 }] } },
		],
	};
	test.each(
		Object.entries(READ).flatMap(([found, bodies]) => bodies.map((body) => [found, body] as const)),
	)('as %s in %j', (found, body) => {
		expect(texts(body)).toBe(found);
	});

	test.each(['data', 'results'])('nowhere in a text alone (%s), which is the reason', (name) => {
		const reason: unknown = expect.stringContaining('"rate limited"');
		const unknown = OPERATIONS.map(() => ({ outcome: 'unknown', reason }));
		expect(answersTo({ status: true, [name]: 'rate limited', took: 12 })).toMatchObject(unknown);
	});

	/** What says that there are more results than none, and what does not. */
	const MORE: IDataObject[] = [
		...[{ total: 12 }, { total_results: '12' }, { count: 1 }, { has_more: true }, { next: '/2' }],
		...[{ next_cursor: 'c' }, { job_id: 'j' }, { partial: true }, { retry_after: 30 }],
		...[{ state: 'queued' }, { job_status: 'processing' }, { rate_limited: true }, { x: 'y' }],
		...[{ pagination: { total: 12 } }, { meta: { has_more: true } }, { message: 'Blocked' }],
		...[{ login_required: true }, { captcha: true }, { suspended: true }, { private: 'true' }],
		...[{ captchaRequired: true }, { rate_limit_remaining: 0 }, { credits: '0' }, { hits: 3 }],
		...[{ progress: 0 }, { ready: false }, { phase: 'crawling' }, { note: 'Wait' }, { nbHits: 5 }],
		...[{ retry_at: 1767300000 }, { eta_seconds: 30 }, { type: 'error' }, { source: 'timeout' }],
		...[{ links: { next: '/2' } }, { links: { first: '/1', next: '/2' } }, { hits: { total: 5 } }],
		...[{ search_metadata: { status: 'Error' } }, { meta: { status: 'failed' } }],
		...[{ crawl: { state: 'running' } }, { continuation_token: 'c' }],
	];
	const NO_MORE: IDataObject[] = [
		...[{}, { total: 0 }, { count: '0' }, { has_more: false }, { next_cursor: null }, { next: '' }],
		...[{ partial: false }, { state: 'completed' }, { pagination: { total: 0, page: 1 } }],
		...[{ message: 'No results found' }, { request_id: 'r1' }, { query: 'x' }, { hits: 0 }],
		...[{ login_required: false }, { cached: true, nsfw: true }, { rate_limit_remaining: 9 }],
		...[{ credits_used: 0 }, { cursor: null }, { private: 'false' }, { took_ms: 35 }],
		...[{ message: 'No replies' }, { run: { status: 'SUCCEEDED' } }, { meta: { status: 'ok' } }],
		...[{ links: { first: '/1', next: null } }, { links: [{ url: null, label: '1' }] }],
		...[{ created_at: '2026-01-01' }, { code: 200 }, { page: 1, per_page: 25, total_pages: 1 }],
		{ response: { status: 200 } },
	];
	test('to be none only where the answer says nothing of more', () => {
		const lists = LISTS.filter(({ name }) => name !== 'getForumPost');
		const expectIn = (body: IDataObject, outcome: string) =>
			expect([body, ...answersTo({ status: true, ...body }, lists).map(wordOf)]).toEqual([
				...[body, ...lists.map(() => outcome)],
			]);
		for (const fields of MORE) {
			expectIn({ data: [], ...fields }, 'unknown');
			expectIn({ data: { posts: [], ...fields } }, 'unknown');
		}
		for (const fields of NO_MORE) expectIn({ data: [], ...fields }, 'negative');
	});

	const reply = { id: 2, text: 'Reply' };
	test.each<[found: string, bodies: IDataObject[]]>([
		[
			'Reply',
			[
				...[
					{ replies: [], comments: [reply] },
					{ comments: [], data: { replies: [reply] } },
				],
				...[
					{ data: [post], replies: [reply] },
					{ data: [], items: [], children: [reply] },
				],
				{ data: { tweet: post, conversation: [reply] } },
			],
		],
		[
			'unknown',
			[
				// The post itself may be there, and alone
				...[post, { data: post }, { tweet: post }, { data: { tweet: post } }],
				...[null, '', {}].map((replies) => ({ data: { post, replies } })),
				{ comments: [], data: [post] },
				// Replies that the post has, and the service does not give
				{ tweet: { ...post, reply_count: 12 }, replies: [] },
				{ data: { tweet: { ...post, reply_count: 12 }, replies: [] } },
			],
		],
		[
			'negative',
			[
				{ tweet: { ...post, reply_count: 0 }, replies: [] },
				{ data: { tweet: { ...post, reply_count: 0 }, replies: [] } },
			],
		],
	])('as comments, which are not the post that they are of: %s in %j', (found, bodies) => {
		const row = OPERATIONS.filter(({ operation }) => operation === getMicroblogComments);
		for (const body of bodies)
			expect([body, ...answersTo({ status: true, ...body }, row).map(textsOf)]).toEqual([
				...[body, found],
			]);
	});

	/** Answers without anything that the records have. */
	const UNREADABLE: IDataObject[] = [
		{ status: 'processing', id: '1', url: 'https://s.example/jobs/1', likes: 0 },
		{ request_id: 'r1', took_ms: 12, credits_left: 9 },
		// What a platform shows to a scraper in the place of a post
		...[
			...['Just a moment...', 'Access Denied | forum.example', '403 Forbidden', 'reCAPTCHA'],
			...['Our systems have detected unusual traffic', 'Log in to X', 'whoa there, pardner!'],
		].flatMap((text) => [
			{ status: true, data: [{ title: text }] },
			{ status: true, data: { title: text, text, score: 0 } },
			{ status: true, results: [{ text }, { text: 'Too many requests' }] },
		]),
		...[{ data: { title: '', content: '', upvotes: 0 } }],
		...[{ status: true, data: { text: null, likes: 0, views: 0 } }],
		{ status: true, data: { title: '502 Bad Gateway', text: 'Rate limit exceeded' } },
		...[{ errors: [{ title: 'Not Found Error', detail: 'No such post' }] }],
		...[{ data: [], errors: [{ message: 'Too Many Requests' }] }],
		{ tweetResult: { legacy: { entry: 'Hello to all of you' } } },
		{ search_metadata: { id: 'x', status: 'Processing' }, search_parameters: { q: 'a' } },
		{ data: { id: 'r', actId: 'a', status: 'READY', meta: { origin: 'API' } } },
		{ data: [{ kind: 'more', data: { children: ['x'] } }] },
		{ data: { one: { posts: [post] }, other: { posts: [post] } } },
		...[
			{ data: [], blocked: true },
			{ data: [], note: 'The forum blocked the request' },
		],
	];
	test.each(UNREADABLE)('neither as a yes nor as a no in %j', (body) => {
		expect(answersTo(body).map(wordOf)).toEqual(OPERATIONS.map(() => 'unknown'));
	});

	test('as a post with the title of such a page if it has an author', () => {
		const walls = [{ title: 'Just a moment...', text: 'Access denied', author: 'ada' }];
		expect(texts({ status: true, data: walls })).toBe('Access denied');
	});

	test('as unknown for an entry without content, beside one that has some', () => {
		const given = { query: 'x', splitIntoItems: true };
		const answer = shown(searchForum, given, { data: [post, { kind: 'more' }] });
		expect([...((answer as Answer).rows ?? [])]).toMatchObject([
			{ outcome: 'positive' },
			{ outcome: 'unknown', response: { kind: 'more' } },
		]);
	});

	test('as unknown for a text alone, which may be a notice in the place of results', () => {
		const data = [{ title: 'a', content: 'b', url: 'https://example.com/1' }];
		const reason = "it's unclear whether what the answer has is a result";
		const answer = { outcome: 'unknown', reason };
		expect(shown(searchForum, { query: 'x' }, { status: true, data })).toMatchObject(answer);
	});

	test('not under an HTTP error when there are none', () => {
		const head = headOf(searchForum.request({ query: 'x' }), 404);
		for (const body of [{ detail: 'Not here' }, {}])
			expect(searchForum.read(body, head, { query: 'x' })).toMatchObject({
				...{ outcome: 'unknown', isUnclear: true },
			});
	});
});

describe('one post is found', () => {
	const given = { postUrl: 'https://m.example/1' };
	const post = { id: '1', text: 'Hello', author: 'ada' };
	test.each<[outcome: string, text: unknown, body: IDataObject]>([
		['positive', 'Hello', { status: true, data: post }],
		['positive', 'Hello', { post }],
		['positive', 'Hello', { data: [post, { text: 'You' }] }],
		['positive', 'Hello', { status: true, ...post }],
		['positive', 'Hello', { post: { text: 'Hello' }, comments: [{ text: 'First' }] }],
		['unknown', undefined, { status: true, data: {} }],
		// A page that has only words
		...['This Post is unavailable.', 'Hmm...this page doesn’t exist.', 'Blocked'].flatMap(
			(text): Array<[string, unknown, IDataObject]> => [
				['unknown', text, { status: true, data: { text } }],
				['unknown', null, { status: true, data: { title: text, url: given.postUrl } }],
			],
		),
	])('as %s with the text %j in %j', (outcome, text, body) => {
		for (const operation of ONE_POST) {
			const answer = shown(operation, given, body) as Answer;
			expect([answer.outcome, answer.record.text]).toEqual([outcome, text]);
		}
	});

	const list = (...children: IDataObject[]) => ({ kind: 'Listing', data: { children } });
	const more = { kind: 'more', data: { children: ['x'] } };
	const third = { text: 'Third', replies: '' };
	const first = { text: 'First' };
	const around = list(
		...[first, { text: 'Second', replies: list({ kind: 't1', data: third }, more) }].map(
			(data) => ({ kind: 't1', data }),
		),
		more,
	);
	const lists = [list({ kind: 't3', data: post }), around];
	const comments = [first, { text: 'Second', replies: [third] }];
	const gone = [{ error: 'Comment unavailable' }, { status: false, error: 'Deleted' }];
	const found = [
		{ ...first, replies: null },
		{ text: 'Second', replies: [{ text: 'Third' }] },
	];
	test.each<[comments: IDataObject[], bodies: IDataObject[]]>([
		[found, [{ post, comments }, { data: { ...post, comments } }, { ...post, comments }]],
		[found, [{ data: lists }, { status: true, result: lists }, { post, comments: around }]],
		[found, [{ data: { ...post, comments: around } }]],
		[
			[first],
			[
				{ post, comments: { items: [first] } },
				{ post, comments: { data: [first] } },
			],
		],
		[[], [{ post }, { data: lists[0] }]],
		[[first], gone.map((each) => ({ ...post, comments: [first, each] }))],
		[[first], gone.map((each) => ({ data: { ...post, comments: [first, each] } }))],
	])('with the comments %j in each of %j', (record, bodies) => {
		for (const body of bodies)
			expect([body, shown(getForumPost, given, body)]).toMatchObject([
				...[body, { outcome: 'positive', record: { text: 'Hello', comments: record } }],
			]);
	});

	test('with as many comments as the limit in one item', () => {
		const answer = shown(getForumPost, { ...given, limit: 1 }, { post, comments });
		expect(answer).toMatchObject({ record: { comments: [found[0]] } });
	});

	test('with a reason if the service gives none of its comments, and not in empty lists', () => {
		const reason = 'the post has comments, but the service gives none';
		for (const none of [null, undefined, [], {}]) {
			const body = { post: { ...post, num_comments: 2 }, comments: none };
			expect(shown(getForumPost, given, body)).toMatchObject({ outcome: 'positive', reason });
		}
		const empty = { data: [list(), list()] };
		expect(shown(getForumPost, given, empty)).toMatchObject({ outcome: 'unknown' });
	});

	test.each<[outcome: string, body: IDataObject]>([
		['negative', { post: { ...post, num_comments: 0 } }],
		['negative', { post, comments: [] }],
		['unknown', { post: { ...post, num_comments: 12 } }],
		['unknown', { post: { ...post, num_comments: 12 }, comments: [] }],
		['unknown', { post }],
	])('whose comments alone are %s in %j', (outcome, body) => {
		const split = { ...given, splitIntoItems: true };
		expect(shown(getForumPost, split, body)).toMatchObject({ outcome });
	});
});

describe('a record', () => {
	const recordOf = (operation: Operation<unknown>, post: IDataObject) => {
		const { rows = [] } = shown(operation, { query: 'x' }, { data: [post] }) as Answer;
		return [...rows][0].record;
	};
	const forum = (post: IDataObject) => recordOf(searchForum, post);
	const microblog = (post: IDataObject) => recordOf(searchMicroblog, post);

	test.each<[fields: IDataObject, url: string]>([
		[{ url: 'https://i.x.example/a.jpg', permalink: '/r/1' }, 'https://www.reddit.com/r/1'],
		[{ url: 'https://f.example/c/1' }, 'https://f.example/c/1'],
	])('of a forum post has the URL of its page: %j', (fields, url) => {
		expect(forum({ title: 'T', ...fields })).toMatchObject({ url });
	});

	test('reads names in camel case, too', () => {
		const user = { userName: 'ada_l', name: 'Ada Lovelace', followersCount: 7 };
		const fields = { likeCount: 3, retweetCount: 2, replyCount: 1, viewCount: 9 };
		expect(microblog({ text: 'Hello', author: user, ...fields })).toMatchObject({
			...{ likes: 3, reposts: 2, replyCount: 1, views: 9 },
			...{ author: 'ada_l', authorFollowers: 7 },
		});
		const upVoted = { title: 'T', upVotes: 4, numComments: 5 };
		expect(forum(upVoted)).toMatchObject({ score: 4, commentCount: 5 });
	});

	test('has null for every missing value and every value of another type', () => {
		for (const record of [forum({ unheard: 1 }), microblog({ text: { a: 1 }, likes: 'many' })])
			expect(new Set(Object.values(record))).toEqual(new Set([null]));
	});

	test('reads other names for the same fields', () => {
		expect(
			forum({
				...{ id: 7, selftext: 'Body', author: { name: 'ada' }, subreddit_name: 'coffee' },
				...{ ups: '12', num_comments: 0, permalink: '/r/1', created_utc: 1_735_689_600 },
			}),
		).toMatchObject({
			...{ id: '7', text: 'Body', author: 'ada', community: 'coffee', score: 12 },
			...{ commentCount: 0, url: 'https://www.reddit.com/r/1' },
			createdAt: '2025-01-01T00:00:00.000Z',
		});
		const counts = { like_count: 5, retweet_count: 2, reply_count: 1, impression_count: 90 };
		const user = { screen_name: 'ada', name: 'Ada', followers_count: 3 };
		const created_at = 1_735_689_600_000;
		expect(microblog({ full_text: 'Hi', public_metrics: counts, user, created_at })).toMatchObject({
			...{ text: 'Hi', likes: 5, reposts: 2, replyCount: 1, views: 90, author: 'ada' },
			...{ authorName: 'Ada', authorFollowers: 3, createdAt: '2025-01-01T00:00:00.000Z' },
		});
	});

	test.each([
		['yesterday', 'yesterday'],
		[1e300, '1e+300'],
		['', null],
	])('returns the time %j as %j', (created, createdAt) => {
		expect(forum({ created, id: 1 })).toMatchObject({ createdAt });
	});
});

const STATUS = 'https://x.example/a/status/1712345678901234567';
const FORUM_POST = 'https://f.example/r/c/comments/1abcde2';
test.each<[isOther: boolean, url: string, post: IDataObject]>([
	[false, STATUS, { id_str: '1712345678901234568' }],
	[false, STATUS, { id: Number('1712345678901234600') }],
	[true, STATUS, { id_str: '1699999999999999999' }],
	[false, STATUS, { id: 7 }],
	[false, `${FORUM_POST}/title`, { id: '1abcde2' }],
	[true, `${FORUM_POST}/title`, { id: '1zzzzz9' }],
	[false, 'https://f.example/1', { id: '1zzzzz9' }],
	[false, `${FORUM_POST}/title`, { author: 'ada', url: '/r/c/comments/1abcde2/t' }],
	[true, FORUM_POST, { author: 'ada', url: '/r/t/comments/1zzzzz9/t' }],
])(
	'it is %s that a reply to %s with the post %j is about another one',
	(isOther, postUrl, fields) => {
		const other = { outcome: 'unknown', reason: 'the service answered about another post' };
		for (const operation of ONE_POST) {
			const answer = shown(operation, { postUrl }, { data: { text: 'Hello', ...fields } });
			expect(answer).toMatchObject(isOther ? other : { outcome: 'positive' });
		}
	},
);
