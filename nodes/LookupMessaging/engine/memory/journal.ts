import type { ServiceRequest } from '../client';
import { SLICES } from '../clock';
import { Flights } from '../gate';
import type { AnyOperation } from '../operation';
import { deedIn, type Task } from '../plan/plan';
import { inShort, isObject, shortened, textInOrder } from '../plan/values';
import type { Failure, Result } from '../results';
import { BoundedCache } from './boundedCache';

/** Roughly how many characters a result takes in memory. */
export function charactersOf(result: Result): number {
	if (!('failure' in result)) return result.size ?? JSON.stringify(result.body).length;
	const { reason, refusal, size = 0 } = result.failure;
	return reason.length + (refusal?.reason.length ?? 0) + size;
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
export class SharedJournal {
	readonly results = new BoundedCache<Result>();
	/** The names of all results that were kept, of dropped ones too. */
	readonly kept = new Set<string>();
	/** What became of the tasks that cost nothing more, or fail for good. */
	readonly ended = new Map<string, TaskEnd & { place: Place }>();
	/** The tasks that still wait for a job that they have paid for, by content. An equal one of another run takes the place of one. */
	readonly awaited = new Map<string, Awaiting[]>();
	/** What is under way: questions by operation and key, side effects and the calls of models by content. */
	readonly underWay = new Flights();

	constructor(readonly open: OpenDeeds) {}
}

/**
 * Calls with a side effect whose outcome is unknown, by content, and questions and jobs that have no answer yet. A loop or an equal
 * item doesn't repeat them.
 */
export class OpenDeeds {
	private readonly kept: { execution?: string; byName: Record<string, OpenDeed> };

	private last: OpenDeed = { reason: '', run: '' };

	/** What this memory knows better. */
	private readonly remembered = new Set<string>();

	/** @param stored n8n stores it with a waiting execution. With its Retry button it is another execution, which begins with none */
	constructor(
		private readonly stored: { openDeeds?: unknown },
		execution?: string,
	) {
		const kept = stored.openDeeds as OpenDeeds['kept'] | undefined;
		const isOwn = kept?.execution === execution && typeof kept?.byName === 'object';
		this.kept = isOwn ? kept : { execution, byName: {} };
	}

	get(content: string): OpenDeed | undefined {
		const name = shortened(content);
		return this.remembered.has(name) ? undefined : this.kept.byName[name];
	}

	/** Keeps what this memory knows better for the time after a Wait, in which the memory is lost. */
	setForLater(content: string, open: OpenDeed) {
		if (this.get(content)) return;
		this.set(content, open);
		this.remembered.add(shortened(content));
	}

	/** Forgets it, if it is of that place or of any: its outcome has become known. */
	forget(content: string, place?: Place) {
		if (this.remembered.size === 0) return;
		const name = shortened(content);
		if (!this.remembered.has(name)) return;
		const { run, position } = this.kept.byName[name];
		if (place && (run !== place.run || position !== place.position)) return;
		this.remembered.delete(name);
		delete this.kept.byName[name];
	}

	set(content: string, open: OpenDeed) {
		const name = shortened(content);
		const { reason, run, position } = this.last;
		// Many questions of a batch share one object, which n8n stores once
		if (reason !== open.reason || run !== open.run || position !== open.position) this.last = open;
		this.kept.byName[name] = this.last;
		this.remembered.delete(name);
		this.stored.openDeeds = this.kept;
	}
}

/** A call with a side effect and an unknown outcome: the reason, and the run and, where it is known, the item that made it. */
interface OpenDeed {
	reason: string;
	run: string;
	position?: string;
}

/** Where a task is: its run and its position there. */
interface Place {
	run: string;
	position: string;
}

/** A task that waits for a job: where it began, and the run that has waited last. */
interface Awaiting {
	place: Place;
	run: string;
}

export interface TaskEnd {
	/** Whether its paid calls were all made, so that it costs nothing more. */
	isPaid: boolean;
	/** Its failure, where that comes of a call that is not made again. */
	known?: Failure;
	/** The job that it has paid for and waits for, as a clause. */
	awaits?: string;
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
	/** Where the results of tasks are that took the place of an equal one, by position. */
	private readonly places = new Map<string, Place>();
	/** What the calls with a side effect of the tasks in progress are, by position. */
	private readonly acts = new Map<string, string[]>();
	/** What is sent with a request, as text: a batch has a thousand numbers, and its content is asked for several times. */
	private readonly sent = new WeakMap<ServiceRequest, string>();

	constructor(
		private readonly shared: SharedJournal,
		private readonly scope: JournalScope,
	) {
		this.run = scope.isByContent ? '' : scope.run;
	}

	/**
	 * What is known of the tasks of the run before they begin: of what an earlier try has ended, or from another run that still waits for
	 * the job of an equal one, whose place the task takes.
	 */
	async takeUp(operation: AnyOperation, tasks: Task[]): Promise<Map<Task, TaskEnd>> {
		const { ended, awaited } = this.shared;
		const ends = new Map<Task, TaskEnd>();
		if (ended.size === 0) return ends;
		await SLICES.forEach(tasks, (task) => {
			const name = this.taskName(operation, task);
			const equal =
				awaited.size > 0 ? (awaited.get(this.contentOfTask(operation, task)) ?? []) : [];
			const other = equal.find(({ run }) => run !== this.run);
			const end = ended.get(name) ?? (other && { isPaid: true, place: other.place });
			if (!end) return;
			if (other?.place === end.place) other.run = this.run;
			ended.set(name, end);
			ends.set(task, end);
			this.places.set(task.questions[0].position, end.place);
		});
		return ends;
	}

	/** Ends a task. As where a loop hands back an item whose wait ran out, the next equal one goes on waiting for its job. */
	end(operation: AnyOperation, task: Task, end: TaskEnd) {
		const { ended, awaited } = this.shared;
		const [{ position }] = task.questions;
		const place = this.places.get(position) ?? { run: this.run, position };
		const name = this.taskName(operation, task);
		if (end.isPaid || end.known) ended.set(name, { ...end, place });
		this.noteOfTry(position, name);
		const acts = this.acts.get(position) ?? [];
		this.acts.delete(position);
		if (!end.isPaid) return;
		for (const act of acts) {
			if (end.awaits === undefined) this.shared.open.forget(act, place);
			else this.shared.open.setForLater(act, { reason: end.awaits, ...place });
		}
		if (end.awaits === undefined && awaited.size === 0) return;
		const content = this.contentOfTask(operation, task);
		const others = (awaited.get(content) ?? []).filter((one) => one.place !== place);
		const all = end.awaits !== undefined ? [...others, { place, run: this.run }] : others;
		if (all.length > 0) awaited.set(content, all);
		else awaited.delete(content);
	}

	/**
	 * The result of a paid call that is not to be made: what an earlier try made of it, or the failure of one whose equal may have been
	 * done already. To an earlier try the request need not be the same: n8n repeats the run with the same items, so only an expression
	 * that changes each time can make another one.
	 */
	find(key: JournalKey, request: ServiceRequest): Result | undefined {
		const { shared, scope } = this;
		const name = this.nameOf(key, request);
		const result = shared.results.get(name);
		const content = key.acts && this.contentOf(key, request);
		if (content) this.acts.set(key.position, [...(this.acts.get(key.position) ?? []), content]);
		if (result && !('failure' in result && scope.isByContent)) return result;
		const open = content && shared.open.get(content);
		if (open) return { failure: ofEqualCall(open, this.placeOf(open)) };
		return result ?? (shared.kept.has(name) ? { failure: FORGOTTEN } : undefined);
	}

	/** Keeps the result of a call that was paid for, or may have been. All runs now know that it may have happened. */
	keep(key: JournalKey, request: ServiceRequest, result: Result) {
		if ('failure' in result && !result.failure.mayHaveCost) return;
		const { shared } = this;
		const name = this.nameOf(key, request);
		shared.kept.add(name);
		shared.results.set(name, result, charactersOf(result));
		const reason = key.acts && whyOpen(result);
		if (reason === undefined) return;
		const open = { reason: inShort(reason), run: this.scope.run, position: key.position };
		shared.open.set(this.contentOf(key, request), open);
	}

	/** Makes a paid call, unless it is known. A side effect waits for all equal ones: only the end of one tells whether it may be done. */
	async once(key: JournalKey, request: ServiceRequest, make: () => Promise<Result>) {
		let isMade = false;
		const book = {
			namesOf: () => (key.acts ? [this.contentOf(key, request)] : []),
			find: () => this.find(key, request),
			keep: (_: unknown, result: Result) => this.keep(key, request, result),
		};
		const [result] = await this.shared.underWay.once([request], book, async () => {
			isMade = true;
			return [await make()];
		});
		return isMade ? result : { ...result, isJournaled: true as const };
	}

	/**
	 * Works after all other runs that have one of these side effects in progress. Without a call ID such a run may be the same call,
	 * and only its result shows whether to repeat it.
	 * @param sideEffects the content of the run's side effects
	 */
	async alone<Value>(sideEffects: string[], work: () => Promise<Value>): Promise<Value> {
		if (!this.scope.isByContent) return await work();
		const names = sideEffects.map((content) => JSON.stringify([this.scope.credential, content]));
		const namesOf = () => names;
		const [value] = await this.shared.underWay.once([names], { namesOf }, async () => [
			await work(),
		]);
		return value;
	}

	/** Forgets tasks whose success was returned to the model, which may want the same call again. */
	forgetDelivered(positions: string[]) {
		if (!this.scope.isByContent) return;
		const names = positions.flatMap((position) => this.ofTry.get(position) ?? []);
		for (const name of names) {
			this.shared.results.drop(name);
			this.shared.kept.delete(name);
			this.shared.ended.delete(name);
		}
	}

	/** Which item did an open side effect, for a person. */
	private placeOf({ run, position = '' }: OpenDeed): string {
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

	private contentOfTask(operation: AnyOperation, task: Task): string {
		return `${this.scope.credential} ${deedIn(operation, task)}`;
	}

	private taskName(operation: AnyOperation, task: Task): string {
		const { resource, value } = operation;
		const { isTool, isByContent, credential } = this.scope;
		const place = isByContent ? '' : task.questions[0].position;
		const content = isTool ? deedIn(operation, task) : undefined;
		return JSON.stringify([resource, value, credential, this.run, place, content]);
	}

	private nameOf({ resource, value, position, step }: JournalKey, request: ServiceRequest): string {
		const { credential, isTool, isByContent } = this.scope;
		const values = isTool ? [request.query, request.body, request.form] : undefined;
		const place = this.places.get(position) ?? { run: this.run, position };
		const own = isByContent ? [this.run, ''] : [place.run, place.position];
		const name = JSON.stringify([resource, value, credential, ...own, step, values]);
		this.noteOfTry(position, name);
		return name;
	}

	/** Notes what is to be forgotten with a task. */
	private noteOfTry(position: string, name: string) {
		if (!this.scope.isByContent) return;
		this.ofTry.set(position, [...(this.ofTry.get(position) ?? []), name]);
	}
}

function sentWith({ method, path, query, body, form }: ServiceRequest): string {
	const { source } = form?.file ?? {};
	const file = source && [form?.file.field, source.fileName, source.mimeType, source.bytes];
	return textInOrder([method, path, query, body, form?.fields, file]);
}

/** Why the outcome of a call is unknown; undefined if it is known, or if the call certainly had no effect. */
function whyOpen(result: Result): string | undefined {
	if ('failure' in result) return result.failure.mayHaveCost ? result.failure.reason : undefined;
	const { value } = result;
	if (!isObject(value) || (value.isUnclear !== true && value.outcome !== 'unknown'))
		return undefined;
	return typeof value.reason === 'string' ? value.reason : 'the answer was unclear';
}

/** The failure of a call that may already have happened in this execution. */
export function ofEqualCall({ reason }: OpenDeed, place = ''): Failure {
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
