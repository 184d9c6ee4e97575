import type { IDataObject } from 'n8n-workflow';
import {
	AT_ONCE,
	release,
	runWorkflow,
	sourceOf,
	type NodeRun,
	type WorkflowRun,
} from '../harness/n8n';
import {
	checkMany,
	checkWhatsApp,
	enrich,
	leads,
	lookUpCaller,
	numbers,
	sendMessage,
	verifyEmail,
} from '../harness/parameters';
import { storiesOn, type Story } from '../harness/stories';
import { callingTool } from '../harness/toolCalls';
import { pass } from '../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const DAY_MS = 86_400_000;
const BY_ONE = { [AT_ONCE]: 1 };
const STOPS = { ifSomeItemsFail: 'stopNode', ...BY_ONE };
const onError = 'continueRegularOutput' as const;
const keep = (balance: string, credits: number | string) => ({
	minimumBalance: { balances: [{ balance, credits }] },
});
const SUBMITS_THREE = {
	...{ resource: 'toolServer', operation: 'callTool', argumentsMode: 'json' },
	tool: { __rl: true, mode: 'name', value: 'submit_whatsapp_batch' },
	argumentsJson: '{"numbers":["a","b","a"],"competitors":["c"],"more":[{"numbers":["d"]}]}',
};
const KEEPS_100 = keep('email', 100);
/** Different addresses and numbers; each name has its own. */
const people = (count: number, name = 'a') =>
	Array.from({ length: count }, (_, n) => ({
		email: `${name}${n}@mail.example`,
		number: `+49151${String(10_000_000 + 1_000 * name.charCodeAt(0) + n)}`,
	}));
const FIVE = people(5);
const CALLS = { node: verifyEmail, items: FIVE };
const reasons = (run: NodeRun) => run.items().map(({ json }) => String(json.reason));
const WRONG_KEY = {
	...({ kind: 'status', status: 401 } as const),
	body: { status: false, error: 'Invalid API key.' },
};

