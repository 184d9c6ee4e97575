import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { type Answer, interpret, isRefusal, type Reading } from '../../engine';
import { getAudit } from '../../../nodes/LookupMessaging/operations/audit/get';
import { pollOf as pollOfAudit } from '../../../nodes/LookupMessaging/operations/audit/job';
import { runAudit } from '../../../nodes/LookupMessaging/operations/audit/run';
import { readAudit } from '../../../nodes/LookupMessaging/operations/audit/state';
import { getBatch } from '../../../nodes/LookupMessaging/operations/batch/get';
import { isOver, pollOf } from '../../../nodes/LookupMessaging/operations/batch/job';
import { submitNumbers } from '../../../nodes/LookupMessaging/operations/batch/submit';
import { getForumPost } from '../../../nodes/LookupMessaging/operations/scraper/getForumPost';
import { getMicroblogComments } from '../../../nodes/LookupMessaging/operations/scraper/getMicroblogComments';
import { getMicroblogPost } from '../../../nodes/LookupMessaging/operations/scraper/getMicroblogPost';
import { searchForum } from '../../../nodes/LookupMessaging/operations/scraper/searchForum';
import { searchMicroblog } from '../../../nodes/LookupMessaging/operations/scraper/searchMicroblog';
import {
	echoes,
	envelopes,
	findings,
	progresses,
	runningRefusals,
	scraperJobs,
	timings,
} from '../../models/jobReplies';
import { FOR_NOW } from '../../models/lookupReplies';
import { expectEqual } from '../../harness/expectEqual';
import { perform, scriptedClient } from '../../unit/fakes/fakeClient';
import { answered, headOf, ok } from '../../unit/fakes/replies';
import { isFullRun } from '../fullRun';

/** Random replies about jobs, against what their fields say together. */

const runs = { numRuns: isFullRun ? 6_000 : 200, seed: 31 };

/** A value of any type, among them some that have no text. */
const anything = fc.constantFrom<unknown>(
	...[null, true, false, 0, 1, -5, '', ' ', 'none', 'OK', 'x', [], {}, [{}], { toString: 0 }],
	...[{ message: 'no' }, '__proto__', 'constructor', 1e300, 12.5],
);
const missing = fc.constant(undefined);
const withoutMissing = (body: object) =>
	Object.fromEntries(
		Object.entries(body).filter(([, value]) => value !== undefined),
	) as IDataObject;
/** In any case of letters. */
const spelled = <Word extends string>(...words: Word[]) =>
	fc
		.tuple(fc.constantFrom(...words), fc.nat(2))
		.map(
			([word, form]) =>
				[word, word.toUpperCase(), ` ${word[0].toUpperCase()}${word.slice(1)}`][form],
		);

const HEAD = headOf(getAudit.request({ auditId: 'a1' }));

