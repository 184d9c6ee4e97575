import {
	type Client,
	defineOperation,
	type Reading,
	type Reply,
	STOPPED,
	lostFailure,
} from '../../engine';
import {
	ask,
	endpoint,
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
import { httpError, ok } from '../fakes/replies';

const YES = replyOf(yes());
const LOST: Reply = lostFailure('it broke');

/** An operation of one call whose answers are stored. */
const single = defineOperation<string>({
	...{ resource: 'test', value: 'ask', name: 'Ask', action: 'Ask', description: 'Asks' },
	...{ fields: [], rules: {}, output: [], repeatable: true },
	prepare: ({ path }) => String(path),
	request: (path) => ask(path).request,
	credits: () => ({ balance: 'phone', cost: 'not stated' }),
	read: (body) => body.reading as unknown as Reading,
});

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
		const { outcomes, ledger } = await perform(both, ['/a', '/b'], service, {}, { execution });
		expect(outcomes).toEqual(['positive', 'positive']);
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

	test('is found in the next try, although the operation makes another call before it', async () => {
		const execution = new FakeExecution();
		const shorter = workflow(async ([path], client) => [await client.call(ask(path), 'send')]);
		const longer = workflow(async ([path], client) => {
			await client.call(paid('/extra'), 'extra');
			return [await client.call(ask(path), 'send')];
		});
		await perform(shorter, ['/a'], new FakeTransport(() => YES), {}, { execution });
		const service = new FakeTransport(() => YES);
		await perform(longer, ['/a'], service, {}, { execution });
		expect(service.paths).toEqual(['/extra']);
	});

	test('is not found by another run', async () => {
		const execution = new FakeExecution();
		const service = new FakeTransport(() => YES);
		await perform(both, ['/a'], service, {}, { execution, run: '0' });
		await perform(both, ['/a'], service, {}, { execution, run: '1' });
		expect(service.sent).toHaveLength(4);
	});

	test('that was lost fails the item again, and is not sent again', async () => {
		const execution = new FakeExecution();
		const service = new FakeTransport(() => LOST);
		for (let tries = 0; tries < 2; tries += 1) {
			const { outcomes } = await perform(both, ['/a'], service, {}, { execution });
			expect(outcomes).toEqual(['lost']);
		}
		expect(service.paths).toEqual(['/submit/a']);
	});

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

	test('is not needed by free calls', async () => {
		const free = workflow(async ([path], client) => {
			await client.call(endpoint(path));
			return [yes()];
		});
		expect((await perform(free, ['/a'], new FakeTransport(() => ok({})))).outcomes).toEqual([
			'positive',
		]);
	});
});

describe('the source of an answer', () => {
	const operation = workflow(async ([path], client) => {
		await client.attempt(paid(path), 'first');
		return [await client.call(ask('/last'), 'last')];
	});

	test('is the service if a call was made, and memory if all were in the journal', async () => {
		const execution = new FakeExecution();
		const service = new FakeTransport(() => YES);
		const sources: unknown[] = [];
		for (let tries = 0; tries < 2; tries += 1) {
			const { answers } = await perform(operation, ['/a'], service, {}, { execution });
			sources.push(answers[0]?.source);
		}
		expect(sources).toEqual(['service', 'memory']);
	});

	test('is the service if one of several calls was in the journal', async () => {
		const execution = new FakeExecution();
		const first = new FakeTransport(({ path }) => (path === '/last' ? httpError(401) : YES));
		await perform(operation, ['/a'], first, {}, { execution });
		const service = new FakeTransport(() => YES);
		const { answers } = await perform(operation, ['/a'], service, {}, { execution });
		expect([answers[0]?.source, service.paths]).toEqual(['service', ['/last']]);
	});

	test('is memory if an earlier run of the execution has paid for a duplicate', async () => {
		const execution = new FakeExecution();
		const service = new FakeTransport(() => YES);
		const sources: unknown[] = [];
		for (const run of ['0', '0', '1']) {
			const { answers } = await perform(single, ['/a'], service, {}, { execution, run });
			sources.push(answers[0]?.source);
		}
		expect(sources).toEqual(['service', 'memory', 'memory']);
		expect(service.sent).toHaveLength(1);
	});

	test('of an operation without calls is the service', async () => {
		const local = workflow(async () => await Promise.resolve([yes()]));
		const { answers } = await perform(local, ['/a'], new FakeTransport(() => YES));
		expect(answers[0]?.source).toBe('service');
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

	test('ends at Stop: nothing more is sent', async () => {
		const service = new FakeTransport(
			() => YES,
			() => STOPPED,
		);
		const { failures } = await perform(sleeper(5_000), ['/slow', '/b'], service);
		expect(failures[0]).toMatchObject(STOPPED);
		expect(service.paths).not.toContain('/slow');
	});
});

describe('an inconclusive answer', () => {
	const inconclusive = replyOf({ outcome: 'unknown', record: {}, isRefunded: true });

	test('is checked three times, if the user wants that', async () => {
		for (const [rechecksInconclusive, sent] of [
			[true, 3],
			[false, 1],
		] as const) {
			const service = new FakeTransport(() => inconclusive);
			const settings = { rechecksInconclusive };
			const { outcomes, ledger } = await perform(single, ['/a'], service, settings);
			expect(outcomes).toEqual(['unknown']);
			expect([service.sent.length, ledger.retries]).toEqual([sent, sent - 1]);
		}
	});

	test('is checked until it is conclusive, and that answer is stored', async () => {
		const execution = new FakeExecution();
		const service = new FakeTransport((_, nth) => (nth === 0 ? inconclusive : YES));
		const settings = { rechecksInconclusive: true };
		for (const run of ['0', '1']) {
			const { outcomes } = await perform(single, ['/a'], service, settings, { execution, run });
			expect(outcomes).toEqual(['positive']);
		}
		expect(service.sent).toHaveLength(2);
	});

	test('is not checked again beyond Max Paid Lookups', async () => {
		const service = new FakeTransport(() => inconclusive);
		const settings = { rechecksInconclusive: true, maxPaidLookups: 1 };
		await perform(single, ['/a', '/b'], service, settings);
		expect(service.sent).toHaveLength(3);
	});
});
