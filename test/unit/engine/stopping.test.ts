import { describeFailure } from '../../../nodes/LookupMessaging/engine/errors';
import type { Failure } from '../../../nodes/LookupMessaging/engine/failure';
import { pollUntilFinished } from '../../../nodes/LookupMessaging/engine/jobs';
import type { Reading } from '../../../nodes/LookupMessaging/engine/operation';
import { exchange, isFailed, report, wait } from '../../../nodes/LookupMessaging/engine/talk';
import type { Reply } from '../../../nodes/LookupMessaging/engine/transport';
import { ok, refused } from './replies';
import {
	ask,
	call,
	gate,
	jobOf,
	perform,
	PRICE,
	scriptStage,
	talking,
	turn,
	yes,
	type ScriptedStage,
} from './stage';

const WRONG_KEY: Reply = ok({ reading: { refused: 'account', reason: 'Invalid API key.' } });
const WRONG_QUESTION: Reply = ok({ reading: { refused: 'question', reason: 'Lookup failed' } });
const YES: Reply = ok({ reading: { ...yes() } });
const LOST: Reply = { kind: 'lost', reason: 'the connection broke' };

const single = talking(function* ([path]) {
	return [yield* exchange(ask(path))];
});
const pathsOf = ({ sent }: ScriptedStage) => sent.map(({ path }) => path);

const OF_THE_QUESTION: Array<[name: string, reply: Reply]> = [
	['lost', LOST],
	['throttled', { kind: 'throttled', status: 429, reason: 'too fast' }],
	['unreachable', { kind: 'unreachable', reason: 'no such host' }],
	['refused', WRONG_QUESTION],
	['refused by its HTTP status', refused(400)],
];
const OF_THE_ACCOUNT: Array<[name: string, reply: Reply]> = [
	['refused for the account', WRONG_KEY],
	['refused by HTTP 401', refused(401)],
	['refused by HTTP 402', refused(402)],
	['told that there is no such path', refused(404)],
	['told that there is no such method', refused(405)],
	['redirected', refused(302)],
	['misconfigured', { kind: 'misconfigured', reason: 'no URL' }],
	['stopped', { kind: 'cancelled' }],
];

