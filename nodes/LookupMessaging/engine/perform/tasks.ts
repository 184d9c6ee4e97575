import type { IDataObject } from 'n8n-workflow';
import type { Budget, Ledger, Payer } from '../billing/ledger';
import type { Caller, Client, Endpoint, Lookup, LookupCall, ServiceRequest } from '../client';
import {
	type Answered,
	CallFailed,
	type Failed,
	type Failure,
	type Job,
	type LookupResult,
	type Reading,
} from '../results';
import {
	type AnswerSource,
	type AnswerStore,
	isAwaited,
	lastsLonger,
	whyAwaited,
} from '../memory/answerStore';
import type { Ask, Feature, QuestionLayer } from '../feature';
import { type Flight, Semaphore, TaskPermit, whenOver } from '../gate';
import { charactersOf, type Journal, type JournalKey } from '../memory/journal';
import { callerOn, type Place } from '../network/layers';
import { asSentence, copyOf, inMinutes } from '../plan/values';
import type { OpenNetwork } from '../network/networks';
import { faultFailure, type LogFault, presented, refusalFailure } from '../network/reply';
import { type AnyOperation, asItCame, isPricedByLookups } from '../operation';
import { withAdditional } from '../plan/parameters';
import { equalityKey, type Task, type UniqueQuestion } from '../plan/plan';
import type { Settings } from '../plan/settings';

/** The shortest time between two polls of a job (SPEC §4.2), also before the last one, whose wait Max Wait may shorten. */
const SHORTEST_WAIT_MS = 2_000;

/** What a run reports while it goes on. */
export interface RunLog {
	/** Writes a job to the log of n8n, since a canceled execution keeps no output. */
	job(job: Job): void;
	warn(words: string): void;
	fault: LogFault;
	/** Turns a failure into sentences for the reader of the output. */
	explain(failure: Failure): string;
}

/** What performing the tasks of a run needs. */
interface Run
	extends Pick<
		OpenNetwork,
		'breakers' | 'clock' | 'concurrency' | 'pause' | 'send' | 'slices' | 'unlessStopped'
	> {
	operation: AnyOperation;
	settings: Pick<Settings, 'maxPaidLookups' | 'maxQueueWaitMs' | 'maxWaitMs'>;
	answers: AnswerStore;
	/** Undefined where nothing is journaled. */
	journal?: Pick<Journal, 'end' | 'find'>;
	/** Where answers come from that the execution has not got. */
	source?: Pick<AnswerSource, 'noteAsker'>;
	features: Array<Pick<Feature, 'aroundQuestion'>>;
	budget: Pick<Budget, 'reserve'>;
	ledger: Ledger;
	log: RunLog;
}

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
	const { slices } = run;
	/** Tasks in progress, and those with a fault. Finished ones are removed, which saves memory for long lists. */
	const performing = new Set<Promise<void>>();
	for (const task of tasks) {
		await performer.permits.acquire();
		if (slices.isOver) await slices.pause();
		const work = performer.perform(task);
		performing.add(work);
		void work.then(
			() => performing.delete(work),
			() => undefined,
		);
	}
	await Promise.all(performing);
	return performer.results;
}

class Performer {
	readonly results = new Map<UniqueQuestion, LookupResult>();
	readonly permits: Semaphore;
	/** The layers of features, the first one outermost. */
	readonly layers: QuestionLayer[];

	constructor(private readonly run: Run) {
		this.permits = new Semaphore(run.concurrency);
		this.layers = run.features.flatMap(({ aroundQuestion }) => aroundQuestion?.(run) ?? []);
	}

	/** Resolves when other work is over. Returns the failure if Stop ended the wait. */
	async allOver(flights: Flight[]): Promise<Failed | undefined> {
		const failure = await this.run.unlessStopped(whenOver(flights));
		return failure && { failure };
	}

