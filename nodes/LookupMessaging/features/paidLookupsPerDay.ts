import type { INodeProperties } from 'n8n-workflow';
import { lookupsOf } from '../engine/billing/ledger';
import type { FeatureOpener } from '../engine/feature';
import { BoundedCache } from '../engine/memory/boundedCache';
import { limitProblem } from '../engine/plan/settings';
import type { Failure } from '../engine/results';
import type { Clock } from '../engine/clock';
import { count, hashOf, isObject } from '../engine/plan/values';

/** Max Paid Lookups per Day, over all executions of a workflow: for a webhook that runs out of control. Tools count, too. */

const NAME = 'Max Paid Lookups per Day';

export const MAX_PAID_LOOKUPS_PER_DAY: INodeProperties = {
	displayName: NAME,
	name: 'maxPaidLookupsPerDay',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 1000,
	description:
		"How many paid lookups this workflow may make with one account from 00:00 UTC to 00:00 UTC, counted as for Max Paid Lookups. A run that would need more doesn't start. It can't see other workflows, what other workers do at the same time, or, after a restart, manual runs and other nodes. 0 takes the limit away. An expression that comes to 0 allows none.",
};

/** Maximum number of characters of all names together: those of some thousand workflows. */
const MAX_CHARACTERS = 1_000_000;
const counts = new BoundedCache<DayCount>(MAX_CHARACTERS);

/** Counts every paid run, since another node of the workflow may have a limit. */
export const paidLookupsPerDay: FeatureOpener = (reader) => {
	const { context, options } = reader;
	const isSet = MAX_PAID_LOOKUPS_PER_DAY.name in options;
	const limit = options[MAX_PAID_LOOKUPS_PER_DAY.name];
	const most = Number(limit) || Infinity;
	let share: RunShare | undefined;
	return {
		...(isSet && { problem: limitProblem(reader, [MAX_PAID_LOOKUPS_PER_DAY.name, NAME], limit) }),
		open({ account, clock }) {
			const workflow = `${context.getWorkflow().id}`;
			const name = JSON.stringify([workflow, account]);
			const count = counts.get(name) ?? new DayCount();
			counts.set(name, count, 0);
			const kept =
				most < Infinity
					? keptIn(context.getWorkflowStaticData('node'), workflow, account)
					: undefined;
			const own = new RunShare(count, clock, kept);
			share = own;
			return { close: () => own.close() };
		},
		called: ({ price, charge }) => charge.charged !== 'no' && share?.made(lookupsOf(price)),
		...(most < Infinity && {
			reserve: (lookups) => failureOf(share?.reserve(lookups, most), lookups, most),
		}),
	};
};

function failureOf(exceeded: Exceeded, lookups: number, limit: number): Failure | undefined {
	if (!exceeded) return undefined;
	const { made, reserved } = exceeded;
	const underWay = reserved > 0 ? ` and ${reserved} under way` : '';
	const reason = `the run would make ${count(lookups, 'paid lookup')}, after ${made} today${underWay}, which is more than Max Paid Lookups per Day (${limit}). The count resets at 00:00 UTC`;
	return { cause: 'budget', reason, scope: 'question', remedy: REMEDY };
}

const REMEDY: Failure['remedy'] = {
	forUser: `Run it again after that, or raise ${NAME} under Spending Limits`,
	forModel: `Call again after that, not before, or ask the user to raise ${NAME}`,
	more: 'The node adds up what a run can cost before its first paid call, and all executions of the workflow take from one count.',
};

/** The paid lookups of one workflow with one account: those made since midnight UTC, and those that runs have reserved. */
export class DayCount {
	reserved = 0;
	/** By day, the latest last: a clock may be set back over midnight. */
	private readonly counts = new Map<string, number>();

	made(day: string): number {
		return this.counts.get(day) ?? 0;
	}

	/** Counts at least the number that is known from elsewhere. */
	raise(day: string, count: number) {
		this.counts.set(day, Math.max(this.made(day), count));
		for (const oldest of [...this.counts.keys()].slice(0, -MAX_DAYS)) this.counts.delete(oldest);
	}
}

const MAX_DAYS = 3;

/** The lookups that a limit leaves, if they are too few; undefined if they were reserved. */
export type Exceeded = { made: number; reserved: number } | undefined;

export class RunShare {
	private reserved = 0;

	/** @param kept the count that n8n keeps; undefined if nobody reads it */
	constructor(
		private readonly count: DayCount,
		private readonly clock: Pick<Clock, 'now'>,
		private readonly kept?: Kept,
	) {
		if (!kept) return;
		const day = dayOf(clock);
		count.raise(day, kept.read(day));
	}

	/** Reserves lookups at once, so that parallel runs do not reserve the same ones. */
	reserve(lookups: number, limit: number): Exceeded {
		const { count } = this;
		const [made, { reserved }] = [count.made(dayOf(this.clock)), count];
		if (made + reserved + lookups > limit) return { made, reserved };
		this.hold(lookups);
		return undefined;
	}

	/** Counts lookups that were made, reserved or not. */
	made(lookups: number) {
		const day = dayOf(this.clock);
		const made = this.count.made(day) + lookups;
		this.count.raise(day, made);
		this.hold(-Math.min(lookups, this.reserved));
		this.kept?.write(day, made);
	}

	/** Releases the lookups that were not made. */
	close() {
		this.hold(-this.reserved);
		const { kept } = this;
		if (!kept) return;
		const day = dayOf(this.clock);
		const made = this.count.made(day);
		// Another execution may have stored a smaller count since. n8n stores changes, so a refused run must not change anything
		if (kept.read(day) < made) kept.write(day, made);
	}

	private hold(lookups: number) {
		this.reserved += lookups;
		this.count.reserved += lookups;
	}
}

/** The day as text, such as "2026-01-31", in UTC. */
function dayOf({ now }: Pick<Clock, 'now'>): string {
	return new Date(now()).toISOString().slice(0, 10);
}

/** The count that n8n keeps with the workflow, as JSON that anything may have written: `{ day, counts }`. */
const FIELD = 'paidLookupsPerDay';
/** Maximum number of accounts of a node, if expressions give its credential many keys. */
const MAX_ACCOUNTS = 100;

/** A count that outlives the process. */
export interface Kept {
	/** The count of the day; 0 if there is none. */
	read(day: string): number;
	write(day: string, count: number): void;
}

/** @param data the static data of the node. It is stored unencrypted, so it has only a hash of key and address */
export function keptIn(data: unknown, workflow: string, account: string): Kept | undefined {
	if (!isObject(data)) return undefined;
	// Not digits alone, since an object would sort them before the others
	const name = `a${(hashOf(account, hashOf(workflow, 0)) >>> 0).toString(16)}`;
	const countsOf = (day: string) => {
		const kept = data[FIELD];
		return isObject(kept) && kept.day === day && isObject(kept.counts) ? kept.counts : {};
	};
	return {
		read(day) {
			const count = countsOf(day)[name];
			return Number.isSafeInteger(count) ? Number(count) : 0;
		},
		write(day, count) {
			const others = Object.entries(countsOf(day)).filter(([other]) => other !== name);
			const counts = Object.fromEntries([...others.slice(1 - MAX_ACCOUNTS), [name, count]]);
			data[FIELD] = { day, counts };
		},
	};
}
