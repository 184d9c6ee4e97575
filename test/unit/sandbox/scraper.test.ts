import { magic, startSandbox, type Sandbox } from '../../sandbox';
import { ask, type Place } from './requests';

const { MANY, SCRAPER } = magic;

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.reset());

/** Each list that an endpoint returns, by the question that makes it. */
const lists: Array<[place: Place, parameter: string, at: string]> = [
	['forumSearch', 'query', 'data'],
	['forumPost', 'post_url', 'comments'],
	['microblogSearch', 'query', 'results'],
	['microblogComments', 'post_url', 'replies'],
];

it.each(lists)('%s finds some, none or many, and always the same', async (place, parameter, at) => {
	const found = async (words: string) => {
		const question = `https://forum.example/r/gardening/${words}`;
		const { body } = await ask(sandbox, place, { [parameter]: question });
		return (body as Record<string, object[]>)[at];
	};
	const some = await found('lanterns');
	expect(some.length).toBeGreaterThan(2);
	expect(await found('lanterns')).toEqual(some);
	expect(await found('harbours')).not.toEqual(some);
	expect(await found(SCRAPER.nothing)).toEqual([]);
	const many = await found(SCRAPER.many);
	expect(many).toHaveLength(MANY);
	expect(new Set(many.map((item) => JSON.stringify(item))).size).toBe(MANY);
	expect(sandbox.spent(sandbox.keys.main).scraper).toBe(5);
});

it('the scraper has its own product, which the balance does not show', async () => {
	const { main } = sandbox.keys;
	sandbox.setBalance(main, 'scraper', 1);
	await ask(sandbox, 'forumSearch', { query: SCRAPER.fails });
	expect(sandbox.spent(main).scraper).toBe(0);
	await ask(sandbox, 'forumSearch', { query: 'lanterns' });
	expect((await ask(sandbox, 'forumSearch', { query: 'lanterns' })).status).toBe(402);
	const { body } = await ask(sandbox, 'balance');
	expect(Object.keys(body as object).filter((name) => name.includes('scraper'))).toEqual([]);
});
