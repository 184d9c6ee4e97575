import { type Client, type Reply, STOPPED } from '../../engine';
import {
	ask,
	call,
	endpoint,
	FakeTransport,
	flush,
	held,
	jobOf,
	paid,
	perform,
	replyOf,
	startRun,
	workflow,
	yes,
} from '../fakes/fakeSend';
import { httpError, LOST, NO_URL, ok } from '../fakes/replies';

const YES = replyOf(yes());

describe('a step', () => {
	/** Submits, then sends; each a paid call. */
	const both = workflow(async ([path], client) => {
		await client.call(paid(`/submit${path}`), 'submit');
		return [await client.call(ask(`/send${path}`), 'send')];
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

	test('ends after Max Wait of its own task, so that a job that starts late is waited for as long', async () => {
		const waiting = workflow(async (_, client) => {
			for (;;) await client.sleep(20_000);
		});
		const service = new FakeTransport(() => YES);
		const run = perform(waiting, ['/a', '/b'], service, { maxWaitMs: 30_000 });
		expect((await run).outcomes).toEqual(['unfinished', 'unfinished']);
		// The second task begins to wait 20 s after the first
		expect(service.sleeps).toEqual([20_000, 20_000, 10_000]);
	});
});

const WRONG_KEY: Reply = ok({ reading: { scope: 'account', reason: 'Invalid API key.' } });

describe('a paid job', () => {
	/** Submits a job, reports it, and looks at it after a pause; `bad` fails at once. */
	const batch = workflow(async ([id], client) => {
		if (id === 'bad') return [await call(client, ask('/bad'))];
		await call(client, paid(`/submit/${id}`));
		client.reportJob(jobOf(id));
		await client.sleep(5_000);
		await call(client, endpoint(`/poll/${id}`));
		return [yes()];
	});

	test.each<[when: string, reply: Reply, onFailure: 'stop' | 'unknown']>([
		['the account was refused', WRONG_KEY, 'unknown'],
		['the run is to stop at any failure', LOST, 'stop'],
	])('is polled to its end although %s', async (_, reply, onFailure) => {
		const service = new FakeTransport(
			({ path }) => (path === '/bad' ? reply : ok({})),
			async () => void (await flush()),
		);
		const ids = ['b-1', 'bad', 'b-2'];
		const { outcomes, ledger, logged } = await perform(batch, ids, service, { onFailure });
		expect(outcomes).toEqual(['positive', reply === LOST ? 'lost' : 'refused', 'notSent']);
		expect(service.paths).toEqual(['/submit/b-1', '/bad', '/poll/b-1']);
		expect([ledger.jobs, logged]).toEqual([[jobOf('b-1')], [jobOf('b-1')]]);
	});

	test('is named by the failure of a later call', async () => {
		const operation = workflow(async ([id], client) => {
			await call(client, paid('/submit'));
			client.reportJob(jobOf(id));
			return [await call(client, ask('/fetch'))];
		});
		for (const reply of [LOST, WRONG_KEY, httpError(400), httpError(401), NO_URL, STOPPED]) {
			const service = new FakeTransport(({ path }) => (path === '/submit' ? ok({}) : reply));
			const { failures } = await perform(operation, ['b-1'], service);
			expect(failures).toEqual([expect.objectContaining({ jobs: [jobOf('b-1')] })]);
		}
	});
});

test.each([
	['account', ['/slow', '/bad']],
	['question', ['/slow', '/bad', '/slow/next']],
] as const)(
	'a refusal that an operation reads in its replies stops tasks between two calls if it is about the account: %s',
	async (scope, expected) => {
		const pause = held<undefined>();
		const service = new FakeTransport(
			() => ok({}),
			async () => await pause.released,
		);
		const operation = workflow(async ([path], client) => {
			await call(client, endpoint(path));
			if (path === '/bad') return [{ scope, reason: 'No credits' }];
			await client.sleep(1000);
			await call(client, endpoint(`${path}/next`));
			return [yes()];
		});
		const { performed } = startRun(operation, ['/slow', '/bad'], service);
		await flush(9);
		pause.release(undefined);
		await performed;
		expect(service.paths).toEqual(expected);
	},
);
