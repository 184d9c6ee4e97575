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

	/** The polls that emit it, and how many checks are made. */
	emittedAt: number[];
	checks: number;
	item?: object;
	/** What the last warning says; unless set, no poll warns. */
	warning?: RegExp[];
}

const [RUNNING, DONE, FAILED] = ['processing', 'completed', 'failed'].map((status) => ({ status }));
const AUDITED = { ...DONE, overall_score: 7 };
const audit = { kind: 'audit' as const, words: ['processing', 'completed'], polls: 10 };
const batch = { ...audit, kind: 'batch' as const };
/** One answer to the first polls, and another to the later ones. */
const first = (polls: number, answer: IDataObject | number, later: IDataObject) => [
	...Array<IDataObject | number>(polls).fill(answer),
	later,
];

/** What a run on n8n doesn't show: how often a job is asked for that gives no result, since each check of an audit may cost. */
const COURSES: Record<string, Course> = {
	'an audit that is finished without results, at its second check without any': {
		...{ ...audit, answers: [{ ...DONE, worker: 'w3' }], emittedAt: [2], checks: 2 },
	},
	'an audit as it is at its sixth check, with an unknown status': {
		...{ ...audit, answers: [{ status: 'published' }], emittedAt: [6], checks: 6 },
		item: { outcome: 'unknown', reason: expect.stringMatching(/"published"/) },
		warning: [/The audit job is listed as finished/, /"published"/, /Finished When/],
	},
	'an audit that is not found, and is checked less and less often': {
		...{ ...audit, answers: first(33, 404, AUDITED), polls: 43, emittedAt: [33], checks: 9 },
		warning: [
			/The trigger checks the audit job less and less often\. Get returns it as soon/,
			/^(?!.*next poll tries again)/,
		],
	},
	'an audit without a listed status, by its own, which is asked for less and less often': {
		...{ ...audit, words: [null], answers: first(20, RUNNING, AUDITED), polls: 43 },
		...{ emittedAt: [32], checks: 9 },
	},
	'no audit whose listed status is unknown, and warns of that': {
		...{ ...audit, words: ['archived'], answers: [AUDITED], emittedAt: [], checks: 0 },
		warning: [/unknown status \("archived"\).*add it to Finished When/],
	},
	'no failed audit, and does not check it': {
		...{ ...audit, words: ['processing', 'failed'], answers: [FAILED], emittedAt: [], checks: 0 },
	},
	'a batch that is listed as finished and not found at six checks': {
		...{ ...batch, words: ['completed'], includesFinished: true, includesFailed: true },
		...{ answers: [404], emittedAt: [5], checks: 6, item: { outcome: 'unknown' } },
	},
	'no batch that has left the listing and is not found at six checks': {
		...{ ...batch, words: ['processing', undefined], answers: [404], emittedAt: [], checks: 6 },
		warning: [
			/1 of 1 jobs couldn't be checked\. .*batch not found/,
			/The batch job has left the listing and isn't found, so the trigger no longer checks it\.$/,
			/^(?!.*next poll tries again)/,
		],
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
	for (; poll < course.polls; poll += 1) {
		const before = watcher.emitted.length;
		expect(await watcher.poll()).toBeTruthy();
		emittedAt.push(...watcher.emitted.slice(before).map(() => poll));
	}
	expect([emittedAt, watcher.checks.length]).toEqual([course.emittedAt, course.checks]);
	if (course.item) expect(watcher.emitted).toMatchObject([course.item]);
	if (!course.warning) expect(watcher.warnings).toEqual([]);
	for (const words of course.warning ?? []) expect(watcher.warnings.at(-1)).toMatch(words);
});
