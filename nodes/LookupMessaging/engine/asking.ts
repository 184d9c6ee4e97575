import type { IDataObject } from 'n8n-workflow';
import type { Line } from './consultations';
import type { Courier } from './courier';
import { ACCOUNT_STATUSES, notSent, STOPPED, UNREAD_STATUSES, type Failure } from './failure';
import { read, type Heard } from './judge';
import type { Ledger } from './ledger';
import type { ServiceRequest } from './operation';
import type { PlannedTalk } from './plan';
import type { Settings } from './settings';
import { tolerates, type Consulted, type Exchange, type Failed, type Job } from './talk';
import type { Reply } from './transport';

/** How one call of a talk is made: from memory or by the courier, booked, and heeded. */

/** One talk while it is led. */
export interface Conversation {
	line: Line;
	planned: PlannedTalk;
	/** Jobs that it has paid for. */
	jobs: Job[];
	/** Paid calls that it has made so far, and how many of them were remembered. */
	paidCalls: number;
	remembered: number;
	/** Keeps the replies that led it to another paid call, once that call is kept: a later try has to take the same way to it. */
	detours: Array<() => void>;
	/** Where the answers of other operations came from. */
	consulted: Set<Consulted['source']>;
	/** Whether one of them was answered. */
	paidBefore: boolean;
	/** The body that it heard last, and the length of all that it heard. */
	response: IDataObject;
	characters: number;
}

/** When no further call is made. The run decides. */
export interface StopRules {
	/** Why no further call of the line starts, if none does. */
	stopperOf(line: Line): Failure | undefined;
	/** Starts no further call of the line where the failure says so. */
	heed(line: Line, failure: Failure): void;
}

/** The place of a call that belongs to no item: several share it. */
export const SHARED = 'shared';

/** Where in a run a paid call stands, the same for all its tries: by its talk's first item, and the paid calls before it. */
export function placeOf(
	{ isRepeatable }: Exchange<unknown>,
	{ asks }: PlannedTalk,
	paidCalls: number,
): string {
	return isRepeatable ? SHARED : `${asks[0].place}.${paidCalls}`;
}

/** What a remembered reply says. It is booked already. */
export function recalled(exchange: Exchange<unknown>, reply: Reply): Failed | Heard {
	const heard = read(exchange, reply);
	if (!('failure' in heard)) return heard;
	const { isPreliminary } = exchange;
	return { failure: { ...heard.failure, mayHaveCost: true, isPreliminary } };
}

export class Asker {
	private readonly shared = new Map<string, Promise<Failed | Heard>>();

	constructor(
		private readonly courier: Courier,
		private readonly settings: Settings,
		private readonly ledger: Ledger,
		private readonly rules: StopRules,
	) {}

	/** Asks the service, unless another talk of this run has asked the same. */
	async ask(
		exchange: Exchange<unknown>,
		request: ServiceRequest,
		talk: Conversation,
	): Promise<Failed | Heard> {
		if (!exchange.isRepeatable) return await this.askAnew(exchange, request, talk);
		const name = JSON.stringify(request);
		const known = this.shared.get(name);
		if (known) talk.paidCalls += 1;
		const asked = known ?? this.askAnew(exchange, request, talk);
		this.shared.set(name, asked);
		return await asked;
	}

	/** Asks the service, unless the answer was paid for in an earlier try of this run. */
	private async askAnew(
		exchange: Exchange<unknown>,
		request: ServiceRequest,
		talk: Conversation,
	): Promise<Failed | Heard> {
		if (!exchange.credits) return await this.send(exchange, request, talk);
		const place = placeOf(exchange, talk.planned, talk.paidCalls);
		talk.paidCalls += 1;
		const { memory, keepsReplies } = talk.line;
		const isKept = keepsReplies && !exchange.isFleeting;
		const kept = isKept ? memory.replyTo(request, place) : undefined;
		if (kept) {
			talk.remembered += 1;
			return this.recall(exchange, kept, talk);
		}
		return await this.send(exchange, request, talk, (reply) => {
			if (isKept) memory.keep(request, place, reply);
		});
	}

	private async send(
		exchange: Exchange<unknown>,
		request: ServiceRequest,
		{ line, jobs, detours }: Conversation,
		keep?: (reply: Reply) => void,
	): Promise<Failed | Heard> {
		// A job that was paid for is seen to its end; nothing new is started
		const isOff = () => this.rules.stopperOf(line) !== undefined && jobs.length === 0;
		if (isOff()) return { failure: notSent(this.rules.stopperOf(line) ?? STOPPED) };
		const { patienceMs, timeoutMs } = this.settings;
		const { reply, retries } = await this.courier.deliver(request, {
			timeoutMs: exchange.timeoutMs ?? timeoutMs,
			patienceMs,
			isFree: exchange.credits === undefined,
			isSentOnce: exchange.isSentOnce,
			window: exchange.window,
			isOff,
		});
		this.ledger.retries += retries;
		if (!reply) return { failure: notSent(this.rules.stopperOf(line) ?? STOPPED) };
		const heard = this.hear(exchange, reply);
		if (!keep) return this.heeded(exchange, heard, line);
		if (!('failure' in heard) || heard.failure.mayHaveCost) {
			for (const keepDetour of detours.splice(0)) keepDetour();
			keep(reply);
		} else if (tolerates(exchange, heard.failure)) {
			detours.push(() => keep(reply));
		}
		return this.heeded(exchange, heard, line);
	}

	private heeded(exchange: Exchange<unknown>, heard: Failed | Heard, line: Line): Failed | Heard {
		// Heeded before the next call in line is let through
		if ('failure' in heard && mustBeHeeded(exchange, heard.failure)) {
			this.rules.heed(line, heard.failure);
		}
		return heard;
	}

	/** Heeds what a remembered reply says. */
	private recall(
		exchange: Exchange<unknown>,
		reply: Reply,
		{ line }: Conversation,
	): Failed | Heard {
		return this.heeded(exchange, recalled(exchange, reply), line);
	}

	private hear(exchange: Exchange<unknown>, reply: Reply): Failed | Heard {
		const { credits } = exchange;
		const heard = read(exchange, reply, (body) => this.ledger.book(credits, body));
		if (!('failure' in heard)) return heard;
		const { cause, scope, refusal, status = 0 } = heard.failure;
		// Also where it comes without words: SPEC does not say what a refusal costs
		const isOpen =
			cause === 'refused' &&
			!UNREAD_STATUSES.has(status) &&
			(refusal?.mayHaveCost ?? scope === 'question');
		if (!credits || (cause !== 'lost' && !isOpen)) return heard;
		if (cause === 'lost') this.ledger.bookLost(credits);
		else this.ledger.bookRefused(credits);
		return {
			failure: { ...heard.failure, mayHaveCost: true, isPreliminary: exchange.isPreliminary },
		};
	}
}

/** Whether a failure may keep further calls from starting: one that its talk deals with only when it is the account's. */
function mustBeHeeded(exchange: Exchange<unknown>, failure: Failure): boolean {
	const { status = 0, refusal } = failure;
	if (!tolerates(exchange, failure)) return true;
	// Its HTTP status is the answer
	if (exchange.request.takesAnyBody) return false;
	return refusal?.refused === 'account' || ACCOUNT_STATUSES.has(status);
}