describe('a run that meets a failure', () => {
	const performAfter = async (
		reply: Reply,
		onFailure: 'errorItem' | 'stop' | 'unknown',
		maxConcurrentRequests: number,
	) => {
		const stage = scriptStage(({ path }) => (path === '/2' ? reply : YES));
		const paths = ['/0', '/1', '/2', '/3', '/4', '/5', '/6', '/7'];
		const settings = { onFailure, maxConcurrentRequests };
		return { stage, ...(await perform(single, paths, stage, settings)) };
	};

	describe.each(['unknown', 'errorItem'] as const)('and is to go on (%s)', (onFailure) => {
		test.each(OF_THE_QUESTION)('asks all others when one was %s', async (_, reply) => {
			for (const limit of [1, 3, 500]) {
				const { stage, fates } = await performAfter(reply, onFailure, limit);
				expect(stage.sent).toHaveLength(8);
				expect(fates.filter((fate) => fate === 'positive')).toHaveLength(7);
			}
		});
	});

	describe.each(['unknown', 'errorItem', 'stop'] as const)('and treats it as %s', (onFailure) => {
		test.each(OF_THE_ACCOUNT)('starts no further call when one was %s', async (_, reply) => {
			const { stage, fates, settled } = await performAfter(reply, onFailure, 1);
			expect(pathsOf(stage)).toEqual(['/0', '/1', '/2']);
			expect(fates.slice(0, 2)).toEqual(['positive', 'positive']);
			expect(fates.slice(3)).toEqual(new Array(5).fill('notSent'));
			expect(settled).toBe(8);
		});
	});

	test.each(OF_THE_QUESTION)(
		'starts no further call when it is to stop and one was %s',
		async (_, reply) => {
			const { stage, fates, failures } = await performAfter(reply, 'stop', 1);
			expect(pathsOf(stage)).toEqual(['/0', '/1', '/2']);
			expect(fates.slice(3)).toEqual(new Array(5).fill('notSent'));
			for (const failure of failures.slice(3)) {
				expect(failure).toMatchObject({
					reason: `it was not sent, because ${failures[2]?.reason}`,
					scope: 'question',
				});
			}
		},
	);

	test('says of what was not sent why, and that it is the account', async () => {
		const { failures } = await performAfter(WRONG_KEY, 'unknown', 1);
		for (const failure of failures.slice(3)) {
			expect(failure).toMatchObject({
				cause: 'notSent',
				reason: 'it was not sent, because the service refused the request: Invalid API key.',
				scope: 'account',
			});
		}
	});

	test('says only once of what was not sent that the execution was stopped', async () => {
		const { failures } = await performAfter({ kind: 'cancelled' }, 'unknown', 1);
		expect(failures.slice(2).map((failure) => failure?.reason)).toEqual(
			new Array(6).fill('it was not sent, because the execution was stopped'),
		);
	});

	test('names the first failure to what was not sent, though others follow', async () => {
		const replies = [gate<Reply>(), gate<Reply>()];
		const stage = scriptStage(async (_, nth) => await replies[nth].opened);
		const performed = perform(single, ['/0', '/1', '/2', '/3'], stage, {
			maxConcurrentRequests: 2,
		});
		replies[1].open(WRONG_KEY);
		await turn();
		replies[0].open(refused(402));
		const { fates, failures } = await performed;
		expect(fates).toEqual(['refused', 'refused', 'notSent', 'notSent']);
		expect(failures[3]?.reason).toContain('Invalid API key.');
	});

	test('lets what is under way run on, and keeps its answers', async () => {
		const replies = [gate<Reply>(), gate<Reply>(), gate<Reply>()];
		const stage = scriptStage(async (_, nth) => await replies[nth].opened);
		const performed = perform(single, ['/0', '/1', '/2', '/3', '/4'], stage, {
			maxConcurrentRequests: 3,
		});
		replies[1].open(WRONG_KEY);
		await turn();
		replies[0].open(YES);
		replies[2].open(YES);
		const { fates } = await performed;
		expect(fates).toEqual(['positive', 'refused', 'positive', 'notSent', 'notSent']);
		expect(stage.sent).toHaveLength(3);
	});

	test('starts no further call of a talk that is between two calls and has no job', async () => {
		const pause = gate<undefined>();
		const stage = scriptStage(
			({ path }) => (path === '/bad' ? WRONG_KEY : ok({})),
			async () => await pause.opened,
		);
		const operation = talking(function* ([name]) {
			if (name === 'bad') return [yield* exchange(ask('/bad'))];
			yield* exchange(call('/first'));
			yield* wait(1000);
			return [yield* exchange(ask('/second'))];
		});
		const performed = perform(operation, ['slow', 'bad'], stage);
		await turn();
		pause.open(undefined);
		const { fates } = await performed;
		expect(fates).toEqual(['notSent', 'refused']);
		expect(pathsOf(stage)).toEqual(['/first', '/bad']);
	});

	test.each([
		['account', ['/0']],
		['question', ['/0', '/1', '/2']],
	] as const)(
		'heeds a refusal of the %s that a talk reads out of its replies',
		async (scope, expected) => {
			const pause = gate<undefined>();
			const stage = scriptStage(
				() => ok({}),
				async () => await pause.opened,
			);
			const operation = talking(function* ([path]) {
				if (path !== '/0') yield* wait(1000);
				yield* exchange(call(path));
				return [{ refused: scope, reason: 'No credits' }];
			});
			const performed = perform(operation, ['/0', '/1', '/2'], stage);
			await turn();
			pause.open(undefined);
			const { settled } = await performed;
			expect(pathsOf(stage)).toEqual(expected);
			expect(settled).toBe(3);
		},
	);
});

