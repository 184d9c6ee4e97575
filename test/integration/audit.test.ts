import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeExecutionData, Logger } from 'n8n-workflow';
import { magic, startSandbox, type Sandbox } from '../sandbox';
import { AT_ONCE, release } from '../harness/n8n';
import { runnerOn } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';
import { resetTime, slept } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const { AUDIT } = magic;

const request = {
	brandName: '={{ $json.brand }}',
	brandUrl: '={{ $json.url ?? "https://brand.example" }}',
	competitors: '={{ $json.competitors ?? "" }}',
};
const runAudit = { resource: 'audit', operation: 'run', ...request };
const runAndWait = { resource: 'audit', operation: 'runAndWait', ...request };
const get = { resource: 'audit', operation: 'get', auditId: '={{ $json.auditId }}' };
const getSummary = { ...get, operation: 'getSummary' };

const HEAD = ['input', 'outcome', 'source', 'reason'];
const PACE_MS = 15_000;

const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);
const linksOf = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
const column = (items: INodeExecutionData[], name: string) =>
	jsonOf(items).map((json) => json[name]);
const inOrder = (count: number) => Array.from({ length: count }, (_, item) => ({ item }));
const brands = (...names: string[]) => names.map((brand) => ({ brand }));

/** Where n8n's execution contexts have their logger, on either release. */
function loggerHolder(): object {
	let holder: object = ExecuteContext.prototype;
	while (!Object.hasOwn(holder, 'logger')) holder = Object.getPrototypeOf(holder) as object;
	return holder;
}

