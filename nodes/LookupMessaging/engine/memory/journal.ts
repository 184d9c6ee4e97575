import type { ServiceRequest } from '../client';
import type { Failure, Result } from '../results';
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

/** What all runs of an execution share: the results, the runs that have results, and the deeds that are being done. */
interface SharedJournal {
	results: {
		get(name: string): Result | undefined;
		set(name: string, result: Result, characters: number): void;
		drop(name: string): void;
	};
	runs: Set<string>;
	atWork: Map<string, Promise<void>>;
}

interface JournalScope {
	/** The same for all tries of a run. */
	run: string;
	credential: string;
	/** A model may use one call ID twice, so the values of its calls are part of the key. */
	isTool: boolean;
	/** A tool call without an ID: its paid calls are known by what is sent, whichever run or item sends it. */
	isByContent: boolean;
	asksAgainAfterLost: boolean;
}

/** The journal of paid calls, as one try of a run sees it. A retry finds here what an earlier try has paid for. */
export class Journal {
	private readonly run: string;
	/** Names of the results that this try found or kept, by position. */
	private readonly ofTry = new Map<string, string[]>();

	constructor(
		private readonly shared: SharedJournal,
		private readonly scope: JournalScope,
	) {
		this.run = scope.isByContent ? '' : scope.run;
	}

	/** Whether no earlier try of this run has a result. */
	isEmpty(): boolean {
		return !this.shared.runs.has(this.run);
	}

	/**
	 * The result of a paid call in an earlier try. The request need not be the same: n8n repeats the run with the same items, so
	 * only an expression that changes each time can make another one.
	 */
	find(key: JournalKey, request: ServiceRequest): Result | undefined {
		const result = this.shared.results.get(this.nameOf(key, request));
		if (!result || !('failure' in result)) return result;
		const { failure } = result;
		if (isLost(failure) && this.scope.asksAgainAfterLost) return undefined;
		return this.scope.isByContent ? { ...result, failure: ofEqualCall(failure) } : result;
	}

	keep(key: JournalKey, request: ServiceRequest, result: Result) {
		this.shared.runs.add(this.run);
		this.shared.results.set(this.nameOf(key, request), result, charactersOf(result));
	}

	/**
	 * Waits while another run does one of the deeds, then takes all of them at once, so that no two runs wait for each other.
	 * Without a call ID the other one may be the same call, and only its end tells whether that must not be done again.
	 * @param deeds what the run is to do, in words that equal deeds share
	 * @returns ends the turn
	 */
	async takeTurn(deeds: string[]): Promise<() => void> {
		if (!this.scope.isByContent) return () => undefined;
		const { atWork } = this.shared;
		const names = deeds.map((deed) => JSON.stringify([this.scope.credential, deed]));
		const findOther = () => names.map((name) => atWork.get(name)).find((other) => other);
		for (let other = findOther(); other; other = findOther()) await other;
		let end = () => undefined as void;
		const turn = new Promise<void>((resolve) => (end = resolve));
		for (const name of names) atWork.set(name, turn);
		return () => {
			for (const name of names) atWork.delete(name);
			end();
		};
	}

	/** Forgets tasks whose success has reached the model: it may mean an equal call anew. With an ID no other call finds them. */
	forgetDelivered(positions: string[]) {
		if (!this.scope.isByContent) return;
		const names = positions.flatMap((position) => this.ofTry.get(position) ?? []);
		for (const name of names) this.shared.results.drop(name);
	}

	private nameOf({ resource, value, position, step }: JournalKey, request: ServiceRequest): string {
		const { credential, isTool, isByContent } = this.scope;
		const values = isTool ? [request.query, request.body, request.form] : undefined;
		const place = isByContent ? '' : position;
		const name = JSON.stringify([resource, value, credential, this.run, place, step, values]);
		if (isByContent) this.ofTry.set(position, [...(this.ofTry.get(position) ?? []), name]);
		return name;
	}
}

/** The failure of a call without an ID whose equal has failed in this execution. It may be a retry, so it is not sent. */
function ofEqualCall(failure: Failure): Failure {
	const ending = isLost(failure) ? 'has no known result' : 'failed';
	const reason = `an equal call in this execution ${ending}, so it wasn't sent again: ${failure.reason}`;
	return { ...failure, reason };
}
