/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IDataObject } from 'n8n-workflow';
import { inCollections, withResultAlone } from '../harness/collections';
import { magic, startSandbox, type Product, type Sandbox } from '../sandbox';
import {
	AT_ONCE,
	release,
	runNode,
	runWorkflow,
	type NodeOptions,
	type NodeRun,
} from '../harness/n8n';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';
import { resetTime } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const TYPE = 'n8n-nodes-lookup-messaging.lookupMessaging';
const ALL = ['callerId', 'email', 'geoIp', 'phone', 'whatsApp'];
const enrich = {
	...{ resource: 'contact', operation: 'enrich' },
	...{
		phoneNumber: '={{ $json.phone }}',
		email: '={{ $json.email }}',
		ipAddress: '={{ $json.ip }}',
	},
	...{ country: '={{ $json.country }}', contactName: '={{ $json.name }}', lookups: ALL },
};
const INVALID = '+1 555 010 0100';
const ADA = {
	...{ name: 'Ada', phone: '020 7946 0123', country: 'GB' },
	...{ email: 'ada@mail.example', ip: '8.8.8.8' },
};
/** The same number and address, written otherwise; another place. */
const ADA_AGAIN = { ...ADA, phone: '(020) 7946-0123', email: 'ada@MAIL.example', ip: '8.8.4.4' };
const BEN = { phone: INVALID, email: `${magic.EMAIL.missing}.ben@mail.example` };
const CLEO = { phone: '+12025550102', email: 'no address@', ip: '10.0.0.1' };
const EMPTY = { name: 'Nobody', phone: '', email: ' ' };
const CONTACTS = [ADA, ADA_AGAIN, BEN, ADA, CLEO, EMPTY];

const WRONG_KEY = { status: false, error: 'Invalid API key.' };
const NO_CREDITS = { balance: 0, status: false, error: 'Please recharge' };

const records = (run: Pick<NodeRun, 'items'>) => run.items().map(({ json }) => json);
const sourcesIn = (json: IDataObject) =>
	Object.fromEntries(
		['phone', 'callerId', 'whatsApp', 'email', 'geoIp'].map((section) => [
			section,
			(json[section] as IDataObject | null)?.source ?? null,
		]),
	);

