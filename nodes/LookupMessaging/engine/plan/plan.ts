import type { GenericValue, IExecuteFunctions } from 'n8n-workflow';
import type { Lookup } from '../client';
import type { Answered, Failed, Failure, LookupResult } from '../results';
import {
	isLocalAnswer,
	localFailure,
	parameterFailure,
	STOPPED,
	type AnyOperation,
	type LocalAnswer,
	type Params,
	type Part,
} from '../operation';
import { SLICES } from '../clock';
import { openParameters, type AdditionalParameters } from './parameters';
import type { Settings } from './settings';
import { FORBIDDEN_NAME, isWhole } from './values';

/** The whole run before anything is sent. */
export interface Plan {
	slots: Slot[];
	tasks: Task[];
	/** Results of questions that need not be sent again: from earlier in this execution, and stored results. */
	known: Map<UniqueQuestion, LookupResult>;
	/** Warnings about what is empty or lacking: sentences without a full stop. */
	warnings: string[];
}

/** One question, with all slots that ask it. */
export interface UniqueQuestion {
	question: unknown;
	firstSlot: number;
	/** The items that ask it, in order. */
	items: number[];
	/** Item and part of that slot: the same for all tries of a run. */
	position: string;
	/** The key of its stored answer; undefined if equal questions of the execution share no answer. */
	key?: string;
}

/** Questions that go to the service together; one, for most operations. */
export interface Task {
	questions: UniqueQuestion[];
	additional: AdditionalParameters;
	/** The tag of its paid calls; undefined without Cost Log. */
	tag?: string;
}

/**
 * A place in the output: one for each item, or for each part of an item's list. Its `question` may differ from the unique
 * question in parts that are not sent.
 */
export type Slot = SlotHead &
	(
		| { kind: 'asked'; asked: UniqueQuestion; question: unknown }
		| { kind: 'failure'; failure: Failure }
		| { kind: 'local'; local: LocalAnswer }
	);

interface SlotHead {
	item: number;
	/** The subject value as the user wrote it; undefined if the operation has no subject. */
	input: GenericValue;
}

export type SlotResult = SlotHead &
	(
		| ({ kind: 'answer' } & Answered)
		| ({ kind: 'failure' } & Failed)
		| { kind: 'local'; local: LocalAnswer }
	);

/**
 * Reads the parameters of all items, answers locally if possible, and merges equal questions. After Stop it reads no further
 * item: the rest of the list fails.
 */
export async function planRun(
	context: IExecuteFunctions,
	operation: AnyOperation,
	itemCount: number,
	settings: Settings,
	answers: StoredAnswers,
): Promise<Plan> {
	const slots: Slot[] = [];
	const batcher = new Batcher(operation, answers);
	const { read, values, opened } = openParameters(context, operation, settings);
	const needs = new Needs();
	let { problem } = settings;
	const giveWay = async () => {
		await SLICES.pause();
		if (context.getExecutionCancelSignal()?.aborted) problem = STOPPED;
	};
	for (let item = 0; item < itemCount; item += 1) {
		if (SLICES.isOver) await giveWay();
		const found = problem ? { failure: problem } : await read(item);
		const first = slots.length;
		for (const made of 'failure' in found ? [found] : partsOf(operation, found, settings)) {
			if (SLICES.isOver) await giveWay();
			const next = problem ? { failure: problem } : made;
			if ('failure' in next) {
				slots.push({ item, input: null, kind: 'failure', failure: next.failure });
				break;
			}
			const { input, question, flaw, ...wanted } = next;
			needs.count(operation, question);
			const local = isLocalAnswer(question) ? question : failsInvalid(settings) && flaw;
			const slot = slots.length;
			const rest = local
				? planLocally(local, operation, settings)
				: batcher.add(question, wanted, { slot, item, part: slot - first });
			slots.push({ item, input, ...rest });
		}
	}
	const tasks = await batcher.tasks();
	const isSent = tasks.length > 0 || batcher.known.size > 0 || operation.outcomes !== undefined;
	const all = isSent ? slots : await SLICES.map(slots, asFailure);
	return {
		slots: all,
		tasks,
		known: batcher.known,
		warnings: [...(settings.warnings?.(opened, values) ?? []), ...needs.warnings()],
	};
}

