import fc from 'fast-check';
import { runsOn } from '../fullRun';
import { startSandbox, type Sandbox } from '../../sandbox';
import { toolSchedules, toolViolations } from '../../models/chaos/toolSchedule';
import { release } from '../../harness/n8n';
import { resetTime, withoutTimeouts } from '../../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../harness/time')>('../../harness/time').withoutWaiting(),
);

const numRuns = runsOn(release, 200, 40);

describe(`chaos of tools, n8n ${release}`, () => {
	let sandbox: Sandbox;
	let restore = () => {};
	beforeAll(async () => {
		resetTime();
		restore = withoutTimeouts();
		sandbox = await startSandbox({ auditSeconds: 40 });
	});
	afterAll(async () => {
		restore();
		await sandbox.close();
	});

	it('repeats nothing without a call ID unless it returned a success, and reports the rest', async () => {
		const run = fc.asyncProperty(toolSchedules, async (schedule) => {
			expect(await toolViolations(schedule, sandbox)).toEqual([]);
		});
		await fc.assert(run, { numRuns, seed: 4 });
	}, 3_600_000);
});
