import { startSandbox, type Sandbox } from '../sandbox';
import { inCollections } from '../harness/collections';
import { release } from '../harness/n8n';
import { expectOnlyE164, runnerOn } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';

const checkNumber = {
	...{ resource: 'whatsApp', operation: 'checkNumber' },
	phoneNumber: '={{ $json.number }}',
};
const searchForum = {
	...{ resource: 'scraper', operation: 'searchForum' },
	query: '={{ $json.query }}',
};
const getForumPost = {
	...{ resource: 'scraper', operation: 'getForumPost' },
	postUrl: 'https://social.example/post/1',
};

const numbers = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ number: `+1202555${1000 + index}` }));

describe(`advice beside the receipt, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const run = runnerOn(() => sandbox);
	const adviceOf = (hints: string[]) => hints.filter((text) => !receiptOf([text]));

	describe('many numbers, each with its own call', () => {
		const MANY = /^51 separate calls\. Check Many Numbers takes up to 1,000 per call/;

		it('get advice to use a batch, once, in the receipt', async () => {
			const items = [...numbers(51), ...numbers(3), { number: 'n/a' }];
			const { hints } = await run(checkNumber, { items });

			expect(hints()).toHaveLength(2);
			expect(receiptOf(hints())).toMatchObject({ items: 55, calls: 51, duplicates: 3 });
			expect(adviceOf(hints())).toEqual([expect.stringMatching(MANY)]);
		});

		it('get this advice from a Dry Run already', async () => {
			const options = { dryRun: true };
			const { hints } = await run(
				{ ...checkNumber, ...inCollections(options) },
				{ items: numbers(51) },
			);

			expect(sandbox.log).toEqual([]);
			expect(hints()).toEqual([expect.stringMatching(MANY)]);
		});

		it.each([
			['of the node that failed', { options: { ifSomeItemsFail: 'stopNode' } }, {}],
			['of a node whose first item failed', {}, { onError: 'continueRegularOutput' as const }],
		])(
			'get this advice once from the retry %s, which makes fewer calls',
			async (_, parameters, settings) => {
				const body = { status: false, error: 'Invalid API key.' };
				sandbox.fault({ kind: 'status', status: 401, body, contains: '5551000', times: 1 });
				const result = await run(
					{ ...checkNumber, ...parameters },
					{ items: numbers(51), retryOnFail: true, maxTries: 2, ...settings },
				);

				expect(result.status).toBe('success');
				expect(sandbox.log).toHaveLength(52);
				expect(result.hints()).toHaveLength(2);
				expect(adviceOf(result.hints())).toEqual([expect.stringMatching(MANY)]);
			},
		);

		it('get no advice if they are few, or for other lookups', async () => {
			expect(adviceOf((await run(checkNumber, { items: numbers(50) })).hints())).toEqual([]);
			const validate = { ...checkNumber, resource: 'phone', operation: 'validate' };
			expect(adviceOf((await run(validate, { items: numbers(60) })).hints())).toEqual([]);
		});
	});

	describe('a Limit that hides results', () => {
		const items = [{ query: 'coffee' }, { query: 'tea' }];

		it('says how many, with and without Split Into Items', async () => {
			const all = (await run({ ...searchForum, returnAll: true }, { items })).items().length;
			for (const splitIntoItems of [true, false]) {
				const { hints } = await run({ ...searchForum, limit: 1, splitIntoItems }, { items });
				expect(hints()).toHaveLength(2);
				expect(adviceOf(hints())[0]).toMatch(
					`${all - 2} more result${all === 3 ? ' is' : 's are'} hidden by Limit. A call with a higher Limit costs the same.`,
				);
			}
		});

		it('counts comments too', async () => {
			const { hints } = await run({ ...getForumPost, limit: 1 });
			expect(adviceOf(hints())[0]).toMatch(
				/^\d+ more results? (is|are) hidden by Limit\. A call with a higher Limit costs the same\.$/,
			);
		});

		it('says nothing if it hides none', async () => {
			expect(adviceOf((await run({ ...searchForum, limit: 50 }, { items })).hints())).toEqual([]);
			const all = await run({ ...searchForum, returnAll: true }, { items });
			expect(adviceOf(all.hints())).toEqual([]);
		});
	});
});
