import type { ServiceRequest } from '../client';
import type { Failure, Result } from '../results';
import { inShort, isObject } from '../plan/values';

/** Roughly how many characters a result takes in memory. */
export function charactersOf(result: Result): number {
	if (!('failure' in result)) return result.size ?? JSON.stringify(result.body).length;
	const { reason, refusal, size = 0 } = result.failure;
	return reason.length + (refusal?.reason.length ?? 0) + size;
}

/** Sorts the fields of an object by name, for JSON.stringify. Their values, which may have no text, aren't compared. */
function inOrder(_: string, value: unknown): unknown {
	if (!isObject(value)) return value;
	const names = Object.keys(value).sort();
	return Object.fromEntries(names.map((name) => [name, value[name]]));
}

/** A paid call of a run. */
export interface JournalKey {
	resource: string;
	value: string;
	/** Item and part of the item: "3.0". */
	position: string;
	/** Name of the call within its task: "submit". */
	step: string;
	/** Whether it has a side effect, so that the same call is not sent while its outcome is unknown. */
	acts?: true;
}

/** What all runs of an execution share. */
interface SharedJournal {
	/** Bounded: with too many characters, results are dropped, and the names stay in `kept`. */
	results: {
		get(name: string): Result | undefined;
		set(name: string, result: Result, characters: number): void;
		drop(name: string): void;
	};
	/** The names of all results that were kept. */
	kept: Set<string>;
	/** Calls with a side effect whose outcome is unknown, by content. A loop or a duplicate item doesn't repeat them. */
	open: Map<string, OpenDeed>;
	/** Side effects that happened and whose tasks still wait for the job that they started: by content, then by name. */
	awaited: Map<string, Map<string, AwaitedDeed>>;
	/** The runs that have results. */
	runs: Set<string>;
	/** Promises of calls in progress: those of models, and those with a side effect by content. */
	atWork: Map<string, Promise<void>>;
	doing: Map<string, Promise<void>>;
}

/** A journal of an execution that has done nothing yet. @param results see SharedJournal */
export function newJournal<Results extends SharedJournal['results']>(results: Results) {
	return {
		results,
		kept: new Set<string>(),
		open: new Map<string, OpenDeed>(),
		awaited: new Map<string, Map<string, AwaitedDeed>>(),
		runs: new Set<string>(),
		atWork: new Map<string, Promise<void>>(),
		doing: new Map<string, Promise<void>>(),
	};
}

/** A call with a side effect and an unknown outcome: the reason, and the item and run that made it. */
interface OpenDeed {
	reason: string;
	run: string;
	position: string;
}

/** A side effect of a run that started a job, and the reply of the service. */
interface AwaitedDeed {
	result: Result;
	run: string;
}

interface JournalScope {
	/** The same for all tries of a run. */
	run: string;
	credential: string;
	/** A model may use one call ID twice, so the values of its calls are part of the key. */
	isTool: boolean;
	/** A tool call without an ID: its paid calls are identified by their content, in any run or item. */
	isByContent: boolean;
}

/** The journal of paid calls, as one try of a run sees it. A retry finds here what an earlier try has paid for. */
export class Journal {
	private readonly run: string;
	/** Names of the results that this try found or kept, by position. */
	private readonly ofTry = new Map<string, string[]>();
	/** The side effects that this try found or caused, by position: content, name and result of each. */
	private readonly done = new Map<string, Array<[string, string, Result]>>();
	/** The content of a request as text, cached: a batch has a thousand numbers, and its content is needed several times. */
	private readonly sent = new WeakMap<ServiceRequest, string>();

	constructor(
		private readonly shared: SharedJournal,
		private readonly scope: JournalScope,
	) {
		this.run = scope.isByContent ? '' : scope.run;
	}

	/** Whether it has nothing that prevents a call of this run. */
	isEmpty(): boolean {
		const { runs, open, awaited } = this.shared;
		return !runs.has(this.run) && open.size + awaited.size === 0;
	}

	/**
	 * The result of a paid call that must not be made: the result of an earlier try, the result of the same call of another run
	 * that still waits, or the failure of a call that may have happened already. The request of the earlier try may differ: n8n
	 * repeats the run with the same items, so the difference comes from an expression that changes each time.
	 */
	find(key: JournalKey, request: ServiceRequest): Result | undefined {
		const { shared, scope } = this;
		const name = this.nameOf(key, request);
		const result = shared.results.get(name);
		const failure = result && 'failure' in result ? result.failure : undefined;
		if (result && !failure) {
			this.noteDone(key, request, name, result);
			return result;
		}
		const awaited = this.takeOver(key, request, name);
		if (awaited) return awaited;
		if (failure && !scope.isByContent) return result;
		const open = key.acts && shared.open.get(this.contentOf(key, request));
		if (open) return { failure: ofEqualCall(open, this.placeOf(open)) };
		return result ?? (shared.kept.has(name) ? { failure: FORGOTTEN } : undefined);
	}

