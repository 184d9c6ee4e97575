import { magic } from '../../sandbox';
import { ask, post, send, urlOf } from './requests';
import { faultsOf, type SchemaName } from './schemas';
import { sandboxOfTests } from '../fakes/sandboxOfTests';

const { AUDIT, KEYS, PHONE } = magic;

const row = (
	status: number,
	schema: SchemaName,
	credits: number,
	submission: unknown,
	key: string = KEYS.main,
) => [status, schema, credits, submission, key] as const;

const sandbox = sandboxOfTests({ batchNumbersPerSecond: 0, auditSeconds: 3600 });

describe('a batch', () => {
	const submit = async (phone_numbers: unknown, api_key: string = KEYS.main) =>
		await post(urlOf(sandbox, 'batch'), { api_key, phone_numbers });
	const submitted = async (phone_numbers: string[]) =>
		((await submit(phone_numbers)).body as { batch_id: string }).batch_id;
	const poll = async (id: string, api_key: string = KEYS.main) =>
		await send(`${sandbox.roots.lookupUrl}/wavalidation/batch/${id}?api_key=${api_key}`);
	const numbers = (count: number) =>
		Array.from({ length: count }, (_, n) => `+1202555${String(n).padStart(4, '0')}`);
	const most = numbers(1000);

	it.each([
		...[
			['+12025550102', '+1 202 555 0102', '+12025550102', 'nobody'],
			most,
			[...most.slice(0, 500), ...most.slice(0, 500)],
		].map((each) => row(200, 'batchSubmitted', new Set(each).size, each)),
		row(400, 'batchTooLarge', 0, Array(1001).fill(PHONE.onWhatsApp)),
		row(402, 'batchNoCredits', 0, numbers(3), KEYS.empty),
		row(401, 'lookupBadKey', 0, undefined, 'wrong'),
		...[undefined, null, [], '+12025550102', { 0: '+12025550102' }].map((none) =>
			row(400, 'batchEmpty', 0, none),
		),
	])(
		'is answered with %d and %s, and takes a credit for each unique text: %d',
		async (status, schema, credits, submission, key) => {
			const seen = await submit(submission, key);
			expect([seen.status, faultsOf(schema, seen.body)]).toEqual([status, []]);
			expect(sandbox.spent(KEYS.main).whatsapp).toBe(credits);
			if (credits > 0) expect(seen.body).toMatchObject({ total_numbers: credits });
		},
	);

	it('is free to poll, and known only to the key that submitted it', async () => {
		const { batchRowFails, batchRowLost, batchRowWordless } = PHONE;
		const odd = [batchRowFails, batchRowLost, batchRowWordless];
		const id = await submitted(['+442079460127', '+1 202 555 0102', ...odd]);
		const seen = [
			[await poll(id), 'batchWaiting'],
			[await poll(id, KEYS.other), 'batchNotFound'],
			[await poll('unknown'), 'batchNotFound'],
			[await poll(id, 'wrong'), 'lookupBadKey'],
		] as const;
		for (const [{ body }, schema] of seen)
			expect([schema, faultsOf(schema, body)]).toEqual([schema, []]);
		sandbox.finishBatches();
		const { body } = await poll(id);
		expect(faultsOf('batchCompleted', body)).toEqual([]);
		expect(body).toMatchObject({ total_numbers: 5, completed: 5, failed: 1, pending: 0 });
		expect(sandbox.spent(KEYS.main).whatsapp).toBe(5);
	});
});

describe('an audit', () => {
	const REQUEST = {
		...{ brand_name: 'Lantern & Co', brand_url: 'https://lantern.example' },
		competitors: ['Harbour Ltd'],
	};
	const run = async (request: object, api_key: string = KEYS.main) =>
		await post(urlOf(sandbox, 'auditRun', { api_key }), request);
	const bodies = async (audit_id: string) => [
		(await ask(sandbox, 'audit', { audit_id })).body,
		(await ask(sandbox, 'auditSummary', { audit_id })).body,
	];

	it.each<[brand: string, full: SchemaName, summary: SchemaName | undefined]>([
		[REQUEST.brand_name, 'auditCompleted', 'summaryCompleted'],
		[AUDIT.failingBrand.toUpperCase(), 'auditFailed', undefined],
		[AUDIT.wordlessBrand, 'auditWordless', undefined],
	])('of %s costs a credit, is free to poll, and ends as %s', async (brand_name, full, summary) => {
		const seen = await run({ ...REQUEST, brand_name });
		expect(faultsOf('auditStarted', seen.body)).toEqual([]);
		const { audit_id } = seen.body as { audit_id: string };
		for (const body of await bodies(audit_id)) expect(faultsOf('auditPending', body)).toEqual([]);
		sandbox.finishAudits();
		const ended = await bodies(audit_id);
		expect(faultsOf(full, ended[0])).toEqual([]);
		if (summary) {
			expect(faultsOf(summary, ended[1])).toEqual([]);
			expect(ended[0]).toMatchObject(REQUEST);
		}
		expect(await bodies(audit_id)).toEqual(ended);
		expect(sandbox.debits(KEYS.main)).toMatchObject([
			{ product: 'audit', amount: 1, endpoint: '/api/v1/audit_run', question: brand_name },
		]);
	});

	it('takes its key from the query alone, needs a credit, and is known to its own account only', async () => {
		const { main, other, empty } = KEYS;
		const keyInBody = { ...REQUEST, api_key: main };
		expect((await post(urlOf(sandbox, 'auditRun'), keyInBody)).status).toBe(401);
		expect(faultsOf('familyABadKey', (await run(REQUEST, 'wrong')).body)).toEqual([]);
		expect((await run(REQUEST, empty)).status).toBe(402);
		const { audit_id } = (await run(REQUEST)).body as { audit_id: string };
		const seen = await ask(sandbox, 'audit', { audit_id, api_key: other });
		expect([seen.status, faultsOf('familyAError', seen.body)]).toEqual([404, []]);
	});
});
