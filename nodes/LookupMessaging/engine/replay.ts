import { placeOf, recalled } from './asking';
import { presented, settledBefore } from './consultations';
import type { Failure } from './failure';
import type { RunMemory } from './memory';
import { talkAbout, type AnyOperation } from './operation';
import type { PlannedTalk } from './plan';
import { tolerates, type Consultation, type Consulted, type Failed } from './talk';

/** What is known of a talk that an earlier try of the run has begun. */
export interface Replay {
	/** Whether every paid call that it takes was made. */
	isPaid: boolean;
	/** Why it fails, if that is known. */
	failure?: Failure;
}

const NEW: Replay = { isPaid: false };

/** Leads a talk as far as the memory of paid calls goes. Talks are pure, so it comes to the same each time. */
export function replay(operation: AnyOperation, planned: PlannedTalk, memory: RunMemory): Replay {
	const questions = planned.asks.map(({ question }) => question);
	const talk = talkAbout(operation, questions);
	let step = talk.next();
	for (let paidCalls = 0; !step.done; ) {
		if ('job' in step.value) {
			step = talk.next();
			continue;
		}
		if ('consult' in step.value) {
			const told = step.value.consult.map((each) => consulted(each, memory));
			if (told.includes(undefined)) return NEW;
			step = talk.next(told);
			continue;
		}
		if (!('exchange' in step.value)) return { isPaid: paidCalls > 0 };
		const { exchange } = step.value;
		// What is free comes after what is paid for: polls
		if (!exchange.credits) return { isPaid: paidCalls > 0 };
		const reply = memory.replyTo(exchange.request, placeOf(exchange, planned, paidCalls));
		if (!reply || exchange.isFleeting) return NEW;
		paidCalls += 1;
		const heard = recalled(exchange, reply);
		if ('failure' in heard && !tolerates(exchange, heard.failure)) {
			return { isPaid: true, failure: heard.failure };
		}
		step = talk.next('failure' in heard ? heard : heard.result);
	}
	return { isPaid: true };
}

/** What another operation answered earlier in this execution. */
function consulted(consultation: Consultation, memory: RunMemory): Consulted | Failed | undefined {
	const known = settledBefore(consultation, memory);
	if (!known || known.kind === 'failure') return known && { failure: known.failure };
	const answer = presented(consultation, known.answer);
	return { answer, response: known.response, source: 'memory' };
}
