import type { IDataObject } from 'n8n-workflow';
import { operations } from '../../nodes/LookupMessaging/operations';
import { magic } from '../sandbox';
import type { NodeRun } from '../harness/n8n';
import { AT_ONCE, release } from '../harness/n8n';
import { leads, sendMessage, verifyEmail } from '../harness/parameters';
import { storiesOn, type Story } from '../harness/stories';
const [service, duplicate, local] = ['service', 'duplicate', 'local'];
const jsonOf = (run: NodeRun, output = 0) => run.items(output).map(({ json }) => json);
/** Sockets that so many calls at a time may hold: an answered one is open for a moment longer. */
const withClosing = (calls: number) => 2 * calls;
/** The links of a run that gives one item per input, in input order. */
const inOrder = (count: number) => Array.from({ length: count }, (_, item) => item);
const REFUSED = { kind: 'status', status: 422 } as const;

describe(`the items of a run, n8n ${release}`, () => {
	const on = storiesOn();
	const { act, see, tell } = on;

	describe('duplicates', () => {
		const EMAILS = [
			...['ada@mail.example', 'missing@mail.example', 'ada@MAIL.example', ' ada@mail.example '],
			...['Ada@mail.example', 'timeout@mail.example', 'missing@mail.example'],
			...['grace@catch-all.example', 'not an address', 'not an address'],
		];
		tell({
			'are looked up once; every item gets the answer, its source, and a link': {
				...{ node: verifyEmail, items: EMAILS.map((email) => ({ email })) },
				sent: {
					email: [
						...['ada@mail.example', 'missing@mail.example', 'Ada@mail.example'],
						...['timeout@mail.example', 'grace@catch-all.example'],
					],
				},
				fields: { input: EMAILS },
				outcomes: [
					...['positive', 'negative', 'positive', 'positive', 'positive', 'unknown', 'negative'],
					...['unknown', 'negative', 'negative'],
				],
				sources: [
					...[service, service, duplicate, duplicate, service, service, duplicate, service],
					...[local, local],
				],
				links: [inOrder(10)],
			},
		});

		it('of free operations are called each time, since they cost nothing', async () => {
			const batch = { resource: 'batch', phoneNumber: magic.PHONE.onWhatsApp };
			const [{ json }] = (await act({ ...batch, operation: 'submit' })).items();
			on.service().clearLog();
			const get = { resource: 'batch', operation: 'get', splitIntoItems: false };
			await see({
				...{ node: { ...get, batchId: json.batchId }, items: [{ n: 1 }, { n: 2 }, { n: 3 }] },
				...{ calls: 3, sources: [service, service, service], links: [inOrder(3)] },
				receipt: { items: 3, calls: 0 },
			});
		});
	});

	describe('an operation that takes no value of an item', () => {
		const once = {
			...{ node: { resource: 'account', operation: 'getBalance' }, calls: 1 },
			items: [{ n: 1 }, { n: 2 }, { n: 3 }],
		};
		const all = inOrder(3).map((item) => ({ item }));
		const whatsApp = magic.RICH_BALANCE;
		tell({
			'is called once, and its one result is linked to all items': {
				...{ ...once, links: [[all]], receipt: { calls: 0 } },
				item: {
					0: { source: service, whatsApp, email: whatsApp, geoIp: whatsApp, phone: whatsApp },
				},
			},
			'returns each of its several results once': {
				...{ ...once, node: { resource: 'toolServer', operation: 'listTools' }, calls: undefined },
				links: [new Array(19).fill(all)],
			},
			'fails once, for all items': {
				...{ ...once, faults: [REFUSED], onError: 'continueErrorOutput', links: [[], [all]] },
			},
		});

		it.each(['getStatus', 'checkHealth', 'listTools', 'getBalance'])('may be %s', (value) => {
			const operation = operations.find((each) => each.value === value);
			expect(operation).toMatchObject({ fields: [], free: true, executesOnce: true });
		});
	});

	describe('parallel calls', () => {
		/** So many addresses, a fifth of them again. */
		const many = (distinct: number) =>
			leads(...Array.from({ length: distinct * 1.25 }, (_, n) => `lead${n % distinct}`));

		it.each([
			['100', {}, 100, 480],
			['as many as a test lets it', { [AT_ONCE]: 3 }, 3, 80],
		])('are at most %s', async (_, options, most, distinct) => {
			on.service().fault({ kind: 'latency', ms: Math.min(10 * most, 300) });
			const before = on.service().connections().open;
			await see({ node: verifyEmail, options, items: many(distinct), calls: distinct });
			expect(on.service().inFlight().peak).toBe(most);
			const opened = on.service().connections().peak - before;
			expect(opened).toBeLessThanOrEqual(withClosing(most));
		});

		tell({
			'start in input order': {
				...{ node: verifyEmail, options: { [AT_ONCE]: 1 }, items: many(20) },
				sent: {
					email: many(20)
						.slice(0, 20)
						.map(({ email }) => email),
				},
			},
		});
	});

	describe('Output', () => {
		const told: Story = {
			...{ node: verifyEmail, items: leads('ada', 'x@', 'bad', 'ada', 'declared') },
			faults: [{ ...REFUSED, contains: 'bad@' }],
		};

		it('Simplified: returns the same fields for every item, answered or not', async () => {
			const [answered, ...others] = jsonOf(await see(told));
			expect(answered).toEqual({
				...{ input: 'ada@mail.example', outcome: 'positive', source: service },
				...{ reason: 'the mail server accepts the mailbox', email: 'ada@mail.example' },
				...{ verdict: 'deliverable', reasonCode: 'mailbox_accepted', mailboxExists: true },
				...{ catchAll: false, disposable: null },
			});
			const nothing = { email: null, verdict: null };
			expect(others).toMatchObject([
				{ input: 'x@', ...nothing },
				{ input: 'bad@mail.example', ...nothing },
				{ outcome: 'positive' },
				{ outcome: 'positive', verdict: 'deliverable' },
			]);
			for (const json of others) expect(Object.keys(json)).toEqual(Object.keys(answered));
			expect(Object.keys(answered)).toEqual([
				...['input', 'outcome', 'source', 'reason', 'email', 'verdict', 'reasonCode'],
				...['mailboxExists', 'catchAll', 'disposable'],
			]);
		});

		it('Raw: returns the unchanged body under response, and null if the service was not called', async () => {
			const body = {
				...{ balance: 7, status: true, email: 'ada@mail.example', verdict: 'deliverable' },
				...{ extra: { nested: [1, { two: null }], Unicode: 'ü 你好' }, empty: '', no: false },
			};
			on.service().fault({ kind: 'body', body, contains: 'ada@' });
			const run = await see({ ...told, node: { ...verifyEmail, output: 'raw' } });
			const head = { input: 'ada@mail.example', outcome: 'positive', reason: null };
			const [answered, unasked, failed, again] = jsonOf(run);
			expect(answered).toEqual({ ...head, source: service, response: body });
			expect(again).toEqual({ ...head, source: duplicate, response: body });
			expect(unasked).toMatchObject({ source: local, response: null });
			expect(failed).toMatchObject({ source: 'failed', response: null });
		});

		it('Selected Fields: returns the selected fields alone, on every item', async () => {
			const selectedFields = ['creditsLeft', 'outcome', 'formatValid'];
			const node = { ...verifyEmail, output: 'selectedFields', selectedFields };
			const items = jsonOf(await see({ ...told, node }));
			for (const json of items)
				expect(Object.keys(json).sort()).toEqual([...selectedFields].sort());
			const creditsLeft = magic.RICH_BALANCE - 1;
			expect(items[0]).toEqual({ outcome: 'positive', formatValid: true, creditsLeft });
			expect(items[2]).toEqual({ outcome: 'unknown', formatValid: null, creditsLeft: null });
		});
	});

	describe('Include Other Input Fields', () => {
		const items = [
			{ name: 'Ada', email: 'ada@mail.example', error: 'from before' },
			{ name: 'Bob', email: 'x', emailResult: 'old', inputError: 1, error: 2 },
			{ name: 'Cy', email: 'bad@mail.example' },
			{ name: 'Ada again', email: 'ada@mail.example', nested: { error: 1 } },
		];
		const ADA = { name: 'Ada', email: 'ada@mail.example', inputError: 'from before' };
		const SOURCES = [service, local, 'failed', duplicate];
		const node = { ...verifyEmail, includeOtherInputFields: true };
		const told: Story = { node, items, faults: [{ ...REFUSED, contains: 'bad@' }] };
		const resultsOf = (run: NodeRun) => jsonOf(run).map((json) => json.emailResult as IDataObject);
		const file = (name: string, fileName: string, mimeType: string) => ({
			...{ data: btoa(name), mimeType, fileName },
		});

		it('keeps the fields of each item beside its result; a field error becomes inputError', async () => {
			const run = await see({ ...told, links: [inOrder(4)] });
			expect(jsonOf(run).map((json) => ({ ...json, emailResult: undefined }))).toEqual([
				...[ADA, { name: 'Bob', email: 'x', inputError: 1, inputError_: 2 }, items[2], items[3]],
			]);
			expect(resultsOf(run).map(({ source }) => source)).toEqual(SOURCES);
		});

		it('keeps them by default for a lookup, and not for a message', async () => {
			const byDefault = { includeOtherInputFields: undefined };
			const looked = await act({ ...verifyEmail, ...byDefault }, { items: items.slice(0, 1) });
			const emailResult = expect.objectContaining({ outcome: 'positive' });
			expect(jsonOf(looked)).toEqual([{ ...ADA, emailResult }]);

			const message = { ...sendMessage, phoneNumber: '+442079460123', ...byDefault };
			const [sent] = jsonOf(await act(message, { items: [{ n: 1 }] }));
			expect(sent).toMatchObject({ sent: true });
			expect(sent).not.toHaveProperty('n');
		});

		it('keeps the files of each input item, answered or not', async () => {
			const withFiles = items.map((json) => ({
				json,
				binary: {
					data: file(json.name, `${json.name}.txt`, 'text/plain'),
					photo: file(`${json.name}!`, `${json.name}.png`, 'image/png'),
				},
			}));
			for (const output of ['simplified', 'raw']) {
				const run = await see({ ...told, node: { ...node, output }, items: withFiles });
				expect(resultsOf(run).map(({ source }) => source)).toEqual(SOURCES);
				expect(run.items().map(({ binary }) => binary)).toEqual(
					withFiles.map(({ binary }) => binary),
				);
			}
			const off = await act(verifyEmail, { items: withFiles });
			for (const item of off.items()) expect(item.binary).toBeUndefined();
			for (const item of (await act(node, { items })).items())
				expect(item).not.toHaveProperty('binary');
		});

		tell({
			'lets no error field of the input fail an item or run the node again': {
				...{ ...told, onError: 'continueErrorOutput', tries: 3, calls: 2, links: [[0, 1, 3], [2]] },
				also: (run) => expect(jsonOf(run, 1)).toMatchObject([items[2]]),
			},
			'puts the result into the field that the user names': {
				...{ ...told, options: { putOutputInField: 'check' } },
				fields: { name: items.map(({ name }) => name) },
				also(run) {
					for (const { check } of jsonOf(run)) expect(check).toHaveProperty('outcome');
					expect(jsonOf(run)[1].emailResult).toBe('old');
				},
			},
			'never puts a successful result into a field that n8n reads as an error': {
				...{ node, options: { putOutputInField: 'error' }, items: leads('ada', 'eve'), tries: 3 },
				...{
					status: 'error',
					fails: /^Put Output in Field can't be "error"/,
					calls: 0,
					links: [[]],
				},
			},
			'keeps the files beside a message that was sent': {
				node: {
					...{ ...sendMessage, phoneNumber: '+442079460123', includeOtherInputFields: true },
					...{ media: 'binaryField', binaryPropertyName: 'data' },
				},
				items: [{ json: { n: 1 }, binary: { data: file('GIF', 'a.gif', 'image/gif') } }],
				item: { 0: { n: 1, whatsAppResult: { sent: true } } },
				also: (run) =>
					expect(run.items()[0].binary).toEqual({ data: file('GIF', 'a.gif', 'image/gif') }),
			},
			'returns the result alone when it is off': {
				...{ ...told, node: verifyEmail, options: { putOutputInField: 'check' } },
				...{ fields: { name: inOrder(4).map(() => undefined) } },
				also(run) {
					for (const json of jsonOf(run)) {
						expect(json).not.toHaveProperty('error');
						expect(json).toHaveProperty('outcome');
					}
				},
			},
		});
	});
});
