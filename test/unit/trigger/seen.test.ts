import {
	afterLook,
	fingerprint,
	fromNext,
	openRecallerOf,
	LOOKS_ABSENT,
	MOST_KEPT,
	readSeen,
	recallerOf,
	storedForm,
	withoutPassed,
	type Look,
	type Seen,
} from '../../../nodes/LookupMessagingTrigger/seen';

const nothing = readSeen({});
const jobs = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => `batch:${from + index}`);
const look = (present: string[], more: Partial<Look> = {}): Look => ({
	...{ present, emitted: [], passed: [] },
	...more,
});
const emitting = (emitted: string[], present = emitted) => look(present, { emitted });
/** As the next poll finds it: through n8n's database. */
const reloaded = (seen: Seen) =>
	readSeen(JSON.parse(JSON.stringify(storedForm(seen))) as Record<string, string>);
const after = (looks: Look[], seen = nothing) =>
	looks.reduce((so, next) => reloaded(afterLook(so, next)), seen);
const recalled = (seen: Seen, names: string[]) => names.filter(recallerOf(seen));
const sizeOf = (seen: Seen) => JSON.stringify(storedForm(seen)).length;

describe('what the trigger remembers', () => {
	it('recalls what was emitted and what was passed over, and nothing else', () => {
		const seen = after([look(jobs(0, 9), { emitted: jobs(0, 3), passed: jobs(3, 5) })]);

		expect(recalled(seen, jobs(0, 9))).toEqual(jobs(0, 5));
	});

	it('keeps nothing of a job but its fingerprint', () => {
		const text = JSON.stringify(storedForm(after([emitting(['batch:secret-id'])])));

		expect(text).not.toMatch(/secret/);
		expect(text).toContain(fingerprint('batch:secret-id'));
	});

	it('gives jobs of another kind, or with similar IDs, other fingerprints of the same length', () => {
		const names = [...jobs(0, 20_000), ...jobs(0, 20_000).map((name) => `audit${name}`), ''];
		const prints = names.map(fingerprint);

		expect(new Set(prints).size).toBe(names.length);
		expect(new Set(prints.map(({ length }) => length))).toEqual(new Set([11]));
	});

	it('keeps a job through any number of looks that show it, and marks it once', () => {
		const seen = after(Array<Look>(50).fill(emitting(['batch:1'])));

		expect(recalled(seen, ['batch:1'])).toEqual(['batch:1']);
		expect(seen.generations.flat()).toHaveLength(1);
	});

	it('keeps jobs that a listing does not show, for ever where there are few', () => {
		const seen = after([emitting(jobs(0, 100)), ...Array<Look>(500).fill(look([]))]);

		expect(recalled(seen, jobs(0, 100))).toEqual(jobs(0, 100));
	});

	it.each([0, 1, LOOKS_ABSENT - 1])(
		'forgets no job that was absent from %i looks in a row, however many there are',
		(looks) => {
			const absent = Array<Look>(looks).fill(look(jobs(50_000, 50_000 + MOST_KEPT)));
			const seen = after([
				emitting(jobs(0, 200)),
				emitting(jobs(50_000, 50_000 + MOST_KEPT)),
				...absent.slice(1),
			]);

			expect(recalled(seen, jobs(0, 200))).toHaveLength(200);
		},
	);

	it('counts only looks in a row: a job that comes back is as if it had never been away', () => {
		const others = jobs(50_000, 50_000 + MOST_KEPT);
		const away = Array<Look>(LOOKS_ABSENT - 2).fill(look(others));
		const seen = after([
			emitting(['batch:1']),
			emitting(others),
			...away,
			look(['batch:1', ...others]),
			...away,
		]);

		expect(recalled(seen, ['batch:1'])).toEqual(['batch:1']);
	});

	it('forgets those first that were absent for longest', () => {
		const present = jobs(50_000, 50_000 + MOST_KEPT - 10);
		const seen = after([
			emitting(jobs(0, 10)),
			emitting(jobs(10, 20)),
			emitting(present),
			...Array<Look>(LOOKS_ABSENT + 1).fill(look(present)),
		]);

		expect(recalled(seen, jobs(0, 20))).toEqual(jobs(10, 20));
	});

	it('stays within bounds while 10,000 jobs go through a listing of the newest 100', () => {
		let seen = nothing;
		const sizes: number[] = [];
		for (let newest = 100; newest <= 10_000; newest += 20) {
			const shown = jobs(newest - 100, newest);
			const recalls = recallerOf(seen);
			const fresh = shown.filter((name) => !recalls(name));
			seen = after([emitting(fresh, shown)], seen);
			sizes.push(sizeOf(seen));
		}

		// One more look, so that the last ones to go are gone
		expect(seen.generations.flat().length).toBeLessThanOrEqual(MOST_KEPT + 20 * LOOKS_ABSENT);
		expect(Math.max(...sizes)).toBeLessThan(65_000);
		expect(recalled(seen, jobs(0, 10_000)).slice(-100)).toEqual(jobs(9_900, 10_000));
	});

	it('can forget what was passed over, and keeps what was emitted', () => {
		const seen = withoutPassed(after([look([], { emitted: jobs(0, 2), passed: jobs(2, 4) })]));

		expect(recalled(seen, jobs(0, 4))).toEqual(jobs(0, 2));
	});

	it('keeps a job open until a look shows it and tells what it was', () => {
		const open = jobs(0, 3);
		const first = after([look(open, { open })]);
		expect(recalled(first, open)).toEqual([]);

		const unseen = after([look([])], first);
		const told = after([look(jobs(0, 2), { passed: jobs(0, 1) })], unseen);
		expect(open.filter(openRecallerOf(unseen))).toEqual(open);
		expect(open.filter(openRecallerOf(told))).toEqual(jobs(2, 3));
		expect(recalled(told, open)).toEqual(jobs(0, 1));
	});

	it.each([{ seen: 7 }, { seen: 'nonsense of an older version!', scope: {}, next: null }, {}])(
		'takes %j for nothing',
		(stored) => {
			expect(recalled(readSeen(stored), jobs(0, 5))).toEqual([]);
			expect(readSeen(stored)).toMatchObject({ scope: '', next: '' });
		},
	);
});

describe('the order of looking', () => {
	const [first, second, third] = jobs(0, 3);

	it('goes on where the last poll ended, and round to the beginning', () => {
		const seen = reloaded({ ...nothing, next: fingerprint(second) });

		expect(fromNext([first, second, third], String, seen)).toEqual([second, third, first]);
	});

	it('begins with the first job where the next one is gone, or none is', () => {
		for (const next of ['', fingerprint('batch:gone')]) {
			expect(fromNext([first, second], String, { ...nothing, next })).toEqual([first, second]);
		}
	});
});
