import type { Group, Lookup, LookupCall } from '../client';
import type { Answered, Failure, LookupResult } from '../results';
import type { AnyOperation } from '../operation';
import type { Run } from './taskClient';

/** The question of a task, if it belongs to a group and the user wants to make use of that. */
interface Member {
	/** With the operation. */
	name: string;
	group: Group<unknown>;
	question: unknown;
}

/** So many questions of a group are asked alone at most, one after the other, while nothing is said of it. */
const MOST_ALONE = 3;

/** The question of a group that is asked alone, while the others wait. */
interface Lead {
	question: unknown;
	isOver: Promise<void>;
	end: () => void;
	/** How many of its group were asked alone, with this one. */
	nth: number;
	/** Whether the others need not wait any more. */
	isLast?: boolean;
}

/** The groups of a run: the first question of each is asked alone, since it may answer the others. */
export class Groups {
	private readonly leads = new Map<string, Lead>();

	constructor(private readonly run: Pick<Run, 'history' | 'settings' | 'unlessStopped'>) {}

	/** What is known of a question without asking. */
	find({ lookup, question }: LookupCall): Answered | undefined {
		const member = this.memberOf(lookup, [question]);
		const told = member && this.run.history.groups.get(member.name);
		const answer = told && member.group.infer(told, member.question);
		return answer && { answer, response: {}, source: 'duplicate', isInferred: true };
	}

	/** Whether an answer is known of the only question of a task. */
	isKnown(operation: AnyOperation | Lookup<unknown>, [question, ...others]: unknown[]): boolean {
		const lookup = operation as Lookup<unknown>;
		return others.length === 0 && this.find({ lookup, question }) !== undefined;
	}

	/**
	 * Waits for the reply to the question of the group that is asked alone, unless this is to be that question.
	 * @param questions of a task; only one of its own belongs to a group
	 * @param wait returns a failure at Stop
	 * @returns the answer that follows from the reply, if one does
	 */
	async inferOrWait(
		operation: AnyOperation | Lookup<unknown>,
		questions: unknown[],
		wait: (reply: Promise<void>) => Promise<Failure | undefined>,
	): Promise<Answered | undefined> {
		const member = this.memberOf(operation, questions);
		if (!member) return undefined;
		const { name, question } = member;
		const call = { lookup: operation as Lookup<unknown>, question };
		for (;;) {
			const known = this.find(call);
			const lead = this.leads.get(name);
			if (known || lead?.isLast) return known;
			if (!lead) break;
			if (await wait(lead.isOver)) return undefined;
			// No await between this look and `lead`, or two questions could be asked at once
			if (this.leads.get(name) === lead && !lead.isLast) break;
		}
		this.lead(name, question);
		return undefined;
	}

	private lead(name: string, question: unknown) {
		const nth = (this.leads.get(name)?.nth ?? 0) + 1;
		let end = () => undefined as void;
		const isOver = new Promise<void>((resolve) => (end = resolve));
		this.leads.set(name, { question, isOver, end, nth });
	}

	/** Takes a reply, whatever it is. One that says nothing, such as a failure, leaves it to the next question. */
	learn(operation: AnyOperation | Lookup<unknown>, questions: unknown[], [result]: LookupResult[]) {
		const member = this.memberOf(operation, questions);
		if (!member) return;
		const answer = 'failure' in result ? undefined : result.answer;
		if (answer && member.group.infer(answer, member.question)) {
			this.run.history.groups.set(member.name, answer);
		}
		const lead = this.leads.get(member.name);
		if (!lead) return;
		lead.isLast ||= (answer && !answer.isRefunded) || lead.nth >= MOST_ALONE;
		if (lead.isLast || lead.question === member.question) lead.end();
	}

	private memberOf(
		operation: AnyOperation | Lookup<unknown>,
		[question, ...others]: unknown[],
	): Member | undefined {
		if (!this.run.settings.infersInGroups || others.length > 0) return undefined;
		if (!('group' in operation) || !operation.group) return undefined;
		const { resource, value, group } = operation;
		return { name: JSON.stringify([resource, value, group.of(question)]), group, question };
	}
}
