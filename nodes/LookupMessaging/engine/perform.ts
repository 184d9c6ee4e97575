import type { IDataObject } from 'n8n-workflow';
import { ACCOUNT_STATUSES, notSent, type Failure } from './failure';
import { judge, refusalFailure, type Heard } from './judge';
import { Ledger } from './ledger';
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
import { isFailed, tolerates, type Exchange, type Failed, type Job, type Step } from './talk';
import type { Reply, Transport } from './transport';

/** What became of a question. */
export type Settlement =
	| { kind: 'answer'; answer: Answer; response: IDataObject }
	| { kind: 'failure'; failure: Failure };

/** Most files in memory at once. */
const MOST_FILES = 4;

/** What came of all talks. */
export interface Performance {
	settlements: Map<Ask, Settlement>;
	ledger: Ledger;
}

/** What performing needs of the outside: the network, and time. */
export interface Stage {
	transport: Transport;
	/** Waits; resolves with a failure when the wait cannot go on: stopped, or past the deadline, which the note explains. */
	wait(ms: number, note?: string): Promise<Failure | undefined>;
	/** Tells the log of n8n about a job, since a cancelled execution keeps no output. */
	log(job: Job): void;
}

/**
 * Leads all talks, so many calls at a time, and settles each question exactly once. After a refusal of the account no
 * further call is started, and where the user wants the node to stop, none after any failure; what is under way runs on.
 */
export async function performTalks(
	operation: AnyOperation,
	talks: PlannedTalk[],
	stage: Stage,
	settings: Settings,
): Promise<Performance> {
	const run = new Run(operation, stage, settings);
	await Promise.all(talks.map(async (talk) => await run.lead(talk)));
	return { settlements: run.settlements, ledger: run.ledger };
}

class Run {
	readonly settlements = new Map<Ask, Settlement>();
	readonly ledger = new Ledger();
	private readonly turnstile: Turnstile;
	/** Where n8n keeps binary data in memory a file is held twice while it is sent, so few of them pass at once. */
	private readonly fileTurnstile = new Turnstile(MOST_FILES);
	private stopper: Failure | undefined;

	constructor(
		private readonly operation: AnyOperation,
		private readonly stage: Stage,
		private readonly settings: Settings,
	) {
		this.turnstile = new Turnstile(settings.maxConcurrentRequests);
	}

	/** Leads one talk to its end and settles its questions, whatever happens in it. */
	async lead(planned: PlannedTalk) {
		const jobs: Job[] = [];
		// A talk keeps its turn until it ends, but for its waits: what it has begun to pay for is finished first
		await this.turnstile.enter();
		try {
			await this.converse(planned, jobs);
		} catch {
			const reason = 'what the service answered could not be made sense of';
			const failure: Failure = {
				cause: 'lost',
				reason,
				scope: 'question',
				mayHaveCost: !this.operation.free,
				jobs,
			};
			for (const ask of planned.asks) {
				if (!this.settlements.has(ask)) this.settle(ask, { kind: 'failure', failure });
			}
		} finally {
			this.turnstile.leave();
		}
	}

	private async converse({ asks, additional }: PlannedTalk, jobs: Job[]) {
		const talk = talkAbout(
			this.operation,
			asks.map(({ question }) => question),
		);
		let response: IDataObject = {};
		let paidBefore = false;
		let step = talk.next();
		while (!step.done) {
			const outcome = await this.take(step.value, additional, jobs);
			if ('failure' in outcome && !isTolerant(step.value, outcome.failure)) {
				const failure = { ...outcome.failure, paidBefore, jobs };
				for (const ask of asks) this.settle(ask, { kind: 'failure', failure });
				return;
			}
			if ('exchange' in step.value && 'body' in outcome && outcome.body) {
				response = outcome.body;
				paidBefore ||= step.value.exchange.credits !== undefined;
			}
			step = talk.next('failure' in outcome ? outcome : outcome.result);
		}
		for (const [index, ask] of asks.entries()) {
			const settlement = settlementOf(step.value[index], response, jobs);
			this.settle(ask, this.operation.free ? costless(settlement) : settlement);
		}
	}

