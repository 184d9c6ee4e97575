import type { GenericValue, IExecuteFunctions } from 'n8n-workflow';
import { localFailure, parameterFailure, type Failure } from './failure';
import {
	isLocalAnswer,
	talkAbout,
	type AnyOperation,
	type Given,
	type LocalAnswer,
	type Part,
	type ServiceRequest,
} from './operation';
import { openParameters, type AdditionalParameters } from './parameters';
import type { Settlement } from './perform';
import type { Settings } from './settings';

/** One question, asked by one slot or by all that ask the same. */
export interface Ask {
	question: unknown;
	/** Index of the first slot that asks; the others share its answer. */
	firstSlot: number;
	/** Item and part of the item of that slot: the same for all tries of a run. */
	place: string;
	/** What all equal questions of the execution share; undefined where they share no answer. */
	key?: string;
}

/** Questions that go to the service together; one, for most operations. */
export interface PlannedTalk {
	asks: Ask[];
	additional: AdditionalParameters;
}

/**
 * A place in the output: one for each item, or for each part of an item's list. Its `question` may differ from that of the
 * ask that it shares in what is not sent.
 */
export type Slot = {
	/** Index of the input item. */
	item: number;
	/** What is asked about, as the user gave it; undefined where the operation has no subject. */
	input: GenericValue;
} & (
	| { kind: 'ask'; ask: Ask; question: unknown }
	| { kind: 'failure'; failure: Failure }
	| { kind: 'local'; local: LocalAnswer }
);

/** The whole run before anything is sent. */
export interface Plan {
	slots: Slot[];
	talks: PlannedTalk[];
	/** What became earlier in this execution of questions that are asked again. */
	remembered: Map<Ask, Settlement>;
}

/** Reads the parameters of all items, answers locally what can be, and lets equal questions share one answer. */
export async function planRun(
	context: IExecuteFunctions,
	operation: AnyOperation,
	itemCount: number,
	settings: Settings,
	recall: (key: string) => Settlement | undefined,
): Promise<Plan> {
	const slots: Slot[] = [];
	const desk = new Desk(operation, recall);
	const read = openParameters(context, operation);
	for (let item = 0; item < itemCount; item += 1) {
		const found = settings.problem ? { failure: settings.problem } : await read(item);
		if ('failure' in found) {
			slots.push({ item, input: null, kind: 'failure', failure: found.failure });
			continue;
		}
		const parts = readable(() => partsOf(operation, found.given));
		if ('failure' in parts) {
			slots.push({ item, input: null, kind: 'failure', failure: parts.failure });
			continue;
		}
		for (const [part, { input, ask, flaw }] of parts.entries()) {
			const local = isLocalAnswer(ask) ? ask : settings.failOnMalformedInput ? flaw : undefined;
			const fate = local
				? planLocally(local, operation, settings)
				: desk.take(ask, found.additional, slots.length, `${item}.${part}`);
			slots.push({ item, input, ...fate });
		}
	}
	return { slots, talks: desk.talks(), remembered: desk.remembered };
}

/** Takes in the questions of a run: equal ones become one, and those that can travel together are bundled. */
class Desk {
	private readonly asks = new Map<string, Ask>();
	private readonly bundles = new Map<string, PlannedTalk>();

	/** Questions that need not be asked. */
	readonly remembered = new Map<Ask, Settlement>();

	constructor(
		private readonly operation: AnyOperation,
		private readonly recall: (key: string) => Settlement | undefined,
	) {}

	take(question: unknown, additional: AdditionalParameters, slot: number, place: string) {
		const failure = additionalProblem(this.operation, question, additional);
		if (failure) return { kind: 'failure', failure } as const;
		const key = sharesAnswers(this.operation)
			? equalityKey(this.operation, question, additional)
			: undefined;
		const known = key === undefined ? undefined : this.asks.get(key);
		const ask = known ?? this.open({ question, firstSlot: slot, place }, additional, key);
		return { kind: 'ask', ask, question } as const;
	}

	private open(
		asked: Omit<Ask, 'key'>,
		additional: AdditionalParameters,
		sharedKey: string | undefined,
	): Ask {
		const key = this.operation.repeatable ? sharedKey : undefined;
		const ask: Ask = { ...asked, key };
		if (sharedKey !== undefined) this.asks.set(sharedKey, ask);
		const settlement = key === undefined ? undefined : this.recall(key);
		if (settlement) this.remembered.set(ask, { ...settlement, ...REMEMBERED });
		else this.bundle(additional).asks.push(ask);
		return ask;
	}

