import type { IDataObject } from 'n8n-workflow';
import { Asker, type Conversation, type StopRules } from './asking';
import { Consultations, openLine, type Line } from './consultations';
import type { Courier } from './courier';
import { readerOf } from './errors';
import type { Failure } from './failure';
import { refusalFailure, type Heard } from './judge';
import type { Ledger } from './ledger';
import type { Life, RunMemory } from './memory';
import { isRefusal, talkAbout, type Answer, type AnyOperation, type Reading } from './operation';
import { withAdditional } from './parameters';
import { REMEMBERED, type Ask, type PlannedTalk } from './plan';
import { Turnstile } from './pool';
import type { Settings } from './settings';
import { isFailed, tolerates, type Consultation, type Failed, type Job, type Step } from './talk';

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
	| ({ kind: 'failure' } & Failed);

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

/** How often a question is asked at most whose answers are inconclusive, and the longest pause between, in milliseconds. */
export const INCONCLUSIVE_TRIES = 3;
const INCONCLUSIVE_BACK_OFF_MS = 4_000;

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
	const run = new Run(operation, stage, settings, memory, ledger);
	const led: Array<Promise<void>> = [];
	for (const talk of talks) {
		// One after the other, so that a long list does not wait in memory as so many promises
		await run.turnstile.enter();
		led.push(run.lead(talk));
	}
	await Promise.all(led);
	return run.settlements;
}

class Run implements StopRules {
	readonly settlements = new Map<Ask, Settlement>();
	/** A talk keeps its turn until it ends, but for its waits: what it has begun to pay for is finished first. */
	readonly turnstile: Turnstile;
	/** Where n8n keeps binary data in memory a file is held twice while it is sent, so few of them pass at once. */
	private readonly fileTurnstile = new Turnstile(MOST_FILES);
	/** Several questions of one talk may be asked of other operations at once. */
	private readonly consultTurnstile: Turnstile;
	private readonly consultations: Consultations;
	private readonly asker: Asker;
	/** The operation that the run is of. What closes its line stops the run. */
	private readonly main: Line;

	constructor(
		operation: AnyOperation,
		private readonly stage: Stage,
		private readonly settings: Settings,
		private readonly memory: RunMemory,
		private readonly ledger: Ledger,
	) {
		this.asker = new Asker(stage, settings, ledger, this);
		this.turnstile = new Turnstile(settings.maxConcurrentRequests);
		this.consultTurnstile = new Turnstile(settings.maxConcurrentRequests);
		this.main = openLine(operation, memory);
		this.consultations = new Consultations(
			memory,
			ledger,
			readerOf(settings),
			async (line, question, key) => {
				const ask: Ask = { question, firstSlot: 0, place: key, key };
				const talk = await this.converse(line, { asks: [ask], additional: [] }, []);
				const [settlement] = talk.settlements;
				this.heedSettled(line, ask, settlement, talk.characters);
				return settlement;
			},
		);
	}

	/** Leads one talk, whose turn has come, to its end and settles its questions, whatever happens in it. */
	async lead(planned: PlannedTalk) {
		const [ask, ...others] = planned.asks;
		if (ask.key === undefined || others.length > 0) return await this.leadToTheEnd(planned);
		const lead = async () => await this.leadToTheEnd(planned);
		const told = await this.memory.onceAsked(ask.key, lead);
		if ('asked' in told) return;
		this.settlements.set(ask, { ...told.remembered, ...REMEMBERED });
		this.turnstile.leave();
	}

	private async leadToTheEnd(planned: PlannedTalk) {
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
				line,
				planned,
				jobs,
				paidCalls: 0,
				remembered: 0,
				paidBefore: false,
				response: {},
				characters: 0,
				consulted: new Set(),
				detours: [],
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
		const { retriesInconclusive, maxPaidLookups = Infinity } = this.settings;
		if (!isRefunded || others.length > 0 || !retriesInconclusive) return false;
		if (tries >= INCONCLUSIVE_TRIES || this.stopperOf(line)) return false;
		// Set aside before the pause, so that no two of them take the same
		if (!this.memory.setAside(1, maxPaidLookups)) return false;
		await this.rest(line, async () => await this.stage.backOff(INCONCLUSIVE_BACK_OFF_MS));
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
	heed(line: Line, failure: Failure, isByOthers = false) {
		const isWanted = line === this.main && this.settings.onFailure === 'stop';
		if (isWanted || (failure.scope === 'account' && !isByOthers)) line.closedBy ??= failure;
	}

	/** Why no further call of the line starts, if none does. */
	stopperOf(line: Line): Failure | undefined {
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
		const send = async () => await this.asker.ask(exchange, request, talk);
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
		return { kind: 'failure', ...reading, failure: { ...reading.failure, paidBefore, jobs } };
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
