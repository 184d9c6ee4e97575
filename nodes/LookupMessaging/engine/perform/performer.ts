import type { Lookup, LookupCall } from '../client';
import { TimeSlices } from '../clock';
import type { Ask, QuestionLayer } from '../feature';
import { type Flight, Semaphore } from '../gate';
import type { NewResult } from '../memory/answerStore';
import type { AnyOperation } from '../operation';
import type { Task, UniqueQuestion } from '../plan/plan';
import type { Failure, Job, LookupResult } from '../results';
import { type Asking, type Run, TaskClient, type TaskHost, TaskPermit } from './taskClient';

/**
 * Performs the tasks, as many at a time as there are permits. They start in slices, even if they end at once, for example after
 * Stop. So the replies that have arrived are read between two slices, and n8n can keep up with the calls that start.
 * @returns the result of each question
 */
export async function performTasks(
	run: Run,
	tasks: Task[],
): Promise<Map<UniqueQuestion, LookupResult>> {
	const performer = new Performer(run);
	const slices = new TimeSlices(run.clock);
	/** Tasks in progress, and those with a fault. Finished ones are removed, which saves memory for long lists. */
	const performing = new Set<Promise<void>>();
	for (const task of tasks) {
		const permit = await slices.wait(performer.acquirePermit());
		if (slices.isOver) await slices.pause();
		const work = performer.perform(task, permit);
		performing.add(work);
		void work.then(
			() => performing.delete(work),
			() => undefined,
		);
	}
	await Promise.all(performing);
	return performer.results;
}

/** Performs the tasks of one run. */
class Performer implements TaskHost {
	readonly results = new Map<UniqueQuestion, LookupResult>();
	private readonly permits: Semaphore;
	/** The layers of features, the first one outermost. */
	private readonly layers: QuestionLayer[];
	private endsAt?: number;

	constructor(private readonly run: Run) {
		this.permits = new Semaphore(run.concurrency);
		this.layers = run.features.flatMap(({ aroundQuestion }) => aroundQuestion?.(run) ?? []);
	}

	isInferred(call: LookupCall): boolean {
		return this.layers.some((layer) => layer.find?.(call) !== undefined);
	}

	async acquirePermit(): Promise<TaskPermit> {
		await this.permits.acquire();
		return new TaskPermit(this.permits);
	}

	deadline(now: number): number {
		return (this.endsAt ??= now + this.run.settings.maxWaitMs);
	}

	async answerLookup(
		lookup: Lookup<unknown>,
		question: unknown,
		key: string,
		{ task: { questions, tag }, ...asking }: Asking & { flight: Flight },
	): Promise<NewResult> {
		const items = questions.flatMap((asked) => asked.items);
		const asked: UniqueQuestion = { question, firstSlot: 0, items, position: key, key };
		const task = { questions: [asked], additional: [], tag };
		return (await this.answer(lookup, { ...asking, task }))[0];
	}

	/** Waits with the permit while the other tasks make calls. If they only sleep, other tasks may use the permit. */
	async waitForLookups(flights: Flight[], permit: TaskPermit): Promise<Failure | undefined> {
		for (const { isResting } of flights) void isResting.then(() => permit.giveUp());
		return await this.run.unlessStopped(allOver(flights));
	}

	/** Performs a task with the permit that was acquired for it. */
	async perform(task: Task, permit: TaskPermit) {
		const { operation, answers, unlessStopped } = this.run;
		const { questions } = task;
		const ask = async (open: UniqueQuestion[], flight: Flight) => {
			this.keepPositions(open);
			return await this.answer(operation, { task: { ...task, questions: open }, permit, flight });
		};
		const wait = async (flights: Flight[]) =>
			await permit.without(async () => await unlessStopped(allOver(flights)));
		try {
			const results = await answers.askOnce(operation, questions, ask, wait);
			for (const [index, result] of results.entries()) this.results.set(questions[index], result);
		} finally {
			permit.giveUp();
		}
	}

	/** A task may be smaller than planned, since other tasks ask some of its questions. A retry must find its calls anyway. */
	private keepPositions(questions: UniqueQuestion[]) {
		const { operation, answers } = this.run;
		if (!('run' in operation) || !operation.questionsPerTask) return;
		const [{ position }] = questions;
		for (const { key } of questions) if (key) answers.keepPosition(operation, key, position);
	}

	/** Answers the questions of a task, through the layers of features. */
	private async answer(
		operation: AnyOperation | Lookup<unknown>,
		{ task, permit, flight }: Asking & { flight: Flight },
	): Promise<NewResult[]> {
		const { run } = this;
		const jobs: Job[] = [];
		let client: TaskClient | undefined;
		const ask: Ask = async ({ heard }) => {
			client = new TaskClient(run, this, operation, { task, permit }, jobs);
			const results = await client.answer();
			heard?.(results);
			return results;
		};
		const around = this.layers.reduceRight<Ask>(
			(next, layer) => async (asked) => await layer.ask(asked, next),
			ask,
		);
		const results = await around({
			operation,
			questions: task.questions.map(({ question }) => question),
			waitFor: async (reply) => await this.waitFor(reply, operation, permit),
			giveWay: () => {
				permit.giveUp();
				flight.pause();
			},
		});
		for (const result of results) {
			if (!('failure' in result)) continue;
			// A failed lookup has opened the breaker of its own operation
			run.breakers.recordFailure(operation, result.failure, (client?.lookups.size ?? 0) > 0);
		}
		const characters = (client?.characters ?? 0) / results.length;
		return results.map((result) => ({ result, characters }));
	}

	/** Waits for questions in progress. The task of a lookup keeps its permit, since the reply will arrive soon. */
	private async waitFor(reply: Promise<void>, operation: object, permit: TaskPermit) {
		const wait = async () => await this.run.unlessStopped(reply);
		return operation === this.run.operation ? await permit.without(wait) : await wait();
	}
}

async function allOver(flights: Flight[]): Promise<unknown> {
	return await Promise.all(flights.map(async ({ isOver }) => await isOver));
}
