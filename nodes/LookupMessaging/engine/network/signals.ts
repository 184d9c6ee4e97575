/** What ends a request early. */

/** Calls that start within this part of their time limit share a deadline. */
const SHARED_PART = 1 / 1_000;
/** Node warns of a leak where a signal has more than ten listeners, and each call adds one. */
const MOST_CALLS = 8;

/**
 * The deadlines of calls. A signal and its timer live as long as the time limit, whenever the call ends. One for each call of a
 * long list would take more memory than its answer, and the collector would look through all of them.
 */
export class Deadlines {
	/** The latest one of each time limit. */
	private readonly latest = new Map<
		number,
		{ signal: AbortSignal; began: number; calls: number }
	>();

	constructor(private readonly now: () => number) {}

	/** A signal that ends a call that starts now. */
	after(timeoutMs: number): AbortSignal {
		const now = this.now();
		const latest = this.latest.get(timeoutMs);
		const isNear = latest && Math.abs(now - latest.began) < timeoutMs * SHARED_PART;
		if (isNear && !latest.signal.aborted && latest.calls < MOST_CALLS) {
			latest.calls += 1;
			return latest.signal;
		}
		const signal = AbortSignal.timeout(timeoutMs);
		this.latest.set(timeoutMs, { signal, began: now, calls: 1 });
		return signal;
	}
}

/** What the calls with one deadline share. Both signals live as long as the deadline does. */
const joins = new WeakMap<AbortSignal, { cancel: AbortSignal; signal: AbortSignal }>();

/** A signal that ends at Stop, if there can be one, and at the deadline; the same one for equal signals. */
export function joined(cancel: AbortSignal | undefined, deadline: AbortSignal): AbortSignal {
	if (!cancel) return deadline;
	const known = joins.get(deadline);
	if (known?.cancel === cancel) return known.signal;
	const signal = AbortSignal.any([cancel, deadline]);
	joins.set(deadline, { cancel, signal });
	return signal;
}
