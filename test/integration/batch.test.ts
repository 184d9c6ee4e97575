import type { IDataObject } from 'n8n-workflow';
import { magic } from '../sandbox';
import { release, type NodeRun } from '../harness/n8n';
import { checkMany, numbers, submitBatch } from '../harness/parameters';
import { column, storiesOn } from '../harness/stories';
import { resetTime, slept } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const get = { resource: 'batch', operation: 'get', batchId: '={{ $json.batchId }}' };
const onList = { ...checkMany, numbersFrom: 'list', phoneNumbers: '={{ $json.list }}' };
const { PHONE } = magic;
const ofNumbers = (...all: string[]) => all.map((number) => ({ number }));
const onError = 'continueRegularOutput' as const;
const jsonOf = (run: NodeRun) => run.items().map(({ json }) => json);
const [service, duplicate, local] = ['service', 'duplicate', 'local'];

describe(`batches, n8n ${release}`, () => {
	const on = storiesOn({ batchNumbersPerSecond: 0 });
	const { act, play, see, spent, tell } = on;
	const finishAfter = (sleeps: number) =>
		resetTime((_, count) => count >= sleeps && on.service().finishBatches());
	beforeEach(() => finishAfter(2));

	const calls = (method: string) => on.service().log.filter((request) => request.method === method);
	const submitted = () =>
		calls('POST').map(({ body }) => (body as { phone_numbers: string[] }).phone_numbers);

	describe('Check Many Numbers', () => {
		const MIXED = ofNumbers(
			...[PHONE.onWhatsApp, 'ask me', PHONE.notOnWhatsApp, PHONE.onWhatsApp.replace('+1', '+1 ')],
			...[PHONE.batchRowFails, PHONE.batchRowLost, PHONE.batchRowWordless, '0171 2345678'],
			PHONE.notOnWhatsApp,
		);
		tell({
			'says how much a batch without an ID may have cost': {
				...{ node: checkMany, items: numbers(12), spent: { whatsapp: 12 } },
				faults: [{ kind: 'body', body: { status: 'processing' }, method: 'POST' }],
				describes: /May have been charged: 1 WhatsApp call \(up to 12 credits\)/,
			},
			'returns one result per input, in order and linked, from one submission': {
				...{ node: checkMany, items: MIXED, links: [[0, 1, 2, 3, 4, 5, 6, 7, 8]] },
				outcomes: [
					...['positive', 'negative', 'negative', 'positive', 'unknown', 'unknown', 'unknown'],
					...['unknown', 'negative'],
				],
				sources: [
					...[service, local, service, duplicate, 'failed', service, service, local, duplicate],
				],
				fields: { input: MIXED.map(({ number }) => number) },
				item: {
					4: { reason: /Submitting it again .*charged for the batch [0-9a-f-]{36}\.$/ },
					5: { reason: /returned no row/ },
				},
				receipt: { items: 9, duplicates: 2, local: 2, failed: 1 },
				also(run) {
					const asked = [0, 2, 4, 5, 6].map((item) => MIXED[item].number);
					expect(submitted()).toEqual([asked]);
					expect(run.hints()[0]).toContain(`Charged: ${spent().whatsapp} WhatsApp credits`);
				},
			},
			'takes a list: one result per number, linked to its item': {
				node: onList,
				items: [
					{ list: [PHONE.onWhatsApp, PHONE.notOnWhatsApp] },
					{ list: `${PHONE.notOnWhatsApp}\n+49 151 10000000; ${PHONE.onWhatsApp},` },
				],
				links: [[0, 0, 1, 1, 1]],
				also(run) {
					const outcomes = column(run, 'outcome').slice(0, 3);
					expect(outcomes).toEqual(['positive', 'negative', 'negative']);
					expect(submitted().map(({ length }) => length)).toEqual([3]);
				},
			},
			'has one error for a list that failed, so that a loop has no more items than before': {
				...{
					node: onList,
					items: [{ list: numbers(2).map(({ number }) => number) }],
					onError,
					links: [[0]],
				},
				faults: [{ method: 'POST', kind: 'resetAfterCharge', times: 1 }],
				also: (run) => expect(jsonOf(run)[0].error).toMatch(/You may have been charged\.$/),
			},
			'fails only the numbers of a batch without enough credits, and quotes the credits': {
				...{ node: checkMany, items: numbers(1005), balance: { whatsapp: 1000 } },
				also(run) {
					const failed = jsonOf(run).filter(({ source }) => source === 'failed');
					expect([5, 1000]).toContain(failed.length);
					expect(failed[0].reason).toMatch(
						/Not enough WhatsApp credits \(\d+ required, \d+ available\)\. Add credits, or run fewer items\. You weren't charged\.$/,
					);
					expect(run.items()).toHaveLength(1005);
					expect(spent().whatsapp).toBe(1005 - failed.length);
				},
			},
		});

		it('splits numbers into submissions of 1,000, one credit per number, polled at the rate in SPEC', async () => {
			finishAfter(30);
			const count = 2_000;
			const items = Array.from({ length: count }, (_, n) => ({
				number: `+49151${String(10_000_000 + n)}`,
			}));
			const run = await play({ node: checkMany, items: [...items, ...items.slice(0, 10)] });
			expect(run.items()).toHaveLength(count + 10);
			expect(run.items().at(-1)?.pairedItem).toEqual({ item: count + 9 });
			expect(submitted().map(({ length }) => length)).toEqual([1000, 1000]);
			expect(spent().whatsapp).toBe(count);
			expect(calls('GET').length).toBeLessThanOrEqual(Math.min(slept.length, 40));
			expect(Math.min(...slept)).toBeGreaterThanOrEqual(30_000);
			expect(Math.max(...slept)).toBeLessThanOrEqual(60_000);
			expect(new Set(column(run, 'source'))).toEqual(new Set([service, duplicate]));
		});

		it('says after Max Wait which batches were paid for; Get continues them free of charge', async () => {
			resetTime();
			const { error } = await see({
				...{ node: checkMany, options: { maxWait: 5 }, items: numbers(1001) },
				fails:
					/isn't finished after 5 minutes.*charged for the batch .*Batch → Get with this ID returns the result at no cost/,
			});
			const ids = new Set([...error!.message.matchAll(/[0-9a-f-]{36}/g)].map(([id]) => id));
			expect(ids.size).toBe(2);

			on.service().finishBatches();
			const before = spent();
			const again = await play({ node: get, items: [...ids].map((batchId) => ({ batchId })) });
			expect([again.items().length, spent()]).toEqual([1001, before]);
		});
	});

	describe('Submit', () => {
		const INVALID = { number: 'ask me' };
		const messy = [INVALID, ...numbers(1001), { number: '' }, { number: '0171 2345678' }];
		const leftOut = [
			{ item: 0, reason: /^Phone Number \("ask me"\)/ },
			{ item: 1002, reason: 'Phone Number is empty' },
			{ item: 1003, reason: /Set Country/ },
		];
		const nothingSent = /^Phone Number .*no digits.*You weren't charged/;
		tell({
			'returns one item per batch, linked to all its inputs': {
				...{ node: submitBatch, items: [...numbers(1002), ...numbers(2)] },
				...{ fields: { totalNumbers: [1000, 2] }, spent: { whatsapp: 1002 } },
				also(run) {
					const links = run.items().map(({ pairedItem }) => pairedItem as Array<{ item: number }>);
					expect(links[0].slice(-2)).toEqual([{ item: 1002 }, { item: 1003 }]);
					expect([links[0].length, links[1]]).toEqual([1002, [{ item: 1000 }, { item: 1001 }]]);
					expect(slept).toEqual([]);
				},
			},
			'submits the others without invalid numbers, and lists those once, by their items': {
				...{ node: submitBatch, items: messy, spent: { whatsapp: 1001 } },
				fields: { totalNumbers: [1000, 1], leftOut: [leftOut, []] },
				receipt: { items: 1004, credits: { whatsapp: 1001 }, local: 3 },
			},
			'returns each left-out number as an item with Output Raw': {
				node: { ...submitBatch, output: 'raw' },
				items: [...numbers(2), INVALID],
				also: (run) =>
					expect(column(run, 'reason').filter(Boolean)).toEqual([
						expect.stringMatching(/^Phone Number \("ask me"\)/),
					]),
			},
			'sends nothing when invalid input is all there is': {
				...{ node: submitBatch, items: [INVALID, { number: '' }], calls: 0 },
				fails: new RegExp(`${nothingSent.source}.*\\[item 0\\]$`),
			},
			'sends nothing when invalid input is to fail': {
				...{ node: submitBatch, items: [...numbers(2), INVALID], calls: 0 },
				options: { alsoFailItemsIf: ['inputIsInvalid'] },
				fails: new RegExp(`${nothingSent.source}.*\\[item 2\\]$`),
			},
		});
	});

	describe('Get', () => {
		/** Submits, and returns the items of the batches when they are finished. */
		const finished = async (items: IDataObject[], node: object = submitBatch) => {
			const batches = (await play({ node, items })).items();
			on.service().finishBatches();
			return batches;
		};

		it.each([
			['one item per number with Split Into Items', { splitIntoItems: true }, 3],
			['one item per batch without it', { splitIntoItems: false }, 1],
		])('returns %s', async (_, how, count) => {
			const [batch] = await finished(numbers(3));
			const before = spent();
			const run = await see({
				...{ node: { ...get, ...how }, items: [batch], spent: before },
				...{ links: [Array(count).fill(0)], hints: /Nothing charged/ },
				fields: { batchId: Array(count).fill(batch.json.batchId) },
			});
			expect(Object.keys(run.items()[0].json).length).toBeLessThanOrEqual(10);
		});

		const people = [
			{ id: 1, number: '+44 20 7946 1001', deep: { tags: ['a'] } },
			{ id: 2, number: '+1 (202) 555-0102' },
			{ id: 3, number: 'ask me' },
			{ id: 4, number: '+442079461001' },
		];
		const idsOf = (run: NodeRun) =>
			jsonOf(run).map(({ inputFields, phoneNumber }) => [
				(inputFields as IDataObject | null)?.id ?? null,
				phoneNumber,
			]);
		const ROWS = [
			[1, '+442079461001'],
			[4, '+442079461001'],
			[2, '+12025550102'],
		];

		it('returns the input fields of each item beside the rows of its number', async () => {
			const [batch] = await finished(people);
			expect(batch.json.submitted).toEqual([
				{ number: '+442079461001', fields: people[0] },
				{ number: '+12025550102', fields: people[1] },
				{ number: '+442079461001', fields: people[3] },
			]);
			const run = await see({ node: get, items: [batch], links: [[0, 0, 0]] });
			expect(idsOf(run)).toEqual(ROWS);
			expect(jsonOf(run)[0].inputFields).toEqual(people[0]);
			// They remain with a batch that is polled before, as in a loop that waits
			const [looked] = (await act({ ...get, splitIntoItems: false }, { items: [batch] })).items();
			expect(looked.json).toMatchObject({ status: 'completed', submitted: batch.json.submitted });
			expect(idsOf(await act(get, { items: [looked] }))).toEqual(ROWS);
		});

		it('returns a row for each number that the service left out, if Submit lists them', async () => {
			const items = [PHONE.onWhatsApp, PHONE.batchRowLost].map((number, id) => ({ number, id }));
			const [batch] = await finished(items);
			const { batchId, ...without } = batch.json;
			const rows = jsonOf(await act(get, { items: [batch] }));
			expect(rows).toMatchObject([
				{ outcome: 'positive', inputFields: items[0] },
				{
					...{ batchId, submittedNumber: PHONE.batchRowLost, inputFields: items[1] },
					...{ outcome: 'unknown', reason: expect.stringMatching(/returned 1 of its 2 rows/) },
				},
			]);
			// A list of another batch says nothing of this one
			const submitted = [
				...(without.submitted as object[]),
				{ number: '+12025550199', fields: {} },
			];
			const [, rest] = jsonOf(await act(get, { items: [{ batchId, submitted }] }));
			expect(rest).toMatchObject({ status: 'completed', totalNumbers: 2 });
		});

		it('returns the input fields with each of several batches', async () => {
			const items = numbers(1003).map((one, id) => ({ ...one, id }));
			const batches = await finished(items);
			expect(batches.map(({ json }) => (json.submitted as unknown[]).length)).toEqual([1000, 3]);
			const ids = idsOf(await act(get, { items: batches })).map(([id]) => id);
			expect(ids).toEqual(items.map(({ id }) => id));
		});

		it('returns no input fields for numbers of a list, and for an ID without them', async () => {
			const list = numbers(2).map(({ number }) => number);
			const [batch] = await finished([{ id: 1, list }], { ...onList, operation: 'submit' });
			expect(batch.json.submitted).toEqual([]);
			const { batchId } = batch.json;
			for (const given of [undefined, [], 'x', [null, 7, { number: 5 }], { number: 'x' }]) {
				const item = { batchId, ...(given !== undefined && { submitted: given }) } as IDataObject;
				const ids = idsOf(await act(get, { items: [item] }));
				expect(ids.map(([id]) => id)).toEqual([null, null]);
			}
		});

		it('waits when this is set, and else returns the results so far', async () => {
			const [batch] = (await act(submitBatch, { items: numbers(4) })).items();
			const now = { node: { ...get, splitIntoItems: false }, items: [batch] };
			await see({ ...now, item: { 0: { status: 'processing', totalNumbers: 4 } } });
			expect(slept).toEqual([]);
			const later = { node: { ...get, waitUntilFinished: true }, items: [batch] };
			await see({ ...later, sources: Array(4).fill(service) });
			expect(slept).toHaveLength(2);
		});

		it('takes several IDs; an unknown one fails its own item and cannot change the path', async () => {
			const [{ json }] = await finished(numbers(2));
			const ids = `${String(json.batchId)}\n00000000-0000-4000-8000-000000000000`;
			const unknown = /Batch not found or access denied/;
			const noPath = /can't be sent, because a URL reads it as a path/;
			await see({
				...{ node: get, items: [{ batchId: ids }, { batchId: '../../checkbalance' }], onError },
				fields: { error: [undefined, undefined, unknown, noPath] },
			});
			for (const { path } of calls('GET')) expect(path).toContain('/wavalidation/batch/');
		});
	});
});
