import type { CallPace } from '../types';

/** A bucket per key: it holds up to `burst` tokens and gains `callsPerSecond`, or is filled again as each window begins. The clock is injected so that tests need not wait. */
export class TokenBuckets {
	private buckets = new Map<string, { tokens: number; at: number }>();

	/** Throws when the pace allows no call. */
	constructor(
		private readonly pace: CallPace,
		private readonly now: () => number = Date.now,
	) {
		if (!(pace.callsPerSecond > 0 && pace.burst >= 1)) {
			throw new Error('Expected callsPerSecond above 0 and a burst of 1 or more');
		}
	}

	/** Takes one token. 0 when there was one, or else the milliseconds until there will be; then none is taken. */
	take(key: string): number {
		const { callsPerSecond, burst, windowSeconds } = this.pace;
		const now = this.now();
		if (windowSeconds) return this.takeOfWindow(key, now, windowSeconds * 1000);
		const { tokens, at } = this.buckets.get(key) ?? { tokens: burst, at: now };
		const held = Math.min(burst, tokens + ((now - at) / 1000) * callsPerSecond);
		// What arithmetic with fractions loses is no reason to refuse
		const isAllowed = held > 1 - 1e-9;
		this.buckets.set(key, { tokens: isAllowed ? Math.max(0, held - 1) : held, at: now });
		return isAllowed ? 0 : ((1 - held) / callsPerSecond) * 1000;
	}

	/** Windows begin at whole multiples of their length. Until the next one nothing is gained. */
	private takeOfWindow(key: string, now: number, windowMs: number): number {
		const at = now - (now % windowMs);
		const known = this.buckets.get(key);
		const calls = Math.max(1, (this.pace.callsPerSecond * windowMs) / 1000);
		const tokens = known?.at === at ? known.tokens : calls;
		this.buckets.set(key, { tokens: Math.max(tokens - 1, 0), at });
		return tokens >= 1 ? 0 : at + windowMs - now;
	}

	/** `Retry-After` for a wait, rounded up to what the header can say: whole seconds either way. */
	retryAfter(waitMs: number): string | undefined {
		const { retryAfter = 'seconds' } = this.pace;
		if (retryAfter === 'none') return undefined;
		if (retryAfter === 'seconds') return String(Math.ceil(waitMs / 1000));
		return new Date(Math.ceil((this.now() + waitMs) / 1000) * 1000).toUTCString();
	}
}
