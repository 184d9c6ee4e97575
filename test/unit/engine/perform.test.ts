import type { IDataObject } from 'n8n-workflow';
import { describeFailure } from '../../../nodes/LookupMessaging/engine/errors';
import {
	defineOperation,
	negative,
	positive,
	unknown,
	type Answer,
	type Reading,
	type Refusal,
	type ServiceRequest,
} from '../../../nodes/LookupMessaging/engine/operation';
import {
	exchange,
	isFailed,
	report,
	tryExchange,
	wait,
	type Exchange,
	type Talk,
} from '../../../nodes/LookupMessaging/engine/talk';
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
	type Question,
} from './stage';

/** One paid call for each question of the talk. */
function* askEach(questions: Question[]): Talk<Reading[]> {
	const readings: Reading[] = [];
	for (const question of questions) readings.push(yield* exchange(ask(question)));
	return readings;
}

const reading = (of: Reading, more: IDataObject = {}): Reply => ok({ reading: { ...of }, ...more });

const LOST: Reply = { kind: 'lost', reason: 'the connection broke' };
const THROTTLED: Reply = { kind: 'throttled', status: 429, reason: 'too fast', retryAfterMs: 9000 };
const UNREACHABLE: Reply = { kind: 'unreachable', reason: 'no such host' };
const WRONG_KEY = reading({ refused: 'account', reason: 'Invalid API key.' });
const WRONG_QUESTION = reading({ refused: 'question', reason: 'Lookup failed' });