	private settle(ask: Ask, settlement: Settlement) {
		this.settlements.set(ask, settlement);
		if (settlement.kind === 'failure') this.heed(settlement.failure);
	}

	/** Starts no further call where the failure says so. */
	private heed(failure: Failure) {
		if (this.settings.onFailure === 'stop' || failure.scope === 'account') {
			this.stopper ??= failure;
		}
	}

	/** Does what a talk wants done next. */
	private async take(
		step: Step,
		additional: PlannedTalk['additional'],
		jobs: Job[],
	): Promise<Failed | Heard> {
		if ('job' in step) {
			jobs.push(step.job);
			this.ledger.jobs.push(step.job);
			this.stage.log(step.job);
			return NOTHING_HEARD;
		}
		if ('waitMs' in step) {
			this.turnstile.leave();
			const failure = await this.stage.wait(step.waitMs, step.note);
			await this.turnstile.enter();
			return failure ? { failure } : NOTHING_HEARD;
		}
		const { exchange } = step;
		const takesAdditional = !('talk' in this.operation) || exchange.credits;
		const request = takesAdditional
			? withAdditional(exchange.request, additional)
			: exchange.request;
		const send = async () => await this.send(exchange, request, jobs);
		return request.form ? await this.fileTurnstile.pass(send) : await send();
	}

	private async send(
		exchange: Exchange<unknown>,
		request: ServiceRequest,
		jobs: Job[],
	): Promise<Failed | Heard> {
		// A job that was paid for is seen to its end; nothing new is started
		if (this.stopper && jobs.length === 0) return { failure: notSent(this.stopper) };
		const timeoutMs = exchange.timeoutMs ?? this.settings.timeoutMs;
		const reply = await this.stage.transport.send(request, timeoutMs);
		const heard = this.hear(exchange, reply);
		// Heeded before the next call in line is let through
		if ('failure' in heard && mustBeHeeded(exchange, heard.failure)) this.heed(heard.failure);
		return heard;
	}

	private hear(exchange: Exchange<unknown>, reply: Reply): Failed | Heard {
		const { credits } = exchange;
		const heard = this.read(exchange, reply);
		if (!('failure' in heard)) return heard;
		const { cause, scope, refusal } = heard.failure;
		const isOpen = refusal !== undefined && (refusal.mayHaveCost ?? scope === 'question');
		if (!credits || (cause !== 'lost' && !isOpen)) return heard;
		if (cause === 'lost') this.ledger.bookLost(credits);
		else this.ledger.bookRefused();
		return {
			failure: { ...heard.failure, mayHaveCost: true, isPreliminary: exchange.isPreliminary },
		};
	}

	/** Judges a reply and books its price. What cannot be made sense of is as good as lost. */
	private read(exchange: Exchange<unknown>, reply: Reply): Failed | Heard {
		try {
			const heard = judge(exchange, reply);
			if (!('failure' in heard)) this.ledger.book(exchange.credits, heard.body ?? {});
			return heard;
		} catch {
			const reason = 'the answer is not of a kind that can be read';
			return { failure: { cause: 'lost', reason, scope: 'question' } };
		}
	}
}

const NOTHING_HEARD: Heard = { result: undefined };

function isTolerant(step: Step, failure: Failure): boolean {
	return 'exchange' in step && tolerates(step.exchange, failure);
}

function settlementOf(reading: Failed | Reading, response: IDataObject, jobs: Job[]): Settlement {
	if (isFailed(reading)) return { kind: 'failure', failure: { ...reading.failure, jobs } };
	if (!isRefusal(reading))
		return { kind: 'answer', answer: reading, response: reading.response ?? response };
	const { refused: scope, reason, mayHaveCost = scope === 'question' } = reading;
	return { kind: 'failure', failure: { ...refusalFailure(reason, scope), mayHaveCost, jobs } };
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