	/** Performs a task with a permit that was acquired for it. */
	async perform(task: Task) {
		const { operation, answers } = this.run;
		const { questions } = task;
		const permit = new TaskPermit(this.permits);
		const ask = async (open: UniqueQuestion[], flight: Flight) => {
			this.keepPositions(open);
			return await this.answer(operation, { task: { ...task, questions: open }, permit, flight });
		};
		const wait = async (flights: Flight[]) =>
			await permit.without(async () => await this.allOver(flights));
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
	async answer(
		operation: AnyOperation | Lookup<unknown>,
		{ task, permit, flight }: Asking & { flight: Flight },
	): Promise<LookupResult[]> {
		const { run } = this;
		const jobs: Job[] = [];
		let client: TaskClient | undefined;
		const ask: Ask = async ({ heard }) => {
			client = new TaskClient(run, this, operation, { task, permit }, jobs);
			const results = await client.answer();
			for (const result of results) result.size = client.characters / results.length;
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
			keys: task.questions.map(({ key }) => key),
			// The task of a lookup keeps its permit, since the reply will arrive soon
			waitFor: async (reply) => {
				const wait = async () => await run.unlessStopped(reply);
				return operation === run.operation ? await permit.without(wait) : await wait();
			},
			giveWay: () => {
				permit.giveUp();
				flight.rest.come();
			},
		});
		for (const result of results) {
			if (!('failure' in result)) continue;
			// A failed lookup has opened the breaker of its own operation
			run.breakers.recordFailure(operation, result.failure, (client?.lookups.length ?? 0) > 0);
		}
		return results;
	}
}

interface Asking {
	task: Task;
	permit: TaskPermit;
}

class TaskClient implements Client {
	readonly call: Caller['call'];
	readonly attempt: Caller['attempt'];
	characters = 0;
	/** When its waits for a job end, in milliseconds since the epoch: Max Wait after the first one began. */
	private endsAt?: number;
	/** What became of its paid calls, and of its lookups of other operations. */
	private readonly paid: PaidCall[] = [];
	readonly lookups: MadeLookup[] = [];
	/** Among the first calls to an endpoint, for a call that it may make. */
	private place?: Place;
	/** The body of the last reply. */
	private response: IDataObject = {};

	/** @param jobs receives the jobs that the task has paid for */
	constructor(
		private readonly run: Run,
		private readonly performer: Performer,
		private readonly operation: AnyOperation | Lookup<unknown>,
		private readonly asking: Asking,
		private readonly jobs: Job[],
	) {
		({ call: this.call, attempt: this.attempt } = callerOn(this.make.bind(this)));
	}

	/** Answers each question of the task exactly once, whatever happens. */
	async answer(): Promise<LookupResult[]> {
		const { task } = this.asking;
		const { journal, operation } = this.run;
		const results = await this.results();
		this.place?.giveBack();
		if (!journal || operation !== this.operation) return results;
		const [first] = results;
		const failure = 'failure' in first ? first.failure : undefined;
		const failures = results.flatMap((result) => ('failure' in result ? result.failure : []));
		const awaiting = failures.find(isAwaited);
		const awaits = awaiting && whyAwaited(awaiting);
		const { paid, lookups } = this;
		const isForGood = paid.some(hasFailedForGood) || lookups.some((one) => one.hasFailedForGood);
		const isUnpaid = paid.some((call) => call.failure && !hasFailedForGood(call));
		// One that is cut off between its steps still has some to pay for
		const isOver = !failure || awaits !== undefined || isForGood;
		journal.end(operation, task, {
			isPaid: paid.length > 0 && !isUnpaid && isOver,
			awaits,
			...(failure && isForGood && { known: failure }),
		});
		return results;
	}

	/** Whether a paid call of the task itself was answered. */
	private get hasPaid(): boolean {
		return this.paid.some(({ failure }) => !failure);
	}

	private async results(): Promise<LookupResult[]> {
		const { operation } = this;
		const questions = this.asking.task.questions.map(({ question }) => question);
		try {
			const readings =
				'run' in operation
					? await operation.run(questions, this)
					: [await this.call(endpointOf(operation, questions[0]), 'call')];
			return questions.map((_, index) => this.resultOf(readings[index], index === 0));
		} catch (error) {
			const isFault = !(error instanceof CallFailed);
			if (isFault) this.run.log.fault(`running ${operation.resource}.${operation.value}`, error);
			const failure = isFault
				? { ...faultFailure(true), ...(this.hasPaid && { reply: this.response }) }
				: error.failure;
			const [first, others] = [true, false].map((isFirst) => this.resultOf({ failure }, isFirst));
			return questions.map((_, index) => (index === 0 ? first : others));
		}
	}