describe(`audits, n8n ${release}`, () => {
	let sandbox: Sandbox;
	let logged: string[];
	beforeAll(async () => {
		sandbox = await startSandbox({ auditSeconds: 3600 });
		const note = (message: string) => logged.push(message);
		const logger: Partial<Logger> = { info: note, debug: () => {}, warn: note, error: note };
		jest
			.spyOn(loggerHolder() as { logger: Partial<Logger> }, 'logger', 'get')
			.mockReturnValue(logger);
	});
	beforeEach(() => {
		logged = [];
		sandbox.reset();
		resetTime((_, count) => {
			if (count >= 6) sandbox.finishAudits();
		});
	});
	afterAll(async () => {
		jest.restoreAllMocks();
		await sandbox.close();
	});

	const run = runnerOn(() => sandbox);
	const calls = (method: string) => sandbox.log.filter((each) => each.method === method);
	const audited = () => sandbox.spent(sandbox.keys.main).audit ?? 0;
	const idsIn = (text = '') => [...new Set(text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [])].sort();

	describe('Run', () => {
		it('sends each audit as JSON with the key in the query, duplicates too', async () => {
			const items = [
				{ brand: 'Tea', url: 'https://tea.example', competitors: ['Coffee', 'Water'] },
				{ brand: 'Coffee', competitors: 'Tea\nWater, Milk' },
				{ brand: 'Coffee', competitors: 'Tea\nWater, Milk' },
			];
			const result = await run(runAudit, { items });

			expect(result.error).toBeUndefined();
			const bodies = calls('POST').map(({ body }) => body as IDataObject);
			const byName = (a: IDataObject, b: IDataObject) =>
				String(a.brand_name).localeCompare(String(b.brand_name));
			const coffee = {
				...{ brand_name: 'Coffee', brand_url: 'https://brand.example' },
				competitors: ['Tea', 'Water', 'Milk'],
			};
			expect(bodies.sort(byName)).toEqual([
				coffee,
				coffee,
				{
					...{ brand_name: 'Tea', brand_url: 'https://tea.example' },
					competitors: ['Coffee', 'Water'],
				},
			]);
			for (const { path, query } of sandbox.log) {
				expect([path, query]).toEqual(['/api/v1/audit_run', { api_key: sandbox.keys.main }]);
			}
			expect(linksOf(result.items())).toEqual(inOrder(3));
			expect(column(result.items(), 'brandName')).toEqual(['Tea', 'Coffee', 'Coffee']);
			expect(new Set(column(result.items(), 'auditId')).size).toBe(3);
			expect(column(result.items(), 'source')).toEqual(['service', 'service', 'service']);
			expect(audited()).toBe(3);
			expect(receiptOf(result.hints())).toMatchObject({
				...{ items: 3, duplicates: 0, unpriced: { audit: 3 } },
			});
		});

		it('names the paid audits when another one fails the node', async () => {
			sandbox.fault({ kind: 'status', status: 422, contains: 'Bad' });
			const options = { [AT_ONCE]: 1 };
			const items = brands('Tea', 'Coffee', 'Bad', 'Water');
			const result = await run({ ...runAudit, options }, { items });

			expect(result.error?.message).toMatch(
				/2 jobs .*Audit → Get with these IDs returns.*\[item 2\]$/,
			);
			expect(result.error?.message).not.toMatch(/at no cost/);
			expect(idsIn(result.error?.message)).toHaveLength(2);
			expect(idsIn(logged.join(' '))).toEqual(idsIn(result.error?.message));
			expect(audited()).toBe(2);
		});

		it('never sends an unanswered audit again', async () => {
			sandbox.fault({ kind: 'resetAfterCharge', contains: 'Lost' });
			const result = await run(runAudit, {
				items: brands('Tea', 'Lost', 'Coffee'),
				onError: 'continueRegularOutput',
			});

			expect(jsonOf(result.items())[1]).toEqual({
				error: expect.stringMatching(/may have been charged.*\[item 1\]$/),
			});
			expect(column(result.items(), 'outcome')).toEqual(['positive', undefined, 'positive']);
			expect(calls('POST')).toHaveLength(3);
			expect(receiptOf(result.hints())).toMatchObject({ calls: 3, open: 1, failed: 1 });
		});
	});

	describe('Get and Get Summary', () => {
		it.each([
			['Get', get, '/api/v1/audit'],
			['Get Summary', getSummary, '/api/v1/audit_summary'],
		])(
			'%s makes one call for duplicates and links the answer to each item',
			async (_, parameters, path) => {
				const started = await run(runAudit, {
					items: brands('Tea', AUDIT.failingBrand, AUDIT.wordlessBrand),
				});
				sandbox.finishAudits();
				sandbox.clearLog();
				const [tea, failing, wordless] = jsonOf(started.items());
				const items = [tea, failing, wordless, tea, { auditId: 'audit-0' }];
				const result = await run(parameters, { items, onError: 'continueRegularOutput' });

				expect(sandbox.log.map((each) => each.path)).toEqual(Array(4).fill(path));
				expect(sandbox.log.map(({ query }) => query.audit_id).sort()).toEqual(
					[...new Set(items.map(({ auditId }) => auditId))].sort(),
				);
				expect(linksOf(result.items())).toEqual(inOrder(5));
				expect(column(result.items(), 'outcome')).toEqual([
					...['positive', 'negative', 'positive', 'positive', undefined],
				]);
				expect(column(result.items(), 'status')).toEqual([
					...['completed', 'failed', null, 'completed', undefined],
				]);
				expect(jsonOf(result.items())[4]).toEqual({
					error: expect.stringMatching(/Audit not found/),
				});
				expect(Object.keys(jsonOf(result.items())[0])).toEqual([
					...[...HEAD, 'auditId', 'status', 'progress', 'brandName', 'score', 'mentions'],
				]);
				expect(receiptOf(result.hints())).toMatchObject({
					...{ open: 1, failed: 1, unpriced: { audit: 3 } },
				});
			},
		);
	});

	describe('Run and Wait', () => {
		it('returns the result of each audit, in order and linked; polls are free', async () => {
			const items = brands('Tea', AUDIT.failingBrand, AUDIT.wordlessBrand, 'Tea');
			const result = await run(runAndWait, { items });

			expect(result.error).toBeUndefined();
			expect(linksOf(result.items())).toEqual(inOrder(4));
			expect(column(result.items(), 'input')).toEqual(items.map(({ brand }) => brand));
			expect(column(result.items(), 'outcome')).toEqual([
				...['positive', 'negative', 'positive', 'positive'],
			]);
			expect(column(result.items(), 'reason')).toEqual([
				...[null, 'The brand website could not be read.', null, null],
			]);
			expect(column(result.items(), 'score')).toEqual([
				...[expect.any(Number), null, expect.any(Number), expect.any(Number)],
			]);
			expect(calls('POST')).toHaveLength(4);
			expect(new Set(slept)).toEqual(new Set([PACE_MS]));
			expect(calls('GET')).toHaveLength(slept.length);
			expect(audited()).toBe(4);
			expect(receiptOf(result.hints())).toMatchObject({
				...{ calls: 4, unpriced: { audit: 4 } },
			});
			expect(idsIn(logged.join(' '))).toEqual([...column(result.items(), 'auditId')].sort());
		});

		it('returns the body of the last poll as Raw', async () => {
			const result = await run({ ...runAndWait, output: 'raw' }, { items: brands('Tea', 'Milk') });

			expect(column(result.items(), 'response')).toEqual([
				expect.objectContaining({ brand_name: 'Tea', results: expect.any(Array) }),
				expect.objectContaining({ brand_name: 'Milk', results: expect.any(Array) }),
			]);
		});

		it('names the audit after Max Wait, and quotes an unknown status', async () => {
			resetTime();
			sandbox.fault({
				...{ kind: 'body', path: 'audit' },
				body: { status: 'marinating', overall_score: 1 },
			});
			const parameters = { ...runAndWait, options: { maxWait: 2 } };
			const result = await run(parameters, { items: brands('Tea', 'Coffee') });

			expect(result.error?.message).toMatch(
				/^The job isn't finished after 2 minutes\. .*"marinating".*Finished When.*Raise Max Wait.*charged for the audit .*Audit → Get with this ID returns the result\./,
			);
			expect(idsIn(result.error?.message)).toHaveLength(2);
			expect(idsIn(logged.join(' '))).toEqual(idsIn(result.error?.message));
			expect(logged.join(' ')).toMatch(
				/Started the audit .*\. Audit → Get with this ID returns the result\./,
			);
			expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(2 * 120_000);
			expect(calls('POST')).toHaveLength(2);

			sandbox.clearFaults();
			sandbox.finishAudits();
			const items = idsIn(result.error?.message).map((auditId) => ({ auditId }));
			expect(column((await run(get, { items })).items(), 'outcome')).toEqual([
				...['positive', 'positive'],
			]);
		});
	});
});