/** Signs that a job is not over yet, whatever its status says. */
const STRONG: object[] = [
	...['finished', 'done', 'complete', 'isReady', 'audit_complete', 'all_done', 'final'].flatMap(
		(name) => [false, 'false', 'No', 0].map((value) => ({ [name]: value })),
	),
	...['in_progress', 'pending', 'isRunning', 'inProgress', 'audit_pending', 'remaining'].flatMap(
		(name) => [true, 'true', 'yes', ['assistant']].map((value) => ({ [name]: value })),
	),
	...[{ in_progress: 1 }, { isRunning: 1 }, { audit_pending: 1 }],
	...[{ platforms_pending: ['assistant'] }, { pending_platforms: ['b'] }],
	...[
		{ platforms_completed: 2, platforms_total: 4 },
		{ completed: 2, total: 4 },
	],
	...[{ phase: 'running' }, { stage: 'collecting' }, { progress: '2/4' }],
	...[{ completed: 2, failed: 1, total_platforms: 4 }, { tasks: { done: 3, total: 5 } }],
	{ platforms: [{ status: 'completed' }, { status: 'processing' }] },
	{ platforms: { a: 'completed', b: 'pending' } },
	...[
		{ progress: { current: 2, total: 4 } },
		{ progress: { value: 60 } },
		{ progress: { a: 100, b: 60 } },
	],
	{ results: { a: { status: 'completed' }, b: { status: 'running' } } },
	{ results: { all: { platforms: [{ state: 'done' }, { state: 'queued' }] } } },
];
/** Signs that count only if no status says finished. */
const WEAK: object[] = [
	...[{ pending: 1 }, { remaining: 1 }, { remaining: 2 }, { completed_at: null }],
	...[{ summary: 'Audit in progress' }, { message: 'The audit is still being generated.' }],
	...[{ message: 'Your audit has been queued' }, { summary: 'The audit has not finished yet.' }],
	...[{ message: 'Results will be available shortly' }, { info: 'still_processing' }],
	{ summary: 'Your audit is running. Check back in 5 minutes.' },
	{
		platforms: [
			{ name: 'a', completed_at: '2026-01-02' },
			{ name: 'b', completed_at: null },
		],
	},
];
const UNFINISHED = [...STRONG, ...WEAK];
/** What stands in audits that are over. */
const CALM = [
	...[{ progress: 100 }, { progress: '100 %' }, { progress: { percent: 100 } }, { remaining: 0 }],
	...[{ progress: { completed: 4, total: 4 } }, { pending: [] }, { pending_platforms: [] }],
	...[{ completed_at: '2026-01-02T03:04:05Z' }, { in_progress: false }, { is_complete: true }],
	...[
		{ platforms_completed: 4, platforms_total: 4 },
		{ completed: 3, failed: 1, total: 4 },
	],
	...[{ phase: 'completed' }, { stage: 'done' }, { finished: null }, { queued: { count: 0 } }],
	...[{ summary: 'The brand is running ahead of others.' }, { message: 'Audit completed' }],
	{ platforms: [{ status: 'completed' }, { name: 'b', status: 'failed' }] },
	{ platforms: { a: 'completed', b: 'skipped' } },
	{ platforms: [{ status: 'failed', completed_at: null, progress: 40, completed: false }] },
	{ topics: { running: { score: 80 }, processing: 5 } },
	{ summary: 'Your brand is being recommended.' },
	...[
		{ progress: { current: 4, total: 4 } },
		{ progress: { value: 100 } },
		{ progress: { pct: 100 } },
	],
	...[
		{ progress: { assistant: 100, search: 100 } },
		{ stages: ['queued', 'running', 'completed'] },
	],
	...[{ next_audit: { status: 'scheduled' } }, { timings: { queued: 2, processing: 41 } }],
	{ tasks: { completed: 18, total: 20, errors: 2 } },
	{
		results: { a: { status: 'completed', category: 'running', percent: 40 }, b: { final: false } },
	},
	{ history: [{ status: 'queued' }, { status: 'running' }] },
	{ recommendations: [{ title: 'Write more', done: false, status: 'pending' }] },
	{ competitors: [{ name: 'C', status: 'pending' }], usage: { remaining: 9, audits_remaining: 3 } },
	{ audits_remaining: 9, steps: [{ name: 'asking', ms: 40 }], topics: { top: 'running' } },
];

