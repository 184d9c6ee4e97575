import fc from 'fast-check';
import { runsOn } from '../fullRun';
import { chaosSandboxes } from '../../models/chaos/chaosSandboxes';
import {
	sideEffectLoops,
	loopViolations,
	type SideEffectLoop,
} from '../../models/chaos/sideEffectLoop';
import { release } from '../../harness/n8n';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../harness/time')>('../../harness/time').withoutWaiting(),
);

const numRuns = runsOn(release, 200, 12);

/** What a sample of the random ones may leave out. */
const ALWAYS = (
	[
		['sendMessage', 'redirect302'],
		['sendFile', 'redirect307'],
		['callTool', 'sessionExpired'],
		['callTool', 'sessionNotFound'],
	] as const
).map(([operation, kind]): [SideEffectLoop] => [
	{
		...{ operation, items: [0, 1, 0], faults: [{ kind, about: 0, skip: 0, times: 1 }] },
		...{ rounds: 2, tries: 2, atOnce: 2, hasSessions: true },
	},
]);

describe(`loops of side effects, n8n ${release}`, () => {
	// One wait is too short for an audit, two are enough
	const speed = { batchNumbersPerSecond: 1, auditSeconds: 90 };
	const sandboxes = chaosSandboxes(speed, { ...speed, toolServer: { sessions: true } });

	it('repeat nothing that may have been done, and leave out nothing that was not done', async () => {
		const run = fc.asyncProperty(sideEffectLoops, async (loop) => {
			const sandbox = sandboxes[loop.hasSessions ? 1 : 0];
			expect(await loopViolations(loop, sandbox)).toEqual([]);
		});
		await fc.assert(run, { numRuns, seed: 4, examples: ALWAYS });
	}, 3_600_000);
});