describe('performing talks', () => {
	test('settles every question once, whatever became of it', async () => {
		const replies = [
			reading(positive({})),
			LOST,
			reading(negative({})),
			WRONG_QUESTION,
			reading(unknown({})),
			THROTTLED,
			UNREACHABLE,
			refused(404),
		];
		const stage = scriptStage((_, nth) => replies[nth]);
		const paths = replies.map((_, nth) => `/${nth}`);
		const { fates, settled } = await perform(talking(askEach), paths, stage);
		expect(fates).toEqual([
			'positive',
			'lost',
			'negative',
			'refused',
			'unknown',
			'throttled',
			'unreachable',
			'refused',
		]);
		expect(settled).toBe(8);
		expect(stage.sent.map(({ path }) => path)).toEqual(paths);
	});

	test('of no talks sends nothing', async () => {
		const stage = scriptStage(() => LOST);
		const { settled, ledger } = await perform(talking(askEach), [], stage);
		expect([settled, stage.sent.length, ledger.paidCalls, ledger.freeCalls]).toEqual([0, 0, 0, 0]);
	});

	test('hands on the answer with the body it was read from', async () => {
		const body = { reading: { ...yes({ name: 'x' }) }, cost: 1 };
		const { answers } = await perform(
			talking(askEach),
			['/a'],
			scriptStage(() => ok(body)),
		);
		expect(answers).toEqual([{ kind: 'answer', answer: yes({ name: 'x' }), response: body }]);
	});

	test('hands on what the answer itself shows of the body', async () => {
		const answer: Answer = { ...yes(), response: { mine: 1 } };
		const { answers } = await perform(
			talking(askEach),
			['/a'],
			scriptStage(() => reading(answer)),
		);
		expect(answers[0]?.response).toEqual({ mine: 1 });
	});

	test('settles each question of a talk by its own reading', async () => {
		const all = [yes({ n: 1 }), negative({ n: 2 }), unknown({ n: 3 })];
		const operation = talking(function* (questions) {
			yield* exchange(call(`/batch/${questions.length}`));
			return all;
		});
		const { settled, fates, answers } = await perform(
			operation,
			[['a', 'b', 'c']],
			scriptStage(() => ok({})),
		);
		expect(settled).toBe(3);
		expect(fates).toEqual(['positive', 'negative', 'unknown']);
		expect(answers.map((each) => each?.answer.record)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
	});

	test('settles the question that a talk could not answer apart from those that it did', async () => {
		const operation = talking(function* () {
			yield* exchange(call('/batch'));
			return [yes(), { refused: 'question', reason: 'row failed' }, yes()];
		});
		const { fates, failures } = await perform(
			operation,
			[['a', 'b', 'c'], 'd'],
			scriptStage(() => ok({})),
		);
		expect(fates).toEqual(['positive', 'refused', 'positive', 'positive']);
		expect(failures[1]).toMatchObject({ reason: 'row failed', scope: 'question' });
	});

	test('settles all questions of a talk that ends in a failure', async () => {
		const stage = scriptStage(({ path }) => (path === '/b' ? LOST : reading(yes())));
		const { fates } = await perform(talking(askEach), [['/a', '/b', '/c'], '/d'], stage);
		expect(fates).toEqual(['lost', 'lost', 'lost', 'positive']);
		expect(stage.sent.map(({ path }) => path).sort()).toEqual(['/a', '/b', '/d']);
	});

	test.each([
		[1, 1],
		[2, 2],
		[4, 4],
		[500, 9],
	])(
		'has, with %p allowed by the user, %d calls under way at most',
		async (maxConcurrentRequests, peak) => {
			const stage = scriptStage(async () => {
				await turn();
				return reading(yes());
			});
			const paths = Array.from({ length: 9 }, (_, nth) => `/${nth}`);
			const { settled } = await perform(talking(askEach), paths, stage, {
				maxConcurrentRequests,
			});
			expect([settled, stage.peak]).toEqual([9, peak]);
			expect(stage.sent.map(({ path }) => path)).toEqual(paths);
		},
	);

	describe('that send files', () => {
		const MOST_FILES = 4;
		const source = {
			item: 0,
			property: 'data',
			fileName: 'a.pdf',
			mimeType: 'application/pdf',
			bytes: 1,
		};
		const withFile = (path: string): Exchange<Reading> => ({
			...ask(path),
			request: {
				service: 'main',
				method: 'POST',
				path,
				form: { fields: {}, file: { field: 'media', source } },
			},
		});
		const sending = talking(function* ([path]) {
			return [yield* exchange(path.startsWith('/file') ? withFile(path) : ask(path))];
		});
		/** Replies in a later turn; says how many requests with and without a file were under way at most. */
		const counting = () => {
			const now = { file: 0, text: 0 };
			const most = { file: 0, text: 0 };
			const stage = scriptStage(async ({ form }) => {
				const kind = form ? 'file' : 'text';
				now[kind] += 1;
				most[kind] = Math.max(most[kind], now[kind]);
				await turn();
				now[kind] -= 1;
				return reading(yes());
			});
			return { stage, most };
		};
		const paths = (count: number, of: string) =>
			Array.from({ length: count }, (_, nth) => `/${of}/${nth}`);

		test.each([
			[1, 1],
			[3, 3],
			[4, MOST_FILES],
			[500, MOST_FILES],
		])(
			'have, with %d calls allowed, %d files under way at most',
			async (maxConcurrentRequests, peak) => {
				const { stage, most } = counting();
				const all = paths(11, 'file');
				const { fates } = await perform(sending, all, stage, { maxConcurrentRequests });
				expect(fates).toEqual(new Array(11).fill('positive'));
				expect(most).toEqual({ file: peak, text: 0 });
				expect(stage.sent.map(({ path }) => path)).toEqual(all);
			},
		);

		test('keep no call without a file waiting, as long as there are turns left', async () => {
			const held = gate<undefined>();
			const stage = scriptStage(async ({ form }) => {
				if (form) await held.opened;
				return reading(yes());
			});
			const all = [...paths(9, 'file'), ...paths(30, 'text')];
			const performed = perform(sending, all, stage, { maxConcurrentRequests: 10 });
			for (let turns = 0; turns < 40; turns += 1) await turn();
			expect(stage.sent.filter(({ form }) => form)).toHaveLength(MOST_FILES);
			expect(stage.sent.filter(({ form }) => !form)).toHaveLength(30);
			held.open(undefined);
			const { fates, settled } = await performed;
			expect(fates).toEqual(new Array(39).fill('positive'));
			expect([settled, stage.sent.length]).toEqual([39, 39]);
		});

		test('leave the calls without one as many at once as the user allows', async () => {
			const { stage, most } = counting();
			const all = paths(20, 'file').flatMap((file, nth) => [file, `/text/${nth}`]);
			await perform(sending, all, stage, { maxConcurrentRequests: 500 });
			expect(most).toEqual({ file: MOST_FILES, text: 20 });
		});
	});

	test('lets other talks call while one waits', async () => {
		const waiting = gate<undefined>();
		const stage = scriptStage(
			() => reading(yes()),
			async () => await waiting.opened,
		);
		const operation = talking(function* ([question]) {
			if (question === '/slow') yield* wait(5000);
			return [yield* exchange(ask(question))];
		});
		const performed = perform(operation, ['/slow', '/fast'], stage);
		await turn();
		expect(stage.sent.map(({ path }) => path)).toEqual(['/fast']);
		waiting.open(undefined);
		expect((await performed).fates).toEqual(['positive', 'positive']);
		expect(stage.waits).toEqual([5000]);
	});

	test("waits for a reply as long as the user allows, or as the call's own limit says", async () => {
		const stage = scriptStage(() => ok({}));
		const operation = talking(function* () {
			yield* exchange(call('/a'));
			yield* exchange(call('/b', { timeoutMs: 300_000 }));
			return [yes()];
		});
		await perform(operation, ['x'], stage, { timeoutMs: 7000 });
		expect(stage.timeouts).toEqual([7000, 300_000]);
	});

	test('adds the additional parameters to the paid calls of a talk alone', async () => {
		const stage = scriptStage(() => ok({}));
		const operation = talking(function* () {
			yield* exchange(call('/free'));
			yield* exchange(call('/paid', { credits: PRICE }));
			return [yes()];
		});
		await perform(operation, ['x'], stage, {}, [['lang', 'en']]);
		expect(stage.sent.map(({ path, query }) => [path, query])).toEqual([
			['/free', undefined],
			['/paid', { lang: 'en' }],
		]);
	});

	test('lets the own parameters of a later call win over the additional ones', async () => {
		const stage = scriptStage(() => ok({}));
		const source = { item: 0, property: 'd', fileName: 'a', mimeType: 'text/plain', bytes: 1 };
		const paid = (request: Partial<ServiceRequest>): Exchange<IDataObject> => ({
			...call('/later', { credits: PRICE }),
			request: { service: 'main', method: 'POST', path: '/later', ...request },
		});
		const operation = talking(function* () {
			yield* exchange(call('/first', { credits: PRICE }));
			yield* exchange(paid({ query: { lang: 'own', id: '1' } }));
			yield* exchange(paid({ body: { lang: 'own', id: 1 } }));
			yield* exchange(
				paid({ form: { fields: { lang: 'own', id: '1' }, file: { field: 'f', source } } }),
			);
			return [yes()];
		});
		const additional: Array<[string, string]> = [
			['lang', 'en'],
			['tag', 'x'],
		];
		await perform(operation, ['x'], stage, {}, additional);
		expect(stage.sent.map(({ query, body, form }) => query ?? body ?? form?.fields)).toEqual([
			{ lang: 'en', tag: 'x' },
			{ lang: 'own', id: '1', tag: 'x' },
			{ lang: 'own', id: 1, tag: 'x' },
			{ lang: 'own', id: '1', tag: 'x' },
		]);
	});

	test('adds the additional parameters to the one call of an operation, free or not', async () => {
		const stage = scriptStage(() => ok({}));
		const operation = defineOperation<string>({
			resource: 'test',
			value: 'ask',
			name: 'Ask',
			action: 'Ask question',
			description: 'Asks',
			fields: [],
			rules: {},
			free: true,
			prepare: ({ path }) => String(path),
			request: (path) => ({ service: 'main', method: 'GET', path, query: { own: '1' } }),
			read: () => yes(),
			output: [],
		});
		await perform(operation, ['/a'], stage, {}, [['lang', 'en']]);
		expect(stage.sent).toEqual([
			{ service: 'main', method: 'GET', path: '/a', query: { own: '1', lang: 'en' } },
		]);
	});
});

describe('a call that tolerates failures', () => {
	test.each<[name: string, reply: Reply, failure: IDataObject]>([
		['lost', LOST, { cause: 'lost' }],
		['throttled', THROTTLED, { cause: 'throttled', retryAfterMs: 9000 }],
		['unreachable', UNREACHABLE, { cause: 'unreachable' }],
		['refused', WRONG_QUESTION, { cause: 'refused', scope: 'question' }],
		['refused for the account', WRONG_KEY, { cause: 'refused', scope: 'account' }],
		['refused without words', refused(404), { cause: 'refused', status: 404 }],
		['stopped', { kind: 'cancelled' }, { cause: 'notSent', scope: 'account' }],
		['misconfigured', { kind: 'misconfigured', reason: 'no URL' }, { cause: 'misconfigured' }],
	])('is told that it was %s, and the talk goes on', async (_, reply, failure) => {
		const heard: unknown[] = [];
		const operation = talking(function* () {
			heard.push(yield* tryExchange(ask('/a')));
			return [yield* exchange(ask('/b'))];
		});
		const stage = scriptStage(({ path }) => (path === '/a' ? reply : reading(yes())));
		for (const onFailure of ['unknown', 'errorItem', 'stop'] as const) {
			const { fates } = await perform(operation, ['x'], stage, { onFailure });
			// No further call may follow a refusal of the account, not even of the talk that tolerates it
			const goesOn = !(failure.cause === 'refused' && failure.scope === 'account');
			expect(fates).toEqual([goesOn ? 'positive' : 'notSent']);
			expect(heard.at(-1)).toEqual({ failure: expect.objectContaining(failure) });
			expect(isFailed(heard.at(-1))).toBe(true);
		}
		expect(heard).toHaveLength(3);
	});

	test('is told of the failures alone that it tolerates', async () => {
		const operation = talking(function* () {
			const heard = yield* tryExchange(ask('/a'), ({ cause }) => cause === 'lost');
			return [isFailed(heard) ? negative({}) : heard];
		});
		const fatesAfter = async (reply: Reply) => {
			const stage = scriptStage(() => reply);
			const { fates } = await perform(operation, ['x', 'y'], stage, { onFailure: 'stop' });
			return [...fates, stage.sent.length];
		};
		expect(await fatesAfter(LOST)).toEqual(['negative', 'negative', 2]);
		expect(await fatesAfter(reading(yes()))).toEqual(['positive', 'positive', 2]);
		expect(await fatesAfter(THROTTLED)).toEqual(['throttled', 'notSent', 1]);
		expect(await fatesAfter(WRONG_KEY)).toEqual(['refused', 'notSent', 1]);
	});

	test('may settle a question with the failure that it was told of', async () => {
		const operation = talking(function* () {
			const heard = yield* tryExchange(ask('/a'));
			return [heard, yes()];
		});
		const { fates, failures } = await perform(
			operation,
			[['x', 'y']],
			scriptStage(() => THROTTLED),
		);
		expect(fates).toEqual(['throttled', 'positive']);
		expect(failures[0]).toMatchObject({ retryAfterMs: 9000, status: 429, jobs: [] });
	});

	test('is handed what was read when nothing failed', async () => {
		const heard: unknown[] = [];
		const operation = talking(function* () {
			heard.push(yield* tryExchange(call('/a')));
			return [yes()];
		});
		await perform(
			operation,
			['x'],
			scriptStage(() => ok({ a: 1 })),
		);
		expect(heard).toEqual([{ a: 1 }]);
	});

	test('keeps other talks from nothing', async () => {
		const operation = talking(function* ([question]) {
			yield* tryExchange(call(question));
			return [yes()];
		});
		const stage = scriptStage(() => LOST);
		const { fates } = await perform(operation, ['/a', '/b', '/c'], stage, { onFailure: 'stop' });
		expect(fates).toEqual(['positive', 'positive', 'positive']);
		expect(stage.sent).toHaveLength(3);
	});
});

describe('a reading that throws', () => {
	const broken = (): never => {
		throw new TypeError('x is undefined');
	};
	const LOST_WORDS =
		/^The answer is not of a kind that can be read\..*The call may have been charged\.$/;

	test.each<[what: string, spoilt: Partial<Exchange<Reading>>]>([
		['the reading', { read: broken }],
		['the price', { credits: { balance: 'phone', atMost: 1, charged: broken } }],
	])('makes its own call lost, and no other: %s', async (_, spoilt) => {
		const operation = talking(function* ([path]) {
			return [yield* exchange({ ...ask(path), ...(path === '/bad' && spoilt) })];
		});
		for (const onFailure of ['unknown', 'errorItem'] as const) {
			const stage = scriptStage(() => reading(yes(), { cost: 2 }));
			const { fates, failures, ledger } = await perform(operation, ['/a', '/bad', '/c'], stage, {
				onFailure,
			});
			expect(fates).toEqual(['positive', 'lost', 'positive']);
			expect(describeFailure(failures[1]!)).toMatch(LOST_WORDS);
			expect(stage.sent).toHaveLength(3);
			expect(ledger).toMatchObject({ paidCalls: 3, lost: 1, refused: 0 });
			expect(ledger.credits.get('whatsapp')).toBe(4);
		}
	});

	test('of a free call costs nothing', async () => {
		const operation = talking(function* ([path]) {
			return [yield* exchange(call(path, { read: broken }))] as unknown as Reading[];
		});
		const { fates, failures, ledger } = await perform(
			operation,
			['/a'],
			scriptStage(() => ok({})),
		);
		expect(fates).toEqual(['lost']);
		expect(describeFailure(failures[0]!)).toMatch(/Nothing was spent on it\.$/);
		expect(ledger).toMatchObject({ paidCalls: 0, freeCalls: 0, lost: 0 });
	});

	test('fails the questions of its own talk, and names the jobs that were paid for', async () => {
		const operation = talking(function* ([id]) {
			yield* exchange(call('/submit', { credits: PRICE }));
			yield* report(jobOf(id));
			if (id === 'b-2') broken();
			return [yes(), yes()];
		});
		const { fates, failures, settled } = await perform(
			operation,
			[['b-1', 'x'], ['b-2', 'y'], 'b-3'],
			scriptStage(() => ok({ cost: 1 })),
		);
		expect(fates).toEqual(['positive', 'positive', 'lost', 'lost', 'positive']);
		expect(settled).toBe(5);
		for (const failure of failures.slice(2, 4)) {
			expect(failure?.jobs).toEqual([jobOf('b-2')]);
			expect(describeFailure(failure!)).toContain('The batch b-2 was paid for');
		}
	});
});

describe('the ledger of a run', () => {
	const books = async (replies: Reply[], credits = true) => {
		const operation = talking(function* ([question]) {
			yield* tryExchange(call(question, credits ? { credits: PRICE } : {}));
			return [yes()];
		});
		const paths = replies.map((_, nth) => `/${nth}`);
		const { ledger } = await perform(
			operation,
			paths,
			scriptStage((_, nth) => replies[nth]),
		);
		const { paidCalls, freeCalls, lost, refused: open } = ledger;
		return { paidCalls, freeCalls, lost, refused: open, credits: [...ledger.credits] };
	};
	const NOT_CHARGED: Reply[] = [
		THROTTLED,
		UNREACHABLE,
		refused(404),
		refused(401, { error: 'Invalid API key.' }),
		refused(302),
		{ kind: 'cancelled' },
		{ kind: 'misconfigured', reason: 'no URL' },
	];

	test('counts paid calls that were answered, and what their replies say they cost', async () => {
		expect(await books([ok({ cost: 1 }), ok({ cost: 10 }), ok({})])).toEqual({
			paidCalls: 3,
			freeCalls: 0,
			lost: 0,
			refused: 0,
			credits: [['whatsapp', 11]],
		});
	});

	test('counts lost replies of paid calls, which may have been charged', async () => {
		expect(await books([LOST, ok({ cost: 2 }), { ...LOST, status: 502 }])).toEqual({
			paidCalls: 3,
			freeCalls: 0,
			lost: 2,
			refused: 0,
			credits: [['whatsapp', 2]],
		});
	});

	test('counts free calls that were answered, and no lost ones', async () => {
		expect(await books([ok({ cost: 7 }), LOST, ok({})], false)).toEqual({
			paidCalls: 0,
			freeCalls: 2,
			lost: 0,
			refused: 0,
			credits: [],
		});
	});

	test.each([true, false])('leaves out what the service turned away (paid: %p)', async (paid) => {
		expect(await books(NOT_CHARGED, paid)).toEqual({
			paidCalls: 0,
			freeCalls: 0,
			lost: 0,
			refused: 0,
			credits: [],
		});
	});

	const UNSAID = 'Whether the call was charged is not known.';
	const NOTHING = 'Nothing was spent on it.';

	test.each<[refusal: Refusal, refused: number, cost: string]>([
		[{ refused: 'question', reason: 'broke' }, 2, UNSAID],
		[{ refused: 'question', reason: 'broke', mayHaveCost: true }, 2, UNSAID],
		[{ refused: 'question', reason: 'too few credits', mayHaveCost: false }, 0, NOTHING],
		[{ refused: 'account', reason: 'Invalid API key.' }, 0, NOTHING],
	])('counts a refusal %j apart when it may have been charged', async (refusal, count, cost) => {
		for (const reply of [reading(refusal), refused(422, { reading: { ...refusal } })]) {
			const { ledger, failures } = await perform(
				talking(askEach),
				['/a', '/b'],
				scriptStage(() => reply),
				{ maxConcurrentRequests: 2 },
			);
			const { paidCalls, freeCalls, lost, credits } = ledger;
			expect([paidCalls, freeCalls, lost, credits.size]).toEqual([0, 0, 0, 0]);
			expect(ledger.refused).toBe(count);
			expect(failures).toHaveLength(2);
			for (const failure of failures) expect(describeFailure(failure!)).toContain(cost);
		}
	});

	test.each<[name: string, reply: Reply, cost: string]>([
		['a lost reply', LOST, 'The call may have been charged.'],
		['a refusal in words', WRONG_QUESTION, UNSAID],
		['a refusal of the account', WRONG_KEY, NOTHING],
		['a refusal without words', refused(400), UNSAID],
		['a path that is not there', refused(404), NOTHING],
		['a redirect', refused(302), NOTHING],
		['a pace that was too fast', THROTTLED, NOTHING],
		['a host that is not there', UNREACHABLE, NOTHING],
	])(
		'says of %s what it may have cost, and of a free call that it cost nothing',
		async (...row) => {
			const [, reply, cost] = row;
			const free = talking(function* ([path]) {
				const { request, read } = ask(path);
				return [yield* exchange({ request, read })];
			});
			for (const [operation, words] of [
				[talking(askEach), cost],
				[free, NOTHING],
			] as const) {
				const { failures, ledger } = await perform(
					operation,
					['/a'],
					scriptStage(() => reply),
				);
				expect(describeFailure(failures[0]!)).toContain(words);
				if (words === NOTHING) expect([ledger.lost, ledger.refused]).toEqual([0, 0]);
			}
		},
	);

	test('counts every call of a talk, and names its jobs', async () => {
		const operation = talking(function* ([id]) {
			yield* exchange(call('/submit', { credits: PRICE }));
			yield* report(jobOf(id));
			yield* tryExchange(call('/poll'));
			yield* tryExchange(call('/poll'));
			return [yes()];
		});
		const { ledger } = await perform(
			operation,
			['b-1', 'b-2'],
			scriptStage(() => ok({ cost: 5 })),
		);
		expect(ledger).toMatchObject({ paidCalls: 2, freeCalls: 4, lost: 0 });
		expect([...ledger.credits]).toEqual([['whatsapp', 10]]);
		expect(ledger.jobs).toEqual([jobOf('b-1'), jobOf('b-2')]);
	});
});