describe('random replies about an audit', () => {
	const FINISHED = ['completed', 'done', 'finished', 'ready'];
	const FAILED = ['failed', 'cancelled', 'error', 'timed_out'];
	const OTHER = ['pending', 'queued', 'processing', 'marinating', 'constructor', 'rate_limited'];
	/** Flags by which it is. */
	const OVER = [
		...['finished', 'isDone', 'all_done'].map((name) => ({ [name]: true })),
		...['pending', 'isRunning', 'partial'].flatMap((name) =>
			[false, 'no', 0].map((value) => ({ [name]: value })),
		),
		...[{ pending: [] }, { completed_at: '2026-01-02' }, { finished: null }],
	];
	/** What a finished audit may have left of the time before. */
	const EXPECTED = [{ partial: true }, { partial: ['assistant'] }, { eta: '2 minutes' }];
	const bodies = fc.record({
		audit_id: fc.constant('a1'),
		status: fc.oneof(
			spelled(...FINISHED, ...FAILED, ...OTHER, 'success'),
			fc.constant(true),
			missing,
		),
		progress: fc.oneof(fc.integer({ min: 2, max: 100 }), fc.constant('40%'), missing, missing),
		queue_position: fc.oneof(fc.nat(20), missing, missing),
		eta_seconds: fc.oneof(fc.integer({ min: 1, max: 600 }), missing, missing),
		results: fc.oneof(fc.constant([{ platform: 'assistant', score: 4 }]), fc.constant([]), missing),
		is_complete: fc.oneof(fc.boolean(), missing, missing),
		flag: fc.oneof(
			fc.constantFrom<object>(...UNFINISHED),
			fc.constantFrom<object>(...OVER, ...EXPECTED),
			missing,
		),
		running: fc.oneof(fc.boolean(), missing, missing),
		worker: fc.oneof(fc.constantFrom('w3', 3, true), missing),
		step: fc.oneof(fc.nat(9), missing),
		steps: fc.oneof(fc.constant([{ name: 'asking', ms: 40 }]), missing),
		error: fc.oneof(fc.constantFrom<unknown>([], {}, 'none', 0, null), missing),
	});

	it('are finished only if a word or results say so, and no field says running', () => {
		const property = fc.property(bodies, (random) => {
			const { flag, ...others } = random;
			const body = withoutMissing({ ...others, ...flag });
			const head = headOf(getAudit.request({ auditId: 'a1' }));
			const reading = getAudit.read(body, head, { auditId: 'a1' }) as Reading;
			const word = typeof body.status === 'string' ? body.status.trim().toLowerCase() : undefined;
			const { progress, queue_position: place, eta_seconds: eta, results } = random;
			const told = 'progress' in (flag ?? {}) ? undefined : progress;
			const runs =
				(told !== undefined && told !== 100) ||
				random.is_complete === false ||
				(flag !== undefined && STRONG.includes(flag)) ||
				random.running === true;
			const isUnderWay =
				runs ||
				[place, eta].some((field) => field !== undefined) ||
				(flag !== undefined && [...WEAK, ...EXPECTED].includes(flag));
			const hasResults = results !== undefined && results.length > 0;
			let expected = 'unknown';
			if (word !== undefined && FINISHED.includes(word) && !runs) expected = 'positive';
			if (word !== undefined && FAILED.includes(word)) expected = 'negative';
			// The word of a call that succeeded says nothing of the audit without results or a flag of its end
			const isOver = random.is_complete === true || [0, 1, 2].includes(OVER.indexOf(flag as never));
			if (word === 'success' && !isUnderWay && (hasResults || isOver)) expected = 'positive';
			if (word === undefined && hasResults && !isUnderWay) expected = 'positive';
			expectEqual(isRefusal(reading) ? 'refused' : reading.outcome, expected);
		});
		fc.assert(property, runs);
	});

	it('say running where one strong sign says so, or a weak one without a status, and finished where none does', () => {
		const results = [{ platform: 'assistant', score: 4 }];
		const heads = fc.constantFrom<IDataObject>(
			...[{ status: true, results }, { status: 'success', results }, { results }],
			...[
				{ status: 'completed' },
				{ status: 'Done', results },
				{ state: 'finished', success: true },
			],
		);
		const calm = fc.subarray(CALM, { maxLength: 4 });
		const sign = fc.constantFrom(...UNFINISHED);
		const words = ['completed', 'Done', 'finished'];
		const place = fc.constantFrom<(fields: IDataObject) => IDataObject>(
			(fields) => fields,
			(fields) => ({ status: true, data: fields }),
			(fields) => ({ success: true, audit: fields }),
		);
		const property = fc.property(heads, calm, sign, place, (head, fields, unfinished, at) => {
			const stateOf = (...parts: object[]) =>
				readAudit(at(Object.assign({ audit_id: 'a1' }, head, ...parts) as IDataObject), HEAD).state;
			expectEqual([head, fields, stateOf(...fields)], [head, fields, 'finished']);
			const all = Object.assign({}, head, ...fields, unfinished) as IDataObject;
			const isOver = [all.status, all.state, all.phase, all.stage].some(
				(word) => words.includes(word as string) || word === 'done',
			);
			const state = isOver && WEAK.includes(unfinished) ? 'finished' : 'running';
			const body = [head, ...fields, unfinished];
			expectEqual([body, stateOf(...fields, unfinished)], [body, state]);
			expectEqual(stateOf(...fields, unfinished, { state: undefined, status: 'failed' }), 'failed');
		});
		fc.assert(property, runs);
		for (const words of [['processing'], ['Pending']]) {
			const body = { status: words[0], platforms: [{ status: words[0] }] };
			expectEqual(readAudit(body, HEAD, { finishedWords: words }).state, 'finished');
		}
	});

	describe('whatever the names of their fields', () => {
		const read = (body: IDataObject, status = 200) => {
			const reading = getAudit.read(body, { ...HEAD, status }, { auditId: 'a1' }) as Reading;
			return [body, status, isRefusal(reading) ? 'refused' : reading.outcome];
		};
		/** Without a word; `true` and "success" are of the call. */
		const wordless = fc.constantFrom({}, { status: true }, { status: 'success' }, { status: 'OK' });
		const finished = spelled(...FINISHED, 'completed.').map((status) => ({ status }));

		it('are never finished by what was asked for alone', () => {
			const property = fc.property(envelopes, wordless, echoes, (inside, head, echo) => {
				const body = inside({ ...echo, ...head, audit_id: 'a1' });
				expectEqual(read(body), [body, 200, 'unknown']);
			});
			fc.assert(property, runs);
		});

		it('are finished by findings beside it, unless a time, a plan or HTTP 202 may say more', () => {
			const property = fc.property(
				...[envelopes, wordless, echoes, findings, fc.option(timings)],
				(inside, head, echo, found, timing) => {
					const body = inside({ ...echo, ...timing, ...found, ...head, audit_id: 'a1' });
					const outcome = timing ? 'unknown' : 'positive';
					expectEqual(read(body), [body, 200, outcome]);
					expectEqual(read(body, 202), [body, 202, 'unknown']);
				},
			);
			fc.assert(property, runs);
		});

		it('are finished by their status beside times and plans, and not beside progress that falls short', () => {
			const property = fc.property(
				...[envelopes, finished, echoes, fc.option(findings), timings, progresses],
				(inside, head, echo, found, timing, { full, less }) => {
					const parts = { ...echo, ...timing, ...found };
					const bodyWith = (progress: IDataObject) =>
						inside({ ...parts, ...progress, ...head, audit_id: 'a1' });
					expectEqual(read(bodyWith({})), [bodyWith({}), 200, 'positive']);
					expectEqual(read(bodyWith(full)), [bodyWith(full), 200, 'positive']);
					expectEqual(read(bodyWith(less)), [bodyWith(less), 200, 'unknown']);
				},
			);
			fc.assert(property, runs);
		});

		it('have failed by their status, however far they were', () => {
			const property = fc.property(
				...[envelopes, spelled(...FAILED), echoes, fc.option(findings), timings, progresses],
				(inside, status, echo, found, timing, { less }) => {
					const body = inside({ ...echo, ...timing, ...found, ...less, status, audit_id: 'a1' });
					expectEqual(read(body), [body, 200, 'negative']);
				},
			);
			fc.assert(property, runs);
		});

		it('are running by the words of a refusal that say so', () => {
			const property = fc.property(
				runningRefusals,
				fc.constantFrom('error', 'message', 'detail'),
				fc.constantFrom(200, 400, 404, 409, 425),
				(words, field, status) => {
					const body = { ...(status === 200 && { status: false }), [field]: words };
					expectEqual(read(body, status), [body, status, 'unknown']);
					const polled = interpret(pollOfAudit('a1', []), answered(status, body), jest.fn());
					const { value } = polled as { value?: { answer?: Answer } };
					expectEqual([body, value?.answer?.outcome], [body, 'unknown']);
				},
			);
			fc.assert(property, runs);
			for (const error of ['Audit not found.', 'Report not available', 'Incomplete request'])
				expectEqual(read({ status: false, error })[2], 'refused');
		});
	});

	it('never lose the ID of an audit that was started', async () => {
		const starts = fc.record({
			status: fc.oneof(anything, fc.constantFrom('running', 'failed')),
			error: fc.oneof(anything, fc.constant('Invalid API key.'), missing),
			message: fc.oneof(anything, missing),
			success: fc.oneof(anything, missing),
			results: fc.oneof(anything, missing),
		});
		const property = fc.asyncProperty(
			starts,
			fc.constantFrom(200, 202, 400),
			async (random, status) => {
				const body = withoutMissing({ ...random, audit_id: 'a1' });
				const client = scriptedClient([answered(status, body)]);
				const question = { brandName: 'A', brandUrl: 'https://a.example', competitors: [] };
				await perform(runAudit, [question], client);
				expectEqual(
					client.jobs.map(({ id }) => id),
					['a1'],
				);
			},
		);
		await fc.assert(property, runs);
	});
});

