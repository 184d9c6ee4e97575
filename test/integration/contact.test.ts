import type { IDataObject } from 'n8n-workflow';
import { magic, type FaultRule } from '../sandbox';
import { AT_ONCE, release, type NodeRun } from '../harness/n8n';
import { leads } from '../harness/parameters';
import { receiptOf } from '../harness/parseReceipt';
import { storiesOn } from '../harness/stories';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const SECTIONS = ['phone', 'callerId', 'whatsApp', 'email', 'geoIp'];
const enrich = {
	...{ resource: 'contact', operation: 'enrich', phoneNumber: '={{ $json.phone }}' },
	...{ email: '={{ $json.email }}', ipAddress: '={{ $json.ip }}', lookups: [...SECTIONS].sort() },
	...{ country: '={{ $json.country }}', contactName: '={{ $json.name }}' },
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

const BY_ONE = { [AT_ONCE]: 1 };
const STOPS = { ifSomeItemsFail: 'stopNode' };
const FAILS = { alsoFailItemsIf: ['lookupFails'] };
const onError = 'continueRegularOutput' as const;
const ONCE_WRONG_KEY: FaultRule = {
	...{ kind: 'status', status: 401, path: 'checkemail', times: 1, contains: 'missing' },
	body: { status: false, error: 'Invalid API key.' },
};
const NO_CREDITS: FaultRule = {
	...{ kind: 'status', status: 402, path: 'checkemail' },
	body: { balance: 0, status: false, error: 'Please recharge' },
};
const LOST: FaultRule = { kind: 'resetAfterCharge', path: 'checkemail', contains: 'ada@' };

const records = (run: Pick<NodeRun, 'items'>) => run.items().map(({ json }) => json);
const sourcesIn = (json: IDataObject) =>
	Object.fromEntries(
		SECTIONS.map((section) => [section, (json[section] as IDataObject | null)?.source ?? null]),
	);
const all = (source: string | null) =>
	Object.fromEntries(SECTIONS.map((section) => [section, source]));

describe(`Contact: Enrich, n8n ${release}`, () => {
	const on = storiesOn();
	const { act, spent, tell } = on;
	const log = () => on.service().log;
	const contacts = { node: enrich, items: CONTACTS };
	const ada = { node: enrich, items: [ADA] };
	/** The receipt says what the sandbox's ledger says, as far as prices are stated. */
	const expectHonest = (run: NodeRun) => {
		const receipt = receiptOf(run.hints())!;
		expect(receipt.calls).toBe(log().length);
		expect(spent()).toMatchObject(receipt.credits);
	};

	tell({
		'returns one item for each contact, and looks up each value once': {
			...{ ...contacts, status: 'success', links: [[0, 1, 2, 3, 4, 5]] },
			outcomes: ['positive', 'positive', 'negative', 'positive', 'positive', 'unknown'],
			sources: ['service', 'service', 'service', 'duplicate', 'service', 'local'],
			// Duplicate numbers and mailboxes once, and nothing more about the invalid number
			calls: {
				...{ phonevalidation: 3, calleridvalidation: 2, checkwanumber: 2 },
				...{ checkemail: 2, geoip: 2 },
			},
			receipt: { items: 6, calls: 11, duplicates: 9, local: 1, failed: 0 },
			also(run) {
				expect(records(run).map(sourcesIn)).toEqual([
					all('service'),
					{ ...all('duplicate'), geoIp: 'service' },
					{ ...all('local'), phone: 'service', email: 'service', geoIp: null },
					all('duplicate'),
					{ ...all('service'), email: 'local', geoIp: 'local' },
					all(null),
				]);
				expectHonest(run);
			},
		},
	});

	it('returns the bodies by section in Raw, and the selected fields alone', async () => {
		const [raw] = records(await act({ ...enrich, output: 'raw' }, { items: [CLEO] }));
		expect(Object.keys(raw.response as object)).toEqual(SECTIONS);
		const phone = { status: 'VALID_CONFIRMED' };
		expect(raw.response).toMatchObject({ phone, email: null, geoIp: null });

		const chosen = { output: 'selectedFields', selectedFields: ['outcome', 'signals'] };
		const [selected] = records(await act({ ...enrich, ...chosen }, { items: [ADA] }));
		expect(Object.keys(selected)).toEqual(['outcome', 'signals']);
	});

	it.each<[why: string, lookups: string]>([
		['a wrong parameter', '={{ $json.name === "Nobody" ? "all" : ["phone"] }}'],
		['no readable lookups', '={{ $json.name ? $json.none.none : ["phone"] }}'],
	])('returns the same columns for an item that fails for %s', async (_, lookups) => {
		const node = { ...enrich, lookups, output: 'flatColumns' };
		const every = records(await act(node, { items: CONTACTS }));
		expect(every.map(({ source }) => source)).toContain('failed');
		expect(every[0]).toHaveProperty('phone_outcome');
		for (const json of every) expect(Object.keys(json)).toEqual(Object.keys(every[0]));
	});

	it('returns no column of the input that looks like one of the result', async () => {
		const node = { ...enrich, lookups: ['phone'], output: 'flatColumns' };
		const sent = { ...ADA, contactResult_email_verdict: 'deliverable' };
		const beside = { ...node, includeOtherInputFields: true };
		const [json] = records(await act(beside, { items: [sent] }));
		expect(json).toMatchObject({ ...ADA, contactResult_phone_outcome: 'positive' });
		expect(json).not.toHaveProperty('contactResult_email_verdict');
	});

	tell({
		'makes all lookups but Caller ID by default': {
			...{ ...ada, node: { ...enrich, lookups: undefined } },
			calls: { phonevalidation: 1, checkwanumber: 1, checkemail: 1, geoip: 1 },
			also: (run) => expect(records(run)[0]).not.toHaveProperty('callerId'),
		},
		'routes by result, and sends a contact without any answer to Unknown': {
			node: { ...enrich, routeByResult: true },
			items: [ADA, BEN, ...leads('lost'), EMPTY],
			faults: [{ kind: 'status', status: 422, contains: 'lost@' }],
			links: [[0], [1], [2, 3]],
			also(run) {
				const [, , [lost]] = run.outputs();
				expect(lost.json).toMatchObject({
					...{ outcome: 'unknown', source: 'failed', channels: [] },
					email: { outcome: 'unknown', source: 'failed', reason: expect.stringMatching(/refused/) },
					signals: { incomplete: true },
				});
				expect(lost.json).not.toHaveProperty('phone');
			},
		},
		'fails before anything is sent for an invalid value if the user wants that': {
			...{ node: enrich, options: { alsoFailItemsIf: ['inputIsInvalid'] }, items: [ADA, CLEO] },
			...{ fails: /^Email .*You weren't charged.*\[item 1\]$/, calls: 0 },
		},
	});

	describe('a failed lookup', () => {
		const items = [ADA, { ...ADA_AGAIN, email: 'eve@mail.example' }, BEN];
		const told = { node: enrich, items };
		const reason = /You may have been charged\.$/;
		tell({
			'fails its section, which shows the error; the receipt warns': {
				...{ ...told, faults: [LOST], receipt: { failed: 1, open: 1 } },
				item: {
					0: {
						...{ outcome: 'positive', source: 'service', signals: { incomplete: true } },
						...{ email: { outcome: 'unknown', source: 'failed', reason } },
						whatsApp: { source: 'service' },
					},
					1: { email: { source: 'service' } },
				},
				hints: /<br>.*, 1 failed and may have been charged \(email: .*\)\./,
				also(run) {
					// The error stands in its section alone
					expect(records(run)[0]).not.toHaveProperty('reason');
					expect(run.lastTask().hints?.[0].type).toBe('warning');
				},
			},
			'stops the node if the user wants that': {
				...{ ...told, options: { ...FAILS, ...STOPS, ...BY_ONE } },
				faults: [{ kind: 'status', status: 422, path: 'checkemail', contains: 'ada@' }],
				fails: /^Email Verification: the service refused/,
				also: () => expect(on.calls('phonevalidation')).toHaveLength(1),
			},
			'without email credits stops email lookups alone': {
				...{ ...told, options: BY_ONE, faults: [NO_CREDITS], status: 'success' },
				calls: {
					...{ phonevalidation: 2, calleridvalidation: 1, checkwanumber: 1 },
					...{ checkemail: 1, geoip: 2 },
				},
				fields: {
					email: items.map(() => expect.objectContaining({ source: 'failed' }) as unknown),
				},
				item: {
					1: {
						email: { reason: /^Skipped after an earlier failure: not enough email credits/ },
					},
				},
			},
			'beside one that was free says that it may have been charged': {
				...{ ...told, items: [ADA], options: FAILS, onError },
				faults: [LOST, { ...NO_CREDITS, path: 'phonevalidation' }],
				item: {
					0: {
						error:
							/^Email Verification: the connection broke.* You may have been charged\. Earlier/,
					},
				},
			},
			'with a wrong key costs one refused call for each kind of lookup, and fails the node': {
				...{ ...told, options: BY_ONE, credential: { apiKey: 'wrong' }, status: 'error' },
				fails: /: the service refused the request: Invalid/,
				// The first contact's number is not known without its validation, the last one's has its country code
				calls: {
					...{ phonevalidation: 1, checkemail: 1, geoip: 1 },
					...{ checkwanumber: 1, calleridvalidation: 1 },
				},
				also: () => expect(Object.values(spent()).filter((credits) => credits > 0)).toEqual([]),
			},
		});
	});

	describe('the memory of the execution', () => {
		tell({
			'is returned although the rest of the run is refused': {
				...{ node: { ...enrich, lookups: ['email', 'phone'] }, onError, tries: 2 },
				// n8n tries again when the first item failed
				...{ options: { checkBalance: 'before', ...FAILS }, items: [BEN, ADA] },
				faults: [
					{ kind: 'latency', ms: 200, contains: 'missing' },
					ONCE_WRONG_KEY,
					{ kind: 'status', status: 500, path: 'checkbalance', skip: 1 },
				],
				item: {
					0: { error: /balance couldn't be read/ },
					1: { outcome: 'positive', phone: { source: 'memory' }, email: { source: 'memory' } },
				},
			},
			'prevents a retry from paying again': {
				...{ ...contacts, options: { ...FAILS, ...STOPS, ...BY_ONE }, tries: 2 },
				...{ faults: [ONCE_WRONG_KEY], status: 'success', calls: 11 + 1, spent: { phone: 2 } },
				hints: /Earlier in this execution: charged: \d/,
			},
		});
	});

	tell({
		'are refused before the first paid call if a base URL that they need cannot be an address': [
			[{ lookupUrl: 'nonsense' }, "Lookup URL in the credential doesn't start"],
			[{ geoipUrl: 'ftp://g.example' }, "GeoIP URL in the credential doesn't start"],
			[{ apiKey: 'two\nlines' }, 'API Key in the credential contains a line break'],
		].map(([credential, words]) => ({
			...{ ...ada, node: { ...enrich, lookups: ['email', 'phone', 'geoIp'] }, calls: 0 },
			...{ credential: Object(credential) as IDataObject },
			fails: new RegExp(`the ${String(words)}.*You weren't charged`, 'i'),
		})),
		'are returned by a retry, except the one whose lookup was lost after its charge': {
			...{ node: { ...enrich, lookups: ['email', 'phone'] }, tries: 3, status: 'success' },
			options: { ...STOPS, ...FAILS, ...BY_ONE },
			items: Array.from({ length: 8 }, (_, n) => ({
				...{ email: `c${n}@mail.example`, phone: `+4420794600${10 + n}` },
			})),
			faults: [{ path: 'checkemail', contains: 'c3@', kind: 'resetAfterCharge' }],
			...{ calls: { checkemail: 8, phonevalidation: 8 }, spent: { email: 8, phone: 8 } },
			...{ receipt: { failed: 1, open: 0 }, hints: /; may have been charged: 1 email call\./ },
			also(run) {
				const outcomes = records(run).map(({ outcome }) => outcome);
				expect(outcomes.filter((outcome) => outcome === 'positive')).toHaveLength(7);
			},
		},
		'fails one part alone when its base URL stops working, and the rest is returned': {
			...{ ...ada, node: { ...enrich, lookups: ['email', 'phone', 'geoIp'] }, status: 'success' },
			...{ credential: { geoipUrl: 'http://127.0.0.1:1' }, calls: 2 },
			item: { 0: { geoIp: { outcome: 'unknown', reason: /refused.*You weren't charged/ } } },
		},
	});
});