/** A slot of a run that has nothing to send. */
function asFailure(slot: Slot): Slot {
	return slot.kind === 'local'
		? { ...slot, kind: 'failure', failure: localFailure({ ...slot.local, local: 'parameter' }) }
		: slot;
}

/** Counts the values that lack something that one field of the form can set for all of them. */
class Needs {
	private values = 0;
	private lacking = 0;
	private needs = '';

	count({ valueIn }: AnyOperation, question: unknown) {
		const isLocal = isLocalAnswer(question);
		// The answer of a whole item is about this value only if it says so
		if (valueIn && isLocal && question.needs === undefined) return;
		const value = isLocal || !valueIn ? question : valueIn(question);
		const { local, needs } = isLocalAnswer(value) ? value : {};
		if (value !== undefined && local !== 'empty') this.values += 1;
		if (needs === undefined) return;
		this.lacking += 1;
		this.needs = needs;
	}

	/** A sentence if many values lack it. */
	warnings(): string[] {
		const { values, lacking, needs } = this;
		return lacking > 1 && lacking * 2 >= values ? [`${lacking} of ${values} ${needs}`] : [];
	}
}

/** What earlier runs and tries of the execution know about a question, by its key. */
interface StoredAnswers {
	find(operation: AnyOperation, key: string | undefined): LookupResult | undefined;
	/** The position of the task in which an earlier try of this run asked it. */
	positionOf(operation: AnyOperation, key: string): string | undefined;
}

type Wanted = Omit<Task, 'questions'>;

/** The place of a question in the output and in the input. */
type Place = { slot: number; item: number; part: number };

/** Collects the questions of a run: equal ones become one, and those that can be sent together become one task. */
class Batcher {
	private readonly unique = new Map<string, UniqueQuestion>();
	/** By additional parameters and tag, since all questions of a task share them, and by the task of an earlier try. */
	private readonly batches = new Map<string, Task>();
	readonly known = new Map<UniqueQuestion, LookupResult>();

	constructor(
		private readonly operation: AnyOperation,
		private readonly answers: StoredAnswers,
	) {}

	add(question: unknown, wanted: Wanted, { slot, item, part }: Place) {
		const { operation, answers } = this;
		const { additional } = wanted;
		const position = `${item}.${part}`;
		const failure = additionalProblem(operation, question, additional);
		if (failure) return { kind: 'failure', failure } as const;
		const isShared = operation.repeatable || ('run' in operation && operation.asksOnce);
		const identity = isShared ? equalityKey(operation, question, additional) : position;
		let asked = this.unique.get(identity);
		if (!asked) {
			const key = isShared ? identity : undefined;
			// Questions that an earlier try asked together are asked together again
			const earlier = key && answers.positionOf(operation, key);
			asked = { question, firstSlot: slot, items: [], position: earlier ?? position, key };
			this.unique.set(identity, asked);
			const result = answers.find(operation, key);
			if (result) this.known.set(asked, result);
			else this.batchOf(wanted, earlier).questions.push(asked);
		}
		if (asked.items.at(-1) !== item) asked.items.push(item);
		return { kind: 'asked', asked, question } as const;
	}

	/** The batches, cut into tasks of the size that the operation takes, in the order of their first items. */
	async tasks(): Promise<Task[]> {
		const size = 'run' in this.operation ? (this.operation.questionsPerTask ?? 1) : 1;
		const tasks: Task[] = [];
		for (const { questions, ...wanted } of this.batches.values()) {
			for (let begin = 0; begin < questions.length; begin += size) {
				if (SLICES.isOver) await SLICES.pause();
				tasks.push({ questions: questions.slice(begin, begin + size), ...wanted });
			}
		}
		return tasks.sort((a, b) => a.questions[0].firstSlot - b.questions[0].firstSlot);
	}

	private batchOf(wanted: Wanted, position?: string): Task {
		const key = JSON.stringify([wanted.additional, wanted.tag, position]);
		const batch = this.batches.get(key) ?? { questions: [], ...wanted };
		this.batches.set(key, batch);
		return batch;
	}
}