describe(`limits of spending, n8n ${release}`, () => {
	const on = storiesOn({ batchNumbersPerSecond: 100_000 });
	const { play, see, spent, tell } = on;

	describe('Minimum Balance', () => {
		const keepsWhatsApp = { node: checkWhatsApp, items: FIVE, options: keep('whatsapp', 100) };
		const looked = { calls: { checkbalance: 1 } };
		tell({
			'starts no run if less than all that it may cost is above the floor': {
				...{ ...CALLS, options: KEEPS_100, balance: { email: 104 }, ...looked },
				fails:
					/^The run may cost up to 5 email credits, but the account has 104 email credits, and Minimum Balance keeps 100\. Add credits, lower Minimum Balance, or run fewer items\..*You weren't charged/,
			},
			'starts no run if nothing is left above the floor, whatever a call may cost': {
				...{ ...keepsWhatsApp, balance: { whatsapp: 100 }, ...looked },
				fails:
					/The account has 100 WhatsApp credits, and Minimum Balance keeps 100\. Add credits, lower Minimum Balance, or run fewer items\..*You weren't charged/,
			},
		});

		it('starts no run that it could not finish after unanswered calls of an earlier run', async () => {
			const kept = { node: verifyEmail, options: KEEPS_100 };
			await play({
				...{ ...kept, items: people(3, 'b'), balance: { email: 108 } },
				faults: [{ kind: 'resetBeforeCharge', path: 'checkemail', times: 3 }],
			});
			on.service().clearLog();
			await see({
				...{ ...kept, items: people(6), ...looked, spent: { email: 0 } },
				fails:
					/may cost up to 6 email credits, but the account has 108 email credits, and Minimum Balance keeps 100, and earlier calls may still cost 3\..*You weren't charged/,
			});
			await see({ ...kept, items: FIVE, sources: FIVE.map(() => 'service'), spent: { email: 5 } });
		});

		it('keeps its credits exactly while three executions run', async () => {
			const service = on.service();
			service.setBalance(service.keys.main, 'email', 160);
			service.fault({ kind: 'latency', ms: 3, path: 'checkemail' });
			const runs = await Promise.all(
				['a', 'b', 'c'].map(
					async (name) =>
						await play({ node: verifyEmail, options: KEEPS_100, items: people(40, name) }),
				),
			);
			const all = runs.flatMap((each) => each.items()).map(({ json }) => json);
			expect(spent().email).toBe(60);
			expect(all.filter(({ source }) => source === 'service')).toHaveLength(60);
			const refused = [
				...all.filter(({ source }) => source === 'failed').map(({ reason }) => reason),
				...runs.flatMap(({ error }) => error?.message ?? []),
			];
			expect(refused.length).toBeGreaterThan(0);
			for (const words of refused) expect(words).toMatch(/Minimum Balance.*You weren't charged/);
			// A look after every few credits, not after each
			expect(on.calls('checkbalance').length).toBeLessThan(40);
		});
	});

	describe('ten unanswered calls in a row', () => {
		const lostAfter = (skip: number) => [
			{ kind: 'resetAfterCharge', path: 'checkemail', skip } as const,
		];
		tell({
			'end 30 calls after 13 if all but the first three have no answer': {
				...{ node: verifyEmail, options: BY_ONE, items: people(30), faults: lostAfter(3) },
				...{ calls: 13, receipt: { calls: 13, open: 10, failed: 10, notReached: 17 } },
				also(run) {
					const words = /the last 10 calls got no answer.*may have been charged.*weren't charged/;
					expect(reasons(run).filter((reason) => words.test(reason))).toHaveLength(17);
				},
			},
			'count over the tries of Retry On Fail': {
				...{ node: verifyEmail, options: BY_ONE, items: people(30), faults: lostAfter(3) },
				...{ tries: 3, onError },
				also: () => expect(on.service().log.length).toBeLessThanOrEqual(13 + 2),
			},
			'stop the lookups of a contact without an answer, and not the others': {
				...{ node: { ...enrich, lookups: ['email', 'phone'] }, options: BY_ONE },
				...{ items: people(20), faults: lostAfter(3), spent: { email: 13, phone: 20 } },
				receipt: { open: 10 },
			},
		});
	});

	/** 5 distinct addresses, one of them twice, and one that no call is made for. */
	const SIX = leads(...['a', 'b', 'a', 'c', 'd', 'e']);
	const BUDGET = { node: verifyEmail, items: [...SIX, { email: 'no address@' }] };

	it.each(['maxPaidLookups', 'maxPaidLookupsPerDay'])(
		'%s counts no lookup whose credit was refunded, so a retry can finish',
		async (name) => {
			await see({
				...{ node: verifyEmail, options: { [name]: 3, ...STOPS }, tries: 2 },
				...{ items: leads('timeout', 'ada', 'bob'), calls: 4, spent: { email: 1 } },
				faults: [{ kind: 'status', status: 500, path: 'checkemail', skip: 2, times: 1 }],
				outcomes: ['unknown', 'positive', 'unknown'],
			});
		},
	);

	describe('Max Paid Lookups', () => {
		const limit = (maxPaidLookups: number, more = {}) => ({
			options: { maxPaidLookups, ...more },
		});
		tell({
			'lets a run pass that needs no more, or that has no limit': [5, 0, 1000].map((most) => ({
				...{ ...BUDGET, ...limit(most), status: 'success', calls: 5 },
			})),
			'refuses all where an expression comes to 0': [
				{ maxPaidLookups: '={{ 100 - $json.used }}' },
				{ maxPaidLookupsPerDay: '={{ 100 - $json.used }}' },
			].map((options) => ({
				...{ ...BUDGET, options, items: SIX.map((lead) => ({ ...lead, used: 100 })) },
				...{ calls: 0, fails: /^Max Paid Lookups.* comes to 0, so no paid lookup is left/ },
			})),
			'refuses a run that needs one more': {
				...{ ...BUDGET, ...limit(4), calls: 0 },
				fails:
					/^The run would make 5 paid lookups, which is more than Max Paid Lookups \(4\)\. .*You weren't charged/,
				also: ({ error }) => expect(error?.name).toBe('NodeOperationError'),
			},
			'counts the numbers of a batch': [
				...[{ ...limit(10), status: 'success', spent: { whatsapp: 10 } } as const],
				...[{ ...limit(9), status: 'error', spent: { whatsapp: 0 } } as const],
			].map((story) => ({ node: checkMany, items: numbers(10), ...story })),
			'counts the entries of a list that a tool is given, as Minimum Balance does': [
				{ ...limit(2), fails: /would make 3 paid lookups/ },
				{
					options: keep('whatsapp', 99_998),
					fails: /up to 3 tool lookups .* each counted as 1 WhatsApp credit/,
				},
			].map((story) => ({
				...{
					node: SUBMITS_THREE,
					balance: { whatsapp: 100_000 },
					spent: { whatsapp: 0 },
					...story,
				},
			})),
			'counts the check before a message as well as the message': {
				...{ node: sendMessage, ...limit(3, { checkNumberFirst: true }), items: numbers(2) },
				...{ fails: /would make 4 paid lookups/, calls: 0 },
			},
			'with Continue fails the items that it has no lookup for, and answers the others': {
				...{ ...BUDGET, ...limit(1), onError, calls: 0 },
				outcomes: [...SIX.map(() => undefined), 'negative'],
				item: { 0: { error: /Max Paid Lookups/ } },
			},
		});
	});

	describe('Check Balance, before', () => {
		const options = { checkBalance: 'before' };
		const one = { options, items: [{ number: '+12025550123' }] };
		const notMade = { ...BUDGET, onError, receipt: { calls: 0, failed: 6 } };
		tell({
			'refuses a run that may cost one credit more': {
				...{ ...BUDGET, options, balance: { email: 4 }, spent: { email: 0 } },
				fails:
					/^The run may cost up to 5 email credits, but the account has 4 email credits\. .*You weren't charged/,
			},
			'names the balance that the service does not show': {
				...{ ...one, node: lookUpCaller },
				hints: /The service doesn't show the Caller ID balance\.$/,
			},
			'names the balance that calls without a stated price are paid from': {
				...{ ...one, node: checkWhatsApp },
				hints: /Before the run, the account had \d+ WhatsApp credits\.$/,
			},
			'ends the run when a balance is empty, whatever a call may cost': {
				...{ ...one, node: checkWhatsApp, balance: { whatsapp: 0 }, calls: { checkbalance: 1 } },
				fails: /The account has 0 WhatsApp credits\. .*You weren't charged/,
			},
			'counts a call without a stated price as one credit': {
				...{ node: checkWhatsApp, options, items: numbers(2), balance: { whatsapp: 1 } },
				calls: { checkbalance: 1 },
				fails:
					/^The run makes up to 2 calls without a stated price, each counted as 1 WhatsApp credit, but the account has 1 WhatsApp credit\. .*You weren't charged/,
			},
			'spends nothing when the balance cannot be read': {
				...{ ...BUDGET, options, faults: [{ kind: 'status', status: 500, path: 'checkbalance' }] },
				...{
					fails: /The balance couldn't be read: .*HTTP 500/,
					isSilentOn: /may have been charged/,
				},
				also: () => expect(Object.keys(on.counts())).toEqual(['checkbalance']),
			},
			'does not count a free call that was not made': [
				{ options, credential: { baseUrl: '' }, calls: 0 },
				{ options, credentials: {}, calls: 0 },
				{ options: { ...options, maxPaidLookups: 4 }, calls: 0 },
				{ options, balance: { email: 4 }, calls: 1 },
			].map((story) => ({ ...notMade, ...story })),
			'reads no balance when nothing will be paid': {
				...{ node: verifyEmail, options, items: [{ email: 'no address@' }], calls: 0 },
			},
		});
	});

	describe('Check Balance, before and after', () => {
		const options = { checkBalance: 'beforeAndAfter' };
		const before = 'resetBeforeCharge';
		const after = 'resetAfterCharge';
		const COMMON = 'Of 2 email calls that may have been charged,';
		tell({
			'says how many of the unanswered calls were charged': (
				[
					[[before, before], 3, `${COMMON} so far none was`],
					[[before, after], 4, `${COMMON} so far 1 was charged too`],
					// An email credit may still come back
					[[after, after], 5, `${COMMON} so far 2 were charged too`],
				] as const
			).map(([kinds, taken, judged]) => ({
				...{ ...CALLS, options, spent: { email: taken } },
				faults: kinds.map((kind, n) => ({ kind, contains: `a${n}@` })),
				receipt: {
					// A third reading only where it may prove something
					...{ failed: 2, open: 0, credits: { email: 3 } },
					...{ taken: { email: taken }, judgements: [judged], other: [] },
				},
			})),
			'reads nothing before a run that pays for nothing, and nothing after one that was refused': [
				{ node: verifyEmail, items: [{ email: 'no address@' }], options, calls: 0 },
				{ ...CALLS, options, balance: { email: 4 }, calls: 1 },
			],
		});
	});

	describe('Dry Run', () => {
		const options = { dryRun: true };
		tell({
			'sends nothing and says how many lookups the run would make, and the maximum cost': {
				...{ ...BUDGET, options, calls: 0 },
				also(run) {
					expect(run.items().map(({ json }) => json)).toEqual([
						{
							...{ dryRun: true, items: 7, lookupsNeeded: 5, duplicates: 1, fromMemory: 0 },
							...{ answeredLocally: 1, failing: 0, batches: 0 },
							...{ paidCallsAtMost: 5, paidLookupsAtMost: 5 },
							...{ creditsAtMost: { email: 5 }, priceNotStated: [] },
						},
					]);
					expect(run.items()[0].pairedItem).toHaveLength(7);
				},
			},
			'counts batches': {
				...{ node: checkMany, options, items: numbers(1001) },
				item: {
					0: {
						...{ batches: 2, paidCallsAtMost: 2, paidLookupsAtMost: 1001 },
						creditsAtMost: { whatsapp: 1001 },
					},
				},
			},
			'names the balances whose price is not stated': {
				...{ node: sendMessage, options, items: numbers(2) },
				item: { 0: { priceNotStated: ['whatsapp'] } },
			},
		});
	});

	describe('Recheck Inconclusive Emails', () => {
		const recheck = (more = {}) => ({ recheckInconclusiveEmails: true, ...more });
		const ONCE = leads('timeout-once');
		const NEVER = leads('timeout');
		tell({
			'checks again when the credit was refunded, and pays for the answer once': {
				...{ node: verifyEmail, options: recheck(), items: [...ONCE, ...ONCE], calls: 2 },
				outcomes: ['positive', 'positive'],
				receipt: { calls: 2, retries: 1, credits: { email: 1 } },
			},
			'stays within Max Paid Lookups': {
				...{ node: verifyEmail, options: recheck({ maxPaidLookups: 2 }), items: NEVER, calls: 2 },
			},
		});
	});

	describe('Max Paid Lookups per Day', () => {
		const untilMidnight = () => DAY_MS - (Date.now() % DAY_MS);
		// No test meets the midnight of the machine
		beforeEach(() => pass(untilMidnight() + DAY_MS / 2));
		/** Addresses that are looked up once in a test. */
		const emails = (from: number, count: number) =>
			leads(...Array.from({ length: count }, (_, n) => `n${from + n}`));
		const daily = (limit: unknown, items: IDataObject[], more = {}): Story => ({
			...{ node: verifyEmail, options: { maxPaidLookupsPerDay: limit, ...more } as IDataObject },
			items,
		});
		const passes = async (limit: unknown, items: IDataObject[]) =>
			await see({ ...daily(limit, items), status: 'success' });
		const refuses = async (limit: unknown, items: IDataObject[], fails: RegExp, more = {}) =>
			await see({ ...daily(limit, items, more), status: 'error', fails });

		it('counts over executions, refuses one that would exceed it, and starts again at midnight', async () => {
			await passes(5, emails(0, 3));
			const { error } = await refuses(
				...([5, emails(3, 3)] as const),
				/^The run would make 3 paid lookups, after 3 today, which is more than Max Paid Lookups per Day \(5\)\. The count resets at 00:00 UTC\. Run it again after that, or raise Max Paid Lookups per Day under Spending Limits\. .*You weren't charged/,
			);
			expect(error?.name).toBe('NodeOperationError');
			await passes(5, emails(6, 2));
			await refuses(5, emails(8, 1), /after 5 today/);
			expect(spent().email).toBe(5);

			pass(untilMidnight());
			await passes(5, emails(9, 5));
			expect(spent().email).toBe(10);
		});

		it('admits one of two parallel runs that together exceed it', async () => {
			const runs = await Promise.all([play(daily(5, emails(0, 3))), play(daily(5, emails(3, 3)))]);
			expect(runs.map(({ status }) => status).sort()).toEqual(['error', 'success']);
			expect(runs.find(({ error }) => error)?.error?.message).toMatch(
				/would make 3 paid lookups, after .*under way/,
			);
			expect(spent().email).toBe(3);
			await passes(5, emails(6, 2));
		});

		it('counts the lookups of nodes without it, of tools and of batches', async () => {
			await play({ node: checkMany, items: numbers(8) });
			const options = { maxPaidLookupsPerDay: 10 };
			await see({ node: checkMany, options, items: people(3), fails: /after 8 today/ });
			const parameters = { ...verifyEmail, email: "={{ $fromAI('email', '', 'string') }}" };
			await callingTool({ credentials: on.credentials(), parameters }, async (call) => {
				await call({ email: 'a@mail.example' });
			});
			await refuses(10, emails(0, 2), /after 9 today/);
			await passes(10, emails(0, 1));
		});

		it('releases what a run did not need', async () => {
			on.service().fault(WRONG_KEY);
			await refuses(3, emails(0, 3), /Invalid API key/, { ifSomeItemsFail: 'stopNode' });
			on.service().reset();
			await passes(3, emails(3, 3));
		});

		it('counts each account separately', async () => {
			const { main, other } = on.service().keys;
			for (const apiKey of [main, other])
				await see({ ...daily(2, emails(0, 2)), credential: { apiKey }, status: 'success' });
		});

		tell({
			'repeats inconclusive checks only within its limit': {
				...daily(2, leads('timeout'), { recheckInconclusiveEmails: true }),
				...{ outcomes: ['unknown'], calls: 2 },
			},
		});

		describe('with the data that n8n keeps with the workflow', () => {
			const runWith = async (
				staticData: unknown,
				items: IDataObject[],
				spendingLimits: object = { maxPaidLookupsPerDay: 5 },
			) =>
				await runWorkflow({
					...{ mode: 'trigger', credentials: on.credentials(), startNode: 'Source' },
					types: { nodes: { source: sourceOf(items.map((json) => ({ json }))) } },
					workflow: {
						staticData: staticData as IDataObject,
						nodes: [
							{ name: 'Source', type: 'source' },
							{
								...{ name: 'Node', type: 'n8n-nodes-lookup-messaging.lookupMessaging' },
								parameters: { ...verifyEmail, spendingLimits } as never,
								credentials: { lookupMessagingApi: { id: 'id', name: 'name' } },
							},
						],
						connections: { Source: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
					},
				});
			type Stored = { 'node:Node': { paidLookupsPerDay: { day: string; counts: object } } };
			const storedIn = ({ staticData }: WorkflowRun) =>
				(JSON.parse(JSON.stringify(staticData)) as Stored)['node:Node'].paidLookupsPerDay;
			const storedWith = (kept: unknown) => ({ 'node:Node': { paidLookupsPerDay: kept } });

			it('continues the count of another process, until midnight, without key and address', async () => {
				const first = await runWith({}, emails(0, 2));
				const kept = storedIn(first);
				const day = new Date(Date.now()).toISOString().slice(0, 10);
				const [account] = Object.keys(kept.counts);
				expect(kept).toEqual({ day, counts: { [account]: 2 } });
				const text = JSON.stringify(first.staticData);
				expect(text).not.toContain(on.service().keys.main);
				expect(text).not.toMatch(/http|localhost|127/);

				// By another worker
				const later = storedWith({ day, counts: { [account]: 4 } });
				expect((await runWith(later, emails(2, 2))).error?.message).toMatch(/after 4 today/);
				pass(untilMidnight());
				expect(storedIn(await runWith(later, emails(2, 2))).counts).toEqual({ [account]: 2 });
			});

			it('lets n8n store it, and stores nothing without the limit', async () => {
				const runs = [await runWith({}, emails(0, 1)), await runWith({}, emails(1, 1), {})];
				expect(runs.map(({ staticData }) => staticData.__dataChanged)).toEqual([true, false]);
			});
		});
	});
});
