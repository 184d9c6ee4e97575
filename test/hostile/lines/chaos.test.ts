/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import fc from 'fast-check';
import { tally, whole } from '../extent';
import { startSandbox, type Sandbox } from '../../sandbox';
import { violationsOf } from '../../support/chaos/check';
import { perform } from '../../support/chaos/perform';
import { schedules } from '../../support/chaos/schedule';
import { line } from '../../support/n8n';
import { resetTime } from '../../support/time';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../support/time')>('../../support/time').withoutWaiting(),
);

/** More, and others: `CHAOS_RUNS=5000 CHAOS_SEED=7 npx jest hostile/lines/chaos`. */
const { CHAOS_RUNS = whole ? '1500' : '60', CHAOS_SEED = '4' } = process.env;

describe(`chaos, n8n ${line}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		// The sandbox's clocks are those of the tests
		resetTime();
		sandbox = await startSandbox({ batchNumbersPerSecond: 1 });
	});
	afterAll(async () => await sandbox.close());

	it('loses no item, pays for nothing twice and accounts for every credit, whatever goes wrong', async () => {
		await fc.assert(
			fc.asyncProperty(schedules, async (schedule) => {
				expect(violationsOf(await perform(schedule, sandbox))).toEqual([]);
			}),
			{ numRuns: Number(CHAOS_RUNS), seed: Number(CHAOS_SEED) },
		);
		tally({ part: 'Chaos', line, counts: { schedules: Number(CHAOS_RUNS) } });
	}, 3_600_000);
});
