/**
 * Estimates a service's rate from the calls that it accepted. Times are in milliseconds and passed in.
 *
 * In any time, a service accepts at most what it had saved up plus what it allows in that time. So the calls of a span that ends
 * with a refusal, less what was saved up, give a rate that is not too high, unless the delay of replies varies. The highest of
 * these rates is the best estimate: the others include times in which too few calls were made.
 */

/** Shortest span that gives a rate, without the pauses. In a shorter one, the calls come from what was saved up. */
const MIN_SAMPLE_MS = 500;
const MARKS = { everyMs: 50, max: 100 };

/** Calls accepted before the first refusal: at least what the service saves up. */
export interface InitialBurst {
	accepted: number;
	lastedMs: number;
}

/** One sample of the delivery rate. */
export class DeliveryRate {
	/** Accepted calls. */
	accepted = 0;
	private pauses = 0;
	private pausedMs = 0;
	/** How many calls had been accepted at some earlier times; spans begin there. */
	private marks: Array<{ at: number; accepted: number }> = [];

	/**
	 * @param from when the sample begins; one that follows no refusal begins with its first accepted call
	 * @param isSinceCut whether the sample follows a refusal
	 */
	constructor(
		public from = 0,
		readonly isSinceCut = false,
	) {}

	/** Counts an accepted call. */
	count(now: number) {
		if (this.accepted === 0 && !this.isSinceCut) this.from = now;
		this.accepted += 1;
		const last = this.marks.at(-1);
		if (last && now - last.at < MARKS.everyMs) return;
		this.marks.push({ at: now, accepted: this.accepted });
		if (this.marks.length > MARKS.max) this.marks.shift();
	}

	/** Notes a pause within the sample, which has ended or was cut short by a refusal. */
	pauseEnded(lastedMs: number) {
		this.pausedMs += lastedMs;
		this.pauses += 1;
	}

	/** Corrects the times after the clock was set back. */
	setBack(backMs: number) {
		this.from -= backMs;
		for (const mark of this.marks) mark.at -= backMs;
	}

	/** Milliseconds of the sample, without the pauses and the burst after each. */
	private restMs(now: number, { lastedMs }: InitialBurst): number {
		return now - this.from - this.pausedMs - this.pauses * lastedMs;
	}

	/** The rate in calls per second: the highest of several estimates, none of which is too high. */
	perSecond(now: number, burst: InitialBurst): number {
		const { accepted, from, pauses } = this;
		const overall = accepted / (now - from);
		// A service that cannot save up all of a pause allows more than the overall rate
		const withoutPauses = (accepted - pauses * burst.accepted) / this.restMs(now, burst);
		const spans = this.marks
			.filter(({ at }) => now - at >= MIN_SAMPLE_MS)
			.map((mark) => (accepted - mark.accepted - burst.accepted) / (now - mark.at));
		return 1_000 * Math.max(overall, withoutPauses, ...spans);
	}
}
