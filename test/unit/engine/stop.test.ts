import {
	type Client,
	describeFailure,
	type Failure,
	isFailed,
	type Reading,
	type Reply,
	STOPPED,
} from '../../engine';
import { pollUntilFinished } from '../../../nodes/LookupMessaging/operations/shared/polling';
import {
	ask,
	call,
	endpoint,
	FakeTransport,
	flush,
	held,
	jobOf,
	perform,
	PRICE,
	workflow,
	yes,
} from '../fakes/fakeSend';
import { by, httpError, LOST, NO_URL, ok } from '../fakes/replies';

const WRONG_KEY: Reply = ok({ reading: { scope: 'account', reason: 'Invalid API key.' } });
const WRONG_QUESTION: Reply = ok({ reading: { scope: 'question', reason: 'Lookup failed' } });
const YES: Reply = ok({ reading: { ...yes() } });

const single = workflow(async ([path], client) => [await call(client, ask(path))]);

const OF_THE_QUESTION: Array<[name: string, reply: Reply]> = [
	...[...'lou'].map((letter): [string, Reply] => [
		`failed (${letter})`,
		by(letter)({} as never, 0),
	]),
	['refused', WRONG_QUESTION],
	['refused by its HTTP status', httpError(400)],
];
const OF_THE_ACCOUNT: Array<[name: string, reply: Reply]> = [
	['refused for the account', WRONG_KEY],
	...[401, 402, 404, 405, 302].map((status): [string, Reply] => [
		`refused by HTTP ${status}`,
		httpError(status),
	]),
	['misconfigured', NO_URL],
	['stopped', STOPPED],
];

describe('a run with a failure', () => {
	/** Eight lookups; the third fails. */
	const performAfter = async (
		reply: Reply,
		onFailure: 'errorItem' | 'stop' | 'unknown',
		concurrency = 1,
	) => {
		const service = new FakeTransport(({ path }) => (path === '/2' ? reply : YES));
		const paths = ['/0', '/1', '/2', '/3', '/4', '/5', '/6', '/7'];
		const settings = { onFailure, concurrency };
		return { service, ...(await perform(single, paths, service, settings)) };
	};
	const NOT_SENT = new Array<string>(5).fill('notSent');

	test.each(OF_THE_QUESTION)(
		'makes all other calls when one is %s, and no further one if it is to stop',
		async (_, reply) => {
			for (const onFailure of ['unknown', 'errorItem'] as const) {
				for (const limit of [1, 3, 500]) {
					const { service, outcomes } = await performAfter(reply, onFailure, limit);
					expect(service.uniquePaths).toHaveLength(8);
					expect(outcomes.filter((outcome) => outcome === 'positive')).toHaveLength(7);
				}
			}
			const { service, outcomes, failures } = await performAfter(reply, 'stop');
			expect(service.uniquePaths).toEqual(['/0', '/1', '/2']);
			expect(outcomes.slice(3)).toEqual(NOT_SENT);
			const reason = `skipped after an earlier failure: ${failures[2]?.reason}`;
			for (const failure of failures.slice(3)) {
				expect(failure).toMatchObject({ reason, scope: 'question' });
			}
		},
	);

	test.each(OF_THE_ACCOUNT)('starts no further call when one is %s', async (_, reply) => {
		for (const onFailure of ['unknown', 'errorItem', 'stop'] as const) {
			const { service, outcomes, resultCount } = await performAfter(reply, onFailure);
			expect(service.paths).toEqual(['/0', '/1', '/2']);
			expect(outcomes.slice(0, 2)).toEqual(['positive', 'positive']);
			expect(outcomes.slice(3)).toEqual(NOT_SENT);
			expect(resultCount).toBe(8);
		}
	});

	test('says why the others were not sent, and only once that the execution was stopped', async () => {
		const refused = await performAfter(WRONG_KEY, 'unknown');
		const reason =
			'skipped after an earlier failure: the service refused the request: Invalid API key.';
		for (const failure of refused.failures.slice(3)) {
			expect(failure).toMatchObject({ cause: 'notSent', reason, scope: 'account' });
		}
		const { failures } = await performAfter(STOPPED, 'unknown');
		expect(new Set(failures.slice(2).map((failure) => failure?.reason))).toEqual(
			new Set(['skipped because the execution was stopped']),
		);
	});

	test('names the first failure as the reason, and completes calls in flight', async () => {
		const replies = [held<Reply>(), held<Reply>(), held<Reply>()];
		const service = new FakeTransport(async (_, nth) => await replies[nth].released);
		const paths = ['/0', '/1', '/2', '/3', '/4'];
		const performed = perform(single, paths, service, { concurrency: 3 });
		replies[1].release(WRONG_KEY);
		await flush(5);
		replies[0].release(httpError(402));
		replies[2].release(YES);
		const { outcomes, failures } = await performed;
		expect(outcomes).toEqual(['refused', 'refused', 'positive', 'notSent', 'notSent']);
		expect(failures[3]?.reason).toContain('Invalid API key.');
		expect(service.sent).toHaveLength(3);
	});

	test.each([
		['account', ['/first/1', '/first/2', '/0']],
		['question', ['/first/1', '/first/2', '/0', '/1', '/2']],
	] as const)(
		'stops tasks between two calls only if an operation has read a refusal of the account in its replies: %s',
		async (scope, expected) => {
			const pause = held<undefined>();
			const service = new FakeTransport(
				() => ok({}),
				async () => await pause.released,
			);
			const operation = workflow(async ([path], client) => {
				if (path !== '/0') {
					await call(client, endpoint(`/first${path}`));
					await client.sleep(1000);
				}
				await call(client, endpoint(path));
				return [{ scope, reason: 'No credits' }];
			});
			const performed = perform(operation, ['/1', '/2', '/0'], service);
			await flush(9);
			pause.release(undefined);
			const { resultCount } = await performed;
			expect(service.paths).toEqual(expected);
			expect(resultCount).toBe(3);
		},
	);
});

