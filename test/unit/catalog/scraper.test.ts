import type { IDataObject } from 'n8n-workflow';
import {
	type Answer,
	isFailed,
	isLocalAnswer,
	isRefusal,
	type LocalAnswer,
	type Operation,
	type Params,
} from '../../engine';
import { getForumPost } from '../../../nodes/LookupMessaging/operations/scraper/getForumPost';
import { getMicroblogComments } from '../../../nodes/LookupMessaging/operations/scraper/getMicroblogComments';
import { getMicroblogPost } from '../../../nodes/LookupMessaging/operations/scraper/getMicroblogPost';
import { searchForum } from '../../../nodes/LookupMessaging/operations/scraper/searchForum';
import { searchMicroblog } from '../../../nodes/LookupMessaging/operations/scraper/searchMicroblog';
import { magic, startSandbox, type ErrorStatus, type Sandbox } from '../../sandbox';
import { performInSandbox } from '../fakes/fakeClient';
import { headOf } from '../fakes/replies';

const { SCRAPER, MANY } = magic;

/** Each operation, where it sends what, and how many of its fields a split result has. */
const OPERATIONS = [
	{ operation: searchForum, path: '/scrapersearch', field: 'query', sends: 'query' },
	{ operation: getForumPost, path: '/scraperpost', field: 'postUrl', sends: 'post_url' },
	{ operation: searchMicroblog, path: '/scraperxsearch', field: 'query', sends: 'query' },
	{ operation: getMicroblogPost, path: '/scraperxpost', field: 'postUrl', sends: 'post_url' },
	{
		operation: getMicroblogComments,
		path: '/scraperxcomment',
		field: 'postUrl',
		sends: 'post_url',
	},
].map((row) => ({ name: row.operation.value, ...row }));
type Row = (typeof OPERATIONS)[number];

const LISTS = OPERATIONS.filter(({ name }) => name !== 'getMicroblogPost');
const QUERIES = OPERATIONS.filter(({ field }) => field === 'query');
const POSTS = OPERATIONS.filter(({ field }) => field === 'postUrl');

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

function answerOf(reading: unknown): Answer {
	if (isFailed(reading) || isRefusal(reading)) throw new Error('The service did not answer');
	return reading as Answer;
}

describe.each<ErrorStatus>(['http', 'ok'])('with errors as %s', (errorStatus) => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ errorStatus });
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.reset());

	/** Asks the sandbox, and gives what the item shows. */
	const ask = async (row: Row, given: Params) => {
		const question = row.operation.prepare(given);
		const { readings } = await performInSandbox(sandbox, row.operation, [question]);
		return presented(row.operation, answerOf(readings?.[0]), question);
	};

	describe.each(OPERATIONS)('$name', (row) => {
		const { operation, path, sends } = row;

		test('sends one GET with the value alone, and counts it without a price', async () => {
			const given = asking(row, 'coffee & cake+tea', { limit: 2 });
			const spelled = row.field === 'query' ? given : asking(row, 'coffee+tea?a=b&c=d');
			const { requests } = await performInSandbox(sandbox, operation, [operation.prepare(spelled)]);

			const value = spelled[row.field];
			expect(requests).toEqual([
				{ service: 'main', method: 'GET', path, query: { [sends]: value } },
			]);
			expect(sandbox.log.map(({ query }) => query[sends])).toEqual([value]);
			expect(operation.credits?.(operation.prepare(spelled))).toEqual({
				balance: 'scraper',
				cost: 'not stated',
			});
			expect(sandbox.spent(sandbox.keys.main)).toMatchObject({ scraper: 1 });
		});

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

		test('is refused for the account with a wrong key and without credits', async () => {
			for (const key of ['wrong', sandbox.keys.empty]) {
				const question = operation.prepare(asking(row));
				const { failure } = await performInSandbox(sandbox, operation, [question], { key });
				expect(failure).toMatchObject({ cause: 'refused', scope: 'account' });
			}
		});

		test('reads no word of a page as one about the account', async () => {
			const words = ['This post requires authentication', 'Account suspended', 'Access denied'];
			for (const error of words) {
				sandbox.fault({ kind: 'body', body: { status: false, error }, times: 1 });
				const question = operation.prepare(asking(row));
				const { failure } = await performInSandbox(sandbox, operation, [question]);
				expect(failure).toMatchObject({ scope: 'question', refusal: { reason: error } });
			}
		});

		test('fails when the platform is out of reach, in the words of the service', async () => {
			const question = operation.prepare(asking(row, SCRAPER.fails));
			const { failure } = await performInSandbox(sandbox, operation, [question]);
			expect(failure).toMatchObject(
				errorStatus === 'http'
					? { cause: 'lost' }
					: {
							cause: 'refused',
							scope: 'question',
							reason: expect.stringMatching(/platform could not be reached/),
						},
			);
			expect(sandbox.debits(sandbox.keys.main)).toEqual([]);
		});
	});

	describe.each(LISTS)('the results of $name', (row) => {
		const countOf = async (given: Params) =>
			(await ask(row, asking(row, SCRAPER.many, given))).rows?.length;

		test('are all returned with Return All, whatever the Limit', async () => {
			expect(await countOf({ returnAll: true })).toBe(MANY);
			expect(await countOf({ returnAll: true, limit: 7 })).toBe(MANY);
		});

		test('are 50 unless Limit says otherwise', async () => {
			expect(await countOf({})).toBe(50);
			expect(await countOf({ limit: 1 })).toBe(1);
			expect(await countOf({ limit: '70' })).toBe(70);
			expect(await countOf({ limit: 100_000 })).toBe(MANY);
		});

		test('each have the fields of Raw, in the order of the service', async () => {
			const { rows } = await ask(row, asking(row, SCRAPER.many, { limit: 3 }));
			expect(rows).toHaveLength(3);
			for (const { response, record } of rows ?? []) {
				expect(response).toMatchObject({ id: record.id });
			}
		});

		test('may be empty, which is an answer: one item, negative', async () => {
			const { rows, ...answer } = await ask(row, asking(row, SCRAPER.nothing));
			expect(rows ?? []).toEqual([]);
			expect(answer).toMatchObject({
				outcome: 'negative',
				reason: expect.stringMatching(/^no (results|comments)$/),
				shape: 'result',
			});
			expect(sandbox.spent(sandbox.keys.main)).toMatchObject({ scraper: 1 });
		});

		test('are a list in one item when they are not split', async () => {
			const name = row.operation === getForumPost ? 'comments' : 'results';
			const given = { splitIntoItems: false, limit: 2 };
			const { rows, record } = await ask(row, asking(row, SCRAPER.many, given));
			expect(rows).toBeUndefined();
			expect(record[name]).toHaveLength(2);
			expect(record[name]).toEqual([
				expect.objectContaining({ text: expect.any(String), author: expect.any(String) }),
				expect.anything(),
			]);
			if (name === 'results') expect(record.count).toBe(MANY);

			const none = await ask(row, asking(row, SCRAPER.nothing, given));
			expect(none.record).toMatchObject({ [name]: [] });
			expect(none.outcome).toBe(name === 'results' ? 'negative' : 'positive');
		});
	});
});

