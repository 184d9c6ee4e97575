import type { ServiceRequest } from '../../../nodes/LookupMessaging/engine/client';
import type { Success } from '../../../nodes/LookupMessaging/engine/results';
import { Semaphore } from '../../../nodes/LookupMessaging/engine/gate';
import { compose, concurrency } from '../../../nodes/LookupMessaging/engine/network/layers';
import { endpoint, flush } from '../fakes/fakeSend';

const FREE = endpoint('/a');

/** Makes calls in the layer; what the network does with a call is said with it. */
function layerOf(limit: number) {
	const works = new Map<object, () => Promise<Success>>();
	const send = compose([concurrency(limit)], async (call) => await works.get(call)!());
	return async (work: () => Promise<unknown>, request: ServiceRequest = FREE.request) => {
		const call = { endpoint: FREE, request };
		works.set(call, () => work().then((value) => ({ value, body: {} })));
		return await send(call);
	};
}

/** Makes calls in the layer; each ends only when the test says so. */
async function start(count: number, limit: number) {
	const deliver = layerOf(limit);
	const started: number[] = [];
	const ended: number[] = [];
	const pending = new Map<number, { open: () => void; fail: (error: Error) => void }>();
	const run = async (entry: number) =>
		await deliver(async () => {
			started.push(entry);
			await new Promise<void>((open, fail) => pending.set(entry, { open, fail }));
			ended.push(entry);
			return `result ${entry}`;
		});
	const runs = Array.from({ length: count }, async (_, entry) => await run(entry));
	const end = async (entry: number) => {
		pending.get(entry)!.open();
		await flush();
	};
	const fail = async (entry: number) => {
		pending.get(entry)!.fail(new Error(`failure ${entry}`));
		await flush();
	};
	await flush();
	return { started, ended, runs, run, end, fail };
}

describe('the concurrency layer', () => {
	test('makes as many calls as it has permits, the next when one ends, in order of arrival', async () => {
		const { started, ended, runs, end } = await start(6, 3);
		expect(started).toEqual([0, 1, 2]);
		await end(1);
		expect(started).toEqual([0, 1, 2, 3]);
		await end(3);
		await end(0);
		expect(started).toEqual([0, 1, 2, 3, 4, 5]);
		for (const entry of [5, 2, 4]) await end(entry);
		await Promise.all(runs);
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
	])('makes each of %d calls once, at most %d at a time', async (count, limit) => {
		const deliver = layerOf(limit);
		const entries = Array.from({ length: count }, (_, entry) => entry);
		const runs: number[] = [];
		let now = 0;
		let peak = 0;
		const results = await Promise.all(
			entries.map(
				async (entry) =>
					await deliver(async () => {
						peak = Math.max(peak, (now += 1));
						runs.push(entry);
						for (let rounds = 1 + (entry % 3); rounds > 0; rounds--) await flush();
						now -= 1;
						return entry * 2;
					}),
			),
		);
		expect(runs).toEqual(entries);
		expect(results).toEqual(entries.map((entry) => ({ value: entry * 2, body: {} })));
		expect(peak).toBe(Math.min(count, limit));
	});

	test('returns each caller its own result, or its own rejection', async () => {
		const { runs, end, fail } = await start(3, 3);
		const outcomes = Promise.allSettled(runs);
		await end(2);
		await fail(1);
		await end(0);
		expect(await outcomes).toEqual([
			{ status: 'fulfilled', value: { value: 'result 0', body: {} } },
			{ status: 'rejected', reason: new Error('failure 1') },
			{ status: 'fulfilled', value: { value: 'result 2', body: {} } },
		]);
	});

	test('passes the permit of a rejected call to the next in line', async () => {
		const { started, runs, fail, end } = await start(3, 1);
		const outcomes = Promise.allSettled(runs);
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

	test('frees the permit of a call that throws before it awaits anything', async () => {
		const deliver = layerOf(1);
		const broken = (): Promise<never> => {
			throw new Error('at once');
		};
		await expect(deliver(broken)).rejects.toThrow('at once');
		await expect(deliver(async () => await Promise.resolve(1))).resolves.toMatchObject({
			value: 1,
		});
	});

	test('lets no call overtake that came while others waited', async () => {
		const { started, run, end } = await start(2, 1);
		await end(0);
		void run(7);
		void run(8);
		await flush();
		expect(started).toEqual([0, 1]);
		await end(1);
		await end(7);
		expect(started).toEqual([0, 1, 7, 8]);
		await end(8);
	});

	test('keeps its limit after it was empty', async () => {
		const { started, run, end } = await start(2, 2);
		await end(0);
		await end(1);
		for (const entry of [2, 3, 4]) void run(entry);
		await flush();
		expect(started).toEqual([0, 1, 2, 3]);
		await end(2);
		expect(started).toEqual([0, 1, 2, 3, 4]);
		await end(3);
		await end(4);
	});

	const source = { item: 0, property: 'd', fileName: 'a', mimeType: 'text/plain', bytes: 1 };
	const form = { fields: {}, file: { field: 'media', source } };

	test.each([
		[1, 1, 1],
		[3, 3, 3],
		[100, 20, 4],
	])('starts %i calls at once: %i of 20, and %i uploads', async (most, calls, uploads) => {
		for (const [request, peak] of [
			[FREE.request, calls],
			[{ ...FREE.request, form }, uploads],
		] as const) {
			const deliver = layerOf(most);
			let [inFlight, highest] = [0, 0];
			const work = async () => {
				highest = Math.max(highest, (inFlight += 1));
				await flush();
				inFlight -= 1;
			};
			await Promise.all(Array.from({ length: 20 }, async () => await deliver(work, request)));
			expect(highest).toBe(peak);
		}
	});
});

describe('a semaphore', () => {
	test('passes its permits in the order of the requests, each when one is free', async () => {
		const semaphore = new Semaphore(2);
		const taken: number[] = [];
		const acquire = (entry: number) => void semaphore.acquire().then(() => taken.push(entry));
		for (const entry of [0, 1, 2, 3]) acquire(entry);
		await flush();
		expect(taken).toEqual([0, 1]);
		semaphore.release();
		acquire(4);
		await flush();
		expect(taken).toEqual([0, 1, 2]);
		for (let n = 0; n < 4; n += 1) semaphore.release();
		await flush();
		expect(taken).toEqual([0, 1, 2, 3, 4]);
		for (const entry of [5, 6, 7]) acquire(entry);
		await flush();
		expect(taken).toEqual([0, 1, 2, 3, 4, 5, 6]);
	});
});
