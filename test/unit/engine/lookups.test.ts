import { type Balance, defineOperation, type Operation } from '../../engine';
import { FakeTransport, perform, replyOf, yes } from '../fakes/fakeSend';
import { contactOf, PAID_CHECK } from '../fakes/paidCheck';

/** A lookup that other operations may use: the question is a path, upper and lower case alike. */
function lookup(resource: string, balance: Balance): Operation<unknown> {
	return defineOperation<string>({
		...{ ...PAID_CHECK, resource },
		canonical: (path) => path.toLowerCase(),
		credits: () => ({ balance, atMost: 1, charged: () => 1 }),
	});
}

const [phone, email] = [lookup('phone', 'phone'), lookup('email', 'email')];
const contact = contactOf((path) => (path.startsWith('/phone') ? phone : email));

const YES = replyOf(yes({ list: [1] }));
const WRONG_KEY = replyOf({ scope: 'account', reason: 'Invalid API key.' });

describe('an operation with lookups', () => {
	test('shares the answer of a duplicate with other tasks, as an object of their own', async () => {
		const service = new FakeTransport(() => YES);
		const questions = ['/phone/a /email/x', '/phone/A /email/y', '/email/x', '/phone/b'];
		const { answers, ledger } = await perform(contact, questions, service);

		expect(service.paths).toEqual(['/phone/a', '/email/x', '/email/y', '/phone/b']);
		expect(answers.map((each) => each?.answer.record.sources)).toEqual([
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
});

describe('a failure of another operation', () => {
	test('of the account stops that operation and no other', async () => {
		const service = new FakeTransport(({ path }) => (path.startsWith('/email') ? WRONG_KEY : YES));
		const questions = ['/phone/a /email/x', '/phone/b /email/y', '/email/z', '/phone/c'];
		for (const onFailure of ['unknown', 'errorItem', 'stop'] as const) {
			service.sent.length = 0;
			const { outcomes } = await perform(contact, questions, service, { onFailure });
			const all = ['/phone/a', '/email/x', '/phone/b', '/phone/c'];
			expect(service.paths).toEqual(onFailure === 'stop' ? all.slice(0, 3) : all);
			expect(outcomes.slice(0, 3)).toEqual(['positive', 'positive', 'notSent']);
		}
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
		expect(ledger.notNeeded).toBe(count);
	});
});
