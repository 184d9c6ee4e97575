import { deepCopy } from 'n8n-workflow';
import { describeFailure, type Reader } from './errors';
import type { Failure } from './failure';
import type { Ledger } from './ledger';
import type { RunMemory } from './memory';
import type { Answer, AnyOperation, Recall } from './operation';
import type { Settlement } from './perform';
import { equalityKey } from './plan';
import type { Consultation, Consulted, Failed } from './talk';

/** One operation as a run asks it: by its own name in memory, and with its own reason to ask it no more. */
export interface Line {
	operation: AnyOperation;
	memory: RunMemory;
	/** Whether a paid call is remembered for a retry: where its answer alone does not settle a question for good. */
	keepsReplies: boolean;
	/** Why no further call of it starts. */
	closedBy?: Failure;
}

/** Opens the line of an operation. */
export function openLine(operation: AnyOperation, memory: RunMemory): Line {
	return { operation, memory, keepsReplies: keepsReplies(operation) };
}

/** Whether paid calls of an operation are remembered for a retry (Line.keepsReplies). */
export function keepsReplies(operation: AnyOperation): boolean {
	return 'talk' in operation || !operation.repeatable;
}

/** What has become of a consultation, or becomes of it. */
interface Told {
	settlement: Settlement;
	isRemembered: boolean;
}

/** What the talks of a run have other operations answer: a question is asked once, whoever asks it. */
export class Consultations {
	private readonly lines = new Map<
		AnyOperation,
		{ line: Line; told: Map<string, Promise<Told>> }
	>();

	/**
	 * @param reader who reads what is said of failures
	 * @param ask asks what nobody has asked before, and keeps the answer
	 */
	constructor(
		private readonly memory: RunMemory,
		private readonly ledger: Ledger,
		private readonly reader: Reader,
		private readonly ask: (line: Line, question: unknown, key: string) => Promise<Settlement>,
	) {}

	/** The answer to one question. Nobody gets the object of another, since a later node may change what it is given. */
	async answer({ operation, question }: Consultation): Promise<Consulted | Failed> {
		const { line, told } = this.open(operation);
		const key = equalityKey(operation, question);
		const before = told.get(key);
		const fate = before ?? this.tell(line, question, key);
		told.set(key, fate);
		const { settlement, isRemembered } = await fate;
		if (settlement.kind === 'failure') {
			this.ledger.unanswered += 1;
			this.ledger.firstUnanswered ??= { action: operation.action, failure: settlement.failure };
			const { failure } = settlement;
			return { failure, words: describeFailure(failure, this.reader) };
		}
		const source = isRemembered ? 'memory' : before ? 'duplicate' : 'service';
		if (source === 'memory') this.ledger.recalled += 1;
		if (source === 'duplicate') this.ledger.shared += 1;
		const { answer, response } = source === 'service' ? settlement : deepCopy(settlement);
		return { answer: presented({ operation, question }, answer), response, source };
	}

	private async tell(line: Line, question: unknown, key: string): Promise<Told> {
		const told = await line.memory.onceAsked(key, async () => await this.ask(line, question, key));
		return 'asked' in told
			? { settlement: told.asked, isRemembered: false }
			: { settlement: told.remembered, isRemembered: true };
	}

	private open(operation: AnyOperation) {
		const known = this.lines.get(operation);
		if (known) return known;
		const line = openLine(operation, this.memory.of(operation));
		const opened = { line, told: new Map<string, Promise<Told>>() };
		this.lines.set(operation, opened);
		return opened;
	}
}

/** What became of a consultation earlier in this execution, if anything did. */
export function settledBefore(
	{ operation, question }: Consultation,
	memory: RunMemory,
): Settlement | undefined {
	return memory.of(operation).settlementOf(equalityKey(operation, question));
}

/** The answer as the operation shows it to whoever asked in these words. */
export function presented({ operation, question }: Consultation, answer: Answer): Answer {
	return operation.present?.(answer, question) ?? answer;
}

/** What the memory of the execution knows of other operations' questions. */
export function recallFrom(memory: RunMemory): Recall {
	return (consultation) => {
		const known = settledBefore(consultation, memory);
		return known?.kind === 'answer' ? known.answer : known;
	};
}
