/**
 * What a service has accepted since a time, and what that tells of its pace. Times are in milliseconds and handed in.
 *
 * A service that saves up calls hands out no more, in any time, than what it had saved up and what it allows in that time. So
 * each stretch up to a refusal tells a pace that is not too large, as far as answers arrive as far apart as they were given; and
 * the largest of them is nearest to the truth: one that begins where calls were slower than the service allows counts what
 * nobody asked for.
 */

/** Shortest time that a pace is measured over, pauses not counted: what was saved up and handed out at once is no pace. */
export const SHORTEST_MEASURE_MS = 500;
/** Stretches begin so far apart, and so many are kept. */
const MARKS = { everyMs: 50, most: 100 };

/** What a service handed out at once, at first: at least what it saves up. */
export interface AtOnce {
	accepted: number;
	lastedMs: number;
}

export class Measure {
	/** Calls that were accepted. */
	accepted = 0;
	private pauses = 0;
	private pausedMs = 0;
	/** What had been accepted at times. */
	private marks: Array<{ at: number; accepted: number }> = [];

	/**
	 * @param from when it begins; a measure that follows no refusal begins with the first answer
	 * @param isSinceCut whether it begins with a refusal
	 */
	constructor(
		public from = 0,
		readonly isSinceCut = false,
	) {}

	/** A call was accepted. */
	count(now: number) {
		if (this.accepted === 0 && !this.isSinceCut) this.from = now;
		this.accepted += 1;
		const last = this.marks.at(-1);
		if (last && now - last.at < MARKS.everyMs) return;
		this.marks.push({ at: now, accepted: this.accepted });
		if (this.marks.length > MARKS.most) this.marks.shift();
	}

	/** One pause more that it includes has ended, or was cut short by the next refusal. */
	pauseEnded(lastedMs: number) {
		this.pausedMs += lastedMs;
		this.pauses += 1;
	}

	/** The clock was set back. */
	setBack(backMs: number) {
		this.from -= backMs;
		for (const mark of this.marks) mark.at -= backMs;
	}

	/** How long it has lasted, without the pauses and the handing out after each. */
	restMs(now: number, { lastedMs }: AtOnce): number {
		return now - this.from - this.pausedMs - this.pauses * lastedMs;
	}

	/**
	 * The pace, in calls per second: the largest of counts that are never too large. Of all calls and all the time; since a
	 * service that cannot keep all that it saves up in a pause allows more than that, of the time without the pauses and of
	 * the calls without what it hands out at once after each; and of each stretch, without that.
	 */
	perSecond(now: number, first: AtOnce): number {
		const { accepted, from, pauses } = this;
		const all = accepted / (now - from);
		const rest = (accepted - pauses * first.accepted) / this.restMs(now, first);
		const stretches = this.marks
			.filter(({ at }) => now - at >= SHORTEST_MEASURE_MS)
			.map((mark) => (accepted - mark.accepted - first.accepted) / (now - mark.at));
		return 1_000 * Math.max(all, rest, ...stretches);
	}
}
