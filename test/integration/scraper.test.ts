import type { INodeExecutionData } from 'n8n-workflow';
import { magic } from '../sandbox';
import { release } from '../harness/n8n';
import { receiptOf } from '../harness/parseReceipt';
import { storiesOn } from '../harness/stories';

const { SCRAPER, MANY } = magic;

const searchForum = { resource: 'scraper', operation: 'searchForum', query: '={{ $json.query }}' };
const HEAD = ['input', 'outcome', 'source', 'reason'];
const FORUM = ['title', 'text', 'community', 'score', 'commentCount', 'url'];

const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);
const linksOf = (items: INodeExecutionData[]) =>
	items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
/** What belongs to an input. */
const of = (items: INodeExecutionData[], input: number) =>
	jsonOf(items.filter((_, place) => linksOf(items)[place] === input));
const countsOf = (items: INodeExecutionData[], inputs: number) =>
	Array.from({ length: inputs }, (_, input) => of(items, input).length);
const queries = (...texts: string[]) => texts.map((query) => ({ query }));

describe(`the scraper, n8n ${release}`, () => {
	const on = storiesOn();
	const run = on.act;
	const scraped = () => on.service().spent(on.service().keys.main).scraper ?? 0;

	it('splits: one item per result, in order, each linked to its input item', async () => {
		const items = queries('coffee', SCRAPER.nothing, 'tea', 'coffee', SCRAPER.many);
		const result = await run(searchForum, { items });

		const output = result.items();
		const [coffee, none, tea, again, many] = countsOf(output, items.length);
		expect([none, again, many]).toEqual([1, coffee, 50]);
		expect(Math.min(coffee, tea)).toBeGreaterThanOrEqual(3);
		expect(linksOf(output)).toEqual([...linksOf(output)].sort((a, b) => a - b));
		for (const json of jsonOf(output)) expect(Object.keys(json)).toEqual([...HEAD, ...FORUM]);

		expect(of(output, 0).map(({ source }) => source)).toEqual(Array(coffee).fill('service'));
		const source = 'duplicate';
		expect(of(output, 3)).toEqual(of(output, 0).map((json) => ({ ...json, source })));
		expect(of(output, 1)).toEqual([
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
		const query = SCRAPER.many;
		const items = [{ limit: 2 }, { limit: 7 }, { all: true }, { limit: 3, split: false }];
		const parameters = {
			...{ ...searchForum, operation: 'searchMicroblog', query },
			splitIntoItems: '={{ $json.split ?? true }}',
			...{ returnAll: '={{ $json.all ?? false }}', limit: '={{ $json.limit ?? 50 }}' },
		};
		const { items: output } = await run(parameters, { items });

		expect(countsOf(output(), items.length)).toEqual([2, 7, MANY, 1]);
		const [whole] = of(output(), 3);
		expect(whole).toMatchObject({ count: MANY, source: 'duplicate' });
		expect(whole.results).toHaveLength(3);
		expect(scraped()).toBe(1);
	});

	it('Raw returns each unchanged result, or the whole answer when not split', async () => {
		const items = queries('coffee', SCRAPER.nothing);
		const raw = { ...searchForum, output: 'raw' };
		const split = (await run(raw, { items })).items();
		const whole = jsonOf((await run({ ...raw, splitIntoItems: false }, { items })).items());

		expect(whole).toMatchObject([{ outcome: 'positive' }, { outcome: 'negative' }]);
		const { data } = whole[0].response as { data: object[] };
		expect(whole[0].response).toEqual({ status: true, data });
		expect(of(split, 0).map(({ response }) => response)).toEqual(data);
		expect(of(split, 1)).toMatchObject([{ response: { status: true, data: [] } }]);
	});
});
