/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import fc from 'fast-check';
import { runsOn } from '../fullRun';
import { chaosSandboxes } from '../../models/chaos/chaosSandboxes';
import { runTriggerSchedule } from '../../models/chaos/runTriggerSchedule';
import { triggerViolations } from '../../models/chaos/triggerInvariants';
import { triggerSchedules } from '../../models/chaos/triggerSchedule';
import { release } from '../../harness/n8n';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../harness/time')>('../../harness/time').withoutWaiting(),
);

/** The same variables as in chaos.test.ts. */
const { CHAOS_RUNS = runsOn(release, 100, 40), CHAOS_SEED = '4', CHAOS_SHRINK } = process.env;

describe(`chaos around the trigger, n8n ${release}`, () => {
	const sandboxes = chaosSandboxes({ batchNumbersPerSecond: 0, auditSeconds: 1e9 });

	it('emits every job once, complete and free of charge, whatever fails', async () => {
		const run = fc.asyncProperty(triggerSchedules, async (schedule) => {
			const observed = await runTriggerSchedule(schedule, sandboxes[0]);
			expect(triggerViolations(observed)).toEqual([]);
		});
		const [numRuns, seed] = [Number(CHAOS_RUNS), Number(CHAOS_SEED)];
		await fc.assert(run, { numRuns, seed, endOnFailure: CHAOS_SHRINK === 'no' });
	}, 3_600_000);
});
