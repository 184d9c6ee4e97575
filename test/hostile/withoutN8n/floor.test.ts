import { overshootOf, runSpending } from '../../models/spending';
import { isFullRun } from '../fullRun';

const SCHEDULES = isFullRun ? 500 : 60;
/** Single lookups alone, batches that fit between two looks, and larger ones. */
const MOST_OF_A_CALL = [1, 8, 60];

describe(`three executions at once with one floor, in ${SCHEDULES} random schedules`, () => {
	const seeds = Array.from({ length: SCHEDULES }, (_, n) => n + 1);
	const shapeOf = (seed: number) => ({
		...{ seed, mostOfACall: MOST_OF_A_CALL[seed % 3] },
		hasOthers: seed % 2 === 0,
	});

	test('in one process never go below it by what they spend', async () => {
		const totals = { sent: 0, unsent: 0, looks: 0, reached: 0 };
		for (const seed of seeds) {
			const schedule = { ...shapeOf(seed), isOneProcess: true };
			const run = await runSpending(schedule);
			expect({ schedule, ...run }).toMatchObject({ schedule, belowFloor: 0, hanging: 0 });
			totals.sent += run.sent;
			totals.unsent += run.unsent;
			totals.looks += run.looks;
			if (run.left <= 110) totals.reached += 1;
		}
		// The floor mattered, and the looks were cheap
		expect(totals.unsent).toBeGreaterThan(2 * SCHEDULES);
		expect(totals.reached).toBeGreaterThan(SCHEDULES / 4);
		expect(totals.looks).toBeLessThan(totals.sent / 2);
	});

	test('in three processes go below it by no more than GUIDE states', async () => {
		let worst = 0;
		for (const seed of seeds) {
			const schedule = { ...shapeOf(seed), isOneProcess: false };
			const run = await runSpending(schedule);
			const stated = overshootOf(3, schedule.mostOfACall);
			expect({ schedule, isKept: run.belowFloor <= stated, hanging: run.hanging }).toEqual({
				...{ schedule, isKept: true, hanging: 0 },
			});
			worst = Math.max(worst, run.belowFloor);
		}
		expect(worst).toBeGreaterThan(0);
	});
});
