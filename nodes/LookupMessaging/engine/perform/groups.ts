import type { Group, Lookup, LookupCall } from '../client';
import type { Answered, LookupResult } from '../results';
import type { AnyOperation } from '../operation';
import type { Run } from './taskClient';

/** The question of a task, if it belongs to a group and the user wants to make use of that. */
interface Member {
	/** With the operation. */
	name: string;
	group: Group<unknown>;
	question: unknown;
}

/** The groups of a run: the first question of each is asked alone, since it may answer the others. */
export class Groups {
	/** Resolve with the first reply of each group. */
	private readonly firstReplies = new Map<string, { isThere: Promise<void>; tell: () => void }>();

	constructor(private readonly run: Pick<Run, 'history' | 'settings' | 'unlessStopped'>) {}

	/** What is known of a question without asking. */
	find({ lookup, question }: LookupCall): Answered | undefined {
		const member = this.memberOf(lookup, [question]);
		const told = member && this.run.history.groups.get(member.name);
		const answer = told && member.group.infer(told, member.question);
		return answer && { answer, response: {}, source: 'duplicate', isInferred: true };
	}

	/**
	 * Waits for the first reply of the group, unless this is the first question of it.
	 * @param questions of a task; only one of its own belongs to a group
	 * @returns the answer that follows from it, if one does
	 */
	async inferOrWait(
		operation: AnyOperation | Lookup<unknown>,
		questions: unknown[],
		wait: (reply: Promise<void>) => Promise<unknown>,
	): Promise<Answered | undefined> {
		const member = this.memberOf(operation, questions);
		if (!member) return undefined;
		const call = { lookup: operation as Lookup<unknown>, question: member.question };
		const known = this.find(call);
		if (known) return known;
		const first = this.firstReplies.get(member.name);
		if (first) {
			await wait(first.isThere);
			return this.find(call);
		}
		let tell = () => undefined as void;
		const isThere = new Promise<void>((resolve) => (tell = resolve));
		this.firstReplies.set(member.name, { isThere, tell });
		return undefined;
	}

	/** Takes a reply, whatever it is. */
	learn(operation: AnyOperation | Lookup<unknown>, questions: unknown[], [result]: LookupResult[]) {
		const member = this.memberOf(operation, questions);
		if (!member) return;
		const answer = 'failure' in result ? undefined : result.answer;
		if (answer && member.group.infer(answer, member.question)) {
			this.run.history.groups.set(member.name, answer);
		}
		this.firstReplies.get(member.name)?.tell();
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
