import type { Failure, Reading, Reply } from '../../../nodes/LookupMessaging/engine/results';
import { isFailed, STOPPED } from '../../../nodes/LookupMessaging/engine/operation';
import { describeFailure } from '../../../nodes/LookupMessaging/engine/output/errors';
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
import { httpError, ok } from '../fakes/replies';

const WRONG_KEY: Reply = ok({ reading: { scope: 'account', reason: 'Invalid API key.' } });
const WRONG_QUESTION: Reply = ok({ reading: { scope: 'question', reason: 'Lookup failed' } });
const YES: Reply = ok({ reading: { ...yes() } });
const LOST: Reply = { kind: 'lost', reason: 'the connection broke' };

const single = workflow(async ([path], client) => {
	return [await call(client, ask(path))];
});

const OF_THE_QUESTION: Array<[name: string, reply: Reply]> = [
	['lost', LOST],
	['throttled', { kind: 'throttled', status: 429, reason: 'too fast' }],
	['unreachable', { kind: 'unreachable', reason: 'no such host' }],
	['refused', WRONG_QUESTION],
	['refused by its HTTP status', httpError(400)],
];
const OF_THE_ACCOUNT: Array<[name: string, reply: Reply]> = [
	['refused for the account', WRONG_KEY],
	['refused by HTTP 401', httpError(401)],
	['refused by HTTP 402', httpError(402)],
	['refused for a missing path', httpError(404)],
	['refused for a missing method', httpError(405)],
	['redirected', httpError(302)],
	['misconfigured', { kind: 'misconfigured', reason: 'no URL' }],
	['stopped', { kind: 'cancelled' }],
];

describe('a run with a failure', () => {
	const performAfter = async (
		reply: Reply,
		onFailure: 'errorItem' | 'stop' | 'unknown',
		concurrency: number,
	) => {
		const service = new FakeTransport(({ path }) => (path === '/2' ? reply : YES));
		const paths = ['/0', '/1', '/2', '/3', '/4', '/5', '/6', '/7'];
		const settings = { onFailure, concurrency };
		return { service, ...(await perform(single, paths, service, settings)) };
	};

	describe.each(['unknown', 'errorItem'] as const)('that is to continue (%s)', (onFailure) => {
		test.each(OF_THE_QUESTION)('makes all other calls when one is %s', async (_, reply) => {
			for (const limit of [1, 3, 500]) {
				const { service, outcomes } = await performAfter(reply, onFailure, limit);
				expect(service.uniquePaths).toHaveLength(8);
				expect(outcomes.filter((outcome) => outcome === 'positive')).toHaveLength(7);
			}
		});
	});

	describe.each(['unknown', 'errorItem', 'stop'] as const)('that treats it as %s', (onFailure) => {
		test.each(OF_THE_ACCOUNT)('starts no further call when one is %s', async (_, reply) => {
			const { service, outcomes, resultCount } = await performAfter(reply, onFailure, 1);
			expect(service.paths).toEqual(['/0', '/1', '/2']);
			expect(outcomes.slice(0, 2)).toEqual(['positive', 'positive']);
			expect(outcomes.slice(3)).toEqual(new Array(5).fill('notSent'));
			expect(resultCount).toBe(8);
		});
	});

	test.each(OF_THE_QUESTION)(
		'starts no further call when it is to stop and one is %s',
		async (_, reply) => {
			const { service, outcomes, failures } = await performAfter(reply, 'stop', 1);
			expect(service.uniquePaths).toEqual(['/0', '/1', '/2']);
			expect(outcomes.slice(3)).toEqual(new Array(5).fill('notSent'));
			for (const failure of failures.slice(3)) {
				expect(failure).toMatchObject({
					reason: `skipped after an earlier failure: ${failures[2]?.reason}`,
					scope: 'question',
				});
			}
		},
	);

	test('says why the others were not sent, and that the account is the reason', async () => {
		const { failures } = await performAfter(WRONG_KEY, 'unknown', 1);
		for (const failure of failures.slice(3)) {
			expect(failure).toMatchObject({
				cause: 'notSent',
				reason:
					'skipped after an earlier failure: the service refused the request: Invalid API key.',
				scope: 'account',
			});
		}
	});

	test('says only once that the execution was stopped', async () => {
		const { failures } = await performAfter({ kind: 'cancelled' }, 'unknown', 1);
		expect(failures.slice(2).map((failure) => failure?.reason)).toEqual(
			new Array(6).fill('skipped because the execution was stopped'),
		);
	});

	test('names the first failure as the reason, although others follow', async () => {
		const replies = [held<Reply>(), held<Reply>()];
		const service = new FakeTransport(async (_, nth) => await replies[nth].released);
		const performed = perform(single, ['/0', '/1', '/2', '/3'], service, {
			concurrency: 2,
		});
		replies[1].release(WRONG_KEY);
		await flush(5);
		replies[0].release(httpError(402));
		const { outcomes, failures } = await performed;
		expect(outcomes).toEqual(['refused', 'refused', 'notSent', 'notSent']);
		expect(failures[3]?.reason).toContain('Invalid API key.');
	});

	test('completes calls in flight, and keeps their answers', async () => {
		const replies = [held<Reply>(), held<Reply>(), held<Reply>()];
		const service = new FakeTransport(async (_, nth) => await replies[nth].released);
		const performed = perform(single, ['/0', '/1', '/2', '/3', '/4'], service, {
			concurrency: 3,
		});
		replies[1].release(WRONG_KEY);
		await flush(5);
		replies[0].release(YES);
		replies[2].release(YES);
		const { outcomes } = await performed;
		expect(outcomes).toEqual(['positive', 'refused', 'positive', 'notSent', 'notSent']);
		expect(service.sent).toHaveLength(3);
	});

	test('starts no further call of a task that is between two calls and has no job', async () => {
		const pause = held<undefined>();
		const service = new FakeTransport(
			({ path }) => (path === '/bad' ? WRONG_KEY : ok({})),
			async () => await pause.released,
		);
		const operation = workflow(async ([name], client) => {
			if (name === 'bad') return [await call(client, ask('/bad'))];
			await call(client, endpoint('/first'));
			await client.sleep(1000);
			return [await call(client, ask('/second'))];
		});
		const performed = perform(operation, ['slow', 'bad'], service);
		await flush(5);
		pause.release(undefined);
		const { outcomes } = await performed;
		expect(outcomes).toEqual(['notSent', 'refused']);
		expect(service.paths).toEqual(['/first', '/bad']);
	});

	test.each([
		['account', ['/0']],
		['question', ['/0', '/1', '/2']],
	] as const)(
		'stops after a refusal of the account that an operation reads in its replies: %s',
		async (scope, expected) => {
			const pause = held<undefined>();
			const service = new FakeTransport(
				() => ok({}),
				async () => await pause.released,
			);
			const operation = workflow(async ([path], client) => {
				if (path !== '/0') await client.sleep(1000);
				await call(client, endpoint(path));
				return [{ scope, reason: 'No credits' }];
			});
			const performed = perform(operation, ['/0', '/1', '/2'], service);
			await flush(5);
			pause.release(undefined);
			const { resultCount } = await performed;
			expect(service.paths).toEqual(expected);
			expect(resultCount).toBe(3);
		},
	);
});

