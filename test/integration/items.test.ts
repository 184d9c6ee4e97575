import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { operations } from '../../nodes/LookupMessaging/operations';
import type { Product, RequestRecord, Sandbox } from '../sandbox';
import { magic, startSandbox } from '../sandbox';
import type { NodeRun } from '../harness/n8n';
import { AT_ONCE, release } from '../harness/n8n';
import { expectOnlyE164, runnerOn } from '../harness/onSandbox';
import type { Receipt } from '../harness/parseReceipt';
import { receiptOf } from '../harness/parseReceipt';

const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
const validatePhone = {
	resource: 'phone',
	operation: 'validate',
	phoneNumber: '={{ $json.number }}',
};
const lookUpCaller = {
	resource: 'callerId',
	operation: 'lookUp',
	phoneNumber: '={{ $json.number }}',
};
const checkWhatsApp = {
	resource: 'whatsApp',
	operation: 'checkNumber',
	phoneNumber: '={{ $json.number }}',
};
const locateIp = { resource: 'geoIp', operation: 'locate', ipAddress: '={{ $json.ip }}' };
const basic = { responseDetail: 'basic' };

const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);
const columnOf = (run: NodeRun, field: string) => jsonOf(run.items()).map((json) => json[field]);
const linksOf = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
/** Sockets that so many calls at a time may hold: an answered one is open for a moment longer. */
const withClosing = (calls: number) => 2 * calls;
/** The links of a run that gives one item per input, in input order. */
const inOrder = (count: number) => Array.from({ length: count }, (_, item) => ({ item }));

