import {
	type Answer,
	type Balance,
	defineOperation,
	equalityKey,
	estimateRun,
	type LookupCall,
	type LookupResult,
	type Operation,
	type Reply,
	lostFailure,
} from '../../engine';
import {
	FakeExecution,
	FakeTransport,
	flush,
	held,
	perform,
	replyOf,
	startRun,
	tasksOf,
	yes,
} from '../fakes/fakeSend';
import { contactOf, PAID_CHECK } from '../fakes/paidCheck';

/** A lookup that other operations may use: the question is a path, upper and lower case alike. */
function lookup(resource: string, balance: Balance): Operation<unknown> {
	return defineOperation<string>({
		...{ ...PAID_CHECK, resource },
		canonical: (path) => path.toLowerCase(),
		credits: () => ({ balance, atMost: 1, charged: () => 1 }),
	});
}

const phone = lookup('phone', 'phone');
const email = { ...lookup('email', 'email'), refunds: true as const };
const operationOf = (path: string) => (path.startsWith('/phone') ? phone : email);
const contact = contactOf(operationOf);

const YES = replyOf(yes({ list: [1] }));
const refusal = (scope: 'account' | 'question') => replyOf({ scope, reason: scope });
const sourcesOf = (answers: Array<{ answer: Answer } | undefined>) =>
	answers.map((each) => each?.answer.record.sources);

describe('an operation with lookups', () => {
	test('shares the answer of a duplicate with other tasks, as an object of their own', async () => {
		const service = new FakeTransport(() => YES);
		const questions = ['/phone/a /email/x', '/phone/A /email/y', '/email/x', '/phone/b'];
		const { answers, ledger } = await perform(contact, questions, service);

		expect(service.paths).toEqual(['/phone/a', '/email/x', '/email/y', '/phone/b']);
		expect(sourcesOf(answers)).toEqual([
			['service', 'service'],
			['duplicate', 'service'],
			['duplicate'],
			['service'],
		]);
		expect(ledger).toMatchObject({
			paidCalls: 4,
			steps: { duplicate: 2, memory: 0, failed: 0 },
		});
		const credits = [...ledger.accounts].map(([account, totals]) => [account, totals.credits]);
		expect(credits).toEqual([
			['phone', 2],
			['email', 2],
		]);
		const [[one], [other]] = answers.map((each) => each?.answer.record.records as object[]);
		expect(one).toEqual({ list: [1] });
		expect(other).toEqual(one);
		expect(Object.values(other)[0]).not.toBe(Object.values(one)[0]);
	});

	test('has an estimate that counts each once, by its own price, and none that was answered before', async () => {
		const questions = ['/phone/a /email/x > /phone/b', '/phone/A /email/y', '/email/x', '/email/y'];
		const { answers } = new FakeExecution().open();
		const answered: LookupResult = { answer: yes(), response: {}, source: 'service' };
		answers.keep(email, equalityKey(email, '/EMAIL/X'), answered);
		const cached = ({ lookup: of, question }: LookupCall) =>
			answers.find(of, equalityKey(of, question));
		const tasks = tasksOf(contact, questions);
		expect(await estimateRun(contact, tasks, cached, () => false)).toEqual({
			...{
				lookups: 3,
				calls: 3,
				refundable: 1,
				shared: 3,
				cached: 1,
				known: 0,
				asked: expect.any(Set),
			},
			credits: new Map([
				['phone', 2],
				['email', 1],
			]),
			unpriced: new Map(),
		});
	});
});

describe('a failure of another operation', () => {
	test('is returned to the operation, which continues', async () => {
		const service = new FakeTransport(({ path }) =>
			path === '/email/x' ? lostFailure('it broke') : YES,
		);
		const questions = ['/phone/a /email/x > /phone/b', '/email/x'];
		const { answers, failures, ledger } = await perform(contact, questions, service);
		expect(sourcesOf(answers)).toEqual([['service', 'lost', 'service'], undefined]);
		expect(failures[1]).toMatchObject({ cause: 'lost', mayHaveCost: true });
		expect(service.sent).toHaveLength(3);
		expect(ledger).toMatchObject({ paidCalls: 3, steps: { failed: 1 }, openLookups: 1 });
		expect(ledger.sum('open')).toBe(1);
	});

	test('of the account stops that operation and no other', async () => {
		const service = new FakeTransport(({ path }) =>
			path.startsWith('/email') ? refusal('account') : YES,
		);
		const questions = ['/phone/a /email/x', '/phone/b /email/y', '/email/z', '/phone/c'];
		for (const onFailure of ['unknown', 'errorItem', 'stop'] as const) {
			service.sent.length = 0;
			const { outcomes } = await perform(contact, questions, service, { onFailure });
			const all = ['/phone/a', '/email/x', '/phone/b', '/phone/c'];
			expect(service.paths).toEqual(onFailure === 'stop' ? all.slice(0, 3) : all);
			expect(outcomes.slice(0, 3)).toEqual(['positive', 'positive', 'notSent']);
		}
	});

	test('that the operation returns as its own stops all if the node is to stop', async () => {
		const service = new FakeTransport(({ path }) =>
			path === '/email/x' ? refusal('question') : YES,
		);
		const questions = ['/phone/a /email/x', '/phone/b /email/y', '/phone/c'];
		const settings = { onFailure: 'stop' } as const;
		const strict = contactOf(operationOf, true);
		const { outcomes, failures } = await perform(strict, questions, service, settings);
		expect(outcomes).toEqual(['refused', 'notSent', 'notSent']);
		expect(service.sent).toHaveLength(2);
		expect(failures[0]).toMatchObject({ paidBefore: true });
	});
});

describe('a lookup that a contact does not need is recognized', () => {
	test.each([
		['is counted', ['/a not /b'], 1],
		['is counted once for all contacts', ['/a not /b', '/c not /b', 'not /b /d'], 2],
		['counts no more once another contact makes it', ['not /b', '/b'], 0],
		['does not count where another contact has made it', ['/b', 'not /b'], 0],
		['is needed although others skip it later', ['not /b', '/b', 'not /b /c'], 1],
	])('%s: %j', async (_, questions, count) => {
		const { ledger } = await perform(contact, questions, new FakeTransport(() => YES));
		expect(ledger.notNeeded.count).toBe(count);
	});

	test('does not count if another contact is making it', async () => {
		const reply = held<Reply>();
		const service = new FakeTransport(async () => await reply.released);
		const run = startRun(contact, ['/b', 'not /b /c'], service, { concurrency: 2 });
		await flush(20);
		reply.release(YES);
		expect((await run.performed).ledger.notNeeded.count).toBe(1);
	});

	test('does not count if its answer is stored, since it would have cost nothing', async () => {
		const execution = new FakeExecution();
		const service = new FakeTransport(() => YES);
		await perform(contact, ['/b'], service, {}, { execution, run: '0' });
		const again = { execution, run: '1' };
		const { ledger } = await perform(contact, ['/a not /b /c'], service, {}, again);
		expect(ledger.notNeeded.count).toBe(1);
		expect(service.paths).toEqual(['/b', '/a']);
	});
});
