import { magic, startSandbox, type Sandbox } from '../../sandbox';
import { Audits } from '../../sandbox/jobs/audits';
import { ask, post, send, urlOf } from './requests';
import { faultsOf, type SchemaName } from './schemas';

const { AUDIT } = magic;
const REQUEST = {
	brand_name: 'Lantern & Co',
	brand_url: 'https://lantern.example',
	competitors: ['Harbour Ltd'],
};

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ auditSeconds: 3600 });
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.reset());

const run = async (request: object, api_key: string = sandbox.keys.main) =>
	await post(urlOf(sandbox, 'auditRun', { api_key }), request);

const started = async (request: object = REQUEST) =>
	((await run(request)).body as { audit_id: string }).audit_id;

const bodies = async (audit_id: string) => [
	(await ask(sandbox, 'audit', { audit_id })).body,
	(await ask(sandbox, 'auditSummary', { audit_id })).body,
];

it('an audit starts for one credit, and is free to poll', async () => {
	const seen = await run(REQUEST);
	expect(faultsOf('auditStarted', seen.body)).toEqual([]);
	const { audit_id } = seen.body as { audit_id: string };
	for (const body of await bodies(audit_id)) {
		expect(faultsOf('auditPending', body)).toEqual([]);
		expect(body).toMatchObject({ audit_id, progress: 0 });
	}
	sandbox.finishAudits();
	const [full, summary] = await bodies(audit_id);
	expect(faultsOf('auditCompleted', full)).toEqual([]);
	expect(faultsOf('summaryCompleted', summary)).toEqual([]);
	expect(full).toMatchObject({ ...REQUEST, results: expect.any(Array) });
	expect(await bodies(audit_id)).toEqual([full, summary]);
	expect(sandbox.debits(sandbox.keys.main)).toMatchObject([
		{ product: 'audit', amount: 1, endpoint: '/api/v1/audit_run', question: REQUEST.brand_name },
	]);
});

it.each<[string, SchemaName]>([
	[AUDIT.failingBrand, 'auditFailed'],
	[AUDIT.wordlessBrand, 'auditWordless'],
])('an audit of %s ends as %s', async (brand, schema) => {
	const audit_id = await started({ ...REQUEST, brand_name: brand.toUpperCase() });
	expect(faultsOf('auditPending', (await bodies(audit_id))[0])).toEqual([]);
	sandbox.finishAudits();
	expect(faultsOf(schema, (await bodies(audit_id))[0])).toEqual([]);
});

it.each<[string, object]>([
	['no brand', { brand_url: REQUEST.brand_url }],
	['an empty brand', { ...REQUEST, brand_name: '' }],
	['no address', { brand_name: 'Lantern' }],
	['a bare address', { ...REQUEST, brand_url: 'lantern.example' }],
	['competitors in a text', { ...REQUEST, competitors: 'Harbour, Bridge' }],
	['competitors that are no texts', { ...REQUEST, competitors: [1] }],
])('an audit with %s does not start', async (_, request) => {
	const seen = await run(request);
	expect(faultsOf('familyAError', seen.body)).toEqual([]);
	expect([seen.status, sandbox.spent(sandbox.keys.main).audit]).toEqual([400, 0]);
});

it('an audit takes its key from the query alone, and credits before it starts', async () => {
	const inBody = await post(urlOf(sandbox, 'auditRun'), { ...REQUEST, api_key: sandbox.keys.main });
	expect(inBody.status).toBe(401);
	expect(faultsOf('familyABadKey', (await run(REQUEST, 'wrong')).body)).toEqual([]);
	expect((await run(REQUEST, sandbox.keys.empty)).status).toBe(402);
	expect((await send(urlOf(sandbox, 'auditRun', { api_key: sandbox.keys.main }))).status).toBe(404);
});

it('an audit is known to its own account only', async () => {
	const audit_id = await started();
	const api_key = sandbox.keys.other;
	const seen = [
		await ask(sandbox, 'audit', { audit_id, api_key }),
		await ask(sandbox, 'auditSummary', { audit_id: 'unknown' }),
	];
	for (const { status, body } of seen) {
		expect(faultsOf('familyAError', body)).toEqual([]);
		expect(status).toBe(404);
	}
});

it('an audit goes from pending over running to its end as time passes', () => {
	let now = 0;
	const audits = new Audits(10, () => now);
	const request = { brandName: 'Lantern', brandUrl: REQUEST.brand_url, competitors: [] };
	const audit = audits.start('a', request);
	const failing = audits.start('a', { ...request, brandName: AUDIT.failingBrand });
	const seen = [0, 2_499, 2_500, 9_999, 10_000, 99_000].map((at) => {
		now = at;
		return [audits.progress(audit), audits.stateOf(audit), audits.stateOf(failing)];
	});
	expect(seen).toEqual([
		[0, 'pending', 'pending'],
		[24, 'pending', 'pending'],
		[25, 'running', 'running'],
		[99, 'running', 'running'],
		[100, 'completed', 'failed'],
		[100, 'completed', 'failed'],
	]);
	expect(audits.of('a')).toEqual([failing, audit]);
	const atOnce = new Audits(0, () => now);
	expect(atOnce.stateOf(atOnce.start('a', request))).toBe('completed');
});
