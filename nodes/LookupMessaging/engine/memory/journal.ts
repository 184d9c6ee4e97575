import type { Result, ServiceRequest } from '../client';
import { isLost } from '../operation';

/** Roughly how many characters a result takes in memory. */
export function charactersOf(result: Result): number {
	if (!('failure' in result)) return result.size ?? JSON.stringify(result.body).length;
	const { reason, refusal } = result.failure;
	return reason.length + (refusal?.reason.length ?? 0);
}

/** A paid call of a run. */
export interface JournalKey {
	resource: string;
	value: string;
	/** Item and part of the item: "3.0". */
	position: string;
	/** Name of the call within its task: "submit". */
	step: string;
}

/** What all runs of an execution share: the results, and the runs that have results. */
interface SharedJournal {
	results: {
		get(name: string): Result | undefined;
		set(name: string, result: Result, characters: number): void;
	};
	runs: Set<string>;
}

interface JournalScope {
	/** The same for all tries of a run. */
	run: string;
	credential: string;
	/** A model may use one call ID twice, so the values of its calls are part of the key. */
	isTool: boolean;
	asksAgainAfterLost: boolean;
}

/** The journal of paid calls, as one try of a run sees it. A retry finds here what an earlier try has paid for. */
export class Journal {
	constructor(
		private readonly shared: SharedJournal,
		private readonly scope: JournalScope,
	) {}

	/** Whether no earlier try of this run has a result. */
	isEmpty(): boolean {
		return !this.shared.runs.has(this.scope.run);
	}

	/**
	 * The result of a paid call in an earlier try. The request need not be the same: n8n repeats the run with the same items, so
	 * only an expression that changes each time can make another one.
	 */
	find(key: JournalKey, request: ServiceRequest): Result | undefined {
		const result = this.shared.results.get(this.nameOf(key, request));
		const wasLost = result && 'failure' in result && isLost(result.failure);
		return wasLost && this.scope.asksAgainAfterLost ? undefined : result;
	}

	keep(key: JournalKey, request: ServiceRequest, result: Result) {
		this.shared.runs.add(this.scope.run);
		this.shared.results.set(this.nameOf(key, request), result, charactersOf(result));
	}

	private nameOf({ resource, value, position, step }: JournalKey, request: ServiceRequest): string {
		const { credential, run, isTool } = this.scope;
		const values = isTool ? [request.query, request.body, request.form?.fields] : undefined;
		return JSON.stringify([resource, value, credential, run, position, step, values]);
	}
}
