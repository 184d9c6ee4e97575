import type { IDataObject } from 'n8n-workflow';
import { Watcher } from '../../models/listings/watchedJobs';

/** A job of a listing over some polls. The first one activates the trigger. */
interface Course {
	kind: 'audit' | 'batch';
	/** Its listed status at each poll, null for none; undefined where it isn't listed. The last one stays. */
	words: Array<string | null | undefined>;
	/** What a check answers at each poll: a body, or an HTTP status. The last one stays. */
	answers: Array<IDataObject | number>;
	polls: number;
	includesFinished?: boolean;
	includesFailed?: boolean;

	/** The polls that emit it, how many checks are made, and how many polls fail. */
	emittedAt: number[];
	checks: number;
	failed?: number;
	item?: object;
	/** What the last warning says; unless set, no poll warns. */
	warning?: RegExp[];
}

const [RUNNING, DONE, FAILED] = ['processing', 'completed', 'failed'].map((status) => ({ status }));
const AUDITED = { ...DONE, overall_score: 7 };
const ENDS = { words: ['processing', 'completed'], polls: 10 };
const [audit, batch] = [
	{ kind: 'audit', ...ENDS },
	{ kind: 'batch', ...ENDS },
] as const;
const FAILS = { ...audit, words: ['processing', 'failed'], answers: [FAILED] };
const NOT_FOUND = {
	...{ ...batch, words: ['completed'], includesFinished: true, includesFailed: true },
	...{ emittedAt: [5], checks: 6 },
};
const RARELY = {
	...{ ...audit, polls: 43, emittedAt: [33], checks: 9 },
	warning: [
		/The trigger checks the audit job less and less often\. Get returns it as soon/,
		/^(?!.*next poll tries again)/,
	],
};
/** One answer to the first polls, and another to the later ones. */
const first = (polls: number, answer: IDataObject | number, later: IDataObject) => [
	...Array<IDataObject | number>(polls).fill(answer),
	later,
];

const COURSES: Record<string, Course> = {
	'an audit once, at its first check': { ...audit, answers: [AUDITED], emittedAt: [1], checks: 1 },
	'an audit that is finished without results, when they come': {
		...{ ...audit, answers: first(2, DONE, AUDITED), emittedAt: [2], checks: 2 },
		item: { score: 7 },
	},
	'an audit that is finished without results, at its second check without any': {
		...{ ...audit, answers: [{ ...DONE, worker: 'w3' }], emittedAt: [2], checks: 2 },
	},
	'an audit as it is at its sixth check, with an unknown status': {
		...{ ...audit, answers: [{ status: 'published' }], emittedAt: [6], checks: 6 },
		item: { outcome: 'unknown', reason: expect.stringMatching(/"published"/) },
		warning: [/The audit job is listed as finished/, /"published"/, /Finished When/],
	},
	'an audit that is not found, and is checked less and less often': {
		...{ ...RARELY, answers: first(33, 404, AUDITED) },
	},
	'an audit whose checks fail, and are made less and less often': {
		...{ ...RARELY, answers: first(33, 500, AUDITED), failed: 5 },
	},
	'no audit that was finished at first, without a listed status': {
		...{ ...audit, words: [null], answers: [AUDITED], emittedAt: [], checks: 1 },
	},
	'an audit without a listed status, by its own, which is asked for less and less often': {
		...{ ...audit, words: [null], answers: first(20, RUNNING, AUDITED), polls: 43 },
		...{ emittedAt: [32], checks: 9 },
	},
	'no audit whose listed status is unknown, and warns of that': {
		...{ ...audit, words: ['archived'], answers: [AUDITED], emittedAt: [], checks: 0 },
		warning: [/unknown status \("archived"\).*add it to Finished When/],
	},
	'no failed audit, and does not check it': { ...FAILS, emittedAt: [], checks: 0 },
	'a failed audit once with Include Failed Jobs': {
		...{ ...FAILS, includesFailed: true, emittedAt: [1], checks: 1, item: { outcome: 'negative' } },
	},
	'a batch that is listed as failed for a while, when it is finished': {
		...{ ...batch, words: ['processing', 'error', 'completed'], answers: [DONE] },
		...{ emittedAt: [2], checks: 1 },
	},
	'a batch whose listed status is unknown, by its own': {
		...{ ...batch, words: ['all checked'], answers: first(2, RUNNING, DONE) },
		...{ emittedAt: [2], checks: 3 },
	},
	'no batch that was finished at first, with an unknown status': {
		...{ ...batch, words: ['all checked'], answers: [DONE], emittedAt: [], checks: 1 },
	},
	'a batch whose checks fail, when one succeeds': {
		...{ ...batch, answers: first(4, 500, DONE), emittedAt: [4], checks: 4, failed: 3 },
	},
	'a batch that is listed as finished and found at its sixth check': {
		...{ ...NOT_FOUND, answers: first(5, 404, DONE), item: { outcome: 'positive' } },
	},
	'a batch that is listed as finished and not found at six checks': {
		...{ ...NOT_FOUND, answers: [404], item: { outcome: 'unknown' } },
	},
	'no batch that has left the listing and is not found at six checks': {
		...{ ...batch, words: ['processing', undefined], answers: [404], emittedAt: [], checks: 6 },
		warning: [
			/1 of 1 jobs couldn't be checked\. .*batch not found/,
			/The batch job has left the listing and isn't found, so the trigger no longer checks it\.$/,
			/^(?!.*next poll tries again)/,
		],
	},
	'a batch once that the listing lacks now and then': {
		...{ ...batch, answers: [DONE], includesFinished: true, polls: 50 },
		words: ['completed', ...Array<undefined>(3), 'completed', ...Array<undefined>(30), 'completed'],
		...{ emittedAt: [0], checks: 1 },
	},
};

test.each(Object.entries(COURSES))('the trigger emits %s', async (_, course) => {
	let poll = 0;
	const at = <Value>(values: Value[]) => values[Math.min(poll, values.length - 1)];
	const list = () => {
		const status = at(course.words);
		return status === undefined ? [] : [{ id: 'job', ...(status !== null && { status }) }];
	};
	const { kind, includesFinished = false, includesFailed } = course;
	const service = { list, answer: () => at(course.answers) };
	const watcher = new Watcher(kind, service, includesFinished, includesFailed);
	const emittedAt: number[] = [];
	let failed = 0;
	for (; poll < course.polls; poll += 1) {
		const before = watcher.emitted.length;
		if (!(await watcher.poll())) failed += 1;
		emittedAt.push(...watcher.emitted.slice(before).map(() => poll));
	}
	expect([emittedAt, watcher.checks.length, failed]).toEqual([
		...[course.emittedAt, course.checks, course.failed ?? 0],
	]);
	if (course.item) expect(watcher.emitted).toMatchObject([course.item]);
	if (!course.warning) expect(watcher.warnings).toEqual([]);
	for (const words of course.warning ?? []) expect(watcher.warnings.at(-1)).toMatch(words);
});
