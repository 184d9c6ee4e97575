import { overshootOf, runSpending } from '../../models/spending';
import { isFullRun } from '../fullRun';

const SCHEDULES = isFullRun ? 200 : 20;
/** Single lookups alone, batches that fit between two looks, and larger ones. */
const MAX_OF_A_CALL = [1, 8, 60];
/** By how much a balance is late at most, in milliseconds. */
const LAGS = [100, 3_000, 10_000, 50_000];

describe(`three executions at once with one floor, in ${SCHEDULES} random schedules`, () => {
	const seeds = Array.from({ length: SCHEDULES }, (_, n) => n + 1);
	const shapeOf = (seed: number) => ({
		...{ seed, mostOfACall: MAX_OF_A_CALL[seed % 3] },
		hasOthers: seed % 2 === 0,
	});

	test('in one process never go below it by their own spending', async () => {
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

	test('with a late balance never go below it by more than others spend, and no wait goes on after Stop', async () => {
		const totals = { sent: 0, unsent: 0, reached: 0 };
		for (const seed of seeds) {
			const schedule = {
				...{ ...shapeOf(seed), isOneProcess: true },
				...{ mostLagMs: LAGS[seed % 4], isReported: seed % 3 === 0, isStopped: seed % 5 === 0 },
			};
			const run = await runSpending(schedule);
			const kept = {
				isKept: run.belowFloor <= run.othersSpent,
				...{ hanging: run.hanging, waitingAfterStop: run.waitingAfterStop },
			};
			expect({ schedule, ...run, ...kept }).toMatchObject({
				...{ isKept: true, hanging: 0, waitingAfterStop: 0 },
			});
			totals.sent += run.sent;
			totals.unsent += run.unsent;
			if (run.left <= 115) totals.reached += 1;
		}
		expect(totals.unsent).toBeGreaterThan(SCHEDULES);
		expect(totals.reached).toBeGreaterThan(SCHEDULES / 4);
	});

	test('in three processes go below it by no more than GUIDE says', async () => {
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