	/** Keeps the result of a call that was paid for, or may have been. All runs now know that it may have happened. */
	keep(key: JournalKey, request: ServiceRequest, result: Result) {
		const { shared } = this;
		const name = this.nameOf(key, request);
		shared.runs.add(this.run);
		shared.kept.add(name);
		shared.results.set(name, result, charactersOf(result));
		const reason = key.acts && whyOpen(result);
		if (reason === undefined) return this.noteDone(key, request, name, result);
		const open = { reason: inShort(reason), run: this.scope.run, position: key.position };
		shared.open.set(this.contentOf(key, request), open);
	}

	/**
	 * Ends a task. If its paid job is not over, the next task with the same content in another run waits for the job, for example
	 * when a loop returns an item after Max Wait.
	 */
	endTask(position: string, isAwaited: boolean) {
		const { awaited } = this.shared;
		for (const [content, name, result] of this.done.get(position) ?? []) {
			const equal = awaited.get(content) ?? new Map<string, AwaitedDeed>();
			if (isAwaited) awaited.set(content, equal.set(name, { result, run: this.run }));
			else if (equal.delete(name) && equal.size === 0) awaited.delete(content);
		}
		this.done.delete(position);
	}

	/** Performs a side effect after all calls with the same content, since only their results show whether it may be repeated. */
	async inTurn(
		key: JournalKey,
		request: ServiceRequest,
		work: () => Promise<Result>,
	): Promise<Result> {
		if (!key.acts) return await work();
		const { doing } = this.shared;
		const name = this.contentOf(key, request);
		const before = doing.get(name);
		const own = before ? before.then(work) : work();
		const end = own.then(
			() => undefined,
			() => undefined,
		);
		doing.set(name, end);
		try {
			return await own;
		} finally {
			if (doing.get(name) === end) doing.delete(name);
		}
	}

	/**
	 * Waits while another run has one of these side effects in progress, then locks all of them at once, so that two runs never
	 * wait for each other. Without a call ID the other run may be the same call, and only its result shows whether to repeat it.
	 * @param deeds the content of the run's side effects
	 * @returns a function that unlocks them
	 */
	async lock(deeds: string[]): Promise<() => void> {
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

	/** Forgets tasks whose success was returned to the model, which may want the same call again. */
	forgetDelivered(positions: string[]) {
		if (!this.scope.isByContent) return;
		const names = positions.flatMap((position) => this.ofTry.get(position) ?? []);
		for (const name of names) {
			this.shared.results.drop(name);
			this.shared.kept.delete(name);
		}
	}

	/** The result of the same side effect of another run that still waits for it. This run takes it over. */
	private takeOver(key: JournalKey, request: ServiceRequest, name: string): Result | undefined {
		const equal = key.acts && this.shared.awaited.get(this.contentOf(key, request));
		if (!equal) return undefined;
		const isFree = ([of, { run }]: [string, AwaitedDeed]) => of === name || run !== this.run;
		const found = [...equal].find(isFree);
		if (!found) return undefined;
		const [of, { result }] = found;
		equal.delete(of);
		equal.set(name, { result, run: this.run });
		this.keep(key, request, result);
		return result;
	}

	private noteDone(key: JournalKey, request: ServiceRequest, name: string, result: Result) {
		if (!key.acts) return;
		const deeds = this.done.get(key.position) ?? [];
		this.done.set(key.position, [...deeds, [this.contentOf(key, request), name, result]]);
	}

	/** Which item caused a side effect with an unknown result, as text for a person. */
	private placeOf({ run, position }: OpenDeed): string {
		if (this.scope.isTool) return '';
		const item = `item ${position.split('.')[0]}`;
		return run === this.scope.run ? ` (${item})` : ` (${item} of run ${Number(run) + 1})`;
	}

	/** The key of a call's content. It's the same in all items and runs. */
	private contentOf({ resource, value, step }: JournalKey, request: ServiceRequest): string {
		const sent = this.sent.get(request) ?? sentWith(request);
		this.sent.set(request, sent);
		return `${JSON.stringify([resource, value, this.scope.credential, step])} ${sent}`;
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

function sentWith({ method, path, query, body, form }: ServiceRequest): string {
	const { source } = form?.file ?? {};
	const file = source && [form?.file.field, source.fileName, source.mimeType, source.bytes];
	return JSON.stringify([method, path, query, body, form?.fields, file], inOrder);
}

/** Why the outcome of a call is unknown; undefined if it is known, or if the call certainly had no effect. */
function whyOpen(result: Result): string | undefined {
	if ('failure' in result) return result.failure.mayHaveCost ? result.failure.reason : undefined;
	const { value } = result;
	if (!isObject(value) || value.isUnclear !== true) return undefined;
	return typeof value.reason === 'string' ? value.reason : 'the answer was unclear';
}

/** The failure of a call that may already have happened in this execution. */
function ofEqualCall({ reason }: OpenDeed, place: string): Failure {
	return {
		cause: 'repeated',
		scope: 'question',
		reason: `an equal call in this execution${place} may have been done already, so it wasn't sent again: ${reason}`,
	};
}

/** The failure of a call that succeeded and whose result took too much memory. */
const FORGOTTEN: Failure = {
	cause: 'repeated',
	scope: 'question',
	reason:
		"an earlier try did this already, so it wasn't done again. Its answer was too large to be remembered",
};
