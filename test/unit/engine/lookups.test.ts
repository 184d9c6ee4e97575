import {
	type Answer,
	type Balance,
	defineOperation,
	equalityKey,
	estimateRun,
	isFailed,
	type LookupCall,
	type LookupResult,
	type Operation,
	type Reading,
	lostFailure,
} from '../../engine';
import {
	FakeExecution,
	FakeTransport,
	perform,
	replyOf,
	tasksOf,
	workflow,
	yes,
} from '../fakes/fakeSend';

/** A lookup that other operations may use: the question is a path, upper and lower case alike. */
function lookup(resource: string, balance: Balance): Operation<unknown> {
	return defineOperation<string>({
		...{ resource, value: 'look', name: 'Look', action: 'Look', description: 'Looks' },
		...{ fields: [], rules: {}, output: [], repeatable: true },
		prepare: ({ path }) => String(path),
		canonical: (path) => path.toLowerCase(),
		request: (path) => ({ service: 'main', method: 'GET', path: `/${resource}/${path}` }),
		credits: () => ({ balance, atMost: 1, charged: () => 1 }),
		read: (body) => body.reading as unknown as Reading,
	});
}

const phone = lookup('phone', 'phone');
const email = lookup('email', 'email');
const OPERATIONS: Record<string, Operation<unknown>> = { phone, email };

/** `phone:a email:b`, looked up at once; what follows a `>` is looked up after that. */
const parse = (question: string): LookupCall[][] =>
	question.split(' > ').map((part) =>
		part.split(' ').map((text) => {
			const [resource, asked] = text.split(':');
			return { lookup: OPERATIONS[resource], question: asked };
		}),
	);

/** Looks up what its question says. The record has what came of each; with `isStrict`, one failure is its own. */
const contact = (isStrict = false) =>
	workflow(
		async ([question], client) => {
			const results: LookupResult[] = [];
			for (const part of parse(question)) {
				results.push(
					...(await Promise.all(
						part.map(async ({ lookup: of, question: asked }) => await client.lookUp(of, asked)),
					)),
				);
			}
			const failed = results.find(isFailed);
			if (failed && (isStrict || results.every(isFailed))) return [failed];
			const sources = results.map((each) => (isFailed(each) ? each.failure.cause : each.source));
			const records = results.map((each) => (isFailed(each) ? null : each.answer.record));
			return [yes({ sources, records })];
		},
		{ lookups: (question) => parse(question).flat() },
	);

const YES = replyOf(yes({ list: [1] }));
const refusal = (scope: 'account' | 'question') => replyOf({ scope, reason: scope });
const sourcesOf = (answers: Array<{ answer: Answer } | undefined>) =>
	answers.map((each) => each?.answer.record.sources);

describe('an operation with lookups', () => {
	test('shares the answer of a duplicate with other tasks', async () => {
		const service = new FakeTransport(() => YES);
		const questions = ['phone:a email:x', 'phone:A email:y', 'email:x', 'phone:b'];
		const { answers, ledger } = await perform(contact(), questions, service);

		expect(service.paths).toEqual([...['/phone/a', '/email/x', '/email/y', '/phone/b']]);
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
	});

	test('gives no task the object of another', async () => {
		const { answers } = await perform(
			contact(),
			['phone:a', 'phone:a'],
			new FakeTransport(() => YES),
		);
		const [[one], [other]] = answers.map((each) => each?.answer.record.records as unknown[]);
		expect(one).toEqual({ list: [1] });
		expect(other).toEqual(one);
		expect(other).not.toBe(one);
		expect((other as { list: unknown }).list).not.toBe((one as { list: unknown }).list);
	});
});

describe('an answer of another operation', () => {
	test('is stored by operation, and not repeated in the execution', async () => {
		const execution = new FakeExecution();
		const service = new FakeTransport(() => YES);
		const round = async (run: string, question: string) =>
			await perform(contact(), [question], service, {}, { execution, run });
		await round('0', 'phone:a email:x');
		const { answers, ledger } = await round('1', 'phone:A email:y');

		expect(service.paths).toEqual(['/phone/a', '/email/x', '/email/y']);
		expect(sourcesOf(answers)).toEqual([['memory', 'service']]);
		expect(ledger).toMatchObject({ paidCalls: 1, steps: { memory: 1, duplicate: 0 } });
	});
});

describe('a failure of another operation', () => {
	test('is returned to the operation, which continues', async () => {
		const service = new FakeTransport(({ path }) =>
			path === '/email/x' ? lostFailure('it broke') : YES,
		);
		const questions = ['phone:a email:x > phone:b', 'email:x'];
		const { answers, failures, ledger } = await perform(contact(), questions, service);
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
		const questions = ['phone:a email:x', 'phone:b email:y', 'email:z', 'phone:c'];
		for (const onFailure of ['unknown', 'errorItem', 'stop'] as const) {
			service.sent.length = 0;
			const { outcomes } = await perform(contact(), questions, service, { onFailure });
			const paths = service.paths;
			const all = ['/phone/a', '/email/x', '/phone/b', '/phone/c'];
			expect(paths).toEqual(onFailure === 'stop' ? all.slice(0, 3) : all);
			expect(outcomes.slice(0, 3)).toEqual(['positive', 'positive', 'notSent']);
		}
	});

	test('that the operation returns as its own stops all if the node is to stop', async () => {
		const service = new FakeTransport(({ path }) =>
			path === '/email/x' ? refusal('question') : YES,
		);
		const questions = ['phone:a email:x', 'phone:b email:y', 'phone:c'];
		const { outcomes, failures } = await perform(contact(true), questions, service, {
			onFailure: 'stop',
		});
		expect(outcomes).toEqual(['refused', 'notSent', 'notSent']);
		expect(service.sent).toHaveLength(2);
		expect(failures[0]).toMatchObject({ paidBefore: true });
	});
});

describe('the estimate of a run with lookups', () => {
	const questions = ['phone:a email:x > phone:b', 'phone:A email:y', 'email:x', 'email:y'];

	test('counts each lookup once, by its own price, and none that was answered before', async () => {
		const { answers } = new FakeExecution().open();
		const answered: LookupResult = { answer: yes(), response: {}, source: 'service' };
		answers.keep(email, equalityKey(email, 'X'), answered);
		const cached = ({ lookup: of, question }: LookupCall) =>
			answers.find(of, equalityKey(of, question));
		const tasks = tasksOf(contact(), questions);
		expect(await estimateRun(contact(), tasks, cached, () => false)).toEqual({
			...{ lookups: 3, calls: 3, shared: 3, cached: 1, known: 0, asked: expect.any(Set) },
			credits: new Map([
				['phone', 2],
				['email', 1],
			]),
			unpriced: new Map(),
		});
	});
});
