import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { magic, startSandbox, type Sandbox } from '../sandbox';
import { AT_ONCE, release, type NodeRun } from '../harness/n8n';
import { credentialsOf, expectOnlyE164, runnerOn } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';
import { resetTime, slept } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const fromItems = { phoneNumber: '={{ $json.number }}' };
const checkMany = { resource: 'batch', operation: 'checkMany', ...fromItems };
const submit = { resource: 'batch', operation: 'submit', ...fromItems };
const get = { resource: 'batch', operation: 'get', batchId: '={{ $json.batchId }}' };

const { PHONE } = magic;
const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);
const linksOf = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
const column = (items: INodeExecutionData[], name: string) =>
	jsonOf(items).map((json) => json[name]);
/** Distinct German mobile numbers. */
const numbers = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ number: `+49151${String(10_000_000 + n)}` }));

describe(`batches, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 0 });
	});
	beforeEach(() => {
		sandbox.reset();
		sandbox.setBatchSpeed(0);
		resetTime((_, count) => {
			if (count >= 2) sandbox.finishBatches();
		});
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const run = runnerOn(() => sandbox);
	const calls = (method: string) => sandbox.log.filter((request) => request.method === method);
	const submitted = () =>
		calls('POST').map(({ body }) => (body as { phone_numbers: string[] }).phone_numbers);

	describe('Check Many Numbers', () => {
		it('reads HTTP 402 without words as a refusal of the account, which costs nothing', async () => {
			sandbox.fault({ kind: 'body', body: {}, status: 402, method: 'POST' });
			sandbox.setBalance(sandbox.keys.main, 'whatsapp', 3);
			const result = await run(checkMany, { items: numbers(12) });

			const { message, description } = result.error as Error & { description?: string };
			expect(message).toMatch(/You weren't charged/);
			expect(description).toMatch(/Nothing charged/);
			expect(description).not.toMatch(/may have been charged/);
		});

		it('says how much a batch without an ID may have cost', async () => {
			sandbox.fault({ kind: 'body', body: { status: 'processing' }, method: 'POST' });
			const result = await run(checkMany, { items: numbers(12) });

			const { description } = result.error as { description?: string };
			expect(sandbox.spent(sandbox.keys.main).whatsapp).toBe(12);
			expect(description).toMatch(/May have been charged: 1 WhatsApp call \(up to 12 credits\)/);
		});

		it('returns one result per input, in order and linked, from one submission', async () => {
			const items = [
				{ number: PHONE.onWhatsApp },
				{ number: 'n/a' },
				{ number: PHONE.notOnWhatsApp },
				{ number: PHONE.onWhatsApp.replace('+1', '+1 ') },
				{ number: PHONE.batchRowFails },
				{ number: PHONE.batchRowLost },
				{ number: PHONE.batchRowWordless },
				{ number: '0171 2345678' },
				{ number: PHONE.notOnWhatsApp },
			];
			const result = await run(checkMany, { items });

			expect(result.error?.message).toBeUndefined();
			expect(column(result.items(), 'outcome')).toEqual([
				...['positive', 'negative', 'negative', 'positive', 'unknown', 'unknown', 'unknown'],
				...['unknown', 'negative'],
			]);
			expect(column(result.items(), 'source')).toEqual([
				...['service', 'local', 'service', 'duplicate', 'failed', 'service', 'service'],
				...['local', 'duplicate'],
			]);
			expect(column(result.items(), 'input')).toEqual(items.map(({ number }) => number));
			expect(linksOf(result.items())).toEqual(items.map((_, item) => ({ item })));
			expect(submitted()).toEqual([
				[
					...[PHONE.onWhatsApp, PHONE.notOnWhatsApp, PHONE.batchRowFails],
					...[PHONE.batchRowLost, PHONE.batchRowWordless],
				],
			]);
			expect(jsonOf(result.items())[4].reason).toMatch(/Submitting it again costs another credit/);
			expect(jsonOf(result.items())[5].reason).toMatch(/returned no row/);
			expect(receiptOf(result.hints())).toMatchObject({
				...{ items: 9, duplicates: 2, local: 2, failed: 1 },
				credits: { whatsapp: sandbox.spent(sandbox.keys.main).whatsapp },
			});
		});

		it('splits 10,000 numbers into 10 submissions, one credit per number, polled at the rate in SPEC', async () => {
			resetTime((_, count) => {
				if (count === 30) sandbox.finishBatches();
			});
			const result = await run(checkMany, { items: [...numbers(10_000), ...numbers(10)] });

			expect(result.items()).toHaveLength(10_010);
			expect(linksOf(result.items()).at(-1)).toEqual({ item: 10_009 });
			expect(submitted().map(({ length }) => length)).toEqual(Array(10).fill(1000));
			expect(sandbox.spent(sandbox.keys.main).whatsapp).toBe(10_000);
			expect(calls('GET').length).toBeLessThanOrEqual(slept.length);
			expect(calls('GET').length).toBeLessThanOrEqual(40);
			expect(Math.min(...slept)).toBeGreaterThanOrEqual(30_000);
			expect(Math.max(...slept)).toBeLessThanOrEqual(60_000);
			expect(new Set(column(result.items(), 'source'))).toEqual(new Set(['service', 'duplicate']));
		});

		it('takes a list: one result per number, linked to its item', async () => {
			const list = { ...checkMany, numbersFrom: 'list', phoneNumbers: '={{ $json.list }}' };
			const items = [
				{ list: [PHONE.onWhatsApp, PHONE.notOnWhatsApp] },
				{ list: `${PHONE.notOnWhatsApp}\n+49 151 10000000; ${PHONE.onWhatsApp},` },
			];
			const result = await run(list, { items });

			expect(linksOf(result.items()).map((link) => (link as { item: number }).item)).toEqual([
				...[0, 0, 1, 1, 1],
			]);
			expect(column(result.items(), 'outcome').slice(0, 3)).toEqual([
				...['positive', 'negative', 'negative'],
			]);
			expect(submitted()[0]).toHaveLength(3);
		});

		it('takes a list that a model writes as JSON', async () => {
			const list = { ...checkMany, numbersFrom: 'list', phoneNumbers: '={{ $json.list }}' };
			const items = [{ list: `["${PHONE.onWhatsApp}", "'${PHONE.notOnWhatsApp}'"]` }];
			const result = await run(list, { items });

			expect(submitted()).toEqual([[PHONE.onWhatsApp, PHONE.notOnWhatsApp]]);
			expect(column(result.items(), 'outcome')).toEqual(['positive', 'negative']);
		});

		it('finds the row of a number whose + the service has dropped', async () => {
			const row = { status: 'completed', wa_status: 'VALID_CONFIRMED', numberstatus: true };
			sandbox.fault({
				method: 'GET',
				kind: 'body',
				body: {
					...{ status: 'completed', total_numbers: 2 },
					results: [
						{ ...row, phone_number: '4915110000001' },
						{ ...row, phone_number: '4915110000000', numberstatus: false },
					],
				},
			});
			const result = await run(checkMany, { items: numbers(2) });

			expect(column(result.items(), 'outcome')).toEqual(['negative', 'positive']);
		});

		it('submits a number with and without its + once, and never mixes up rows', async () => {
			const row = { status: 'completed', wa_status: 'VALID_CONFIRMED', numberstatus: true };
			sandbox.fault({
				method: 'GET',
				kind: 'body',
				body: {
					...{ status: 'completed', total_numbers: 2 },
					results: [{ ...row, phone_number: '+4915110000000' }],
				},
			});
			const items = ['+4915110000000', '4915110000000', '+4915110000001'];
			const result = await run(checkMany, { items: items.map((number) => ({ number })) });

			expect(submitted()).toEqual([['+4915110000000', '+4915110000001']]);
			expect(column(result.items(), 'outcome')).toEqual(['positive', 'positive', 'unknown']);
			expect(jsonOf(result.items())[2].reason).toMatch(/returned no row/);
		});

		it.each([-5000, '1,500', null])(
			'keeps its polling rate whatever total the service reports (%j)',
			async (total) => {
				sandbox.fault({
					...{ method: 'GET', kind: 'body', status: 200, times: 3 },
					body: { status: 'processing', total_numbers: total, results: [] },
				});
				const batchId = '8c5f1c1e-0000-4000-8000-000000000000';
				const parameters = { ...get, waitUntilFinished: true };
				await run(parameters, { items: [{ batchId }] });

				expect(slept.length).toBeGreaterThanOrEqual(3);
				expect(Math.min(...slept)).toBeGreaterThanOrEqual(2_000);
			},
		);

		it('fails only the numbers of a batch without enough credits, and quotes the credits', async () => {
			sandbox.setBalance(sandbox.keys.main, 'whatsapp', 1000);
			const result = await run(checkMany, { items: numbers(1005) });

			const failed = jsonOf(result.items()).filter(({ source }) => source === 'failed');
			expect([5, 1000]).toContain(failed.length);
			expect(failed[0].reason).toMatch(
				/Not enough WhatsApp credits \(\d+ required, \d+ available\)\. Add credits, or run fewer items\. You weren't charged\.$/,
			);
			expect(result.items()).toHaveLength(1005);
			expect(sandbox.spent(sandbox.keys.main).whatsapp).toBe(1005 - failed.length);
		});

		it('repeats unanswered polls, which are free, and never a submission', async () => {
			sandbox.fault({ method: 'GET', kind: 'resetAfterCharge', times: 2 });
			sandbox.fault({ method: 'GET', kind: 'status', status: 502, times: 1 });
			const result = await run(checkMany, { items: numbers(3) });

			expect(result.status).toBe('success');
			expect(column(result.items(), 'source')).toEqual(['service', 'service', 'service']);
			expect(calls('POST')).toHaveLength(1);
			expect(calls('GET')).toHaveLength(4);
		});

		it('does not submit again after no answer, since it may have been charged', async () => {
			sandbox.fault({ method: 'POST', kind: 'resetAfterCharge', times: 1 });
			const result = await run(checkMany, { items: numbers(3) });

			expect(result.error?.message).toMatch(/may have been charged/);
			expect(calls('POST')).toHaveLength(1);
		});

		it('says after Max Wait which batches were paid for; Get continues them free of charge', async () => {
			resetTime();
			const options = { maxWait: 5 };
			const result = await run({ ...checkMany, options }, { items: numbers(1500) });

			const ids = [...(result.error?.message ?? '').matchAll(/[0-9a-f-]{36}/g)].map(([id]) => id);
			expect(new Set(ids).size).toBe(2);
			expect(result.error?.message).toMatch(/isn't finished after 5 minutes/);
			expect(result.error?.message).toMatch(
				/charged for the batch .*Batch → Get with this ID returns the result at no cost/,
			);

			sandbox.finishBatches();
			const spent = sandbox.spent(sandbox.keys.main).whatsapp;
			const again = await run(get, { items: [...new Set(ids)].map((batchId) => ({ batchId })) });
			expect(again.items()).toHaveLength(1500);
			expect(sandbox.spent(sandbox.keys.main).whatsapp).toBe(spent);
		});

		it('stops waiting when the execution is stopped', async () => {
			const stop = new AbortController();
			resetTime((_, count) => {
				if (count === 3) stop.abort();
			});
			const result = await run(checkMany, { items: numbers(5), signal: stop.signal });

			expect(['canceled', 'error']).toContain(result.status);
			expect(calls('GET').length).toBeLessThanOrEqual(4);
			expect(calls('POST')).toHaveLength(1);
		});

		it('ends the run at its first submission with a wrong key', async () => {
			const credentials = credentialsOf(sandbox, { apiKey: 'sandbox-key-nobody' });
			const options = { [AT_ONCE]: 1 };
			const result = await run({ ...checkMany, options }, { items: numbers(3000), credentials });

			expect(result.error?.message).toMatch(/Invalid API key/);
			expect(calls('POST')).toHaveLength(1);
		});
	});

	describe('Submit and Get', () => {
		it.each(['submit', 'checkMany'])(
			'%s says that a batch may have been charged if the service names it and refuses it',
			async (operation) => {
				const body = { batch_id: 'b1', status: false, error: 'Insufficient WA API credits.' };
				sandbox.fault({ kind: 'status', status: 402, method: 'POST', body });
				const result = await run({ ...checkMany, operation }, { items: numbers(2) });
				expect(result.error?.message).toMatch(/You may have been charged for the batch b1\./);
				const { message, description } = result.error as Error & { description: string };
				expect(message + description).not.toMatch(/were charged|was paid/);
			},
		);

		it('return one item per batch, linked to all its inputs', async () => {
			const items = [...numbers(1002), ...numbers(2)];
			const result = await run(submit, { items });

			expect(column(result.items(), 'totalNumbers')).toEqual([1000, 2]);
			const links = linksOf(result.items()) as Array<Array<{ item: number }>>;
			expect(links.map(({ length }) => length)).toEqual([1002, 2]);
			expect(links[1]).toEqual([{ item: 1000 }, { item: 1001 }]);
			expect(links[0].slice(-2)).toEqual([{ item: 1002 }, { item: 1003 }]);
			expect(slept).toEqual([]);
			expect(sandbox.spent(sandbox.keys.main).whatsapp).toBe(1002);
		});

		it('fail each input of a batch by its own number, linked to that input', async () => {
			sandbox.fault({ kind: 'status', status: 402, path: 'batch' });
			const onError = 'continueRegularOutput';
			const result = await run(submit, { items: numbers(3), onError });

			expect(linksOf(result.items())).toEqual([0, 1, 2].map((item) => ({ item })));
			expect(column(result.items(), 'error')).toEqual(
				[0, 1, 2].map((item) => expect.stringMatching(new RegExp(`\\[item ${item}\\]$`))),
			);
		});

		const messy = [{ number: 'n/a' }, ...numbers(1001), { number: '' }, { number: '0171 2345678' }];
		const leftOut = [
			{ item: 0, reason: expect.stringMatching(/^Phone Number \("n\/a"\)/) as string },
			{ item: 1002, reason: 'Phone Number is empty' },
			{ item: 1003, reason: expect.stringMatching(/Set Country/) as string },
		];

		it('submit the others without invalid numbers, and list those once, by their items', async () => {
			const result = await run(submit, { items: messy });

			expect(column(result.items(), 'totalNumbers')).toEqual([1000, 1]);
			expect(column(result.items(), 'leftOut')).toEqual([leftOut, []]);
			expect(sandbox.spent(sandbox.keys.main).whatsapp).toBe(1001);
			expect(receiptOf(result.hints())).toMatchObject({
				items: 1004,
				credits: { whatsapp: 1001 },
				local: 3,
			});
		});

		it('name the unanswered batch, and no invalid number, when a retry finds it', async () => {
			sandbox.fault({ kind: 'resetAfterCharge', path: 'batch', times: 1 });
			const items = [...numbers(2), { number: 'n/a' }];
			const result = await run(submit, { items, retryOnFail: true, maxTries: 2 });

			expect(result.error?.message).toMatch(/You may have been charged/);
			expect(sandbox.log.filter(({ method }) => method === 'POST')).toHaveLength(1);
		});

		it('return each left-out number as an item with Output Raw', async () => {
			const result = await run(
				{ ...submit, output: 'raw' },
				{ items: [...numbers(2), { number: 'n/a' }] },
			);
			expect(column(result.items(), 'reason').filter(Boolean)).toEqual([
				expect.stringMatching(/^Phone Number \("n\/a"\)/),
			]);
		});

		it('list invalid numbers with a submitted batch when another one fails', async () => {
			sandbox.setBalance(sandbox.keys.main, 'whatsapp', 500);
			const onError = 'continueRegularOutput';
			const result = await run(submit, { items: messy, onError });

			const [batch, ...others] = jsonOf(result.items()).filter(({ batchId }) => batchId);
			expect(others).toEqual([]);
			expect(batch).toMatchObject({ totalNumbers: 1, leftOut });
		});

		it.each([
			['is all there is', [{ number: 'n/a' }, { number: '' }], {}, 0],
			[
				'is to fail',
				[...numbers(2), { number: 'n/a' }],
				{ alsoFailItemsIf: ['inputIsInvalid'] },
				2,
			],
		])('send nothing when invalid input %s', async (_, items, options, item) => {
			const result = await run({ ...submit, options }, { items });

			expect(result.error?.message).toMatch(/^Phone Number .*no digits.*You weren't charged/);
			expect(result.error?.message).toMatch(new RegExp(`\\[item ${item}\\]$`));
			expect(sandbox.log).toEqual([]);
		});

		it.each([
			['one item per number with Split Into Items', { splitIntoItems: true }, 3],
			['one item per batch without it', { splitIntoItems: false }, 1],
		])('Get returns %s', async (_, how, count) => {
			const [first] = (await run(submit, { items: numbers(3) })).items();
			sandbox.finishBatches();
			const spent = sandbox.spent(sandbox.keys.main);
			const result = await run({ ...get, ...how }, { items: [first] });

			expect(result.items()).toHaveLength(count);
			expect(linksOf(result.items())).toEqual(Array(count).fill({ item: 0 }));
			expect(new Set(column(result.items(), 'batchId'))).toEqual(new Set([first.json.batchId]));
			expect(sandbox.spent(sandbox.keys.main)).toEqual(spent);
			expect(Object.keys(result.items()[0].json).length).toBeLessThanOrEqual(10);
			expect(result.hints()[0]).toContain('Nothing charged');
		});

		describe('the input fields of its items', () => {
			const people = [
				{ id: 1, number: '+44 20 7946 1001', deep: { tags: ['a'] } },
				{ id: 2, number: '+1 (202) 555-0102' },
				{ id: 3, number: 'n/a' },
				{ id: 4, number: '+442079461001' },
			];
			const idsOf = (result: NodeRun) =>
				jsonOf(result.items()).map(({ inputFields, phoneNumber }) => [
					(inputFields as IDataObject | null)?.id ?? null,
					phoneNumber,
				]);
			const ROWS = [
				[1, '+442079461001'],
				[4, '+442079461001'],
				[2, '+12025550102'],
			];

			it('are returned beside the rows of their numbers, once for each item', async () => {
				const [batch] = (await run(submit, { items: people })).items();
				expect(batch.json.submitted).toEqual([
					{ number: '+442079461001', fields: people[0] },
					{ number: '+12025550102', fields: people[1] },
					{ number: '+442079461001', fields: people[3] },
				]);
				sandbox.finishBatches();
				const result = await run(get, { items: [batch] });
				expect(idsOf(result)).toEqual(ROWS);
				expect(jsonOf(result.items())[0].inputFields).toEqual(people[0]);
				expect(linksOf(result.items())).toEqual(ROWS.map(() => ({ item: 0 })));
			});

			it('remain with a batch that is polled before, as in a loop that waits', async () => {
				const [batch] = (await run(submit, { items: people })).items();
				sandbox.finishBatches();
				const [looked] = (await run({ ...get, splitIntoItems: false }, { items: [batch] })).items();
				expect(looked.json).toMatchObject({ status: 'completed', submitted: batch.json.submitted });
				expect(idsOf(await run(get, { items: [looked] }))).toEqual(ROWS);
			});

			it('belong to each of several batches', async () => {
				const items = numbers(1003).map((one, id) => ({ ...one, id }));
				const batches = (await run(submit, { items })).items();
				expect(batches.map(({ json }) => (json.submitted as unknown[]).length)).toEqual([1000, 3]);
				sandbox.finishBatches();
				const result = await run(get, { items: batches });
				expect(idsOf(result).map(([id]) => id)).toEqual(items.map(({ id }) => id));
			});

			it('are missing for numbers of a list, and for an ID without them', async () => {
				const list = {
					...submit,
					numbersFrom: 'list',
					phoneNumbers: numbers(2)
						.map(({ number }) => number)
						.join(),
				};
				const [batch] = (await run(list, { items: [{ id: 1 }] })).items();
				expect(batch.json.submitted).toEqual([]);
				sandbox.finishBatches();
				const { batchId } = batch.json;
				for (const submitted of [undefined, [], 'x', [null, 7, { number: 5 }], { number: 'x' }]) {
					const given = { batchId, ...(submitted !== undefined && { submitted }) } as IDataObject;
					const ids = idsOf(await run(get, { items: [given] }));
					expect(ids.map(([id]) => id)).toEqual([null, null]);
				}
			});
		});

		it('Get waits when this is set, and else returns the results so far', async () => {
			const [batch] = (await run(submit, { items: numbers(4) })).items();
			const now = await run({ ...get, splitIntoItems: false }, { items: [batch] });
			expect(jsonOf(now.items())[0]).toMatchObject({ status: 'processing', totalNumbers: 4 });
			expect(slept).toEqual([]);

			const later = await run({ ...get, waitUntilFinished: true }, { items: [batch] });
			expect(column(later.items(), 'source')).toEqual(Array(4).fill('service'));
			expect(slept).toHaveLength(2);
		});

		it('Get takes several IDs; an unknown one fails its own item and cannot change the path', async () => {
			const [batch] = (await run(submit, { items: numbers(2) })).items();
			sandbox.finishBatches();
			const { batchId } = batch.json as IDataObject;
			const items = [
				{ batchId: `${String(batchId)}\n00000000-0000-4000-8000-000000000000` },
				{ batchId: '../../checkbalance' },
			];
			const result = await run(get, { items, onError: 'continueRegularOutput' });

			expect(column(result.items(), 'error').map((error) => typeof error)).toEqual([
				...['undefined', 'undefined', 'string', 'string'],
			]);
			expect(jsonOf(result.items())[2].error).toMatch(/Batch not found or access denied/);
			expect(jsonOf(result.items())[3].error).toMatch(
				/can't be sent, because a URL reads it as a path/,
			);
			expect(calls('GET').every(({ path }) => path.includes('/wavalidation/batch/'))).toBe(true);
		});
	});
});