	/** The bundles, cut to the size that the operation takes. */
	talks(): PlannedTalk[] {
		const size = 'talk' in this.operation ? (this.operation.questionsAtOnce ?? 1) : 1;
		return [...this.bundles.values()].flatMap(({ asks, additional }) =>
			Array.from({ length: Math.ceil(asks.length / size) }, (_, index) => ({
				asks: asks.slice(index * size, (index + 1) * size),
				additional,
			})),
		);
	}

	private bundle(additional: AdditionalParameters): PlannedTalk {
		const key = JSON.stringify(additional);
		const bundle = this.bundles.get(key) ?? { asks: [], additional };
		this.bundles.set(key, bundle);
		return bundle;
	}
}

/** Marks a settlement that was paid for earlier in this execution. */
export const REMEMBERED = { isRemembered: true } as const;

/** A value that no operation reckons with costs its own item, not the run. */
function readable<Read extends object>(read: () => Read): Read | { failure: Failure } {
	try {
		return read();
	} catch {
		return { failure: parameterFailure('its parameters hold a value that cannot be read') };
	}
}

/** The questions of one item: one, or one for each part of its list. */
function partsOf(operation: AnyOperation, given: Given): Array<Part<unknown>> {
	const prepared = operation.prepare(given);
	if (typeof prepared === 'object' && prepared !== null && 'parts' in prepared) {
		return prepared.parts as Array<Part<unknown>>;
	}
	return [
		{
			input: operation.subject === undefined ? undefined : given[operation.subject],
			ask: prepared,
		},
	];
}

/** Malformed input of a lookup is data, unless the user wants it to fail; a wrong parameter always fails its item. */
function planLocally(
	local: LocalAnswer,
	operation: AnyOperation,
	{ failOnMalformedInput }: Settings,
) {
	const isData =
		operation.outcomes !== undefined &&
		(local.local === 'reserved' || (local.local !== 'parameter' && !failOnMalformedInput));
	return isData
		? ({ kind: 'local', local } as const)
		: // Only lookups have the option that the help for malformed input names
			({
				kind: 'failure',
				failure: localFailure(operation.outcomes ? local : { ...local, local: 'parameter' }),
			} as const);
}

/** Whether equal questions of a run are asked once. */
function sharesAnswers(operation: AnyOperation): boolean {
	return operation.repeatable === true || ('talk' in operation && operation.asksEachOnce === true);
}

/** What is wrong with the additional parameters of a question, if anything: names that are not the user's to set. */
function additionalProblem(
	operation: AnyOperation,
	question: unknown,
	additional: AdditionalParameters,
): Failure | undefined {
	if (additional.length === 0) return undefined;
	const { body, form, query } = firstRequest(operation, question) ?? {};
	const own = { ...query, ...body, ...form?.fields };
	const names = additional.map(([name]) => name);
	const taken = names.find((name) => name === 'api_key' || Object.keys(own).includes(name));
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (twice)
		return parameterFailure(`Additional Parameters has "${twice}" twice; remove one of them`);
	return taken === undefined
		? undefined
		: parameterFailure(
				`Additional Parameters has "${taken}", which this node sets itself; remove it there`,
			);
}

/** Two questions are the same when everything sent is the same in its canonical spelling. */
export function equalityKey(
	operation: AnyOperation,
	question: unknown,
	additional: AdditionalParameters = [],
): string {
	const canonical = operation.canonical?.(question) ?? question;
	return JSON.stringify([firstRequest(operation, canonical) ?? canonical, additional]);
}

/**
 * The first call of the talk about a question. Talks are pure, so it can be asked for ahead of time.
 * @returns undefined where the talk begins with other operations' answers
 */
function firstRequest(operation: AnyOperation, question: unknown): ServiceRequest | undefined {
	const { value: step } = talkAbout(operation, [question]).next();
	if ('consult' in step) return undefined;
	if (!('exchange' in step)) throw new Error(`${operation.value} does not begin with a call`);
	return step.exchange.request;
}
