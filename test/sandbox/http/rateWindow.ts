import type { RateLimit } from '../types';

/** Where a key stands in its current window, as phonevalidation reports it (SPEC §2.2, §8). */
export interface RateStanding {
	exceeded: boolean;
	remain: number;
	/** Whole seconds until the window resets, at least 1. */
	seconds: number;
}

/** A fixed window per key that opens with the first call in it. The clock is injected so that tests need not wait. */
export class RateWindows {
	private windows = new Map<string, { opened: number; used: number }>();

	constructor(
		private readonly limit: RateLimit,
		private readonly now: () => number = Date.now,
	) {}

	/** Counts one call; a call beyond the limit is not counted again. */
	take(key: string): RateStanding {
		const window = this.current(key);
		const exceeded = window.used >= this.limit.calls;
		if (!exceeded) window.used += 1;
		const left = window.opened + this.limit.windowSeconds * 1000 - this.now();
		return {
			exceeded,
			remain: this.limit.calls - window.used,
			seconds: Math.max(1, Math.ceil(left / 1000)),
		};
	}

	reset() {
		this.windows.clear();
	}

	private current(key: string) {
		const window = this.windows.get(key);
		const now = this.now();
		if (window && now < window.opened + this.limit.windowSeconds * 1000) return window;
		const fresh = { opened: now, used: 0 };
		this.windows.set(key, fresh);
		return fresh;
	}
}
