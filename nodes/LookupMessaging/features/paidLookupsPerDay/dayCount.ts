import type { Clock } from '../../engine/clock';
import type { Kept } from './kept';

/** The paid lookups of one workflow with one account: those made since midnight UTC, and those that runs have reserved. */
export class DayCount {
	reserved = 0;
	/** By day, the latest last: a clock may be set back over midnight. */
	private readonly counts = new Map<string, number>();

	/** Lookups made on the day. */
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

/** The share of one run in a count. */
export class RunShare {
	private reserved = 0;

	/** @param kept the count that n8n keeps; undefined if nobody reads it */
	constructor(
		private readonly count: DayCount,
		private readonly clock: Pick<Clock, 'now'>,
		private readonly kept?: Kept,
	) {
		const day = dayOf(clock);
		if (kept) count.raise(day, kept.read(day));
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
		const day = dayOf(this.clock);
		const made = this.count.made(day);
		// Another execution may have stored a smaller count since. n8n stores changes, so a refused run must not change anything
		if (this.kept && this.kept.read(day) < made) this.kept.write(day, made);
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
