import type { IDataObject } from 'n8n-workflow';

/** Fields of an audit, by what they say of its end. SPEC §3.3 shows neither states nor fields. */

const some = { score: 50, mentions: 2 };
const result = (more: IDataObject) => ({ results: [{ platform: 'a', score: 62, ...more }] });
const each = (names: string[], value: unknown) => names.map((name) => ({ [name]: value }));
const OVER = ['finished', 'done', 'complete', 'isReady', 'audit_complete', 'all_done', 'final'];
const ON = ['in_progress', 'pending', 'isRunning', 'inProgress', 'audit_pending', 'remaining'];
const PARTS = ['assistants', 'channels', 'llms', 'runs', 'sections', 'jobs', 'subtasks'];

/** It runs, whatever its status says. */
export const RUNNING: object[] = [
	...[false, 'false', 'No', 0].flatMap((no) => each([...OVER, 'finalized', 'processed'], no)),
	...[true, 'true', 'yes', ['assistant']].flatMap((yes) => each(ON, yes)),
	...[{ in_progress: 1 }, { isRunning: 1 }, { audit_pending: 1 }, { ended: 'no' }],
	...[{ platforms_pending: ['assistant'] }, { pending_platforms: ['b'] }, { updating: true }],
	{ awaiting_platforms: ['claude'] },
	// Its parts, or its work
	...each(PARTS, [{ status: 'completed' }, { status: 'running' }]),
	...each(['analysis_status', 'processing_status', 'sub_status', 'summary_status'], 'running'),
	...[{ phase: 'running' }, { stage: 'collecting' }, { summary: { status: 'pending' } }],
	{ platforms: [{ status: 'completed' }, { status: 'processing' }] },
	{ platforms: { a: 'completed', b: 'pending' } },
	{ prompts: [{ text: 'best coffee', state: 'pending' }] },
	{ by_platform: [{ score: 2 }, { state: 'running' }] },
	{ chatgpt: { status: 'done', score: 2 }, gemini: { status: 'running' } },
	{ results: { a: { status: 'completed' }, b: { status: 'running' } } },
	{ results: { all: { platforms: [{ state: 'done' }, { state: 'queued' }] } } },
	...['pending', { status: 'in queue' }].map((gemini) => ({
		results: { chatgpt: { score: 3 }, gemini },
	})),
	...['fetching', 'in queue', 'analysing'].map((status) => ({
		results: [{ score: 3 }, { platform: 'other', status }],
	})),
	{ summary: { sentiment: 'pending' } },
	// Counts
	...[{ progress: 40 }, { progress: '2/4' }, { progress: { value: 60 } }],
	...[{ progress: { current: 2, total: 4 } }, { progress: { a: 100, b: 60 } }],
	{ platforms_completed: 2, platforms_total: 4 },
	{ completed: 2, total: 4 },
	{ completed: 2, failed: 1, total_platforms: 4 },
	{ tasks: { done: 3, total: 5 } },
	{ total_prompts: 40, completed_prompts: 37, failed: 2 },
	{ completed_platforms: ['a'], all_platforms: ['a', 'b'] },
	{ completed_models: 3, num_models: 4 },
	{ questions: { completed: 3, total: 4 } },
	{ responses_received: 3, responses_expected: 12 },
	// Those that failed are counted once, and are not those of other parts
	{
		...{ total_platforms: 4, completed_platforms: 2, failed_platforms: 1 },
		platforms: [{ status: 'completed' }, { status: 'completed' }, { status: 'failed' }],
	},
];

/** It runs, unless a word says that it is finished. */
export const MAY_RUN: object[] = [
	...[{ pending: 1 }, { remaining: 1 }, { remaining: 2 }, { completed_at: null }],
	...['The audit is still being generated.', 'Your audit has been queued', 'Results so far']
		.concat('Results will be available shortly', 'Please check back later')
		.map((message) => ({ message })),
	...['Audit in progress', 'The audit has not finished yet.']
		.concat('Your audit is running. Check back in 5 minutes.')
		.map((summary) => ({ summary })),
	...[{ info: 'still_processing' }, { status_message: 'Collecting data from the platforms' }],
	{
		platforms: [
			{ name: 'a', completed_at: '2026-01-02' },
			{ name: 'b', completed_at: null },
		],
	},
	{ results: { assistant: some, other: null } },
	{ chatgpt: some, claude: null },
	{ results: [{ score: 60 }, { p: 'b', score: null }] },
	{ results: [{ platform: 'chatgpt' }, { platform: 'claude' }] },
	{ results: ['Audit started, this takes a few minutes'] },
	...[{ is_interim: true }, { progress: { chatgpt: true, claude: false } }],
	{ total_queries: 8, queries_run: 7 },
	...[{ percent: 34 }, { percentage: '34%' }, { completeness: 0.5 }, { completion_rate: 60 }],
	...['aborted', 'unsuccessful'].map((word) => ({
		...{ platforms_total: 4, platforms_completed: 3, [`platforms_${word}`]: 1 },
	})),
	...[
		[{ status: 'completed' }, { status: 'failed' }],
		{ assistant: 'completed', other: 'failed' },
	].map((platforms) => ({ platforms, platforms_completed: 1, platforms_total: 2 })),
];

