import fc from 'fast-check';
import { defineOperation, type Reply, lostFailure } from '../../engine';
import { getAudit } from '../../../nodes/LookupMessaging/operations/audit/get';
import { FakeExecution, FakeTransport, perform, replyOf, yes } from '../fakes/fakeSend';
import { PAID_CHECK } from '../fakes/paidCheck';

/** Asks how far a job is, at a price. */
const LOOK = defineOperation<string>({
	...PAID_CHECK,
	isFinal: ({ outcome }) => outcome !== 'unknown',
});
const LOST: Reply = lostFailure('gone');

/** One try of one run of a loop, and the jobs that its items ask for. */
const tryOf = fc.record({
	run: fc.nat(3),
	jobs: fc.array(fc.constantFrom('/a', '/b', '/c'), { minLength: 1, maxLength: 6 }),
	isLost: fc.boolean(),
});

describe('a job that is polled repeatedly', () => {
	test('is paid for once in each try while it runs, and never again once it has ended', async () => {
		const schedule = fc.record({
			tries: fc.array(tryOf, { minLength: 1, maxLength: 8 }),
			looks: fc.tuple(fc.nat(4), fc.nat(4), fc.nat(4)),
		});
		const check = async ({ tries, looks }: { looks: number[]; tries: Try[] }) => {
			const execution = new FakeExecution();
			const left = new Map(['/a', '/b', '/c'].map((job, index) => [job, looks[index]]));
			const ended = new Set<string>();
			const lostIn = new Map<string, Set<number>>();
			for (const { run, jobs, isLost } of tries) {
				const before = new Set(ended);
				const service = new FakeTransport(({ path }) => {
					if (isLost) return LOST;
					const rest = (left.get(path) ?? 0) - 1;
					left.set(path, rest);
					if (rest < 0) ended.add(path);
					return replyOf(rest < 0 ? yes() : { outcome: 'unknown', record: {} });
				});
				const { outcomes } = await perform(LOOK, jobs, service, {}, { execution, run: `${run}` });
				const wasLost = (job: string) => lostIn.get(job)?.has(run) === true;
				const asked = [...new Set(jobs)].filter((job) => !before.has(job) && !wasLost(job));
				expect([...service.paths].sort()).toEqual(asked.sort());
				jobs.forEach((job, index) => {
					if (before.has(job)) expect(outcomes[index]).toBe('positive');
				});
				if (!isLost) continue;
				for (const job of asked) lostIn.set(job, (lostIn.get(job) ?? new Set()).add(run));
			}
		};
		await fc.assert(fc.asyncProperty(schedule, check), { seed: 7, numRuns: 150 });
	});

	test('may be an audit, whose answer is final once it is finished or has failed', () => {
		const outcomes = ['positive', 'negative', 'unknown'] as const;
		const isFinal = outcomes.map((outcome) => getAudit.isFinal?.({ outcome, record: {} }));
		expect([getAudit.repeatable, ...isFinal]).toEqual([true, true, true, false]);
	});
});

type Try = { run: number; jobs: string[]; isLost: boolean };
