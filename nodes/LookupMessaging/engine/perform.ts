import type { IDataObject } from 'n8n-workflow';
import { estimateRun, spareLookups } from './afford';
import { Consultations, openLine, recallFrom, type Line } from './consultations';
import type { Courier } from './courier';
import { ACCOUNT_STATUSES, notSent, STOPPED, type Failure } from './failure';
import { judge, refusalFailure, type Heard } from './judge';
import type { Ledger } from './ledger';
import type { Life, RunMemory } from './memory';
import {
	isRefusal,
	talkAbout,
	type Answer,
	type AnyOperation,
	type Reading,
	type ServiceRequest,
} from './operation';
import { withAdditional } from './parameters';
import type { Ask, PlannedTalk } from './plan';
import { Turnstile } from './pool';
import type { Settings } from './settings';
import {
	isFailed,
	tolerates,
	type Consultation,
	type Consulted,
	type Exchange,
	type Failed,
	type Job,
	type Step,
} from './talk';
import type { Reply } from './transport';

/** What became of a question. */
export type Settlement =
	| {
			kind: 'answer';
			answer: Answer;
			response: IDataObject;
			/** It was paid for earlier in this execution. */
			isRemembered?: boolean;
			/** Talks before it in this run paid for it. */
			isShared?: boolean;
	  }
	| { kind: 'failure'; failure: Failure };

/** Most files in memory at once. */
const MOST_FILES = 4;

/** What performing needs of the outside: the network, and time. */
export interface Stage extends Courier {
	/** Waits; resolves with a failure when the wait cannot go on: stopped, or past the deadline, which the note explains. */
	wait(ms: number, note?: string): Promise<Failure | undefined>;
	/** Waits up to so long: a random part of it, or until the execution is stopped. */
	backOff(mostMs: number): Promise<void>;
	/** Tells the log of n8n about a job, since a cancelled execution keeps no output. */
	log(job: Job): void;
}

/** How often an inconclusive answer is asked for again at most, and the longest pause before that, in milliseconds. */
const INCONCLUSIVE = { mostTries: 3, backOffMs: 4_000 };

/**
 * Leads all talks, so many calls at a time, and settles each question exactly once. After a refusal of the account no
 * further call is started, and where the user wants the node to stop, none after any failure; what is under way runs on.
 * @param ledger takes what the calls cost
 */
export async function performTalks(
	operation: AnyOperation,
	talks: PlannedTalk[],
	stage: Stage,
	settings: Settings,
	memory: RunMemory,
	ledger: Ledger,
): Promise<Map<Ask, Settlement>> {
	const estimate = estimateRun(operation, { talks }, recallFrom(memory));
	const spare = spareLookups(estimate, memory.earlier, settings);
	const run = new Run(operation, stage, settings, memory, ledger, spare);
	const led: Array<Promise<void>> = [];
	for (const talk of talks) {
		// One after the other, so that a long list does not wait in memory as so many promises
		await run.turnstile.enter();
		led.push(run.lead(talk));
	}
	await Promise.all(led);
	return run.settlements;
}

/** One talk while it is led. */
interface Conversation {
	line: Line;
	planned: PlannedTalk;
	/** Jobs that it has paid for. */
	jobs: Job[];
	/** Paid calls that it has made so far, and how many of them were remembered. */
	paidCalls: number;
	remembered: number;
	/** Where the answers of other operations came from. */
	consulted: Set<Consulted['source']>;
	/** Whether one of them was answered. */
	paidBefore: boolean;
	/** The body that it heard last, and the length of all that it heard. */
	response: IDataObject;
	characters: number;
}

class Run {
	readonly settlements = new Map<Ask, Settlement>();
	/** A talk keeps its turn until it ends, but for its waits: what it has begun to pay for is finished first. */
	readonly turnstile: Turnstile;
	/** Where n8n keeps binary data in memory a file is held twice while it is sent, so few of them pass at once. */
	private readonly fileTurnstile = new Turnstile(MOST_FILES);
	/** Several questions of one talk may be asked of other operations at once. */
	private readonly consultTurnstile: Turnstile;
	private readonly consultations: Consultations;
	/** The operation that the run is of. What closes its line stops the run. */
	private readonly main: Line;

