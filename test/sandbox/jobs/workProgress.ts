/**
 * How much work is done since the start, at a speed that may change. It is computed from the clock, so there is no
 * timer. The clock is injected, so tests need not wait.
 */
export class WorkProgress {
	private done = 0;

	private since: number;

	constructor(
		private perSecond: number,
		private readonly now: () => number,
	) {
		expectSpeed(perSecond);
		this.since = now();
	}

	/** Units of work since the start, with fractions. */
	work(): number {
		return this.done + ((this.now() - this.since) / 1000) * this.perSecond;
	}

	/** Goes on at another speed; 0 stands still. Throws when it is no speed. */
	setSpeed(perSecond: number) {
		expectSpeed(perSecond);
		this.done = this.work();
		this.since = this.now();
		this.perSecond = perSecond;
	}
}

function expectSpeed(perSecond: number) {
	if (!Number.isFinite(perSecond) || perSecond < 0) {
		throw new Error(`Expected a speed per second of 0 or more, not ${perSecond}`);
	}
}
