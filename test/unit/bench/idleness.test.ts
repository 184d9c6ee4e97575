import { atRest, untilIdle } from '../../bench/n8n/idleness.mts';

/** CPU time of one stretch after the other; the last one goes on. */
function stretches(...cpuMs: number[]) {
	let taken = 0;
	const take = async () => cpuMs[Math.min(taken++, cpuMs.length - 1)];
	return { take, taken: () => taken };
}

describe('what a process takes at rest', () => {
	it('is the smallest value measured', async () => {
		expect(await atRest(stretches(480, 500, 300, 120, 110, 120).take)).toBe(110);
	});

	it('is nothing in a process at rest', async () => {
		expect(await atRest(stretches(0).take)).toBe(0);
	});
});

describe('the wait for idleness', () => {
	it('ends with the first stretch in which little was done, and says when that began', async () => {
		const { take, taken } = stretches(400, 90, 10);
		expect(await untilIdle(take, 0, () => 1_000 + 500 * taken())).toBe(2_000);
		expect(taken()).toBe(3);
	});

	it('ends under a profiler, which is never idle', async () => {
		const { take, taken } = stretches(480, 130, 115);
		await untilIdle(take, 110);
		expect(taken()).toBe(3);
	});
});