describe('a query', () => {
	test.each([
		[' best coffee ', 'best coffee'],
		[2025, '2025'],
	])('%j is sent as %j', (query, sent) => {
		for (const { operation } of QUERIES) {
			expect(operation.request(operation.prepare({ query })).query).toEqual({ query: sent });
		}
	});

	test.each<[Params['query'], LocalAnswer['local']]>([
		['', 'empty'],
		[' ', 'empty'],
		[null, 'empty'],
		[undefined, 'empty'],
		[['coffee'], 'malformed'],
		[{ q: 1 }, 'malformed'],
		[true, 'malformed'],
	])('%j is refused', (query, local) => {
		for (const { operation } of QUERIES) {
			expect(operation.prepare({ query })).toMatchObject({ local, field: 'Query' });
		}
	});
});

describe('a post URL', () => {
	test.each([
		'https://forum.example/r/coffee/comments/1',
		'http://forum.example/?id=1',
		'HTTPS://Forum.Example:8443/a%20b?c=d&e=%2B#comment-7',
		' https://forum.example/ü ',
	])('%j is sent trimmed, and otherwise unchanged', (postUrl) => {
		for (const { operation } of POSTS) {
			expect(operation.request(operation.prepare({ postUrl })).query).toEqual({
				post_url: postUrl.trim(),
			});
		}
	});

	test.each(['forum.example/r/1', '//Forum.example/r/1?a=b', 'пример.example:8443/1'])(
		'%j is sent with https://',
		(postUrl) => {
			for (const { operation } of POSTS) {
				expect(operation.request(operation.prepare({ postUrl })).query).toEqual({
					post_url: `https://${postUrl.replace('//', '')}`,
				});
			}
		},
	);

	test.each<[Params['postUrl'], RegExp]>([
		[['https://forum.example/1'], /is a list/],
		['forum.example', /names a site/],
		['forum/r/1', /name of a site/],
		['/r/coffee/1', /name of a site/],
		['@coffee.example/1', /name of a site/],
		['192.0.2.1/r/1', /name of a site/],
		['coffee,tea.example/1', /name of a site/],
		['https:/forum.example/1', /doesn't start with https/],
		['ftp://forum.example/1', /doesn't start with https/],
		['javascript:alert(1)', /doesn't start with https/],
		['https://', /isn't a complete URL/],
		['https://forum example/1', /contains a space/],
		['https://forum.example/1 https://forum.example/2', /contains a space/],
		['https://[::1/1', /isn't a complete URL/],
		['https://forum.example', /names a site, not the URL of a post/],
		['https://forum.example/#top', /names a site/],
	])('%j is refused locally', (postUrl, reason) => {
		for (const { operation } of POSTS) {
			expect(operation.prepare({ postUrl })).toEqual({
				local: 'malformed',
				field: 'Post URL',
				reason: expect.stringMatching(reason),
			});
		}
	});

	test.each(['', ' ', null])('%j is empty', (postUrl) => {
		for (const { operation } of POSTS) {
			const empty = { local: 'empty', field: 'Post URL', reason: 'is empty' };
			expect(operation.prepare({ postUrl })).toEqual(empty);
		}
	});

	test('has the same key as its other spellings, but not as another URL', () => {
		for (const { operation } of POSTS) {
			const key = (postUrl: string) =>
				JSON.stringify(operation.request(operation.canonical!(operation.prepare({ postUrl }))));
			const one = key('https://forum.example/r/1');
			for (const same of [
				' HTTPS://FORUM.example:443/r/1',
				'forum.example/r/1',
				'//FORUM.example/r/1',
			]) {
				expect(key(same)).toBe(one);
			}
			for (const other of ['https://forum.example/R/1', 'http://forum.example/r/1']) {
				expect(key(other)).not.toBe(one);
			}
		}
	});
});

describe('a limit', () => {
	test.each([0, -1, 1.5, 'many', Number.NaN, {}])('of %p is refused', (limit) => {
		for (const row of LISTS) {
			const given = asking(row, 'coffee', { limit });
			expect(row.operation.prepare(given)).toMatchObject({ local: 'parameter', field: 'Limit' });
			expect(isLocalAnswer(row.operation.prepare({ ...given, returnAll: true }))).toBe(false);
		}
	});
});

describe('results are found', () => {
	const post = { id: 1, text: 'Hello' };
	const texts = (body: IDataObject, status?: number) => {
		const answer = shown(searchMicroblog, { query: 'x' }, body, status);
		if (isRefusal(answer)) return answer.scope;
		return answer.rows ? Array.from(answer.rows, ({ record }) => record.text) : answer.outcome;
	};

	const KNOWN = ['data', 'results', 'posts', 'tweets', 'comments', 'replies', 'items'];
	test.each([...KNOWN, 'statuses', 'timeline', 'feed'])(
		'in a list at %s, or below data',
		(name) => {
			expect(texts({ status: true, [name]: [post, { ...post, text: 'You' }] })).toEqual([
				'Hello',
				'You',
			]);
			expect(texts({ status: true, data: { [name]: [post] } })).toEqual(['Hello']);
		},
	);

	test.each<[string, IDataObject, unknown]>([
		['the body itself', { status: true, ...post }, ['Hello']],
		['an object at data', { status: true, data: post }, ['Hello']],
		['entries that are texts', { data: ['Hello', 'You'] }, ['Hello', 'You']],
		['entries that hold the post', { data: [{ kind: 't3', data: post }] }, ['Hello']],
		['entries that are nothing', { data: [null, post, ''] }, ['Hello']],
		['an empty list beside one with entries', { data: [], posts: [post] }, ['Hello']],
		...['entries', 'hits', 'search_results', 'threads', 'records'].flatMap(
			(name): Array<[string, IDataObject, unknown]> => [
				[`an empty list beside ${name}`, { data: [], [name]: [post] }, 'unknown'],
				[
					`an empty list beside an object with ${name}`,
					{ data: [], a: { [name]: [post] } },
					'unknown',
				],
			],
		),
		...['statuses', 'timeline', 'feed', 'entries', 'threads', 'hits', 'toots'].flatMap(
			(name): Array<[string, IDataObject, unknown]> => [
				[`${name} beside a count`, { [name]: [post], search_metadata: { count: 1 } }, ['Hello']],
				[
					`${name} beside a page`,
					{ status: 'ok', [name]: [post], next_cursor: 'x', meta: { users: [post] } },
					['Hello'],
				],
				[`${name} below objects`, { status: true, a: { b: { [name]: [post] } } }, ['Hello']],
			],
		),
		['two other lists', { hits: [post], toots: [post] }, 'unknown'],
		['words in a list', { status: true, warnings: [{ text: 'Slow' }] }, 'unknown'],
		['an empty list beside a failed call', { status: true, data: [], ok: false }, 'unknown'],
		[
			'an empty list of a failed source',
			{ status: true, data: [], upstream: { status: 429 } },
			'unknown',
		],
		[
			'an empty list of a search that is off',
			{ status: true, data: [], info: 'Search is currently disabled' },
			'unknown',
		],
		['an empty list beside filters', { data: [], facets: [post], a: { ads: [post] } }, 'negative'],
		['no entries', { data: [] }, 'negative'],
		['nothing but nothings', { data: [null, null] }, 'unknown'],
		['null', { status: true, data: null }, 'unknown'],
		['no list and no object', { status: true }, 'unknown'],
		['an empty body', {}, 'unknown'],
		['words alone', { status: true, message: 'Nothing found' }, 'unknown'],
		['a refusal', { status: false, error: 'No.' }, 'question'],
		...['No posts found for this query', 'No results found for "coffee"'].map(
			(error): [string, IDataObject, unknown] => [error, { status: false, error }, 'negative'],
		),
		['a failure in the list', { status: true, data: ['Error: blocked by platform'] }, 'question'],
		[
			'a refusal that no results were found',
			{ status: false, error: 'No results found' },
			'negative',
		],
		['such a refusal of more', { status: false, error: 'No results found', total: 3 }, 'question'],
		['a refusal by success', { success: false, message: 'No.' }, 'question'],
		['a failure beside results', { error: 'No.', data: [post] }, ['Hello']],
		[
			'a refusal with fields of its own',
			{ status: false, error: 'No.', balance: 7, code_of: 'x' },
			'question',
		],
		['a refusal with an empty list', { error: 'No.', data: [] }, 'question'],
		['trouble beside an empty list', { data: [], message: 'Upstream timeout' }, 'unknown'],
		['an error at data', { status: true, data: { error: 'Blocked' } }, 'question'],
		['an error in the list', { status: true, data: [{ error: 'Blocked', code: 403 }] }, 'question'],
		['an error in a list below data', { data: { posts: [{ error: 'Blocked' }] } }, 'question'],
		['an error beside results', { data: [{ error: 'Blocked' }, post] }, ['Hello']],
		['a post with an error of its own', { data: [{ ...post, error: 'No image' }] }, ['Hello']],
		['trouble as the only text', { data: ['Service temporarily unavailable'] }, 'question'],
	])('%s', (_, body, expected) => {
		expect(texts(body)).toEqual(expected);
	});

	test.each<[words: string, body: IDataObject]>([
		['rate limited', { data: 'rate limited' }],
		['rate limited', { data: 'rate limited', request_id: 'r1' }],
		['blocked', { results: 'blocked', took: 12 }],
	])('nowhere in the text %j, which is the reason', (words, body) => {
		for (const { operation, field } of OPERATIONS) {
			const given = { [field]: field === 'query' ? 'x' : 'https://m.example/1' };
			const answer = shown(operation, given, { status: true, ...body });
			expect(answer).toMatchObject({
				outcome: 'unknown',
				reason: expect.stringContaining(`"${words}"`),
			});
		}
	});

	/** What says that there are more results than none, and what does not. */
	const MORE: IDataObject[] = [
		...[{ total: 12 }, { total_results: '12' }, { count: 1 }, { has_more: true }, { next: '/2' }],
		...[{ next_cursor: 'c' }, { job_id: 'j' }, { partial: true }, { retry_after: 30 }],
		...[{ state: 'queued' }, { job_status: 'processing' }, { rate_limited: true }],
		...[{ pagination: { total: 12 } }, { meta: { has_more: true } }, { message: 'Blocked' }],
		...[{ login_required: true }, { captcha: true }, { suspended: true }, { private: 'true' }],
		...[
			{ captchaRequired: true },
			{ rate_limit_remaining: 0 },
			{ credits: '0' },
			{ cursor: 'abc' },
		],
		...[{ upstream_timeout: true }, { hits: 3 }, { numFound: 4 }, { total_pages: 2 }],
		...[{ title: 'Access Denied' }, { page_title: 'Just a moment...' }, { title: 'Search page' }],
		...[{ progress: 0 }, { ready: false }, { phase: 'crawling' }, { note: 'Wait' }, { x: 'y' }],
		...[{ retry_at: 1767300000 }, { eta_seconds: 30 }, { type: 'error' }, { source: 'timeout' }],
		...[{ links: { next: '/2' } }, { links: { first: '/1', next: '/2' } }],
		...[
			{ scrape_status: 'pending' },
			{ run: { status: 'RUNNING' } },
			{ crawl: { state: 'running' } },
		],
		...[{ search_metadata: { status: 'Error' } }, { meta: { status: 'failed' } }],
		...[{ response: { status: 403 } }, { debug: { status_code: 429 } }, { nbHits: 5 }],
		...[{ cursor: { next: 'c' } }, { continuation_token: 'c' }, { hits: { total: 5 } }],
	];
	const NO_MORE: IDataObject[] = [
		...[{}, { total: 0 }, { count: '0' }, { has_more: false }, { next_cursor: null }, { next: '' }],
		...[{ partial: false }, { state: 'completed' }, { pagination: { total: 0, page: 1 } }],
		...[{ message: 'No results found' }, { request_id: 'r1' }, { query: 'x' }],
		...[{ login_required: false }, { cached: true, nsfw: true }, { rate_limit_remaining: 9 }],
		...[{ credits_used: 0 }, { cursor: null }, { private: 'false' }],
		...[{ message: 'No replies' }, { hits: 0 }, { run: { status: 'SUCCEEDED' } }],
		...[{ response: { status: 200 } }, { meta: { status: 'ok' } }, { took_ms: 35 }],
		...[{ links: { first: '/1', next: null } }, { links: [{ url: null, label: '1' }] }],
		...[{ source: 'forum' }, { object: 'list' }, { credits_used: 1 }, { api_version: 'v1' }],
		...[{ created_at: '2026-01-01' }, { code: 200 }, { page: 1, per_page: 25, total_pages: 1 }],
	];
	test('to be none only where the answer says nothing of more', () => {
		for (const { operation, field } of LISTS.filter(({ name }) => name !== 'getForumPost')) {
			const given = { [field]: field === 'query' ? 'x' : 'https://m.example/1' };
			const outcomeOf = (body: IDataObject) =>
				answerOf(shown(operation, given, { status: true, ...body })).outcome;
			for (const fields of MORE) {
				expect([fields, outcomeOf({ data: [], ...fields })]).toEqual([fields, 'unknown']);
				const inside = { data: { posts: [], ...fields } };
				expect([inside, outcomeOf(inside)]).toEqual([inside, 'unknown']);
			}
			for (const fields of NO_MORE) {
				expect([fields, outcomeOf({ data: [], ...fields })]).toEqual([fields, 'negative']);
			}
		}
	});

	test('by the names of comments first where there may be a post too', () => {
		const body = { status: true, data: [post], replies: [{ id: 2, text: 'Reply' }] };
		const given = { postUrl: 'https://m.example/1' };
		const answer = shown(getMicroblogComments, given, body);
		expect('rows' in answer && [...(answer.rows ?? [])]).toMatchObject([
			{ record: { text: 'Reply' } },
		]);
	});

	/** Replies about a job, an account or a request, without anything of a post. */
	const JOBS: IDataObject[] = [
		...[
			{ status: 'queued', request_id: 'r1' },
			{ status: true, job_id: 'j1', eta: 40 },
		],
		...[{ data: { task_id: 't1', state: 'pending', user: 'ada', created_at: 1767300000 } }],
		...[{ status: 'processing', id: '1', url: 'https://s.example/jobs/1', likes: 0 }],
		...[{ success: true, data: { snapshot_id: 's1', progress: 40, author: 'ada' } }],
		{ request_id: 'r1', took_ms: 12, credits_left: 9 },
	];
	test('neither in a reply about a job nor in one without anything of a post', () => {
		for (const { operation, field } of OPERATIONS) {
			const given = { [field]: field === 'query' ? 'x' : 'https://m.example/1' };
			for (const body of JOBS) {
				const answer = shown(operation, given, body);
				expect([body, answer]).toMatchObject([body, { outcome: 'unknown' }]);
			}
		}
	});

	test('in the list that has entries, beside empty ones of the same kind', () => {
		const given = { postUrl: 'https://m.example/1' };
		const reply = { id: 2, text: 'Reply' };
		for (const lists of [
			{ comments: [], replies: [reply] },
			{ replies: [], comments: [reply] },
			{ comments: [], data: { replies: [reply] } },
			{ data: [], items: [], children: [reply] },
		]) {
			const answer = answerOf(shown(getMicroblogComments, given, lists));
			expect([...(answer.rows ?? [])]).toMatchObject([{ record: { text: 'Reply' } }]);
		}
		expect(texts({ posts: [], results: [post] })).toEqual(['Hello']);
		// The post itself may be there, and alone
		const alone = [
			...[post, { data: post }, { tweet: post }, { data: { tweet: post } }],
			...[null, '', {}].map((replies) => ({ data: { post, replies } })),
		];
		for (const body of alone) {
			const reading = answerOf(shown(getMicroblogComments, given, { status: true, ...body }));
			expect([body, reading.outcome]).toEqual([body, 'unknown']);
		}
		const conversation = { data: { tweet: post, conversation: [reply] } };
		const inside = answerOf(shown(getMicroblogComments, given, conversation));
		expect([...(inside.rows ?? [])]).toMatchObject([{ record: { text: 'Reply' } }]);
		const answer = shown(getMicroblogComments, given, { comments: [], data: [post] });
		expect(answer).toMatchObject({ outcome: 'unknown' });
	});

	/** Answers without anything that the records have. */
	const UNREADABLE: IDataObject[] = [
		// What a platform shows to a scraper in the place of a post
		...[
			...['Just a moment...', 'Access denied', 'Access Denied | forum.example', '403 Forbidden'],
			...[
				'Our systems have detected unusual traffic',
				'Log in to X',
				'Please verify you are human',
			],
			...['Attention Required! | Cloudflare', 'JavaScript is not available.', 'reCAPTCHA'],
			...[
				"You've been blocked by network security.",
				'whoa there, pardner!',
				'Sign in to continue',
			],
		].flatMap((text) => [
			{ status: true, data: [{ title: text }] },
			{ status: true, data: { title: text, text, score: 0 } },
			{ status: true, results: [{ text }, { text: 'Too many requests' }] },
		]),
		...[
			{ title: '', content: '', upvotes: 0 },
			{ text: null, likes: 0, views: 0 },
		].map((data) => ({ status: true, data })),
		{ status: true, data: { title: '502 Bad Gateway', text: 'Rate limit exceeded' } },
		...[{ errors: [{ title: 'Not Found Error', detail: 'No such post' }] }],
		...[{ status: true, errors: [{ code: 144, message: 'No status found' }] }],
		...[{ data: [], errors: [{ message: 'Too Many Requests' }] }],
		...['TweetTombstone', 'TweetUnavailable'].map((__typename) => ({
			data: { tweetResult: { result: { __typename, tombstone: { text: { text: 'Gone' } } } } },
		})),
		{ tweetResult: { legacy: { entry: 'Hello to all of you' } } },
		{ search_metadata: { id: 'x', status: 'Processing' }, search_parameters: { q: 'a' } },
		{ search_metadata: { status: 'Processing' }, results: [] },
		{ data: { id: 'r', actId: 'a', status: 'READY', meta: { origin: 'API' } } },
		{ data: [{ kind: 'more', data: { children: ['x'] } }] },
		{ data: { one: { posts: [post] }, other: { posts: [post] } } },
		...[{ blocked: true }, { note: 'The forum blocked the request' }, { upstream_status: 429 }].map(
			(beside) => ({ data: [], ...beside }),
		),
	];
	test.each(UNREADABLE)('neither as a yes nor as a no in %j', (body) => {
		for (const { operation, field } of OPERATIONS) {
			const given = { [field]: field === 'query' ? 'x' : 'https://m.example/1' };
			const answer = answerOf(shown(operation, given, body));
			expect([operation.value, answer.outcome]).toEqual([operation.value, 'unknown']);
		}
	});

	test('in the only list below objects, which may be empty', () => {
		const listing = (...children: IDataObject[]) => ({
			status: true,
			data: { kind: 'Listing', data: { after: null, dist: children.length, children } },
		});
		expect(texts(listing({ kind: 't3', data: post }))).toEqual(['Hello']);
		expect(texts(listing())).toBe('negative');
		const more = { status: true, data: { data: { after: 't3_x', children: [] } } };
		expect(texts(more)).toBe('unknown');
	});

	test('as a post with such a title if it has an author', () => {
		const walls = [{ title: 'Just a moment...', text: 'Access denied', author: 'ada' }];
		expect(texts({ status: true, data: walls })).toEqual(['Access denied']);
	});

	test('as unknown for an entry without content, beside one that has some', () => {
		const given = { query: 'x', splitIntoItems: true };
		const answer = answerOf(shown(searchForum, given, { data: [post, { kind: 'more' }] }));
		expect([...(answer.rows ?? [])]).toMatchObject([
			{ outcome: 'positive' },
			{ outcome: 'unknown', response: { kind: 'more' } },
		]);
	});

	test('as unknown for replies that the post has, and the service does not give', () => {
		const given = { postUrl: 'https://m.example/1' };
		const outcomeOf = (reply_count: number, isInside: boolean) => {
			const body = { tweet: { id: 1, text: 'Hello', reply_count }, replies: [] };
			const reply = { status: true, ...(isInside ? { data: body } : body) };
			return answerOf(shown(getMicroblogComments, given, reply)).outcome;
		};
		for (const isInside of [true, false]) {
			expect(outcomeOf(12, isInside)).toBe('unknown');
			expect(outcomeOf(0, isInside)).toBe('negative');
		}
	});

	test('in lists of any length, of any Limit', () => {
		const body = { status: true, data: Array.from({ length: 300_000 }, () => ({})) };
		for (const [limit, found] of [
			[50, { leftOut: 299_950 }],
			[300_000, { isAsItCame: true, record: {} }],
		] as const) {
			for (const splitIntoItems of [true, false]) {
				const given = { query: 'x', limit, splitIntoItems };
				expect(shown(searchForum, given, body)).toMatchObject(found);
			}
		}
	});

	test('not under an HTTP error when there are none', () => {
		const head = headOf(searchForum.request({ query: 'x' }), 404);
		const reading = searchForum.read({ detail: 'Not here' }, head, { query: 'x' });
		expect(reading).toMatchObject({ outcome: 'unknown', isUnclear: true });
		expect(searchForum.read({}, head, { query: 'x' })).toMatchObject({ isUnclear: true });
	});
});

describe('one post is found', () => {
	const given = { postUrl: 'https://m.example/1' };
	const post = { id: '1', text: 'Hello', author: 'ada' };
	test.each<[string, IDataObject, unknown]>([
		['at data', { status: true, data: post }, 'Hello'],
		['at post', { post }, 'Hello'],
		['at tweet', { tweet: post }, 'Hello'],
		['first in a list', { data: [post, { text: 'You' }] }, 'Hello'],
		['in the body itself', { status: true, ...post }, 'Hello'],
		['below data and post', { data: { post } }, 'Hello'],
		['nowhere', { status: true, data: {} }, undefined],
		['beside a comment', { post: { text: 'Hello' }, comments: [{ text: 'First' }] }, 'Hello'],
	])('%s', (_, body, text) => {
		for (const operation of [getForumPost, getMicroblogPost]) {
			const answer = shown(operation, given, body);
			expect(answer).toMatchObject({ outcome: text ? 'positive' : 'unknown' });
			expect('record' in answer && answer.record.text).toBe(text);
		}
	});

	test.each(['This Post is unavailable.', 'Hmm...this page doesn’t exist.', 'Blocked'])(
		'nowhere if a page has only words, such as %j',
		(text) => {
			for (const data of [{ text }, { title: text, url: given.postUrl }]) {
				for (const operation of [getForumPost, getMicroblogPost])
					expect(shown(operation, given, { status: true, data })).toMatchObject({
						outcome: 'unknown',
					});
			}
		},
	);

	test('with its comments beside it, inside it, or without', () => {
		const comments = [{ text: 'First' }, { text: 'Second', replies: [{ text: 'Third' }] }];
		for (const body of [
			{ post, comments },
			{ data: { ...post, comments } },
			{ ...post, comments },
		]) {
			expect(shown(getForumPost, given, body)).toMatchObject({
				record: {
					text: 'Hello',
					comments: [
						{ text: 'First', replies: null },
						{ text: 'Second', replies: [{ text: 'Third' }] },
					],
				},
			});
		}
		expect(shown(getForumPost, given, { post })).toMatchObject({ record: { comments: [] } });
	});

	test('with its comments in lists of the platform', () => {
		const list = (...children: IDataObject[]) => ({ kind: 'Listing', data: { children } });
		const more = { kind: 'more', data: { children: ['x'] } };
		const reply = { kind: 't1', data: { text: 'Third', replies: '' } };
		const replies = list(reply, more);
		const comments = [{ text: 'First' }, { text: 'Second', replies }].map((data) => ({
			...{ kind: 't1', data },
		}));
		const lists = [list({ kind: 't3', data: post }), list(...comments, more)];
		const [posts, around] = lists;
		for (const body of [
			...[{ data: lists }, { status: true, result: lists }, { post, comments: around }],
			{ data: { ...posts.data.children[0], comments: around } },
		]) {
			expect(shown(getForumPost, given, body)).toMatchObject({
				outcome: 'positive',
				record: {
					text: 'Hello',
					comments: [
						{ text: 'First', replies: null },
						{ text: 'Second', replies: [{ text: 'Third', replies: null }] },
					],
				},
			});
		}
		expect(shown(getForumPost, given, { data: lists[0] })).toMatchObject({
			record: { text: 'Hello', comments: [] },
		});
		expect(shown(getForumPost, given, { data: [list(), list()] })).toMatchObject({
			outcome: 'unknown',
		});
	});

	test('with its comments where some are gone, and one item per comment', () => {
		const comments = [{ text: 'First' }];
		for (const gone of [{ error: 'Comment unavailable' }, { status: false, error: 'Deleted' }]) {
			for (const body of [
				{ ...post, comments: [comments[0], gone] },
				{ data: { ...post, comments: [comments[0], gone] } },
			]) {
				const answer = shown(getForumPost, given, body);
				expect(answer).toMatchObject({ outcome: 'positive', record: { text: 'Hello' } });
			}
		}
		for (const list of [null, undefined, [], {}]) {
			const body = { post: { ...post, num_comments: 2 }, comments: list };
			expect(shown(getForumPost, given, body)).toMatchObject({
				outcome: 'positive',
				reason: 'the post has comments, but the service gives none',
			});
		}
		for (const list of [{ items: comments }, { data: comments }]) {
			expect(shown(getForumPost, given, { post, comments: list })).toMatchObject({
				record: { comments: [{ text: 'First' }] },
			});
		}
		const split = { ...given, splitIntoItems: true };
		for (const [body, outcome] of [
			[{ post: { ...post, num_comments: 0 } }, 'negative'],
			[{ post, comments: [] }, 'negative'],
			[{ post: { ...post, num_comments: 12 } }, 'unknown'],
			[{ post: { ...post, num_comments: 12 }, comments: [] }, 'unknown'],
			[{ post }, 'unknown'],
		] as Array<[IDataObject, string]>) {
			expect([body, shown(getForumPost, split, body)]).toMatchObject([body, { outcome }]);
		}
	});
});

test.each<[post: IDataObject, url: string]>([
	[
		{ url: 'https://i.pictures.example/a.jpg', permalink: '/r/coffee/comments/abc/x/' },
		'https://www.reddit.com/r/coffee/comments/abc/x/',
	],
	[{ url: 'https://news.example/a', permalink: 'https://f.example/c/1' }, 'https://f.example/c/1'],
	[{ url: 'https://f.example/c/1' }, 'https://f.example/c/1'],
])('the URL of a forum post is that of its page: %j', (fields, url) => {
	const answer = answerOf(
		shown(searchForum, { query: 'x' }, { data: [{ title: 'T', ...fields }] }),
	);
	expect([...(answer.rows ?? [])]).toMatchObject([{ record: { url } }]);
});

test.each<[url: string, post: IDataObject, isOther: boolean]>([
	['https://x.example/a/status/1712345678901234567', { id_str: '1712345678901234568' }, false],
	['https://x.example/a/status/1712345678901234567', { id: Number('1712345678901234600') }, false],
	['https://x.example/a/status/1712345678901234567', { id_str: '1699999999999999999' }, true],
	['https://x.example/a/status/1712345678901234567', { id: 7 }, false],
	['https://x.example/a/status/1712345678901234567', { id: '1abcde2' }, false],
	['https://f.example/r/c/comments/1abcde2/title', { id: '1abcde2' }, false],
	['https://f.example/r/c/comments/1abcde2/title', { id: 't3_1abcde2' }, false],
	['https://f.example/r/c/comments/1abcde2/title', { id: '1zzzzz9' }, true],
	['https://f.example/r/c/comments/1abcde2', { id: '17' }, false],
	['https://f.example/1', { id: '1zzzzz9' }, false],
	[
		'https://f.example/r/c/comments/1abcde2/title',
		{ author: 'ada', url: '/r/c/comments/1abcde2/t' },
		false,
	],
	[
		'https://f.example/r/c/comments/1abcde2',
		{ author: 'ada', url: '/r/t/comments/1zzzzz9/t' },
		true,
	],
])('a reply to %s with the post %j is about another one: %s', (postUrl, fields, isOther) => {
	for (const operation of [getForumPost, getMicroblogPost]) {
		const answer = shown(operation, { postUrl }, { data: { text: 'Hello', ...fields } });
		expect(answer).toMatchObject(
			isOther
				? { outcome: 'unknown', reason: 'the service answered about another post' }
				: { outcome: 'positive' },
		);
	}
});

describe('a record', () => {
	test('reads names in camel case, too', () => {
		const user = { userName: 'ada_l', name: 'Ada Lovelace', followersCount: 7 };
		const fields = { likeCount: 3, retweetCount: 2, replyCount: 1, viewCount: 9 };
		expect(microblog({ text: 'Hello', author: user, ...fields })).toMatchObject({
			...{ likes: 3, reposts: 2, replyCount: 1, views: 9 },
			...{ author: 'ada_l', authorFollowers: 7 },
		});
		expect(forum({ title: 'T', upVotes: 4, numComments: 5 })).toMatchObject({
			...{ score: 4, commentCount: 5 },
		});
	});

	const forum = (post: IDataObject) => recordOf(searchForum, { data: [post] });
	const microblog = (post: IDataObject) => recordOf(searchMicroblog, { data: [post] });

	function recordOf(operation: Operation<unknown>, body: IDataObject) {
		const answer = shown(operation, { query: 'x' }, body);
		if (isRefusal(answer)) throw new Error(answer.reason);
		const [row] = answer.rows ?? [];
		return row?.record;
	}

	test('has null for every missing value and every value of another type', () => {
		for (const record of [forum({ unheard: 1 }), microblog({ text: { a: 1 }, likes: 'many' })]) {
			expect(new Set(Object.values(record ?? {}))).toEqual(new Set([null]));
		}
	});

	test('reads other names for the same fields', () => {
		expect(
			forum({
				id: 7,
				selftext: 'Body',
				author: { name: 'ada' },
				subreddit_name: 'coffee',
				ups: '12',
				num_comments: 0,
				permalink: '/r/1',
				created_utc: 1_735_689_600,
			}),
		).toMatchObject({
			...{ id: '7', text: 'Body', author: 'ada', community: 'coffee', score: 12 },
			...{
				commentCount: 0,
				url: 'https://www.reddit.com/r/1',
				createdAt: '2025-01-01T00:00:00.000Z',
			},
		});
		expect(
			microblog({
				full_text: 'Hi',
				public_metrics: { like_count: 5, retweet_count: 2, reply_count: 1, impression_count: 90 },
				user: { screen_name: 'ada', name: 'Ada', followers_count: 3 },
				created_at: 1_735_689_600_000,
			}),
		).toMatchObject({
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