describe(`the items of a run, n8n ${release}`, () => {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const run = runnerOn(() => sandbox);
	const asked = (field: string) => sandbox.log.map(({ query }) => query[field]);

	describe('duplicates', () => {
		it('are looked up once; every item gets the answer, its source, and a link', async () => {
			const emails = [
				'ada@mail.example',
				'missing@mail.example',
				'ada@MAIL.example',
				' ada@mail.example ',
				'Ada@mail.example',
				'timeout@mail.example',
				'missing@mail.example',
				'grace@catch-all.example',
				'not an address',
				'not an address',
			];
			const result = await run(verifyEmail, { items: emails.map((email) => ({ email })) });

			expect(asked('email')).toEqual([
				'ada@mail.example',
				'missing@mail.example',
				'Ada@mail.example',
				'timeout@mail.example',
				'grace@catch-all.example',
			]);
			expect(columnOf(result, 'input')).toEqual(emails);
			expect(columnOf(result, 'outcome')).toEqual([
				'positive',
				'negative',
				'positive',
				'positive',
				'positive',
				'unknown',
				'negative',
				'unknown',
				'negative',
				'negative',
			]);
			expect(columnOf(result, 'source')).toEqual([
				'service',
				'service',
				'duplicate',
				'duplicate',
				'service',
				'service',
				'duplicate',
				'service',
				'local',
				'local',
			]);
			expect(linksOf(result.items())).toEqual(inOrder(emails.length));
		});

		it('of emails are all spellings of one address; an impossible address is not looked up', async () => {
			const emails = [
				'Ada@müller.example',
				'Ada@MU\u0308LLER.example.',
				'mailto:Ada@xn--mller-kva.example?subject=Hello',
				'Ada＠ｍüller。example',
				'ada@müller.example',
				'info@ශ්\u200dරී.example',
				'info@ශ්රී.example',
				'ada@[266.266.266.266]',
				'a\u00a0da@müller.example',
				`${'a'.repeat(65)}@müller.example`,
			];
			const result = await run(verifyEmail, { items: emails.map((email) => ({ email })) });

			expect(asked('email')).toEqual([
				'Ada@xn--mller-kva.example',
				'ada@xn--mller-kva.example',
				'info@xn--10cl1a0b660p.example',
				'info@xn--10cl1a0b.example',
			]);
			const [service, duplicate, local] = ['service', 'duplicate', 'local'];
			expect(columnOf(result, 'source')).toEqual([
				...[service, duplicate, duplicate, duplicate, service],
				...[service, service, local, local, local],
			]);
			expect(columnOf(result, 'input')).toEqual(emails);
			expect(receiptOf(result.hints())).toMatchObject({ calls: 4, duplicates: 3 });
		});

		it('are numbers with one E.164 number, or with the same digits in the same country', async () => {
			const items = [
				{ number: '+442079460123', country: '' },
				{ number: '442079460123', country: '' },
				{ number: '(020) 7946 0123', country: 'GB' },
				{ number: '020-7946-0123', country: 'United Kingdom' },
				{ number: '020 7946 0123', country: 'DE' },
				{ number: '+44 (0)20 7946 0123', country: 'none' },
				{ number: '555-0142', country: 'US' },
				{ number: '555 0142', country: 'usa' },
				{ number: '555-0142', country: 'CA' },
			];
			const parameters = { ...validatePhone, country: '={{ $json.country }}' };
			const result = await run(parameters, { items });

			const bodies = sandbox.log.map(({ body }) => body as IDataObject);
			expect(bodies.map(({ phone_number, country_code }) => [phone_number, country_code])).toEqual([
				['+442079460123', undefined],
				['+492079460123', undefined],
				['5550142', 'US'],
				['5550142', 'CA'],
			]);
			expect(columnOf(result, 'source')).toEqual([
				...['service', 'duplicate', 'duplicate', 'duplicate', 'service'],
				...['duplicate', 'service', 'duplicate', 'service'],
			]);
		});

		it('of free operations are called each time, since they cost nothing', async () => {
			const batch = { resource: 'batch', phoneNumber: magic.PHONE.onWhatsApp };
			const submitted = await run({ ...batch, operation: 'submit' }, { items: [{}] });
			const [{ batchId }] = jsonOf(submitted.items());
			sandbox.clearLog();
			const result = await run(
				{ resource: 'batch', operation: 'get', batchId, splitIntoItems: false },
				{ items: [{ n: 1 }, { n: 2 }, { n: 3 }] },
			);

			expect(sandbox.log).toHaveLength(3);
			expect(columnOf(result, 'source')).toEqual(['service', 'service', 'service']);
			expect(linksOf(result.items())).toEqual(inOrder(3));
			expect(receiptOf(result.hints())).toMatchObject({ items: 3, calls: 0 });
		});
	});

	describe('an operation that takes no value of an item', () => {
		const items = [{ n: 1 }, { n: 2 }, { n: 3 }];
		const getBalance = { resource: 'account', operation: 'getBalance' };

		it('is called once, and its one result is linked to all items', async () => {
			const result = await run(getBalance, { items });

			expect(sandbox.log).toHaveLength(1);
			expect(linksOf(result.items())).toEqual([inOrder(3)]);
			expect(jsonOf(result.items())[0]).toMatchObject({
				source: 'service',
				...{ whatsApp: magic.RICH_BALANCE, email: magic.RICH_BALANCE },
				...{ geoIp: magic.RICH_BALANCE, phone: magic.RICH_BALANCE },
			});
			expect(receiptOf(result.hints())).toMatchObject({ calls: 0 });
		});

		it('returns each of its several results once', async () => {
			const result = await run({ resource: 'toolServer', operation: 'listTools' }, { items });

			expect(result.items()).toHaveLength(19);
			for (const links of linksOf(result.items())) expect(links).toEqual(inOrder(3));
		});

		it('fails once, for all items', async () => {
			sandbox.fault({ kind: 'status', status: 422 });
			const onError = 'continueErrorOutput';
			const result = await run(getBalance, { items, onError });

			expect(sandbox.log).toHaveLength(1);
			expect(result.items(0)).toEqual([]);
			expect(linksOf(result.items(1))).toEqual([inOrder(3)]);
		});

		it.each(['getStatus', 'checkHealth', 'listTools', 'getBalance'])(
			'%s is one of them',
			(value) => {
				const operation = operations.find((each) => each.value === value);
				expect(operation).toMatchObject({ fields: [], free: true, executesOnce: true });
			},
		);
	});

	describe('a list of 1,000 with 30 % duplicates', () => {
		const DISTINCT = 700;
		const CAP = 8;
		/** Every distinct value once, then 300 of them again, spread all over the list. */
		const values = Array.from({ length: 1000 }, (_, n) => (n * 37) % 1000).map((n) =>
			n < DISTINCT ? n : (n * 7) % DISTINCT,
		);
		const lists: Array<[string, Product, object, (n: number) => IDataObject]> = [
			['email addresses', 'email', verifyEmail, (n) => ({ email: `lead${n}@mail.example` })],
			[
				'phone numbers',
				'phone',
				validatePhone,
				(n) => ({ number: `+4420794${String(60000 + n)}` }),
			],
		];

		it.each(lists)(
			'of %s makes one paid call per value, in input order, and never exceeds the cap',
			async (_, product, parameters, itemOf) => {
				const items = values.map((value) => ({ value, ...itemOf(value) }));
				sandbox.fault({ kind: 'latency', ms: 5 });
				const result = await run(
					{
						...parameters,
						includeOtherInputFields: true,
						options: { [AT_ONCE]: CAP },
					},
					{ items },
				);

				expect(result.status).toBe('success');
				expect(sandbox.log).toHaveLength(DISTINCT);
				expect(new Set(sandbox.log.map(questionOf)).size).toBe(DISTINCT);
				expect(sandbox.spent(sandbox.keys.main)[product]).toBe(DISTINCT);

				const json = jsonOf(result.items());
				const results = json.map((item) => item[`${product}Result`] as IDataObject);
				expect(json.map(({ value }) => value)).toEqual(values);
				expect(linksOf(result.items())).toEqual(inOrder(1000));
				expect(results.map(({ input }) => input)).toEqual(
					items.map((item) => Object.values(itemOf(item.value))[0]),
				);
				const seen = new Set<number>();
				const sources = values.map((value) => {
					const source = seen.has(value) ? 'duplicate' : 'service';
					seen.add(value);
					return source;
				});
				expect(results.map(({ source }) => source)).toEqual(sources);
				expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['positive']));

				expect(sandbox.inFlight().peak).toBeLessThanOrEqual(CAP);
				expect(sandbox.inFlight().peak).toBeGreaterThan(1);
				expect(sandbox.connections().peak).toBeLessThanOrEqual(withClosing(CAP));
				expect(receiptOf(result.hints())).toMatchObject({
					items: 1000,
					calls: DISTINCT,
					duplicates: 300,
					failed: 0,
					credits: { [product]: DISTINCT },
				});
			},
		);
	});

	describe('parallel calls', () => {
		const DISTINCT = 80;
		/** A fifth of them again. */
		const leads = (distinct: number) =>
			Array.from({ length: distinct * 1.25 }, (_, n) => ({
				email: `lead${n % distinct}@mail.example`,
			}));
		const items = leads(DISTINCT);

		it.each([
			['100', {}, 100, 480],
			['as many as a test lets it', { [AT_ONCE]: 3 }, 3, DISTINCT],
		])('are at most %s', async (_, options, most, distinct) => {
			sandbox.fault({ kind: 'latency', ms: Math.min(10 * most, 300) });
			const before = sandbox.connections().open;
			await run({ ...verifyEmail, options }, { items: leads(distinct) });

			expect(sandbox.log).toHaveLength(distinct);
			expect(sandbox.inFlight().peak).toBe(most);
			expect(sandbox.connections().peak - before).toBeLessThanOrEqual(withClosing(most));
		});

		it('start in input order', async () => {
			await run({ ...verifyEmail, options: { [AT_ONCE]: 1 } }, { items });

			expect(asked('email')).toEqual(items.slice(0, DISTINCT).map(({ email }) => email));
		});
	});

	describe('results without a call', () => {
		const cases: Array<[string, object, IDataObject[], outcomes: string[], calls: number]> = [
			[
				'emails',
				verifyEmail,
				[
					{ email: 'no address' },
					{ email: 'ada@mail.example' },
					{},
					{ email: ['a@mail.example'] },
					{ email: '' },
				],
				['negative', 'positive', 'unknown', 'negative', 'unknown'],
				1,
			],
			[
				'IP addresses, private ones included',
				locateIp,
				[
					{ ip: '10.0.0.1' },
					{ ip: '8.8.8.8' },
					{ ip: '999.1.1.1' },
					{ ip: '::1' },
					{ ip: '8.8.8.8' },
				],
				['unknown', 'positive', 'negative', 'unknown', 'positive'],
				1,
			],
			[
				'phone numbers, national ones included where the country code is needed',
				checkWhatsApp,
				[{ number: '020 7946 0123' }, { number: '+12025550102' }, { number: 'call me' }],
				['unknown', 'positive', 'negative'],
				1,
			],
			[
				'phone numbers with words after them, or with another number',
				{ ...checkWhatsApp, country: 'GB' },
				[
					{ number: '020 7946 0123 (mobile)' },
					{ number: '+12025550102' },
					{ number: '+44 20 7946 0123 call after five' },
					{ number: '020 7946 0123 / 020 7946 0124' },
				],
				['positive', 'positive', 'positive', 'unknown'],
				2,
			],
			[
				'phone numbers as spreadsheets spoil them',
				{ ...validatePhone, country: 'US' },
				[{ number: '4.42079E+11' }, { number: 12025550102 }, { number: '12025550102.0' }],
				['unknown', 'positive', 'positive'],
				1,
			],
		];

		it.each(cases)('%s', async (_, parameters, items, outcomes, calls) => {
			const result = await run(parameters, { items });

			expect(sandbox.log).toHaveLength(calls);
			expect(columnOf(result, 'outcome')).toEqual(outcomes);
			const local = jsonOf(result.items()).filter(({ source }) => source === 'local');
			expect(local).toHaveLength(outcomes.filter((outcome) => outcome !== 'positive').length);
			for (const { reason } of local) expect(reason).toMatch(/^(Email|IP Address|Phone Number) /);
			expect(linksOf(result.items())).toEqual(inOrder(items.length));
			expect(receiptOf(result.hints())).toMatchObject({ calls, local: local.length });
		});

		it('are enough: a run with nothing else sends nothing and succeeds', async () => {
			const result = await run(verifyEmail, { items: [{ email: 'x' }, {}, { email: 'x' }] });

			expect(result.status).toBe('success');
			expect(sandbox.log).toEqual([]);
			expect(columnOf(result, 'source')).toEqual(['local', 'local', 'local']);
			expect(receiptOf(result.hints())).toMatchObject({ items: 3, calls: 0, local: 3 });
		});
	});

	describe('Output', () => {
		const emails = [
			'ada@mail.example',
			'x',
			'bad@mail.example',
			'ada@mail.example',
			'declared@mail.example',
		];
		const items = emails.map((email) => ({ email }));

		it('Simplified: returns the same fields for every item, answered or not', async () => {
			sandbox.fault({ kind: 'status', status: 422, contains: 'bad@' });
			const { items: output } = await run(verifyEmail, { items });

			const fields = [
				...['input', 'outcome', 'source', 'reason', 'email', 'verdict', 'reasonCode'],
				...['mailboxExists', 'catchAll', 'disposable'],
			];
			for (const json of jsonOf(output())) expect(Object.keys(json)).toEqual(fields);
			const [answered, local, failed, , declared] = jsonOf(output());
			expect(answered).toEqual({
				...{ input: 'ada@mail.example', outcome: 'positive', source: 'service' },
				...{
					reason: 'the mail server accepts the mailbox',
					email: 'ada@mail.example',
					verdict: 'deliverable',
				},
				...{ reasonCode: 'mailbox_accepted', mailboxExists: true },
				...{ catchAll: false, disposable: null },
			});
			expect(local).toMatchObject({ input: 'x', email: null, verdict: null });
			expect(failed).toMatchObject({ input: 'bad@mail.example', email: null, verdict: null });
			expect(declared).toMatchObject({ outcome: 'positive', verdict: 'deliverable' });
		});

		const families: Array<[string, object, IDataObject[]]> = [
			['phone validation', validatePhone, [{ number: '+442079460123' }, { number: '+441' }]],
			['caller ID', lookUpCaller, [{ number: '+442079460123' }, { number: '+12025550100' }]],
			['geolocation', locateIp, [{ ip: '8.8.8.8' }, { ip: '9.9.9.9' }, { ip: '8.8.8.8' }]],
		];
		it.each(families)(
			'Simplified: Detailed and Basic %s have the same fields and outcomes',
			async (_, parameters, input) => {
				const detailed = await run(parameters, { items: input });
				const short = await run({ ...parameters, ...basic }, { items: input });

				const keysOf = ({ items: output }: NodeRun) => jsonOf(output()).map(Object.keys);
				expect(keysOf(short)).toEqual(keysOf(detailed));
				expect(keysOf(detailed)[0].length).toBeLessThanOrEqual(10);
				expect(columnOf(short, 'outcome')).toEqual(columnOf(detailed, 'outcome'));
			},
		);

		it('Raw: returns the unchanged body under response, and null if the service was not called', async () => {
			const body = {
				...{ balance: 7, status: true, email: 'ada@mail.example', verdict: 'deliverable' },
				...{ extra: { nested: [1, { two: null }], Unicode: 'ü 你好' }, empty: '', no: false },
			};
			sandbox.fault({ kind: 'body', body, contains: 'ada@' });
			sandbox.fault({ kind: 'status', status: 422, contains: 'bad@' });
			const { items: output } = await run({ ...verifyEmail, output: 'raw' }, { items });

			const head = { input: 'ada@mail.example', outcome: 'positive', reason: null };
			const [answered, local, failed, duplicate] = jsonOf(output());
			expect(answered).toEqual({ ...head, source: 'service', response: body });
			expect(duplicate).toEqual({ ...head, source: 'duplicate', response: body });
			expect(local).toMatchObject({ source: 'local', response: null });
			expect(failed).toMatchObject({ source: 'failed', response: null });
		});

		it('Selected Fields: returns the selected fields alone, on every item', async () => {
			sandbox.fault({ kind: 'status', status: 422, contains: 'bad@' });
			const parameters = {
				...verifyEmail,
				output: 'selectedFields',
				selectedFields: ['creditsLeft', 'outcome', 'formatValid'],
			};
			const { items: output } = await run(parameters, { items });

			expect(jsonOf(output()).map((json) => Object.keys(json).sort())).toEqual(
				emails.map(() => ['creditsLeft', 'formatValid', 'outcome']),
			);
			expect(jsonOf(output())[0]).toEqual({
				...{ outcome: 'positive', formatValid: true },
				creditsLeft: magic.RICH_BALANCE - 1,
			});
			expect(jsonOf(output())[2]).toEqual({
				...{ outcome: 'unknown', formatValid: null, creditsLeft: null },
			});
		});
	});

	describe('Include Other Input Fields', () => {
		const items = [
			{ name: 'Ada', email: 'ada@mail.example', error: 'from before' },
			{ name: 'Bob', email: 'x', emailResult: 'old' },
			{ name: 'Cy', email: 'bad@mail.example' },
			{ name: 'Ada again', email: 'ada@mail.example', nested: { error: 1 } },
		];
		const including = (options: object = {}) => ({
			...verifyEmail,
			includeOtherInputFields: true,
			options,
		});

		beforeEach(() => sandbox.fault({ kind: 'status', status: 422, contains: 'bad@' }));

		it('keeps the fields of each item beside its result; a field error becomes inputError', async () => {
			const { items: output } = await run(including(), { items });

			const json = jsonOf(output());
			expect(json.map((item) => ({ ...item, emailResult: undefined }))).toEqual([
				{ name: 'Ada', email: 'ada@mail.example', inputError: 'from before' },
				{ name: 'Bob', email: 'x' },
				items[2],
				items[3],
			]);
			expect(json.map(({ emailResult }) => (emailResult as IDataObject).source)).toEqual([
				...['service', 'local', 'failed', 'duplicate'],
			]);
			expect(linksOf(output())).toEqual(inOrder(4));
		});

		const byDefault = { includeOtherInputFields: undefined };

		it('keeps them by default for a lookup, and not for a message', async () => {
			const looked = await run({ ...verifyEmail, ...byDefault }, { items: items.slice(0, 1) });
			expect(jsonOf(looked.items())).toEqual([
				{
					...{ name: 'Ada', email: 'ada@mail.example', inputError: 'from before' },
					emailResult: expect.objectContaining({ outcome: 'positive' }),
				},
			]);

			const message = { resource: 'whatsApp', operation: 'sendMessage', message: 'Hello' };
			const phoneNumber = '+442079460123';
			const sent = await run({ ...message, phoneNumber, ...byDefault }, { items: [{ n: 1 }] });
			expect(sent.items()[0].json).toMatchObject({ sent: true });
			expect(sent.items()[0].json).not.toHaveProperty('n');
		});

		it('so that an error field of the input neither fails an item nor runs the node again', async () => {
			const result = await run(including(), {
				items,
				onError: 'continueErrorOutput',
				retryOnFail: true,
				maxTries: 3,
			});

			expect(linksOf(result.items(0))).toEqual([{ item: 0 }, { item: 1 }, { item: 3 }]);
			expect(linksOf(result.items(1))).toEqual([{ item: 2 }]);
			expect(jsonOf(result.items(1))[0]).toMatchObject({ name: 'Cy', email: 'bad@mail.example' });
			expect(sandbox.log).toHaveLength(2);
		});

		it('puts the result into the field that the user names', async () => {
			const { items: output } = await run(including({ putOutputInField: 'check' }), { items });

			for (const json of jsonOf(output())) {
				expect(json.check).toMatchObject({ outcome: expect.any(String) });
				expect(json.name).toEqual(expect.any(String));
			}
			expect(jsonOf(output())[1].emailResult).toBe('old');
		});

		it('never puts a successful result into a field that n8n reads as an error', async () => {
			const good = [{ email: 'ada@mail.example' }, { email: 'eve@mail.example' }];
			const result = await run(including({ putOutputInField: 'error' }), {
				items: good,
				retryOnFail: true,
				maxTries: 3,
			});

			expect(result.status).toBe('error');
			expect(result.error?.message).toMatch(/^Put Output in Field can't be "error"/);
			for (const json of jsonOf(result.items())) expect(json).not.toHaveProperty('error');
			expect(sandbox.log).toEqual([]);
		});

		it('works with Raw and Selected Fields', async () => {
			const raw = await run({ ...including(), output: 'raw' }, { items });
			expect(jsonOf(raw.items())[3]).toMatchObject({
				name: 'Ada again',
				emailResult: { source: 'duplicate', response: { verdict: 'deliverable' } },
			});

			const parameters = { output: 'selectedFields', selectedFields: ['verdict'] };
			const selected = await run({ ...including(), ...parameters }, { items });
			expect(jsonOf(selected.items())[0]).toEqual({
				...{ name: 'Ada', email: 'ada@mail.example', inputError: 'from before' },
				emailResult: { verdict: 'deliverable' },
			});
		});

		it('keeps the files of each input item, answered or not', async () => {
			const binaryOf = (name: string) => ({
				data: { data: btoa(name), mimeType: 'text/plain', fileName: `${name}.txt` },
				photo: { data: btoa(`${name}!`), mimeType: 'image/png', fileName: `${name}.png` },
			});
			const withFiles = items.map((json) => ({ json, binary: binaryOf(json.name) }));
			for (const output of ['simplified', 'raw']) {
				const result = await run({ ...including(), output }, { items: withFiles });

				const sources = jsonOf(result.items()).map(
					({ emailResult }) => (emailResult as IDataObject).source,
				);
				expect(sources).toEqual(['service', 'local', 'failed', 'duplicate']);
				expect(result.items().map(({ binary }) => binary)).toEqual(
					withFiles.map(({ binary }) => binary),
				);
			}
		});

		it('adds no files if the input has none, and keeps none when it is off', async () => {
			const bare = await run(including(), { items });
			for (const item of bare.items()) expect(item).not.toHaveProperty('binary');

			const data = { data: btoa('x'), mimeType: 'text/plain', fileName: 'x.txt' };
			const withFiles = items.map((json) => ({ json, binary: { data } }));
			const off = await run(verifyEmail, { items: withFiles });
			for (const item of off.items()) expect(item.binary).toBeUndefined();
		});

		it('keeps the files beside a message that was sent', async () => {
			const data = { data: btoa('GIF'), mimeType: 'image/gif', fileName: 'a.gif' };
			const result = await run(
				{
					...{ resource: 'whatsApp', operation: 'sendMessage', message: 'Hello' },
					...{ phoneNumber: '+442079460123', media: 'binaryField', binaryPropertyName: 'data' },
					includeOtherInputFields: true,
				},
				{ items: [{ json: { n: 1 }, binary: { data } }] },
			);

			expect(result.error?.message).toBeUndefined();
			expect(result.items()[0].json).toMatchObject({ n: 1, whatsAppResult: { sent: true } });
			expect(result.items()[0].binary).toEqual({ data });
		});

		it('returns the result alone when it is off', async () => {
			const parameters = { ...verifyEmail, options: { putOutputInField: 'check' } };
			const { items: output } = await run(parameters, { items });

			for (const json of jsonOf(output())) {
				expect(json).not.toHaveProperty('name');
				expect(json).not.toHaveProperty('error');
				expect(json).toHaveProperty('outcome');
			}
		});
	});

	describe('the receipt', () => {
		const numbers = [
			...['+442079460123', '+442079460123', '+441', '+12025550101', 'call me'],
			...['+12025550100', '+44 20 7946 0123', '+61491570006'],
		].map((number) => ({ number }));
		const ips = ['8.8.8.8', '9.9.9.9', '1.1.1.1', '8.8.8.8', '10.0.0.1', 'x', '4.4.4.4'];
		const emails = [
			...['ada@mail.example', 'missing@mail.example', 'timeout@mail.example', 'x'],
			...['ada@MAIL.example', 'timeout@mail.example', 'eve@catch-all.example'],
		];
		const stated: Array<[string, Product, object, IDataObject[]]> = [
			['Phone Validate, Detailed', 'phone', validatePhone, numbers],
			['Caller ID Look Up, Detailed', 'callerinfo', lookUpCaller, numbers],
			['Email Verify', 'email', verifyEmail, emails.map((email) => ({ email }))],
		];

		it.each(stated)('of %s says which credits were debited', async (_, product, p, items) => {
			const first = Object.values(items[0])[0] as string;
			sandbox.fault({ kind: 'status', status: 422, contains: first.slice(1) });
			const result = await run(p, { items });

			const receipt = receiptOf(result.hints()) as Receipt;
			expect(result.hints()).toHaveLength(1);
			expect(receipt.credits).toEqual({ [product]: sandbox.spent(sandbox.keys.main)[product] });
			expect(receipt.calls).toBe(sandbox.log.length);
			expect(receipt.open).toBe(1);
			expect(countsOf(result)).toEqual(sourcesOf(receipt));
			expect(receipt.other).toEqual([]);
		});

		const valid = numbers.filter(({ number }) => number.length > 8);
		const resolved = ips.filter((ip) => ip !== '9.9.9.9').map((ip) => ({ ip }));
		const unstated: Array<[string, string, object, IDataObject[]]> = [
			['Phone Validate, Basic', 'phone', { ...validatePhone, ...basic }, valid],
			[
				'Caller ID Look Up, Basic',
				'callerinfo',
				{ ...lookUpCaller, ...basic },
				valid.filter(({ number }) => number !== magic.PHONE.callerLookupFails),
			],
			['WhatsApp Check Number', 'whatsapp', checkWhatsApp, numbers],
			['GeoIP Locate, Detailed', 'geoip', locateIp, resolved],
			['GeoIP Locate, Basic', 'geoip', { ...locateIp, ...basic }, resolved],
		];

		it.each(unstated)('of %s counts the paid calls', async (_, product, parameters, items) => {
			const result = await run(parameters, { items });

			const receipt = receiptOf(result.hints()) as Receipt;
			const charged = sandbox.log.filter((record) => record.charged > 0).length;
			expect(receipt).toMatchObject({ credits: {}, unpriced: { [product]: charged } });
			expect(receipt.calls).toBeGreaterThan(1);
			expect(countsOf(result)).toEqual(sourcesOf(receipt));
		});

		it('counts an unanswered call separately: the cost lies between the two figures', async () => {
			const items = ['ada', 'lost-after', 'eve', 'lost-before', 'ada'].map((name) => ({
				email: `${name}@mail.example`,
			}));
			sandbox.fault({ kind: 'resetAfterCharge', contains: 'lost-after' });
			sandbox.fault({ kind: 'resetBeforeCharge', contains: 'lost-before' });
			const result = await run(verifyEmail, { items });

			expect(receiptOf(result.hints())).toMatchObject({
				...{ items: 5, calls: 4, duplicates: 1, failed: 2, open: 2, credits: { email: 2 } },
			});
			expect(sandbox.spent(sandbox.keys.main).email).toBe(3);
		});

		it('is information if all went well, and a warning if something failed', async () => {
			const items = [{ email: 'ada@mail.example' }, { email: 'bad@mail.example' }];
			const good = await run(verifyEmail, { items });
			expect(good.lastTask().hints).toEqual([expect.objectContaining({ type: 'info' })]);

			sandbox.fault({ kind: 'status', status: 422, contains: 'bad@' });
			const bad = await run(verifyEmail, { items });
			expect(bad.lastTask().hints).toEqual([expect.objectContaining({ type: 'warning' })]);
			expect(receiptOf(bad.hints())?.firstFailure).toMatch(/^item 1: .*Injected status 422/);
		});
	});
});

/** What a call asked, wherever the endpoint takes it. */
function questionOf({ query, body }: RequestRecord): unknown {
	return query.email ?? (body as IDataObject).phone_number;
}

/** How many items came from where, as the items say and as the receipt says. */
function countsOf(run: NodeRun) {
	const sources = columnOf(run, 'source');
	const count = (source: string) => sources.filter((each) => each === source).length;
	return { duplicates: count('duplicate'), local: count('local'), failed: count('failed') };
}

function sourcesOf({ duplicates, local, failed }: Receipt) {
	return { duplicates, local, failed };
}