	constructor(
		operation: AnyOperation,
		private readonly stage: Stage,
		private readonly settings: Settings,
		memory: RunMemory,
		private readonly ledger: Ledger,
		/** Paid lookups that may be made beyond the one of each question. */
		private spare: number,
	) {
		this.turnstile = new Turnstile(settings.maxConcurrentRequests);
		this.consultTurnstile = new Turnstile(settings.maxConcurrentRequests);
		this.main = openLine(operation, memory);
		this.consultations = new Consultations(memory, ledger, async (line, question, key) => {
			const ask: Ask = { question, firstSlot: 0, key };
			const talk = await this.converse(line, { asks: [ask], additional: [] }, []);
			const [settlement] = talk.settlements;
			this.heedSettled(line, ask, settlement, talk.characters);
			return settlement;
		});
	}

	/** Leads one talk, whose turn has come, to its end and settles its questions, whatever happens in it. */
	async lead(planned: PlannedTalk) {
		const jobs: Job[] = [];
		try {
			const talk = await this.converse(this.main, planned, jobs);
			for (const [index, ask] of planned.asks.entries()) {
				const characters = talk.characters / planned.asks.length;
				this.settle(ask, talk.settlements[index], characters, talk.consulted.size > 0);
			}
		} catch {
			const reason = 'what the service answered could not be made sense of';
			const failure: Failure = {
				cause: 'lost',
				reason,
				scope: 'question',
				mayHaveCost: !this.main.operation.free,
				jobs,
			};
			for (const ask of planned.asks) {
				if (!this.settlements.has(ask)) this.settle(ask, { kind: 'failure', failure }, 0);
			}
		} finally {
			this.turnstile.leave();
		}
	}

	/** Leads the talk through, and once more where its answer settled nothing and that is wanted. */
	private async converse(line: Line, planned: PlannedTalk, jobs: Job[]) {
		for (let tries = 1; ; tries += 1) {
			const talk: Conversation = {
				...{ line, planned, jobs, paidCalls: 0, remembered: 0, paidBefore: false },
				...{ response: {}, characters: 0, consulted: new Set() },
			};
			const settlements = await this.leadThrough(talk);
			if (await this.mayAskAgain(line, settlements, tries)) continue;
			return { ...talk, settlements };
		}
	}

	private async leadThrough(talk: Conversation): Promise<Settlement[]> {
		const { asks } = talk.planned;
		const { jobs } = talk;
		const { operation } = talk.line;
		const steps = talkAbout(
			operation,
			asks.map(({ question }) => question),
		);
		let step = steps.next();
		while (!step.done) {
			const outcome = await this.take(step.value, talk);
			if ('failure' in outcome && !isTolerant(step.value, outcome.failure)) {
				const failure = { ...outcome.failure, paidBefore: talk.paidBefore, jobs };
				return asks.map(() => ({ kind: 'failure', failure }));
			}
			if ('exchange' in step.value && 'body' in outcome && outcome.body) {
				talk.response = outcome.body;
				talk.characters += outcome.size ?? 0;
				talk.paidBefore ||= step.value.exchange.credits !== undefined;
			}
			step = steps.next('failure' in outcome ? outcome : outcome.result);
		}
		const readings = step.value;
		return asks.map((_, index) => {
			const settlement = settlementOf(readings[index], talk);
			return operation.free ? costless(settlement) : settlement;
		});
	}

	/** Whether to ask again, after a pause: where the one answer settled nothing, cost nothing, and the user wants it. */
	private async mayAskAgain(line: Line, [settlement, ...others]: Settlement[], tries: number) {
		const isRefunded = settlement.kind === 'answer' && settlement.answer.isRefunded;
		const { retriesInconclusive } = this.settings;
		if (!isRefunded || others.length > 0 || !retriesInconclusive) return false;
		if (tries >= INCONCLUSIVE.mostTries || this.stopperOf(line) || this.spare < 1) return false;
		// Taken before the pause, so that no two of them take the same
		this.spare -= 1;
		await this.rest(line, async () => await this.stage.backOff(INCONCLUSIVE.backOffMs));
		if (this.stopperOf(line)) return false;
		this.ledger.retries += 1;
		return true;
	}

	/** Waits, while another has the turn. A talk that consults keeps its own. */
	private async rest<Result>(line: Line, wait: () => Promise<Result>): Promise<Result> {
		if (line !== this.main) return await wait();
		this.turnstile.leave();
		const result = await wait();
		await this.turnstile.enter();
		return result;
	}

