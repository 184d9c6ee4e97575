import type { IDataObject } from 'n8n-workflow';
import { magic, startSandbox, type Sandbox } from '../sandbox';
import { inCollections } from '../harness/collections';
import { AT_ONCE, release, runNode, type NodeOptions, type NodeRun } from '../harness/n8n';
import { credentialsOf } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';
import { resetTime } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const email = '={{ $json.email }}';
const verify = { resource: 'email', operation: 'verify', email };
const enrich = { resource: 'contact', operation: 'enrich', lookups: ['email'], email };
const domain = magic.EMAIL.catchAllDomain;
const EMAILS = [
	...[`ada@${domain}`, 'ada@mail.example', `ben@${domain}`, 'ben@mail.example', `ada@${domain}`],
	...[`cleo@${domain.toUpperCase()}`, 'no address@', 'lost@mail.example'],
];
const ITEMS = EMAILS.map((address) => ({ email: address }));
const SKIPPED = `not looked up: ${domain} accepts every mailbox, as the lookup of another address showed`;

describe(`Skip Catch-All Domains, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(() => {
		sandbox.reset();
		resetTime();
		sandbox.fault({ kind: 'resetAfterCharge', path: 'checkemail', contains: 'lost@' });
	});
	afterAll(async () => await sandbox.close());

	const run = async (parameters: object, options: IDataObject, more: Partial<NodeOptions> = {}) =>
		await runNode({
			...{ credentials: credentialsOf(sandbox), items: ITEMS },
			...{ parameters: { ...parameters, ...inCollections(options) }, ...more },
		});
	const asked = () => sandbox.log.map(({ query }) => String(query.email));
	const records = (result: NodeRun) => result.items().map(({ json }) => json);
	const SOURCES = [
		...['service', 'service', 'duplicate', 'service', 'duplicate', 'duplicate', 'local', 'failed'],
	];

	it('looks up one mailbox of such a domain, and returns its answer for the others', async () => {
		const result = await run(verify, { skipCatchAllDomains: true });
		expect(asked().sort()).toEqual([
			...[`ada@${domain}`, 'ada@mail.example', 'ben@mail.example', 'lost@mail.example'],
		]);
		expect(records(result).map(({ source }) => source)).toEqual(SOURCES);
		for (const [item, address] of [
			[2, `ben@${domain}`],
			[5, `cleo@${domain}`],
		] as const) {
			expect(records(result)[item]).toMatchObject({
				...{ outcome: 'unknown', email: address, catchAll: true, verdict: null, reason: SKIPPED },
			});
		}
		expect(receiptOf(result.hints())).toMatchObject({ calls: 4, duplicates: 3, open: 1 });
		expect(result.items().map(({ pairedItem }) => pairedItem)).toEqual(
			ITEMS.map((_, item) => ({ item })),
		);
	});

	it('returns no row of New Results for a value that was not looked up', async () => {
		const parameters = { ...verify, storedResults: true };
		const result = await run(
			parameters,
			{ skipCatchAllDomains: true },
			{ items: ITEMS.slice(0, 6) },
		);
		const [items, rows] = result.outputs();
		expect(items).toHaveLength(6);
		expect(rows.map(({ json }) => String(json.key).split('email=').pop()).sort()).toEqual([
			...['ada@mail.example', 'ben@mail.example'],
		]);
	});

	it('looks up all of them otherwise', async () => {
		await run(verify, {});
		expect(asked()).toHaveLength(6);
	});

	it('does the same for contacts', async () => {
		const result = await run(enrich, { skipCatchAllDomains: true, [AT_ONCE]: 2 });
		expect(asked()).toHaveLength(4);
		const sections = records(result).map((json) => json.email as IDataObject);
		expect(sections.map(({ source }) => source)).toEqual(SOURCES);
		expect(sections[2]).toMatchObject({ catchAll: true, reason: SKIPPED });
		expect((records(result)[2].signals as IDataObject).catchAll).toBe(true);
		expect(receiptOf(result.hints())).toMatchObject({ calls: 4, duplicates: 3 });
	});

	it('pays for none of them in a retry', async () => {
		const options = { skipCatchAllDomains: true, ifSomeItemsFail: 'stopNode' };
		const items = [...ITEMS.slice(0, 3), { email: 'wait@mail.example' }];
		sandbox.fault({ kind: 'status', status: 401, path: 'checkemail', contains: 'wait@', times: 1 });
		const more = { items, retryOnFail: true, maxTries: 2 };
		const result = await run(verify, { ...options, [AT_ONCE]: 1 }, more);
		expect(result.status).toBe('success');
		expect(asked().filter((address) => address.endsWith(domain))).toEqual([`ada@${domain}`]);
		expect(records(result).map(({ outcome }) => outcome)).toEqual([
			...['unknown', 'positive', 'unknown', 'positive'],
		]);
	});
});
