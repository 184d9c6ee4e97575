import { randomUUID } from 'node:crypto';

import { findingOf, type RowFinding } from './batchRows';
import { WorkProgress } from './workProgress';

/** A batch job (SPEC §3.1). Its numbers are worked off in the order of submission. */
export interface Batch {
	id: string;
	/** The key that submitted it. */
	owner: string;
	/** Unique, exactly as submitted. */
	numbers: string[];
	at: number;
	/** Work done when it was submitted; minus infinity once it is told to finish. */
	start: number;
	/** What the check of each number comes to; filled as far as anybody has looked. */
	findings: RowFinding[];
}

/** The counters of SPEC §2.4, which do not agree with each other once a row has failed. */
interface BatchCounters {
	status: 'processing' | 'completed';
	total_numbers: number;
	completed: number;
	failed: number;
	pending: number;
}

/** The batches of all accounts. They progress with time; the progress is computed when a request asks for it. */
export class Batches {
	private batches = new Map<string, Batch>();

	private progress: WorkProgress;

	constructor(
		private readonly numbersPerSecond: number,
		private readonly now: () => number = () => Date.now(),
	) {
		this.progress = new WorkProgress(numbersPerSecond, now);
	}

	submit(owner: string, numbers: string[]): Batch {
		const at = this.now();
		const batch = {
			id: randomUUID(),
			owner,
			numbers,
			at,
			start: this.progress.work(),
			findings: [],
		};
		this.batches.set(batch.id, batch);
		return batch;
	}

	/** The batch of that ID when that key submitted it (SPEC §5.3). */
	find(owner: string, id: string): Batch | undefined {
		const batch = this.batches.get(id);
		return batch?.owner === owner ? batch : undefined;
	}

	/** The batches of a key, newest first. */
	of(owner: string): Batch[] {
		return [...this.batches.values()].filter((batch) => batch.owner === owner).reverse();
	}

	/** What has become of the numbers that are processed by now, in the order of the numbers. */
	processed({ numbers, start, findings }: Batch): RowFinding[] {
		const count = Math.min(numbers.length, Math.floor(this.progress.work() - start));
		while (findings.length < count) {
			findings.push(findingOf(numbers[findings.length]));
		}
		return findings;
	}

	finishAll() {
		for (const batch of this.batches.values()) batch.start = -Infinity;
	}

	setSpeed(numbersPerSecond: number) {
		this.progress.setSpeed(numbersPerSecond);
	}

	reset() {
		this.batches.clear();
		this.progress = new WorkProgress(this.numbersPerSecond, this.now);
	}
}

/**
 * SPEC §2.4 to the letter: `completed` counts failures too, and `pending` subtracts them once more, so it may fall
 * below zero; when the batch is completed it is 0 (§3.1).
 */
export function countersOf({ numbers }: Batch, processed: RowFinding[]): BatchCounters {
	const total = numbers.length;
	const completed = processed.length;
	const failed = processed.filter(({ kind }) => kind === 'failed').length;
	const isOver = completed === total;
	return {
		status: isOver ? 'completed' : 'processing',
		total_numbers: total,
		completed,
		failed,
		pending: isOver ? 0 : total - completed - failed,
	};
}
