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
	startRun,
	workflow,
	yes,
} from '../fakes/fakeSend';
import { by, httpError, LOST, NO_URL, ok } from '../fakes/replies';

const WRONG_KEY: Reply = ok({ reading: { scope: 'account', reason: 'Invalid API key.' } });
/** What ends a call, about its question or about the account. */
const ENDS: Reply[] = [
	...[...'lou'].map((letter) => by(letter)({} as never, 0)),
	ok({ reading: { scope: 'question', reason: 'Lookup failed' } }),
	WRONG_KEY,
	...[400, 401, 402, 404, 405, 302].map((status) => httpError(status)),
	...[NO_URL, STOPPED],
];

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
		for (const reply of ENDS) {
			const service = new FakeTransport(({ path }) => (path === '/submit' ? ok({}) : reply));
			const { failures } = await perform(operation, ['b-1'], service);
			expect(failures).toEqual([expect.objectContaining({ jobs: [jobOf('b-1')] })]);
		}
	});

	test('is named when it takes until the execution stops', async () => {
		let waits = 0;
		const service = new FakeTransport(slowly(WRONG_KEY), () =>
			waits++ === 1 ? STOPPED : undefined,
		);
		const { failures, ledger } = await perform(batch, ['b-1'], service);
		expect(failures).toEqual([{ ...STOPPED, paidBefore: true, jobs: [jobOf('b-1')] }]);
		expect(service.paths).toEqual(['/submit/b-1', '/poll/b-1']);
		expect(ledger.jobs).toEqual([jobOf('b-1')]);
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
		[
			[],
			"It was late. Get the results later, because a new run would pay again. You weren't charged.",
		],
		[
			['b-1'],
			'It was late. Get the results later, because a new run would pay again. You were charged for the batch b-1. Get Batch with this ID returns the result at no cost.',
		],
		[
			['b-1', 'b-2'],
			'It was late. Get the results later, because a new run would pay again. You were charged for 2 jobs (b-1, b-2). Get Batch with these IDs returns the results at no cost.',
		],
	])('is part of the message of its failure: %j', (ids, text) => {
		const failure: Failure = { cause: 'unfinished', reason: 'it was late', scope: 'question' };
		expect(describeFailure({ ...failure, jobs: ids.map(jobOf) })).toBe(text);
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