describe('random replies of the scraper', () => {
	const OPERATIONS = [searchForum, searchMicroblog, getForumPost, getMicroblogPost];
	const question = { query: 'x', url: 'https://m.example/1' } as never;
	const outcomes = (body: IDataObject) =>
		[...OPERATIONS, getMicroblogComments].map(({ read }) => {
			const reading = read(body, HEAD, question);
			return isRefusal(reading) ? 'refused' : reading.outcome;
		});

	it('are neither a yes nor a no while they are about a job, and a yes with a text and its author', () => {
		const around = fc.constantFrom<(fields: IDataObject) => IDataObject>(
			(fields) => fields,
			(fields) => ({ status: true, data: fields }),
			(fields) => ({ success: true, result: fields }),
		);
		const property = fc.property(scraperJobs, around, (job, inside) => {
			expectEqual([job, ...outcomes(inside(job))], [job, ...Array(5).fill('unknown')]);
			const post = { ...job, text: 'Hello', author: 'ada' };
			// Beside comments, one post is the one that they are of
			const expected = [...Array<string>(4).fill('positive'), 'unknown'];
			expectEqual([post, ...outcomes(inside(post))], [post, ...expected]);
		});
		fc.assert(property, runs);
	});

	it('are a yes by the one list that has entries, wherever it stands', () => {
		for (const names of [
			['comments', 'replies', 'children'],
			['data', 'results', 'items'],
		]) {
			for (const which of names) {
				const body = Object.fromEntries(names.map((name) => [name, [] as IDataObject[]]));
				body[which] = [{ text: 'Hello' }];
				for (const reply of [body, { status: true, response: body }]) {
					const reading = getMicroblogComments.read(reply, HEAD, question);
					expectEqual([reply, isRefusal(reading) || reading.outcome], [reply, 'positive']);
				}
			}
		}
	});
});

