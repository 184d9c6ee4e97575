import fc from 'fast-check';
import { runsOn } from '../fullRun';
import { chaosSandboxes } from '../../models/chaos/chaosSandboxes';
import { toolSchedules, toolViolations } from '../../models/chaos/toolSchedule';
import { release } from '../../harness/n8n';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../harness/time')>('../../harness/time').withoutWaiting(),
);

const numRuns = runsOn(release, 200, 40);

describe(`chaos of tools, n8n ${release}`, () => {
	const sandboxes = chaosSandboxes({ auditSeconds: 40 });

	it('repeats nothing without a call ID unless it returned a success, and reports the rest', async () => {
		const run = fc.asyncProperty(toolSchedules, async (schedule) => {
			expect(await toolViolations(schedule, sandboxes[0])).toEqual([]);
		});
		await fc.assert(run, { numRuns, seed: 4 });
	}, 3_600_000);
});
