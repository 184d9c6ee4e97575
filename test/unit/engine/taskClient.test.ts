import { type Client, type Reply } from '../../engine';
import {
	ask,
	FakeExecution,
	FakeTransport,
	flush,
	held,
	paid,
	perform,
	replyOf,
	startRun,
	workflow,
	yes,
} from '../fakes/fakeSend';
import { httpError } from '../fakes/replies';

const YES = replyOf(yes());

describe('a step', () => {
	/** Submits, then sends; each a paid call. */
	const both = workflow(async ([path], client) => {
		await client.call(paid(`/submit${path}`), 'submit');
		return [await client.call(ask(`/send${path}`), 'send')];
	});

	test('that an earlier try has made is found by its name', async () => {
		const execution = new FakeExecution();
		const failing = new FakeTransport(({ path }) => (path === '/send/b' ? httpError(401) : YES));
		await perform(both, ['/a', '/b'], failing, {}, { execution });
		const service = new FakeTransport(() => YES);
		const { answers, ledger } = await perform(both, ['/a', '/b'], service, {}, { execution });
		// The first task makes no call
		expect(answers.map((answer) => answer?.source)).toEqual(['memory', 'service']);
		expect(service.paths).toEqual(['/send/b']);
		expect(ledger.paidCalls).toBe(1);
	});

	test.each(['stop', 'errorItem'] as const)(
		'after a paid one is sent although another task failed (%s)',
		async (onFailure) => {
			const refused = held<void>();
			const service = new FakeTransport(async ({ path }) => {
				if (path === '/submit/bad') return httpError(401);
				await refused.released;
				return YES;
			});
			const { performed, breakers } = startRun(both, ['/a', '/bad'], service, {
				onFailure,
				concurrency: 2,
			});
			await flush(10);
			expect(breakers.openedBy(both)).toBeDefined();
			refused.release();
			expect((await performed).outcomes[0]).toBe('positive');
			expect(service.paths).toEqual(['/submit/a', '/submit/bad', '/send/a']);
		},
	);

	test('that a paid call lacks is a fault, which is logged, and nothing is sent', async () => {
		const unnamed = workflow(async ([path], client) => [await client.call(ask(path))]);
		const attempted = workflow(async ([path], client) => {
			await client.attempt(ask(path));
			return [yes()];
		});
		for (const operation of [unnamed, attempted]) {
			const service = new FakeTransport(() => YES);
			const { outcomes, faults } = await perform(operation, ['/a', '/b'], service);
			expect(outcomes).toEqual(['fault', 'fault']);
			expect(service.sent).toEqual([]);
			expect(faults[0]).toEqual([
				'running test.work',
				new Error('a paid call of test.work has no step'),
			]);
		}
	});
});

describe('a sleep', () => {
	const sleeper = (ms: number) =>
		workflow(async ([path], client: Client) => {
			if (path.startsWith('/slow')) await client.sleep(ms);
			return [await client.call(ask(path), 'send')];
		});

	test('releases the permit, and takes one again before the next call', async () => {
		const sleep = held<undefined>();
		const reply = held<Reply>();
		const service = new FakeTransport(
			async ({ path }) => (path === '/busy' ? await reply.released : YES),
			async () => await sleep.released,
		);
		const performed = perform(sleeper(5_000), ['/slow', '/busy'], service);
		await flush(5);
		expect(service.paths).toEqual(['/busy']);
		sleep.release(undefined);
		await flush(5);
		// The other task has the only permit
		expect(service.paths).toEqual(['/busy']);
		reply.release(YES);
		expect((await performed).outcomes).toEqual(['positive', 'positive']);
		expect(service.paths).toEqual(['/busy', '/slow']);
	});

	test('lasts until Max Wait at the longest, which all tasks share', async () => {
		const service = new FakeTransport(() => YES);
		const operation = sleeper(40_000);
		const { outcomes, failures } = await perform(
			operation,
			['/slow/1', '/slow/2', '/slow/3'],
			service,
			{
				maxWaitMs: 60_000,
			},
		);
		expect(service.sleeps).toEqual([40_000, 20_000]);
		expect(outcomes).toEqual(['positive', 'positive', 'unfinished']);
		expect(failures[2]?.reason).toBe("the job isn't finished after 1 minute");
	});
});