describe(`Contact: Enrich, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(() => {
		sandbox.reset();
		resetTime();
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const credentials = () => credentialsOf(sandbox);
	const run = async (more: IDataObject = {}, options: Partial<NodeOptions> = {}) =>
		await runNode({
			...{ credentials: credentials(), parameters: { ...enrich, ...more }, items: CONTACTS },
			...options,
		});
	const log = () => sandbox.log;
	const calls = () => {
		const counts: Record<string, number> = {};
		for (const { path } of log()) {
			const name = path.split('/').pop() || 'geoip';
			counts[name] = (counts[name] ?? 0) + 1;
		}
		return counts;
	};
	/** Credits by product, without those that are 0. */
	const spent = () => {
		const all = Object.entries(sandbox.spent(sandbox.keys.main)) as Array<[Product, number]>;
		return Object.fromEntries(all.filter(([, credits]) => credits > 0));
	};
	/** The receipt says what the sandbox's ledger says, as far as prices are stated. */
	const expectHonest = (result: NodeRun) => {
		const receipt = receiptOf(result.hints())!;
		expect(receipt.calls).toBe(log().length);
		for (const [balance, credits] of Object.entries(receipt.credits)) {
			expect([balance, spent()[balance] ?? 0]).toEqual([balance, credits]);
		}
		return receipt;
	};

	it('returns one item for each contact, and looks up each value once', async () => {
		const result = await run();

		expect(result.status).toBe('success');
		expect(result.items().map(({ pairedItem }) => pairedItem)).toEqual(
			CONTACTS.map((_, item) => ({ item })),
		);
		const sources = records(result).map(sourcesIn);
		const all = (source: string) => ({
			...{ phone: source, callerId: source, whatsApp: source, email: source, geoIp: source },
		});
		expect(sources).toEqual([
			all('service'),
			{ ...all('duplicate'), geoIp: 'service' },
			{ ...all('local'), phone: 'service', email: 'service', geoIp: null },
			all('duplicate'),
			{ ...all('service'), email: 'local', geoIp: 'local' },
			...[{ phone: null, callerId: null, whatsApp: null, email: null, geoIp: null }],
		]);
		expect(records(result).map(({ outcome, source }) => [outcome, source])).toEqual([
			['positive', 'service'],
			['positive', 'service'],
			['negative', 'service'],
			['positive', 'duplicate'],
			['positive', 'service'],
			['unknown', 'local'],
		]);
		// Duplicate numbers and mailboxes once, and nothing more about the invalid number
		expect(calls()).toEqual({
			...{ phonevalidation: 3, calleridvalidation: 2, checkwanumber: 2 },
			...{ checkemail: 2, geoip: 2 },
		});
		const receipt = expectHonest(result);
		expect(receipt).toMatchObject({ items: 6, calls: 11, duplicates: 9, local: 1, failed: 0 });
	});

	it('returns the summary first, the bodies by section, or the selected fields', async () => {
		const [simple] = records(await run({}, { items: [ADA] }));
		expect(Object.keys(simple)).toEqual([
			...['outcome', 'channels', 'signals'],
			...['phone', 'callerId', 'whatsApp', 'email', 'geoIp', 'source', 'input'],
		]);
		expect(simple).toMatchObject({
			input: { phoneNumber: ADA.phone, email: ADA.email, ipAddress: ADA.ip },
			phone: { outcome: 'positive', phoneNumber: '+442079460123', countryCode: 'GB' },
			geoIp: { countryCode: 'BR' },
			channels: expect.any(Array),
			signals: { countryMismatch: true, nameMismatch: true },
		});

		const [raw] = records(await run({ output: 'raw' }, { items: [CLEO] }));
		expect(Object.keys(raw.response as object)).toEqual([
			...['phone', 'callerId', 'whatsApp', 'email', 'geoIp'],
		]);
		expect(raw.response).toMatchObject({
			phone: { status: 'VALID_CONFIRMED' },
			email: null,
			geoIp: null,
		});

		const chosen = { output: 'selectedFields', selectedFields: ['outcome', 'signals'] };
		const [selected] = records(await run(chosen, { items: [ADA] }));
		expect(Object.keys(selected)).toEqual(['outcome', 'signals']);
	});

	it('returns each value in its own column, the same for every item', async () => {
		const flat = { output: 'flatColumns' };
		const all = records(await run(flat));
		const [first] = all;
		expect(Object.keys(first).slice(0, 6)).toEqual([
			...['outcome', 'channels', 'signals'],
			...['phone_outcome', 'phone_phoneNumber', 'phone_lineType'],
		]);
		expect(first).toMatchObject({
			...{ outcome: 'positive', channels: expect.stringMatching(/^phone, .*email$/) },
			...{ signals: 'countryMismatch, nameMismatch', phone_countryCode: 'GB' },
			...{ callerId_valid: true, input_phoneNumber: ADA.phone, source: 'service' },
		});
		for (const json of all) {
			expect(Object.keys(json)).toEqual(Object.keys(first));
			for (const value of Object.values(json)) expect(typeof (value ?? '')).not.toBe('object');
		}
		expect(all[5]).toMatchObject({
			...{ input_phoneNumber: null, input_email: null, input_ipAddress: null },
		});
		expect(all[4]).toMatchObject({ email_outcome: 'negative', geoIp_outcome: 'unknown' });
		expect(all[4].reason).toMatch(/^Email Verification: .* · GeoIP: .*private/);

		const besides = { output: 'flatColumns', includeOtherInputFields: true };
		const [beside] = records(await run(besides, { items: [ADA] }));
		expect(beside).toMatchObject({ ...ADA, contactResult_phone_countryCode: 'GB' });
		const names = Object.keys(beside).filter((name) => !(name in ADA));
		expect(names.every((name) => name.startsWith('contactResult_'))).toBe(true);
		expect(names.some((name) => name.includes('input'))).toBe(false);
	});

	it.each<[why: string, lookups: string]>([
		['a wrong parameter', '={{ $json.name === "Nobody" ? "all" : ["phone"] }}'],
		['no readable lookups', '={{ $json.name ? $json.none.none : ["phone"] }}'],
	])('returns the same columns for an item that fails for %s', async (_, lookups) => {
		const all = records(await run({ lookups, output: 'flatColumns' }));
		expect(all.map(({ source }) => source)).toContain('failed');
		const [first] = all;
		expect(first).toHaveProperty('phone_outcome');
		for (const json of all) expect(Object.keys(json)).toEqual(Object.keys(first));
	});

	it('reads numbers without + that can only be international, and pays nothing for the others', async () => {
		const phones = ['447911123456', '12025550102', '491713920012', '13123456789', '020 7946 0123'];
		const written = { phone: '+44 7911 123456', country: 'United Kingdom' };
		const items = [...phones.map((phone) => ({ phone })), written];
		const result = await run({ lookups: ['phone', 'whatsApp'] }, { items });

		expect(records(result).map(({ outcome }) => outcome)).toEqual([
			...['positive', 'positive', 'positive', 'unknown', 'unknown', 'positive'],
		]);
		for (const path of ['phonevalidation', 'checkwanumber']) {
			const sent = log().filter((request) => request.path.endsWith(path));
			const numbers = sent.map(
				({ query, body }) => query.number ?? (body as IDataObject).phone_number,
			);
			expect(numbers.sort()).toEqual(['+12025550102', '+447911123456', '+491713920012']);
		}
		const whyNot = (item: number) => (records(result)[item].phone as IDataObject).reason;
		expect(whyNot(3)).toMatch(/may be \+13123456789, or a national .* Set Country/);
		expect(whyNot(4)).toMatch(/can't be read without its country\. Set Country/);
		expect(records(result).map((json) => sourcesIn(json).phone)).toEqual([
			...['service', 'service', 'service', 'local', 'local', 'duplicate'],
		]);
		expectHonest(result);
	});

	it('makes all lookups but Caller ID by default', async () => {
		const { lookups, ...parameters } = enrich;
		expect(lookups).toContain('callerId');
		const result = await runNode({ credentials: credentials(), parameters, items: [ADA] });
		expect(calls()).toEqual({ phonevalidation: 1, checkwanumber: 1, checkemail: 1, geoip: 1 });
		expect(records(result)[0]).not.toHaveProperty('callerId');
	});

	it('keeps the fields of the form beside the result', async () => {
		const [json] = records(await run({ includeOtherInputFields: true }, { items: [ADA] }));
		expect(json).toMatchObject({ ...ADA, contactResult: { outcome: 'positive' } });
	});

	it('routes by result, and sends a contact without any answer to Unknown', async () => {
		sandbox.fault({ kind: 'status', status: 422, contains: 'lost@' });
		const items = [ADA, { ...BEN }, { email: 'lost@mail.example' }, EMPTY];
		const result = await run({ routeByResult: true }, { items });
		const links = result
			.outputs()
			.map((output) => output.map(({ pairedItem }) => (pairedItem as { item: number }).item));
		expect(links).toEqual([[0], [1], [2, 3]]);
		const [, , [lost]] = result.outputs();
		expect(lost.json).toMatchObject({
			...{ outcome: 'unknown', source: 'failed', channels: [] },
			email: { outcome: 'unknown', source: 'failed', reason: expect.stringMatching(/refused/) },
			signals: { incomplete: true },
		});
		expect(lost.json).not.toHaveProperty('phone');
	});

	describe('a failed lookup', () => {
		const items = [ADA, { ...ADA_AGAIN, email: 'eve@mail.example' }, BEN];

		it('fails its section, which shows the error; the receipt warns', async () => {
			sandbox.fault({ kind: 'resetAfterCharge', path: 'checkemail', contains: 'ada@' });
			const result = await run({}, { items });

			expect(records(result)[0]).toMatchObject({
				...{ outcome: 'positive', source: 'service' },
				email: {
					...{ outcome: 'unknown', source: 'failed' },
					reason: expect.stringMatching(/You may have been charged\.$/),
				},
				whatsApp: { source: 'service' },
				signals: { incomplete: true },
			});
			// The error stands in its section alone
			expect(records(result)[0]).not.toHaveProperty('reason');
			expect(records(result)[1]).toMatchObject({ email: { source: 'service' } });
			const receipt = receiptOf(result.hints());
			expect(receipt).toMatchObject({ failed: 1, open: 1 });
			const [{ hints }] = result.raw.data.resultData.runData.Node.slice(-1);
			expect(hints?.[0].type).toBe('warning');
			expect(hints?.[0].message).toMatch(
				/<br>.*, 1 failed and may have been charged \(email: .*\)\./,
			);
		});

		it('fails the contact if the user wants that, and the others are returned', async () => {
			sandbox.fault({ kind: 'resetAfterCharge', path: 'checkemail', contains: 'ada@' });
			const options = { alsoFailItemsIf: ['lookupFails'] };
			const result = await run({ options }, { items });

			expect(records(result).map(({ source }) => source)).toEqual(['failed', 'service', 'service']);
			expect((records(result)[0].email as IDataObject).reason).toMatch(/may have been charged\.$/);
			expect(records(result)[0]).not.toHaveProperty('reason');
			// What was paid for all the same
			expect(records(result)[0]).toMatchObject({ whatsApp: { source: 'service' } });
			expect(receiptOf(result.hints())).toMatchObject({ failed: 1 });

			sandbox.reset();
			sandbox.fault({ kind: 'status', status: 422, path: 'checkemail', contains: 'ada@' });
			const stops = { ...options, ifSomeItemsFail: 'stopNode', [AT_ONCE]: 1 };
			const stopped = await run({ options: stops }, { items });
			expect(stopped.error?.message).toMatch(/^Email Verification: the service refused/);
			expect(calls().phonevalidation).toBe(1);

			const error = await run({ options }, { items, onError: 'continueRegularOutput' });
			expect(records(error)[0].error).toMatch(/^Email Verification: /);
			expect(records(error)[1].outcome).toBe('positive');
		});

		it('without email credits stops email lookups alone', async () => {
			sandbox.fault({ kind: 'status', status: 402, path: 'checkemail', body: NO_CREDITS });
			const result = await run({ options: { [AT_ONCE]: 1 } }, { items });

			expect(calls()).toEqual({
				...{ phonevalidation: 2, calleridvalidation: 1, checkwanumber: 1 },
				...{ checkemail: 1, geoip: 2 },
			});
			expect(records(result).map((json) => (json.email as IDataObject).source)).toEqual([
				...['failed', 'failed', 'failed'],
			]);
			expect((records(result)[1].email as IDataObject).reason).toMatch(
				/^Skipped after an earlier failure: not enough email credits/,
			);
			expect(result.status).toBe('success');
		});

		it('with a wrong key costs one refused call for each kind of lookup, and fails the node', async () => {
			const wrong = credentialsOf(sandbox, { apiKey: 'wrong' });
			const options = { [AT_ONCE]: 1 };
			const result = await run({ options }, { items, credentials: wrong });

			expect(result.status).toBe('error');
			expect(result.error?.message).toMatch(/: the service refused the request: Invalid/);
			// The first contact's number is not known without its validation, the last one's has its country code
			expect(calls()).toEqual({
				phonevalidation: 1,
				checkemail: 1,
				geoip: 1,
				checkwanumber: 1,
				calleridvalidation: 1,
			});
			expect(spent()).toEqual({});
		});

		it('that was inconclusive is repeated if the user wants that', async () => {
			const email = 'timeout-once@mail.example';
			const options = { recheckInconclusiveEmails: true };
			const result = await run({ options }, { items: [{ email }, { email }] });
			expect(records(result).map(({ outcome }) => outcome)).toEqual(['positive', 'positive']);
			expect(calls()).toEqual({ checkemail: 2 });
		});
	});

	it('invalid values fail before anything is sent if the user wants that', async () => {
		const options = { alsoFailItemsIf: ['inputIsInvalid'] };
		const result = await run({ options }, { items: [ADA, CLEO] });
		expect(result.error?.message).toMatch(/^Email .*You weren't charged.*\[item 1\]$/);
		expect(sandbox.log).toEqual([]);
	});

	describe('the budget', () => {
		it("Dry Run sends nothing, and is an upper bound of the run's cost", async () => {
			const planned = records(await run({ spendingLimits: { dryRun: true } }))[0];
			expect(sandbox.log).toEqual([]);
			expect(planned).toMatchObject({
				...{ items: 6, lookupsNeeded: 5, answeredLocally: 1, fromMemory: 0 },
				...{ paidCallsAtMost: 13, paidLookupsAtMost: 13, priceNotStated: ['geoip', 'whatsapp'] },
				creditsAtMost: { phone: 3, callerinfo: 3, email: 2 },
			});

			const made = expectHonest(await run());
			expect(made.calls).toBe(11);
			const most = planned.creditsAtMost as Record<string, number>;
			for (const [balance, credits] of Object.entries(spent())) {
				if (balance in most) expect(credits).toBeLessThanOrEqual(most[balance]);
			}
		});

		it.each([
			[13, 'success'],
			[12, 'error'],
		])('Max Paid Lookups of %d ends in %s', async (maxPaidLookups, status) => {
			const result = await run({ spendingLimits: { maxPaidLookups } });
			expect(result.status).toBe(status);
			expect(log()).toHaveLength(status === 'success' ? 11 : 0);
			if (status === 'error') {
				expect(result.error?.message).toMatch(/would make 13 paid lookups.*\(12\)/);
			}
		});

		it('Check Balance compares each balance with the possible cost', async () => {
			sandbox.setBalance(sandbox.keys.main, 'phone', 2);
			const result = await run({ spendingLimits: { checkBalance: 'before' } });
			expect(result.error?.message).toMatch(/up to 3 phone credits, but the account has 2/);
			expect(calls()).toEqual({ checkbalance: 1 });
		});
	});

	describe('the memory of the execution', () => {
		/** The node in a Loop Over Items, one contact at a time. */
		const loop = async (items: IDataObject[], spendingLimits: IDataObject = {}) => {
			const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
			const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
				...{ name, type: `n8n-nodes-base.${type}`, typeVersion },
				parameters: parameters as never,
			});
			const result = await runWorkflow({
				credentials: credentials(),
				startNode: 'Start',
				workflow: {
					nodes: [
						node('Start', 'set', 3.4, {
							...{ mode: 'raw', jsonOutput: JSON.stringify({ items }), options: {} },
						}),
						node('Many', 'splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
						node('Loop', 'splitInBatches', 3, { batchSize: 1, options: {} }),
						{
							...{
								name: 'Ask',
								type: TYPE,
								parameters: withResultAlone({ ...enrich, spendingLimits }) as never,
							},
							credentials: { lookupMessagingApi: { id: '1', name: 'Sandbox' } },
						},
					],
					connections: {
						Start: { main: [to('Many')] },
						Many: { main: [to('Loop')] },
						Loop: { main: [[], to('Ask')] },
						Ask: { main: [to('Loop')] },
					},
				},
			});
			return { ...result, asked: result.items('Ask').map(({ json }) => json) };
		};

		it('returns the answers of a contact from an earlier round', async () => {
			const { asked, hints } = await loop([ADA, ADA_AGAIN, ADA]);

			expect(calls()).toEqual({
				...{ phonevalidation: 1, calleridvalidation: 1, checkwanumber: 1 },
				...{ checkemail: 1, geoip: 2 },
			});
			expect(asked.map(({ source }) => source)).toEqual(['service', 'service', 'memory']);
			expect(sourcesIn(asked[1])).toEqual({
				...{ phone: 'memory', callerId: 'memory', whatsApp: 'memory', email: 'memory' },
				geoIp: 'service',
			});
			expect(hints('Ask').map((text) => receiptOf([text])?.remembered)).toEqual([0, 4, 5]);
		});

		it('repeats a failed lookup, and nothing else', async () => {
			sandbox.fault({
				kind: 'status',
				status: 402,
				path: 'checkemail',
				body: NO_CREDITS,
				times: 1,
			});
			const { asked } = await loop([ADA, ADA]);

			expect(asked.map((json) => sourcesIn(json).email)).toEqual(['failed', 'service']);
			expect(asked.map((json) => sourcesIn(json).phone)).toEqual(['service', 'memory']);
			expect(calls()).toMatchObject({ phonevalidation: 1, checkemail: 2 });
		});

		it('does not count against the budget', async () => {
			const { asked, status } = await loop([ADA, ADA, ADA], { maxPaidLookups: 5 });
			expect(status).toBe('success');
			expect(asked).toHaveLength(3);
			expect(log()).toHaveLength(5);
		});

		it('is returned although the rest of the run is refused', async () => {
			const options = { checkBalance: 'before', alsoFailItemsIf: ['lookupFails'] };
			sandbox.fault({ kind: 'latency', ms: 200, contains: 'missing' });
			sandbox.fault({
				...{ kind: 'status', status: 401, path: 'checkemail', body: WRONG_KEY, times: 1 },
				contains: 'missing',
			});
			sandbox.fault({ kind: 'status', status: 500, path: 'checkbalance', skip: 1 });
			const result = await run(
				{ ...inCollections(options), lookups: ['email', 'phone'] },
				{
					// n8n tries again when the first item failed
					...{ items: [BEN, ADA], onError: 'continueRegularOutput' },
					...{ retryOnFail: true, maxTries: 2 },
				},
			);

			const [ben, ada] = records(result);
			expect([ada.outcome, sourcesIn(ada)]).toEqual([
				'positive',
				expect.objectContaining({ phone: 'memory', email: 'memory' }),
			]);
			expect(ben.error).toMatch(/balance couldn't be read/);
		});

		it('prevents a retry from paying again', async () => {
			sandbox.fault({
				...{ kind: 'status', status: 401, path: 'checkemail', body: WRONG_KEY, times: 1 },
				contains: 'missing',
			});
			const options = {
				...{ alsoFailItemsIf: ['lookupFails'], ifSomeItemsFail: 'stopNode' },
				[AT_ONCE]: 1,
			};
			const result = await run({ options }, { retryOnFail: true, maxTries: 2 });

			expect(result.status).toBe('success');
			const total = Object.values(calls()).reduce((sum, count) => sum + count);
			expect(total).toBe(11 + 1);
			expect(spent().phone).toBe(2);
			expect(result.hints()[0]).toMatch(/Earlier in this execution: charged: \d/);
		});
	});

	describe('Stop the Node and Retry On Fail, with one of 20 contacts whose lookup always fails', () => {
		const items = Array.from({ length: 20 }, (_, n) => ({
			...{ name: `Contact ${n}`, email: `c${n}@mail.example` },
			phone: `+4420794600${String(10 + n)}`,
		}));
		const fails = { path: 'checkemail', contains: 'c7@' };
		const faults = {
			'is lost after its charge': { ...fails, kind: 'resetAfterCharge' },
			'is lost before its charge': { ...fails, kind: 'resetBeforeCharge' },
			'is refused': { ...fails, kind: 'status', status: 422 },
		} as const;
		const runs = Object.entries(faults).flatMap(([title, fault]) =>
			[1, 5, 32].map((atOnce) => ({ title, fault, atOnce })),
		);

		it.each(runs)('$title: the retry returns the 19 others, $atOnce at once', async (...row) => {
			const [{ fault, atOnce }] = row;
			sandbox.fault(fault);
			const stops = { ifSomeItemsFail: 'stopNode', alsoFailItemsIf: ['lookupFails'] };
			const result = await run(
				{ lookups: ['email', 'phone'], options: { ...stops, [AT_ONCE]: atOnce } },
				{ items, retryOnFail: true, maxTries: 3 },
			);

			expect(result.status).toBe('success');
			const [failed, ...others] = records(result).sort((a, b) =>
				String(a.source).localeCompare(String(b.source)),
			);
			expect(failed).toMatchObject({ outcome: 'unknown', source: 'failed' });
			expect(failed).not.toHaveProperty('error');
			// What was paid for beside the lookup that failed
			expect(sourcesIn(failed)).toMatchObject({ email: 'failed', phone: expect.anything() });
			expect(others).toHaveLength(19);
			for (const other of others) {
				expect(other).toMatchObject({ outcome: 'positive', email: { outcome: 'positive' } });
				expect(other.phone).toMatchObject({ outcome: 'positive' });
			}
			// No question was sent twice, and the books have each once
			expect(calls()).toEqual({ checkemail: 20, phonevalidation: 20 });
			expect(spent()).toMatchObject({
				email: fault.kind === 'resetAfterCharge' ? 20 : 19,
				phone: 20,
			});
			// The receipt of the last try and that of those before it
			const [receipt] = result.hints();
			const charged = (product: string) =>
				[...receipt.matchAll(new RegExp(`(\\d+) ${product}(?:,| credits)`, 'g'))]
					.map(([, credits]) => Number(credits))
					.reduce((sum, credits) => sum + credits, 0);
			expect([charged('email'), charged('phone')]).toEqual([19, 20]);
			expect(receipt).toMatch(/; may have been charged: 1 email call\./);
			expect(receiptOf([receipt])).toMatchObject({ failed: 1, open: 0 });
		});
	});

	describe('the base URLs of the credential, before the first paid call', () => {
		const three = { lookups: ['email', 'phone', 'geoIp'] };
		const on = (credential: object) => ({ credentials: credentialsOf(sandbox, credential) });
		const dead = 'http://127.0.0.1:1';

		it.each([
			['nonsense', { lookupUrl: 'nonsense' }, /the Lookup URL in the credential doesn't start/i],
			[
				'no web address',
				{ geoipUrl: 'ftp://geo.example' },
				/the GeoIP URL in the credential doesn't start/i,
			],
		])('%s: the run ends, and nothing is spent', async (_, credential, words) => {
			const result = await run(three, { items: [ADA], ...on(credential) });

			expect(result.error?.message).toMatch(words);
			expect(result.error?.message).toMatch(/You weren't charged/);
			expect(log()).toEqual([]);
			expect(spent()).toEqual({});
			for (const { url, headers } of sandbox.log) {
				expect(JSON.stringify([url, headers])).not.toContain(sandbox.keys.main);
			}
		});

		it('with Continue On Fail each item says so', async () => {
			const onError = 'continueRegularOutput' as const;
			const items = [ADA, { ...ADA, email: 'bob@mail.example' }];
			const result = await run(three, { items, onError, ...on({ geoipUrl: 'nonsense' }) });

			for (const { json } of result.items()) {
				expect(json.error).toMatch(/GeoIP URL .*You weren't charged/);
			}
			expect(log()).toEqual([]);
		});

		it('a URL that stops working fails its part alone, and the rest is returned', async () => {
			const result = await run(three, { items: [ADA], ...on({ geoipUrl: dead }) });

			expect(result.status).toBe('success');
			expect(log()).toHaveLength(2);
			expect(result.items()[0].json).toMatchObject({
				geoIp: {
					outcome: 'unknown',
					reason: expect.stringMatching(/refused.*You weren't charged/),
				},
			});
		});

		it('a URL that this run does not need may be anything', async () => {
			const result = await run(
				{ lookups: ['email', 'whatsApp'] },
				{ items: [ADA], ...on({ lookupUrl: 'nonsense', geoipUrl: dead }) },
			);
			expect(result.status).toBe('success');
		});
	});

	it('starts no further call once the execution is stopped', async () => {
		const controller = new AbortController();
		sandbox.fault({ kind: 'latency', ms: 150, path: 'phonevalidation' });
		const running = run(
			{ lookups: ['phone', 'whatsApp', 'callerId'], options: { [AT_ONCE]: 2 } },
			{
				items: Array.from({ length: 20 }, (_, n) => ({ phone: `+4420794601${10 + n}` })),
				signal: controller.signal,
			},
		);
		while (log().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		controller.abort();
		const result = await running;

		expect(['canceled', 'error']).toContain(result.status);
		expect(Object.keys(calls())).toEqual(['phonevalidation']);
		expect(log().length).toBeLessThanOrEqual(2);
	});
});