describe('a paid job', () => {
	const PACE = 5000;
	const paidJob = async (client: Client, id: string, submit = '/submit') => {
		await call(client, endpoint(submit, { credits: PRICE }));
		client.reportJob(jobOf(id));
	};
	/** Submits a job, reports it and polls it to its end; `bad` fails at once, all else submits a job of that ID. */
	const batch = workflow(async ([id], client) => {
		if (id === 'bad') return [await call(client, ask('/bad'))];
		await paidJob(client, id, `/submit/${id}`);
		const polled = await pollUntilFinished(client, endpoint(`/poll/${id}`), {
			...{ isFinished: ({ done }) => done === true, paceMs: PACE, startsWithSleep: true },
		});
		if (!isFailed(polled)) return [yes({ ...polled })];
		const { reason, scope } = polled.failure;
		return [{ scope, reason } satisfies Reading];
	});

	/** A service whose jobs are finished at the third poll. */
	const slowly = (bad: Reply) => {
		let polls = 0;
		return ({ path }: { path: string }): Reply => {
			if (path === '/bad') return bad;
			if (!path.startsWith('/poll')) return ok({ cost: 3 });
			polls += 1;
			return ok({ done: polls >= 3 });
		};
	};

	test('is logged, and polled at its pace to the end', async () => {
		const service = new FakeTransport(slowly(WRONG_KEY));
		const { outcomes, ledger, logged } = await perform(batch, ['b-1'], service);
		expect(outcomes).toEqual(['positive']);
		expect(service.paths).toEqual(['/submit/b-1', '/poll/b-1', '/poll/b-1', '/poll/b-1']);
		expect(service.sleeps).toEqual([PACE, PACE, PACE]);
		expect(logged).toEqual([jobOf('b-1')]);
		expect(ledger).toMatchObject({ paidCalls: 1, jobs: [jobOf('b-1')] });
	});

	test.each<[when: string, reply: Reply, onFailure: 'stop' | 'unknown']>([
		['the account was refused', WRONG_KEY, 'unknown'],
		['the run is to stop at any failure', LOST, 'stop'],
	])('is polled to its end although %s', async (_, reply, onFailure) => {
		const service = new FakeTransport(slowly(reply), async () => {
			await flush();
			return undefined;
		});
		const ids = ['b-1', 'bad', 'b-2'];
		const { outcomes, ledger, logged } = await perform(batch, ids, service, { onFailure });
		expect(outcomes).toEqual(['positive', reply === LOST ? 'lost' : 'refused', 'notSent']);
		expect(service.paths).toEqual(['/submit/b-1', '/bad', '/poll/b-1', '/poll/b-1', '/poll/b-1']);
		expect([ledger.jobs, logged]).toEqual([[jobOf('b-1')], [jobOf('b-1')]]);
	});

	test('is named by the failure of a later call', async () => {
		const operation = workflow(async ([id], client) => {
			await paidJob(client, id);
			return [await call(client, ask('/fetch'))];
		});
		for (const [, reply] of [...OF_THE_QUESTION, ...OF_THE_ACCOUNT]) {
			const service = new FakeTransport(({ path }) => (path === '/submit' ? ok({}) : reply));
			const { failures } = await perform(operation, ['b-1'], service);
			expect(failures).toEqual([expect.objectContaining({ jobs: [jobOf('b-1')] })]);
		}
	});

	test('is named by the refusal that its task ends with', async () => {
		const service = new FakeTransport(({ path }) =>
			path.startsWith('/poll') ? httpError(404) : ok({ cost: 3 }),
		);
		const { failures } = await perform(batch, ['b-1'], service);
		expect(failures).toEqual([expect.objectContaining({ jobs: [jobOf('b-1')] })]);
	});

	test.each<[what: string, failure: Failure]>([
		['longer than the user allows', { cause: 'unfinished', reason: 'late', scope: 'question' }],
		['until the execution stops', STOPPED],
	])('is named when it takes %s', async (_, failure) => {
		let waits = 0;
		const service = new FakeTransport(slowly(WRONG_KEY), () =>
			waits++ === 1 ? failure : undefined,
		);
		const { failures, ledger } = await perform(batch, ['b-1'], service);
		expect(failures).toEqual([{ ...failure, paidBefore: true, jobs: [jobOf('b-1')] }]);
		expect(service.paths).toEqual(['/submit/b-1', '/poll/b-1']);
		expect(ledger.jobs).toEqual([jobOf('b-1')]);
	});

	test('is named for each lookup of its task, and for no other task', async () => {
		const operation = workflow(async (questions, client) => {
			if (questions.length > 1) client.reportJob(jobOf('b-1'));
			return [await call(client, ask('/a'))];
		});
		const service = new FakeTransport(() => LOST);
		const { failures, resultCount } = await perform(operation, [['a', 'b', 'c'], 'd'], service);
		expect(resultCount).toBe(4);
		expect(failures.map((failure) => failure?.jobs ?? [])).toEqual([
			[jobOf('b-1')],
			[jobOf('b-1')],
			[jobOf('b-1')],
			[],
		]);
	});

	test('is named with the jobs before it, each once', async () => {
		const operation = workflow(async (_, client) => {
			client.reportJob(jobOf('b-1'));
			await call(client, endpoint('/ok'));
			client.reportJob(jobOf('b-2'));
			return [await call(client, ask('/bad'))];
		});
		const service = new FakeTransport(({ path }) => (path === '/ok' ? ok({}) : LOST));
		const { failures, ledger, logged } = await perform(operation, ['x'], service);
		const both = [jobOf('b-1'), jobOf('b-2')];
		expect(failures[0]?.jobs).toEqual(both);
		expect(ledger.jobs).toEqual(both);
		expect(logged).toEqual(both);
	});

	test('is named with its last status when Max Wait is over', async () => {
		const operation = workflow(async ([id], client) => {
			client.reportJob(jobOf(id));
			await client.sleep(PACE);
			await client.sleep(PACE, 'half of it is done');
			await client.sleep(PACE, 'nearly all of it is done');
			return [yes()];
		});
		const service = new FakeTransport(() => ok({}));
		const { failures } = await perform(operation, ['b-1'], service, { maxWaitMs: 6_000 });
		// One second is left, but a job is looked at every two seconds at most (SPEC §4.2)
		expect(service.sleeps).toEqual([PACE, 2_000]);
		expect(failures).toEqual([
			{
				cause: 'unfinished',
				reason: "the job isn't finished after 0.1 minutes. Nearly all of it is done",
				scope: 'question',
				paidBefore: false,
				jobs: [jobOf('b-1')],
			},
		]);
	});

	test('is not called free to get again if SPEC does not say so', () => {
		const failure: Failure = { cause: 'unfinished', reason: 'it was late', scope: 'question' };
		const text = describeFailure({
			...failure,
			jobs: [{ ...jobOf('a-1'), resumeCost: 'not stated' }],
		});
		expect(text).toContain('You were charged for the batch a-1. Get Batch with this ID');
		expect(text).not.toMatch(/at no cost/);
	});

	test.each<[jobs: string[], text: string]>([
		[[], "It was late. Raise Max Wait, or get the results later. You weren't charged."],
		[
			['b-1'],
			'It was late. Raise Max Wait, or get the results later. You were charged for the batch b-1. Get Batch with this ID returns the result at no cost.',
		],
		[
			['b-1', 'b-2'],
			'It was late. Raise Max Wait, or get the results later. You were charged for 2 jobs (b-1, b-2). Get Batch with these IDs returns the results at no cost.',
		],
	])('is part of the message of its failure: %j', (ids, text) => {
		const failure: Failure = { cause: 'unfinished', reason: 'it was late', scope: 'question' };
		expect(describeFailure({ ...failure, jobs: ids.map(jobOf) })).toBe(text);
	});
});
