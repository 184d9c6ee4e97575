import { magic } from '../sandbox';
import { captureLogs } from '../harness/capturedLogs';
import { AT_ONCE, release, type NodeRun } from '../harness/n8n';
import { column, storiesOn } from '../harness/stories';
import { resetTime, slept } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const { AUDIT } = magic;

const request = {
	brandName: '={{ $json.brand }}',
	brandUrl: 'https://brand.example',
	competitors: '',
};
const runAudit = { resource: 'audit', operation: 'run', ...request };
const runAndWait = { resource: 'audit', operation: 'runAndWait', ...request };
const get = { resource: 'audit', operation: 'get', auditId: '={{ $json.auditId }}' };
const getSummary = { ...get, operation: 'getSummary' };

const onError = 'continueRegularOutput' as const;
const brands = (...names: string[]) => names.map((brand) => ({ brand }));
const idsIn = (given: unknown) => [
	...new Set(JSON.stringify(given).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []),
];

describe(`audits, n8n ${release}`, () => {
	const on = storiesOn({ auditSeconds: 3600 });
	const logs = captureLogs();
	afterAll(() => jest.restoreAllMocks());
	beforeEach(() => {
		logs.log.length = 0;
		resetTime((_, count) => {
			if (count >= 6) on.service().finishAudits();
		});
	});
	const calls = (method: string) => on.service().log.filter((each) => each.method === method);
	/** The audits that the error of a run names, which are those in the log. */
	const named = ({ error }: NodeRun) => {
		const ids = idsIn(error?.message);
		expect(idsIn(logs.log).sort()).toEqual([...ids].sort());
		return ids;
	};

	on.tell({
		'Run names the paid audits when another one fails the node': {
			...{ node: runAudit, options: { [AT_ONCE]: 1 } },
			items: brands('Tea', 'Coffee', 'Bad', 'Water'),
			faults: [{ kind: 'status', status: 422, contains: 'Bad' }],
			fails: /^(?!.*at no cost).*2 jobs .*Audit → Get with these IDs returns.*\[item 2\]$/,
			spent: { audit: 2 },
			also: (run) => expect(named(run)).toHaveLength(2),
		},
	});

	it.each([
		['Get', get, 'audit'],
		['Get Summary', getSummary, 'audit_summary'],
	])(
		'%s makes one call for duplicates and links the answer to each item',
		async (_, node, path) => {
			const { failingBrand, wordlessBrand } = AUDIT;
			const started = await on.act(runAudit, { items: brands('Tea', failingBrand, wordlessBrand) });
			on.service().finishAudits();
			on.service().clearLog();
			const [tea, failing, wordless] = started.items().map(({ json }) => json);
			const items = [tea, failing, wordless, tea, { auditId: 'audit-0' }];
			const run = await on.see({
				...{ node, items, onError, calls: { [path]: 4 }, links: [[0, 1, 2, 3, 4]] },
				outcomes: ['positive', 'negative', 'positive', 'positive', undefined],
				fields: {
					status: ['completed', 'failed', null, 'completed', undefined],
					error: [...Array<undefined>(4), /Audit not found/],
				},
				receipt: { open: 1, failed: 1, unpriced: { audit: 3 } },
			});
			const asked = on.service().log.map(({ query }) => query.audit_id);
			expect(new Set(asked)).toEqual(new Set(items.map(({ auditId }) => auditId)));
			expect(Object.keys(run.items()[4].json)).toEqual(['error']);
			expect(Object.keys(run.items()[0].json)).toEqual([
				...['input', 'outcome', 'source', 'reason', 'auditId', 'status', 'progress', 'brandName'],
				...['score', 'mentions'],
			]);
		},
	);

	describe('Run and Wait', () => {
		const FOUR = brands('Tea', AUDIT.failingBrand, AUDIT.wordlessBrand, 'Tea');
		const score: unknown = expect.any(Number);
		on.tell({
			'returns the result of each audit, in order and linked; polls are free': {
				...{ node: runAndWait, items: FOUR, status: 'success', links: [[0, 1, 2, 3]] },
				outcomes: ['positive', 'negative', 'positive', 'positive'],
				fields: {
					input: FOUR.map(({ brand }) => brand),
					reason: [null, 'The brand website could not be read.', null, null],
					score: [score, null, score, score],
				},
				...{ spent: { audit: 4 }, receipt: { calls: 4, unpriced: { audit: 4 } } },
				also(run) {
					expect(calls('POST')).toHaveLength(4);
					expect(new Set(slept)).toEqual(new Set([15_000]));
					expect(calls('GET')).toHaveLength(slept.length);
					expect(idsIn(logs.log).sort()).toEqual([...column(run, 'auditId')].sort());
				},
			},
		});

		it('names the audit after Max Wait, and quotes an unknown status', async () => {
			resetTime();
			const body = { status: 'marinating', overall_score: 1 };
			const run = await on.see({
				node: { ...runAndWait, options: { maxWait: 2 } },
				items: brands('Tea', 'Coffee'),
				faults: [{ kind: 'body', path: 'audit', body }],
				fails:
					/^The job isn't finished after 2 minutes\. .*"marinating".*Finished When.*a new run would pay again.*charged for the audit .*Audit → Get with this ID returns the result\./,
			});
			const ids = named(run);
			expect(ids).toHaveLength(2);
			const words = /Started the audit .*\. Audit → Get with this ID returns the result\./;
			expect(JSON.stringify(logs.log)).toMatch(words);
			expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(2 * 120_000);
			expect(calls('POST')).toHaveLength(2);

			on.service().clearFaults();
			on.service().finishAudits();
			const items = ids.map((auditId) => ({ auditId }));
			await on.see({ node: get, items, outcomes: ['positive', 'positive'] });
		});
	});
});
