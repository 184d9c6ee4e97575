import { type Client, type Reading, type Reply, lostFailure, STOPPED } from '../../engine';
import {
	call,
	FakeExecution,
	FakeTransport,
	flush,
	held,
	paid,
	replyOf,
	startRun,
	workflow,
	yes,
} from '../fakes/fakeSend';

/** One paid call for all questions of a task, and a sleep in which another task may have the permit. */
const batch = workflow(
	async (questions: string[], client: Client): Promise<Reading[]> => {
		await call(client, paid(`/${questions.join('+')}`));
		await client.sleep(1);
		return questions.map((question) => yes({ question }));
	},
	{ repeatable: true, questionsPerTask: 9, waits: true },
);

const YES = replyOf(yes());
const FREE_FAILURE: Reply = { cause: 'unreachable', scope: 'question', reason: 'no such host' };

/** Runs of one execution, each with one permit and the tasks that are given. */
function startAll(
	...runs: Array<{ tasks: string[][]; service?: FakeTransport; stopped?: Promise<unknown> }>
) {
	const execution = new FakeExecution();
	return runs.map(({ tasks, service = new FakeTransport(() => YES), stopped }, index) => {
		const options = { execution, run: `${index}`, stopped };
		return { service, ...startRun(batch, tasks, service, {}, options) };
	});
}

const sourcesOf = ({ answers }: { answers: Array<{ source: string } | undefined> }) =>
	answers.map((answer) => answer?.source);

describe('lookups that two runs of an execution make at the same time', () => {
	test('are made once each, also if the runs make other ones too', async () => {
		const [first, second] = startAll({ tasks: [['a', 'b', 'c']] }, { tasks: [['b', 'd', 'a']] });
		const results = await Promise.all([first.performed, second.performed]);
		expect(first.service.paths).toEqual(['/a+b+c']);
		expect(second.service.paths).toEqual(['/d']);
		expect(results.map(sourcesOf)).toEqual([
			['service', 'service', 'service'],
			['memory', 'service', 'memory'],
		]);
		expect(results.map(({ ledger }) => ledger.paidCalls)).toEqual([1, 1]);
	});

	test('are made by the other run if nothing was paid for, together', async () => {
		const [first, second] = startAll(
			{ tasks: [['a', 'b']], service: new FakeTransport(() => FREE_FAILURE) },
			{ tasks: [['a', 'b', 'c']] },
		);
		expect((await first.performed).outcomes).toEqual(['unreachable', 'unreachable']);
		expect((await second.performed).outcomes).toEqual(['positive', 'positive', 'positive']);
		expect(second.service.paths).toEqual(['/c', '/a+b']);
	});

	test('are not repeated if the first run got no answer', async () => {
		const lost = new FakeTransport(() => lostFailure('the connection broke'));
		const [first, second] = startAll(
			{ tasks: [['a', 'b']], service: lost },
			{ tasks: [['b', 'a']] },
		);
		expect((await first.performed).outcomes).toEqual(['lost', 'lost']);
		expect((await second.performed).outcomes).toEqual(['lost', 'lost']);
		expect(second.service.sent).toEqual([]);
	});

	test('are made by the other run if Stop ends the first one', async () => {
		const stopped = { cause: 'notSent', reason: 'stopped', scope: 'account' } as const;
		const service = new FakeTransport(
			() => STOPPED,
			() => stopped,
		);
		const [first, second] = startAll({ tasks: [['a']], service }, { tasks: [['a']] });
		expect((await first.performed).outcomes).toEqual(['notSent']);
		expect((await second.performed).outcomes).toEqual(['positive']);
	});

	test('do not delay a waiting run when it is stopped', async () => {
		const reply = held<Reply>();
		const stop = held();
		const [first, second] = startAll(
			{ tasks: [['a']], service: new FakeTransport(async () => await reply.released) },
			{ tasks: [['b', 'a']], stopped: stop.released },
		);
		await flush(9);
		stop.release();
		expect((await second.performed).outcomes).toEqual(['positive', 'notSent']);
		reply.release(YES);
		expect((await first.performed).outcomes).toEqual(['positive']);
	});

	test('do not keep the permit that the answer of another run needs', async () => {
		// Each run has one permit; while its first task sleeps, its second one waits for the other run
		const wake = held();
		const sleepy = () =>
			new FakeTransport(
				() => YES,
				async () => {
					await wake.released;
					return undefined;
				},
			);
		const [first, second] = startAll(
			{ tasks: [['a'], ['b']], service: sleepy() },
			{ tasks: [['b'], ['a']], service: sleepy() },
		);
		await flush(9);
		wake.release();
		const results = await Promise.all([first.performed, second.performed]);
		expect(results.map(({ outcomes }) => outcomes)).toEqual([
			['positive', 'positive'],
			['positive', 'positive'],
		]);
		expect([first.service.paths, second.service.paths]).toEqual([['/a'], ['/b']]);
	});

	test('leave a retry the data to find the calls that were made without them', async () => {
		const execution = new FakeExecution();
		const paidFor: Reply = YES;
		const unfinished = { cause: 'unfinished', reason: 'not finished', scope: 'question' } as const;
		const open = (run: string, script: Reply, isUnfinished = false) => {
			const service = new FakeTransport(
				() => script,
				() => (isUnfinished ? unfinished : undefined),
			);
			const tasks = run === '0' ? [['a']] : [['a', 'b', 'c']];
			return { service, ...startRun(batch, tasks, service, {}, { execution, run }) };
		};
		const [other, own] = [open('0', FREE_FAILURE), open('1', paidFor, true)];
		await Promise.all([other.performed, own.performed]);
		const { answers } = execution.memoryOf(batch, '1');
		const positions = ['a', 'b', 'c'].map((question) =>
			answers.positionOf(batch, JSON.stringify([question, []])),
		);
		expect(own.service.paths).toEqual(['/b+c', '/a']);
		expect(positions).toEqual(['0.0', '0.1', '0.1']);
	});
});
