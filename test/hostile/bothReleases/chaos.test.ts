/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import fc from 'fast-check';
import { runsOn } from '../fullRun';
import { chaosSandboxes } from '../../models/chaos/chaosSandboxes';
import { violationsOf } from '../../models/chaos/invariants';
import { runSchedule } from '../../models/chaos/runSchedule';
import { schedules } from '../../models/chaos/schedule';
import { release } from '../../harness/n8n';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../harness/time')>('../../harness/time').withoutWaiting(),
);

/** To run more, or others: `CHAOS_RUNS=5000 CHAOS_SEED=7 npx jest bothReleases/chaos`. `CHAOS_SHRINK=no` ends at the first failure. */
const {
	CHAOS_RUNS = runsOn(release, 300, 8),
	CHAOS_SEED = '4',
	CHAOS_PATH,
	CHAOS_SHRINK,
} = process.env;

describe(`chaos, n8n ${release}`, () => {
	const world = { batchNumbersPerSecond: 1, auditSeconds: 40 };
	const sandboxes = chaosSandboxes(world, { ...world, errorStatus: 'ok' });

	it('loses no item, pays for nothing twice and counts every credit, whatever fails', async () => {
		const run = fc.asyncProperty(schedules, async (schedule) => {
			const sandbox = sandboxes[schedule.errorStatus === 'ok' ? 1 : 0];
			const observed = await runSchedule(schedule, sandbox);
			expect(violationsOf(observed)).toEqual([]);
			expect(sandbox.looseNumbers()).toEqual([]);
		});
		const [numRuns, seed] = [Number(CHAOS_RUNS), Number(CHAOS_SEED)];
		await fc.assert(run, { numRuns, seed, path: CHAOS_PATH, endOnFailure: CHAOS_SHRINK === 'no' });
	}, 3_600_000);
});
