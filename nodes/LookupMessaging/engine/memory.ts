import type { IExecuteFunctions } from 'n8n-workflow';
import { SHARED } from './asking';
import { Ledger } from './ledger';
import type { AnyOperation, ServiceRequest } from './operation';
import type { Settlement } from './perform';
import { isToolRun, type Settings } from './settings';
import { CREDENTIAL_TYPE, type Reply } from './transport';

/**
 * What this node has paid for in this execution, so that loops and Retry On Fail do not pay for it again. It lives in the
 * memory of the process, tied to the context object that n8n keeps for a node as long as an execution runs: nothing is
 * written anywhere, and it is gone with the execution, or at a Wait that resumes from the database.
 */

/** Where a settlement holds: in the whole execution, or in all its runs but this one, whose retries may still do better. */
export type Life = 'execution' | 'otherRuns';

/** What one run of the node recalls and keeps. */
export interface RunMemory {
	/** The memory of what another operation is asked, under that operation's own name. */
	of(operation: AnyOperation): RunMemory;
	/** What the execution spent before this run. */
	readonly earlier: Ledger;
	/** Paid lookups of the execution so far, with those that its runs have set aside. */
	taken(): number;
	/** Sets paid lookups aside for this run, if that many are left of the most that the execution may make. */
	setAside(lookups: number, most: number): boolean;
	/** What became of a question of a repeatable operation; the key is that of the question. */
	settlementOf(key: string): Settlement | undefined;
	/** @param weight roughly how many characters it takes */
	settle(key: string, settlement: Settlement, weight: number, life: Life): void;
	/**
	 * Asks a question unless its answer is remembered. While another run of the execution is asking it, as calls of a tool at the
	 * same time may, its answer is awaited.
	 */
	onceAsked<Asked>(
		key: string,
		ask: () => Promise<Asked>,
	): Promise<{ remembered: Settlement } | { asked: Asked }>;
	/**
	 * What a paid call brought in an earlier try of this very run. Whatever it says this time: at one place of a run n8n hands
	 * in the same item, so another text can only come from an expression that gives another value each time.
	 * @param place where in the run it stands: item, part of the item, and place among the paid calls of the talk
	 */
	replyTo(request: ServiceRequest, place: string): Reply | undefined;
	keep(request: ServiceRequest, place: string, reply: Reply): void;
	/** Adds what this run spent to what the execution did, and gives back what it had set aside. */
	book(ledger: Ledger): void;
}

/** Characters that one memory holds at most of answers, and of replies. */
const MOST_CHARACTERS = 50_000_000;

/** Values by key, the oldest of which give way when they grow too many. */
class Shelf<Value> {
	private readonly kept = new Map<string, { value: Value; weight: number }>();
	private weight = 0;

	get(key: string): Value | undefined {
		return this.kept.get(key)?.value;
	}

	set(key: string, value: Value, characters: number) {
		this.drop(key);
		const weight = characters + key.length;
		this.kept.set(key, { value, weight });
		this.weight += weight;
		for (const oldest of this.kept.keys()) {
			if (this.weight <= MOST_CHARACTERS) break;
			this.drop(oldest);
		}
	}

	private drop(key: string) {
		this.weight -= this.kept.get(key)?.weight ?? 0;
		this.kept.delete(key);
	}
}

interface Remembered {
	settlement: Settlement;
	/** Index of the run that does not heed it. */
	butIn?: string;
}

class ExecutionMemory {
	readonly settlements = new Shelf<Remembered>();
	readonly replies = new Shelf<Reply>();
	readonly spent = new Ledger();
	/** Paid lookups that runs under way may still make. */
	setAside = 0;
	/** Questions that are being asked. */
	readonly asked = new Map<string, Promise<void>>();
}

const memories = new WeakMap<object, ExecutionMemory>();

/** Opens the memory of the execution for one run of the node. */
export function openMemory(
	context: IExecuteFunctions,
	operation: AnyOperation,
	settings: Settings,
): RunMemory {
	const { asksAgainAfterLost } = settings;
	const memory = memoryOf(context);
	const { settlements, replies, spent, asked } = memory;
	const about = [operation.resource, operation.value, credentialOf(context)];
	const run = runOf(context);
	// A model may use the ID of a call for another one
	const isTool = isToolRun(context);
	const nameOf = ({ method, service, path, query, body, form }: ServiceRequest, place: string) => {
		const values = isTool ? [query, body, form?.fields] : place === SHARED && query;
		return JSON.stringify([...about, run, place, method, service, path, values]);
	};
	let setAside = 0;
	const earlier = new Ledger();
	earlier.include(spent);
	const others = new Map<AnyOperation, RunMemory>();

	return {
		earlier,
		taken: () => spent.lookups + memory.setAside,
		setAside(lookups, most) {
			if (spent.lookups + memory.setAside + lookups > most) return false;
			setAside += lookups;
			memory.setAside += lookups;
			return true;
		},
		async onceAsked(key, ask) {
			const name = JSON.stringify([...about, key]);
			for (let other = asked.get(name); other; other = asked.get(name)) await other;
			const remembered = this.settlementOf(key);
			if (remembered) return { remembered };
			// From here to the note that it is asked nothing may come between
			let over = () => {};
			asked.set(name, new Promise((resolve) => (over = resolve)));
			try {
				return { asked: await ask() };
			} finally {
				asked.delete(name);
				over();
			}
		},
		of(other) {
			const memory = others.get(other) ?? openMemory(context, other, settings);
			others.set(other, memory);
			return memory;
		},
		settlementOf(key) {
			const known = settlements.get(JSON.stringify([...about, key]));
			if (!known || (known.butIn !== undefined && known.butIn === run)) return undefined;
			const { settlement } = known;
			const isLost = settlement.kind === 'failure' && settlement.failure.cause === 'lost';
			return isLost && asksAgainAfterLost ? undefined : settlement;
		},
		settle(key, settlement, weight, life) {
			const butIn = life === 'otherRuns' ? run : undefined;
			settlements.set(JSON.stringify([...about, key]), { settlement, butIn }, weight);
		},
		replyTo(request, place) {
			if (run === undefined) return undefined;
			const reply = replies.get(nameOf(request, place));
			return reply?.kind === 'lost' && asksAgainAfterLost ? undefined : reply;
		},
		keep(request, place, reply) {
			if (run === undefined) return;
			const weight = reply.kind === 'ok' ? (reply.size ?? 0) : 0;
			replies.set(nameOf(request, place), reply, weight);
		},
		book(ledger) {
			spent.include(ledger);
			memory.setAside -= setAside;
			setAside = 0;
		},
	};
}

function memoryOf(context: IExecuteFunctions): ExecutionMemory {
	const life = context.getContext('node');
	const memory = memories.get(life) ?? new ExecutionMemory();
	memories.set(life, memory);
	return memory;
}

function credentialOf(context: IExecuteFunctions): string {
	return context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '';
}

/**
 * What tells this run from the others of the execution: the same for all tries of Retry On Fail, another one for each round
 * of a loop. A tool is told apart by the ID of its call; without one it has no name, since the same deed asked for twice
 * is meant twice.
 */
function runOf(context: IExecuteFunctions): string | undefined {
	if (!isToolRun(context)) return String(context.getWorkflowDataProxy(0).$runIndex);
	const [item] = context.getInputData();
	const call = item?.json.toolCallId;
	return typeof call === 'string' && call !== '' ? call : undefined;
}
