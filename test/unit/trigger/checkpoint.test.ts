import {
	afterObservation,
	fingerprint,
	startingAtNext,
	openTest,
	MIN_ABSENCES,
	MAX_KEPT,
	readCheckpoint,
	knownTest,
	storedForm,
	waitedPolls,
	withoutPassed,
	withWaits,
	type Observation,
	type Checkpoint,
} from '../../../nodes/LookupMessagingTrigger/checkpoint';

const nothing = readCheckpoint({});
const jobs = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => `batch:${from + index}`);
const poll = (present: string[], more: Partial<Observation> = {}): Observation => ({
	...{ present, emitted: [], passed: [] },
	...more,
});
const emitting = (emitted: string[], present = emitted) => poll(present, { emitted });
/** As the next poll finds it: through n8n's database. */
const reloaded = (seen: Checkpoint) =>
	readCheckpoint(JSON.parse(JSON.stringify(storedForm(seen))) as Record<string, string>);
const after = (observations: Observation[], seen = nothing) =>
	observations.reduce((so, next) => reloaded(afterObservation(so, next)), seen);
const knownOf = (seen: Checkpoint, names: string[]) => names.filter(knownTest(seen));
const sizeOf = (seen: Checkpoint) => JSON.stringify(storedForm(seen)).length;

describe('what the trigger remembers', () => {
	it('is what was emitted and what was skipped, and nothing else', () => {
		const seen = after([poll(jobs(0, 9), { emitted: jobs(0, 3), passed: jobs(3, 5) })]);
		expect(knownOf(seen, jobs(0, 9))).toEqual(jobs(0, 5));
	});

	it('is only the fingerprint of a job', () => {
		const text = JSON.stringify(storedForm(after([emitting(['batch:secret-id'])])));
		expect(text).not.toMatch(/secret/);
		expect(text).toContain(fingerprint('batch:secret-id'));
	});

	it('has other fingerprints of the same length for jobs of another kind, or with similar IDs', () => {
		const names = [...jobs(0, 20_000), ...jobs(0, 20_000).map((name) => `audit${name}`), ''];
		const prints = names.map(fingerprint);
		expect(new Set(prints).size).toBe(names.length);
		expect(new Set(prints.map(({ length }) => length))).toEqual(new Set([11]));
	});

	it('includes a job through any number of polls that show it, and marks it once', () => {
		const seen = after(Array<Observation>(50).fill(emitting(['batch:1'])));
		expect(knownOf(seen, ['batch:1'])).toEqual(['batch:1']);
		expect(seen.generations.flat()).toHaveLength(1);
	});

	it.each([0, 1, MIN_ABSENCES - 1])(
		'includes a job that was absent from %i polls in a row, with any number of jobs',
		(polls) => {
			const absent = Array<Observation>(polls).fill(poll(jobs(50_000, 50_000 + MAX_KEPT)));
			const seen = after([
				emitting(jobs(0, 200)),
				emitting(jobs(50_000, 50_000 + MAX_KEPT)),
				...absent.slice(1),
			]);
			expect(knownOf(seen, jobs(0, 200))).toHaveLength(200);
		},
	);

	it('counts absences in a row only: a job that comes back counts as never absent', () => {
		const others = jobs(50_000, 50_000 + MAX_KEPT);
		const away = Array<Observation>(MIN_ABSENCES - 2).fill(poll(others));
		const back = poll(['batch:1', ...others]);
		const seen = after([emitting(['batch:1']), emitting(others), ...away, back, ...away]);
		expect(knownOf(seen, ['batch:1'])).toEqual(['batch:1']);
	});

	it('drops first the jobs that were absent for longest', () => {
		const present = jobs(50_000, 50_000 + MAX_KEPT - 10);
		const seen = after([
			emitting(jobs(0, 10)),
			emitting(jobs(10, 20)),
			emitting(present),
			...Array<Observation>(MIN_ABSENCES + 1).fill(poll(present)),
			emitting(jobs(20, 30), present),
		]);
		expect(knownOf(seen, jobs(0, 30))).toEqual(jobs(10, 30));
	});

	it.each([0, 1, MAX_KEPT - 300])(
		'includes all jobs after any number of polls that show %i of them and no new one',
		(shown) => {
			const all = jobs(0, MAX_KEPT + 300);
			const short = Array<Observation>(MIN_ABSENCES + 2).fill(poll(all.slice(0, shown)));
			expect(knownOf(after([emitting(all), ...short]), all)).toHaveLength(all.length);
		},
	);

	it('includes for how many polls a job has waited', () => {
		const names = jobs(0, 3);
		const waits = [3, 1_000, 0];
		const seen = reloaded(
			withWaits(
				nothing,
				names.map((name, index) => [name, waits[index]]),
			),
		);
		expect(names.map(waitedPolls(seen))).toEqual(waits);
		expect(seen.waits.size).toBe(2);
	});

	it('stays within bounds while 7,000 jobs go through a listing of the newest 100', () => {
		let seen = nothing;
		const sizes: number[] = [];
		for (let newest = 100; newest <= 7_000; newest += 50) {
			const shown = jobs(newest - 100, newest);
			const isKnown = knownTest(seen);
			const fresh = shown.filter((name) => !isKnown(name));
			seen = after([emitting(fresh, shown)], seen);
			sizes.push(sizeOf(seen));
		}

		// The last ones that were absent for long enough go with the next poll
		expect(seen.generations.flat().length).toBeLessThanOrEqual(MAX_KEPT + 50 * MIN_ABSENCES);
		expect(Math.max(...sizes)).toBeLessThan(65_000);
		expect(knownOf(seen, jobs(0, 7_000)).slice(-100)).toEqual(jobs(6_900, 7_000));
	});

	it('can drop what was skipped and keep what was emitted', () => {
		const seen = withoutPassed(after([poll([], { emitted: jobs(0, 2), passed: jobs(2, 4) })]));
		expect(knownOf(seen, jobs(0, 4))).toEqual(jobs(0, 2));
	});

	it('has a job open until a poll shows it and reads its state', () => {
		const open = jobs(0, 3);
		const first = after([poll(open, { open })]);
		expect(knownOf(first, open)).toEqual([]);
		const unseen = after([poll([])], first);
		const learned = after([poll(jobs(0, 2), { passed: jobs(0, 1) })], unseen);
		expect(open.filter(openTest(unseen))).toEqual(open);
		expect(open.filter(openTest(learned))).toEqual(jobs(2, 3));
		expect(knownOf(learned, open)).toEqual(jobs(0, 1));
	});

	it.each([
		{ seen: 7 },
		{ seen: 'nonsense of an older version!', scope: {}, next: null, waits: 'x:y' },
		{},
	])('is empty if it was stored as %j', (stored) => {
		expect(knownOf(readCheckpoint(stored), jobs(0, 5))).toEqual([]);
		expect(readCheckpoint(stored)).toMatchObject({ scope: '', next: '', waits: new Map() });
	});
});

describe('the order of the checks', () => {
	const all = jobs(0, 3);
	it.each([
		['continues where the last poll ended, and wraps around', all[1], [all[1], all[2], all[0]]],
		['begins with the first job if the next one is gone', 'batch:gone', all],
		['begins with the first job if no next one is known', undefined, all],
	])('%s', (_, job, order) => {
		const next = job === undefined ? '' : fingerprint(job);
		expect(startingAtNext(all, String, reloaded({ ...nothing, next }))).toEqual(order);
	});
});
