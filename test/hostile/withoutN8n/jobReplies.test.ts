import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { type Answer, interpret, isRefusal, type Reading } from '../../engine';
import { getAudit } from '../../../nodes/LookupMessaging/operations/audit/get';
import { pollOf as pollOfAudit } from '../../../nodes/LookupMessaging/operations/audit/job';
import { runAudit } from '../../../nodes/LookupMessaging/operations/audit/run';
import { readAudit } from '../../../nodes/LookupMessaging/operations/audit/state';
import { isOver, pollOf } from '../../../nodes/LookupMessaging/operations/batch/job';
import { submitNumbers } from '../../../nodes/LookupMessaging/operations/batch/submit';
import { getForumPost } from '../../../nodes/LookupMessaging/operations/scraper/getForumPost';
import { getMicroblogComments } from '../../../nodes/LookupMessaging/operations/scraper/getMicroblogComments';
import { getMicroblogPost } from '../../../nodes/LookupMessaging/operations/scraper/getMicroblogPost';
import { searchForum } from '../../../nodes/LookupMessaging/operations/scraper/searchForum';
import { searchMicroblog } from '../../../nodes/LookupMessaging/operations/scraper/searchMicroblog';
import { CALM, MAY_RUN, RUNNING } from '../../models/auditSigns';
import {
	echoes,
	envelopes,
	findings,
	progresses,
	runningRefusals,
	scraperJobs,
	timings,
} from '../../models/jobReplies';
import { expectEqual } from '../../harness/expectEqual';
import { perform, scriptedClient } from '../../unit/fakes/fakeClient';
import { answered, headOf } from '../../unit/fakes/replies';
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

describe('random replies about an audit', () => {
	const FINISHED = ['completed', 'done', 'finished', 'ready'];
	const FAILED = ['failed', 'cancelled', 'error', 'timed_out'];
	it('run if one field says so beside any others that do not', () => {
		const results = [{ platform: 'assistant', score: 4 }];
		const WITH_WORD: IDataObject[] = [
			...[{ status: 'completed' }, { status: 'Done', results }],
			{ state: 'finished', success: true },
		];
		const WORDLESS: IDataObject[] = [
			{ status: true, results },
			{ status: 'success', results },
			{ results },
		];
		const heads = fc.constantFrom(...WORDLESS, ...WITH_WORD);
		const calm = fc.subarray(CALM, { maxLength: 4 });
		const sign = fc.constantFrom(...RUNNING, ...MAY_RUN);
		const place = fc.constantFrom<(fields: IDataObject) => IDataObject>(
			(fields) => fields,
			(fields) => ({ status: true, data: fields }),
			(fields) => ({ success: true, audit: fields }),
		);
		const property = fc.property(heads, calm, sign, place, (head, fields, unfinished, at) => {
			const stateOf = (...parts: object[]) =>
				readAudit(at(Object.assign({ audit_id: 'a1' }, head, ...parts) as IDataObject), HEAD).state;
			expectEqual([head, fields, stateOf(...fields)], [head, fields, 'finished']);
			const isOver = WITH_WORD.includes(head) && MAY_RUN.includes(unfinished);
			const state = isOver ? 'finished' : 'running';
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
	it('finish a batch only by its status word', () => {
		const poll = pollOf('b');
		const statuses = [undefined, true, 'success', 'ok', 'processing', 'done?'];
		for (const flag of [...RUNNING, ...MAY_RUN, { finished: true }, {}]) {
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