	async lookUp<Question>(lookup: Lookup<Question>, question: Question): Promise<LookupResult> {
		const { run, performer } = this;
		const { task, permit } = this.asking;
		const anyLookup = lookup as Lookup<unknown>;
		const key = equalityKey(anyLookup, question);
		run.ledger.need(anyLookup, key, true);
		const items = task.questions.flatMap((asked) => asked.items);
		const asked = { question, firstSlot: 0, items, position: key, key };
		const own = { questions: [asked], additional: [], tag: task.tag };
		const ask = async (_: unknown, flight: Flight) =>
			await performer.answer(anyLookup, { task: own, permit, flight });
		// It waits with the permit while the other tasks make calls. If they only sleep, other tasks may use the permit
		const wait = async (flights: Flight[]) => {
			for (const { rest } of flights) void rest.reached.then(() => permit.giveUp());
			return await performer.allOver(flights);
		};
		run.source?.noteAsker(anyLookup, key, task.questions[0].firstSlot);
		const [result] = await run.answers.askOnce(anyLookup, [{ key }], ask, wait);
		if ('failure' in result) {
			const { failure } = result;
			run.ledger.bookFailedLookup(failure, lookup.credits?.(question)?.balance);
			this.lookups.push({ hasFailedForGood: lastsLonger(anyLookup, result) });
			return { failure, explanation: run.log.explain(failure) };
		}
		const { source, ageDays = 0 } = result;
		this.lookups.push({ source, ageDays });
		run.ledger.steps[source === 'service' ? 'done' : source] += 1;
		// A later node may change the object, so each task gets its own copy
		const copy = source === 'service' ? result : await run.slices.finish(copyOf(result));
		const age = run.source && { ageDays };
		const answer = presented(anyLookup, copy, question, run.log.fault);
		return { ...copy, ...age, answer };
	}

	async willMake(endpoint: Endpoint<unknown>, step: string): Promise<boolean> {
		const { run } = this;
		const journalKey = this.journalKeyOf(endpoint, step);
		const request = this.requestOf(endpoint);
		if (journalKey && run.journal?.find(journalKey, request)) return false;
		this.place ??= await run.breakers.admit(request);
		return true;
	}

	isStored(call: LookupCall): boolean {
		const key = equalityKey(call.lookup, call.question);
		if (this.run.answers.find(call.lookup, key)) return true;
		return this.performer.layers.some((layer) => layer.find?.(call) !== undefined);
	}

	skip(calls: LookupCall[]) {
		for (const call of calls) {
			if (this.isStored(call)) continue;
			this.run.ledger.need(call.lookup, equalityKey(call.lookup, call.question), false);
		}
	}

	async sleep(ms: number, note?: string): Promise<void> {
		const { run, asking } = this;
		const now = run.clock.now();
		const left = (this.endsAt ??= now + run.settings.maxWaitMs) - now;
		if (left <= 0) {
			const waited = `the job isn't finished after ${inMinutes(run.settings.maxWaitMs)}`;
			const reason = note ? `${waited}. ${asSentence(note)}` : waited;
			throw new CallFailed({ cause: 'unfinished', reason, scope: 'question' });
		}
		const pause = async () => await run.pause(Math.max(Math.min(ms, left), SHORTEST_WAIT_MS));
		const failure = await asking.permit.without(pause);
		if (failure) throw new CallFailed(failure);
	}

	async map<Value, Made>(list: Value[], make: (value: Value) => Made): Promise<Made[]> {
		return await this.run.slices.map(list, make);
	}

	reportJob(job: Job) {
		this.jobs.push(job);
		this.run.ledger.jobs.push(job);
		this.run.log.job(job);
	}

	warn(words: string) {
		this.run.log.warn(words);
	}

	private async make(endpoint: Endpoint<unknown>, isAttempt: boolean, step?: string) {
		const { run, operation, jobs, place } = this;
		const { task } = this.asking;
		const request = this.requestOf(endpoint);
		const journalKey = this.journalKeyOf(endpoint, step);
		// A lookup that is a step of an operation with its own price ends the run like the operation's own calls
		const breaker = isPricedByLookups(run.operation) ? operation : run.operation;
		const isNextStep = jobs.length > 0 || this.hasPaid;
		const isLookup = breaker !== operation;
		const payer = endpoint.credits && payerOf(operation, task);
		const own = { breaker, isAttempt, isNextStep, isLookup, payer, journalKey, place };
		const call = { endpoint, request, ...own };
		const result = await run.send(call);
		this.characters += charactersOf(result);
		const failure = 'failure' in result ? result.failure : undefined;
		if (endpoint.credits) this.paid.push({ isJournaled: result.isJournaled, failure });
		if (!('failure' in result)) this.response = result.body;
		return result;
	}

