import { release } from '../harness/n8n';
import { checkWhatsApp, numbers, validatePhone } from '../harness/parameters';
import { receiptOf } from '../harness/parseReceipt';
import { storiesOn, type Story } from '../harness/stories';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const scraper = { resource: 'scraper', operation: 'searchForum', query: '={{ $json.query }}' };
const getForumPost = {
	...{ resource: 'scraper', operation: 'getForumPost', limit: 1 },
	postUrl: 'https://social.example/post/1',
};
const MANY = /^51 separate calls\. Check Many Numbers takes up to 1,000 per call/;
const HIDDEN =
	/more results? (is|are) hidden by Limit\. To get them, raise Limit and pay once more\.$/;

describe(`advice beside the receipt, n8n ${release}`, () => {
	const { act, tell } = storiesOn();
	const adviceOf = (hints: string[]) => hints.filter((text) => !receiptOf([text]));
	/** The hints beside the receipt are these and no others. */
	const advises = (...advice: Array<RegExp | string>): Pick<Story, 'also'> => ({
		also: (run) =>
			expect(adviceOf(run.hints())).toEqual(
				advice.map((words) => expect.stringMatching(words) as unknown),
			),
	});
	const fiftyOne = { node: checkWhatsApp, items: numbers(51) };
	const refusedOnce: Story = {
		...{ ...fiftyOne, tries: 2, status: 'success', calls: 52, ...advises(MANY) },
		faults: [
			{
				...{ kind: 'status', status: 401, contains: numbers(1)[0].number.slice(1), times: 1 },
				body: { status: false, error: 'Invalid API key.' },
			},
		],
	};
	const items = [{ query: 'coffee' }, { query: 'tea' }];

	tell({
		'says once, in the receipt, that many numbers can be one batch': {
			...{ ...fiftyOne, items: [...numbers(51), ...numbers(3), { number: 'n/a' }] },
			...{ receipt: { items: 55, calls: 51, duplicates: 3 }, ...advises(MANY) },
		},
		'says so in a Dry Run already': {
			...{ ...fiftyOne, options: { dryRun: true }, calls: 0, ...advises(MANY) },
		},
		'says so once in the retry of a node that failed, which makes fewer calls': {
			...{ ...refusedOnce, options: { ifSomeItemsFail: 'stopNode' } },
		},
		'says so once in the retry of a node whose first item failed': {
			...{ ...refusedOnce, onError: 'continueRegularOutput' },
		},
		'says nothing of few numbers, or of other lookups': [
			{ node: checkWhatsApp, items: numbers(50), ...advises() },
			{ node: validatePhone, items: numbers(60), ...advises() },
		],
		'says that comments are hidden by Limit': { node: getForumPost, ...advises(HIDDEN) },
		'says nothing of Limit if it hides none': [{ limit: 50 }, { returnAll: true }].map((limit) => ({
			...{ node: { ...scraper, ...limit }, items, ...advises() },
		})),
	});

	it('says how many results are hidden by Limit, with and without Split Into Items', async () => {
		const all = (await act({ ...scraper, returnAll: true }, { items })).items().length;
		for (const splitIntoItems of [true, false]) {
			const run = await act({ ...scraper, limit: 1, splitIntoItems }, { items });
			expect(run.hints()).toHaveLength(2);
			expect(adviceOf(run.hints())[0]).toMatch(new RegExp(`^${all - 2} ${HIDDEN.source}`));
		}
	});
});
