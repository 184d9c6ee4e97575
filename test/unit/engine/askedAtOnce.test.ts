import fc from 'fast-check';
import { type Client, type Reading, type Reply } from '../../engine';
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
import { LOST } from '../fakes/replies';

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

	test('are paid for once at most, and each run has what became of them', async () => {
		const task = fc.uniqueArray(fc.constantFrom(...'abc'), { minLength: 1 });
		const run = fc.record({
			tasks: fc.array(task, { minLength: 1, maxLength: 3 }),
			reply: fc.constantFrom(YES, LOST, FREE_FAILURE),
		});
		const runs = fc.array(run, { minLength: 2, maxLength: 3 });
		const property = fc.asyncProperty(runs, async (all) => {
			const started = startAll(
				...all.map(({ tasks, reply }) => ({ tasks, service: new FakeTransport(() => reply) })),
			);
			const results = await Promise.all(started.map(async ({ performed }) => await performed));
			for (const question of 'abc') {
				const paidBy = started.flatMap(({ service }, n) =>
					all[n].reply === FREE_FAILURE
						? []
						: service.paths.filter((path) => path.includes(question)).map(() => all[n].reply),
				);
				expect(paidBy.length).toBeLessThan(2);
				const paid = paidBy.map((reply) => (reply === YES ? 'positive' : 'lost'));
				for (const [n, { tasks, reply }] of all.entries()) {
					const due = reply === FREE_FAILURE ? [...paid, 'unreachable'] : paid;
					for (const [index, asked] of tasks.flat().entries())
						if (asked === question) expect(due).toContain(results[n].outcomes[index]);
				}
			}
		});
		await fc.assert(property, { seed: 7, numRuns: 60 });
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
});