describe('a talk whose job was paid for', () => {
	const PACE = 5000;
	/** Submits a job, reports it and polls it to its end; `bad` fails at once, all else submits a job of that ID. */
	const batch = talking(function* ([id]) {
		if (id === 'bad') return [yield* exchange(ask('/bad'))];
		yield* exchange(call(`/submit/${id}`, { credits: PRICE }));
		yield* report(jobOf(id));
		const polled = yield* pollUntilFinished(
			call(`/poll/${id}`),
			({ done }) => done === true,
			PACE,
			true,
		);
		if (!isFailed(polled)) return [yes({ ...polled })];
		const { reason, scope } = polled.failure;
		return [{ refused: scope, reason } satisfies Reading];
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
		const stage = scriptStage(slowly(WRONG_KEY));
		const { fates, ledger } = await perform(batch, ['b-1'], stage);
		expect(fates).toEqual(['positive']);
		expect(pathsOf(stage)).toEqual(['/submit/b-1', '/poll/b-1', '/poll/b-1', '/poll/b-1']);
		expect(stage.waits).toEqual([PACE, PACE, PACE]);
		expect(stage.logged).toEqual([jobOf('b-1')]);
		expect(ledger).toMatchObject({ paidCalls: 1, freeCalls: 3, jobs: [jobOf('b-1')] });
	});

	test.each<[when: string, reply: Reply, onFailure: 'stop' | 'unknown']>([
		['the account was refused', WRONG_KEY, 'unknown'],
		['the run is to stop at any failure', LOST, 'stop'],
	])('is polled to its end though %s', async (_, reply, onFailure) => {
		const stage = scriptStage(slowly(reply), async () => {
			await turn();
			return undefined;
		});
		const { fates, ledger } = await perform(batch, ['b-1', 'bad', 'b-2'], stage, { onFailure });
		expect(fates).toEqual(['positive', reply === LOST ? 'lost' : 'refused', 'notSent']);
		expect(pathsOf(stage)).toEqual(['/submit/b-1', '/bad', '/poll/b-1', '/poll/b-1', '/poll/b-1']);
		expect(ledger.jobs).toEqual([jobOf('b-1')]);
		expect(stage.logged).toEqual([jobOf('b-1')]);
	});

	test('is named by the failure of a later call', async () => {
		const operation = talking(function* ([id]) {
			yield* exchange(call('/submit', { credits: PRICE }));
			yield* report(jobOf(id));
			return [yield* exchange(ask('/fetch'))];
		});
		const bad: Reply[] = [...OF_THE_QUESTION, ...OF_THE_ACCOUNT].map(([, reply]) => reply);
		for (const reply of bad) {
			const stage = scriptStage(({ path }) => (path === '/submit' ? ok({}) : reply));
			const { failures } = await perform(operation, ['b-1'], stage);
			expect(failures).toEqual([expect.objectContaining({ jobs: [jobOf('b-1')] })]);
		}
	});

	test('is named by the refusal that the talk ends with', async () => {
		const stage = scriptStage(({ path }) =>
			path.startsWith('/poll') ? refused(404) : ok({ cost: 3 }),
		);
		const { failures } = await perform(batch, ['b-1'], stage);
		expect(failures).toEqual([expect.objectContaining({ jobs: [jobOf('b-1')] })]);
	});

	test.each<[what: string, failure: Failure]>([
		['longer than the user allows', { cause: 'unfinished', reason: 'late', scope: 'question' }],
		['until the execution stops', { cause: 'notSent', reason: 'stopped', scope: 'account' }],
	])('is named when it takes %s', async (_, failure) => {
		let waits = 0;
		const stage = scriptStage(slowly(WRONG_KEY), () => (waits++ === 1 ? failure : undefined));
		const { failures, ledger } = await perform(batch, ['b-1'], stage);
		expect(failures).toEqual([{ ...failure, paidBefore: true, jobs: [jobOf('b-1')] }]);
		expect(pathsOf(stage)).toEqual(['/submit/b-1', '/poll/b-1']);
		expect(ledger.jobs).toEqual([jobOf('b-1')]);
	});

	test('is named for each question that the talk took, and for no other talk', async () => {
		const operation = talking(function* (questions) {
			if (questions.length > 1) yield* report(jobOf('b-1'));
			return [yield* exchange(ask('/a'))];
		});
		const stage = scriptStage(() => LOST);
		const { failures, settled } = await perform(operation, [['a', 'b', 'c'], 'd'], stage);
		expect(settled).toBe(4);
		expect(failures.map((failure) => failure?.jobs ?? [])).toEqual([
			[jobOf('b-1')],
			[jobOf('b-1')],
			[jobOf('b-1')],
			[],
		]);
	});

	test('is named with those before it, each once', async () => {
		const operation = talking(function* () {
			yield* report(jobOf('b-1'));
			yield* exchange(call('/ok'));
			yield* report(jobOf('b-2'));
			return [yield* exchange(ask('/bad'))];
		});
		const stage = scriptStage(({ path }) => (path === '/ok' ? ok({}) : LOST));
		const { failures, ledger } = await perform(operation, ['x'], stage);
		const both = [jobOf('b-1'), jobOf('b-2')];
		expect(failures[0]?.jobs).toEqual(both);
		expect(ledger.jobs).toEqual(both);
		expect(stage.logged).toEqual(both);
	});

	test('has what it last said of itself at hand when a wait is over', async () => {
		const operation = talking(function* ([id]) {
			yield* report(jobOf(id));
			yield* wait(PACE);
			yield* wait(PACE, 'half of it is done');
			return [yes()];
		});
		const stage = scriptStage(() => ok({}));
		await perform(operation, ['b-1'], stage);
		expect(stage.notes).toEqual([undefined, 'half of it is done']);
	});

	test('is not called free to come back to where the service does not say so', () => {
		const failure: Failure = { cause: 'unfinished', reason: 'it was late', scope: 'question' };
		const text = describeFailure({
			...failure,
			jobs: [{ ...jobOf('a-1'), resumeCost: 'not stated' }],
		});
		expect(text).toContain('The batch a-1 was paid for: Get Batch with the ID');
		expect(text).not.toMatch(/costs nothing/);
	});

	test.each<[jobs: string[], text: string]>([
		[[], 'It was late. Raise Max Wait, or get the results later. Nothing was spent on it.'],
		[
			['b-1'],
			'It was late. Raise Max Wait, or get the results later. The batch b-1 was paid for: Get Batch with the ID costs nothing.',
		],
		[
			['b-1', 'b-2'],
			'It was late. Raise Max Wait, or get the results later. 2 jobs (b-1, b-2) were paid for: Get Batch with the ID costs nothing.',
		],
	])('stands in the message of its failure: %j', (ids, text) => {
		const failure: Failure = { cause: 'unfinished', reason: 'it was late', scope: 'question' };
		expect(describeFailure({ ...failure, jobs: ids.map(jobOf) })).toBe(text);
	});
});
