import type { Group, LookupCall } from '../engine/client';
import type { Ask, AskedQuestions, FeatureOpener, QuestionLayer } from '../engine/feature';
import { Flight } from '../engine/gate';
import type { Answer, Answered, LookupResult } from '../engine/results';

/**
 * Applies one answer to the others of its group (Lookup.group), such as the mailboxes of a domain that accepts all of them. The
 * operation names the option for it.
 */
export const skipCatchAll: FeatureOpener = () => {
	let told: Told = new Map();
	return {
		// All runs of the execution use what one has learned: retries, and the rounds of a loop
		remember: ({ account, shared }) => void (told = shared(`groups ${account}`, () => told)),
		aroundQuestion: () => new Groups(told),
	};
};

/** Answers that apply to their whole group, by the name of the group. */
type Told = Map<string, Answer>;

interface Member {
	name: string;
	group: Group<unknown>;
	question: unknown;
}

/** At most this many questions of a group are asked alone, one after the other, while nothing is known. */
const MAX_ALONE = 3;

/** The question of a group that is asked alone, while the others wait. */
interface Lead {
	question: unknown;
	flight: Flight;
	/** How many of its group were asked alone, including this one. */
	nth: number;
	/** Whether the others need not wait any more. */
	isLast?: boolean;
}

/** The groups of a run: the first question of each is asked alone, since its answer may apply to the others. */
export class Groups implements QuestionLayer {
	private readonly leads = new Map<string, Lead>();

	constructor(private readonly told: Told) {}

	async ask(asked: AskedQuestions, next: Ask): Promise<LookupResult[]> {
		const member = memberOf(asked.operation, asked.questions);
		if (!member) return await next(asked);
		const inferred = await this.inferOrWait(member, asked);
		if (inferred) return [inferred];
		const isKnown = () => this.infer(member) !== undefined;
		return await next({ ...asked, isKnown, heard: ([result]) => this.learn(member, result) });
	}

	find({ lookup, question }: LookupCall): Answered | undefined {
		const member = memberOf(lookup, [question]);
		return member && this.infer(member);
	}

	private infer({ name, group, question }: Member): Answered | undefined {
		const told = this.told.get(name);
		const answer = told && group.infer(told, question);
		return answer && { answer, response: {}, source: 'duplicate', isInferred: true };
	}

	/**
	 * Waits for the reply to the question that is asked alone, unless this becomes that question.
	 * @returns the derived answer, if there is one
	 */
	private async inferOrWait(
		member: Member,
		{ waitFor }: AskedQuestions,
	): Promise<Answered | undefined> {
		const { name, question } = member;
		for (;;) {
			const known = this.infer(member);
			const lead = this.leads.get(name);
			if (known || lead?.isLast) return known;
			if (!lead) break;
			if (await waitFor(lead.flight.end.reached)) return undefined;
			// No await between this look and `lead`, or two questions could be asked at once
			if (this.leads.get(name) === lead && !lead.isLast) break;
		}
		const nth = (this.leads.get(name)?.nth ?? 0) + 1;
		this.leads.set(name, { question, flight: new Flight(), nth });
		return undefined;
	}

	/** Takes any reply. If it shows nothing about the group, such as a failure, the next question is asked. */
	private learn({ name, group, question }: Member, result: LookupResult) {
		const answer = 'failure' in result ? undefined : result.answer;
		if (answer && group.infer(answer, question)) this.told.set(name, answer);
		const lead = this.leads.get(name);
		if (!lead) return;
		// A recheck is that of an earlier one
		const isOwn = lead.question === question;
		lead.isLast ||= (answer && !answer.isRefunded) || (isOwn && lead.nth >= MAX_ALONE);
		if (lead.isLast || isOwn) lead.flight.end.come();
	}
}

/** The only question of a task, if it belongs to a group. */
function memberOf(
	operation: AskedQuestions['operation'],
	[question, ...others]: unknown[],
): Member | undefined {
	if (others.length > 0 || !('group' in operation) || !operation.group) return undefined;
	const { resource, value, group } = operation;
	return { name: JSON.stringify([resource, value, group.of(question)]), group, question };
}