	/** The request with the user's additional parameters. Those are added to the paid calls of a workflow, not to its polls. */
	private requestOf({ request, credits }: Endpoint<unknown>): ServiceRequest {
		const additional = 'run' in this.operation && !credits ? [] : this.asking.task.additional;
		return additional.length === 0 ? request : withAdditional(request, additional);
	}

	private journalKeyOf(
		{ credits, effect }: Endpoint<unknown>,
		step?: string,
	): JournalKey | undefined {
		const { operation, asking, run } = this;
		// The answers of lookups are stored, not journaled
		if (!credits || operation !== run.operation) return undefined;
		const { resource, value } = operation;
		if (step === undefined) throw new Error(`a paid call of ${resource}.${value} has no step`);
		const { position } = asking.task.questions[0];
		return { resource, value, position, step, ...(effect === 'acts' && { acts: true }) };
	}

	/** @param isFirst whether it is the result of the first question, which shows a reply that could not be processed */
	private resultOf(reading: Failed | Reading, isFirst: boolean): LookupResult {
		const { operation, jobs } = this;
		const paidBefore = this.hasPaid || this.lookups.some(({ source }) => source === 'service');
		if ('outcome' in reading) {
			const response = reading.response ?? this.response;
			const ageDays = Math.max(0, ...this.lookups.map((lookup) => lookup.ageDays ?? 0));
			return { answer: reading, response, source: this.source(), ...(ageDays > 0 && { ageDays }) };
		}
		const free = 'free' in operation && operation.free && { mayHaveCost: undefined };
		if ('failure' in reading) {
			const { reply } = reading.failure;
			// The failure names a job that can be fetched
			if (reply && isFirst && jobs.length === 0) {
				const answer = asItCame(this.run.log.explain(reading.failure));
				return { answer, response: reply, source: this.source() };
			}
			return { ...reading, failure: { ...reading.failure, paidBefore, jobs, ...free } };
		}
		const { scope, reason, mayHaveCost = scope === 'question' } = reading;
		const failure = { ...refusalFailure(reason, scope), mayHaveCost, jobs, ...free };
		return { failure: { ...failure, isFinal: true } };
	}

	/** The source of the answer, derived from its calls and lookups. */
	private source(): Answered['source'] {
		const { paid, lookups } = this;
		const sources = new Set(lookups.map(({ source = 'service' }) => source));
		const isOwn = paid.some(({ isJournaled }) => !isJournaled) || sources.has('service');
		if (isOwn || paid.length + sources.size === 0) return 'service';
		if (sources.has('duplicate')) return 'duplicate';
		return paid.length > 0 || sources.has('memory') ? 'memory' : 'stored';
	}
}

/** A paid call of a task: whether an earlier try has made it, and why it failed. */
interface PaidCall {
	isJournaled?: true;
	failure?: Failure;
}

/** Whether a paid call has failed, and is not made again. */
function hasFailedForGood({ isJournaled, failure }: PaidCall): boolean {
	return failure !== undefined && (isJournaled === true || failure.mayHaveCost === true);
}

/** A lookup of another operation: where its answer came from and its age, or whether it failed and is not made again. */
interface MadeLookup {
	source?: Answered['source'];
	ageDays?: number;
	hasFailedForGood?: boolean;
}

/** The call of an operation with one call. */
function endpointOf(operation: Lookup<unknown>, question: unknown): Endpoint<Reading> {
	return {
		request: operation.request(question),
		credits: operation.credits?.(question),
		window: operation.window,
		quotesOthers: operation.quotesOthers,
		read: (body, head) => operation.read(body, head, question),
	};
}

/** @param operation that makes the call: that of the task, or that of a lookup of the task */
function payerOf(
	{ resource, value }: { resource: string; value: string },
	{ questions, tag = '' }: Task,
): Payer {
	const items = [...new Set(questions.flatMap(({ items: asking }) => asking))];
	return { operation: `${resource}.${value}`, items: items.sort((a, b) => a - b), tag };
}