/** It says nothing of the end, and nothing is found. */
export const CALM: object[] = [
	...[{ progress: 100 }, { progress: '100 %' }, { progress: { percent: 100 } }, { remaining: 0 }],
	...[{ progress: { completed: 4, total: 4 } }, { pending: [] }, { pending_platforms: [] }],
	...[{ progress: { current: 4, total: 4 } }, { progress: { value: 100 } }],
	...[{ progress: { pct: 100 } }, { progress: { assistant: 100, search: 100 } }],
	...[{ in_progress: false }, { finished: null }, { queued: { count: 0 } }],
	...[
		{ completed_at: '2026-01-02T03:04:05Z' },
		{ summary: 'The brand is running ahead of others.' },
	],
	...[{ message: 'Audit completed' }],
	...[{ stages: ['queued', 'running', 'completed'] }, { next_audit: { status: 'scheduled' } }],
	...[{ timings: { queued: 2, processing: 41 } }, { target_score: 80 }, { settings: { score: 5 } }],
	{ history: [{ status: 'queued' }, { status: 'running' }] },
	...[{ webhook: { url: 'x', status: 'pending' } }, { notification: { state: 'queued' } }],
	...[{ pdf: { status: 'generating', url: null } }, { locations: [{ state: 'running' }] }],
	...['action_plan', 'issues', 'quick_wins'].flatMap((name) => [
		{ [name]: [{ title: 'Add answers', status: 'pending' }] },
		{ [name]: [{ title: 'Add answers', done: false, completed: false, progress: 40 }] },
	]),
	{ competitors: [{ name: 'C', status: 'pending' }], usage: { remaining: 9, audits_remaining: 3 } },
	{ audits_remaining: 9, steps: [{ name: 'asking', ms: 40 }], topics: { top: 'running' } },
	{ platforms: { a: { mentioned: false } } },
	{ summary: 'Reviews will help. Please check back.' },
];

/** Nor do these counts of parts, in which those that failed are counted where they are listed. */
export const FULL_COUNTS: object[] = [
	{ platforms_completed: 4, platforms_total: 4 },
	...[{ failed: 2 }, { errors: 2 }, { error_count: 2 }, { timed_out_prompts: 2 }].map((failed) => ({
		...{ total_prompts: 40, completed_prompts: 38, ...failed },
	})),
	{ completed: 3, failed: 1, total: 4 },
	{ tasks: { completed: 18, total: 20, errors: 2 } },
	{ platforms: [{ status: 'completed' }, { name: 'b', status: 'failed' }] },
	{ platforms: { a: 'completed', b: 'skipped' }, completed: 1, total: 2 },
	...[{ failed: true }, { error: 'blocked' }, { state: 'skipped' }, { status: 'failed' }].map(
		(failed) => ({
			platforms: [
				{ completed: true },
				{ completed: false, completed_at: null, progress: 40, ...failed },
			],
		}),
	),
];

/** What was found, or a word for the end: it is finished. */
export const FOUND: object[] = [
	...[{ phase: 'completed' }, { stage: 'done' }],
	{ topics: { running: { score: 80 }, processing: 5 } },
	{ recommendations: [{ title: 'Write more', done: false, status: 'pending' }] },
	{ summary: 'Your brand is being recommended.' },
	{ summary: `Reviews will help: ${'the brand is known for its beans. '.repeat(6)}` },
	{ summary: { visibility: 'high', sentiment: 'Mostly positive' } },
	{
		results: { a: { status: 'completed', category: 'running', percent: 40 }, b: { final: false } },
	},
	result({ comments: '3 of 10 prompts mention Acme' }),
	result({ comments: 'Users say the best features are still to come' }),
	result({ information: 'Wikipedia: Acme released partial results in Q3' }),
	result({ notes: 'No negative mentions so far' }),
	...['1 of 4 platforms timed out', 'Results are incomplete: Gemini refused'].map((warning) => ({
		...{ ...result({}), warnings: [warning] },
	})),
	{ prompts_total: 40, prompts_answered: 38, prompts_failed: 2, score: 10 },
	{ score: 3, message: 'Processing completed' },
	{ platforms: { assistant: { mentioned: true }, other: { mentioned: false } } },
	{ total_platforms: 1, results: [{ platform: 'chatgpt', score: 2 }] },
	...[60, 0].map((score) => ({ results: [{ p: 'a', score, rank: null }] })),
];
