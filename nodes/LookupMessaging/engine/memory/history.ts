import type { Job } from '../results';

/** What all tries of a run have done, for the error of the last one and for the log of one that was stopped. */
export class History {
	/** Items whose side effect has happened, and items whose side effect may have. */
	readonly done = new Set<number>();
	readonly open = new Set<number>();
	/** The jobs that were paid for, by ID. */
	private readonly jobsById = new Map<string, Job>();

	add(done: number[], open: number[], jobs: Job[]) {
		for (const item of done) this.done.add(item);
		for (const item of open) this.open.add(item);
		for (const job of jobs) this.jobsById.set(job.id, job);
	}

	get jobs(): Job[] {
		return [...this.jobsById.values()];
	}
}
