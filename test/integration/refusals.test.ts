import type { FaultEffect } from '../sandbox';
import { isHandshake } from '../sandbox/faults/faultRules';
import { AT_ONCE, release } from '../harness/n8n';
import { storiesOn } from '../harness/stories';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

/** Refusals and unreadable answers that end a run of any length, and how many calls they cost (docs/ARCHITECTURE.md). */
const FAILURES_ALIKE = 10;
/** The first call ends the run. Of those in flight, no more than the first ones can be. */
const BEFORE_THE_END = 1;
const ITEMS = 100;

const value = '={{ $json.value }}';
const LOOKUPS = {
	email: { resource: 'email', operation: 'verify', email: value },
	ip: { resource: 'geoIp', operation: 'locate', ipAddress: value, responseDetail: 'detailed' },
	search: { resource: 'scraper', operation: 'searchForum', query: value },
	post: { resource: 'scraper', operation: 'getForumPost', postUrl: value },
	callerId: {
		...{ resource: 'callerId', operation: 'lookUp', phoneNumber: value },
		responseDetail: 'detailed',
	},
	check: { resource: 'whatsApp', operation: 'checkNumber', phoneNumber: value },
	send: { resource: 'whatsApp', operation: 'sendMessage', phoneNumber: value, message: 'Hi' },
	tool: {
		...{ resource: 'toolServer', operation: 'callTool', argumentsMode: 'json' },
		tool: { __rl: true, mode: 'name', value: 'locate_ip' },
		argumentsJson: '={{ { "ip": $json.value } }}',
	},
};
type Name = keyof typeof LOOKUPS;
const valueOf = (name: Name, n: number) => {
	if (name === 'email') return `lead${n}@mail.example`;
	if (name === 'ip' || name === 'tool') return `8.8.${Math.floor(n / 250)}.${(n % 250) + 1}`;
	if (name === 'post') return `https://forum.example/posts/${n}`;
	if (['callerId', 'check', 'send'].includes(name)) return `+4420794${String(60000 + n)}`;
	return `coffee ${n}`;
};
const itemsOf = (name: Name, count = ITEMS) =>
	Array.from({ length: count }, (_, n) => ({ value: valueOf(name, n) }));
const says = (error: string, more: object = {}, status = 200): FaultEffect => ({
	...{ kind: 'status', status },
	body: { status: false, error, ...more },
});
const CACHED = { status: true, number: '+15005550006', whatsapp: true };
const html = (status: number): FaultEffect => ({ kind: 'html', status });

describe(`a service that refuses everything, n8n ${release}`, () => {
	const on = storiesOn({ toolServer: { responses: 'json' } });
	const run = on.act;
	const calls = () => on.service().log.filter((record) => !isHandshake(record));
	const runAll = async (name: Name, items: Array<{ value: string }>, options = {}) =>
		await run({ ...LOOKUPS[name], options }, { items, onError: 'continueRegularOutput' });

	test.each<[name: Name, what: string, effect: FaultEffect]>([
		['email', 'HTML with 200', html(200)],
		['email', 'words that a value may be refused by too', says('Account suspended')],
		['send', 'words that a number may be refused by too', says('Invalid token')],
		['check', 'a shape that the node does not know', { kind: 'body', body: { on: 'yes' } }],
		['callerId', 'success, and no more', { kind: 'body', body: { success: true } }],
		['check', 'the answer of a cache', { kind: 'body', body: CACHED }],
		['search', 'words of its own', says('Talk to our sales team')],
		['tool', 'words of its own', says('Talk to our sales team')],
	])('%s, 100 items, %s: ten calls', async (name, _, effect) => {
		on.service().fault(effect);
		const result = await runAll(name, itemsOf(name));
		expect(calls()).toHaveLength(FAILURES_ALIKE);
		expect(result.items()[ITEMS - 1].json.error).toMatch(
			/^Skipped after an earlier failure: the first 10 calls all failed in the same way: .*You weren't charged\. \[item 99\]$/,
		);
	});

	test.each<[name: Name, effect: FaultEffect]>([
		['email', says('Not enough credits', { balance: 0 })],
		['email', { kind: 'status', status: 429, body: { error: 'Insufficient email credits' } }],
		['send', says('Unknown API key')],
		['tool', says('Out of credits')],
	])('%s, 100 items, %j: no further call', async (name, effect) => {
		on.service().fault(effect);
		const result = await runAll(name, itemsOf(name), { [AT_ONCE]: 1 });
		expect(calls().length).toBe(BEFORE_THE_END);
		expect(result.items()[0].json.error).toMatch(
			/(?:Check the API key|Add credits).* You weren't charged\. \[item 0\]$/,
		);
	});

	test('ends the run with an error that says so, and so does the hint', async () => {
		on.service().fault(says('Number not on WhatsApp'));
		const { error } = await run(LOOKUPS.email, { items: itemsOf('email', 30) });
		const told =
			/The node stopped before item \d+, because the first calls all failed alike\. If only these values are wrong, move other items to the front/;
		expect(error).toMatchObject({ description: expect.stringMatching(told) as string });

		const result = await runAll('email', itemsOf('email', 30));
		expect(result.hints()[0]).toMatch(told);
	});

	test.each<[status: number, words: string]>([
		[404, 'Not found'],
		[405, 'Not found'],
		[403, 'Access denied'],
	])(
		'takes HTTP %d for one about the value, which may have been charged, where the path has answered',
		async (status, words) => {
			on.service().fault({ ...says(words, {}, status), skip: 2, times: 1 });
			const lookup = { ...LOOKUPS.search, options: { [AT_ONCE]: 1 } };
			const result = await run(lookup, {
				...{ items: itemsOf('search', 5), retryOnFail: true, maxTries: 3 },
			});
			expect(calls().length).toBe(5);
			const [refused, ...others] = result.items().filter(({ json }) => json.outcome === 'unknown');
			expect(others).toEqual([]);
			const reason = new RegExp(
				`^The service refused the request: ${words}\\. .*may have been charged`,
			);
			expect(String(refused.json.reason)).toMatch(reason);
		},
	);
});
