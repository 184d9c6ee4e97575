import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

/**
 * Random replies about an audit, and of the scraper about a job. SPEC §3.3 and §4.1 show neither states nor fields, so each part is
 * drawn in the ways in which services write it.
 */

const oneOf = <Value>(...values: Value[]) => fc.constantFrom(...values);
const named = (names: string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<IDataObject> =>
	fc.tuple(oneOf(...names), value).map(([key, each]) => ({ [key]: each }) as IDataObject);
const merged = (parts: fc.Arbitrary<IDataObject>): fc.Arbitrary<IDataObject> =>
	fc.array(parts, { maxLength: 5 }).map((all) => Object.assign({}, ...all) as IDataObject);
const word = fc.stringMatching(/^[a-z]{3,9}$/);
/** No usual name, and none of an ID. */
const name = fc
	.stringMatching(/^[a-z]{3,6}_[xqz][a-z]{2,5}$/)
	.filter((each) => !each.endsWith('id'));

export const BRAND = 'Example Coffee';

/** A service that is busy, under any HTTP status, and refusals that last. */
export const BUSY: IDataObject[] = [
	{ error: 'Service temporarily unavailable, please try again.' },
	{ status: false, error: 'Server is busy' },
	{ status: false, message: 'Rate limit exceeded, 10 requests per minute' },
	{ error: 'The service is under maintenance' },
	{ success: false, error: 'Too many requests' },
	{ error: 'You send too fast' },
	...['Too many requests', 'Service temporarily unavailable'].flatMap((message) => [
		{ status: 'error', message },
		{ status: 'fail', message, data: null, code: 500 },
	]),
	...[{ status: 'failed', message: 'Request timed out' }],
];
export const LASTING: IDataObject[] = [
	...['Invalid API key.', 'Please recharge', 'Not found, please try again', 'Gone.'].map(
		(error) => ({ error }),
	),
	...[
		{ status: 'error', message: 'Invalid API key.' },
		{ status: 'fail', data: { title: 'x' } },
	],
];

/** What was asked for, under the usual names and under any, and what a service says of the request and the account. */
export const echoes = merged(
	fc.oneof(
		named(['brand', 'brand_name', 'company'], oneOf(BRAND, BRAND.toUpperCase())),
		named(['brand_url', 'website', 'domain'], oneOf('https://coffee.example', 'coffee.example')),
		named(['keywords', 'competitors', 'platforms', 'engines', 'models'], fc.array(word)),
		named(['prompts', 'queries', 'questions'], fc.array(oneOf('best coffee shop in this town'))),
		named(['platforms', 'engines', 'competitors'], fc.array(fc.record({ name: word }))),
		named(['prompt_count', 'max_results', 'score_threshold', 'expires_in'], fc.integer()),
		named(['request', 'params', 'config', 'settings'], fc.dictionary(word, fc.integer())),
		named(['id', 'request_id', 'report_id', 'report_url'], word),
		named(['created_at', 'updated_at'], oneOf('2026-01-02T03:04:05Z')),
		named(['results', 'summary', 'overall_score', 'mentions'], oneOf<unknown>(null, 0, '')),
		fc.dictionary(name, fc.oneof(word, fc.boolean(), fc.integer(), fc.array(word)), {
			maxKeys: 3,
		}) as fc.Arbitrary<IDataObject>,
	),
);

/** What an audit has found. */
export const findings: fc.Arbitrary<IDataObject> = fc.oneof(
	named(['overall_score', 'visibility_score', 'total_mentions', 'rank'], fc.integer({ min: 1 })),
	named(['visibility', 'share_of_voice', 'mention_rate'], oneOf<unknown>('41.5%', 41.5, '0.4')),
	named(['scores', 'mentions'], fc.dictionary(word, fc.integer({ min: 1 }), { minKeys: 1 })),
	named(['results', 'findings'], oneOf([{ platform: 'assistant', score: 4 }], [{ title: 'New' }])),
	named(['summary', 'overview'], oneOf(`${BRAND} is known to three assistants.`)),
	fc.tuple(name, fc.integer({ min: 1 })).map(([key, score]) => ({ [key]: { score } })),
);

/** Progress in one of its spellings: all done, or less. */
export interface Progress {
	full: IDataObject;
	less: IDataObject;
}
const SHARES = ['progress', 'audit_progress', 'progressPercent', 'percent_complete', 'completion'];
const PARTS = ['platforms', 'steps', 'prompts', 'tasks', 'checks'];
type Written = (done: number, total: number) => IDataObject;
const spellings: fc.Arbitrary<Written> = fc.oneof(
	fc
		.tuple(
			oneOf(...SHARES),
			oneOf<(percent: number) => number | string>(
				(percent) => percent,
				(percent) => String(percent),
				(percent) => `${percent}%`,
				(percent) => `${percent} % complete`,
				(percent) => `${percent} percent`,
				(percent) => `about ${percent}% done`,
			),
		)
		.map(
			([key, written]): Written =>
				(done, total) => ({
					[key]: written(Math.floor((100 * done) / total)),
				}),
		),
	fc.tuple(oneOf('progress', 'step'), oneOf('/', ' of ', ' out of ', ' / ')).map(
		([key, between]): Written =>
			(done, total) => ({
				[key]: `${key === 'step' ? 'Step ' : ''}${done}${between}${total}`,
			}),
	),
	fc.tuple(oneOf(...PARTS), oneOf('completed', 'done', 'processed', 'finished'), fc.boolean()).map(
		([part, over, isFirst]): Written =>
			(done, total) => ({
				[isFirst ? `${over}_${part}` : `${part}_${over}`]: done,
				[isFirst ? `total_${part}` : `${part}_total`]: total,
			}),
	),
	oneOf<Written>(
		(done, total) => ({ current_step: done, total_steps: total }),
		(done, total) => ({ step: done, steps: total }),
		(done, total) => ({ stage: done, total_stages: total }),
		(done, total) => ({ progress: { current: done, total } }),
		(done, total) => ({ progress: { done, total } }),
		(done, total) => ({ progress: { percent: Math.floor((100 * done) / total) } }),
		(done, total) => ({ progress: { one: 100, other: Math.floor((100 * done) / total) } }),
		(done, total) => ({ tasks: { completed: done, total } }),
		(done, total) => ({
			platforms: Array.from({ length: total }, (_, at) => ({
				name: `p${at}`,
				status: at < done ? 'completed' : 'running',
			})),
		}),
		(done, total) => ({
			stages: Object.fromEntries(
				Array.from({ length: total }, (_, at) => [`s${at}`, at < done ? 'done' : 'queued']),
			),
		}),
		(done, total) => ({ is_complete: done === total }),
		(done, total) => ({ pending_platforms: Array(total - done).fill('p') }),
	),
);
export const progresses: fc.Arbitrary<Progress> = fc
	.tuple(spellings, fc.integer({ min: 3, max: 12 }), fc.nat())
	.map(([written, total, random]) => ({
		full: written(total, total),
		// One percent may be all of it
		less: written(1 + (random % (total - 1)), total),
	}));

/** Times and plans, whose names are words of work as well. */
export const timings: fc.Arbitrary<IDataObject> = fc.oneof(
	named(
		['processing', 'queued', 'waiting', 'running', 'pending'],
		fc.oneof(
			fc.integer({ min: 1, max: 600 }),
			fc.record({ seconds: fc.integer({ min: 1 }) }),
			oneOf('44 s', '2 minutes'),
		),
	),
	named(
		['remaining'],
		fc.oneof(fc.integer({ min: 1, max: 99 }), fc.record({ audits: fc.integer({ min: 1 }) })),
	),
	named(['partial'], oneOf(true)),
	named(['queue_position', 'eta_seconds'], fc.nat(600)),
	named(['completed_at', 'finishedAt'], oneOf(null, '')),
	named(['message', 'info'], oneOf('Your audit has been queued', 'Audit is 50% complete')),
);

/** The audit in up to two objects around it, of any name, beside what an envelope has. */
export const envelopes: fc.Arbitrary<(audit: IDataObject) => IDataObject> = fc
	.tuple(
		fc.array(fc.oneof(oneOf('data', 'audit', 'result', 'response'), name), { maxLength: 2 }),
		oneOf<IDataObject>({}, { success: true }, { status: true }, { code: 0, request_id: 'r1' }),
	)
	.map(([names, beside]) => (audit: IDataObject) => {
		const inside = names.reduce<IDataObject>((inner, each) => ({ [each]: inner }), audit);
		return names.length > 0 ? { ...beside, ...inside } : inside;
	});

/** How services refuse to return an audit that is not over. */
const SUBJECTS = ['Audit', 'The audit', 'Your report', 'This analysis', 'Audit a1', 'The results'];
const VERBS = ['is', 'are', 'is still', 'are currently', 'has been'];
const WORK = ['processing', 'queued', 'being generated', 'running', 'being processed', 'pending'];
const WHOLE = [
	...['is not ready', "isn't finished yet", 'has not been completed', 'not ready yet'],
	...['will be ready shortly', 'will be available in 5 minutes', 'is under way', 'in progress'],
	...['is not yet available', 'is in the queue', 'is still generating', 'is ongoing'],
	...['has not started', 'is scheduled to run', 'is still waiting for results'],
];
export const runningRefusals: fc.Arbitrary<string> = fc
	.tuple(
		oneOf(...SUBJECTS),
		fc.oneof(
			fc.tuple(oneOf(...VERBS), oneOf(...WORK)).map((words) => words.join(' ')),
			oneOf(...WHOLE),
		),
		oneOf('', '.', '. Try again later.', ', please wait.'),
	)
	.map(([subject, says, end]) => `${subject} ${says}${end}`);

/** A reply about a job of the scraper, without anything of a post. */
export const scraperJobs: fc.Arbitrary<IDataObject> = fc
	.tuple(
		fc.oneof(
			named(['job_id', 'task_id', 'run_id', 'snapshot_id'], word),
			named(['status', 'state', 'job_status', 'phase'], oneOf('queued', 'pending', 'running')),
		),
		merged(
			fc.oneof(
				named(['request_id', 'id', 'url', 'callback_url', 'user', 'platform'], word),
				named(['progress', 'eta', 'position', 'likes', 'score', 'took_ms'], fc.nat()),
				named(['created_at', 'date', 'timestamp'], oneOf<unknown>(1_767_300_000, '2026-01-02')),
				named(['message', 'detail'], oneOf('The scrape has been queued')),
			),
		),
	)
	.map(([job, more]) => ({ ...more, ...job }));