/** The questions of one item: one, or one for each part of its list. A value that `prepare` cannot read fails this item only. */
function* partsOf(
	operation: AnyOperation,
	{ params, ...wanted }: Wanted & { params: Params },
	{ urls }: Pick<Settings, 'urls'>,
): Generator<{ failure: Failure } | (Part<unknown> & Wanted)> {
	try {
		const { subject } = operation;
		const prepared = operation.prepare(params, urls);
		const hasParts = typeof prepared === 'object' && prepared !== null && 'parts' in prepared;
		const input = subject === undefined ? undefined : params[subject];
		const own: Part<unknown> = { input, question: prepared };
		const parts = hasParts ? (prepared.parts as Iterable<Part<unknown>>) : [own];
		for (const part of parts) yield { ...part, ...wanted };
	} catch {
		yield { failure: parameterFailure("its parameters contain a value that can't be read") };
	}
}

function failsInvalid({ alsoFailItemsIf }: Settings): boolean {
	return alsoFailItemsIf.includes('inputIsInvalid');
}

/** Invalid input is data if the others can continue, unless the user wants a failure. A wrong parameter always fails its item. */
function planLocally(
	local: LocalAnswer,
	{ outcomes, oneItemPerTask }: AnyOperation,
	settings: Settings,
) {
	const goesOn = outcomes ?? oneItemPerTask;
	const mayBeData = local.local !== 'parameter' && !failsInvalid(settings);
	const isData = mayBeData || local.local === 'reserved';
	if (goesOn && isData) return { kind: 'local', local } as const;
	// The remedy for invalid input names an option that only these have
	const named: LocalAnswer = goesOn ? local : { ...local, local: 'parameter' };
	return { kind: 'failure', failure: localFailure(named) } as const;
}

/** Finds names in the additional parameters that the user cannot set. */
function additionalProblem(
	operation: AnyOperation,
	question: unknown,
	additional: AdditionalParameters,
): Failure | undefined {
	if (additional.length === 0) return undefined;
	const names = additional.map(([name]) => name);
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (twice) {
		return parameterFailure(`Additional Parameters has "${twice}" twice. Remove one of them`);
	}
	if (!additional.flat().every(isWhole)) {
		return parameterFailure('Additional Parameters has an unreadable character. Copy it again');
	}
	if (names.includes(FORBIDDEN_NAME)) {
		const reason = `Additional Parameters has "${FORBIDDEN_NAME}", a name that is never sent. Remove it`;
		return parameterFailure(reason);
	}
	const { query, body } = 'run' in operation ? {} : operation.request(question);
	const own = 'run' in operation ? operation.parameterNames : Object.keys({ ...query, ...body });
	const taken = names.find((name) => name === 'api_key' || own?.includes(name));
	if (taken === undefined) return undefined;
	return parameterFailure(
		`Additional Parameters has "${taken}", which this node sets itself. Remove it there`,
	);
}

/**
 * The key of a question. Two questions are equal if everything that is sent is equal in its canonical spelling: the request of an
 * operation with one call, the question of any other.
 */
export function equalityKey(
	operation: AnyOperation | Lookup<unknown>,
	question: unknown,
	additional: AdditionalParameters = [],
): string {
	const canonical = operation.canonical?.(question) ?? question;
	const sent = 'request' in operation ? operation.request(canonical) : canonical;
	return JSON.stringify([sent, additional]);
}

/** The side effects of a run that no other run may have in progress, by content. */
export async function deedsOf(operation: AnyOperation, { tasks }: Plan): Promise<string[]> {
	if (operation.free || operation.repeatable) return [];
	return await SLICES.map(tasks, (task) => deedIn(operation, task));
}

/** What a task does, in words that equal tasks share. */
export function deedIn(operation: AnyOperation, { questions, additional }: Task): string {
	const { resource, value } = operation;
	const keys = questions.map(({ question }) => equalityKey(operation, question, additional));
	return JSON.stringify([resource, value, ...keys]);
}

/** Whether a run has one item only, or asks once for all of them. Its failures need no index. */
export function hasOneItem({ slots }: Pick<Plan, 'slots'>): boolean {
	return slots[slots.length - 1]?.item === 0;
}
