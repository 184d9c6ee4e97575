/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { Turnstile } from '../../../nodes/LookupMessaging/engine/pool';

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

/** Sends entries through a turnstile; their work ends only when the test says so. */
function start(count: number, limit: number) {
	const turnstile = new Turnstile(limit);
	const started: number[] = [];
	const ended: number[] = [];
	const gates = new Map<number, { open: () => void; fail: (error: Error) => void }>();
	const enter = async (entry: number) =>
		await turnstile.pass(async () => {
			started.push(entry);
			await new Promise<void>((open, fail) => gates.set(entry, { open, fail }));
			ended.push(entry);
			return `result ${entry}`;
		});
	const passes = Array.from({ length: count }, async (_, entry) => await enter(entry));
	const end = async (entry: number) => {
		gates.get(entry)!.open();
		await turn();
	};
	const fail = async (entry: number) => {
		gates.get(entry)!.fail(new Error(`failure ${entry}`));
		await turn();
	};
	return { started, ended, passes, enter, end, fail };
}

describe('the turnstile', () => {
	test('lets in as many as the limit allows, the next when one ends, in order of arrival', async () => {
		const { started, ended, passes, end } = start(6, 3);
		expect(started).toEqual([0, 1, 2]);
		await end(1);
		expect(started).toEqual([0, 1, 2, 3]);
		await end(3);
		await end(0);
		expect(started).toEqual([0, 1, 2, 3, 4, 5]);
		for (const entry of [5, 2, 4]) await end(entry);
		await Promise.all(passes);
		expect(ended).toEqual([1, 3, 0, 5, 2, 4]);
	});

	test.each([
		[0, 5],
		[1, 1],
		[7, 1],
		[7, 7],
		[7, 500],
		[7, Infinity],
		[1000, 20],
	])('runs each of %d works once, at most %d at a time', async (count, limit) => {
		const turnstile = new Turnstile(limit);
		const entries = Array.from({ length: count }, (_, entry) => entry);
		const runs: number[] = [];
		let now = 0;
		let peak = 0;
		const results = await Promise.all(
			entries.map(
				async (entry) =>
					await turnstile.pass(async () => {
						peak = Math.max(peak, (now += 1));
						runs.push(entry);
						for (let turns = 1 + (entry % 3); turns > 0; turns--) await turn();
						now -= 1;
						return entry * 2;
					}),
			),
		);
		expect(runs).toEqual(entries);
		expect(results).toEqual(entries.map((entry) => entry * 2));
		expect(peak).toBe(Math.min(count, limit));
	});

	test('hands each its own result, or its own rejection', async () => {
		const { passes, end, fail } = start(3, 3);
		const outcomes = Promise.allSettled(passes);
		await end(2);
		await fail(1);
		await end(0);
		expect(await outcomes).toEqual([
			{ status: 'fulfilled', value: 'result 0' },
			{ status: 'rejected', reason: new Error('failure 1') },
			{ status: 'fulfilled', value: 'result 2' },
		]);
	});

	test('gives the place of a rejected work to the next in line', async () => {
		const { started, passes, fail, end } = start(3, 1);
		const outcomes = Promise.allSettled(passes);
		await fail(0);
		expect(started).toEqual([0, 1]);
		await fail(1);
		expect(started).toEqual([0, 1, 2]);
		await end(2);
		expect((await outcomes).map(({ status }) => status)).toEqual([
			'rejected',
			'rejected',
			'fulfilled',
		]);
	});

	test('frees the place of work that throws before it awaits anything', async () => {
		const turnstile = new Turnstile(1);
		const broken = (): Promise<never> => {
			throw new Error('at once');
		};
		await expect(turnstile.pass(broken)).rejects.toThrow('at once');
		await expect(turnstile.pass(async () => await Promise.resolve(1))).resolves.toBe(1);
	});

	test('lets nobody overtake who came while others were waiting', async () => {
		const { started, enter, end } = start(2, 1);
		await end(0);
		void enter(7);
		void enter(8);
		expect(started).toEqual([0, 1]);
		await end(1);
		await end(7);
		expect(started).toEqual([0, 1, 7, 8]);
		await end(8);
	});

	test('holds its bound again after it was empty', async () => {
		const { started, enter, end } = start(2, 2);
		await end(0);
		await end(1);
		for (const entry of [2, 3, 4]) void enter(entry);
		await turn();
		expect(started).toEqual([0, 1, 2, 3]);
		await end(2);
		expect(started).toEqual([0, 1, 2, 3, 4]);
		await end(3);
		await end(4);
	});
});
