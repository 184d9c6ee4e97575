import { CLOCK, type Clock } from '../clock';

/**
 * Max Requests per Minute. All calls of the process to one account share it, for all base URLs, and the smallest limit of all
 * open runs applies. A bucket returns the calls: a few at once, then one by one, so slowly that no minute has more than the
 * limit, wherever it begins.
 */

/** Share of a minute's calls that may start at once, and their maximum: the lookups of one contact. */
const BURST = { share: 1 / 12, most: 5 };
/** A minute, and how much later than another a request may reach the service. */
const MINUTE_MS = 60_000 + 200;
/** Longest sleep, since a run that ends may raise the limit, and the clock may be set back. */
const MAX_NAP_MS = 1_000;

export class RequestRate {
	/** The limits of the open runs, in calls per minute. */
	private readonly limits = new Set<{ perMinute: number }>();
	/** The present or last limit. What the bucket has gained since then counts for the next one. */
	private perMinute = Infinity;
	private tokens = 0;
	private filledAt = -Infinity;
	/** Queues that wait for a token, the next one first. */
	private readonly waiting = new Set<() => void>();
	private isWatching = false;

	constructor(private readonly clock: Pick<Clock, 'now' | 'sleep'>) {}

	/** @returns ends the limit */
	open(perMinute: number | undefined): () => void {
		if (perMinute === undefined) return () => undefined;
		const limit = { perMinute };
		this.limits.add(limit);
		this.choose();
		return () => {
			this.limits.delete(limit);
			this.choose();
		};
	}

	/** The earliest time at which a call may start. */
	opensAt(now: number): number {
		if (this.limits.size === 0) return now;
		this.refill(now);
		return this.tokens > 1 - 1e-9 ? now : now + Math.ceil((1 - this.tokens) * this.intervalMs);
	}

	take(now: number) {
		if (this.limits.size === 0) return;
		this.refill(now);
		this.tokens -= 1;
	}

	/** Waits until a request may start that no queue holds, and notes that it does. */
	async turn(): Promise<void> {
		const { clock } = this;
		while (this.opensAt(clock.now()) > clock.now()) {
			await clock.sleep(Math.min(this.opensAt(clock.now()) - clock.now(), MAX_NAP_MS));
		}
		this.take(clock.now());
	}

	/** Calls back once a call may start. A queue that starts one then waits behind the others. */
	wait(wake: () => void) {
		this.waiting.add(wake);
		void this.watch();
	}

	/** Whether it can be removed: the bucket is full by now. */
	isStale(): boolean {
		return this.limits.size === 0 && this.clock.now() - this.filledAt > MINUTE_MS;
	}

	private async watch() {
		if (this.isWatching) return;
		this.isWatching = true;
		const { clock, waiting } = this;
		const waitMs = () => this.opensAt(clock.now()) - clock.now();
		while (waiting.size > 0) {
			await clock.sleep(Math.min(waitMs(), MAX_NAP_MS));
			for (const wake of [...waiting]) {
				if (waitMs() > 0) break;
				waiting.delete(wake);
				wake();
			}
		}
		this.isWatching = false;
	}

	private choose() {
		this.refill(this.clock.now());
		if (this.limits.size === 0) return;
		this.perMinute = Math.min(...[...this.limits].map(({ perMinute }) => perMinute));
	}

	private refill(now: number) {
		const gained = Math.max(0, now - this.filledAt) / this.intervalMs;
		this.tokens = Math.min(this.burst, this.tokens + gained);
		this.filledAt = now;
	}

	private get burst(): number {
		return Math.max(1, Math.min(BURST.most, Math.floor(this.perMinute * BURST.share)));
	}

	/** A minute that begins with a burst leaves room for fewer calls. */
	private get intervalMs(): number {
		return MINUTE_MS / (this.perMinute - this.burst + 1);
	}
}

/** Maximum number of calls of a run in flight, and of its tasks. The adaptive limiter finds what the service accepts. */
const MAX_AT_ONCE = 100;
/** Calls that take longer than this use less of a limit than they may. */
const LONG_CALL_MINUTES = 1 / 2;

/** Maximum number of calls of a run in flight: no more than its limit starts while one lasts, so that begun work ends soon. */
export function concurrencyOf(perMinute = Infinity): number {
	return Math.min(MAX_AT_ONCE, Math.ceil(perMinute * LONG_CALL_MINUTES));
}

/** With this many rates, stale ones are removed. */
const MANY_RATES = 100;
const rates = new Map<string, RequestRate>();

/** The rate that all executions of the process share for one account. */
export function requestRateOf(account: string): RequestRate {
	if (rates.size >= MANY_RATES) {
		for (const [other, rate] of rates) if (rate.isStale()) rates.delete(other);
	}
	const rate = rates.get(account) ?? new RequestRate(CLOCK);
	rates.set(account, rate);
	return rate;
}