describe('random replies about a batch', () => {
	const YES = ['valid_confirmed', 'valid'];
	const NO = ['invalid', 'not_registered'];
	const OTHER = ['unknown', 'error', 'pending', 'rate_limited', 'constructor', ''];
	const rows = fc.record({
		phone_number: fc.constant('+12025550102'),
		status: fc.oneof(spelled('completed', 'completed', 'pending', 'failed', 'archived'), anything),
		wa_status: fc.oneof(spelled(...YES), spelled(...NO), fc.constantFrom(...OTHER), anything),
		numberstatus: fc.oneof(fc.boolean(), anything),
		error: fc.oneof(fc.constantFrom<unknown>([], 'none', 0, null), fc.constant('timeout'), missing),
		success: fc.oneof(fc.boolean(), missing, missing),
		message: fc.oneof(fc.constant('upstream timeout'), missing, missing),
		code: fc.oneof(fc.constantFrom(0, 200, 500), missing, missing),
		error_code: fc.oneof(fc.constantFrom('UPSTREAM', 'none'), missing, missing),
		warnings: fc.oneof(fc.constantFrom<unknown>([], ['late']), missing, missing),
		details: fc.oneof(fc.constant({ carrier: 'A', error_rate: 1 }), missing),
		again: fc.oneof(
			fc.constantFrom(
				...Object.entries(FOR_NOW).flatMap(([name, values]) =>
					values.map((value) => ({ [name]: value })),
				),
				{ reason_code: 'network_timeout' },
			),
			missing,
			missing,
		),
		formatted_number: fc.oneof(
			fc.constant('+442079460018'),
			fc.constantFrom<unknown>('12025550102', '+1 202 555 0102'),
			anything,
		),
	});

	/** Values of trouble, and names of it whose value is true. */
	const TROUBLE =
		/fail|time ?out|in progress|pending|processing|queued|retry|skipped|unavailable|error/i;
	const FLAGS = /^(?:pending|rate_limited|(?:credit_)?refunded|retry|timed_out)$/;

	it('return a yes or a no for a number only if its fields agree', async () => {
		const property = fc.asyncProperty(rows, async (random) => {
			const { again, ...fields } = random;
			const row = withoutMissing({ ...fields, ...again });
			const batch = { batch_id: 'b', status: 'completed', total_numbers: 1, results: [row] };
			const question = { batchId: 'b', asRows: true, waits: false };
			const { readings } = await perform(getBatch, [question], scriptedClient([ok(batch)]));
			const [answer] = (readings as Answer[])[0].rows ?? [];
			const word = (value: unknown) =>
				typeof value === 'string' ? value.trim().toLowerCase() : '';
			const isChecked =
				word(random.status) === 'completed' &&
				random.error !== 'timeout' &&
				random.success !== false &&
				random.message === undefined &&
				!Object.entries(Object(again)).some(
					([name, value]) =>
						(String(value) === 'true' && FLAGS.test(name)) ||
						(typeof value === 'string' && TROUBLE.test(value)),
				) &&
				random.formatted_number !== '+442079460018';
			const [isYes, isNo] = [YES, NO].map((words) => words.includes(word(random.wa_status)));
			let expected = 'unknown';
			// As a boolean, a number or a word
			const isOn = (flag: unknown, answer: 'false' | 'true') =>
				(answer === 'true' ? ['true', '1', 'yes'] : ['false', '0', 'no']).includes(
					typeof flag === 'object' ? '' : String(flag).trim().toLowerCase(),
				);
			const isForGood = again === undefined && random.error_code !== 'UPSTREAM';
			if (isChecked && isYes && isForGood && isOn(random.numberstatus, 'true'))
				expected = 'positive';
			const isBare =
				[undefined, 0, 200].includes(random.code) && isForGood && !random.warnings?.toString();
			const isDenied = (isYes || isNo) && isOn(random.numberstatus, 'false') && isBare;
			if (isChecked && isDenied) expected = 'negative';
			expectEqual(answer.outcome, expected);
			if (random.formatted_number === '+442079460018') {
				expect(answer.record.phoneNumber).toBeNull();
			}
			if (word(random.formatted_number) === '12025550102') {
				expectEqual(answer.record.phoneNumber, '+12025550102');
			}
		});
		await fc.assert(property, runs);
	});

	it('finish a batch only by its status word', () => {
		const poll = pollOf('b');
		const statuses = [undefined, true, 'success', 'ok', 'processing', 'done?'];
		for (const flag of [...UNFINISHED, { finished: true }, {}]) {
			for (const status of statuses) {
				const results = [{ phone_number: '+12025550102', status: 'completed' }];
				const batch = withoutMissing({ batch_id: 'b', status, results, ...flag });
				const read = poll.read(batch, headOf(poll.request));
				expectEqual([batch, isRefusal(read) || isOver(read)], [batch, false]);
			}
		}
	});

	it('never lose the ID of a batch that was submitted, and never cost more than was sent', async () => {
		const submissions = fc.record({
			status: fc.oneof(anything, fc.constantFrom('processing', 'completed', 'failed')),
			error: fc.oneof(anything, fc.constantFrom('Invalid API key.', 'The queue is slow'), missing),
			required: fc.oneof(anything, missing),
			total_numbers: fc.oneof(anything, fc.integer({ min: -9, max: 9 }), missing),
			results: fc.oneof(anything, missing),
		});
		const numbers = [{ number: '+12025550102' }, { number: '+12025550143' }];
		const property = fc.asyncProperty(
			submissions,
			fc.constantFrom(200, 202, 400),
			async (random, status) => {
				const body = withoutMissing({ ...random, batch_id: 'b' });
				const client = scriptedClient([answered(status, body)]);
				await perform(submitNumbers, numbers, client);
				expectEqual(
					client.jobs.map(({ id }) => id),
					['b'],
				);
				const { credits } = client.calls[0].endpoint;
				const charged = (credits && 'charged' in credits && credits.charged(body)) || NaN;
				expectEqual([body, charged >= 1 && charged <= 2], [body, true]);
			},
		);
		await fc.assert(property, runs);
	});
});