describe('a paid job', () => {
	const PACE = 5000;
	/** Submits a job, reports it and polls it to its end; `bad` fails at once, all else submits a job of that ID. */
	const batch = workflow(async ([id], client) => {
		if (id === 'bad') return [await call(client, ask('/bad'))];
		await call(client, endpoint(`/submit/${id}`, { credits: PRICE }));
		client.reportJob(jobOf(id));
		const polled = await pollUntilFinished(client, endpoint(`/poll/${id}`), {
			isFinished: ({ done }) => done === true,
			paceMs: PACE,
			startsWithSleep: true,
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
		const { outcomes, ledger, logged } = await perform(batch, ['b-1', 'bad', 'b-2'], service, {
			onFailure,
		});
		expect(outcomes).toEqual(['positive', reply === LOST ? 'lost' : 'refused', 'notSent']);
		expect(service.paths).toEqual(['/submit/b-1', '/bad', '/poll/b-1', '/poll/b-1', '/poll/b-1']);
		expect(ledger.jobs).toEqual([jobOf('b-1')]);
		expect(logged).toEqual([jobOf('b-1')]);
	});

	test('is named by the failure of a later call', async () => {
		const operation = workflow(async ([id], client) => {
			await call(client, endpoint('/submit', { credits: PRICE }));
			client.reportJob(jobOf(id));
			return [await call(client, ask('/fetch'))];
		});
		const bad: Reply[] = [...OF_THE_QUESTION, ...OF_THE_ACCOUNT].map(([, reply]) => reply);
		for (const reply of bad) {
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
		['until the execution stops', { cause: 'notSent', reason: 'stopped', scope: 'account' }],
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

	test('is named when it sleeps at Stop', async () => {
		const service = new FakeTransport(slowly(WRONG_KEY), () => STOPPED);
		const { failures } = await perform(batch, ['b-1'], service);
		expect(failures).toEqual([{ ...STOPPED, paidBefore: true, jobs: [jobOf('b-1')] }]);
		expect(service.paths).toEqual(['/submit/b-1']);
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