	private settle(ask: Ask, settlement: Settlement, characters: number, isByOthers = false) {
		this.settlements.set(ask, settlement);
		this.heedSettled(this.main, ask, settlement, characters, isByOthers);
	}

	/** Keeps what became of a question for the rest of the execution, and heeds it. */
	private heedSettled(
		line: Line,
		{ key }: Ask,
		settlement: Settlement,
		characters: number,
		isByOthers = false,
	) {
		const life = lifeOf(settlement);
		if (key !== undefined && life) line.memory.settle(key, settlement, characters, life);
		if (settlement.kind === 'failure') this.heed(line, settlement.failure, isByOthers);
	}

	/**
	 * Starts no further call of the line where the failure says so.
	 * @param isByOthers it is that of another line, which has heeded it
	 */
	private heed(line: Line, failure: Failure, isByOthers = false) {
		const isWanted = line === this.main && this.settings.onFailure === 'stop';
		if (isWanted || (failure.scope === 'account' && !isByOthers)) line.closedBy ??= failure;
	}

	/** Why no further call of the line starts, if none does. */
	private stopperOf(line: Line): Failure | undefined {
		return this.main.closedBy ?? line.closedBy;
	}

	private async take(step: Step, talk: Conversation): Promise<Failed | Heard> {
		if ('job' in step) {
			talk.jobs.push(step.job);
			this.ledger.jobs.push(step.job);
			this.stage.log(step.job);
			return NOTHING_HEARD;
		}
		if ('consult' in step) return await this.consult(step.consult, talk);
		if ('waitMs' in step) {
			const wait = async () => await this.stage.wait(step.waitMs, step.note);
			const failure = await this.rest(talk.line, wait);
			return failure ? { failure } : NOTHING_HEARD;
		}
		const { exchange } = step;
		const takesAdditional = !('talk' in talk.line.operation) || exchange.credits;
		const request = takesAdditional
			? withAdditional(exchange.request, talk.planned.additional)
			: exchange.request;
		const send = async () => await this.ask(exchange, request, talk);
		if (talk.line !== this.main) return await this.consultTurnstile.pass(send);
		return request.form ? await this.fileTurnstile.pass(send) : await send();
	}

	/** Has other operations answer, and notes where their answers came from. */
	private async consult(consultations: Consultation[], talk: Conversation): Promise<Heard> {
		const result = await Promise.all(
			consultations.map(async (each) => await this.consultations.answer(each)),
		);
		for (const told of result) talk.consulted.add(isFailed(told) ? 'service' : told.source);
		talk.paidBefore ||= result.some((told) => !isFailed(told) && told.source === 'service');
		return { result };
	}

	/** Asks the service, unless the answer was paid for in an earlier try of this run. */
	private async ask(
		exchange: Exchange<unknown>,
		request: ServiceRequest,
		talk: Conversation,
	): Promise<Failed | Heard> {
		if (!exchange.credits) return await this.send(exchange, request, talk);
		const place = `${talk.planned.asks[0].firstSlot}.${talk.paidCalls}`;
		talk.paidCalls += 1;
		const { memory, keepsReplies } = talk.line;
		const isKept = keepsReplies && !exchange.isFleeting;
		const kept = isKept ? memory.replyTo(request, place) : undefined;
		if (kept) {
			talk.remembered += 1;
			return this.recall(exchange, kept);
		}
		return await this.send(exchange, request, talk, (reply) => {
			if (isKept) memory.keep(request, place, reply);
		});
	}

	private async send(
		exchange: Exchange<unknown>,
		request: ServiceRequest,
		{ line, jobs }: Conversation,
		keep?: (reply: Reply) => void,
	): Promise<Failed | Heard> {
		// A job that was paid for is seen to its end; nothing new is started
		const isOff = () => this.stopperOf(line) !== undefined && jobs.length === 0;
		if (isOff()) return { failure: notSent(this.stopperOf(line) ?? STOPPED) };
		const { patienceMs, timeoutMs } = this.settings;
		const { reply, retries } = await this.stage.deliver(request, {
			timeoutMs: exchange.timeoutMs ?? timeoutMs,
			patienceMs,
			isFree: exchange.credits === undefined,
			isSentOnce: exchange.isSentOnce,
			window: exchange.window,
			isOff,
		});
		this.ledger.retries += retries;
		if (!reply) return { failure: notSent(this.stopperOf(line) ?? STOPPED) };
		const heard = this.hear(exchange, reply);
		if (!('failure' in heard) || heard.failure.cause === 'lost') keep?.(reply);
		// Heeded before the next call in line is let through
		if ('failure' in heard && mustBeHeeded(exchange, heard.failure)) {
			this.heed(line, heard.failure);
		}
		return heard;
	}

