import { Ledger } from '../billing/ledger';
import type { RunMemory } from '../memory/answerStore';
import { CircuitBreakers } from '../network/circuitBreakers';
import { journalOnlyNetwork } from '../network/networks';
import { STOPPED } from '../operation';
import type { EarlierTries } from './perform';
import { Performer } from './performer';
import { TaskClient, type Run } from './taskClient';
import type { Task } from '../plan/plan';
import { TimeSlices } from '../clock';

/** A run without its network. */
type Rehearsal = Pick<Run, 'clock' | 'features' | 'log' | 'operation' | 'settings'> & {
	memory: RunMemory;
};

/** Performs the tasks on a network that has only the journal, to find out how far they get. */
export async function findEarlierTries(rehearsal: Rehearsal, tasks: Task[]): Promise<EarlierTries> {
	const paid = new Set<Task>();
	let known: EarlierTries['known'];
	const slices = new TimeSlices(rehearsal.clock);
	for (const task of tasks) {
		if (slices.isOver) await slices.pause();
		const { isPaid, failure } = await rehearse(rehearsal, task);
		if (isPaid) paid.add(task);
		known ??= failure;
	}
	return { paid, known };
}

async function rehearse({ memory, ...rehearsal }: Rehearsal, task: Task) {
	/** The first call or wait that the journal lacks. */
	let missing: 'free' | 'paid' | undefined;
	const run: Run = {
		...rehearsal,
		send: journalOnlyNetwork(memory.journal, STOPPED, (isPaid) => {
			missing ??= isPaid ? 'paid' : 'free';
		}),
		pause: async () => {
			missing ??= 'free';
			return STOPPED;
		},
		unlessStopped: async () => {
			missing ??= 'paid';
			return STOPPED;
		},
		answers: memory.answersForEstimate(),
		budget: { reserve: () => false },
		concurrency: 1,
		breakers: new CircuitBreakers(rehearsal.operation, false),
		ledger: new Ledger(),
		log: { ...rehearsal.log, job: () => undefined },
	};
	const performer = new Performer(run);
	const asking = { task, permit: await performer.acquirePermit() };
	const client = new TaskClient(run, performer, run.operation, asking, []);
	const [result] = await client.answer();
	// A failure from an earlier try remains one, whatever is still missing
	const isKnown = 'failure' in result && result.failure.cause !== 'notSent';
	const known = isKnown && { failure: result.failure };
	if (missing === 'paid') return { isPaid: false, ...known };
	// Free calls come after the paid ones: they are polls
	if (missing === 'free') return { isPaid: client.paidCalls > 0 };
	return { isPaid: true, ...known };
}
