import fc from 'fast-check';
import { reportCounts, isFullRun } from '../fullRun';
import { startSandbox, type Sandbox } from '../../sandbox';
import { deedLoops, loopViolations } from '../../models/chaos/deedLoop';
import { release } from '../../harness/n8n';
import { resetTime, withoutTimeouts } from '../../harness/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../harness/time')>('../../harness/time').withoutWaiting(),
);

const numRuns = isFullRun ? 1_000 : 40;

describe(`loops of deeds, n8n ${release}`, () => {
	let sandboxes: Sandbox[];
	let restore = () => {};
	beforeAll(async () => {
		resetTime();
		restore = withoutTimeouts();
		// One wait is too short for an audit, two are enough
		const speed = { batchNumbersPerSecond: 1, auditSeconds: 90 };
		sandboxes = [
			await startSandbox(speed),
			await startSandbox({ ...speed, toolServer: { sessions: true } }),
		];
	});
	afterAll(async () => {
		restore();
		await Promise.all(sandboxes.map(async (each) => await each.close()));
	});

	it('repeat nothing that may have been done, and leave out nothing that was not', async () => {
		const counts = { schedules: 0, calls: 0, violations: 0 };
		const run = fc.asyncProperty(deedLoops, async (loop) => {
			const sandbox = sandboxes[loop.hasSessions ? 1 : 0];
			const violations = await loopViolations(loop, sandbox);
			counts.schedules += 1;
			counts.calls += sandbox.log.length;
			counts.violations += violations.length;
			expect(violations).toEqual([]);
		});
		await fc.assert(run, { numRuns, seed: 4 });
		reportCounts({ part: 'Loops of deeds', release, counts });
	}, 3_600_000);
});