	/** What a remembered reply says. It is booked already. */
	private recall(exchange: Exchange<unknown>, reply: Reply): Failed | Heard {
		const heard = this.read(exchange, reply, () => undefined);
		if (!('failure' in heard)) return heard;
		const { isPreliminary } = exchange;
		return { failure: { ...heard.failure, mayHaveCost: true, isPreliminary } };
	}

	private hear(exchange: Exchange<unknown>, reply: Reply): Failed | Heard {
		const { credits } = exchange;
		const heard = this.read(exchange, reply, (body) => this.ledger.book(credits, body));
		if (!('failure' in heard)) return heard;
		const { cause, scope, refusal } = heard.failure;
		// Also where it comes without words: SPEC does not say what a refusal costs
		const isOpen = cause === 'refused' && (refusal?.mayHaveCost ?? scope === 'question');
		if (!credits || (cause !== 'lost' && !isOpen)) return heard;
		if (cause === 'lost') this.ledger.bookLost(credits);
		else this.ledger.bookRefused(credits);
		return {
			failure: { ...heard.failure, mayHaveCost: true, isPreliminary: exchange.isPreliminary },
		};
	}

	/** Judges a reply, and has an answer booked. What cannot be made sense of is as good as lost. */
	private read(
		exchange: Exchange<unknown>,
		reply: Reply,
		book: (body: IDataObject) => void,
	): Failed | Heard {
		try {
			const heard = judge(exchange, reply);
			if (!('failure' in heard)) book(heard.body ?? {});
			return heard;
		} catch {
			const reason = 'the answer is not of a kind that can be read';
			return { failure: { cause: 'lost', reason, scope: 'question' } };
		}
	}
}

/** How long a settlement holds, so that nobody has to pay for it again; undefined where it may be asked for anew. */
function lifeOf(settlement: Settlement): Life | undefined {
	if (settlement.kind === 'answer') return settlement.answer.isRefunded ? undefined : 'execution';
	const { cause, scope, jobs, isFinal } = settlement.failure;
	// A job that was paid for can still bring an answer to a retry, which finds it by the reply that is kept
	if (jobs?.length && !isFinal) return 'otherRuns';
	return cause === 'lost' || (cause === 'refused' && scope === 'question')
		? 'execution'
		: undefined;
}

const NOTHING_HEARD: Heard = { result: undefined };

function isTolerant(step: Step, failure: Failure): boolean {
	return 'exchange' in step && tolerates(step.exchange, failure);
}

function settlementOf(reading: Failed | Reading, talk: Conversation): Settlement {
	const { jobs, paidCalls, paidBefore, remembered, consulted } = talk;
	if (isFailed(reading)) {
		return { kind: 'failure', failure: { ...reading.failure, paidBefore, jobs } };
	}
	if (!isRefusal(reading)) {
		return {
			kind: 'answer',
			answer: reading,
			response: reading.response ?? talk.response,
			...((consulted.size === 0
				? remembered > 0 && remembered === paidCalls
				: consulted.size === 1 && consulted.has('memory')) && { isRemembered: true }),
			...(consulted.size > 0 && !consulted.has('service') && { isShared: true }),
		};
	}
	const { refused: scope, reason, mayHaveCost = scope === 'question' } = reading;
	const failure = { ...refusalFailure(reason, scope), mayHaveCost, jobs, isFinal: true } as const;
	return { kind: 'failure', failure };
}

/** A settlement of a free operation: nothing of it can have cost anything. */
function costless(settlement: Settlement): Settlement {
	if (settlement.kind === 'answer') return settlement;
	return { ...settlement, failure: { ...settlement.failure, mayHaveCost: false } };
}

/** Whether a failure may keep further calls from starting: one that its talk deals with only when it is the account's. */
function mustBeHeeded(exchange: Exchange<unknown>, failure: Failure): boolean {
	const { status = 0, refusal } = failure;
	if (!tolerates(exchange, failure)) return true;
	return refusal?.refused === 'account' || ACCOUNT_STATUSES.has(status);
}
